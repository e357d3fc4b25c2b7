//! Runs the transcripts of the documents, so that none shows what the program does not do.
//!
//! A fenced block with the language `console` is a transcript. A line that begins with `$ ` is a command for the shell, which
//! goes on in the next line after a `\`; the lines after it are what the command prints. A line `…` matches any lines, and
//! `…` within a line any text. The blocks of a document run in order, in a folder of their own with a copy of `examples`.
//!
//! - ```` ```console exit=1 ````: the last command of the block ends with this exit code (otherwise 0, like all others).
//! - ```` ```console needs=z3 ````: the block is left out where this program is not installed.
//! - `<!-- run: COMMAND -->`: a command that readers do not see.
//! - `<!-- file: PATH -->` and `<!-- append: PATH -->`: the next block is written to this file, or added to its end.
//!
//! `SHALL_BLESS=1` rewrites the blocks in place, and keeps their `…`.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn documents_show_what_the_program_prints() {
    let documents = documents();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = documents.iter().map(|path| scope.spawn(|| run(path))).collect();
        runs.into_iter().flat_map(|run| run.join().expect("the runner does not panic")).collect()
    });
    assert!(failures.is_empty(), "{}\nrun with SHALL_BLESS=1 and read the difference", failures.join("\n"));
}

/// Every option of `shall` that a document names is in the help of some command. Options stand after `shall` in a line or code span,
/// or at the start of a code span.
#[test]
fn documents_name_options_that_exist() {
    // Options of `cargo xtask` and of C2PO.
    let elsewhere = ["--evidence", "--mission-time"];
    let mut known = BTreeSet::from(elsewhere.map(str::to_string));
    collect_options(&mut Vec::new(), &mut known);
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("the document can be read");
        for (number, line) in text.lines().enumerate() {
            let command = line.trim_start_matches(['$', ' ', '-']).trim_start_matches("run: ");
            let parts = [command]
                .into_iter()
                .filter(|it| it.starts_with("shall "))
                .chain(line.split('`').skip(1).step_by(2));
            for part in parts.filter(|it| it.starts_with("shall ") || it.starts_with("--")) {
                for option in options(part) {
                    assert!(
                        known.contains(option),
                        "{}:{}: there is no option `{option}`",
                        path.display(),
                        number + 1
                    );
                }
            }
        }
    }
}

/// The long options in a text.
fn options(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'))
        .filter(|it| it.len() > 2 && it.starts_with("--"))
}

/// The options in the help of a command and of the commands below it.
fn collect_options(command: &mut Vec<String>, known: &mut BTreeSet<String>) {
    let program = env!("CARGO_BIN_EXE_shall");
    let output = Command::new(program).args(&*command).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(output.stdout).expect("output is UTF-8");
    known.extend(options(&help).map(str::to_string));
    // Commands are listed before the options; a description that goes on in the next line is indented further.
    let commands = help.lines().take_while(|line| *line != "Options:");
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let is_command = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase()) && *name != "help";
    for name in names.filter(is_command) {
        command.push(name.to_string());
        collect_options(command, known);
        command.pop();
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two folders deep")
}

/// The documents with transcripts: at the root, in `docs`, and the README of each example.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    found.extend(
        entries(&root().join("docs")).into_iter().filter(|path| path.extension() == Some("md".as_ref())),
    );
    found.extend(entries(&root().join("examples")).into_iter().map(|path| path.join("README.md")));
    found.retain(|path| path.is_file());
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Runs the blocks of a document and returns what differs.
fn run(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the document can be read");
    let shown = path.strip_prefix(root()).expect("documents are below the root").display().to_string();
    let folder = Folder::with_examples(&shown.replace('/', "-"));
    let lines: Vec<&str> = text.lines().collect();
    let (mut new, mut failures, mut target, mut at) = (String::new(), Vec::new(), None, 0);
    while at < lines.len() {
        let place = format!("{shown}:{}", at + 1);
        let line = lines[at];
        writeln!(new, "{line}").expect("a String takes every text");
        at += 1;
        if let Some(command) = comment(line, "run") {
            let (code, output) = folder.shell(command);
            if code != 0 {
                failures.push(format!("{place}: `{command}` ends with {code}:\n{output}"));
            }
        } else if let Some(name) = comment(line, "file") {
            target = Some((name, false));
        } else if let Some(name) = comment(line, "append") {
            target = Some((name, true));
        } else if line.starts_with("```") {
            let info = line.trim_start_matches('`');
            let closing = &line[..line.len() - info.len()];
            let end = (at..lines.len()).find(|&it| lines[it] == closing).unwrap_or(lines.len());
            let body = &lines[at..end];
            at = end;
            if let Some((name, append)) = target.take() {
                folder.write(name, body, append);
            }
            let mut words = info.split(' ');
            if words.next() == Some("console") {
                new += &transcript(body, &Options::read(words), &folder, &place, &mut failures);
            } else {
                failures.extend(untested(body).map(|line| {
                    format!("{place}: `{line}` is not run: make this a block of the language `console`")
                }));
                body.iter().for_each(|line| writeln!(new, "{line}").expect("a String takes every text"));
            }
            // The closing line, so that it does not open the next block.
            if at < lines.len() {
                writeln!(new, "{}", lines[at]).expect("a String takes every text");
                at += 1;
            }
        }
    }
    if blesses() && new != text {
        std::fs::write(path, new).expect("the document can be written");
    }
    failures
}

/// What a comment `<!-- NAME: VALUE -->` says.
fn comment<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(name)?.strip_prefix(": ")
}

/// Lines of a block that look like a transcript.
fn untested<'a>(body: &'a [&'a str]) -> impl Iterator<Item = &'a &'a str> {
    body.iter().filter(|line| line.starts_with("$ "))
}

#[derive(Default)]
struct Options<'a> {
    exit: i32,
    needs: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn read(words: impl Iterator<Item = &'a str>) -> Options<'a> {
        let mut options = Options::default();
        for word in words {
            match word.split_once('=') {
                Some(("exit", code)) => options.exit = code.parse().expect("an exit code is a number"),
                Some(("needs", program)) => options.needs = Some(program),
                _ => panic!("`{word}` is not an option of a transcript"),
            }
        }
        options
    }
}

/// Runs the commands of a block and returns it as it should read.
fn transcript(
    body: &[&str],
    options: &Options,
    folder: &Folder,
    place: &str,
    failures: &mut Vec<String>,
) -> String {
    let unchanged = || body.iter().map(|line| format!("{line}\n")).collect();
    if let Some(program) = options.needs.filter(|program| !installed(program)) {
        eprintln!("{place}: left out, because `{program}` is not installed");
        return unchanged();
    }
    let mut starts: Vec<usize> = (0..body.len()).filter(|&it| body[it].starts_with("$ ")).collect();
    if starts.first() != Some(&0) {
        failures.push(format!("{place}: a transcript begins with a command"));
        return unchanged();
    }
    starts.push(body.len());
    let mut new = String::new();
    for pair in starts.windows(2) {
        let lines = &body[pair[0]..pair[1]];
        let length = 1 + lines.iter().take_while(|line| line.ends_with('\\')).count();
        let (command, expected) = lines.split_at(length.min(lines.len()));
        let wanted = if pair[1] == body.len() { options.exit } else { 0 };
        let (code, output) = folder.shell(&command.join("\n")[2..]);
        let found: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
        let shown = command.join("\n");
        if code != wanted {
            failures.push(format!("{place}: {shown}\nends with {code}, not {wanted}:\n{output}"));
        }
        writeln!(new, "{shown}").expect("a String takes every text");
        let blank = expected.iter().rev().take_while(|line| line.is_empty()).count();
        let (expected, blank) = expected.split_at(expected.len() - blank);
        if !matches(expected, &found) && !blesses() {
            let (found, expected) = (found.join("\n"), expected.join("\n"));
            failures.push(format!("{place}: {shown}\nprints\n{found}\nnot\n{expected}\n"));
        }
        for line in blessed(expected, &found) {
            writeln!(new, "{line}").expect("a String takes every text");
        }
        blank.iter().for_each(|_| new.push('\n'));
    }
    new
}

fn blesses() -> bool {
    std::env::var_os("SHALL_BLESS").is_some()
}

fn installed(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|it| it.join(program).is_file()))
}

/// A folder for the commands of one document, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn with_examples(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let folder = Folder(folder);
        let (code, output) = folder.shell(&format!("cp -R '{}' examples", root().join("examples").display()));
        assert_eq!(code, 0, "{output}");
        folder
    }

    /// The exit code of a command, and what it prints on both outputs.
    fn shell(&self, command: &str) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_shall")).parent().expect("a program is in a folder");
        let mut path = program.as_os_str().to_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(&self.0)
            .env("PATH", path)
            .env("HOME", &self.0)
            .env("NO_COLOR", "1")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", env!("CARGO_TARGET_TMPDIR"))
            .output()
            .expect("the shell starts");
        let text = String::from_utf8(output.stdout).expect("output is UTF-8");
        (output.status.code().expect("an exit code"), text)
    }

    fn write(&self, name: &str, body: &[&str], append: bool) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder"))
            .expect("the folder can be made");
        let mut text =
            if append { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        body.iter().for_each(|line| writeln!(text, "{line}").expect("a String takes every text"));
        std::fs::write(path, text).expect("the file can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_elision(line: &str) -> bool {
    line.trim() == "…"
}

/// Whether the lines that a document shows are those that were printed.
fn matches(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        [first, rest @ ..] if is_elision(first) => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        [first, rest @ ..] => {
            found.split_first().is_some_and(|(line, below)| same(first, line) && matches(rest, below))
        }
    }
}

/// Whether a line that a document shows is the one that was printed; `…` in it is any text.
fn same(expected: &str, found: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The lines that a document should show instead: what was printed, with the elisions of the document kept where they were.
fn blessed(expected: &[&str], found: &[&str]) -> Vec<String> {
    if matches(expected, found) {
        return expected.iter().map(ToString::to_string).collect();
    }
    // The longest common subsequence of the two.
    let (rows, columns) = (expected.len(), found.len());
    let common = |row: usize, column: usize| !is_elision(expected[row]) && same(expected[row], found[column]);
    let mut lengths = vec![vec![0; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            lengths[row][column] = match common(row, column) {
                true => 1 + lengths[row + 1][column + 1],
                false => lengths[row + 1][column].max(lengths[row][column + 1]),
            };
        }
    }
    let (mut new, mut row, mut column) = (Vec::new(), 0, 0);
    loop {
        let (old_start, new_start) = (row, column);
        while row < rows && column < columns && !common(row, column) {
            if lengths[row + 1][column] >= lengths[row][column + 1] { row += 1 } else { column += 1 }
        }
        let at_end = row == rows || column == columns;
        let (old_end, new_end) = if at_end { (rows, columns) } else { (row, column) };
        new.extend(replaced(&expected[old_start..old_end], &found[new_start..new_end]));
        if at_end {
            return new;
        }
        new.push(expected[row].to_string());
        row += 1;
        column += 1;
    }
}

/// A stretch without a common line: an elision in it leaves out what is beyond the lines around it.
fn replaced(expected: &[&str], found: &[&str]) -> Vec<String> {
    let Some(before) = expected.iter().position(|line| is_elision(line)) else {
        return found.iter().map(ToString::to_string).collect();
    };
    let after = expected.iter().rev().position(|line| is_elision(line)).unwrap_or_default();
    let head = before.min(found.len());
    let tail = after.min(found.len() - head);
    let lines = found[..head].iter().chain([&expected[before]]).chain(&found[found.len() - tail..]);
    lines.map(ToString::to_string).collect()
}

#[test]
fn elisions() {
    #[track_caller]
    fn check(expected: &str, found: &str, wanted: bool, after: &str) {
        let lines = |text: &'static str| text.split('/').collect::<Vec<_>>();
        let (expected, found) = (expected.to_string().leak(), found.to_string().leak());
        let (expected, found) = (lines(expected), lines(found));
        assert_eq!(matches(&expected, &found), wanted, "{expected:?} {found:?}");
        assert_eq!(blessed(&expected, &found).join("/"), after, "{expected:?} {found:?}");
    }
    let same = |expected, found| check(expected, found, true, expected);
    let other = |expected, found, after| check(expected, found, false, after);
    same("a/b", "a/b");
    other("a/b", "a/c", "a/c");
    same("a/…/d", "a/b/c/d");
    same("a/…/d", "a/d");
    other("a/…/d", "a/b/e", "a/…/e");
    other("a/…", "b/c/d", "b/…");
    other("…/z", "b/c/d", "…/d");
    other("a/b/…/d/e", "a/x/y/d/e", "a/x/…/d/e");
    same("in … s/b", "in 3 s/b");
    other("in … s/b", "in 3 s/c", "in … s/c");
    same("a … b … c", "a 1 b 2 c");
    other("a … b … c", "a 1 c", "a 1 c");
    other("a", "a/b", "a/b");
}
