//! Drawings of a [`Picture`](timeline::picture::Picture): what a formula allows, as lines of time from left to right.
//!
//! `plan` prints the conditions; `layout` and `page` give every part its position in a `scene`, which [`svg()`],
//! [`png()`] and [`tikz()`] draw. [`text()`] is for a terminal and [`dot()`] for Graphviz.
//!
//! Every drawing shows a loop once, with its count, and every way to skip something as a line of its own. A picture
//! that cannot be drawn is an [`Undrawable`], never a drawing that leaves something out.

mod dot;
mod example;
mod label;
mod layout;
mod page;
mod plan;
#[cfg(feature = "png")]
mod png;
mod scene;
mod svg;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
mod tikz;

pub use dot::dot;
#[cfg(feature = "png")]
pub use png::png;
pub use svg::svg;
pub use text::text;
pub use tikz::tikz;

use logic::Unsupported;
use std::fmt;

/// Why a picture cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undrawable {
    /// Pieces are nested deeper than this.
    Deep {
        /// The deepest nesting that is drawn.
        limit: usize,
    },
    /// There are more pieces than this.
    Large {
        /// The largest number of pieces that is drawn.
        limit: usize,
    },
    /// A condition is longer than this.
    Long {
        /// The largest number of characters of a condition.
        limit: usize,
    },
    /// There would be more pixels than this.
    Pixels {
        /// The largest number of pixels that is drawn.
        limit: u64,
    },
    /// A condition is not about a single step.
    Condition(Unsupported),
}

impl fmt::Display for Undrawable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undrawable::Deep { limit } => write!(f, "the timeline is nested deeper than {limit} levels"),
            Undrawable::Large { limit } => write!(f, "the timeline has more than {limit} pieces"),
            Undrawable::Long { limit } => write!(f, "a condition has more than {limit} characters"),
            Undrawable::Pixels { limit } => write!(f, "the timeline needs more than {limit} pixels"),
            Undrawable::Condition(unsupported) => unsupported.fmt(f),
        }
    }
}

impl std::error::Error for Undrawable {}
