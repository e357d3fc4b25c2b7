//! A file with several projects as one project each, and back. Ids and variables are unique per project only, so each
//! project has its own documents; the weave keeps what belongs to the file as a whole: its shape, its other members, and
//! how the lists of the projects are mixed.

use super::{Project, Requirement, Shape, VariableRecord};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The projects of a file, in the order in which they are first named. What names no project belongs to the first one.
pub fn split(file: &Project) -> Vec<Project> {
    let main = file.name();
    let mut order: Vec<&str> = vec![main];
    let mut requirements: BTreeMap<&str, Vec<Requirement>> = BTreeMap::new();
    let mut variables: BTreeMap<&str, Vec<VariableRecord>> = BTreeMap::new();
    let mut meet = |name| {
        if !order.contains(&name) {
            order.push(name);
        }
        name
    };
    for requirement in &file.requirements {
        requirements.entry(meet(home(&requirement.members, main))).or_default().push(requirement.clone());
    }
    for record in &file.variables {
        variables.entry(meet(home(&record.members, main))).or_default().push(record.clone());
    }
    if order.len() == 1 {
        return vec![file.clone()];
    }
    let mut rest = file.rest.clone();
    rest.retain(|name, _| name == "requirements" || name == "variables");
    let part = |name| Project {
        shape: file.shape,
        requirements: requirements.remove(name).unwrap_or_default(),
        variables: variables.remove(name).unwrap_or_default(),
        rest: rest.clone(),
    };
    order.into_iter().map(part).collect()
}

/// What belongs to a file of several projects as a whole.
pub fn weave(file: &Project) -> Value {
    let main = file.name();
    let requirements = runs(file.requirements.iter().map(|it| home(&it.members, main)));
    let variables = runs(file.variables.iter().map(|it| home(&it.members, main)));
    json!({
        "shape": file.shape.name(),
        "rest": file.rest,
        "requirements": requirements,
        "variables": variables,
    })
}

/// The file of several projects, each with the name it had in the weave. What the weave does not tell comes last.
pub fn join(weave: &Value, projects: Vec<(String, Project)>) -> Project {
    let has_variables = projects.iter().any(|(_, project)| !project.variables.is_empty());
    let shape = if weave["shape"] == "list" && !has_variables { Shape::List } else { Shape::Object };
    let mut rest = weave["rest"].as_object().cloned().unwrap_or_default();
    if shape == Shape::Object && rest.is_empty() {
        rest = Map::from_iter(["requirements", "variables"].map(|name| (name.to_string(), Value::Null)));
    }
    let (mut requirements, mut variables) = (Vec::new(), Vec::new());
    for (name, project) in projects {
        requirements.push((name.clone(), VecDeque::from(project.requirements)));
        variables.push((name, VecDeque::from(project.variables)));
    }
    Project {
        shape,
        requirements: woven(&weave["requirements"], requirements),
        variables: woven(&weave["variables"], variables),
        rest,
    }
}

/// The project that a requirement or record belongs to.
fn home<'t>(members: &'t Map<String, Value>, main: &'t str) -> &'t str {
    members.get("project").and_then(Value::as_str).filter(|name| !name.is_empty()).unwrap_or(main)
}

/// Names in a row that are the same, with their count.
fn runs<'t>(names: impl Iterator<Item = &'t str>) -> Vec<(&'t str, usize)> {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => runs.push((name, 1)),
        }
    }
    runs
}

/// The lists mixed as the runs say; the last run of a project takes all that is left of it.
fn woven<T>(runs: &Value, mut lists: Vec<(String, VecDeque<T>)>) -> Vec<T> {
    let runs: Vec<(&str, usize)> = (runs.as_array().into_iter().flatten())
        .filter_map(|run| Some((run[0].as_str()?, usize::try_from(run[1].as_u64()?).ok()?)))
        .collect();
    let mut all = Vec::new();
    for (at, (name, count)) in runs.iter().enumerate() {
        let Some((_, list)) = lists.iter_mut().find(|(known, _)| known == name) else { continue };
        let is_last = runs[at + 1..].iter().all(|(later, _)| later != name);
        let count = if is_last { list.len() } else { list.len().min(*count) };
        all.extend(list.drain(..count));
    }
    all.extend(lists.into_iter().flat_map(|(_, list)| list));
    all
}
