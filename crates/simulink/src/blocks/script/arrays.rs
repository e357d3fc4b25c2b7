//! Values of MATLAB code: arrays of fixed size, their operators, indices and functions.

use super::Machine;
use super::structs::dotted;
use crate::blocks::functions::{of_one, of_two};
use crate::blocks::logic::relation;
use crate::blocks::{formula, selection};
use crate::matlab::{Binary, Expression, Index, Kind, Unary};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use system::{Expr, Node, Pool, Type};

/// The maximum number of elements of an array.
const MAX_ELEMENTS: usize = 10_000;

/// An array, by columns.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) class: Class,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) scalars: Vec<Expr>,
}

impl Array {
    fn scalar(class: Class, value: Expr) -> Array {
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
    fn at(&self, place: usize) -> Expr {
        self.scalars[if self.scalars.len() == 1 { 0 } else { place }]
    }

    fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }
}

/// The one of two arrays that gives the result its size, if they match.
fn like<'a>(a: &'a Array, b: &'a Array) -> Outcome<&'a Array> {
    match (a.scalars.len(), b.scalars.len()) {
        (_, 1) => Ok(a),
        (1, _) => Ok(b),
        _ if a.size() == b.size() => Ok(a),
        _ => Err(Fault::new("the sizes of two arrays do not match")),
    }
}

/// The class of a result: integers win, then singles; Booleans are numbers.
fn common(a: Class, b: Class) -> Class {
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
    /// A number in a class: integers round to the nearest and saturate.
    pub(super) fn converted(&mut self, value: Expr, class: Class) -> Expr {
        let real = self.pool().type_of(value) == Type::Real;
        let value =
            if real && matches!(class, Class::Integer(..)) { self.work.round("Round", value) } else { value };
        self.work.saturated(class, value)
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
                let first = self.number(first, guard)?;
                let step = step.as_ref().map_or(Ok(1.0), |it| self.number(it, guard))?;
                let last = self.number(last, guard)?;
                let count = ((last - first) / step + 1e-9).floor() + 1.0;
                if count.is_nan() || count > MAX_ELEMENTS as f64 {
                    return Err(Fault::new("a range is too long"));
                }
                let count = count.max(0.0) as usize;
                let number = |it: usize| self.work.real(first + step * it as f64);
                let scalars = (0..count).map(number).collect::<Outcome<_>>()?;
                Ok(Array { class: Class::Double, rows: 1, columns: count, scalars })
            }
            Kind::Matrix(rows) => self.matrix(rows, guard),
            Kind::At(inner, Index::Call(arguments)) => match dotted(inner) {
                Some(name) if self.is_variable(&name) => {
                    let whole = self.variable(&name)?;
                    self.indexed(&whole, arguments, guard)
                }
                Some(name) if !name.contains('.') => self.function(&name, arguments, guard),
                _ => Err(Fault::new("an index of something that is not a variable is not supported")),
            },
            Kind::At(_, Index::Field(_)) => {
                let name = dotted(expression).filter(|it| self.is_variable(it));
                let name = name.ok_or_else(|| Fault::new("a field is not known here"))?;
                self.variable(&name)
            }
            Kind::At(_, Index::Cell(_)) => {
                Err(Fault::hint("cells are not supported", "use variables of their own"))
            }
            Kind::Text(_) | Kind::Cell(_) | Kind::Colon | Kind::End => {
                Err(Fault::new("its code has a text, a cell or an index alone"))
            }
        }
    }

    /// The value of an expression that is one constant number.
    fn number(&mut self, expression: &Expression, guard: Expr) -> Outcome<f64> {
        let value = self.value(expression, guard)?.only()?;
        self.constant(value)
    }

    fn is_variable(&mut self, name: &str) -> bool {
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
    fn constant(&mut self, value: Expr) -> Outcome<f64> {
        match self.pool().node(value) {
            Node::Real(number) => Ok(number.to_f64().value()),
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

    fn unary(&mut self, operator: Unary, a: Array) -> Array {
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

    fn binary(&mut self, operator: Binary, a: &Array, b: &Array) -> Outcome<Array> {
        let of_arrays = a.scalars.len() != 1 && b.scalars.len() != 1;
        match operator {
            Binary::Times if of_arrays => return self.product(a, b),
            Binary::Over | Binary::Under | Binary::Power if of_arrays => {
                return Err(Fault::new("quotients and powers of matrices are not supported"));
            }
            _ => {}
        }
        let like = like(a, b)?;
        let class = if is_of_truth(operator) { Class::Boolean } else { common(a.class, b.class) };
        let mut scalars = Vec::new();
        for place in 0..like.scalars.len() {
            let value = formula::binary(self.work, operator, a.at(place), b.at(place))?;
            scalars.push(self.converted(value, class));
        }
        Ok(Array { class, rows: like.rows, columns: like.columns, scalars })
    }

    fn product(&mut self, a: &Array, b: &Array) -> Outcome<Array> {
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

    fn sum_of_products(&mut self, terms: &[(Expr, Expr)]) -> Expr {
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
        let mut places = Vec::new();
        for scalar in value.scalars {
            let number = self.constant(scalar)?;
            if number.fract() != 0.0 || number < 1.0 || number > size as f64 {
                return Err(Fault::new(format!(
                    "the index {number} is outside of an array of {size} elements"
                )));
            }
            places.push(number as usize - 1);
        }
        Ok(places)
    }

    fn indexed(&mut self, whole: &Array, indices: &[Expression], guard: Expr) -> Outcome<Array> {
        // One index that is a signal selects by comparison.
        if let [index] = indices
            && index.kind != Kind::Colon
            && let [only] = self.value(&ended(index, whole.scalars.len()), guard)?.scalars[..]
            && self.constant(only).is_err()
        {
            let (place, shift) = (self.work.real_of(only), self.work.ratio(-1, 1));
            let place = self.pool().add(place, shift);
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

    fn function(&mut self, name: &str, arguments: &[Expression], guard: Expr) -> Outcome<Array> {
        if let ("isempty", [Expression { kind: Kind::Name(variable), .. }]) = (name, arguments)
            && let Some(state) = self.frame().persistent.get(variable).cloned()
        {
            let set = self.persistent.get(&state).map_or(Pool::FALSE, |it| it.is_set);
            return Ok(Array::scalar(Class::Boolean, self.pool().not(set)));
        }
        let functions = self.functions;
        if let Some(function) = functions.iter().find(|it| it.name == name) {
            let variables = self.arguments(function, arguments, guard)?;
            let first = self.call(function, variables, guard)?.into_iter().next();
            return first.ok_or_else(|| Fault::new(format!("the function `{name}` has no output")));
        }
        let values: Vec<Array> = arguments.iter().map(|it| self.value(it, guard)).collect::<Outcome<_>>()?;
        if let Some(class) = Class::named(name) {
            let [value] = &values[..] else { return Err(Fault::new("a conversion has one argument")) };
            let scalars = value.scalars.iter().map(|it| self.converted(*it, class)).collect();
            return Ok(Array { class, scalars, ..*value });
        }
        if let Some(found) = self.of_arrays(name, &values)? {
            return Ok(found);
        }
        // Element by element.
        let (like, class) = match &values[..] {
            [a] => (a, common(a.class, Class::Double)),
            [a, b] => (like(a, b)?, common(a.class, b.class)),
            _ => {
                let message =
                    format!("the function `{name}` is not supported with {} arguments", values.len());
                return Err(Fault::new(message));
            }
        };
        let mut scalars = Vec::new();
        for place in 0..like.scalars.len() {
            let value = match &values[..] {
                [a, b] => of_two(self.work, name, a.at(place), b.at(place))?,
                _ => of_one(self.work, name, like.scalars[place])?,
            };
            scalars.push(self.converted(value, class));
        }
        Ok(Array { class, rows: like.rows, columns: like.columns, scalars })
    }

    /// Functions of whole arrays; none if it is another one.
    fn of_arrays(&mut self, name: &str, values: &[Array]) -> Outcome<Option<Array>> {
        let is_vector = |a: &Array| a.rows == 1 || a.columns == 1;
        let count =
            |machine: &mut Self, it: usize| Array::scalar(Class::Double, machine.work.ratio(it as i64, 1));
        Ok(Some(match (name, values) {
            ("zeros" | "ones" | "eye", sizes) => self.filled(name, sizes)?,
            ("numel", [a]) => count(self, a.scalars.len()),
            ("length", [a]) => count(self, if a.scalars.is_empty() { 0 } else { a.rows.max(a.columns) }),
            ("isempty", [a]) => {
                let empty = self.pool().bool(a.scalars.is_empty());
                Array::scalar(Class::Boolean, empty)
            }
            ("size", [a]) => {
                let scalars = [a.rows, a.columns].map(|it| self.work.ratio(it as i64, 1)).to_vec();
                Array { class: Class::Double, rows: 1, columns: 2, scalars }
            }
            ("size", [a, along]) => {
                let along = along.only()?;
                let along = self.constant(along)?;
                count(self, if along == 1.0 { a.rows } else { a.columns })
            }
            ("sum" | "prod" | "any" | "all" | "min" | "max", [a]) if is_vector(a) => self.folded(name, a)?,
            ("isequal", [a, b]) => {
                let same = a.size() == b.size();
                let mut all = vec![self.pool().bool(same)];
                for (x, y) in a.scalars.iter().zip(&b.scalars).filter(|_| same) {
                    all.push(relation(self.work, "==", *x, *y)?);
                }
                Array::scalar(Class::Boolean, self.pool().and(all))
            }
            ("dot", [a, b]) if a.scalars.len() == b.scalars.len() => {
                let terms: Vec<(Expr, Expr)> =
                    a.scalars.iter().copied().zip(b.scalars.iter().copied()).collect();
                let (sum, class) = (self.sum_of_products(&terms), common(a.class, b.class));
                Array::scalar(class, self.converted(sum, class))
            }
            _ => return Ok(None),
        }))
    }

    fn filled(&mut self, name: &str, sizes: &[Array]) -> Outcome<Array> {
        let mut all = Vec::new();
        for size in sizes.iter().flat_map(|it| it.scalars.clone()) {
            all.push(self.constant(size)?.clamp(0.0, 1e6) as usize);
        }
        let (rows, columns) = match all[..] {
            [] => (1, 1),
            [n] => (n, n),
            [rows, columns] => (rows, columns),
            _ => return Err(Fault::new("an array has more than two dimensions")),
        };
        if rows * columns > MAX_ELEMENTS {
            return Err(Fault::new("an array is too large"));
        }
        let entry = |place: usize| match name {
            "zeros" => 0,
            "ones" => 1,
            _ => i64::from(place % rows == place / rows),
        };
        let scalars = (0..rows * columns).map(|it| self.work.ratio(entry(it), 1)).collect();
        Ok(Array { class: Class::Double, rows, columns, scalars })
    }

    /// The elements of a vector taken together.
    fn folded(&mut self, name: &str, a: &Array) -> Outcome<Array> {
        let truth = matches!(name, "any" | "all");
        let class = match a.class {
            _ if truth => Class::Boolean,
            Class::Boolean => Class::Double,
            class => class,
        };
        let mut result: Option<Expr> = None;
        for &scalar in &a.scalars {
            let next = if truth { self.work.truth_of(scalar) } else { self.work.whole_of(scalar) };
            result = Some(match result {
                None => next,
                Some(before) => {
                    let [x, y] = if truth { [before, next] } else { self.work.common([before, next]) };
                    let pool = self.work.pool();
                    match name {
                        "sum" => pool.add(x, y),
                        "prod" => pool.mul(x, y),
                        "any" => pool.or([x, y]),
                        "all" => pool.and([x, y]),
                        "min" => pool.min(x, y),
                        _ => pool.max(x, y),
                    }
                }
            });
        }
        let result = result.ok_or_else(|| Fault::new(format!("`{name}` of nothing is not supported")))?;
        Ok(Array::scalar(class, self.converted(result, class)))
    }
}

fn is_of_truth(operator: Binary) -> bool {
    match operator {
        Binary::Or
        | Binary::And
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Equal
        | Binary::NotEqual => true,
        Binary::Add
        | Binary::Subtract
        | Binary::Times
        | Binary::Over
        | Binary::Under
        | Binary::EachTimes
        | Binary::EachOver
        | Binary::EachUnder
        | Binary::Power
        | Binary::EachPower => false,
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
