//! Bodies of library blocks: most are expressions over their inputs, the others are drawn block by block.
//!
//! Every block lists the parameters that matter, because the defaults of its type need not be in the file.

use crate::diagram::{Block, Port, Sheet};

/// An output of a block.
type Wire = (u32, u32);

/// The body of a library block, by the path of its source.
pub(super) fn body(source: &str, link: &Block) -> Option<Sheet> {
    let given = |name: &str, default: &str| link.parameters.get(name).unwrap_or(default).to_owned();
    let body = match source {
        "simulink/Discontinuities/Saturation Dynamic" => saturation(),
        "simulink/Discontinuities/Rate Limiter Dynamic" => rate_limiter(),
        "simulink/Logic and Bit Operations/Compare To Constant" => {
            compare(&given("relop", "<="), &given("const", "3.0"))
        }
        "simulink/Logic and Bit Operations/Compare To Zero" => compare(&given("relop", "<="), "0"),
        "cocosimLibs/Implies" | "sldvlib/Verification Utilities/Implies" => implies(),
        "aerolibutil/Create 3x3 Matrix" => matrix(),
        "aerolibadynsys/Passive" => passive(),
        "aerolib6dofsys/Calculate omega_dot/I x w" => matrix_times_vector(1, 0),
        "aerolib6dofsys/Calculate omega_dot/I x w1" => matrix_times_vector(0, 1),
        "aerolib6dof2/6DoF (Euler Angles)/transform to Inertial axes" => matrix_times_vector(1, 0),
        _ => {
            let (_, inputs, outputs) = EXPRESSIONS.iter().find(|(path, _, _)| *path == source)?;
            expressions(*inputs, outputs)
        }
    };
    Some(body.0)
}

const SQUARES: &str = "u(1)*u(1) + u(2)*u(2) + u(3)*u(3)";

/// Source, number of inputs, and for each output its entries over all inputs one after the other.
#[rustfmt::skip]
const EXPRESSIONS: [(&str, usize, &[&[&str]]); 15] = [
    ("aerolibutil/3x3 Cross Product/Subsystem", 2, &[&["u(2)*u(6)", "u(3)*u(4)", "u(1)*u(5)"]]),
    ("aerolibutil/3x3 Cross Product/Subsystem1", 2, &[&["u(3)*u(5)", "u(1)*u(6)", "u(2)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A11", 1, &[&["u(1)*u(1) + u(2)*u(2) - u(3)*u(3) - u(4)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A12", 1, &[&["2*(u(4)*u(1) + u(2)*u(3))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A13", 1, &[&["2*(u(2)*u(4) - u(1)*u(3))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A21", 1, &[&["2*(u(2)*u(3) - u(4)*u(1))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A22", 1, &[&["u(1)*u(1) - u(2)*u(2) + u(3)*u(3) - u(4)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A23", 1, &[&["2*(u(1)*u(2) + u(3)*u(4))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A31", 1, &[&["2*(u(1)*u(3) + u(2)*u(4))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A32", 1, &[&["2*(u(3)*u(4) - u(1)*u(2))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A33", 1, &[&["u(1)*u(1) - u(2)*u(2) - u(3)*u(3) + u(4)*u(4)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/Subsystem", 1, &[&["u(3)"], &["u(1)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/Subsystem1", 1, &[&["u(2)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/dot", 1, &[&[SQUARES]]),
    ("aerolibasang/Dynamic Pressure/dot", 1, &[&[SQUARES]]),
];

/// A sheet that is drawn from its inputs to its outputs.
#[derive(Default)]
struct Drawing(Sheet);

impl Drawing {
    /// Ports are numbered in the order in which they are drawn.
    fn port(&mut self, kind: &str, name: &str) -> u32 {
        let number = self.0.blocks.iter().filter(|it| it.kind == kind).count() + 1;
        self.0.add(kind, name, &[("Port", &number.to_string())])
    }

    fn input(&mut self, name: &str) -> Wire {
        (self.port("Inport", name), 1)
    }

    fn output(&mut self, name: &str, from: Wire) {
        let port = self.port("Outport", name);
        self.0.connect(from, (port, Port::Data(1)));
    }

    fn block(&mut self, kind: &str, name: &str, parameters: &[(&str, &str)], inputs: &[Wire]) -> Wire {
        let block = self.0.add(kind, name, parameters);
        for (port, from) in (1..).zip(inputs) {
            self.0.connect(*from, (block, Port::Data(port)));
        }
        (block, 1)
    }

    fn mux(&mut self, name: &str, inputs: &[Wire]) -> Wire {
        match inputs {
            [one] => *one,
            _ => self.block("Mux", name, &[("Inputs", &inputs.len().to_string())], inputs),
        }
    }

    fn compares(&mut self, name: &str, operator: &str, inputs: &[Wire]) -> Wire {
        let parameters = [("Operator", operator), ("InputSameDT", "off"), ("OutDataTypeStr", "boolean")];
        self.block("RelationalOperator", name, &parameters, inputs)
    }

    fn choose(&mut self, name: &str, condition: Wire, then: Wire, other: Wire) -> Wire {
        let parameters = [("Criteria", "u2 ~= 0"), ("InputSameDT", "off"), ("OutDataTypeStr", INHERIT)];
        self.block("Switch", name, &parameters, &[then, condition, other])
    }
}

const INHERIT: &str = "Inherit: Inherit via internal rule";

/// The upper limit is looked at first, so it wins where the limits are crossed.
fn saturation() -> Drawing {
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let above = drawing.compares("above", ">", &[u, up]);
    let below = drawing.compares("below", "<", &[u, lo]);
    let raised = drawing.choose("raised", below, lo, u);
    let limited = drawing.choose("limited", above, up, raised);
    drawing.output("y", limited);
    drawing
}

/// The limits are rates: times the sample time they are what one step may change.
fn rate_limiter() -> Drawing {
    let mut drawing = Drawing::default();
    let [up, u, lo] = ["up", "u", "lo"].map(|name| drawing.input(name));
    let step = [("TsampMathOp", "*"), ("weightValue", "1.0"), ("OutDataTypeStr", INHERIT)];
    let rise = drawing.block("SampleTimeMath", "rise", &step, &[up]);
    let fall = drawing.block("SampleTimeMath", "fall", &step, &[lo]);
    let last = drawing.block("UnitDelay", "last", &[("InitialCondition", "0"), ("SampleTime", "-1")], &[]);
    let change = drawing.block("Sum", "change", &[("Inputs", "+-"), ("OutDataTypeStr", INHERIT)], &[u, last]);
    let link = [("SourceBlock", "simulink/Discontinuities/Saturation Dynamic")];
    let limited = drawing.block("Reference", "Saturation\nDynamic", &link, &[rise, change, fall]);
    let next =
        drawing.block("Sum", "next", &[("Inputs", "++"), ("OutDataTypeStr", INHERIT)], &[limited, last]);
    drawing.0.connect(next, (last.0, Port::Data(1)));
    drawing.output("Y", next);
    drawing
}

fn compare(operator: &str, limit: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let u = drawing.input("u");
    let parameters = [("Value", limit), ("OutDataTypeStr", "Inherit: Inherit via back propagation")];
    let limit = drawing.block("Constant", "limit", &parameters, &[]);
    let compared = drawing.compares("compare", operator, &[u, limit]);
    drawing.output("y", compared);
    drawing
}

fn implies() -> Drawing {
    let mut drawing = Drawing::default();
    let [a, b] = ["A", "B"].map(|name| drawing.input(name));
    let boolean = ("OutDataTypeStr", "boolean");
    let not = drawing.block("Logic", "not", &[("Operator", "NOT"), ("Inputs", "1"), boolean], &[a]);
    let or = drawing.block("Logic", "or", &[("Operator", "OR"), ("Inputs", "2"), boolean], &[not, b]);
    drawing.output("Out", or);
    drawing
}

/// Nine numbers by rows; a matrix is by columns.
fn matrix() -> Drawing {
    let mut drawing = Drawing::default();
    let entries: Vec<Wire> =
        (0..9).map(|at| drawing.input(&format!("M{}{}", at / 3 + 1, at % 3 + 1))).collect();
    let columns: Vec<Wire> = (0..9).map(|at| entries[at % 3 * 3 + at / 3]).collect();
    let vector = drawing.block("Mux", "columns", &[("Inputs", "9")], &columns);
    let parameters = [("OutputDimensionality", "Customize"), ("OutputDimensions", "[3,3]")];
    let matrix = drawing.block("Reshape", "matrix", &parameters, &[vector]);
    drawing.output("Matrix", matrix);
    drawing
}

fn passive() -> Drawing {
    let mut drawing = Drawing::default();
    let unused = drawing.input("Vb");
    let value = drawing.input("In");
    drawing.block("Terminator", "unused", &[], &[unused]);
    drawing.output("Out", value);
    drawing
}

/// A matrix times a vector; the places of both among the two inputs.
fn matrix_times_vector(matrix: usize, vector: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs = ["u", "v"].map(|name| drawing.input(name));
    let column = [("OutputDimensionality", "Column vector (2-D)")];
    let column = drawing.block("Reshape", "column", &column, &[inputs[vector]]);
    let parameters = [("Inputs", "2"), ("Multiplication", "Matrix(*)"), ("OutDataTypeStr", INHERIT)];
    let product = drawing.block("Product", "product", &parameters, &[inputs[matrix], column]);
    let flat = drawing.block("Reshape", "flat", &[("OutputDimensionality", "1-D array")], &[product]);
    drawing.output("y", flat);
    drawing
}

fn expressions(inputs: usize, outputs: &[&[&str]]) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs: Vec<Wire> = (1..=inputs).map(|at| drawing.input(&format!("u{at}"))).collect();
    let all = drawing.mux("all", &inputs);
    for (number, entries) in (1..).zip(outputs) {
        let wires: Vec<Wire> = (1..)
            .zip(*entries)
            .map(|(at, text)| drawing.block("Fcn", &format!("f{number}{at}"), &[("Expr", text)], &[all]))
            .collect();
        let vector = drawing.mux(&format!("v{number}"), &wires);
        drawing.output(&format!("y{number}"), vector);
    }
    drawing
}
