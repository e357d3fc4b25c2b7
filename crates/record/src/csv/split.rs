//! Rows and cells of separated text. Where there are no quotation marks, separators and line ends are found 64 bytes at a time.

use std::borrow::Cow;

/// What up to 64 bytes of separated text have, one bit for each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// The separators and line ends.
    pub(super) all: u64,
    /// The line ends alone.
    pub(super) line_ends: u64,
    /// Whether there are quotation marks.
    pub(super) has_quotes: bool,
}

impl Marks {
    /// Those of up to 64 bytes. Every processor of this kind compares 16 bytes at once.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn of<const N: usize>(bytes: &[u8; N], separator: u8, line_end: u8) -> Marks {
        use safe_arch::{
            bitor_m128i, cmp_eq_mask_i8_m128i, load_unaligned_m128i, move_mask_i8_m128i, set_splat_i8_m128i,
        };
        let [separators, ends, quotes] =
            [separator, line_end, b'"'].map(|byte| set_splat_i8_m128i(byte as i8));
        let mut marks = Marks { all: 0, line_ends: 0, has_quotes: false };
        let mut quoted = safe_arch::m128i::default();
        let (quarters, _) = bytes.as_chunks::<16>();
        for (at, bytes) in quarters.iter().enumerate() {
            let bytes = load_unaligned_m128i(bytes);
            let end = cmp_eq_mask_i8_m128i(bytes, ends);
            let all = bitor_m128i(cmp_eq_mask_i8_m128i(bytes, separators), end);
            quoted = bitor_m128i(quoted, cmp_eq_mask_i8_m128i(bytes, quotes));
            marks.all |= u64::from(move_mask_i8_m128i(all) as u16) << (16 * at);
            marks.line_ends |= u64::from(move_mask_i8_m128i(end) as u16) << (16 * at);
        }
        marks.has_quotes = move_mask_i8_m128i(quoted) != 0;
        marks
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn of<const N: usize>(bytes: &[u8; N], separator: u8, line_end: u8) -> Marks {
        Marks::by_words(bytes, separator, line_end)
    }

    /// Eight bytes at a time.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn by_words<const N: usize>(bytes: &[u8; N], separator: u8, line_end: u8) -> Marks {
        let mut marks = Marks { all: 0, line_ends: 0, has_quotes: false };
        let (words, _) = bytes.as_chunks::<8>();
        for (at, word) in words.iter().enumerate() {
            let found = |byte: u8| gathered(zeros(u64::from_le_bytes(*word) ^ u64::from_le_bytes([byte; 8])));
            let end = found(line_end) << (8 * at);
            marks.all |= found(separator) << (8 * at) | end;
            marks.line_ends |= end;
            marks.has_quotes |= found(b'"') != 0;
        }
        marks
    }
}

/// The lowest bit of each of up to 64 bytes.
#[inline]
pub(super) fn lowest_bits<const N: usize>(bytes: &[u8; N]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use safe_arch::{load_unaligned_m128i, move_mask_i8_m128i, shl_imm_u16_m128i};
        let bits =
            |bytes: &[u8; 16]| move_mask_i8_m128i(shl_imm_u16_m128i::<7>(load_unaligned_m128i(bytes))) as u16;
        let (quarters, _) = bytes.as_chunks::<16>();
        quarters.iter().rev().fold(0, |all, bytes| all << 16 | u64::from(bits(bytes)))
    }
    #[cfg(not(target_arch = "x86_64"))]
    lowest_by_words(bytes)
}

/// Eight bytes at a time.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn lowest_by_words<const N: usize>(bytes: &[u8; N]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().rev().fold(0, |all, word| all << 8 | gathered((u64::from_le_bytes(*word) & LOWEST) << 7))
}

/// The lowest bit of each byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte that is zero (Lamport 1975; exact, unlike the shorter form with a borrow).
#[inline]
pub(super) fn zeros(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    !(((word & LOW) + LOW) | word | LOW)
}

/// The highest bits of eight bytes as one byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
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
            let letters = random.pick(&[&b",;\n\t +-\x00\x0b\x80\xac\xff0123456789ab"[..], b",\n\"a"]);
            let bytes = [(); 64].map(|()| random.pick(letters));
            let at = |wanted: &[u8]| {
                let found = bytes.iter().enumerate().filter(|(_, byte)| wanted.contains(byte));
                found.fold(0, |marks, (at, _)| marks | 1 << at)
            };
            let (all, line_ends) = (at(b",\n"), at(b"\n"));
            let expected = Marks { all, line_ends, has_quotes: at(b"\"") != 0 };
            assert_eq!(Marks::of(&bytes, b',', b'\n'), expected, "{bytes:?}");
            assert_eq!(Marks::by_words(&bytes, b',', b'\n'), expected, "{bytes:?}");
            let lowest = bytes.iter().enumerate().fold(0, |all, (at, byte)| all | u64::from(byte & 1) << at);
            assert_eq!((lowest_bits(&bytes), lowest_by_words(&bytes)), (lowest, lowest), "{bytes:?}");
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
