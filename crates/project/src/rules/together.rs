//! What is wrong with the requirements of a component together: `shall check --set`.
//!
//! Requirements that share outputs are judged as one game ([`realize`]). If no implementation satisfies them, the minimal conflicts are
//! findings; if one does, so are requirements that it never triggers, and requirements that follow from others. What could not be decided
//! is named.

use super::conflict::{Clash, IDLE, about, conflict};
use super::{Checked, Open, sort};
use crate::finding::Finding;
use crate::project::{Analysis, Known, Place, Project};
use crate::set::{ComponentSet, component_set};
use base::listed;
use realize::{
    Config, FoundConflict, Game, Gap, Judged, Outcome, Set, Trigger, assumptions_possible, is_redundant,
    report, triggers,
};
use requirement::{Reading, oracle};

diagnostics::codes! {
    UNREALIZABLE "W0533" "No implementation can satisfy this requirement.",
        "For some inputs every choice of outputs violates it, even without any other requirement. It may demand what the component cannot \
         know yet, or speak of inputs only: then it is an assumption.",
        "| key | input | bool |\n| on | output | bool |\n\nwhen key the pump shall after 2 ticks satisfy on"
            => "| key | input | bool |\n| on | output | bool |\n\nwhen key the pump shall within 2 ticks satisfy on";
    REDUNDANT "W0534" "A requirement follows from others.",
        "Every implementation that satisfies the others satisfies it. It can be dropped, or it is not what was meant.",
        "| p | input | bool |\n| on | output | bool |\n| lamp | output | bool |\n\n\
         whenever p the pump shall immediately satisfy on\nthe pump shall always satisfy on => lamp\n\
         whenever p the pump shall immediately satisfy lamp"
            => "| p | input | bool |\n| on | output | bool |\n| lamp | output | bool |\n\n\
                whenever p the pump shall immediately satisfy on\nthe pump shall always satisfy on => lamp";
    STUCK "W0535" "The environment cannot always keep the assumptions.",
        "When the environment has no input left that keeps them, nothing is required of the component any more, so it may be realizable \
         for that reason alone.",
        "| p | input | bool |\n| on | output | bool |\n\nthe pump shall always satisfy on => p\n\n- role: assumption\n\n\
         the pump shall always satisfy on => !p\n\n- role: assumption"
            => "| p | input | bool |\n| on | output | bool |\n\nthe pump shall eventually satisfy p\n\n- role: assumption";
}

/// Judges the requirements of each component together. The library reads no clock: the configuration tells the remaining time.
pub fn check_together(project: &Project, analysis: &Analysis, config: Config) -> Checked {
    let mut checked = Checked::default();
    let all = analysis.components.iter().count();
    for (done, component) in analysis.components.iter().enumerate() {
        let Ok(set) = component_set(project, analysis, &component.name, &[]) else { continue };
        config.shared(all - done, |config| {
            Together::new(project, analysis, set, config).check(&mut checked);
        });
    }
    checked.findings.retain(|it| !project.config.allow.iter().any(|code| code == it.diagnostic.code.id()));
    sort(&mut checked.findings);
    checked
}

/// What is asked about a requirement among others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Triggered,
    Redundant,
}

/// The requirements of a component as a game.
struct Together<'a> {
    project: &'a Project,
    analysis: &'a Analysis,
    set: ComponentSet,
    played: Set,
    config: Config<'a>,
}

impl<'a> Together<'a> {
    fn new(
        project: &'a Project,
        analysis: &'a Analysis,
        mut set: ComponentSet,
        config: Config<'a>,
    ) -> Together<'a> {
        let played = set.game(Reading::Endless);
        Together { project, analysis, set, played, config }
    }

    fn game(&self) -> &Game {
        &self.played.game
    }

    fn place(&self, guarantee: usize) -> Place {
        self.set.members[self.played.members[guarantee]].place
    }

    fn known(&self, guarantee: usize) -> Option<&Known> {
        self.analysis.at(self.place(guarantee))
    }

    fn ids(&self, guarantees: &[usize]) -> String {
        listed(guarantees.iter().map(|it| format!("`{}`", self.game().guarantees[*it].id)))
    }

    fn check(&self, checked: &mut Checked) {
        let refused = self.played.refused.iter().map(|it| self.set.refused(it));
        checked.undecided.extend(self.set.left_out.iter().cloned().chain(refused).map(|it| {
            let reason = format!("it is not judged together with others: {}", it.reason);
            Open { place: it.place, reason }
        }));
        self.assumptions(checked);
        for judged in report(self.game(), self.config) {
            match &judged.outcome {
                Outcome::Unrealizable => self.unrealizable(&judged, checked),
                Outcome::Realizable => self.realizable(&judged.component.guarantees, checked),
                Outcome::Unknown(gap) => self.unknown(&judged.component.guarantees, gap, checked),
            }
        }
    }

    fn assumptions(&self, checked: &mut Checked) {
        let Some(first) = self.set.members.iter().find(|it| it.assumption) else { return };
        let Some(known) = self.analysis.at(first.place) else { return };
        match assumptions_possible(self.game(), self.config.budget) {
            Ok(true) => {}
            Ok(false) => {
                let message = "the environment cannot always keep the assumptions";
                let hint = "check them: where they cannot be kept, nothing is required of the component";
                checked.findings.push(about(self.project, known, &[], STUCK, message.to_owned(), hint));
            }
            Err(gap) => {
                let reason =
                    format!("whether the environment can always keep the assumptions is unknown: {gap}");
                checked.undecided.push(Open { place: first.place, reason });
            }
        }
    }

    fn unknown(&self, guarantees: &[usize], gap: &Gap, checked: &mut Checked) {
        let Some(first) = guarantees.first() else { return };
        let what = match guarantees.len() {
            1 => "an implementation can satisfy it".to_owned(),
            _ => format!("an implementation can satisfy {} together", self.ids(guarantees)),
        };
        checked
            .undecided
            .push(Open { place: self.place(*first), reason: format!("whether {what} is unknown: {gap}") });
    }

    fn unrealizable(&self, judged: &Judged, checked: &mut Checked) {
        let guarantees = &judged.component.guarantees;
        if judged.conflicts.is_empty() {
            let clash = Clash { after: None, leaves: Vec::new() };
            checked.findings.extend(self.conflict(guarantees, &clash));
        }
        for found in &judged.conflicts {
            if !self.is_violated(found) {
                self.unknown(&found.guarantees, &Gap::Rejected, checked);
                continue;
            }
            let play = found.play.as_ref();
            let clash = Clash {
                after: play.map(|it| it.steps.len().saturating_sub(1)),
                leaves: play.map_or(Vec::new(), |it| {
                    let leaves = |at: &usize| it.demands.iter().find(|it| it.0 == *at).map(|it| it.1.clone());
                    found.guarantees.iter().filter_map(leaves).collect()
                }),
            };
            checked.findings.extend(self.conflict(&found.guarantees, &clash));
        }
        if let Some(gap) = judged.gap.as_ref().filter(|_| !guarantees.is_empty()) {
            let reason = format!("there may be more conflicts among {}: {gap}", self.ids(guarantees));
            checked.undecided.push(Open { place: self.place(guarantees[0]), reason });
        }
    }

    /// Whether the definitions of the language agree that the play violates one of the requirements; without a play, the game was lost.
    fn is_violated(&self, found: &FoundConflict) -> bool {
        let Some(play) = &found.play else { return true };
        let Some(trace) = play.trace(self.game()) else { return false };
        found.guarantees.iter().any(|it| {
            let requirement = &self.set.members[self.played.members[*it]].requirement;
            oracle::judge(&self.set.store, requirement, &trace).is_ok_and(|it| !it.holds())
        })
    }

    fn conflict(&self, guarantees: &[usize], clash: &Clash) -> Option<Finding> {
        let known: Vec<&Known> = guarantees.iter().filter_map(|it| self.known(*it)).collect();
        match known[..] {
            [] => None,
            [only] => {
                let message = "no implementation can satisfy this requirement".to_owned();
                let hint = "`shall realize` shows inputs for which every output violates it";
                Some(about(self.project, only, &[], UNREALIZABLE, message, hint))
            }
            _ => conflict(self.project, &known, clash),
        }
    }

    /// Requirements that are never triggered, and those that follow from others.
    fn realizable(&self, guarantees: &[usize], checked: &mut Checked) {
        let Config { order, budget, .. } = self.config;
        let part = self.game().part(guarantees);
        let triggers = |game: &Game| triggers(game, order, budget);
        let mut open: Vec<(Question, Gap, Vec<usize>)> = Vec::new();
        let mut unknown = |question: Question, gap: Gap, guarantee: usize| match open
            .iter_mut()
            .find(|it| it.0 == question && it.1 == gap)
        {
            Some(known) => known.2.push(guarantee),
            None => open.push((question, gap, vec![guarantee])),
        };
        for (at, trigger) in triggers(&part).into_iter().enumerate() {
            let Some(known) = self.known(guarantees[at]) else { continue };
            match trigger {
                Ok(Trigger::Impossible) => {
                    let causes = without(guarantees, at, |kept| {
                        let alone = triggers(&self.game().part(kept));
                        alone.first() == Some(&Ok(Trigger::Impossible))
                    });
                    let message = match causes.len() {
                        0 => "it is never triggered".to_owned(),
                        1 => format!("it is never triggered: {} forbids it", self.ids(&causes)),
                        _ => format!("it is never triggered: {} forbid it", self.ids(&causes)),
                    };
                    let hint = "check its scope and condition";
                    checked.findings.push(self.about(known, &causes, IDLE, message, hint));
                    continue;
                }
                Ok(Trigger::NeedsSystem | Trigger::Forced) => {}
                Err(gap) => unknown(Question::Triggered, gap, guarantees[at]),
            }
            match is_redundant(&part, at, budget) {
                Ok(false) => {}
                Ok(true) => {
                    let causes = without(guarantees, at, |kept| {
                        is_redundant(&self.game().part(kept), 0, budget) == Ok(true)
                    });
                    let message = match causes.len() {
                        0 => "every endless run satisfies it".to_owned(),
                        _ => format!("follows from {}", self.ids(&causes)),
                    };
                    let hint = "drop it, or check what it should say";
                    checked.findings.push(self.about(known, &causes, REDUNDANT, message, hint));
                }
                Err(gap) => unknown(Question::Redundant, gap, guarantees[at]),
            }
        }
        for (question, gap, guarantees) in open {
            let what = match question {
                Question::Triggered => "can be triggered",
                Question::Redundant => "follows from others",
            };
            let reason = match guarantees.len() {
                1 => format!("whether it {what} is unknown: {gap}"),
                _ => format!("whether each of {} {what} is unknown: {gap}", self.ids(&guarantees)),
            };
            checked.undecided.push(Open { place: self.place(guarantees[0]), reason });
        }
    }

    fn about(
        &self,
        known: &Known,
        others: &[usize],
        code: diagnostics::Code,
        message: String,
        hint: &str,
    ) -> Finding {
        let others: Vec<&Known> = others.iter().filter_map(|it| self.known(*it)).collect();
        about(self.project, known, &others, code, message, hint)
    }
}

/// The others without those that are not needed for something to hold of one of them, which comes first in each question.
fn without(all: &[usize], at: usize, holds: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> =
        std::iter::once(all[at]).chain(all.iter().copied().filter(|it| *it != all[at])).collect();
    for other in all.iter().rev().filter(|it| **it != all[at]) {
        let fewer: Vec<usize> = kept.iter().copied().filter(|it| it != other).collect();
        if holds(&fewer) {
            kept = fewer;
        }
    }
    kept.split_off(1)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{project, pump, together};

    /// What is found in sentences about two inputs and some outputs, as `code requirement: message`.
    #[track_caller]
    fn found(sentences: &[&str], expected: &[&str]) {
        let table = "p;input;bool\nq;input;bool\nx;input;int 0..9\ny;output;bool\nz;output;bool\ns;output;enum(a, b, c)\nm;mode;bool;;s = a";
        let mut text = pump(table, sentences);
        for (at, sentence) in sentences.iter().enumerate().filter(|it| it.1.contains("assumption")) {
            text = text
                .replace(&format!("## P-{at}\n"), &format!("## P-{at}-assumption\n"))
                .replace(sentence, &sentence["assumption: ".len()..]);
        }
        let (project, _) = project(&[&text]);
        let analysis = project.analyse(&mut crate::Cache::default());
        let checked = together(&project, &analysis);
        let shown: Vec<String> = checked
            .findings
            .iter()
            .map(|it| {
                format!(
                    "{} {}: {}",
                    it.diagnostic.code.id(),
                    it.requirement.as_deref().unwrap_or_default(),
                    it.diagnostic.message
                )
            })
            .chain(
                checked
                    .undecided
                    .iter()
                    .map(|it| format!("{}: {}", project.entry(it.place).id.text, it.reason)),
            )
            .collect();
        assert_eq!(shown, expected, "{sentences:#?}");
    }

    #[test]
    fn sets() {
        let at_once = "the Pump shall immediately satisfy";
        let always = "the Pump shall always satisfy";
        let named = |start: &str, rest: &str| format!("{start} {rest}");
        let rows: &[(&[String], &[&str])] = &[
            (&[named("whenever p", &named(at_once, "y")), named("whenever q", &named(at_once, "z"))], &[]),
            (
                &[
                    named("whenever p", &named(at_once, "y")),
                    named("whenever q", &named(at_once, "!y")),
                    named(always, "z"),
                ],
                &["W0530 P-1: conflicts with `P-0`: at the first step, `P-0` can demand y and `P-1` !y"],
            ),
            (
                &[
                    named("whenever p", &named(at_once, "y")),
                    named("whenever q", &named(at_once, "z")),
                    named(always, "!(y & z)"),
                ],
                &[
                    "W0530 P-2: conflicts with `P-0` and `P-1`: at the first step, `P-0` can demand y, `P-1` z and `P-2` y & !z or !y",
                ],
            ),
            (
                &[named("when p", "the Pump shall after 2 ticks satisfy y")],
                &["W0533 P-0: no implementation can satisfy this requirement"],
            ),
            (
                &[named(always, "y => s = b"), named("in m mode", &named(at_once, "y & z"))],
                &["W0531 P-1: it is never triggered: `P-0` forbids it"],
            ),
            (
                &[
                    named("whenever p", &named(at_once, "y")),
                    named(always, "y => z"),
                    named("whenever p", &named(at_once, "z")),
                ],
                &["W0534 P-2: follows from `P-0` and `P-1`"],
            ),
            (&[named("when x > 20", &named(at_once, "y"))], &["W0531 P-0: it is never triggered"]),
            (
                &[
                    named("assumption:", "the Pump shall never satisfy p & q"),
                    named("when p", &named(at_once, "y")),
                    named("when q", &named(at_once, "!y")),
                ],
                &[],
            ),
            (
                &[
                    named("assumption:", "the Pump shall always satisfy y => p"),
                    named("assumption:", "the Pump shall always satisfy y => !p"),
                    named(always, "z"),
                ],
                &["W0535 P-0-assumption: the environment cannot always keep the assumptions"],
            ),
            (
                &[
                    named("when p", "the Pump shall immediately satisfy persists(2, y)"),
                    named("when q", &named(at_once, "y")),
                ],
                &["P-0: it is not judged together with others: `persists` looks into the future"],
            ),
        ];
        for (sentences, expected) in rows {
            found(&sentences.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        }
    }
}
