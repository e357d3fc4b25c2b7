//! Any text as a drawing of ours.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = draw::timeline::testing::read(text);
});
