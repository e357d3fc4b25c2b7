//! Pictures in a terminal, as people see them.

use super::super::testing::samples::{Maker, either, forever, gallery, lanes, random, repeat, seq, star};
use super::*;

fn check(m: &Maker, picture: &Picture, width: usize, unicode: bool, expected: &str) {
    assert_eq!(text(&m.store, picture, width, unicode).expect("drawable"), expected);
}

#[test]
fn lines_loops_and_branches() {
    let mut m = Maker::default();
    let [a, b, c, top] = ["a", "b", "c", ""].map(|literals| m.step(literals));
    let (not_a, both) = (m.step("!a"), m.step("a !b"));
    let ever = forever(top.clone());
    check(
        &m,
        &lanes([vec![seq([star(not_a.clone()), a.clone(), ever.clone()])]]),
        80,
        true,
        "\
start ─ [¬a]* ─ (a) ─ ⟨ anything ⟩∞

[ ]* any number of times   ∞ forever
",
    );
    let nested = either([seq([a.clone(), either([b.clone(), seq([])]), c.clone()]), both.clone()]);
    check(
        &m,
        &lanes([vec![seq([a.clone(), star(nested.clone()), b.clone(), c.clone()])]]),
        80,
        true,
        "\
start ─ (a) ─ ⎡ ┬─ (a) ──┬─ (b) ──┬── (c) ─┬ ⎤* ─ (b) ─ (c) ─ end
              ⎢ │        └─ skip ─┘        │ ⎥
              ⎣ └─ (a ∧ ¬b) ───────────────┘ ⎦

┬├└ one of these   [ ]* any number of times
",
    );
    check(
        &m,
        &lanes([vec![seq([repeat(nested, 2, Some(5)), forever(b.clone())])], vec![both, ever]]),
        80,
        false,
        "\
start --+- [ +- (a) --+- (b) --+-- (c) -+ ]2..5 - { b } forever
        |  [ |        +- skip -+        | ]
        |  [ +- (a & !b) ---------------+ ]
        +- #- (a & !b) - end
           #- { anything } forever

+ one of these   # all of these together
",
    );
    check(&m, &lanes([]), 80, true, "it can never hold\n");
}

#[test]
fn long_lines_go_on_below() {
    let mut m = Maker::default();
    let [a, b] = ["first_signal", "second_signal"].map(|literals| m.step(literals));
    let long = m.step("first_signal !second_signal third_signal");
    let pair = || seq([a.clone(), b.clone(), long.clone()]);
    check(
        &m,
        &lanes([vec![seq([a.clone(), b.clone(), repeat(pair(), 1, None), a.clone()])]]),
        48,
        true,
        "\
start ─ (first_signal) ─ ⋯
        ⋯ ─ (second_signal) ─ ⋯
        ⋯ ─ ⎡ (first_signal) ─ ⋯       ⎤
            ⎢ ⋯ ─ (second_signal) ─ ⋯  ⎥
            ⎢     ⎛   first_signal   ⎞ ⎥
            ⎢ ⋯ ─ ⎜ ∧ ¬second_signal ⎟ ⎥+ ─ ⋯
            ⎣     ⎝ ∧ third_signal   ⎠ ⎦
        ⋯ ─ (first_signal) ──────────────────── end

[ ]+ once or more
",
    );
}

#[test]
fn lines_end_without_spaces_and_fit_where_they_can() {
    let (store, pictures) = gallery();
    for (name, picture) in pictures {
        for unicode in [true, false] {
            let drawn = text(&store, &picture, 80, unicode).expect("drawable");
            assert!(drawn.lines().all(|line| columns(line) <= 80), "{name}\n{drawn}");
            assert!(drawn.lines().all(|line| line.trim_end() == line), "{name}\n{drawn}");
            assert!(unicode || drawn.is_ascii(), "{name}\n{drawn}");
        }
    }
    let mut m = Maker::default();
    for seed in 0..500 {
        let picture = random(&mut m, seed);
        for width in [0, 40, 120] {
            assert!(text(&m.store, &picture, width, true).is_ok());
        }
    }
}
