//! First-order sentences over the positions of a finite word, compiled to automata: the classical route from logic to
//! automata (Büchi 1960, Elgot 1961), with one track for each position variable.
//!
//! Words are read from their last position to their first. In that direction, the future of a point has been read before the point
//! itself, so that the automata of requirements stay small; [`Dfa::reversed`] reverses the result.

mod endless;

pub use endless::EndlessCompiler;

use crate::automaton::{Dfa, TooManyStates, Track};
use rustc_hash::FxHashMap;

/// A variable for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(pub u32);

impl Position {
    /// Its track; variables come after all letters.
    fn track(self) -> Track {
        Track((1 << 16) + self.0)
    }
}

/// A first-order formula over positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fo {
    /// The letter of this track holds at the position.
    Holds(Track, Position),
    /// The second position is a number of steps after the first: at least the lower limit, and at most the upper one if there is one.
    Distance(Position, Position, u64, Option<u64>),
    /// The first position of the word.
    First(Position),
    /// The last position of the word.
    Last(Position),
    /// Negation.
    Not(Box<Fo>),
    /// Conjunction.
    And(Vec<Fo>),
    /// Disjunction.
    Or(Vec<Fo>),
    /// There is a position.
    Exists(Position, Box<Fo>),
    /// There is a position, or on an infinite word the unreachable end: it is after all positions, it is the last one, and no letter
    /// holds there.
    ExistsEnd(Position, Box<Fo>),
    /// This is the unreachable end; no position of a finite word is.
    Endless(Position),
}

impl Fo {
    /// `x = y`
    pub fn same(x: Position, y: Position) -> Fo {
        Fo::Distance(x, y, 0, Some(0))
    }

    /// `x ≤ y`
    pub fn at_most(x: Position, y: Position) -> Fo {
        Fo::Distance(x, y, 0, None)
    }

    /// `x < y`
    pub fn before(x: Position, y: Position) -> Fo {
        Fo::Distance(x, y, 1, None)
    }

    /// `y = x + steps`
    pub fn steps(x: Position, y: Position, steps: u64) -> Fo {
        Fo::Distance(x, y, steps, Some(steps))
    }

    /// Negation.
    pub fn negated(self) -> Fo {
        Fo::Not(Box::new(self))
    }

    /// There is a position.
    pub fn exists(x: Position, body: Fo) -> Fo {
        Fo::Exists(x, Box::new(body))
    }

    /// There is a position, or the unreachable end.
    pub fn exists_end(x: Position, body: Fo) -> Fo {
        Fo::ExistsEnd(x, Box::new(body))
    }

    /// At all positions.
    pub fn for_all(x: Position, body: Fo) -> Fo {
        Fo::exists(x, body.negated()).negated()
    }

    /// Implication.
    pub fn implies(self, then: Fo) -> Fo {
        Fo::Or(vec![self.negated(), then])
    }
}

/// Compiles formulas and caches the results.
#[derive(Debug, Default)]
pub struct Compiler {
    known: FxHashMap<Fo, Dfa>,
}

impl Compiler {
    /// The automaton of a formula, for words that are read backwards. It is correct for words in which each free variable marks
    /// exactly one position.
    pub fn compile(&mut self, formula: &Fo) -> Result<Dfa, TooManyStates> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let dfa = match formula {
            Fo::Holds(track, x) => holds(*track, x.track()),
            Fo::Distance(x, y, at_least, at_most) => apart(y.track(), x.track(), *at_least, *at_most, false),
            Fo::First(x) => first(x.track()),
            Fo::Last(x) => last(x.track()),
            Fo::Not(inner) => self.compile(inner)?.complement(),
            Fo::And(parts) => parts.iter().try_fold(Dfa::constant(true), |all, part| {
                Ok::<_, TooManyStates>(all.and(&self.compile(part)?))
            })?,
            Fo::Or(parts) => parts.iter().try_fold(Dfa::constant(false), |any, part| {
                Ok::<_, TooManyStates>(any.or(&self.compile(part)?))
            })?,
            Fo::Endless(_) => Dfa::constant(false),
            Fo::Exists(x, body) | Fo::ExistsEnd(x, body) => {
                self.compile(body)?.and(&once(x.track())).project(x.track())?
            }
        };
        self.known.insert(formula.clone(), dfa.clone());
        Ok(dfa)
    }
}

/// The tracks in order, and the bit of each given one.
fn ordered<const N: usize>(tracks: [Track; N]) -> (Vec<Track>, [u32; N]) {
    let mut sorted = tracks.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let bit = |track: Track| sorted.binary_search(&track).expect("every track is in its own list") as u32;
    let bits = tracks.map(|track| 1 << bit(track));
    (sorted, bits)
}

/// The variable marks exactly one position.
fn once(x: Track) -> Dfa {
    Dfa::new(&[x], vec![false, true, false], |state, letter| (state + letter).min(2))
}

fn holds(track: Track, x: Track) -> Dfa {
    let (tracks, [holds, here]) = ordered([track, x]);
    // 0: not yet, 1: yes, 2: no.
    Dfa::new(&tracks, vec![false, true, false], |state, letter| match state {
        0 if letter & here == 0 => 0,
        0 if letter & holds != 0 => 1,
        0 => 2,
        _ => state,
    })
}

/// Nothing is read after it.
fn first(x: Track) -> Dfa {
    Dfa::new(&[x], vec![false, true, false], |state, letter| match state {
        0 => letter,
        _ => 2,
    })
}

/// Nothing is read before it.
fn last(x: Track) -> Dfa {
    Dfa::new(&[x], vec![false, true, false], |state, letter| match state {
        0 if letter == 1 => 1,
        0 => 2,
        _ => state,
    })
}

/// The second is read the right number of steps after the first; `never` is the result if it is not read.
fn apart(first: Track, second: Track, at_least: u64, at_most: Option<u64>, never: bool) -> Dfa {
    let fits = |steps: u64| at_least <= steps && at_most.is_none_or(|most| steps <= most);
    if first == second {
        return Dfa::constant(fits(0));
    }
    let (tracks, [first, second]) = ordered([first, second]);
    // 0: neither, 1: yes, 2: no, 3 + k: k + 1 steps after the first; all step counts above `cap` are equivalent.
    let cap = at_most.map_or(at_least, |most| most.saturating_add(1)).max(1);
    let verdict = |steps: u64| if fits(steps) { 1 } else { 2 };
    let mut accepting = vec![never; 3 + cap as usize];
    accepting[..3].copy_from_slice(&[false, true, false]);
    Dfa::new(&tracks, accepting, |state, letter| match state {
        0 if letter & first != 0 && letter & second != 0 => verdict(0),
        0 if letter & first != 0 => 3,
        0 if letter & second != 0 => 2,
        0 => 0,
        1 | 2 => state,
        counting => {
            let steps = u64::from(counting) - 2;
            if letter & second != 0 { verdict(steps) } else { (counting + 1).min(2 + cap as u32) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const P: Track = Track(0);
    pub(super) const Q: Track = Track(1);

    pub(super) fn p(x: Position) -> Fo {
        Fo::Holds(P, x)
    }

    pub(super) fn q(x: Position) -> Fo {
        Fo::Holds(Q, x)
    }

    /// After each p there is a q, as many steps later.
    pub(super) fn later(steps: impl Fn(Position, Position) -> Fo) -> Fo {
        let [x, y] = [0, 1].map(Position);
        Fo::for_all(x, p(x).implies(Fo::exists(y, Fo::And(vec![steps(x, y), q(y)]))))
    }

    /// A q is between two p.
    pub(super) fn between() -> Fo {
        let [x, y, z] = [0, 1, 2].map(Position);
        let all = Fo::And(vec![Fo::before(x, y), Fo::before(y, z), p(x), q(y), p(z)]);
        Fo::exists(x, Fo::exists(z, Fo::exists(y, all)))
    }

    /// Compares a sentence with its meaning, computed directly, on all words up to length 5.
    fn check(sentence: &Fo, meaning: impl Fn(&[bool], &[bool]) -> bool) {
        let dfa = Compiler::default().compile(sentence).unwrap();
        let restriction = dfa.restriction(&[P, Q]);
        for length in 1..=5 {
            for number in 0..1u32 << (2 * length) {
                let bit = |k: u32| number >> k & 1 == 1;
                let p: Vec<bool> = (0..length).map(|t| bit(2 * t)).collect();
                let q: Vec<bool> = (0..length).map(|t| bit(2 * t + 1)).collect();
                let letters = (0..length).rev().map(|t| restriction[(number >> (2 * t) & 3) as usize]);
                let state = letters.fold(0, |state, letter| dfa.step(state, letter));
                assert_eq!(dfa.accepts(state), meaning(&p, &q), "{sentence:?} on {p:?} {q:?}");
            }
        }
    }

    #[test]
    fn sentences() {
        let x = Position(0);
        check(&Fo::exists(x, p(x)), |p, _| p.contains(&true));
        check(&Fo::for_all(x, p(x)), |p, _| !p.contains(&false));
        check(&Fo::exists(x, Fo::And(vec![Fo::First(x), p(x)])), |p, _| p[0]);
        check(&Fo::exists(x, Fo::And(vec![Fo::Last(x), p(x)])), |p, _| p[p.len() - 1]);
        let within = |lo: usize, hi: usize| {
            move |p: &[bool], q: &[bool]| {
                (0..p.len()).all(|t| !p[t] || (t + lo..=t + hi).any(|u| u < q.len() && q[u]))
            }
        };
        check(&later(Fo::same), within(0, 0));
        check(&later(Fo::at_most), within(0, 9));
        check(&later(Fo::before), within(1, 9));
        check(&later(|x, y| Fo::steps(x, y, 2)), within(2, 2));
        check(&later(|x, y| Fo::Distance(x, y, 1, Some(2))), within(1, 2));
        check(&later(|x, y| Fo::Distance(x, y, 2, None)), within(2, 9));
        check(&between(), |p, q| {
            (0..p.len()).any(|a| (a + 1..p.len()).any(|b| (b + 1..p.len()).any(|c| p[a] && q[b] && p[c])))
        });
    }
}
