//! Files that are broken, cut off, or made to hurt: problems with places, bounded work, never a panic.

mod common;

use common::chart::as_text;
use common::model::{check_system, lowered, mdl};
use common::{TEXT, archive, kept, parts, reading, text_package};
use shall_simulink::library::{expand, link};
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::plan;
use shall_simulink::{Limits, Spot, read, write};
use std::collections::BTreeMap;

/// A text, and the beginning of its first problem with the line.
#[test]
fn broken_texts() {
    let model = |inside: &str| format!("Model {{\nSystem {{\n{inside}\n}}\n}}\n");
    let block = "Block {\nBlockType Gain\nName \"a\"\n}\n";
    let table = [
        (String::new(), "this is neither", 0),
        ("hello".to_owned(), "this is neither", 0),
        ("Model {\n}\n".to_owned(), "the file has no system", 1),
        ("Model {\nSystem {\n".to_owned(), "the file ends inside the section `System`", 2),
        ("Model {\nSystem {\n}\n}\n}\n".to_owned(), "unexpected `}`", 5),
        (model("Name \"a"), "a string is not closed", 3),
        (model("Name \"a\" b"), "there is text after a string", 3),
        (model("\"a\""), "the line is not an entry", 3),
        (model("] 3"), "the line is not an entry", 3),
        (model("{"), "the line is not an entry", 3),
        (model("Location [1, 2"), "a `[` is not closed", 3),
        (model("Block {\nName \"x\"\n}"), "a block has no type", 3),
        (model(&format!("{block}{block}")), "two blocks have the name `a`", 7),
        (model("Line {\nSrcBlock \"no\"\nSrcPort 1\n}"), "a line begins at `no 1`, which does not exist", 3),
        (model(&format!("{block}Line {{\nDstBlock \"a\"\nDstPort state\n}}")), "a line ends at `a state`", 7),
        (model(&format!("{block}Line {{\nDstBlock \"a\"\nDstPort 0\n}}")), "a line ends at `a 0`", 7),
        (model("Line {\nLineType \"Connection\"\n}"), "a physical connection", 3),
        (
            model("Block {\nBlockType Reference\nName \"a\"\nLinkData {\n}\n}"),
            "changes that `a` makes inside",
            6,
        ),
    ];
    for (text, message, line) in table {
        let problems = reading(text.as_bytes()).problems;
        let first = problems.first().unwrap_or_else(|| panic!("no problem: {text}"));
        assert!(first.message.starts_with(message), "{first} in {text}");
        let spot = if line == 0 { Spot::Whole } else { Spot::Line(line, 1) };
        assert_eq!(first.place.spot, spot, "{text}");
    }
}

#[test]
fn limits_hold() {
    let small =
        |limits: Limits, bytes: &[u8]| read(bytes, &limits).problems.first().map(|it| it.message.clone());
    let all = Limits::default();
    let deep = format!("Model {{\n{}{}}}\n", "A {\n".repeat(100_000), "}\n".repeat(100_000));
    assert_eq!(small(all, deep.as_bytes()).as_deref(), Some("the sections are nested too deeply"));
    let limits = Limits { depth: usize::MAX, ..all };
    assert_eq!(small(limits, deep.as_bytes()).as_deref(), Some("the sections are nested too deeply"));
    let limits = Limits { total: 100, ..all };
    assert_eq!(small(limits, TEXT.as_bytes()).as_deref(), Some("the file is too large"));
    let limits = Limits { nodes: 20, ..all };
    assert_eq!(small(limits, TEXT.as_bytes()).as_deref(), Some("the file has too many entries"));
    assert_eq!(small(limits, &archive(&parts(false))).as_deref(), Some("the XML has too many elements"));
    let limits = Limits { entries: 2, ..all };
    assert_eq!(small(limits, &text_package(&parts(true))).as_deref(), Some("the package has too many parts"));
    let bomb = archive(&[("simulink/blockdiagram.xml", " ".repeat(4 << 20))]);
    assert!(small(all, &bomb).is_some_and(|it| it.contains("times as large as it looks")));
    // A thousand problems are enough.
    let many = format!("Model {{\nSystem {{\n{}}}\n}}\n", "Line {\nSrcBlock \"x\"\n}\n".repeat(3_000));
    assert_eq!(reading(many.as_bytes()).problems.len(), 1_001);
}

/// Parts of systems that refer to each other, and the first problem.
#[test]
fn loops_of_systems() {
    let system = |inside: &str| {
        format!(
            "<System><Block BlockType=\"SubSystem\" Name=\"s\" SID=\"1\"><System Ref=\"{inside}\"/></Block></System>"
        )
    };
    let model = "<ModelInformation><Model><System Ref=\"a\"/></Model></ModelInformation>".to_owned();
    let check = |systems: &[(&str, String)], expected: &str| {
        let mut parts = vec![("simulink/blockdiagram.xml", model.clone())];
        parts.extend(systems.iter().cloned());
        let found = reading(&archive(&parts));
        let first = found.problems.first().unwrap_or_else(|| panic!("no problem: {systems:?}"));
        assert!(first.to_string().contains(expected), "{first}");
    };
    check(&[("simulink/systems/a.xml", system("a"))], "referenced twice");
    check(
        &[("simulink/systems/a.xml", system("b")), ("simulink/systems/b.xml", system("a"))],
        "referenced twice",
    );
    check(&[("simulink/systems/a.xml", system("../../x"))], "lacks an entry");
    let names: Vec<String> = (0..300).map(|at| format!("simulink/systems/s{at}.xml")).collect();
    let mut chain = vec![("simulink/systems/a.xml", system("s0"))];
    chain.extend(names.iter().zip(1..).map(|(name, at)| (name.as_str(), system(&format!("s{at}")))));
    check(&chain, "nested too deeply");
}

#[test]
fn broken_packages() {
    let table: [(&str, &str); 4] = [
        ("<ModelInformation><Model>", "the XML ends before"),
        ("<!DOCTYPE x><ModelInformation/>", "document type"),
        ("<ModelInformation/>", "the part has no model"),
        (
            "<ModelInformation><Model><System/><P Name=\"a\">&bomb;</P></Model></ModelInformation>",
            "is refused",
        ),
    ];
    for (part, message) in table {
        let found = reading(&archive(&[("simulink/blockdiagram.xml", part.to_owned())]));
        let first = found.problems.first().unwrap_or_else(|| panic!("no problem: {part}"));
        assert!(first.message.contains(message), "{first}");
        assert_eq!(first.place.part.as_deref(), Some("simulink/blockdiagram.xml"));
        assert_eq!(found.diagram, shall_simulink::diagram::Diagram::default());
    }
    // A byte of the model itself: the checksum tells.
    let mut bytes = archive(&[("simulink/blockdiagram.xml", "<ModelInformation/>".to_owned())]);
    bytes[30 + "simulink/blockdiagram.xml".len() + 5] ^= 0x10;
    assert_eq!(reading(&bytes).problems.len(), 1);
    let other = reading(&archive(&[("xl/workbook.xml", "<workbook/>".to_owned())]));
    assert!(other.problems[0].message.contains("no Simulink model"));
    // A broken part that is not the model: the model is read, and what is lost is said.
    let mut some = parts(false);
    some.iter_mut().filter(|it| it.0.ends_with("bddefaults.xml")).for_each(|it| it.1.truncate(40));
    let found = reading(&archive(&some));
    assert_eq!((found.problems.len(), found.diagram.sheets.len()), (1, 2));
}

/// Every file cut off at every place: nothing is lost in silence.
#[test]
fn cut_off() {
    let parts = parts(true);
    let texts = [TEXT.as_bytes().to_vec(), text_package(&parts)];
    let whole = TEXT.trim_end().len();
    for end in 0..whole {
        assert!(!reading(&texts[0][..end]).problems.is_empty(), "{end}");
    }
    for end in (30..texts[1].len() - 30).step_by(7) {
        assert!(!reading(&texts[1][..end]).problems.is_empty(), "{end}");
    }
    let zip = archive(&parts);
    for end in (0..zip.len()).step_by(3) {
        assert!(!reading(&zip[..end]).problems.is_empty(), "{end}");
    }
}

/// Bytes changed at random: no panic, and what was read can be written and read again.
#[test]
fn changed_bytes() {
    let mut rng = base::Random::new(2);
    let parts = parts(true);
    let pieces: [&[u8]; 12] =
        [b"{", b"}", b"\"", b"\\", b"[", b"]", b"\n", b"<", b">", b"&", b"#", b"Block {\nBlockType A\n"];
    for file in [TEXT.as_bytes().to_vec(), text_package(&parts), archive(&parts)] {
        for _ in 0..600 {
            let mut bytes = file.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.below(256) as u8,
                    1 => drop(bytes.splice(at..at, pieces[rng.below(pieces.len())].iter().copied())),
                    2 => drop(bytes.drain(at..(at + rng.below(40)).min(bytes.len()))),
                    _ => drop(bytes.splice(at..at, file[at.min(file.len() - 1)..].iter().copied().take(50))),
                }
            }
            let found = reading(&bytes);
            let clean = found.problems.is_empty();
            let again = reading(write(&found.diagram).as_bytes());
            if clean && !found.diagram.sheets.is_empty() {
                assert_eq!(kept(&again.diagram), kept(&found.diagram), "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

/// The message of the first problem of a model.
fn refused(bytes: &[u8]) -> String {
    let mut diagram = reading(bytes).diagram;
    diagram.name = "m".to_owned();
    let problems = lower(&plan(&diagram, &[]), None, &Options::default()).err().unwrap_or_default();
    problems.first().map(|it| it.message.clone()).unwrap_or_default()
}

/// Whatever is nested in expressions, code and states, the stack suffices.
#[test]
fn deep_texts_are_errors() {
    let deep = format!("{}u{}", "(".repeat(100_000), ")".repeat(100_000));
    let signs = format!("{}u", "-".repeat(100_000));
    for text in [&deep, &signs] {
        for block in
            [format!("Gain k Gain={text}"), format!("Fcn k Expr={text}"), format!("Bias k Bias=[{text}]")]
        {
            let model = format!("Inport u\n{block}\nOutport y\nu -> k -> y");
            let problems = lowered(&model).err().unwrap_or_default();
            assert!(problems[0].message.contains("nested too deeply"), "{:.200}", problems[0].message);
        }
        let condition =
            format!("input u\noutput y\nstate A\nstate B entry: y = 1;\n-> A\nA -> B [{text} > 0]");
        let message = refused(as_text(&condition, "").as_bytes());
        assert!(message.contains("nested too deeply"), "{message:.200}");
    }
    // States in states, which a text file lists one after the other.
    let mut chart = as_text("output y\nstate A\n-> A", "");
    let states: String = (0..10_000)
        .map(|it| {
            let parent = if it == 0 { 11 } else { 20_000 + it - 1 };
            format!("state {{\nid {}\ntreeNode [{parent} 0 0 0]\nchart 1\nlabelString \"S{it}\"\ntype OR_STATE\n}}\n", 20_000 + it)
        })
        .collect();
    let end = chart.rfind('}').expect("a section");
    chart.insert_str(end, &states);
    assert!(refused(chart.as_bytes()).contains("nested more than"), "{}", refused(chart.as_bytes()));
    // Subsystems in subsystems.
    let nested = format!(
        "Model {{\nSystem {{\n{}{}}}\n}}\n",
        "Block {\nBlockType SubSystem\nName \"s\"\nSystem {\n".repeat(10_000),
        "}\n}\n".repeat(10_000)
    );
    assert_eq!(reading(nested.as_bytes()).problems[0].message, "the sections are nested too deeply");
}

/// A long chain of blocks is a deep expression, which everything has to go through without a deep stack.
#[test]
fn long_chains_of_blocks() {
    let count = 20_000;
    let mut blocks = String::new();
    for number in 1..=count {
        blocks += &format!("Block {{\nBlockType Bias\nName \"b{number}\"\nBias \"1\"\n}}\n");
    }
    for number in 1..count {
        let next = number + 1;
        blocks +=
            &format!("Line {{\nSrcBlock \"b{number}\"\nSrcPort 1\nDstBlock \"b{next}\"\nDstPort 1\n}}\n");
    }
    let ends = format!(
        "Block {{\nBlockType Inport\nName \"u\"\n}}\nBlock {{\nBlockType Outport\nName \"y\"\n}}\n\
         Line {{\nSrcBlock \"u\"\nSrcPort 1\nDstBlock \"b1\"\nDstPort 1\n}}\n\
         Line {{\nSrcBlock \"b{count}\"\nSrcPort 1\nDstBlock \"y\"\nDstPort 1\n}}\n"
    );
    let diagram =
        reading(format!("Model {{\nName \"m\"\nSystem {{\n{blocks}{ends}}}\n}}\n").as_bytes()).diagram;
    let system = lower(&plan(&diagram, &[]), None, &Options { locals: false }).expect("a system");
    check_system("a chain", &system, "1 | 20001\n -1 | 19999", 0.0);
}

/// Models and libraries that contain themselves end, and are refused.
#[test]
fn cycles_of_files() {
    let file = |text: &str| {
        let mut diagram = reading(mdl(text).as_bytes()).diagram;
        diagram.name = "m".to_owned();
        diagram
    };
    let inside = |block: &str| {
        let many: String = (0..10)
            .map(|it| {
                format!(
                    "{} s{it} {}\n",
                    block.split(' ').next().unwrap_or(""),
                    block.split_once(' ').map_or("", |it| it.1)
                )
            })
            .collect();
        file(&format!("Inport u\nOutport y\n{many}u -> s0 -> y"))
    };
    let library = file(
        "SubSystem A\nInport A/u\nOutport A/y\nReference A/x SourceBlock=lib/A\nReference A/z SourceBlock=lib/A\nA/u -> A/x -> A/y",
    );
    let cases = [
        (
            "ModelReference ModelName=one",
            vec![
                ("one", inside("ModelReference ModelName=two")),
                ("two", inside("ModelReference ModelName=one")),
            ],
        ),
        ("ModelReference ModelName=one", vec![("one", inside("ModelReference ModelName=one"))]),
        ("Reference SourceBlock=lib/A", vec![("lib", library)]),
    ];
    for (block, files) in cases {
        let (kind, parameters) = block.split_once(' ').expect(block);
        let mut diagram = file(&format!("Inport u\n{kind} k {parameters}\nOutport y\nu -> k -> y"));
        let known: BTreeMap<_, _> = files.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
        link(&mut diagram, &known);
        expand(&mut diagram);
        assert!(diagram.sheets.len() < 1_000, "{block}: {} sheets", diagram.sheets.len());
        let problems = lower(&plan(&diagram, &[]), None, &Options::default()).err().unwrap_or_default();
        assert!(problems.iter().any(|it| it.message.contains("contains itself")), "{block}: {problems:?}");
    }
}
