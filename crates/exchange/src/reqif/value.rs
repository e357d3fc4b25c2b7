//! Values of attributes as text and back. A text that does not fit the kind of its attribute is refused.

use super::model::{Attribute, Kind, Model};
use super::xhtml;
use crate::FileError;
use crate::xml::{self, Document, Id};

/// The separator between the values of an enumeration.
const BETWEEN: &str = "; ";

/// The text of a value.
pub(super) fn text(model: &Model, attribute: &Attribute, node: Id) -> Option<String> {
    let document = &model.document;
    match attribute.kind {
        Kind::Boolean | Kind::Date | Kind::Integer | Kind::Real | Kind::String => {
            document.attribute(node, "THE-VALUE")
        }
        Kind::Xhtml => Some(xhtml::text(document, document.child(node, "THE-VALUE")?)),
        Kind::Enumeration => {
            let names = model.enumerations.get(&attribute.datatype);
            let chosen = document.children(document.child(node, "VALUES")?).map(|reference| {
                let id = document.all_text(reference).trim().to_owned();
                let known = names.and_then(|names| names.iter().find(|(other, _)| *other == id));
                known.map_or(id, |(_, name)| name.clone())
            });
            let chosen: Vec<String> = chosen.collect();
            (!chosen.is_empty()).then(|| chosen.join(BETWEEN))
        }
    }
}

/// The content of a value: what to write for a text.
pub(super) enum Content {
    /// The raw value of the XML attribute THE-VALUE.
    Simple(String),
    /// The inside of the element THE-VALUE.
    Formatted(String),
    /// The inside of the element VALUES.
    Chosen(String),
}

/// What to write for a text, or why it does not fit.
pub(super) fn content(model: &Model, attribute: &Attribute, text: &str) -> Result<Content, FileError> {
    let refuse = |wanted: &str| {
        Err(FileError::new(format!("`{}` of the column `{}` is not {wanted}", cut(text), attribute.column)))
    };
    check(text, &attribute.column)?;
    let simple = || Ok(Content::Simple(xml::escape_attribute(text)));
    match attribute.kind {
        Kind::String => simple(),
        Kind::Boolean if matches!(text, "true" | "false" | "0" | "1") => simple(),
        Kind::Boolean => refuse("`true` or `false`"),
        Kind::Integer if is_number(text, false) => simple(),
        Kind::Integer => refuse("an integer"),
        Kind::Real if is_number(text, true) => simple(),
        Kind::Real => refuse("a number"),
        Kind::Date if is_date(text) => simple(),
        Kind::Date => refuse("a time like `2024-05-01T12:30:00Z`"),
        Kind::Xhtml => Ok(Content::Formatted(xhtml::markup(text, xhtml::prefix(&model.document).as_deref()))),
        Kind::Enumeration => {
            let values = model.enumerations.get(&attribute.datatype).map(Vec::as_slice).unwrap_or_default();
            let find = |name: &str| values.iter().find(|(_, other)| other == name).map(|(id, _)| id.clone());
            let parts =
                || if text.is_empty() { Some(Vec::new()) } else { text.split(BETWEEN).map(find).collect() };
            let Some(ids) = find(text).map(|id| vec![id]).or_else(parts) else {
                let names: Vec<String> = values.iter().map(|(_, name)| name.clone()).collect();
                return Err(FileError::new(format!(
                    "`{}` is not a value of the column `{}`",
                    cut(text),
                    attribute.column
                ))
                .hint(format!("its values are {}", crate::records::listed(&names))));
            };
            let p = model.document.prefix(Document::ROOT);
            let reference =
                |id: &String| format!("<{p}ENUM-VALUE-REF>{}</{p}ENUM-VALUE-REF>", xml::escape_text(id));
            Ok(Content::Chosen(ids.iter().map(reference).collect()))
        }
    }
}

/// A whole value: the element for it. `p` is the prefix of elements with its colon.
pub(super) fn element(p: &str, kind: Kind, definition: &str, content: &Content) -> String {
    let word = kind.word();
    let definition = xml::escape_text(definition);
    let definition = format!(
        "<{p}DEFINITION><{p}ATTRIBUTE-DEFINITION-{word}-REF>{definition}</{p}ATTRIBUTE-DEFINITION-{word}-REF></{p}DEFINITION>"
    );
    let (attribute, inside) = match content {
        Content::Simple(raw) => (format!(" THE-VALUE=\"{raw}\""), String::new()),
        Content::Formatted(inside) => (String::new(), format!("<{p}THE-VALUE>{inside}</{p}THE-VALUE>")),
        Content::Chosen(inside) => (String::new(), format!("<{p}VALUES>{inside}</{p}VALUES>")),
    };
    format!("<{p}ATTRIBUTE-VALUE-{word}{attribute}>{inside}{definition}</{p}ATTRIBUTE-VALUE-{word}>")
}

/// Refuses characters that XML cannot hold.
pub(super) fn check(text: &str, what: &str) -> Result<(), FileError> {
    match text.chars().find(|c| !base::xml::is_allowed(*c)) {
        None => Ok(()),
        Some(c) => Err(FileError::new(format!(
            "a text for `{what}` has the character U+{:04X}, which XML cannot hold",
            u32::from(c)
        ))
        .hint("remove the character")),
    }
}

fn is_number(text: &str, real: bool) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match digits.split_once('.') {
        Some((whole, part)) => real && all_digits(whole) && all_digits(part) && digits.len() > 1,
        None => !digits.is_empty() && all_digits(digits),
    }
}

/// The form of a time, `2024-05-01T12:30:00` with what may follow.
fn is_date(text: &str) -> bool {
    let form = "0000-00-00T00:00:00";
    let head = text.len() >= form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            form => byte == form,
        });
    head && text.bytes().skip(form.len()).all(|byte| byte.is_ascii_digit() || b".:+-Z".contains(&byte))
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { short + "…" } else { short }
}
