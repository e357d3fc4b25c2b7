//! The PID controllers of the standard library, continuous and discrete, with limits and both ways against windup.

use super::drawing::{Drawing, Wire};
use super::standard::{Given, one};
use crate::blocks::BlockKind;

/// Proportional, integral and filtered derivative part; in the ideal form the first multiplies the others.
pub(super) fn pid(path: &str, given: Given) -> Option<Drawing> {
    let continuous = match (given("TimeDomain", ""), path) {
        (domain, _) if domain.starts_with("Continuous") => true,
        (domain, _) if domain.starts_with("Discrete") => false,
        (_, path) => path.starts_with("Continuous"),
    };
    let limited = given("LimitOutput", "off") == "on";
    let windup = if limited { given("AntiWindupMode", "none") } else { "none".to_owned() };
    let external = given("InitialConditionSource", "internal") != "internal"
        || given("ExternalReset", "none") != "none"
        || given("TrackingMode", "off") == "on"
        || given("ControllerParametersSource", "internal") != "internal";
    // What an integrator that is not forward gets from its own output would be an algebraic loop.
    let forward = continuous || given("IntegratorMethod", "Forward Euler").contains("Forward");
    if external || windup != "none" && !forward {
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
        let (mut parts, mut integrator) = (Vec::new(), None);
        let base = if ideal { drawing.gain("P", &given("P", "1"), u) } else { u };
        if kind.contains('P') {
            parts.push(if ideal { base } else { drawing.gain("P", &given("P", "1"), u) });
        }
        if kind.contains('I') {
            let scaled = drawing.gain("I", &given("I", "1"), base);
            let first = given("InitialConditionForIntegrator", "0");
            let inputs = if windup == "none" { &[scaled][..] } else { &[] };
            let sum = integral(drawing, "integral", &first, method("IntegratorMethod"), inputs);
            integrator = Some((scaled, sum));
            parts.push(sum);
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
        if !limited {
            return sum;
        }
        let (up, lo) = (given("UpperSaturationLimit", "inf"), given("LowerSaturationLimit", "-inf"));
        let limit =
            drawing.block(BlockKind::Saturate, "limit", &[("UpperLimit", &up), ("LowerLimit", &lo)], &[sum]);
        if let Some((scaled, integral)) = integrator.filter(|_| windup != "none") {
            let over = drawing.sum("over", "+-", &[sum, limit]);
            let input = if windup == "clamping" {
                clamped(drawing, scaled, over)
            } else {
                let back = drawing.gain("Kb", &given("Kb", "1"), over);
                drawing.sum("corrected", "+-", &[scaled, back])
            };
            drawing.connect(input, integral);
        }
        limit
    }))
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
