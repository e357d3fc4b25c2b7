//! The characters of a picture in a terminal: one table for Unicode, one for ASCII.

/// The characters of a picture.
pub(super) struct Signs {
    /// The line of time.
    pub(super) line: &'static str,
    /// Where a line is cut and goes on.
    pub(super) cut: &'static str,
    /// Where lines part of which one is taken, by what they touch: see [`joint`].
    pub(super) one: Joints,
    /// Where lines part that are all taken.
    pub(super) all: Joints,
    /// The same in the legend.
    pub(super) one_sign: &'static str,
    pub(super) all_sign: &'static str,
    /// Brackets: left and right; of each the top, the middle, the bottom, and the only one.
    pub(super) step: Brackets,
    pub(super) repeat: Brackets,
    pub(super) forever: Brackets,
    /// What stands behind the brackets for ever.
    pub(super) for_ever: &'static str,
    /// How a condition is written.
    pub(super) spell: fn(&str) -> String,
}

/// Characters where lines meet.
pub(super) type Joints = [char; 16];
/// Brackets: left and right; of each the top, the middle, the bottom, and the only one.
pub(super) type Brackets = [[char; 4]; 2];

/// The character with lines into these directions.
pub(super) fn joint(joints: &Joints, up: bool, down: bool, left: bool, right: bool) -> char {
    joints[usize::from(up) * 8 + usize::from(down) * 4 + usize::from(left) * 2 + usize::from(right)]
}

/// Box-drawing characters.
pub(super) const UNICODE: Signs = Signs {
    line: "─",
    cut: "⋯",
    one: [' ', '─', '─', '─', '│', '┌', '┐', '┬', '│', '└', '┘', '┴', '│', '├', '┤', '┼'],
    all: [' ', '─', '─', '─', '║', '╓', '╖', '╥', '║', '╙', '╜', '╨', '║', '╟', '╢', '╫'],
    one_sign: "┬├└",
    all_sign: "╥╟╙",
    step: [['⎛', '⎜', '⎝', '('], ['⎞', '⎟', '⎠', ')']],
    repeat: [['⎡', '⎢', '⎣', '['], ['⎤', '⎥', '⎦', ']']],
    forever: [['╔', '║', '╚', '⟨'], ['╗', '║', '╝', '⟩']],
    for_ever: "∞",
    spell: str::to_owned,
};

/// For terminals and files that know nothing else; only the user's own names may have other characters.
pub(super) const ASCII: Signs = Signs {
    line: "-",
    cut: "...",
    one: [' ', '-', '-', '-', '|', '+', '+', '+', '|', '+', '+', '+', '|', '+', '+', '+'],
    all: [' ', '-', '-', '-', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#'],
    one_sign: "+",
    all_sign: "#",
    step: [['/', '|', '\\', '('], ['\\', '|', '/', ')']],
    repeat: [['['; 4], [']'; 4]],
    forever: [['{'; 4], ['}'; 4]],
    for_ever: " for ever",
    spell: ascii,
};

fn ascii(text: &str) -> String {
    let word = |c: char| match c {
        '¬' => "!".to_owned(),
        '∧' => "&".to_owned(),
        '∨' => "|".to_owned(),
        '→' => "->".to_owned(),
        '↔' => "<->".to_owned(),
        '⊕' => "xor".to_owned(),
        '≤' => "<=".to_owned(),
        '≥' => ">=".to_owned(),
        '≠' => "!=".to_owned(),
        '·' => "*".to_owned(),
        '⊥' => "false".to_owned(),
        '⊤' => "true".to_owned(),
        '×' => "x".to_owned(),
        '∞' => "*".to_owned(),
        _ => c.to_string(),
    };
    text.chars().map(word).collect()
}
