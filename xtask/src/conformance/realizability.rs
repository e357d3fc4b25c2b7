//! Realizability of Lustre contracts beside the verdicts that JKind gave (`peer_results.tsv`): ours must be the same, except where the
//! reason is known, and each controller, written as Lustre and read back, must keep all guarantees. And that of FRET projects.

mod projects;

use crate::failure::{OrFail, Result, no_problems};
use crate::files::{rows, text};
use engine::{Answer, Config, Verdict, verify};
use export::system::lustre;
use lustre::{Options, read};
use realize::{Budget, Game, Order, Outcome, Strategy, judge};
use shall::solver::Driver;
use std::path::Path;
use std::time::{Duration, Instant};
use system::System;

/// Seconds for a group of guarantees.
const SECONDS: u64 = 10;

/// Seconds for the check of a certificate, or of a controller that is read back.
const CHECK_SECONDS: u64 = 60;

/// Files on which we and the peer differ, and why.
const DIFFERENT: [(&str, &str); 2] =
    [("generalized_buffer_2_0.lus", FIRST_VALUES), ("generalized_buffer_3.lus", FIRST_VALUES)];

const FIRST_VALUES: &str = "`pre` has no value at the first step: here the environment chooses one for each `pre`; if the implementation chooses it, the contract is realizable";

/// Of the contracts, one in so many has its certificates and controllers checked, unless all are asked for.
const SAMPLE: usize = 8;

/// Files that are not decided here: the number of nodes of the diagrams, and a nesting that is deeper than what is read.
const OPEN: [&str; 2] = ["AP_0.lus", "NN.lus"];

/// What was found about strategies.
#[derive(Default)]
struct Sum {
    /// Seconds until the verdicts and the strategies are there.
    seconds: f64,
    strategies: usize,
    checked: usize,
    controllers: usize,
    read_back: usize,
    problems: Vec<String>,
}

impl Sum {
    /// Counts a certificate; whether it was decided.
    fn certificate(&mut self, strategy: &Strategy, driver: &Driver) -> bool {
        let started = Instant::now();
        let stop = || started.elapsed() > Duration::from_secs(CHECK_SECONDS);
        self.strategies += 1;
        match strategy.check(driver, &stop) {
            Ok(()) => self.checked += 1,
            Err(realize::Unchecked::Rejected) => self.problems.push("a certificate is rejected".to_owned()),
            Err(_) => return false,
        }
        true
    }

    fn controller(&mut self, read_back: std::result::Result<bool, String>) {
        self.controllers += 1;
        match read_back {
            Ok(valid) => self.read_back += usize::from(valid),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// Compares; prints a line for each file. Certificates and controllers are checked for all of them, or for a sample.
pub(crate) fn check(folder: &Path, all: bool) -> Result {
    let folder = folder.join("realizability");
    let table = text(&folder.join("peer_results.tsv"))?;
    let driver = Driver::named("z3").ok_or("there is no driver for z3").or_fail()?;
    let mut wrong = Vec::new();
    projects::check(&folder, &driver, &mut wrong)?;
    let mut sum = Sum::default();
    let (mut decided, mut theirs, mut files) = (0, 0.0, 0);
    println!(
        "{:<22} {:<13} {:<13} {:>9} {:>9} {:>7}",
        "contract", "verdict", "JKind", "seconds", "JKind", "ratio"
    );
    for row in rows(&table) {
        let [file, expected, _, seconds, ..] = row[..] else { continue };
        let path = folder.join(file);
        if !path.is_file() {
            continue;
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        let (verdict, found) = contract(&text(&path)?, (all || files % SAMPLE == 0).then_some(&driver));
        let peer: f64 = seconds.parse().unwrap_or_default();
        let ratio = peer / found.seconds.max(1e-6);
        println!("{name:<22} {verdict:<13} {expected:<13} {:>9.3} {peer:>9.3} {ratio:>7.0}", found.seconds);
        if (found.checked, found.read_back) != (found.strategies, found.controllers) {
            let (certificates, controllers) =
                (found.strategies - found.checked, found.controllers - found.read_back);
            println!("    not decided in time: {certificates} certificates, {controllers} controllers");
        }
        let same = verdict == expected || expected == "unknown";
        if verdict == "unknown" {
            if !OPEN.contains(&name) {
                wrong.push(format!("{file}: unknown"));
            }
        } else if !same {
            match DIFFERENT.iter().find(|it| it.0 == name) {
                Some((_, reason)) => println!("    differs: {reason}"),
                None => wrong.push(format!("{file}: {verdict}, JKind: {expected}")),
            }
        }
        wrong.extend(found.problems.into_iter().map(|it| format!("{file}: {it}")));
        decided += usize::from(verdict != "unknown");
        files += 1;
        theirs += peer;
        sum.seconds += found.seconds;
        sum.strategies += found.strategies;
        sum.checked += found.checked;
        sum.controllers += found.controllers;
        sum.read_back += found.read_back;
    }
    println!(
        "{decided} of {files} contracts are decided in {:.2} s (JKind: {theirs:.1} s); {} of {} certificates are checked; {} of {} controllers are valid when read back",
        sum.seconds, sum.checked, sum.strategies, sum.read_back, sum.controllers
    );
    no_problems(wrong)
}

/// The verdict on a contract; with a driver, also its certificates and controllers are checked.
fn contract(text: &str, driver: Option<&Driver>) -> (&'static str, Sum) {
    let mut found = Sum::default();
    let begun = Instant::now();
    let program = read(text, &|_| None);
    let nodes = program.nodes();
    let Some(node) = nodes.iter().find(|it| it.realizable.is_some()) else { return ("unknown", found) };
    let Ok(system) = program.system(&node.name, &Options::default()) else { return ("unknown", found) };
    let game = Game::of_contract(system, &node.inputs, node.realizable.as_deref().unwrap_or_default());
    let mut outcomes = Vec::new();
    let mut strategies: Vec<Strategy> = Vec::new();
    for component in game.components() {
        let part = game.part(&component.guarantees);
        let started = Instant::now();
        let stop = || started.elapsed() > Duration::from_secs(SECONDS);
        let judged = judge(&part, Order::Mealy, Budget { stop: &stop, ..Budget::DEFAULT });
        strategies.extend(judged.strategy.and_then(std::result::Result::ok));
        outcomes.push(judged.outcome);
    }
    found.seconds = begun.elapsed().as_secs_f64();
    let verdict = if outcomes.contains(&Outcome::Unrealizable) {
        "unrealizable"
    } else if outcomes.iter().all(|it| *it == Outcome::Realizable) {
        "realizable"
    } else {
        "unknown"
    };
    let Some(driver) = driver else { return (verdict, found) };
    for strategy in &strategies {
        found.certificate(strategy, driver);
        if !strategy.kept.is_empty() {
            found.controller(read_back(strategy, driver));
        }
    }
    (verdict, found)
}

/// Whether all guarantees of a controller that is written as Lustre and read back are valid; `Err` if one is not.
fn read_back(strategy: &Strategy, driver: &Driver) -> std::result::Result<bool, String> {
    let written = lustre(&strategy.controller(), "controller", &[]).map_err(|it| it.to_string())?;
    let program = read(&written.text, &|_| None);
    let system = program
        .system("controller", &Options::default())
        .map_err(|it| format!("a controller cannot be read back: {:?}", it.first()))?;
    valid(&system, driver)
}

/// Whether all properties of a system are valid; `Err` if one is not.
fn valid(system: &System, driver: &Driver) -> std::result::Result<bool, String> {
    let begun = Instant::now();
    let left = || Duration::from_secs(CHECK_SECONDS).saturating_sub(begun.elapsed());
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let verdicts: Vec<Verdict> = verify(system, &all, &Config::new(&left, driver));
    if let Some(it) = verdicts.iter().find(|it| matches!(it.answer, Answer::Invalid(_))) {
        return Err(format!("{} is violated by the controller", system.properties[it.property].name));
    }
    Ok(verdicts.iter().all(|it| matches!(it.answer, Answer::Valid(_))))
}
