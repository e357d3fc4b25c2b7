//! The picture for a terminal: lines of time drawn with characters, such as `start ─ [¬a]* ─ (a) ─ ⟨ anything ⟩∞`.
//!
//! A step is in parentheses, a loop in square brackets before its count, and what repeats forever in angle brackets.
//! Branches go down from `┬`, lanes that run together from `╥`. A line that is too long continues below, from `⋯` to
//! `⋯`; a legend explains the signs. [`Block`]s are rectangles of text with an entry on the left and an exit on the right.

use super::Undrawable;
use super::label;
use super::plan::{DEAD_END, Guard, Part, Plan, Times};
use crate::terminal::{columns, pad_right};
use ::timeline::picture::Picture;
use logic::Store;

/// Parts are not squeezed into fewer columns than this, however deep they are.
const LEAST: usize = 24;

/// The picture as text of about `width` columns, with box-drawing characters or in plain ASCII.
pub fn text(store: &Store, picture: &Picture, width: usize, unicode: bool) -> Result<String, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let signs = if unicode { &UNICODE } else { &ASCII };
    let mut lines: Vec<String> = plan.notice().map(str::to_owned).into_iter().collect();
    if !plan.alternatives.is_empty() {
        let drawer = Drawer { signs };
        let start = Block::word("start");
        let room = width.saturating_sub(columns("start") + 3);
        let whole = start.then(drawer.alternatives(&plan, room), signs);
        lines.extend(whole.lines);
        let legend = legend(&plan, signs, width);
        if !legend.is_empty() {
            lines.push(String::new());
            lines.extend(legend);
        }
    }
    Ok(lines.iter().map(|line| format!("{}\n", line.trim_end())).collect())
}

struct Drawer {
    signs: &'static Signs,
}

impl Drawer {
    fn alternatives(&self, plan: &Plan, room: usize) -> Block {
        let several = plan.alternatives.len() > 1;
        let inside = if several { room.saturating_sub(3) } else { room };
        let blocks: Vec<Block> =
            plan.alternatives.iter().map(|lanes| self.lanes(lanes, inside.max(LEAST))).collect();
        if several { Block::fork(blocks, &self.signs.one, self.signs) } else { first(blocks) }
    }

    fn lanes(&self, lanes: &[Part], room: usize) -> Block {
        let several = lanes.len() > 1;
        let inside = if several { room.saturating_sub(3) } else { room };
        let lane = |part: &Part| {
            let block = self.part(part, inside.saturating_sub(6).max(LEAST));
            if block.exit.is_some() { block.then(Block::word("end").closed(), self.signs) } else { block }
        };
        let blocks: Vec<Block> = lanes.iter().map(lane).collect();
        if several { Block::fork(blocks, &self.signs.all, self.signs) } else { first(blocks) }
    }

    fn part(&self, part: &Part, room: usize) -> Block {
        let room = room.max(LEAST);
        match part {
            Part::Step(guard) => self.step(guard, room),
            Part::Sequence(parts) => {
                let blocks: Vec<Block> = parts.iter().map(|part| self.part(part, room)).collect();
                Block::row(blocks, room, self.signs)
            }
            Part::Either(parts) if parts.is_empty() => Block::word(DEAD_END).closed(),
            Part::Either(parts) => {
                let branch = |part: &Part| match part.is_skip() {
                    true => Block::word("skip"),
                    false => self.part(part, room.saturating_sub(6)),
                };
                let blocks = parts.iter().map(branch).collect();
                Block::fork(blocks, &self.signs.one, self.signs)
            }
            Part::Repeat(body, times) => {
                let count = self.count(*times);
                let tight = matches!(&**body, Part::Step(_));
                let body = match &**body {
                    Part::Step(guard) => self.label(guard, room),
                    other => self.part(other, room.saturating_sub(4 + columns(&count))),
                };
                let may_skip = times.min == 0;
                let mut block = body.bracket(&self.signs.repeat, &count, tight);
                block.exit = block.exit.or(may_skip.then_some(block.entry));
                block
            }
            Part::Forever(body) => {
                let body = match &**body {
                    Part::Step(guard) => self.label(guard, room),
                    other => self.part(other, room.saturating_sub(5)),
                };
                body.bracket(&self.signs.forever, self.signs.endless, false).closed()
            }
        }
    }

    fn step(&self, guard: &Guard, room: usize) -> Block {
        self.label(guard, room).bracket(&self.signs.step, "", true)
    }

    fn label(&self, guard: &Guard, room: usize) -> Block {
        let lines = label::lines(guard, room.saturating_sub(4));
        let several = lines.len() > 1;
        let text: Vec<String> = lines
            .iter()
            .map(|line| {
                let indent = if several { " ".repeat(line.indent) } else { String::new() };
                indent + &(self.signs.spell)(&line.symbols)
            })
            .collect();
        Block::text(&text)
    }

    fn count(&self, times: Times) -> String {
        match times {
            Times { min: 0, max: None } => "*".into(),
            Times { min: 1, max: None } => "+".into(),
            _ => (self.signs.spell)(&times.range()),
        }
    }
}

fn first(blocks: Vec<Block>) -> Block {
    blocks.into_iter().next().unwrap_or_else(|| Block::word(""))
}

/// The signs that are used, each with its meaning, in lines.
fn legend(plan: &Plan, signs: &Signs, width: usize) -> Vec<String> {
    let parts = || plan.alternatives.iter().flatten();
    let used = |found: &dyn Fn(&Part) -> bool| parts().any(|part| part.any(found));
    let repeats =
        |min: u64| used(&|part| matches!(part, Part::Repeat(_, times) if *times == Times { min, max: None }));
    let forks = plan.alternatives.len() > 1 || used(&|part| matches!(part, Part::Either(_)));
    let together = plan.alternatives.iter().any(|lanes| lanes.len() > 1);
    let forever = used(&|part| matches!(part, Part::Forever(_)));
    let notes = [
        (forks, format!("{} one of these", signs.one_sign)),
        (together, format!("{} all of these together", signs.all_sign)),
        (repeats(0), "[ ]* any number of times".to_owned()),
        (repeats(1), "[ ]+ once or more".to_owned()),
        (forever && signs.endless == "∞", "∞ forever".to_owned()),
    ];
    let mut lines: Vec<String> = Vec::new();
    for (_, note) in notes.into_iter().filter(|(used, _)| *used) {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(&note) + 3 <= width => {
                line.push_str("   ");
                line.push_str(&note);
            }
            Some(_) | None => lines.push(note),
        }
    }
    lines
}

/// Lines of equal width.
struct Block {
    lines: Vec<String>,
    width: usize,
    /// The line on which time enters.
    entry: usize,
    /// The line on which time leaves, if it does.
    exit: Option<usize>,
    /// Whether the line of time reaches the left and the right edge.
    line_ends: [bool; 2],
}

impl Block {
    /// A single line.
    fn word(text: &str) -> Block {
        Block {
            lines: vec![text.to_owned()],
            width: columns(text),
            entry: 0,
            exit: Some(0),
            line_ends: [false; 2],
        }
    }

    /// Several lines; time goes through the one in the middle.
    fn text(lines: &[String]) -> Block {
        let width = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        let lines: Vec<String> = lines.iter().map(|line| pad_right(line, width)).collect();
        let middle = lines.len().saturating_sub(1) / 2;
        Block { lines, width, entry: middle, exit: Some(middle), line_ends: [false; 2] }
    }

    /// The block without an exit.
    fn closed(self) -> Block {
        Block { exit: None, ..self }
    }

    /// This block followed by another, with a line between them.
    fn then(self, next: Block, signs: &Signs) -> Block {
        let end = |line_ends: bool| if line_ends { signs.line } else { " " };
        let link = format!("{}{}{}", end(self.line_ends[1]), signs.line, end(next.line_ends[0]));
        let row = self.exit.unwrap_or(self.entry);
        let above = row.saturating_sub(next.entry);
        let below = next.entry.saturating_sub(row);
        let height = (below + self.lines.len()).max(above + next.lines.len());
        let (first, second) = (self.shifted(below, height), next.shifted(above, height));
        let middle = below + row;
        let lines = first.lines.iter().zip(&second.lines).enumerate();
        Block {
            lines: lines
                .map(|(at, (a, b))| format!("{a}{}{b}", if at == middle { &link } else { "   " }))
                .collect(),
            width: first.width + 3 + second.width,
            entry: first.entry,
            exit: second.exit,
            line_ends: [first.line_ends[0], second.line_ends[1]],
        }
    }

    /// Blocks one after the other, in as many rows as the room requires.
    fn row(blocks: Vec<Block>, room: usize, signs: &Signs) -> Block {
        let cut = columns(signs.cut) + 3;
        let mut rows: Vec<Block> = Vec::new();
        for block in blocks {
            match rows.pop() {
                Some(row) if row.width + block.width + 3 + cut <= room => rows.push(row.then(block, signs)),
                Some(row) => {
                    rows.push(row.then(Block::word(signs.cut), signs));
                    rows.push(Block::word(signs.cut).then(block, signs));
                }
                None => rows.push(block),
            }
        }
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Block { line_ends: [true; 2], ..Block::word(signs.line) };
        };
        let before: usize = rows.iter().rev().skip(1).map(|row| row.lines.len()).sum();
        let width = rows.iter().map(|row| row.width).max().unwrap_or(0);
        let (entry, exit) = (first.entry, last.exit.map(|exit| before + exit));
        // The last row continues to the right edge, where the exit is.
        let line_ends = [first.line_ends[0], last.line_ends[1] || last.width < width];
        let mut lines: Vec<String> = Vec::new();
        for line in rows.into_iter().flat_map(|row| row.lines) {
            let missing = width - columns(&line);
            let continued = exit == Some(lines.len());
            lines.push(line + &fill(missing, continued, signs));
        }
        Block { lines, width, entry, exit, line_ends }
    }

    /// Blocks below each other after a fork, each continued to the same width.
    fn fork(blocks: Vec<Block>, joints: &Joints, signs: &Signs) -> Block {
        let open = blocks.iter().any(|block| block.exit.is_some());
        let width = blocks.iter().map(|block| block.width).max().unwrap_or(0) + if open { 2 } else { 0 };
        let mut lines = Vec::new();
        let mut entries = Vec::new();
        let mut exits = Vec::new();
        for block in blocks {
            let start = lines.len();
            entries.push(start + block.entry);
            exits.extend(block.exit.map(|exit| start + exit));
            for (row, line) in block.lines.into_iter().enumerate() {
                lines.push(line + &fill(width - block.width, block.exit == Some(row), signs));
            }
        }
        let entry = entries.first().copied().unwrap_or(0);
        let exit = exits.first().copied();
        let left = stem(&entries, entry, lines.len(), joints, true);
        let right = exit.map(|exit| stem(&exits, exit, lines.len(), joints, false));
        let drawn = lines.iter().enumerate().map(|(row, line)| {
            let branch = if entries.contains(&row) { signs.line } else { " " };
            let join = right.as_ref().map_or(String::new(), |stem| stem[row].to_string());
            format!("{}{branch} {line}{join}", left[row])
        });
        let width = width + 3 + usize::from(open);
        Block { lines: drawn.collect(), width, entry, exit, line_ends: [true; 2] }
    }

    /// The block in brackets, followed by a count.
    fn bracket(self, brackets: &Brackets, count: &str, tight: bool) -> Block {
        let space = if tight && self.lines.len() == 1 { "" } else { " " };
        let height = self.lines.len();
        let sign = |signs: &[char; 4], row: usize| match row {
            _ if height == 1 => signs[3],
            0 => signs[0],
            _ if row + 1 == height => signs[2],
            _ => signs[1],
        };
        let counted = self.exit.unwrap_or(self.entry);
        let after = |row: usize| if row == counted { count.to_owned() } else { " ".repeat(columns(count)) };
        let lines = self.lines.iter().enumerate().map(|(row, line)| {
            let [left, right] = [&brackets[0], &brackets[1]].map(|signs| sign(signs, row));
            format!("{left}{space}{line}{space}{right}{}", after(row))
        });
        let width = self.width + 2 + 2 * space.len() + columns(count);
        Block { lines: lines.collect(), width, line_ends: [false; 2], ..self }
    }

    /// The block with empty lines above it, and below it up to a height.
    fn shifted(self, above: usize, height: usize) -> Block {
        let blank = " ".repeat(self.width);
        let mut lines = vec![blank.clone(); above];
        lines.extend(self.lines);
        lines.resize(height, blank);
        let exit = self.exit.map(|exit| exit + above);
        Block { lines, width: self.width, entry: self.entry + above, exit, line_ends: self.line_ends }
    }
}

/// The characters that lengthen a line: the line of time after a space, or spaces.
fn fill(missing: usize, continued: bool, signs: &Signs) -> String {
    match missing {
        1.. if continued => format!(" {}", signs.line.repeat(missing - 1)),
        _ => " ".repeat(missing),
    }
}

/// The vertical line of a fork or a join, row by row; `main` is the row of the stem.
fn stem(branches: &[usize], main: usize, height: usize, joints: &Joints, fork: bool) -> Vec<char> {
    let all = || branches.iter().copied().chain([main]);
    let (first, last) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let sign = |row: usize| {
        let (stem, branch) = (row == main, branches.contains(&row));
        let (left, right) = if fork { (stem, branch) } else { (branch, stem) };
        joint(joints, row > first && row <= last, row >= first && row < last, left, right)
    };
    (0..height).map(sign).collect()
}

/// The characters of a picture.
struct Signs {
    /// The line of time.
    line: &'static str,
    /// Where a line is cut and continued.
    cut: &'static str,
    /// Where lines split and one of them is taken; see [`joint`].
    one: Joints,
    /// Where lines split and all of them are taken.
    all: Joints,
    /// The same in the legend.
    one_sign: &'static str,
    all_sign: &'static str,
    /// Brackets: left and right; of each the top, the middle, the bottom, and the only one.
    step: Brackets,
    repeat: Brackets,
    forever: Brackets,
    /// What follows the brackets of a part that repeats forever.
    endless: &'static str,
    /// How a condition is written.
    spell: fn(&str) -> String,
}

/// Characters where lines meet.
type Joints = [char; 16];
/// Brackets: left and right; of each the top, the middle, the bottom, and the only one.
type Brackets = [[char; 4]; 2];

/// The character with lines in these directions.
fn joint(joints: &Joints, up: bool, down: bool, left: bool, right: bool) -> char {
    joints[usize::from(up) * 8 + usize::from(down) * 4 + usize::from(left) * 2 + usize::from(right)]
}

/// Box-drawing characters.
const UNICODE: Signs = Signs {
    line: "─",
    cut: "⋯",
    one: [' ', '─', '─', '─', '│', '┌', '┐', '┬', '│', '└', '┘', '┴', '│', '├', '┤', '┼'],
    all: [' ', '─', '─', '─', '║', '╓', '╖', '╥', '║', '╙', '╜', '╨', '║', '╟', '╢', '╫'],
    one_sign: "┬├└",
    all_sign: "╥╟╙",
    step: [['⎛', '⎜', '⎝', '('], ['⎞', '⎟', '⎠', ')']],
    repeat: [['⎡', '⎢', '⎣', '['], ['⎤', '⎥', '⎦', ']']],
    forever: [['╔', '║', '╚', '⟨'], ['╗', '║', '╝', '⟩']],
    endless: "∞",
    spell: str::to_owned,
};

/// For terminals and files without Unicode; only the user's own names may have other characters.
const ASCII: Signs = Signs {
    line: "-",
    cut: "...",
    one: [' ', '-', '-', '-', '|', '+', '+', '+', '|', '+', '+', '+', '|', '+', '+', '+'],
    all: [' ', '-', '-', '-', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#'],
    one_sign: "+",
    all_sign: "#",
    step: [['/', '|', '\\', '('], ['\\', '|', '/', ')']],
    repeat: [['['; 4], [']'; 4]],
    forever: [['{'; 4], ['}'; 4]],
    endless: " forever",
    spell: ascii,
};

fn ascii(text: &str) -> String {
    let word = |c: char| match c {
        '¬' => "!".to_owned(),
        '∧' => "&".to_owned(),
        '∨' => "|".to_owned(),
        '→' => "->".to_owned(),
        '↔' => "<->".to_owned(),
        '⊕' => "xor".to_owned(),
        '≤' => "<=".to_owned(),
        '≥' => ">=".to_owned(),
        '≠' => "!=".to_owned(),
        '·' => "*".to_owned(),
        '⊥' => "false".to_owned(),
        '⊤' => "true".to_owned(),
        '×' => "x".to_owned(),
        '∞' => "*".to_owned(),
        _ => c.to_string(),
    };
    text.chars().map(word).collect()
}

#[cfg(test)]
mod tests;
