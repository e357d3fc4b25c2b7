//! The command line as a user meets it: output, exit codes, and what happens to bad input.

mod common;

use common::{Run, command};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn shall(arguments: &[&str], input: &[u8]) -> Run {
    shall_into(Stdio::piped(), arguments, input)
}

fn shall_into(stdout: Stdio, arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("there is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join();
    Run::of(output)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Compares output with a file; `SHALL_BLESS=1` writes the file instead.
#[track_caller]
fn snapshot(name: &str, arguments: &[&str], code: i32) {
    let run = shall(arguments, b"");
    assert_eq!(run.code, code, "{arguments:?}\n{}{}", run.out, run.err);
    let found = format!("{}{}{}", run.out, if run.err.is_empty() { "" } else { "--- stderr\n" }, run.err);
    let path = folder("snapshots").join(name);
    if std::env::var_os("SHALL_BLESS").is_some() {
        std::fs::write(&path, &found).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{name}: run with SHALL_BLESS=1 and read the difference");
}

#[track_caller]
fn check(arguments: &[&str], input: &[u8], code: i32, expected: &[&str]) {
    let run = shall(arguments, input);
    let all = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{arguments:?}\n{all}");
    for part in expected {
        assert!(all.contains(part), "{arguments:?}: `{part}` is not in\n{all}");
    }
}

const ROLL: &str =
    "in roll_hold mode, when turn_knob >= 3, RollAP shall within 2 ticks satisfy reference = turn_knob";

#[test]
fn snapshots() {
    snapshot("formalize.txt", &["formalize", ROLL], 0);
    snapshot("formalize-latex.txt", &["formalize", "--logic", "past", "--dialect", "latex", ROLL], 0);
    snapshot(
        "formalize-weak.txt",
        &["formalize", "--logic", "future", "--dialect", "shall", "--end", "weak-next", ROLL],
        0,
    );
    snapshot("formalize.json", &["formalize", "--output-format", "json", ROLL], 0);
    snapshot("explain.txt", &["explain", ROLL], 0);
    snapshot(
        "explain-ascii.txt",
        &["explain", "--ascii", "only after boot mode shall the radio for 2 ticks satisfy state = sending"],
        0,
    );
    snapshot(
        "explain.json",
        &["explain", "--output-format", "json", "whenever p the pump shall until q satisfy x > 0.5"],
        0,
    );
    snapshot(
        "errors.txt",
        &["formalize", "when p & & q the landing gear shall within 3 secnds satisfy (0 < x < 5"],
        1,
    );
    snapshot(
        "warnings.txt",
        &[
            "formalize",
            "--logic",
            "past",
            "if p & q is false the pump shall for 2 minutes satisfy persists(2, r)",
        ],
        0,
    );
}

#[test]
fn eval() {
    let trace = folder("traces/roll.csv");
    let trace = trace.to_str().unwrap();
    snapshot(
        "eval.txt",
        &[
            "eval",
            "--trace",
            trace,
            ROLL,
            "whenever !roll_hold the sw shall immediately satisfy reference >= 0",
            "when turn_knob > 99 the sw shall always satisfy roll_hold",
        ],
        1,
    );
    let json = ["eval", "--trace", "tests/traces/roll.csv", "--output-format", "json", ROLL];
    snapshot("eval.json", &json, 1);
    for meaning in ["oracle", "past", "future", "all"] {
        check(&["eval", "--trace", trace, "--meaning", meaning, ROLL], b"", 1, &["violated"]);
    }
    let p = b"p,q,s\n1,0,idle\n0,1,run\n" as &[u8];
    let on = |sentence: &str, code: i32, expected: &str| {
        check(&["eval", "--trace", "-", sentence], p, code, &[expected])
    };
    on("when p the sw shall within 1 tick satisfy q", 0, "holds: at step 1, `q` holds");
    on("when s = run the sw shall immediately satisfy q", 0, "holds");
    on("after p the sw shall immediately satisfy s = idle", 1, "violated: triggered at step 1");
    on("the sw shall always satisfy p + q = 1", 0, "holds");
    on("the sw shall always satisfy if occurred(1, p) then persists(0, q | p)", 0, "holds");
    on("before r the sw shall always satisfy p", 2, "`r`");
    on("the sw shall always satisfy p & s", 3, "line 2, column `s`: `idle` is not a Boolean");
    on("the sw shall always satisfy sin(q) > 0", 2, "sin(q)");
    on("the sw shall always satisfy 1 / (p - p) > 0", 2, "division by zero");
    check(&["eval", "--trace", "no/such.csv", "the sw shall satisfy p"], b"", 2, &["no/such.csv"]);
    check(&["eval", "--trace", "-", "the sw shall satisfy p"], b"p,q\n1\n", 2, &["line 2"]);
    check(&["eval", "--trace", "-", "the sw shall satisfy p"], b"p,q\n0,0\n1\n", 3, &["line 3"]);
    check(&["eval", "--trace", "-", "-"], b"", 2, &["standard input"]);
    let units = [
        "eval",
        "--trace",
        "-",
        "the sw shall within 1 second satisfy q",
        "the sw shall within 1 minute satisfy q",
    ];
    check(&units, p, 2, &["  holds", "E0206", "in minutes", "one is in seconds", "--step", "  not checked"]);
    check(&[&units[..], &["--step", "1 second"]].concat(), p, 0, &["holds"]);
}

#[test]
fn columns_are_read_as_each_sentence_uses_them() {
    let trace = b"p,q,LAST,f(p),s\n1,0,0,1,A\n0,1,0,0,B\n" as &[u8];
    for (sentences, code, expected) in [
        (
            &["sw shall always satisfy p | q", "sw shall always satisfy p + q = 1", "sw shall satisfy p"][..],
            0,
            "holds",
        ),
        (&["sw shall satisfy p", "sw shall never satisfy LAST", "sw shall always satisfy p | q"], 0, "holds"),
        (&["sw shall always satisfy f(p) <=> p"], 0, "holds"),
        (&["sw shall always satisfy f(p) = p & p <= 1"], 0, "holds"),
        (
            &["sw shall never satisfy s = a"],
            0,
            "note: `a` is never a value of `s` in the trace; did you mean `A`?",
        ),
        (&["when s != C sw shall satisfy p"], 0, "note: `C` is never a value of `s` in the trace\n"),
        (
            &["sw shall never satisfy ste = A"],
            2,
            "not checked: neither `ste` nor `A` is a column of the trace",
        ),
        (&["sw shall never satisfy last = A"], 2, "did you mean `LAST`?"),
        (&["--const", "q=7", "sw shall satisfy p"], 2, "--const: `q` is also a column"),
    ] {
        check(&[&["eval", "--trace", "-"], sentences].concat(), trace, code, &[expected]);
    }
    let json = ["eval", "--trace", "-", "--output-format", "json-lines", "sw shall satisfy s = a | s = A"];
    check(&json, trace, 0, &["\"notes\":[\"`a` is never"]);
    // A name that only marks the end is no column.
    check(
        &["eval", "--trace", "-", "sw shall satisfy p", "sw shall satisfy LAST"],
        b"p\n1\n",
        2,
        &["`LAST`"],
    );
}

#[test]
fn notes_are_not_checked_and_no_failure() {
    let (p, note) = (b"p\n1\n", "\"all is well\"");
    check(&["eval", "--trace", "-", note], p, 0, &["  not checked: a note has no formal meaning", "W0106"]);
    check(&["eval", "--trace", "-", note, "sw shall never satisfy p"], p, 1, &["violated"]);
    let json = ["eval", "--trace", "-", "--output-format", "json-lines", note];
    check(&json, p, 0, &["\"holds\":null", "\"error\":\"a note has no formal meaning\""]);
    let path = std::env::temp_dir().join(format!("shall-note-{}.svg", std::process::id()));
    check(&["explain", "--svg", path.to_str().unwrap(), note], b"", 2, &["a note has no formal meaning"]);
    assert!(!path.exists());
    let run = shall(&["explain", "--svg", "-", ROLL], b"");
    assert!(run.out.starts_with("<svg") && run.out.ends_with("</svg>\n"), "{}", run.out);
    let json = ["explain", "--svg", "-", "--output-format", "json", ROLL];
    check(&json, b"", 2, &["cannot both be written to standard output"]);
    check(&["explain", "--svg", "x.svg", ROLL, ROLL], b"", 2, &["one sentence, not several"]);
}

#[test]
fn units_are_not_mixed() {
    let (second, minute) = ("sw shall within 2 seconds satisfy p", "sw shall for 1 minute satisfy p");
    for command in ["formalize", "explain"] {
        let list = format!("{second}\n{minute}\n");
        check(&[command, second, minute], b"", 1, &["E0206", "in minutes, but an earlier one is in seconds"]);
        check(&[command, "--step", "1 s", second, minute], b"", 0, &[]);
        check(&[command, second, "sw shall within 3 ticks satisfy p", second], b"", 0, &[]);
        check(&[command, "-"], list.as_bytes(), 0, &[]);
    }
    let run = shall(&["formalize", "--output-format", "json-lines", second, minute], b"");
    let [first, later] = run.out.lines().collect::<Vec<_>>()[..] else { panic!("two lines: {}", run.out) };
    assert!(
        !first.contains("E0206") && later.contains("E0206") && later.contains("{\"start\":13,\"end\":14}")
    );
}

#[test]
fn a_terminal_is_told_nothing() {
    let nasty = "when \"a\u{1b}[31m\nb\" > 1 the \"c\u{7}\u{9b}\" shall until \"d\u{202e}\"\tsatisfy \"e\u{7f}\" = \"f\u{1b}\"";
    let trace = "\"a\u{1b}[31m\nb\",d\u{202e},e\u{7f}\n2,1,\u{1b}\n".as_bytes();
    let broken = "p shall \u{1b}]0;x\u{7} satisfy \u{202e}";
    let step = "1 \u{1b}[2J";
    let runs: [(&[&str], &[&str]); 8] = [
        (&["formalize", nasty], &["a␛[31m␊b", "d\\u{202e}", "renamed", "␉satisfy"]),
        (&["formalize", "--dialect", "unicode", nasty], &["a␛[31m␊b", "e␡"]),
        (&["explain", nasty], &["a␛[31m␊b", "c␇\\u{9b}", "f␛"]),
        (&["eval", "--trace", "-", nasty], &["a␛[31m␊b", "note: `f␛` is never a value of `e␡`"]),
        (&["eval", "--trace", "-", "sw shall satisfy \"\u{1b}\""], &["no column `␛`"]),
        (&["eval", "--trace", "\u{1b}", nasty], &["error: cannot read ␛"]),
        (&["formalize", broken], &["␛]0;x␇", "\\u{202e}"]),
        (&["formalize", "--step", step, nasty], &["1 ␛[2J"]),
    ];
    for (arguments, expected) in runs {
        let run = shall(arguments, trace);
        let all = format!("{}{}", run.out, run.err);
        let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!all.contains(obeyed), "{arguments:?}\n{all:?}");
        assert!(expected.iter().all(|part| all.contains(part)), "{arguments:?}\n{all}");
    }
    let run = shall(
        &["formalize", "--output-format", "json-lines", "sw shall satisfy \"\u{1b}\u{7f}\u{202e}\""],
        b"",
    );
    assert!(run.out.contains("\\u001b\u{7f}\u{202e}"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_no_success() {
    let p = b"p\n1\n";
    let holds = ["eval", "--trace", "-", "sw shall satisfy p"];
    let violated = ["eval", "--trace", "-", "sw shall never satisfy p"];
    let json = ["formalize", "--output-format", "json", "sw shall satisfy p"];
    let reports = ["sarif", "junit", "html", "json-lines"]
        .map(|format| ["eval", "--trace", "-", "--output-format", format, "sw shall satisfy p"]);
    let watch = ["watch", "sw shall satisfy p"];
    let others = [&holds[..], &violated, &json, &["explain", "sw shall satisfy p"], &watch];
    for arguments in others.into_iter().chain(reports.iter().map(|it| &it[..])) {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("there is such a device");
        let run = shall_into(full.into(), arguments, p);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains("cannot write standard output"), "{}", run.err);
    }
    for (arguments, code) in [(&holds[..], 0), (&violated, 1), (&json, 0), (&["formalize", "nickel"], 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert_eq!(shall_into(writer.into(), arguments, p).code, code, "{arguments:?}");
    }
}

#[test]
fn cells_that_do_not_fit_are_told() {
    for (trace, code, expected) in [
        ("x\n\n2\n\n\nhigh\n", 3, "line 6, column `x`: `high` is not a number"),
        ("x\n2\n\"3\n4\n", 3, "line 3: a quotation mark is never closed"),
        ("x\nNaN\n2\n", 3, "`NaN` is not a number"),
        ("x\n1_000\n2\n", 3, "`1_000` is not a number"),
        ("x\n1e100000\n", 3, "`1e100000` is not a number"),
        ("x,FTP\n2,1\n", 2, "`FTP`"),
        ("x,true\n2,1\n", 2, "`true`"),
    ] {
        check(&["eval", "--trace", "-", "sw shall satisfy x > 1"], trace.as_bytes(), code, &[expected]);
    }
}

#[test]
fn bad_input_is_told_and_not_suffered() {
    check(&["formalize", "-"], b"p shall satisfy \xff\n", 1, &["E0124", "byte 16"]);
    check(&["formalize", "-"], &b"(".repeat(100_000), 1, &["E0101"]);
    let deep = format!("sw shall satisfy {}p", "(".repeat(100_000));
    check(&["formalize", "-"], deep.as_bytes(), 1, &["E0121"]);
    check(&["formalize", "-"], &b"x ".repeat(5 << 20), 1, &["E0120"]);
    check(&["formalize", "-"], b"", 0, &[]);
    check(&["formalize", ""], b"", 1, &["E0100"]);
    check(&["formalize"], b"", 2, &["SENTENCE"]);
    check(&["formalize", "--step", "3 bananas", "sw shall satisfy p"], b"", 2, &["--step"]);
    check(&["formalize", "--const", "N", "sw shall satisfy p"], b"", 2, &["NAME=NUMBER"]);
    check(&["formalize", "the sw shall within N satisfy p"], b"", 1, &["E0204"]);
    check(
        &["formalize", "--const", "N=3", "--logic", "past", "the sw shall within N satisfy p"],
        b"",
        0,
        &["O [0,3]"],
    );
    check(
        &["explain", "--svg", "no/such/folder.svg", "sw shall satisfy p"],
        b"",
        2,
        &["cannot write no/such/folder.svg"],
    );
}

#[test]
fn lists_of_sentences() {
    let input = b"sw shall satisfy p\n\nnickel\r\n\"a note\"\n";
    let run = shall(&["formalize", "--output-format", "json-lines", "-"], input);
    assert_eq!((run.code, run.out.lines().count()), (1, 3), "{}", run.out);
    assert!(run.out.lines().all(|line| line.starts_with("{\"sentence\":") && line.ends_with('}')));
    let run = shall(&["formalize", "--output-format", "json", "-"], b"sw shall satisfy p\n");
    assert!(run.out.starts_with("{\n  \"sentences\": [\n    {\n") && run.err.is_empty(), "{}", run.out);
    let run = shall(&["formalize", "--output-format", "json", "-"], b"\n");
    assert_eq!(run.out, "{\n  \"sentences\": []\n}\n");
}

#[test]
fn the_picture_is_written() {
    let path = std::env::temp_dir().join(format!("shall-{}.svg", std::process::id()));
    check(&["explain", "--svg", path.to_str().unwrap(), ROLL], b"", 0, &[]);
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.contains("<svg") && svg.contains("roll_hold") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn compare_and_lint() {
    let within = |n: u32, x: &str| format!("when p the pump shall within {n} ticks satisfy {x}");
    check(
        &["compare", &within(3, "x > 3"), &within(3, "x > 2")],
        b"",
        0,
        &["A is stronger", "B holds: at step 3"],
    );
    check(
        &["compare", &within(3, "q"), &within(2, "q")],
        b"",
        0,
        &["A is weaker", "B is violated: triggered at step 0"],
    );
    check(&["compare", "H p", "pump shall always satisfy p"], b"", 0, &["equal"]);
    check(&["compare", "G p", "H p"], b"", 3, &["not decided", "the past and the other of the future"]);
    check(
        &["compare", "--infinite", "F G p", "G F p"],
        b"",
        0,
        &["A is stronger", "repeats from ↻ on", "step  ↻0  1", "p      1  0"],
    );
    check(&["compare", "--infinite", "O p", "G F p"], b"", 3, &["not decided"]);
    let run = shall(&["compare", "--infinite", "--output-format", "json", "X G p", "G p"], b"");
    assert!(run.out.contains("\"loop\": 1"), "{}", run.out);
    check(&["compare", "pump shall", "G p"], b"", 1, &["E0102"]);
    check(&["compare", "G p"], b"", 2, &["<B>"]);
    let run = shall(&["compare", "--output-format", "json", "G p", "F p"], b"");
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["relation"], "stronger");
    assert_eq!(
        (json["a_not_b"].is_null(), json["b_not_a"]["steps"].as_array().map(Vec::len)),
        (true, Some(2))
    );
    check(&["lint", "when p the pump shall satisfy q"], b"", 1, &["W0201", "1 finding"]);
    check(&["lint", "the pump shall always satisfy x > 3 | x < 4"], b"", 1, &["W0202"]);
    check(&["lint", "the pump shall always satisfy x > 3 & x < 2"], b"", 1, &["W0203"]);
    check(&["lint", "when p the pump shall always satisfy q"], b"", 0, &["no findings"]);
}

/// Old spellings work for one release, with a warning.
#[test]
fn old_spellings() {
    let example = |name: &str| folder("../../../examples").join(name).to_str().unwrap().to_string();
    let (counter, vending) = (example("lustre/counter.lus"), example("dfrs/vending_machine_5.req"));
    let roll = example("simulink/RollAutopilot.mdl");
    let always = "the machine shall always satisfy system_mode = system_mode";
    for (arguments, warning) in [
        (&["verify", "--budget", "1", &counter][..], "`shall verify --budget` is now `--timeout`"),
        (&["timeline", "--budget=1", "F a"], "`shall timeline --budget` is now `--limit-work`"),
        (&["dfrs", "check", "--budget", "9", &vending], "is now `--limit-states`"),
        (&["dfrs", "verify", "--budget", "9", &vending, always], "is now `shall verify FILE --sentence"),
        (&["vectors", "--max", "1", "--length", "2"], "`shall vectors --max` is now `--limit-settings`"),
        (&["model", "lustre", "--system", "none", &roll, "-o", "-"], "is now `--node`"),
        (&["model", "harness", "--system", "none", &roll, "--trace", "-", "-o", "-"], "is now `--node`"),
        (&["--output-format", "json", "lint", "sw shall satisfy p"], "now comes after the command"),
        (&["dfrs", "--output-format", "json", "model", &vending], "now comes after the command"),
    ] {
        let run = shall(arguments, b"");
        assert!(run.err.starts_with("warning: ") && run.err.contains(warning), "{arguments:?}: {}", run.err);
        assert!(!run.err.contains("unexpected argument"), "{arguments:?}: {}", run.err);
        assert_eq!(arguments.contains(&"--output-format"), run.out.starts_with("{\n"), "{}", run.out);
    }
}

#[test]
fn formats_of_each_command() {
    check(&["check", "--help"], b"", 0, &["sarif", "junit", "github", "concise"]);
    for command in [&["formalize", "--help"][..], &["model", "lustre", "--help"], &["dfrs", "test", "--help"]]
    {
        let run = shall(command, b"");
        assert!(run.out.contains("json-lines") && !run.out.contains("sarif"), "{}", run.out);
    }
    check(&["rule", "--output-format", "sarif"], b"", 2, &["possible values: human, json, json-lines"]);
    check(&["--output-format", "fret-json", "check"], b"", 2, &["invalid value 'fret-json'"]);
    let run = shall(&["--help"], b"");
    for part in ["Write:", "Check:", "Compare:", "Verify:", "Exchange:", "Set up:", "  completions "] {
        assert!(run.out.contains(part), "{}", run.out);
    }
}

#[test]
fn files_for_shells_and_man() {
    for (shell, part) in [
        ("bash", "_shall()"),
        ("zsh", "#compdef shall"),
        ("fish", "complete -c shall"),
        ("powershell", "shall"),
    ] {
        check(&["completions", shell], b"", 0, &[part, "formalize"]);
    }
    check(&["man"], b"", 0, &[".TH shall", "formalize"]);
    let pages = std::env::temp_dir().join(format!("shall-man-{}", std::process::id()));
    check(&["man", "--out", pages.to_str().unwrap()], b"", 0, &[]);
    let page = std::fs::read_to_string(pages.join("shall-dfrs-check.1")).unwrap();
    assert!(page.contains("limit\\-states") && pages.join("shall.1").exists(), "{page}");
    std::fs::remove_dir_all(&pages).unwrap();
    check(&["schema", "config"], b"", 0, &["\"$schema\""]);
    check(&["schema", "dfrs", "test"], b"", 0, &["\"coverage\"", "\"shall dfrs test\""]);
    check(&["schema", "lsp"], b"", 2, &["`lsp` has no JSON", "`dfrs test`"]);
}

/// Answers come before the input ends, in its order, and many at once.
#[test]
fn sentences_are_answered_as_they_come() {
    use std::io::{BufRead as _, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(["formalize", "--output-format", "json-lines", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    for number in 0..3 {
        // The start of the next line does not hold up this one.
        write!(input, "sw shall satisfy p{number}\nsw").expect("the program reads");
        output.read_line(&mut line).expect("an answer");
        assert!(line.contains(&format!("satisfy p{number}\"")), "{line}");
        line.clear();
        writeln!(input).expect("the program reads");
        output.read_line(&mut line).expect("an answer");
        line.clear();
    }
    drop(input);
    assert_eq!(child.wait().expect("the program ends").code(), Some(1));
    let many: String = (0..5000).map(|number| format!("sw shall satisfy x > {number}\n")).collect();
    let run = shall(&["formalize", "--output-format", "json-lines", "-"], many.as_bytes());
    let mut lines = run.out.lines().enumerate();
    assert!(
        lines.all(|(at, line)| line.starts_with(&format!("{{\"sentence\":\"sw shall satisfy x > {at}\"")))
    );
    assert_eq!(run.out.lines().count(), 5000);
}
