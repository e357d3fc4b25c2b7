//! Values of MATLAB code: arrays of fixed size, their operators, indices and functions.

use super::Machine;
use super::structs::dotted;
use crate::blocks::{formula, selection};
use crate::matlab::{Binary, Expression, Index, Kind, Unary};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use system::{Expr, Node, Pool, Type};

/// The maximum number of elements of an array.
pub(super) const MAX_ELEMENTS: usize = 10_000;

/// An array, by columns.
#[derive(Clone, Debug)]
pub(in crate::blocks) struct Array {
    pub(in crate::blocks) class: Class,
    pub(in crate::blocks) rows: usize,
    pub(in crate::blocks) columns: usize,
    pub(in crate::blocks) scalars: Vec<Expr>,
}

impl Array {
    pub(super) fn scalar(class: Class, value: Expr) -> Array {
        Array { class, rows: 1, columns: 1, scalars: vec![value] }
    }

    /// The only element.
    pub(super) fn only(&self) -> Outcome<Expr> {
        match self.scalars[..] {
            [only] => Ok(only),
            _ => Err(Fault::new("an array is used where one number is wanted")),
        }
    }

    /// An element; a scalar is expanded.
    pub(super) fn at(&self, place: usize) -> Expr {
        self.scalars[if self.scalars.len() == 1 { 0 } else { place }]
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    pub(super) fn is_vector(&self) -> bool {
        self.rows == 1 || self.columns == 1
    }
}

/// The one of two arrays that gives the result its size, if they match.
pub(super) fn like<'a>(a: &'a Array, b: &'a Array) -> Outcome<&'a Array> {
    match (a.scalars.len(), b.scalars.len()) {
        (_, 1) => Ok(a),
        (1, _) => Ok(b),
        _ if a.size() == b.size() => Ok(a),
        _ => Err(Fault::new("the sizes of two arrays do not match")),
    }
}

/// The class of a result: integers win, then singles; Booleans are numbers.
pub(super) fn common(a: Class, b: Class) -> Class {
    match (a, b) {
        (Class::Integer(..), _) => a,
        (_, Class::Integer(..)) => b,
        (Class::Single, _) | (_, Class::Single) => Class::Single,
        _ => Class::Double,
    }
}

/// The class of elements side by side.
fn joined(a: Class, b: Class) -> Class {
    if a == b { a } else { common(a, b) }
}

impl Machine<'_, '_, '_> {
    /// A number in a class: integers round to the nearest, and saturate or wrap around.
    pub(super) fn converted(&mut self, value: Expr, class: Class) -> Expr {
        let real = self.pool().type_of(value) == Type::Real;
        let value =
            if real && matches!(class, Class::Integer(..)) { self.work.round("Round", value) } else { value };
        if self.wraps { self.work.wrapped(class, value) } else { self.work.saturated(class, value) }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expression: &Expression, guard: Expr) -> Outcome<Array> {
        match &expression.kind {
            Kind::Number(number) => Ok(Array::scalar(Class::Double, self.work.real(*number)?)),
            Kind::Name(name) => self.named(name, guard),
            Kind::Unary(operator, operand) => {
                let a = self.value(operand, guard)?;
                Ok(self.unary(*operator, a))
            }
            Kind::Binary(operator, left, right) => {
                let (a, b) = (self.value(left, guard)?, self.value(right, guard)?);
                self.binary(*operator, &a, &b)
            }
            Kind::Range(first, step, last) => {
                let range = self.range(first, step.as_deref(), guard)?;
                let last = self.number(last, guard)?;
                self.counted(&range, last)
            }
            Kind::Matrix(rows) => self.matrix(rows, guard),
            Kind::At(inner, Index::Call(arguments)) => match dotted(inner) {
                Some(name) if self.is_variable(&name) => {
                    let whole = self.variable(&name)?;
                    self.indexed(&whole, arguments, guard)
                }
                Some(name) if !name.contains('.') || name.starts_with("coder.") => {
                    self.function(&name, arguments, guard)
                }
                _ => Err(Fault::new("an index of something that is not a variable is not supported")),
            },
            Kind::At(_, Index::Field(_)) => {
                let name = dotted(expression).ok_or_else(|| Fault::new("a field is not known here"))?;
                if self.is_variable(&name) {
                    return self.variable(&name);
                }
                // A literal of an enumeration.
                let literal = self.block.matrix(&name).and_then(|it| Some((it.single()?, it.class)));
                let (number, class) = literal.ok_or_else(|| Fault::new("a field is not known here"))?;
                Ok(Array::scalar(class, self.work.constant(number, class)?))
            }
            Kind::At(_, Index::Cell(_)) => {
                Err(Fault::hint("cells are not supported", "use variables of their own"))
            }
            Kind::Text(_) | Kind::Cell(_) | Kind::Colon | Kind::End => {
                Err(Fault::new("its code has a text, a cell or an index alone"))
            }
        }
    }

    /// The first number and the step of a range, and its class.
    pub(super) fn range(
        &mut self,
        first: &Expression,
        step: Option<&Expression>,
        guard: Expr,
    ) -> Outcome<(f64, f64, Class)> {
        let first = self.value(first, guard)?;
        let step = step.map(|it| self.value(it, guard)).transpose()?;
        let class = step.as_ref().map_or(first.class, |it| common(first.class, it.class));
        let first = first.only()?;
        let step = step.map_or(Ok(None), |it| it.only().map(Some))?;
        Ok((self.constant(first)?, step.map_or(Ok(1.0), |it| self.constant(it))?, class))
    }

    /// The numbers of a range.
    pub(super) fn counted(&mut self, range: &(f64, f64, Class), last: f64) -> Outcome<Array> {
        let (first, step, class) = *range;
        let count = ((last - first) / step + 1e-9).floor() + 1.0;
        if count.is_nan() || count > MAX_ELEMENTS as f64 {
            return Err(Fault::new("a range is too long"));
        }
        let count = count.max(0.0) as usize;
        let number = |it: usize| self.work.constant(first + step * it as f64, class);
        let scalars = (0..count).map(number).collect::<Outcome<_>>()?;
        Ok(Array { class, rows: 1, columns: count, scalars })
    }

    /// The value of an expression that is one constant number.
    pub(super) fn number(&mut self, expression: &Expression, guard: Expr) -> Outcome<f64> {
        let value = self.value(expression, guard)?.only()?;
        self.constant(value)
    }

    pub(super) fn is_variable(&mut self, name: &str) -> bool {
        let state = self.state_of(name);
        let kept = state.is_some_and(|it| self.persistent.contains_key(&it));
        kept || self.frame().variables.contains_key(name)
    }

    fn named(&mut self, name: &str, guard: Expr) -> Outcome<Array> {
        if self.is_variable(name) {
            return self.variable(name);
        }
        match name {
            "true" => Ok(Array::scalar(Class::Boolean, Pool::TRUE)),
            "false" => Ok(Array::scalar(Class::Boolean, Pool::FALSE)),
            "pi" => Ok(Array::scalar(Class::Double, self.work.real(std::f64::consts::PI)?)),
            _ => self.function(name, &[], guard),
        }
    }

    /// The number that an expression is, if it is a constant.
    pub(super) fn constant(&mut self, value: Expr) -> Outcome<f64> {
        match self.pool().node(value) {
            Node::Real(number) => Ok(number.to_f64().value()),
            Node::Machine(_, number) => Ok(*number as f64),
            Node::Bool(truth) => Ok(f64::from(u8::from(*truth))),
            _ => Err(Fault::hint("an index, a size or a range is not a constant", "use constants there")),
        }
    }

    fn matrix(&mut self, rows: &[Vec<Expression>], guard: Expr) -> Outcome<Array> {
        let mut lines: Vec<Array> = Vec::new();
        for row in rows {
            let mut line: Option<Array> = None;
            for element in row {
                let next = self.value(element, guard)?;
                line = Some(match line {
                    None => next,
                    Some(line) if line.rows == next.rows => Array {
                        class: joined(line.class, next.class),
                        rows: line.rows,
                        columns: line.columns + next.columns,
                        scalars: [line.scalars, next.scalars].concat(),
                    },
                    Some(_) => return Err(Fault::new("the rows of a matrix do not match")),
                });
            }
            lines.extend(line);
        }
        let columns = lines.first().map_or(0, |it| it.columns);
        if lines.iter().any(|it| it.columns != columns) {
            return Err(Fault::new("the columns of a matrix do not match"));
        }
        let class = lines.iter().map(|it| it.class).reduce(joined).unwrap_or_default();
        let mut scalars = Vec::new();
        for column in 0..columns {
            for line in &lines {
                let part = line.scalars[column * line.rows..(column + 1) * line.rows].to_vec();
                scalars.extend(part.into_iter().map(|it| self.converted(it, class)));
            }
        }
        Ok(Array { class, rows: lines.iter().map(|it| it.rows).sum(), columns, scalars })
    }

    pub(super) fn unary(&mut self, operator: Unary, a: Array) -> Array {
        let Array { class, rows, columns, scalars } = a;
        match operator {
            Unary::Plus => Array { class, rows, columns, scalars },
            Unary::Transpose => {
                let places = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
                Array { class, rows: columns, columns: rows, scalars: places.map(|it| scalars[it]).collect() }
            }
            Unary::Not => {
                let not = |it: Expr| {
                    let truth = self.work.truth_of(it);
                    self.work.pool().not(truth)
                };
                Array {
                    class: Class::Boolean,
                    rows,
                    columns,
                    scalars: scalars.into_iter().map(not).collect(),
                }
            }
            Unary::Minus => {
                let class = common(class, Class::Double);
                let negate = |it: Expr| {
                    let whole = self.work.whole_of(it);
                    let negative = self.work.pool().neg(whole);
                    self.converted(negative, class)
                };
                Array { class, rows, columns, scalars: scalars.into_iter().map(negate).collect() }
            }
        }
    }

    pub(super) fn binary(&mut self, operator: Binary, a: &Array, b: &Array) -> Outcome<Array> {
        let of_arrays = a.scalars.len() != 1 && b.scalars.len() != 1;
        match operator {
            Binary::Times if of_arrays => return self.product(a, b),
            // `a / b` is `a` times the inverse of `b`, and `a \ b` the inverse of `a` times `b`.
            Binary::Over if b.scalars.len() != 1 => {
                let inverse = self.inverse(b)?;
                return if of_arrays {
                    self.product(a, &inverse)
                } else {
                    self.binary(Binary::Times, a, &inverse)
                };
            }
            Binary::Under if a.scalars.len() != 1 => {
                let inverse = self.inverse(a)?;
                return if of_arrays {
                    self.product(&inverse, b)
                } else {
                    self.binary(Binary::Times, &inverse, b)
                };
            }
            Binary::Under | Binary::EachUnder => {
                let over = if operator == Binary::Under { Binary::Over } else { Binary::EachOver };
                return self.binary(over, b, a);
            }
            Binary::Power if a.scalars.len() != 1 || b.scalars.len() != 1 => {
                return Err(Fault::hint(
                    "powers of matrices are not supported",
                    "multiply them, or use `.^`",
                ));
            }
            _ => {}
        }
        let like = like(a, b)?;
        let class = if operator.is_of_truth() { Class::Boolean } else { common(a.class, b.class) };
        let mut scalars = Vec::new();
        for place in 0..like.scalars.len() {
            let value = formula::binary(self.work, operator, a.at(place), b.at(place))?;
            scalars.push(self.converted(value, class));
        }
        Ok(Array { class, rows: like.rows, columns: like.columns, scalars })
    }

    pub(super) fn product(&mut self, a: &Array, b: &Array) -> Outcome<Array> {
        if a.columns != b.rows {
            let (m, n, k, l) = (a.rows, a.columns, b.rows, b.columns);
            return Err(Fault::new(format!("a {m}x{n} matrix cannot be multiplied by a {k}x{l} matrix")));
        }
        self.work.reserve(a.rows * a.columns, b.columns)?;
        let class = common(a.class, b.class);
        let mut scalars = Vec::new();
        for column in 0..b.columns {
            for row in 0..a.rows {
                let terms =
                    (0..a.columns).map(|k| (a.scalars[k * a.rows + row], b.scalars[column * b.rows + k]));
                let sum = self.sum_of_products(&terms.collect::<Vec<_>>());
                scalars.push(self.converted(sum, class));
            }
        }
        Ok(Array { class, rows: a.rows, columns: b.columns, scalars })
    }

    pub(super) fn sum_of_products(&mut self, terms: &[(Expr, Expr)]) -> Expr {
        let mut sum = self.work.ratio(0, 1);
        for (x, y) in terms {
            let (x, y) = (self.work.real_of(*x), self.work.real_of(*y));
            let term = self.pool().mul(x, y);
            sum = self.pool().add(sum, term);
        }
        sum
    }

    /// The places that indices select, by columns, and the number of columns if there are two indices.
    pub(super) fn places(
        &mut self,
        whole: &Array,
        indices: &[Expression],
        guard: Expr,
    ) -> Outcome<(Vec<usize>, Option<usize>)> {
        match indices {
            [all] => Ok((self.along(all, whole.scalars.len(), guard)?, None)),
            [rows, columns] => {
                let rows = self.along(rows, whole.rows, guard)?;
                let columns = self.along(columns, whole.columns, guard)?;
                let places =
                    columns.iter().flat_map(|column| rows.iter().map(move |row| column * whole.rows + row));
                Ok((places.collect(), Some(columns.len())))
            }
            _ => Err(Fault::new("an index does not have one or two dimensions")),
        }
    }

    fn along(&mut self, index: &Expression, size: usize, guard: Expr) -> Outcome<Vec<usize>> {
        if index.kind == Kind::Colon {
            return Ok((0..size).collect());
        }
        let value = self.value(&ended(index, size), guard)?;
        let numbers = value.scalars.iter().map(|it| self.constant(*it)).collect::<Outcome<Vec<f64>>>()?;
        // A mask selects where it holds.
        let numbers: Vec<f64> = match value.class {
            Class::Boolean => (1..).zip(numbers).filter(|it| it.1 != 0.0).map(|it| f64::from(it.0)).collect(),
            _ => numbers,
        };
        let place = |number: f64| {
            let message = || format!("the index {number} is outside of an array of {size} elements");
            let fits = number.fract() == 0.0 && (1.0..=size as f64).contains(&number);
            if fits { Ok(number as usize - 1) } else { Err(Fault::new(message())) }
        };
        numbers.into_iter().map(place).collect()
    }

    /// The position from 0 that indices mean, each one number, of which one is a signal; none if they are something else.
    pub(super) fn signal_place(
        &mut self,
        whole: &Array,
        indices: &[Expression],
        guard: Expr,
    ) -> Outcome<Option<Expr>> {
        let sizes = match indices.len() {
            1 => vec![whole.scalars.len()],
            _ => vec![whole.rows, whole.columns],
        };
        let (mut place, mut is_signal, mut stride) = (self.work.ratio(0, 1), false, 1);
        for (index, size) in indices.iter().zip(&sizes) {
            if index.kind == Kind::Colon {
                return Ok(None);
            }
            let value = self.value(&ended(index, *size), guard)?;
            let [only] = value.scalars[..] else { return Ok(None) };
            if value.class == Class::Boolean {
                return Ok(None);
            }
            is_signal |= self.constant(only).is_err();
            let (index, first, factor) =
                (self.work.real_of(only), self.work.ratio(-1, 1), self.work.ratio(stride, 1));
            let steps = self.pool().add(index, first);
            let steps = self.pool().mul(steps, factor);
            place = self.pool().add(place, steps);
            stride *= *size as i64;
        }
        Ok(Some(place).filter(|_| is_signal && indices.len() == sizes.len()))
    }

    /// The mask that the only index is, if it is a signal.
    pub(super) fn signal_mask(
        &mut self,
        whole: &Array,
        indices: &[Expression],
        guard: Expr,
    ) -> Outcome<Option<Vec<Expr>>> {
        let [index] = indices else { return Ok(None) };
        if index.kind == Kind::Colon {
            return Ok(None);
        }
        let value = self.value(&ended(index, whole.scalars.len()), guard)?;
        let fits = value.class == Class::Boolean && value.scalars.len() == whole.scalars.len();
        let is_signal = value.scalars.iter().any(|it| self.constant(*it).is_err());
        Ok(Some(value.scalars).filter(|_| fits && is_signal))
    }

    fn indexed(&mut self, whole: &Array, indices: &[Expression], guard: Expr) -> Outcome<Array> {
        // An index that is a signal selects by comparison.
        if let Some(place) = self.signal_place(whole, indices, guard)? {
            let value = selection::pick(self.work, place, &whole.scalars)?;
            return Ok(Array::scalar(whole.class, value));
        }
        let (places, columns) = self.places(whole, indices, guard)?;
        let scalars: Vec<Expr> = places.iter().map(|it| whole.scalars[*it]).collect();
        let all = matches!(indices, [Expression { kind: Kind::Colon, .. }]);
        let (rows, columns) = match columns {
            Some(columns) => (scalars.len() / columns.max(1), columns),
            // A part of a row is a row; everything is a column.
            None if whole.rows == 1 && !all => (1, scalars.len()),
            None => (scalars.len(), 1),
        };
        Ok(Array { class: whole.class, rows, columns, scalars })
    }
}

/// An index in which `end` is the size.
fn ended(index: &Expression, size: usize) -> Expression {
    let mut index = index.clone();
    replace_end(&mut index, size);
    index
}

/// The parser limits the nesting, so this may recurse. An index inside an index has an end of its own.
fn replace_end(expression: &mut Expression, size: usize) {
    match &mut expression.kind {
        Kind::End => expression.kind = Kind::Number(size as f64),
        Kind::Unary(_, a) => replace_end(a, size),
        Kind::Binary(_, a, b) => {
            replace_end(a, size);
            replace_end(b, size);
        }
        Kind::Range(a, step, b) => {
            replace_end(a, size);
            step.iter_mut().for_each(|it| replace_end(it, size));
            replace_end(b, size);
        }
        Kind::Matrix(rows) => rows.iter_mut().flatten().for_each(|it| replace_end(it, size)),
        Kind::Number(_) | Kind::Text(_) | Kind::Name(_) | Kind::Colon | Kind::Cell(_) | Kind::At(..) => {}
    }
}
