//! Conformance with public data, read from where it lies: sentences with the fields that FRET gives them, traces
//! with the verdicts of its oracle, its projects, test vectors, temporal formulas, Lustre programs with counterexamples and verdicts, Simulink models; and, independent of any data, all meanings on all traces up to length 4.

mod dfrs;
mod exchange;
pub(crate) mod lustre;
pub(crate) mod model_information;
pub(crate) mod mutants;
mod sentences;
pub(crate) mod simulink;
pub(crate) mod simulink_replay;
mod simulink_runs;
mod vectors;
pub(crate) mod verdicts;

use logic::Store;
use requirement::agreement;
use requirement::template::templates;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs all checks; fails if one does.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let read = |name: &str| {
        let path = folder.join("fretish").join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    sentences::check(&read("sentences.tsv")?)?;
    vectors::check(&read("oracle_vectors.tsv")?)?;
    exchange::check(folder)?;
    dfrs::check(folder)?;
    lustre::check(folder)?;
    simulink::check(folder)?;
    model_information::check(folder)?;
    simulink_runs::check(folder)?;
    verdicts::check(folder, false)?;
    simulink_replay::check(folder)?;
    mutants::check(folder)?;
    crate::timelines::check(folder)?;
    crate::timelines::counters(Some(folder), 6)?;
    all_traces(4)
}

/// Oracle, past and both finite future formulas on all finite traces, and the infinite one on all lassos, up to a length.
fn all_traces(longest: usize) -> Result<(), String> {
    let timed = |steps: u64, index: usize| {
        steps == 0 || templates(&mut Store::default(), 0)[index].timing.steps().is_some()
    };
    let jobs: Vec<(u64, usize)> = (0..=3)
        .flat_map(|steps| (0..264).map(move |index| (steps, index)))
        .filter(|&(n, k)| timed(n, k))
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut counts = (0, 0);
        while let Some(&(steps, index)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (finite, infinite) = traces_of(steps, index, longest)?;
            counts = (counts.0 + finite, counts.1 + infinite);
        }
        Ok::<(u64, u64), String>(counts)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (finite, infinite) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let mut finished = workers.into_iter().map(|worker| worker.join().expect("a check does not panic"));
        finished.try_fold((0, 0), |sum, counts| {
            counts.map(|(finite, infinite)| (sum.0 + finite, sum.1 + infinite))
        })
    })?;
    println!(
        "all meanings agree on {finite} finite traces and {infinite} lassos up to length {longest}, over all templates, n = 0..3"
    );
    Ok(())
}

/// How many finite traces and lassos were compared for one template.
fn traces_of(steps: u64, index: usize, longest: usize) -> Result<(u64, u64), String> {
    let mut store = Store::default();
    let requirement = templates(&mut store, steps).swap_remove(index);
    let disagree =
        |found: Box<agreement::Disagreement>| format!("{} with n = {steps}: {found:?}", requirement.key());
    let (mut finite, mut infinite) = (0, 0);
    for length in 1..=longest {
        finite += agreement::finite(&mut store, &requirement, length).map_err(disagree)?;
        for loop_start in 0..length {
            infinite +=
                agreement::infinite(&mut store, &requirement, length, loop_start).map_err(disagree)?;
        }
    }
    Ok((finite, infinite))
}
