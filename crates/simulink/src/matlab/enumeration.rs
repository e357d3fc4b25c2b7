//! Enumerations: classes of files (`classdef Color < Simulink.IntEnumType`), and those that scripts define.
//!
//! An enumeration is an object whose fields are its literals, as integers of its class. Where Simulink needs a value and none is given, it
//! takes the default, where others are zero; so only enumerations whose default is zero are known.

use super::Error;
use super::lex::{Token, lex};
use super::object::CLASS;
use crate::value::{Class, Matrix, Value};

/// The field with the name of the class of the numbers.
const TYPE: &str = "$type";

/// The enumeration that the text of a file defines, with its name; none if it is not such a file.
pub(super) fn of_file(text: &str) -> Option<Result<(String, Value), Error>> {
    let tokens: Vec<Token> = lex(text).0.into_iter().map(|it| it.token).collect();
    let mut rest = tokens.iter().filter(|it| **it != Token::Newline);
    let word = |token: Option<&Token>| match token {
        Some(Token::Name(name)) => Some(name.clone()),
        _ => None,
    };
    if word(rest.next())? != "classdef" {
        return None;
    }
    let name = word(rest.next())?;
    if rest.next() != Some(&Token::Sign("<")) {
        return None;
    }
    let mut base = word(rest.next())?;
    let mut after = rest.clone();
    if let (Some(Token::Sign(".")), Some(inner)) = (after.next(), word(after.next())) {
        base = format!("{base}.{inner}");
    }
    let is_name = |token: &Token, name: &str| matches!(token, Token::Name(it) if it == name);
    let start = tokens.iter().position(|it| is_name(it, "enumeration"))? + 1;
    let length = tokens[start..].iter().position(|it| is_name(it, "end"))?;
    let mut literals = Vec::new();
    let mut members = tokens[start..start + length].iter().peekable();
    while let Some(token) = members.next() {
        let Token::Name(literal) = token else { continue };
        let mut number = String::new();
        while let Some(token) = members.next_if(|it| !matches!(it, Token::Name(_) | Token::Newline)) {
            match token {
                Token::Sign("-") => number.push('-'),
                Token::Number(value) => number.push_str(&value.to_string()),
                _ => {}
            }
        }
        literals.push((literal.clone(), number.parse::<f64>().ok()?));
    }
    // `getDefaultValue` names the default: `value = Color.Red`.
    let default = tokens.iter().position(|it| is_name(it, "getDefaultValue")).map(|at| {
        let named = tokens[at..].windows(3).find(|it| is_name(&it[0], &name) && it[1] == Token::Sign("."));
        named.and_then(|it| word(it.get(2))).unwrap_or_default()
    });
    let class = if base == "Simulink.IntEnumType" { "int32".to_owned() } else { base };
    Some(enumeration(&name, &class, literals, default.as_deref()).map(|it| (name, it)))
}

/// The enumeration that `Simulink.defineIntEnumType` defines, with its name.
pub(super) fn of_call(arguments: &[Value]) -> Result<(String, Value), Error> {
    let wrong = || Error::from("an enumeration has a name, literals and numbers");
    let [Value::Text(name), Value::Cell(names), numbers, options @ ..] = arguments else {
        return Err(wrong());
    };
    let numbers = &numbers.matrix().ok_or_else(wrong)?.entries;
    let text = |value: &Value| match value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(wrong()),
    };
    let names = names.iter().map(text).collect::<Result<Vec<String>, Error>>()?;
    if names.len() != numbers.len() {
        return Err(wrong());
    }
    let option = |key: &str| {
        let pair = options.chunks(2).find(|it| it[0] == Value::Text(key.to_owned()))?;
        pair.get(1).and_then(|it| text(it).ok())
    };
    let class = option("StorageType").unwrap_or_else(|| "int32".to_owned());
    let literals = names.into_iter().zip(numbers.iter().copied()).collect();
    let found = enumeration(name, &class, literals, option("DefaultValue").as_deref())?;
    Ok((name.clone(), found))
}

fn enumeration(
    name: &str,
    class: &str,
    literals: Vec<(String, f64)>,
    default: Option<&str>,
) -> Result<Value, Error> {
    let Some(integer @ Class::Integer(..)) = Class::named(class) else {
        return Err(format!("the enumeration `{name}` is not one of integers").into());
    };
    let first = match default {
        None => literals.first(),
        Some(default) => literals.iter().find(|it| it.0 == default),
    };
    if first.is_none_or(|it| it.1 != 0.0) {
        let message =
            format!("the default value of the enumeration `{name}` is not 0, which is not supported");
        return Err(message.into());
    }
    let text = |it: &str| Value::Text(it.to_owned());
    let mut fields = vec![(CLASS.to_owned(), text("Enum")), (TYPE.to_owned(), text(class))];
    let literal = |(name, number): (String, f64)| {
        (name, Value::Matrix(Matrix { class: integer, ..Matrix::scalar(integer.cast(number)) }))
    };
    fields.extend(literals.into_iter().map(literal));
    Ok(Value::Struct(fields))
}

/// The class of the numbers of an enumeration, by its name.
pub(crate) fn class_of(value: &Value) -> Option<&str> {
    match super::field(value, "Enum", TYPE) {
        Some(Value::Text(class)) => Some(class),
        _ => None,
    }
}
