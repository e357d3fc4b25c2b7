//! Recorded traces of any size: columns read in blocks, and requirements checked on them 64 steps at a time.
//!
//! - [`columns`]: a block of steps, and what its columns are read as
//! - [`reader`]: what every format offers
//! - [`csv`]: separated text, read in pieces
//! - [`vcd`]: value change dumps
//! - `bag`: messages on topics, as robots record them; [`mcap`] and [`rosbag`]: the two formats of ROS 2 bags
//! - [`mdf`]: measurement data (MDF4)
//! - [`merged`]: signals that were sampled at different times
//! - `arrow`: Arrow files and tables in memory, with the feature of that name
//! - `parquet`: Parquet files, with the feature of that name
//! - [`table`]: columns in memory
//! - [`cell`]: values of formats that have types
//! - [`resample`]: a trace on a regular grid
//! - [`deadline`]: durations on the times of uneven samples
//! - [`clock`]: the column of time: order, sampling and gaps
//! - [`summary`]: what a column has; [`overview`]: what is drawn of a long one
//! - [`check`]: requirements on the blocks of a trace: violations, in constant memory
//!
//! Formulas become a list of operations on bits (`program`), which `machine` runs block by block; `bits` has the temporal operators,
//! `atoms` the comparisons, `ranges` those with constants and `arithmetic` those with arithmetic.
//!
//! Invariants: memory does not depend on the length of a trace; no verdict depends on rounding; a cell without a value is never taken
//! for one.

mod arithmetic;
#[cfg(feature = "arrow")]
pub mod arrow;
mod atoms;
mod bag;
mod bits;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod bulk;
pub mod cell;
pub mod check;
pub mod clock;
pub mod columns;
pub mod csv;
pub mod deadline;
mod machine;
pub mod mcap;
pub mod mdf;
pub mod merged;
pub mod overview;
#[cfg(feature = "parquet")]
pub mod parquet;
mod program;
mod ranges;
pub mod reader;
pub mod resample;
pub mod rosbag;
mod sqlite;
pub mod summary;
pub mod table;
pub mod vcd;

pub use check::{Check, Findings, MAX_RUNS, Run};
pub use clock::Clock;
pub use columns::{BLOCK, Bits, Block, Column, Flaw, Input, Kind};
pub use deadline::{Demand, Timed};
pub use overview::{Extent, Marks, Overview};
pub use program::NotPast;
pub use reader::{Malformed, Mark, Reader, Signal, Time, TimeUnit};
pub use resample::{Resampled, Rule};
pub use summary::Summary;
pub use table::{Table, Values};
