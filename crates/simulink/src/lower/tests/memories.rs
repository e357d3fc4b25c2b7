//! Blocks with memory. The step of the model is half a second.

use super::{Builder, check, compare, single};
use crate::lower::{Options, lower};

#[test]
fn delays() {
    let steps: [(&[f64], &[f64]); 3] = [(&[1.0], &[7.0]), (&[2.0], &[1.0]), (&[3.0], &[2.0])];
    check("UnitDelay", "InitialCondition=7", "d", "d", &steps);
    check("Memory", "X0=7", "d", "d", &steps);
    check("Delay", "DelayLength=1; InitialCondition=7", "d", "d", &steps);
    check(
        "UnitDelay",
        "InitialCondition=[7 8]",
        "d2",
        "d2",
        &[(&[1.0, 2.0], &[7.0, 8.0]), (&[3.0, 4.0], &[1.0, 2.0])],
    );
    check("UnitDelay", "InitialCondition=1", "b", "b", &[(&[0.0], &[1.0]), (&[1.0], &[0.0])]);
    check("UnitDelay", "InitialCondition=1", "i8", "i8", &[(&[5.0], &[1.0]), (&[1.0], &[5.0])]);
    check(
        "Delay",
        "DelayLength=3; InitialCondition=0",
        "d2",
        "d2",
        &[
            (&[1.0, 5.0], &[0.0, 0.0]),
            (&[2.0, 6.0], &[0.0, 0.0]),
            (&[3.0, 7.0], &[0.0, 0.0]),
            (&[4.0, 8.0], &[1.0, 5.0]),
            (&[4.0, 8.0], &[2.0, 6.0]),
        ],
    );
    check(
        "Delay",
        "DelayLength=2; InitialCondition=[7 8]",
        "d",
        "d",
        &[(&[1.0], &[7.0]), (&[2.0], &[8.0]), (&[3.0], &[1.0])],
    );
    check("Delay", "DelayLength=0", "d", "d", &[(&[1.0], &[1.0])]);
    check(
        "Delay",
        "DelayLength=1; InitialCondition=9; ExternalReset=Rising",
        "d d",
        "d",
        &[(&[1.0, 0.0], &[9.0]), (&[2.0, 0.0], &[1.0]), (&[3.0, 1.0], &[9.0]), (&[4.0, 1.0], &[3.0])],
    );
    check(
        "Delay",
        "DelayLength=1; InitialConditionSource=Input port",
        "d d",
        "d",
        &[(&[1.0, 5.0], &[5.0]), (&[2.0, 6.0], &[1.0])],
    );
    assert!(single("Delay", "DelayLength=1e9", "d", "d", 1).is_err());
    assert!(single("Delay", "DelayLength=1; DelayLengthSource=Input port", "d d", "d", 1).is_err());
}

#[test]
fn rates() {
    check(
        "RateLimiter",
        "RisingSlewLimit=1; FallingSlewLimit=-2; SampleTimeMode=inherited",
        "d",
        "d",
        &[(&[1.0], &[0.5]), (&[1.0], &[1.0]), (&[-5.0], &[0.0]), (&[0.1], &[0.1])],
    );
    check(
        "RateLimiter",
        "RisingSlewLimit=1; FallingSlewLimit=-2; SampleTimeMode=continuous",
        "d",
        "d",
        &[(&[3.0], &[3.0]), (&[4.0], &[3.5])],
    );
    check(
        "Relay",
        "OnSwitchValue=2; OffSwitchValue=1; OnOutputValue=5; OffOutputValue=-5",
        "d",
        "d",
        &[(&[1.5], &[-5.0]), (&[2.0], &[5.0]), (&[1.5], &[5.0]), (&[1.0], &[-5.0])],
    );
}

#[test]
fn integrators() {
    let input: [&[f64]; 3] = [&[2.0], &[4.0], &[6.0]];
    for (parameters, want) in [
        ("IntegratorMethod=Integration: Forward Euler", [1.0, 2.0, 4.0]),
        ("IntegratorMethod=Integration: Backward Euler", [2.0, 4.0, 7.0]),
        ("IntegratorMethod=Integration: Trapezoidal", [1.5, 3.0, 5.5]),
        ("IntegratorMethod=Accumulation: Forward Euler", [1.0, 3.0, 7.0]),
        ("IntegratorMethod=Integration: Forward Euler; gainval=2", [1.0, 3.0, 7.0]),
        ("IntegratorMethod=Integration: Backward Euler; InitialConditionSetting=Output", [1.0, 3.0, 6.0]),
        ("IntegratorMethod=Integration: Trapezoidal; InitialConditionSetting=Output", [1.0, 2.5, 5.0]),
        (
            "IntegratorMethod=Integration: Forward Euler; LimitOutput=on; UpperSaturationLimit=3; LowerSaturationLimit=-inf",
            [1.0, 2.0, 3.0],
        ),
    ] {
        let want = want.map(|it| [it]);
        let steps: Vec<(&[f64], &[f64])> = input.iter().zip(&want).map(|(a, b)| (*a, &b[..])).collect();
        check("DiscreteIntegrator", &format!("{parameters}; InitialCondition=1"), "d", "d", &steps);
    }
    let reset = "IntegratorMethod=Integration: Forward Euler; InitialCondition=1; ExternalReset=rising";
    check(
        "DiscreteIntegrator",
        reset,
        "d d",
        "d",
        &[(&[2.0, 0.0], &[1.0]), (&[2.0, 0.0], &[2.0]), (&[2.0, 1.0], &[1.0]), (&[2.0, 1.0], &[2.0])],
    );
    let external = "IntegratorMethod=Integration: Forward Euler; InitialConditionSource=external";
    check("DiscreteIntegrator", external, "d d", "d", &[(&[2.0, 5.0], &[5.0]), (&[2.0, 0.0], &[6.0])]);
}

#[test]
fn linear_systems() {
    // y(n) = 0.5 y(n-1) + u(n-1).
    let first_order: [(&[f64], &[f64]); 4] =
        [(&[1.0], &[0.0]), (&[0.0], &[1.0]), (&[4.0], &[0.5]), (&[0.0], &[4.25])];
    check("DiscreteTransferFcn", "Numerator=[1]; Denominator=[1 -0.5]", "d", "d", &first_order);
    check("DiscreteTransferFcn", "Numerator=[2]; Denominator=[2 -1]", "d", "d", &first_order);
    check("DiscreteFilter", "Numerator=[0 1]; Denominator=[1 -0.5]", "d", "d", &first_order);
    check("DiscreteZeroPole", "Zeros=; Poles=[0.5]; Gain=1", "d", "d", &first_order);
    check("DiscreteStateSpace", "A=0.5; B=1; C=1; D=0", "d", "d", &first_order);
    check(
        "DiscreteFilter",
        "Numerator=[1]; Denominator=[1 -0.5]",
        "d",
        "d",
        &[(&[1.0], &[1.0]), (&[0.0], &[0.5])],
    );
    check(
        "DiscreteFir",
        "Coefficients=[1 2 3]",
        "d",
        "d",
        &[(&[1.0], &[1.0]), (&[0.0], &[2.0]), (&[0.0], &[3.0]), (&[0.0], &[0.0])],
    );
    check(
        "DiscreteStateSpace",
        "A=[0 1/0 0]; B=[0/1]; C=[1 0]; D=0; X0=[3 4]",
        "d",
        "d",
        &[(&[1.0], &[3.0]), (&[2.0], &[4.0]), (&[0.0], &[1.0]), (&[0.0], &[2.0])],
    );
    assert!(single("DiscreteTransferFcn", "Numerator=[1 2 3]; Denominator=[1 2]", "d", "d", 1).is_err());
}

#[test]
fn other_ports_and_frames_are_refused() {
    let filter = "Numerator=[1]; Denominator=[1 -0.5]";
    let frames = "InputProcessing=Columns as channels (frame based)";
    let cases = [
        ("Delay", "DelayLength=1; InitialCondition=0; ShowEnablePort=on; ExternalReset=Rising", "d d d", "d"),
        ("Delay", &format!("DelayLength=1; InitialCondition=0; {frames}"), "d2", "d2"),
        ("DiscreteFilter", &format!("{filter}; ExternalReset=Rising"), "d d", "d"),
        ("DiscreteTransferFcn", &format!("{filter}; NumeratorSource=Input port"), "d d", "d"),
        ("DiscreteFilter", &format!("{filter}; {frames}"), "d2", "d2"),
        ("DiscreteFir", "Coefficients=[1 2]; CoefSource=Input port", "d d", "d"),
    ];
    for (kind, parameters, inputs, outputs) in cases {
        assert!(single(kind, parameters, inputs, outputs, 1).is_err(), "{kind} {parameters}");
    }
    check("Delay", &format!("DelayLength=1; {frames}; ShowEnablePort=off"), "d", "d", &[(&[1.0], &[0.0])]);
}

#[test]
fn several_rates() {
    let system = single("Gain", "Gain=2", "d", "d", 2).expect("a gain");
    let steps: [(&[f64], &[f64]); 4] =
        [(&[1.0], &[2.0]), (&[2.0], &[2.0]), (&[3.0], &[6.0]), (&[4.0], &[6.0])];
    compare("a slow gain", &system, &steps);
    let system = single("UnitDelay", "InitialCondition=7", "d", "d", 2).expect("a delay");
    let steps: [(&[f64], &[f64]); 5] =
        [(&[1.0], &[7.0]), (&[2.0], &[7.0]), (&[3.0], &[1.0]), (&[4.0], &[1.0]), (&[5.0], &[3.0])];
    compare("a slow delay", &system, &steps);
    let system = single("RateTransition", "", "d", "d", 2).expect("fast to slow");
    let steps: [(&[f64], &[f64]); 3] = [(&[1.0], &[1.0]), (&[2.0], &[1.0]), (&[3.0], &[3.0])];
    compare("a transition", &system, &steps);
    // Slow to fast: a delay by a sample of the slow rate; only a hold, if the data need not be safe; or nothing definite.
    let cases: [(&str, Option<[f64; 6]>); 3] = [
        ("X0=9", Some([9.0, 9.0, 1.0, 1.0, 3.0, 3.0])),
        ("X0=9; Integrity=off", Some([1.0, 1.0, 3.0, 3.0, 5.0, 5.0])),
        ("X0=9; Deterministic=off", None),
    ];
    for (parameters, want) in cases {
        let mut builder = Builder::new();
        let u = builder.add(0, "Inport", "u", "Port=1", &[], "d");
        let fast = builder.add(0, "RateTransition", "fast", parameters, &[(u, 0)], "d");
        builder.add(0, "Outport", "y", "Port=1", &[(fast, 0)], "");
        builder.plan.units[u as usize].every = 2;
        builder.plan.units[fast as usize].before = (2, 0);
        match (lower(&builder.plan, None, &Options::default()), want) {
            (Ok(system), Some(want)) => {
                let given = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]];
                let want = want.map(|it| [it]);
                let steps: Vec<(&[f64], &[f64])> =
                    given.iter().zip(&want).map(|(a, b)| (&a[..], &b[..])).collect();
                compare(parameters, &system, &steps);
            }
            (found, want) => assert_eq!(found.is_ok(), want.is_some(), "{parameters}"),
        }
    }
}
