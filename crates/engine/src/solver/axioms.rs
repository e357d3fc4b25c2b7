//! Axioms of the mathematical functions, as SMT-LIB facts about the arguments that occur.
//!
//! Provers treat a function as any function that maps equal arguments to equal values; these facts narrow it down. Every fact holds
//! for the real function, so proofs that use it are sound. Facts with products only relate terms that occur together.

use std::fmt::Write as _;
use system::Function;

/// The maximum number of earlier uses of a function that a new use is related to.
const RELATED: usize = 8;

/// A use of a function: the names of its arguments and of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Use {
    pub(crate) function: Function,
    pub(crate) arguments: Vec<String>,
    pub(crate) value: String,
}

/// Facts about a new use, alone and in relation to earlier ones.
pub(crate) fn facts(new: &Use, earlier: &[Use]) -> String {
    let mut text = String::new();
    let mut say = |fact: String| {
        let _ = writeln!(text, "(assert {fact})");
    };
    let y = &new.value;
    let x = new.arguments.first().map_or("", String::as_str);
    match new.function {
        Function::Sin | Function::Cos => {
            say(format!("(and (<= (- 1.0) {y}) (<= {y} 1.0))"));
            let zero = if new.function == Function::Sin { "0.0" } else { "1.0" };
            say(format!("(=> (= {x} 0.0) (= {y} {zero}))"));
            let other = if new.function == Function::Sin { Function::Cos } else { Function::Sin };
            for it in earlier.iter().filter(|it| it.function == other && it.arguments == new.arguments) {
                say(format!("(= (+ (* {y} {y}) (* {0} {0})) 1.0)", it.value));
            }
        }
        Function::Single => say(format!("(= {y} {x})")),
        Function::Tanh => {
            say(format!("(and (< (- 1.0) {y}) (< {y} 1.0))"));
            say(same_sign(x, y));
        }
        Function::Atan => {
            say(format!("(and (< (- 1.5708) {y}) (< {y} 1.5708))"));
            say(same_sign(x, y));
        }
        Function::Asin => {
            let here = format!("(and (<= (- 1.0) {x}) (<= {x} 1.0))");
            say(format!("(=> {here} (and (< (- 1.5708) {y}) (< {y} 1.5708) {}))", same_sign(x, y)));
        }
        Function::Acos => {
            say(format!("(=> (and (<= (- 1.0) {x}) (<= {x} 1.0)) (and (<= 0.0 {y}) (< {y} 3.1416)))"));
        }
        Function::Atan2 => say(format!("(and (< (- 3.1416) {y}) (< {y} 3.1416))")),
        Function::Sinh => say(same_sign(x, y)),
        Function::Cosh => say(format!("(<= 1.0 {y})")),
        Function::Exp => {
            say(format!("(< 0.0 {y})"));
            say(format!("(<= (+ {x} 1.0) {y})"));
        }
        Function::Log => say(format!("(=> (< 0.0 {x}) (<= {y} (- {x} 1.0)))")),
        Function::Sqrt => {
            say(format!("(=> (<= 0.0 {x}) (and (<= 0.0 {y}) (= (* {y} {y}) {x})))"));
        }
        Function::Log10 | Function::Tan | Function::Pow | Function::Declared(_) => {}
    }
    if grows(new.function) {
        for it in earlier.iter().rev().filter(|it| it.function == new.function).take(RELATED) {
            let (a, b) = (&it.arguments[0], &it.value);
            let domain = match new.function {
                Function::Log | Function::Log10 => format!("(and (< 0.0 {a}) (< 0.0 {x}))"),
                Function::Sqrt => format!("(and (<= 0.0 {a}) (<= 0.0 {x}))"),
                Function::Asin => {
                    format!("(and (<= (- 1.0) {a}) (<= {a} 1.0) (<= (- 1.0) {x}) (<= {x} 1.0))")
                }
                _ => "true".to_owned(),
            };
            say(format!("(=> {domain} (= (< {a} {x}) (< {b} {y})))"));
        }
    }
    text
}

fn same_sign(x: &str, y: &str) -> String {
    format!("(and (= (< 0.0 {x}) (< 0.0 {y})) (= (< {x} 0.0) (< {y} 0.0)))")
}

fn grows(function: Function) -> bool {
    match function {
        Function::Exp
        | Function::Log
        | Function::Log10
        | Function::Sqrt
        | Function::Atan
        | Function::Asin
        | Function::Tanh
        | Function::Sinh
        | Function::Single => true,
        Function::Sin
        | Function::Cos
        | Function::Tan
        | Function::Acos
        | Function::Atan2
        | Function::Cosh
        | Function::Pow
        | Function::Declared(_) => false,
    }
}
