//! The rules and constructors that compute with bounds, as theorems about all bounds.
//!
//! A recipe is a formula whose bounds are sums of four numbers. The rule is applied to it with many values of these numbers, and the
//! bounds of the results are sums again, which are found from their values. `proofs/Bounds.v` has a law for each recipe; Coq derives
//! the theorem from it, for both directions of time and for the dual operators, with any formulas in the place of propositions.

use crate::coq::EXCLUDED_MIDDLE;
use crate::coq::compile::{Answer, Source};
use crate::coq::terms::{Number, Sample, Term, Window, shape_by};
use crate::failure::{Result, ensure, problem};
use logic::{RULES, Store};
use std::collections::BTreeSet;

/// The values of the numbers. Those of the first row are so far apart that a sum of them is read off its digits.
const VALUES: [[u64; 4]; 6] = [
    [SCALE, SCALE * SCALE, SCALE * SCALE * SCALE, SCALE * SCALE * SCALE * SCALE],
    [2, 3, 5, 7],
    [7, 5, 3, 2],
    [4, 4, 4, 4],
    [1, 9, 1, 9],
    [30, 1, 2, 1],
];
const SCALE: u64 = 1000;

/// A rule or constructor, a formula that it applies to, and the law that it is an instance of.
struct Recipe {
    /// The name of the rule; `None` for a constructor.
    rule: Option<&'static str>,
    law: &'static str,
    before: Term,
}

/// Proves all recipes in all four variants; prints how many.
pub(crate) fn prove(changed: &BTreeSet<String>) -> Result {
    let (text, count) = theorems()?;
    match (Source { name: "Printed_bounds".to_string(), text }).compile(changed)? {
        (Answer::Accepted(axioms), _) => {
            ensure(
                axioms.trim() == EXCLUDED_MIDDLE,
                format!("laws of bounds rest on other axioms:\n{axioms}"),
            )?;
            println!("{count} theorems about rules and constructors with all bounds are proved");
            Ok(())
        }
        (Answer::Rejected(_, message), _) => problem(message),
    }
}

/// The file of Coq, and the number of its theorems.
fn theorems() -> Result<(String, usize)> {
    let mut text = "From Shall Require Import Definitions Operators Ways Substitution Bounds.\n".to_string();
    let mut names: Vec<String> = Vec::new();
    for Recipe { rule, law, before } in recipes() {
        for direction in ["Ahead", "Back"] {
            let before = if direction == "Back" { mapped(&before, mirrored) } else { before.clone() };
            let after = result(rule, &before)?;
            let name = format!("{law}_{}", names.len());
            let statement = |before: &Term, after: &Term| {
                format!("forall (a b c d : nat) s, equiv (substitute s {before}) (substitute s {after})")
            };
            let (dual_before, dual_after) = (mapped(&before, dual), mapped(&after, dual));
            if result(rule, &dual_before)? != dual_after {
                return problem(format!(
                    "{law}: the rule does not treat {dual_before} as the dual of {before}"
                ));
            }
            text.push_str(&format!(
                "Theorem {name} : {}. Proof. intros. apply equiv_substitute. by_law ({law} {direction}). Qed.\n\
                 Theorem {name}_dual : {}. Proof. intros. apply equiv_substitute. apply (dual_equiv {before} {after}). \
                 by_law ({law} {direction}). Qed.\n",
                statement(&before, &after),
                statement(&dual_before, &dual_after),
            ));
            names.extend([name.clone(), format!("{name}_dual")]);
        }
    }
    let all = names.iter().skip(1).fold(names[0].clone(), |all, name| format!("(conj {name} {all})"));
    text.push_str(&format!("Definition all_of_them := {all}.\nPrint Assumptions all_of_them.\n"));
    Ok((text, names.len()))
}

/// What the rule or constructor makes of the formula, for all values of the numbers.
fn result(rule: Option<&str>, before: &Term) -> Result<Term> {
    let mut store = Store::default();
    let mut results: Vec<Sample> = Vec::new();
    for (row, values) in VALUES.iter().enumerate() {
        let built = before.formula_with(&mut store, &|number| value(number, values));
        let done = match rule {
            None => Some(built),
            Some(name) => {
                RULES.iter().find(|it| it.name == name).and_then(|rule| rule.apply(&mut store, built))
            }
        };
        let Some(done) = done else { return problem(format!("`{rule:?}` does not apply to {before}")) };
        results.push((row as u64, done));
    }
    match shape_by(&store, &sum, &results).filter(|after| after != before) {
        Some(after) => Ok(after),
        None => problem(format!("`{rule:?}` makes nothing of {before} that has sums as bounds")),
    }
}

fn value(number: Number, values: &[u64; 4]) -> u64 {
    match number {
        Number::Constant(constant) | Number::Plus(constant) => constant,
        Number::Sum(constant, counts) => {
            constant + counts.iter().zip(values).map(|(count, value)| count * value).sum::<u64>()
        }
    }
}

/// The sum that has these values in the rows of [`VALUES`].
fn sum(found: &[(u64, u64)]) -> Option<Number> {
    let mut digits = found.first()?.1;
    let mut next = || {
        let digit = digits % SCALE;
        digits /= SCALE;
        digit
    };
    let number = Number::Sum(next(), [next(), next(), next(), next()]);
    found.iter().all(|(row, it)| value(number, &VALUES[*row as usize]) == *it).then_some(number)
}

/// The term with other names of operators and constants.
fn mapped(term: &Term, name: fn(&'static str) -> &'static str) -> Term {
    let inner = |term: &Term| Box::new(mapped(term, name));
    match term {
        Term::Constant(value) => Term::Constant((name(if *value { "Top" } else { "Bot" })) == "Top"),
        Term::Var(variable) => Term::Var(variable.clone()),
        Term::Not(p) => Term::Not(inner(p)),
        Term::Connective(op, p, q) => Term::Connective(name(op), inner(p), inner(q)),
        Term::Unary(op, window, p) => Term::Unary(name(op), *window, inner(p)),
        Term::Binary(op, window, p, q) => Term::Binary(name(op), *window, inner(p), inner(q)),
    }
}

fn swapped(pairs: &[(&'static str, &'static str)], name: &'static str) -> &'static str {
    let found = pairs.iter().find(|(a, b)| *a == name || *b == name);
    found.map_or(name, |(a, b)| if *a == name { b } else { a })
}

fn mirrored(name: &'static str) -> &'static str {
    swapped(&[("F_", "O_"), ("G_", "H_"), ("U_", "S_"), ("R_", "T_")], name)
}

fn dual(name: &'static str) -> &'static str {
    let pairs = [("F_", "G_"), ("O_", "H_"), ("U_", "R_"), ("S_", "T_"), ("And", "Or"), ("Top", "Bot")];
    swapped(&pairs, name)
}

/// A sum of the numbers named in the text, with a constant: `1ab` is 1 + a + b.
fn number(text: &str) -> Number {
    let count = |letter: char| text.matches(letter).count() as u64;
    let constant = text.trim_end_matches(|c: char| c.is_alphabetic()).parse().unwrap_or(0);
    Number::Sum(constant, ['a', 'b', 'c', 'd'].map(count))
}

fn window(low: &str, high: &str) -> Window {
    Window { low: number(low), high: (!high.is_empty()).then(|| number(high)) }
}

/// A law for each rule and constructor that computes with bounds, or keeps them whatever they are.
fn recipes() -> Vec<Recipe> {
    let [p, q, r] = ["MODE", "COND", "RES"].map(|name| Term::Var(name.to_string()));
    let not = |p: &Term| Term::Not(Box::new(p.clone()));
    let some = |low: &str, high: &str, p: &Term| Term::Unary("F_", window(low, high), Box::new(p.clone()));
    let way = |low: &str, high: &str, p: &Term, q: &Term| {
        Term::Binary("U_", window(low, high), Box::new(p.clone()), Box::new(q.clone()))
    };
    let both = |op: &'static str, p: Term, q: Term| Term::Connective(op, Box::new(p), Box::new(q));
    let (and, or) = (|p, q| both("And", p, q), |p, q| both("Or", p, q));
    let of = |rule: &'static str, law, before| Recipe { rule: Some(rule), law, before };
    let made = |law, before| Recipe { rule: None, law, before };
    let top = Term::Constant(true);
    vec![
        made("window_in_window", some("a", "ab", &some("c", "cd", &p))),
        made("window_in_window", some("a", "", &some("c", "cd", &p))),
        made("window_in_window", some("a", "ab", &some("c", "", &p))),
        made("any_position", some("1a", "1ab", &top)),
        made("any_position", some("1a", "", &top)),
        made("empty_window", some("1ab", "a", &p)),
        made("empty_way", way("1ab", "a", &p, &q)),
        of("negated window", "negated_window", not(&some("a", "ab", &not(&p)))),
        of("negated way", "negated_way", not(&way("a", "ab", &not(&p), &not(&q)))),
        of("windows of one formula", "windows_together", or(some("a", "abc", &p), some("ab", "abcd", &p))),
        of("windows of one formula", "windows_together", or(some("a", "abcd", &p), some("ab", "abc", &p))),
        of("windows of one formula", "windows_together", or(some("a", "ab", &p), some("1ab", "1abc", &p))),
        of("windows of one formula", "windows_together", or(some("a", "abc", &p), some("ab", "", &p))),
        of("windows of one formula", "here_and_window", or(p.clone(), some("1", "1a", &p))),
        of("windows of one formula", "here_and_window", or(p.clone(), some("1", "", &p))),
        of("narrower window", "narrower_window", and(some("a", "abcd", &p), some("ab", "abc", &p))),
        of("narrower window", "narrower_window", and(some("a", "", &p), some("ab", "abc", &p))),
        of("narrower window", "narrower_window", and(some("a", "", &p), some("ab", "", &p))),
        of("formulas of one window", "one_window", or(some("a", "ab", &p), some("a", "ab", &q))),
        of("formulas of one window", "one_window", or(some("a", "", &p), some("a", "", &q))),
        of("formulas of one window", "one_position", and(some("a", "a", &p), some("a", "a", &q))),
        of("window in a window", "unbounded_in_window", some("a", "", &or(p.clone(), some("", "", &q)))),
        of("window of a way", "window_of_ways", some("a", "", &way("", "b", &p, &q))),
        of("way to a window", "way_to_a_window", way("", "a", &p, &some("b", "", &q))),
        of("way of a way", "way_in_way", way("a", "ab", &p, &way("c", "cd", &p, &q))),
        of("before the goal", "before_the_goal", way("", "a", &or(p.clone(), q.clone()), &q)),
        of("ways together", "goals_together", or(way("a", "ab", &p, &q), way("a", "ab", &p, &r))),
        of("ways together", "ways_together", and(way("a", "ab", &p, &r), way("a", "ab", &q, &r))),
        of("steps outside", "steps_first", way("a", "ab", &some("c", "c", &p), &some("c", "c", &q))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each recipe is changed by its rule or constructor, its dual likewise, and sums are read off their values.
    #[test]
    fn every_recipe_applies() {
        let (text, count) = theorems().expect("recipes that apply");
        assert_eq!((count, text.matches("Theorem").count()), (4 * recipes().len(), 4 * recipes().len()));
        let both = "(F_ (Bound (K (a + c)) (Some (K (a + b + c + d)))) (Var MODE))";
        assert!(text.contains(both), "{text}");
        assert_eq!(sum(&[(0, 2_003), (1, 7)]), Some(Number::Sum(3, [2, 0, 0, 0])));
        assert_eq!(sum(&[(0, 2_003), (1, 8)]), None);
    }
}
