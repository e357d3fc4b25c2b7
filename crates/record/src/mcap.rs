//! MCAP files, the format of newer ROS 2 bags (<https://mcap.dev/spec>): records, alone or in compressed chunks.

use crate::bag::cursor::Cursor;
use crate::bag::{Bag, Schema};
use crate::merged::Merged;
use crate::reader::{Malformed, wrong};
use rustc_hash::FxHashMap;
use std::io::{self, Read};

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// The most bytes of a record or a decompressed chunk.
const MAX_RECORD: u64 = 1 << 30;

/// Reads all messages of a file.
///
/// # Errors
/// It is not such a file, it ends too early, or none of its messages can be read.
pub fn read(input: impl Read) -> Result<Merged, Malformed> {
    let mut file = Mcap::default();
    let mut input = Counted { input, at: 0 };
    let mut magic = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Err(wrong("not an MCAP file: it does not begin as one"));
    }
    let mut is_finished = false;
    while !is_finished {
        let start = input.at;
        let located = |error: Malformed| wrong(format!("record at byte {start}: {}", error.reason));
        let Some((code, bytes)) = record(&mut input).map_err(located)? else {
            let hint = "the recording was not finished; `mcap recover` repairs such files";
            return Err(wrong(format!("the file ends after byte {start} without its last record; {hint}")));
        };
        is_finished = file.record(code, &bytes).map_err(located)?;
    }
    file.bag.merged()
}

/// Bytes with their number.
struct Counted<R> {
    input: R,
    at: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// The next record: its code and its bytes; none at the end.
fn record(input: &mut impl Read) -> Result<Option<(u8, Vec<u8>)>, Malformed> {
    let mut head = Vec::new();
    input.take(9).read_to_end(&mut head)?;
    let [code, length @ ..] = &head[..] else { return Ok(None) };
    let length = u64::from_le_bytes(length.try_into().map_err(|_| wrong("the file is cut off"))?);
    if length > MAX_RECORD {
        return Err(wrong(format!("it has {length} bytes; at most {MAX_RECORD} are read")));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(wrong("the file is cut off"));
    }
    Ok(Some((*code, bytes)))
}

/// What has been read of a file.
#[derive(Default)]
struct Mcap {
    schemas: FxHashMap<u16, Schema>,
    bag: Bag,
}

impl Mcap {
    /// Reads a record; true for the one that ends the data.
    fn record(&mut self, code: u8, bytes: &[u8]) -> Result<bool, Malformed> {
        let mut cursor = Cursor::plain(bytes);
        match code {
            0x03 => {
                let id = cursor.u16()?;
                let (name, kind) = (cursor.text()?, cursor.text()?);
                let schema = Schema { name, kind, text: cursor.bytes()?.to_vec() };
                self.schemas.insert(id, schema);
            }
            0x04 => {
                let (id, schema) = (cursor.u16()?, cursor.u16()?);
                let (topic, encoding) = (cursor.text()?, cursor.text()?);
                self.bag.topic(id.into(), &topic, &encoding, self.schemas.get(&schema));
            }
            0x05 => {
                let id = cursor.u16()?;
                cursor.skip(4)?;
                let time = cursor.u64()?;
                cursor.skip(8)?;
                self.bag.message(id.into(), time.into(), cursor.rest())?;
            }
            0x06 => self.chunk(&mut cursor)?,
            // The end of the data, or the footer of a file without a summary.
            0x0f | 0x02 => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    fn chunk(&mut self, cursor: &mut Cursor) -> Result<(), Malformed> {
        cursor.skip(16)?;
        let (size, sum) = (cursor.u64()?, cursor.u32()?);
        let compression = cursor.text()?;
        let length = cursor.u64()?;
        let bytes = cursor.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        if size > MAX_RECORD {
            return Err(wrong(format!("a chunk of {size} bytes; at most {MAX_RECORD} are read")));
        }
        let mut records = Vec::new();
        let failed =
            |error: &dyn std::fmt::Display| wrong(format!("a chunk cannot be decompressed: {error}"));
        let limited = |reader: &mut dyn Read, records: &mut Vec<u8>| {
            reader.take(size + 1).read_to_end(records).map_err(|error| failed(&error))
        };
        match compression.as_str() {
            "" => records.extend(bytes),
            "lz4" => {
                limited(&mut lz4_flex::frame::FrameDecoder::new(bytes), &mut records)?;
            }
            "zstd" => {
                let mut decoder =
                    ruzstd::decoding::StreamingDecoder::new(bytes).map_err(|error| failed(&error))?;
                limited(&mut decoder, &mut records)?;
            }
            other => return Err(wrong(format!("chunks compressed with `{other}` are not supported"))),
        }
        if records.len() as u64 != size {
            let length = records.len();
            return Err(wrong(format!("a chunk has {length} bytes, but should have {size}")));
        }
        if sum != 0 && crc32fast::hash(&records) != sum {
            return Err(wrong("the checksum of a chunk is wrong"));
        }
        let mut rest = &records[..];
        while let Some((code, bytes)) = record(&mut rest)? {
            self.record(code, &bytes)?;
        }
        Ok(())
    }
}
