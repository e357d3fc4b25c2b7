//! Comma-separated values (RFC 4180): records of fields, with the line where each record starts.
//!
//! Fields borrow from the text unless a doubled quote has to be undone.

use std::borrow::Cow;

/// A text that is read record by record.
#[derive(Debug, Clone)]
pub struct Records<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl<'t> Records<'t> {
    /// The records of a text.
    pub fn new(text: &'t str) -> Records<'t> {
        Records { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, line: 1 }
    }

    /// Reads the next record into `fields`, and gives its line; `None` at the end. Empty lines are skipped.
    pub fn read(&mut self, fields: &mut Vec<Cow<'t, str>>) -> Result<Option<usize>, CsvError> {
        fields.clear();
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && (bytes[self.at] == b'\n' || bytes[self.at..].starts_with(b"\r\n")) {
            self.at += 1 + usize::from(bytes[self.at] == b'\r');
            self.line += 1;
        }
        if self.at >= bytes.len() {
            return Ok(None);
        }
        let start = self.line;
        loop {
            let field = if bytes.get(self.at) == Some(&b'"') { self.quoted()? } else { self.plain() };
            fields.push(field);
            match bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'\r' | b'\n') => {
                    self.at += 1 + usize::from(bytes[self.at..].starts_with(b"\r\n"));
                    self.line += 1;
                    return Ok(Some(start));
                }
                Some(_) => return Err(self.error("text after a closing quote")),
                None => return Ok(Some(start)),
            }
        }
    }

    fn plain(&mut self) -> Cow<'t, str> {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| matches!(byte, b',' | b'\n' | b'\r')).unwrap_or(rest.len());
        let field = &self.text[self.at..self.at + len];
        self.at += len;
        Cow::Borrowed(field)
    }

    fn quoted(&mut self) -> Result<Cow<'t, str>, CsvError> {
        let start = self.at + 1;
        let mut from = start;
        let mut field = Cow::Borrowed("");
        loop {
            let Some(len) = self.text[from..].find('"') else {
                return Err(self.error("a quote is not closed"));
            };
            let part = &self.text[from..from + len];
            field =
                if field.is_empty() { Cow::Borrowed(part) } else { Cow::Owned(field.into_owned() + part) };
            from += len + 1;
            if !self.text[from..].starts_with('"') {
                break;
            }
            field = Cow::Owned(field.into_owned() + "\"");
            from += 1;
        }
        self.line += self.text[start..from].matches('\n').count();
        self.at = from;
        Ok(field)
    }

    fn error(&self, message: &str) -> CsvError {
        CsvError { line: self.line, message: message.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut records = Records::new(text);
        let mut fields = Vec::new();
        let mut shown = Vec::new();
        loop {
            match records.read(&mut fields) {
                Ok(Some(line)) => shown.push(format!("{line}:{}", fields.join("|"))),
                Ok(None) => break,
                Err(error) => {
                    shown.push(format!("{}! {}", error.line, error.message));
                    break;
                }
            }
        }
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }

    #[test]
    fn records_and_fields() {
        check("", "");
        check("a,b\n1,2\n", "1:a|b 2:1|2");
        check("\u{feff}a,b\r\n\r\n1,\r\n", "1:a|b 3:1|");
        check("\"a,b\",\"c\"\"d\"\n\"x\ny\",z\nw", "1:a,b|c\"d 2:x\ny|z 4:w");
        check("\"\",\"\"\"\"", "1:|\"");
        check("a\n\"b", "1:a 2! a quote is not closed");
        check("\"a\"b", "1! text after a closing quote");
        check("ä,\"ö\"", "1:ä|ö");
    }
}
