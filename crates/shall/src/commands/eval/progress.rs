//! How far long traces have been read: a line on a terminal, after each second.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time before the first line, and between lines.
const PAUSE: Duration = Duration::from_secs(1);

/// The progress of all traces, which may be read at the same time.
pub(super) struct Progress {
    /// Nothing is written if standard error is not a terminal.
    state: Option<Mutex<State>>,
    traces: usize,
}

struct State {
    last: Instant,
    is_shown: bool,
    done: usize,
}

impl Progress {
    pub(super) fn new(traces: usize) -> Progress {
        let state = State { last: Instant::now(), is_shown: false, done: 0 };
        Progress { state: std::io::stderr().is_terminal().then(|| Mutex::new(state)), traces }
    }

    /// A trace has been read up to a step.
    pub(super) fn steps(&self, path: &Path, steps: u64) {
        let Some(state) = &self.state else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.elapsed() >= PAUSE {
            (state.last, state.is_shown) = (Instant::now(), true);
            let of =
                if self.traces > 1 { format!("{} of {}; ", state.done, self.traces) } else { String::new() };
            write(&format!("{of}{}: {steps} steps", path.display()));
        }
    }

    /// A trace has been read, or what was found is about to be written.
    pub(super) fn done(&self) {
        let Some(state) = &self.state else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        if std::mem::take(&mut state.is_shown) {
            write("");
        }
    }
}

/// Replaces the line.
fn write(line: &str) {
    let _ = write!(anstream::stderr(), "\r\x1b[K{}", crate::render::visible(line));
}
