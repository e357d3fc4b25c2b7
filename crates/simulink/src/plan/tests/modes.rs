//! Modes of blocks and subsystems that change what they compute: lowered as Simulink runs them, or refused where they are needed.

use super::{Texts, nest, root, sheet};
use crate::diagram::Diagram;
use crate::lower::{Options, lower};
use crate::plan::plan;
use system::{Value, simulate};

/// The paths of what is refused, or the values of the only output over three steps without inputs.
fn outcome(diagram: &Diagram, at: Option<&str>) -> Result<Vec<f64>, Vec<String>> {
    let system = lower(&plan(diagram, &[]), at, &Options { locals: false })
        .map_err(|all| all.into_iter().map(|it| it.path).collect::<Vec<String>>())?;
    let number = |value: &Value<f64>| match value {
        Value::Real(number) => *number,
        _ => f64::NAN,
    };
    Ok(simulate(&system, &[], &vec![vec![]; 3]).steps.iter().map(|it| number(&it.outputs[0])).collect())
}

#[test]
fn modes_without_a_meaning_are_refused() {
    let cases: [(&str, Texts, Texts, &str); 5] = [
        ("Variant=on", &["Inport i Port=1", "Outport o Port=1"], &[], "m/s"),
        (
            "",
            &["Constant c Value=1", "Outport o Port=1", "ForIterator f ExternalIncrement=on"],
            &["c > o"],
            "m/s",
        ),
        ("", &["Inport i Port=1", "Outport o Port=1", "ForEach f"], &["i > o"], "m/s"),
        ("", &["Inport i Port=1; IsBusElementPort=on", "Outport o Port=1"], &["i > o"], "m/s/i"),
        ("", &["Inport i Port=1", "Outport o Port=1; IsBusElementPort=on"], &["i > o"], "m/s"),
    ];
    for (parameters, blocks, wires, want) in cases {
        let subsystem = format!("SubSystem s {parameters}");
        let mut diagram = root(&["Constant u Value=1", &subsystem, "Outport y"], &["u > s", "s > y"]);
        nest(&mut diagram, "s", sheet(blocks, wires));
        assert_eq!(outcome(&diagram, None), Err(vec![want.to_owned()]), "{subsystem} {blocks:?}");
        assert_eq!(
            plan(&diagram, &[]).problems.iter().filter(|it| it.path.starts_with(want)).count(),
            1,
            "{blocks:?}"
        );
    }
    // The inside of a loop on its own, and what it claims.
    let mut diagram = root(&["SubSystem s"], &[]);
    let blocks = ["Constant c Value=1", "Assertion a", "WhileIterator f", "Outport o Port=1"];
    nest(&mut diagram, "s", sheet(&blocks, &["c > a", "c > o"]));
    assert_eq!(outcome(&diagram, Some("s")), Err(vec!["m/s".to_owned()]));
    assert_eq!(outcome(&diagram, None), Err(vec!["m/s".to_owned()]));
}

#[test]
fn control_ports_without_a_line_are_ground() {
    for port in ["EnablePort", "ActionPort", "TriggerPort TriggerType=either"] {
        let port = port.replacen(' ', " e ", 1);
        let port = if port.contains(' ') { port } else { format!("{port} e") };
        let mut diagram = root(&["SubSystem s", "Outport y"], &["s > y"]);
        let blocks = [port.as_str(), "Constant c Value=7", "Outport o Port=1; InitialOutput=3"];
        nest(&mut diagram, "s", sheet(&blocks, &["c > o"]));
        assert_eq!(outcome(&diagram, None), Ok(vec![3.0; 3]), "{port}");
        // A port that is commented out is none.
        diagram.sheets[1].blocks[0].parameters.0.push(("Commented".into(), "on".into()));
        assert_eq!(outcome(&diagram, None), Ok(vec![7.0; 3]), "{port}");
    }
}

#[test]
fn tags_that_are_commented_out() {
    // A block that reads a tag lets nothing through; what reads the tag of one that is not there is a problem.
    for (from, goto, want) in
        [("Commented=on", "", Ok(vec![0.0; 3])), ("", "Commented=on", Err(vec!["m/y".to_owned()]))]
    {
        let (from, goto) = (format!("From f GotoTag=t; {from}"), format!("Goto g GotoTag=t; {goto}"));
        let diagram = root(&["Constant c Value=7", &from, &goto, "Outport y"], &["c > g", "f > y"]);
        assert_eq!(outcome(&diagram, None), want);
    }
}
