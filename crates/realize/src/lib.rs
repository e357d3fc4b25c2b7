//! Sets of requirements judged together: can any implementation satisfy all of them, whatever the environment does?

mod arena;
mod certificate;
mod conflicts;
mod express;
mod fixpoint;
mod game;
mod ladder;
mod linear;
mod play;
mod quantify;
mod repair;
mod report;
mod set;
mod solve;
mod verdict;

pub use certificate::{Strategy, Unchecked};
pub use conflicts::{Conflict, Conflicts, conflicts};
pub use fixpoint::Budget;
pub use game::{Component, Game, Guarantee, Order};
pub use ladder::{Answer, Ladder, Trigger, is_redundant, ladder};
pub use play::Play;
pub use repair::{Conflicting, Repair, repairs};
pub use report::{Config, FoundConflict, Judged, report};
pub use set::{Member, NotPlayed, Set, game};
pub use solve::{Judgement, Outcome, decide, judge};
pub use verdict::Gap;
