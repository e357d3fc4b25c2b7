//! [`DUPLICATE_ID`]: each id names one requirement.

use super::Context;
use crate::finding::Finding;
use dfrs::codes::DUPLICATE_ID;

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for (at, &place) in context.places.iter().enumerate() {
        let id = &context.project.entry(place).id;
        let known = context.first[id.text.as_str()];
        // Lines of plain files are numbered by the reader; nobody gave them an id.
        let given = id.span.start < id.span.end;
        if known < at && given {
            let message = format!("the id `{}` is given twice", id.text);
            let found =
                context.about(place, DUPLICATE_ID, id.span, message, "give this requirement another id");
            let other = context.places[known];
            findings.push(found.related(
                other.document,
                context.project.entry(other).id.span,
                "first given here",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_each;

    #[test]
    fn ids() {
        expect_each(
            &["E0408"],
            &[(&["## A-1\n\n## A-2\n"], &[]), (&["## A-1\n", "## B-1\n\n## A-1\n"], &["E0408 A-1 (A-1)"])],
        );
    }
}
