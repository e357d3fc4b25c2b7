//! Sets of requirements judged together: can any implementation satisfy all of them, whatever the environment does?

mod arena;
mod fixpoint;
mod game;
mod linear;
mod quantify;
mod set;
mod solve;
mod verdict;

pub use fixpoint::Budget;
pub use game::{Component, Game, Guarantee, Order};
pub use set::{Member, NotPlayed, Set, game};
pub use solve::{Outcome, decide};
pub use verdict::Gap;
