//! A sliced system as a list of operations on codes, in the order in which the inputs become known.
//!
//! The inputs get their values one after the other, and each operation is executed as soon as the inputs it depends on are known. So
//! a constraint that fails cuts off all choices of the inputs after it.

use super::coding::{Coding, Kind, UNDEFINED};
use super::roots;
use rustc_hash::FxHashMap;
use system::evaluate::operate;
use system::expr::{Expr, Node, Type, Var};
use system::system::System;
use system::value::Value;

pub(crate) struct Program<'a> {
    system: &'a System,
    /// The index of each node in `codes`.
    places: FxHashMap<Expr, usize>,
    codes: Vec<i64>,
    /// The operations of each level; level 0 depends only on the state, level i+1 also on input i.
    levels: Vec<Vec<(usize, Op)>>,
    /// The constraints that are known at each level, and those of step 0.
    constraints: Vec<(Vec<usize>, Vec<usize>)>,
    /// The indices of states and inputs, if they occur, and the codes of inputs to try.
    states: Vec<Option<usize>>,
    inputs: Vec<(Option<usize>, Vec<i64>)>,
    next: Vec<Source>,
    digits: Vec<usize>,
    first: bool,
    /// Whether a choice was already returned, so that the last input takes its next value.
    resumed: bool,
    open: bool,
}

/// Where an operand comes from. A constant has a different code in each group.
#[derive(Clone, Copy, Debug)]
enum Source {
    At(usize),
    Constant(i64),
}

enum Op {
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Eq(Source, Source),
    Less(Source, Source, bool),
    LessListed(Source, Source, bool),
    Ite(usize, Source, Source),
    AddInt(Source, Source),
    Constant(i64),
    /// Computed on values.
    General(Expr),
}

impl<'a> Program<'a> {
    pub(crate) fn new(system: &'a System, coding: &mut Coding) -> Program<'a> {
        let pool = &system.pool;
        let order = pool.reachable(roots(system));
        let places: FxHashMap<Expr, usize> = order.iter().copied().zip(0..).collect();
        let level_of_input: FxHashMap<Var, usize> = system.inputs.iter().copied().zip(1..).collect();
        let count = system.inputs.len() + 1;
        let mut level_of = vec![0; order.len()];
        let mut levels: Vec<Vec<(usize, Op)>> = (0..count).map(|_| Vec::new()).collect();
        let mut variables: FxHashMap<Var, usize> = FxHashMap::default();
        for (place, &expr) in order.iter().enumerate() {
            let node = pool.node(expr);
            if let Node::Var(var) = node {
                variables.insert(*var, place);
                level_of[place] = level_of_input.get(var).copied().unwrap_or(0);
                continue;
            }
            let level = node.children().map(|it| level_of[places[&it]]).max().unwrap_or(0);
            level_of[place] = level;
            let op = operation(system, coding, &places, expr);
            levels[level].push((place, op));
        }
        let mut constraints = vec![(Vec::new(), Vec::new()); count];
        for expr in &system.assumptions {
            constraints[level_of[places[expr]]].0.push(places[expr]);
        }
        for expr in &system.initial {
            constraints[level_of[places[expr]]].1.push(places[expr]);
        }
        let states = system.state.iter().map(|it| variables.get(&it.var).copied()).collect();
        let input = |var: &Var| (variables.get(var).copied(), coding.domain_of(*var));
        let inputs = system.inputs.iter().map(input).collect();
        let source = |it: &system::State, coding: &mut Coding| {
            let kind = variables.get(&it.var).map_or(Kind::Plain, |place| coding.kind(order[*place]));
            source(system, coding, &places, kind, it.next)
        };
        let next = system.state.iter().map(|it| source(it, coding)).collect();
        Program {
            system,
            codes: vec![UNDEFINED; order.len()],
            places,
            levels,
            constraints,
            states,
            inputs,
            next,
            digits: Vec::new(),
            first: false,
            resumed: false,
            open: false,
        }
    }

    /// Starts from a state.
    pub(crate) fn begin(&mut self, coding: &mut Coding, state: &[i64], first: bool) {
        for (place, code) in self.states.iter().zip(state) {
            if let Some(place) = place {
                self.codes[*place] = *code;
            }
        }
        self.first = first;
        self.digits.clear();
        self.resumed = false;
        self.open = self.level(coding, 0);
    }

    /// Moves to the next choice of inputs. Returns false if a constraint fails on a prefix of the inputs, which cuts off all choices
    /// with that prefix; `None` if there are no more choices.
    pub(crate) fn advance(&mut self, coding: &mut Coding) -> Option<bool> {
        if !self.open {
            return None;
        }
        // The digits are the choices so far; the last one advances, or the one before it if it has no further value.
        let mut fine = true;
        if std::mem::replace(&mut self.resumed, true) {
            loop {
                let Some(digit) = self.digits.pop() else {
                    self.open = false;
                    return None;
                };
                if digit + 1 < self.inputs[self.digits.len()].1.len() {
                    fine = self.choose(coding, digit + 1);
                    break;
                }
            }
        }
        while fine && self.digits.len() < self.inputs.len() {
            fine = self.choose(coding, 0);
        }
        Some(fine)
    }

    /// The code of a root.
    pub(crate) fn value(&self, expr: Expr) -> i64 {
        self.places.get(&expr).map_or(UNDEFINED, |place| self.codes[*place])
    }

    pub(crate) fn next_state(&self, state: &mut [i64]) {
        for (slot, source) in state.iter_mut().zip(&self.next) {
            *slot = self.read(*source);
        }
    }

    pub(crate) fn inputs(&self) -> Vec<i64> {
        self.digits.iter().zip(&self.inputs).map(|(digit, (_, domain))| domain[*digit]).collect()
    }

    /// Sets the next input; returns false if a constraint fails or there is no such value.
    fn choose(&mut self, coding: &mut Coding, digit: usize) -> bool {
        let (slot, domain) = &self.inputs[self.digits.len()];
        self.digits.push(digit);
        let Some(code) = domain.get(digit) else { return false };
        if let Some(slot) = slot {
            self.codes[*slot] = *code;
        }
        self.level(coding, self.digits.len())
    }

    /// Executes the operations of a level; returns false if a constraint fails.
    fn level(&mut self, coding: &mut Coding, level: usize) -> bool {
        for (place, op) in &self.levels[level] {
            self.codes[*place] = match op {
                Op::General(expr) => general(self.system, coding, &self.places, &self.codes, *expr),
                op => simple(coding, &self.codes, op),
            };
        }
        let (always, initially) = &self.constraints[level];
        always.iter().all(|it| self.codes[*it] != 0)
            && (!self.first || initially.iter().all(|it| self.codes[*it] != 0))
    }

    fn read(&self, source: Source) -> i64 {
        read(&self.codes, source)
    }
}

fn read(codes: &[i64], source: Source) -> i64 {
    match source {
        Source::At(place) => codes[place],
        Source::Constant(code) => code,
    }
}

fn source(
    system: &System,
    coding: &mut Coding,
    places: &FxHashMap<Expr, usize>,
    kind: Kind,
    expr: Expr,
) -> Source {
    let value = match system.pool.node(expr) {
        Node::Int(number) => Value::Int(number.clone()),
        Node::Machine(_, number) => Value::Machine(*number),
        Node::Real(number) => Value::Real(number.clone()),
        _ => return Source::At(places[&expr]),
    };
    Source::Constant(coding.code(kind, &value))
}

fn operation(system: &System, coding: &mut Coding, places: &FxHashMap<Expr, usize>, expr: Expr) -> Op {
    let pool = &system.pool;
    let all = |operands: &[Expr]| operands.iter().map(|it| places[it]).collect();
    // Of two operands that are compared, at most one is a constant.
    let both = |coding: &mut Coding, a: Expr, b: Expr| {
        let kind = coding.kind(if pool.node(a).is_constant() { b } else { a });
        (kind, source(system, coding, places, kind, a), source(system, coding, places, kind, b))
    };
    match pool.node(expr) {
        Node::Not(a) => Op::Not(places[a]),
        Node::And(operands) => Op::And(all(operands)),
        Node::Or(operands) => Op::Or(all(operands)),
        Node::Eq(a, b) => {
            let (_, a, b) = both(coding, *a, *b);
            Op::Eq(a, b)
        }
        Node::Lt(a, b) | Node::Le(a, b) => {
            let or_equal = matches!(pool.node(expr), Node::Le(..));
            let (kind, a, b) = both(coding, *a, *b);
            match kind {
                Kind::Listed => Op::LessListed(a, b, or_equal),
                Kind::Plain | Kind::Place(_) => Op::Less(a, b, or_equal),
            }
        }
        Node::Ite(c, a, b) => {
            let kind = coding.kind(expr);
            let (a, b) = (source(system, coding, places, kind, *a), source(system, coding, places, kind, *b));
            Op::Ite(places[c], a, b)
        }
        Node::Add(a, b) if pool.type_of(expr) == Type::Int => {
            let (a, b) = (
                source(system, coding, places, Kind::Plain, *a),
                source(system, coding, places, Kind::Plain, *b),
            );
            Op::AddInt(a, b)
        }
        Node::Bool(value) => Op::Constant(i64::from(*value)),
        Node::Literal(_, place) => Op::Constant(i64::from(*place)),
        // The code of a number depends on where it is used.
        Node::Int(_) | Node::Machine(..) | Node::Real(_) => Op::Constant(UNDEFINED),
        Node::Var(_)
        | Node::Neg(_)
        | Node::Add(..)
        | Node::Mul(..)
        | Node::Div(..)
        | Node::IntDiv(..)
        | Node::Mod(..)
        | Node::Cast(..)
        | Node::BitNot(_)
        | Node::Bits(..)
        | Node::Apply(..) => Op::General(expr),
    }
}

#[inline]
fn simple(coding: &Coding, codes: &[i64], op: &Op) -> i64 {
    let junction = |operands: &[usize], decisive: i64| {
        let mut result = 1 - decisive;
        for operand in operands {
            let code = codes[*operand];
            if code == decisive {
                return decisive;
            }
            if code == UNDEFINED {
                result = UNDEFINED;
            }
        }
        result
    };
    let defined = |a: i64, b: i64, truth: bool| {
        if a == UNDEFINED || b == UNDEFINED { UNDEFINED } else { i64::from(truth) }
    };
    match op {
        Op::Not(a) if codes[*a] == UNDEFINED => UNDEFINED,
        Op::Not(a) => 1 - codes[*a],
        Op::And(operands) => junction(operands, 0),
        Op::Or(operands) => junction(operands, 1),
        Op::Eq(a, b) => {
            let (a, b) = (read(codes, *a), read(codes, *b));
            defined(a, b, a == b)
        }
        Op::Less(a, b, or_equal) => {
            let (a, b) = (read(codes, *a), read(codes, *b));
            defined(a, b, a < b || *or_equal && a == b)
        }
        Op::LessListed(a, b, or_equal) => {
            let (a, b) = (read(codes, *a), read(codes, *b));
            defined(a, b, coding.less(a, b, *or_equal))
        }
        Op::Ite(c, a, b) => {
            let (a, b) = (read(codes, *a), read(codes, *b));
            match codes[*c] {
                0 => b,
                UNDEFINED if a != b => UNDEFINED,
                _ => a,
            }
        }
        Op::AddInt(a, b) => {
            let (a, b) = (read(codes, *a), read(codes, *b));
            let sum = a.checked_add(b).filter(|_| a != UNDEFINED && b != UNDEFINED);
            sum.unwrap_or(UNDEFINED)
        }
        Op::Constant(code) => *code,
        Op::General(_) => UNDEFINED,
    }
}

fn general(
    system: &System,
    coding: &mut Coding,
    places: &FxHashMap<Expr, usize>,
    codes: &[i64],
    expr: Expr,
) -> i64 {
    let pool = &system.pool;
    let node = pool.node(expr);
    let operands: Vec<(Expr, Value)> = node
        .children()
        .map(|child| {
            let constant = || operate(pool, pool.node(child), |_| &Value::Undefined);
            let value = if pool.node(child).is_constant() {
                constant()
            } else {
                coding.decode(pool, coding.kind(child), pool.type_of(child), codes[places[&child]])
            };
            (child, value)
        })
        .collect();
    let get =
        |child: Expr| operands.iter().find(|(it, _)| *it == child).map_or(&Value::Undefined, |it| &it.1);
    let value = operate(pool, node, get);
    coding.code(coding.kind(expr), &value)
}
