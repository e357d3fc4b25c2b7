//! Calls, plain and with clocks, and `merge`: the callee, its arguments and its clock.

use crate::codes;
use crate::hir::Id;
use crate::hir::Kind;
use crate::hir::Site;
use crate::hir::UnitId;
use crate::hir::UnitKind;
use crate::resolve::Resolver;
use crate::small;
use crate::types::BOOL;
use crate::types::ERROR;
use crate::types::REAL;
use crate::types::Shape;
use crate::types::Ty;
use crate::typing::Scope;
use std::ops::Range;
use syntax::Span;
use syntax::lustre::{Binary, Call, ExprId, ExprKind, Name, Unary};
use system::expr::Function;

impl Resolver<'_> {
    pub(super) fn call(&mut self, scope: &mut Scope, call: &Call, span: Span) -> Id {
        let branch = scope.branch.take();
        self.check_clock(scope, call, branch.as_ref(), span);
        let name = &call.node.text;
        let values: Vec<Id> = call.arguments.iter().map(|it| self.expr(scope, *it, false)).collect();
        if self.is_constructor(name) {
            return match self.constructor(scope.file, &call.node, &call.types, &values) {
                Some(made) => self.made(scope, made, &values, span),
                None => self.error(span),
            };
        }
        let arguments = self.list(values.clone(), span);
        let types = self.types.parts(self.ty_of(arguments));
        let known = self.by_name.get(name).copied();
        let sized = known.is_none() && self.generics.contains_key(name);
        if !sized && known.is_none_or(|it| self.units[it.0 as usize].kind == UnitKind::Contract) {
            return self.math(scope, call, arguments, span);
        }
        let Some(callee) = self.instance_of(scope.file, &call.node, &call.types, Some((&types, &values)))
        else {
            return self.error(span);
        };
        let unit = &self.units[callee.0 as usize];
        let (inputs, outputs) = (unit.inputs, unit.outputs);
        let is_node = unit.kind == UnitKind::Node;
        let wanted: Vec<Ty> = unit.vars[..inputs].iter().map(|it| it.ty).collect();
        let results: Vec<Ty> =
            unit.vars[inputs..inputs + outputs].iter().map(|it| self.types.base(it.ty)).collect();
        let Some(home) = scope.unit else {
            let message = format!("`{name}` is called in a constant");
            self.report(scope.file, span, codes::CONSTANT_NEEDED, message, "use numbers and constants");
            return self.error(span);
        };
        if scope.function && is_node {
            let message = format!("a function calls the node `{name}`, which may have memory");
            let hint = "declare it as `function`, or the caller as `node`";
            self.report(scope.file, span, codes::FUNCTION_MEMORY, message, hint);
        }
        self.fit(scope.file, arguments, &wanted, span, &format!("`{name}` takes"));
        self.constant_arguments(scope.file, arguments, callee, home);
        let mut condition = |this: &mut Self, value: &Option<ExprId>, what: &str| {
            value.map(|value| {
                let value = this.clock_value(scope, value);
                this.expect_type(scope.file, value, BOOL, what);
                value
            })
        };
        let every = condition(self, &call.every, "the clock of `every`");
        let restart = condition(self, &call.restart, "the clock of `restart`");
        let defaults = call.defaults.as_ref().map(|values| {
            let values: Vec<Id> = values.iter().map(|it| self.expr(scope, *it, false)).collect();
            let values = self.list(values, span);
            self.fit(scope.file, values, &results, span, &format!("the default of `{name}` has"));
            values
        });
        let sizes = scope.indices.iter().map(|it| it.1).collect();
        let guard = self.path(scope);
        let sites = &mut self.units[home.0 as usize].sites;
        sites.push(Site { unit: callee, arguments, every, restart, defaults, guard, sizes });
        let place = small(sites.len() - 1);
        let ty = self.types.list(results);
        self.add(Kind::Call(place), ty, span)
    }

    /// Reports arguments that may change where the callee takes constants.
    fn constant_arguments(&mut self, file: usize, arguments: Id, callee: UnitId, home: UnitId) {
        for (places, argument) in self.places(arguments) {
            let unit = &self.units[callee.0 as usize];
            let mut inputs = unit.vars[..unit.inputs].iter().skip(places.start).take(places.len());
            let Some(input) = inputs.find(|it| it.constant) else { continue };
            if !self.is_constant(home, argument) {
                let message =
                    format!("`{}` of `{}` is a constant, and this may change", input.name, unit.name);
                let span = self.exprs[argument.0 as usize].span;
                let hint = "use numbers, constants and constant inputs";
                self.report(file, span, codes::CONSTANT_NEEDED, message, hint);
            }
        }
    }

    /// The values of a list, each with the positions that it fills.
    pub(super) fn places(&self, list: Id) -> Vec<(Range<usize>, Id)> {
        let Kind::Parts(parts) = self.kind(list) else { return Vec::new() };
        let mut at = 0;
        let place = |part: &Id| {
            let first = at;
            at += self.types.parts(self.ty_of(*part)).len();
            (first..at, *part)
        };
        parts.iter().map(place).collect()
    }

    /// Whether a value of a unit is the same at every step.
    fn is_constant(&self, unit: UnitId, id: Id) -> bool {
        match self.kind(id) {
            Kind::Var(var) => self.units[unit.0 as usize].vars[*var as usize].constant,
            // An index may be out of range, where an arbitrary value is read.
            Kind::Pre(..) | Kind::Arrow(..) | Kind::Element(..) | Kind::Call(_) | Kind::Mode(..) => false,
            kind => kind.operands().iter().all(|it| self.is_constant(unit, *it)),
        }
    }

    /// Reports values of a list that differ in number or type from what is expected.
    pub(super) fn fit(&mut self, file: usize, list: Id, wanted: &[Ty], span: Span, what: &str) {
        let found = self.types.parts(self.ty_of(list));
        if found.contains(&ERROR) {
            return;
        }
        if found.len() != wanted.len() {
            let message = format!("{what} {} values, not {}", wanted.len(), found.len());
            let hint = "give as many values as there are declarations";
            self.report(file, span, codes::WRONG_ARITY, message, hint);
            return;
        }
        let wrong = found.iter().zip(wanted).position(|(a, b)| !self.types.same(*a, *b));
        if let Some(place) = wrong {
            let (a, b) = (self.types.show(wanted[place]), self.types.show(found[place]));
            let message = format!("{what} a value of type {a} at place {}, not {b}", place + 1);
            self.report(file, span, codes::WRONG_TYPE, message, "change the value, or write a cast");
        }
    }

    /// A function of the mathematical library, or a report that there is no such node.
    fn math(&mut self, scope: &Scope, call: &Call, arguments: Id, span: Span) -> Id {
        let name = &call.node.text;
        if name == "floor" && !self.math {
            self.fit(scope.file, arguments, &[REAL], span, "`floor` takes");
            return match self.kind(arguments) {
                Kind::Parts(parts) if parts.len() == 1 => {
                    self.add(Kind::Cast(crate::types::Scalar::Int, parts[0]), crate::types::INT, span)
                }
                _ => self.error(span),
            };
        }
        let function = Function::NAMED.into_iter().find(|it| it.name() == Some(name));
        match function {
            Some(function) if self.math && call.every.is_none() && call.restart.is_none() => {
                let wanted = vec![REAL; function.arity().unwrap_or(1)];
                self.fit(scope.file, arguments, &wanted, span, &format!("`{name}` takes"));
                let parts = match self.kind(arguments) {
                    Kind::Parts(parts) => parts.clone(),
                    _ => Vec::new(),
                };
                if parts.len() != wanted.len() {
                    return self.error(span);
                }
                self.add(Kind::Math(function, parts), REAL, span)
            }
            _ => {
                let known =
                    self.units.iter().filter(|it| matches!(it.kind, UnitKind::Node | UnitKind::Function));
                let otherwise = if function.is_some() {
                    "write `include \"lustrec_math.lus\"`"
                } else {
                    "declare it, or include its file"
                };
                let hint = self.hint(name, known.map(|it| &it.name), otherwise);
                let message = format!("there is no node or function `{name}`");
                self.report(scope.file, call.node.span, codes::UNKNOWN_NODE, message, hint);
                self.error(span)
            }
        }
    }

    /// A call with a clock and no default is present only in its branch of `merge`; any other call is always present.
    fn check_clock(&mut self, scope: &Scope, call: &Call, branch: Option<&(String, String)>, span: Span) {
        if call.every.is_some() || call.restart.is_some() {
            self.memory(scope, span, "a clock");
        }
        let sampled = call.every.filter(|_| call.defaults.is_none());
        let (message, hint) = match (branch, sampled) {
            (None, None) => return,
            (None, Some(_)) => (
                "the value of `activate` without a default is not always available",
                "write `initial default`, or use it in a branch of `merge`",
            ),
            (Some(_), None) => {
                ("a branch of `merge` needs its clock", "write `e when c` or `(activate f every c)(…)`")
            }
            (Some(branch), Some(every)) => {
                if self.clock_of(scope.file, every).as_ref() == Some(branch) {
                    return;
                }
                (
                    "the clock of `activate` is not the clock of the branch",
                    "write the clock of `merge` after `every`",
                )
            }
        };
        self.report(scope.file, span, codes::BAD_CLOCK, message.to_owned(), hint);
    }

    /// The variable and the value that a clock expression compares.
    fn clock_of(&self, file: usize, id: ExprId) -> Option<(String, String)> {
        let ast = &self.files[file].ast;
        match &ast.expr(id).kind {
            ExprKind::Name(name) => Some((name.clone(), "true".to_owned())),
            ExprKind::Unary(Unary::Not, inner) => match &ast.expr(*inner).kind {
                ExprKind::Name(name) => Some((name.clone(), "false".to_owned())),
                _ => None,
            },
            ExprKind::Call(call) => match call.arguments[..] {
                [only] => match &ast.expr(only).kind {
                    ExprKind::Name(name) => Some((name.clone(), call.node.text.clone())),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A clock as a Boolean: `A(c)` is `c = A`.
    fn clock_value(&mut self, scope: &mut Scope, id: ExprId) -> Id {
        let ast = &self.files[scope.file].ast;
        let it = ast.expr(id);
        if let ExprKind::Call(call) = &it.kind
            && let (Some((which, place)), [only]) =
                (self.literals.get(&call.node.text).copied(), &call.arguments[..])
        {
            let ty = self.types.get(Shape::Enum(which)).unwrap_or(ERROR);
            let variable = self.expr(scope, *only, false);
            self.expect_type(scope.file, variable, ty, "the clock");
            let literal = self.add(Kind::Literal(which, place), ty, it.span);
            return self.add(Kind::Chain(variable, vec![(Binary::Equal, literal)]), BOOL, it.span);
        }
        self.expr(scope, id, false)
    }

    pub(super) fn merge(
        &mut self,
        scope: &mut Scope,
        clock: &Name,
        branches: &[(Name, ExprId)],
        span: Span,
        guarded: bool,
    ) -> Id {
        self.memory(scope, span, "`merge`");
        let variable = self.named(scope, &clock.text, clock.span);
        let ty = self.ty_of(variable);
        let literals: Vec<(String, Kind)> = match self.types.shape(self.types.base(ty)) {
            Shape::Bool => {
                vec![("true".to_owned(), Kind::Bool(true)), ("false".to_owned(), Kind::Bool(false))]
            }
            Shape::Enum(which) => {
                let names = &self.types.enums[*which as usize].1;
                names
                    .iter()
                    .enumerate()
                    .map(|(at, it)| (it.clone(), Kind::Literal(*which, at as u32)))
                    .collect()
            }
            Shape::Error => return self.error(span),
            _ => {
                let message = format!(
                    "the clock of `merge` must be a Boolean or an enumeration, not {}",
                    self.types.show(ty)
                );
                let hint = "use a variable of such a type";
                self.report(scope.file, clock.span, codes::WRONG_TYPE, message, hint);
                return self.error(span);
            }
        };
        let mut found: Vec<(Id, Id)> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (value, branch) in branches {
            let literal = literals.iter().find(|it| it.0 == value.text).map(|it| it.1.clone());
            let Some(literal) = literal.filter(|_| !seen.contains(&value.text.as_str())) else {
                let message =
                    format!("`{}` is not a value of `{}`, or has two branches", value.text, clock.text);
                let hint = "write one branch for each value";
                self.report(scope.file, value.span, codes::BAD_ELEMENT, message, hint);
                return self.error(span);
            };
            seen.push(&value.text);
            let literal = self.add(literal, ty, value.span);
            scope.branch = Some((clock.text.clone(), value.text.clone()));
            let branch = self.expr(scope, *branch, guarded);
            scope.branch = None;
            found.push((literal, branch));
        }
        if let Some((missing, _)) = literals.iter().find(|it| !seen.contains(&it.0.as_str())) {
            let message = format!("`merge` has no branch for `{missing}`");
            self.report(scope.file, span, codes::BAD_ELEMENT, message, "write one branch for each value");
            return self.error(span);
        }
        let values: Vec<Id> = found.iter().map(|it| it.1).collect();
        let ty = self.alike(scope.file, &values, span, "the branches of `merge`");
        self.add(Kind::Merge(variable, found), ty, span)
    }
}
