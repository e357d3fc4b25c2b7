//! The sizes of expressions: as trees, as timelines, as pictures.
//!
//! Computed once for every node from its operands. Runs are the drawn pieces of a sequence: `r r*` is one piece, 1 to ∞ times; equal
//! neighbours are one piece with a count; `ε + r (ε + r)` is one piece, 0 to 2 times.

use crate::expression::{Expr, Expressions, Node};

/// The sizes of an expression; they saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// The number of nodes of the expression as a binary tree.
    pub size: u64,
    /// The paper's timeline length: the longest path, with stars and ω taken once.
    pub length: u64,
    /// The timeline length of the 2023 version: a star counts twice its body plus one.
    pub length_2023: u64,
    /// The nesting depth of stars.
    pub star_height: u32,
    /// The number of drawn steps, without the start.
    pub steps: u64,
    /// The number of steps of the expression as a tree.
    pub leaves: u64,
    /// The nesting depth of the expression.
    pub depth: u32,
    /// Whether it contains the empty word.
    pub nullable: bool,
    /// Whether its words are infinite.
    pub infinite: bool,
    /// The operand and the maximum count, if it is an optional repetition.
    pub(crate) optional: Option<(Expr, u64)>,
}

impl Measure {
    /// The number of nodes of the picture, with the start.
    pub fn drawn_nodes(&self) -> u64 {
        self.steps.saturating_add(1)
    }

    /// The cost by which expressions of the same language are compared.
    pub fn cost(&self) -> u64 {
        let height = u64::from(self.star_height).saturating_mul(10);
        self.steps
            .saturating_mul(2)
            .saturating_add(self.size)
            .saturating_add(self.length)
            .saturating_add(height)
    }

    pub(crate) fn of(arena: &Expressions, node: &Node) -> Measure {
        let leaf = Measure {
            size: 1,
            length: 0,
            length_2023: 0,
            star_height: 0,
            steps: 0,
            leaves: 0,
            depth: 1,
            nullable: false,
            infinite: false,
            optional: None,
        };
        let deeper = |inner: &Measure| Measure {
            size: inner.size.saturating_add(1),
            depth: inner.depth.saturating_add(1),
            optional: None,
            ..*inner
        };
        // The common part of sequences and unions.
        let both = |whole: &Measure, part: &Measure| Measure {
            size: whole.size.saturating_add(part.size),
            star_height: whole.star_height.max(part.star_height),
            leaves: whole.leaves.saturating_add(part.leaves),
            depth: whole.depth.max(part.depth.saturating_add(1)),
            infinite: whole.infinite || part.infinite,
            ..*whole
        };
        match node {
            Node::Empty => leaf,
            Node::Epsilon => Measure { nullable: true, ..leaf },
            Node::Step(_) => Measure { length: 1, length_2023: 1, steps: 1, leaves: 1, ..leaf },
            Node::Star(body) => {
                let inner = deeper(arena.measure(*body));
                Measure {
                    length_2023: inner.length_2023.saturating_mul(2).saturating_add(1),
                    star_height: inner.star_height + 1,
                    nullable: true,
                    ..inner
                }
            }
            Node::Omega(body) => Measure { nullable: false, infinite: true, ..deeper(arena.measure(*body)) },
            Node::Sequence(parts) => {
                let start = Measure { size: parts.len() as u64 - 1, nullable: true, ..leaf };
                let whole = parts.iter().fold(start, |whole, &part| {
                    let part = arena.measure(part);
                    Measure {
                        length: whole.length.saturating_add(part.length),
                        length_2023: whole.length_2023.saturating_add(part.length_2023),
                        nullable: whole.nullable && part.nullable,
                        ..both(&whole, part)
                    }
                });
                Measure { steps: drawn(arena, &runs(arena, parts)), ..whole }
            }
            Node::Union(parts) => {
                let start = Measure { size: parts.len() as u64 - 1, ..leaf };
                let whole = parts.iter().fold(start, |whole, &part| {
                    let part = arena.measure(part);
                    Measure {
                        length: whole.length.max(part.length),
                        length_2023: whole.length_2023.max(part.length_2023),
                        steps: whole.steps.saturating_add(part.steps),
                        nullable: whole.nullable || part.nullable,
                        optional: None,
                        ..both(&whole, part)
                    }
                });
                let optional = optional(arena, parts);
                let steps = optional.map_or(whole.steps, |(body, _)| arena.measure(body).steps);
                Measure { steps, optional, ..whole }
            }
        }
    }
}

/// A piece of a sequence: a body, and its number of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// The repeated expression.
    pub(crate) body: Expr,
    /// The minimum number of repetitions.
    pub(crate) least: u64,
    /// The maximum number of repetitions.
    pub(crate) most: Option<u64>,
}

impl Run {
    fn once(body: Expr) -> Run {
        Run { body, least: 1, most: Some(1) }
    }

    fn plus(self, other: Run) -> Run {
        Run { least: self.least + other.least, most: self.most.zip(other.most).map(|(a, b)| a + b), ..self }
    }
}

/// The runs of a sequence, from left to right, each with the number of parts it consists of.
pub(crate) fn runs(arena: &Expressions, parts: &[Expr]) -> Vec<(Run, usize)> {
    let mut runs: Vec<(Run, usize)> = Vec::new();
    for &part in parts {
        let run = run(arena, part);
        let body = arena.parts(&run.body);
        // r r* with r a sequence: the steps before it are one more repetition.
        let before = runs.len().checked_sub(body.len()).map(|start| &runs[start..]);
        let again = |before: &[(Run, usize)]| {
            before.iter().zip(body).all(|(before, &part)| before.0 == self::run(arena, part))
        };
        if body.len() > 1 && before.is_some_and(again) {
            let count: usize = runs.drain(runs.len() - body.len()..).map(|(_, count)| count).sum();
            runs.push((run.plus(Run::once(run.body)), count + 1));
            continue;
        }
        match runs.last_mut() {
            Some((last, count)) if last.body == run.body && !arena.infinite(part) => {
                (*last, *count) = (last.plus(run), *count + 1);
            }
            _ => runs.push((run, 1)),
        }
        absorb(arena, &mut runs);
    }
    runs
}

/// r* r with r a sequence: the steps after a repetition of themselves are one more repetition.
fn absorb(arena: &Expressions, runs: &mut Vec<(Run, usize)>) {
    let count = runs.len();
    for start in (0..count).rev().take(8) {
        let body = arena.parts(&runs[start].0.body);
        if body.len() == count - start - 1
            && body.len() > 1
            && body.iter().zip(&runs[start + 1..]).all(|(&part, after)| after.0 == run(arena, part))
        {
            let more: usize = runs.drain(start + 1..).map(|(_, count)| count).sum();
            let (run, count) = runs[start];
            runs[start] = (run.plus(Run::once(run.body)), count + more);
            return;
        }
    }
}

/// The drawn piece of one part.
pub(crate) fn run(arena: &Expressions, expr: Expr) -> Run {
    match arena.node(expr) {
        Node::Star(body) => Run { body: *body, least: 0, most: None },
        Node::Union(_) => match arena.measure(expr).optional {
            Some((body, most)) => Run { body, least: 0, most: Some(most) },
            None => Run::once(expr),
        },
        Node::Empty | Node::Epsilon | Node::Step(_) | Node::Sequence(_) | Node::Omega(_) => Run::once(expr),
    }
}

/// `ε + r` is r at most once, and `ε + r x` is r at most n + 1 times if x is r at most n times.
fn optional(arena: &Expressions, parts: &[Expr]) -> Option<(Expr, u64)> {
    let &[Expr::EPSILON, rest] = parts else { return None };
    if let [body @ .., last] = arena.parts(&rest)
        && let Some((inner, most)) = arena.measure(*last).optional
        && arena.parts(&inner) == body
    {
        return Some((inner, most + 1));
    }
    Some((rest, 1))
}

fn drawn(arena: &Expressions, runs: &[(Run, usize)]) -> u64 {
    runs.iter().map(|(run, _)| arena.measure(run.body).steps).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use crate::testing::World;

    /// Size, length, length of 2023, star height, drawn nodes.
    #[test]
    fn measures() {
        for (text, expected) in [
            ("[a]^ω", (2, 1, 1, 0, 2)),
            ("([c] + [a] [b]* [c])^ω", (9, 3, 5, 1, 5)),
            ("[!a]* [a] [true]^ω", (7, 3, 5, 1, 4)),
            ("([a] [b]*)* [c]^ω", (8, 3, 10, 2, 4)),
            ("[a] [a] [a] [b]^ω", (8, 4, 4, 0, 3)),
            ("[a] [a]* [b]^ω", (7, 3, 5, 1, 3)),
            ("[a] [b] ([a] [b])* [c]^ω", (11, 5, 8, 1, 4)),
            ("([a] [b])* [a] [b] [c]^ω", (11, 5, 8, 1, 4)),
            ("((ε + [a] (ε + [a] (ε + [a]))) [!a])^ω", (14, 4, 4, 0, 3)),
            ("(ε + [a]) (ε + [a]) [b]^ω", (10, 3, 3, 0, 3)),
            ("ε", (1, 0, 0, 0, 1)),
        ] {
            let mut world = World::new();
            let expr = world.read(text);
            let m = world.arena.measure(expr);
            assert_eq!((m.size, m.length, m.length_2023, m.star_height, m.drawn_nodes()), expected, "{text}");
        }
    }
}
