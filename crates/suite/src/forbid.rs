//! Which requirements forbid a goal.

use realize::{Budget, Game, Gap, Known, Order, Run, Unchecked, Unreachable, Walks, walk_again};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use system::Expr;

/// The largest size of a proof that is checked without being asked for.
const LARGE: usize = 400;

/// Whether a proof was checked, or why it was not.
pub(crate) type Checked = Result<(), String>;

/// What is known about proofs.
#[derive(Debug)]
pub(crate) struct Proofs {
    /// Whether the proofs were checked that nothing is won from where games of some guarantees are lost.
    losses: FxHashMap<Vec<usize>, Checked>,
    /// Whether large ones are checked, too.
    all: bool,
}

impl Proofs {
    pub(crate) fn new(all: bool) -> Proofs {
        Proofs { losses: FxHashMap::default(), all }
    }
}

/// Guarantees without which a goal is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forbidding {
    /// Their indices, ascending.
    pub(crate) guarantees: Vec<usize>,
    /// Whether each of them is shown to be needed.
    pub(crate) minimal: bool,
    /// What came of the proof.
    pub(crate) proof: Checked,
}

/// A goal that is unreachable, without the guarantees that forbid it.
pub(crate) struct Unreached {
    pub(crate) game: Arc<Game>,
    pub(crate) goal: usize,
    pub(crate) expr: Expr,
    /// The guarantee that the goal belongs to.
    pub(crate) own: usize,
    /// Guarantees that make it unreachable.
    pub(crate) relevant: Vec<usize>,
    /// Runs that keep all guarantees.
    pub(crate) runs: Vec<Arc<Run>>,
}

/// Finds out what forbids each goal, while more of them come.
pub(crate) fn explained(
    goals: Receiver<Unreached>,
    mut proofs: Proofs,
    limits: (Order, Budget),
) -> Vec<(usize, Forbidding)> {
    let mut answers = Known::brief();
    let mut known: Vec<Forbidding> = Vec::new();
    let explain = |it: Unreached| {
        let hints = (&known[..], &mut answers, &mut proofs, &it.runs[..]);
        let found = forbidding(&it.game, (it.own, it.expr), &it.relevant, hints, limits);
        if !known.contains(&found) {
            known.push(found.clone());
        }
        (it.goal, found)
    };
    goals.into_iter().map(explain).collect()
}

/// The guarantees that make a goal unreachable, which it is with the relevant ones. Those that forbid the guarantee's own goal are likely
/// to be it alone, or with it a set that forbids another goal. Known runs keep all guarantees.
pub(crate) fn forbidding(
    game: &Game,
    (own, goal): (usize, Expr),
    relevant: &[usize],
    (known, answers, proofs, runs): (&[Forbidding], &mut Known, &mut Proofs, &[Arc<Run>]),
    limits: (Order, Budget),
) -> Forbidding {
    for start in [Vec::new(), vec![own]] {
        let proof = search(game, &start, goal, (answers, runs), limits, |walks| {
            (!walks.is_vague()).then(|| checked(walks, &start, (goal, None), (proofs, limits.1.stop)))
        });
        if let Ok(Some(Some(proof))) = proof {
            return Forbidding { guarantees: start, minimal: true, proof };
        }
    }
    let forbids = |answers: &mut Known, guarantees: &[usize]| match search(
        game,
        guarantees,
        goal,
        (answers, runs),
        limits,
        |walks| walks.is_vague(),
    )? {
        Some(true) => Err(Gap::Nonlinear),
        Some(false) => Ok(true),
        None => Ok(false),
    };
    let with_own = |it: &Forbidding| {
        let mut all = it.guarantees.clone();
        all.extend((!all.contains(&own)).then_some(own));
        all
    };
    let known = known.iter().filter(|it| it.guarantees.len() > 1).map(with_own);
    let start = known.into_iter().find(|it| forbids(answers, it) == Ok(true));
    let mut kept: Vec<usize> = start.unwrap_or_else(|| relevant.to_vec());
    kept.sort_unstable();
    let mut minimal = true;
    let mut at = 0;
    while at < kept.len() {
        let fewer: Vec<usize> = kept.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect();
        match forbids(answers, &fewer) {
            Ok(true) => kept = fewer,
            Ok(false) => at += 1,
            Err(_) => {
                minimal = false;
                at += 1;
            }
        }
    }
    let check = |walks: &mut Walks| checked(walks, &kept, (goal, None), (proofs, limits.1.stop));
    let proof = match search(game, &kept, goal, (answers, &[]), limits, check) {
        Ok(found) => found.unwrap_or_else(|| Err(Unchecked::Rejected.to_string())),
        Err(gap) => Err(gap.to_string()),
    };
    Forbidding { guarantees: kept, minimal, proof }
}

/// Does some work with the runs that keep some guarantees, unless one of them reaches a goal.
fn search<R>(
    game: &Game,
    guarantees: &[usize],
    goal: Expr,
    (answers, runs): (&mut Known, &[Arc<Run>]),
    limits: (Order, Budget),
    work: impl FnOnce(&mut Walks) -> R,
) -> Result<Option<R>, Gap> {
    walk_again(&with(game, guarantees), &[goal], answers, limits, |walks| {
        walks.know(runs);
        Ok((!walks.can_reach(goal)?).then(|| work(walks)))
    })?
}

/// Checks the proof that the last search found nothing because there is nothing, and that what the search left out is lost.
pub(crate) fn checked(
    walks: &mut Walks,
    guarantees: &[usize],
    (goal, wrong): (Expr, Option<(usize, Expr)>),
    (proofs, stop): (&mut Proofs, &(dyn Fn() -> bool + Sync)),
) -> Checked {
    let all = proofs.all;
    let check = |proof: Unreachable| match all || proof.size() <= LARGE {
        true => proof.check(stop).map_err(|it| it.to_string()),
        false => Err("the proof is large".to_owned()),
    };
    let of_goal = walks.proof(goal, wrong).map_err(|it| it.to_string()).and_then(check);
    let of_losses = proofs.losses.entry(guarantees.to_vec()).or_insert_with(|| {
        let proof = walks.proof_of_losses().map_err(|it| it.to_string())?;
        proof.map_or(Ok(()), check)
    });
    of_goal.and(of_losses.clone())
}

/// The game with some of its guarantees.
fn with(game: &Game, guarantees: &[usize]) -> Game {
    let guarantees = guarantees.iter().map(|it| game.guarantees[*it].clone()).collect();
    Game { guarantees, ..game.clone() }
}
