//! A game as decision diagrams: variables as bits, comparisons of numbers as atoms, expressions as functions of both.
//!
//! Booleans, enumerations and counters (states with a range in the lemmas) are blocks of neighbouring bits, the most significant first.
//! Other numbers appear in atoms (`linear`) only: an expression over them is a list of cases, each with a linear term. Atoms come after all
//! bits, those of a form side by side with ascending thresholds, and those of a number that is eliminated earlier further down: so
//! eliminating it changes only what is below (compare linear decision diagrams, Chaki, Gurfinkel, Strichman 2009). A comparison that
//! is not linear is one free bit that belongs to the player named in [`Choice`], so a game with such bits is easier for that player.

mod atoms;
mod bits;
mod lower;

use crate::fixpoint::Budget;
use crate::game::{Game, Guarantee, Order};
use crate::linear::{Atom, Linear, Literal, below_zero};
use crate::quantify::Bounds;
use bits::Bits;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::bdd::{Bdd, Manager, Variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use system::{Expr, Node, Type, Value, Var};

/// The player that a variable belongs to, or the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    State,
    Environment,
    System,
}

/// Who chooses what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Who chooses first.
    pub(crate) order: Order,
    /// Who chooses the truth of comparisons that are not linear.
    pub(crate) opaque: Owner,
    /// Whether each guarantee has a selector.
    pub(crate) selectors: bool,
}

/// Numbers that a player always chooses in the same way, so that products with them are linear.
pub(crate) type Pins = FxHashMap<Var, RBig>;

/// What a variable of the diagrams stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A bit of a variable, 0 for the most significant one.
    Bit(Var, u32),
    Atom(Atom),
    /// A comparison that cannot be computed, or another value of the next state that cannot.
    Opaque(Option<Expr>),
    /// Whether a guarantee counts.
    Selector(usize),
}

/// The bits of a variable: `width` variables of the diagrams from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) first: u32,
    pub(crate) width: u32,
    /// The number of values; the bits count from 0.
    pub(crate) size: u64,
}

/// The value of an expression.
#[derive(Clone, Debug)]
enum Lowered {
    Truth(Bdd),
    /// A number or a literal in bits.
    Bits(Bits),
    /// A number: exactly one guard holds, and the term next to it is the value.
    Cases(Vec<(Bdd, Linear)>),
    /// Not computed.
    Opaque,
}

/// The largest number of cases of a numeric expression.
const CASES: usize = 256;

/// The diagrams of a game.
pub(crate) struct Arena<'g, 'b> {
    pub(crate) game: &'g Game,
    pub(crate) m: Manager,
    pub(crate) meanings: Vec<Meaning>,
    /// The bits of each variable, if it has any.
    pub(crate) blocks: Vec<Option<Block>>,
    pub(crate) owners: Vec<Owner>,
    /// The atoms in the order in which diagrams test them.
    atoms: BTreeMap<(Reverse<usize>, Atom), u32>,
    /// Where each number is in the order of elimination.
    turns: Vec<usize>,
    /// Diagrams without what thresholds of one form imply, diagrams without a number, and bounds of numbers (`quantify`).
    pub(crate) tidied: FxHashMap<Bdd, Bdd>,
    pub(crate) projected: FxHashMap<(Bdd, Var), Bdd>,
    pub(crate) bounds: Bounds,
    lowered: FxHashMap<Expr, Lowered>,
    opaque: FxHashMap<Expr, Bdd>,
    choice: Choice,
    pub(crate) pins: Pins,
    pub(crate) budget: Budget<'b>,
    /// The number of checks of limits.
    pub(crate) checks: Cell<usize>,
    /// The value of each bit and atom of the state at the first step, and at the next one.
    first: FxHashMap<u32, Bdd>,
    next: FxHashMap<u32, Bdd>,
}

impl<'g, 'b> Arena<'g, 'b> {
    pub(crate) fn new(game: &'g Game, choice: Choice, pins: Pins, budget: Budget<'b>) -> Arena<'g, 'b> {
        let count = game.system.variables.len();
        let mut owners = vec![Owner::Environment; count];
        game.outputs.iter().for_each(|it| owners[it.index()] = Owner::System);
        game.system.state.iter().for_each(|it| owners[it.var.index()] = Owner::State);
        let mut arena = Arena {
            game,
            m: Manager::with_limit(budget.nodes),
            meanings: Vec::new(),
            blocks: vec![None; count],
            owners,
            atoms: BTreeMap::new(),
            turns: vec![usize::MAX; count],
            tidied: FxHashMap::default(),
            projected: FxHashMap::default(),
            bounds: Bounds::default(),
            lowered: FxHashMap::default(),
            opaque: FxHashMap::default(),
            choice,
            pins,
            budget,
            checks: Cell::new(0),
            first: FxHashMap::default(),
            next: FxHashMap::default(),
        };
        arena.place();
        let players = match choice.order {
            Order::Mealy => [Owner::System, Owner::Environment, Owner::State],
            Order::Moore => [Owner::Environment, Owner::System, Owner::State],
        };
        let numbers: Vec<Var> = players.into_iter().flat_map(|it| arena.numbers_of(it)).collect();
        numbers.into_iter().enumerate().for_each(|(turn, it)| arena.turns[it.index()] = turn);
        arena
    }

    /// Gives bits to all variables that have them: guarantee by guarantee, so that what is used together is close together.
    fn place(&mut self) {
        let game = self.game;
        let ranges = ranges(game);
        let mut placed = vec![false; game.system.variables.len()];
        let roots = game.guarantees.iter().enumerate().map(|(index, it)| (Some(index), it.roots().collect()));
        let assumed = game.system.assumptions.iter().chain(&game.fair).copied().collect();
        let rest: Vec<(Option<usize>, Vec<Expr>)> = roots.chain([(None, assumed)]).collect();
        let mut order: Vec<(Option<usize>, Vec<Var>)> = Vec::new();
        for (index, roots) in rest {
            let mut cone: Vec<Var> = game.cone(roots).into_iter().collect();
            cone.sort_unstable();
            order.push((index, cone));
        }
        // Counters change slowly, and what no guarantee mentions is the memory of goals: above everything else they multiply the diagrams
        // less than below it.
        let mentioned = order.iter().flat_map(|it| &it.1).copied();
        let counters: Vec<Var> = mentioned.clone().filter(|it| ranges.contains_key(it)).collect();
        let mentioned: FxHashSet<Var> = mentioned.collect();
        let all = game.system.state.iter().map(|it| it.var).chain(game.system.inputs.iter().copied());
        let others = all.filter(|it| !mentioned.contains(it)).collect();
        order.splice(0..0, [(None, others), (None, counters)]);
        for (index, vars) in order {
            if let Some(index) = index.filter(|_| self.choice.selectors) {
                self.meanings.push(Meaning::Selector(index));
            }
            for var in vars {
                if !std::mem::replace(&mut placed[var.index()], true) {
                    self.give_bits(var, ranges.get(&var).copied());
                }
            }
        }
    }

    fn give_bits(&mut self, var: Var, range: Option<u64>) {
        let system = &self.game.system;
        let size = match (system.variables[var.index()].ty, range) {
            (Type::Bool, _) => 2,
            (Type::Enum(id), _) => system.pool.enumeration(id).literals.len() as u64,
            (Type::Int, Some(top)) => top.saturating_add(1),
            (Type::Int | Type::Real | Type::Machine(_), _) => return,
        };
        let width = u64::BITS - size.saturating_sub(1).leading_zeros();
        let first = self.meanings.len() as u32;
        self.meanings.extend((0..width).map(|bit| Meaning::Bit(var, bit)));
        self.blocks[var.index()] = Some(Block { first, width, size });
    }

    pub(crate) fn type_of(&self, var: Var) -> Type {
        self.game.system.variables[var.index()].ty
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.meanings.iter().any(|it| matches!(it, Meaning::Opaque(_)))
    }

    /// What the environment chooses after the outputs: comparisons that cannot be computed and depend on outputs, if it chooses them. A
    /// system that saw them before would choose outputs for which they are different.
    pub(crate) fn chosen_last(&self) -> Variables {
        let is_output = |var: &Var| self.owners[var.index()] == Owner::System;
        let is_last = |it: &u32| match &self.meanings[*it as usize] {
            Meaning::Opaque(Some(expr)) => self.game.system.pool.variables([*expr]).iter().any(is_output),
            Meaning::Opaque(None) => true,
            _ => false,
        };
        let mine = self.choice.opaque == Owner::Environment;
        (0..self.meanings.len() as u32).filter(|_| mine).filter(is_last).collect()
    }

    /// Whose bit or atom a variable of the diagrams is: the state's only if nothing else occurs in it.
    pub(crate) fn owner(&self, variable: u32) -> Owner {
        match &self.meanings[variable as usize] {
            Meaning::Bit(var, _) => self.owners[var.index()],
            Meaning::Opaque(_) => self.choice.opaque,
            Meaning::Selector(_) => Owner::State,
            Meaning::Atom(atom) => {
                let owners = atom.form.iter().map(|it| self.owners[it.0.index()]);
                owners.fold(Owner::State, |all, it| match (all, it) {
                    (Owner::System, _) | (_, Owner::System) => Owner::System,
                    (Owner::Environment, _) | (_, Owner::Environment) => Owner::Environment,
                    (Owner::State, Owner::State) => Owner::State,
                })
            }
        }
    }

    /// The bits of a player, without atoms.
    pub(crate) fn bits_of(&self, owner: Owner) -> Variables {
        let is_bit = |it: &u32| !matches!(self.meanings[*it as usize], Meaning::Atom(_));
        (0..self.meanings.len() as u32).filter(is_bit).filter(|it| self.owner(*it) == owner).collect()
    }

    /// The numbers of a player that atoms may be about.
    pub(crate) fn numbers_of(&self, owner: Owner) -> Vec<Var> {
        let system = &self.game.system;
        let all = system.state.iter().map(|it| it.var).chain(system.inputs.iter().copied());
        all.filter(|it| self.blocks[it.index()].is_none() && self.owners[it.index()] == owner).collect()
    }

    /// Numbers of a player such that products that are not linear would be linear if these numbers were constants: those of one factor
    /// of each product, if the player chooses all of them.
    pub(crate) fn factors(&self, owner: Owner) -> Vec<Var> {
        let system = &self.game.system;
        let pool = &system.pool;
        let guarantees = self.game.guarantees.iter().flat_map(Guarantee::roots);
        let assumed = system.assumptions.iter().chain(&self.game.domain).copied();
        let later = system.state.iter().map(|it| it.next);
        let mut found: Vec<Var> = Vec::new();
        for expr in pool.reachable(guarantees.chain(assumed).chain(later)) {
            let sides = match pool.node(expr) {
                Node::Mul(a, b) => vec![*a, *b],
                Node::Div(_, b) => vec![*b],
                _ => continue,
            };
            let sides: Vec<Vec<Var>> = sides.into_iter().map(|it| pool.variables([it])).collect();
            if sides.iter().any(Vec::is_empty) {
                continue;
            }
            let is_mine = |var: &Var| self.owners[var.index()] == owner && self.blocks[var.index()].is_none();
            let mine = sides.into_iter().filter(|it| it.iter().all(is_mine));
            found.extend(mine.min_by_key(Vec::len).unwrap_or_default());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The diagram of a selector: constantly true in a game without selectors.
    pub(crate) fn selector(&mut self, guarantee: usize) -> Bdd {
        match self.meanings.iter().position(|it| *it == Meaning::Selector(guarantee)) {
            Some(place) => self.m.variable(place as u32),
            None => Bdd::TRUE,
        }
    }

    /// The values of an enumeration or counter that exist.
    pub(crate) fn valid(&mut self, owner: Owner) -> Bdd {
        let blocks: Vec<Block> = (0..self.blocks.len())
            .filter(|it| self.owners[*it] == owner)
            .filter_map(|it| self.blocks[it])
            .filter(|it| !it.size.is_power_of_two())
            .collect();
        blocks.into_iter().fold(Bdd::TRUE, |all, block| {
            let bits = self.block_bits(block);
            let last = Bits::constant(&IBig::from(block.size - 1));
            let valid = bits::at_most(&mut self.m, &bits, &last);
            self.m.and(all, valid)
        })
    }

    /// The counters that a function depends on.
    pub(crate) fn counters_in(&self, f: Bdd) -> Vec<Var> {
        let counter = |it: u32| match self.meanings[it as usize] {
            Meaning::Bit(var, _)
                if self.type_of(var) == Type::Int && self.owners[var.index()] == Owner::State =>
            {
                Some(var)
            }
            _ => None,
        };
        let mut found: Vec<Var> = self.m.support(f).iter().filter_map(counter).collect();
        found.dedup();
        found
    }

    /// The bits of a variable.
    pub(crate) fn block(&self, var: Var) -> Variables {
        self.blocks[var.index()].into_iter().flat_map(|it| it.first..it.first + it.width).collect()
    }

    /// Whether the next value of a counter is greater than this one; or less.
    pub(crate) fn moves_on(&mut self, counter: Var, grows: bool) -> Bdd {
        let (Some(block), Some(next)) = (self.blocks[counter.index()], self.next_expr(counter)) else {
            return Bdd::FALSE;
        };
        let next = self.lower(next);
        let Some(next) = self.in_bits(&next) else { return Bdd::FALSE };
        let now = self.block_bits(block);
        let (more, less) = if grows { (next, now) } else { (now, next) };
        let at_most = bits::at_most(&mut self.m, &more, &less);
        self.m.not(at_most)
    }

    fn block_bits(&mut self, block: Block) -> Bits {
        let bits = (0..block.width).rev().map(|it| self.m.variable(block.first + it));
        Bits::unsigned(bits.collect())
    }

    /// The comparison `term < 0` or `term <= 0`.
    pub(crate) fn below_zero(&mut self, term: &Linear, or_equal: bool) -> Bdd {
        let variables = &self.game.system.variables;
        let literal = below_zero(term, or_equal, &|var| variables[var.index()].ty == Type::Int);
        match literal {
            Literal::Constant(value) => Bdd::constant(value),
            Literal::Atom(atom, positive) => {
                let variable = self.atom(atom);
                let atom = self.m.variable(variable);
                if positive { atom } else { self.m.not(atom) }
            }
        }
    }

    /// The variable of an atom.
    fn atom(&mut self, atom: Atom) -> u32 {
        let turn = atom.form.iter().map(|it| self.turn(it.0)).min().unwrap_or(usize::MAX);
        let key = (Reverse(turn), atom);
        if let Some(known) = self.atoms.get(&key) {
            return *known;
        }
        let variable = self.meanings.len() as u32;
        self.meanings.push(Meaning::Atom(key.1.clone()));
        if let Some((_, following)) = self.atoms.range(&key..).next() {
            self.m.insert(variable, *following);
        }
        self.atoms.insert(key, variable);
        variable
    }

    /// The place of a number in the order of elimination.
    pub(crate) fn turn(&self, var: Var) -> usize {
        self.turns[var.index()]
    }

    /// The atoms that a function depends on.
    pub(crate) fn atoms_in(&self, f: Bdd) -> Vec<(u32, Atom)> {
        let support = self.m.support(f);
        let atom = |it: u32| match &self.meanings[it as usize] {
            Meaning::Atom(atom) => Some((it, atom.clone())),
            _ => None,
        };
        support.iter().filter_map(atom).collect()
    }

    pub(crate) fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// A Boolean expression as a diagram.
    pub(crate) fn truth(&mut self, expr: Expr) -> Bdd {
        match self.lower(expr) {
            Lowered::Truth(bdd) => bdd,
            _ => self.unknown(expr),
        }
    }

    /// The bit that stands for a comparison that cannot be computed.
    fn unknown(&mut self, expr: Expr) -> Bdd {
        if let Some(known) = self.opaque.get(&expr) {
            return *known;
        }
        let variable = self.fresh_opaque(Some(expr));
        self.opaque.insert(expr, variable);
        variable
    }

    fn fresh_opaque(&mut self, of: Option<Expr>) -> Bdd {
        let variable = self.meanings.len() as u32;
        self.meanings.push(Meaning::Opaque(of));
        if let Some((_, atom)) = self.atoms.first_key_value() {
            self.m.insert(variable, *atom);
        }
        self.m.variable(variable)
    }

    /// The functions that take the state one step forward, for everything that a set of states depends on: the list has an entry for
    /// each variable of the diagrams.
    pub(crate) fn step(&mut self, states: Bdd) -> Vec<Bdd> {
        let support: Vec<u32> = self.m.support(states).iter().collect();
        for variable in support {
            if !self.next.contains_key(&variable) && self.owner(variable) == Owner::State {
                let next = self.next_of(variable);
                self.next.insert(variable, next);
            }
        }
        (0..self.meanings.len() as u32)
            .map(|it| match self.next.get(&it) {
                Some(next) => *next,
                None => self.m.variable(it),
            })
            .collect()
    }

    fn next_of(&mut self, variable: u32) -> Bdd {
        match self.meanings[variable as usize].clone() {
            Meaning::Bit(var, bit) => {
                let (Some(next), Some(block)) = (self.next_expr(var), self.blocks[var.index()]) else {
                    return self.m.variable(variable);
                };
                match self.lower(next) {
                    Lowered::Truth(bdd) => bdd,
                    Lowered::Bits(bits) => bits.bit(block.width - 1 - bit),
                    other => match self.in_bits(&other) {
                        Some(bits) => bits.bit(block.width - 1 - bit),
                        None => self.fresh_opaque(None),
                    },
                }
            }
            Meaning::Atom(atom) => {
                let mut values: Vec<(Var, Lowered)> = Vec::new();
                for (var, _) in &atom.form {
                    if let Some(next) = self.next_expr(*var) {
                        values.push((*var, self.lower(next)));
                    }
                }
                self.substituted(&atom, &values).unwrap_or_else(|| self.fresh_opaque(None))
            }
            Meaning::Opaque(_) | Meaning::Selector(_) => self.m.variable(variable),
        }
    }

    fn next_expr(&self, var: Var) -> Option<Expr> {
        self.game.system.state_of(var).map(|it| it.next)
    }

    /// An atom with values for all its variables.
    fn substituted(&mut self, atom: &Atom, values: &[(Var, Lowered)]) -> Option<Bdd> {
        let mut cases = vec![(Bdd::TRUE, Linear::constant(-atom.limit.clone()))];
        for (var, coefficient) in &atom.form {
            let (_, Lowered::Cases(with)) = values.iter().find(|it| it.0 == *var)? else { return None };
            let coefficient = RBig::from(coefficient.clone());
            let mut new = Vec::new();
            for (guard, term) in &cases {
                for (other, value) in with {
                    let both = self.m.and(*guard, *other);
                    if both != Bdd::FALSE {
                        new.push((both, term.plus(&coefficient, value)));
                    }
                }
            }
            cases = self.merged(new)?;
        }
        Some(cases.into_iter().fold(Bdd::FALSE, |all, (guard, term)| {
            let holds = self.below_zero(&term, atom.or_equal);
            let here = self.m.and(guard, holds);
            self.m.or(all, here)
        }))
    }

    /// Cases with equal terms joined; `None` if there are too many.
    fn merged(&mut self, cases: Vec<(Bdd, Linear)>) -> Option<Vec<(Bdd, Linear)>> {
        let mut places: FxHashMap<Linear, usize> = FxHashMap::default();
        let mut merged: Vec<(Bdd, Linear)> = Vec::new();
        for (guard, term) in cases {
            match places.get(&term) {
                Some(&place) => merged[place].0 = self.m.or(merged[place].0, guard),
                None => {
                    places.insert(term.clone(), merged.len());
                    merged.push((guard, term));
                }
            }
        }
        (merged.len() <= CASES).then_some(merged)
    }

    /// A set of states with the initial value of each bit and atom in its place, where the state has one.
    pub(crate) fn initially(&mut self, states: Bdd) -> Bdd {
        let support: Vec<u32> = self.m.support(states).iter().collect();
        for variable in support {
            if !self.first.contains_key(&variable) {
                let value = self.first_of(variable);
                self.first.insert(variable, value);
            }
        }
        let start: Vec<Bdd> = (0..self.meanings.len() as u32)
            .map(|it| match self.first.get(&it) {
                Some(first) => *first,
                None => self.m.variable(it),
            })
            .collect();
        self.m.compose(states, &start)
    }

    /// The initial value of a bit or atom; itself if it is not fixed.
    fn first_of(&mut self, variable: u32) -> Bdd {
        let value = match self.meanings[variable as usize].clone() {
            Meaning::Bit(var, bit) => self.initial(var).and_then(|value| {
                let block = self.blocks[var.index()]?;
                let number = match value {
                    Value::Bool(value) => u64::from(value),
                    Value::Enum(place) => u64::from(place),
                    Value::Int(number) => u64::try_from(number).ok()?,
                    Value::Real(_) | Value::Machine(_) | Value::Undefined => return None,
                };
                Some(Bdd::constant(number >> (block.width - 1 - bit) & 1 == 1))
            }),
            Meaning::Atom(atom) => {
                let mut term = atom.linear();
                term.constant -= &atom.limit;
                for (var, _) in &atom.form {
                    let number = match self.initial(*var) {
                        Some(Value::Int(number)) => RBig::from(number),
                        Some(Value::Real(number)) => number,
                        _ => continue,
                    };
                    term = term.replace(*var, &Linear::constant(number));
                }
                Some(self.below_zero(&term, atom.or_equal))
            }
            Meaning::Opaque(_) | Meaning::Selector(_) => None,
        };
        value.unwrap_or_else(|| self.m.variable(variable))
    }

    /// The value of a state at the first step, if it is fixed.
    pub(crate) fn initial(&self, var: Var) -> Option<Value> {
        let init = self.game.system.state_of(var)?.init?;
        match system::evaluate::<RBig>(&self.game.system.pool, init, |_| Value::Undefined) {
            Value::Undefined => None,
            value => Some(value),
        }
    }
}

/// The states with a range from 0 on, by the lemmas.
fn ranges(game: &Game) -> FxHashMap<Var, u64> {
    let pool = &game.system.pool;
    let mut found: FxHashMap<Var, (bool, Option<u64>)> = FxHashMap::default();
    for lemma in &game.system.lemmas {
        let Node::Le(a, b) = pool.node(*lemma) else { continue };
        match (pool.node(*a), pool.node(*b)) {
            (Node::Int(low), Node::Var(var)) if low.is_zero() => found.entry(*var).or_default().0 = true,
            (Node::Var(var), Node::Int(high)) => {
                found.entry(*var).or_default().1 = u64::try_from(high.clone()).ok();
            }
            _ => {}
        }
    }
    let is_state = |var: &Var| game.system.state_of(*var).is_some();
    found
        .into_iter()
        .filter(|(var, (from_zero, _))| *from_zero && is_state(var))
        .filter_map(|(var, (_, top))| Some((var, top?)))
        .collect()
}
