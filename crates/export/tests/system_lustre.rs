//! Systems written as Lustre and read back behave the same: every program of the corpus, on random inputs.

use base::Random;
use lustre::{Options, read};
use shall_export::system::{Attached, Parts, lustre, lustre_in_parts};
use std::path::Path;
use system::{System, Type, Value, simulate};

#[test]
fn written_and_read_again_a_system_runs_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustre/tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let (mut compared, mut rng) = (0, Random::new(1));
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let program = read(&text, &|_| None);
        let nodes = program.nodes();
        let Some(node) = nodes.iter().find(|it| it.main).or(nodes.iter().rfind(|it| !it.imported)) else {
            continue;
        };
        let Ok(system) = program.system(&node.name, &Options::default()) else { continue };
        let Ok(written) = lustre(&system, &node.name, &[]) else { continue };
        let again = read(&written.text, &|_| None);
        assert!(!again.is_wrong(), "{}: {:?}\n{}", file.display(), again.diagnostics, written.text);
        let name = again.nodes().iter().find(|it| it.main).unwrap().name.clone();
        let again = again.system(&name, &Options::default()).unwrap();
        let free = |system: &System| system.state.iter().any(|it| it.init.is_none());
        let declared = written.text.contains("imported");
        if free(&system) || free(&again) || declared || system.inputs.len() != again.inputs.len() {
            continue;
        }
        let inputs: Vec<Vec<Value>> = (0..8).map(|_| row(&system, &mut rng)).collect();
        let (expected, found) = (simulate(&system, &[], &inputs), simulate(&again, &[], &inputs));
        let name = |own: &str| written.names.iter().find(|(_, it)| it == own).unwrap().0.clone();
        for (step, (expected, found)) in expected.steps.iter().zip(&found.steps).enumerate() {
            let place = format!("{} at {step}:\n{system}\n{}", file.display(), written.text);
            assert_eq!(expected.properties, found.properties, "{place}");
            assert_eq!(expected.assumed, found.assumed, "{place}");
            for (output, value) in system.outputs.iter().zip(&expected.outputs) {
                let place_there = again.outputs.iter().position(|it| it.name == name(&output.name));
                if let Some(there) = place_there {
                    assert_eq!(*value, found.outputs[there], "`{}` of {place}", output.name);
                }
            }
        }
        compared += 1;
    }
    assert!(compared > 70, "{compared}");
}

/// Two parts, one of them with a part inside; a value of the first goes through a port of the second, and comes back a step later.
#[test]
fn parts_become_nodes_with_their_own_state() {
    let mut system = System::default();
    let u = system.add_input("u", Type::Real);
    let zero = system.pool.real(0);
    let [a, c] = ["A/d.state", "B/C/d.state"].map(|name| system.add_state(name, Type::Real, Some(zero)));
    let [u, a_now, c_now] = [u, a, c].map(|var| system.expr(var));
    let pool = &mut system.pool;
    let (two, back) = (pool.real(2), pool.add(a_now, c_now));
    let sum = pool.add(u, back);
    let double = pool.mul(two, sum);
    let gain = pool.add(double, c_now);
    system.set_next(a, sum);
    system.set_next(c, gain);
    // A port of `B` comes before the block that computes its value.
    for (name, value) in
        [("B/In", sum), ("A", sum), ("A/sum", sum), ("B/C/gain", gain), ("B", gain), ("B/seen", sum)]
    {
        system.add_local(name, value);
    }
    system.add_output("y", gain);
    assert_eq!(system.check(), Vec::<String>::new());
    let paths = ["A", "B", "B/C", "B/Idle"].map(str::to_owned).into();
    let is_alias = |name: &str| ["A", "B", "B/In"].contains(&name);
    let written = lustre_in_parts(&system, "main", &[], &Parts { paths, is_alias: &is_alias }).unwrap();
    let again = read(&written.text, &|_| None);
    assert!(!again.is_wrong(), "{:?}\n{}", again.diagnostics, written.text);
    let nodes: Vec<String> = again.nodes().iter().map(|it| it.name.clone()).collect();
    assert_eq!(nodes, ["C", "A_2", "B_2", "main"], "{}", written.text);
    // Each state is in the node of its part.
    let node = |name: &str| {
        let from = written.text.find(&format!("node {name} ")).unwrap();
        written.text[from..].split("tel").next().unwrap().to_owned()
    };
    assert!(
        node("A_2").contains("A_d_state = 0.0 -> pre") && !node("main").contains("A_d_state ="),
        "{}",
        written.text
    );
    assert!(
        node("C").contains("B_C_d_state = 0.0 -> pre") && !node("B_2").contains("B_C_d_state ="),
        "{}",
        written.text
    );
    let again = again.system("main", &Options::default()).unwrap();
    let mut rng = Random::new(7);
    let inputs: Vec<Vec<Value>> = (0..8).map(|_| row(&system, &mut rng)).collect();
    let (expected, found) = (simulate(&system, &[], &inputs), simulate(&again, &[], &inputs));
    let place = |system: &System| system.outputs.iter().position(|it| it.name == "y").unwrap();
    for (expected, found) in expected.steps.iter().zip(&found.steps) {
        assert_eq!(expected.outputs[place(&system)], found.outputs[place(&again)], "{}", written.text);
    }
}

fn row(system: &System, rng: &mut Random) -> Vec<Value> {
    let value = |var: &system::Var| match system.variables[var.index()].ty {
        Type::Bool => Value::Bool(rng.below(2) == 1),
        Type::Int => Value::Int((rng.below(9_i64) - 4).into()),
        Type::Machine(width) => Value::Machine(width.wrap(i128::from(rng.below(1 << 20)))),
        Type::Real => Value::Real(dashu_ratio::RBig::from_parts((rng.below(41_i64) - 20).into(), 4u8.into())),
        Type::Enum(id) => Value::Enum(rng.below(system.pool.enumeration(id).literals.len() as u64) as u32),
    };
    system.inputs.iter().map(value).collect()
}

#[test]
fn a_contract_is_imported_over_the_written_names() {
    let mut system = System::default();
    let input = system.add_input("Turn Knob", Type::Real);
    let (input, half) = (system.expr(input), dashu_ratio::RBig::from_parts(1.into(), 3u8.into()));
    let half = system.pool.real(half);
    let value = system.pool.mul(input, half);
    system.add_local("model/inner", value);
    let contract = Attached {
        text: "contract C(knob: real) returns (y: real); let guarantee \"R\" knob >= 0.0 => y >= 0.0; tel"
            .to_owned(),
        name: "C".to_owned(),
        inputs: vec!["Turn Knob".to_owned()],
        outputs: vec!["model/inner".to_owned()],
    };
    let written = lustre(&system, "model", &[contract]).unwrap();
    let expected =
        "contract C(knob: real) returns (y: real); let guarantee \"R\" knob >= 0.0 => y >= 0.0; tel
node model (Turn_Knob: real) returns (model_inner: real);
(*@contract
  import C(Turn_Knob) returns (model_inner);
*)
let
  --%MAIN;
  model_inner = (Turn_Knob * (1.0 / 3.0));
tel
";
    assert_eq!(written.text, expected);
    let again = read(&written.text, &|_| None).system("model", &Options::default()).unwrap();
    assert_eq!(again.properties.len(), 1);
}

/// A function that the contract declares is not declared again, and must have the same types.
#[test]
fn functions_of_model_and_contract_are_one() {
    let contract = |types: &str| Attached {
        text: format!(
            "function imported sqrt({types}) returns (value: real);\n\n\
             contract C(x: real) returns (y: real); let guarantee \"R\" y = sqrt(x); tel"
        ),
        name: "C".to_owned(),
        inputs: vec!["x".to_owned()],
        outputs: vec!["y".to_owned()],
    };
    let mut system = System::default();
    let input = system.add_input("x", Type::Real);
    let input = system.expr(input);
    let root = system.pool.apply(system::Function::Sqrt, &[input]);
    system.add_output("y", root);
    let written = lustre(&system, "model", &[contract("a1: real")]).unwrap();
    assert_eq!(written.text.matches("function imported sqrt").count(), 1, "{}", written.text);
    assert!(written.text.contains("y = sqrt(x);"), "{}", written.text);
    let again = read(&written.text, &|_| None).system("model", &Options::default()).unwrap();
    assert_eq!(again.properties.len(), 1);
    let other = lustre(&system, "model", &[contract("a1: int")]).unwrap_err();
    assert_eq!(other.to_string(), "the model and the contract use the function `sqrt` with different types");
    assert!(lustre(&system, "model", &[]).unwrap().text.contains("function imported sqrt(x0: real)"));
}
