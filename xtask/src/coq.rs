//! Proofs for every duration, checked by Coq.
//!
//! `proofs/` holds the definitions and the proofs about formulas as the generators compose them. This command adds the formulas that
//! the generators print: one theorem for each template and each kind of formula, with the duration as a variable. Coq checks all of
//! it, and the command prints a table of what is proved, and the axioms that the proofs rest on.

mod bounds;
mod compile;
mod mutants;
mod predicates;
mod rules;
mod terms;
mod theorems;

use crate::failure::{Result, ensure, problem};
use crate::parallel;
use compile::{Answer, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use theorems::{KINDS, LINES_BEFORE, Printed};

pub(crate) use mutants::run as mutate;

/// The only axiom that proofs may rest on.
const EXCLUDED_MIDDLE: &str = "Axioms:\nClassical_Prop.classic : forall P : Prop, P \\/ ~ P";

/// Words that would leave something unproved.
const FORBIDDEN: [&str; 6] = ["Admitted", "admit.", "Axiom", "Parameter", "Conjecture", "bypass_check"];

/// One of how many files about predicates a sample has: they take most of the time.
const SAMPLE: usize = 5;

/// Proves everything, or all but most of the theorems about predicates, and prints the table.
pub(crate) fn run(is_sample: bool) -> Result {
    let start = Instant::now();
    let changed = compile_sources()?;
    let templates = theorems::printed()?;
    let mut predicates = predicates::printed()?;
    if is_sample {
        let files: BTreeSet<String> = predicates.iter().map(|it| it.file.clone()).collect();
        let files: BTreeSet<String> = files.into_iter().step_by(SAMPLE).collect();
        predicates.retain(|it| files.contains(&it.file));
    }
    let mut files: BTreeMap<&str, Vec<&Printed>> = BTreeMap::new();
    for theorem in templates.iter().chain(&predicates) {
        files.entry(&theorem.file).or_default().push(theorem);
    }
    let files: Vec<(&str, Vec<&Printed>)> = files.into_iter().collect();
    let proved: BTreeSet<(&str, &str)> =
        parallel::run(&files, |(name, theorems)| prove(name, theorems, &changed))?
            .into_iter()
            .flatten()
            .collect();
    report(&templates, &proved);
    report_predicates(&predicates, &proved);
    let unproved_rules = rules::prove(&changed)?;
    bounds::prove(&changed)?;
    check_axioms(&changed)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("on {} cores in {seconds:.0} s; the only axiom is the excluded middle", parallel::cores());
    let missing = templates.len() + predicates.len() - proved.len();
    ensure(missing + unproved_rules == 0, format!("{} theorems are not proved", missing + unproved_rules))
}

/// Compiles the files of `proofs`; returns the names of those that were not up to date.
fn compile_sources() -> Result<BTreeSet<String>> {
    compile::install()?;
    let mut changed = BTreeSet::new();
    for source in compile::sources()? {
        for word in FORBIDDEN {
            ensure(!source.text.contains(word), format!("proofs/{}.v contains `{word}`", source.name))?;
        }
        match source.compile(&changed)? {
            (Answer::Accepted(_), true) => {
                changed.insert(source.name);
            }
            (Answer::Accepted(_), false) => {}
            (Answer::Rejected(_, message), _) => return problem(message),
        }
    }
    Ok(changed)
}

/// The theorems of one file that Coq accepts, by key and kind. One that it rejects is left out, and the others are tried again.
fn prove<'a>(
    name: &str,
    theorems: &[&'a Printed],
    changed: &BTreeSet<String>,
) -> Result<Vec<(&'a str, &'static str)>> {
    let mut left = theorems.to_vec();
    while !left.is_empty() {
        let source = Source { name: name.to_string(), text: theorems::file(&left) };
        match source.compile(changed)? {
            (Answer::Accepted(output), _) => {
                let axioms = output.trim();
                ensure(axioms == EXCLUDED_MIDDLE, format!("{name} rests on other axioms:\n{axioms}"))?;
                return Ok(left
                    .into_iter()
                    .map(|theorem| (theorem.key.as_str(), theorem.kind.name))
                    .collect());
            }
            (Answer::Rejected(line, message), _) => {
                let index = line.checked_sub(LINES_BEFORE + 1).filter(|index| *index < left.len());
                let Some(index) = index else { return problem(message) };
                left.remove(index);
            }
        }
    }
    Ok(Vec::new())
}

fn report(printed: &[Printed], proved: &BTreeSet<(&str, &str)>) {
    let heads = KINDS.map(|kind| format!("{:>12}", kind.name)).concat();
    println!("{:<32}{heads}", "template, for every duration");
    for row in printed.chunks(KINDS.len()) {
        let cells = row.iter().map(|theorem| {
            let is_proved = proved.contains(&(theorem.key.as_str(), theorem.kind.name));
            format!("{:>12}", if is_proved { "proved" } else { "NOT PROVED" })
        });
        println!("{:<32}{}", row.first().map_or("", |it| &it.key), cells.collect::<String>());
    }
    let count = printed.iter().filter(|it| proved.contains(&(it.key.as_str(), it.kind.name))).count();
    println!("{count} of {} theorems about templates are proved", printed.len());
}

/// The number of scopes and timings in which each predicate is proved, and those in which it is not.
fn report_predicates(printed: &[Printed], proved: &BTreeSet<(&str, &str)>) {
    let mut rows: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    println!("{:<32}{:>12}{:>12}{:>12}", "predicate, for every duration", "formula", "theorems", "proved");
    for theorem in printed {
        let (template, predicate) = theorem.key.split_once(' ').unwrap_or((&theorem.key, ""));
        let (all, done) = rows.entry((predicate, theorem.kind.name)).or_default();
        *all += 1;
        if proved.contains(&(theorem.key.as_str(), theorem.kind.name)) {
            *done += 1;
        } else {
            println!("NOT PROVED: the {} formula of {template} with {predicate}", theorem.kind.name);
        }
    }
    for ((predicate, kind), (all, done)) in &rows {
        println!("{predicate:<32}{kind:>12}{all:>12}{done:>12}");
    }
    let done: usize = rows.values().map(|(_, done)| done).sum();
    println!("{done} of {} theorems about predicates are proved", printed.len());
}

/// The theorems that no printed theorem rests on: they have no other axioms either.
fn check_axioms(changed: &BTreeSet<String>) -> Result {
    const THEOREMS: [&str; 5] =
        ["monitor_is", "cells_are_bounded", "oldest_only", "stages_are_bits", "substitute_equal"];
    let prints: String = THEOREMS.map(|name| format!("Print Assumptions {name}.\n")).concat();
    let text = format!("From Shall Require Import Monitor Stages Substitution.\n{prints}");
    match (Source { name: "Axioms".to_string(), text }).compile(changed)? {
        (Answer::Accepted(output), _) => {
            let said = output.replace(EXCLUDED_MIDDLE, "").replace("Closed under the global context", "");
            ensure(said.trim().is_empty(), format!("{} rest on other axioms:\n{output}", THEOREMS.join(", ")))
        }
        (Answer::Rejected(_, message), _) => problem(message),
    }
}
