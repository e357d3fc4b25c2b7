//! Stepping through systems as an animator does:
//! reactions, delays up to the deadline, and what is refused.

mod support;

use logic::{RBig, Value, parse_decimal};
use shall_dfrs::step::{Refusal, State, deadline, delay, initial, react, settle};
use shall_dfrs::{Dfrs, Reading, Semantics};
use support::{VM6, system};

fn number(text: &str) -> RBig {
    parse_decimal(text).expect("a number")
}

/// Follows `delay name=value ...` steps, letting the system settle after each, and shows outputs and deadline.
fn check(dfrs: &Dfrs, semantics: Semantics, steps: &[(&str, &[(&str, bool)])], expected: &str) {
    let mut state = initial(dfrs);
    let mut shown = Vec::new();
    for (by, inputs) in steps {
        let place = |name: &str| dfrs.variables.iter().position(|it| it.name == name).expect("known");
        let inputs: Vec<(usize, Value)> =
            inputs.iter().map(|&(name, value)| (place(name), Value::Bool(value))).collect();
        match delay(dfrs, semantics, &state, &number(by), &inputs) {
            Ok(next) => {
                let settled = settle(dfrs, semantics, next, 100);
                assert!(settled.stable.len() == 1 && !settled.endless);
                let fired: Vec<String> =
                    settled.stable[0].0.iter().map(|entry| format!("#{entry}")).collect();
                state = settled.stable[0].1.clone();
                shown.push(format!("{} {}", fired.join(","), limit(dfrs, semantics, &state)));
            }
            Err(Refusal::Late(_)) => shown.push("late".to_owned()),
            Err(refusal) => shown.push(format!("{refusal:?}")),
        }
    }
    assert_eq!(shown.join("; "), expected, "{semantics:?}");
}

fn limit(dfrs: &Dfrs, semantics: Semantics, state: &State) -> String {
    assert!(react(dfrs, semantics, state).is_empty());
    deadline(dfrs, semantics, state)
        .map_or("-".to_owned(), |it| format!("{}{}", if it.included { "<=" } else { "<" }, it.delay))
}

#[test]
fn the_vending_machine_of_figure_4() {
    let coffee: &[(&str, &[(&str, bool)])] = &[
        ("2", &[("coin_sensor", true)]),
        ("3", &[("coin_sensor", false)]),
        ("7", &[("coffee_request_button", true)]),
        ("31", &[]),
        ("20", &[("coffee_request_button", false)]),
        ("4", &[]),
        ("3", &[]),
    ];
    for semantics in
        Reading::ALL.map(Semantics::discrete).into_iter().chain(Reading::ALL.map(Semantics::dense))
    {
        check(&system(VM6), semantics, coffee, "#0 -;  -; #1 <=30; late; #3 <=3; late; #5 -");
    }
}

#[test]
fn deadlines_are_the_last_moments_to_react() {
    let reading = Reading::Synchronous;
    for (guard, discrete, dense) in [
        ("t <= 5", "<=5", "<=5"),
        ("t < 5", "<=4", "<5"),
        ("t >= 5", "-", "-"),
        ("t > 1 & t < 2", "-", "<2"),
        ("t = 3 | t = 7", "<=7", "<=7"),
        ("t != 4", "-", "-"),
        ("t > 2 & t < 7 & t != 6", "<=5", "<7"),
        ("t <= 2.5", "<=2", "<=5/2"),
        ("t >= 3 & u <= 4", "<=4", "<=4"),
        ("t >= 5 & u <= 4", "-", "-"),
    ] {
        let text = format!(
            "in a: bool = false\nout x: p, q = p\ntimer t\ntimer u\ncomponent c\nR: a = false & x = p & {guard} => x := q"
        );
        let dfrs = system(&text);
        let start = initial(&dfrs);
        let shown = |semantics| {
            deadline(&dfrs, semantics, &start)
                .map_or("-".to_owned(), |it| format!("{}{}", if it.included { "<=" } else { "<" }, it.delay))
        };
        assert_eq!(shown(Semantics::discrete(reading)), discrete, "{guard}");
        assert_eq!(shown(Semantics::dense(reading)), dense, "{guard}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let dfrs = system(
        "in a: bool = false\nout x: p, q = p\ncomponent c\nR: a = true & x = p => x := q\nnever was a = true & a = true",
    );
    let semantics = Semantics::default();
    let start = initial(&dfrs);
    let by = |text: &str, inputs: &[(usize, Value)]| delay(&dfrs, semantics, &start, &number(text), inputs);
    assert_eq!(by("0", &[]), Err(Refusal::NotPositive));
    assert_eq!(by("0.5", &[]), Err(Refusal::NotWhole));
    assert_eq!(by("1", &[(1, Value::Name("q".to_owned()))]), Err(Refusal::NotAnInput(1)));
    assert_eq!(by("1", &[(0, Value::Name("q".to_owned()))]), Err(Refusal::WrongSort(0)));
    let next = by("1", &[(0, Value::Bool(true))]).expect("a delay");
    assert_eq!(delay(&dfrs, semantics, &next, &number("1"), &[]), Err(Refusal::Unstable));
    let reactions = react(&dfrs, semantics, &next);
    assert_eq!(reactions.len(), 1);
    assert_eq!(delay(&dfrs, semantics, &reactions[0].state, &number("1"), &[]), Err(Refusal::Restricted(0)));
}
