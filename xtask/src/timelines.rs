//! Timelines: sizes on the public benchmark, and proofs that each says what its formula says.
//!
//! A timeline is right if every alternative is included in the formula and the formula in all alternatives together; the automata of
//! the expressions are made by another construction than the expressions. The drawing is read back from its SVG.

use crate::counters::{FAMILIES, counter};
use crate::random;
use base::Random;
use draw::timeline::svg;
use draw::timeline::testing::ReadPiece;
use draw::timeline::testing::read;
use logic::{Formula, Id, Store, truth_table};
use omega::decide::{Setting, general, included};
use omega::{Buchi, Limits, accepts_lasso, translate};
use requirement::{Context, lower_formula};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;
use timeline::picture::{Moment, Piece};
use timeline::{Budget, Expr, Timeline, Words, check, draw, paint, to_buchi};

/// The six formulas that the peer cannot draw.
const UNDRAWABLE: [&str; 6] = ["demo-v3.1", "demo-v4.1", "demo-v5.1", "demo-v6.1", "demo-v7.1", "demo-v19.1"];

/// What all drawable formulas of the benchmark may have together.
const MOST: Totals = Totals { size: 1_150, length: 255, nodes: 560 };

/// What one picture may have.
const MOST_NODES: u64 = 150;

/// What all automata of the benchmark may have together.
const MOST_STATES: usize = 320;
const MOST_EDGES: usize = 1_000;

#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    size: u64,
    length: u64,
    nodes: u64,
}

/// The benchmark, then random formulas.
pub(crate) fn check(folder: &Path) -> Result<(), String> {
    benchmark(folder)?;
    random_timelines(5_000)?;
    random_automata(100_000)
}

fn benchmark(folder: &Path) -> Result<(), String> {
    let table = |name: &str| {
        let path = folder.join("ltl").join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (formulas, peers) = (table("bench.tsv")?, table("peer_results.tsv")?);
    let mut lines = peers.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = header.iter().position(|&name| name == "star_height").ok_or("no column star_height")?;
    let heights: HashMap<&str, u32> =
        lines.filter_map(|cells| Some((*cells.get(1)?, cells.get(column)?.parse().ok()?))).collect();
    let mut totals = Totals::default();
    let (mut states, mut edges, mut drawn, mut slowest) = (0, 0, 0, 0.0f64);
    for cells in formulas.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let &[set, name, _, text, ..] = cells.as_slice() else { continue };
        if set == "counter" {
            continue;
        }
        let failed = |reason: String| format!("{name}: {reason}");
        let mut store = Store::default();
        let formula = parse(&mut store, text).map_err(failed)?;
        let start = Instant::now();
        let mut timeline = draw(&mut store, formula, Words::Infinite, Budget::default())
            .map_err(|limit| failed(limit.to_string()))?;
        slowest = slowest.max(start.elapsed().as_secs_f64());
        verify(&mut store, formula, &mut timeline).map_err(failed)?;
        verify_drawing(&mut store, formula, &mut timeline).map_err(failed)?;
        let statistics = timeline.statistics();
        if statistics.drawn_nodes > MOST_NODES {
            return Err(failed(format!("{} drawn nodes", statistics.drawn_nodes)));
        }
        drawn += 1;
        if set == "paper" {
            continue;
        }
        let automaton =
            translate(&store, formula, Limits::default()).map_err(|limit| failed(limit.to_string()))?;
        states += automaton.steps.len();
        edges += automaton.steps.iter().map(Vec::len).sum::<usize>();
        if !UNDRAWABLE.contains(&name) {
            totals.size += statistics.size;
            totals.length += statistics.length;
            totals.nodes += statistics.drawn_nodes;
            if heights.get(name).is_some_and(|&height| statistics.star_height > height) {
                return Err(failed(format!("star height {}", statistics.star_height)));
            }
        }
    }
    println!("{drawn} formulas drawn and proved right, the slowest in {slowest:.2} s");
    println!("the 85: size {}, length {}, drawn nodes {}", totals.size, totals.length, totals.nodes);
    println!("automata of the 91: {states} states, {edges} edges");
    let small = totals.size <= MOST.size && totals.length <= MOST.length && totals.nodes <= MOST.nodes;
    match small && states <= MOST_STATES && edges <= MOST_EDGES {
        true => Ok(()),
        false => Err("timelines or automata have grown".into()),
    }
}

fn parse(store: &mut Store, text: &str) -> Result<Formula, String> {
    let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
    formula.ok_or_else(|| format!("{diagnostics:?}"))
}

/// The formula allows exactly what one of the alternatives allows in all its lanes.
fn verify(store: &mut Store, formula: Formula, timeline: &mut Timeline) -> Result<(), String> {
    let limit = |limit: &dyn std::fmt::Display| limit.to_string();
    let setting = Setting::default();
    let automaton = |timeline: &Timeline, expr: Expr| -> Result<Buchi, String> {
        to_buchi(&timeline.expressions, &timeline.atoms, expr).map_err(|error| limit(&error))
    };
    for lanes in timeline.alternatives.clone() {
        // What all lanes but one allow is a formula's part to play: their product is asked lane by lane.
        let mut product: Option<omega::General> = None;
        for lane in lanes {
            let lane = omega::empty::general_of(&automaton(timeline, lane)?);
            product = Some(match product {
                None => lane,
                Some(product) => {
                    omega::intersection(&product, &lane, setting.limits).map_err(|error| limit(&error))?
                }
            });
        }
        let Some(product) = product else { continue };
        let negation = store.not(formula);
        let negation = general(store, negation, &timeline.atoms, setting).map_err(|error| limit(&error))?;
        let both = omega::intersection(&product, &negation, setting.limits).map_err(|error| limit(&error))?;
        if let Some(word) = omega::find_word(&both) {
            return Err(format!("the timeline allows {word:?}"));
        }
    }
    // One of the alternatives has all its lanes: whichever lane is picked from each, one of them allows the word.
    let allowed = general(store, formula, &timeline.atoms, setting).map_err(|error| limit(&error))?;
    let mut picks: Vec<Vec<Expr>> = vec![Vec::new()];
    for lanes in &timeline.alternatives {
        picks = picks
            .iter()
            .flat_map(|pick| lanes.iter().map(move |&lane| [pick.as_slice(), &[lane]].concat()))
            .collect();
    }
    for pick in picks {
        let union = match pick.is_empty() {
            true => Expr::EMPTY,
            false => timeline.expressions.union(pick),
        };
        let union = automaton(timeline, union)?;
        if let Some(word) = included(&allowed, &union, setting.limits).map_err(|error| limit(&error))? {
            return Err(format!("the timeline forbids {word:?}"));
        }
    }
    Ok(())
}

/// What the drawing shows, read from its SVG, is what the expressions say.
fn verify_drawing(store: &mut Store, formula: Formula, timeline: &mut Timeline) -> Result<(), String> {
    let picture = paint::picture(store, timeline, formula).map_err(|limit| limit.to_string())?;
    let drawing = svg(store, &picture, "").map_err(|reason| reason.to_string())?;
    let read = read(&drawing).map_err(|error| error.message.to_string())?;
    let shown: Vec<usize> = read.alternatives.iter().map(Vec::len).collect();
    let meant: Vec<usize> = timeline.alternatives.iter().map(Vec::len).collect();
    if shown != meant {
        return Err(format!("the drawing has lanes {shown:?}, not {meant:?}"));
    }
    for (shown, &meant) in
        read.alternatives.iter().flatten().zip(timeline.alternatives.clone().iter().flatten())
    {
        let piece = piece(store, shown)?;
        let expr = check::piece_expression(store, &mut timeline.expressions, &timeline.atoms, &piece)
            .map_err(|limit| limit.to_string())?;
        if expr == meant {
            continue;
        }
        let [shown, meant] = [expr, meant].map(|expr| to_buchi(&timeline.expressions, &timeline.atoms, expr));
        let (shown, meant) =
            (shown.map_err(|limit| limit.to_string())?, meant.map_err(|limit| limit.to_string())?);
        match omega::decide::equivalent_automata(&shown, &meant, Limits::default()) {
            Ok(None) => {}
            Ok(Some(difference)) => return Err(format!("the drawing differs on {difference:?}")),
            Err(limit) => return Err(limit.to_string()),
        }
    }
    Ok(())
}

fn piece(store: &mut Store, shown: &ReadPiece) -> Result<Piece, String> {
    let mut all = |pieces: &[ReadPiece]| -> Result<Vec<Piece>, String> {
        pieces.iter().map(|shown| piece(store, shown)).collect()
    };
    Ok(match shown {
        ReadPiece::Sequence(pieces) => Piece::Sequence(all(pieces)?),
        ReadPiece::Either(pieces) => Piece::Either(all(pieces)?),
        ReadPiece::Step(guard) => Piece::Step(Moment { condition: parse(store, guard)?, example: None }),
        ReadPiece::Repeat(body, least, most) => Piece::Repeat(Box::new(piece(store, body)?), *least, *most),
        ReadPiece::Forever(body) => Piece::Forever(Box::new(piece(store, body)?)),
    })
}

fn atoms(store: &mut Store, count: usize) -> Vec<Formula> {
    ["p", "q", "r"][..count]
        .iter()
        .map(|name| {
            let symbol = store.symbol(name);
            store.var(symbol)
        })
        .collect()
}

/// Random formulas, each drawn, proved and read back from its drawing.
fn random_timelines(count: u64) -> Result<(), String> {
    let (mut proved, mut undecided) = (0, 0);
    for seed in 0..count {
        let mut store = Store::default();
        let atoms = atoms(&mut store, 2 + (seed % 2) as usize);
        let formula = random::formula(&mut store, &mut Random::new(seed), &atoms, 3);
        let budget = Budget { work: 300_000, ..Budget::default() };
        let Ok(mut timeline) = draw(&mut store, formula, Words::Infinite, budget) else {
            undecided += 1;
            continue;
        };
        let failed = |reason: String| format!("seed {seed}: {reason}");
        verify(&mut store, formula, &mut timeline).map_err(failed)?;
        verify_drawing(&mut store, formula, &mut timeline).map_err(failed)?;
        proved += 1;
    }
    println!("{proved} random formulas drawn and proved right, {undecided} over the limits");
    Ok(())
}

/// Automata against evaluation, on random formulas and lassos.
fn random_automata(pairs: u64) -> Result<(), String> {
    const LASSOS: u64 = 100;
    for seed in 0..pairs / LASSOS {
        let mut store = Store::default();
        let mut rng = Random::new(1 << 32 | seed);
        let atoms = atoms(&mut store, 3);
        let formula = random::formula(&mut store, &mut rng, &atoms, 4);
        let automaton = translate(&store, formula, Limits::default()).map_err(|limit| limit.to_string())?;
        for _ in 0..LASSOS {
            let length = 1 + rng.below(6) as usize;
            let start = rng.below(length as u64) as usize;
            let words: Vec<u64> = (0..length).map(|_| rng.below(8)).collect();
            let value = |id: Id, position: usize| {
                atoms.iter().position(|atom| atom.id() == id).is_some_and(|k| words[position] >> k & 1 == 1)
            };
            let expected = truth_table(&store, formula, logic::Shape::lasso(length, start), value)[0];
            let letters: Vec<Vec<bool>> = (0..length)
                .map(|position| automaton.atoms.iter().map(|&id| value(id, position)).collect())
                .collect();
            if accepts_lasso(&automaton, &letters, start) != expected {
                return Err(format!("seed {seed}: the automaton differs on {words:?} from {start}"));
            }
        }
    }
    println!("automata agree with evaluation on {pairs} random formulas and lassos");
    Ok(())
}

/// The counters up to so many bits: how the sizes grow.
pub(crate) fn counters(folder: Option<&Path>, bits: usize) -> Result<(), String> {
    if let Some(folder) = folder {
        same_as_public(folder)?;
    }
    println!(
        "{:<22} {:>4} {:>7} {:>7} {:>7} {:>8}",
        "counter", "bits", "states", "size", "length", "seconds"
    );
    for (family, name) in FAMILIES {
        for bits in 1..=bits {
            let mut store = Store::default();
            let formula = parse(&mut store, &counter(family, bits))?;
            let start = Instant::now();
            let timeline = draw(&mut store, formula, Words::Infinite, Budget::default())
                .map_err(|limit| format!("{name} with {bits} bits: {limit}"))?;
            let statistics = timeline.statistics();
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{name:<22} {bits:>4} {:>7} {:>7} {:>7} {seconds:>8.2}",
                timeline.states, statistics.size, statistics.length
            );
        }
    }
    Ok(())
}

/// The generator makes the formulas of the public benchmark.
fn same_as_public(folder: &Path) -> Result<(), String> {
    let path = folder.join("ltl").join("bench.tsv");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    for (family, name) in FAMILIES {
        for bits in 1..=6 {
            let wanted = format!("\t{name}{bits}\t");
            let line = text.lines().find(|line| line.contains(&wanted)).ok_or("a counter is missing")?;
            let public = line.split('\t').nth(3).unwrap_or_default();
            let mut store = Store::default();
            let (ours, theirs) = (parse(&mut store, &counter(family, bits))?, parse(&mut store, public)?);
            if ours != theirs {
                return Err(format!("{name}{bits} is not the public one"));
            }
        }
    }
    Ok(())
}
