//! Bytes of records and messages, read one after the other.

use crate::reader::{Malformed, wrong};

/// Bytes that are read one after the other.
pub(crate) struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Whether numbers begin at a multiple of their size.
    is_padded: bool,
    is_big_endian: bool,
}

impl<'b> Cursor<'b> {
    /// Numbers with their lowest bytes first, without gaps.
    pub(crate) fn plain(bytes: &'b [u8]) -> Cursor<'b> {
        Cursor { bytes, at: 0, is_padded: false, is_big_endian: false }
    }

    /// Numbers in CDR, after a header that says which byte comes first.
    pub(super) fn padded(bytes: &'b [u8]) -> Result<Cursor<'b>, Malformed> {
        let Some((&[_, kind, _, _], bytes)) = bytes.split_first_chunk::<4>() else {
            return Err(wrong("the message is too short for CDR"));
        };
        if kind > 1 {
            return Err(wrong(format!("the message is CDR of the kind {kind}, which is not supported")));
        }
        Ok(Cursor { bytes, at: 0, is_padded: true, is_big_endian: kind == 0 })
    }

    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'b [u8], Malformed> {
        let taken = self.bytes[self.at..].get(..count);
        let taken =
            taken.ok_or_else(|| wrong(format!("{count} bytes are needed where {} are left", self.left())))?;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn skip(&mut self, count: usize) -> Result<(), Malformed> {
        self.take(count).map(|_| ())
    }

    pub(crate) fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    /// Skips the bytes before a number of a size.
    fn pad(&mut self, size: usize) -> Result<(), Malformed> {
        let padding = self.at.next_multiple_of(size) - self.at;
        if self.is_padded { self.skip(padding) } else { Ok(()) }
    }

    /// Skips numbers of a size.
    pub(super) fn numbers(&mut self, count: usize, size: usize) -> Result<(), Malformed> {
        self.pad(size)?;
        self.skip(count.saturating_mul(size))
    }

    /// A number of so many bytes, without its sign.
    pub(super) fn number(&mut self, size: usize) -> Result<u64, Malformed> {
        self.pad(size)?;
        let bytes = self.take(size)?;
        let step = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Ok(match self.is_big_endian {
            true => bytes.iter().fold(0, step),
            false => bytes.iter().rev().fold(0, step),
        })
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(self.number(2)? as u16)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(self.number(4)? as u32)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Malformed> {
        self.number(8)
    }

    /// Bytes after their number.
    pub(crate) fn bytes(&mut self) -> Result<&'b [u8], Malformed> {
        let length = self.u32()? as usize;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Result<String, Malformed> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    /// A string of a message, which ends with a zero in CDR.
    pub(super) fn string(&mut self) -> Result<&'b [u8], Malformed> {
        let bytes = self.bytes()?;
        Ok(if self.is_padded { bytes.strip_suffix(&[0]).unwrap_or(bytes) } else { bytes })
    }
}
