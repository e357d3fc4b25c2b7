//! Which fixes can be made together: each one whole or not at all, the earlier finding first.

use crate::edit::Edit;
use crate::finding::Finding;

/// The changes of all fixes that do not get in each other's way, and how many fixes that are.
pub fn fixes(findings: &[Finding]) -> (Vec<Edit>, usize) {
    let mut accepted: Vec<Edit> = Vec::new();
    let mut seen: Vec<&[Edit]> = Vec::new();
    let mut count = 0;
    for fix in findings.iter().filter_map(|found| found.fix.as_ref()) {
        // One change may mend several findings, such as a table for all variables.
        if seen.contains(&&fix.edits[..]) {
            continue;
        }
        let fits = fix.edits.iter().all(|edit| !accepted.iter().any(|other| overlap(edit, other)));
        if fits {
            accepted.extend(fix.edits.iter().cloned());
            seen.push(&fix.edits);
            count += 1;
        }
    }
    (accepted, count)
}

fn overlap(one: &Edit, other: &Edit) -> bool {
    one.document == other.document && one.span.start < other.span.end && other.span.start < one.span.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Fix;
    use syntax::{Code, Diagnostic, Span};

    #[test]
    fn the_first_of_two_that_overlap_is_made() {
        let found = |edits: &[(u32, u32, &str)]| {
            let span = Span::new(0, 0);
            let diagnostic =
                Diagnostic { code: Code::Undeclared, span, message: String::new(), hint: String::new() };
            let edit = |&(start, end, text): &(u32, u32, &str)| Edit {
                document: 0,
                span: Span::new(start, end),
                text: text.into(),
            };
            let fix = Fix { title: String::new(), edits: edits.iter().map(edit).collect() };
            Finding { fix: Some(fix), ..Finding::new(0, diagnostic) }
        };
        let findings = [
            found(&[(3, 5, "a")]),
            found(&[(4, 6, "b"), (8, 9, "b")]),
            found(&[(3, 5, "a")]),
            found(&[(7, 7, "c")]),
            found(&[(7, 7, "d")]),
            found(&[(7, 7, "c")]),
        ];
        let (edits, count) = fixes(&findings);
        assert_eq!(count, 3);
        assert_eq!(edits.iter().map(|edit| edit.text.as_str()).collect::<Vec<_>>(), ["a", "c", "d"]);
    }
}
