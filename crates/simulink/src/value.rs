//! Values of constant MATLAB expressions and of data files.
//!
//! Numbers are doubles, as in MATLAB. Where exact arithmetic is asked for, a double stands for the shortest decimal that
//! reads as it (`0.1` is one tenth), so both arithmetics start from the same parameters.

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

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Numbers, characters excepted.
    Matrix(Matrix),
    /// Characters.
    Text(String),
    /// Named values in order.
    Struct(Vec<(String, Value)>),
    /// Values in a cell array, by columns.
    Cell(Vec<Value>),
}
