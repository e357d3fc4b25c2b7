//! What can happen and what is wrong: an exploration of all reachable states, findings with scenarios, and where the readings differ.

pub mod compare;
pub(crate) mod completeness;
pub mod explore;
pub mod findings;
pub mod report;
pub mod scenario;

mod consistency;
mod cube;
mod reachability;
mod resets;
mod values;
