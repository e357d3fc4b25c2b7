//! Charts as text, for tests, written as files of both formats.
//!
//! A line is a state (`state A.B entry: x = 1;`), a default transition (`-> A`), a transition (`A -> B [u > 0]`), one that is drawn
//! inside its source (`inner A -> A.B`), a junction (`junction j`, `junction P.j`), a history junction (`history P`), a function
//! (`function y = f(a)`), or data (`input u`, `output y int8 = 1`, `local x`, `local v double[3]`, `constant k = 3`). `parallel` before a
//! state, or alone for the chart, means that what is inside runs side by side. Transitions have the order of their lines. `event E rising`
//! is an event at which the chart runs, an input of the model after the others; `sends E call` is one that it sends, and `broadcast E` or
//! `broadcast P.E` one between its parts.
//!
//! `matlab y = f(a) | y = 2*a;` is a MATLAB function. `table y = f(a)` is a truth table in the C language, and `mtable` one in the
//! MATLAB language; the lines after it are its conditions (`row a > 0 : T F -`), the actions of its decisions (`do A B 3`) and
//! its actions (`act A: y = 1;`). `block` makes the chart a Truth Table block, and `set key value` sets a property of the chart.

use super::model::check_system;
use super::{archive, reading};
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
    /// Properties of the chart.
    set: Vec<(String, String)>,
}

/// A truth table: its language, its rows of cells and its actions.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    actions: Vec<Vec<String>>,
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
            "set" => {
                let (key, value) = rest.split_once(' ').expect(line);
                drawn.set.push(pair(key, value));
            }
            "block" => drawn.set.push(pair("type", "TRUTH_TABLE_CHART")),
            "function" | "matlab" | "table" | "mtable" => {
                let (rest, code) = rest.split_once(" | ").unwrap_or((rest, ""));
                let name = rest.rsplit('=').next().unwrap_or("").split('(').next().unwrap_or("").trim();
                let id = number(&mut numbers, name);
                let mut entries = vec![pair("labelString", rest), pair("type", "FUNC_STATE")];
                match word {
                    "matlab" => entries.push((
                        "eml".to_owned(),
                        format!("function {rest}\n{}\n", code.replace(" | ", "\n")),
                    )),
                    "table" => entries.push(pair("truthTable", "0")),
                    "mtable" => entries.push(pair("truthTable", "1")),
                    _ => {}
                }
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
                if let Some((names, _)) = result.split_once('=') {
                    for name in names.split([',', ' ', '[', ']']).filter(|it| !it.is_empty()) {
                        data(name, "FUNCTION_OUTPUT_DATA");
                    }
                }
            }
            "row" | "do" | "act" => {
                let text = format!("{word} {rest}");
                let tables = drawn.objects.iter_mut().rfind(|it| it.3.iter().any(|it| it.0 == "truthTable"));
                tables.expect("a table").3.push(("cell".to_owned(), text));
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
                let class = class.trim();
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
            "broadcast" => {
                let name = rest.rsplit('.').next().unwrap_or(rest);
                let id = number(&mut numbers, &format!("event {rest}"));
                let entries = vec![pair("name", name), pair("scope", "LOCAL_EVENT")];
                drawn.objects.push(("event".to_owned(), id, numbers[&above(rest)], entries));
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

/// The cells of a truth table by columns, with their size: conditions, and actions.
fn arrays(entries: &[(String, String)]) -> [(&'static str, usize, usize, Vec<String>); 2] {
    let mut table = Table::default();
    for (_, cell) in entries.iter().filter(|it| it.0 == "cell") {
        let (word, rest) = cell.split_once(' ').expect(cell);
        let marks = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match word {
            "row" => {
                let (condition, decisions) = rest.rsplit_once(" : ").expect(cell);
                let row = vec!["a description".to_owned(), condition.to_owned()];
                table.rows.push([row, marks(decisions)].concat());
            }
            "do" => table.rows.push([vec!["".to_owned(), "Actions".to_owned()], marks(rest)].concat()),
            _ => table.actions.push(vec!["".to_owned(), rest.replace(" | ", "\n")]),
        }
    }
    [("predicateArray", table.rows), ("actionArray", table.actions)].map(|(name, rows)| {
        let (count, columns) = (rows.len(), rows.first().map_or(0, Vec::len));
        let cells = (0..columns).flat_map(|column| rows.iter().map(move |row| row[column].clone()));
        (name, count, columns, cells.collect())
    })
}

/// The model as text: a chart between ports.
pub(crate) fn as_text(text: &str, language: &str) -> String {
    let drawn = drawn(text);
    let mut inside = String::new();
    let mut outside = String::new();
    for (kind, names) in [("Inport", &drawn.inputs), ("Outport", &drawn.outputs)] {
        for (place, name) in names.iter().enumerate() {
            let port = place + 1;
            let block = format!("Block {{\nBlockType {kind}\nName \"{name}\"\nPort \"{port}\"\n}}\n");
            let calls = |it: &Object| {
                it.0 == "event"
                    && it.3.contains(&("trigger".to_owned(), "FUNCTION_CALL_EVENT".to_owned()))
                    && it.3[0].1 == *name
            };
            let is_call = drawn.objects.iter().any(calls);
            let quoted = |name: &str| format!("\"{name}\"");
            let called = |name: &str| block.replace(&quoted(name), &quoted(&format!("{name}()")));
            inside += &if is_call { called(name) } else { block.clone() };
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
    let set: String = drawn.set.iter().map(|(key, value)| format!("{key} {value}\n")).collect();
    let mut flow = format!(
        "machine {{\nid 0\nname \"m\"\n}}\nchart {{\nid 1\nname \"c\"\n{language}{set}decomposition {decomposition}\n}}\ninstance {{\nid 2\nname \"c\"\nmachine 0\nchart 1\n}}\n"
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
                "size" | "cell" => Ok(()),
                "eml" => write!(flow, "eml {{\nisEML 1\nscript \"{}\"\n}}\n", quoted(value)),
                "truthTable" => {
                    write!(flow, "truthTable {{\nisTruthTable 1\nuseEML {value}\n").expect("a string");
                    for (name, rows, columns, cells) in arrays(entries) {
                        write!(flow, "Array {{\nType \"Cell\"\nDimension [{rows}, {columns}]\n")
                            .expect("a string");
                        for cell in cells {
                            writeln!(flow, "Cell \"{}\"", quoted(&cell)).expect("a string");
                        }
                        write!(flow, "PropName \"{name}\"\n}}\n").expect("a string");
                    }
                    writeln!(flow, "}}")
                }
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The same as a package: the diagram of the text, and the objects nested.
fn as_package(text: &str, language: &str) -> Vec<u8> {
    let drawn = drawn(text);
    fn objects(drawn: &Drawn, parent: usize, out: &mut String) {
        for (kind, id, own, entries) in drawn.objects.iter().filter(|it| it.2 == parent) {
            write!(out, "<{kind} SSID=\"{id}\">").expect("a string");
            for (key, value) in entries {
                let value = escaped(value);
                match key.as_str() {
                    "src" | "dst" => write!(out, "<{key}><P Name=\"SSID\">{value}</P></{key}>"),
                    "initialValue" => {
                        let size = &entries[4].1;
                        write!(out, "<props><P Name=\"{key}\">{value}</P><array><P Name=\"size\">{size}</P></array></props>")
                    }
                    "size" | "cell" => Ok(()),
                    "eml" => write!(
                        out,
                        "<eml><P Name=\"isEML\">1</P><P Name=\"script\">{value}</P></eml>"
                    ),
                    "truthTable" => {
                        write!(out, "<truthTable><P Name=\"isTruthTable\">1</P><P Name=\"useEML\">{value}</P>")
                            .expect("a string");
                        for (name, rows, columns, cells) in arrays(entries) {
                            write!(out, "<Array PropName=\"{name}\" Type=\"Cell\" Dimension=\"{rows}*{columns}\">")
                                .expect("a string");
                            for cell in cells {
                                write!(out, "<Cell>{}</Cell>", escaped(&cell)).expect("a string");
                            }
                            out.push_str("</Array>");
                        }
                        write!(out, "</truthTable>")
                    }
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
    let set: String = drawn.set.iter().map(|(key, value)| format!("<P Name=\"{key}\">{value}</P>")).collect();
    let flow = format!(
        "<Stateflow><machine id=\"0\"><Children><chart id=\"1\"><P Name=\"name\">c</P>{language}{set}<P Name=\"decomposition\">{decomposition}</P>\
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
pub(crate) fn check_in(language: &str, text: &str, steps: &str) {
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

pub(crate) fn check(text: &str, steps: &str) {
    check_in("", text, steps);
}

pub(crate) fn refused(text: &str, reason: &str) {
    refused_file(&as_text(text, ""), reason);
}

/// A model file that is refused for a reason.
pub(crate) fn refused_file(text: &str, reason: &str) {
    let mut diagram = reading(text.as_bytes()).diagram;
    diagram.name = "m".to_owned();
    let problems = lower(&plan(&diagram, &[]), None, &Options::default()).expect_err(text);
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().any(|it| it.contains(reason)), "{text}: {messages:?}");
}
