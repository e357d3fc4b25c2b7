//! Systems as text for other tools: Lustre as Kind 2 reads it, with a table of what its names stand for.
//!
//! A system becomes one node: state is a definition with `->` and `pre`, an assumption an assertion, a property a
//! `--%PROPERTY`; requirements stay contracts of their own, which the node imports. An expression that is used more
//! than once is a local variable, so the text grows with the system and not with its unfolding.

mod expression;
mod lustre;

pub use lustre::lustre;

/// A Lustre program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The program.
    pub text: String,
    /// Each name of an input, state or output in it, and the name that the system has for it.
    pub names: Vec<(String, String)>,
}

/// A contract that the node imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    /// The text that declares it.
    pub text: String,
    /// Its name.
    pub name: String,
    /// For each of its inputs a signal of the system.
    pub inputs: Vec<String>,
    /// For each of its outputs a signal of the system.
    pub outputs: Vec<String>,
}

/// What Lustre has no word for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritable(pub String);

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lustre cannot express {}", self.0)
    }
}
