//! Proposals inside a sentence: what its position wants, from the variables of its component and the words of the language.

use super::items::{functions, phrase, rest_of_phrase, templates, values, variable, word, words};
use super::position::{Position, Want, position};
use super::{Asked, Item, ItemKind, is_mode, items};
use crate::component::{Component, Symbol};
use requirement::specification::{Kind, Type};
use syntax::Span;

const SCOPES: &[&str] = &[
    "in",
    "during",
    "while",
    "before",
    "after",
    "except in",
    "except while",
    "only in",
    "only while",
    "only before",
    "only after",
];
const CONDITIONS: &[&str] = &["when", "if", "upon", "where", "whenever", "unless"];
const TIMINGS: &[&str] = &[
    "immediately",
    "at the next timepoint",
    "at the last timepoint",
    "eventually",
    "always",
    "never",
    "within",
    "for",
    "after",
    "until",
    "before",
];
const UNITS: &[&str] = &["ticks", "microseconds", "milliseconds", "seconds", "minutes", "hours"];
const CONNECTIVES: &[&str] = &["&", "|", "=>", "<=>", "and", "or", "xor", "is true", "is false"];
const COMPARISONS: &[&str] = &["=", "!=", "<", "<=", ">", ">="];
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "mod"];

/// What can be written after the text of a sentence; `at` is the word that has been begun.
pub(super) fn items<'a>(
    asked: &Asked<'a>,
    before: &str,
    component: Option<&'a Component>,
    at: Span,
) -> Vec<Item> {
    let here = position(before, &asked.analysis.phrases.of_component(component.map(|it| it.name.as_str())));
    let symbols = asked.symbols(component, at);
    let mut all: Vec<Item> = symbols.iter().flat_map(|symbol| rest_of_phrase(symbol, before, 0)).collect();
    match &here.want {
        Want::Field => next_field(asked, &here, component, 0, &mut all),
        Want::Scope => all.extend(words(&["in", "during", "while", "before", "after"], 0)),
        Want::Mode => {
            all.extend(symbols.iter().filter(|symbol| is_mode(symbol)).map(|symbol| variable(symbol, 0)));
            let others = symbols.iter().filter(|symbol| !is_mode(symbol) && symbol.variable.ty == Type::Bool);
            all.extend(others.map(|symbol| variable(symbol, 1)));
            let boolean = symbols.iter().filter(|symbol| symbol.variable.ty == Type::Bool);
            all.extend(boolean.filter_map(|symbol| phrase(symbol, 1)));
            all.push(word("mode", 2));
        }
        Want::Operand(compared) => operand(&symbols, compared.as_deref(), &mut all),
        Want::Operator { mode } => {
            if *mode {
                all.push(word("mode", 0));
            }
            operators(&symbols, before, &mut all);
            next_field(asked, &here, component, 2, &mut all);
        }
        Want::Component => all.extend(asked.components(component, 0)),
        Want::Shall => all.push(word("shall", 0)),
        Want::Timing => {
            all.extend(words(TIMINGS, 0));
            all.push(word("satisfy", 1));
            all.push(word("with probability", 2));
            if !here.component {
                all.extend(asked.components(component, 0));
            }
        }
        Want::Amount => {
            let constants = symbols.iter().filter(|symbol| symbol.variable.kind == Kind::Constant);
            all.extend(constants.clone().map(|symbol| variable(symbol, 0)));
            all.extend(constants.filter_map(|symbol| phrase(symbol, 0)));
            for unit in UNITS {
                let snippet = format!("${{1:5}} {unit}");
                let label = format!("5 {unit}");
                all.push(Item {
                    insert: snippet,
                    snippet: true,
                    ..items::item(label, ItemKind::Unit, "duration", 1)
                });
            }
        }
        Want::Unit(constant) => {
            all.extend(UNITS.iter().map(|unit| items::item(*unit, ItemKind::Unit, "unit of time", 0)));
            all.extend(constant.then(|| word("satisfy", 1)));
        }
        Want::Timepoint(length) => {
            let phrases: &[&str] = match length {
                0 => {
                    &["the first timepoint", "the next timepoint", "the last timepoint", "the same timepoint"]
                }
                1 => &["first timepoint", "next timepoint", "last timepoint", "same timepoint"],
                _ => &["timepoint"],
            };
            all.extend(words(phrases, 0));
        }
        Want::StopOperator => {
            operators(&symbols, before, &mut all);
            all.push(word("satisfy", 0));
        }
        Want::Satisfy => all.push(word("satisfy", 0)),
        Want::Probability => all.push(word("probability", 0)),
        Want::ResponseOperator => operators(&symbols, before, &mut all),
    }
    if here.empty {
        all.extend(templates(3));
    }
    all
}

/// What can come after a field before `shall`.
fn next_field(asked: &Asked, here: &Position, component: Option<&Component>, rank: u8, all: &mut Vec<Item>) {
    if !here.scope && !here.condition {
        all.extend(words(SCOPES, rank + 1));
    }
    match here.condition {
        false => all.extend(words(CONDITIONS, rank + 1)),
        true => all.extend(words(&["and when", "or when"], rank + 1)),
    }
    all.push(word("the", rank));
    all.extend(asked.components(component, rank));
}

fn operand(symbols: &[&Symbol], compared: Option<&str>, all: &mut Vec<Item>) {
    let left = compared.and_then(|name| symbols.iter().find(|symbol| symbol.variable.name == name));
    if let Some(enumeration) = left.filter(|symbol| matches!(symbol.variable.ty, Type::Enum(_))) {
        all.extend(values(enumeration, 0));
        let same = symbols.iter().filter(|symbol| symbol.variable.ty == enumeration.variable.ty);
        all.extend(same.map(|symbol| variable(symbol, 1)));
        return;
    }
    all.extend(symbols.iter().map(|symbol| variable(symbol, 1)));
    all.extend(symbols.iter().filter_map(|symbol| phrase(symbol, 1)));
    all.extend(functions(2));
    all.extend(words(&["true", "false", "not", "if"], 3));
    all.extend(words(&["at the previous occurrence of", "at the next occurrence of"], 4));
}

/// The operators that fit the type of the last name.
fn operators(symbols: &[&Symbol], before: &str, all: &mut Vec<Item>) {
    let last = before.trim_end().rsplit(|c: char| !(c.is_alphanumeric() || "_.%".contains(c))).next();
    let ty = symbols.iter().find(|symbol| Some(symbol.variable.name.as_str()) == last);
    let lists: &[&[&str]] = match ty.map(|symbol| &symbol.variable.ty) {
        Some(Type::Bool) => &[CONNECTIVES],
        Some(Type::Enum(_)) => &[&["=", "!="]],
        Some(Type::Int(_) | Type::Real(_)) => &[COMPARISONS, ARITHMETIC],
        None => &[CONNECTIVES, COMPARISONS, ARITHMETIC],
    };
    all.extend(lists.iter().flat_map(|list| words(list, 1)));
}
