//! Blocks of the Aerospace Blockset in small models, with outputs from the formula that their documentation states.

mod common;

use common::model::{check, check_near, lowered};

/// A block `k` of a library with vectors as inputs, whose outputs are all outputs of the model.
fn block(source: &str, widths: &[usize], outputs: usize) -> String {
    let mut text = "@ Solver=FixedStepDiscrete; FixedStep=1\n".to_owned();
    for (number, width) in (1..).zip(widths) {
        text += &format!("Inport u{number} Port={number}; PortDimensions={width}\nu{number} -> k:{number}\n");
    }
    text += &format!("Reference k SourceBlock={source}\n");
    for number in 1..=outputs {
        text += &format!("Outport y{number} Port={number}\nk:{number} -> y{number}\n");
    }
    text
}

#[test]
fn directions_and_speeds() {
    let incidence = block("aerolibasang/Incidence, Sideslip, & Airspeed", &[3], 3);
    // A velocity to the front; one down to the right; one backwards.
    check(&incidence, "2 0 0 | 0 0 2");
    check(&incidence, "3 0 4 | 0.9272952180016122 0 5");
    check(&incidence, "0 5 0 | 0 1.5707963267948966 5");
    check(&incidence, "-1 0 0 | 3.141592653589793 0 1");
    check(&block("aerolibasang/Mach Number", &[3, 1], 1), "3 0 4 10 | 0.5\n 170 0 0 340 | 0.5");
    check(&block("aerolibasang/Dynamic Pressure", &[3, 1], 1), "3 0 4 1.2 | 15");
}

#[test]
fn rotations_and_quaternions() {
    let half = std::f64::consts::FRAC_PI_2;
    let matrix = |name: &str| block(&format!("aerolibtransform2/{name}"), &[3], 1);
    // A turn of yaw by 90 degrees: the new x axis is the old y axis. Entries are by columns.
    let yaw = matrix("Rotation Angles to Direction Cosine Matrix; rotationOrder=ZYX");
    check(&yaw, &format!("{half} 0 0 | 0 -1 0 1 0 0 0 0 1"));
    check(&yaw, &format!("0 {half} 0 | 0 0 1 0 1 0 -1 0 0"));
    check(&yaw, &format!("0 0 {half} | 1 0 0 0 0 -1 0 1 0"));
    let first = matrix("Rotation Angles to Direction Cosine Matrix; rotationOrder=XYZ");
    check(&first, &format!("{half} 0 0 | 1 0 0 0 0 -1 0 1 0"));
    let euler = matrix("Euler Angles to Direction Cosine Matrix");
    check(&euler, &format!("0 0 {half} | 0 -1 0 1 0 0 0 0 1"));
    let wind = block("aerolibtransform2/Direction Cosine Matrix Body to Wind", &[2], 1);
    check(&wind, &format!("{half} 0 | 0 0 -1 0 1 0 1 0 0\n 0 {half} | 0 -1 0 1 0 0 0 0 1"));
    let root = 0.5f64.sqrt();
    let quaternion = matrix("Rotation Angles to Quaternions; rotationOrder=ZYX");
    check(&quaternion, &format!("{half} 0 0 | {root} 0 0 {root}\n 0 0 {half} | {root} {root} 0 0"));
    let back = block("aerolibtransform2/Quaternions to Rotation Angles; rotationOrder=ZYX", &[4], 1);
    // The quaternion need not have the length 1.
    check(&back, &format!("2 0 0 2 | {half} 0 0\n 1 0 0 0 | 0 0 0\n 3 3 0 0 | 0 0 {half}"));
    let angles = block("aerolibtransform2/Quaternions to Euler Angles", &[4], 1);
    check(&angles, &format!("2 0 0 2 | 0 0 {half}"));
    let square = block("aerolibtransform2/Quaternions to Direction Cosine Matrix", &[4], 1);
    check(&square, "2 0 0 2 | 0 -1 0 1 0 0 0 0 1\n 1 0 0 0 | 1 0 0 0 1 0 0 0 1");
    let both = "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions=3\nOutport y\n\
        Reference to SourceBlock=aerolibtransform2/Rotation Angles to Direction Cosine Matrix; rotationOrder=ZYX\n\
        Reference from SourceBlock=aerolibtransform2/Direction Cosine Matrix to Rotation Angles; rotationOrder=ZYX\n\
        u -> to -> from -> y";
    check(both, "0.3 -0.4 0.5 | 0.3 -0.4 0.5\n -3 1.5 3 | -3 1.5 3");
    let product = block("aerolibquat/Quaternion Multiplication", &[4, 4], 1);
    // i j = k, j i = -k.
    check(&product, "0 1 0 0 0 0 1 0 | 0 0 0 1\n 0 0 1 0 0 1 0 0 | 0 0 0 -1\n 1 2 3 4 2 0 0 1 | -2 7 4 9");
    check(&block("aerolibquat/Quaternion Conjugate", &[4], 1), "1 2 3 4 | 1 -2 -3 -4");
    check(&block("aerolibquat/Quaternion Inverse", &[4], 1), "1 1 1 1 | 0.25 -0.25 -0.25 -0.25");
    check(&block("aerolibquat/Quaternion Norm", &[4], 1), "1 2 3 4 | 30");
    check(&block("aerolibquat/Quaternion Modulus", &[4], 1), "2 2 2 2 | 4");
    check(&block("aerolibquat/Quaternion Normalize", &[4], 1), "0 0 -3 4 | 0 0 -0.6 0.8");
}

#[test]
fn orders_of_rotations_must_be_known() {
    for source in [
        "aerolibtransform2/Rotation Angles to Direction Cosine Matrix",
        "aerolibtransform2/Quaternions to Rotation Angles; rotationOrder=XYZ",
        "aerolibtransform2/Direction Cosine Matrix to Rotation Angles; rotationOrder=ZXZ",
        "aerolibadyn/Aerodynamic Forces and Moments; inputAxes=Body",
        "aerolibconvert/Velocity Conversion; IU=m/s; OU=furlongs",
        "aerolib6dof2/6DoF (Euler Angles); units=Metric (MKS); mtype=Simple Variable; rep=Euler Angles",
        "aerolib6dof2/6DoF (Euler Angles); units=Metric (MKS); mtype=Fixed; rep=Euler Angles; abi_flag=off",
        "aerolib6dof2/6DoF (Quaternion); units=Metric (MKS); mtype=Fixed; LibraryVersion=1.300",
    ] {
        let problems = lowered(&block(source, &[3, 3], 1)).expect_err(source);
        assert!(problems.iter().any(|it| it.message.contains("library block")), "{source}: {problems:?}");
    }
}

#[test]
fn matrices_and_units() {
    check(&block("aerolibutil/3x3 Cross Product", &[3, 3], 1), "1 0 0 0 1 0 | 0 0 1\n 1 2 3 4 5 6 | -3 6 -3");
    let of_matrix = |name: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions=[3 3]\nOutport y\n\
             Reference k SourceBlock=aerolibutil/{name}\nu -> k -> y"
        )
    };
    check(&of_matrix("Determinant of 3x3 Matrix"), "2 0 1 0 3 0 4 0 5 | 18");
    check(&of_matrix("Invert 3x3 Matrix"), "2 0 0 0 4 0 0 0 5 | 0.5 0 0 0 0.25 0 0 0 0.2");
    let conversion = |name: &str, from: &str, to: &str| {
        block(&format!("aerolibconvert/{name} Conversion; IU={from}; OU={to}"), &[1], 1)
    };
    check(&conversion("Angle", "deg", "rad"), "180 | 3.141592653589793");
    check(&conversion("Angular Velocity", "rpm", "deg/s"), "10 | 60");
    check(&conversion("Length", "ft", "m"), "10 | 3.048");
    check(&conversion("Velocity", "kts", "km/h"), "100 | 185.2");
    check_near(&conversion("Mass", "slug", "kg"), "1 | 14.593902937", 1e-9);
    check_near(&conversion("Force", "lbf", "N"), "1 | 4.4482216152605", 1e-12);
}

#[test]
fn aerodynamic_forces() {
    let model = |axes: [&str; 3], widths: &[usize]| {
        let [input, force, moment] = axes;
        block(
            &format!(
                "aerolibadyn/Aerodynamic Forces and Moments; inputAxes={input}; outputForceAxes={force}; \
                 outputMomentAxes={moment}; S=2; b=10; cbar=3"
            ),
            widths,
            2,
        )
    };
    let body = model(["Body"; 3], &[6, 1, 3, 3]);
    // Forces are coefficients times pressure times area, and moments also times span, chord and span.
    check(&body, "1 2 3 0.1 0.2 0.3 5 0 0 0 0 0 0 | 10 20 30 10 6 30");
    // The centre of pressure is one unit ahead of that of gravity: a force down turns the nose down.
    check(&body, "0 0 1 0 0 0 5 0 0 0 1 0 0 | 0 0 10 0 -10 0");
    // In wind axes, the coefficients are drag, crosswind force and lift. The flow comes from the front, and from below.
    let wind = model(["Wind", "Body", "Body"], &[6, 1, 3, 3, 3]);
    check(&wind, "1 3 2 0 0 0 5 0 0 0 0 0 0 7 0 0 | -10 -30 -20 0 0 0");
    check(&wind, "1 0 2 0 0.5 0 5 0 0 0 0 0 0 0 0 7 | 20 0 -10 0 15 0");
    check(&wind, "0 0 2 0 0 0 5 0 0 0 1 0 0 7 0 0 | 0 0 -20 0 20 0");
    let same = model(["Stability", "Stability", "Wind"], &[6, 1, 3, 3, 3]);
    check(&same, "1 3 2 0.1 0.2 0.3 5 0 0 0 0 0 0 7 0 0 | -10 30 -20 10 6 30");
}

/// A body that falls, turns, and is pushed.
#[test]
fn motion_of_a_rigid_body() {
    let model = |rest: &str, inputs: &str| {
        format!(
            "@ Solver=ode4; FixedStep=0.1\nConstant f Value={inputs}\nConstant m Value=[0 0 0]\n\
             Reference k SourceBlock=aerolib6dof2/{rest}; units=Metric (MKS); mtype=Fixed; mass_0=2; inertia=diag([1 2 3])\n\
             Outport x Port=1\nOutport angles Port=2\nOutport v Port=3\nOutport a Port=4\nf -> k:1\nm -> k:2\n\
             k:2 -> x\nk:3 -> angles\nk:5 -> v\nk:8 -> a"
        )
    };
    let rest = "xme_0=[1 2 3]; Vm_0=[4 0 0]; eul_0=[0 0 0]; pm_0=[0 0 0]";
    for kind in [
        "6DoF (Euler Angles); rep=Euler Angles; LibraryVersion=1.251",
        "6DoF (Quaternion); rep=Quaternion; k_quat=1.0",
        "6DOF (Quaternion); rep=Quaternion; k_quat=1.0; abi_flag=off",
    ] {
        // A constant push to the front: x = 1 + 4 t + t²/2.
        let text = model(&format!("{kind}; {rest}"), "[2 0 0]");
        check(
            &text,
            "| 1 2 3 0 0 0 4 0 0 1 0 0\n | 1.405 2 3 0 0 0 4.1 0 0 1 0 0\n | 1.82 2 3 0 0 0 4.2 0 0 1 0 0",
        );
        // A turn about the vertical axis, at one radian a second: the path over ground stays straight.
        let turning = "xme_0=[0 0 0]; Vm_0=[0 0 0]; eul_0=[0 0 0.5]; pm_0=[0 0 1]";
        let text = model(&format!("{kind}; {turning}"), "[0 0 0]");
        check_near(&text, "| 0 0 0 0 0 0.5 0 0 0 0 0 0\n | 0 0 0 0 0 0.6 0 0 0 0 0 0", 1e-6);
        let turning = "xme_0=[0 0 0]; Vm_0=[1 0 0]; eul_0=[0 0 0]; pm_0=[0 0 1]";
        let text = model(&format!("{kind}; {turning}"), "[0 0 0]");
        let v = (0.1f64.cos(), -0.1f64.sin());
        let last = if kind.contains("abi_flag") { format!("{} {} 0", v.1, -v.0) } else { "0 0 0".to_owned() };
        check_near(
            &text,
            &format!("| _ _ _ _ _ _ 1 0 0 _ _ _\n | 0.1 0 0 0 0 0.1 {} {} 0 {last}", v.0, v.1),
            1e-6,
        );
    }
    // Without moments, a body turns about its axis of least inertia, and a small wobble goes round: ω2' = ω1 ω3 (I3 - I1)/I2.
    let text = "@ Solver=ode1; FixedStep=0.5\nConstant f Value=[0 0 0]\nConstant m Value=[2 0 0]\n\
        Reference k SourceBlock=aerolib6dof2/6DoF (Quaternion); rep=Quaternion; units=Metric (MKS); mtype=Fixed; mass_0=2; \
        inertia=diag([1 2 3]); xme_0=[0 0 0]; Vm_0=[0 0 0]; eul_0=[0 0 0]; pm_0=[1 0 2]; k_quat=1\n\
        Outport w Port=1\nOutport dw Port=2\nf -> k:1\nm -> k:2\nk:6 -> w\nk:7 -> dw";
    check(text, "| 1 0 2 2 2 0\n | 2 1 2 0 4 -0.6666666666666666");
}

/// Blocks that only show something have no effect.
#[test]
fn animations_have_no_effect() {
    let text = "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u\nOutport y\nu -> y\n\
        Reference k SourceBlock=aerolibanim/6DoF Animation; Ports=[2]\nReference s SourceBlock=dspsnks4/Vector Scope; Ports=[1]\n\
        u -> k:1\nu -> k:2\nu -> s";
    check(text, "3 | 3");
}
