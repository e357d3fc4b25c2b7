//! Any text as a sentence: the tree keeps every byte, what is wrong is said within the text, and what is right
//! has formulas that print.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/requirement/tests/support/mod.rs"]
mod support;

fuzz_target!(|text: &str| support::check_sentence(text));
