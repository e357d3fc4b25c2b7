//! All that a system can do, without a bound on time: a breadth-first search over classes of values and zones of ages.
//!
//! A node is a stable state; a situation is what a delay and new inputs make of one, before the system reacts. A timer that is in its last
//! class is forgotten, which makes the search finite and keeps it exact, with deadlines over several timers too. A node that lies
//! within an older one is dropped: edges lead to the older one, so that what cannot be reached along edges cannot be reached.

use crate::classes::Class;
use crate::closure::Closure;
use crate::machine::{Machine, Window};
use crate::reading::Clock;
use crate::zone::{Limit, Zone};
use rustc_hash::FxHashMap;

/// How far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most nodes.
    pub nodes: usize,
    /// The most delays with new inputs.
    pub steps: usize,
    /// The most states in which one reaction may pass through.
    pub reactions: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: 200_000, steps: 5_000_000, reactions: 10_000 }
    }
}

/// What the environment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// Any inputs may change at the same time.
    #[default]
    Free,
    /// One input at a time.
    OneAtATime,
}

/// All that was found.
#[derive(Debug, Clone)]
pub struct Exploration<'m, 'a> {
    /// The system.
    pub machine: &'m Machine<'a>,
    /// Stable states.
    pub nodes: Vec<Node>,
    /// Nodes that follow each other, and through which situation; sorted.
    pub edges: Vec<Edge>,
    /// Each with different slots; the first is the start.
    pub situations: Vec<Situation>,
    /// How many delays with inputs were tried.
    pub steps: usize,
    /// Why it is not all; `None` if it is.
    pub stopped: Option<Stop>,
}

/// A budget that was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Too many nodes.
    Nodes,
    /// Too many delays with inputs.
    Steps,
    /// Too many states in one reaction.
    Reactions,
}

/// A stable state, or rather many that differ only in the ages of timers.
#[derive(Debug, Clone)]
pub struct Node {
    /// The classes of its values and ages.
    pub slots: Box<[Class]>,
    /// Its ages.
    pub zone: Zone,
    /// How it was first reached; `None` at the start.
    pub step: Option<Step>,
    /// The situation it settled.
    pub situation: usize,
    /// Which state of the situation's closure it is.
    pub outcome: usize,
}

/// A delay from a node.
#[derive(Debug, Clone)]
pub struct Step {
    /// The node.
    pub from: usize,
    /// The ages at which it starts.
    pub left: Zone,
    /// The ages at which it ends.
    pub arrived: Zone,
}

/// What the system has to react to.
#[derive(Debug, Clone)]
pub struct Situation {
    /// How it first came about; `None` at the start.
    pub step: Option<Step>,
    /// Its reactions; the first state is the situation itself.
    pub closure: Closure,
}

/// A step from node to node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// From this node.
    pub from: usize,
    /// To this node.
    pub to: usize,
    /// Through this situation.
    pub situation: usize,
}

impl Situation {
    /// The slots before any reaction.
    pub fn slots(&self) -> &[Class] {
        &self.closure.states[0]
    }
}

/// Searches all that a system can do.
pub fn explore<'m, 'a>(
    machine: &'m Machine<'a>,
    environment: Environment,
    budget: Budget,
) -> Exploration<'m, 'a> {
    let mut search = Search {
        found: Exploration {
            machine,
            nodes: Vec::new(),
            edges: Vec::new(),
            situations: Vec::new(),
            steps: 0,
            stopped: None,
        },
        budget,
        situations: FxHashMap::default(),
        nodes: FxHashMap::default(),
    };
    let zero = Zone::zero(machine.timers.len());
    search.visit(None, &machine.initial(), &zero);
    let mut next = 0;
    while next < search.found.nodes.len() && search.found.stopped.is_none() {
        search.expand(next, environment);
        next += 1;
    }
    search.found.edges.sort_unstable();
    search.found.edges.dedup();
    search.found
}

struct Search<'m, 'a> {
    found: Exploration<'m, 'a>,
    budget: Budget,
    situations: FxHashMap<Box<[Class]>, usize>,
    nodes: FxHashMap<Box<[Class]>, Vec<usize>>,
}

impl Search<'_, '_> {
    fn expand(&mut self, node: usize, environment: Environment) {
        let machine = self.found.machine;
        let stable = self.found.nodes[node].slots.to_vec();
        let mut slots = stable.clone();
        machine.wait(&mut slots);
        for (left, arrived, ages) in delays(machine, &stable, &self.found.nodes[node].zone) {
            slots[machine.first_timer()..].copy_from_slice(&ages);
            let step = Step { from: node, left, arrived };
            for inputs in 0..machine.combinations() {
                self.found.steps += 1;
                if self.found.steps > self.budget.steps {
                    self.found.stopped = Some(Stop::Steps);
                }
                if self.found.stopped.is_some() {
                    return;
                }
                let changed = machine.choose(&stable, &mut slots, inputs);
                if (environment == Environment::OneAtATime && changed > 1) || machine.forbidden(&slots) {
                    continue;
                }
                self.visit(Some(&step), &slots, &step.arrived);
            }
        }
    }

    /// Settles a situation, and keeps the nodes that are new.
    fn visit(&mut self, step: Option<&Step>, slots: &[Class], arrived: &Zone) {
        let machine = self.found.machine;
        let number = match self.situations.get(slots) {
            Some(&number) => number,
            None => {
                let Some(closure) = Closure::of(machine, slots, self.budget.reactions) else {
                    self.found.stopped = Some(Stop::Reactions);
                    return;
                };
                let number = self.found.situations.len();
                self.found.situations.push(Situation { step: step.cloned(), closure });
                self.situations.insert(slots.into(), number);
                number
            }
        };
        let Exploration { situations, nodes, edges, stopped, .. } = &mut self.found;
        let closure = &situations[number].closure;
        for outcome in closure.stable() {
            let stable = &closure.states[outcome];
            let mut zone = arrived.clone();
            for timer in 0..machine.timers.len() {
                if stable[machine.first_timer() + timer] == 0 {
                    zone.reset(timer + 1);
                }
            }
            let same = self.nodes.entry(stable.clone()).or_default();
            let older = same.iter().copied().find(|&older| nodes[older].zone.includes(&zone));
            let to = older.unwrap_or(nodes.len());
            if older.is_none() {
                if nodes.len() == self.budget.nodes {
                    *stopped = Some(Stop::Nodes);
                    return;
                }
                same.push(to);
                let slots = stable.clone();
                nodes.push(Node { slots, zone, step: step.cloned(), situation: number, outcome });
            }
            if let Some(step) = step {
                edges.push(Edge { from: step.from, to, situation: number });
            }
        }
    }
}

/// The delays from a stable state: the ages before, the ages after, and their classes.
fn delays(machine: &Machine<'_>, slots: &[Class], zone: &Zone) -> Vec<(Zone, Zone, Vec<Class>)> {
    let clock = machine.semantics.clock;
    // Parts of the zone, each with the windows that lie ahead: one list for each rule that has any.
    let mut parts: Vec<(Zone, Vec<Vec<&Window>>)> = vec![(zone.clone(), Vec::new())];
    for rule in machine.pending(slots) {
        let mut split: Vec<(Zone, Vec<&Window>)> = Vec::new();
        let mut lists = Vec::new();
        for (part, ahead) in parts {
            let mut open = vec![(part, Vec::new())];
            for window in &rule.windows {
                let hit = window_zone(machine, window).and_then(|zone| zone.earlier(clock));
                let mut next = Vec::new();
                for (part, hits) in open {
                    let inside = hit.as_ref().and_then(|hit| part.and(hit));
                    if let (Some(inside), Some(hit)) = (inside, &hit) {
                        next.extend(part.minus(hit, clock).into_iter().map(|rest| (rest, hits.clone())));
                        next.push((inside, hits.into_iter().chain([window]).collect()));
                    } else {
                        next.push((part, hits));
                    }
                }
                open = next;
            }
            lists.extend(std::iter::repeat_n(ahead, open.len()));
            split.extend(open);
        }
        parts = split
            .into_iter()
            .zip(lists)
            .map(|((part, hits), mut ahead)| {
                if !hits.is_empty() {
                    ahead.push(hits);
                }
                (part, ahead)
            })
            .collect();
    }
    let mut found = Vec::new();
    for (left, ahead) in parts {
        let mut ends = vec![left.later(clock)];
        for windows in ahead {
            let mut next: Vec<Zone> = Vec::new();
            for zone in &ends {
                for window in &windows {
                    let end = until(machine, zone.clone(), window);
                    next.extend(end.filter(|end| !next.contains(end)));
                }
            }
            ends = next;
        }
        for zone in ends {
            split_ages(machine, &left, zone, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// The bound that an age in a class, or before it, meets; `None` for the last class.
fn end_of(machine: &Machine<'_>, timer: usize, class: Class) -> Option<Limit> {
    let (start, included) = machine.timers[timer].ages.end(class)?;
    Some(match machine.semantics.clock {
        Clock::Discrete => Limit::new(start - 1, true),
        Clock::Dense => Limit::new(start, !included),
    })
}

/// The bound that an age in a class, or after it, meets.
fn start_of(machine: &Machine<'_>, timer: usize, class: Class) -> Limit {
    let (start, included) = machine.timers[timer].ages.start(class);
    Limit::new(-start, included)
}

fn window_zone(machine: &Machine<'_>, window: &Window) -> Option<Zone> {
    let mut zone = until(machine, Zone::all(machine.timers.len()), window)?;
    for (timer, &(low, _)) in window.iter().enumerate() {
        zone = zone.with(0, timer + 1, start_of(machine, timer, low))?;
    }
    Some(zone)
}

/// What is not yet past a window.
fn until(machine: &Machine<'_>, zone: Zone, window: &Window) -> Option<Zone> {
    window.iter().enumerate().try_fold(zone, |zone, (timer, &(_, high))| match end_of(machine, timer, high) {
        Some(limit) => zone.with(timer + 1, 0, limit),
        None => Some(zone),
    })
}

fn split_ages(
    machine: &Machine<'_>,
    left: &Zone,
    zone: Zone,
    classes: &mut Vec<Class>,
    found: &mut Vec<(Zone, Zone, Vec<Class>)>,
) {
    let timer = classes.len();
    let Some(ticker) = machine.timers.get(timer) else {
        found.push((left.clone(), zone, classes.clone()));
        return;
    };
    for class in 1..ticker.ages.count() as Class {
        let end = end_of(machine, timer, class);
        let part = zone.clone().with(0, timer + 1, start_of(machine, timer, class));
        let part = part.and_then(|part| part.with(timer + 1, 0, end.unwrap_or(Limit::NONE)));
        if let Some(mut part) = part {
            if end.is_none() {
                part.forget(timer + 1, ticker.ages.start(class));
            }
            classes.push(class);
            split_ages(machine, left, part, classes, found);
            classes.pop();
        }
    }
}
