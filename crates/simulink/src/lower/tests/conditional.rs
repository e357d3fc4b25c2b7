//! Subsystems that do not run at every step.

use super::{Builder, compare};
use crate::blocks::BlockKind;
use crate::diagram::Port;
use crate::lower::{Options, lower};

/// A subsystem that counts the steps in which it runs, under a control input.
fn counter(port: Port, control_port: &str, class: &str, outport: &str) -> Builder {
    let mut builder = Builder::new();
    let control = builder.add(0, "Inport", "c", "Port=1", &[], class);
    let sub = builder.subsystem(0, "S", &[], Some((port, control, 0)), "d", 1);
    builder.add(0, "Outport", "y", "Port=1", &[(sub, 0)], "");
    let (kind, parameters) = control_port.split_once(' ').unwrap_or((control_port, ""));
    builder.add(1, kind, "S/port", parameters, &[], "");
    let one = builder.add(1, "Constant", "S/one", "Value=1", &[], "d");
    let sum = one + 1;
    let last = sum + 1;
    builder.add(1, "Sum", "S/sum", "Inputs=++", &[(one, 0), (last, 0)], "d");
    builder.add(1, "UnitDelay", "S/last", "InitialCondition=0", &[(sum, 0)], "d");
    builder.add(1, "Outport", "S/out", &format!("Port=1; {outport}"), &[(sum, 0)], "");
    builder
}

fn run(builder: &Builder, control: &[f64], want: &[f64]) {
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    let rows: Vec<([f64; 1], [f64; 1])> = control.iter().zip(want).map(|(a, b)| ([*a], [*b])).collect();
    let steps: Vec<(&[f64], &[f64])> = rows.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    compare("a conditional counter", &system, &steps);
}

#[test]
fn enabled() {
    let held = counter(Port::Enable, "EnablePort StatesWhenEnabling=held", "d", "InitialOutput=9");
    run(&held, &[0.0, 1.0, 2.0, -1.0, 0.0, 1.0], &[9.0, 1.0, 2.0, 2.0, 2.0, 3.0]);
    let reset = counter(Port::Enable, "EnablePort StatesWhenEnabling=reset", "b", "OutputWhenDisabled=held");
    run(&reset, &[0.0, 1.0, 1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 2.0, 2.0, 1.0, 2.0]);
    let off = counter(
        Port::Enable,
        "EnablePort StatesWhenEnabling=held",
        "b",
        "InitialOutput=9; OutputWhenDisabled=reset",
    );
    run(&off, &[1.0, 0.0, 1.0], &[1.0, 9.0, 2.0]);
}

#[test]
fn triggered() {
    let count = |kind: &str, class: &str| {
        counter(Port::Trigger, &format!("TriggerPort TriggerType={kind}"), class, "")
    };
    let signal = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
    run(&count("rising", "b"), &signal, &[0.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
    run(&count("falling", "b"), &signal, &[0.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
    run(&count("either", "b"), &signal, &[0.0, 1.0, 2.0, 2.0, 3.0, 4.0]);
    // Through zero counts once.
    run(&count("rising", "d"), &[-1.0, 0.0, 1.0, -1.0, 1.0], &[0.0, 1.0, 1.0, 1.0, 2.0]);
}

#[test]
fn called() {
    let call = counter(Port::Trigger, "TriggerPort TriggerType=function-call", "b", "");
    run(&call, &[1.0, 0.0, 1.0, 1.0], &[1.0, 1.0, 2.0, 3.0]);
}

/// If, two actions, and a merge of their outputs.
fn choice(else_if: &str, initial: &str) -> Builder {
    let mut builder = Builder::new();
    let u = builder.add(0, "Inport", "u", "Port=1", &[], "d");
    let parameters = format!("IfExpression=u1 > 0; ElseIfExpressions={else_if}; ShowElse=off");
    let choose = builder.add(0, "If", "If", &parameters, &[(u, 0)], "b b");
    let first = builder.subsystem(0, "A", &[(u, 0)], Some((Port::Action, choose, 0)), "d", 1);
    let second = builder.subsystem(0, "B", &[(u, 0)], Some((Port::Action, choose, 1)), "d", 2);
    let merge = builder.add(0, "Merge", "Merge", initial, &[(first, 0), (second, 0)], "d");
    builder.add(0, "Outport", "y", "Port=1", &[(merge, 0)], "");
    builder.add(0, "Outport", "a", "Port=2", &[(first, 0)], "");
    for (sheet, name, gain) in [(1, "A", 2), (2, "B", 10)] {
        builder.add(sheet, "ActionPort", &format!("{name}/port"), "InitializeStates=held", &[], "");
        let input = builder.add(sheet, "Inport", &format!("{name}/in"), "Port=1", &[], "d");
        let gain =
            builder.add(sheet, "Gain", &format!("{name}/gain"), &format!("Gain={gain}"), &[(input, 0)], "d");
        builder.add(sheet, "Outport", &format!("{name}/out"), "Port=1; InitialOutput=[]", &[(gain, 0)], "");
    }
    builder
}

#[test]
fn actions_merge() {
    let system =
        lower(&choice("u1 < -1", "InitialOutput=5").plan, None, &Options::default()).expect("a system");
    compare(
        "if and merge",
        &system,
        &[
            (&[0.0], &[5.0, 0.0]),
            (&[1.0], &[2.0, 2.0]),
            (&[-1.0], &[2.0, 2.0]),
            (&[-2.0], &[-20.0, 2.0]),
            (&[3.0], &[6.0, 6.0]),
        ],
    );
    let twice = lower(&choice("u1 > -1", "").plan, None, &Options::default()).expect("a system");
    compare(
        "the first condition wins",
        &twice,
        &[(&[2.0], &[4.0, 4.0]), (&[0.5], &[1.0, 1.0]), (&[-0.5], &[-5.0, 1.0])],
    );
}

#[test]
fn cases() {
    let mut builder = choice("u1 < -1", "");
    let unit = builder.plan.units.iter_mut().find(|it| it.kind == BlockKind::If).expect("it is there");
    unit.kind = BlockKind::SwitchCase;
    unit.words.insert("ShowDefaultCase".to_owned(), "on".to_owned());
    let case = super::number_matrix("[1 3]").map(super::Value::Matrix).expect("a matrix");
    unit.values.insert("CaseConditions".to_owned(), super::Value::Cell(vec![case]));
    let system = lower(&builder.plan, None, &Options::default()).expect("a system");
    compare("cases", &system, &[(&[3.9], &[7.8, 7.8]), (&[2.0], &[20.0, 7.8]), (&[1.0], &[2.0, 2.0])]);
}
