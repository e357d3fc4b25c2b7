//! Solvers that are missing, die, hang or talk nonsense: what needs them is unknown with that reason, everything else is decided,
//! the exit code is 3, and no process is left behind.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// One property needs a solver (a product of unbounded numbers), one does not.
const MODEL: &str = "node f(x: int; b: bool) returns (y: int);
let
  y = x * x;
  check \"square\" y * y >= y or x = 3;
  check \"excluded\" b or not b -> (b or not b);
tel
";

/// A folder with a program named `z3` in it that is this script.
fn folder(name: &str, script: Option<&str>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solvers").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("model.lus"), MODEL).expect("a file");
    if let Some(script) = script {
        let program = folder.join("z3");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    folder
}

#[test]
fn a_solver_that_fails_is_a_reason() {
    // The pid of each script goes to a file, so that whatever still runs is found.
    let cases = [
        ("missing", None, "cannot start `z3`"),
        ("dies", Some("exit 1"), "the solver failed"),
        ("dies_later", Some("read -r one; read -r two; echo sat; exit 1"), "the solver failed"),
        ("hangs", Some("echo $$ >> \"$0.pids\"; while read -r line; do :; done"), "timeout"),
        ("is_deaf", Some("echo $$ >> \"$0.pids\"; exec sleep 60"), "timeout"),
        ("nonsense", Some("echo perhaps; while read -r line; do :; done"), "it answered `perhaps`"),
        ("unfinished", Some("echo '((x'; exit 0"), "the solver failed"),
        (
            "is_wrong",
            Some(
                "while read -r line; do case $line in *check-sat*) echo sat;; *get-value*) echo '()';; esac; done",
            ),
            "the solver failed",
        ),
        // Which limit comes first, that of time or that of length, depends on the machine.
        ("talks", Some("echo $$ >> \"$0.pids\"; exec yes '('"), "not decided: the"),
    ];
    std::thread::scope(|scope| {
        for (name, script, reason) in cases {
            scope.spawn(move || one(name, script, reason));
        }
    });
}

fn one(name: &str, script: Option<&str>, reason: &str) {
    let folder = folder(name, script);
    let pids = folder.join("z3.pids");
    let _ = std::fs::remove_file(&pids);
    let begun = Instant::now();
    // `sh` and what scripts use are found by their usual places; `z3` only in the folder.
    let tools = folder.join("tools");
    std::fs::create_dir_all(&tools).expect("a folder");
    for tool in ["sleep", "yes"] {
        let _ = std::os::unix::fs::symlink(Path::new("/usr/bin").join(tool), tools.join(tool));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(["verify", "--timeout", "4"])
        .arg(folder.join("model.lus"))
        .env("NO_COLOR", "1")
        .env("PATH", std::env::join_paths([&folder, &tools]).expect("a path"))
        .output()
        .expect("the command starts");
    let shown = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(3), "{name}: {shown}");
    assert!(shown.contains("excluded: valid"), "{name}: {shown}");
    let undecided = shown.lines().find(|line| line.contains("square") && line.contains(reason));
    assert!(undecided.is_some(), "{name}: {shown}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{name} took {:?}", begun.elapsed());
    for pid in std::fs::read_to_string(&pids).unwrap_or_default().lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{name}: process {pid} is left");
    }
}
