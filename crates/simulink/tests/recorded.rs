//! Recorded signals: time series, signals at the stages of a solver, and signals with many points or steps.

mod common;

use common::model::{check, check_near, check_system, lowered, planned};
use shall_simulink::lower::{Options, lower};
use shall_simulink::matlab;
use shall_simulink::plan::Problem;
use shall_simulink::value::Value;
use std::cell::Cell;
use std::rc::Rc;
use system::System;

/// Variables that a script sets.
fn script(text: &str) -> Vec<(String, Value)> {
    let (set, errors) = matlab::run(text, &|_| None, &Cell::new(matlab::FUEL));
    assert_eq!(errors, Vec::new(), "{text}");
    set.into_iter().filter_map(|(name, value)| Some((name, Rc::unwrap_or_clone(value?)))).collect()
}

/// A signal of the workspace in steps of half a second, which is held at its end.
fn of_script(text: &str) -> Result<System, Vec<Problem>> {
    let model = "@ Solver=FixedStepDiscrete; FixedStep=0.5\n\
                 FromWorkspace k VariableName=s; SampleTime=0; OutputAfterFinalValue=Holding final value\nOutport y\nk -> y";
    lower(&planned(model, &script(text)), None, &Options::default())
}

#[test]
fn time_series() {
    let cases = [
        ("s = timeseries(5);", " | 5\n | 5"),
        // Without times, there is a value at 0, 1, 2 … s.
        ("s = timeseries([1 3 2]);", " | 1\n | 2\n | 3\n | 2.5\n | 2\n | 2"),
        ("s = timeseries([1; 3; 2]);", " | 1\n | 2\n | 3\n | 2.5\n | 2\n | 2"),
        ("s = timeseries([1 3 2], [0 0.5 1.5]);", " | 1\n | 3\n | 2.5\n | 2"),
        ("s = timeseries([1; 3; 2], [0 0.5 1.5]', 'Name', 'speed');", " | 1\n | 3\n | 2.5\n | 2"),
        // Rows are times, unless only the columns are as many.
        ("s = timeseries([1 10; 3 30; 2 20], [0 0.5 1.5]);", " | 1 10\n | 3 30\n | 2.5 25\n | 2 20"),
        ("s = timeseries([1 3 2; 10 30 20], [0 0.5 1.5]);", " | 1 10\n | 3 30\n | 2.5 25\n | 2 20"),
        ("s = timeseries(reshape([1 3 2], 1, 1, 3), [0 0.5 1.5]);", " | 1\n | 3\n | 2.5\n | 2"),
        ("s = timeseries(0); s.Time = [0; 1]; s.Data = [2; 4];", " | 2\n | 3\n | 4"),
        ("r = timeseries([2; 4]); s = timeseries(2 * r.Data, r.Time / 2);", " | 4\n | 8"),
    ];
    for (text, steps) in cases {
        let system = of_script(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        check_system(text, &system, steps, 1e-12);
    }
    for (text, reason) in [
        ("s = timeseries([1; 2], [0 1 2]);", "another number of times than of values"),
        ("s = timeseries(ones(2, 2, 3), [0 1 2]);", "has matrices"),
        ("s = timeseries([1; 2]); s.TimeInfo.Units = 'minutes';", "the property `TimeInfo`"),
        ("s = timeseries(int8([1; 2]));", "of the type `int8`"),
        ("s.time = [0; 1]; s.signals.values = single([1; 2]);", "of the type `single`"),
        ("s = 5;", "is not a matrix of times and values"),
    ] {
        let problems = of_script(text).expect_err(text);
        assert!(problems.iter().any(|it| it.message.contains(reason)), "{text}: {problems:?}");
    }
    let mut errors = Vec::new();
    for text in ["s = timeseries('speed');", "s = timeseries([1; 2], [0; 1], 'Quality', 3);"] {
        errors.push(matlab::run(text, &|_| None, &Cell::new(matlab::FUEL)).1.len());
    }
    assert_eq!(errors, [1, 1]);
}

/// A signal that is integrated: the solver reads it at its stages too.
fn integrated(solver: &str, parameters: &str) -> String {
    format!(
        "@ Solver={solver}; FixedStep=0.5; StopTime=10\nFromWorkspace k {parameters}\nIntegrator x InitialCondition=0\nOutport y\n\
         k -> x -> y"
    )
}

#[test]
fn signals_at_the_stages_of_a_solver() {
    // The integral of time is t²/2.
    let ramp = "VariableName=[0 0;10 10]; SampleTime=0";
    for solver in ["ode2", "ode3", "ode4", "ode5"] {
        check(&integrated(solver, ramp), " | 0\n | 0.125\n | 0.5\n | 1.125\n | 2");
    }
    check(&integrated("ode1", ramp), " | 0\n | 0\n | 0.25\n | 0.75\n | 1.5");
    // A signal with a sample time, and one that is not interpolated, are held within a step.
    let held = " | 0\n | 0\n | 0.25\n | 0.75";
    check(&integrated("ode4", "VariableName=[0 0;10 10]; SampleTime=0.5"), held);
    let steps = "VariableName=[0 0;0.5 0.5;1 1;1.5 1.5]; SampleTime=0; Interpolate=off";
    check(&integrated("ode4", steps), held);
    // Corners between two steps: the trapezoid of the two ends and the middle, as Runge and Kutta weigh them.
    let corner = "VariableName=[0 0;0.25 3;0.5 0]; SampleTime=0; OutputAfterFinalValue=Holding final value";
    check(&integrated("ode4", corner), " | 0\n | 1\n | 1");
    // The line goes on after the last point, also within a step.
    let short = "VariableName=[0 0;0.25 0.25]; SampleTime=0; OutputAfterFinalValue=Extrapolation";
    check(&integrated("ode4", short), " | 0\n | 0.125\n | 0.5\n | 1.125");
}

#[test]
fn jumps_and_ends() {
    let signal = |parameters: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=0.5\nFromWorkspace k SampleTime=0; {parameters}\nOutport y\nk -> y"
        )
    };
    let jump = "VariableName=[0 1;1 1;1 5;2 7]";
    for (parameters, steps) in [
        (format!("{jump}; OutputAfterFinalValue=Holding final value"), " | 1\n | 1\n | 5\n | 6\n | 7\n | 7"),
        (
            format!("{jump}; OutputAfterFinalValue=Setting to zero"),
            " | 1\n | 1\n | 5\n | 6\n | 7\n | 0\n | 0",
        ),
        (format!("{jump}; OutputAfterFinalValue=Extrapolation"), " | 1\n | 1\n | 5\n | 6\n | 7\n | 8\n | 9"),
        (format!("{jump}; Interpolate=off"), " | 1\n | 1\n | 5\n | 5\n | 7\n | 7"),
        // A jump at the end has no line to go on with.
        (
            "VariableName=[0 1;1 1;1 5]; OutputAfterFinalValue=Extrapolation".to_owned(),
            " | 1\n | 1\n | 5\n | 5",
        ),
        ("VariableName=[1 4;2 6]; Interpolate=off".to_owned(), " | 0\n | 0\n | 4\n | 4\n | 6"),
    ] {
        check(&signal(&parameters), steps);
    }
}

/// A run with many steps needs few points, and one with many points few steps.
#[test]
fn long_signals() {
    let many_steps = "@ Solver=FixedStepDiscrete; FixedStep=0.0001\nFromWorkspace k VariableName=[0 0;100 50]; SampleTime=0\nOutport y\nk -> y";
    check(many_steps, " | 0\n | 0.00005\n | 0.0001");
    let points = "VariableName=[(0:0.001:20)' ((0:0.001:20)').^2]";
    let many_points = format!(
        "@ Solver=FixedStepDiscrete; FixedStep=0.5\nFromWorkspace k {points}; SampleTime=0\nOutport y\nk -> y"
    );
    check(&many_points, " | 0\n | 0.25\n | 1\n | 2.25\n | 4");
    // The integral of t² is t³/3, which the method finds exactly.
    check_near(
        &integrated("ode4", &format!("{points}; SampleTime=0")),
        " | 0\n | 0.0416666667\n | 0.3333333333\n | 1.125",
        1e-6,
    );
    let both = many_points.replace("FixedStep=0.5", "FixedStep=0.001");
    let problems = lowered(&both).expect_err("too many points");
    assert!(problems[0].message.contains("more than 10000 points and steps"), "{problems:?}");
}
