//! Value change dumps (IEEE 1364-2005, section 18): one unit of time per step, one scope per group.
//!
//! Booleans are wires of one bit, columns of integers are integers in two's complement, other numbers are reals (the
//! nearest doubles), and enumerations are strings, as GTKWave and others read them. The dump ends one unit after the
//! last step, so that the last step is visible.

use super::Group;
use base::names::Taken;
use logic::{RBig, Trace, Value};
use std::fmt::Write;

/// The trace as a value change dump; `module` is the name of the outermost scope.
pub fn vcd(trace: &Trace, groups: &[Group], module: &str) -> String {
    let mut text = format!(
        "$version shall $end\n$comment one unit of time is one step $end\n$timescale 1 s $end\n$scope module {} $end\n",
        word(module)
    );
    let mut signals = Vec::new();
    for group in groups {
        let columns = group.columns(trace);
        if columns.is_empty() {
            continue;
        }
        let _ = writeln!(text, "$scope module {} $end", group.role.plural());
        let mut taken = Taken::default();
        for column in columns {
            let code = code(signals.len());
            let form = Form::of(trace.values(column));
            let name = taken.take(&word(&trace.names()[column]));
            let _ = writeln!(text, "$var {} {code} {name} $end", form.declaration());
            signals.push((column, code, form));
        }
        text += "$upscope $end\n";
    }
    text += "$upscope $end\n$enddefinitions $end\n";
    for step in 0..trace.len() {
        let changed = |column: usize| step == 0 || trace.value(column, step) != trace.value(column, step - 1);
        let changes: Vec<String> = signals
            .iter()
            .filter(|(column, ..)| changed(*column))
            .map(|(column, code, form)| form.change(trace.value(*column, step), code))
            .collect();
        if step == 0 {
            let _ = writeln!(text, "#0\n$dumpvars\n{}$end", changes.concat());
        } else if !changes.is_empty() {
            let _ = write!(text, "#{step}\n{}", changes.concat());
        }
    }
    let _ = writeln!(text, "#{}", trace.len());
    text
}

/// The type of a column.
#[derive(Clone, Copy)]
enum Form {
    Wire,
    /// The number of bits in two's complement.
    Integer(usize),
    Real,
    String,
}

impl Form {
    fn of(values: &[Value]) -> Form {
        let bits = |value: &Value| match value {
            Value::Num(number) if number.is_int() => Some(binary(number, 0).len()),
            Value::Num(_) | Value::Bool(_) | Value::Name(_) => None,
        };
        match values.first() {
            Some(Value::Bool(_)) | None => Form::Wire,
            Some(Value::Name(_)) => Form::String,
            Some(Value::Num(_)) => {
                let all: Option<Vec<usize>> = values.iter().map(bits).collect();
                all.map_or(Form::Real, |all| Form::Integer(all.into_iter().max().unwrap_or(0).max(32)))
            }
        }
    }

    fn declaration(self) -> String {
        match self {
            Form::Wire => "wire 1".into(),
            Form::Integer(bits) => format!("integer {bits}"),
            Form::Real => "real 64".into(),
            Form::String => "string 1".into(),
        }
    }

    fn change(self, value: &Value, code: &str) -> String {
        match (self, value) {
            (_, Value::Bool(truth)) => format!("{}{code}\n", u8::from(*truth)),
            (Form::Integer(bits), Value::Num(number)) => format!("b{} {code}\n", binary(number, bits)),
            (_, Value::Num(number)) => format!("r{} {code}\n", number.to_f64().value()),
            (_, Value::Name(name)) => format!("s{} {code}\n", word(name)),
        }
    }
}

/// An integer in two's complement, with at least `bits` bits.
fn binary(number: &RBig, bits: usize) -> String {
    let negative = *number < RBig::ZERO;
    // The bits of a negative number are those of its complement, inverted.
    let magnitude = if negative { -(number.clone() + RBig::ONE) } else { number.clone() };
    let digits = magnitude.numerator().in_radix(2).to_string();
    let digits = if digits == "0" { "" } else { digits.as_str() };
    let padded = format!("0{digits:0>width$}", width = bits.saturating_sub(1));
    match negative {
        true => padded.chars().map(|bit| if bit == '0' { '1' } else { '0' }).collect(),
        false => padded,
    }
}

/// A text as one word of printable ASCII that is not a keyword.
fn word(text: &str) -> String {
    let word: String = text.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    if word.is_empty() || word.starts_with('$') { format!("_{word}") } else { word }
}

/// The code of a signal: a number in base 94, with the printable characters as digits.
fn code(mut number: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + (number % 94) as u8));
        number /= 94;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}
