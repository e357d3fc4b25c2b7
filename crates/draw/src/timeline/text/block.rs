//! Rectangles of text with a way in on the left and a way out on the right, and how to put them together.

use super::signs::{Brackets, Joints, Signs, joint};
use crate::words::{columns, pad_right};

/// Lines of equal width.
pub(super) struct Block {
    pub(super) lines: Vec<String>,
    width: usize,
    /// The line on which time comes in.
    pub(super) entry: usize,
    /// The line on which time goes out, if it does.
    pub(super) exit: Option<usize>,
    /// Whether the line of time itself reaches the left and the right edge there.
    line_ends: [bool; 2],
}

impl Block {
    /// A single line.
    pub(super) fn word(text: &str) -> Block {
        Block {
            lines: vec![text.to_owned()],
            width: columns(text),
            entry: 0,
            exit: Some(0),
            line_ends: [false; 2],
        }
    }

    /// Several lines; time goes through the one in the middle.
    pub(super) fn text(lines: &[String]) -> Block {
        let width = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        let lines: Vec<String> = lines.iter().map(|line| pad_right(line, width)).collect();
        let middle = lines.len().saturating_sub(1) / 2;
        Block { lines, width, entry: middle, exit: Some(middle), line_ends: [false; 2] }
    }

    /// The block with no way out.
    pub(super) fn closed(self) -> Block {
        Block { exit: None, ..self }
    }

    /// Another block behind this one, with a line between them.
    pub(super) fn then(self, next: Block, signs: &Signs) -> Block {
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

    /// Blocks one behind the other, in as many rows as the room asks for.
    pub(super) fn row(blocks: Vec<Block>, room: usize, signs: &Signs) -> Block {
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
        // The last row is continued to the right edge, where the way out is.
        let line_ends = [first.line_ends[0], last.line_ends[1] || last.width < width];
        let mut lines: Vec<String> = Vec::new();
        for line in rows.into_iter().flat_map(|row| row.lines) {
            let missing = width - columns(&line);
            let continued = exit == Some(lines.len());
            lines.push(line + &fill(missing, continued, signs));
        }
        Block { lines, width, entry, exit, line_ends }
    }

    /// Blocks below each other behind a fork, each continued to the same width.
    pub(super) fn fork(blocks: Vec<Block>, joints: &Joints, signs: &Signs) -> Block {
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

    /// Brackets around the block, and a count behind them.
    pub(super) fn bracket(self, brackets: &Brackets, count: &str, tight: bool) -> Block {
        let space = if tight && self.lines.len() == 1 { "" } else { " " };
        let height = self.lines.len();
        let sign = |signs: &[char; 4], row: usize| match row {
            _ if height == 1 => signs[3],
            0 => signs[0],
            _ if row + 1 == height => signs[2],
            _ => signs[1],
        };
        let counted = self.exit.unwrap_or(self.entry);
        let behind = |row: usize| if row == counted { count.to_owned() } else { " ".repeat(columns(count)) };
        let lines = self.lines.iter().enumerate().map(|(row, line)| {
            let [left, right] = [&brackets[0], &brackets[1]].map(|signs| sign(signs, row));
            format!("{left}{space}{line}{space}{right}{}", behind(row))
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

/// What makes a line longer: the line of time after a space, or spaces.
fn fill(missing: usize, continued: bool, signs: &Signs) -> String {
    match missing {
        1.. if continued => format!(" {}", signs.line.repeat(missing - 1)),
        _ => " ".repeat(missing),
    }
}

/// The upright line of a fork or a join, row by row; `main` is the row of the stem.
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
