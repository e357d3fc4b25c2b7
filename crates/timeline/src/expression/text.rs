//! Expressions as text: `[!a]* [a & b] ([c] + [d] [e])^ω`.
//!
//! A step is its condition in brackets; adjacent expressions are a sequence, `+` is a choice, `*` any number of times, `^ω` forever.
//! The empty word is `ε`, the empty set is `∅`. In ASCII they are `^w`, `()` and `[false]`. `parse` parses this notation.

use crate::expression::guard::guard_formula;
use crate::expression::{Expr, Expressions, Node};
use crate::limit::Limit;
use logic::{Id, SHALL, Store};
use omega::Guard;
use rustc_hash::FxHashMap;

/// The maximum length of a printed text.
const LONGEST: usize = 1 << 26;

/// The character set of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// `ε`, `∅`, `^ω`.
    Unicode,
    /// `()`, `[false]`, `^w`.
    Ascii,
}

/// How tightly an expression binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Union,
    Sequence,
    Atom,
}

enum Piece {
    Text(&'static str),
    Child(Expr, Level),
}

/// The text of an expression over the given atoms.
pub fn print(
    store: &mut Store,
    arena: &mut Expressions,
    atoms: &[Id],
    expr: Expr,
    script: Script,
) -> Result<String, Limit> {
    let (epsilon, empty, forever) = match script {
        Script::Unicode => ("ε", "∅", "^ω"),
        Script::Ascii => ("()", "[false]", "^w"),
    };
    let mut labels: FxHashMap<Guard, String> = FxHashMap::default();
    let mut text = String::new();
    let mut stack = vec![Piece::Child(expr, Level::Union)];
    while let Some(piece) = stack.pop() {
        let (expr, asked) = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Child(expr, asked) => (expr, asked),
        };
        let start = stack.len();
        let level = match arena.node(expr) {
            Node::Union(_) => Level::Union,
            Node::Sequence(_) => Level::Sequence,
            Node::Empty | Node::Epsilon | Node::Step(_) | Node::Star(_) | Node::Omega(_) => Level::Atom,
        };
        if level < asked {
            text.push('(');
        }
        match arena.node(expr).clone() {
            Node::Empty => text.push_str(empty),
            Node::Epsilon => text.push_str(epsilon),
            Node::Step(guard) => {
                let label = match labels.get(&guard) {
                    Some(label) => label.clone(),
                    None => {
                        let formula = guard_formula(store, &mut arena.guards, atoms, guard);
                        let label = logic::print(store, formula, &SHALL).map_err(|_| Limit::Translation)?;
                        labels.insert(guard, label.clone());
                        label
                    }
                };
                text.push('[');
                text.push_str(&label);
                text.push(']');
            }
            Node::Star(body) => stack.extend([Piece::Child(body, Level::Atom), Piece::Text("*")]),
            Node::Omega(body) => stack.extend([Piece::Child(body, Level::Atom), Piece::Text(forever)]),
            Node::Sequence(parts) => {
                for (k, &part) in parts.iter().enumerate() {
                    let space = (k > 0).then_some(Piece::Text(" "));
                    stack.extend(space.into_iter().chain([Piece::Child(part, Level::Atom)]));
                }
            }
            Node::Union(parts) => {
                for (k, &part) in parts.iter().enumerate() {
                    let plus = (k > 0).then_some(Piece::Text(" + "));
                    stack.extend(plus.into_iter().chain([Piece::Child(part, Level::Sequence)]));
                }
            }
        }
        if level < asked {
            stack.push(Piece::Text(")"));
        }
        stack[start..].reverse();
        if text.len() > LONGEST {
            return Err(Limit::Size);
        }
    }
    Ok(text)
}
