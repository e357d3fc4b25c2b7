//! Random sets of requirements, decided by the product and by a brute-force solver that shares nothing with it.
//!
//! A sample runs with the other tests. All of it: `SHALL_SETS=100000 cargo test -p shall-realize --test random_sets`.

#[path = "brute/monitor.rs"]
mod monitor;
#[path = "brute/parity.rs"]
mod parity;

use base::Random;
use engine::NoSolver;
use logic::Store;
use monitor::{Sentence, Table, requirement};
use parity::{Play, system_wins};
use requirement::specification::{Kind, Type, Variable};
use requirement::{Reading, Requirement};
use shall_realize::{Budget, Game, Member, Order, Outcome, Unchecked, conflicts, game, judge};

const NAMES: [&str; 4] = ["i", "j", "o", "p"];

/// The tables of the four variables.
const VARIABLES: [Table; 4] = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];

fn table(random: &mut Random, inputs_only: bool) -> Table {
    let count = if inputs_only { 2 } else { 4 };
    let literal = |random: &mut Random| {
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
    let expression = |random: &mut Random| table(random, assumption);
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
        phrase: None,
        description: String::new(),
    };
    NAMES.iter().enumerate().map(variable).collect()
}

/// A random set: guarantees and assumptions, the reading and the order.
struct Case {
    guarantees: Vec<Sentence>,
    assumptions: Vec<Sentence>,
    any_end: bool,
    moore: bool,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut random = Random::new(seed);
        let guarantees = (0..1 + random.below(4)).map(|_| sentence(&mut random, false)).collect();
        let assumed = if random.below(3) == 0 { 1 + random.below(2) } else { 0 };
        let assumptions = (0..assumed).map(|_| sentence(&mut random, true)).collect();
        Case { guarantees, assumptions, any_end: random.below(3) == 0, moore: random.below(5) == 0 }
    }

    fn brute(&self, guarantees: &[Sentence]) -> Option<bool> {
        let Case { assumptions, any_end, moore, .. } = self;
        system_wins(&Play { guarantees, assumptions, any_end: *any_end, moore: *moore })
    }

    fn game(&self) -> Game {
        let mut store = Store::default();
        let all =
            self.guarantees.iter().map(|it| (it, false)).chain(self.assumptions.iter().map(|it| (it, true)));
        let requirements: Vec<(Requirement, bool)> =
            all.map(|(it, assumption)| (requirement(&mut store, it, &NAMES), assumption)).collect();
        let members: Vec<Member> = requirements
            .iter()
            .map(|(requirement, assumption)| Member { id: "R", requirement, assumption: *assumption })
            .collect();
        let reading = if self.any_end { Reading::AnyEnd } else { Reading::Endless };
        let set = game(&mut store, &variables(), &members, reading);
        assert!(set.refused.is_empty(), "{:?}", set.refused);
        set.game
    }

    fn order(&self) -> Order {
        if self.moore { Order::Moore } else { Order::Mealy }
    }

    /// The minimal sets of guarantees that are unrealizable, by brute force.
    fn conflicts(&self) -> Option<Vec<Vec<usize>>> {
        let count = self.guarantees.len();
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut sets: Vec<Vec<usize>> =
            (1..1u32 << count).map(|set| (0..count).filter(|it| set >> it & 1 == 1).collect()).collect();
        sets.sort_by_key(|it| (it.len(), it.clone()));
        for set in sets {
            if found.iter().any(|it| it.iter().all(|it| set.contains(it))) {
                continue;
            }
            let chosen: Vec<Sentence> = set.iter().map(|it| self.guarantees[*it]).collect();
            if !self.brute(&chosen)? {
                found.push(set);
            }
        }
        Some(found)
    }
}

/// Verdicts, minimal conflicts and certificates.
#[test]
fn verdicts_agree_with_brute_force() {
    let wanted: usize = std::env::var("SHALL_SETS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let first: u64 = std::env::var("SHALL_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let (mut compared, mut won, mut certified) = (0, 0, 0);
    for seed in first.. {
        if compared >= wanted {
            break;
        }
        let case = Case::new(seed);
        let (Some(expected), Some(conflicting)) = (case.brute(&case.guarantees), case.conflicts()) else {
            continue;
        };
        let game = case.game();
        let judged = judge(&game, case.order(), Budget::DEFAULT);
        let right = if expected { Outcome::Realizable } else { Outcome::Unrealizable };
        assert_eq!(judged.outcome, right, "seed {seed}");
        match judged.strategy.expect("a decided game has a strategy, or a reason why not") {
            Ok(strategy) => {
                let checked = strategy.check(&NoSolver, &|| false);
                assert_eq!(checked, Ok(()), "seed {seed}");
                certified += 1;
            }
            Err(reason) => assert_eq!(reason, Unchecked::Promises, "seed {seed}"),
        }
        let found = conflicts(&game, case.order(), Budget::DEFAULT);
        assert_eq!(found.gap, None, "seed {seed}");
        let found: Vec<Vec<usize>> = found.list.into_iter().map(|it| it.guarantees).collect();
        assert_eq!(found, conflicting, "seed {seed}");
        compared += 1;
        won += usize::from(expected);
    }
    println!("{compared} sets, {won} realizable, {certified} certified");
    assert!(certified * 10 > compared * 8, "most strategies have a certificate");
}
