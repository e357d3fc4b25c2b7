//! A picture once everything has its position: shapes, texts and groups, in whole pixels.
//!
//! SVG, PNG and TikZ draw the same scene, with the looks of one table. Positions inside a group are relative to the
//! group's own; groups follow the structure of the picture.

use crate::svg::measure::{Face, Line, piece};
use crate::svg::style::{BAND, GRID, INK, MUST, MUTED, ONCE, PAPER, SIGNAL, SIGNAL_FILL, Shade, TRIGGER};
use crate::svg::{Anchor, Point, Rect};

/// A whole drawing.
pub(super) struct Scene {
    pub(super) width: i32,
    /// The height of what is always visible.
    pub(super) height: i32,
    /// The height with the room below for the example of the step that is pointed at.
    pub(super) full_height: i32,
    pub(super) items: Vec<Item>,
}

impl Scene {
    /// The position of examples, wherever their step is.
    pub(super) fn panel(&self) -> Point {
        (MARGIN, self.height + 6)
    }
}

/// The margin around a drawing.
pub(super) const MARGIN: i32 = 24;

/// Something to draw.
pub(super) enum Item {
    Rect { look: Look, rect: Rect, radius: i32 },
    Path { look: Look, path: Vec<Segment> },
    Text(Text),
    Group(Group),
}

/// A part of a line or an outline.
#[derive(Debug, Clone, Copy)]
pub(super) enum Segment {
    Move(Point),
    Line(Point),
    /// A cubic curve with its two control points.
    Curve(Point, Point, Point),
}

/// A line of text on a baseline.
pub(super) struct Text {
    pub(super) style: TextStyle,
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) line: Line,
    /// The text as LaTeX math, if it is a condition.
    pub(super) latex: Option<String>,
}

/// Items that belong together.
pub(super) struct Group {
    pub(super) at: Point,
    pub(super) kind: Kind,
    pub(super) items: Vec<Item>,
}

impl Group {
    /// Its place on paper, where nothing can be pointed at: none if it is shown only then.
    pub(super) fn on_paper(&self, origin: Point) -> Option<Point> {
        match self.kind {
            Kind::Part(_) | Kind::Step { .. } => Some((origin.0 + self.at.0, origin.1 + self.at.1)),
            Kind::Example | Kind::Hint => None,
        }
    }
}

/// What a group is.
pub(super) enum Kind {
    /// The structure of the picture, with the attributes that a program needs to read it back.
    Part(Vec<(&'static str, String)>),
    /// A step: its condition for programs, and for people.
    Step { code: String, title: String },
    /// Visible only while its step is pointed at.
    Example,
    /// Visible only where something can be pointed at.
    Hint,
}

/// How a shape looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Paper,
    Line,
    Tip,
    Loop,
    LoopTip,
    Step,
    Anything,
    Forever,
    Bar,
    End,
    Grid,
    Wave,
    High,
    Here,
}

/// The colours and lines of a look.
pub(super) struct Style {
    pub(super) class: &'static str,
    pub(super) fill: Option<&'static Shade>,
    pub(super) stroke: Option<&'static Shade>,
    /// The width of the line, in quarters of a pixel.
    pub(super) quarters: i32,
    pub(super) dashed: bool,
}

impl Look {
    /// Every look.
    pub(super) const ALL: [Look; 14] = [
        Look::Paper,
        Look::Line,
        Look::Tip,
        Look::Loop,
        Look::LoopTip,
        Look::Step,
        Look::Anything,
        Look::Forever,
        Look::Bar,
        Look::End,
        Look::Grid,
        Look::Wave,
        Look::High,
        Look::Here,
    ];

    /// The table of looks.
    pub(super) fn style(self) -> Style {
        let filled =
            |class, shade| Style { class, fill: Some(shade), stroke: None, quarters: 0, dashed: false };
        let drawn = |class, shade, quarters| Style {
            class,
            fill: None,
            stroke: Some(shade),
            quarters,
            dashed: false,
        };
        match self {
            Look::Paper => filled("paper", &PAPER),
            Look::Line => drawn("line", &SIGNAL, 6),
            Look::Tip => filled("tip", &SIGNAL),
            Look::Loop => drawn("loop", &ONCE, 6),
            Look::LoopTip => filled("loop-tip", &ONCE),
            Look::Step => Style { fill: Some(&PAPER), ..drawn("box", &MUST, 6) },
            Look::Anything => Style { fill: Some(&PAPER), dashed: true, ..drawn("any", &MUTED, 5) },
            Look::Forever => Style { fill: Some(&BAND), ..drawn("forever", &ONCE, 5) },
            Look::Bar => filled("bar", &INK),
            Look::End => Style { fill: Some(&PAPER), ..drawn("end", &INK, 7) },
            Look::Grid => Style { dashed: true, ..drawn("grid", &GRID, 4) },
            Look::Wave => drawn("wave", &SIGNAL, 6),
            Look::High => filled("high", &SIGNAL_FILL),
            Look::Here => drawn("here", &TRIGGER, 7),
        }
    }
}

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextStyle {
    Title,
    /// The condition of a step.
    Guard,
    /// The condition that is always true.
    Anything,
    /// The count of a loop.
    Count,
    /// Small words around the picture.
    Small,
    /// Explanations below it.
    Legend,
}

impl TextStyle {
    /// Its classes, its size and its colour.
    pub(super) fn style(self) -> (&'static str, i32, &'static Shade) {
        match self {
            TextStyle::Title => ("title ink", 18, &INK),
            TextStyle::Guard => ("label ink", 13, &INK),
            TextStyle::Anything => ("label muted", 13, &MUTED),
            TextStyle::Count => ("note count", 12, &ONCE),
            TextStyle::Small => ("small muted", 11, &MUTED),
            TextStyle::Legend => ("legend muted", 12, &MUTED),
        }
    }

    /// The size of its letters.
    pub(super) fn size(self) -> i32 {
        self.style().1
    }

    /// Its letters.
    pub(super) fn face(self) -> Face {
        match self {
            TextStyle::Title | TextStyle::Count => Face::Strong,
            TextStyle::Guard => Face::Code,
            TextStyle::Anything | TextStyle::Small | TextStyle::Legend => Face::Text,
        }
    }
}

/// A text of one face.
pub(super) fn words(style: TextStyle, at: Point, anchor: Anchor, text: &str) -> Item {
    Item::Text(Text { style, at, anchor, line: piece(text, style.face()), latex: None })
}
