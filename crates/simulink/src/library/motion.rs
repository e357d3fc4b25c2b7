//! The motion of a rigid body of constant mass over a flat Earth (`6DoF (Euler Angles)`, `6DoF (Quaternion)`), by the equations of its
//! documentation:
//!
//! - m (dV/dt + ω × V) = F and I dω/dt + ω × (I ω) = M, in body axes;
//! - the attitude as Euler angles (roll, pitch, yaw), or as a quaternion whose length is held at 1 by a gain;
//! - the velocity over ground is the velocity in body axes, turned back.
//!
//! What the last output is has changed: older versions give F/m, and newer ones dV/dt.

use super::aerospace::{CROSS, EULER, normal, of_quaternion};
use super::drawing::{Drawing, INHERIT, Wire};
use super::rotation::{self, Sequence, Sum};
use super::standard::given;
use crate::blocks::BlockKind;
use crate::diagram::Block;

/// The latest version of the library whose body is known to be the older one.
const OLDER: u32 = 251;

/// What the attitude of the body is.
enum Attitude {
    Angles,
    Quaternion,
}

/// The body of a link to a block of this name; none if an option is not known.
pub(super) fn rigid(name: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| given(link, name, default);
    let is_known = |name: &str, all: &[&str]| all.contains(&given(name, "").as_str());
    if !is_known("units", &["Metric (MKS)", "English (Velocity in ft/s)"]) || !is_known("mtype", &["Fixed"]) {
        return None;
    }
    let attitude =
        match given("rep", if name.contains("Euler") { "Euler Angles" } else { "Quaternion" }).as_str() {
            "Euler Angles" => Attitude::Angles,
            "Quaternion" => Attitude::Quaternion,
            _ => return None,
        };
    let is_newer = link.parameters.get("abi_flag").is_some();
    if !is_newer && version(link)? > OLDER {
        return None;
    }
    let mut drawing = Drawing::default();
    let [forces, moments] = ["F", "M"].map(|it| drawing.input(it));
    let [velocity, rates, position] = [("Vb", "Vm_0"), ("omega", "pm_0"), ("Xe", "xme_0")]
        .map(|(name, first)| integrator(&mut drawing, name, &given(first, "[0 0 0]")));

    let mass = drawing.constant("mass", &given("mass_0", "1.0"));
    let quotient = [("Inputs", "*/"), ("OutDataTypeStr", INHERIT)];
    let specific = drawing.block(BlockKind::Product, "F/m", &quotient, &[forces, mass]);
    let both = drawing.mux("V and omega", &[velocity, rates]);
    let crossed = drawing.formulas("V x omega", &CROSS, both);
    let acceleration = drawing.sum("dV", "++", &[specific, crossed]);
    drawing.connect(acceleration, velocity);

    let spin = spin(&mut drawing, &given("inertia", "eye(3)"), moments, rates);
    drawing.connect(spin, rates);

    let first = given("eul_0", "[0 0 0]");
    let (angles, source, entries) = match attitude {
        // The integral of angles is wrapped in some newer versions.
        Attitude::Angles if is_newer => return None,
        Attitude::Angles => {
            let angles = angles(&mut drawing, &first, rates);
            (angles, angles, Sequence::ZYX.matrix(EULER))
        }
        Attitude::Quaternion => {
            let quaternion = quaternion(&mut drawing, &first, &given("k_quat", "1.0"), rates);
            let quaternion = normal(&mut drawing, quaternion);
            let order = of_quaternion([2, 1, 0]);
            let angles = drawing.formulas("Euler", &order.each_ref().map(String::as_str), quaternion);
            (angles, quaternion, rotation::of_quaternion())
        }
    };
    let matrix = drawing.square("DCM", &entries, source);
    let width = if let Attitude::Angles = attitude { 3 } else { 4 };
    let ground = ground(&mut drawing, source, width, &entries, velocity);
    drawing.connect(ground, position);

    let outputs = [("Ve", ground), ("Xe", position), ("Euler", angles), ("DCM", matrix), ("Vb", velocity)];
    outputs.into_iter().for_each(|(name, wire)| drawing.output(name, wire));
    drawing.output("omega", rates);
    drawing.output("domega", spin);
    drawing.output("Ab", if is_newer { acceleration } else { specific });
    if given("abi_flag", "off") == "on" {
        drawing.output("Abe", specific);
    }
    Some(drawing)
}

/// The number of the version of the library after the dot; zero in files that do not state it.
fn version(link: &Block) -> Option<u32> {
    match link.parameters.get("LibraryVersion") {
        None => Some(0),
        Some(text) => text.trim().strip_prefix("1.")?.parse().ok(),
    }
}

/// An integrator whose input is connected later.
fn integrator(drawing: &mut Drawing, name: &str, first: &str) -> Wire {
    drawing.block(BlockKind::Integrator, name, &[("InitialCondition", first)], &[])
}

/// The derivative of the angular rates: (M − ω × I ω) over I.
fn spin(drawing: &mut Drawing, inertia: &str, moments: Wire, rates: Wire) -> Wire {
    let reshape = |drawing: &mut Drawing, name: &str, form: &str, wire: Wire| {
        drawing.block(BlockKind::Reshape, name, &[("OutputDimensionality", form)], &[wire])
    };
    let matrices = |signs: &'static str| {
        [("Inputs", signs), ("Multiplication", "Matrix(*)"), ("OutDataTypeStr", INHERIT)]
    };
    let inertia = drawing.constant("inertia", inertia);
    let column = reshape(drawing, "omega column", "Column vector (2-D)", rates);
    let momentum = drawing.block(BlockKind::Product, "I omega", &matrices("**"), &[inertia, column]);
    let momentum = reshape(drawing, "momentum", "1-D array", momentum);
    let both = drawing.mux("omega and momentum", &[rates, momentum]);
    let gyroscopic = drawing.formulas("omega x momentum", &CROSS, both);
    let net = drawing.sum("net moment", "+-", &[moments, gyroscopic]);
    let row = reshape(drawing, "moment row", "Row vector (2-D)", net);
    let spin = drawing.block(BlockKind::Product, "over I", &matrices("*/"), &[row, inertia]);
    reshape(drawing, "domega", "1-D array", spin)
}

/// Roll, pitch and yaw.
fn angles(drawing: &mut Drawing, first: &str, rates: Wire) -> Wire {
    let angles = integrator(drawing, "Euler", first);
    let both = drawing.mux("Euler and omega", &[angles, rates]);
    let slopes = [
        "u(4) + (u(5)*sin(u(1)) + u(6)*cos(u(1)))*tan(u(2))",
        "u(5)*cos(u(1)) - u(6)*sin(u(1))",
        "(u(5)*sin(u(1)) + u(6)*cos(u(1)))/cos(u(2))",
    ];
    let slopes = drawing.formulas("dEuler", &slopes, both);
    drawing.connect(slopes, angles);
    angles
}

/// The quaternion, with a gain that drives its length to 1.
fn quaternion(drawing: &mut Drawing, first: &str, gain: &str, rates: Wire) -> Wire {
    let first = drawing.constant("first angles", first);
    let parts = Sequence::ZYX.quaternion(EULER);
    let first = drawing.formulas("first quaternion", &parts.each_ref().map(String::as_str), first);
    let parameters = [("InitialConditionSource", "external")];
    let quaternion = drawing.block(BlockKind::Integrator, "quaternion", &parameters, &[]);
    let error = "1 - (u(1)*u(1) + u(2)*u(2) + u(3)*u(3) + u(4)*u(4))";
    let error = drawing.formulas("error", &[error], quaternion);
    let error = drawing.gain("gain", gain, error);
    let all = drawing.mux("omega, quaternion and error", &[rates, quaternion, error]);
    let slopes = [
        "-0.5*(u(5)*u(1) + u(6)*u(2) + u(7)*u(3)) + u(8)*u(4)",
        "0.5*(u(4)*u(1) + u(6)*u(3) - u(7)*u(2)) + u(8)*u(5)",
        "0.5*(u(4)*u(2) + u(7)*u(1) - u(5)*u(3)) + u(8)*u(6)",
        "0.5*(u(4)*u(3) + u(5)*u(2) - u(6)*u(1)) + u(8)*u(7)",
    ];
    let slopes = drawing.formulas("dq", &slopes, all);
    drawing.connect(slopes, quaternion);
    drawing.connect_to(first, quaternion, 2);
    quaternion
}

/// The velocity over ground: the transposed matrix times the velocity in body axes, where the entries are over the first numbers.
fn ground(
    drawing: &mut Drawing,
    source: Wire,
    width: usize,
    entries: &[[Sum; 3]; 3],
    velocity: Wire,
) -> Wire {
    let both = drawing.mux("attitude and V", &[source, velocity]);
    let row = |row: usize| {
        let terms = (0..3).map(|it| format!("({})*u({})", entries[it][row].text(), width + it + 1));
        terms.collect::<Vec<String>>().join(" + ")
    };
    let rows = [0, 1, 2].map(row);
    drawing.formulas("Ve", &rows.each_ref().map(String::as_str), both)
}
