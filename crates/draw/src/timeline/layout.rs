//! The parts of a lane as in a railroad diagram: time runs along a line, alternatives fork and join, a loop goes back
//! above what it repeats, and a line around goes below what it skips.
//!
//! Each part becomes a block that is entered at its origin and left, if it can be left, at its width on the same height.

use super::example;
use super::label::{self, LabelLine};
use super::plan::{DEAD_END, Guard, Part, Times};
use super::scene::{Group, Item, Kind, Look, Segment, Text, TextStyle, words};
use crate::svg::measure::{piece, width};
use crate::svg::{Anchor, Point, Rect};

/// The line before a step, with the tip of its arrow.
pub(super) const LEAD: i32 = 22;
/// The height of a line of a label.
const LABEL_LINE: i32 = 17;
/// The longest line of a label, in columns.
const LABEL_ROOM: usize = 22;
/// The gap between parts below each other.
const APART: i32 = 16;
/// The margin around a part that repeats forever.
const PAD: i32 = 12;
const FOREVER: &str = "∞ forever";
/// How far a fork reaches from its stem to its branches.
const FORK: i32 = 22;
/// How far a loop reaches to each side of what it repeats.
const TURN: i32 = 18;
/// The length of an arrow's tip.
pub(super) const TIP: i32 = 7;
const RADIUS: i32 = 9;
const SKIP: &str = "skip";

/// A part with its size, around the place where it is entered.
pub(super) struct Block {
    pub(super) width: i32,
    /// Its extent above its line.
    pub(super) up: i32,
    /// Its extent below its line.
    pub(super) down: i32,
    /// Whether time can continue after it.
    pub(super) open: bool,
    pub(super) group: Group,
}

impl Block {
    /// A group with nothing in it.
    pub(super) fn new(kind: Kind) -> Block {
        Block { width: 0, up: 0, down: 0, open: true, group: Group { at: (0, 0), kind, items: Vec::new() } }
    }

    /// Puts another block at a position; the height grows, but not the width.
    pub(super) fn put(&mut self, mut block: Block, (x, y): (i32, i32)) {
        self.up = self.up.max(block.up - y);
        self.down = self.down.max(block.down + y);
        block.group.at = (x, y);
        self.group.items.push(Item::Group(block.group));
    }

    /// Puts another block after what is there.
    pub(super) fn append(&mut self, block: Block) {
        let x = self.width;
        self.width += block.width;
        self.open = block.open;
        self.put(block, (x, 0));
    }

    /// Adds lines and words.
    pub(super) fn draw(&mut self, items: impl IntoIterator<Item = Item>) {
        self.group.items.extend(items);
    }

    /// Adds a line up to a width.
    pub(super) fn extend(&mut self, to: i32) {
        if self.open && to > self.width {
            let from = self.width;
            self.draw([line(Look::Line, (from, 0), (to, 0))]);
            self.width = to;
        }
    }
}

/// The block of a part.
pub(super) fn part(part: &Part) -> Block {
    match part {
        Part::Step(guard) => step(guard, 0),
        Part::Sequence(parts) => sequence(parts),
        Part::Either(parts) => either(parts),
        Part::Repeat(body, times) => repeat(body, *times),
        Part::Forever(body) => forever(body, 0),
    }
}

/// A step in a box of at least some width.
pub(super) fn step(guard: &Guard, least: i32) -> Block {
    let lines = label::lines(guard, LABEL_ROOM);
    let (look, style) =
        if guard.anything { (Look::Anything, TextStyle::Anything) } else { (Look::Step, TextStyle::Guard) };
    let line_width = |text: &str| width(&piece(text, style.face()), style.size());
    let indent = |line: &LabelLine| 8 * i32::try_from(line.indent).unwrap_or(0);
    let text = lines.iter().map(|line| indent(line) + line_width(&line.symbols)).max().unwrap_or(0);
    let box_width = (text + 26).max(38).max(least) / 2 * 2;
    let count = i32::try_from(lines.len()).unwrap_or(1);
    let half = (count * LABEL_LINE + 13) / 2;
    let title = example::title(guard);
    let mut block = Block::new(Kind::Step { code: guard.code.clone(), title });
    (block.width, block.up, block.down) = (LEAD + box_width, half, half);
    let rect = Rect { x: LEAD, y: -half, width: box_width, height: 2 * half };
    block.draw([
        line(Look::Line, (0, 0), (LEAD - 3, 0)),
        tip(Look::Tip, (LEAD, 0)),
        Item::Rect { look, rect, radius: half.min(15) },
    ]);
    let mut baseline = -count * LABEL_LINE / 2 + 13;
    let (x, anchor) =
        if count == 1 { (box_width / 2, Anchor::Middle) } else { ((box_width - text) / 2, Anchor::Start) };
    for line in lines {
        block.draw([Item::Text(Text {
            style,
            at: (LEAD + x + indent(&line), baseline),
            anchor,
            line: piece(&line.symbols, style.face()),
            latex: Some(line.latex).filter(|_| !guard.anything),
        })]);
        baseline += LABEL_LINE;
    }
    block.draw(example::panel(guard));
    block
}

/// The width of the box around a step.
pub(super) fn box_width(guard: &Guard) -> i32 {
    step(guard, 0).width - LEAD
}

fn sequence(parts: &[Part]) -> Block {
    let mut block = Block::new(piece_kind("sequence"));
    if parts.is_empty() {
        block.extend(LEAD);
    }
    parts.iter().map(part).for_each(|next| block.append(next));
    block
}

fn either(parts: &[Part]) -> Block {
    if parts.is_empty() {
        return dead_end();
    }
    let blocks: Vec<Option<Block>> = parts.iter().map(|each| (!each.is_skip()).then(|| part(each))).collect();
    let widest = blocks.iter().flatten().map(|block| block.width).max().unwrap_or(0);
    let widest =
        if blocks.iter().any(Option::is_none) { widest.max(around_width() - 2 * FORK) } else { widest };
    stack(piece_kind("either"), blocks, widest)
}

/// A choice of nothing.
fn dead_end() -> Block {
    let mut block = Block::new(piece_kind("either"));
    let text = label_width(TextStyle::Anything, DEAD_END);
    block.draw([
        line(Look::Line, (0, 0), (LEAD - 5, 0)),
        words(TextStyle::Anything, (LEAD, 4), Anchor::Start, DEAD_END),
    ]);
    (block.width, block.up, block.down, block.open) = (LEAD + text, 10, 10, false);
    block
}

/// Blocks below each other between a fork and a join; `None` is the line around.
pub(super) fn stack(kind: Kind, blocks: Vec<Option<Block>>, widest: i32) -> Block {
    let baselines = baselines(&blocks);
    let mut whole = Block::new(kind);
    whole.open = blocks.iter().any(|block| block.as_ref().is_none_or(|block| block.open));
    whole.width = FORK + widest + if whole.open { FORK } else { 0 };
    let right = whole.width;
    let mut below: Option<i32> = None;
    for (block, &y) in blocks.into_iter().zip(&baselines) {
        let top = y - block.as_ref().map_or(7, |block| block.up);
        if let Some(bottom) = below {
            let middle = i32::midpoint(bottom, top);
            whole.draw([words(TextStyle::Small, (FORK - 4, middle + 4), Anchor::Start, "or")]);
        }
        below = Some(y + block.as_ref().map_or(7, |block| block.down));
        match block {
            None => {
                whole.draw(around(0, right, y));
                let skip = Block::new(piece_kind("sequence"));
                whole.put(Block { up: 7, down: 7, ..skip }, (FORK, y));
            }
            Some(block) => {
                whole.draw([bend((0, 0), (FORK, y))]);
                let end = FORK + block.width;
                if block.open {
                    let join = FORK + widest;
                    whole.draw([line(Look::Line, (end, y), (join, y)), bend((join, y), (right, 0))]);
                }
                whole.put(block, (FORK, y));
            }
        }
    }
    whole
}

/// The heights of blocks in a stack. A single block that is not the line around is at height 0; otherwise the middle is.
fn baselines(blocks: &[Option<Block>]) -> Vec<i32> {
    let mut y = 0;
    let mut baselines = Vec::new();
    for (k, block) in blocks.iter().enumerate() {
        let (up, down) = block.as_ref().map_or((7, 7), |block| (block.up, block.down));
        y += if k == 0 { 0 } else { up + APART };
        baselines.push(y);
        y += down;
    }
    let full: Vec<i32> =
        blocks.iter().zip(&baselines).filter(|(block, _)| block.is_some()).map(|(_, &y)| y).collect();
    let middle = baselines.last().map_or(0, |last| last / 2);
    let line = match full.as_slice() {
        [only] => *only,
        _ => {
            let near = baselines.iter().copied().min_by_key(|y| (y - middle).abs());
            near.filter(|y| (y - middle).abs() <= 18).unwrap_or(middle)
        }
    };
    baselines.into_iter().map(|y| y - line).collect()
}

fn repeat(body: &Part, times: Times) -> Block {
    let attributes = [
        ("data-piece", "repeat".to_owned()),
        ("data-min", times.min.to_string()),
        ("data-max", times.max.map_or("inf".to_owned(), |max| max.to_string())),
    ];
    let skips = times.min == 0;
    let count = if skips { times.beside_skip() } else { Some(times.range()) };
    let inner = part(body);
    let mut block = Block::new(Kind::Part(attributes.to_vec()));
    let least = count.as_deref().map_or(0, back_width).max(if skips { around_width() } else { 0 });
    block.width = (inner.width + 2 * TURN).max(least);
    let left = (block.width - inner.width) / 2;
    let height = inner.up + 14;
    let bottom = inner.down + 13;
    block.open = inner.open || skips;
    block.draw([line(Look::Line, (0, 0), (left, 0))]);
    if inner.open {
        block.draw([line(Look::Line, (left + inner.width, 0), (block.width, 0))]);
    }
    if let Some(count) = &count {
        block.draw(back(0, block.width, height, count));
    }
    if skips {
        block.draw(around(0, block.width, bottom));
        block.down = bottom + 7;
    }
    block.put(inner, (left, 0));
    if count.is_some() {
        block.up = height + 8;
    }
    block
}

/// A part that repeats forever, in a box; the block has at least some width.
pub(super) fn forever(body: &Part, least: i32) -> Block {
    let inner = part(body);
    let mut block = Block::new(piece_kind("forever"));
    let loop_width = (inner.width + 2 * TURN).max(back_width(FOREVER));
    block.width = (LEAD + loop_width + 2 * PAD).max(least);
    let box_width = block.width - LEAD;
    let left = LEAD + (box_width - loop_width) / 2;
    let start = left + (loop_width - inner.width) / 2;
    let height = inner.up + 16;
    let (top, bottom) = (height + 8 + PAD, inner.down + PAD);
    block.draw([
        line(Look::Line, (0, 0), (LEAD - 3, 0)),
        tip(Look::Tip, (LEAD, 0)),
        Item::Rect {
            look: Look::Forever,
            rect: Rect { x: LEAD, y: -top, width: box_width, height: top + bottom },
            radius: 10,
        },
        line(Look::Line, (LEAD, 0), (start, 0)),
    ]);
    if inner.open {
        let end = left + loop_width - TURN;
        block.draw([line(Look::Line, (start + inner.width, 0), (end, 0))]);
        let mut way = Block::new(Kind::Part(Vec::new()));
        way.draw(back(0, loop_width, height, FOREVER));
        block.put(way, (left, 0));
    }
    block.put(inner, (start, 0));
    (block.up, block.down, block.open) = (top, bottom, false);
    block
}

/// The attributes of a piece without counts.
pub(super) fn piece_kind(name: &str) -> Kind {
    Kind::Part(vec![("data-piece", name.to_owned())])
}

/// A straight line.
pub(super) fn line(look: Look, from: Point, to: Point) -> Item {
    Item::Path { look, path: vec![Segment::Move(from), Segment::Line(to)] }
}

/// A line through points, horizontal and vertical, with rounded corners.
fn rounded(look: Look, points: &[Point]) -> Item {
    let mut path: Vec<Segment> = points.first().map(|&start| Segment::Move(start)).into_iter().collect();
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let radius = RADIUS.min(distance(before, at) / 2).min(distance(at, after) / 2);
        let start = towards(at, before, radius);
        let end = towards(at, after, radius);
        let control = |point: Point| (point.0 + (at.0 - point.0) * 5 / 9, point.1 + (at.1 - point.1) * 5 / 9);
        path.extend([Segment::Line(start), Segment::Curve(control(start), control(end), end)]);
    }
    path.extend(points.last().map(|&end| Segment::Line(end)));
    Item::Path { look, path }
}

/// A line that changes its height halfway.
fn bend(from: Point, to: Point) -> Item {
    if from.1 == to.1 {
        return line(Look::Line, from, to);
    }
    let middle = i32::midpoint(from.0, to.0);
    rounded(Look::Line, &[from, (middle, from.1), (middle, to.1), to])
}

/// The tip of an arrow to the right.
fn tip(look: Look, (x, y): Point) -> Item {
    triangle(look, (x, y), -TIP)
}

/// The tip of an arrow to the left.
fn tip_back(look: Look, (x, y): Point) -> Item {
    triangle(look, (x, y), TIP)
}

/// The line back from `right` to `left`, `height` above the line, with its count on it.
fn back(left: i32, right: i32, height: i32, count: &str) -> Vec<Item> {
    let (middle, y) = (i32::midpoint(left, right), -height);
    let gap = label_width(TextStyle::Count, count) / 2 + 4;
    let [outer_left, outer_right] = [left + TURN - RADIUS - 2, right - TURN + RADIUS + 2];
    vec![
        rounded(Look::Loop, &[(right - TURN, 0), (outer_right, 0), (outer_right, y), (middle + gap, y)]),
        rounded(Look::Loop, &[(middle - gap - TIP, y), (outer_left, y), (outer_left, 0), (left + TURN, 0)]),
        tip_back(Look::LoopTip, (middle - gap - TIP, y)),
        words(TextStyle::Count, (middle, y + 4), Anchor::Middle, count),
    ]
}

/// The line around from `left` to `right` at another height, with the word `skip` on it.
fn around(left: i32, right: i32, y: i32) -> Vec<Item> {
    let middle = i32::midpoint(left, right);
    let gap = label_width(TextStyle::Small, SKIP) / 2 + 4;
    let [inner_left, inner_right] = [left + FORK / 2, right - FORK / 2];
    vec![
        rounded(Look::Line, &[(left, 0), (inner_left, 0), (inner_left, y), (middle - gap, y)]),
        rounded(Look::Line, &[(middle + gap, y), (inner_right, y), (inner_right, 0), (right, 0)]),
        words(TextStyle::Small, (middle, y + 4), Anchor::Middle, SKIP),
    ]
}

/// The least width of a loop with its count.
fn back_width(count: &str) -> i32 {
    label_width(TextStyle::Count, count) + 2 * (TURN + RADIUS) + 2 * TIP
}

/// The least width of a line around.
fn around_width() -> i32 {
    label_width(TextStyle::Small, SKIP) + 2 * FORK + 16
}

/// The width of a text on one line.
pub(super) fn label_width(style: TextStyle, text: &str) -> i32 {
    width(&piece(text, style.face()), style.size())
}

fn triangle(look: Look, (x, y): Point, back: i32) -> Item {
    let corners = [(x, y), (x + back, y - 4), (x + back, y + 4)];
    let mut path: Vec<Segment> = corners.map(Segment::Line).to_vec();
    path[0] = Segment::Move(corners[0]);
    Item::Path { look, path }
}

fn distance(a: Point, b: Point) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// The point at a distance on a horizontal or vertical line.
fn towards(from: Point, to: Point, by: i32) -> Point {
    (from.0 + (to.0 - from.0).signum() * by, from.1 + (to.1 - from.1).signum() * by)
}
