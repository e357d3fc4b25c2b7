//! The text of a CSV file: a header of names, then one row per step. Every error names the line and the column.

use super::{Column, Malformed, TraceFile};
use base::counted;
use base::csv::Row;
use base::csv::rows;
use base::csv::value;
use std::borrow::Cow;
use std::collections::BTreeSet;

pub(super) fn parse(bytes: &[u8]) -> Result<TraceFile, Malformed> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // A character that is not UTF-8 is found in its row and column.
    let text = String::from_utf8_lossy(bytes);
    let wrong = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to()).err();
    let separator = separator(&text);
    let mut records = Vec::new();
    for row in rows(&text, 0, separator) {
        let row = row.map_err(|broken| Malformed::at(format!("line {}", broken.line), broken.to_string()))?;
        if let Some(column) = row.fields.iter().position(|field| wrong.is_some_and(|at| field.contains(&at)))
        {
            let place = format!("line {}, column {}", row.line, column + 1);
            return Err(Malformed::at(place, "the cell is not UTF-8"));
        }
        if !row.is_empty() {
            records.push(row);
        }
    }
    let cells = |row: &Row| -> Vec<Cow<'_, str>> {
        row.fields.iter().map(|field| value(&text[field.clone()])).collect()
    };
    let mut records = records.iter().map(|row| (row.line, cells(row)));
    let (line, header) = records.next().ok_or_else(|| {
        Malformed::new("the file is empty; the first line must have the names of the columns")
    })?;
    let rows: Vec<(usize, Vec<Cow<'_, str>>)> = records.collect();
    let mut names: Vec<&str> = header.iter().map(|name| name.trim()).collect();
    // A separator at the end of every line makes no column.
    let width = names.len();
    let ends_empty =
        |row: &[Cow<'_, str>]| row.len() < width || row[width - 1..].iter().all(|it| it.trim().is_empty());
    if width > 1 && names.last() == Some(&"") && rows.iter().all(|(_, row)| ends_empty(row)) {
        names.pop();
    }
    let mut known = BTreeSet::new();
    for (index, &name) in names.iter().enumerate() {
        let place = format!("line {}, column {}", line, index + 1);
        if name.is_empty() {
            return Err(Malformed::at(place, "the name of the column is missing"));
        }
        if !known.insert(name) {
            return Err(Malformed::at(place, format!("the name `{name}` is used twice")));
        }
        if let Some(reason) = reserved(name) {
            return Err(Malformed::at(place, reason));
        }
    }
    if rows.is_empty() {
        return Err(Malformed::new("the file has a header but no rows"));
    }
    for (line, row) in &rows {
        let spare = row.len().saturating_sub(names.len());
        let has_spare = spare == 1 && row.last().is_some_and(|cell| cell.trim().is_empty());
        if row.len() != names.len() && !has_spare {
            let (cells, columns) = (counted(row.len(), "cell"), counted(names.len(), "column"));
            return Err(Malformed::at(
                format!("line {line}"),
                format!("{cells}, but the header has {columns}"),
            ));
        }
    }
    let column = |(index, &name): (usize, &&str)| {
        let cells: Vec<Cow<'_, str>> =
            rows.iter().map(|(_, row)| decimal(row[index].trim(), separator)).collect();
        let cells: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
        if let Some((row, reason)) = without_value(&cells) {
            let line = rows[row].0;
            return Ok((
                name.to_string(),
                Column::Unusable(format!("line {line}, column `{name}`: {reason}")),
            ));
        }
        let column = typed(&cells).map_err(|Misfit { row, reason }| {
            Malformed::at(format!("line {}, column `{name}`", rows[row].0), reason)
        });
        column.map(|column| (name.to_string(), column))
    };
    let columns = names.iter().enumerate().map(column).collect::<Result<_, _>>()?;
    Ok(TraceFile { columns, rows: rows.len() })
}

/// The separator: that of the first line, where a comma comes first.
fn separator(text: &str) -> char {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    [',', ';', '\t'].into_iter().find(|&separator| first.contains(separator)).unwrap_or(',')
}

/// A number with a decimal comma as one with a point, where a comma does not separate cells.
fn decimal(cell: &str, separator: char) -> Cow<'_, str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    match unsigned.split_once(',') {
        Some((whole, part)) if separator != ',' && digits(whole) && digits(part) => {
            Cow::Owned(cell.replacen(',', ".", 1))
        }
        _ => Cow::Borrowed(cell),
    }
}

/// The first cell without a value, and why it has none. A column of names may have any texts.
fn without_value(cells: &[&str]) -> Option<(usize, String)> {
    let undefined =
        |cell: &str| ["nan", "na", "n/a", "null"].iter().any(|word| cell.eq_ignore_ascii_case(word));
    let is_number = |cell: &&&str| logic::parse_number(cell).is_some();
    let numbers = cells.iter().filter(is_number).count() > 0;
    cells.iter().enumerate().find_map(|(row, cell)| match *cell {
        "" => Some((row, "the cell is empty".to_string())),
        cell if undefined(cell) && (numbers || cell.eq_ignore_ascii_case("nan")) => {
            Some((row, format!("`{cell}` is not a number: it has no exact value")))
        }
        _ => None,
    })
}

/// Why a column cannot have this name: it means something else in every sentence.
pub(crate) fn reserved(name: &str) -> Option<String> {
    let truth = ["true", "false", "⊤", "⊥"].iter().any(|word| name.eq_ignore_ascii_case(word));
    let meaning = match name {
        "FTP" => "the first point of the trace",
        _ if truth => "a Boolean",
        _ => return None,
    };
    Some(format!("sentences cannot use a column `{name}`, because that is {meaning}; rename it"))
}

/// A cell that does not fit into its column.
pub(super) struct Misfit {
    pub(super) row: usize,
    pub(super) reason: String,
}

/// The first cell that is not 0 or 1 decides what a column holds; a later one that does not fit is an error.
pub(super) fn typed(cells: &[&str]) -> Result<Column, Misfit> {
    let truth = |cell: &str| match cell {
        "0" => Some(false),
        "1" => Some(true),
        _ if cell.eq_ignore_ascii_case("true") => Some(true),
        _ if cell.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    let misfit = |row: usize, wanted: &str| Misfit {
        row,
        reason: format!("`{}` is not {wanted}, as the cells above are", cells[row]),
    };
    let bad_number = |row: usize| match not_a_number(cells[row]) {
        Some(why) => Misfit { row, reason: format!("`{}` is not a number: {why}", cells[row]) },
        None => misfit(row, "a number"),
    };
    fn all<T>(cells: &[&str], read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, usize> {
        cells.iter().enumerate().map(|(row, cell)| read(cell).ok_or(row)).collect()
    }
    let Some(decisive) = cells.iter().position(|&cell| !matches!(cell, "0" | "1")) else {
        return Ok(Column::Bits(cells.iter().map(|&cell| cell == "1").collect()));
    };
    if truth(cells[decisive]).is_some() {
        return all(cells, truth).map(Column::Truths).map_err(|row| misfit(row, "a Boolean"));
    }
    if logic::parse_number(cells[decisive]).is_some() || not_a_number(cells[decisive]).is_some() {
        return all(cells, logic::parse_number).map(Column::Numbers).map_err(bad_number);
    }
    if decisive > 0 {
        return Err(misfit(decisive, "a number or Boolean"));
    }
    let named = |cell: &str| logic::parse_number(cell).is_none().then(|| cell.to_string());
    all(cells, named).map(Column::Names).map_err(|row| misfit(row, "a name"))
}

/// Why a cell that was meant as a number is not one.
fn not_a_number(cell: &str) -> Option<&'static str> {
    let is_number = |text: &str| logic::parse_number(text).is_some();
    let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    if ["nan", "inf", "infinity"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return Some("it has no exact value");
    }
    if is_number(cell) {
        return None;
    }
    if is_number(&cell.replace(['_', ','], "")) {
        return Some("write its digits without separators, and a point before the decimals");
    }
    let (mantissa, exponent) = cell.split_once(['e', 'E'])?;
    (is_number(mantissa) && is_number(exponent) && !exponent.contains(['.', 'e', 'E']))
        .then_some("its exponent is beyond the limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let found = parse(text.as_bytes()).map(|file| {
            fn kind(column: &Column) -> &str {
                match column {
                    Column::Truths(_) => "truths",
                    Column::Bits(_) => "bits",
                    Column::Numbers(_) => "numbers",
                    Column::Names(_) => "names",
                    Column::Unusable(reason) => reason,
                }
            }
            let columns: BTreeSet<String> =
                file.columns.iter().map(|(name, column)| format!(" {name}:{}", kind(column))).collect();
            format!("{} rows{}", file.rows, columns.into_iter().collect::<String>())
        });
        let found = found.map_err(|it| it.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text:?}");
    }

    #[test]
    fn table() {
        check("p,q\n0,1\n1,1\n", Ok("2 rows p:bits q:bits"));
        check("\u{feff}p , x\r\ntrue, -1.5e1\r\n0, 2\r\n", Ok("2 rows p:truths x:numbers"));
        check("s\nidle\nrun\n", Ok("2 rows s:names"));
        check("x,d\n0,2026/04\n-1/3,2026/12\n", Ok("2 rows d:names x:numbers"));
        check("\"a, b\"\n1\n", Ok("1 rows a, b:bits"));
        check("t,d\nnan_1,2024-01-02\n2nd,1.2.3\n", Ok("2 rows d:names t:names"));
        check("", Err("the file is empty; the first line must have the names of the columns"));
        check("p,q\n", Err("the file has a header but no rows"));
        check("p,q\n1\n", Err("line 2: 1 cell, but the header has 2 columns"));
        check("p,q\n1,0\n1,0,1\n", Err("line 3: 3 cells, but the header has 2 columns"));
        check("p,p\n1,1\n", Err("line 1, column 2: the name `p` is used twice"));
        check("p,\n1,1\n", Err("line 1, column 2: the name of the column is missing"));
        check("p,q,\n1,1,\n0,1\n", Ok("2 rows p:bits q:bits"));
        check("p,q\n1,1,\n0,1\n", Ok("2 rows p:bits q:bits"));
        check("p;x\n1;2,5\n1;-0,25\n", Ok("2 rows p:bits x:numbers"));
        check("p\tx\n1\t2.5\n", Ok("1 rows p:bits x:numbers"));
        check("p,x\n1,2\n1,\n", Ok("2 rows p:bits x:line 3, column `x`: the cell is empty"));
        check("x\n2\nhigh\n", Err("line 3, column `x`: `high` is not a number, as the cells above are"));
        check("x\ntrue\n7\n", Err("line 3, column `x`: `7` is not a Boolean, as the cells above are"));
        check("x\nidle\n7\n", Err("line 3, column `x`: `7` is not a name, as the cells above are"));
        check(
            "x\n1\nidle\n",
            Err("line 3, column `x`: `idle` is not a number or Boolean, as the cells above are"),
        );
        check(
            "\r\nx\r\n\r\n2\r\n\r\n\r\nhigh",
            Err("line 7, column `x`: `high` is not a number, as the cells above are"),
        );
        check(
            "x,s\n2,\"two\nlines\"\n\nhigh,s\n",
            Err("line 5, column `x`: `high` is not a number, as the cells above are"),
        );
        check("x,s\n\n1,\"a \"\"b\"\"\n2,c\n", Err("line 3: a quotation mark is never closed"));
        check("x\n1\nNaN\n", Ok("2 rows x:line 3, column `x`: `NaN` is not a number: it has no exact value"));
        check("x\n-inf\n1\n", Err("line 2, column `x`: `-inf` is not a number: it has no exact value"));
        check(
            "x\n1_000\n1\n",
            Err(
                "line 2, column `x`: `1_000` is not a number: write its digits without separators, and a point before the decimals",
            ),
        );
        check(
            "x\n2\n-1e100000\n",
            Err("line 3, column `x`: `-1e100000` is not a number: its exponent is beyond the limit"),
        );
        check(
            "p,FTP\n1,1\n",
            Err(
                "line 1, column 2: sentences cannot use a column `FTP`, because that is the first point of the trace; rename it",
            ),
        );
        check(
            "True\n1\n",
            Err(
                "line 1, column 1: sentences cannot use a column `True`, because that is a Boolean; rename it",
            ),
        );
        assert_eq!(
            parse(b"p\n\xff\n").err().map(|it| it.to_string()).as_deref(),
            Some("line 2, column 1: the cell is not UTF-8")
        );
    }
}
