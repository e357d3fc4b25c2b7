//! The general simplex: bounds on unknowns, some of which are linear forms of the others.
//!
//! After Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)" (CAV 2006): the tableau expresses the basic unknowns in
//! terms of the others and never changes its meaning; asserting and undoing change only bounds. Bland's rule (least index first)
//! makes every loop terminate. Invariant: every row holds for `value`, and nonbasic unknowns are within their bounds.

use crate::linear::{Literal, Near, Side};
use dashu_ratio::RBig;

/// Unknowns with bounds, and values that satisfy the rows.
pub struct Simplex {
    lower: Vec<Option<Near>>,
    upper: Vec<Option<Near>>,
    value: Vec<Near>,
    /// `basic[r] = Σ rows[r][j] * j` over the nonbasic unknowns.
    rows: Vec<Vec<RBig>>,
    basic: Vec<usize>,
    row_of: Vec<Option<usize>>,
    /// The replaced bounds, to be restored.
    trail: Vec<(usize, Side, Option<Near>)>,
    /// The bounds that exclude each other.
    conflict: Vec<(usize, Side)>,
}

impl Simplex {
    /// One unknown for each entry; an entry with a form is that form of unknowns without one.
    pub fn new<'f>(forms: impl ExactSizeIterator<Item = Option<&'f [(usize, RBig)]>>) -> Simplex {
        let len = forms.len();
        let mut simplex = Simplex {
            lower: vec![None; len],
            upper: vec![None; len],
            value: vec![Near::default(); len],
            rows: Vec::new(),
            basic: Vec::new(),
            row_of: vec![None; len],
            trail: Vec::new(),
            conflict: Vec::new(),
        };
        for (unknown, form) in forms.enumerate() {
            if let Some(form) = form {
                let mut row = vec![RBig::ZERO; len];
                form.iter().for_each(|(j, factor)| row[*j] = factor.clone());
                simplex.row_of[unknown] = Some(simplex.rows.len());
                simplex.rows.push(row);
                simplex.basic.push(unknown);
            }
        }
        simplex
    }

    /// The current state of the bounds; [`undo`](Simplex::undo) returns to it.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Removes the bounds asserted since a mark. The values stay: they satisfy the rows and the wider bounds.
    pub fn undo(&mut self, mark: usize) {
        for (unknown, side, bound) in self.trail.drain(mark..).rev() {
            match side {
                Side::Lower => self.lower[unknown] = bound,
                Side::Upper => self.upper[unknown] = bound,
            }
        }
    }

    /// The current value of an unknown.
    pub fn value(&self, unknown: usize) -> &Near {
        &self.value[unknown]
    }

    /// The only value within the bounds, if there is just one.
    pub fn fixed(&self, unknown: usize) -> Option<&Near> {
        let lower = self.lower[unknown].as_ref()?;
        (self.upper[unknown].as_ref() == Some(lower)).then_some(lower)
    }

    /// The bounds of an unknown, if it has both.
    pub fn range(&self, unknown: usize) -> Option<(&Near, &Near)> {
        self.lower[unknown].as_ref().zip(self.upper[unknown].as_ref())
    }

    /// The rows: each basic unknown, with the factors of all unknowns.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[RBig])> {
        self.basic.iter().copied().zip(self.rows.iter().map(Vec::as_slice))
    }

    /// Adds a bound; returns false, and adds nothing, if it contradicts the opposite one.
    pub fn assert(&mut self, literal: &Literal) -> bool {
        let Literal { unknown, side, bound } = literal;
        let (same, opposite) = match side {
            Side::Lower => (&mut self.lower[*unknown], &self.upper[*unknown]),
            Side::Upper => (&mut self.upper[*unknown], &self.lower[*unknown]),
        };
        let beyond = |a: &Near, b: &Near| match side {
            Side::Lower => a > b,
            Side::Upper => a < b,
        };
        if same.as_ref().is_some_and(|known| !beyond(bound, known)) {
            return true;
        }
        if opposite.as_ref().is_some_and(|opposite| beyond(bound, opposite)) {
            self.conflict = vec![(*unknown, Side::Lower), (*unknown, Side::Upper)];
            return false;
        }
        self.trail.push((*unknown, *side, same.replace(bound.clone())));
        if self.row_of[*unknown].is_none() && !literal.holds(&self.value[*unknown]) {
            let step = bound.minus(&self.value[*unknown]);
            self.shift(*unknown, &step);
        }
        true
    }

    /// Moves the values into the bounds; returns false if that is impossible.
    pub fn check(&mut self) -> bool {
        loop {
            let outside = (0..self.value.len()).find_map(|unknown| {
                let row = self.row_of[unknown]?;
                let below = self.lower[unknown].as_ref().filter(|bound| self.value[unknown] < **bound);
                let above = self.upper[unknown].as_ref().filter(|bound| self.value[unknown] > **bound);
                let (side, bound) = below.map(|b| (Side::Upper, b)).or(above.map(|b| (Side::Lower, b)))?;
                Some((row, side, bound.clone()))
            });
            let Some((row, towards, bound)) = outside else { return true };
            let Some(entering) = self.helpful(row, towards) else {
                self.conflict = self.stuck(row, towards);
                return false;
            };
            let step =
                bound.minus(&self.value[self.basic[row]]).scaled(&(RBig::ONE / &self.rows[row][entering]));
            self.shift(entering, &step);
            self.pivot(row, entering);
        }
    }

    /// After [`assert`](Simplex::assert) or [`check`](Simplex::check) returned false: the bounds that exclude each other, including the
    /// one that was not added.
    pub fn conflict(&self) -> &[(usize, Side)] {
        &self.conflict
    }

    /// The bound of a basic unknown that its row cannot reach, and those that keep it away.
    fn stuck(&self, row: usize, towards: Side) -> Vec<(usize, Side)> {
        let factors = self.rows[row].iter().enumerate().filter(|it| !it.1.is_zero());
        let others = factors.map(|(unknown, factor)| (unknown, direction(factor, towards)));
        [(self.basic[row], direction(&-RBig::ONE, towards))].into_iter().chain(others).collect()
    }

    /// Moves an unknown as far to one side as the bounds allow; `None` if it is unbounded. The values must be within the bounds, and
    /// stay there. This is the primal simplex with bounded unknowns.
    pub fn optimum(&mut self, unknown: usize, towards: Side) -> Option<Near> {
        loop {
            let (entering, side) = match self.row_of[unknown] {
                None => (unknown, towards),
                Some(row) => match self.helpful(row, towards) {
                    None => return Some(self.value[unknown].clone()),
                    Some(entering) => (entering, direction(&self.rows[row][entering], towards)),
                },
            };
            // The nearest bound that stops the movement: that of the unknown itself, or of a basic one.
            let mut nearest = self.room(entering, side).map(|room| (room, entering, None));
            for (row, factors) in self.rows.iter().enumerate() {
                let (factor, basic) = (&factors[entering], self.basic[row]);
                if factor.is_zero() {
                    continue;
                }
                if let Some(room) = self.room(basic, direction(factor, side)) {
                    let room = room.scaled(&(RBig::ONE / magnitude(factor)));
                    if nearest.as_ref().is_none_or(|(least, index, _)| (&room, basic) < (least, *index)) {
                        nearest = Some((room, basic, Some(row)));
                    }
                }
            }
            let (room, _, row) = nearest?;
            let step = match side {
                Side::Lower => room.scaled(&-RBig::ONE),
                Side::Upper => room,
            };
            self.shift(entering, &step);
            match row {
                Some(row) => self.pivot(row, entering),
                None if entering == unknown => return Some(self.value[unknown].clone()),
                None => {}
            }
        }
    }

    /// The first unknown of a row that can move the basic one to a side.
    fn helpful(&self, row: usize, towards: Side) -> Option<usize> {
        self.rows[row].iter().enumerate().find_map(|(unknown, factor)| {
            let can = !factor.is_zero() && self.has_room(unknown, direction(factor, towards));
            can.then_some(unknown)
        })
    }

    fn has_room(&self, unknown: usize, side: Side) -> bool {
        match side {
            Side::Lower => self.lower[unknown].as_ref().is_none_or(|bound| self.value[unknown] > *bound),
            Side::Upper => self.upper[unknown].as_ref().is_none_or(|bound| self.value[unknown] < *bound),
        }
    }

    /// The distance of an unknown from its bound; `None` if there is no bound.
    fn room(&self, unknown: usize, side: Side) -> Option<Near> {
        match side {
            Side::Lower => self.lower[unknown].as_ref().map(|bound| self.value[unknown].minus(bound)),
            Side::Upper => self.upper[unknown].as_ref().map(|bound| bound.minus(&self.value[unknown])),
        }
    }

    /// Adds a step to the value of a nonbasic unknown.
    fn shift(&mut self, unknown: usize, step: &Near) {
        self.value[unknown].add_scaled(&RBig::ONE, step);
        for (row, &basic) in self.rows.iter().zip(&self.basic) {
            if !row[unknown].is_zero() {
                self.value[basic].add_scaled(&row[unknown], step);
            }
        }
    }

    /// Makes `entering` basic in place of the basic unknown of a row.
    fn pivot(&mut self, row: usize, entering: usize) {
        let leaving = self.basic[row];
        let mut solved = std::mem::take(&mut self.rows[row]);
        let inverse = RBig::ONE / std::mem::take(&mut solved[entering]);
        let opposite = -inverse.clone();
        for factor in solved.iter_mut().filter(|factor| !factor.is_zero()) {
            *factor *= &opposite;
        }
        solved[leaving] = inverse;
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let share = std::mem::take(&mut other[entering]);
            if !share.is_zero() {
                for (factor, extra) in other.iter_mut().zip(&solved).filter(|(_, extra)| !extra.is_zero()) {
                    *factor += &share * extra;
                }
            }
        }
        self.rows[row] = solved;
        self.basic[row] = entering;
        self.row_of[entering] = Some(row);
        self.row_of[leaving] = None;
    }
}

/// The direction of an unknown that moves its multiple to a side.
fn direction(factor: &RBig, towards: Side) -> Side {
    match (*factor < RBig::ZERO, towards) {
        (false, side) => side,
        (true, Side::Lower) => Side::Upper,
        (true, Side::Upper) => Side::Lower,
    }
}

fn magnitude(factor: &RBig) -> RBig {
    if *factor < RBig::ZERO { -factor.clone() } else { factor.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i32) -> RBig {
        RBig::from(n)
    }

    /// Unknowns 0 and 1, their sum 2 and their difference 3.
    fn plane(bounds: &[Literal]) -> Simplex {
        let sum = [(0, number(1)), (1, number(1))];
        let difference = [(0, number(1)), (1, number(-1))];
        let mut simplex = Simplex::new([None, None, Some(&sum[..]), Some(&difference[..])].into_iter());
        assert!(bounds.iter().all(|bound| simplex.assert(bound)));
        simplex
    }

    fn least(unknown: usize, n: i32) -> Literal {
        Literal::at_least(unknown, number(n))
    }

    fn most(unknown: usize, n: i32) -> Literal {
        Literal::at_most(unknown, number(n))
    }

    #[test]
    fn feasibility() {
        for (bounds, expected) in [
            (vec![least(0, 1), least(1, 1), least(2, 3)], true),
            (vec![most(0, 1), most(1, 1), least(2, 3)], false),
            (vec![most(0, 1), most(1, 1), least(2, 2), least(3, 0)], true),
            (vec![most(0, 1), most(1, 1), least(2, 2), least(3, 1)], false),
            (vec![least(2, 0), most(2, 0), least(3, 4), most(3, 4), most(0, 1)], false),
        ] {
            let mut simplex = plane(&bounds);
            assert_eq!(simplex.check(), expected, "{bounds:?}");
            assert!(!expected || bounds.iter().all(|bound| bound.holds(simplex.value(bound.unknown))));
            // What excludes each other does so alone.
            let named = |it: &&Literal| simplex.conflict().contains(&(it.unknown, it.side));
            let reasons: Vec<Literal> = bounds.iter().filter(named).cloned().collect();
            assert!(expected || !plane(&reasons).check(), "{bounds:?}");
            simplex.undo(0);
            assert!(simplex.check());
        }
    }

    #[test]
    fn optima() {
        let bounds = [least(0, -1), most(2, 7), least(3, 1), least(1, 0)];
        for (unknown, towards, expected) in [
            (0, Side::Lower, Some(1)),
            (0, Side::Upper, Some(7)),
            (1, Side::Upper, Some(3)),
            (2, Side::Lower, Some(1)),
            (3, Side::Upper, Some(7)),
        ] {
            let mut simplex = plane(&bounds);
            assert!(simplex.check());
            assert_eq!(simplex.optimum(unknown, towards), expected.map(|n| number(n).into()), "{unknown}");
        }
        let mut simplex = plane(&[least(2, 7)]);
        assert!(simplex.check());
        assert_eq!(simplex.optimum(0, Side::Lower), None);
        assert_eq!(simplex.optimum(2, Side::Lower), Some(number(7).into()));
    }
}
