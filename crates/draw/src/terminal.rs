//! Text in a terminal: how many columns it takes, and how to fit it into a width.
//!
//! Widths follow the blocks of Unicode Standard Annex #11 (East Asian Width): wide letters take two columns,
//! combining marks none, everything else one.

/// The number of columns that a text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// The text on one line; each run of white space and control characters becomes one space.
pub fn plain(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text if it fits, otherwise its beginning with an ellipsis; at most `limit` columns.
pub fn shorten(text: &str, limit: usize, ellipsis: &str) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let mut room = limit.saturating_sub(columns(ellipsis));
    let mut short = String::new();
    for c in text.chars() {
        match room.checked_sub(width(c)) {
            Some(rest) => room = rest,
            None => break,
        }
        short.push(c);
    }
    short.truncate(short.trim_end().len());
    short + ellipsis
}

/// The text followed by spaces up to a width.
pub fn pad_right(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text preceded by spaces up to a width.
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

fn width(c: char) -> usize {
    const NONE: [(u32, u32); 8] = [
        (0x0300, 0x036F),
        (0x1AB0, 0x1AFF),
        (0x1DC0, 0x1DFF),
        (0x200B, 0x200F),
        (0x20D0, 0x20FF),
        (0xFE00, 0xFE0F),
        (0xFE20, 0xFE2F),
        (0xE0100, 0xE01EF),
    ];
    const TWO: [(u32, u32); 11] = [
        (0x1100, 0x115F),
        (0x2E80, 0x303E),
        (0x3041, 0xA4CF),
        (0xAC00, 0xD7A3),
        (0xF900, 0xFAFF),
        (0xFE30, 0xFE6F),
        (0xFF00, 0xFF60),
        (0xFFE0, 0xFFE6),
        (0x1F300, 0x1F64F),
        (0x1F900, 0x1F9FF),
        (0x20000, 0x3FFFD),
    ];
    let within = |blocks: &[(u32, u32)]| blocks.iter().any(|&(lo, hi)| (lo..=hi).contains(&u32::from(c)));
    if within(&NONE) {
        0
    } else if within(&TWO) {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_columns() {
        // The same text in less and less room.
        for (text, shorter) in [
            ("altitude", &[(8, "altitude"), (7, "altitu…"), (0, "…")][..]),
            ("speed > 3", &[(7, "speed…")]),
            ("速度高い", &[(8, "速度高い"), (6, "速度…")]),
            ("e\u{301}tat", &[(4, "e\u{301}tat")]),
            ("", &[(0, "")]),
        ] {
            for &(limit, expected) in shorter {
                let short = shorten(text, limit, "…");
                assert_eq!(short, expected);
                assert!(columns(&short) <= limit.max(1));
            }
        }
    }

    #[test]
    fn one_line_stays_one_line() {
        for (text, expected) in [("a  \n b", "a b"), ("\u{7}a\u{1b}[31m", "a [31m"), ("", ""), (" a ", "a")] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(pad_left("速", 4), "  速");
        assert_eq!(pad_right("速", 4), "速  ");
        assert_eq!(pad_right("altitude", 4), "altitude");
    }
}
