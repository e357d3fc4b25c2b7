//! The one model that every front end lowers to and every engine reads: inputs, state, outputs, assumptions, properties.
//!
//! Time goes in steps from 0 on. At each step the inputs have any values, and inputs and state together give the outputs,
//! the assumptions and the properties of that step; `next` is the state of the following step. At step 0 a state has its
//! `init`, or any value that the `initial` constraints allow if it has none. A behaviour counts as long as all
//! assumptions hold at every step up to now; a property must hold at every step of every such behaviour.

use crate::expr::{Expr, Pool, Type, Var, small};
use std::ops::Range;

/// A system with finitely many variables in discrete steps.
///
/// ```
/// use shall_system::{Origin, System, Type};
/// let mut system = System::default();
/// let on = system.add_input("on", Type::Bool);
/// let zero = system.pool.int(0);
/// let count = system.add_state("count", Type::Int, Some(zero));
/// let (on, now) = (system.expr(on), system.expr(count));
/// let one = system.pool.int(1);
/// let more = system.pool.add(now, one);
/// let next = system.pool.ite(on, more, now);
/// system.set_next(count, next);
/// let good = system.pool.ge(now, zero);
/// system.add_property("never negative", Origin::Unknown, good);
/// assert!(system.check().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct System {
    /// All expressions.
    pub pool: Pool,
    /// All variables: inputs and states. [`Var`] is a place in this table.
    pub variables: Vec<Variable>,
    /// The variables that the environment sets at every step.
    pub inputs: Vec<Var>,
    /// The variables that remember.
    pub state: Vec<State>,
    /// What is to be seen at every step.
    pub outputs: Vec<Output>,
    /// What holds at every step of the behaviours that count, over inputs and state of that step.
    pub assumptions: Vec<Expr>,
    /// What holds at step 0, over inputs and state.
    pub initial: Vec<Expr>,
    /// What must hold at every step.
    pub properties: Vec<Property>,
    /// What is known to hold at every step of every behaviour, by construction: engines may use it, and need not.
    pub lemmas: Vec<Expr>,
}

/// An input or a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, unique among variables and outputs.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A variable that remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The variable.
    pub var: Var,
    /// Its value at step 0, without variables; any value if there is none.
    pub init: Option<Expr>,
    /// Its value at the following step, over inputs and state of this one.
    pub next: Expr,
}

/// A value with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name, unique among variables and outputs.
    pub name: String,
    /// Its value, over inputs and state of the step.
    pub value: Expr,
    /// Whether it is an inner value that is named only to be read in counterexamples.
    pub local: bool,
}

/// What must hold at every step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Over inputs and state of the step.
    pub value: Expr,
    /// A and B, if it is known to say at every step that A implies B.
    pub sides: Option<(Expr, Expr)>,
}

/// Where a property comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Not known.
    #[default]
    Unknown,
    /// Bytes of the model's text.
    Text(Range<usize>),
    /// The id of a requirement.
    Requirement(String),
    /// The guarantee of a contract: the component, and bytes of the model's text.
    Contract {
        /// The node or component that the contract is about.
        component: String,
        /// Where it is.
        span: Range<usize>,
    },
}

impl System {
    /// Adds an input.
    pub fn add_input(&mut self, name: &str, ty: Type) -> Var {
        let var = self.add_variable(name, ty);
        self.inputs.push(var);
        var
    }

    /// Adds a state, which keeps its value until [`set_next`](System::set_next) says otherwise.
    pub fn add_state(&mut self, name: &str, ty: Type, init: Option<Expr>) -> Var {
        let var = self.add_variable(name, ty);
        let next = self.expr(var);
        self.state.push(State { var, init, next });
        var
    }

    /// Sets the next value of a state. Nothing happens if the variable is not a state.
    pub fn set_next(&mut self, var: Var, next: Expr) {
        if let Some(state) = self.state.iter_mut().rfind(|state| state.var == var) {
            state.next = next;
        }
    }

    /// Adds an output.
    pub fn add_output(&mut self, name: &str, value: Expr) {
        self.outputs.push(Output { name: name.to_owned(), value, local: false });
    }

    /// Adds an inner value that is to be read in counterexamples.
    pub fn add_local(&mut self, name: &str, value: Expr) {
        self.outputs.push(Output { name: name.to_owned(), value, local: true });
    }

    /// Adds a property and returns its index.
    pub fn add_property(&mut self, name: &str, origin: Origin, value: Expr) -> usize {
        self.properties.push(Property { name: name.to_owned(), origin, value, sides: None });
        self.properties.len() - 1
    }

    /// Says that a property holds at every step if and only if A implies B at every step.
    pub fn set_sides(&mut self, property: usize, sides: (Expr, Expr)) {
        if let Some(property) = self.properties.get_mut(property) {
            property.sides = Some(sides);
        }
    }

    /// A variable as an expression.
    pub fn expr(&mut self, var: Var) -> Expr {
        let ty = self.variables[var.index()].ty;
        self.pool.var(var, ty)
    }

    /// The variable of a name.
    pub fn variable(&self, name: &str) -> Option<Var> {
        let place = self.variables.iter().position(|it| it.name == name)?;
        Some(Var(small(place)))
    }

    /// The input, state or output of a name, as an expression.
    pub fn named(&mut self, name: &str) -> Option<Expr> {
        match self.variable(name) {
            Some(var) => Some(self.expr(var)),
            None => self.outputs.iter().find(|it| it.name == name).map(|it| it.value),
        }
    }

    /// A name like this one that neither a variable nor an output has.
    pub fn fresh_name(&self, like: &str) -> String {
        base::names::unique(like, "_", |name| {
            self.variables.iter().all(|it| it.name != name) && self.outputs.iter().all(|it| it.name != name)
        })
    }

    /// The state that a variable is, unless it is an input.
    pub fn state_of(&self, var: Var) -> Option<&State> {
        self.state.iter().find(|state| state.var == var)
    }

    /// The system without what these properties do not depend on. Assumptions and initial constraints stay, because
    /// they say which behaviours count, but for definitions of inputs that are not needed ([`definitions`](System::definitions)).
    /// Variables and expressions keep their names and numbers; properties are those that are named, in that order.
    pub fn slice(&self, properties: &[usize]) -> System {
        let mut sliced = self.clone();
        sliced.properties =
            properties.iter().filter_map(|&place| self.properties.get(place).cloned()).collect();
        let mut used = vec![false; self.variables.len()];
        let mut next: Vec<Option<Expr>> = vec![None; self.variables.len()];
        self.state.iter().for_each(|state| next[state.var.index()] = Some(state.next));
        let mut definition: Vec<Option<usize>> = vec![None; self.variables.len()];
        let mut kept = vec![true; self.assumptions.len()];
        for it in self.definitions() {
            definition[it.input.index()] = Some(it.assumption);
            kept[it.assumption] = false;
        }
        let mut open: Vec<Expr> =
            self.assumptions.iter().zip(&kept).filter(|it| *it.1).map(|it| *it.0).collect();
        open.extend(self.initial.iter().copied().chain(sliced.properties.iter().map(|it| it.value)));
        while !open.is_empty() {
            let found = self.pool.variables(std::mem::take(&mut open));
            for var in found {
                if !std::mem::replace(&mut used[var.index()], true) {
                    open.extend(next[var.index()]);
                    if let Some(assumption) = definition[var.index()] {
                        kept[assumption] = true;
                        open.push(self.assumptions[assumption]);
                    }
                }
            }
        }
        let mut kept = kept.into_iter();
        sliced.assumptions.retain(|_| kept.next() == Some(true));
        sliced.inputs.retain(|var| used[var.index()]);
        sliced.state.retain(|state| used[state.var.index()]);
        sliced.lemmas.retain(|it| self.pool.variables([*it]).iter().all(|var| used[var.index()]));
        sliced.outputs.retain(|it| self.pool.variables([it.value]).iter().all(|var| used[var.index()]));
        sliced
    }

    fn add_variable(&mut self, name: &str, ty: Type) -> Var {
        let var = Var(small(self.variables.len()));
        self.variables.push(Variable { name: name.to_owned(), ty });
        var
    }
}
