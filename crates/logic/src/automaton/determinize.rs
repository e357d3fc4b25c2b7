//! From many possible runs to one: projection of a track, reversal, and the subset construction behind both.

use super::{Dfa, Track};
use rustc_hash::FxHashMap;
use std::fmt;

/// A subset construction beyond this many states is given up.
const MAX_STATES: usize = 1 << 16;

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
struct Nfa {
    tracks: Vec<Track>,
    next: Vec<Vec<u32>>,
    initial: Vec<u32>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// The words that become accepted with some values of this track.
    pub fn project(&self, track: Track) -> Result<Dfa, TooManyStates> {
        let Ok(bit) = self.tracks().binary_search(&track) else { return Ok(self.clone()) };
        let tracks: Vec<Track> = self.tracks().iter().copied().filter(|&other| other != track).collect();
        let narrow = 1u32 << tracks.len();
        let wide = |letter: u32| (letter >> bit << (bit + 1)) | (letter & ((1 << bit) - 1));
        let mut next = Vec::with_capacity(self.states() * narrow as usize);
        for state in 0..self.states() as u32 {
            for letter in 0..narrow {
                let without = self.step(state, wide(letter));
                let with = self.step(state, wide(letter) | 1 << bit);
                next.push(if without == with {
                    vec![with]
                } else {
                    vec![without.min(with), without.max(with)]
                });
            }
        }
        let accepting = (0..self.states() as u32).map(|state| self.accepts(state)).collect();
        Nfa { tracks, next, initial: vec![0], accepting }.determinized(true)
    }

    /// The words read backwards. The subset construction gives the smallest automaton at once (Brzozowski 1962).
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
    fn letters(&self) -> usize {
        1 << self.tracks.len()
    }

    /// The subset construction. With `prune`, a member of a subset that another member simulates is dropped.
    fn determinized(&self, prune: bool) -> Result<Dfa, TooManyStates> {
        let simulated = if prune { self.simulation() } else { Vec::new() };
        let states = self.accepting.len();
        let reduced = |mut subset: Vec<u32>| {
            subset.sort_unstable();
            subset.dedup();
            if prune {
                let superfluous = |&a: &u32, all: &[u32]| {
                    all.iter().any(|&b| {
                        let (forth, back) =
                            (a as usize * states + b as usize, b as usize * states + a as usize);
                        a != b && simulated[forth] && (!simulated[back] || b < a)
                    })
                };
                let all = subset.clone();
                subset.retain(|state| !superfluous(state, &all));
            }
            subset
        };
        let mut subsets = vec![reduced(self.initial.clone())];
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        numbers.insert(subsets[0].clone(), 0);
        let mut next = Vec::new();
        let mut done = 0;
        while done < subsets.len() {
            for letter in 0..self.letters() {
                let targets = subsets[done]
                    .iter()
                    .flat_map(|&state| &self.next[state as usize * self.letters() + letter]);
                let subset = reduced(targets.copied().collect());
                let number = match numbers.get(&subset) {
                    Some(&number) => number,
                    None => {
                        let number = subsets.len() as u32;
                        numbers.insert(subset.clone(), number);
                        subsets.push(subset);
                        number
                    }
                };
                next.push(number);
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

    /// For each pair, whether the second state simulates the first: it accepts if the first does, and can follow each
    /// of its steps to a state that simulates again. The greatest such relation, by refinement.
    fn simulation(&self) -> Vec<bool> {
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
                return simulated;
            }
        }
    }
}
