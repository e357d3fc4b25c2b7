//! Settings with their expected verdicts, in the languages of those who want to replay them.
//!
//! - [`csv`]: one row per setting and template
//! - [`smv`]: models for NuSMV and nuXmv, one per setting, and one that compares past and future on all traces
//! - [`lustre`]: streaming monitors for Kind 2 and other readers of Lustre, and the inputs of a setting
//!
//! Invariant: every name that is written is legal in its language and none of its reserved words.

pub mod csv;
pub mod lustre;
pub mod smv;

use requirement::Key;

/// How the four atoms are called where a trace is given: in capitals, as in the paper's listing; `mode` and `cond` are reserved
/// words of Kind 2.
const SIGNALS: [&str; 4] = ["MODE", "COND", "STOP", "RES"];

/// The name of a template as an identifier of any language: `in_regular_within`.
pub fn identifier(key: &Key) -> String {
    key.to_string().replace(',', "_")
}
