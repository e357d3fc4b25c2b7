//! Sessions with a solver: opening one, sending commands, receiving answers, and parsing them as s-expressions.
//!
//! The crate does no I/O: its user provides a [`Connect`]. A solver that is missing, crashes, sends malformed answers or takes too
//! long is a [`SolverError`]; the verdict is then unknown for that reason, and nothing else is affected.

/// Opens solver sessions; each engine has its own.
pub trait Connect: Sync {
    /// Starts a solver that reads SMT-LIB 2.
    fn open(&self) -> Result<Box<dyn Session>, SolverError>;
}

/// One running solver.
pub trait Session: Send {
    /// Sends commands.
    fn send(&mut self, commands: &str) -> Result<(), SolverError>;

    /// Waits for one answer, an atom or a list, until `stop` returns true. After an error the session is no longer usable.
    fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<String, SolverError>;

    /// The command that sets a time limit in milliseconds for each of the following queries, if the solver has one.
    fn limit(&self, milliseconds: u32) -> Option<String>;
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// `stop` returned true.
    Stopped,
    /// The solver failed; the text says how.
    Broken(String),
}

impl From<std::io::Error> for SolverError {
    fn from(error: std::io::Error) -> SolverError {
        SolverError::Broken(error.to_string())
    }
}

/// No solver: what the built-in solver cannot decide stays unknown.
#[derive(Clone, Debug)]
pub struct NoSolver;

impl Connect for NoSolver {
    fn open(&self) -> Result<Box<dyn Session>, SolverError> {
        Err(SolverError::Broken("there is no solver".to_owned()))
    }
}

/// A parsed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

impl Sexp {
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(text) => Some(text),
            Sexp::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> &[Sexp] {
        match self {
            Sexp::Atom(_) => &[],
            Sexp::List(items) => items,
        }
    }
}

/// Parses one s-expression; `None` if it is malformed or nested too deeply.
pub(crate) fn parse(text: &str) -> Option<Sexp> {
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                if open.len() > 10_000 {
                    return None;
                }
            }
            ')' => {
                let items = open.pop()?;
                open.last_mut()?.push(Sexp::List(items));
                rest = &rest[1..];
            }
            '"' | '|' => {
                let end = rest[1..].find(first)? + 2;
                open.last_mut()?.push(Sexp::Atom(rest[..end].to_owned()));
                rest = &rest[end..];
            }
            _ => {
                let stops = |c: char| c.is_whitespace() || c == '(' || c == ')';
                let end = rest.find(stops).unwrap_or(rest.len());
                open.last_mut()?.push(Sexp::Atom(rest[..end].to_owned()));
                rest = &rest[end..];
            }
        }
        rest = rest.trim_start();
    }
    match (open.pop()?, open.len()) {
        (mut items, 0) if items.len() == 1 => items.pop(),
        _ => None,
    }
}

/// The state of an answer that is read piece by piece.
#[derive(Clone, Debug, Default)]
pub struct AnswerScanner {
    depth: i64,
    quote: Option<char>,
    said: bool,
}

impl AnswerScanner {
    /// Reads one more character.
    pub fn read(&mut self, c: char) {
        match (self.quote, c) {
            (Some(end), c) => self.quote = (c != end).then_some(end),
            (None, '"' | '|') => self.quote = Some(c),
            (None, '(') => self.depth += 1,
            (None, ')') => self.depth -= 1,
            (None, c) if c.is_whitespace() => return,
            (None, _) => {}
        }
        self.said = true;
    }

    /// Whether something was read and no parenthesis or quote is open.
    pub fn is_complete(&self) -> bool {
        self.said && self.depth <= 0 && self.quote.is_none()
    }
}

/// Whether a text contains at least one complete answer.
///
/// ```
/// assert_eq!(shall_engine::complete("sat\n"), true);
/// assert_eq!(shall_engine::complete("((x 1)\n"), false);
/// ```
pub fn complete(text: &str) -> bool {
    let mut scanner = AnswerScanner::default();
    text.chars().for_each(|c| scanner.read(c));
    scanner.is_complete()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        for (text, expected) in
            [("sat", true), ("((x (- 1)) (y |a b|))", true), ("(", false), ("a b", false), ("", false)]
        {
            assert_eq!(parse(text).is_some(), expected, "{text}");
        }
        assert!(!complete("(error \"line 1)\n"));
        assert!(complete("(error \"line (1\")\n"));
    }
}
