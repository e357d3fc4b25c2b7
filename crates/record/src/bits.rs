//! Past-time operators on 64 steps at a time: bit i of word w is step 64 w + i. What an operator must remember is carried from word
//! to word, so a trace of any length takes the same memory.

use crate::columns::WORDS;
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

    /// All words of a block at once: a word depends on its own targets and on those of the word before, so that a shift is the same
    /// operation on every word.
    pub(crate) fn words(&mut self, targets: &[u64], out: &mut [u64]) {
        let mut before = [0; WORDS];
        let before = &mut before[..targets.len()];
        let Some((last, rest)) = targets.split_last() else { return };
        before[0] = self.before;
        before[1..].copy_from_slice(rest);
        out.copy_from_slice(targets);
        self.before = *last;
        let mut covered = 1;
        let all = self.steps + 1;
        while covered < all {
            let more = covered.min(all - covered);
            for (word, before) in out.iter_mut().zip(before.iter_mut()) {
                *word |= *word << more | *before >> (64 - more);
                *before |= *before << more;
            }
            covered += more;
        }
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
pub(crate) enum Delay {
    /// Up to the steps of a block: the words before the next one.
    Short { bits: u32, line: Vec<u64> },
    /// More than that.
    Long(Line),
}

impl Delay {
    pub(crate) fn new(steps: u64) -> Delay {
        let (words, bits) = (steps / WORD, (steps % WORD) as u32);
        match usize::try_from(words) {
            Ok(words) if words < WORDS => Delay::Short { bits, line: vec![0; words + 1] },
            _ => Delay::Long(Line { words, bits, line: VecDeque::new() }),
        }
    }

    /// All words of a block.
    pub(crate) fn words(&mut self, targets: &[u64], out: &mut [u64]) {
        match self {
            Delay::Short { bits, line } => {
                let mut all = [0; 2 * WORDS];
                let all = &mut all[..line.len() + targets.len()];
                all[..line.len()].copy_from_slice(line);
                all[line.len()..].copy_from_slice(targets);
                // The delayed word is made of two, of which one is not needed if the delay is a number of whole words.
                match *bits {
                    0 => out.copy_from_slice(&all[1..=targets.len()]),
                    bits => {
                        for (out, pair) in out.iter_mut().zip(all.windows(2)) {
                            *out = pair[1] << bits | pair[0] >> (64 - bits);
                        }
                    }
                }
                let end = all.len() - line.len();
                line.copy_from_slice(&all[end..]);
            }
            Delay::Long(line) => {
                for (out, target) in out.iter_mut().zip(targets) {
                    *out = line.word(*target);
                }
            }
        }
    }
}

/// A line of words.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    words: u64,
    bits: u32,
    line: VecDeque<u64>,
}

impl Line {
    fn word(&mut self, target: u64) -> u64 {
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
        let each = |ways: &[u64], targets: &[u64], out: &mut [u64]| {
            for ((out, way), target) in out.iter_mut().zip(ways).zip(targets) {
                *out = word(*way, *target);
            }
        };
        check_words(name, each, holds);
    }

    /// As `check`, for an operator on several words at a time.
    fn check_words(
        name: &str,
        mut words: impl FnMut(&[u64], &[u64], &mut [u64]),
        holds: impl Fn(&[(bool, bool)]) -> bool,
    ) {
        let mut random = Random::new(11);
        let mut steps = Vec::new();
        for round in 0..12 {
            let mut sparse = || (0..round % 4).fold(random.bits(), |bits, _| bits & random.bits());
            let (ways, targets): (Vec<u64>, Vec<u64>) =
                (0..1 + round % 3).map(|_| (!sparse(), sparse())).unzip();
            let mut found = vec![0; ways.len()];
            words(&ways, &targets, &mut found);
            for ((found, way), target) in found.into_iter().zip(ways).zip(targets) {
                for bit in 0..WORD {
                    steps.push((way >> bit & 1 == 1, target >> bit & 1 == 1));
                    assert_eq!(found >> bit & 1 == 1, holds(&steps), "{name} at step {}", steps.len() - 1);
                }
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
                check_words(&format!("near {n}"), |_, targets, out| operator.words(targets, out), within);
            } else {
                let mut operator = Recent::new(n);
                check(&format!("recent {n}"), |_, target| operator.word(target), within);
            }
            let mut operator = Delay::new(n);
            let then = |steps: &[(bool, bool)]| steps.iter().nth_back(n as usize).is_some_and(|it| it.1);
            check_words(&format!("delay {n}"), |_, targets, out| operator.words(targets, out), then);
        }
        for n in [64 * 62, 64 * 63, 64 * 64 - 1, 64 * 64, 64 * 64 + 1] {
            let mut operator = Delay::new(n);
            let mut random = Random::new(n);
            let targets: Vec<u64> = (0..200).map(|_| random.bits()).collect();
            let mut found = vec![0; 200];
            for (targets, out) in targets.chunks(WORDS).zip(found.chunks_mut(WORDS)) {
                operator.words(targets, out);
            }
            let bit = |words: &[u64], step: u64| words[(step / WORD) as usize] >> (step % WORD) & 1;
            for step in 0..200 * WORD {
                let expected = step.checked_sub(n).map_or(0, |then| bit(&targets, then));
                assert_eq!(bit(&found, step), expected, "delay {n} at step {step}");
            }
        }
    }
}
