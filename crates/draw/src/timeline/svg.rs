//! The scene as an SVG file of its own: readable on light and dark screens, in print, by keyboard and by a screen reader.
//!
//! Groups follow the structure of the picture and carry it as data, so that programs can read it back exactly
//! ([`read()`](super::read())). There are no ids, no scripts and no references; what is shown on pointing is style only.

use super::plan::Plan;
use super::scene::{Group, Item, Kind, Look, Scene, Segment, Text, TextStyle};
use super::{Undrawable, page};
use crate::diagram::canvas::{Anchor, Point, Rect, escape};
use crate::diagram::measure::Face;
use crate::diagram::style::{LETTERS, Shade, sheet_of};
use ::timeline::picture::Picture;
use logic::Store;
use std::fmt::Write;

/// The class of the whole drawing.
const ROOT: &str = "shall-timeline";

/// What is shown when.
const STATES: &str = "\
.shall-timeline .example{visibility:hidden}
.shall-timeline .step{outline:none;cursor:default}
.shall-timeline .step:hover>.example,.shall-timeline .step:focus>.example{visibility:visible}
.shall-timeline .step:hover>rect,.shall-timeline .step:focus>rect{stroke-width:3}
.shall-timeline:has(.step:hover) .hint,.shall-timeline:has(.step:focus) .hint{visibility:hidden}
@media print{.shall-timeline .hint{visibility:hidden}}
";

/// The picture as SVG, under a title.
pub fn svg(store: &Store, picture: &Picture, title: &str) -> Result<String, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let scene = page::scene(&plan, title);
    let mut writer = Writer { svg: String::new(), panel: scene.panel() };
    scene.items.iter().for_each(|item| writer.item(item, (0, 0)));
    let Scene { width, full_height, .. } = scene;
    Ok(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img" width="{width}" height="{full_height}" viewBox="0 0 {width} {full_height}">
<title>{title}</title>
<desc>{words}</desc>
<style>
{sheet}
{STATES}</style>
{drawing}</svg>
"#,
        title = escape(if title.trim().is_empty() { "Timeline" } else { title }),
        words = escape(&plan.words()),
        sheet = sheet(),
        drawing = writer.svg,
    ))
}

fn sheet() -> String {
    let mut forms: Vec<(String, String)> = Vec::new();
    let mut colours: Vec<(&str, &str, &Shade)> = Vec::new();
    for look in Look::ALL {
        let style = look.style();
        if let Some(shade) = style.stroke {
            let dashes = if style.dashed { ";stroke-dasharray:4 3" } else { "" };
            let fill = if style.fill.is_none() { "fill:none;" } else { "" };
            let width = quarters(style.quarters);
            forms.push((format!(".{}", style.class), format!("{fill}stroke-width:{width}{dashes}")));
            colours.push((style.class, "stroke", shade));
        }
        colours.extend(style.fill.map(|shade| (style.class, "fill", shade)));
    }
    for text in [TextStyle::Guard, TextStyle::Anything, TextStyle::Count] {
        let (classes, _, shade) = text.style();
        colours.extend(classes.split(' ').next_back().map(|class| (class, "fill", shade)));
    }
    let forms = LETTERS.into_iter().chain(forms.iter().map(|(class, form)| (class.as_str(), form.as_str())));
    sheet_of(ROOT, &forms.collect::<Vec<_>>(), &colours)
}

/// Quarters of a pixel as a decimal.
fn quarters(n: i32) -> String {
    let rest = ["", ".25", ".5", ".75"][n.rem_euclid(4) as usize];
    format!("{}{rest}", n.div_euclid(4))
}

struct Writer {
    svg: String,
    panel: Point,
}

impl Writer {
    fn item(&mut self, item: &Item, origin: Point) {
        match item {
            Item::Rect { look, rect, radius } => {
                let Rect { x, y, width, height } = *rect;
                let (x, y) = shift((x, y), origin);
                let class = look.style().class;
                self.put(format_args!(
                    r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>"#
                ));
            }
            Item::Path { look, path } => {
                let data: Vec<String> = path.iter().map(|segment| command(*segment, origin)).collect();
                self.put(format_args!(r#"<path class="{}" d="{}"/>"#, look.style().class, data.join("")));
            }
            Item::Text(text) => self.text(text, origin),
            Item::Group(group) => self.group(group, origin),
        }
    }

    fn group(&mut self, group: &Group, origin: Point) {
        let mut origin = shift(group.at, origin);
        match &group.kind {
            Kind::Part(attributes) if attributes.is_empty() => self.put(format_args!("<g>")),
            Kind::Part(attributes) => {
                let attributes: String = attributes
                    .iter()
                    .map(|(name, value)| format!(r#" {name}="{}""#, escape(value)))
                    .collect();
                self.put(format_args!("<g{attributes}>"));
            }
            Kind::Step { code, title } => {
                self.put(format_args!(
                    r#"<g class="step" tabindex="0" data-piece="step" data-guard="{}">"#,
                    attribute(code)
                ));
                self.put(format_args!("<title>{}</title>", escape(title)));
            }
            Kind::Example => {
                origin = self.panel;
                self.put(format_args!(r#"<g class="example">"#));
            }
            Kind::Hint => self.put(format_args!(r#"<g class="hint">"#)),
        }
        group.items.iter().for_each(|item| self.item(item, origin));
        self.put(format_args!("</g>"));
    }

    fn text(&mut self, text: &Text, origin: Point) {
        let (class, ..) = text.style.style();
        let (x, y) = shift(text.at, origin);
        let anchor = match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let runs: String = text
            .line
            .iter()
            .map(|piece| match piece.face {
                Face::Text | Face::Strong => escape(&piece.text),
                Face::Code => format!(r#"<tspan class="code">{}</tspan>"#, escape(&piece.text)),
            })
            .collect();
        self.put(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{runs}</text>"#));
    }

    fn put(&mut self, element: std::fmt::Arguments) {
        let _ = writeln!(self.svg, "{element}");
    }
}

/// The value of an attribute, exact but for characters that XML cannot hold.
fn attribute(text: &str) -> String {
    let reference = |c: char| match c {
        '\t' => "&#9;".to_owned(),
        '\n' => "&#10;".to_owned(),
        '\r' => "&#13;".to_owned(),
        _ => escape(c.encode_utf8(&mut [0; 4])),
    };
    text.chars().map(reference).collect()
}

fn command(segment: Segment, origin: Point) -> String {
    let place = |point: Point| {
        let (x, y) = shift(point, origin);
        format!("{x} {y}")
    };
    match segment {
        Segment::Move(to) => format!("M{}", place(to)),
        Segment::Line(to) => format!("L{}", place(to)),
        Segment::Curve(a, b, to) => format!("C{} {} {}", place(a), place(b), place(to)),
    }
}

fn shift(point: Point, by: Point) -> Point {
    (point.0 + by.0, point.1 + by.1)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Maker, gallery, random};
    use super::*;

    /// The boxes of a scene, and the corners of everything that is always seen.
    fn extent(items: &[Item], origin: Point, boxes: &mut Vec<Rect>, corners: &mut Vec<Point>) {
        for item in items {
            match item {
                Item::Rect { look, rect, .. } => {
                    let (x, y) = shift((rect.x, rect.y), origin);
                    corners.extend([(x, y), (x + rect.width, y + rect.height)]);
                    if matches!(look, Look::Step | Look::Anything) {
                        boxes.push(Rect { x, y, ..*rect });
                    }
                }
                Item::Path { path, .. } => corners.extend(path.iter().map(|segment| match segment {
                    Segment::Move(to) | Segment::Line(to) | Segment::Curve(_, _, to) => shift(*to, origin),
                })),
                Item::Text(text) => corners.push(shift(text.at, origin)),
                Item::Group(group) => match group.kind {
                    Kind::Part(_) | Kind::Step { .. } => {
                        extent(&group.items, shift(group.at, origin), boxes, corners);
                    }
                    Kind::Example | Kind::Hint => {}
                },
            }
        }
    }

    #[test]
    fn everything_has_its_own_place_on_the_paper() {
        let mut m = Maker::default();
        let (store, pictures) = gallery();
        let random: Vec<Picture> = (0..600).map(|seed| random(&mut m, seed)).collect();
        let all = pictures.iter().map(|(_, picture)| (&store, picture));
        for (store, picture) in all.chain(random.iter().map(|picture| (&m.store, picture))) {
            let plan = Plan::of(store, picture).expect("drawable");
            let scene = page::scene(&plan, "a title");
            let (mut boxes, mut corners) = (Vec::new(), Vec::new());
            extent(&scene.items, (0, 0), &mut boxes, &mut corners);
            for (x, y) in corners {
                assert!(
                    (0..=scene.width).contains(&x) && (0..=scene.full_height).contains(&y),
                    "{picture:?}"
                );
            }
            for (k, a) in boxes.iter().enumerate() {
                for b in &boxes[k + 1..] {
                    let apart = a.x + a.width <= b.x
                        || b.x + b.width <= a.x
                        || a.y + a.height <= b.y
                        || b.y + b.height <= a.y;
                    assert!(apart, "{a:?} {b:?} {picture:?}");
                }
            }
        }
    }

    #[test]
    fn the_accessible_parts_are_there() {
        let (store, pictures) = gallery();
        let drawn = svg(&store, &pictures[0].1, "a is \"eventually\" true").expect("drawable");
        assert!(drawn.contains("role=\"img\""));
        assert!(drawn.contains("<title>a is &quot;eventually&quot; true</title>"));
        let words = "From the start: 0..∞ times (¬a), then a, then for ever (anything).";
        assert!(drawn.contains(&format!("<desc>{words}</desc>")));
        let step = r#"<g class="step" tabindex="0" data-piece="step" data-guard="!a">
<title>¬a. Example: step 1 of a trace, with a, ¬b</title>"#;
        assert!(drawn.contains(step), "{drawn}");
        assert_eq!(drawn.matches("tabindex").count(), 3);
        assert_eq!(drawn.matches("class=\"example\"").count(), 3);
        assert!(!drawn.contains("<script") && !drawn.contains(" id=") && !drawn.contains("href"));
    }
}
