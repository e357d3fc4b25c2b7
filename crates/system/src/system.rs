//! The common model that every front end lowers to and every engine reads: inputs, state, outputs, assumptions, properties.
//!
//! Time is discrete, in steps from 0. At each step the inputs have arbitrary values; inputs and state determine the outputs, the
//! assumptions and the properties of that step; `next` is the state of the following step. At step 0 a state has its `init`, or any
//! value that the `initial` constraints allow if it has none. A behaviour counts as long as all assumptions hold at every step so
//! far; a property must hold at every step of every such behaviour. A property can also demand that a condition recurs: that it holds
//! at infinitely many steps of every infinite behaviour.

use crate::expr::{Expr, Pool, Type, Var, small};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A discrete-time system with finitely many variables.
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
    /// All variables: inputs and states. [`Var`] is an index into this table.
    pub variables: Vec<Variable>,
    /// The variables that the environment sets at every step.
    pub inputs: Vec<Var>,
    /// The state variables.
    pub state: Vec<State>,
    /// The values visible at every step.
    pub outputs: Vec<Output>,
    /// Constraints on every step, over inputs and state of that step.
    pub assumptions: Vec<Expr>,
    /// Constraints on step 0, over inputs and state.
    pub initial: Vec<Expr>,
    /// What must hold at every step.
    pub properties: Vec<Property>,
    /// Conditions that hold at every step of every behaviour by construction; engines may use them.
    pub lemmas: Vec<Expr>,
    /// Variables that stand for nothing that the source names, so that their values say nothing to people.
    pub auxiliary: Vec<Var>,
}

/// An input or a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, unique among variables and outputs.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A state variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The variable.
    pub var: Var,
    /// Its value at step 0, without variables; any value if `None`.
    pub init: Option<Expr>,
    /// Its value at the next step, over inputs and state of this one.
    pub next: Expr,
}

/// A named value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name, unique among variables and outputs.
    pub name: String,
    /// Its value, over inputs and state of the step.
    pub value: Expr,
    /// Whether it is an internal value, named only for counterexamples.
    pub local: bool,
}

/// A condition that must hold at every step, and possibly one that must recur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its source.
    pub origin: Origin,
    /// The condition, over inputs and state of the step.
    pub value: Expr,
    /// A condition that must hold, in addition, at infinitely many steps of every infinite behaviour.
    pub recurs: Option<Expr>,
    /// A and B, if the property is known to be equivalent to "A implies B" at every step.
    pub sides: Option<(Expr, Expr)>,
    /// What is wanted.
    pub goal: Goal,
}

/// What is wanted of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The condition holds at every step of every behaviour.
    #[default]
    Holds,
    /// Some behaviour violates the condition, which is the negation of something that is to be reached.
    Reached,
}

/// The source of a property.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Unknown.
    #[default]
    Unknown,
    /// A byte range of the model's text.
    Text(Range<usize>),
    /// The id of a requirement.
    Requirement(String),
    /// The guarantee of a contract.
    Contract {
        /// The node or component of the contract.
        component: String,
        /// The byte range in the model's text.
        span: Range<usize>,
    },
}

impl Property {
    /// The condition of every step, and the one that must recur.
    pub fn demands(&self) -> impl Iterator<Item = Expr> + use<> {
        std::iter::once(self.value).chain(self.recurs)
    }
}

impl System {
    /// Adds an input.
    pub fn add_input(&mut self, name: &str, ty: Type) -> Var {
        let var = self.add_variable(name, ty);
        self.inputs.push(var);
        var
    }

    /// Adds a state that keeps its value until [`set_next`](System::set_next) is called.
    pub fn add_state(&mut self, name: &str, ty: Type, init: Option<Expr>) -> Var {
        let var = self.add_variable(name, ty);
        let next = self.expr(var);
        self.state.push(State { var, init, next });
        var
    }

    /// Sets the next value of a state. Does nothing if the variable is not a state.
    pub fn set_next(&mut self, var: Var, next: Expr) {
        if let Some(state) = self.state.iter_mut().rfind(|state| state.var == var) {
            state.next = next;
        }
    }

    /// Adds an output.
    pub fn add_output(&mut self, name: &str, value: Expr) {
        self.outputs.push(Output { name: name.to_owned(), value, local: false });
    }

    /// Adds an internal value to show in counterexamples.
    pub fn add_local(&mut self, name: &str, value: Expr) {
        self.outputs.push(Output { name: name.to_owned(), value, local: true });
    }

    /// Adds a property and returns its index.
    pub fn add_property(&mut self, name: &str, origin: Origin, value: Expr) -> usize {
        self.properties.push(Property {
            name: name.to_owned(),
            origin,
            value,
            recurs: None,
            sides: None,
            goal: Goal::Holds,
        });
        self.properties.len() - 1
    }

    /// Adds the wish that some behaviour reaches a condition, and returns its index among the properties.
    pub fn add_reachable(&mut self, name: &str, origin: Origin, condition: Expr) -> usize {
        let value = self.pool.not(condition);
        let property = self.add_property(name, origin, value);
        self.properties[property].goal = Goal::Reached;
        property
    }

    /// Demands of a property that a condition also holds at infinitely many steps of every infinite behaviour.
    pub fn set_recurs(&mut self, property: usize, condition: Expr) {
        if let Some(property) = self.properties.get_mut(property) {
            property.recurs = Some(condition);
        }
    }

    /// Declares that a property holds at every step if and only if A implies B at every step.
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

    /// The variable with this name.
    pub fn variable(&self, name: &str) -> Option<Var> {
        let place = self.variables.iter().position(|it| it.name == name)?;
        Some(Var(small(place)))
    }

    /// The input, state or output with this name, as an expression.
    pub fn named(&mut self, name: &str) -> Option<Expr> {
        match self.variable(name) {
            Some(var) => Some(self.expr(var)),
            None => self.outputs.iter().find(|it| it.name == name).map(|it| it.value),
        }
    }

    /// A name similar to this one that no variable or output has.
    pub fn fresh_name(&self, like: &str) -> String {
        base::names::unique(like, "_", |name| {
            self.variables.iter().all(|it| it.name != name) && self.outputs.iter().all(|it| it.name != name)
        })
    }

    /// The state of a variable; `None` if it is an input.
    pub fn state_of(&self, var: Var) -> Option<&State> {
        self.state.iter().find(|state| state.var == var)
    }

    /// The variables that expressions depend on, over all steps.
    pub fn cone(&self, roots: impl IntoIterator<Item = Expr>) -> FxHashSet<Var> {
        let mut next: Vec<Option<Expr>> = vec![None; self.variables.len()];
        self.state.iter().for_each(|it| next[it.var.index()] = Some(it.next));
        let mut found = FxHashSet::default();
        let mut open: Vec<Expr> = roots.into_iter().collect();
        while !open.is_empty() {
            for var in self.pool.variables(std::mem::take(&mut open)) {
                if found.insert(var) {
                    open.extend(next[var.index()]);
                }
            }
        }
        found
    }

    /// The system without what these properties do not depend on. Assumptions and initial constraints stay, because they determine
    /// which behaviours count, except definitions of unneeded inputs ([`definitions`](System::definitions)). Variables and
    /// expressions keep their names and ids; the properties are the given ones, in that order.
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
        open.extend(self.initial.iter().copied().chain(sliced.properties.iter().flat_map(Property::demands)));
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
