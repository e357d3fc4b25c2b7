//! Controllers as tables for people: in which situation which outputs are given, and what is remembered.
//!
//! A situation is a list of conditions on the memory and the inputs that decide all outputs. Exactly one row applies at each step. Rows with
//! conditions that visibly contradict each other (bounds of one term, literals of one variable) are left out.

use dashu_ratio::RBig;
use std::collections::{BTreeMap, BTreeSet};
use system::{Expr, Node, Pool, System, Type, Var};

/// A controller as a table.
#[derive(Debug, Clone)]
pub struct Table {
    /// The system, with all expressions of the table in its pool.
    pub system: System,
    /// The states that outputs depend on, each with its next value, in which outputs are variables.
    pub memory: Vec<(Var, Expr)>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A situation and what happens in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Conditions, each with whether it holds.
    pub when: Vec<(Expr, bool)>,
    /// The values of the outputs.
    pub outputs: Vec<Expr>,
}

/// The table of a controller whose outputs are variables of the same name; `None` if it has more rows than that.
pub fn table(system: &System, most: usize) -> Option<Table> {
    let mut system = system.clone();
    let cone = system.cone(system.outputs.iter().map(|it| it.value));
    system.state.retain(|it| cone.contains(&it.var));
    let memory: Vec<Var> = system.state.iter().map(|it| it.var).collect();
    let roots: Vec<Expr> = system.outputs.iter().map(|it| it.value).collect();
    let mut rows = Vec::new();
    let mut open = vec![(roots, Vec::new(), Facts::default())];
    while let Some((outputs, when, facts)) = open.pop() {
        // Each open situation becomes at least one row.
        if rows.len() + open.len() >= most {
            return None;
        }
        let Some(condition) = next_condition(&system.pool, &outputs, &memory) else {
            rows.push(Row { when, outputs });
            continue;
        };
        let decided = facts.decide(&system.pool, condition);
        let truths = decided.map_or(vec![false, true], |it| vec![it]);
        for truth in truths {
            let constant = system.pool.bool(truth);
            let outputs = system.pool.replace(&outputs, &|expr, _| (expr == condition).then_some(constant));
            let (mut when, mut facts) = (when.clone(), facts.clone());
            if decided.is_none() {
                when.push((condition, truth));
                facts.add(&system.pool, condition, truth);
            }
            open.push((outputs, when, facts));
        }
    }
    let memory = memory.into_iter().zip(next(&mut system)).collect();
    Some(Table { system, memory, rows })
}

/// The next values of all states, in which outputs are variables.
fn next(system: &mut System) -> Vec<Expr> {
    let mut known: BTreeMap<Expr, Expr> = BTreeMap::new();
    for at in 0..system.outputs.len() {
        let (value, var) = (system.outputs[at].value, system.variable(&system.outputs[at].name));
        if let (Some(var), false) = (var, system.pool.node(value).is_constant()) {
            let var = system.expr(var);
            known.entry(value).or_insert(var);
        }
    }
    let next: Vec<Expr> = system.state.iter().map(|it| it.next).collect();
    system.pool.replace(&next, &|expr, _| known.get(&expr).copied())
}

/// A condition that is to be decided next: one that does not depend on other conditions, on the memory alone if there is one.
fn next_condition(pool: &Pool, roots: &[Expr], memory: &[Var]) -> Option<Expr> {
    let is_plain = |expr: &Expr| {
        let node = pool.node(*expr);
        let is_choice = |it: Expr| matches!(pool.node(it), Node::Ite(..)) || pool.type_of(it) == Type::Bool;
        match node {
            Node::Var(_) => pool.type_of(*expr) == Type::Bool,
            Node::Eq(..) | Node::Lt(..) | Node::Le(..) => {
                let children: Vec<Expr> = node.children().collect();
                !pool.reachable(children).into_iter().any(is_choice)
            }
            _ => false,
        }
    };
    let of_inputs = |expr: &Expr| !pool.variables([*expr]).iter().all(|it| memory.contains(it));
    let conditions = pool.reachable(roots.iter().copied()).into_iter().filter(is_plain);
    conditions.min_by_key(|it| (of_inputs(it), it.index()))
}

/// What is known in a situation: bounds of terms, and literals that variables do not have.
#[derive(Debug, Clone, Default)]
struct Facts {
    bounds: BTreeMap<Expr, Interval>,
    excluded: BTreeMap<Expr, BTreeSet<u32>>,
}

/// Numbers between a lower and an upper bound, each with whether it is outside.
#[derive(Debug, Clone, Default)]
struct Interval {
    low: Option<(RBig, bool)>,
    high: Option<(RBig, bool)>,
}

/// A term beside a constant.
enum Beside<'p> {
    /// The term is less than a number, or at most that.
    Below(Expr, RBig, bool),
    /// The term is greater than a number, or at least that.
    Above(Expr, RBig, bool),
    Equal(Expr, RBig),
    Literal(Expr, u32, &'p [String]),
}

/// A comparison with a constant.
fn beside(pool: &Pool, condition: Expr) -> Option<Beside<'_>> {
    let number = |it: Expr| match pool.node(it) {
        Node::Int(value) => Some(RBig::from(value.clone())),
        Node::Real(value) => Some(value.clone()),
        _ => None,
    };
    match *pool.node(condition) {
        Node::Lt(a, b) => match (number(a), number(b)) {
            (None, Some(limit)) => Some(Beside::Below(a, limit, true)),
            (Some(limit), None) => Some(Beside::Above(b, limit, true)),
            _ => None,
        },
        Node::Le(a, b) => match (number(a), number(b)) {
            (None, Some(limit)) => Some(Beside::Below(a, limit, false)),
            (Some(limit), None) => Some(Beside::Above(b, limit, false)),
            _ => None,
        },
        Node::Eq(a, b) => [(a, b), (b, a)].into_iter().find_map(|(term, value)| match pool.node(value) {
            Node::Literal(id, place) => Some(Beside::Literal(term, *place, &pool.enumeration(*id).literals)),
            _ => Some(Beside::Equal(term, number(value)?)),
        }),
        _ => None,
    }
}

impl Facts {
    /// Whether a condition holds, if that follows.
    fn decide(&self, pool: &Pool, condition: Expr) -> Option<bool> {
        let of = |term: &Expr| self.bounds.get(term).cloned().unwrap_or_default();
        match beside(pool, condition)? {
            Beside::Below(term, limit, strict) => of(&term).is_below(&limit, strict),
            Beside::Above(term, limit, strict) => of(&term).is_below(&limit, !strict).map(|it| !it),
            Beside::Equal(term, value) => {
                let known = of(&term);
                let outside = known.is_below(&value, true) == Some(true)
                    || known.is_below(&value, false) == Some(false);
                outside.then_some(false)
            }
            Beside::Literal(term, place, literals) => {
                let excluded = self.excluded.get(&term)?;
                match excluded.contains(&place) {
                    true => Some(false),
                    false => (excluded.len() + 1 == literals.len()).then_some(true),
                }
            }
        }
    }

    fn add(&mut self, pool: &Pool, condition: Expr, truth: bool) {
        let mut bound = |term: Expr, value: RBig, strict: bool, is_high: bool| {
            // Integers have a nearest one inside.
            let (value, strict) = match (pool.type_of(term), strict) {
                (Type::Int, true) if is_high => (value - RBig::ONE, false),
                (Type::Int, true) => (value + RBig::ONE, false),
                _ => (value, strict),
            };
            // Conditions that follow are not added, so a new bound is tighter.
            let interval = self.bounds.entry(term).or_default();
            let side = if is_high { &mut interval.high } else { &mut interval.low };
            *side = Some((value, strict));
        };
        match (beside(pool, condition), truth) {
            (Some(Beside::Below(term, limit, strict)), true) => bound(term, limit, strict, true),
            (Some(Beside::Below(term, limit, strict)), false) => bound(term, limit, !strict, false),
            (Some(Beside::Above(term, limit, strict)), true) => bound(term, limit, strict, false),
            (Some(Beside::Above(term, limit, strict)), false) => bound(term, limit, !strict, true),
            (Some(Beside::Equal(term, value)), true) => {
                bound(term, value.clone(), false, true);
                bound(term, value, false, false);
            }
            (Some(Beside::Literal(term, place, literals)), true) => {
                let others = (0..literals.len() as u32).filter(|it| *it != place);
                self.excluded.insert(term, others.collect());
            }
            (Some(Beside::Literal(term, place, _)), false) => {
                self.excluded.entry(term).or_default().insert(place);
            }
            (Some(Beside::Equal(..)), false) | (None, _) => {}
        }
    }
}

impl Interval {
    /// Whether all numbers are less than a limit, or at most that; `None` if some are and some are not.
    fn is_below(&self, limit: &RBig, strict: bool) -> Option<bool> {
        let all = self
            .high
            .as_ref()
            .is_some_and(|(high, outside)| high < limit || high == limit && (*outside || !strict));
        let none = self
            .low
            .as_ref()
            .is_some_and(|(low, outside)| low > limit || low == limit && (*outside || strict));
        if all { Some(true) } else { none.then_some(false) }
    }
}

impl Table {
    /// As tables in Markdown; `None` if an expression is too long to be shown.
    pub fn markdown(&self) -> Option<String> {
        let Table { system, memory, rows } = self;
        let mut system = system.clone();
        let mut show = |expr: Expr, truth: bool| {
            let shown = if truth { expr } else { system.pool.not(expr) };
            let text = condition(&system, shown).unwrap_or_else(|| system.show(shown));
            (!text.contains('…')).then_some(text)
        };
        let mut lines = Vec::new();
        let mut given = vec!["inputs".to_owned()];
        if !memory.is_empty() {
            lines.push(["memory", "at the start", "next"].map(str::to_owned).to_vec());
            for ((var, next), state) in memory.iter().zip(&self.system.state) {
                let start = state.init.map_or(Some("any value".to_owned()), |init| show(init, true))?;
                lines.push(vec![self.system.variables[var.index()].name.clone(), start, show(*next, true)?]);
            }
            given.insert(0, "memory".to_owned());
        }
        let mut out = markdown(&lines);
        let is_memory = |expr: Expr| {
            let variables = self.system.pool.variables([expr]);
            variables.iter().all(|it| memory.iter().any(|(var, _)| var == it))
        };
        let mut lines = vec![given.clone()];
        lines[0].extend(self.system.outputs.iter().map(|it| it.name.clone()));
        for row in rows {
            let mut conditions = vec![Vec::new(); given.len()];
            for (it, truth) in &row.when {
                let place = if is_memory(*it) { 0 } else { given.len() - 1 };
                conditions[place].push(show(*it, *truth)?);
            }
            let mut cells: Vec<String> = conditions.iter().map(|it| it.join(" & ")).collect();
            for it in &row.outputs {
                cells.push(show(*it, true)?);
            }
            lines.push(cells);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        Some(out + &markdown(&lines))
    }
}

/// A comparison without parentheses, with a constant on the right of an equality.
fn condition(system: &System, expr: Expr) -> Option<String> {
    let pool = &system.pool;
    let (sign, a, b) = match *pool.node(expr) {
        Node::Eq(a, b) => ("=", a, b),
        Node::Lt(a, b) => ("<", a, b),
        Node::Le(a, b) => ("<=", a, b),
        Node::Not(inner) => match *pool.node(inner) {
            Node::Eq(a, b) => ("!=", a, b),
            _ => return None,
        },
        _ => return None,
    };
    let is_turned = pool.node(a).is_constant() && sign.ends_with('=') && sign != "<=";
    let (a, b) = if is_turned { (b, a) } else { (a, b) };
    Some(format!("{} {sign} {}", system.show(a), system.show(b)))
}

/// A table whose first line is the head.
fn markdown(lines: &[Vec<String>]) -> String {
    let mut out = String::new();
    for (place, cells) in lines.iter().enumerate() {
        let cells: Vec<String> =
            cells.iter().map(|it| draw::terminal::plain(it).replace('|', "\\|")).collect();
        out += &format!("| {} |\n", cells.join(" | "));
        if place == 0 {
            out += &format!("|{}\n", "---|".repeat(cells.len()));
        }
    }
    out
}
