//! What is remembered for a form of requirements is what lint finds for each of them.

use base::Random;
use logic::Store;
use requirement::{Context, lower};
use shall_check::{Linter, lint};
use syntax::fretish::parse;

#[track_caller]
fn agree(linter: &Linter, sentence: &str) {
    let mut store = Store::default();
    let lowered = lower(&mut store, &parse(sentence), &Context::default());
    let requirement = lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics));
    let remembered = linter.lint(&store, &requirement);
    let found = lint(&mut store, &requirement);
    // Fewer conditions can decide more; nothing else may differ.
    if found.is_ok() || remembered.is_err() {
        assert_eq!(remembered, found, "{sentence}");
    }
}

const SCOPES: &[&str] = &[
    "",
    "in MODE mode ",
    "when not in MODE mode ",
    "before MODE ",
    "after MODE ",
    "only in MODE mode ",
    "only before MODE ",
    "only after MODE ",
];
const CONDITIONS: &[&str] = &["", "when COND ", "whenever COND ", "upon COND or when COND "];
const TIMINGS: &[&str] = &[
    "",
    "immediately ",
    "at the next timepoint ",
    "finally ",
    "always ",
    "never ",
    "eventually ",
    "within N ticks ",
    "for N ticks ",
    "after N ticks ",
    "until COND ",
    "before COND ",
];

const CONDITION: &[&str] = &[
    "p",
    "q",
    "r",
    "s",
    "!p",
    "x > 3",
    "x <= 3",
    "x > 5",
    "y = z",
    "y != 0",
    "z >= y + 1",
    "2 * x = 3",
    "state = idle",
    "state != idle",
    "x * x < 0",
    "abs(y) >= 0",
    "f(x)",
    "true",
    "persisted(2, p)",
    "occurred(1, q)",
    "p | !p",
    "mode2 = idle",
];

fn condition(rng: &mut Random) -> String {
    let (one, other) = (rng.pick(CONDITION), rng.pick(CONDITION));
    match rng.below(6) {
        0 => format!("({one} & {other})"),
        1 => format!("({one} | {other})"),
        2 => format!("({one} => {other})"),
        3 => format!("(p{0} & q{0})", rng.below(9)),
        _ => format!("({one})"),
    }
}

#[test]
fn random_requirements() {
    let linter = Linter::default();
    let mut rng = Random::new(0x5eed);
    for _ in 0..400 {
        let mut sentence =
            format!("{}{}sw shall {}satisfy COND", rng.pick(SCOPES), rng.pick(CONDITIONS), rng.pick(TIMINGS));
        while sentence.contains("COND") {
            sentence = sentence.replacen("COND", &condition(&mut rng), 1);
        }
        let steps = rng.below(3) + 1;
        agree(&linter, &sentence.replace("MODE", "m").replace(" N ", &format!(" {steps} ")));
    }
    assert!(linter.forms() < 400);
}

#[test]
fn templates_are_one_form_each() {
    let linter = Linter::default();
    for names in [["m", "cond", "stop", "res"], ["a", "b > 3", "c = d", "e & f | g"]] {
        for scope in SCOPES {
            for condition in &CONDITIONS[..3] {
                for timing in TIMINGS {
                    let sentence = format!("{scope}{condition}sw shall {timing}satisfy RES");
                    let sentence = sentence.replace("RES", names[3]).replace("MODE", names[0]);
                    let sentence = match sentence.split_once("shall") {
                        Some((start, end)) => {
                            format!(
                                "{}shall{}",
                                start.replace("COND", names[1]),
                                end.replace("COND", names[2])
                            )
                        }
                        None => sentence,
                    };
                    agree(&linter, &sentence.replace(" N ", " 2 "));
                }
            }
        }
    }
    assert_eq!(linter.forms(), 264);
}

#[test]
fn numbers_count_by_their_order() {
    let linter = Linter::default();
    for (low, high) in [(3, 5), (10, 2000), (-1, 0)] {
        agree(&linter, &format!("when x > {low} sw shall immediately satisfy x > {high}"));
        agree(&linter, &format!("when x > {high} sw shall immediately satisfy x > {low}"));
    }
    assert_eq!(linter.forms(), 2);
}
