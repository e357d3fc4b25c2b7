//! Any text as MATLAB: an expression and a sequence of assignments have values or errors with a place in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use simulink::matlab::{evaluate, run};
use simulink::value::{Matrix, Value};

fuzz_target!(|text: &str| {
    let known = |name: &str| match name {
        "a" => Some(Value::Matrix(Matrix::row(vec![1.0, 2.0, 3.0]))),
        "s" => Some(Value::Struct(vec![("f".into(), Value::scalar(2.0))])),
        "c" => Some(Value::Cell(vec![Value::Text("x".into()), Value::scalar(1.0)])),
        _ => None,
    };
    match evaluate(text, &known) {
        Ok(Value::Matrix(matrix)) => assert_eq!(matrix.dimensions.iter().product::<usize>(), matrix.entries.len()),
        Ok(Value::Text(_) | Value::Struct(_) | Value::Cell(_)) => {}
        Err(error) => assert!(text.is_char_boundary(error.at), "{error:?}"),
    }
    let (_, errors) = run(text, &known);
    errors.iter().for_each(|error| assert!(text.is_char_boundary(error.at), "{error:?}"));
});
