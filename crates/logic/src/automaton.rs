//! Deterministic finite automata over words of Boolean tracks, by the textbook constructions: product, complement,
//! projection, determinization, minimization, reversal.
//!
//! Letters are symbolic: an automaton stores only the tracks that it depends on, and ignores all others. A letter is a number whose
//! bit `k` is the value of the `k`-th track. Every automaton is complete. Determinization drops states that a simulation shows to be
//! redundant, because a set of pending possibilities often means no more than its strongest member; without that, "within n steps"
//! would need 2^n intermediate states instead of n.

mod determinize;
mod endless;
mod minimize;

pub use determinize::TooManyStates;
pub use endless::NotWeak;

use base::Interned;
use std::collections::VecDeque;
use std::rc::Rc;

/// One Boolean of each letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track(pub u32);

/// A complete deterministic automaton; it starts in state 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dfa {
    tracks: Rc<[Track]>,
    /// The next state, by state and letter.
    next: Vec<u32>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// The automaton over the given states that starts in state 0; `step` returns the next state for a state and a letter.
    pub fn new(tracks: &[Track], accepting: Vec<bool>, mut step: impl FnMut(u32, u32) -> u32) -> Dfa {
        debug_assert!(tracks.is_sorted_by(|a, b| a < b), "tracks are in order");
        let letters = 1 << tracks.len();
        let states = accepting.len() as u32;
        let next = (0..states)
            .flat_map(|state| (0..letters).map(move |letter| (state, letter)))
            .map(|(state, letter)| step(state, letter))
            .collect();
        Dfa { tracks: tracks.into(), next, accepting }.minimized()
    }

    /// The automaton of all words, or of none.
    pub fn constant(accepts: bool) -> Dfa {
        Dfa { tracks: Rc::new([]), next: vec![0], accepting: vec![accepts] }
    }

    /// The tracks it depends on, in order.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether a state accepts.
    pub fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The number of letters that it distinguishes.
    pub fn letters(&self) -> u32 {
        1 << self.tracks.len()
    }

    /// The state after a letter.
    pub fn step(&self, state: u32, letter: u32) -> u32 {
        self.next[(state * self.letters() + letter) as usize]
    }

    /// The automaton of the words that it does not accept.
    pub fn complement(mut self) -> Dfa {
        self.accepting.iter_mut().for_each(|accepts| *accepts = !*accepts);
        self
    }

    /// The automaton of the words that both accept.
    pub fn and(&self, other: &Dfa) -> Dfa {
        self.product(other, |a, b| a && b)
    }

    /// The automaton of the words that at least one accepts.
    pub fn or(&self, other: &Dfa) -> Dfa {
        self.product(other, |a, b| a || b)
    }

    /// The product automaton, which accepts where `accept` of the two results is true.
    pub fn product(&self, other: &Dfa, accept: impl Fn(bool, bool) -> bool) -> Dfa {
        let mut tracks: Vec<Track> = self.tracks.iter().chain(other.tracks.iter()).copied().collect();
        tracks.sort_unstable();
        tracks.dedup();
        let (left, right) = (self.restriction(&tracks), other.restriction(&tracks));
        let mut pairs = Interned::from_iter([(0, 0)]);
        let mut next = Vec::new();
        let mut done = 0;
        while done < pairs.len() {
            let (a, b) = pairs[done];
            done += 1;
            for letter in 0..1usize << tracks.len() {
                next.push(pairs.intern((self.step(a, left[letter]), other.step(b, right[letter]))));
            }
        }
        let accepting = pairs.iter().map(|&(a, b)| accept(self.accepts(a), other.accepts(b))).collect();
        Dfa { tracks: tracks.into(), next, accepting }.minimized()
    }

    /// For each letter over more tracks, the corresponding letter of this automaton.
    pub fn restriction(&self, tracks: &[Track]) -> Vec<u32> {
        let places: Vec<usize> = self
            .tracks
            .iter()
            .map(|track| tracks.binary_search(track).expect("the tracks include those of the automaton"))
            .collect();
        let restrict =
            |letter: u32| places.iter().enumerate().map(|(bit, place)| (letter >> place & 1) << bit).sum();
        (0..1 << tracks.len()).map(restrict).collect()
    }

    /// A shortest word, of at least one letter over the tracks of both, on which the two differ.
    pub fn difference(&self, other: &Dfa) -> Option<(Vec<Track>, Vec<u32>)> {
        let differing = self.product(other, |a, b| a != b);
        let word = differing.shortest_nonempty()?;
        Some((differing.tracks.to_vec(), word))
    }

    /// A shortest accepted word of at least one letter.
    pub fn shortest_nonempty(&self) -> Option<Vec<u32>> {
        let mut came_from: Vec<Option<(u32, u32)>> = vec![None; self.states()];
        let mut queue = VecDeque::from([0]);
        let mut started = false;
        while let Some(state) = queue.pop_front() {
            for letter in 0..self.letters() {
                let target = self.step(state, letter);
                if self.accepts(target) {
                    let mut word = vec![letter];
                    let mut at = state;
                    while at != 0 {
                        let (from, letter) = came_from[at as usize]?;
                        word.push(letter);
                        at = from;
                    }
                    word.reverse();
                    return Some(word);
                }
                if target != 0 && came_from[target as usize].is_none() {
                    came_from[target as usize] = Some((state, letter));
                    queue.push_back(target);
                }
            }
            started |= state == 0;
            debug_assert!(started, "the search begins at the start");
        }
        None
    }
}

#[cfg(test)]
mod tests;
