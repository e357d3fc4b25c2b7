//! From expressions to automata, by the positions of their steps (Glushkov 1961): independent of the conversion from automata to
//! expressions, so that one checks the other.
//!
//! Every step is a state, entered by reading it. Transitions lead from the last steps under an ω back to its first ones, and these
//! are marked: a run is accepting if it takes marked transitions infinitely often.

use crate::expression::{Expr, Expressions, Node};
use crate::limit::Limit;
use base::Interned;
use logic::Id;
use omega::{Buchi, Guard, Step};

/// The maximum nesting depth of an expression.
const DEPTH: u32 = 1000;

/// The maximum number of transitions between steps.
const WAYS: usize = 4_000_000;

/// The steps of an expression and their successors. Position 0 is the start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions {
    /// The guard of each position; the start reads nothing.
    pub(crate) guards: Vec<Guard>,
    /// The successors of each position, and whether they close an ω loop.
    pub(crate) follow: Vec<Vec<(u32, bool)>>,
    /// Whether a finite word may end here.
    pub(crate) last: Vec<bool>,
}

struct Fragment {
    first: Vec<u32>,
    last: Vec<u32>,
    nullable: bool,
}

impl Positions {
    pub(crate) fn of(arena: &Expressions, expr: Expr) -> Result<Positions, Limit> {
        if arena.measure(expr).depth > DEPTH {
            return Err(Limit::Depth);
        }
        let mut positions =
            Positions { guards: vec![Guard::FALSE], follow: vec![Vec::new()], last: Vec::new() };
        let mut ways = 0;
        let whole = positions.add(arena, expr, &mut ways)?;
        positions.follow[0] = whole.first.iter().map(|&position| (position, false)).collect();
        positions.last = vec![false; positions.guards.len()];
        whole.last.iter().for_each(|&position| positions.last[position as usize] = true);
        positions.last[0] = whole.nullable;
        for follow in &mut positions.follow {
            // A marked transition subsumes an unmarked one.
            follow.sort_unstable_by_key(|&(position, marked)| (position, !marked));
            follow.dedup_by_key(|&mut (position, _)| position);
        }
        Ok(positions)
    }

    fn join(&mut self, from: &[u32], to: &[u32], marked: bool, ways: &mut usize) -> Result<(), Limit> {
        *ways += from.len() * to.len();
        if *ways > WAYS {
            return Err(Limit::Size);
        }
        for &position in from {
            self.follow[position as usize].extend(to.iter().map(|&next| (next, marked)));
        }
        Ok(())
    }

    /// The recursion is as deep as the expression, which is limited.
    fn add(&mut self, arena: &Expressions, expr: Expr, ways: &mut usize) -> Result<Fragment, Limit> {
        match arena.node(expr) {
            Node::Empty => Ok(Fragment { first: Vec::new(), last: Vec::new(), nullable: false }),
            Node::Epsilon => Ok(Fragment { first: Vec::new(), last: Vec::new(), nullable: true }),
            Node::Step(guard) => {
                let position = self.guards.len() as u32;
                self.guards.push(*guard);
                self.follow.push(Vec::new());
                Ok(Fragment { first: vec![position], last: vec![position], nullable: false })
            }
            Node::Union(parts) => {
                let mut whole = Fragment { first: Vec::new(), last: Vec::new(), nullable: false };
                for &part in parts.iter() {
                    let part = self.add(arena, part, ways)?;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                    whole.nullable |= part.nullable;
                }
                Ok(whole)
            }
            Node::Sequence(parts) => {
                let mut whole = Fragment { first: Vec::new(), last: Vec::new(), nullable: true };
                for &part in parts.iter() {
                    let part = self.add(arena, part, ways)?;
                    self.join(&whole.last, &part.first, false, ways)?;
                    if whole.nullable {
                        whole.first.extend(&part.first);
                    }
                    if part.nullable {
                        whole.last.extend(part.last);
                    } else {
                        whole.last = part.last;
                    }
                    whole.nullable &= part.nullable;
                }
                Ok(whole)
            }
            Node::Star(body) => {
                let body = self.add(arena, *body, ways)?;
                self.join(&body.last, &body.first, false, ways)?;
                Ok(Fragment { nullable: true, ..body })
            }
            Node::Omega(body) => {
                let body = self.add(arena, *body, ways)?;
                self.join(&body.last, &body.first, true, ways)?;
                Ok(Fragment { first: body.first, last: Vec::new(), nullable: false })
            }
        }
    }
}

/// The automaton of an expression over the given atoms: a Büchi automaton if its words are infinite, an automaton on finite words
/// otherwise.
pub fn to_buchi(arena: &Expressions, atoms: &[Id], expr: Expr) -> Result<Buchi, Limit> {
    let positions = Positions::of(arena, expr)?;
    let infinite = arena.infinite(expr);
    let mut found = Interned::from_iter([(0, false)]);
    let mut steps = Vec::new();
    let mut accepting = Vec::new();
    while steps.len() < found.len() {
        let (position, marked) = found[steps.len()];
        let mut out = Vec::new();
        for &way in &positions.follow[position as usize] {
            out.push(Step { guard: positions.guards[way.0 as usize], target: found.intern(way) });
        }
        steps.push(out);
        accepting.push(if infinite { marked } else { positions.last[position as usize] });
    }
    Ok(Buchi { guards: arena.guards.clone(), atoms: atoms.to_vec(), initial: 0, steps, accepting })
}
