//! `shall model lustre`, `observer` and `harness` on the example: files that are read again and mean the same.

use simulink::diagram::{BlockId, Diagram, Parameters, Port, Sheet, SheetId};
use simulink::lower::{Options, lower};
use simulink::plan::plan;
use std::path::{Path, PathBuf};
use std::process::Command;
use system::{System, Value};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/simulink");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a question about the example; gives the exit code and what it told.
fn ask(arguments: &[&str]) -> (Option<i32>, String) {
    let (code, told, _) = answer(arguments);
    (code, told)
}

/// The exit code, what was told, and what was printed.
fn answer(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .arg("model")
        .args(arguments)
        .current_dir(EXAMPLE)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stderr), text(&output.stdout))
}

#[test]
fn a_model_as_lustre_with_its_contract() {
    let file = folder("model_lustre").join("roll.lus");
    let name = file.to_str().expect("a path");
    let requirements = ["--requirements", ".", "--component", "RollAutopilot"];
    let out = ["lustre", "RollAutopilot.mdl", "-o", name, "--output-format", "json"];
    let (code, told, printed) = answer(&[&out[..], &requirements].concat());
    assert_eq!(code, Some(0), "{told}");
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let files =
        [file.to_str(), file.with_extension("trace.json").to_str()].map(|it| it.expect("a path").to_owned());
    assert_eq!(printed, serde_json::json!({ "files": files, "left_out": [] }));
    let text = std::fs::read_to_string(&file).expect("the program");
    let program = lustre::read(&text, &|_| None);
    assert!(!program.is_wrong(), "{:?}", program.diagnostics);
    let system = program.system("RollAutopilot", &lustre::Options::default()).expect("a node");
    let names: Vec<&str> = system.properties.iter().map(|it| it.name.as_str()).collect();
    for id in ["AP-101", "AP-102", "AP-304"] {
        assert!(names.iter().any(|name| name.contains(id)), "{id} is not among {names:?}");
    }
    let trace = std::fs::read(file.with_extension("trace.json")).expect("what names stand for");
    let trace: serde_json::Value = serde_json::from_slice(&trace).expect("JSON");
    let all = trace["names"].as_array().expect("a list");
    let knob = all.iter().find(|it| it["name"] == "turn_knob").expect("the knob");
    assert_eq!((&knob["lustre"], &knob["path"]), (&"turn_knob".into(), &"RollAutopilot/turn_knob".into()));
}

/// A model with a loop: a subsystem that adds what it is given to what it remembers, once in each turn.
fn looping(iterator: &str, parameters: &[(&str, &str)], size: &str) -> String {
    let (mut top, mut inside) = (Sheet::default(), Sheet::default());
    let u = top.add("Inport", "u", &[("PortDimensions", size)]);
    let s = top.add("SubSystem", "s", &[]);
    let y = top.add("Outport", "y", &[]);
    top.blocks[s as usize].inside = Some(SheetId(1));
    top.connect((u, 1), (s, Port::Data(1)));
    top.connect((s, 1), (y, Port::Data(1)));
    inside.owner = Some(BlockId { sheet: SheetId(0), number: s });
    let turns = inside.add(iterator, "turns", parameters);
    let a = inside.add("Inport", "a", &[]);
    let sum = inside.add("Sum", "sum", &[("Inputs", "++")]);
    let last = inside.add("UnitDelay", "last", &[("InitialCondition", "1"), ("SampleTime", "-1")]);
    let b = inside.add("Outport", "b", &[]);
    let less = inside.add("RelationalOperator", "less", &[("Operator", "<")]);
    let limit = inside.add("Constant", "limit", &[("Value", "20")]);
    for (from, to, port) in
        [(a, sum, 1), (last, sum, 2), (sum, last, 1), (sum, b, 1), (sum, less, 1), (limit, less, 2)]
    {
        inside.connect((from, 1), (to, Port::Data(port)));
    }
    if iterator == "WhileIterator" {
        inside.connect((less, 1), (turns, Port::Data(1)));
    }
    let settings = [("Solver", "FixedStepDiscrete"), ("FixedStep", "1")];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    let diagram = Diagram {
        name: "loops".to_owned(),
        settings: Parameters(settings),
        sheets: vec![top, inside],
        ..Diagram::default()
    };
    simulink::write(&diagram)
}

/// The outputs of a system on numbers.
fn outputs(system: &System, rows: &[Vec<f64>]) -> Vec<Vec<String>> {
    let row = |row: &Vec<f64>| row.iter().map(|it| Value::Real(*it)).collect();
    let rows: Vec<Vec<Value<f64>>> = rows.iter().map(row).collect();
    let shown = |step: &system::Step<f64>| {
        let all = system.outputs.iter().zip(&step.outputs).filter(|(it, _)| !it.local);
        all.map(|(_, value)| format!("{value:?}")).collect()
    };
    system::simulate(system, &[], &rows).steps.iter().map(shown).collect()
}

#[test]
fn loops_as_lustre() {
    let cases = [
        ("ForIterator", &[("IterationLimit", "3"), ("ResetStates", "held")][..], "1"),
        ("ForIterator", &[("IterationLimit", "3"), ("ResetStates", "reset")], "1"),
        (
            "WhileIterator",
            &[("MaxIters", "5"), ("WhileBlockType", "do-while"), ("ResetStates", "reset")],
            "1",
        ),
        ("ForEach", &[("InputPartition", "{'on'}")], "3"),
    ];
    for (number, (iterator, parameters, size)) in cases.into_iter().enumerate() {
        let file = folder("model_loops").join(format!("loops{number}.mdl"));
        std::fs::write(&file, looping(iterator, parameters, size)).expect("a file");
        let (name, program) = (file.to_str().expect("a path"), file.with_extension("lus"));
        let (code, told) = ask(&["lustre", name, "-o", program.to_str().expect("a path")]);
        assert_eq!(code, Some(0), "{iterator}: {told}");
        let text = std::fs::read_to_string(&program).expect("the program");
        let read = lustre::read(&text, &|_| None);
        assert!(!read.is_wrong(), "{:?}", read.diagnostics);
        let again = read.system(&format!("loops{number}"), &lustre::Options::default()).expect("a node");
        let diagram =
            simulink::read(&std::fs::read(&file).expect("the model"), &simulink::Limits::default()).diagram;
        let direct = lower(&plan(&diagram, &[]), None, &Options { locals: false }).expect("a system");
        let width: usize = size.parse().expect("a number");
        let rows: Vec<Vec<f64>> = (0..6)
            .map(|step| (0..width).map(|it| f64::from((step * 7 + it as i32 * 3) % 11 - 4)).collect())
            .collect();
        let found = outputs(&direct, &rows);
        assert!(found.windows(2).any(|it| it[0] != it[1]), "{iterator}: {found:?}");
        assert_eq!(outputs(&again, &rows), found, "{iterator}");
    }
}

/// A signal for a variable that the component does not have, and for one of nobody's.
#[test]
fn mappings_that_fit_nothing_are_refused() {
    let requirements = ["--requirements", ".", "--component", "RollAutopilot"];
    for (map, given, expected) in [
        ("nosuch=roll", &requirements[..], "nosuch"),
        ("roll=nosuch", &requirements, "nosuch"),
        ("nosuch=roll", &[], "--requirements"),
    ] {
        let (code, told, _) =
            answer(&[&["lustre", "RollAutopilot.mdl", "--map", map, "-o", "-"], given].concat());
        assert!(code == Some(2) && told.contains(expected), "{map} {given:?}: {code:?} {told}");
    }
}

#[test]
fn an_observer_alone_and_in_the_model() {
    let folder = folder("model_observer");
    let requirements = ["observer", ".", "--component", "RollAutopilot", "-o"];
    for (name, model) in [("Alone.mdl", &[][..]), ("Observed.mdl", &["--model", "RollAutopilot.mdl"][..])] {
        let file = folder.join(name);
        let (code, told) = ask(&[&requirements[..], &[file.to_str().expect("a path")], model].concat());
        assert_eq!(code, Some(0), "{told}");
        let reading = simulink::read(&std::fs::read(&file).expect("a model"), &simulink::Limits::default());
        assert!(reading.problems.is_empty(), "{:?}", reading.problems);
        let plan = plan(&reading.diagram, &[]);
        assert!(plan.problems.is_empty(), "{:?}", plan.problems);
        let system = lower(&plan, None, &Options::default()).expect("it is supported");
        assert_eq!(system.properties.len(), 10, "{name}");
        // AP-101 on the run that violates it: engaged in straight flight, with the knob turned.
        if !model.is_empty() {
            use system::Value::{Bool, Machine, Real};
            let row: [system::Value; 6] =
                [Bool(true), Bool(false), Bool(false), Real(10.into()), Real(0.into()), Machine(0)];
            let run = system::simulate(&system, &[], &[row.to_vec()]);
            let failed = run.steps[0].properties.iter().filter(|it| **it == Some(false)).count();
            assert_eq!(failed, 1);
        }
    }
}

#[test]
fn a_run_as_inputs_of_a_simulation() {
    let folder = folder("model_harness");
    let trace = folder.join("run.csv");
    let text = "engaged,heading_selected,disconnect,turn_knob,roll,sensor,aileron\n\
                true,false,false,0.5,10,0,1\ntrue,false,false,4,10,2,1\n";
    std::fs::write(&trace, text).expect("a trace");
    let trace = trace.to_str().expect("a path");
    let write = |name: &str| {
        let file = folder.join(name);
        let name = file.to_str().expect("a path");
        let (code, told) = ask(&["harness", "RollAutopilot.mdl", "--trace", trace, "-o", name]);
        (code, told, file)
    };
    let (code, told, file) = write("inputs.csv");
    assert_eq!(code, Some(0), "{told}");
    let expected = "time,engaged,heading_selected,disconnect,turn_knob,roll,sensor\n\
                    0,1,0,0,0.5,10,0\n0.01,1,0,0,4,10,2\n";
    assert_eq!(std::fs::read_to_string(file).expect("a table"), expected);
    let (_, _, file) = write("inputs.mat");
    let data = simulink::mat::read(&std::fs::read(file).expect("data"), simulink::mat::Limits::default());
    let data = data.expect("a data file");
    let names: Vec<&str> = data.variables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["inputs", "engaged"]);
    let simulink::value::Value::Matrix(knob) = &data.variables[4].1 else { panic!("no matrix") };
    assert_eq!(
        (knob.dimensions.as_slice(), knob.entries.as_slice()),
        (&[2, 2][..], &[0.0, 0.01, 0.5, 4.0][..])
    );
    let (code, told, _) = write("inputs.txt");
    assert_eq!((code, told.contains(".csv or .mat")), (Some(2), true), "{told}");
}
