//! Test vectors: rows of a time, values of the inputs, and the values that the outputs should have then.
//!
//! Columns are matched with variables by name, without articles, case and prefixes such as `I:`; timers are
//! ignored. A value of an enumeration is written as its name or as its number in alphabetical order. Equal texts in a column are read once.

use crate::system::{Dfrs, Kind, Sort};
use base::csv;
use logic::{Value, format_decimal, parse_decimal};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The most decimals of a time.
const MAX_PLACES: usize = 9;

/// Test vectors of one system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vectors {
    /// The columns of inputs and outputs.
    pub columns: Vec<Column>,
    /// The cases.
    pub cases: Vec<Case>,
    /// For each row, its time in units.
    pub times: Vec<i64>,
    /// Units per time unit of the requirements.
    pub units: i64,
    /// For each row, its line in the text.
    pub lines: Vec<usize>,
    /// Row by row, for each column the number of its value.
    pub cells: Vec<u32>,
    /// What is odd, but not an error.
    pub notes: Vec<Problem>,
}

/// A column of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The number of the variable.
    pub variable: usize,
    /// The different values in it.
    pub values: Vec<Value>,
}

/// A test case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name, empty if the vectors have no column for it.
    pub name: String,
    /// Its first row.
    pub start: usize,
    /// The row after its last one.
    pub end: usize,
}

/// Something wrong in the text of vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 for the whole line.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// What a column holds.
enum Role {
    Case,
    Time,
    Value(usize),
    Ignored,
}

/// Reads test vectors.
pub fn read_vectors(dfrs: &Dfrs, text: &str) -> Result<Vectors, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = csv::rows(text, 0, ',')
        .filter(|row| !row.as_ref().is_ok_and(csv::Row::is_empty))
        .map(|row| record(text, row));
    let Some(first) = records.next() else {
        return Err(Problem { line: 1, column: 0, message: "there is no header".to_owned() });
    };
    let (line, fields) = first?;
    let mut vectors = Vectors {
        columns: Vec::new(),
        cases: Vec::new(),
        times: Vec::new(),
        units: 1,
        lines: Vec::new(),
        cells: Vec::new(),
        notes: Vec::new(),
    };
    let roles = header(dfrs, line, &fields, &mut vectors.columns)?;
    let mut known: Vec<FxHashMap<Cow<'_, str>, u32>> = vec![FxHashMap::default(); vectors.columns.len()];
    let mut places = 0;
    for record in records {
        let (line, fields) = record?;
        if fields.len() != roles.len() {
            let message = format!("{} fields, but the header has {}", fields.len(), roles.len());
            return Err(Problem { line, column: 0, message });
        }
        let row = vectors.lines.len();
        vectors.lines.push(line);
        let mut named = false;
        for (place, (field, role)) in fields.iter().zip(&roles).enumerate() {
            match role {
                Role::Ignored => {}
                Role::Case => {
                    named = true;
                    if vectors.cases.last().is_none_or(|case| case.name != field.as_ref()) {
                        vectors.cases.push(Case { name: field.to_string(), start: row, end: row });
                    }
                }
                Role::Time => {
                    let time = time(field, &mut places, &mut vectors);
                    let message = || format!("`{field}` is not a time");
                    let time = time.ok_or_else(|| Problem { line, column: place + 1, message: message() })?;
                    vectors.times.push(time);
                }
                Role::Value(column) => {
                    let cell = match known[*column].get(field.as_ref()) {
                        Some(&cell) => cell,
                        None => {
                            let variable = vectors.columns[*column].variable;
                            let unknown = || Problem {
                                line,
                                column: place + 1,
                                message: unknown(dfrs, variable, field),
                            };
                            let (value, is_known) = value(dfrs, variable, field).ok_or_else(unknown)?;
                            vectors.notes.extend((!is_known).then(unknown));
                            let cell = vectors.columns[*column].values.len() as u32;
                            vectors.columns[*column].values.push(value);
                            known[*column].insert(field.clone(), cell);
                            cell
                        }
                    };
                    vectors.cells.push(cell);
                }
            }
        }
        if !named && row == 0 {
            vectors.cases.push(Case { name: String::new(), start: 0, end: 0 });
        }
        if let Some(case) = vectors.cases.last_mut() {
            case.end = row + 1;
        }
    }
    Ok(vectors)
}

/// The line of a row, and its fields.
fn record(text: &str, row: Result<csv::Row, csv::Broken>) -> Result<(usize, Vec<Cow<'_, str>>), Problem> {
    let problem = |line: usize, message: String| Problem { line, column: 0, message };
    let row = row.map_err(|broken| problem(broken.line, broken.to_string()))?;
    let field = |field| match csv::parts(&text[field]) {
        (value, "") => Ok(value),
        _ => Err(problem(row.line, "text after a closing quote".to_owned())),
    };
    Ok((row.line, row.fields.into_iter().map(field).collect::<Result<_, _>>()?))
}

fn header(
    dfrs: &Dfrs,
    line: usize,
    fields: &[Cow<'_, str>],
    columns: &mut Vec<Column>,
) -> Result<Vec<Role>, Problem> {
    let mut roles = Vec::new();
    // The values of a row are kept in the order of its fields.
    for (place, field) in fields.iter().enumerate() {
        let name = normal(field);
        let variable = dfrs.variables.iter().position(|it| normal(&it.name) == name);
        roles.push(match (variable, name.as_str()) {
            (Some(variable), _) if dfrs.variables[variable].kind == Kind::Timer => Role::Ignored,
            (Some(variable), _) => {
                if columns.iter().any(|column| column.variable == variable) {
                    let message = format!("there are two columns `{}`", field.trim());
                    return Err(Problem { line, column: place + 1, message });
                }
                columns.push(Column { variable, values: Vec::new() });
                Role::Value(columns.len() - 1)
            }
            (None, "case" | "test" | "test_case") if place == 0 => Role::Case,
            (None, "time" | "gc") => Role::Time,
            (None, _) => {
                let message = format!("there is no variable `{}`", field.trim());
                return Err(Problem { line, column: place + 1, message });
            }
        });
    }
    if roles.iter().filter(|role| matches!(role, Role::Time)).count() != 1 {
        let message = "the vectors need one column `time`".to_owned();
        return Err(Problem { line, column: 0, message });
    }
    Ok(roles)
}

/// A name as columns and variables are compared: small letters, `_` between words, no prefix, unit or article.
fn normal(name: &str) -> String {
    let name = name.trim();
    let name = ["I:", "O:", "T:"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let name = name.split_once('(').map_or(name, |(name, _)| name).trim();
    let name: String = name
        .chars()
        .map(|char| if char.is_alphanumeric() { char.to_ascii_lowercase() } else { '_' })
        .collect();
    let article = ["the_", "an_", "a_"].iter().find_map(|article| name.strip_prefix(article));
    article.map_or(name.clone(), str::to_owned)
}

/// A time in units; more decimals than before make the units of all times finer.
fn time(field: &str, places: &mut usize, vectors: &mut Vectors) -> Option<i64> {
    let field = field.trim();
    if let (0, Ok(time)) = (*places, field.parse::<i64>()) {
        return Some(time);
    }
    let text = format_decimal(&parse_decimal(field)?)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if fraction.len() > MAX_PLACES {
        return None;
    }
    if fraction.len() > *places {
        let finer = 10_i64.checked_pow((fraction.len() - *places) as u32)?;
        vectors.units = vectors.units.checked_mul(finer)?;
        for time in &mut vectors.times {
            *time = time.checked_mul(finer)?;
        }
        *places = fraction.len();
    }
    format!("{whole}{fraction:0<width$}", width = *places).parse().ok()
}

/// A field without spaces and quotes around it.
fn plain(field: &str) -> &str {
    field.trim().trim_matches('\'')
}

/// That a text is not a value of a variable.
fn unknown(dfrs: &Dfrs, variable: usize, field: &str) -> String {
    let it = &dfrs.variables[variable];
    let known = if matches!(it.sort, Sort::Names(_)) { " that the requirements know" } else { "" };
    format!("`{}` is not a value of `{}`{known}", plain(field), it.name)
}

/// The value that a text stands for, and whether the requirements know it; inputs may have other names as values.
fn value(dfrs: &Dfrs, variable: usize, field: &str) -> Option<(Value, bool)> {
    let it = &dfrs.variables[variable];
    let text = plain(field);
    let words = |text: &str| text.replace('_', " ").to_lowercase();
    let value = match &it.sort {
        Sort::Bool { word } => {
            let word = word.as_ref().map(|word| words(word));
            match words(text) {
                text if ["true", "1"].contains(&text.as_str()) || word.as_ref() == Some(&text) => {
                    Value::Bool(true)
                }
                text if ["false", "0"].contains(&text.as_str()) => Value::Bool(false),
                text if word.is_some_and(|word| format!("not {word}") == text) => Value::Bool(false),
                _ => return None,
            }
        }
        Sort::Int | Sort::Real => {
            Value::Num(parse_decimal(text).filter(|number| it.sort == Sort::Real || number.is_int())?)
        }
        Sort::Names(names) => {
            let known = names.iter().find(|name| words(name) == words(text));
            let numbered = || text.parse().ok().and_then(|place: usize| names.get(place));
            match known.or_else(numbered) {
                Some(name) => Value::Name(name.clone()),
                None if it.kind == Kind::Input => return Some((Value::Name(text.to_owned()), false)),
                None => return None,
            }
        }
    };
    Some((value, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised() {
        for (name, expected) in [
            ("The_Coin_Sensor", "coin_sensor"),
            ("I: the_voltage", "voltage"),
            ("O: the indication-lights", "indication_lights"),
            ("TIME (ms)", "time"),
            ("theatre", "theatre"),
        ] {
            assert_eq!(normal(name), expected);
        }
    }
}
