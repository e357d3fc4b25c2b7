//! Traces from CSV files: a header of names, then one row per step. Every complaint names the row and the column.

use crate::input;
use dashu_ratio::RBig;
use logic::{Sort, Trace, Value};
use rustc_hash::FxHashMap;
use std::path::Path;

/// A file of columns whose cells are known, but not yet whether a column of 0 and 1 holds numbers or truth values:
/// how a sentence uses it decides that.
pub(crate) struct TraceFile {
    columns: Vec<(String, Column)>,
    rows: usize,
}

enum Column {
    /// Only `true` and `false`, perhaps with 0 and 1.
    Truths(Vec<bool>),
    /// Only 0 and 1.
    Bits(Vec<bool>),
    Numbers(Vec<RBig>),
    Names(Vec<String>),
}

impl TraceFile {
    pub(crate) fn read(path: &Path) -> Result<TraceFile, String> {
        let name = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
        let bytes = match path.as_os_str() == "-" {
            true => input::standard_input()?,
            false => std::fs::read(path).map_err(|error| format!("{name} cannot be read: {error}"))?,
        };
        parse(&bytes).map_err(|error| format!("{name}: {error}"))
    }

    /// The signals and their sorts; `Any` for columns of 0 and 1.
    pub(crate) fn signals(&self) -> FxHashMap<String, Sort> {
        let sort = |column: &Column| match column {
            Column::Truths(_) => Sort::Bool,
            Column::Bits(_) => Sort::Any,
            Column::Numbers(_) => Sort::Real,
            Column::Names(_) => Sort::Enum,
        };
        self.columns.iter().map(|(name, column)| (name.clone(), sort(column))).collect()
    }

    /// The trace for a sentence that uses the signals with these sorts.
    pub(crate) fn trace(&self, sorts: &FxHashMap<String, Sort>) -> Trace {
        let empty = Trace::new(self.rows, None).expect("a file without rows was refused");
        self.columns.iter().fold(empty, |trace, (name, column)| {
            let boolean = sorts.get(name) == Some(&Sort::Bool);
            let values = match column {
                Column::Bits(bits) if !boolean => {
                    bits.iter().map(|&bit| Value::Num(RBig::from(u8::from(bit)))).collect()
                }
                Column::Truths(bits) | Column::Bits(bits) => {
                    bits.iter().map(|&bit| Value::Bool(bit)).collect()
                }
                Column::Numbers(numbers) => numbers.iter().cloned().map(Value::Num).collect(),
                Column::Names(names) => names.iter().cloned().map(Value::Name).collect(),
            };
            trace.with(name, values).expect("columns have distinct names and one length")
        })
    }
}

fn parse(bytes: &[u8]) -> Result<TraceFile, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(bytes);
    let mut records = reader.records();
    let header = records
        .next()
        .ok_or("the file is empty; the first row must hold the names of the columns")?
        .map_err(|e| unreadable(&e))?;
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for (index, name) in header.iter().enumerate() {
        if name.is_empty() {
            return Err(format!("row 1, column {}: the name of the column is missing", index + 1));
        }
        if columns.iter().any(|(known, _)| known == name) {
            return Err(format!("row 1, column {}: the name `{name}` is used twice", index + 1));
        }
        columns.push((name.to_string(), Vec::new()));
    }
    let mut rows = 0;
    for record in records {
        let record = record.map_err(|error| unreadable(&error))?;
        let row = record.position().map_or(rows as u64 + 2, csv::Position::line);
        if record.len() != columns.len() {
            return Err(format!(
                "row {row}: {} cells, but the header names {} columns",
                record.len(),
                columns.len()
            ));
        }
        for ((name, cells), cell) in columns.iter_mut().zip(&record) {
            if cell.is_empty() {
                return Err(format!("row {row}, column `{name}`: the cell is empty"));
            }
            cells.push(cell.to_string());
        }
        rows += 1;
    }
    if rows == 0 {
        return Err("there is no row behind the header, so the trace has no step".into());
    }
    let columns = columns.into_iter().map(|(name, cells)| typed(&name, &cells).map(|column| (name, column)));
    Ok(TraceFile { columns: columns.collect::<Result<_, String>>()?, rows })
}

fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { pos, err } => {
            let row = pos.as_ref().map_or(0, csv::Position::line);
            format!("row {row}, column {}: the cell is not UTF-8", err.field() + 1)
        }
        _ => error.to_string(),
    }
}

/// The first cell that is not 0 or 1 decides what a column holds; a later one that does not fit is an error.
fn typed(name: &str, cells: &[String]) -> Result<Column, String> {
    let truth = |cell: &str| match cell {
        "0" => Some(false),
        "1" => Some(true),
        _ if cell.eq_ignore_ascii_case("true") => Some(true),
        _ if cell.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    let is_bit = |cell: &str| matches!(cell, "0" | "1");
    let wrong = |row: usize, wanted: &str| {
        format!("row {}, column `{name}`: `{}` is not {wanted}, as the cells above are", row + 2, cells[row])
    };
    fn all<'c, T>(cells: &'c [String], read: impl Fn(&'c str) -> Option<T>) -> Result<Vec<T>, usize> {
        cells.iter().enumerate().map(|(row, cell)| read(cell).ok_or(row)).collect()
    }
    let Some(decisive) = cells.iter().position(|cell| !is_bit(cell)) else {
        return Ok(Column::Bits(cells.iter().map(|cell| cell == "1").collect()));
    };
    if truth(&cells[decisive]).is_some() {
        return all(cells, truth).map(Column::Truths).map_err(|row| wrong(row, "a truth value"));
    }
    if logic::parse_decimal(&cells[decisive]).is_some() {
        return all(cells, logic::parse_decimal).map(Column::Numbers).map_err(|row| wrong(row, "a number"));
    }
    if decisive > 0 {
        return Err(wrong(decisive, "a number or truth value"));
    }
    let named = |cell: &str| (logic::parse_decimal(cell).is_none()).then(|| cell.to_string());
    all(cells, named).map(Column::Names).map_err(|row| wrong(row, "a name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let found = parse(text.as_bytes()).map(|file| {
            let kind = |column: &Column| match column {
                Column::Truths(_) => "truths",
                Column::Bits(_) => "bits",
                Column::Numbers(_) => "numbers",
                Column::Names(_) => "names",
            };
            let columns: Vec<String> =
                file.columns.iter().map(|(name, column)| format!("{name}:{}", kind(column))).collect();
            format!("{} rows {}", file.rows, columns.join(" "))
        });
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text:?}");
    }

    #[test]
    fn table() {
        check("p,q\n0,1\n1,1\n", Ok("2 rows p:bits q:bits"));
        check("\u{feff}p , x\r\ntrue, -1.5e1\r\n0, 2\r\n", Ok("2 rows p:truths x:numbers"));
        check("s\nidle\nrun\n", Ok("1 rows s:names").map(|_| "2 rows s:names"));
        check("\"a, b\"\n1\n", Ok("1 rows a, b:bits"));
        check("", Err("the file is empty; the first row must hold the names of the columns"));
        check("p,q\n", Err("there is no row behind the header, so the trace has no step"));
        check("p,q\n1\n", Err("row 2: 1 cells, but the header names 2 columns"));
        check("p,q\n1,0\n1,0,1\n", Err("row 3: 3 cells, but the header names 2 columns"));
        check("p,p\n1,1\n", Err("row 1, column 2: the name `p` is used twice"));
        check("p,\n1,1\n", Err("row 1, column 2: the name of the column is missing"));
        check("p,x\n1,2\n1,\n", Err("row 3, column `x`: the cell is empty"));
        check("x\n2\nhigh\n", Err("row 3, column `x`: `high` is not a number, as the cells above are"));
        check("x\ntrue\n7\n", Err("row 3, column `x`: `7` is not a truth value, as the cells above are"));
        check("x\nidle\n7\n", Err("row 3, column `x`: `7` is not a name, as the cells above are"));
        check(
            "x\n1\nidle\n",
            Err("row 3, column `x`: `idle` is not a number or truth value, as the cells above are"),
        );
        assert_eq!(parse(b"p\n\xff\n").err().as_deref(), Some("row 2, column 1: the cell is not UTF-8"));
    }
}
