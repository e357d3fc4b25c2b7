//! Numbers for which only the position among some constants matters.
//!
//! Numeric nodes that copy from each other (a choice and its operands, a state and its next value) form a group. If a group is
//! compared only with constants, and nothing computes with it, then only the position among these constants matters: before, at,
//! between or after them. Replacing values with positions is an exact bisimulation.

use crate::evaluate::fits;
use crate::expr::{Expr, Node, Pool, Type, Var};
use crate::system::System;
use crate::value::Value;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

/// The groups of a system, and the constants that each is compared with.
#[derive(Clone, Debug)]
pub struct Places {
    /// The group of each node of the pool.
    groups: Vec<Option<usize>>,
    /// The constants of each group, ascending.
    constants: Vec<Vec<RBig>>,
}

impl Places {
    /// Finds the groups of everything that behaviours and properties depend on.
    pub fn new(system: &System) -> Places {
        let pool = &system.pool;
        let next = system.state.iter().map(|it| it.next);
        let constraints = system.assumptions.iter().chain(&system.initial).copied();
        let order =
            pool.reachable(next.chain(constraints).chain(system.properties.iter().map(|it| it.value)));
        let mut union = Union::new(pool.len());
        let mut valued: Vec<Expr> = Vec::new();
        let mut compared: Vec<(Expr, RBig)> = Vec::new();
        let is_number = |expr: Expr| pool.type_of(expr).is_number();
        let mut variables: FxHashMap<Var, Expr> = FxHashMap::default();
        for &expr in &order {
            match pool.node(expr) {
                Node::Var(var) => {
                    variables.insert(*var, expr);
                }
                Node::Ite(_, a, b) if is_number(expr) => {
                    for operand in [*a, *b].into_iter().filter(|it| !pool.node(*it).is_constant()) {
                        union.join(expr.index(), operand.index());
                    }
                }
                Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) if is_number(*a) => {
                    let with = with_constant(pool, *a, *b);
                    valued.extend(if with.is_empty() { vec![*a, *b] } else { vec![] });
                    compared.extend(with);
                }
                Node::Ite(..) | Node::Eq(..) | Node::Not(_) | Node::And(_) | Node::Or(_) => {}
                // Arithmetic, conversions, functions: they need values and return values.
                node => valued.extend(node.children().chain([expr])),
            }
        }
        for state in &system.state {
            if let Some(expr) = variables.get(&state.var)
                && is_number(*expr)
                && !pool.node(state.next).is_constant()
            {
                union.join(expr.index(), state.next.index());
            }
        }
        let mut by_value = vec![false; pool.len()];
        for expr in valued.into_iter().filter(|it| !pool.node(*it).is_constant()) {
            by_value[union.find(expr.index())] = true;
        }
        let mut places = Places { groups: vec![None; pool.len()], constants: Vec::new() };
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for &expr in order.iter().filter(|it| is_number(**it) && !pool.node(**it).is_constant()) {
            let root = union.find(expr.index());
            if !by_value[root] {
                let group = *numbers.entry(root).or_insert(places.constants.len());
                if group == places.constants.len() {
                    places.constants.push(Vec::new());
                }
                places.groups[expr.index()] = Some(group);
            }
        }
        for (expr, constant) in compared {
            if let Some(group) = places.group(expr) {
                places.constants[group].push(constant);
            }
        }
        for constants in &mut places.constants {
            constants.sort();
            constants.dedup();
        }
        places
    }

    /// The group of a number that is not a constant, if only its position matters.
    pub fn group(&self, expr: Expr) -> Option<usize> {
        self.groups.get(expr.index()).copied().flatten()
    }

    /// The constants of a group, ascending.
    pub fn constants(&self, group: usize) -> &[RBig] {
        self.constants.get(group).map_or(&[], Vec::as_slice)
    }

    /// The position of a number: twice the count of smaller constants, plus one if it is a constant itself.
    pub fn place(&self, group: usize, number: &RBig) -> i64 {
        match self.constants(group).binary_search(number) {
            Ok(place) => 2 * place as i64 + 1,
            Err(place) => 2 * place as i64,
        }
    }

    /// The positions that numbers of a type can have, ascending.
    pub fn all(&self, pool: &Pool, group: usize, ty: Type) -> Vec<i64> {
        let places = 0..=2 * self.constants(group).len() as i64;
        places.filter(|place| self.representative(pool, group, ty, *place).is_some()).collect()
    }

    /// A number at a position, if there is one of this type.
    pub fn representative(&self, pool: &Pool, group: usize, ty: Type, place: i64) -> Option<Value> {
        let constants = self.constants(group);
        let index = usize::try_from(place / 2).ok()?;
        let below = index.checked_sub(1).and_then(|it| constants.get(it));
        let above = constants.get(index);
        let number = match (place % 2, below, above) {
            (1, _, _) => above?.clone(),
            (_, None, None) => RBig::ZERO,
            (_, Some(below), None) => RBig::from(below.floor()) + RBig::ONE,
            (_, None, Some(above)) => RBig::from(above.ceil()) - RBig::ONE,
            (_, Some(below), Some(above)) => {
                let whole = RBig::from(below.floor()) + RBig::ONE;
                if whole < *above || ty != Type::Real { whole } else { (below + above) / RBig::from(2) }
            }
        };
        let there = index <= constants.len() && self.place(group, &number) == place;
        let value = match ty {
            Type::Real => Value::Real(number),
            Type::Int if number.is_int() => Value::Int(number.floor()),
            Type::Machine(_) if number.is_int() => Value::Machine(i128::try_from(number.floor()).ok()?),
            Type::Int | Type::Machine(_) | Type::Bool | Type::Enum(_) => return None,
        };
        (there && fits(pool, ty, &value)).then_some(value)
    }
}

/// The operands of a comparison that are compared with a constant, each with that constant.
pub fn with_constant(pool: &Pool, a: Expr, b: Expr) -> Vec<(Expr, RBig)> {
    let with = |expr: Expr, other: Expr| number(pool, other).map(|constant| (expr, constant));
    with(b, a).into_iter().chain(with(a, b)).collect()
}

/// The value of a numeric constant.
pub fn number(pool: &Pool, expr: Expr) -> Option<RBig> {
    match pool.node(expr) {
        Node::Int(number) => Some(RBig::from(number.clone())),
        Node::Machine(_, number) => Some(RBig::from(*number)),
        Node::Real(number) => Some(number.clone()),
        _ => None,
    }
}

/// A union-find structure over the numbers from 0 on.
#[derive(Clone, Debug)]
pub struct Union {
    parents: Vec<usize>,
}

impl Union {
    /// `count` groups of one element each.
    pub fn new(count: usize) -> Union {
        Union { parents: (0..count).collect() }
    }

    /// The representative of a group.
    pub fn find(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    /// Merges two groups.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
