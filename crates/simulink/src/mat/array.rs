//! Arrays of a data file: their class, dimensions and name, and then what the class asks for; and the elements that they are made of.
//!
//! An element is a tag with type and size, then bytes, padded to eight; small elements have size and type in one word and up to four
//! bytes in the next. A cursor never leaves its bytes. The outer result of [`read`] says whether the file goes on making sense, the
//! inner one whether the array is of a supported kind.

use super::{Error, Limits};
use crate::value::{Class, Matrix, Value};

/// A name with its value, or with why the value is refused.
type Named = (String, Result<Value, Error>);

/// Reads the inside of an array element.
pub(super) fn read(bytes: &[u8], at: usize, order: Order, left: &mut Limits) -> Result<Named, Error> {
    let full = || Error::new(at, "the file holds more values than the limit allows");
    left.values = left.values.checked_sub(1).ok_or_else(full)?;
    // An array of no bytes is the empty matrix.
    if bytes.is_empty() {
        return Ok((
            String::new(),
            Ok(Value::Matrix(Matrix { dimensions: vec![0, 0], ..Matrix::default() })),
        ));
    }
    let mut cursor = Cursor::based(bytes, at, order);
    let flags = cursor.element()?.numbers()?.first().copied().unwrap_or(0.0) as u32;
    let class = flags & 0xff;
    // Opaque arrays (objects of newer kinds) have a name in place of dimensions.
    if class == 17 {
        let name = cursor.element()?.text()?;
        return Ok((name, Err(refused(at, "an object"))));
    }
    let dimensions = dimensions(&cursor.element()?, at)?;
    let name = cursor.element()?.text()?;
    if flags & 0x0800 != 0 {
        return Ok((name, Err(refused(at, "complex numbers"))));
    }
    let value = match class {
        1 => cells(&mut cursor, &dimensions, left, order)?.map(Value::Cell),
        2 => structs(&mut cursor, &dimensions, left, order)?,
        3 => Err(refused(at, "an object")),
        4 => Ok(Value::Text(paid(&mut cursor, left)?.text()?)),
        5 => Err(refused(at, "a sparse matrix").hint("save it as `full(…)`")),
        6..=15 => {
            let class = if flags & 0x0200 != 0 { Class::Boolean } else { numeric(class) };
            let entries = paid(&mut cursor, left)?.numbers()?;
            if product(&dimensions) != Some(entries.len()) {
                let found = entries.len();
                return Err(Error::new(at, format!("an array of size {dimensions:?} has {found} entries")));
            }
            Ok(Value::Matrix(Matrix { dimensions, class, entries }))
        }
        16 => Err(refused(at, "a function handle")),
        other => Err(refused(at, &format!("an array of class {other}"))),
    };
    Ok((name, value))
}

/// The next element, with what its numbers need as doubles taken from the limit.
fn paid<'a>(cursor: &mut Cursor<'a>, left: &mut Limits) -> Result<Element<'a>, Error> {
    let at = cursor.at();
    let element = cursor.element()?;
    let full = || Error::new(at, "the numbers of the file exceed the limit");
    left.inflated = left.inflated.checked_sub(element.growth()).ok_or_else(full)?;
    Ok(element)
}

fn refused(at: usize, what: &str) -> Error {
    Error::new(at, format!("{what} is not supported"))
}

fn numeric(class: u32) -> Class {
    match class {
        6 => Class::Double,
        7 => Class::Single,
        other => Class::Integer(8 << ((other - 8) / 2).min(3), other % 2 == 0),
    }
}

fn dimensions(element: &Element<'_>, at: usize) -> Result<Vec<usize>, Error> {
    let sizes = element.numbers()?;
    if !(2..=32).contains(&sizes.len()) || sizes.iter().any(|&size| size < 0.0) {
        return Err(Error::new(at, "an array needs 2 to 32 dimensions, none of them negative"));
    }
    let sizes: Vec<usize> = sizes.into_iter().map(|size| size as usize).collect();
    // An empty array may claim any other size; parts of it are counted too.
    let countable = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size.max(1)));
    if countable.is_some() {
        Ok(sizes)
    } else {
        Err(Error::new(at, format!("the size {sizes:?} is too large")))
    }
}

/// The number of entries, if it can be counted.
fn product(dimensions: &[usize]) -> Option<usize> {
    dimensions.iter().try_fold(1usize, |product, &size| product.checked_mul(size))
}

/// Arrays one inside the other, as many as there are.
fn cells(
    cursor: &mut Cursor<'_>,
    dimensions: &[usize],
    left: &mut Limits,
    order: Order,
) -> Result<Result<Vec<Value>, Error>, Error> {
    let at = cursor.at();
    let deep = || Error::new(at, "cells and structs are nested too deeply");
    left.depth = left.depth.checked_sub(1).ok_or_else(deep)?;
    let count = product(dimensions).filter(|&count| count <= left.values);
    let count =
        count.ok_or_else(|| Error::new(at, format!("a cell array of size {dimensions:?} is too large")))?;
    let mut values = Vec::new();
    let mut first = None;
    for _ in 0..count {
        let at = cursor.at();
        let element = cursor.element()?;
        if element.kind != MATRIX {
            return Err(Error::new(at, "a cell or field does not hold an array"));
        }
        match read(element.bytes, at, order, left)?.1 {
            Ok(value) => values.push(value),
            Err(error) => first = first.or(Some(error)),
        }
    }
    left.depth += 1;
    Ok(first.map_or(Ok(values), Err))
}

fn structs(
    cursor: &mut Cursor<'_>,
    dimensions: &[usize],
    left: &mut Limits,
    order: Order,
) -> Result<Result<Value, Error>, Error> {
    let at = cursor.at();
    let wrong = || Error::new(at, "the names of the fields of a struct are damaged");
    let length = cursor.element()?.numbers()?.first().copied().unwrap_or(0.0) as usize;
    let names = cursor.element()?;
    if names.bytes.is_empty() {
        return Ok(Ok(if product(dimensions) == Some(1) {
            Value::Struct(vec![])
        } else {
            Value::Cell(vec![])
        }));
    }
    // MATLAB has names of at most 63 characters; a longer one would be repeated for every element.
    if !(1..=64).contains(&length) || names.bytes.len() % length != 0 {
        return Err(wrong());
    }
    let until_nul =
        |name: &[u8]| name.iter().copied().take_while(|&byte| byte != 0).map(char::from).collect();
    let names: Vec<String> = names.bytes.chunks(length).map(until_nul).collect();
    let count = product(dimensions).and_then(|count| count.checked_mul(names.len())).ok_or_else(wrong)?;
    Ok(cells(cursor, &[count], left, order)?.map(|values| {
        let mut values = values.into_iter();
        let mut records = Vec::new();
        while values.len() > 0 {
            records
                .push(Value::Struct(names.iter().cloned().zip(values.by_ref().take(names.len())).collect()));
        }
        let single = product(dimensions) == Some(1);
        if single { records.pop().unwrap_or(Value::Struct(vec![])) } else { Value::Cell(records) }
    }))
}

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
        let broken = || Error::new(at, "the file ends inside an element").hint("the file may be cut off");
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
                    format!("expected numbers, found an element of type {other}"),
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
