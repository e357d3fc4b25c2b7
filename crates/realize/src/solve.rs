//! Decides games.

use crate::arena::Owner;
use crate::fixpoint::{Budget, Region, Solver};
use crate::game::{Game, Order};
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

/// Decides a game.
pub fn decide(game: &Game, order: Order, budget: Budget) -> Outcome {
    let prepared = game.prepared();
    let solve = |owner: Owner| -> Result<(Region, bool), Gap> {
        let mut solver = Solver::new(&prepared, order, owner, false, budget)?;
        let region = solver.solve()?;
        Ok((region, solver.arena.is_opaque()))
    };
    match solve(Owner::Environment) {
        Ok((region, _)) if region.won => Outcome::Realizable,
        Ok((_, false)) => Outcome::Unrealizable,
        // Comparisons that cannot be computed were the environment's to choose: give them to the system.
        Ok((_, true)) => match solve(Owner::System) {
            Ok((region, _)) if !region.won => Outcome::Unrealizable,
            Ok(_) => Outcome::Unknown(Gap::Nonlinear),
            Err(gap) => Outcome::Unknown(gap),
        },
        Err(gap) => Outcome::Unknown(gap),
    }
}
