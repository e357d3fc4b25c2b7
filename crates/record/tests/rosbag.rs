//! Bags of ROS 2 in SQLite files, which `data/bags.py` writes.

mod formats;

use formats::{shown, survives};
use shall_record::Reader as _;
use shall_record::rosbag::read;
use std::io::Cursor;

const SMALL: &[u8] = include_bytes!("data/small.db3");
const OLD: &[u8] = include_bytes!("data/old.db3");

fn fails(file: &[u8], expected: &str) {
    let error = read(Cursor::new(file)).and_then(shown).expect_err("not a bag").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn messages_are_steps() {
    let bag = read(Cursor::new(SMALL)).expect("a bag");
    assert_eq!(bag.left_out(), ["`/other` (the bag has no definition of `other_msgs/msg/Other`)"]);
    let (names, steps) = shown(bag).expect("steps");
    assert_eq!(names, ["time", "/tank.level", "/tank.note", "/alarm.data"]);
    let expected = |step: usize| {
        let note = "x".repeat(if step == 30 { 2_000 } else { step % 3 });
        let level = logic::format_decimal(&(logic::RBig::from(step) / logic::RBig::from(4)));
        format!("{} {} {note} {}", 1_000 + 10 * step, level.unwrap_or_default(), step % 2 == 1)
    };
    assert_eq!(steps, (0..60).map(expected).collect::<Vec<_>>());
}

#[test]
fn types_of_ros_need_no_definition() {
    let (names, steps) = shown(read(Cursor::new(OLD)).expect("a bag")).expect("steps");
    assert_eq!(names[4], "/imu.orientation.x");
    assert_eq!(steps, ["1700000000000000000 5 6 imu 0.1 0.2 0.3 0.4 1 2 3 0 0 9.81"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    fails(b"SQLite format 3", "not a database of SQLite 3");
    fails(&SMALL[..SMALL.len() - 600], "the file is cut off: it has 18 of 20 pages");
    let at = SMALL.windows(8).position(|bytes| bytes == b"messages").expect("a table");
    let mut other = SMALL.to_vec();
    other[at] = b'M';
    fails(&other, "it has no tables `topics` and `messages`");
}

#[test]
fn damaged_files_are_errors() {
    survives(SMALL, |bytes| read(Cursor::new(bytes)).and_then(shown));
}
