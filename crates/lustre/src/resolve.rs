//! From the texts of a program to units: files, types and constants. Names may be used before they are declared.
//!
//! A type or constant is resolved when it is first needed; one that depends on itself is reported.

use crate::codes;
use crate::generic::{Binding, Pending};
use crate::hir::Expr;
use crate::hir::Global;
use crate::hir::Id;
use crate::hir::Kind;
use crate::hir::Restriction;
use crate::hir::Unit;
use crate::hir::UnitId;
use crate::refine::Refinement;
use crate::small;
use crate::types::BOOL;
use crate::types::Data;
use crate::types::ERROR;
use crate::types::INT;
use crate::types::REAL;
use crate::types::Scalar;
use crate::types::Shape;
use crate::types::Ty;
use crate::types::Types;
use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;
use rustc_hash::FxHashMap;
use syntax::Code;
use syntax::Diagnostic;
use syntax::Hint;
use syntax::Severity;
use syntax::Span;
use syntax::lustre::{
    Ast, Binary, Const, Constructor, Declaration, ExprId, Name, Number, TypeId, TypeKind, Unary,
};
use syntax::nearest;
use system::expr::Width;

/// The maximum length of a dependency chain of types or constants.
const MAX_CHAIN: u32 = 100;

/// The maximum number of diagnostics; errors may exceed it by as many again.
const MAX_DIAGNOSTICS: usize = 1000;

/// A file of the program.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Its name; the first text has none.
    pub(super) name: Option<String>,
    pub(super) text: String,
    pub(super) ast: Ast,
    /// Where each line begins.
    pub(super) lines: Vec<u32>,
    /// Where the first text includes it, possibly through others.
    pub(super) included: Option<Span>,
}

impl File {
    pub(super) fn new(name: Option<String>, text: &str, included: Option<Span>) -> File {
        let ends = text.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        File { name, text: text.to_owned(), ast: syntax::lustre::parse(text), lines, included }
    }

    /// Line and column as Kind 2 counts them: lines from 1, columns from 0, in bytes.
    pub(super) fn position(&self, span: Span) -> (usize, u32) {
        let line = self.lines.partition_point(|start| *start <= span.start);
        (line, span.start - self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0))
    }

    /// The span in the first text for a span in this one.
    pub(super) fn span(&self, span: Span) -> Span {
        self.included.unwrap_or(span)
    }
}

/// The state of something that is resolved on demand.
#[derive(Clone, Copy, Debug)]
enum Lazy<S, T> {
    Waiting(S),
    Open,
    Done(T),
}

/// The state of name resolution.
pub(super) struct Resolver<'a> {
    pub(super) files: &'a [File],
    pub(super) types: Types,
    pub(super) exprs: Vec<Expr>,
    pub(super) units: Vec<Unit>,
    pub(super) by_name: FxHashMap<String, UnitId>,
    /// Constants without a value.
    pub(super) free: Vec<(String, Ty)>,
    /// Constants whose value is computed.
    pub(super) globals: Vec<Global>,
    pub(super) literals: FxHashMap<String, (u32, u32)>,
    /// Whether the library of mathematical functions is included.
    pub(super) math: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The conditions of types.
    pub(super) refinements: Vec<Refinement>,
    /// The conditions on constants.
    pub(super) restrictions: Vec<Restriction>,
    /// The constructors of `datatype`s: the type and the place.
    pub(super) constructors: FxHashMap<String, (u32, u32)>,
    pub(super) generic_constructors: FxHashMap<String, (String, u32)>,
    pub(super) generic_datas: FxHashMap<String, (usize, &'a [Name], &'a [Constructor])>,
    /// Units and types with type parameters.
    pub(super) generics: FxHashMap<String, (usize, &'a syntax::lustre::Unit)>,
    pub(super) generic_types: FxHashMap<String, (usize, &'a [Name], TypeId)>,
    /// The types and sizes for the parameters of what is being resolved.
    pub(super) bound: Binding,
    /// Units whose bodies are still to be resolved.
    pub(super) pending: Vec<Pending<'a>>,
    /// The number of instances of units with type parameters.
    pub(super) instance_count: usize,
    /// The number of instances of the bodies of quantifiers.
    pub(super) instances: usize,
    pub(super) datas: FxHashMap<String, (usize, &'a [Constructor])>,
    /// Whether the program has sets or maps, and the number of elements or keys of a type that are watched.
    pub(super) has_sets: bool,
    pub(super) watched: u32,
    /// For each type of elements or keys, those that are watched.
    pub(super) keys: FxHashMap<Ty, Vec<Id>>,
    named_types: FxHashMap<String, Lazy<(usize, TypeId), Ty>>,
    constants: FxHashMap<String, Lazy<(usize, Const), Id>>,
    chain: u32,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(files: &'a [File], math: bool) -> Resolver<'a> {
        Resolver {
            files,
            types: Types::default(),
            exprs: Vec::new(),
            units: Vec::new(),
            by_name: FxHashMap::default(),
            free: Vec::new(),
            globals: Vec::new(),
            literals: FxHashMap::default(),
            math,
            diagnostics: Vec::new(),
            refinements: Vec::new(),
            restrictions: Vec::new(),
            constructors: FxHashMap::default(),
            generic_constructors: FxHashMap::default(),
            generic_datas: FxHashMap::default(),
            generics: FxHashMap::default(),
            generic_types: FxHashMap::default(),
            bound: Binding::default(),
            pending: Vec::new(),
            instance_count: 0,
            instances: 0,
            datas: FxHashMap::default(),
            has_sets: crate::sets::occur(files),
            watched: crate::sets::watched(files),
            keys: FxHashMap::default(),
            named_types: FxHashMap::default(),
            constants: FxHashMap::default(),
            chain: 0,
        }
    }

    /// Resolves all files.
    pub(super) fn run(&mut self) {
        let files = self.files;
        for (file, it) in files.iter().enumerate() {
            for diagnostic in &it.ast.diagnostics {
                self.push(file, diagnostic.clone());
            }
            for declaration in &it.ast.declarations {
                self.declare(file, declaration);
            }
        }
        for (file, it) in files.iter().enumerate() {
            for declaration in &it.ast.declarations {
                match declaration {
                    Declaration::Type(name, parameters, _) if parameters.is_empty() => {
                        self.named_type(file, &name.text, name.span);
                    }
                    Declaration::Type(..) => {}
                    Declaration::Data(name, parameters, _) if parameters.is_empty() => {
                        self.named_type(file, &name.text, name.span);
                    }
                    Declaration::Data(..) => {}
                    Declaration::Const(constant) => drop(self.constant(&constant.name.text)),
                    Declaration::Include(_) | Declaration::Unit(_) => {}
                }
            }
        }
        for (file, it) in files.iter().enumerate() {
            for declaration in &it.ast.declarations {
                if let Declaration::Unit(unit) = declaration {
                    self.declare_unit(file, unit);
                }
            }
        }
        let mut declared = std::mem::take(&mut self.pending);
        for it in &declared {
            self.bound.clone_from(&it.bound);
            self.imports(it.id, it.file, it.unit);
        }
        // Bodies may need more instances of units with type parameters.
        while !declared.is_empty() {
            declared.append(&mut self.pending);
            for it in std::mem::take(&mut declared) {
                self.bound.clone_from(&it.bound);
                self.body(it.id, it.file, it.unit);
            }
            declared = std::mem::take(&mut self.pending);
        }
        self.bound = Binding::default();
        self.unused_sizes();
        let order = self.recursion();
        self.assumptions(&order);
    }

    fn declare(&mut self, file: usize, declaration: &'a Declaration) {
        let (name, twice) = match declaration {
            Declaration::Include(_) | Declaration::Unit(_) => return,
            Declaration::Type(name, parameters, ty) if !parameters.is_empty() => {
                let twice = self.named_types.contains_key(&name.text);
                (
                    name,
                    self.generic_types.insert(name.text.clone(), (file, parameters, *ty)).is_some() || twice,
                )
            }
            Declaration::Data(name, parameters, constructors) if !parameters.is_empty() => {
                for (tag, it) in constructors.iter().enumerate() {
                    let made = (name.text.clone(), small(tag));
                    if self.generic_constructors.insert(it.name.text.clone(), made).is_some() {
                        let message = format!("`{}` is declared twice", it.name.text);
                        self.report(file, it.name.span, codes::DEFINED_TWICE, message, "rename one of them");
                    }
                }
                let twice = self.named_types.contains_key(&name.text);
                let before = self.generic_datas.insert(name.text.clone(), (file, parameters, constructors));
                (name, before.is_some() || twice)
            }
            Declaration::Data(name, _, constructors) => {
                let twice = self.named_types.contains_key(&name.text);
                self.named_types.entry(name.text.clone()).or_insert(Lazy::Waiting((file, TypeId::NONE)));
                self.datas.entry(name.text.clone()).or_insert((file, constructors));
                (name, twice)
            }
            Declaration::Type(name, _, ty) => {
                let twice = self.named_types.contains_key(&name.text);
                self.named_types.entry(name.text.clone()).or_insert(Lazy::Waiting((file, *ty)));
                (name, twice)
            }
            Declaration::Const(constant) => {
                let name = &constant.name;
                let twice = self.constants.contains_key(&name.text);
                self.constants
                    .entry(name.text.clone())
                    .or_insert_with(|| Lazy::Waiting((file, constant.clone())));
                (name, twice)
            }
        };
        if twice {
            let message = format!("`{}` is declared twice", name.text);
            self.report(file, name.span, codes::DEFINED_TWICE, message, "rename one of them");
        }
    }

    /// Reports a diagnostic at a span of a file.
    pub(super) fn report(
        &mut self,
        file: usize,
        span: Span,
        code: Code,
        message: String,
        hint: impl Into<Hint>,
    ) {
        self.push(file, Diagnostic::new(code, span, message, hint));
    }

    /// Adds a diagnostic; those in an included file are reported where it is included.
    fn push(&mut self, file: usize, mut found: Diagnostic) {
        // Errors have their own room after all warnings, so that a program with errors never appears to have none.
        let is_error = found.severity() == Severity::Error;
        if self.diagnostics.len() >= if is_error { 2 * MAX_DIAGNOSTICS } else { MAX_DIAGNOSTICS } {
            return;
        }
        let it = &self.files[file];
        if let Some(name) = &it.name {
            found.message = format!("in `{name}`, line {}: {}", it.position(found.span).0, found.message);
            found.fix = None;
        }
        self.diagnostics.push(found.moved(|span| it.span(span)));
    }

    pub(super) fn add(&mut self, kind: Kind, ty: Ty, span: Span) -> Id {
        self.exprs.push(Expr { kind, ty, span });
        Id(small(self.exprs.len() - 1))
    }

    pub(super) fn ty_of(&self, id: Id) -> Ty {
        self.exprs[id.0 as usize].ty
    }

    pub(super) fn kind(&self, id: Id) -> &Kind {
        &self.exprs[id.0 as usize].kind
    }

    /// An expression for an error that is already reported.
    pub(super) fn error(&mut self, span: Span) -> Id {
        self.add(Kind::Error, ERROR, span)
    }

    /// A "did you mean" hint, or another one.
    pub(super) fn hint<'n>(
        &self,
        word: &str,
        names: impl Iterator<Item = &'n String>,
        otherwise: &str,
    ) -> Hint {
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.sort_unstable();
        Hint::near(nearest(word, names), || otherwise.to_owned())
    }

    pub(super) fn constant_names(&self) -> impl Iterator<Item = &String> {
        self.constants.keys().chain(self.literals.keys())
    }

    /// The type that a type expression denotes.
    pub(super) fn ty(&mut self, file: usize, id: TypeId) -> Ty {
        let files = self.files;
        let it = files[file].ast.ty(id);
        match &it.kind {
            TypeKind::Missing => ERROR,
            TypeKind::Bool => BOOL,
            TypeKind::Number(number) => self.number(*number),
            TypeKind::Named(name, types) if types.is_empty() => {
                match self.bound.types.iter().rev().find(|it| it.0 == *name) {
                    Some((_, ty)) => *ty,
                    None => self.named_type(file, name, it.span),
                }
            }
            TypeKind::Named(name, types) => self.applied_type(file, name, types, it.span),
            TypeKind::Refined(name, base, condition) => {
                let base = self.ty(file, *base);
                if base == ERROR {
                    return ERROR;
                }
                self.refinements.push(Refinement { name: name.text.clone(), file, condition: *condition });
                let place = small(self.refinements.len() - 1);
                self.shaped(file, it.span, Shape::Refined(base, place))
            }
            TypeKind::Range(low, high) => {
                let mut bound = |it: &Option<ExprId>| it.and_then(|it| self.constant_int(file, it));
                let (low, high) = (bound(low), bound(high));
                if let (Some(low), Some(high)) = (&low, &high)
                    && low > high
                {
                    let message = format!("there is no number from {low} to {high}");
                    self.report(file, it.span, codes::WRONG_TYPE, message, "write the lower bound first");
                    return ERROR;
                }
                self.shaped(file, it.span, Shape::Range(low, high))
            }
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.ty(file, *part)).collect();
                self.shaped(file, it.span, Shape::Tuple(parts))
            }
            TypeKind::Array(part, size) => {
                let part = self.ty(file, *part);
                match self.size(file, *size) {
                    Some(size) => self.shaped(file, it.span, Shape::Array(part, size)),
                    None => ERROR,
                }
            }
            TypeKind::Set(part) => {
                let part = self.ty(file, *part);
                self.set_type(file, part, it.span)
            }
            TypeKind::Map(key, value) => {
                let (key, value) = (self.ty(file, *key), self.ty(file, *value));
                self.map_type(file, key, value, it.span)
            }
            TypeKind::Abstract | TypeKind::Record(_) | TypeKind::Enum(_) => {
                let message = "this record or enumeration has no name".to_owned();
                let hint = "declare it with `type t = …;`";
                self.report(file, it.span, syntax::codes::NOT_SUPPORTED, message, hint);
                ERROR
            }
        }
    }

    pub(super) fn number(&mut self, number: Number) -> Ty {
        match number {
            Number::Int => INT,
            Number::Real => REAL,
            Number::Machine { signed, bits } => {
                self.types.get(Shape::Machine(Width { signed, bits })).unwrap_or(ERROR)
            }
        }
    }

    pub(super) fn shaped(&mut self, file: usize, span: Span, shape: Shape) -> Ty {
        self.types.get(shape).unwrap_or_else(|| {
            let message = "a value of this type has more parts than the limit".to_owned();
            self.report(file, span, codes::TOO_MANY_PARTS, message, "use smaller arrays");
            ERROR
        })
    }

    /// The size of an array, at least 1.
    pub(super) fn size(&mut self, file: usize, id: ExprId) -> Option<u32> {
        let span = self.files[file].ast.expr(id).span;
        let size = self.constant_int(file, id)?;
        let size = u32::try_from(&size).ok().filter(|it| *it > 0);
        if size.is_none() {
            let message = "the size of an array is not a positive number within the limit".to_owned();
            self.report(file, span, codes::BAD_ELEMENT, message, "write a constant such as 3");
        }
        size
    }

    pub(super) fn constant_int(&mut self, file: usize, id: ExprId) -> Option<IBig> {
        let span = self.files[file].ast.expr(id).span;
        let mut scope = crate::typing::Scope::global(file);
        self.bind_sizes(&mut scope, span);
        let value = self.expr(&mut scope, id, false);
        if matches!(self.kind(value), Kind::Error) {
            return None;
        }
        let number = self.int_value(value);
        if number.is_none() {
            let message = "this is not an integer that is known here".to_owned();
            let hint = "use numbers and constants with a value";
            self.report(file, span, codes::CONSTANT_NEEDED, message, hint);
        }
        number
    }

    /// Makes the sizes of the unit that is being resolved known by name.
    pub(super) fn bind_sizes(&mut self, scope: &mut crate::typing::Scope, span: Span) {
        for (name, size) in self.bound.sizes.clone() {
            let value = self.add(Kind::Int(size), crate::types::INT, span);
            scope.names.insert(name, crate::typing::Named::Const(value));
        }
    }

    /// The value of a constant expression.
    pub(super) fn int_value(&self, id: Id) -> Option<IBig> {
        match self.kind(id) {
            Kind::Int(value) => Some(value.clone()),
            Kind::Unary(Unary::Minus, inner) => self.int_value(*inner).map(|it| -it),
            Kind::Chain(first, rest) => {
                let mut value = self.int_value(*first)?;
                for (operator, operand) in rest {
                    let operand = self.int_value(*operand)?;
                    value = match operator {
                        Binary::Plus => value + operand,
                        Binary::Minus => value - operand,
                        Binary::Times if value.to_string().len() < 100 => value * operand,
                        Binary::IntDivide if !operand.is_zero() => value.div_rem_euclid(operand).0,
                        Binary::Modulo if !operand.is_zero() => IBig::from(value.div_rem_euclid(operand).1),
                        _ => return None,
                    };
                }
                Some(value)
            }
            _ => None,
        }
    }

    fn named_type(&mut self, file: usize, name: &str, span: Span) -> Ty {
        self.lazy_type(file, name, span, None)
    }

    /// The type with a name; if it has none yet, it is defined here.
    pub(super) fn lazy_type(
        &mut self,
        file: usize,
        name: &str,
        span: Span,
        definition: Option<(usize, TypeId)>,
    ) -> Ty {
        if let (Some(definition), false) = (definition, self.named_types.contains_key(name)) {
            self.named_types.insert(name.to_owned(), Lazy::Waiting(definition));
        }
        let Some(entry) = self.named_types.get(name).copied() else {
            let hint = self.hint(name, self.named_types.keys(), "declare it with `type t = …;`");
            self.report(file, span, codes::UNKNOWN_TYPE, format!("there is no type `{name}`"), hint);
            self.named_types.insert(name.to_owned(), Lazy::Done(ERROR));
            return ERROR;
        };
        let (home, id) = match entry {
            Lazy::Done(ty) => return ty,
            Lazy::Open if self.datas.contains_key(name) => {
                let message = format!("`{name}` contains itself: a recursive `datatype` is not supported");
                let hint = "use a type with a fixed number of parts";
                self.report(file, span, syntax::codes::NOT_SUPPORTED, message, hint);
                return ERROR;
            }
            Lazy::Open => {
                self.circular(file, span, name);
                return ERROR;
            }
            Lazy::Waiting(_) if self.chain >= MAX_CHAIN => {
                self.circular(file, span, name);
                return ERROR;
            }
            Lazy::Waiting(waiting) => waiting,
        };
        self.named_types.insert(name.to_owned(), Lazy::Open);
        self.chain += 1;
        if let Some((home, constructors)) = self.datas.get(name).copied() {
            let ty = self.data_type(home, name, constructors);
            self.chain -= 1;
            self.named_types.insert(name.to_owned(), Lazy::Done(ty));
            return ty;
        }
        let files = self.files;
        let it = files[home].ast.ty(id);
        let ty = match &it.kind {
            TypeKind::Abstract => {
                self.types.abstracts.push(name.to_owned());
                let place = small(self.types.abstracts.len() - 1);
                self.shaped(home, it.span, Shape::Abstract(place))
            }
            TypeKind::Record(fields) => {
                let mut found: Vec<(String, Ty)> = Vec::new();
                for (field, part) in fields {
                    if found.iter().any(|it| it.0 == field.text) {
                        let message = format!("the field `{}` is declared twice", field.text);
                        self.report(home, field.span, codes::DEFINED_TWICE, message, "rename one of them");
                        continue;
                    }
                    let part = self.ty(home, *part);
                    found.push((field.text.clone(), part));
                }
                if found.is_empty() {
                    let message = format!("the record `{name}` has no fields");
                    self.report(home, it.span, codes::BAD_ELEMENT, message, "give it a field");
                }
                self.types.records.push((name.to_owned(), found));
                let place = small(self.types.records.len() - 1);
                self.shaped(home, it.span, Shape::Record(place))
            }
            TypeKind::Enum(names) => {
                let place = small(self.types.enums.len());
                let mut literals: Vec<String> = Vec::new();
                for literal in names {
                    let taken = self.literals.contains_key(&literal.text);
                    if taken || self.constants.contains_key(&literal.text) {
                        let message = format!("`{}` is declared twice", literal.text);
                        self.report(home, literal.span, codes::DEFINED_TWICE, message, "rename one of them");
                        continue;
                    }
                    self.literals.insert(literal.text.clone(), (place, small(literals.len())));
                    literals.push(literal.text.clone());
                }
                self.types.enums.push((name.to_owned(), literals));
                self.shaped(home, it.span, Shape::Enum(place))
            }
            _ => self.ty(home, id),
        };
        self.chain -= 1;
        self.named_types.insert(name.to_owned(), Lazy::Done(ty));
        ty
    }

    pub(super) fn is_constructor(&self, name: &str) -> bool {
        self.constructors.contains_key(name) || self.generic_constructors.contains_key(name)
    }

    /// A `datatype`: the enumeration of its constructors, and their fields.
    fn data_type(&mut self, file: usize, name: &str, constructors: &[Constructor]) -> Ty {
        let mut found: Vec<(String, Vec<(String, Ty)>)> = Vec::new();
        let mut fits = true;
        for constructor in constructors {
            let mut fields = Vec::new();
            let mut taken: Vec<&str> = Vec::new();
            for (field, ty) in &constructor.fields {
                if taken.contains(&field.text.as_str()) {
                    let message = format!("the field `{}` is declared twice", field.text);
                    self.report(file, field.span, codes::DEFINED_TWICE, message, "rename one of them");
                }
                taken.push(&field.text);
                let ty = self.ty(file, *ty);
                fits &= ty != ERROR;
                fields.push((field.text.clone(), ty));
            }
            found.push((constructor.name.text.clone(), fields));
        }
        let tag = small(self.types.enums.len());
        let place = small(self.types.datas.len());
        self.types.enums.push((name.to_owned(), found.iter().map(|it| it.0.clone()).collect()));
        self.shaped(file, Span::new(0, 0), Shape::Enum(tag));
        self.types.datas.push(Data { name: name.to_owned(), tag, constructors: found });
        // Those of a `datatype` with type parameters are found by the type.
        let named = constructors.iter().enumerate().filter(|_| !name.contains('<'));
        for (at, constructor) in named {
            let text = &constructor.name.text;
            let taken = self.literals.contains_key(text) || self.constants.contains_key(text);
            if self.constructors.insert(text.clone(), (place, small(at))).is_some() || taken {
                let message = format!("`{text}` is declared twice");
                self.report(file, constructor.name.span, codes::DEFINED_TWICE, message, "rename one of them");
            }
        }
        if !fits {
            return ERROR;
        }
        let span = constructors.first().map_or(Span::new(0, 0), |it| it.name.span);
        self.shaped(file, span, Shape::Data(place))
    }

    /// The value of the constant with this name, if there is one.
    pub(super) fn constant(&mut self, name: &str) -> Option<Id> {
        let (file, constant) = match self.constants.get(name)? {
            Lazy::Done(id) => return Some(*id),
            Lazy::Open => {
                let error = self.error(Span::new(0, 0));
                self.constants.insert(name.to_owned(), Lazy::Done(error));
                return Some(error);
            }
            Lazy::Waiting(waiting) => waiting.clone(),
        };
        if self.chain >= MAX_CHAIN {
            self.circular(file, constant.name.span, name);
            return Some(self.error(constant.name.span));
        }
        self.constants.insert(name.to_owned(), Lazy::Open);
        self.chain += 1;
        let mut scope = crate::typing::Scope::global(file);
        let value = self.constant_of(&mut scope, &constant);
        self.chain -= 1;
        if matches!(self.constants.get(name), Some(Lazy::Done(_))) {
            // It was needed while it was being evaluated.
            self.circular(file, constant.name.span, name);
        }
        self.constants.insert(name.to_owned(), Lazy::Done(value));
        Some(value)
    }

    /// The value of a declared constant; without one, any value of its type.
    pub(super) fn constant_of(&mut self, scope: &mut crate::typing::Scope, constant: &Const) -> Id {
        let file = scope.file;
        let ty = constant.ty.map(|ty| self.ty(file, ty));
        let span = constant.name.span;
        let Some(value) = constant.value else {
            let ty = ty.unwrap_or(ERROR);
            self.free.push((constant.name.text.clone(), ty));
            let value = self.add(Kind::Free(small(self.free.len() - 1)), self.types.base(ty), span);
            self.restrict(scope, value, ty, constant, true);
            return value;
        };
        let value = self.expr(scope, value, false);
        if let Some(ty) = ty {
            self.expect_type(file, value, ty, &format!("the constant `{}`", constant.name.text));
            self.restrict(scope, value, ty, constant, false);
        }
        // Known numbers are stored as literals; other values are computed once.
        if let Some(number) = self.int_value(value) {
            if let Some(ty) = ty {
                self.outside(file, value, &number, ty, &constant.name.text);
            }
            return self.add(Kind::Int(number), INT, span);
        }
        match self.kind(value) {
            Kind::Error | Kind::Bool(_) | Kind::Real(_) | Kind::Literal(..) => value,
            _ => {
                self.globals.push(Global { value, name: constant.name.text.clone(), ty, file, span });
                self.add(Kind::Global(small(self.globals.len() - 1)), self.ty_of(value), span)
            }
        }
    }

    /// Records what the type of a constant requires of it.
    fn restrict(
        &mut self,
        scope: &mut crate::typing::Scope,
        value: Id,
        ty: Ty,
        constant: &Const,
        free: bool,
    ) {
        let (name, file, span) = (&constant.name.text, scope.file, constant.name.span);
        for value in self.conditions(scope, value, ty) {
            self.restrictions.push(Restriction { value, name: name.clone(), free, file, span });
        }
    }

    /// Reports a constant that is not in its subrange.
    fn outside(&mut self, file: usize, value: Id, number: &IBig, ty: Ty, name: &str) {
        let Shape::Range(low, high) = self.types.shape(ty) else { return };
        let inside =
            low.as_ref().is_none_or(|it| it <= number) && high.as_ref().is_none_or(|it| number <= it);
        if !inside {
            let message = format!("the constant `{name}` is {number}, outside {}", self.types.show(ty));
            let span = self.exprs[value.0 as usize].span;
            self.report(file, span, codes::WRONG_TYPE, message, "change the value or the bounds");
        }
    }

    fn circular(&mut self, file: usize, span: Span, name: &str) {
        let message = format!("`{name}` is defined by itself");
        self.report(file, span, codes::CIRCULAR_DEFINITION, message, "remove the reference to itself");
    }
}

impl Ty {
    /// The type of a scalar.
    pub(super) fn scalar(self, types: &Types) -> Option<Scalar> {
        match types.shape(types.base(self)) {
            Shape::Bool => Some(Scalar::Bool),
            Shape::Int => Some(Scalar::Int),
            Shape::Real => Some(Scalar::Real),
            Shape::Machine(width) => Some(Scalar::Machine(*width)),
            Shape::Enum(place) => Some(Scalar::Enum(*place)),
            Shape::Abstract(_) => Some(Scalar::Int),
            // The first leaf of a `datatype` is its tag.
            Shape::Data(place) => Some(Scalar::Enum(types.datas[*place as usize].tag)),
            _ => None,
        }
    }
}
