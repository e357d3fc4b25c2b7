//! Units and types with type parameters, and units with sizes that depend on constant inputs: one instance for each list of types and
//! sizes.
//!
//! By its own name, a unit with type parameters is checked for types of which nothing is known. What holds there holds for all. A
//! unit with sizes has no instance of its own.

use crate::codes;
use crate::hir::{Id, UnitId};
use crate::resolve::Resolver;
use crate::small;
use crate::types::{ERROR, Shape, Ty};
use dashu_int::IBig;
use syntax::lustre::{self as ast, Name, TypeId, TypeKind};
use syntax::{Severity, Span};

/// The maximum number of instances in a program.
const MAX_INSTANCES: usize = 1000;

/// What the parameters of a unit or type stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Binding {
    /// The types for the type parameters.
    pub(super) types: Vec<(String, Ty)>,
    /// The values of the constant inputs that sizes depend on.
    pub(super) sizes: Vec<(String, IBig)>,
}

/// A unit whose body is to be resolved, with its types and sizes.
pub(super) struct Pending<'a> {
    pub(super) id: UnitId,
    pub(super) file: usize,
    pub(super) unit: &'a ast::Unit,
    pub(super) bound: Binding,
}

impl<'a> Resolver<'a> {
    /// Declares a unit by its own name; its type parameters are types without a definition.
    pub(super) fn declare_unit(&mut self, file: usize, unit: &'a ast::Unit) {
        let mut types = Vec::new();
        for parameter in &unit.parameters {
            self.types.abstracts.push(parameter.text.clone());
            let place = small(self.types.abstracts.len() - 1);
            let ty = self.types.get(Shape::Abstract(place)).unwrap_or(ERROR);
            types.push((parameter.text.clone(), ty));
        }
        let sized = !self.sizes(file, unit).is_empty();
        if !sized {
            let bound = Binding { types, sizes: Vec::new() };
            self.declare_instance(file, unit, unit.name.text.clone(), bound);
        }
        if sized || !unit.parameters.is_empty() {
            self.generics.entry(unit.name.text.clone()).or_insert((file, unit));
        }
    }

    /// The places of the constant inputs of a unit that sizes of its arrays depend on.
    fn sizes(&self, file: usize, unit: &ast::Unit) -> Vec<usize> {
        let file = &self.files[file];
        let mut open: Vec<TypeId> =
            unit.inputs.iter().chain(&unit.outputs).chain(&unit.locals).map(|it| it.ty).collect();
        let mut words: Vec<&str> = Vec::new();
        while let Some(ty) = open.pop() {
            match &file.ast.ty(ty).kind {
                TypeKind::Array(part, size) => {
                    open.push(*part);
                    let text = file.text.get(file.ast.expr(*size).span.range()).unwrap_or_default();
                    words.extend(text.split(|it: char| !it.is_alphanumeric() && it != '_'));
                }
                TypeKind::Tuple(parts) | TypeKind::Named(_, parts) => open.extend(parts),
                TypeKind::Record(fields) => open.extend(fields.iter().map(|it| it.1)),
                TypeKind::Refined(_, base, _) | TypeKind::Set(base) => open.push(*base),
                TypeKind::Map(key, value) => open.extend([key, value]),
                TypeKind::Missing
                | TypeKind::Bool
                | TypeKind::Number(_)
                | TypeKind::Range(..)
                | TypeKind::Abstract
                | TypeKind::Enum(_) => {}
            }
        }
        let is_size = |it: &ast::Variable| it.constant && words.contains(&it.name.text.as_str());
        (0..unit.inputs.len()).filter(|place| is_size(&unit.inputs[*place])).collect()
    }

    /// Reports units with sizes that nothing calls, because they would not be checked for any size; unless errors are the reason.
    pub(super) fn unused_sizes(&mut self) {
        if self.diagnostics.iter().any(|it| it.severity() == Severity::Error) {
            return;
        }
        let mut unused: Vec<(usize, &ast::Unit)> = self.generics.values().copied().collect();
        unused.sort_by_key(|it| (it.0, it.1.name.span.start));
        for (file, unit) in unused {
            let title = format!("{}<", unit.name.text);
            if !self.by_name.keys().any(|it| *it == unit.name.text || it.starts_with(&title)) {
                let message =
                    format!("the sizes of `{}` depend on its inputs, and nothing calls it", unit.name.text);
                let hint = "call it with sizes, or use constants";
                self.report(file, unit.name.span, syntax::codes::NOT_SUPPORTED, message, hint);
            }
        }
    }

    fn declare_instance(
        &mut self,
        file: usize,
        unit: &'a ast::Unit,
        name: String,
        bound: Binding,
    ) -> Option<UnitId> {
        let outer = std::mem::replace(&mut self.bound, bound.clone());
        let id = self.signature(file, unit, name);
        self.bound = outer;
        self.pending.extend(id.map(|id| Pending { id, file, unit, bound }));
        id
    }

    /// The instance of a unit for given types, or for the types and values of arguments; `None` after a report.
    pub(super) fn instance_of(
        &mut self,
        file: usize,
        name: &Name,
        types: &[TypeId],
        arguments: Option<(&[Ty], &[Id])>,
    ) -> Option<UnitId> {
        let Some(&(home, unit)) = self.generics.get(&name.text) else {
            if !types.is_empty() {
                let message = format!("`{}` has no type parameters", name.text);
                self.report(file, name.span, codes::WRONG_ARITY, message, "remove the types");
                return None;
            }
            return self.by_name.get(&name.text).copied();
        };
        let mut found: Vec<Option<Ty>> = vec![None; unit.parameters.len()];
        if types.is_empty() {
            for (input, ty) in unit.inputs.iter().zip(arguments.map_or(&[][..], |it| it.0)) {
                self.infer(home, input.ty, *ty, &unit.parameters, &mut found);
            }
        } else if types.len() == found.len() {
            for (place, ty) in types.iter().enumerate() {
                found[place] = Some(self.ty(file, *ty));
            }
        }
        let Some(types) = found.into_iter().collect::<Option<Vec<Ty>>>() else {
            let message = format!("the types for `{}` are not known here", name.text);
            let hint = format!("write `{}@<…>` with a type for each of its type parameters", name.text);
            self.report(file, name.span, codes::WRONG_ARITY, message, hint);
            return None;
        };
        let mut sizes = Vec::new();
        for place in self.sizes(home, unit) {
            let input = &unit.inputs[place].name;
            // A value that is a list of several would move the others.
            let values = arguments.map_or(&[][..], |it| it.1);
            let value = values.get(place).filter(|_| values.len() == unit.inputs.len());
            let Some(size) = value.and_then(|it| self.int_value(*it)) else {
                let message =
                    format!("`{}` of `{}` is a size, which is not known here", input.text, name.text);
                let hint = "use numbers and constants with a value";
                self.report(file, name.span, codes::CONSTANT_NEEDED, message, hint);
                return None;
            };
            sizes.push((input.text.clone(), size));
        }
        let shown = types.iter().map(|it| self.types.show(*it));
        let shown: Vec<String> = shown.chain(sizes.iter().map(|it| format!("{}={}", it.0, it.1))).collect();
        let title = format!("{}<{}>", name.text, shown.join(", "));
        if let Some(id) = self.by_name.get(&title) {
            return Some(*id);
        }
        if self.instance_count >= MAX_INSTANCES {
            let message =
                "the program has more instances of units with type parameters than the limit".to_owned();
            self.report(file, name.span, codes::TOO_MANY_PARTS, message, "use fewer types");
            return None;
        }
        self.instance_count += 1;
        let parameters = unit.parameters.iter().map(|it| it.text.clone());
        let bound = Binding { types: parameters.zip(types).collect(), sizes };
        let id = self.declare_instance(home, unit, title, bound)?;
        self.imports_of_last();
        Some(id)
    }

    /// The imports of the unit that was declared last.
    fn imports_of_last(&mut self) {
        let Some(Pending { id, file, unit, bound }) = self.pending.pop() else { return };
        let outer = std::mem::replace(&mut self.bound, bound.clone());
        self.imports(id, file, unit);
        self.bound = outer;
        self.pending.push(Pending { id, file, unit, bound });
    }

    /// Finds types for type parameters by comparing a declared type with that of a value.
    pub(super) fn infer(
        &self,
        file: usize,
        declared: TypeId,
        ty: Ty,
        names: &[Name],
        found: &mut [Option<Ty>],
    ) {
        let ty = self.types.base(ty);
        match (&self.files[file].ast.ty(declared).kind, self.types.shape(ty)) {
            (_, Shape::Error) => {}
            (TypeKind::Named(name, arguments), _) if arguments.is_empty() => {
                if let Some(place) = names.iter().position(|it| it.text == *name) {
                    found[place].get_or_insert(ty);
                }
            }
            (TypeKind::Array(part, _), Shape::Array(inner, _)) => {
                self.infer(file, *part, *inner, names, found)
            }
            (TypeKind::Set(part), Shape::Set(inner, _)) => self.infer(file, *part, *inner, names, found),
            (TypeKind::Map(key, value), Shape::Map([inner, its], _)) => {
                self.infer(file, *key, *inner, names, found);
                self.infer(file, *value, *its, names, found);
            }
            (TypeKind::Tuple(parts), Shape::Tuple(types)) => {
                for (part, ty) in parts.iter().zip(types) {
                    self.infer(file, *part, *ty, names, found);
                }
            }
            (TypeKind::Refined(_, base, _), _) => self.infer(file, *base, ty, names, found),
            _ => {}
        }
    }

    /// A type or `datatype` with type parameters, for given types.
    pub(super) fn applied_type(&mut self, file: usize, name: &str, types: &[TypeId], span: Span) -> Ty {
        let types = types.iter().map(|it| self.ty(file, *it)).collect();
        if self.generic_datas.contains_key(name) {
            return self.applied_data(file, name, types, span);
        }
        let Some(&(home, parameters, body)) = self.generic_types.get(name) else {
            let message = format!("there is no type `{name}` with type parameters");
            let hint = self.hint(name, self.generic_types.keys(), "declare it with `type t<T> = …;`");
            self.report(file, span, codes::UNKNOWN_TYPE, message, hint);
            return ERROR;
        };
        self.with_types(file, (name, parameters), types, span, |this, title| {
            this.lazy_type(file, title, span, Some((home, body)))
        })
    }

    /// A `datatype` with type parameters, for given types.
    pub(super) fn applied_data(&mut self, file: usize, name: &str, types: Vec<Ty>, span: Span) -> Ty {
        let Some((home, parameters, constructors)) = self.generic_datas.get(name).copied() else {
            return ERROR;
        };
        self.with_types(file, (name, parameters), types, span, |this, title| {
            this.datas.insert(title.to_owned(), (home, constructors));
            this.lazy_type(file, title, span, Some((home, TypeId::NONE)))
        })
    }

    /// Does something with types for the parameters of a type; it gets the name of the type with them.
    fn with_types(
        &mut self,
        file: usize,
        (name, parameters): (&str, &[Name]),
        types: Vec<Ty>,
        span: Span,
        work: impl FnOnce(&mut Self, &str) -> Ty,
    ) -> Ty {
        if parameters.len() != types.len() {
            let message = format!("`{name}` has {} type parameters, not {}", parameters.len(), types.len());
            self.report(file, span, codes::WRONG_ARITY, message, "give one type for each");
            return ERROR;
        }
        let shown: Vec<String> = types.iter().map(|it| self.types.show(*it)).collect();
        let title = format!("{name}<{}>", shown.join(", "));
        let types = parameters.iter().map(|it| it.text.clone()).zip(types).collect();
        let bound = Binding { types, sizes: Vec::new() };
        let outer = std::mem::replace(&mut self.bound, bound);
        let ty = work(self, &title);
        self.bound = outer;
        ty
    }
}
