//! Completion by position: a text with a cursor mark, and the labels that are offered there.

use crate::assist::{Item, complete};
use crate::{Cache, Document, Project};

const VARIABLES: &str = "# Pump\n\n| name | kind | type | unit | definition | description |\n|-|-|-|-|-|-|\n\
    | pressure | input | real 0..10 | bar | | at the outlet |\n| state | output | enum(idle, running, 速度) | | | |\n\
    | filling | mode | bool | | `pressure < 3` | |\n| alarm | output | bool | | | |\n| LIMIT | constant | int | | 5 | |\n\n\
    ## P-1: First\n\n```fretish\nwhen level > 3, Pump shall always satisfy alarm\n```\n\n- status: draft\n- owner: Ada\n\n";

/// The proposals at the mark.
fn proposals(name: &str, marked: &str) -> Vec<Item> {
    let offset = marked.find('‸').expect("a mark");
    let text = marked.replacen('‸', "", 1);
    let project = Project { documents: vec![Document::read(name, text)], ..Project::default() };
    let analysis = project.analyse(&mut Cache::default());
    let completion = complete(&project, &analysis, 0, offset as u32);
    assert!(completion.span.start as usize <= offset && offset <= completion.span.end as usize);
    completion.items
}

fn labels(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.label.as_str()).collect()
}

/// The first labels at the mark in a sentence, joined.
fn in_sentence(marked: &str) -> String {
    let document = format!("{VARIABLES}## P-2\n\n```fretish\n{}\n```\n", marked.replacen('|', "‸", 1));
    let items = proposals("a.md", &document);
    labels(&items).into_iter().take(6).collect::<Vec<_>>().join(", ")
}

#[test]
fn sentences() {
    let mut wrong = Vec::new();
    for (marked, expected) in [
        ("|", "Pump, the, after, before, during, except in"),
        (
            "wh|",
            "when, whenever, where, while, when …, the component shall immediately satisfy …, when …, the component shall until … satisfy …",
        ),
        ("in |", "filling, alarm, mode"),
        ("in fi| mode, Pump shall satisfy x", "filling"),
        ("in filling |", "mode, &, <=>, =>, and, is false"),
        ("in filling mode, |", "Pump, the, if, unless, upon, when"),
        ("in filling mode |", "Pump, the, if, unless, upon, when"),
        ("only |", "after, before, during, in, while"),
        ("when pr|", "pressure, preBool, preInt, preReal, prevOcc"),
        ("when |", "LIMIT, alarm, filling, pressure, state, FTP"),
        ("when pressure |", "!=, *, +, -, /, <"),
        ("when state |", "!=, =, Pump, the, and when, or when"),
        ("when state = |", "idle, running, 速度, state"),
        ("when state != r|", "running"),
        ("when (state = i|", "idle"),
        ("when alarm, |", "Pump, the, and when, or when"),
        ("when alarm, P|", "Pump"),
        ("when alarm the |", "Pump"),
        ("when alarm Pump |", "shall"),
        ("Pump |", "shall"),
        ("Pump s|", "shall"),
        ("Pump shall |", "after, always, at the last timepoint, at the next timepoint, before, eventually"),
        ("Pump shall wi|", "within, with probability"),
        ("shall the |", "Pump"),
        ("shall the Pump al|", "always"),
        ("shall P|", "Pump"),
        ("Pump shall within |", "LIMIT, 5 hours, 5 microseconds, 5 milliseconds, 5 minutes, 5 seconds"),
        ("Pump shall within 3 |", "hours, microseconds, milliseconds, minutes, seconds, ticks"),
        ("Pump shall for 3 s|", "seconds"),
        ("Pump shall within LIMIT |", "hours, microseconds, milliseconds, minutes, seconds, ticks"),
        ("Pump shall within 3 ticks |", "satisfy"),
        ("Pump shall always |", "satisfy"),
        (
            "Pump shall at |",
            "the first timepoint, the last timepoint, the next timepoint, the same timepoint",
        ),
        ("Pump shall at the n|", "next timepoint"),
        ("Pump shall at the next timepoint |", "satisfy"),
        ("Pump shall until alarm |", "satisfy, &, <=>, =>, and, is false"),
        ("Pump shall until al|", "alarm"),
        ("Pump shall always satisfy |", "LIMIT, alarm, filling, pressure, state, FTP"),
        ("Pump shall always satisfy alarm |", "&, <=>, =>, and, is false, is true"),
        ("Pump shall always satisfy alarm & pers|", "persisted, persists"),
        ("Pump shall always satisfy pressure > |", "LIMIT, alarm, filling, pressure, state, FTP"),
        ("Pump shall satisfy persisted(3, al|)", "alarm"),
        ("Pump shall with |", "probability"),
        ("größe and 速|", ""),
        ("nonsense nonsense |", "shall"),
        ("🚰 |", "Pump, the, after, before, during, except in"),
    ] {
        let found = in_sentence(marked);
        if found != expected {
            wrong.push(format!("{marked}\n  found    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn empty_sentences_get_templates() {
    for marked in
        ["## P-2\n\n```fretish\n‸\n```\n", "## P-2\n\n```fretish\n‸", "## P-2\n\n```fretish\n  ‸\n\n```\n"]
    {
        let items = proposals("a.md", &format!("{VARIABLES}{marked}"));
        assert!(
            items.iter().any(|item| item.snippet && item.insert.contains("${1:component} shall")),
            "{marked}"
        );
    }
    for marked in ["‸", "A-1: x shall satisfy y\n‸\n", "A-1: ‸\nB-2: x shall satisfy y"] {
        assert!(proposals("a.fretish", marked).iter().any(|item| item.snippet), "{marked}");
    }
}

#[test]
fn documents() {
    for (marked, expected) in [
        ("## P-2\n\n- ‸", "owner, parent, role, status"),
        ("## P-2\n\n- st‸", "status"),
        ("## P-2\n\n- parent: ‸", "P-1"),
        ("## P-2\n\n- parent: P-1, P‸", "P-1"),
        ("## P-2\n\n- status: ‸", "draft"),
        ("## P-2\n\n- status: d‸", "draft"),
        ("## P-2\n\n- role: ‸", "assumption, guarantee"),
        ("## P-2\n\n- colour: ‸", ""),
        ("## P-2\n\nProse ‸", ""),
        ("## P-2\n\n‸```fretish\n```\n", ""),
        ("## P-2\n\n```fret‸ish\n```\n", ""),
        ("## P-2\n\n```fretish\n```‸", ""),
        (
            "# Tank\n\n| name | kind |\n|-|-|\n| x | ‸ |\n",
            "constant, function, input, internal, mode, output",
        ),
        ("# Tank\n\n| name | kind |\n|-|-|\n| x | in‸", "input, internal"),
        ("# Tank\n\n| name | type |\n|-|-|\n| x | e‸ |\n", "enum(…), enum(idle, running, 速度)"),
        ("# Tank\n\n| name | unit |\n|-|-|\n| x | ‸ |\n", "bar"),
        ("# Pump\n\n| name | kind |\n|-|-|\n| l‸ | |\n", "level"),
        (
            "# Pump\n\n| name | definition |\n|-|-|\n| x | `alarm \\| pr‸` |\n",
            "pressure, preBool, preInt, preReal, prevOcc",
        ),
    ] {
        let items = proposals("a.md", &format!("{VARIABLES}{marked}"));
        assert_eq!(labels(&items).join(", "), expected, "{marked}");
    }
}

#[test]
fn details_say_what_a_variable_is() {
    let document = format!("{VARIABLES}## P-2\n\n```fretish\nwhen ‸, Pump shall satisfy x\n```\n");
    let items = proposals("a.md", &document);
    let of = |label: &str| {
        items.iter().find(|item| item.label == label).map(|item| (item.detail.as_str(), item.about.as_str()))
    };
    assert_eq!(of("pressure"), Some(("input real 0..10 in bar", "at the outlet")));
    // The table of the component does not have it: it may be a typing error.
    assert_eq!(of("level"), None);
    let document = "# Pump\n\n## P-1\n\n```fretish\nwhen level > 3, Pump shall always satisfy alarm\n```\n\n\
        ## P-2\n\n```fretish\nwhen ‸, Pump shall satisfy x\n```\n";
    let items = proposals("a.md", document);
    let level = items.iter().find(|item| item.label == "level").map(|item| item.detail.as_str());
    assert_eq!(level, Some("input int (inferred)"));
}
