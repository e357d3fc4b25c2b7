//! `shall serve`: the workbench in a browser. The page has no logic of its own: what it shows are answers from here, which come from the
//! same functions as those of the command line.
//!
//! - `workbench`: what is asked, and who answers
//! - `sentence`: a sentence, its meaning and its formulas; `bench`: a sentence on a trace; `formulas`: comparisons and timelines
//! - `project`: the project and its documents, read and written; `work`: the commands for long work; `language`: the language server
//! - `logs`: recorded traces as pictures; `uploads`: files that are dropped on the page

pub(crate) mod bench;
pub(crate) mod formulas;
mod language;
pub(crate) mod logs;
pub(crate) mod project;
pub(crate) mod sentence;
mod uploads;
pub(crate) mod work;
mod workbench;

use crate::cli::Serve;
use crate::files::print;
use crate::{Error, Outcome, tell};
use ::serve::{Config, Limits, Server};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use workbench::Workbench;

/// The port, if no other is asked for: what a page keeps for itself belongs to its address.
const PORT: u16 = 7425;

pub(crate) fn run(command: &Serve) -> Result<Outcome, Error> {
    let workbench = Arc::new(Workbench::open(command.project.as_deref(), command.read_only)?);
    let bind = |port: u16| {
        let Serve { listen, read_only, .. } = *command;
        Server::bind(Config { listen, port, read_only, limits: Limits::default() })
    };
    let port = command.port.unwrap_or(PORT);
    let failed = |error: std::io::Error| {
        Error::Refused(format!("cannot listen on {}:{port}: {error}", command.listen))
    };
    let server = match (bind(port), command.port) {
        (Err(_), None) => bind(0),
        (bound, _) => bound,
    };
    let server = server.map_err(failed)?;
    let address = server.address().map_err(failed)?;
    print(format_args!("{address}\n"))?;
    if !command.listen.is_loopback() {
        tell("warning: other machines can reach this server; whoever knows the address above can use it");
    }
    if command.open {
        open(&address);
    }
    thread::spawn({
        let workbench = workbench.clone();
        move || workbench.warm_up()
    });
    server.run(workbench).map_err(failed)?;
    Ok(Outcome::Fine)
}

/// Opens an address in the user's browser, if there is one.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        tell("no browser could be started; open the address above");
    }
}
