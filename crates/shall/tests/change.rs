//! Projects that change: `init`, `fmt`, `rename`, `diff`, and what is left when a process is killed while it writes.

mod common;

use common::Run;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = common::command(arguments);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn shall(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command(folder, arguments).output().expect("the program starts"))
}

#[track_caller]
fn check(folder: &Path, arguments: &[&str], code: i32, expected: &[&str]) -> Run {
    let run = shall(folder, arguments);
    assert_eq!(run.code, code, "{arguments:?}\n{}{}", run.out, run.err);
    for part in expected {
        assert!(
            run.out.contains(part) || run.err.contains(part),
            "`{part}` is not in\n{}{}",
            run.out,
            run.err
        );
    }
    run
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("change").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect("the file can be read")
}

#[test]
fn a_new_project() {
    let here = folder("init");
    check(&here, &["init", "pump", "--name", "My \"pump\""], 0, &["requirements.md"]);
    let project = here.join("pump");
    check(&project, &["fmt", "--check"], 0, &[]);
    check(&project, &["init"], 2, &["the file exists already; nothing was written"]);
    assert!(read(&project, "shall.toml").contains("name = \"My \\\"pump\\\"\""));
    let text = read(&project, "requirements.md");
    let sentences = text.split("```fretish\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    for sentence in sentences {
        let known = ["--step", "100 ms", "--const", "LOW_MARK=20", "--const", "HIGH_MARK=90"];
        check(&here, &[&["lint", sentence], &known[..]].concat(), 0, &["no findings"]);
    }
    check(&here, &["init", "other", "--output-format", "json"], 0, &["\"name\": \"other\""]);
    check(&here, &["fmt"], 2, &["`shall init` makes a new project"]);
}

/// The examples are in normal form; what is wrong with them on purpose is a matter of `shall check`.
#[test]
fn examples_are_in_normal_form() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    check(&examples, &["fmt", "--check", "roll_autopilot"], 0, &[]);
    check(&examples, &["fmt", "--check", "infusion_pump"], 0, &[]);
}

#[test]
fn formatting() {
    let here = folder("fmt");
    let prose = "Some  *prose*   that stays.  ";
    fs::write(here.join("shall.toml"), "").expect("it can be written");
    let text =
        format!("## A-1\n{prose}\n```fretish\nThe pump SHALL Always satisfy p&&q\n```\n* status:draft\n");
    fs::write(here.join("a.md"), &text).expect("it can be written");
    fs::write(here.join("b.md"), "## B-1\n\nFine.\n").expect("it can be written");
    let run = check(&here, &["fmt", "--check"], 1, &["not formatted: a.md\n"]);
    assert!(!run.out.contains("b.md"));
    assert_eq!(read(&here, "a.md"), text);
    check(&here, &["fmt", "b.md"], 0, &[]);
    assert_eq!(read(&here, "a.md"), text);
    check(&here, &["fmt"], 0, &["formatted: a.md\n"]);
    let expected = format!(
        "## A-1\n\n{prose}\n\n```fretish\nthe pump shall always satisfy p & q\n```\n\n- status: draft\n"
    );
    assert_eq!(read(&here, "a.md"), expected);
    check(&here, &["fmt", "--check", "--output-format", "json"], 0, &["\"changed\": []"]);
    check(&here, &["fmt", "shall.toml"], 2, &["is not a document of the project"]);
}

#[test]
fn renaming() {
    let here = folder("rename");
    check(&here, &["init"], 0, &[]);
    let before = read(&here, "requirements.md");
    let run = check(
        &here,
        &["rename", "variable", "LOW_MARK", "EMPTY", "--dry-run"],
        0,
        &["+| EMPTY     | constant"],
    );
    assert_eq!(run.out.matches("\n+").count() - 1, 4, "{}", run.out);
    assert_eq!(read(&here, "requirements.md"), before);
    check(&here, &["rename", "variable", "LOW_MARK", "EMPTY"], 0, &["requirements.md: 4 changes"]);
    check(&here, &["rename", "requirement", "TANK-1", "TOP-1"], 0, &["requirements.md: 3 changes"]);
    check(&here, &["rename", "component", "TankController", "the tank"], 0, &["shall.toml: 1 change\n"]);
    assert!(read(&here, "shall.toml").contains("[components.\"the tank\"]"));
    assert!(read(&here, "requirements.md").contains("the \"the tank\" shall"));
    check(&here, &["rename", "variable", "inlet", "alarm"], 2, &["the new name is taken"]);
    check(&here, &["rename", "variable", "inlt", "x"], 2, &["did you mean `inlet`?"]);
    check(
        &here,
        &["rename", "component", "the tank", "TankController", "--output-format", "json"],
        0,
        &["\"written\": true"],
    );
    check(&here, &["rename", "requirement", "TOP-1", "TANK-1"], 0, &[]);
    check(&here, &["rename", "variable", "EMPTY", "LOW_MARK", "--component", "TankController"], 0, &[]);
    assert_eq!(read(&here, "requirements.md"), before);
}

/// What was in normal form stays so, whether a name or a table changes; what was not is left alone.
#[test]
fn changes_keep_the_normal_form() {
    let here = folder("normal");
    check(&here, &["init", "tank"], 0, &[]);
    let project = here.join("tank");
    check(&project, &["rename", "variable", "level", "level_of_the_water"], 0, &[]);
    check(&project, &["fmt", "--check"], 0, &[]);
    let long = "the_level_of_the_water_in_the_tank_as_it_was_measured_by_the_sensor_at_the_bottom";
    check(&project, &["rename", "variable", "level_of_the_water", long], 0, &[]);
    check(&project, &["fmt", "--check"], 0, &[]);
    let text = read(&project, "requirements.md");
    fs::write(
        project.join("requirements.md"),
        text.replace("satisfy alarm", "satisfy alarm & horn_of_the_tank"),
    )
    .expect("the file can be written");
    check(&project, &["check", "--fix"], 0, &["1 fix made"]);
    check(&project, &["fmt", "--check"], 0, &[]);
    assert!(read(&project, "requirements.md").contains("| horn_of_the_tank "));
    // A document that is not in normal form does not change elsewhere.
    let text = read(&project, "requirements.md").replace("- status: draft", "- status:  draft");
    fs::write(project.join("requirements.md"), &text).expect("the file can be written");
    check(&project, &["rename", "variable", "alarm", "bell"], 0, &[]);
    assert!(read(&project, "requirements.md").contains("- status:  draft"));
}

fn git(folder: &Path, arguments: &[&str]) {
    let ran = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z"),
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z"),
        ])
        .output()
        .expect("git runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

const OLD: &str = "\
# Pump

| name  | kind     | type | definition | description |
|-------|----------|------|------------|-------------|
| x     | input    | real |            | pressure    |
| LIMIT | constant | real | 3          |             |
| y     | output   | bool |            | valve       |

## P-0: The pump is safe

Somebody must be able to stop it.

## P-1

```fretish
when x > LIMIT, the Pump shall immediately satisfy y
```

- status: draft

## P-2

```fretish
the Pump shall within 3 ticks satisfy y
```

## P-3

```fretish
the Pump shall always satisfy x > 2
```

## P-4

```fretish
when y, the Pump shall immediately satisfy x > 0
```

## P-5

```fretish
the Pump shall never satisfy x > 100
```

## P-6

```fretish
when x > 7, the Pump shall immediately satisfy y
```

## P-7

```fretish
the Pump shall eventually satisfy x = 5
```
";

/// The old document with one change of each class.
fn changed() -> String {
    let mut text = OLD.to_string();
    for (from, to) in [
        ("able to stop it.", "able to stop it at once."),
        ("| real | 3 ", "| real | 4 "),
        ("within 3 ticks", "within 4 ticks"),
        ("satisfy x > 2", "satisfy x > 3"),
        (
            "when y, the Pump shall immediately satisfy x > 0",
            "when y, the Pump shall at the first timepoint satisfy !(x <= 0)",
        ),
        ("## P-5", "## P-50"),
        (
            "when x > 7, the Pump shall immediately satisfy y",
            "when preReal(0, x) > 7, the Pump shall immediately satisfy y",
        ),
        (
            "## P-7\n\n```fretish\nthe Pump shall eventually satisfy x = 5",
            "## P-8\n\n```fretish\nthe Pump shall eventually satisfy x = 6",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

#[test]
fn versions() {
    let here = folder("diff");
    git(&here, &["init", "-q"]);
    let project = here.join("pump");
    fs::create_dir(&project).expect("it can be made");
    fs::write(here.join("x.md"), "## X-1\n").expect("it can be written");
    git(&here, &["add", "."]);
    git(&here, &["commit", "-q", "-m", "empty"]);
    fs::write(project.join("shall.toml"), "[project]\nname = \"p\"\n").expect("it can be written");
    fs::write(project.join("a.md"), OLD).expect("it can be written");
    git(&here, &["add", "."]);
    git(&here, &["commit", "-q", "-m", "old"]);
    check(&project, &["diff"], 0, &["requirements: 8 unchanged"]);
    fs::write(project.join("a.md"), changed()).expect("it can be written");

    let expected = include_str!("snapshots/diff.txt");
    let run = check(&project, &["diff"], 3, &[]);
    if std::env::var_os("SHALL_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/diff.txt");
        fs::write(path, &run.out).expect("the snapshot can be written");
    } else {
        assert_eq!(run.out, expected, "run with SHALL_BLESS=1 and read the difference");
    }
    git(&here, &["commit", "-q", "-a", "-m", "new"]);
    for arguments in [
        &["diff", "HEAD~1"][..],
        &["diff", "HEAD~1..HEAD"],
        &["diff", "HEAD~1.."],
        &["diff", "HEAD~1", "HEAD"],
    ] {
        assert_eq!(check(&project, arguments, 3, &[]).out, run.out, "{arguments:?}");
    }
    check(&here, &["diff", "HEAD", "--project", "pump", "--all"], 0, &["P-1: unchanged"]);
    check(&project, &["diff", "HEAD~2..HEAD~1"], 1, &["HEAD~2 has no shall.toml", "requirements: 8 added"]);
    check(&project, &["diff", "HEAD~1..HEAD~2"], 1, &["requirements: 8 removed"]);
    let run = check(&project, &["diff", "HEAD~1", "--output-format", "json"], 3, &[]);
    let twin: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let classes: Vec<&str> = twin["requirements"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|change| change["class"].as_str())
        .collect();
    assert_eq!(
        classes,
        [
            "unchanged",
            "changed",
            "weaker",
            "stronger",
            "reworded",
            "renamed",
            "undecided",
            "added",
            "removed"
        ]
    );
    assert_eq!(twin["requirements"][2]["only_new"]["steps"].as_array().map(Vec::len), Some(4));

    check(
        &project,
        &["diff", "nothing"],
        2,
        &["`nothing` is not a revision of the repository; to compare folders, name two"],
    );
    check(&project, &["diff", "HEAD...HEAD~1"], 2, &["write two dots"]);
    let absent = command(&project, &["diff"]).env("PATH", "/nowhere").output().expect("the program starts");
    assert_eq!(absent.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&absent.stderr).contains("`git`, which was not found"));
}

#[test]
fn two_folders() {
    let here = folder("folders");
    for (name, text) in
        [("old", OLD.to_string()), ("new", OLD.replace("immediately", "at the same timepoint"))]
    {
        fs::create_dir(here.join(name)).expect("it can be made");
        fs::write(here.join(name).join("shall.toml"), "").expect("it can be written");
        fs::write(here.join(name).join("a.md"), text).expect("it can be written");
    }
    check(&here, &["diff", "old", "new"], 0, &["requirements: 5 unchanged, 3 reworded"]);
    fs::write(here.join("new/shall.toml"), "[project]\nnam = 1\n").expect("it can be written");
    check(&here, &["diff", "old", "new"], 2, &["`project.nam` is not a setting"]);
}

/// Whenever the process dies, every file is the old one or the new one.
#[test]
fn a_killed_process_leaves_whole_files() {
    let here = folder("killed");
    fs::write(here.join("shall.toml"), "").expect("it can be written");
    let document = |letter: char, name: &str| {
        let mut text = String::from("# Pump\n\n");
        for number in 0..60 {
            text += &format!(
                "## {letter}-{number}\n\nWhy.\n\n```fretish\nthe Pump shall always satisfy {name} > {number}\n```\n\n"
            );
            text += &"Prose that makes the file long enough to be written in pieces.\n".repeat(60);
        }
        text
    };
    let files = ["a.md", "b.md", "c.md"];
    let contents = |name: &str| [document('A', name), document('B', name), document('C', name)];
    let (old, new) = (contents("pressure"), contents("force"));
    let restore = || {
        files
            .iter()
            .zip(&old)
            .for_each(|(file, text)| fs::write(here.join(file), text).expect("it can be written"))
    };
    let rename = ["rename", "variable", "pressure", "force"];
    restore();
    let start = Instant::now();
    check(&here, &rename, 0, &["c.md: 60 changes"]);
    let whole = start.elapsed();
    let mut rng = base::Random::new(7);
    let mut half_done = 0;
    for _ in 0..60 {
        restore();
        let share = rng.below(1000);
        let mut child = command(&here, &rename).stdout(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_nanos(whole.as_nanos() as u64 / 1000 * share));
        let _ = child.kill();
        child.wait().expect("it ended");
        let states: Vec<bool> = files
            .iter()
            .enumerate()
            .map(|(index, file)| {
                let found = read(&here, file);
                assert!(found == old[index] || found == new[index], "{file} is neither old nor new");
                found == new[index]
            })
            .collect();
        half_done += usize::from(states.contains(&true) && states.contains(&false));
    }
    eprintln!("{half_done} of 60 kills fell between two files");
}
