//! Ids and parents: each id once, each parent a requirement, and nobody its own ancestor.

use super::manual::Entry;
use super::{about, cycles, related, round};
use crate::edit::Edit;
use crate::finding::{Finding, Fix};
use crate::project::{Place, Project};
use rustc_hash::FxHashMap;
use syntax::{Code, nearest};

/// For more unknown parents than this no near ids are looked for.
const MAX_NEAR: usize = 20;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: Code::UnknownParent,
        why: "A trace from a requirement to its parent that leads nowhere hides that the parent was renamed or never written.",
        wrong: "## P-1: Fill\n\n## P-2: Fill slowly\n\n- parent: P-11",
        right: "## P-1: Fill\n\n## P-2: Fill slowly\n\n- parent: P-1",
    },
    Entry {
        code: Code::ParentCycle,
        why: "Parents are refined by their children. In a cycle nothing is the reason for the rest.",
        wrong: "## P-1\n\n- parent: P-2\n\n## P-2\n\n- parent: P-1",
        right: "## P-1\n\n## P-2\n\n- parent: P-1",
    },
];

pub(super) fn check(project: &Project, findings: &mut Vec<Finding>) {
    let places: Vec<Place> = project.places().collect();
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    first.reserve(places.len());
    for (at, &place) in places.iter().enumerate() {
        let id = &project.entry(place).id;
        let known = *first.entry(id.text.as_str()).or_insert(at);
        // Lines of plain files are numbered by the reader; nobody gave them an id.
        let given = id.span.start < id.span.end;
        if known < at && given {
            let message = format!("the id `{}` is given twice", id.text);
            let mut found = about(
                project,
                place,
                Code::DuplicateId,
                id.span,
                message,
                "give this requirement another id",
            );
            let other = places[known];
            found.related.push(related(other.document, project.entry(other).id.span, "first given here"));
            findings.push(found);
        }
    }
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    let mut unknown = 0;
    for (at, &place) in places.iter().enumerate() {
        if project.entry(place).attributes.is_empty() {
            continue;
        }
        for parent in project.entry(place).parents() {
            if let Some(&known) = first.get(parent.text.as_str()) {
                successors[at].push(known);
                continue;
            }
            unknown += 1;
            // The next number is another requirement, not a slip of the pen.
            let ids = || places.iter().map(|&place| project.entry(place).id.text.as_str());
            let alike = ids().filter(|id| digits(id).eq(digits(&parent.text)));
            let near = if unknown <= MAX_NEAR { nearest(&parent.text, alike) } else { None };
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the id of a requirement of this project".into(),
            };
            let message = format!("there is no requirement `{}`", parent.text);
            let mut found = about(project, place, Code::UnknownParent, parent.span, message, &hint);
            found.fix = near.map(|near| Fix {
                title: format!("Write `{near}`"),
                edits: vec![Edit { document: place.document, span: parent.span, text: near.to_string() }],
            });
            findings.push(found);
        }
    }
    for cycle in cycles(&successors) {
        let entry = |at: usize| project.entry(places[at]);
        let names = round(cycle.iter().map(|&at| entry(at).id.text.as_str()));
        let message = format!("this requirement is its own ancestor: {names}");
        let parent = entry(cycle[0]).parents().into_iter().find(|parent| {
            let next = cycle.get(1).unwrap_or(&cycle[0]);
            first.get(parent.text.as_str()) == Some(next)
        });
        let span = parent.map_or(entry(cycle[0]).id.span, |parent| parent.span);
        let mut found =
            about(project, places[cycle[0]], Code::ParentCycle, span, message, "remove one of the parents");
        for &at in &cycle[1..] {
            found.related.push(related(places[at].document, entry(at).id.span, "through this one"));
        }
        findings.push(found);
    }
}

fn digits(id: &str) -> impl Iterator<Item = char> {
    id.chars().filter(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, fixed};

    const CODES: &[&str] = &["E0408", "E0510", "E0511"];

    #[test]
    fn ids_and_parents() {
        for (texts, expected) in [
            (&["## A-1\n\n## A-2\n\n- parent: A-1\n"][..], &[][..]),
            (&["## A-1\n", "## B-1\n\n## A-1\n"], &["E0408 A-1 (A-1)"]),
            (&["## A-1\n\n- parent: A-2, X-9\n\n## A-2\n"], &["E0510 X-9"]),
            (&["## A-1\n\n- parent: A-1\n"], &["E0511 A-1"]),
            (&["## A-1\n\n- parent: B-1\n", "## B-1\n\n- parent: A-1\n"], &["E0511 B-1 (B-1)"]),
        ] {
            expect(texts, CODES, expected);
        }
    }

    #[test]
    fn a_parent_is_mended() {
        let text = "## AP-100\n\n## AP-200\n\n- parent: ap100 , AP-101, AP-100\n";
        assert_eq!(fixed(&[text], "E0510"), text.replace("ap100", "AP-100"));
    }
}
