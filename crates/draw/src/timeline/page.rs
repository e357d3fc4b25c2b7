//! The whole drawing: title, start, alternatives, their lanes on a common time axis, legend, and at the bottom the room
//! for examples.
//!
//! Lanes of single steps share columns, one per step. Where a lane has loops or branches, the columns end, and only the
//! starts and the parts that repeat forever are aligned.

use super::example;
use super::layout::{Block, LEAD, TIP, box_width, forever, label_width, line, part, stack, step};
use super::plan::{Part, Plan, Times};
use super::scene::{Group, Item, Kind, Look, MARGIN, Scene, TextStyle, words};
use crate::svg::measure::{Face, letters, piece, wrap};
use crate::svg::{Anchor, Rect};
use crate::terminal::plain;

/// The narrowest drawing, so that titles and legends have room.
const LEAST: i32 = 420;
/// The space between lanes.
const LANES_APART: i32 = 20;
/// The distance from the entry of an alternative to its lanes, and to the bar before them.
const LANES: i32 = 26;
const BAR: i32 = 14;

/// The scene of a plan under a title, which may be empty.
pub(super) fn scene(plan: &Plan, title: &str) -> Scene {
    let block = picture(plan);
    let panel_size = example::panel_size(plan);
    let panel_width = panel_size.map_or(0, |(width, _)| width);
    let content = block.width.max(LEAST).max(panel_width);
    let mut items = vec![];
    let mut y = MARGIN;
    for text in wrap(&piece(&plain(title), Face::Strong), TextStyle::Title.size(), content) {
        let text = super::scene::Text {
            style: TextStyle::Title,
            at: (MARGIN, y + 16),
            anchor: Anchor::Start,
            line: text,
            latex: None,
        };
        items.push(Item::Text(text));
        y += 26;
    }
    y += if y > MARGIN { 10 } else { 0 };
    if let Some(notice) = plan.notice() {
        items.push(words(TextStyle::Anything, (MARGIN, y + 13), Anchor::Start, notice));
        y += 30;
    }
    let (up, down) = (block.up, block.down);
    let mut group = block.group;
    group.at = (MARGIN, y + up);
    items.push(Item::Group(group));
    y += up + down + if plan.alternatives.is_empty() { 0 } else { 20 };
    for text in legend(plan, content) {
        items.push(words(TextStyle::Legend, (MARGIN, y + 12), Anchor::Start, &text));
        y += 19;
    }
    let height = y + MARGIN - 8;
    if panel_size.is_some() {
        let text = words(
            TextStyle::Legend,
            (MARGIN, height + 8),
            Anchor::Start,
            "Point at a step to see a trace that passes through it.",
        );
        items.push(Item::Group(Group { at: (0, 0), kind: Kind::Hint, items: vec![text] }));
    }
    let full_height = panel_size.map_or(height, |(_, panel)| height + panel + 20);
    let width = content + 2 * MARGIN;
    let paper = Rect { x: 0, y: 0, width, height: full_height };
    items.insert(0, Item::Rect { look: Look::Paper, rect: paper, radius: 0 });
    Scene { width, height, full_height, items }
}

fn picture(plan: &Plan) -> Block {
    let kind = Kind::Part(vec![("data-part", "picture".to_owned())]);
    let mut block = Block::new(kind);
    if plan.alternatives.is_empty() {
        return block;
    }
    let blocks: Vec<Block> = plan.alternatives.iter().map(|lanes| alternative(lanes)).collect();
    let all = if blocks.len() == 1 {
        blocks.into_iter().next().unwrap_or_else(|| Block::new(Kind::Part(Vec::new())))
    } else {
        let widest = blocks.iter().map(|block| block.width).max().unwrap_or(0);
        stack(Kind::Part(Vec::new()), blocks.into_iter().map(Some).collect(), widest)
    };
    let start = 2 * DOT + label_width(TextStyle::Small, "start") / 2;
    block.width = start;
    let x = start / 2;
    block.draw([
        line(Look::Line, (x, 0), (start, 0)),
        Item::Rect { look: Look::Bar, rect: dot(x, DOT), radius: DOT },
        words(TextStyle::Small, (x, DOT + 14), Anchor::Middle, "start"),
    ]);
    (block.up, block.down) = (DOT, DOT + 18);
    block.append(all);
    block
}

const DOT: i32 = 6;

fn dot(x: i32, radius: i32) -> Rect {
    Rect { x: x - radius, y: -radius, width: 2 * radius, height: 2 * radius }
}

fn alternative(lanes: &[Part]) -> Block {
    let mut block = Block::new(Kind::Part(vec![("data-part", "alternative".to_owned())]));
    block.open = false;
    let (blocks, columns) = align(lanes);
    let mut blocks = blocks.into_iter();
    if lanes.len() == 1 {
        blocks.for_each(|lane| block.append(lane));
        block.open = false;
        return block;
    }
    let sizes: Vec<(i32, i32)> = blocks.as_slice().iter().map(|lane| (lane.up, lane.down)).collect();
    let mut baselines: Vec<i32> = Vec::new();
    let mut y = 0;
    for (k, (up, down)) in sizes.iter().enumerate() {
        y += if k == 0 { 0 } else { up + LANES_APART };
        baselines.push(y);
        y += down;
    }
    let middle = baselines.last().map_or(0, |last| last / 2);
    let (first, last) = (-middle, baselines.last().map_or(0, |last| last - middle));
    let (top, bottom) =
        (first - sizes.first().map_or(0, |size| size.0), last + sizes.last().map_or(0, |size| size.1));
    block.draw(ruler(&columns, top, bottom));
    block.draw([
        line(Look::Line, (0, 0), (BAR, 0)),
        Item::Rect {
            look: Look::Bar,
            rect: Rect { x: BAR, y: first - 14, width: 4, height: last - first + 28 },
            radius: 2,
        },
        words(TextStyle::Small, (BAR + 2, first - 20), Anchor::Middle, "all"),
    ]);
    for pair in baselines.windows(2).zip(sizes.windows(2)) {
        let (heights, sizes) = pair;
        let between = i32::midpoint(heights[0] + sizes[0].1, heights[1] - sizes[1].0) - middle;
        block.draw([words(TextStyle::Small, (LANES - 3, between + 4), Anchor::Start, "and")]);
    }
    for y in baselines {
        if let Some(lane) = blocks.next() {
            block.width = block.width.max(LANES + lane.width);
            block.draw([line(Look::Line, (BAR + 4, y - middle), (LANES, y - middle))]);
            block.put(lane, (LANES, y - middle));
        }
    }
    let header = if columns.len() > 1 { top - 20 } else { top };
    block.up = block.up.max(-header).max(34 - first);
    block
}

/// The lanes of an alternative with their steps in common columns, and the starts of the columns if all lanes have them.
fn align(lanes: &[Part]) -> (Vec<Block>, Vec<i32>) {
    let lanes: Vec<Lane> = lanes.iter().map(Lane::of).collect();
    let rigid = lanes.iter().all(Lane::is_rigid);
    let singles = lanes.iter().map(|lane| lane.single);
    let common = if rigid { singles.max() } else { singles.min() }.unwrap_or(0);
    let column = |k: usize| {
        let boxes = lanes.iter().filter(|lane| k < lane.single).filter_map(|lane| match &lane.parts[k] {
            Part::Step(guard) => Some(box_width(guard)),
            Part::Sequence(_) | Part::Either(_) | Part::Repeat(..) | Part::Forever(_) => None,
        });
        boxes.max().unwrap_or(0)
    };
    let columns: Vec<i32> = (0..common).map(column).collect();
    let heads: Vec<Block> = lanes.iter().map(|lane| lane.head(&columns)).collect();
    let several = lanes.len() > 1;
    // Without common columns, the parts that repeat forever still start at one position.
    let last = heads.iter().map(|head| head.width).max().unwrap_or(0);
    let start = |head: &Block, lane: &Lane| if lane.is_rigid() { head.width } else { last };
    let ends = heads.iter().zip(&lanes).map(|(head, lane)| match lane.tail {
        Some(body) => start(head, lane) + forever(body, 0).width,
        None => head.width,
    });
    let right = ends.max().unwrap_or(0);
    let finish = |(mut head, lane): (Block, &Lane)| {
        if let Some(body) = lane.tail {
            if several {
                head.extend(start(&head, lane));
            }
            let tail = forever(body, if several { right - head.width } else { 0 });
            head.append(tail);
        }
        let mut block = Block::new(Kind::Part(vec![("data-part", "lane".to_owned())]));
        block.append(head);
        if block.open {
            end(&mut block);
        }
        block
    };
    let blocks = heads.into_iter().zip(&lanes).map(finish).collect();
    let mut starts = vec![0];
    columns.iter().for_each(|width| starts.push(starts.last().map_or(0, |x| x + LEAD + width)));
    (blocks, if rigid && several { starts } else { Vec::new() })
}

/// A lane as a list of parts, the last of which may repeat forever.
struct Lane<'a> {
    parts: &'a [Part],
    tail: Option<&'a Part>,
    /// The number of single steps at its start.
    single: usize,
    listed: bool,
}

impl<'a> Lane<'a> {
    fn of(lane: &'a Part) -> Lane<'a> {
        let (parts, listed) = match lane {
            Part::Sequence(parts) => (parts.as_slice(), true),
            Part::Step(_) | Part::Either(_) | Part::Repeat(..) | Part::Forever(_) => {
                (std::slice::from_ref(lane), false)
            }
        };
        let (parts, tail) = match parts.split_last() {
            Some((Part::Forever(body), before)) => (before, Some(&**body)),
            Some(_) | None => (parts, None),
        };
        let single = parts.iter().take_while(|part| matches!(part, Part::Step(_))).count();
        Lane { parts, tail, single, listed }
    }

    /// Whether every part before the one that repeats forever is a single step.
    fn is_rigid(&self) -> bool {
        self.single == self.parts.len()
    }

    /// Everything except the part that repeats forever.
    fn head(&self, columns: &[i32]) -> Block {
        let attributes = if self.listed { vec![("data-piece", "sequence".to_owned())] } else { Vec::new() };
        let mut block = Block::new(Kind::Part(attributes));
        for (k, each) in self.parts.iter().enumerate() {
            block.append(match (each, columns.get(k)) {
                (Part::Step(guard), Some(&least)) => step(guard, least),
                _ => part(each),
            });
        }
        block
    }
}

/// Lines between the columns, and above them the number of each step.
fn ruler(starts: &[i32], top: i32, bottom: i32) -> Vec<Item> {
    let mut items = Vec::new();
    for (k, pair) in starts.windows(2).enumerate() {
        let [left, right] = [pair[0], pair[1]].map(|x| LANES + x + TIP);
        let middle = i32::midpoint(left + LEAD - TIP, right - TIP);
        let number = format!("step {k}");
        items.push(line(Look::Grid, (right, top - 2), (right, bottom + 2)));
        items.push(words(TextStyle::Small, (middle, top - 8), Anchor::Middle, &number));
    }
    items
}

/// The end of time.
fn end(block: &mut Block) {
    let x = block.width + LEAD;
    block.draw([
        line(Look::Line, (block.width, 0), (x, 0)),
        Item::Rect { look: Look::End, rect: dot(x + 8, 8), radius: 8 },
        Item::Rect { look: Look::Bar, rect: dot(x + 8, 4), radius: 4 },
        words(TextStyle::Small, (x + 8, 22), Anchor::Middle, "end"),
    ]);
    (block.width, block.up, block.down, block.open) = (x + 18, block.up.max(8), block.down.max(26), false);
}

/// Explanations of the signs in use, in lines.
fn legend(plan: &Plan, room: i32) -> Vec<String> {
    let parts = || plan.alternatives.iter().flatten();
    let forks =
        plan.alternatives.len() > 1 || parts().any(|part| part.any(&|part| matches!(part, Part::Either(_))));
    let mut notes = Vec::new();
    if plan.alternatives.is_empty() {
        return Vec::new();
    }
    notes.push("Each box is one step.");
    if forks {
        notes.push("Where lines split, one of them is taken.");
    }
    let repeats = |found: &dyn Fn(Times) -> bool| {
        parts().any(|part| part.any(&|part| matches!(part, Part::Repeat(_, times) if found(*times))))
    };
    if repeats(&|_| true) {
        notes.push("The number on a loop says how often it is taken.");
    }
    if repeats(&|times| times.min == 0) {
        notes.push("What has a line around it may be skipped.");
    }
    if plan.alternatives.iter().any(|lanes| lanes.len() > 1) {
        notes.push("Lanes from one bar run together, from the same start.");
    }
    let text = notes.join(" ");
    let lines = wrap(&piece(&text, Face::Text), TextStyle::Legend.size(), room);
    lines.iter().map(|line| letters(line)).collect()
}
