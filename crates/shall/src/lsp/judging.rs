//! The requirements of a saved project, judged together in the background. The next edit stops the work: its findings are about the
//! documents as they were saved.

use super::open_project::Key;
use super::server::Event;
use crate::commands::check::set_config;
use engine::NoSolver;
use project::rules::{Checked, check_together};
use project::{Cache, Project};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// The longest time for one project.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Work in the background; dropping it stops the work.
pub(super) struct Judging(Arc<AtomicBool>);

/// What the work has found.
pub(super) struct Judged {
    pub(super) key: Key,
    pub(super) checked: Checked,
    stop: Arc<AtomicBool>,
}

impl Judging {
    /// Starts to judge a project; what is found comes as an event. `None` if no thread can be started.
    pub(super) fn start(key: Key, project: Project, events: Sender<Event>) -> Option<Judging> {
        let stop = Arc::new(AtomicBool::new(false));
        let judging = Judging(stop.clone());
        let work = move || {
            let begun = Instant::now();
            let left = || match stop.load(Ordering::Relaxed) {
                true => Duration::ZERO,
                false => TIMEOUT.saturating_sub(begun.elapsed()),
            };
            let analysis = project.analyse(&mut Cache::default());
            let is_over = || left().is_zero();
            let checked = check_together(&project, &analysis, set_config(&NoSolver, &left, &is_over));
            if !stop.load(Ordering::Relaxed) {
                let _ = events.send(Event::Judged(Judged { key, checked, stop: stop.clone() }));
            }
        };
        std::thread::Builder::new().name("judging".into()).spawn(work).ok()?;
        Some(judging)
    }

    /// Whether this work has found that.
    pub(super) fn has_found(&self, judged: &Judged) -> bool {
        Arc::ptr_eq(&self.0, &judged.stop)
    }
}

impl Drop for Judging {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
