//! Decides games, with the strategy of the player who wins.

use crate::arena::Owner;
use crate::certificate::{Strategy, Unchecked, controller, counterstrategy};
use crate::fixpoint::{Budget, Region, Solver};
use crate::game::{Game, Order, Prepared};
use crate::play::{Play, play};
use crate::verdict::Gap;

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
    let prepared = game.prepared();
    match solved(&prepared, order, budget) {
        Ok((_, region)) if region.won => Outcome::Realizable,
        Ok(_) => Outcome::Unrealizable,
        Err(gap) => Outcome::Unknown(gap),
    }
}

/// Decides a game and finds the strategy of the player who wins.
pub fn judge(game: &Game, order: Order, budget: Budget) -> Judgement {
    let prepared = game.prepared();
    match solved(&prepared, order, budget) {
        Ok((mut solver, region)) if region.won => {
            let strategy = controller(&mut solver, &region);
            Judgement { outcome: Outcome::Realizable, strategy: Some(strategy), play: None }
        }
        Ok((mut solver, region)) => {
            let strategy = counterstrategy(&mut solver, &region);
            let play = strategy.as_ref().ok().and_then(|it| play(&mut solver, it).ok());
            Judgement { outcome: Outcome::Unrealizable, strategy: Some(strategy), play }
        }
        Err(gap) => Judgement { outcome: Outcome::Unknown(gap), strategy: None, play: None },
    }
}

/// The region of a decided game. Comparisons that cannot be computed are the environment's to choose; if that decides against the
/// system, they are given to the system.
fn solved<'g, 'b>(
    prepared: &'g Prepared,
    order: Order,
    budget: Budget<'b>,
) -> Result<(Solver<'g, 'b>, Region), Gap> {
    let solve = |owner: Owner| {
        let mut solver = Solver::new(prepared, order, owner, false, budget)?;
        let region = solver.solve()?;
        Ok((solver, region))
    };
    let (solver, region) = solve(Owner::Environment)?;
    if region.won || !solver.arena.is_opaque() {
        return Ok((solver, region));
    }
    let (solver, region) = solve(Owner::System)?;
    if region.won { Err(Gap::Nonlinear) } else { Ok((solver, region)) }
}
