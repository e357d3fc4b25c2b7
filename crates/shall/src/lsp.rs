//! The language server: the Language Server Protocol over standard input and output.
//!
//! - `wire`: messages in and out; `text`: positions in lines and units; `uri`: files as editors name them
//! - `open_project`: a project in the server; `judging`: its requirements judged together in the background; `server`: its state and reactions; `requests`: the answers to requests
//! - `convert`: spans and kinds of `project::assist` as the protocol has them
//!
//! Invariants: no bytes that come in can end the server other than the end of the input; positions outside a text are
//! moved into it; what is sent does not depend on the order of a hash map.

mod convert;
mod judging;
mod open_project;
mod protocol;
mod requests;
mod server;
mod text;
mod uri;
mod wire;

use crate::{Error, Outcome};
use std::sync::mpsc::channel;

/// Serves until the editor ends the server.
pub(crate) fn run() -> Result<Outcome, Error> {
    let (sender, events) = channel();
    wire::listen(sender.clone())?;
    match server::Server::new(std::io::stdout().lock(), sender).serve(&events) {
        true => Ok(Outcome::Fine),
        // The protocol demands 1 if the editor went away without a shutdown.
        false => Ok(Outcome::Findings),
    }
}
