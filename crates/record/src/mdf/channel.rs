//! A channel of a group: where its bits are in a record, and what they mean.

use super::conversion::{Conversion, Converted};
use super::{Block, File, MAX_DEPTH};
use crate::reader::Malformed;
use crate::table::Values;

/// A channel.
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    kind: u8,
    sync: u8,
    data: Type,
    byte: usize,
    bit: usize,
    bits: usize,
    /// The bit of a record that says that the value is invalid.
    invalid: Invalid,
    conversion: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Uint {
        is_big_endian: bool,
    },
    Int {
        is_big_endian: bool,
    },
    Float {
        is_big_endian: bool,
    },
    Latin,
    Utf8,
    /// Strings of 16 bits, arrays of bytes, dates and others.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Invalid {
    Never,
    Always,
    Bit(usize),
}

/// Values, and the numbers of those that are missing, with the reason.
pub(super) type Column = (Values, Vec<(usize, &'static str)>);

/// Collects the channels from one on; those of structures have dotted names.
pub(super) fn collect(
    file: &File,
    first: u64,
    parent: &str,
    channels: &mut Vec<Channel>,
    depth: usize,
) -> Result<(), Malformed> {
    for block in file.list(first, b"CN", 0)? {
        let name = file.text(block.link(2))?.unwrap_or_default();
        let name = if parent.is_empty() { name } else { format!("{parent}.{name}") };
        match block.link(1) {
            0 => channels.push(Channel::new(file, &block, name)?),
            parts => {
                let part = file.any(parts)?;
                // An array has no single value.
                if &part.id == b"CN" && depth < MAX_DEPTH {
                    collect(file, parts, &name, channels, depth + 1)?;
                }
            }
        }
    }
    Ok(())
}

impl Channel {
    fn new(file: &File, block: &Block, name: String) -> Result<Channel, Malformed> {
        let flags = block.u32(12)?;
        let conversion = block.link(4);
        let mut unit = file.text(block.link(6))?;
        if unit.is_none() && conversion != 0 {
            unit = file.text(file.block(conversion, b"CC")?.link(1))?;
        }
        let data = match block.u8(2)? {
            kind @ 0..2 => Type::Uint { is_big_endian: kind == 1 },
            kind @ 2..4 => Type::Int { is_big_endian: kind == 3 },
            kind @ 4..6 => Type::Float { is_big_endian: kind == 5 },
            6 => Type::Latin,
            7 => Type::Utf8,
            _ => Type::Other,
        };
        Ok(Channel {
            name,
            unit: unit.filter(|unit| !unit.is_empty()),
            kind: block.u8(0)?,
            sync: block.u8(1)?,
            data,
            bit: usize::from(block.u8(3)?),
            byte: block.u32(4)? as usize,
            bits: block.u32(8)? as usize,
            invalid: match flags & 3 {
                0 => Invalid::Never,
                2 => Invalid::Bit(block.u32(16)? as usize),
                _ => Invalid::Always,
            },
            conversion,
        })
    }

    /// Whether other channels are sampled along this one.
    pub(super) fn is_master(&self) -> bool {
        matches!(self.kind, 2 | 3)
    }

    /// Whether it is the time.
    pub(super) fn is_time(&self) -> bool {
        self.is_master() && matches!(self.sync, 0 | 1)
    }

    /// The converted values in records of a size, of which the last bytes say what is invalid; none for types without a single value.
    pub(super) fn values(
        &self,
        file: &File,
        records: &[u8],
        size: usize,
        invalid: usize,
    ) -> Result<Option<Column>, Malformed> {
        let Some(raw) = self.raw(records, size, size - invalid)? else { return Ok(None) };
        let Converted { values, mut missing } = Conversion::read(file, self.conversion)?.apply(raw);
        let is_invalid = |record: &[u8]| match self.invalid {
            Invalid::Never => false,
            Invalid::Always => true,
            Invalid::Bit(bit) => {
                record[size - invalid..].get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
            }
        };
        if self.invalid != Invalid::Never {
            let found = records.chunks_exact(size).enumerate().filter(|(_, record)| is_invalid(record));
            missing.extend(found.map(|(at, _)| (at, "the value is marked as invalid")));
            missing.sort_unstable();
            missing.dedup_by_key(|it| it.0);
        }
        Ok(Some((values, missing)))
    }

    /// The values as they are stored.
    fn raw(&self, records: &[u8], size: usize, data: usize) -> Result<Option<Values>, Malformed> {
        let count = records.len() / size;
        // A virtual channel has the numbers of the records.
        if matches!(self.kind, 3 | 6) {
            return Ok(Some(Values::Integers((0..count as i64).collect())));
        }
        let is_number = matches!(self.data, Type::Uint { .. } | Type::Int { .. } | Type::Float { .. });
        let length = (self.bit + self.bits).div_ceil(8);
        if self.byte.checked_add(length).is_none_or(|end| end > data) {
            let reason = format!("channel `{}` is outside of its records of {data} bytes", self.name);
            return Err(crate::reader::wrong(reason));
        }
        if !matches!(self.kind, 0 | 2) || (is_number && !(1..=64).contains(&self.bits)) || self.bit > 7 {
            return Ok(None);
        }
        let cells = || records.chunks_exact(size).map(|record| &record[self.byte..self.byte + length]);
        let unused = 64 - self.bits.min(64);
        let number = |bytes: &[u8], is_big_endian: bool| {
            let add = |number: u128, byte: &u8| number << 8 | u128::from(*byte);
            let number = match is_big_endian {
                true => bytes.iter().fold(0, add),
                false => bytes.iter().rev().fold(0, add),
            };
            ((number >> self.bit) as u64) << unused >> unused
        };
        let text = |latin: bool, bytes: &[u8]| {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            match latin {
                true => bytes[..end].iter().map(|byte| char::from(*byte)).collect(),
                false => String::from_utf8_lossy(&bytes[..end]).into_owned(),
            }
        };
        Ok(match (self.data, self.bits) {
            (Type::Uint { is_big_endian }, 64) => {
                Some(Values::Naturals(cells().map(|it| number(it, is_big_endian)).collect()))
            }
            (Type::Uint { is_big_endian }, _) => {
                Some(Values::Integers(cells().map(|it| number(it, is_big_endian) as i64).collect()))
            }
            (Type::Int { is_big_endian }, _) => {
                let signed = |it: &[u8]| (number(it, is_big_endian) << unused) as i64 >> unused;
                Some(Values::Integers(cells().map(signed).collect()))
            }
            (Type::Float { is_big_endian }, 32) => {
                let single = |it: &[u8]| f32::from_bits(number(it, is_big_endian) as u32);
                Some(Values::Singles(cells().map(single).collect()))
            }
            (Type::Float { is_big_endian }, 64) => {
                let double = |it: &[u8]| f64::from_bits(number(it, is_big_endian));
                Some(Values::Doubles(cells().map(double).collect()))
            }
            (Type::Latin, _) => Some(Values::Texts(cells().map(|it| text(true, it)).collect())),
            (Type::Utf8, _) => Some(Values::Texts(cells().map(|it| text(false, it)).collect())),
            (Type::Float { .. } | Type::Other, _) => None,
        })
    }
}
