//! The colours and letters of a drawing: light, dark where the reader's screen is dark, light on paper.
//!
//! A drawing has classes only, all below one class of its own, so that it can be put into a page as it is. Text
//! has a contrast of at least 4.5 and shapes one of at least 3 (WCAG 2.1, 1.4.3 and 1.4.11).

use std::fmt::Write;

/// The class of the whole drawing.
pub(super) const ROOT: &str = "shall-scene";

/// A colour on a light and on a dark ground.
pub(crate) struct Shade {
    /// On a light ground.
    pub(crate) light: &'static str,
    /// On a dark ground.
    pub(crate) dark: &'static str,
}

pub(crate) const PAPER: Shade = Shade { light: "#ffffff", dark: "#11161c" };
pub(crate) const BAND: Shade = Shade { light: "#edf2f9", dark: "#1b2430" };
pub(crate) const GRID: Shade = Shade { light: "#dfe4ea", dark: "#2a333e" };
pub(crate) const INK: Shade = Shade { light: "#18212b", dark: "#e8edf3" };
pub(crate) const MUTED: Shade = Shade { light: "#55606d", dark: "#a3afbc" };
pub(crate) const SIGNAL: Shade = Shade { light: "#5b6878", dark: "#95a3b4" };
pub(crate) const SIGNAL_FILL: Shade = Shade { light: "#c9d1db", dark: "#3d4957" };
pub(crate) const TRIGGER: Shade = Shade { light: "#a04a06", dark: "#f2b366" };
pub(crate) const MUST: Shade = Shade { light: "#1d5bb8", dark: "#79b0fa" };
pub(crate) const ON_MUST: Shade = Shade { light: "#ffffff", dark: "#0b1520" };
pub(crate) const NEVER: Shade = Shade { light: "#b02a1d", dark: "#f7988a" };
pub(crate) const ONCE: Shade = Shade { light: "#0b6b60", dark: "#57cbb9" };

/// Which colour each class has, and for what.
const COLOURS: [(&str, &str, &Shade); 17] = [
    ("paper", "fill", &PAPER),
    ("band", "fill", &BAND),
    ("grid", "stroke", &GRID),
    ("axis", "stroke", &MUTED),
    ("tip", "fill", &MUTED),
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("wave", "stroke", &SIGNAL),
    ("high", "fill", &SIGNAL_FILL),
    ("trigger", "fill", &TRIGGER),
    ("guide", "stroke", &TRIGGER),
    ("must", "fill", &MUST),
    ("on-must", "fill", &ON_MUST),
    ("never", "fill", &NEVER),
    ("never-line", "stroke", &NEVER),
    ("once", "fill", &ONCE),
    ("once-line", "stroke", &ONCE),
];

/// The letters of each kind of text.
pub(crate) const LETTERS: [(&str, &str); 8] = [
    ("text", "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"),
    (".code", "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"),
    (".title", "font-size:18px;font-weight:600"),
    (".label", "font-size:13px"),
    (".small", "font-size:11px"),
    (".note", "font-size:12px;font-weight:600"),
    (".body", "font-size:14px"),
    (".legend", "font-size:12px"),
];

/// The lines of a scene.
const LINES: [(&str, &str); 4] = [
    (".grid,.axis", "fill:none;stroke-width:1"),
    (".wave,.once-line", "fill:none;stroke-width:1.5;stroke-linejoin:round"),
    (".never-line", "fill:none;stroke-width:1.25"),
    (".guide", "fill:none;stroke-width:1.25;stroke-dasharray:2 4"),
];

/// The style sheet of a scene.
pub(super) fn sheet() -> String {
    let forms: Vec<(&str, &str)> = LETTERS.into_iter().chain(LINES).collect();
    sheet_of(ROOT, &forms, &COLOURS)
}

/// What drawings of signals have in common.
pub(crate) const SIGNAL_COLOURS: [(&str, &str, &Shade); 8] = [
    ("paper", "fill", &PAPER),
    ("band", "fill", &BAND),
    ("grid", "stroke", &GRID),
    ("axis", "stroke", &MUTED),
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("input", "stroke", &SIGNAL),
    ("output", "stroke", &MUST),
];

/// A style sheet for everything below a class: forms by selector, and a colour for a property of a class.
pub(crate) fn sheet_of(root: &str, forms: &[(&str, &str)], colours: &[(&str, &str, &Shade)]) -> String {
    let mut css = String::new();
    for (selectors, form) in forms {
        let all: Vec<String> = selectors.split(',').map(|selector| format!(".{root} {selector}")).collect();
        let _ = writeln!(css, "{}{{{form}}}", all.join(","));
    }
    let colours = |pick: fn(&Shade) -> &'static str| {
        colours.iter().fold(String::new(), |mut css, (class, property, shade)| {
            let _ = writeln!(css, ".{root} .{class}{{{property}:{}}}", pick(shade));
            css
        })
    };
    css += &colours(|shade| shade.light);
    let _ = write!(css, "@media screen and (prefers-color-scheme:dark){{\n{}}}", colours(|shade| shade.dark));
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of `#rrggbb`, as WCAG 2.1 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).expect("two hexadecimal digits");
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn check(front: &Shade, ground: &Shade, least: f64) {
        for (front, ground) in [(front.light, ground.light), (front.dark, ground.dark)] {
            let (a, b) = (luminance(front) + 0.05, luminance(ground) + 0.05);
            let contrast = a.max(b) / a.min(b);
            assert!(contrast >= least, "{front} on {ground}: {contrast:.2}");
        }
    }

    #[test]
    fn contrast_is_enough() {
        for ground in [&PAPER, &BAND] {
            [&INK, &MUTED, &TRIGGER, &NEVER, &ONCE].iter().for_each(|text| check(text, ground, 4.5));
            [&SIGNAL, &MUST].iter().for_each(|shape| check(shape, ground, 3.0));
        }
        check(&ON_MUST, &MUST, 4.5);
    }

    #[test]
    fn the_sheet_needs_no_escapes() {
        assert!(!sheet().contains(['<', '&', '>']));
    }
}
