//! Sequences of Booleans over time, and the temporal operators on them.
//!
//! A [`Truth`] is one Boolean, or one per trace for many traces of the same [`Shape`] at once. Every operator takes time linear in
//! the number of positions, whatever the size of its window: windows slide by the block technique of van Herk (1992) and Gil and
//! Werman (1993). Only F and U are implemented; G and R are their duals, and the past is the future of the reversed sequence.

use crate::store::{Binary, Bound, Unary};

/// A Boolean, or many of them in parallel.
pub trait Truth: Clone {
    /// True or false, everywhere.
    fn constant(value: bool) -> Self;
    /// Conjunction, in place.
    fn and_with(&mut self, other: &Self);
    /// Disjunction, in place.
    fn or_with(&mut self, other: &Self);
    /// Negation, in place.
    fn negate(&mut self);
}

impl Truth for bool {
    fn constant(value: bool) -> bool {
        value
    }
    fn and_with(&mut self, other: &bool) {
        *self &= other;
    }
    fn or_with(&mut self, other: &bool) {
        *self |= other;
    }
    fn negate(&mut self) {
        *self = !*self;
    }
}

/// A Boolean that may be undefined, such as `1 / x > 2` where x is 0. Conjunction is the minimum: what is decided without the
/// undefined part is decided (Kleene's strong logic).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kleene {
    False,
    Undefined,
    True,
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl Truth for Kleene {
    fn constant(value: bool) -> Kleene {
        value.into()
    }
    fn and_with(&mut self, other: &Kleene) {
        *self = (*self).min(*other);
    }
    fn or_with(&mut self, other: &Kleene) {
        *self = (*self).max(*other);
    }
    fn negate(&mut self) {
        *self = match self {
            Kleene::False => Kleene::True,
            Kleene::Undefined => Kleene::Undefined,
            Kleene::True => Kleene::False,
        };
    }
}

/// One bit for each of 64 traces.
impl Truth for u64 {
    fn constant(value: bool) -> u64 {
        if value { !0 } else { 0 }
    }
    fn and_with(&mut self, other: &u64) {
        *self &= other;
    }
    fn or_with(&mut self, other: &u64) {
        *self |= other;
    }
    fn negate(&mut self) {
        *self = !*self;
    }
}

/// As many traces as the elements hold together: `[u64; 64]` is 4096 traces.
impl<T: Truth, const N: usize> Truth for [T; N] {
    fn constant(value: bool) -> [T; N] {
        std::array::from_fn(|_| T::constant(value))
    }
    fn and_with(&mut self, other: &[T; N]) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.and_with(b));
    }
    fn or_with(&mut self, other: &[T; N]) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.or_with(b));
    }
    fn negate(&mut self) {
        self.iter_mut().for_each(T::negate);
    }
}

/// The positions of a trace: `len` of them, and where they continue after the last, if they do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The number of positions.
    pub len: usize,
    /// The position after the last one; `None` if the trace ends.
    pub loop_start: Option<usize>,
}

impl Shape {
    /// A trace that ends.
    pub fn finite(len: usize) -> Shape {
        Shape { len, loop_start: None }
    }

    /// A trace that continues at `loop_start` after its last position.
    pub fn lasso(len: usize, loop_start: usize) -> Shape {
        Shape { len, loop_start: Some(loop_start) }
    }

    /// The stored position of a position of the trace, which may be in a later iteration of the loop.
    pub fn fold(self, position: u128) -> Option<usize> {
        let len = self.len as u128;
        let folded = if position < len {
            position
        } else {
            let start = self.loop_start? as u128;
            start + (position - start) % (len - start)
        };
        usize::try_from(folded).ok()
    }
}

/// F, G, O or H of a sequence. Past operators look back to the first position and ignore the loop.
pub(crate) fn unary<T: Truth>(op: Unary, bound: Bound, mut x: Vec<T>, shape: Shape) -> Vec<T> {
    let shape = if op.is_future() { shape } else { reverse(&mut x) };
    if !op.is_existential() {
        negate(&mut x);
    }
    let mut result = finally(bound, &x, shape);
    if !op.is_existential() {
        negate(&mut result);
    }
    if !op.is_future() {
        reverse(&mut result);
    }
    result
}

/// U, R, S or T of two sequences. Past operators look back to the first position and ignore the loop.
pub(crate) fn binary<T: Truth>(
    op: Binary,
    bound: Bound,
    mut a: Vec<T>,
    mut b: Vec<T>,
    shape: Shape,
) -> Vec<T> {
    let window = op.window();
    let shape = if window.is_future() {
        shape
    } else {
        reverse(&mut a);
        reverse(&mut b)
    };
    if !window.is_existential() {
        negate(&mut a);
        negate(&mut b);
    }
    let mut result = until(bound, a, &b, shape);
    if !window.is_existential() {
        negate(&mut result);
    }
    if !window.is_future() {
        reverse(&mut result);
    }
    result
}

/// `F[lo,hi] x` is `F[0,hi-lo] x`, seen `lo` positions later.
fn finally<T: Truth>(bound: Bound, x: &[T], shape: Shape) -> Vec<T> {
    shift(bound.lo, &within(width(bound), x, shape), shape)
}

/// `a U[lo,hi] b` is `G[0,lo-1] a`, and `lo` positions later `(a U b) & F[0,hi-lo] b`.
fn until<T: Truth>(bound: Bound, mut a: Vec<T>, b: &[T], shape: Shape) -> Vec<T> {
    let mut reached = unbounded_until(&a, b, shape);
    if bound.hi.is_some() {
        conjoin(&mut reached, &within(width(bound), b, shape));
    }
    if bound.lo == 0 {
        return reached;
    }
    negate(&mut a);
    let mut result = within(bound.lo - 1, &a, shape);
    negate(&mut result);
    conjoin(&mut result, &shift(bound.lo, &reached, shape));
    result
}

fn width(bound: Bound) -> u64 {
    bound.hi.map_or(u64::MAX, |hi| hi.saturating_sub(bound.lo))
}

/// The sequence seen `by` positions later; false where there is no such position.
fn shift<T: Truth>(by: u64, x: &[T], shape: Shape) -> Vec<T> {
    (0..shape.len).map(|t| at(x, shape, t as u128 + u128::from(by))).collect()
}

/// `F[0,width] x`. After `len` steps nothing new follows, so the window is never longer than that. In blocks of the window's size,
/// each window is the end of one block and the beginning of the next.
fn within<T: Truth>(width: u64, x: &[T], shape: Shape) -> Vec<T> {
    let width = usize::try_from(width).map_or(shape.len, |width| width.min(shape.len));
    let mut ends: Vec<T> = (0..shape.len + width).map(|t| at(x, shape, t as u128)).collect();
    let mut beginnings = ends.clone();
    let block = width + 1;
    for t in 1..beginnings.len() {
        if t % block != 0 {
            let (done, rest) = beginnings.split_at_mut(t);
            rest[0].or_with(&done[t - 1]);
        }
    }
    for t in (1..ends.len()).rev() {
        if t % block != 0 {
            let (rest, done) = ends.split_at_mut(t);
            rest[t - 1].or_with(&done[0]);
        }
    }
    ends.truncate(shape.len);
    ends.iter_mut().zip(&beginnings[width..]).for_each(|(end, beginning)| end.or_with(beginning));
    ends
}

/// Backwards from the end. In a loop, the first iteration starts from "never reached", and its result is what the last position sees
/// ahead: from the beginning of the loop, b is reached within one iteration or never.
fn unbounded_until<T: Truth>(a: &[T], b: &[T], shape: Shape) -> Vec<T> {
    let step = |ahead: &mut T, t: usize| {
        ahead.and_with(&a[t]);
        ahead.or_with(&b[t]);
    };
    let mut ahead = T::constant(false);
    if let Some(start) = shape.loop_start {
        (start..shape.len).rev().for_each(|t| step(&mut ahead, t));
    }
    let mut result = b.to_vec();
    for t in (0..shape.len).rev() {
        step(&mut ahead, t);
        result[t] = ahead.clone();
    }
    result
}

fn at<T: Truth>(x: &[T], shape: Shape, position: u128) -> T {
    shape.fold(position).map_or_else(|| T::constant(false), |t| x[t].clone())
}

fn negate<T: Truth>(x: &mut [T]) {
    x.iter_mut().for_each(T::negate);
}

fn conjoin<T: Truth>(x: &mut [T], y: &[T]) {
    x.iter_mut().zip(y).for_each(|(a, b)| a.and_with(b));
}

/// Reverses time; the result ends at the first position.
fn reverse<T>(x: &mut [T]) -> Shape {
    x.reverse();
    Shape::finite(x.len())
}
