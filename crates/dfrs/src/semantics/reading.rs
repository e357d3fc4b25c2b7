//! How a symbolic system is to be read: three readings of what "previous value" and "stable" mean, and two of time.
//!
//! The paper (section 4) is read to the letter by [`Reading::Literal`]. Its Coq mechanisation is [`Reading::Current`].
//! [`Reading::Synchronous`] is the one under which the public examples are deterministic, and the default.

/// What the previous value of an output is, and which reactions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Reading {
    /// A: an assignment moves the current value of an output to the previous one; a reaction counts if it changes anything at all.
    Literal,
    /// B: like A, but a reaction counts only if it changes a current value or resets a timer that runs.
    Current,
    /// C: the previous value of an output is the one before the last delay; a reaction counts if it changes an output, or if
    /// it has no output and resets a timer that runs.
    #[default]
    Synchronous,
}

impl Reading {
    /// All of them.
    pub const ALL: [Reading; 3] = [Reading::Literal, Reading::Current, Reading::Synchronous];

    /// The letter that names it.
    pub fn letter(self) -> char {
        match self {
            Reading::Literal => 'A',
            Reading::Current => 'B',
            Reading::Synchronous => 'C',
        }
    }
}

/// Which delays there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Clock {
    /// Integers from 1.
    #[default]
    Discrete,
    /// All positive numbers.
    Dense,
}

/// A reading and a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Semantics {
    /// What counts as a reaction.
    pub reading: Reading,
    /// Which delays there are.
    pub clock: Clock,
}

impl Semantics {
    /// A reading in discrete time.
    pub fn discrete(reading: Reading) -> Semantics {
        Semantics { reading, clock: Clock::Discrete }
    }

    /// A reading in dense time.
    pub fn dense(reading: Reading) -> Semantics {
        Semantics { reading, clock: Clock::Dense }
    }
}
