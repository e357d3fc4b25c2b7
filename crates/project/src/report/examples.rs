//! Traces that show what a requirement means: one that satisfies it, and one that violates it.

use super::html::Html;
use crate::component::Component;
use crate::parallel;
use crate::project::{Analysis, Known, Place};
use draw::waveform::{Group, Mark, Role, bare};
use logic::Trace;
use requirement::reason;
use requirement::specification::Kind;
use requirement::witness::{Goal, Situation, Types, Witness, typical, witness};
use rustc_hash::FxHashMap;

/// Longer traces are not drawn.
const LONGEST: usize = 64;

/// The examples of a requirement.
#[derive(Default)]
pub(super) struct Examples {
    satisfied: Option<Example>,
    violated: Option<Example>,
}

struct Example {
    trace: Trace,
    /// Its names: inputs, outputs and others.
    groups: Vec<Group>,
    /// The step that decides.
    step: Option<usize>,
    reason: String,
}

/// The examples of all requirements that have some.
pub(super) fn all(analysis: &Analysis) -> FxHashMap<Place, Examples> {
    let types: Vec<(&Component, Types)> = analysis.components.iter().map(|it| (it, it.types())).collect();
    let found = parallel::map(&analysis.requirements, |known| {
        known
            .component
            .and_then(|at| types.get(at))
            .map_or_else(Examples::default, |(component, types)| Examples::of(known, component, types))
    });
    analysis.requirements.iter().map(|known| known.place).zip(found).collect()
}

impl Examples {
    fn of(known: &Known, component: &Component, types: &Types) -> Examples {
        let reading = known.reading.as_ref();
        let Some((reading, requirement)) =
            reading.and_then(|reading| Some((reading, reading.lowered.requirement.as_ref()?)))
        else {
            return Examples::default();
        };
        let mut store = reading.store.clone();
        // A trace in which the response comes in the middle shows more than the shortest one.
        let satisfied = typical(&mut store, requirement, types, Situation::Answered)
            .or_else(|| witness(&mut store, requirement, types, Goal::Satisfied));
        let violated = witness(&mut store, requirement, types, Goal::Violated);
        let example = |found: Option<Witness>| {
            let found = found.filter(|found| found.trace.len() <= LONGEST)?;
            Some(Example {
                step: found.verdict.decision().map(|decision| decision.step),
                reason: reason(requirement, &reading.parsed.fields, &found.verdict),
                groups: groups(&found.trace, Some(component)),
                trace: found.trace,
            })
        };
        Examples { satisfied: example(satisfied), violated: example(violated) }
    }

    /// Both traces, with the step that violates the requirement marked.
    pub(super) fn show(&self, page: &mut Html, id: &str) {
        if self.satisfied.is_none() && self.violated.is_none() {
            return;
        }
        page.raw("<div class=\"examples\">\n");
        for (example, title, is_violated) in [
            (&self.satisfied, "A trace that satisfies it", false),
            (&self.violated, "A trace that violates it", true),
        ] {
            let Some(Example { trace, groups, step, reason }) = example else { continue };
            let mark = step.filter(|_| is_violated).map(|step| Mark {
                step,
                label: id.to_owned(),
                reason: String::new(),
            });
            page.raw("<figure><figcaption>");
            page.element("strong", "", title);
            page.raw(" ");
            page.prose(reason);
            page.raw("</figcaption>");
            page.raw(&bare(trace, groups, title, mark.as_ref()));
            page.raw("</figure>\n");
        }
        page.raw("</div>\n");
    }
}

/// The names of a trace by their roles in a component; roles without names are left out.
pub(super) fn groups(trace: &Trace, component: Option<&Component>) -> Vec<Group> {
    let role =
        |name: &String| match component.and_then(|it| it.symbol(name)).map(|symbol| symbol.variable.kind) {
            Some(Kind::Input) => Role::Input,
            Some(Kind::Output) => Role::Output,
            Some(Kind::Internal | Kind::Constant | Kind::Mode | Kind::Function) | None => Role::Inner,
        };
    let group = |wanted: Role| Group {
        role: wanted,
        names: trace.names().iter().filter(|name| role(name) == wanted).cloned().collect(),
    };
    let all = [Role::Input, Role::Output, Role::Inner].map(group);
    all.into_iter().filter(|group| !group.names.is_empty()).collect()
}
