//! The JSON that commands write: what their documents share, and how documents and lists of them are written.
//!
//! Every document is a type; its doc comments are the descriptions in `shall schema` and `docs/json.md`. Documented
//! fields are kept stable.

use crate::cli::Output;
use crate::{Error, print};
use logic::Trace;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;

/// A list of results, one for each sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sentences<T> {
    /// The results, in the order of the sentences.
    pub(crate) sentences: Vec<T>,
}

/// Something wrong or odd in a text.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Diagnostic<'a> {
    /// The code; see codes.md.
    code: &'a str,
    /// `error` or `warning`.
    severity: &'a str,
    /// What is wrong.
    message: &'a str,
    /// Where it is.
    span: Span,
    /// What to do about it.
    hint: &'a str,
}

/// Byte offsets into a UTF-8 text.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Span {
    /// The first byte.
    start: u32,
    /// One past the last byte.
    end: u32,
}

impl From<syntax::Span> for Span {
    fn from(span: syntax::Span) -> Span {
        Span { start: span.start, end: span.end }
    }
}

pub(crate) fn diagnostics(diagnostics: &[syntax::Diagnostic]) -> Vec<Diagnostic<'_>> {
    fn document(found: &syntax::Diagnostic) -> Diagnostic<'_> {
        let syntax::Diagnostic { code, span, message, hint, .. } = found;
        Diagnostic { code: code.id(), severity: found.severity().name(), message, span: (*span).into(), hint }
    }
    diagnostics.iter().map(document).collect()
}

/// The fields of a sentence that could be read. Each is left out if it is not in the sentence or could not be read. Expressions
/// are in normal spelling: `&`, `|`, `!`, `=>`, `<=>`, and `p => q` for `if p then q`; parentheses are the user's.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Fields<'a> {
    /// The whole scope as written, `when in roll_hold mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Field<'a>>,
    /// The expression of its mode, `roll_hold`.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_mode: Option<Field<'a>>,
    /// The expression of the condition: clauses combined from the left, `unless p` as `!(p)`; the span covers the clauses
    /// with their keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<Field<'a>>,
    /// The name of the component, without its article.
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<Field<'a>>,
    /// `with probability > 0.98`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<Field<'a>>,
    /// The whole timing as written, `within 3 seconds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Field<'a>>,
    /// The number or constant of the duration, `3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<Field<'a>>,
    /// The expression of `until` or `before`.
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<Field<'a>>,
    /// The expression of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<Field<'a>>,
    /// The phrases, each with the name that it stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phrases: Vec<Phrase<'a>>,
}

/// A name and its phrase.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Phrase<'a> {
    /// The name.
    pub(crate) name: &'a str,
    /// The words for it.
    pub(crate) phrase: &'a str,
}

/// A part of a sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Field<'a> {
    /// Its text.
    text: &'a str,
    /// Where it is in the sentence.
    span: Span,
}

impl<'a> From<&'a requirement::Fields> for Fields<'a> {
    fn from(fields: &'a requirement::Fields) -> Fields<'a> {
        fn field(field: &Option<requirement::Field>) -> Option<Field<'_>> {
            field.as_ref().map(|it| Field { text: &it.text, span: it.span.into() })
        }
        Fields {
            scope: field(&fields.scope),
            scope_mode: field(&fields.scope_mode),
            condition: field(&fields.condition),
            component: field(&fields.component),
            probability: field(&fields.probability),
            timing: field(&fields.timing),
            duration: field(&fields.duration),
            stop: field(&fields.stop),
            response: field(&fields.response),
            phrases: fields.phrases.iter().map(|(phrase, name)| Phrase { name, phrase }).collect(),
        }
    }
}

/// A value: a Boolean, an integer, or text: a name, or any other number exactly, such as `"0.25"` or `"1/3"`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Value {
    Truth(bool),
    Whole(i64),
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Whole(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl From<&logic::Value> for Value {
    fn from(value: &logic::Value) -> Value {
        match value {
            logic::Value::Bool(truth) => Value::Truth(*truth),
            logic::Value::Name(name) => Value::Text(name.clone()),
            logic::Value::Num(number) => {
                let text = logic::format_decimal(number).unwrap_or_else(|| number.to_string());
                // Larger numbers are not exact in many readers of JSON.
                let exact = text.parse::<i64>().ok().filter(|n| n.unsigned_abs() < 1 << 53);
                exact.map_or(Value::Text(text), Value::Whole)
            }
        }
    }
}

/// Names with their values, in an order that means something.
pub(crate) struct Named<V>(pub(crate) Vec<(String, V)>);

impl<V: Serialize> Serialize for Named<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<V: JsonSchema> JsonSchema for Named<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, V>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, V>::json_schema(generator)
    }
}

/// The values of a step or a state, by name.
pub(crate) type Values = Named<Value>;

/// The steps of a trace.
pub(crate) fn steps(trace: &Trace) -> Vec<Values> {
    let step = |position: usize| {
        let named = trace.names().iter().enumerate();
        Named(named.map(|(at, name)| (name.clone(), trace.value(at, position).into())).collect())
    };
    (0..trace.len()).map(step).collect()
}

/// A trace; the steps from `loop` on repeat for ever.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Lasso {
    /// The steps, each with a value for every name.
    steps: Vec<Values>,
    /// The index of the first step that repeats for ever; left out for a finite trace.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    repeats: Option<usize>,
}

impl From<&Trace> for Lasso {
    fn from(trace: &Trace) -> Lasso {
        Lasso { steps: steps(trace), repeats: trace.loop_start() }
    }
}

/// A requirement that a command left out.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// The id of the requirement.
    pub(crate) id: String,
    /// Why it was left out.
    pub(crate) reason: String,
}

impl Output {
    /// Writes the result of a command: as text for people, or as one JSON document.
    pub(crate) fn show<D: Serialize>(
        self,
        human: impl FnOnce() -> String,
        document: impl FnOnce() -> D,
    ) -> Result<(), Error> {
        match self {
            Output::Human => print(human()),
            Output::Json | Output::JsonLines => print(self.text(&document()) + "\n"),
        }
    }

    /// A result in a list: as text for people, or as a JSON document.
    pub(crate) fn entry<D: Serialize>(
        self,
        human: impl FnOnce() -> String,
        document: impl FnOnce() -> D,
    ) -> String {
        if self == Output::Human { human() } else { self.text(&document()) }
    }

    /// A JSON document, without the end of its last line.
    pub(crate) fn text(self, document: &impl Serialize) -> String {
        let text = match self {
            Output::Json => serde_json::to_string_pretty(document),
            Output::Human | Output::JsonLines => serde_json::to_string(document),
        };
        text.unwrap_or_else(|error| unreachable!("all keys are text: {error}"))
    }
}

/// Writes a list of results, each as soon as it is known: the list is the field of the only object of a JSON document, and with
/// JSON lines each result is a line.
pub(crate) struct List {
    output: Output,
    field: &'static str,
    count: usize,
}

impl List {
    pub(crate) fn new(output: Output, field: &'static str) -> List {
        List { output, field, count: 0 }
    }

    /// Adds the text of a result to what is to be printed.
    pub(crate) fn add(&mut self, out: &mut Vec<u8>, text: &str) {
        match self.output {
            Output::Human => out.extend(text.as_bytes()),
            Output::JsonLines => {
                out.extend(text.as_bytes());
                out.push(b'\n');
            }
            Output::Json => {
                match self.count {
                    0 => {
                        let _ = write!(out, "{{\n  \"{}\": [", self.field);
                    }
                    _ => out.push(b','),
                }
                for line in text.lines() {
                    out.extend(b"\n    ");
                    out.extend(line.as_bytes());
                }
            }
        }
        self.count += 1;
    }

    /// Ends the document.
    pub(crate) fn end(self) -> Result<(), Error> {
        match (self.output, self.count) {
            (Output::Json, 0) => print(format_args!("{{\n  \"{}\": []\n}}\n", self.field)),
            (Output::Json, _) => print("\n  ]\n}\n"),
            (Output::Human | Output::JsonLines, _) => Ok(()),
        }
    }
}
