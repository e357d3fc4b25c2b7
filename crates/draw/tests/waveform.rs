//! Waveforms: the SVG is well formed and stays on its page for all names and values, and the dump has the values of the trace.

use logic::{RBig, Trace, Value};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use shall_draw::waveform::{Group, Mark, Role, svg, vcd};
use std::collections::BTreeMap;

/// Columns as text: `t` and `f` are Booleans, numbers are numbers, the rest are names.
fn trace(columns: &[(&str, &str)]) -> Trace {
    let value = |text: &str| match text {
        "t" => Value::Bool(true),
        "f" => Value::Bool(false),
        text => logic::parse_number(text).map_or(Value::Name(text.into()), Value::Num),
    };
    let len = columns.first().map_or(1, |(_, cells)| cells.split(' ').count());
    columns.iter().fold(Trace::new(len, None).expect("steps"), |trace, (name, cells)| {
        trace.with(name, cells.split(' ').map(value).collect()).expect("a column")
    })
}

/// The first name is an input, the second an output, the others are internals.
fn groups(trace: &Trace) -> Vec<Group> {
    let names = trace.names();
    let some = |from: usize, to: usize| names.get(from..to.min(names.len())).unwrap_or_default().to_vec();
    vec![
        Group { role: Role::Input, names: some(0, 1) },
        Group { role: Role::Output, names: some(1, 2) },
        Group { role: Role::Inner, names: some(2, names.len()) },
    ]
}

fn samples() -> Vec<Trace> {
    let long = vec!["idle"; 3000].join(" ") + " run";
    let hostile = "]]></text><script>&\"'\u{1b}\n速度🚀";
    let huge = format!("1{} -1 0", "0".repeat(400));
    vec![
        trace(&[
            ("request", "f t t f"),
            ("speed", "0 2.5 -10 1/3"),
            ("gear", "park drive drive park"),
            ("n", "0 1 -3 7"),
        ]),
        trace(&[]),
        trace(&[("one", "t")]),
        trace(&[("x", "5 5 5"), ("y", "a a a")]),
        trace(
            &[(hostile, "t f"), (&hostile.repeat(20), "1 2"), ("s", hostile), ("$end", "x $end")]
                .map(|(name, cells)| (name, if cells == hostile { "a]]>&< \u{7}b" } else { cells })),
        ),
        trace(&[("state", &long)]),
        trace(&[("huge", &huge), ("tiny", "1/3 -1e-300 0")]),
        Trace::new(3, Some(1)).expect("a lasso").with("p", vec![Value::Bool(true); 3]).expect("a column"),
    ]
}

#[test]
fn drawings_are_well_formed() {
    for trace in samples() {
        for mark in [None, Some(0), Some(trace.len() - 1), Some(usize::MAX)] {
            let mark = mark.map(|step| Mark {
                step,
                label: "a < b & \"c\"".into(),
                reason: "trigger at step 2; `alarm` must hold by step 5 and does not. ".repeat(5),
            });
            let text = svg(&trace, &groups(&trace), "Node <f> & \u{0} its run", mark.as_ref());
            assert_eq!(text, svg(&trace, &groups(&trace), "Node <f> & \u{0} its run", mark.as_ref()));
            let elements = elements(&text);
            let (width, height) = (number(&elements[0].1, "width"), number(&elements[0].1, "height"));
            assert!(elements.iter().any(|it| it.0 == "title") && elements.iter().any(|it| it.0 == "desc"));
            for (name, attributes) in &elements[1..] {
                for (x, y) in points(attributes) {
                    assert!(
                        (0..=width).contains(&x) && (0..=height).contains(&y),
                        "<{name}> at {x}, {y} of {width} × {height}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_words_are_there() {
    let trace = &samples()[0];
    let mark = Mark { step: 2, label: "P-1".into(), reason: "trigger at step 1; `speed` is low.".into() };
    let text = svg(trace, &groups(trace), "f", Some(&mark));
    for part in [
        "P-1 fails at step 2. trigger at step 1;",
        "<title>input request: 0 from step 0, 1 from step 1, 0 from step 3</title>",
        "internal gear: park from step 0, drive from step 1, park from step 3.",
        "speed: 0 from step 0, 2.5 from step 1, -10 from step 2, 1/3 from step 3",
        ">✗ P-1 fails at step 2</text>",
        ">inputs</text>",
        ">outputs</text>",
        ">internals</text>",
        ">drive</text>",
        ">-10</text>",
        "@media screen and (prefers-color-scheme:dark)",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// The wave of one step has no edge, so its values are written down, and there is room for them.
#[test]
fn a_single_step_can_be_read() {
    let trace = Trace::new(1, None).and_then(|it| it.with("on", vec![Value::Bool(true)]));
    let trace = trace.and_then(|it| it.with("off", vec![Value::Bool(false)])).expect("a trace");
    let group = Group { role: Role::Input, names: vec!["on".into(), "off".into()] };
    let text = svg(&trace, &[group], "f", None);
    let shown: Vec<&str> =
        ["1", "0"].into_iter().filter(|it| text.contains(&format!(">{it}</text>"))).collect();
    assert_eq!(shown, ["1", "0"], "{text}");
    let widest =
        elements(&text).iter().filter(|it| it.0 == "rect").skip(1).map(|it| number(&it.1, "width")).max();
    assert_eq!(widest, Some(160));
}

type Attributes = BTreeMap<String, String>;

/// The elements of a document with their attributes, in the order they open; panics if it is not well formed.
fn elements(text: &str) -> Vec<(String, Attributes)> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut elements = Vec::new();
    let mut open = 0;
    let read = |element: &BytesStart| {
        let attributes = element.attributes().map(|it| it.expect("an attribute"));
        let attributes = attributes.map(|it| {
            let name = it.key.as_ref().to_owned();
            (name, it.value.to_string())
        });
        (element.name().as_ref().to_owned(), attributes.collect())
    };
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} in {text}")) {
            Event::Start(element) => {
                open += 1;
                elements.push(read(&element));
            }
            Event::Empty(element) => elements.push(read(&element)),
            Event::End(_) => open -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0);
    assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}')));
    elements
}

fn number(attributes: &Attributes, name: &str) -> i64 {
    attributes.get(name).map_or(0, |it| it.parse().expect("an integer"))
}

/// The points of an element: corners, ends of lines, places of texts.
fn points(attributes: &Attributes) -> Vec<(i64, i64)> {
    let (x, y) = (number(attributes, "x"), number(attributes, "y"));
    let mut points = vec![(x, y), (x + number(attributes, "width"), y + number(attributes, "height"))];
    let path = attributes.get("d").map_or("", String::as_str);
    let numbers: Vec<i64> = path
        .split(['M', 'L', 'Z', ' '])
        .filter(|it| !it.is_empty())
        .map(|it| it.parse().expect("a number"))
        .collect();
    points.extend(numbers.chunks(2).map(|pair| (pair[0], pair[1])));
    points
}

/// Names, kinds and widths of the signals, and the values of each.
type Dump = (Vec<(String, String, String)>, BTreeMap<String, Vec<String>>);

/// The content of a dump: for each signal its scope, name, and value at each step. Written from the specification of the format alone.
fn read_dump(text: &str) -> Dump {
    let mut words = text.split_whitespace();
    let (mut scope, mut signals) = (Vec::new(), Vec::new());
    loop {
        let keyword = words.next().expect("definitions end");
        let rest: Vec<&str> = words.by_ref().take_while(|it| *it != "$end").collect();
        match (keyword, rest.as_slice()) {
            ("$scope", ["module", name]) => scope.push((*name).to_owned()),
            ("$upscope", []) => drop(scope.pop().expect("an open scope")),
            ("$var", [kind, _, code, name]) => {
                signals.push(((*code).to_owned(), format!("{}.{name}", scope.join(".")), (*kind).to_owned()));
            }
            ("$version" | "$comment" | "$timescale", _) => {}
            ("$enddefinitions", []) => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(scope.is_empty());
    let mut now: BTreeMap<String, String> = BTreeMap::new();
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut time = 0;
    while let Some(word) = words.next() {
        match word.split_at(1) {
            ("$", "dumpvars" | "end") => {}
            ("#", next) => {
                let next: usize = next.parse().expect("a time");
                assert!(next > time || next == 0);
                for (code, value) in &now {
                    seen.entry(code.clone()).or_default().extend(vec![value.clone(); next - time]);
                }
                time = next;
            }
            ("0" | "1", code) => drop(now.insert(code.to_owned(), word[..1].to_owned())),
            ("b" | "r" | "s", value) => {
                drop(now.insert(words.next().expect("a code").to_owned(), value.to_owned()));
            }
            other => panic!("{other:?}"),
        }
    }
    (signals, seen)
}

#[test]
fn dumps_have_the_values_of_traces() {
    for trace in samples() {
        let text = vcd(&trace, &groups(&trace), "a node");
        let (signals, seen) = read_dump(&text);
        assert_eq!(signals.len(), trace.names().len());
        for (column, (code, _, kind)) in signals.iter().enumerate() {
            let values = seen.get(code).expect("values");
            assert_eq!(values.len(), trace.len());
            for (value, dumped) in trace.values(column).iter().zip(values) {
                match (value, kind.as_str()) {
                    (Value::Bool(truth), "wire") => assert_eq!(*dumped, u8::from(*truth).to_string()),
                    (Value::Num(number), "integer") => assert_eq!(signed(dumped), *number),
                    (Value::Num(number), "real") => {
                        assert_eq!(dumped.parse::<f64>().expect("a real"), number.to_f64().value());
                    }
                    (Value::Name(name), "string") => {
                        assert!(dumped == name || name.contains(|c: char| !c.is_ascii_graphic() || c == '$'));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

/// A number in two's complement.
fn signed(bits: &str) -> RBig {
    let two = RBig::from(2);
    let value = bits.chars().fold(RBig::ZERO, |sum, bit| sum * &two + RBig::from(u8::from(bit == '1')));
    let weight = bits.chars().fold(RBig::ONE, |product, _| product * &two);
    if bits.starts_with('1') { value - weight } else { value }
}

#[test]
fn a_dump_in_full() {
    let trace = trace(&[("go", "f t t"), ("level", "0 0.5 0.5"), ("n", "1 1 -2"), ("mode", "idle run run")]);
    assert_eq!(
        vcd(&trace, &groups(&trace), "f"),
        "\
$version shall $end
$comment one unit of time is one step $end
$timescale 1 s $end
$scope module f $end
$scope module inputs $end
$var wire 1 ! go $end
$upscope $end
$scope module outputs $end
$var real 64 \" level $end
$upscope $end
$scope module internals $end
$var integer 32 # n $end
$var string 1 $ mode $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
r0 \"
b00000000000000000000000000000001 #
sidle $
$end
#1
1!
r0.5 \"
srun $
#2
b11111111111111111111111111111110 #
#3
"
    );
}
