//! Conformance with public data, read from a folder: sentences with the fields that FRET gives them, traces
//! with the verdicts of its oracle, its projects, test vectors, temporal formulas, Lustre programs with counterexamples and verdicts, contracts with their realizability, Simulink models; and, independent of any data, all meanings on all traces up to length 4.

mod dfrs;
pub(crate) mod exchange;
pub(crate) mod lustre;
pub(crate) mod model_information;
pub(crate) mod mutants;
pub(crate) mod realizability;
mod sentences;
pub(crate) mod simulink;
pub(crate) mod simulink_replay;
mod simulink_runs;
pub(crate) mod suites;
mod vectors;
pub(crate) mod verdicts;

use crate::failure::{Result, problem};
use crate::{files, parallel};
use logic::Store;
use requirement::agreement;
use requirement::template::templates;
use std::path::Path;

/// Runs all checks; fails if one does.
pub(crate) fn run(folder: &Path) -> Result {
    let read = |name: &str| files::text(&folder.join("fretish").join(name));
    sentences::check(&read("sentences.tsv")?)?;
    vectors::check(&read("oracle_vectors.tsv")?)?;
    exchange::check(folder)?;
    dfrs::check(folder)?;
    lustre::check(folder)?;
    simulink::check(folder)?;
    model_information::check(folder)?;
    simulink_runs::check(folder)?;
    verdicts::check(folder, false)?;
    realizability::check(folder, false)?;
    suites::check(folder)?;
    simulink_replay::check(folder)?;
    mutants::check(folder)?;
    crate::timelines::check(folder)?;
    crate::timelines::counters(Some(folder), 6)?;
    all_traces(4)
}

/// Oracle, past and both finite future formulas on all finite traces, and the infinite one on all lassos, up to a length.
fn all_traces(longest: usize) -> Result {
    let timed = |steps: u64, index: usize| {
        steps == 0 || templates(&mut Store::default(), 0)[index].timing.steps().is_some()
    };
    let jobs: Vec<(u64, usize)> = (0..=3)
        .flat_map(|steps| (0..264).map(move |index| (steps, index)))
        .filter(|&(n, k)| timed(n, k))
        .collect();
    let counts = parallel::run(&jobs, |&(steps, index)| traces_of(steps, index, longest))?;
    let sum = |(a, b): (u64, u64), (finite, infinite)| (a + finite, b + infinite);
    let (finite, infinite) = counts.into_iter().fold((0, 0), sum);
    println!(
        "all meanings agree on {finite} finite traces and {infinite} lassos up to length {longest}, over all templates, n = 0..3"
    );
    Ok(())
}

/// The numbers of finite traces and lassos that were compared for one template.
fn traces_of(steps: u64, index: usize, longest: usize) -> Result<(u64, u64)> {
    let mut store = Store::default();
    let requirement = templates(&mut store, steps).swap_remove(index);
    let disagree = |found: Box<agreement::Disagreement>| {
        problem(format!("{} with n = {steps}: {found:?}", requirement.key()))
    };
    let (mut finite, mut infinite) = (0, 0);
    for length in 1..=longest {
        finite += agreement::finite(&mut store, &requirement, length).or_else(disagree)?;
        for loop_start in 0..length {
            infinite +=
                agreement::infinite(&mut store, &requirement, length, loop_start).or_else(disagree)?;
        }
    }
    Ok((finite, infinite))
}
