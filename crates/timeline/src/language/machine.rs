//! Small automata over numbered letters, as bit sets, for comparing languages.
//!
//! A machine has at most 64 states, and marked steps: a run is accepting if it takes marked steps infinitely often. Letters are
//! classes of valuations that no guard in use distinguishes.

use crate::eliminate::Words;
use crate::expression::{Expr, Expressions};
use crate::language::positions::Positions;
use crate::limit::Limit;
use base::Interned;
use omega::{Buchi, Guard, Guards};
use rustc_hash::FxHashMap;

/// The maximum number of states and letters; one more letter is for the end of finite words.
pub(crate) const MOST: usize = 63;

/// The maximum number of states before equivalent ones are merged.
const LARGEST: usize = 200;

/// The letters, and the letters that each guard allows.
#[derive(Debug, Clone)]
pub(crate) struct Letters {
    /// Disjoint, with the disjunction true.
    pub(crate) classes: Vec<Guard>,
    masks: FxHashMap<Guard, Option<u64>>,
}

impl Letters {
    /// Letters that distinguish the guards, and also the atoms as far as possible.
    pub(crate) fn new(guards: &mut Guards, needed: &[Guard], atoms: u32) -> Result<Letters, Limit> {
        let mut classes = vec![Guard::TRUE];
        for &guard in needed {
            classes = split(guards, &classes, guard);
            if classes.len() > MOST {
                return Err(Limit::Letters);
            }
        }
        for atom in 0..atoms {
            let variable = guards.variable(atom);
            let finer = split(guards, &classes, variable);
            if finer.len() <= MOST {
                classes = finer;
            }
        }
        Ok(Letters { classes, masks: FxHashMap::default() })
    }

    /// The letters that a guard allows; `None` if it splits a letter.
    pub(crate) fn mask(&mut self, guards: &mut Guards, guard: Guard) -> Option<u64> {
        if let Some(&known) = self.masks.get(&guard) {
            return known;
        }
        let mut mask = Some(0);
        for (letter, &class) in self.classes.iter().enumerate() {
            let both = guards.and(class, guard);
            if both == class {
                mask = mask.map(|mask| mask | 1 << letter);
            } else if both != Guard::FALSE {
                mask = None;
            }
        }
        self.masks.insert(guard, mask);
        mask
    }
}

fn split(guards: &mut Guards, classes: &[Guard], guard: Guard) -> Vec<Guard> {
    let opposite = guards.not(guard);
    let halves = classes.iter().flat_map(|&class| [guards.and(class, guard), guards.and(class, opposite)]);
    halves.filter(|&class| class != Guard::FALSE).collect()
}

/// A step before letters are numbered: its letters, its target, and whether it is marked.
type Labelled = (u64, usize, bool);

/// The behaviour of a state: target class, whether marked, and letters.
type Signature = Vec<(usize, bool, u64)>;

/// A machine; state 0 is the initial one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) states: usize,
    /// The target states of a letter, at `state * letters + letter`.
    pub(crate) next: Vec<u64>,
    /// Those of them that are reached by a marked step.
    pub(crate) marked: Vec<u64>,
    pub(crate) letters: usize,
}

impl Machine {
    /// The machine of an expression of infinite words.
    pub(crate) fn of(arena: &mut Expressions, letters: &mut Letters, expr: Expr) -> Result<Machine, Limit> {
        if arena.measure(expr).leaves > LARGEST as u64 {
            return Err(Limit::States);
        }
        let positions = Positions::of(arena, expr)?;
        let masks: Option<Vec<u64>> =
            positions.guards.iter().map(|&guard| letters.mask(&mut arena.guards, guard)).collect();
        let masks = masks.ok_or(Limit::Letters)?;
        let steps = positions.follow.iter().map(|follow| {
            follow.iter().map(|&(next, marked)| (masks[next as usize], next as usize, marked)).collect()
        });
        let ends = (!arena.infinite(expr) && expr != Expr::EMPTY).then_some(positions.last.as_slice());
        Machine::ending(letters.classes.len(), steps.collect(), ends)
    }

    /// The machine of an automaton with guards of the given arena.
    pub(crate) fn of_automaton(
        guards: &mut Guards,
        letters: &mut Letters,
        automaton: &Buchi,
        words: Words,
    ) -> Result<Machine, Limit> {
        let count = automaton.steps.len();
        if count > LARGEST {
            return Err(Limit::States);
        }
        // The initial state becomes the first one.
        let number = |state: u32| match state {
            state if state == automaton.initial => 0,
            0 => automaton.initial as usize,
            state => state as usize,
        };
        let mut steps = vec![Vec::new(); count];
        for (state, out) in automaton.steps.iter().enumerate() {
            for step in out {
                let mask = letters.mask(guards, step.guard).ok_or(Limit::Letters)?;
                let marked = words == Words::Infinite && automaton.accepting[step.target as usize];
                steps[number(state as u32)].push((mask, number(step.target), marked));
            }
        }
        let mut ends = vec![false; count];
        (0..count).for_each(|state| ends[number(state as u32)] = automaton.accepting[state]);
        Machine::ending(letters.classes.len(), steps, (words == Words::Finite).then_some(ends.as_slice()))
    }

    /// A finite word is followed by an extra letter forever, which represents its end.
    fn ending(
        letters: usize,
        mut steps: Vec<Vec<Labelled>>,
        ends: Option<&[bool]>,
    ) -> Result<Machine, Limit> {
        if let Some(ends) = ends {
            let (end, count) = (1 << letters, steps.len());
            (0..count).filter(|&state| ends[state]).for_each(|state| steps[state].push((end, count, true)));
            steps.push(vec![(end, count, true)]);
        }
        Machine::new(letters + 1, steps)
    }

    /// Builds a machine from lists of letters, target and mark, without dead states and with equivalent states merged.
    fn new(letters: usize, mut steps: Vec<Vec<Labelled>>) -> Result<Machine, Limit> {
        let live = live(&steps);
        for list in &mut steps {
            list.retain(|&(_, target, _)| live[target]);
        }
        let (class, count) = classes(&steps);
        if count > MOST {
            return Err(Limit::States);
        }
        // The class of the first state becomes 0.
        let number = |state: usize| match class[state] {
            class_of if class_of == class[0] => 0,
            0 => class[0],
            class_of => class_of,
        };
        let mut machine = Machine {
            states: count,
            next: vec![0; count * letters],
            marked: vec![0; count * letters],
            letters,
        };
        for (state, list) in steps.iter().enumerate() {
            for &(mask, target, marked) in list {
                for letter in ones(mask) {
                    let place = number(state) * letters + letter;
                    machine.next[place] |= 1 << number(target);
                    machine.marked[place] |= u64::from(marked) << number(target);
                }
            }
        }
        Ok(machine)
    }

    /// The states after a set of states and a letter.
    pub(crate) fn after(&self, set: u64, letter: usize) -> u64 {
        ones(set).map(|state| self.next[state * self.letters + letter]).fold(0, |a, b| a | b)
    }

    /// The machine with only some of the letters.
    pub(crate) fn restricted(&self, kept: &[usize]) -> Machine {
        let pick = |table: &[u64]| {
            (0..self.states)
                .flat_map(|state| kept.iter().map(move |letter| table[state * self.letters + letter]))
                .collect()
        };
        Machine {
            states: self.states,
            next: pick(&self.next),
            marked: pick(&self.marked),
            letters: kept.len(),
        }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn ones(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// Whether marked steps can be taken infinitely often from each state.
fn live(steps: &[Vec<Labelled>]) -> Vec<bool> {
    let targets = |state: u32| steps[state as usize].iter().map(|&(_, target, _)| target as u32);
    let component = base::components(steps.len(), targets).of;
    let mut live = vec![false; steps.len()];
    for (state, list) in steps.iter().enumerate() {
        live[state] = list
            .iter()
            .any(|&(mask, target, marked)| marked && mask != 0 && component[target] == component[state]);
    }
    loop {
        let mut changed = false;
        for state in 0..steps.len() {
            if !live[state] && steps[state].iter().any(|&(_, target, _)| live[target]) {
                live[state] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The coarsest classes of states with the same steps into the same classes, and their number.
fn classes(steps: &[Vec<Labelled>]) -> (Vec<usize>, usize) {
    let mut class = vec![0; steps.len()];
    let mut count = 1;
    loop {
        let mut numbers: Interned<(usize, Signature)> = Interned::default();
        let mut finer = Vec::with_capacity(steps.len());
        for (state, list) in steps.iter().enumerate() {
            let mut signature: Signature = Vec::new();
            for &(mask, target, marked) in list {
                let key = (class[target], marked);
                match signature.iter_mut().find(|entry| (entry.0, entry.1) == key) {
                    Some(entry) => entry.2 |= mask,
                    None => signature.push((key.0, key.1, mask)),
                }
            }
            signature.sort_unstable();
            finer.push(numbers.intern((class[state], signature)) as usize);
        }
        let now = numbers.len();
        class = finer;
        if now == count {
            return (class, count);
        }
        count = now;
    }
}
