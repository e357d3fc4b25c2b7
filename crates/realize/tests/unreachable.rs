//! Proofs that something is unreachable are checked, and corrupted ones are rejected.

#[allow(dead_code, reason = "not everything is needed here")]
#[path = "common/text.rs"]
mod text;

use logic::Store;
use requirement::sentence::read;
use requirement::{Context, Reading, past};
use shall_realize::{Budget, Order, Unreachable, game_with, walk};
use system::Pool;
use text::Text;

/// Whether the set makes it impossible to violate another sentence, with the proofs of it.
fn proofs(set: &str, implied: &str) -> Option<(Unreachable, Option<Unreachable>)> {
    let mut set = Text::read(set);
    let mut store: Store = std::mem::take(&mut set.store);
    let implied = read(&mut store, implied, &Context::default()).requirement.expect("can be read");
    let holds = past(&mut store, &implied).expect("looks back only");
    let violated = store.not(holds);
    let (game, goals) = game_with(&mut store, &set.variables, &set.members(), Reading::Endless, &[violated]);
    let goal = goals[0].clone().expect("fits");
    walk(&game.game, &[goal], Order::Mealy, Budget::DEFAULT, |walks| {
        let is_reachable = walks.can_reach(goal).expect("is within limits");
        let proof = walks.proof(goal, None);
        assert_eq!(is_reachable, proof.is_err(), "what is reachable has no proof");
        let losses = walks.proof_of_losses().expect("can be written down");
        proof.ok().map(|it| (it, losses))
    })
    .expect("is within limits")
}

const SETS: [(&str, &str); 5] = [
    DELAYED,
    (
        "in p: bool
         out q r: bool
         whenever p the lamp shall immediately satisfy q
         whenever q the lamp shall at the next timepoint satisfy r",
        "whenever p the lamp shall at the next timepoint satisfy r",
    ),
    (
        "in p: bool
         out q: bool
         when p the lamp shall for 3 ticks satisfy q",
        "when p the lamp shall for 2 ticks satisfy q",
    ),
    // A number in the memory.
    (
        "out x: real
         the lamp shall immediately satisfy x >= 1.0
         the lamp shall always satisfy FTP | preReal(0.0, x) <= x",
        "the lamp shall always satisfy x >= 1.0",
    ),
    // After `a`, no outputs are right whatever `p` is, so correct systems avoid it.
    (
        "in p: bool
         out a b: bool
         whenever a the lamp shall at the next timepoint satisfy b
         whenever p the lamp shall immediately satisfy !b",
        "the lamp shall always satisfy !a",
    ),
];

/// What was three steps before is in two different places of the memory.
const DELAYED: (&str, &str) = (
    "in p: bool
     out r s: bool
     the lamp shall always satisfy r <=> preBool(false, p)
     the lamp shall always satisfy s <=> preBool(false, r)",
    "the lamp shall always satisfy preBool(false, preBool(false, preBool(false, p))) => preBool(false, s)",
);

#[test]
fn proofs_are_checked() {
    for (set, implied) in SETS {
        let (proof, losses) = proofs(set, implied).unwrap_or_else(|| panic!("{implied} is implied"));
        assert_eq!(proof.check(&|| false), Ok(()), "{implied}");
        assert!(losses.is_none_or(|it| it.check(&|| false).is_ok()), "{implied}");
    }
    let (set, _) = SETS[1];
    assert!(proofs(set, "the lamp shall always satisfy r").is_none());
}

#[test]
fn corrupted_proofs_are_rejected() {
    for (set, implied) in SETS {
        let (proof, losses) = proofs(set, implied).expect("is implied");
        let rejected = |it: Unreachable| it.check(&|| false).is_err();
        assert!(rejected(proof.with_states(|_, _| Pool::FALSE)), "{implied}: without the initial states");
        assert!(rejected(proof.with_states(Pool::not)), "{implied}: all other states");
        // For others, what the step before says is enough.
        if implied == DELAYED.1 {
            assert!(rejected(proof.with_states(|_, _| Pool::TRUE)), "{implied}: all states");
        }
        if let Some(losses) = losses {
            assert!(rejected(losses.with_states(Pool::not)), "{implied}: states that are not lost");
        }
    }
}
