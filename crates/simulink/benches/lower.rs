//! How long a model takes from its file to a system, and how fast the system runs in double arithmetic.
//!
//! Run with `cargo bench -p shall-simulink`. The model is the file that `SHALL_MODEL` names, with the data file of `SHALL_MODEL_DATA`,
//! otherwise one of our own with 6,000 blocks. The limits are 0.5 s and 100 MB for the first, and 10,000,000 block steps a second.

use criterion::Criterion;
use shall_simulink::diagram::{Diagram, Port, Sheet};
use std::hint::black_box;
use std::time::Instant;
use system::{System, Type, Value, simulate};

/// A chain of loops with a gain, a sum, a delay, a limit, a comparison and a switch each.
fn own() -> Vec<u8> {
    let mut sheet = Sheet::default();
    let mut last = sheet.add("Inport", "u", &[("Port", "1")]);
    for number in 0..1_000 {
        let name = |kind: &str| format!("{kind}{number}");
        let gain = sheet.add("Gain", &name("gain"), &[("Gain", "0.9")]);
        let sum = sheet.add("Sum", &name("sum"), &[("Inputs", "+-")]);
        let delay =
            sheet.add("UnitDelay", &name("delay"), &[("InitialCondition", "0"), ("SampleTime", "-1")]);
        let limit = sheet.add("Saturate", &name("limit"), &[("UpperLimit", "1"), ("LowerLimit", "-1")]);
        let test = sheet.add("RelationalOperator", &name("test"), &[("Operator", ">=")]);
        let switch = sheet.add("Switch", &name("switch"), &[("Criteria", "u2 ~= 0")]);
        for (from, to, port) in [
            (last, gain, 1),
            (gain, sum, 1),
            (delay, sum, 2),
            (sum, limit, 1),
            (limit, delay, 1),
            (limit, test, 1),
            (gain, test, 2),
            (limit, switch, 1),
            (test, switch, 2),
            (gain, switch, 3),
        ] {
            sheet.connect((from, 1), (to, Port::Data(port)));
        }
        last = switch;
    }
    let out = sheet.add("Outport", "y", &[("Port", "1")]);
    sheet.connect((last, 1), (out, Port::Data(1)));
    let diagram = Diagram { name: "own".to_owned(), sheets: vec![sheet], ..Diagram::default() };
    shall_simulink::write(&diagram).into_bytes()
}

fn file(variable: &str) -> Option<Vec<u8>> {
    std::env::var(variable).ok().map(|path| std::fs::read(path).expect("the variable names a readable file"))
}

fn system(bytes: &[u8], data: &[u8]) -> (usize, System) {
    let mut diagram = shall_simulink::read(bytes, &Default::default()).diagram;
    shall_simulink::library::expand(&mut diagram);
    let data = shall_simulink::mat::read(data, Default::default()).unwrap_or_default();
    let plan = shall_simulink::plan::plan(&diagram, &data.variables);
    let system =
        shall_simulink::lower::lower(&plan, None, &Default::default()).expect("the model is supported");
    (diagram.sheets.iter().map(|it| it.blocks.len()).sum(), system)
}

/// The greatest amount of memory so far, in MB, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|it| it / 1_000)
}

fn main() {
    let bytes = file("SHALL_MODEL").unwrap_or_else(own);
    let data = file("SHALL_MODEL_DATA").unwrap_or_default();
    black_box(system(&bytes, &data));
    peak().into_iter().for_each(|it| println!("{it} MB from the file to the system"));
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("file to system", |bencher| {
        bencher.iter(|| system(black_box(&bytes), black_box(&data)));
    });
    let (blocks, system) = system(&bytes, &data);
    let value = |step: usize, ty: Type| match ty {
        Type::Bool => Value::Bool(step.is_multiple_of(3)),
        Type::Int => Value::Int((step % 5).into()),
        Type::Machine(_) => Value::Machine(step as i128 % 5),
        Type::Real | Type::Enum(_) => Value::Real((step as f64 * 0.37).sin()),
    };
    let types: Vec<Type> = system.inputs.iter().map(|it| system.variables[it.index()].ty).collect();
    let rows: Vec<Vec<Value<f64>>> =
        (0..1000).map(|step| types.iter().map(|ty| value(step, *ty)).collect()).collect();
    criterion
        .bench_function("1,000 steps", |bencher| bencher.iter(|| simulate(&system, &[], black_box(&rows))));
    let start = Instant::now();
    black_box(simulate(&system, &[], &rows));
    let speed = (blocks * rows.len()) as f64 / start.elapsed().as_secs_f64();
    println!("{blocks} blocks, {speed:.0} block steps a second");
}
