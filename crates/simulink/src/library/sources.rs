//! Sources of the standard library: counters, ramps, sequences, noise and function calls.

use super::drawing::{Drawing, INHERIT, Wire};
use super::standard::Given;
use crate::blocks::BlockKind;

/// From zero up to a limit, and again from zero.
pub(super) fn counter(most: &str, time: &str, class: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let count = counted(&mut drawing, most, time, class);
    drawing.output("y", count);
    drawing
}

fn counted(drawing: &mut Drawing, most: &str, time: &str, class: &str) -> Wire {
    let last = drawing.delay("count", "0", time, &[]);
    let [one, zero, limit] = [("one", "1"), ("zero", "0"), ("limit", most)].map(|(name, value)| {
        let parameters = [("Value", value), ("SampleTime", "inf"), ("OutDataTypeStr", class)];
        drawing.block(BlockKind::Constant, name, &parameters, &[])
    });
    let more = drawing.sum("more", "++", &[last, one]);
    let full = drawing.compares("full", ">=", &[last, limit]);
    let next = drawing.choose("next", full, zero, more);
    drawing.connect(next, last);
    last
}

/// A line from a start time on.
pub(super) fn ramp(slope: &str, start: &str, first: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let time = drawing.block(BlockKind::Clock, "time", &[], &[]);
    let start = drawing.constant("start", start);
    let since = drawing.sum("since", "+-", &[time, start]);
    let parameters = [("UpperLimit", "inf"), ("LowerLimit", "0")];
    let since = drawing.block(BlockKind::Saturate, "after", &parameters, &[since]);
    let rise = drawing.gain("slope", slope, since);
    let first = drawing.constant("first", first);
    let y = drawing.sum("sum", "++", &[rise, first]);
    drawing.output("y", y);
    drawing
}

/// A sine whose frequency grows with time, from the first one to the second one at a time.
pub(super) fn chirp(first: &str, end: &str, second: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let time = drawing.block(BlockKind::Clock, "time", &[], &[]);
    let half = format!("pi*(({second})-({first}))/({end})");
    let growth = drawing.gain("growth", &half, time);
    let start = drawing.constant("start", &format!("2*pi*({first})"));
    let rate = drawing.sum("rate", "++", &[growth, start]);
    let angle = drawing.block(BlockKind::Product, "angle", &[("Inputs", "2")], &[rate, time]);
    let y = drawing.block(BlockKind::Trigonometry, "wave", &[("Operator", "sin")], &[angle]);
    drawing.output("y", y);
    drawing
}

/// Normal random numbers whose power does not depend on the sample time.
pub(super) fn white_noise(given: Given) -> Drawing {
    let mut drawing = Drawing::default();
    let (time, power) = (given("Ts", "0.1"), given("Cov", "[0.1]"));
    let parameters =
        [("Mean", "0"), ("Variance", "1"), ("Seed", &given("seed", "[23341]")), ("SampleTime", &time)];
    let noise = drawing.block(BlockKind::RandomNumber, "noise", &parameters, &[]);
    let y = drawing.gain("power", &format!("sqrt({power})/sqrt({time})"), noise);
    drawing.output("y", y);
    drawing
}

pub(super) fn calls(given: Given) -> Drawing {
    let mut drawing = Drawing::default();
    let parameters = [
        ("sample_time", given("sample_time", "1")),
        ("numberOfIterations", given("numberOfIterations", "1")),
    ];
    let parameters = parameters.each_ref().map(|(name, text)| (*name, text.as_str()));
    let call = drawing.block(BlockKind::CallGenerator, "call", &parameters, &[]);
    drawing.output("f()", call);
    drawing
}

/// A table over time that begins again at its end.
pub(super) fn repeating(times: &str, values: &str, sample_time: Option<&str>) -> Drawing {
    let mut drawing = Drawing::default();
    let time = match sample_time {
        None => drawing.block(BlockKind::Clock, "time", &[], &[]),
        Some(time) => drawing.block(BlockKind::DigitalClock, "time", &[("SampleTime", time)], &[]),
    };
    let first = drawing.constant("first", &format!("min({times})"));
    let period = drawing.constant("period", &format!("max({times})-min({times})"));
    let since = drawing.sum("since", "+-", &[time, first]);
    let rest = drawing.block(BlockKind::Math, "rest", &[("Operator", "mod")], &[since, period]);
    let place = drawing.sum("place", "++", &[rest, first]);
    let parameters =
        [("InputValues", times), ("Table", values), ("LookUpMeth", "Interpolation-Use End Values")];
    let y = drawing.block(BlockKind::Lookup, "table", &parameters, &[place]);
    drawing.output("y", y);
    drawing
}

/// Numbers one after the other, again and again.
pub(super) fn stairs(values: &str, time: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let count = counted(&mut drawing, &format!("numel({values})-1"), time, INHERIT);
    let all = drawing.constant("values", values);
    let parameters =
        [("NumberOfDimensions", "1"), ("IndexMode", "Zero-based"), ("IndexOptions", "Index vector (port)")];
    let y = drawing.block(BlockKind::Selector, "value", &parameters, &[all, count]);
    drawing.output("y", y);
    drawing
}
