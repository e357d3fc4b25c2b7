//! Messages in and out: a header with a length, then JSON. What is not a message is answered with an error, and reading goes
//! on after it; only the end of the input ends it.

use super::server::Event;
use crate::Error;
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::Sender;

/// A longer message is skipped and refused.
const MAX_BYTES: u64 = 1 << 28;
/// A longer line of a header is cut.
const MAX_HEADER: u64 = 1 << 12;

/// The codes of errors.
pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
pub(super) const NOT_INITIALIZED: i32 = -32002;
pub(super) const REQUEST_FAILED: i32 = -32803;

/// A message from the editor.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    Request {
        id: Json,
        method: String,
        params: Json,
    },
    Notification {
        method: String,
        params: Json,
    },
    /// The answer to a request of ours.
    Response,
    /// Not a message; the error that answers it.
    Malformed {
        id: Json,
        code: i32,
        message: String,
    },
}

/// Sends the messages of standard input, which a thread of its own reads so that the editor never waits for us to read, and then its end.
pub(super) fn listen(events: Sender<Event>) -> Result<(), Error> {
    let reader = move || {
        let mut input = io::stdin().lock();
        while let Some(message) = read(&mut input) {
            let last = matches!(&message, Incoming::Notification { method, .. } if method == "exit");
            if events.send(Event::Message(message)).is_err() || last {
                return;
            }
        }
        let _ = events.send(Event::End);
    };
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(reader)
        .map_err(|error| Error::Internal(format!("a thread cannot be started: {error}")))?;
    Ok(())
}

/// The next message; none at the end of the input.
pub(super) fn read(input: &mut impl BufRead) -> Option<Incoming> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line).ok().filter(|&count| count > 0)?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.split_once(':'), length) {
            (Some((name, value)), _) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            (_, Some(length)) if line.is_empty() => return body(input, length),
            // Other headers, and whatever else is between messages.
            _ => {}
        }
    }
}

fn body(input: &mut impl BufRead, length: u64) -> Option<Incoming> {
    if length > MAX_BYTES {
        let skipped = io::copy(&mut input.by_ref().take(length), &mut io::sink()).ok()?;
        let message = format!("a message of {length} bytes is too long");
        return (skipped == length).then_some(Incoming::Malformed {
            id: Json::Null,
            code: INVALID_REQUEST,
            message,
        });
    }
    let mut bytes = Vec::new();
    let count = input.by_ref().take(length).read_to_end(&mut bytes).ok()?;
    (count as u64 == length).then(|| message(&bytes))
}

pub(super) fn message(bytes: &[u8]) -> Incoming {
    let invalid =
        |id: Json, message: &str| Incoming::Malformed { id, code: INVALID_REQUEST, message: message.into() };
    let mut json: Json = match serde_json::from_slice(bytes) {
        Ok(json) => json,
        Err(error) => {
            return Incoming::Malformed { id: Json::Null, code: PARSE_ERROR, message: error.to_string() };
        }
    };
    let Some(object) = json.as_object_mut() else { return invalid(Json::Null, "a message is an object") };
    let params = object.remove("params").unwrap_or_default();
    match (object.remove("id"), object.remove("method")) {
        (Some(id @ (Json::Number(_) | Json::String(_))), Some(Json::String(method))) => {
            Incoming::Request { id, method, params }
        }
        (None, Some(Json::String(method))) => Incoming::Notification { method, params },
        (Some(_), None) if object.contains_key("result") || object.contains_key("error") => {
            Incoming::Response
        }
        (id, _) => {
            invalid(id.unwrap_or_default(), "a message has a method, and an id that is a number or a text")
        }
    }
}

/// Writes a message. An editor that has gone away is noticed by the end of the input.
pub(super) fn write(out: &mut impl Write, message: &Json) {
    let text = message.to_string();
    let _ = write!(out, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| out.flush());
}

pub(super) fn answer(id: &Json, result: Result<Json, (i32, String)>) -> Json {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        }
    }
}

pub(super) fn notification(method: &str, params: &Json) -> Json {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_read_to_the_end() {
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let good = framed(r#"{"jsonrpc":"2.0","method":"m"}"#);
        for (bytes, expected) in [
            (String::new(), ""),
            (good.clone(), "m"),
            (format!("garbage\n\n{good}"), "m"),
            (format!("content-length:2\r\nX: y\r\n\r\n[]{good}"), "-32600 m"),
            (format!("Content-Length: 99999999999999999999\r\n\r\n{good}"), "m"),
            ("Content-Length: 18446744073709551615\r\n\r\nx".into(), ""),
            ("Content-Length: 99\r\n\r\n{".into(), ""),
            (format!("{}{good}", framed("{\"id\":")), "-32700 m"),
            (format!("{}{good}", framed(&"[".repeat(100_000))), "-32700 m"),
            (format!("{}{good}", framed(r#"{"id":1}"#)), "-32600 m"),
            (format!("{}{good}", framed(r#"{"id":1,"result":null}"#)), "response m"),
            (format!("{}{good}", framed(r#"{"id":{},"method":"x"}"#)), "-32600 m"),
            (framed(r#"{"id":"a","method":"x"}"#), "x?"),
        ] {
            let mut input = bytes.as_bytes();
            let mut found = Vec::new();
            while let Some(message) = read(&mut input) {
                found.push(match message {
                    Incoming::Request { method, .. } => format!("{method}?"),
                    Incoming::Notification { method, .. } => method,
                    Incoming::Response => "response".into(),
                    Incoming::Malformed { code, .. } => code.to_string(),
                });
            }
            assert_eq!(found.join(" "), expected, "{bytes:.80}");
        }
    }
}
