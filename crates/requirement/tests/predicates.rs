//! Temporal predicates: cut at the ends of the scope interval, in every scope, and the same in every meaning.

use logic::Store;
use shall_requirement::{Context, Ending, Requirement, agreement, future, lower, past};
use syntax::fretish::parse;

const SCOPES: [&str; 8] =
    ["", "in m mode", "when not in m", "before m", "after m", "only in m", "only before m", "only after m"];

fn read(store: &mut Store, sentence: &str) -> Requirement {
    let lowered = lower(store, &parse(sentence), &Context::default());
    lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics))
}

/// All meanings of the expression as a response, a condition and a stop, in every scope, agree on all traces up to the
/// length; `past` and `future` say which formulas there are.
fn check(expression: &str, length: usize, has_past: bool, has_future: bool) {
    let places = [
        format!("shall the sw always satisfy {expression}"),
        format!("shall the sw eventually satisfy {expression}"),
        format!("when {expression} shall the sw immediately satisfy q"),
        format!("shall the sw until {expression} satisfy q"),
    ];
    for (scope, place) in SCOPES.iter().flat_map(|scope| places.iter().map(move |place| (scope, place))) {
        let sentence = format!("{scope} {place}");
        let mut store = Store::default();
        let requirement = read(&mut store, &sentence);
        assert_eq!(past(&mut store, &requirement).is_ok(), has_past, "{sentence}");
        assert_eq!(future(&mut store, &requirement, Ending::Last).is_ok(), has_future, "{sentence}");
        for length in 1..=length {
            if let Err(found) = agreement::finite(&mut store, &requirement, length) {
                panic!("{sentence}: {found:?}");
            }
            for loop_start in (0..length.min(3)).filter(|_| has_future && length <= 3) {
                if let Err(found) = agreement::infinite(&mut store, &requirement, length, loop_start) {
                    panic!("{sentence}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn past_predicates() {
    for expression in [
        "persisted(0, p)",
        "persisted(2, p)",
        "persisted(1, 2, p)",
        "occurred(0, p)",
        "occurred(2, p)",
        "occurred(1, 2, p)",
    ] {
        check(expression, 4, true, false);
    }
    for expression in [
        "prevOcc(p, q)",
        "at the previous occurrence of p, q",
        "preBool(false, p)",
        "preBool(true, p)",
        "FTP",
        "!FTP & p",
    ] {
        check(expression, 4, true, false);
    }
}

#[test]
fn nested_past_predicates() {
    for expression in [
        "preBool(true, occurred(1, p))",
        "preBool(false, preBool(true, persisted(1, p)))",
        "preBool(q, prevOcc(p, q))",
        "occurred(1, persisted(1, p))",
        "persisted(1, preBool(true, p))",
        "occurred(2, preBool(false, !p))",
        "prevOcc(preBool(true, p), occurred(1, p))",
    ] {
        check(expression, 4, true, false);
    }
}

#[test]
fn future_predicates() {
    for expression in [
        "persists(0, p)",
        "persists(2, p)",
        "persists(1, 2, p)",
        "occurs(0, p)",
        "occurs(2, p)",
        "occurs(1, 2, p)",
    ] {
        check(expression, 4, false, true);
    }
    for expression in [
        "nextOcc(p, q)",
        "at the next occurrence of p, q",
        "occurs(1, persists(1, p))",
        "nextOcc(occurs(1, p), q)",
    ] {
        check(expression, 4, false, true);
    }
}

#[test]
fn predicates_in_a_scope() {
    for (sentence, has_past) in [
        ("while persisted(1, p) the sw shall always satisfy q", true),
        ("after occurred(1, p) the sw shall eventually satisfy q", true),
        ("only while preBool(true, p) shall the sw always satisfy occurred(1, q)", true),
        ("while persists(1, p) the sw shall always satisfy q", false),
        ("before occurs(1, p) the sw shall always satisfy persists(1, q)", false),
    ] {
        let mut store = Store::default();
        let requirement = read(&mut store, sentence);
        assert_eq!(past(&mut store, &requirement).is_ok(), has_past, "{sentence}");
        for length in 1..=5 {
            agreement::finite(&mut store, &requirement, length)
                .unwrap_or_else(|found| panic!("{sentence}: {found:?}"));
        }
    }
}

/// Where neither direction can say it, neither says it.
#[test]
fn mixed_directions_are_refused() {
    let mut store = Store::default();
    let requirement = read(&mut store, "the sw shall always satisfy if occurred(7, p) then persists(2, q)");
    assert_eq!(past(&mut store, &requirement).unwrap_err().to_string(), "`persists` looks into the future");
    assert_eq!(
        future(&mut store, &requirement, Ending::Infinite).unwrap_err().to_string(),
        "`occurred` looks into the past"
    );
}
