//! The words and functions of the language, each with what it means in a sentence: for hovers and completion.

/// A function or predicate that every sentence may use.
pub(super) struct Function {
    pub(super) name: &'static str,
    /// Its parameters, for people.
    pub(super) parameters: &'static str,
    /// What is inserted after the name, with places to fill in.
    pub(super) snippet: &'static str,
    pub(super) about: &'static str,
}

const fn function(
    name: &'static str,
    parameters: &'static str,
    snippet: &'static str,
    about: &'static str,
) -> Function {
    Function { name, parameters, snippet, about }
}

/// All functions and predicates, in the order in which they are offered.
pub(super) const FUNCTIONS: &[Function] = &[
    function(
        "persisted",
        "(n, p)",
        "(${1:n}, ${2:p})",
        "`p` has held at this step and at the `n` steps before it, all inside the scope. With two bounds, `persisted(m, n, p)`: from `n` to `m` steps ago.",
    ),
    function(
        "occurred",
        "(n, p)",
        "(${1:n}, ${2:p})",
        "`p` held at this step or at one of the `n` steps before it, inside the scope. With two bounds, `occurred(m, n, p)`: from `n` to `m` steps ago.",
    ),
    function(
        "persists",
        "(n, p)",
        "(${1:n}, ${2:p})",
        "`p` holds at this step and at the `n` steps after it, all inside the scope. It looks into the future.",
    ),
    function(
        "occurs",
        "(n, p)",
        "(${1:n}, ${2:p})",
        "`p` holds at this step or at one of the `n` steps after it, inside the scope. It looks into the future.",
    ),
    function(
        "prevOcc",
        "(p, q)",
        "(${1:p}, ${2:q})",
        "At the last earlier step of the scope at which `p` held, `q` held too; true if there was none.",
    ),
    function(
        "nextOcc",
        "(p, q)",
        "(${1:p}, ${2:q})",
        "At the next later step of the scope at which `p` holds, `q` holds too; true if there is none. It looks into the future.",
    ),
    function(
        "preBool",
        "(initially, p)",
        "(${1:false}, ${2:p})",
        "Whether `p` held at the step before; at the first step of the run, `initially`.",
    ),
    function(
        "preInt",
        "(initially, x)",
        "(${1:0}, ${2:x})",
        "The integer `x` at the step before; at the first step of the run, `initially`.",
    ),
    function(
        "preReal",
        "(initially, x)",
        "(${1:0}, ${2:x})",
        "The number `x` at the step before; at the first step of the run, `initially`.",
    ),
    function("ite", "(p, q, r)", "(${1:p}, ${2:q}, ${3:r})", "`q` where `p` holds, and `r` elsewhere."),
    function("abs", "(x)", "(${1:x})", "`x` without its sign."),
    function("min", "(x, y)", "(${1:x}, ${2:y})", "The smallest of the arguments."),
    function("max", "(x, y)", "(${1:x}, ${2:y})", "The greatest of the arguments."),
    function("FTP", "", "", "True at the first step of the run, and only there."),
];

/// The words of sentences, in lower case.
const WORDS: &[(&[&str], &str)] = &[
    (&["in", "during"], "The scope: each interval in which the mode holds."),
    (&["mode"], "The name next to it is a mode: a Boolean that names the times at which the mode is on."),
    (&["while"], "The scope: each interval in which the expression holds."),
    (&["except"], "The scope: each interval in which the mode does not hold."),
    (&["only"], "The requirement is denied outside the scope; inside, nothing is required."),
    (
        &["when", "if", "upon", "where"],
        "The condition: triggers at each step at which the expression becomes true, and at the first step of the scope if it is true there.",
    ),
    (&["whenever"], "The condition: triggers at every step at which the expression is true."),
    (
        &["unless"],
        "The condition, negated: triggers where the expression becomes false, or is false at the start.",
    ),
    (&["shall"], "What comes before it says where and when; what follows says what must happen."),
    (&["satisfy"], "Opens the response: the expression that must hold."),
    (&["immediately", "initially"], "The response holds at the very step of the trigger."),
    (&["finally"], "The response holds at the last step of the scope."),
    (&["eventually"], "The response holds at the step of the trigger or at a later one."),
    (&["always"], "The response holds from the trigger to the end of the scope."),
    (&["never"], "The response does not hold from the trigger to the end of the scope."),
    (
        &["within"],
        "The response holds at the step of the trigger or at one of the following steps, as many as the duration says.",
    ),
    (&["for"], "The response holds from the trigger on for as long as the duration says."),
    (
        &["until"],
        "The response holds from the trigger until just before the stop holds, or to the end of the scope.",
    ),
    (
        &["before"],
        "Before `shall`: the scope up to the first time the mode holds. After it: the response holds at least once before the stop does.",
    ),
    (
        &["after"],
        "Before `shall`: the scope from the end of the mode on. After it: the response does not hold for the duration, and holds one step later.",
    ),
    (&["timepoint"], "One step of the run."),
    (&["probability"], "The probability that the requirement is met; formulas leave it out."),
    (&["and", "or", "not", "xor", "implies", "iff"], "An operator between Boolean expressions."),
    (&["mod"], "The remainder of a division."),
    (&["is"], "`is true` and `is false` apply to the whole expression before them."),
    (&["then"], "`if p then q` is `p => q`."),
    (&["true", "false"], "A Boolean."),
];

/// What a word or a predefined function means.
pub(super) fn about(word: &str) -> Option<String> {
    if let Some(known) = FUNCTIONS.iter().find(|known| known.name.eq_ignore_ascii_case(word)) {
        return Some(format!("`{}{}`: {}", known.name, known.parameters, known.about));
    }
    let lower = word.to_lowercase();
    let (_, about) = WORDS.iter().find(|(spellings, _)| spellings.contains(&lower.as_str()))?;
    Some(format!("`{lower}`: {about}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::is_predefined;

    #[test]
    fn functions_are_those_of_the_language() {
        for known in FUNCTIONS.iter().filter(|known| !known.parameters.is_empty()) {
            let arguments = known.parameters.split(',').count();
            assert!(is_predefined(known.name, arguments), "{}", known.name);
        }
        assert!(about("Persisted").is_some_and(|text| text.starts_with("`persisted(n, p)`")));
        assert!(about("SHALL").is_some() && about("pump").is_none());
    }
}
