//! What commands write as JSON is what their schemas say, no more and no less; and `docs/json.md` is made from the same types.

use serde_json::Value as Json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shall(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// What is wrong with a value, by a schema. Fields that the schema does not describe are wrong.
fn faults(value: &Json, schema: &Json, root: &Json, path: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").expect("a definition of this schema");
        return faults(value, &root["$defs"][name], root, path);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let all: Vec<Vec<String>> = any.iter().map(|it| faults(value, it, root, path)).collect();
        return if all.iter().any(Vec::is_empty) { Vec::new() } else { all.concat() };
    }
    let mut found = Vec::new();
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let types: Vec<&Json> = match &schema["type"] {
        Json::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    if !types.iter().any(|it| *it == kind || *it == "number" && kind == "integer") {
        found.push(format!("{path}: {kind} is not of type {}", schema["type"]));
    }
    match value {
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                found.extend(faults(item, &schema["items"], root, &format!("{path}[{at}]")));
            }
        }
        Json::Object(fields) => {
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
                if !fields.contains_key(name) {
                    found.push(format!("{path}: `{name}` is missing"));
                }
            }
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                match (schema["properties"].get(name), schema.get("additionalProperties")) {
                    (Some(inner), _) | (None, Some(inner)) => found.extend(faults(value, inner, root, &path)),
                    (None, None) => found.push(format!("{path}: not described")),
                }
            }
        }
        _ => {}
    }
    found
}

#[track_caller]
fn check(command: &str, arguments: &[&str], input: &str) -> Json {
    let words: Vec<&str> = command.split(' ').collect();
    let out = shall(&[&words, arguments, &["--output-format", "json"]].concat(), input);
    let value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{command}: {error}: {out}"));
    conforms(command, &value);
    value
}

#[track_caller]
fn conforms(command: &str, value: &Json) {
    let schema = shall::reference::schema(command).expect("a schema");
    let faults = faults(value, &schema, &schema, command);
    assert!(faults.is_empty(), "{}\n{value:#}", faults.join("\n"));
}

const SENTENCE: &str =
    "in roll_hold mode, when turn_knob >= 3, RollAP shall within 2 ticks satisfy reference = turn_knob";

#[test]
fn sentences() {
    let broken = "when p & & q the gear shall within 3 secnds satisfy r";
    for command in ["formalize", "explain", "lint"] {
        let value = check(command, &[SENTENCE, broken, "\"a note\""], "");
        assert_eq!(value["sentences"].as_array().map(Vec::len), Some(3));
        assert_eq!(check(command, &[SENTENCE], "")["sentences"].as_array().map(Vec::len), Some(1));
        assert_eq!(check(command, &["-"], "\n")["sentences"], Json::Array(Vec::new()));
    }
    check("formalize", &["--logic", "past", "--dialect", "spot", "the pump shall satisfy next_p & p"], "");
    let trace = "crates/shall/tests/traces/roll.csv";
    check("eval", &["--trace", trace, SENTENCE, broken, "\"a note\""], "");
    check("timeline", &["G (a -> X b)", "G (a", "H p"], "");
    check("timeline", &["--against", "F a", "G a"], "");
    check("timeline", &["--hoa", "G F a"], "");
    check("compare", &["G p", "F p"], "");
    check("compare", &["--infinite", "X G p", "G p"], "");
    check("compare", &["G (p", "F p"], "");
    check("rule", &[], "");
    check("rule", &["W0503"], "");
}

#[test]
fn projects() {
    let folder = Folder(std::env::temp_dir().join(format!("shall-json-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let path = |name: &str| folder.0.join(name).to_str().expect("a name").to_string();
    let (old, new) = (path("old"), path("new"));
    check("init", &[&old], "");
    check("init", &[&new], "");
    let document = std::fs::read_dir(&new).expect("a folder").filter_map(Result::ok).map(|it| it.path());
    let document = document.into_iter().find(|it| it.extension().is_some_and(|it| it == "md"));
    let document = document.expect("a document");
    let text = std::fs::read_to_string(&document).expect("a document");
    std::fs::write(&document, text.replace("within", "after").replacen("## ", "##  ", 1)).expect("a file");
    check("check", &["examples/roll_autopilot"], "");
    check("check", &[&new], "");
    check("fmt", &["--check", &new], "");
    let value = check("diff", &["--all", &old, &new], "");
    assert_ne!(value["requirements"].as_array().map(Vec::len), Some(0));
    check(
        "rename",
        &["component", "RollAutopilot", "Roll", "--dry-run", "--project", "examples/roll_autopilot"],
        "",
    );
    let fret = path("fret.json");
    let project = ["--project", "examples/roll_autopilot"];
    check("export", &[&["fret-json", "-o", &fret], &project[..]].concat(), "");
    check("export", &[&["smv", "-o", &path("roll.smv")], &project[..]].concat(), "");
    check("import", &[&fret, "--dry-run", "--project", &path("old")], "");
    let prose = path("prose");
    check("import", &["examples/greenhouse/requirements.csv", "--project", &prose], "");
    let value = check("propose", &["--apply", "--project", &prose], "");
    assert_eq!(value["requirements"].as_array().map(Vec::len), Some(40));
    let sheet = path("prose.csv");
    std::fs::copy(root().join("examples/greenhouse/requirements.csv"), &sheet).expect("a copy");
    let value = check("export", &["csv", "-o", &sheet, "--project", &prose], "");
    assert_eq!(value["unwritten"][0]["column"], "FRETish");
    check("report", &["examples/roll_autopilot", "-o", &path("report.html")], "");
    check("vectors", &["--limit-settings", "3", "--key", "in,*,*"], "");
}

#[test]
fn models() {
    let folder = Folder(std::env::temp_dir().join(format!("shall-json-models-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let path = |name: &str| folder.0.join(name).to_str().expect("a name").to_string();
    check("verify", &["examples/lustre/counter.lus", "--timeout", "2"], "");
    let cruise = ["--requirements", "examples/cruise", "--component", "Cruise"];
    check("verify", &[&["--timeout", "4", "--why"], &cruise[..]].concat(), "");
    let realized = check("realize", &["examples/cruise", "--conflicts", "--questions"], "");
    assert_eq!(realized["verdict"], "unrealizable");
    check("realize", &["examples/lustre/arbiter.lus"], "");
    let model =
        ["--run", "examples/cruise/cruise.lus", "--map", "brake=brake_1", "--map", "target=set_speed"];
    let suite = path("suite");
    let tests = ["examples/cruise", "--component", "Cruise", "-o", &suite];
    let tested = check("tests", &[&tests[..], &model].concat(), "");
    assert_eq!(tested["mutants"]["undecided"], 0);
    assert!(tested["runs"].as_array().is_some_and(|it| it.iter().any(|it| it["result"] == "passed")));
    let covered = check("coverage", &["examples/cruise", "--trace", &suite], "");
    assert!(
        covered["obligations"].as_array().is_some_and(|it| it.iter().all(|it| it["status"] != "missing"))
    );
    let lines = "fly\nbrake=1 engage=1 speed=40 active=0\nundo\n";
    let out = shall(&["play", "examples/cruise", "--as", "both", "--output-format", "json-lines"], lines);
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines.iter().for_each(|line| conforms("play", line));
    let steps: Vec<Option<usize>> = lines.iter().map(|line| line["steps"].as_array().map(Vec::len)).collect();
    assert_eq!(steps, [Some(0), Some(0), Some(1), Some(0)], "{out}");
    assert!(lines[1]["message"].as_str().is_some_and(|message| message.contains("`fly`")), "{}", lines[1]);
    let choices = lines[0]["next"]["choices"].as_array().map_or(0, Vec::len);
    assert!(choices > 3 && lines[0]["next"]["known"] == serde_json::json!({}), "{}", lines[0]);
    let played = check("play", &["examples/cruise", "--as", "both"], "brake=1 engage=1 speed=40 active=0\n");
    assert_eq!(played["violated"][0]["requirement"], "CC-004");
    let run =
        check("simulate", &["examples/lustre/counter.lus", "--trace", "examples/lustre/counter.csv"], "");
    assert_ne!(run["steps"].as_array().map(Vec::len), Some(0));
    let roll = "examples/simulink/RollAutopilot.mdl";
    check("model info", &[roll], "");
    check("model diagram", &[roll, "-o", &path("roll.svg")], "");
    check("model diagram", &[roll, "--subsystem", "Reference/Hold"], "");
    check("model lustre", &[roll, "-o", &path("roll.lus")], "");
    let observer = ["examples/simulink", "--component", "RollAutopilot", "-o", &path("observer.mdl")];
    check("model observer", &observer, "");
    let trace = path("trace.csv");
    let header = "engaged,heading_selected,disconnect,turn_knob,roll,sensor,aileron";
    std::fs::write(&trace, format!("{header}\ntrue,false,false,0.5,10,0,1\n")).expect("a trace");
    check("model harness", &[roll, "--trace", &trace, "-o", &path("inputs.csv")], "");
}

#[test]
fn controlled_english() {
    let file = "examples/dfrs/vending_machine_5.req";
    for command in ["dfrs frames", "dfrs model", "dfrs check", "dfrs readings"] {
        check(command, &[file], "");
    }
    check("dfrs check", &["examples/dfrs/priority_command.req"], "");
    check("dfrs check", &["-"], "When the button is true, the system shall add 1 to the counter.\n");
    check("dfrs test", &["--no-mutants", file], "");
    let vectors = "time,coin_sensor,system_mode\n0,false,idle\n1,true,idle\n";
    let table = std::env::temp_dir().join(format!("shall-json-vectors-{}.csv", std::process::id()));
    std::fs::write(&table, vectors).expect("a table");
    check("dfrs replay", &["--vectors", table.to_str().expect("a name"), file], "");
    std::fs::remove_file(table).expect("the table is ours");
    let mode = "the machine shall always satisfy system_mode = idle";
    let many = ["--sentence", mode, "--sentence", "the machine shall", "--sentence", "\"a note\""];
    let value = check("verify", &[&[file], &many[..]].concat(), "");
    assert_eq!(
        (&value["properties"][0]["name"], &value["node"]),
        (&mode.into(), &"vending_machine_5".into())
    );
    assert_eq!(value["properties"][0]["requirement"], Json::Null);
    assert_eq!(value["sentences"][2]["not_checked"], "it has no formal meaning");
    let broken = "When the coin sensor is true the system shal assign 1 to x.\n";
    let out = shall(&["dfrs", "model", "-", "--output-format", "json"], broken);
    conforms("dfrs model", &serde_json::from_str(&out).expect("JSON"));
    let commands = "wait 2 coin_sensor=true\nfly\n";
    let out = shall(&["dfrs", "animate", file, "--output-format", "json-lines"], commands);
    for line in out.lines() {
        conforms("dfrs animate", &serde_json::from_str(line).expect("JSON"));
    }
}

#[test]
fn every_field_is_described() {
    fn fields(schema: &Json, at: &str) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            assert!(field["description"].is_string(), "{at}: `{name}` has no description");
        }
        schema["anyOf"].as_array().into_iter().flatten().for_each(|variant| fields(variant, at));
    }
    for command in shall::reference::commands() {
        let schema = shall::reference::schema(command).expect("a schema");
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            fields(schema, &format!("{command}: {name}"));
        }
    }
    assert!(shall::reference::schema("no such").is_err());
}
