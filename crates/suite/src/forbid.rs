//! Which requirements forbid a goal.

use realize::{Budget, Game, Gap, Known, Order, walk_again};
use system::Expr;

/// Guarantees without which a goal is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forbidding {
    /// Their indices, ascending.
    pub(crate) guarantees: Vec<usize>,
    /// Whether each of them is shown to be needed.
    pub(crate) minimal: bool,
}

/// The guarantees that make a goal unreachable, which it is with the relevant ones. Those that forbid the guarantee's own goal are likely
/// to be it alone, or a set that forbids another goal.
pub(crate) fn forbidding(
    game: &Game,
    (own, goal): (usize, Expr),
    relevant: &[usize],
    (known, answers): (&[Forbidding], &mut Known),
    limits: (Order, Budget),
) -> Forbidding {
    let mut forbids = |guarantees: &[usize]| -> Result<bool, Gap> {
        let chosen = guarantees.iter().map(|it| game.guarantees[*it].clone()).collect();
        let part = Game { guarantees: chosen, ..game.clone() };
        let found = walk_again(&part, &[goal], answers, limits, |walks| (walks.to(goal), walks.is_vague()))?;
        match found {
            (Ok(None), false) => Ok(true),
            (Ok(None), true) => Err(Gap::Nonlinear),
            (Ok(Some(_)), _) => Ok(false),
            (Err(gap), _) => Err(gap),
        }
    };
    for start in [Vec::new(), vec![own]] {
        if forbids(&start) == Ok(true) {
            return Forbidding { guarantees: start, minimal: true };
        }
    }
    let mut kept: Vec<usize> = relevant.to_vec();
    let known = known.iter().map(|it| &it.guarantees).filter(|it| it.len() > 1);
    if let Some(start) = known.into_iter().find(|it| forbids(it) == Ok(true)) {
        kept.clone_from(start);
    }
    let mut minimal = true;
    let mut at = 0;
    while at < kept.len() {
        let fewer: Vec<usize> = kept.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect();
        match forbids(&fewer) {
            Ok(true) => kept = fewer,
            Ok(false) => at += 1,
            Err(_) => {
                minimal = false;
                at += 1;
            }
        }
    }
    Forbidding { guarantees: kept, minimal }
}
