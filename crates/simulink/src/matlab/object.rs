//! Objects of Simulink that scripts make: parameters, types and buses. An object is a struct with the name of its class.

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
