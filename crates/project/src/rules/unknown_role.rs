//! [`UNKNOWN_ROLE`]: the attribute `role` says whether a requirement is a guarantee or an assumption.

use super::Context;
use crate::document::ROLE;
use crate::finding::Finding;
use diagnostics::Hint;
use requirement::specification::ContractRole;
use syntax::nearest;

diagnostics::codes! {
    UNKNOWN_ROLE "W0520" "The role of a requirement is invalid.",
        "An assumption constrains the environment, a guarantee the component. A requirement with any other role counts as a \
         guarantee, unless its id contains `assumption`.",
        "## P-1: The tank is filled\n\n- role: assumed" => "## P-1: The tank is filled\n\n- role: assumption";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for &place in &context.places {
        let entry = context.project.entry(place);
        let Some(stated) = entry.attribute(ROLE) else { continue };
        let text = stated.value.text.trim();
        if text.is_empty() || ContractRole::parse(text).is_some() {
            continue;
        }
        let near = nearest(&text.to_lowercase(), ContractRole::ALL.iter().map(|role| role.name()));
        let hint = Hint::near(near, || "write `guarantee` or `assumption`".into());
        let message =
            format!("`{text}` is not a role; `{}` counts as a {}", entry.id.text, entry.role().name());
        findings.push(context.about(place, UNKNOWN_ROLE, stated.value.span, message, hint));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_each;

    #[test]
    fn roles() {
        expect_each(
            &["W0520"],
            &[
                (
                    &["## A-1\n\n- role: assumption\n\n## A-2\n\n- role: Guarantee\n\n## A-3\n\n- role:\n"],
                    &[],
                ),
                (&["## A-1\n\n- role: asumption\n"], &["W0520 asumption"]),
                (&["## A-1\n\n- role: safety\n"], &["W0520 safety"]),
            ],
        );
    }
}
