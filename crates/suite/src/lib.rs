//! Tests from requirements: what tests must show, few short tests that show it, and what cannot be shown.
//!
//! - [`obligations`](obligations()): what the tests of a requirement must show, from its definition; [`flip`]: where one atom decides
//! - [`suite`](suite()): tests that satisfy every requirement, meet every obligation and tell every requirement from its mutants
//! - [`Coverage`]: which obligations a trace meets, step by step
//! - [`force`](force()): inputs that make every correct system show something; [`rehearse`](rehearse()): these tried on correct systems
//! - [`attempt`]: a test against a [`Subject`]
//!
//! Invariants: every test satisfies all requirements and assumptions, by the definitions of the language; what was not found is
//! unreachable only if a search of all runs says so, and otherwise unknown; the same requirements have the same tests.

mod determine;
mod evaluate;
pub mod flip;
mod forbid;
mod force;
mod group;
mod obligations;
mod rehearse;
mod run;
mod suite;

pub use determine::Expected;
pub use evaluate::Coverage;
pub use force::{Forced, force};
pub use obligations::{Criterion, Mutant, Obligation, mutants, obligations};
pub use rehearse::{Rehearsal, rehearse};
pub use run::{Attempt, Broken, Judges, Named, Subject, Verdict, attempt, defaults, mentioned};
pub use suite::{Config, Fate, Group, Killed, Status, Suite, Test, Violation, suite};
