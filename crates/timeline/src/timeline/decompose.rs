//! Decomposition of a formula before translation: parts of which one must hold, and parts that must all hold.
//!
//! An implication is a choice between the negation of its premise and its conclusion; G distributes over conjunctions, F over
//! disjunctions, next over both (on infinite words).

use crate::eliminate::Words;
use logic::{Binary, Formula, Node, Store, Unary};

/// The maximum number of parts; a formula with more is not split.
const PARTS: usize = 64;

/// Conjunction or disjunction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    And,
    Or,
}

impl Kind {
    fn dual(self) -> Kind {
        match self {
            Kind::And => Kind::Or,
            Kind::Or => Kind::And,
        }
    }
}

/// Formulas whose conjunction is the formula; the formula itself if it has no parts.
pub fn conjuncts(store: &mut Store, formula: Formula, words: Words) -> Vec<Formula> {
    parts(store, formula, Kind::And, words)
}

/// Formulas whose disjunction is the formula; the formula itself if it has no parts.
pub fn disjuncts(store: &mut Store, formula: Formula, words: Words) -> Vec<Formula> {
    parts(store, formula, Kind::Or, words)
}

fn parts(store: &mut Store, formula: Formula, kind: Kind, words: Words) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut stack = vec![formula];
    while let Some(formula) = stack.pop() {
        match split(store, formula, kind, words) {
            Some(mut inner) => {
                inner.reverse();
                stack.extend(inner);
            }
            None if !found.contains(&formula) => found.push(formula),
            None => {}
        }
        if found.len() + stack.len() > PARTS {
            return vec![formula];
        }
    }
    found
}

/// The operands if the formula is of this kind, split once.
fn split(store: &mut Store, formula: Formula, kind: Kind, words: Words) -> Option<Vec<Formula>> {
    match store.node(formula).clone() {
        Node::And(operands) if kind == Kind::And => Some(operands.to_vec()),
        Node::Or(operands) if kind == Kind::Or => Some(operands.to_vec()),
        Node::Implies(a, b) if kind == Kind::Or => Some(vec![store.not(a), b]),
        Node::Not(inner) => {
            let opposite = split(store, inner, kind.dual(), words)?;
            Some(opposite.into_iter().map(|part| store.not(part)).collect())
        }
        Node::Unary(op @ (Unary::Globally | Unary::Finally), bound, inner) => {
            let over = (op == Unary::Globally) == (kind == Kind::And)
                || (bound.is_point() && words == Words::Infinite);
            let inner = if over { split(store, inner, kind, words)? } else { return None };
            Some(inner.into_iter().map(|part| store.unary(op, bound, part)).collect())
        }
        Node::Binary(Binary::Release, bound, a, b) if kind == Kind::And => {
            let inner = split(store, b, kind, words)?;
            Some(inner.into_iter().map(|part| store.binary(Binary::Release, bound, a, part)).collect())
        }
        Node::Binary(Binary::Until, bound, a, b) if kind == Kind::Or => {
            let inner = split(store, b, kind, words)?;
            Some(inner.into_iter().map(|part| store.binary(Binary::Until, bound, a, part)).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::{Context, lower_formula};

    #[test]
    fn parts_of_formulas() {
        for (text, kind, expected) in [
            ("G (a & b)", Kind::And, "G a; G b"),
            ("!(F a | F b)", Kind::And, "!F a; !F b"),
            ("a -> (b & c)", Kind::Or, "!a; b & c"),
            ("!(a & G b)", Kind::Or, "!a; !G b"),
            ("X (a & b) & c", Kind::And, "X a; X b; c"),
            ("a U (b | c)", Kind::Or, "a U b; a U c"),
            ("F (a | X (b | c))", Kind::Or, "F a; F[>=1] b; F[>=1] c"),
            ("G (a | b)", Kind::Or, "G (a | b)"),
            ("a <-> b", Kind::And, "a <-> b"),
        ] {
            let mut store = Store::default();
            let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
            let formula = formula.unwrap_or_else(|| panic!("{text}"));
            let found: Vec<String> = parts(&mut store, formula, kind, Words::Infinite)
                .into_iter()
                .map(|part| logic::print(&store, part, &logic::SHALL).unwrap_or_default())
                .collect();
            assert_eq!(found.join("; "), expected, "{text}");
        }
    }
}
