//! Random behaviours: promising input values, and a walk that satisfies the assumptions.
//!
//! Values come from the model's own constants and their neighbours; some walks use round numbers, and some move inputs to where
//! comparisons change. An input is constant for a whole walk, or changes occasionally, or at every step, so that long quiet stretches
//! occur as well as noise.

use crate::walk::edges::Edge;
use crate::walk::edges::at_edge;
use crate::walk::edges::edges;
use base::Random;
use dashu_int::IBig;
use dashu_ratio::RBig;
use system::{Evaluator, Expr, Node, System, Type, Value, Var};

/// The constants of a type that occur in a system, ascending.
pub(crate) fn constants(system: &System, ty: Type) -> Vec<RBig> {
    let next = system.state.iter().map(|it| it.next).chain(system.state.iter().filter_map(|it| it.init));
    let conditions = system.assumptions.iter().chain(&system.initial).copied();
    let roots = next.chain(conditions).chain(system.properties.iter().map(|it| it.value));
    let mut found: Vec<RBig> = Vec::new();
    for expr in system.pool.reachable(roots) {
        match system.pool.node(expr) {
            Node::Int(value) if ty == Type::Int => found.push(RBig::from(value.clone())),
            Node::Machine(width, value) if ty == Type::Machine(*width) => found.push(RBig::from(*value)),
            Node::Real(value) if ty == Type::Real => found.push(value.clone()),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A walk through the states of a system.
pub(crate) struct Walk<'a> {
    system: &'a System,
    evaluator: Evaluator,
    /// The candidate values of each variable, for inputs and free states.
    choices: Vec<Vec<Value>>,
    rng: Random,
    /// The values of all variables at this step.
    pub(crate) now: Vec<Value<f64>>,
    /// The exact values of the inputs so far, and of all states at the start.
    pub(crate) start: Vec<(Var, Value)>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// For each input how often it changes: never, or once in this many steps on average.
    pace: Vec<usize>,
    /// Whether numbers are round, whatever the system's own are.
    round: bool,
    /// Whether inputs are moved to where comparisons change.
    led: bool,
    edges: Vec<Edge>,
    /// Whether inputs keep their values.
    quiet: bool,
    /// Whether the last step changed no state.
    still: bool,
    /// All nodes at this step.
    all: Vec<Value<f64>>,
}

/// The number of times inputs are redrawn for a step that the assumptions reject.
const ATTEMPTS: usize = 40;

impl<'a> Walk<'a> {
    pub(crate) fn new(system: &'a System, extra: &[Expr], seed: u64) -> Walk<'a> {
        let next = system.state.iter().map(|it| it.next);
        let conditions = system.assumptions.iter().chain(&system.initial).copied();
        let roots = next.chain(conditions).chain(system.properties.iter().map(|it| it.value));
        let evaluator = Evaluator::new(&system.pool, roots.chain(extra.iter().copied()));
        let choices = system.variables.iter().map(|it| choices(system, it.ty)).collect();
        Walk {
            system,
            evaluator,
            choices,
            rng: Random::new(seed),
            now: vec![Value::Undefined; system.variables.len()],
            start: Vec::new(),
            rows: Vec::new(),
            pace: vec![1; system.inputs.len()],
            round: false,
            led: false,
            edges: edges(system),
            quiet: false,
            still: false,
            all: Vec::new(),
        }
    }

    /// Restarts; returns false if no initial state was found that the assumptions allow. In a quiet walk, inputs keep their values as
    /// long as the assumptions allow it.
    pub(crate) fn begin(&mut self, quiet: bool) -> bool {
        self.rows.clear();
        self.quiet = quiet;
        let steady = quiet || self.rng.below(4) == 0;
        for pace in &mut self.pace {
            *pace = if steady { 0 } else { [0, 1, 1, 3, 10, 40][self.rng.below(6)] };
        }
        self.round = self.rng.below(3) == 0;
        self.led = self.rng.below(2) == 0;
        (0..ATTEMPTS).any(|_| {
            self.start.clear();
            for state in &self.system.state {
                let value = match state.init {
                    Some(init) => system::evaluate::<RBig>(&self.system.pool, init, |_| Value::Undefined),
                    None => self.drawn(state.var),
                };
                self.now[state.var.index()] = value.converted();
                if state.init.is_none() {
                    self.start.push((state.var, value));
                }
            }
            self.enter(true)
        })
    }

    /// Takes one step; returns false if no inputs were found that the assumptions allow.
    pub(crate) fn step(&mut self) -> bool {
        self.advance();
        (0..ATTEMPTS).any(|attempt| self.enter(attempt > 0))
    }

    /// Whether the state and the inputs are the same as one step before, so that nothing more will happen as long as inputs stay.
    pub(crate) fn repeats(&self) -> bool {
        self.still && self.rows.len() > 1 && self.rows[self.rows.len() - 1] == self.rows[self.rows.len() - 2]
    }

    fn advance(&mut self) {
        let next: Vec<Value<f64>> =
            self.system.state.iter().map(|it| self.evaluator.get(&self.all, it.next).clone()).collect();
        self.still = self.system.state.iter().zip(&next).all(|(it, next)| self.now[it.var.index()] == *next);
        for (state, value) in self.system.state.iter().zip(next) {
            self.now[state.var.index()] = value;
        }
    }

    /// Computes the values of all nodes under some inputs.
    fn compute(&mut self, row: &[Value]) {
        for (var, value) in self.system.inputs.iter().zip(row) {
            self.now[var.index()] = value.converted();
        }
        self.all = self.evaluator.values(&self.system.pool, |var| self.now[var.index()].clone());
    }

    /// The Boolean value of an expression at this step.
    pub(crate) fn truth(&self, expr: Expr) -> Option<bool> {
        self.evaluator.get(&self.all, expr).truth()
    }

    /// The value of a number at this step, if it is finite.
    pub(crate) fn number(&self, expr: Expr) -> Option<RBig> {
        match self.evaluator.get(&self.all, expr) {
            Value::Int(it) => Some(RBig::from(it.clone())),
            Value::Machine(it) => Some(RBig::from(*it)),
            Value::Real(it) => RBig::try_from(*it).ok(),
            Value::Bool(_) | Value::Enum(_) | Value::Undefined => None,
        }
    }

    /// Draws inputs, for all variables or for those due to change; returns false if the assumptions reject them.
    fn enter(&mut self, fresh: bool) -> bool {
        let first = self.rows.is_empty();
        let mut row = Vec::with_capacity(self.system.inputs.len());
        for (place, var) in self.system.inputs.iter().enumerate() {
            let changes = match self.pace[place] {
                0 => fresh && self.rng.below(4) == 0,
                1 => true,
                pace => self.rng.below(pace) == 0 || fresh,
            };
            let value = match self.rows.last() {
                Some(last) if !changes => last[place].clone(),
                _ => self.drawn(*var),
            };
            row.push(value);
        }
        self.compute(&row);
        if self.led && (first || !self.quiet) && self.lead(&mut row) {
            self.compute(&row);
        }
        let initial: &[Expr] = if first { &self.system.initial } else { &[] };
        let fine = self.system.assumptions.iter().chain(initial).all(|it| self.truth(*it) == Some(true));
        if fine {
            self.rows.push(row);
        }
        fine
    }

    /// Moves some inputs to where comparisons change; returns whether any was moved.
    fn lead(&mut self, row: &mut [Value]) -> bool {
        let mut moved = false;
        for Edge { input, ty, other } in &self.edges {
            // Half of them, most of those exactly to the value.
            let by = [0, 0, 1, -1].get(self.rng.below(8)).copied();
            let found = by.and_then(|by| at_edge(*ty, self.evaluator.get(&self.all, *other), by));
            if let Some(value) = found {
                row[*input] = value;
                moved = true;
            }
        }
        moved
    }

    fn drawn(&mut self, var: Var) -> Value {
        let ty = self.system.variables[var.index()].ty;
        if let Some(value) = self.round.then(|| round(ty, &mut self.rng)).flatten() {
            return value;
        }
        let choices = &self.choices[var.index()];
        choices.get(self.rng.below(choices.len())).cloned().unwrap_or(Value::Undefined)
    }
}

/// A small integer or a power of ten, of either sign.
fn round(ty: Type, rng: &mut Random) -> Option<Value> {
    let size = [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 10, 100, 1000, 10_000][rng.below(14)];
    let number = if rng.below(2) == 0 { size } else { -size };
    match ty {
        Type::Bool | Type::Enum(_) => None,
        Type::Int => Some(Value::Int(number.into())),
        Type::Real => Some(Value::Real(RBig::from(number))),
        Type::Machine(width) => Some(Value::Machine(width.wrap(number.into()))),
    }
}

/// Promising values of a type.
fn choices(system: &System, ty: Type) -> Vec<Value> {
    let numbers = |more: &[RBig]| -> Vec<RBig> {
        let mut all = constants(system, ty);
        if all.len() > 200 {
            let every = all.len() / 100;
            all = all.into_iter().step_by(every).collect();
        }
        let near: Vec<RBig> =
            all.iter().flat_map(|it| more.iter().flat_map(move |by| [it + by, it - by])).collect();
        all.extend(near);
        all.extend([0, 1, -1, 10].map(RBig::from));
        all.sort();
        all.dedup();
        all
    };
    match ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(id) => (0..system.pool.enumeration(id).literals.len() as u32).map(Value::Enum).collect(),
        Type::Int => numbers(&[RBig::ONE]).into_iter().map(|it| Value::Int(it.floor())).collect(),
        Type::Real => {
            let half = RBig::from_parts(IBig::ONE, 2u8.into());
            let small = RBig::from_parts(IBig::ONE, 100u8.into());
            numbers(&[half, small]).into_iter().map(Value::Real).collect()
        }
        Type::Machine(width) => {
            let mut all: Vec<i128> =
                numbers(&[RBig::ONE]).iter().filter_map(|it| i128::try_from(it.floor()).ok()).collect();
            all.extend([width.least(), width.greatest()]);
            let fitting = all.into_iter().filter(|it| width.wrap(*it) == *it);
            let found: Vec<Value> = fitting.map(Value::Machine).collect();
            if found.is_empty() { vec![Value::any_of(ty)] } else { found }
        }
    }
}
