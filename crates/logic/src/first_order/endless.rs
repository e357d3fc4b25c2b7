//! Sentences over infinite words, compiled to deterministic automata that read forwards.
//!
//! All subformulas are weak: with its variables fixed, a definition is decided by a finite prefix or by what never happens. The
//! outermost quantifiers of a sentence that denies violations need not be weak, so it becomes a deterministic Büchi automaton, which
//! accepts a word if it visits an accepting state infinitely often.

use super::{Fo, Position, apart, holds};
use crate::automaton::{Dfa, NotWeak, Track};
use rustc_hash::FxHashMap;

/// Compiles formulas over infinite words and caches the results.
#[derive(Debug, Default)]
pub struct EndlessCompiler {
    known: FxHashMap<Fo, Dfa>,
}

impl EndlessCompiler {
    /// A deterministic Büchi automaton of a sentence: "there are no positions such that …", or one with a weak automaton.
    pub fn recurrent(&mut self, sentence: &Fo) -> Result<Dfa, NotWeak> {
        let Fo::Not(violation) = sentence else { return self.weak(sentence) };
        let mut variables = Vec::new();
        let matrix = prenex(violation, &mut variables);
        let mut dfa = self.weak(&matrix)?;
        for &(x, may_be_endless) in &variables {
            dfa = dfa.and(&marked(x.track(), may_be_endless));
        }
        let hidden: Vec<Track> = variables.iter().map(|(x, _)| x.track()).collect();
        dfa.project_endless(&hidden)
    }

    /// The weak automaton of a formula. It is correct for words in which each free variable marks one position, or none if it is the
    /// unreachable end.
    fn weak(&mut self, formula: &Fo) -> Result<Dfa, NotWeak> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let dfa = match formula {
            Fo::Holds(track, x) => holds(*track, x.track()),
            // The unreachable end is farther away than any number of steps.
            Fo::Distance(x, y, at_least, at_most) => {
                apart(x.track(), y.track(), *at_least, *at_most, at_most.is_none())
            }
            Fo::First(x) => first(x.track()),
            Fo::Last(x) | Fo::Endless(x) => never(x.track()),
            Fo::Not(inner) => self.weak(inner)?.complement(),
            Fo::And(parts) => parts
                .iter()
                .try_fold(Dfa::constant(true), |all, part| Ok::<_, NotWeak>(all.and(&self.weak(part)?)))?,
            Fo::Or(parts) => parts
                .iter()
                .try_fold(Dfa::constant(false), |any, part| Ok::<_, NotWeak>(any.or(&self.weak(part)?)))?,
            Fo::Exists(x, body) => self.weak(body)?.exists(*x, false)?,
            Fo::ExistsEnd(x, body) => self.weak(body)?.exists(*x, true)?,
        };
        self.known.insert(formula.clone(), dfa.clone());
        Ok(dfa)
    }
}

impl Dfa {
    fn exists(&self, x: Position, may_be_endless: bool) -> Result<Dfa, NotWeak> {
        self.and(&marked(x.track(), may_be_endless)).project_endless(&[x.track()])?.weak()
    }
}

/// Pulls the quantifiers to the front, including those in the parts of a conjunction. All variables are different.
fn prenex(formula: &Fo, variables: &mut Vec<(Position, bool)>) -> Fo {
    match formula {
        Fo::Exists(x, body) => {
            variables.push((*x, false));
            prenex(body, variables)
        }
        Fo::ExistsEnd(x, body) => {
            variables.push((*x, true));
            prenex(body, variables)
        }
        Fo::And(parts) if parts.iter().filter(|part| matches!(part, Fo::Exists(..))).count() == 1 => {
            Fo::And(parts.iter().map(|part| prenex(part, variables)).collect())
        }
        _ => formula.clone(),
    }
}

/// The variable marks one position; or, if it may be endless, none.
fn marked(x: Track, may_be_endless: bool) -> Dfa {
    Dfa::new(&[x], vec![may_be_endless, true, false], |state, letter| (state + letter).min(2))
}

/// The first letter has this track.
fn first(x: Track) -> Dfa {
    Dfa::new(&[x], vec![false, true, false], |state, letter| match state {
        0 => 2 - letter,
        _ => state,
    })
}

fn never(x: Track) -> Dfa {
    Dfa::new(&[x], vec![true, false], |state, letter| state | letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::tests::{P, Q, between, later, p, q};

    /// Compares a sentence with its meaning on all lassos up to length 4. The meaning is computed from what holds at each position,
    /// and from positions up to a horizon after which everything repeats.
    fn check(sentence: &Fo, meaning: impl Fn(&[bool], &[bool]) -> bool) {
        let dfa = EndlessCompiler::default().recurrent(sentence).unwrap();
        let restriction = dfa.restriction(&[P, Q]);
        for (length, number) in (1..=4).flat_map(|length| (0..1u32 << (2 * length)).map(move |n| (length, n)))
        {
            for start in 0..length {
                let fold = |t: u32| if t < length { t } else { start + (t - start) % (length - start) };
                let letter = |t: u32| number >> (2 * fold(t)) & 3;
                let p: Vec<bool> = (0..24).map(|t| letter(t) & 1 == 1).collect();
                let q: Vec<bool> = (0..24).map(|t| letter(t) & 2 == 2).collect();
                // The run is periodic after states × length steps; whether it accepts again after that decides.
                let settled = dfa.states() as u32 * length;
                let mut state = 0;
                let mut accepts = false;
                for t in 0..2 * settled + length {
                    state = dfa.step(state, restriction[letter(t) as usize]);
                    accepts |= t >= settled && dfa.accepts(state);
                }
                assert_eq!(accepts, meaning(&p, &q), "{sentence:?} on {p:?} {q:?}");
            }
        }
    }

    #[test]
    fn sentences() {
        let [x, y] = [0, 1].map(Position);
        check(&Fo::exists(x, p(x)), |p, _| p.contains(&true));
        check(&Fo::for_all(x, p(x)), |p, _| !p.contains(&false));
        check(&Fo::exists(x, Fo::And(vec![Fo::First(x), p(x)])), |p, _| p[0]);
        check(&Fo::exists(x, Fo::And(vec![Fo::Last(x), p(x)])), |_, _| false);
        // q holds wherever p does; without p there is no violation.
        let rest = Fo::And(vec![Fo::Last(y), Fo::at_most(x, y), p(x), q(x).negated()]);
        check(&Fo::exists(x, Fo::exists_end(y, rest)).negated(), |p, q| (0..24).all(|t| !p[t] || q[t]));
        // After each p some time a q: not weak, but recurrent.
        let answered = Fo::exists(y, Fo::And(vec![Fo::at_most(x, y), q(y)]));
        check(&Fo::for_all(x, p(x).implies(answered)), |p, q| {
            (0..12).all(|t| !p[t] || (t..24).any(|u| q[u]))
        });
        let within = |lo: usize, hi: usize| {
            move |p: &[bool], q: &[bool]| (0..12).all(|t| !p[t] || (t + lo..=t + hi).any(|u| q[u]))
        };
        check(&later(Fo::same), within(0, 0));
        check(&later(Fo::before), within(1, 11));
        check(&later(|x, y| Fo::steps(x, y, 2)), within(2, 2));
        check(&later(|x, y| Fo::Distance(x, y, 1, Some(2))), within(1, 2));
        check(&later(|x, y| Fo::Distance(x, y, 2, None)), within(2, 11));
        check(&between(), |p, q| {
            (0..24).any(|a| (a + 1..24).any(|b| (b + 1..24).any(|c| p[a] && q[b] && p[c])))
        });
    }

    #[test]
    fn what_is_not_weak_is_refused() {
        let [x, y] = [0, 1].map(Position);
        let again = Fo::for_all(x, Fo::exists(y, Fo::And(vec![Fo::before(x, y), Fo::Holds(P, y)])));
        let never_again = Fo::Or(vec![again.clone().negated(), Fo::Holds(Q, x)]);
        assert_eq!(EndlessCompiler::default().recurrent(&never_again), Err(NotWeak::Alternating));
        assert!(EndlessCompiler::default().recurrent(&again).is_ok());
    }
}
