//! Any text as a Simulink model: what is read without trouble is written and read again without a difference.

#![no_main]

use libfuzzer_sys::fuzz_target;
use simulink::diagram::Diagram;
use simulink::{Limits, library, read, write};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { total: 1 << 20, entry: 1 << 20, ..Limits::default() };
    if bytes.starts_with(b"PK") || bytes.starts_with(b"# MathWorks OPC") {
        return; // packages have a target of their own
    }
    let mut reading = read(bytes, &limits);
    let again = read(write(&reading.diagram).as_bytes(), &Limits::default());
    if reading.problems.is_empty() {
        assert_eq!(kept(again.diagram), kept(reading.diagram.clone()));
    }
    library::expand(&mut reading.diagram);
});

/// What the writer keeps.
fn kept(mut diagram: Diagram) -> Diagram {
    diagram.settings.0.sort();
    diagram.workspace = diagram.workspace.and_then(|file| file.get(124..).map(<[u8]>::to_vec));
    diagram.sheets.iter_mut().flat_map(|sheet| &mut sheet.blocks).for_each(|block| block.line = 0);
    diagram
}
