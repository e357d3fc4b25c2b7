//! The value of an expression, and the effect of an assignment. The size of every intermediate value counts against a budget, so that
//! a short text cannot cause long work.

use super::handle::Handle;
use super::matrix::{self, LARGEST, Places};
use super::object::{object, plain};
use super::parse::{Binary, Expression, Index, Kind, Unary};
use super::{Error, Lookup, Variable, call, complex, linear};
use crate::value::{Matrix, Value};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The maximum nesting of cells and structs.
const NESTING: usize = 16;

/// Calls a function that is not built in; none if there is no function of that name.
pub(super) type Functions<'a> = &'a dyn Fn(&str, &[Value]) -> Option<Result<Value, Error>>;

/// The value of an expression.
pub(super) fn value(
    expression: &Expression,
    lookup: Lookup<'_>,
    functions: Functions<'_>,
    fuel: &Cell<usize>,
) -> Result<Value, Error> {
    Evaluation { lookup, functions, fuel, end: None, calls: 0 }.value(expression)
}

/// The variable that an assignment sets, with its new value as a whole.
pub(super) fn assign(
    target: &Expression,
    value: &Expression,
    lookup: Lookup<'_>,
    functions: Functions<'_>,
    fuel: &Cell<usize>,
) -> Result<(String, Value), Error> {
    let evaluation = Evaluation { lookup, functions, fuel, end: None, calls: 0 };
    let new = evaluation.whole(value)?;
    let mut steps = vec![];
    let mut target = target;
    while let Kind::At(inner, index) = &target.kind {
        steps.push((index, target.at));
        target = inner;
    }
    let Kind::Name(name) = &target.kind else {
        return Err(Error::new(target.at, "only a variable, its parts and its fields can be assigned to"));
    };
    steps.reverse();
    if steps.is_empty() {
        return Ok((name.clone(), new));
    }
    let old = lookup(name).map(|old| evaluation.known(old, name, target.at)).transpose()?;
    let whole = evaluation.put(old, &steps, new)?;
    evaluation.pay(&whole, target.at)?;
    Ok((name.clone(), whole))
}

/// An evaluation in progress.
#[derive(Clone, Copy)]
struct Evaluation<'a> {
    lookup: Lookup<'a>,
    functions: Functions<'a>,
    fuel: &'a Cell<usize>,
    /// What `end` means here.
    end: Option<usize>,
    /// The number of function handles that are being called.
    calls: usize,
}

impl Evaluation<'_> {
    fn value(self, expression: &Expression) -> Result<Value, Error> {
        self.whole(expression).map(plain)
    }

    /// The value of an expression; an object as a whole.
    fn whole(self, expression: &Expression) -> Result<Value, Error> {
        if self.fuel.get() == 0 {
            return Err(Error::new(expression.at, "earlier values reached the size limit"));
        }
        if let Kind::Name(name) = &expression.kind
            && let Some(variable) = (self.lookup)(name)
        {
            return self.known(variable, name, expression.at);
        }
        let found = self.unpaid(expression)?;
        self.pay(&found, expression.at)?;
        Ok(found)
    }

    /// The value of a variable, which is counted before it is copied.
    fn known(self, variable: Variable, name: &str, at: usize) -> Result<Value, Error> {
        let unknown = || Error::new(at, format!("the earlier value of `{name}` is not known here"));
        let value = variable.ok_or_else(|| unknown().hint("set it to a constant"))?;
        self.pay(&value, at)?;
        Ok(Rc::unwrap_or_clone(value))
    }

    fn pay(self, value: &Value, at: usize) -> Result<(), Error> {
        let weight = weight(value, NESTING).filter(|weight| *weight <= LARGEST);
        let left = weight.and_then(|weight| self.fuel.get().checked_sub(weight));
        // A value that is too large also uses up the budget.
        self.fuel.set(left.unwrap_or(self.fuel.get().saturating_sub(LARGEST)));
        left.map(drop).ok_or_else(|| Error::new(at, "the value is too large or nested too deeply"))
    }

    fn unpaid(self, expression: &Expression) -> Result<Value, Error> {
        let at = expression.at;
        let wrong = |error: Error| error.placed(at);
        match &expression.kind {
            Kind::Number(number) => Ok(Value::scalar(*number)),
            Kind::Imaginary(number) => Ok(complex::imaginary(*number)),
            Kind::Function(parameters, body) => {
                Ok(Value::Function(Box::new(Handle::new(parameters.as_deref(), body, self.lookup))))
            }
            Kind::Text(text) => Ok(Value::Text(text.clone())),
            // A function that takes arguments may hide a variable of its name that is not there.
            Kind::Name(name) => self.call(name, &[]).map_err(|error| {
                let missing = error.missing.clone().or_else(|| Some(name.clone()));
                wrong(Error { missing, ..error })
            }),
            Kind::Colon => Ok(Value::Text(":".into())),
            Kind::End => match self.end {
                Some(end) => Ok(Value::scalar(end as f64)),
                None => Err(wrong("`end` can only be used inside an index".into())),
            },
            Kind::Matrix(rows) => self.rows(rows, at),
            Kind::Cell(elements) => {
                Ok(Value::Cell(elements.iter().map(|element| self.value(element)).collect::<Result<_, _>>()?))
            }
            Kind::Unary(operator, operand) => {
                let operand = self.value(operand)?;
                match (&operand, operator) {
                    (Value::Complex(complex), _) => complex::unary(*operator, complex),
                    (system, Unary::Minus) if linear::is_system(system) => linear::negative(system),
                    _ => numbers(operand).and_then(|it| matrix::unary(*operator, &it)).map(Value::Matrix),
                }
                .map_err(wrong)
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                if let (Value::Text(a), Value::Text(b), Binary::Equal) = (&left, &right, operator)
                    && a.len() != b.len()
                {
                    return Err(wrong(
                        "texts of different lengths cannot be compared with `==`; use `strcmp`".into(),
                    ));
                }
                if linear::is_system(&left) || linear::is_system(&right) {
                    return linear::binary(*operator, &left, &right).map_err(wrong);
                }
                if matches!((&left, &right), (Value::Complex(_), _) | (_, Value::Complex(_))) {
                    return complex::binary(*operator, left, right).map_err(wrong);
                }
                let (left, right) = (numbers(left).map_err(wrong)?, numbers(right).map_err(wrong)?);
                matrix::binary(*operator, &left, &right).map(Value::Matrix).map_err(wrong)
            }
            Kind::Range(first, step, last) => {
                let step = step.as_ref().map_or(Ok(1.0), |step| self.number(step))?;
                range(self.number(first)?, step, self.number(last)?).map(Value::Matrix).map_err(wrong)
            }
            Kind::At(inner, Index::Call(arguments)) => {
                if let Some(class) = self.class(inner) {
                    let values = arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<_>, _>>()?;
                    return object(class, &values).map_err(wrong);
                }
                if let Kind::Name(name) = &inner.kind
                    && (self.lookup)(name).is_none()
                {
                    let values = arguments
                        .iter()
                        .map(|argument| self.value(argument))
                        .collect::<Result<Vec<_>, _>>()?;
                    return self.call(name, &values).map_err(|error| error.placed(inner.at));
                }
                let base = self.value(inner)?;
                self.part(&base, arguments, at)
            }
            Kind::At(inner, Index::Cell(arguments)) => match self.value(inner)? {
                Value::Cell(elements) => {
                    let place = self.only(arguments, elements.len(), at)?;
                    elements
                        .into_iter()
                        .nth(place)
                        .ok_or_else(|| wrong("the index is outside the cell array".into()))
                }
                _ => Err(wrong("only a cell array can be indexed with braces".into())),
            },
            Kind::At(_, Index::Field(_)) if self.class(expression).is_some() => {
                object(self.class(expression).unwrap_or_default(), &[]).map_err(wrong)
            }
            Kind::At(inner, Index::Field(field)) => match self.whole(inner)? {
                value @ Value::Struct(_) => {
                    let own = linear::field(&value, field).to_owned();
                    let Value::Struct(fields) = value else {
                        return Err(wrong("there are no fields".into()));
                    };
                    let found = fields.into_iter().find(|(name, _)| *name == own).map(|(_, value)| value);
                    found.ok_or_else(|| wrong(format!("there is no field `{field}`").into()))
                }
                _ => Err(wrong(format!("only a struct has fields, such as `{field}`").into())),
            },
        }
    }

    /// The value of a function handle.
    fn apply(self, handle: &Handle, arguments: Vec<Value>) -> Result<Value, Error> {
        if let Some(name) = handle.named() {
            return self.call(name, &arguments);
        }
        let parameters = handle.parameters.as_deref().unwrap_or_default();
        if arguments.len() > parameters.len() || self.calls >= NESTING {
            return Err("the function cannot be called in this way".into());
        }
        let given = parameters.iter().zip(arguments).map(|(name, value)| (name.as_str(), Rc::new(value)));
        let given: BTreeMap<&str, Rc<Value>> = given.collect();
        let lookup = |name: &str| match given.get(name) {
            Some(value) => Some(Some(value.clone())),
            None => handle.captured.get(name).cloned(),
        };
        Evaluation { lookup: &lookup, end: None, calls: self.calls + 1, ..self }.value(&handle.body)
    }

    fn call(self, name: &str, arguments: &[Value]) -> Result<Value, Error> {
        if let ("feval", [Value::Function(handle), rest @ ..]) = (name, arguments) {
            return self.apply(handle, rest.to_vec());
        }
        let found = call::function(name, arguments).or_else(|| (self.functions)(name, arguments));
        found.unwrap_or_else(|| Err(unknown(name)))
    }

    /// The name of a class of Simulink: `Simulink.Bus`.
    fn class(self, expression: &Expression) -> Option<&str> {
        match &expression.kind {
            Kind::At(inner, Index::Field(class))
                if inner.name() == Some("Simulink") && (self.lookup)("Simulink").is_none() =>
            {
                Some(class)
            }
            _ => None,
        }
    }

    /// The part of a value that indices choose.
    fn part(self, base: &Value, arguments: &[Expression], at: usize) -> Result<Value, Error> {
        let wrong = |error: Error| error.placed(at);
        match base {
            Value::Matrix(matrix) => {
                let places = self.places(matrix, arguments)?;
                matrix::get(matrix, &places).map(Value::Matrix).map_err(wrong)
            }
            Value::Complex(complex) => {
                let places = self.places(&complex.real, arguments)?;
                complex::get(complex, &places).map_err(wrong)
            }
            Value::Text(text) => {
                let codes = codes(text);
                let places = self.places(&codes, arguments)?;
                let chosen = matrix::get(&codes, &places).map_err(wrong)?;
                let letter = |&code: &f64| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                Ok(Value::Text(chosen.entries.iter().map(letter).collect()))
            }
            // An array of structs is a cell of structs.
            Value::Cell(elements) => {
                let place = self.only(arguments, elements.len(), at)?;
                let found = elements.get(place).cloned();
                found.ok_or_else(|| wrong("the index is outside the cell array".into()))
            }
            Value::Function(handle) => {
                let values = arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<_>, _>>()?;
                self.apply(handle, values).map_err(wrong)
            }
            Value::Struct(_) => match self.only(arguments, 1, at)? {
                0 => Ok(base.clone()),
                _ => Err(wrong("a single struct only has index 1".into())),
            },
        }
    }

    fn places(self, matrix: &Matrix, arguments: &[Expression]) -> Result<Vec<Places>, Error> {
        let extents = matrix::extents(matrix, arguments.len());
        let place = |(argument, &extent): (&Expression, &usize)| {
            if argument.kind == Kind::Colon {
                return Ok(Places::All);
            }
            let inner = Evaluation { end: Some(extent), ..self };
            matrix::places(&inner.numbers(argument)?).map_err(|error| error.placed(argument.at))
        };
        arguments.iter().zip(&extents).map(place).collect()
    }

    /// The single position of an index, from 0.
    fn only(self, arguments: &[Expression], end: usize, at: usize) -> Result<usize, Error> {
        let wrong = || Error::new(at, "the index must be one integer");
        let mut place = 0;
        for argument in arguments {
            let number = Evaluation { end: Some(end), ..self }.number(argument)?;
            if !(1.0..=LARGEST as f64).contains(&number) || number.fract() != 0.0 {
                return Err(wrong());
            }
            place = place.max(number as usize - 1);
        }
        if arguments.is_empty() { Err(wrong()) } else { Ok(place) }
    }

    /// A value with a part of it replaced.
    fn put(self, old: Option<Value>, steps: &[(&Index, usize)], new: Value) -> Result<Value, Error> {
        let Some(((step, at), rest)) = steps.split_first() else { return Ok(new) };
        let wrong = |message: &str| Error::new(*at, message);
        match step {
            Index::Field(field) => {
                let mut fields = match old {
                    None => vec![],
                    // What is empty may become a struct.
                    Some(Value::Matrix(matrix)) if matrix.entries.is_empty() => vec![],
                    Some(Value::Struct(fields)) => fields,
                    Some(_) => return Err(wrong("only a struct has fields")),
                };
                match fields.iter_mut().find(|(name, _)| name == field) {
                    Some((_, value)) => *value = self.put(Some(value.clone()), rest, new)?,
                    None => fields.push((field.clone(), self.put(None, rest, new)?)),
                }
                Ok(Value::Struct(fields))
            }
            // An array of structs is a cell of structs.
            Index::Call(arguments) if rest.is_empty() && !matches!(new, Value::Struct(_)) => {
                let mut matrix = match old {
                    None => Matrix { dimensions: vec![0, 0], ..Matrix::default() },
                    Some(Value::Matrix(matrix)) => matrix,
                    Some(_) => return Err(wrong("only parts of matrices can be assigned to")),
                };
                let places = self.places(&matrix, arguments)?;
                let new = numbers(new).map_err(|error| error.placed(*at))?;
                matrix::set(&mut matrix, &places, &new).map_err(|error| error.placed(*at))?;
                Ok(Value::Matrix(matrix))
            }
            Index::Call(arguments) | Index::Cell(arguments) => {
                let mut cells = match old {
                    None => vec![],
                    Some(Value::Cell(cells)) => cells,
                    Some(only @ Value::Struct(_)) => vec![only],
                    Some(_) => return Err(wrong("only a cell array has elements")),
                };
                let place = self.only(arguments, cells.len(), *at)?;
                if place >= cells.len() {
                    let empty = Matrix { dimensions: vec![0, 0], ..Matrix::default() };
                    cells.resize(place + 1, Value::Matrix(empty));
                }
                let old = cells.get(place).cloned().filter(|_| !rest.is_empty());
                if let Some(cell) = cells.get_mut(place) {
                    *cell = self.put(old, rest, new)?;
                }
                Ok(Value::Cell(cells))
            }
        }
    }

    fn numbers(self, expression: &Expression) -> Result<Matrix, Error> {
        numbers(self.value(expression)?).map_err(|error| error.placed(expression.at))
    }

    fn number(self, expression: &Expression) -> Result<f64, Error> {
        let matrix = self.numbers(expression)?;
        matrix.single().ok_or_else(|| Error::new(expression.at, "expected one number"))
    }

    fn rows(self, rows: &[Vec<Expression>], at: usize) -> Result<Value, Error> {
        let wrong = |error: Error| error.placed(at);
        let mut found = vec![];
        for row in rows {
            let values = row.iter().map(|element| self.value(element)).collect::<Result<Vec<Value>, _>>()?;
            found.push(values);
        }
        if found.iter().flatten().any(|value| matches!(value, Value::Struct(_))) {
            return Ok(Value::Cell(found.into_iter().flatten().collect()));
        }
        if let [row] = &found[..]
            && row.iter().any(|value| matches!(value, Value::Text(_)))
        {
            let text = |value: &Value| match value {
                Value::Text(text) => Ok(text.clone()),
                _ => Err(wrong("a text can only be joined with other texts".into())),
            };
            return Ok(Value::Text(row.iter().map(text).collect::<Result<String, _>>()?));
        }
        if found.iter().flatten().any(|value| matches!(value, Value::Complex(_))) {
            let rows = found.into_iter().map(|row| complex::join(row, 1)).collect::<Result<_, _>>();
            return rows.and_then(|rows| complex::join(rows, 0)).map_err(wrong);
        }
        let joined = |row: Vec<Value>| {
            let parts = row.into_iter().map(numbers).collect::<Result<Vec<Matrix>, Error>>()?;
            call::join(&parts, 1)
        };
        let rows = found.into_iter().map(joined).collect::<Result<Vec<Matrix>, Error>>().map_err(wrong)?;
        call::join(&rows, 0).map(Value::Matrix).map_err(wrong)
    }
}

/// The number of entries, where an empty dimension counts as one; none if values are nested too deeply.
fn weight(value: &Value, left: usize) -> Option<usize> {
    Some(
        1 + match value {
            Value::Matrix(matrix) => {
                let sizes = matrix.dimensions.iter().map(|&size| size.max(1));
                sizes.reduce(usize::saturating_mul).filter(|&all| all <= LARGEST)?
            }
            Value::Complex(complex) => 2 * complex.real.entries.len(),
            Value::Text(text) => text.len() / 8,
            Value::Struct(fields) => {
                let left = left.checked_sub(1)?;
                fields.iter().map(|(_, value)| weight(value, left)).sum::<Option<usize>>()?
            }
            Value::Function(handle) => {
                let left = left.checked_sub(1)?;
                handle.values().map(|value| weight(value, left)).sum::<Option<usize>>()?
            }
            Value::Cell(cells) => {
                let left = left.checked_sub(1)?;
                cells.iter().map(|value| weight(value, left)).sum::<Option<usize>>()?
            }
        },
    )
}

/// A value as numbers; texts are codes of characters.
pub(super) fn numbers(value: Value) -> Result<Matrix, Error> {
    match value {
        Value::Matrix(matrix) => Ok(matrix),
        Value::Complex(_) => Err("expected real numbers, found complex numbers".into()),
        Value::Text(text) => Ok(codes(&text)),
        Value::Function(_) => Err("expected numbers, found a function".into()),
        Value::Struct(_) => Err("expected numbers, found a struct".into()),
        Value::Cell(_) => Err("expected numbers, found a cell array".into()),
    }
}

fn codes(text: &str) -> Matrix {
    Matrix::row(text.chars().map(|c| f64::from(u32::from(c))).collect())
}

/// `first:step:last`. The last number may be off by a few rounding errors.
fn range(first: f64, step: f64, last: f64) -> Result<Matrix, Error> {
    let count = ((last - first) / step * (1.0 + 4.0 * f64::EPSILON)).floor() + 1.0;
    if step == 0.0 || count.is_nan() || count < 1.0 {
        return Ok(Matrix { dimensions: vec![1, 0], ..Matrix::default() });
    }
    if count > LARGEST as f64 {
        return Err("the range has too many numbers".into());
    }
    Ok(Matrix::row((0..count as usize).map(|k| first + k as f64 * step).collect()))
}

fn unknown(name: &str) -> Error {
    let error = Error::from(format!("`{name}` is not a known variable or function"))
        .hint(format!("give a data file (`.mat`, `.m`) with `{name}`, or set it in the model"));
    Error { missing: Some(name.to_owned()), ..error }
}
