//! A block diagram as an SVG file: readable with a screen reader, on a light or dark screen, and in print.

use super::layout::{input, lines, output, places};
use super::{Block, End, Facing, Outline, Sheet};
use crate::svg::measure::{Face, Line as Text, fit, fit_line, letters, piece, width};
use crate::svg::style::{Colour, INK, MUST, MUTED, NEVER, PAPER, SIGNAL, sheet as style_sheet};
use crate::svg::{Anchor, Frame, Point, Rect, Svg};
use crate::terminal::plain;

/// The class of the whole drawing.
const ROOT: &str = "shall-blocks";
/// The empty border of the drawing.
const MARGIN: i32 = 24;
/// The font size in blocks and at lines.
const SMALL: i32 = 11;

const COLOURS: [Colour; 10] = [
    ("paper", "fill", &PAPER),
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("block", "stroke", &INK),
    ("block", "fill", &PAPER),
    ("wrong", "stroke", &NEVER),
    ("bar", "fill", &INK),
    ("line", "stroke", &SIGNAL),
    ("tip", "fill", &SIGNAL),
    ("value", "fill", &MUST),
];

const LINES: [(&str, &str); 3] = [
    (".block", "stroke-width:1.25;stroke-linejoin:round"),
    (".wrong", "stroke-width:2;stroke-dasharray:5 3"),
    (".line", "fill:none;stroke-width:1.25;stroke-linejoin:round"),
];

/// The sheet as SVG, with its title above and a description in words.
pub fn svg(sheet: &Sheet, description: &str) -> String {
    let (svg, width, height) = draw(sheet, true);
    let frame = Frame { class: ROOT, width, height, title: &sheet.title };
    svg.file(&frame, description, &self::sheet())
}

/// The drawing alone, for a page that has its title and the [`sheet`] already.
pub fn bare(sheet: &Sheet) -> String {
    let (svg, width, height) = draw(sheet, false);
    svg.inline(&Frame { class: ROOT, width, height, title: &sheet.title })
}

/// The style sheet of bare drawings.
pub fn sheet() -> String {
    style_sheet(ROOT, &LINES, &COLOURS)
}

fn draw(sheet: &Sheet, titled: bool) -> (Svg, i32, i32) {
    let mut rects = places(sheet);
    let mut lines = lines(sheet, &rects);
    let corners = rects.iter().flat_map(|it| [(it.x, it.y), (it.x + it.width, it.y + it.height + 16)]);
    let all: Vec<Point> = corners.chain(lines.iter().flatten().copied()).collect();
    let least = |of: fn(&Point) -> i32| all.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&Point) -> i32| all.iter().map(of).max().unwrap_or(0);
    let head = if titled { 30 } else { 0 };
    // Names may be wider than their blocks.
    let (x, y) = (MARGIN * 2 - least(|it| it.0), MARGIN + head - least(|it| it.1));
    for rect in &mut rects {
        (rect.x, rect.y) = (rect.x + x, rect.y + y);
    }
    lines.iter_mut().flatten().for_each(|point| *point = (point.0 + x, point.1 + y));
    let title = piece(&plain(&sheet.title), Face::Strong);
    let wide = if titled { self::width(&title, 18) + 2 * MARGIN } else { 0 };
    let (width, height) = ((most(|it| it.0) + x + 2 * MARGIN).max(wide), most(|it| it.1) + y + MARGIN);
    let mut svg = Svg::default();
    svg.rect("paper", Rect { x: 0, y: 0, width, height }, 0);
    if titled {
        svg.line("title ink", (MARGIN, 30), Anchor::Start, &title);
    }
    for (line, points) in sheet.lines.iter().zip(&lines) {
        match &line.signal {
            Some(signal) => svg.group(&[("data-signal", signal.as_str())], None, |svg| {
                draw_line(svg, sheet, line.to, points)
            }),
            None => draw_line(&mut svg, sheet, line.to, points),
        }
    }
    for (block, rect) in sheet.blocks.iter().zip(&rects) {
        draw_block(&mut svg, block, *rect);
    }
    draw_signals(&mut svg, sheet, &lines);
    (svg, width, height)
}

/// A line with its tip.
fn draw_line(svg: &mut Svg, sheet: &Sheet, (to, end): (usize, End), points: &[Point]) {
    let [.., before, (x, y)] = points else { return };
    svg.lines("line", &[points.to_vec()]);
    if sheet.blocks.get(to).is_some_and(|it| it.outline == Outline::Bar && matches!(end, End::Input(_))) {
        return;
    }
    let (x, y) = (*x, *y);
    let (dx, dy) = match (x - before.0, y - before.1) {
        (dx, dy) if dx.abs() >= dy.abs() => (dx.signum(), 0),
        (_, dy) => (0, dy.signum()),
    };
    let back = (x - 6 * dx, y - 6 * dy);
    svg.shape("tip", &[(x, y), (back.0 - 3 * dy, back.1 - 3 * dx), (back.0 + 3 * dy, back.1 + 3 * dx)]);
}

/// The name and the value of each signal, once for each output.
fn draw_signals(svg: &mut Svg, sheet: &Sheet, lines: &[Vec<Point>]) {
    let mut seen = std::collections::BTreeSet::new();
    for (line, points) in sheet.lines.iter().zip(lines) {
        let Some(&(x, y)) = points.first().filter(|_| seen.insert(line.from)) else { continue };
        if !line.name.is_empty() {
            svg.line(
                "small muted",
                (x + 4, y + 13),
                Anchor::Start,
                &fit_line(&line.name, Face::Text, SMALL, 120),
            );
        }
        let value = line.value.as_deref().map(|value| fit_line(value, Face::Code, SMALL, 120));
        let write =
            |svg: &mut Svg, value: &Text| svg.line("small value", (x + 4, y - 4), Anchor::Start, value);
        match (&line.signal, value) {
            (Some(signal), value) => {
                svg.group(&[("data-value", signal.as_str())], None, |svg| {
                    write(svg, &value.unwrap_or_default())
                });
            }
            (None, Some(value)) => write(svg, &value),
            (None, None) => {}
        }
    }
}

fn draw_block(svg: &mut Svg, block: &Block, rect: Rect) {
    let name = plain(&block.name);
    let about = [name.as_str(), block.about.as_str()].into_iter().filter(|it| !it.is_empty());
    let about = about.collect::<Vec<_>>().join(": ");
    let class = if block.marked { "block wrong" } else { "block" };
    let opens = block.opens.as_deref().map(|path| ("data-opens", path));
    svg.group(opens.as_slice(), Some(&about), |svg| {
        let Rect { x, y, width, height } = rect;
        match block.outline {
            Outline::Rectangle => svg.rect(class, rect, 2),
            Outline::Round => svg.rect(class, rect, width.min(height) / 2),
            Outline::Pill => svg.rect(class, rect, height / 2),
            Outline::Bar => svg.rect("bar", rect, 0),
            Outline::Triangle => {
                let (right, down) = (x + width, y + height);
                let corners = match block.facing {
                    Facing::Right => [(x, y), (right, y + height / 2), (x, down)],
                    Facing::Left => [(right, y), (x, y + height / 2), (right, down)],
                    Facing::Down => [(x, y), (right, y), (x + width / 2, down)],
                    Facing::Up => [(x, down), (right, down), (x + width / 2, y)],
                };
                svg.shape(class, &corners);
            }
        }
        let is_inside = draw_label(svg, block, rect);
        draw_ports(svg, block, rect);
        let label = plain(&block.label);
        // A name such as `Switch1` says what the block is.
        let below = match is_inside || name.to_lowercase().contains(&label.to_lowercase()) {
            true => name,
            false => [label, name].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(": "),
        };
        let room = width.max(120);
        for (k, line) in fit(&breakable(&below, room), Face::Text, SMALL, room, 2).iter().enumerate() {
            let at = (x + width / 2, y + height + 13 + 12 * k as i32);
            svg.line("small muted", at, Anchor::Middle, line);
        }
    });
}

/// A text whose long words may be broken after an underscore, or before a capital letter.
fn breakable(text: &str, room: i32) -> String {
    let fits = |part: &str| self::width(&piece(part, Face::Text), SMALL) <= room;
    let broken = |word: &str| {
        let letters: Vec<(usize, char)> = word.char_indices().collect();
        let ends =
            |pair: &[(usize, char)]| pair[0].1 == '_' || pair[0].1.is_lowercase() && pair[1].1.is_uppercase();
        let mut places = letters.windows(2).filter(|it| ends(it)).map(|it| it[1].0);
        match places.rfind(|at| fits(&word[..*at])) {
            Some(at) if !fits(word) => format!("{} {}", &word[..at], &word[at..]),
            _ => word.to_owned(),
        }
    };
    text.split_whitespace().map(broken).collect::<Vec<_>>().join(" ")
}

/// What is written in a block, in the middle of it; whether its words fit there.
fn draw_label(svg: &mut Svg, block: &Block, rect: Rect) -> bool {
    let Rect { x, y, width, height } = rect;
    if block.label.is_empty() || block.outline == Outline::Bar {
        return true;
    }
    // The tip of a triangle has no room.
    let (room, middle) = match (block.outline, block.facing) {
        (Outline::Triangle, Facing::Right) => (width * 2 / 3, x + width * 2 / 5),
        (Outline::Triangle, Facing::Left) => (width * 2 / 3, x + width * 3 / 5),
        _ => (width - 4, x + width / 2),
    };
    let rows = (height / 12).clamp(1, 4) as usize;
    // Widths are generous estimates; a word that nearly fits is not broken.
    let room = (room * 5 / 4).max(12);
    let label = plain(&block.label);
    let is_short = |word: &str| self::width(&piece(word, Face::Text), SMALL) <= room;
    if !label.split_whitespace().all(is_short) {
        return false;
    }
    let lines = fit(&label, Face::Text, SMALL, room, rows);
    let top = y + height / 2 + 4 - 6 * (lines.len() as i32 - 1);
    for (k, line) in lines.iter().enumerate() {
        svg.line("small ink", (middle, top + 12 * k as i32), Anchor::Middle, line);
    }
    true
}

/// What is written at the ports.
fn draw_ports(svg: &mut Svg, block: &Block, rect: Rect) {
    let room = if block.label.is_empty() { rect.width / 2 - 4 } else { rect.width / 3 - 2 };
    let inputs =
        block.inputs.iter().flatten().enumerate().map(|(k, text)| (input(block, rect, End::Input(k)), text));
    let controls =
        block.controls.iter().enumerate().map(|(k, text)| (input(block, rect, End::Control(k)), text));
    let outputs = block.outputs.iter().enumerate().map(|(k, text)| (output(block, rect, k), text));
    for ((x, y), text) in inputs.chain(controls).chain(outputs) {
        let line = fit_line(&plain(text), Face::Text, SMALL, room.max(8));
        if letters(&line).is_empty() {
            continue;
        }
        // A circle has no room for its signs.
        if block.outline == Outline::Round {
            let below = y > rect.y + rect.height / 2;
            svg.line("small ink", (x - 10, if below { y + 9 } else { y - 3 }), Anchor::Middle, &line);
            continue;
        }
        // Inward from the side that the port is on.
        let (at, anchor) = match (x - rect.x, rect.x + rect.width - x, y - rect.y) {
            (0, _, _) => ((x + 4, y + 4), Anchor::Start),
            (_, 0, _) => ((x - 4, y + 4), Anchor::End),
            (_, _, down) if down < rect.height / 2 => ((x, y + 12), Anchor::Middle),
            _ => ((x, y - 4), Anchor::Middle),
        };
        svg.line("small ink", at, anchor, &line);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Sheet};
    use super::{bare, breakable};

    #[test]
    fn long_names_break_between_their_parts() {
        assert_eq!(breakable("speed_limit_of_road", 70), "speed_ limit_of_road");
        assert_eq!(breakable("speedLimitOfRoad", 70), "speedLimit OfRoad");
        assert_eq!(breakable("short name", 60), "short name");
    }

    #[test]
    fn what_does_not_fit_is_below_the_block() {
        let drawn = |name: &str, width: i32| {
            let place = Some([0, 0, width, 20]);
            let block =
                Block { name: name.to_owned(), label: "Switch".to_owned(), place, ..Block::default() };
            bare(&Sheet { blocks: vec![block], ..Sheet::default() })
        };
        assert!(drawn("mode", 20).contains(">Switch: mode<"));
        assert!(drawn("mode switch", 20).contains(">mode switch<"));
        let inside = drawn("mode", 60);
        assert!(inside.contains(">Switch<") && inside.contains(">mode<"));
    }
}
