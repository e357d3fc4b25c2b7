//! Correct systems that choose their outputs at random: to try tests on.

use super::complete::Rest;
use super::{Memory, Walks};
use crate::arena::Arena;
use crate::game::Order;
use crate::position::Choice;
use crate::verdict::Gap;
use base::SplitMix;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use system::{Type, Value, Var};

/// A correct system of a whole game in the course of a run: its outputs are chosen at random among all that are correct.
#[derive(Clone, Debug)]
pub struct Anything {
    /// The memory of the game.
    memory: FxHashMap<Var, Value>,
    /// The memories of its parts.
    parts: Vec<Memory>,
    random: SplitMix,
}

impl Rest<'_, '_> {
    pub(super) fn anything(&self, seed: u64) -> Anything {
        let (memory, parts) = self.start();
        Anything { memory, parts, random: SplitMix::new(seed) }
    }

    /// Answers inputs, and returns both.
    pub(super) fn answer_at_random(
        &mut self,
        at: &mut Anything,
        inputs: &[(Var, Value)],
    ) -> Result<Choice, Gap> {
        let mut known: FxHashMap<Var, Value> = inputs.iter().cloned().collect();
        for (walks, memory) in self.judges.iter_mut().zip(&at.parts) {
            known.extend(walks.outputs_at_random(memory, inputs, &mut at.random)?);
        }
        self.answer(0, &at.memory, &mut known, (None, Some(&mut at.random)))?;
        self.after((&mut at.memory, &mut at.parts), known, true)
    }
}

impl Walks<'_, '_> {
    /// Outputs of a correct step.
    fn outputs_at_random(
        &mut self,
        memory: &Memory,
        inputs: &[(Var, Value)],
        random: &mut SplitMix,
    ) -> Result<Choice, Gap> {
        let mut now = memory.0.clone();
        // A system that does not see the inputs chooses among the outputs that are right for all of them.
        if self.solver.order == Order::Mealy {
            now.extend(inputs.iter().cloned());
        }
        let left = self.solver.arena.cofactor(self.safe, &now);
        let all = &self.solver.prepared.game.system.inputs;
        let open: Vec<Var> = all.iter().copied().filter(|it| !now.contains_key(it)).collect();
        let chosen = self.solver.arena.at_random(left, open, random)?.ok_or(Gap::NoValue)?;
        Ok(chosen.into_iter().filter(|it| self.outputs.contains(&it.0)).collect())
    }
}

impl Arena<'_, '_> {
    /// Values of the given variables that make a function true, if there are any; the function must depend on nothing else.
    pub(super) fn at_random(
        &mut self,
        mut f: Bdd,
        mut open: Vec<Var>,
        random: &mut SplitMix,
    ) -> Result<Option<Choice>, Gap> {
        let mut pick = |count: usize| (random.bits() % count.max(1) as u64) as usize;
        let mut chosen = Choice::new();
        if !self.is_possible(f)? {
            return Ok(None);
        }
        while !open.is_empty() {
            let at = pick(open.len());
            let mut values = self.tries(f, open[at]);
            let var = open[at];
            let value = loop {
                if values.is_empty() {
                    break self.simplest(f, &open, var)?;
                }
                let value = values.swap_remove(pick(values.len()));
                let left = self.cofactor(f, &FxHashMap::from_iter([(var, value.clone())]));
                if self.is_possible(left)? {
                    break value;
                }
            };
            f = self.cofactor(f, &FxHashMap::from_iter([(var, value.clone())]));
            chosen.push((var, value));
            open.swap_remove(at);
        }
        Ok(Some(chosen))
    }

    /// Values of a variable that may be among those with which a function is true.
    fn tries(&self, f: Bdd, var: Var) -> Vec<Value> {
        let numbers = || {
            let alone = |it: &crate::linear::Atom| match &it.form[..] {
                [(only, factor)] if *only == var => Some(&it.limit / RBig::from(factor.clone())),
                _ => None,
            };
            let limits = self.atoms_in(f).into_iter().filter_map(move |it| alone(&it.1));
            let around = |it: RBig| [&it - RBig::ONE, &it + RBig::ONE / RBig::from(3), &it + RBig::ONE, it];
            limits.chain([RBig::ZERO]).flat_map(around)
        };
        match self.type_of(var) {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Enum(id) => {
                let literals = self.game.system.pool.enumeration(id).literals.len();
                (0..literals as u32).map(Value::Enum).collect()
            }
            Type::Int => numbers().map(|it| Value::Int(it.floor())).collect(),
            Type::Real => numbers().map(Value::Real).collect(),
            Type::Machine(_) => Vec::new(),
        }
    }

    /// A value of a variable with which a function of some variables is true.
    fn simplest(&mut self, f: Bdd, open: &[Var], var: Var) -> Result<Value, Gap> {
        let numbers = open.iter().copied().filter(|it| self.blocks[it.index()].is_none());
        let mut numbers: Vec<Var> = numbers.collect();
        numbers.sort_unstable_by_key(|it| self.turn(*it));
        let values = self.values(f, &numbers)?.ok_or(Gap::NoValue)?;
        Ok(self.value_of(&values, var))
    }
}
