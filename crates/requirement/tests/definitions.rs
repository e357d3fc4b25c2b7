//! The first-order definitions against the oracle, on all short traces. (The proofs need no length, and no oracle.)

use logic::first_order::Compiler;
use logic::{Store, Trace, Value};
use shall_requirement::oracle::judge;
use shall_requirement::{definitions, template};

#[test]
fn definitions_agree_with_the_oracle() {
    let mut compiler = Compiler::default();
    let mut largest = 0;
    for steps in 0..=2 {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            let dfa = compiler.compile(&definitions::sentence(&requirement)).unwrap();
            largest = largest.max(dfa.states());
            let tracks = [definitions::MODE, definitions::COND, definitions::STOP, definitions::RES];
            let used: Vec<usize> = (0..4).filter(|&k| dfa.tracks().contains(&tracks[k])).collect();
            for length in 1..=3 {
                for number in 0..1u32 << (used.len() * length) {
                    let value = |k: usize, t: usize| {
                        used.iter()
                            .position(|&u| u == k)
                            .is_some_and(|place| number >> (t * used.len() + place) & 1 == 1)
                    };
                    let trace = (0..4).fold(Trace::new(length, None).unwrap(), |trace, k| {
                        trace
                            .with(template::ATOMS[k], (0..length).map(|t| Value::Bool(value(k, t))).collect())
                            .unwrap()
                    });
                    let letter = |t: usize| {
                        (0..used.len())
                            .map(|place| (number >> (t * used.len() + place) & 1) << place)
                            .sum::<u32>()
                    };
                    let state = (0..length).rev().fold(0, |state, t| dfa.step(state, letter(t)));
                    let expected = judge(&store, &requirement, &trace).unwrap().holds();
                    assert_eq!(dfa.accepts(state), expected, "{} n = {steps} {trace:?}", requirement.key());
                }
            }
        }
    }
    assert!(largest < 30, "{largest} states");
}
