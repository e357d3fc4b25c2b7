//! Declared variables: each once, each used, outputs constrained, modes Boolean, constants with a number; and responses
//! that leave the component something to decide.

use super::manual::Entry;
use super::{about, related};
use crate::component::{Component, Symbol};
use crate::document::{Column, Row, Table};
use crate::finding::Finding;
use crate::project::{Analysis, Known, Project};
use requirement::specification::{Kind, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Code, Diagnostic, Span};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: Code::DeclaredTwice,
        why: "Of two declarations the first counts, and the second is a surprise for its reader.",
        wrong: "| level | input | int 0..10 |\n| level | input | real |",
        right: "| level | input | int 0..10 |",
    },
    Entry {
        code: Code::ModeNotBoolean,
        why: "A mode names the times at which it is on, so it is true or false at each step.",
        wrong: "| filling | mode | int |",
        right: "| filling | mode | bool | | `level > 0` |",
    },
    Entry {
        code: Code::UnusedVariable,
        why: "A variable that no sentence and no definition uses is left over, or the requirement that needs it is missing.",
        wrong: "| level | input | int |\n| spare | input | int |\n\nwhen level > 3 the pump shall immediately satisfy alarm",
        right: "| level | input | int |",
    },
    Entry {
        code: Code::NoDefinition,
        why: "A constant without a number cannot be a duration, and exports leave it open.",
        wrong: "| LIMIT | constant | int | |",
        right: "| LIMIT | constant | int | 30 |",
    },
    Entry {
        code: Code::Unconstrained,
        why: "An output that occurs in no response may do anything: every implementation fulfils the requirements.",
        wrong: "| alarm | output | bool |\n\nwhen alarm the pump shall immediately satisfy off",
        right: "when level > 3 the pump shall immediately satisfy alarm",
    },
    Entry {
        code: Code::NothingDecided,
        why: "A response that speaks of inputs and constants alone asks the environment, which no component can promise for. It may \
              be meant as an assumption.",
        wrong: "| level | input | int |\n\nthe pump shall always satisfy level < 10",
        right: "| level | input | int |\n| valve | output | bool |\n\nwhen level >= 10 the pump shall immediately satisfy !valve",
    },
];

/// Looks at all declarations; `used` has the names that definitions use, for each component.
pub(super) fn check(
    project: &Project,
    analysis: &Analysis,
    used: &[FxHashSet<String>],
    findings: &mut Vec<Finding>,
) {
    repeated(project, findings);
    for (at, component) in analysis.components.iter().enumerate() {
        for symbol in &component.variables {
            let in_definition = used.get(at).is_some_and(|used| used.contains(&symbol.variable.name));
            declared(project, component, symbol, in_definition, findings);
        }
    }
    for known in &analysis.requirements {
        nothing_decided(project, analysis, known, findings);
    }
}

/// The same name twice in the tables of a component.
fn repeated(project: &Project, findings: &mut Vec<Finding>) {
    let mut first: FxHashMap<(&str, &str), (usize, Span)> = FxHashMap::default();
    for (document, text) in project.documents.iter().enumerate() {
        for table in &text.tables {
            for row in &table.rows {
                let name = &row.declaration.name;
                let key = (table.component.text.as_str(), name.text.as_str());
                let (where_first, span) = *first.entry(key).or_insert((document, name.span));
                if (where_first, span) != (document, name.span) {
                    let message = format!("`{}` is declared twice for `{}`", name.text, table.component.text);
                    let hint = "keep one of the two; the first counts".into();
                    let diagnostic = Diagnostic { code: Code::DeclaredTwice, span: name.span, message, hint };
                    let mut found = Finding::new(document, diagnostic);
                    found.related.push(related(where_first, span, "first declared here"));
                    findings.push(found);
                }
            }
        }
    }
}

/// What may be wrong with one declaration.
fn declared(
    project: &Project,
    component: &Component,
    symbol: &Symbol,
    in_definition: bool,
    findings: &mut Vec<Finding>,
) {
    let Some(place) = symbol.declaration else { return };
    let table: &Table = &project.documents[place.document].tables[place.table];
    let row: &Row = &table.rows[place.row];
    let cell = |column: Column| row.cell(table, &column).filter(|cell| !cell.text.is_empty());
    let name = &row.declaration.name;
    let variable = &symbol.variable;
    let mut report = |code: Code, span: Span, message: String, hint: &str| {
        let diagnostic = Diagnostic { code, span, message, hint: hint.into() };
        findings.push(Finding::new(place.document, diagnostic));
    };
    if symbol.uses.is_empty() && !in_definition {
        let message = format!("no sentence of `{}` uses `{}`", component.name, name.text);
        report(
            Code::UnusedVariable,
            name.span,
            message,
            "remove the row, or write the requirement that needs it",
        );
    } else if variable.kind == Kind::Output
        && !symbol.kind_inferred
        && !symbol.uses.iter().any(|used| used.in_response)
    {
        let message = format!("no response constrains the output `{}`", name.text);
        report(
            Code::Unconstrained,
            name.span,
            message,
            "write a requirement for it, or declare it as an input",
        );
    }
    if variable.kind == Kind::Mode && !symbol.type_inferred && variable.ty != Type::Bool {
        let span = cell(Column::Type).map_or(name.span, |cell| cell.span);
        let message = format!("the mode `{}` is `{}`", name.text, variable.ty);
        report(Code::ModeNotBoolean, span, message, "a mode is `bool`; define it by a comparison");
    }
    if variable.kind == Kind::Constant && variable.definition.is_none() {
        let message = format!("the constant `{}` has no definition", name.text);
        report(Code::NoDefinition, name.span, message, "write its number into the column `definition`");
    }
}

/// A response in which the environment decides everything.
fn nothing_decided(project: &Project, analysis: &Analysis, known: &Known, findings: &mut Vec<Finding>) {
    let (Some(at), Some(reading)) = (known.component, &known.reading) else { return };
    let Some(component) = analysis.components.at(at).filter(|component| component.declared) else { return };
    let Some(response) = &reading.parsed.fields.response else { return };
    let inside = |span: Span| response.span.start <= span.start && span.end <= response.span.end;
    let mut mentioned = false;
    for name in reading.parsed.names.iter().filter(|name| inside(name.span)) {
        match component.symbol(&name.name) {
            Some(symbol) if symbol.declaration.is_some() && !symbol.kind_inferred => {
                match symbol.variable.kind {
                    Kind::Input | Kind::Constant => mentioned = true,
                    Kind::Output | Kind::Internal | Kind::Mode | Kind::Function => return,
                }
            }
            Some(_) => return,
            // A value of an enumeration.
            None => {}
        }
    }
    if mentioned && reading.is_sound() {
        let span = Analysis::in_document(project, known.place, response.span);
        let message = format!("nothing in the response is decided by `{}`", component.name);
        let hint = "mention an output, or write it as a condition";
        findings.push(about(project, known.place, Code::NothingDecided, span, message, hint));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    const CODES: &[&str] = &["E0512", "E0516", "W0502", "W0504", "W0506", "W0507"];

    #[test]
    fn declarations() {
        let sentence = "when x > K the Pump shall always satisfy y";
        for (rows, sentence, expected) in [
            ("x;input;int\nK;constant;int;;3\ny;output;bool", sentence, &[][..]),
            ("x;input;int\nK;constant;int\ny;output;bool", sentence, &["W0504 K"]),
            ("x;input;int\nx;input;real\nK;constant;int;;3\ny;output;bool", sentence, &["E0512 x (x)"]),
            ("x;input;int\nz;input;int\nK;constant;int;;3\ny;output;bool", sentence, &["W0502 z"]),
            ("x;input;int\nz;input;int\nK;constant;int;;3\ny;output;bool;;z > 3", sentence, &[]),
            ("x;input;int\nK;constant;int;;3\ny;input;bool", sentence, &["W0507 y"]),
            ("x;output;int\nK;constant;int;;3\ny;output;bool", sentence, &["W0506 x"]),
            ("m;mode;int\ny;output;bool", "in m > 2 mode the Pump shall always satisfy y", &["E0516 int"]),
            ("s;input;enum(a, b)", "the Pump shall always satisfy s = a", &["W0507 s = a"]),
            ("s;;", "the Pump shall always satisfy s", &[]),
        ] {
            expect(&[&pump(rows, &[sentence])], CODES, expected);
        }
    }

    #[test]
    fn a_second_document_declares_again() {
        let text = pump("y;output;bool", &["the Pump shall always satisfy y"]);
        expect(&[&text, &pump("y;output;bool", &[])], CODES, &["E0512 y (y)"]);
    }
}
