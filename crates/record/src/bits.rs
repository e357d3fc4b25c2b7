//! Past-time operators on 64 steps at a time: bit i of word w is step 64 w + i. What an operator must remember is carried from word
//! to word, so a trace of any length takes the same memory.

use std::collections::VecDeque;

/// The steps of a word.
pub(crate) const WORD: u64 = 64;

/// `way S target`, unbounded. Whether it holds passes from step to step as the carry of an addition does: a target generates it and
/// the way propagates it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Since {
    carry: bool,
}

impl Since {
    #[inline]
    pub(crate) fn word(&mut self, way: u64, target: u64) -> u64 {
        let (sum, over) = (way | target).overflowing_add(target);
        let (sum, over_again) = sum.overflowing_add(u64::from(self.carry));
        self.carry = over | over_again;
        target | (way & !sum)
    }
}

/// `O target`, unbounded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Once {
    seen: bool,
}

impl Once {
    #[inline]
    pub(crate) fn word(&mut self, target: u64) -> u64 {
        if self.seen {
            return !0;
        }
        self.seen = target != 0;
        from_first(target)
    }
}

/// `O[0,n] target` for n below 64: each step is spread over the next n by shifts that double.
#[derive(Debug, Clone)]
pub(crate) struct Near {
    steps: u32,
    before: u64,
}

impl Near {
    pub(crate) fn new(steps: u32) -> Near {
        Near { steps, before: 0 }
    }

    #[inline]
    pub(crate) fn word(&mut self, target: u64) -> u64 {
        let mut wide = u128::from(target) << 64 | u128::from(self.before);
        let mut covered = 1;
        let all = self.steps + 1;
        while covered < all {
            let more = covered.min(all - covered);
            wide |= wide << more;
            covered += more;
        }
        self.before = target;
        (wide >> 64) as u64
    }
}

/// `O[0,n] target` for n of at least 64: within a word, a target lasts to the end, so only the latest one is remembered.
#[derive(Debug, Clone)]
pub(crate) struct Recent {
    steps: u64,
    /// The number of further steps for which the latest target counts.
    left: u64,
}

impl Recent {
    pub(crate) fn new(steps: u64) -> Recent {
        Recent { steps, left: 0 }
    }

    #[inline]
    pub(crate) fn word(&mut self, target: u64) -> u64 {
        let covered = if self.left >= WORD { !0 } else { (1 << self.left) - 1 };
        self.left = if target == 0 {
            self.left.saturating_sub(WORD)
        } else {
            self.steps - u64::from(target.leading_zeros())
        };
        covered | from_first(target)
    }
}

/// `O[n,n] target`: a line of the last n steps, which grows no longer than the trace.
#[derive(Debug, Clone)]
pub(crate) struct Delay {
    words: u64,
    bits: u32,
    line: VecDeque<u64>,
}

impl Delay {
    pub(crate) fn new(steps: u64) -> Delay {
        Delay { words: steps / WORD, bits: (steps % WORD) as u32, line: VecDeque::new() }
    }

    #[inline]
    pub(crate) fn word(&mut self, target: u64) -> u64 {
        self.line.push_back(target);
        let there = self.line.len() as u64;
        // The word of the delayed step 0, and the one before it.
        let near = if there > self.words { self.line[(there - 1 - self.words) as usize] } else { 0 };
        if self.bits == 0 {
            if there > self.words {
                self.line.pop_front();
            }
            return near;
        }
        if there <= self.words + 1 {
            return near << self.bits;
        }
        let far = self.line.pop_front().unwrap_or(0);
        near << self.bits | far >> (64 - self.bits)
    }
}

/// Every step from the first one that is set.
#[inline]
fn from_first(target: u64) -> u64 {
    // The lowest bit and all above it; nothing for 0.
    target | target.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Compares an operator with its definition on random words, at every step.
    fn check(name: &str, mut word: impl FnMut(u64, u64) -> u64, holds: impl Fn(&[(bool, bool)]) -> bool) {
        let mut random = Random::new(11);
        let mut steps = Vec::new();
        for round in 0..20 {
            let mut sparse = || (0..round % 4).fold(random.bits(), |bits, _| bits & random.bits());
            let (way, target) = (!sparse(), sparse());
            let found = word(way, target);
            for bit in 0..WORD {
                steps.push((way >> bit & 1 == 1, target >> bit & 1 == 1));
                assert_eq!(found >> bit & 1 == 1, holds(&steps), "{name} at step {}", steps.len() - 1);
            }
        }
    }

    #[test]
    fn operators_are_their_definitions_for_all_bounds_around_words() {
        let since = |steps: &[(bool, bool)]| {
            let latest = steps.iter().rposition(|&(_, target)| target);
            latest.is_some_and(|at| steps[at + 1..].iter().all(|&(way, _)| way))
        };
        let mut operator = Since::default();
        check("since", |way, target| operator.word(way, target), since);
        let mut operator = Once::default();
        let once = |steps: &[(bool, bool)]| steps.iter().any(|&(_, target)| target);
        check("once", |_, target| operator.word(target), once);
        for n in 0..=200_u64 {
            let within = |steps: &[(bool, bool)]| steps.iter().rev().take(n as usize + 1).any(|it| it.1);
            if n < WORD {
                let mut operator = Near::new(n as u32);
                check(&format!("near {n}"), |_, target| operator.word(target), within);
            } else {
                let mut operator = Recent::new(n);
                check(&format!("recent {n}"), |_, target| operator.word(target), within);
            }
            let mut operator = Delay::new(n);
            let then = |steps: &[(bool, bool)]| steps.iter().nth_back(n as usize).is_some_and(|it| it.1);
            check(&format!("delay {n}"), |_, target| operator.word(target), then);
        }
    }
}
