//! What an analysis tells while it works. The library reads no clock: whoever listens can measure.

/// Something happened. Properties are named by their places; several may be under way at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// Work on a property begins; it may begin twice, quickly first.
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
    /// Work goes on; this is told very often.
    Depth {
        /// The property.
        property: usize,
        /// In so many first steps it is known not to fail.
        depth: usize,
    },
    /// Work on a property ends, for now.
    Ends {
        /// The property.
        property: usize,
        /// Whether it is decided.
        decided: bool,
    },
}
