//! `shall simulate` and the counterexamples of `shall verify` as a user meets them: tables, files, JSON, errors, exit codes.

mod common;

use common::{Run, command};
use std::path::{Path, PathBuf};

fn shall(arguments: &[&str]) -> Run {
    Run::of(command(arguments).output().expect("the command starts"))
}

/// A new folder with files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

const MODEL: &str = "type gear = enum { park, drive };
node f(on: bool; x: real; n: int8; g: gear) returns (y: real; moving: bool);
(*@contract assume x >= 0.0; *)
var half: real;
let
  half = x / 2.0;
  y = half -> half + pre y / 3.0;
  moving = on and g = drive;
  check \"slow\" y < 10.0;
tel
node g(x: int) returns (y: int); let y = pre x; check \"q\" y > 0; tel
";

const INPUTS: &str = "on,x,n,g\n1,1,-3,park\n0,2.5,4,drive\n1,1/3,0,drive\n";

fn simulate(model: &str, inputs: &str, more: &[&str]) -> Run {
    let name = format!("simulate-{:?}", std::thread::current().id());
    let folder = folder(&name, &[("model.lus", model), ("inputs.csv", inputs)]);
    let [model, inputs] = ["model.lus", "inputs.csv"].map(|it| folder.join(it).display().to_string());
    shall(&[&["simulate", &model, "--trace", &inputs], more].concat())
}

#[track_caller]
fn check(inputs: &str, more: &[&str], code: i32, parts: &[&str]) {
    let run = simulate(MODEL, inputs, &[&["--node", "f"], more].concat());
    let all = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{more:?}\n{all}");
    for part in parts {
        assert!(all.contains(part), "{more:?}: `{part}` is not in\n{all}");
    }
}

#[test]
fn runs() {
    let table = "\
step        0      1       2
inputs
  on        1      0       1
  x         1    2.5     1/3
  n        -3      4       0
  g      park  drive   drive
outputs
  y       0.5  17/12  23/36
  moving    0      0       1
slow: holds at every step
";
    let run = simulate(MODEL, INPUTS, &["--node", "f"]);
    assert_eq!(run.out.replace(' ', ""), table.replace(' ', ""), "{}", run.out);
    assert_eq!(run.code, 0, "{}", run.err);
    check(INPUTS, &["--inner"], 0, &["internals", "half"]);
    check(INPUTS, &["--arithmetic", "double"], 0, &["1.4166666666666667"]);
    check(
        INPUTS,
        &["--format", "csv"],
        0,
        &["on,x,n,g,y,moving\n1,1,-3,park,0.5,0\n", "17/12", "slow: holds"],
    );
    check(INPUTS, &["--format", "vcd"], 0, &["$var wire 1 ! on $end", "sdrive"]);
    check(INPUTS, &["--format", "svg"], 0, &["<title>f: 3 steps</title>", "</svg>"]);
    check("on,x,n,g\n1,30,0,park\n", &[], 1, &["✗0", "slow: fails at step 0"]);
    check(
        "on,x,n,g\n1,-1,0,park\n1,30,0,park\n",
        &[],
        0,
        &["an assumption fails at step 0", "slow: fails at step 1, after the assumption"],
    );
}

#[test]
fn bad_inputs() {
    check("on,x,n\n1,1,1\n", &[], 2, &["no column for `g: gear`", "each input of `f`"]);
    check("on,x,n,gaer\n1,1,1,park\n", &[], 2, &["column `gaer`", "`f` has no such name"]);
    check("on,x,n,g,zzz\n1,1,1,park,1\n", &[], 2, &["column `zzz`", "the inputs are `on`, `x`, `n`, `g`"]);
    check("on,x,n,g\n2,1,1,park\n", &[], 2, &["step 0: `on` is 2, but must be a Boolean"]);
    check(
        "on,x,n,g\n1,1,1,park\n1,1,128,park\n",
        &[],
        2,
        &["step 1: `n` is 128, but must be an integer from -128 to 127"],
    );
    check("on,x,n,g\n1,1,1.5,park\n", &[], 2, &["`n` is 1.5, but must be an integer"]);
    check("on,x,n,g\n1,1,1,fly\n", &[], 2, &["`g` is `fly`, but must be one of `park`, `drive`"]);
    check("on,x,n,g\n1,low,1,park\n", &[], 2, &["`x` is `low`, but must be a number"]);
    check("", &[], 2, &["the file is empty"]);
    let run = simulate("node f(x: bool) returns (y: bool); let y = z; tel", "x\n1\n", &[]);
    assert!(run.code == 2 && run.err.contains("E0605"), "{}", run.err);
    let run = simulate(MODEL, INPUTS, &["--node", "h"]);
    assert!(run.code == 2 && run.err.contains("there is no such node"), "{}", run.err);
}

#[test]
fn what_has_no_value() {
    let run = simulate(MODEL, "x\n1\n2\n", &["--node", "g"]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.out.contains("y: not shown, because it has no value at some step"), "{}", run.out);
    assert!(run.out.contains("q: has no value at step 0"), "{}", run.out);
}

#[test]
fn json() {
    let run = simulate(MODEL, INPUTS, &["--node", "f", "--output-format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(found["steps"][2]["y"], "23/36", "{}", run.out);
    assert_eq!(found["steps"][0]["moving"], false);
    assert_eq!(found["properties"][0]["name"], "slow");
    assert_eq!(found["properties"][0]["holds"], true);
    assert_eq!(found["assumptions_violated_at"], serde_json::Value::Null);
    // What is written can be read.
    let again = simulate(MODEL, &found["steps"].to_string(), &["--node", "f", "--output-format", "json"]);
    assert_eq!(again.out, run.out);
    let csv = simulate(MODEL, INPUTS, &["--node", "f", "--inner", "--format", "csv"]).out;
    let again = simulate(MODEL, &csv, &["--node", "f", "--inner", "--format", "csv"]);
    assert_eq!(again.out, csv);
}

#[test]
fn refusals_are_json_too() {
    let model = "node f(x: bool) returns (y: bool); let y = not y; tel";
    let run = simulate(model, "x\n1\n", &["--output-format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, &found["diagnostics"][0]["code"]), (2, &"E0612".into()), "{}", run.out);
}

#[test]
fn constants_without_a_value_are_shown() {
    let model = "const n: int; node f(x: int) returns (y: bool); let y = x <= n; check \"p\" y; tel";
    let folder = folder("constants", &[("model.lus", model)]);
    let run = shall(&["verify", &folder.join("model.lus").display().to_string()]);
    assert!(run.out.contains("\n    x       1\n    n       0\n"), "{}", run.out);
}

#[test]
fn counterexamples() {
    let model = "node f(tick: bool; level: real) returns (n: int; high: bool);
var more: int;
let
  more = if tick then 1 else 0;
  n = more -> pre n + more;
  high = level > 2.25;
  check \"never three\" n < 3;
  check \"never three\" n < 3 or false;
  check \"../low\" not high;
  check \"fine\" n >= 0;
tel
";
    let folder = folder("counterexamples", &[("model.lus", model)]);
    let file = folder.join("model.lus").display().to_string();
    let saved = folder.join("saved");
    let arguments = ["verify", &file, "--save", &saved.display().to_string()];
    let run = shall(&arguments);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let table = "never three: invalid, fails at step 2";
    assert!(run.out.contains(table), "{}", run.out);
    for part in [
        "  step     0  1  ✗2\n",
        "    tick   1  1   1\n",
        "    n      1  2   3\n",
        "../low: invalid, fails at step 0",
    ] {
        assert!(run.out.contains(part), "`{part}` is not in\n{}", run.out);
    }
    assert!(!run.out.contains("more"), "{}", run.out);
    assert!(shall(&["verify", "--inner", &file]).out.contains("    more "));
    let mut names: Vec<String> = std::fs::read_dir(&saved)
        .expect("a folder")
        .map(|it| it.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected =
        ["_low", "never_three"].iter().flat_map(|it| ["csv", "svg", "vcd"].map(|end| format!("{it}.{end}")));
    assert!(expected.clone().all(|it| names.contains(&it)), "{names:?}");
    // The saved run replays to the same violation.
    let csv = saved.join("never_three.csv").display().to_string();
    let again = shall(&["simulate", &file, "--trace", &csv]);
    assert!(
        again.code == 1 && again.out.contains("never three: fails at step 2"),
        "{}{}",
        again.out,
        again.err
    );
    let twin = shall(&["verify", "--output-format", "json", &file]);
    let twin: serde_json::Value = serde_json::from_str(&twin.out).expect("JSON");
    let low = twin["properties"]
        .as_array()
        .and_then(|all| all.iter().find(|it| it["name"] == "../low"))
        .expect("a property");
    for field in ["name", "node", "verdict", "reason", "engine", "k", "seconds", "trace"] {
        assert!(low.get(field).is_some(), "{field}");
    }
    assert_eq!((&low["verdict"], &low["violated_at"]), (&"invalid".into(), &0.into()));
    assert!(low["seconds"].as_f64().is_some_and(|it| it >= 0.0));
    assert_eq!(low["trace"][0]["tick"], false);
}
