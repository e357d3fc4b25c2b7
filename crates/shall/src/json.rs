//! The serialized twins of results, and how they are written. `docs/json.md` documents every field; what is written
//! there is kept stable.

use crate::cli::Output;
use logic::{Trace, Value};
use requirement::{Field, Fields};
use serde::Serialize;
use serde_json::{Map, Number, Value as Json, json};

/// Writes results as one document (an object for a single sentence, otherwise an array) or one object per line.
/// Results for people are not written here.
pub(crate) fn write(results: &[Json], output: Output, list: bool) -> Result<(), String> {
    match output {
        Output::Human => Ok(()),
        Output::Json if results.len() == 1 && !list => crate::print(format_args!("{:#}\n", results[0])),
        Output::Json => crate::print(format_args!("{:#}\n", Json::from(results))),
        Output::JsonLines => results.iter().try_for_each(|result| crate::print(format_args!("{result}\n"))),
    }
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    span: Span,
    hint: &'a str,
}

#[derive(Serialize)]
struct Span {
    start: u32,
    end: u32,
}

fn span(span: syntax::Span) -> Span {
    Span { start: span.start, end: span.end }
}

pub(crate) fn diagnostics(diagnostics: &[syntax::Diagnostic]) -> Json {
    let twin = |d: &syntax::Diagnostic| {
        json!(Diagnostic {
            code: d.code.id(),
            severity: d.severity().name(),
            message: &d.message,
            span: span(d.span),
            hint: &d.hint
        })
    };
    diagnostics.iter().map(twin).collect()
}

/// The fields that could be read.
pub(crate) fn fields(fields: &Fields) -> Json {
    let twin = |field: &Field| json!({ "text": field.text, "span": span(field.span) });
    let present = |(name, field): (&str, &Option<Field>)| Some((name.to_owned(), twin(field.as_ref()?)));
    Json::Object(fields.named().into_iter().filter_map(present).collect())
}

/// A trace as a list of steps; numbers are JSON numbers where those are exact, otherwise text.
pub(crate) fn steps(trace: &Trace) -> Json {
    let step = |position: usize| {
        let value = |(column, name): (usize, &String)| (name.clone(), cell(trace.value(column, position)));
        Json::Object(trace.names().iter().enumerate().map(value).collect::<Map<_, _>>())
    };
    (0..trace.len()).map(step).collect()
}

/// A value of a variable.
pub(crate) fn cell(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Name(name) => json!(name),
        Value::Num(number) => {
            let text = logic::format_decimal(number).unwrap_or_else(|| number.to_string());
            let exact = text.parse::<i64>().ok().filter(|n| n.unsigned_abs() < 1 << 53).map(Number::from);
            exact.map_or(Json::String(text), Json::Number)
        }
    }
}
