//! Objects that scripts make: parameters, types and buses of Simulink, and time series. An object is a struct with the name of its class.

use super::Error;
use crate::value::{Matrix, Value};

/// The field with the name of the class.
pub(super) const CLASS: &str = "$class";

/// A new object of a class `Simulink.NAME`.
pub(super) fn object(name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let text = |text: &str| Value::Text(text.to_owned());
    let first = || arguments.first().cloned();
    let empty = || Value::Matrix(Matrix { dimensions: vec![0, 0], ..Matrix::default() });
    let fields = match name {
        "Parameter" => vec![("Value", first().unwrap_or_else(empty)), ("DataType", text("auto"))],
        "Signal" => {
            let initial = ("InitialValue", text(""));
            vec![("DataType", text("auto")), ("Dimensions", Value::scalar(-1.0)), initial]
        }
        "AliasType" => vec![("BaseType", first().unwrap_or_else(|| text("double")))],
        "Variant" | "VariantExpression" => vec![("Condition", first().unwrap_or_else(|| text("")))],
        "Bus" => vec![("Elements", Value::Cell(Vec::new()))],
        "BusElement" => {
            vec![("Name", text("a")), ("DataType", text("double")), ("Dimensions", Value::scalar(1.0))]
        }
        other => return Err(format!("objects of the class `Simulink.{other}` are not known").into()),
    };
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    Ok(Value::Struct(std::iter::once((CLASS.to_owned(), text(name))).chain(fields).collect()))
}

/// A time series: values with their times, which are 0, 1, 2 … if they are not given.
pub(super) fn series(arguments: &[Value]) -> Result<Value, Error> {
    let (data, rest) = match arguments {
        [Value::Matrix(data), rest @ ..] => (data, rest),
        _ => return Err("the values of a time series are not numbers".into()),
    };
    let (time, rest) = match rest {
        [Value::Matrix(time), rest @ ..] => (time.clone(), rest),
        rest => {
            // A row has a value for each time, as a column has.
            let is_long = data.dimensions.len() > 2 || data.rows() == 1;
            let count = if is_long { data.dimensions.last().copied().unwrap_or(0) } else { data.rows() };
            let entries = (0..count).map(|it| it as f64).collect();
            (Matrix { dimensions: vec![count, 1], entries, ..Matrix::default() }, rest)
        }
    };
    match rest {
        [] => {}
        [Value::Text(name), Value::Text(_)] if name.eq_ignore_ascii_case("name") => {}
        _ => return Err("only values, times and a name of a time series are known".into()),
    }
    let class = (CLASS.to_owned(), Value::Text("timeseries".to_owned()));
    let parts = [("Time", Value::Matrix(time)), ("Data", Value::Matrix(data.clone()))];
    Ok(Value::Struct([class].into_iter().chain(parts.map(|(name, it)| (name.to_owned(), it))).collect()))
}

/// A field of an object of a class.
pub(crate) fn field<'v>(value: &'v Value, class: &str, name: &str) -> Option<&'v Value> {
    let Value::Struct(fields) = value else { return None };
    let of = |name: &str| fields.iter().find(|(other, _)| other == name).map(|(_, value)| value);
    of(CLASS).filter(|it| **it == Value::Text(class.to_owned()))?;
    of(name)
}

/// What a value stands for in an expression: a parameter is its value.
pub(super) fn plain(value: Value) -> Value {
    match field(&value, "Parameter", "Value") {
        Some(inner) => inner.clone(),
        None => value,
    }
}
