//! Language inclusion of machines on infinite words, by the graphs of finite words (Büchi 1962; Fogarty, Vardi 2010; with only the
//! smallest graphs kept as in Abdulla et al. 2011), within a budget, with a word that distinguishes them.
//!
//! A lasso is a word u v^ω. The graph of v contains the pairs of states that v connects, and whether it does over a mark.

use crate::language::machine::{Machine, ones};
use crate::limit::{Fuel, Limit};
use rustc_hash::FxHashMap;

/// An infinite word: some letters, and letters that repeat forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lasso {
    pub(crate) stem: Vec<usize>,
    pub(crate) cycle: Vec<usize>,
}

/// From each state: where a word leads, and where it leads over a mark.
type Graph = Vec<(u64, u64)>;

/// Whether a machine accepts a lasso.
pub(crate) fn accepts(machine: &Machine, lasso: &Lasso) -> bool {
    let start = lasso.stem.iter().fold(1, |set, &letter| machine.after(set, letter));
    let mut graph = identity(machine.states);
    for &letter in &lasso.cycle {
        graph = then(machine, &graph, letter);
    }
    accepted(&graph, start)
}

/// A word of the first machine that the second does not accept; `None` if there is none.
pub(crate) fn difference(small: &Machine, big: &Machine, fuel: &mut Fuel) -> Result<Option<Lasso>, Limit> {
    // Letters that both machines treat alike are merged.
    let mut columns: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut kept: Vec<usize> = Vec::new();
    for letter in 0..small.letters {
        let column = |machine: &Machine| -> Vec<u64> {
            let tables = [&machine.next, &machine.marked];
            tables
                .iter()
                .flat_map(|table| (0..machine.states).map(|state| table[state * machine.letters + letter]))
                .collect()
        };
        let both = [column(small), column(big)].concat();
        columns.entry(both).or_insert_with(|| {
            kept.push(letter);
            letter
        });
    }
    let found = search(&small.restricted(&kept), &big.restricted(&kept), fuel)?;
    let rename = |word: Vec<usize>| word.into_iter().map(|letter| kept[letter]).collect();
    Ok(found.map(|lasso| Lasso { stem: rename(lasso.stem), cycle: rename(lasso.cycle) }))
}

/// Discovered items, each with its predecessor and letter.
struct Trail<T> {
    items: Vec<(T, usize, usize)>,
}

impl<T> Trail<T> {
    fn word(&self, mut item: usize) -> Vec<usize> {
        let mut word = Vec::new();
        while self.items[item].1 != usize::MAX {
            word.push(self.items[item].2);
            item = self.items[item].1;
        }
        word.reverse();
        word
    }
}

fn search(small: &Machine, big: &Machine, fuel: &mut Fuel) -> Result<Option<Lasso>, Limit> {
    let stems = stems(small, big, fuel)?;
    let mut entries: Vec<usize> = Vec::new();
    for state in 0..small.states {
        let marked = small.marked.iter().any(|set| set >> state & 1 == 1);
        if marked && stems.items.iter().any(|((at, _), _, _)| *at == state) {
            entries.push(state);
        }
    }
    for entry in entries {
        let starts: Vec<(usize, u64)> = stems
            .items
            .iter()
            .enumerate()
            .filter(|(_, ((at, _), _, _))| *at == entry)
            .map(|(item, ((_, set), _, _))| (item, *set))
            .collect();
        if let Some((stem, cycle)) = cycles(small, big, entry, &starts, fuel)? {
            return Ok(Some(Lasso { stem: stems.word(stem), cycle }));
        }
    }
    Ok(None)
}

/// The reachable states of the first machine, each with the smallest sets of states that the second may be in.
fn stems(small: &Machine, big: &Machine, fuel: &mut Fuel) -> Result<Trail<(usize, u64)>, Limit> {
    let mut trail = Trail { items: vec![((0, 1), usize::MAX, 0)] };
    let mut sets: Vec<Vec<u64>> = vec![Vec::new(); small.states];
    sets[0].push(1);
    let mut item = 0;
    while item < trail.items.len() {
        let ((state, set), _, _) = trail.items[item];
        // A smaller set may have been found since.
        let current = sets[state].contains(&set);
        for letter in 0..small.letters {
            if !current {
                break;
            }
            fuel.burn(4)?;
            let after = big.after(set, letter);
            for target in ones(small.next[state * small.letters + letter]) {
                fuel.burn(1 + sets[target].len() as u64 / 8)?;
                if sets[target].iter().any(|&other| other & !after == 0) {
                    continue;
                }
                sets[target].retain(|&other| after & !other != 0);
                sets[target].push(after);
                trail.items.push(((target, after), item, letter));
            }
        }
        item += 1;
    }
    Ok(trail)
}

/// A cycle of the first machine through a state and over a mark, after one of the stems, that the second does not accept.
fn cycles(
    small: &Machine,
    big: &Machine,
    entry: usize,
    starts: &[(usize, u64)],
    fuel: &mut Fuel,
) -> Result<Option<(usize, Vec<usize>)>, Limit> {
    let mut trail = Trail { items: vec![((entry, identity(big.states)), usize::MAX, 0)] };
    let mut least: Vec<Vec<usize>> = vec![Vec::new(); small.states];
    let mut item = 0;
    let mut dead: Vec<bool> = vec![false];
    while item < trail.items.len() {
        if dead[item] {
            item += 1;
            continue;
        }
        let state = trail.items[item].0.0;
        for letter in 0..small.letters {
            let targets = small.next[state * small.letters + letter];
            if targets == 0 {
                continue;
            }
            fuel.burn(2 * edges(&trail.items[item].0.1))?;
            let graph = then(big, &trail.items[item].0.1, letter);
            if small.marked[state * small.letters + letter] >> entry & 1 == 1 {
                for &(stem, set) in starts {
                    fuel.burn(2 + edges(&graph))?;
                    if !accepted(&graph, set) {
                        let mut word = trail.word(item);
                        word.push(letter);
                        return Ok(Some((stem, word)));
                    }
                }
            }
            for target in ones(targets) {
                fuel.burn(1 + (least[target].len() * (2 + big.states / 8)) as u64)?;
                let items = &trail.items;
                if least[target].iter().any(|&other| below(&items[other].0.1, &graph)) {
                    continue;
                }
                least[target].retain(|&other| {
                    let worse = below(&graph, &items[other].0.1);
                    if worse {
                        dead[other] = true;
                    }
                    !worse
                });
                least[target].push(trail.items.len());
                trail.items.push(((target, graph.clone()), item, letter));
                dead.push(false);
            }
        }
        item += 1;
    }
    Ok(None)
}

fn identity(states: usize) -> Graph {
    (0..states).map(|state| (1 << state, 0)).collect()
}

fn then(machine: &Machine, graph: &Graph, letter: usize) -> Graph {
    graph
        .iter()
        .map(|&(reached, marked)| {
            let mut row = (0, machine.after(marked, letter));
            for state in ones(reached) {
                row.0 |= machine.next[state * machine.letters + letter];
                row.1 |= machine.marked[state * machine.letters + letter];
            }
            row
        })
        .collect()
}

/// The number of edges of a graph, as a measure of the work with it.
fn edges(graph: &Graph) -> u64 {
    graph.iter().map(|(reached, _)| 1 + u64::from(reached.count_ones())).sum()
}

fn below(small: &Graph, big: &Graph) -> bool {
    small.iter().zip(big).all(|(a, b)| a.0 & !b.0 == 0 && a.1 & !b.1 == 0)
}

/// Whether a word with this graph, repeated forever from one of the states, is accepted.
fn accepted(graph: &Graph, start: u64) -> bool {
    let reach = |start: u64| {
        let (mut seen, mut fresh) = (start, start);
        while fresh != 0 {
            fresh = ones(fresh).map(|state| graph[state].0).fold(0, |a, b| a | b) & !seen;
            seen |= fresh;
        }
        seen
    };
    ones(reach(start)).any(|state| ones(graph[state].1).any(|next| reach(1 << next) >> state & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::machine::Letters;
    use crate::testing::small_expressions;

    /// On all pairs of some small expressions: the answer is right on short lassos, and a reported difference is one.
    #[test]
    fn differences_are_differences() {
        let (mut arena, _, infinite) = small_expressions();
        let mut letters = Letters::new(&mut arena.guards, &[], 1).expect("two letters");
        let sample: Vec<_> = infinite.into_iter().step_by(37).take(60).collect();
        let machines: Vec<Machine> = sample
            .iter()
            .map(|&expr| Machine::of(&mut arena, &mut letters, expr).expect("a machine"))
            .collect();
        let words = |longest: u32| {
            (0..=longest).flat_map(|length| (0..1usize << length).map(move |bits| word(bits, length)))
        };
        let lassos: Vec<Lasso> = words(3)
            .flat_map(|stem| {
                words(3)
                    .filter(|cycle| !cycle.is_empty())
                    .map(move |cycle| Lasso { stem: stem.clone(), cycle })
            })
            .collect();
        for small in &machines {
            for big in &machines {
                let found = difference(small, big, &mut Fuel::new(1_000_000)).expect("enough work");
                let short = lassos.iter().any(|lasso| accepts(small, lasso) && !accepts(big, lasso));
                assert!(found.is_some() || !short);
                if let Some(lasso) = found {
                    assert!(accepts(small, &lasso) && !accepts(big, &lasso));
                }
            }
        }
    }

    fn word(bits: usize, length: u32) -> Vec<usize> {
        (0..length).map(|k| bits >> k & 1).collect()
    }
}
