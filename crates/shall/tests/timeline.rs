//! `shall timeline`: what it prints and writes, and with which exit code.

use serde_json::Value as Json;
use std::process::{Command, Stdio};

/// Standard output and exit code.
fn shall(arguments: &[&str], input: &str) -> (String, i32) {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_shall"))
        .arg("timeline")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input is read");
    let output = child.wait_with_output().expect("the command ends");
    (String::from_utf8(output.stdout).expect("output is UTF-8"), output.status.code().unwrap_or(-1))
}

#[track_caller]
fn check(arguments: &[&str], code: i32, expected: &[&str]) {
    let (out, found) = shall(arguments, "");
    assert_eq!(found, code, "{arguments:?}: {out}");
    for part in expected {
        assert!(out.contains(part), "{arguments:?}: no `{part}` in\n{out}");
    }
}

#[test]
fn for_people() {
    check(
        &["F a"],
        0,
        &["class: guarantee", "start ─ [anything]* ─ (a) ─ ⟨ anything ⟩∞", "it holds unless [!a]^ω"],
    );
    check(&["--ascii", "G (a & b -> X !b)"], 0, &["class: safety", "anything"]);
    check(&["G p & G !p"], 0, &["it can never hold"]);
    check(&["p | !p"], 0, &["it always holds"]);
    check(&["--negate", "F a"], 0, &["what violates it", "⟨ ¬a ⟩∞"]);
    check(&["--negate", "p | !p"], 0, &["what violates it", "nothing violates it: it always holds"]);
    check(&["--negate", "G p & G !p"], 0, &["everything violates it: it can never hold"]);
    check(&["GFa"], 0, &["class: recurrence"]);
    check(&["a U Xb", "FGp"], 0, &["class: persistence"]);
    check(&["GFready"], 1, &[]);
    check(&["--regex", "F G a"], 0, &["[true]* [a]^ω"]);
    check(&["--stats", "G F a"], 0, &["2 states", "star height 1", "drawn nodes"]);
    check(&["--hoa", "G F a"], 0, &["HOA: v1", "--END--"]);
    assert!(shall(&["--hoa", "G F a"], "").0.starts_with("HOA: v1"), "only the automaton is printed");
    check(&["--against", "F a", "G a"], 0, &["A without B", "there is no such trace", "B without A"]);
    check(&["--finite", "X a"], 0, &["(anything) ─ (a)", "end"]);
    check(&["H (p -> O q)"], 0, &["end", "it holds unless"]);
    check(&["the pump shall always satisfy !hot"], 0, &["⟨ ¬hot ⟩∞"]);
    check(
        &["when p the pump shall within 500 ticks satisfy q"],
        0,
        &["too large to draw; what violates it", "×500"],
    );
    check(&["G (p"], 1, &[]);
    check(&["F a", "-", "G a"], 2, &[]);
    check(&["F a", "-o", "picture.bmp"], 2, &[]);
}

/// The only timeline of a JSON document.
#[track_caller]
fn first(out: &str) -> Json {
    let mut json: Json = serde_json::from_str(out).expect("JSON");
    assert_eq!(json["timelines"].as_array().map(Vec::len), Some(1), "{out}");
    json["timelines"][0].take()
}

#[test]
fn for_programs() {
    let (out, code) = shall(&["--output-format", "json", "G (a -> X b)"], "");
    assert_eq!(code, 0);
    let json = first(&out);
    for (field, expected) in [("states", 2), ("edges", 4), ("star_height", 1), ("lanes", 1)] {
        assert_eq!(json[field], expected, "{field}");
    }
    assert_eq!(json["class"], "safety");
    assert!(json["seconds"].is_f64() && json["regex_size"].is_u64() && json["length_2023"].is_u64());
    assert!(json["inside"]["loop"].is_u64() && json["error"].is_null());
    let (out, code) = shall(&["--output-format", "json-lines", "-"], "F a\nG (p\n\nG F a\n");
    assert_eq!((out.lines().count(), code), (3, 1));
    let (out, _) = shall(&["--output-format", "json", "--against", "F a", "G a"], "");
    let json = first(&out);
    assert_eq!(
        (&json["a_not_b"]["regex"], json["b_not_a"]["drawn_nodes"].is_u64()),
        (&Json::from("∅"), true)
    );
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("shall-timeline-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let starts: [(&str, &[u8]); 6] = [
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("dot", b"digraph"),
        ("tex", b"\\documentclass"),
        ("txt", b"start"),
        ("hoa", b"HOA: v1"),
    ];
    for (ending, start) in starts {
        let file = folder.join(format!("picture.{ending}"));
        let (_, code) = shall(&["G (a -> F b)", "-o", file.to_str().expect("a name")], "");
        assert_eq!(code, 0);
        let bytes = std::fs::read(&file).expect("the file is there");
        assert!(bytes.starts_with(start), "{ending}: {:?}", &bytes[..20]);
    }
    // A picture says which traces it shows.
    let title = |arguments: &[&str], name: &str| {
        let file = folder.join("it.svg");
        shall(&[arguments, &["-o", file.to_str().expect("a name")]].concat(), "");
        let svg = std::fs::read_to_string(folder.join(name)).expect("the file is there");
        svg.split_once("<title>")
            .and_then(|(_, rest)| rest.split_once("</title>"))
            .expect("a title")
            .0
            .to_owned()
    };
    assert_eq!(title(&["F a"], "it.svg"), "F a");
    assert_eq!(title(&["--negate", "F a"], "it.svg"), "What violates: F a");
    assert_eq!(title(&["F a", "G b"], "it-2.svg"), "G b");
    assert_eq!(title(&["F a", "--against", "G b"], "it-1.svg"), "F a — but not: G b");
    assert_eq!(title(&["F a", "--against", "G b"], "it-2.svg"), "G b — but not: F a");
    let large = "when p the pump shall within 500 ticks satisfy q";
    assert_eq!(title(&[large], "it.svg"), format!("What violates: {large}"));
    let pair = folder.join("pair.svg");
    shall(&["G (a -> F b)", "--against", "G (a -> X b)", "-o", pair.to_str().expect("a name")], "");
    assert!(folder.join("pair-1.svg").exists() && folder.join("pair-2.svg").exists());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
