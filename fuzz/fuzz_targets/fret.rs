//! Any bytes as a FRET project: what is read is written and read again the same.

#![no_main]

use exchange::Limits;
use exchange::fret::{parts, read, rebuild, sidecar, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { total: 1 << 16, ..Limits::default() };
    let Ok(reading) = read(bytes, limits) else { return };
    let (parts, kept) = (parts(&reading.project), sidecar(&reading.project));
    let rebuilt = rebuild(Some(&kept), &parts.requirements, &parts.variables, &parts.name);
    let text = write(&rebuilt);
    let again = read(text.as_bytes(), Limits::default()).expect("what we write we can read");
    assert_eq!(write(&again.project), text);
});
