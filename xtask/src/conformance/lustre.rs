//! Lustre programs that CoCoSim made of the Lockheed Martin challenge models: all are read, every node that Kind 2 checked becomes a
//! system with the properties that it reported, and the recorded counterexamples are run.
//!
//! A counterexample of Kind 2 gives the inputs of the checked node. One of Simulink Design Verifier gives those of the whole model;
//! the inputs of the checked node are then read from the run. The counterexamples of the Euler transformation are spurious: there
//! sine and cosine were not functions.

use crate::challenge::{letters, well_formed};
use crate::failure::{OrFail, Result, ensure, problem};
use crate::files::{self, entries, text};
use dashu_int::IBig;
use dashu_ratio::RBig;
use lustre::{Callees, Options, Program, read};
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::path::Path;
use system::{Function, Real, System, Type, Value, simulate};

/// One program.
pub(super) struct File {
    pub(super) problem: String,
    pub(super) name: String,
    pub(super) program: Program,
}

/// Reads, lowers and runs; fails if a count is not the known one.
pub(crate) fn check(folder: &Path) -> Result {
    let folder = folder.join("lustre/lmcps");
    let start = std::time::Instant::now();
    let files = programs(&folder)?;
    let seconds = start.elapsed().as_secs_f64();
    let (mut systems, mut states, mut nodes) = (0, 0, 0);
    for file in &files {
        for node in file.program.nodes().iter().filter(|it| !it.imported) {
            let inline = system(file, &node.name, Callees::Inline)?;
            system(file, &node.name, Callees::Contract)?;
            (systems, states, nodes) = (systems + 1, states + inline.state.len(), nodes + inline.pool.len());
        }
    }
    println!(
        "{} programs are read ({seconds:.1} s), {systems} nodes are systems with {states} states and {nodes} expressions together",
        files.len()
    );
    let (recorded, gone) = recorded(&files, &text(&folder.join("kind2_recorded.tsv"))?)?;
    println!(
        "{recorded} properties that Kind 2 reported exist under their names; {gone} are commented out in the programs"
    );
    counterexamples(&files, &files::json_array(&folder.join("counterexamples.json"))?)
}

/// All programs below a folder, one folder for each problem; none has an error.
pub(super) fn programs(folder: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for inner in entries(folder)?.into_iter().filter(|it| it.is_dir()) {
        for path in entries(&inner)?.into_iter().filter(|it| it.extension().is_some_and(|it| it == "lus")) {
            let shown = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let program = read(&text(&path)?, &|_| None);
            if let Some(wrong) = program.diagnostics.iter().find(|it| it.code.id().starts_with('E')) {
                let (path, code) = (path.display(), wrong.code.id());
                return problem(format!("{path}: {code} at {:?}: {}", wrong.span, wrong.message));
            }
            files.push(File { problem: shown(&inner), name: shown(&path), program });
        }
    }
    Ok(files)
}

pub(super) fn system(file: &File, node: &str, callees: Callees) -> Result<System> {
    let system = file.program.system(node, &Options { callees, only: None });
    let system = system.map_err(|wrong| format!("{:?}", wrong.first())).or_fail();
    system.and_then(well_formed).about(format!("{}: {node}", file.name))
}

/// The name of a recorded property: Kind 2 numbers the claims of a contract after their names.
pub(super) fn property_name(recorded: &str) -> &str {
    recorded.rsplit_once('[').map_or(recorded, |it| if it.1.starts_with('l') { recorded } else { it.0 })
}

/// The number of recorded properties that the systems of their scopes have, and of those that the programs no longer have.
fn recorded(files: &[File], table: &str) -> Result<(usize, usize)> {
    let (mut count, mut gone) = (0, 0);
    for row in files::rows(table) {
        let (problem, property, scope) = (row[0], row[2], row[6]);
        if property == "-" {
            continue;
        }
        let name = property_name(property);
        let (mut found, mut scopes) = (false, 0);
        for file in files.iter().filter(|it| it.problem == problem) {
            if file.program.nodes().iter().any(|it| it.name == scope) {
                scopes += 1;
                found |= system(file, scope, Callees::Inline)?.properties.iter().any(|it| it.name == name);
            }
        }
        let known = scopes > 0 && (found || problem == "4_nlguide");
        ensure(known, format!("{problem}: `{scope}` has no property `{name}`"))?;
        count += usize::from(found);
        gone += usize::from(!found);
    }
    Ok((count, gone))
}

fn counterexamples(files: &[File], all: &[Json]) -> Result {
    let (mut kind2, mut sldv, mut spurious, mut rounded) = (0, 0, 0, 0);
    for case in all {
        let field = |name: &str| case[name].as_str().unwrap_or_default();
        let (problem, id) = (field("problem"), field("reqid"));
        let files: Vec<&File> = files.iter().filter(|it| it.problem == problem).collect();
        let euler = problem == "9_euler";
        let violated = match field("tool") {
            "kind2" => {
                let (file, _, system) = checked(&files, id, Some(field("node")))?;
                let rows =
                    rows::<RBig>(&system, &|name, step| cell(&case["streams"][name]["values"], step), case);
                if euler {
                    !holds(&system, &circular(rows))
                } else {
                    let found = violates(&system, id, &rows, true);
                    ensure(found, "the counterexample of Kind 2 does not violate it")
                        .about(format!("{}: {id}", file.name))?;
                    found
                }
            }
            _ => {
                let exact = from_model::<RBig>(&files, id, case, true)?;
                rounded += usize::from(!exact);
                exact || from_model::<f64>(&files, id, case, false)?
            }
        };
        match (field("tool"), euler) {
            ("kind2", true) => spurious += usize::from(!violated),
            ("kind2", false) => kind2 += usize::from(violated),
            _ => sldv += usize::from(violated),
        }
    }
    println!(
        "counterexamples: {kind2} of Kind 2 and {sldv} of Design Verifier violate ({rounded} only in doubles), {spurious} spurious ones do not"
    );
    known_counts(kind2, sldv, spurious)
}

/// Fails unless the numbers of violations of Kind 2 and Design Verifier, and of spurious counterexamples, are the known ones.
pub(super) fn known_counts(kind2: usize, verifier: usize, spurious: usize) -> Result {
    ensure((kind2, verifier, spurious) == (22, 15, 17), "the expected counts are 22, 15 and 17")
}

/// The program and the system of the node whose contract has a requirement.
fn checked<'f>(files: &[&'f File], id: &str, node: Option<&str>) -> Result<(&'f File, String, System)> {
    let mut other = None;
    for file in files {
        let nodes = file.program.nodes();
        for it in
            nodes.iter().filter(|it| it.contract && !it.imported && node.is_none_or(|node| it.name == node))
        {
            let system = system(file, &it.name, Callees::Inline)?;
            if system.properties.iter().any(|it| is_about(&it.name, id)) {
                return Ok((file, it.name.clone(), system));
            }
            other.get_or_insert((*file, it.name.clone(), system));
        }
    }
    other.ok_or(format!("no node has the requirement {id}")).or_fail()
}

/// Whether a property is the requirement of an id: `…].TSM_minus_004_1443_004` and `TSM-004`.
fn is_about(property: &str, id: &str) -> bool {
    let name = property.rsplit('.').next().unwrap_or(property).replace("_minus_", "");
    let id = if id == "REG-010" { "REG0010".to_owned() } else { letters(id) };
    letters(&name).starts_with(&id)
        && !name.strip_prefix(&id).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
}

/// Whether a run ends with a violation of the requirement, or of any property if none has its id.
fn violates<R: Real>(system: &System, id: &str, rows: &[Vec<Value<R>>], assumptions: bool) -> bool {
    let named = system.properties.iter().any(|it| is_about(&it.name, id));
    let run = simulate(system, &[], rows);
    if assumptions && run.steps.iter().any(|step| step.assumed != Some(true)) {
        return false;
    }
    let about = |place: usize| !named || is_about(&system.properties[place].name, id);
    run.steps
        .iter()
        .any(|step| step.properties.iter().enumerate().any(|(at, it)| about(at) && *it == Some(false)))
}

/// Whether all properties hold on a run that counts.
fn holds<R: Real>(system: &System, rows: &[Vec<Value<R>>]) -> bool {
    let run = simulate(system, &[], rows);
    run.steps
        .iter()
        .all(|step| step.assumed == Some(true) && step.properties.iter().all(|it| *it == Some(true)))
}

/// The rows of inputs of a counterexample; an input that it does not name makes no difference and is zero.
fn rows<R: Real>(
    system: &System,
    cell: &dyn Fn(&str, usize) -> Option<String>,
    case: &Json,
) -> Vec<Vec<Value<R>>> {
    let steps = case["length"].as_u64().unwrap_or(0) as usize;
    let row = |step: usize| {
        let inputs = system.inputs.iter().map(|var| &system.variables[var.index()]);
        inputs.map(|it| value(it.ty, &cell(&it.name, step).unwrap_or("0".to_owned()))).collect()
    };
    (0..steps).map(row).collect()
}

fn cell(values: &Json, step: usize) -> Option<String> {
    values[step].as_str().map(ToOwned::to_owned)
}

/// A value as Kind 2 or Design Verifier writes it: `(real 5)`, `-1/2`, `1e-3`, `true`, `1`.
fn value<R: Real>(ty: Type, text: &str) -> Value<R> {
    let text = text.trim().trim_start_matches("(real").trim_end_matches(')').trim();
    match ty {
        Type::Bool => Value::Bool(text == "true" || text == "1"),
        _ => match number(text) {
            Some(number) if ty == Type::Int => Value::Int(number.floor()),
            Some(number) => Value::Real(R::from_exact(&number)),
            None => Value::Undefined,
        },
    }
}

pub(super) fn number(text: &str) -> Option<RBig> {
    if let Some((a, b)) = text.split_once('/') {
        return Some(number(a.trim())? / number(b.trim())?);
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = IBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?;
    let scale = exponent - i32::try_from(fraction.len()).ok()?;
    let power = RBig::from(IBig::from(10).pow(scale.unsigned_abs() as usize));
    Some(if scale < 0 { RBig::from(digits) / power } else { RBig::from(digits) * power })
}

/// Runs the whole model, reads the inputs of the checked node from the run, and runs that node on them.
fn from_model<R: Real>(files: &[&File], id: &str, case: &Json, assumptions: bool) -> Result<bool> {
    let (file, node, inner) = checked(files, id, None)?;
    let nodes = file.program.nodes();
    let top = nodes
        .iter()
        .rfind(|it| nodes.iter().all(|other| !other.calls.contains(&it.name)) && !it.calls.is_empty());
    let top = top.ok_or("the model has no top node").or_fail()?;
    let whole = system(file, &top.name, Callees::Inline)?;
    let plain = |text: &str| letters(text.trim_end_matches("_1")).to_lowercase();
    let table = case["table"].as_object().ok_or("the counterexample has no table").or_fail()?;
    let column = |name: &str, step: usize| {
        let found = table.iter().find(|(column, _)| plain(column) == plain(name));
        found.and_then(|(_, values)| cell(values, step))
    };
    let run = simulate::<R>(&whole, &[], &rows(&whole, &column, case));
    let at = inner.inputs.iter().map(|var| {
        let name = &inner.variables[var.index()].name;
        whole.outputs.iter().position(|it| {
            it.name.strip_suffix(name.as_str()).is_some_and(|path| path.ends_with(&format!("{node}.")))
        })
    });
    let at: Vec<Option<usize>> = at.collect();
    let row = |step: &system::Step<R>| {
        at.iter().map(|at| at.map_or(Value::Undefined, |at| step.outputs[at].clone())).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Value<R>>> = run.steps.iter().map(row).collect();
    Ok(violates(&inner, id, &rows, assumptions))
}

/// Exact numbers with a sine and a cosine that are exact functions on the unit circle near the true ones: enough to tell what
/// follows from their being functions.
#[derive(Clone, PartialEq)]
pub(super) struct Circle(RBig);

/// Rows of exact numbers, as rows of such numbers.
pub(super) fn circular(rows: Vec<Vec<Value>>) -> Vec<Vec<Value<Circle>>> {
    let value = |value| match value {
        Value::Bool(it) => Value::Bool(it),
        Value::Int(it) => Value::Int(it),
        Value::Machine(it) => Value::Machine(it),
        Value::Real(it) => Value::Real(Circle(it)),
        Value::Enum(it) => Value::Enum(it),
        Value::Undefined => Value::Undefined,
    };
    rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect()
}

impl Real for Circle {
    fn from_exact(number: &RBig) -> Circle {
        Circle(number.clone())
    }

    fn plus(&self, other: &Circle) -> Option<Circle> {
        self.0.plus(&other.0).map(Circle)
    }

    fn times(&self, other: &Circle) -> Option<Circle> {
        self.0.times(&other.0).map(Circle)
    }

    fn over(&self, other: &Circle) -> Option<Circle> {
        self.0.over(&other.0).map(Circle)
    }

    fn negated(&self) -> Circle {
        Circle(self.0.negated())
    }

    fn order(&self, other: &Circle) -> Option<Ordering> {
        self.0.order(&other.0)
    }

    fn whole(&self) -> Option<IBig> {
        self.0.whole()
    }

    /// With t near tan(x/2): sin x = 2t / (1 + t²), cos x = (1 - t²) / (1 + t²).
    fn apply(function: Function, arguments: &[&Circle]) -> Option<Circle> {
        let half = (<f64 as Real>::from_exact(&arguments.first()?.0) / 2.0).tan();
        let grid = f64::from(1 << 20);
        let t = RBig::from((half * grid) as i64) / RBig::from(1i64 << 20);
        let square = &t * &t;
        let norm = RBig::ONE + &square;
        match function {
            Function::Sin => Some(Circle(RBig::from(2) * t / norm)),
            Function::Cos => Some(Circle((RBig::ONE - square) / norm)),
            _ => None,
        }
    }
}
