//! Requirements that come from other tools and go to them: the bridge between documents and the formats of `exchange` and `export`.

mod fret;
mod merge;
mod sheets;
mod specification;

pub use fret::{from_fret, to_fret};
pub use merge::{Incoming, Merge, Received, merge};
pub use sheets::{Unwritten, from_records, to_records};
pub use specification::{CODES, LeftOut, left_out, specification};
