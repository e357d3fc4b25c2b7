//! Long work: each job is a process of its own, so that it can be cancelled at any time, cannot take the server with it, and goes on
//! when the page that asked for it is closed.

use crate::{Job, Kind, Limits, Refusal};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The most jobs that are remembered.
const MAX_REMEMBERED: usize = 64;
/// The most bytes of the last words of a job.
const MAX_WORDS: usize = 1 << 14;

/// The jobs of a server, by their numbers.
pub(crate) struct Jobs {
    limits: Limits,
    jobs: Mutex<BTreeMap<u64, Running>>,
}

/// A job that runs or has ended.
struct Running {
    name: String,
    started: Instant,
    child: Arc<Mutex<Child>>,
    state: Arc<Mutex<State>>,
    files: Vec<PathBuf>,
    /// What the files were like when it was started.
    stamp: u64,
}

/// What is known about a job.
#[derive(Serialize)]
struct State {
    state: Phase,
    seconds: Option<f64>,
    /// The last line on standard error.
    progress: Option<String>,
    /// The exit code.
    code: Option<i32>,
    /// What it wrote to standard output.
    result: Option<Json>,
    /// What it wrote to standard error, if there is no result.
    error: Option<String>,
    /// Whether files that it is about have changed since it was started.
    changed: bool,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Phase {
    Running,
    Done,
    Failed,
    Cancelled,
}

impl Jobs {
    pub(crate) fn new(limits: Limits) -> Jobs {
        Jobs { limits, jobs: Mutex::default() }
    }

    /// Starts a job; returns its number. `stamp` says what the files of the API are like.
    pub(crate) fn start(&self, name: &str, job: &Job, stamp: u64) -> Result<Json, Refusal> {
        let mut jobs = locked(&self.jobs);
        if jobs.values().filter(|job| locked(&job.state).state == Phase::Running).count() >= self.limits.jobs
        {
            let reason = format!("{} jobs are running; wait for one, or cancel one", self.limits.jobs);
            return Err(Refusal::new(Kind::Busy, reason));
        }
        let running = Running::start(name, job, stamp, self.limits.output).map_err(|error| {
            Refusal::new(Kind::Failed, format_args!("the job cannot be started: {error}"))
        })?;
        let id = jobs.keys().next_back().map_or(1, |last| last + 1);
        jobs.insert(id, running);
        while jobs.len() > MAX_REMEMBERED {
            let ended = jobs.iter().find(|(_, job)| locked(&job.state).state != Phase::Running);
            let Some((&oldest, _)) = ended else { break };
            jobs.remove(&oldest);
        }
        Ok(json!({ "id": id }))
    }

    /// All jobs that are remembered.
    pub(crate) fn list(&self) -> Json {
        let jobs = locked(&self.jobs);
        let job = |(id, job): (&u64, &Running)| json!({ "id": id, "name": job.name, "state": locked(&job.state).state });
        json!({ "jobs": jobs.iter().map(job).collect::<Vec<_>>() })
    }

    /// What is known about a job, if the files of the API are like this now.
    pub(crate) fn state(&self, id: u64, stamp: u64) -> Result<Json, Refusal> {
        let jobs = locked(&self.jobs);
        let job = jobs.get(&id).ok_or_else(|| Refusal::new(Kind::Missing, "there is no such job"))?;
        let mut state = locked(&job.state);
        if state.state == Phase::Running {
            state.seconds = Some(job.started.elapsed().as_secs_f64());
        }
        state.changed |= stamped(stamp, &job.files) != job.stamp;
        Ok(json!(*state))
    }

    /// Ends a job, if it has not ended.
    pub(crate) fn cancel(&self, id: u64, stamp: u64) -> Result<Json, Refusal> {
        {
            let jobs = locked(&self.jobs);
            let job = jobs.get(&id).ok_or_else(|| Refusal::new(Kind::Missing, "there is no such job"))?;
            let mut state = locked(&job.state);
            if state.state == Phase::Running {
                state.state = Phase::Cancelled;
                // It may have ended by itself just now.
                let _ = locked(&job.child).kill();
            }
        }
        self.state(id, stamp)
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for job in locked(&self.jobs).values() {
            let _ = locked(&job.child).kill();
        }
    }
}

impl Running {
    fn start(name: &str, job: &Job, stamp: u64, limit: usize) -> io::Result<Running> {
        let stamp = stamped(stamp, &job.files);
        let mut command = Command::new(&job.program);
        command.args(&job.arguments).current_dir(&job.folder);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (out, words) = (child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let state = Arc::new(Mutex::new(State {
            state: Phase::Running,
            seconds: None,
            progress: None,
            code: None,
            result: None,
            error: None,
            changed: false,
        }));
        let running = Running {
            name: name.to_owned(),
            started: Instant::now(),
            child: child.clone(),
            state: state.clone(),
            files: job.files.clone(),
            stamp,
        };
        let started = running.started;
        let listener = thread::spawn({
            let state = state.clone();
            move || words.map(|words| listen(words, &state)).unwrap_or_default()
        });
        thread::spawn(move || {
            let mut written = Vec::new();
            let read = out.map_or(Ok(0), |out| out.take(limit as u64 + 1).read_to_end(&mut written));
            let too_long = written.len() > limit;
            if too_long {
                let _ = locked(&child).kill();
            }
            let words = listener.join().unwrap_or_default();
            let code = locked(&child).wait().ok().and_then(|status| status.code());
            let result: Option<Json> = read.ok().and_then(|_| serde_json::from_slice(&written).ok());
            let mut state = locked(&state);
            state.seconds = Some(started.elapsed().as_secs_f64());
            state.code = code;
            if state.state == Phase::Running {
                state.state = if result.is_some() { Phase::Done } else { Phase::Failed };
                state.error = match (too_long, &result) {
                    (true, _) => Some(format!("the result is longer than {limit} bytes")),
                    (false, None) => Some(words),
                    (false, Some(_)) => None,
                };
                state.result = result;
            }
        });
        Ok(running)
    }
}

/// What the files of the API and some more are like.
fn stamped(stamp: u64, files: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    stamp.hash(&mut hasher);
    for about in files.iter().map(std::fs::metadata) {
        about.ok().map(|about| (about.modified().ok(), about.len())).hash(&mut hasher);
    }
    hasher.finish()
}

/// Keeps the last line as progress; returns the last words.
fn listen(words: impl Read, state: &Mutex<State>) -> String {
    let mut all = String::new();
    let mut lines = BufReader::new(words);
    loop {
        let mut line = Vec::new();
        match lines.by_ref().take(MAX_WORDS as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return all,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        all.push_str(&line);
        let surplus = all.len().saturating_sub(MAX_WORDS);
        let cut = (surplus..=all.len()).find(|&at| all.is_char_boundary(at)).unwrap_or(0);
        all.drain(..cut);
        locked(state).progress = Some(line.trim_end().to_owned());
    }
}

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
