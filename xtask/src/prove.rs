//! All meanings of all templates are equal, for traces of every length and for infinite ones: the past formula, both finite future
//! formulas and the infinite one against automata made from the first-order definitions.

use crate::definition::{Definitions, Difference, LONGEST_ENDLESS, Reading, meanings};
use crate::failure::{OrFail, Result, ensure, problem};
use crate::parallel;
use logic::Store;
use logic::first_order::Fo;
use requirement::template::templates;
use requirement::{Condition, Predicate, Requirement, Timing, agreement, definitions};
use std::time::Instant;

/// What was proved about one template.
struct Proof {
    key: String,
    steps: u64,
    /// The states of the automaton for finite traces.
    states: usize,
    infinite: Infinite,
    /// The first meaning that differs, and where.
    difference: Option<(&'static str, Difference)>,
}

/// How the formula for infinite traces was compared with the definition.
enum Infinite {
    /// There is none, or the duration is too long.
    Not,
    /// By an automaton with this number of states.
    Proved(usize),
    /// The definition has no weak parts: the oracle agrees on all lassos up to this length.
    Tested(usize),
}

/// Where there is no proof for infinite traces, all lassos up to this length are tested.
const LONGEST_LASSO: usize = 3;

/// Proves all templates with durations up to `longest`; prints a table and a digest.
pub(crate) fn run(longest: u64) -> Result {
    let start = Instant::now();
    // The longest first, so that no core is left with it at the end.
    let durations: Vec<u64> = (0..=longest).rev().collect();
    let proofs = parallel::run(&durations, |steps| prove_all(*steps))?;
    let mut proofs: Vec<Proof> = proofs.into_iter().flatten().collect();
    proofs.sort_by(|a, b| (a.steps, &a.key).cmp(&(b.steps, &b.key)));
    report(&proofs)?;
    let (all, cores) = (proofs.len(), parallel::cores());
    println!("{all} proofs in {:.1} s on {cores} cores", start.elapsed().as_secs_f64());
    Ok(())
}

fn report(proofs: &[Proof]) -> Result {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    println!("{:<44} {:>3} {:>6} {:>8}  verdict", "template", "n", "states", "infinite");
    for Proof { key, steps, states, infinite, difference } in proofs {
        let verdict = match difference {
            None => "equal".to_string(),
            Some((meaning, Difference { letters, loop_start: None })) => {
                format!("the {meaning} formula differs on {letters:?}")
            }
            Some((meaning, Difference { letters, loop_start: Some(start) })) => {
                format!("the {meaning} formula differs on {letters:?}, repeated from {start} on")
            }
        };
        let infinite = match infinite {
            Infinite::Not => "-".to_string(),
            Infinite::Proved(states) => states.to_string(),
            Infinite::Tested(length) => format!("≤ {length}"),
        };
        let line = format!("{key:<44} {steps:>3} {states:>6} {infinite:>8}  {verdict}");
        println!("{line}");
        // FNV-1a, so that two runs can be compared at a glance.
        digest = line
            .bytes()
            .fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
    println!("digest {digest:016x}");
    let proved = proofs.iter().filter(|proof| matches!(proof.infinite, Infinite::Proved(_))).count();
    let tested = proofs.iter().filter(|proof| matches!(proof.infinite, Infinite::Tested(_))).count();
    println!(
        "for infinite traces {proved} proved, {tested} tested on all lassos up to length {LONGEST_LASSO}"
    );
    let differing = proofs.iter().filter(|proof| proof.difference.is_some()).count();
    ensure(differing == 0, format!("{differing} templates have meanings that differ"))
}

/// All templates with one duration, and all predicates with bounds up to it, in every scope.
fn prove_all(steps: u64) -> Result<Vec<Proof>> {
    let mut known = Definitions::default();
    let mut store = Store::default();
    let templates = templates(&mut store, steps);
    let mut proofs = Vec::new();
    for template in &templates {
        let sentence = definitions::sentence(template);
        proofs.push(prove(&mut store, &mut known, template.key().to_string(), template, &sentence, steps)?);
    }
    // For longer durations, bounds of predicates are not proved one by one.
    if steps <= 6 {
        for predicate in predicates(&mut store, steps) {
            for template in templates.iter().filter(|template| carries_predicates(template)) {
                proofs.push(prove_predicate(&mut store, &mut known, template, predicate, steps)?);
            }
        }
    }
    Ok(proofs)
}

/// The predicates about `res` and `stop` whose larger bound is this.
fn predicates(store: &mut Store, far: u64) -> Vec<Predicate> {
    let mut atom = |name: &str| {
        let symbol = store.symbol(name);
        store.var(symbol)
    };
    let (what, other) = (atom("res"), atom("stop"));
    let mut nears = vec![0, far.min(1), far];
    nears.dedup();
    let mut all: Vec<Predicate> = Vec::new();
    for near in nears {
        all.extend([Predicate::Persisted { near, far, what }, Predicate::Occurred { near, far, what }]);
        all.extend([Predicate::Persists { near, far, what }, Predicate::Occurs { near, far, what }]);
    }
    if far == 0 {
        let (event, then) = (what, other);
        all.extend([
            Predicate::PreviousOccurrence { event, then },
            Predicate::NextOccurrence { event, then },
        ]);
        all.extend([Predicate::Previously { initially: other, what }, Predicate::FirstPoint]);
    }
    all
}

/// Every scope, with timings that look at every point and at one.
pub(crate) fn carries_predicates(template: &Requirement) -> bool {
    let timing = matches!(template.timing, Timing::Always | Timing::Eventually | Timing::Immediately);
    timing && !matches!(template.condition, Condition::Holding(_))
}

fn prove_predicate(
    store: &mut Store,
    known: &mut Definitions,
    template: &Requirement,
    predicate: Predicate,
    steps: u64,
) -> Result<Proof> {
    let requirement =
        Requirement { response: store.hole(0), predicates: vec![predicate], ..template.clone() };
    let bounds = match predicate {
        Predicate::Persisted { near, far, .. }
        | Predicate::Occurred { near, far, .. }
        | Predicate::Persists { near, far, .. }
        | Predicate::Occurs { near, far, .. } => format!("({near},{far})"),
        Predicate::PreviousOccurrence { .. }
        | Predicate::NextOccurrence { .. }
        | Predicate::Previously { .. }
        | Predicate::PreviousValue { .. }
        | Predicate::FirstPoint => String::new(),
    };
    let key = format!("{} {}{bounds}", template.key(), predicate.name());
    let sentence = definitions::sentence_about(template, &predicate);
    prove(store, known, key, &requirement, &sentence, steps)
}

/// Every formula of a requirement says what the sentence says. A predicate has formulas of its own direction only.
fn prove(
    store: &mut Store,
    known: &mut Definitions,
    key: String,
    requirement: &Requirement,
    sentence: &Fo,
    steps: u64,
) -> Result<Proof> {
    let about = format!("{key} with n = {steps}");
    let definition = known.automata(store, sentence, steps <= LONGEST_ENDLESS).about(&about)?;
    let mut difference = None;
    let mut infinite = Infinite::Not;
    for (name, formula, reading) in meanings(store, requirement) {
        let Ok(formula) = formula else { continue };
        if reading == Reading::Endless && steps <= LONGEST_ENDLESS {
            infinite = match &definition.endless {
                Some(dfa) => Infinite::Proved(dfa.states()),
                None => test_lassos(store, requirement).about(&about)?,
            };
        }
        let found = definition.difference(store, formula, reading).about(&about)?;
        difference = difference.or(found.map(|found| (name, found)));
    }
    Ok(Proof { key, steps, states: definition.finite.states(), infinite, difference })
}

fn test_lassos(store: &mut Store, requirement: &Requirement) -> Result<Infinite> {
    for length in 1..=LONGEST_LASSO {
        for start in 0..length {
            if let Err(found) = agreement::infinite(store, requirement, length, start) {
                return problem(format!("the {} formula differs on {:?}", found.formula, found.trace));
            }
        }
    }
    Ok(Infinite::Tested(LONGEST_LASSO))
}
