//! [`UNKNOWN_PARENT`]: each parent is a requirement of the project.

use super::Context;
use crate::finding::Finding;
use diagnostics::Hint;
use syntax::nearest;

diagnostics::codes! {
    UNKNOWN_PARENT "E0510" "A parent is not a requirement of the project.",
        "A link from a requirement to a parent that does not exist hides that the parent was renamed or never written.",
        "## P-1: Fill\n\n## P-2: Fill slowly\n\n- parent: P-11" => "## P-1: Fill\n\n## P-2: Fill slowly\n\n- parent: P-1";
}

/// For more unknown parents than this, no near ids are searched.
const MAX_NEAR: usize = 20;

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let ids = || context.places.iter().map(|&place| context.project.entry(place).id.text.as_str());
    let mut unknown = 0;
    for &place in &context.places {
        for parent in context.project.entry(place).parents() {
            if context.first.contains_key(parent.text.as_str()) {
                continue;
            }
            unknown += 1;
            // The next number is another requirement, not a typo.
            let alike = ids().filter(|id| digits(id).eq(digits(&parent.text)));
            let near = if unknown <= MAX_NEAR { nearest(&parent.text, alike) } else { None };
            let hint = Hint::near(near, || "write the id of a requirement of this project".into()).safe();
            let message = format!("there is no requirement `{}`", parent.text);
            findings.push(context.about(place, UNKNOWN_PARENT, parent.span, message, hint));
        }
    }
}

fn digits(id: &str) -> impl Iterator<Item = char> {
    id.chars().filter(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect_each, fixed};

    #[test]
    fn parents() {
        expect_each(
            &["E0510"],
            &[
                (&["## A-1\n\n## A-2\n\n- parent: A-1\n"], &[]),
                (&["## A-1\n\n- parent: A-2, X-9\n\n## A-2\n"], &["E0510 X-9"]),
            ],
        );
    }

    #[test]
    fn a_parent_is_fixed() {
        let text = "## AP-100\n\n## AP-200\n\n- parent: ap100 , AP-101, AP-100\n";
        assert_eq!(fixed(&[text], "E0510"), text.replace("ap100", "AP-100"));
    }
}
