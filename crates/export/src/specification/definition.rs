//! Definitions of variables: read as expressions of sentences where that is possible, otherwise passed on as Lustre.
//!
//! Text that is passed on is checked token by token, so that it cannot end the place where it is written.

use super::Inexpressible;
use super::scope::Scope;
use logic::{Id, Store};
use requirement::Context;
use requirement::specification::{Component, Definition, Token, Variable};

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
    let definition = match Definition::read(text) {
        Definition::Expression(expression) => expression,
        Definition::Lustre { .. } => return Err(Inexpressible::LustreDefinition),
        Definition::Unreadable { .. } => return Err(Inexpressible::UnreadableDefinition),
    };
    let signals = component.variables.iter().map(|it| (it.name.clone(), it.ty.sort())).collect();
    let context = Context { signals: Some(signals), ..Context::default() };
    definition.term(store, &context, variable.ty.sort()).ok_or(Inexpressible::UnreadableDefinition)
}

/// A definition as Lustre: its own text, with the spellings of sentences (`&`, `!=`) translated and names as they are
/// written in the file.
pub(super) fn lustre(text: &str, scope: &Scope) -> Result<String, Inexpressible> {
    let tokens = requirement::specification::lustre(text).map_err(Inexpressible::NotLustre)?;
    let emitted = |token| match token {
        Token::Other(text) => Ok(text),
        Token::Name(name) => match scope.get(&name) {
            Some(entry) => Ok(entry.emitted.clone()),
            None => Err(Inexpressible::UnknownWord(name)),
        },
    };
    Ok(joined(&tokens.into_iter().map(emitted).collect::<Result<Vec<_>, _>>()?))
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
