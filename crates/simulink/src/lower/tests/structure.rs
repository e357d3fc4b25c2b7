//! Wires, names, scopes, loops and what cannot be lowered.

use super::{Builder, Shape, UnitId, check, compare, shape};
use crate::blocks::BlockKind;
use crate::lower::{Options, lower};
use crate::value::Value;

#[test]
fn arrangements() {
    check("Mux", "", "d d2", "d3", &[(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0])]);
    check("Demux", "", "d3", "d d2", &[(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0])]);
    check("Reshape", "", "d2x2", "d4", &[(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 3.0, 4.0])]);
    check("Concatenate", "Mode=Vector", "d d2", "d3", &[(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0])]);
    let below = "Mode=Multidimensional array; ConcatenateDimension=1";
    check("Concatenate", below, "d1x2 d1x2", "d2x2", &[(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])]);
    let beside = "Mode=Multidimensional array; ConcatenateDimension=2";
    check("Concatenate", beside, "d2x1 d2x1", "d2x2", &[(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 3.0, 4.0])]);
    check(
        "Selector",
        "IndexOptions=Index vector (dialog); Indices=[3 1]",
        "d3",
        "d2",
        &[(&[1.0, 2.0, 3.0], &[3.0, 1.0])],
    );
    let zero = "IndexOptions=Starting index (dialog); Indices=1; OutputSizes=2; IndexMode=Zero-based";
    check("Selector", zero, "d3", "d2", &[(&[1.0, 2.0, 3.0], &[2.0, 3.0])]);
    let port = "IndexOptions=Index vector (port)";
    check("Selector", port, "d3 d", "d", &[(&[7.0, 8.0, 9.0, 2.0], &[8.0]), (&[7.0, 8.0, 9.0, 3.0], &[9.0])]);
    let start = "IndexOptions=Starting index (port)";
    check("Selector", start, "d3 d", "d2", &[(&[7.0, 8.0, 9.0, 2.0], &[8.0, 9.0])]);
    check("Assignment", "Indices=2", "d3 d", "d3", &[(&[1.0, 2.0, 3.0, 9.0], &[1.0, 9.0, 3.0])]);
    check("Constant", "Value=[1 2.5]", "", "d2", &[(&[], &[1.0, 2.5])]);
    check("Ground", "", "", "b", &[(&[], &[0.0])]);
}

#[test]
fn assignments() {
    let y = [1.0, 2.0, 3.0, 4.0];
    // How the places are given, the new values and the place of the port behind the four old ones, and the result.
    let cases: [(&str, &str, &[f64], [f64; 4]); 6] = [
        ("Index vector (dialog); Indices=[4 2]", "d4 d2", &[8.0, 9.0], [1.0, 9.0, 3.0, 8.0]),
        ("Starting index (dialog); Indices=2", "d4 d3", &[7.0, 8.0, 9.0], [1.0, 7.0, 8.0, 9.0]),
        ("Index vector (port)", "d4 d2 d2", &[8.0, 9.0, 4.0, 2.0], [1.0, 9.0, 3.0, 8.0]),
        ("Index vector (port); IndexMode=Zero-based", "d4 d d", &[8.0, 1.0], [1.0, 8.0, 3.0, 4.0]),
        ("Starting index (port)", "d4 d2 d", &[8.0, 9.0, 2.0], [1.0, 8.0, 9.0, 4.0]),
        ("Assign all", "d4 d4", &[5.0, 6.0, 7.0, 8.0], [5.0, 6.0, 7.0, 8.0]),
    ];
    for (options, inputs, more, want) in cases {
        let given: Vec<f64> = y.iter().chain(more).copied().collect();
        check("Assignment", &format!("IndexOptions={options}"), inputs, "d4", &[(&given, &want)]);
    }
}

#[test]
fn buses() {
    let mut builder = Builder::new();
    let a = builder.add(0, "Inport", "a", "Port=1", &[], "d2");
    let b = builder.add(0, "Inport", "b", "Port=2", &[], "b");
    let bus = builder.add(0, "BusCreator", "bus", "", &[(a, 0), (b, 0)], "d");
    let shapes = Shape::Bus(vec![("a".to_owned(), shape("d2")), ("b".to_owned(), shape("b"))]);
    builder.plan.units[bus as usize].outputs = vec![shapes];
    let select = builder.add(0, "BusSelector", "select", "OutputSignals=b,a", &[(bus, 0)], "b d2");
    builder.add(0, "Outport", "x", "Port=1", &[(select, 0)], "");
    builder.add(0, "Outport", "y", "Port=2", &[(select, 1)], "");
    builder.add(0, "Outport", "all", "Port=3", &[(bus, 0)], "");
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    compare("a bus", &system, &[(&[1.0, 2.0, 1.0], &[1.0, 1.0, 2.0, 1.0, 2.0, 1.0])]);
    let names: Vec<&str> = system.outputs.iter().filter(|it| !it.local).map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["x", "y_1", "y_2", "all_1", "all_2", "all_3"]);
}

/// A gain in a subsystem, and a delay around it.
fn nested() -> Builder {
    let mut builder = Builder::new();
    let u = builder.add(0, "Inport", "u", "Port=1", &[], "d");
    let sub = builder.subsystem(0, "Sub", &[(u, 0)], None, "d", 1);
    builder.add(0, "Outport", "y", "Port=1", &[(sub, 0)], "");
    let input = builder.add(1, "Inport", "Sub/u", "Port=1", &[], "d");
    let gain = builder.add(1, "Gain", "Sub/my\ngain", "Gain=3", &[(input, 0)], "d");
    builder.add(1, "Outport", "Sub/y", "Port=1", &[(gain, 0)], "");
    builder
}

#[test]
fn names_and_scopes() {
    let builder = nested();
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    compare("a subsystem", &system, &[(&[2.0], &[6.0])]);
    let names: Vec<&str> = system.outputs.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["y", "Sub", "Sub/u", "Sub/my gain", "Sub/y"]);
    for path in ["m/Sub", "Sub"] {
        let alone = lower(&builder.plan, Some(path), &Options { locals: false }).expect("a system");
        compare("alone", &alone, &[(&[2.0], &[6.0])]);
        assert_eq!(alone.outputs.len(), 1);
    }
    let missing = lower(&builder.plan, Some("m/Nothing"), &Options::default()).expect_err("no such path");
    assert_eq!(missing[0].message, "there is no subsystem `m/Nothing`");
}

#[test]
fn loops_are_named() {
    let mut builder = Builder::new();
    let sum = builder.add(0, "Sum", "sum", "Inputs=++", &[(1, 0), (1, 0)], "d");
    // y = y has any solution.
    builder.add(0, "Gain", "gain", "Gain=0.5", &[(sum, 0)], "d");
    builder.add(0, "Outport", "y", "Port=1", &[(sum, 0)], "");
    let problems = lower(&builder.plan, None, &Options::default()).expect_err("a loop");
    assert_eq!(problems[0].message, "an algebraic loop goes through `m/sum`, `m/gain`");
    // A delay breaks it.
    builder.plan.units[1].kind = BlockKind::UnitDelay;
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    compare("a loop with a delay", &system, &[(&[], &[0.0])]);
}

#[test]
fn a_mux_makes_no_loop() {
    // The second element depends on the first, which depends on nothing.
    let mut builder = Builder::new();
    let one = builder.add(0, "Constant", "one", "Value=1", &[], "d");
    let mux = builder.add(0, "Mux", "mux", "", &[(one, 0), (3, 0)], "d2");
    let demux = builder.add(0, "Demux", "demux", "", &[(mux, 0)], "d d");
    builder.add(0, "Gain", "gain", "Gain=3", &[(demux, 0)], "d");
    builder.add(0, "Outport", "y", "Port=1", &[(mux, 0)], "");
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    compare("a mux", &system, &[(&[], &[1.0, 3.0])]);
}

#[test]
fn only_wires_in_a_loop() {
    let mut builder = Builder::new();
    builder.add(0, "SignalConversion", "a", "", &[(1, 0)], "d");
    builder.add(0, "SignalConversion", "b", "", &[(0, 0)], "d");
    builder.add(0, "Outport", "y", "Port=1", &[(0, 0)], "");
    assert!(lower(&builder.plan, None, &Options::default()).is_err());
}

#[test]
fn what_is_not_needed_does_no_harm() {
    let mut builder = nested();
    let odd = builder.add(0, "S-Function", "odd", "", &[(0, 0)], "d");
    let delay = builder.add(0, "UnitDelay", "delay", "InitialCondition=0", &[(odd, 0)], "d");
    let gain = builder.add(0, "Gain", "after", "Gain=3", &[(delay, 0)], "d");
    builder.add(0, "Terminator", "end", "", &[(gain, 0)], "");
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    assert!(system.outputs.iter().all(|it| !["odd", "delay", "after"].contains(&it.name.as_str())));
    assert!(system.state.is_empty());
    builder.add(0, "Outport", "z", "Port=2", &[(gain, 0)], "");
    let problems = lower(&builder.plan, None, &Options::default()).expect_err("it is needed");
    let found: Vec<(&str, &str)> = problems.iter().map(|it| (it.path.as_str(), it.kind.as_str())).collect();
    assert_eq!(found, [("m/odd", "S-Function")]);
}

#[test]
fn claims() {
    let mut builder = Builder::new();
    let u = builder.add(0, "Inport", "u", "Port=1", &[], "b");
    builder.add(0, "Assertion", "must hold", "", &[(u, 0)], "");
    builder.add(0, "ProofAssumption", "given", "", &[(u, 0)], "");
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    assert_eq!(system.properties[0].name, "must hold");
    assert_eq!(system.assumptions.len(), 1);
}

#[test]
fn claims_have_intervals_and_can_be_off() {
    let matrix = |text: &str| Value::Matrix(super::number_matrix(text).expect(text));
    let cell = |all: &[&str]| Value::Cell(all.iter().map(|it| matrix(it)).collect());
    // What the block says, and for inputs -1, 0, 1 and 2 whether it holds.
    let cases = [
        (Some(matrix("1")), "d", [false, false, true, false]),
        (Some(matrix("1")), "b", [true, false, true, true]),
        (Some(matrix("0")), "b", [false, true, false, false]),
        (Some(matrix("-1 1")), "i8", [true, true, true, false]),
        (Some(cell(&["-1 0", "2"])), "d", [true, true, false, true]),
        (Some(cell(&["0 inf"])), "d", [false, true, true, true]),
        (None, "d", [true, false, true, true]),
    ];
    let build = |class: &str, parameters: &str, intervals: Option<Value>| {
        let mut builder = Builder::new();
        let u = builder.add(0, "Inport", "u", "Port=1", &[], class);
        let claim = builder.add(0, "ProofObjective", "must hold", parameters, &[(u, 0)], "");
        builder.plan.units[claim as usize].values.extend(intervals.map(|it| ("intervals".to_owned(), it)));
        lower(&builder.plan, None, &Options::default())
    };
    for (intervals, class, want) in cases {
        let mut system = build(class, "enabled=on", intervals.clone()).expect("a system");
        system.add_output("holds", system.properties[0].value);
        let want = want.map(|it| [f64::from(u8::from(it))]);
        let steps: Vec<(&[f64], &[f64])> = [&[-1.0], &[0.0], &[1.0], &[2.0]]
            .into_iter()
            .zip(&want)
            .map(|(a, b): (&[f64; 1], _)| (&a[..], &b[..]))
            .collect();
        compare(&format!("{intervals:?} of {class}"), &system, &steps);
    }
    let off = build("b", "enabled=off", None).expect("a system");
    assert!(off.properties.is_empty());
    for wrong in [Some(matrix("1 2 3")), Some(Value::Text("x".to_owned())), Some(cell(&[]))] {
        assert!(build("d", "", wrong).is_err());
    }
    assert!(build("d", "intervals=Sldv.Interval(1, 2)", None).is_err());
}

#[test]
fn work_is_limited() {
    let wide = "d20000";
    let zeros = format!("[1{}]", " 0".repeat(20_000));
    let table: String = (0..20_000).map(|it| format!(" {it}")).collect();
    let cases: [(&str, &str, &str, &str); 6] = [
        ("Delay", "DelayLength=10000; InitialCondition=0", wide, wide),
        ("DiscreteFilter", &format!("Numerator=1; Denominator={zeros}"), "d", "d"),
        ("DiscreteZeroPole", &format!("Zeros=; Poles={zeros}; Gain=1"), "d", "d"),
        ("Lookup", &format!("InputValues={table}; Table={table}"), wide, wide),
        ("Selector", "IndexOptions=Index vector (port)", "d20000 d20000", wide),
        ("Assignment", "IndexOptions=Index vector (port)", "d20000 d20000 d20000", wide),
    ];
    for (kind, parameters, inputs, outputs) in cases {
        assert!(super::single(kind, parameters, inputs, outputs, 1).is_err(), "{kind}");
    }
    // Long chains of states and wide selections take time in proportion.
    let all: String = (1..=20_000).map(|it| format!(" {it}")).collect();
    let mut builder = Builder::new();
    let mut last = builder.add(0, "Inport", "u", "Port=1", &[], "d20000");
    for place in 0..5 {
        let parameters = format!("IndexOptions=Index vector (dialog); Indices={all}");
        last = builder.add(0, "Selector", &format!("s{place}"), &parameters, &[(last, 0)], "d20000");
    }
    last = builder.add(0, "Delay", "d", "DelayLength=3; InitialCondition=0", &[(last, 0)], "d20000");
    builder.add(0, "Outport", "y", "Port=1", &[(last, 0)], "");
    let system = lower(&builder.plan, None, &Options { locals: false }).expect("a system");
    assert_eq!(system.state.len(), 60_000);
}

#[test]
fn missing_things_are_problems() {
    let vector = "IndexOptions=Index vector (dialog)";
    let cases: [(&str, &str, &str, &str); 19] = [
        ("Gain", "", "d", "d"),
        ("Constant", "Value=inf", "", "d"),
        ("Switch", "", "d d", "d"),
        ("Product", "Inputs=/; Multiplication=Matrix(*)", "d2x3", "d2x3"),
        ("Selector", "IndexOptions=Index vector (dialog); Indices=[4]", "d3", "d"),
        ("Sum", "Inputs=++", "d2 d3", "d3"),
        ("Sum", "Inputs=n", "d d", "d"),
        ("Sum", "Inputs=+++", "d d", "d"),
        ("Sum", "Inputs=1000000000000000000", "d d", "d"),
        ("Product", "", "d d", "d"),
        ("Product", "Inputs=3", "d d", "d"),
        ("Selector", "IndexOptions=Starting index (dialog); Indices=1; OutputSizes=1e18", "d3", "d"),
        ("Selector", "IndexOptions=Starting and ending indices (port)", "d3 d2", "d"),
        ("Assignment", &format!("{vector}; Indices=[1 2]"), "d3 d3", "d3"),
        ("Assignment", &format!("{vector}; Indices=4"), "d3 d", "d3"),
        ("Assignment", &format!("{vector}; Indices=1.5"), "d3 d", "d3"),
        ("Assignment", &format!("{vector}; Indices="), "d3 d", "d3"),
        ("Assignment", "IndexOptions=Index vector (port)", "d3 d2 d", "d3"),
        ("Assignment", "IndexOptions=Something else", "d3 d", "d3"),
    ];
    for (kind, parameters, inputs, outputs) in cases {
        assert!(super::single(kind, parameters, inputs, outputs, 1).is_err(), "{kind}");
    }
    // Sheets that hold themselves, units that are not there.
    let mut builder = nested();
    builder.plan.units[1].inside = Some(crate::diagram::SheetId(0));
    let _ = lower(&builder.plan, None, &Options::default());
    let mut builder = nested();
    builder.plan.sheets.values_mut().for_each(|it| it.push(UnitId(99)));
    builder.plan.units[2].inputs = vec![super::source(99, 0)];
    let _ = lower(&builder.plan, None, &Options::default());
}
