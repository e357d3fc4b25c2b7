//! [`MIXED_UNITS`]: durations have the same unit as long as the project does not set the length of a step. Until then one unit
//! counts as one step, and that can be true of one unit only.

use super::Context;
use crate::finding::{Finding, Source};
use crate::project::{Analysis, Place};
use diagnostics::Span;
use requirement::codes::{MIXED_UNITS, UNITS_AS_STEPS};
use rustc_hash::FxHashSet;
use syntax::fretish::Unit;

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let Context { project, analysis, .. } = *context;
    if project.config.step.is_some() {
        return;
    }
    let mut shared: Option<(Unit, Place, Span)> = None;
    let mut clashes = Vec::new();
    for known in &analysis.requirements {
        let Some(reading) = &known.reading else { continue };
        let (Some(unit), Some(duration)) = (reading.lowered.unit, &reading.parsed.fields.duration) else {
            continue;
        };
        let span = Analysis::in_document(project, known.place, duration.span);
        let (first, place, there) = *shared.get_or_insert((unit, known.place, span));
        if unit == first {
            continue;
        }
        let message = format!(
            "this duration is in {}, but an earlier one is in {}, and the length of a step is not set",
            unit.plural(),
            first.plural()
        );
        let hint = "set the length of a step: `step = \"100 ms\"` in the project file";
        let found = context.about(known.place, MIXED_UNITS, span, message, hint);
        clashes.push(found.related(place.document, there, format!("in {} here", first.plural())));
    }
    // What clashes does not count as steps after all.
    let key = |found: &Finding| (found.source, found.requirement.clone());
    let clashing: FxHashSet<(Source, Option<String>)> = clashes.iter().map(key).collect();
    if !clashing.is_empty() {
        findings.retain(|found| found.diagnostic.code != UNITS_AS_STEPS || !clashing.contains(&key(found)));
    }
    findings.extend(clashes);
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn units_of_time() {
        let ticks = "the Pump shall within 3 ticks satisfy p";
        let seconds = "the Pump shall within 3 seconds satisfy p";
        let minutes = "the Pump shall within 2 minutes satisfy p";
        for (sentences, expected) in [
            (&[ticks, seconds][..], &["W0101 3 seconds"][..]),
            (&[seconds, seconds], &["W0101 3 seconds", "W0101 3 seconds"]),
            (&[seconds, minutes], &["W0101 3 seconds", "E0206 2 (3)"]),
        ] {
            expect(&[&pump("p;output;bool", sentences)], &["E0206", "W0101"], expected);
        }
    }
}
