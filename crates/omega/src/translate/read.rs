//! From the formulas of a store to the input of the translation.
//!
//! Windows become steps and spans: `F[2,5] p` is `X X F[0,3] p`. A past-time operator becomes a hidden proposition whose value is
//! computed from a memory of what was read (`past`); an operand of it that looks ahead becomes a hidden proposition too, which is
//! guessed and constrained to its meaning from then on. Formulas are read in the order of their ids, so nothing is recursive.

use crate::limits::Limit;
use crate::translate::ltl::{Arena, Ltl};
use logic::memory::{Cell, Memory, Room, plan};
use logic::{Binary, Bound, Class, Formula, Id, Node, Store, Unary};
use rustc_hash::FxHashMap;

/// The maximum number of cells: more would lead to too many states.
const CELLS: usize = 512;

/// A delay is stored bit by bit.
const ROOM: Room = Room { bits: CELLS as u64, stages: 0, worth: 1 };

/// A prepared formula. Propositions are numbered: first the atoms, then the hidden ones.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) arena: Arena,
    pub(crate) atoms: Vec<Id>,
    /// The hidden propositions.
    pub(crate) hidden: Vec<Hidden>,
    pub(crate) root: Ltl,
    /// The constraints on guessed propositions, from the first position on.
    pub(crate) meanings: Ltl,
}

/// A proposition that is not part of a letter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hidden {
    /// Guessed; the formula constrains it.
    Guess,
    /// The value of `f` one step ago; false at the first position.
    Delay { f: Ltl },
    /// The output of a cell for `a` since `b`.
    Cell { cell: Cell, a: Ltl, b: Ltl },
}

/// Reads formulas over common atoms: all of `atoms`, and those of the formulas.
pub(crate) fn read(store: &Store, formula: Formula, atoms: &[Id], finite: bool) -> Result<Problem, Limit> {
    let ids = store.reachable_until([formula.id()], |node| !node.is_operator());
    let mut atoms = atoms.to_vec();
    for &id in &ids {
        let node = store.node(id);
        if !node.is_operator() && node.class() != Class::Constant && !atoms.contains(&id) {
            if looks_elsewhere(store, id) {
                return Err(Limit::Atom);
            }
            atoms.push(id);
        }
    }
    let number: FxHashMap<Id, u32> = atoms.iter().zip(0..).map(|(&id, n)| (id, n)).collect();
    let problem = Problem {
        arena: Arena::new(finite),
        atoms,
        hidden: Vec::new(),
        root: Ltl::TRUE,
        meanings: Ltl::TRUE,
    };
    let mut reader = Reader { problem, meanings: Vec::new(), looks_ahead: FxHashMap::default() };
    let mut read: FxHashMap<Id, Ltl> = FxHashMap::default();
    for &id in &ids {
        let of = |f: &Formula| read[&f.id()];
        let f = match store.node(id) {
            Node::True => Ltl::TRUE,
            Node::False => Ltl::FALSE,
            Node::Not(f) => !of(f),
            Node::And(operands) => reader.arena().and(operands.iter().map(of)),
            Node::Or(operands) => reader.arena().or(operands.iter().map(of)),
            Node::Implies(a, b) => reader.arena().or([!of(a), of(b)]),
            Node::Iff(a, b) => reader.same(of(a), of(b)),
            Node::Xor(a, b) => !reader.same(of(a), of(b)),
            Node::Unary(op, bound, f) => {
                let (way, goal) = (Ltl::TRUE, of(f));
                match op {
                    Unary::Finally => reader.until(*bound, way, goal),
                    Unary::Globally => !reader.until(*bound, way, !goal),
                    Unary::Once => reader.since(*bound, way, goal)?,
                    Unary::Historically => !reader.since(*bound, way, !goal)?,
                }
            }
            Node::Binary(op, bound, a, b) => match op {
                Binary::Until => reader.until(*bound, of(a), of(b)),
                Binary::Release => !reader.until(*bound, !of(a), !of(b)),
                Binary::Since => reader.since(*bound, of(a), of(b))?,
                Binary::Triggered => !reader.since(*bound, !of(a), !of(b))?,
            },
            _ => reader.arena().literal(number[&id], true),
        };
        read.insert(id, f);
    }
    let Reader { mut problem, meanings, .. } = reader;
    problem.root = read[&formula.id()];
    problem.meanings = problem.arena.and_plain(meanings);
    Ok(problem)
}

struct Reader {
    problem: Problem,
    /// The constraints on guessed propositions.
    meanings: Vec<Ltl>,
    looks_ahead: FxHashMap<Ltl, Ltl>,
}

impl Reader {
    fn arena(&mut self) -> &mut Arena {
        &mut self.problem.arena
    }

    fn same(&mut self, a: Ltl, b: Ltl) -> Ltl {
        let (both, neither) = (self.arena().and([a, b]), self.arena().and([!a, !b]));
        self.arena().or([both, neither])
    }

    /// `a U b` over a window: `lo` steps of `a`, then an until that begins at once.
    fn until(&mut self, bound: Bound, a: Ltl, b: Ltl) -> Ltl {
        if bound.is_empty() {
            return Ltl::FALSE;
        }
        let inner = self.arena().until(bound.hi.map(|hi| hi - bound.lo), a, b);
        let later = self.arena().next(true, bound.lo, inner);
        if bound.lo == 0 || a == Ltl::TRUE {
            return later;
        }
        let way = self.arena().release(Some(bound.lo - 1), Ltl::FALSE, a);
        // A release over no further step is its operand.
        let way = if bound.lo == 1 { a } else { way };
        self.arena().and([way, later])
    }

    /// `a S b` over a window, as planned by `logic::memory`.
    fn since(&mut self, bound: Bound, a: Ltl, b: Ltl) -> Result<Ltl, Limit> {
        let (cell, steps) = match plan(bound, ROOM).map_err(|_| Limit::Memory)? {
            Memory::Never => return Ok(Ltl::FALSE),
            Memory::Cell(cell) => (cell, 0),
            Memory::Delayed { near, steps, .. } => (near, steps),
        };
        let (a, b) = (self.present(a), self.present(b));
        let mut value = if cell == Cell::Now { b } else { self.hide(Hidden::Cell { cell, a, b })? };
        for place in 0..steps {
            // The delayed value is cleared when `a` fails, except that it is new at this very position.
            let f = if place == 0 { value } else { self.arena().and([a, value]) };
            value = self.hide(Hidden::Delay { f })?;
        }
        Ok(if steps == 0 { value } else { self.arena().and([a, value]) })
    }

    /// A present-time formula that is true when `f` is.
    fn present(&mut self, f: Ltl) -> Ltl {
        if self.problem.arena.is_boolean(f) {
            return f;
        }
        if let Some(&known) = self.looks_ahead.get(&f) {
            return known;
        }
        let guess = self.push(Hidden::Guess);
        let same = self.same(guess, f);
        let held = self.arena().globally(same);
        self.meanings.push(held);
        self.looks_ahead.insert(f, guess);
        self.looks_ahead.insert(!f, !guess);
        guess
    }

    fn hide(&mut self, hidden: Hidden) -> Result<Ltl, Limit> {
        if self.problem.hidden.len() >= CELLS {
            return Err(Limit::Memory);
        }
        Ok(self.push(hidden))
    }

    fn push(&mut self, hidden: Hidden) -> Ltl {
        let atom = (self.problem.atoms.len() + self.problem.hidden.len()) as u32;
        self.problem.hidden.push(hidden);
        self.arena().literal(atom, true)
    }
}

/// Whether the value of an atom depends on more than one position.
fn looks_elsewhere(store: &Store, atom: Id) -> bool {
    let temporal = |id: &Id| {
        let node = store.node(*id);
        node.class() == Class::Temporal || matches!(node, Node::Pre(..))
    };
    store.reachable([atom]).iter().any(temporal)
}
