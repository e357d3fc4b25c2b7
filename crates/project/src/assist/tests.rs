//! One project with two documents, and what editors ask about it.

use super::{MODIFIERS, TYPES};
use super::{
    Role, Target, definitions, find_symbols, hover, locate, mend, outline, references, rename, tokens,
};
use crate::edit::apply;
use crate::{Analysis, Cache, Document, Project};

const PUMP: &str = "# Pump\n\n| name | kind | type | unit | definition | description |\n|-|-|-|-|-|-|\n\
    | größe | input | real | m | | how big |\n| state | output | enum(idle, on) | | | |\n\
    | filling | mode | bool | | `größe < 3 \\| größe > 9` | |\n| LIMIT | constant | int | | 5 | |\n";

const WATER: &str = "# Water 🚰\n\n## P-1: Fill\n\n```fretish\nin filling mode, when größe > LIMIT, the Pump shall within 3 ticks\n  satisfy state = on & alarm\n```\n\n\
    ## P-2\n\n```fretish\nPump shall alwais satisfy größe > 3\n```\n\n- parent: P-1\n";

fn project() -> (Project, Analysis) {
    let documents = vec![Document::read("pump.md", PUMP), Document::read("water.md", WATER)];
    let project = Project { documents, ..Project::default() };
    let analysis = project.analyse(&mut Cache::default());
    (project, analysis)
}

/// The offset of the `nth` place of a text in a document.
fn offset(project: &Project, document: usize, needle: &str, nth: usize) -> u32 {
    let found = project.documents[document].text.match_indices(needle).nth(nth);
    found.unwrap_or_else(|| panic!("{needle} {nth}")).0 as u32
}

#[test]
fn names_have_places() {
    let (project, analysis) = project();
    for (document, needle, nth, expected) in [
        (0, "Pump", 0, "pump.md:Pump! water.md:Pump water.md:Pump"),
        (0, "größe", 0, "pump.md:größe! pump.md:größe pump.md:größe water.md:größe water.md:größe="),
        (0, "größe", 2, "pump.md:größe! pump.md:größe pump.md:größe water.md:größe water.md:größe="),
        (1, "größe", 1, "pump.md:größe! pump.md:größe pump.md:größe water.md:größe water.md:größe="),
        (1, "filling", 0, "pump.md:filling! water.md:filling"),
        (1, "on &", 0, "pump.md:on! water.md:on"),
        (1, "alarm", 0, "water.md:alarm="),
        (1, "P-1", 0, "water.md:P-1! water.md:P-1"),
        (1, "P-1", 1, "water.md:P-1! water.md:P-1"),
        (1, "P-2", 0, "water.md:P-2!"),
        (1, "shall", 0, ""),
    ] {
        let found = locate(&project, &analysis, document, offset(&project, document, needle, nth) + 1)
            .unwrap_or_else(|| panic!("{needle} {nth}"));
        let shown: Vec<String> = references(&project, &analysis, &found.target)
            .iter()
            .map(|place| {
                let text = &project.documents[place.document];
                let mark = match place.role {
                    Role::Declaration => "!",
                    Role::Read => "",
                    Role::Write => "=",
                };
                format!("{}:{}{mark}", text.name, text.slice(place.span))
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{needle}");
        let declared = definitions(&project, &analysis, &found.target).len();
        assert_eq!(declared, expected.matches('!').count(), "{needle}");
    }
    assert_eq!(locate(&project, &analysis, 1, offset(&project, 1, "🚰", 0)), None);
    assert_eq!(locate(&project, &analysis, 7, 0), None);
}

#[test]
fn every_offset_has_an_answer() {
    let (project, analysis) = project();
    for (document, text) in project.documents.iter().enumerate() {
        for offset in 0..=text.text.len() as u32 + 3 {
            let _ = locate(&project, &analysis, document, offset);
            let _ = hover(&project, &analysis, document, offset);
            let _ = super::complete(&project, &analysis, document, offset);
        }
    }
}

#[test]
fn names_change_everywhere() {
    let (project, analysis) = project();
    let variable = |name: &str| Target::Variable { component: "Pump".into(), name: name.into() };
    for (target, new, expected) in [
        (variable("größe"), "size", Ok(5)),
        (variable("größe"), "the size", Ok(5)),
        (variable("größe"), "filling", Err("the new name is taken")),
        (variable("größe"), "on", Err("the new name is taken")),
        (variable("größe"), "a\"b", Err("the new name does not work")),
        (variable("größe"), " ", Err("the new name does not work")),
        (Target::Component("Pump".into()), "Valve", Ok(3)),
        (Target::Requirement("P-1".into()), "Q-1", Ok(2)),
        (Target::Requirement("P-1".into()), "P-2", Err("the new name is taken")),
        (Target::Requirement("P-1".into()), "Q 1", Err("the new name does not work")),
        (Target::Word("shall".into()), "x", Err("this cannot be renamed")),
    ] {
        let edits = rename(&project, &analysis, &target, new);
        match (edits, expected) {
            (Ok(edits), Ok(count)) => assert_eq!(edits.len(), count, "{target:?} {new}"),
            (Err(reason), Err(expected)) => {
                assert!(reason.to_string().starts_with(expected), "{target:?} {new}: {reason}")
            }
            (edits, _) => panic!("{target:?} {new}: {edits:?}"),
        }
    }
    let edits = rename(&project, &analysis, &variable("größe"), "the size").expect("a name in quotes");
    let text = apply(PUMP, edits.iter().filter(|edit| edit.document == 0)).expect("edits fit");
    assert!(
        text.contains("| the size | input") && text.contains("`\"the size\" < 3 \\| \"the size\" > 9`"),
        "{text}"
    );
    let text = apply(WATER, edits.iter().filter(|edit| edit.document == 1)).expect("edits fit");
    assert!(text.contains("when \"the size\" > LIMIT"), "{text}");
}

#[test]
fn hovers() {
    let (project, analysis) = project();
    for (document, needle, nth, expected) in [
        (1, "größe", 0, "`größe`: input real in m\n\nhow big\n\nDeclared in pump.md, 2 uses."),
        (1, "alarm", 0, "`alarm`: output bool\n\nNot declared, 1 use. Its kind and type are inferred."),
        (
            1,
            "filling",
            0,
            "`filling`: mode bool\n\nDefined as `größe < 3 | größe > 9`\n\nDeclared in pump.md, 1 use.",
        ),
        (1, "on &", 0, "`on`: a value of `state`, enum(idle, on)"),
        (1, "Pump", 0, "`Pump`: component\n\n5 variables, 2 requirements."),
        (1, "within", 0, "`within`: The response holds"),
        (1, "&", 0, "It applies in each interval in which `filling` holds. It is triggered"),
        (1, "P-1", 1, "**P-1** Fill\n\n```fretish\nin filling mode"),
        (1, "alwais", 0, "The sentence has no meaning until its errors are fixed."),
    ] {
        let found =
            hover(&project, &analysis, document, offset(&project, document, needle, nth)).expect(needle);
        assert!(found.markdown.starts_with(expected), "{needle}: {}", found.markdown);
    }
    let found = hover(&project, &analysis, 1, offset(&project, 1, "&", 0)).expect("a sentence");
    assert!(
        found.markdown.contains("Template: ") && found.markdown.contains("Past: \n```\n"),
        "{}",
        found.markdown
    );
}

#[test]
fn colours() {
    let (project, analysis) = project();
    for (document, expected) in [
        (
            0,
            "Pump:component+declaration größe:variable+declaration input:keyword real:type state:variable+declaration \
             output:keyword enum:type idle:enumMember+declaration on:enumMember+declaration filling:variable+declaration \
             mode:keyword bool:type größe:variable größe:variable LIMIT:variable+declaration+readonly constant:keyword int:type",
        ),
        (
            1,
            "in:scope+scope filling:variable+scope mode:scope+scope when:condition+condition größe:variable+condition \
             >:operator+condition LIMIT:variable+readonly+condition the:keyword Pump:component shall:keyword \
             within:timing+timing 3:number+timing ticks:timing+timing satisfy:response state:variable+response \
             =:operator+response on:enumMember+response &:operator+response alarm:variable+inferred+response \
             Pump:component shall:keyword satisfy:response größe:variable+response >:operator+response 3:number+response",
        ),
    ] {
        let text = &project.documents[document];
        let all = tokens(&project, &analysis, document);
        assert!(all.is_sorted_by(|a, b| a.span.end <= b.span.start), "{all:?}");
        let shown: Vec<String> = all
            .iter()
            .map(|token| {
                let modifiers =
                    MODIFIERS.iter().enumerate().filter(|(bit, _)| token.modifiers >> bit & 1 == 1);
                let modifiers: String = modifiers.map(|(_, name)| format!("+{name}")).collect();
                format!("{}:{}{modifiers}", text.slice(token.span), TYPES[token.ty as usize])
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }
}

#[test]
fn outlines_and_symbols() {
    let (project, analysis) = project();
    let shown = |document: usize| {
        let mut out = Vec::new();
        let mut open: Vec<_> =
            outline(&project.documents[document]).into_iter().rev().map(|line| (0, line)).collect();
        while let Some((depth, line)) = open.pop() {
            out.push(
                format!("{}{:?} {} {}", "  ".repeat(depth), line.kind, line.name, line.detail)
                    .trim_end()
                    .to_string(),
            );
            assert!(
                line.span.start <= line.selection.start && line.selection.end <= line.span.end,
                "{line:?}"
            );
            open.extend(line.children.into_iter().rev().map(|child| (depth + 1, child)));
        }
        out
    };
    assert_eq!(
        shown(0),
        [
            "Component Pump",
            "  Variable größe input real",
            "  Variable state output enum(idle, on)",
            "  Variable filling mode bool",
            "  Constant LIMIT constant int"
        ]
    );
    assert_eq!(shown(1), ["Chapter Water 🚰", "  Requirement P-1 Fill", "  Requirement P-2"]);
    for (query, expected) in
        [("p-", "P-1 P-2"), ("FILL", "P-1 filling"), ("pump", "Pump"), ("al", "alarm"), ("zz", "")]
    {
        let found = find_symbols(&project, &analysis, query, 10);
        let names: Vec<&str> = found.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{query}");
    }
    assert_eq!(find_symbols(&project, &analysis, "", 3).len(), 3);
}

#[test]
fn hints_become_edits() {
    let (project, analysis) = project();
    let known = &analysis.requirements[1];
    let fixes: Vec<_> = analysis.complaints(&project, known).filter_map(|found| mend(1, &found)).collect();
    assert_eq!(fixes.len(), 1);
    let text = apply(WATER, &fixes[0].edits).expect("edits fit");
    assert!(text.contains("Pump shall always satisfy"), "{text}");
}
