//! The conditions that a model mentions by name, from which stronger preconditions are built.
//!
//! They are the Boolean inputs, states, outputs and internals; comparisons between named values; all of these one step earlier; and
//! the negations. Each has a text, and all expressions are different.

use rustc_hash::{FxHashMap, FxHashSet};
use system::{Expr, Node, Pool, System, Type};

/// A condition with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    pub(crate) expr: Expr,
    pub(crate) words: String,
    /// The model's condition that it comes from: two with the same origin are not combined.
    pub(crate) origin: usize,
}

/// The maximum number of the model's conditions to consider.
const MOST: usize = 120;

/// The conditions of a system, plain ones first. Adds states for those one step earlier.
pub(crate) fn conditions(system: &mut System, roots: &[Expr]) -> Vec<Condition> {
    let plain = plain(system, roots);
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut all = Vec::new();
    for (origin, (expr, words)) in plain.iter().enumerate() {
        add(system, &mut seen, &mut all, *expr, words, origin);
    }
    let count = plain.len();
    for (at, (expr, words)) in plain.iter().enumerate() {
        let before = before(system, *expr);
        add(system, &mut seen, &mut all, before, &format!("pre {words}"), count + at);
    }
    all
}

fn add(
    system: &mut System,
    seen: &mut FxHashSet<Expr>,
    all: &mut Vec<Condition>,
    expr: Expr,
    words: &str,
    origin: usize,
) {
    let negated = system.pool.not(expr);
    for (expr, words) in [(expr, words.to_owned()), (negated, format!("not {words}"))] {
        if seen.insert(expr) {
            all.push(Condition { expr, words, origin });
        }
    }
}

/// Conditions on one step, each with its text; comparisons are in parentheses.
fn plain(system: &mut System, roots: &[Expr]) -> Vec<(Expr, String)> {
    let names = names(system);
    let mut found: Vec<(Expr, String)> = Vec::new();
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut take = |pool: &mut Pool, expr: Expr, words: String| {
        // A condition and its negation count as one.
        let (expr, words) = match *pool.node(expr) {
            Node::Bool(_) => return,
            Node::Not(inner) => (inner, format!("not {words}")),
            _ => (expr, words),
        };
        if seen.insert(expr) && found.len() < MOST {
            let words = words.strip_prefix("not not ").map_or(words.clone(), str::to_owned);
            found.push((expr, words));
        }
    };
    let used: FxHashSet<Expr> = system.pool.reachable(roots.iter().copied()).into_iter().collect();
    // Top-level names are short and come first; internal Booleans come last.
    let weight = |name: &str| name.matches(['.', '(']).count();
    let mut named: Vec<(&Expr, &String)> = names.iter().collect();
    named.retain(|(expr, _)| system.pool.type_of(**expr) == Type::Bool && used.contains(expr));
    named.sort_by_key(|(expr, name)| (weight(name), **expr));
    let (top, inner): (Vec<_>, Vec<_>) = named.into_iter().partition(|(_, name)| weight(name) == 0);
    for (expr, name) in top {
        take(&mut system.pool, *expr, name.clone());
    }
    let mut comparisons: Vec<Expr> = used.iter().copied().collect();
    comparisons.sort();
    for expr in comparisons {
        let (sign, a, b) = match *system.pool.node(expr) {
            Node::Eq(a, b) if system.pool.type_of(a) != Type::Bool => ("=", a, b),
            Node::Lt(a, b) => ("<", a, b),
            Node::Le(a, b) => ("<=", a, b),
            _ => continue,
        };
        let side = |expr: Expr| match system.pool.node(expr).is_constant() {
            true => Some(system.show(expr)),
            false => names.get(&expr).cloned(),
        };
        let (Some(left), Some(right)) = (side(a), side(b)) else { continue };
        // The value first, then what it is compared with.
        let constant_first = system.pool.node(a).is_constant();
        let words = match (sign, constant_first) {
            ("=", true) => format!("({right} = {left})"),
            ("<", true) => format!("({right} > {left})"),
            ("<=", true) => format!("({right} >= {left})"),
            _ => format!("({left} {sign} {right})"),
        };
        take(&mut system.pool, expr, words);
    }
    for (expr, name) in inner {
        take(&mut system.pool, *expr, name.clone());
    }
    found
}

/// The shortest name of each value that has one.
fn names(system: &mut System) -> FxHashMap<Expr, String> {
    let mut names: FxHashMap<Expr, String> = FxHashMap::default();
    let vars: Vec<system::Var> =
        system.inputs.iter().copied().chain(system.state.iter().map(|it| it.var)).collect();
    let mut all: Vec<(Expr, String)> = Vec::new();
    for var in vars {
        all.push((system.expr(var), system.variables[var.index()].name.clone()));
    }
    all.extend(system.outputs.iter().map(|it| (it.value, it.name.clone())));
    for (expr, name) in all.into_iter().filter(|it| !system.pool.node(it.0).is_constant()) {
        let known = names.entry(expr).or_insert_with(|| name.clone());
        let weight = |name: &str| (name.matches(['.', '(']).count(), name.len());
        if weight(&name) < weight(known) {
            *known = name;
        }
    }
    names
}

/// A Boolean one step earlier, false at the first step: the model's own state for it, or a new one.
fn before(system: &mut System, expr: Expr) -> Expr {
    let known = system.state.iter().find(|it| it.next == expr && it.init == Some(Pool::FALSE));
    let var = match known {
        Some(state) => state.var,
        None => {
            let name = system.fresh_name("before");
            let var = system.add_state(&name, Type::Bool, Some(Pool::FALSE));
            system.set_next(var, expr);
            var
        }
    };
    system.expr(var)
}
