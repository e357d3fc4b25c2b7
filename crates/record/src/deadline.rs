//! Durations in real time, decided on the times of the samples: `within 2 seconds` on a trace whose samples are uneven.
//!
//! A trigger at time t with the duration d is judged by the samples of its scope interval:
//! - *within*: the response holds at a sample from t to t + d. The first sample at or after t + d decides;
//! - *for*: it holds at all samples from t to t + d;
//! - *after*: it holds at none of them, and holds at the first one after t + d.
//!
//! If the interval ends sooner, nothing more is required. Memory grows with the number of triggers in one duration, not with the trace.

use logic::Formula;
use std::collections::VecDeque;

/// A requirement with a duration in real time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// What is required.
    pub demand: Demand,
    /// The duration, in billionths of the unit of time.
    pub length: i128,
    /// In scope now, and the response does not hold.
    pub unmet: Formula,
}

/// What must happen in a duration after a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Demand {
    Within,
    For,
    After,
}

/// A sample: its number, its time, and what holds there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) step: u64,
    pub(crate) time: i128,
    pub(crate) in_scope: bool,
    pub(crate) trigger: bool,
    pub(crate) unmet: bool,
}

/// The triggers that are not decided.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    demand: Demand,
    length: i128,
    /// Steps and times, ascending.
    triggers: VecDeque<(u64, i128)>,
}

impl Pending {
    pub(crate) fn new(demand: Demand, length: i128) -> Pending {
        Pending { demand, length, triggers: VecDeque::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.triggers.is_empty()
    }

    /// Reads the next sample; the trigger that is violated here, if there is one.
    pub(crate) fn sample(&mut self, sample: Sample) -> Option<u64> {
        let Sample { step, time, in_scope, trigger, unmet } = sample;
        if !in_scope {
            self.triggers.clear();
            return None;
        }
        match self.demand {
            Demand::Within => {
                let violated = self.until(|end| end < time);
                if !unmet {
                    self.triggers.clear();
                } else if trigger {
                    self.triggers.push_back((step, time));
                }
                violated.or(self.until(|end| end <= time))
            }
            Demand::For => {
                self.until(|end| end < time);
                if trigger {
                    self.triggers.push_back((step, time));
                }
                self.triggers.front().filter(|_| unmet).map(|(step, _)| *step)
            }
            Demand::After => {
                let over = self.until(|end| end < time);
                if trigger {
                    self.triggers.push_back((step, time));
                }
                over.filter(|_| unmet).or(self.triggers.front().filter(|_| !unmet).map(|(step, _)| *step))
            }
        }
    }

    /// Forgets the triggers whose durations have ended; the first of them.
    fn until(&mut self, is_over: impl Fn(i128) -> bool) -> Option<u64> {
        let mut first = None;
        while let Some(&(step, time)) = self.triggers.front()
            && is_over(time.saturating_add(self.length))
        {
            first.get_or_insert(step);
            self.triggers.pop_front();
        }
        first
    }
}

/// Whether the definitions confirm that a trigger at the first of some samples of its interval is violated, with the last sample
/// deciding: the times of the samples, and whether the response holds.
pub fn is_violated(demand: Demand, length: i128, times: &[i128], response: &[bool]) -> bool {
    let (Some(&start), Some(&last)) = (times.first(), times.last()) else { return false };
    let end = start.saturating_add(length);
    let in_time = times.iter().zip(response).filter(|(time, _)| **time <= end).map(|(_, holds)| *holds);
    let after = times.iter().zip(response).find(|(time, _)| **time > end).map(|(_, holds)| *holds);
    match demand {
        Demand::Within => last >= end && !in_time.into_iter().any(|holds| holds),
        Demand::For => !in_time.into_iter().all(|holds| holds),
        Demand::After => in_time.into_iter().any(|holds| holds) || after == Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// The steps at which a trigger is violated, by the definitions: each trigger is decided at the first step that shows it, and a
    /// duration that must be filled is violated at every such step.
    fn defined(demand: Demand, length: i128, samples: &[Sample]) -> Vec<u64> {
        let mut steps = Vec::new();
        for (at, trigger) in samples.iter().enumerate().filter(|(_, it)| it.trigger && it.in_scope) {
            let interval = samples[at..].iter().take_while(|it| it.in_scope);
            let interval: Vec<&Sample> = interval.collect();
            let end = trigger.time + length;
            let bad: Vec<u64> = match demand {
                Demand::Within => {
                    let is_met = interval.iter().any(|it| it.time <= end && !it.unmet);
                    interval
                        .iter()
                        .find(|it| it.time >= end && !is_met)
                        .map(|it| it.step)
                        .into_iter()
                        .collect()
                }
                Demand::For => {
                    interval.iter().filter(|it| it.time <= end && it.unmet).map(|it| it.step).collect()
                }
                Demand::After => {
                    let early = interval.iter().filter(|it| it.time <= end && !it.unmet);
                    let late = interval.iter().find(|it| it.time > end).filter(|it| it.unmet);
                    early.chain(late).map(|it| it.step).collect()
                }
            };
            steps.extend(bad);
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    #[test]
    fn violations_are_those_of_the_definitions() {
        let mut random = Random::new(8);
        let mut violated = 0;
        for round in 0..6000 {
            let mut time = 0;
            let samples: Vec<Sample> = (0..30)
                .map(|step| {
                    time += i128::from(random.pick(&[1_u8, 1, 1, 2, 3, 10]));
                    let in_scope = random.below(8_u64) != 0;
                    let (trigger, unmet) = (in_scope && random.below(4_u64) == 0, random.below(3_u64) != 0);
                    Sample { step, time, in_scope, trigger, unmet }
                })
                .collect();
            let length = i128::from(random.pick(&[0_u8, 1, 2, 5, 12]));
            for demand in [Demand::Within, Demand::For, Demand::After] {
                let mut pending = Pending::new(demand, length);
                let found = samples.iter().filter_map(|it| Some((it.step, pending.sample(*it)?)));
                let found: Vec<(u64, u64)> = found.collect();
                let steps: Vec<u64> = found.iter().map(|(step, _)| *step).collect();
                assert_eq!(steps, defined(demand, length, &samples), "{round} {demand:?} {length}");
                for (step, trigger) in found {
                    let of_trigger = &samples[trigger as usize..=step as usize];
                    let times: Vec<i128> = of_trigger.iter().map(|it| it.time).collect();
                    let response: Vec<bool> = of_trigger.iter().map(|it| !it.unmet).collect();
                    assert!(is_violated(demand, length, &times, &response), "{round} {demand:?} {length}");
                    violated += 1;
                }
            }
        }
        assert!(violated > 10_000, "{violated}");
    }
}
