//! Where the parts of a lane go, as in a railroad diagram: time runs along a line, alternatives fork and join, a loop
//! goes back above what it repeats, and a way around goes below what it skips.
//!
//! Each part becomes a block of its own that is entered at its origin and left, if there is a way out, at its width
//! on the same height.

use super::connect::{FORK, TURN, around, around_width, back, back_width, bend, label_width, line, tip};
use super::example;
use super::label::{self, LabelLine};
use super::plan::{Guard, NO_WAY, Part, Times};
use super::scene::{Group, Item, Kind, Look, Text, TextStyle, words};
use crate::diagram::canvas::{Anchor, Rect};
use crate::diagram::measure::{piece, width};

/// The line before a step, with the tip of its arrow.
pub(super) const LEAD: i32 = 22;
/// The height of a line of a label.
const LABEL_LINE: i32 = 17;
/// The longest line of a label, in columns.
const LABEL_ROOM: usize = 22;
/// The space between parts that lie above each other.
const APART: i32 = 16;
/// The space around what repeats for ever.
const PAD: i32 = 12;
const FOREVER: &str = "∞ for ever";

/// A part with its size, around the place where it is entered.
pub(super) struct Block {
    pub(super) width: i32,
    /// How far it reaches above its line.
    pub(super) up: i32,
    /// How far it reaches below its line.
    pub(super) down: i32,
    /// Whether time can go on behind it.
    pub(super) open: bool,
    pub(super) group: Group,
}

impl Block {
    /// A group with nothing in it.
    pub(super) fn new(kind: Kind) -> Block {
        Block { width: 0, up: 0, down: 0, open: true, group: Group { at: (0, 0), kind, items: Vec::new() } }
    }

    /// Puts another block at a place; the size grows, but not the width.
    pub(super) fn put(&mut self, mut block: Block, (x, y): (i32, i32)) {
        self.up = self.up.max(block.up - y);
        self.down = self.down.max(block.down + y);
        block.group.at = (x, y);
        self.group.items.push(Item::Group(block.group));
    }

    /// Puts another block behind what is there.
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
    let text = label_width(TextStyle::Anything, NO_WAY);
    block.draw([
        line(Look::Line, (0, 0), (LEAD - 5, 0)),
        words(TextStyle::Anything, (LEAD, 4), Anchor::Start, NO_WAY),
    ]);
    (block.width, block.up, block.down, block.open) = (LEAD + text, 10, 10, false);
    block
}

/// Blocks one above the other between a fork and a join; `None` is the way around.
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

/// The heights of blocks in a stack: the only one that is no way around is in line; else the middle is.
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
    let count = times.range();
    let skips = times.min == 0;
    let inner = part(body);
    let mut block = Block::new(Kind::Part(attributes.to_vec()));
    let least = back_width(&count).max(if skips { around_width() } else { 0 });
    block.width = (inner.width + 2 * TURN).max(least);
    let left = (block.width - inner.width) / 2;
    let height = inner.up + 14;
    let bottom = inner.down + 13;
    block.open = inner.open || skips;
    block.draw([line(Look::Line, (0, 0), (left, 0))]);
    if inner.open {
        block.draw([line(Look::Line, (left + inner.width, 0), (block.width, 0))]);
    }
    block.draw(back(0, block.width, height, &count));
    if skips {
        block.draw(around(0, block.width, bottom));
        block.down = bottom + 7;
    }
    block.put(inner, (left, 0));
    block.up = height + 8;
    block
}

/// What repeats for ever, in a box; the block has at least some width.
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
