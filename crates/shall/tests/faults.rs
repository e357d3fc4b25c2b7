//! Seeded faults: for five components with an implementation in C, tests from the requirements tell the implementation from its mutants.
//!
//! A mutant is the implementation with one token changed, or one statement left out. All mutants of a component are compiled into one
//! program, each under names of its own, with the monitors of the requirements and the inputs of the tests; it prints the mutants of which
//! a test violates no requirement.
#![cfg(unix)]

mod common;
mod folder;

use common::{Run, command};
use folder::Folder;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A component: its requirements and its implementation.
struct Component {
    name: &'static str,
    requirements: &'static str,
    code: &'static str,
    /// Lines of mutants that do the same as the implementation, and why.
    survivors: &'static [(&'static str, &'static str)],
}

macro_rules! component {
    ($name:literal, $survivors:expr) => {
        Component {
            name: $name,
            requirements: include_str!(concat!("faults/", $name, ".md")),
            code: include_str!(concat!("faults/", $name, ".c")),
            survivors: $survivors,
        }
    };
}

const COMPONENTS: [Component; 5] = [
    component!("heater", &[("io->lamp = io->heat != io->alarm;", "it does not heat above 90 degrees")]),
    component!(
        "crossing",
        &[
            ("} else if (memory.phase <= 0) {", FROM_0_TO_3),
            ("} else if (memory.phase <= 1) {", FROM_0_TO_3),
            ("} else if (memory.phase <= 2) {", FROM_0_TO_3),
            ("io->green = io->phase <= 0 && !io->night;", FROM_0_TO_3),
            ("io->yellow = io->night || io->phase == 1 || io->phase >= 3;", FROM_0_TO_3),
        ]
    ),
    component!(
        "debounce",
        &[("if (memory.low == 3 || io->clear) {", "it stays off until the count begins anew")]
    ),
    component!("tank", &[]),
    component!(
        "lock",
        &[
            ("if (before <= 0 && io->key == 7) {", FROM_0_TO_3),
            ("io->open = io->place >= 3;", FROM_0_TO_3),
            ("io->wrong = !io->master && io->press && before != 3 && io->place == 0;", FROM_0_TO_3),
            ("io->wrong = !io->master && io->press && before < 3 && io->place <= 0;", FROM_0_TO_3),
            (
                "io->wrong = !io->master == io->press && before < 3 && io->place == 0;",
                "with the master key the place is 3",
            ),
            (
                "io->wrong = !io->master && io->press == before < 3 && io->place == 0;",
                "without a key the place stays 3",
            ),
        ]
    ),
];

const FROM_0_TO_3: &str = "the value is from 0 to 3";

/// A changed implementation, and the changed line.
struct Mutant {
    line: String,
    code: String,
}

/// The tokens of a text, with what is between them.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let length = if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else {
            let operators = ["->", "<=", ">=", "==", "!=", "&&", "||"];
            operators.iter().find(|it| rest.starts_with(**it)).map_or(first.len_utf8(), |it| it.len())
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    tokens
}

/// What a token is replaced with.
fn replacements(tokens: &[String], at: usize, fields: &[String]) -> Vec<String> {
    const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
    let token = tokens[at].as_str();
    let is_field = at > 0 && matches!(tokens[at - 1].as_str(), "->" | ".");
    if RELATIONS.contains(&token) {
        return RELATIONS.iter().filter(|it| **it != token).map(ToString::to_string).collect();
    }
    match token {
        "&&" => ["||", "==", "!="].map(str::to_owned).to_vec(),
        "||" => ["&&", "==", "!="].map(str::to_owned).to_vec(),
        "!" => vec![String::new()],
        "+" => vec!["-".to_owned()],
        // The function has the parameter `io`, which is not a value.
        "io" | "memory" if tokens.get(at + 1).is_some_and(|it| it == "->" || it == ".") => {
            vec![format!("!{token}")]
        }
        // Never.
        "if" => vec!["if (1) {} else if".to_owned()],
        "true" => vec!["false".to_owned()],
        "false" => vec!["true".to_owned()],
        _ if is_field && at > 1 && tokens[at - 2] == "io" => {
            fields.iter().filter(|it| *it != token).cloned().collect()
        }
        _ => match token.parse::<i64>() {
            Ok(number) => {
                [number + 1, number - 1, number + 10, -number - 1].map(|it| it.to_string()).to_vec()
            }
            Err(_) => Vec::new(),
        },
    }
}

/// The mutants of a step function.
fn mutants(code: &str, inputs: &[String]) -> Vec<Mutant> {
    let start = code.find("void step").expect("has a step function");
    let (head, body) = code.split_at(start);
    let tokens = tokens(body);
    let mut found = Vec::new();
    let mut add = |changed: String, at: usize| {
        let before = tokens[..at].concat();
        let number = before.matches('\n').count();
        let line = changed.lines().nth(number).unwrap_or_default().trim().to_owned();
        found.push(Mutant { line, code: format!("{head}{changed}") });
    };
    for at in 0..tokens.len() {
        // An output on the left stays: what is not set at all is left to other mutants.
        let is_left = tokens[at..].iter().take(5).skip(1).take_while(|it| *it != "\n").any(|it| it == "=");
        for with in replacements(&tokens, at, inputs) {
            if is_left {
                continue;
            }
            let mut changed = tokens.clone();
            changed[at] = with;
            add(changed.concat(), at);
        }
    }
    // Statements that are left out.
    let lines: Vec<&str> = body.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if text.ends_with(';')
            && text.contains(" = ")
            && !text.starts_with("bool")
            && !text.starts_with("int64_t")
        {
            let kept: Vec<&str> = lines.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect();
            found.push(Mutant {
                line: format!("without {text}"),
                code: format!("{head}{}\n", kept.join("\n")),
            });
        }
    }
    found
}

/// One program with all implementations, the first of which is the original.
fn program(all: &[&str], tests: &[Vec<Vec<(String, String)>>]) -> String {
    let mut text = String::from("#include \"monitor.h\"\n#include <stdio.h>\n");
    for (number, code) in all.iter().enumerate() {
        for name in ["memory", "reset", "step"] {
            let _ = writeln!(text, "#define {name} {name}_{number}");
        }
        text += code;
        for name in ["memory", "reset", "step"] {
            let _ = writeln!(text, "#undef {name}");
        }
    }
    text += "static void (*const resets[])(void) = {";
    (0..all.len()).for_each(|it| text += &format!("reset_{it}, "));
    text += "};\nstatic void (*const steps[])(monitor_input *) = {";
    (0..all.len()).for_each(|it| text += &format!("step_{it}, "));
    text += "};\nint main(void)\n{\n    unsigned k;\n    for (k = 0; k < sizeof steps / sizeof *steps; k++) {\n        unsigned violated = 0;\n        monitor_state s;\n        monitor_input in;\n";
    for test in tests {
        text += "        resets[k]();\n        monitor_init(&s);\n";
        for step in test {
            text += "        in = (monitor_input){ 0 };\n";
            step.iter().for_each(|(name, value)| {
                let _ = writeln!(text, "        in.{name} = {value};");
            });
            text += "        steps[k](&in);\n        violated += monitor_step(&s, &in);\n";
        }
        text += "        violated += monitor_end(&s);\n";
    }
    text + "        if (violated == 0) {\n            printf(\"%u\\n\", k);\n        }\n    }\n    return 0;\n}\n"
}

fn shall(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command(arguments).current_dir(folder).output().expect("the program starts"))
}

/// The number of mutants, and the lines of those that survive.
fn campaign(it: &Component) -> (usize, Vec<String>) {
    let files = [("shall.toml", "[project]\nname = \"Faults\"\n"), ("requirements.md", it.requirements)];
    let folder = Folder::new(&format!("faults-{}", it.name), &files);
    let made = shall(&folder.0, &["tests", "--output-format", "json"]);
    assert_eq!(made.code, 0, "{}: {}{}", it.name, made.out, made.err);
    let made: Json = serde_json::from_str(&made.out).expect("JSON");
    let outputs: Vec<String> = made["groups"]
        .as_array()
        .expect("has groups")
        .iter()
        .flat_map(|it| it["outputs"].as_array().cloned().unwrap_or_default())
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect();
    let mut inputs: Vec<String> = Vec::new();
    let mut tests = Vec::new();
    for test in made["tests"].as_array().expect("has tests") {
        let mut steps = Vec::new();
        for step in test["steps"].as_array().expect("has steps") {
            let values = step.as_object().expect("is an object").iter();
            let given = values.filter(|it| !outputs.contains(it.0));
            let given: Vec<(String, String)> =
                given.map(|(name, value)| (name.clone(), value.to_string())).collect();
            for (name, _) in &given {
                if !inputs.contains(name) {
                    inputs.push(name.clone());
                }
            }
            steps.push(given);
        }
        tests.push(steps);
    }
    let monitor = shall(&folder.0, &["monitor", "--to", "c", "-o", "monitor.c"]);
    assert_eq!(monitor.code, 0, "{}", monitor.err);
    let mutants = mutants(it.code, &inputs);
    let all: Vec<&str> = std::iter::once(it.code).chain(mutants.iter().map(|it| it.code.as_str())).collect();
    std::fs::write(folder.0.join("main.c"), program(&all, &tests)).expect("can be written");
    let built = Command::new("cc")
        .args(["-std=c99", "-O0", "-w", "-o", "run", "main.c", "monitor.c"])
        .current_dir(&folder.0)
        .output()
        .expect("the compiler starts");
    assert!(built.status.success(), "{}: {}", it.name, String::from_utf8_lossy(&built.stderr));
    let run = Command::new(folder.0.join("run")).output().expect("the program starts");
    let alive: Vec<usize> =
        String::from_utf8_lossy(&run.stdout).lines().filter_map(|it| it.parse().ok()).collect();
    assert_eq!(alive.first(), Some(&0), "{}: the implementation violates its requirements", it.name);
    (mutants.len(), alive[1..].iter().map(|at| mutants[at - 1].line.clone()).collect())
}

#[test]
fn tests_find_seeded_faults() {
    if Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    for it in &COMPONENTS {
        let (count, alive) = campaign(it);
        println!("{}: {count} mutants, {} alive: {alive:#?}", it.name, alive.len());
        assert!(count >= 100, "{}: {count} mutants", it.name);
        for line in &alive {
            let is_known = it.survivors.iter().any(|known| known.0 == line);
            assert!(is_known, "{}: alive without a reason: {line}", it.name);
        }
    }
}
