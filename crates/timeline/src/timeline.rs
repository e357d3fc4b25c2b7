//! The timeline of a formula: translated whole and in parts, in several orders; the smallest result is kept.
//!
//! One of the alternatives happens; each is one expression, or several lanes that all happen together. Lanes are chosen only if they
//! are clearly smaller, or if the whole formula cannot be drawn.

pub mod decompose;

use crate::eliminate::Words;
use crate::eliminate::candidates::{eliminated, smallest};
use crate::expression::guard::transfer;
use crate::expression::{Expr, Expressions};
use crate::limit::{Budget, Fuel, Limit};
use crate::simplify::{Simplified, simplify};
use crate::timeline::decompose::{conjuncts, disjuncts};
use logic::{Formula, Id, Store};
use omega::{Buchi, Guards, Limits};
use rustc_hash::FxHashMap;

/// The maximum number of steps of a translation: enough for a counter of ten bits.
const STEPS: usize = 20_000_000;

/// What a formula allows.
#[derive(Debug, Clone)]
pub struct Timeline {
    /// One of these happens: each is one or more expressions that hold together.
    pub alternatives: Vec<Vec<Expr>>,
    /// The arena of the expressions.
    pub expressions: Expressions,
    /// The atoms, formulas of the store.
    pub atoms: Vec<Id>,
    /// Whether the words are finite or infinite.
    pub words: Words,
    /// Whether the work limit was reached before everything was tried.
    pub exhausted: bool,
    /// Whether every expression was proved to have the language of its automaton, by comparing the two.
    pub proved: bool,
    /// The number of states of the automata of what is drawn.
    pub states: usize,
    /// The number of edges of the automata of what is drawn.
    pub edges: usize,
}

/// The sizes of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The number of nodes of the expressions as binary trees, and of the unions that join alternatives.
    pub size: u64,
    /// The timeline length of the paper.
    pub length: u64,
    /// The timeline length of its 2023 version.
    pub length_2023: u64,
    /// The nesting depth of stars.
    pub star_height: u32,
    /// The number of nodes of the picture: its steps and the start.
    pub drawn_nodes: u64,
    /// The number of alternatives.
    pub alternatives: usize,
    /// The maximum number of lanes of an alternative.
    pub lanes: usize,
}

impl Timeline {
    /// The sizes of the timeline.
    pub fn statistics(&self) -> Statistics {
        let mut all =
            Statistics { drawn_nodes: 1, alternatives: self.alternatives.len(), ..Statistics::default() };
        all.size = (self.alternatives.len() as u64).saturating_sub(1);
        for lanes in &self.alternatives {
            all.lanes = all.lanes.max(lanes.len());
            for &lane in lanes {
                let lane = self.expressions.measure(lane);
                all.size = all.size.saturating_add(lane.size);
                all.length = all.length.max(lane.length);
                all.length_2023 = all.length_2023.max(lane.length_2023);
                all.star_height = all.star_height.max(lane.star_height);
                all.drawn_nodes = all.drawn_nodes.saturating_add(lane.steps);
            }
        }
        all
    }
}

/// The timeline of a formula; fails if there is none within the budget.
pub fn draw(store: &mut Store, formula: Formula, words: Words, budget: Budget) -> Result<Timeline, Limit> {
    let mut drawer = Drawer {
        words,
        budget,
        fuel: Fuel::new(budget.work),
        arena: Expressions::new(Guards::default()),
        known: Simplified::default(),
        atoms: Vec::new(),
        exhausted: false,
        parts: FxHashMap::default(),
    };
    let plan = drawer.plan(store, formula)?;
    let Drawer { arena, atoms, exhausted, .. } = drawer;
    let mut alternatives: Vec<Vec<Expr>> = Vec::new();
    for lanes in plan.alternatives {
        match lanes.as_slice() {
            [one] => alternatives.extend(arena.alternatives(one).iter().map(|&way| vec![way])),
            _ => alternatives.push(lanes),
        }
    }
    Ok(Timeline {
        alternatives,
        expressions: arena,
        atoms,
        words,
        exhausted,
        proved: plan.proved,
        states: plan.states,
        edges: plan.edges,
    })
}

/// The expression of an automaton, as small as the budget allows.
pub fn expression(automaton: &Buchi, words: Words, budget: Budget) -> Result<(Expressions, Expr), Limit> {
    let mut arena = Expressions::new(automaton.guards.clone());
    let mut known = Simplified::default();
    let mut fuel = Fuel::new(budget.work);
    let found = eliminated(&mut arena, &mut known, automaton, words, budget.size, &mut fuel)?;
    let (best, _) = smallest(&mut arena, &mut known, automaton, words, found, &mut fuel);
    Ok((arena, best))
}

/// What is drawn.
#[derive(Debug, Clone)]
struct Plan {
    alternatives: Vec<Vec<Expr>>,
    proved: bool,
    states: usize,
    edges: usize,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    expr: Expr,
    proved: bool,
    states: usize,
    edges: usize,
}

/// A picture with at most this many nodes is not split into lanes.
const ONE_LANE: u64 = 20;

/// The maximum number of states of the automaton of a lane.
const LANE: usize = 40;

struct Drawer {
    words: Words,
    budget: Budget,
    fuel: Fuel,
    arena: Expressions,
    known: Simplified,
    atoms: Vec<Id>,
    exhausted: bool,
    parts: FxHashMap<Formula, Result<Part, Limit>>,
}

impl Drawer {
    fn plan(&mut self, store: &mut Store, formula: Formula) -> Result<Plan, Limit> {
        let ways = disjuncts(store, formula, self.words);
        if ways.len() == 1 {
            return self.lanes(store, formula);
        }
        let whole = self.part(store, formula, usize::MAX).map(Plan::from);
        let mut split: Result<Plan, Limit> = Ok(Plan::NOTHING);
        for way in ways {
            let way = self.lanes(store, way);
            split = split.and_then(|split| way.map(|way| split.and(way)));
        }
        self.better(whole, split)
    }

    /// The formula as one lane, or as several that hold together.
    fn lanes(&mut self, store: &mut Store, formula: Formula) -> Result<Plan, Limit> {
        let whole = self.part(store, formula, usize::MAX).map(Plan::from);
        let together = conjuncts(store, formula, self.words);
        let small = whole.as_ref().is_ok_and(|whole| self.nodes(whole) <= ONE_LANE);
        if together.len() == 1 || small {
            return whole;
        }
        let mut lanes: Result<Plan, Limit> = Ok(Plan { alternatives: vec![Vec::new()], ..Plan::NOTHING });
        for lane in together {
            let lane = self.part(store, lane, LANE);
            lanes = lanes.and_then(|mut lanes| {
                let lane = lane?;
                lanes.alternatives[0].push(lane.expr);
                lanes.proved &= lane.proved;
                lanes.states += lane.states;
                lanes.edges += lane.edges;
                Ok(lanes)
            });
        }
        self.better(whole, lanes)
    }

    fn nodes(&self, plan: &Plan) -> u64 {
        plan.alternatives
            .iter()
            .flatten()
            .map(|&lane| self.arena.measure(lane).steps)
            .fold(1, u64::saturating_add)
    }

    /// The whole, unless it cannot be drawn or the parts are smaller by a third.
    fn better(&self, whole: Result<Plan, Limit>, parts: Result<Plan, Limit>) -> Result<Plan, Limit> {
        match (whole, parts) {
            (Ok(whole), Ok(parts)) => {
                let (one, many) = (self.nodes(&whole), self.nodes(&parts));
                let simple = parts.alternatives.iter().all(|lanes| lanes.len() < 2);
                let clearly = if simple { many < one } else { many * 3 <= one * 2 };
                Ok(if clearly || (one > self.budget.nodes && many < one) { parts } else { whole })
            }
            (Ok(plan), Err(_)) | (Err(_), Ok(plan)) => Ok(plan),
            (Err(limit), Err(_)) => Err(limit),
        }
    }

    /// The formula as one expression, if its automaton does not have too many states.
    fn part(&mut self, store: &mut Store, formula: Formula, most: usize) -> Result<Part, Limit> {
        if let Some(&known) = self.parts.get(&formula) {
            return known;
        }
        let found = self.new_part(store, formula, most);
        self.exhausted |= self.fuel.left() == 0 || found.is_err();
        self.parts.insert(formula, found);
        found
    }

    fn new_part(&mut self, store: &mut Store, formula: Formula, most: usize) -> Result<Part, Limit> {
        let ways = disjuncts(store, formula, self.words);
        let mut split = Vec::new();
        if (2..=8).contains(&ways.len()) {
            for way in ways {
                split.push(self.part(store, way, most));
            }
        }
        let automaton = self.automaton(store, formula)?;
        let edges: usize = automaton.steps.iter().map(Vec::len).sum();
        if automaton.steps.len() > most {
            return Err(Limit::States);
        }
        let divisible = !split.is_empty() || conjuncts(store, formula, self.words).len() > 1;
        // A divisible formula need not be drawn whole at any cost; but long timelines are inherently long.
        let enough = if divisible { (6 * edges as u64).max(2000) } else { u64::MAX };
        let size = self.budget.size.min(enough);
        let mut fuel = self.fuel.part(self.fuel.left() / if divisible { 4 } else { 2 });
        let found = eliminated(&mut self.arena, &mut self.known, &automaton, self.words, size, &mut fuel);
        let mut candidates = found.clone().unwrap_or_default();
        let split: Result<Vec<Part>, Limit> = split.into_iter().collect();
        if let Ok(split) = split
            && !split.is_empty()
        {
            let union = self.arena.union(split.iter().map(|part| part.expr));
            candidates.push(simplify(&mut self.arena, &mut self.known, union));
        }
        let best = match (candidates.is_empty(), found) {
            (true, Err(limit)) => Err(limit),
            _ => {
                Ok(smallest(&mut self.arena, &mut self.known, &automaton, self.words, candidates, &mut fuel))
            }
        };
        self.fuel.give(fuel);
        let (expr, proved) = best?;
        Ok(Part { expr, proved, states: automaton.steps.len(), edges })
    }

    /// The automaton of a formula, with the shared guards and atoms.
    fn automaton(&mut self, store: &Store, formula: Formula) -> Result<Buchi, Limit> {
        let mut automaton = translate(store, formula, &self.atoms, self.words)?;
        self.atoms.clone_from(&automaton.atoms);
        let names: Vec<u32> = (0..automaton.atoms.len() as u32).collect();
        let mut known = FxHashMap::default();
        for step in automaton.steps.iter_mut().flatten() {
            step.guard = transfer(&automaton.guards, &mut self.arena.guards, &names, step.guard, &mut known);
        }
        automaton.guards = Guards::default();
        Ok(automaton)
    }
}

impl From<Part> for Plan {
    fn from(part: Part) -> Plan {
        Plan {
            alternatives: vec![vec![part.expr]],
            proved: part.proved,
            states: part.states,
            edges: part.edges,
        }
    }
}

impl Plan {
    const NOTHING: Plan = Plan { alternatives: Vec::new(), proved: true, states: 0, edges: 0 };

    fn and(mut self, other: Plan) -> Plan {
        self.alternatives.extend(other.alternatives);
        let proved = self.proved && other.proved;
        Plan { proved, states: self.states + other.states, edges: self.edges + other.edges, ..self }
    }
}

/// The automaton of a formula; the given atoms come first.
fn translate(store: &Store, formula: Formula, atoms: &[Id], words: Words) -> Result<Buchi, Limit> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let automaton = match words {
        Words::Infinite => omega::translate_over(store, formula, atoms, limits),
        Words::Finite => omega::translate_finite(store, formula, atoms, limits),
    };
    automaton.map_err(|_| Limit::Translation)
}
