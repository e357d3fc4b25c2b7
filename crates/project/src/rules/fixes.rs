//! Which safe fixes can be made together: each one whole or not at all, the earlier finding first.

use crate::edit::Edit;
use crate::finding::Finding;

/// The edits of all safe fixes that do not overlap, and the number of these fixes.
pub fn fixes(findings: &[Finding]) -> (Vec<Edit>, usize) {
    let mut accepted: Vec<Edit> = Vec::new();
    let mut seen: Vec<Vec<Edit>> = Vec::new();
    for (_, edits) in findings.iter().filter_map(Finding::safe_fix) {
        // One change may fix several findings, such as a table for all variables.
        let overlaps = || edits.iter().any(|edit| accepted.iter().any(|other| overlap(edit, other)));
        if !seen.contains(&edits) && !overlaps() {
            accepted.extend(edits.iter().cloned());
            seen.push(edits);
        }
    }
    (accepted, seen.len())
}

fn overlap(one: &Edit, other: &Edit) -> bool {
    one.document == other.document && one.span.start < other.span.end && other.span.start < one.span.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::undeclared::UNDECLARED;
    use diagnostics::{Applicability, Diagnostic, Fix, Span};

    #[test]
    fn the_first_of_two_that_overlap_is_made() {
        let found = |edits: &[(u32, u32, &str)]| {
            let mut diagnostic = Diagnostic::new(UNDECLARED, Span::new(0, 0), "", "");
            let edits = edits.iter().map(|&(start, end, text)| (Span::new(start, end), text.into()));
            let applicability = Applicability::Safe;
            let fix = Fix { title: String::new(), file: None, edits: edits.collect(), applicability };
            diagnostic.fix = Some(Box::new(fix));
            Finding::new(0, diagnostic)
        };
        let findings = [
            found(&[(3, 5, "a")]),
            found(&[(4, 6, "b"), (8, 9, "b")]),
            found(&[(3, 5, "a")]),
            found(&[(7, 7, "c")]),
            found(&[(7, 7, "d")]),
            found(&[(7, 7, "c")]),
        ];
        let mut guess = found(&[(20, 21, "e")]);
        guess.diagnostic.fix.as_mut().unwrap().applicability = Applicability::Suggested;
        let findings = [&findings[..], &[guess]].concat();
        let (edits, count) = fixes(&findings);
        assert_eq!(count, 3);
        assert_eq!(edits.iter().map(|edit| edit.text.as_str()).collect::<Vec<_>>(), ["a", "c", "d"]);
    }
}
