//! Time: the step of a model, the start of a run, and sources that change at given times.

mod common;

use common::model::{check, lowered, planned};

/// The step of a model, without problems.
fn step(text: &str) -> f64 {
    let plan = planned(text, &[]);
    assert_eq!(plan.problems, Vec::new(), "{text}");
    plan.step
}

#[test]
fn blocks_that_only_show_signals_have_sample_times() {
    let clock = |sink: &str| format!("@ Solver=ode45; FixedStep=auto\nClock c\n{sink}\nc -> s");
    for (sink, want) in [
        ("ToWorkspace s SampleTime=0.0625", 0.0625),
        ("ToFile s SampleTime=[0.3 0.2]", 0.1),
        ("Display s SampleTime=0.05", 0.05),
        ("Scope s SampleTime=0.5; SampleInput=on", 0.5),
        ("Scope s SampleTime=0.5; SampleInput=off", 0.2),
        ("Scope s SampleTime=0", 0.2),
        ("Terminator s SampleTime=-1", 0.2),
        ("ToWorkspace s SampleTime=0.3; Commented=on", 0.2),
        ("ToWorkspace s SampleTime=0.3\nDigitalClock d SampleTime=0.4", 0.1),
    ] {
        assert_eq!(step(&clock(sink)), want, "{sink}");
    }
    // It does not make the steps of a solver longer, and a fixed step stays.
    let integrated =
        clock("ToWorkspace s SampleTime=1\nIntegrator x InitialCondition=0\nOutport y\nc -> x -> y");
    assert_eq!(step(&integrated), 0.2);
    assert_eq!(step("@ Solver=ode1; FixedStep=0.5\nClock c\nToWorkspace s SampleTime=0.1\nc -> s"), 0.5);
    let unknown = planned(&clock("ToWorkspace s SampleTime=nowhere"), &[]).problems;
    assert!(unknown.len() == 1 && unknown[0].message.contains("`nowhere`"), "{unknown:?}");
}

/// Every trigger port has a sample time in its file. It counts for periodic calls alone.
#[test]
fn trigger_ports_do_not_choose_the_step() {
    let model = |trigger: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=auto\nInport u\nInport t Port=2\nDigitalClock d SampleTime=0.3\nSubSystem s\n\
             TriggerPort s/t {trigger}\nInport s/u\nOutport s/y\ns/u -> s/y\nOutport y\nOutport z Port=2\nu -> s -> y\n\
             t -> s:trigger\nd -> z"
        )
    };
    assert_eq!(step(&model("TriggerType=rising; SampleTimeType=triggered; SampleTime=1")), 0.3);
    assert_eq!(step(&model("TriggerType=rising; SampleTime=0.01")), 0.3);
    assert_eq!(step(&model("TriggerType=function-call; SampleTimeType=periodic; SampleTime=0.5")), 0.1);
}

#[test]
fn sources_that_change_at_given_times_choose_the_step() {
    let pulse = |period: &str, width: &str, delay: &str| {
        format!("Pulse p PulseType=Time based; Amplitude=1; Period={period}; PulseWidth={width}; PhaseDelay={delay}")
            .replacen("Pulse", "DiscretePulseGenerator", 1)
    };
    let of = |settings: &str, source: &str| {
        format!("@ Solver=ode45; StopTime=10{settings}\n{source}\nOutport y\np -> y")
    };
    for (settings, source, want) in [
        ("", pulse("1", "50", "0"), 0.1),
        ("", pulse("0.3", "50", "0"), 0.15),
        ("", pulse("0.00011", "50", "0"), 0.000055),
        ("; MaxStep=0.00001", pulse("0.00011", "50", "0"), 0.000005),
        ("", pulse("1", "30", "0.25"), 0.05),
        ("", pulse("[1 0.3]", "50", "0"), 0.05),
        ("", pulse("1/60", "50", "0"), 1.0 / 120.0),
        ("", "Step p Time=0.33; SampleTime=0".to_owned(), 0.01),
        ("", "Step p Time=1; SampleTime=0".to_owned(), 0.2),
        ("", format!("{}\nStep j Time=1; SampleTime=0", pulse("0.00011", "50", "0")), 0.000005),
        ("; MaxStep=0.5", "Clock p".to_owned(), 0.5),
        // A delay is a number of steps, and at least one.
        ("", "Clock c\nTransportDelay p DelayTime=0.05; InitialOutput=0\nc -> p".to_owned(), 0.05),
        ("", "Clock c\nTransportDelay p DelayTime=0.3; InitialOutput=0\nc -> p".to_owned(), 0.1),
        ("", "Clock c\nTransportDelay p DelayTime=0.03\nc -> p".to_owned(), 0.03),
        ("", "Clock c\nTransportDelay p DelayTime=3\nc -> p".to_owned(), 0.2),
        ("", "DigitalClock c SampleTime=0.5\nTransportDelay p DelayTime=0.2\nc -> p".to_owned(), 0.1),
        // Too fine.
        ("", "Step p Time=0.333331; SampleTime=0".to_owned(), 0.333331 / 2.0),
        ("", pulse("1", "50", "0.0001"), 0.1),
    ] {
        let found = planned(&of(settings, &source), &[]).step;
        assert!((found / want - 1.0).abs() < 1e-12, "{source}: {found}, not {want}");
    }
    check(&of("", &pulse("0.3", "50", "0")), "| 1\n | 0\n | 1\n | 0");
    check(&of("", &pulse("1/60", "50", "0")), "| 1\n | 0\n | 1\n | 0");
    check(&of("", &pulse("0.4", "50", "0.1")), "| 0\n | 1\n | 1\n | 0\n | 0\n | 1");
    // The sample times of other blocks count as well.
    let both = format!("{}\nDigitalClock d SampleTime=0.2", pulse("0.3", "50", "0"));
    assert_eq!(step(&of("", &both)), 0.05);
    // A fixed step stays; what it does not divide is refused.
    let fixed = of("", &pulse("0.3", "50", "0")).replace("ode45", "ode1; FixedStep=0.2");
    let problems = lowered(&fixed).expect_err("a problem");
    assert!(problems[0].message.contains("its period is not a multiple of the step"), "{problems:?}");
}

#[test]
fn runs_that_do_not_start_at_zero() {
    let of = |start: &str, source: &str| {
        format!("@ Solver=ode1; FixedStep=0.5; StartTime={start}; StopTime=9\n{source}\nOutport y\np -> y")
    };
    let pulse =
        "DiscretePulseGenerator p PulseType=Time based; Amplitude=1; Period=2; PulseWidth=50; PhaseDelay";
    let ramp = "Reference p SourceBlock=simulink/Sources/Ramp; slope=2; start=3; X0=1";
    for (start, source, steps) in [
        ("2", "Clock p".to_owned(), "| 2\n | 2.5\n | 3"),
        ("-1", "Clock p".to_owned(), "| -1\n | -0.5\n | 0"),
        ("2", "DigitalClock p SampleTime=1".to_owned(), "| 2\n | 2\n | 3"),
        ("2", "Step p Time=3; Before=0; After=1; SampleTime=0".to_owned(), "| 0\n | 0\n | 1\n | 1"),
        ("4", "Step p Time=3; Before=0; After=1; SampleTime=0".to_owned(), "| 1\n | 1"),
        ("2", ramp.to_owned(), "| 1\n | 1\n | 1\n | 2\n | 3"),
        ("1", format!("{pulse}=0"), "| 0\n | 0\n | 1\n | 1\n | 0"),
        ("1", format!("{pulse}=2"), "| 0\n | 0\n | 1\n | 1\n | 0"),
        ("1", format!("{pulse}=0.5"), "| 1\n | 0\n | 0\n | 1\n | 1\n | 0"),
        ("0", format!("{pulse}=-0.5"), "| 1\n | 0\n | 0\n | 1\n | 1\n | 0"),
        // What continuous states are computed from has the time of the run.
        ("2", "Clock c\nIntegrator p InitialCondition=0\nc -> p".to_owned(), "| 0\n | 1\n | 2.25"),
        ("1", "FromWorkspace p VariableName=[0 0;2 4]; SampleTime=0".to_owned(), "| 2\n | 3\n | 4"),
    ] {
        check(&of(start, &source), steps);
    }
    let sine = "Sin p Amplitude=1; Bias=0; Frequency=1; Phase=0; SampleTime=0";
    let (first, second) = (2f64.sin(), 2.5f64.sin());
    check(&of("2", sine), &format!("| {first}\n | {second}"));
    let wrong = |text: String| lowered(&text).expect_err("a problem").remove(0).message;
    let message = wrong(of("0.5", "DigitalClock p SampleTime=1"));
    assert!(message.contains("does not divide the time at which the simulation starts"), "{message}");
    let message = wrong(of("nowhere", "Clock p"));
    assert!(message.contains("the start time `nowhere` is not a number"), "{message}");
    // The end of a run does not matter to its steps, but is reported.
    let plan = planned("@ StopTime=nowhere\nClock c\nOutport y\nc -> y", &[]);
    assert!(plan.problems.len() == 1 && plan.problems[0].message.contains("`StopTime` = `nowhere`"));
    check("@ StopTime=nowhere\nClock c\nOutport y\nc -> y", "| 0\n | 0.2");
}

/// A solver with a variable step ends a step where a signal jumps.
#[test]
fn jumps_end_a_step() {
    let of = |source: &str| {
        format!(
            "@ Solver=ode45; SolverType=Variable-step; MaxStep=0.5; StopTime=3\n{source}\nIntegrator x\nOutport y\nk -> x -> y"
        )
    };
    check(&of("Step k Time=1; Before=2; After=6; SampleTime=0"), " | 0\n | 1\n | 2\n | 5\n | 8");
    check(&of("Step k Time=0; Before=2; After=6; SampleTime=0"), " | 0\n | 3\n | 6");
}
