//! The column of time: whether it ascends, how it is sampled, and where it has gaps.

use crate::cell::{Cell, decimal_of, shortest};
use crate::columns::{Block, Cells, Column, Numbers};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// What is known about the time column so far; times are the nearest billionths of its unit.
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
}

impl Clock {
    /// Reads the times of a block from one of its columns.
    pub fn block(&mut self, block: &Block, column: usize) {
        if self.goes_on(block, column).is_some() {
            return;
        }
        let times = times(block, column);
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
    }

    /// Reads a block as most are: its times have equally many decimal places, ascend, and have no distance longer than those before.
    fn goes_on(&mut self, block: &Block, column: usize) -> Option<()> {
        let (numbers, rows) = numbers(block, column)?;
        let (digits, scales) = (&numbers.digits[..rows], &numbers.scales[..rows]);
        let (first, last, scale) = (*digits.first()?, *digits.last()?, *scales.first()?);
        let factor = *FACTORS.get(usize::from(scale))?;
        // Simple loops over whole blocks, which the compiler turns into vector operations.
        let other_scales = scales.iter().fold(0, |any, it| any | (it ^ scale));
        if !numbers.others.is_empty() || other_scales != 0 {
            return None;
        }
        let start = i128::from(first) * factor - self.last?;
        let (mut shortest, mut longest) = (start, start);
        if let [first, second, ..] = digits {
            let distances = || digits.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
            let even = second.wrapping_sub(*first);
            let is_even = distances().fold(0, |any, distance| any | (distance ^ even)) == 0;
            // If one of them had overflowed, they would not add up.
            let whole = i128::from(last) - i128::from(*first);
            let (least, most) = if is_even && i128::from(even) * (rows as i128 - 1) == whole {
                (even, even)
            } else if digits.iter().all(|it| it.unsigned_abs() < 1 << 62) {
                distances().fold((even, even), |(least, most), it| (least.min(it), most.max(it)))
            } else {
                return None;
            };
            shortest = shortest.min(i128::from(least) * factor);
            longest = longest.max(i128::from(most) * factor);
        }
        if shortest <= 0 || longest > 2 * self.usual? || longest > self.longest?.0 {
            return None;
        }
        self.shortest = self.shortest.map(|known| known.min(shortest));
        self.last = Some(i128::from(last) * factor);
        Some(())
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

/// The times of a block in one of its columns, in billionths, up to the first cell without one.
pub fn times(block: &Block, column: usize) -> Vec<i128> {
    let Some((numbers, rows)) = numbers(block, column) else { return Vec::new() };
    let mut others = numbers.others.iter().peekable();
    let time = |row: usize| match others.next_if(|(at, _)| *at == row) {
        Some((_, number)) => billionths(number),
        None => small(numbers.digits[row], numbers.scales[row]),
    };
    (0..rows).map(time).collect()
}

/// The numbers of a column, and how many there are before its flaw.
fn numbers(block: &Block, column: usize) -> Option<(&Numbers, usize)> {
    let Column { cells: Cells::Numbers(numbers), flaw, .. } = &block.columns[column] else { return None };
    let until = flaw.as_ref().map_or(block.rows as u64, |flaw| flaw.step.saturating_sub(block.start));
    Some((numbers, usize::try_from(until).unwrap_or(block.rows).min(block.rows)))
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
        None => {
            let one = 10_i128.pow(u32::from(scale) - 9);
            (i128::from(digits) + one / 2).div_euclid(one)
        }
    }
}

/// A number as a time, in billionths; `None` if it is not a number.
pub(crate) fn time_of(cell: Cell) -> Option<i128> {
    match cell {
        Cell::Integer(number) => Some(small(number, 0)),
        Cell::Natural(number) => Some(i128::from(number) * FACTORS[0]),
        Cell::Decimal(digits, places) => Some(small(digits, places)),
        Cell::Double(number) => match decimal_of(number, 0) {
            Some((digits, places)) => Some(small(digits, places)),
            None => shortest(number).map(|number| billionths(&number)),
        },
        Cell::Single(number) => time_of(Cell::Double(format!("{number}").parse().ok()?)),
        Cell::Truth(_) | Cell::Text(_) | Cell::Missing(_) => None,
    }
}

/// The billionth that is nearest to a time; of two, the later one.
pub fn billionths(number: &RBig) -> i128 {
    let half = RBig::from_parts(IBig::ONE, 2_u32.into());
    let scaled: IBig = (number * RBig::from(1_000_000_000_u32) + half).floor();
    i128::try_from(&scaled).unwrap_or(if scaled < IBig::ZERO { i128::MIN / 4 } else { i128::MAX / 4 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind, Reader as _, csv::Csv};

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

    #[test]
    fn whole_blocks_are_read_as_their_rows_are() {
        use crate::columns::BLOCK;
        let mut random = base::Random::new(5);
        for uneven in [0_u64, 1, 5] {
            let mut time = -3_000_000_i64;
            let times: Vec<i64> = (0..5 * BLOCK)
                .map(|row| {
                    time += if row == 3 * BLOCK + 7 { 9000 } else { 1000 + random.below(uneven + 1) as i64 };
                    time
                })
                .collect();
            let mut table = crate::Table::new(vec![("t".into(), crate::Values::Integers(times.clone()))])
                .expect("a table");
            table.select(&[Some(0)]);
            let mut block = Block::new(&[Input { name: "t".into(), kind: Kind::Number }]);
            let mut clock = Clock::default();
            while table.fill(&mut block).expect("rows") > 0 {
                clock.block(&block, 0);
            }
            let distances: Vec<i128> =
                times.windows(2).map(|pair| i128::from(pair[1] - pair[0]) * FACTORS[0]).collect();
            assert_eq!(clock.shortest, distances.iter().min().copied());
            assert_eq!(clock.longest, Some((9000 * FACTORS[0], 3 * BLOCK as u64 + 7)));
            assert_eq!((clock.stuck, clock.gaps), (None, 1));
            assert_eq!(clock.last, times.last().map(|last| i128::from(*last) * FACTORS[0]));
        }
    }
}
