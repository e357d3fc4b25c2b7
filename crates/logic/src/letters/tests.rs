//! Letters as tables, and against all values of a small grid.

use super::*;
use crate::testing::read;
use base::Random;
use dashu_ratio::RBig;
use std::collections::BTreeSet;

/// `i`, `j`, `k` are integers, `e` is an enumeration, the sorts of all others are unknown.
fn sort_of(name: &str) -> Sort {
    match name {
        "i" | "j" | "k" => Sort::Int,
        "e" => Sort::Enum,
        _ => Sort::Any,
    }
}

fn find(store: &mut Store, atoms: &[&str]) -> Letters {
    let atoms: Vec<Id> = atoms.iter().map(|atom| read(store, atom).id()).collect();
    letters(store, &atoms, &[], &sort_of, 5_000).expect("few letters")
}

fn digits(truths: &[bool]) -> String {
    truths.iter().map(|&truth| if truth { '1' } else { '0' }).collect()
}

/// Under the values of each witnessed letter, the atoms evaluate to the letter, and integers have integer values.
fn assert_witnessed(store: &Store, found: &Letters) {
    for letter in found.letters.iter().filter(|letter| letter.witnessed) {
        for (&atom, &truth) in found.atoms.iter().zip(&letter.truths) {
            let value = eval_state(store, atom, &mut |id, _| {
                let value = letter.values.iter().find(|(known, _)| *known == id);
                value.map(|(_, value)| value.clone()).ok_or(EvalError::UnfilledHole)
            });
            assert_eq!(value, Ok(Value::Bool(truth)), "{letter:?}");
        }
        for (id, value) in &letter.values {
            let whole =
                matches!(store.node(*id), Node::Var(symbol) if sort_of(store.name(*symbol)) == Sort::Int);
            assert!(!whole || matches!(value, Value::Num(number) if number.is_int()), "{letter:?}");
        }
    }
}

/// The letters as digits, one per atom; a star marks those without a witness.
fn check(atoms: &[&str], expected: &str) {
    let mut store = Store::default();
    let found = find(&mut store, atoms);
    assert_witnessed(&store, &found);
    let star = |letter: &Letter| if letter.witnessed { "" } else { "*" };
    let shown: Vec<String> =
        found.letters.iter().map(|letter| format!("{}{}", digits(&letter.truths), star(letter))).collect();
    assert_eq!(shown.join(" "), expected, "{atoms:?}");
    assert_eq!(found.exact, !expected.contains('*'), "{atoms:?}");
}

/// The values of each letter.
fn check_values(atoms: &[&str], expected: &[&str]) {
    let mut store = Store::default();
    let found = find(&mut store, atoms);
    let text = |value: &Value| match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Num(number) => number.to_string(),
        Value::Name(name) => name.clone(),
    };
    let shown = |letter: &Letter| {
        let values = letter.values.iter().map(|(id, value)| {
            format!("{}={}", crate::print(&store, *id, &crate::SHALL).expect("printable"), text(value))
        });
        values.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found.letters.iter().map(shown).collect::<Vec<_>>(), expected, "{atoms:?}");
}

#[test]
fn truth_values_and_calls() {
    check(&[], "");
    check(&["a", "b"], "00 01 10 11");
    check(&["a", "a"], "00 11");
    check(&["(call f x)", "(call f y)"], "00 01 10 11");
    check(&["a", "b", "(& a b)"], "000 010 100 111");
    check(&["a", "b", "(= a b)"], "001 010 100 111");
    check(&["a", "(= a (> x 1))", "(> x 1)"], "001 010 100 111");
    check(&["true", "false"], "10");
}

#[test]
fn orders() {
    check(&["(> x 3)", "(> x 2)"], "00 01 11");
    check(&["(= x 1)", "(= x 2)", "(< x 0)"], "000 001 010 100");
    check(&["(< x 1)", "(>= x 1)"], "01 10");
    check(&["(!= x 1)", "(= x 1)"], "01 10");
    check(&["(< x x)", "(<= x x)"], "01");
    check(&["(> x 3)", "(< x 3)", "(= x 3)"], "001 010 100");
    check(&["(< x y)", "(< y z)", "(< z x)"], "000 001 010 011 100 101 110");
    check(&["(= x y)", "(= y z)", "(= z x)", "(> x 0)"], "0000 0001 0010 0011 0100 0101 1000 1001 1110 1111");
}

#[test]
fn sums() {
    check(&["(> (+ x y) 3)", "(< x 1)", "(< y 1)"], "000 001 010 011 100 101 110");
    check(&["(> (* 2 x) 3)", "(<= (/ x 2) 0.75)"], "01 10");
    check(&["(> (- x (* 3 y)) 0)", "(< (* 6 y) (* 2 x))"], "00 11");
    check(&["(= (neg x) 2)", "(= x -2)"], "00 11");
    check(&["(= (+ x y) 2)", "(= (- x y) 4)", "(= x 3)", "(= y -1)"], "0000 0001 0010 0100 1000 1111");
    check(&["(> x (^ 2 10))", "(> x 1024)"], "00 11");
}

#[test]
fn whole_numbers() {
    check(&["(= (* 2 i) 3)"], "0");
    check(&["(= (* 2 x) 3)"], "0 1");
    check(&["(> i 2)", "(< i 3)"], "01 10");
    check(&["(> i 2)", "(< i 4)", "(= i 3)"], "010 100 111");
    check(&["(= (* 2 i) (+ 1 (* 2 j)))"], "0");
    check(&["(= i (* 2 j))", "(= i (+ 1 (* 2 k)))"], "00 01 10");
    check(&["(= (+ (* 3 i) (* 5 j)) 1)"], "0 1");
    check(&["(= (+ (* 6 i) (* 10 j)) 3)", "(= (+ (* 6 i) (* 10 j)) 4)"], "00 01");
    check(&["(> (* 3 i) 1)", "(< (* 3 i) 3)"], "01 10");
    check(&["(> (* 2 (+ i j)) 1)", "(< (+ i j) 1)"], "01 10");
    check(&["(> (+ i x) 0)", "(< (+ i x) 1)", "(= x 0)"], "010 011 100 101 110");
    check(&["(= (mod i 2) 0)", "(= (mod i 2) 1)"], "01 10");
    check(&["(= (mod i 2) 0)", "(= (mod i 4) 3)", "(> i 5)"], "000 001 010 011 100 101");
    check(&["(= (mod i -3) 2)", "(= (mod (+ i 1) 3) 0)"], "00 11");
}

#[test]
fn cases_inside_of_terms() {
    check(&["(> (abs x) 2)", "(> x 2)", "(< x -2)"], "000 101 110");
    check(&["(>= (abs x) 0)"], "1");
    check(&["(= (max x y) x)", "(= (min x y) x)", "(= x y)"], "010 100 111");
    check(
        &["(< (min x y z) 0)", "(< x 0)", "(< y 0)", "(>= z 0)"],
        "0001 1000 1010 1011 1100 1101 1110 1111",
    );
    check(&["(= (ite p x y) 1)", "p", "(= x 1)", "(= y 1)"], "0000 0010 0100 0101 1001 1011 1110 1111");
    check(&["(> (ite (> x 0) x (neg x)) 2)", "(> (abs x) 2)"], "00 11");
}

#[test]
fn names() {
    check(&["(= state idle)", "(= state run)"], "00 01 10");
    check(&["(= state 'idle)", "(!= state 'idle)"], "01 10");
    check(&["(= e 'a)", "(= e f)", "(= f 'a)"], "000 001 010 100 111");
    check(&["(= s t)", "(= t u)", "(= s u)"], "000 001 010 100 111");
    check(&["(= mode limit)", "(> mode 3)"], "00 01 10 11");
    check_values(
        &["(= state idle)", "(= state run)"],
        &["state=other idle=idle run=run", "state=run idle=idle run=run", "state=idle idle=idle run=run"],
    );
    check_values(&["(= e other)"], &["e=other2 other=other", "e=other other=other"]);
}

#[test]
fn nice_values_are_chosen() {
    check_values(&["a", "(> x 3)"], &["a=false x=0", "a=false x=4", "a=true x=0", "a=true x=4"]);
    check_values(&["(!= x 0)"], &["x=0", "x=1"]);
    check_values(&["(& (> x 2) (< x 3))"], &["x=0", "x=5/2"]);
    check_values(&["(> (+ x y) 30)"], &["x=0 y=0", "x=0 y=31"]);
    check_values(&["(= (* 3 x) 1)"], &["x=0", "x=1/3"]);
    check_values(&["(> (call f x) 7.5)"], &["f(x)=0", "f(x)=8"]);
    check_values(&["(< i -2.5)"], &["i=0", "i=-3"]);
}

#[test]
fn what_is_not_linear_is_guessed_or_marked() {
    check(&["(> (* x y) 3)", "(> x 0)"], "00 01 10 11");
    check(&["(< (* x x) 0)"], "0 1*");
    check(&["(= (^ x 2) 9)", "(= x 3)"], "00 01* 10 11");
    check(&["(> (pre 0 x) 3)", "(> x 3)"], "00* 01* 10* 11*");
    check(&["(> (/ 1 x) 3)"], "0 1*");
    check(&["(F p)", "p"], "00* 01* 10* 11*");
    check(&["(> x (+ p 1))", "p"], "00* 01* 10* 11*");
}

/// Facts leave fewer letters, and these have values under which the facts are true.
#[test]
fn facts() {
    for (facts, atoms, expected) in [
        (&["(>= x 20)", "(<= x 600)"][..], &["(< x 80)", "(> x 700)"][..], "00 10"),
        (&["(= e a)"], &["(= e a)", "(= e b)"], "10"),
        (&["(| (= e a) (= e b))"], &["(= e a)", "(= e b)"], "01 10"),
        (&["(> i 2)", "(< i 4)"], &["(= i 3)"], "1"),
        (&["(< x 0)", "(> x 0)"], &["p"], ""),
    ] {
        let mut store = Store::default();
        let [facts, atoms] =
            [facts, atoms].map(|all| all.iter().map(|it| read(&mut store, it).id()).collect::<Vec<Id>>());
        let found = letters(&store, &atoms, &facts, &sort_of, 100).expect("few letters");
        assert_witnessed(&store, &found);
        assert_witnessed(
            &store,
            &Letters { atoms: facts.clone(), letters: all_true(&found, facts.len()), exact: true },
        );
        let shown: Vec<String> = found.letters.iter().map(|letter| digits(&letter.truths)).collect();
        assert_eq!(shown.join(" "), expected, "{atoms:?}");
    }
}

/// The letters with as many other atoms, all true.
fn all_true(found: &Letters, atoms: usize) -> Vec<Letter> {
    found.letters.iter().map(|letter| Letter { truths: vec![true; atoms], ..letter.clone() }).collect()
}

#[test]
fn too_many() {
    let mut store = Store::default();
    let atoms = ["a", "b", "c"].map(|atom| read(&mut store, atom).id());
    assert_eq!(letters(&store, &atoms, &[], &sort_of, 7), Err(TooManyLetters { limit: 7 }));
    assert_eq!(letters(&store, &atoms, &[], &sort_of, 8).map(|found| found.letters.len()), Ok(8));
}

/// A linear term over three variables with small factors, sometimes with an absolute value or a minimum.
fn random_term(rng: &mut Random, names: &[&str]) -> String {
    let mut term = format!("{}", rng.below(7) as i64 - 3);
    for name in names {
        if rng.below(2) == 0 {
            let factor = rng.below(5) as i64 - 2;
            let part = match rng.below(8) {
                0 => format!("(abs {name})"),
                1 => format!("(min {name} 1)"),
                _ => (*name).to_owned(),
            };
            term = format!("(+ (* {factor} {part}) {term})");
        }
    }
    term
}

/// Every combination that occurs on a grid is found, and every one found is witnessed.
fn against_grid(seed: u64, names: &[&str], grid: &[RBig]) -> usize {
    let mut rng = Random::new(seed);
    let count = 2 + rng.below(4);
    let rels = ["<", "<=", ">", ">=", "=", "!="];
    let atoms: Vec<String> = (0..count)
        .map(|_| {
            let rel = rels[rng.below(6) as usize];
            format!("({rel} {} {})", random_term(&mut rng, names), random_term(&mut rng, names))
        })
        .collect();
    let atoms: Vec<&str> = atoms.iter().map(String::as_str).collect();
    let mut store = Store::default();
    let found = find(&mut store, &atoms);
    assert_witnessed(&store, &found);
    assert!(found.exact, "{atoms:?}");
    let produced: BTreeSet<&[bool]> = found.letters.iter().map(|letter| letter.truths.as_slice()).collect();
    assert_eq!(produced.len(), found.letters.len(), "{atoms:?}");
    let states = grid.len().pow(names.len() as u32);
    for state in 0..states {
        let value = |place: usize| grid[state / grid.len().pow(place as u32) % grid.len()].clone();
        let truths: Vec<bool> = found
            .atoms
            .iter()
            .map(|&atom| {
                let evaluated = eval_state(&store, atom, &mut |_, node| match node {
                    Node::Var(symbol) => {
                        let place = names.iter().position(|name| *name == store.name(*symbol));
                        Ok(Value::Num(value(place.expect("a known name"))))
                    }
                    _ => Err(EvalError::UnfilledHole),
                });
                evaluated == Ok(Value::Bool(true))
            })
            .collect();
        assert!(produced.contains(truths.as_slice()), "{atoms:?} can be {}", digits(&truths));
    }
    found.letters.len()
}

#[test]
fn random_atoms_against_a_grid() {
    let halves: Vec<RBig> = (-7..=7).map(|n| RBig::from(n) / RBig::from(2)).collect();
    let whole: Vec<RBig> = (-6..=6).map(RBig::from).collect();
    let mut count = 0;
    for seed in 0..120 {
        count += against_grid(seed, &["x", "y"], &halves);
        count += against_grid(seed, &["i", "j"], &whole);
        count += against_grid(seed, &["i", "x"], &whole);
    }
    for seed in 0..20 {
        count += against_grid(seed, &["x", "y", "z"], &whole);
        count += against_grid(seed, &["i", "j", "k"], &whole);
    }
    assert!(count > 2_500, "{count}");
}

/// An expression of arbitrary operators, whether the kinds of its operands match or not.
fn random_expression(rng: &mut Random, depth: u32) -> String {
    let leaves = ["p", "x", "y", "i", "e", "'a", "s", "0", "2.5", "true", "(call f x)"];
    let operators = [
        ("!", 1),
        ("&", 2),
        ("|", 2),
        ("<->", 2),
        ("=", 2),
        ("!=", 2),
        ("<", 2),
        ("=", 2),
        (">=", 2),
        ("+", 2),
        ("*", 2),
        ("/", 2),
        ("mod", 2),
        ("^", 2),
        ("neg", 1),
        ("abs", 1),
        ("max", 2),
        ("ite", 3),
        ("pre", 2),
        ("O", 1),
    ];
    if depth == 0 {
        return leaves[rng.below(leaves.len() as u64) as usize].to_owned();
    }
    let (operator, arguments) = operators[rng.below(operators.len() as u64) as usize];
    let formulas = matches!(operator, "!" | "&" | "|" | "<->" | "O");
    let mut argument = |first: bool| match formulas || operator == "ite" && first {
        true => random_atom(rng, depth - 1),
        false => random_expression(rng, depth - 1),
    };
    let arguments: Vec<String> = (0..arguments).map(|place| argument(place == 0)).collect();
    format!("({operator} {})", arguments.join(" "))
}

fn random_atom(rng: &mut Random, depth: u32) -> String {
    let rel = ["=", "!=", "<", ">="][rng.below(4) as usize];
    match rng.below(4) {
        0 => ["p", "q", "x", "(call f x)"][rng.below(4) as usize].to_owned(),
        _ => format!("({rel} {} {})", random_expression(rng, depth), random_expression(rng, depth)),
    }
}

#[test]
fn anything_can_be_an_atom() {
    for seed in 0..1_000 {
        let mut rng = Random::new(seed);
        let count = 1 + rng.below(4);
        let atoms: Vec<String> = (0..count).map(|_| random_atom(&mut rng, 2)).collect();
        let atoms: Vec<&str> = atoms.iter().map(String::as_str).collect();
        let mut store = Store::default();
        let found = find(&mut store, &atoms);
        assert_witnessed(&store, &found);
    }
}
