//! The column of time: whether it ascends, how it is sampled, and where it has gaps.

use crate::columns::{Block, Cells};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// What is known about the time column so far; times are in billionths of its unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clock {
    /// The first time.
    pub first: Option<i128>,
    /// The last time.
    pub last: Option<i128>,
    /// The first step whose time is not after the one before.
    pub stuck: Option<u64>,
    /// The shortest distance of two steps.
    pub shortest: Option<i128>,
    /// The longest distance of two steps, and the second of them.
    pub longest: Option<(i128, u64)>,
    /// The usual distance: the median in the first block.
    pub usual: Option<i128>,
    /// The number of distances of more than twice the usual one.
    pub gaps: u64,
    /// The first such distance, and the second of its steps.
    pub first_gap: Option<(i128, u64)>,
    /// The times of the last block.
    times: Vec<i128>,
}

impl Clock {
    /// Reads the times of a block from one of its columns.
    pub fn block(&mut self, block: &Block, column: usize) {
        let Cells::Numbers(numbers) = &block.columns[column].cells else { return };
        let valid = block.columns[column].flaw.as_ref().map_or(block.rows, |flaw| {
            usize::try_from(flaw.step.saturating_sub(block.start)).unwrap_or(block.rows).min(block.rows)
        });
        let mut others = numbers.others.iter().peekable();
        let mut times = std::mem::take(&mut self.times);
        times.clear();
        for row in 0..valid {
            let time = match others.next_if(|(at, _)| *at == row) {
                Some((_, number)) => billionths(number),
                None => small(numbers.digits[row], numbers.scales[row]),
            };
            times.push(time);
        }
        if self.usual.is_none() && times.len() > 1 {
            let mut distances: Vec<i128> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            distances.sort_unstable();
            self.usual = Some(distances[distances.len() / 2]);
        }
        for (row, &time) in times.iter().enumerate() {
            if let Some(last) = self.last {
                self.distance(time - last, block.start + row as u64);
            }
            self.first.get_or_insert(time);
            self.last = Some(time);
        }
        self.times = times;
    }

    /// The times of the last block, up to the first cell without one.
    pub fn times(&self) -> &[i128] {
        &self.times
    }

    fn distance(&mut self, distance: i128, step: u64) {
        if distance <= 0 {
            self.stuck.get_or_insert(step);
        }
        if self.shortest.is_none_or(|shortest| distance < shortest) {
            self.shortest = Some(distance);
        }
        if self.longest.is_none_or(|(longest, _)| distance > longest) {
            self.longest = Some((distance, step));
        }
        if self.usual.is_some_and(|usual| distance > 2 * usual) {
            self.gaps += 1;
            self.first_gap.get_or_insert((distance, step));
        }
    }
}

/// A time as it is written: billionths as a decimal.
pub fn written(billionths: i128) -> String {
    let number = RBig::from_parts(IBig::from(billionths), 1_000_000_000_u32.into());
    logic::format_decimal(&number).unwrap_or_else(|| number.to_string())
}

/// Billionths in one unit of the last of so many decimal places.
const FACTORS: [i128; 10] = {
    let mut factors = [1; 10];
    let mut places = 9;
    while places > 0 {
        places -= 1;
        factors[places] = factors[places + 1] * 10;
    }
    factors
};

fn small(digits: i64, scale: u8) -> i128 {
    match FACTORS.get(usize::from(scale)) {
        Some(factor) => i128::from(digits) * factor,
        None => i128::from(digits) / 10_i128.pow(u32::from(scale) - 9),
    }
}

fn billionths(number: &RBig) -> i128 {
    let scaled: IBig = (number * RBig::from(1_000_000_000_u32)).floor();
    i128::try_from(&scaled).unwrap_or(if scaled < IBig::ZERO { i128::MIN / 4 } else { i128::MAX / 4 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind, csv::Csv};

    #[test]
    fn gaps_and_steps_back_are_found() {
        let mut csv = Csv::open("t\n0.00\n0.01\n0.02\n0.5\n0.51\n0.505\n".as_bytes()).expect("a head");
        csv.select(&[Some(0)]);
        let mut block = Block::new(&[Input { name: "t".into(), kind: Kind::Number }]);
        let mut clock = Clock::default();
        while csv.fill(&mut block).expect("rows") > 0 {
            clock.block(&block, 0);
        }
        assert_eq!(clock.first_gap.map(|(gap, step)| (written(gap), step)), Some(("0.48".into(), 3)));
        assert_eq!((clock.stuck, clock.gaps), (Some(5), 1));
        assert_eq!(clock.usual.map(written).as_deref(), Some("0.01"));
        assert_eq!(clock.last.map(written).as_deref(), Some("0.505"));
    }
}
