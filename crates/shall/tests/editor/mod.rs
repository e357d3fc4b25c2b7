//! An editor for tests of the language server: it starts the real program, speaks the protocol over its pipes, and keeps
//! what arrives until it is asked for.
#![allow(dead_code, clippy::needless_pass_by_value)]

use serde_json::{Value as Json, json};
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// An editor with its server.
pub(crate) struct Editor {
    pub(crate) server: Child,
    pub(crate) input: Option<ChildStdin>,
    messages: Receiver<Json>,
    /// What arrived while something else was waited for.
    pub(crate) kept: Vec<Json>,
    next: i32,
}

impl Editor {
    pub(crate) fn start() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_shall"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(server.stdout.take().expect("there is a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        Editor { server, input, messages, kept: Vec::new(), next: 0 }
    }

    /// A server that has been told of a folder.
    pub(crate) fn in_folder(folder: &Path, capabilities: Json) -> Editor {
        let mut editor = Editor::start();
        let folders = json!([{ "uri": uri(folder), "name": "test" }]);
        let answer = editor.ask(
            "initialize",
            json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders }),
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], "shall");
        editor.say("initialized", json!({}));
        editor
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the pipe is open").write_all(bytes).expect("the server reads");
    }

    pub(crate) fn send(&mut self, message: &Json) {
        self.raw(&framed(message));
    }

    pub(crate) fn say(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn ask(&mut self, method: &str, params: Json) -> Json {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == json!(id))
    }

    #[track_caller]
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("an answer");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// What is wrong in a file, as `line:character code`; waits for the findings of this version.
    #[track_caller]
    pub(crate) fn findings(&mut self, uri: &str, version: Option<i32>) -> Vec<String> {
        let found = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"].get("version").and_then(Json::as_i64) == version.map(i64::from)
        });
        let diagnostics = found["params"]["diagnostics"].as_array().expect("a list").iter();
        diagnostics
            .map(|found| {
                assert_eq!(found["source"], "shall");
                let start = &found["range"]["start"];
                format!(
                    "{}:{} {}",
                    start["line"],
                    start["character"],
                    found["code"].as_str().expect("a code")
                )
            })
            .collect()
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: &Json) {
        self.raw(&change(uri, version, changes));
    }

    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Json {
        let position = json!({ "line": line, "character": character });
        self.ask(
            &format!("textDocument/{method}"),
            json!({ "textDocument": { "uri": uri }, "position": position }),
        )["result"]
            .take()
    }

    /// Says goodbye, and expects an exit code.
    pub(crate) fn end(mut self, code: i32) {
        if code == 0 {
            assert_eq!(self.ask("shutdown", Json::Null)["result"], Json::Null);
            let refused = self.ask("textDocument/hover", json!({}));
            assert_eq!(refused["error"]["code"], -32600);
        }
        self.say("exit", Json::Null);
        self.input = None;
        assert_eq!(self.server.wait().expect("the server ends").code(), Some(code));
    }
}

fn receive(output: &mut impl std::io::BufRead) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|&count| count > 0)?;
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().ok()?,
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("messages are JSON"))
}

fn framed(message: &Json) -> Vec<u8> {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

/// The bytes of a change.
pub(crate) fn change(uri: &str, version: i32, changes: &Json) -> Vec<u8> {
    let document = json!({ "uri": uri, "version": version });
    let params = json!({ "textDocument": document, "contentChanges": changes });
    framed(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }))
}

/// A path as editors name it.
pub(crate) fn uri(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    format!("file://{}", path.to_str().expect("UTF-8").replace(' ', "%20"))
}
