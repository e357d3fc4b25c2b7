//! Automata written and read back are the same; texts that are no automata are refused with their place.

mod common;

use common::random_formulas;
use logic::Store;
use requirement::{Context, lower_formula};
use shall_omega::decide::{Setting, equivalent_automata, equivalent_to_formula, general};
use shall_omega::{General, Guards, Limits, find_word, hoa, reduce, translate, translate_finite};

#[test]
fn there_and_back() {
    random_formulas(21, 200, |store, f| {
        let buchi = translate(store, f, Limits::default()).expect("within the limits");
        let text = hoa::write(store, &buchi);
        let read =
            hoa::read(store, &text, Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let same = reduce(&read, Limits::default()).expect("within the limits");
        assert_eq!(equivalent_automata(&buchi, &same, Limits::default()), Ok(None), "{text}");
        let marked = general(store, f, &[], Setting::default()).expect("within the limits");
        let text = hoa::write_general(store, &marked);
        let read =
            hoa::read(store, &text, Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(hoa::write_general(store, &read), text);
    });
}

/// A word of the automaton on finite words, followed by positions without `alive`, is a word of the text; `alive` says which
/// positions count. The formula on infinite words says the same with `alive` in it.
#[test]
fn finite_words_end_with_alive() {
    for (finite, infinite) in [
        ("G p", "alive & (alive U G !alive) & (p W !alive)"),
        ("F p", "alive & (alive U G !alive) & F (alive & p)"),
        ("X p", "alive & (alive U G !alive) & X (alive & p)"),
        ("N p", "alive & (alive U G !alive) & (X alive -> X p)"),
        ("p U q", "alive & (alive U G !alive) & ((alive & p) U (alive & q))"),
        ("p | !p", "alive & (alive U G !alive)"),
        ("p & !p", "false & alive & p"),
        ("G (p -> X q)", "alive & (alive U G !alive) & G (alive & p -> X (alive & q))"),
    ] {
        let mut store = Store::default();
        let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(finite), &Context::default());
        let formula = formula.expect("a formula");
        let automaton = translate_finite(&store, formula, &[], Limits::default()).expect("within the limits");
        let text = hoa::write_finite(&store, &automaton);
        assert!(!text.contains("LAST"), "{text}");
        check(&text, infinite);
    }
    // A proposition of this name is another one.
    let mut store = Store::default();
    let (formula, _) = lower_formula(&mut store, &syntax::formula::parse("F alive"), &Context::default());
    let formula = formula.expect("a formula");
    let automaton = translate_finite(&store, formula, &[], Limits::default()).expect("within the limits");
    let text = hoa::write_finite(&store, &automaton);
    assert!(text.contains("AP: 2 \"alive\" \"alive_2\""), "{text}");
}

fn check(text: &str, formula: &str) {
    let mut store = Store::default();
    let read =
        hoa::read(&mut store, text, Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(formula), &Context::default());
    let buchi = reduce(&read, Limits::default()).expect("within the limits");
    let formula = formula.expect("a formula");
    assert_eq!(equivalent_to_formula(&buchi, &mut store, formula, Setting::default()), Ok(None), "{text}");
}

#[test]
fn all_kinds_of_labels() {
    check(
        "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--",
        "G F a",
    );
    check("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 {0} --END--", "G F a");
    check("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: [0] 0 \"loop\" 0 --END--", "G a");
    check("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 0 f --BODY-- State: [0] 0 0 --END--", "false");
    check(
        "HOA: v1 /* a /* nested */ comment */ name: \"two\" States: 2 Start: 0 Start: 1 AP: 2 \"a\" \"b\" \
         Alias: @x 0 & !1 acc-name: Buchi Acceptance: 1 (Inf(0)) properties: state-acc --BODY-- \
         State: 0 {0} [@x] 0 State: 1 {0} [!0 | (t & !0)] 1 --END--",
        "G (a & !b) | G !a",
    );
    check(
        "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0)&Inf(1) \
         --BODY-- State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--",
        "G F a & G F b",
    );
}

#[test]
fn what_cannot_be_read() {
    let refused =
        |text: &str| hoa::read(&mut Store::default(), text, Limits::default()).expect_err(text).to_string();
    for (text, expected) in [
        ("", "1:1: expected `HOA: v1`"),
        ("HOA: v2", "1:1: expected `HOA: v1`"),
        ("HOA: v1\nStart: 0&1", "2:9: alternating automata are not supported"),
        (
            "HOA: v1\nAcceptance: 1 Fin(0)",
            "2:15: `Fin` is not supported: only Büchi and generalized Büchi acceptance",
        ),
        ("HOA: v1\nAcceptance: 2 Inf(0)|Inf(1)", "2:21: a disjunction of acceptance sets is not supported"),
        ("HOA: v1\n--BODY--\n--END--", "2:1: there is no `Acceptance:` before"),
        ("HOA: v1 Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--", "1:44: there is no proposition 0"),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] 0",
            "1:48: expected `State:` or `--END--`, found the end of the text",
        ),
        ("HOA: v1 Acceptance: 0 t States: 99999999 --BODY-- --END--", "1:33: too many states: 99999999"),
        ("HOA: v1 Controllable: 0", "1:9: the header `Controllable:` is not supported"),
        ("HOA: v1 \u{1F980}", "1:9: unexpected character `\u{1F980}`"),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
    let deep = format!("HOA: v1 AP: 1 \"a\" Alias: @x {}", "(".repeat(100_000));
    refused(&deep);
}

/// Every prefix and every text with one character changed is read or refused, and nothing else happens.
#[test]
fn damaged_texts() {
    let mut store = Store::default();
    let text = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAlias: @x 0|!1\nAcceptance: 1 Inf(0)\n--BODY--\n\
                State: 0 {0}\n[@x & t] 1\nState: 1\n[!(0&1)] 0 {0}\n--END--\n";
    for k in 0..text.len() {
        let _ = hoa::read(&mut store, &text[..k], Limits::default());
        for c in "0!&|()[]{}@\"-: tfS9".chars() {
            let damaged: String =
                text.chars().enumerate().map(|(i, old)| if i == k { c } else { old }).collect();
            if let Ok(general) = hoa::read(&mut store, &damaged, Limits::default()) {
                let _ = find_word(&general);
            }
        }
    }
}

#[test]
fn odd_names_are_read_back() {
    for name in ["a", "a b", "a\"b", "a\\", "a\nb", "\\\n\""] {
        let mut store = Store::default();
        let symbol = store.symbol(name);
        let atoms = vec![store.var(symbol).id()];
        let edges = vec![vec![]];
        let general = General { guards: Guards::default(), atoms, initial: 0, edges, marks: 0 };
        let text = hoa::write_general(&store, &general);
        let again =
            hoa::read(&mut store, &text, Limits::default()).unwrap_or_else(|e| panic!("{name:?}: {e:?}"));
        assert_eq!(again.atoms.len(), 1, "{name:?}");
    }
}
