//! Blocks of the library of extras: flip-flops, conversions of units and coordinates, and transfer functions with an initial state. And linear
//! systems that are expressions.

use super::drawing::{Drawing, Wire};
use super::standard::{Given, one};
use crate::blocks::BlockKind;
use crate::diagram::Port;

/// The body of a block, by its path below `simulink_extras/`.
pub(super) fn body(path: &str, given: Given) -> Option<Drawing> {
    Some(match path {
        "Flip Flops/S-R Flip-Flop" => set_reset(&given("initial_condition", "0")),
        "Flip Flops/D Latch" => latch(),
        "Transformations/Degrees to Radians" => one(|drawing, u| drawing.gain("gain", "pi/180", u)),
        "Transformations/Radians to Degrees" => one(|drawing, u| drawing.gain("gain", "180/pi", u)),
        "Transformations/Celsius to Fahrenheit" => one(|drawing, u| {
            let scaled = drawing.gain("gain", "9/5", u);
            drawing.block(BlockKind::Bias, "shift", &[("Bias", "32")], &[scaled])
        }),
        "Transformations/Fahrenheit to Celsius" => one(|drawing, u| {
            let shifted = drawing.block(BlockKind::Bias, "shift", &[("Bias", "-32")], &[u]);
            drawing.gain("gain", "5/9", shifted)
        }),
        "Transformations/Cartesian to Polar" => {
            coordinates(["x", "y"], [("r", "sqrt(u(1)^2 + u(2)^2)"), ("theta", "atan2(u(2), u(1))")])
        }
        "Transformations/Polar to Cartesian" => {
            coordinates(["r", "theta"], [("x", "u(1)*cos(u(2))"), ("y", "u(1)*sin(u(2))")])
        }
        "Additional Linear/Transfer Fcn (with initial states)" => one(|drawing, u| {
            let parameters = [("Numerator", "N"), ("Denominator", "D"), ("InitialStates", "X0")];
            let parameters = parameters.map(|(name, own)| (name, given(own, "0")));
            let parameters = parameters.each_ref().map(|(name, text)| (*name, text.as_str()));
            drawing.block(BlockKind::TransferFcn, "system", &parameters, &[u])
        }),
        "Additional Linear/Transfer Fcn (with initial outputs)" => one(|drawing, u| {
            let system = format!("tf({}, {})", given("N", "1"), given("D", "[1 1]"));
            let (output, input) = (given("Y0", "0"), given("U0", "0"));
            let parameters = [("sys", system.as_str()), ("Y0", &output), ("U0", &input)];
            drawing.block(BlockKind::LinearSystem, "system", &parameters, &[u])
        }),
        _ => return None,
    })
}

/// A linear system that is the value of an expression: `tf(…)`, `zpk(…)`, `ss(…)`, a number, or a variable.
pub(super) fn linear(given: Given) -> Drawing {
    let parameters = [("sys", &*given("sys", "tf(1,[1 1])")), ("IC", &given("IC", "[]"))];
    one(|drawing, u| drawing.block(BlockKind::LinearSystem, "system", &parameters, &[u]))
}

/// Two numbers from two others.
fn coordinates(inputs: [&str; 2], outputs: [(&str, &str); 2]) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs = inputs.map(|it| drawing.input(it));
    let all = drawing.mux("all", &inputs);
    for (name, formula) in outputs {
        let y = drawing.block(BlockKind::Fcn, name, &[("Expr", formula)], &[all]);
        drawing.output(name, y);
    }
    drawing
}

/// Set by the first input, reset by the second; both together set both outputs to zero.
fn set_reset(first: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let [set, reset] = ["S", "R"].map(|name| drawing.input(name));
    let memory = drawing.0.add(BlockKind::Memory, "memory", &[("InitialCondition", first)]);
    let all = drawing.mux("all", &[set, reset, (memory, 1)]);
    let table = [("TruthTable", "[0 1;1 0;0 1;0 1;1 0;1 0;0 0;0 0]")];
    let row = drawing.block(BlockKind::CombinatorialLogic, "logic", &table, &[all]);
    let parts = drawing.0.add(BlockKind::Demux, "parts", &[("Outputs", "2")]);
    drawing.0.connect(row, (parts, Port::Data(1)));
    drawing.connect((parts, 1), (memory, 1));
    drawing.output("Q", (parts, 1));
    drawing.output("!Q", (parts, 2));
    drawing
}

/// The first input while the second holds, and the last such value otherwise.
fn latch() -> Drawing {
    let mut drawing = Drawing::default();
    let [data, clock] = ["D", "C"].map(|name| drawing.input(name));
    let memory: Wire = (drawing.0.add(BlockKind::Memory, "memory", &[("InitialCondition", "0")]), 1);
    let q = drawing.choose("Q", clock, data, memory);
    drawing.connect(q, memory);
    let not = drawing.not("not", q);
    drawing.output("Q", q);
    drawing.output("!Q", not);
    drawing
}
