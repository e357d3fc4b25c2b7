//! Measurement data in the format MDF 4 of ASAM: groups of channels with a time channel each. Values are as their conversions say; in
//! memory.
//!
//! Linear conversions of integers are exact: `0.1 * 3` is 0.3. Arrays, and strings of varying length, are left out.

mod channel;
mod conversion;

use crate::clock::time_of;
use crate::merged::{Group, Merged, Sampled};
use crate::reader::{Malformed, TimeUnit, wrong};
use channel::Channel;
use flate2::read::ZlibDecoder;
use rustc_hash::FxHashMap;
use std::io::Read as _;

/// The most bytes of all data after decompression.
const MAX_INFLATED: usize = 2 << 30;
/// The most channels inside each other.
const MAX_DEPTH: usize = 16;

/// Reads all groups of a file.
///
/// # Errors
/// It is not such a file, a block of it is wrong, or no group has a time.
pub fn read(bytes: &[u8]) -> Result<Merged, Malformed> {
    let file = File { bytes };
    match bytes.get(..8) {
        Some(b"MDF     ") => {}
        Some(b"UnFinMF ") => {
            return Err(wrong("the recording was not finished: the recorder must finalize the file first"));
        }
        _ => return Err(wrong("not an MDF file: it does not begin as one")),
    }
    let version = bytes.get(28..30).map_or(0, |it| u16::from(it[0]) | u16::from(it[1]) << 8);
    if !(400..500).contains(&version) {
        return Err(wrong(format!(
            "the file has version {version} of MDF; versions 400 to 499 are supported"
        )));
    }
    let mut groups = Vec::new();
    let mut unit = None;
    let header = file.block(64, b"HD")?;
    for group in file.list(header.link(0), b"DG", 0)? {
        data_group(&file, &group, &mut groups, &mut unit)?;
    }
    if groups.is_empty() {
        return Err(wrong("no group has both a time channel and values"));
    }
    Merged::new(groups, "time", unit.unwrap_or(TimeUnit::Second))
}

/// A channel group, with its records.
struct Recorded<'f> {
    block: Block<'f>,
    /// The bytes of a record, and how many of them say which values are invalid.
    size: usize,
    invalid: usize,
    records: Vec<u8>,
    /// Whether its records are strings of other groups.
    is_strings: bool,
}

fn data_group(
    file: &File,
    group: &Block,
    groups: &mut Vec<Group>,
    unit: &mut Option<TimeUnit>,
) -> Result<(), Malformed> {
    let id_size = usize::from(group.u8(0)?);
    if ![0, 1, 2, 4, 8].contains(&id_size) {
        return Err(group.wrong(format!("record ids of {id_size} bytes")));
    }
    let mut all: FxHashMap<u64, usize> = FxHashMap::default();
    let mut recorded: Vec<Recorded> = Vec::new();
    for block in file.list(group.link(1), b"CG", 0)? {
        let (data, invalid) = (block.u32(24)? as usize, block.u32(28)? as usize);
        let size = data.saturating_add(invalid);
        let is_strings = block.u16(16)? & 1 != 0;
        if all.insert(block.u64(0)?, recorded.len()).is_some() {
            return Err(block.wrong("its record id is used twice"));
        }
        recorded.push(Recorded { block, size, invalid, records: Vec::new(), is_strings });
    }
    let mut data = Vec::new();
    file.data(group.link(2), &mut data, 0)?;
    match (&mut recorded[..], id_size) {
        ([], _) => return Ok(()),
        ([one], 0) => one.records = data,
        (_, 0) => return Err(group.wrong("several channel groups, but no record ids")),
        (several, _) => split(&data, id_size, &all, several, group)?,
    }
    for one in recorded.iter().filter(|one| !one.is_strings && one.size > 0) {
        let count = one.records.len() / one.size;
        let announced = one.block.u64(8)?;
        if (count as u64) < announced {
            let reason = format!("{count} of {announced} records; the file may be cut off");
            return Err(one.block.wrong(reason));
        }
        let mut channels = Vec::new();
        channel::collect(file, one.block.link(1), "", &mut channels, 0)?;
        sampled(file, one, &channels, groups, unit)?;
    }
    Ok(())
}

/// Sorts records by their ids.
fn split(
    data: &[u8],
    id_size: usize,
    ids: &FxHashMap<u64, usize>,
    groups: &mut [Recorded],
    block: &Block,
) -> Result<(), Malformed> {
    let cut = || block.wrong("the data ends within a record");
    let mut rest = data;
    while !rest.is_empty() {
        let (id, after) = rest.split_at_checked(id_size).ok_or_else(cut)?;
        let id = id.iter().rev().fold(0, |id: u64, byte| id << 8 | u64::from(*byte));
        let unknown = || block.wrong(format!("a record with the unknown id {id}"));
        let group = &mut groups[*ids.get(&id).ok_or_else(unknown)?];
        let (length, after) = match group.is_strings {
            false => (group.size, after),
            true => {
                let (length, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
                (u32::from_le_bytes(*length) as usize, after)
            }
        };
        let (record, after) = after.split_at_checked(length).ok_or_else(cut)?;
        if !group.is_strings {
            group.records.extend(record);
        }
        rest = after;
    }
    Ok(())
}

/// Reads the channels of a group with a time.
fn sampled(
    file: &File,
    one: &Recorded,
    channels: &[Channel],
    groups: &mut Vec<Group>,
    unit: &mut Option<TimeUnit>,
) -> Result<(), Malformed> {
    let Some(time) = channels.iter().find(|channel| channel.is_time()) else { return Ok(()) };
    let values = |channel: &Channel| channel.values(file, &one.records, one.size, one.invalid);
    let Some((times, missing)) = values(time)? else { return Ok(()) };
    let own = time.unit.as_deref().and_then(TimeUnit::parse).unwrap_or(TimeUnit::Second);
    let common = *unit.get_or_insert(own);
    let at = |row: usize| {
        let time = time_of(times.cell(row)).filter(|_| missing.is_empty())?;
        Some(time.checked_mul(own.nanoseconds().into())? / i128::from(common.nanoseconds()))
    };
    let no_time = |row: usize| one.block.wrong(format!("record {} has no time", row + 1));
    let count = one.records.len() / one.size;
    let times: Vec<i128> =
        (0..count).map(|row| at(row).ok_or_else(|| no_time(row))).collect::<Result<_, _>>()?;
    let mut signals = Vec::new();
    for channel in channels.iter().filter(|channel| !channel.is_master()) {
        let Some((values, missing)) = values(channel)? else { continue };
        let (name, unit) = (channel.name.clone(), channel.unit.clone());
        signals.push(Sampled { name, unit, values, missing });
    }
    if !signals.is_empty() && count > 0 {
        groups.push(Group { times, signals });
    }
    Ok(())
}

/// The bytes of a file, as blocks that refer to each other.
struct File<'f> {
    bytes: &'f [u8],
}

/// A block: links to others, and data.
struct Block<'f> {
    at: u64,
    id: [u8; 2],
    links: &'f [u8],
    data: &'f [u8],
}

impl<'f> File<'f> {
    /// The block at a place.
    fn any(&self, at: u64) -> Result<Block<'f>, Malformed> {
        let wrong = |reason: &str| wrong(format!("block at byte {at}: {reason}"));
        let start = usize::try_from(at).ok().filter(|start| *start <= self.bytes.len());
        let rest = &self.bytes[start.ok_or_else(|| wrong("it is outside of the file"))?..];
        let head = rest.get(..24).ok_or_else(|| wrong("the file ends within it"))?;
        if &head[..2] != b"##" {
            return Err(wrong("there is no block here"));
        }
        let number = |from: usize| {
            head[from..from + 8].iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
        };
        let length = usize::try_from(number(8)).unwrap_or(usize::MAX);
        let body = rest.get(24..length).ok_or_else(|| wrong("the file ends within it"))?;
        let links = usize::try_from(number(16)).ok().and_then(|links| links.checked_mul(8));
        let split = links.and_then(|links| body.split_at_checked(links));
        let (links, data) = split.ok_or_else(|| wrong("it has more links than bytes"))?;
        Ok(Block { at, id: [head[2], head[3]], links, data })
    }

    /// The block at a place, which must be of a kind.
    fn block(&self, at: u64, id: &[u8; 2]) -> Result<Block<'f>, Malformed> {
        let block = self.any(at)?;
        match block.id == *id {
            true => Ok(block),
            false => Err(block.wrong(format!("it should be of the kind {}", String::from_utf8_lossy(id)))),
        }
    }

    /// The blocks of a kind from one on, each of which refers to the next with a link.
    fn list(&self, first: u64, id: &[u8; 2], next: usize) -> Result<Vec<Block<'f>>, Malformed> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut at = first;
        while at != 0 {
            let block = self.block(at, id)?;
            // Blocks do not overlap, so there are not more of them.
            if blocks.len() > self.bytes.len() / 24 {
                return Err(block.wrong("blocks refer to each other in a circle"));
            }
            at = block.link(next);
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// The text of a block; none if there is no block.
    fn text(&self, at: u64) -> Result<Option<String>, Malformed> {
        if at == 0 {
            return Ok(None);
        }
        let block = self.any(at)?;
        let end = block.data.iter().position(|byte| *byte == 0).unwrap_or(block.data.len());
        let text = String::from_utf8_lossy(&block.data[..end]).into_owned();
        Ok(match &block.id {
            b"TX" => Some(text),
            // The text is an element of some XML.
            b"MD" => text
                .split_once("<TX>")
                .and_then(|(_, rest)| rest.split_once("</TX>"))
                .map(|it| it.0.trim().to_owned()),
            _ => return Err(block.wrong("it should be a text")),
        })
    }

    /// Appends the data of a block, or of those that it lists; a header comes before a list, and no list is inside of another.
    fn data(&self, at: u64, out: &mut Vec<u8>, depth: usize) -> Result<(), Malformed> {
        if at == 0 {
            return Ok(());
        }
        let block = self.any(at)?;
        match &block.id {
            b"DT" | b"SD" => {
                room(out, block.data.len(), &block)?;
                out.extend(block.data);
            }
            b"DZ" => inflate(&block, out)?,
            b"HL" if depth == 0 => self.data(block.link(0), out, 1)?,
            b"DL" if depth < 2 => {
                for list in self.list(at, b"DL", 0)? {
                    for link in 1..list.links.len() / 8 {
                        self.data(list.link(link), out, 2)?;
                    }
                }
            }
            other => {
                let kind = String::from_utf8_lossy(other);
                return Err(block.wrong(format!("data of the kind {kind} is not supported here")));
            }
        }
        Ok(())
    }
}

fn room(out: &[u8], more: usize, block: &Block) -> Result<(), Malformed> {
    match out.len().checked_add(more).is_some_and(|sum| sum <= MAX_INFLATED) {
        true => Ok(()),
        false => Err(block.wrong(format!("more than {MAX_INFLATED} bytes of data"))),
    }
}

/// Appends compressed data.
fn inflate(block: &Block, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let (kind, columns) = (block.u8(2)?, block.u32(4)? as usize);
    let (length, size) = (block.u64(8)?, block.u64(16)?);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    room(out, length, block)?;
    let bytes = usize::try_from(size).ok().and_then(|size| block.data.get(24..)?.get(..size));
    let bytes = bytes.ok_or_else(|| block.wrong("its compressed data is cut off"))?;
    let mut inflated = Vec::new();
    let read = ZlibDecoder::new(bytes).take(length as u64 + 1).read_to_end(&mut inflated);
    read.map_err(|error| block.wrong(format!("its data cannot be decompressed: {error}")))?;
    if inflated.len() != length {
        let own = inflated.len();
        return Err(block.wrong(format!("its data has {own} bytes, but should have {length}")));
    }
    match kind {
        0 => out.extend(inflated),
        // The bytes were written column by column; what does not fill a row follows.
        1 if columns > 0 => {
            let rows = length / columns;
            for row in 0..rows {
                out.extend((0..columns).map(|column| inflated[column * rows + row]));
            }
            out.extend(&inflated[rows * columns..]);
        }
        _ => return Err(block.wrong(format!("compression of the kind {kind} is not supported"))),
    }
    Ok(())
}

impl Block<'_> {
    fn wrong(&self, reason: impl AsRef<str>) -> Malformed {
        let kind = String::from_utf8_lossy(&self.id);
        wrong(format!("{kind} block at byte {}: {}", self.at, reason.as_ref()))
    }

    /// A link; 0 if there is none.
    fn link(&self, number: usize) -> u64 {
        let bytes = self.links.get(8 * number..8 * number + 8).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    fn number(&self, at: usize, size: usize) -> Result<u64, Malformed> {
        let bytes = self.data.get(at..at + size).ok_or_else(|| self.wrong("it is too short"))?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn u8(&self, at: usize) -> Result<u8, Malformed> {
        Ok(self.number(at, 1)? as u8)
    }

    fn u16(&self, at: usize) -> Result<u16, Malformed> {
        Ok(self.number(at, 2)? as u16)
    }

    fn u32(&self, at: usize) -> Result<u32, Malformed> {
        Ok(self.number(at, 4)? as u32)
    }

    fn u64(&self, at: usize) -> Result<u64, Malformed> {
        self.number(at, 8)
    }

    fn f64(&self, at: usize) -> Result<f64, Malformed> {
        Ok(f64::from_bits(self.u64(at)?))
    }
}
