//! Random programs as trees, their text, and their meaning: step by step, one memory for each occurrence of `pre` in each call.

#![allow(dead_code, reason = "each test uses a part of it")]

mod generate;
mod text;

use base::Random;
use std::collections::BTreeMap;

/// A value: 0 and 1 are also the Booleans.
pub(crate) type Word = i64;

/// The first values of unguarded memory.
pub(crate) enum First<'r> {
    /// The same for all.
    All(Word),
    Random(&'r mut Random),
    /// One bit after the other, and the number of those used.
    Code {
        code: u64,
        drawn: u32,
    },
}

impl First<'_> {
    fn next(&mut self) -> Word {
        match self {
            First::All(word) => *word,
            First::Random(rng) => rng.below(2) as Word,
            First::Code { code, drawn } => {
                let bit = (*code & 1) as Word;
                *code >>= 1;
                *drawn += 1;
                bit
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Bool,
    Int,
}

/// An expression. Integers are from 0 to 3.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Const(Ty, Word),
    Var(usize),
    /// A name bound by a quantifier or a pattern, counted from the outermost.
    Bound(usize),
    Not(Box<Tree>),
    Binary(Op, Box<Tree>, Box<Tree>),
    /// Condition, branches, and whether it is lazy.
    If(Box<Tree>, Box<Tree>, Box<Tree>, bool),
    Arrow(Box<Tree>, Box<Tree>),
    /// The operand has no calls. Each occurrence has a number.
    Pre(Box<Tree>, usize),
    /// The output of a call; each call has a number.
    Call {
        node: usize,
        arguments: Vec<Tree>,
        mode: Mode,
        number: usize,
    },
    /// Whether all, or some, of 0, 1, 2 satisfy the body.
    Quantified(bool, Box<Tree>),
    /// A record of two with one field replaced, and the field that is read.
    Updated([Box<Tree>; 3], bool, bool),
    /// An array of three with the element at an index replaced, and the index that is read.
    Stored([Box<Tree>; 3], Box<Tree>, Box<Tree>, Box<Tree>),
    /// A value made by `Some(x)` if a condition holds, matched: with the value bound, or not.
    Matched {
        condition: Box<Tree>,
        value: Box<Tree>,
        some: Box<Tree>,
        none: Box<Tree>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    And,
    AndThen,
    Or,
    OrElse,
    Xor,
    Implies,
    LazyImplies,
    SameBool,
    Less,
    AtMost,
    SameInt,
    /// Modulo 4.
    Add,
    Subtract,
}

#[derive(Clone, Debug)]
pub(crate) enum Mode {
    Plain,
    /// Clock and default.
    Clocked(Box<Tree>, Word),
    Restarted(Box<Tree>),
}

/// How the value of a variable is written.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    Equation(Tree),
    Block(Tree, Tree, Tree),
    /// First value, condition, value.
    Frame(Word, Tree, Tree),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Inputs `a`, `b` and `n` first, then one variable for each definition; the last one is the output of a callee.
    types: Vec<Ty>,
    definitions: Vec<Definition>,
    /// What must hold: properties of the last node, guarantees of the others.
    claims: Vec<Tree>,
}

pub(crate) struct Program {
    nodes: Vec<Node>,
}

impl Program {
    pub(crate) fn top(&self) -> String {
        format!("f{}", self.nodes.len() - 1)
    }

    pub(crate) fn callees(&self) -> Vec<String> {
        (0..self.nodes.len() - 1).map(|it| format!("f{it}")).collect()
    }

    /// The property of the last node with a name.
    pub(crate) fn property(&self, name: &str) -> Option<usize> {
        name.strip_prefix("P")?.parse().ok()
    }

    pub(crate) fn outputs(&self) -> Vec<String> {
        let node = &self.nodes[self.nodes.len() - 1];
        (INPUTS..node.types.len()).map(text::name).collect()
    }
}

/// The number of inputs of each node.
const INPUTS: usize = 3;

/// The memory of one call of a node.
#[derive(Default)]
struct Memory {
    running: bool,
    before: BTreeMap<usize, Word>,
    /// The first values that were chosen for unguarded memory.
    chosen: BTreeMap<usize, Word>,
    frames: BTreeMap<usize, Word>,
    calls: BTreeMap<usize, Memory>,
    held: BTreeMap<usize, Word>,
}

/// The outputs of the last node and whether each claim holds, at each step.
pub(crate) fn run(
    program: &Program,
    inputs: &[Vec<Word>],
    first: &mut First,
) -> (Vec<Vec<Word>>, Vec<Vec<bool>>) {
    let top = program.nodes.len() - 1;
    let mut memory = Memory::default();
    let mut outputs = Vec::new();
    let mut claims = Vec::new();
    for row in inputs {
        let (values, held) = step(program, top, row, &mut memory, first);
        outputs.push(values[INPUTS..].to_vec());
        claims.push(held);
    }
    (outputs, claims)
}

struct Step<'a, 'r> {
    program: &'a Program,
    memory: &'a mut Memory,
    first: &'a mut First<'r>,
    values: Vec<Word>,
    bound: Vec<Word>,
    /// The operands of `pre` that were met.
    met: BTreeMap<usize, &'a Tree>,
    /// The outputs of calls of this step.
    called: BTreeMap<usize, Word>,
}

fn step(
    program: &Program,
    node: usize,
    inputs: &[Word],
    memory: &mut Memory,
    first: &mut First,
) -> (Vec<Word>, Vec<bool>) {
    let it = &program.nodes[node];
    let mut now = Step {
        program,
        memory,
        first,
        values: inputs.to_vec(),
        bound: Vec::new(),
        met: BTreeMap::new(),
        called: BTreeMap::new(),
    };
    for definition in &it.definitions {
        let value = match definition {
            Definition::Equation(value) => now.value(value),
            Definition::Block(condition, a, b) => {
                let (condition, a, b) = (now.value(condition), now.value(a), now.value(b));
                if condition == 1 { a } else { b }
            }
            Definition::Frame(initial, condition, value) => {
                let (condition, value) = (now.value(condition), now.value(value));
                let kept = now.memory.frames.get(&now.values.len()).copied().unwrap_or(*initial);
                if condition == 1 { value } else { kept }
            }
        };
        now.values.push(value);
    }
    let claims = it.claims.iter().map(|claim| now.value(claim) == 1).collect();
    // Operands may contain further memory, which is still that of this step.
    let mut before = BTreeMap::new();
    while let Some((number, operand)) = now.met.pop_first() {
        before.entry(number).or_insert_with(|| now.value(operand));
    }
    let values = now.values;
    for (place, definition) in it.definitions.iter().enumerate() {
        if matches!(definition, Definition::Frame(..)) {
            memory.frames.insert(INPUTS + place, values[INPUTS + place]);
        }
    }
    memory.before = before;
    memory.running = true;
    (values, claims)
}

impl<'a> Step<'a, '_> {
    /// All operands are evaluated, whether their values matter or not.
    fn value(&mut self, tree: &'a Tree) -> Word {
        match tree {
            Tree::Const(_, word) => *word,
            Tree::Var(var) => self.values[*var],
            Tree::Bound(place) => self.bound[*place],
            Tree::Not(a) => 1 - self.value(a),
            Tree::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match op {
                    Op::And | Op::AndThen => a & b,
                    Op::Or | Op::OrElse => a | b,
                    Op::Xor => a ^ b,
                    Op::Implies | Op::LazyImplies => (1 - a) | b,
                    Op::SameBool | Op::SameInt => Word::from(a == b),
                    Op::Less => Word::from(a < b),
                    Op::AtMost => Word::from(a <= b),
                    Op::Add => (a + b).rem_euclid(4),
                    Op::Subtract => (a - b).rem_euclid(4),
                }
            }
            Tree::If(condition, a, b, _) => {
                let (condition, a, b) = (self.value(condition), self.value(a), self.value(b));
                if condition == 1 { a } else { b }
            }
            Tree::Arrow(a, b) => {
                if let (Tree::Pre(operand, number), false) = (&**b, self.memory.running) {
                    // Guarded memory has no first value.
                    self.met.insert(*number, operand);
                    return self.value(a);
                }
                let (a, b) = (self.value(a), self.value(b));
                if self.memory.running { b } else { a }
            }
            Tree::Pre(operand, number) => {
                self.met.insert(*number, operand);
                if let Some(value) = self.memory.before.get(number) {
                    return *value;
                }
                if let Some(value) = self.memory.chosen.get(number) {
                    return *value;
                }
                let value = self.first.next();
                self.memory.chosen.insert(*number, value);
                value
            }
            Tree::Call { node, arguments, mode, number } => self.call(*node, arguments, mode, *number),
            Tree::Quantified(all, body) => {
                let mut found = *all;
                for word in 0..3 {
                    self.bound.push(word);
                    let holds = self.value(body) == 1;
                    self.bound.pop();
                    found = if *all { found && holds } else { found || holds };
                }
                Word::from(found)
            }
            Tree::Updated([left, right, new], at_left, read_left) => {
                let (left, right, new) = (self.value(left), self.value(right), self.value(new));
                let pair = if *at_left { [new, right] } else { [left, new] };
                pair[usize::from(!read_left)]
            }
            Tree::Stored(elements, at, new, read) => {
                let mut array = elements.each_ref().map(|it| self.value(it));
                let (at, new, read) = (self.value(at), self.value(new), self.value(read));
                array[at as usize % 3] = new;
                array[read as usize % 3]
            }
            Tree::Matched { condition, value, some, none } => {
                let (condition, value) = (self.value(condition), self.value(value));
                self.bound.push(value);
                let some = self.value(some);
                self.bound.pop();
                let none = self.value(none);
                if condition == 1 { some } else { none }
            }
        }
    }

    fn call(&mut self, node: usize, arguments: &'a [Tree], mode: &'a Mode, number: usize) -> Word {
        if let Some(value) = self.called.get(&number) {
            return *value;
        }
        let arguments: Vec<Word> = arguments.iter().map(|it| self.value(it)).collect();
        let mut memory = self.memory.calls.remove(&number).unwrap_or_default();
        let is_active = match mode {
            Mode::Plain => true,
            Mode::Clocked(clock, _) => self.value(clock) == 1,
            Mode::Restarted(restart) => {
                if self.value(restart) == 1 {
                    memory = Memory::default();
                }
                true
            }
        };
        let value = if is_active {
            let (values, _) = step(self.program, node, &arguments, &mut memory, self.first);
            values[values.len() - 1]
        } else {
            let Mode::Clocked(_, default) = mode else { unreachable!("only clocked calls rest") };
            self.memory.held.get(&number).copied().unwrap_or(*default)
        };
        self.memory.held.insert(number, value);
        self.memory.calls.insert(number, memory);
        self.called.insert(number, value);
        value
    }
}
