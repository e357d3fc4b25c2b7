//! Named matrices as a data file of version 5, uncompressed, with the low byte first. The same matrices, the same bytes.

use super::Error;
use crate::value::Matrix;

/// Writes matrices, all as doubles.
///
/// # Errors
/// If a name is none that MATLAB takes, if a matrix is not whole, or if it does not fit into the format (4 GiB).
pub fn write(variables: &[(String, Matrix)]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    bytes.extend(b"MATLAB 5.0 MAT-file, written by shall");
    bytes.resize(124, b' ');
    bytes.extend([0x00, 0x01, b'I', b'M']);
    for (name, matrix) in variables {
        let fail = |message: &str| Error { variable: Some(name.clone()), ..Error::new(bytes.len(), message) };
        let well =
            |place: usize, c: char| c.is_ascii_alphabetic() || place > 0 && (c == '_' || c.is_ascii_digit());
        if name.is_empty() || name.len() > 63 || !name.chars().enumerate().all(|(place, c)| well(place, c)) {
            return Err(fail("a variable needs a name of at most 63 letters, digits and underscores"));
        }
        let count = matrix.dimensions.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        if matrix.dimensions.len() < 2 || count != Some(matrix.entries.len()) {
            return Err(fail("the size of the matrix is not the number of its entries"));
        }
        let sizes: Option<Vec<u8>> = matrix
            .dimensions
            .iter()
            .map(|&size| i32::try_from(size).ok())
            .collect::<Option<Vec<i32>>>()
            .map(|sizes| sizes.into_iter().flat_map(i32::to_le_bytes).collect());
        let fits = matrix.entries.len() <= (u32::MAX as usize - 1024) / 8;
        let sizes = sizes.filter(|_| fits).ok_or_else(|| fail("the matrix is too large for the format"))?;
        let mut array = Vec::new();
        element(&mut array, 6, &[6, 0, 0, 0, 0, 0, 0, 0]);
        element(&mut array, 5, &sizes);
        element(&mut array, 1, name.as_bytes());
        element(
            &mut array,
            9,
            &matrix.entries.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<u8>>(),
        );
        element(&mut bytes, 14, &array);
    }
    Ok(bytes)
}

fn element(to: &mut Vec<u8>, kind: u32, bytes: &[u8]) {
    to.extend(kind.to_le_bytes());
    to.extend((bytes.len() as u32).to_le_bytes());
    to.extend(bytes);
    to.resize(to.len().next_multiple_of(8), 0);
}
