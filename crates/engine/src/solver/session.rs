//! Talking to a solver: who opens it, what is sent, what comes back, and the s-expressions of its answers.
//!
//! The crate does no I/O: whoever uses it gives a [`Connect`]. A solver that is missing, dies, talks nonsense or takes too
//! long is an `Err` with words; it ends in an unknown verdict with that reason, and harms nothing else.

/// Opens solver sessions. Each engine has its own.
pub trait Connect: Sync {
    /// A fresh solver that speaks SMT-LIB 2.
    fn open(&self) -> Result<Box<dyn Session>, String>;
}

/// One running solver.
pub trait Session: Send {
    /// Sends commands.
    fn send(&mut self, commands: &str) -> Result<(), String>;

    /// Waits for one answer, an atom or a list. When `stop` turns true, it gives up; the session is then of no more use.
    fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<String, Trouble>;

    /// The command that limits each of the following questions to so many milliseconds, if the solver has one.
    fn limit(&self, milliseconds: u32) -> Option<String>;
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It was told to stop waiting.
    Stopped,
    /// The solver is broken, in words.
    Broken(String),
}

/// No solver: what is not decided by the built-in engines stays unknown.
#[derive(Clone, Debug)]
pub struct NoSolver;

impl Connect for NoSolver {
    fn open(&self) -> Result<Box<dyn Session>, String> {
        Err("there is no solver".to_owned())
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

/// Reads one s-expression; nested deeper than any answer of ours is nonsense.
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

/// How far an answer is: what a session that reads it piece by piece must remember.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    depth: i64,
    quote: Option<char>,
    said: bool,
}

impl Progress {
    /// One more character.
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

    /// Whether something was said, and no bracket or quote is open.
    pub fn is_complete(&self) -> bool {
        self.said && self.depth <= 0 && self.quote.is_none()
    }
}

/// Whether a text is a whole answer, or more than one.
///
/// ```
/// assert_eq!(shall_engine::complete("sat\n"), true);
/// assert_eq!(shall_engine::complete("((x 1)\n"), false);
/// ```
pub fn complete(text: &str) -> bool {
    let mut progress = Progress::default();
    text.chars().for_each(|c| progress.read(c));
    progress.is_complete()
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
