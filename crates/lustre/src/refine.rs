//! Types with conditions on their values: what they require of variables, constants and ascriptions, and other obligations of
//! expressions.
//!
//! An expression has the type without conditions. The conditions of a declared type become expressions about the declared name.

use crate::codes;
use crate::hir::{Claim, Id, Kind};
use crate::resolve::Resolver;
use crate::small;
use crate::types::{BOOL, INT, Shape, Ty};
use crate::typing::{Named, Scope};
use syntax::Span;
use syntax::lustre::{Binary, ExprId, Unary};

/// A condition on the values of a type.
#[derive(Clone, Debug)]
pub(super) struct Refinement {
    /// The name of the value in the condition.
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) condition: ExprId,
}

/// The maximum number of conditions on one value.
const MAX_CONDITIONS: usize = 4096;

impl Resolver<'_> {
    /// What a type requires of a value, besides subranges.
    pub(super) fn conditions(&mut self, scope: &mut Scope, value: Id, ty: Ty) -> Vec<Id> {
        let mut found = Vec::new();
        self.collect_conditions(scope, value, ty, false, &mut found);
        found
    }

    /// All that a type requires of a value.
    pub(super) fn promises(&mut self, scope: &mut Scope, value: Id, ty: Ty, found: &mut Vec<Id>) {
        self.collect_conditions(scope, value, ty, true, found);
    }

    fn collect_conditions(
        &mut self,
        scope: &mut Scope,
        value: Id,
        ty: Ty,
        ranges: bool,
        found: &mut Vec<Id>,
    ) {
        let span = self.exprs[value.0 as usize].span;
        if found.len() >= MAX_CONDITIONS {
            let message = "a value of this type has more conditions than the limit".to_owned();
            self.report(scope.file, span, codes::TOO_MANY_PARTS, message, "use smaller arrays");
            return;
        }
        match self.types.shape(ty).clone() {
            Shape::Refined(base, place) => {
                self.collect_conditions(scope, value, base, ranges, found);
                let Refinement { name, file, condition } = self.refinements[place as usize].clone();
                let value = self.part(value, 0, self.types.base(base), span);
                let condition = self.with_name(scope, &name, value, |this, scope| {
                    // The condition is written where the type is.
                    let home = std::mem::replace(&mut scope.file, file);
                    let condition = this.truth(scope, condition, "a condition on a type");
                    scope.file = home;
                    condition
                });
                found.push(condition);
            }
            Shape::Range(low, high) if ranges => {
                for (bound, operator) in [(low, Binary::GreaterEqual), (high, Binary::LessEqual)] {
                    if let Some(bound) = bound {
                        let bound = self.add(Kind::Int(bound), INT, span);
                        found.push(self.add(Kind::Chain(value, vec![(operator, bound)]), BOOL, span));
                    }
                }
            }
            Shape::Array(part, size) if self.is_refined(part, ranges) => {
                let count = self.types.leaf_count(part);
                for at in 0..size {
                    let element = self.part(value, at * count, self.types.base(part), span);
                    self.collect_conditions(scope, element, part, ranges, found);
                }
            }
            Shape::Record(_) | Shape::Tuple(_) => {
                let mut offset = 0;
                for part in self.types.members(ty).unwrap_or_default() {
                    if self.is_refined(part, ranges) {
                        let member = self.part(value, offset, self.types.base(part), span);
                        self.collect_conditions(scope, member, part, ranges, found);
                    }
                    offset += self.types.leaf_count(part);
                }
            }
            _ => {}
        }
    }

    /// Whether a type has conditions, or also subranges.
    fn is_refined(&self, ty: Ty, ranges: bool) -> bool {
        match self.types.shape(ty) {
            Shape::Refined(..) => true,
            Shape::Range(..) => ranges,
            Shape::Array(part, _) => self.is_refined(*part, ranges),
            Shape::Record(_) | Shape::Tuple(_) => {
                self.types.members(ty).unwrap_or_default().iter().any(|it| self.is_refined(*it, ranges))
            }
            _ => false,
        }
    }

    /// The part of a value that begins at a leaf.
    pub(super) fn part(&mut self, value: Id, offset: u32, ty: Ty, span: Span) -> Id {
        if offset == 0 && self.ty_of(value) == ty {
            return value;
        }
        self.add(Kind::Select(value, offset), ty, span)
    }

    /// Resolves something in which a name denotes a value.
    pub(super) fn with_name<T>(
        &mut self,
        scope: &mut Scope,
        name: &str,
        value: Id,
        work: impl FnOnce(&mut Self, &mut Scope) -> T,
    ) -> T {
        let before = scope.names.insert(name.to_owned(), Named::Const(value));
        let result = work(self, scope);
        match before {
            Some(before) => scope.names.insert(name.to_owned(), before),
            None => scope.names.remove(name),
        };
        result
    }

    /// `(a : t)`: what the type requires is an obligation.
    pub(super) fn ascription(&mut self, scope: &mut Scope, value: Id, ty: Ty, span: Span) -> Id {
        self.expect_type(scope.file, value, ty, "the type after `:`");
        let mut conditions = Vec::new();
        self.collect_conditions(scope, value, ty, true, &mut conditions);
        for condition in conditions {
            self.obligation(scope, condition, span);
        }
        value
    }

    /// A condition that must hold wherever the value of an expression is used.
    pub(super) fn obligation(&mut self, scope: &Scope, condition: Id, span: Span) {
        let Some(unit) = scope.unit else {
            let message = "a condition on the value of a constant is written inside it".to_owned();
            let hint = "give the constant the type";
            self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
            return;
        };
        if !scope.indices.is_empty() {
            let message = "this has a condition, and is in an equation for elements".to_owned();
            let hint = "write an equation for each element";
            self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
            return;
        }
        let value = match self.path(scope) {
            Some(path) => self.add(Kind::Implies(path, condition), BOOL, span),
            None => condition,
        };
        let claim = Claim { name: None, value, guard: None, reach: None, span };
        self.units[unit.0 as usize].obligations.push(claim);
    }

    /// The condition under which the value of an expression is used; `None` if it always is.
    pub(super) fn path(&mut self, scope: &Scope) -> Option<Id> {
        let (first, rest) = scope.path.split_first()?;
        if rest.is_empty() {
            return Some(*first);
        }
        let span = self.exprs[first.0 as usize].span;
        let rest = rest.iter().map(|it| (Binary::And, *it)).collect();
        Some(self.add(Kind::Chain(*first, rest), BOOL, span))
    }

    /// The negation of a Boolean.
    pub(super) fn negated(&mut self, value: Id) -> Id {
        let span = self.exprs[value.0 as usize].span;
        self.add(Kind::Unary(Unary::Not, value), BOOL, span)
    }

    /// A variable of the unit that the text does not declare, with any value at each step.
    pub(super) fn hidden(&mut self, scope: &mut Scope, ty: Ty, span: Span, what: &str) -> Id {
        let (Some(unit), true) = (scope.unit, scope.indices.is_empty()) else {
            let message = format!("{what} is in a constant or in an equation for elements");
            let hint = "give it a variable of its own";
            self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
            return self.error(span);
        };
        let (line, column) = self.files[scope.file].position(span);
        let var = small(self.units[unit.0 as usize].vars.len());
        let variable = crate::hir::Variable {
            name: format!("any(l{line}c{column})"),
            ty,
            span,
            constant: false,
            conditions: Vec::new(),
            hidden: true,
            definition: None,
        };
        self.units[unit.0 as usize].vars.push(variable);
        let value = self.add(Kind::Var(var), self.types.base(ty), span);
        let conditions = self.conditions(scope, value, ty);
        self.units[unit.0 as usize].vars[var as usize].conditions = conditions;
        value
    }
}
