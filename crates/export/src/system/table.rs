//! Controllers as tables for people: in which situation which outputs are given, and what is remembered.
//!
//! A situation is a list of conditions on the memory and the inputs that decide all outputs and all of the next memory. Exactly one row
//! applies at each step. Rows with conditions that visibly contradict each other (bounds of one term, literals of one variable) are left out.

use dashu_ratio::RBig;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use system::{Expr, Node, Pool, System, Type, Var};

/// A controller as a table.
#[derive(Debug, Clone)]
pub struct Table {
    /// The system, with the expressions of the rows in its pool.
    pub system: System,
    /// The states that outputs depend on.
    pub memory: Vec<Var>,
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
    /// The next values of the memory.
    pub next: Vec<Expr>,
}

/// The table of a controller; `None` if it has more rows than that.
pub fn table(system: &System, most: usize) -> Option<Table> {
    let mut system = system.clone();
    let cone = system.cone(system.outputs.iter().map(|it| it.value));
    system.state.retain(|it| cone.contains(&it.var));
    let memory: Vec<Var> = system.state.iter().map(|it| it.var).collect();
    let outputs = system.outputs.iter().map(|it| it.value);
    let roots: Vec<Expr> = outputs.chain(system.state.iter().map(|it| it.next)).collect();
    let mut rows = Vec::new();
    let mut open = vec![(roots, Vec::new(), Facts::default())];
    while let Some((roots, when, facts)) = open.pop() {
        // Each open situation becomes at least one row.
        if rows.len() + open.len() >= most {
            return None;
        }
        let Some(condition) = next_condition(&system.pool, &roots, &memory) else {
            let (outputs, next) = roots.split_at(system.outputs.len());
            rows.push(Row { when, outputs: outputs.to_vec(), next: next.to_vec() });
            continue;
        };
        let decided = facts.decide(&system.pool, condition);
        let truths = decided.map_or(vec![false, true], |it| vec![it]);
        for truth in truths {
            let constant = system.pool.bool(truth);
            let roots =
                system.pool.replace(&roots, &|expr, _| (expr == condition).then_some(constant));
            let (mut when, mut facts) = (when.clone(), facts.clone());
            if decided.is_none() {
                when.push((condition, truth));
                facts.add(&system.pool, condition, truth);
            }
            open.push((roots, when, facts));
        }
    }
    Some(Table { system, memory, rows })
}

/// A condition that is to be decided next: one that does not depend on other conditions, on the memory alone if there is one.
fn next_condition(pool: &Pool, roots: &[Expr], memory: &[Var]) -> Option<Expr> {
    let is_plain = |expr: &Expr| {
        let node = pool.node(*expr);
        let is_choice =
            |it: Expr| matches!(pool.node(it), Node::Ite(..)) || pool.type_of(it) == Type::Bool;
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
        let all = self.high.as_ref().is_some_and(|(high, outside)| {
            high < limit || high == limit && (*outside || !strict)
        });
        let none = self.low.as_ref().is_some_and(|(low, outside)| {
            low > limit || low == limit && (*outside || strict)
        });
        if all { Some(true) } else { none.then_some(false) }
    }
}

impl Row {
    /// Whether a state does not change.
    fn keeps(&self, pool: &Pool, var: Var, next: Expr) -> bool {
        let is_var = |it: Expr| *pool.node(it) == Node::Var(var);
        is_var(next) || self.when.iter().any(|(it, truth)| match *pool.node(*it) {
            Node::Var(same) => same == var && next == if *truth { Pool::TRUE } else { Pool::FALSE },
            Node::Eq(a, b) => *truth && (is_var(a) && next == b || is_var(b) && next == a),
            _ => false,
        })
    }
}

impl Table {
    /// As a table in Markdown.
    pub fn markdown(&self) -> String {
        let Table { system, memory, rows } = self;
        let mut pool = system.clone();
        let name = |var: &Var| system.variables[var.index()].name.as_str();
        let mut out = String::new();
        let start: Vec<String> = system
            .state
            .iter()
            .map(|it| {
                let value = it.init.map_or("any value".to_owned(), |init| system.show(init));
                format!("{} = {value}", name(&it.var))
            })
            .collect();
        if !start.is_empty() {
            let _ = writeln!(out, "At the start, {}.\n", start.join(", "));
        }
        let mut columns = vec!["memory".to_owned(), "inputs".to_owned()];
        columns.extend(system.outputs.iter().map(|it| it.name.clone()));
        columns.push("next memory".to_owned());
        if memory.is_empty() {
            columns.remove(0);
            columns.pop();
        }
        let line = |cells: &[String]| {
            let cells: Vec<String> =
                cells.iter().map(|it| draw::terminal::plain(it).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        out += &line(&columns);
        out += &format!("|{}\n", "---|".repeat(columns.len()));
        for row in rows {
            let mut conditions = |of_memory: bool| {
                let mine = row.when.iter().filter(|(it, _)| {
                    let variables = system.pool.variables([*it]);
                    variables.iter().all(|var| memory.contains(var)) == of_memory
                });
                let texts: Vec<String> = mine
                    .map(|(it, truth)| {
                        let shown = if *truth { *it } else { pool.pool.not(*it) };
                        pool.show(shown)
                    })
                    .collect();
                if texts.is_empty() { "–".to_owned() } else { texts.join(" & ") }
            };
            let mut cells = vec![conditions(false)];
            if !memory.is_empty() {
                cells.insert(0, conditions(true));
            }
            cells.extend(row.outputs.iter().map(|it| system.show(*it)));
            let changed: Vec<String> = memory
                .iter()
                .zip(&row.next)
                .filter(|(var, next)| !row.keeps(&system.pool, **var, **next))
                .map(|(var, next)| format!("{} = {}", name(var), system.show(*next)))
                .collect();
            if !memory.is_empty() {
                cells.push(if changed.is_empty() { "unchanged".to_owned() } else { changed.join(", ") });
            }
            out += &line(&cells);
        }
        out
    }
}
