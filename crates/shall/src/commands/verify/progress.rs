//! How far an analysis is: the time that each property takes, and a line on stderr for whoever waits longer than a second.
//!
//! The engines tell what they do; nothing here changes what they find.

use engine::News;
use model::System;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long one waits before the first line, and between lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Does the work, and gives for each property of the system how many seconds it took. `always` shows lines even if stderr is no terminal.
pub(crate) fn watch<T>(
    system: &System,
    always: bool,
    work: impl FnOnce(&(dyn Fn(News) + Sync)) -> T,
) -> (T, Vec<f64>) {
    let count = system.properties.len();
    let terminal = std::io::stderr().is_terminal();
    let progress = Progress {
        system,
        begun: Instant::now(),
        depth: AtomicUsize::new(0),
        state: Mutex::new(State {
            open: count,
            current: None,
            since: vec![None; count],
            spent: vec![Duration::ZERO; count],
        }),
    };
    let done = if terminal || always {
        let (end, ended) = channel::<()>();
        let progress = &progress;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut shown = false;
                while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    write(terminal, &progress.line());
                    shown = true;
                }
                if shown && terminal {
                    write(terminal, "");
                }
            });
            let done = work(&|news| progress.hear(news));
            drop(end);
            done
        })
    } else {
        work(&|news| progress.hear(news))
    };
    let state = progress.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    (done, state.spent.iter().map(Duration::as_secs_f64).collect())
}

struct Progress<'a> {
    system: &'a System,
    begun: Instant,
    depth: AtomicUsize,
    state: Mutex<State>,
}

struct State {
    /// How many properties are not decided.
    open: usize,
    /// The property and the engine that were heard of last.
    current: Option<(usize, &'static str)>,
    since: Vec<Option<Instant>>,
    spent: Vec<Duration>,
}

impl Progress<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, news: News) {
        match news {
            News::Depth { depth, .. } => self.depth.store(depth, Ordering::Relaxed),
            News::Begins { property } => {
                if let Some(since) = self.state().since.get_mut(property) {
                    *since = Some(Instant::now());
                }
            }
            News::Engine { property, engine } => self.state().current = Some((property, engine)),
            News::Ends { property, decided } => {
                let mut state = self.state();
                let since = state.since.get_mut(property).and_then(Option::take);
                if let (Some(since), Some(spent)) = (since, state.spent.get_mut(property)) {
                    *spent += since.elapsed();
                }
                state.open = state.open.saturating_sub(usize::from(decided));
            }
        }
    }

    fn line(&self) -> String {
        let state = self.state();
        let (open, all) = (state.open, state.since.len());
        let doing = state.current.map_or(String::new(), |(property, engine)| {
            let name = self.system.properties.get(property).map_or("", |it| it.name.as_str());
            let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            format!("; `{name}`: {engine}, depth {}", self.depth.load(Ordering::Relaxed))
        });
        format!("{} s: {open} of {all} properties open{doing}", self.begun.elapsed().as_secs())
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
