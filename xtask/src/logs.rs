//! `shall eval` on a long log beside other programs, in one run: processor time and memory of each.
//!
//! The log has ten million rows and eight columns. Its requirements are the four patterns of docs/logs.md; they are violated near the end, so
//! nothing stops early.

use crate::failure::{At as _, Failure, OrFail as _, Result, ensure};
use base::Random;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const ROWS: u64 = 10_000_000;
/// How often each program is run; the least processor time counts.
const ROUNDS: usize = 3;

const SENTENCES: [(&str, &str); 4] = [
    ("P1", "the sys shall always satisfy p => occurred(10, q)"),
    ("P2", "whenever p the sys shall within 10 ticks satisfy q"),
    ("P3", "in m mode when c the sys shall until s satisfy x > 3"),
    ("P4", "the sys shall always satisfy r => persisted(1000, m)"),
];

/// The same with expressions of Polars: the steps at which each is violated are counted.
const POLARS: &str = r#"
import sys, polars as pl
path, which = sys.argv[1], sys.argv[2]
i = pl.col("i")
def last(c, name): return pl.when(c).then(i).forward_fill().alias(name)
b = lambda n: pl.col(n) == 1
scan = pl.scan_csv(path).with_row_index("i").with_columns(i.cast(pl.Int64))
if which == "P1":
    bad = scan.select("i", "p", last(b("q"), "w")).filter(b("p") & ~(i - pl.col("w") <= 10).fill_null(False))
elif which == "P2":
    bad = scan.select("i", b("p").shift(10).fill_null(False).alias("t"), last(b("q"), "w")).filter(pl.col("t") & ~(i - pl.col("w") <= 10).fill_null(False))
elif which == "P3":
    mc = b("m") & b("c")
    one = scan.with_columns(mc.alias("mc"))
    trigger = pl.col("mc") & ~pl.col("mc").shift(1).fill_null(False) & ~b("s")
    bad = one.select("i", "x", last(trigger, "w"), last(~(b("m") & ~b("s")), "v")).filter((pl.col("w") >= pl.col("v").fill_null(-1)).fill_null(False) & ~(pl.col("x") > 3))
else:
    bad = scan.select("i", "r", last(~b("m"), "w")).filter(b("r") & (i - pl.col("w") <= 1000).fill_null(False))
print(bad.select(pl.len()).collect().item())
"#;

/// Prints the table. `python` has Polars.
pub(crate) fn run(python: Option<&str>) -> Result {
    let folder = Path::new("target/logs");
    fs::create_dir_all(folder).at(folder)?;
    let log = folder.join("log.csv");
    if !log.exists() {
        println!("writing {} with {ROWS} rows", log.display());
        write(&log).at(&log)?;
    }
    let log = log.display().to_string();
    let shall = "target/release/shall";
    let mut many: Vec<String> = vec!["eval".into(), "--trace".into(), log.clone()];
    many.extend(
        (1..=50).map(|number| {
            format!("the sys shall always satisfy p => occurred({number}, q) | x > {number}/10")
        }),
    );
    let mut programs: Vec<(String, Vec<String>)> =
        vec![("md5sum".into(), vec!["md5sum".into(), log.clone()])];
    for (name, sentence) in SENTENCES {
        let own = ["eval", "--trace", &log, sentence].map(String::from);
        programs.push((format!("shall {name}"), [vec![shall.into()], own.to_vec()].concat()));
    }
    programs.push(("shall, 50 requirements".into(), [vec![shall.into()], many].concat()));
    for (name, _) in SENTENCES.iter().filter(|_| python.is_some()) {
        let python = python.unwrap_or_default();
        let call = [python, "-c", POLARS, &log, name].map(String::from).to_vec();
        programs.push((format!("Polars {name}"), call));
    }
    let mut best: Vec<(f64, u64)> = vec![(f64::INFINITY, 0); programs.len()];
    for _ in 0..ROUNDS {
        for ((_, call), best) in programs.iter().zip(&mut best) {
            let (seconds, memory) = measured(call)?;
            *best = (best.0.min(seconds), best.1.max(memory));
        }
    }
    println!("{:<24} {:>10} {:>10}", "", "seconds", "megabytes");
    for ((name, _), (seconds, memory)) in programs.iter().zip(&best) {
        println!("{name:<24} {seconds:>10.2} {:>10.1}", *memory as f64 / 1024.0);
    }
    let sum = best[0].0;
    let slowest = best[1..5].iter().map(|it| it.0).fold(0.0, f64::max);
    ensure(slowest <= 3.0 * sum, "one requirement takes more than three times as long as md5sum")?;
    ensure(best[5].0 <= 2.0 * best[1].0, "50 requirements take more than twice as long as one")?;
    ensure(best[1..6].iter().all(|it| it.1 <= 64 * 1024), "more than 64 MB of memory")
}

/// The processor time of a program and its largest memory, in kilobytes.
fn measured(call: &[String]) -> Result<(f64, u64)> {
    let before = of_children()?;
    let mut command = Command::new(&call[0]);
    command.args(&call[1..]).stdout(Stdio::null()).env("POLARS_MAX_THREADS", "1");
    let start = |error| Failure::Program(format!("{}: {error}", call[0]));
    let mut child = command.spawn().map_err(start)?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut memory = 0;
    while child.try_wait().or_fail()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        memory = memory.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok((of_children()? - before, memory))
}

/// The processor time of all programs that have ended, in seconds.
fn of_children() -> Result<f64> {
    let path = Path::new("/proc/self/stat");
    let text = fs::read_to_string(path).at(path)?;
    // The name of the program, in parentheses, may have spaces.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 =
        fields.get(13..15).unwrap_or_default().iter().filter_map(|it| it.parse::<u64>().ok()).sum();
    Ok(ticks as f64 / 100.0)
}

/// The log: all four requirements hold but near the end.
fn write(path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "time,p,q,r,m,c,s,x")?;
    let mut random = Random::new(1);
    for row in 0..ROWS {
        let late = row > ROWS - 1000;
        let q = u8::from(row % 8 == 0 && !(late && row % 97 < 30));
        let (p, r) = (u8::from(random.below(3_u64) == 0), u8::from(row % 1000 == 999));
        let m = u8::from(row != ROWS - 500);
        let (c, s) = (u8::from(row % 50 == 1), u8::from(row % 50 == 40));
        let x = if late && row % 50 == 20 { 2 } else { 4 + random.below(90_u64) };
        let thousandths = random.below(1000_u64);
        writeln!(out, "{}.{:02},{p},{q},{r},{m},{c},{s},{x}.{thousandths:03}", row / 100, row % 100)?;
    }
    out.flush()
}
