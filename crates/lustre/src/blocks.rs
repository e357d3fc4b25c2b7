//! Blocks of equations as one expression for each variable: `if … fi`, `when … end`, `cond … end`, `match … end`, and frames.
//!
//! A branch that does not define a variable leaves it as it was in a frame, and leaves it open elsewhere. Conditions are evaluated
//! once per step: all variables of a block share them.

use crate::codes;
use crate::hir::{Definition, Id, Kind, UnitId};
use crate::resolve::Resolver;
use crate::types::ERROR;
use crate::typing::Scope;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use syntax::Span;
use syntax::lustre::{Block, ExprId, Frame, Item, Pattern};

/// The values of variables, with the place of an equation for each.
type Values = BTreeMap<u32, (Id, Span)>;

impl Resolver<'_> {
    /// A block in the body of a unit: branches of `if`, or `match` with equations.
    pub(super) fn block(&mut self, scope: &mut Scope, id: UnitId, block: &Item) {
        let values = self.item_values(scope, id, std::slice::from_ref(block));
        self.define(id, values);
    }

    fn match_values(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        value: ExprId,
        branches: &[(Pattern, Vec<Item>)],
        span: Span,
    ) -> Values {
        let value = self.expr(scope, value, false);
        if self.ty_of(value) == ERROR {
            return Values::new();
        }
        let depth = scope.path.len();
        let (mut found, mut otherwise) = (Vec::new(), Values::new());
        for (pattern, items) in branches {
            let branch = self
                .with_pattern(scope, value, pattern, span, |this, scope| this.item_values(scope, id, items));
            match branch {
                Some((Some(condition), values)) => found.push((condition, values)),
                Some((None, values)) => {
                    // Nothing after it fits.
                    otherwise = values;
                    break;
                }
                None => break,
            }
        }
        scope.path.truncate(depth);
        let rows: Vec<Vec<&Pattern>> = branches.iter().map(|it| vec![&it.0]).collect();
        let ty = self.types.base(self.ty_of(value));
        if otherwise.is_empty() && !found.is_empty() && self.covers(&rows, &[ty], &mut 10_000) {
            // The last branch needs no condition.
            otherwise = found.pop().map(|it| it.1).unwrap_or_default();
        }
        self.merged(scope, id, &found, &otherwise, false, span)
    }

    /// A frame in the body of a unit.
    pub(super) fn frame(&mut self, scope: &mut Scope, id: UnitId, frame: &Frame) {
        let initial = self.item_values(scope, id, &frame.initial);
        let mut kept: FxHashMap<u32, Option<Id>> = FxHashMap::default();
        let mut vars = Vec::new();
        for name in &frame.names {
            let left = syntax::lustre::Left { name: name.clone(), indices: Vec::new() };
            if let Some(var) = self.assignable(scope, id, &left) {
                kept.insert(var, initial.get(&var).map(|it| it.0));
                vars.push((var, name.span));
            }
        }
        if let Some((var, (_, span))) = initial.iter().find(|it| !kept.contains_key(it.0)) {
            let name = self.units[id.0 as usize].vars[*var as usize].name.clone();
            let message = format!("`{name}` has a first value, but the frame does not list it");
            self.report(scope.file, *span, codes::NOT_ASSIGNABLE, message, "add it to the list of the frame");
        }
        let outer = std::mem::replace(&mut scope.frame, kept);
        let mut values = self.item_values(scope, id, &frame.items);
        for (var, span) in vars {
            if !values.contains_key(&var)
                && let Some(kept) = self.kept(scope, id, var, span)
            {
                values.insert(var, (kept, span));
            }
        }
        scope.frame = outer;
        self.define(id, values);
    }

    /// The value that a variable of a frame has where nothing defines it: the one before, and at first its first value.
    pub(super) fn kept(&mut self, scope: &Scope, id: UnitId, var: u32, span: Span) -> Option<Id> {
        let initial = *scope.frame.get(&var)?;
        let ty = self.types.base(self.units[id.0 as usize].vars[var as usize].ty);
        self.memory(scope, span, "a frame");
        let now = self.add(Kind::Var(var), ty, span);
        let before = self.add(Kind::Pre(now, initial.is_some()), ty, span);
        match initial {
            Some(initial) => Some(self.add(Kind::Arrow(initial, before), ty, span)),
            None => {
                let message = "a variable without a first value has any value at the first step".to_owned();
                self.report(
                    scope.file,
                    span,
                    codes::UNGUARDED_PRE,
                    message,
                    "give it a first value in the frame",
                );
                Some(before)
            }
        }
    }

    fn define(&mut self, id: UnitId, values: Values) {
        for (var, (value, _)) in values {
            let definition = Definition { value, offset: 0, sizes: Vec::new() };
            self.units[id.0 as usize].vars[var as usize].definition = Some(definition);
        }
    }

    /// The values that items define.
    fn item_values(&mut self, scope: &mut Scope, id: UnitId, items: &[Item]) -> Values {
        let mut values = Values::new();
        for item in items {
            let found = match item {
                Item::Equation(left, value, span) => self.equation_values(scope, id, left, *value, *span),
                Item::Block(block) => self.block_values(scope, id, block),
                Item::Match(value, branches, span) => self.match_values(scope, id, *value, branches, *span),
                Item::Assert(_, span) => {
                    self.misplaced(scope, *span);
                    continue;
                }
                Item::Property(claim, _) | Item::Reachable(claim, _) => {
                    self.misplaced(scope, claim.span);
                    continue;
                }
                Item::Frame(frame) => {
                    let span = frame.names.first().map_or(Span::new(0, 0), |it| it.span);
                    self.misplaced(scope, span);
                    continue;
                }
                Item::Main | Item::Auto | Item::Realizable(_) => continue,
            };
            for (var, (value, span)) in found {
                if values.insert(var, (value, span)).is_some() {
                    let name = self.units[id.0 as usize].vars[var as usize].name.clone();
                    let message = format!("`{name}` is defined twice");
                    self.report(
                        scope.file,
                        span,
                        codes::DEFINED_TWICE,
                        message,
                        "remove one of the equations",
                    );
                }
            }
        }
        values
    }

    fn misplaced(&mut self, scope: &Scope, span: Span) {
        let message = "a block contains only equations and blocks".to_owned();
        let hint = "write it outside the block";
        self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
    }

    /// The values that an equation defines.
    fn equation_values(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        left: &[syntax::lustre::Left],
        value: syntax::lustre::ExprId,
        span: Span,
    ) -> Values {
        if let Some(it) = left.iter().find(|it| !it.indices.is_empty()) {
            let message = "a block contains an equation for elements".to_owned();
            let hint = "write the array as one value";
            self.report(scope.file, it.name.span, syntax::codes::NOT_SUPPORTED, message, hint);
            return Values::new();
        }
        let (vars, value) = self.whole_equation(scope, id, left, value, span);
        let mut values = Values::new();
        let mut offset = 0;
        for (var, ty) in vars {
            if let Some(var) = var {
                let part = self.part(value, offset, self.types.base(ty), span);
                values.insert(var, (part, span));
            }
            offset = u32::saturating_add(offset, self.types.leaf_count(ty));
        }
        values
    }

    fn block_values(&mut self, scope: &mut Scope, id: UnitId, block: &Block) -> Values {
        let mut branches = Vec::new();
        for (condition, items) in &block.branches {
            let condition = self.truth(scope, *condition, "the condition of a block");
            scope.path.extend((!block.partial).then_some(condition));
            let values = self.item_values(scope, id, items);
            if !block.partial {
                scope.path.pop();
                let not = self.negated(condition);
                scope.path.push(not);
            }
            branches.push((condition, values));
        }
        let otherwise = self.item_values(scope, id, &block.otherwise);
        if !block.partial {
            scope.path.truncate(scope.path.len() - block.branches.len());
        }
        self.merged(scope, id, &branches, &otherwise, block.partial, block.span)
    }

    /// For each variable that a branch defines, the choice among its values.
    fn merged(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        branches: &[(Id, Values)],
        otherwise: &Values,
        partial: bool,
        span: Span,
    ) -> Values {
        let vars: std::collections::BTreeSet<u32> =
            branches.iter().map(|it| &it.1).chain([otherwise]).flat_map(|it| it.keys().copied()).collect();
        let mut all = Values::new();
        for var in vars {
            let ty = self.types.base(self.units[id.0 as usize].vars[var as usize].ty);
            let mut missing: Option<Id> = None;
            let mut value_in = |this: &mut Self, scope: &mut Scope, values: &Values| match values.get(&var) {
                Some((value, _)) => *value,
                None => *missing.get_or_insert_with(|| this.undefined_here(scope, id, var, partial, span)),
            };
            let mut value = value_in(self, scope, otherwise);
            for (condition, values) in branches.iter().rev() {
                let then = value_in(self, scope, values);
                value = self.add(Kind::If(*condition, then, value), ty, span);
            }
            all.insert(var, (value, span));
        }
        all
    }

    /// The value of a variable in a branch that does not define it.
    fn undefined_here(&mut self, scope: &mut Scope, id: UnitId, var: u32, partial: bool, span: Span) -> Id {
        if let Some(kept) = self.kept(scope, id, var, span) {
            return kept;
        }
        let variable = &self.units[id.0 as usize].vars[var as usize];
        let (name, ty) = (variable.name.clone(), variable.ty);
        if !partial {
            let message = format!("`{name}` is not defined in every branch");
            let hint = "define it in each branch, or put the block into a frame";
            self.report(scope.file, span, codes::BAD_ELEMENT, message, hint);
            return self.error(span);
        }
        self.hidden(scope, self.types.base(ty), span, "a block")
    }
}
