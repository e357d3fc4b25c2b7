//! Shows that the proofs can fail: each formula is changed in one place, and either a shortest trace tells it from the definition and is
//! replayed, or it is shown to be equal in spite of the change.

use crate::definition::{Definitions, Difference, Reading, meanings};
use crate::failure::{OrFail, Result, problem};
use logic::symbolic::Asked;
use logic::{Bound, Formula, Id, Node, Store, Trace, Value, holds_at};
use requirement::oracle::judge;
use requirement::template::{ATOMS, templates};
use requirement::{LAST, Requirement, definitions};
use std::collections::BTreeMap;

/// The outcomes of the mutants of one kind.
#[derive(Default)]
struct Tally {
    different: usize,
    replayed: usize,
    equal: usize,
    longest: usize,
}

/// Mutates the past and future formulas of all templates and decides every mutant; prints a table.
pub(crate) fn run() -> Result {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let mut store = Store::default();
    let mut known = Definitions::default();
    for template in templates(&mut store, 2) {
        let key = template.key();
        let sentence = definitions::sentence(&template);
        let definition = known.automata(&mut store, &sentence, true).about(key)?;
        for (_, formula, reading) in meanings(&mut store, &template) {
            let formula = formula.about(key)?;
            for (kind, mutant) in mutants(&mut store, formula) {
                let found = definition.difference(&mut store, mutant, reading).about(key)?;
                let tally = tallies.entry(kind).or_default();
                match found {
                    None => tally.equal += 1,
                    Some(found) => {
                        let shown = replay(&store, &template, mutant, reading, &found).about(key)?;
                        tally.replayed += usize::from(shown);
                        tally.different += 1;
                        tally.longest = tally.longest.max(found.letters.len());
                    }
                }
            }
        }
    }
    report(&tallies);
    Ok(())
}

fn report(tallies: &BTreeMap<&'static str, Tally>) {
    println!(
        "{:<24} {:>8} {:>10} {:>9} {:>7} {:>14}",
        "mutation", "mutants", "different", "replayed", "equal", "longest trace"
    );
    let row = |kind: &str, tally: &Tally| {
        let Tally { different, replayed, equal, longest } = tally;
        println!(
            "{kind:<24} {:>8} {different:>10} {replayed:>9} {equal:>7} {longest:>14}",
            different + equal
        );
    };
    let mut all = Tally::default();
    for (kind, tally) in tallies {
        row(kind, tally);
        all.different += tally.different;
        all.replayed += tally.replayed;
        all.equal += tally.equal;
        all.longest = all.longest.max(tally.longest);
    }
    row("all", &all);
    println!("every mutant is decided; the differences that are not replayed show only after LAST");
}

/// Whether the trace shows that the mutant and the oracle disagree. It must, unless the mutant may differ only
/// after LAST, which a finite trace does not show.
fn replay(
    store: &Store,
    template: &Requirement,
    mutant: Formula,
    reading: Reading,
    Difference { letters: word, loop_start }: &Difference,
) -> Result<bool> {
    let mut trace = Trace::new(word.len(), *loop_start).or_fail()?;
    for (atom, name) in ATOMS.iter().enumerate() {
        let column = word.iter().map(|letter| Value::Bool(letter[atom])).collect();
        trace = trace.with(name, column).or_fail()?;
    }
    let marks = (0..word.len()).map(|position| Value::Bool(position + 1 == word.len())).collect();
    trace = trace.with(LAST, marks).or_fail()?;
    let expected = judge(store, template, &trace).or_fail()?.holds();
    let position = if reading == Reading::Finite(Asked::AtEnd) { word.len() - 1 } else { 0 };
    let holds = holds_at(store, mutant, &trace, position).or_fail()?;
    match (holds != expected, reading) {
        (shown, Reading::Finite(Asked::AtStartOf(_))) => Ok(shown),
        (true, Reading::Finite(Asked::AtEnd | Asked::AtStart) | Reading::Endless) => Ok(true),
        (false, Reading::Finite(Asked::AtEnd | Asked::AtStart) | Reading::Endless) => {
            problem(format!("the trace {word:?} does not tell the mutant from the definition"))
        }
    }
}

/// All formulas that differ from this one in one place, with the kind of the change.
fn mutants(store: &mut Store, formula: Formula) -> Vec<(&'static str, Formula)> {
    let mut mutants = Vec::new();
    for id in store.reachable([formula.id()]) {
        for (kind, replacement) in changes(store, id) {
            let mutant = store.map(formula.id(), |_, at| (at == id).then_some(replacement));
            if let Some(mutant) = store.as_formula(mutant).filter(|&mutant| mutant != formula) {
                mutants.push((kind, mutant));
            }
        }
    }
    mutants
}

/// The changes of a node, with their kinds.
fn changes(s: &mut Store, id: Id) -> Vec<(&'static str, Id)> {
    let Some(f) = s.as_formula(id) else { return Vec::new() };
    let mut changes = vec![("negated", s.not(f))];
    match s.node(id).clone() {
        Node::And(list) => {
            changes.push(("operator swapped", s.or(list.iter().copied())));
            changes.extend((0..list.len()).map(|k| ("operand dropped", s.and(without(&list, k)))));
        }
        Node::Or(list) => {
            changes.push(("operator swapped", s.and(list.iter().copied())));
            changes.extend((0..list.len()).map(|k| ("operand dropped", s.or(without(&list, k)))));
        }
        Node::Implies(a, b) => {
            changes.extend([
                ("operator swapped", s.implies(b, a)),
                ("operator swapped", s.iff(a, b)),
                ("operand dropped", b),
            ]);
        }
        Node::Unary(op, bound, a) => {
            changes.extend([("operator swapped", s.unary(op.dual(), bound, a)), ("operand dropped", a)]);
            changes
                .extend(shifted(bound).into_iter().map(|bound| ("bound off by one", s.unary(op, bound, a))));
        }
        Node::Binary(op, bound, a, b) => {
            changes.extend([("operator swapped", s.binary(op.dual(), bound, a, b)), ("operand dropped", b)]);
            let never = s.bottom();
            let always = s.top();
            // The left operand of release and triggered is where an interval ends.
            changes.extend([
                ("scope end forgotten", s.binary(op, bound, never, b)),
                ("scope end forgotten", s.binary(op, bound, always, b)),
            ]);
        }
        _ => {}
    }
    changes.into_iter().map(|(kind, formula)| (kind, formula.id())).collect()
}

fn without(list: &[Formula], k: usize) -> Vec<Formula> {
    list.iter().enumerate().filter(|(index, _)| *index != k).map(|(_, &f)| f).collect()
}

/// The bounds with one end moved by one step.
fn shifted(Bound { lo, hi }: Bound) -> Vec<Bound> {
    let mut bounds = vec![Bound { lo: lo + 1, hi }];
    bounds.extend(lo.checked_sub(1).map(|lo| Bound { lo, hi }));
    if let Some(hi) = hi {
        bounds.push(Bound { lo, hi: Some(hi + 1) });
        bounds.extend(hi.checked_sub(1).map(|hi| Bound { lo, hi: Some(hi) }));
    }
    bounds
}
