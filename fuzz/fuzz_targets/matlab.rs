//! Any text as MATLAB: an expression and a sequence of assignments have values or errors with a place in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use simulink::matlab::{FUEL, evaluate, run};
use simulink::value::{Matrix, Value};
use std::cell::Cell;
use std::rc::Rc;

fuzz_target!(|text: &str| {
    let known = |name: &str| {
        let value = match name {
            "a" => Value::Matrix(Matrix::row(vec![1.0, 2.0, 3.0])),
            "s" => Value::Struct(vec![("f".into(), Value::scalar(2.0))]),
            "c" => Value::Cell(vec![Value::Text("x".into()), Value::scalar(1.0)]),
            "lost" => return Some(None),
            _ => return None,
        };
        Some(Some(Rc::new(value)))
    };
    match evaluate(text, &known, &Cell::new(FUEL)) {
        Ok(Value::Matrix(matrix)) => assert_eq!(matrix.dimensions.iter().product::<usize>(), matrix.entries.len()),
        Ok(Value::Text(_) | Value::Struct(_) | Value::Cell(_)) => {}
        Err(error) => assert!(text.is_char_boundary(error.at), "{error:?}"),
    }
    let (_, errors) = run(text, &known, &Cell::new(FUEL));
    errors.iter().for_each(|error| assert!(text.is_char_boundary(error.at), "{error:?}"));
});
