//! Blocks of the standard library that are drawn from others there, as links to `simulink/…`.
//!
//! A parameter of a link is the text of an expression in the scope of the link. The formulas are those of the documentation of each
//! block.

use super::drawing::{Drawing, INHERIT, Wire};
use super::{pid, sources};
use crate::blocks::BlockKind;
use crate::diagram::Block;
use crate::value::Class;

/// The body of a block of the standard library, by its path below `simulink/`.
pub(super) fn body(path: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| given(link, name, default);
    let inherited = || given("SampleTime", "-1");
    if let Some(name) = path.strip_prefix("Model Verification/") {
        return super::checks::body(name, &given);
    }
    Some(match path {
        "Continuous/PID Controller"
        | "Continuous/PID Controller (2DOF)"
        | "Discrete/Discrete PID Controller"
        | "Discrete/Discrete PID Controller (2DOF)" => return pid::pid(path, &given),
        "Discontinuities/Coulomb & Viscous Friction" => {
            friction(&given("offset", "[1 3 2 0]"), &given("gain", "1"))
        }
        "Discontinuities/Dead Zone Dynamic" => dead_zone(),
        "Discontinuities/Rate Limiter Dynamic" => rate_limiter(),
        "Discontinuities/Saturation Dynamic" => saturation(&given),
        "Discontinuities/Wrap To Zero" => wrap_to_zero(&given("Threshold", "255")),
        "Discrete/Difference" => difference(&given("ICPrevInput", "0.0")),
        "Discrete/Discrete Derivative" => {
            derivative(&given("gainval", "1.0"), &given("ICPrevScaledInput", "0.0"))
        }
        "Discrete/Integer Delay" => one(|drawing, u| {
            let (length, first) = (given("NumDelays", "4"), given("vinit", "0.0"));
            let time = given("samptime", "-1");
            let parameters =
                [("DelayLength", &*length), ("InitialCondition", &*first), ("SampleTime", &*time)];
            drawing.block(BlockKind::Delay, "delay", &parameters, &[u])
        }),
        "Discrete/Tapped Delay" => return tapped_delay(&given),
        "Discrete/Transfer Fcn First Order" => {
            first_order(&given("PoleZ", "0.95"), &given("ICPrevOutput", "0.0"))
        }
        "Discrete/Transfer Fcn Lead or Lag" => lead_or_lag(&given),
        "Discrete/Transfer Fcn Real Zero" => real_zero(&given("ZeroZ", "0.75"), &given("ICPrevInput", "0.0")),
        "Logic and Bit Operations/Bit Clear" => bit(&given("iBit", "0"), true),
        "Logic and Bit Operations/Bit Set" => bit(&given("iBit", "0"), false),
        "Logic and Bit Operations/Bitwise Operator" => return bitwise(&given),
        "Logic and Bit Operations/Shift Arithmetic" => one(|drawing, u| {
            let parameters = [
                ("BitShiftNumber", given("nBitShiftRight", "8")),
                ("BinPtShiftNumber", given("nBinPtShiftRight", "0")),
            ];
            let parameters = parameters.each_ref().map(|(name, text)| (*name, text.as_str()));
            drawing.block(BlockKind::ArithShift, "shift", &parameters, &[u])
        }),
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
        "Lookup Tables/Lookup Table Dynamic" => dynamic_table(&given),
        "Math Operations/MinMax Running Resettable" => {
            running(&given("Function", "min"), &given("vinit", "0.0"))
        }
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
        "Additional Math & Discrete/Additional Discrete/Unit Delay External IC" => {
            external_delay(&given("tsamp", "-1"))
        }
        "Ports & Subsystems/Function-Call Generator" => sources::calls(&given),
        "Signal Attributes/Data Type Conversion Inherited" => converted(&given),
        "Signal Routing/Manual Switch" => {
            let mut drawing = Drawing::default();
            let inputs = ["u1", "u2"].map(|name| drawing.input(name));
            let setting = [("CurrentSetting", &*given("sw", "1"))];
            let y = drawing.block(BlockKind::ManualSwitch, "switch", &setting, &inputs);
            drawing.output("y", y);
            drawing
        }
        "Sources/Band-Limited White Noise" => sources::white_noise(&given),
        "Sources/Chirp Signal" => sources::chirp(&given("f1", "0.1"), &given("T", "100"), &given("f2", "1")),
        "Sources/Counter Free-Running" => {
            let bits = given("NumBits", "16");
            let class = format!("uint{bits}");
            let class = if Class::named(&class).is_some() { &class } else { INHERIT };
            sources::counter(&format!("2^({bits})-1"), &given("tsamp", "-1"), class)
        }
        "Sources/Counter Limited" => {
            let most = given("uplimit", "7");
            let class = match most.parse::<f64>() {
                Ok(most) if most <= 255.0 => "uint8",
                Ok(most) if most <= 65_535.0 => "uint16",
                Ok(_) => "uint32",
                Err(_) => INHERIT,
            };
            sources::counter(&most, &given("tsamp", "-1"), class)
        }
        "Sources/Ramp" => {
            // Older versions have another name for the first value.
            let first = given("InitialOutput", &given("X0", "0"));
            sources::ramp(&given("slope", "1"), &given("start", "0"), &first)
        }
        "Sources/Repeating Sequence" => {
            sources::repeating(&given("rep_seq_t", "[0 2]"), &given("rep_seq_y", "[0 2]"), None)
        }
        "Sources/Repeating Sequence Interpolated" => {
            let (times, values) =
                (given("TimeValues", "[0 0.1 0.5 0.6 1]"), given("OutValues", "[3 1 4 2 1]"));
            sources::repeating(&times, &values, Some(&given("tsamp", "0.01")))
        }
        "Sources/Repeating Sequence Stair" => {
            sources::stairs(&given("OutValues", "[3 1 4 2 1]"), &given("tsamp", &inherited()))
        }
        _ => return None,
    })
}

/// The body of a block of an older version of the library, by its name: the groups were others.
pub(super) fn older(name: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| given(link, name, default);
    match name {
        "PID Controller" => Some(pid::old(&given, false)),
        "PID Controller (with Approximate Derivative)" => Some(pid::old(&given, true)),
        _ => GROUPS.iter().find_map(|group| body(&format!("{group}/{name}"), link)),
    }
}

/// Groups of the library that older versions have under other names.
const GROUPS: [&str; 6] = [
    "Discontinuities",
    "Discrete",
    "Logic and Bit Operations",
    "Lookup Tables",
    "Math Operations",
    "Sources",
];

/// A parameter of a link, or its default.
pub(super) fn given(link: &Block, name: &str, default: &str) -> String {
    let text = link.parameters.get(name).map(str::trim).filter(|it| !it.is_empty());
    text.unwrap_or(default).to_owned()
}

/// The parameters of a link, with a default for each.
pub(super) type Given<'a> = &'a dyn Fn(&str, &str) -> String;

/// A body with one input and one output.
pub(super) fn one(inside: impl FnOnce(&mut Drawing, Wire) -> Wire) -> Drawing {
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

/// The sign of the input times a line over its absolute value.
fn friction(offset: &str, gain: &str) -> Drawing {
    one(|drawing, u| {
        let size = drawing.block(BlockKind::Abs, "size", &[], &[u]);
        let sign = drawing.block(BlockKind::Signum, "sign", &[], &[u]);
        let viscous = drawing.gain("viscous", gain, size);
        let coulomb = drawing.constant("coulomb", offset);
        let force = drawing.sum("force", "++", &[viscous, coulomb]);
        drawing.block(BlockKind::Product, "signed", &[("Inputs", "2")], &[sign, force])
    })
}

/// The input minus a multiple of the last one, plus a multiple of the last output.
fn lead_or_lag(given: Given) -> Drawing {
    one(|drawing, u| {
        let input = drawing.delay("last input", &given("ICPrevInput", "0.0"), "-1", &[u]);
        let output = drawing.delay("last output", &given("ICPrevOutput", "0.0"), "-1", &[]);
        let zero = drawing.gain("zero", &given("ZeroZ", "0.75"), input);
        let pole = drawing.gain("pole", &given("PoleZ", "0.95"), output);
        let y = drawing.sum("sum", "+-+", &[u, zero, pole]);
        drawing.connect(y, output);
        y
    })
}

/// The least or greatest input so far, or the initial value while the second input holds.
fn running(function: &str, first: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let [u, reset] = ["u", "R"].map(|name| drawing.input(name));
    let last = drawing.delay("last", first, "-1", &[]);
    let extreme =
        drawing.block(BlockKind::MinMax, "extreme", &[("Function", function), ("Inputs", "2")], &[u, last]);
    let start = drawing.constant("start", first);
    let y = drawing.choose("output", reset, start, extreme);
    drawing.connect(y, last);
    drawing.output("y", y);
    drawing
}

fn bitwise(given: Given) -> Option<Drawing> {
    let operator = given("logicop", "AND");
    let masked = given("UseBitMask", "on") == "on" || operator == "NOT";
    let count: u32 = if masked { 1 } else { given("NumInputPorts", "1").parse().ok()? };
    let mut drawing = Drawing::default();
    let inputs: Vec<Wire> = (1..=count.min(1_000)).map(|it| drawing.input(&format!("u{it}"))).collect();
    let (mask, text) = (given("UseBitMask", "on"), given("BitMask", "bin2dec('11011001')"));
    let parameters = [("logicop", operator.as_str()), ("UseBitMask", &mask), ("BitMask", &text)];
    let y = drawing.block(BlockKind::Bitwise, "bits", &parameters, &inputs);
    drawing.output("y", y);
    Some(drawing)
}

/// A bit that is set, or cleared: set and then inverted.
fn bit(place: &str, clears: bool) -> Drawing {
    one(|drawing, u| {
        let mask = format!("2^({place})");
        let set = drawing.block(BlockKind::Bitwise, "set", &[("logicop", "OR"), ("BitMask", &mask)], &[u]);
        if !clears {
            return set;
        }
        drawing.block(BlockKind::Bitwise, "clear", &[("logicop", "XOR"), ("BitMask", &mask)], &[set])
    })
}

fn dynamic_table(given: Given) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs = ["x", "xdat", "ydat"].map(|name| drawing.input(name));
    let method = given("LookUpMeth", "Interpolation-Use End Values");
    let y = drawing.block(BlockKind::LookupDynamic, "table", &[("LookUpMeth", &method)], &inputs);
    drawing.output("y", y);
    drawing
}

/// The last input, and in the first step the second input.
fn external_delay(time: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let [u, first] = ["u", "IC"].map(|name| drawing.input(name));
    let last = drawing.delay("last", "0", time, &[u]);
    let on = drawing.constant("on", "true");
    let later = drawing.delay("later", "false", time, &[on]);
    let y = drawing.choose("output", later, last, first);
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
/// The second input in the type of the first one.
fn converted(given: Given) -> Drawing {
    let mut drawing = Drawing::default();
    let [like, u] = ["ref", "in"].map(|name| drawing.input(name));
    let never = drawing.constant("never", "false");
    let (rounding, saturates) = (given("RndMeth", "Floor"), given("DoSatur", "off"));
    let parameters = [
        ("Criteria", "u2 ~= 0"),
        ("InputSameDT", "off"),
        ("OutDataTypeStr", "Inherit: Same as first input"),
        ("RndMeth", &*rounding),
        ("SaturateOnIntegerOverflow", &*saturates),
    ];
    let y = drawing.block(BlockKind::Switch, "convert", &parameters, &[like, never, u]);
    drawing.output("out", y);
    drawing
}

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
