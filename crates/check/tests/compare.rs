//! Comparisons: by hand, and against brute force over all traces up to length 5.

use logic::{Formula, Shape, Store, truth_table};
use requirement::{Context, Requirement, lower, lower_formula, past, template};
use shall_check::{Finding, Relation, Subject, Traces, compare, lint};

fn subject(store: &mut Store, text: &str) -> Subject {
    if text.contains("shall") {
        let lowered = lower(store, &syntax::fretish::parse(text), &Context::default());
        Subject::Requirement(
            lowered.requirement.unwrap_or_else(|| panic!("{text}: {:?}", lowered.diagnostics)),
        )
    } else {
        let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
        Subject::Formula(formula.unwrap_or_else(|| panic!("{text}: {diagnostics:?}")))
    }
}

#[track_caller]
fn check(a: &str, b: &str, expected: Relation, lengths: (usize, usize)) {
    check_on(Traces::Finite, a, b, expected, lengths);
}

#[track_caller]
fn check_on(traces: Traces, a: &str, b: &str, expected: Relation, lengths: (usize, usize)) {
    let mut store = Store::default();
    let (first, second) = (subject(&mut store, a), subject(&mut store, b));
    let found =
        compare(&mut store, &first, &second, traces).unwrap_or_else(|reason| panic!("{a} / {b}: {reason}"));
    assert_eq!(found.relation, expected, "{a} / {b}");
    let length = |trace: Option<logic::Trace>| trace.map_or(0, |trace| trace.len());
    assert_eq!((length(found.a_not_b), length(found.b_not_a)), lengths, "{a} / {b}");
}

#[test]
fn by_hand() {
    use Relation::{Contradictory, Equal, Incomparable, Stronger, Weaker};
    let s = |timing: &str| format!("when p the sw shall {timing} satisfy q");
    check(&s("always"), &s("immediately"), Stronger, (0, 2));
    check(&s("within 3 ticks"), &s("within 2 ticks"), Weaker, (3, 0));
    check(&s("within 10 ticks"), &s("eventually"), Incomparable, (1, 12));
    check(&s("always"), "whenever p the sw shall always satisfy q", Equal, (0, 0));
    check("the sw shall always satisfy x > 3", "the sw shall always satisfy x > 2", Stronger, (0, 1));
    check(
        "the sw shall always satisfy 2 * x > y & y > 6",
        "the sw shall always satisfy x > 3",
        Stronger,
        (0, 1),
    );
    check("the sw shall always satisfy p", "the sw shall always satisfy !p", Contradictory, (1, 1));
    check("the sw shall always satisfy s = idle", "the sw shall never satisfy s = run", Stronger, (0, 1));
    check("when p the sw shall at the next timepoint satisfy q", "G (p -> X q)", Weaker, (1, 0));
    check("the sw shall always satisfy p", "H p", Equal, (0, 0));
    // What a formula could do without is there when the oracle replays.
    check("when p the sw shall always satisfy true", "the sw shall always satisfy q", Weaker, (1, 0));
    check("G p", "p & N G p", Equal, (0, 0));
    check("F[<=3] p", "F p", Stronger, (0, 5));
    check(
        "in m mode the sw shall always satisfy persists(2, q)",
        "in m mode the sw shall always satisfy q",
        Stronger,
        (0, 1),
    );
}

#[test]
fn infinite_by_hand() {
    use Relation::{Contradictory, Equal, Incomparable, Stronger, Weaker};
    let s = |timing: &str| format!("when p the sw shall {timing} satisfy q");
    let check = |a: &str, b: &str, expected: Relation, lengths: (usize, usize)| {
        check_on(Traces::Infinite, a, b, expected, lengths);
    };
    check(&s("within 10 ticks"), &s("eventually"), Stronger, (0, 12));
    check("whenever p the sw shall eventually satisfy q", "G (p -> F q)", Equal, (0, 0));
    check(&s("eventually"), "G (p -> F q)", Weaker, (2, 0));
    check("F G p", "G F p", Stronger, (0, 2));
    check("F G p", "G F !p", Contradictory, (1, 1));
    check("G F p", "F G q", Incomparable, (1, 1));
    check("G F (x > 3)", "G F (x > 2)", Stronger, (0, 1));
    check("X p", "N p", Equal, (0, 0));
    check("the sw shall finally satisfy p", "true", Equal, (0, 0));
    check("in m mode the sw shall finally satisfy p", "G ((m & X !m) -> p)", Equal, (0, 0));
    check("only before m when p the sw shall finally satisfy q", &s("always"), Weaker, (1, 0));
    check("F[10,20] p", "F[10,21] p", Stronger, (0, 12));
    check("G F[<=30] p", "G F[<=29] p", Weaker, (31, 0));
}

#[test]
fn what_cannot_be_decided_is_said() {
    let mut store = Store::default();
    let (a, b) = (subject(&mut store, "F p"), subject(&mut store, "O p"));
    assert_eq!(
        compare(&mut store, &a, &b, Traces::Finite).unwrap_err().to_string(),
        "one speaks of the past and the other of the future"
    );
    assert_eq!(
        compare(&mut store, &a, &b, Traces::Infinite).unwrap_err().to_string(),
        "one speaks of the past, and infinite traces are asked at their start"
    );
}

type Bundle = [u64; 64];

/// The length of a shortest trace, up to 5 steps, on which one formula holds at the end and the other does not.
fn brute_force(store: &Store, yes: Formula, no: Formula, atoms: &[logic::Id]) -> Option<usize> {
    (1..=5).find(|&length| {
        let count = 1u64 << (atoms.len() * length);
        (0..count).step_by(4096).any(|start| {
            let table = |formula: Formula| {
                truth_table(store, formula, Shape::finite(length), |atom, position| {
                    let k = atoms.iter().position(|&known| known == atom).expect("every atom is known");
                    let mut bits: Bundle = [0; 64];
                    for bit in 0..4096 {
                        let value = ((start + bit) % count) >> (position * atoms.len() + k) & 1;
                        bits[bit as usize / 64] |= value << (bit % 64);
                    }
                    bits
                })[length - 1]
            };
            let (yes, no) = (table(yes), table(no));
            yes.iter().zip(no).any(|(yes, no)| yes & !no != 0)
        })
    })
}

#[test]
fn pairs_of_templates_against_brute_force() {
    let mut store = Store::default();
    let atoms = template::ATOMS.map(|name| {
        let symbol = store.symbol(name);
        store.var(symbol).id()
    });
    let templates: Vec<Requirement> =
        [1, 2].iter().flat_map(|&steps| template::templates(&mut store, steps)).collect();
    // Strides without a common divisor with the number of templates mix all kinds of pairs.
    for pair in 0..300 {
        let (a, b) = (
            &templates[pair * 7 % templates.len()],
            &templates[pair * 13 + 5 - (pair * 13 + 5) / templates.len() * templates.len()],
        );
        let found = compare(
            &mut store,
            &Subject::Requirement(a.clone()),
            &Subject::Requirement(b.clone()),
            Traces::Finite,
        )
        .unwrap();
        let (first, second) = (past(&mut store, a).unwrap(), past(&mut store, b).unwrap());
        let used: Vec<logic::Id> = {
            let below = store.reachable([first.id(), second.id()]);
            atoms.into_iter().filter(|id| below.contains(id)).collect()
        };
        for (trace, yes, no) in [(&found.a_not_b, first, second), (&found.b_not_a, second, first)] {
            let expected = brute_force(&store, yes, no, &used);
            let length = trace.as_ref().map(logic::Trace::len);
            assert_eq!(length.filter(|&length| length <= 5), expected, "{} / {}", a.key(), b.key());
        }
    }
}

#[test]
fn traps() {
    for (sentence, expected) in [
        ("the sw shall always satisfy p | !p", vec![Finding::NeverViolated]),
        ("the sw shall always satisfy x > 3 & x < 2", vec![Finding::NeverHolds]),
        ("when x > 3 the sw shall always satisfy x > 2 | x <= 3", vec![Finding::NeverViolated]),
        ("when true the sw shall always satisfy p", vec![Finding::IdleCondition]),
        ("when p the sw shall until q satisfy q", vec![Finding::StopIsResponse]),
        ("when p the sw shall within 3 ticks satisfy q", vec![]),
        ("when p the sw shall before q satisfy r", vec![]),
    ] {
        let mut store = Store::default();
        let Subject::Requirement(requirement) = subject(&mut store, sentence) else { panic!("{sentence}") };
        let found = lint(&mut store, &requirement).unwrap();
        assert_eq!(found, expected, "{sentence}");
    }
}
