//! What reactions make of a state before time passes: a finite graph, whose sinks are the stable states.
//!
//! The first state is the one it starts from; the others follow in the order of a breadth-first search, so that paths are shortest.

use crate::classes::Class;
use crate::machine::Machine;
use rustc_hash::FxHashMap;

/// The reactions from a state on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closure {
    /// The states.
    pub states: Vec<Box<[Class]>>,
    /// For each state the rules that react, and where they lead.
    pub edges: Vec<Vec<(usize, usize)>>,
    /// For each state but the first, where it was first reached from, and by which rule.
    pub parents: Vec<Option<(usize, usize)>>,
}

impl Closure {
    /// The reactions from a state on; `None` if there are more states than the limit.
    pub fn of(machine: &Machine<'_>, start: &[Class], limit: usize) -> Option<Closure> {
        let mut closure = Closure { states: vec![start.into()], edges: Vec::new(), parents: vec![None] };
        let mut known: FxHashMap<Box<[Class]>, usize> = FxHashMap::default();
        while closure.edges.len() < closure.states.len() {
            let from = closure.edges.len();
            let mut edges = Vec::new();
            for (number, rule) in machine.rules.iter().enumerate() {
                let slots = &closure.states[from];
                if !machine.holds(rule, slots) || !machine.changes(rule, slots) {
                    continue;
                }
                if known.is_empty() {
                    known.insert(start.into(), 0);
                }
                let mut next = slots.clone();
                machine.fire(rule, &mut next);
                let to = known.get(&next).copied().unwrap_or(closure.states.len());
                if to == closure.states.len() {
                    if to == limit {
                        return None;
                    }
                    known.insert(next.clone(), to);
                    closure.states.push(next);
                    closure.parents.push(Some((from, number)));
                }
                edges.push((number, to));
            }
            closure.edges.push(edges);
        }
        Some(closure)
    }

    /// The stable states.
    pub fn stable(&self) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(|&state| self.edges[state].is_empty())
    }

    /// The rules on a shortest path to a state.
    pub fn path(&self, state: usize) -> Vec<usize> {
        let mut rules = Vec::new();
        let mut at = state;
        while let Some((from, rule)) = self.parents[at] {
            rules.push(rule);
            at = from;
        }
        rules.reverse();
        rules
    }

    /// For each state, which of the stable ones it can still come to.
    pub fn outcomes(&self) -> Vec<Vec<usize>> {
        let mut outcomes: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            for &(_, to) in edges {
                sources[to].push(from);
            }
        }
        for sink in self.stable() {
            let mut open = vec![sink];
            outcomes[sink].push(sink);
            while let Some(at) = open.pop() {
                for &from in &sources[at] {
                    if outcomes[from].last() != Some(&sink) {
                        outcomes[from].push(sink);
                        open.push(from);
                    }
                }
            }
        }
        outcomes
    }

    /// The states and rules of a cycle: a shortest path to it, then once around; `None` if reactions always come to an end.
    pub fn cycle(&self) -> Option<(usize, Vec<usize>)> {
        (0..self.states.len()).find_map(|start| self.way_back(start).map(|rules| (start, rules)))
    }

    /// The rules on a shortest way from a state to itself.
    pub(crate) fn way_back(&self, start: usize) -> Option<Vec<usize>> {
        let mut from: Vec<Option<(usize, usize)>> = vec![None; self.states.len()];
        let mut queue = vec![start];
        let mut next = 0;
        while next < queue.len() {
            let at = queue[next];
            next += 1;
            for &(rule, to) in &self.edges[at] {
                if to == start {
                    let mut rules = vec![rule];
                    let mut back = at;
                    while let Some((before, rule)) = from[back] {
                        rules.push(rule);
                        back = before;
                    }
                    rules.reverse();
                    return Some(rules);
                }
                if from[to].is_none() {
                    from[to] = Some((at, rule));
                    queue.push(to);
                }
            }
        }
        None
    }
}
