//! Graphs whose edges are labelled with expressions, and the elimination of a state from them.

use crate::eliminate::Order;
use crate::expression::{Expr, Expressions};
use crate::limit::{Fuel, Limit};
use crate::simplify::{Simplified, simplify};
use base::SplitMix;
use std::collections::{BTreeMap, BTreeSet};

/// States with expressions between them; the source and the sink stay.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) out: Vec<BTreeMap<u32, Expr>>,
    pub(crate) into: Vec<BTreeSet<u32>>,
    /// The states to eliminate.
    pub(crate) live: Vec<u32>,
    pub(crate) source: u32,
    pub(crate) sink: u32,
}

impl Graph {
    /// The label of the edge from one state to another.
    pub(crate) fn label(&self, from: u32, to: u32) -> Expr {
        self.out[from as usize].get(&to).copied().unwrap_or(Expr::EMPTY)
    }

    /// Cuts a state off.
    pub(crate) fn isolate(&mut self, state: u32) {
        let outs: Vec<u32> = self.out[state as usize].keys().copied().collect();
        let ins: Vec<u32> = self.into[state as usize].iter().copied().collect();
        outs.into_iter().for_each(|to| self.remove(state, to));
        ins.into_iter().for_each(|from| self.remove(from, state));
        self.live.retain(|&other| other != state);
    }

    /// The states, sorted by an order of elimination.
    pub(crate) fn ranked(&self, arena: &Expressions, order: Order, chance: &mut Chance) -> Vec<u32> {
        let mut weight = |state: u32| match order {
            Order::Least => self.weight(arena, state),
            Order::Varied(_) => self.weight(arena, state).saturating_mul(2 + chance.below(7)),
            Order::Permutation(_) => 0,
        };
        let mut ranked: Vec<(u64, u32)> = self.live.iter().map(|&state| (weight(state), state)).collect();
        ranked.sort_unstable();
        if let Order::Permutation(_) = order {
            let first = chance.digit(ranked.len() as u64) as usize;
            ranked.rotate_left(first);
        }
        ranked.into_iter().map(|(_, state)| state).collect()
    }

    pub(crate) fn add(&mut self, arena: &mut Expressions, from: u32, to: u32, label: Expr) {
        if label == Expr::EMPTY {
            return;
        }
        let old = self.out[from as usize].get(&to).copied().unwrap_or(Expr::EMPTY);
        let label = arena.union([old, label]);
        self.out[from as usize].insert(to, label);
        self.into[to as usize].insert(from);
    }

    pub(crate) fn remove(&mut self, from: u32, to: u32) {
        self.out[from as usize].remove(&to);
        self.into[to as usize].remove(&from);
    }

    /// The growth of the expressions if a state is eliminated.
    fn weight(&self, arena: &Expressions, state: u32) -> u64 {
        let size = |from: u32, to: u32| {
            self.out[from as usize].get(&to).map_or(0, |&label| arena.measure(label).size)
        };
        let ins: Vec<u32> =
            self.into[state as usize].iter().copied().filter(|&other| other != state).collect();
        let outs: Vec<u32> =
            self.out[state as usize].keys().copied().filter(|&other| other != state).collect();
        let (n, m) = (ins.len() as u64, outs.len() as u64);
        let entering: u64 = ins.iter().map(|&from| size(from, state)).fold(0, u64::saturating_add);
        let leaving: u64 = outs.iter().map(|&to| size(state, to)).fold(0, u64::saturating_add);
        entering
            .saturating_mul(m.saturating_sub(1))
            .saturating_add(leaving.saturating_mul(n.saturating_sub(1)))
            .saturating_add(size(state, state).saturating_mul((n * m).saturating_sub(1)))
    }

    /// Eliminates a state: every path through it becomes an edge. If it is `endless`, its loop may also repeat forever.
    pub(crate) fn eliminate(
        &mut self,
        arena: &mut Expressions,
        known: &mut Simplified,
        state: u32,
        endless: bool,
        limit: u64,
        fuel: &mut Fuel,
    ) -> Result<(), Limit> {
        let cycle = self.out[state as usize].get(&state).copied().unwrap_or(Expr::EMPTY);
        self.remove(state, state);
        let ins: Vec<(u32, Expr)> =
            self.into[state as usize].iter().map(|&from| (from, self.out[from as usize][&state])).collect();
        let mut outs: Vec<(u32, Expr)> =
            self.out[state as usize].iter().map(|(&to, &label)| (to, label)).collect();
        ins.iter().for_each(|&(from, _)| self.remove(from, state));
        outs.iter().for_each(|&(to, _)| self.remove(state, to));
        self.live.retain(|&other| other != state);
        let star = arena.star(cycle);
        for (_, label) in &mut outs {
            let whole = arena.sequence([star, *label]);
            *label = simplify(arena, known, whole);
        }
        if endless {
            let forever = arena.omega(cycle);
            match outs.iter_mut().find(|(to, _)| *to == self.sink) {
                Some((_, label)) => {
                    let both = arena.union([*label, forever]);
                    *label = simplify(arena, known, both);
                }
                None if forever != Expr::EMPTY => outs.push((self.sink, forever)),
                None => {}
            }
        }
        for &(from, entering) in &ins {
            for &(to, leaving) in &outs {
                let way = arena.sequence([entering, leaving]);
                let old = self.out[from as usize].get(&to).copied().unwrap_or(Expr::EMPTY);
                let both = arena.union([old, way]);
                if arena.measure(both).size > limit {
                    return Err(Limit::Size);
                }
                let before = arena.len();
                let label = simplify(arena, known, both);
                fuel.burn(20 + arena.measure(both).size.min(2000) + 400 * (arena.len() - before) as u64)?;
                if label != Expr::EMPTY {
                    self.out[from as usize].insert(to, label);
                    self.into[to as usize].insert(from);
                }
            }
        }
        Ok(())
    }
}

/// The random choices of an order of elimination: random numbers from its seed, or the digits of its permutation.
pub(crate) struct Chance {
    random: SplitMix,
    permutation: u64,
}

impl Chance {
    pub(crate) fn of(order: Order) -> Chance {
        let seed = match order {
            Order::Varied(seed) | Order::Permutation(seed) => seed,
            Order::Least => 0,
        };
        Chance { random: SplitMix::new(seed), permutation: seed }
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.random.bits() >> 33) % bound
    }

    fn digit(&mut self, base: u64) -> u64 {
        let digit = self.permutation % base;
        self.permutation /= base;
        digit
    }
}
