//! MCAP files, the format of ROS 2 bags (<https://mcap.dev/spec>): topics with messages in JSON or as ROS 1 and ROS 2 define them. A
//! field of a message is a signal, named after the topic and the field; arrays have no single value and are left out. In memory.

mod ros;

use crate::merged::{Group, Merged, Sampled};
use crate::reader::{Malformed, TimeUnit};
use crate::table::Values;
use ros::{Cursor, Encoding, Message};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{self, Read};

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// The most bytes of a record or a decompressed chunk.
const MAX_RECORD: u64 = 1 << 30;
/// The most values of all signals.
const MAX_VALUES: usize = 1 << 28;

/// Reads all messages of a file.
///
/// # Errors
/// It is not such a file, it ends too early, or none of its messages can be read.
pub fn read(input: impl Read) -> Result<Merged, Malformed> {
    let mut bag = Bag::default();
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
        is_finished = bag.record(code, &bytes).map_err(located)?;
    }
    bag.merged()
}

fn wrong(reason: impl Into<String>) -> Malformed {
    Malformed { line: None, reason: reason.into() }
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
struct Bag {
    schemas: FxHashMap<u16, (String, String, Vec<u8>)>,
    channels: BTreeMap<u16, Channel>,
    /// Topics that are left out, and why.
    left_out: Vec<String>,
    values: usize,
}

/// The messages of a topic from one sender.
struct Channel {
    topic: String,
    decoder: Decoder,
    times: Vec<i128>,
    columns: Vec<Field>,
    /// The numbers of the columns of JSON fields.
    names: FxHashMap<String, usize>,
}

enum Decoder {
    Json,
    Ros(Message, Encoding),
}

/// The values of a field so far.
#[derive(Default)]
struct Field {
    name: String,
    values: Option<Values>,
    missing: Vec<(usize, &'static str)>,
    count: usize,
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq)]
enum Scalar {
    Truth(bool),
    Integer(i64),
    Natural(u64),
    Single(f32),
    Double(f64),
    Text(String),
}

impl Bag {
    /// Reads a record; true for the one that ends the data.
    fn record(&mut self, code: u8, bytes: &[u8]) -> Result<bool, Malformed> {
        let mut cursor = Cursor::plain(bytes);
        match code {
            0x03 => {
                let id = cursor.u16()?;
                let schema = (cursor.text()?, cursor.text()?, cursor.bytes()?.to_vec());
                self.schemas.insert(id, schema);
            }
            0x04 => {
                let (id, schema) = (cursor.u16()?, cursor.u16()?);
                let (topic, encoding) = (cursor.text()?, cursor.text()?);
                if !self.channels.contains_key(&id) {
                    self.channel(id, schema, topic, &encoding)?;
                }
            }
            0x05 => {
                let id = cursor.u16()?;
                cursor.skip(4)?;
                let time = cursor.u64()?;
                cursor.skip(8)?;
                self.message(id, time, cursor.rest())?;
            }
            0x06 => self.chunk(&mut cursor)?,
            // The end of the data, or the footer of a file without a summary.
            0x0f | 0x02 => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    fn channel(&mut self, id: u16, schema: u16, topic: String, encoding: &str) -> Result<(), Malformed> {
        let known = self.schemas.get(&schema);
        let decoder = match (encoding, known) {
            ("json", _) => Decoder::Json,
            ("cdr", Some((name, kind, text))) if kind == "ros2msg" => {
                Decoder::Ros(Message::parse(name, text, Encoding::Ros2)?, Encoding::Ros2)
            }
            ("ros1", Some((name, kind, text))) if kind == "ros1msg" => {
                Decoder::Ros(Message::parse(name, text, Encoding::Ros1)?, Encoding::Ros1)
            }
            (encoding, known) => {
                let kind = known.map_or("no schema", |(_, kind, _)| kind.as_str());
                self.left_out.push(format!("`{topic}` ({encoding}, {kind})"));
                return Ok(());
            }
        };
        let mut columns = Vec::new();
        if let Decoder::Ros(message, _) = &decoder {
            let name = |field: &String| format!("{topic}.{field}");
            columns.extend(message.names().iter().map(|it| Field { name: name(it), ..Field::default() }));
        }
        let channel = Channel { topic, decoder, times: Vec::new(), columns, names: FxHashMap::default() };
        self.channels.insert(id, channel);
        Ok(())
    }

    fn message(&mut self, id: u16, time: u64, bytes: &[u8]) -> Result<(), Malformed> {
        let Some(channel) = self.channels.get_mut(&id) else { return Ok(()) };
        let number = channel.times.len();
        channel.times.push(i128::from(time) * 1_000_000_000);
        match &channel.decoder {
            Decoder::Ros(message, encoding) => {
                let mut next = 0;
                message.decode(bytes, *encoding, &mut |value| {
                    channel.columns[next].push(number, value);
                    next += 1;
                })?;
            }
            Decoder::Json => {
                let json: Json = serde_json::from_slice(bytes)
                    .map_err(|error| wrong(format!("the message is not JSON: {error}")))?;
                let Channel { topic, columns, names, .. } = channel;
                flat(topic, &json, 0, &mut |name, value| {
                    let at = *names.entry(name.clone()).or_insert_with(|| {
                        columns.push(Field { name, ..Field::default() });
                        columns.len() - 1
                    });
                    columns[at].push(number, value);
                });
            }
        }
        self.values += channel.columns.len();
        if self.values > MAX_VALUES {
            return Err(wrong(format!("the file has more than {MAX_VALUES} values, too many for memory")));
        }
        Ok(())
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

    fn merged(self) -> Result<Merged, Malformed> {
        let group = |channel: Channel| {
            let count = channel.times.len();
            let signals = channel.columns.into_iter().filter_map(|field| field.sampled(count));
            Group { signals: signals.collect(), times: channel.times }
        };
        let groups = self.channels.into_values().map(group);
        let groups: Vec<Group> = groups.filter(|group| !group.signals.is_empty()).collect();
        if groups.is_empty() && !self.left_out.is_empty() {
            let topics = self.left_out.join(", ");
            let hint = "JSON, ROS 1 and ROS 2 messages are";
            return Err(wrong(format!("no messages can be read: {topics}; {hint}")));
        }
        Merged::new(groups, "time", TimeUnit::Nanosecond)
    }
}

/// The most objects inside each other.
const MAX_DEPTH: usize = 32;

/// Hands over the fields of an object with their dotted names.
fn flat(name: &str, json: &Json, depth: usize, take: &mut dyn FnMut(String, Scalar)) {
    let scalar = match json {
        Json::Object(fields) if depth < MAX_DEPTH => {
            return fields
                .iter()
                .for_each(|(field, value)| flat(&format!("{name}.{field}"), value, depth + 1, take));
        }
        Json::Bool(truth) => Scalar::Truth(*truth),
        Json::String(text) => Scalar::Text(text.clone()),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => Scalar::Integer(number),
            (None, Some(number), _) => Scalar::Natural(number),
            (None, None, Some(number)) => Scalar::Double(number),
            (None, None, None) => return,
        },
        Json::Null | Json::Array(_) | Json::Object(_) => return,
    };
    take(name.to_owned(), scalar);
}

impl Field {
    /// Adds the value of a message; those of earlier messages without one are missing.
    fn push(&mut self, number: usize, scalar: Scalar) {
        if number < self.count {
            return;
        }
        let values = self.values.get_or_insert_with(|| match scalar {
            Scalar::Truth(_) => Values::Truths(Vec::new()),
            Scalar::Integer(_) => Values::Integers(Vec::new()),
            Scalar::Natural(_) => Values::Naturals(Vec::new()),
            Scalar::Single(_) => Values::Singles(Vec::new()),
            Scalar::Double(_) => Values::Doubles(Vec::new()),
            Scalar::Text(_) => Values::Texts(Vec::new()),
        });
        for missing in self.count..number {
            self.missing.push((missing, "the message does not have the field"));
            fill(values);
        }
        self.count = number + 1;
        let is_wrong = match (&mut *values, scalar) {
            (Values::Truths(values), Scalar::Truth(truth)) => add(values, truth),
            (Values::Integers(values), Scalar::Integer(number)) => add(values, number),
            (Values::Naturals(values), Scalar::Natural(number)) => add(values, number),
            (Values::Singles(values), Scalar::Single(number)) => add(values, number),
            (Values::Doubles(values), Scalar::Double(number)) => add(values, number),
            (Values::Doubles(values), Scalar::Integer(number)) if number.unsigned_abs() <= 1 << 53 => {
                add(values, number as f64)
            }
            (Values::Texts(values), Scalar::Text(text)) => add(values, text),
            // JSON writes 1 for 1.0.
            (Values::Integers(before), Scalar::Double(number)) => {
                let mut doubles: Vec<f64> = before.iter().map(|it| *it as f64).collect();
                doubles.push(number);
                let is_exact = before.iter().all(|it| it.unsigned_abs() <= 1 << 53);
                *values = Values::Doubles(doubles);
                !is_exact
            }
            (values, _) => {
                fill(values);
                true
            }
        };
        if is_wrong {
            self.missing.push((number, "the value has another type than those before"));
        }
    }

    fn sampled(mut self, count: usize) -> Option<Sampled> {
        let mut values = self.values.take()?;
        for missing in self.count..count {
            self.missing.push((missing, "the message does not have the field"));
            fill(&mut values);
        }
        Some(Sampled { name: self.name, unit: None, values, missing: self.missing })
    }
}

/// Adds a value; it is not wrong.
fn add<T>(values: &mut Vec<T>, value: T) -> bool {
    values.push(value);
    false
}

/// Adds something in place of a missing value.
fn fill(values: &mut Values) {
    match values {
        Values::Truths(values) => values.push(false),
        Values::Integers(values) | Values::Decimals(values, _) => values.push(0),
        Values::Naturals(values) => values.push(0),
        Values::Singles(values) => values.push(0.0),
        Values::Doubles(values) => values.push(0.0),
        Values::Texts(values) => values.push(String::new()),
    }
}
