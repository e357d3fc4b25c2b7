//! [`UNDECLARED`]: the tables of a component declare its variables. The fix declares what was inferred.

use super::{Context, quoted};
use crate::component::{Component, Symbol, Use};
use crate::document::Column;
use crate::finding::Finding;
use crate::project::{Analysis, Project};
use diagnostics::{Fix, Hint};
use logic::Sort;
use requirement::specification::Kind;
use syntax::nearest;

diagnostics::codes! {
    UNDECLARED "W0501" "A variable is not declared.",
        "The kind and type of a variable that no table declares are guessed from its uses, and a misspelt name is another variable.",
        "| level | input | int |\n\nwhen level > 3 the pump shall immediately satisfy alarm"
            => "| level | input | int |\n| alarm | output | bool |\n\n\
                when level > 3 the pump shall immediately satisfy alarm";
}

/// For more undeclared variables of one component than this, no near names are searched.
const MAX_NEAR: usize = 50;

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for (component, near) in context.components() {
        // The variables of a misspelt component are declared for the one that is meant.
        if near.is_none() {
            undeclared(context, component, findings);
        }
    }
}

/// What to do about a name that is not declared.
pub(super) fn hint(component: &Component, near: Option<&str>) -> Hint {
    let hint = Hint::near(near, || format!("declare it in a table of the variables of `{}`", component.name));
    hint.written(near.map_or(String::new(), quoted))
}

/// The variables of a component that no table declares.
fn undeclared(context: &Context, component: &Component, findings: &mut Vec<Finding>) {
    let sound = |used: &&Use| {
        let known = context.analysis.at(used.place).and_then(|known| known.reading.as_ref());
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
    let table = new_table(context.project, component, &open);
    for (symbol, used) in &open {
        let name = &symbol.variable.name;
        let declared = component.variables.iter().filter(|other| other.declaration.is_some());
        let near = match open.len() <= MAX_NEAR {
            true => nearest(name, declared.map(|other| other.variable.name.as_str())),
            false => None,
        };
        let span = Analysis::in_document(context.project, used.place, used.span);
        let message = format!("`{name}` is not declared; it is read as {}", inferred(symbol));
        let mut found = context.about(used.place, UNDECLARED, span, message, hint(component, near));
        // Declaring a misspelt name would not make it right.
        if near.is_none() {
            found.diagnostic.fix = match component.declared {
                true => new_row(context.project, component, symbol),
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
        (_, true) => format!("{} {kind} of unknown type", article(kind)),
        (_, false) => format!("{} {ty} {kind}", article(&ty)),
    }
}

/// Whether nothing tells the type.
fn is_open(symbol: &Symbol) -> bool {
    symbol.sort() == Sort::Any
}

/// The row of a table that declares what was inferred; `None` if the name cannot be in a table.
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
        Column::Unit | Column::Definition | Column::Phrase | Column::Description | Column::Other(_) => {
            String::new()
        }
    });
    let cells: Vec<String> = cells.collect();
    Some(format!("| {} |", cells.join(" | ")))
}

/// Adds a row at the end of the first table of the component.
fn new_row(project: &Project, component: &Component, symbol: &Symbol) -> Option<Box<Fix>> {
    let (document, table) = project.documents.iter().enumerate().find_map(|(at, document)| {
        let table = document.tables.iter().find(|table| table.component.text == component.name)?;
        Some((at, table))
    })?;
    let text = &project.documents[document];
    let line_end = if text.text.contains("\r\n") { "\r\n" } else { "\n" };
    let end = table.span.start + text.slice(table.span).trim_end().len() as u32;
    let row = format!("{line_end}{}", row(symbol, &table.columns)?);
    Some(Fix::insert(format!("Declare `{}`", symbol.variable.name), document, end, row))
}

/// Puts a table of all variables before the first requirement of a component that has none.
fn new_table(project: &Project, component: &Component, open: &[(&Symbol, &Use)]) -> Option<Box<Fix>> {
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
    let title = format!("Add a table of the variables of `{}`", component.name);
    Some(Fix::insert(title, place.document, entry.section.start, text))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, fixed, project, pump};

    const CODES: &[&str] = &["W0501"];

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
            (&["the Pump shall always satisfy x", "the Pump shall always satisfy x > 2"], &["W0501 x"]),
            (&["the Pumpp shall always satisfy alarm"], &[]),
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
                "`x` is not declared; it is read as an int input",
                "`q` is not declared; it is read as a bool output",
                "`a` is not declared; it is read as an output of unknown type",
                "`b` is not declared; it is read as an output of unknown type",
                "`f` is not declared; it is read as a function",
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
        let fixed = fixed(&[text], "W0501");
        assert!(fixed.starts_with("# Chapter\n\n## Component Valve2\n\n| name |"), "{fixed}");
        assert!(fixed.ends_with(&text["# Chapter\n\n".len()..]), "{fixed}");
        expect(&[&fixed], CODES, &[]);
    }
}
