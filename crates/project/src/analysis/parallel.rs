//! The same function on many things, on all cores; the answers are in the order of the questions.

use std::num::NonZero;

/// Fewer things than this are not worth a thread.
const WORTHWHILE: usize = 64;

/// What `f` says of each item.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    if items.len() < WORTHWHILE || cores < 2 {
        return items.iter().map(f).collect();
    }
    let size = items.len().div_ceil(cores);
    std::thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(size)
            .map(|part| {
                let f = &f;
                scope.spawn(move || part.iter().map(f).collect::<Vec<R>>())
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
