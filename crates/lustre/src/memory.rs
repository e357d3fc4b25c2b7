//! Memory: one state per previous value, shared by equal ones, on the clock of its instance. Each unguarded `pre` has a state of its
//! own, because its first value is its own too.
//!
//! A state keeps its value while its instance is not active, and returns to its initial value where the instance restarts. When a
//! system is complete, states that always have equal values are merged: [`share`].

use crate::hir::Id;
use crate::instances::What;
use crate::lower::Lowering;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::Diagnostic;
use system::System;
use system::expr::{Expr, Pool, Type, Var};

/// A state of the system under construction.
#[derive(Clone)]
pub(super) struct State {
    pub(super) var: Var,
    /// Its index in the system.
    place: usize,
    /// The instance whose control it uses.
    pub(super) instance: u32,
    pub(super) operand: Operand,
    init: Init,
    /// The value after a restart.
    restart: Expr,
}

/// The next value of a state.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    /// A leaf of an expression in an instance, for some values of indices.
    Leaf(u32, Id, Vec<u32>, u32),
    /// A slot, read in an instance.
    Slot(u32, u32),
    /// Whether the first step is over, for a control.
    First(u32),
}

/// The initial value of a state.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Init {
    /// This constant.
    Value(Expr),
    /// Irrelevant, because the first step is guarded.
    Guarded,
    /// Any value, which belongs to this occurrence of `pre` for these values of indices.
    Any(Id, Vec<u32>),
}

impl Lowering<'_> {
    /// Whether a step is the first one of an instance, or the first after a restart.
    pub(super) fn first(&mut self, instance: u32) -> Expr {
        let control = self.tree.instances[instance as usize].control;
        if let Some(state) = self.firsts.get(&control) {
            let state = self.states[*state as usize].clone();
            return self.read(&state);
        }
        let owner = self.tree.controls[control as usize].owner;
        let name = format!("{}first()", self.tree.instances[owner as usize].path);
        let value = self.state(owner, Operand::First(control), Type::Bool, Init::Value(Pool::TRUE), &name);
        self.firsts.insert(control, self.states.len() as u32 - 1);
        value
    }

    /// The value of a state that stores an operand; equal ones share one state.
    pub(super) fn state(
        &mut self,
        instance: u32,
        operand: Operand,
        ty: Type,
        init: Init,
        name: &str,
    ) -> Expr {
        let known = self.by_operand.get(&operand).map(|it| &it[..]).unwrap_or_default();
        let fits = |state: &&u32| init == Init::Guarded || self.states[**state as usize].init == init;
        if let Some(state) = known.iter().find(fits) {
            let state = self.states[*state as usize].clone();
            return self.read(&state);
        }
        let name = self.unique(name);
        let restarts =
            self.tree.controls[self.tree.instances[instance as usize].control as usize].reset.is_some();
        let (start, restart) = match &init {
            Init::Value(value) => (Some(*value), *value),
            Init::Guarded => {
                let value = self.system.pool.some_constant(ty);
                (Some(value), value)
            }
            Init::Any(..) if restarts => (None, self.input(&format!("any({name})"), ty)),
            Init::Any(..) => (None, Pool::TRUE),
        };
        let var = self.system.add_state(&name, ty, start);
        let place = self.states.len() as u32;
        let system_place = self.system.state.len() - 1;
        self.states.push(State {
            var,
            place: system_place,
            instance,
            operand: operand.clone(),
            init,
            restart,
        });
        self.by_operand.entry(operand).or_default().push(place);
        let state = self.states[place as usize].clone();
        self.read(&state)
    }

    /// The current value of a state: the initial one where its instance restarts.
    pub(super) fn read(&mut self, state: &State) -> Expr {
        let value = self.system.expr(state.var);
        let control = self.tree.controls[self.tree.instances[state.instance as usize].control as usize];
        match control.reset {
            Some(reset) => {
                let reset = self.slot(reset, Type::Bool);
                self.system.pool.ite(reset, state.restart, value)
            }
            None => value,
        }
    }

    /// Sets the next value of every state, including states added on the way.
    pub(super) fn nexts(&mut self) -> Result<(), Diagnostic> {
        let mut state = 0;
        while state < self.states.len() {
            let slot = self.add_slot(What::Next(state as u32));
            let next = self.demand(slot)?;
            let place = self.states[state].place;
            self.system.state[place].next = next;
            state += 1;
        }
        Ok(())
    }
}

/// The maximum number of rounds; beyond it, nothing is shared.
const ROUNDS: usize = 200;

/// Merges states that are equal at every step: they have the same initial value, and the same next value once equal states are
/// merged. Classes of states are split until they are stable, as in the minimisation of automata.
pub(super) fn share(system: &mut System) {
    let count = system.state.len();
    let places: FxHashMap<Var, usize> = (0..count).map(|at| (system.state[at].var, at)).collect();
    let mut starts: FxHashMap<(Type, Expr), usize> = FxHashMap::default();
    let first = |at: usize| {
        let state = &system.state[at];
        let ty = system.variables[state.var.index()].ty;
        // A state with an arbitrary initial value equals no other.
        state.init.map_or(at, |init| *starts.entry((ty, init)).or_insert(at))
    };
    let mut classes: Vec<usize> = (0..count).map(first).collect();
    let nexts: Vec<Expr> = system.state.iter().map(|it| it.next).collect();
    for _ in 0..ROUNDS {
        let shared = replaced(system, &classes, &places, &nexts);
        let mut split: FxHashMap<(usize, Expr), usize> = FxHashMap::default();
        let finer: Vec<usize> =
            (0..count).map(|at| *split.entry((classes[at], shared[at])).or_insert(at)).collect();
        if finer != classes {
            classes = finer;
            continue;
        }
        if (0..count).all(|at| classes[at] == at) {
            return;
        }
        let outputs: Vec<Expr> = system.outputs.iter().map(|it| it.value).collect();
        let properties: Vec<Expr> = system.properties.iter().map(|it| it.value).collect();
        let sides = system.properties.iter().filter_map(|it| it.sides);
        let sides: Vec<Expr> = sides.flat_map(|(a, b)| [a, b]).collect();
        let mut sides = replaced(system, &classes, &places, &sides).into_iter();
        let outputs = replaced(system, &classes, &places, &outputs);
        let properties = replaced(system, &classes, &places, &properties);
        let assumptions = std::mem::take(&mut system.assumptions);
        system.assumptions = replaced(system, &classes, &places, &assumptions);
        let mut seen = FxHashSet::default();
        system.assumptions.retain(|it| *it != Pool::TRUE && seen.insert(*it));
        system.outputs.iter_mut().zip(outputs).for_each(|(it, value)| it.value = value);
        system.properties.iter_mut().zip(properties).for_each(|(it, value)| it.value = value);
        for (a, b) in system.properties.iter_mut().filter_map(|it| it.sides.as_mut()) {
            (*a, *b) = (sides.next().unwrap_or(*a), sides.next().unwrap_or(*b));
        }
        system.state.iter_mut().zip(shared).for_each(|(it, next)| it.next = next);
        let mut at = 0;
        system.state.retain(|_| {
            at += 1;
            classes[at - 1] == at - 1
        });
        return;
    }
}

/// Rewrites expressions to use one state per class.
fn replaced(
    system: &mut System,
    classes: &[usize],
    places: &FxHashMap<Var, usize>,
    exprs: &[Expr],
) -> Vec<Expr> {
    let chosen: Vec<Var> = classes.iter().map(|class| system.state[*class].var).collect();
    let chosen: Vec<Expr> = chosen.into_iter().map(|var| system.expr(var)).collect();
    system.pool.substitute(exprs, &|var| places.get(&var).map(|at| chosen[*at]))
}
