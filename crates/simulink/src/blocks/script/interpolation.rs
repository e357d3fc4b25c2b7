//! `interp1` with a table of constants.

use super::Machine;
use super::arrays::{Array, common};
use crate::matlab::{Expression, Kind};
use crate::plan::{Fault, Outcome};
use crate::value::{Class, Matrix, Value};
use system::Expr;

impl Machine<'_, '_, '_> {
    /// `interp1(x, y, at, 'linear', 'extrap')`, or with a value outside of the table. Without either, the result is not a number there.
    pub(super) fn interpolated(&mut self, arguments: &[Expression], guard: Expr) -> Outcome<Array> {
        let [xs, ys, at, options @ ..] = arguments else {
            return Err(Fault::hint("`interp1` needs points, values and an input", "give all three"));
        };
        let (xs, ys, at) = (self.value(xs, guard)?, self.value(ys, guard)?, self.value(at, guard)?);
        let (mut outside, mut is_extended) = (None, false);
        for option in options {
            match &option.kind {
                Kind::Text(text) if text == "linear" => {}
                Kind::Text(text) if text == "extrap" => is_extended = true,
                Kind::Text(text) => {
                    let message = format!("the method `{text}` of `interp1` is not supported");
                    return Err(Fault::hint(message, "use `linear`"));
                }
                _ => outside = Some(self.value(option, guard)?.only()?),
            }
        }
        let inputs: Outcome<Vec<f64>> = at.scalars.iter().map(|it| self.constant(*it)).collect();
        let [Ok(points), Ok(values)] = [&xs, &ys]
            .map(|it| it.scalars.iter().map(|it| self.constant(*it)).collect::<Outcome<Vec<f64>>>())
        else {
            return Err(Fault::hint("the table of `interp1` is not constant", "use constants there"));
        };
        if let (Ok(inputs), true) = (inputs, options.is_empty()) {
            let row = |it: Vec<f64>| Value::Matrix(Matrix::row(it));
            let found = self.of_constants("interp1", &[row(points), row(values), row(inputs)])?;
            return Ok(Array { rows: at.rows, columns: at.columns, ..found });
        }
        let is_table = points.len() == values.len() && points.len() > 1;
        if !is_table || points.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Fault::new("`interp1` needs as many values as points, and points that increase"));
        }
        if outside.is_none() && !is_extended {
            let message = "`interp1` is not a number outside of its table";
            return Err(Fault::hint(message, "add 'extrap', or the value there"));
        }
        let class = common(at.class, Class::Double);
        let mut scalars = Vec::new();
        for x in &at.scalars {
            let x = self.work.real_of(*x);
            let mut y = None;
            // From the last part to the first, so that the first one that reaches as far as x counts.
            for part in (0..points.len() - 1).rev() {
                let line = self.line(&points[part..part + 2], &values[part..part + 2], x)?;
                let end = self.work.real(points[part + 1])?;
                y = Some(match y {
                    None => line,
                    Some(after) => {
                        let before = self.pool().le(x, end);
                        self.pool().ite(before, line, after)
                    }
                });
            }
            let mut y = y.ok_or_else(|| Fault::new("`interp1` needs a table"))?;
            if let Some(outside) = outside {
                let (first, last) = (self.work.real(points[0])?, self.work.real(points[points.len() - 1])?);
                let outside = self.work.real_of(outside);
                let pool = self.pool();
                let (below, above) = (pool.lt(x, first), pool.lt(last, x));
                let beyond = pool.or([below, above]);
                y = pool.ite(beyond, outside, y);
            }
            scalars.push(self.converted(y, class));
        }
        Ok(Array { class, scalars, ..at })
    }

    /// The line through two points of a table.
    fn line(&mut self, xs: &[f64], ys: &[f64], x: Expr) -> Outcome<Expr> {
        let [x0, x1, y0, y1] = [xs[0], xs[1], ys[0], ys[1]].map(|it| self.work.real(it));
        let (x0, x1, y0, y1) = (x0?, x1?, y0?, y1?);
        let pool = self.pool();
        let (rise, run, along) = (pool.sub(y1, y0), pool.sub(x1, x0), pool.sub(x, x0));
        let slope = pool.div(rise, run);
        let more = pool.mul(slope, along);
        Ok(pool.add(y0, more))
    }
}
