//! Requirements judged together, as a user meets it: `shall check --set`, `shall realize` on odd input, and `shall play`.

mod common;
mod folder;

use common::{Run, command};
use folder::Folder;
use serde_json::Value as Json;
use std::io::Write as _;
use std::process::Stdio;

/// A project of one component with this table and these sentences; a sentence after `assume ` is an assumption.
fn project(name: &str, rows: &[&str], sentences: &[&str]) -> Folder {
    let mut text = String::from("# Pump\n\n| name | kind | type | definition |\n|---|---|---|---|\n");
    rows.iter().for_each(|row| text += &format!("| {} |\n", row.replace(';', "|")));
    for (number, sentence) in sentences.iter().enumerate() {
        let (sentence, role) = match sentence.strip_prefix("assume ") {
            Some(sentence) => (sentence, "\n- role: assumption\n"),
            None => (*sentence, ""),
        };
        text += &format!("\n## P-{number}\n\n```fretish\n{sentence}\n```\n{role}");
    }
    Folder::new(
        &format!("sets-{name}"),
        &[("shall.toml", "[project]\nname = \"Pump\"\n"), ("pump.md", &text)],
    )
}

fn shall(folder: &Folder, arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may close it.
    let _ = child.stdin.take().expect("there is a pipe").write_all(input.as_bytes());
    Run::of(child.wait_with_output().expect("the program ends"))
}

const ROWS: &[&str] =
    &["p;input;bool;", "q;input;bool;", "y;output;bool;", "z;output;bool;", "n;output;int 0..9;"];

const TRIANGLE: &[&str] = &[
    "whenever p the Pump shall immediately satisfy y",
    "whenever q the Pump shall immediately satisfy z",
    "the Pump shall always satisfy !(y & z) & n = 0",
];

#[test]
fn sets_are_checked() {
    let folder = project("check", ROWS, TRIANGLE);
    let alone = shall(&folder, &["check"], "");
    assert_eq!((alone.code, alone.out.as_str()), (0, "no findings in 3 requirements of 1 document\n"));
    let set = shall(&folder, &["check", "--set", "--output-format", "concise"], "");
    assert_eq!(set.code, 1, "{}", set.err);
    assert!(
        set.out
            .starts_with("pump.md:26:1: warning[W0530]: conflicts with `P-0` and `P-1`: at the first step,"),
        "{}",
        set.out
    );
    let sarif = shall(&folder, &["check", "--set", "--output-format", "sarif"], "");
    let sarif: Json = serde_json::from_str(&sarif.out).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], result["relatedLocations"].as_array().map(Vec::len)),
        (&Json::from("W0530"), Some(2))
    );
    let late = shall(&folder, &["check", "--set", "--timeout", "0"], "");
    assert_eq!(late.code, 3, "{}", late.out);
    assert!(late.out.contains("is unknown: timeout"), "{}", late.out);
    assert_eq!(shall(&folder, &["check", "--set", "--solver", "none"], "").code, 2);
}

/// Odd input has a named answer, and never a wrong verdict.
#[test]
fn odd_input_is_named() {
    let always = "the Pump shall always satisfy y";
    for (name, rows, sentences, code, expected) in [
        (
            "role",
            &["p;;bool;", "y;output;bool;"][..],
            &["when p the Pump shall immediately satisfy y"][..],
            0,
            "inferred from",
        ),
        (
            "undeclared",
            &["y;output;bool;"],
            &["when p the Pump shall immediately satisfy y"],
            0,
            "inferred from",
        ),
        ("unmentioned", &["y;output;bool;", "z;output;bool;"], &[always], 0, "realizable"),
        (
            "inputs",
            &["p;input;bool;", "y;output;bool;"],
            &["the Pump shall always satisfy p", always],
            1,
            "is it an assumption?",
        ),
        (
            "stuck",
            &["p;input;bool;", "y;output;bool;"],
            &["assume the Pump shall always satisfy p & !p", always],
            0,
            "cannot always keep the assumptions",
        ),
        (
            "cycle",
            &["a;internal;bool;b", "b;internal;bool;a", "y;output;bool;"],
            &["when a the Pump shall immediately satisfy y", always],
            3,
            "is defined by itself",
        ),
        (
            "product",
            &["u;input;real 2..3;", "x;output;real;"],
            &["the Pump shall always satisfy x * x = u"],
            3,
            "comparisons that are not linear decide",
        ),
        ("empty", &["y;output;bool;"], &[], 0, "realizable: 0 groups"),
    ] {
        let run = shall(&project(name, rows, sentences), &["realize"], "");
        assert_eq!(run.code, code, "{name}: {}{}", run.out, run.err);
        assert!((run.out.clone() + &run.err).contains(expected), "{name}: {}{}", run.out, run.err);
    }
}

#[test]
fn contracts_may_have_sets() {
    for (name, part, code, expected) in [
        ("enum", "color", 0, "f (s{RED}, s{BLUE}): realizable"),
        ("numbers", "int", 2, "contracts with sets or maps over numbers are verified, but not judged"),
    ] {
        let text = format!(
            "type color = enum {{ RED, BLUE }};\nnode imported f(c: {part}) returns (s: set<{part}>);\n\
             (*@contract guarantee c in s; guarantee s = {{c}}; *)\n"
        );
        let folder = Folder::new(&format!("contract-{name}"), &[("contract.lus", &text)]);
        let run = shall(&folder, &["realize", "contract.lus"], "");
        assert_eq!(run.code, code, "{name}: {}{}", run.out, run.err);
        assert!((run.out.clone() + &run.err).contains(expected), "{name}: {}{}", run.out, run.err);
    }
}

/// A project has components, a Lustre program has nodes.
#[test]
fn options_of_projects_and_programs_are_told_apart() {
    let folder = project("options", ROWS, TRIANGLE);
    let contract = "node imported f(c: bool) returns (d: bool);\n(*@contract guarantee c = d; *)\n";
    std::fs::write(folder.0.join("contract.lus"), contract).expect("a file");
    for command in ["realize", "play", "synthesize"] {
        for (arguments, expected) in [
            (&["--node", "f"][..], "`--node` needs a Lustre program, and . is a project"),
            (
                &["contract.lus", "--component", "Pump"],
                "`--component` needs a project, and contract.lus is a",
            ),
        ] {
            let all: Vec<&str> = [command].iter().chain(arguments).copied().collect();
            let run = shall(&folder, &all, "");
            assert!(run.code == 2 && run.err.contains(expected), "{all:?}: {}{}", run.out, run.err);
        }
        assert_eq!(shall(&folder, &[command, "contract.lus", "--node", "f"], "").code, 0);
    }
    let run = shall(&folder, &["play", "contract.lus", "--requirement", "P-0"], "");
    assert!(run.code == 2 && run.err.contains("`--requirement` needs a project"), "{}", run.err);
}

/// A controller in each form, and what the requirements leave open.
#[test]
fn controllers_are_written() {
    let folder = project("synthesize", ROWS, &TRIANGLE[..1]);
    for (form, expected) in [
        ("lustre", "node Pump_1"),
        ("c", "bool Pump_step(Pump_state *s, const Pump_input *in, Pump_output *out);"),
        ("rust", "pub fn step(&mut self, input: &Input) -> Option<Output> {"),
        ("table", "| last y | false | y |\n\n| memory | inputs | y |\n"),
    ] {
        let run = shall(&folder, &["synthesize", "--to", form], "");
        assert_eq!(run.code, 0, "{form}: {}", run.err);
        assert!(run.out.contains(expected), "{form}: {}", run.out);
        assert_eq!(run.err, "y: left open, for example at step 0, with p=0: 0, and 1 is allowed, too\n");
    }
    assert_eq!(shall(&folder, &["synthesize", "--to", "c", "-o", "pump.c"], "").code, 0);
    let [source, header] =
        ["pump.c", "pump.h"].map(|it| std::fs::read_to_string(folder.0.join(it)).expect("a file"));
    assert!(source.starts_with("#include \"pump.h\"\n") && header.contains("#ifndef PUMP_H"));
    // With all three there is no controller.
    let run = shall(&project("unrealizable", ROWS, TRIANGLE), &["synthesize", "--to", "c"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
}

#[test]
fn plays_follow_a_script() {
    let folder = project("play", ROWS, TRIANGLE);
    // The environment wins against any component.
    let run =
        shall(&folder, &["play"], "y=1 z=0\nundo\nundo\nn=12\nz=maybe\np=1\nw=1\ny\ny=0 z=1\nauto 3\nquit\n");
    assert_eq!(run.code, 1, "{}", run.err);
    for line in [
        "the environment can violate the requirements, whatever the component does",
        "you are the component and choose y, z and n; `help` lists the commands",
        "  P-0 demands y",
        "  every choice loses: the environment can force a violation",
        "  this violates P-1",
        "this is the first step",
        "error: these values break an assumption, or a declared range",
        "error: `maybe` is not a value of `z`: bool",
        "error: `p` is chosen by the other player",
        "error: there is no variable `w`",
        "error: `y` is not NAME=VALUE; try `help`",
        "a requirement is violated: `undo`, `save FILE` or `quit`",
        "P-0 is violated: triggered at step 0; `y` must hold at this step and is false.",
    ] {
        assert!(run.out.lines().any(|it| it == line), "{line}\n{}", run.out);
    }
    // A component that follows the strategy wins without the third requirement, and one that does not loses.
    let two = ["play", "--requirement", "P-0", "--requirement", "P-1", "--as", "both", "--save", "play.csv"];
    let run = shall(&folder, &two, "p=1 q=0\np=0 q=1\np=1 q=1\n");
    assert_eq!((run.code, run.out.ends_with("no requirement is violated\n")), (0, true), "{}", run.out);
    let checked = shall(&folder, &["eval", "--trace", "play.csv", "P-0", "P-1"], "");
    assert_eq!(checked.code, 0, "{}", checked.out);
    let run = shall(&folder, &two, "p=1 q=0 y=0\n");
    assert!(
        run.code == 1 && run.out.contains("  you lose with y=0\n") || run.out.contains("this violates P-0"),
        "{}",
        run.out
    );
    // The same commands from a file, as JSON.
    std::fs::write(folder.0.join("moves.txt"), "p=1 q=1   # both\n\n").expect("a file");
    let json = shall(
        &folder,
        &["play", "--as", "environment", "--script", "moves.txt", "--output-format", "json"],
        "",
    );
    let json: Json = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&json["verdict"], json["steps"].as_array().map(Vec::len)),
        (&Json::from("unrealizable"), Some(1))
    );
    // Any bytes, and no component.
    assert_eq!(shall(&folder, &["play"], "=\n==\n=1\nauto x\nsave /nowhere/else\n\u{0}\n").code, 1);
    assert_eq!(shall(&folder, &["play", "--component", "Valve"], "").code, 2);
    assert_eq!(shall(&folder, &["play", "--script", "nothing.txt"], "").code, 2);
}
