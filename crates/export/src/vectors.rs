//! Test traces with their expected verdicts, in the languages of the tools that replay them.
//!
//! - [`csv`]: one row per setting and template
//! - [`smv`]: models for NuSMV and nuXmv, one per setting, and one that compares past and future formulas on all traces
//! - [`lustre`]: streaming monitors for Kind 2 and other Lustre tools, and the inputs of a setting
//!
//! Invariant: every written name is legal in its language and not a reserved word.

pub mod csv;
pub mod lustre;
pub mod smv;

use requirement::Key;

/// The names of the four atoms in traces: in capitals, as in the paper's listing, because `mode` and `cond` are reserved words
/// of Kind 2.
const SIGNALS: [&str; 4] = ["MODE", "COND", "STOP", "RES"];

/// The name of a template as an identifier of any language: `in_regular_within`.
pub fn identifier(key: &Key) -> String {
    key.to_string().replace(',', "_")
}
