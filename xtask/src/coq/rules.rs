//! The rules of simplification and the identities of the constructors as theorems.
//!
//! Small formulas are enumerated, with bounds that contain the variable. Where a constructor or a rule of `logic::RULES` changes one,
//! the formulas before and after are an instance, and of each kind of instance the smallest is proved, with any formulas in the place
//! of its propositions.

use crate::coq::EXCLUDED_MIDDLE;
use crate::coq::compile::{Answer, Source};
use crate::coq::terms::{Number, Sample, Term, Window, shape};
use crate::failure::{Result, ensure, problem};
use logic::{RULES, Store};
use std::collections::{BTreeMap, BTreeSet};

/// Values of the variable for which an instance is generated.
const VALUES: [u64; 4] = [0, 1, 2, 9];

/// How many kinds of instances of one rule are proved.
const KINDS: usize = 24;

/// A rule or a constructor, and a formula before and after.
struct Instance {
    rule: String,
    before: Term,
    after: Term,
}

/// Proves instances of every rule and every constructor; prints how many, and those that are not proved. Returns the number of these.
pub(crate) fn prove(changed: &BTreeSet<String>) -> Result<usize> {
    let instances = instances()?;
    let answers = output(trial(&instances).compile(changed)?.0)?;
    let answers: Vec<bool> = answers.lines().filter_map(|line| answer(line.trim())).collect();
    ensure(answers.len() == instances.len(), "Coq does not answer all questions about rules")?;
    let proved: Vec<&Instance> =
        instances.iter().zip(&answers).filter(|(_, is_equal)| **is_equal).map(|(it, _)| it).collect();
    let axioms = output(theorems(&proved).compile(changed)?.0)?;
    ensure(axioms.trim() == EXCLUDED_MIDDLE, format!("rules rest on other axioms:\n{axioms}"))?;
    let mut rules: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (instance, is_equal) in instances.iter().zip(&answers) {
        let (all, proved) = rules.entry(&instance.rule).or_default();
        *all += 1;
        *proved += usize::from(*is_equal);
    }
    println!("{:<40} {:>10} {:>10}", "rule or constructor", "instances", "proved");
    for (rule, (all, proved)) in &rules {
        println!("{rule:<40} {all:>10} {proved:>10}");
    }
    for (Instance { rule, before, after }, _) in instances.iter().zip(&answers).filter(|(_, it)| !**it) {
        println!("NOT PROVED, {rule}: {before} is {after}");
    }
    println!("{} of {} instances of rules and constructors are proved", proved.len(), instances.len());
    Ok(instances.len() - proved.len())
}

fn output(answer: Answer) -> Result<String> {
    match answer {
        Answer::Accepted(output) => Ok(output),
        Answer::Rejected(_, message) => problem(message),
    }
}

/// The answer of Coq to one question.
fn answer(line: &str) -> Option<bool> {
    match line {
        "= true" => Some(true),
        "= false" => Some(false),
        _ => None,
    }
}

const IMPORTS: &str = "From Shall Require Import Definitions Ways Rules Substitution.\n";

/// Asks the checker about every instance.
fn trial(instances: &[Instance]) -> Source {
    let question = |it: &Instance| format!("Eval vm_compute in (equal_rule {} {}).\n", it.before, it.after);
    let questions: String = instances.iter().map(question).collect();
    Source { name: "Trial_rules".to_string(), text: format!("{IMPORTS}{questions}") }
}

/// The instances to which the checker said yes, as theorems.
fn theorems(instances: &[&Instance]) -> Source {
    let mut text = IMPORTS.to_string();
    for (index, Instance { before, after, .. }) in instances.iter().enumerate() {
        text.push_str(&format!(
            "Theorem rule_{index} : forall s, equiv (substitute s {before}) (substitute s {after}). \
             Proof. intros s. apply equiv_substitute. apply equal_rule_sound. vm_cast_no_check (eq_refl true). Qed.\n"
        ));
    }
    let all =
        (1..instances.len()).fold("rule_0".to_string(), |all, index| format!("(conj rule_{index} {all})"));
    text.push_str(&format!("Definition all_of_them := {all}.\nPrint Assumptions all_of_them.\n"));
    Source { name: "Printed_rules".to_string(), text }
}

/// The instances of all rules and constructors, at most [`KINDS`] kinds of each, the smallest of each kind.
fn instances() -> Result<Vec<Instance>> {
    let mut store = Store::default();
    let mut found: BTreeMap<String, BTreeMap<(usize, String), Instance>> = BTreeMap::new();
    let mut add = |rule: String, before: Term, after: Term| {
        let kind = (before.size(), format!("{} {}", skeleton(&before), skeleton(&after)));
        found.entry(rule.clone()).or_default().entry(kind).or_insert(Instance { rule, before, after });
    };
    for recipe in recipes() {
        let built: Vec<Sample> = VALUES.map(|m| (m, recipe.formula(&mut store, m))).to_vec();
        let Some(before) = shape(&store, 0, &built) else { continue };
        if before != recipe {
            add(format!("constructor {}", operator(&recipe)), recipe, before);
            continue;
        }
        for rule in RULES {
            let after: Option<Vec<Sample>> =
                built.iter().map(|&(m, f)| Some((m, rule.apply(&mut store, f)?))).collect();
            if let Some(after) = after.and_then(|samples| shape(&store, 0, &samples)) {
                add(format!("rule `{}`", rule.name), before.clone(), after);
            }
        }
    }
    // Comparisons are not formulas of the proofs.
    for rule in RULES.iter().filter(|rule| rule.name != "negated relation") {
        if !found.contains_key(&format!("rule `{}`", rule.name)) {
            return problem(format!("no formula is an instance of the rule `{}`", rule.name));
        }
    }
    Ok(found.into_values().flat_map(|kinds| kinds.into_values().take(KINDS)).collect())
}

/// The operators of a term without its propositions.
fn skeleton(term: &Term) -> String {
    match term {
        Term::Constant(_) | Term::Var(_) => ".".to_string(),
        Term::Not(p) => format!("!{}", skeleton(p)),
        Term::Connective(op, p, q) => format!("({op} {} {})", skeleton(p), skeleton(q)),
        Term::Unary(op, _, p) => format!("({op} {})", skeleton(p)),
        Term::Binary(op, _, p, q) => format!("({op} {} {})", skeleton(p), skeleton(q)),
    }
}

fn operator(term: &Term) -> &'static str {
    match term {
        Term::Constant(_) | Term::Var(_) => "of atoms",
        Term::Not(_) => "Not",
        Term::Connective(op, ..) | Term::Unary(op, ..) | Term::Binary(op, ..) => op,
    }
}

const ALL: Window = Window { low: Number::Constant(0), high: None };
const NEXT: Window = Window { low: Number::Constant(1), high: Some(Number::Constant(1)) };
const WINDOWS: [Window; 5] = [
    ALL,
    NEXT,
    Window { low: Number::Constant(0), high: Some(Number::Plus(2)) },
    Window { low: Number::Plus(1), high: Some(Number::Plus(1)) },
    Window { low: Number::Constant(1), high: None },
];
const UNARY: [&str; 4] = ["F_", "G_", "O_", "H_"];
const BINARY: [&str; 4] = ["U_", "R_", "S_", "T_"];

fn var(name: &str) -> Term {
    Term::Var(name.to_string())
}

fn not(p: &Term) -> Term {
    Term::Not(Box::new(p.clone()))
}

fn connective(op: &'static str, p: &Term, q: &Term) -> Term {
    Term::Connective(op, Box::new(p.clone()), Box::new(q.clone()))
}

fn unary(op: &'static str, window: Window, p: &Term) -> Term {
    Term::Unary(op, window, Box::new(p.clone()))
}

fn binary(op: &'static str, window: Window, p: &Term, q: &Term) -> Term {
    Term::Binary(op, window, Box::new(p.clone()), Box::new(q.clone()))
}

/// The formulas that are looked at.
fn recipes() -> Vec<Term> {
    let atoms = [var("MODE"), var("COND"), var("STOP")];
    let [a, b, c] = &atoms;
    let (top, bottom) = (Term::Constant(true), Term::Constant(false));
    let mut small: Vec<Term> = atoms.to_vec();
    small.extend([top.clone(), bottom.clone(), not(a), not(b), not(c)]);
    for op in ["And", "Or", "Imp", "Iff", "Xor"] {
        small.extend([connective(op, a, b), connective(op, a, c), connective(op, b, c)]);
    }
    small.extend([connective("And", a, &not(b)), connective("Or", a, &not(b))]);
    for op in UNARY {
        for window in WINDOWS {
            small.extend([a, b, &not(a), &top, &bottom].map(|p| unary(op, window, p)));
        }
    }
    for op in BINARY {
        for window in [WINDOWS[0], WINDOWS[2]] {
            small.extend([(a, b), (a, c), (c, b)].map(|(p, q)| binary(op, window, p, q)));
        }
    }
    let mut all = small.clone();
    for p in &small {
        all.push(not(p));
        for q in &small {
            for op in ["And", "Or"] {
                let junction = connective(op, p, q);
                all.extend([not(&junction), connective(op, c, &junction), junction]);
            }
            for op in ["Imp", "Iff", "Xor"] {
                all.extend([connective(op, p, q), not(&connective(op, p, q))]);
            }
            for op in BINARY {
                for window in [WINDOWS[0], WINDOWS[2]] {
                    all.extend([binary(op, window, p, q), not(&binary(op, window, p, q))]);
                }
            }
        }
        for op in UNARY {
            for window in WINDOWS {
                all.push(unary(op, window, p));
                let junctions = ["And", "Or"].map(|junction| unary(op, window, &connective(junction, a, p)));
                all.extend(junctions);
                all.extend(UNARY.map(|outer| unary(outer, ALL, &unary(op, window, p))));
            }
        }
        for op in BINARY {
            all.extend(["And", "Or"].map(|junction| binary(op, ALL, a, &connective(junction, a, p))));
        }
    }
    // One step of a way, and the way from there.
    for (op, step) in [("U_", "F_"), ("R_", "G_"), ("S_", "O_"), ("T_", "H_")] {
        let ahead = unary(step, NEXT, &binary(op, ALL, a, b));
        for (inner, outer) in [("And", "Or"), ("Or", "And")] {
            all.push(connective(outer, b, &connective(inner, a, &ahead)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rule but the one about comparisons has an instance, an instance changes something, and kinds are not repeated.
    #[test]
    fn every_rule_has_instances() {
        let instances = instances().expect("instances of all rules");
        let mut kinds = BTreeSet::new();
        for Instance { rule, before, after } in &instances {
            assert_ne!(before, after, "{rule}");
            assert!(
                kinds.insert((rule, before.size(), skeleton(before), skeleton(after))),
                "{rule}: {before} {after}"
            );
        }
        assert!(instances.len() > 800, "{}", instances.len());
    }

    #[test]
    fn answers_of_coq_are_read() {
        let answers: Vec<Option<bool>> = ["= true", "= false", ": bool", ""].map(answer).to_vec();
        assert_eq!(answers, [Some(true), Some(false), None, None]);
    }
}
