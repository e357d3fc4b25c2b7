//! Phrases of prose as names, comparisons and conditions of FRETish.

/// The names that were made, each with the phrase that it stands for.
#[derive(Default)]
pub(super) struct Names {
    pub(super) known: Vec<(String, String)>,
}

/// The most words of a name.
const MAX_WORDS: usize = 7;

/// Times that FRETish has no words for: a name that hides one would say less than the prose.
const PERIODS: [&str; 8] = ["day", "days", "week", "weeks", "month", "months", "year", "years"];

/// Words that are left out of names.
const ARTICLES: [&str; 6] = ["the", "a", "an", "its", "their", "be"];

/// Comparisons in words, with the operator; the longest first where one begins with another.
const COMPARISONS: [(&str, &str); 38] = [
    ("is greater than or equal to", ">="),
    ("is less than or equal to", "<="),
    ("is at or above", ">="),
    ("is at or below", "<="),
    ("is at least", ">="),
    ("is at most", "<="),
    ("is not less than", ">="),
    ("is no less than", ">="),
    ("is not lower than", ">="),
    ("is not below", ">="),
    ("is not greater than", "<="),
    ("is not more than", "<="),
    ("is no more than", "<="),
    ("is not above", "<="),
    ("does not exceed", "<="),
    ("is greater than", ">"),
    ("is more than", ">"),
    ("is higher than", ">"),
    ("is above", ">"),
    ("is over", ">"),
    ("rises above", ">"),
    ("exceeds", ">"),
    ("exceed", ">"),
    ("is less than", "<"),
    ("is lower than", "<"),
    ("is below", "<"),
    ("is under", "<"),
    ("falls below", "<"),
    ("drops below", "<"),
    ("reaches", ">="),
    ("is equal to", "="),
    ("equals", "="),
    (">=", ">="),
    ("<=", "<="),
    ("!=", "!="),
    (">", ">"),
    ("<", "<"),
    ("=", "="),
];

/// A text with plain spaces, without marks that say nothing.
pub(super) fn clean(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '`' | '*' | '"' | '“' | '”' => {
            None
        }
        '≥' => Some(">=".to_string()),
        '≤' => Some("<=".to_string()),
        '≠' => Some("!=".to_string()),
        c if c.is_whitespace() => Some(" ".into()),
        c => Some(c.to_string()),
    };
    let text: String = text.chars().filter_map(plain).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentences of a text, without their full stops.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(". ") {
        sentences.push(rest[..at].to_string());
        rest = &rest[at + 2..];
    }
    sentences.push(rest.trim_end_matches(['.', ';', '!']).to_string());
    sentences.into_iter().filter(|it| !it.is_empty()).collect()
}

/// A number in digits or in words, in digits.
pub(super) fn number_word(word: &str) -> Option<String> {
    match word.parse::<f64>() {
        Ok(_) if word.bytes().all(|it| it.is_ascii_digit() || it == b'.') => Some(word.to_string()),
        _ => syntax::number_word(word).map(|number| number.to_string()),
    }
}

/// The unit of time of FRETish for a word.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches([',', '.']).to_ascii_lowercase();
    Some(match word.as_str() {
        "us" | "µs" | "microsecond" | "microseconds" => "microseconds",
        "ms" | "msec" | "millisecond" | "milliseconds" => "milliseconds",
        "s" | "sec" | "secs" | "second" | "seconds" => "seconds",
        "min" | "mins" | "minute" | "minutes" => "minutes",
        "h" | "hour" | "hours" => "hours",
        "tick" | "ticks" | "step" | "steps" | "cycle" | "cycles" => "ticks",
        _ => return None,
    })
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

/// The name for a phrase: its words without articles, joined with `_`. None if it is too long, has no words, or has a time in it.
pub(super) fn name_of(phrase: &str, names: &mut Names) -> Option<String> {
    let plain = |word: &str| {
        let inner: String = word.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let inner = inner.trim_matches('_').to_string();
        // A word with capitals inside, or of capitals alone, is a name already.
        let is_name = inner.contains('_') || inner.chars().skip(1).any(char::is_uppercase);
        if is_name { inner } else { inner.to_lowercase() }
    };
    let kept: Vec<String> = words(phrase)
        .filter(|word| !ARTICLES.contains(&word.to_lowercase().as_str()))
        .map(plain)
        .filter(|word| !word.is_empty())
        .collect();
    let has_time =
        kept.iter().any(|word| unit(word).is_some() && word.len() > 2 || PERIODS.contains(&word.as_str()));
    if kept.is_empty() || kept.len() > MAX_WORDS || has_time {
        return None;
    }
    let mut name = kept.join("_");
    if !name.starts_with(char::is_alphabetic) {
        name.insert_str(0, "n_");
    }
    if ["shall", "satisfy", "the", "true", "false"].contains(&name.as_str()) {
        name.push('_');
    }
    if !names.known.iter().any(|(known, _)| *known == name) {
        names.known.push((name.clone(), phrase.to_string()));
    }
    Some(name)
}

/// A comparison: `the pressure is at most 5 bar`, `x > 3`, `the speed is between 1 and 2`.
pub(super) fn comparison(text: &str, names: &mut Names) -> Option<String> {
    let lower = text.to_ascii_lowercase().replace(" are ", " is ").replace(" do not ", " does not ");
    // The replacements change the length: the text is cut by words instead.
    let all: Vec<&str> = words(text).collect();
    let plain: Vec<&str> = words(&lower).collect();
    // `are` and `do` are single words as their replacements are, so both have the same words.
    let starts = |at: usize, form: &str| {
        let form: Vec<&str> = form.split(' ').collect();
        plain.get(at..at + form.len()).is_some_and(|part| part == form).then_some(form.len())
    };
    for at in 1..plain.len() {
        if let Some(length) = starts(at, "is between") {
            let low = value(&all[at + length..], names)?;
            let and = plain[at + length..].iter().position(|word| *word == "and")? + at + length;
            let high = value(&all[and + 1..], names)?;
            let name = name_of(&all[..at].join(" "), names)?;
            return Some(format!("{low} <= {name} & {name} <= {high}"));
        }
        for (form, operator) in COMPARISONS {
            if let Some(length) = starts(at, form) {
                let right = value(&all[at + length..], names)?;
                let left = name_of(&all[..at].join(" "), names)?;
                return Some(format!("{left} {operator} {right}"));
            }
        }
    }
    None
}

/// The right side of a comparison: a number, whose unit is left to the table of variables, or a name.
fn value(words: &[&str], names: &mut Names) -> Option<String> {
    let first = words.iter().find(|word| !ARTICLES.contains(&word.to_lowercase().as_str()))?;
    let (sign, digits) = match first.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", *first),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    let number = digits[..end].trim_end_matches('.');
    match number_word(if number.is_empty() { digits } else { number }) {
        Some(number) => Some(format!("{sign}{number}")),
        None => name_of(&words.join(" "), names),
    }
}

/// A condition: comparisons and names, joined with `and` or `or`.
pub(super) fn condition(text: &str, names: &mut Names) -> Option<String> {
    let text = text.strip_prefix("in ").or(text.strip_prefix("the system is in ")).unwrap_or(text);
    for (word, operator) in [(" or ", " | "), (" and ", " & ")] {
        let parts: Vec<&str> = text.split(word).collect();
        let is_clause = |part: &&str| words(part).count() == 1 || has_verb(part);
        if parts.len() > 1 && !text.contains("between") && parts.iter().all(is_clause) {
            let parts: Option<Vec<String>> = parts.iter().map(|part| condition(part, names)).collect();
            return Some(parts?.join(operator));
        }
    }
    if let Some(found) = comparison(text, names) {
        return Some(found);
    }
    for not in [" is not ", " are not ", " has not "] {
        if let Some((before, after)) = text.split_once(not) {
            let verb = not.trim_end_matches(" not ");
            return Some(format!("!{}", name_of(&format!("{before}{verb} {after}"), names)?));
        }
    }
    name_of(text, names)
}

fn has_verb(text: &str) -> bool {
    const VERBS: [&str; 12] =
        ["is", "are", "has", "have", "was", "exceeds", "reaches", "equals", "falls", "rises", ">", "<"];
    words(text).any(|word| VERBS.contains(&word) || word.contains(['=', '<', '>']))
}

/// What a component does: `set x to 5`, `keep x below 5`, `ensure that x is 5`, or any other words as a name.
pub(super) fn action(text: &str, names: &mut Names) -> Option<String> {
    let all: Vec<&str> = words(text).collect();
    let (verb, rest) = all.split_first()?;
    let at = |word: &str| rest.iter().position(|known| known.eq_ignore_ascii_case(word)).filter(|&at| at > 0);
    match verb.to_lowercase().as_str() {
        "set" => {
            if let Some(at) = at("to") {
                let right = value(&rest[at + 1..], names)?;
                return Some(format!("{} = {right}", name_of(&rest[..at].join(" "), names)?));
            }
        }
        "keep" | "maintain" | "hold" | "limit" => {
            for (word, form) in [
                ("below", "is below"),
                ("under", "is below"),
                ("above", "is above"),
                ("between", "is between"),
                ("at", "is"),
                ("to", "is at most"),
            ] {
                if let Some(at) = at(word) {
                    let (what, how) = (rest[..at].join(" "), rest[at + 1..].join(" "));
                    let text = match (word, how.split(' ').next()) {
                        ("at", Some("least" | "most")) => format!("{what} is at {how}"),
                        ("to", Some("at")) => format!("{what} is {how}"),
                        ("at", _) => format!("{what} = {how}"),
                        _ => format!("{what} {form} {how}"),
                    };
                    if let Some(found) = comparison(&text, names) {
                        return Some(found);
                    }
                }
            }
        }
        "ensure" | "guarantee" => {
            let rest = if rest.first() == Some(&"that") { &rest[1..] } else { rest };
            return condition(&rest.join(" "), names);
        }
        _ => {}
    }
    name_of(text, names)
}
