//! [`CYCLIC_DEFINITION`], [`UNREADABLE_DEFINITION`]: a definition is an expression as in sentences, or text for Lustre, which is
//! not changed. Names in expressions are declared, and nothing is defined by itself.

use super::sentence::Memory;
use super::undeclared::{UNDECLARED, hint};
use super::{cycles, round};
use crate::component::{Component, Declared, Symbol};
use crate::document::{Column, Table};
use crate::finding::Finding;
use crate::project::{Analysis, Project};
use crate::reading::{Occurrence, Parsed};
use diagnostics::{Code, Diagnostic, Hint, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use syntax::{Expr, Kind, NodeRef};

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

/// A definition, read.
#[derive(Debug)]
pub(super) enum Definition {
    /// An expression: its names, and those that count at the same step.
    Expression { names: Vec<Occurrence>, now: Vec<String> },
    /// Text that looks like Lustre, with the names in it.
    Lustre(Vec<String>),
    /// Neither; why it is not an expression, and where.
    Unreadable(String, Span),
}

/// Looks at all definitions; returns the names that they use, for each component.
pub(super) fn check(
    project: &Project,
    analysis: &Analysis,
    memory: &mut Memory,
    findings: &mut Vec<Finding>,
) -> Vec<FxHashSet<String>> {
    let mut old = std::mem::take(&mut memory.definitions);
    let mut all = Vec::new();
    for component in analysis.components.iter() {
        let mut used = FxHashSet::default();
        let mut defined: Vec<(&Symbol, Declared, Arc<Definition>)> = Vec::new();
        for symbol in &component.variables {
            let (Some(declared), Some(text)) = (symbol.declaration, &symbol.variable.definition) else {
                continue;
            };
            let known = memory.definitions.get(text).cloned().or_else(|| old.remove(text));
            let definition = known.unwrap_or_else(|| Arc::new(Definition::read(text)));
            memory.definitions.insert(text.clone(), definition.clone());
            match &*definition {
                Definition::Expression { names, .. } => {
                    used.extend(names.iter().map(|name| name.name.clone()))
                }
                Definition::Lustre(names) => used.extend(names.iter().cloned()),
                Definition::Unreadable(..) => {}
            }
            defined.push((symbol, declared, definition));
        }
        for (symbol, declared, definition) in &defined {
            one(project, component, symbol, *declared, definition, findings);
        }
        cyclic(project, &defined, findings);
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
        Definition::Lustre(_) => {}
        Definition::Unreadable(reason, span) => {
            let message = format!("the definition of `{}` cannot be read: {reason}", symbol.variable.name);
            let hint = "write an expression such as `level > 8 & on`, or an expression of Lustre".into();
            report(UNREADABLE_DEFINITION, place(*span), message, hint);
        }
        Definition::Expression { names, .. } => {
            for name in names {
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
fn cyclic(project: &Project, defined: &[(&Symbol, Declared, Arc<Definition>)], findings: &mut Vec<Finding>) {
    let numbers: FxHashMap<&str, usize> =
        defined.iter().enumerate().map(|(at, (symbol, ..))| (symbol.variable.name.as_str(), at)).collect();
    let successors: Vec<Vec<usize>> = defined
        .iter()
        .map(|(_, _, definition)| match &**definition {
            Definition::Expression { now, .. } => {
                now.iter().filter_map(|name| numbers.get(name.as_str()).copied()).collect()
            }
            Definition::Lustre(_) | Definition::Unreadable(..) => Vec::new(),
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

/// What comes before a definition to make it a sentence.
const FRAME: &str = "c shall always satisfy ";

impl Definition {
    fn read(text: &str) -> Definition {
        let shift = |span: Span| {
            let back = |at: u32| at.saturating_sub(FRAME.len() as u32).min(text.len() as u32);
            Span::new(back(span.start), back(span.end))
        };
        let parsed = Parsed::of(&format!("{FRAME}{text}"));
        let Some(wrong) = parsed.parse.diagnostics.first() else {
            let delayed: Vec<Span> =
                parsed.parse.tree.nodes().filter(|node| is_delay(*node)).map(NodeRef::span).collect();
            let is_now = |name: &&Occurrence| {
                !delayed.iter().any(|span| span.start <= name.span.start && name.span.end <= span.end)
            };
            let now = parsed.names.iter().filter(is_now).map(|name| name.name.clone()).collect();
            let names = parsed.names.iter().map(|name| Occurrence { span: shift(name.span), ..name.clone() });
            return Definition::Expression { names: names.collect(), now };
        };
        match lustre(text) {
            Some(names) => Definition::Lustre(names),
            None => Definition::Unreadable(wrong.message.clone(), shift(wrong.span)),
        }
    }
}

/// Whether a node takes the value of an earlier step.
fn is_delay(node: NodeRef) -> bool {
    node.kind() == Kind::Call
        && matches!(Expr::of(node), Expr::Call(name, ..)
            if ["pre", "preBool", "preInt", "preReal"].iter().any(|known| known.eq_ignore_ascii_case(&name)))
}

const PREFIXES: &[&str] = &["not", "pre", "if", "int", "real", "current", "bool"];
const INFIXES: &[&str] = &["and", "or", "xor", "then", "else", "div", "mod", "fby", "when", "merge"];
const SIGNS: &[&str] = &["->", "=>", "<=", ">=", "<>", "+", "-", "*", "/", "=", "<", ">", ","];

/// The names in a text that looks like an expression of Lustre: operands and operators alternate, parentheses match.
fn lustre(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = text.trim().trim_end_matches(';');
    let mut depth = 0_usize;
    // Whether an operand must come next.
    let mut wanted = true;
    while let Some(first) = rest.chars().next() {
        let word_end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).unwrap_or(rest.len());
        let length = if word_end > 0 {
            let word = &rest[..word_end];
            match () {
                () if PREFIXES.contains(&word) && wanted => {}
                () if INFIXES.contains(&word) && !wanted => wanted = true,
                () if wanted && !PREFIXES.contains(&word) && !INFIXES.contains(&word) => {
                    wanted = false;
                    let constant =
                        word.starts_with(|c: char| c.is_ascii_digit()) || ["true", "false"].contains(&word);
                    if !constant {
                        names.push(word.to_string());
                    }
                }
                () => return None,
            }
            word_end
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if first == '(' {
            // After an operand it is a call.
            depth += 1;
            wanted = true;
            1
        } else if first == ')' {
            depth = depth.checked_sub(1)?;
            if wanted {
                return None;
            }
            1
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            if wanted && *sign != "-" {
                return None;
            }
            wanted = true;
            sign.len()
        };
        rest = &rest[length..];
    }
    (depth == 0 && !wanted).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{expect, pump};

    #[test]
    fn definitions_are_expressions_or_lustre() {
        for (text, expected) in [
            ("a & !b", "expression a b"),
            ("level > 8", "expression level"),
            ("x + 2 * y", "expression x y"),
            ("-3.5", "expression"),
            ("preBool(false, a)", "expression a"),
            ("0.0 -> pre x", "lustre x"),
            ("if a then b else c", "lustre a b c"),
            ("a and not b", "expression a b"),
            ("(0 -> pre n) + 1", "lustre n"),
            ("0 fby f(x, y)", "lustre f x y"),
            ("x <> y;", "lustre x y"),
            ("level is somewhat high", "unreadable"),
            ("a +", "unreadable"),
            ("(a", "unreadable"),
            ("a) -> pre b", "unreadable"),
            ("", "unreadable"),
            ("größe » 3", "unreadable"),
        ] {
            let shown = match Definition::read(text) {
                Definition::Expression { names, .. } => {
                    names.iter().fold("expression".to_string(), |all, name| format!("{all} {}", name.name))
                }
                Definition::Lustre(names) => format!("lustre {}", names.join(" ")),
                Definition::Unreadable(..) => "unreadable".into(),
            };
            assert_eq!(shown, expected, "{text}");
        }
    }

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
