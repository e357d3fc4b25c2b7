//! The labels of charts: name and actions of a state; event, condition and actions of a transition; statements of an action.

/// The actions of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct StateLabel<'a> {
    pub(super) name: &'a str,
    pub(super) entry: Vec<&'a str>,
    pub(super) during: Vec<&'a str>,
    pub(super) exit: Vec<&'a str>,
    /// Actions at an event or a time: the condition and the action.
    pub(super) on: Vec<(&'a str, &'a str)>,
}

/// The parts of the label of a transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TransitionLabel<'a> {
    pub(super) event: &'a str,
    pub(super) condition: &'a str,
    /// What runs as soon as the condition holds.
    pub(super) at_once: &'a str,
    /// What runs if the whole path is taken.
    pub(super) at_end: &'a str,
}

/// A statement of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Statement<'a> {
    /// `x = e`
    Assign(&'a str, &'a str),
    /// `x += e`, with the operator.
    Change(&'a str, char, &'a str),
    /// Anything else.
    Other(&'a str),
}

/// Text without comments. (`%` starts one in both languages; the C language has two more, and `%%` is an operator there.)
pub(super) fn without_comments(text: &str, matlab: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let line = || rest.find('\n').map_or("", |end| &rest[end..]);
        if !matlab && rest.starts_with("/*") {
            rest = rest[2..].find("*/").map_or("", |end| &rest[end + 4..]);
            out.push(' ');
        } else if !matlab && rest.starts_with("%%") {
            // The remainder, which is not a comment.
            out.push_str("%%");
            rest = &rest[2..];
        } else if c == '%' || !matlab && rest.starts_with("//") {
            rest = line();
        } else if rest.starts_with("...") {
            rest = line().trim_start_matches('\n');
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Whether an action has statements that govern others.
pub(super) fn has_control(text: &str) -> bool {
    text.split(|c: char| !is_word(c)).any(|it| matches!(it, "if" | "for" | "while" | "switch"))
}

/// Whether a text of the C language has an operator that may be meant for bits: a sign that is not a part of a longer one.
pub(super) fn has_bit_operator(text: &str, sign: char) -> bool {
    let other = |c: Option<char>| c.is_none_or(|it| it != sign && !(sign == '~' && it == '='));
    text.match_indices(sign)
        .any(|(at, _)| other(text[at + 1..].chars().next()) && other(text[..at].chars().next_back()))
}

/// Whether a name is in a text.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !is_word(c)).any(|it| it == name)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parts of a state label: `Name/ entry: …; during, exit: …; on after(3, tick): …`.
pub(super) fn state(text: &str) -> StateLabel<'_> {
    let text = text.trim();
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let mut label = StateLabel { name: &text[..end], ..StateLabel::default() };
    let rest = text[end..].trim_start();
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    // Actions before the first keyword run at the entry.
    let mut now: Vec<Key> = vec![Key::Entry];
    let (mut from, mut at) = (0, 0);
    let mut starts = true;
    while at < rest.len() {
        if starts && let Some((keys, length)) = keys(&rest[at..]) {
            label.put(&now, &rest[from..at]);
            (now, at) = (keys, at + length);
            from = at;
            continue;
        }
        let c = rest[at..].chars().next().unwrap_or(' ');
        starts = matches!(c, ';' | '\n' | ',') || starts && c.is_whitespace();
        at += c.len_utf8();
    }
    label.put(&now, &rest[from..]);
    label
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key<'a> {
    Entry,
    During,
    Exit,
    On(&'a str),
}

/// Keywords up to a colon, and their length.
fn keys(text: &str) -> Option<(Vec<Key<'_>>, usize)> {
    let colon = colon(text)?;
    let mut keys = Vec::new();
    let head = &text[..colon];
    if let Some(event) = head.trim_start().strip_prefix("on ") {
        return Some((vec![Key::On(event.trim())], colon + 1));
    }
    for word in head.split(',') {
        keys.push(match word.trim() {
            "entry" | "en" => Key::Entry,
            "during" | "du" => Key::During,
            "exit" | "ex" => Key::Exit,
            _ => return None,
        });
    }
    Some((keys, colon + 1))
}

/// The first colon that is not in brackets, on the way to which there is nothing but words, commas and brackets.
fn colon(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ':' if depth == 0 => return Some(at),
            ';' | '=' | '{' | '[' => return None,
            '\n' if !text[..at].trim().is_empty() => return None,
            _ => {}
        }
    }
    None
}

impl<'a> StateLabel<'a> {
    fn put(&mut self, keys: &[Key<'a>], text: &'a str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        for key in keys {
            match key {
                Key::Entry => self.entry.push(text),
                Key::During => self.during.push(text),
                Key::Exit => self.exit.push(text),
                Key::On(event) => self.on.push((event, text)),
            }
        }
    }
}

/// The parts of a transition label: `event [condition] {action} / action`.
pub(super) fn transition(text: &str) -> TransitionLabel<'_> {
    let mut label = TransitionLabel::default();
    let mut rest = text.trim();
    let end = rest.find(['[', '{', '/']).unwrap_or(rest.len());
    label.event = rest[..end].trim();
    rest = &rest[end..];
    for (open, close) in [('[', ']'), ('{', '}')] {
        if let Some(inner) = rest.strip_prefix(open) {
            let end = matching(inner, open, close);
            let part = inner[..end].trim();
            if open == '[' {
                label.condition = part;
            } else {
                label.at_once = part;
            }
            rest = inner[end..].trim_start_matches(close).trim_start();
        }
    }
    if let Some(last) = rest.strip_prefix('/') {
        label.at_end = last.trim().trim_start_matches('{').trim_end_matches('}').trim();
    }
    label
}

/// Where the bracket closes.
fn matching(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            if depth == 0 {
                return at;
            }
            depth -= 1;
        }
    }
    text.len()
}

/// The statements of an action.
pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let (mut depth, mut from, mut found) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices().chain([(text.len(), ';')]) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' | '\n' | ',' if depth <= 0 => {
                found.extend(Some(text[from..at].trim()).filter(|it| !it.is_empty()).map(statement));
                from = (at + 1).min(text.len());
            }
            _ => {}
        }
    }
    found
}

fn statement(text: &str) -> Statement<'_> {
    for (sign, operator) in [("++", '+'), ("--", '-')] {
        if let Some(name) = text.strip_suffix(sign).or_else(|| text.strip_prefix(sign)) {
            return Statement::Change(name.trim(), operator, "1");
        }
    }
    let bytes = text.as_bytes();
    let equals = (0..bytes.len()).find(|&at| {
        let next = bytes.get(at + 1);
        let before = at.checked_sub(1).map(|it| bytes[it]);
        bytes[at] == b'=' && next != Some(&b'=') && !matches!(before, Some(b'=' | b'<' | b'>' | b'!' | b'~'))
    });
    let Some(at) = equals else { return Statement::Other(text) };
    let (target, value) = (text[..at].trim(), text[at + 1..].trim());
    match target.chars().last() {
        Some(operator @ ('+' | '-' | '*' | '/')) => {
            Statement::Change(target[..target.len() - 1].trim(), operator, value)
        }
        _ => Statement::Assign(target, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states() {
        let label = state("On/\nentry: x = 1; y = 2;\nduring, exit: z++;\non after(3, tick): w = a ? 1 : 2;");
        assert_eq!((label.name, label.entry), ("On", vec!["x = 1; y = 2;"]));
        assert_eq!((label.during, label.exit), (vec!["z++;"], vec!["z++;"]));
        assert_eq!(label.on, [("after(3, tick)", "w = a ? 1 : 2;")]);
        let label = state("A\nen: x=1;\ndu: y=x;\nex: x=0;");
        assert_eq!((label.entry, label.during, label.exit), (vec!["x=1;"], vec!["y=x;"], vec!["x=0;"]));
        assert_eq!(state("A x = 1;").entry, ["x = 1;"]);
        assert_eq!(state("A"), StateLabel { name: "A", ..StateLabel::default() });
    }

    #[test]
    fn transitions() {
        let all = transition("after(3,tick)[x > a[1]]{y = 1;}/ z = 2;");
        let want = TransitionLabel {
            event: "after(3,tick)",
            condition: "x > a[1]",
            at_once: "y = 1;",
            at_end: "z = 2;",
        };
        assert_eq!(all, want);
        assert_eq!(transition("[x]").condition, "x");
        assert_eq!(transition("{x = 1;}").at_once, "x = 1;");
        assert_eq!(transition("/{x = 1;}").at_end, "x = 1;");
        assert_eq!(transition("?").event, "?");
        assert_eq!(transition(""), TransitionLabel::default());
    }

    #[test]
    fn actions() {
        let found = statements("x = 1; y += 2, z++;\n w == 3; f(a, b); --v; u = (a <= b);");
        let want = [
            Statement::Assign("x", "1"),
            Statement::Change("y", '+', "2"),
            Statement::Change("z", '+', "1"),
            Statement::Other("w == 3"),
            Statement::Other("f(a, b)"),
            Statement::Change("v", '-', "1"),
            Statement::Assign("u", "(a <= b)"),
        ];
        assert_eq!(found, want);
        assert_eq!(without_comments("a /* b */ c // d\ne % f", false), "a   c \ne ");
    }
}
