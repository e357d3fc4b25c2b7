//! A context over the built-in SAT solver: Booleans, enumerations, machine integers and bounded integers, as bits.
//!
//! An integer is a word that is long enough for its bounds (`ranges`), so nothing wraps around unless the model says so. A real or
//! unbounded number for which only the position among constants matters (`system::places`) is represented by that position. All other
//! numbers are rejected: they need a solver session.

use crate::prepare::ranges::Ranges;
use crate::solver::circuit::Circuit;
use crate::solver::circuit::FALSE;
use crate::solver::circuit::TRUE;
use crate::solver::circuit::Word;
use crate::solver::circuit::bits;
use crate::solver::context::Context;
use crate::solver::context::Lit;
use crate::solver::context::Open;
use crate::solver::context::Opened;
use crate::solver::context::Start;
use crate::solver::context::Stop;
use crate::solver::context::Unrolling;
use crate::solver::context::variables;
use crate::verdict::Why;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use system::places::number;
use system::{Bits, Expr, Node, Places, Pool, System, Type, Value, Var, Width};

/// Opens contexts on bits.
pub(crate) struct BuiltIn;

impl Open for BuiltIn {
    fn open<'s>(&'s self, system: &System, start: Start, stop: Stop<'s>) -> Opened<'s> {
        Ok(Box::new(Blast::new(system, start, stop)))
    }

    fn on_bits(&self) -> bool {
        true
    }
}

/// Longer words are rejected.
const LONGEST: usize = 130;

/// An unrolled system as a circuit. The bounds of states are assumed, so certificates must contain them.
pub(crate) struct Blast<'a> {
    circuit: Circuit<'a>,
    ranges: Ranges,
    places: Places,
    /// For each group of numbers, whether its words are positions.
    placed: Vec<bool>,
    unrolling: Unrolling,
    exprs: Vec<Option<Expr>>,
    words: FxHashMap<(Expr, u32), Word>,
    assumed: Vec<Lit>,
    stop: Stop<'a>,
}

impl<'a> Blast<'a> {
    pub(crate) fn new(system: &System, start: Start, stop: Stop<'a>) -> Blast<'a> {
        let (ranges, places, exprs) = (Ranges::new(system), Places::new(system), variables(system));
        let mut placed = Vec::new();
        for (variable, expr) in system.variables.iter().zip(&exprs) {
            let Some((expr, group)) = expr.and_then(|it| Some((it, places.group(it)?))) else { continue };
            if placed.len() <= group {
                placed.resize(group + 1, false);
            }
            let bounded = match system.pool.node(expr) {
                Node::Var(var) => ranges.of(*var).both().is_some(),
                _ => false,
            };
            placed[group] |= variable.ty == Type::Real || variable.ty == Type::Int && !bounded;
        }
        Blast {
            circuit: Circuit::new(stop),
            ranges,
            places,
            placed,
            unrolling: Unrolling::new(system, start),
            exprs,
            words: FxHashMap::default(),
            assumed: Vec::new(),
            stop,
        }
    }

    fn word(&mut self, system: &System, expr: Expr, step: u32) -> Result<Word, Why> {
        let pool = &system.pool;
        let mut open = vec![(expr, step, false)];
        while let Some((expr, step, ready)) = open.pop() {
            if self.words.contains_key(&(expr, step)) {
                continue;
            }
            let node = pool.node(expr);
            let needs = self.unrolling.needs(pool, expr, step);
            if !ready {
                open.push((expr, step, true));
                open.extend(needs.into_iter().map(|(expr, step)| (expr, step, false)));
                continue;
            }
            let word = match (node, needs.first()) {
                (Node::Var(var), Some(&(source, at))) => {
                    let word = self.copied(pool, expr, source, at)?;
                    // Within the bounds of a state, all higher bits equal the sign.
                    match self.ranges.of(*var).both().filter(|_| self.group(expr).is_none()) {
                        Some((low, high)) => Circuit::extended(&word, word.len().min(bits(low, high))),
                        None => word,
                    }
                }
                (Node::Var(var), None) => self.variable(system, expr, *var)?,
                (node, _) => self.node(pool, expr, node, step)?,
            };
            if word.len() > LONGEST {
                return Err(Why::Unsupported("numbers of that size"));
            }
            self.words.insert((expr, step), word);
        }
        Ok(self.words[&(expr, step)].clone())
    }

    /// The group of an expression, if its words are positions.
    fn group(&self, expr: Expr) -> Option<usize> {
        self.places.group(expr).filter(|it| self.placed.get(*it) == Some(&true))
    }

    /// The word of an operand of a choice, or of the value a state gets, encoded in the same way as `like`.
    fn copied(&self, pool: &Pool, like: Expr, operand: Expr, step: u32) -> Result<Word, Why> {
        let word = || self.words.get(&(operand, step)).cloned().unwrap_or_default();
        match (self.group(like), number(pool, operand)) {
            (Some(group), Some(number)) => {
                Ok(Circuit::constant(i128::from(self.places.place(group, &number))))
            }
            (group, _) if group != self.group(operand) => Err(Why::Unsupported("these numbers")),
            (None, Some(_)) if pool.type_of(operand) == Type::Real => Err(Why::Unsupported("real numbers")),
            (_, _) => Ok(word()),
        }
    }

    /// The words of two compared numbers. A position is compared only with constants of its group.
    fn compared(&self, pool: &Pool, a: Expr, b: Expr, step: u32) -> Result<[Word; 2], Why> {
        let Some((group, other)) =
            self.group(a).map(|it| (it, b)).or_else(|| self.group(b).map(|it| (it, a)))
        else {
            return Ok([self.copied(pool, a, a, step)?, self.copied(pool, b, b, step)?]);
        };
        let known = number(pool, other).is_some_and(|it| self.places.place(group, &it) % 2 == 1);
        if !known {
            return Err(Why::Unsupported("comparisons of these numbers"));
        }
        let like = if other == a { b } else { a };
        Ok([self.copied(pool, like, a, step)?, self.copied(pool, like, b, step)?])
    }

    /// A word for an arbitrary value of a variable.
    fn variable(&mut self, system: &System, expr: Expr, var: Var) -> Result<Word, Why> {
        if let Some(group) = self.group(expr) {
            let all = self.places.all(&system.pool, group, system.variables[var.index()].ty);
            let most = 2 * self.places.constants(group).len() as i128;
            let word = self.circuit.between(0, most);
            for place in (0..=most).filter(|it| !all.iter().any(|place| i128::from(*place) == *it)) {
                let there = self.circuit.equal(&word, &Circuit::constant(place));
                self.circuit.clause(&[!there]);
            }
            return Ok(word);
        }
        let (low, high) = match system.variables[var.index()].ty {
            Type::Bool => return Ok(vec![self.circuit.fresh()]),
            Type::Real => return Err(Why::Unsupported("real numbers")),
            Type::Machine(width) => (width.least(), width.greatest()),
            Type::Enum(id) => (0, system.pool.enumeration(id).literals.len() as i128 - 1),
            Type::Int => self.ranges.of(var).both().ok_or(Why::Unsupported("integers without bounds"))?,
        };
        Ok(self.circuit.between(low, high))
    }

    fn node(&mut self, pool: &Pool, expr: Expr, node: &Node, step: u32) -> Result<Word, Why> {
        let words = &self.words;
        let at = |it: &Expr| -> Word { words.get(&(*it, step)).cloned().unwrap_or_default() };
        let bit = |it: &Expr| -> Lit {
            words.get(&(*it, step)).and_then(|it| it.first()).copied().unwrap_or(FALSE)
        };
        let width = |it: &Expr| match pool.type_of(*it) {
            Type::Machine(width) => Some(width),
            _ => None,
        };
        if !matches!(node, Node::Ite(..) | Node::Eq(..) | Node::Lt(..) | Node::Le(..))
            && node.children().any(|it| self.group(it).is_some())
        {
            return Err(Why::Unsupported("these numbers"));
        }
        let pair = match node {
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) if pool.type_of(*a).is_number() => {
                self.compared(pool, *a, *b, step)?
            }
            Node::Eq(a, b) => [at(a), at(b)],
            Node::Ite(_, a, b) => [self.copied(pool, expr, *a, step)?, self.copied(pool, expr, *b, step)?],
            _ => [Word::new(), Word::new()],
        };
        let circuit = &mut self.circuit;
        Ok(match node {
            Node::Bool(value) => vec![if *value { TRUE } else { FALSE }],
            Node::Int(value) => {
                let value = i128::try_from(value).ok().filter(|it| it.unsigned_abs() < 1 << 100);
                Circuit::constant(value.ok_or(Why::Unsupported("numbers of that size"))?)
            }
            Node::Machine(_, value) => Circuit::constant(*value),
            Node::Literal(_, place) => Circuit::constant(i128::from(*place)),
            // The encoding of a real constant depends on what it is compared with.
            Node::Real(_) => Word::new(),
            Node::Div(..) => return Err(Why::Unsupported("real numbers")),
            Node::Apply(..) => return Err(Why::Unsupported("functions")),
            Node::Var(_) => Word::new(),
            Node::Not(a) => vec![!bit(a)],
            Node::And(operands) => vec![circuit.all(operands.iter().map(bit))],
            Node::Or(operands) => vec![!circuit.all(operands.iter().map(|it| !bit(it)))],
            Node::Eq(a, b) if pool.type_of(*a) == Type::Bool => vec![!circuit.xor(bit(a), bit(b))],
            Node::Ite(c, a, b) if pool.type_of(expr) == Type::Bool => {
                vec![circuit.choose(bit(c), bit(a), bit(b))]
            }
            Node::Eq(..) => vec![circuit.equal(&pair[0], &pair[1])],
            Node::Lt(..) => vec![circuit.less(&pair[0], &pair[1])],
            Node::Le(..) => vec![!circuit.less(&pair[1], &pair[0])],
            Node::Ite(c, _, _) => circuit.choice(bit(c), &pair[0], &pair[1]),
            Node::Neg(_) | Node::Add(..) | Node::Mul(..) if pool.type_of(expr) == Type::Real => {
                return Err(Why::Unsupported("real numbers"));
            }
            Node::Neg(a) => {
                let a = at(a);
                let word = circuit.negate(&a, a.len() + 1);
                wrapped(word, pool.type_of(expr))
            }
            Node::Add(a, b) => {
                let (a, b) = (at(a), at(b));
                let word = circuit.add(&a, &b, FALSE, a.len().max(b.len()) + 1);
                wrapped(word, pool.type_of(expr))
            }
            Node::Mul(a, b) => {
                let (a, b) = (at(a), at(b));
                if a.len() + b.len() > LONGEST {
                    return Err(Why::Unsupported("numbers of that size"));
                }
                let word = circuit.multiply(&a, &b, a.len() + b.len());
                wrapped(word, pool.type_of(expr))
            }
            Node::IntDiv(a, b) | Node::Mod(a, b) => match (pool.node(*b), pool.type_of(*a)) {
                (Node::Int(divisor), Type::Int) if *divisor > IBig::ZERO => {
                    let divisor = at(b);
                    let dividend = at(a);
                    return Ok(self.divided(&dividend, &divisor, matches!(node, Node::IntDiv(..))));
                }
                _ => return Err(Why::Unsupported("divisions")),
            },
            Node::Cast(Type::Int, a) if width(a).is_some() => at(a),
            Node::Cast(to @ Type::Machine(_), a) => wrapped(at(a), *to),
            Node::Cast(..) => return Err(Why::Unsupported("real numbers")),
            Node::BitNot(a) => {
                let flipped = at(a).iter().map(|it| !*it).collect();
                wrapped(flipped, pool.type_of(expr))
            }
            Node::Bits(op, a, b) => {
                let Some(width) = width(a) else { return Ok(Word::new()) };
                let bits = usize::from(width.bits) + 1;
                let (x, y) = (Circuit::extended(&at(a), bits), Circuit::extended(&at(b), bits));
                let mut pairs = |gate: &mut dyn FnMut(&mut Circuit<'a>, Lit, Lit) -> Lit| -> Word {
                    x.iter().zip(&y).map(|(x, y)| gate(circuit, *x, *y)).collect()
                };
                let word = match op {
                    Bits::And => pairs(&mut |circuit, x, y| circuit.and(x, y)),
                    Bits::Or => pairs(&mut |circuit, x, y| circuit.or(x, y)),
                    Bits::Xor => pairs(&mut |circuit, x, y| circuit.xor(x, y)),
                    Bits::ShiftLeft | Bits::ShiftRight => shifted(circuit, *op, &x, &y),
                };
                wrapped(word, Type::Machine(width))
            }
        })
    }

    /// Quotient or remainder by a positive constant: some `q` and `r` with `a = q * d + r` and `0 <= r < d`, which are unique.
    fn divided(&mut self, a: &[Lit], d: &[Lit], quotient: bool) -> Word {
        let circuit = &mut self.circuit;
        let q: Word = (0..=a.len()).map(|_| circuit.fresh()).collect();
        let mut r: Word = d.iter().map(|_| circuit.fresh()).collect();
        if let Some(sign) = r.last_mut() {
            *sign = FALSE;
        }
        let small = circuit.less(&r, d);
        let bits = q.len() + d.len() + 1;
        let product = circuit.multiply(&q, d, bits);
        let sum = circuit.add(&product, &r, FALSE, bits);
        let same = circuit.equal(&sum, a);
        circuit.clause(&[small]);
        circuit.clause(&[same]);
        if quotient { q } else { r }
    }
}

impl Context for Blast<'_> {
    fn literal(&mut self, system: &System, expr: Expr, step: u32) -> Result<Lit, Why> {
        Ok(self.word(system, expr, step)?.first().copied().unwrap_or(FALSE))
    }

    fn touch(&mut self, system: &System, var: Var, step: u32) -> Result<(), Why> {
        match self.exprs[var.index()] {
            Some(expr) => self.word(system, expr, step).map(|_| ()),
            None => Ok(()),
        }
    }

    fn fresh(&mut self) -> Lit {
        self.circuit.fresh()
    }

    fn clause(&mut self, literals: &[Lit]) -> Result<(), Why> {
        self.circuit.clause(literals);
        Ok(())
    }

    fn same(&mut self, system: &System, a: u32, b: u32) -> Result<Lit, Why> {
        let mut equal = Vec::new();
        for state in &system.state {
            let Some(expr) = self.exprs[state.var.index()] else { continue };
            if self.group(expr).is_some() {
                return Err(Why::Unsupported("these numbers"));
            }
            let (x, y) = (self.word(system, expr, a)?, self.word(system, expr, b)?);
            equal.push(self.circuit.equal(&x, &y));
        }
        Ok(self.circuit.all(equal))
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        if (self.stop)() {
            return Err(Why::Time);
        }
        self.assumed = assumptions.to_vec();
        self.circuit.solve(assumptions).ok_or(Why::Time)
    }

    fn failed(&mut self) -> Result<Vec<Lit>, Why> {
        Ok(self.circuit.failed(&self.assumed))
    }

    fn truths(&mut self, literals: &[Lit]) -> Result<Vec<bool>, Why> {
        Ok(literals.iter().map(|it| self.circuit.truth(*it)).collect())
    }

    fn values(&mut self, system: &System, wanted: &[(Var, u32)]) -> Result<Vec<Value>, Why> {
        let value = |(var, step): &(Var, u32)| -> Option<Value> {
            let word = self.words.get(&(self.exprs[var.index()]?, *step)).filter(|it| it.len() < 127)?;
            let bit = |place: usize| i128::from(word.get(place).is_some_and(|it| self.circuit.truth(*it)));
            let sum: i128 = (0..word.len()).map(|place| bit(place) << place).sum();
            let signed = sum - (bit(word.len().checked_sub(1)?) << word.len());
            let ty = system.variables[var.index()].ty;
            if let Some(group) = self.group(self.exprs[var.index()]?) {
                let place = i64::try_from(signed).ok()?;
                return self.places.representative(&system.pool, group, ty, place);
            }
            Some(match ty {
                Type::Bool => Value::Bool(bit(0) == 1),
                Type::Int => Value::Int(IBig::from(signed)),
                Type::Machine(_) => Value::Machine(signed),
                Type::Enum(_) => Value::Enum(u32::try_from(signed).ok()?),
                Type::Real => return None,
            })
        };
        Ok(wanted.iter().map(|it| value(it).unwrap_or(Value::Undefined)).collect())
    }

    fn limit(&mut self, _milliseconds: u32) {}
}

/// The lowest bits of a word as a machine integer; other types keep the word. Unsigned ones end with a zero sign bit.
fn wrapped(mut word: Word, ty: Type) -> Word {
    if let Type::Machine(Width { signed, bits }) = ty {
        let bits = usize::from(bits);
        word = Circuit::extended(&word, bits);
        if !signed {
            word.push(FALSE);
        }
    }
    word
}

fn shifted(circuit: &mut Circuit<'_>, op: Bits, x: &[Lit], y: &[Lit]) -> Word {
    let bits = x.len();
    let sign = x.last().copied().unwrap_or(FALSE);
    let fill = if op == Bits::ShiftLeft { FALSE } else { sign };
    let mut word = x.to_vec();
    for (place, bit) in y.iter().enumerate() {
        let by = if place < 8 { 1usize << place } else { bits };
        let moved: Word = (0..bits)
            .map(|at| {
                let from = if op == Bits::ShiftLeft { at.checked_sub(by) } else { at.checked_add(by) };
                from.and_then(|from| word.get(from)).copied().unwrap_or(fill)
            })
            .collect();
        word = circuit.choice(*bit, &moved, &word);
    }
    word
}

#[cfg(test)]
mod tests;
