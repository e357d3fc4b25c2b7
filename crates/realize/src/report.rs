//! A whole game, component by component: verdicts with checked certificates, and conflicts with a play each.

use crate::certificate::{Strategy, Unchecked};
use crate::conflicts::{Conflicts, conflicts, first_conflict};
use crate::fixpoint::Budget;
use crate::game::{Component, Game, Order};
use crate::play::Play;
use crate::solve::{Judgement, Outcome, judge};
use crate::verdict::Gap;
use engine::Connect;
use std::time::Duration;

/// What is wanted.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// Who chooses first.
    pub order: Order,
    /// Limits.
    pub budget: Budget<'a>,
    /// The remaining time, which components share; the library reads no clock.
    pub left: &'a (dyn Fn() -> Duration + Sync),
    /// A solver for certificates that the built-in one does not decide.
    pub solver: &'a dyn Connect,
    /// Whether all conflicts are wanted, each with a play; otherwise the first one.
    pub all_conflicts: bool,
}

/// A judged component.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The outputs and guarantees.
    pub component: Component,
    /// Whether it is realizable.
    pub outcome: Outcome,
    /// Whether the certificate was checked; `None` if nothing is decided.
    pub certificate: Option<Result<(), Unchecked>>,
    /// The strategy of the player who wins; that of the environment is perhaps against the guarantees of the first conflict only.
    pub strategy: Option<Strategy>,
    /// The conflicts, if it is not realizable.
    pub conflicts: Vec<FoundConflict>,
    /// Why there may be more conflicts.
    pub gap: Option<Gap>,
}

/// A conflict with its evidence.
#[derive(Clone, Debug)]
pub struct FoundConflict {
    /// Indices of guarantees of the whole game.
    pub guarantees: Vec<usize>,
    /// Those of them that are not shown to be needed.
    pub doubtful: Vec<usize>,
    /// How the environment wins against these guarantees alone; guarantees in it are indices of the whole game.
    pub play: Option<Play>,
    /// Whether the environment's strategy against these guarantees alone was checked.
    pub certificate: Option<Result<(), Unchecked>>,
}

impl Config<'_> {
    /// Does one of the remaining pieces of work, with its share of the time.
    pub fn shared<R>(self, pieces: usize, work: impl FnOnce(Config) -> R) -> R {
        let whole = (self.left)();
        let until = whole.saturating_sub(whole / u32::try_from(pieces).unwrap_or(u32::MAX).max(1));
        let left = || (self.left)().saturating_sub(until);
        let stop = || left().is_zero();
        work(Config { left: &left, budget: Budget { stop: &stop, ..self.budget }, ..self })
    }
}

/// One of this number of parts of the remaining time is for the check of a certificate.
const CHECK: usize = 4;

/// One of this number of parts of the remaining time is for conflicts.
const CONFLICTS: usize = 2;

/// Judges a game, component by component.
pub fn report(game: &Game, config: Config) -> Vec<Judged> {
    let components = game.components();
    let all = components.len();
    let numbered = components.into_iter().enumerate();
    numbered
        .map(|(done, component)| {
            config.shared(all - done, |config| component_report(game, component, config))
        })
        .collect()
}

fn component_report(game: &Game, component: Component, config: Config) -> Judged {
    let Config { order, budget, solver, .. } = config;
    let part = game.part(&component.guarantees);
    let judged = judge(&part, order, budget);
    let mut report = Judged {
        component,
        outcome: judged.outcome.clone(),
        certificate: None,
        strategy: None,
        conflicts: Vec::new(),
        gap: None,
    };
    if report.outcome == Outcome::Unrealizable {
        // The rest of the time is for the certificate of the verdict, if that of the conflict is not enough.
        config.shared(CONFLICTS, |config| add_conflicts(&mut report, &part, &judged, config));
    }
    // What wins against the guarantees of a conflict wins against all.
    if report.certificate != Some(Ok(())) {
        (report.strategy, report.certificate) =
            config.shared(CHECK, |it| checked(judged.strategy, solver, it.budget));
    }
    if report.certificate == Some(Err(Unchecked::Rejected)) {
        report.outcome = Outcome::Unknown(Gap::Rejected);
        report.conflicts.clear();
    }
    report
}

/// Adds the conflicts of an unrealizable component, each with a play, and the checked strategy of the first one.
fn add_conflicts(report: &mut Judged, part: &Game, judged: &Judgement, config: Config) {
    let Config { order, budget, solver, .. } = config;
    let find = if config.all_conflicts { conflicts } else { first_conflict };
    let Conflicts { list, gap } = find(part, order, budget);
    report.gap = gap;
    let wanted = if config.all_conflicts { list.len() } else { 1 };
    if wanted < list.len() {
        report.gap.get_or_insert(Gap::Conflicts(list.len()));
    }
    for conflict in list.into_iter().take(wanted) {
        let is_whole = conflict.guarantees.len() == part.guarantees.len();
        let alone =
            if is_whole { judged.clone() } else { judge(&part.part(&conflict.guarantees), order, budget) };
        let (strategy, certificate) = config.shared(CHECK, |it| checked(alone.strategy, solver, it.budget));
        if report.certificate.is_none() && certificate == Some(Ok(())) {
            (report.strategy, report.certificate) = (strategy, certificate.clone());
        }
        let whole = |it: usize| report.component.guarantees[it];
        let play = alone.play.map(|play| Play {
            demands: play
                .demands
                .into_iter()
                .map(|(it, words)| (whole(conflict.guarantees[it]), words))
                .collect(),
            ..play
        });
        report.conflicts.push(FoundConflict {
            guarantees: conflict.guarantees.iter().map(|it| whole(*it)).collect(),
            doubtful: conflict.doubtful.iter().map(|it| whole(*it)).collect(),
            play,
            certificate,
        });
    }
}

fn checked(
    strategy: Option<Result<Strategy, Unchecked>>,
    solver: &dyn Connect,
    budget: Budget,
) -> (Option<Strategy>, Option<Result<(), Unchecked>>) {
    match strategy {
        None => (None, None),
        Some(Err(why)) => (None, Some(Err(why))),
        Some(Ok(strategy)) => {
            let checked = strategy.check(solver, budget.stop);
            (Some(strategy), Some(checked))
        }
    }
}
