//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015): the text in which tools exchange automata.
//!
//! Written are Büchi automata with accepting states and generalized ones with marks on edges. Read are automata with these
//! acceptances, also with all or no words accepted, whatever their labels; anything else is refused by name.

mod lexer;
mod reader;
mod writer;

pub use lexer::HoaError;
pub use reader::read;
pub use writer::{write, write_general};
