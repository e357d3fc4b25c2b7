//! Signals that were sampled at different times: a step for each time at which one of them was, with the latest values of the others.
//!
//! The first step is at the first time at which all groups of signals have a value. Values at the same time are one step; the last one counts.

use crate::cell::Cell;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Reader, Signal, TOO_OLD, Time, TimeUnit};
use crate::table::Values;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::Sort;
use rustc_hash::FxHashSet;

/// Signals that were sampled together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    /// The times, in billionths of the unit.
    pub(crate) times: Vec<i128>,
    pub(crate) signals: Vec<Sampled>,
}

/// A signal of a group, with a value for each time.
#[derive(Debug, Clone)]
pub(crate) struct Sampled {
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
    pub(crate) values: Values,
    /// The samples without a value, ascending, and why.
    pub(crate) missing: Vec<(usize, &'static str)>,
}

/// Groups of signals, one step after the other.
#[derive(Debug, Clone)]
pub struct Merged {
    groups: Vec<Group>,
    signals: Vec<Signal>,
    /// Where each signal is: its group, and its number there. The time comes first.
    places: Vec<(usize, usize)>,
    time: Time,
    selected: Vec<Option<usize>>,
    /// The number of the sample of each group that is the latest one at the step; all steps before it are done.
    next: Vec<usize>,
    /// What the file has besides, and why it is not read.
    left_out: Vec<String>,
    /// The greatest age of a value.
    most: Option<i128>,
}

impl Merged {
    /// Groups of signals, with the name and the unit of their time.
    pub(crate) fn new(mut groups: Vec<Group>, time: &str, unit: TimeUnit) -> Result<Merged, Malformed> {
        let mut known = FxHashSet::from_iter([time.to_owned()]);
        groups.retain(|group| !group.times.is_empty());
        groups.iter_mut().for_each(Group::sort);
        let mut signals = vec![Signal { name: time.to_owned(), unit: None, sort: Sort::Real }];
        let mut places = vec![(usize::MAX, 0)];
        for (at, group) in groups.iter().enumerate() {
            for (number, signal) in group.signals.iter().enumerate() {
                // Groups may have signals of the same name, such as two senders on one topic.
                let mut name = signal.name.clone();
                let mut count = 1;
                while !known.insert(name.clone()) {
                    count += 1;
                    name = format!("{}#{count}", signal.name);
                }
                signals.push(Signal { name, unit: signal.unit.clone(), sort: signal.values.sort() });
                places.push((at, number));
            }
        }
        if places.len() == 1 {
            return Err(Malformed { line: None, reason: "the file has no signals with values".into() });
        }
        let time = Time { column: 0, is_date: false, unit };
        let mut merged = Merged {
            next: Vec::new(),
            groups,
            signals,
            places,
            time,
            selected: Vec::new(),
            left_out: Vec::new(),
            most: None,
        };
        merged.start();
        Ok(merged)
    }

    /// The same, with what the file has besides, and why it is not read.
    pub(crate) fn without(mut self, left_out: Vec<String>) -> Merged {
        self.left_out = left_out;
        self
    }

    /// Goes to the first step.
    fn start(&mut self) {
        let first = self.groups.iter().filter_map(|group| group.times.first()).max().copied();
        let before =
            |group: &Group| first.map_or(0, |first| group.times.partition_point(|time| *time <= first));
        self.next = self.groups.iter().map(|group| before(group).saturating_sub(1)).collect();
    }

    /// The time of the next step; none at the end.
    fn now(&self) -> Option<i128> {
        let started = || self.groups.iter().zip(&self.next).map(|(group, next)| group.times.get(*next));
        started().try_fold(i128::MIN, |latest, time| Some(latest.max(*time?)))
    }

    /// Goes to the next time at which a group has a sample; false at the end.
    fn advance(&mut self, now: i128) -> bool {
        let later =
            |(group, next): (&Group, &usize)| group.times[*next..].iter().find(|time| **time > now).copied();
        let Some(then) = self.groups.iter().zip(&self.next).filter_map(later).min() else { return false };
        for (group, next) in self.groups.iter().zip(&mut self.next) {
            while group.times.get(*next + 1).is_some_and(|time| *time <= then) {
                *next += 1;
            }
        }
        true
    }
}

impl Group {
    /// Orders the samples by their times, and keeps the last one of each.
    fn sort(&mut self) {
        if self.times.is_sorted_by(|a, b| a < b) {
            return;
        }
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by_key(|&at| self.times[at]);
        let is_last = |at: usize| at + 1 == order.len() || self.times[order[at]] != self.times[order[at + 1]];
        let kept: Vec<usize> = (0..order.len()).filter(|&at| is_last(at)).map(|at| order[at]).collect();
        self.times = kept.iter().map(|&at| self.times[at]).collect();
        for signal in &mut self.signals {
            signal.values = signal.values.chosen(&kept);
            let missing = std::mem::take(&mut signal.missing);
            let why =
                |at: &usize| missing.binary_search_by_key(at, |it| it.0).ok().map(|found| missing[found].1);
            signal.missing = kept.iter().enumerate().filter_map(|(new, at)| Some((new, why(at)?))).collect();
        }
    }
}

impl Reader for Merged {
    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn time(&self) -> Option<Time> {
        Some(self.time)
    }

    fn left_out(&self) -> &[String] {
        &self.left_out
    }

    fn limit_age(&mut self, most: i128) {
        self.most = Some(most);
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.selected = columns.to_vec();
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        let mut is_more = !self.next.is_empty();
        while let Some(now) = self.now().filter(|_| is_more && block.rows < BLOCK) {
            let row = block.rows;
            let step = block.start + row as u64;
            for (column, selected) in block.columns.iter_mut().zip(&self.selected) {
                let Some(signal) = *selected else { continue };
                let name = &self.signals[signal].name;
                let place = || format!("step {step}, `{name}`");
                let (group, number) = self.places[signal];
                let Some(group_of) = self.groups.get(group) else {
                    let time = RBig::from_parts(IBig::from(now), 1_000_000_000_u32.into());
                    column.put_number(row, step, &time, place);
                    continue;
                };
                let (sampled, at) = (&group_of.signals[number], self.next[group]);
                let is_old = self.most.is_some_and(|most| now - group_of.times[at] > most);
                let cell = match sampled.missing.binary_search_by_key(&at, |it| it.0) {
                    _ if is_old => Cell::Missing(TOO_OLD),
                    Ok(found) => Cell::Missing(sampled.missing[found].1),
                    Err(_) => sampled.values.cell(at),
                };
                column.put(row, step, cell, place);
            }
            block.rows += 1;
            is_more = self.advance(now);
        }
        if !is_more {
            self.next.clear();
        }
        Ok(block.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind};

    fn group(samples: &[(i64, i64)], name: &str) -> Group {
        let values = Values::Integers(samples.iter().map(|it| it.1).collect());
        let signal = Sampled { name: name.into(), unit: None, values, missing: Vec::new() };
        let times = samples.iter().map(|it| i128::from(it.0) * 1_000_000_000).collect();
        Group { times, signals: vec![signal] }
    }

    /// The steps of two groups, as `time a b`.
    fn check(a: &[(i64, i64)], b: &[(i64, i64)], expected: &str) {
        check_age(a, b, None, expected);
    }

    /// The same, with a limit for the age of values; what is missing is `!`.
    fn check_age(a: &[(i64, i64)], b: &[(i64, i64)], most: Option<i128>, expected: &str) {
        let groups = vec![group(a, "a"), group(b, "b")];
        let mut merged = Merged::new(groups, "time", TimeUnit::Second).expect("signals");
        if let Some(most) = most {
            merged.limit_age(most * 1_000_000_000);
        }
        merged.select(&[Some(0), Some(1), Some(2)]);
        let inputs = ["time", "a", "b"].map(|name| Input { name: name.into(), kind: Kind::Number });
        let mut block = Block::new(&inputs);
        let mut shown = Vec::new();
        while merged.fill(&mut block).expect("steps") > 0 {
            for row in 0..block.rows {
                let step = block.start + row as u64;
                let cells = block.columns.iter().map(|column| match column.value(row) {
                    _ if column.flaw.as_ref().is_some_and(|flaw| flaw.step <= step) => "!".into(),
                    logic::Value::Num(number) => number.to_string(),
                    other => format!("{other:?}"),
                });
                shown.push(cells.collect::<Vec<_>>().join(" "));
            }
        }
        assert_eq!(shown.join(", "), expected);
    }

    #[test]
    fn steps_have_the_latest_values() {
        check(&[(0, 1), (2, 2), (4, 3)], &[(1, 7), (2, 8)], "1 1 7, 2 2 8, 4 3 8");
        check(&[(3, 1)], &[(1, 7), (2, 8), (5, 9)], "3 1 8, 5 1 9");
        // Samples out of order, and two at one time.
        check(&[(2, 5), (1, 4), (2, 6)], &[(1, 7)], "1 4 7, 2 6 7");
        check(&[(1, 1)], &[(1, 2)], "1 1 2");
    }

    #[test]
    fn old_values_are_missing() {
        let (often, once) = ([(0, 1), (1, 2), (2, 3), (3, 4)], [(0, 7)]);
        check_age(&often, &once, Some(2), "0 1 7, 1 2 7, 2 3 7, 3 4 !");
        check_age(&often, &once, Some(3), "0 1 7, 1 2 7, 2 3 7, 3 4 7");
    }
}
