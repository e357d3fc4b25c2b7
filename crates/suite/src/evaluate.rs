//! Which goals a trace reaches, step by step, in constant memory.

use logic::{EvalError, Formula, Node, Online, Store, Trace, Value};

/// Goals in the course of a trace. A goal is reached at the first step at which its formula holds.
#[derive(Clone, Debug)]
pub struct Coverage {
    online: Online,
    goals: Vec<Formula>,
    first: Vec<Option<u64>>,
    steps: u64,
}

impl Coverage {
    /// Goals before the first step; `further` formulas can be asked about, too. `None` if a formula looks ahead.
    pub fn new(store: &Store, goals: &[Formula], further: &[Formula]) -> Option<Coverage> {
        let all: Vec<Formula> = goals.iter().chain(further).copied().collect();
        let online = Online::new(store, &all)?;
        Some(Coverage { online, goals: goals.to_vec(), first: vec![None; goals.len()], steps: 0 })
    }

    /// Reads a step. `value` returns the value of a variable; a name that is not a variable is a literal.
    pub fn step(&mut self, store: &Store, value: &dyn Fn(&str) -> Option<Value>) {
        self.online.step(store, &mut |_, node| match node {
            Node::Var(symbol) => {
                let name = store.name(*symbol);
                Ok(value(name).unwrap_or_else(|| Value::Name(name.to_owned())))
            }
            _ => Err(EvalError::UnfilledHole),
        });
        for (goal, first) in self.goals.iter().zip(&mut self.first) {
            if first.is_none() && self.online.holds(*goal) == Ok(true) {
                *first = Some(self.steps);
            }
        }
        self.steps += 1;
    }

    /// Whether a formula holds at the last step; what is undefined does not.
    pub fn holds(&self, formula: Formula) -> bool {
        self.online.holds(formula) == Ok(true)
    }

    /// The first step that reaches each goal.
    pub fn first(&self) -> &[Option<u64>] {
        &self.first
    }

    /// Starts a new trace. What was reached stays reached, with the step of the trace that reached it.
    pub fn restart(&mut self, fresh: &Coverage) {
        self.online = fresh.online.clone();
        self.steps = 0;
    }

    /// Reads a whole trace.
    pub fn read(&mut self, store: &Store, trace: &Trace, mut each: impl FnMut(&Coverage)) {
        for step in 0..trace.len() {
            self.step(store, &|name| Some(trace.value(trace.column(name)?, step).clone()));
            each(self);
        }
    }
}
