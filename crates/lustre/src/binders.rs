//! Expressions that bind names: quantifiers and choices.
//!
//! A quantifier over finitely many values is written out. One over infinitely many is a variable with any value at each step, where
//! that is the same: `forall` in what must hold, `exists` in what may be assumed.

use crate::codes;
use crate::hir::{Claim, Id, Kind, Site, Unit, UnitId, UnitKind, Variable};
use crate::resolve::Resolver;
use crate::small;
use crate::types::{BOOL, ERROR, INT, Shape, Ty};
use crate::typing::{Named, Scope};
use dashu_int::IBig;
use syntax::Span;
use syntax::lustre::{Binary, Bound, Choice, ExprId, ExprKind, Quantifier, Right};

/// The maximum number of instances of the bodies of all quantifiers of a program.
const MAX_INSTANCES: usize = 20_000;

impl Resolver<'_> {
    /// `forall (x: t; y: u) a`, `exists (x: t; y: u) a`.
    pub(super) fn quantified(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        bounds: &[Bound],
        body: ExprId,
        span: Span,
        polarity: Option<bool>,
    ) -> Id {
        let Some((first, rest)) = bounds.split_first() else {
            scope.polarity = polarity;
            let value = self.expr(scope, body, false);
            self.expect_type(scope.file, value, BOOL, "the body of a quantifier");
            return value;
        };
        let name = first.name.as_ref().map_or("", |it| &it.text);
        let ty = self.ty(scope.file, first.ty);
        if ty == ERROR {
            return self.error(span);
        }
        let values = match self.values_of(ty) {
            Some(values) => Some(values),
            None => self.limited(scope, ty, quantifier, name, (first.condition, body)),
        };
        let Some(values) = values else {
            return self.skolem(scope, quantifier, (first, rest), ty, body, span, polarity);
        };
        self.instances += values.len();
        if self.instances > MAX_INSTANCES {
            let message = "the quantifiers have more instances than the limit".to_owned();
            self.report(scope.file, span, codes::TOO_MANY_PARTS, message, "use smaller ranges");
            return self.error(span);
        }
        let operator = if quantifier == Quantifier::Forall { Binary::And } else { Binary::Or };
        let mut all = Vec::new();
        for value in values {
            let value = self.add(value, self.types.base(ty), span);
            all.push(self.with_name(scope, name, value, |this, scope| {
                this.instance(scope, quantifier, (first, rest), value, ty, body, span, polarity)
            }));
        }
        match all.split_first() {
            Some((first, rest)) => {
                let rest = rest.iter().map(|it| (operator, *it)).collect();
                self.add(Kind::Chain(*first, rest), BOOL, span)
            }
            None => self.add(Kind::Bool(quantifier == Quantifier::Forall), BOOL, span),
        }
    }

    /// The body for one value of the first variable, which is already bound: with what its type and its condition require.
    #[allow(clippy::too_many_arguments)]
    fn instance(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        (first, rest): (&Bound, &[Bound]),
        value: Id,
        ty: Ty,
        body: ExprId,
        span: Span,
        polarity: Option<bool>,
    ) -> Id {
        let mut conditions = Vec::new();
        self.promises(scope, value, ty, &mut conditions);
        if let Some(condition) = first.condition {
            conditions.push(self.truth(scope, condition, "the condition of a quantifier"));
        }
        let depth = scope.path.len();
        scope.path.extend(&conditions);
        let inner = self.quantified(scope, quantifier, rest, body, span, polarity);
        scope.path.truncate(depth);
        conditions.into_iter().rev().fold(inner, |inner, condition| match quantifier {
            Quantifier::Forall => self.add(Kind::Implies(condition, inner), BOOL, span),
            Quantifier::Exists => self.add(Kind::Chain(condition, vec![(Binary::And, inner)]), BOOL, span),
        })
    }

    /// A quantifier over infinitely many values.
    #[allow(clippy::too_many_arguments)]
    fn skolem(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        (first, rest): (&Bound, &[Bound]),
        ty: Ty,
        body: ExprId,
        span: Span,
        polarity: Option<bool>,
    ) -> Id {
        if polarity != Some(quantifier == Quantifier::Forall) {
            let word = if quantifier == Quantifier::Forall { "forall" } else { "exists" };
            let message = format!("`{word}` over infinitely many values is not supported here");
            let hint = "give the variable bounds, such as `0 <= i and i < 10 => …`";
            self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
            return self.error(span);
        }
        let value = self.hidden(scope, self.types.base(ty), span, "a quantifier");
        let name = first.name.as_ref().map_or("", |it| &it.text);
        self.with_name(scope, name, value, |this, scope| {
            this.instance(scope, quantifier, (first, rest), value, ty, body, span, polarity)
        })
    }

    /// All values of a type with few of them.
    fn values_of(&self, ty: Ty) -> Option<Vec<Kind>> {
        match self.types.shape(ty) {
            Shape::Bool => Some(vec![Kind::Bool(false), Kind::Bool(true)]),
            Shape::Enum(which) => {
                let count = self.types.enums[*which as usize].1.len();
                Some((0..small(count)).map(|place| Kind::Literal(*which, place)).collect())
            }
            Shape::Range(Some(low), Some(high)) => between(low, high),
            Shape::Refined(base, _) => self.values_of(*base),
            _ => None,
        }
    }

    /// The integers between the bounds that conditions set: `0 <= i and i < 10 => …`.
    fn limited(
        &mut self,
        scope: &mut Scope,
        ty: Ty,
        quantifier: Quantifier,
        name: &str,
        (condition, body): (Option<ExprId>, ExprId),
    ) -> Option<Vec<Kind>> {
        if self.types.base(ty) != INT {
            return None;
        }
        let (mut low, mut high) = match self.types.shape(ty) {
            Shape::Range(low, high) => (low.clone(), high.clone()),
            _ => (None, None),
        };
        let files = self.files;
        let ast = &files[scope.file].ast;
        let mut open: Vec<ExprId> = condition.into_iter().collect();
        match (quantifier, &ast.expr(body).kind) {
            (Quantifier::Exists, _) => open.push(body),
            (Quantifier::Forall, ExprKind::Right(Right::Implies | Right::LazyImplies, premise, _)) => {
                open.push(*premise);
            }
            (Quantifier::Forall, _) => {}
        }
        while let Some(condition) = open.pop() {
            let ExprKind::Chain(first, rest) = &ast.expr(condition).kind else { continue };
            if rest.iter().all(|it| matches!(it.0, Binary::And | Binary::AndThen)) {
                open.push(*first);
                open.extend(rest.iter().map(|it| it.1));
                continue;
            }
            let [(operator, second)] = rest[..] else { continue };
            let is_name = |id: ExprId| matches!(&ast.expr(id).kind, ExprKind::Name(it) if it == name);
            let (operator, bound) = if is_name(*first) {
                (operator, second)
            } else if is_name(second) {
                (mirrored(operator), *first)
            } else {
                continue;
            };
            // A bound is a number or the name of a constant.
            let bound = match &ast.expr(bound).kind {
                ExprKind::Int(_) | ExprKind::Chain(..) | ExprKind::Name(_) => {
                    let reported = self.diagnostics.len();
                    let bound = self.expr(scope, bound, true);
                    self.diagnostics.truncate(reported);
                    self.int_value(bound)
                }
                _ => None,
            };
            let Some(bound) = bound else { continue };
            let (from, to) = match operator {
                Binary::Less => (None, Some(bound - IBig::ONE)),
                Binary::LessEqual => (None, Some(bound)),
                Binary::Greater => (Some(bound + IBig::ONE), None),
                Binary::GreaterEqual => (Some(bound), None),
                Binary::Equal => (Some(bound.clone()), Some(bound)),
                _ => continue,
            };
            low = low.into_iter().chain(from).max();
            high = high.into_iter().chain(to).min();
        }
        between(&low?, &high?)
    }

    /// `any { x: t | a }`, `choose { x: t | a }`.
    pub(super) fn choice(&mut self, scope: &mut Scope, choice: Choice, bound: &Bound, span: Span) -> Id {
        let ty = self.ty(scope.file, bound.ty);
        if ty == ERROR {
            return self.error(span);
        }
        if choice == Choice::Choose {
            return self.choose(scope, bound, ty, span);
        }
        self.memory(scope, span, "`any`");
        let value = self.hidden(scope, ty, span, "`any`");
        if let (Some(name), Some(condition), Some(unit)) = (&bound.name, bound.condition, scope.unit) {
            let path = std::mem::take(&mut scope.path);
            let condition = self.with_name(scope, &name.text, value, |this, scope| {
                this.truth(scope, condition, "the condition of `any`")
            });
            scope.path = path;
            self.units[unit.0 as usize].asserts.push(condition);
        }
        value
    }

    /// A function of the variables in the condition, of which only the condition is known.
    fn choose(&mut self, scope: &mut Scope, bound: &Bound, ty: Ty, span: Span) -> Id {
        let Some(home) = scope.unit else {
            let message = "`choose` is in a constant".to_owned();
            let hint = "declare a constant without a value";
            self.report(scope.file, span, codes::CONSTANT_NEEDED, message, hint);
            return self.error(span);
        };
        let (line, column) = self.files[scope.file].position(span);
        let own = bound.name.as_ref().map_or("", |it| it.text.as_str());
        // The names between the braces; what else has such a name makes no difference.
        let text = self.files[scope.file].text.get(span.range()).unwrap_or_default();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut names: Vec<String> = words
            .filter(|it| *it != own && matches!(scope.names.get(*it), Some(Named::Var(_))))
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        let values: Vec<Id> = names.iter().map(|name| self.named(scope, name, span)).collect();
        let variable = |name: &str, ty: Ty| Variable {
            name: name.to_owned(),
            ty,
            span,
            constant: false,
            conditions: Vec::new(),
            hidden: false,
            definition: None,
        };
        let mut vars: Vec<Variable> =
            names.iter().zip(&values).map(|(name, value)| variable(name, self.ty_of(*value))).collect();
        let inputs = vars.len();
        vars.push(variable(if own.is_empty() { "value" } else { own }, self.types.base(ty)));
        let name = format!("choose(l{line}c{column})");
        let unit = Unit::new(name, UnitKind::Function, (scope.file, span), vars, inputs);
        let contract = UnitId(small(self.units.len()));
        self.units.push(Unit { kind: UnitKind::Inline, ..unit.clone() });
        let callee = UnitId(small(self.units.len()));
        self.units.push(Unit { imported: true, contract: Some(contract), ..unit });
        let mut inner = Scope { unit: Some(contract), ..Scope::global(scope.file) };
        for place in 0..=inputs {
            let name = self.units[contract.0 as usize].vars[place].name.clone();
            inner.names.insert(name, Named::Var(small(place)));
        }
        let value = self.add(Kind::Var(small(inputs)), self.types.base(ty), span);
        let mut promised = Vec::new();
        self.promises(&mut inner, value, ty, &mut promised);
        if let Some(condition) = bound.condition {
            promised.push(self.truth(&mut inner, condition, "the condition of `choose`"));
        }
        let claim = |value| Claim { name: None, value, guard: None, reach: None, span };
        self.units[contract.0 as usize].guarantees = promised.into_iter().map(claim).collect();
        let arguments = self.list(values, span);
        let sizes = scope.indices.iter().map(|it| it.1).collect();
        let sites = &mut self.units[home.0 as usize].sites;
        let (every, restart, defaults, guard) = (None, None, None, None);
        sites.push(Site { unit: callee, arguments, every, restart, defaults, guard, sizes });
        let place = small(sites.len() - 1);
        self.add(Kind::Call(place), self.types.base(ty), span)
    }
}

/// The integers from one to another, unless there are very many.
fn between(low: &IBig, high: &IBig) -> Option<Vec<Kind>> {
    if low > high {
        return Some(Vec::new());
    }
    let count = usize::try_from(high - low).ok().filter(|it| *it < MAX_INSTANCES)?;
    Some((0..=count).map(|it| Kind::Int(low + IBig::from(it))).collect())
}

/// The operator with its operands exchanged.
fn mirrored(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}
