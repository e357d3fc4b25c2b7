//! Contracts attached to the ports of a model: by path, by name, with types that follow the contract.

use lustre::read;
use shall_simulink::attach::{Wire, attach};
use system::{Type, Value, simulate};

const CONTRACT: &str = "contract C (ON: bool; level: real; count: int) returns (lamp: bool; other: real);
let guarantee \"lit\" ON => lamp and level >= 0.0 and count = 1; guarantee \"free\" other > 0.0; tel";

fn model() -> system::System {
    let mut system = system::System::default();
    let on = system.add_input("on", Type::Bool);
    let (on, byte) = (system.expr(on), system::Width { signed: true, bits: 8 });
    let two = system.add_input("two_2", Type::Int);
    let two = system.expr(two);
    let counted = system.pool.cast(Type::Machine(byte), two);
    let one = system.pool.real(1);
    let zero = system.pool.real(0);
    let lamp = system.pool.ite(on, one, zero);
    system.add_output("lamp", lamp);
    system.add_output("n", counted);
    system
}

fn wire(variable: &str, path: &str, index: Option<usize>) -> Wire {
    Wire { variable: variable.into(), path: path.into(), index }
}

#[test]
fn variables_are_ports() {
    let observer = read(CONTRACT, &|_| None).observer("C").unwrap();
    let mut system = model();
    let wires = [wire("level", "m/sub/two", Some(2)), wire("count", "m/sub/n", None)];
    let free = attach(&mut system, "m/sub", &observer, &wires).unwrap();
    assert_eq!(free, ["other"]);
    assert!(system.check().is_empty());
    for (on, two, expected) in [(true, 1, true), (true, 2, false), (false, 2, true), (true, 257, true)] {
        let inputs = vec![Value::Bool(on), Value::Int(two.into()), Value::Real(dashu_ratio::RBig::ONE)];
        let run = simulate(&system, &[], &[inputs]);
        assert_eq!(run.steps[0].properties, [Some(expected), Some(true)], "{on} {two}");
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let observer = read(CONTRACT, &|_| None).observer("C").unwrap();
    let wires = [wire("level", "m/sub/three", None), wire("lamp", "m/lamp", None)];
    let problems = attach(&mut model(), "m/sub", &observer, &wires).unwrap_err();
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["`level` is not a port of the subsystem", "`lamp` is not a port of the subsystem"]);
}
