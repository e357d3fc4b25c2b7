//! From automata to expressions, by state elimination (Brzozowski, McCluskey 1963) on a graph whose edges are labelled with expressions.
//!
//! Edges to the sink carry the infinite remainders. A state q with the loop r leaves `r^ω + r* …` if the runs that visit it forever
//! are accepting. That is the case if no cycle through q among the eliminated states avoids the accepting states, and not the case if
//! every one does; a state with cycles of both kinds could never be eliminated, so no elimination may cause that. The result has one
//! term per state with a loop, and none for states that are visited only once. Orders: least growth first (Delgado, Morais 2004), and
//! variations of it.

pub(crate) mod candidates;
pub(crate) mod graph;

use crate::eliminate::graph::{Chance, Graph};
use crate::expression::{Expr, Expressions};
use crate::limit::{Fuel, Limit};
use crate::simplify::Simplified;
use omega::Buchi;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of words of an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Words {
    /// Finite words: a run ends in an accepting state.
    Finite,
    /// Infinite words: a run visits accepting states infinitely often.
    Infinite,
}

/// An order of elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The state whose elimination makes the graph grow least.
    Least,
    /// The same with randomly changed weights; the number is the seed.
    Varied(u64),
    /// The permutation with this number, of the states that remain after chains are contracted.
    Permutation(u64),
}

/// The expressions of an automaton: the graph, ready to be eliminated in several orders.
#[derive(Debug, Clone)]
pub struct Elimination {
    graph: Graph,
    words: Words,
    accepting: Vec<bool>,
    /// The successors of each state within its component.
    inside: Vec<Vec<u32>>,
    /// The predecessors of each state within its component.
    inside_back: Vec<Vec<u32>>,
    component: Vec<u32>,
}

impl Elimination {
    /// The graph of an automaton whose guards are those of the arena, with chains contracted.
    pub fn new(arena: &mut Expressions, automaton: &Buchi, words: Words) -> Elimination {
        let count = automaton.steps.len() as u32;
        let (source, sink) = (count, count + 1);
        let mut graph = Graph {
            out: vec![BTreeMap::new(); count as usize + 2],
            into: vec![BTreeSet::new(); count as usize + 2],
            live: (0..count).collect(),
            source,
            sink,
        };
        graph.add(arena, source, automaton.initial, Expr::EPSILON);
        for (state, steps) in automaton.steps.iter().enumerate() {
            for step in steps {
                let letter = arena.step(step.guard);
                graph.add(arena, state as u32, step.target, letter);
            }
            if words == Words::Finite && automaton.accepting[state] {
                graph.add(arena, state as u32, sink, Expr::EPSILON);
            }
        }
        let targets: Vec<Vec<u32>> =
            automaton.steps.iter().map(|steps| steps.iter().map(|step| step.target).collect()).collect();
        let component = base::components(targets.len(), |state| targets[state as usize].iter().copied()).of;
        let inside: Vec<Vec<u32>> = (0..count as usize)
            .map(|state| {
                let same = |&target: &u32| component[target as usize] == component[state];
                targets[state].iter().copied().filter(same).collect()
            })
            .collect();
        let mut inside_back = vec![Vec::new(); count as usize];
        for (state, list) in inside.iter().enumerate() {
            list.iter().for_each(|&target| inside_back[target as usize].push(state as u32));
        }
        let mut elimination = Elimination {
            graph,
            words,
            accepting: automaton.accepting.clone(),
            inside,
            inside_back,
            component,
        };
        elimination.contract(arena);
        elimination
    }

    /// The number of states to eliminate.
    pub fn states(&self) -> usize {
        self.graph.live.len()
    }

    /// The expression for an order of elimination.
    pub fn run(
        &self,
        arena: &mut Expressions,
        known: &mut Simplified,
        order: Order,
        size: u64,
        fuel: &mut Fuel,
    ) -> Result<Expr, Limit> {
        let mut graph = self.graph.clone();
        let mut gone = vec![false; self.accepting.len()];
        (0..gone.len()).for_each(|state| gone[state] = !graph.live.contains(&(state as u32)));
        let mut chance = Chance::of(order);
        while !graph.live.is_empty() {
            fuel.burn(graph.live.len() as u64)?;
            let ranked = graph.ranked(arena, order, &mut chance);
            let next = ranked.into_iter().find(|&state| self.may_go(&graph, &gone, state));
            // Those that do not accept can go first and those that do afterwards, so there is always one.
            let state = next.ok_or(Limit::States)?;
            let endless = self.words == Words::Infinite && self.endless(&gone, state) == Some(true);
            graph.eliminate(arena, known, state, endless, size, fuel)?;
            gone[state as usize] = true;
        }
        Ok(graph.label(graph.source, graph.sink))
    }

    /// The paths to a state for the first time, and the paths from it back to it, without visiting some others.
    pub(crate) fn around_state(
        &self,
        arena: &mut Expressions,
        known: &mut Simplified,
        (state, without): (u32, &[u32]),
        order: Order,
        size: u64,
        fuel: &mut Fuel,
    ) -> Result<(Expr, Expr), Limit> {
        let mut chance = Chance::of(order);
        let mut graph = self.graph.clone();
        without.iter().for_each(|&other| graph.isolate(other));
        graph.live.retain(|&other| other != state);
        while !graph.live.is_empty() {
            fuel.burn(graph.live.len() as u64)?;
            let next = graph.ranked(arena, order, &mut chance)[0];
            graph.eliminate(arena, known, next, false, size, fuel)?;
        }
        Ok((graph.label(graph.source, state), graph.label(state, state)))
    }

    /// Smallest sets of accepting states such that every accepting run visits one infinitely often: some of them, or one set with all.
    pub(crate) fn hitting_sets(&self) -> Vec<Vec<u32>> {
        let accepting: Vec<u32> =
            self.graph.live.iter().copied().filter(|&state| self.accepting[state as usize]).collect();
        let gone = |without: &[u32]| -> Vec<bool> {
            (0..self.accepting.len() as u32).map(|state| !without.contains(&state)).collect()
        };
        let hits = |set: &[u32]| {
            let allowed = gone(set);
            accepting
                .iter()
                .filter(|state| !set.contains(state))
                .all(|&state| self.around(&allowed, state, |_| true).is_empty())
        };
        if accepting.len() > 8 {
            return vec![accepting];
        }
        let mut subsets: Vec<Vec<u32>> = (0..1u32 << accepting.len())
            .map(|mask| (0..accepting.len()).filter(|k| mask >> k & 1 == 1).map(|k| accepting[k]).collect())
            .collect();
        subsets.sort_by_key(Vec::len);
        let mut found: Vec<Vec<u32>> = Vec::new();
        for subset in subsets {
            if found.first().is_some_and(|first| first.len() < subset.len()) {
                break;
            }
            if hits(&subset) {
                found.push(subset);
            }
        }
        found
    }

    /// Whether the runs that visit a state forever, and otherwise only eliminated states, are accepting: all, none, or `None` if
    /// mixed.
    fn endless(&self, gone: &[bool], state: u32) -> Option<bool> {
        if self.accepting[state as usize] {
            return Some(true);
        }
        let around = self.around(gone, state, |_| true);
        if !around.iter().any(|&other| self.accepting[other as usize]) {
            return Some(false);
        }
        let avoiding = self.around(gone, state, |other| !self.accepting[other as usize]);
        if avoiding.is_empty() { Some(true) } else { None }
    }

    /// The states on cycles through a state among the eliminated and allowed ones; empty if there is no cycle.
    fn around(&self, gone: &[bool], state: u32, allowed: impl Fn(u32) -> bool) -> Vec<u32> {
        let reach = |next: &[Vec<u32>]| {
            let mut seen: BTreeSet<u32> = BTreeSet::new();
            let mut stack = vec![state];
            while let Some(at) = stack.pop() {
                for &other in &next[at as usize] {
                    let ok = other == state || (gone[other as usize] && allowed(other));
                    if ok && seen.insert(other) {
                        stack.push(other);
                    }
                }
            }
            seen
        };
        let after = reach(&self.inside);
        if !after.contains(&state) {
            return Vec::new();
        }
        after.intersection(&reach(&self.inside_back)).copied().collect()
    }

    /// Whether a state may be eliminated now, so that all others can still be eliminated after it.
    fn may_go(&self, graph: &Graph, gone: &[bool], state: u32) -> bool {
        if self.words == Words::Finite {
            return true;
        }
        if self.endless(gone, state).is_none() {
            return false;
        }
        let waiting: Vec<u32> = graph
            .live
            .iter()
            .copied()
            .filter(|&other| {
                other != state
                    && !self.accepting[other as usize]
                    && self.component[other as usize] == self.component[state as usize]
            })
            .collect();
        if waiting.is_empty() {
            return true;
        }
        if waiting.len() > 64 {
            return !self.accepting[state as usize];
        }
        let mut gone = gone.to_vec();
        gone[state as usize] = true;
        waiting.iter().all(|&other| self.endless(&gone, other).is_some())
    }

    /// Contracts chains of states with one predecessor and one successor, all at once: long ones would be copied repeatedly.
    fn contract(&mut self, arena: &mut Expressions) {
        let count = self.accepting.len();
        let mut kinds: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
        for state in 0..count {
            let kind = kinds.entry(self.component[state]).or_default();
            if self.accepting[state] { kind.0 = true } else { kind.1 = true }
        }
        let inner: Vec<bool> = (0..count as u32)
            .map(|state| {
                let mixed = kinds[&self.component[state as usize]] == (true, true);
                let graph = &self.graph;
                let (out, into) = (&graph.out[state as usize], &graph.into[state as usize]);
                out.len() == 1
                    && into.len() == 1
                    && !out.contains_key(&state)
                    && !into.contains(&graph.source)
                    && !(mixed && self.accepting[state as usize])
            })
            .collect();
        let is_inner = |state: u32| inner.get(state as usize).copied().unwrap_or(false);
        for from in (0..count as u32 + 1).filter(|&state| !is_inner(state)) {
            let heads: Vec<(u32, Expr)> = self.graph.out[from as usize]
                .iter()
                .map(|(&to, &label)| (to, label))
                .filter(|&(to, _)| is_inner(to))
                .collect();
            for (head, label) in heads {
                let mut labels = vec![label];
                let mut at = head;
                self.graph.remove(from, head);
                while is_inner(at) {
                    let Some((&next, &label)) = self.graph.out[at as usize].iter().next() else { break };
                    self.graph.remove(at, next);
                    labels.push(label);
                    at = next;
                }
                let label = arena.sequence(labels);
                self.graph.add(arena, from, at, label);
            }
        }
        let graph = &mut self.graph;
        let (out, into) = (&graph.out, &graph.into);
        graph.live.retain(|&state| !(out[state as usize].is_empty() && into[state as usize].is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check::has_language;
    use crate::testing::small_expressions;
    use crate::to_buchi;
    use omega::{Guard, Guards, Step};

    /// Round trip: the automaton of an expression, and an expression of that automaton, in several orders.
    #[test]
    fn every_order_keeps_the_language() {
        let (mut arena, finite, infinite) = small_expressions();
        for (list, words) in [(finite, Words::Finite), (infinite, Words::Infinite)] {
            for &expr in list.iter().step_by(19) {
                let automaton = to_buchi(&arena, &[], expr).expect("an automaton");
                let elimination = Elimination::new(&mut arena, &automaton, words);
                for order in [Order::Least, Order::Varied(1), Order::Varied(2), Order::Permutation(5)] {
                    let mut known = Simplified::default();
                    let fuel = &mut Fuel::new(10_000_000);
                    let found =
                        elimination.run(&mut arena, &mut known, order, 10_000, fuel).expect("an expression");
                    assert_eq!(has_language(&mut arena, found, &automaton, words, fuel), Ok(true));
                }
            }
        }
    }

    /// A long path into a long cycle is one sequence and one ω, and does not take long.
    #[test]
    fn long_chains() {
        let mut guards = Guards::default();
        let a = guards.variable(0);
        let b = guards.not(a);
        let count = 20_000;
        let steps = (0..count)
            .map(|state| {
                let guard = if state % 3 == 0 { a } else { b };
                vec![Step { guard, target: if state + 1 == count { 7_000 } else { state + 1 } }]
            })
            .collect();
        let accepting = vec![true; count as usize];
        let automaton = Buchi { guards: guards.clone(), atoms: Vec::new(), initial: 0, steps, accepting };
        let mut arena = Expressions::new(guards);
        let elimination = Elimination::new(&mut arena, &automaton, Words::Infinite);
        let fuel = &mut Fuel::new(1_000_000);
        let expr = elimination.run(&mut arena, &mut Simplified::default(), Order::Least, 1_000_000, fuel);
        let measure = expr.map(|expr| *arena.measure(expr));
        assert_eq!(measure.map(|measure| (measure.length, measure.star_height)), Ok((20_000, 0)));
        assert_ne!(a, Guard::TRUE);
    }
}
