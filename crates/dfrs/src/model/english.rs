//! The system in the words of its requirements: conditions, assignments, entries, values and situations as sentences of SysReq-CNL.
//!
//! What is printed for an entry reads back as the same entry (guards over sums at the previous moment excepted, which
//! only `becomes` can say).

use crate::frames::name_of;
use crate::system::{
    Assignment, Condition, Dfrs, Effect, Entry, Moment, Operand, Restriction, Sort, Timed, Variable,
};
use logic::{RBig, Rel, Value, format_decimal};
use syntax::sysreq::is_reserved;

/// The words of a variable, with its article: `the coin sensor`.
pub fn variable(dfrs: &Dfrs, index: usize) -> String {
    noun(&dfrs.variables[index])
}

fn noun(variable: &Variable) -> String {
    format!("the {}", variable.name.replace('_', " "))
}

/// A value of no variable in particular: `true`, `80`, `preparing weak coffee`.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Num(number) => self::number(number),
        Value::Name(words) => words.clone(),
    }
}

/// A value of a variable: its word for true, `not` and that word for false; quotes where the words would be read differently.
pub fn value(dfrs: &Dfrs, variable: usize, value: &Value) -> String {
    match (value, &dfrs.variables[variable].sort) {
        (Value::Bool(true), Sort::Bool { word: Some(word) }) => quoted(dfrs, word),
        (Value::Bool(false), Sort::Bool { word: Some(word) }) => format!("not {}", quoted(dfrs, word)),
        (Value::Name(words), _) => quoted(dfrs, words),
        (Value::Num(number), sort) => number_of(sort, number),
        (Value::Bool(_), _) => plain(value),
    }
}

fn quoted(dfrs: &Dfrs, words: &str) -> String {
    let name = name_of(words);
    let article = words.split(' ').next().is_some_and(|word| ["the", "a", "an"].contains(&word));
    let plain = words.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'))
        && words.starts_with(char::is_alphabetic)
        && !words.split(' ').any(is_reserved)
        && !article
        && !dfrs.variables.iter().any(|variable| variable.name == name);
    if plain {
        words.to_string()
    } else {
        format!("\"{}\"", words.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// A number as decimals or, where they never end, as a fraction.
pub fn number(number: &RBig) -> String {
    format_decimal(number).unwrap_or_else(|| number.to_string())
}

/// A number of a sort: reals are written with a point, so that they read back as reals.
fn number_of(sort: &Sort, number: &RBig) -> String {
    let text = self::number(number);
    if *sort == Sort::Real && number.is_int() { text + ".0" } else { text }
}

fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !["ss", "us", "is"].iter().any(|end| name.ends_with(end))
}

fn verb(name: &str, moment: Moment) -> &'static str {
    match (moment, is_plural(name)) {
        (Moment::Now, false) => "is",
        (Moment::Now, true) => "are",
        (Moment::Before, false) => "was",
        (Moment::Before, true) => "were",
    }
}

fn comparison(relation: Rel) -> &'static str {
    match relation {
        Rel::Lt => "lower than ",
        Rel::Le => "lower than or equal to ",
        Rel::Gt => "greater than ",
        Rel::Ge => "greater than or equal to ",
        Rel::Eq => "",
        Rel::Ne => "not ",
    }
}

/// A condition: `the coin sensor was false`, `the voltage is greater than 80`, `the button is not pressed`.
pub fn condition(dfrs: &Dfrs, condition: &Condition) -> String {
    let Condition { moment, variable: index, relation, operand, .. } = condition;
    let subject = &dfrs.variables[*index];
    let worded = matches!(subject.sort, Sort::Bool { word: Some(_) });
    // Not to be not pressed is to be pressed.
    let (relation, operand) = match operand {
        Operand::Constant(Value::Bool(false)) if worded => {
            (relation.complement(), &Operand::Constant(Value::Bool(true)))
        }
        operand => (*relation, operand),
    };
    let right = self::operand(dfrs, *index, operand);
    format!("{} {} {}{right}", noun(subject), verb(&subject.name, *moment), comparison(relation))
}

/// A condition of a timer: `the request timer is greater than 30`.
pub fn timed(dfrs: &Dfrs, timed: &Timed) -> String {
    let timer = &dfrs.variables[timed.timer];
    let verb = verb(&timer.name, Moment::Now);
    let equal = if timed.relation == Rel::Eq { "equal to " } else { comparison(timed.relation) };
    format!("{} {verb} {equal}{}", noun(timer), number_of(&timer.sort, &timed.bound))
}

/// What a variable is compared with or assigned.
pub fn operand(dfrs: &Dfrs, variable: usize, operand: &Operand) -> String {
    match operand {
        Operand::Constant(value) => self::value(dfrs, variable, value),
        Operand::Variable(_, other) => self::variable(dfrs, *other),
        Operand::Sum(terms, constant) => sum(dfrs, terms, constant),
    }
}

fn sum(dfrs: &Dfrs, terms: &[(RBig, Moment, usize)], constant: &RBig) -> String {
    let mut text = String::new();
    let mut join = |negative: bool, first: &str, part: &str| {
        match (text.is_empty(), negative) {
            (true, false) => {}
            (true, true) => text.push_str(first),
            (false, false) => text.push_str(" plus "),
            (false, true) => text.push_str(" minus "),
        }
        text.push_str(part);
    };
    for (factor, _, variable) in terms {
        let negative = *factor < RBig::ZERO;
        let size = if negative { -factor.clone() } else { factor.clone() };
        let name = self::variable(dfrs, *variable);
        let part = if size == RBig::ONE { name } else { format!("{name} times {}", number(&size)) };
        join(negative, "0 minus ", &part);
    }
    if *constant != RBig::ZERO || terms.is_empty() {
        let negative = *constant < RBig::ZERO;
        let size = if negative { -constant.clone() } else { constant.clone() };
        join(negative, "-", &number(&size));
    }
    text
}

/// An assignment: `assign choice to the system mode`, `reset the request timer`.
pub fn assignment(dfrs: &Dfrs, assignment: &Assignment) -> String {
    let name = variable(dfrs, assignment.variable);
    match &assignment.effect {
        Effect::Reset => format!("reset {name}"),
        Effect::Assign(operand) => {
            format!("assign {} to {name}", self::operand(dfrs, assignment.variable, operand))
        }
    }
}

/// An entry as a requirement: `When …, and … or …, the coffee machine system shall: …, ….`
pub fn entry(dfrs: &Dfrs, component: &str, entry: &Entry) -> String {
    let any = |list: Vec<String>| list.join(" or ");
    let guard = entry.guard.iter().map(|list| any(list.iter().map(|found| condition(dfrs, found)).collect()));
    let timed =
        entry.timed.iter().map(|list| any(list.iter().map(|found| self::timed(dfrs, found)).collect()));
    let conditions: Vec<String> = guard.chain(timed).collect();
    let actions: Vec<String> = entry.effect.iter().map(|found| assignment(dfrs, found)).collect();
    let colon = if actions.len() > 1 { ":" } else { "" };
    format!("When {}, the {component} shall{colon} {}.", conditions.join(", and "), actions.join(", "))
}

/// What the environment never does: `never: the lever was left, and the lever is right`.
pub fn restriction(dfrs: &Dfrs, restriction: &Restriction) -> String {
    let list: Vec<String> = restriction.never.iter().map(|found| condition(dfrs, found)).collect();
    format!("never: {}", list.join(", and "))
}

/// That a variable has a value: `the coin sensor is false`, `the system mode was idle`.
pub fn fact(dfrs: &Dfrs, variable: usize, moment: Moment, value: &Value) -> String {
    let subject = &dfrs.variables[variable];
    format!("{} {} {}", noun(subject), verb(&subject.name, moment), self::value(dfrs, variable, value))
}

/// The values of all variables, in their order: `the coin sensor is false, the system mode is idle, …`.
pub fn situation<'v>(dfrs: &Dfrs, values: impl IntoIterator<Item = &'v Value>) -> String {
    let facts: Vec<String> = values
        .into_iter()
        .zip(0..dfrs.variables.len())
        .map(|(value, index)| fact(dfrs, index, Moment::Now, value))
        .collect();
    facts.join(", ")
}
