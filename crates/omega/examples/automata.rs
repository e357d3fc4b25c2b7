//! Sizes and times of the automata of a list of formulas, beside those of other tools.
//!
//! `cargo run --release -p shall-omega --example automata -- bench.tsv peer_results.tsv [set..]`

use logic::Store;
use requirement::{Context, lower_formula};
use shall_omega::{Limits, class, translate};
use std::collections::BTreeMap;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(bench), Some(peers)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: automata bench.tsv peer_results.tsv [set..]");
        return;
    };
    let sets: Vec<String> = arguments.collect();
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let peers = read(&peers);
    let peers: BTreeMap<&str, Vec<&str>> = peers
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields.len() > 14)
        .map(|fields| (fields[1], fields))
        .collect();
    let mut totals = [0usize; 4];
    let mut time = 0.0;
    let mut slowest = 0.0f64;
    for line in read(&bench).lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if !sets.is_empty() && !sets.iter().any(|set| set == fields[0]) {
            continue;
        }
        let (name, text) = (fields[1], fields[3]);
        let mut store = Store::default();
        let (formula, diagnostics) =
            lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
        let Some(formula) = formula else {
            println!("{name}: not read: {diagnostics:?}");
            continue;
        };
        // The best of a few: a first run pays for cold memory.
        let mut best = f64::MAX;
        let mut result = None;
        for _ in 0..3 {
            let start = Instant::now();
            result = Some(translate(&store, formula, Limits::default()));
            best = best.min(start.elapsed().as_secs_f64() * 1000.0);
        }
        let Some(Ok(buchi)) = result else {
            println!("{name}: {result:?}");
            continue;
        };
        let (states, edges) = (buchi.steps.len(), buchi.steps.iter().map(Vec::len).sum::<usize>());
        let peer = |column: usize| peers.get(name).map_or("", |fields| fields[column]);
        let (spot_states, spot_edges) = (peer(4).parse().unwrap_or(0), peer(5).parse().unwrap_or(0));
        let verdict = if (states, edges) < (spot_states, spot_edges) {
            "smaller"
        } else if (states, edges) > (spot_states, spot_edges) {
            "LARGER"
        } else {
            ""
        };
        let found = class(&store, formula, Limits::default())
            .map_or_else(|limit| limit.to_string(), |class| class.to_string());
        if !peer(2).is_empty() && peer(2) != found {
            println!("{name}: class {found}, but {} elsewhere", peer(2));
        }
        println!(
            "{name:24} {states:4} {edges:4}   spot {spot_states:4} {spot_edges:4}   ltl3ba {:12} {best:8.3} ms {verdict}",
            peer(14)
        );
        for (total, value) in totals.iter_mut().zip([states, edges, spot_states, spot_edges]) {
            *total += value;
        }
        time += best;
        slowest = slowest.max(best);
    }
    let [states, edges, spot_states, spot_edges] = totals;
    println!(
        "total {states}/{edges}, spot {spot_states}/{spot_edges}, {time:.1} ms, slowest {slowest:.2} ms"
    );
}
