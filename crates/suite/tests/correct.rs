//! Tests are runs of correct systems, by brute force: after each step of a test, a system can keep everything for some more steps,
//! whatever the environment does; a system that does not see the inputs could not have known them.

// The shared module knows the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

mod common;

use common::Text;
use logic::{Store, Value};
use realize::{Correct, Order};
use requirement::specification::Kind;
use requirement::{Watch, watch};
use shall_suite::{Coverage, Criterion};

/// The number of further steps.
const DEPTH: usize = 3;

/// A set of requirements of Booleans, as brute force plays it.
struct Played<'a> {
    store: &'a Store,
    watches: &'a [Watch],
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    order: Order,
}

impl Played<'_> {
    /// What comes after a step; `None` if it violates something.
    fn after(&self, at: &Coverage, value: impl Fn(&str) -> Option<bool>) -> Option<Coverage> {
        let mut at = at.clone();
        at.step(self.store, &|name| value(name).map(Value::Bool));
        let is_kept = |it: &Watch| !at.holds(it.bad) && !at.holds(it.left);
        self.watches.iter().all(is_kept).then_some(at)
    }

    /// The same with values as bits, the inputs first.
    fn with(&self, at: &Coverage, inputs: usize, outputs: usize) -> Option<Coverage> {
        let bit = |names: &[&str], bits: usize, name: &str| {
            names.iter().position(|it| *it == name).map(|place| bits >> place & 1 == 1)
        };
        self.after(at, |name| bit(&self.inputs, inputs, name).or_else(|| bit(&self.outputs, outputs, name)))
    }

    /// Whether a system can keep everything for a number of steps.
    fn wins(&self, at: &Coverage, depth: usize) -> bool {
        let (inputs, outputs) = (1usize << self.inputs.len(), 1usize << self.outputs.len());
        let keeps = |input: usize, output: usize| {
            self.with(at, input, output).is_some_and(|it| self.wins(&it, depth - 1))
        };
        depth == 0
            || match self.order {
                Order::Mealy => (0..inputs).all(|input| (0..outputs).any(|output| keeps(input, output))),
                Order::Moore => (0..outputs).any(|output| (0..inputs).all(|input| keeps(input, output))),
            }
    }
}

fn check(text: &str, order: Order) {
    let mut set = Text::read(text);
    let made = set.suite_in(&Criterion::ALL, order);
    assert!(made.groups.iter().all(|it| it.correct == Some(Correct::Winning)), "{text}");
    assert!(made.tests.len() > 3, "{text}");
    let requirements: Vec<_> = set.requirements.iter().map(|it| it.0.clone()).collect();
    let watches: Vec<Watch> =
        requirements.iter().map(|it| watch(&mut set.store, it).expect("looks back only")).collect();
    let all: Vec<_> = watches.iter().flat_map(|it| [it.bad, it.left]).collect();
    let fresh = Coverage::new(&set.store, &[], &all).expect("looks back only");
    let named = |kind: Kind| {
        set.variables.iter().filter(|it| it.kind == kind).map(|it| it.name.as_str()).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (named(Kind::Input), named(Kind::Output));
    let played = Played { store: &set.store, watches: &watches, inputs, outputs, order };
    for test in &made.tests {
        let mut at = fresh.clone();
        for step in 0..test.trace.len() {
            let value = |name: &str| {
                let column = test.trace.column(name)?;
                Some(*test.trace.value(column, step) == Value::Bool(true))
            };
            if order == Order::Moore {
                for others in 0..1usize << played.inputs.len() {
                    let other = |name: &str| {
                        let place = played.inputs.iter().position(|it| *it == name);
                        place.map_or_else(|| value(name), |place| Some(others >> place & 1 == 1))
                    };
                    let after = played.after(&at, other);
                    let is_right = after.is_some_and(|it| played.wins(&it, DEPTH));
                    assert!(is_right, "{text}: step {step} of {:?}", test.trace);
                }
            }
            at = played.after(&at, value).expect("a test violates nothing");
            assert!(played.wins(&at, DEPTH), "{text}: after step {step} of {:?}", test.trace);
        }
    }
}

/// After `p` without `t`, the next step cannot be right. The requirements that say so are far from `a` and `b`.
#[test]
fn tests_of_large_groups_can_go_on() {
    check(
        "in p: bool
         out a b c d e t u: bool
         whenever p & a the lamp shall immediately satisfy b
         whenever !t the lamp shall at the next timepoint satisfy u
         whenever p the lamp shall at the next timepoint satisfy !u
         whenever b the lamp shall immediately satisfy c | d
         whenever c the lamp shall immediately satisfy d | e
         whenever d the lamp shall immediately satisfy e | t
         whenever e the lamp shall at the next timepoint satisfy d | c
         whenever c & e the lamp shall immediately satisfy t | a",
        Order::Mealy,
    );
}

/// Without `p`, `y` or `z` is due, so a system that does not see `p` always gives one of them.
#[test]
fn tests_of_systems_that_do_not_see_the_inputs_need_no_foresight() {
    for text in [
        "in p: bool
         out a b y z: bool
         whenever !p the lamp shall immediately satisfy y | z
         whenever p the lamp shall at the next timepoint satisfy z | a
         whenever a the lamp shall at the next timepoint satisfy b",
        "in p: bool
         out a b c d e y z: bool
         whenever !p the lamp shall immediately satisfy y | z
         whenever p the lamp shall at the next timepoint satisfy z | a
         whenever a the lamp shall at the next timepoint satisfy b
         whenever b the lamp shall immediately satisfy c | d
         whenever c the lamp shall immediately satisfy d | e
         whenever d the lamp shall immediately satisfy e | b
         whenever e the lamp shall at the next timepoint satisfy d | c
         whenever c & e the lamp shall immediately satisfy b | a",
        "in p: bool
         out q: bool
         when p the lamp shall within 2 ticks satisfy q",
    ] {
        check(text, Order::Moore);
    }
}
