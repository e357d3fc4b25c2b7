//! The language server: editors speak the Language Server Protocol with it over standard input and output.
//!
//! - `wire`: messages in and out; `text`: positions in lines and units; `uri`: files as editors name them
//! - `room`: a project as the server keeps it; `server`: what happens when; `requests`: questions and their answers
//! - `convert`: spans and kinds of `project::assist` as the protocol has them
//!
//! Invariants: no bytes that come in can end the server other than the end of the input; positions outside a text are
//! moved into it; what is sent does not depend on the order of a hash map.

mod convert;
mod requests;
mod room;
mod server;
mod text;
mod uri;
mod wire;

use crate::Outcome;

/// Serves until the editor says goodbye.
pub(crate) fn run() -> Result<Outcome, String> {
    let messages = wire::listen()?;
    match server::Server::new(std::io::stdout().lock()).serve(&messages) {
        true => Ok(Outcome::Fine),
        // The protocol wants 1 if the editor went away without a shutdown.
        false => Ok(Outcome::Findings),
    }
}
