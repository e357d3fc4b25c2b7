//! How long an edit takes to become findings: from the change that is sent to the findings that arrive, in a project of
//! 10,000 requirements in 100 documents. Run it with
//! `cargo test --release -p shall --test lsp_latency -- --ignored --nocapture`.

mod editor;

use editor::{Editor, uri};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const DOCUMENTS: usize = 100;
const EACH: usize = 100;
const EDITS: i32 = 40;

/// A document with its own component and a hundred requirements.
fn document(number: usize) -> String {
    let mut out = format!("# C{number}\n\n| name | kind | type |\n|---|---|---|\n");
    for variable in 0..20 {
        let kind = if variable < 10 { "input" } else { "output" };
        let _ = writeln!(out, "| v{variable} | {kind} | int 0..100 |");
    }
    for at in 0..EACH {
        let (a, b, c) = (at % 10, (at * 7) % 10, 10 + at % 10);
        let _ = write!(
            out,
            "\n## R-{number}-{at}: Title of {at}\n\nThe reason for it.\n\n```fretish\nwhen v{a} > {at} & v{b} < 90, \
             C{number} shall within {} ticks satisfy v{c} = v{a} + {at}\n```\n\n- status: draft\n",
            1 + at % 9
        );
    }
    out
}

#[test]
#[ignore = "a measurement"]
fn an_edit_becomes_findings() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp-latency");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("shall.toml"), "").expect("a file");
    for number in 0..DOCUMENTS {
        std::fs::write(folder.join(format!("d{number:03}.md")), document(number)).expect("a file");
    }
    let begin = Instant::now();
    let mut editor = Editor::in_folder(&folder, json!({}));
    let file = uri(&folder.join("d050.md"));
    let text = document(50);
    editor.open(&file, &text);
    let usual = editor.findings(&file, Some(1)).len();
    println!("start: {} ms", begin.elapsed().as_millis());

    let line = text.lines().position(|line| line.starts_with("when ")).expect("a sentence");
    let mut times: Vec<Duration> = Vec::new();
    for version in 2..2 + EDITS {
        // A letter more, and away again: the sentence is wrong and right in turns.
        let (to, new) = if version % 2 == 0 { (0, "x") } else { (1, "") };
        let range =
            json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": to } });
        let sent = Instant::now();
        editor.change(&file, version, &json!([{ "range": range, "text": new }]));
        let found = editor.findings(&file, Some(version));
        times.push(sent.elapsed());
        assert_eq!(found.len() == usual, version % 2 == 1);
        std::thread::sleep(Duration::from_millis(20));
    }
    times.sort_unstable();
    let shown = |at: usize| times[at].as_micros() as f64 / 1000.0;
    println!(
        "{} requirements, {EDITS} edits: median {:.1} ms, least {:.1} ms, most {:.1} ms",
        DOCUMENTS * EACH,
        shown(times.len() / 2),
        shown(0),
        shown(times.len() - 1)
    );
    editor.end(0);
}
