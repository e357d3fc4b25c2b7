//! Jobs on all cores.

use crate::failure::Result;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The results of all jobs, in no particular order; fails if one fails. The first jobs start first.
pub(crate) fn run<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> Result<R> + Sync) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut results = Vec::new();
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            results.push(work(job)?);
        }
        Ok(results)
    };
    let results: Result<Vec<Vec<R>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a job does not panic")).collect()
    });
    Ok(results?.into_iter().flatten().collect())
}
