//! The one writer of SVG: elements one per line, text, style sheets, and the document around them.
//!
//! Coordinates are whole pixels. Invariants: text becomes XML only here, so nothing goes unescaped; a drawing has no
//! ids, scripts or references and only classes below one class of its own, so that many drawings fit into one page.

pub(crate) mod measure;
pub(crate) mod style;

use measure::{Face, Line, piece};
use std::fmt::Write;

/// A point.
pub(crate) type Point = (i32, i32);

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

/// Which end of a text its position fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// What the root element of a drawing says about it.
pub(crate) struct Frame<'a> {
    /// The class of the drawing.
    pub(crate) class: &'a str,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// The drawing in a few words.
    pub(crate) title: &'a str,
}

/// The elements of a drawing, as text.
#[derive(Default)]
pub(crate) struct Svg {
    elements: String,
}

impl Svg {
    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, class: &str, rect: Rect, radius: i32) {
        let Rect { x, y, width, height } = rect;
        self.put(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>"#
        ));
    }

    /// A path; `data` are the commands of SVG.
    pub(crate) fn path(&mut self, class: &str, data: &str) {
        self.put(format_args!(r#"<path class="{class}" d="{data}"/>"#));
    }

    /// Several lines through points, in one element.
    pub(crate) fn lines(&mut self, class: &str, lines: &[Vec<Point>]) {
        if !lines.is_empty() {
            let data: Vec<String> = lines.iter().map(|line| through(line)).collect();
            self.path(class, &data.join(" "));
        }
    }

    /// A filled polygon.
    pub(crate) fn shape(&mut self, class: &str, corners: &[Point]) {
        self.path(class, &format!("{} Z", through(corners)));
    }

    /// A line of text on a baseline.
    pub(crate) fn line(&mut self, class: &str, (x, y): Point, anchor: Anchor, line: &Line) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let runs = line.iter().map(|piece| match piece.face {
            Face::Text | Face::Strong => escape(&piece.text),
            Face::Code => format!(r#"<tspan class="code">{}</tspan>"#, escape(&piece.text)),
        });
        let runs: String = runs.collect();
        self.put(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{runs}</text>"#));
    }

    /// Plain text on a baseline.
    pub(crate) fn text(&mut self, class: &str, at: Point, anchor: Anchor, text: &str) {
        self.line(class, at, anchor, &piece(text, Face::Text));
    }

    /// Lines of text below each other; `at` is the start of the first, `height` the distance between baselines.
    pub(crate) fn paragraph(&mut self, class: &str, (x, y): Point, height: i32, lines: &[Line]) {
        for (line, y) in lines.iter().zip((y..).step_by(height.max(1) as usize)) {
            self.line(class, (x, y), Anchor::Start, line);
        }
    }

    /// Elements that belong together, with attributes, and with a title for screen readers and tooltips.
    pub(crate) fn group(
        &mut self,
        attributes: &[(&str, &str)],
        title: Option<&str>,
        draw: impl FnOnce(&mut Svg),
    ) {
        let attributes = attributes.iter().map(|(name, value)| format!(r#" {name}="{}""#, attribute(value)));
        self.put(format_args!("<g{}>", attributes.collect::<String>()));
        if let Some(title) = title {
            self.put(format_args!("<title>{}</title>", escape(title)));
        }
        draw(self);
        self.put(format_args!("</g>"));
    }

    /// The drawing as an element of a page that has the style sheet already.
    pub(crate) fn inline(self, frame: &Frame) -> String {
        self.document("", frame, "")
    }

    /// The drawing as a file of its own, with a description in words and its style sheet.
    pub(crate) fn file(self, frame: &Frame, description: &str, sheet: &str) -> String {
        let head = format!("<desc>{}</desc>\n<style>\n{sheet}\n</style>\n", escape(description));
        self.document(r#" xmlns="http://www.w3.org/2000/svg""#, frame, &head)
    }

    fn document(self, namespace: &str, frame: &Frame, head: &str) -> String {
        let (Frame { class, width, height, title }, elements) = (frame, self.elements);
        format!(
            r#"<svg{namespace} class="{class}" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{}</title>
{head}{elements}</svg>
"#,
            escape(title),
        )
    }

    fn put(&mut self, element: std::fmt::Arguments) {
        let _ = writeln!(self.elements, "{element}");
    }
}

/// Text as XML 1.0: white space and line ends become spaces, characters that XML forbids are dropped.
pub fn escape(text: &str) -> String {
    let kept = |c: char| match c {
        '\t' | '\n' | '\r' => Some(' '),
        '\u{7f}'..='\u{9f}' => None,
        c => Some(c).filter(|&c| base::xml::is_allowed(c)),
    };
    base::xml::escape(text.chars().filter_map(kept), &['"', '\''])
}

/// The value of an attribute, exact except for characters that XML forbids.
fn attribute(text: &str) -> String {
    let reference = |c: char| match c {
        '\t' | '\n' | '\r' => format!("&#{};", u32::from(c)),
        _ => escape(c.encode_utf8(&mut [0; 4])),
    };
    text.chars().map(reference).collect()
}

fn through(points: &[Point]) -> String {
    let steps =
        points.iter().enumerate().map(|(k, (x, y))| format!("{}{x} {y}", if k == 0 { "M" } else { "L" }));
    steps.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_xml() {
        for (text, expected) in [
            ("a < b & c > \"d\"", "a &lt; b &amp; c &gt; &quot;d&quot;"),
            ("it's", "it&#39;s"),
            ("]]>", "]]&gt;"),
            ("a\u{0}\u{1b}\u{7f}\u{fffe}b", "ab"),
            ("a\tb\r\nc", "a b  c"),
            ("速度 ≥ 3 🚀", "速度 ≥ 3 🚀"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }
}
