//! Ids of requirements and names of documents in the place of sentences: the project around them gives step, constants, modes and types.

mod common;
mod folder;

use folder::Folder;

const CONFIG: &str = "[project]\nname = \"Pump\"\nstep = \"100 ms\"\n";

const TANK: &str = "# Tank

| name    | kind     | type        | definition    |
|---------|----------|-------------|---------------|
| level   | input    | real 0..100 |               |
| LIMIT   | constant | int         | 80            |
| filling | mode     | bool        | `level < 50`  |
| alarm   | output   | bool        |               |
| valve   | output   | bool        |               |

## T-1: Alarm

```fretish
when level > LIMIT, the Tank shall
  within 300 milliseconds satisfy alarm
```

## T-2: Valve

```fretish
in filling mode, the Tank shall always satisfy valve
```

## T-3: Stronger

```fretish
whenever level > LIMIT, the Tank shall immediately satisfy alarm
```

## T-4: Prose only

The tank is blue.
";

const OTHER: &str = "# Pump\n\n## P-1\n\n```fretish\nthe Pump shall always satisfy speed < 3\n```\n";

fn project(name: &str) -> Folder {
    let log = "level,alarm,valve\n10,0,1\n20,0,0\n90,0,0\n90,0,0\n90,0,0\n90,0,0\n40,0,0\n85,1,0\n";
    Folder::new(
        &format!("projects-{name}"),
        &[("shall.toml", CONFIG), ("tank.md", TANK), ("more/pump.md", OTHER), ("log.csv", log)],
    )
}

#[test]
fn ids_and_documents_are_explained() {
    let folder = project("explain");
    let parts = ["T-1: when level > LIMIT, the Tank shall within 300 milliseconds satisfy alarm", "3 steps"];
    folder.check(&["explain", "T-1"], 0, &parts);
    folder.check(&["explain", "tank.md"], 0, &["T-1: when", "T-2: in filling", "T-3: whenever"]);
    folder.check(&["explain", "--project", "more", "P-1"], 0, &["P-1: the Pump"]);
    folder.check(&["explain", "T-11"], 2, &["there is no requirement `T-11`; did you mean `T-1`?"]);
    folder.check(&["explain", "T-4"], 2, &["`T-4` has no sentence"]);
    folder.check(&["explain", "--step", "1 s", "T-1"], 2, &["the project sets them"]);
    // A sentence stays a sentence, whatever is around it.
    folder.check(&["explain", "the Tank shall always satisfy T-1 > 0"], 0, &["always"]);
    folder.check(&["formalize", "T-2"], 0, &["T-2: in filling mode"]);
    let json = folder.check(&["explain", "--output-format", "json", "T-2"], 0, &[]);
    assert!(json.contains("\"id\": \"T-2\""), "{json}");
}

#[test]
fn a_document_without_a_project_is_read_by_itself() {
    let folder = Folder::new("projects-single", &[("tank.md", OTHER)]);
    folder.check(&["lint", "tank.md"], 0, &["P-1: the Pump", "no findings"]);
    folder.check(&["lint", "nowhere.md"], 1, &[]);
}

#[test]
fn definitions_and_constants_count() {
    let folder = project("compare");
    folder.check(&["compare", "T-3", "T-1"], 0, &["A: T-3: whenever", "A is stronger"]);
    // The definition of the mode takes its place.
    folder.check(
        &["compare", "T-2", "when level < 50 the Tank shall until level >= 50 satisfy valve"],
        0,
        &["A: T-2", "level"],
    );
    folder.check(
        &["compare", "T-2", "tank.md"],
        2,
        &["`tank.md` has 3 requirements; name one of them by its id"],
    );
    folder.check(&["timeline", "T-3"], 0, &["T-3: whenever level > LIMIT", "alarm"]);
    folder.check(&["timeline", "--against", "T-1", "T-3"], 0, &["A: T-3", "B: T-1"]);
    folder.check(&["lint", "T-1", "T-2"], 0, &["T-1: when", "T-2: in filling"]);
}

#[test]
fn a_log_is_checked_against_the_whole_project() {
    let folder = project("eval");
    // One requirement could not be checked, so the log is not known to have these violations only.
    folder.check(&["eval", "--trace", "log.csv"],
        3,
        &[
            "P-1: the Pump shall always satisfy speed < 3\n  not checked: the trace has no column `speed`",
            "T-1: when level > LIMIT, the Tank shall within 300 milliseconds satisfy alarm\n  violated: triggered at step 2",
            "T-2: in filling mode, the Tank shall always satisfy valve\n  violated: triggered at step 0",
            "  violated: triggered at step 6",
            "T-3: whenever level > LIMIT, the Tank shall immediately satisfy alarm\n  violated: triggered at step 2",
            "It lasts from step 2 to 5.",
            "4 requirements: 3 violated, 0 satisfied, 0 never triggered, 1 not checked",
        ],
    );
    let json = folder.check(&["eval", "--trace", "log.csv", "--output-format", "json"], 3, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let all = json["sentences"].as_array().expect("a list");
    let violations: Vec<(&str, usize)> = all
        .iter()
        .map(|it| (it["id"].as_str().unwrap_or(""), it["violations"].as_array().map_or(0, Vec::len)))
        .collect();
    assert_eq!(violations, [("P-1", 0), ("T-1", 1), ("T-2", 2), ("T-3", 1)]);
    folder.check(&["eval", "--trace", "log.csv", "P-1"], 3, &["not checked"]);
    folder.check(&["eval", "--trace", "log.csv", "T-1"], 1, &["violated: triggered at step 2"]);
    // A recorded mode is what happened, whatever its definition says.
    std::fs::write(folder.0.join("mode.csv"), "level,filling,valve\n10,0,0\n")
        .expect("the file can be written");
    folder.check(&["eval", "--trace", "mode.csv", "T-2"], 0, &["holds"]);
    let empty = Folder::new("projects-nothing", &[("log.csv", "a\n1\n")]);
    empty.check(&["eval", "--trace", "log.csv"], 2, &["there is no `shall.toml`"]);
}

#[test]
fn check_reports_the_named_document() {
    let folder = project("check");
    std::fs::write(folder.0.join("tank.md"), TANK.replace("satisfy valve", "satisfy valv")).expect("a file");
    folder.check(&["check"], 1, &["valv", "speed"]);
    folder.check(&["check", "more/pump.md"], 1, &["speed", "in 1 requirement of more/pump.md"]);
    let out = folder.check(&["check", "tank.md"], 1, &["valv", "in 4 requirements of tank.md"]);
    assert!(!out.contains("speed"), "{out}");
    folder.check(&["check", "log.csv"], 2, &["not a document of the project"]);
}
