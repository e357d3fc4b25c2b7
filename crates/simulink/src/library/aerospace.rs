//! Blocks of the Aerospace Blockset whose documentation states a formula: directions and speeds of the air, rotations and quaternions, matrices,
//! units, aerodynamic forces, and the motion of a rigid body.
//!
//! A block is known by its name, because its library has had several. If an option has a value that is not known here, the link stays
//! unresolved and is listed.

use super::drawing::{Drawing, INHERIT, Wire};
use super::rotation::{self, Axis, Sequence, Sum};
use super::standard::{Given, given, one};
use crate::blocks::BlockKind;
use crate::diagram::Block;

/// The body of a block, by its path below `aerolib`: `transform2/Quaternions to Direction Cosine Matrix`.
pub(super) fn body(path: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| given(link, name, default);
    let (_, name) = path.split_once('/')?;
    Some(match name {
        "Incidence, Sideslip, & Airspeed" => {
            formulas(&["Vb"], &[("Alpha", &["atan2(u(3), u(1))"]), ("Beta", &[BETA]), ("V", &[SPEED])])
        }
        "Mach Number" => formulas(&["Velocity", "a"], &[("Mach", &[&format!("{SPEED}/u(4)")])]),
        "Dynamic Pressure" => {
            formulas(&["Velocity", "rho"], &[("qbar", &["0.5*((u(1)*u(1) + u(2)*u(2) + u(3)*u(3))*u(4))"])])
        }
        "Aerodynamic Forces and Moments" => return aerodynamics(&given),
        "Direction Cosine Matrix Body to Wind" => {
            let turn = rotation::product(&Axis::Z.turn("u(2)"), &Axis::Y.turn("-u(1)"));
            matrix_of("angles", None, &turn)
        }
        "Rotation Angles to Direction Cosine Matrix" => {
            matrix_of("angles", None, &sequence(link)?.matrix(ANGLES))
        }
        "Euler Angles to Direction Cosine Matrix" => matrix_of("angles", None, &Sequence::ZYX.matrix(EULER)),
        "Quaternions to Direction Cosine Matrix" => matrix_of("q", Some(normal), &rotation::of_quaternion()),
        "Rotation Angles to Quaternions" => vector_of("angles", None, &sequence(link)?.quaternion(ANGLES)),
        "Euler Angles to Quaternions" => vector_of("angles", None, &Sequence::ZYX.quaternion(EULER)),
        "Quaternions to Rotation Angles" if sequence(link)? == Sequence::ZYX => {
            vector_of("q", Some(normal), &of_quaternion([0, 1, 2]))
        }
        "Quaternions to Euler Angles" => vector_of("q", Some(normal), &of_quaternion([2, 1, 0])),
        "Direction Cosine Matrix to Rotation Angles" if sequence(link)? == Sequence::ZYX => {
            vector_of("DCM", Some(flat), &of_matrix([0, 1, 2]))
        }
        "Direction Cosine Matrix to Euler Angles" => vector_of("DCM", Some(flat), &of_matrix([2, 1, 0])),
        "Quaternion Multiplication" => {
            let [q, r] = [1, 5].map(rotation::parts);
            formulas(&["q", "r"], &[("qr", &texts(&rotation::times(&q, &r)).each_ref().map(String::as_str))])
        }
        "Quaternion Conjugate" => formulas(&["q"], &[("q'", &["u(1)", "-u(2)", "-u(3)", "-u(4)"])]),
        "Quaternion Inverse" => {
            let part = |it: &str| format!("{it}/({NORM})");
            let all = ["u(1)", "-u(2)", "-u(3)", "-u(4)"].map(part);
            formulas(&["q"], &[("inv(q)", &all.each_ref().map(String::as_str))])
        }
        "Quaternion Norm" => formulas(&["q"], &[("norm(q)", &[NORM])]),
        "Quaternion Modulus" => formulas(&["q"], &[("|q|", &[&format!("sqrt({NORM})")])]),
        "Quaternion Normalize" => one(normal),
        "3x3 Cross Product" => formulas(&["A", "B"], &[("C", &CROSS)]),
        "Determinant of 3x3 Matrix" => vector_of(
            "A",
            Some(flat),
            &["u(1)*(u(5)*u(9) - u(8)*u(6)) - u(4)*(u(2)*u(9) - u(8)*u(3)) + u(7)*(u(2)*u(6) - u(5)*u(3))"
                .to_owned()],
        ),
        "Invert 3x3 Matrix" => one(|drawing, a| {
            let parameters = [("Inputs", "/"), ("Multiplication", "Matrix(*)"), ("OutDataTypeStr", INHERIT)];
            drawing.block(BlockKind::Product, "inverse", &parameters, &[a])
        }),
        _ if let Some(quantity) = name.strip_suffix(" Conversion") => {
            let (from, to) = (unit(quantity, &given("IU", ""))?, unit(quantity, &given("OU", ""))?);
            one(|drawing, u| drawing.gain("factor", &format!("({from})/({to})"), u))
        }
        _ => {
            return match name.to_ascii_lowercase().as_str() {
                "6dof (euler angles)" | "6dof (quaternion)" => super::motion::rigid(name, link),
                _ => None,
            };
        }
    })
}

/// The length of a velocity.
const SPEED: &str = "sqrt(u(1)*u(1) + u(2)*u(2) + u(3)*u(3))";
/// The sideslip angle of a velocity.
const BETA: &str = "asin(u(2)/sqrt(u(1)*u(1) + u(2)*u(2) + u(3)*u(3)))";
const NORM: &str = "u(1)*u(1) + u(2)*u(2) + u(3)*u(3) + u(4)*u(4)";
/// The cross product of the first three numbers with the next three.
pub(super) const CROSS: [&str; 3] =
    ["u(2)*u(6) - u(3)*u(5)", "u(3)*u(4) - u(1)*u(6)", "u(1)*u(5) - u(2)*u(4)"];
/// Rotation angles in the order of their rotations, and as roll, pitch and yaw.
const ANGLES: [&str; 3] = ["u(1)", "u(2)", "u(3)"];
pub(super) const EULER: [&str; 3] = ["u(3)", "u(2)", "u(1)"];

/// The order of rotations of a link: the one parameter that has three axes.
fn sequence(link: &Block) -> Option<Sequence> {
    let mut found = link.parameters.0.iter().filter_map(|(_, value)| Sequence::named(value.trim()));
    let first = found.next()?;
    found.all(|it| it == first).then_some(first)
}

/// Outputs that are expressions over all inputs, one after the other.
fn formulas(inputs: &[&str], outputs: &[(&str, &[&str])]) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs: Vec<Wire> = inputs.iter().map(|it| drawing.input(it)).collect();
    let all = drawing.mux("all", &inputs);
    for (name, texts) in outputs {
        let y = drawing.formulas(name, texts, all);
        drawing.output(name, y);
    }
    drawing
}

/// A step before the formulas of a block.
type Before = fn(&mut Drawing, Wire) -> Wire;

/// A vector of expressions over one input.
fn vector_of(input: &str, before: Option<Before>, texts: &[String]) -> Drawing {
    let mut drawing = Drawing::default();
    let u = drawing.input(input);
    let u = before.map_or(u, |it| it(&mut drawing, u));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let y = drawing.formulas("y", &texts, u);
    drawing.output("y", y);
    drawing
}

/// A 3 × 3 matrix of expressions over one input.
fn matrix_of(input: &str, before: Option<Before>, entries: &[[Sum; 3]; 3]) -> Drawing {
    let mut drawing = Drawing::default();
    let u = drawing.input(input);
    let u = before.map_or(u, |it| it(&mut drawing, u));
    let y = drawing.square("DCM", entries, u);
    drawing.output("DCM", y);
    drawing
}

fn texts<const N: usize>(sums: &[Sum; N]) -> [String; N] {
    sums.each_ref().map(Sum::text)
}

/// A quaternion over its length.
pub(super) fn normal(drawing: &mut Drawing, q: Wire) -> Wire {
    let all = [1, 2, 3, 4].map(|it| format!("u({it})/sqrt({NORM})"));
    drawing.formulas("normal", &all.each_ref().map(String::as_str), q)
}

/// The entries of a matrix, by columns.
fn flat(drawing: &mut Drawing, a: Wire) -> Wire {
    drawing.block(BlockKind::Reshape, "flat", &[("OutputDimensionality", "1-D array")], &[a])
}

/// The angles of the rotations about Z, Y and X that a quaternion of length 1 means, in some order.
pub(super) fn of_quaternion(order: [usize; 3]) -> [String; 3] {
    let all = [
        "atan2(2*(u(2)*u(3) + u(1)*u(4)), u(1)*u(1) + u(2)*u(2) - u(3)*u(3) - u(4)*u(4))",
        "asin(-2*(u(2)*u(4) - u(1)*u(3)))",
        "atan2(2*(u(3)*u(4) + u(1)*u(2)), u(1)*u(1) - u(2)*u(2) - u(3)*u(3) + u(4)*u(4))",
    ];
    order.map(|it| all[it].to_owned())
}

/// The angles of the rotations about Z, Y and X that a matrix by columns means, in some order.
fn of_matrix(order: [usize; 3]) -> [String; 3] {
    let all = ["atan2(u(4), u(1))", "asin(-u(7))", "atan2(u(8), u(9))"];
    order.map(|it| all[it].to_owned())
}

/// Axes of aerodynamic coefficients, forces and moments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axes {
    Body,
    Stability,
    Wind,
}

impl Axes {
    fn named(name: &str) -> Option<Axes> {
        match name {
            "Body" => Some(Axes::Body),
            "Stability" => Some(Axes::Stability),
            "Wind" => Some(Axes::Wind),
            _ => None,
        }
    }

    /// The signs of the coefficients of forces along these axes: drag and lift point against them, and so does the crosswind force, which is the
    /// opposite of the side force.
    fn signs(self) -> &'static str {
        match self {
            Axes::Body => "[1 1 1]",
            Axes::Stability => "[-1 1 -1]",
            Axes::Wind => "[-1 -1 -1]",
        }
    }

    /// The rotation from body axes, with the angles of attack and of sideslip as the fourth and fifth number.
    fn turn(self) -> Option<[[Sum; 3]; 3]> {
        let attack = Axis::Y.turn("-u(4)");
        match self {
            Axes::Body => None,
            Axes::Stability => Some(attack),
            Axes::Wind => Some(rotation::product(&Axis::Z.turn("u(5)"), &attack)),
        }
    }
}

/// Forces and moments from coefficients.
fn aerodynamics(given: Given) -> Option<Drawing> {
    let axes = ["inputAxes", "outputForceAxes", "outputMomentAxes"].map(|it| Axes::named(&given(it, "")));
    let [from, force_axes, moment_axes] = [axes[0]?, axes[1]?, axes[2]?];
    let mut drawing = Drawing::default();
    let [coefficients, pressure, cg, cp] = ["Coef", "qbar", "CG", "CP"].map(|it| drawing.input(it));
    let is_turned = [from, force_axes, moment_axes].iter().any(|it| *it != Axes::Body);
    let angles = is_turned.then(|| {
        let velocity = drawing.input("Vb");
        drawing.formulas("angles", &["atan2(u(3), u(1))", BETA], velocity)
    });
    let parts = drawing.block(BlockKind::Demux, "parts", &[("Outputs", "[3 3]")], &[coefficients]);
    let signed = drawing.gain("signs", from.signs(), parts);
    let area = drawing.gain("area", &given("S", "1"), pressure);
    let lengths = format!("[({b}), ({c}), ({b})]", b = given("b", "1"), c = given("cbar", "1"));
    let lengths = drawing.constant("lengths", &lengths);
    let product = [("Inputs", "2"), ("OutDataTypeStr", INHERIT)];
    let force = drawing.block(BlockKind::Product, "force", &product, &[area, signed]);
    let arm = drawing.block(BlockKind::Product, "arm", &product, &[area, lengths]);
    let moment = drawing.block(BlockKind::Product, "moment", &product, &[(parts.0, 2), arm]);
    let distance = drawing.sum("distance", "+-", &[cg, cp]);
    let distance = turned(&mut drawing, "lever", distance, angles, from.turn(), false);
    let both = drawing.mux("force and lever", &[force, distance]);
    let about = drawing.formulas("torque", &CROSS, both);
    let moment = drawing.sum("sum", "++", &[about, moment]);
    for (name, vector, to) in [("Forces", force, force_axes), ("Moments", moment, moment_axes)] {
        let mut vector = vector;
        if from != to {
            vector = turned(&mut drawing, &format!("{name} in body axes"), vector, angles, from.turn(), true);
            vector = turned(&mut drawing, &format!("{name} turned"), vector, angles, to.turn(), false);
        }
        drawing.output(name, vector);
    }
    Some(drawing)
}

/// A vector in other axes: a matrix over the vector and angles, or its transpose, times the vector.
fn turned(
    drawing: &mut Drawing,
    name: &str,
    vector: Wire,
    angles: Option<Wire>,
    matrix: Option<[[Sum; 3]; 3]>,
    back: bool,
) -> Wire {
    let (Some(angles), Some(matrix)) = (angles, matrix) else { return vector };
    let both = drawing.mux(&format!("{name} with angles"), &[vector, angles]);
    let entry = |row: usize, column: usize| if back { &matrix[column][row] } else { &matrix[row][column] };
    let row = |row: usize| {
        let terms = (0..3).map(|it| format!("({})*u({})", entry(row, it).text(), it + 1));
        terms.collect::<Vec<String>>().join(" + ")
    };
    let rows = [0, 1, 2].map(row);
    drawing.formulas(name, &rows.each_ref().map(String::as_str), both)
}

/// A unit in terms of the unit of the metric system.
fn unit(quantity: &str, name: &str) -> Option<&'static str> {
    Some(match (quantity, name) {
        ("Angle", "rad") | ("Angular Velocity", "rad/s") | ("Angular Acceleration", "rad/s^2") => "1",
        ("Angle", "deg") | ("Angular Velocity", "deg/s") | ("Angular Acceleration", "deg/s^2") => "pi/180",
        ("Angle", "rev") => "2*pi",
        ("Angular Velocity", "rpm") => "pi/30",
        ("Angular Acceleration", "rpm/s") => "pi/30",
        ("Length", "m") | ("Velocity", "m/s") | ("Acceleration", "m/s^2") => "1",
        ("Length", "ft") | ("Velocity", "ft/s") | ("Acceleration", "ft/s^2") => "0.3048",
        ("Length", "km") | ("Velocity", "km/s") | ("Acceleration", "km/s^2") => "1000",
        ("Length", "in") | ("Velocity", "in/s") | ("Acceleration", "in/s^2") => "0.0254",
        ("Length", "mi") => "1609.344",
        ("Length", "naut mi") => "1852",
        ("Velocity", "km/h") => "1/3.6",
        ("Velocity", "mph") => "0.44704",
        ("Velocity", "kts") => "1852/3600",
        ("Velocity", "ft/min") => "0.3048/60",
        ("Mass", "kg") | ("Force", "N") => "1",
        ("Mass", "lbm") => "0.45359237",
        ("Mass", "slug") => "0.45359237*9.80665/0.3048",
        ("Force", "lbf") => "0.45359237*9.80665",
        _ => return None,
    })
}
