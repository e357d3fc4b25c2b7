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
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};

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

/// The path of a file, as editors name it.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    uri::path_of(&protocol::Uri(uri.to_owned()))
}

/// Answers messages, each without its header, until they end.
pub(crate) fn converse(messages: impl Iterator<Item = String> + Send, answers: Sender<String>) {
    let (sender, events) = channel();
    let editor = sender.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for message in messages {
                if editor.send(server::Event::Message(wire::message(message.as_bytes()))).is_err() {
                    return;
                }
            }
            let _ = editor.send(server::Event::End);
        });
        server::Server::new(Bodies { bytes: Vec::new(), answers }, sender).serve(&events);
    });
}

/// Messages without their headers.
struct Bodies {
    bytes: Vec<u8>,
    answers: Sender<String>,
}

impl Write for Bodies {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Sends what has been written: the server flushes after each message.
    fn flush(&mut self) -> std::io::Result<()> {
        let text = String::from_utf8_lossy(&self.bytes);
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        self.bytes.clear();
        let gone = |_| std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        body.map_or(Ok(()), |body| self.answers.send(body).map_err(gone))
    }
}
