//! Comparisons with arithmetic, a block at a time and exactly: every term is a lane of integers over one common denominator.
//!
//! Before a block is computed, the largest number that each lane can have is known from its columns. If all of them fit into 64 bits,
//! or into 128, no operation can overflow and none is checked; otherwise the block is evaluated step by step with exact fractions.

use crate::columns::{Bits, Block, Cells, Numbers};
use crate::program::{Previous, Program, Reads};
use crate::{Kind, atoms};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use logic::{Arith, EvalError, Fun, Id, Node, Rel, Store, Value, eval_state};
use rustc_hash::FxHashMap;
use std::ops::{Add, Mul, Neg, Sub};

/// The largest exponent of a power that is a product.
const MAX_EXPONENT: u32 = 8;
/// The most operations of a comparison.
const MAX_STEPS: usize = 64;

/// The number of a lane.
type Slot = usize;

/// A comparison of two terms over columns of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Arithmetic {
    pub(crate) id: Id,
    /// The columns of variables and calls.
    pub(crate) columns: FxHashMap<Id, usize>,
    /// The terms whose previous values are needed, inner ones first, each with its value at the last step.
    pub(crate) previous: Vec<Previous>,
    terms: Terms,
    narrow: Vec<Vec<i64>>,
    wide: Vec<Vec<i128>>,
}

/// The operations of a comparison: `left rel right`, where both sides have been multiplied by the divisor.
#[derive(Debug, Clone)]
struct Terms {
    steps: Vec<Step>,
    known: FxHashMap<Id, Slot>,
    /// The `pre` nodes, inner ones first.
    pre: Vec<Id>,
    rel: Rel,
    left: Slot,
    right: Slot,
    divisor: Option<Slot>,
}

/// An operation that writes the lane of its own number.
#[derive(Debug, Clone)]
enum Step {
    Column(Id),
    Constant(RBig),
    /// The value of a lane one step before, and that of another at the first step.
    Previous {
        which: usize,
        initial: Slot,
        term: Slot,
    },
    Neg(Slot),
    Abs(Slot),
    Add(Slot, Slot),
    Sub(Slot, Slot),
    Mul(Slot, Slot),
    Min(Slot, Slot),
    Max(Slot, Slot),
    /// The Euclidean remainder by a positive constant.
    Mod(Slot, i128),
}

/// The numbers of a lane in a block: all are integers over this denominator, and none is larger than the bound.
#[derive(Debug, Clone, Copy)]
struct Shape {
    denominator: i128,
    bound: i128,
}

/// The integers of a lane.
trait Int:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> + Into<i128>
{
    const ZERO: Self;
    /// A number that fits.
    fn of(number: i128) -> Self;
    fn rem_euclid(self, by: Self) -> Self;
}

impl Int for i64 {
    const ZERO: i64 = 0;
    fn of(number: i128) -> i64 {
        number as i64
    }
    fn rem_euclid(self, by: i64) -> i64 {
        self.rem_euclid(by)
    }
}

impl Int for i128 {
    const ZERO: i128 = 0;
    fn of(number: i128) -> i128 {
        number
    }
    fn rem_euclid(self, by: i128) -> i128 {
        self.rem_euclid(by)
    }
}

/// The value of a term without variables, if it is a number.
pub(crate) fn constant(store: &Store, id: Id) -> Option<RBig> {
    let below = store.reachable_until([id], Node::needs_context);
    if below.iter().any(|&id| store.node(id).needs_context()) {
        return None;
    }
    match eval_state(store, id, &mut |_, _| Err(EvalError::UnfilledHole)) {
        Ok(Value::Num(number)) => Some(number),
        _ => None,
    }
}

/// Whether a node is a comparison that is computed in lanes.
pub(crate) fn applies(store: &Store, id: Id, kind: &dyn Fn(&str) -> Kind) -> bool {
    Terms::new(store, id, kind).is_some()
}

impl Arithmetic {
    pub(crate) fn new(
        store: &Store,
        id: Id,
        program: &mut Program,
        kind: &dyn Fn(&str) -> Kind,
    ) -> Option<Arithmetic> {
        let terms = Terms::new(store, id, kind)?;
        let mut all = atoms::columns(store, id, program, kind);
        let mut previous = Vec::new();
        for &pre in &terms.pre {
            let Node::Pre(initial, term) = store.node(pre) else { continue };
            let [initial, term] = [initial.id(), term.id()]
                .map(|id| Reads { id, columns: atoms::columns(store, id, program, kind) });
            all.extend(initial.columns.iter().chain(&term.columns));
            previous.push(Previous { id: pre, initial, term, last: None });
        }
        Some(Arithmetic { id, columns: all, previous, terms, narrow: Vec::new(), wide: Vec::new() })
    }

    /// Where it holds and where it fails in a block; `None` if the numbers are too large for lanes. The inner value is the first row
    /// without a value.
    pub(crate) fn evaluate(
        &mut self,
        block: &Block,
        holds: &mut Bits,
        fails: &mut Bits,
    ) -> Option<Option<usize>> {
        let shapes = self.shapes(block)?;
        let Terms { left, right, divisor, .. } = self.terms;
        let (common, by_left, by_right) = common(shapes[left], shapes[right])?;
        let lanes = shapes.iter().map(|shape| shape.bound).chain([common.bound]).max().unwrap_or(0);
        let out = Out { rows: block.rows, by_left, by_right, holds, fails };
        if lanes <= i128::from(i64::MAX) {
            let mut lanes = std::mem::take(&mut self.narrow);
            self.run(&shapes, block, &mut lanes);
            let first = out.compare(&self.terms, &lanes, divisor);
            self.narrow = lanes;
            Some(first)
        } else {
            let mut lanes = std::mem::take(&mut self.wide);
            self.run(&shapes, block, &mut lanes);
            let first = out.compare(&self.terms, &lanes, divisor);
            self.wide = lanes;
            Some(first)
        }
    }

    /// The shapes of all lanes in a block; `None` if one has no integers of 128 bits.
    fn shapes(&self, block: &Block) -> Option<Vec<Shape>> {
        let mut shapes: Vec<Shape> = Vec::with_capacity(self.terms.steps.len());
        for step in &self.terms.steps {
            let shape = match step {
                Step::Column(id) => match &block.columns[self.columns[id]].cells {
                    Cells::Numbers(numbers) => numbers_shape(numbers, block.rows)?,
                    Cells::Truths(_) | Cells::Names(_) => return None,
                },
                Step::Constant(number) => fraction(number)?.1,
                Step::Previous { which, initial, term } => {
                    let before = match &self.previous[*which].last {
                        None => shapes[*initial],
                        Some(Ok(Value::Num(number))) => fraction(number)?.1,
                        Some(_) => return None,
                    };
                    common(shapes[*term], before)?.0
                }
                Step::Neg(a) | Step::Abs(a) => shapes[*a],
                Step::Add(a, b) | Step::Sub(a, b) | Step::Min(a, b) | Step::Max(a, b) => {
                    common(shapes[*a], shapes[*b])?.0
                }
                Step::Mul(a, b) => Shape {
                    denominator: shapes[*a].denominator.checked_mul(shapes[*b].denominator)?,
                    bound: shapes[*a].bound.checked_mul(shapes[*b].bound)?,
                },
                // The remainder of a fraction is undefined.
                Step::Mod(a, _) if shapes[*a].denominator != 1 => return None,
                Step::Mod(a, by) => Shape { denominator: 1, bound: shapes[*a].bound.max(*by) },
            };
            shapes.push(shape);
        }
        Some(shapes)
    }

    fn run<T: Int>(&mut self, shapes: &[Shape], block: &Block, lanes: &mut Vec<Vec<T>>) {
        let rows = block.rows;
        lanes.resize_with(self.terms.steps.len(), Vec::new);
        for (at, step) in self.terms.steps.iter().enumerate() {
            let (before, rest) = lanes.split_at_mut(at);
            let out = &mut rest[0];
            out.clear();
            let factors = |a: Slot, b: Slot| {
                let by = |slot: Slot| T::of(shapes[at].denominator / shapes[slot].denominator);
                (by(a), by(b))
            };
            match step {
                Step::Column(id) => {
                    if let Cells::Numbers(numbers) = &block.columns[self.columns[id]].cells {
                        fill(out, numbers, rows, shapes[at]);
                    }
                }
                Step::Constant(number) => {
                    let numerator = fraction(number).map_or(0, |(numerator, _)| numerator);
                    out.resize(rows, T::of(numerator));
                }
                Step::Previous { which, initial, term } => {
                    let scaled = |(numerator, shape): (i128, Shape)| {
                        T::of(numerator) * T::of(shapes[at].denominator / shape.denominator)
                    };
                    let by_term = T::of(shapes[at].denominator / shapes[*term].denominator);
                    out.push(match &self.previous[*which].last {
                        Some(Ok(Value::Num(number))) => fraction(number).map_or(T::ZERO, scaled),
                        _ => scaled((before[*initial][0].into(), shapes[*initial])),
                    });
                    out.extend(before[*term][..rows - 1].iter().map(|&value| value * by_term));
                }
                Step::Neg(a) => out.extend(before[*a].iter().map(|&a| -a)),
                Step::Abs(a) => out.extend(before[*a].iter().map(|&a| if a < T::ZERO { -a } else { a })),
                Step::Add(a, b) => each(out, &before[*a], &before[*b], factors(*a, *b), |a, b| a + b),
                Step::Sub(a, b) => each(out, &before[*a], &before[*b], factors(*a, *b), |a, b| a - b),
                Step::Min(a, b) => each(out, &before[*a], &before[*b], factors(*a, *b), Ord::min),
                Step::Max(a, b) => each(out, &before[*a], &before[*b], factors(*a, *b), Ord::max),
                Step::Mul(a, b) => out.extend(before[*a].iter().zip(&before[*b]).map(|(&a, &b)| a * b)),
                Step::Mod(a, by) => out.extend(before[*a].iter().map(|&a| a.rem_euclid(T::of(*by)))),
            }
        }
        for step in &self.terms.steps {
            let Step::Previous { which, term, .. } = step else { continue };
            if let Some(&last) = lanes[*term].last() {
                let denominator = UBig::try_from(shapes[*term].denominator).unwrap_or(UBig::ONE);
                let number = RBig::from_parts(IBig::from(last.into()), denominator);
                self.previous[*which].last = Some(Ok(Value::Num(number)));
            }
        }
    }
}

/// The two sides over their common denominator, and what each is multiplied with; the bound is that of a sum.
fn common(a: Shape, b: Shape) -> Option<(Shape, i128, i128)> {
    let denominator = (a.denominator / gcd(a.denominator, b.denominator)).checked_mul(b.denominator)?;
    let (by_a, by_b) = (denominator / a.denominator, denominator / b.denominator);
    let bound = a.bound.checked_mul(by_a)?.checked_add(b.bound.checked_mul(by_b)?)?;
    Some((Shape { denominator, bound: bound.max(by_a).max(by_b) }, by_a, by_b))
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The numerator of a fraction and its shape.
fn fraction(number: &RBig) -> Option<(i128, Shape)> {
    let numerator = i128::try_from(number.numerator()).ok()?;
    let denominator = i128::try_from(number.denominator()).ok()?;
    Some((numerator, Shape { denominator, bound: numerator.checked_abs()? }))
}

/// Over the denominator of the most decimal places.
fn numbers_shape(numbers: &Numbers, rows: usize) -> Option<Shape> {
    if !numbers.others.is_empty() {
        return None;
    }
    let scales = &numbers.scales[..rows];
    let (few, many) = scales.iter().fold((u8::MAX, 0), |(few, many), &it| (few.min(it), many.max(it)));
    let largest =
        numbers.digits[..rows].iter().fold(0, |largest: u64, digits| largest.max(digits.unsigned_abs()));
    let wider = 10_i128.pow(u32::from(many - few.min(many)));
    Some(Shape {
        denominator: 10_i128.pow(u32::from(many)),
        bound: i128::from(largest).checked_mul(wider)?.max(wider),
    })
}

fn fill<T: Int>(out: &mut Vec<T>, numbers: &Numbers, rows: usize, shape: Shape) {
    let (digits, scales) = (&numbers.digits[..rows], &numbers.scales[..rows]);
    let wide = |digits: i64| T::of(i128::from(digits));
    let first = scales[0];
    if 10_i128.pow(u32::from(first)) == shape.denominator && scales.iter().all(|&scale| scale == first) {
        out.extend(digits.iter().map(|&digits| wide(digits)));
        return;
    }
    let factors: Vec<T> = (0..=crate::columns::MAX_SCALE as u32)
        .map(|scale| T::of(shape.denominator / 10_i128.pow(scale)))
        .collect();
    out.extend(digits.iter().zip(scales).map(|(&digits, &scale)| wide(digits) * factors[usize::from(scale)]));
}

#[inline]
fn each<T: Int>(out: &mut Vec<T>, a: &[T], b: &[T], (by_a, by_b): (T, T), op: impl Fn(T, T) -> T) {
    let one = T::of(1);
    let pairs = a.iter().zip(b);
    if by_a == one && by_b == one {
        out.extend(pairs.map(|(&a, &b)| op(a, b)));
    } else {
        out.extend(pairs.map(|(&a, &b)| op(a * by_a, b * by_b)));
    }
}

/// Where the result of a block goes.
struct Out<'b> {
    rows: usize,
    by_left: i128,
    by_right: i128,
    holds: &'b mut Bits,
    fails: &'b mut Bits,
}

impl Out<'_> {
    /// Compares the two sides, and returns the first row without a value.
    fn compare<T: Int>(self, terms: &Terms, lanes: &[Vec<T>], divisor: Option<Slot>) -> Option<usize> {
        let (left, right) = (&lanes[terms.left], &lanes[terms.right]);
        let (by_left, by_right) = (T::of(self.by_left), T::of(self.by_right));
        let words = left.chunks(64).zip(right.chunks(64)).enumerate();
        for (at, (left, right)) in words {
            let related = |rel: Rel| match rel {
                Rel::Lt => packed(left, right, |a, b| a * by_left < b * by_right),
                Rel::Le => packed(left, right, |a, b| a * by_left <= b * by_right),
                Rel::Gt => packed(left, right, |a, b| a * by_left > b * by_right),
                Rel::Ge => packed(left, right, |a, b| a * by_left >= b * by_right),
                Rel::Eq => packed(left, right, |a, b| a * by_left == b * by_right),
                Rel::Ne => packed(left, right, |a, b| a * by_left != b * by_right),
            };
            let mut word = related(terms.rel);
            if let Some(divisor) = divisor {
                let by = &lanes[divisor][64 * at..][..left.len()];
                let negative = packed(by, by, |by, _| by < T::ZERO);
                let turned = if negative == 0 { word } else { related(terms.rel.flipped()) };
                let defined = packed(by, by, |by, _| by != T::ZERO);
                word = ((word & !negative) | (turned & negative)) & defined;
                self.fails[at] = defined & !word;
            } else {
                self.fails[at] = !word;
            }
            self.holds[at] = word;
        }
        lanes[divisor?].iter().take(self.rows).position(|&by| by == T::ZERO)
    }
}

#[inline]
fn packed<T: Int>(left: &[T], right: &[T], holds: impl Fn(T, T) -> bool) -> u64 {
    let pairs = left.iter().zip(right).enumerate();
    pairs.fold(0, |word, (at, (&a, &b))| word | u64::from(holds(a, b)) << at)
}

impl Terms {
    fn new(store: &Store, id: Id, kind: &dyn Fn(&str) -> Kind) -> Option<Terms> {
        let Node::Rel(rel, a, b) = store.node(id) else { return None };
        let mut terms = Terms {
            steps: Vec::new(),
            known: FxHashMap::default(),
            pre: Vec::new(),
            rel: *rel,
            left: 0,
            right: 0,
            divisor: None,
        };
        let (left, by_left) = terms.side(store, a.id(), kind)?;
        let (right, by_right) = terms.side(store, b.id(), kind)?;
        (terms.left, terms.right) = (left, right);
        if let Some(by) = by_left {
            terms.right = terms.push(Step::Mul(right, by));
        }
        if let Some(by) = by_right {
            terms.left = terms.push(Step::Mul(left, by));
        }
        terms.divisor = match (by_left, by_right) {
            (Some(a), Some(b)) => Some(terms.push(Step::Mul(a, b))),
            (one, other) => one.or(other),
        };
        (terms.steps.len() <= MAX_STEPS).then_some(terms)
    }

    /// A side of the comparison, and what it is divided by.
    fn side(&mut self, store: &Store, id: Id, kind: &dyn Fn(&str) -> Kind) -> Option<(Slot, Option<Slot>)> {
        if let Node::Arith(Arith::Div, a, b) = store.node(id)
            && constant(store, b.id()).is_none()
        {
            return Some((self.term(store, a.id(), kind)?, Some(self.term(store, b.id(), kind)?)));
        }
        Some((self.term(store, id, kind)?, None))
    }

    /// The lane of a term: children first, without recursion.
    fn term(&mut self, store: &Store, root: Id, kind: &dyn Fn(&str) -> Kind) -> Option<Slot> {
        let is_leaf = |node: &Node| matches!(node, Node::Var(_) | Node::Call(..) | Node::Num(..));
        let below = store.reachable_until([root], is_leaf);
        if below.len() > MAX_STEPS {
            return None;
        }
        for id in below {
            // Constants have lanes where they are used.
            if !self.known.contains_key(&id) && constant(store, id).is_none() {
                let step = self.step(store, id, kind)?;
                let slot = self.push(step);
                self.known.insert(id, slot);
            }
        }
        self.slot(store, root)
    }

    /// The lane of a term that is known or constant.
    fn slot(&mut self, store: &Store, id: Id) -> Option<Slot> {
        if let Some(&slot) = self.known.get(&id) {
            return Some(slot);
        }
        let slot = constant(store, id).map(|number| self.push(Step::Constant(number)))?;
        self.known.insert(id, slot);
        Some(slot)
    }

    fn step(&mut self, store: &Store, id: Id, kind: &dyn Fn(&str) -> Kind) -> Option<Step> {
        let numbers = |name: &str| (kind(name) == Kind::Number).then_some(Step::Column(id));
        match store.node(id) {
            Node::Var(symbol) => numbers(store.name(*symbol)),
            Node::Call(..) => numbers(&atoms::called(store, id)),
            Node::Neg(a) => Some(Step::Neg(self.slot(store, a.id())?)),
            Node::Pre(initial, term) => {
                let (initial, term) = (self.slot(store, initial.id())?, self.slot(store, term.id())?);
                self.pre.push(id);
                Some(Step::Previous { which: self.pre.len() - 1, initial, term })
            }
            Node::Fun(fun, arguments) => {
                let slots: Vec<Slot> =
                    arguments.iter().map(|it| self.slot(store, it.id())).collect::<Option<_>>()?;
                match (fun, slots.as_slice()) {
                    (Fun::Abs, [one]) => Some(Step::Abs(*one)),
                    (Fun::Min | Fun::Max, [first, rest @ ..]) => {
                        let op = if *fun == Fun::Min { Step::Min } else { Step::Max };
                        // One argument is its own least and greatest.
                        let (last, rest) = rest.split_last().unwrap_or((first, rest));
                        let all = rest.iter().fold(*first, |all, &next| self.push(op(all, next)));
                        Some(op(all, *last))
                    }
                    _ => None,
                }
            }
            Node::Arith(op, a, b) => {
                let (first, by) = (self.slot(store, a.id())?, constant(store, b.id()));
                match (op, by) {
                    (Arith::Add, _) => Some(Step::Add(first, self.slot(store, b.id())?)),
                    (Arith::Sub, _) => Some(Step::Sub(first, self.slot(store, b.id())?)),
                    (Arith::Mul, _) => Some(Step::Mul(first, self.slot(store, b.id())?)),
                    (Arith::Div, Some(by)) if !by.is_zero() => {
                        let inverse = self.push(Step::Constant(RBig::ONE / by));
                        Some(Step::Mul(first, inverse))
                    }
                    (Arith::Mod, Some(by)) if by.is_int() && by > RBig::ZERO => {
                        Some(Step::Mod(first, i128::try_from(by.numerator()).ok()?))
                    }
                    (Arith::Pow, Some(by)) if by.is_int() => {
                        let exponent = u32::try_from(by.numerator()).ok()?;
                        let rest = (1..=MAX_EXPONENT).contains(&exponent).then_some(2..exponent)?;
                        let power = rest.fold(first, |power, _| self.push(Step::Mul(power, first)));
                        let one = || Step::Constant(RBig::ONE);
                        let other = if exponent == 1 { self.push(one()) } else { first };
                        Some(Step::Mul(power, other))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn push(&mut self, step: Step) -> Slot {
        self.steps.push(step);
        self.steps.len() - 1
    }
}
