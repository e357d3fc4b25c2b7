//! Progress of an analysis: a line on standard error after each second.
//!
//! The engines report what they do; nothing here changes what they find.

use engine::Progress;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The time before the first line, and between lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Does the work. `names` are those of the properties, as far as they are known; `always` shows lines even if standard
/// error is not a terminal.
pub(super) fn watch<T>(
    names: &[&str],
    always: bool,
    work: impl FnOnce(&(dyn Fn(Progress) + Sync)) -> T,
) -> T {
    let terminal = std::io::stderr().is_terminal();
    if !terminal && !always {
        return work(&|_| {});
    }
    let begun = Instant::now();
    let state = Mutex::new(State::default());
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let state = &state;
        scope.spawn(move || {
            let mut shown = false;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let line = state.lock().unwrap_or_else(PoisonError::into_inner).line(names);
                write(terminal, &format!("{} s: {line}", begun.elapsed().as_secs()));
                shown = true;
            }
            if shown && terminal {
                write(terminal, "");
            }
        });
        let done = work(&|event| state.lock().unwrap_or_else(PoisonError::into_inner).hear(event));
        drop(end);
        done
    })
}

#[derive(Default)]
struct State {
    decided: usize,
    depth: usize,
    /// The property and the engine that reported last.
    current: Option<(usize, &'static str)>,
}

impl State {
    fn hear(&mut self, event: Progress) {
        match event {
            Progress::Begins { .. } => {}
            Progress::Engine { property, engine } => self.current = Some((property, engine)),
            Progress::Depth { depth, .. } => self.depth = depth,
            Progress::Ends { decided, .. } => self.decided += usize::from(decided),
        }
    }

    fn line(&self, names: &[&str]) -> String {
        let all = if names.is_empty() { String::new() } else { format!(" of {}", names.len()) };
        let doing = self.current.map_or(String::new(), |(property, engine)| {
            let name: String = names
                .get(property)
                .map_or("", |it| it)
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            let name = if name.is_empty() { name } else { format!("`{name}`: ") };
            format!("; {name}{engine}, depth {}", self.depth)
        });
        format!("{}{all} properties decided{doing}", self.decided)
    }
}

/// On a terminal a line takes the place of the one before.
fn write(terminal: bool, line: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = match terminal {
        true => write!(stderr, "\r\u{1b}[2K{line}").and_then(|()| stderr.flush()),
        false => writeln!(stderr, "{line}"),
    };
}
