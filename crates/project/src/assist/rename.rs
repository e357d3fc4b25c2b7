//! Another name for what is at the cursor, by the same rules as [`crate::rename`].

use super::locate::Target;
use crate::edit::Edit;
use crate::project::{Analysis, Project};
use crate::rename::Refused;

/// Whether such a thing can get another name.
pub fn can_rename(target: &Target) -> bool {
    match target {
        Target::Variable { .. } | Target::Phrase { .. } | Target::Component(_) | Target::Requirement(_) => {
            true
        }
        Target::Value { .. } | Target::Word(_) => false,
    }
}

/// The edits that rename something.
///
/// # Errors
/// Why the new name cannot be used.
pub fn rename(
    project: &Project,
    analysis: &Analysis,
    target: &Target,
    new: &str,
) -> Result<Vec<Edit>, Refused> {
    let change = match target {
        Target::Variable { component, name } => {
            crate::rename::variable(project, analysis, Some(component), name, new.trim())
        }
        Target::Phrase { component, name } => {
            let symbol = analysis.components.get(component).and_then(|known| known.symbol(name));
            let old = symbol.and_then(|symbol| symbol.variable.phrase.as_deref()).unwrap_or_default();
            crate::rename::phrase(project, analysis, Some(component), old, new.trim())
        }
        Target::Component(name) => crate::rename::component(project, analysis, None, name, new.trim()),
        Target::Requirement(id) => crate::rename::requirement(project, id, new.trim()),
        Target::Value { .. } | Target::Word(_) => return Err(Refused::NotRenamable),
    };
    change.map(|change| change.edits)
}
