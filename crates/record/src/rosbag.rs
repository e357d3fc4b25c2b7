//! Bags of ROS 2 in SQLite files (`.db3`), the format of versions before Iron: tables of topics and messages, and since Iron also of the
//! definitions of messages. Without these, the types that come with ROS 2 are read.

use crate::bag::{Bag, Schema};
use crate::merged::Merged;
use crate::reader::{Malformed, wrong};
use crate::sqlite::{Cell, Database};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io::{Read, Seek};

/// What a compressed message begins with.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The most bytes of a message.
const MAX_MESSAGE: u64 = 1 << 30;

/// Reads all messages of a file.
///
/// # Errors
/// It is not such a file, it is damaged, or none of its messages can be read.
pub fn read(file: impl Read + Seek) -> Result<Merged, Malformed> {
    let mut database = Database::open(file)?;
    let (topics, messages) = (database.table("topics")?, database.table("messages")?);
    let (Some(topics), Some(messages)) = (topics, messages) else {
        return Err(wrong("not a bag of ROS 2: it has no tables `topics` and `messages`"));
    };
    let mut schemas: FxHashMap<String, Schema> = FxHashMap::default();
    if let Some(definitions) = database.table("message_definitions")? {
        let columns = ["topic_type", "encoding", "encoded_message_definition"];
        database.rows(&definitions, &columns, &mut |cells| {
            if let [Some(name), Some(kind), Some(text)] = [0, 1, 2].map(|at| cells[at].text()) {
                let (name, kind) = (name.to_owned(), kind.to_owned());
                schemas.insert(name.clone(), Schema { name, kind, text: text.as_bytes().to_vec() });
            }
            Ok(())
        })?;
    }
    let mut bag = Bag::default();
    database.rows(&topics, &["id", "name", "type", "serialization_format"], &mut |cells| {
        let (Some(id), [Some(topic), Some(name), Some(format)]) =
            (cells[0].integer(), [1, 2, 3].map(|at| cells[at].text()))
        else {
            return Err(wrong("a topic has no number, name, type or format"));
        };
        let standard = if schemas.contains_key(name) { None } else { Schema::standard(name) };
        match schemas.get(name).or(standard.as_ref()) {
            Some(schema) => bag.topic(id, topic, format, Some(schema)),
            None => bag.leave_out(topic, &format!("the bag has no definition of `{name}`")),
        }
        Ok(())
    })?;
    database.rows(&messages, &["topic_id", "timestamp", "data"], &mut |cells| {
        let [Cell::Integer(topic), Cell::Integer(time), Cell::Bytes(data)] = cells else {
            return Err(wrong("a message has no topic, time or data"));
        };
        let located = |error: Malformed| wrong(format!("the message at time {time}: {}", error.reason));
        let data = plain(data).map_err(located)?;
        bag.message(*topic, (*time).into(), &data).map_err(located)
    })?;
    bag.merged()
}

/// A message as it was before it was compressed. What is not compressed begins with a zero.
fn plain(data: &[u8]) -> Result<Cow<'_, [u8]>, Malformed> {
    if !data.starts_with(ZSTD) {
        return Ok(data.into());
    }
    let failed = |error: &dyn std::fmt::Display| wrong(format!("it cannot be decompressed: {error}"));
    let decoder = ruzstd::decoding::StreamingDecoder::new(data).map_err(|error| failed(&error))?;
    let mut out = Vec::new();
    decoder.take(MAX_MESSAGE + 1).read_to_end(&mut out).map_err(|error| failed(&error))?;
    if out.len() as u64 > MAX_MESSAGE {
        return Err(wrong(format!("it has more than {MAX_MESSAGE} bytes")));
    }
    Ok(out.into())
}
