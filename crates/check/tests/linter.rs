//! What is remembered for a form of requirements is what lint finds for each of them.

use base::Random;
use logic::Store;
use requirement::{Context, lower};
use shall_check::{Finding, Linter, lint};
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

/// The requirements of an aircraft engine controller have up to 15 comparisons each: too many combinations to list them all.
#[test]
fn many_comparisons_are_decided() {
    const SENSOR: &str =
        "(sensorValue(S) > nominal + R | sensorValue(S) < nominal - R | sensorValue(S) = null)";
    const SETTLED: &str = "settlingTime >= 0 & settlingTime <= settlingTimeMax & overshoot >= 0 & overshoot <= overshootMax & \
         steadyStateError >= 0 & steadyStateError <= steadyStateErrorMax";
    let mut sentences = Vec::new();
    for (before, after) in [("V1", "V2"), ("low", "high")] {
        let trigger = format!(
            "when diff(r, y) > E if {SENSOR} & (pilotInput => setThrust = {after}) & observedThrust = {before} "
        );
        for timing in ["until diff(r, y) < e ", "always ", "within 5 ticks ", "eventually ", "before stop "] {
            sentences.push((
                format!("{trigger}Controller shall {timing}satisfy {SETTLED} & observedThrust = {after}"),
                Vec::new(),
            ));
        }
        sentences.push((
            format!("in surge mode {trigger}Controller shall immediately satisfy {SETTLED} | overshoot < 0 | \
                overshoot > overshootMax | settlingTime < 0 | settlingTime > settlingTimeMax | steadyStateError < 0 \
                | steadyStateError > steadyStateErrorMax"),
            vec![Finding::NeverViolated],
        ));
        sentences.push((
            format!("whenever {SETTLED} & {SENSOR} & observedThrust = {before} Controller shall always satisfy {SETTLED} \
                & observedThrust = {after} & persisted(3, overshoot < 0)"),
            Vec::new(),
        ));
        sentences.push((
            format!("Controller shall always satisfy {SETTLED} & overshoot > overshootMax & {SENSOR} & x > y & y > z"),
            vec![Finding::NeverHolds],
        ));
    }
    let linter = Linter::default();
    for (sentence, expected) in sentences {
        let mut store = Store::default();
        let lowered = lower(&mut store, &parse(&sentence), &Context::default());
        let requirement =
            lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics));
        assert_eq!(lint(&mut store, &requirement).as_ref(), Ok(&expected), "{sentence}");
        assert_eq!(linter.lint(&store, &requirement).as_ref(), Ok(&expected), "{sentence}");
    }
}
