//! Values of constant MATLAB expressions and of data files.
//!
//! Numbers are doubles, as in MATLAB. In exact arithmetic, a double stands for the shortest decimal that
//! parses to it (`0.1` is one tenth), so both arithmetics start from the same parameters.

use crate::matlab::Handle;

/// The numeric class of a signal or a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Class {
    /// IEEE double.
    #[default]
    Double,
    /// IEEE single.
    Single,
    /// True or false.
    Boolean,
    /// An integer: bits (8, 16, 32, 64), and whether it is signed.
    Integer(u8, bool),
}

/// A matrix, by columns. A scalar is 1 × 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matrix {
    /// The size of each dimension, at least two.
    pub dimensions: Vec<usize>,
    /// The class.
    pub class: Class,
    /// The entries, by columns.
    pub entries: Vec<f64>,
}

/// A matrix of complex numbers; at least one of them is not real.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Complex {
    /// The real parts.
    pub real: Matrix,
    /// The imaginary parts, in a matrix of the same size.
    pub imaginary: Matrix,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Numbers or Booleans.
    Matrix(Matrix),
    /// Complex numbers.
    Complex(Complex),
    /// Characters.
    Text(String),
    /// Named values in order.
    Struct(Vec<(String, Value)>),
    /// Values in a cell array, by columns.
    Cell(Vec<Value>),
    /// A function: `@sin`, `@(x) 2*x`.
    Function(Box<Handle>),
}

impl Class {
    /// A number as this class holds it: integers round half away from zero and saturate, as MATLAB does.
    pub fn cast(self, number: f64) -> f64 {
        match self {
            Class::Double => number,
            Class::Single => f64::from(number as f32),
            Class::Boolean => f64::from(number != 0.0),
            Class::Integer(..) if number.is_nan() => 0.0,
            Class::Integer(bits, signed) => {
                let (low, high) = Self::range(bits, signed);
                number.round().clamp(low, high)
            }
        }
    }

    /// The least and the greatest number of an integer class; 64-bit bounds are rounded to doubles.
    pub fn range(bits: u8, signed: bool) -> (f64, f64) {
        let whole = 2f64.powi(i32::from(bits));
        if signed { (-whole / 2.0, whole / 2.0 - 1.0) } else { (0.0, whole - 1.0) }
    }

    /// The name that Simulink and MATLAB have for it; Booleans are `boolean`, as in Simulink.
    pub fn name(self) -> &'static str {
        match self {
            Class::Double => "double",
            Class::Single => "single",
            Class::Boolean => "boolean",
            Class::Integer(8, true) => "int8",
            Class::Integer(8, false) => "uint8",
            Class::Integer(16, true) => "int16",
            Class::Integer(16, false) => "uint16",
            Class::Integer(32, true) => "int32",
            Class::Integer(32, false) => "uint32",
            Class::Integer(_, true) => "int64",
            Class::Integer(_, false) => "uint64",
        }
    }

    /// The class of a name; `logical` is also a name for Booleans.
    pub fn named(name: &str) -> Option<Class> {
        let all = [8, 16, 32, 64].into_iter().flat_map(|bits| [true, false].map(|s| Class::Integer(bits, s)));
        let name = if name == "logical" { "boolean" } else { name };
        [Class::Double, Class::Single, Class::Boolean]
            .into_iter()
            .chain(all)
            .find(|class| class.name() == name)
    }
}

impl Matrix {
    /// One number.
    pub fn scalar(number: f64) -> Matrix {
        Matrix { dimensions: vec![1, 1], class: Class::Double, entries: vec![number] }
    }

    /// One row of numbers.
    pub fn row(entries: Vec<f64>) -> Matrix {
        Matrix { dimensions: vec![1, entries.len()], class: Class::Double, entries }
    }

    /// The number, if there is exactly one.
    pub fn single(&self) -> Option<f64> {
        if let [number] = self.entries[..] { Some(number) } else { None }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.dimensions.first().copied().unwrap_or(0)
    }

    /// The number of columns; further dimensions count as columns.
    pub fn columns(&self) -> usize {
        self.dimensions.iter().skip(1).product()
    }
}

impl Value {
    /// One number.
    pub fn scalar(number: f64) -> Value {
        Value::Matrix(Matrix::scalar(number))
    }

    /// The numbers, if it is a matrix.
    pub fn matrix(&self) -> Option<&Matrix> {
        match self {
            Value::Matrix(matrix) => Some(matrix),
            Value::Complex(_) | Value::Text(_) | Value::Struct(_) | Value::Cell(_) | Value::Function(_) => {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn classes_round_and_saturate() {
        let cases = [
            ("int8", 127.5, 127.0),
            ("int8", -200.0, -128.0),
            ("uint8", -0.6, 0.0),
            ("uint8", 2.5, 3.0),
            ("int32", f64::NAN, 0.0),
            ("int32", f64::INFINITY, 2147483647.0),
            ("boolean", 0.5, 1.0),
            ("single", 0.1, 0.1f32 as f64),
            ("double", 0.1, 0.1),
        ];
        for (name, number, want) in cases {
            let class = Class::named(name).expect(name);
            assert_eq!((class.cast(number), class.name()), (want, name));
        }
        assert_eq!(Class::named("fixdt(1,16)"), None);
    }
}
