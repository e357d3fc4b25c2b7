//! The product of lanes: the paths that all of them can take together, and paths through a given step.

use crate::language::positions::Positions;
use crate::limit::Limit;
use base::Interned;
use omega::{Guard, Guards};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The maximum number of states of a product.
const STATES: usize = 6_000;

/// The maximum number of edges of a product.
const EDGES: usize = 60_000;

/// A path of all lanes together: the letter read at each step, and where it repeats from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    pub(crate) guards: Vec<Guard>,
    pub(crate) loop_start: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    target: u32,
    guard: Guard,
    /// The lanes that close a loop, one bit each.
    marks: u64,
}

/// The product of lanes.
#[derive(Debug)]
pub(crate) struct Product {
    states: Interned<Vec<u32>>,
    edges: Vec<Vec<Edge>>,
    component: Vec<u32>,
    /// Whether a path may continue forever in the component of a state, or end there.
    ends: Vec<bool>,
    /// Whether an end is reachable from each state.
    good: Vec<bool>,
    /// How each state is first reached: the predecessor and the edge.
    parent: Vec<Option<(u32, usize)>>,
    infinite: bool,
    all: u64,
}

impl Product {
    pub(crate) fn new(
        guards: &mut Guards,
        lanes: &[Positions],
        possible: Guard,
        infinite: bool,
    ) -> Result<Product, Limit> {
        if lanes.len() > 64 {
            return Err(Limit::States);
        }
        let mut states = Interned::from_iter([vec![0; lanes.len()]]);
        let mut parent = vec![None];
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut count = 0;
        while edges.len() < states.len() {
            let from = edges.len();
            // What the lanes can read together, one lane after the other.
            let mut ways: Vec<(Vec<u32>, Guard, u64)> = vec![(Vec::new(), possible, 0)];
            for (lane, positions) in lanes.iter().enumerate() {
                let mut longer = Vec::new();
                for (targets, guard, marks) in &ways {
                    for &(next, marked) in &positions.follow[states[from][lane] as usize] {
                        let both = guards.and(*guard, positions.guards[next as usize]);
                        if both != Guard::FALSE {
                            let targets = [targets.as_slice(), &[next]].concat();
                            longer.push((targets, both, marks | u64::from(marked) << lane));
                        }
                    }
                }
                ways = longer;
                if ways.len() > EDGES {
                    return Err(Limit::Work);
                }
            }
            let mut out = Vec::new();
            for (targets, guard, marks) in ways {
                let target = states.intern(targets);
                if states.len() > parent.len() {
                    parent.push(Some((from as u32, out.len())));
                }
                out.push(Edge { target, guard, marks });
            }
            count += out.len();
            edges.push(out);
            if states.len() > STATES || count > EDGES {
                return Err(Limit::Work);
            }
        }
        let targets: Vec<Vec<u32>> =
            edges.iter().map(|out| out.iter().map(|edge| edge.target).collect()).collect();
        let component = base::components(targets.len(), |state| targets[state as usize].iter().copied()).of;
        let all = u64::MAX >> (64 - lanes.len().max(1));
        let mut seen: FxHashMap<u32, u64> = FxHashMap::default();
        for (from, out) in edges.iter().enumerate() {
            for edge in out.iter().filter(|edge| component[edge.target as usize] == component[from]) {
                *seen.entry(component[from]).or_default() |= edge.marks;
            }
        }
        let ends: Vec<bool> = (0..states.len())
            .map(|state| match infinite {
                true => seen.get(&component[state]) == Some(&all),
                false => states[state].iter().zip(lanes).all(|(&at, lane)| lane.last[at as usize]),
            })
            .collect();
        let all_edges = targets.iter().enumerate();
        let good = base::reaching(
            all_edges.flat_map(|(from, list)| list.iter().map(move |&to| (from, to as usize))),
            &ends,
        );
        Ok(Product { states, edges, component, ends, good, parent, infinite, all })
    }

    /// A path through a step of a lane, and its position there; `None` if there is none.
    pub(crate) fn through(&self, lane: usize, position: u32) -> Option<(Path, usize)> {
        let state =
            (0..self.states.len()).find(|&state| self.good[state] && self.states[state][lane] == position)?;
        let mut guards = Vec::new();
        let mut at = state;
        while let Some((from, edge)) = self.parent[at] {
            guards.push(self.edges[from as usize][edge].guard);
            at = from as usize;
        }
        guards.reverse();
        let place = guards.len().checked_sub(1)?;
        let mut walk = Walk { product: self, guards, at: state, marks: 0 };
        if !self.ends[state] {
            walk.until(|edge| self.ends[edge.target as usize], |_| true)?;
        }
        if !self.infinite {
            return Some((Path { guards: walk.guards, loop_start: None }, place));
        }
        let (end, loop_start) = (walk.at, walk.guards.len());
        let inside = |state: usize| self.component[state] == self.component[end];
        walk.marks = 0;
        while walk.marks != self.all {
            let marks = walk.marks;
            walk.until(|edge| edge.marks & !marks != 0, inside)?;
        }
        if walk.at != end {
            walk.until(|edge| edge.target as usize == end, inside)?;
        }
        Some((Path { guards: walk.guards, loop_start: Some(loop_start) }, place))
    }
}

/// A path under construction.
struct Walk<'a> {
    product: &'a Product,
    guards: Vec<Guard>,
    at: usize,
    marks: u64,
}

impl Walk<'_> {
    /// Extends the path by a shortest one that ends with a matching edge, through allowed states.
    fn until(&mut self, goal: impl Fn(&Edge) -> bool, allowed: impl Fn(usize) -> bool) -> Option<()> {
        let edges = &self.product.edges;
        let mut parent: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut open = VecDeque::from([self.at]);
        while let Some(from) = open.pop_front() {
            for (k, edge) in edges[from].iter().enumerate() {
                let target = edge.target as usize;
                if !allowed(target) {
                    continue;
                }
                if goal(edge) {
                    let mut way = vec![(from, k)];
                    let mut at = from;
                    while at != self.at {
                        let &(before, edge) = parent.get(&at)?;
                        way.push((before, edge));
                        at = before;
                    }
                    for (from, k) in way.into_iter().rev() {
                        self.guards.push(edges[from][k].guard);
                        self.marks |= edges[from][k].marks;
                    }
                    self.at = target;
                    return Some(());
                }
                if target != self.at && !parent.contains_key(&target) {
                    parent.insert(target, (from, k));
                    open.push_back(target);
                }
            }
        }
        None
    }
}
