//! The column of time: whether it ascends, how it is sampled, and where it has gaps.

use crate::cell::{Cell, POWERS, decimal_of, decimal_with, rounded, shortest};
use crate::columns::{BLOCK, Block, Cells, Column, Numbers};
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
        self.rows(&times(block, column), block.start);
    }

    /// Reads the times of steps one by one.
    fn rows(&mut self, times: &[i128], start: u64) {
        if self.usual.is_none() && times.len() > 1 {
            let mut distances: Vec<i128> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            distances.sort_unstable();
            self.usual = Some(distances[distances.len() / 2]);
        }
        for (row, &time) in times.iter().enumerate() {
            if let Some(last) = self.last {
                self.distance(time - last, start + row as u64);
            }
            self.first.get_or_insert(time);
            self.last = Some(time);
        }
    }

    /// Reads a block as most are: its times have equally many decimal places, ascend, and have no distance longer than those before.
    fn goes_on(&mut self, block: &Block, column: usize) -> Option<()> {
        let (numbers, rows) = numbers(block, column)?;
        let span = Span::of(numbers, rows)?;
        let factor = *FACTORS.get(usize::from(span.places))?;
        let start = i128::from(span.first) * factor - self.last?;
        let (mut shortest, mut longest) = (start, start);
        if let Some((least, most)) = span.distances {
            shortest = shortest.min(i128::from(least) * factor);
            longest = longest.max(i128::from(most) * factor);
        }
        if shortest <= 0 || longest > 2 * self.usual? || longest > self.longest?.0 {
            return None;
        }
        self.shortest = self.shortest.map(|known| known.min(shortest));
        self.last = Some(i128::from(span.last) * factor);
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

/// Times with equally many decimal places.
struct Span {
    places: u8,
    first: i64,
    last: i64,
    /// The shortest and the longest distance, if there are two times.
    distances: Option<(i64, i64)>,
}

// Simple loops over whole blocks, which the compiler turns into vector operations.
impl Span {
    /// The times of a block; `None` if they are not as most are.
    fn of(numbers: &Numbers, rows: usize) -> Option<Span> {
        if !numbers.doubles.is_empty() {
            return Span::of_doubles(numbers.doubles.get(..rows)?);
        }
        let (digits, scales) = (&numbers.digits[..rows], &numbers.scales[..rows]);
        let (first, last, places) = (*digits.first()?, *digits.last()?, *scales.first()?);
        let other_places = scales.iter().fold(0, |any, it| any | (it ^ places));
        if !numbers.others.is_empty() || other_places != 0 {
            return None;
        }
        let distances = match digits {
            [first, second, ..] => {
                let distances = || digits.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
                let even = second.wrapping_sub(*first);
                let is_even = distances().fold(0, |any, distance| any | (distance ^ even)) == 0;
                // If one of them had overflowed, they would not add up.
                let whole = i128::from(last) - i128::from(*first);
                if is_even && i128::from(even) * (rows as i128 - 1) == whole {
                    Some((even, even))
                } else if digits.iter().all(|it| it.unsigned_abs() < 1 << 62) {
                    Some(distances().fold((even, even), |(least, most), it| (least.min(it), most.max(it))))
                } else {
                    return None;
                }
            }
            _ => None,
        };
        Some(Span { places, first, last, distances })
    }

    fn of_doubles(times: &[f64]) -> Option<Span> {
        if let Some(span) = Span::even(times) {
            return Some(span);
        }
        let mut units = [0.0; BLOCK];
        let units = units.get_mut(..times.len())?;
        let places = if write(units, times, nearest) {
            9
        } else {
            // Far from zero, doubles have few decimal places.
            let places = |time: &f64| decimal_of(*time, 0).map(|(_, places)| places);
            let places = times.iter().take(64).map(places).try_fold(0, |most, it| Some(most.max(it?)))?;
            let power = POWERS[usize::from(places)];
            let unit = |time: f64| {
                let (digits, fits) = decimal_with(time, power);
                (digits as f64, fits)
            };
            write(units, times, unit).then_some(places)?
        };
        let [first, last] = [units.first()?, units.last()?].map(|unit| *unit as i64);
        // All units are integers of less than 2^52, and so are their distances.
        let distances = extremes(units).map(|(least, most)| (least as i64, most as i64));
        Some(Span { places, first, last, distances })
    }

    /// Times of an even clock: each is as near to the billionth that the first two predict as [`nearest`] demands.
    fn even(times: &[f64]) -> Option<Span> {
        let [first, second, ..] = *times else { return None };
        let [(first, true), (second, true)] = [first, second].map(nearest) else { return None };
        // An integer, as are all products with it up to the last time, because that is certain.
        let distance = second - first;
        let last = first + distance * (times.len() - 1) as f64;
        if last.abs() >= CERTAIN {
            return None;
        }
        const LANES: usize = 8;
        let mut expected: [f64; LANES] = std::array::from_fn(|lane| first + distance * lane as f64);
        let mut others = [0.0; LANES];
        let mut take = |times: &[f64]| {
            for ((time, expected), others) in times.iter().zip(&mut expected).zip(&mut others) {
                *others += if is_near(time * BILLION, *expected) { 0.0 } else { 1.0 };
                *expected += distance * LANES as f64;
            }
        };
        let (groups, rest) = times.as_chunks::<LANES>();
        groups.iter().for_each(|times| take(times));
        take(rest);
        let distances = Some((distance as i64, distance as i64));
        let span = Span { places: 9, first: first as i64, last: last as i64, distances };
        (others == [0.0; LANES]).then_some(span)
    }
}

/// Writes times in a unit; whether all of them are certain.
fn write(out: &mut [f64], times: &[f64], unit: impl Fn(f64) -> (f64, bool)) -> bool {
    let mut all = true;
    for (out, time) in out.iter_mut().zip(times) {
        let (unit, is_certain) = unit(*time);
        *out = unit;
        all &= is_certain;
    }
    all
}

/// The shortest and the longest distance of consecutive numbers; `None` if there are fewer than two.
fn extremes(numbers: &[f64]) -> Option<(f64, f64)> {
    let ([_, later @ ..], [earlier @ .., _]) = (numbers, numbers) else { return None };
    let mut lanes = [(f64::INFINITY, f64::NEG_INFINITY); 4];
    let mut take = |later: &[f64], earlier: &[f64]| {
        for ((least, most), (later, earlier)) in lanes.iter_mut().zip(later.iter().zip(earlier)) {
            let distance = later - earlier;
            *least = if distance < *least { distance } else { *least };
            *most = if distance > *most { distance } else { *most };
        }
    };
    let ((later, later_rest), (earlier, earlier_rest)) = (later.as_chunks::<4>(), earlier.as_chunks::<4>());
    later.iter().zip(earlier).for_each(|(later, earlier)| take(later, earlier));
    take(later_rest, earlier_rest);
    let both = lanes.into_iter().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    both.filter(|(least, _)| least.is_finite())
}

/// The billionth that is nearest to the shortest decimal of a double, and whether that is certain.
///
/// Both the shortest decimal of a double and the double nearest to its product differ from it by at most one part in 2^53: together by
/// less than an eighth, because the product is less than 2^49.
#[inline]
fn nearest(time: f64) -> (f64, bool) {
    let scaled = time * BILLION;
    let (_, nearest) = rounded(scaled);
    (nearest, (scaled.abs() < CERTAIN) & is_near(scaled, nearest))
}

#[inline]
fn is_near(scaled: f64, billionth: f64) -> bool {
    (scaled - billionth).abs() < 0.25
}

const BILLION: f64 = 1e9;
/// Billionths of less than this are certain if they are near.
const CERTAIN: f64 = (1_u64 << 49) as f64;

/// The times of a block in one of its columns, in billionths, up to the first cell without one.
pub fn times(block: &Block, column: usize) -> Vec<i128> {
    let Some((numbers, rows)) = numbers(block, column) else { return Vec::new() };
    if !numbers.doubles.is_empty() {
        let times = numbers.doubles.iter().take(rows);
        return times.map_while(|time| time_of(Cell::Double(*time))).collect();
    }
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
        Cell::Double(number) => {
            if let (nearest, true) = nearest(number) {
                return Some(nearest as i128);
            }
            match decimal_of(number, 0) {
                Some((digits, places)) => Some(small(digits, places)),
                None => shortest(number).map(|number| billionths(&number)),
            }
        }
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

    #[test]
    fn whole_blocks_are_read_as_their_rows_are() {
        let mut random = base::Random::new(5);
        // Integers, and doubles near zero, far from it, and between billionths.
        type Unit = fn(i64) -> f64;
        let units: [Option<Unit>; 5] = [
            None,
            Some(|time| time as f64 / 1e5),
            Some(|time| time as f64 * 0.01),
            Some(|time| 1.7e9 + time as f64 / 1e5),
            Some(|time| time as f64 / 3e13),
        ];
        for unit in units {
            for (uneven, jump) in [(0_u64, 9000), (1, 9000), (5, 9000), (1, -7), (0, 0)] {
                let mut time = -3_000_000_i64;
                let mut advance = |row: usize| {
                    time += if row == 3 * BLOCK + 7 { jump } else { 1000 + random.below(uneven + 1) as i64 };
                    time
                };
                let times: Vec<i64> = (0..5 * BLOCK).map(&mut advance).collect();
                let (mut block, mut clock, mut expected) = (
                    Block::new(&[Input { name: "t".into(), kind: Kind::Number }]),
                    Clock::default(),
                    Clock::default(),
                );
                for times in times.chunks(BLOCK) {
                    block.advance();
                    block.rows = times.len();
                    let doubles: Vec<f64> =
                        unit.map_or(Vec::new(), |unit| times.iter().map(|it| unit(*it)).collect());
                    let exact: Vec<i128> = match unit {
                        None => times.iter().map(|time| i128::from(*time) * FACTORS[0]).collect(),
                        Some(_) => {
                            doubles.iter().map(|it| billionths(&shortest(*it).expect("finite"))).collect()
                        }
                    };
                    let Cells::Numbers(numbers) = &mut block.columns[0].cells else {
                        unreachable!("it has numbers")
                    };
                    numbers.digits[..times.len()].copy_from_slice(times);
                    numbers.doubles.put(0, &doubles);
                    clock.block(&block, 0);
                    assert_eq!(super::times(&block, 0), exact);
                    expected.rows(&exact, block.start);
                }
                assert_eq!(clock, expected, "{uneven} {jump}");
            }
        }
    }

    #[test]
    fn times_in_doubles_are_the_nearest_billionths() {
        let mut random = base::Random::new(9);
        let mut certain = 0;
        for _ in 0..20_000 {
            let time = random.below(1_000_000_000_000_u64) as f64 / POWERS[random.below(13_usize)];
            // Sums and products of doubles are often the neighbours of short decimals.
            for time in [time, -time, time.next_up(), time.next_down(), (time * 100.0).floor() * 0.01] {
                if let (nearest, true) = nearest(time) {
                    let exact = shortest(time).expect("it is finite");
                    assert_eq!(nearest as i128, billionths(&exact), "{time}");
                    certain += 1;
                }
            }
        }
        assert!(certain > 30_000, "{certain}");
        for time in [f64::NAN, f64::INFINITY, 1e300, -562_950.0, 0.000_000_000_5] {
            assert!(!nearest(time).1, "{time}");
        }
    }
}
