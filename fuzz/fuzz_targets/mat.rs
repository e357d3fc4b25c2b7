//! Any bytes as a data file: reading never panics and keeps to its limits, and matrices that were read are written and read
//! again without a difference.

#![no_main]

use libfuzzer_sys::fuzz_target;
use simulink::mat::{Limits, read, write};
use simulink::value::{Class, Matrix, Value};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { inflated: 1 << 20, depth: 8, values: 1 << 12 };
    let Ok(data) = read(bytes, limits) else { return };
    let doubles = |(name, value): (String, Value)| match value {
        Value::Matrix(matrix) if matrix.class == Class::Double => Some((name, matrix)),
        _ => None,
    };
    let matrices: Vec<(String, Matrix)> = data.variables.into_iter().filter_map(doubles).collect();
    if let Ok(file) = write(&matrices) {
        let again = read(&file, Limits::default()).expect("what was written is read");
        assert_eq!(again.variables.len(), matrices.len());
        for ((_, again), (_, matrix)) in again.variables.iter().zip(&matrices) {
            let again = again.matrix().expect("numbers");
            assert_eq!(again.dimensions, matrix.dimensions);
            let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
            assert!(again.entries.iter().zip(&matrix.entries).all(same));
        }
    }
});
