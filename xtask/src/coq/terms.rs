//! Formulas as terms of Coq, with the duration as a variable.
//!
//! A template is generated with many durations. From some duration on, its formulas have one shape, in which every bound is a number
//! or the duration plus a number. With n = m + `from`, this is one term with the variable m. Shorter durations are terms of their own.

use crate::failure::{Result, problem};
use logic::{Binary, Bound, Formula, Node, Store, Unary};
use std::fmt::{Display, Formatter};

/// A formula, as `proofs/Definitions.v` declares them. Operators are named as there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    Constant(bool),
    Var(String),
    Not(Box<Term>),
    /// `And`, `Or`, `Imp`, `Iff` or `Xor`.
    Connective(&'static str, Box<Term>, Box<Term>),
    /// `F_`, `G_`, `O_` or `H_`.
    Unary(&'static str, Window, Box<Term>),
    /// `U_`, `R_`, `S_` or `T_`.
    Binary(&'static str, Window, Box<Term>, Box<Term>),
}

/// The window of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: Number,
    pub(crate) high: Option<Number>,
}

/// A number in a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Constant(u64),
    /// The variable m plus a number.
    Plus(u64),
    /// A number plus a, b, c and d, each so many times.
    Sum(u64, [u64; 4]),
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self {
            Term::Constant(value) => f.write_str(if *value { "Top" } else { "Bot" }),
            Term::Var(name) => write!(f, "(Var {name})"),
            Term::Not(p) => write!(f, "(Not {p})"),
            Term::Connective(op, p, q) => write!(f, "({op} {p} {q})"),
            Term::Unary(op, window, p) => write!(f, "({op} {window} {p})"),
            Term::Binary(op, window, p, q) => write!(f, "({op} {window} {p} {q})"),
        }
    }
}

impl Display for Window {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self.high {
            Some(high) => write!(f, "(Bound ({}) (Some ({high})))", self.low),
            None => write!(f, "(Bound ({}) None)", self.low),
        }
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self {
            Number::Constant(number) => write!(f, "K {number}"),
            Number::Plus(number) => write!(f, "M {number}"),
            Number::Sum(number, counts) => {
                let named = ["a", "b", "c", "d"].iter().zip(counts);
                let mut parts: Vec<String> =
                    named.flat_map(|(name, count)| (0..*count).map(|_| (*name).to_string())).collect();
                if *number > 0 || parts.is_empty() {
                    parts.insert(0, number.to_string());
                }
                write!(f, "K ({})", parts.join(" + "))
            }
        }
    }
}

/// The formulas for all durations: one for each short duration, and the last one for all others.
#[derive(Debug, Clone)]
pub(crate) struct Cases(pub(crate) Vec<(Number, Term)>);

impl Display for Cases {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        let cases: Vec<String> = self.0.iter().map(|(number, term)| format!("({number}, {term})")).collect();
        write!(f, "[{}]", cases.join("; "))
    }
}

/// The durations below which a formula may have a shape of its own.
const SHORT: u64 = 5;

/// How far above the first duration of a shape it is compared, besides the next few.
const FAR: [u64; 3] = [19, 100, 100_000];

/// The cases of the formulas that `generate` makes for each duration.
pub(crate) fn cases(
    store: &mut Store,
    mut generate: impl FnMut(&mut Store, u64) -> Result<Formula>,
) -> Result<Cases> {
    let mut cases = Vec::new();
    for from in 0..SHORT {
        let mut samples = Vec::new();
        for steps in (from..from + 4).chain(FAR.map(|far| from + far)) {
            samples.push((steps, generate(store, steps)?));
        }
        if let Some(term) = shape(store, from, &samples) {
            cases.push((Number::Plus(from), term));
            return Ok(Cases(cases));
        }
        let Some(term) = shape(store, from, &samples[..1]) else { break };
        cases.push((Number::Constant(from), term));
    }
    problem("the formulas of a template have no common shape for long durations")
}

/// A duration, and the formula with it.
pub(crate) type Sample = (u64, Formula);

/// The shape that several formulas have in common, where the variable is the duration minus `from`.
pub(crate) fn shape(store: &Store, from: u64, samples: &[Sample]) -> Option<Term> {
    shape_by(store, &|values| number(from, values), samples)
}

/// Finds the number that has certain values in the samples.
pub(crate) type Numbers<'a> = &'a dyn Fn(&[(u64, u64)]) -> Option<Number>;

/// The shape that several formulas have in common, with the numbers that their bounds have in common.
pub(crate) fn shape_by(store: &Store, number: Numbers, samples: &[Sample]) -> Option<Term> {
    let child = |i: usize| {
        let inner = |&(steps, f): &Sample| Some((steps, store.as_formula(store.node(f).child(i)?)?));
        let samples: Vec<Sample> = samples.iter().map(inner).collect::<Option<_>>()?;
        shape_by(store, number, &samples)
    };
    let boxed = |i| child(i).map(Box::new);
    let nodes: Vec<&Node> = samples.iter().map(|(_, f)| store.node(*f)).collect();
    let first = *nodes.first()?;
    let kind = std::mem::discriminant(first);
    let arity = first.children().count();
    if !nodes.iter().all(|it| std::mem::discriminant(*it) == kind && it.children().count() == arity) {
        return None;
    }
    let connective = |name| Some(Term::Connective(name, boxed(0)?, boxed(1)?));
    match first {
        Node::True => Some(Term::Constant(true)),
        Node::False => Some(Term::Constant(false)),
        Node::Var(symbol) => {
            nodes.iter().all(|it| *it == first).then(|| Term::Var(store.name(*symbol).to_uppercase()))
        }
        Node::Not(_) => Some(Term::Not(boxed(0)?)),
        Node::Implies(..) => connective("Imp"),
        Node::Iff(..) => connective("Iff"),
        Node::Xor(..) => connective("Xor"),
        Node::And(_) => nested("And", (0..arity).map(child).collect::<Option<_>>()?),
        Node::Or(_) => nested("Or", (0..arity).map(child).collect::<Option<_>>()?),
        Node::Unary(op, ..) => {
            let bounds = bounds(samples, &nodes, |node| match node {
                Node::Unary(other, bound, _) if other == op => Some(*bound),
                _ => None,
            })?;
            Some(Term::Unary(unary(*op), window(number, &bounds)?, boxed(0)?))
        }
        Node::Binary(op, ..) => {
            let bounds = bounds(samples, &nodes, |node| match node {
                Node::Binary(other, bound, ..) if other == op => Some(*bound),
                _ => None,
            })?;
            Some(Term::Binary(binary(*op), window(number, &bounds)?, boxed(0)?, boxed(1)?))
        }
        _ => None,
    }
}

/// `And a (And b c)`.
fn nested(operator: &'static str, mut operands: Vec<Term>) -> Option<Term> {
    let last = operands.pop()?;
    let join = |rest, operand| Term::Connective(operator, Box::new(operand), Box::new(rest));
    Some(operands.into_iter().rev().fold(last, join))
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Finally => "F_",
        Unary::Globally => "G_",
        Unary::Once => "O_",
        Unary::Historically => "H_",
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Until => "U_",
        Binary::Release => "R_",
        Binary::Since => "S_",
        Binary::Triggered => "T_",
    }
}

/// The bounds of the same operator in all samples, each with its duration.
fn bounds(
    samples: &[Sample],
    nodes: &[&Node],
    bound: impl Fn(&Node) -> Option<Bound>,
) -> Option<Vec<(u64, Bound)>> {
    samples.iter().zip(nodes).map(|((steps, _), node)| Some((*steps, bound(node)?))).collect()
}

fn window(number: Numbers, bounds: &[(u64, Bound)]) -> Option<Window> {
    let lows: Vec<(u64, u64)> = bounds.iter().map(|(steps, bound)| (*steps, bound.lo)).collect();
    let highs: Vec<(u64, u64)> =
        bounds.iter().filter_map(|(steps, bound)| Some((*steps, bound.hi?))).collect();
    let high = match highs.len() {
        0 => None,
        some if some == bounds.len() => Some(number(&highs)?),
        _ => return None,
    };
    Some(Window { low: number(&lows)?, high })
}

/// The same number, or the duration plus the same number, for each duration.
fn number(from: u64, values: &[(u64, u64)]) -> Option<Number> {
    let (steps, value) = *values.first()?;
    if values.iter().all(|(_, other)| *other == value) {
        return Some(Number::Constant(value));
    }
    // With n = m + from, n + d is m + (from + d).
    let offset = (value + from).checked_sub(steps)?;
    values.iter().all(|(steps, value)| value + from == offset + steps).then_some(Number::Plus(offset))
}

impl Term {
    /// The number of atoms and operators.
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Term::Constant(_) | Term::Var(_) => 0,
            Term::Not(p) | Term::Unary(_, _, p) => p.size(),
            Term::Connective(_, p, q) | Term::Binary(_, _, p, q) => p.size() + q.size(),
        }
    }

    /// The formula with this value of the variable m, as the constructors make it.
    pub(crate) fn formula(&self, store: &mut Store, m: u64) -> Formula {
        self.formula_with(store, &|number| match number {
            Number::Constant(value) | Number::Sum(value, _) => value,
            Number::Plus(value) => m + value,
        })
    }

    /// The formula with these values of the numbers in its bounds, as the constructors make it.
    pub(crate) fn formula_with(&self, store: &mut Store, value: &dyn Fn(Number) -> u64) -> Formula {
        match self {
            Term::Constant(value) => store.bool(*value),
            Term::Var(name) => {
                let name = if name == "LAST" { name.clone() } else { name.to_lowercase() };
                let symbol = store.symbol(&name);
                store.var(symbol)
            }
            Term::Not(p) => {
                let p = p.formula_with(store, value);
                store.not(p)
            }
            Term::Connective(op, p, q) => {
                let (p, q) = (p.formula_with(store, value), q.formula_with(store, value));
                match *op {
                    "And" => store.and2(p, q),
                    "Or" => store.or2(p, q),
                    "Imp" => store.implies(p, q),
                    "Iff" => store.iff(p, q),
                    _ => store.xor(p, q),
                }
            }
            Term::Unary(op, window, p) => {
                let p = p.formula_with(store, value);
                let op = match *op {
                    "F_" => Unary::Finally,
                    "G_" => Unary::Globally,
                    "O_" => Unary::Once,
                    _ => Unary::Historically,
                };
                store.unary(op, bound(*window, value), p)
            }
            Term::Binary(op, window, p, q) => {
                let (p, q) = (p.formula_with(store, value), q.formula_with(store, value));
                let op = match *op {
                    "U_" => Binary::Until,
                    "R_" => Binary::Release,
                    "S_" => Binary::Since,
                    _ => Binary::Triggered,
                };
                store.binary(op, bound(*window, value), p, q)
            }
        }
    }
}

fn bound(window: Window, value: &dyn Fn(Number) -> u64) -> Bound {
    Bound::new(value(window.low), window.high.map(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(name: &str) -> Box<Term> {
        Box::new(Term::Var(name.to_string()))
    }

    /// Bounds that are a number, the duration, or the duration and a number; short durations that differ; the order of operands.
    #[test]
    fn formulas_have_cases() {
        let atom = |store: &mut Store, name: &str| {
            let symbol = store.symbol(name);
            store.var(symbol)
        };
        type Generate = fn(&mut Store, [Formula; 2], u64) -> Formula;
        let table: [(Generate, &str); 5] = [
            (|store, [p, _], _| store.once(Bound::ALL, p), "[(M 0, (O_ (Bound (K 0) None) (Var P)))]"),
            (
                |store, [p, _], n| store.once(Bound::new(1, n + 3), p),
                "[(M 0, (O_ (Bound (K 1) (Some (M 3))) (Var P)))]",
            ),
            (
                |store, [p, q], n| if n < 2 { p } else { store.since(Bound::new(n - 2, None), p, q) },
                "[(K 0, (Var P)); (K 1, (Var P)); (M 2, (S_ (Bound (M 0) None) (Var P) (Var Q)))]",
            ),
            (
                |store, [p, q], n| {
                    let held = store.historically(Bound::exactly(n + 1), q);
                    store.implies(p, held)
                },
                "[(M 0, (Imp (Var P) (H_ (Bound (M 1) (Some (M 1))) (Var Q))))]",
            ),
            (|store, _, _| store.top(), "[(M 0, Top)]"),
        ];
        for (generate, expected) in table {
            let mut store = Store::default();
            let atoms = [atom(&mut store, "p"), atom(&mut store, "q")];
            let found = cases(&mut store, |store, n| Ok(generate(store, atoms, n))).expect("a common shape");
            assert_eq!(found.to_string(), expected);
        }
        let mut store = Store::default();
        let p = atom(&mut store, "p");
        // A bound that grows otherwise has no shape.
        assert!(cases(&mut store, |store, n| Ok(store.once(Bound::upto(2 * n + 2), p))).is_err());
    }

    /// A term is the formula that it was made of, with every value of the variable.
    #[test]
    fn terms_are_formulas_again() {
        let window = Window { low: Number::Constant(1), high: Some(Number::Plus(2)) };
        let term = Term::Connective(
            "Imp",
            var("COND"),
            Box::new(Term::Binary("S_", window, Box::new(Term::Not(var("MODE"))), var("LAST"))),
        );
        let mut store = Store::default();
        let samples: Vec<Sample> = [0, 1, 2, 9].map(|m| (m, term.formula(&mut store, m))).to_vec();
        assert_eq!(shape(&store, 0, &samples), Some(term.clone()));
        assert_eq!(term.size(), 6);
    }
}
