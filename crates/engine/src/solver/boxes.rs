//! Conditions that cannot hold together, shown by branch and bound over boxes of values, for nonlinear arithmetic.
//!
//! A box has a range for each variable. All expressions are evaluated on the whole box at once (`affine`): if some condition fails
//! everywhere in the box, the box is done; otherwise it is split, at a constant that the variable is compared with or in the middle.
//! The search goes down first, so a place where the conditions do hold, or are too close to call, ends it quickly. All bounds are
//! rounded outwards, so the answer does not depend on rounding.

mod affine;

use crate::evidence::bounds::Bounds;
use crate::solver::choices;
use crate::solver::context::Stop;
use affine::{Number, SIDES};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use system::places::{Union, number};
use system::{Expr, Function, Node, Pool, System, Type, Value, Var};

/// The number of nodes evaluated for one question, and for one that other solvers are good at.
const FUEL: usize = 300_000_000;
const LITTLE: usize = 100_000;
/// The number of splits on the way to a box.
const DEEP: usize = 80;
/// The number of boxes whose middle is tried, and how often that of others is.
const TRIED: usize = 200;
const RARELY: usize = 16;
/// The number of Boolean variables.
const BOOLEANS: usize = 10;

/// What the search found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Searched {
    /// The conditions cannot hold together.
    Impossible,
    /// The conditions may hold here; variables that do not matter are left out.
    Maybe(Vec<(Var, Value)>),
    /// Not decided, or not a question for boxes.
    Unknown,
}

/// Searches for values that satisfy all assumptions of a system without states. The last assumption decides where boxes are split.
pub(crate) fn search(system: &System, stop: Stop<'_>) -> Searched {
    let mut system = system.clone();
    system.assumptions = choices::pruned(&mut system.pool, &system.assumptions);
    let system = &system;
    let parts = parts(system);
    let mut answer = Searched::Unknown;
    for part in parts.iter().rev() {
        let Some(mut search) = Search::new(system, part) else { continue };
        match search.run(stop) {
            Searched::Impossible => return Searched::Impossible,
            Searched::Maybe(place) if parts.len() == 1 => answer = Searched::Maybe(place),
            Searched::Maybe(_) | Searched::Unknown => {}
        }
    }
    answer
}

/// The conditions of a system in groups that have no variables in common.
fn parts(system: &System) -> Vec<Vec<Expr>> {
    let mut union = Union::new(system.variables.len());
    let mut placed = Vec::new();
    for condition in conjuncts(&system.pool, &system.assumptions) {
        let variables = system.pool.variables([condition]);
        let Some(first) = variables.first() else { continue };
        variables.iter().for_each(|it| union.join(first.index(), it.index()));
        placed.push((first.index(), condition));
    }
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut parts: Vec<Vec<Expr>> = Vec::new();
    for (variable, condition) in placed {
        let place = *places.entry(union.find(variable)).or_insert(parts.len());
        if place == parts.len() {
            parts.push(Vec::new());
        }
        parts[place].push(condition);
    }
    parts
}

fn conjuncts(pool: &Pool, conditions: &[Expr]) -> Vec<Expr> {
    let mut found = Vec::new();
    for condition in conditions {
        match pool.node(*condition) {
            Node::And(operands) => found.extend(operands.iter().copied()),
            _ => found.push(*condition),
        }
    }
    found
}

/// Whether a solver for linear arithmetic is not enough.
pub(crate) fn is_hard(pool: &Pool, conditions: &[Expr]) -> bool {
    let varies = |it: Expr| !pool.node(it).is_constant();
    pool.reachable(conditions.iter().copied()).into_iter().any(|expr| match pool.node(expr) {
        Node::Mul(a, b) => varies(*a) && varies(*b) && pool.type_of(expr) == Type::Real,
        Node::Div(_, b) => varies(*b),
        Node::Apply(function, _) => !matches!(function, Function::Declared(_) | Function::Single),
        _ => false,
    })
}

/// The values of an expression in a box.
#[derive(Clone, PartialEq, Debug)]
enum Values {
    Truth(Option<bool>),
    /// A number, or the index of a literal.
    Number(Number),
    Unknown,
}

struct Search<'a> {
    system: &'a System,
    /// Everything below the conditions, children first.
    order: Vec<Expr>,
    /// The place of each expression in the order.
    place: FxHashMap<Expr, usize>,
    conditions: Vec<Expr>,
    /// What decides where boxes are split: comparisons of numbers below the last condition.
    deciding: Vec<(Expr, Expr)>,
    variables: Vec<Var>,
    side: FxHashMap<Var, usize>,
    /// The constants that each variable is compared with.
    edges: Vec<Vec<f64>>,
    /// What the conditions say about expressions directly, at their places; and these conditions.
    stated: FxHashMap<usize, Bounds>,
    stating: FxHashSet<Expr>,
    /// The values of these expressions without it.
    plain: FxHashMap<usize, Number>,
    values: Vec<Values>,
    fuel: usize,
}

/// A range for each variable; a Boolean is from 0 to 1.
type Place = Vec<Bounds>;

impl<'a> Search<'a> {
    fn new(system: &'a System, conditions: &[Expr]) -> Option<Search<'a>> {
        let pool = &system.pool;
        let order = pool.reachable(conditions.iter().copied());
        let variables = pool.variables(conditions.iter().copied());
        let ty = |var: &Var| system.variables[var.index()].ty;
        let booleans = variables.iter().filter(|it| ty(it) == Type::Bool).count();
        if booleans > BOOLEANS || variables.iter().any(|it| matches!(ty(it), Type::Machine(_))) {
            return None;
        }
        let side: FxHashMap<Var, usize> =
            variables.iter().enumerate().map(|(place, var)| (*var, place)).collect();
        let mut edges = vec![Vec::new(); variables.len()];
        for expr in &order {
            let (Node::Lt(a, b) | Node::Le(a, b) | Node::Eq(a, b)) = pool.node(*expr) else { continue };
            for (one, other) in [(a, b), (b, a)] {
                if let (Node::Var(var), Some(number)) = (pool.node(*one), number(pool, *other)) {
                    // Next to a constant that is not a double, so that one side is decided.
                    let Bounds { low, high } = Bounds::around(&number);
                    edges[side[var]].extend([low, high]);
                }
            }
        }
        let deciding = pool.reachable(conditions.last().copied());
        // Where a variable is compared with a constant, ranges are split there anyway.
        let simple = |a: Expr, b: Expr| matches!(pool.node(a), Node::Var(_)) && number(pool, b).is_some();
        let deciding = deciding.into_iter().filter_map(|it| match *pool.node(it) {
            Node::Lt(a, b) | Node::Le(a, b) | Node::Eq(a, b) => {
                (!simple(a, b) && !simple(b, a)).then_some((a, b))
            }
            _ => None,
        });
        let place: FxHashMap<Expr, usize> =
            order.iter().enumerate().map(|(place, expr)| (*expr, place)).collect();
        let mut stated: FxHashMap<usize, Bounds> = FxHashMap::default();
        let mut stating = FxHashSet::default();
        for condition in conditions {
            let Some((expr, bounds)) = bound(pool, *condition) else { continue };
            let known = stated.entry(place[&expr]).or_insert(Bounds::ALL);
            *known = known.meet(bounds);
            stating.insert(*condition);
        }
        Some(Search {
            system,
            place,
            stated,
            stating,
            plain: FxHashMap::default(),
            values: vec![Values::Unknown; order.len()],
            conditions: conditions.to_vec(),
            deciding: deciding.collect(),
            order,
            variables,
            side,
            edges,
            fuel: if is_hard(pool, conditions) { FUEL } else { LITTLE },
        })
    }

    fn run(&mut self, stop: Stop<'_>) -> Searched {
        let mut open: Vec<(Place, usize)> = vec![(self.whole(), 0)];
        let mut count: usize = 0;
        while let Some((place, depth)) = open.pop() {
            count += 1;
            if stop() {
                return Searched::Unknown;
            }
            match self.truth_in(&place) {
                Some(false) => continue,
                Some(true) => return Searched::Maybe(self.middle(&place)),
                None if self.fuel == 0 => return Searched::Unknown,
                None => {}
            }
            let splits = self.split(&place).filter(|_| depth < DEEP);
            let Some((side, at)) = splits else { return Searched::Maybe(self.middle(&place)) };
            // A place inside may satisfy the conditions although the box as a whole is undecided.
            if count < TRIED || count.is_multiple_of(RARELY) {
                let point: Place = self.point(&place);
                if self.truth_in(&point) == Some(true) {
                    return Searched::Maybe(self.middle(&point));
                }
            }
            let (mut low, mut high) = (place.clone(), place);
            low[side].high = at;
            high[side].low = if self.is_whole(side) { at + 1.0 } else { at };
            open.extend([(low, depth + 1), (high, depth + 1)]);
        }
        Searched::Impossible
    }

    /// Whether all conditions hold everywhere in a box, or one holds nowhere.
    fn truth_in(&mut self, place: &Place) -> Option<bool> {
        self.fuel = self.fuel.saturating_sub(self.order.len());
        self.evaluate(place);
        let truths: Vec<Option<bool>> = self.conditions.iter().map(|it| self.truth(*it)).collect();
        match truths.contains(&Some(false)) {
            true => Some(false),
            false => truths.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
        }
    }

    /// The box of all values that the simplest conditions allow.
    fn whole(&self) -> Place {
        let side = |var: &Var| {
            let range = self.range(*var);
            let place = self.order.iter().position(|it| *self.system.pool.node(*it) == Node::Var(*var));
            place.and_then(|it| self.stated.get(&it)).map_or(range, |it| range.meet(*it))
        };
        self.variables.iter().map(side).collect()
    }

    fn range(&self, var: Var) -> Bounds {
        match self.system.variables[var.index()].ty {
            Type::Bool => Bounds { low: 0.0, high: 1.0 },
            Type::Enum(id) => {
                let last = self.system.pool.enumeration(id).literals.len().saturating_sub(1);
                Bounds { low: 0.0, high: last as f64 }
            }
            Type::Int | Type::Real | Type::Machine(_) => Bounds::ALL,
        }
    }

    /// Whether a variable has only whole values.
    fn is_whole(&self, side: usize) -> bool {
        self.system.variables[self.variables[side].index()].ty != Type::Real
    }

    fn value(&self, expr: Expr) -> &Values {
        self.place.get(&expr).map_or(&Values::Unknown, |place| &self.values[*place])
    }

    fn number(&self, expr: Expr) -> Number {
        match self.value(expr) {
            Values::Number(number) => number.clone(),
            Values::Truth(_) | Values::Unknown => Number::any(),
        }
    }

    fn truth(&self, expr: Expr) -> Option<bool> {
        match self.value(expr) {
            Values::Truth(truth) => *truth,
            Values::Number(_) | Values::Unknown => None,
        }
    }

    fn evaluate(&mut self, place: &Place) {
        for index in 0..self.order.len() {
            let mut values = self.evaluated(self.order[index], place);
            if let (Some(bounds), Values::Number(number)) = (self.stated.get(&index), &mut values) {
                // Where this is wrong, the condition that states it fails.
                let met = number.meet(*bounds, self.sides());
                self.plain.insert(index, std::mem::replace(number, met));
            }
            self.values[index] = values;
        }
    }

    fn sides(&self) -> usize {
        self.variables.len().min(SIDES)
    }

    fn evaluated(&self, expr: Expr, place: &Place) -> Values {
        let pool = &self.system.pool;
        let sides = self.sides();
        match pool.node(expr) {
            Node::Bool(value) => Values::Truth(Some(*value)),
            Node::Literal(_, index) => {
                let index = f64::from(*index);
                Values::Number(Number::within(Bounds { low: index, high: index }, sides))
            }
            Node::Var(var) => {
                let side = self.side[var];
                match self.system.variables[var.index()].ty {
                    Type::Bool => Values::Truth(match place[side] {
                        Bounds { low: 1.0, .. } => Some(true),
                        Bounds { high: 0.0, .. } => Some(false),
                        Bounds { .. } => None,
                    }),
                    _ => Values::Number(Number::side(place[side], side, sides)),
                }
            }
            Node::Not(a) => Values::Truth(self.truth(*a).map(|it| !it)),
            Node::And(operands) => Values::Truth(self.all(operands, true)),
            Node::Or(operands) => Values::Truth(self.all(operands, false).map(|it| !it)),
            Node::Eq(a, b) if pool.type_of(*a) == Type::Bool => {
                Values::Truth(self.truth(*a).zip(self.truth(*b)).map(|(a, b)| a == b))
            }
            Node::Eq(a, b) => {
                let (Bounds { low, high }, is_point) = self.compared(expr, *a, *b);
                Values::Truth(match () {
                    () if is_point && low == 0.0 => Some(true),
                    () if low > 0.0 || high < 0.0 => Some(false),
                    () => None,
                })
            }
            Node::Lt(a, b) => {
                let (Bounds { low, high }, _) = self.compared(expr, *a, *b);
                Values::Truth(if high < 0.0 { Some(true) } else { (low >= 0.0).then_some(false) })
            }
            Node::Le(a, b) => {
                let (Bounds { low, high }, _) = self.compared(expr, *a, *b);
                Values::Truth(if high <= 0.0 { Some(true) } else { (low > 0.0).then_some(false) })
            }
            Node::Ite(c, a, b) => match self.truth(*c) {
                Some(true) => self.value(*a).clone(),
                Some(false) => self.value(*b).clone(),
                None => match (self.value(*a), self.value(*b)) {
                    (Values::Truth(a), Values::Truth(b)) => Values::Truth(if a == b { *a } else { None }),
                    (Values::Number(_), Values::Number(_)) => {
                        Values::Number(self.under(*c, true, *a).join(&self.under(*c, false, *b)))
                    }
                    (_, _) => Values::Unknown,
                },
            },
            _ if !matches!(pool.type_of(expr), Type::Int | Type::Real) => Values::Unknown,
            Node::Neg(a) => Values::Number(self.number(*a).negated()),
            Node::Add(a, b) => Values::Number(self.number(*a).plus(&self.number(*b))),
            Node::Mul(a, b) => Values::Number(self.number(*a).times(&self.number(*b))),
            Node::Div(a, b) => Values::Number(self.number(*a).over(&self.number(*b))),
            Node::Cast(Type::Real, a) if pool.type_of(*a) == Type::Int => self.value(*a).clone(),
            Node::Cast(Type::Int, a) if pool.type_of(*a) == Type::Real => {
                let Bounds { low, high } = self.number(*a).bounds;
                Values::Number(Number::within(Bounds { low: low.floor(), high: high.floor() }, sides))
            }
            Node::Apply(Function::Single, arguments) => self.value(arguments[0]).clone(),
            Node::Apply(function, arguments) => {
                let bounds: Vec<Bounds> = arguments.iter().map(|it| self.number(*it).bounds).collect();
                Values::Number(
                    Bounds::apply(*function, &bounds)
                        .map_or_else(Number::any, |bounds| Number::within(bounds, sides)),
                )
            }
            _ => Values::Number(
                number(pool, expr).map_or_else(Number::any, |number| Number::constant(&number, sides)),
            ),
        }
    }

    /// Whether all operands have a truth value, or one has the opposite.
    fn all(&self, operands: &[Expr], truth: bool) -> Option<bool> {
        let mut known = true;
        for operand in operands {
            match self.truth(*operand) {
                Some(it) if it != truth => return Some(false),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(true)
    }

    /// The bounds of a difference, and whether both sides are single numbers, so that its sign is exact.
    fn compared(&self, condition: Expr, a: Expr, b: Expr) -> (Bounds, bool) {
        let side = |expr: Expr| {
            let plain = self.plain.get(&self.place[&expr]).filter(|_| self.stating.contains(&condition));
            match (plain, self.value(expr)) {
                (Some(number), _) | (None, Values::Number(number)) => Some(number),
                (None, Values::Truth(_) | Values::Unknown) => None,
            }
        };
        let (Some(a), Some(b)) = (side(a), side(b)) else { return (Bounds::ALL, false) };
        // Rounding moves the difference of equal bounds away from zero, but not the order of the bounds.
        let least = |x: f64, y: f64| match x.partial_cmp(&y) {
            Some(Ordering::Greater) => f64::MIN_POSITIVE,
            Some(Ordering::Equal) => 0.0,
            Some(Ordering::Less) | None => f64::NEG_INFINITY,
        };
        let mut bounds = a.plus(&b.negated()).bounds;
        // No number lies between zero and the smallest one that is positive, as far as signs are concerned.
        bounds.low = bounds.low.max(least(a.bounds.low, b.bounds.high));
        bounds.high = bounds.high.min(-least(b.bounds.low, a.bounds.high));
        (bounds, bounds.low == bounds.high)
    }

    /// A branch of a choice: if the condition compares the branch itself, that bounds it.
    fn under(&self, condition: Expr, holds: bool, mut branch: Expr) -> Number {
        let number = self.number(branch);
        let pool = &self.system.pool;
        while let Node::Ite(c, a, b) = pool.node(branch)
            && let Some(first) = self.truth(*c)
        {
            branch = if first { *a } else { *b };
        }
        let (condition, holds) = match pool.node(condition) {
            Node::Not(inner) => (*inner, !holds),
            _ => (condition, holds),
        };
        let (Node::Lt(a, b) | Node::Le(a, b)) = pool.node(condition) else { return number };
        let (small, large) = if holds { (*a, *b) } else { (*b, *a) };
        let bounds = |expr: Expr| self.number(expr).bounds;
        if branch == small {
            number.meet(Bounds { low: f64::NEG_INFINITY, high: bounds(large).high }, self.sides())
        } else if branch == large {
            number.meet(Bounds { low: bounds(small).low, high: f64::INFINITY }, self.sides())
        } else {
            number
        }
    }

    /// The side to split, and where.
    fn split(&self, place: &Place) -> Option<(usize, f64)> {
        let open = |side: &usize| {
            let Bounds { low, high } = place[*side];
            if self.is_whole(*side) {
                low < high
            } else {
                low < high && self.between(place[*side], *side) != low
            }
        };
        let sides: Vec<usize> = (0..place.len()).filter(open).collect();
        let ty = |side: &usize| self.system.variables[self.variables[*side].index()].ty;
        let infinite = |side: &usize| (place[*side].high - place[*side].low).is_infinite();
        let (votes, unbounded) = self.votes(place.len());
        let first = sides
            .iter()
            .find(|it| ty(it) == Type::Bool)
            .or_else(|| sides.iter().find(|it| infinite(it) && self.edge(place[**it], **it).is_some()))
            .or_else(|| sides.iter().find(|it| unbounded && infinite(it)));
        let side = match first {
            Some(side) => *side,
            None => {
                let weight = |side: &usize| (votes[*side], place[*side].high - place[*side].low);
                let order =
                    |a: &usize, b: &usize| weight(a).partial_cmp(&weight(b)).unwrap_or(Ordering::Equal);
                sides.into_iter().filter(|it| !infinite(it)).max_by(order)?
            }
        };
        Some((side, self.between(place[side], side)))
    }

    /// How much each side makes undecided comparisons undecided; and whether one of them has no bound at all.
    fn votes(&self, count: usize) -> (Vec<f64>, bool) {
        let mut votes = vec![0.0; count];
        let mut unbounded = false;
        for (a, b) in &self.deciding {
            let (Values::Number(a), Values::Number(b)) = (self.value(*a), self.value(*b)) else { continue };
            let difference = a.plus(&b.negated());
            let Bounds { low, high } = difference.bounds;
            if low > 0.0 || high < 0.0 {
                continue;
            }
            unbounded |= (high - low).is_infinite();
            let sum: f64 = difference.slopes().iter().map(|it| it.abs()).sum();
            for (vote, slope) in votes.iter_mut().zip(difference.slopes()).filter(|_| sum > 0.0) {
                *vote += slope.abs() / sum;
            }
        }
        (votes, unbounded)
    }

    /// A constant inside a range that the variable is compared with.
    fn edge(&self, Bounds { low, high }: Bounds, side: usize) -> Option<f64> {
        self.edges[side].iter().copied().find(|it| low < *it && *it < high)
    }

    /// Where to split a range: at a constant if one is inside, otherwise in the middle.
    fn between(&self, bounds: Bounds, side: usize) -> f64 {
        let Bounds { low, high } = bounds;
        let at = match self.edge(bounds, side) {
            Some(edge) => edge,
            None if low.is_infinite() && high.is_infinite() => 0.0,
            None if low.is_infinite() => (high * 2.0).min(-1.0).min(high),
            None if high.is_infinite() => (low * 2.0).max(1.0).max(low),
            None => f64::midpoint(low, high),
        };
        if self.is_whole(side) { at.floor().clamp(low, (high - 1.0).max(low)) } else { at.clamp(low, high) }
    }

    /// The middle of a box.
    fn point(&self, place: &Place) -> Place {
        let point = |(side, bounds): (usize, &Bounds)| {
            let at = if self.is_whole(side) { middle(*bounds).floor() } else { middle(*bounds) };
            Bounds { low: at, high: at }
        };
        place.iter().enumerate().map(point).collect()
    }

    /// The middle of a box as values of the variables.
    fn middle(&self, place: &Place) -> Vec<(Var, Value)> {
        let value = |(var, bounds): (&Var, &Bounds)| {
            let middle = bounds.low;
            let whole = || dashu_int::IBig::try_from(middle).ok();
            Some(match self.system.variables[var.index()].ty {
                Type::Bool => Value::Bool(middle >= 1.0),
                Type::Int => Value::Int(whole()?),
                Type::Real => Value::Real(dashu_ratio::RBig::try_from(middle).ok()?),
                Type::Enum(_) => Value::Enum(u32::try_from(whole()?).ok()?),
                Type::Machine(_) => return None,
            })
            .map(|value| (*var, value))
        };
        self.variables.iter().zip(&self.point(place)).filter_map(value).collect()
    }
}

/// What a condition says about an expression directly.
fn bound(pool: &Pool, condition: Expr) -> Option<(Expr, Bounds)> {
    let (Node::Lt(a, b) | Node::Le(a, b)) = pool.node(condition) else { return None };
    match (number(pool, *a), number(pool, *b)) {
        (None, Some(most)) => Some((*a, Bounds { low: f64::NEG_INFINITY, high: Bounds::around(&most).high })),
        (Some(least), None) => Some((*b, Bounds { low: Bounds::around(&least).low, high: f64::INFINITY })),
        (_, _) => None,
    }
}

/// A finite number within bounds, if possible the middle.
fn middle(Bounds { low, high }: Bounds) -> f64 {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => f64::midpoint(low, high),
        (true, false) => low,
        (false, true) => high,
        (false, false) => 0.0,
    }
}
