//! [`CYCLIC_DEFINITION`], [`UNREADABLE_DEFINITION`]: a definition is an expression as in sentences, or text for Lustre, which is
//! not changed. Names in expressions are declared, and nothing is defined by itself.

use super::cycles;
use super::round;
use super::undeclared::UNDECLARED;
use super::undeclared::hint;
use crate::component::{Component, Declared, Symbol};
use crate::document::{Column, Table};
use crate::finding::Finding;
use crate::project::{Analysis, Project};
use diagnostics::Code;
use diagnostics::Diagnostic;
use diagnostics::Hint;
use diagnostics::Span;
use requirement::specification::Definition;
use rustc_hash::{FxHashMap, FxHashSet};

diagnostics::codes! {
    CYCLIC_DEFINITION "E0517" "A definition depends on itself.",
        "A value that depends on itself at the same step has no meaning. Use the value of the previous step: `preBool`, `preInt` \
         or `preReal`.",
        "| a | internal | bool | | `b & on` |\n| b | internal | bool | | `!a` |" => "| a | internal | bool | | `b & on` |\n\
                | b | internal | bool | | `preBool(false, a)` |";
    UNREADABLE_DEFINITION "W0505" "A definition cannot be read.",
        "A definition that is neither an expression nor Lustre is missing from exports, or breaks them.",
        "| filling | mode | bool | | level is somewhat high |" => "| filling | mode | bool | | `level > 8` |";
}

/// Looks at all definitions; returns the names that they use, for each component.
pub(super) fn check(
    project: &Project,
    analysis: &Analysis,
    findings: &mut Vec<Finding>,
) -> Vec<FxHashSet<String>> {
    let mut all = Vec::new();
    for component in analysis.components.iter() {
        let mut used = FxHashSet::default();
        let mut defined: Vec<(&Symbol, Declared, &Definition)> = Vec::new();
        for symbol in &component.variables {
            let (Some(declared), Some(definition)) = (symbol.declaration, &symbol.definition) else {
                continue;
            };
            match &**definition {
                Definition::Expression(it) => used.extend(it.names.iter().map(|name| name.name.clone())),
                Definition::Lustre { names, .. } => used.extend(names.iter().cloned()),
                Definition::Unreadable { .. } => {}
            }
            defined.push((symbol, declared, definition));
        }
        for (symbol, declared, definition) in &defined {
            one(project, component, symbol, *declared, definition, findings);
        }
        cyclic(project, component, &defined, findings);
        all.push(used);
    }
    all
}

/// The cell of a definition: where it is, and whether bytes of the text are bytes of the document.
fn cell(project: &Project, declared: Declared) -> (Span, bool) {
    let document = &project.documents[declared.document];
    let table: &Table = &document.tables[declared.table];
    let row = &table.rows[declared.row];
    match row.cell(table, &Column::Definition) {
        Some(cell) => (cell.span, document.slice(cell.span) == cell.text),
        None => (row.declaration.name.span, false),
    }
}

/// What may be wrong with one definition by itself.
fn one(
    project: &Project,
    component: &Component,
    symbol: &Symbol,
    declared: Declared,
    definition: &Definition,
    findings: &mut Vec<Finding>,
) {
    let (whole, exact) = cell(project, declared);
    let place = |span: Span| match exact {
        true => Span::new(whole.start + span.start, (whole.start + span.end).min(whole.end)),
        false => whole,
    };
    let mut report = |code: Code, span: Span, message: String, hint: Hint| {
        findings.push(Finding::new(declared.document, Diagnostic::new(code, span, message, hint)));
    };
    match definition {
        Definition::Lustre { .. } => {}
        Definition::Unreadable { message, span, .. } => {
            let message = format!("the definition of `{}` cannot be read: {message}", symbol.variable.name);
            let hint = "write an expression such as `level > 8 & on`, or an expression of Lustre".into();
            report(UNREADABLE_DEFINITION, place(*span), message, hint);
        }
        Definition::Expression(expression) => {
            for name in &expression.names {
                // A name that a sentence uses too is reported there.
                if component.symbol(&name.name).is_none() && component.enumeration_of(&name.name).is_none() {
                    let known = component.variables.iter().map(|known| known.variable.name.as_str());
                    let hint = hint(component, syntax::nearest(&name.name, known));
                    let hint = if exact { hint } else { hint.without_fix() };
                    let message = format!(
                        "`{}` is not declared, but the definition of `{}` uses it",
                        name.name, symbol.variable.name
                    );
                    report(UNDECLARED, place(name.span), message, hint);
                }
            }
        }
    }
}

/// Definitions that depend on themselves at the same step.
fn cyclic(
    project: &Project,
    component: &Component,
    defined: &[(&Symbol, Declared, &Definition)],
    findings: &mut Vec<Finding>,
) {
    let numbers: FxHashMap<&str, usize> =
        defined.iter().enumerate().map(|(at, (symbol, ..))| (symbol.variable.name.as_str(), at)).collect();
    let successors: Vec<Vec<usize>> = defined
        .iter()
        .map(|(_, _, definition)| match definition {
            Definition::Expression(it) => {
                // A name that is a value as well is another finding.
                let names = it.now.iter().filter(|name| component.enumeration_of(name).is_none());
                names.filter_map(|name| numbers.get(name.as_str()).copied()).collect()
            }
            Definition::Lustre { .. } | Definition::Unreadable { .. } => Vec::new(),
        })
        .collect();
    for cycle in cycles(&successors) {
        let (symbol, declared, _) = &defined[cycle[0]];
        let names = round(cycle.iter().map(|&at| defined[at].0.variable.name.as_str()));
        let message = format!("the definition of `{}` depends on itself: {names}", symbol.variable.name);
        let hint = "use the value of the previous step in one of them: `preBool(false, p)`";
        let span = cell(project, *declared).0;
        let diagnostic = Diagnostic::new(CYCLIC_DEFINITION, span, message, hint);
        let mut found = Finding::new(declared.document, diagnostic);
        for &at in &cycle[1..] {
            let declared = defined[at].1;
            found = found.related(declared.document, cell(project, declared).0, "through this definition");
        }
        findings.push(found);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn findings() {
        let codes = &["W0501", "E0517", "W0505", "W0502"];
        for (rows, expected) in [
            ("a;internal;bool;;on & b\nb;internal;bool;;!on\non;input;bool", &[][..]),
            ("a;internal;bool;;on & b\nb;internal;bool;;!a\non;input;bool", &["E0517 on & b (!a)"]),
            ("a;internal;bool;;on & b\nb;internal;bool;;preBool(false, a)\non;input;bool", &[]),
            ("a;internal;bool;;on & b\nb;internal;bool;;false -> pre a\non;input;bool", &[]),
            ("a;internal;bool;;a", &["E0517 a"]),
            ("a;internal;bool;;on & nobody\non;input;bool", &["W0501 nobody"]),
            ("a;internal;bool;;`on \\| nobody`\non;input;bool", &["W0501 on \\| nobody"]),
            ("a;internal;bool;;rather high", &["W0505 high"]),
            ("a;internal;bool;;s = idle\ns;input;enum(idle, ready)", &[]),
        ] {
            expect(&[&pump(rows, &["the Pump shall always satisfy a"])], codes, expected);
        }
    }
}
