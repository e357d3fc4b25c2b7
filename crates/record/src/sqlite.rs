//! Tables of SQLite 3 database files (<https://sqlite.org/fileformat2.html>), read row by row in the order of their keys.
//!
//! A table is a tree of pages. A row that does not fit into its page goes on in a chain of others. Every page is read when it is needed, and no
//! page twice in a tree, so damaged files end too.

use crate::reader::{Malformed, wrong};
use std::io::{Read, Seek, SeekFrom};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The most bytes of a row.
const MAX_ROW: u64 = 1 << 30;

/// A database file.
pub(crate) struct Database<R> {
    file: R,
    page_size: usize,
    /// The bytes of a page without those that extensions reserve at its end.
    usable: usize,
    /// The number of pages.
    pages: u64,
}

/// A table, as the database describes it.
pub(crate) struct Table {
    root: u64,
    columns: Vec<String>,
    /// The column that is the key of the row itself: `INTEGER PRIMARY KEY`.
    key: Option<usize>,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    pub(crate) fn integer(&self) -> Option<i64> {
        if let Cell::Integer(number) = self { Some(*number) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Cell::Text(text) = self { Some(text) } else { None }
    }
}

impl<R: Read + Seek> Database<R> {
    /// Opens a file.
    ///
    /// # Errors
    /// It is not a database, or one with another encoding of text than UTF-8.
    pub(crate) fn open(mut file: R) -> Result<Database<R>, Malformed> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut head = Vec::new();
        file.by_ref().take(100).read_to_end(&mut head)?;
        if head.len() < 100 || !head.starts_with(MAGIC) {
            return Err(wrong("not a database of SQLite 3: it does not begin as one"));
        }
        let page_size = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 1 << 16,
            size => usize::from(size),
        };
        let usable = page_size.saturating_sub(usize::from(head[20]));
        if !page_size.is_power_of_two() || usable < 480 {
            return Err(damaged("the size of its pages"));
        }
        // Empty databases have no encoding yet.
        if number(&head[56..60]) > 1 {
            return Err(wrong("its text is in UTF-16, which is not supported"));
        }
        let (pages, expected) = (length / page_size as u64, number(&head[28..32]));
        // Old programs change the file without this number; then two others differ.
        if head[24..28] == head[92..96] && expected > pages {
            return Err(wrong(format!("the file is cut off: it has {pages} of {expected} pages")));
        }
        Ok(Database { file, page_size, usable, pages })
    }

    /// The table with a name, if there is one.
    pub(crate) fn table(&mut self, name: &str) -> Result<Option<Table>, Malformed> {
        let columns = ["type", "name", "tbl_name", "rootpage", "sql"].map(String::from).to_vec();
        let schema = Table { root: 1, columns, key: None };
        let mut found = None;
        self.rows(&schema, &["type", "name", "rootpage", "sql"], &mut |cells| {
            let [kind, own, root, sql] = cells else { return Ok(()) };
            if kind.text() == Some("table") && own.text() == Some(name) {
                let root = root.integer().and_then(|root| u64::try_from(root).ok());
                let sql = sql.text().unwrap_or_default();
                let root = root.ok_or_else(|| damaged("the root of a table"))?;
                let (columns, key) = declared(sql);
                found = Some(Table { root, columns, key });
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Hands over some columns of all rows of a table; a column that the table does not have is null.
    pub(crate) fn rows(
        &mut self,
        table: &Table,
        columns: &[&str],
        take: &mut dyn FnMut(&[Cell]) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        let place = |column: &&str| table.columns.iter().position(|own| own.eq_ignore_ascii_case(column));
        let places: Vec<Option<usize>> = columns.iter().map(place).collect();
        let mut open = vec![table.root];
        let mut seen = 0;
        while let Some(at) = open.pop() {
            seen += 1;
            if seen > self.pages {
                return Err(damaged("a table that contains itself"));
            }
            let page = self.page(at)?;
            // The file begins with its own head.
            let start = if at == 1 { 100 } else { 0 };
            let count = number(slice(&page, start + 3, 2)?) as usize;
            let is_leaf = match page[start] {
                0x0d => true,
                0x05 => false,
                _ => return Err(damaged(&format!("page {at}"))),
            };
            let pointers = start + if is_leaf { 8 } else { 12 };
            let mut cells = Vec::new();
            for index in 0..count {
                cells.push(number(slice(&page, pointers + 2 * index, 2)?) as usize);
            }
            if is_leaf {
                for cell in cells {
                    let (key, row) = self.row(&page, cell)?;
                    let values = values(&row, &places, table.key.map(|at| (at, key)))?;
                    take(&values)?;
                }
            } else {
                // The last one is read first from the stack.
                open.push(number(slice(&page, start + 8, 4)?));
                for cell in cells.into_iter().rev() {
                    open.push(number(slice(&page, cell, 4)?));
                }
            }
        }
        Ok(())
    }

    /// A row in a page: its key and its bytes.
    fn row(&mut self, page: &[u8], at: usize) -> Result<(i64, Vec<u8>), Malformed> {
        let mut rest = page.get(at..).ok_or_else(|| damaged("the place of a row"))?;
        let (length, key) = (varint(&mut rest)? as u64, varint(&mut rest)?);
        if length > MAX_ROW {
            return Err(wrong(format!("a row has {length} bytes; at most {MAX_ROW} are read")));
        }
        let (length, usable) = (length as usize, self.usable);
        if length <= usable - 35 {
            return Ok((key, slice(rest, 0, length)?.to_vec()));
        }
        // So much of a long row is in the page that the rest fills whole pages, if that is not too much.
        let least = (usable - 12) * 32 / 255 - 23;
        let fitting = least + (length - least) % (usable - 4);
        let local = if fitting <= usable - 35 { fitting } else { least };
        let mut row = slice(rest, 0, local)?.to_vec();
        let mut next = number(slice(rest, local, 4)?);
        while row.len() < length {
            let page = self.page(next)?;
            next = number(&page[..4]);
            let count = (length - row.len()).min(usable - 4);
            row.extend(slice(&page, 4, count)?);
        }
        Ok((key, row))
    }

    /// A page, counted from 1.
    fn page(&mut self, number: u64) -> Result<Vec<u8>, Malformed> {
        if number == 0 || number > self.pages {
            return Err(damaged(&format!("page {number} is not in the file")));
        }
        self.file.seek(SeekFrom::Start((number - 1) * self.page_size as u64))?;
        let mut page = vec![0; self.page_size];
        self.file.read_exact(&mut page)?;
        Ok(page)
    }
}

fn damaged(what: &str) -> Malformed {
    wrong(format!("the database is damaged: {what}"))
}

fn slice(bytes: &[u8], from: usize, count: usize) -> Result<&[u8], Malformed> {
    bytes
        .get(from..)
        .and_then(|rest| rest.get(..count))
        .ok_or_else(|| damaged("a page or a row ends too early"))
}

/// A number with its highest byte first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// A number of one to nine bytes: seven bits in each, and eight in the ninth.
fn varint(rest: &mut &[u8]) -> Result<i64, Malformed> {
    let mut number: u64 = 0;
    for at in 0..9 {
        let (byte, after) = rest.split_first().ok_or_else(|| damaged("a row ends too early"))?;
        *rest = after;
        if at == 8 {
            return Ok((number << 8 | u64::from(*byte)) as i64);
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Ok(number as i64)
}

/// The values of some columns of a row; the key of the row is that of its column.
fn values(row: &[u8], places: &[Option<usize>], key: Option<(usize, i64)>) -> Result<Vec<Cell>, Malformed> {
    let mut kinds = row;
    let head = usize::try_from(varint(&mut kinds)?).map_err(|_| damaged("the head of a row"))?;
    let mut body = row.get(head..).ok_or_else(|| damaged("the head of a row"))?;
    let mut out = vec![Cell::Null; places.len()];
    let mut column = 0;
    while row.len() - kinds.len() < head {
        let kind = varint(&mut kinds)? as u64;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return Err(damaged("the type of a value")),
            _ => (kind - 12) / 2,
        };
        let bytes = slice(body, 0, usize::try_from(length).unwrap_or(usize::MAX))?;
        body = &body[bytes.len()..];
        for (cell, _) in out.iter_mut().zip(places).filter(|it| *it.1 == Some(column)) {
            *cell = match (kind, key) {
                (0, Some((at, key))) if at == column => Cell::Integer(key),
                (0, _) => Cell::Null,
                (8, _) => Cell::Integer(0),
                (9, _) => Cell::Integer(1),
                (7, _) => Cell::Real(f64::from_bits(number(bytes))),
                (1..=6, _) => {
                    let unused = 64 - 8 * bytes.len() as u32;
                    Cell::Integer((number(bytes) << unused) as i64 >> unused)
                }
                _ if kind.is_multiple_of(2) => Cell::Bytes(bytes.to_vec()),
                _ => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
            };
        }
        column += 1;
    }
    Ok(out)
}

/// The columns of `CREATE TABLE name(column type, …)`, and the one that is the key of the row.
fn declared(sql: &str) -> (Vec<String>, Option<usize>) {
    let inside = sql.split_once('(').map_or("", |(_, inside)| inside);
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in inside.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    let is_key = |part: &String| {
        let words = part.to_ascii_uppercase();
        words.split_whitespace().skip(1).collect::<Vec<_>>().starts_with(&["INTEGER", "PRIMARY", "KEY"])
    };
    let key = parts.iter().position(is_key);
    let name = |part: &String| {
        let part = part.trim();
        let quoted = part.strip_prefix(['"', '`', '[', '\'']);
        let inside = quoted.and_then(|part| part.split(['"', '`', ']', '\'']).next());
        inside.or_else(|| part.split_whitespace().next()).unwrap_or_default().to_owned()
    };
    (parts.iter().map(name).collect(), key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_up_to_nine_bytes() {
        for (bytes, expected) in [
            (&[5][..], 5),
            (&[0x81, 0x00], 128),
            (&[0xff, 0x7f], 16_383),
            (&[0xff; 9], -1),
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 3], 3),
        ] {
            let mut rest = bytes;
            assert_eq!(varint(&mut rest).ok(), Some(expected), "{bytes:?}");
            assert!(rest.is_empty());
        }
        assert!(varint(&mut &[0x80][..]).is_err());
    }

    #[test]
    fn columns_are_declared() {
        let check = |sql: &str, names: &str, expected: Option<usize>| {
            let (columns, key) = declared(sql);
            assert_eq!((columns.join(" "), key), (names.to_owned(), expected), "{sql}");
        };
        check("CREATE TABLE t(id INTEGER PRIMARY KEY,\n \"a b\" TEXT, c DECIMAL(3, 2))", "id a b c", Some(0));
        check("CREATE TABLE t (x REAL, k integer primary key autoincrement)", "x k", Some(1));
        check("CREATE TABLE t", "", None);
    }
}
