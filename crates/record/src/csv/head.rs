//! The head of a separated text: separator, decimal point, comments, names, units and the column of time.
//!
//! Nothing of it is declared in the file, so it is read from the first rows: `#` lines before the header are comments; the separator is
//! the first of `,`, `;` and tab in the header; where it is not the comma, a comma is a decimal point; a row of units may follow the header.

use super::cell::{as_number, as_plain_truth, is_missing, not_a_number};
use super::split;
use super::time::{instant, is_instant};
use crate::reader::{Malformed, Signal, Time, TimeUnit};
use logic::Sort;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// What the first rows say about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The separator.
    pub separator: u8,
    /// The decimal point.
    pub point: u8,
    /// The columns, in their order.
    pub signals: Vec<Signal>,
    /// The column of time, if there is one: its name says so, and it has numbers or dates.
    pub time: Option<Time>,
    /// Whether the second row has units.
    pub has_units: bool,
    /// The end of a row: a line feed, or a carriage return in files that have no other.
    pub(super) line_end: u8,
    /// The bytes of the head.
    pub(super) length: usize,
    /// The lines of the head.
    pub(super) lines: u64,
}

/// A name in UTF-8, or else in Latin-1, as older programs write `°C`; none if it has characters that are no text.
fn text(name: &[u8]) -> Option<Cow<'_, str>> {
    match std::str::from_utf8(name) {
        Ok(name) => Some(name.into()),
        Err(_) => {
            let letters: String = name.iter().copied().map(char::from).collect();
            (!letters.contains(char::is_control)).then(|| letters.into())
        }
    }
}

/// The rows from which the kinds of columns are found.
const SAMPLE: usize = 200;

impl Head {
    /// Reads the head from the first bytes; `is_all` if there are no others.
    pub(super) fn read(bytes: &[u8], is_all: bool) -> Result<Head, Malformed> {
        let line_end = if bytes.contains(&b'\n') || !bytes.contains(&b'\r') { b'\n' } else { b'\r' };
        let mut at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut lines = 0;
        let empty = || Malformed {
            line: None,
            reason: "the file is empty; the first line must have the names of the columns".into(),
        };
        // Comments and empty lines.
        loop {
            let line = bytes[at..].split(|&byte| byte == line_end).next().unwrap_or_default();
            if at >= bytes.len() {
                return Err(empty());
            }
            if !line.starts_with(b"#") && !line.iter().all(u8::is_ascii_whitespace) {
                break;
            }
            at = (at + line.len() + 1).min(bytes.len());
            lines += 1;
        }
        let first = bytes[at..].split(|&byte| byte == line_end).next().unwrap_or_default();
        let separator = [b',', b';', b'\t'].into_iter().find(|it| first.contains(it)).unwrap_or(b',');
        let point = if separator == b',' { b'.' } else { b',' };
        let mut rows = Vec::new();
        let mut ends = Vec::new();
        let mut next = at;
        while rows.len() < SAMPLE + 2 && next < bytes.len() {
            let (row, end, is_whole) = split::row(bytes, next, separator, line_end);
            if !is_whole && !is_all {
                break;
            }
            lines += bytes[next..end].iter().filter(|&&byte| byte == line_end).count() as u64;
            next = end;
            rows.push(row);
            ends.push((end, lines));
        }
        let line = ends.first().map_or(1, |(_, lines)| *lines).max(1);
        let Some(header) = rows.first() else {
            let reason = "the header is too long, or a quotation mark in it is never closed".into();
            return Err(Malformed { line: Some(lines + 1), reason });
        };
        let mut names = Vec::new();
        for name in header {
            let name = text(name).ok_or_else(|| {
                let reason = "the header is not text in UTF-8 or Latin-1; save the file in UTF-8";
                Malformed { line: Some(line), reason: reason.into() }
            })?;
            names.push(name.trim().to_owned());
        }
        if names.len() > 1 && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        named(&names, line)?;
        let texts: Vec<Vec<String>> = rows[1..]
            .iter()
            .filter(|row| row.len() > 1 || row.iter().any(|cell| !cell.is_empty()))
            .map(|row| row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect())
            .collect();
        let has_units = has_units(&texts, point);
        let sample = &texts[usize::from(has_units)..];
        let signal = |(at, name): (usize, &String)| {
            let unit =
                texts.first().filter(|_| has_units).and_then(|row| row.get(at)).filter(|it| !it.is_empty());
            let unit = unit.map(|unit| unit.trim_matches(['[', ']', '(', ')']).to_owned());
            let cells = sample.iter().filter_map(|row| row.get(at)).map(String::as_str);
            Signal { name: name.clone(), unit, sort: sort(cells, point) }
        };
        let signals: Vec<Signal> = names.iter().enumerate().map(signal).collect();
        let time = time(&signals, sample, point);
        let (length, lines) = ends[usize::from(has_units)];
        Ok(Head { separator, point, signals, time, has_units, line_end, length, lines })
    }
}

fn named(names: &[String], line: u64) -> Result<(), Malformed> {
    let mut known = FxHashSet::default();
    let wrong = |at: usize, reason: String| {
        Err(Malformed { line: Some(line), reason: format!("column {}: {reason}", at + 1) })
    };
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            return wrong(at, "the name of the column is missing".into());
        }
        if !known.insert(name) {
            return wrong(at, format!("the name `{name}` is used twice"));
        }
    }
    Ok(())
}

/// Symbols of units that logs have in a row below the header.
const UNITS: &[&str] = &[
    "s", "ms", "us", "µs", "ns", "min", "h", "d", "m", "mm", "cm", "km", "um", "in", "ft", "nm", "mi", "kt",
    "kn", "kts", "g", "kg", "t", "lb", "N", "kN", "Nm", "Pa", "kPa", "hPa", "MPa", "bar", "mbar", "psi", "K",
    "C", "F", "degC", "degF", "°C", "°F", "deg", "°", "rad", "rpm", "V", "mV", "kV", "A", "mA", "uA", "W",
    "kW", "mW", "MW", "J", "kJ", "Wh", "kWh", "Ah", "mAh", "Hz", "kHz", "MHz", "Ohm", "Ω", "T", "mT", "F",
    "H", "l", "L", "ml", "mph", "kph", "kmh", "bit", "B", "bool", "enum", "sec", "%", "ppm", "mol", "cd",
    "lm", "lx", "dB",
];

/// Whether a cell names a unit, such as `m/s^2`, or anything in brackets.
fn is_unit(cell: &str) -> bool {
    let is_bracketed =
        (cell.starts_with('[') && cell.ends_with(']')) || (cell.starts_with('(') && cell.ends_with(')'));
    let mut parts = cell.split(['/', '*', '·', '^', ' ', '.', '²', '³']).filter(|part| !part.is_empty());
    let exponent = |part: &str| part.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    is_bracketed || cell == "-" || parts.all(|part| UNITS.contains(&part) || exponent(part))
}

/// Whether the first row has units: each cell is a unit or empty, not a value, and the row after it has values below some of them.
fn has_units(rows: &[Vec<String>], point: u8) -> bool {
    let [units, values, ..] = rows else { return false };
    let is_value = |cell: &String| as_number(cell, point).is_some() || as_plain_truth(cell).is_some();
    let mut pairs = units.iter().zip(values);
    units.iter().all(|cell| cell.is_empty() || (is_unit(cell) && !is_value(cell)))
        && pairs.any(|(unit, value)| !unit.is_empty() && is_value(value))
}

/// What the cells of a column are: the first one that is not 0 or 1 decides.
fn sort<'c>(cells: impl Iterator<Item = &'c str>, point: u8) -> Sort {
    let decisive = cells.into_iter().find(|cell| !matches!(*cell, "0" | "1") && !is_missing(cell));
    match decisive {
        None => Sort::Any,
        Some(cell) if as_plain_truth(cell).is_some() => Sort::Bool,
        Some(cell) if as_number(cell, point).is_some() || not_a_number(cell).is_some() => Sort::Real,
        Some(_) => Sort::Enum,
    }
}

/// The column of time: a usual name, and numbers or dates in the first rows. A column `t` may be something else, so its values must ascend.
fn time(signals: &[Signal], sample: &[Vec<String>], point: u8) -> Option<Time> {
    let usual = signals.iter().enumerate().filter(|(_, signal)| Time::is_usual(&signal.name));
    usual.map(|(column, _)| column).find_map(|column| {
        let cells: Vec<&String> = sample.iter().filter_map(|row| row.get(column)).collect();
        let is_date = cells.first().is_some_and(|cell| is_instant(cell));
        let at = |cell: &&String| if is_date { instant(cell) } else { as_number(cell, point) };
        let times: Option<Vec<_>> = cells.iter().map(at).collect();
        let Signal { name, unit, .. } = &signals[column];
        let is_short = name.len() == 1 || !name[1..].starts_with(|c: char| c.is_alphanumeric());
        let fits = |times: &Vec<_>| !times.is_empty() && (!is_short || times.is_sorted());
        let stated = unit.as_deref().and_then(TimeUnit::parse).or_else(|| TimeUnit::of_name(name));
        let unit = stated.filter(|_| !is_date).unwrap_or(TimeUnit::Second);
        times.filter(fits).map(|_| Time { column, is_date, unit })
    })
}
