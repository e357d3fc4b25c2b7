//! Help while writing: what an editor asks about a position in a document, answered in spans of bytes.
//!
//! - [`locate`](locate()): what is at a position; [`references`](references()): where else it is
//! - [`complete`]: what can be written there; [`hover`](hover()): what it means
//! - [`rename`](rename()): edits that give it another name
//! - [`tokens`](tokens()): sentences in colours; [`outline`], [`find_symbols`]: documents and projects as lists
//!
//! Invariants: any offset of any document has an answer, perhaps none; answers are in a fixed order; nothing is changed.

mod completion;
mod hover;
mod locate;
mod references;
mod rename;
mod symbols;
mod templates;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

pub use completion::{Completion, Item, ItemKind, complete};
pub use hover::{Hover, hover};
pub use locate::{Found, Target, locate};
pub use references::{Reference, Role, definitions, references};
pub use rename::{can_rename, rename};
pub use symbols::{Outline, OutlineKind, WorkspaceSymbol, find_symbols, outline};
pub use templates::{SentenceTemplate, TEMPLATES};
pub use tokens::{MODIFIERS, TYPES, Token, tokens};
