//! Definitions of variables: read as expressions of sentences where that is possible, otherwise passed on as Lustre.
//!
//! `->` is Lustre's: a definition with it is not read. Text that is passed on is checked word by word, so that it cannot
//! end the place where it stands.

use super::Inexpressible;
use super::scope::Scope;
use logic::{Id, Node, Rel, Store};
use requirement::specification::{Component, Type, Variable};
use requirement::{Context, lower_formula};

/// Stands for the variable while its definition is read.
const DEFINED: &str = "defined__";

/// The longest definition that is looked at.
const MAX_TEXT: usize = 1 << 16;

/// A definition as a term of the store, or why it cannot be read.
pub(super) fn read(
    store: &mut Store,
    component: &Component,
    variable: &Variable,
) -> Result<Id, Inexpressible> {
    let text = variable.definition.as_deref().unwrap_or_default().trim();
    if text.is_empty() {
        return Err(Inexpressible::NoDefinition);
    }
    if text.len() > MAX_TEXT {
        return Err(Inexpressible::LongDefinition);
    }
    if text.contains("->") || words(text).any(|word| ["pre", "fby", "else"].contains(&word)) {
        return Err(Inexpressible::LustreDefinition);
    }
    let signals = component.variables.iter().map(|it| (it.name.clone(), it.ty.sort()));
    let signals = signals.chain([(DEFINED.to_string(), variable.ty.sort())]).collect();
    let context = Context { signals: Some(signals), ..Context::default() };
    if variable.ty == Type::Bool {
        let (formula, _) = lower_formula(store, &syntax::formula::parse(text), &context);
        return formula.map(logic::Formula::id).ok_or(Inexpressible::UnreadableDefinition);
    }
    let (equation, _) =
        lower_formula(store, &syntax::formula::parse(&format!("{DEFINED} = ({text})")), &context);
    match equation.map(|f| store.node(f)) {
        Some(Node::Rel(Rel::Eq, left, right)) => match store.node(*left) {
            Node::Var(symbol) if store.name(*symbol) == DEFINED => Ok(right.id()),
            _ => Err(Inexpressible::UnreadableDefinition),
        },
        _ => Err(Inexpressible::UnreadableDefinition),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// A definition as Lustre: its own text, with the spellings of sentences (`&`, `!=`) translated and names as they are
/// written in the file.
pub(super) fn lustre(text: &str, scope: &Scope) -> Result<String, Inexpressible> {
    const ITSELF: [&str; 16] =
        ["->", "=>", "<=", ">=", "<>", "=", "<", ">", "+", "-", "*", "/", "(", ")", ",", "#"];
    const OTHER: [(&str, &str); 13] = [
        ("<=>", "="),
        ("<->", "="),
        ("&&", "and"),
        ("||", "or"),
        ("!=", "<>"),
        ("==", "="),
        ("&", "and"),
        ("|", "or"),
        ("!", "not"),
        ("~", "not"),
        ("∧", "and"),
        ("∨", "or"),
        ("¬", "not"),
    ];
    const KEYWORDS: [&str; 14] = [
        "true", "false", "not", "and", "or", "xor", "if", "then", "else", "pre", "fby", "div", "mod", "real",
    ];
    if text.len() > MAX_TEXT {
        return Err(Inexpressible::LongDefinition);
    }
    let mut out: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).unwrap_or(rest.len());
        let other = || OTHER.iter().find(|(theirs, _)| rest.starts_with(theirs));
        let itself = || ITSELF.iter().find(|symbol| rest.starts_with(**symbol));
        let (length, token) = if word > 0 {
            let text = &rest[..word];
            let number = first.is_ascii_digit() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
            let token = match scope.get(text) {
                Some(entry) => entry.emitted.clone(),
                None if number || KEYWORDS.contains(&text) => text.to_owned(),
                None => return Err(Inexpressible::UnknownWord(text.to_owned())),
            };
            (word, token)
        } else if let Some((theirs, ours)) = other() {
            (theirs.len(), (*ours).to_owned())
        } else if let Some(symbol) = itself() {
            (symbol.len(), (*symbol).to_owned())
        } else {
            return Err(Inexpressible::UnknownCharacter(first));
        };
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1).ok_or(Inexpressible::Unopened)?,
            _ => {}
        }
        out.push(token);
        rest = rest[length..].trim_start();
    }
    if depth > 0 || out.is_empty() || out.windows(2).any(|pair| pair[0] == "-" && pair[1] == "-") {
        return Err(Inexpressible::NotLustre);
    }
    Ok(joined(&out))
}

/// The tokens with spaces between them, but not inside parentheses.
fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let call = token == "("
            && at > 0
            && tokens[at - 1].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let word = ["not", "and", "or", "xor", "if", "then", "else", "pre", "mod", "div"];
        let tight = at == 0
            || tokens[at - 1] == "("
            || [")", ","].contains(&token.as_str())
            || call && !word.contains(&tokens[at - 1].as_str());
        if !tight {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}
