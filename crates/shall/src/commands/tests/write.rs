//! Tests as files for other tools and languages.

use super::run::inputs;
use super::{Tested, test_name};
use crate::cli::tests::Format;
use crate::commands::model::harness::{data, table, times};
use crate::files::write_file;
use crate::render::visible;
use crate::{Error, tell};
use ::export::specification::monitor::Language;
use ::export::suite::{Case, Row, Suite as Tests, fret, kind2, program};
use base::names::identifier;
use draw::waveform::{Group, Role, vcd};
use logic::Value;
use project::set::ComponentSet;
use requirement::specification::{Type, Variable};
use requirement::watch;
use std::path::Path;
use suite::{Status, Suite, defaults};

/// Names and contents.
type Files = Vec<(String, Vec<u8>)>;

/// Writes the tests of a component into a folder.
pub(super) fn write(
    tested: &mut Tested,
    (folder, formats): (&Path, &[Format]),
    (component, set, made): (&str, &mut ComponentSet, &Suite),
    step: f64,
) -> Result<(), Error> {
    let mut files: Files = Vec::new();
    for format in formats {
        files.extend(match format {
            Format::Json => {
                let mine: Vec<_> = tested.tests.iter().filter(|it| it.component == component).collect();
                let text =
                    serde_json::to_string_pretty(&mine).map_err(|it| Error::Internal(it.to_string()))?;
                vec![(whole(component), (text + "\n").into_bytes())]
            }
            Format::FretJson => {
                let names = names(component, made);
                let all = names.iter().zip(&made.tests).map(|(name, it)| (name.as_str(), &it.trace));
                vec![(whole(component), fret(all).into_bytes())]
            }
            Format::C => in_language(component, set, made, Language::C)?,
            Format::Rust => in_language(component, set, made, Language::Rust)?,
            Format::Pytest => in_language(component, set, made, Language::Python)?,
            Format::Csv | Format::Vcd | Format::Kind2 | Format::Mat | Format::SignalBuilder => {
                one_by_one(component, &set.variables, made, (*format, step))?
            }
        });
    }
    for (at, (name, _)) in files.iter().enumerate() {
        if files[..at].iter().any(|it| it.0 == *name) {
            return Err(Error::Usage(format!(
                "two of the formats have a file `{name}`; write them into different folders"
            )));
        }
    }
    std::fs::create_dir_all(folder).map_err(Error::write(folder))?;
    for (name, bytes) in files {
        let file = folder.join(name);
        write_file(&file, bytes)?;
        tested.files.push(file);
    }
    Ok(())
}

/// The file with all tests of a component.
fn whole(component: &str) -> String {
    format!("{}_tests.json", identifier(component, "the_").to_lowercase())
}

fn names(component: &str, made: &Suite) -> Vec<String> {
    (0..made.tests.len()).map(|at| test_name(component, at)).collect()
}

/// The inputs of each step of a test.
fn rows(test: &suite::Test, made: &Suite, variables: &[Variable]) -> Vec<Row> {
    let rest = defaults(variables);
    let outputs = &made.groups[test.group].outputs;
    (0..test.trace.len()).map(|step| inputs(test, outputs, &rest, step)).collect()
}

/// A file for each test.
fn one_by_one(
    component: &str,
    variables: &[Variable],
    made: &Suite,
    (format, step): (Format, f64),
) -> Result<Files, Error> {
    let mut files = Vec::new();
    for (name, test) in names(component, made).into_iter().zip(&made.tests) {
        let rows = rows(test, made, variables);
        let times = times(step, rows.len());
        let (ending, bytes) = match format {
            Format::Vcd => ("vcd", dump(component, test, made).into_bytes()),
            Format::Kind2 => ("json", kind2(&rows, variables).into_bytes()),
            Format::Mat => ("mat", data(&times, &columns(variables, &rows))?),
            Format::SignalBuilder => ("csv", table(&times, &columns(variables, &rows)).into_bytes()),
            _ => ("csv", draw::table::csv(&test.trace).into_bytes()),
        };
        files.push((format!("{name}.{ending}"), bytes));
    }
    Ok(files)
}

/// A test as a value change dump.
fn dump(component: &str, test: &suite::Test, made: &Suite) -> String {
    let outputs = &made.groups[test.group].outputs;
    let (outputs, inputs) = test.trace.names().iter().cloned().partition(|it| outputs.contains(it));
    let groups = [Group { role: Role::Input, names: inputs }, Group { role: Role::Output, names: outputs }];
    vcd(&test.trace, &groups, component)
}

/// The inputs as numbers: 0 and 1 for Booleans, and the place of a literal, from 0 on.
fn columns(variables: &[Variable], rows: &[Row]) -> Vec<(String, Vec<f64>)> {
    let names = rows.first().into_iter().flatten().map(|it| &it.0);
    let number = |name: &String, value: &Value| match value {
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Num(number) => number.to_f64().value(),
        Value::Name(literal) => {
            let ty = variables.iter().find(|it| it.name == *name).map(|it| &it.ty);
            let place = match ty {
                Some(Type::Enum(literals)) => literals.iter().position(|it| it == literal),
                _ => None,
            };
            place.map_or(f64::NAN, |it| it as f64)
        }
    };
    let column = |(at, name): (usize, &String)| {
        (name.clone(), rows.iter().map(|row| number(name, &row[at].1)).collect())
    };
    names.enumerate().map(column).collect()
}

/// The tests as a program.
fn in_language(
    component: &str,
    set: &mut ComponentSet,
    made: &Suite,
    language: Language,
) -> Result<Files, Error> {
    let mut store = std::mem::take(&mut set.store);
    let mut requirements = Vec::new();
    // The place of each member among those that can be watched.
    let mut places: Vec<Option<usize>> = Vec::new();
    for it in &set.members {
        let watched = watch(&mut store, &it.requirement).ok();
        places.push(watched.as_ref().map(|_| requirements.len()));
        requirements.extend(watched.map(|watch| (it.id.as_str(), watch)));
    }
    let goals = made
        .obligations
        .iter()
        .map(|(it, _)| (format!("{}: {}", set.members[it.member].id, it.text), it.formula));
    let names = names(component, made);
    let case = |test: usize| {
        let it = &made.tests[test];
        let members = made.groups[it.group].members.iter();
        let assumptions = (0..set.members.len()).filter(|at| set.members[*at].assumption);
        let is_mine = |status: &Status| matches!(status, Status::Covered { test: at, .. } if *at == test);
        let goals = (0..made.obligations.len()).filter(|at| is_mine(&made.obligations[*at].1));
        Case {
            name: &names[test],
            rows: rows(it, made, &set.variables),
            requirements: members.filter_map(|at| places[*at]).collect(),
            assumptions: assumptions.filter_map(|at| places[at]).collect(),
            goals: goals.collect(),
        }
    };
    let tests = Tests {
        name: component,
        variables: &set.variables,
        goals: goals.collect(),
        cases: (0..names.len()).map(case).collect(),
        requirements,
    };
    let written = program(&mut store, &tests, language);
    set.store = store;
    let written = written.map_err(Error::refused)?;
    for it in &written.left_out {
        tell(format_args!("warning: {}: not in the program: {}", visible(&it.id), visible(&it.reason)));
    }
    Ok(written.files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect())
}
