//! `shall eval` on a long log beside other programs, in one run, on one core: processor time and memory of each.
//!
//! The log has ten million rows and eight columns. Its requirements are the four patterns of docs/logs.md; they are violated near the end, so
//! nothing stops early.

use crate::failure::{At as _, Failure, OrFail as _, Result, no_problems};
use base::Random;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const ROWS: u64 = 10_000_000;
/// The program that is measured: a release build.
const SHALL: &str = "target/release/shall";
/// How often each program is run; the least processor time counts.
const ROUNDS: usize = 3;

const SENTENCES: [(&str, &str); 4] = [
    ("P1", "the sys shall always satisfy p => occurred(10, q)"),
    ("P2", "whenever p the sys shall within 10 ticks satisfy q"),
    ("P3", "in m mode when c the sys shall until s satisfy x > 3"),
    ("P4", "the sys shall always satisfy r => persisted(1000, m)"),
];

/// The same with expressions of Polars: the steps at which each is violated are counted and, if `time` is named, whether it ascends and its
/// longest distance are found. The time is that of the queries alone, without the start of Python.
const POLARS: &str = r#"
import sys, time, polars as pl
path, which = sys.argv[1], sys.argv[2]
start = time.process_time()
i = pl.col("i")
def last(c, name): return pl.when(c).then(i).forward_fill().alias(name)
is_csv = path.endswith("csv")
b = lambda n: pl.col(n) == 1 if is_csv else pl.col(n)
scan = (pl.scan_csv(path) if is_csv else pl.scan_parquet(path)).with_row_index("i").with_columns(i.cast(pl.Int64))
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
queries = [bad.select(pl.len())]
if "time" in sys.argv:
    distance = pl.col("time").diff()
    queries.append(scan.select((distance <= 0).any(), distance.max().alias("longest")))
# From CSV, one scan for both queries is quicker.
pl.collect_all(queries) if is_csv else [query.collect() for query in queries]
print(time.process_time() - start)
"#;

/// The same for C2PO, the compiler of R2U2, without the `H` around it: R2U2 gives a verdict at each step. It misjudges
/// since (docs/exports.md), which does not matter for its time.
const C2PO: [&str; 4] = [
    "p -> O[0,10] q",
    "O[10,10] p -> O[0,10] q",
    "((m && !s) S[0,10000000] (m && c && !O[1,1] (m && c) && !s)) -> x > 3.0",
    "r -> H[0,1000] m",
];

/// The command line of R2U2, as `cargo install r2u2_cli --root target/r2u2` installs it.
const R2U2: &str = "target/r2u2/bin/r2u2_cli";

/// The log as a Parquet file, with Booleans, and with a column that divides it into 1000 runs.
const TO_PARQUET: &str = r#"
import sys, polars as pl
truths = [pl.col(n) == 1 for n in "pqrmcs"]
scan = pl.scan_csv(sys.argv[1]).with_columns(truths).with_row_index("run").with_columns(pl.col("run") // 10_000)
scan.sink_parquet(sys.argv[2], compression="snappy", row_group_size=1 << 20)
"#;

/// Statements in DuckDB: the time of each.
const DUCKDB: &str = r#"
import sys, time, duckdb
connection = duckdb.connect()
connection.execute(f"CREATE VIEW logs AS SELECT * FROM read_parquet('{sys.argv[1]}')")
for statement in sys.argv[2:]:
    start = time.process_time()
    connection.execute(statement).fetchall()
    print(time.process_time() - start)
"#;

/// Statements in Spark on two cores: the processor time of its virtual machine for each, after one that warms it up.
const SPARK: &str = r#"
import sys
from pyspark.sql import SparkSession
config = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "4g"}
spark = SparkSession.builder.master("local[2]").config(map=config).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.read.parquet(sys.argv[1]).createOrReplaceTempView("logs")
def used():
    with open(f"/proc/{spark.sparkContext._gateway.proc.pid}/stat") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / 100
for number, statement in enumerate([sys.argv[2], *sys.argv[2:]]):
    start = used()
    spark.sql(statement.rstrip().rstrip(";")).collect()
    if number > 0:
        print(used() - start)
"#;

/// The Python package on a frame of Polars in memory; the least time of five checks.
const PACKAGE: &str = r#"
import sys, time, polars as pl, shall
frame, requirement = pl.read_parquet(sys.argv[1]), shall.Requirement(sys.argv[2])
def once():
    start = time.process_time()
    requirement.check(frame)
    return time.process_time() - start
print(min(once() for _ in range(5)))
"#;

/// A program, and how its time is known.
struct Program {
    name: String,
    call: Vec<String>,
    /// Whether it prints its own time.
    tells: bool,
    /// How often it is run; the least processor time counts.
    rounds: usize,
    /// Whether what it prints is thrown away.
    is_silent: bool,
    /// How often it is run in a round, because the system counts hundredths of a second.
    times: u32,
}

/// Prints the table. `python` has Polars and, perhaps, the package `shall`.
pub(crate) fn run(python: Option<&str>) -> Result {
    let folder = Path::new("target/logs");
    fs::create_dir_all(folder).at(folder)?;
    let log = folder.join("log.csv");
    if !log.exists() {
        println!("writing {} with {ROWS} rows", log.display());
        write(&log).at(&log)?;
    }
    let parquet = folder.join("log.parquet");
    let [csv, columns] = [&log, &parquet].map(|path| path.display().to_string());
    let start = Program { times: 20, ..program("shall, start", &[SHALL, "--version"]) };
    let mut programs = vec![program("md5sum", &["md5sum", &csv]), start];
    for (name, sentence) in SENTENCES {
        programs.push(program(&format!("shall {name}"), &[SHALL, "eval", "--trace", &csv, sentence]));
        let own = [SHALL, "eval", "--time", "rows", "--trace", &csv, sentence];
        programs.push(program(&format!("shall {name}, rows"), &own));
    }
    let many: Vec<String> = (1..=50)
        .map(|number| format!("the sys shall always satisfy p => occurred({number}, q) | x > {number}/10"))
        .collect();
    let one = [SHALL, "eval", "--trace", &csv, &many[0]];
    programs.push(program("shall, one of 50", &one));
    let all: Vec<&str> = one[..4].iter().copied().chain(many.iter().map(String::as_str)).collect();
    programs.push(program("shall, 50 requirements", &all));
    for (name, sentence) in SENTENCES {
        let call = [SHALL, "eval", "--trace", &csv, "--meaning", "past", sentence];
        programs.push(Program { rounds: 1, ..program(&format!("shall {name} --meaning past"), &call) });
    }
    if Path::new(R2U2).exists() {
        let marked = r2u2_log(folder, &log)?;
        for ((name, _), formula) in SENTENCES.iter().zip(C2PO) {
            let specification = r2u2_specification(&folder.join(name), formula)?;
            let call = [R2U2, "run", &specification, &marked];
            programs.push(Program { rounds: 1, is_silent: true, ..program(&format!("R2U2 {name}"), &call) });
        }
    } else {
        println!("without R2U2: {R2U2} is not installed");
    }
    let has = |package: &str| {
        let import = format!("import {package}");
        let found =
            Command::new(python.unwrap_or("python3")).args(["-c", &import]).stderr(Stdio::null()).status();
        python.is_some() && found.is_ok_and(|status| status.success())
    };
    if let Some(python) = python.filter(|_| has("polars")) {
        if !parquet.exists() {
            measured(&[python, "-c", TO_PARQUET, &csv, &columns].map(String::from), false)?;
        }
        for (name, sentence) in SENTENCES {
            let told = |name: String, call: &[&str]| Program { tells: true, ..program(&name, call) };
            let polars = [python, "-c", POLARS, &csv, name, "time"];
            programs.push(told(format!("Polars {name}"), &polars));
            programs.push(told(format!("Polars {name}, rows"), &polars[..5]));
            let own = [SHALL, "eval", "--trace", &columns, sentence];
            programs.push(Program { times: 5, ..program(&format!("shall {name}, Parquet"), &own) });
            let own = [SHALL, "eval", "--time", "rows", "--trace", &columns, sentence];
            programs.push(Program { times: 10, ..program(&format!("shall {name}, Parquet, rows"), &own) });
            let polars = [python, "-c", POLARS, &columns, name, "time"];
            programs.push(told(format!("Polars {name}, Parquet"), &polars));
            programs.push(told(format!("Polars {name}, Parquet, rows"), &polars[..5]));
            if has("shall") {
                programs.push(told(format!("package {name}"), &[python, "-c", PACKAGE, &columns, sentence]));
            }
        }
    }
    let mut best: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for round in 0..ROUNDS {
        for it in programs.iter().filter(|it| round < it.rounds) {
            let (mut seconds, mut memory, mut told) = (0.0, 0, String::new());
            for _ in 0..it.times {
                let (more, peak, text) = measured(&it.call, it.is_silent)?;
                (seconds, memory, told) = (seconds + more / f64::from(it.times), memory.max(peak), text);
            }
            let seconds = match it.tells {
                true => told.trim().parse().map_err(|_| Failure::Program(format!("{} failed", it.name)))?,
                false => seconds,
            };
            let best = best.entry(&it.name).or_insert((f64::INFINITY, 0));
            *best = (best.0.min(seconds), best.1.max(memory));
        }
    }
    println!("{:<30} {:>10} {:>10}", "", "seconds", "megabytes");
    for it in &programs {
        let (seconds, memory) = best[it.name.as_str()];
        println!("{:<30} {seconds:>10.3} {:>10.1}", it.name, memory as f64 / 1024.0);
    }
    let mut problems = Vec::new();
    for (package, script, dialect, most) in
        [("duckdb", DUCKDB, "duckdb", 8.0), ("pyspark", SPARK, "spark", 25.0)]
    {
        if let Some(python) = python.filter(|_| has(package) && parquet.exists()) {
            let told = statements(python, script, dialect, &columns)?;
            for ((name, _), seconds) in SENTENCES.iter().zip(told) {
                println!("{:<30} {seconds:>10.3}", format!("{dialect} {name}"));
                if seconds > most {
                    problems.push(format!("{name} takes more than {most} s in {dialect}"));
                }
            }
        }
    }
    problems.extend(judge(&best));
    no_problems(problems)
}

/// The processor time of the statement of each requirement in an engine.
fn statements(python: &str, script: &str, dialect: &str, columns: &str) -> Result<Vec<f64>> {
    let mut call = [python, "-c", script, columns].map(String::from).to_vec();
    for (_, sentence) in SENTENCES {
        let own = [
            SHALL,
            "monitor",
            sentence,
            "--to",
            "sql",
            "--dialect",
            dialect,
            "--table",
            "logs",
            "--run",
            "run",
        ];
        let written = Command::new(own[0]).args(&own[1..]).args(["--order", "time"]).output().or_fail()?;
        call.push(String::from_utf8_lossy(&written.stdout).into_owned());
    }
    let output = Command::new(&call[0]).args(&call[1..]).stderr(Stdio::null()).output().or_fail()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let seconds: Vec<f64> = told.lines().filter_map(|line| line.trim().parse().ok()).collect();
    if seconds.len() == SENTENCES.len() {
        Ok(seconds)
    } else {
        Err(Failure::Program(format!("{dialect} failed")))
    }
}

/// What misses a limit that holds on every machine, because it is a ratio of programs in one run.
fn judge(best: &BTreeMap<&str, (f64, u64)>) -> Vec<String> {
    let seconds = |name: &str| best.get(name).map(|it| it.0);
    let sum = seconds("md5sum").unwrap_or(0.0);
    let mut problems = Vec::new();
    let mut limit = |is_met: bool, problem: String| {
        if !is_met {
            problems.push(problem);
        }
    };
    for (name, _) in SENTENCES {
        let own = &format!("shall {name}");
        let Some(own_time) = seconds(own) else { continue };
        limit(own_time <= 3.0 * sum, format!("{name} takes more than three times as long as md5sum"));
        limit(best[own.as_str()].1 <= 64 * 1024, format!("{name} needs more than 64 MB of memory"));
        // Even where Polars does not look at the time.
        for own in [own, &format!("{own}, rows")] {
            for (peer, most) in [(format!("Polars {name}, rows"), 3.0), (format!("R2U2 {name}"), 15.0)] {
                if let [Some(its_time), Some(own_time)] = [&peer, own].map(|it| seconds(it)) {
                    let ratio = its_time / own_time;
                    limit(ratio >= most, format!("{own} is only {ratio:.1} times as fast as {peer}"));
                }
            }
        }
        // With and without a look at the time; without the start of either program.
        for suffix in ["Parquet", "Parquet, rows"] {
            let both = [own, &format!("Polars {name}")].map(|name| seconds(&format!("{name}, {suffix}")));
            if let [Some(own), Some(polars)] = both {
                let own = own - seconds("shall, start").unwrap_or(0.0);
                let ratio = own / polars;
                limit(own <= polars, format!("{name} takes {ratio:.1} times as long as Polars ({suffix})"));
            }
        }
        if let Some(package) = seconds(&format!("package {name}")) {
            limit(package <= 0.04, format!("{name} takes {:.0} ms on a frame of Polars", 1000.0 * package));
        }
    }
    if let [Some(one), Some(many)] = ["shall, one of 50", "shall, 50 requirements"].map(seconds) {
        limit(many <= 2.0 * one, "50 requirements take more than twice as long as one".into());
    }
    problems
}

/// The log for R2U2, whose header begins with a number sign.
fn r2u2_log(folder: &Path, log: &Path) -> Result<String> {
    let marked = folder.join("r2u2.csv");
    if !marked.exists() {
        let copy = || -> std::io::Result<()> {
            let mut out = File::create(&marked)?;
            out.write_all(b"# ")?;
            std::io::copy(&mut File::open(log)?, &mut out).map(|_| ())
        };
        copy().at(&marked)?;
    }
    Ok(marked.display().to_string())
}

/// A specification for R2U2, compiled into a folder.
fn r2u2_specification(folder: &Path, formula: &str) -> Result<String> {
    fs::create_dir_all(folder).at(folder)?;
    let [source, header] = ["formula.c2po", "header.csv"].map(|name| folder.join(name));
    let inputs = "INPUT\n  time, x: float;\n  p, q, r, m, c, s: bool;\nPTSPEC\n";
    fs::write(&source, format!("{inputs}  {formula};\n")).at(&source)?;
    fs::write(&header, "# time,p,q,r,m,c,s,x\n0.0,0,0,0,0,0,0,0.0\n").at(&header)?;
    let mut compiler = Command::new(R2U2);
    compiler.arg("compile").args([&source, &header]).arg("--output").arg(folder);
    let output = compiler.output().or_fail()?;
    let compiled = folder.join("spec.bin");
    if !output.status.success() || !compiled.exists() {
        return Err(Failure::Program(format!("C2PO refused `{formula}`")));
    }
    Ok(compiled.display().to_string())
}

fn program(name: &str, call: &[&str]) -> Program {
    let call = call.iter().map(|it| (*it).to_owned()).collect();
    Program { name: name.to_owned(), call, tells: false, is_silent: false, rounds: ROUNDS, times: 1 }
}

/// The processor time of a program, its largest memory in kilobytes, and what it prints, unless that is thrown away.
fn measured(call: &[String], is_silent: bool) -> Result<(f64, u64, String)> {
    let before = of_children()?;
    let mut command = Command::new("taskset");
    let output = if is_silent { Stdio::null() } else { Stdio::piped() };
    command.args(["-c", "0"]).args(call).stdout(output).env("POLARS_MAX_THREADS", "1");
    let start = |error| Failure::Program(format!("{}: {error}", call[0]));
    let mut child = command.spawn().map_err(start)?;
    let output = child.stdout.take();
    let told = std::thread::spawn(move || {
        let mut text = String::new();
        output.map(|mut output| output.read_to_string(&mut text)).transpose().map(|_| text)
    });
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
    let told = told.join().unwrap_or_else(|_| Ok(String::new())).or_fail()?;
    Ok((of_children()? - before, memory, told))
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
