//! Definitions of variables: each is parsed once, as a sentence expression or as Lustre.
//!
//! All commands read definitions here. `->` is always Lustre's "first this, afterwards that"; implication is `=>`, which both
//! languages have. An expression replaces its name while a sentence is lowered ([`Context::definitions`]), or becomes a term by
//! itself ([`Expression::term`]).

use crate::lower::{self, Context, Occurrence, Sorts, occurrences};
use logic::{Id, Sort, Store};
use std::fmt;
use syntax::fretish::{Sentence, parse};
use syntax::{Expr, Kind, NodeRef, Parse, Span};

/// The maximum length of a definition, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// The text that turns a definition into a sentence. Spans of definitions exclude it.
const FRAME: &str = "c shall always satisfy ";

/// A definition, classified by its text alone.
#[derive(Debug)]
pub enum Definition {
    /// A sentence expression.
    Expression(Expression),
    /// Text that looks like Lustre.
    Lustre {
        /// The names in it.
        names: Vec<String>,
        /// Whether `->` is in it.
        arrow: bool,
    },
    /// Neither.
    Unreadable {
        /// The first error.
        message: String,
        /// Its span.
        span: Span,
        /// The words in it.
        words: Vec<String>,
    },
}

/// A definition that is a sentence expression.
#[derive(Debug)]
pub struct Expression {
    parse: Parse,
    /// The names in it, in the order of the text.
    pub names: Vec<Occurrence>,
    /// The names whose values at the same step it depends on.
    pub now: Vec<String>,
    /// Whether its meaning in a sentence depends on the sentence's scope, because it refers to a range of steps.
    pub is_cut_by_scopes: bool,
}

impl Definition {
    /// Reads a definition.
    pub fn read(text: &str) -> Definition {
        let parse = parse(&format!("{FRAME}{text}"));
        let wrong = parse.diagnostics.first();
        let arrow = parse.tree.tokens().any(|token| token == (Kind::Implies, "->"));
        let is_lustre =
            arrow || words(text).iter().any(|word| ["pre", "fby", "else"].contains(&word.as_str()));
        if wrong.is_none() && !is_lustre && text.len() <= MAX_TEXT {
            return Definition::Expression(Expression::of(parse, text));
        }
        if let Ok(tokens) = lustre(text) {
            let name = |token| if let Token::Name(name) = token { Some(name) } else { None };
            return Definition::Lustre { names: tokens.into_iter().filter_map(name).collect(), arrow };
        }
        let (message, span) = match wrong {
            Some(wrong) => (wrong.message.clone(), shifted(wrong.span, text)),
            None => ("it is neither an expression nor Lustre".into(), Span::new(0, text.len() as u32)),
        };
        Definition::Unreadable { message, span, words: words(text) }
    }

    /// The names in a definition, as far as it can be read as an expression.
    pub fn names(text: &str) -> Vec<Occurrence> {
        names(&parse(&format!("{FRAME}{text}")), text)
    }

    /// The expression, or why it is not one.
    ///
    /// # Errors
    /// Half a sentence about the definition, with a hint.
    pub fn expression(&self) -> Result<&Expression, NotAnExpression> {
        match self {
            Definition::Expression(expression) => Ok(expression),
            Definition::Lustre { arrow, .. } => Err(NotAnExpression::Lustre { arrow: *arrow }),
            Definition::Unreadable { .. } => Err(NotAnExpression::Unreadable),
        }
    }
}

/// Why a definition cannot replace its name in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAnExpression {
    /// It is Lustre.
    Lustre {
        /// Because of `->`, which may have been meant as implication.
        arrow: bool,
    },
    /// It cannot be read.
    Unreadable,
}

impl fmt::Display for NotAnExpression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            NotAnExpression::Lustre { arrow: true } => {
                "is Lustre, because of `->`; write `=>` for an implication"
            }
            NotAnExpression::Lustre { arrow: false } => "is Lustre, not an expression of sentences",
            NotAnExpression::Unreadable => "cannot be read as an expression",
        })
    }
}

impl std::error::Error for NotAnExpression {}

impl Expression {
    fn of(parse: Parse, text: &str) -> Expression {
        let called = |node: NodeRef| match (node.kind(), Expr::of(node)) {
            (Kind::Call, Expr::Call(name, _, arguments)) => Some(lower::kind_of_call(&name, arguments.len())),
            _ => None,
        };
        let is_cut_by_scopes = parse
            .tree
            .nodes()
            .any(|node| called(node) == Some(lower::CallKind::Stretch) || node.kind() == Kind::Occurrence);
        let delayed = parse.tree.nodes().filter(|&node| called(node) == Some(lower::CallKind::Previous));
        let delayed: Vec<Span> = delayed.map(|node| shifted(node.span(), text)).collect();
        let is_now = |name: &&Occurrence| {
            !delayed.iter().any(|span| span.start <= name.span.start && name.span.end <= span.end)
        };
        let names = names(&parse, text);
        let now = names.iter().filter(is_now).map(|name| name.name.clone()).collect();
        Expression { parse, names, now, is_cut_by_scopes }
    }

    /// The tree.
    pub(crate) fn root(&self) -> NodeRef<'_> {
        Sentence::of(&self.parse.tree).response().expect("a definition without errors is a response")
    }

    /// What it tells about the sorts of names if it defines `name`, which has this sort as far as it is declared.
    pub fn sorts(&self, name: &str, context: &Context, sort: Sort) -> Sorts {
        lower::lower_sorts(name, self.root(), context, sort)
    }

    /// The expression as a formula or term of a sort; names in it stay. `None` if it does not have this sort. The past of predicates
    /// begins with the trace.
    pub fn term(&self, store: &mut Store, context: &Context, sort: Sort) -> Option<Id> {
        lower::lower_term(store, self.root(), context, sort)
    }
}

/// The names in a parsed definition.
fn names(parse: &Parse, text: &str) -> Vec<Occurrence> {
    let mut names = occurrences(&parse.tree);
    names.iter_mut().for_each(|name| name.span = shifted(name.span, text));
    names
}

/// Converts a span of the framed text to one of the definition.
fn shifted(span: Span, text: &str) -> Span {
    let back = |at: u32| at.saturating_sub(FRAME.len() as u32).min(text.len() as u32);
    Span::new(back(span.start), back(span.end))
}

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let belongs = |c: char| c.is_alphanumeric() || "_.%".contains(c);
    let quoted = text.split('"').skip(1).step_by(2).map(String::from);
    let plain = text.split(|c| !belongs(c)).map(|word| word.trim_end_matches('.').to_string());
    plain.chain(quoted).filter(|word| !word.is_empty()).collect()
}

/// A token of a definition in Lustre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name.
    Name(String),
    /// A number, a keyword or a sign, in Lustre's spelling.
    Other(String),
}

/// Why a text is not a Lustre expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotLustre {
    /// It is longer than the limit.
    TooLong,
    /// A character that Lustre does not have.
    Character(char),
    /// A closing parenthesis without an opening one.
    Unopened,
    /// Operands and operators do not alternate, or a parenthesis is not closed.
    Malformed,
}

impl fmt::Display for NotLustre {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotLustre::TooLong => f.write_str("its definition is too long"),
            NotLustre::Character(c) => write!(f, "`{c}` in its definition is not Lustre"),
            NotLustre::Unopened => f.write_str("a parenthesis in its definition was never opened"),
            NotLustre::Malformed => f.write_str("its definition is not Lustre"),
        }
    }
}

impl std::error::Error for NotLustre {}

const PREFIXES: &[&str] = &["not", "pre", "if", "int", "real", "current", "bool"];
const INFIXES: &[&str] = &["and", "or", "xor", "then", "else", "div", "mod", "fby", "when", "merge"];

/// The symbols of Lustre and of sentences, with Lustre's spelling; a symbol comes after those of which it is a prefix.
const SIGNS: &[(&str, &str)] = &[
    ("<=>", "="),
    ("<->", "="),
    ("->", "->"),
    ("=>", "=>"),
    ("<=", "<="),
    (">=", ">="),
    ("<>", "<>"),
    ("&&", "and"),
    ("||", "or"),
    ("!=", "<>"),
    ("==", "="),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    (",", ","),
    ("#", "#"),
    ("&", "and"),
    ("|", "or"),
    ("!", "not"),
    ("~", "not"),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "not"),
];

/// The tokens of a text that looks like a Lustre expression: operands and operators alternate, and parentheses match. The symbols of
/// sentences (`&`, `!=`) are translated.
///
/// # Errors
/// Why the text is not Lustre.
pub fn lustre(text: &str) -> Result<Vec<Token>, NotLustre> {
    if text.len() > MAX_TEXT {
        return Err(NotLustre::TooLong);
    }
    let mut tokens = Vec::new();
    let mut rest = text.trim().trim_end_matches(';').trim_end();
    let mut depth = 0_usize;
    // Whether an operand must come next.
    let mut wanted = true;
    while let Some(first) = rest.chars().next() {
        let word_end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).unwrap_or(rest.len());
        let word = &rest[..word_end];
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let (length, token) = if word_end > 0 {
            let is_number = word.chars().all(|c| c.is_ascii_digit() || c == '.');
            let token = match (wanted, PREFIXES.contains(&word), INFIXES.contains(&word)) {
                (true, true, _) => Token::Other(word.into()),
                (false, _, true) => {
                    wanted = true;
                    Token::Other(word.into())
                }
                (true, false, false) => {
                    wanted = false;
                    match is_number || ["true", "false"].contains(&word) {
                        true => Token::Other(word.into()),
                        false => Token::Name(word.into()),
                    }
                }
                (true, false, true) | (false, _, false) => return Err(NotLustre::Malformed),
            };
            (word_end, token)
        } else if first == '(' {
            // After an operand, it is a call.
            depth += 1;
            wanted = true;
            (1, Token::Other("(".into()))
        } else if first == ')' {
            depth = depth.checked_sub(1).ok_or(NotLustre::Unopened)?;
            if wanted {
                return Err(NotLustre::Malformed);
            }
            (1, Token::Other(")".into()))
        } else {
            let (theirs, ours) = sign.ok_or(NotLustre::Character(first))?;
            let is_prefix = ["not", "#"].contains(ours);
            // `--` begins a comment.
            if wanted && !is_prefix && *ours != "-" || !wanted && is_prefix || rest.starts_with("--") {
                return Err(NotLustre::Malformed);
            }
            wanted = true;
            (theirs.len(), Token::Other((*ours).into()))
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    if depth > 0 || wanted { Err(NotLustre::Malformed) } else { Ok(tokens) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_expressions_or_lustre() {
        for (text, expected) in [
            ("a & !b", "expression a b"),
            ("level > 8", "expression level"),
            ("x + 2 * y", "expression x y"),
            ("-3.5", "expression"),
            ("preBool(false, a)", "expression a"),
            ("a => b", "expression a b"),
            ("a <-> b", "expression a b"),
            ("a implies \"b -> c\"", "expression a b -> c"),
            ("a -> b", "lustre a b"),
            ("a -> (b & !c)", "lustre a b c"),
            ("a -> (b is true)", "unreadable"),
            ("0.0 -> pre x", "lustre x"),
            ("pre(x)", "lustre x"),
            ("if a then b else c", "lustre a b c"),
            ("if a && b then c else d", "lustre a b c d"),
            ("a and not b", "expression a b"),
            ("(0 -> pre n) + 1", "lustre n"),
            ("0 fby f(x, y)", "lustre f x y"),
            ("x <> y;", "lustre x y"),
            ("level is somewhat high", "unreadable"),
            ("a +", "unreadable"),
            ("(a", "unreadable"),
            ("a) -> pre b", "unreadable"),
            ("a -> b -- c", "unreadable"),
            ("", "unreadable"),
            ("größe » 3", "unreadable"),
        ] {
            let all = |kind: &str, names: Vec<&str>| [vec![kind], names].concat().join(" ");
            let shown = match &Definition::read(text) {
                Definition::Expression(it) => {
                    all("expression", it.names.iter().map(|name| name.name.as_str()).collect())
                }
                Definition::Lustre { names, .. } => all("lustre", names.iter().map(String::as_str).collect()),
                Definition::Unreadable { .. } => "unreadable".into(),
            };
            assert_eq!(shown, expected, "{text}");
        }
    }

    #[test]
    fn what_counts_at_the_same_step_and_in_every_scope() {
        for (text, now, cut) in [
            ("a & preBool(b, c)", "a", false),
            ("preInt(0, x) + x > 3", "x", false),
            ("persisted(2, a)", "a", true),
            ("a | FTP", "a", false),
            ("at the previous occurrence of a, b", "a b", true),
            ("preBool(false, occurred(3, a))", "", true),
        ] {
            let definition = Definition::read(text);
            let it = definition.expression().expect(text);
            assert_eq!((it.now.join(" ").as_str(), it.is_cut_by_scopes), (now, cut), "{text}");
        }
    }
}
