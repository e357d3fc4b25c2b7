//! Tests from requirements for other tools and languages.
//!
//! - [`fret`]: test cases as FRET exports them
//! - [`kind2`]: the inputs of a test for Kind 2's interpreter
//! - [`program`]: tests as a program in C, Rust or Python
//!
//! A system may choose other outputs than a test, so a program compares none: the monitors of the requirements judge every step, and a
//! test that shows nothing wrong but not what it is for is inconclusive.

mod c;
mod python;
mod rust;

use crate::specification::LeftOut;
use crate::specification::monitor::{self, Field, Language, Monitor, NoMonitor, Options};
use crate::specification::{Subject, Subjects};
use base::names::{Taken, identifier};
use logic::{Formula, RBig, Store, Trace, Value, format_decimal};
use requirement::Watch;
use requirement::specification::{Type, Variable};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The values of some variables at a step.
pub type Row = Vec<(String, Value)>;

/// The tests of a component.
#[derive(Debug, Clone)]
pub struct Suite<'a> {
    /// The name of the component.
    pub name: &'a str,
    /// The variables of the requirements.
    pub variables: &'a [Variable],
    /// The requirements and assumptions: their ids and what is watched.
    pub requirements: Vec<(&'a str, Watch)>,
    /// What must be shown, in words and as a formula.
    pub goals: Vec<(String, Formula)>,
    /// The tests.
    pub cases: Vec<Case<'a>>,
}

/// A test.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// Its name, which is unique.
    pub name: &'a str,
    /// The inputs of each step.
    pub rows: Vec<Row>,
    /// The requirements that judge it, by index.
    pub requirements: Vec<usize>,
    /// The assumptions that its inputs keep, by index among the requirements.
    pub assumptions: Vec<usize>,
    /// What it is for, by index among the goals.
    pub goals: Vec<usize>,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The names and texts of its files.
    pub files: Vec<(String, String)>,
    /// What the program does not judge or run, and why.
    pub left_out: Vec<LeftOut>,
}

/// Tests as FRET exports them: `testId`, and a `testTrace` with the names and the values of each step. Booleans are 0 and 1.
pub fn fret<'t>(tests: impl IntoIterator<Item = (&'t str, &'t Trace)>) -> String {
    let value = |it: &Value| match it {
        Value::Bool(truth) => json!(u8::from(*truth)),
        other => plain(other),
    };
    let one = |(name, trace): (&str, &Trace)| {
        let row =
            |step: usize| (0..trace.names().len()).map(|at| value(trace.value(at, step))).collect::<Vec<_>>();
        let values: Vec<Vec<Json>> = (0..trace.len()).map(row).collect();
        json!({ "testId": name, "testTrace": { "keys": trace.names(), "values": values } })
    };
    let all: Vec<Json> = tests.into_iter().map(one).collect();
    format!("{:#}\n", Json::from(all))
}

/// The inputs of a test, step by step, as Kind 2's interpreter reads them from a file whose name ends with `.json`. Numbers are text, so that
/// they stay exact; real ones have a decimal point or are quotients of such.
pub fn kind2(rows: &[Row], variables: &[Variable]) -> String {
    let is_real = |name: &str| {
        let variable = variables.iter().find(|it| it.name == name);
        variable.is_some_and(|it| matches!(it.ty, Type::Real(_)))
    };
    let value = |(name, it): &(String, Value)| match it {
        Value::Bool(truth) => json!(truth),
        Value::Name(literal) => json!(literal),
        Value::Num(number) if is_real(name) => json!(decimal(number)),
        Value::Num(number) => json!(number.to_string()),
    };
    let step = |row: &Row| Json::Object(row.iter().map(|it| (it.0.clone(), value(it))).collect());
    format!("{:#}\n", Json::Array(rows.iter().map(step).collect()))
}

/// A real number in Lustre: `0.5`, `3.0`, `1.0/3.0`.
fn decimal(number: &RBig) -> String {
    match format_decimal(number) {
        Some(text) if text.contains('.') => text,
        Some(text) => format!("{text}.0"),
        None => format!("{}.0/{}.0", number.numerator(), number.denominator()),
    }
}

/// A number as a number if it has a decimal, otherwise as text.
fn plain(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Name(name) => json!(name),
        Value::Num(number) => {
            let text = format_decimal(number).unwrap_or_else(|| number.to_string());
            serde_json::from_str(&text).unwrap_or(Json::String(text))
        }
    }
}

/// The tests as a program.
///
/// # Errors
/// None of the requirements can be watched.
pub fn program(store: &mut Store, suite: &Suite, language: Language) -> Result<Program, NoMonitor> {
    let mut taken = Taken::default();
    let mut list: Vec<Subject> = Vec::new();
    for (id, watch) in &suite.requirements {
        list.push(Subject { id: taken.take(id), text: String::new(), watch: *watch });
    }
    for (text, formula) in &suite.goals {
        let (never, always) = (store.bottom(), store.top());
        let watch = Watch {
            bad: never,
            bad_at_end: never,
            left: never,
            trigger: *formula,
            scope: always,
            active: None,
        };
        list.push(Subject { id: taken.take(text), text: String::new(), watch });
    }
    let ids: Vec<String> = list.iter().map(|it| it.id.clone()).collect();
    let subjects = Subjects { variables: suite.variables.to_vec(), list, left_out: Vec::new() };
    let options = Options { name: "monitor".to_owned(), single: false };
    let monitor = monitor::write_subjects(store, subjects, language, &options)?;
    let numbers: BTreeMap<&str, usize> =
        monitor.watched.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
    let number = |subject: usize| ids.get(subject).and_then(|id| numbers.get(id.as_str())).copied();
    let mut left_out = monitor.left_out.clone();
    let mut cases = Vec::new();
    for case in &suite.cases {
        let values = |row: &Row| fields(&monitor.inputs, row, language);
        let rows: Result<Vec<Vec<String>>, String> = case.rows.iter().map(values).collect();
        let numbers_of =
            |list: &[usize], from: usize| list.iter().filter_map(|it| number(from + it)).collect();
        match rows {
            Ok(rows) => cases.push(Planned {
                name: case.name,
                rows,
                requirements: numbers_of(&case.requirements, 0),
                assumptions: numbers_of(&case.assumptions, 0),
                goals: numbers_of(&case.goals, suite.requirements.len()),
            }),
            Err(variable) => {
                let reason = format!("a value of `{variable}` does not fit into 64 bits");
                left_out.push(LeftOut { id: case.name.to_owned(), reason });
            }
        }
    }
    let plan = Plan { base: identifier(suite.name, "the_").to_lowercase(), monitor, cases };
    let files = match language {
        Language::C => c::files(&plan),
        Language::Rust => rust::files(&plan),
        Language::Python => python::files(&plan),
    };
    Ok(Program { files, left_out })
}

/// What a program consists of.
struct Plan<'a> {
    /// What the names of its files begin with.
    base: String,
    monitor: Monitor,
    cases: Vec<Planned<'a>>,
}

/// A test of a program. Requirements, assumptions and goals are numbers of the monitor.
struct Planned<'a> {
    name: &'a str,
    /// The value of each input of the monitor at each step; outputs have any value.
    rows: Vec<Vec<String>>,
    requirements: Vec<usize>,
    assumptions: Vec<usize>,
    goals: Vec<usize>,
}

/// The values of the inputs of a monitor at a step, or the variable whose value cannot be written.
fn fields(inputs: &[Field], row: &Row, language: Language) -> Result<Vec<String>, String> {
    let written = |field: &Field| {
        let given = row.iter().find(|it| it.0 == field.variable.name).map(|it| &it.1);
        written(field, given, language).ok_or_else(|| field.variable.name.clone())
    };
    inputs.iter().map(written).collect()
}

/// A value in a language; without one, any value of the type.
fn written(field: &Field, value: Option<&Value>, language: Language) -> Option<String> {
    let truth = |it: bool| match (language, it) {
        (Language::Python, true) => "True".to_owned(),
        (Language::Python, false) => "False".to_owned(),
        (Language::C | Language::Rust, it) => it.to_string(),
    };
    match (&field.variable.ty, value) {
        (Type::Bool, Some(Value::Bool(it))) => Some(truth(*it)),
        (Type::Bool, _) => Some(truth(false)),
        (Type::Int(_), Some(Value::Num(number))) => integer(number, language),
        (Type::Int(_), _) => Some("0".to_owned()),
        (Type::Real(_), Some(Value::Num(number))) => real(number, language),
        (Type::Real(_), _) => real(&RBig::ZERO, language),
        (Type::Enum(names), it) => {
            let place = match it {
                Some(Value::Name(name)) => names.iter().position(|known| known == name)?,
                _ => 0,
            };
            match language {
                Language::Python => names.get(place).map(|it| quoted(it)),
                Language::C | Language::Rust => field.literals.get(place).cloned(),
            }
        }
    }
}

fn integer(number: &RBig, language: Language) -> Option<String> {
    let number = number.is_int().then(|| number.floor())?;
    match language {
        Language::Python => Some(number.to_string()),
        Language::C | Language::Rust => match i64::try_from(number).ok()? {
            // The least one has no numeral in C.
            i64::MIN => None,
            it => Some(it.to_string()),
        },
    }
}

/// A real number: the nearest double in C and Rust, exact in Python.
fn real(number: &RBig, language: Language) -> Option<String> {
    match language {
        Language::Python => Some(format!("Fraction({})", quoted(&number.to_string()))),
        Language::C | Language::Rust => {
            let number = number.to_f64().value();
            number.is_finite().then(|| format!("{number:?}"))
        }
    }
}

/// A text between quotation marks, as all three languages read it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for it in text.chars() {
        match it {
            '"' | '\\' => out.extend(['\\', it]),
            // In C, two question marks may begin a trigraph.
            '?' => out.push_str("\\077"),
            ' '..='~' => out.push(it),
            _ => out.push('_'),
        }
    }
    out + "\""
}

/// Numbers with commas between them.
fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::specification::{Kind, Range};

    #[test]
    fn numbers_for_kind_2_are_exact() {
        for (ty, number, expected) in [
            (Type::Int(Range::default()), (-42, 1), "-42"),
            (Type::Real(Range::default()), (5, 1), "5.0"),
            (Type::Real(Range::default()), (-1, 2), "-0.5"),
            (Type::Real(Range::default()), (1, 3), "1.0/3.0"),
        ] {
            let x = Variable {
                name: "x".to_owned(),
                kind: Kind::Input,
                ty,
                unit: None,
                definition: None,
                phrase: None,
                description: String::new(),
            };
            let number = RBig::from(number.0) / RBig::from(number.1);
            let text = kind2(&[vec![("x".to_owned(), Value::Num(number))]], &[x]);
            let read: Json = serde_json::from_str(&text).expect("is JSON");
            assert_eq!(read, json!([{ "x": expected }]));
        }
    }
}
