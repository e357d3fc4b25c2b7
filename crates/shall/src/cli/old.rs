//! Old spellings of the command line, which are accepted for one release with a warning.
//!
//! Renamed flags and commands are hidden in the grammar; here is what to say about them.

use std::ffi::{OsStr, OsString};

/// A command, its old flag, and the flag that replaces it.
const RENAMED: [(&str, &str, &str); 6] = [
    ("timeline", "--budget", "--limit-work"),
    ("verify", "--budget", "--timeout"),
    ("dfrs check", "--budget", "--limit-states"),
    ("vectors", "--max", "--limit-settings"),
    ("model lustre", "--system", "--node"),
    ("model harness", "--system", "--node"),
];

const FORMAT: &str = "--output-format";

/// The arguments in the order of today's grammar, and a warning for each old spelling in them.
pub(crate) fn modern(mut arguments: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut warnings = Vec::new();
    let end = arguments.iter().position(|it| it == "--").unwrap_or(arguments.len());
    // The format of results was an option of the program; now each command has its own.
    let command = |at: usize| arguments[..end].get(at).and_then(|it| it.to_str()).unwrap_or_default();
    let mut at = 1;
    let mut format = None;
    let mut words: Vec<&str> = Vec::new();
    while at < end && (words.is_empty() || words == ["dfrs"] || words == ["model"]) {
        match command(at) {
            FORMAT => {
                format = Some(at..(at + 2).min(end));
                at += 1;
            }
            word if word.starts_with("--output-format=") => format = Some(at..at + 1),
            word if word.starts_with('-') => {}
            word => words.push(word),
        }
        at += 1;
    }
    let words = words.join(" ");
    for (command, old, new) in RENAMED.into_iter().filter(|(command, ..)| *command == words) {
        let is_old = |it: &OsString| flag(it) == Some(old);
        if arguments[..end].iter().any(is_old) {
            warnings.push(format!("`shall {command} {old}` is now `{new}`"));
        }
    }
    if words == "dfrs verify" {
        let new = "shall verify FILE --sentence SENTENCE";
        warnings.push(format!("`shall dfrs verify FILE SENTENCE` is now `{new}`"));
    }
    if let Some(range) = format.filter(|_| !words.is_empty()) {
        let moved: Vec<OsString> = arguments.drain(range).collect();
        let end = end - moved.len();
        arguments.splice(end..end, moved);
        warnings.push(format!("`{FORMAT}` now comes after the command: `shall {words} {FORMAT} …`"));
    }
    (arguments, warnings)
}

/// The name of a flag, without its value.
fn flag(argument: &OsStr) -> Option<&str> {
    let text = argument.to_str()?;
    text.starts_with("--").then(|| text.split('=').next().unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, warnings: usize) {
        let arguments = old.split(' ').map(OsString::from).collect();
        let (found, told) = modern(arguments);
        let found: Vec<_> = found.iter().map(|it| it.to_string_lossy()).collect();
        assert_eq!((found.join(" ").as_str(), told.len()), (new, warnings), "{told:?}");
    }

    #[test]
    fn table() {
        check("shall check --output-format json", "shall check --output-format json", 0);
        check("shall --output-format json check .", "shall check . --output-format json", 1);
        check("shall --output-format=json eval -- -p", "shall eval --output-format=json -- -p", 1);
        check("shall dfrs --output-format json check f", "shall dfrs check f --output-format json", 1);
        check("shall dfrs check --output-format json f", "shall dfrs check --output-format json f", 0);
        check("shall --output-format", "shall --output-format", 0);
        check("shall verify --budget 3 f", "shall verify --budget 3 f", 1);
        check("shall verify --budget=3 f", "shall verify --budget=3 f", 1);
        check("shall verify f -- --budget", "shall verify f -- --budget", 0);
        check("shall timeline --budget 3 f", "shall timeline --budget 3 f", 1);
        check("shall dfrs verify --budget 3 f", "shall dfrs verify --budget 3 f", 1);
        check("shall model harness --system a f", "shall model harness --system a f", 1);
        check("shall vectors --max 3", "shall vectors --max 3", 1);
        check("shall rename --project . variable", "shall rename --project . variable", 0);
    }
}
