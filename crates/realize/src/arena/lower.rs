//! Expressions of a game as functions of its bits and atoms, each computed once.

use super::bits::{self, Bits};
use super::{Arena, Lowered};
use crate::linear::Linear;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use system::{Expr, Node, Type};

impl Arena<'_, '_> {
    /// The value of an expression.
    pub(super) fn lower(&mut self, root: Expr) -> Lowered {
        if let Some(known) = self.lowered.get(&root) {
            return known.clone();
        }
        for expr in self.game.system.pool.reachable([root]) {
            if !self.lowered.contains_key(&expr) {
                let lowered = self.node(expr);
                self.lowered.insert(expr, lowered);
            }
        }
        self.lowered[&root].clone()
    }

    /// The value of a node whose children have values.
    fn node(&mut self, expr: Expr) -> Lowered {
        let game = self.game;
        let pool = &game.system.pool;
        let value = |arena: &Self, it: Expr| arena.lowered.get(&it).cloned().unwrap_or(Lowered::Opaque);
        match pool.node(expr) {
            Node::Bool(value) => Lowered::Truth(Bdd::constant(*value)),
            Node::Int(value) => number(RBig::from(value.clone())),
            Node::Real(value) => number(value.clone()),
            Node::Literal(_, place) => Lowered::Bits(Bits::constant(&IBig::from(*place))),
            Node::Var(var) if self.pins.contains_key(var) => number(self.pins[var].clone()),
            Node::Var(var) => match (self.blocks[var.index()], pool.type_of(expr)) {
                (Some(block), Type::Bool) => Lowered::Truth(self.m.variable(block.first)),
                (Some(block), _) => Lowered::Bits(self.block_bits(block)),
                (None, Type::Int | Type::Real) => Lowered::Cases(vec![(Bdd::TRUE, Linear::variable(*var))]),
                (None, _) => Lowered::Opaque,
            },
            Node::Not(a) => {
                let a = self.truth_of(*a);
                Lowered::Truth(self.m.not(a))
            }
            Node::And(operands) => Lowered::Truth(operands.iter().fold(Bdd::TRUE, |all, it| {
                let it = self.truth_of(*it);
                self.m.and(all, it)
            })),
            Node::Or(operands) => Lowered::Truth(operands.iter().fold(Bdd::FALSE, |all, it| {
                let it = self.truth_of(*it);
                self.m.or(all, it)
            })),
            Node::Eq(a, b) if pool.type_of(*a) == Type::Bool => {
                let (a, b) = (self.truth_of(*a), self.truth_of(*b));
                Lowered::Truth(self.m.iff(a, b))
            }
            Node::Eq(a, b) => self.comparison(expr, (*a, *b), Comparison::Equal),
            Node::Lt(a, b) => self.comparison(expr, (*a, *b), Comparison::Less),
            Node::Le(a, b) => self.comparison(expr, (*a, *b), Comparison::AtMost),
            Node::Ite(c, a, b) => {
                let c = self.truth_of(*c);
                self.choice(c, value(self, *a), value(self, *b))
            }
            Node::Neg(a) => match value(self, *a) {
                Lowered::Cases(cases) => Lowered::Cases(scaled(&cases, &-RBig::ONE)),
                Lowered::Bits(bits) => Lowered::Bits(bits::negated(&mut self.m, &bits)),
                Lowered::Truth(_) | Lowered::Opaque => Lowered::Opaque,
            },
            Node::Add(a, b) => self.sum(&value(self, *a), &value(self, *b)),
            Node::Mul(a, b) => match (value(self, *a), value(self, *b)) {
                (Lowered::Cases(a), Lowered::Cases(b)) => match (constant(&a), constant(&b)) {
                    (Some(factor), _) => Lowered::Cases(scaled(&b, factor)),
                    (_, Some(factor)) => Lowered::Cases(scaled(&a, factor)),
                    (None, None) => Lowered::Opaque,
                },
                _ => Lowered::Opaque,
            },
            Node::Div(a, b) => match (value(self, *a), value(self, *b)) {
                (Lowered::Cases(a), Lowered::Cases(b)) => match constant(&b) {
                    Some(divisor) if !divisor.is_zero() => {
                        Lowered::Cases(scaled(&a, &(RBig::ONE / divisor.clone())))
                    }
                    _ => Lowered::Opaque,
                },
                _ => Lowered::Opaque,
            },
            // An integer as a real number is itself.
            Node::Cast(Type::Real, a) if pool.type_of(*a) == Type::Int => value(self, *a),
            Node::Machine(..)
            | Node::IntDiv(..)
            | Node::Mod(..)
            | Node::Cast(..)
            | Node::BitNot(_)
            | Node::Bits(..)
            | Node::Apply(..) => Lowered::Opaque,
        }
    }

    fn truth_of(&mut self, expr: Expr) -> Bdd {
        match self.lowered.get(&expr) {
            Some(Lowered::Truth(bdd)) => *bdd,
            _ => self.unknown(expr),
        }
    }

    fn choice(&mut self, c: Bdd, a: Lowered, b: Lowered) -> Lowered {
        match (a, b) {
            (Lowered::Truth(a), Lowered::Truth(b)) => Lowered::Truth(self.m.choose(c, a, b)),
            (Lowered::Cases(a), Lowered::Cases(b)) => {
                let otherwise = self.m.not(c);
                let mut cases = Vec::new();
                for (condition, list) in [(c, a), (otherwise, b)] {
                    for (guard, term) in list {
                        let both = self.m.and(condition, guard);
                        if both != Bdd::FALSE {
                            cases.push((both, term));
                        }
                    }
                }
                self.merged(cases).map_or(Lowered::Opaque, Lowered::Cases)
            }
            (a, b) => match (self.in_bits(&a), self.in_bits(&b)) {
                (Some(a), Some(b)) => Lowered::Bits(bits::choice(&mut self.m, c, &a, &b)),
                _ => Lowered::Opaque,
            },
        }
    }

    fn sum(&mut self, a: &Lowered, b: &Lowered) -> Lowered {
        if let (Lowered::Cases(a), Lowered::Cases(b)) = (a, b) {
            let mut cases = Vec::new();
            for (one, left) in a {
                for (other, right) in b {
                    let both = self.m.and(*one, *other);
                    if both != Bdd::FALSE {
                        cases.push((both, left.plus(&RBig::ONE, right)));
                    }
                }
            }
            return self.merged(cases).map_or(Lowered::Opaque, Lowered::Cases);
        }
        match (self.in_bits(a), self.in_bits(b)) {
            (Some(a), Some(b)) => Lowered::Bits(bits::sum(&mut self.m, &a, &b)),
            _ => Lowered::Opaque,
        }
    }

    /// A number in bits: as it is, or where all cases are integers.
    pub(super) fn in_bits(&mut self, value: &Lowered) -> Option<Bits> {
        match value {
            Lowered::Bits(bits) => Some(bits.clone()),
            Lowered::Cases(cases) => {
                let mut result: Option<Bits> = None;
                for (guard, term) in cases {
                    if !term.terms.is_empty() || !term.constant.is_int() {
                        return None;
                    }
                    let constant = Bits::constant(&term.constant.floor());
                    result = Some(match result {
                        Some(rest) => bits::choice(&mut self.m, *guard, &constant, &rest),
                        None => constant,
                    });
                }
                result
            }
            Lowered::Truth(_) | Lowered::Opaque => None,
        }
    }

    fn comparison(&mut self, expr: Expr, (a, b): (Expr, Expr), how: Comparison) -> Lowered {
        let get = |arena: &Self, it: Expr| arena.lowered.get(&it).cloned().unwrap_or(Lowered::Opaque);
        let (a, b) = (get(self, a), get(self, b));
        if let (Lowered::Cases(a), Lowered::Cases(b)) = (&a, &b) {
            let mut holds = Bdd::FALSE;
            for (one, left) in a {
                for (other, right) in b {
                    let both = self.m.and(*one, *other);
                    if both == Bdd::FALSE {
                        continue;
                    }
                    let difference = left.plus(&-RBig::ONE, right);
                    let compared = match how {
                        Comparison::Less => self.below_zero(&difference, false),
                        Comparison::AtMost => self.below_zero(&difference, true),
                        Comparison::Equal => {
                            let below = self.below_zero(&difference, false);
                            let at_most = self.below_zero(&difference, true);
                            let not_below = self.m.not(below);
                            self.m.and(at_most, not_below)
                        }
                    };
                    let here = self.m.and(both, compared);
                    holds = self.m.or(holds, here);
                }
            }
            return Lowered::Truth(holds);
        }
        Lowered::Truth(match (self.in_bits(&a), self.in_bits(&b)) {
            (Some(a), Some(b)) => match how {
                Comparison::Less => {
                    let at_most = bits::at_most(&mut self.m, &b, &a);
                    self.m.not(at_most)
                }
                Comparison::AtMost => bits::at_most(&mut self.m, &a, &b),
                Comparison::Equal => bits::equal(&mut self.m, &a, &b),
            },
            _ => self.unknown(expr),
        })
    }
}

#[derive(Clone, Copy)]
enum Comparison {
    Less,
    AtMost,
    Equal,
}

fn number(value: RBig) -> Lowered {
    Lowered::Cases(vec![(Bdd::TRUE, Linear::constant(value))])
}

/// The value of cases that are one constant.
fn constant(cases: &[(Bdd, Linear)]) -> Option<&RBig> {
    match cases {
        [(_, term)] if term.terms.is_empty() => Some(&term.constant),
        _ => None,
    }
}

fn scaled(cases: &[(Bdd, Linear)], factor: &RBig) -> Vec<(Bdd, Linear)> {
    cases.iter().map(|(guard, term)| (*guard, term.times(factor))).collect()
}
