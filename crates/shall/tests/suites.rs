//! Tests from requirements, as a user meets them: `shall tests` and `shall coverage`.
#![cfg(unix)]

mod common;
mod folder;

use common::{Run, command};
use folder::Folder;
use serde_json::Value as Json;
use std::process::Command;

const PUMP: &str = "# Pump

| name | kind   | type |
|------|--------|------|
| p    | input  | bool |
| y    | output | bool |

## P-1

```fretish
whenever p the Pump shall immediately satisfy y
```

## P-2

```fretish
whenever !p the Pump shall immediately satisfy !y
```
";

fn project(name: &str, files: &[(&str, &str)]) -> Folder {
    let mut all = vec![("shall.toml", "[project]\nname = \"Pump\"\n"), ("pump.md", PUMP)];
    all.extend(files);
    Folder::new(&format!("suites-{name}"), &all)
}

fn shall(folder: &Folder, arguments: &[&str]) -> Run {
    Run::of(command(arguments).current_dir(&folder.0).output().expect("the program starts"))
}

fn json(folder: &Folder, arguments: &[&str]) -> (i32, Json) {
    let run = shall(folder, &[arguments, &["--output-format", "json"]].concat());
    (
        run.code,
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err)),
    )
}

/// A program that answers each line of inputs with what the shell prints for it.
fn program(answer: &str) -> String {
    format!("read header; echo y; while IFS=, read -r p rest; do {answer}; done\n")
}

#[test]
fn programs_are_tested_whatever_they_do() {
    let right = program("echo $p");
    let wrong = program("echo 1");
    let lost = program("exit 3");
    let silent = program("sleep 60");
    let garbage = program("echo banana");
    let two = program("echo 1,1");
    let other = "read header; echo x; while read -r line; do echo 1; done\n";
    let few = "read header; echo x,y; while read -r line; do echo 1; done\n";
    // It never reads and never stops.
    let flood = "echo y; while :; do echo 1; done\n";
    for (name, script, code, result, reason) in [
        ("right", right.as_str(), 0, "passed", ""),
        ("wrong", &wrong, 1, "failed", ""),
        ("lost", &lost, 1, "broken", "the program ended: exit status: 3"),
        ("silent", &silent, 1, "broken", "the program did not answer within 0.3 s"),
        ("garbage", &garbage, 1, "broken", "`banana` is not a value of `y`"),
        ("two", &two, 1, "broken", "a line has 2 values, and the first line names 1 output"),
        ("few", few, 1, "broken", "a line has 1 value, and the first line names 2 outputs"),
        ("flood", flood, 1, "failed", ""),
        ("other", other, 1, "broken", "the system has no output `y`"),
        ("mute", "exit 0\n", 1, "broken", "the program ended: exit status: 0"),
    ] {
        let folder = project(name, &[("program.sh", script)]);
        let arguments = ["tests", "--component", "Pump", "--exec", "sh program.sh", "--step-timeout", "0.3"];
        let (found, report) = json(&folder, &arguments);
        assert_eq!(found, code, "{name}: {report:#}");
        let runs = report["runs"].as_array().expect("has runs");
        let run =
            runs.iter().find(|it| it["result"] == result).unwrap_or_else(|| panic!("{name}: {report:#}"));
        assert!(run["reason"].as_str().unwrap_or_default().starts_with(reason), "{name}: {run}");
        assert!(result == "failed" || runs.iter().all(|it| it["result"] == result), "{name}: {runs:#?}");
    }
    let folder = project("none", &[]);
    let run = shall(&folder, &["tests", "--component", "Pump", "--exec", "./nothing"]);
    assert!(run.code == 1 && run.out.contains("cannot start `./nothing`"), "{}{}", run.out, run.err);
}

/// The name of the input alone is more than a pipe holds.
#[test]
fn a_program_that_does_not_read_keeps_nobody_waiting() {
    let name = "p".repeat(200_000);
    let pump = PUMP.replace("| p  ", &format!("| {name} ")).replace("p the", &format!("{name} the"));
    for (script, code, result, reason) in [
        ("sleep 60\n", 1, "broken", "the program did not answer within 0.3 s"),
        ("echo y; while :; do echo 1; done\n", 1, "failed", ""),
        ("exec <&-; sleep 60\n", 1, "broken", "the program did not answer within 0.3 s"),
    ] {
        let files =
            [("shall.toml", "[project]\nname = \"Pump\"\n"), ("pump.md", &pump), ("program.sh", script)];
        let folder = Folder::new("suites-deaf", &files);
        let (found, report) = json(
            &folder,
            &["tests", "--component", "Pump", "--exec", "sh program.sh", "--step-timeout", "0.3"],
        );
        let run = report["runs"].as_array().and_then(|it| it.iter().find(|it| it["result"] == result));
        let said = run.and_then(|it| it["reason"].as_str()).unwrap_or_default();
        assert!(found == code && run.is_some() && said.starts_with(reason), "{script}: {found} {said}");
    }
}

#[test]
fn results_are_written_for_others() {
    let folder = project("written", &[("program.sh", &program("echo 1"))]);
    let files = ["--junit", "out.xml", "--html", "out.html", "-o", "tests"];
    let run =
        shall(&folder, &[&["tests", "--component", "Pump", "--exec", "sh program.sh"], &files[..]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("was written");
    assert!(read("out.xml").contains("<failure type=\"P-2\" message=\"P-2 is violated at step 0\"/>"));
    assert!(read("out.html").contains("<td>P-2</td><td>moments</td><td>triggered</td>"));
    assert!(read("tests/Pump-1.csv").starts_with("p,y\n"));
}

#[test]
fn recorded_traces_show_some_of_it() {
    let folder = project("recorded", &[("log.csv", "p,y\n1,1\n1,1\n")]);
    let (code, report) = json(&folder, &["coverage", "--trace", "log.csv"]);
    assert_eq!(code, 1, "{report:#}");
    let status = |requirement: &str, text: &str| {
        let all = report["obligations"].as_array().expect("has obligations");
        let found = all.iter().find(|it| it["requirement"] == requirement && it["text"] == text);
        found.map(|it| it["status"].clone())
    };
    assert_eq!(status("P-1", "triggered"), Some("met".into()));
    assert_eq!(status("P-2", "triggered"), Some("missing".into()));
    assert!(report["missing_tests"].as_array().is_some_and(|it| !it.is_empty()));
    // What is missing is in the tests: with them nothing is.
    let run = shall(&folder, &["tests", "-o", "tests"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let (_, report) = json(&folder, &["coverage", "--trace", "tests"]);
    assert!(
        report["obligations"].as_array().is_some_and(|it| it.iter().all(|it| it["status"] != "missing")),
        "{report:#}"
    );
}

#[test]
fn the_same_requirements_have_the_same_tests() {
    let folder = project("same", &[]);
    let [one, two] = [(); 2].map(|()| shall(&folder, &["tests"]).out);
    assert_eq!(one, two);
}

#[test]
fn everything_about_the_examples_is_decided() {
    for name in ["cruise", "roll_autopilot", "infusion_pump"] {
        let root = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        // Strategies of the largest one take a while.
        let systems = if name == "infusion_pump" { "0" } else { "2" };
        let (_, found) = json(&project(name, &[]), &["tests", &root, "--rehearse", systems]);
        assert_eq!(found["rehearsal"]["not_shown"], serde_json::json!([]), "{name}");
        assert!(name == "cruise" || found["rehearsal"]["runs"].as_u64() > Some(100), "{name}");
        assert_eq!(found["mutants"]["undecided"], 0, "{name}");
        let obligations = found["obligations"].as_array().expect("a list");
        assert!(obligations.len() > 50 && obligations.iter().all(|it| it["status"] != "unknown"), "{name}");
    }
}

/// The names of the files in a folder.
fn files(folder: &Folder, name: &str) -> Vec<String> {
    let found = std::fs::read_dir(folder.0.join(name)).expect("is a folder");
    let mut names: Vec<String> =
        found.map(|it| it.expect("can be read").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.0.join(name)).expect("was written")
}

/// Writes the tests of the pump in a format.
fn written(format: &str, files: &[(&str, &str)]) -> Folder {
    let folder = project(&format!("to-{format}"), files);
    let run = shall(&folder, &["tests", "--to", format, "-o", "out"]);
    assert_eq!(run.code, 0, "{format}: {}{}", run.out, run.err);
    folder
}

#[test]
fn tests_are_written_for_other_tools() {
    // What is read back shows everything that the tests are for.
    let folder = written("csv", &[]);
    let (_, report) = json(&folder, &["coverage", "--trace", "out"]);
    let all = report["obligations"].as_array().expect("has obligations");
    assert!(all.iter().all(|it| it["status"] != "missing") && !all.is_empty(), "{report:#}");
    let folder = written("vcd", &[]);
    let (_, report) = json(&folder, &["log", "info", "out/Pump-1.vcd"]);
    let text = report.to_string();
    assert!(text.contains("Pump.inputs.p") && text.contains("Pump.outputs.y"), "{report:#}");
    let folder = written("fret-json", &[]);
    let tests: Json = serde_json::from_str(&read(&folder, "out/pump_tests.json")).expect("JSON");
    assert_eq!(tests[0]["testId"], "Pump-1");
    assert_eq!(tests[0]["testTrace"]["keys"], serde_json::json!(["p", "y"]));
    let rows = tests[0]["testTrace"]["values"].as_array().expect("has values");
    assert!(rows.iter().all(|it| it[0] == it[1] && (it[0] == 0 || it[0] == 1)), "{tests:#}");
    let folder = written("kind2", &[]);
    let steps: Json = serde_json::from_str(&read(&folder, "out/Pump-1.json")).expect("JSON");
    let is_step = |it: &Json| it["p"].is_boolean() && it.as_object().is_some_and(|it| it.len() == 1);
    assert!(steps.as_array().is_some_and(|it| it.iter().all(is_step)), "{steps:#}");
    let folder = written("json", &[]);
    let tests: Json = serde_json::from_str(&read(&folder, "out/pump_tests.json")).expect("JSON");
    assert_eq!(tests[0]["name"], "Pump-1");
    // Both files of MATLAB have the same inputs.
    let folder = written("signal-builder", &[]);
    let table = read(&folder, "out/Pump-1.csv");
    assert!(table.starts_with("time,p\n0,"), "{table}");
    let folder = written("mat", &[]);
    let bytes = std::fs::read(folder.0.join("out/Pump-1.mat")).expect("was written");
    let data = simulink::mat::read(&bytes, simulink::mat::Limits::default()).expect("can be read");
    let (_, value) = data.variables.iter().find(|it| it.0 == "p").expect("has the input");
    let simulink::value::Value::Matrix(matrix) = value else { panic!("{value:?}") };
    let rows = matrix.dimensions[0];
    let lines = (0..rows).map(|at| format!("{},{}", matrix.entries[at], matrix.entries[rows + at]));
    assert_eq!(lines.collect::<Vec<_>>(), table.lines().skip(1).collect::<Vec<_>>());
}

#[test]
fn formats_that_share_a_file_name_are_refused() {
    let folder = project("same-name", &[]);
    let run = shall(&folder, &["tests", "--to", "json", "--to", "fret-json", "-o", "out"]);
    assert!(
        run.code == 2 && run.err.contains("two of the formats have a file `pump_tests.json`"),
        "{}",
        run.err
    );
}

/// Runs a program, and returns its exit code with its last line.
fn ended(command: &mut Command) -> (Option<i32>, String) {
    let done = command.output().expect("the program starts");
    let out = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.code(), out)
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|it| it.status.success())
}

#[test]
fn programs_in_c_test_an_implementation() {
    if !is_there("cc") {
        return;
    }
    let folder = written("c", &[]);
    assert_eq!(files(&folder, "out"), ["pump_tests.c", "pump_tests.h"]);
    for (name, answer, code, says) in [
        ("right", "values->y = values->p;", 0, " passed, 0 failed, 0 inconclusive"),
        ("wrong", "values->y = true;", 1, "P-2 is violated at step "),
    ] {
        let text = format!(
            "#include \"pump_tests.h\"\nvoid reset(void)\n{{\n}}\nvoid step(monitor_input *values)\n{{\n    {answer}\n}}\n"
        );
        std::fs::write(folder.0.join("out/pump.c"), text).expect("can be written");
        let strict =
            ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "run", "pump.c", "pump_tests.c"];
        let built = ended(Command::new("cc").args(strict).current_dir(folder.0.join("out")));
        assert_eq!(built.0, Some(0), "{}", built.1);
        let run = ended(&mut Command::new(folder.0.join("out/run")));
        assert!(run.0 == Some(code) && run.1.contains(says), "{name}: {run:?}");
    }
}

/// The implementations that faults are seeded in have none themselves.
#[test]
fn programs_in_c_pass_for_the_examples() {
    if !is_there("cc") {
        return;
    }
    macro_rules! example {
        ($name:literal) => {
            (
                $name,
                include_str!(concat!("faults/", $name, ".md")),
                include_str!(concat!("faults/", $name, ".c")),
            )
        };
    }
    for (name, requirements, code) in
        [example!("crossing"), example!("debounce"), example!("heater"), example!("lock"), example!("tank")]
    {
        let files = [("shall.toml", "[project]\nname = \"Example\"\n"), ("requirements.md", requirements)];
        let folder = Folder::new(&format!("suites-c-{name}"), &files);
        let made = shall(&folder, &["tests", "--to", "c", "-o", "."]);
        assert_eq!(made.code, 0, "{name}: {}", made.err);
        let text = format!("#include \"{name}_tests.h\"\n{code}");
        std::fs::write(folder.0.join("system.c"), text).expect("can be written");
        let tests = format!("{name}_tests.c");
        let strict =
            ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "run", "system.c", &tests];
        let built = ended(Command::new("cc").args(strict).current_dir(&folder.0));
        assert_eq!(built.0, Some(0), "{name}: {}", built.1);
        let (code, out) = ended(&mut Command::new(folder.0.join("run")));
        assert!(matches!(code, Some(0 | 3)) && out.contains(" passed, 0 failed"), "{name}: {code:?} {out}");
    }
}

#[test]
fn modules_in_rust_test_an_implementation() {
    if !is_there("rustc") {
        return;
    }
    let folder = written("rust", &[]);
    for (name, answer, code, says) in [
        ("right", "values.y = values.p", 0, ""),
        ("wrong", "values.y = true", 101, "P-2 is violated at step "),
    ] {
        let text = format!(
            "mod pump_tests;\nuse pump_tests::{{System, check, monitor::Input}};\nstruct Pump;\n\
             impl System for Pump {{\n    fn reset(&mut self) {{}}\n    fn step(&mut self, values: &mut Input) {{ {answer} }}\n}}\n\
             fn main() {{\n    assert_eq!(check(&mut Pump), 0);\n}}\n"
        );
        std::fs::write(folder.0.join("out/main.rs"), text).expect("can be written");
        let built = ended(
            Command::new("rustc")
                .args(["--edition", "2021", "-D", "warnings", "-o", "run", "main.rs"])
                .current_dir(folder.0.join("out")),
        );
        assert_eq!(built.0, Some(0), "{}", built.1);
        let run = ended(&mut Command::new(folder.0.join("out/run")));
        assert!(run.0 == Some(code) && run.1.contains(says), "{name}: {run:?}");
    }
}

#[test]
fn files_for_pytest_test_an_implementation() {
    if !is_there("python3") {
        return;
    }
    let folder = written("pytest", &[]);
    for (name, answer, code, says) in [
        ("right", "inputs['p']", 0, " passed, 0 failed, 0 inconclusive"),
        ("wrong", "True", 1, "P-2 is violated at step "),
        ("silent", "None", 1, "an output of P-1 has no legal value at step 0"),
    ] {
        let text = format!("def reset():\n    pass\n\n\ndef step(inputs):\n    return {{'y': {answer}}}\n");
        std::fs::write(folder.0.join("out/system_under_test.py"), text).expect("can be written");
        let run =
            ended(Command::new("python3").args(["-B", "test_pump.py"]).current_dir(folder.0.join("out")));
        assert!(run.0 == Some(code) && run.1.contains(says), "{name}: {run:?}");
    }
}

#[test]
fn the_only_correct_outputs_are_told_from_free_ones() {
    let (only_one, _) = PUMP.split_once("## P-2").expect("has two requirements");
    let files = [("shall.toml", "[project]\nname = \"Pump\"\n"), ("pump.md", only_one)];
    let folder = Folder::new("suites-free", &files);
    let (_, report) = json(&folder, &["tests"]);
    for test in report["tests"].as_array().expect("has tests") {
        let steps = test["steps"].as_array().expect("has steps");
        for (at, step) in steps.iter().enumerate() {
            let is_forced = step["p"] == true;
            let (with, without) = if is_forced { ("forced", "free") } else { ("free", "forced") };
            assert_eq!(
                (&test[with][at][0], test[without][at].as_array().map(Vec::len)),
                (&"y".into(), Some(0)),
                "{test:#}"
            );
        }
    }
    let shown = shall(&folder, &["tests"]).out;
    assert!(shown.contains("(0)") && shown.contains("other outputs than those in parentheses"), "{shown}");
    let run = shall(&folder, &["tests", "--html", "out.html"]);
    assert!(
        run.code == 0 && read(&folder, "out.html").contains("<td class=\"free\">(0)</td>"),
        "{}",
        run.err
    );
}

/// The model of the roll autopilot violates two of its requirements, the first one earlier.
#[test]
fn a_simulink_model_is_tested() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/simulink");
    let model = format!("{root}/RollAutopilot.mdl");
    let run = Run::of(
        command(&["tests", root, "--component", "RollAutopilot", "--criterion", "moments", "--run", &model])
            .args(["--output-format", "json"])
            .output()
            .expect("the program starts"),
    );
    let report: Json = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.err));
    let runs = report["runs"].as_array().expect("has runs");
    let failed: Vec<&Json> = runs.iter().filter(|it| it["result"] == "failed").collect();
    assert!(run.code == 1 && !failed.is_empty(), "{runs:#?}");
    assert!(failed.iter().all(|it| it["requirement"] == "AP-101"), "{failed:#?}");
    assert!(runs.iter().all(|it| it["result"] != "broken"), "{runs:#?}");
}
