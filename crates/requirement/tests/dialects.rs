//! What is printed can be read back, and is the same formula.

use logic::{Dialect, Formula, SHALL, SMV, Store, UNICODE};
use shall_requirement::{Context, Ending, future, lower_formula, past, template};
use syntax::formula::parse;

fn read(store: &mut Store, text: &str) -> Formula {
    let (formula, diagnostics) = lower_formula(store, &parse(text), &Context::default());
    formula.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

#[track_caller]
fn check(store: &mut Store, formula: Formula, dialect: &Dialect) {
    let formula = logic::adapt(store, formula, dialect);
    let text = logic::print(store, formula, dialect).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(store, &text), formula, "{}: {text}", dialect.name);
}

#[test]
fn formulas_of_all_templates() {
    let mut store = Store::default();
    for requirement in template::templates(&mut store, 2) {
        let formulas = [
            past(&mut store, &requirement),
            future(&mut store, &requirement, Ending::Last),
            future(&mut store, &requirement, Ending::Infinite),
            future(&mut store, &requirement, Ending::WeakNext),
        ];
        for (index, formula) in formulas.into_iter().enumerate() {
            let formula = formula.unwrap();
            check(&mut store, formula, &SHALL);
            check(&mut store, formula, &UNICODE);
            // Weak next is what NuSMV does not have.
            if index < 3 {
                check(&mut store, formula, &SMV);
            }
        }
    }
}

#[test]
fn formulas_of_every_kind() {
    let mut store = Store::default();
    for text in [
        "a & b | c -> d <-> e xor f",
        "(a -> b) -> c",
        "a -> (b -> c)",
        "!(a & b)",
        "(a <-> b) <-> c",
        "(a xor b) xor c",
        "a <-> (b xor c)",
        "F[2,5] a & G[>=3] b & X[3] c",
        "O[<=3] a | H[=2] b | Y Z c",
        "(a U[1,4] b) & (c R[<=2] d) & (a S[2,3] b) & (c T[=2] d)",
        "(a W b) | (a M b)",
        "(a W[<=3] b) | (a M[2,3] b)",
        "!x = 4 & G x > 3",
        "x + y * 2 - 3 >= -z / 4 & x mod 2 = 0 & x - (y - z) < 0",
        "x^2^3 > (x^2)^3 & -x^2 < (-x)^2",
        "abs(x) < min(y, z, 3) & max(x, 0.5) != 1e-3",
        "f(x, y + 1) > 0 & p(a)",
        "G \"W\"(x) & \"a b\"(y) > 3",
        "ite(p, x, y) > 3 & pre(0, x) = x",
        "FTP & state = idle",
        "\"landing gear\" & \"X\" & \"a \\\" b\" & \"true\"",
        "true & F false | LAST",
        "x = -3 & x - (-3) > 0 & 0.25 < y",
    ] {
        let formula = read(&mut store, text);
        check(&mut store, formula, &SHALL);
        check(&mut store, formula, &UNICODE);
    }
}

#[test]
fn bounds_mean_what_they_say() {
    for (text, expected) in [
        ("F[<3] p", "F[<=2] p"),
        ("F[>3] p", "F[>=4] p"),
        ("F[2..5] p", "F[2,5] p"),
        ("F[2:5] p", "F[2,5] p"),
        ("F[5,2] p", "false"),
        ("G[<0] p", "true"),
        ("X[2] p", "F[=2] p"),
        ("X[!] p", "X p"),
        ("X p", "X p"),
        ("<> [] p", "F G p"),
        ("◇ □ ○ p", "F G X p"),
        ("● ◆ ■ p", "O[>=1] H p"),
        ("p V q", "p R q"),
        ("p W q", "(p U q) | G p"),
    ] {
        let mut store = Store::default();
        let formula = read(&mut store, text);
        assert_eq!(logic::print(&store, formula, &SHALL).unwrap(), expected, "{text}");
    }
}

/// Names that a target reserves are changed by the printer, each to a name of its own.
#[test]
fn reserved_names_are_renamed() {
    for (text, expected) in [
        ("\"X\" & count & \"landing gear\"", "X_ & count_ & landing_gear"),
        ("\"a b\" & a_b & \"a.b\"", "a_b2 & a_b & a_b3"),
    ] {
        let mut store = Store::default();
        let formula = read(&mut store, text);
        assert_eq!(logic::print(&store, formula, &SMV).unwrap(), expected, "{text}");
    }
}
