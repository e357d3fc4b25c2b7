//! Sample times: in steps of the model, and inherited with their offsets.

use super::{Texts, nest, problems, root, sheet};
use crate::diagram::{Diagram, Parameters};
use crate::plan::plan;
use crate::value::Value;

#[test]
fn times_in_steps() {
    let timed = |settings: &[(&str, &str)]| {
        let mut diagram = root(
            &[
                "UnitDelay fast InitialCondition=0; SampleTime=0.1",
                "UnitDelay slow InitialCondition=0; SampleTime=[0.4 0.2]",
                "Gain k Gain=1; SampleTime=-1",
                "Constant c Value=1; SampleTime=inf",
                "Gain d Gain=1; SampleTime=-1",
                "Inport u SampleTime=-1",
            ],
            &["slow > k", "c > d", "u > fast", "u > slow"],
        );
        diagram.settings = Parameters(settings.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect());
        let plan = plan(&diagram, &[("Ts".into(), Value::scalar(0.05))]);
        let every: Vec<(u64, u64)> = plan.units.iter().map(|unit| (unit.every, unit.offset)).collect();
        (plan.step, every, problems(&plan))
    };
    let (step, every, none) = timed(&[]);
    assert!((step - 0.1).abs() < 1e-12);
    assert_eq!((every, none.len()), (vec![(1, 0), (4, 2), (4, 2), (0, 0), (0, 0), (1, 0)], 0));
    let (step, every, none) = timed(&[("FixedStep", "Ts")]);
    assert_eq!((step, every[0], every[1], none.len()), (0.05, (2, 0), (8, 4), 0));
    let (_, _, wrong) = timed(&[("FixedStep", "0.3")]);
    assert!(wrong[0].contains("is not a multiple of the step of the model"), "{wrong:?}");
    assert_eq!(plan(&root(&["Inport u"], &[]), &[]).step, 0.2);
}

#[test]
fn times_are_inherited_with_their_offsets() {
    // Period and offset of the block `k`.
    let cases: [(Texts, Texts, (u64, u64)); 6] = [
        (&["Inport a SampleTime=[0.4 0.2]", "Inport b SampleTime=0.4"], &["a > k:1", "b > k:2"], (2, 0)),
        (
            &["Inport a SampleTime=[0.4 0.2]", "Inport b SampleTime=[0.8 0.2]"],
            &["a > k:1", "b > k:2"],
            (4, 2),
        ),
        (
            &["Inport a SampleTime=[0.4 0.3]", "Inport b SampleTime=[0.6 0.3]"],
            &["a > k:1", "b > k:2"],
            (2, 1),
        ),
        (
            &["Inport a SampleTime=0.2", "RateTransition r OutPortSampleTime=0.4"],
            &["a > r", "r > k:1"],
            (4, 0),
        ),
        (
            &["Inport a SampleTime=0.2", "RateTransition r OutPortSampleTime=-1", "Gain g Gain=1"],
            &["a > r", "r > k:1"],
            (2, 0),
        ),
        (&["Inport a SampleTime=0.2", "RateTransition r OutPortSampleTimeOpt=Inherit"], &["a > k:1"], (2, 0)),
    ];
    for (blocks, wires, want) in cases {
        let blocks: Vec<&str> = blocks.iter().chain(&["Sum k Inputs=++"]).copied().collect();
        let mut diagram = root(&blocks, wires);
        diagram.settings = Parameters(vec![("FixedStep".into(), "0.1".into())]);
        let plan = plan(&diagram, &[]);
        let unit = plan.units.iter().find(|unit| unit.name == "k").expect("it is there");
        assert_eq!((unit.every, unit.offset), want, "{blocks:?}");
    }
    // A transition has the rate of what reads it, through blocks that inherit theirs.
    let mut diagram = root(
        &[
            "Inport u SampleTime=0.4",
            "RateTransition r OutPortSampleTime=-1",
            "Gain g Gain=1; SampleTime=-1",
            "UnitDelay d InitialCondition=0; SampleTime=0.1",
        ],
        &["u > r", "r > g", "g > d"],
    );
    let rates =
        |diagram: &Diagram| -> Vec<u64> { plan(diagram, &[]).units.iter().map(|it| it.every).collect() };
    assert_eq!(rates(&diagram), [4, 1, 1, 1]);
    // The time of an atomic subsystem is that of what it holds; a virtual one has none.
    for (atomic, inner) in [("on", 4), ("off", 1)] {
        diagram = root(
            &[
                "Inport u SampleTime=0.1",
                &format!("SubSystem s SystemSampleTime=0.4; TreatAsAtomicUnit={atomic}"),
                "UnitDelay d InitialCondition=0",
            ],
            &["u > s", "s > d"],
        );
        let blocks = ["Inport i", "UnitDelay e InitialCondition=0; SampleTime=-1", "Outport o"];
        nest(&mut diagram, "s", sheet(&blocks, &["i > e", "e > o"]));
        diagram.settings = Parameters(vec![("FixedStep".into(), "0.1".into())]);
        assert_eq!(rates(&diagram), [1, inner, inner, inner, inner, inner], "{atomic}");
    }
}
