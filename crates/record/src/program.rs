//! Past-time formulas as a list of operations on blocks of bits. Formulas of one store share what they have in common.
//!
//! Every operation writes the register of its own number and reads registers with smaller numbers. A value can be undefined, as after
//! a division by zero; a formula that depends on such a value has two registers, one for *true* and one for *false*, and is undefined
//! where both are 0 (strong Kleene logic).

use crate::arithmetic;
use crate::atoms::{Atom, columns};
use crate::bits::{Delay, Near, Once, Recent, Since, WORD};
use crate::columns::{Input, Kind};
use logic::{Binary, Bound, Class, EvalError, Formula, Id, Node, Store, Unary, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;

/// The number of an operation and of the register it writes.
pub(crate) type Register = usize;

/// An operation, with what it remembers of earlier blocks.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    Constant(bool),
    Atom(Atom),
    /// Where the atom of this register is false; not where it is undefined.
    Denied(Register),
    /// The previous value of a term, for atoms.
    Previous(Box<Previous>),
    Not(Register),
    And(Register, Register),
    Or(Register, Register),
    Xor(Register, Register),
    Since(Register, Register, Since),
    Once(Register, Once),
    Near(Register, Near),
    Recent(Register, Recent),
    Delay(Register, Delay),
}

/// The previous value of a term.
#[derive(Debug, Clone)]
pub(crate) struct Previous {
    pub(crate) id: Id,
    pub(crate) initial: Reads,
    pub(crate) term: Reads,
    /// Its value at the last step so far.
    pub(crate) last: Option<Result<Value, EvalError>>,
}

/// A term with the columns that it reads.
#[derive(Debug, Clone)]
pub(crate) struct Reads {
    pub(crate) id: Id,
    pub(crate) columns: FxHashMap<Id, usize>,
}

/// The registers of a formula: where it is true and, if it can be undefined, where it is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rail {
    pub(crate) holds: Register,
    pub(crate) fails: Option<Register>,
}

/// Operations for some formulas.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    pub(crate) inputs: Vec<Input>,
    rails: FxHashMap<Id, Rail>,
    unary: FxHashMap<(u8, Register, u64), Register>,
}

/// A formula that looks ahead, or is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPast {
    /// The formula, or the part of it.
    pub formula: String,
}

impl fmt::Display for NotPast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a past-time formula", self.formula)
    }
}

impl std::error::Error for NotPast {}

impl Program {
    /// The operations for formulas. `kind` says what a variable is read as where it is compared or computed with.
    pub(crate) fn new(
        store: &Store,
        roots: &[Formula],
        kind: impl Fn(&str) -> Kind,
    ) -> Result<Program, NotPast> {
        let mut program = Program::default();
        let own = |id: Id| arithmetic::applies(store, id, &kind);
        for id in formulas(store, roots, own) {
            program.add(store, id, &kind)?;
        }
        Ok(program)
    }

    /// The registers of a formula that was given, or is below one.
    pub(crate) fn rail(&self, formula: impl Into<Id>) -> Rail {
        self.rails[&formula.into()]
    }

    /// The operations, and the registers of the nodes.
    pub(crate) fn parts(&mut self) -> (&mut [Op], &FxHashMap<Id, Rail>) {
        (&mut self.ops, &self.rails)
    }

    /// The operations that read columns for these formulas.
    pub(crate) fn readers(&self, store: &Store, roots: &[Formula]) -> BTreeSet<Register> {
        let all = formulas(store, roots, |_| false);
        let registers = all.iter().filter_map(|id| Some(self.rails.get(id)?.holds));
        registers.filter(|&at| matches!(self.ops[at], Op::Atom(_) | Op::Previous(_))).collect()
    }

    /// The columns that an operation reads.
    pub(crate) fn columns(&self, register: Register) -> Vec<usize> {
        match &self.ops[register] {
            Op::Atom(atom) => atom.columns(),
            Op::Previous(previous) => {
                let Previous { initial, term, .. } = &**previous;
                initial.columns.values().chain(term.columns.values()).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The columns that are only compared with constants.
    pub(crate) fn compared(&self) -> BTreeSet<usize> {
        let read = |op: &Op| if let Op::Atom(atom) = op { atom.compared() } else { None };
        let others = self.ops.iter().enumerate().filter(|(_, op)| read(op).is_none());
        let others: BTreeSet<usize> = others.flat_map(|(register, _)| self.columns(register)).collect();
        let compared: BTreeSet<usize> = self.ops.iter().filter_map(read).collect();
        &compared - &others
    }

    /// The number of an input.
    pub(crate) fn input(&mut self, name: String, kind: Kind) -> usize {
        let input = Input { name, kind };
        self.inputs.iter().position(|known| *known == input).unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        })
    }

    fn push(&mut self, op: Op) -> Register {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn add(&mut self, store: &Store, id: Id, kind: &dyn Fn(&str) -> Kind) -> Result<(), NotPast> {
        let not_past = || NotPast {
            formula: logic::print(store, id, &logic::SHALL).unwrap_or_else(|_| "the formula".into()),
        };
        let node = store.node(id);
        let rail = match node {
            Node::Pre(initial, term) => {
                let [initial, term] =
                    [initial.id(), term.id()].map(|id| Reads { id, columns: columns(store, id, self, kind) });
                let previous = Previous { id, initial, term, last: None };
                Rail { holds: self.push(Op::Previous(Box::new(previous))), fails: None }
            }
            Node::True | Node::False => {
                Rail { holds: self.push(Op::Constant(matches!(node, Node::True))), fails: None }
            }
            Node::Not(f) => self.not(self.rail(*f)),
            Node::And(operands) => {
                let rails: Vec<Rail> = operands.iter().map(|&f| self.rail(f)).collect();
                self.and(&rails)
            }
            Node::Or(operands) => {
                let rails: Vec<Rail> = operands.iter().map(|&f| self.rail(f)).collect();
                self.or(&rails)
            }
            Node::Implies(a, b) => {
                let absent = self.not(self.rail(*a));
                self.or(&[absent, self.rail(*b)])
            }
            Node::Xor(a, b) => self.xor(self.rail(*a), self.rail(*b)),
            Node::Iff(a, b) => {
                let differ = self.xor(self.rail(*a), self.rail(*b));
                self.not(differ)
            }
            Node::Unary(op, bound, f) => {
                let rail = self.rail(*f);
                match op {
                    Unary::Once => self.once(*bound, rail),
                    Unary::Historically => {
                        let absent = self.not(rail);
                        let once = self.once(*bound, absent);
                        self.not(once)
                    }
                    Unary::Finally | Unary::Globally => return Err(not_past()),
                }
            }
            Node::Binary(op, bound, a, b) => {
                let (way, target) = (self.rail(*a), self.rail(*b));
                match op {
                    Binary::Since => self.since(*bound, way, target),
                    Binary::Triggered => {
                        let (way, target) = (self.not(way), self.not(target));
                        let since = self.since(*bound, way, target);
                        self.not(since)
                    }
                    Binary::Until | Binary::Release => return Err(not_past()),
                }
            }
            Node::Hole(_) => return Err(not_past()),
            _ => {
                let atom = Atom::new(store, id, self, kind);
                let can_be_undefined = atom.can_be_undefined(store);
                let holds = self.push(Op::Atom(atom));
                let fails = can_be_undefined.then(|| self.push(Op::Denied(holds)));
                Rail { holds, fails }
            }
        };
        self.rails.insert(id, rail);
        Ok(())
    }

    fn negated(&mut self, register: Register) -> Register {
        self.shared(0, register, 0, Op::Not(register))
    }

    /// An operation on one register, once for the same register and number.
    fn shared(&mut self, which: u8, register: Register, number: u64, op: Op) -> Register {
        if let Some(&known) = self.unary.get(&(which, register, number)) {
            return known;
        }
        let new = self.push(op);
        self.unary.insert((which, register, number), new);
        new
    }

    fn not(&mut self, rail: Rail) -> Rail {
        match rail.fails {
            Some(fails) => Rail { holds: fails, fails: Some(rail.holds) },
            None => Rail { holds: self.negated(rail.holds), fails: None },
        }
    }

    /// Where a formula is false.
    fn fails(&mut self, rail: Rail) -> Register {
        rail.fails.unwrap_or_else(|| self.negated(rail.holds))
    }

    fn chain(&mut self, registers: &[Register], op: fn(Register, Register) -> Op, empty: bool) -> Register {
        let Some((&first, rest)) = registers.split_first() else { return self.push(Op::Constant(empty)) };
        rest.iter().fold(first, |left, &right| self.push(op(left, right)))
    }

    fn and(&mut self, rails: &[Rail]) -> Rail {
        self.junction(rails, Op::And, Op::Or)
    }

    fn or(&mut self, rails: &[Rail]) -> Rail {
        self.junction(rails, Op::Or, Op::And)
    }

    fn junction(
        &mut self,
        rails: &[Rail],
        op: fn(Register, Register) -> Op,
        dual: fn(Register, Register) -> Op,
    ) -> Rail {
        let is_and = matches!(op(0, 0), Op::And(..));
        let holds: Vec<Register> = rails.iter().map(|rail| rail.holds).collect();
        let fails = rails.iter().any(|rail| rail.fails.is_some()).then(|| {
            let fails: Vec<Register> = rails.iter().map(|&rail| self.fails(rail)).collect();
            self.chain(&fails, dual, !is_and)
        });
        Rail { holds: self.chain(&holds, op, is_and), fails }
    }

    fn xor(&mut self, a: Rail, b: Rail) -> Rail {
        if a.fails.is_none() && b.fails.is_none() {
            return Rail { holds: self.push(Op::Xor(a.holds, b.holds)), fails: None };
        }
        let (no_a, no_b) = (self.not(a), self.not(b));
        let (first, second) = (self.and(&[a, no_b]), self.and(&[no_a, b]));
        self.or(&[first, second])
    }

    /// `O[lo,hi]`. It is false where its operand is false at every step of the window.
    fn once(&mut self, bound: Bound, rail: Rail) -> Rail {
        let holds = self.within(bound, rail.holds);
        let fails = rail.fails.map(|fails| {
            let perhaps = self.negated(fails);
            let once = self.within(bound, perhaps);
            self.negated(once)
        });
        Rail { holds, fails }
    }

    fn since(&mut self, bound: Bound, way: Rail, target: Rail) -> Rail {
        let holds = self.reached(bound, way.holds, target.holds);
        let unsure = way.fails.is_some() || target.fails.is_some();
        let fails = unsure.then(|| {
            let (no_way, no_target) = (self.fails(way), self.fails(target));
            let (way, target) = (self.negated(no_way), self.negated(no_target));
            let perhaps = self.reached(bound, way, target);
            self.negated(perhaps)
        });
        Rail { holds, fails }
    }

    /// `O[lo,hi] target` on registers.
    fn within(&mut self, bound: Bound, target: Register) -> Register {
        if bound.is_empty() {
            return self.push(Op::Constant(false));
        }
        let once = match bound.hi.map(|hi| hi - bound.lo) {
            None => self.shared(1, target, 0, Op::Once(target, Once::default())),
            Some(0) => target,
            Some(steps) if steps < WORD => {
                self.shared(2, target, steps, Op::Near(target, Near::new(steps as u32)))
            }
            Some(steps) => self.shared(2, target, steps, Op::Recent(target, Recent::new(steps))),
        };
        self.delayed(bound.lo, once)
    }

    fn delayed(&mut self, steps: u64, register: Register) -> Register {
        match steps {
            0 => register,
            _ => self.shared(3, register, steps, Op::Delay(register, Delay::new(steps))),
        }
    }

    /// `way S[lo,hi] target` on registers: the way has held in the last `lo` steps, and before them the latest target was reached
    /// within the rest of the window.
    fn reached(&mut self, bound: Bound, way: Register, target: Register) -> Register {
        if bound.is_empty() {
            return self.push(Op::Constant(false));
        }
        let mut near = self.push(Op::Since(way, target, Since::default()));
        if let Some(hi) = bound.hi {
            let recent = self.within(Bound::upto(hi - bound.lo), target);
            near = self.push(Op::And(near, recent));
        }
        if bound.lo == 0 {
            return near;
        }
        let then = self.delayed(bound.lo, near);
        let blocked = self.negated(way);
        let lately = self.within(Bound::upto(bound.lo - 1), blocked);
        let free = self.negated(lately);
        self.push(Op::And(then, free))
    }
}

/// The nodes that need a register: formulas, atoms, and what atoms need from other steps unless they see to it themselves (`own`);
/// children come first.
fn formulas(store: &Store, roots: &[Formula], own: impl Fn(Id) -> bool) -> Vec<Id> {
    let mut marked: BTreeSet<Id> = roots.iter().map(|root| root.id()).collect();
    let mut listed = Vec::new();
    while let Some(id) = marked.pop_last() {
        listed.push(id);
        let node = store.node(id);
        match node.class() {
            Class::Connective | Class::Temporal => marked.extend(node.children()),
            Class::Constant => {}
            Class::Comparison if own(id) => {}
            Class::Name | Class::Comparison | Class::Term => marked.extend(needed(store, id)),
        }
    }
    listed.reverse();
    listed
}

/// What an atom, or a term with `pre`, needs from other steps.
fn needed(store: &Store, id: Id) -> Vec<Id> {
    let stop = |node: &Node| {
        matches!(node.class(), Class::Temporal) || matches!(node, Node::Pre(..) | Node::Call(..))
    };
    let below = match store.node(id) {
        Node::Call(..) => Vec::new(),
        node => store.reachable_until(node.children(), stop),
    };
    let other = |id: &Id| {
        matches!(store.node(*id).class(), Class::Temporal) || matches!(store.node(*id), Node::Pre(..))
    };
    below.into_iter().filter(other).collect()
}
