//! Timelines: what a temporal formula allows, as ω-regular expressions and as pictures (Li, Gurushankar, Heule, Rozier, "What's in
//! a Name? Linear Temporal Logic Literally Represents Time Lines").
//!
//! - [`mod@expression`]: expressions, hash-consed; [`measure`]: how large they are
//! - [`eliminate`]: from automata to expressions; [`positions`]: from expressions back to automata
//! - [`rules`], [`within`](mod@within), [`simplify`](mod@simplify): rewriting by shape; by meaning too in [`draw`]
//! - [`decompose`]: alternatives and lanes; [`mod@timeline`]: all of it together, [`draw`] is the way in
//! - [`mod@picture`]: what is drawn; [`paint`]: from expressions to pictures
//! - [`text`]: expressions as text; [`guard`]: guards as formulas
//! - with the feature `testing`: `check`, whether languages are the same, and `parse`, which reads expressions
//!
//! Invariants: rewriting keeps the language, and what is drawn is compared with its automaton again; limits are values and count
//! work, never time; the same formula always gives the same picture.
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

#[cfg(any(test, feature = "testing"))]
pub mod check;
pub mod decompose;
pub mod eliminate;
pub mod expression;
pub mod guard;
pub mod limit;
pub mod measure;
pub mod paint;
#[cfg(any(test, feature = "testing"))]
pub mod parse;
pub mod picture;
pub mod positions;
pub mod rules;
pub mod simplify;
pub mod text;
pub mod timeline;
pub mod within;

mod candidates;
mod example;
mod factor;
mod graph;
mod inclusion;
mod machine;
mod product;
mod search;
#[cfg(test)]
mod testing;
mod translation;
mod variants;

pub use eliminate::Words;
pub use expression::{Expr, Expressions, Node};
pub use guard::guard_formula;
pub use limit::{Budget, Fuel, Limit};
pub use measure::Measure;
pub use paint::picture;
pub use positions::to_buchi;
pub use timeline::{Statistics, Timeline, draw, expression};
