//! Tests from requirements, as a user meets them: `shall tests` and `shall coverage`.
#![cfg(unix)]

mod common;
mod folder;

use common::{Run, command};
use folder::Folder;
use serde_json::Value as Json;

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
    for (name, script, code, result, reason) in [
        ("right", right.as_str(), 0, "passed", ""),
        ("wrong", &wrong, 1, "failed", ""),
        ("lost", &lost, 1, "broken", "the program ended: exit status: 3"),
        ("silent", &silent, 1, "broken", "the program did not answer within 0.3 s"),
        ("garbage", &garbage, 1, "broken", "`banana` is not a value of `y`"),
        ("two", &two, 1, "broken", "a line has 2 values, and the first line names 1 outputs"),
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
