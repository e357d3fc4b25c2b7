//! Another name for a variable, component or requirement: one edit at every place where the old one stands. A name that
//! could not be read back, or that is taken, is refused.

use super::locate::Target;
use super::references::{Role, references};
use crate::edit::Edit;
use crate::project::{Analysis, Project};
use crate::reading::Parsed;

/// Whether such a thing can get another name.
pub fn can_rename(target: &Target) -> bool {
    match target {
        Target::Variable { .. } | Target::Component(_) | Target::Requirement(_) => true,
        Target::Value { .. } | Target::Word(_) => false,
    }
}

/// The edits that rename something.
///
/// # Errors
/// One sentence that says why the new name cannot be used.
pub fn rename(
    project: &Project,
    analysis: &Analysis,
    target: &Target,
    new: &str,
) -> Result<Vec<Edit>, String> {
    let new = new.trim();
    let taken = |taken: bool, what: &str| match taken {
        true => Err(format!("there is {what} `{new}` already")),
        false => Ok(()),
    };
    // How sentences write the name; headings and tables write it as it is.
    let spelling = match target {
        Target::Variable { component, name } => {
            let known = analysis.components.get(component).filter(|_| name != new);
            taken(known.is_some_and(|known| known.symbol(new).is_some()), "a variable")?;
            taken(known.is_some_and(|known| known.enumeration_of(new).is_some()), "a value")?;
            spelled(new, is_variable)?
        }
        Target::Component(name) => {
            taken(name != new && analysis.components.get(new).is_some(), "a component")?;
            spelled(new, is_component)?
        }
        Target::Requirement(id) => {
            taken(id != new && project.find(new).is_some(), "a requirement")?;
            let digit = new.contains(|c: char| c.is_ascii_digit());
            if new.is_empty() || new.contains(|c: char| c.is_whitespace() || ":,#`".contains(c)) || !digit {
                return Err(format!("`{new}` is no id: write one word with a digit in it, such as `AP-003`"));
            }
            new.to_string()
        }
        Target::Value { .. } | Target::Word(_) => return Err("this cannot be renamed".into()),
    };
    let places = references(project, analysis, target).into_iter();
    Ok(places
        .map(|place| Edit {
            document: place.document,
            span: place.span,
            text: if place.role == Role::Declaration { new.to_string() } else { spelling.clone() },
        })
        .collect())
}

/// The name as a sentence has to write it: as it is, or in quotes.
fn spelled(name: &str, reads: impl Fn(&str, &str) -> bool) -> Result<String, String> {
    let quoted = format!("\"{name}\"");
    let writable = !name.is_empty() && !name.contains(|c: char| c.is_control() || "\"\\|`".contains(c));
    if reads(name, name) {
        Ok(name.to_string())
    } else if writable && reads(&quoted, name) {
        Ok(quoted)
    } else {
        Err(format!("`{name}` is no name: write letters, digits and `_`, beginning with a letter"))
    }
}

/// Whether a spelling is read as this variable, wherever it stands.
fn is_variable(spelling: &str, name: &str) -> bool {
    let text = format!("in {spelling} mode, when {spelling}, x shall until {spelling} satisfy {spelling}");
    let parsed = Parsed::of(&text);
    parsed.parse.diagnostics.is_empty()
        && parsed.names.len() == 4
        && parsed.names.iter().all(|used| used.name == name)
}

fn is_component(spelling: &str, name: &str) -> bool {
    let parsed = Parsed::of(&format!("{spelling} shall satisfy x"));
    parsed.parse.diagnostics.is_empty() && parsed.component() == Some(name)
}
