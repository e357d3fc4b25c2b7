//! Text in, lossless trees out.
//!
//! One module per input language ([`fretish`], [`sysreq`], [`formula`]) over shared parts: a lexer, a tree that keeps every byte, and
//! a parser that never fails. Programs in [`lustre`] have their own arena. Every error is a [`Diagnostic`]; the codes that parsers
//! report are in [`codes`].
//!
//! Invariants: parsing any text returns a tree and a list of diagnostics and never panics; the concatenated tokens of a tree are the
//! text; nesting is limited, so nothing downstream can overflow the stack.

mod ast;
pub mod codes;
mod expression;
pub mod formula;
pub mod fretish;
mod kind;
mod lexer;
pub mod lustre;
mod nearest;
mod parser;
mod phrases;
pub mod sysreq;
mod tree;
mod word;

pub use ast::{Expr, Infix, quoted_if_needed};
pub use diagnostics::{Code, Diagnostic, Hint, Severity, Span};
pub use kind::Kind;
pub use nearest::nearest;
pub use phrases::{NotAPhrase, Phrases};
pub use tree::{NodeRef, Tree};
pub use word::{Word, number_word};

/// A sentence or formula longer than this many bytes is rejected with [`codes::TOO_LONG`].
pub const MAX_BYTES: usize = 1 << 20;

/// Expressions nested deeper than this are rejected with [`codes::TOO_DEEP`].
pub const MAX_DEPTH: u32 = 200;

/// The result of every parser: the tree of the whole text, and its diagnostics.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The lossless tree.
    pub tree: Tree,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}
