//! Shows that the proofs can fail: each formula is changed in one place, and either a shortest trace tells it from the definition and is
//! replayed, or it is shown to be equal in spite of the change.

use crate::definition::{Definitions, Difference, Reading, meanings};
use crate::failure::{OrFail, Result, problem};
use logic::mutate::mutants;
use logic::symbolic::Asked;
use logic::{Formula, Store, Trace, Value, holds_at};
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
                let tally = tallies.entry(kind.name()).or_default();
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
