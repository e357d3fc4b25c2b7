//! `shall serve` as the page meets it: the answers are those of the command line, and nothing outside the project is touched.

mod common;
mod folder;

use base::Random;
use common::Run;
use folder::Folder;
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

/// A server that runs in a folder until it is dropped.
struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Server {
    fn start(folder: &Folder, options: &[&str]) -> Server {
        let mut command = common::command(&[&["serve", "--port", "0"], options].concat());
        command.current_dir(&folder.0);
        Server::spawned(command)
    }

    fn spawned(mut command: std::process::Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line).expect("an address");
        let (host, token) = line.trim()["http://".len()..].split_once("/?token=").expect("a token");
        Server { child, host: host.into(), token: token.into() }
    }

    fn request(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let (host, token, length) = (&self.host, &self.token, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .expect("the server reads");
        stream
    }

    fn send(&self, method: &str, path: &str, body: &str) -> (u16, Json) {
        let mut answer = String::new();
        self.request(method, path, body).read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).unwrap_or_else(|_| Json::String(body.into())))
    }

    /// Asks a question.
    fn ask(&self, name: &str, request: &Json) -> (u16, Json) {
        self.send("POST", &format!("/api/{name}"), &request.to_string())
    }

    /// Does long work, to its end.
    fn work(&self, request: &Json) -> (u16, Json) {
        let (status, job) = self.ask("jobs", request);
        if status != 200 {
            return (status, job);
        }
        loop {
            let (_, state) = self.send("GET", &format!("/api/jobs/{}", job["id"]), "");
            if state["state"] != "running" {
                return (200, state);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with the project of `shall init`.
fn tank(name: &str) -> Folder {
    let folder = Folder::new(name, &[]);
    folder.check(&["init"], 0, &[]);
    folder
}

/// Leaves out what is different each time.
fn without_times(document: &mut Json) {
    let Some(fields) = document.as_object_mut() else { return };
    fields.remove("seconds");
    fields.values_mut().for_each(without_times);
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.0.join(name)).expect("a text")
}

fn write(folder: &Folder, name: &str, text: &str) {
    std::fs::write(folder.0.join(name), text).expect("the file can be written");
}

/// What a command prints as JSON.
fn printed(folder: &Folder, arguments: &[&str]) -> Json {
    let arguments = [arguments, &["--output-format", "json"]].concat();
    let run =
        Run::of(common::command(&arguments).current_dir(&folder.0).output().expect("the command starts"));
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn the_answers_are_those_of_the_command_line() {
    let folder = Folder::new("serve-answers", &[]);
    let server = Server::start(&folder, &[]);
    let (_, playground) = server.ask("project", &json!({}));
    assert_eq!((&playground["playground"], &playground["read_only"]), (&json!(true), &json!(false)));
    let printed = |arguments: &[&str]| printed(&folder, arguments);
    for text in [
        "when p the pump shall within 3 ticks satisfy q > 2",
        "in m mode, the pump shall until stop satisfy s = idle",
        "the pump shal satisfy q",
        "\"a note\"",
        "größe",
        "",
    ] {
        let (status, answer) = server.ask("sentence", &json!({ "text": text, "dialect": "unicode" }));
        assert_eq!(status, 200, "{answer}");
        if text.is_empty() {
            continue;
        }
        assert_eq!(answer["explained"], printed(&["explain", text])["sentences"][0], "{text}");
        let formulas = printed(&["formalize", "--dialect", "unicode", text]);
        assert_eq!(answer["formalized"], formulas["sentences"][0], "{text}");
        assert_eq!(answer["svg"].is_string(), answer["explained"]["explanation"].is_object(), "{text}");
        assert!(answer["proposal"].is_null(), "{text}");
    }
    for (text, sentence) in [
        (
            "If the button is pressed, the door must open within 2 seconds.",
            json!("if button_is_pressed, the door shall within 2 seconds satisfy open"),
        ),
        ("The speed shall not exceed 50 km/h", json!("the System shall always satisfy speed <= 50")),
        ("when alarm, the pump sh", json!(null)),
        ("the pump shall satisfy", json!(null)),
    ] {
        let (_, answer) = server.ask("sentence", &json!({ "text": text }));
        assert_eq!(answer["proposal"]["sentence"], sentence, "{answer}");
    }
    let (a, b) = ("the pump shall always satisfy p > 3", "the pump shall always satisfy p > 2");
    assert_eq!(server.ask("compare", &json!({ "a": a, "b": b })).1, printed(&["compare", a, b]));
    for (request, arguments) in [
        (json!({ "text": "G (a -> F b)" }), vec!["timeline", "G (a -> F b)"]),
        (json!({ "text": "G a", "negate": true }), vec!["timeline", "--negate", "G a"]),
        (json!({ "text": "G a", "against": "F a" }), vec!["timeline", "--against", "F a", "G a"]),
        (json!({ "text": "G (" }), vec!["timeline", "G ("]),
        (json!({ "text": "/etc/passwd" }), vec!["timeline", "/ etc/passwd"]),
    ] {
        let (_, mut answer) = server.ask("timeline", &request);
        let mut expected = printed(&arguments)["timelines"][0].take();
        for it in [&mut answer["timelines"][0], &mut expected] {
            without_times(it);
            // The path of a file is a text like any other.
            if request["text"] == "/etc/passwd" {
                it["text"].take();
            }
        }
        assert_eq!(answer["timelines"][0], expected, "{request}");
        let drawn =
            answer["drawings"].as_array().map_or(0, |all| all.iter().filter(|it| it.is_object()).count());
        assert_eq!(drawn > 0, expected["diagnostics"] == json!([]), "{request}");
    }
    for (name, request, status) in [
        ("sentence", json!({}), 400),
        ("sentence", json!({ "text": 3 }), 400),
        ("sentence", json!({ "text": "p", "dialect": "klingon" }), 400),
        ("compare", json!({ "a": "p" }), 400),
        ("nothing", json!({}), 404),
        ("document", json!({ "name": "x.md" }), 404),
        ("jobs", json!({ "name": "realize" }), 404),
    ] {
        let (found, answer) = server.ask(name, &request);
        assert_eq!(found, status, "{name} {request}: {answer}");
        assert!(answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn a_trace_is_judged_as_it_is_painted() {
    let folder = Folder::new("serve-bench", &[]);
    let server = Server::start(&folder, &[]);
    let sentence = "when p the pump shall within 2 ticks satisfy q";
    for (text, columns, verdict, triggers) in [
        (sentence, json!([]), json!("vacuous"), json!([])),
        (
            sentence,
            json!([{ "name": "p", "values": [false, true] }]),
            json!("violated"),
            json!([{ "step": 1, "interval": { "from": 0, "to": 5 }, "decided": 3, "met": false, "cut": false }]),
        ),
        (
            sentence,
            json!([{ "name": "p", "values": [true] }, { "name": "q", "values": [0, 0] }]),
            json!(null),
            json!([]),
        ),
        (
            "in m mode, the pump shall within 3 ticks satisfy x > 1.5",
            json!([{ "name": "m", "values": [false, true, true] }, { "name": "x", "values": [0, 1, "1.6"] }]),
            json!("holds"),
            json!([{ "step": 1, "interval": { "from": 1, "to": 2 }, "decided": 2, "met": true, "cut": false }]),
        ),
        ("the pump shal", json!([]), json!(null), json!([])),
    ] {
        let (status, answer) = server.ask("bench", &json!({ "text": text, "steps": 6, "columns": columns }));
        assert_eq!(status, 200, "{answer}");
        assert_eq!((&answer["verdict"], &answer["triggers"]), (&verdict, &triggers), "{text}: {answer}");
        assert_eq!(answer["error"].is_null(), !verdict.is_null(), "{answer}");
        for column in answer["columns"].as_array().into_iter().flatten() {
            assert_eq!(column["values"].as_array().map(Vec::len), Some(6), "{answer}");
        }
    }
    for steps in [json!(0), json!(1_000_000_000), json!(-1), json!("6")] {
        assert_eq!(server.ask("bench", &json!({ "text": sentence, "steps": steps })).0, 400, "{steps}");
    }
}

#[test]
fn documents_are_shown_and_saved() {
    let folder = tank("serve-documents");
    let outside = Folder::new("serve-outside", &[]);
    write(&outside, "secret.md", "# Secret\n");
    write(&outside, "secret.csv", "a\n1\n");
    #[cfg(unix)]
    for (target, link) in [("secret.md", "link.md"), ("", "linked"), ("secret.csv", "link.csv")] {
        std::os::unix::fs::symlink(outside.0.join(target), folder.0.join(link)).expect("a link");
    }
    let server = Server::start(&folder, &[]);
    let (_, project) = server.ask("project", &json!({}));
    let ids: Vec<&str> =
        project["requirements"].as_array().into_iter().flatten().filter_map(|it| it["id"].as_str()).collect();
    assert!(ids.len() == 6 && project["read_only"] == json!(false), "{project}");
    assert_eq!(project["check"]["findings"], printed(&folder, &["check"])["findings"]);
    // A sentence of a component has the step of its project.
    let text = "when alarm the TankController shall within 1 second satisfy valve";
    let steps = |component: Json| {
        let request = json!({ "text": text, "component": component });
        let (_, answer) = server.ask("sentence", &request);
        answer["explained"]["explanation"]["response"].to_string()
    };
    assert!(steps(json!("TankController")).contains("10 steps"), "{}", steps(json!("TankController")));
    assert!(!steps(json!(null)).contains("10 steps"));
    let name = "requirements.md";
    let (_, shown) = server.ask("document", &json!({ "name": name }));
    assert_eq!(shown["text"], read(&folder, name));
    let save = |text: &str, version: &Json| {
        server.ask("save", &json!({ "name": name, "text": text, "version": version }))
    };
    let (status, saved) = save("# Mine\n", &shown["version"]);
    assert_eq!((status, read(&folder, name).as_str()), (200, "# Mine\n"), "{saved}");
    // Somebody else writes it: what is on disk stays, and comes back.
    write(&folder, name, "# Theirs\n");
    let (status, conflict) = save("# Mine again\n", &saved["version"]);
    assert_eq!((status, read(&folder, name).as_str()), (409, "# Theirs\n"), "{conflict}");
    assert_eq!(conflict["text"], "# Theirs\n");
    assert_eq!(save("# Both\n", &conflict["version"]).0, 200);
    assert_eq!(read(&folder, name), "# Both\n");
    let secret = outside.0.join("secret.md").display().to_string();
    for name in [
        "../x.md",
        "link.md",
        "linked/secret.md",
        "linked/secret.csv",
        "link.csv",
        "shall.toml",
        "",
        ".",
        "requirements.md/",
        secret.as_str(),
    ] {
        assert_eq!(server.ask("document", &json!({ "name": name })).0, 404, "{name}");
        let request = json!({ "name": name, "text": "gone", "version": "" });
        assert_eq!(server.ask("save", &request).0, 404, "{name}");
        let status = if name == "shall.toml" { 200 } else { 404 };
        assert_eq!(server.work(&json!({ "name": "log", "file": name })).0, status, "{name}");
        assert_eq!(server.ask("waveform", &json!({ "file": name })).0, status, "{name}");
    }
    let (_, files) = server.ask("files", &json!({}));
    assert!(!files.to_string().contains("secret") && !files.to_string().contains("link"), "{files}");
    assert_eq!(read(&outside, "secret.md"), "# Secret\n");
    drop(server);
    let reader = Server::start(&folder, &["--read-only"]);
    let (_, shown) = reader.ask("document", &json!({ "name": name }));
    let request = json!({ "name": name, "text": "gone", "version": shown["version"] });
    assert_eq!((reader.ask("save", &request).0, read(&folder, name).as_str()), (403, "# Both\n"));
}

#[test]
fn long_work_is_done_by_commands() {
    let folder = tank("serve-work");
    write(&folder, "log.csv", "step,level\n0,1\n1,2\n");
    write(
        &folder,
        "counter.lus",
        "node top(x: bool) returns (ok: bool);\nlet ok = true; --%PROPERTY ok;\ntel\n",
    );
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/simulink/RollAutopilot.mdl");
    std::fs::copy(model, folder.0.join("roll.mdl")).expect("a model");
    let server = Server::start(&folder, &[]);
    for (request, state, field) in [
        (json!({ "name": "diagram", "file": "roll.mdl" }), "done", "drawing"),
        (json!({ "name": "diagram", "file": "roll.mdl", "subsystem": "roll/Reference" }), "done", "drawing"),
        (json!({ "name": "diagram", "file": "roll.mdl", "subsystem": "--help" }), "failed", ""),
        (json!({ "name": "realize" }), "done", "verdict"),
        (json!({ "name": "check", "set": true }), "done", "findings"),
        (json!({ "name": "log", "file": "log.csv" }), "done", "files"),
        (json!({ "name": "verify", "file": "counter.lus", "timeout": 10 }), "done", "properties"),
        (json!({ "name": "verify", "file": "counter.lus", "node": "--help" }), "failed", ""),
    ] {
        let (status, found) = server.work(&request);
        assert_eq!((status, &found["state"]), (200, &json!(state)), "{request}: {found}");
        assert!(field.is_empty() || !found["result"][field].is_null(), "{request}: {found}");
    }
    for (request, status) in [
        (json!({ "name": "rm" }), 404),
        (json!({}), 404),
        (json!({ "name": "diff", "since": "--output=x" }), 400),
        (json!({ "name": "verify" }), 400),
        (json!({ "name": "verify", "file": "--help" }), 404),
        (json!({ "name": "eval", "files": [] }), 400),
        (json!({ "name": "dfrs", "file": "log.csv", "question": "--help" }), 400),
    ] {
        let (found, answer) = server.work(&request);
        assert_eq!(found, status, "{request}: {answer}");
    }
    let (_, files) = server.ask("files", &json!({}));
    let names: Vec<&str> =
        files["files"].as_array().into_iter().flatten().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["counter.lus", "log.csv", "requirements.md", "roll.mdl"]);
}

#[test]
fn a_folder_becomes_a_project() {
    let folder = Folder::new("serve-begin", &[]);
    let server = Server::start(&folder, &[]);
    let put = |name: &str, text: &str| server.send("PUT", &format!("/api/files/{name}"), text);
    for name in ["x.md", "x.exe", "x", ".x.csv", "..%2Fx.csv", "a%5Cx.csv", "x%00.csv"] {
        let (status, answer) = put(name, "a\n1\n");
        assert_eq!(status, 400, "{name}: {answer}");
    }
    let sheet = "ID,Text\nR-1,When the alarm is on the pump shall stop within 3 ticks.\nR-2,Looks nice.\n";
    assert_eq!(put("old.csv", sheet), (200, json!({ "name": "old.csv" })));
    assert_eq!(put("old.csv", "other").0, 409);
    assert_eq!(read(&folder, "old.csv"), sheet);
    let left = std::fs::read_dir(&folder.0).expect("a folder").flatten();
    assert_eq!(left.map(|it| it.file_name()).collect::<Vec<_>>(), ["old.csv"]);
    assert_eq!(server.work(&json!({ "name": "import", "file": "../old.csv" })).0, 404);
    let profile = json!({ "id": "ID", "sentence": "Text" });
    let (_, done) = server.work(&json!({ "name": "import", "file": "old.csv", "profile": profile }));
    assert_eq!(done["result"]["added"], json!(["R-1", "R-2"]), "{done}");
    let (_, project) = server.ask("project", &json!({}));
    assert_eq!(project["requirements"].as_array().map(Vec::len), Some(2), "{project}");
    drop(server);

    let folder = Folder::new("serve-example", &[]);
    let reader = Server::start(&folder, &["--read-only"]);
    assert_eq!(reader.work(&json!({ "name": "init" })).0, 403);
    assert_eq!(reader.send("PUT", "/api/files/x.csv", "a\n1\n").0, 403);
    drop(reader);
    let server = Server::start(&folder, &[]);
    let (_, done) = server.work(&json!({ "name": "init" }));
    assert_eq!(done["code"], 0, "{done}");
    assert_eq!(server.ask("project", &json!({})).1["requirements"].as_array().map(Vec::len), Some(6));
    // Nothing is replaced.
    assert_eq!(server.work(&json!({ "name": "init" })).1["state"], "failed");
}

#[test]
fn a_window_of_a_log_has_its_extents() {
    let folder = tank("serve-logs");
    let value = |row: u64| (row * 7919) % 1013;
    let mut text = String::from("time,level,on,mode\n");
    let rows: u64 = 300_000;
    for row in 0..rows {
        let mode = if row < 200_000 { "idle" } else { "run" };
        text += &format!("{}.5,{},{},{mode}\n", row, value(row), u64::from(row == 123_456));
    }
    write(&folder, "log.csv", &text);
    let server = Server::start(&folder, &[]);
    let known = loop {
        let (status, known) = server.ask("waveform", &json!({ "file": "log.csv" }));
        assert_eq!(status, 200, "{known}");
        if known["done"] == json!(true) {
            break known;
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert_eq!((&known["steps"], &known["error"]), (&json!(rows), &json!(null)), "{known}");
    assert_eq!(known["time"], json!({ "signal": 0, "unit": "seconds" }));
    let kinds: Vec<&Json> = known["signals"].as_array().into_iter().flatten().map(|it| &it["kind"]).collect();
    assert_eq!(kinds, ["number", "number", "bool", "enum"]);
    // From what is kept, and from the file.
    for (from, per, count) in [(0, 1024, 300), (131_072, 4096, 10), (122_880, 1, 1000), (299_008, 2, 1000)] {
        let request =
            json!({ "file": "log.csv", "signals": [1, 2, 3], "from": from, "per": per, "count": count });
        let (status, found) = server.ask("extents", &request);
        assert_eq!(status, 200, "{found}");
        for at in 0..count {
            let steps: Vec<u64> = (from + at * per..(from + (at + 1) * per).min(rows)).collect();
            let of = |number: &dyn Fn(u64) -> u64| {
                let all = || steps.iter().map(|step| number(*step) as f64);
                (!steps.is_empty()).then(|| [all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max)])
            };
            let expected =
                [of(&value), of(&|step| u64::from(step == 123_456)), of(&|step| u64::from(step >= 200_000))];
            for (signal, expected) in expected.into_iter().enumerate() {
                let extent = &found["extents"][signal];
                let found = [&extent[0][at as usize], &extent[1][at as usize]];
                let found =
                    found[0].as_f64().zip(found[1].as_f64()).map(|(least, greatest)| [least, greatest]);
                assert_eq!(found, expected, "{from} {per} {at} {signal}");
            }
        }
    }
    for (request, status) in [
        (json!({ "file": "../log.csv", "signals": [0], "from": 0, "per": 1, "count": 1 }), 404),
        (json!({ "file": "log.csv", "signals": [9], "from": 0, "per": 1, "count": 1 }), 404),
        (json!({ "file": "log.csv", "signals": [0], "from": 0, "per": 3, "count": 1 }), 400),
        (json!({ "file": "log.csv", "signals": [0], "from": 1, "per": 2, "count": 1 }), 400),
        (json!({ "file": "log.csv", "signals": [0], "from": 0, "per": 0, "count": 1 }), 400),
        (json!({ "file": "log.csv", "signals": [0], "from": 0, "per": 1, "count": 1_000_000_000 }), 400),
        (json!({ "file": "log.csv", "signals": [0], "from": 0, "per": 1_u64 << 63, "count": 2 }), 400),
        (
            json!({ "file": "log.csv", "signals": [0], "from": 1_u64 << 62, "per": 1_u64 << 50, "count": 2 }),
            200,
        ),
    ] {
        let (found, answer) = server.ask("extents", &request);
        assert_eq!(found, status, "{request}: {answer}");
    }
    // A log that cannot be read says so.
    write(&folder, "bad.csv", "a,b\n1,2\n3\n");
    let bad = loop {
        let (_, known) = server.ask("waveform", &json!({ "file": "bad.csv" }));
        if known["done"] == json!(true) {
            break known;
        }
    };
    assert!(bad["error"].as_str().is_some_and(|error| error.contains("1 cell")), "{bad}");
}

/// A disk that is full, here for files of more than a few KiB: nothing of the text is written, and the server goes on.
#[cfg(unix)]
#[test]
fn a_full_disk_changes_nothing() {
    let folder = tank("serve-full");
    let (name, before) = ("requirements.md", read(&folder, "requirements.md"));
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" serve --port 0";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_shall")]).current_dir(&folder.0);
    let server = Server::spawned(command);
    let (_, shown) = server.ask("document", &json!({ "name": name }));
    let save =
        |text: &str| server.ask("save", &json!({ "name": name, "text": text, "version": shown["version"] }));
    let (status, answer) = save(&"A paragraph.\n\n".repeat(2000));
    assert_eq!(status, 500, "{answer}");
    assert!(answer["error"].as_str().is_some_and(|error| error.contains(name)), "{answer}");
    let (status, answer) = server.send("PUT", "/api/files/log.csv", &"1\n".repeat(20_000));
    assert_eq!(status, 500, "{answer}");
    assert_eq!(read(&folder, name), before);
    let left = std::fs::read_dir(&folder.0).expect("a folder").flatten().map(|it| it.file_name());
    assert_eq!(left.filter(|it| it != name && it != "shall.toml").count(), 0, "nothing is left behind");
    assert_eq!((save("# Short\n").0, read(&folder, name).as_str()), (200, "# Short\n"));
}

/// Two pages and an editor write the same document, and the server is killed at any time, also in the middle of a save. No accepted
/// edit is lost: whoever saves has seen the text that is replaced. And the file is always one of the texts, whole.
#[test]
fn no_edit_is_lost() {
    let folder = tank("serve-cycles");
    let name = "requirements.md";
    let mut random = Random::new(7);
    let mut server = Server::start(&folder, &[]);
    let mut now = read(&folder, name);
    // What each page shows: text and version.
    let mut pages = [(now.clone(), json!("")), (now.clone(), json!(""))];
    for cycle in 0..200 {
        let text = format!("# Cycle {cycle}\n\n{}", "A paragraph.\n\n".repeat(random.below(2000)));
        let page = random.below(2);
        match random.below(8) {
            0 => {
                write(&folder, name, &text);
                now = text;
            }
            1 => {
                // The save is cut off, before or after it is done.
                let request = json!({ "name": name, "text": text, "version": pages[page].1 }).to_string();
                let stream = server.request("POST", "/api/save", &request);
                thread::sleep(Duration::from_micros(random.below(3000) as u64));
                server = {
                    drop(server);
                    drop(stream);
                    Server::start(&folder, &[])
                };
                let found = read(&folder, name);
                assert!(found == now || found == text && pages[page].0 == now, "cycle {cycle}: {found:.50}");
                now = found;
            }
            2..=4 => {
                let (status, shown) = server.ask("document", &json!({ "name": name }));
                assert_eq!((status, &shown["text"]), (200, &json!(now)), "cycle {cycle}");
                pages[page] = (now.clone(), shown["version"].clone());
            }
            _ => {
                let request = json!({ "name": name, "text": text, "version": pages[page].1 });
                let (status, answer) = server.ask("save", &request);
                match status {
                    200 => {
                        assert_eq!(
                            pages[page].0, now,
                            "cycle {cycle}: a text was replaced that nobody had seen"
                        );
                        pages[page] = (text.clone(), answer["version"].clone());
                        now = text;
                    }
                    _ => assert_eq!((status, &answer["text"]), (409, &json!(now)), "cycle {cycle}"),
                }
            }
        }
        assert_eq!(read(&folder, name), now, "cycle {cycle}");
    }
}
