//! Binary data in text: four letters from the blank on for three bytes, as in uuencode, without lengths.
//!
//! What is stored is a MAT file without the text of its header; [`mat_file`] gives it one.

/// The bytes of a data record; none if there is a letter that none is written with.
pub(crate) fn decode_records(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for place in 0..4 {
            let letter = four.get(place).copied().unwrap_or(b' ');
            let value = letter.checked_sub(b' ').filter(|value| *value <= 64)?;
            bits = bits << 6 | u32::from(value & 63);
        }
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].iter().take(four.len() - 1));
    }
    Some(bytes)
}

/// The letters for some bytes.
pub(crate) fn encode_records(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=three.len() {
            let six = (bits >> (18 - 6 * place)) & 63;
            text.push(char::from(b' ' + six as u8));
        }
    }
    text
}

/// A MAT file: the stored data begins with the last four bytes of its header (version and order of bytes) and four more.
pub(crate) fn mat_file(raw: &[u8]) -> Option<Vec<u8>> {
    let (version, rest) = raw.split_at_checked(4)?;
    let elements = rest.get(4..)?;
    matches!(&version[2..], b"IM" | b"MI").then(|| {
        let mut file = vec![b' '; 116];
        file.extend([0; 8]);
        file.extend(version);
        file.extend(elements);
        file
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_comes_back() {
        for length in 0..10 {
            let bytes: Vec<u8> = (0..length).map(|at| 255 - at * 21).collect();
            assert_eq!(decode_records(&encode_records(&bytes)), Some(bytes));
        }
        assert_eq!(decode_records("  %)30  ").as_deref(), Some(&b"\x00\x01IM\x00\x00"[..]));
        assert_eq!(decode_records("é"), None);
    }
}
