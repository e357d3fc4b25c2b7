//! Plain files: one FRETish sentence per line, with an id before it (`AP-003: in roll_hold mode …`) or numbered by its
//! line. An indented line goes on with the sentence above; `#` begins a comment.

use super::{Document, Entry, Language, Sentence, field, has_digit, split_id};
use requirement::Field;
use syntax::Span;

pub(super) fn read(document: &mut Document) {
    let mut pieces: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    let mut start = 0;
    for (number, line) in document.text.split_inclusive('\n').enumerate() {
        let at = start;
        start += line.len();
        let solid = line.trim();
        if solid.is_empty() || solid.starts_with('#') {
            continue;
        }
        let end = at + line.trim_end().len();
        match pieces.last_mut() {
            Some((_, last)) if line.starts_with([' ', '\t']) => last.end = end,
            _ => pieces.push((number + 1, at + (line.len() - line.trim_start().len())..end)),
        }
    }
    for (number, range) in pieces {
        let text = &document.text[range.clone()];
        let given = text.split_once(':').map(|(id, _)| id).and_then(split_id);
        let (id, from) = match given.filter(|(id, _)| has_digit(&text[id.clone()])) {
            Some((id, _)) => {
                let behind = text[id.end..].find(':').map_or(id.end, |colon| id.end + colon + 1);
                let blank = text[behind..].len() - text[behind..].trim_start().len();
                (field(&document.text, range.start + id.start..range.start + id.end), behind + blank)
            }
            None => {
                let start = range.start as u32;
                (Field { text: format!("line{number}"), span: Span::new(start, start) }, 0)
            }
        };
        let whole = Span::new(range.start as u32, range.end as u32);
        let span = Span::new((range.start + from) as u32, range.end as u32);
        document.entries.push(Entry {
            id,
            title: None,
            section: whole,
            heading: Span::new(whole.start, whole.start),
            prose: Vec::new(),
            sentence: Some(Sentence { language: Language::Fretish, block: span, span }),
            attributes: Vec::new(),
        });
    }
}
