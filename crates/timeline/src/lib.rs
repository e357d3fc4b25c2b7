//! Timelines: what a temporal formula allows, as ω-regular expressions and as pictures (Li, Gurushankar, Heule, Rozier, "What's in
//! a Name? Linear Temporal Logic Literally Represents Time Lines").
//!
//! - [`mod@expression`]: hash-consed expressions: their sizes, their guards as formulas, their text
//! - [`eliminate`]: from automata to expressions; [`language`]: from expressions back to automata, and comparisons
//! - [`simplify`](mod@simplify): syntactic rewriting, with rules as data, and semantic search
//! - [`mod@timeline`]: everything together, with alternatives and lanes; [`draw`] is the entry point
//! - [`mod@picture`]: the pictures, and how they are made from expressions
//! - [`limit`]: when to give up
//! - with the feature `testing`: `check`, which compares languages, and `parse`, which parses expressions
//!
//! Invariants: rewriting preserves the language, and what is drawn is compared with its automaton again; limits are values and count
//! work, never time; the same formula always produces the same picture.
//!
//! ```
//! use logic::{Bound, Store};
//! use shall_timeline::text::{Script, print};
//! use shall_timeline::{Budget, Words, draw};
//! let mut store = Store::default();
//! let [a, b] = ["request", "grant"].map(|name| store.symbol(name)).map(|symbol| store.var(symbol));
//! let granted = store.finally(Bound::ALL, b);
//! let answered = store.implies(a, granted);
//! let formula = store.globally(Bound::ALL, answered);
//! let mut drawn = draw(&mut store, formula, Words::Infinite, Budget::default()).unwrap();
//! let lane = drawn.alternatives[0][0];
//! let text = print(&mut store, &mut drawn.expressions, &drawn.atoms, lane, Script::Ascii).unwrap();
//! assert_eq!(text, "([!request] + [true]* [grant])^w");
//! ```

pub mod eliminate;
pub mod expression;
pub mod language;
pub mod limit;
pub mod picture;
pub mod simplify;
pub mod timeline;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use eliminate::Words;
pub use expression::guard::guard_formula;
pub use expression::measure::Measure;
pub use expression::text;
pub use expression::{Expr, Expressions, Node};
pub use language::positions::to_buchi;
pub use limit::{Budget, Fuel, Limit};
pub use picture::paint::{self, picture};
#[cfg(any(test, feature = "testing"))]
pub use testing::{check, parse};
pub use timeline::{Statistics, Timeline, draw, expression};
