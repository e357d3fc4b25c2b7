//! Random sets of requirements, decided by the product and by a brute-force solver that shares nothing with it.
//!
//! A sample runs with the other tests. All of it: `SHALL_SETS=100000 cargo test -p shall-realize --test random_sets`.

#[path = "brute/monitor.rs"]
mod monitor;
#[path = "brute/parity.rs"]
mod parity;

use base::Random;
use logic::Store;
use monitor::{Sentence, Table, requirement};
use parity::{Play, system_wins};
use requirement::specification::{Kind, Type, Variable};
use requirement::{Reading, Requirement};
use shall_realize::{Budget, Member, Order, Outcome, decide, game};

const NAMES: [&str; 4] = ["i", "j", "o", "p"];

/// The tables of the four variables.
const VARIABLES: [Table; 4] = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];

fn table(random: &mut Random, inputs_only: bool) -> Table {
    let count = if inputs_only { 2 } else { 4 };
    let mut literal = |random: &mut Random| {
        let it = VARIABLES[random.below(count)];
        if random.below(3) == 0 { !it } else { it }
    };
    match random.below(8) {
        0 => literal(random) & literal(random),
        1 => literal(random) | literal(random),
        _ => literal(random),
    }
}

fn sentence(random: &mut Random, assumption: bool) -> Sentence {
    let mut expression = |random: &mut Random| table(random, assumption);
    let mode = expression(random);
    let cond = expression(random);
    let stop = expression(random);
    let res = match (assumption, random.below(4)) {
        (true, _) | (false, 0) => expression(random),
        // Mostly about outputs.
        (false, _) => VARIABLES[2 + random.below(2)] ^ if random.below(2) == 0 { 0 } else { 0xFFFF },
    };
    let scope = if random.below(2) == 0 { 0 } else { random.below(8u8) };
    Sentence {
        scope,
        mode,
        condition: random.below(3u8),
        cond,
        timing: random.below(11u8),
        steps: random.below(4u8),
        stop,
        res,
    }
}

fn variables() -> Vec<Variable> {
    let variable = |(place, name): (usize, &&str)| Variable {
        name: (*name).to_owned(),
        kind: if place < 2 { Kind::Input } else { Kind::Output },
        ty: Type::Bool,
        unit: None,
        definition: None,
        description: String::new(),
    };
    NAMES.iter().enumerate().map(variable).collect()
}

#[test]
fn verdicts_agree_with_brute_force() {
    let wanted: usize = std::env::var("SHALL_SETS").ok().and_then(|it| it.parse().ok()).unwrap_or(400);
    let first: u64 = std::env::var("SHALL_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let (mut compared, mut won) = (0, 0);
    for seed in first.. {
        if compared >= wanted {
            break;
        }
        let mut random = Random::new(seed);
        let guarantees: Vec<Sentence> =
            (0..1 + random.below(4)).map(|_| sentence(&mut random, false)).collect();
        let assumed = if random.below(3) == 0 { 1 + random.below(2) } else { 0 };
        let assumptions: Vec<Sentence> = (0..assumed).map(|_| sentence(&mut random, true)).collect();
        let any_end = random.below(3) == 0;
        let moore = random.below(5) == 0;
        let play = Play { guarantees: &guarantees, assumptions: &assumptions, any_end, moore };
        let Some(expected) = system_wins(&play) else { continue };
        let mut store = Store::default();
        let requirements: Vec<(Requirement, bool)> = guarantees
            .iter()
            .map(|it| (it, false))
            .chain(assumptions.iter().map(|it| (it, true)))
            .map(|(it, assumption)| (requirement(&mut store, it, &NAMES), assumption))
            .collect();
        let members: Vec<Member> = requirements
            .iter()
            .map(|(requirement, assumption)| Member { id: "R", requirement, assumption: *assumption })
            .collect();
        let reading = if any_end { Reading::AnyEnd } else { Reading::Endless };
        let set = game(&mut store, &variables(), &members, reading);
        assert!(set.refused.is_empty(), "seed {seed}: {:?}", set.refused);
        let order = if moore { Order::Moore } else { Order::Mealy };
        let wanted = if expected { Outcome::Realizable } else { Outcome::Unrealizable };
        let found = decide(&set.game, order, Budget::DEFAULT);
        assert_eq!(
            found,
            wanted,
            "seed {seed}, {}, {}: {guarantees:#?} {assumptions:#?}",
            reading.name(),
            order.name()
        );
        compared += 1;
        won += usize::from(expected);
    }
    println!("{compared} sets, {won} realizable");
}
