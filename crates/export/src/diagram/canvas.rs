//! SVG elements, written one per line. The only place where text becomes XML, so that nothing goes unescaped.

use super::measure::{Face, Line};
use std::fmt::Write;

/// A drawing under way; coordinates are whole pixels.
#[derive(Default)]
pub(crate) struct Canvas {
    svg: String,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

/// Which end of a text its place fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A point.
pub(crate) type Point = (i32, i32);

impl Canvas {
    /// A rectangle with slightly rounded corners.
    pub(crate) fn rect(&mut self, class: &str, rect: Rect, radius: i32) {
        let Rect { x, y, width, height } = rect;
        self.put(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>"#
        ));
    }

    /// Lines through points, several of them in one element.
    pub(crate) fn lines(&mut self, class: &str, lines: &[Vec<Point>]) {
        if !lines.is_empty() {
            let data: Vec<String> = lines.iter().map(|line| through(line)).collect();
            self.put(format_args!(r#"<path class="{class}" d="{}"/>"#, data.join(" ")));
        }
    }

    /// A filled shape.
    pub(crate) fn shape(&mut self, class: &str, corners: &[Point]) {
        self.put(format_args!(r#"<path class="{class}" d="{} Z"/>"#, through(corners)));
    }

    /// A line of text on a baseline.
    pub(crate) fn text(&mut self, class: &str, (x, y): Point, anchor: Anchor, line: &Line) {
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

    /// Elements that belong together, with words for those who listen.
    pub(crate) fn group(&mut self, title: &str, draw: impl FnOnce(&mut Canvas)) {
        self.put(format_args!("<g>\n<title>{}</title>", escape(title)));
        draw(self);
        self.put(format_args!("</g>"));
    }

    /// The elements written so far.
    pub(crate) fn finish(self) -> String {
        self.svg
    }

    fn put(&mut self, element: std::fmt::Arguments) {
        let _ = writeln!(self.svg, "{element}");
    }
}

/// A whole file: a drawing of a size, with its title, words for those who listen, and a style sheet for its class.
pub(crate) fn document(
    class: &str,
    (width, height): (i32, i32),
    [title, words]: [&str; 2],
    sheet: &str,
    drawing: &str,
) -> String {
    let (title, words) = (escape(title), escape(words));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="{class}" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{title}</title>
<desc>{words}</desc>
<style>
{sheet}
</style>
{drawing}</svg>
"#
    )
}

/// Text as XML 1.0: white space and line ends become spaces, characters that XML forbids are dropped.
pub(crate) fn escape(text: &str) -> String {
    let held = |c: char| match c {
        '\t' | '\n' | '\r' => Some(' '),
        '\u{7f}'..='\u{9f}' => None,
        c => Some(c).filter(|&c| base::xml::is_allowed(c)),
    };
    base::xml::escape(text.chars().filter_map(held), &['"', '\''])
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
