//! Decides games, with the strategy of the player who wins.

use crate::approximate::approximated;
use crate::arena::{Choice, Owner, Pins};
use crate::certificate::{Extent, Strategy, Taste, Unchecked, controller, counterstrategy};
use crate::fixpoint::{Budget, Region, Solver};
use crate::game::{Game, Order, Prepared};
use crate::play::{Play, play};
use crate::verdict::Gap;
use dashu_ratio::RBig;

/// Whether the system player can win, whatever the environment does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It can.
    Realizable,
    /// It cannot.
    Unrealizable,
    /// Not decided.
    Unknown(Gap),
}

/// A decided game with its evidence.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Who wins.
    pub outcome: Outcome,
    /// The strategy of the player who wins, if the game is decided.
    pub strategy: Option<Result<Strategy, Unchecked>>,
    /// If the environment wins: how it does against one system.
    pub play: Option<Play>,
}

/// Decides a game.
pub fn decide(game: &Game, order: Order, budget: Budget) -> Outcome {
    let mut gap = None;
    let pieces = game.prepared().pieces(order, budget);
    for piece in pieces.iter().filter(|it| !it.answered) {
        match solved(&piece.prepared, order, budget) {
            Ok((_, region)) if region.won => {}
            Ok(_) => return Outcome::Unrealizable,
            Err(why) => gap = Some(why),
        }
    }
    gap.map_or(Outcome::Realizable, Outcome::Unknown)
}

/// Decides a game and finds the strategy of the player who wins.
pub fn judge(game: &Game, order: Order, budget: Budget) -> Judgement {
    judged(game, order, budget, Taste::Simple)
}

/// The same, with a controller whose outputs change only where they must.
pub fn synthesize(game: &Game, order: Order, budget: Budget) -> Judgement {
    judged(game, order, budget, Taste::Steady)
}

fn judged(game: &Game, order: Order, budget: Budget, taste: Taste) -> Judgement {
    let mut whole = game.prepared();
    let pieces = whole.pieces(order, budget);
    let mut won = Vec::new();
    let mut gap = None;
    for piece in pieces.iter().filter(|it| !it.answered) {
        match solved(&piece.prepared, order, budget) {
            Ok((solver, region)) if region.won => won.push((solver, region)),
            Ok((mut solver, region)) => {
                let strategy = counterstrategy(&mut solver, &region, Extent::Start);
                let play = strategy.as_ref().ok().and_then(|it| play(&mut solver, it).ok());
                let play = play.map(|it| it.in_whole(game, &piece.of));
                return Judgement { outcome: Outcome::Unrealizable, strategy: Some(strategy), play };
            }
            Err(why) => gap = Some(why),
        }
    }
    if let Some(gap) = gap {
        return Judgement { outcome: Outcome::Unknown(gap), strategy: None, play: None };
    }
    let mut answers = Vec::new();
    for piece in pieces.iter().filter(|it| it.answered) {
        match solved(&piece.prepared, order, budget) {
            Ok(solved) => answers.push(solved),
            Err(gap) => return Judgement { outcome: Outcome::Unknown(gap), strategy: None, play: None },
        }
    }
    let strategy = controller(&whole, &mut won, &mut answers, taste);
    Judgement { outcome: Outcome::Realizable, strategy: Some(strategy), play: None }
}

/// The region of a decided game. Comparisons that cannot be computed are the environment's to choose; if that decides against the
/// system, they are given to the system. If that decides for it, the player that would have to win gives up some freedom: factors
/// of products are constants, so that the products are linear.
fn solved<'g, 'b>(
    prepared: &'g Prepared,
    order: Order,
    budget: Budget<'b>,
) -> Result<(Solver<'g, 'b>, Region), Gap> {
    if let Some(decided) = approximated(prepared, order, budget) {
        return Ok(decided);
    }
    let solve = |owner: Owner, pins: Pins| {
        let mut solver =
            Solver::new(prepared, Choice { order, opaque: owner, selectors: false }, pins, budget)?;
        let region = solver.solve()?;
        Ok((solver, region))
    };
    let (solver, region) = solve(Owner::Environment, Pins::default())?;
    if region.won || !solver.arena.is_opaque() {
        return Ok((solver, region));
    }
    let (solver, region) = solve(Owner::System, Pins::default())?;
    if !region.won {
        return Ok((solver, region));
    }
    for (player, other) in [(Owner::System, Owner::Environment), (Owner::Environment, Owner::System)] {
        let factors = solver.arena.factors(player);
        for value in PINNED.iter().filter(|_| !factors.is_empty()) {
            let pins = factors.iter().map(|it| (*it, RBig::from(*value))).collect();
            match solve(other, pins) {
                Ok((solver, region)) if region.won == (player == Owner::System) => {
                    return Ok((solver, region));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    Err(Gap::Nonlinear)
}

/// The values that are tried for factors of products.
const PINNED: [u8; 3] = [0, 1, 2];
