//! Timelines: sizes on the public benchmark, and proofs that each has the meaning of its formula.
//!
//! A timeline is right if every alternative is included in the formula and the formula in all alternatives together; the automata of
//! the expressions come from another construction than the expressions. The drawing is read back from its SVG.

use crate::counters::{FAMILIES, counter};
use crate::failure::{OrFail, Result, ensure, problem};
use crate::{files, random};
use base::Random;
use draw::timeline::svg;
use draw::timeline::testing::{ReadPiece, read};
use logic::{Formula, Id, Store, truth_table};
use omega::decide::{Setting, general, included};
use omega::{Buchi, Limits, accepts_lasso, translate};
use requirement::{Context, lower_formula};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;
use timeline::picture::{Moment, Piece};
use timeline::{Budget, Expr, Timeline, Words, check, draw, paint, to_buchi};

/// The six formulas that the compared tool cannot draw.
const UNDRAWABLE: [&str; 6] = ["demo-v3.1", "demo-v4.1", "demo-v5.1", "demo-v6.1", "demo-v7.1", "demo-v19.1"];

/// The limits for all drawable formulas of the benchmark together.
const MOST: Totals = Totals { size: 1_150, length: 255, nodes: 560 };

/// The limit for one picture.
const MOST_NODES: u64 = 150;

/// The limits for all automata of the benchmark together.
const MOST_STATES: usize = 320;
const MOST_EDGES: usize = 1_000;

#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    size: u64,
    length: u64,
    nodes: u64,
}

/// The benchmark, then random formulas.
pub(crate) fn check(folder: &Path) -> Result {
    benchmark(folder)?;
    random_timelines(5_000)?;
    random_automata(100_000)
}

fn benchmark(folder: &Path) -> Result {
    let table = |name: &str| files::text(&folder.join("ltl").join(name));
    let (formulas, peers) = (table("bench.tsv")?, table("peer_results.tsv")?);
    let mut lines = peers.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = header.iter().position(|&name| name == "star_height");
    let column = column.ok_or("peer_results.tsv has no column `star_height`").or_fail()?;
    let heights: HashMap<&str, u32> =
        lines.filter_map(|cells| Some((*cells.get(1)?, cells.get(column)?.parse().ok()?))).collect();
    let mut totals = Totals::default();
    let (mut states, mut edges, mut drawn, mut slowest) = (0, 0, 0, 0.0f64);
    for cells in files::rows(&formulas) {
        let &[set, name, _, text, ..] = cells.as_slice() else { continue };
        if set == "counter" {
            continue;
        }
        let mut store = Store::default();
        let formula = parse(&mut store, text).about(name)?;
        let start = Instant::now();
        let mut timeline = draw(&mut store, formula, Words::Infinite, Budget::default()).about(name)?;
        slowest = slowest.max(start.elapsed().as_secs_f64());
        verify(&mut store, formula, &mut timeline).about(name)?;
        let statistics = timeline.statistics();
        let nodes = statistics.drawn_nodes;
        ensure(nodes <= MOST_NODES, format!("{name}: {nodes} drawn nodes"))?;
        drawn += 1;
        if set == "paper" {
            continue;
        }
        let automaton = translate(&store, formula, Limits::default()).about(name)?;
        states += automaton.steps.len();
        edges += automaton.steps.iter().map(Vec::len).sum::<usize>();
        if !UNDRAWABLE.contains(&name) {
            totals.size += statistics.size;
            totals.length += statistics.length;
            totals.nodes += nodes;
            let height = statistics.star_height;
            let higher = heights.get(name).is_some_and(|&theirs| height > theirs);
            ensure(!higher, format!("{name}: star height {height}"))?;
        }
    }
    println!("{drawn} formulas drawn and proved right, the slowest in {slowest:.2} s");
    println!("the 85: size {}, length {}, drawn nodes {}", totals.size, totals.length, totals.nodes);
    println!("automata of the 91: {states} states, {edges} edges");
    let small = totals.size <= MOST.size && totals.length <= MOST.length && totals.nodes <= MOST.nodes;
    ensure(small && states <= MOST_STATES && edges <= MOST_EDGES, "timelines or automata have grown")
}

fn parse(store: &mut Store, text: &str) -> Result<Formula> {
    let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
    formula.ok_or_else(|| format!("{diagnostics:?}")).or_fail()
}

/// The timeline and its drawing say what the formula says.
fn verify(store: &mut Store, formula: Formula, timeline: &mut Timeline) -> Result {
    verify_expressions(store, formula, timeline)?;
    verify_drawing(store, formula, timeline)
}

fn automaton(timeline: &Timeline, expr: Expr) -> Result<Buchi> {
    to_buchi(&timeline.expressions, &timeline.atoms, expr).or_fail()
}

/// The formula allows exactly what one of the alternatives allows in all its lanes.
fn verify_expressions(store: &mut Store, formula: Formula, timeline: &mut Timeline) -> Result {
    let setting = Setting::default();
    for lanes in timeline.alternatives.clone() {
        // The product of all lanes allows nothing that the formula forbids.
        let mut product: Option<omega::General> = None;
        for lane in lanes {
            let lane = omega::empty::general_of(&automaton(timeline, lane)?);
            product = Some(match product {
                None => lane,
                Some(product) => omega::intersection(&product, &lane, setting.limits).or_fail()?,
            });
        }
        let Some(product) = product else { continue };
        let negation = store.not(formula);
        let negation = general(store, negation, &timeline.atoms, setting).or_fail()?;
        let both = omega::intersection(&product, &negation, setting.limits).or_fail()?;
        if let Some(word) = omega::find_word(&both) {
            return problem(format!("the timeline allows {word:?}"));
        }
    }
    // One of the alternatives has all its lanes: whichever lane is picked from each, one of them allows the word.
    let allowed = general(store, formula, &timeline.atoms, setting).or_fail()?;
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
        if let Some(word) = included(&allowed, &union, setting.limits).or_fail()? {
            return problem(format!("the timeline forbids {word:?}"));
        }
    }
    Ok(())
}

/// What the drawing shows, read from its SVG, is what the expressions say.
fn verify_drawing(store: &mut Store, formula: Formula, timeline: &mut Timeline) -> Result {
    let picture = paint::picture(store, timeline, formula).or_fail()?;
    let drawing = svg(store, &picture, "").or_fail()?;
    let read = read(&drawing).map_err(|error| error.message).or_fail()?;
    let shown: Vec<usize> = read.alternatives.iter().map(Vec::len).collect();
    let meant: Vec<usize> = timeline.alternatives.iter().map(Vec::len).collect();
    ensure(shown == meant, format!("the drawing has lanes {shown:?}, not {meant:?}"))?;
    for (shown, &meant) in
        read.alternatives.iter().flatten().zip(timeline.alternatives.clone().iter().flatten())
    {
        let piece = piece(store, shown)?;
        let expr =
            check::piece_expression(store, &mut timeline.expressions, &timeline.atoms, &piece).or_fail()?;
        if expr == meant {
            continue;
        }
        let (shown, meant) = (automaton(timeline, expr)?, automaton(timeline, meant)?);
        let compared = omega::decide::equivalent_automata(&shown, &meant, Limits::default());
        if let Some(difference) = compared.or_fail()? {
            return problem(format!("the drawing differs on {difference:?}"));
        }
    }
    Ok(())
}

fn piece(store: &mut Store, shown: &ReadPiece) -> Result<Piece> {
    let mut all =
        |pieces: &[ReadPiece]| pieces.iter().map(|shown| piece(store, shown)).collect::<Result<_>>();
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
fn random_timelines(count: u64) -> Result {
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
        verify(&mut store, formula, &mut timeline).about(format!("seed {seed}"))?;
        proved += 1;
    }
    println!("{proved} random formulas drawn and proved right, {undecided} over the limits");
    Ok(())
}

/// Automata against evaluation, on random formulas and lassos.
fn random_automata(pairs: u64) -> Result {
    const LASSOS: u64 = 100;
    for seed in 0..pairs / LASSOS {
        let mut store = Store::default();
        let mut rng = Random::new(1 << 32 | seed);
        let atoms = atoms(&mut store, 3);
        let formula = random::formula(&mut store, &mut rng, &atoms, 4);
        let automaton = translate(&store, formula, Limits::default()).or_fail()?;
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
                return problem(format!("seed {seed}: the automaton differs on {words:?} from {start}"));
            }
        }
    }
    println!("automata agree with evaluation on {pairs} random formulas and lassos");
    Ok(())
}

/// Prints how the sizes of counters grow, up to this number of bits.
pub(crate) fn counters(folder: Option<&Path>, bits: usize) -> Result {
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
                .about(format!("{name} with {bits} bits"))?;
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

/// Checks that the generated formulas are those of the public benchmark.
fn same_as_public(folder: &Path) -> Result {
    let text = files::text(&folder.join("ltl").join("bench.tsv"))?;
    for (family, name) in FAMILIES {
        for bits in 1..=6 {
            let wanted = format!("\t{name}{bits}\t");
            let line = text.lines().find(|line| line.contains(&wanted));
            let line = line.ok_or_else(|| format!("bench.tsv has no {name}{bits}")).or_fail()?;
            let public = line.split('\t').nth(3).unwrap_or_default();
            let mut store = Store::default();
            let (ours, theirs) = (parse(&mut store, &counter(family, bits))?, parse(&mut store, public)?);
            ensure(ours == theirs, format!("{name}{bits} is not the public one"))?;
        }
    }
    Ok(())
}
