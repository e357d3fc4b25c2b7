//! Shows that the proofs can fail: printed formulas are changed in one place each, and Coq is asked to prove the theorem about the
//! changed formula. Where it does, automata must find the two equal; where it does not, they say whether the change matters.

use crate::coq::compile::{Answer, Source};
use crate::coq::terms::{Cases, Number, Term, Window};
use crate::coq::theorems::{Printed, printed};
use crate::definition::{Definitions, meanings};
use crate::failure::{OrFail, Result, problem};
use crate::parallel;
use base::Random;
use logic::Store;
use requirement::definitions;
use requirement::template::templates;
use std::collections::BTreeSet;

/// The number of mutants, and the seed of their choice.
const MUTANTS: usize = 200;
const SEED: u64 = 22;

/// A printed formula with one change.
struct Mutant {
    original: Printed,
    /// The case that was changed, and the duration that it begins with.
    case: usize,
    kind: &'static str,
    cases: Cases,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Coq does not prove it, and a trace tells it from the definition.
    Rejected,
    /// Coq proves it, and no short duration tells it from the definition.
    Equal,
    /// Coq does not prove it, although no short duration tells it from the definition.
    Undecided,
}

/// Mutates printed formulas and prints what became of them.
pub(crate) fn run() -> Result {
    super::compile_sources()?;
    let originals = printed()?;
    let mut random = Random::new(SEED);
    let mut mutants: Vec<(usize, Mutant)> = Vec::new();
    while mutants.len() < MUTANTS {
        let original = &originals[random.below(originals.len())];
        if let Some(mutant) = mutate(original, &mut random) {
            mutants.push((mutants.len(), mutant));
        }
    }
    let mut verdicts = parallel::run(&mutants, |(index, mutant)| Ok((mutant.kind, decide(*index, mutant)?)))?;
    verdicts.sort_unstable();
    println!(
        "{:<24} {:>8} {:>9} {:>12} {:>10}",
        "mutation", "mutants", "rejected", "proved equal", "undecided"
    );
    let kinds: BTreeSet<&str> = verdicts.iter().map(|(kind, _)| *kind).collect();
    let row = |name: &str, of: &dyn Fn(&str) -> bool| {
        let count = |wanted| verdicts.iter().filter(|(kind, verdict)| of(kind) && *verdict == wanted).count();
        let [rejected, equal, undecided] = [Verdict::Rejected, Verdict::Equal, Verdict::Undecided].map(count);
        let all = rejected + equal + undecided;
        println!("{name:<24} {all:>8} {rejected:>9} {equal:>12} {undecided:>10}");
    };
    for kind in kinds {
        row(kind, &|it| it == kind);
    }
    row("all", &|_| true);
    Ok(())
}

/// One random change in one of the cases of a printed formula, if it has an effect.
fn mutate(original: &Printed, random: &mut Random) -> Option<Mutant> {
    let mut cases = original.cases.clone();
    let case = random.below(cases.0.len());
    let (_, term) = &mut cases.0[case];
    let before = term.clone();
    let position = random.below(term.size());
    let kind = change(at(term, position)?, random)?;
    (*term != before).then(|| Mutant { original: original.clone(), case, kind, cases })
}

/// The subterm with this number, counted from the root.
fn at(term: &mut Term, position: usize) -> Option<&mut Term> {
    if position == 0 {
        return Some(term);
    }
    match term {
        Term::Constant(_) | Term::Var(_) => None,
        Term::Not(p) | Term::Unary(_, _, p) => at(p, position - 1),
        Term::Connective(_, p, q) | Term::Binary(_, _, p, q) => match (position - 1).checked_sub(p.size()) {
            None => at(p, position - 1),
            Some(rest) => at(q, rest),
        },
    }
}

/// Changes a subterm at its root; returns the kind of the change.
fn change(term: &mut Term, random: &mut Random) -> Option<&'static str> {
    const OPERATOR: &str = "operator swapped";
    let duals = [("F_", "G_"), ("O_", "H_"), ("U_", "R_"), ("S_", "T_"), ("And", "Or")];
    let dual = |op: &str| {
        duals.iter().find_map(|&(a, b)| [(a, b), (b, a)].into_iter().find(|it| it.0 == op)).map(|it| it.1)
    };
    let kind: usize = random.below(4);
    match (kind, term) {
        (0, term) => {
            *term = Term::Not(Box::new(term.clone()));
            Some("negated")
        }
        (1, Term::Connective(op, p, q)) if *op == "Imp" => {
            std::mem::swap(p, q);
            Some(OPERATOR)
        }
        (1, Term::Connective(op, ..) | Term::Unary(op, ..) | Term::Binary(op, ..)) => {
            *op = dual(op)?;
            Some(OPERATOR)
        }
        (2, Term::Unary(_, window, _) | Term::Binary(_, window, ..)) => {
            shift(window, random)?;
            Some("bound off by one")
        }
        (3, term) => {
            *term = match term {
                Term::Not(p) | Term::Unary(_, _, p) => *p.clone(),
                Term::Connective(_, p, q) | Term::Binary(_, _, p, q) => *random.pick(&[&*p, &*q]).clone(),
                Term::Constant(_) | Term::Var(_) => return None,
            };
            Some("operand dropped")
        }
        _ => None,
    }
}

fn shift(window: &mut Window, random: &mut Random) -> Option<()> {
    let number = match (random.below(2), &mut window.high) {
        (0, Some(high)) => high,
        _ => &mut window.low,
    };
    let (Number::Constant(value) | Number::Plus(value) | Number::Sum(value, _)) = number;
    *value = if random.below(2) == 0 { *value + 1 } else { value.checked_sub(1)? };
    Some(())
}

/// Asks Coq and the automata about a mutant.
fn decide(index: usize, mutant: &Mutant) -> Result<Verdict> {
    let (is_proved, differs) = (is_proved(index, mutant)?, differs(mutant)?);
    match (is_proved, differs) {
        (true, true) => {
            problem(format!("Coq proves a {} formula of {} that is wrong", mutant.kind, mutant.original.key))
        }
        (true, false) => Ok(Verdict::Equal),
        (false, true) => Ok(Verdict::Rejected),
        (false, false) => Ok(Verdict::Undecided),
    }
}

/// Whether the checker that every theorem rests on accepts the mutant, within ten seconds.
fn is_proved(index: usize, mutant: &Mutant) -> Result<bool> {
    let Printed { kind, template, .. } = &mutant.original;
    let text = format!(
        "From Coq Require Import List.\nFrom Shall Require Import Definitions Past Future Templates.\nImport ListNotations.\n\
         Goal True. first [timeout 10 (let answer := eval vm_compute in (checked {} {} {template} {}) in idtac answer) \
         | idtac \"false\"]. exact I. Qed.\n",
        kind.ended, kind.composed, mutant.cases
    );
    let source = Source { name: format!("Mutant_{index}"), text };
    // Mutants are decided anew in every run that changes the checker, so that nothing is remembered about an old one.
    match source.compile(&BTreeSet::from(["Templates".to_string()]))? {
        (Answer::Accepted(output), _) => match output.trim().trim_matches('"') {
            "true" => Ok(true),
            "false" => Ok(false),
            other => problem(format!("Coq answers `{other}`")),
        },
        (Answer::Rejected(_, message), _) => problem(message),
    }
}

/// Whether the mutant differs from the definition with one of the first durations of its case.
fn differs(mutant: &Mutant) -> Result<bool> {
    let (number, term) = &mutant.cases.0[mutant.case];
    let durations = match *number {
        Number::Constant(steps) | Number::Sum(steps, _) => vec![(steps, 0)],
        Number::Plus(from) => (0..3).map(|m| (from + m, m)).collect(),
    };
    let mut known = Definitions::default();
    let mut store = Store::default();
    for (steps, m) in durations {
        let all = templates(&mut store, steps);
        let key = &mutant.original.key;
        let Some(template) = all.iter().find(|it| it.key().to_string() == *key) else {
            return problem(format!("there is no template {key}"));
        };
        let definition = known.automata(&mut store, &definitions::sentence(template), true).about(key)?;
        let formula = term.formula(&mut store, m);
        let (_, _, reading) = meanings(&mut store, template)
            .into_iter()
            .find(|(name, ..)| *name == mutant.original.kind.meaning)
            .ok_or("there is no such formula")
            .or_fail()?;
        if definition.difference(&mut store, formula, reading).about(key)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every subterm can be changed, and a change is in one place.
    #[test]
    fn subterms_are_numbered_from_the_root() {
        let var = |name: &str| Box::new(Term::Var(name.to_string()));
        let window = Window { low: Number::Constant(0), high: None };
        let term = Term::Connective(
            "And",
            Box::new(Term::Not(var("A"))),
            Box::new(Term::Unary("O_", window, var("B"))),
        );
        let shown: Vec<String> = (0..=term.size())
            .map(|position| at(&mut term.clone(), position).map_or("none".into(), |it| it.to_string()))
            .collect();
        let expected = [
            "(And (Not (Var A)) (O_ (Bound (K 0) None) (Var B)))",
            "(Not (Var A))",
            "(Var A)",
            "(O_ (Bound (K 0) None) (Var B))",
            "(Var B)",
            "none",
        ];
        assert_eq!(shown, expected);
    }
}
