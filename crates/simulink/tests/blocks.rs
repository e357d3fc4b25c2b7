//! Blocks in small models, with outputs from the formula that their documentation states: continuous blocks, sources, the standard
//! library, and blocks that only arrange time and signals.

mod common;

use common::model::{check, check_near, check_system, lowered, planned, run};
use shall_simulink::lower::{Options, lower};
use shall_simulink::matlab::{File, Files, Wanted};
use shall_simulink::plan::METHODS;
use shall_simulink::value::{Class, Matrix, Value};

/// The error at time 1 of an output that begins at 0, for a step and a method.
fn error(model: &str, method: &str, steps: usize, want: f64) -> f64 {
    let step = 1.0 / steps as f64;
    let system = lowered(&format!("@ Solver={method}; FixedStep={step}\n{model}")).expect("a system");
    let rows = vec![&[][..]; steps + 1];
    let found = run::<f64>(&system, &rows, |it| it, |it| *it);
    (found[steps][0].expect("a value") - want).abs()
}

/// Half the step divides the error by two to the order of the method.
#[test]
fn solvers_converge_with_their_order() {
    let e = std::f64::consts::E;
    let cases: [(&str, f64); 8] = [
        // x' = 1 - x: a constant in a loop does not make the loop constant.
        (
            "Constant c Value=1; SampleTime=inf\nSum s Inputs=+-\nIntegrator x InitialCondition=0\nOutport y\nc -> s -> x -> s:2\nx -> y",
            1.0 - 1.0 / e,
        ),
        // x' = x, x(0) = 1
        ("Integrator x InitialCondition=1\nOutport y\nx -> x\nx -> y", e),
        // x' = t^2 x: what depends on time has a value at every stage.
        (
            "Clock t\nProduct p Inputs=3\nIntegrator x InitialCondition=1\nOutport y\nt -> p -> x -> y\nt -> p:2\nx -> p:3",
            (1.0f64 / 3.0).exp(),
        ),
        // The pendulum x'' = -x as two integrators.
        (
            "Integrator v InitialCondition=1\nIntegrator x InitialCondition=0\nGain g Gain=-1\nOutport y\n\
             v -> x -> g -> v\nx -> y",
            1f64.sin(),
        ),
        // x' = -2 x + 2, x(0) = 0, as a transfer function, and x' = v, v' = -x as matrices.
        (
            "Constant c Value=2\nTransferFcn k Numerator=1; Denominator=[1 2]\nOutport y\nc -> k -> y",
            1.0 - (-2.0f64).exp(),
        ),
        (
            "Constant c Value=0\nStateSpace k A=[0 1;-1 0]; B=[0;0]; C=[1 0]; D=0; X0=[0;1]\nOutport y\nc -> k -> y",
            1f64.sin(),
        ),
        (
            "Constant c Value=1\nZeroPole k Zeros=[]; Poles=[-1 -2]; Gain=2\nOutport y\nc -> k -> y",
            1.0 - 2.0 * (-1.0f64).exp() + (-2.0f64).exp(),
        ),
        // A nonlinear one: x' = -x^2, x(0) = 1.
        (
            "Integrator x InitialCondition=1\nMath s Operator=square\nGain g Gain=-1\nOutport y\nx -> s -> g -> x\nx -> y",
            0.5,
        ),
    ];
    for (model, want) in cases {
        for (place, method) in METHODS.iter().enumerate() {
            let order = place as i32 + 1;
            let (coarse, fine) = (error(model, method.name, 8, want), error(model, method.name, 16, want));
            let found = (coarse / fine).log2();
            assert!(found > f64::from(order) - 0.4, "{}: order {found:.2} on {model}", method.name);
            assert!(coarse > 1e-14, "{}: nothing to measure", method.name);
        }
    }
}

/// Two steps of each method by hand: x' = x from 1 with step 1/2 multiplies by the sum of h^k/k! up to the order.
#[test]
fn one_step_by_hand() {
    let model = "Integrator x InitialCondition=1\nOutport y\nx -> x\nx -> y";
    let factors = [1.5, 1.625, 1.6458333333333333, 1.6484375];
    for (method, factor) in METHODS.iter().zip(factors) {
        let text = format!("@ Solver={}; FixedStep=0.5\n{model}", method.name);
        check(&text, &format!(" | 1\n | {factor}\n | {}", factor * factor));
    }
}

#[test]
fn linear_blocks_are_their_closed_forms() {
    let step = 0.01;
    let close = |block: &str, value: fn(f64) -> f64| {
        let text = format!("@ Solver=ode4; FixedStep={step}\nInport u\n{block}\nOutport y\nu -> k -> y");
        let system = lowered(&text).expect("a system");
        let rows = vec![&[1.0][..]; 201];
        let found = run::<f64>(&system, &rows, |it| it, |it| *it);
        for (number, row) in found.iter().enumerate().step_by(20) {
            let want = value(number as f64 * step);
            assert!(
                (row[0].expect("a value") - want).abs() < 1e-7,
                "{block} at {number}: {row:?}, not {want}"
            );
        }
    };
    // The answer to a step.
    close("TransferFcn k Numerator=[1]; Denominator=[1 1]", |t| 1.0 - (-t).exp());
    close("TransferFcn k Numerator=[2]; Denominator=[0.5 1]", |t| 2.0 - 2.0 * (-2.0 * t).exp());
    let system = |sys: &str| format!("Reference k SourceBlock=cstblocks/LTI System; sys={sys}");
    close(&system("tf(2, [0.5 1])"), |t| 2.0 - 2.0 * (-2.0 * t).exp());
    close(&system("zpk([], [-1 -2], 2)"), |t| 1.0 - 2.0 * (-t).exp() + (-2.0 * t).exp());
    close(&system("5"), |_| 5.0);
    close(&system("zpk([], [-1+2i -1-2i], 5)"), |t| {
        1.0 - (-t).exp() * ((2.0 * t).cos() + (2.0 * t).sin() / 2.0)
    });
    close(&system("1/(tf('s') + 1)"), |t| 1.0 - (-t).exp());
    close(&(system("ss(-1, 1, 1, 3)") + "; IC=2"), |t| 1.0 + (-t).exp() + 3.0);
    let extra = |name: &str| {
        format!("Reference k SourceBlock=simulink_extras/Additional Linear/Transfer Fcn (with initial {name}")
    };
    close(&extra("outputs); N=[1]; D=[2 1]; Y0=3; U0=0"), |t| 1.0 + 2.0 * (-t / 2.0).exp());
    close(&extra("outputs); N=[1 0]; D=[1 2]; Y0=5; U0=1"), |t| 5.0 * (-2.0 * t).exp());
    close(&extra("states); N=[1]; D=[1 0 1]; X0=[0 2]"), |t| 1.0 + t.cos());
    close("TransferFcn k Numerator=[1 0]; Denominator=[1 2]", |t| (-2.0 * t).exp());
    close("TransferFcn k Numerator=[1]; Denominator=[1 0 1]", |t| 1.0 - t.cos());
    close("ZeroPole k Zeros=[]; Poles=[-1 -2]; Gain=2", |t| 1.0 - 2.0 * (-t).exp() + (-2.0 * t).exp());
    close("ZeroPole k Zeros=[-1]; Poles=[-2]; Gain=1", |t| 0.5 + 0.5 * (-2.0 * t).exp());
    close("StateSpace k A=[0 1;-1 0]; B=[0;1]; C=[1 0]; D=0; X0=[1;0]", |_| 1.0);
    close("StateSpace k A=-1; B=1; C=1; D=3; X0=2", |t| 1.0 + (-t).exp() + 3.0);
    close("Integrator k InitialCondition=2", |t| 2.0 + t);
    let pid = "Reference k SourceBlock=simulink/Continuous/PID Controller; P=2; I=3; D=1; N=4";
    close(pid, |t| 2.0 + 3.0 * t + 4.0 * (-4.0 * t).exp());
    let pi =
        "Reference k SourceBlock=simulink/Continuous/PID Controller; Controller=PI; Form=Ideal; P=2; I=3";
    close(pi, |t| 2.0 * (1.0 + 3.0 * t));
}

/// The form of a linear system is that of its value, also if that is a variable.
#[test]
fn linear_systems_are_values() {
    let model = |sys: &str, more: &str| {
        format!(
            "@ Solver=ode1; FixedStep=1; PreLoadFcn=g = {sys};\nInport u\nReference k SourceBlock=cstblocks/LTI System; sys=g{more}\n\
             Outport y\nu -> k -> y"
        )
    };
    check(&model("tf(3, [2 1])", ""), "2 | 0\n 2 | 3\n 2 | 4.5");
    check(&model("zpk(-1, -2, 10)", ""), "1 | 10\n 1 | 0\n 1 | 10");
    check(&model("ss(-1, 1, 2, 0)", "; IC=3"), "1 | 6\n 1 | 2");
    check(&model("-4", ""), "2 | -8");
    check(&model("tf(1, [1 -0.5], 1)", ""), "1 | 0\n 1 | 1\n 1 | 1.5");
    check(&model("tf(1, [1 -0.5], 2)", ""), "1 | 0\n 1 | 0\n 1 | 1\n 1 | 1\n 1 | 1.5");
    check(&model("ss(0.5, 1, 1, 0, 1)", "; IC=[4]"), "1 | 4\n 1 | 3\n 1 | 2.5");
    check(&model("c2d(tf(1, [1 0 0]), 1, 'zoh')", ""), "2 | 0\n 2 | 1\n 2 | 4\n 2 | 9");
    let wrong = |sys: &str, more: &str, reason: &str| {
        let problems = lowered(&model(sys, more)).expect_err("a refusal");
        assert!(problems.iter().any(|it| it.message.contains(reason)), "{sys}: {problems:?}");
    };
    wrong("tf(1, [1 1])", "; IC=2", "only a state space has initial states");
    wrong(
        "tf(1, [1 1]), g.InputDelay = 2",
        "",
        "the property `InputDelay` of a linear system is not supported",
    );
    wrong("struct('a', 1)", "", "a struct is not a linear system");
    wrong("zpk([], 2i, 1)", "", "must come in conjugate pairs");
    wrong("tf([1 2 3], [1 1])", "", "greater degree");
    let gain = "Inport u\nGain k Gain=2i\nOutport y\nu -> k -> y";
    let problems = lowered(gain).expect_err("a refusal");
    assert!(problems[0].message.contains("it has complex numbers"), "{problems:?}");
    let fcn = "Inport u\nFcn k Expr=u + 2i\nOutport y\nu -> k -> y";
    let problems = lowered(fcn).expect_err("a refusal");
    assert!(problems[0].message.contains("a complex number"), "{problems:?}");
}

#[test]
fn integrators_have_limits_and_resets() {
    let integrator = |parameters: &str| {
        format!("@ Solver=ode1; FixedStep=1\nInport u\nIntegrator k {parameters}\nOutport y\nu -> k -> y")
    };
    let limited =
        integrator("InitialCondition=0; LimitOutput=on; UpperSaturationLimit=3; LowerSaturationLimit=-1");
    check(&limited, "2 | 0\n 2 | 2\n 2 | 3\n -1 | 3\n -9 | 2\n 0 | -1\n 1 | -1\n 0 | 0");
    // A first value beyond the limits is shown at the limit.
    let beyond =
        integrator("InitialCondition=9; LimitOutput=on; UpperSaturationLimit=3; LowerSaturationLimit=-1");
    check(&beyond, "-1 | 3\n 0 | 2");
    let reset = |kind: &str| {
        format!(
            "@ Solver=ode1; FixedStep=1\nInport u\nInport r Port=2\nIntegrator k InitialCondition=5; ExternalReset={kind}\n\
             Outport y\nu -> k -> y\nr -> k:2"
        )
    };
    check(&reset("rising"), "1 0 | 5\n 1 0 | 6\n 1 1 | 5\n 1 1 | 6\n 1 0 | 7");
    check(&reset("falling"), "1 1 | 5\n 1 1 | 6\n 1 0 | 5\n 1 0 | 6");
    check(&reset("either"), "1 0 | 5\n 1 1 | 5\n 1 1 | 6\n 1 0 | 5\n 1 0 | 6");
    check(&reset("level"), "1 0 | 5\n 1 1 | 5\n 1 1 | 5\n 1 0 | 5\n 1 0 | 6");
    check(&reset("level hold"), "1 0 | 5\n 1 1 | 5\n 1 1 | 5\n 1 0 | 6");
    let external = "@ Solver=ode1; FixedStep=1\nInport u\nInport x Port=2\n\
                    Integrator k InitialConditionSource=external\nOutport y\nu -> k -> y\nx -> k:2";
    check(external, "1 7 | 7\n 1 0 | 8\n 1 0 | 9");
    // Which limit it is at.
    let sides = "@ Solver=ode1; FixedStep=1\nInport u\nIntegrator k LimitOutput=on; UpperSaturationLimit=2; LowerSaturationLimit=-1; \
                 ShowSaturationPort=on\nOutport y\nOutport s Port=2\nu -> k -> y\nk:2 -> s";
    check(sides, "1 | 0 0\n 1 | 1 0\n 1 | 2 1\n -5 | 2 1\n 0 | -1 -1\n 1 | -1 -1\n 0 | 0 0");
    let wraps = sides.replace("ShowSaturationPort=on", "ShowSaturationPort=on; WrapState=on");
    assert!(lowered(&wraps).expect_err("wraps")[0].message.contains("`WrapState`"));
}

/// x'' = u, with x and dx/dt as outputs, by Euler's method with step 1: x(n+1) = x(n) + v(n), v(n+1) = v(n) + u(n).
#[test]
fn second_order_integrators() {
    let block = |parameters: &str, more: &str| {
        format!(
            "@ Solver=ode1; FixedStep=1\nInport u\nSecondOrderIntegrator k {parameters}\nOutport x\nOutport v Port=2\n\
             u -> k -> x\nk:2 -> v\n{more}"
        )
    };
    check(&block("ICX=1; ICDXDT=2", ""), "1 | 1 2\n 1 | 3 3\n -2 | 6 4\n 0 | 10 2");
    check(
        &block("LimitDXDT=on; UpperLimitDXDT=2; LowerLimitDXDT=-1", ""),
        "1 | 0 0\n 5 | 0 1\n 1 | 1 2\n -9 | 3 2\n 0 | 5 -1",
    );
    // At its limit, x does not move on, and dx/dt is zero until the input moves x back.
    check(
        &block("ICX=1; ICDXDT=2; LimitX=on; UpperLimitX=4; LowerLimitX=0", ""),
        "1 | 1 2\n 1 | 3 3\n 1 | 4 0\n 5 | 4 0\n -1 | 4 0\n -1 | 4 -1\n 0 | 3 -2\n 0 | 1 -2\n 0 | 0 0\n 0 | 0 0",
    );
    let ports = "Inport r Port=2\nInport a Port=3\nInport b Port=4\nr -> k:2\na -> k:3\nb -> k:4";
    check(
        &block("ExternalReset=rising; ICSourceX=external; ICSourceDXDT=external", ports),
        "1 0 5 7 | 5 7\n 1 0 0 0 | 12 8\n 1 1 2 3 | 2 3\n 1 1 2 3 | 5 4",
    );
    let one = |show: &str| {
        format!(
            "@ Solver=ode1; FixedStep=1\nInport u\nSecondOrderIntegrator k ShowOutput={show}\nOutport y\nu -> k -> y"
        )
    };
    check(&one("x"), "2 | 0\n 0 | 0\n 0 | 2");
    check(&one("dx/dt"), "2 | 0\n 0 | 2");
    for parameters in
        ["WrapStateX=on", "LimitX=on; ReinitDXDTwhenXreachesSaturation=on", "LimitX=on; ExternalReset=rising"]
    {
        let problems = lowered(&block(parameters, "")).expect_err(parameters);
        assert!(problems[0].message.contains("starts `dx/dt` again"), "{parameters}: {problems:?}");
    }
}

/// Linear loops have the solution of their equations.
#[test]
fn linear_loops_are_solved() {
    // y = u - 2 y, so y = u/3.
    check(
        "Inport u\nSum s Inputs=+-\nGain k Gain=2\nOutport y\nu -> s -> k -> s:2\ns -> y",
        "3 | 1\n -6 | -2",
    );
    // Two loops that share a sum: y = u - y/2 - 3 y/2, so y = u/3.
    check(
        "Inport u\nSum s Inputs=+--\nGain a Gain=1/2\nGain b Gain=3/2\nOutport y\nu -> s -> a -> s:2\ns -> b -> s:3\ns -> y",
        "3 | 1",
    );
    // A matrix: x = u + [0 2; -1 0] x, so x = [1 -2; 1 1]^-1 u.
    check(
        "Inport u PortDimensions=2\nSum s Inputs=++\nGain k Gain=[0 2;-1 0]; Multiplication=Matrix(K*u)\nOutport y\nu -> s -> k -> s:2\ns -> y",
        "3 0 | 1 -1\n 0 3 | 2 1",
    );
    // Through a subsystem, a switch of another signal, and a filter with a direct part: y = u - f, f(n) = y(n) + f(n-1)/2, so y = (u - f/2)/2.
    check(
        "Inport u\nSum s Inputs=+-\nSubSystem b\nInport b/i\nDiscreteFilter b/f Numerator=[1]; Denominator=[1 -0.5]; InitialStates=0; SampleTime=-1\nOutport b/o\n\
         b/i -> b/f -> b/o\nOutport y\nu -> s -> b -> s:2\ns -> y",
        "8 | 4\n 8 | 3\n 8 | 2.75",
    );
    // A transfer function with a direct part, at every stage of the solver: y = u - (2 s + 1)/(s + 1) y, so y = (s + 1)/(3 s + 2) u.
    let system = lowered(
        "@ Solver=ode4; FixedStep=0.01\nInport u\nSum s Inputs=+-\nTransferFcn k Numerator=[2 1]; Denominator=[1 1]\nOutport y\nu -> s -> k -> s:2\ns -> y",
    )
    .expect("a system");
    let found = run::<f64>(&system, &vec![&[1.0][..]; 101], |it| it, |it| *it);
    let want = 0.5 - (-2.0f64 / 3.0).exp() / 6.0;
    assert!((found[100][0].expect("a value") - want).abs() < 1e-9, "{:?}", found[100]);
    // Factors that other signals give: y = u - u y, so y = u/(1 + u).
    check(
        "Inport u\nSum s Inputs=+-\nProduct k Inputs=2\nOutport y\nu -> s -> k -> s:2\nu -> k:2\ns -> y",
        "0 | 0\n 1 | 0.5\n 3 | 0.75",
    );
    // Two accelerations that need each other: x = 1 + u z, z = 2 + u x.
    check(
        "Inport u\nConstant a Value=1\nConstant b Value=2\nSum x Inputs=++\nSum z Inputs=++\nFcn p Expr=u(1)*u(2)\nFcn q Expr=u(1)*u(2)\n\
         Mux m Inputs=2\nMux n Inputs=2\nOutport v\nOutport w Port=2\nu -> m\nz -> m:2\nm -> p -> x:2\na -> x\n\
         u -> n\nx -> n:2\nn -> q -> z:2\nb -> z\nx -> v\nz -> w",
        "0 | 1 2\n 3 | -0.875 -0.625",
    );
    // x = 1 + u x + v z, z = v x + u z: at u = 1, the factor of x itself is zero, but there is a solution.
    check(
        "Inport u\nInport v Port=2\nConstant a Value=1\nSum x Inputs=+++\nSum z Inputs=++\nProduct p Inputs=2\nProduct q Inputs=2\n\
         Product r Inputs=2\nProduct s Inputs=2\nOutport y\nOutport w Port=2\na -> x\nu -> p\nx -> p:2\np -> x:2\nv -> q\nz -> q:2\n\
         q -> x:3\nv -> r\nx -> r:2\nr -> z\nu -> s\nz -> s:2\ns -> z:2\nx -> y\nz -> w",
        "0 0 | 1 0\n 1 2 | 0 -0.5\n 2 2 | 1/3 -2/3",
    );
    // Not linear, no solution, or not in doubles.
    for k in [
        "Math k Operator=square",
        "Gain k Gain=-1",
        "Gain k Gain=2; OutDataTypeStr=single",
        "Saturate k UpperLimit=1; LowerLimit=-1",
        "SubSystem k\nInport k/i\nEnablePort k/e\nOutport k/o\nk/i -> k/o\nu -> k:enable",
        "Product k Inputs=2\ns -> k:2",
    ] {
        let text = format!("Inport u\nSum s Inputs=+-\n{k}\nOutport y\nu -> s -> k -> s:2\ns -> y");
        let problems = lowered(&text).expect_err(&text);
        assert!(problems[0].message.contains("algebraic loop"), "{k}: {problems:?}");
    }
}

/// The state before a reset: a ball that loses half of its speed when it hits the ground is not an algebraic loop.
#[test]
fn states_before_a_reset() {
    let ball = |port: &str, more: &str| {
        format!(
            "@ Solver=ode1; FixedStep=1\nInport r\nConstant c Value=-1\nIntegrator k ExternalReset=rising; InitialConditionSource=external; \
             ShowStatePort=on{more}\nInitialCondition i Value=10\nGain g Gain=-0.5\nOutport y\nOutport s Port=2\nc -> k\nr -> k:2\n\
             {port} -> g -> i -> k:3\nk -> y\nk:state -> s"
        )
    };
    check(&ball("k:state", ""), "0 | 10 0\n 0 | 9 9\n 1 | -4 8\n 1 | -5 -5\n 0 | -6 -6\n 1 | 3.5 -7");
    let both = ball(
        "k:state",
        "; LimitOutput=on; UpperSaturationLimit=9; LowerSaturationLimit=-5; ShowSaturationPort=on",
    );
    check(&both, "0 | 9 0\n 0 | 8 8\n 1 | -3.5 7\n 1 | -4.5 -4.5\n 0 | -5 -5");
    let problems = lowered(&ball("k", "")).expect_err("a loop");
    assert!(problems[0].message.contains("algebraic loop"), "{problems:?}");
    // At the stages of a solver it is the state of the stage: x' = x.
    let model = "@ Solver=ode2; FixedStep=0.5\nIntegrator k InitialCondition=1; ShowStatePort=on\nOutport y\nk:state -> k\nk -> y";
    check(model, " | 1\n | 1.625\n | 2.640625");
}

#[test]
fn discrete_blocks_are_held_between_steps() {
    // x' = -z with z = x sampled at every step: the slope is constant, so every method is a line.
    let model = "Integrator x InitialCondition=1\nZeroOrderHold z SampleTime=0.5\nGain g Gain=-1\nOutport y\n\
                 x -> z -> g -> x\nx -> y";
    for method in METHODS {
        check(&format!("@ Solver={}; FixedStep=0.5\n{model}", method.name), " | 1\n | 0.5\n | 0.25");
    }
    // Without the hold it is not.
    let model = "Integrator x InitialCondition=1\nGain g Gain=-1\nOutport y\nx -> g -> x\nx -> y";
    check(&format!("@ Solver=ode2; FixedStep=0.5\n{model}"), " | 1\n | 0.625");
}

#[test]
fn continuous_blocks_in_subsystems() {
    let model = "@ Solver=ode4; FixedStep=0.5\nInport u\nSubSystem s\nEnablePort s/e StatesWhenEnabling=held\n\
                 Constant s/c Value=2\nIntegrator s/x InitialCondition=1\nOutport s/o\ns/c -> s/x -> s/o\nOutport y\n\
                 u -> s:enable\ns -> y";
    check(model, "1 | 1\n 1 | 2\n 0 | 2\n 0 | 2\n 1 | 3\n 1 | 4");
    let model = model.replace("held", "reset");
    check(&model, "1 | 1\n 1 | 2\n 0 | 2\n 1 | 1\n 1 | 2");
}

#[test]
fn approximations_are_stated() {
    let about = |text: &str| planned(text, &[]).approximation;
    assert_eq!(about("@ Solver=ode4; FixedStep=0.5\nInport u\nGain k Gain=2\nu -> k"), None);
    let fixed = about("@ Solver=ode4; FixedStep=0.5\nInport u\nIntegrator k\nu -> k").expect("a note");
    assert!(fixed.contains("with ode4 and a fixed step of 0.5 s"), "{fixed}");
    let variable = about("@ Solver=ode45; StopTime=5\nInport u\nIntegrator k\nu -> k").expect("a note");
    assert!(variable.contains("with ode5 instead of ode45 and a fixed step of 0.1 s"), "{variable}");
}

#[test]
fn derivatives_are_difference_quotients() {
    let model = "@ Solver=ode1; FixedStep=0.5\nInport u\nDerivative k\nOutport y\nu -> k -> y";
    check(model, "3 | 0\n 4 | 2\n 4 | 0\n 1 | -6");
}

/// A source with a fixed step of half a second.
fn source(block: &str) -> String {
    format!("@ Solver=FixedStepDiscrete; FixedStep=0.5\n{block}\nOutport y\nk -> y")
}

#[test]
fn sources_of_time() {
    let cases = [
        ("Step k Time=1; Before=-1; After=2", " | -1\n | -1\n | 2\n | 2"),
        ("Step k Time=0.7; Before=0; After=1", " | 0\n | 0\n | 1"),
        ("Step k Time=[0.5 1]; Before=0; After=[1 2]", " | 0 0\n | 1 0\n | 1 2"),
        ("Clock k", " | 0\n | 0.5\n | 1"),
        ("DigitalClock k SampleTime=1", " | 0\n | 0\n | 1\n | 1\n | 2"),
        (
            "DiscretePulseGenerator k PulseType=Time based; Amplitude=3; Period=2; PulseWidth=50",
            " | 3\n | 3\n | 0\n | 0\n | 3",
        ),
        (
            "DiscretePulseGenerator k PulseType=Time based; Amplitude=1; Period=2; PulseWidth=25; PhaseDelay=0.5",
            " | 0\n | 1\n | 0\n | 0\n | 0\n | 1\n | 0",
        ),
        (
            "DiscretePulseGenerator k PulseType=Sample based; Amplitude=1; Period=3; PulseWidth=2; PhaseDelay=1; SampleTime=0.5",
            " | 0\n | 1\n | 1\n | 0\n | 1\n | 1\n | 0",
        ),
        (
            "Reference k SourceBlock=simulink/Sources/Ramp; slope=2; start=0.5; InitialOutput=1",
            " | 1\n | 1\n | 2\n | 3",
        ),
        ("Reference k SourceBlock=simulink/Sources/Ramp; slope=2; start=0.5; X0=1", " | 1\n | 1\n | 2\n | 3"),
        (
            "Reference k SourceBlock=simulink/Sources/Counter Limited; uplimit=2; tsamp=0.5",
            " | 0\n | 1\n | 2\n | 0\n | 1",
        ),
        (
            "Reference k SourceBlock=simulink/Sources/Counter Free-Running; NumBits=2; tsamp=0.5",
            " | 0\n | 1\n | 2\n | 3\n | 0",
        ),
        (
            "Reference k SourceBlock=simulink/Sources/Repeating Sequence; rep_seq_t=[0 1]; rep_seq_y=[0 4]",
            " | 0\n | 2\n | 0\n | 2",
        ),
        (
            "Reference k SourceBlock=simulink/Sources/Repeating Sequence Stair; OutValues=[3 1 4]; tsamp=0.5",
            " | 3\n | 1\n | 4\n | 3",
        ),
    ];
    for (block, steps) in cases {
        check(&source(block), steps);
    }
    let waves = [
        (
            "Sin k Amplitude=2; Bias=1; Frequency=3; Phase=0.5; SampleTime=0",
            (|n| 2.0 * (3.0 * n * 0.5 + 0.5).sin() + 1.0) as fn(f64) -> f64,
        ),
        ("Sin k SineType=Sample based; Samples=8; Offset=1; SampleTime=0.5", |n| {
            (std::f64::consts::TAU * (n + 1.0) / 8.0).sin()
        }),
    ];
    for (block, want) in waves {
        let steps: String = (0..6).map(|n| format!(" | {}\n", want(f64::from(n)))).collect();
        check(&source(block), &steps);
    }
    let external = "@ FixedStep=0.5\nInport u\nSin k TimeSource=Use external signal; Ports=[1, 1]\nOutport y\nu -> k -> y";
    check(external, &format!("0 | 0\n 1 | {}", 1f64.sin()));
}

#[test]
fn recorded_signals() {
    let matrix = |rows: usize, entries: Vec<f64>| {
        Value::Matrix(Matrix { dimensions: vec![rows, entries.len() / rows], class: Class::Double, entries })
    };
    let signal = matrix(3, vec![0.0, 1.0, 2.0, 10.0, 20.0, 0.0]);
    let record = Value::Struct(vec![
        ("time".to_owned(), matrix(3, vec![0.0, 1.0, 2.0])),
        ("signals".to_owned(), Value::Struct(vec![("values".to_owned(), matrix(3, vec![10.0, 20.0, 0.0]))])),
    ]);
    let cases = [
        ("OutputAfterFinalValue=Holding final value", " | 10\n | 15\n | 20\n | 10\n | 0\n | 0"),
        ("Interpolate=off; OutputAfterFinalValue=Holding final value", " | 10\n | 10\n | 20\n | 20\n | 0"),
        ("Interpolate=off; OutputAfterFinalValue=Setting to zero", " | 10\n | 10\n | 20\n | 20\n | 0\n | 0"),
        // The line through the last two points, on and on.
        (
            "OutputAfterFinalValue=Extrapolation",
            " | 10\n | 15\n | 20\n | 10\n | 0\n | -10\n | -20\n | -30\n | -40",
        ),
        ("Interpolate=off; OutputAfterFinalValue=Extrapolation", " | 10\n | 10\n | 20\n | 20\n | 0\n | 0"),
    ];
    for value in [signal, record] {
        for (parameters, steps) in cases {
            let text = source(&format!("FromWorkspace k VariableName=data; SampleTime=0; {parameters}"));
            let plan = planned(&text, &[("data".to_owned(), value.clone())]);
            let system = lower(&plan, None, &Options::default()).expect("a system");
            check_system(&text, &system, steps, 1e-12);
        }
    }
    // Without times, there is a value for each sample.
    let untimed = Value::Struct(vec![
        (
            "time".to_owned(),
            Value::Matrix(Matrix { dimensions: vec![0, 0], class: Class::Double, entries: Vec::new() }),
        ),
        ("signals".to_owned(), Value::Struct(vec![("values".to_owned(), matrix(3, vec![10.0, 20.0, 0.0]))])),
    ]);
    let of_samples = |parameters: &str| {
        let text = source(&format!("FromWorkspace k VariableName=data; {parameters}"));
        let system =
            lower(&planned(&text, &[("data".to_owned(), untimed.clone())]), None, &Options::default());
        (text, system)
    };
    let held = "Interpolate=off; OutputAfterFinalValue=Holding final value";
    for (time, steps) in [("0.5", " | 10\n | 20\n | 0\n | 0"), ("1", " | 10\n | 10\n | 20\n | 20\n | 0")] {
        let (text, system) = of_samples(&format!("SampleTime={time}; {held}"));
        check_system(&text, &system.expect("a system"), steps, 1e-12);
    }
    for parameters in [&format!("SampleTime=0; {held}"), "SampleTime=0.5; Interpolate=on"] {
        let (text, system) = of_samples(parameters);
        let problems = format!("{:?}", system.err());
        assert!(problems.contains("has no times"), "{text}: {problems}");
    }
}

/// Sources with a continuous time have their values at the stages of a solver, too.
#[test]
fn sources_at_the_stages_of_a_solver() {
    let integrated = |source: &str| {
        format!(
            "@ Solver=ode4; FixedStep=1\n{source}\nIntegrator k InitialCondition=0\nOutport y\nw -> k -> y"
        )
    };
    let recorded = "FromWorkspace w VariableName=[0 0;10 10]; SampleTime=0";
    check_near(&integrated(recorded), " | 0\n | 0.5\n | 2\n | 4.5", 1e-9);
    // It goes on along its last line, and is held between samples.
    let short = "FromWorkspace w VariableName=[0 0;2 2]; SampleTime=0; OutputAfterFinalValue=Extrapolation";
    check_near(&integrated(short), " | 0\n | 0.5\n | 2\n | 4.5\n | 8\n | 12.5", 1e-9);
    let sampled = "FromWorkspace w VariableName=[0 0;10 10]; SampleTime=1";
    check_near(&integrated(sampled), " | 0\n | 0\n | 1\n | 3", 1e-9);
    let wave = "SignalGenerator w WaveForm=sawtooth; Frequency=0.1; Amplitude=5";
    check_near(&integrated(wave), " | 0\n | 4.5\n | 8\n | 10.5", 1e-9);
}

/// A matrix with the times in its first row, as the only variable of a file.
#[test]
fn signals_of_files() {
    struct Recorded(Vec<(String, Value)>);
    impl Files for Recorded {
        fn find(&self, name: &str, wanted: Wanted, _: &str) -> Option<File> {
            (name == "run.mat" && wanted == Wanted::Data).then(|| File::Data(self.0.clone()))
        }
        fn folder(&self) -> String {
            String::new()
        }
        fn below(&self, _: &str, _: &str) -> Vec<String> {
            Vec::new()
        }
        fn add(&self, _: &[&str], _: bool, _: &str) {}
    }
    let entries = vec![1.0, 10.0, 1.0, 2.0, 20.0, 3.0];
    let matrix = Value::Matrix(Matrix { dimensions: vec![3, 2], class: Class::Double, entries });
    let files =
        |names: &[&str]| Recorded(names.iter().map(|it| ((*it).to_owned(), matrix.clone())).collect());
    let lowered = |parameters: &str, files: &Recorded| {
        let text = source(&format!("FromFile k {parameters}"));
        let mut diagram =
            shall_simulink::read(common::model::mdl(&text).as_bytes(), &Default::default()).diagram;
        shall_simulink::library::expand(&mut diagram);
        lower(&shall_simulink::plan::plan_among(&diagram, &[], files), None, &Options::default())
    };
    let cases = [
        ("FileName=run.mat", " | 0 -1\n | 5 0\n | 10 1\n | 15 2\n | 20 3\n | 25 4\n | 30 5\n | 35 6"),
        (
            "FileName=run.mat; ExtrapolationBeforeFirstDataPoint=Hold first value; ExtrapolationAfterLastDataPoint=Hold last value; \
             InterpolationWithinTimeRange=Zero order hold",
            " | 10 1\n | 10 1\n | 10 1\n | 10 1\n | 20 3\n | 20 3",
        ),
        (
            "FileName=run.mat; ExtrapolationBeforeFirstDataPoint=Ground value; ExtrapolationAfterLastDataPoint=Ground value",
            " | 0 0\n | 0 0\n | 10 1\n | 15 2\n | 20 3\n | 0 0",
        ),
    ];
    for (parameters, steps) in cases {
        let system = lowered(parameters, &files(&["data"])).expect(parameters);
        check_system(parameters, &system, steps, 1e-12);
    }
    for (parameters, files, want) in [
        ("FileName=other.mat", files(&["data"]), "the file is not there"),
        ("FileName=run.mat", files(&["a", "b"]), "does not have exactly one variable"),
    ] {
        let problems = lowered(parameters, &files).expect_err(parameters);
        assert!(problems[0].message.contains(want), "{problems:?}");
    }
}

/// The generator with the factor 16807 and a scrambled seed.
#[test]
fn random_numbers_are_seeded() {
    let mut seed: u64 = 1 << 16;
    let mut steps = String::new();
    for _ in 0..5 {
        seed = seed * 16_807 % 2_147_483_647;
        steps += &format!(" | {}\n", 2.0 + 3.0 * seed as f64 * 4.656612875245797e-10);
    }
    check(&source("UniformRandomNumber k Minimum=2; Maximum=5; Seed=1; SampleTime=0.5"), &steps);
}

#[test]
fn links_of_the_standard_library() {
    let link = |path: &str, parameters: &str| {
        let more = if parameters.is_empty() { String::new() } else { format!("; {parameters}") };
        format!(
            "@ FixedStep=0.5\nInport u\nReference k SourceBlock=simulink/{path}{more}\nOutport y\nu -> k -> y"
        )
    };
    let logic = "Logic and Bit Operations";
    let cases = [
        (link("Discrete/Difference", "ICPrevInput=1"), "3 | 2\n 5 | 2\n 4 | -1"),
        (link("Discrete/Discrete Derivative", "gainval=2"), "3 | 12\n 5 | 8\n 4 | -4"),
        (link("Discrete/Transfer Fcn First Order", "PoleZ=0.5; ICPrevOutput=2"), "2 | 2\n 4 | 3\n 0 | 1.5"),
        (link("Discrete/Transfer Fcn Real Zero", "ZeroZ=0.5; ICPrevInput=2"), "3 | 2\n 5 | 3.5"),
        (
            link("Discrete/Tapped Delay", "NumDelays=3; vinit=9"),
            "1 | 9 9 9\n 2 | 9 9 1\n 3 | 9 1 2\n 4 | 1 2 3",
        ),
        (
            link("Discrete/Tapped Delay", "NumDelays=2; DelayOrder=Newest; includeCurrent=on"),
            "1 | 1 0 0\n 2 | 2 1 0",
        ),
        (link("Discontinuities/Wrap To Zero", "Threshold=3"), "2 | 2\n 3 | 3\n 4 | 0"),
        (link(&format!("{logic}/Detect Change"), "vinit=1"), "1 | 0\n 2 | 1\n 2 | 0"),
        (link(&format!("{logic}/Detect Increase"), ""), "1 | 1\n 2 | 1\n 1 | 0"),
        (link(&format!("{logic}/Detect Decrease"), ""), "1 | 0\n 0 | 1\n 0 | 0"),
        (link(&format!("{logic}/Detect Rise Positive"), ""), "0 | 0\n 1 | 1\n 2 | 0\n -1 | 0\n 1 | 1"),
        (link(&format!("{logic}/Detect Rise Nonnegative"), ""), "-1 | 0\n 0 | 1\n 1 | 0"),
        (link(&format!("{logic}/Detect Fall Negative"), ""), "0 | 0\n -1 | 1\n -2 | 0"),
        (link(&format!("{logic}/Detect Fall Nonpositive"), ""), "1 | 0\n 0 | 1\n -1 | 0"),
        (link(&format!("{logic}/Interval Test"), "lowlimit=1; uplimit=2"), "0 | 0\n 1 | 1\n 2 | 1\n 3 | 0"),
        (
            link(
                &format!("{logic}/Interval Test"),
                "lowlimit=1; uplimit=2; IntervalClosedLeft=off; IntervalClosedRight=off",
            ),
            "1 | 0\n 1.5 | 1\n 2 | 0",
        ),
        (link("Math Operations/Slider Gain", "gain=3"), "2 | 6"),
        (
            link(
                "Additional Math & Discrete/Additional Math: Increment - Decrement/Increment Real World",
                "",
            ),
            "2 | 3",
        ),
        (
            link("Discrete/Discrete PID Controller", "P=1; I=2; Controller=PI; SampleTime=0.5"),
            "1 | 1\n 1 | 2\n 1 | 3",
        ),
    ];
    for (text, steps) in cases {
        check(&text, steps);
    }
    let two = |path: &str, parameters: &str| {
        format!(
            "@ FixedStep=1\nInport u\nInport v Port=2\nReference k SourceBlock=simulink/{path}; {parameters}\nOutport y\n\
             u -> k -> y\nv -> k:2"
        )
    };
    let discrete = "Additional Math & Discrete/Additional Discrete";
    check(
        &two(&format!("{discrete}/Unit Delay Enabled"), "vinit=7"),
        "1 1 | 7\n 2 0 | 1\n 3 1 | 1\n 4 1 | 3",
    );
    check(
        &two(&format!("{discrete}/Unit Delay Resettable"), "vinit=7"),
        "1 0 | 7\n 2 0 | 1\n 3 1 | 7\n 4 0 | 3",
    );
    let three = |path: &str| {
        format!(
            "Inport up\nInport u Port=2\nInport lo Port=3\nReference k SourceBlock=simulink/{path}\nOutport y\n\
             up -> k -> y\nu -> k:2\nlo -> k:3"
        )
    };
    check(&three("Discontinuities/Dead Zone Dynamic"), "1 3 -1 | 2\n 1 0 -1 | 0\n 1 -3 -1 | -2");
    check(&three(&format!("{logic}/Interval Test Dynamic")), "1 1 -1 | 1\n 1 3 -1 | 0");
}

#[test]
fn resettable_subsystems() {
    let model = |kind: &str| {
        format!(
            "Inport u\nInport r Port=2\nSubSystem s\nInport s/i\nResetPort s/r ResetTriggerType={kind}\nSum s/a Inputs=++\n\
             UnitDelay s/d InitialCondition=0; SampleTime=-1\nOutport s/o\ns/i -> s/a -> s/o\ns/a -> s/d -> s/a:2\nOutport y\n\
             u -> s\nr -> s:Reset\ns -> y"
        )
    };
    check(&model("rising"), "1 0 | 1\n 1 0 | 2\n 1 1 | 1\n 1 1 | 2\n 1 0 | 3");
    check(&model("level hold"), "1 0 | 1\n 1 1 | 1\n 1 1 | 1\n 1 0 | 2");
    check(&model("falling"), "1 1 | 1\n 1 1 | 2\n 1 0 | 1\n 1 0 | 2\n 1 1 | 3");
    check(&model("either"), "1 0 | 1\n 1 1 | 1\n 1 1 | 2\n 1 0 | 1");
    check(&model("level"), "1 0 | 1\n 1 1 | 1\n 1 0 | 1\n 1 0 | 2");
}

#[test]
fn switches_by_hand_and_backlash() {
    let switch = |set: &str| {
        format!("Inport u\nInport v Port=2\nManualSwitch k {set}\nOutport y\nu -> k -> y\nv -> k:2")
    };
    check(&switch("sw=1"), "3 4 | 3");
    check(&switch("sw=0"), "3 4 | 4");
    check(&switch("CurrentSetting=0"), "3 4 | 4");
    let play = "Inport u\nBacklash k BacklashWidth=2; InitialOutput=1\nOutport y\nu -> k -> y";
    check_near(play, "1 | 1\n 2 | 1\n 3 | 2\n 2 | 2\n 1 | 2\n 0.5 | 1.5\n 5 | 4", 1e-12);
}

#[test]
fn abstracted_blocks_are_inputs() {
    let text = "Inport u\nS-Function f FunctionName=secret; Ports=[1, 2]\nSubSystem s\nInport s/i\nGain s/g Gain=oops\nOutport s/o\n\
                s/i -> s/g -> s/o\nSum a Inputs=++\nLogic b Operator=NOT; Inputs=1\nOutport y\nOutport z Port=2\n\
                u -> f -> a -> y\nu -> s -> a:2\nf:2 -> b -> z";
    let reading =
        shall_simulink::read(common::model::mdl(text).as_bytes(), &shall_simulink::Limits::default());
    let mut diagram = reading.diagram;
    assert!(!shall_simulink::abstract_block(&mut diagram, "g"));
    assert!(shall_simulink::abstract_block(&mut diagram, "m/f"));
    assert!(shall_simulink::abstract_block(&mut diagram, "s"));
    let plan = shall_simulink::plan::plan(&diagram, &[]);
    assert_eq!(plan.problems, Vec::new());
    let system = lower(&plan, None, &Options::default()).expect("a system");
    let names: Vec<&str> =
        system.inputs.iter().map(|it| system.variables[it.index()].name.as_str()).collect();
    assert_eq!(names, ["u", "f", "f:2", "s"]);
    check_system(text, &system, "0 1 1 2 | 3 0\n 0 5 0 -1 | 4 1", 1e-12);
}

#[test]
fn data_stores_are_read_before_they_are_written() {
    let text = "Inport u\nDataStoreMemory m DataStoreName=A; InitialValue=5\nDataStoreRead r DataStoreName=A\nSum s Inputs=++\n\
                DataStoreWrite w DataStoreName=A\nOutport y\nr -> s\nu -> s:2 \ns -> w\nr -> y";
    check(&text.replace(":2 \n", ":2\n"), "1 | 5\n 2 | 6\n 3 | 8\n 0 | 11");
    // In a subsystem that only runs at times.
    let text = "Inport u\nInport e Port=2\nDataStoreMemory m DataStoreName=A; InitialValue=0\nSubSystem s\nEnablePort s/p\nInport s/i\n\
                DataStoreRead s/r DataStoreName=A\nSum s/a Inputs=++\nDataStoreWrite s/w DataStoreName=A\nOutport s/o\n\
                s/i -> s/a -> s/w\ns/r -> s/a:2\ns/a -> s/o\nOutport y\nu -> s -> y\ne -> s:enable";
    check(text, "1 1 | 1\n 1 0 | 1\n 1 1 | 2\n 5 1 | 7");
    // What decides whether the writer runs is before it.
    let text = "Inport u\nDataStoreMemory m DataStoreName=A; InitialValue=1\nDataStoreRead r DataStoreName=A\nSubSystem s\nEnablePort s/p\n\
                Inport s/i\nDataStoreWrite s/w DataStoreName=A\ns/i -> s/w\nOutport y\nu -> s\nr -> s:enable\nr -> y";
    check(text, "3 | 1\n 0 | 3\n 5 | 0\n 5 | 0");
    let refused = [
        "Inport u\nDataStoreMemory m DataStoreName=A\nDataStoreRead r DataStoreName=A\nDataStoreWrite w DataStoreName=A\n\
         Outport y\nu -> w\nr -> y",
        "DataStoreMemory m DataStoreName=A\nDataStoreRead r DataStoreName=A\nDataStoreWrite w DataStoreName=A\n\
         DataStoreWrite v DataStoreName=A\nOutport y\nr -> w\nr -> v\nr -> y",
        "DataStoreRead r DataStoreName=A\nOutport y\nr -> y",
        // Both in one subsystem, or the reader before another port of the subsystem of the writer: no line leads from one to the other.
        "Inport u\nDataStoreMemory m DataStoreName=A\nSubSystem s\nInport s/i\nDataStoreRead s/r DataStoreName=A\n\
         DataStoreWrite s/w DataStoreName=A\nOutport s/o\ns/i -> s/w\ns/r -> s/o\nOutport y\nu -> s -> y",
        "Inport u\nDataStoreMemory m DataStoreName=A\nDataStoreRead r DataStoreName=A\nSubSystem s\nInport s/i\nInport s/j Port=2\n\
         DataStoreWrite s/w DataStoreName=A\nOutport s/o\ns/i -> s/w\ns/j -> s/o\nOutport y\nu -> s:1\nr -> s:2\ns -> y",
    ];
    for text in refused {
        assert!(lowered(text).is_err(), "{text}");
    }
}

#[test]
fn libraries_and_models_of_the_same_project() {
    use shall_simulink::library::{expand, files, link};
    let read = |text: &str| {
        let mut diagram =
            shall_simulink::read(common::model::mdl(text).as_bytes(), &shall_simulink::Limits::default())
                .diagram;
        diagram.name = "m".to_owned();
        diagram
    };
    let library = read(
        "SubSystem Scale MaskVariables=k=@1;; MaskValueString=3\nInport Scale/a\nGain Scale/g Gain=k\nOutport Scale/b\n\
         Scale/a -> Scale/g -> Scale/b\nSubSystem Group\nBias Group/More Bias=10\nReference Group/Twice SourceBlock=lib/Scale; k=2",
    );
    let other = read("Inport u\nReference s SourceBlock=lib/Scale; k=5\nOutport y\nu -> s -> y");
    let known = std::collections::BTreeMap::from([("lib".to_owned(), library), ("other".to_owned(), other)]);
    let mut diagram = read(
        "Inport u\nReference a SourceBlock=lib/Scale\nReference b SourceBlock=lib/Group/More; Bias=1\n\
         Reference c SourceBlock=lib/Group/Twice\nModelReference d ModelName=other.slx\nOutport y\nu -> a -> b -> c -> d -> y",
    );
    assert_eq!(files(&diagram).into_iter().collect::<Vec<_>>(), ["lib", "other"]);
    assert!(link(&mut diagram, &known));
    assert_eq!(expand(&mut diagram), Vec::new());
    let plan = shall_simulink::plan::plan(&diagram, &[]);
    assert_eq!(plan.problems, Vec::new());
    let system = lower(&plan, None, &Options::default()).expect("a system");
    // 3u, plus 1, twice, times 5.
    check_system("links", &system, "1 | 40\n 0 | 10", 1e-12);
    // A library that contains itself ends.
    let endless = read("SubSystem A\nReference A/x SourceBlock=lib/A");
    let known = std::collections::BTreeMap::from([("lib".to_owned(), endless)]);
    let mut diagram = read("Reference a SourceBlock=lib/A");
    link(&mut diagram, &known);
    assert!(diagram.sheets.len() < 100);
}

/// The second output of an integrator shows that it is at a limit.
#[test]
fn limits_are_shown() {
    let text = "@ Solver=ode1; FixedStep=0.5\nInport u\n\
                Integrator x LimitOutput=on; UpperSaturationLimit=1; LowerSaturationLimit=-0.5; ShowSaturationPort=on; Ports=[1, 2]\n\
                Outport y\nOutport s Port=2\nu -> x\nx:1 -> y\nx:2 -> s";
    check(text, "1 | 0 0\n 2 | 0.5 0\n 1 | 1 1\n -1 | 1 1\n -4 | 0.5 0\n 0 | -0.5 -1");
}

/// A loop with a constant is not constant: what reads it at a slower rate holds it.
#[test]
fn constants_in_loops() {
    let text = "@ Solver=FixedStepDiscrete; FixedStep=0.5\nConstant c Value=1; SampleTime=inf\nSum s Inputs=++\n\
                UnitDelay d InitialCondition=0; SampleTime=-1\nGain g Gain=1; SampleTime=1\nOutport y\nOutport z Port=2\n\
                c -> s -> d -> s:2\ns -> g -> y\ns -> z";
    check(text, " | 1 1\n | 1 2\n | 3 3\n | 3 4\n | 5 5");
}
