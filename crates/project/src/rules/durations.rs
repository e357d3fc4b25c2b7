//! Durations in different units: as long as the project does not say how long a step takes, one unit is one step, and that can
//! be true of one unit only.

use super::{about, related};
use crate::finding::{Finding, Source};
use crate::project::{Analysis, Place, Project};
use rustc_hash::FxHashSet;
use syntax::fretish::Unit;
use syntax::{Code, Span};

pub(super) fn check(project: &Project, analysis: &Analysis, findings: &mut Vec<Finding>) {
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
            "this duration is in {}, but an earlier sentence uses {}, and the length of a step is not known",
            unit.plural(),
            first.plural()
        );
        let hint = "say how long a step takes: `step = \"100 ms\"` in the project file";
        let mut found = about(project, known.place, Code::MixedUnits, span, message, hint);
        found.related.push(related(place.document, there, format!("in {} here", first.plural())));
        clashes.push(found);
    }
    // What clashes is not read as steps after all.
    let key = |found: &Finding| (found.source, found.requirement.clone());
    let clashing: FxHashSet<(Source, Option<String>)> = clashes.iter().map(key).collect();
    if !clashing.is_empty() {
        findings
            .retain(|found| found.diagnostic.code != Code::UnitsAsSteps || !clashing.contains(&key(found)));
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
