//! Rows and cells of separated text. Where there are no quotation marks, separators and line ends are found 64 bytes at a time.

use std::borrow::Cow;

/// Where the separators and line ends are among 64 bytes, one bit for each byte; and where the line ends alone.
#[inline]
pub(super) fn marks(bytes: &[u8; 64], separator: u8, line_end: u8) -> (u64, u64) {
    let (separators, line_ends) = (spread(separator), spread(line_end));
    let (mut marks, mut ends) = (0, 0);
    let (words, _) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let end = gathered(zeros(word ^ line_ends)) << (8 * at);
        marks |= gathered(zeros(word ^ separators)) << (8 * at) | end;
        ends |= end;
    }
    (marks, ends)
}

fn spread(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that is zero (Lamport 1975; exact, unlike the shorter form with a borrow).
#[inline]
fn zeros(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    !(((word & LOW) + LOW) | word | LOW)
}

/// The highest bits of eight bytes as one byte.
#[inline]
fn gathered(highest: u64) -> u64 {
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The cells of the row that begins at a byte, without their quotes; where the next row begins; and whether the row has its line end.
pub(super) fn row(
    bytes: &[u8],
    start: usize,
    separator: u8,
    line_end: u8,
) -> (Vec<Cow<'_, [u8]>>, usize, bool) {
    let mut cells = Vec::new();
    let mut at = start;
    loop {
        let cell: Cow<'_, [u8]>;
        if bytes.get(at) == Some(&b'"') {
            let mut text = Vec::new();
            at += 1;
            loop {
                let Some(length) = bytes[at..].iter().position(|&byte| byte == b'"') else {
                    return (cells, bytes.len(), false);
                };
                text.extend(&bytes[at..at + length]);
                at += length + 1;
                if bytes.get(at) != Some(&b'"') {
                    break;
                }
                text.push(b'"');
                at += 1;
            }
            let rest = ending(bytes, at, separator, line_end);
            text.extend(&bytes[at..rest]);
            at = rest;
            cell = text.into();
        } else {
            let end = ending(bytes, at, separator, line_end);
            cell = bytes[at..end].into();
            at = end;
        }
        cells.push(cell);
        match bytes.get(at) {
            None => return (cells, at, false),
            Some(&byte) if byte == line_end => return (cells, at + 1, true),
            Some(_) => at += 1,
        }
    }
}

fn ending(bytes: &[u8], at: usize, separator: u8, line_end: u8) -> usize {
    let length = bytes[at..].iter().position(|&byte| byte == separator || byte == line_end);
    length.map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn marks_are_where_the_bytes_are() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let bytes = [(); 64].map(|()| random.pick(b",;\n\t +-\x00\x0b\x80\xac\xff0123456789ab"));
            let at = |wanted: &[u8]| {
                let found = bytes.iter().enumerate().filter(|(_, byte)| wanted.contains(byte));
                found.fold(0, |marks, (at, _)| marks | 1 << at)
            };
            assert_eq!(marks(&bytes, b',', b'\n'), (at(b",\n"), at(b"\n")), "{bytes:?}");
        }
    }

    #[test]
    fn quoted_cells() {
        let check = |text: &str, expected: &str| {
            let (cells, next, is_whole) = row(text.as_bytes(), 0, b',', b'\n');
            let cells: Vec<Cow<'_, str>> = cells.iter().map(|cell| String::from_utf8_lossy(cell)).collect();
            assert_eq!(format!("{} {next} {is_whole}", cells.join("|")), expected, "{text:?}");
        };
        check("a,b\nc", "a|b 4 true");
        check("a,", "a| 2 false");
        check("\"a,\n\"\"b\"c,d\ne", "a,\n\"bc|d 12 true");
        check("\"a", " 2 false");
    }
}
