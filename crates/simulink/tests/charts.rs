//! Stateflow charts with traces derived by hand from the documented order of execution. Each chart is written in both file formats.
//!
//! A line is a state (`state A.B entry: x = 1;`), a default transition (`-> A`), a transition (`A -> B [u > 0]`), one that is drawn
//! inside its source (`inner A -> A.B`), a junction (`junction j`, `junction P.j`), a history junction (`history P`), a function
//! (`function y = f(a)`), or data (`input u`, `output y int8 = 1`, `local x`, `local v double[3]`, `constant k = 3`). `parallel` before a
//! state, or alone for the chart, means that what is inside runs side by side. Transitions have the order of their lines. `event E rising`
//! is an event at which the chart runs, an input of the model after the others; `sends E call` is one that it sends.

mod common;

use common::model::{check_system, planned};
use common::{archive, reading};
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::plan;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Kind, number, parent, entries.
type Object = (String, usize, usize, Vec<(String, String)>);

#[derive(Default)]
struct Drawn {
    objects: Vec<Object>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    events: Vec<String>,
    parallel: bool,
}

/// The objects of a chart; the chart is number 1.
fn drawn(text: &str) -> Drawn {
    let mut drawn = Drawn::default();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::from([(String::new(), 1)]);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let mut next = 10;
    let mut number = |numbers: &mut BTreeMap<String, usize>, name: &str| {
        next += 1;
        numbers.insert(name.to_owned(), next);
        next
    };
    let above = |path: &str| path.rsplit_once('.').map_or("", |it| it.0).to_owned();
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let mut order = 0;
    for line in &lines {
        let (parallel, rest) = match line.strip_prefix("parallel") {
            Some("") => {
                drawn.parallel = true;
                continue;
            }
            Some(rest) => (true, rest.trim()),
            None => (false, *line),
        };
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        order += 1;
        match word {
            "state" => {
                let (path, actions) = rest.split_once(' ').unwrap_or((rest, ""));
                let name = path.rsplit('.').next().unwrap_or(path);
                let id = number(&mut numbers, path);
                let label = format!("{name}\n{}", actions.replace(" | ", "\n"));
                let decomposition = if parallel { "SET_STATE" } else { "CLUSTER_STATE" };
                let entries = vec![
                    pair("labelString", &label),
                    pair("type", "OR_STATE"),
                    pair("decomposition", decomposition),
                    pair("executionOrder", &order.to_string()),
                ];
                drawn.objects.push(("state".to_owned(), id, numbers[&above(path)], entries));
            }
            "function" => {
                let name = rest.split('(').next().unwrap_or("").rsplit('=').next().unwrap_or("").trim();
                let id = number(&mut numbers, name);
                let entries = vec![pair("labelString", rest), pair("type", "FUNC_STATE")];
                drawn.objects.push(("state".to_owned(), id, 1, entries));
                let (result, inside) = rest.split_once('(').unwrap_or((rest, ""));
                let mut data = |name: &str, scope: &str| {
                    let own = number(&mut numbers, &format!("data {id} {name}"));
                    let entries = vec![pair("name", name), pair("scope", scope), pair("dataType", "double")];
                    drawn.objects.push(("data".to_owned(), own, id, entries));
                };
                for name in inside.trim_end_matches(')').split(',').map(str::trim).filter(|it| !it.is_empty())
                {
                    data(name, "FUNCTION_INPUT_DATA");
                }
                if let Some((name, _)) = result.split_once('=') {
                    data(name.trim(), "FUNCTION_OUTPUT_DATA");
                }
            }
            "junction" => {
                let id = number(&mut numbers, rest);
                let entries = vec![pair("type", "CONNECTIVE_JUNCTION")];
                drawn.objects.push(("junction".to_owned(), id, numbers[&above(rest)], entries));
            }
            "history" => {
                let id = number(&mut numbers, &format!("history {rest}"));
                let entries = vec![pair("type", "HISTORY_JUNCTION")];
                drawn.objects.push(("junction".to_owned(), id, numbers[rest], entries));
            }
            "input" | "output" | "local" | "constant" | "parameter" => {
                let (head, initial) = rest.split_once(" = ").unwrap_or((rest, ""));
                let (name, class) = head.split_once(' ').unwrap_or((head, "double"));
                let (class, size) = class.trim_end_matches(']').split_once('[').unwrap_or((class, ""));
                match word {
                    "input" => drawn.inputs.push(name.to_owned()),
                    "output" => drawn.outputs.push(name.to_owned()),
                    _ => {}
                }
                let id = number(&mut numbers, &format!("data {name}"));
                let scope = format!("{}_DATA", word.to_uppercase());
                let entries = vec![
                    pair("name", name),
                    pair("scope", &scope),
                    pair("dataType", class),
                    pair("initialValue", initial),
                    pair("size", size),
                ];
                drawn.objects.push(("data".to_owned(), id, 1, entries));
            }
            "event" | "sends" => {
                let (name, trigger) = rest.split_once(' ').unwrap_or((rest, "either"));
                let list = if word == "event" { &mut drawn.events } else { &mut drawn.outputs };
                list.push(name.to_owned());
                let id = number(&mut numbers, &format!("event {name}"));
                let trigger = match trigger {
                    "call" => "FUNCTION_CALL_EVENT".to_owned(),
                    edge => format!("{}_EDGE_EVENT", edge.to_uppercase()),
                };
                let scope = if word == "event" { "INPUT_EVENT" } else { "OUTPUT_EVENT" };
                let entries = vec![pair("name", name), pair("scope", scope), pair("trigger", &trigger)];
                drawn.objects.push(("event".to_owned(), id, 1, entries));
            }
            _ => {}
        }
    }
    order = 0;
    for line in lines.iter().filter(|it| it.contains("->")) {
        let (inner, rest) = line.strip_prefix("inner ").map_or((false, *line), |it| (true, it));
        let (from, rest) = rest.split_once("->").expect(line);
        let from = from.trim();
        let rest = rest.trim();
        let (to, label) = rest.split_once(' ').unwrap_or((rest, ""));
        order += 1;
        let end = |name: &str| numbers.get(name).copied().unwrap_or_else(|| panic!("{line}: no `{name}`"));
        let parent = match from {
            "" => end(&above(to)),
            _ if inner => end(from),
            _ => end(&above(from)),
        };
        let mut entries = vec![pair("labelString", label), pair("executionOrder", &order.to_string())];
        if !from.is_empty() {
            entries.push(pair("src", &end(from).to_string()));
        }
        entries.push(pair("dst", &end(to).to_string()));
        let id = 1000 + order;
        drawn.objects.push(("transition".to_owned(), id, parent, entries));
    }
    drawn
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The model as text: a chart between ports.
fn as_text(text: &str, language: &str) -> String {
    let drawn = drawn(text);
    let mut inside = String::new();
    let mut outside = String::new();
    for (kind, names) in [("Inport", &drawn.inputs), ("Outport", &drawn.outputs)] {
        for (place, name) in names.iter().enumerate() {
            let port = place + 1;
            let block = format!("Block {{\nBlockType {kind}\nName \"{name}\"\nPort \"{port}\"\n}}\n");
            inside += &block;
            let class = drawn
                .objects
                .iter()
                .find(|it| it.0 == "data" && it.3[0].1 == *name)
                .map(|it| it.3[2].1.clone());
            let class = class.filter(|_| kind == "Inport").map(|it| format!("OutDataTypeStr \"{it}\"\n}}\n"));
            outside += &match class {
                Some(class) => block.trim_end().trim_end_matches('}').to_owned() + &class,
                None => block,
            };
            let (from, to) = if kind == "Inport" {
                (format!("{name}\"\nSrcPort 1"), format!("c\"\nDstPort {port}"))
            } else {
                (format!("c\"\nSrcPort {port}"), format!("{name}\"\nDstPort 1"))
            };
            write!(outside, "Line {{\nSrcBlock \"{from}\nDstBlock \"{to}\n}}\n").expect("a string");
        }
    }
    if !drawn.events.is_empty() {
        let count = drawn.events.len();
        write!(outside, "Block {{\nBlockType Mux\nName \"all\"\nInputs \"{count}\"\n}}\n").expect("a string");
        for (place, name) in drawn.events.iter().enumerate() {
            let (port, input) = (drawn.inputs.len() + place + 1, place + 1);
            write!(
                outside,
                "Block {{\nBlockType Inport\nName \"{name}\"\nPort \"{port}\"\n}}\n\
                 Line {{\nSrcBlock \"{name}\"\nSrcPort 1\nDstBlock \"all\"\nDstPort {input}\n}}\n"
            )
            .expect("a string");
        }
        outside += "Line {\nSrcBlock \"all\"\nSrcPort 1\nDstBlock \"c\"\nDstPort trigger\n}\n";
        inside += "Block {\nBlockType TriggerPort\nName \"events\"\n}\n";
    }
    let decomposition = if drawn.parallel { "SET_CHART" } else { "CLUSTER_CHART" };
    let mut flow = format!(
        "machine {{\nid 0\nname \"m\"\n}}\nchart {{\nid 1\nname \"c\"\n{language}decomposition {decomposition}\n}}\ninstance {{\nid 2\nname \"c\"\nmachine 0\nchart 1\n}}\n"
    );
    for (kind, id, parent, entries) in &drawn.objects {
        let node = if kind == "state" { "treeNode" } else { "linkNode" };
        write!(flow, "{kind} {{\nid {id}\n{node} [{parent} 0 0 0]\nchart 1\n").expect("a string");
        for (key, value) in entries {
            match key.as_str() {
                "src" | "dst" => write!(flow, "{key} {{\nid {value}\n}}\n"),
                "initialValue" => {
                    let size = &entries[4].1;
                    write!(flow, "props {{\n{key} \"{value}\"\narray {{\nsize \"{size}\"\n}}\n}}\n")
                }
                "size" => Ok(()),
                _ => writeln!(flow, "{key} \"{}\"", quoted(value)),
            }
            .expect("a string");
        }
        flow += "}\n";
    }
    format!(
        "Model {{\nName \"m\"\nSolver \"FixedStepDiscrete\"\nFixedStep \"0.5\"\nSystem {{\n{outside}Block {{\nBlockType SubSystem\nName \"c\"\n\
         System {{\n{inside}}}\n}}\n}}\n}}\nStateflow {{\n{flow}}}\n"
    )
}

/// The same as a package: the diagram of the text, and the objects nested.
fn as_package(text: &str, language: &str) -> Vec<u8> {
    let drawn = drawn(text);
    fn objects(drawn: &Drawn, parent: usize, out: &mut String) {
        for (kind, id, own, entries) in drawn.objects.iter().filter(|it| it.2 == parent) {
            write!(out, "<{kind} SSID=\"{id}\">").expect("a string");
            for (key, value) in entries {
                let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                match key.as_str() {
                    "src" | "dst" => write!(out, "<{key}><P Name=\"SSID\">{value}</P></{key}>"),
                    "initialValue" => {
                        let size = &entries[4].1;
                        write!(out, "<props><P Name=\"{key}\">{value}</P><array><P Name=\"size\">{size}</P></array></props>")
                    }
                    "size" => Ok(()),
                    _ => write!(out, "<P Name=\"{key}\">{value}</P>"),
                }
                .expect("a string");
            }
            if own != id {
                out.push_str("<Children>");
                objects(drawn, *id, out);
                out.push_str("</Children>");
            }
            write!(out, "</{kind}>").expect("a string");
        }
    }
    let mut inner = String::new();
    objects(&drawn, 1, &mut inner);
    let decomposition = if drawn.parallel { "SET_CHART" } else { "CLUSTER_CHART" };
    let language = language
        .split_whitespace()
        .nth(1)
        .map_or(String::new(), |it| format!("<P Name=\"actionLanguage\">{it}</P>"));
    let flow = format!(
        "<Stateflow><machine id=\"0\"><Children><chart id=\"1\"><P Name=\"name\">c</P>{language}<P Name=\"decomposition\">{decomposition}</P>\
         <Children>{inner}</Children></chart></Children></machine><instance id=\"2\"><P Name=\"name\">c</P><P Name=\"chart\">1</P></instance></Stateflow>"
    );
    let mut system = String::new();
    let mut inside = String::new();
    for (kind, names) in [("Inport", &drawn.inputs), ("Outport", &drawn.outputs)] {
        for (place, name) in names.iter().enumerate() {
            let (port, sid) = (place + 1, format!("{kind}{place}"));
            let class = drawn
                .objects
                .iter()
                .find(|it| it.0 == "data" && it.3[0].1 == *name)
                .map(|it| it.3[2].1.clone());
            let class = class.filter(|_| kind == "Inport").unwrap_or_default();
            let class =
                if class.is_empty() { class } else { format!("<P Name=\"OutDataTypeStr\">{class}</P>") };
            write!(system, "<Block BlockType=\"{kind}\" Name=\"{name}\" SID=\"{sid}\"><P Name=\"Port\">{port}</P>{class}</Block>").expect("a string");
            write!(inside, "<Block BlockType=\"{kind}\" Name=\"{name}\" SID=\"i{sid}\"><P Name=\"Port\">{port}</P></Block>").expect("a string");
            let (from, to) = if kind == "Inport" {
                (format!("{sid}#out:1"), format!("c#in:{port}"))
            } else {
                (format!("c#out:{port}"), format!("{sid}#in:1"))
            };
            write!(system, "<Line><P Name=\"Src\">{from}</P><P Name=\"Dst\">{to}</P></Line>")
                .expect("a string");
        }
    }
    if !drawn.events.is_empty() {
        let count = drawn.events.len();
        write!(
            system,
            "<Block BlockType=\"Mux\" Name=\"all\" SID=\"all\"><P Name=\"Inputs\">{count}</P></Block>"
        )
        .expect("a string");
        for (place, name) in drawn.events.iter().enumerate() {
            let (port, input) = (drawn.inputs.len() + place + 1, place + 1);
            write!(
                system,
                "<Block BlockType=\"Inport\" Name=\"{name}\" SID=\"e{place}\"><P Name=\"Port\">{port}</P></Block>\
                 <Line><P Name=\"Src\">e{place}#out:1</P><P Name=\"Dst\">all#in:{input}</P></Line>"
            )
            .expect("a string");
        }
        system += "<Line><P Name=\"Src\">all#out:1</P><P Name=\"Dst\">c#trigger</P></Line>";
        inside += "<Block BlockType=\"TriggerPort\" Name=\"events\" SID=\"events\"/>";
    }
    let model = format!(
        "<ModelInformation><Model><P Name=\"Solver\">FixedStepDiscrete</P><P Name=\"FixedStep\">0.5</P><System>\
         <Block BlockType=\"SubSystem\" Name=\"c\" SID=\"c\"><System>{inside}</System></Block>{system}</System></Model></ModelInformation>"
    );
    archive(&[("simulink/blockdiagram.xml", model), ("simulink/stateflow.xml", flow)])
}

/// Runs a chart in both formats and arithmetics, in the C language or in MATLAB.
fn check_in(language: &str, text: &str, steps: &str) {
    for bytes in [as_text(text, language).into_bytes(), as_package(text, language)] {
        let reading = reading(&bytes);
        assert_eq!(reading.problems, Vec::new(), "{text}");
        let mut diagram = reading.diagram;
        diagram.name = "m".to_owned();
        let plan = plan(&diagram, &[]);
        let system =
            lower(&plan, None, &Options::default()).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
        check_system(text, &system, steps, 1e-9);
    }
}

fn check(text: &str, steps: &str) {
    check_in("", text, steps);
}

fn refused(text: &str, reason: &str) {
    let mut diagram = reading(as_text(text, "").as_bytes()).diagram;
    diagram.name = "m".to_owned();
    let problems = lower(&plan(&diagram, &[]), None, &Options::default()).expect_err(text);
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().any(|it| it.contains(reason)), "{text}: {messages:?}");
}

const SWITCH: &str = "input u\noutput y\nstate Off entry: y = 0;\nstate On entry: y = 1;\n-> Off\n";

#[test]
fn transitions() {
    // The first step only enters.
    check(&format!("{SWITCH}Off -> On [u > 0]\nOn -> Off [u < 0]"), "1 | 0\n 1 | 1\n 0 | 1\n -1 | 0\n 1 | 1");
    // Without a condition, a transition is always taken.
    check(&format!("{SWITCH}Off -> On\nOn -> Off"), "0 | 0\n 0 | 1\n 0 | 0\n 0 | 1");
    // One transition in a step.
    check(
        "output y\nstate A entry: y = 1;\nstate B entry: y = 2;\nstate C entry: y = 3;\n-> A\nA -> B\nB -> C",
        " | 1\n | 2\n | 3\n | 3",
    );
    // The order of transitions decides.
    let two =
        "input u\noutput y\nstate A entry: y = 1;\nstate B entry: y = 2;\nstate C entry: y = 3;\n-> A\n";
    check(&format!("{two}A -> B [u > 0]\nA -> C [u > -5]"), "9 | 1\n 1 | 2\n 0 | 2");
    check(&format!("{two}A -> C [u > -5]\nA -> B [u > 0]"), "9 | 1\n 1 | 3");
    check(&format!("{two}A -> B [u > 0]\nA -> C [u > -5]"), "9 | 1\n 0 | 3");
    // A transition to itself exits and enters again.
    check("output y\noutput z\nstate A entry: y++; | exit: z += 2;\n-> A\nA -> A", " | 1 0\n | 2 2\n | 3 4");
    // Conditions may be values, and of several parts.
    check(&format!("{SWITCH}Off -> On [u]\nOn -> Off [!u]"), "5 | 0\n 5 | 1\n 5 | 1\n 0 | 0");
    check(&format!("{SWITCH}Off -> On [u > 1 && u < 3 || u == 9]"), "2 | 0\n 1 | 0\n 9 | 1");
    check(&format!("{SWITCH}Off -> On [u ~= 2]"), "0 | 0\n 2 | 0\n 3 | 1");
    check(&format!("{SWITCH}Off -> On [u != 2]"), "0 | 0\n 2 | 0\n 3 | 1");
}

#[test]
fn actions() {
    // Entry, during and exit, with the value of the input.
    let all = "input u\noutput y\nstate A entry: y = 10; | during: y = y + u; | exit: y = -y;\nstate B during: y = 7;\n-> A\nA -> B [u == 0]";
    check(all, "1 | 10\n 1 | 11\n 2 | 13\n 0 | -13\n 0 | 7");
    // Several keywords at once, and short ones.
    check("output y\nstate A en, du: y++;\n-> A", " | 1\n | 2\n | 3");
    check("output y\nstate A en: y = 5; | du: y--; | ex: y = 0;\n-> A", " | 5\n | 4");
    // Without a keyword, an action runs at the entry.
    check("output y\nstate A y = 5;\n-> A", " | 5\n | 5");
    // Condition actions run before the state is left, transition actions after it.
    let order = "output y\nstate A entry: y = 1; | exit: y = y * 2;\nstate B entry: y = y + 1;\n-> A\n";
    check(&format!("{order}A -> B {{y = y + 3;}}"), " | 1\n | 9");
    check(&format!("{order}A -> B /{{y = y + 3;}}"), " | 1\n | 6");
    check(&format!("{order}A -> B {{y = y + 3;}}/{{y = y * 10;}}"), " | 1\n | 81");
    // A condition action runs even if the path is not taken in the end.
    let dead =
        "output y\nstate A\nstate B entry: y = 100;\njunction j\n-> A\nA -> j {y = y + 1;}\nj -> B [y > 2]";
    check(dead, " | 0\n | 1\n | 2\n | 100");
    // Default transitions have actions too.
    check("output y\nstate A\n-> A {y = 4;}", " | 4\n | 4");
    // Data keeps its value, and begins with its own.
    check(
        "output y = 3\nlocal x = 2\nstate A during: y = y + x; x = x + 1;\n-> A",
        " | 3\n | 5\n | 8\n | 12",
    );
    check("output y\nconstant k = 4\nstate A entry: y = k;\n-> A", " | 4");
    // Comments.
    check("output y\nstate A entry: y = 1; /* y = 2; */ y = y + 1; // y = 9;\n-> A", " | 2");
    check("output y\nstate A entry: y = 1; % y = 9;\n-> A", " | 1");
}

#[test]
fn hierarchy() {
    // Outer states are entered first and exited last.
    let nested = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = y * 10 + 4;\nstate P.A entry: y = y * 10 + 2; | exit: y = y * 10 + 3;\n\
                  state Q entry: y = y * 10 + 5;\n-> P\n-> P.A\nP -> Q [u > 0]";
    check(nested, "0 | 12\n 1 | 12345");
    // A transition from an inner state across the border.
    let across = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = y * 10 + 4;\nstate P.A entry: y = y * 10 + 2; | exit: y = y * 10 + 3;\n\
                  state Q entry: y = y * 10 + 5;\n-> P\n-> P.A\nP.A -> Q [u > 0]";
    check(across, "0 | 12\n 1 | 12345");
    // To an inner state: the default is not used.
    let into = "output y\nstate Q\nstate P entry: y = y * 10 + 1;\nstate P.A entry: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n-> Q\n-> P.A\nQ -> P.B";
    check(into, " | 0\n | 13");
    // Between inner states the outer one stays.
    let inside = "output y\nstate P entry: y = y * 10 + 1; | exit: y = 0;\nstate P.A exit: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n-> P\n-> P.A\nP.A -> P.B";
    check(inside, " | 1\n | 123\n | 123");
    // The outer transition comes before the inner one.
    let first = "output y\nstate P\nstate P.A\nstate P.B entry: y = 2;\nstate Q entry: y = 3;\n-> P\n-> P.A\nP.A -> P.B\nP -> Q";
    check(first, " | 0\n | 3");
    // During actions from the outside in.
    let during = "output y\nstate P during: y = y * 10 + 1;\nstate P.A during: y = y * 10 + 2;\n-> P\n-> P.A";
    check(during, " | 0\n | 12\n | 1212");
    // The outer during action sees what the inner state then changes.
    let sees = "output y\nlocal x\nstate P during: y = x;\nstate P.A during: x = x + 1;\n-> P\n-> P.A";
    check(sees, " | 0\n | 0\n | 1\n | 2");
    // A transition to itself of an outer state begins its inside again.
    let again = "input u\noutput y\nstate P\nstate P.A entry: y = 1;\nstate P.B entry: y = 2;\n-> P\n-> P.A\nP.A -> P.B\nP -> P [u > 0]";
    check(again, "0 | 1\n 0 | 2\n 0 | 2\n 1 | 1\n 0 | 2");
    // A single state needs no default transition.
    check("output y\nstate P\nstate P.A entry: y = 1;\n-> P", " | 1");
    // Three levels, left at once.
    let three = "input u\noutput y\nstate P exit: y = y * 10 + 1;\nstate P.Q exit: y = y * 10 + 2;\nstate P.Q.R exit: y = y * 10 + 3;\nstate S\n\
                 -> P\n-> P.Q\n-> P.Q.R\nP.Q.R -> S [u > 0]";
    check(three, "0 | 0\n 1 | 321");
}

#[test]
fn inner_transitions() {
    // The outer state stays, and the inner one is left.
    let inner = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = 0;\nstate P.A exit: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n\
                 -> P\n-> P.A\ninner P -> P.B [u > 0]";
    check(inner, "0 | 1\n 0 | 1\n 1 | 123");
    // It comes after the during action, and before the states inside run.
    let order = "output y\nstate P during: y = y * 10 + 1;\nstate P.A during: y = y * 10 + 9;\nstate P.B entry: y = y * 10 + 2; | during: y = y * 10 + 3;\n\
                 -> P\n-> P.A\ninner P -> P.B [y == 1]";
    check(order, " | 0\n | 12\n | 1213");
    // To a junction: a flow chart in a state, after which the states inside still do not run.
    let flow = "input u\noutput y\nstate P\nstate P.A during: y = -1;\njunction P.j\n-> P\n-> P.A\ninner P -> P.j [u > 0]{y = 5;}";
    check(flow, "0 | 0\n 0 | -1\n 1 | 5\n 0 | -1");
}

#[test]
fn junctions() {
    // A choice.
    let choice = "input u\noutput y\nstate A\nstate B entry: y = 1;\nstate C entry: y = 2;\njunction j\n-> A\nA -> j\nj -> B [u > 0]\nj -> C";
    check(choice, "9 | 0\n 1 | 1");
    check(choice, "9 | 0\n -1 | 2");
    // Without a way on, the next transition of the source is tried.
    let back = "input u\noutput y\nstate A\nstate B entry: y = 1;\nstate C entry: y = 2;\njunction j\n-> A\nA -> j [u > 0]\nA -> C\nj -> B [u > 5]";
    check(back, "0 | 0\n 1 | 2");
    check(back, "0 | 0\n 6 | 1");
    // Conditions see what condition actions have done on the way.
    let way = "input u\noutput y\nstate A\nstate B entry: y = y + 10;\njunction j\n-> A\nA -> j {y = u;}\nj -> B [y == 2]";
    check(way, "0 | 0\n 1 | 1\n 2 | 12");
    // Transition actions of all parts run in order, when the path is complete.
    let parts = "output y\nstate A exit: y = 1;\nstate B entry: y = y * 10 + 4;\njunction j\n-> A\nA -> j /{y = y * 10 + 2;}\nj -> B /{y = y * 10 + 3;}";
    check(parts, " | 0\n | 1234");
    // A default path through a junction.
    let default = "input u\noutput y\nstate A entry: y = 1;\nstate B entry: y = 2;\njunction j\n-> j\nj -> A [u > 0]\nj -> B";
    check(default, "1 | 1");
    check(default, "0 | 2");
    // A chart without states is a flow chart, and runs at every step.
    let flow = "input u\noutput y\njunction i\njunction j\njunction k\n-> i\ni -> j [u > 0]{y = 1;}\ni -> k {y = -1;}";
    check(flow, "1 | 1\n 0 | -1\n 2 | 1");
    // Two paths that meet again.
    let diamond = "input u\noutput y\njunction i\njunction j\njunction k\n-> i {y = 0;}\ni -> j [u > 0]{y = 1;}\ni -> j {y = 2;}\nj -> k {y = y * 10;}";
    check(diamond, "1 | 10\n 0 | 20");
}

#[test]
fn parallel_states() {
    // All are entered and run, in their order.
    let both = "output y\nparallel\nstate A entry: y = y * 10 + 1; | during: y = y * 10 + 3;\nstate B entry: y = y * 10 + 2; | during: y = y * 10 + 4;";
    check(both, " | 12\n | 1234");
    // The second sees what the first one has done.
    check(
        "input u\noutput y\nlocal x\nparallel\nstate A during: x = u;\nstate B during: y = x;",
        "1 | 0\n 2 | 2\n 3 | 3",
    );
    check(
        "input u\noutput y\nlocal x\nparallel\nstate B during: y = x;\nstate A during: x = u;",
        "1 | 0\n 2 | 0\n 3 | 2",
    );
    // Each with states of its own.
    let own = "input u\noutput y\noutput z\nparallel\nstate A\nstate A.X entry: y = 1;\nstate A.Y entry: y = 2;\nstate B\nstate B.X entry: z = 1;\n\
               state B.Y entry: z = 2;\n-> A.X\n-> B.X\nA.X -> A.Y [u > 0]\nB.X -> B.Y [u < 0]";
    check(own, "0 | 1 1\n 1 | 2 1\n -1 | 2 2");
    // Inside a state: exited in reverse order.
    let inside = "input u\noutput y\nparallel state P\nstate P.A exit: y = y * 10 + 1;\nstate P.B exit: y = y * 10 + 2;\nstate Q\n-> P\nP -> Q [u > 0]";
    check(inside, "0 | 0\n 1 | 21");
    // A transition into one of them enters the others too.
    let into = "output y\nstate Q\nparallel state P\nstate P.A\nstate P.A.X entry: y = y + 1;\nstate P.A.Y entry: y = y + 10;\nstate P.B entry: y = y + 100;\n\
                -> Q\n-> P.A.X\nQ -> P.A.Y";
    check(into, " | 0\n | 110");
    // One that leaves all of them keeps the others from running.
    let leaves = "input u\noutput y\nparallel state P\nstate P.A\nstate P.A.X\nstate P.B during: y = y + 1;\nstate Q entry: y = y + 100;\n-> P\n-> P.A.X\nP.A.X -> Q [u > 0]";
    check(leaves, "0 | 0\n 0 | 1\n 1 | 101\n 0 | 101");
    // Whether another state is active.
    let asks = "input u\noutput y\nparallel\nstate A\nstate A.X\nstate A.Y\nstate B during: y = in(A.Y);\n-> A.X\nA.X -> A.Y [u > 0]";
    check(asks, "0 | 0\n 0 | 0\n 1 | 1\n 0 | 1");
}

#[test]
fn history() {
    let chart = "input u\noutput y\nstate P\nhistory P\nstate P.A entry: y = 1;\nstate P.B entry: y = 2;\nstate Q entry: y = 0;\n-> P\n-> P.A\n\
                 P.A -> P.B [u == 1]\nP -> Q [u == 2]\nQ -> P [u == 3]";
    check(chart, "0 | 1\n 1 | 2\n 2 | 0\n 3 | 2");
    check(chart, "0 | 1\n 2 | 0\n 3 | 1\n 1 | 2\n 2 | 0\n 0 | 0\n 3 | 2");
    // Without it, the default is used.
    check(&chart.replace("history P\n", ""), "0 | 1\n 1 | 2\n 2 | 0\n 3 | 1");
}

#[test]
fn time() {
    // The step of the entry counts as zero.
    let after = |time: &str| {
        format!("output y\nstate A entry: y = 0;\nstate B entry: y = 1;\n-> A\nA -> B after({time})\nB -> A")
    };
    check(&after("1, tick"), " | 0\n | 1\n | 0\n | 1");
    check(&after("2, tick"), " | 0\n | 0\n | 1\n | 0\n | 0\n | 1");
    // Half a second a step.
    check(&after("1, sec"), " | 0\n | 0\n | 1");
    check(&after("0.6, sec"), " | 0\n | 0\n | 1");
    check(&after("500, msec"), " | 0\n | 1");
    // With a condition, and as one.
    let both = "input u\noutput y\nstate A\nstate B entry: y = 1;\n-> A\nA -> B after(2, tick)[u > 0]";
    check(both, "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1");
    check(
        &both.replace("after(2, tick)[u > 0]", "[u > 0 && after(2, tick)]"),
        "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1",
    );
    check(&both.replace("after(2, tick)", "before(2, tick)"), "0 | 0\n 1 | 1");
    check(&both.replace("after(2, tick)", "before(2, tick)"), "0 | 0\n 0 | 0\n 1 | 0\n 1 | 0");
    check(&both.replace("after(2, tick)[u > 0]", "at(2, tick)"), "0 | 0\n 0 | 0\n 0 | 1");
    // Actions at times.
    check("output y\nstate A on every(2, tick): y = y + 1;\n-> A", " | 0\n | 0\n | 1\n | 1\n | 2");
    check("output y\nstate A on after(2, tick): y = y + 1;\n-> A", " | 0\n | 0\n | 1\n | 2");
    check("output y\nstate A during: y = temporalCount(tick);\n-> A", " | 0\n | 1\n | 2");
    check("output y\nstate A during: y = elapsed(sec);\n-> A", " | 0\n | 0.5\n | 1");
    // The outer state counts on while inner states change.
    let outer = "output y\nstate P\nstate P.A\nstate P.B\nstate Q entry: y = 1;\n-> P\n-> P.A\nP.A -> P.B\nP.B -> P.A\nP -> Q after(3, tick)";
    check(outer, " | 0\n | 0\n | 0\n | 1");
    // Time itself.
    check("output y\nstate A during: y = t;\n-> A", " | 0\n | 0.5\n | 1");
}

#[test]
fn functions() {
    let double = "input u\noutput y\nfunction r = twice(a)\njunction f\n-> f {r = 2 * a;}\nstate A during: y = twice(u) + 1;\n-> A";
    // The junction and the transition are drawn in the function.
    let double = double.replace("junction f", "junction twice.f").replace("-> f {", "-> twice.f {");
    check(&double, "0 | 0\n 3 | 7\n 5 | 11");
    let most = "input u\ninput v\noutput y\nfunction r = most(a, b)\njunction most.i\njunction most.j\njunction most.k\n-> most.i\n\
                most.i -> most.j [a > b]{r = a;}\nmost.i -> most.k {r = b;}\nstate A during: y = most(u, v);\n-> A";
    check(most, "0 0 | 0\n 3 4 | 4\n 5 2 | 5");
    // A function may change data of the chart.
    let counts = "output y\nlocal n\nfunction count()\njunction count.j\n-> count.j {n = n + 1;}\nstate A during: count(); y = n;\n-> A";
    check(counts, " | 0\n | 1\n | 2");
    check("input u\noutput y\nstate A during: y = max(abs(u), 2);\n-> A", "0 | 0\n -5 | 5\n 1 | 2");
}

#[test]
fn types() {
    // Integers saturate, in both languages.
    let saturates = "output y int8\nstate A during: y = y + 100;\n-> A";
    check(saturates, " | 0\n | 100\n | 127");
    check_in("actionLanguage 2\n", saturates, " | 0\n | 100\n | 127");
    // Fractions: C cuts them off, MATLAB rounds.
    let fraction = "input u\noutput y int8\nstate A during: y = u;\n-> A";
    check(fraction, "0 | 0\n 2.7 | 2\n -2.7 | -2");
    check_in("actionLanguage 2\n", fraction, "0 | 0\n 2.7 | 3\n -2.5 | -3");
    // Quotients of integers.
    let quotient = "input u int8\noutput y int8\nstate A during: y = u / 2;\n-> A";
    check(quotient, "0 | 0\n 7 | 3\n -7 | -3");
    check_in("actionLanguage 2\n", quotient, "0 | 0\n 7 | 4\n -7 | -4");
    check("input u\noutput y\nstate A during: y = u / 2;\n-> A", "0 | 0\n 7 | 3.5");
    check("input u boolean\noutput y boolean\nstate A during: y = !u;\n-> A", "0 | 0\n 0 | 1\n 1 | 0");
    check("input u\noutput y\nstate A during: y = int8(u);\n-> A", "0 | 0\n 300 | 127");
}

/// A chart with events runs when one of them happens, once for each.
#[test]
fn events() {
    let toggle =
        "output y\nstate Off entry: y = 0;\nstate On entry: y = 1;\n-> Off\nOff -> On E\nOn -> Off E\n";
    // The first event enters the chart; before the first step there is no edge.
    check(&format!("event E rising\n{toggle}"), "0 | 0\n 1 | 0\n 1 | 0\n 0 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
    check(&format!("event E falling\n{toggle}"), "1 | 0\n 0 | 0\n 1 | 0\n 0 | 1\n 0 | 1");
    check(&format!("event E either\n{toggle}"), "1 | 0\n 0 | 0\n 1 | 1\n 0 | 0");
    check(&format!("event E call\n{toggle}"), "0 | 0\n 1 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
    // Two events in one step are two runs, in their order.
    let two = "event A call\nevent B call\noutput y\nstate S entry: y = 1;\nstate T entry: y = 2;\nstate U entry: y = 3;\n-> S\n\
               S -> T A\nT -> U B\nU -> S A|B\n";
    check(two, "1 0 | 1\n 1 1 | 3\n 0 1 | 1\n 0 1 | 1\n 1 0 | 2\n 0 0 | 2\n 1 1 | 3");
    // A transition without an event, and actions at events.
    let on = "event A call\nevent B call\noutput y\nstate S entry: y = 1; | on A: y += 10; | on B: y += 100;\n-> S";
    check(on, "1 0 | 1\n 1 0 | 11\n 0 1 | 111\n 1 1 | 221\n 0 0 | 221");
    // Ticks are runs of the chart.
    let ticks =
        "event E call\noutput y\nstate S entry: y = 0;\nstate T entry: y = 1;\n-> S\nS -> T after(2, tick)";
    check(ticks, "1 | 0\n 0 | 0\n 1 | 0\n 0 | 0\n 1 | 1");
    refused(
        "event E call\noutput y\nstate S\nstate T\n-> S\nS -> T after(2, sec)",
        "seconds in a chart that runs at events",
    );
}

/// What a chart sends: a call is there in its step, an edge changes its output.
#[test]
fn sent_events() {
    let counts = "input u\noutput y\nsends E KIND\nstate S\nstate T entry: E; | during: y++;\n-> S\nS -> T [u > 0]\nT -> S [u < 0]";
    let call = counts.replace("KIND", "call");
    check(&call, "0 | 0 0\n 1 | 0 1\n 1 | 1 0\n -1 | 1 0\n 1 | 1 1");
    check(&call.replace("entry: E;", "entry: send(E);"), "0 | 0 0\n 1 | 0 1\n 1 | 1 0");
    check(&counts.replace("KIND", "either"), "0 | 0 0\n 1 | 0 1\n 1 | 1 1\n -1 | 1 1\n 1 | 1 0");
    refused("sends E call\nstate S during: E; E;\n-> S", "it may happen twice in one step");
}

#[test]
fn arrays() {
    // In C, indices are in brackets and count from 0; in MATLAB they count from 1.
    let shift = "input u\noutput y\nlocal v double[3]\nlocal i\nstate A du: y = v[0]; v[0] = v[1]; v[1] = v[2]; v[2] = u;\n-> A";
    check(shift, "1 | 0\n 2 | 0\n 3 | 0\n 4 | 0\n 5 | 2\n 6 | 3");
    let matlab = shift.replace("[0]", "(1)").replace("[1]", "(4-2)").replace("v[2]", "v(3)");
    check_in("actionLanguage 2\n", &matlab, "1 | 0\n 2 | 0\n 3 | 0\n 4 | 0\n 5 | 2\n 6 | 3");
    // An index that is data, an initial value for each element, and an array as an output.
    let ring = "input u\noutput y int8[2] = [7 8]\nlocal k\nstate A du: y[k] += u; k = 1 - k;\n-> A";
    check(ring, "1 | 7 8\n 1 | 8 8\n 2 | 8 10\n 3 | 11 10");
    let plane =
        "input u\noutput y\nconstant m double[2 3] = [1 2 3;4 5 6]\nstate A en, du: y = m[1][u];\n-> A";
    check(plane, "0 | 4\n 1 | 5\n 2 | 6");
    let whole =
        "input u\noutput y double[2]\nlocal v double[2]\nstate A du: v[0] = u; v[1] += 1; y = v;\n-> A";
    check(whole, "5 | 0 0\n 5 | 5 1\n 6 | 6 2");
    refused(
        "output y\nlocal v double[2]\nstate A du: y = v;\n-> A",
        "the array `v` is used where one number",
    );
    refused("output y\nlocal v double[n]\nstate A\n-> A", "the size `n` of the data `v`");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    refused("output y\nstate A during: send(E);\n-> A", "broadcasts an event");
    refused("output y\nstate A during: E;\n-> A", "broadcasts an event");
    refused("output y\nstate A\nstate B\n-> A\nA -> B E", "the event `E` is not supported");
    refused("output y\njunction i\njunction j\n-> i\ni -> j\nj -> i", "its junctions form a loop");
    refused("output y\nstate A during: x = 1;\n-> A", "no variable `x`");
    refused("output y\nstate A during: y = foo;\n-> A", "unknown name `foo`");
    refused("input u\noutput y\nstate A during: u = 1;\n-> A", "no variable `u`");
    refused("output y\nstate A\nstate B\n-> A\nA -> B after(2, E)", "cannot be counted");
    // A subsystem without a chart is still one.
    let plan =
        planned("SubSystem s\nInport s/a\nOutport s/b\ns/a -> s/b\nInport u\nOutport y\nu -> s -> y", &[]);
    assert_eq!(plan.problems, Vec::new());
}

/// Whatever a file has, nothing panics or hangs: loops of states in states, functions that call themselves, and changed bytes.
#[test]
fn hostile_charts_end() {
    let runs = |bytes: &[u8]| {
        let mut diagram = reading(bytes).diagram;
        diagram.name = "m".to_owned();
        lower(&plan(&diagram, &[]), None, &Options::default())
    };
    let calls =
        "output y\nfunction r = f(a)\njunction f.j\n-> f.j {r = f(a) + 1;}\nstate A during: y = f(1);\n-> A";
    refused(calls, "functions call themselves");
    let chain: String = (0..100).map(|k| format!("junction j{k}\n")).collect();
    let chain = format!(
        "output y\n{chain}-> j0\n{}",
        (0..99).map(|k| format!("j{k} -> j{}\n", k + 1)).collect::<String>()
    );
    refused(&chain, "its junctions form a loop");
    let diamonds: String =
        (0..30).map(|k| format!("j{k} -> j{}\nj{k} -> j{} [y > 0]\n", k + 1, k + 1)).collect();
    let names: String = (0..=30).map(|k| format!("junction j{k}\n")).collect();
    refused(
        &format!("output y\n{names}-> j0 [y > 1]\n{}", diamonds.replace("\nj", " [y > 2]\nj")),
        "its chart is too large",
    );
    let nested = "output y\nstate A\nstate A.B entry: y = 1;\n-> A";
    let looped = as_text(nested, "").replace("treeNode [1 0 0 0]", "treeNode [12 0 0 0]");
    assert!(runs(looped.as_bytes()).is_err());
    let deep: String = (1..=60).map(|k| format!("state {}\n", vec!["A"; k].join("."))).collect();
    refused(&format!("output y\n{deep}-> A"), "nested more than");
    let base = as_text(
        "input u\noutput y int8\nparallel\nstate A entry: y = 1; | during: y = y + u;\nstate A.X\nstate A.Y\nhistory A\n\
         state B on after(3, tick): y++;\n-> A.X\nA.X -> A.Y [u > 0]{y = 2;}/y = 3;\nA.Y -> A.X after(2, sec)",
        "",
    );
    let (mut seed, from) = (1u64, base.find("Stateflow").expect("a section"));
    for _ in 0..400 {
        let mut bytes = base.clone().into_bytes();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = from + (seed >> 33) as usize % (bytes.len() - from);
            bytes[place] = b"{}[]()/;:=\n\"0179aA.,~"[(seed >> 20) as usize % 21];
        }
        let _ = runs(&bytes);
    }
}
