//! The smallest automaton with the same language, by refining a partition of the states (Moore 1956), without irrelevant tracks.
//! States are numbered in the order of a search from the start, so equal languages over equal tracks have equal automata.

use super::{Dfa, Track};
use base::Interned;

impl Dfa {
    pub(super) fn minimized(self) -> Dfa {
        self.with_blocks().without_idle_tracks().in_order()
    }

    /// One state for each class of states with the same language.
    fn with_blocks(self) -> Dfa {
        let letters = self.letters() as usize;
        let mut block: Vec<u32> = self.accepting.iter().map(|&accepts| u32::from(accepts)).collect();
        let mut count = if block.contains(&0) && block.contains(&1) { 2 } else { 1 };
        loop {
            let mut signatures: Interned<Vec<u32>> = Interned::default();
            let refined: Vec<u32> = (0..self.states())
                .map(|state| {
                    let row = &self.next[state * letters..(state + 1) * letters];
                    let targets = row.iter().map(|&target| block[target as usize]);
                    signatures.intern(std::iter::once(block[state]).chain(targets).collect())
                })
                .collect();
            let refined_count = signatures.len();
            block = refined;
            if refined_count == count {
                break;
            }
            count = refined_count;
        }
        let mut representative = vec![None; count];
        for (state, &class) in block.iter().enumerate() {
            representative[class as usize].get_or_insert(state);
        }
        let representatives: Vec<usize> = representative.into_iter().flatten().collect();
        let rows =
            representatives.iter().flat_map(|&state| &self.next[state * letters..(state + 1) * letters]);
        let next: Vec<u32> = rows.map(|&target| block[target as usize]).collect();
        let accepting = representatives.iter().map(|&state| self.accepting[state]).collect();
        Dfa { tracks: self.tracks, next, accepting }.started_at(block[0])
    }

    /// The same automaton with the start moved to state 0.
    fn started_at(mut self, start: u32) -> Dfa {
        if start != 0 {
            let letters = self.letters() as usize;
            for letter in 0..letters {
                self.next.swap(letter, start as usize * letters + letter);
            }
            self.accepting.swap(0, start as usize);
            for target in &mut self.next {
                *target = match *target {
                    0 => start,
                    other if other == start => 0,
                    other => other,
                };
            }
        }
        self
    }

    fn without_idle_tracks(mut self) -> Dfa {
        let mut bit = 0;
        while bit < self.tracks.len() {
            let idle = (0..self.states() as u32).all(|state| {
                (0..self.letters())
                    .all(|letter| self.step(state, letter) == self.step(state, letter ^ 1 << bit))
            });
            if idle {
                let wide = |letter: u32| (letter >> bit << (bit + 1)) | (letter & ((1 << bit) - 1));
                let narrow = self.letters() / 2;
                let next = (0..self.states() as u32)
                    .flat_map(|s| (0..narrow).map(move |l| (s, l)))
                    .map(|(s, l)| self.step(s, wide(l)))
                    .collect();
                let tracks: Vec<Track> = self
                    .tracks
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| *index != bit)
                    .map(|(_, &track)| track)
                    .collect();
                self = Dfa { tracks: tracks.into(), next, accepting: self.accepting };
            } else {
                bit += 1;
            }
        }
        self
    }

    /// The states in the order of a search from the start; unreachable ones are dropped.
    fn in_order(self) -> Dfa {
        let letters = self.letters();
        let mut number = vec![None; self.states()];
        let mut order = vec![0];
        number[0] = Some(0);
        let mut done = 0;
        while let Some(&state) = order.get(done) {
            done += 1;
            for letter in 0..letters {
                let target = self.step(state, letter);
                if number[target as usize].is_none() {
                    number[target as usize] = Some(order.len() as u32);
                    order.push(target);
                }
            }
        }
        let renumbered =
            |target: u32| number[target as usize].expect("targets of reached states are reached");
        let next = order.iter().flat_map(|&state| (0..letters).map(move |letter| (state, letter)));
        let next = next.map(|(state, letter)| renumbered(self.step(state, letter))).collect();
        let accepting = order.iter().map(|&state| self.accepts(state)).collect();
        Dfa { tracks: self.tracks, next, accepting }
    }
}
