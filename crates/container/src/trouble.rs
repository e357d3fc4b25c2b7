//! What goes wrong with a file, and where: [`Trouble`], [`Place`]; and how much a file may ask for: [`Limits`].
//!
//! A reader never panics and never guesses: what it cannot read is one `Trouble` with a place and a hint.

use std::fmt;

/// How much a file may ask for before it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of all entries of an archive after inflating.
    pub total: u64,
    /// Bytes of one entry of an archive after inflating.
    pub entry: u64,
    /// Entries of an archive.
    pub entries: usize,
    /// How many times larger than its compressed form an entry may be (entries below 1 MB are not measured).
    pub ratio: u64,
    /// Elements inside each other in XML.
    pub depth: usize,
    /// Pieces of an XML document (elements and texts), rows and cells of a table.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        const MB: u64 = 1 << 20;
        Limits { total: 256 * MB, entry: 128 * MB, entries: 10_000, ratio: 300, depth: 200, nodes: 8_000_000 }
    }
}

/// Where something is: the part of the file (an entry of an archive, a sheet), and the spot in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The entry of an archive or the name of a sheet; none for a file of one part.
    pub part: Option<String>,
    /// The spot in that part.
    pub spot: Spot,
}

/// A spot in a part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spot {
    /// All of it.
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

/// A file that cannot be read, or a change that cannot be made: what, where, and one thing to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What helps; empty if nothing is known to.
    pub hint: String,
}

impl Trouble {
    /// A trouble of the whole file.
    pub fn new(message: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), place: Place::default(), hint: String::new() }
    }

    /// With what helps.
    pub fn hint(mut self, hint: impl Into<String>) -> Trouble {
        self.hint = hint.into();
        self
    }

    /// At a spot.
    pub fn at(mut self, spot: Spot) -> Trouble {
        self.place.spot = spot;
        self
    }

    /// In a part of the file.
    pub fn part(mut self, part: &str) -> Trouble {
        self.place.part = Some(part.to_owned());
        self
    }
}

impl fmt::Display for Trouble {
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

impl std::error::Error for Trouble {}
