//! Logs that grow, and monitors: the same verdicts as `shall eval`, and what is said about what cannot be watched.

mod common;
mod folder;

use base::Random;
use common::command;
use folder::Folder;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

const TANK: &str = "# Tank

## Tank

| name  | kind     | type           | definition    |
|-------|----------|----------------|---------------|
| level | input    | real           |               |
| alarm | output   | bool           |               |
| mode  | input    | enum(idle, on) |               |
| high  | internal | bool           | level > 80.05 |

";

/// Sentences of many kinds.
const SENTENCES: [&str; 9] = [
    "the Tank shall always satisfy level < 90",
    "when high the Tank shall within 2 ticks satisfy alarm",
    "in mode = on the Tank shall eventually satisfy alarm",
    "after mode = on when alarm the Tank shall until high satisfy level > 10",
    "before mode = on the Tank shall never satisfy alarm",
    "only in mode = on the Tank shall finally satisfy alarm",
    "whenever alarm the Tank shall at the next timepoint satisfy level / (level - 95) < 3",
    "the Tank shall always satisfy missing > 3",
    "the Tank shall always satisfy alarm => persists(2, high)",
];

fn project(name: &str) -> Folder {
    let mut text = TANK.to_owned();
    for (number, sentence) in SENTENCES.iter().enumerate() {
        let _ = write!(text, "## T-{}\n\n```fretish\n{sentence}\n```\n\n", number + 1);
    }
    Folder::new(name, &[("shall.toml", "[project]\nname = \"Tank\"\n"), ("tank.md", &text)])
}

/// A log with these rows; some have flaws.
fn log(random: &mut Random, rows: u64, has_flaws: bool) -> String {
    let mut text = String::from("time,level,alarm,mode\n");
    for row in 0..rows {
        let flaw = if has_flaws { random.below(40) } else { 40 };
        let level = if flaw == 0 { "" } else { random.pick(&["5", "80.05", "80.06", "89.9", "95", "90"]) };
        let alarm = if flaw == 1 { "x" } else { random.pick(&["0", "0", "1"]) };
        let mode = random.pick(&["idle", "idle", "on"]);
        let time = if flaw == 2 { 0 } else { row };
        let last = if flaw == 3 { "" } else { mode };
        let comma = if flaw == 4 { "" } else { "," };
        let _ = writeln!(text, "{time},{level},{alarm}{comma}{last}");
    }
    text
}

/// What was said about each requirement: verdict, first violating step, and number of violating steps.
fn verdicts(text: &str, id: &str, first: impl Fn(&Json) -> Json) -> BTreeMap<String, (Json, Json, Json)> {
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).expect("a JSON object"));
    let finals = lines.filter(|it| it["is_final"] != false);
    finals
        .map(|it| {
            (
                it[id].as_str().expect("an id").to_owned(),
                (it["verdict"].clone(), first(&it), it["count"].clone()),
            )
        })
        .collect()
}

#[test]
fn verdicts_are_those_of_eval() {
    let folder = project("watch-eval");
    let mut random = Random::new(4);
    let mut seen = std::collections::BTreeSet::new();
    let mut told = 0;
    for number in 0..40_u64 {
        let log = log(&mut random, 1 + number, number % 2 == 1);
        std::fs::write(folder.0.join("log.csv"), &log).expect("the folder can be written");
        let run = |arguments: &[&str]| {
            let mut child = command(arguments)
                .current_dir(&folder.0)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            // It may end before it has read everything.
            let _ = child.stdin.take().expect("a pipe").write_all(log.as_bytes());
            let output = child.wait_with_output().expect("the program ends");
            String::from_utf8(output.stdout).expect("text")
        };
        let watched = run(&["watch", "--output-format", "json-lines"]);
        let evaluated = run(&["eval", "--trace", "log.csv", "--output-format", "json-lines"]);
        told += same_reasons(&watched, &evaluated);
        let watched = verdicts(&watched, "requirement", |it| it["step"].clone());
        let mut evaluated = verdicts(&evaluated, "requirement", |it| it["violations"][0]["step"].clone());
        // What looks ahead cannot be watched.
        evaluated.remove("T-9");
        assert_eq!(watched, evaluated, "{log}");
        seen.extend(watched.into_values().map(|(verdict, ..)| verdict.to_string()));
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(told > 50, "{told}");
}

/// Compares the trigger and the reason of each violation that `watch` tells with those of `eval`, and returns how many were compared.
fn same_reasons(watched: &str, evaluated: &str) -> usize {
    let lines = |text: &str| -> Vec<Json> {
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
    };
    let evaluated = lines(evaluated);
    let mut count = 0;
    for event in lines(watched).iter().filter(|it| it["is_final"] == false) {
        let verdict = evaluated.iter().find(|it| it["requirement"] == event["requirement"]);
        let violations = verdict.and_then(|it| it["violations"].as_array()).expect("a verdict");
        // Without the rows that follow, some violations are not told by `eval`: the order of the rows is in doubt.
        let Some(same) = violations.iter().find(|it| it["step"] == event["step"]) else { continue };
        assert_eq!(event["trigger"], same["trigger"], "{event}");
        assert!(event["reason"].as_str().is_some_and(|it| !it.is_empty()), "{event}");
        count += 1;
    }
    count
}

#[test]
fn columns_are_found_as_by_eval() {
    let config = "[project]\nname = \"Tank\"\n\n[logs.map]\nlevel = \"Tank.Level\"\n";
    let text = format!("{TANK}## T-1\n\n```fretish\n{}\n```\n\n", SENTENCES[0]);
    let folder = Folder::new("watch-map", &[("shall.toml", config), ("tank.md", &text)]);
    for (header, arguments) in [("Tank.Level", &[][..]), ("LEVEL", &[]), ("other", &["--map", "level=other"])]
    {
        let log = format!("time,{header}\n0,5\n1,99\n");
        let mut child = command(&[&["watch"], arguments].concat())
            .current_dir(&folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(log.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("the program ends");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.starts_with("T-1: violated at step 1, time 1: "), "{header}: {text}");
    }
}

#[test]
fn a_violation_is_told_before_the_next_row_arrives() {
    let folder = project("watch-early");
    let mut child = command(&["watch", "T-1"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    input.write_all(b"time,level,alarm,mode\n0,5,0,on\n1,99,0,on\n").expect("it reads");
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert!(
        line.starts_with("T-1: violated at step 1, time 1: triggered at step 0; `level < 90` must"),
        "{line}"
    );
    input.write_all(b"2,5,0,on\n3,95,0,on\n").expect("it reads");
    line.clear();
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("T-1: violated at step 3, time 3: "), "{line}");
    drop(input);
    line.clear();
    output.read_line(&mut line).expect("a line");
    assert_eq!(line, "T-1: violated, first at step 1, time 1; 2 steps in all\n");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn monitors_are_written_for_projects_ids_and_sentences() {
    let folder = project("monitor-files");
    let left_out = "warning: `T-9` is left out: `persists` looks into the future";
    folder.check(
        &["monitor", "--to", "c", "-o", "tank.c"],
        1,
        &["7 requirements, ", left_out, "`T-7` is left out: it divides by"],
    );
    let header = std::fs::read_to_string(folder.0.join("tank.h")).expect("a header");
    let source = std::fs::read_to_string(folder.0.join("tank.c")).expect("a source");
    assert!(source.starts_with("#include \"tank.h\"\n") && header.contains("left out: T-9"), "{header}");
    folder.check(&["monitor", "--to", "rust", "T-1", "T-2"], 0, &["pub fn step", "2 requirements, "]);
    folder.check(&["monitor", "--to", "python", "--component", "Tank", "T-1"], 0, &["class Monitor"]);
    folder.check(
        &["monitor", "--to", "c", "T-10"],
        2,
        &["there is no requirement `T-10`; did you mean `T-1`?"],
    );
    folder.check(&["monitor", "--to", "c", SENTENCES[0], "T-1"], 2, &["sentences cannot be combined"]);
    folder.check(&["monitor", "--to", "c", "the Tank shall always satisfy"], 1, &["error"]);
    folder.check(
        &["monitor", "--to", "c", "the Tank shal satisfy q"],
        1,
        &["expected `shall`, found `shal`"],
    );
    folder.check(&["monitor", "--to", "c", "--name", "1", "T-1"], 2, &["`1` cannot begin a name"]);
    folder.check(&["monitor", "--to", "c", "T-9"], 2, &["no requirement can be watched; T-9: `persists`"]);
    folder.check(&["monitor", "--to", "sql", "T-1", "--dialect", "spark"], 0, &["`level` AS c1_level"]);
    folder.check(
        &["monitor", "--to", "r2u2", "T-4"],
        0,
        &["warning: `T-4` uses S, which R2U2 4.x misjudges"],
    );
    folder.check(
        &["monitor", "--to", "c", "-o", "t.c", "--output-format", "json", "T-1"],
        0,
        &["\"state_bytes\": 3", "\"header\": \"t.h\""],
    );
}
