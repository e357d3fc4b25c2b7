//! Any bytes as a recorded trace, in the format that the first one chooses: reading never panics and ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use logic::Sort;
use record::csv::Csv;
use record::vcd::Vcd;
use record::{Block, Input, Kind, Malformed, Reader, mcap, mdf, rosbag};
use std::io::Cursor;

/// The most steps that are read.
const STEPS: u64 = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let Some((format, bytes)) = bytes.split_first() else { return };
    let reader: Result<Box<dyn Reader>, Malformed> = match format % 5 {
        0 => Csv::open(Cursor::new(bytes)).map(|it| Box::new(it) as _),
        1 => Vcd::open(Cursor::new(bytes)).map(|it| Box::new(it) as _),
        2 => mcap::read(bytes).map(|it| Box::new(it) as _),
        3 => mdf::read(bytes).map(|it| Box::new(it) as _),
        _ => rosbag::read(Cursor::new(bytes)).map(|it| Box::new(it) as _),
    };
    let Ok(mut reader) = reader else { return };
    let kind = |sort: Sort| match sort {
        Sort::Bool => Kind::Truth,
        Sort::Enum => Kind::Name,
        Sort::Int | Sort::Real | Sort::Any => Kind::Number,
    };
    let inputs: Vec<Input> =
        reader.signals().iter().map(|it| Input { name: it.name.clone(), kind: kind(it.sort) }).collect();
    reader.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
    let mut block = Block::new(&inputs);
    while block.start < STEPS && reader.fill(&mut block).is_ok_and(|rows| rows > 0) {}
});
