//! Functions of matrices that MATLAB code calls: factors, solutions of equations, and matrices from others.

use super::Machine;
use super::arrays::{Array, MAX_ELEMENTS, common};
use super::functions::is_text;
use crate::blocks::formula;
use crate::blocks::functions::of_one;
use crate::matlab::{Binary, Expression, Index, Kind};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use system::Expr;

/// The maximum order of a matrix that is factored.
const MAX_ORDER: usize = 20;

impl Machine<'_, '_, '_> {
    /// A function of matrices; none if it is another one.
    pub(super) fn of_matrices(&mut self, name: &str, values: &[Array]) -> Outcome<Option<Array>> {
        Ok(Some(match (name, values) {
            ("chol", [a]) => self.factor(a)?,
            ("linsolve" | "mldivide", [a, b]) => self.binary(Binary::Under, a, b)?,
            ("mrdivide", [a, b]) => self.binary(Binary::Over, a, b)?,
            ("mtimes", [a, b]) => self.binary(Binary::Times, a, b)?,
            ("kron", [a, b]) => {
                let (rows, columns) = (a.rows * b.rows, a.columns * b.columns);
                if rows.saturating_mul(columns) > MAX_ELEMENTS {
                    return Err(Fault::new("an array is too large"));
                }
                let class = common(a.class, b.class);
                let mut scalars = Vec::new();
                for place in 0..rows * columns {
                    let (row, column) = (place % rows, place / rows);
                    let x = a.scalars[column / b.columns * a.rows + row / b.rows];
                    let y = b.scalars[column % b.columns * b.rows + row % b.rows];
                    let value = formula::binary(self.work, Binary::Times, x, y)?;
                    scalars.push(self.converted(value, class));
                }
                Array { class, rows, columns, scalars }
            }
            ("blkdiag", all) if !all.is_empty() => {
                let class = all.iter().map(|it| it.class).reduce(common).unwrap_or_default();
                let (rows, columns) =
                    all.iter().fold((0, 0), |(rows, columns), it| (rows + it.rows, columns + it.columns));
                if rows.saturating_mul(columns) > MAX_ELEMENTS {
                    return Err(Fault::new("an array is too large"));
                }
                let mut scalars = vec![self.work.constant(0.0, class)?; rows * columns];
                let (mut down, mut right) = (0, 0);
                for part in all {
                    for (place, scalar) in part.scalars.iter().enumerate() {
                        let at = (right + place / part.rows) * rows + down + place % part.rows;
                        scalars[at] = self.converted(*scalar, class);
                    }
                    (down, right) = (down + part.rows, right + part.columns);
                }
                Array { class, rows, columns, scalars }
            }
            ("trapz", [y]) if y.is_vector() => self.area(None, y)?,
            ("trapz", [x, y]) if y.is_vector() && x.scalars.len() == y.scalars.len() => {
                self.area(Some(x), y)?
            }
            ("sind" | "cosd" | "tand", [a]) => {
                let radians = self.scaled(a, 1f64.to_radians())?;
                self.each(&name[..3], &[radians])?
            }
            ("asind" | "acosd" | "atand", [a]) => {
                let radians = self.each(&name[..4], std::slice::from_ref(a))?;
                self.scaled(&radians, 1f64.to_degrees())?
            }
            ("atan2d", [a, b]) => {
                let radians = self.each("atan2", &[a.clone(), b.clone()])?;
                self.scaled(&radians, 1f64.to_degrees())?
            }
            ("sec" | "csc" | "cot", [a]) => {
                let under = match name {
                    "sec" => "cos",
                    "csc" => "sin",
                    _ => "tan",
                };
                let under = self.each(under, std::slice::from_ref(a))?;
                let one = Array::scalar(Class::Double, self.work.ratio(1, 1));
                self.binary(Binary::EachOver, &one, &under)?
            }
            ("wrapToPi", [a]) => self.wrapped(a)?,
            _ => return Ok(None),
        }))
    }

    /// `linsolve(A, B, struct('LT', true))`: a part of the matrix counts.
    pub(super) fn solved(
        &mut self,
        a: &Expression,
        b: &Expression,
        options: &Expression,
        guard: Expr,
    ) -> Outcome<Array> {
        let (mut a, b) = (self.value(a, guard)?, self.value(b, guard)?);
        let half = match &options.kind {
            Kind::At(function, Index::Call(all)) if function.name() == Some("struct") => match &all[..] {
                [option, Expression { kind: Kind::Name(truth), .. }] if truth == "true" => {
                    ["LT", "UT"].into_iter().find(|it| is_text(option, it))
                }
                _ => None,
            },
            _ => None,
        };
        let Some(half) = half else {
            let hint = "use `struct('LT', true)` or `struct('UT', true)`, or leave them out";
            return Err(Fault::hint("these options of `linsolve` are not supported", hint));
        };
        let zero = self.work.constant(0.0, a.class)?;
        let rows = a.rows.max(1);
        for (place, scalar) in a.scalars.iter_mut().enumerate() {
            let (row, column) = (place % rows, place / rows);
            if if half == "LT" { column > row } else { column < row } {
                *scalar = zero;
            }
        }
        self.binary(Binary::Under, &a, &b)
    }

    fn scaled(&mut self, a: &Array, factor: f64) -> Outcome<Array> {
        let factor = Array::scalar(Class::Double, self.work.real(factor)?);
        self.binary(Binary::EachTimes, a, &factor)
    }

    /// The upper triangular factor of a symmetric matrix, R' R = A; only its upper half is read.
    fn factor(&mut self, a: &Array) -> Outcome<Array> {
        let order = a.rows;
        if a.columns != order || order > MAX_ORDER {
            return Err(Fault::new(format!("`chol` needs a square matrix of up to {MAX_ORDER} rows")));
        }
        let class = common(a.class, Class::Double);
        let zero = self.work.constant(0.0, class)?;
        let mut factor = vec![zero; order * order];
        for row in 0..order {
            for column in row..order {
                let terms: Vec<(Expr, Expr)> =
                    (0..row).map(|k| (factor[row * order + k], factor[column * order + k])).collect();
                let sum = self.sum_of_products(&terms);
                let entry = self.work.real_of(a.scalars[column * order + row]);
                let rest = formula::binary(self.work, Binary::Subtract, entry, sum)?;
                let value = match row == column {
                    true => of_one(self.work, "sqrt", rest)?,
                    false => formula::binary(self.work, Binary::Over, rest, factor[row * order + row])?,
                };
                factor[column * order + row] = self.converted(value, class);
            }
        }
        Ok(Array { class, rows: order, columns: order, scalars: factor })
    }

    /// The area under lines from point to point; without places, these are one apart.
    fn area(&mut self, x: Option<&Array>, y: &Array) -> Outcome<Array> {
        let mut sum = Array::scalar(Class::Double, self.work.ratio(0, 1));
        let half = Array::scalar(Class::Double, self.work.ratio(1, 2));
        let entry = |of: &Array, at: usize| Array::scalar(of.class, of.scalars[at]);
        for place in 1..y.scalars.len() {
            let both = self.binary(Binary::Add, &entry(y, place - 1), &entry(y, place))?;
            let mut part = self.binary(Binary::EachTimes, &both, &half)?;
            if let Some(x) = x {
                let width = self.binary(Binary::Subtract, &entry(x, place), &entry(x, place - 1))?;
                part = self.binary(Binary::EachTimes, &part, &width)?;
            }
            sum = self.binary(Binary::Add, &sum, &part)?;
        }
        Ok(sum)
    }

    /// Angles between -pi and pi. Outside, odd multiples of pi keep their sign.
    fn wrapped(&mut self, a: &Array) -> Outcome<Array> {
        let pi = Array::scalar(Class::Double, self.work.real(std::f64::consts::PI)?);
        let full = self.scaled(&pi, 2.0)?;
        let shifted = self.binary(Binary::Add, a, &pi)?;
        let rest = self.each("mod", &[shifted.clone(), full.clone()])?;
        let class = common(a.class, Class::Double);
        let mut scalars = Vec::new();
        for place in 0..a.scalars.len() {
            let at = |of: &Array| Array::scalar(of.class, of.at(place));
            let zero = Array::scalar(Class::Double, self.work.ratio(0, 1));
            let is_whole = self.binary(Binary::Equal, &at(&rest), &zero)?.only()?;
            let is_positive = self.binary(Binary::Greater, &at(&shifted), &zero)?.only()?;
            let inner = self.binary(Binary::Subtract, &at(&rest), &pi)?.only()?;
            let own = self.work.real_of(a.scalars[place]);
            let is_high = self.binary(Binary::Greater, &at(a), &pi)?.only()?;
            let low = self.scaled(&pi, -1.0)?;
            let is_low = self.binary(Binary::Less, &at(a), &low)?.only()?;
            let pool = self.pool();
            let at_end = pool.and([is_whole, is_positive]);
            let is_outside = pool.or([is_high, is_low]);
            let turned = pool.ite(at_end, pi.scalars[0], inner);
            let value = pool.ite(is_outside, turned, own);
            scalars.push(self.converted(value, class));
        }
        Ok(Array { class, scalars, ..*a })
    }
}
