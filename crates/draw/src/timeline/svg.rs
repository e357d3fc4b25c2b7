//! The scene as an SVG file: readable on light and dark screens, in print, by keyboard and with a screen reader.
//!
//! Groups follow the structure of the picture and carry it as data, so that programs can read it back exactly. What
//! appears on pointing at a step is done with styles alone.

use super::plan::Plan;
use super::scene::{Group, Item, Kind, Look, Segment, TextStyle};
use super::{Undrawable, page};
use crate::svg::style::{Colour, sheet};
use crate::svg::{Frame, Point, Rect, Svg};
use ::timeline::picture::Picture;
use logic::Store;

/// The class of the whole drawing.
const ROOT: &str = "shall-timeline";

/// What is visible when.
const STATES: &str = "\
.shall-timeline .example{visibility:hidden}
.shall-timeline .step{outline:none;cursor:default}
.shall-timeline .step:hover>.example,.shall-timeline .step:focus>.example{visibility:visible}
.shall-timeline .step:hover>rect,.shall-timeline .step:focus>rect{stroke-width:3}
.shall-timeline:has(.step:hover) .hint,.shall-timeline:has(.step:focus) .hint{visibility:hidden}
@media print{.shall-timeline .hint{visibility:hidden}}";

/// The picture as SVG, below a title.
pub fn svg(store: &Store, picture: &Picture, title: &str) -> Result<String, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let scene = page::scene(&plan, title);
    let mut svg = Svg::default();
    scene.items.iter().for_each(|item| draw(&mut svg, item, (0, 0), scene.panel()));
    let title = if title.trim().is_empty() { "Timeline" } else { title };
    let frame = Frame { class: ROOT, width: scene.width, height: scene.full_height, title };
    Ok(svg.file(&frame, &plan.words(), &format!("{}\n{STATES}", look_sheet())))
}

/// The style sheet of all looks.
fn look_sheet() -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut colours: Vec<Colour> = Vec::new();
    for look in Look::ALL {
        let style = look.style();
        if let Some(shade) = style.stroke {
            let dashes = if style.dashed { ";stroke-dasharray:4 3" } else { "" };
            let fill = if style.fill.is_none() { "fill:none;" } else { "" };
            let width = f64::from(style.quarters) / 4.0;
            lines.push((format!(".{}", style.class), format!("{fill}stroke-width:{width}{dashes}")));
            colours.push((style.class, "stroke", shade));
        }
        colours.extend(style.fill.map(|shade| (style.class, "fill", shade)));
    }
    for text in [TextStyle::Guard, TextStyle::Anything, TextStyle::Count] {
        let (classes, _, shade) = text.style();
        colours.extend(classes.split(' ').next_back().map(|class| (class, "fill", shade)));
    }
    let lines: Vec<(&str, &str)> =
        lines.iter().map(|(class, form)| (class.as_str(), form.as_str())).collect();
    sheet(ROOT, &lines, &colours)
}

fn draw(svg: &mut Svg, item: &Item, origin: Point, panel: Point) {
    match item {
        Item::Rect { look, rect, radius } => {
            let (x, y) = shift((rect.x, rect.y), origin);
            svg.rect(look.style().class, Rect { x, y, ..*rect }, *radius);
        }
        Item::Path { look, path } => {
            let data: String = path.iter().map(|segment| command(*segment, origin)).collect();
            svg.path(look.style().class, &data);
        }
        Item::Text(text) => svg.line(text.style.style().0, shift(text.at, origin), text.anchor, &text.line),
        Item::Group(group) => draw_group(svg, group, shift(group.at, origin), panel),
    }
}

fn draw_group(svg: &mut Svg, group: &Group, origin: Point, panel: Point) {
    let (attributes, title, origin) = match &group.kind {
        Kind::Part(attributes) => {
            (attributes.iter().map(|(name, value)| (*name, value.as_str())).collect(), None, origin)
        }
        Kind::Step { code, title } => {
            let data = [("class", "step"), ("tabindex", "0"), ("data-piece", "step"), ("data-guard", code)];
            (data.to_vec(), Some(title.as_str()), origin)
        }
        Kind::Example => (vec![("class", "example")], None, panel),
        Kind::Hint => (vec![("class", "hint")], None, origin),
    };
    svg.group(&attributes, title, |svg| {
        group.items.iter().for_each(|item| draw(svg, item, origin, panel));
    });
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
    use super::super::testing::samples::{Maker, gallery, random};
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
        let words = "From the start: 0..∞ times (¬a), then a, then forever (anything).";
        assert!(drawn.contains(&format!("<desc>{words}</desc>")));
        let step = r#"<g class="step" tabindex="0" data-piece="step" data-guard="!a">
<title>¬a. Example: step 1 of a trace, with a, ¬b</title>"#;
        assert!(drawn.contains(step), "{drawn}");
        assert_eq!(drawn.matches("tabindex").count(), 3);
        assert_eq!(drawn.matches("class=\"example\"").count(), 3);
        assert!(!drawn.contains("<script") && !drawn.contains(" id=") && !drawn.contains("href"));
    }
}
