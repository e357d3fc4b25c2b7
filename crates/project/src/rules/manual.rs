//! The manual of codes: why each finding matters, with a wrong and a right example. What it is, the code itself says.
//!
//! Findings about projects have their entries beside their rules; those of the languages are here.

mod document;
mod english;
mod lustre;
mod meaning;
mod text;

use super::{definitions, enumerations, ids, names, ranges, units, variables};
use syntax::Code;

/// What the manual says of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Why it matters.
    pub why: &'static str,
    /// What is found.
    pub wrong: &'static str,
    /// How it can be mended.
    pub right: &'static str,
}

const PARTS: &[&[Entry]] = &[
    text::ENTRIES,
    meaning::ENTRIES,
    english::ENTRIES,
    lustre::ENTRIES,
    document::ENTRIES,
    ids::ENTRIES,
    variables::ENTRIES,
    names::ENTRIES,
    definitions::ENTRIES,
    enumerations::ENTRIES,
    units::ENTRIES,
    ranges::ENTRIES,
    crate::mapping::ENTRIES,
];

/// The entry of a code.
pub fn entry(code: Code) -> Option<&'static Entry> {
    PARTS.iter().copied().flatten().find(|entry| entry.code == code)
}

/// An entry in one line of a table.
const fn row(code: Code, why: &'static str, wrong: &'static str, right: &'static str) -> Entry {
    Entry { code, why, wrong, right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_entry() {
        for &code in Code::ALL {
            let entries = PARTS.iter().copied().flatten().filter(|entry| entry.code == code);
            let found: Vec<&Entry> = entries.collect();
            assert_eq!(found.len(), 1, "{}", code.id());
            let Entry { why, wrong, right, .. } = found[0];
            assert!(why.ends_with('.') && !wrong.is_empty() && !right.is_empty(), "{}", code.id());
            assert_ne!(wrong, right, "{}", code.id());
        }
    }

    #[test]
    fn the_document_lists_the_codes() {
        let document = include_str!("../../../../docs/codes.md");
        let listed: Vec<(&str, &str)> = document
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "))
            .collect();
        let known: Vec<(&str, &str)> = Code::ALL.iter().map(|code| (code.id(), code.summary())).collect();
        assert_eq!(listed, known);
    }
}
