//! Expressions as a typed view of the tree, one level at a time.

use crate::lexer::OTHER_QUOTES;
use crate::word::Word;
use crate::{Kind, NodeRef, Span};
use std::borrow::Cow;

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Infix {
    Iff,
    Implies,
    Xor,
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

/// One level of an expression.
#[derive(Debug, Clone)]
pub enum Expr<'t> {
    /// A name, without its quotes.
    Name(Cow<'t, str>),
    /// `true`, `false`
    Truth(bool),
    /// A numeral as written.
    Number(&'t str),
    /// `!p`
    Not(NodeRef<'t>),
    /// `-x`
    Minus(NodeRef<'t>),
    /// Operands with operators between them; there is one operator fewer.
    Infix(Vec<NodeRef<'t>>, Vec<(Infix, Span)>),
    /// `if p then q`
    IfThen(NodeRef<'t>, NodeRef<'t>),
    /// `f(x, y)`: the name, its span, the arguments.
    Call(Cow<'t, str>, Span, Vec<NodeRef<'t>>),
    /// `at the previous occurrence of p, q` (or the next)
    Occurrence {
        /// Whether it is the previous occurrence.
        previous: bool,
        /// What occurs.
        event: NodeRef<'t>,
        /// What then holds.
        then: NodeRef<'t>,
    },
    /// `p is true`, `p is false`
    Is(NodeRef<'t>, bool),
    /// A temporal operator as written, its bound as written, its operand.
    TemporalPrefix(&'t str, Option<NodeRef<'t>>, NodeRef<'t>),
    /// A temporal operator as written, its bound as written, its operands.
    TemporalInfix(&'t str, Option<NodeRef<'t>>, NodeRef<'t>, NodeRef<'t>),
    /// Something that could not be parsed.
    Error,
}

impl<'t> Expr<'t> {
    /// The expression of a node; parentheses are skipped.
    pub fn of(node: NodeRef<'t>) -> Expr<'t> {
        let node = unparenthesized(node);
        Self::read(node).unwrap_or(Expr::Error)
    }

    fn read(node: NodeRef<'t>) -> Option<Expr<'t>> {
        let mut children = node.children().filter(|child| child.kind() != Kind::Bound);
        let bound = || node.child(Kind::Bound);
        Some(match node.kind() {
            Kind::NameRef => Expr::Name(node.phrase().map_or_else(|| name(node.text()), Cow::Borrowed)),
            Kind::Truth => Expr::Truth(Word::of(node.text()) == Some(Word::True)),
            Kind::Literal => Expr::Number(node.text()),
            Kind::Prefix => {
                let (kind, ..) = node.own_tokens().next()?;
                if kind == Kind::Minus { Expr::Minus(children.next()?) } else { Expr::Not(children.next()?) }
            }
            Kind::Infix => {
                let operands: Vec<_> = children.collect();
                let operators: Vec<_> =
                    node.own_tokens().filter_map(|token| Some((infix(token.0, token.2)?, token.1))).collect();
                if operands.len() != operators.len() + 1 {
                    return None;
                }
                Expr::Infix(operands, operators)
            }
            Kind::IfThen => Expr::IfThen(children.next()?, children.next()?),
            Kind::Call => {
                let (_, span, text) = node.own_tokens().next()?;
                Expr::Call(name(text), span, children.collect())
            }
            Kind::Occurrence => Expr::Occurrence {
                previous: node.own_tokens().any(|(_, _, text)| Word::of(text) == Some(Word::Previous)),
                event: children.next()?,
                then: children.next()?,
            },
            Kind::Is => {
                let truth = node.own_tokens().find_map(|(_, _, text)| match Word::of(text)? {
                    Word::True => Some(true),
                    Word::False => Some(false),
                    _ => None,
                });
                Expr::Is(children.next()?, truth?)
            }
            Kind::TemporalPrefix => {
                Expr::TemporalPrefix(node.own_tokens().next()?.2, bound(), children.next()?)
            }
            Kind::TemporalInfix => {
                Expr::TemporalInfix(node.own_tokens().next()?.2, bound(), children.next()?, children.next()?)
            }
            _ => return None,
        })
    }
}

/// The node inside any parentheses.
fn unparenthesized(mut node: NodeRef) -> NodeRef {
    while node.kind() == Kind::Paren {
        match node.children().next() {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

fn infix(kind: Kind, text: &str) -> Option<Infix> {
    Some(match kind {
        Kind::Iff => Infix::Iff,
        Kind::Implies => Infix::Implies,
        Kind::Xor => Infix::Xor,
        Kind::Or => Infix::Or,
        Kind::And => Infix::And,
        Kind::Less => Infix::Less,
        Kind::LessEqual => Infix::LessEqual,
        Kind::Greater => Infix::Greater,
        Kind::GreaterEqual => Infix::GreaterEqual,
        Kind::Equal => Infix::Equal,
        Kind::NotEqual | Kind::LessGreater => Infix::NotEqual,
        Kind::Plus => Infix::Add,
        Kind::Minus => Infix::Subtract,
        Kind::Star => Infix::Multiply,
        Kind::Slash => Infix::Divide,
        Kind::Caret => Infix::Power,
        Kind::Name => match Word::of(text)? {
            Word::And => Infix::And,
            Word::Or => Infix::Or,
            Word::Xor => Infix::Xor,
            Word::Implies => Infix::Implies,
            Word::Iff => Infix::Iff,
            Word::Mod => Infix::Modulo,
            _ => return None,
        },
        _ => return None,
    })
}

/// The name without its quotes and the backslashes inside them.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    let Some(inner) = text.strip_prefix('"') else { return Cow::Borrowed(text.trim_matches(OTHER_QUOTES)) };
    let inner = if is_closed(text) { &inner[..inner.len() - 1] } else { inner };
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut plain = String::with_capacity(inner.len());
    let mut escaped = false;
    for c in inner.chars() {
        escaped = c == '\\' && !escaped;
        if !escaped {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// A name as a sentence writes it: in quotes if it is not one word, or a word of the language.
pub fn quoted_if_needed(name: &str) -> String {
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '%');
    let belongs = |c: char| c.is_alphanumeric() || c == '_' || c == '%' || c == '.';
    let plain = starts && letters.all(belongs) && !name.ends_with('.') && !name.contains("..");
    if plain && Word::of(name).is_none() { name.to_string() } else { format!("\"{name}\"") }
}

/// Whether a quoted text ends with its own quotation mark.
pub(crate) fn is_closed(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) else { return false };
    let backslashes = inner.len() - inner.trim_end_matches('\\').len();
    backslashes % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling() {
        for (name, expected) in [
            ("x", "x"),
            ("a.b%", "a.b%"),
            ("my x", "\"my x\""),
            ("ms", "\"ms\""),
            ("3x", "\"3x\""),
            ("x.", "\"x.\""),
        ] {
            assert_eq!(quoted_if_needed(name), expected);
        }
    }
}
