//! Random documents: what is read has its place, changes change nothing else, the normal form is one, and a name that goes
//! there and back leaves no trace. Seeds are fixed.

use base::Random;
use requirement::Fields;
use shall_project::edit::{Edit, apply};
use shall_project::{Cache, Config, Document, PhraseBook, Project, format, rename};
use syntax::Span;
use syntax::fretish::{Sentence, parse};

const SENTENCES: [&str; 12] = [
    "the  Pump SHALL always satisfy x>3",
    "in m mode ,when x>=LIMIT&& !y, Pump shall within 3 ticks satisfy  y",
    "whenever x < 2\n   the Pump shall\n until y satisfy x=1",
    "Pump shall satisfy persisted( 2,y ) | größe>1",
    "before y, the Valve shall eventually satisfy open == TRUE",
    "Valve shall after LIMIT ticks satisfy not open",
    "the Valve shall never satisfy \"my var\">-1.5",
    "the pump",
    "Upon open, \"The Tank\" shall immediately satisfy x + 2*( x-1 ) <= 4",
    "\"just a  note\"",
    "in initialisation mode when the_temperature_of_the_water > 80 & the_level_of_the_water > 20 Valve shall satisfy open",
    "",
];

const PROSE: [&str; 9] = [
    "Why it is so.  ",
    "Two lines\nof `x` text.",
    "> ## Q-1\n> quoted",
    "1. first\n2. second: x",
    "- a point\n- another",
    "```text\n## no heading\n```",
    "<div>\nhtml\n</div>",
    "|a|b|\n|-|-|\n|x|y|",
    "größe ≤ 速度 \\| *x*",
];

const ROWS: [&str; 8] = [
    "|x|input|int 0..10||mass|",
    "| `LIMIT`|constant|  int|3|the limit",
    "|m|mode|bool|`x > LIMIT \\| y`||",
    "|y|output|bool",
    "|größe|input|real||速度 of it|",
    "|  | input |",
    "|x|again|",
    "open | output | bool | | |",
];

/// A document of random blocks with random spacing.
fn document(seed: u64) -> Document {
    let rng = &mut Random::new(seed);
    let mut text = String::new();
    for number in 0..1 + rng.below(6) {
        text += &match rng.below(6) {
            0 => "# Chapter".to_string(),
            1 => format!("## {}", rng.pick(&["Pump", "Valve", "Component Tank", "Variables of Pump"])),
            2 => format!("R-{number}\n----"),
            _ => format!("##  R-{number}: {} ", rng.pick(&["A title", "x: y", "größe"])),
        };
        let gap = |rng: &mut Random| "\n".repeat(1 + rng.below(3));
        text += &gap(rng);
        for _ in 0..rng.below(3) {
            text += rng.pick(&PROSE);
            text += &gap(rng);
        }
        if rng.below(3) == 0 {
            text += "\n|name|kind|type|definition|meaning|\n|-|:-:|-|--|-:|\n";
            for _ in 0..rng.below(6) {
                text += rng.pick(&ROWS);
                text += "\n";
            }
            text += &gap(rng);
        }
        if rng.below(4) > 0 {
            let margin = rng.pick(&["", "", "  "]);
            text += &format!("{margin}```fretish\n{margin}{}\n{margin}```", rng.pick(&SENTENCES));
            text += &gap(rng);
        }
        for _ in 0..rng.below(4) {
            let marker = rng.pick(&["-", "*", "-   "]);
            let value = rng.pick(&["R-1", " R-0 ,R-2", "two\n  lines", "", "  a | b", "R-1,\n    R-2"]);
            text += &format!("{marker} {}:{value}\n", rng.pick(&["parent", "status", "note"]));
        }
        text += rng.pick(&["", "\n", "\n\n\n"]);
    }
    if rng.below(3) == 0 {
        text = text.replace('\n', "\r\n");
    }
    Document::read("random.md", text)
}

/// A plain file: sentences on lines, some with an id, some going on in the next line.
fn plain(seed: u64) -> Document {
    let rng = &mut Random::new(seed);
    let mut text = String::new();
    for number in 0..rng.below(8) {
        text += &match rng.below(4) {
            0 => String::new(),
            1 => "# comment\n".to_string(),
            _ => format!("{}{number} {} ", rng.pick(&["P-", "größe"]), rng.pick(&[":", ""])),
        };
        text += rng.pick(&SENTENCES).trim_start();
        text += rng.pick(&["\n", "\n\n", "\r\n"]);
    }
    Document::read("plain.fretish", text)
}

/// Characters that mean something, in no order.
fn noise(seed: u64) -> Document {
    let rng = &mut Random::new(seed);
    let pieces = [
        "#",
        " ",
        "\n",
        "A-1",
        "|",
        "-",
        ":",
        "`",
        "```fretish\n",
        "```",
        "shall ",
        "satisfy x",
        "*",
        "\\",
        "\"",
        "ü",
        "\t",
        "\r\n",
        "> ",
        "name",
    ];
    let length = rng.below(60);
    let text: String = (0..length).map(|_| rng.pick(&pieces)).collect();
    Document::read(if seed.is_multiple_of(5) { "noise.fretish" } else { "noise.md" }, text)
}

fn all() -> impl Iterator<Item = Document> {
    (0..600).map(document).chain((0..300).map(plain)).chain((0..1500).map(noise))
}

/// What a document says: entries and rows as text.
fn said(document: &Document) -> Vec<String> {
    let mut said = Vec::new();
    for entry in &document.entries {
        let title = entry.title.as_ref().map(|title| &title.text);
        said.push(format!("{} {title:?} {:?}", entry.id.text, document.rationale(entry)));
        said.extend(entry.sentence.map(|sentence| document.slice(sentence.span).to_string()));
        said.extend(
            entry.attributes.iter().map(|found| format!("{}={:?}", found.name.text, found.value.text)),
        );
    }
    for table in &document.tables {
        said.extend(
            table.rows.iter().map(|row| format!("{} {:?}", table.component.text, row.declaration.name.text)),
        );
    }
    said
}

#[test]
fn spans_cover_what_they_say() {
    for document in all() {
        let text = &document.text;
        let inside = |inner: Span, outer: Span| {
            assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} {outer:?} {text:?}");
            assert!(text.get(inner.range()).is_some(), "{inner:?} {text:?}");
        };
        let whole = Span::new(0, text.len() as u32);
        for entry in &document.entries {
            inside(entry.section, whole);
            assert!(
                document.slice(entry.id.span) == entry.id.text || entry.id.span.start == entry.id.span.end
            );
            for field in entry
                .title
                .iter()
                .chain(&document.parents(entry))
                .chain(entry.attributes.iter().map(|found| &found.name))
            {
                assert_eq!(document.slice(field.span), field.text, "{text:?}");
                inside(field.span, entry.section);
            }
            for attribute in &entry.attributes {
                inside(attribute.value.span, attribute.item);
                inside(attribute.item, entry.section);
            }
            entry.prose.iter().for_each(|&prose| inside(prose, entry.section));
            if let Some(sentence) = entry.sentence {
                inside(sentence.span, sentence.block);
                inside(sentence.block, entry.section);
            }
        }
        for table in &document.tables {
            assert_eq!(document.slice(table.component.span), table.component.text);
            for cell in table.rows.iter().flat_map(|row| &row.cells) {
                inside(cell.span, table.span);
                assert_eq!(document.slice(cell.span).replace("\\|", "|"), cell.text, "{text:?}");
            }
        }
    }
}

#[test]
fn an_edit_of_one_attribute_changes_nothing_else() {
    let mut edited = 0;
    for document in all() {
        let before = said(&document);
        for (entry, attribute) in
            document.entries.iter().flat_map(|entry| entry.attributes.iter().map(move |found| (entry, found)))
        {
            if attribute.value.text.is_empty() {
                continue;
            }
            let edit = Edit { document: 0, span: attribute.value.span, text: "brand new".into() };
            let text = apply(&document.text, [&edit]).expect("the place is in the text");
            let after = said(&Document::read(document.name.clone(), text));
            let differ: Vec<_> = before.iter().zip(&after).filter(|(one, other)| one != other).collect();
            assert_eq!(before.len(), after.len(), "{:?}", document.text);
            assert!(differ.len() <= 1, "{} {differ:?} {:?}", entry.id.text, document.text);
            assert!(differ.iter().all(|(_, new)| **new == format!("{}=\"brand new\"", attribute.name.text)));
            edited += 1;
        }
    }
    assert!(edited > 300, "{edited}");
}

#[test]
fn the_normal_form_is_one_and_means_the_same() {
    let mut changed = 0;
    for document in all() {
        let edits = format::edits(&document, 0, &PhraseBook::default());
        let once = apply(&document.text, &edits).expect("edits do not overlap");
        let again = Document::read(document.name.clone(), once);
        assert_eq!(
            format::edits(&again, 0, &PhraseBook::default()),
            [],
            "{:?}\n{:?}",
            document.text,
            again.text
        );
        changed += usize::from(!edits.is_empty());
        for (old, new) in document.entries.iter().zip(&again.entries) {
            assert_eq!(document.rationale(old), again.rationale(new));
            if let (Some(before), Some(after)) = (old.sentence, new.sentence) {
                let (before, after) = (parse(document.slice(before.span)), parse(again.slice(after.span)));
                let kinds =
                    |parse: &syntax::Parse| parse.tree.nodes().map(syntax::NodeRef::kind).collect::<Vec<_>>();
                assert_eq!(kinds(&before), kinds(&after));
                let fields = |parse: &syntax::Parse| {
                    let Fields { scope_mode, condition, component, duration, stop, response, .. } =
                        Fields::of(Sentence::of(&parse.tree));
                    [scope_mode, condition, component, duration, stop, response]
                        .map(|field| field.map(|field| field.text.split_whitespace().collect::<String>()))
                };
                assert_eq!(fields(&before), fields(&after), "{:?}", document.text);
            }
        }
    }
    assert!(changed > 400, "{changed}");
}

/// Project, text of the project file, old name, new name.
type Renaming = Box<dyn Fn(&Project, &str, &str, &str) -> Result<rename::Change, rename::Refused>>;

#[test]
fn there_and_back_is_the_identity() {
    const CONFIG: &str = "[components.Pump]\nmodel = \"m\"\n\n[components.\"The Tank\"]\nmodel = \"t\"\n";
    let changed = |project: &Project, config: &str, change: &rename::Change| {
        let text = |(index, document): (usize, &Document)| {
            let edits = change.edits.iter().filter(move |edit| edit.document == index);
            Document::read(document.name.clone(), apply(&document.text, edits).expect("edits fit"))
        };
        let config = apply(config, &change.config).expect("edits fit");
        let documents = project.documents.iter().enumerate().map(text).collect();
        (Project { config: Config::read(&config).0, documents }, config)
    };
    let mut renamed = 0;
    for seed in 0..60 {
        let project = Project {
            config: Config::read(CONFIG).0,
            documents: vec![document(seed), document(seed + 1000)],
        };
        let analysis = project.analyse(&mut Cache::default());
        let mut there: Vec<(String, &str, Renaming)> = Vec::new();
        for component in analysis.components.iter() {
            let renaming = |project: &Project, config: &str, old: &str, new: &str| {
                rename::component(project, &project.analyse(&mut Cache::default()), Some(config), old, new)
            };
            there.push((component.name.clone(), "NewName", Box::new(renaming)));
            for symbol in &component.variables {
                let of = component.name.clone();
                let renaming = move |project: &Project, _: &str, old: &str, new: &str| {
                    rename::variable(project, &project.analyse(&mut Cache::default()), Some(&of), old, new)
                };
                there.push((symbol.variable.name.clone(), "a new name", Box::new(renaming)));
            }
        }
        for place in project.places() {
            let renaming =
                |project: &Project, _: &str, old: &str, new: &str| rename::requirement(project, old, new);
            there.push((project.entry(place).id.text.clone(), "NEW-77", Box::new(renaming)));
        }
        for (old, new, renaming) in there {
            let Ok(change) = renaming(&project, CONFIG, &old, new) else { continue };
            let (other, config) = changed(&project, CONFIG, &change);
            let back =
                renaming(&other, &config, new, &old).unwrap_or_else(|refused| panic!("{old}: {refused}"));
            let (same, config) = changed(&other, &config, &back);
            for (before, after) in project.documents.iter().zip(&same.documents) {
                assert_eq!(before.text, after.text, "{old}");
            }
            assert_eq!(config, CONFIG);
            renamed += 1;
        }
    }
    assert!(renamed > 150, "{renamed}");
}
