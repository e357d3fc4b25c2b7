//! Libraries that programs expect: the mathematical functions and conversions that CoCoSim's programs include.
//!
//! `sin` and similar functions belong to the pool; the others are written in Lustre here. An existing file of the same name replaces
//! the library, and a node of the program hides one of the library.

/// The contents of a library.
pub(super) struct Library {
    /// Whether it provides `sin`, `cos`, ….
    pub(super) math: bool,
    /// The part written in Lustre.
    pub(super) text: &'static str,
}

/// The prefix of library names among the files of a program.
const PREFIX: &str = "library ";

/// The library for a missing file.
pub(super) fn library(file: &str) -> Option<Library> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = name.strip_suffix(".lus").or(name.strip_suffix(".lusi")).unwrap_or(name);
    match name {
        "lustrec_math" | "lustrec_math_more_precise_abstraction" | "simulink_math_fcn" | "math" => {
            Some(Library { math: true, text: MATH })
        }
        "conv" | "lustrec_conv" => Some(Library { math: false, text: CONVERSIONS }),
        _ => None,
    }
}

/// The name of a library among the files of a program.
pub(super) fn library_name(file: &str) -> String {
    format!("{PREFIX}{file}")
}

/// Whether a file is a library.
pub(super) fn is_library(file: Option<&str>) -> bool {
    file.is_some_and(|name| name.starts_with(PREFIX))
}

const MATH: &str = "
function fabs(x: real) returns (y: real); let y = if x < 0.0 then -x else x; tel
function floor(x: real) returns (y: real); let y = real(int(x)); tel
function ceil(x: real) returns (y: real); let y = -real(int(-x)); tel
function round(x: real) returns (y: real);
let y = if x < 0.0 then -real(int(0.5 - x)) else real(int(x + 0.5)); tel
";

const CONVERSIONS: &str = "
function int_to_real(x: int) returns (y: real); let y = real(x); tel
function real_to_int(x: real) returns (y: int); let y = if x < 0.0 then -int(-x) else int(x); tel
function bool_to_int(x: bool) returns (y: int); let y = if x then 1 else 0; tel
function bool_to_real(x: bool) returns (y: real); let y = if x then 1.0 else 0.0; tel
function int_to_bool(x: int) returns (y: bool); let y = x <> 0; tel
function real_to_bool(x: real) returns (y: bool); let y = x <> 0.0; tel
";
