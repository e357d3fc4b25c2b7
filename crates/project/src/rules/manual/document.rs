//! The manual of `E0501` to `E0507`: documents and the project file.

use super::{Entry, row};
use syntax::Code;

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    row(Code::NoId, "Without an id nothing can refer to the requirement: no parent, no test, no report.",
        "## Fill slowly\n\n```fretish\nthe pump shall always satisfy slow\n```",
        "## P-1: Fill slowly\n\n```fretish\nthe pump shall always satisfy slow\n```"),
    row(Code::SeveralSentences, "With one id for two sentences it is open which of them a test or a report means.",
        "## P-1\n\n(two fenced sentences)", "## P-1a\n\n(one)\n\n## P-1b\n\n(the other)"),
    row(Code::BadKind, "The kind says who decides the value; an unknown one says nothing.", "| level | in |", "| level | input |"),
    row(Code::BadType, "The type says which values there are; an unknown one says nothing.",
        "| level | input | number |", "| level | input | real 0..100 |"),
    row(Code::BadConfig, "A project file that cannot be read leaves every setting at its default.", "[project", "[project]\nname = \"Pump\""),
    row(Code::UnknownKey, "A setting with a slip in its name has no effect, and nobody would notice.",
        "[project]\nnam = \"Pump\"", "[project]\nname = \"Pump\""),
    row(Code::BadSetting, "A value that does not fit its setting has no effect, and nobody would notice.",
        "[project]\nstep = \"10\"", "[project]\nstep = \"10 ms\""),
];
