//! Messages on topics, as robots record them: in JSON, or as ROS 1 and ROS 2 define them. A field of a message is a signal, named after the
//! topic and the field; arrays have no single value and are left out. In memory.

pub(crate) mod cursor;
mod ros;
mod standard;

use crate::merged::{Group, Merged, Sampled};
use crate::reader::{Malformed, TimeUnit, wrong};
use crate::table::Values;
use ros::{Encoding, Message};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The most values of all signals.
const MAX_VALUES: usize = 1 << 28;

/// What a message on a topic has.
pub(crate) struct Schema {
    /// The name of its type.
    pub(crate) name: String,
    /// The language of its definition, such as `ros2msg`.
    pub(crate) kind: String,
    /// The definition.
    pub(crate) text: Vec<u8>,
}

impl Schema {
    /// The definition of a type that comes with ROS 2, for bags that have no definitions.
    pub(crate) fn standard(name: &str) -> Option<Schema> {
        let text = standard::definition(name)?.into_bytes();
        Some(Schema { name: name.to_owned(), kind: "ros2msg".into(), text })
    }
}

/// What has been read of a file: the messages of each topic.
#[derive(Default)]
pub(crate) struct Bag {
    channels: BTreeMap<i64, Channel>,
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

impl Decoder {
    /// How messages are read; otherwise why they are not.
    fn of(encoding: &str, schema: Option<&Schema>) -> Result<Decoder, String> {
        let ros = |Schema { name, text, .. }: &Schema, encoding| {
            let message = Message::parse(name, text, encoding).map_err(|error| error.reason)?;
            Ok(Decoder::Ros(message, encoding))
        };
        match (encoding, schema) {
            ("json", _) => Ok(Decoder::Json),
            ("cdr", Some(schema)) if schema.kind == "ros2msg" => ros(schema, Encoding::Ros2),
            ("ros1", Some(schema)) if schema.kind == "ros1msg" => ros(schema, Encoding::Ros1),
            (encoding, schema) => {
                let kind = schema.map_or("no schema", |schema| &schema.kind);
                Err(format!("{encoding}, {kind}"))
            }
        }
    }
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
    /// Adds a topic, if its number is new and its messages can be read.
    pub(crate) fn topic(&mut self, id: i64, topic: &str, encoding: &str, schema: Option<&Schema>) {
        if self.channels.contains_key(&id) {
            return;
        }
        let decoder = match Decoder::of(encoding, schema) {
            Ok(decoder) => decoder,
            Err(reason) => return self.leave_out(topic, &reason),
        };
        let mut columns = Vec::new();
        if let Decoder::Ros(message, _) = &decoder {
            let name = |field: &String| format!("{topic}.{field}");
            columns.extend(message.names().iter().map(|it| Field { name: name(it), ..Field::default() }));
        }
        let channel = Channel {
            topic: topic.to_owned(),
            decoder,
            times: Vec::new(),
            columns,
            names: FxHashMap::default(),
        };
        self.channels.insert(id, channel);
    }

    /// Says why a topic is not read.
    pub(crate) fn leave_out(&mut self, topic: &str, reason: &str) {
        let text = format!("`{topic}` ({reason})");
        if !self.left_out.contains(&text) {
            self.left_out.push(text);
        }
    }

    /// Adds a message of a topic, if that is read. The time is in nanoseconds.
    pub(crate) fn message(&mut self, id: i64, time: i128, bytes: &[u8]) -> Result<(), Malformed> {
        let Some(channel) = self.channels.get_mut(&id) else { return Ok(()) };
        let number = channel.times.len();
        channel.times.push(time * 1_000_000_000);
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

    /// The signals of all topics.
    ///
    /// # Errors
    /// There are none.
    pub(crate) fn merged(self) -> Result<Merged, Malformed> {
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
        Ok(Merged::new(groups, "time", TimeUnit::Nanosecond)?.without(self.left_out))
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
