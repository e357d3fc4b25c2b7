//! Sets of requirements judged together: can any implementation satisfy all of them, whatever the environment does?
//!
//! - [`game()`](game): requirements as a [`Game`] between an environment and a system; [`Game::of_system`]: a model as one
//! - [`decide`], [`judge`]: who wins, with a [`Strategy`] that `engine` checks; [`report`](report()): component by component; [`synthesize`]: a controller whose outputs change only where they must, with what the requirements
//!   leave [open](Freedom)
//! - [`conflicts`](conflicts()): minimal sets that cannot be satisfied together; [`repairs`]: ways out, each of them tried
//! - [`Position`]: a point of a play, for people who play; [`ladder`](ladder()): vacuous triggers, dead ends, redundant requirements
//! - [`walk`](walk()): shortest runs of correct systems to a goal, or that there are none
//!
//! `answer` leaves out what can always be satisfied, `arena` turns a game into decision diagrams, `quantify` eliminates numbers, `fixpoint` computes winning regions, `approximate` finds some of them in simpler games, `express` turns diagrams
//! back into expressions. Invariants: a limit that is reached is a [`Gap`] and never a verdict; no verdict depends on rounding.

mod answer;
mod approximate;
mod arena;
mod certificate;
mod conflicts;
mod express;
mod fixpoint;
mod freedom;
mod game;
mod ladder;
mod linear;
mod play;
mod position;
mod quantify;
mod repair;
mod report;
mod set;
mod solve;
mod verdict;
mod walk;

pub use certificate::{Strategy, Unchecked};
pub use conflicts::{Conflict, Conflicts, conflicts, first_conflict};
pub use fixpoint::Budget;
pub use freedom::Freedom;
pub use game::{Component, Game, Guarantee, Order};
pub use ladder::{Answer, Ladder, Trigger, assumptions_possible, is_redundant, ladder, triggers};
pub use play::Play;
pub use position::{Choice, Demand, Position};
pub use repair::{Change, Conflicting, Due, Repair, due, repairs};
pub use report::{Config, FoundConflict, Judged, report};
pub use set::{Member, NotPlayed, Set, game, game_with};
pub use solve::{Judgement, Outcome, decide, judge, synthesize};
pub use verdict::Gap;
pub use walk::{
    Anything, Correct, Forcing, Known, Memory, Run, Unreachable, Walks, Whole, walk, walk_again, walk_near,
    walk_whole,
};
