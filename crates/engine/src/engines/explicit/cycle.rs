//! The search through all states for a condition that must recur: a cycle on which it never holds, or the longest time without it.
//!
//! All reachable states are visited first. The steps at which the condition fails are the edges of a graph: a cycle in it, with a
//! shortest way to it, is a counterexample; without a cycle, the longest path is the bound.

use super::coding::{Coding, UNDEFINED};
use super::program::Program;
use super::{Budget, GLANCE, Search};
use std::collections::VecDeque;
use system::{System, Value, Var};

/// What was found out about the condition of a system's only property.
#[derive(Clone, Debug)]
pub(crate) enum Cycle {
    /// It fails at most this number of steps in a row.
    Bounded(usize),
    /// It fails for ever.
    Lasso(Lasso),
    /// Not decided: there are too many states, or the condition is undefined at some step.
    Unknown,
}

/// The inputs of a trace of a system whose state at the end is the one at `loop_start`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lasso {
    /// The values of states without `init`.
    pub(crate) start: Vec<(Var, Value)>,
    /// The inputs of each step.
    pub(crate) rows: Vec<Vec<Value>>,
    /// The first step of the loop.
    pub(crate) loop_start: usize,
}

/// Decides whether the condition of the only property of a sliced system recurs on every infinite behaviour.
pub(crate) fn cycle(system: &System, budget: Budget, stop: &dyn Fn() -> bool) -> Cycle {
    let Ok(mut coding) = Coding::new(system) else { return Cycle::Unknown };
    let program = Program::new(system, &mut coding);
    let mut search = Search::new(system, program, coding, budget);
    let Some(graph) = search.failing(stop) else { return Cycle::Unknown };
    let components = base::components(graph.nodes(), |node| graph.targets(node).iter().copied());
    let mut sizes = vec![0_u32; components.count];
    components.of.iter().for_each(|it| sizes[*it as usize] += 1);
    let on_cycle =
        |node: &u32| sizes[components.of[*node as usize] as usize] > 1 || graph.targets(*node).contains(node);
    // States are numbered breadth first, so the way to the first one is shortest.
    if let Some(first) = (0..graph.nodes() as u32).find(on_cycle) {
        return Cycle::Lasso(search.lasso(first, &graph.way_back(first)));
    }
    if graph.unsure {
        return Cycle::Unknown;
    }
    // Edges lead to smaller components, and each component is one state.
    let mut order: Vec<u32> = (0..graph.nodes() as u32).collect();
    order.sort_unstable_by_key(|node| components.of[*node as usize]);
    let mut longest = vec![0_usize; graph.nodes()];
    for node in order {
        let after = graph.targets(node).iter().map(|it| longest[*it as usize] + 1);
        longest[node as usize] = after.max().unwrap_or(0);
    }
    Cycle::Bounded(longest.into_iter().max().unwrap_or(0))
}

/// The steps at which the condition fails, as edges between states.
struct Graph {
    /// Where the edges of each state begin in `edges`; one more for the end.
    begins: Vec<usize>,
    edges: Vec<u32>,
    /// Whether the condition is undefined at some step.
    unsure: bool,
}

impl Graph {
    fn nodes(&self) -> usize {
        self.begins.len() - 1
    }

    fn targets(&self, node: u32) -> &[u32] {
        &self.edges[self.begins[node as usize]..self.begins[node as usize + 1]]
    }

    /// The states of a shortest way from a state on a cycle back to it, without the last.
    fn way_back(&self, first: u32) -> Vec<u32> {
        let mut parent: Vec<Option<u32>> = vec![None; self.nodes()];
        let mut open = VecDeque::from([first]);
        while let Some(node) = open.pop_front() {
            for &target in self.targets(node) {
                if target == first {
                    let mut way = vec![node];
                    while let Some(before) =
                        way.last().filter(|it| **it != first).and_then(|it| parent[*it as usize])
                    {
                        way.push(before);
                    }
                    way.reverse();
                    return way;
                }
                if parent[target as usize].is_none() {
                    parent[target as usize] = Some(node);
                    open.push_back(target);
                }
            }
        }
        vec![first]
    }
}

impl Search<'_> {
    /// Visits all states, and collects the steps at which the condition fails; `None` if there are too many.
    fn failing(&mut self, stop: &dyn Fn() -> bool) -> Option<Graph> {
        if !self.start() {
            return None;
        }
        let condition = self.system.properties[0].value;
        let mut graph = Graph { begins: vec![0], edges: Vec::new(), unsure: false };
        let (mut steps, mut next) = (0, 0);
        while next < self.parents.len() {
            let state: Vec<i64> = self.state(next).to_vec();
            let mut found: Vec<i64> = vec![0; self.width];
            let mut targets: Vec<u32> = Vec::new();
            self.program.begin(&mut self.coding, &state[1..], state[0] == 1);
            while let Some(allowed) = self.program.advance(&mut self.coding) {
                steps += 1;
                if allowed {
                    let value = self.program.value(condition);
                    graph.unsure |= value == UNDEFINED;
                    self.program.next_state(&mut found[1..]);
                    let target = self.insert(&found, next as u32)?;
                    if value == 0 {
                        targets.push(target);
                    }
                }
                if steps >= self.budget.steps || steps % GLANCE == 0 && stop() {
                    return None;
                }
            }
            targets.sort_unstable();
            targets.dedup();
            graph.edges.extend(targets);
            graph.begins.push(graph.edges.len());
            next += 1;
        }
        Some(graph)
    }

    /// The trace to the first state of a cycle and around it.
    fn lasso(&mut self, first: u32, around: &[u32]) -> Lasso {
        let system = self.system;
        let mut codes: Vec<Vec<i64>> = Vec::new();
        for (place, from) in around.iter().enumerate() {
            let to = around.get(place + 1).copied().unwrap_or(first);
            codes.push(self.failing_inputs(*from as usize, to as usize));
        }
        let (start, mut rows) = self.path(system, first as usize, &codes[0]);
        let loop_start = rows.len() - 1;
        let value = |(var, code): (&Var, &i64)| self.coding.value(system, *var, *code);
        rows.extend(codes[1..].iter().map(|row| system.inputs.iter().zip(row).map(value).collect()));
        Lasso { start, rows, loop_start }
    }

    /// Inputs that lead from one state to another while the condition fails.
    fn failing_inputs(&mut self, from: usize, to: usize) -> Vec<i64> {
        let condition = self.system.properties[0].value;
        let (from, to) = (self.state(from).to_vec(), self.state(to).to_vec());
        let mut found = vec![0; self.width];
        self.program.begin(&mut self.coding, &from[1..], from[0] == 1);
        while let Some(allowed) = self.program.advance(&mut self.coding) {
            self.program.next_state(&mut found[1..]);
            if allowed && self.program.value(condition) == 0 && found == to {
                break;
            }
        }
        self.program.inputs()
    }
}
