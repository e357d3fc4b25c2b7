//! How wide text will be in a drawing, and where to break it.
//!
//! The reader's fonts are unknown, so widths are generous estimates, in thousandths of the font size. Text is a list
//! of pieces, because a sentence can have `code` inside.

use crate::terminal;

/// The typefaces of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// Words.
    Text,
    /// Words in bold.
    Strong,
    /// The user's expressions, in a monospaced font.
    Code,
}

/// A part of a line in one face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) face: Face,
}

/// A line of text.
pub(crate) type Line = Vec<Piece>;

/// A line in one face.
pub(crate) fn piece(text: &str, face: Face) -> Line {
    vec![Piece { text: text.to_owned(), face }]
}

/// Text whose parts between back quotes are code, if the quotes come in pairs.
pub(crate) fn code_spans(text: &str) -> Line {
    if !text.matches('`').count().is_multiple_of(2) {
        return piece(text, Face::Text);
    }
    let face = |k: usize| if k.is_multiple_of(2) { Face::Text } else { Face::Code };
    let pieces = text.split('`').enumerate().map(|(k, part)| Piece { text: part.to_owned(), face: face(k) });
    pieces.filter(|piece| !piece.text.is_empty()).collect()
}

/// The text of a line, whatever its faces.
pub(crate) fn letters(line: &[Piece]) -> String {
    line.iter().map(|piece| piece.text.as_str()).collect()
}

/// The width of a line in pixels.
pub(crate) fn width(line: &[Piece], size: i32) -> i32 {
    let advances = line.iter().flat_map(|piece| piece.text.chars().map(|c| advance(c, piece.face)));
    let thousandths: i64 = advances.map(i64::from).sum();
    i32::try_from(thousandths * i64::from(size) / 1000 + 1).unwrap_or(i32::MAX)
}

/// Breaks text into lines of at most `room` pixels: between words, and inside words that are too long.
pub(crate) fn wrap(text: &[Piece], size: i32, room: i32) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::new();
    for word in split_words(text).iter().flat_map(|word| split_long(word, size, room)) {
        let mut longer = line.clone();
        if let Some(last) = line.last().filter(|_| word.spaced) {
            let both_code = last.face == Face::Code && word.letters[0].1 == Face::Code;
            push(&mut longer, ' ', if both_code { Face::Code } else { Face::Text });
        }
        word.letters.iter().for_each(|&(c, face)| push(&mut longer, c, face));
        if line.is_empty() || width(&longer, size) <= room {
            line = longer;
        } else {
            lines.push(std::mem::take(&mut line));
            word.letters.iter().for_each(|&(c, face)| push(&mut line, c, face));
        }
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines
}

/// At most `limit` lines in one face; what does not fit is replaced with an ellipsis.
pub(crate) fn fit(text: &str, face: Face, size: i32, room: i32, limit: usize) -> Vec<Line> {
    let mut lines = wrap(&piece(text, face), size, room);
    if lines.len() > limit {
        lines.truncate(limit);
        if let Some(last) = lines.last_mut() {
            let full = letters(last);
            let mut kept = full.chars().count();
            let cut = |kept: usize| full.chars().take(kept).collect::<String>().trim_end().to_owned() + "…";
            while kept > 0 && width(&piece(&cut(kept), face), size) > room {
                kept -= 1;
            }
            *last = piece(&cut(kept), face);
        }
    }
    lines
}

/// One line in one face; what does not fit is replaced with an ellipsis.
pub(crate) fn fit_line(text: &str, face: Face, size: i32, room: i32) -> Line {
    fit(text, face, size, room, 1).into_iter().flatten().collect()
}

/// Letters that stay together; `spaced` if white space comes before them.
struct Word {
    letters: Vec<(char, Face)>,
    spaced: bool,
}

fn split_words(text: &[Piece]) -> Vec<Word> {
    let letters = text.iter().flat_map(|piece| piece.text.chars().map(|c| (c, piece.face)));
    let mut words = Vec::new();
    let mut word = Vec::new();
    for (c, face) in letters {
        if !c.is_whitespace() && !c.is_control() {
            word.push((c, face));
        } else if !word.is_empty() {
            words.push(Word { letters: std::mem::take(&mut word), spaced: true });
        }
    }
    if !word.is_empty() {
        words.push(Word { letters: word, spaced: true });
    }
    words
}

/// The word in parts that fit; each part has at least one letter.
fn split_long(word: &Word, size: i32, room: i32) -> Vec<Word> {
    let mut parts: Vec<Word> = Vec::new();
    let mut taken = 0;
    for &(c, face) in &word.letters {
        let step = advance(c, face) * size;
        match parts.last_mut() {
            Some(part) if taken + step <= (room - 1) * 1000 => part.letters.push((c, face)),
            Some(_) | None => {
                parts.push(Word { letters: vec![(c, face)], spaced: parts.is_empty() && word.spaced });
                taken = 0;
            }
        }
        taken += step;
    }
    parts
}

fn push(line: &mut Line, c: char, face: Face) {
    match line.last_mut() {
        Some(last) if last.face == face => last.text.push(c),
        Some(_) | None => line.push(Piece { text: c.to_string(), face }),
    }
}

fn advance(c: char, face: Face) -> i32 {
    let regular = match terminal::columns(c.encode_utf8(&mut [0; 4])) {
        0 => 0,
        1 if face == Face::Code => 615,
        1 => letter(c),
        2.. => 1050,
    };
    match face {
        Face::Text | Face::Code => regular,
        Face::Strong => regular * 9 / 8,
    }
}

/// The width of a letter in a wide sans serif such as Verdana or DejaVu Sans.
fn letter(c: char) -> i32 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ';' | ':' | '\'' | '|' | '!' => 320,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '`' => 400,
        'm' | 'M' | 'W' | '@' | '%' => 980,
        'w' | 'A'..='Z' | '<' | '>' | '=' | '+' | '~' | '&' => 820,
        _ if c.is_ascii() => 635,
        _ => 820,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &Line) -> String {
        let show = |piece: &Piece| match piece.face {
            Face::Text | Face::Strong => piece.text.clone(),
            Face::Code => format!("<{}>", piece.text),
        };
        line.iter().map(show).collect()
    }

    #[test]
    fn sentences_break_between_words() {
        let check = |text: &str, room: i32, expected: &[&str]| {
            let lines = wrap(&code_spans(text), 10, room);
            assert_eq!(lines.iter().map(shown).collect::<Vec<_>>(), expected);
            assert!(lines.iter().all(|line| width(line, 10) <= room), "{text}");
        };
        check("Then `alarm` must hold.", 1000, &["Then <alarm> must hold."]);
        check("Then `alarm` must hold.", 70, &["Then <alarm>", "must hold."]);
        check("Then `a + b` must hold.", 50, &["Then <a +>", "<b> must", "hold."]);
        check("if `p`, `q`", 1000, &["if <p>, <q>"]);
        check("a lonely ` quote", 1000, &["a lonely ` quote"]);
        check("abcdefghij", 25, &["abc", "defg", "hij"]);
        check("  ", 100, &[]);
    }

    #[test]
    fn labels_are_cut_after_the_last_line() {
        let check = |text: &str, limit: usize, expected: &[&str]| {
            let lines = fit(text, Face::Code, 10, 63, limit);
            assert_eq!(lines.iter().map(shown).collect::<Vec<_>>(), expected);
        };
        check("speed > 3", 1, &["<speed > 3>"]);
        check("speed > limit", 1, &["<speed >…>"]);
        check("speed > limit", 2, &["<speed >>", "<limit>"]);
        check("abcdefghijklmnop", 1, &["<abcdefghi…>"]);
    }
}
