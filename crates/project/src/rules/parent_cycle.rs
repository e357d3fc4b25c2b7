//! [`PARENT_CYCLE`]: no requirement is its own ancestor.

use super::{Context, cycles, round};
use crate::finding::Finding;

diagnostics::codes! {
    PARENT_CYCLE "E0511" "A requirement is its own ancestor.",
        "Children refine their parents. In a cycle, no requirement is the reason for the others.",
        "## P-1\n\n- parent: P-2\n\n## P-2\n\n- parent: P-1" => "## P-1\n\n## P-2\n\n- parent: P-1";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let entry = |at: usize| context.project.entry(context.places[at]);
    let parents = |at: usize| entry(at).parents().into_iter();
    let number = |id: &str| context.first.get(id).copied();
    let successors: Vec<Vec<usize>> = (0..context.places.len())
        .map(|at| parents(at).filter_map(|parent| number(&parent.text)).collect())
        .collect();
    for cycle in cycles(&successors) {
        let names = round(cycle.iter().map(|&at| entry(at).id.text.as_str()));
        let message = format!("this requirement is its own ancestor: {names}");
        let next = *cycle.get(1).unwrap_or(&cycle[0]);
        let parent = parents(cycle[0]).find(|parent| number(&parent.text) == Some(next));
        let span = parent.map_or(entry(cycle[0]).id.span, |parent| parent.span);
        let place = context.places[cycle[0]];
        let mut found = context.about(place, PARENT_CYCLE, span, message, "remove one of the parents");
        for &at in &cycle[1..] {
            found = found.related(context.places[at].document, entry(at).id.span, "through this one");
        }
        findings.push(found);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_each;

    #[test]
    fn cycles_of_parents() {
        expect_each(
            &["E0511"],
            &[
                (&["## A-1\n\n## A-2\n\n- parent: A-1\n"], &[]),
                (&["## A-1\n\n- parent: A-1\n"], &["E0511 A-1"]),
                (&["## A-1\n\n- parent: B-1\n", "## B-1\n\n- parent: A-1\n"], &["E0511 B-1 (B-1)"]),
            ],
        );
    }
}
