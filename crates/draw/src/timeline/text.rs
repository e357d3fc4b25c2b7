//! The picture for a terminal: lines of time drawn with characters, such as `start ─ [¬a]* ─ (a) ─ ⟨ anything ⟩∞`.
//!
//! A step stands in round brackets, what repeats in square ones before its count, what repeats for ever in pointed
//! ones. Branches go down from `┬`, lanes that happen together from `╥`. A line that is too long goes on
//! below, from `⋯` to `⋯`; a legend says what the signs mean.

mod block;
mod signs;

use self::block::Block;
use self::signs::{ASCII, Signs, UNICODE};
use super::Undrawable;
use super::label;
use super::plan::{Guard, NO_WAY, Part, Plan, Times};
use crate::words::columns;
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
            Part::Either(parts) if parts.is_empty() => Block::word(NO_WAY).closed(),
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
                body.bracket(&self.signs.forever, self.signs.for_ever, false).closed()
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
        (forever && signs.for_ever == "∞", "∞ for ever".to_owned()),
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

#[cfg(test)]
mod tests;
