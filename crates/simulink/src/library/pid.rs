//! The PID controllers of the standard library, continuous and discrete, with limits and both ways against windup, and those of older
//! libraries.

use super::drawing::{Drawing, INHERIT, Wire};
use super::standard::{Given, one};
use crate::blocks::BlockKind;

/// Proportional, integral and derivative part of a control error; in the ideal form the first multiplies the others. With two degrees of
/// freedom, the inputs are the reference and the measurement, and the reference has a weight in the first and in the third part.
pub(super) fn pid(path: &str, given: Given) -> Option<Drawing> {
    let continuous = match (given("TimeDomain", ""), path) {
        (domain, _) if domain.starts_with("Continuous") => true,
        (domain, _) if domain.starts_with("Discrete") => false,
        (_, path) => path.starts_with("Continuous"),
    };
    let limited = given("LimitOutput", "off") == "on";
    let windup = if limited { given("AntiWindupMode", "none") } else { "none".to_owned() };
    // What an integrator that is not forward gets from its own output would be an algebraic loop.
    let forward = continuous || given("IntegratorMethod", "Forward Euler").contains("Forward");
    if !UNSUPPORTED.iter().all(|(name, usual)| given(name, usual) == *usual) || windup != "none" && !forward {
        return None;
    }
    let kind = given("Controller", "PID");
    let time = given("SampleTime", "-1");
    let method = |name: &str| match given(name, "Forward Euler") {
        it if it.contains("Backward") => "Integration: Backward Euler",
        it if it.contains("Trapezoidal") => "Integration: Trapezoidal",
        _ => "Integration: Forward Euler",
    };
    let integral =
        |drawing: &mut Drawing, name: &str, first: &str, more: [(&str, &str); 4], inputs: &[Wire]| {
            let parameters = [
                ("InitialCondition", first),
                ("InitialConditionSource", "internal"),
                ("ExternalReset", "none"),
                ("gainval", "1"),
                ("SampleTime", &time),
            ];
            let kind = if continuous { BlockKind::Integrator } else { BlockKind::DiscreteIntegrator };
            drawing.block(kind, name, &[&parameters[..], &more].concat(), inputs)
        };
    let mut drawing = Drawing::default();
    let [proportional, whole, rated] = errors(&mut drawing, path, given);
    let ideal = given("Form", "Parallel") == "Ideal";
    let (mut parts, mut integrator) = (Vec::new(), None);
    let scaled = |drawing: &mut Drawing, name: &str, error: Wire| {
        if ideal { drawing.gain(name, &given("P", "1"), error) } else { error }
    };
    if kind.contains('P') {
        parts.push(drawing.gain("P", &given("P", "1"), proportional));
    }
    if kind.contains('I') {
        let base = scaled(&mut drawing, "P of I", whole);
        let input = drawing.gain("I", &given("I", "1"), base);
        let first = given("InitialConditionForIntegrator", "0");
        let limits = ["Upper", "Lower"].map(|it| {
            given(&format!("{it}IntegratorSaturationLimit"), if it == "Upper" { "inf" } else { "-inf" })
        });
        let more = [
            ("IntegratorMethod", method("IntegratorMethod")),
            ("LimitOutput", &*given("LimitIntegrator", "off")),
            ("UpperSaturationLimit", &limits[0]),
            ("LowerSaturationLimit", &limits[1]),
        ];
        let inputs = if windup == "none" { &[input][..] } else { &[] };
        let sum = integral(&mut drawing, "integral", &first, more, inputs);
        integrator = Some((input, sum));
        parts.push(sum);
    }
    if kind.contains('D') {
        let base = scaled(&mut drawing, "P of D", rated);
        let input = drawing.gain("D", &given("D", "0"), base);
        parts.push(if given("UseFilter", "on") == "off" {
            rate(&mut drawing, continuous, &given("DifferentiatorICPrevScaledInput", "0"), input)
        } else {
            let first = given("InitialConditionForFilter", "0");
            let more = [
                ("IntegratorMethod", method("FilterMethod")),
                ("LimitOutput", "off"),
                ("UpperSaturationLimit", "inf"),
                ("LowerSaturationLimit", "-inf"),
            ];
            let filter = integral(&mut drawing, "filter", &first, more, &[]);
            let error = drawing.sum("error", "+-", &[input, filter]);
            let rate = drawing.gain("N", &given("N", "100"), error);
            drawing.connect(rate, filter);
            rate
        });
    }
    let signs = "+".repeat(parts.len());
    let sum = if parts.len() == 1 { parts[0] } else { drawing.sum("sum", &signs, &parts) };
    let y = if limited {
        let (up, lo) = (given("UpperSaturationLimit", "inf"), given("LowerSaturationLimit", "-inf"));
        let limit =
            drawing.block(BlockKind::Saturate, "limit", &[("UpperLimit", &up), ("LowerLimit", &lo)], &[sum]);
        if let Some((input, integral)) = integrator.filter(|_| windup != "none") {
            let over = drawing.sum("over", "+-", &[sum, limit]);
            let input = if windup == "clamping" {
                clamped(&mut drawing, input, over)
            } else {
                let back = drawing.gain("Kb", &given("Kb", "1"), over);
                drawing.sum("corrected", "+-", &[input, back])
            };
            drawing.connect(input, integral);
        }
        limit
    } else {
        sum
    };
    drawing.output("y", y);
    Some(drawing)
}

/// Options with the only value that is supported.
const UNSUPPORTED: [(&str, &str); 8] = [
    ("InitialConditionSource", "internal"),
    ("ExternalReset", "none"),
    ("TrackingMode", "off"),
    ("ControllerParametersSource", "internal"),
    ("SatLimitsSource", "internal"),
    ("UseExternalTs", "off"),
    ("UseKiTs", "off"),
    ("UseExternalDerivativeSource", "off"),
];

/// The inputs of the three parts.
fn errors(drawing: &mut Drawing, path: &str, given: Given) -> [Wire; 3] {
    if !path.ends_with("(2DOF)") {
        return [drawing.input("u"); 3];
    }
    let [reference, measured] = ["Ref", "y"].map(|name| drawing.input(name));
    [("b", given("b", "1")), ("one", "1".to_owned()), ("c", given("c", "1"))].map(|(name, weight)| {
        let weighted = drawing.gain(name, &weight, reference);
        drawing.sum(&format!("error {name}"), "+-", &[weighted, measured])
    })
}

/// The derivative without a filter: for a discrete controller, the difference over the sample time.
fn rate(drawing: &mut Drawing, continuous: bool, first: &str, input: Wire) -> Wire {
    if continuous {
        return drawing.block(BlockKind::Derivative, "derivative", &[], &[input]);
    }
    let parameters = [("TsampMathOp", "/"), ("weightValue", "1.0"), ("OutDataTypeStr", INHERIT)];
    let scaled = drawing.block(BlockKind::SampleTimeMath, "over time", &parameters, &[input]);
    let last = drawing.delay("last", first, "-1", &[scaled]);
    drawing.sum("difference", "+-", &[scaled, last])
}

/// The PID controllers of older libraries: P + I/s + D s, where the derivative may be D s/(s/N + 1).
pub(super) fn old(given: Given, approximate: bool) -> Drawing {
    one(|drawing, u| {
        let proportional = drawing.gain("P", &given("P", "1"), u);
        let scaled = drawing.gain("I", &given("I", "1"), u);
        let parameters =
            [("InitialCondition", "0"), ("InitialConditionSource", "internal"), ("ExternalReset", "none")];
        let integral = drawing.block(BlockKind::Integrator, "integral", &parameters, &[scaled]);
        let derivative = if approximate {
            let numerator = format!("[({}) 0]", given("D", "1"));
            let denominator = format!("[1/({}) 1]", given("N", "100"));
            let parameters = [("Numerator", &*numerator), ("Denominator", &*denominator)];
            drawing.block(BlockKind::TransferFcn, "derivative", &parameters, &[u])
        } else {
            let scaled = drawing.gain("D", &given("D", "1"), u);
            drawing.block(BlockKind::Derivative, "derivative", &[], &[scaled])
        };
        drawing.sum("sum", "+++", &[proportional, integral, derivative])
    })
}

/// What an integrator integrates: nothing while the output is beyond its limits and the input would move it further.
fn clamped(drawing: &mut Drawing, input: Wire, over: Wire) -> Wire {
    let zero = drawing.constant("zero", "0");
    let beyond = drawing.compares("beyond", "~=", &[over, zero]);
    let signs = [("sign of over", over), ("sign of input", input)]
        .map(|(name, wire)| drawing.block(BlockKind::Signum, name, &[], &[wire]));
    let same = drawing.compares("same", "==", &signs);
    let stops = drawing.logic("stops", "AND", &[beyond, same]);
    drawing.choose("clamped", stops, zero, input)
}
