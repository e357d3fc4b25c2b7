//! Why a development command fails, and short ways to say so.
//!
//! [`OrFail`] turns any error that can be shown into a [`Failure`]; [`ensure`] and [`no_problems`] end a check.

use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};

pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are not those of a command.
    Usage,
    /// A file or folder cannot be read or written.
    Io { path: PathBuf, error: std::io::Error },
    /// Another program is missing or failed.
    Program(String),
    /// Generated documents that are not up to date.
    Stale(Vec<String>),
    /// The problems that a check found.
    Check(Vec<String>),
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self {
            Failure::Usage => f.write_str(crate::USAGE),
            Failure::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Program(message) => f.write_str(message),
            Failure::Stale(documents) => {
                let list = documents.join(", ");
                write!(f, "not up to date: {list}; run `cargo xtask docs` and read the difference")
            }
            Failure::Check(problems) => f.write_str(&problems.join("\n")),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::Io { error, .. } => Some(error),
            Failure::Usage | Failure::Program(_) | Failure::Stale(_) | Failure::Check(_) => None,
        }
    }
}

/// A check that found one problem.
pub(crate) fn problem<T>(message: impl Display) -> Result<T> {
    Err(Failure::Check(vec![message.to_string()]))
}

/// Fails with the problems that were found, if any.
pub(crate) fn no_problems(problems: Vec<String>) -> Result {
    if problems.is_empty() { Ok(()) } else { Err(Failure::Check(problems)) }
}

/// Fails with this message unless the condition holds.
pub(crate) fn ensure(condition: bool, message: impl Display) -> Result {
    if condition { Ok(()) } else { problem(message) }
}

/// Turns errors of other crates into failures.
pub(crate) trait OrFail<T> {
    /// Fails with the message of the error.
    fn or_fail(self) -> Result<T>;
    /// Fails with the message of the error after the name of what it is about.
    fn about(self, subject: impl Display) -> Result<T>;
}

impl<T, E: Display> OrFail<T> for std::result::Result<T, E> {
    fn or_fail(self) -> Result<T> {
        self.or_else(problem)
    }

    fn about(self, subject: impl Display) -> Result<T> {
        self.or_else(|error| problem(format!("{subject}: {error}")))
    }
}

/// Names the file or folder of an error.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T> At<T> for std::io::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| Failure::Io { path: path.to_path_buf(), error })
    }
}
