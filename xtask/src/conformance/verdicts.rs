//! Engine verdicts beside those that Kind 2 gave: for every scope that it checked, our engines decide the same properties.
//!
//! A verdict that is the opposite of a recorded one is a failure, except for the Euler transformation, whose recorded counterexamples are
//! spurious (ours are replayed). With the time limits of the recorded runs (`slow`), an unknown verdict is also a failure where Kind 2 decided,
//! and where we are known to decide what Kind 2 does not.

use super::lustre::{File, programs, property_name, system};
use crate::failure::{OrFail, Result, no_problems};
use crate::files::{rows, text};
use engine::{Answer, Config, Verdict, verify};
use lustre::Callees;
use shall::solver::Driver;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Seconds for a scope, in a quick run and in a slow one.
const BUDGET: [u64; 2] = [10, 120];
/// Problems that a quick run skips, because no tool decides them.
const HARD: [&str; 4] = ["4_nlguide", "5_nn", "6_eb", "9_euler"];
/// Properties that Kind 2 leaves unknown, and how many of each group we must decide.
const BEYOND: [(&[&str], usize); 2] = [(&["FSM001v3"], 1), (&["REG001", "REG002", "REG004", "REG005"], 2)];

/// A recorded verdict and its seconds.
struct Recorded {
    verdict: String,
    seconds: f64,
}

/// What was found for one scope of one program.
struct Found {
    verdicts: Vec<(String, Verdict)>,
    seconds: f64,
}

/// Compares; prints a line for each scope.
pub(crate) fn check(folder: &Path, slow: bool) -> Result {
    let folder = folder.join("lustre/lmcps");
    let table = text(&folder.join("kind2_recorded.tsv"))?;
    let driver = Driver::named("z3").ok_or("there is no driver for z3").or_fail()?;
    let mut scopes: BTreeMap<(&str, &str), BTreeMap<String, Recorded>> = BTreeMap::new();
    for row in rows(&table) {
        let [problem, _, property, verdict, _, seconds, scope, ..] = row[..] else { continue };
        let recorded = Recorded { verdict: verdict.to_owned(), seconds: seconds.parse().unwrap_or_default() };
        if !scope.is_empty() && (slow || !HARD.contains(&problem)) {
            scopes.entry((problem, scope)).or_default().insert(property_name(property).to_owned(), recorded);
        }
    }
    let files = programs(&folder)?;
    let (mut wrong, mut open, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
    let (mut decided, mut ours, mut theirs) = (0, 0.0, 0.0);
    for ((problem, scope), recorded) in &scopes {
        let here =
            |it: &&File| it.problem == *problem && it.program.nodes().iter().any(|it| it.name == *scope);
        for file in files.iter().filter(here) {
            let found = decide(file, scope, recorded, &driver, BUDGET[usize::from(slow)])?;
            // A program that is one of several with the same scope has some of the recorded properties.
            let times = found.verdicts.iter().map(|it| recorded[&it.0].seconds);
            let slowest = times.fold(0.0, f64::max);
            (ours, theirs) = (ours + found.seconds, theirs + slowest);
            for (name, verdict) in &found.verdicts {
                let word = match verdict.answer {
                    Answer::Valid(_) => "valid",
                    Answer::Invalid(_) => "falsifiable",
                    Answer::Unknown(_) => "unknown",
                };
                let expected = recorded[name].verdict.as_str();
                let line = format!("{}: {name}: {word}, recorded {expected}", file.name);
                match (word, expected) {
                    (a, b) if a == b => {}
                    (_, "unknown") => beyond.push(name.clone()),
                    ("unknown", _) => open.push(line),
                    (_, _) if *problem == "9_euler" => {}
                    (_, _) => wrong.push(line),
                }
                decided += usize::from(word != "unknown");
            }
            let (seconds, name) = (found.seconds, &file.name);
            println!("{seconds:>8.2} s (Kind 2: {slowest:.2} s)  {name}  {}", short(scope));
        }
    }
    println!(
        "{decided} properties are decided in {ours:.1} s, {} of them beyond Kind 2 ({theirs:.1} s without its start); {} open that it decides",
        beyond.len(),
        open.len()
    );
    no_problems(wrong)?;
    if slow {
        open.retain(|line| !line.contains("euler"));
        for (names, least) in BEYOND {
            let count = beyond.iter().filter(|it| names.iter().any(|name| it.contains(name))).count();
            if count < least {
                open.push(format!("{count} of {names:?} are decided, not {least}"));
            }
        }
        no_problems(open)?;
    }
    Ok(())
}

fn decide(
    file: &File,
    scope: &str,
    recorded: &BTreeMap<String, Recorded>,
    driver: &Driver,
    budget: u64,
) -> Result<Found> {
    let begun = Instant::now();
    let system = system(file, scope, Callees::Inline)?;
    let known = |place: &usize| recorded.contains_key(&system.properties[*place].name);
    let places: Vec<usize> = (0..system.properties.len()).filter(known).collect();
    let left = || Duration::from_secs(budget).saturating_sub(begun.elapsed());
    let verdicts = verify(&system, &places, &Config::new(&left, driver));
    let named = verdicts.into_iter().map(|it| (system.properties[it.property].name.clone(), it)).collect();
    Ok(Found { verdicts: named, seconds: begun.elapsed().as_secs_f64() })
}

/// The end of a long name.
fn short(name: &str) -> &str {
    name.char_indices().rev().nth(39).map_or(name, |(at, _)| &name[at..])
}
