//! Binary counters as formulas (Rozier and Vardi 2010): `a` marks the lowest bit of each number, `b` is the bit, `c` the carry. Their
//! automata have n·2ⁿ states, so they show how tools scale.

/// How a counter is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Chains of next for each bit.
    Plain,
    /// Nested next, so that the formula grows linearly.
    Linear,
    /// With a carry bit.
    Carry,
    /// With a carry bit and nested next.
    CarryLinear,
}

pub(crate) const FAMILIES: [(Family, &str); 4] = [
    (Family::Plain, "ltlcounter"),
    (Family::Carry, "ltlcountercarry"),
    (Family::Linear, "ltlcounterlinear"),
    (Family::CarryLinear, "ltlcountercarrylinear"),
];

/// The counter with this number of bits.
pub(crate) fn counter(family: Family, bits: usize) -> String {
    let mark = every(family, bits, "!a", "a");
    let zero = nested(family, bits, "!b");
    let parts = match family {
        Family::Plain | Family::Linear => {
            let kept = format!("(!a & (b -> {}) & (!b -> {})) U a", later(bits, "b"), later(bits, "!b"));
            // What comes after the first next: with nesting, one step less remains for the bit.
            let then = |bit: &str, rest: &str| match family {
                Family::Linear => format!("X ({} & ({rest}))", later(bits - 1, bit)),
                _ => format!("{} & X ({rest})", later(bits, bit)),
            };
            let carried =
                format!("(b & !a & {}) U (a | (!a & !b & {}))", later(bits, "!b"), then("b", &kept));
            vec![
                format!("G ((a & !b) -> ({}))", then("b", &kept)),
                format!("G ((a & b) -> ({}))", then("!b", &carried)),
            ]
        }
        Family::Carry | Family::CarryLinear => {
            let next = |f: String| format!("X ({f})");
            let (kept, added) = match family {
                Family::Carry => (
                    format!("X !c & (X b -> {}) & (X !b -> {})", later(bits + 1, "b"), later(bits + 1, "!b")),
                    format!(
                        "(X !b -> (X !c & {})) & (X b -> (X c & {}))",
                        later(bits + 1, "b"),
                        later(bits + 1, "!b")
                    ),
                ),
                _ => (
                    next(format!("!c & (b -> {}) & (!b -> {})", later(bits, "b"), later(bits, "!b"))),
                    next(format!("(!b -> (!c & {})) & (b -> (c & {}))", later(bits, "b"), later(bits, "!b"))),
                ),
            };
            vec![
                format!("G ((a & !b) -> (!c & {}))", later(bits, "b")),
                format!("G ((a & b) -> (c & {}))", later(bits, "!b")),
                format!("G ((!c & X !a) -> ({kept}))"),
                format!("G (c -> ({added}))"),
            ]
        }
    };
    let parts: Vec<String> = parts.into_iter().map(|part| format!("({part})")).collect();
    format!("(a & G (a -> ({mark}))) & ({zero}) & {}", parts.join(" & "))
}

/// The literal after this number of steps.
fn later(steps: usize, literal: &str) -> String {
    format!("({}{literal})", "X ".repeat(steps))
}

/// From the next step on, one thing for all bits but the last, and another for that.
fn every(family: Family, bits: usize, first: &str, last: &str) -> String {
    match family {
        Family::Plain | Family::Carry => {
            let steps = (1..bits).map(|step| later(step, first)).chain([later(bits, last)]);
            steps.collect::<Vec<_>>().join(" & ")
        }
        Family::Linear | Family::CarryLinear => {
            (1..bits).fold(format!("X {last}"), |rest, _| format!("X ({first} & {rest})"))
        }
    }
}

/// On all bits, from now on.
fn nested(family: Family, bits: usize, literal: &str) -> String {
    match family {
        Family::Plain | Family::Carry => {
            (0..bits).map(|step| later(step, literal)).collect::<Vec<_>>().join(" & ")
        }
        Family::Linear | Family::CarryLinear => {
            (1..bits).fold(literal.to_string(), |rest, _| format!("{literal} & X ({rest})"))
        }
    }
}
