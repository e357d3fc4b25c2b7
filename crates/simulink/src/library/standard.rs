//! Blocks of the standard library that are drawn from others there, as links to `simulink/…`.
//!
//! A parameter of a link is the text of an expression in the scope of the link. The formulas are those of the documentation of each
//! block.

use super::drawing::{Drawing, INHERIT, Wire};
use crate::blocks::BlockKind;
use crate::diagram::Block;
use crate::value::Class;

/// The body of a block of the standard library, by its path below `simulink/`.
pub(super) fn body(path: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| {
        let text = link.parameters.get(name).map(str::trim).filter(|it| !it.is_empty());
        text.unwrap_or(default).to_owned()
    };
    let inherited = || given("SampleTime", "-1");
    Some(match path {
        "Continuous/PID Controller" | "Discrete/Discrete PID Controller" => return pid(path, &given),
        "Discontinuities/Dead Zone Dynamic" => dead_zone(),
        "Discontinuities/Rate Limiter Dynamic" => rate_limiter(),
        "Discontinuities/Saturation Dynamic" => saturation(&given),
        "Discontinuities/Wrap To Zero" => wrap_to_zero(&given("Threshold", "255")),
        "Discrete/Difference" => difference(&given("ICPrevInput", "0.0")),
        "Discrete/Discrete Derivative" => {
            derivative(&given("gainval", "1.0"), &given("ICPrevScaledInput", "0.0"))
        }
        "Discrete/Tapped Delay" => return tapped_delay(&given),
        "Discrete/Transfer Fcn First Order" => {
            first_order(&given("PoleZ", "0.95"), &given("ICPrevOutput", "0.0"))
        }
        "Discrete/Transfer Fcn Real Zero" => real_zero(&given("ZeroZ", "0.75"), &given("ICPrevInput", "0.0")),
        "Logic and Bit Operations/Compare To Constant" => {
            compare(&given("relop", "<="), &given("const", "3.0"), &truth(&given))
        }
        "Logic and Bit Operations/Compare To Zero" => compare(&given("relop", "<="), "0", &truth(&given)),
        "Logic and Bit Operations/Detect Change" => detect("~=", &given("vinit", "0"), &truth(&given)),
        "Logic and Bit Operations/Detect Increase" => detect(">", &given("vinit", "0.0"), &truth(&given)),
        "Logic and Bit Operations/Detect Decrease" => detect("<", &given("vinit", "0.0"), &truth(&given)),
        "Logic and Bit Operations/Detect Rise Positive" => becomes(">", &given("vinit", "0"), &truth(&given)),
        "Logic and Bit Operations/Detect Rise Nonnegative" => {
            becomes(">=", &given("vinit", "0"), &truth(&given))
        }
        "Logic and Bit Operations/Detect Fall Negative" => becomes("<", &given("vinit", "0"), &truth(&given)),
        "Logic and Bit Operations/Detect Fall Nonpositive" => {
            becomes("<=", &given("vinit", "0"), &truth(&given))
        }
        "Logic and Bit Operations/Interval Test" => {
            let limits = [given("lowlimit", "0.0"), given("uplimit", "1.0")];
            interval(&given, |drawing| {
                let [low, high] = limits;
                (drawing.constant("low", &low), drawing.constant("high", &high))
            })
        }
        "Logic and Bit Operations/Interval Test Dynamic" => interval_of_ports(&given),
        "Math Operations/Slider Gain" => one(|drawing, u| drawing.gain("gain", &given("gain", "1"), u)),
        "Additional Math & Discrete/Additional Math: Increment - Decrement/Increment Real World" => {
            one(|drawing, u| drawing.block(BlockKind::Bias, "more", &[("Bias", "1")], &[u]))
        }
        "Additional Math & Discrete/Additional Math: Increment - Decrement/Decrement Real World" => {
            one(|drawing, u| drawing.block(BlockKind::Bias, "less", &[("Bias", "-1")], &[u]))
        }
        "Additional Math & Discrete/Additional Discrete/Unit Delay Enabled" => {
            enabled_delay(&given("vinit", "0.0"), &given("tsamp", "-1"))
        }
        "Additional Math & Discrete/Additional Discrete/Unit Delay Resettable" => {
            resettable_delay(&given("vinit", "0.0"), &given("tsamp", "-1"))
        }
        "Sources/Counter Free-Running" => {
            let bits = given("NumBits", "16");
            let class = format!("uint{bits}");
            let class = if Class::named(&class).is_some() { &class } else { INHERIT };
            counter(&format!("2^({bits})-1"), &given("tsamp", "-1"), class)
        }
        "Sources/Counter Limited" => {
            let most = given("uplimit", "7");
            let class = match most.parse::<f64>() {
                Ok(most) if most <= 255.0 => "uint8",
                Ok(most) if most <= 65_535.0 => "uint16",
                Ok(_) => "uint32",
                Err(_) => INHERIT,
            };
            counter(&most, &given("tsamp", "-1"), class)
        }
        "Sources/Ramp" => ramp(&given("slope", "1"), &given("start", "0"), &given("InitialOutput", "0")),
        "Sources/Repeating Sequence" => repeating(&given("rep_seq_t", "[0 2]"), &given("rep_seq_y", "[0 2]")),
        "Sources/Repeating Sequence Stair" => {
            stairs(&given("OutValues", "[3 1 4 2 1]"), &given("tsamp", &inherited()))
        }
        _ => return None,
    })
}

/// The parameters of a link, with a default for each.
type Given<'a> = &'a dyn Fn(&str, &str) -> String;

/// A body with one input and one output.
fn one(inside: impl FnOnce(&mut Drawing, Wire) -> Wire) -> Drawing {
    let mut drawing = Drawing::default();
    let u = drawing.input("u");
    let y = inside(&mut drawing, u);
    drawing.output("y", y);
    drawing
}

/// The type of a block that gives truth values.
fn truth(given: Given) -> String {
    let old = given("LogicOutDataTypeMode", "boolean");
    let text = given("OutDataTypeStr", &old);
    if text.starts_with("Inherit") { "boolean".to_owned() } else { text }
}

/// The upper limit is checked first, so it wins if the limits are crossed. The type is that of the input in between, unless the link
/// states it.
fn saturation(given: Given) -> Drawing {
    let text = given("OutDataTypeStr", "Inherit: Same as second input");
    let like = if text.starts_with("Inherit") { "Inherit: Same as first input" } else { &text };
    let (round, overflow) = (given("RndMeth", "Floor"), given("DoSatur", "off"));
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let above = drawing.compares("above", ">", &[u, up]);
    let below = drawing.compares("below", "<", &[u, lo]);
    let (not_above, not_below) = (drawing.not("not above", above), drawing.not("not below", below));
    let parameters = [
        ("Criteria", "u2 ~= 0"),
        ("InputSameDT", "off"),
        ("OutDataTypeStr", like),
        ("RndMeth", round.as_str()),
        ("SaturateOnIntegerOverflow", overflow.as_str()),
    ];
    let raised = drawing.block(BlockKind::Switch, "raised", &parameters, &[u, not_below, lo]);
    let limited = drawing.block(BlockKind::Switch, "limited", &parameters, &[raised, not_above, up]);
    drawing.output("y", limited);
    drawing
}

/// Zero between the limits, and beyond them the distance to them.
fn dead_zone() -> Drawing {
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let above = drawing.compares("above", ">", &[u, up]);
    let below = drawing.compares("below", "<", &[u, lo]);
    let (over, under) = (drawing.sum("over", "+-", &[u, up]), drawing.sum("under", "+-", &[u, lo]));
    let zero = drawing.constant("zero", "0");
    let low = drawing.choose("low", below, under, zero);
    let y = drawing.choose("high", above, over, low);
    drawing.output("y", y);
    drawing
}

fn wrap_to_zero(threshold: &str) -> Drawing {
    one(|drawing, u| {
        let (most, zero) = (drawing.constant("threshold", threshold), drawing.constant("zero", "0"));
        let above = drawing.compares("above", ">", &[u, most]);
        drawing.choose("wrapped", above, zero, u)
    })
}

fn difference(first: &str) -> Drawing {
    one(|drawing, u| {
        let last = drawing.delay("last", first, "-1", &[u]);
        drawing.sum("difference", "+-", &[u, last])
    })
}

/// The difference of the input times gain over sample time.
fn derivative(gain: &str, first: &str) -> Drawing {
    one(|drawing, u| {
        let parameters = [("TsampMathOp", "/"), ("weightValue", "1.0"), ("OutDataTypeStr", INHERIT)];
        let scaled = drawing.gain("gain", gain, u);
        let scaled = drawing.block(BlockKind::SampleTimeMath, "rate", &parameters, &[scaled]);
        let last = drawing.delay("last", first, "-1", &[scaled]);
        drawing.sum("difference", "+-", &[scaled, last])
    })
}

/// (1 − pole) u + pole times the last output.
fn first_order(pole: &str, first: &str) -> Drawing {
    one(|drawing, u| {
        let last = drawing.delay("last", first, "-1", &[]);
        let new = drawing.gain("new", &format!("1-({pole})"), u);
        let old = drawing.gain("old", pole, last);
        let y = drawing.sum("sum", "++", &[new, old]);
        drawing.connect(y, last);
        y
    })
}

fn real_zero(zero: &str, first: &str) -> Drawing {
    one(|drawing, u| {
        let last = drawing.delay("last", first, "-1", &[u]);
        let old = drawing.gain("old", zero, last);
        drawing.sum("sum", "+-", &[u, old])
    })
}

/// The last inputs side by side, the oldest first unless stated otherwise.
fn tapped_delay(given: Given) -> Option<Drawing> {
    let count: u32 = given("NumDelays", "4").parse().ok().filter(|it| (1..=1_000).contains(it))?;
    let (first, time) = (given("vinit", "0.0"), given("samptime", "-1"));
    Some(one(|drawing, u| {
        let mut taps = Vec::new();
        let mut last = u;
        if given("includeCurrent", "off") == "on" {
            taps.push(u);
        }
        for number in 1..=count {
            last = drawing.delay(&format!("delay{number}"), &first, &time, &[last]);
            taps.push(last);
        }
        if given("DelayOrder", "Oldest") == "Oldest" {
            taps.reverse();
        }
        drawing.mux("taps", &taps)
    }))
}

/// A comparison with the last input.
fn detect(operator: &str, first: &str, truth: &str) -> Drawing {
    one(|drawing, u| {
        let last = drawing.delay("last", first, "-1", &[u]);
        let parameters = [("Operator", operator), ("InputSameDT", "off"), ("OutDataTypeStr", truth)];
        drawing.block(BlockKind::RelationalOperator, "compare", &parameters, &[u, last])
    })
}

/// Whether a comparison with zero holds and did not hold before.
fn becomes(operator: &str, first: &str, truth: &str) -> Drawing {
    one(|drawing, u| {
        let zero = drawing.constant("zero", "0");
        let holds = drawing.compares("holds", operator, &[u, zero]);
        let held = drawing.delay("held", first, "-1", &[holds]);
        let before = drawing.not("not before", held);
        let parameters = [("Operator", "AND"), ("Inputs", "2"), ("OutDataTypeStr", truth)];
        drawing.block(BlockKind::Logic, "now", &parameters, &[holds, before])
    })
}

/// Whether the input is between limits, each of which may belong to the interval.
fn interval(given: Given, limits: impl FnOnce(&mut Drawing) -> (Wire, Wire)) -> Drawing {
    one(|drawing, u| {
        let (low, high) = limits(drawing);
        within(drawing, given, low, u, high)
    })
}

fn interval_of_ports(given: Given) -> Drawing {
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let y = within(&mut drawing, given, lo, u, up);
    drawing.output("y", y);
    drawing
}

fn within(drawing: &mut Drawing, given: Given, low: Wire, u: Wire, high: Wire) -> Wire {
    let closed = |name: &str| given(name, "on") == "on";
    let above = drawing.compares("above", if closed("IntervalClosedLeft") { ">=" } else { ">" }, &[u, low]);
    let below = drawing.compares("below", if closed("IntervalClosedRight") { "<=" } else { "<" }, &[u, high]);
    let parameters = [("Operator", "AND"), ("Inputs", "2"), ("OutDataTypeStr", &truth(given))];
    drawing.block(BlockKind::Logic, "within", &parameters, &[above, below])
}

/// The last input at which the second one held.
fn enabled_delay(first: &str, time: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let [u, enable] = ["u", "E"].map(|name| drawing.input(name));
    let last = drawing.delay("last", first, time, &[]);
    let next = drawing.choose("next", enable, u, last);
    drawing.connect(next, last);
    drawing.output("y", last);
    drawing
}

/// The last input, or the initial value while the second one holds.
fn resettable_delay(first: &str, time: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let [u, reset] = ["u", "R"].map(|name| drawing.input(name));
    let last = drawing.delay("last", first, time, &[u]);
    let start = drawing.constant("start", first);
    let y = drawing.choose("output", reset, start, last);
    drawing.output("y", y);
    drawing
}

/// From zero up to a limit, and again from zero.
fn counter(most: &str, time: &str, class: &str) -> Drawing {
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
fn ramp(slope: &str, start: &str, first: &str) -> Drawing {
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

/// A table over time that begins again at its end.
fn repeating(times: &str, values: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let time = drawing.block(BlockKind::Clock, "time", &[], &[]);
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
fn stairs(values: &str, time: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let count = counted(&mut drawing, &format!("numel({values})-1"), time, INHERIT);
    let all = drawing.constant("values", values);
    let parameters =
        [("NumberOfDimensions", "1"), ("IndexMode", "Zero-based"), ("IndexOptions", "Index vector (port)")];
    let y = drawing.block(BlockKind::Selector, "value", &parameters, &[all, count]);
    drawing.output("y", y);
    drawing
}

/// Proportional, integral and filtered derivative part; in the ideal form the first multiplies the others.
fn pid(path: &str, given: Given) -> Option<Drawing> {
    let continuous = match (given("TimeDomain", ""), path) {
        (domain, _) if domain.starts_with("Continuous") => true,
        (domain, _) if domain.starts_with("Discrete") => false,
        (_, path) => path.starts_with("Continuous"),
    };
    let plain = given("AntiWindupMode", "none") == "none" || given("LimitOutput", "off") == "off";
    let external = given("InitialConditionSource", "internal") != "internal"
        || given("ExternalReset", "none") != "none"
        || given("TrackingMode", "off") == "on"
        || given("ControllerParametersSource", "internal") != "internal";
    if !plain || external {
        return None;
    }
    let kind = given("Controller", "PID");
    let time = given("SampleTime", "-1");
    let method = |name: &str| match given(name, "Forward Euler") {
        it if it.contains("Backward") => "Integration: Backward Euler",
        it if it.contains("Trapezoidal") => "Integration: Trapezoidal",
        _ => "Integration: Forward Euler",
    };
    let integral = |drawing: &mut Drawing, name: &str, first: &str, method: &str, inputs: &[Wire]| {
        let parameters = [
            ("InitialCondition", first),
            ("InitialConditionSource", "internal"),
            ("ExternalReset", "none"),
            ("IntegratorMethod", method),
            ("gainval", "1"),
            ("SampleTime", &time),
        ];
        let kind = if continuous { BlockKind::Integrator } else { BlockKind::DiscreteIntegrator };
        drawing.block(kind, name, &parameters, inputs)
    };
    Some(one(|drawing, u| {
        let ideal = given("Form", "Parallel") == "Ideal";
        let mut parts = Vec::new();
        let base = if ideal { drawing.gain("P", &given("P", "1"), u) } else { u };
        if kind.contains('P') {
            parts.push(if ideal { base } else { drawing.gain("P", &given("P", "1"), u) });
        }
        if kind.contains('I') {
            let scaled = drawing.gain("I", &given("I", "1"), base);
            let first = given("InitialConditionForIntegrator", "0");
            parts.push(integral(drawing, "integral", &first, method("IntegratorMethod"), &[scaled]));
        }
        if kind.contains('D') {
            let scaled = drawing.gain("D", &given("D", "0"), base);
            let first = given("InitialConditionForFilter", "0");
            let filter = integral(drawing, "filter", &first, method("FilterMethod"), &[]);
            let error = drawing.sum("error", "+-", &[scaled, filter]);
            let rate = drawing.gain("N", &given("N", "100"), error);
            drawing.connect(rate, filter);
            parts.push(rate);
        }
        let signs = "+".repeat(parts.len());
        let sum = if parts.len() == 1 { parts[0] } else { drawing.sum("sum", &signs, &parts) };
        if given("LimitOutput", "off") != "on" {
            return sum;
        }
        let (up, lo) = (given("UpperSaturationLimit", "inf"), given("LowerSaturationLimit", "-inf"));
        drawing.block(BlockKind::Saturate, "limit", &[("UpperLimit", &up), ("LowerLimit", &lo)], &[sum])
    }))
}

/// The limits are rates; multiplied by the sample time, they limit the change per step.
fn rate_limiter() -> Drawing {
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let step = [("TsampMathOp", "*"), ("weightValue", "1.0"), ("OutDataTypeStr", INHERIT)];
    let rise = drawing.block(BlockKind::SampleTimeMath, "rise", &step, &[up]);
    let fall = drawing.block(BlockKind::SampleTimeMath, "fall", &step, &[lo]);
    let last =
        drawing.block(BlockKind::UnitDelay, "last", &[("InitialCondition", "0"), ("SampleTime", "-1")], &[]);
    let change =
        drawing.block(BlockKind::Sum, "change", &[("Inputs", "+-"), ("OutDataTypeStr", INHERIT)], &[u, last]);
    let link = [("SourceBlock", "simulink/Discontinuities/Saturation Dynamic")];
    let limited = drawing.block(BlockKind::Reference, "Saturation\nDynamic", &link, &[rise, change, fall]);
    let next = drawing.block(
        BlockKind::Sum,
        "next",
        &[("Inputs", "++"), ("OutDataTypeStr", INHERIT)],
        &[limited, last],
    );
    drawing.connect(next, last);
    drawing.output("Y", next);
    drawing
}

fn compare(operator: &str, limit: &str, truth: &str) -> Drawing {
    one(|drawing, u| {
        let parameters = [("Value", limit), ("OutDataTypeStr", "Inherit: Inherit via back propagation")];
        let limit = drawing.block(BlockKind::Constant, "limit", &parameters, &[]);
        let parameters = [("Operator", operator), ("InputSameDT", "off"), ("OutDataTypeStr", truth)];
        drawing.block(BlockKind::RelationalOperator, "compare", &parameters, &[u, limit])
    })
}
