//! The scene for a terminal: a time axis, then one line for each lane.
//!
//! Signals are drawn high and low as in a timing diagram; a dot is a step about which nothing is said. The words of
//! a mark are inside it, after it or below it. No line ends with a space, and with labels of up to 28 columns a
//! scene of 16 steps fits into 80 columns, except for a word after the last step.

use super::{demand, is_signal, lane_name, visible};
use crate::terminal::{columns, pad_right, plain, shorten};
use requirement::diagram::{Lane, Mark, MarkKind, Scene};

/// The widest label, in columns.
const LABEL: usize = 28;

/// The characters of a drawing.
struct Glyphs {
    /// A step at which a signal is false.
    low: char,
    /// A step at which a signal is true, or must be.
    high: char,
    /// A step about which nothing is said.
    nothing: char,
    /// A step at which the response must not hold.
    forbidden: char,
    /// Start, line and end of an interval.
    stretch: [char; 3],
    /// Start, line and end of an interval of which one step counts.
    choice: [char; 3],
    /// Start, line and end of a duration.
    duration: [char; 3],
    /// A trigger.
    trigger: char,
    /// A step of a choice at which the response holds.
    once: char,
    /// A step of a choice at which it does not hold.
    once_not: char,
    /// A step on the time axis, the line, and the arrow at its end.
    axis: [char; 3],
    /// Where a label was cut.
    ellipsis: &'static str,
}

/// Blocks and box-drawing characters.
const UNICODE: Glyphs = Glyphs {
    low: '▁',
    high: '█',
    nothing: '·',
    forbidden: '░',
    stretch: ['├', '─', '┤'],
    choice: ['├', '╌', '┤'],
    duration: ['└', '─', '┘'],
    trigger: '▲',
    once: '◆',
    once_not: '◇',
    axis: ['┬', '─', '▶'],
    ellipsis: "…",
};

/// For terminals and files without Unicode.
const ASCII: Glyphs = Glyphs {
    low: '_',
    high: '#',
    nothing: '.',
    forbidden: '/',
    stretch: ['|', '=', '|'],
    choice: ['|', '-', '|'],
    duration: ['|', '-', '|'],
    trigger: '^',
    once: '*',
    once_not: 'o',
    axis: ['+', '-', '>'],
    ellipsis: "...",
};

/// The scene as text, with box-drawing characters or in plain ASCII; the user's own words are kept as they are.
pub fn text(scene: &Scene, unicode: bool) -> String {
    let glyphs = if unicode { &UNICODE } else { &ASCII };
    let grid = Grid::of(scene);
    let axis = if scene.shortened { "time (not to scale)" } else { "time" };
    let mut lines = vec![(axis.to_owned(), grid.axis(glyphs))];
    for lane in &scene.lanes {
        let name = shorten(&lane_name(lane), LABEL, glyphs.ellipsis);
        let (row, below) = draw_lane(grid, lane, &visible(scene, lane), glyphs);
        lines.push((name, row));
        lines.extend(below.into_iter().map(|row| (String::new(), row)));
    }
    let gutter = lines.iter().map(|(name, _)| columns(name)).max().unwrap_or(0) + 2;
    let line = |(name, row): &(String, Row)| pad_right(name, gutter) + &row.cells.iter().collect::<String>();
    lines.iter().map(|parts| format!("{}\n", line(parts).trim_end())).collect()
}

/// The number of steps, and the columns that each takes.
#[derive(Clone, Copy)]
struct Grid {
    steps: usize,
    step: usize,
}

impl Grid {
    fn of(scene: &Scene) -> Grid {
        let step = match scene.length {
            0..=20 => 3,
            21..=32 => 2,
            33.. => 1,
        };
        Grid { steps: scene.length, step }
    }

    fn start(self, step: usize) -> usize {
        step * self.step
    }

    fn middle(self, step: usize) -> usize {
        step * self.step + self.step / 2
    }

    fn axis(self, glyphs: &Glyphs) -> Row {
        let [tick, line, arrow] = glyphs.axis;
        let mut row = Row::filled(self.start(self.steps), line);
        (0..self.steps).for_each(|step| row.put(self.start(step), tick));
        row.put(self.start(self.steps), arrow);
        row
    }
}

/// A line of characters.
struct Row {
    cells: Vec<char>,
}

impl Row {
    fn filled(width: usize, with: char) -> Row {
        Row { cells: vec![with; width] }
    }

    fn put(&mut self, at: usize, c: char) {
        if self.cells.len() <= at {
            self.cells.resize(at + 1, ' ');
        }
        self.cells[at] = c;
    }

    fn write(&mut self, at: usize, text: &str) {
        text.chars().enumerate().for_each(|(k, c)| self.put(at + k, c));
    }

    fn fill(&mut self, from: usize, width: usize, c: char) {
        (from..from + width).for_each(|at| self.put(at, c));
    }

    /// A line with ends; a single character is just the line.
    fn span(&mut self, from: usize, width: usize, [start, line, end]: [char; 3]) {
        self.fill(from, width, line);
        if width > 1 {
            self.put(from, start);
            self.put(from + width - 1, end);
        }
    }
}

/// The line of a lane, and the lines below it that it needs.
fn draw_lane(grid: Grid, lane: &Lane, marks: &[Mark], glyphs: &Glyphs) -> (Row, Vec<Row>) {
    let mut row = Row::filled(grid.start(grid.steps), ' ');
    if is_signal(lane.role) {
        row.fill(0, grid.start(grid.steps), glyphs.low);
    } else {
        (0..grid.steps).for_each(|step| row.put(grid.middle(step), glyphs.nothing));
    }
    let mut below = Vec::new();
    for mark in marks {
        draw_mark(&mut row, grid, mark, glyphs);
    }
    for (k, mark) in marks.iter().enumerate() {
        let room = marks.get(k + 1).map(|next| grid.start(next.from));
        let said = demand(mark.kind).is_none_or(|words| say(&mut row, grid, mark, words, room, glyphs));
        let label = mark.label.as_deref().map(plain);
        let mut under = label.map_or(String::new(), |label| duration(grid, mark, &label, glyphs));
        if let Some(words) = demand(mark.kind).filter(|_| !said) {
            under = format!("{under} {words}").trim_start().to_owned();
        }
        if !under.is_empty() {
            write_below(&mut below, grid.middle(mark.from), &under);
        }
    }
    (row, below)
}

fn draw_mark(row: &mut Row, grid: Grid, mark: &Mark, glyphs: &Glyphs) {
    let from = grid.start(mark.from);
    let width = grid.start(mark.to + 1) - from;
    let mut choice = |once: char| {
        row.span(from, width, glyphs.choice);
        row.put(from + width / 2, once);
    };
    match mark.kind {
        MarkKind::Holds | MarkKind::Must => row.fill(from, width, glyphs.high),
        MarkKind::MustNot => row.fill(from, width, glyphs.forbidden),
        MarkKind::Applies => row.span(from, width, glyphs.stretch),
        MarkKind::Somewhere => choice(glyphs.once),
        MarkKind::SomewhereNot => choice(glyphs.once_not),
        MarkKind::Trigger => {
            (mark.from..=mark.to).for_each(|step| row.put(grid.middle(step), glyphs.trigger));
        }
    }
}

/// Writes the words inside their mark, or after it if they end before `room`; returns whether there was room.
fn say(row: &mut Row, grid: Grid, mark: &Mark, words: &str, room: Option<usize>, glyphs: &Glyphs) -> bool {
    let from = grid.start(mark.from);
    let end = grid.start(mark.to + 1);
    let (line, inside) = match mark.kind {
        MarkKind::Somewhere => (glyphs.choice[1], format!("{} {words}", glyphs.once)),
        MarkKind::SomewhereNot => (glyphs.choice[1], format!("{} {words}", glyphs.once_not)),
        MarkKind::MustNot => (glyphs.forbidden, words.to_owned()),
        MarkKind::Must | MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger => {
            (glyphs.high, words.to_owned())
        }
    };
    // Words that replace the whole line of a choice would hide that it is a choice.
    let (spare, tight) =
        if line == glyphs.choice[1] { (4, format!("{inside} ")) } else { (2, inside.clone()) };
    for (text, spare) in [(format!(" {inside} "), spare), (tight, 2)] {
        let edge = (end - from).saturating_sub(columns(&text));
        if edge >= spare {
            // The sign in the middle of the mark moves in front of the words.
            row.put(from + (end - from) / 2, line);
            row.write(from + edge / 2, &text);
            return true;
        }
    }
    let fits = room.is_none_or(|room| end + columns(words) + 2 <= room);
    if fits {
        row.write(end, &format!(" {words} "));
    }
    fits
}

/// A bracket from the middle of the first step to the middle of the last, with its label inside or after it.
fn duration(grid: Grid, mark: &Mark, label: &str, glyphs: &Glyphs) -> String {
    let width = grid.middle(mark.to) - grid.middle(mark.from) + 1;
    let mut bracket = Row::filled(0, ' ');
    bracket.span(0, width, glyphs.duration);
    if columns(label) + 4 <= width {
        let spaced = format!(" {label} ");
        bracket.write((width - columns(&spaced)) / 2, &spaced);
    } else {
        bracket.write(width + 1, label);
    }
    bracket.cells.into_iter().collect()
}

/// Writes into the first line below that is still free at a column.
fn write_below(below: &mut Vec<Row>, at: usize, text: &str) {
    let free = below.iter().position(|row| row.cells.len() < at);
    let k = free.unwrap_or(below.len());
    if k == below.len() {
        below.push(Row::filled(0, ' '));
    }
    below[k].write(at, text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::diagram::Role;

    fn lane(label: &str, role: Role, marks: &[(usize, usize, MarkKind, Option<&str>)]) -> Lane {
        let mark = |&(from, to, kind, label): &(usize, usize, MarkKind, Option<&str>)| Mark {
            from,
            to,
            kind,
            label: label.map(str::to_owned),
        };
        Lane { label: label.into(), role, marks: marks.iter().map(mark).collect() }
    }

    fn check(length: usize, lanes: &[Lane], unicode: bool, expected: &str) {
        let shortened = lanes.iter().flat_map(|lane| &lane.marks).any(|mark| mark.label.is_some());
        assert_eq!(text(&Scene { length, shortened, lanes: lanes.to_vec() }, unicode), expected);
    }

    #[test]
    fn a_whole_scene() {
        let lanes = [
            lane("taxi", Role::Mode, &[(0, 1, MarkKind::Holds, None), (13, 15, MarkKind::Holds, None)]),
            lane("applies here", Role::Scope, &[(2, 12, MarkKind::Applies, None)]),
            lane("speed > 300", Role::Condition, &[(4, 5, MarkKind::Holds, None)]),
            lane("trigger", Role::Trigger, &[(4, 4, MarkKind::Trigger, None)]),
            lane(
                "alarm",
                Role::Response,
                &[(4, 8, MarkKind::MustNot, Some("3 steps")), (9, 9, MarkKind::Must, None)],
            ),
        ];
        check(
            16,
            &lanes,
            true,
            "\
time (not to scale)  ┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──▶
taxi                 ██████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█████████
applies here          ·  · ├───────────────────────────────┤ ·  ·  ·
speed > 300          ▁▁▁▁▁▁▁▁▁▁▁▁██████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
trigger               ·  ·  ·  ·  ▲  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
alarm                 ·  ·  ·  · ░must not hold░███ must hold   ·  ·
                                  └─ 3 steps ─┘
",
        );
        check(
            16,
            &lanes,
            false,
            "\
time (not to scale)  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+-->
taxi                 ######_________________________________#########
applies here          .  . |===============================| .  .  .
speed > 300          ____________######______________________________
trigger               .  .  .  .  ^  .  .  .  .  .  .  .  .  .  .  .
alarm                 .  .  .  . /must not hold/### must hold   .  .
                                  |- 3 steps -|
",
        );
    }

    #[test]
    fn words_are_inside_after_or_below_their_mark() {
        let check = |marks: &[(usize, usize, MarkKind, Option<&str>)], expected: &str| {
            let shortened = marks.iter().any(|mark| mark.3.is_some());
            let scene = Scene { length: 12, shortened, lanes: vec![lane("r", Role::Response, marks)] };
            let drawn = text(&scene, true);
            let lines: Vec<&str> = drawn.lines().skip(1).collect();
            assert_eq!(lines.join("\n"), expected);
        };
        check(&[(0, 4, MarkKind::Must, None)], "r     ██ must hold ██ ·  ·  ·  ·  ·  ·  ·");
        check(&[(0, 1, MarkKind::Must, None)], "r     ██████ must hold   ·  ·  ·  ·  ·  ·");
        check(
            &[(10, 11, MarkKind::MustNot, None)],
            "r      ·  ·  ·  ·  ·  ·  ·  ·  ·  · ░░░░░░ must not hold",
        );
        check(&[(1, 11, MarkKind::MustNot, None)], "r      · ░░░░░░░░░ must not hold ░░░░░░░░░");
        check(&[(0, 11, MarkKind::Somewhere, None)], "r     ├╌╌╌╌ ◆ must hold once or more ╌╌╌╌┤");
        check(&[(0, 8, MarkKind::Somewhere, None)], "r     ├◆ must hold once or more ┤ ·  ·  ·");
        check(
            &[(1, 3, MarkKind::SomewhereNot, Some("1000000 steps"))],
            "\
r                     · ├╌╌╌◇╌╌╌┤ must be false once or more
                         └─────┘ 1000000 steps",
        );
        check(
            &[(1, 2, MarkKind::Must, None), (4, 5, MarkKind::Must, None)],
            "\
r      · ██████ · ██████ must hold   ·  ·
          must hold",
        );
        check(
            &[(0, 2, MarkKind::MustNot, Some("2 steps")), (4, 8, MarkKind::Must, Some("4 steps"))],
            "\
r                    ░░░░░░░░░ · ██ must hold ██ ·  ·  ·
                      └─────┘ 2 steps must not hold
                                  └─ 4 steps ─┘",
        );
    }

    #[test]
    fn odd_scenes() {
        check(0, &[], true, "time  ▶\n");
        check(0, &[lane("p", Role::Mode, &[(0, 3, MarkKind::Holds, None)])], true, "time  ▶\np\n");
        let outside =
            [(2, 9, MarkKind::Holds, None), (7, 8, MarkKind::Holds, None), (2, 1, MarkKind::Holds, None)];
        check(3, &[lane("", Role::Mode, &outside)], true, "time  ┬──┬──┬──▶\nmode  ▁▁▁▁▁▁███\n");
        let long = lane("altitude_above_ground > 1000 & x", Role::Stop, &[]);
        check(
            1,
            &[long],
            true,
            "\
time                          ┬──▶
altitude_above_ground > 100…  ▁▁▁
",
        );
        let many = [lane("p", Role::Mode, &[(20, 39, MarkKind::Holds, None)])];
        let lines = format!("time  {}>\np     {}{}\n", "+".repeat(40), "_".repeat(20), "#".repeat(20));
        check(40, &many, false, &lines);
    }
}
