//! Games with numbers in their memory: those of Neider and Topcu (TACAS 2016) as requirements, and some whose memory grows.
//!
//! A robot is moved on an infinite grid, by the environment and by the system in turn, each by at most one cell.

#[path = "common/text.rs"]
mod text;

use requirement::Reading;
use shall_realize::{Budget, Order, Outcome, decide, judge};
use text::Text;

fn check(text: &str, expected: &Outcome) {
    let set = Text::read(text).set(Reading::Endless);
    for component in set.game.components() {
        let part = set.game.part(&component.guarantees);
        if *expected == Outcome::Realizable {
            assert_eq!(decide(&part, Order::Mealy, Budget::DEFAULT), *expected, "{text}");
            let judged = judge(&part, Order::Mealy, Budget::DEFAULT);
            assert!(judged.strategy.is_some_and(|it| it.is_ok()), "{text}");
        }
    }
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), *expected, "{text}");
}

/// The sentence that a number moves by at most one, besides what is added.
fn moves(name: &str, start: i32, added: &str) -> String {
    format!(
        "the sw shall always satisfy preInt({start}, {name}){added} - 1 <= {name} & {name} <= preInt({start}, {name}){added} + 1"
    )
}

const SHORT: &str = "-1 <= dx & dx <= 1 & -1 <= dy & dy <= 1";
const NEAR: &str =
    "preInt(0, x) - 1 <= x & x <= preInt(0, x) + 1 & preInt(0, y) - 1 <= y & y <= preInt(0, y) + 1";

#[test]
fn boxes() {
    let (x, y) = (moves("x", 1, " + dx"), moves("y", 1, " + dy"));
    let both =
        format!("in dx dy: int\nout x y: int\nassume the env shall always satisfy {SHORT}\n{x}\n{y}\n");
    check(&format!("{both}the sw shall always satisfy 0 <= y & y <= 3"), &Outcome::Realizable);
    check(
        &format!("{both}the sw shall always satisfy 0 <= x & x <= 5 & 0 <= y & y <= 5"),
        &Outcome::Realizable,
    );
    // The environment leaves the strip, if it may move twice as far.
    let far = both.replace("-1 <= dy & dy <= 1", "-2 <= dy & dy <= 2");
    check(&format!("{far}the sw shall always satisfy 0 <= y & y <= 1"), &Outcome::Unrealizable);
    let (x, y) = (moves("x", 1, ""), moves("y", 1, ""));
    check(
        &format!("out x y: int\n{x}\n{y}\nthe sw shall always satisfy 0 <= y & y <= 3"),
        &Outcome::Realizable,
    );
    let limited = format!(
        "in dx: int\nout x y: int\nassume the env shall always satisfy -1 <= dx & dx <= 1
        the sw shall always satisfy x = preInt(1, x) + dx\n{y}\n"
    );
    check(&format!("{limited}the sw shall always satisfy 0 <= y & y <= 3"), &Outcome::Realizable);
    check(&format!("{limited}the sw shall always satisfy 0 <= x & x <= 3"), &Outcome::Unrealizable);
}

#[test]
fn diagonal() {
    let y = moves("y", 0, "");
    let text = format!(
        "in dx: int\nout x y: int\nassume the env shall always satisfy -1 <= dx & dx <= 1
        the sw shall always satisfy x = preInt(0, x) + dx\n{y}\n"
    );
    check(&format!("{text}the sw shall always satisfy x - 2 <= y & y <= x + 2"), &Outcome::Realizable);
    check(&format!("{text}the sw shall always satisfy x + 2 <= y & y <= x + 3"), &Outcome::Unrealizable);
}

#[test]
fn two_robots() {
    let mine = |start| [moves("u", start, ""), moves("v", start, "")].join("\n");
    let text = |start| {
        format!("in x y: int\nout u v: int\nassume the env shall always satisfy {NEAR}\n{}\n", mine(start))
    };
    let apart = |start: i32| {
        format!(
            "{}the sw shall always satisfy !(x = u & y = v)
            the sw shall always satisfy !(x = preInt({start}, u) & y = preInt({start}, v))",
            text(start)
        )
    };
    check(&apart(5), &Outcome::Realizable);
    // Next to each other, the system is caught at the first move.
    check(&apart(1), &Outcome::Unrealizable);
    let near = |distance: u32| {
        let sums = ["x - u + y - v", "x - u + v - y", "u - x + y - v", "u - x + v - y"];
        let all: Vec<String> = sums.iter().map(|it| format!("{it} <= {distance}")).collect();
        format!("{}the sw shall always satisfy {}", text(0), all.join(" & "))
    };
    check(&near(2), &Outcome::Realizable);
    check(&format!("{}\nthe sw shall always satisfy !(x = u & y = v)", near(0)), &Outcome::Unrealizable);
}

/// Memory that grows, and a bound that is met in time or not.
#[test]
fn growing_memory() {
    let climb = |steps: u32| {
        format!(
            "out x: real\nthe sw shall always satisfy FTP => x = 120
            the sw shall always satisfy !FTP => x >= preReal(0, x) - 10
            the sw shall within {steps} ticks satisfy x <= 20"
        )
    };
    check(&climb(9), &Outcome::Unrealizable);
    check(&climb(10), &Outcome::Realizable);
    // Two sums that approach each other by one at each step.
    let race = |start: u32| {
        format!(
            "in a: int\nout x y: int\nassume the env shall always satisfy a >= {start}
            the sw shall always satisfy FTP => x = a & y = 0
            the sw shall always satisfy !FTP => x = preInt(0, x) + 1 & y = preInt(0, y) + 2
            the sw shall within 10 ticks satisfy x > y
            the sw shall always satisfy x + 20 > y"
        )
    };
    check(&race(5), &Outcome::Unrealizable);
}
