//! Boolean combinations of linear comparisons, decided by the built-in SAT solver and the simplex.
//!
//! A number is a list of cases, each with a condition and a linear form, so choices leave the arithmetic and a comparison is a Boolean
//! combination of bounds on forms. Bounds on one form are ordered by clauses. What bounds on several forms exclude is learned: the
//! simplex judges the bounds that make a model of the SAT solver satisfy the conditions, and a set of bounds that exclude each other
//! becomes a clause (Dutertre and de Moura, CAV 2006). A fractional value of an integer is excluded by a new bound next to it.

use crate::solver::circuit::{Circuit, FALSE, TRUE, Word};
use crate::solver::context::{Lit, Stop};
use crate::verdict::Why;
use dashu_ratio::RBig;
use logic::linear::{Linear, Literal, Near, Side};
use logic::simplex::Simplex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use system::places::number;
use system::{Expr, Node, Pool, System, Type};

/// The largest number of cases of a number.
const CASES: usize = 2_000;
/// The largest number of bounds.
const BOUNDS: usize = 20_000;
/// The largest number of models of the SAT solver that the simplex judges.
const ROUNDS: usize = 10_000;

/// Whether some values of the inputs of a system satisfy its assumptions. Other parts of a system do not count.
///
/// # Errors
/// Something is not linear, too large, or the time is over.
pub(crate) fn satisfiable(system: &System, stop: Stop<'_>) -> Result<bool, Why> {
    let mut problem = Problem::new(system, stop);
    for expr in system.pool.reachable(system.assumptions.iter().copied()) {
        let value = problem.value(expr)?;
        problem.values.insert(expr, value);
        if stop() {
            return Err(Why::Time);
        }
    }
    for condition in &system.assumptions {
        let literal = problem.truth(*condition);
        problem.circuit.clause(&[literal]);
    }
    // The last condition is what is denied. Each way to violate it is simpler than all of them.
    let node = |expr: &Expr| system.pool.node(*expr);
    let cases = match system.assumptions.last().map(node) {
        Some(Node::Or(cases)) => cases.iter().map(|it| problem.truth(*it)).collect(),
        Some(Node::Not(denied)) => match node(denied) {
            Node::And(all) => all.iter().map(|it| !problem.truth(*it)).collect(),
            _ => vec![TRUE],
        },
        _ => vec![TRUE],
    };
    let mut simplex = problem.simplex();
    for case in cases {
        if problem.solve(&mut simplex, case)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The value of an expression.
enum Value {
    Truth(Lit),
    /// The place of a literal of an enumeration.
    Place(Word),
    /// A number: exactly one condition holds, and the form next to it is the value.
    Cases(Vec<(Lit, Linear)>),
}

struct Problem<'a> {
    system: &'a System,
    circuit: Circuit<'a>,
    values: FxHashMap<Expr, Value>,
    /// The bounds from above that comparisons need, by the case that they are for: they hold together, or the comparison is false.
    compared: FxHashMap<Expr, Vec<(Lit, Vec<Lit>)>>,
    /// The unknowns of the simplex: the variables of the system, and then forms of several of them.
    forms: FxHashMap<Vec<(usize, RBig)>, usize>,
    /// The bounds from above of each unknown.
    bounds: BTreeMap<usize, BTreeMap<Near, Lit>>,
    /// The unknown of each literal that is a bound, by the literal's number, with the greatest value if it holds, and the least value if not.
    meanings: FxHashMap<u32, (usize, Near, Near)>,
    /// Bounds that exclude fractional values.
    splits: Vec<Lit>,
    stop: Stop<'a>,
}

impl<'a> Problem<'a> {
    fn new(system: &'a System, stop: Stop<'a>) -> Problem<'a> {
        Problem {
            system,
            circuit: Circuit::new(stop),
            values: FxHashMap::default(),
            compared: FxHashMap::default(),
            forms: FxHashMap::default(),
            bounds: BTreeMap::new(),
            meanings: FxHashMap::default(),
            splits: Vec::new(),
            stop,
        }
    }

    fn truth(&self, expr: Expr) -> Lit {
        match self.values.get(&expr) {
            Some(Value::Truth(literal)) => *literal,
            _ => FALSE,
        }
    }

    fn cases(&self, expr: Expr) -> &[(Lit, Linear)] {
        match self.values.get(&expr) {
            Some(Value::Cases(cases)) => cases,
            _ => &[],
        }
    }

    fn place(&self, expr: Expr) -> Word {
        match self.values.get(&expr) {
            Some(Value::Place(word)) => word.clone(),
            _ => Word::new(),
        }
    }

    /// The value of an expression whose children have theirs.
    fn value(&mut self, expr: Expr) -> Result<Value, Why> {
        let pool = &self.system.pool;
        let ty = pool.type_of(expr);
        if let Some(number) = number(pool, expr).filter(|_| matches!(ty, Type::Int | Type::Real)) {
            return Ok(Value::Cases(vec![(TRUE, Linear::constant(number))]));
        }
        Ok(match (pool.node(expr), ty) {
            (Node::Bool(value), _) => Value::Truth(if *value { TRUE } else { FALSE }),
            (Node::Literal(_, place), _) => Value::Place(Circuit::constant(i128::from(*place))),
            (Node::Var(_), Type::Bool) => Value::Truth(self.circuit.fresh()),
            (Node::Var(_), Type::Enum(id)) => {
                let last = pool.enumeration(id).literals.len() as i128 - 1;
                Value::Place(self.circuit.between(0, last))
            }
            (Node::Var(var), Type::Int | Type::Real) => {
                Value::Cases(vec![(TRUE, Linear::unknown(var.index()))])
            }
            (Node::Not(a), _) => Value::Truth(!self.truth(*a)),
            (Node::And(operands), _) => {
                let operands: Vec<Lit> = operands.iter().map(|it| self.truth(*it)).collect();
                Value::Truth(self.circuit.all(operands))
            }
            (Node::Or(operands), _) => {
                let operands: Vec<Lit> = operands.iter().map(|it| !self.truth(*it)).collect();
                Value::Truth(!self.circuit.all(operands))
            }
            (Node::Ite(c, a, b), Type::Bool) => {
                let [c, a, b] = [c, a, b].map(|it| self.truth(*it));
                Value::Truth(self.circuit.choose(c, a, b))
            }
            (Node::Ite(c, a, b), Type::Enum(_)) => {
                let (c, a, b) = (self.truth(*c), self.place(*a), self.place(*b));
                Value::Place(self.circuit.choice(c, &a, &b))
            }
            (Node::Ite(c, a, b), Type::Int | Type::Real) => {
                let c = self.truth(*c);
                let both = [(c, *a), (!c, *b)].map(|(c, it)| (c, self.cases(it).to_vec()));
                let mut cases = Vec::new();
                for (condition, list) in both {
                    for (case, form) in list {
                        cases.push((self.circuit.and(condition, case), form));
                    }
                }
                self.merged(cases)?
            }
            (Node::Neg(a), Type::Int | Type::Real) => self.scaled(*a, &-RBig::ONE)?,
            (Node::Add(a, b), Type::Int | Type::Real) => self.sum(*a, *b, false)?,
            (Node::Mul(a, b), Type::Int | Type::Real) => match (number(pool, *a), number(pool, *b)) {
                (Some(factor), _) => self.scaled(*b, &factor)?,
                (_, Some(factor)) => self.scaled(*a, &factor)?,
                (None, None) => return Err(Why::Unsupported("products")),
            },
            (Node::Div(a, b), Type::Real) => match number(pool, *b).filter(|it| !it.is_zero()) {
                Some(divisor) => self.scaled(*a, &(RBig::ONE / divisor))?,
                None => return Err(Why::Unsupported("divisions")),
            },
            (Node::Cast(Type::Real, a), _) if pool.type_of(*a) == Type::Int => self.scaled(*a, &RBig::ONE)?,
            (Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b), _) => Value::Truth(match pool.type_of(*a) {
                Type::Bool => !self.circuit.xor(self.truth(*a), self.truth(*b)),
                Type::Enum(_) => {
                    let (a, b) = (self.place(*a), self.place(*b));
                    self.circuit.equal(&a, &b)
                }
                Type::Int | Type::Real => self.comparison(expr, *a, *b)?,
                Type::Machine(_) => return Err(Why::Unsupported("machine integers")),
            }),
            _ => return Err(Why::Unsupported("these operations")),
        })
    }

    fn scaled(&mut self, expr: Expr, factor: &RBig) -> Result<Value, Why> {
        let cases = self.cases(expr).iter().map(|(case, form)| (*case, form.clone().scaled(factor)));
        let cases = cases.collect();
        self.merged(cases)
    }

    fn sum(&mut self, a: Expr, b: Expr, negated: bool) -> Result<Value, Why> {
        let (first, second) = (self.cases(a).to_vec(), self.cases(b).to_vec());
        let mut cases = Vec::new();
        for (one, a) in &first {
            for (two, b) in &second {
                let case = self.circuit.and(*one, *two);
                if case != FALSE {
                    let a = a.clone();
                    cases.push((case, if negated { a.minus(b) } else { a.plus(b) }));
                }
            }
            if cases.len() > CASES * 4 {
                return Err(Why::Unsupported("numbers with that many cases"));
            }
        }
        self.merged(cases)
    }

    /// Cases with one condition for each form.
    fn merged(&mut self, cases: Vec<(Lit, Linear)>) -> Result<Value, Why> {
        let mut places: FxHashMap<Linear, usize> = FxHashMap::default();
        let mut merged: Vec<(Vec<Lit>, Linear)> = Vec::new();
        for (case, form) in cases.into_iter().filter(|it| it.0 != FALSE) {
            let place = *places.entry(form.clone()).or_insert(merged.len());
            match merged.get_mut(place) {
                Some(known) => known.0.push(case),
                None => merged.push((vec![case], form)),
            }
        }
        if merged.len() > CASES {
            return Err(Why::Unsupported("numbers with that many cases"));
        }
        let any =
            |(cases, form): (Vec<Lit>, Linear)| (!self.circuit.all(cases.into_iter().map(|it| !it)), form);
        Ok(Value::Cases(merged.into_iter().map(any).collect()))
    }

    fn comparison(&mut self, expr: Expr, a: Expr, b: Expr) -> Result<Lit, Why> {
        let Value::Cases(cases) = self.sum(a, b, true)? else { return Ok(FALSE) };
        let mut needs = Vec::new();
        let mut excluded = Vec::new();
        for (case, form) in cases {
            let bounds = match self.system.pool.node(expr) {
                Node::Lt(..) => vec![self.below_zero(&form, true)?],
                Node::Le(..) => vec![self.below_zero(&form, false)?],
                _ => {
                    let opposite = form.clone().scaled(&-RBig::ONE);
                    vec![self.below_zero(&form, false)?, self.below_zero(&opposite, false)?]
                }
            };
            let holds = self.circuit.all(bounds.iter().copied().chain([case]));
            excluded.push(!holds);
            needs.push((case, bounds));
        }
        self.compared.insert(expr, needs);
        Ok(!self.circuit.all(excluded))
    }

    /// The literal of `form <= 0`, or of `form < 0`.
    fn below_zero(&mut self, form: &Linear, strict: bool) -> Result<Lit, Why> {
        if let Some(constant) = form.as_constant() {
            let holds = if strict { *constant < RBig::ZERO } else { *constant <= RBig::ZERO };
            return Ok(if holds { TRUE } else { FALSE });
        }
        let (scale, row) = form.primitive();
        let limit = -&form.constant / &scale;
        let side = if scale > RBig::ZERO { Side::Upper } else { Side::Lower };
        let whole = row.iter().all(|it| self.system.variables[it.0].ty == Type::Int);
        let unknown = match &row[..] {
            [(variable, _)] => *variable,
            _ => {
                let following = self.system.variables.len() + self.forms.len();
                *self.forms.entry(row).or_insert(following)
            }
        };
        let Literal { bound, .. } = Literal::order(unknown, whole, strict, side, limit);
        match side {
            Side::Upper => self.at_most(unknown, whole, bound),
            // At least this is not at most the value before it.
            Side::Lower => Ok(!self.at_most(unknown, whole, bound.minus(&step(whole)))?),
        }
    }

    /// The literal of a bound, ordered among the other bounds of the unknown.
    fn at_most(&mut self, unknown: usize, whole: bool, bound: Near) -> Result<Lit, Why> {
        let bounds = self.bounds.entry(unknown).or_default();
        if let Some(known) = bounds.get(&bound) {
            return Ok(*known);
        }
        if self.meanings.len() > BOUNDS {
            return Err(Why::Unsupported("that many comparisons"));
        }
        let literal = self.circuit.fresh();
        if let Some((_, less)) = bounds.range(..&bound).next_back() {
            self.circuit.clause(&[!*less, literal]);
        }
        if let Some((_, more)) = bounds.range(&bound..).next() {
            self.circuit.clause(&[!literal, *more]);
        }
        let mut after = bound.clone();
        after.add_scaled(&RBig::ONE, &step(whole));
        self.meanings.insert(literal.number(), (unknown, bound.clone(), after));
        bounds.insert(bound, literal);
        Ok(literal)
    }

    /// The unknowns without bounds.
    fn simplex(&self) -> Simplex {
        let mut rows: Vec<Option<&[(usize, RBig)]>> =
            vec![None; self.system.variables.len() + self.forms.len()];
        for (row, unknown) in &self.forms {
            rows[*unknown] = Some(row);
        }
        Simplex::new(rows.into_iter())
    }

    /// Whether everything can hold together with one more literal.
    fn solve(&mut self, simplex: &mut Simplex, case: Lit) -> Result<bool, Why> {
        let variables = self.system.variables.len();
        for _ in 0..ROUNDS {
            if (self.stop)() {
                return Err(Why::Time);
            }
            if !self.circuit.solve(&[case]).ok_or(Why::Time)? {
                return Ok(false);
            }
            let needed = self.needed();
            simplex.undo(0);
            if let Err(excluded) = self.fits(simplex, &needed) {
                self.circuit.clause(&excluded);
                continue;
            }
            let fraction = (0..variables)
                .find(|it| self.system.variables[*it].ty == Type::Int && !simplex.value(*it).is_int());
            let Some(unknown) = fraction else { return Ok(true) };
            let floor = simplex.value(unknown).floor();
            let split = self.at_most(unknown, true, floor.into())?;
            self.splits.push(split);
        }
        Err(Why::Unsupported("comparisons that exclude each other in that many ways"))
    }

    /// Moves the simplex into the bounds of literals that hold. Otherwise literals of which one must hold instead.
    fn fits(&self, simplex: &mut Simplex, needed: &[Lit]) -> Result<(), Vec<Lit>> {
        let mut tightest: BTreeMap<(usize, Side), (&Near, Lit)> = BTreeMap::new();
        for literal in needed {
            let Some((unknown, bound, after)) = self.meanings.get(&literal.number()) else { continue };
            let (side, bound) = if literal.negated() { (Side::Lower, after) } else { (Side::Upper, bound) };
            let tighter = |known: &Near| if side == Side::Lower { bound > known } else { bound < known };
            if tightest.get(&(*unknown, side)).is_none_or(|it| tighter(it.0)) {
                tightest.insert((*unknown, side), (bound, *literal));
            }
        }
        let mut asserted = tightest.iter().map(|((unknown, side), (bound, _))| Literal {
            unknown: *unknown,
            side: *side,
            bound: (*bound).clone(),
        });
        if asserted.all(|it| simplex.assert(&it)) && simplex.check() {
            return Ok(());
        }
        Err(simplex.conflict().iter().filter_map(|it| tightest.get(it)).map(|it| !it.1).collect())
    }

    /// Literals of bounds that hold and make the conditions hold: those of conditions that do not matter are left out.
    fn needed(&self) -> Vec<Lit> {
        let pool: &Pool = &self.system.pool;
        let mut needed: Vec<Lit> =
            self.splits.iter().map(|it| if self.circuit.truth(*it) { *it } else { !*it }).collect();
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        let mut open: Vec<Expr> = self.system.assumptions.clone();
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let holds = |it: &Expr| self.circuit.truth(self.truth(*it));
            match pool.node(expr) {
                Node::And(operands) | Node::Or(operands) => {
                    let neutral = matches!(pool.node(expr), Node::And(_));
                    if holds(&expr) == neutral {
                        open.extend(operands.iter().copied());
                    } else {
                        // One operand is enough; one that is needed anyway costs nothing.
                        let enough: Vec<Expr> =
                            operands.iter().copied().filter(|it| holds(it) != neutral).collect();
                        if !enough.iter().any(|it| seen.contains(it)) {
                            open.extend(enough.first().copied());
                        }
                    }
                }
                Node::Ite(c, a, b) => open.extend([*c, if holds(c) { *a } else { *b }]),
                node => {
                    open.extend(node.children());
                    let Some(cases) = self.compared.get(&expr) else { continue };
                    let here = cases.iter().find(|it| self.circuit.truth(it.0));
                    let bounds = here.map_or(&[][..], |it| &it.1);
                    if holds(&expr) {
                        needed.extend(bounds);
                    } else {
                        needed.extend(bounds.iter().find(|it| !self.circuit.truth(**it)).map(|it| !*it));
                    }
                }
            }
        }
        needed
    }
}

/// The distance of the values of an unknown.
fn step(whole: bool) -> Near {
    if whole { Near::from(RBig::ONE) } else { Near::new(RBig::ZERO, RBig::ONE) }
}

#[cfg(test)]
mod tests;
