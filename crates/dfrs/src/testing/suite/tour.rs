//! Going on where a run ends: as long as a step or two more meet something new, a case gets longer instead of a new one starting from scratch.
//!
//! Steps are looked up in an exploration of the system, so they cost next to nothing.

use crate::classes::Class;
use crate::explore::{Environment, Exploration};
use crate::semantics::walk::{self, Still};
use crate::suite::drive;
use crate::suite::obligations::Judge;
use crate::suite::paths::{Stimulus, values};
use logic::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most rows of a case that is made longer.
const LONGEST: usize = 16;

/// The reactions of an exploration, to be looked up by situation.
pub(crate) struct Atlas<'e, 'm, 'a> {
    found: &'e Exploration<'m, 'a>,
    judge: &'e Judge<'m>,
    environment: Environment,
    places: FxHashMap<&'e [Class], usize>,
    /// For each situation the obligations that it meets, and the rules that react.
    pub(crate) met: Vec<Vec<usize>>,
    fired: Vec<Vec<usize>>,
}

/// A state on the way, and the requirement that reacted last.
type Spot = (Still, Option<usize>);

/// A delay, and the inputs after it.
type Move = (i64, Vec<Class>);

impl<'e, 'm, 'a> Atlas<'e, 'm, 'a> {
    /// Of an exploration in which no situation leaves a choice.
    pub(crate) fn new(
        found: &'e Exploration<'m, 'a>,
        judge: &'e Judge<'m>,
        environment: Environment,
    ) -> Self {
        let situations = || found.situations.iter();
        let path = |closure: &crate::closure::Closure| {
            drive::only_outcome(closure).map_or(Vec::new(), |outcome| closure.path(outcome))
        };
        Atlas {
            found,
            judge,
            environment,
            places: situations().enumerate().map(|(number, it)| (it.slots(), number)).collect(),
            met: situations().map(|it| judge.met(&it.closure)).collect(),
            fired: situations().map(|it| path(&it.closure)).collect(),
        }
    }

    /// The samples, and more of them as long as they meet obligations that are open.
    pub(crate) fn extended(&self, stimulus: Stimulus, open: &FxHashSet<usize>) -> Stimulus {
        let Some((mut spot, met)) = self.follow(&stimulus) else { return stimulus };
        let mut open: FxHashSet<usize> = open.difference(&met).copied().collect();
        let mut stimulus = stimulus;
        while stimulus.len() + 1 < LONGEST && !open.is_empty() {
            let Some(moves) = self.one(&spot, &open).or_else(|| self.two(&spot, &open)) else { break };
            for (by, inputs) in moves {
                let Some((next, met)) = self.step(&spot, by, &inputs) else { return stimulus };
                met.iter().for_each(|goal| {
                    open.remove(goal);
                });
                let time = stimulus.last().map_or(RBig::ZERO, |(time, _)| time.clone()) + RBig::from(by);
                stimulus.push((time, values(self.found.machine, &next.0.slots, true)));
                spot = next;
            }
        }
        stimulus
    }

    /// Where the samples lead, and what they meet.
    fn follow(&self, stimulus: &Stimulus) -> Option<(Spot, FxHashSet<usize>)> {
        let machine = self.found.machine;
        let (mut spot, met) = self.settle(&walk::start(machine), None)?;
        let mut all = FxHashSet::from_iter(met);
        let mut time = RBig::ZERO;
        for (at, inputs) in stimulus {
            let by = i64::try_from((at - &time).floor()).ok()?;
            time = at.clone();
            let (next, met) = self.step(&spot, by, &drive::classes(machine, inputs))?;
            all.extend(met);
            spot = next;
        }
        Some((spot, all))
    }

    fn step(&self, spot: &Spot, by: i64, inputs: &[Class]) -> Option<(Spot, Vec<usize>)> {
        self.settle(&drive::sample(self.found.machine, &spot.0, by, inputs), spot.1)
    }

    fn settle(&self, sampled: &Still, mut last: Option<usize>) -> Option<(Spot, Vec<usize>)> {
        let &number = self.places.get(&sampled.slots[..])?;
        let closure = &self.found.situations[number].closure;
        let stable = closure.stable().next()?;
        let mut met = self.met[number].clone();
        met.extend(self.judge.pairs(&mut last, &self.fired[number]));
        Some(((drive::rest(self.found.machine, sampled, &closure.states[stable]), last), met))
    }

    /// The step that meets most.
    fn one(&self, spot: &Spot, open: &FxHashSet<usize>) -> Option<Vec<Move>> {
        let mut best: Option<(usize, Move)> = None;
        for (by, inputs) in self.moves(&spot.0) {
            let Some((_, met)) = self.step(spot, by, &inputs) else { continue };
            let gain = met.iter().filter(|goal| open.contains(goal)).count();
            if gain > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((gain, (by, inputs)));
            }
        }
        best.map(|(_, step)| vec![step])
    }

    /// Two steps, of which the second meets something.
    fn two(&self, spot: &Spot, open: &FxHashSet<usize>) -> Option<Vec<Move>> {
        let mut seen: FxHashSet<Spot> = FxHashSet::default();
        for (by, inputs) in self.moves(&spot.0) {
            let Some((next, _)) = self.step(spot, by, &inputs) else { continue };
            if seen.insert(next.clone())
                && let Some(then) = self.one(&next, open)
            {
                return Some([vec![(by, inputs)], then].concat());
            }
        }
        None
    }

    /// The delays that tell something apart, with all inputs.
    fn moves(&self, still: &Still) -> Vec<Move> {
        let machine = self.found.machine;
        let deadline = walk::deadline(machine, still);
        let mut delays: Vec<i64> = deadline.into_iter().collect();
        walk::delays(machine, still, &mut delays);
        delays.retain(|by| deadline.is_none_or(|most| *by <= most));
        delays.sort_unstable();
        delays.dedup();
        let mut moves = Vec::new();
        let mut slots = still.slots.clone();
        for by in delays {
            for combination in 0..machine.combinations() {
                let changed = machine.choose(&still.slots, &mut slots, combination);
                if self.environment == Environment::Free || changed <= 1 {
                    let inputs = machine.variables.iter().zip(&slots).filter(|(it, _)| it.input);
                    moves.push((by, inputs.map(|(_, class)| *class).collect()));
                }
            }
        }
        moves
    }
}
