//! Random programs with sets and maps of numbers: on a run in which all numbers that occur are watched, a property has the value that sets
//! of numbers give it; on any other run, it fails only where it fails for them.
//!
//! `SHALL_ROUNDS=5000` tries more programs.

use base::Random;
use shall_lustre::{Options, read};
use std::collections::{BTreeMap, BTreeSet};
use system::{System, Value, simulate};

/// The numbers of runs are below this one.
const NUMBERS: u8 = 3;
const STEPS: usize = 5;

type Set = BTreeSet<u8>;
type Map = BTreeMap<u8, u8>;

/// An expression that is a set.
enum SetExpr {
    Input,
    Of(Vec<Number>),
    Before,
    With(&'static str, Box<[SetExpr; 2]>),
    If(Box<Condition>, Box<[SetExpr; 2]>),
}

enum Number {
    X,
    Y,
    Constant(u8),
    /// What the map has for `x` or `y`.
    Found(bool),
}

enum Condition {
    In(Number, SetExpr),
    HasKey(Number),
    Same(SetExpr, SetExpr),
    SameNumber(Number, Number),
    Not(Box<Condition>),
    With(&'static str, Box<[Condition; 2]>),
}

struct Generator(Random);

impl Generator {
    fn number(&mut self, in_map: bool) -> Number {
        match self.0.below(if in_map { 4 } else { 3 }) {
            0 => Number::X,
            1 => Number::Y,
            2 => Number::Constant(self.0.below(usize::from(NUMBERS)) as u8),
            _ => Number::Found(self.0.below(2) == 0),
        }
    }

    fn set(&mut self, depth: usize, before: bool) -> SetExpr {
        let both = |this: &mut Self| Box::new([this.set(depth - 1, before), this.set(depth - 1, before)]);
        match self.0.below(if depth == 0 { 3 } else { 6 }) {
            0 => SetExpr::Input,
            1 if before => SetExpr::Before,
            1 | 2 => SetExpr::Of((0..1 + self.0.below(2)).map(|_| self.number(false)).collect()),
            3 if before => SetExpr::If(Box::new(self.condition(0, false)), both(self)),
            _ => SetExpr::With(["+", "*", "-"][self.0.below(3)], both(self)),
        }
    }

    fn condition(&mut self, depth: usize, in_map: bool) -> Condition {
        match self.0.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => Condition::In(self.number(in_map), self.set(1, false)),
            2 if in_map => Condition::SameNumber(self.number(true), self.number(true)),
            2 => Condition::In(self.number(false), self.set(0, false)),
            3 if in_map => Condition::HasKey(self.number(false)),
            3 | 4 => Condition::Same(self.set(1, false), self.set(1, false)),
            5 => Condition::Not(Box::new(self.condition(depth - 1, in_map))),
            _ => {
                let both = [self.condition(depth - 1, in_map), self.condition(depth - 1, in_map)];
                Condition::With(["and", "or", "=>"][self.0.below(3)], Box::new(both))
            }
        }
    }
}

impl SetExpr {
    fn text(&self) -> String {
        match self {
            SetExpr::Input => "a".to_owned(),
            SetExpr::Before => "pre s".to_owned(),
            SetExpr::Of(parts) => {
                format!("{{{}}}", parts.iter().map(Number::text).collect::<Vec<_>>().join(", "))
            }
            SetExpr::With(operator, both) => format!("({} {operator} {})", both[0].text(), both[1].text()),
            SetExpr::If(condition, both) => {
                format!("(if {} then {} else {})", condition.text(), both[0].text(), both[1].text())
            }
        }
    }

    fn value(&self, now: &Now) -> Option<Set> {
        Some(match self {
            SetExpr::Input => now.a.clone(),
            SetExpr::Before => now.before.clone(),
            SetExpr::Of(parts) => parts.iter().map(|it| it.value(now)).collect::<Option<_>>()?,
            SetExpr::With(operator, both) => {
                let (a, b) = (both[0].value(now)?, both[1].value(now)?);
                match *operator {
                    "+" => &a | &b,
                    "*" => &a & &b,
                    _ => &a - &b,
                }
            }
            SetExpr::If(condition, both) => both[usize::from(!condition.value(now)?)].value(now)?,
        })
    }
}

impl Number {
    fn text(&self) -> String {
        match self {
            Number::X => "x".to_owned(),
            Number::Y => "y".to_owned(),
            Number::Constant(it) => it.to_string(),
            Number::Found(first) => format!("m[{}]", if *first { "x" } else { "y" }),
        }
    }

    /// `None` for what a map does not have.
    fn value(&self, now: &Now) -> Option<u8> {
        match self {
            Number::X => Some(now.x),
            Number::Y => Some(now.y),
            Number::Constant(it) => Some(*it),
            Number::Found(first) => now.map.get(if *first { &now.x } else { &now.y }).copied(),
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::In(number, set) => format!("({} in {})", number.text(), set.text()),
            Condition::HasKey(number) => format!("({} in m)", number.text()),
            Condition::Same(a, b) => format!("({} = {})", a.text(), b.text()),
            Condition::SameNumber(a, b) => format!("({} = {})", a.text(), b.text()),
            Condition::Not(a) => format!("not {}", a.text()),
            Condition::With(operator, both) => format!("({} {operator} {})", both[0].text(), both[1].text()),
        }
    }

    fn value(&self, now: &Now) -> Option<bool> {
        Some(match self {
            Condition::In(number, set) => set.value(now)?.contains(&number.value(now)?),
            Condition::HasKey(number) => now.map.contains_key(&number.value(now)?),
            Condition::Same(a, b) => a.value(now)? == b.value(now)?,
            Condition::SameNumber(a, b) => a.value(now)? == b.value(now)?,
            Condition::Not(a) => !a.value(now)?,
            Condition::With(operator, both) => {
                let (a, b) = (both[0].value(now)?, both[1].value(now)?);
                match *operator {
                    "and" => a && b,
                    "or" => a || b,
                    _ => !a || b,
                }
            }
        })
    }
}

/// The values of a step.
#[derive(Default, Clone)]
struct Now {
    x: u8,
    y: u8,
    a: Set,
    before: Set,
    map: Map,
}

#[test]
fn properties_of_sets_agree_with_sets() {
    let rounds = std::env::var("SHALL_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(400);
    let (mut decided, mut failed, mut all) = (0usize, 0usize, 0usize);
    for round in 0..rounds {
        let mut generator = Generator(Random::new(round + 1));
        let first = generator.set(1, false);
        let later = generator.set(2, true);
        let removed = generator.set(0, false);
        let claim = generator.condition(2, true);
        let text = format!(
            "node f(x, y: int; a: set<int>) returns (s: set<int>; m: map<int, int>);\nlet\n  s = {} -> {};\n  \
             m = map[x := y] -> (pre m - {})[x := y];\n  check \"p\" {};\ntel\n",
            first.text(),
            later.text(),
            removed.text(),
            claim.text(),
        );
        let program = read(&text, &|_| None);
        assert!(!program.is_wrong(), "round {round}: {:?}\n{text}", program.diagnostics);
        let system = program.system("f", &Options::default()).unwrap_or_else(|it| panic!("{it:?}\n{text}"));
        let mut rng = Random::new(round + 1000);
        for _ in 0..4 {
            let keys = keys(&system, &mut rng);
            let inputs: Vec<Now> = (0..STEPS).map(|_| drawn(&mut rng)).collect();
            let found = simulated(&system, &keys, &inputs);
            let watched = (0..NUMBERS).all(|it| keys.contains(&it));
            let mut now = Now::default();
            for (step, input) in inputs.iter().enumerate() {
                now = Now { before: now.before, map: now.map, ..input.clone() };
                let set = if step == 0 { &first } else { &later }.value(&now);
                for gone in removed.value(&now).unwrap_or_default() {
                    now.map.remove(&gone);
                }
                now.map.insert(now.x, now.y);
                all += 1;
                match (found[step], claim.value(&now)) {
                    (Some(found), Some(expected)) if watched => {
                        decided += 1;
                        assert_eq!(found, expected, "round {round}, step {step}, {keys:?}\n{text}");
                    }
                    // What a map does not have may not matter.
                    (Some(false), expected) => {
                        failed += 1;
                        assert_ne!(expected, Some(true), "round {round}, step {step}, {keys:?}\n{text}");
                    }
                    _ => {}
                }
                now.before = set.unwrap_or_default();
            }
        }
    }
    assert!(decided * 6 > all && failed * 20 > all, "{decided} and {failed} of {all}");
}

/// The watched numbers: different from each other, often all that occur.
fn keys(system: &System, rng: &mut Random) -> Vec<u8> {
    let count =
        system.state.iter().filter(|it| system.variables[it.var.index()].name.starts_with("int#")).count();
    let mut all: Vec<u8> = (0..count as u8 + NUMBERS).collect();
    if rng.below(3) > 0 {
        all.truncate(count);
    }
    let mut keys = Vec::new();
    while keys.len() < count {
        keys.push(all.remove(rng.below(all.len())));
    }
    keys
}

fn drawn(rng: &mut Random) -> Now {
    let mut number = || rng.below(usize::from(NUMBERS)) as u8;
    let (x, y) = (number(), number());
    let a = (0..NUMBERS).filter(|_| rng.below(2) == 0).collect();
    Now { x, y, a, ..Now::default() }
}

/// The value of the property at each step, if it is known.
fn simulated(system: &System, keys: &[u8], inputs: &[Now]) -> Vec<Option<bool>> {
    let is_key = |name: &str| name.strip_prefix("int#").and_then(|it| it.parse::<usize>().ok());
    let given = system.state.iter().filter_map(|it| {
        let key = is_key(&system.variables[it.var.index()].name)?;
        Some((it.var, Value::Int(keys[key - 1].into())))
    });
    let given: Vec<_> = given.collect();
    let row = |now: &Now| {
        let value = |name: &str| match name {
            "x" => Value::Int(now.x.into()),
            "y" => Value::Int(now.y.into()),
            _ => match name.strip_prefix("a{#").and_then(|it| it.strip_suffix('}')) {
                Some(place) => Value::Bool(now.a.contains(&keys[place.parse::<usize>().unwrap() - 1])),
                None => Value::Int(0.into()),
            },
        };
        system.inputs.iter().map(|it| value(&system.variables[it.index()].name)).collect()
    };
    let rows: Vec<Vec<Value>> = inputs.iter().map(row).collect();
    simulate(system, &given, &rows).steps.iter().map(|it| it.properties[0]).collect()
}
