//! Solver processes: which programs there are, and how they are started, used and ended.
//!
//! A row of [`DRIVERS`] is all that a solver needs. Commands are written and answers are read by separate threads, because a busy solver
//! does neither; the waiting thread checks the time in between. A process is killed when its time is up and when its session ends.

use crate::Error;
use engine::{AnswerScanner, Connect, Session, SolverError};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

/// How one solver is started and used.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// The name by which users choose it.
    pub name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    /// The command that limits the time of each check: the text before and after the milliseconds.
    limit: Option<(&'static str, &'static str)>,
}

/// The known solvers; the first one is the default.
pub const DRIVERS: [Driver; 3] = [
    Driver {
        name: "z3",
        program: "z3",
        arguments: &["-in", "-smt2"],
        limit: Some(("(set-option :timeout ", ")")),
    },
    Driver {
        name: "cvc5",
        program: "cvc5",
        arguments: &["--incremental", "--produce-models", "--lang=smt2"],
        limit: None,
    },
    Driver { name: "yices", program: "yices-smt2", arguments: &["--incremental"], limit: None },
];

/// The time between two looks at the clock while waiting for an answer.
const TICK: Duration = Duration::from_millis(5);
/// The most bytes of an answer.
const LONGEST: usize = 64 << 20;

impl Driver {
    /// The driver with this name.
    pub fn named(name: &str) -> Option<Driver> {
        DRIVERS.into_iter().find(|it| it.name == name)
    }

    /// The driver that the user named.
    ///
    /// # Errors
    /// There is none with this name.
    pub(crate) fn chosen(name: &str) -> Result<Driver, Error> {
        let unknown = || Error::Usage(format!("unknown solver `{name}`; expected z3, cvc5 or yices"));
        Driver::named(name).ok_or_else(unknown)
    }
}

impl Connect for Driver {
    fn open(&self) -> Result<Box<dyn Session>, SolverError> {
        let mut child = Command::new(self.program)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| SolverError::Broken(format!("cannot start `{}`: {error}", self.program)))?;
        let answers = read_answers(&mut child)?;
        let commands = write_commands(&mut child)?;
        Ok(Box::new(Process { driver: *self, child, commands, answers, rest: String::new() }))
    }
}

struct Process {
    driver: Driver,
    child: Child,
    commands: Sender<String>,
    answers: Receiver<String>,
    /// The text after the last answer.
    rest: String,
}

impl Session for Process {
    fn send(&mut self, commands: &str) -> Result<(), SolverError> {
        let sent = self.commands.send(commands.to_owned());
        sent.map_err(|_| SolverError::Broken(format!("`{}` does not accept commands", self.driver.program)))
    }

    fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<String, SolverError> {
        let mut text = std::mem::take(&mut self.rest);
        let mut progress = AnswerScanner::default();
        let mut seen = 0;
        loop {
            while let Some(c) = text.get(seen..).and_then(|it| it.chars().next()) {
                progress.read(c);
                seen += c.len_utf8();
                if c == '\n' && progress.is_complete() {
                    self.rest = text.split_off(seen);
                    return Ok(text);
                }
            }
            if stop() {
                end(&mut self.child);
                return Err(SolverError::Stopped);
            }
            match self.answers.recv_timeout(TICK) {
                Ok(more) => text.push_str(&more),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Broken(format!(
                        "`{}` ended without an answer",
                        self.driver.program
                    )));
                }
            }
            if text.len() > LONGEST {
                end(&mut self.child);
                let reason = "sent over 64 MiB without finishing its answer";
                return Err(SolverError::Broken(format!("`{}` {reason}", self.driver.program)));
            }
        }
    }

    fn limit(&self, milliseconds: u32) -> Option<String> {
        let (before, after) = self.driver.limit?;
        // 0 is no limit.
        let milliseconds = if milliseconds == 0 { u32::MAX } else { milliseconds };
        Some(format!("{before}{milliseconds}{after}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Reads the answers of a process in a thread that ends with the process.
fn read_answers(child: &mut Child) -> Result<Receiver<String>, SolverError> {
    let Some(mut output) = child.stdout.take() else {
        end(child);
        return Err(SolverError::Broken("the solver has no output".to_owned()));
    };
    // Few pieces wait, so that endless output does not fill the memory.
    let (sender, receiver) = sync_channel(16);
    std::thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        let mut rest: Vec<u8> = Vec::new();
        while let Ok(count @ 1..) = output.read(&mut buffer) {
            rest.extend(&buffer[..count]);
            // Whole lines only: an answer ends with one, and a character is never cut.
            let Some(end) = rest.iter().rposition(|it| *it == b'\n') else { continue };
            let after = rest.split_off(end + 1);
            let text = String::from_utf8_lossy(&rest).into_owned();
            rest = after;
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

/// Writes commands to a process in a thread that ends with the session or with the process.
fn write_commands(child: &mut Child) -> Result<Sender<String>, SolverError> {
    let Some(mut input) = child.stdin.take() else {
        end(child);
        return Err(SolverError::Broken("the solver has no input".to_owned()));
    };
    let (sender, receiver) = channel::<String>();
    std::thread::spawn(move || {
        while let Ok(commands) = receiver.recv() {
            if input.write_all(commands.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    Ok(sender)
}

/// Ends a process; it may have ended already.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
