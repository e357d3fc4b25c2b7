//! Why a command ends without a result. A message is one line: the place, then what is wrong, then a hint.

use crate::Outcome;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

/// The reason why a command ends without a result.
#[derive(Debug)]
pub enum Error {
    /// The command line contradicts itself or names something that does not exist.
    Usage(String),
    /// A file cannot be read.
    Read(String, io::Error),
    /// A file cannot be written.
    Write(String, io::Error),
    /// The input at a place (a file, a document, an option) is not what it must be.
    Input(String, String),
    /// There is no answer for this input, for this reason.
    Refused(String),
    /// A defect of this program.
    Internal(String),
    /// The user has been told; only the exit code is left.
    Reported(Outcome),
}

impl Error {
    /// A command line that cannot be followed.
    pub(crate) fn usage(reason: impl Display) -> Error {
        Error::Usage(reason.to_string())
    }

    /// An input that is not what it must be.
    pub(crate) fn input(place: impl Display, reason: impl Display) -> Error {
        Error::Input(place.to_string(), reason.to_string())
    }

    /// A file that is not what it must be.
    pub(crate) fn file(path: &Path, reason: impl Display) -> Error {
        Error::input(path.display(), reason)
    }

    /// For `map_err`: this file is not what it must be.
    pub(crate) fn about<E: Display>(path: &Path) -> impl Fn(E) -> Error {
        move |reason| Error::file(path, reason)
    }

    /// For `map_err`: this file or folder cannot be read.
    pub(crate) fn read(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Read(path.display().to_string(), error)
    }

    /// For `map_err`: this file or folder cannot be written.
    pub(crate) fn write(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Write(path.display().to_string(), error)
    }

    /// No answer, for a reason.
    pub(crate) fn refused(reason: impl Display) -> Error {
        Error::Refused(reason.to_string())
    }

    /// How the command ends.
    pub fn outcome(&self) -> Outcome {
        if let Error::Reported(outcome) = self { *outcome } else { Outcome::Failure }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Usage(reason) | Error::Refused(reason) => f.write_str(reason),
            Error::Read(name, error) => write!(f, "cannot read {name}: {error}"),
            Error::Write(name, error) => write!(f, "cannot write {name}: {error}"),
            Error::Input(place, reason) => write!(f, "{place}: {reason}"),
            Error::Internal(what) => write!(f, "internal error: {what}; please report this"),
            Error::Reported(_) => f.write_str("see above"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Error::Read(_, error) | Error::Write(_, error) = self { Some(error) } else { None }
    }
}
