//! Files of other formats, read as tables of texts.

use logic::{Sort, Value};
use shall_record::{Block, Input, Kind, Malformed, Reader};

/// The names of the signals, and the steps with the values of all signals; what has no value is shown as its reason.
pub(crate) fn shown(mut reader: impl Reader) -> Result<(Vec<String>, Vec<String>), Malformed> {
    let kind = |sort: Sort| match sort {
        Sort::Bool => Kind::Truth,
        Sort::Enum => Kind::Name,
        Sort::Int | Sort::Real | Sort::Any => Kind::Number,
    };
    let inputs: Vec<Input> =
        reader.signals().iter().map(|it| Input { name: it.name.clone(), kind: kind(it.sort) }).collect();
    let units =
        reader.signals().iter().map(|it| it.unit.as_ref().map_or(String::new(), |unit| format!(" [{unit}]")));
    let names = inputs.iter().zip(units).map(|(input, unit)| format!("{}{unit}", input.name)).collect();
    reader.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
    let mut block = Block::new(&inputs);
    let mut steps = Vec::new();
    while reader.fill(&mut block)? > 0 {
        for row in 0..block.rows {
            let step = block.start + row as u64;
            let cells = block.columns.iter().map(|column| match &column.flaw {
                Some(flaw) if flaw.step <= step => flaw.reason.clone(),
                _ => match column.value(row) {
                    Value::Bool(truth) => truth.to_string(),
                    Value::Num(number) => logic::format_decimal(&number).unwrap_or_default(),
                    Value::Name(name) => name,
                },
            });
            steps.push(cells.collect::<Vec<_>>().join(" "));
        }
    }
    Ok((names, steps))
}

/// Changes some bytes of a file, cuts it at some places, and reads each: whatever comes, it must end, and without a panic.
pub(crate) fn survives(file: &[u8], read: impl Fn(&[u8]) -> Result<(Vec<String>, Vec<String>), Malformed>) {
    let mut random = base::Random::new(11);
    for _ in 0..2000 {
        let mut bytes = file.to_vec();
        for _ in 0..=random.below(3_usize) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(4_u64) {
                0 => 0xff,
                1 => 0,
                2 => bytes[at] ^ 1 << random.below(8_u64),
                _ => random.bits() as u8,
            };
        }
        let _ = read(&bytes);
    }
    for length in 0..file.len() {
        if let Err(error) = read(&file[..length]) {
            assert!(!error.reason.is_empty());
        }
    }
}
