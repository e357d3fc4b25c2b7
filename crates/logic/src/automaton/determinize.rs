//! From nondeterminism to determinism: projection of a track, reversal, and the subset construction that both need.

use super::{Dfa, Track};
use base::Interned;
use std::fmt;

/// The maximum number of states of a subset construction.
pub(super) const MAX_STATES: usize = 1 << 16;

/// An automaton would have more states than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyStates;

impl fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "an automaton would have more than {MAX_STATES} states")
    }
}

impl std::error::Error for TooManyStates {}

/// A nondeterministic automaton: the next states, by state and letter.
pub(super) struct Nfa {
    pub(super) tracks: Vec<Track>,
    pub(super) next: Vec<Vec<u32>>,
    initial: Vec<u32>,
    pub(super) accepting: Vec<bool>,
}

impl Dfa {
    /// The automaton of the words that are accepted for some values of this track.
    pub fn project(&self, track: Track) -> Result<Dfa, TooManyStates> {
        if !self.tracks().contains(&track) {
            return Ok(self.clone());
        }
        self.without(&[track]).determinized(true)
    }

    /// The automaton with some tracks hidden: their values are chosen at each step.
    pub(super) fn without(&self, hidden: &[Track]) -> Nfa {
        let shown = |bit: &usize| !hidden.contains(&self.tracks()[*bit]);
        let shown: Vec<usize> = (0..self.tracks().len()).filter(shown).collect();
        let tracks: Vec<Track> = shown.iter().map(|&bit| self.tracks()[bit]).collect();
        let narrow = |letter: u32| -> u32 {
            shown.iter().enumerate().map(|(to, from)| (letter >> from & 1) << to).sum()
        };
        let letters = 1 << tracks.len();
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.states() * letters];
        for state in 0..self.states() as u32 {
            for letter in 0..self.letters() {
                next[state as usize * letters + narrow(letter) as usize].push(self.step(state, letter));
            }
        }
        for targets in &mut next {
            targets.sort_unstable();
            targets.dedup();
        }
        Nfa { tracks, next, initial: vec![0], accepting: self.accepting.clone() }
    }

    /// The automaton of the reversed words. The subset construction returns the smallest automaton at once (Brzozowski 1962).
    pub fn reversed(&self) -> Result<Dfa, TooManyStates> {
        let letters = self.letters() as usize;
        let mut next = vec![Vec::new(); self.states() * letters];
        for state in 0..self.states() as u32 {
            for letter in 0..letters {
                next[self.step(state, letter as u32) as usize * letters + letter].push(state);
            }
        }
        let initial = (0..self.states() as u32).filter(|&state| self.accepts(state)).collect();
        let accepting = (0..self.states()).map(|state| state == 0).collect();
        Nfa { tracks: self.tracks().to_vec(), next, initial, accepting }.determinized(false)
    }
}

impl Nfa {
    pub(super) fn letters(&self) -> usize {
        1 << self.tracks.len()
    }

    /// The subset construction. With `prune`, a member of a subset that another member simulates is dropped.
    fn determinized(&self, prune: bool) -> Result<Dfa, TooManyStates> {
        let simulated = if prune { self.simulation() } else { Simulation::default() };
        let reduced = |mut subset: Vec<u32>| {
            subset.sort_unstable();
            subset.dedup();
            if prune {
                let all = subset.clone();
                subset.retain(|&state| !simulated.outdone(state, &all));
            }
            subset
        };
        let mut subsets = Interned::from_iter([reduced(self.initial.clone())]);
        let mut next = Vec::new();
        let mut done = 0;
        while done < subsets.len() {
            for letter in 0..self.letters() {
                let targets = subsets[done]
                    .iter()
                    .flat_map(|&state| &self.next[state as usize * self.letters() + letter]);
                next.push(subsets.intern(reduced(targets.copied().collect())));
            }
            done += 1;
            if subsets.len() > MAX_STATES {
                return Err(TooManyStates);
            }
        }
        let accepting =
            subsets.iter().map(|subset| subset.iter().any(|&state| self.accepting[state as usize])).collect();
        Ok(Dfa { tracks: self.tracks.as_slice().into(), next, accepting }.minimized())
    }

    /// For each pair, whether the second state simulates the first: it accepts if the first does, and can match each of its steps
    /// with a state that simulates again. This is the greatest such relation, computed by refinement.
    pub(super) fn simulation(&self) -> Simulation {
        let states = self.accepting.len();
        let mut simulated: Vec<bool> = (0..states * states)
            .map(|pair| !self.accepting[pair / states] || self.accepting[pair % states])
            .collect();
        let follows = |simulated: &[bool], a: usize, b: usize| {
            (0..self.letters()).all(|letter| {
                let (steps_a, steps_b) =
                    (&self.next[a * self.letters() + letter], &self.next[b * self.letters() + letter]);
                steps_a.iter().all(|&x| steps_b.iter().any(|&y| simulated[x as usize * states + y as usize]))
            })
        };
        loop {
            let mut changed = false;
            for pair in 0..states * states {
                if simulated[pair] && !follows(&simulated, pair / states, pair % states) {
                    simulated[pair] = false;
                    changed = true;
                }
            }
            if !changed {
                return Simulation { states, simulated };
            }
        }
    }
}

/// Which states can replace which others.
#[derive(Default)]
pub(super) struct Simulation {
    states: usize,
    simulated: Vec<bool>,
}

impl Simulation {
    /// Whether the second state simulates the first.
    pub(super) fn holds(&self, a: u32, b: u32) -> bool {
        self.simulated[a as usize * self.states + b as usize]
    }

    /// Whether one of these states makes this one redundant; of two that simulate each other, the smaller stays.
    pub(super) fn outdone(&self, a: u32, by: &[u32]) -> bool {
        by.iter().any(|&b| a != b && self.holds(a, b) && (!self.holds(b, a) || b < a))
    }
}
