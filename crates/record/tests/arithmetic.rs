//! Comparisons with arithmetic: lanes of integers, wide lanes and exact fractions say what the definition says, at every step.

use base::Random;
use logic::{RBig, Store, Trace, Value, parse_number};
use requirement::{Context, sentence, watch};
use shall_record::{BLOCK, Block, Check, Kind};

/// Numbers of few digits, of many, fractions, and zero.
const POOLS: &[&[&str]] = &[
    &["0", "1", "-1", "2", "3", "7", "16", "17"],
    &["0", "0.1", "0.10", "-0.25", "3.5", "10.001", "99.999"],
    &["1000000000000000", "-999999999999999999", "0.000000000000000001", "123456789.123456789"],
    &["1/3", "-2/7", "0", "1e30", "1e-30", "12345678901234567890123.5"],
];

const COMPARISONS: &[&str] = &[
    "x > 10/1000",
    "10/1000 < x",
    "x + y > 3",
    "x - y <= 1/3",
    "x * y >= x + 1",
    "-x < y * 2 - 1",
    "abs(x - y) < 0.5",
    "min(x, y, 3) = x",
    "max(x, y) != x",
    "x / 3 + y / 7 > 1",
    "x / y > 2",
    "x / y <= y / x",
    "1 / (x - y) < 0 | x > y",
    "x ^ 3 > y ^ 2",
    "x ^ 1 = y",
    "x mod 16 = 1",
    "x mod 16 = y mod 4",
    "x - preReal(0, x) < 2",
    "x = (preInt(0, x) + 1) mod 4",
    "abs(x - preReal(y, y)) > 1/3",
    "preReal(1, preReal(2, x) * 2) >= y",
    "x * x * x * x * x * x > y",
    "x > y",
    "x = y",
    "2 * x = 4 / 2 * y",
];

fn trace(random: &mut Random, length: usize) -> Trace {
    let mut column = || {
        let (first, second) = (random.pick(POOLS), random.pick(POOLS));
        // The second block may need wider numbers than the first one.
        let value = |step: usize| {
            let text = random.pick(if step < BLOCK { first } else { second });
            Value::Num(parse_number(text).unwrap_or(RBig::ZERO))
        };
        (0..length).map(value).collect::<Vec<_>>()
    };
    Trace::of([("x", column()), ("y", column())]).expect("columns of one length")
}

#[test]
fn comparisons_are_exact_at_every_step() {
    let mut random = Random::new(5);
    let mut defined = 0;
    for text in COMPARISONS {
        let mut store = Store::default();
        let sentence = format!("the s shall always satisfy {text}");
        let lowered = sentence::read(&mut store, &sentence, &Context::default());
        let requirement = lowered.requirement.unwrap_or_else(|| panic!("{text}: {:?}", lowered.diagnostics));
        let watch = watch(&mut store, &requirement).expect("looks back only");
        let check = Check::new(&store, &[watch], |_| Kind::Number).expect("past-time formulas");
        for length in [1, 65, 200, BLOCK + 70] {
            for _ in 0..if length > 200 { 2 } else { 20 } {
                let trace = trace(&mut random, length);
                let mut check = check.clone();
                let inputs = check.inputs().to_vec();
                let mut block = Block::new(&inputs);
                while block.fill(&inputs, &trace) > 0 {
                    check.block(&store, &block);
                }
                let found = check.finish().remove(0);
                let expected =
                    logic::partial_values(&store, watch.bad, &trace).expect("all columns are there");
                let mut steps = vec![false; length];
                for run in &found.runs {
                    steps[run.first as usize..=run.last as usize].fill(true);
                }
                for (step, expected) in expected.iter().enumerate() {
                    if found.run_count == found.runs.len() as u64 {
                        assert_eq!(steps[step], *expected == Ok(true), "{text} at step {step} of {length}");
                    }
                    defined += usize::from(expected.is_ok());
                }
                let open = expected.iter().position(Result::is_err);
                assert_eq!(found.undefined.map(|(step, _)| step as usize), open, "{text}");
            }
        }
    }
    assert!(defined > 100_000, "{defined}");
}
