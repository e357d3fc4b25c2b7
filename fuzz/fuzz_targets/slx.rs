//! Any bytes as the model in a Simulink package, with its systems apart; and as the package itself.

#![no_main]

use exchange::archive;
use libfuzzer_sys::fuzz_target;
use simulink::{Limits, library, read, write};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { total: 1 << 20, entry: 1 << 20, ..Limits::default() };
    read(bytes, &limits);
    // Two systems in one input: a NUL between them.
    let text = String::from_utf8_lossy(bytes);
    let (first, second) = text.split_once('\0').unwrap_or((&text, ""));
    let model = "<ModelInformation><Model><System Ref=\"a\"/></Model></ModelInformation>".to_owned();
    let parts = [
        ("simulink/blockdiagram.xml", model),
        ("simulink/systems/a.xml", first.to_owned()),
        ("simulink/systems/b.xml", second.to_owned()),
        ("simulink/bddefaults.xml", second.to_owned()),
        ("simulink/configSet0.xml", first.to_owned()),
    ];
    let mut reading = read(&archive::create(&parts).expect("parts fit"), &limits);
    read(write(&reading.diagram).as_bytes(), &Limits::default());
    library::expand(&mut reading.diagram);
});
