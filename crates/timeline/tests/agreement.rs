//! Timelines against the meaning of formulas: a word satisfies a formula exactly if some alternative has it in all its lanes. Random
//! formulas; all lassos with a short stem and a short cycle, and all short finite words. `TIMELINE_RANDOM` sets how many formulas.

use base::Random;
use logic::{Bound, Formula, Store, Trace, Value, holds_at};
use omega::{accepts_lasso, accepts_word};
use shall_timeline::{Budget, Timeline, Words, draw, to_buchi};

const NAMES: [&str; 3] = ["a", "b", "c"];

fn random(store: &mut Store, rng: &mut Random, atoms: u64, depth: u32) -> Formula {
    if depth == 0 || rng.below(6) == 0 {
        let symbol = store.symbol(NAMES[rng.below(atoms) as usize]);
        return store.var(symbol);
    }
    let f = random(store, rng, atoms, depth - 1);
    match rng.below(10) {
        0 => store.not(f),
        1 => store.next(f),
        2 => store.finally(Bound::ALL, f),
        3 => store.globally(Bound::ALL, f),
        kind => {
            let g = random(store, rng, atoms, depth - 1);
            match kind {
                4 => store.and2(f, g),
                5 => store.or2(f, g),
                6 => store.implies(f, g),
                7 => store.until(Bound::ALL, f, g),
                8 => store.release(Bound::ALL, f, g),
                _ => store.weak_until(Bound::ALL, f, g),
            }
        }
    }
}

/// All words of letters up to a length, from the shortest.
fn words(letters: usize, longest: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    let mut last = found.clone();
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|word| (0..letters).map(move |letter| [word.as_slice(), &[letter]].concat()))
            .collect();
        found.extend(last.clone());
    }
    found
}

fn trace(word: &[usize], loop_start: Option<usize>, atoms: usize) -> Trace {
    let mut trace = Trace::new(word.len(), loop_start).expect("a trace");
    for (k, name) in NAMES.iter().enumerate().take(atoms) {
        let values = word.iter().map(|letter| Value::Bool(letter >> k & 1 == 1)).collect();
        trace = trace.with(name, values).expect("a column");
    }
    trace
}

fn check(
    store: &Store,
    formula: Formula,
    drawn: &Timeline,
    lassos: &[(Vec<usize>, Option<usize>)],
    atoms: usize,
) {
    let machines: Vec<Vec<_>> = drawn
        .alternatives
        .iter()
        .map(|lanes| {
            lanes
                .iter()
                .map(|&lane| to_buchi(&drawn.expressions, &drawn.atoms, lane).expect("an automaton"))
                .collect()
        })
        .collect();
    for (word, loop_start) in lassos {
        let trace = trace(word, *loop_start, atoms);
        let letters: Vec<Vec<bool>> = (0..word.len())
            .map(|position| {
                drawn
                    .atoms
                    .iter()
                    .map(|&atom| {
                        let atom = store.as_formula(atom).expect("an atom");
                        holds_at(store, atom, &trace, position).expect("a variable")
                    })
                    .collect()
            })
            .collect();
        let expected = holds_at(store, formula, &trace, 0).expect("Boolean variables only");
        let found = machines.iter().any(|lanes| {
            lanes.iter().all(|lane| match loop_start {
                Some(start) => accepts_lasso(lane, &letters, *start),
                None => accepts_word(lane, &letters),
            })
        });
        let text = logic::print(store, formula, &logic::SHALL).unwrap_or_default();
        assert_eq!(found, expected, "{text} on {word:?} from {loop_start:?}");
    }
}

fn agreement(of: Words, depths: u64, budget: u64) {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let start = number("TIMELINE_SEED", 1);
    for seed in start..start + number("TIMELINE_RANDOM", 60) {
        let mut rng = Random::new(seed);
        let atoms = if seed % 3 == 0 { 3 } else { 2 };
        let letters = 1 << atoms;
        let mut all = Vec::new();
        match of {
            Words::Finite => {
                let longest = if atoms == 2 { 5 } else { 3 };
                all.extend(
                    words(letters, longest)
                        .into_iter()
                        .filter(|word| !word.is_empty())
                        .map(|word| (word, None)),
                );
            }
            Words::Infinite => {
                let (stem, cycle) = if atoms == 2 { (2, 3) } else { (1, 2) };
                for stem in words(letters, stem) {
                    for cycle in words(letters, cycle).iter().filter(|cycle| !cycle.is_empty()) {
                        all.push(([stem.as_slice(), cycle].concat(), Some(stem.len())));
                    }
                }
            }
        }
        let mut store = Store::default();
        let formula = random(&mut store, &mut rng, atoms, 2 + (seed % depths) as u32);
        match draw(&mut store, formula, of, Budget { work: budget, ..Budget::default() }) {
            Ok(drawn) => check(&store, formula, &drawn, &all, atoms as usize),
            Err(limit) => eprintln!("{seed}: {limit}"),
        }
    }
}

#[test]
fn timelines_mean_what_formulas_mean() {
    agreement(Words::Infinite, 3, 3_000_000);
}

#[test]
fn timelines_of_finite_words_mean_what_formulas_mean() {
    agreement(Words::Finite, 2, 3_000_000);
}
