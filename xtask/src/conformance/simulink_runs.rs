//! Simulink models run beside CoCoSim's Lustre programs of the same models, in double arithmetic, on the same random inputs; and the
//! neural network beside the outputs that its data file records.
//!
//! Both sides are ours up to the files: the models by the Simulink reader, the programs by the Lustre front end. Inputs and outputs of the
//! root are matched by place, and their names are compared. Inputs are constant, sticky or new at each step, in several ranges.

use crate::challenge::{self, letters, variables, well_formed};
use crate::failure::{Failure, OrFail, Result, ensure, problem};
use crate::files;
use base::Random;
use lustre::{Callees, Options};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use system::{System, Type, Value, simulate};

/// A model below `simulink/lmcps`, its data file, and the program below `lustre/lmcps` with its root node.
const PAIRS: [(&str, &str, &str, &str); 10] = [
    ("0_triplex/triplex_12B.mdl", "", "0_triplex/triplex_12B.lus", "triplex_12B_with_contracts_PP"),
    ("1_fsm/fsm_12B.mdl", "", "1_fsm/fsm_12B.lus", "fsm_12B_with_contracts_PP"),
    (
        "2_tustin/integrator_12B.mdl",
        "",
        "2_tustin/integrator_12B_Req_TUI001.lus",
        "integrator_12B_with_contracts_Req_TUI001_PP",
    ),
    (
        "3_regulators/regs_12B.mdl",
        "3_regulators/regs_12B_data.mat",
        "3_regulators/regs_12B_All.lus",
        "regs_12B_with_contracts_All_PP",
    ),
    ("4_nlguide/NLGuidance_12B.mdl", "", "4_nlguide/NLGuidance_12B.lus", "NLGuidance_12B_with_contracts_PP"),
    ("5_nn/nn_12B.mdl", "5_nn/nn_12B_data.mat", "5_nn/nn_12B.lus", "nn_12B_with_contracts_PP"),
    ("6_eb/EB_12B.mdl", "6_eb/EB_12B_data.mat", "6_eb/EB_12B.lus", "EB_12B_with_contracts_PP"),
    (
        "7_autopilot/variants/Roll_Autopilot.slx",
        "7_autopilot/ap_12B_data.mat",
        "7_autopilot/Roll_Autopilot.lus",
        "Roll_Autopilot_PP",
    ),
    ("8_swim/swim_12B.mdl", "8_swim/swim_12B_data.mat", "8_swim/swim_12B.lus", "swim_12B_with_contracts_PP"),
    (
        "9_euler/euler321_I2B_12B.mdl",
        "",
        "9_euler/euler321_I2B_12B_ALL.lus",
        "euler321_I2B_12B_with_contracts_ALL_PP",
    ),
];

/// The number of runs of each pair, and of steps in each.
const RUNS: u64 = 15;
const STEPS: usize = 300;

/// Lowers all models, runs all pairs and the neural network; fails if they differ.
pub(crate) fn check(folder: &Path) -> Result {
    all_models(folder)?;
    let mut wrong = Vec::new();
    for (model, data, program, node) in PAIRS {
        match pair(folder, model, data, program, node) {
            Ok(Agreement { compared, undefined, still }) => {
                println!(
                    "{model}: {compared} values agree with the program; {undefined} are undefined in it"
                );
                if !still.is_empty() {
                    println!("{model}: one value only: {}", still.join(", "));
                }
            }
            Err(failure) => {
                println!("{model}: {failure}");
                wrong.push(model);
            }
        }
    }
    if let Err(failure) = network(folder) {
        println!("{failure}");
        wrong.push("the neural network");
    }
    ensure(wrong.is_empty(), format!("there are differences: {}", wrong.join(", ")))
}

/// What was compared.
struct Agreement {
    compared: usize,
    undefined: usize,
    /// Outputs that have one value in all runs.
    still: Vec<String>,
}

/// All model files become systems, except for the one that is known.
fn all_models(folder: &Path) -> Result {
    let (mut models, mut data) = (Vec::new(), Vec::new());
    for path in files::below(&folder.join("simulink"), &[])? {
        match path.extension().and_then(|it| it.to_str()) {
            Some("mdl" | "slx") => models.push(path),
            Some("mat") => data.push(path),
            _ => {}
        }
    }
    let start =
        |path: &Path| path.file_name().map(|it| it.to_string_lossy().chars().take(2).collect::<String>());
    let mut refused = Vec::new();
    for path in &models {
        // Data files have the names of their models, or are in the folder of the problem.
        let near = |it: &&PathBuf| {
            let problem = it.parent().is_some_and(|it| path.starts_with(it) && !it.ends_with("original"));
            problem || it.parent() == path.parent() && start(it) == start(path)
        };
        let data: Vec<PathBuf> = data.iter().filter(near).cloned().collect();
        if let Err(failure) = lowered(path, &data) {
            refused.push(format!("{}: {failure}", path.strip_prefix(folder).unwrap_or(path).display()));
        }
    }
    println!("{} of {} Simulink models are systems", models.len() - refused.len(), models.len());
    if refused.is_empty() { Ok(()) } else { Err(Failure::Check(refused)) }
}

/// The system of a model.
fn lowered(model: &Path, data: &[PathBuf]) -> Result<System> {
    well_formed(challenge::lowered(&challenge::plan(model, None, data)?, None)?)
}

fn pair(folder: &Path, model: &str, data: &str, program: &str, node: &str) -> Result<Agreement> {
    let path = |name: &str| folder.join("simulink/lmcps").join(name);
    let data = Some(data).filter(|it| !it.is_empty()).map(path);
    let ours = lowered(&path(model), data.as_slice())?;
    let text = files::bytes(&folder.join("lustre/lmcps").join(program))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let text = if program.starts_with("6_eb") { with_inverses(&text) } else { text };
    let program = lustre::read(&text, &|_| None);
    let theirs = program
        .system(node, &Options { callees: Callees::Inline, only: None })
        .map_err(|wrong| format!("{:?}", wrong.first()))
        .or_fail()?;
    names_agree(&inputs(&ours), &inputs(&theirs))?;
    names_agree(&outputs(&ours), &outputs(&theirs))?;
    let types: Vec<Type> = theirs.inputs.iter().map(|it| theirs.variables[it.index()].ty).collect();
    let (mut compared, mut undefined) = (0, 0);
    let mut seen: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); outputs(&ours).len()];
    for seed in 0..RUNS {
        let rows = random_rows(&types, seed);
        let (a, b) = (run(&ours, &rows), run(&theirs, &rows));
        for (step, (a, b)) in a.iter().zip(&b).enumerate() {
            for (place, (a, b)) in a.iter().zip(b).enumerate() {
                match (a, b) {
                    (_, None) => undefined += 1,
                    (Some(a), Some(b)) if near(*a, *b) => {
                        compared += 1;
                        seen[place].insert(a.to_bits());
                    }
                    _ => {
                        let name = &outputs(&ours)[place];
                        return problem(format!(
                            "run {seed}, step {step}: `{name}` is {a:?}, in the program {b:?}"
                        ));
                    }
                }
            }
        }
    }
    ensure(undefined <= compared, format!("{undefined} values are undefined in the program"))?;
    let still = outputs(&ours).into_iter().zip(seen).filter(|(_, seen)| seen.len() < 2);
    Ok(Agreement { compared, undefined, still: still.map(|it| it.0).collect() })
}

pub(super) fn near(a: f64, b: f64) -> bool {
    (!a.is_finite() && !b.is_finite()) || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn inputs(system: &System) -> Vec<String> {
    system.inputs.iter().map(|it| system.variables[it.index()].name.clone()).collect()
}

fn outputs(system: &System) -> Vec<String> {
    system.outputs.iter().filter(|it| !it.local).map(|it| it.name.clone()).collect()
}

/// Names agree if they have the same letters; the program also numbers single ones.
fn names_agree(ours: &[String], theirs: &[String]) -> Result {
    let plain = |text: &str| letters(text).to_lowercase();
    let same = |a: &str, b: &str| plain(a) == plain(b) || format!("{}1", plain(a)) == plain(b);
    // A minus sign in a name is written out.
    let same = |(a, b): (&String, &String)| same(&a.replace('-', "minus"), b);
    let agree = ours.len() == theirs.len() && ours.iter().zip(theirs).all(same);
    ensure(agree, format!("the ports are {ours:?}, in the program {theirs:?}"))
}

pub(super) fn random_rows(types: &[Type], seed: u64) -> Vec<Vec<f64>> {
    let mut rng = Random::new(seed + 1);
    let range = [1.0, 100.0, 10.0, 1000.0, 0.001][(seed % 5) as usize];
    // An input changes at a step with a probability of 1 to this number.
    let patience = [1, u64::MAX, 8][(seed / 5 % 3) as usize];
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for step in 0..STEPS {
        let mut row = Vec::new();
        for (place, ty) in types.iter().enumerate() {
            let new = match ty {
                Type::Bool => rng.below(2) as f64,
                Type::Int => rng.below(8) as f64 - 2.0,
                _ => match rng.below(8) {
                    0 => [0.0, 1.0, -1.0, 0.5][rng.below(4) as usize],
                    _ => (rng.below(2_000_001) as f64 - 1e6) / 1e6 * range,
                },
            };
            let keep = step > 0 && patience > 1 && (patience == u64::MAX || rng.below(patience) > 0);
            row.push(if keep { rows[step - 1][place] } else { new });
        }
        rows.push(row);
    }
    rows
}

/// The outputs of a system at each step; none where they are undefined.
pub(super) fn run(system: &System, rows: &[Vec<f64>]) -> Vec<Vec<Option<f64>>> {
    let types: Vec<Type> = system.inputs.iter().map(|it| system.variables[it.index()].ty).collect();
    let value = |(ty, number): (&Type, &f64)| match ty {
        Type::Bool => Value::Bool(*number != 0.0),
        Type::Int => Value::Int((*number as i64).into()),
        Type::Machine(_) => Value::Machine(*number as i128),
        Type::Real | Type::Enum(_) => Value::Real(*number),
    };
    let rows: Vec<Vec<Value<f64>>> =
        rows.iter().map(|row| types.iter().zip(row).map(value).collect()).collect();
    let seen = |step: &system::Step<f64>| {
        let all = system.outputs.iter().zip(&step.outputs);
        all.filter(|(it, _)| !it.local).map(|(_, value)| number(value)).collect()
    };
    simulate(system, &[], &rows).steps.iter().map(seen).collect()
}

/// A value as a number.
pub(super) fn number(value: &Value<f64>) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Int(number) => Some(number.to_f64().value()),
        Value::Machine(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Enum(_) | Value::Undefined => None,
    }
}

/// The program with bodies for the inverses that it only declares: cofactors over the determinant.
fn with_inverses(text: &str) -> String {
    let mut text = text.to_owned();
    for size in [3usize, 5] {
        let head = format!("node imported _inv_M_{size}x{size}(");
        let Some(start) = text.find(&head) else { continue };
        let Some(contract) = text[start..].find("*)") else { continue };
        let all: Vec<usize> = (1..=size).collect();
        let determinant = determinant(&all, &all);
        let mut body = String::from("\nvar det: real;\nlet\n");
        body.push_str(&format!("  det = {determinant};\n"));
        for row in 1..=size {
            for column in 1..=size {
                let without = |it: usize| (1..=size).filter(|other| *other != it).collect::<Vec<_>>();
                let minor = self::determinant(&without(column), &without(row));
                let sign = if (row + column) % 2 == 0 { "" } else { "-" };
                body.push_str(&format!("  ai{row}{column} = {sign}({minor}) / det;\n"));
            }
        }
        body.push_str("tel\n");
        text.insert_str(start + contract + 2, &body);
        text.replace_range(start..start + head.len(), &head.replace("imported ", ""));
    }
    text
}

/// The determinant of some rows and columns, expanded by its first row.
fn determinant(rows: &[usize], columns: &[usize]) -> String {
    let Some((first, rest)) = rows.split_first() else { return "1.0".to_owned() };
    let term = |(place, column): (usize, &usize)| {
        let others: Vec<usize> = columns.iter().filter(|it| *it != column).copied().collect();
        let sign = if place % 2 == 0 { "" } else { "-" };
        format!("{sign}a{first}{column} * ({})", determinant(rest, &others))
    };
    columns.iter().enumerate().map(term).collect::<Vec<_>>().join(" + ")
}

/// The neural network on the points of its data file.
fn network(folder: &Path) -> Result {
    let folder = folder.join("simulink/lmcps/5_nn");
    let file = folder.join("nn_12B_data.mat");
    let data = variables(&file)?;
    let numbers = |name: &str| {
        let found = data.iter().find(|(it, _)| it == name).and_then(|(_, value)| value.matrix());
        let names: Vec<&str> = data.iter().map(|it| it.0.as_str()).collect();
        found.ok_or(format!("the data of the network have no `{name}`, only {names:?}")).or_fail()
    };
    let (points, want) = (numbers("original_data")?, numbers("output_scaled")?);
    let system = lowered(&folder.join("nn_12B.mdl"), &[file])?;
    let count = want.entries.len();
    let (x, rest) = points.entries.split_at(count.min(points.entries.len()));
    let rows: Vec<Vec<f64>> = x.iter().zip(rest).map(|(x, y)| vec![*x, *y]).collect();
    let found = run(&system, &rows);
    let error = found.iter().zip(&want.entries).map(|(a, b)| a[0].map_or(f64::INFINITY, |it| (it - b).abs()));
    let worst = error.fold(if found.len() == count { 0.0 } else { f64::INFINITY }, f64::max);
    println!("the neural network differs from {count} recorded outputs by at most {worst:.1e}");
    ensure(worst <= 1e-5, "the neural network may differ by at most 1e-5")
}
