//! Progress of an analysis. The library reads no clock; the listener can.

/// A progress event. Several properties may be in progress at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Work on a property begins; it may begin a second time, with more effort.
    Begins {
        /// The property.
        property: usize,
    },
    /// An engine starts.
    Engine {
        /// The property.
        property: usize,
        /// Its name.
        engine: &'static str,
    },
    /// Work continues; reported very often.
    Depth {
        /// The property.
        property: usize,
        /// The number of initial steps in which it is known not to fail.
        depth: usize,
    },
    /// Work on a property ends, possibly to be resumed.
    Ends {
        /// The property.
        property: usize,
        /// Whether it is decided.
        decided: bool,
    },
}
