//! Phrases: a sentence that writes them means what it means with names in their place, and everything that reads or changes
//! sentences knows them.

use logic::{SHALL, Store, print};
use requirement::{Ending, future, past};
use shall_project::assist::{complete, definitions, hover, locate};
use shall_project::diff::{Class, diff};
use shall_project::edit::apply;
use shall_project::exchange::{from_fret, merge, specification, to_fret};
use shall_project::{Cache, Document, Project, format, rename};

const TABLE: &str = "# light\n\n\
    | name | kind | type | definition | phrase |\n|-|-|-|-|-|\n\
    | door_open | input | bool | | the door is open |\n\
    | light_on | output | bool | | the light is on |\n\
    | speed | input | int | | the speed of the car |\n\
    | parked | mode | bool | `speed = 0` | the car is parked |\n\
    | LIMIT | constant | int | 2 | the reaction time |\n\
    | my x | input | bool | | the other thing holds |\n";

/// The sentences, with phrases and with names.
const SENTENCES: [(&str, &str); 12] = [
    (
        "if the other thing holds, the light shall satisfy the other thing holds | light_on",
        "if \"my x\", the light shall satisfy \"my x\" | light_on",
    ),
    (
        "when the door is open, the light shall within 2 seconds satisfy the light is on",
        "when door_open, the light shall within 2 seconds satisfy light_on",
    ),
    (
        "when The Door\n  is  open the light shall immediately satisfy the light is on.",
        "when door_open the light shall immediately satisfy light_on.",
    ),
    (
        "while the car is parked, the light shall always satisfy not the light is on",
        "while parked, the light shall always satisfy not light_on",
    ),
    (
        "in the car is parked mode, light shall always satisfy the light is on",
        "in parked mode, light shall always satisfy light_on",
    ),
    (
        "after the car is parked, the light shall never satisfy !(the door is open & the speed of the car > 5)",
        "after parked, the light shall never satisfy !(door_open & speed > 5)",
    ),
    (
        "whenever the speed of the car + 1 >= 2 * the speed of the car, the light shall satisfy the light is on",
        "whenever speed + 1 >= 2 * speed, the light shall satisfy light_on",
    ),
    (
        "when the door is open and when the car is parked, the light shall until the door is open is false satisfy light_on",
        "when door_open and when parked, the light shall until door_open is false satisfy light_on",
    ),
    (
        "unless the door is open, the light shall within the reaction time ticks satisfy the light is on",
        "unless door_open, the light shall within LIMIT ticks satisfy light_on",
    ),
    (
        "shall the light always satisfy persisted(3, the door is open) => the light is on",
        "shall the light always satisfy persisted(3, door_open) => light_on",
    ),
    (
        "the light shall always satisfy if the door is open then the light is on",
        "the light shall always satisfy if door_open then light_on",
    ),
    (
        "only before the door is open, the light shall eventually satisfy (the light is on) xor door_open",
        "only before door_open, the light shall eventually satisfy (light_on) xor door_open",
    ),
];

fn document(with_phrases: bool) -> Document {
    let mut text = TABLE.to_string();
    for (number, (phrased, plain)) in SENTENCES.iter().enumerate() {
        let sentence = if with_phrases { phrased } else { plain };
        text += &format!("\n## R-{number}\n\n```fretish\n{sentence}\n```\n");
    }
    Document::read("light.md", text)
}

fn project(document: Document) -> Project {
    Project { documents: vec![document], ..Project::default() }
}

/// Keys, formulas and diagnostics of all sentences.
fn meanings(project: &Project) -> Vec<String> {
    let analysis = project.analyse(&mut Cache::default());
    let meaning = |known: &shall_project::Known| {
        let reading = known.reading.as_ref().expect("a sentence");
        let requirement = reading.lowered.requirement.as_ref();
        let requirement = requirement.unwrap_or_else(|| panic!("{:?}", reading.diagnostics()));
        let mut store = reading.store.clone();
        let formulas = [
            past(&mut store, requirement),
            future(&mut store, requirement, Ending::Last),
            future(&mut store, requirement, Ending::Infinite),
        ];
        let shown =
            formulas.map(|formula| formula.map(|it| print(&store, it, &SHALL).expect("our own dialect")));
        let codes: Vec<&str> = reading.diagnostics().iter().map(|found| found.code.id()).collect();
        format!("{:?} {shown:?} {codes:?}", reading.lowered.key)
    };
    analysis.requirements.iter().map(meaning).collect()
}

#[test]
fn a_phrase_means_its_name() {
    let (phrased, plain) = (meanings(&project(document(true))), meanings(&project(document(false))));
    for ((one, other), sentence) in phrased.iter().zip(&plain).zip(SENTENCES) {
        assert_eq!(one, other, "{}", sentence.0);
    }
}

#[test]
fn exports_have_names_and_imports_leave_phrases() {
    let project = project(document(true));
    let analysis = project.analyse(&mut Cache::default());
    let sent = to_fret(&project, &analysis, None);
    let text = exchange::fret::write(&sent);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (_, plain) in SENTENCES {
        let quoted = serde_json::Value::from(plain).to_string();
        assert!(words(&text).contains(&words(&quoted)) || text.contains(&words(plain)), "{plain}\n{text}");
    }
    let back =
        exchange::fret::read(text.as_bytes(), exchange::Limits::default()).expect("what was written").project;
    let merged = merge(&project, &analysis, &from_fret(&back));
    assert_eq!((merged.edits, merged.changed.len(), merged.added.len()), (vec![], 0, 0));
    let (components, left_out) = specification(&project, &analysis, &mut Store::default());
    assert!(left_out.is_empty(), "{left_out:?}");
    for (item, (_, plain)) in components[0].items.iter().zip(SENTENCES) {
        assert_eq!(item.text, words(plain));
    }
}

#[test]
fn words_differ_and_meanings_do_not() {
    let (old, new) = (project(document(true)), project(document(false)));
    for change in diff(&old, &new).requirements {
        assert!(
            matches!(change.class, Class::Reworded | Class::Unchanged),
            "{} {:?}",
            change.id,
            change.class
        );
    }
}

#[test]
fn new_names_leave_phrases_and_new_phrases_leave_names() {
    let project = project(document(true));
    let analysis = project.analyse(&mut Cache::default());
    let text = &project.documents[0].text;
    let named = rename::variable(&project, &analysis, None, "door_open", "is_open").expect("a new name");
    let after = apply(text, &named.edits).expect("edits fit");
    assert_eq!(after, text.replace("| door_open |", "| is_open |").replace("xor door_open", "xor is_open"));
    let said =
        rename::phrase(&project, &analysis, None, "The door is  open", "a door stands open").expect("words");
    let after = apply(text, &said.edits).expect("edits fit");
    let expected = text
        .replace("the door is open", "a door stands open")
        .replace("The Door\n  is  open", "a door stands open");
    assert_eq!(after, expected);
    let moved = rename::component(&project, &analysis, None, "light", "lamp").expect("a new name");
    assert_eq!(moved.edits.len(), 1 + SENTENCES.len());
    for (old, new, expected) in [
        ("the door is open", "the light is on", "the new name is taken: it is the phrase of `light_on`"),
        ("the door is open", "open", "the new name does not work: a phrase has two words"),
        ("the door is open", "open and shut case", "the new name does not work: `and` separates"),
        ("the door is opn", "a b", "there is no phrase `the door is opn`; did you mean `the door is open`?"),
    ] {
        let refused = rename::phrase(&project, &analysis, None, old, new).expect_err(new).to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
}

#[test]
fn the_normal_form_keeps_phrases() {
    let document = document(true);
    let analysis = project(document.clone()).analyse(&mut Cache::default());
    let edits = format::edits(&document, 0, &analysis.phrases);
    let text = apply(&document.text, &edits).expect("edits fit");
    assert!(
        text.contains("when The Door is open the light shall immediately satisfy the light is on."),
        "{text}"
    );
    let again = Document::read("light.md", text);
    assert_eq!(format::edits(&again, 0, &analysis.phrases), []);
}

#[test]
fn editors_know_phrases() {
    let project = project(document(true));
    let analysis = project.analyse(&mut Cache::default());
    let text = &project.documents[0].text;
    let at = text.find("is open, the light").expect("the first sentence") as u32;
    let found = locate(&project, &analysis, 0, at).expect("a phrase");
    assert_eq!(&text[found.span.range()], "the door is open");
    let hovered = hover(&project, &analysis, 0, at).expect("a phrase").markdown;
    assert!(hovered.starts_with("`door_open`: input bool\n\nIn words: *the door is open*"), "{hovered}");
    let declared = definitions(&project, &analysis, &found.target);
    assert_eq!(declared.iter().map(|it| &text[it.span.range()]).collect::<Vec<_>>(), ["door_open"]);
    for (begun, expected) in [
        ("when |, the light shall satisfy light_on", "the door is open"),
        ("when the |, the light shall satisfy light_on", "door is open"),
        ("when the door i|, the light shall satisfy light_on", "is open"),
        ("the light shall always satisfy the li|", "light is on"),
        ("the light shall within |", "the reaction time"),
        ("while |, the light shall satisfy light_on", "the car is parked"),
    ] {
        let text = format!("{TABLE}\n## R-1\n\n```fretish\n{begun}\n```\n");
        let offset = text.find(begun).expect("the sentence") + begun.find('|').expect("a mark");
        let document = Document::read("light.md", text.replacen(begun, &begun.replacen('|', "", 1), 1));
        let project = self::project(document);
        let analysis = project.analyse(&mut Cache::default());
        let items = complete(&project, &analysis, 0, offset as u32).items;
        let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
        assert!(labels.contains(&expected), "{begun}: {labels:?}");
    }
}
