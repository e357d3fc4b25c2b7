//! Test helpers: a parser of formulas in prefix form, and the printed form.
//!
//! `(-> a (F[0,3] (> (+ x 1) 2)))` is built with the constructors. `F[2,]` has no upper end, `?0` is a hole, `'on` is a literal of an
//! enumeration, `"any name"` is a variable, `(call f x)` a function.

use crate::eval::{Shape, Truth, truth_table};
use crate::number::parse_decimal;
use crate::store::Arith;
use crate::store::Binary;
use crate::store::Bound;
use crate::store::Formula;
use crate::store::Fun;
use crate::store::Id;
use crate::store::Node;
use crate::store::Numeral;
use crate::store::Rel;
use crate::store::Store;
use crate::store::Unary;
use base::Random;

/// Parses a formula in prefix form.
pub(crate) fn read(store: &mut Store, text: &str) -> Formula {
    let mut tokens = tokens(text);
    tokens.reverse();
    let id = expression(store, &mut tokens);
    assert!(tokens.is_empty(), "text after the formula: {text}");
    store.as_formula(id).expect("a formula")
}

/// The formula in the `SHALL` dialect.
pub(crate) fn shall(store: &Store, f: Formula) -> String {
    crate::print(store, f, &crate::SHALL).unwrap_or_else(|error| format!("<{error}>"))
}

/// Reads each text in prefix form, and compares what is printed.
pub(crate) fn expect_printed(rows: &[(&str, &str)]) {
    for (input, expected) in rows {
        let mut store = Store::default();
        let f = read(&mut store, input);
        assert_eq!(shall(&store, f), *expected, "{input}");
    }
}

/// Checks this many random formulas of three atoms, each in a store of its own.
pub(crate) fn random_formulas(
    (seed, count): (u64, usize),
    atoms: [&str; 3],
    depth: u32,
    check: impl Fn(&mut Store, Formula),
) {
    let mut rng = Random::new(seed);
    for _ in 0..count {
        let mut store = Store::default();
        let atoms = atoms.map(|text| read(&mut store, text));
        let f = random_formula(&mut store, &mut rng, &atoms, depth);
        check(&mut store, f);
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '(' | ')' => 1,
            '"' => rest[1..].find('"').expect("a closing quote") + 2,
            _ => rest.find([' ', '(', ')']).unwrap_or(rest.len()),
        };
        tokens.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    tokens
}

fn expression(store: &mut Store, tokens: &mut Vec<String>) -> Id {
    let token = tokens.pop().expect("a token");
    if token != "(" {
        return leaf(store, &token);
    }
    let head = tokens.pop().expect("an operator");
    let callee = (head == "call").then(|| tokens.pop().expect("a function name"));
    let mut arguments = Vec::new();
    while tokens.last().is_some_and(|token| token != ")") {
        arguments.push(expression(store, tokens));
    }
    tokens.pop();
    match callee {
        Some(name) => {
            let symbol = store.symbol(name.trim_matches('"'));
            store.call(symbol, arguments).id()
        }
        None => apply(store, &head, &arguments),
    }
}

fn leaf(store: &mut Store, token: &str) -> Id {
    if token == "true" || token == "false" {
        return store.bool(token == "true").id();
    }
    if let Some(value) = parse_decimal(token) {
        let numeral = if token.contains('.') { Numeral::Real } else { Numeral::Int };
        return store.num(value, numeral).id();
    }
    if let Some(k) = token.strip_prefix('?') {
        return store.hole(k.parse().expect("a number")).id();
    }
    let symbol = store.symbol(token.trim_matches(['\'', '"']));
    if token.starts_with('\'') { store.value(symbol).id() } else { store.var(symbol).id() }
}

fn apply(store: &mut Store, head: &str, arguments: &[Id]) -> Id {
    let (op, bound) = match head.split_once('[') {
        None => (head, Bound::ALL),
        Some((op, bound)) => {
            let (lo, hi) = bound.trim_end_matches(']').split_once(',').expect("a comma");
            (op, Bound::new(lo.parse().expect("a number"), hi.parse().ok()))
        }
    };
    let formulas: Vec<Formula> = arguments.iter().filter_map(|&id| store.as_formula(id)).collect();
    let terms: Vec<_> = arguments.iter().map(|&id| store.as_term(id)).collect();
    let f = |i: usize| formulas[i];
    let t = |i: usize| terms[i];
    let unary = |store: &mut Store, op, bound| store.unary(op, bound, formulas[0]).id();
    let binary = |store: &mut Store, op| store.binary(op, bound, formulas[0], formulas[1]).id();
    let rel = |store: &mut Store, rel| store.rel(rel, terms[0], terms[1]).id();
    let arith = |store: &mut Store, op| store.arith(op, terms[0], terms[1]).id();
    match op {
        "!" => store.not(f(0)).id(),
        "&" => store.and(formulas.clone()).id(),
        "|" => store.or(formulas.clone()).id(),
        "xor" => store.xor(f(0), f(1)).id(),
        "->" => store.implies(f(0), f(1)).id(),
        "<->" => store.iff(f(0), f(1)).id(),
        "F" => unary(store, Unary::Finally, bound),
        "G" => unary(store, Unary::Globally, bound),
        "O" => unary(store, Unary::Once, bound),
        "H" => unary(store, Unary::Historically, bound),
        "X" => unary(store, Unary::Finally, Bound::NEXT),
        "N" => unary(store, Unary::Globally, Bound::NEXT),
        "Y" => unary(store, Unary::Once, Bound::NEXT),
        "Z" => unary(store, Unary::Historically, Bound::NEXT),
        "U" => binary(store, Binary::Until),
        "R" => binary(store, Binary::Release),
        "S" => binary(store, Binary::Since),
        "T" => binary(store, Binary::Triggered),
        "W" => store.weak_until(bound, f(0), f(1)).id(),
        "M" => store.strong_release(bound, f(0), f(1)).id(),
        "<" => rel(store, Rel::Lt),
        "<=" => rel(store, Rel::Le),
        ">" => rel(store, Rel::Gt),
        ">=" => rel(store, Rel::Ge),
        "=" => rel(store, Rel::Eq),
        "!=" => rel(store, Rel::Ne),
        "+" => arith(store, Arith::Add),
        "-" => arith(store, Arith::Sub),
        "*" => arith(store, Arith::Mul),
        "/" => arith(store, Arith::Div),
        "mod" => arith(store, Arith::Mod),
        "^" => arith(store, Arith::Pow),
        "neg" => store.neg(t(0)).id(),
        "abs" => store.fun(Fun::Abs, terms.clone()).id(),
        "min" => store.fun(Fun::Min, terms.clone()).id(),
        "max" => store.fun(Fun::Max, terms.clone()).id(),
        "ite" => store.ite(f(0), t(1), t(2)).id(),
        "pre" => store.pre(t(0), t(1)).id(),
        other => panic!("unknown operator {other}"),
    }
}

/// A formula with small bounds over given atoms.
pub(crate) fn random_formula(store: &mut Store, rng: &mut Random, atoms: &[Formula], depth: u32) -> Formula {
    let leaf = depth == 0 || rng.below(6) == 0;
    if leaf {
        let i = usize::try_from(rng.below(atoms.len() as u64)).expect("a small number");
        return atoms[i];
    }
    let bound = match rng.below(3) {
        0 => Bound::ALL,
        1 => Bound::exactly(rng.below(3)),
        _ => {
            let lo = rng.below(3);
            Bound::new(lo, (rng.below(4) > 0).then(|| lo + rng.below(4)))
        }
    };
    let a = random_formula(store, rng, atoms, depth - 1);
    let unary = [Unary::Finally, Unary::Globally, Unary::Once, Unary::Historically];
    match rng.below(14) {
        0 | 1 => store.not(a),
        k @ 2..=5 => store.unary(unary[(k - 2) as usize], bound, a),
        k => {
            let b = random_formula(store, rng, atoms, depth - 1);
            match k {
                6 => store.and2(a, b),
                7 => store.or2(a, b),
                8 => store.implies(a, b),
                9 => store.iff(a, b),
                10 => store.until(bound, a, b),
                11 => store.release(bound, a, b),
                12 => store.since(bound, a, b),
                _ => store.triggered(bound, a, b),
            }
        }
    }
}

/// Every shape of up to four positions, or three with a loop.
pub(crate) fn short_shapes() -> Vec<Shape> {
    let finite = (1..=4).map(Shape::finite);
    let lassos = (1..=3).flat_map(|len| (0..len).map(move |start| Shape::lasso(len, start)));
    finite.chain(lassos).collect()
}

/// The formulas agree at every position of every short trace over their atoms, of which there are at most three.
pub(crate) fn assert_equivalent(store: &Store, f: Formula, g: Formula) {
    type Traces = [u64; 64];
    let mut atoms: Vec<Node> = Vec::new();
    for shape in short_shapes() {
        // A comparison and its complement are the same atom.
        let mut leaf = |id: Id, position: usize| -> Traces {
            let (atom, negated) = match store.node(id) {
                Node::Rel(rel @ (Rel::Gt | Rel::Ge | Rel::Ne), a, b) => {
                    (Node::Rel(rel.complement(), *a, *b), true)
                }
                node => (node.clone(), false),
            };
            let known = atoms.iter().position(|other| *other == atom).unwrap_or(atoms.len());
            if known == atoms.len() {
                atoms.push(atom);
            }
            assert!(known < 3, "too many atoms");
            let bit = position * 3 + known;
            let traces_with_bit = |word: usize| (0..64).filter(move |i| (word * 64 + i) >> bit & 1 == 1);
            let mut traces: Traces = std::array::from_fn(|word| traces_with_bit(word).map(|i| 1 << i).sum());
            if negated {
                traces.negate();
            }
            traces
        };
        let left = truth_table(store, f, shape, &mut leaf);
        let right = truth_table(store, g, shape, &mut leaf);
        assert!(left == right, "{} is not {} on {shape:?}", shall(store, f), shall(store, g));
    }
}
