//! Controllers of realizable requirements, written as Lustre and read back: the requirements are valid.

#[path = "../../realize/tests/common/text.rs"]
mod text;

use engine::{Answer, Config, NoSolver, verify};
use lustre::{Options, read};
use realize::{Budget, Order, Outcome, judge};
use requirement::Reading;
use shall_export::system::lustre;
use std::time::Duration;
use text::Text;

/// Sets of requirements, and how many of them are properties of the controller.
const SETS: [(&str, usize); 8] = [
    ("in p: bool\nout q: bool\nwhenever p the sw shall immediately satisfy q", 1),
    (
        "in p: bool\nout q: bool\nwhen p the sw shall within 3 ticks satisfy q\nthe sw shall always satisfy preBool(false, q) => !q",
        2,
    ),
    (
        "in p: bool\nout q: bool\nwhen p the sw shall for 5 ticks satisfy q\nwhenever !p & preBool(false, !p) & preBool(false, preBool(false, !p)) the sw shall eventually satisfy !q",
        1,
    ),
    // What must only happen at some time has no property.
    (
        "in p: bool\nout q r: bool\nwhenever p the sw shall eventually satisfy q\nthe sw shall eventually satisfy !q\nthe sw shall always satisfy q => r",
        1,
    ),
    (
        "in p: bool\nout s: enum(idle, run, stop)\nwhen p the sw shall at the next timepoint satisfy s = run\nwhenever preBool(false, s = run) the sw shall immediately satisfy s != idle\nthe sw shall always satisfy s = stop => preBool(false, s = run)",
        3,
    ),
    (
        "in a b: bool\nout x y: bool\nassume the env shall never satisfy a & b\nwhenever a the sw shall immediately satisfy x\nwhenever b the sw shall immediately satisfy y\nthe sw shall never satisfy x & y",
        3,
    ),
    (
        "in p: bool\nout q: bool\nafter p the sw shall until q satisfy !q | p\nonly in p the sw shall immediately satisfy q",
        2,
    ),
    (
        "in p m: bool\nout q: bool\nin m the sw shall after 4 ticks satisfy q\nwhenever !m the sw shall immediately satisfy q",
        2,
    ),
];

#[test]
fn controllers_are_valid_when_read_back() {
    for (text, properties) in SETS {
        let set = Text::read(text).set(Reading::Endless);
        let judged = judge(&set.game, Order::Mealy, Budget::DEFAULT);
        assert_eq!(judged.outcome, Outcome::Realizable, "{text}");
        let strategy = judged.strategy.expect("decided").expect("a strategy");
        let written = lustre(&strategy.controller(), "controller", &[]).expect("it can be written");
        let program = read(&written.text, &|_| None);
        let system = program.system("controller", &Options::default()).expect("it can be read");
        assert_eq!(system.properties.len(), properties, "{}", written.text);
        let all: Vec<usize> = (0..properties).collect();
        let left = || Duration::from_secs(60);
        for verdict in verify(&system, &all, &Config::new(&left, &NoSolver)) {
            let id = &system.properties[verdict.property].name;
            assert!(
                matches!(verdict.answer, Answer::Valid(_)),
                "{id}: {:?}\n{}",
                verdict.answer,
                written.text
            );
        }
    }
}
