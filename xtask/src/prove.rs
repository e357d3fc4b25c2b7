//! All meanings of all templates are equal, for traces of every length: the past formula and both finite future formulas
//! against automata made from the first-order definitions.

use logic::automaton::{Dfa, TooManyStates, Track};
use logic::first_order::{Compiler, Fo};
use logic::symbolic::{Asked, Letter, Undecided, difference};
use logic::{Formula, Id, Store};
use requirement::template::{ATOMS, templates};
use requirement::{Condition, Ending, LAST, Predicate, Requirement, Timing, definitions, future, past};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What was proved about one template.
struct Proof {
    key: String,
    steps: u64,
    states: usize,
    /// The first meaning that differs, with a shortest trace.
    difference: Option<(&'static str, Vec<Letter>)>,
}

/// Proves all templates with durations up to `longest`; prints a table and a digest.
pub(crate) fn run(longest: u64) -> Result<(), String> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let mut proofs = Vec::new();
        loop {
            let steps = next.fetch_add(1, Ordering::Relaxed);
            if steps > longest {
                return Ok::<Vec<Proof>, String>(proofs);
            }
            // The longest first, so that no core is left with it at the end.
            proofs.extend(prove_all(longest - steps)?);
        }
    };
    let mut proofs: Vec<Proof> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let finished = workers.into_iter().map(|worker| worker.join().expect("a proof does not panic"));
        finished.collect::<Result<Vec<_>, String>>()
    })?
    .into_iter()
    .flatten()
    .collect();
    proofs.sort_by(|a, b| (a.steps, &a.key).cmp(&(b.steps, &b.key)));
    report(&proofs)?;
    let last = proofs.len();
    println!("{last} proofs in {:.1} s on {cores} cores", start.elapsed().as_secs_f64());
    Ok(())
}

fn report(proofs: &[Proof]) -> Result<(), String> {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    println!("{:<44} {:>3} {:>6}  verdict", "template", "n", "states");
    for Proof { key, steps, states, difference } in proofs {
        let verdict = match difference {
            None => "equal".to_string(),
            Some((meaning, word)) => format!("the {meaning} formula differs on {word:?}"),
        };
        let line = format!("{key:<44} {steps:>3} {states:>6}  {verdict}");
        println!("{line}");
        // FNV-1a, so that two runs can be compared at a glance.
        digest = line
            .bytes()
            .fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
    println!("digest {digest:016x}");
    match proofs.iter().filter(|proof| proof.difference.is_some()).count() {
        0 => Ok(()),
        differing => Err(format!("{differing} templates have meanings that differ")),
    }
}

/// All templates with one duration, and all predicates with bounds up to it, in every scope.
fn prove_all(steps: u64) -> Result<Vec<Proof>, String> {
    let mut compiler = Compiler::default();
    let mut store = Store::default();
    let templates = templates(&mut store, steps);
    let mut proofs = Vec::new();
    for template in &templates {
        proofs.push(prove(&mut store, &mut compiler, template, steps)?);
    }
    // Beyond this, bounds of predicates are not proved one by one.
    if steps <= 6 {
        for predicate in predicates(&mut store, steps) {
            for template in templates.iter().filter(|template| carries_predicates(template)) {
                proofs.push(prove_predicate(&mut store, &mut compiler, template, predicate, steps)?);
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
fn carries_predicates(template: &Requirement) -> bool {
    let timing = matches!(template.timing, Timing::Always | Timing::Eventually | Timing::Immediately);
    timing && !matches!(template.condition, Condition::Holding(_))
}

fn prove_predicate(
    store: &mut Store,
    compiler: &mut Compiler,
    template: &Requirement,
    predicate: Predicate,
    steps: u64,
) -> Result<Proof, String> {
    let requirement =
        Requirement { response: store.hole(0), predicates: vec![predicate], ..template.clone() };
    let bounds = match predicate {
        Predicate::Persisted { near, far, .. } | Predicate::Occurred { near, far, .. } => {
            format!("({near},{far})")
        }
        Predicate::Persists { near, far, .. } | Predicate::Occurs { near, far, .. } => {
            format!("({near},{far})")
        }
        Predicate::PreviousOccurrence { .. }
        | Predicate::NextOccurrence { .. }
        | Predicate::Previously { .. } => String::new(),
        Predicate::PreviousValue { .. } | Predicate::FirstPoint => String::new(),
    };
    let key = format!("{} {}{bounds}", template.key(), predicate.name());
    let failed = |error: &dyn std::fmt::Display| format!("{key}: {error}");
    let sentence = definitions::sentence_about(template, &predicate);
    let definition = Definition::of(store, compiler, &sentence).map_err(|error| failed(&error))?;
    let formulas = [
        ("past", past(store, &requirement), Asked::AtEnd),
        ("future (weak next)", future(store, &requirement, Ending::WeakNext), Asked::AtStart),
        ("future (LAST)", future(store, &requirement, Ending::Last), definition.marked),
    ];
    let mut found = None;
    for (name, formula, asked) in formulas {
        // A predicate has formulas of its own direction only.
        let Ok(formula) = formula else { continue };
        let differing = definition.difference(store, formula, asked).map_err(|error| failed(&error))?;
        found = found.or(differing.map(|word| (name, word)));
    }
    Ok(Proof { key, steps, states: definition.dfa.states(), difference: found })
}

fn prove(
    store: &mut Store,
    compiler: &mut Compiler,
    template: &Requirement,
    steps: u64,
) -> Result<Proof, String> {
    let key = template.key().to_string();
    let failed = |error: &dyn std::fmt::Display| format!("{key} with n = {steps}: {error}");
    let definition = Definition::new(store, compiler, template).map_err(|error| failed(&error))?;
    let refused = |refusal: requirement::Refusal| failed(&refusal);
    let formulas = [
        ("past", past(store, template).map_err(refused)?, Asked::AtEnd),
        ("future (weak next)", future(store, template, Ending::WeakNext).map_err(refused)?, Asked::AtStart),
        ("future (LAST)", future(store, template, Ending::Last).map_err(refused)?, definition.marked),
    ];
    let mut found = None;
    for (name, formula, asked) in formulas {
        let differing = definition.difference(store, formula, asked).map_err(|error| failed(&error))?;
        found = found.or(differing.map(|word| (name, word)));
    }
    Ok(Proof { key, steps, states: definition.dfa.states(), difference: found })
}

/// The automaton of a template's definition, which reads backwards, and its letters.
pub(crate) struct Definition {
    dfa: Dfa,
    atoms: Vec<(Track, Id)>,
    marked: Asked,
}

impl Definition {
    pub(crate) fn new(
        store: &mut Store,
        compiler: &mut Compiler,
        template: &Requirement,
    ) -> Result<Definition, TooManyStates> {
        Definition::of(store, compiler, &definitions::sentence(template))
    }

    fn of(store: &mut Store, compiler: &mut Compiler, sentence: &Fo) -> Result<Definition, TooManyStates> {
        let dfa = compiler.compile(sentence)?;
        let tracks = [definitions::MODE, definitions::COND, definitions::STOP, definitions::RES];
        let mut atom = |name: &str| {
            let symbol = store.symbol(name);
            store.var(symbol).id()
        };
        let atoms = tracks.into_iter().zip(ATOMS.map(&mut atom)).collect();
        let marked = Asked::AtStartOf(atom(LAST));
        Ok(Definition { dfa, atoms, marked })
    }

    /// How the formula with LAST is asked.
    pub(crate) fn marked(&self) -> Asked {
        self.marked
    }

    /// A shortest trace on which a formula differs from the definition.
    pub(crate) fn difference(
        &self,
        store: &mut Store,
        formula: Formula,
        asked: Asked,
    ) -> Result<Option<Vec<Letter>>, Undecided> {
        difference(store, formula, &self.dfa, &self.atoms, asked)
    }
}
