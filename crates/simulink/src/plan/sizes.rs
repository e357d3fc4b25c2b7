//! Sizes of signals: a scalar is `[1]`, a vector `[n]`, a matrix `[r, c]`.

/// The size of a result computed element by element: scalars fit everything, and a vector takes the size of a matrix with
/// one row or column.
pub(crate) fn combine<'a>(all: impl IntoIterator<Item = &'a [usize]>) -> Vec<usize> {
    let mut result: Vec<usize> = vec![1];
    for size in all {
        let (old, new) = (width(&result), width(size));
        if old == 1 && (new != 1 || size.len() > result.len()) || new != 1 && size.len() > result.len() {
            result = size.to_vec();
        }
    }
    result
}

/// The size of a product of matrices. A vector is a column after a matrix and a row before one; a product with a vector is
/// a vector.
pub(crate) fn product(left: &[usize], right: &[usize]) -> Vec<usize> {
    match (left, right) {
        ([1], other) | (other, [1]) => other.to_vec(),
        ([1, 1], [_]) | ([_], [1, 1]) => combine([left, right]),
        ([_], [_]) => vec![1],
        ([rows, _], [_]) => vec![*rows],
        ([n], [1, columns]) => vec![*n, *columns],
        ([_], [_, columns]) => vec![*columns],
        ([rows, _], [_, columns]) => vec![*rows, *columns],
        _ => combine([left, right]),
    }
}

/// Rows as columns. A vector becomes a row.
pub(crate) fn transpose(size: &[usize]) -> Vec<usize> {
    match size {
        [1] => vec![1],
        [n] => vec![1, *n],
        [rows, columns] => vec![*columns, *rows],
        other => other.to_vec(),
    }
}

/// The size of values of a parameter as a signal: a row or a column is a vector if `vectors` says so.
pub(crate) fn of_value(dimensions: &[usize], vectors: bool) -> Vec<usize> {
    match dimensions {
        [1, 1] => vec![1],
        [1, n] | [n, 1] if vectors => vec![*n],
        other => other.to_vec(),
    }
}

/// The number of scalars, saturating.
pub(crate) fn width(size: &[usize]) -> usize {
    size.iter().fold(1, |product, &size| product.saturating_mul(size))
}

#[cfg(test)]
mod tests {
    use super::{combine, product, transpose};

    #[test]
    fn sizes_of_results() {
        let cases: [(&[&[usize]], &[usize]); 6] = [
            (&[&[1], &[3]], &[3]),
            (&[&[3], &[1]], &[3]),
            (&[&[3], &[3, 1]], &[3, 1]),
            (&[&[2, 3], &[1]], &[2, 3]),
            (&[&[1], &[1]], &[1]),
            (&[], &[1]),
        ];
        for (sizes, want) in cases {
            assert_eq!(combine(sizes.iter().copied()), want);
        }
        let cases: [(&[usize], &[usize], &[usize]); 5] = [
            (&[2, 3], &[3], &[2]),
            (&[2, 3], &[3, 4], &[2, 4]),
            (&[3], &[3, 2], &[2]),
            (&[1], &[3], &[3]),
            (&[3], &[1, 3], &[3, 3]),
        ];
        for (left, right, want) in cases {
            assert_eq!(product(left, right), want);
        }
        assert_eq!(transpose(&[3]), [1, 3]);
    }
}
