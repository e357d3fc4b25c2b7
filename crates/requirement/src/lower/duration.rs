//! Durations in steps. Bounds count steps; [`Step`] is the duration of one. Nothing is rounded and nothing is guessed.

use super::{Context, report};
use crate::codes;
use dashu_ratio::RBig;
use std::fmt;
use syntax::Diagnostic;
use syntax::fretish::{Duration, Unit};

/// The maximum number of steps: a larger bound is surely a mistake.
const MAX_STEPS: u64 = 1_000_000_000_000_000;

/// The duration of a step, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step(RBig);

impl Step {
    /// Parses a text such as `100 ms`.
    ///
    /// ```
    /// use shall_requirement::Step;
    /// assert!(Step::parse("100 ms").is_ok());
    /// assert!(Step::parse("3 bananas").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Step, StepError> {
        let text = text.trim();
        let split = text.find(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let micros = Unit::parse(unit).and_then(microseconds);
        match (logic::parse_decimal(number.trim()), micros) {
            (Some(number), Some(micros)) if number > RBig::ZERO => Ok(Step(number * micros)),
            _ => Err(StepError(text.to_owned())),
        }
    }

    /// The duration in seconds.
    pub fn seconds(&self) -> RBig {
        &self.0 / RBig::from(1_000_000)
    }
}

/// A text that is not the duration of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepError(String);

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}` is not a step: write a positive number and a unit, such as `100 ms`", self.0)
    }
}

impl std::error::Error for StepError {}

impl fmt::Display for Step {
    /// Writes it in the largest unit of which it is an integer multiple.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const SHORT: [(Unit, &str); 5] = [
            (Unit::Hour, "h"),
            (Unit::Minute, "min"),
            (Unit::Second, "s"),
            (Unit::Millisecond, "ms"),
            (Unit::Microsecond, "us"),
        ];
        let mut shown = (self.0.clone(), "us");
        for (unit, name) in SHORT {
            if let Some(micros) = microseconds(unit)
                && (&self.0 / micros.clone()).is_int()
            {
                shown = (&self.0 / micros, name);
                break;
            }
        }
        let number = logic::format_decimal(&shown.0).unwrap_or_else(|| shown.0.to_string());
        write!(f, "{number} {}", shown.1)
    }
}

/// A unit in microseconds; ticks have no duration of their own.
fn microseconds(unit: Unit) -> Option<RBig> {
    let micros: u64 = match unit {
        Unit::Tick => return None,
        Unit::Microsecond => 1,
        Unit::Millisecond => 1_000,
        Unit::Second => 1_000_000,
        Unit::Minute => 60_000_000,
        Unit::Hour => 3_600_000_000,
    };
    Some(RBig::from(micros))
}

/// A duration in steps.
pub(super) fn steps(
    duration: &Duration,
    context: &Context,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<u64> {
    let span = duration.node.span();
    let amount = match (duration.named, context.constants.get(duration.amount.trim_matches('"'))) {
        (true, Some(value)) => value.clone(),
        (true, None) => {
            let message = format!("the constant `{}` has no value", duration.amount);
            let hint = "give it a value: `--const NAME=NUMBER`";
            report(diagnostics, codes::UNKNOWN_CONSTANT, duration.span, message, hint);
            return None;
        }
        (false, _) => match logic::parse_decimal(duration.amount) {
            Some(amount) => amount,
            None => {
                let message = format!("`{}` is too large", duration.amount);
                let hint = "write a smaller number or a larger unit";
                report(diagnostics, syntax::codes::TOO_LARGE, duration.span, message, hint);
                return None;
            }
        },
    };
    let length = duration.unit.and_then(microseconds);
    let in_steps = match (length, &context.step) {
        (Some(length), Some(step)) => amount.clone() * length / &step.0,
        (Some(_), None) => {
            let message = format!("`{}` counts as {} steps", duration.node.text(), duration.amount);
            let hint = "set the length of a step: `--step \"100 ms\"`";
            report(diagnostics, codes::UNITS_AS_STEPS, span, message, hint);
            amount.clone()
        }
        (None, _) => amount.clone(),
    };
    whole(&in_steps).or_else(|| {
        if in_steps < RBig::ZERO {
            let message = format!("the duration `{}` is negative", duration.node.text());
            let hint = "write the time from the trigger on as a positive number";
            report(diagnostics, syntax::codes::BAD_DURATION, span, message, hint);
        } else if in_steps > RBig::from(MAX_STEPS) {
            let message = format!("`{}` is more than {MAX_STEPS} steps", duration.node.text());
            let hint = "write a shorter duration, or a longer step";
            report(diagnostics, syntax::codes::TOO_LARGE, span, message, hint);
        } else {
            let message =
                format!("`{}` is {in_steps} steps, which is not a whole number", duration.node.text());
            let hint = "choose a step that divides it: `--step \"1 ms\"`";
            report(diagnostics, codes::FRACTIONAL_STEPS, span, message, hint);
        }
        None
    })
}

/// The number as an integer number of steps within the limit.
pub(super) fn whole(number: &RBig) -> Option<u64> {
    if !number.is_int() {
        return None;
    }
    u64::try_from(number.numerator().clone()).ok().filter(|&steps| steps <= MAX_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::fretish::{Sentence, parse};

    fn check(duration: &str, step: &str, expected: Option<u64>, codes: &[&str]) {
        let parse = parse(&format!("sw shall within {duration} satisfy p"));
        assert!(parse.diagnostics.is_empty(), "{duration}");
        let duration = Sentence::of(&parse.tree).timing().unwrap().duration.unwrap();
        let mut context =
            Context { step: (!step.is_empty()).then(|| Step::parse(step).unwrap()), ..Context::default() };
        context.constants.insert("T".into(), RBig::from(7));
        let mut diagnostics = Vec::new();
        assert_eq!(steps(&duration, &context, &mut diagnostics), expected, "{}", duration.node.text());
        assert_eq!(diagnostics.iter().map(|d| d.code.id()).collect::<Vec<_>>(), codes);
    }

    #[test]
    fn table() {
        check("3 ticks", "", Some(3), &[]);
        check("3 ticks", "100 ms", Some(3), &[]);
        check("1e3 ticks", "", Some(1000), &[]);
        check("3 seconds", "100 ms", Some(30), &[]);
        check("0.3 s", "100 ms", Some(3), &[]);
        check("1 hour", "1 minute", Some(60), &[]);
        check("3 seconds", "", Some(3), &["W0101"]);
        check("1.5 seconds", "", None, &["W0101", "E0205"]);
        check("1.5 ticks", "", None, &["E0205"]);
        check("250 ms", "100 ms", None, &["E0205"]);
        check("T", "", Some(7), &[]);
        check("T seconds", "500 ms", Some(14), &[]);
        check("LIMIT", "", None, &["E0204"]);
        check("1e30 ticks", "", None, &["E0207"]);
        check("1e99999999 ticks", "", None, &["E0207"]);
        for step in ["10 ms", "1.5 us", "2 s", "90 s", "1 h", "2 min"] {
            assert_eq!(Step::parse(step).map(|step| step.to_string()), Ok(step.into()));
        }
        for bad in ["", "ms", "0 ms", "-1 ms", "3", "3 ticks", "x ms"] {
            assert!(Step::parse(bad).is_err(), "{bad}");
        }
    }
}
