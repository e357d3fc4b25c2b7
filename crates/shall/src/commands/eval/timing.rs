//! What a step is: a row, a point of a regular grid, or a row with durations measured on the times.

use super::traces::Source;
use crate::Error;
use crate::cli::Time;
use logic::RBig;
use record::{Reader, Resampled, Rule, TimeUnit};
use requirement::{Requirement, Step, Timing};
use syntax::fretish::Unit;

/// What a step usually is.
pub(super) const ONE_FOR_EACH_ROW: &str = "one for each row";

/// What a step is.
pub(super) struct Steps {
    pub(super) time: Time,
    /// The length of a step, if it is known.
    pub(super) length: Option<Step>,
    /// The greatest age of a value that is held.
    pub(super) max_age: Option<Step>,
    /// The cores on which one trace is read.
    pub(super) cores: usize,
}

impl Steps {
    /// Opens a trace with such steps.
    pub(super) fn open(&self, source: &Source) -> Result<Box<dyn Reader>, Error> {
        self.with(source, source.reader()?)
    }

    /// Opens a trace with such steps, to be read as a whole.
    pub(super) fn open_whole(&self, source: &Source) -> Result<Box<dyn Reader>, Error> {
        self.with(source, source.reader_on(self.cores)?)
    }

    fn with(&self, source: &Source, reader: Box<dyn Reader>) -> Result<Box<dyn Reader>, Error> {
        let unit = reader.time().map_or(TimeUnit::Second, |time| time.unit);
        let mut reader = self.on_grid(source, reader, unit)?;
        if let Some(most) = &self.max_age {
            reader.limit_age(billionths(&most.seconds(), unit));
        }
        Ok(reader)
    }

    fn on_grid(
        &self,
        source: &Source,
        reader: Box<dyn Reader>,
        unit: TimeUnit,
    ) -> Result<Box<dyn Reader>, Error> {
        let rule = match self.time {
            Time::Stamps | Time::Rows => return Ok(reader),
            Time::Real if reader.time().is_some() => return Ok(reader),
            Time::Real => {
                let reason = "there is no column of time, so durations cannot be measured";
                return Err(Error::input(source.name(), reason));
            }
            Time::Hold => Rule::Hold,
            Time::Nearest => Rule::Nearest,
        };
        let Some(length) = &self.length else {
            let hint = "set it: `--step \"10 ms\"`, or `step` in the project file";
            return Err(Error::Usage(format!(
                "to resample a trace, the length of a step must be known; {hint}"
            )));
        };
        let wrong = |error: record::Malformed| Error::input(source.name(), error);
        let length = billionths(&length.seconds(), unit);
        Ok(Box::new(Resampled::new(reader, rule, length).map_err(wrong)?))
    }

    /// What a step is, for the line about a trace.
    pub(super) fn words(&self, unit: Option<TimeUnit>) -> String {
        let length = self.length.as_ref().map(ToString::to_string).unwrap_or_default();
        let words = match self.time {
            Time::Stamps | Time::Rows => ONE_FOR_EACH_ROW.into(),
            Time::Hold => format!("one every {length}, with the latest values"),
            Time::Nearest => format!("one every {length}, with the nearest values"),
            Time::Real => {
                let unit = unit.map_or("seconds", TimeUnit::words);
                format!("one for each row; durations are measured on the times, in {unit}")
            }
        };
        match &self.max_age {
            Some(most) => format!("{words}; values older than {most} are missing"),
            None => words,
        }
    }

    /// The duration of a requirement in seconds, if it is measured on the times: it is written in a unit of real time.
    pub(super) fn duration(&self, requirement: &Requirement, unit: Option<Unit>) -> Option<RBig> {
        let (Timing::Within(count) | Timing::For(count) | Timing::After(count)) = requirement.timing else {
            return None;
        };
        let unit = unit.filter(|_| self.time == Time::Real)?;
        let one = match &self.length {
            Some(step) => step.seconds(),
            None => Step::parse(&format!("1 {}", unit.plural())).ok()?.seconds(),
        };
        Some(one * RBig::from(count))
    }
}

/// A duration in billionths of a unit of time.
pub(super) fn billionths(seconds: &RBig, unit: TimeUnit) -> i128 {
    let nanoseconds = seconds * RBig::from(1_000_000_000_u64);
    let number = nanoseconds * RBig::from(1_000_000_000_u64) / RBig::from(unit.nanoseconds());
    i128::try_from(number.floor()).unwrap_or(i128::MAX / 4)
}
