//! Expressions: names are resolved and types checked; `int` and `real` never mix without a cast.
//!
//! An error becomes an expression of the error type, which fits everywhere, so that one mistake is reported once.

use crate::codes;
use crate::hir::Id;
use crate::hir::Kind;
use crate::hir::UnitId;
use crate::resolve::Resolver;
use crate::small;
use crate::types::BOOL;
use crate::types::ERROR;
use crate::types::INT;
use crate::types::REAL;
use crate::types::Shape;
use crate::types::Ty;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use syntax::Span;
use syntax::lustre::{Binary, ExprId, ExprKind, Name, Number, Right, Unary};

/// The meaning of a name in a unit.
#[derive(Clone, Debug)]
pub(super) enum Named {
    Var(u32),
    Const(Id),
}

/// The context of an expression.
pub(super) struct Scope {
    pub(super) file: usize,
    /// The unit whose calls it may add to.
    pub(super) unit: Option<UnitId>,
    pub(super) names: FxHashMap<String, Named>,
    /// Whether memory is forbidden, as in functions.
    pub(super) function: bool,
    /// The indices of the equation, with their sizes.
    pub(super) indices: Vec<(String, u32)>,
    /// The clock of the enclosing branch of `merge`.
    pub(super) branch: Option<(String, String)>,
    /// The conditions under which the value is used, because of lazy operators around it.
    pub(super) path: Vec<Id>,
    /// Whether the value is better true (in what must hold) or better false (in what is assumed); `None` if neither.
    pub(super) polarity: Option<bool>,
    /// The variables of the enclosing frame, each with its first value.
    pub(super) frame: FxHashMap<u32, Option<Id>>,
}

impl Scope {
    /// The scope of the values of constants.
    pub(super) fn global(file: usize) -> Scope {
        Scope {
            file,
            unit: None,
            names: FxHashMap::default(),
            function: true,
            indices: Vec::new(),
            branch: None,
            path: Vec::new(),
            polarity: None,
            frame: FxHashMap::default(),
        }
    }
}

impl Resolver<'_> {
    /// Resolves an expression; `guarded` if its value at the first step does not matter.
    pub(super) fn expr(&mut self, scope: &mut Scope, id: ExprId, guarded: bool) -> Id {
        let files = self.files;
        let it = files[scope.file].ast.expr(id);
        let span = it.span;
        let branch = scope.branch.take();
        let polarity = scope.polarity.take();
        if branch.is_some() && !matches!(it.kind, ExprKind::When(..) | ExprKind::Call(_)) {
            return self.unclocked(scope, id, guarded);
        }
        match &it.kind {
            ExprKind::Missing => self.error(span),
            ExprKind::Bool(value) => self.add(Kind::Bool(*value), BOOL, span),
            ExprKind::Int(text) => {
                let value = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
                    Some(digits) => IBig::from_str_radix(digits, 16).ok(),
                    None => IBig::from_str_radix(text, 10).ok(),
                };
                match value {
                    Some(value) => self.add(Kind::Int(value), INT, span),
                    None => self.bad_number(scope, span, text),
                }
            }
            ExprKind::Decimal(text) => match decimal(text) {
                Some(value) => self.add(Kind::Real(value), REAL, span),
                None => self.bad_number(scope, span, text),
            },
            ExprKind::Name(name) => self.named(scope, name, span),
            ExprKind::Mode(path) => self.mode(scope, path, span),
            ExprKind::Unary(operator, operand) => {
                scope.polarity = polarity.map(|it| !it).filter(|_| *operator == Unary::Not);
                self.unary(scope, *operator, *operand, span, guarded)
            }
            ExprKind::Chain(first, rest) => self.chain(scope, *first, rest, span, guarded, polarity),
            ExprKind::Right(operator @ (Right::Implies | Right::LazyImplies), a, b) => {
                scope.polarity = polarity.map(|it| !it);
                let a = self.expr(scope, *a, guarded);
                let lazy = *operator == Right::LazyImplies;
                scope.path.extend(lazy.then_some(a));
                scope.polarity = polarity;
                let b = self.expr(scope, *b, guarded);
                if lazy {
                    scope.path.pop();
                }
                self.expect_type(scope.file, a, BOOL, "the left side of `=>`");
                self.expect_type(scope.file, b, BOOL, "the right side of `=>`");
                self.add(Kind::Implies(a, b), BOOL, span)
            }
            ExprKind::Right(operator, a, b) => {
                let fby = *operator == Right::Fby;
                self.memory(scope, span, if fby { "`fby`" } else { "`->`" });
                scope.polarity = polarity.filter(|_| !fby);
                let a = self.expr(scope, *a, guarded);
                scope.polarity = polarity.filter(|_| !fby);
                let mut b = self.expr(scope, *b, !fby);
                let ty = self.alike(scope.file, &[a, b], span, "the two sides of `->`");
                if fby {
                    b = self.add(Kind::Pre(b, true), ty, span);
                }
                self.add(Kind::Arrow(a, b), ty, span)
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.expr(scope, *condition, guarded);
                self.expect_type(scope.file, condition, BOOL, "the condition of `if`");
                scope.polarity = polarity;
                let a = self.expr(scope, *a, guarded);
                scope.polarity = polarity;
                let b = self.expr(scope, *b, guarded);
                let ty = self.alike(scope.file, &[a, b], span, "the two branches of `if`");
                self.add(Kind::If(condition, a, b), ty, span)
            }
            ExprKind::LazyIf(condition, a, b) => {
                let condition = self.expr(scope, *condition, guarded);
                self.expect_type(scope.file, condition, BOOL, "the condition of `when`");
                scope.path.push(condition);
                scope.polarity = polarity;
                let a = self.expr(scope, *a, guarded);
                scope.path.pop();
                let not = self.negated(condition);
                scope.path.push(not);
                scope.polarity = polarity;
                let b = self.expr(scope, *b, guarded);
                scope.path.pop();
                let ty = self.alike(scope.file, &[a, b], span, "the two branches of `when`");
                self.add(Kind::If(condition, a, b), ty, span)
            }
            ExprKind::Update(whole, path, value) => {
                let whole = self.expr(scope, *whole, guarded);
                let value = self.expr(scope, *value, guarded);
                self.updated(scope, whole, path, value, span)
            }
            ExprKind::Typed(value, ty) => {
                scope.polarity = polarity;
                let value = self.expr(scope, *value, guarded);
                let ty = self.ty(scope.file, *ty);
                self.ascription(scope, value, ty, span)
            }
            ExprKind::Quantified(quantifier, bounds, body) => {
                self.quantified(scope, *quantifier, bounds, *body, span, polarity)
            }
            ExprKind::Chosen(choice, bound) => self.choice(scope, *choice, bound, span),
            ExprKind::Match(value, branches) => {
                let value = self.expr(scope, *value, guarded);
                self.matched(scope, value, branches, span, guarded)
            }
            ExprKind::Test(name, value) => {
                let value = self.expr(scope, *value, guarded);
                self.tested(scope, name, value, span)
            }
            ExprKind::Last(name) => {
                let var = match (scope.names.get(&name.text), scope.unit) {
                    (Some(Named::Var(var)), Some(unit)) => Some((*var, unit)),
                    _ => None,
                };
                let kept = var.and_then(|(var, unit)| self.kept(scope, unit, var, span));
                kept.unwrap_or_else(|| {
                    let message = format!("`{}` is not a variable of the frame around it", name.text);
                    self.report(scope.file, name.span, codes::UNKNOWN_NAME, message, "add it to a frame");
                    self.error(span)
                })
            }
            ExprKind::Cast(number, operand) => {
                let operand = self.expr(scope, *operand, guarded);
                self.cast(scope, *number, operand, span)
            }
            ExprKind::Group(parts) => {
                let parts: Vec<Id> = parts.iter().map(|it| self.expr(scope, *it, guarded)).collect();
                self.list(parts, span)
            }
            ExprKind::Tuple(parts) => {
                let parts: Vec<Id> = parts.iter().map(|it| self.expr(scope, *it, guarded)).collect();
                let types = parts.iter().map(|it| self.ty_of(*it)).collect();
                let ty = self.shaped(scope.file, span, Shape::Tuple(types));
                self.add(Kind::Parts(parts), ty, span)
            }
            ExprKind::Braces(parts, types) => {
                let parts: Vec<Id> = parts.iter().map(|it| self.expr(scope, *it, guarded)).collect();
                if !self.has_sets {
                    let types = parts.iter().map(|it| self.ty_of(*it)).collect();
                    let ty = self.shaped(scope.file, span, Shape::Tuple(types));
                    return self.add(Kind::Parts(parts), ty, span);
                }
                self.set_of(scope, &parts, types, span)
            }
            ExprKind::Map(pairs, types) => {
                let mut both = |it: &(ExprId, ExprId)| {
                    [self.expr(scope, it.0, guarded), self.expr(scope, it.1, guarded)]
                };
                let pairs: Vec<[Id; 2]> = pairs.iter().map(&mut both).collect();
                self.map_of(scope, &pairs, types, span)
            }
            ExprKind::Array(parts) => {
                let parts: Vec<Id> = parts.iter().map(|it| self.expr(scope, *it, guarded)).collect();
                let part = self.alike(scope.file, &parts, span, "the elements of an array");
                let ty = match u32::try_from(parts.len()) {
                    Ok(size) if size > 0 => self.shaped(scope.file, span, Shape::Array(part, size)),
                    _ => ERROR,
                };
                self.add(Kind::Parts(parts), ty, span)
            }
            ExprKind::Repeat(part, size) => {
                let part = self.expr(scope, *part, guarded);
                let Some(size) = self.size(scope.file, *size) else { return self.error(span) };
                let ty = self.shaped(scope.file, span, Shape::Array(self.ty_of(part), size));
                self.add(Kind::Repeat(part), ty, span)
            }
            ExprKind::Index(..) | ExprKind::Field(..) if self.long_name(scope, id).is_some() => {
                let name = self.long_name(scope, id).unwrap_or_default();
                self.named(scope, &name, span)
            }
            ExprKind::Index(array, index) => self.element(scope, *array, *index, span, guarded),
            ExprKind::Field(record, field) => {
                let record = self.expr(scope, *record, guarded);
                self.field(scope, record, field, span)
            }
            ExprKind::Project(tuple, place, at) => {
                let tuple = self.expr(scope, *tuple, guarded);
                self.project(scope, tuple, *place, *at, span)
            }
            ExprKind::Record(name, fields) => self.record(scope, name, fields, span, guarded),
            ExprKind::Call(call) => {
                scope.branch = branch;
                self.call(scope, call, span)
            }
            ExprKind::When(value, clock) => {
                let fits = branch.is_some_and(|it| it == (clock.variable.text.clone(), clock.value.clone()));
                if !fits {
                    let message = format!(
                        "this value is available only when `{}` is {}",
                        clock.variable.text, clock.value
                    );
                    let hint = "use it in the branch of `merge` with that clock";
                    self.report(scope.file, span, codes::BAD_CLOCK, message, hint);
                }
                self.expr(scope, *value, guarded)
            }
            ExprKind::Merge(clock, branches) => self.merge(scope, clock, branches, span, guarded),
        }
    }

    /// A branch of `merge` without a clock: allowed for constants.
    fn unclocked(&mut self, scope: &mut Scope, id: ExprId, guarded: bool) -> Id {
        let value = self.expr(scope, id, guarded);
        let constant = matches!(
            self.kind(value),
            Kind::Error | Kind::Bool(_) | Kind::Int(_) | Kind::Real(_) | Kind::Literal(..)
        );
        if !constant {
            let span = self.exprs[value.0 as usize].span;
            let message = "a branch of `merge` needs its clock".to_owned();
            let hint = "write `e when c` or `(activate f every c)(…)`";
            self.report(scope.file, span, codes::BAD_CLOCK, message, hint);
        }
        value
    }

    fn bad_number(&mut self, scope: &Scope, span: Span, text: &str) -> Id {
        let shown: String = text.chars().take(20).collect();
        let message = format!("`{shown}` is not a valid number");
        self.report(scope.file, span, syntax::codes::BAD_LUSTRE, message, "write it with fewer digits");
        self.error(span)
    }

    /// The declared name that an access to fields and elements spells: JKind flattens records and arrays.
    fn long_name(&self, scope: &Scope, mut id: ExprId) -> Option<String> {
        let ast = &self.files[scope.file].ast;
        let mut parts: Vec<String> = Vec::new();
        loop {
            id = match &ast.expr(id).kind {
                ExprKind::Field(record, field) => {
                    parts.push(format!(".{}", field.text));
                    *record
                }
                ExprKind::Index(array, index) => match &ast.expr(*index).kind {
                    ExprKind::Int(number) => {
                        parts.push(format!("[{number}]"));
                        *array
                    }
                    _ => return None,
                },
                ExprKind::Name(name) => {
                    parts.push(name.clone());
                    break;
                }
                _ => return None,
            };
        }
        let name: String = parts.into_iter().rev().collect();
        scope.names.contains_key(&name).then_some(name)
    }

    /// What a name refers to.
    pub(super) fn named(&mut self, scope: &Scope, name: &str, span: Span) -> Id {
        if let Some(place) = scope.indices.iter().rposition(|it| it.0 == name) {
            return self.add(Kind::Index(small(place)), INT, span);
        }
        match scope.names.get(name) {
            Some(Named::Var(var)) => {
                let ty = scope.unit.map_or(ERROR, |unit| self.units[unit.0 as usize].vars[*var as usize].ty);
                return self.add(Kind::Var(*var), self.types.base(ty), span);
            }
            Some(Named::Const(value)) => return *value,
            None => {}
        }
        if self.is_constructor(name) {
            let name = Name { text: name.to_owned(), span };
            return match self.constructor(scope.file, &name, &[], &[]) {
                Some(made) => self.made(scope, made, &[], span),
                None => self.error(span),
            };
        }
        if let Some((which, place)) = self.literals.get(name).copied() {
            let ty = self.types.get(Shape::Enum(which)).unwrap_or(ERROR);
            return self.add(Kind::Literal(which, place), ty, span);
        }
        if let Some(value) = self.constant(name) {
            return value;
        }
        let known = scope.names.keys().chain(self.constant_names());
        let hint = self.hint(name, known, "declare it as input, output, `var` or `const`");
        let message = format!("there is no variable or constant `{name}`");
        self.report(scope.file, span, codes::UNKNOWN_NAME, message, hint);
        self.error(span)
    }

    fn mode(&mut self, scope: &Scope, path: &[Name], span: Span) -> Id {
        let Some((mode, imports)) = path.split_last() else { return self.error(span) };
        let mut unit = scope.unit;
        let mut places = Vec::new();
        for import in imports {
            let its = unit.map(|unit| &self.units[unit.0 as usize].imports[..]).unwrap_or_default();
            let found = its.iter().position(|it| self.units[it.unit.0 as usize].name == import.text);
            unit = found.map(|place| its[place].unit);
            places.extend(found.map(|place| place as u32));
        }
        let modes = unit.map(|unit| &self.units[unit.0 as usize].modes[..]).unwrap_or_default();
        match modes.iter().position(|it| it.name == mode.text) {
            Some(place) => self.add(Kind::Mode(places, place as u32), BOOL, span),
            None => {
                let hint =
                    self.hint(&mode.text, modes.iter().map(|it| &it.name), "declare it with `mode m (…);`");
                let message = format!("there is no mode `{}` here", mode.text);
                self.report(scope.file, span, codes::UNKNOWN_NAME, message, hint);
                self.error(span)
            }
        }
    }

    fn unary(
        &mut self,
        scope: &mut Scope,
        operator: Unary,
        operand: ExprId,
        span: Span,
        guarded: bool,
    ) -> Id {
        if operator == Unary::Pre {
            self.memory(scope, span, "`pre`");
            if !guarded && scope.unit.is_some() {
                let message = "`pre` has any value at the first step".to_owned();
                self.report(scope.file, span, codes::UNGUARDED_PRE, message, "write `v -> pre e`");
            }
            let operand = self.expr(scope, operand, false);
            let ty = self.types.base(self.ty_of(operand));
            return self.add(Kind::Pre(operand, guarded), ty, span);
        }
        let operand = self.expr(scope, operand, guarded);
        let ty = self.types.base(self.ty_of(operand));
        let (fits, wanted) = match operator {
            Unary::Not => (self.types.same(ty, BOOL), "`not` needs a Boolean"),
            Unary::Minus => (self.types.is_number(ty), "`-` needs a number"),
            Unary::BitNot | Unary::Pre => (
                matches!(self.types.shape(ty), Shape::Machine(_) | Shape::Error),
                "`!` needs a machine integer",
            ),
        };
        if !fits {
            let message = format!("{wanted}, not {}", self.types.show(ty));
            self.report(scope.file, span, codes::WRONG_TYPE, message, "change the operand or the operator");
            return self.error(span);
        }
        self.add(Kind::Unary(operator, operand), ty, span)
    }

    fn chain(
        &mut self,
        scope: &mut Scope,
        first: ExprId,
        rest: &[(Binary, ExprId)],
        span: Span,
        guarded: bool,
        polarity: Option<bool>,
    ) -> Id {
        let both = |operator: Binary| {
            matches!(operator, Binary::And | Binary::AndThen | Binary::Or | Binary::OrElse)
        };
        let polarity = polarity.filter(|_| rest.iter().all(|it| both(it.0)));
        scope.polarity = polarity;
        let mut first = self.expr(scope, first, guarded);
        let mut ty = self.types.base(self.ty_of(first));
        let mut operands: Vec<(Binary, Id)> = Vec::with_capacity(rest.len());
        for (operator, operand) in rest {
            let lazy = matches!(operator, Binary::AndThen | Binary::OrElse);
            if lazy {
                let mut before = first;
                if !operands.is_empty() {
                    before = self.add(Kind::Chain(first, operands.clone()), BOOL, span);
                }
                let condition = if *operator == Binary::OrElse { self.negated(before) } else { before };
                scope.path.push(condition);
            }
            scope.polarity = polarity;
            let operand = self.expr(scope, *operand, guarded);
            if lazy {
                scope.path.pop();
            }
            let right = self.types.base(self.ty_of(operand));
            if self.is_for_sets(*operator, ty) {
                if !operands.is_empty() {
                    first = self.add(Kind::Chain(first, std::mem::take(&mut operands)), ty, span);
                }
                first = self.set_operation(scope, *operator, [first, operand], span);
                ty = self.ty_of(first);
                continue;
            }
            operands.push((*operator, operand));
            match self.binary(*operator, ty, right) {
                Some(result) => ty = result,
                None => {
                    let (left, shown) = (self.types.show(ty), self.types.show(right));
                    let message = format!("{} {left} and {shown}", wanted(*operator));
                    let mixed = [ty, right].contains(&INT) && [ty, right].contains(&REAL);
                    let hint = match operator {
                        Binary::Divide if ty == INT => "write `div` for integers, or `real(…)` around both",
                        _ if mixed => "write `real(…)` around the int, or `int(…)` around the real",
                        _ => "change the operands or the operator",
                    };
                    let at = self.exprs[operand.0 as usize].span;
                    self.report(scope.file, at, codes::WRONG_TYPE, message, hint);
                    return self.error(span);
                }
            }
        }
        if operands.is_empty() {
            return first;
        }
        self.add(Kind::Chain(first, operands), ty, span)
    }

    /// The type of the result, if the operands match.
    fn binary(&self, operator: Binary, a: Ty, b: Ty) -> Option<Ty> {
        if a == ERROR || b == ERROR {
            return Some(ERROR);
        }
        let same = a == b;
        let machine = matches!(self.types.shape(a), Shape::Machine(_));
        match operator {
            Binary::Or | Binary::OrElse | Binary::Xor | Binary::And | Binary::AndThen => {
                (same && a == BOOL).then_some(BOOL)
            }
            Binary::Equal | Binary::NotEqual => same.then_some(BOOL),
            Binary::Less | Binary::LessEqual | Binary::GreaterEqual | Binary::Greater => {
                (same && self.types.is_number(a)).then_some(BOOL)
            }
            Binary::Plus | Binary::Minus | Binary::Times => (same && self.types.is_number(a)).then_some(a),
            Binary::Divide => (same && a == REAL).then_some(REAL),
            Binary::IntDivide | Binary::Modulo => (same && (a == INT || machine)).then_some(a),
            Binary::BitOr | Binary::BitAnd => (same && machine).then_some(a),
            Binary::In => None,
            Binary::ShiftLeft | Binary::ShiftRight => match (self.types.shape(a), self.types.shape(b)) {
                (Shape::Machine(x), Shape::Machine(y)) => (x.bits == y.bits && !y.signed).then_some(a),
                _ => None,
            },
        }
    }

    fn cast(&mut self, scope: &Scope, number: Number, operand: Id, span: Span) -> Id {
        let ty = self.number(number);
        let from = self.types.base(self.ty_of(operand));
        let fits = match (self.types.shape(from), self.types.shape(ty)) {
            (Shape::Error, _) => true,
            (Shape::Int, _) | (_, Shape::Int) => self.types.is_number(from),
            (Shape::Real, Shape::Real) => true,
            (Shape::Machine(x), Shape::Machine(y)) => x.signed == y.signed,
            _ => false,
        };
        let Some(scalar) = ty.scalar(&self.types).filter(|_| fits) else {
            let (from, to) = (self.types.show(from), self.types.show(ty));
            let message = format!("a value of type {from} cannot become {to}");
            self.report(scope.file, span, codes::WRONG_TYPE, message, "convert it to `int` first");
            return self.error(span);
        };
        self.add(Kind::Cast(scalar, operand), ty, span)
    }

    /// Reports a value that does not have the expected type.
    pub(super) fn expect_type(&mut self, file: usize, value: Id, ty: Ty, what: &str) {
        let found = self.ty_of(value);
        if self.types.same(found, ty) {
            return;
        }
        let span = self.exprs[value.0 as usize].span;
        let message =
            format!("{what} needs a value of type {}, not {}", self.types.show(ty), self.types.show(found));
        let hint = match (self.types.base(found), self.types.base(ty)) {
            (INT, REAL) => "write `real(…)` around it, or a number with a decimal point",
            (REAL, INT) => "write `int(…)` around it",
            _ => "change the value or the type",
        };
        self.report(file, span, codes::WRONG_TYPE, message, hint);
    }

    /// The common type of some values.
    pub(super) fn alike(&mut self, file: usize, values: &[Id], span: Span, what: &str) -> Ty {
        let Some(first) = values.first() else { return ERROR };
        let ty = self.types.base(self.ty_of(*first));
        for value in &values[1..] {
            let other = self.ty_of(*value);
            if !self.types.same(ty, other) {
                let (a, b) = (self.types.show(ty), self.types.show(other));
                let message = format!("{what} need the same type, not {a} and {b}");
                self.report(file, span, codes::WRONG_TYPE, message, "change one of them, or write a cast");
                return ERROR;
            }
        }
        ty
    }

    /// Reports memory where it is forbidden.
    pub(super) fn memory(&mut self, scope: &Scope, span: Span, what: &str) {
        if !scope.function {
            return;
        }
        let (code, message) = match scope.unit {
            Some(_) => (codes::FUNCTION_MEMORY, format!("{what} is in a function, which has no memory")),
            None => (codes::CONSTANT_NEEDED, format!("{what} is in a constant")),
        };
        self.report(scope.file, span, code, message, "use a node");
    }
}

fn wanted(operator: Binary) -> &'static str {
    match operator {
        Binary::Or | Binary::OrElse | Binary::Xor | Binary::And | Binary::AndThen => {
            "`and`, `or` and `xor` need Booleans, not"
        }
        Binary::Equal | Binary::NotEqual => "`=` and `<>` need values of one type, not",
        Binary::Less | Binary::LessEqual | Binary::GreaterEqual | Binary::Greater => {
            "a comparison needs two numbers of one type, not"
        }
        Binary::Plus | Binary::Minus | Binary::Times => "`+`, `-` and `*` need two numbers of one type, not",
        Binary::Divide => "`/` needs two values of type real, not",
        Binary::IntDivide | Binary::Modulo => "`div` and `mod` need two integers of one type, not",
        Binary::BitOr | Binary::BitAnd => "`&&` and `||` need two machine integers of one type, not",
        Binary::In => "`in` needs an element and a set, or a key and a map, not",
        Binary::ShiftLeft | Binary::ShiftRight => {
            "a shift needs a machine integer and an unsigned one of the same width, not"
        }
    }
}

/// The value of a decimal; `None` if its exponent is too large.
fn decimal(text: &str) -> Option<RBig> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].trim_start_matches('+').parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = IBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?;
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    if scale.unsigned_abs() > 5000 {
        return None;
    }
    let power = UBig::from(10u8).pow(scale.unsigned_abs() as usize);
    Some(if scale < 0 { RBig::from_parts(digits, power) } else { RBig::from(digits * IBig::from(power)) })
}
