//! Bounds of integers that hold at every step, by interval arithmetic starting from the initial values.
//!
//! Each branch of a choice is computed under its condition, so a counter that stops has bounds. Bounds that keep growing jump to the
//! next constant of the model, then to infinity. The bounds of the states are an inductive invariant; certificates contain them.

use dashu_int::IBig;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use system::{Expr, Node, Pool, System, Type, Var};

/// From `low` to `high`; `None` is unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Range {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
}

/// The bounds of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    of: FxHashMap<Var, Range>,
}

/// The rounds before bounds jump, and in total.
const EXACT: usize = 3;
const ROUNDS: usize = 200;
/// The depth to which conditions are taken into account.
const NESTED: usize = 4;
/// The number of nodes visited for one bound with conditions taken into account; beyond it they are ignored.
const FUEL: usize = 20_000;
/// The depth to which choices are simplified.
const DEEP: usize = 12;
/// Larger numbers are treated as unbounded.
const LARGE: u128 = 1 << 60;

impl Range {
    fn new(low: Option<i128>, high: Option<i128>) -> Range {
        let small = |it: &i128| it.unsigned_abs() < LARGE;
        Range { low: low.filter(small), high: high.filter(small) }
    }

    fn point(value: &IBig) -> Range {
        let value = i128::try_from(value).ok();
        Range::new(value, value)
    }

    /// Both bounds.
    pub(crate) fn both(self) -> Option<(i128, i128)> {
        Some((self.low?, self.high?))
    }

    fn join(self, other: Range) -> Range {
        let low = self.low.zip(other.low).map(|(a, b)| a.min(b));
        Range { low, high: self.high.zip(other.high).map(|(a, b)| a.max(b)) }
    }

    /// The intersection; if it is empty, either will do.
    fn meet(self, other: Range) -> Range {
        let low = self.low.into_iter().chain(other.low).max();
        Range { low, high: self.high.into_iter().chain(other.high).min() }
    }
}

impl Ranges {
    /// The bounds of all integer states and inputs.
    pub(crate) fn new(system: &System) -> Ranges {
        let pool = &system.pool;
        let mut ranges = Ranges::default();
        let mut given: FxHashMap<Expr, Range> = FxHashMap::default();
        for assumption in &system.assumptions {
            narrow(pool, *assumption, true, &mut given);
        }
        let mut at_first = given.clone();
        for initial in &system.initial {
            narrow(pool, *initial, true, &mut at_first);
        }
        let mut thresholds: Vec<i128> = vec![0];
        for expr in
            pool.reachable(system.state.iter().map(|it| it.next).chain(system.assumptions.iter().copied()))
        {
            if let Node::Int(value) = pool.node(expr)
                && let Some(value) = Range::point(value).low
            {
                thresholds.extend([value - 1, value, value + 1]);
            }
        }
        thresholds.sort_unstable();
        let exprs = crate::solver::context::variables(system);
        let stated = |var: Var, given: &FxHashMap<Expr, Range>| {
            exprs[var.index()].and_then(|it| given.get(&it)).copied().unwrap_or_default()
        };
        let whole = |var: &Var| system.variables[var.index()].ty == Type::Int;
        for var in system.inputs.iter().filter(|it| whole(it)) {
            ranges.of.insert(*var, stated(*var, &given));
        }
        let states: Vec<_> = system.state.iter().filter(|it| whole(&it.var)).collect();
        for state in &states {
            let range = match state.init {
                Some(init) => ranges.range(pool, init, &given),
                None => stated(state.var, &at_first),
            };
            ranges.of.insert(state.var, range);
        }
        for round in 0..ROUNDS {
            let mut stable = true;
            let next: Vec<Range> = states.iter().map(|it| ranges.range(pool, it.next, &given)).collect();
            for (state, next) in states.iter().zip(next) {
                let old = ranges.of[&state.var];
                let mut new = old.join(next);
                if round >= EXACT {
                    let lower = |it: i128| thresholds.iter().rev().find(|at| **at <= it).copied();
                    let upper = |it: i128| thresholds.iter().find(|at| **at >= it).copied();
                    if new.low != old.low {
                        new.low = new.low.and_then(lower);
                    }
                    if new.high != old.high {
                        new.high = new.high.and_then(upper);
                    }
                }
                stable &= new == old;
                ranges.of.insert(state.var, new);
            }
            if stable {
                return ranges;
            }
        }
        for state in &states {
            ranges.of.insert(state.var, Range::default());
        }
        ranges
    }

    /// The bounds of a variable.
    pub(crate) fn of(&self, var: Var) -> Range {
        self.of.get(&var).copied().unwrap_or_default()
    }

    /// The bounds of an expression, given the known bounds of others.
    pub(crate) fn range(&self, pool: &Pool, expr: Expr, known: &FxHashMap<Expr, Range>) -> Range {
        self.under(pool, expr, known, 0, &Cell::new(FUEL))
    }

    fn under(
        &self,
        pool: &Pool,
        expr: Expr,
        known: &FxHashMap<Expr, Range>,
        depth: usize,
        fuel: &Cell<usize>,
    ) -> Range {
        let mut found: FxHashMap<Expr, Range> = FxHashMap::default();
        let mut open = vec![(expr, false)];
        while let Some((expr, ready)) = open.pop() {
            if found.contains_key(&expr) {
                continue;
            }
            let node = pool.node(expr);
            fuel.set(fuel.get().saturating_sub(1));
            let below = matches!(node, Node::Neg(_) | Node::Add(..) | Node::Mul(..) | Node::Ite(..))
                && pool.type_of(expr) == Type::Int;
            if below && !ready {
                open.push((expr, true));
                open.extend(
                    node.children().filter(|it| pool.type_of(*it) == Type::Int).map(|it| (it, false)),
                );
                continue;
            }
            let get = |it: &Expr| found.get(it).copied().unwrap_or_default();
            let range = match node {
                Node::Int(value) => Range::point(value),
                Node::Var(var) => self.of(*var),
                Node::Neg(a) => {
                    let a = get(a);
                    Range::new(a.high.map(|it| -it), a.low.map(|it| -it))
                }
                Node::Add(a, b) => {
                    let (a, b) = (get(a), get(b));
                    Range::new(a.low.zip(b.low).map(|(x, y)| x + y), a.high.zip(b.high).map(|(x, y)| x + y))
                }
                Node::Mul(a, b) => match (get(a).both(), get(b).both()) {
                    (Some((a, b)), Some((c, d))) => {
                        let products =
                            [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                        let all: Option<Vec<i128>> = products.into_iter().collect();
                        all.map_or(Range::default(), |it| {
                            Range::new(it.iter().min().copied(), it.iter().max().copied())
                        })
                    }
                    (_, _) => Range::default(),
                },
                Node::Mod(_, b) => match pool.node(*b) {
                    Node::Int(value) => match Range::point(value).low {
                        Some(value) if value != 0 => Range::new(Some(0), Some(value.abs() - 1)),
                        _ => Range::default(),
                    },
                    _ => Range::default(),
                },
                Node::Cast(Type::Int, a) => match pool.type_of(*a) {
                    Type::Machine(width) => Range::new(Some(width.least()), Some(width.greatest())),
                    _ => Range::default(),
                },
                Node::Ite(c, a, b) if depth < NESTED && fuel.get() > 0 => {
                    match self.decided(pool, *c, known, depth + 1, fuel) {
                        Some(true) => {
                            found.insert(expr, self.under(pool, *a, known, depth + 1, fuel));
                            continue;
                        }
                        Some(false) => {
                            found.insert(expr, self.under(pool, *b, known, depth + 1, fuel));
                            continue;
                        }
                        None => {}
                    }
                    let branch = |holds: bool, it: &Expr| {
                        let mut known = known.clone();
                        narrow(pool, *c, holds, &mut known);
                        self.under(pool, *it, &known, depth + 1, fuel)
                    };
                    branch(true, a).join(branch(false, b))
                }
                Node::Ite(_, a, b) => get(a).join(get(b)),
                _ => Range::default(),
            };
            let range = known.get(&expr).map_or(range, |it| it.meet(range));
            found.insert(expr, range);
        }
        found.get(&expr).copied().unwrap_or_default()
    }

    /// Whether a comparison is decided by bounds.
    fn decided(
        &self,
        pool: &Pool,
        condition: Expr,
        known: &FxHashMap<Expr, Range>,
        depth: usize,
        fuel: &Cell<usize>,
    ) -> Option<bool> {
        match pool.node(condition) {
            Node::Not(inner) => self.decided(pool, *inner, known, depth, fuel).map(|it| !it),
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) if pool.type_of(*a) == Type::Int => {
                let (x, y) =
                    (self.under(pool, *a, known, depth, fuel), self.under(pool, *b, known, depth, fuel));
                let below = |x: Range, y: Range| x.high.zip(y.low).map_or(i128::MAX, |(x, y)| x - y);
                match pool.node(condition) {
                    Node::Eq(..) if below(x, y) < 0 || below(y, x) < 0 => Some(false),
                    Node::Eq(..) => (x.both()? == y.both()? && x.low == x.high).then_some(true),
                    Node::Lt(..) if below(x, y) < 0 => Some(true),
                    Node::Lt(..) => (below(y, x) <= 0).then_some(false),
                    _ if below(x, y) <= 0 => Some(true),
                    _ => (below(y, x) < 0).then_some(false),
                }
            }
            _ => None,
        }
    }

    /// An equivalent expression without the choices that bounds decide, assuming `known`.
    pub(crate) fn tidied(
        &self,
        pool: &mut Pool,
        expr: Expr,
        known: &FxHashMap<Expr, Range>,
        depth: usize,
        fuel: &Cell<usize>,
    ) -> Expr {
        if depth > DEEP || fuel.get() == 0 || pool.node(expr).is_constant() {
            return expr;
        }
        if let Some((low, high)) = self.under(pool, expr, known, 0, fuel).both()
            && low == high
        {
            return pool.int(low);
        }
        match *pool.node(expr) {
            Node::Ite(c, a, b) => match self.decided(pool, c, known, 0, fuel) {
                Some(true) => self.tidied(pool, a, known, depth + 1, fuel),
                Some(false) => self.tidied(pool, b, known, depth + 1, fuel),
                None => {
                    let [a, b] = [(a, true), (b, false)].map(|(it, holds)| {
                        let mut known = known.clone();
                        narrow(pool, c, holds, &mut known);
                        self.tidied(pool, it, &known, depth + 1, fuel)
                    });
                    pool.ite(c, a, b)
                }
            },
            Node::Add(a, b) => {
                let (a, b) = (
                    self.tidied(pool, a, known, depth + 1, fuel),
                    self.tidied(pool, b, known, depth + 1, fuel),
                );
                pool.add(a, b)
            }
            _ => expr,
        }
    }

    /// The bounds of the states as conditions.
    pub(crate) fn invariants(&self, system: &mut System) -> Vec<Expr> {
        let mut all = Vec::new();
        for state in system.state.clone() {
            let range = self.of(state.var);
            let now = system.expr(state.var);
            if let Some(low) = range.low {
                let low = system.pool.int(low);
                all.push(system.pool.le(low, now));
            }
            if let Some(high) = range.high {
                let high = system.pool.int(high);
                all.push(system.pool.le(now, high));
            }
        }
        all
    }
}

/// Narrows the bounds of expressions that a condition compares with constants.
fn narrow(pool: &Pool, condition: Expr, holds: bool, known: &mut FxHashMap<Expr, Range>) {
    let constant = |expr: Expr| match pool.node(expr) {
        Node::Int(value) => Range::point(value).low,
        _ => None,
    };
    let mut open = vec![(condition, holds)];
    while let Some((expr, holds)) = open.pop() {
        let mut say = |expr: Expr, low: Option<i128>, high: Option<i128>| {
            let old = known.get(&expr).copied().unwrap_or_default();
            known.insert(expr, old.meet(Range::new(low, high)));
        };
        match (pool.node(expr), holds) {
            (Node::Not(inner), _) => open.push((*inner, !holds)),
            (Node::And(operands), true) => open.extend(operands.iter().map(|it| (*it, true))),
            (Node::Or(operands), false) => open.extend(operands.iter().map(|it| (*it, false))),
            (Node::Eq(a, b), true) => match (constant(*a), constant(*b)) {
                (Some(value), _) => say(*b, Some(value), Some(value)),
                (_, Some(value)) => say(*a, Some(value), Some(value)),
                (None, None) => {}
            },
            (Node::Lt(a, b) | Node::Le(a, b), _) => {
                let strict = i128::from(matches!(pool.node(expr), Node::Lt(..)) == holds);
                // `a < b` or `a <= b` if it holds, otherwise `b <= a` or `b < a`.
                let (small, large) = if holds { (*a, *b) } else { (*b, *a) };
                if let Some(value) = constant(small) {
                    say(large, Some(value + strict), None);
                }
                if let Some(value) = constant(large) {
                    say(small, None, Some(value - strict));
                }
            }
            _ => {}
        }
    }
}
