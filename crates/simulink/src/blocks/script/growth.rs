//! Arrays that grow: `x(end+1) = 1`, `a(2, 3) = 1`, also of variables that are not there yet. What is new is zero.
//!
//! This is so in interpreted functions, at statements that always run, so that sizes are known everywhere. In MATLAB Function blocks,
//! Simulink refuses it.

use super::Machine;
use super::arrays::{Array, MAX_ELEMENTS, ended};
use crate::matlab::{Expression, Kind};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use system::{Expr, Pool};

impl Machine<'_, '_, '_> {
    /// Whether a statement runs whenever its function does.
    pub(super) fn is_certain(&mut self, guard: Expr) -> bool {
        guard == Pool::TRUE || self.frame().entry == Some(guard)
    }

    /// Sets the elements of a variable that indices select.
    pub(super) fn put_into(
        &mut self,
        name: &str,
        indices: &[Expression],
        value: &Array,
        guard: Expr,
    ) -> Outcome<()> {
        let is_kept = self.state_of(name).is_some() || self.frame().fixed.contains(name);
        let may_grow = self.grows && !is_kept && self.is_certain(guard);
        let mut whole = match may_grow && !self.is_variable(name) {
            true => Array { class: value.class, rows: 0, columns: 0, scalars: Vec::new() },
            false => self.variable(name)?,
        };
        // The end is that of the array as it was.
        let sizes =
            if indices.len() == 1 { vec![whole.scalars.len()] } else { vec![whole.rows, whole.columns] };
        let indices: Vec<Expression> = match indices.len() == sizes.len() {
            true => indices.iter().zip(sizes).map(|(index, size)| ended(index, size)).collect(),
            false => indices.to_vec(),
        };
        if may_grow {
            whole = self.room(whole, &indices, guard)?;
        }
        self.put_at(name, &mut whole, &indices, value, guard)?;
        self.set(name, whole, guard)
    }

    /// An array with room for the elements that indices select.
    fn room(&mut self, whole: Array, indices: &[Expression], guard: Expr) -> Outcome<Array> {
        let (rows, columns) = match indices {
            [index] => {
                let Some(last) = self.greatest(index, guard)? else { return Ok(whole) };
                match whole.size() {
                    _ if last <= whole.scalars.len() => return Ok(whole),
                    (0, _) | (_, 0) | (1, _) => (1, last),
                    (_, 1) => (last, 1),
                    _ => return Ok(whole),
                }
            }
            [row, column] => {
                let rows = self.greatest(row, guard)?.unwrap_or(0).max(whole.rows);
                let columns = self.greatest(column, guard)?.unwrap_or(0).max(whole.columns);
                (rows, columns)
            }
            _ => return Ok(whole),
        };
        if rows.saturating_mul(columns) > MAX_ELEMENTS {
            return Err(Fault::new("an array is too large"));
        }
        let zero = self.work.constant(0.0, whole.class)?;
        let entry = |place: usize| {
            let (row, column) = (place % rows.max(1), place / rows.max(1));
            let is_old = row < whole.rows && column < whole.columns;
            if is_old { whole.scalars[column * whole.rows + row] } else { zero }
        };
        Ok(Array { class: whole.class, rows, columns, scalars: (0..rows * columns).map(entry).collect() })
    }

    /// The greatest of some constant indices; none for everything, for a mask, and for signals.
    fn greatest(&mut self, index: &Expression, guard: Expr) -> Outcome<Option<usize>> {
        if index.kind == Kind::Colon {
            return Ok(None);
        }
        let value = self.value(index, guard)?;
        let numbers = value.scalars.iter().map(|it| self.constant(*it)).collect::<Outcome<Vec<f64>>>();
        let is_place = |it: &f64| it.fract() == 0.0 && (1.0..=MAX_ELEMENTS as f64).contains(it);
        Ok(match numbers {
            Ok(numbers) if value.class != Class::Boolean && numbers.iter().all(is_place) => {
                numbers.into_iter().map(|it| it as usize).max()
            }
            _ => None,
        })
    }
}
