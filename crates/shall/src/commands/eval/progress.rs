//! How far a long file has been read: a line on a terminal, after each second.

use std::cell::Cell;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time before the first line, and between lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Does the work, which tells the number of steps that it has read.
pub(super) fn told<T>(path: &Path, work: impl FnOnce(&dyn Fn(u64)) -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work(&|_| {});
    }
    let (last, shown) = (Cell::new(Instant::now()), Cell::new(false));
    let done = work(&|steps| {
        if last.get().elapsed() >= PAUSE {
            last.set(Instant::now());
            shown.set(true);
            write(&format!("{}: {steps} steps", path.display()));
        }
    });
    if shown.get() {
        write("");
    }
    done
}

/// Replaces the line.
fn write(line: &str) {
    let _ = write!(anstream::stderr(), "\r\x1b[K{}", crate::render::visible(line));
}
