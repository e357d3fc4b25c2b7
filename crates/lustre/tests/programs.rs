//! The corpus of Lustre programs: each file says in comments what is expected of it.
//!
//! - `-- expect error CODE at LINE:COLUMN`, `-- expect warning …`: all of them, and no others (errors also from making the system)
//! - `-- expect valid NAME`, `-- expect invalid NAME at STEP`, `-- expect unknown NAME`: by explicit search, and where that cannot
//!   decide, by random runs: then valid and unknown mean that none fails
//! - `-- input NAME: VALUES`, `-- output NAME: VALUES`: one run; `?` is any value
//! - `-- callees contract`: callees are replaced by their contracts
//!
//! The node is the one with `--%MAIN`, or the last one.

use base::Random;
use dashu_int::IBig;
use dashu_ratio::RBig;
use engine::explicit::{Answer, Budget, explicit};
use shall_lustre::{Callees, Options, Program, read};
use std::path::Path;
use system::{System, Type, Value, simulate};

#[test]
fn every_program_is_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 100);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        if let Err(message) = check(&text) {
            wrong.push(format!("{}: {message}", file.file_name().unwrap().to_string_lossy()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(text: &str) -> Result<(), String> {
    let program = read(text, &|_| None);
    let comments: Vec<&str> = text.lines().filter_map(|it| it.strip_prefix("-- ")).collect();
    let callees = if comments.contains(&"callees contract") { Callees::Contract } else { Callees::Inline };
    let nodes = program.nodes();
    let node =
        nodes.iter().find(|it| it.main).or(nodes.iter().rfind(|it| !it.imported && in_text(text, &it.name)));
    let made = node.map(|node| program.system(&node.name, &Options { callees, only: None }));
    let mut expected: Vec<String> = comments
        .iter()
        .filter_map(|it| it.strip_prefix("expect error ").or(it.strip_prefix("expect warning ")))
        .map(ToOwned::to_owned)
        .collect();
    let mut found: Vec<String> = diagnostics(&program, made.as_ref().and_then(|it| it.as_ref().err()), text);
    expected.sort();
    found.sort();
    if expected != found {
        return Err(format!("expected {expected:?}, found {found:?} ({:?})", program.diagnostics));
    }
    let Some(Ok(system)) = made else {
        return if expected.iter().any(|it| it.starts_with('E')) { Ok(()) } else { Err(format!("{made:?}")) };
    };
    if let Some(wrong) = system.check().first() {
        return Err(format!("{wrong}\n{system}"));
    }
    let claims = claims(&system, &comments)?;
    self::claims(&moved(&system), &comments).map_err(|error| format!("put into an empty system: {error}"))?;
    if claims == 0 && !comments.iter().any(|it| it.starts_with("output ")) && expected.is_empty() {
        return Err("nothing is expected".to_owned());
    }
    Ok(())
}

/// How many claims the comments make; all of them hold, or the first wrong one.
fn claims(system: &System, comments: &[&str]) -> Result<usize, String> {
    let mut claims = 0;
    for comment in comments {
        let Some((verdict, rest)) = comment.strip_prefix("expect ").and_then(|it| it.split_once(' ')) else {
            continue;
        };
        let (name, step) = match rest.rsplit_once(" at ").filter(|_| verdict == "invalid") {
            Some((name, step)) => (name, step.parse::<usize>().map_err(|error| error.to_string())?),
            None => (rest, 0),
        };
        match verdict {
            "valid" => decide(system, name, None, true)?,
            "unknown" => decide(system, name, None, false)?,
            "invalid" => decide(system, name, Some(step), true)?,
            _ => continue,
        }
        claims += 1;
    }
    run(system, comments)?;
    Ok(claims)
}

fn in_text(text: &str, node: &str) -> bool {
    ["node ", "function ", "rec ", "lemma "].iter().any(|word| text.contains(&format!("{word}{node}(")))
}

/// The same system, made by putting it into an empty one.
fn moved(system: &System) -> System {
    let mut empty = System::default();
    let outputs = empty.include(system, "", &std::collections::BTreeMap::new());
    for output in &system.outputs {
        let add = if output.local { System::add_local } else { System::add_output };
        add(&mut empty, &output.name, outputs[&output.name]);
    }
    empty
}

/// Codes with line and column.
fn diagnostics(program: &Program, other: Option<&Vec<syntax::Diagnostic>>, text: &str) -> Vec<String> {
    let extra = other.into_iter().flatten().filter(|it| !program.diagnostics.contains(it));
    let shown = program.diagnostics.iter().chain(extra).map(|it| {
        let before = &text[..it.span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        format!("{} at {line}:{column}", it.code.id())
    });
    shown.collect()
}

/// Checks that a property fails first at a step, or that no failure is found; `sure` if a search must say so, where it can.
fn decide(system: &System, name: &str, fails: Option<usize>, sure: bool) -> Result<(), String> {
    let place = system.properties.iter().position(|it| it.name == name);
    let names: Vec<&String> = system.properties.iter().map(|it| &it.name).collect();
    let place = place.ok_or_else(|| format!("there is no property {name}, only {names:?}"))?;
    let budget = Budget { states: 20_000, steps: 2_000_000 };
    let answer = explicit(system, &[place], budget).remove(0);
    match (&answer, fails) {
        (Answer::Valid, None) if sure => Ok(()),
        (Answer::Invalid(run), Some(step)) if run.steps.len() == step + 1 => Ok(()),
        (Answer::Unknown(_), None) => match random_failure(system, place) {
            Some(at) => Err(format!("{name} fails at {at} in a random run")),
            None => Ok(()),
        },
        (Answer::Unknown(reason), Some(step)) => match random_failure(system, place) {
            Some(at) if at >= step => Ok(()),
            found => Err(format!("{name} is to fail at {step}; random runs: {found:?}, search: {reason:?}")),
        },
        _ => Err(format!("{name} is to fail {fails:?}, but {answer:?}\n{system}")),
    }
}

/// The earliest step at which random runs violate a property.
fn random_failure(system: &System, property: usize) -> Option<usize> {
    const RUNS: u64 = 600;
    const STEPS: usize = 8;
    let mut earliest: Option<usize> = None;
    for seed in 0..RUNS {
        let mut rng = Random::new(seed + 1);
        let start: Vec<_> = system
            .state
            .iter()
            .map(|it| (it.var, random_value(system, system.variables[it.var.index()].ty, &mut rng)))
            .collect();
        let row = |rng: &mut Random| {
            let inputs = system.inputs.iter().map(|var| system.variables[var.index()].ty);
            inputs.map(|ty| random_value(system, ty, rng)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Value>> = (0..STEPS).map(|_| row(&mut rng)).collect();
        let run = simulate(system, &start, &rows);
        let counts = run.steps.iter().take_while(|it| it.assumed == Some(true));
        if let Some(at) = counts.into_iter().position(|it| it.properties[property] == Some(false)) {
            earliest = Some(earliest.map_or(at, |before| before.min(at)));
        }
    }
    earliest
}

fn random_value(system: &System, ty: Type, rng: &mut Random) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.below(2) == 1),
        Type::Int => Value::Int(IBig::from(rng.below(16)) - IBig::from(4)),
        Type::Real => Value::Real(RBig::from(IBig::from(rng.below(17)) - IBig::from(8)) / RBig::from(2)),
        Type::Machine(width) => Value::Machine(width.wrap(rng.below(300).into())),
        Type::Enum(id) => Value::Enum(rng.below(system.pool.enumeration(id).literals.len() as u64) as u32),
    }
}

/// Replays the run of the comments.
fn run(system: &System, comments: &[&str]) -> Result<(), String> {
    let table = |word: &str| -> Vec<(String, Vec<String>)> {
        let lines = comments.iter().filter_map(|it| it.strip_prefix(word)?.split_once(": "));
        lines
            .map(|(name, values)| (name.to_owned(), values.split(' ').map(ToOwned::to_owned).collect()))
            .collect()
    };
    let (inputs, outputs) = (table("input "), table("output "));
    let Some(steps) = inputs.iter().chain(&outputs).map(|it| it.1.len()).max() else { return Ok(()) };
    let row = |step: usize| {
        let names = system.inputs.iter().map(|var| &system.variables[var.index()]);
        let value = |name: &str, ty| {
            let given = inputs.iter().find(|it| it.0 == name).and_then(|it| it.1.get(step));
            given.map_or(Value::Undefined, |text| value(system, ty, text))
        };
        names.map(|it| value(&it.name, it.ty)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Value>> = (0..steps).map(row).collect();
    let run = simulate(system, &[], &rows);
    for (name, values) in &outputs {
        for (step, text) in values.iter().enumerate() {
            let output = system
                .outputs
                .iter()
                .find(|it| it.name == *name)
                .ok_or(format!("no output {name}\n{system}"))?;
            let ty = system.pool.type_of(output.value);
            let found = run.value(system, step, name);
            if found != Some(&value(system, ty, text)) {
                return Err(format!("{name} at {step} is {found:?}, not {text}\n{system}"));
            }
        }
    }
    Ok(())
}

fn value(system: &System, ty: Type, text: &str) -> Value {
    let number = || -> Option<RBig> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
        Some(RBig::from(digits) / RBig::from(IBig::from(10).pow(fraction.len())))
    };
    match ty {
        _ if text == "?" => Value::Undefined,
        Type::Bool => Value::Bool(text == "1"),
        Type::Int => number().map_or(Value::Undefined, |it| Value::Int(it.floor())),
        Type::Real => number().map_or(Value::Undefined, Value::Real),
        Type::Machine(_) => Value::Machine(text.parse().unwrap_or(0)),
        Type::Enum(id) => {
            let place = system.pool.enumeration(id).literals.iter().position(|it| it == text);
            place.map_or(Value::Undefined, |place| Value::Enum(place as u32))
        }
    }
}
