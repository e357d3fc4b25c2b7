//! Conditions on the state: those that occur in a system, and their preimages under one step.
//!
//! An atom is a Boolean state, or a comparison without choices inside; choices are split into their branches. Atoms that depend on
//! inputs are not conditions on the state and are left out.

use rustc_hash::FxHashSet;
use system::{Expr, Node, Pool, System, Type, Var};

/// The maximum number of atoms per expression.
const MOST: usize = 200;
/// The depth to which arithmetic is searched for choices.
const DEEP: usize = 8;

/// The atoms over the state in the property, the constraints and the next states of a system.
pub(crate) fn state_atoms(system: &mut System) -> Vec<Expr> {
    let mut roots: Vec<Expr> = system.properties.iter().map(|it| it.value).collect();
    roots.extend(system.assumptions.iter().chain(&system.initial));
    for state in system.state.clone() {
        let now = system.expr(state.var);
        match system.variables[state.var.index()].ty {
            Type::Bool => roots.push(now),
            Type::Enum(id) => {
                for place in 0..system.pool.enumeration(id).literals.len() as u32 {
                    let literal = system.pool.literal(id, place);
                    roots.push(system.pool.eq(now, literal));
                }
            }
            Type::Int | Type::Machine(_) | Type::Real => {
                if let Some(init) = state.init {
                    roots.push(system.pool.le(now, init));
                    roots.push(system.pool.le(init, now));
                }
            }
        }
        // The conditions of choices are atoms too.
        let conditions: Vec<Expr> = system
            .pool
            .reachable([state.next])
            .into_iter()
            .filter_map(|it| match system.pool.node(it) {
                Node::Ite(c, _, _) => Some(*c),
                _ => None,
            })
            .collect();
        roots.extend(conditions);
        if system.variables[state.var.index()].ty == Type::Bool {
            roots.push(state.next);
        }
    }
    atoms(system, &roots)
}

/// The atoms over the state below some conditions.
pub(crate) fn atoms(system: &mut System, roots: &[Expr]) -> Vec<Expr> {
    let mut is_input = vec![false; system.variables.len()];
    system.inputs.iter().for_each(|var| is_input[var.index()] = true);
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut open: Vec<Expr> = roots.to_vec();
    let mut found = Vec::new();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) || found.len() >= MOST || seen.len() > 50 * MOST {
            continue;
        }
        let pool = &mut system.pool;
        match pool.node(expr).clone() {
            Node::Bool(_) => {}
            Node::Var(var) if !is_input[var.index()] => found.push(expr),
            Node::Var(_) => {}
            Node::Not(a) => open.push(a),
            Node::And(operands) | Node::Or(operands) => open.extend(operands.iter()),
            Node::Eq(a, b) if pool.type_of(a) == Type::Bool => open.extend([a, b]),
            Node::Ite(c, a, b) => open.extend([c, a, b]),
            node @ (Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b)) => {
                if let Some((c, [x, y])) = split(pool, a, DEEP) {
                    open.extend([c, compared(pool, &node, x, b), compared(pool, &node, y, b)]);
                } else if let Some((c, [x, y])) = split(pool, b, DEEP) {
                    open.extend([c, compared(pool, &node, a, x), compared(pool, &node, a, y)]);
                } else if pool.variables([expr]).iter().all(|var: &Var| !is_input[var.index()]) {
                    found.push(expr);
                }
            }
            _ => {}
        }
    }
    found.sort();
    found
}

fn compared(pool: &mut Pool, like: &Node, a: Expr, b: Expr) -> Expr {
    match like {
        Node::Lt(..) => pool.lt(a, b),
        Node::Le(..) => pool.le(a, b),
        _ => pool.eq(a, b),
    }
}

/// The first choice inside a sum: its condition and the two sums without it.
fn split(pool: &mut Pool, expr: Expr, depth: usize) -> Option<(Expr, [Expr; 2])> {
    if depth == 0 {
        return None;
    }
    match *pool.node(expr) {
        Node::Ite(c, a, b) => Some((c, [a, b])),
        Node::Neg(a) => {
            let (c, both) = split(pool, a, depth - 1)?;
            Some((c, both.map(|it| pool.neg(it))))
        }
        Node::Add(a, b) => match split(pool, a, depth - 1) {
            Some((c, both)) => Some((c, both.map(|it| pool.add(it, b)))),
            None => {
                let (c, both) = split(pool, b, depth - 1)?;
                Some((c, both.map(|it| pool.add(a, it))))
            }
        },
        Node::Mul(a, b) => match split(pool, a, depth - 1) {
            Some((c, both)) => Some((c, both.map(|it| pool.mul(it, b)))),
            None => {
                let (c, both) = split(pool, b, depth - 1)?;
                Some((c, both.map(|it| pool.mul(a, it))))
            }
        },
        _ => None,
    }
}
