//! Random sets of requirements over two inputs and two outputs, of all templates.

use crate::monitor::{Sentence, Table, requirement};
use base::Random;
use logic::Store;
use requirement::specification::{self, Kind, Variable};
use requirement::{Reading, Requirement};
use shall_realize::{Game, Member, Order, game};

pub(crate) const NAMES: [&str; 4] = ["i", "j", "o", "p"];

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
        ty: specification::Type::Bool,
        unit: None,
        definition: None,
        phrase: None,
        description: String::new(),
    };
    NAMES.iter().enumerate().map(variable).collect()
}

/// A random set: guarantees and assumptions, the reading and the order.
pub(crate) struct Case {
    pub(crate) guarantees: Vec<Sentence>,
    pub(crate) assumptions: Vec<Sentence>,
    pub(crate) any_end: bool,
    pub(crate) moore: bool,
}

impl Case {
    pub(crate) fn new(seed: u64) -> Case {
        let mut random = Random::new(seed);
        let guarantees = (0..1 + random.below(4)).map(|_| sentence(&mut random, false)).collect();
        let assumed = if random.below(3) == 0 { 1 + random.below(2) } else { 0 };
        let assumptions = (0..assumed).map(|_| sentence(&mut random, true)).collect();
        Case { guarantees, assumptions, any_end: random.below(3) == 0, moore: random.below(5) == 0 }
    }

    pub(crate) fn game(&self) -> Game {
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

    pub(crate) fn order(&self) -> Order {
        if self.moore { Order::Moore } else { Order::Mealy }
    }
}
