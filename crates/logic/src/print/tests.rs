//! Snapshots of every dialect, and properties of every text.

use super::*;
use crate::print::dialect::DIALECTS;
use crate::print::dialect::LATEX;
use crate::print::dialect::SMV;
use crate::print::dialect::SPOT;
use crate::print::dialect::UNICODE;
use crate::testing::random_formulas;
use crate::testing::read;

fn check(dialect: &Dialect, input: &str, expected: &str) {
    let mut store = Store::default();
    let f = read(&mut store, input);
    let text =
        print(&store, f, dialect).unwrap_or_else(|error| format!("{}: {}", error.operator, error.reason));
    assert_eq!(text, expected, "{} {input}", dialect.name);
}

#[test]
fn own_notation() {
    for (input, expected) in [
        ("(| (& a b) c)", "a & b | c"),
        ("(& (| a b) c)", "(a | b) & c"),
        ("(-> a (-> b c))", "a -> (b -> c)"),
        ("(<-> (-> a b) c)", "(a -> b) <-> c"),
        ("(xor (| a b) (& c d))", "(a | b) xor c & d"),
        ("(! (& a b))", "!(a & b)"),
        ("(! (= x 4))", "!(x = 4)"),
        ("(G (> x 3))", "G (x > 3)"),
        ("(G (! (F a)))", "G !F a"),
        ("(& (> x 3) (X a))", "x > 3 & X a"),
        ("(U (! a) (X b))", "!a U (X b)"),
        ("(& (U a (S b c)) d)", "(a U (b S c)) & d"),
        ("(F[0,3] a)", "F[<=3] a"),
        ("(G[3,3] a)", "G[=3] a"),
        ("(O[2,5] a)", "O[2,5] a"),
        ("(H[2,] a)", "H[>=2] a"),
        ("(S[0,3] a b)", "a S[<=3] b"),
        ("(N (Y a))", "N Y a"),
        ("(-> (Z false) (N false))", "FTP -> N false"),
        ("(= (- x (- y 1)) (* (+ x 1) 2))", "x - (y - 1) = (x + 1) * 2"),
        ("(= (- (- x y) 1) (* x (* y 2)))", "x - y - 1 = x * (y * 2)"),
        ("(= (^ (^ x 2) 3) (- x (neg 3)))", "(x ^ 2) ^ 3 = x - (-3)"),
        ("(= (neg (+ x y)) (neg (abs x)))", "-(x + y) = -abs(x)"),
        ("(< (mod x 2) (min x 2.50 y))", "x mod 2 < min(x, 2.5, y)"),
        ("(= (ite (& p q) x (pre 0 y)) 'on)", "ite(p & q, x, pre(0, y)) = on"),
        ("(= p (! q))", "p = (!q)"),
        ("(call near x (+ y 1))", "near(x, y + 1)"),
        ("(& \"roll hold\" \"G\" \"if\" sensor.ok)", "\"roll hold\" & \"G\" & \"if\" & sensor.ok"),
        ("(& a ?0)", "a hole: it must be filled in before"),
    ] {
        check(&SHALL, input, expected);
    }
}

#[test]
fn smv() {
    for (input, expected) in [
        ("(H (-> T res))", "H (T_ -> res)"),
        ("(| (& a true) (xor a b) c)", "a | (a xor b) | c"),
        ("(U (! a) (R b c))", "!a U (b V c)"),
        ("(F[0,3] (X a))", "F [1,4] a"),
        ("(X (F a))", "X F a"),
        ("(G[2,] a)", "G [2,2] G a"),
        ("(G[1,] a)", "G [1,1] G a"),
        ("(-> (Z false) (Y a))", "Z FALSE -> Y a"),
        ("(= (ite p 1 (max x y 2.0)) (neg x))", "(p ? 1 : max(x, max(y, 2.0))) = -x"),
        ("(!= (mod x 2) 0)", "x mod 2 != 0"),
        ("(& \"a b\" a_b)", "a_b2 & a_b"),
        ("(N a)", "weak next: its traces do not end, and there weak next is next"),
        ("(> (pre 0 x) 1)", "pre: the previous value of a term cannot be written there"),
        ("(> (^ x 2) 1)", "power: there is no such operator"),
        (
            "(U[0,3] a b)",
            "until with bounds: only operators over a window have bounds; adapt the formula first",
        ),
        ("(= (F a) b)", "a temporal operator in a term: comparisons and calls are about one state"),
    ] {
        check(&SMV, input, expected);
    }
}

#[test]
fn spot() {
    for (input, expected) in [
        ("(G (-> req (F[0,3] (> x 3))))", "G (req -> F[0:3] \"x > 3\")"),
        ("(U a (R b (X c)))", "a U (b R (X c))"),
        ("(F[2,] true)", "F[2:2] 1"),
        ("(G[2,] a)", "G[2:2] G a"),
        ("(& \"a b\" (= m 'on))", "\"a b\" & \"m = on\""),
        ("(= \"a b\" 1)", "\"\\\"a b\\\" = 1\""),
        ("(O a)", "once: it has no past operators"),
        ("(Z false)", "weak yesterday: it has no past operators"),
        ("(S a b)", "since: it has no past operators"),
    ] {
        check(&SPOT, input, expected);
    }
}

#[test]
fn symbols_and_latex() {
    for (input, unicode, latex) in [
        (
            "(G (-> (! a) (X true)))",
            "□ (¬a → ○ ⊤)",
            r"\mathbf{G} (\neg \mathit{a} \rightarrow \mathbf{X} \top)",
        ),
        (
            "(O[0,3] (| a (Y b)))",
            "◆[0,3] (a ∨ ● b)",
            r"\mathbf{O}_{[0,3]} (\mathit{a} \lor \mathbf{Y} \mathit{b})",
        ),
        ("(H[2,] roll_hold)", "■[2,∞) roll_hold", r"\mathbf{H}_{[2,\infty)} \mathit{roll\_hold}"),
        ("(U[1,1] a (Z false))", "a U[1,1] FTP", r"\mathit{a} \mathbf{U}_{[1,1]} \mathrm{FTP}"),
        (
            "(<= (* x 2) (^ y (+ z 1)))",
            "x · 2 ≤ y ^ (z + 1)",
            r"\mathit{x} \cdot 2 \le \mathit{y}^{\mathit{z} + 1}",
        ),
        (
            "(!= (pre 0 x) (abs y))",
            "pre(0, x) ≠ abs(y)",
            r"\mathrm{pre}(0, \mathit{x}) \ne \mathrm{abs}(\mathit{y})",
        ),
    ] {
        check(&UNICODE, input, unicode);
        check(&LATEX, input, latex);
    }
}

#[test]
fn endless_decimals_are_fractions() {
    let mut store = Store::default();
    let symbol = store.symbol("x");
    let x = store.term_var(symbol);
    let third = store.num(-RBig::from(1) / RBig::from(3), Numeral::Real);
    let product = store.arith(Arith::Mul, x, third);
    assert_eq!(print(&store, product, &SHALL).as_deref(), Ok("x * (-1 / 3)"));
    assert_eq!(print(&store, product, &SMV).as_deref(), Ok("x * (-f'1/3)"));
}

#[test]
fn parentheses_are_balanced_and_texts_are_the_same_each_time() {
    random_formulas((5, 500), ["a", "(> x (+ y 1))", "c"], 5, |store, f| {
        for dialect in DIALECTS {
            let text = print(store, f, dialect);
            assert_eq!(text, print(store, f, dialect));
            let Ok(text) = text else { continue };
            let depths = text.chars().scan(0_i32, |depth, c| {
                *depth += i32::from(c == '(') - i32::from(c == ')');
                Some(*depth)
            });
            let depths: Vec<i32> = depths.collect();
            // Half-open windows have one more closing parenthesis.
            let open = text.matches('∞').count() + text.matches("infty").count();
            assert_eq!(depths.last().map(|&depth| -depth), Some(i32::try_from(open).expect("few")), "{text}");
        }
    });
}

#[test]
fn deep_formulas_are_no_problem() {
    let mut store = Store::default();
    let mut f = read(&mut store, "a");
    let b = read(&mut store, "b");
    for _ in 0..100_000 {
        f = store.not(f);
        f = store.since(Bound::ALL, f, b);
    }
    let text = print(&store, f, &SMV).expect("smv has since");
    assert_eq!(text.matches('S').count(), 100_000);
}
