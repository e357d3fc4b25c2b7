//! Programs that a page talks with over a WebSocket: each message is a line of their input, each line of their output an answer. The program
//! ends with the connection.

use crate::routes::object;
use crate::{Api, Job, Kind, Refusal};
use axum::extract::ws::{Message, WebSocket};
use serde_json::json;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use tokio::sync::mpsc;

/// The most messages that wait until the program takes them, and the most answers that wait until the page does.
const MAX_WAITING: usize = 64;
/// The most bytes of what a program says when it fails.
const MAX_WORDS: u64 = 1 << 14;

/// A program that runs as long as the page is there.
struct Running {
    child: Child,
    lines: mpsc::Sender<String>,
    answers: mpsc::Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the page or the program goes away. The first message says what the page wants to talk about.
pub(crate) async fn talk(api: &dyn Api, name: &str, mut socket: WebSocket, limit: usize) {
    let Some(Ok(Message::Text(first))) = socket.recv().await else { return };
    let begun = object(first.as_bytes()).and_then(|request| {
        let talk = api.talk(name, &request)?;
        let failed =
            |error| Refusal::new(Kind::Failed, format_args!("the program cannot be started: {error}"));
        Ok((start(&talk.job, limit).map_err(failed)?, talk.allows))
    });
    let (mut running, allows) = match begun {
        Ok(begun) => begun,
        Err(refusal) => {
            let _ = socket.send(message(refusal.document.to_string())).await;
            return;
        }
    };
    loop {
        let answer = tokio::select! {
            asked = socket.recv() => match asked {
                Some(Ok(Message::Text(line))) => {
                    let is_line = !line.contains(['\n', '\r']);
                    if is_line && allows(&line) && running.lines.try_send(line.to_string()).is_ok() {
                        continue;
                    }
                    told("this cannot be asked now")
                }
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            answer = running.answers.recv() => match answer {
                Some(answer) => answer,
                None => return,
            },
        };
        if socket.send(message(answer)).await.is_err() {
            return;
        }
    }
}

fn message(text: String) -> Message {
    Message::Text(text.into())
}

fn told(error: &str) -> String {
    json!({ "error": error }).to_string()
}

fn start(job: &Job, limit: usize) -> io::Result<Running> {
    let mut command = Command::new(&job.program);
    command.args(&job.arguments).current_dir(&job.folder);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (input, output, words) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (lines, mut to_program) = mpsc::channel::<String>(MAX_WAITING);
    let (to_page, answers) = mpsc::channel(MAX_WAITING);
    thread::spawn(move || {
        let Some(mut input) = input else { return };
        while let Some(line) = to_program.blocking_recv() {
            // A program that has ended tells why by itself.
            if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        if let Some(output) = output {
            pass_on(BufReader::new(output), &to_page, limit);
        }
        let mut said = String::new();
        let _ = words.map(|words| words.take(MAX_WORDS).read_to_string(&mut said));
        if !said.trim().is_empty() {
            let _ = to_page.blocking_send(told(said.trim()));
        }
    });
    Ok(Running { child, lines, answers })
}

/// Passes on lines up to a length, until there are no more.
fn pass_on(mut output: BufReader<impl Read>, to_page: &mpsc::Sender<String>, limit: usize) {
    loop {
        let mut line = String::new();
        match output.by_ref().take(limit as u64).read_line(&mut line) {
            Ok(read) if read > 0 && line.ends_with('\n') => {
                if to_page.blocking_send(line).is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}
