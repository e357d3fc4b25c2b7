//! Places: where blocks are, where their ports are, and the points of lines. A line goes where its file says, and around blocks if the file
//! says nothing.
//!
//! Blocks without a place are put into columns from left to right: each one column after the last block that it depends on; lines that
//! close a loop do not count.

use super::{Block, End, Facing, Line, Outline, Sheet};
use crate::svg::{Point, Rect};

/// The distance between columns and rows of blocks without a place, and their size.
const COLUMN: i32 = 130;
const ROW: i32 = 80;
const WIDTH: i32 = 60;
const HEIGHT: i32 = 40;

/// The distance between the ends of a line that is drawn straight: places of ports in the file are rounded.
const SLACK: i32 = 8;
/// The distance of a line from the blocks that it goes around.
const GAP: i32 = 10;
/// The maximum number of blocks that lines go around: each is looked at for each place that a line may bend at.
const MOST: usize = 200;
/// The distance between lines of different outputs beside each other.
const LANE: i32 = 4;
/// The length of the part of a line at its output that others keep away from.
const BEGIN: i32 = 20;
/// The number of places beside each other that a line may have.
const LANES: usize = 4;

/// The largest coordinate and distance: drawings beyond have no pixels.
const FAR: i32 = 100_000;

/// The rectangles of all blocks.
pub(super) fn places(sheet: &Sheet) -> Vec<Rect> {
    let columns = columns(sheet);
    let mut rows: Vec<i32> = Vec::new();
    let lowest = sheet.blocks.iter().filter_map(|it| it.place).map(|it| near(it[3])).max();
    let top = lowest.map_or(0, |it| it + ROW);
    let mut free = |column: usize| {
        rows.resize(rows.len().max(column + 1), 0);
        rows[column] += 1;
        let (x, y) = (column as i32 * COLUMN, top + (rows[column] - 1) * ROW);
        Rect { x: near(x), y: near(y), width: WIDTH, height: HEIGHT }
    };
    let place = |(block, column): (&Block, usize)| match block.place {
        Some(sides) => {
            let [left, up, right, down] = sides.map(near);
            Rect {
                x: left.min(right),
                y: up.min(down),
                width: (right - left).abs(),
                height: (down - up).abs(),
            }
        }
        None => free(column),
    };
    sheet.blocks.iter().zip(columns).map(place).collect()
}

fn near(coordinate: i32) -> i32 {
    coordinate.clamp(-FAR, FAR)
}

/// The column of each block: the longest chain of lines before it.
fn columns(sheet: &Sheet) -> Vec<usize> {
    let count = sheet.blocks.len();
    let mut before = vec![Vec::new(); count];
    for Line { from: (from, _), to: (to, _), .. } in &sheet.lines {
        if *from < count && *to < count && from != to {
            before[*to].push(*from);
        }
    }
    let (mut column, mut state) = (vec![0; count], vec![0u8; count]);
    for root in 0..count {
        let mut walk = vec![(root, 0)];
        while let Some(&mut (at, ref mut next)) = walk.last_mut() {
            state[at] = state[at].max(1);
            match before[at].get(*next) {
                Some(&other) => {
                    *next += 1;
                    // One that is still open closes a loop.
                    match state[other] {
                        0 => walk.push((other, 0)),
                        1 => {}
                        _ => column[at] = column[at].max(column[other] + 1),
                    }
                }
                None => {
                    state[at] = 2;
                    walk.pop();
                    if let Some(&(above, _)) = walk.last() {
                        column[above] = column[above].max(column[at] + 1);
                    }
                }
            }
        }
    }
    column
}

/// The place of an output.
pub(super) fn output(block: &Block, rect: Rect, output: usize) -> Point {
    side(rect, block.facing, share(output, block.outputs.len().max(output + 1)))
}

/// The place where a line ends.
pub(super) fn input(block: &Block, rect: Rect, end: End) -> Point {
    match end {
        End::Control(number) => {
            let turned = match block.facing {
                Facing::Right | Facing::Left => Facing::Up,
                Facing::Down | Facing::Up => Facing::Left,
            };
            side(rect, turned, share(number, block.controls.len().max(number + 1)))
        }
        End::Input(number) => {
            let places = block.inputs.len().max(number + 1);
            let ports = block.inputs.iter().enumerate().filter(|(_, it)| it.is_some());
            let place = ports.map(|(place, _)| place).nth(number).unwrap_or(number);
            match block.outline {
                Outline::Round => around(rect, block.facing, place, places),
                _ => side(rect, opposite(block.facing), share(place, places)),
            }
        }
    }
}

/// The thousandths of a side at which one of several ports is.
fn share(number: usize, count: usize) -> i32 {
    ((2 * number + 1) * 500 / count.max(1)) as i32
}

fn opposite(facing: Facing) -> Facing {
    match facing {
        Facing::Right => Facing::Left,
        Facing::Left => Facing::Right,
        Facing::Down => Facing::Up,
        Facing::Up => Facing::Down,
    }
}

/// A point on a side, by the thousandths of its length.
fn side(rect: Rect, facing: Facing, share: i32) -> Point {
    let Rect { x, y, width, height } = rect;
    match facing {
        Facing::Right => (x + width, y + height * share / 1000),
        Facing::Left => (x, y + height * share / 1000),
        Facing::Down => (x + width * share / 1000, y + height),
        Facing::Up => (x + width * share / 1000, y),
    }
}

/// A point on the half of a circle that faces backward, from its top to its bottom.
fn around(rect: Rect, facing: Facing, place: usize, count: usize) -> Point {
    let Rect { x, y, width, height } = rect;
    let angle = match count {
        0 | 1 => std::f64::consts::FRAC_PI_2,
        _ => std::f64::consts::PI * place as f64 / (count - 1) as f64,
    };
    // Along the circle from the top: backward is the sine, downward the cosine.
    let (back, down) = (angle.sin(), -angle.cos());
    let (across, along) = match facing {
        Facing::Right => (-back, down),
        Facing::Left => (back, down),
        Facing::Down => (down, -back),
        Facing::Up => (down, back),
    };
    let (half_width, half_height) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
    let middle = (f64::from(x) + half_width, f64::from(y) + half_height);
    ((middle.0 + across * half_width).round() as i32, (middle.1 + along * half_height).round() as i32)
}

/// The points of all lines. One without a route keeps apart from the others that are drawn before it, if it can.
pub(super) fn lines(sheet: &Sheet, places: &[Rect]) -> Vec<Vec<Point>> {
    let mut all = vec![Vec::new(); sheet.lines.len()];
    // Where a line leaves its output, no other one ends.
    let begin = |line: &Line| {
        let (from, number) = line.from;
        let start = output(sheet.blocks.get(from)?, places[from], number);
        let end = match sheet.blocks[from].facing {
            Facing::Right => (start.0 + BEGIN, start.1),
            Facing::Left => (start.0 - BEGIN, start.1),
            Facing::Down => (start.0, start.1 + BEGIN),
            Facing::Up => (start.0, start.1 - BEGIN),
        };
        Some(Part { of: line.from, ends: [start, end] })
    };
    let mut drawn: Vec<Part> = sheet.lines.iter().filter_map(begin).collect();
    let mut order: Vec<usize> = (0..sheet.lines.len()).collect();
    order.sort_by_key(|&at| sheet.lines[at].route.is_empty());
    for at in order {
        let line = &sheet.lines[at];
        all[at] = points(sheet, places, line, &drawn);
        drawn.extend(all[at].windows(2).map(|part| Part { of: line.from, ends: [part[0], part[1]] }));
    }
    all
}

/// An upright part of a line of an output.
struct Part {
    of: (usize, usize),
    ends: [Point; 2],
}

impl Part {
    /// Whether another part lies on this one, or goes on where it ends.
    fn is_under(&self, a: Point, b: Point) -> bool {
        let [c, d] = self.ends;
        let overlap = |a: i32, b: i32, c: i32, d: i32| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
        let is_near = |a: i32, b: i32| (a - b).abs() < LANE;
        let along = |x: fn(&Point) -> i32, y: fn(&Point) -> i32| {
            y(&a) == y(&b) && y(&c) == y(&d) && is_near(y(&a), y(&c)) && overlap(x(&a), x(&b), x(&c), x(&d))
        };
        along(|it| it.0, |it| it.1) || along(|it| it.1, |it| it.0)
    }
}

/// The points of a line, with the parts of lines that are drawn already.
fn points(sheet: &Sheet, places: &[Rect], line: &Line, drawn: &[Part]) -> Vec<Point> {
    let ((from, number), (to, end)) = (line.from, line.to);
    let (Some(start), Some(last)) = (sheet.blocks.get(from), sheet.blocks.get(to)) else { return Vec::new() };
    let (start, mut goal) = (output(start, places[from], number), input(last, places[to], end));
    let mut points = vec![start];
    let mut now = start;
    for (x, y) in &line.route {
        now = (near(now.0.saturating_add(*x)), near(now.1.saturating_add(*y)));
        points.push(now);
    }
    // An input is where a straight line meets its block, if that is beside the place of the port.
    let upright = matches!(end, End::Control(_)) != matches!(last.facing, Facing::Up | Facing::Down);
    let Rect { x, y, width, height } = places[to];
    let meets =
        |a: i32, b: i32, from: i32, size: i32| (a - b).abs() <= SLACK && (from..=from + size).contains(&a);
    if last.outline != Outline::Round {
        match upright {
            true if meets(now.0, goal.0, x, width) => goal.0 = now.0,
            false if meets(now.1, goal.1, y, height) => goal.1 = now.1,
            _ => {}
        }
    }
    if now.0 != goal.0 && now.1 != goal.1 {
        if upright {
            points.push((goal.0, now.1));
        } else if line.route.is_empty() {
            let others: Vec<&Part> = drawn.iter().filter(|it| it.of != line.from).collect();
            points.extend(around_blocks(now, goal, places, &others, (from + number) % LANES));
        } else {
            points.push((now.0, goal.1));
        }
    }
    points.push(goal);
    points.dedup();
    points
}

/// Where a line without a route bends: in the middle between its ends, or as near to it as no block is in the way; else above or below the
/// blocks in its way. It does not lie on parts of other lines, if that can be had in one of its lanes.
fn around_blocks(start: Point, goal: Point, places: &[Rect], others: &[&Part], own: usize) -> Vec<Point> {
    let middle = (start.0 + goal.0) / 2;
    if places.len() > MOST {
        return simple(start, goal, middle);
    }
    let lanes = (0..LANES).map(|it| (own + it) % LANES * LANE as usize);
    let all: Vec<Vec<Point>> = lanes.flat_map(|lane| ways(start, goal, places, lane as i32)).collect();
    let is_apart = |bends: &Vec<Point>| {
        let all = [&[start], &bends[..], &[goal]].concat();
        all.windows(2).all(|part| others.iter().all(|other| !other.is_under(part[0], part[1])))
    };
    let best = all.iter().find(|it| is_apart(it)).or(all.first());
    best.cloned().unwrap_or_else(|| simple(start, goal, middle))
}

fn simple(start: Point, goal: Point, x: i32) -> Vec<Point> {
    vec![(x, start.1), (x, goal.1)]
}

/// The ways in a lane that go through no block, the best one first.
fn ways(start: Point, goal: Point, places: &[Rect], lane: i32) -> Vec<Vec<Point>> {
    let is_free = |bends: &Vec<Point>| {
        let all = [&[start], &bends[..], &[goal]].concat();
        let last = all.len() - 2;
        // Only the ends of a line touch blocks.
        let margin = |part: usize| if part == 0 || part == last { 0 } else { LANE / 2 };
        let mut parts = all.windows(2).enumerate();
        parts.all(|(k, it)| places.iter().all(|rect| !crosses(it[0], it[1], *rect, margin(k))))
    };
    let middle = (start.0 + goal.0) / 2;
    let mut columns: Vec<i32> = places
        .iter()
        .flat_map(|it| [it.x - GAP - lane, it.x + it.width + GAP + lane])
        .chain([middle + lane])
        .collect();
    columns.retain(|x| (start.0 < *x) == (*x < goal.0));
    columns.sort_by_key(|x| (x - middle).abs());
    let mut rows: Vec<i32> =
        places.iter().flat_map(|it| [it.y - GAP - lane, it.y + it.height + 2 * GAP + lane]).collect();
    let detour = |y: i32| (y - start.1).abs() + (y - goal.1).abs();
    rows.sort_by_key(|y| detour(*y));
    let (out, back) = (start.0 + GAP + lane, goal.0 - GAP - lane);
    let long = |y: i32| vec![(out, start.1), (out, y), (back, y), (back, goal.1)];
    let straight = columns.into_iter().map(|x| simple(start, goal, x));
    straight.chain(rows.into_iter().map(long)).filter(is_free).collect()
}

/// Whether an upright part of a line goes through a block, or beside it within a margin.
fn crosses(a: Point, b: Point, rect: Rect, margin: i32) -> bool {
    let Rect { x, y, width, height } = rect;
    let apart =
        |a: i32, b: i32, from: i32, size: i32| a.max(b) <= from - margin || a.min(b) >= from + size + margin;
    !apart(a.0, b.0, x, width) && !apart(a.1, b.1, y, height)
}

#[cfg(test)]
mod tests {
    use super::super::{Block, End, Facing, Line, Outline, Sheet};
    use super::{Point, input, lines, output, places};

    /// The points of one line.
    fn points(sheet: &Sheet, line: &Line) -> Vec<Point> {
        let sheet = Sheet { lines: vec![line.clone()], ..sheet.clone() };
        lines(&sheet, &places(&sheet)).remove(0)
    }

    fn block(place: [i32; 4], inputs: &str, outputs: usize) -> Block {
        let inputs = inputs.chars().map(|it| (it != '|').then(|| it.to_string())).collect();
        Block { place: Some(place), inputs, outputs: vec![String::new(); outputs], ..Block::default() }
    }

    #[test]
    fn ports_are_on_their_sides() {
        let plain = block([10, 20, 50, 60], "ab", 1);
        let sheet = Sheet { blocks: vec![plain.clone()], ..Sheet::default() };
        let rect = places(&sheet)[0];
        assert_eq!(output(&plain, rect, 0), (50, 40));
        assert_eq!(
            (input(&plain, rect, End::Input(0)), input(&plain, rect, End::Input(1))),
            ((10, 30), (10, 50))
        );
        assert_eq!(input(&plain, rect, End::Control(0)), (30, 20));
        let turned = Block { facing: Facing::Left, ..plain };
        assert_eq!((output(&turned, rect, 0), input(&turned, rect, End::Input(0))), ((10, 40), (50, 30)));
        // The first place of a sum is empty: its inputs are at the back and at the bottom.
        let sum = Block { outline: Outline::Round, ..block([10, 20, 50, 60], "|+-", 1) };
        assert_eq!(
            (input(&sum, rect, End::Input(0)), input(&sum, rect, End::Input(1))),
            ((10, 40), (30, 60))
        );
    }

    #[test]
    fn lines_are_upright() {
        let blocks = vec![block([0, 0, 20, 20], "", 1), block([100, 50, 120, 70], "a", 0)];
        let line = |route: &[(i32, i32)]| Line {
            from: (0, 0),
            to: (1, End::Input(0)),
            route: route.to_vec(),
            name: String::new(),
            value: None,
            signal: None,
        };
        let sheet = Sheet { blocks, ..Sheet::default() };
        assert_eq!(points(&sheet, &line(&[])), [(20, 10), (60, 10), (60, 60), (100, 60)]);
        assert_eq!(points(&sheet, &line(&[(30, 0), (0, 50)])), [(20, 10), (50, 10), (50, 60), (100, 60)]);
        assert_eq!(points(&sheet, &line(&[(30, 0)])), [(20, 10), (50, 10), (50, 60), (100, 60)]);
        // A port is where a straight line meets its block.
        assert_eq!(points(&sheet, &line(&[(0, 45)])), [(20, 10), (20, 55), (100, 55)]);
    }

    #[test]
    fn lines_go_around_blocks() {
        let line = Line {
            from: (0, 0),
            to: (1, End::Input(0)),
            route: Vec::new(),
            name: String::new(),
            value: None,
            signal: None,
        };
        let ends = [block([0, 0, 20, 20], "", 1), block([200, 50, 220, 70], "a", 0)];
        let with = |place: [i32; 4]| {
            let sheet = Sheet { blocks: [&ends[..], &[block(place, "", 0)]].concat(), ..Sheet::default() };
            points(&sheet, &line)
        };
        // Above a block that fills the way, and after one that fills a part of it.
        assert_eq!(with([90, 0, 130, 80]), [(20, 10), (30, 10), (30, -10), (190, -10), (190, 60), (200, 60)]);
        assert_eq!(with([90, 30, 130, 100]), [(20, 10), (140, 10), (140, 60), (200, 60)]);
    }

    #[test]
    fn lines_of_different_outputs_do_not_lie_on_each_other() {
        let blocks = vec![
            block([0, 0, 20, 20], "", 1),
            block([0, 50, 20, 70], "", 1),
            block([200, 50, 220, 70], "a", 0),
            block([200, 100, 220, 120], "a", 0),
        ];
        let line = |from: usize, to: usize| Line {
            from: (from, 0),
            to: (to, End::Input(0)),
            route: Vec::new(),
            name: String::new(),
            value: None,
            signal: None,
        };
        // The second line begins at the height at which the first one ends.
        let sheet = Sheet { blocks, lines: vec![line(1, 3), line(0, 2)], ..Sheet::default() };
        let [first, second] = &lines(&sheet, &places(&sheet))[..] else { panic!("two lines") };
        assert_eq!(first[..2], [(20, 60), (114, 60)]);
        assert!(second[1].0 > 114, "{second:?}");
    }

    #[test]
    fn blocks_without_a_place_are_in_columns() {
        let free = Block::default();
        let line = |from: usize, to: usize| Line {
            from: (from, 0),
            to: (to, End::Input(0)),
            route: Vec::new(),
            name: String::new(),
            value: None,
            signal: None,
        };
        let blocks = vec![free.clone(), free.clone(), free.clone(), free];
        let sheet =
            Sheet { blocks, lines: vec![line(0, 1), line(1, 2), line(2, 1), line(0, 3)], ..Sheet::default() };
        let columns: Vec<i32> = places(&sheet).iter().map(|it| it.x / super::COLUMN).collect();
        assert_eq!(columns[0], 0);
        assert_eq!(columns[3], 1);
        assert_ne!(columns[1], columns[2]);
    }
}
