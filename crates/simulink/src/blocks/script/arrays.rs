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
        self.deeper(|machine| machine.value_of(expression, guard))
    }

    fn value_of(&mut self, expression: &Expression, guard: Expr) -> Outcome<Array> {
        match &expression.kind {
            Kind::Number(number) => Ok(Array::scalar(Class::Double, self.work.real(*number)?)),
            Kind::Function(..) => Err(Fault::hint(
                "a function handle is not supported here",
                "give it a name in a statement of its own",
            )),
            Kind::Imaginary(_) => Err(Fault::new("complex numbers are not supported")),
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
                let last = self.value(last, guard)?;
                let end = last.only()?;
                let end = self.constant(end)?;
                self.counted(range, end, last.class)
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
            // A text is a row of letters.
            Kind::Text(text) => {
                let scalars: Vec<Expr> = text
                    .chars()
                    .take(MAX_ELEMENTS)
                    .map(|it| self.work.ratio(i64::from(u32::from(it)), 1))
                    .collect();
                let columns = scalars.len();
                Ok(Array { class: Class::Double, rows: columns.min(1), columns, scalars })
            }
            Kind::Cell(_) | Kind::Colon | Kind::End => {
                Err(Fault::new("its code has a cell or an index alone"))
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

    /// The numbers of a range up to a number of a class.
    pub(super) fn counted(&mut self, range: (f64, f64, Class), last: f64, class: Class) -> Outcome<Array> {
        let (first, step, class) = (range.0, range.1, common(range.2, class));
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
            "nargin" => {
                let given = self.frame().given;
                Ok(Array::scalar(Class::Double, self.work.ratio(given as i64, 1)))
            }
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
                // Nothing beside something is left out.
                if next.scalars.is_empty() {
                    continue;
                }
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
            Unary::Transpose | Unary::Adjoint => {
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

    /// What indices select, each in its dimension; one index goes over all elements.
    fn picks(&mut self, whole: &Array, indices: &[Expression], guard: Expr) -> Outcome<Vec<Pick>> {
        let sizes = match indices.len() {
            1 => vec![whole.scalars.len()],
            2 => vec![whole.rows, whole.columns],
            _ => return Err(Fault::new("an index does not have one or two dimensions")),
        };
        indices.iter().zip(sizes).map(|(index, size)| self.pick(index, size, guard)).collect()
    }

    fn pick(&mut self, index: &Expression, size: usize, guard: Expr) -> Outcome<Pick> {
        if index.kind == Kind::Colon {
            return Ok(Pick::Places((0..size).collect()));
        }
        let value = self.value(&ended(index, size), guard)?;
        let numbers = value.scalars.iter().map(|it| self.constant(*it)).collect::<Outcome<Vec<f64>>>();
        let numbers = match (numbers, value.class, &value.scalars[..]) {
            (Ok(numbers), ..) => numbers,
            (Err(_), Class::Boolean, scalars) if scalars.len() == size => {
                return Ok(Pick::Mask(value.scalars));
            }
            (Err(_), _, &[only]) if value.class != Class::Boolean => {
                let (place, first) = (self.work.real_of(only), self.work.ratio(-1, 1));
                return Ok(Pick::Signal(self.pool().add(place, first)));
            }
            (Err(fault), ..) => return Err(fault),
        };
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
        Ok(Pick::Places(numbers.into_iter().map(place).collect::<Outcome<_>>()?))
    }

    fn indexed(&mut self, whole: &Array, indices: &[Expression], guard: Expr) -> Outcome<Array> {
        let picks = self.picks(whole, indices, guard)?;
        let size = whole.rows;
        if let [Pick::Signal(place)] = picks[..] {
            let value = selection::pick(self.work, place, &whole.scalars)?;
            return Ok(Array::scalar(whole.class, value));
        }
        let mut dimensions = Vec::new();
        for pick in &picks {
            dimensions.push(pick.places()?);
        }
        let (rows, columns) = match &dimensions[..] {
            [places] => {
                let scalars: Vec<Expr> = places.iter().flatten().map(|it| whole.scalars[*it]).collect();
                let (rows, columns) = self.form_of(whole, &indices[0], scalars.len(), guard)?;
                return Ok(Array { class: whole.class, rows, columns, scalars });
            }
            [rows, columns] => (rows, columns),
            _ => return Err(Fault::new("an index does not have one or two dimensions")),
        };
        let mut scalars = Vec::new();
        for column in columns {
            for row in rows {
                // A signal chooses among all rows or columns.
                let of_column = |machine: &mut Self, column: usize| {
                    let own = &whole.scalars[column * size..(column + 1) * size];
                    match (row, &picks[0]) {
                        (Some(row), _) => Ok(own[*row]),
                        (None, Pick::Signal(place)) => selection::pick(machine.work, *place, own),
                        (None, _) => Err(Fault::new("there is nothing to select from")),
                    }
                };
                scalars.push(match (column, &picks[1]) {
                    (Some(column), _) => of_column(self, *column)?,
                    (None, Pick::Signal(place)) => {
                        let each =
                            (0..whole.columns).map(|it| of_column(self, it)).collect::<Outcome<Vec<_>>>()?;
                        selection::pick(self.work, *place, &each)?
                    }
                    (None, _) => return Err(Fault::new("there is nothing to select from")),
                });
            }
        }
        Ok(Array { class: whole.class, rows: rows.len(), columns: columns.len(), scalars })
    }

    /// The size of what one index selects: everything is a column, a part of a vector has its direction, and other parts have the size
    /// of the index.
    fn form_of(
        &mut self,
        whole: &Array,
        index: &Expression,
        count: usize,
        guard: Expr,
    ) -> Outcome<(usize, usize)> {
        if index.kind == Kind::Colon {
            return Ok((count, 1));
        }
        let index = self.value(&ended(index, whole.scalars.len()), guard)?;
        let is_vector = whole.is_vector() && whole.scalars.len() != 1;
        Ok(match index.is_vector() {
            true if is_vector && whole.rows == 1 => (1, count),
            true if is_vector => (count, 1),
            true if index.rows == 1 && index.scalars.len() > 1 => (1, count),
            // A mask of a matrix selects a column.
            _ if index.class == Class::Boolean || index.scalars.len() != count => (count, 1),
            _ => index.size(),
        })
    }

    /// Sets the elements that indices select to values, or all of them to one.
    pub(super) fn put_at(
        &mut self,
        name: &str,
        whole: &mut Array,
        indices: &[Expression],
        value: &Array,
        guard: Expr,
    ) -> Outcome<()> {
        let picks = self.picks(whole, indices, guard)?;
        if let [Pick::Mask(mask)] = &picks[..] {
            let new = value.only()?;
            let new = self.converted(new, whole.class);
            for (slot, chosen) in whole.scalars.iter_mut().zip(mask) {
                *slot = self.work.pool().ite(*chosen, new, *slot);
            }
            return Ok(());
        }
        let (rows, columns) = match &picks[..] {
            [all] => (all.places()?, vec![Some(0)]),
            [rows, columns] => (rows.places()?, columns.places()?),
            _ => return Err(Fault::new("an index does not have one or two dimensions")),
        };
        if value.scalars.len() != 1 && value.scalars.len() != rows.len() * columns.len() {
            return Err(Fault::new(format!("the number of values for `{name}` does not match its indices")));
        }
        let height = if picks.len() == 1 { whole.scalars.len() } else { whole.rows };
        let selected = columns.iter().flat_map(|column| rows.iter().map(move |row| (*row, *column)));
        for (number, (row, column)) in selected.enumerate() {
            let new = self.converted(value.at(number), whole.class);
            if let (Some(row), Some(column)) = (row, column) {
                whole.scalars[column * height + row] = new;
                continue;
            }
            for place in 0..whole.scalars.len() {
                let (here, there) = (place % height.max(1), place / height.max(1));
                let mut chosen = Vec::new();
                for (dimension, wanted, at) in [(0, row, here), (1, column, there)] {
                    match (wanted, picks.get(dimension)) {
                        (Some(wanted), _) => chosen.push(self.pool().bool(wanted == at)),
                        (None, Some(Pick::Signal(signal))) => {
                            let at = self.work.ratio(at as i64, 1);
                            chosen.push(self.pool().eq(*signal, at));
                        }
                        (None, _) => {}
                    }
                }
                let chosen = self.pool().and(chosen);
                whole.scalars[place] = self.pool().ite(chosen, new, whole.scalars[place]);
            }
        }
        Ok(())
    }
}

/// What an index selects in its dimension.
enum Pick {
    /// Places, from 0.
    Places(Vec<usize>),
    /// One place, from 0, that is a signal.
    Signal(Expr),
    /// The places at which each of these holds.
    Mask(Vec<Expr>),
}

impl Pick {
    /// The places; one that is not known for a signal.
    fn places(&self) -> Outcome<Vec<Option<usize>>> {
        match self {
            Pick::Places(places) => Ok(places.iter().copied().map(Some).collect()),
            Pick::Signal(_) => Ok(vec![None]),
            Pick::Mask(_) => Err(Fault::hint(
                "a mask that is a signal selects a number of elements that is not known",
                "set them to one value, or use a loop",
            )),
        }
    }
}

/// An index in which `end` is the size.
pub(super) fn ended(index: &Expression, size: usize) -> Expression {
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
        Kind::Number(_)
        | Kind::Imaginary(_)
        | Kind::Text(_)
        | Kind::Name(_)
        | Kind::Colon
        | Kind::Cell(_)
        | Kind::Function(..)
        | Kind::At(..) => {}
    }
}
