//! What is wrong with a file, and where: [`FileError`], [`Place`].
//!
//! A reader never panics and never guesses: what it cannot read is one `FileError` with a place and a hint.

use std::fmt;

/// Where an error is: the part of the file (an entry of an archive, a sheet) and the spot in that part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The entry of an archive or the name of a sheet; `None` for a file of one part.
    pub part: Option<String>,
    /// The spot in that part.
    pub spot: Spot,
}

/// A spot in a part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spot {
    /// The whole part.
    #[default]
    Whole,
    /// A line and a column of a text, from 1.
    Line(usize, usize),
    /// A row of a sheet, from 1.
    Row(usize),
    /// A cell of a sheet, as in `B7`.
    Cell(String),
    /// An object with an identifier.
    Object(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = match (&self.part, &self.spot) {
            (None, _) => "",
            (Some(part), Spot::Whole) => return f.write_str(part),
            (Some(part), _) => {
                f.write_str(part)?;
                ", "
            }
        };
        match &self.spot {
            Spot::Whole => Ok(()),
            Spot::Line(line, column) => write!(f, "{separator}line {line}, column {column}"),
            Spot::Row(row) => write!(f, "{separator}row {row}"),
            Spot::Cell(cell) => write!(f, "{separator}cell {cell}"),
            Spot::Object(id) => write!(f, "{separator}object {id}"),
        }
    }
}

/// Why a file cannot be read, or a change cannot be made: what is wrong, where, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// What is wrong.
    pub message: String,
    /// Where it is.
    pub place: Place,
    /// What to do about it; empty if there is no advice.
    pub hint: String,
}

impl FileError {
    /// An error about the whole file.
    pub fn new(message: impl Into<String>) -> FileError {
        FileError { message: message.into(), place: Place::default(), hint: String::new() }
    }

    /// The error with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> FileError {
        self.hint = hint.into();
        self
    }

    /// The error at a spot.
    pub fn at(mut self, spot: Spot) -> FileError {
        self.place.spot = spot;
        self
    }

    /// The error in a part of the file.
    pub fn part(mut self, part: &str) -> FileError {
        self.place.part = Some(part.to_owned());
        self
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.place != Place::default() {
            write!(f, " ({})", self.place)?;
        }
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for FileError {}
