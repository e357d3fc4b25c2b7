//! Data files of MATLAB (`.mat`, version 5, also with the compressed elements of version 7), read and written.
//!
//! - [`read`]: any bytes to named values; a variable of a kind that is not supported is refused by name, the others stay
//! - [`write()`]: named matrices of doubles, uncompressed
//!
//! Sizes in a file are not trusted: nothing is allocated because of them alone, and every limit is a value of [`Limits`].

mod array;

use crate::value::{Matrix, Value};
use array::{COMPRESSED, Cursor, MATRIX, Order};
use std::io::Read;

/// What a file holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Data {
    /// The variables in the order of the file. Arrays of structs are cells of structs.
    pub variables: Vec<(String, Value)>,
    /// The variables that could not be read.
    pub refused: Vec<Error>,
}

/// Why a file or a variable could not be read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The variable, if it is known.
    pub variable: Option<String>,
    /// The byte in the file, for compressed elements the byte at which they begin.
    pub at: usize,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What could be done instead.
    pub hint: Option<String>,
}

/// Limits for reading a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum number of bytes of all decompressed elements, plus the growth of small numbers as doubles.
    pub inflated: usize,
    /// The maximum nesting of cells and structs.
    pub depth: usize,
    /// The maximum number of values of any kind: matrices, texts, fields and cells.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { inflated: 256 << 20, depth: 32, values: 1 << 20 }
    }
}

/// Reads a file.
///
/// # Errors
/// If it is not a data file of version 5 or 7, or if it is cut off. A complete variable of an unsupported kind is not an error
/// of the file: see [`Data::refused`].
pub fn read(bytes: &[u8], limits: Limits) -> Result<Data, Error> {
    let order = header(bytes)?;
    let mut data = Data::default();
    let mut left = limits;
    let mut cursor = Cursor::new(bytes, 128, order);
    while !cursor.is_empty() {
        let at = cursor.at();
        let element = cursor.element()?;
        let inflated;
        let matrix = match element.kind {
            MATRIX => element.bytes,
            COMPRESSED => {
                inflated = inflate(element.bytes, left.inflated, at)?;
                left.inflated -= inflated.len();
                let inner =
                    Cursor::new(&inflated, 0, order).element().map_err(|error| Error { at, ..error })?;
                if inner.kind != MATRIX {
                    return Err(Error::new(at, "a compressed element does not hold an array"));
                }
                inner.bytes
            }
            other => {
                return Err(Error::new(at, format!("expected an array, found an element of type {other}")));
            }
        };
        match array::read(matrix, at, order, &mut left) {
            // An array without a name belongs to the file itself (objects, function handles), not to the user.
            Ok((name, Ok(value))) if !name.is_empty() => data.variables.push((name, value)),
            Ok((_, Ok(_))) => {}
            Ok((name, Err(error))) => data.refused.push(Error { variable: Some(name), ..error }),
            Err(error) => return Err(error),
        }
    }
    Ok(data)
}

fn header(bytes: &[u8]) -> Result<Order, Error> {
    let hdf5 = b"\x89HDF\r\n\x1a\n";
    let newer = || {
        Error::new(0, "this is a data file of version 7.3 (HDF5)")
            .hint("save it in MATLAB with `-v7` or `-v6`")
    };
    if bytes.starts_with(hdf5) || bytes.get(512..520) == Some(hdf5) {
        return Err(newer());
    }
    let Some(&[a, b, c, d]) = bytes.get(124..128) else {
        return Err(Error::new(0, "this is not a MATLAB data file: its header is incomplete"));
    };
    let (order, version) = match [c, d] {
        [b'I', b'M'] => (Order::Little, u16::from_le_bytes([a, b])),
        [b'M', b'I'] => (Order::Big, u16::from_be_bytes([a, b])),
        _ => {
            return Err(Error::new(124, "this is not a MATLAB data file, or it has version 4")
                .hint("save it in MATLAB with `-v7` or `-v6`"));
        }
    };
    match version {
        0x0100 => Ok(order),
        0x0200 => Err(newer()),
        other => Err(Error::new(124, format!("unknown file version {other:#06x}"))),
    }
}

fn inflate(bytes: &[u8], limit: usize, at: usize) -> Result<Vec<u8>, Error> {
    let mut whole = Vec::new();
    let reader = flate2::read::ZlibDecoder::new(bytes);
    let read = reader.take(limit as u64 + 1).read_to_end(&mut whole);
    if whole.len() > limit {
        return Err(Error::new(at, format!("compressed elements exceed the limit: {limit} bytes are left")));
    }
    match read {
        Ok(_) => Ok(whole),
        Err(_) => Err(Error::new(at, "a compressed element is damaged")),
    }
}

impl Error {
    fn new(at: usize, message: impl Into<String>) -> Error {
        Error { variable: None, at, message: message.into(), hint: None }
    }

    fn hint(self, hint: &str) -> Error {
        Error { hint: Some(hint.into()), ..self }
    }
}

impl std::error::Error for Error {}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(name) = &self.variable {
            write!(f, "`{name}`: ")?;
        }
        write!(f, "{} (byte {})", self.message, self.at)
    }
}

/// Writes matrices, all as doubles, uncompressed, with the low byte first. The same matrices give the same bytes.
///
/// # Errors
/// If MATLAB does not allow a name, if the size of a matrix does not match its entries, or if it is too large for the format (4 GiB).
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
            return Err(fail("the size of the matrix does not match its number of entries"));
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

#[cfg(test)]
mod tests;
