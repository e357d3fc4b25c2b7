//! The web server of the workbench: who may ask, what is asked, long work as jobs, and the page itself.
//!
//! What is answered comes from an [`Api`]; this crate knows nothing about requirements.
//!
//! - `guard`: each request must come from the page of this server, by its host, its origin and its token
//! - `page`: the files of the page, inside the program
//! - `routes`: the addresses
//! - `jobs`: work that takes long: other processes, which can be cancelled and outlive the page that asked
//! - `uploads`: files that the page brings, in pieces
//! - `language`: the language server over a WebSocket; `talks`: other programs, line by line
//!
//! Invariants: nothing but the address with the token is answered without the token; no request can end the server or keep it from
//! answering others.

mod guard;
mod jobs;
mod language;
mod page;
mod routes;
mod talks;
mod uploads;

use axum::http::StatusCode;
use serde_json::Value as Json;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

pub use guard::Token;

/// What a server answers.
pub trait Api: Send + Sync + 'static {
    /// Answers a request with a JSON document.
    fn answer(&self, name: &str, request: &Json) -> Result<String, Refusal>;

    /// Whether a request changes files.
    fn writes(&self, name: &str) -> bool;

    /// The command that does long work.
    fn job(&self, name: &str, request: &Json) -> Result<Job, Refusal>;

    /// The program that a page talks with.
    fn talk(&self, name: &str, request: &Json) -> Result<Talk, Refusal>;

    /// Begins to take a file with this name.
    fn receive(&self, name: &str) -> Result<Box<dyn Upload>, Refusal>;

    /// Something that changes when the files do.
    fn stamp(&self) -> u64;

    /// Speaks the language server protocol, one message at a time, until the messages end.
    fn speak(&self, messages: Receiver<String>, answers: Sender<String>);
}

/// A command that does long work. It writes one JSON document to standard output, and its progress to standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// The files that it is about, besides those that [`Api::stamp`] knows.
    pub files: Vec<PathBuf>,
}

/// A program that a page talks with: it reads a line for each message, and writes a line for each answer.
#[derive(Debug, Clone)]
pub struct Talk {
    /// The program.
    pub job: Job,
    /// Whether the page may send a message.
    pub allows: fn(&str) -> bool,
}

/// A file that is on its way. It is there as a whole after `finish`, and not at all if it is dropped before.
pub trait Upload: Send {
    /// Takes the next bytes.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal>;

    /// Ends the file; returns a JSON document.
    fn finish(self: Box<Self>) -> Result<String, Refusal>;
}

/// A request that is not answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The kind.
    pub kind: Kind,
    /// The reason, and more that the page should know: an object with `error`.
    pub document: Json,
}

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request makes no sense.
    Malformed,
    /// It is not allowed.
    Forbidden,
    /// There is no such thing.
    Missing,
    /// The thing changed meanwhile, or is there already.
    Conflict,
    /// It is too large.
    TooLarge,
    /// Too much is being done already.
    Busy,
    /// Something went wrong here.
    Failed,
}

impl Refusal {
    /// A refusal with nothing but a reason.
    pub fn new(kind: Kind, error: impl std::fmt::Display) -> Refusal {
        Refusal { kind, document: serde_json::json!({ "error": error.to_string() }) }
    }

    fn status(&self) -> StatusCode {
        match self.kind {
            Kind::Malformed => StatusCode::BAD_REQUEST,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::Busy => StatusCode::TOO_MANY_REQUESTS,
            Kind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address it listens on.
    pub listen: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Whether requests that change files are refused.
    pub read_only: bool,
    /// What limits the work of the server.
    pub limits: Limits,
}

/// What limits the work of a server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most bytes of a request.
    pub body: usize,
    /// The most bytes of a file that the page brings.
    pub upload: u64,
    /// The most requests that are answered at a time.
    pub requests: usize,
    /// The most jobs that run at a time, and the most programs that pages talk with.
    pub jobs: usize,
    /// The most connections for events or to the language server.
    pub sockets: usize,
    /// The most bytes that are kept of what a job writes, or of a line of a program that a page talks with.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { body: 16 << 20, upload: 2 << 30, requests: 32, jobs: 4, sockets: 64, output: 64 << 20 }
    }
}

/// A server that listens, but does not answer yet.
pub struct Server {
    listener: std::net::TcpListener,
    config: Config,
    token: Token,
}

impl Server {
    /// Starts to listen.
    pub fn bind(config: Config) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind(SocketAddr::new(config.listen, config.port))?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, config, token: Token::random()? })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> io::Result<String> {
        let mut address = self.listener.local_addr()?;
        if address.ip().is_unspecified() {
            address.set_ip(IpAddr::from([127, 0, 0, 1]));
        }
        Ok(format!("http://{address}/?token={}", self.token))
    }

    /// Answers until the process ends.
    pub fn run(self, api: Arc<dyn Api>) -> io::Result<()> {
        let port = self.listener.local_addr()?.port();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, routes::routes(api, &self.config, self.token, port)).await
        })
    }
}
