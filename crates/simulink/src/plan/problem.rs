//! What could not be understood in a model: problems of blocks, and the same grouped by cause.

use std::collections::BTreeMap;
use std::fmt;

/// A part of the model that could not be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The path of the block, or of the model.
    pub path: String,
    /// The block type.
    pub kind: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What could be done instead.
    pub hint: Option<String>,
    /// What causes it, if that may cause others too: a missing library, a variable without a value.
    pub cause: Option<String>,
}

impl Problem {
    /// A problem at a path.
    pub(crate) fn new(path: &str, kind: &str, fault: Fault) -> Problem {
        let Fault { message, hint, cause } = fault;
        Problem { path: path.to_owned(), kind: kind.to_owned(), message, hint, cause }
    }

    /// A problem of the model as a whole.
    pub(super) fn of_model(name: &str, fault: Fault) -> Problem {
        Problem::new(name, "model", fault)
    }

    /// What causes it: others with the same cause go away with it.
    pub fn cause(&self) -> &str {
        self.cause.as_deref().unwrap_or(&self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.path, self.kind, self.message)
    }
}

impl std::error::Error for Problem {}

/// Problems with one cause, in their order; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group<'p> {
    /// The cause.
    pub cause: &'p str,
    /// The problems.
    pub problems: Vec<&'p Problem>,
}

/// Problems grouped by cause, those with the most problems first.
pub fn grouped<'p>(problems: impl IntoIterator<Item = &'p Problem>) -> Vec<Group<'p>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Group<'p>> = Vec::new();
    for problem in problems {
        let cause = problem.cause();
        let place = *places.entry(cause).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group { cause, problems: Vec::new() });
        }
        groups[place].problems.push(problem);
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.problems.len()));
    groups
}

/// Why a block cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) cause: Option<String>,
}

/// The result for a block, or why there is none.
pub(crate) type Outcome<T> = Result<T, Fault>;

impl Fault {
    /// A fault without a hint.
    pub(crate) fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), hint: None, cause: None }
    }

    /// A fault with what could be done instead.
    pub(crate) fn hint(message: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { hint: Some(hint.into()), ..Fault::new(message) }
    }

    /// A fault because an expression has no value.
    pub(crate) fn of_value(message: impl Into<String>, error: crate::matlab::Error) -> Fault {
        Fault { message: message.into(), hint: error.hint, cause: Some(error.message) }
    }

    /// The same fault with its cause.
    pub(crate) fn because(self, cause: impl Into<String>) -> Fault {
        Fault { cause: Some(cause.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Problem, grouped};

    #[test]
    fn problems_have_causes() {
        let link =
            |name: &str| Fault::new(format!("`lib/{name}` is not resolved")).because("`lib` is missing");
        let problem = |(path, fault): (&str, Fault)| Problem::new(path, "Reference", fault);
        let all = [
            ("a", Fault::new("x")),
            ("b", link("F")),
            ("c", Fault::new("x")),
            ("d", link("G")),
            ("e", link("F")),
        ];
        let all = all.map(problem);
        let shown: Vec<(&str, Vec<&str>)> = grouped(&all)
            .into_iter()
            .map(|group| (group.cause, group.problems.into_iter().map(|it| it.path.as_str()).collect()))
            .collect();
        assert_eq!(shown, [("`lib` is missing", vec!["b", "d", "e"]), ("x", vec!["a", "c"])]);
    }
}
