//! Elements of a data file: a tag with type and size, then bytes, padded to eight.
//!
//! Small elements have size and type in one word and up to four bytes in the next. A cursor never leaves its bytes.

use super::Error;

pub(super) const MATRIX: u32 = 14;
pub(super) const COMPRESSED: u32 = 15;

/// The byte order of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Little,
    Big,
}

/// A typed piece of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    pub(super) kind: u32,
    pub(super) bytes: &'a [u8],
    order: Order,
    at: usize,
}

/// Reads elements one after the other.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    place: usize,
    /// Added to places in messages, where the bytes are a part of a file.
    base: usize,
    order: Order,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], place: usize, order: Order) -> Self {
        Cursor { bytes, place, base: 0, order }
    }

    /// A cursor whose messages speak of places from `base` on.
    pub(super) fn based(bytes: &'a [u8], base: usize, order: Order) -> Self {
        Cursor { bytes, place: 0, base, order }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.place >= self.bytes.len()
    }

    pub(super) fn at(&self) -> usize {
        self.base.saturating_add(self.place)
    }

    /// The next element.
    pub(super) fn element(&mut self) -> Result<Element<'a>, Error> {
        let (at, order) = (self.at(), self.order);
        let broken = || Error::new(at, "the file breaks off inside an element").hint("is the file whole?");
        let word = |from: usize| {
            let bytes = self.bytes.get(from..from.checked_add(4)?)?;
            Some(order.number::<4>(bytes.try_into().ok()?) as u32)
        };
        let first = word(self.place).ok_or_else(broken)?;
        let small = (first >> 16) as usize;
        let (kind, from, size, next) = if small > 0 {
            if small > 4 {
                return Err(Error::new(at, format!("a small element claims {small} bytes")));
            }
            (first & 0xffff, self.place + 4, small, self.place + 8)
        } else {
            let size = word(self.place + 4).ok_or_else(broken)? as usize;
            let padded = if first == COMPRESSED { size } else { size.next_multiple_of(8) };
            (first, self.place + 8, size, (self.place + 8).saturating_add(padded))
        };
        let bytes = from.checked_add(size).and_then(|end| self.bytes.get(from..end)).ok_or_else(broken)?;
        self.place = next;
        Ok(Element { kind, bytes, order, at })
    }
}

impl<'a> Element<'a> {
    /// The bytes by which its numbers are larger as doubles.
    pub(super) fn growth(&self) -> usize {
        let size = match self.kind {
            1 | 2 => 1,
            3 | 4 => 2,
            5..=7 => 4,
            _ => 8,
        };
        (self.bytes.len() / size).saturating_mul(8 - size)
    }

    /// The numbers of a numeric element; 64-bit integers as far as a double holds them.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, Error> {
        let order = self.order;
        Ok(match self.kind {
            1 => self.each(|[byte]: [u8; 1]| f64::from(byte as i8))?,
            2 => self.each(|[byte]: [u8; 1]| f64::from(byte))?,
            3 => self.each(|bytes: [u8; 2]| f64::from(order.number(bytes) as i16))?,
            4 => self.each(|bytes: [u8; 2]| f64::from(order.number(bytes) as u16))?,
            5 => self.each(|bytes: [u8; 4]| f64::from(order.number(bytes) as i32))?,
            6 => self.each(|bytes: [u8; 4]| f64::from(order.number(bytes) as u32))?,
            7 => self.each(|bytes: [u8; 4]| f64::from(f32::from_bits(order.number(bytes) as u32)))?,
            9 => self.each(|bytes: [u8; 8]| f64::from_bits(order.number(bytes)))?,
            12 => self.each(|bytes: [u8; 8]| order.number(bytes) as i64 as f64)?,
            13 => self.each(|bytes: [u8; 8]| order.number(bytes) as f64)?,
            other => {
                return Err(Error::new(
                    self.at,
                    format!("an element of type {other} where numbers should be"),
                ));
            }
        })
    }

    /// The characters of a text element: UTF-8, UTF-16, UTF-32, or one code a character.
    pub(super) fn text(&self) -> Result<String, Error> {
        Ok(match self.kind {
            16 => String::from_utf8_lossy(self.bytes).into_owned(),
            4 | 17 => {
                let units: Vec<f64> = Element { kind: 4, ..*self }.numbers()?;
                let units: Vec<u16> = units.into_iter().map(|unit| unit as u16).collect();
                String::from_utf16_lossy(&units)
            }
            18 => Element { kind: 6, ..*self }.codes()?,
            _ => self.codes()?,
        })
    }

    fn codes(&self) -> Result<String, Error> {
        let known = |code: f64| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        Ok(self.numbers()?.into_iter().map(known).collect())
    }

    fn each<const N: usize>(&self, read: impl Fn([u8; N]) -> f64) -> Result<Vec<f64>, Error> {
        let (whole, rest) = self.bytes.as_chunks::<N>();
        if !rest.is_empty() {
            return Err(Error::new(self.at, "an element ends inside a number"));
        }
        Ok(whole.iter().copied().map(read).collect())
    }
}

impl Order {
    fn number<const N: usize>(self, bytes: [u8; N]) -> u64 {
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Order::Little => bytes.iter().rev().fold(0, join),
            Order::Big => bytes.iter().fold(0, join),
        }
    }
}
