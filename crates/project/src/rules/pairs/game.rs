//! Two requirements as a game: whether an implementation can satisfy both, and whether it can only by never triggering one of them.

use super::super::conflict::Clash;
use super::Around;
use crate::project::Known;
use crate::set::{ComponentSet, set_of};
use realize::{Budget, Game, Gap, Guarantee, Order, Outcome, Play, Trigger, decide, judge, triggers};
use requirement::Reading;
use requirement::oracle;

/// Limits for one pair: games of two requirements are small.
const BUDGET: Budget<'static> = Budget { nodes: 100_000, steps: 20, ..Budget::DEFAULT };

/// What is known of two requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::rules) enum Answer {
    /// An implementation can satisfy both, and each of them can be triggered.
    Fine,
    /// The environment can make every implementation violate one of them.
    Conflict(Clash),
    /// An implementation that satisfies both never lets these be triggered, although each of them could be triggered without the other.
    Idle([bool; 2]),
    /// Not decided.
    Unknown(String),
}

/// Decides about two requirements, as long as the environment keeps the assumptions.
pub(super) fn judged(around: &Around, pair: [&Known; 2], assumptions: &[&Known]) -> Answer {
    // Most conflicts need no assumption, and what does not conflict without one does not conflict with it.
    match alone(around, pair, &[]) {
        Answer::Conflict(_) | Answer::Unknown(_) if !assumptions.is_empty() => {
            alone(around, pair, assumptions)
        }
        answer => answer,
    }
}

fn alone(around: &Around, pair: [&Known; 2], assumptions: &[&Known]) -> Answer {
    let known: Vec<&Known> = pair.into_iter().chain(assumptions.iter().copied()).collect();
    let mut set = set_of(around.project, around.analysis, around.component, &known);
    let game = set.game(Reading::Endless);
    // What has no formula is not part of any game; `shall check --set` names it.
    if game.members != [0, 1] {
        return Answer::Fine;
    }
    let game = game.game;
    match decide(&game, Order::Mealy, BUDGET) {
        Outcome::Realizable => idle(&game),
        Outcome::Unrealizable => conflict(&set, &game),
        Outcome::Unknown(gap) => Answer::Unknown(gap.to_string()),
    }
}

/// Requirements that can be satisfied together: whether only without triggering them.
fn idle(game: &Game) -> Answer {
    let is_avoidable = |it: &Guarantee| game.cone([it.trigger]).iter().any(|var| game.is_output(*var));
    if !game.guarantees.iter().any(is_avoidable) {
        return Answer::Fine;
    }
    let is_idle = |game: &Game| -> Result<Vec<bool>, Gap> {
        let all = triggers(game, Order::Mealy, BUDGET);
        all.into_iter().map(|it| Ok(it? == Trigger::Impossible)).collect()
    };
    let together = match is_idle(game) {
        Ok(idle) => idle,
        Err(gap) => return Answer::Unknown(gap.to_string()),
    };
    let mut idle = [false; 2];
    for at in (0..2).filter(|it| together.get(*it) == Some(&true)) {
        // One that is idle by itself is not idle because of the other.
        idle[at] = is_idle(&game.part(&[at])) == Ok(vec![false]);
    }
    if idle == [false; 2] { Answer::Fine } else { Answer::Idle(idle) }
}

/// Requirements that cannot be satisfied together: whether each of them can.
fn conflict(set: &ComponentSet, game: &Game) -> Answer {
    for at in [0, 1] {
        match decide(&game.part(&[at]), Order::Mealy, BUDGET) {
            Outcome::Realizable => {}
            // Not a matter of two requirements.
            Outcome::Unrealizable => return Answer::Fine,
            Outcome::Unknown(gap) => return Answer::Unknown(gap.to_string()),
        }
    }
    let Some(play) = judge(game, Order::Mealy, BUDGET).play else {
        return Answer::Unknown(Gap::NoValue.to_string());
    };
    if !is_violated(set, game, &play) {
        return Answer::Unknown(Gap::Rejected.to_string());
    }
    let leaves = |at: usize| play.demands.iter().find(|it| it.0 == at).map(|it| it.1.clone());
    let leaves = (0..2).filter_map(leaves).collect();
    Answer::Conflict(Clash { after: Some(play.steps.len().saturating_sub(1)), leaves })
}

/// Whether the definitions of the language agree that the play violates one of the requirements.
fn is_violated(set: &ComponentSet, game: &Game, play: &Play) -> bool {
    let Some(trace) = play.trace(game) else { return false };
    set.members[..2]
        .iter()
        .any(|it| oracle::judge(&set.store, &it.requirement, &trace).is_ok_and(|verdict| !verdict.holds()))
}
