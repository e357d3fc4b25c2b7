//! The characters of a drawing in a terminal: one table for Unicode, one for ASCII.

/// The characters of a drawing.
pub(super) struct Glyphs {
    /// A step at which a signal is false.
    pub(super) low: char,
    /// A step at which a signal is true, or must be.
    pub(super) high: char,
    /// A step at which nothing is said.
    pub(super) nothing: char,
    /// A step at which the response must not hold.
    pub(super) forbidden: char,
    /// Start, line and end of a stretch.
    pub(super) stretch: [char; 3],
    /// Start, line and end of a stretch of which one step counts.
    pub(super) choice: [char; 3],
    /// Start, line and end of a duration.
    pub(super) duration: [char; 3],
    /// A trigger.
    pub(super) trigger: char,
    /// A step of a choice at which the response holds.
    pub(super) once: char,
    /// A step of a choice at which it does not.
    pub(super) once_not: char,
    /// A step on the time axis, the line, and the arrow at its end.
    pub(super) axis: [char; 3],
    /// Where a label was cut.
    pub(super) ellipsis: &'static str,
}

/// Blocks and box-drawing characters.
pub(super) const UNICODE: Glyphs = Glyphs {
    low: '▁',
    high: '█',
    nothing: '·',
    forbidden: '░',
    stretch: ['├', '─', '┤'],
    choice: ['├', '╌', '┤'],
    duration: ['└', '─', '┘'],
    trigger: '▲',
    once: '◆',
    once_not: '◇',
    axis: ['┬', '─', '▶'],
    ellipsis: "…",
};

/// For terminals and files that know nothing else.
pub(super) const ASCII: Glyphs = Glyphs {
    low: '_',
    high: '#',
    nothing: '.',
    forbidden: '/',
    stretch: ['|', '=', '|'],
    choice: ['|', '-', '|'],
    duration: ['|', '-', '|'],
    trigger: '^',
    once: '*',
    once_not: 'o',
    axis: ['+', '-', '>'],
    ellipsis: "...",
};
