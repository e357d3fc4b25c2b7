//! What the tests share: a solver process, a clock, random systems, and a check of every verdict.

#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod made;
pub(crate) mod systems;

use shall_engine::{Answer, Connect, Proof, Session, SolverError, Verdict, Why, check, complete};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use system::System;

/// A program that speaks SMT-LIB 2.
#[derive(Clone, Debug)]
pub(crate) struct Program(pub(crate) Vec<String>);

/// The solver, if it is installed; a message if it is not.
pub(crate) fn z3() -> Option<Program> {
    let path = std::env::var("SHALL_Z3").unwrap_or_else(|_| "z3".to_owned());
    let there =
        Command::new(&path).arg("--version").stdout(Stdio::null()).status().is_ok_and(|it| it.success());
    if !there {
        eprintln!("SKIPPED: z3 is not installed, so nothing that needs it was tested");
        return None;
    }
    Some(Program(vec![path, "-in".to_owned(), "-smt2".to_owned()]))
}

struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Connect for Program {
    fn open(&self) -> Result<Box<dyn Session>, SolverError> {
        let mut child = Command::new(&self.0[0])
            .args(&self.0[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) =
            (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line + "\n").is_err() {
                    return;
                }
            }
        });
        Ok(Box::new(Process { child, input, answers }))
    }
}

impl Session for Process {
    fn send(&mut self, commands: &str) -> Result<(), SolverError> {
        if std::env::var("SHALL_TRACE").is_ok() {
            eprint!("{commands}");
        }
        Ok(self.input.write_all(commands.as_bytes()).and_then(|()| self.input.flush())?)
    }

    fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<String, SolverError> {
        let mut text = String::new();
        while !complete(&text) {
            match self.answers.recv_timeout(Duration::from_millis(5)) {
                Ok(more) => text.push_str(&more),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(SolverError::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Broken("it ended".to_owned()));
                }
            }
        }
        Ok(text)
    }

    fn limit(&self, milliseconds: u32) -> Option<String> {
        Some(format!("(set-option :timeout {milliseconds})"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The deadline this many seconds from now.
pub(crate) fn seconds(count: u64) -> impl Fn() -> Duration + Sync {
    let begun = Instant::now();
    move || Duration::from_secs(count).saturating_sub(begun.elapsed())
}

/// `Some(true)` for valid, `Some(false)` for invalid; every piece of evidence is checked once more.
pub(crate) fn judged(system: &System, verdict: &Verdict, solver: &dyn Connect) -> Option<bool> {
    match &verdict.answer {
        Answer::Valid(certificate) => {
            if certificate.proof != Proof::Explored {
                let checked = check(system, verdict.property, certificate, solver, &|| false);
                assert_eq!(checked, Ok(true), "{system}\n{:?}", certificate.proof);
            }
            Some(true)
        }
        Answer::Invalid(it) => {
            if it.rounded.is_none() {
                assert!(system::refutes(system, &it.run, verdict.property), "{system}");
            }
            Some(false)
        }
        Answer::Unknown(Why::BadCertificate) => panic!("a bad certificate\n{system}"),
        Answer::Unknown(_) => None,
    }
}
