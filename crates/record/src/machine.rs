//! Runs a program on the blocks of a trace, one after the other.

use crate::atoms::{Context, Values, shifted};
use crate::columns::{Bits, Block, Cells, WORDS};
use crate::program::{Op, Program, Rail, Register};
use crate::ranges::Narrow;
use logic::{EvalError, Id, Store};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A program with the state of a trace.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) program: Program,
    registers: Vec<Bits>,
    /// Where atoms that can be undefined are false.
    denied: FxHashMap<Register, Bits>,
    previous: Values,
    /// The columns that are compared with constants.
    narrow: BTreeMap<usize, Narrow>,
    /// The first step at which an operation had no value, and why.
    pub(crate) wrong: BTreeMap<Register, (u64, EvalError)>,
}

impl Machine {
    pub(crate) fn new(program: Program) -> Machine {
        let registers = vec![[0; WORDS]; program.ops.len()];
        let compared = |op: &Op| if let Op::Atom(atom) = op { atom.compared() } else { None };
        let narrow = program.ops.iter().filter_map(compared).map(|column| (column, Narrow::new())).collect();
        Machine {
            program,
            registers,
            denied: FxHashMap::default(),
            previous: Values::default(),
            narrow,
            wrong: BTreeMap::new(),
        }
    }

    /// The register after the last block; steps after the end of the block mean nothing.
    pub(crate) fn register(&self, register: Register) -> &Bits {
        &self.registers[register]
    }

    /// Runs the program on the next block.
    pub(crate) fn run(&mut self, store: &Store, block: &Block) {
        let words = block.rows.div_ceil(64);
        let Machine { program, registers, denied, previous, narrow, wrong } = self;
        for (column, narrow) in narrow.iter_mut() {
            if let Cells::Numbers(numbers) = &block.columns[*column].cells {
                narrow.fill(numbers, block.rows);
            }
        }
        for at in 0..program.ops.len() {
            let (before, rest) = registers.split_at_mut(at);
            let out = &mut rest[0];
            // Atoms look up the registers of other nodes while their own operation is changed.
            let (ops, rails) = program.parts();
            match &mut ops[at] {
                Op::Constant(truth) => out.fill(if *truth { !0 } else { 0 }),
                Op::Atom(atom) => {
                    let holds = |id: Id, row: usize| truth_at(rails, before, id, row);
                    let context = Context { store, holds: &holds, previous, narrow };
                    let fails = denied.entry(at).or_insert([0; WORDS]);
                    if let Some((step, error)) = atom.evaluate(block, &context, out, fails) {
                        wrong.entry(at).or_insert((step, error));
                    }
                }
                Op::Denied(atom) => *out = denied.get(atom).copied().unwrap_or([0; WORDS]),
                Op::Previous(term) => {
                    let holds = |id: Id, row: usize| truth_at(rails, before, id, row);
                    let context = Context { store, holds: &holds, previous, narrow };
                    let values = shifted(term, block, &context);
                    previous.insert(term.id, values);
                }
                Op::Not(a) => each(out, &before[*a], words, |a| !a),
                Op::And(a, b) => both(out, &before[*a], &before[*b], words, |a, b| a & b),
                Op::Or(a, b) => both(out, &before[*a], &before[*b], words, |a, b| a | b),
                Op::Xor(a, b) => both(out, &before[*a], &before[*b], words, |a, b| a ^ b),
                Op::Since(a, b, state) => {
                    both(out, &before[*a], &before[*b], words, |way, target| state.word(way, target));
                }
                Op::Once(a, state) => each(out, &before[*a], words, |target| state.word(target)),
                Op::Near(a, state) => state.words(&before[*a][..words], &mut out[..words]),
                Op::Recent(a, state) => each(out, &before[*a], words, |target| state.word(target)),
                Op::Delay(a, state) => state.words(&before[*a][..words], &mut out[..words]),
            }
        }
    }
}

fn truth_at(rails: &FxHashMap<Id, Rail>, registers: &[Bits], id: Id, row: usize) -> Option<bool> {
    let rail = rails[&id];
    let bit = |register: Register| registers[register][row / 64] >> (row % 64) & 1 == 1;
    match rail.fails {
        None => Some(bit(rail.holds)),
        Some(fails) => (bit(rail.holds) || bit(fails)).then(|| bit(rail.holds)),
    }
}

#[inline]
fn each(out: &mut Bits, a: &Bits, words: usize, mut op: impl FnMut(u64) -> u64) {
    for (out, a) in out[..words].iter_mut().zip(&a[..words]) {
        *out = op(*a);
    }
}

#[inline]
fn both(out: &mut Bits, a: &Bits, b: &Bits, words: usize, mut op: impl FnMut(u64, u64) -> u64) {
    for ((out, a), b) in out[..words].iter_mut().zip(&a[..words]).zip(&b[..words]) {
        *out = op(*a, *b);
    }
}
