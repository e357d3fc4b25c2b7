//! Codes and what the manual says about them.

use std::fmt;

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text has no meaning until this is fixed.
    Error,
    /// The text has a meaning, perhaps not the intended one.
    Warning,
}

impl Severity {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A kind of diagnostic: `E…` for errors, `W…` for warnings. [`codes!`](crate::codes) declares them; their ids order them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static Entry);

/// The manual entry of a code.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The code as it is printed, such as `E0101`.
    pub id: &'static str,
    /// The name of its constant, such as `MISSING_SHALL`.
    pub constant: &'static str,
    /// What it means, in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// An example that has this diagnostic.
    pub wrong: &'static str,
    /// The example without it.
    pub right: &'static str,
}

impl Code {
    /// The code of an entry.
    pub const fn new(entry: &'static Entry) -> Code {
        Code(entry)
    }

    /// What the manual says about it.
    pub fn entry(self) -> &'static Entry {
        self.0
    }

    /// The code as it is printed.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// Its name in one word, such as `MissingShall`.
    pub fn name(self) -> String {
        let words = self.0.constant.split('_').filter_map(|word| word.split_at_checked(1));
        words.map(|(head, tail)| format!("{head}{}", tail.to_lowercase())).collect()
    }

    /// How serious diagnostics with this code are.
    pub fn severity(self) -> Severity {
        if self.id().starts_with('E') { Severity::Error } else { Severity::Warning }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.id(), self.0.constant)
    }
}

/// Declares codes, and the list `CODES` of all of them.
///
/// Each one has a constant, an id and a summary; then why it matters; then a wrong example and how it is right.
///
/// ```
/// diagnostics::codes! {
///     MISSING_SHALL "E0101" "A requirement needs the word `shall`.",
///         "`shall` is what makes a sentence a requirement.",
///         "the pump always satisfy on" => "the pump shall always satisfy on";
/// }
/// assert_eq!(MISSING_SHALL.name(), "MissingShall");
/// assert_eq!(CODES, [MISSING_SHALL]);
/// # use shall_diagnostics as diagnostics;
/// ```
#[macro_export]
macro_rules! codes {
    ($($constant:ident $id:literal $summary:literal, $why:literal, $wrong:literal => $right:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $constant: $crate::Code = $crate::Code::new(&$crate::Entry {
                id: $id,
                constant: stringify!($constant),
                summary: $summary,
                why: $why,
                wrong: $wrong,
                right: $right,
            });
        )*

        /// All codes that are declared here.
        pub const CODES: &[$crate::Code] = &[$($constant),*];
    };
}
