//! `shall verify` as a user meets it: verdicts, runs, errors, exit codes.

use std::process::Command;

#[test]
fn verdicts() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&folder).expect("a folder");
    let head = "node f(x: bool) returns (y: bool); ";
    for (name, text, code, parts) in [
        ("valid", "let y = x -> x or pre y; check \"p\" x => y; tel", 0, &["p: valid"][..]),
        (
            "invalid",
            "let y = x -> x or pre y; check \"p\" not y; tel",
            1,
            &["p: invalid, fails at step 0", "    x       1"],
        ),
        ("nothing", "let y = x; tel", 0, &["nothing to check"]),
        (
            "scopes",
            "let y = x; check \"q\" y; tel node g(x: bool) returns (y: bool); let y = f(true); check \"p\" y; --%MAIN; tel \
             node h(x: bool) returns (y: bool); let y = x; check \"r\" y; --%MAIN; tel",
            1,
            &["f: q: invalid", "g: p: valid", "h: r: invalid"],
        ),
        (
            "obligation",
            "con assume not x; noc let y = x; tel node g(x: bool) returns (y: bool); let y = f(x); tel",
            1,
            &["f.assume[l1c39]: invalid"],
        ),
        (
            "vacuous",
            "let y = x; check \"p\" x provided x and not x; tel",
            1,
            &["p: valid", "p.provided: unreachable"],
        ),
        ("reached", "let y = x; check reachable \"p\" x -> y and pre x; tel", 0, &["p: reachable, at step"]),
        ("loop", "let y = not y; check y; tel", 1, &["E0612"]),
        ("typo", "let y = z; tel", 1, &["E0605"]),
    ] {
        let file = folder.join(format!("{name}.lus"));
        std::fs::write(&file, format!("{head}{text}\n")).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_shall"))
            .arg("verify")
            .arg(&file)
            .env("NO_COLOR", "1")
            .output()
            .expect("the command starts");
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        assert_eq!(output.status.code(), Some(code), "{name}: {shown}");
        for part in parts {
            assert!(shown.contains(part), "{name}: {shown}");
        }
    }
}

/// Programs learn from a document of the same shape that a model is refused, and why.
#[test]
fn a_refusal_is_a_document() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&folder).expect("a folder");
    let circular = "node f(x: bool) returns (y: bool); let y = not y; check y; tel\n";
    let cases: [(&str, &str, &[&str], &str); 4] = [
        ("refused", "node f(x: bool) returns (y: bool); let y = z; tel\n", &[], "E0605"),
        ("circular", circular, &[], "E0612"),
        ("circular", circular, &["--node", "f"], "E0612"),
        ("circular", circular, &["--node", "f", "--compositional"], "E0612"),
    ];
    for (name, text, arguments, code) in cases {
        let file = folder.join(format!("{name}.lus"));
        std::fs::write(&file, text).expect("a file");
        let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
        let output = shall
            .args(["verify", "--output-format", "json"])
            .args(arguments)
            .arg(&file)
            .output()
            .expect("the command starts");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["diagnostics"][0]["code"], code, "{document}");
        assert_eq!(
            (document["properties"].as_array().map(Vec::len), output.status.code()),
            (Some(0), Some(1))
        );
    }
}

/// Properties that no engine decides share the time that there is; the command ends in time.
#[test]
fn the_time_limit_is_for_the_command() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("many.lus");
    let mut text = "node f(a, b: int) returns (x, y: int);\nlet x = 1 -> pre x * a + pre y; y = 1 -> pre y * b - pre x;\n".to_owned();
    for place in 0..60 {
        text += &format!("check x * x * x + {place} <> y * y * y + 7 * a * b * x;\n");
    }
    std::fs::write(&file, text + "tel\n").expect("a file");
    let begun = std::time::Instant::now();
    let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
    let output = shall.args(["verify", "--timeout", "3"]).arg(&file).output().expect("the command starts");
    assert!(begun.elapsed().as_secs() < 8, "{:?}", begun.elapsed());
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("x * x * x").count(), 60);
}

/// What holds for real numbers and fails in doubles is not fine for who asks about doubles.
#[test]
fn valid_but_not_in_doubles() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("doubles.lus");
    let text = "node f(x: real) returns (y: real); let y = x + 0.1; check \"p\" y - x = 0.1; tel\n";
    std::fs::write(&file, text).expect("a file");
    for (arguments, code, part) in [(&[][..], 0, "p: valid"), (&["--doubles"], 3, "in doubles it fails")] {
        let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
        let output = shall.arg("verify").args(arguments).arg(&file).env("NO_COLOR", "1").output();
        let output = output.expect("the command starts");
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        assert!(output.status.code() == Some(code) && shown.contains(part), "{arguments:?}: {shown}");
    }
}

/// Sentences about the signals of a program, in the place of its own properties.
#[test]
fn sentences() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/lustre/counter.lus");
    for (arguments, code, parts) in [
        (&["the counter shall always satisfy count <= 5"][..], 0, &["satisfy count <= 5: valid ("][..]),
        (
            &["whenever reset the counter shall immediately satisfy count = 0", "--why"],
            0,
            &["the condition is met"],
        ),
        (
            &["whenever full the counter shall immediately satisfy tick", "--sentence", "the counter shall"],
            1,
            &["invalid, fails at step", "triggered at step", "error[E0102]"],
        ),
        (&["the counter shall always satisfy size > 2"], 3, &["the model has no signal `size`"]),
        (&["the counter shall always satisfy cuont > 2"], 3, &["no signal `cuont`; did you mean `count`?"]),
        (&["the counter shall within 2 s satisfy count = LEAST", "--const", "LEAST=0"], 0, &["valid"]),
        (&["the counter shall always satisfy full", "--component", "C"], 2, &["cannot be used with"]),
    ] {
        let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
        let output =
            shall.args(["verify", program, "--sentence"]).args(arguments).env("NO_COLOR", "1").output();
        let output = output.expect("the command starts");
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {shown}");
        for part in parts {
            assert!(shown.contains(part), "{arguments:?}: {shown}");
        }
        assert!(!shown.contains("never above the limit"), "{arguments:?}: {shown}");
    }
}

/// What must happen in the end is decided on infinite runs, for Lustre and for controlled English.
#[test]
fn infinite_runs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("infinite.lus");
    let text = "node n(go: bool) returns (b, d: bool); var hidden: bool; k: int;\n\
        let b = false -> true; k = 0 -> pre k + 1; d = false -> (pre d or go); hidden = k > 5; tel\n";
    std::fs::write(&file, text).expect("a file");
    let lustre = file.display().to_string();
    let vending =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/dfrs/vending_machine_5.req").to_owned();
    let cases: [(&String, &str, i32, &[&str]); 9] = [
        (&lustre, "the n shall eventually satisfy b", 0, &["valid (explicit)"]),
        (&lustre, "the n shall eventually satisfy hidden", 0, &["valid (explicit)"]),
        (
            &lustre,
            "the n shall eventually satisfy d",
            1,
            &[
                "fails on a run that repeats step 1 for ever",
                "step     0  ↻1",
                "must hold in the end and never does",
            ],
        ),
        // The signals of the sentence are shown, and one of them grows for ever.
        (
            &lustre,
            "the n shall eventually satisfy k < 0 & hidden",
            1,
            &["internals", "    hidden", "    k ", "`k` does not repeat"],
        ),
        (&lustre, "whenever d the n shall until !b satisfy d", 0, &["valid"]),
        (&lustre, "before hidden the n shall eventually satisfy go", 1, &["fails at step 6"]),
        (&lustre, "the n shall finally satisfy d", 0, &["it requires nothing of an infinite run"]),
        (
            &vending,
            "upon system_mode = preparing_weak_coffee the machine shall eventually satisfy system_mode = idle",
            1,
            &["fails on a run that repeats"],
        ),
        (
            &vending,
            "upon system_mode = preparing_weak_coffee the machine shall eventually satisfy system_mode != preparing_weak_coffee",
            0,
            &["valid"],
        ),
    ];
    for (model, sentence, code, parts) in cases {
        let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
        let output = shall.args(["verify", model, "--sentence", sentence]).env("NO_COLOR", "1").output();
        let output = output.expect("the command starts");
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        assert_eq!(output.status.code(), Some(code), "{sentence}: {shown}");
        for part in parts {
            assert!(shown.contains(part), "{sentence}: {shown}");
        }
    }
    let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
    let sentence = "the n shall eventually satisfy d";
    let output = shall.args(["verify", &lustre, "--sentence", sentence, "--output-format", "json"]).output();
    let found: serde_json::Value =
        serde_json::from_slice(&output.expect("the command starts").stdout).expect("JSON");
    let property = &found["properties"][0];
    assert_eq!((&property["verdict"], &property["loop_start"]), (&"invalid".into(), &1.into()));
    assert_eq!(property["violated_at"], serde_json::Value::Null);
    assert_eq!(property["trace"].as_array().map(Vec::len), Some(2));
}
