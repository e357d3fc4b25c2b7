//! `shall dfrs` on the examples: what it prints, as text and as JSON, and with which exit code.

mod common;

use common::{Run, command};
use serde_json::Value as Json;
use std::io::Write as _;
use std::process::Stdio;

/// Runs a question about an example; other texts come on standard input.
fn shall(arguments: &[&str], example: &str, input: &str) -> Run {
    let file = match example {
        "-" => "-".to_string(),
        _ => format!("{}/../../examples/dfrs/{example}.req", env!("CARGO_MANIFEST_DIR")),
    };
    let mut child = command(&["dfrs"])
        .args(arguments)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that fails early does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    Run::of(output)
}

#[track_caller]
fn check(arguments: &[&str], example: &str, input: &str, code: i32, expected: &[&str]) {
    let Run { code: found, out, err } = shall(arguments, example, input);
    assert_eq!(found, code, "{arguments:?} {example}: {out}{err}");
    for part in expected {
        assert!(
            out.contains(part) || err.contains(part),
            "{arguments:?} {example}: no `{part}` in\n{out}{err}"
        );
    }
}

#[track_caller]
fn json(arguments: &[&str], example: &str, input: &str) -> Json {
    let Run { out, err, .. } = shall(&[arguments, &["--output-format", "json"]].concat(), example, input);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

#[test]
fn findings_of_the_examples() {
    let proved = ["consistent, free of time locks, every requirement reachable", "0 errors, 0 warnings"];
    check(&["check"], "vending_machine_5", "", 0, &proved);
    check(&["check"], "vending_machine_6", "", 0, &proved);
    check(
        &["check"],
        "priority_command",
        "",
        1,
        &[
            "no requirement says what to do when the left priority button is pressed, and the right priority button is pressed",
            "REQ007 never changes anything",
            "REQ008 never changes anything",
            "0 errors, 3 warnings",
        ],
    );
    check(
        &["check"],
        "turn_indicator",
        "",
        1,
        &[
            "REQ005 never changes anything",
            "once the flashing mode is no longer no flashing, it can never be no flashing again",
            "REQ006 ends other values of the indication lights after a time, but nothing ends both",
            "0 errors, 8 warnings",
        ],
    );
    check(&["check", "--semantics", "A"], "safety_injection", "", 1, &["REQ005 and REQ008 keep reacting"]);
    check(&["check", "--one-input"], "safety_injection", "", 1, &["REQ008", "free of time locks"]);
    check(
        &["check", "--limit-states", "3"],
        "vending_machine_5",
        "",
        3,
        &["the limit was reached: the rest is unknown"],
    );
    let found = json(&["check"], "priority_command", "");
    assert_eq!(
        (&found["complete"], found["findings"].as_array().map(Vec::len)),
        (&Json::from(true), Some(4))
    );
    assert_eq!(found["findings"][1]["scenario"][1]["fired"][0], "REQ005");
}

#[test]
fn the_paper_s_tiny_examples() {
    let contradiction = "When input1 is true, the system shall assign 1 to output1.\n\
                         When input1 is true, the system shall assign 2 to output1.\n";
    check(
        &["check"],
        "-",
        contradiction,
        1,
        &["REQ001 and REQ002 assign different values", "time cannot advance"],
    );
    let impossible = "When input1 is true, and input1 is false, the system shall assign 1 to output1.\n";
    check(&["check"], "-", impossible, 1, &["REQ001 can never apply"]);
    check(
        &["check"],
        "-",
        "When the coin sensor is true the system shal assign 1 to x.\n",
        1,
        &["error[E0", "-->"],
    );
    let computed = "When the button is true, the system shall add 1 to the counter.\n";
    check(&["check"], "-", computed, 3, &["not decided: `counter` is compared with or computed"]);
}

#[test]
fn models() {
    check(&["model"], "vending_machine_5", "", 0, &["request_timer", "REQ005"]);
    check(
        &["frames"],
        "vending_machine_5",
        "",
        0,
        &["CPT: the coin sensor", "AGT: the coffee machine system"],
    );
    let model = json(&["model"], "vending_machine_5", "");
    assert_eq!(model["variables"][0]["name"], "coffee_request_button");
    assert_eq!(model["functions"][0]["entries"][0]["guard"][0][0], "the system mode is idle");
    let frames = json(&["frames"], "vending_machine_5", "");
    assert_eq!(frames["sentences"][2]["conditions"][1][0]["cac"], "changes");
    check(&["readings"], "turn_indicator", "", 0, &["write conflicts", "A and C differ"]);
    assert_eq!(json(&["readings"], "priority_command", "")["readings"][2]["write_conflicts"], 0);
}

#[test]
fn a_run_by_hand() {
    let commands = "wait 2 coin_sensor=true\nwait 3 coin_sensor=false\nwait 7 coffee_request_button=pressed\n\
                    wait 31\nwait 20\nback\nwait 1 lever=up\nfly\n";
    check(
        &["animate"],
        "vending_machine_5",
        commands,
        0,
        &[
            "time 2, after REQ001",
            "too long: REQ004 has to react after at most 30",
            "the coffee machine output is weak",
            "there is no input `lever`",
            "unknown command `fly`",
        ],
    );
    let run = shall(&["animate", "--output-format", "json-lines"], "vending_machine_5", commands);
    let lines: Vec<Json> = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[1]["state"]["values"]["system_mode"], "choice");
    assert_eq!(lines[3]["deadline"]["requirement"], "REQ004");
}

#[test]
fn replayed_vectors() {
    let folder = std::env::temp_dir().join(format!("shall-dfrs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (run, wrong) = (folder.join("run.csv"), folder.join("wrong.csv"));
    let save = format!("wait 2 coin_sensor=true\nwait 3 coin_sensor=false\nsave {}\n", run.display());
    check(&["animate"], "vending_machine_5", &save, 0, &[]);
    let vectors = |file: &std::path::Path| file.to_str().expect("a name").to_string();
    check(&["replay", "--vectors", &vectors(&run)], "vending_machine_5", "", 0, &["1 deterministic"]);
    let text = std::fs::read_to_string(&run).expect("the run").replace("choice", "idle");
    std::fs::write(&wrong, text).expect("a file");
    let report = json(&["replay", "--vectors", &vectors(&wrong)], "vending_machine_5", "");
    assert_eq!((&report["cases"], &report["compatible"]), (&Json::from(1), &Json::from(0)));
    assert_eq!(report["rejected"][0]["row"], 3);
    assert!(report["rejected"][0]["reason"].as_str().is_some_and(|reason| reason.contains("by REQ001")));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn tests_are_made_and_pass() {
    let folder = std::env::temp_dir().join(format!("shall-dfrs-tests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).to_str().expect("a name").to_string();
    let (table, program) = (file("tests.csv"), file("tests.c"));
    check(
        &["test", "-o", &table],
        "vending_machine_5",
        "",
        0,
        &["# requirements: 5 covered, 0 unreachable", "0 unknown"],
    );
    check(&["replay", "--vectors", &table], "vending_machine_5", "", 0, &["0 possible, 0 wrong"]);
    check(&["test", "--no-mutants", "-o", &program], "vending_machine_5", "", 0, &["# boundaries"]);
    assert!(std::fs::read_to_string(&program).expect("a program").contains("int main"));
    check(&["test", "-o", &file("tests.doc")], "vending_machine_5", "", 2, &["must end in .csv or .c"]);
    let suite = json(&["test", "--no-mutants"], "priority_command", "");
    assert_eq!(suite["coverage"]["requirements"]["unreachable"], 2);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn exports() {
    for (target, part) in [
        ("dot", "digraph"),
        ("uppaal", "<nta>"),
        ("smv", "MODULE main"),
        ("scr", "REQ001"),
        ("scr-csv", "REQ001"),
        ("csp-sharp", "REQ001"),
        ("cspm", "tock"),
        ("tiots-dot", "digraph"),
        ("tiots-aut", "des ("),
    ] {
        check(&["export", "--to", target], "priority_command", "", 0, &[part]);
    }
    check(&["export", "--to", "smv", "--dense"], "vending_machine_5", "", 2, &["counts time in steps"]);
    let file = std::env::temp_dir().join(format!("shall-run-{}.svg", std::process::id()));
    let commands = format!("wait 2 coin_sensor=true\nwait 3 coin_sensor=false\nsave {}\n", file.display());
    check(&["animate"], "vending_machine_5", &commands, 0, &[]);
    assert!(std::fs::read_to_string(&file).expect("a picture").starts_with("<svg"));
    std::fs::remove_file(&file).expect("the file is ours");
}

/// Runs `shall` on an example of controlled English, with other arguments around it.
fn on_example(before: &[&str], example: &str, after: &[&str]) -> Run {
    let file = format!("{}/../../examples/dfrs/{example}.req", env!("CARGO_MANIFEST_DIR"));
    Run::of(command(before).arg(file).args(after).output().expect("the command starts"))
}

#[test]
fn sentences_on_the_model() {
    for (example, sentence, code, part) in [
        (
            "vending_machine_5",
            "the machine shall always satisfy system_mode = idle | system_mode = choice",
            1,
            "triggered at step 0; `system_mode = idle | system_mode = choice` must always hold",
        ),
        (
            "vending_machine_5",
            "upon system_mode = preparing_weak_coffee the machine shall within 30 ticks satisfy \
             !(system_mode = preparing_weak_coffee)",
            0,
            ": valid (",
        ),
        (
            "safety_injection",
            "the plant shall always satisfy overridden_mode => safety_injection_mode = off",
            0,
            ": valid (",
        ),
        (
            "priority_command",
            "the panel shall always satisfy nobody_knows_this",
            3,
            "not checked: the model has no signal `nobody_knows_this`",
        ),
        ("priority_command", "the panel shall", 1, "E0102"),
        ("priority_command", "\"a note\"", 3, "not checked: it has no formal meaning"),
    ] {
        // Visiting all states is enough, but the engines use the time that is left for a certificate.
        let run = on_example(&["verify", "--timeout", "10"], example, &["--sentence", sentence]);
        let Run { code: found, out, err } = run;
        assert_eq!(found, code, "{sentence}: {out}{err}");
        assert!(out.contains(part) || err.contains(part), "{sentence}: {out}{err}");
    }
}

#[test]
fn the_old_spelling_of_verify() {
    let sentence = "the machine shall always satisfy system_mode = idle";
    let new = on_example(&["verify"], "vending_machine_5", &["--semantics", "b", "--sentence", sentence]);
    let flags = ["dfrs", "verify", "--semantics", "B", "--budget", "7"];
    let old = on_example(&flags, "vending_machine_5", &[sentence]);
    assert_eq!((old.code, old.out), (1, new.out), "{}", old.err);
    assert!(old.err.contains("is now `shall verify FILE --sentence SENTENCE`"), "{}", old.err);
}

#[test]
fn flags_of_controlled_english_are_for_no_other_model() {
    let program = format!("{}/../../examples/lustre/counter.lus", env!("CARGO_MANIFEST_DIR"));
    let refused = command(&["verify", &program, "--semantics", "a"]).output().expect("the command starts");
    assert_eq!(Run::of(refused).code, 2);
    let other = on_example(&["verify", "--node", "other"], "vending_machine_5", &[]);
    assert!(other.code == 2 && other.err.contains("there is `vending_machine_5`"), "{}", other.err);
    let none = on_example(&["verify"], "vending_machine_5", &[]);
    assert!(none.code == 0 && none.err.contains("has no properties: nothing to check"), "{}", none.err);
}
