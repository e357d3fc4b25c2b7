//! The paper's benchmark: reads `bench.tsv` and `peer_results.tsv` from a folder, draws every formula, and prints how large ours and
//! the peer's timelines are, and whether ours was found equivalent to the formula. Usage: `drawings FOLDER [SET [NAME]]`.

use logic::{Formula, Store};
use omega::Limits;
use omega::decide::{Setting, equivalent_to_formula, included_in_formula};
use requirement::{Context, lower_formula};
use shall_timeline::check::timeline_to_buchi;
use shall_timeline::text::{Script, print};
use shall_timeline::{Budget, Timeline, Words, draw};
use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

const UNDRAWABLE: [&str; 6] = ["demo-v3.1", "demo-v4.1", "demo-v5.1", "demo-v6.1", "demo-v7.1", "demo-v19.1"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else {
        eprintln!("usage: drawings FOLDER [SET [NAME]]");
        return ExitCode::from(2);
    };
    match run(folder, arguments.get(1), arguments.get(2)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the timeline and the formula have the same words, by other means than those that made it: all of it at once, or, if that
/// is too much, that nothing is shown that the formula forbids, and that each lane has the words of its part.
fn verdict(store: &mut Store, formula: Formula, drawn: &Timeline) -> String {
    let automaton = match timeline_to_buchi(drawn) {
        Ok(automaton) => automaton,
        Err(limit) => return format!("? {limit}"),
    };
    match equivalent_to_formula(&automaton, store, formula, Setting::default()) {
        Ok(None) => return "=".into(),
        Ok(Some(_)) => return "DIFFERENT".into(),
        Err(_) => {}
    }
    let limits = Limits { states: 200_000, steps: 100_000_000, ..Limits::default() };
    match included_in_formula(&automaton, store, formula, Setting { limits, possible: None }) {
        Ok(None) if drawn.proved => "= by parts".into(),
        Ok(None) => "allowed".into(),
        Ok(Some(_)) => "DIFFERENT".into(),
        Err(limit) => format!("? {limit}"),
    }
}

fn run(folder: &str, only: Option<&String>, name_only: Option<&String>) -> Result<(), std::io::Error> {
    let peers = std::fs::read_to_string(format!("{folder}/peer_results.tsv"))?;
    let peers: HashMap<&str, Vec<&str>> = peers
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row.len() > 13)
        .map(|row| (row[1], row))
        .collect();
    let bench = std::fs::read_to_string(format!("{folder}/bench.tsv"))?;
    let mut totals = [0u64; 4];
    println!(
        "name\tstates/edges\tsize\tlength\tlen2023\theight\tnodes\talts×lanes\tms\tverdict\tpeer size/len/height/nodes\tproto size/len/height/nodes"
    );
    for line in bench.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let &[set, name, _, text, ..] = row.as_slice() else { continue };
        if only.is_some_and(|only| only != set) || name_only.is_some_and(|only| only != name) {
            continue;
        }
        if only.is_none() && set == "counter" {
            continue;
        }
        let mut store = Store::default();
        let (formula, problems) =
            lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
        let Some(formula) = formula else {
            println!("{name}\tunreadable: {problems:?}");
            continue;
        };
        let start = Instant::now();
        let drawn = draw(&mut store, formula, Words::Infinite, Budget::default());
        let time = start.elapsed().as_millis();
        let peer = peers.get(name);
        let column = |k: usize| peer.and_then(|row| row.get(k)).copied().unwrap_or("");
        match drawn {
            Err(limit) => println!("{name}\t{limit}\t{time}"),
            Ok(mut drawn) => {
                let s = drawn.statistics();
                let higher = column(9).parse::<u32>().is_ok_and(|height| s.star_height > height);
                let verdict = verdict(&mut store, formula, &drawn);
                println!(
                    "{name}\t{}/{}\t{}\t{}\t{}\t{}{}\t{}\t{}x{}\t{time}{}\t{verdict}\t{}/{}/{}/{}\t{}/{}/{}/{}",
                    drawn.states,
                    drawn.edges,
                    s.size,
                    s.length,
                    s.length_2023,
                    s.star_height,
                    if higher { "!" } else { "" },
                    s.drawn_nodes,
                    s.alternatives,
                    s.lanes,
                    ["", "+"][usize::from(drawn.exhausted)].to_owned() + ["?", ""][usize::from(drawn.proved)],
                    column(12),
                    column(10),
                    column(9),
                    column(13),
                    column(20),
                    column(18),
                    column(17),
                    column(21),
                );
                if set != "counter" && s.size < 400 {
                    for lanes in drawn.alternatives.clone() {
                        let lanes: Vec<String> = lanes
                            .iter()
                            .map(|&lane| {
                                print(&mut store, &mut drawn.expressions, &drawn.atoms, lane, Script::Unicode)
                                    .unwrap_or_default()
                            })
                            .collect();
                        println!("    {}", lanes.join("  ||  "));
                    }
                }
                if set != "paper" && set != "counter" && !UNDRAWABLE.contains(&name) {
                    for (total, part) in
                        totals.iter_mut().zip([s.size, s.length, s.drawn_nodes, s.length_2023])
                    {
                        *total += part;
                    }
                }
            }
        }
    }
    println!(
        "total of the 85: size {} length {} nodes {} length2023 {}",
        totals[0], totals[1], totals[2], totals[3]
    );
    Ok(())
}
