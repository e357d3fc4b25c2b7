//! The server as a browser, and as somebody else, meets it.

use serde_json::{Value as Json, json};
use shall_serve::{Api, Config, Job, Kind, Limits, Refusal, Server, Talk, Upload};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Duration;

/// Answers what it is asked.
#[derive(Default)]
struct Echo(AtomicU64);

impl Api for Echo {
    fn answer(&self, name: &str, request: &Json) -> Result<String, Refusal> {
        match name {
            "echo" | "save" => Ok(request.to_string()),
            "panic" => panic!("on request"),
            "slow" => {
                thread::sleep(Duration::from_millis(400));
                Ok("{}".into())
            }
            "touch" => Ok(json!({ "stamp": self.0.fetch_add(1, Ordering::SeqCst) }).to_string()),
            _ => Err(Refusal::new(Kind::Missing, format_args!("there is no `{name}`"))),
        }
    }

    fn writes(&self, name: &str) -> bool {
        name == "save"
    }

    fn job(&self, name: &str, request: &Json) -> Result<Job, Refusal> {
        match (name, request["script"].as_str()) {
            ("sh", Some(script)) => Ok(Job {
                program: PathBuf::from("sh"),
                arguments: vec!["-c".into(), script.into()],
                folder: std::env::temp_dir(),
                files: request["file"].as_str().map(PathBuf::from).into_iter().collect(),
            }),
            _ => Err(Refusal::new(Kind::Malformed, "no script")),
        }
    }

    fn talk(&self, name: &str, request: &Json) -> Result<Talk, Refusal> {
        Ok(Talk { job: self.job(name, request)?, allows: |line| line != "secret" })
    }

    fn receive(&self, name: &str) -> Result<Box<dyn Upload>, Refusal> {
        match name {
            "there" => Err(Refusal::new(Kind::Conflict, "it is there already")),
            _ => Ok(Box::new(Taken { sum: 0, room: if name == "full" { 10 } else { usize::MAX } })),
        }
    }

    fn stamp(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn speak(&self, messages: Receiver<String>, answers: Sender<String>) {
        messages
            .into_iter()
            .take_while(|message| answers.send(format!("heard {message}")).is_ok())
            .for_each(drop);
    }
}

/// A file that is counted, where there is room for so many bytes.
struct Taken {
    sum: usize,
    room: usize,
}

impl Upload for Taken {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.sum += bytes.len();
        match self.sum <= self.room {
            true => Ok(()),
            false => Err(Refusal::new(Kind::Failed, "no space left")),
        }
    }

    fn finish(self: Box<Self>) -> Result<String, Refusal> {
        Ok(json!({ "bytes": self.sum }).to_string())
    }
}

/// A server that runs, where it is, and its token.
struct Running {
    host: String,
    token: String,
}

impl Running {
    fn start(read_only: bool) -> Running {
        let limits = Limits { body: 1000, upload: 5000, requests: 2, jobs: 2, sockets: 2, output: 1000 };
        let config = Config { listen: [127, 0, 0, 1].into(), port: 0, read_only, limits };
        let server = Server::bind(config).expect("a free port");
        let address = server.address().expect("an address");
        let (host, token) = address["http://".len()..].split_once("/?token=").expect("a token");
        let running = Running { host: host.into(), token: token.into() };
        thread::spawn(move || server.run(Arc::new(Echo::default())));
        running
    }

    /// Sends a request; the headers may use `HOST` and `TOKEN`.
    fn send(&self, request: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        let length = body.len();
        let text = format!("{request} HTTP/1.1\r\n{headers}content-length: {length}\r\n\r\n{body}")
            .replace("HOST", &self.host)
            .replace("TOKEN", &self.token)
            .replace("PORT", self.host.rsplit(':').next().expect("a port"));
        stream.write_all(text.as_bytes()).expect("the server reads");
        stream
    }

    /// The status, the headers and the body of an answer.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String, String) {
        let mut answer = String::new();
        self.send(request, &format!("connection: close\r\n{headers}"), body)
            .read_to_string(&mut answer)
            .expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_lowercase(), body.into())
    }

    /// As the page asks.
    fn page(&self, request: &str, body: &str) -> (u16, Json) {
        let (status, _, body) = self.ask(request, PAGE, body);
        (status, serde_json::from_str(&body).unwrap_or(Json::String(body)))
    }

    /// The state of a job when it has ended, or when it makes progress.
    fn wait(&self, id: &Json, until: impl Fn(&Json) -> bool) -> Json {
        loop {
            let (_, state) = self.page(&format!("GET /api/jobs/{id}"), "");
            if until(&state) {
                return state;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

const PAGE: &str = "host: HOST\r\norigin: http://HOST\r\ncookie: shall-PORT=TOKEN\r\n";

const UPGRADE: &str = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

fn ended(state: &Json) -> bool {
    state["state"] != "running"
}

#[test]
fn who_may_ask() {
    let server = Running::start(false);
    for (request, headers, expected) in [
        ("GET /?token=TOKEN", "host: HOST\r\n", 303),
        ("GET /", "host: HOST\r\n", 401),
        ("GET /app.js", "host: HOST\r\n", 401),
        ("POST /api/echo", "host: HOST\r\n", 401),
        ("GET /", PAGE, 200),
        ("GET /app.js", PAGE, 200),
        ("GET /app.css", PAGE, 200),
        ("GET /../Cargo.toml", PAGE, 404),
        ("GET /%2e%2e/Cargo.toml", PAGE, 404),
        ("GET //etc/passwd", PAGE, 404),
        ("POST /", PAGE, 405),
        ("POST /api/nothing", PAGE, 404),
        ("POST /api/panic", PAGE, 500),
        ("GET /", "host: evil.example\r\ncookie: shall-PORT=TOKEN\r\n", 421),
        ("POST /api/echo", "host: HOST\r\norigin: http://evil.example\r\ncookie: shall-PORT=TOKEN\r\n", 403),
        ("GET /api/language", "host: HOST\r\nupgrade: websocket\r\ncookie: shall-PORT=TOKEN\r\n", 403),
    ] {
        let (status, head, body) = server.ask(request, headers, "{}");
        assert_eq!(status, expected, "{request} {headers}: {body}");
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        assert!(!body.contains(&server.token), "{request}: {body}");
        if status == 303 {
            let cookie = "path=/; httponly; samesite=strict";
            assert!(head.contains(cookie) && head.contains("location: /\r\n"), "{head}");
        }
    }
}

#[test]
fn what_is_asked() {
    let server = Running::start(false);
    assert_eq!(server.page("POST /api/echo", r#"{"a":"ü"}"#), (200, json!({ "a": "ü" })));
    for (body, status, error) in [
        ("", 400, "the request is not JSON: EOF"),
        ("{", 400, "the request is not JSON: EOF"),
        ("[]", 400, "a request is a JSON object"),
        ("\u{0}", 400, "the request is not JSON: expected value"),
    ] {
        let (found, document) = server.page("POST /api/echo", body);
        assert_eq!(found, status, "{body}");
        assert!(document["error"].as_str().is_some_and(|text| text.starts_with(error)), "{document}");
    }
    let long = format!("\"{}\"", "x".repeat(2000));
    for path in ["POST /api/echo", "POST /api/jobs"] {
        let found = server.page(path, &long);
        assert_eq!(found, (413, json!({ "error": "the request has more than 1000 bytes" })), "{path}");
    }
    // Only two at a time; the others are told to wait, and the server goes on.
    let slow: Vec<TcpStream> = (0..2)
        .map(|_| server.send("POST /api/slow", &format!("connection: close\r\n{PAGE}"), "{}"))
        .collect();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(server.page("POST /api/echo", "{}").0, 429);
    for mut stream in slow {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert_eq!(server.page("POST /api/save", "{}").0, 200);
    let reader = Running::start(true);
    assert_eq!(reader.page("POST /api/save", "{}").0, 403);
    assert_eq!(reader.page("POST /api/echo", "{}").0, 200);
}

#[test]
fn jobs() {
    let server = Running::start(false);
    let start = |script: &str| {
        let request = json!({ "name": "sh", "script": script }).to_string();
        server.page("POST /api/jobs", &request)
    };
    assert_eq!(server.page("POST /api/jobs", r#"{"name":"rm"}"#).0, 400);
    assert_eq!(server.page("GET /api/jobs/7", "").0, 404);
    assert_eq!(server.page("DELETE /api/jobs/7", "").0, 404);
    let (status, job) = start(r#"echo one >&2; echo '{"a": 1}'; exit 1"#);
    assert_eq!(status, 200);
    let state = server.wait(&job["id"], ended);
    let [kind, code, result, progress] =
        ["state", "code", "result", "progress"].map(|name| state[name].clone());
    assert_eq!(
        (kind, code, result, progress),
        (json!("done"), json!(1), json!({ "a": 1 }), json!("one")),
        "{state}"
    );
    let state = server.wait(&start("echo broken >&2; exit 2").1["id"], ended);
    assert_eq!((&state["state"], &state["error"]), (&json!("failed"), &json!("broken\n")), "{state}");
    let state = server.wait(&start("yes").1["id"], ended);
    assert_eq!(state["error"], "the result is longer than 1000 bytes", "{state}");
    // At most two; one is cancelled, and then there is room again.
    let long = start("echo working >&2; exec sleep 1000").1["id"].clone();
    let other = start("exec sleep 1000").1["id"].clone();
    assert_eq!(start("true").0, 429);
    let state = server.wait(&long, |state| state["progress"] == "working");
    assert_eq!(state["state"], "running");
    for id in [&long, &other] {
        assert_eq!(server.page(&format!("DELETE /api/jobs/{id}"), "").1["state"], "cancelled");
    }
    assert_eq!(start("true").0, 200);
    assert_eq!(server.page("GET /api/jobs", "").1["jobs"].as_array().map(Vec::len), Some(6));
}

#[test]
fn a_result_is_about_files_as_they_were() {
    let server = Running::start(false);
    let file = std::env::temp_dir().join(format!("shall-serve-{}.txt", std::process::id()));
    std::fs::write(&file, "a").expect("a file");
    let request = json!({ "name": "sh", "script": "echo 1", "file": file }).to_string();
    let start = || server.page("POST /api/jobs", &request).1["id"].clone();
    let changed = |id: &Json| server.wait(id, ended)["changed"].clone();
    let first = start();
    assert_eq!(changed(&first), false);
    server.page("POST /api/touch", "{}");
    let second = start();
    assert_eq!((changed(&first), changed(&second)), (json!(true), json!(false)));
    std::fs::write(&file, "ab").expect("a file");
    assert_eq!(changed(&second), true);
    std::fs::remove_file(&file).expect("it is there");
    assert_eq!(changed(&start()), false);
}

#[test]
fn only_so_many_pages_listen() {
    let server = Running::start(false);
    let two = [socket(&server, "/api/events"), socket(&server, "/api/language")];
    for address in ["/api/events", "/api/language"] {
        let request = server.send(&format!("GET {address}"), &format!("{UPGRADE}{PAGE}"), "");
        let mut status = String::new();
        BufReader::new(request).read_line(&mut status).expect("a status");
        assert!(status.starts_with("HTTP/1.1 429"), "{address}: {status}");
    }
    assert_eq!(server.page("POST /api/echo", "{}").0, 200);
    drop(two);
}

#[test]
fn changes_are_told() {
    let server = Running::start(false);
    let mut events = socket(&server, "/api/events");
    thread::sleep(Duration::from_millis(400));
    server.page("POST /api/touch", "{}");
    assert_eq!(heard(&mut events), "changed");
}

#[test]
fn files_are_taken_within_a_limit() {
    let server = Running::start(false);
    for (name, length, status, expected) in [
        ("a.csv", 0, 200, json!({ "bytes": 0 })),
        ("a.csv", 4999, 200, json!({ "bytes": 4999 })),
        ("a.csv", 5001, 413, json!({ "error": "the file has more than 5000 bytes; put it into the folder" })),
        ("full", 100, 500, json!({ "error": "no space left" })),
        ("there", 100, 409, json!({ "error": "it is there already" })),
    ] {
        let found = server.page(&format!("PUT /api/files/{name}"), &"x".repeat(length));
        assert_eq!(found, (status, expected), "{name} {length}");
    }
    // A file that ends before its length is not one.
    let stream = server.send("PUT /api/files/a.csv", PAGE, "");
    drop(stream);
    assert_eq!(Running::start(true).page("PUT /api/files/a.csv", "x").0, 403);
}

/// A connection to a WebSocket, after its head.
fn socket(server: &Running, address: &str) -> BufReader<TcpStream> {
    let mut reader = BufReader::new(server.send(&format!("GET {address}"), &format!("{UPGRADE}{PAGE}"), ""));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status");
    assert!(line.starts_with("HTTP/1.1 101"), "{line}");
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line).expect("a head");
    }
    reader
}

/// Sends a short text, with a mask of zeros.
fn say(socket: &mut BufReader<TcpStream>, text: &str) {
    let frame = [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0], text.as_bytes()].concat();
    socket.get_mut().write_all(&frame).expect("the server reads");
}

/// The next short text.
fn heard(socket: &mut BufReader<TcpStream>) -> String {
    let mut head = [0; 2];
    socket.read_exact(&mut head).expect("an answer");
    let mut text = vec![0; usize::from(head[1])];
    socket.read_exact(&mut text).expect("a text");
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn the_language_server_is_spoken_to() {
    let server = Running::start(false);
    let mut socket = socket(&server, "/api/language");
    say(&mut socket, "hi");
    assert_eq!(heard(&mut socket), "heard hi");
}

#[test]
fn programs_are_talked_with() {
    let server = Running::start(false);
    let begin = |first: &str| {
        let mut socket = socket(&server, "/api/talks/sh");
        say(&mut socket, first);
        socket
    };
    let mut one = begin(r#"{"script":"while read x; do echo got $x; done"}"#);
    say(&mut one, "a");
    assert_eq!(heard(&mut one), "got a\n");
    for refused in ["secret", "a\nsecret"] {
        say(&mut one, refused);
        assert_eq!(heard(&mut one), r#"{"error":"this cannot be asked now"}"#, "{refused:?}");
    }
    say(&mut one, "b");
    assert_eq!(heard(&mut one), "got b\n");
    let mut other = begin(r#"{"script":"read x; echo broken >&2"}"#);
    let mut third = BufReader::new(server.send("GET /api/talks/sh", &format!("{UPGRADE}{PAGE}"), ""));
    let mut status = String::new();
    third.read_line(&mut status).expect("a status");
    assert!(status.starts_with("HTTP/1.1 429"), "{status}");
    say(&mut other, "x");
    assert_eq!(heard(&mut other), r#"{"error":"broken"}"#);
    drop(one);
    thread::sleep(Duration::from_millis(200));
    assert_eq!(heard(&mut begin("{}")), r#"{"error":"no script"}"#);
    assert!(heard(&mut begin("[]")).contains("a request is a JSON object"));
}
