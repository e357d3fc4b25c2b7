//! Names that nobody declares: variables, with what was inferred for them, and components that are almost declared.

use super::manual::Entry;
use super::{about, related};
use crate::component::{Component, Symbol, Use};
use crate::document::Column;
use crate::edit::Edit;
use crate::finding::{Finding, Fix};
use crate::project::{Analysis, Project};
use logic::Sort;
use requirement::specification::Kind;
use syntax::{Code, nearest};

/// For more undeclared variables of one component than this no near names are looked for.
const MAX_NEAR: usize = 50;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: Code::Undeclared,
        why: "The kind and type of a variable that no table declares are guessed from its uses. A name that is spelt in two ways \
              is two variables.",
        wrong: "| level | input | int |\n\nwhen level > 3 the pump shall immediately satisfy alarm",
        right: "| level | input | int |\n| alarm | output | bool |",
    },
    Entry {
        code: Code::SortsDiffer,
        why: "A variable has one type in all sentences of its component. Without a declaration the sentences must agree.",
        wrong: "when level the pump shall immediately satisfy alarm\n\nwhen level > 3 the pump shall immediately satisfy alarm",
        right: "when level > 0 the pump shall immediately satisfy alarm",
    },
    Entry {
        code: Code::ComponentSpelling,
        why: "A sentence about a component that is spelt in another way belongs to another component, without its variables.",
        wrong: "# RollAutopilot\n\n| name | kind |\n\nthe RollAutoPilot shall always satisfy on",
        right: "the RollAutopilot shall always satisfy on",
    },
];

pub(super) fn check(project: &Project, analysis: &Analysis, findings: &mut Vec<Finding>) {
    let declared: Vec<&str> = analysis
        .components
        .iter()
        .filter(|component| component.declared)
        .map(|component| component.name.as_str())
        .collect();
    for (at, component) in analysis.components.iter().enumerate() {
        let near = if component.declared { None } else { nearest(&component.name, declared.iter().copied()) };
        match near {
            Some(near) => misspelt(project, analysis, at, near, findings),
            None => undeclared(project, analysis, component, findings),
        }
        component.variables.iter().for_each(|symbol| clash(project, symbol, findings));
    }
}

/// The sentences of a component that is almost a declared one.
fn misspelt(project: &Project, analysis: &Analysis, at: usize, near: &str, findings: &mut Vec<Finding>) {
    for known in analysis.requirements.iter().filter(|known| known.component == Some(at)) {
        let field = known.reading.as_ref().and_then(|reading| reading.parsed.fields.component.as_ref());
        let Some(field) = field else { continue };
        let span = Analysis::in_document(project, known.place, field.span);
        let message = format!("`{}` is not declared, but `{near}` is", field.text);
        let hint = format!("did you mean `{near}`?");
        let mut found = about(project, known.place, Code::ComponentSpelling, span, message, &hint);
        let text = if near.chars().all(|c| c.is_alphanumeric() || c == '_') {
            near.to_string()
        } else {
            format!("\"{near}\"")
        };
        found.fix = Some(Fix {
            title: format!("Write `{near}`"),
            edits: vec![Edit { document: known.place.document, span, text }],
        });
        findings.push(found);
    }
}

/// The variables of a component that no table declares.
fn undeclared(project: &Project, analysis: &Analysis, component: &Component, findings: &mut Vec<Finding>) {
    let sound = |used: &&Use| {
        let known = analysis.at(used.place).and_then(|known| known.reading.as_ref());
        known.is_some_and(|reading| reading.is_sound())
    };
    let open: Vec<(&Symbol, &Use)> = component
        .variables
        .iter()
        .filter(|symbol| symbol.declaration.is_none())
        // What is compared with an enumeration was meant as a value of it.
        .filter(|symbol| !symbol.uses.iter().any(|used| used.sort == Sort::Enum))
        .filter_map(|symbol| Some((symbol, symbol.uses.iter().find(sound)?)))
        .collect();
    if open.is_empty() {
        return;
    }
    let table = new_table(project, component, &open);
    for (symbol, used) in &open {
        let name = &symbol.variable.name;
        let declared = component.variables.iter().filter(|other| other.declaration.is_some());
        let near = match open.len() <= MAX_NEAR {
            true => nearest(name, declared.map(|other| other.variable.name.as_str())),
            false => None,
        };
        let span = Analysis::in_document(project, used.place, used.span);
        let message = format!("`{name}` is not declared; read as {}", inferred(symbol));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it in a table of the variables of `{}`", component.name),
        };
        let mut found = about(project, used.place, Code::Undeclared, span, message, &hint);
        // A slip of the pen is not made right by declaring it.
        if near.is_none() {
            found.fix = match component.declared {
                true => new_row(project, component, symbol),
                false => table.clone(),
            };
        }
        findings.push(found);
    }
}

/// What the uses of a variable tell, in words.
fn inferred(symbol: &Symbol) -> String {
    let kind = symbol.variable.kind.name();
    let ty = symbol.variable.ty.to_string();
    let article = |word: &str| if word.starts_with(['i', 'o']) { "an" } else { "a" };
    match (symbol.variable.kind, is_open(symbol)) {
        (Kind::Function, _) => "a function".into(),
        (_, true) => format!("{} {kind} whose type is open", article(kind)),
        (_, false) => format!("{} {ty} {kind}", article(&ty)),
    }
}

/// Whether no use tells the type.
fn is_open(symbol: &Symbol) -> bool {
    symbol.uses.iter().all(|used| used.sort == Sort::Any)
}

/// The row of a table that declares what was inferred; `None` if the name cannot stand in a table.
fn row(symbol: &Symbol, columns: &[Column]) -> Option<String> {
    let name = &symbol.variable.name;
    if name.trim() != name || name.contains(['|', '`', '\n', '\r', '\\']) {
        return None;
    }
    let cells = columns.iter().map(|column| match column {
        Column::Name => name.clone(),
        Column::Kind => symbol.variable.kind.name().to_string(),
        Column::Type if is_open(symbol) => String::new(),
        Column::Type => symbol.variable.ty.to_string(),
        Column::Unit | Column::Definition | Column::Description | Column::Other(_) => String::new(),
    });
    let cells: Vec<String> = cells.collect();
    Some(format!("| {} |", cells.join(" | ")))
}

/// Adds a row at the end of the first table of the component.
fn new_row(project: &Project, component: &Component, symbol: &Symbol) -> Option<Fix> {
    let (document, table) = project.documents.iter().enumerate().find_map(|(at, document)| {
        let table = document.tables.iter().find(|table| table.component.text == component.name)?;
        Some((at, table))
    })?;
    let text = &project.documents[document];
    let line_end = if text.text.contains("\r\n") { "\r\n" } else { "\n" };
    let end = table.span.start + text.slice(table.span).trim_end().len() as u32;
    let span = syntax::Span::new(end, end);
    let edit = Edit { document, span, text: format!("{line_end}{}", row(symbol, &table.columns)?) };
    Some(Fix { title: format!("Declare `{}`", symbol.variable.name), edits: vec![edit] })
}

/// Puts a table of all variables in front of the first requirement of a component that has none.
fn new_table(project: &Project, component: &Component, open: &[(&Symbol, &Use)]) -> Option<Fix> {
    if component.declared {
        return None;
    }
    let place = open.iter().map(|(_, used)| used.place).min()?;
    let document = &project.documents[place.document];
    let entry = project.entry(place);
    let level = document.headings.iter().find(|heading| heading.span == entry.heading)?.level;
    let columns =
        [Column::Name, Column::Kind, Column::Type, Column::Unit, Column::Definition, Column::Description];
    let rows: Option<Vec<String>> = open.iter().map(|(symbol, _)| row(symbol, &columns)).collect();
    // A heading with a digit would be the id of a requirement.
    let word = if component.name.contains(|c: char| c.is_ascii_digit()) { "Component " } else { "" };
    let heading = format!("{} {word}{}", "#".repeat(level.into()), component.name);
    let head = "| name | kind | type | unit | definition | description |";
    let rule = "|------|------|------|------|------------|-------------|";
    let text = format!("{heading}\n\n{head}\n{rule}\n{}\n\n", rows?.join("\n"));
    let text = if document.text.contains("\r\n") { text.replace('\n', "\r\n") } else { text };
    let span = syntax::Span::new(entry.section.start, entry.section.start);
    let title = format!("Add a table of the variables of `{}`", component.name);
    Some(Fix { title, edits: vec![Edit { document: place.document, span, text }] })
}

/// Complains of an undeclared type that two sentences see differently.
fn clash(project: &Project, symbol: &Symbol, findings: &mut Vec<Finding>) {
    if !symbol.type_inferred {
        return;
    }
    let family = |sort: Sort| match sort {
        Sort::Bool => Some("a Boolean"),
        Sort::Int | Sort::Real => Some("a number"),
        Sort::Enum => Some("a name of a value"),
        Sort::Any => None,
    };
    let mut known = symbol.uses.iter().filter_map(|used| Some((used, family(used.sort)?)));
    let Some((first, word)) = known.next() else { return };
    let name = &symbol.variable.name;
    let mut last = None;
    for (used, other) in known.filter(|&(_, other)| other != word) {
        if last.replace(used.place) == Some(used.place) {
            continue;
        }
        let span = Analysis::in_document(project, used.place, used.span);
        let message = format!("`{name}` is {other} here, but {word} in another sentence");
        let mut found = about(
            project,
            used.place,
            Code::SortsDiffer,
            span,
            message,
            "declare its type, or use another name",
        );
        let there = Analysis::in_document(project, first.place, first.span);
        found.related.push(related(first.place.document, there, format!("{word} here")));
        findings.push(found);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, fixed, project, pump};

    const CODES: &[&str] = &["W0501", "E0518", "W0508"];

    #[test]
    fn names() {
        let rows = "level;input;int\nalarm;output;bool";
        for (sentences, expected) in [
            (&["when level > 3 the Pump shall immediately satisfy alarm"][..], &[][..]),
            (
                &["when limit > 3 the Pump shall immediately satisfy alarm & f(level)"],
                &["W0501 limit", "W0501 f"],
            ),
            (&["the Pump shall always satisfy level("], &[]),
            (
                &["the Pump shall always satisfy x", "the Pump shall always satisfy x > 2"],
                &["W0501 x", "E0518 x (x)"],
            ),
            (&["the Pumpp shall always satisfy alarm"], &["W0508 Pumpp"]),
            (&["the Valve shall always satisfy v"], &["W0501 v"]),
        ] {
            expect(&[&pump(rows, sentences)], CODES, expected);
        }
    }

    #[test]
    fn what_was_inferred_is_said() {
        let text =
            pump("y;input;int", &["when x > 3 the Pump shall within 2 ticks satisfy q & a = b & f(y) > 1.5"]);
        let (_, checked) = project(&[&text]);
        let messages: Vec<&str> = checked
            .findings
            .iter()
            .filter(|found| found.diagnostic.code.id() == "W0501")
            .map(|found| found.diagnostic.message.as_str())
            .collect();
        assert_eq!(
            messages,
            [
                "`x` is not declared; read as an int input",
                "`q` is not declared; read as a bool output",
                "`a` is not declared; read as an output whose type is open",
                "`b` is not declared; read as an output whose type is open",
                "`f` is not declared; read as a function",
            ]
        );
    }

    #[test]
    fn rows_are_added() {
        let text = pump("level;input;int", &["when level > x the Pump shall immediately satisfy alarm"]);
        let expected = text.replace(
            "|level|input|int|\n",
            "|level|input|int|\n| x | input | int |  |  |\n| alarm | output | bool |  |  |\n",
        );
        assert_eq!(fixed(&[&text], "W0501"), expected);
        expect(&[&expected], CODES, &[]);
    }

    #[test]
    fn tables_are_added() {
        let text = "# Chapter\n\n## V-1\n\n```fretish\nwhen x the Valve2 shall always satisfy y\n```\n";
        let mended = fixed(&[text], "W0501");
        assert!(mended.starts_with("# Chapter\n\n## Component Valve2\n\n| name |"), "{mended}");
        assert!(mended.ends_with(&text["# Chapter\n\n".len()..]), "{mended}");
        expect(&[&mended], CODES, &[]);
    }

    #[test]
    fn components_are_mended() {
        let text = pump("x;output;bool", &["the Pumpp shall always satisfy x"]);
        assert_eq!(fixed(&[&text], "W0508"), text.replace("Pumpp", "Pump"));
    }
}
