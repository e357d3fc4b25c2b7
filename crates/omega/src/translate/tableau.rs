//! From a formula to a generalized automaton, state by state (Couvreur 1999; Duret-Lutz and Poitrenaud 2004).
//!
//! A state is a formula. It is expanded into a diagram over the propositions, over what the next state must satisfy, and over
//! promises: `a U b` is `b`, or `a` and the promise of `b` and the same formula next. The propositions come first in the diagram, so
//! that below them is, for each class of letters, a monotone function of the rest, whose minimal solutions are the successors. An
//! edge has the mark of each promise that it does not make. States with the same diagram are merged.

use crate::automaton::{Edge, Guard, Guards};
use crate::limits::{Limit, Limits};
use crate::translate::ltl::Arena;
use crate::translate::ltl::Ltl;
use crate::translate::ltl::Op;
use base::Interned;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The maximum number of variables: diagrams recurse from variable to variable.
const VARIABLES: usize = 2_000;

/// The depth to which a formula for the next step is decomposed; deeper parts stay whole.
const DEPTH: u32 = 50;

/// How formulas become states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    /// Whether a disjunction for the next step is one state or several.
    pub(crate) postpone: bool,
}

/// A variable of a diagram beyond the propositions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Later {
    Next(Ltl),
    Promise(Ltl),
}

/// A generalized automaton without its guards; it starts in state 0.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) marks: u32,
}

/// The diagrams of formulas.
pub(crate) struct Expander<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) guards: Guards,
    propositions: u32,
    pub(crate) later: Vec<Later>,
    numbers: FxHashMap<Later, u32>,
    known: FxHashMap<(Ltl, bool), Guard>,
    style: Style,
    limits: Limits,
}

/// One minimal solution below a class of letters: the next formulas and the promises.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Solution {
    pub(crate) next: Vec<Ltl>,
    pub(crate) promises: Vec<Ltl>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        arena: &'a mut Arena,
        guards: Guards,
        propositions: usize,
        style: Style,
        limits: Limits,
    ) -> Self {
        Expander {
            arena,
            guards,
            propositions: propositions as u32,
            later: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            style,
            limits,
        }
    }

    pub(crate) fn propositions(&self) -> usize {
        self.propositions as usize
    }

    pub(crate) fn later(&mut self, later: Later) -> Result<Guard, Limit> {
        let number = match self.numbers.get(&later) {
            Some(&number) => number,
            None => {
                let number = self.propositions + self.later.len() as u32;
                if number as usize >= VARIABLES {
                    return Err(Limit::Variables);
                }
                self.later.push(later);
                self.numbers.insert(later, number);
                number
            }
        };
        Ok(self.guards.variable(number))
    }

    /// The diagram of a formula. If it `recurs`, the formula applies again at every later step, so an until need not be passed on.
    pub(crate) fn expand(&mut self, f: Ltl, recurs: bool) -> Result<Guard, Limit> {
        let mut open = vec![(f, recurs)];
        while let Some(&(f, recurs)) = open.last() {
            if self.known.contains_key(&(f, recurs)) {
                open.pop();
                continue;
            }
            let needed = self.operands(f, recurs);
            let before = open.len();
            open.extend(needed.into_iter().filter(|operand| !self.known.contains_key(operand)));
            if open.len() == before {
                let diagram = self.combine(f, recurs)?;
                if self.guards.is_full() {
                    return Err(Limit::Nodes);
                }
                self.known.insert((f, recurs), diagram);
                open.pop();
            }
        }
        Ok(self.known[&(f, recurs)])
    }

    /// The formulas whose diagrams make up that of a formula.
    fn operands(&self, f: Ltl, recurs: bool) -> Vec<(Ltl, bool)> {
        match self.arena.op(f) {
            Op::True | Op::False | Op::Literal { .. } | Op::Next { .. } => Vec::new(),
            Op::And(operands) => operands.iter().map(|&g| (g, recurs)).collect(),
            Op::Or(operands) => operands.iter().map(|&g| (g, false)).collect(),
            Op::Release(None, Ltl::FALSE, b) => vec![(*b, !self.arena.finite)],
            Op::Until(_, a, b) | Op::Release(_, a, b) => vec![(*a, false), (*b, false)],
        }
    }

    fn combine(&mut self, f: Ltl, recurs: bool) -> Result<Guard, Limit> {
        Ok(match self.arena.op(f).clone() {
            Op::True => Guard::TRUE,
            Op::False => Guard::FALSE,
            Op::Literal { atom, positive } => {
                let variable = self.guards.variable(atom);
                if positive { variable } else { self.guards.not(variable) }
            }
            Op::And(operands) => {
                operands.iter().fold(Guard::TRUE, |all, &g| self.guards.and(all, self.known[&(g, recurs)]))
            }
            Op::Or(operands) => {
                operands.iter().fold(Guard::FALSE, |any, &g| self.guards.or(any, self.known[&(g, false)]))
            }
            Op::Next { strong, steps, f } => {
                let f = self.arena.next(strong, steps - 1, f);
                self.next(strong, f, 0)?
            }
            Op::Until(span, a, b) => {
                let (way, goal) = (self.known[&(a, false)], self.known[&(b, false)]);
                let again = match span {
                    Some(n) => self.arena.until(Some(n - 1), a, b),
                    None => f,
                };
                let mut on = way;
                if !(recurs && span.is_none()) {
                    let again = self.next(true, again, 0)?;
                    on = self.guards.and(on, again);
                }
                if span.is_none() && !self.arena.finite {
                    let promise = self.later(Later::Promise(b))?;
                    on = self.guards.and(on, promise);
                }
                self.guards.or(goal, on)
            }
            Op::Release(span, a, b) => {
                let always = span.is_none() && a == Ltl::FALSE;
                let way = if always { Guard::FALSE } else { self.known[&(a, false)] };
                let goal = self.known[&(b, always && !self.arena.finite)];
                let again = match span {
                    Some(n) => self.arena.release(Some(n - 1), a, b),
                    None => f,
                };
                let again = self.next(false, again, 0)?;
                let on = self.guards.or(way, again);
                self.guards.and(goal, on)
            }
        })
    }

    /// The diagram that requires a formula at the next step. On finite words the formula itself determines whether there must be a
    /// next step.
    fn next(&mut self, strong: bool, f: Ltl, depth: u32) -> Result<Guard, Limit> {
        let f = if self.arena.finite { self.arena.intern(Op::Next { strong, steps: 1, f }) } else { f };
        if self.arena.finite {
            return self.later(Later::Next(f));
        }
        match self.arena.op(f).clone() {
            Op::True => Ok(Guard::TRUE),
            Op::False => Ok(Guard::FALSE),
            Op::And(operands) if depth < DEPTH => {
                let mut all = Guard::TRUE;
                for g in operands {
                    let g = self.next(strong, g, depth + 1)?;
                    all = self.guards.and(all, g);
                }
                Ok(all)
            }
            Op::Or(operands) if depth < DEPTH && !self.style.postpone => {
                let mut any = Guard::FALSE;
                for g in operands {
                    let g = self.next(strong, g, depth + 1)?;
                    any = self.guards.or(any, g);
                }
                Ok(any)
            }
            _ => self.later(Later::Next(f)),
        }
    }

    /// The classes of letters that a diagram distinguishes, each with what remains below it.
    pub(crate) fn classes(&mut self, diagram: Guard) -> Result<Vec<(Guard, Guard)>, Limit> {
        let mut open = BTreeMap::from([((self.top(diagram), diagram), Guard::TRUE)]);
        let mut classes = Vec::new();
        while let Some(((variable, f), letters)) = open.pop_first() {
            let split = self.guards.split(f).filter(|_| variable < self.propositions);
            let Some((_, low, high)) = split else {
                classes.push((letters, f));
                continue;
            };
            self.limits.spend(1)?;
            let yes = self.guards.variable(variable);
            let no = self.guards.not(yes);
            for (side, condition) in [(low, no), (high, yes)] {
                if side != Guard::FALSE {
                    let here = self.guards.and(letters, condition);
                    let place = open.entry((self.top(side), side)).or_insert(Guard::FALSE);
                    *place = self.guards.or(*place, here);
                }
            }
            if self.guards.is_full() {
                return Err(Limit::Nodes);
            }
        }
        Ok(classes)
    }

    fn top(&self, f: Guard) -> u32 {
        self.guards.split(f).map_or(u32::MAX, |(variable, ..)| variable)
    }

    /// The minimal solutions of a monotone function of what comes later.
    pub(crate) fn solutions(&mut self, f: Guard) -> Result<Vec<Solution>, Limit> {
        let mut found = Vec::new();
        // Where a variable is chosen, what the function allows without it is kept as an alternative and followed along the same path:
        // a solution of an alternative is not minimal.
        let mut open: Vec<(Guard, Vec<u32>, Vec<Guard>)> = vec![(f, Vec::new(), Vec::new())];
        while let Some((f, chosen, alternatives)) = open.pop() {
            self.limits.spend(1 + alternatives.len())?;
            let Some((variable, low, high)) = self.guards.split(f) else {
                if f == Guard::TRUE
                    && !alternatives.iter().any(|&other| self.read(other, u32::MAX) == Guard::TRUE)
                {
                    found.push(chosen);
                }
                continue;
            };
            let alternatives = alternatives.iter().map(|&other| self.read(other, variable));
            let (mut without, mut with) = (Vec::new(), vec![low]);
            for other in alternatives {
                let (low, high) = match self.guards.split(other) {
                    Some((top, low, high)) if top == variable => (low, high),
                    _ => (other, other),
                };
                without.push(low);
                with.push(high);
            }
            let mut more = chosen.clone();
            more.push(variable);
            for (f, chosen, alternatives) in [(high, more, with), (low, chosen, without)] {
                let covered = |other: &Guard| *other == f || *other == Guard::TRUE;
                if f != Guard::FALSE && !alternatives.iter().any(covered) {
                    open.push((f, chosen, alternatives));
                }
            }
        }
        Ok(found.into_iter().map(|chosen| self.solution(&chosen)).collect())
    }

    /// The function with the variables before the given one set to false.
    fn read(&self, mut f: Guard, before: u32) -> Guard {
        while let Some((_, low, _)) = self.guards.split(f).filter(|(top, ..)| *top < before) {
            f = low;
        }
        f
    }

    fn solution(&self, chosen: &[u32]) -> Solution {
        let mut solution = Solution { next: Vec::new(), promises: Vec::new() };
        for &variable in chosen {
            match self.later[(variable - self.propositions) as usize] {
                Later::Next(f) => solution.next.push(f),
                Later::Promise(f) => solution.promises.push(f),
            }
        }
        solution
    }
}

/// The automaton of a formula on infinite words, over its propositions; its guards are among those of the expander.
pub(crate) fn tableau(expander: &mut Expander, root: Ltl) -> Result<Table, Limit> {
    let mut limits = expander.limits;
    if expander.propositions as usize >= VARIABLES {
        return Err(Limit::Variables);
    }
    let mut promises: Interned<Ltl> = Interned::default();
    let mut diagrams = Interned::from_iter([expander.expand(root, false)?]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < diagrams.len() {
        let mut out: Vec<Edge> = Vec::new();
        for (letters, rest) in expander.classes(diagrams[edges.len()])? {
            for Solution { next, promises: made } in expander.solutions(rest)? {
                let next = nearest(expander.arena, next);
                let next = expander.arena.and_plain(next);
                let diagram = expander.expand(next, false)?;
                if diagram == Guard::FALSE {
                    continue;
                }
                let target = limits.number(&mut diagrams, diagram)?;
                let mut marks = 0;
                for promise in made {
                    marks |= 1u64.checked_shl(promises.intern(promise)).ok_or(Limit::Marks)?;
                }
                limits.spend(1 + out.len())?;
                match out.iter_mut().find(|edge| edge.target == target && edge.marks == marks) {
                    Some(edge) => edge.guard = expander.guards.or(edge.guard, letters),
                    None => out.push(Edge { guard: letters, target, marks }),
                }
            }
        }
        if expander.guards.is_full() {
            return Err(Limit::Nodes);
        }
        edges.push(out);
    }
    // The promises made were collected; the marks are those not made.
    let all = all_marks(promises.len() as u32);
    edges.iter_mut().flatten().for_each(|edge| edge.marks = all & !edge.marks);
    Ok(Table { edges, marks: promises.len() as u32 })
}

/// Removes later deadlines for the same event, and shorter spans of the same duty. A run without them is a run with them: the
/// remaining one implies them, and being bounded they promise nothing of their own.
fn nearest(arena: &Arena, mut formulas: Vec<Ltl>) -> Vec<Ltl> {
    let all = formulas.clone();
    formulas.retain(|&f| {
        !all.iter().any(|&other| match (arena.op(other), arena.op(f)) {
            (Op::Until(Some(n), a, b), Op::Until(Some(m), v, w)) => n < m && a == v && b == w,
            (Op::Release(n, a, b), Op::Release(Some(m), v, w)) => {
                n.is_none_or(|n| n > *m) && a == v && b == w
            }
            _ => false,
        })
    });
    formulas
}

/// The set of the first n marks.
pub(crate) fn all_marks(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
