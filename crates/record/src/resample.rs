//! A recorded trace on a regular grid: step k is at the first time plus k times the length of a step, up to the last time.
//!
//! A step has the values of the latest sample up to its time ([`Rule::Hold`]) or of the nearest one ([`Rule::Nearest`]; of two that
//! are equally near, the earlier one). Between two samples there are at most [`MAX_BETWEEN`] steps.

use crate::cell::Cell;
use crate::clock::{Clock, times};
use crate::columns::{BLOCK, Block, Cells, Kind};
use crate::reader::{Malformed, Reader, Signal, TOO_OLD, Time, filled};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The most steps between two samples.
pub const MAX_BETWEEN: i128 = 10_000_000;

/// Which sample a step has the values of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The latest one up to its time.
    Hold,
    /// The nearest one.
    Nearest,
}

/// A trace on a regular grid.
#[derive(Debug)]
pub struct Resampled<R> {
    inner: R,
    time: Time,
    rule: Rule,
    /// The length of a step, in billionths of the unit of time.
    length: i128,
    /// Samples with their times, and the number of the next one.
    samples: Option<Block>,
    sampled_at: Vec<i128>,
    clock: Clock,
    next: usize,
    /// The last sample before the next one: its values and its time.
    latest: Option<(Block, i128)>,
    /// The time of the next step.
    now: i128,
    /// The columns of the result that are the time.
    times: Vec<usize>,
    /// The greatest distance of a step from its sample.
    most: Option<i128>,
    broken: Option<Malformed>,
}

impl<R: Reader> Resampled<R> {
    /// A trace with a signal for the time, on a grid of steps of a length in billionths of its unit.
    ///
    /// # Errors
    /// The trace has no signal for the time, or the length is not positive.
    pub fn new(inner: R, rule: Rule, length: i128) -> Result<Resampled<R>, Malformed> {
        let wrong = |reason: &str| Malformed { line: None, reason: reason.into() };
        let time =
            inner.time().ok_or_else(|| wrong("there is no column of time, so it cannot be resampled"))?;
        if length <= 0 {
            return Err(wrong("the length of a step is not positive"));
        }
        Ok(Resampled {
            inner,
            time,
            rule,
            length,
            samples: None,
            sampled_at: Vec::new(),
            clock: Clock::default(),
            next: 0,
            latest: None,
            now: 0,
            times: Vec::new(),
            most: None,
            broken: None,
        })
    }

    /// Reads samples until there is a next one; its time, or nothing at the end.
    fn sample(&mut self, like: &Block) -> Result<Option<i128>, Malformed> {
        let samples = self.samples.get_or_insert_with(|| {
            let mut samples = like.empty();
            samples.add_column(Kind::Number);
            samples
        });
        if self.next >= samples.rows {
            if self.inner.fill(samples)? == 0 {
                return Ok(None);
            }
            let time = samples.columns.len() - 1;
            self.clock.block(samples, time);
            self.sampled_at = times(samples, time);
            self.next = 0;
        }
        let row = samples.start + self.next as u64 + 1;
        let time = samples.columns.last().and_then(|it| it.flaw.as_ref());
        if let Some(flaw) = time.filter(|flaw| flaw.step < row) {
            return Err(Malformed { line: None, reason: format!("{}: {}", flaw.place, flaw.reason) });
        }
        let time = self.sampled_at[self.next];
        if self.latest.as_ref().is_some_and(|(_, latest)| time <= *latest) {
            let reason = format!("the time of sample {row} is not after the one before");
            return Err(Malformed { line: None, reason });
        }
        Ok(Some(time))
    }

    /// Writes steps of the latest sample up to a time.
    fn steps(&mut self, block: &mut Block, next: Option<i128>) -> Result<(), Malformed> {
        let Some((values, at)) = &self.latest else { return Ok(()) };
        let end = match (next, self.rule) {
            // Without a next sample, the grid ends at this one.
            (None, _) => *at,
            (Some(next), Rule::Hold) => next - 1,
            // The middle belongs to the earlier sample.
            (Some(next), Rule::Nearest) => at + (next - at).div_euclid(2),
        };
        if (end - self.now) / self.length > MAX_BETWEEN {
            let (from, to) = (crate::clock::written(*at), crate::clock::written(end));
            let reason = format!(
                "more than {MAX_BETWEEN} steps between the samples at {from} and {to}; use longer steps"
            );
            return Err(Malformed { line: None, reason });
        }
        while self.now <= end && block.rows < BLOCK {
            let row = block.rows;
            block.copy_row(row, values, 0);
            if self.most.is_some_and(|most| (self.now - at).abs() > most) {
                let step = block.start + row as u64;
                for (number, column) in block.columns.iter_mut().enumerate() {
                    if !self.times.contains(&number) {
                        column.put(row, step, Cell::Missing(TOO_OLD), || format!("step {step}"));
                    }
                }
            }
            for &column in &self.times {
                if let Cells::Numbers(numbers) = &mut block.columns[column].cells {
                    numbers.set(row, &RBig::from_parts(IBig::from(self.now), 1_000_000_000_u32.into()));
                }
            }
            block.rows += 1;
            self.now += self.length;
        }
        Ok(())
    }

    fn advance(&mut self, block: &mut Block) -> Result<(), Malformed> {
        while block.rows < BLOCK {
            let next = self.sample(block)?;
            self.steps(block, next)?;
            if block.rows == BLOCK {
                break;
            }
            let (Some(time), Some(samples)) = (next, &self.samples) else { break };
            if self.latest.is_none() {
                self.now = time;
            }
            let (latest, at) = self.latest.get_or_insert_with(|| (block.empty(), time));
            latest.copy_row(0, samples, self.next);
            *at = time;
            self.next += 1;
        }
        Ok(())
    }
}

impl<R: Reader> Reader for Resampled<R> {
    fn signals(&self) -> &[Signal] {
        self.inner.signals()
    }

    fn time(&self) -> Option<Time> {
        Some(self.time)
    }

    fn samples(&self) -> Option<&Clock> {
        Some(&self.clock)
    }

    fn limit_age(&mut self, most: i128) {
        self.most = Some(most);
        self.inner.limit_age(most);
    }

    fn left_out(&self) -> &[String] {
        self.inner.left_out()
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.times = (0..columns.len()).filter(|&at| columns[at] == Some(self.time.column)).collect();
        let mut all = columns.to_vec();
        all.push(Some(self.time.column));
        self.inner.select(&all);
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        if self.broken.is_none() {
            self.broken = self.advance(block).err();
        }
        filled(block, self.broken.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::Csv;
    use crate::{Input, Kind};

    /// The values of the column `x` on a grid, and the error at the end.
    fn check(text: &str, rule: Rule, length: i128, expected: &str) {
        check_age(text, rule, length, None, expected);
    }

    /// The same, with a limit for the age of values.
    fn check_age(text: &str, rule: Rule, length: i128, most: Option<i128>, expected: &str) {
        let csv = Csv::open(std::io::Cursor::new(text.as_bytes())).expect("a head");
        let mut grid = Resampled::new(csv, rule, length).expect("a time");
        if let Some(most) = most {
            grid.limit_age(most);
        }
        grid.select(&[Some(1), Some(0)]);
        let mut block = Block::new(&["x", "t"].map(|name| Input { name: name.into(), kind: Kind::Number }));
        let mut out = String::new();
        loop {
            match grid.fill(&mut block) {
                Ok(0) => break,
                Ok(rows) => {
                    let flaw = block.columns[0].flaw.as_ref();
                    let shown = |row: usize| match flaw.filter(|it| it.step <= block.start + row as u64) {
                        Some(flaw) => format!("! {}", flaw.place),
                        None => match block.columns[0].value(row) {
                            logic::Value::Num(number) => number.to_string(),
                            other => format!("{other:?}"),
                        },
                    };
                    out += &(0..rows).map(|row| shown(row) + " ").collect::<String>();
                }
                Err(error) => {
                    out += &format!("! {error}");
                    break;
                }
            }
        }
        assert_eq!(out.trim_end(), expected, "{text}");
    }

    #[test]
    fn steps_have_the_values_of_their_samples() {
        const SECOND: i128 = 1_000_000_000;
        let text = "time,x\n0,1\n0.9,2\n2.1,3\n2.2,4\n5,5\n";
        check(text, Rule::Hold, SECOND, "1 2 2 4 4 5");
        check(text, Rule::Nearest, SECOND, "1 2 3 4 5 5");
        check(text, Rule::Hold, 2 * SECOND, "1 2 4");
        check("time,x\n0.5,1\n1.5,2\n", Rule::Nearest, SECOND / 2, "1 1 2");
        check("time,x\n7,1\n", Rule::Hold, SECOND, "1");
        check("time,x\n0,1\n1,\n2,3\n", Rule::Hold, SECOND, "1 ! line 3, column `x` ! line 3, column `x`");
        check(
            "time,x\n0,1\n2,1\n1,1\n",
            Rule::Hold,
            SECOND,
            "1 1 ! the time of sample 3 is not after the one before",
        );
        let far =
            "1 ! more than 10000000 steps between the samples at 0 and 999999999.999999999; use longer steps";
        check("time,x\n0,1\n1000000000,1\n", Rule::Hold, SECOND, far.strip_prefix("1 ").unwrap_or(far));
        let rows: String = (0..300).map(|row| format!("{row},1\n")).collect();
        let ones = "1 ".repeat(299);
        let broken = format!("{ones}! line 302, column `time`: `x` is not a number");
        check(&format!("time,x\n{rows}x,1\n"), Rule::Hold, SECOND, &broken);
    }

    #[test]
    fn steps_far_from_their_samples_have_no_values() {
        const SECOND: i128 = 1_000_000_000;
        let text = "time,x\n0,1\n1,2\n4,3\n";
        check_age(text, Rule::Hold, SECOND, Some(SECOND), "1 2 2 ! step 3 ! step 3");
        check_age(text, Rule::Hold, SECOND, Some(2 * SECOND), "1 2 2 2 3");
        check_age(text, Rule::Nearest, SECOND, Some(SECOND), "1 2 2 3 3");
        check_age(text, Rule::Nearest, SECOND, Some(SECOND / 2), "1 2 ! step 2 ! step 2 ! step 2");
    }

    #[test]
    fn a_grid_is_the_trace_itself_if_it_is_regular() {
        let mut text = String::from("time [ms],x\n");
        let mut values = String::new();
        for row in 0..3 * BLOCK {
            text += &format!("{},{}\n", row * 10, row % 97);
            values += &format!("{} ", row % 97);
        }
        check(&text, Rule::Hold, 10_000_000_000, values.trim_end());
        check(&text, Rule::Nearest, 10_000_000_000, values.trim_end());
    }
}
