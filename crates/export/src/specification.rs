//! The requirements of a whole project, one file per target: model checkers, contracts, monitors, plain JSON.
//!
//! Every target has its file here. They share the renaming of names ([`names`]), the reading of definitions and a writer of
//! typed expressions, so that `x > 3` has a whole or a real number, as the type of `x` wants it.
//!
//! Invariants: what a target cannot express is listed in [`Written::left_out`] and in the file itself, never dropped
//! silently; different names stay different; no text of the user can end a comment or a string.

mod c2po;
mod cocospec;
mod definition;
mod expression;
mod json;
mod lustre;
mod lustre_library;
pub mod names;
mod ogma;
mod scope;
mod smv;

pub(crate) use lustre::RULES as LUSTRE;

use logic::{Formula, Store, Unary};
use names::Renamed;
use requirement::specification::{Component, Item};
use requirement::{Ending, future, past};
use std::fmt;

/// Who reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// NuSMV and nuXmv: a module with a specification per requirement.
    Smv,
    /// Kind 2: a CoCoSpec contract per component, with the Lustre operators it uses.
    CoCoSpec,
    /// Ogma, which makes monitors in Copilot: the JSON of one component.
    Ogma,
    /// C2PO, the compiler of R2U2.
    C2po,
    /// Programs: everything, as plain JSON.
    Json,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 5] = [Target::Smv, Target::CoCoSpec, Target::Ogma, Target::C2po, Target::Json];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Smv => "smv",
            Target::CoCoSpec => "cocospec",
            Target::Ogma => "ogma",
            Target::C2po => "c2po",
            Target::Json => "json",
        }
    }

    /// How the names of its files end, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Smv => "smv",
            Target::CoCoSpec => "lus",
            Target::C2po => "c2po",
            Target::Ogma | Target::Json => "json",
        }
    }
}

/// Which formula of a requirement is written where a target takes several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The past formula, asked at every point.
    #[default]
    Past,
    /// The future formula for finite traces, asked at the first point.
    FutureFinite,
    /// The future formula for infinite traces, asked at the first point.
    FutureInfinite,
}

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which formula is written; SMV only.
    pub form: Form,
    /// Whether requirements about a mode become modes of the contract where that means the same; CoCoSpec only.
    pub modes: bool,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// The names that are written otherwise than in the project.
    pub renamed: Vec<Renamed>,
    /// What the target cannot express.
    pub left_out: Vec<LeftOut>,
}

/// Something that is not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The id of the requirement, or the name of the variable whose definition is missing.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// Why there is no file at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The target takes one component per file.
    OneComponent {
        /// How many there are.
        components: usize,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::OneComponent { components } => {
                write!(f, "Ogma reads one component per file, and there are {components}: choose one")
            }
        }
    }
}

impl std::error::Error for Refused {}

/// The file of a target. The formulas of the components are in the store.
///
/// # Errors
/// Where the target has no file for these components at all.
pub fn write(
    store: &mut Store,
    components: &[Component],
    target: Target,
    options: &Options,
) -> Result<Written, Refused> {
    Ok(match target {
        Target::Smv => smv::write(store, components, options),
        Target::CoCoSpec => cocospec::write(store, components, options),
        Target::Ogma => return ogma::write(store, components),
        Target::C2po => c2po::write(store, components),
        Target::Json => json::write(store, components),
    })
}

/// The past formula, or why there is none.
fn past_of(store: &mut Store, item: &Item) -> Result<Formula, String> {
    past(store, &item.requirement).map_err(|refusal| refusal.to_string())
}

/// A future formula, or why there is none.
fn future_of(store: &mut Store, item: &Item, ending: Ending) -> Result<Formula, String> {
    future(store, &item.requirement, ending).map_err(|refusal| refusal.to_string())
}

/// What must hold at every point so that a past formula does: `H p` at all points is p at all points.
fn at_every_point(store: &Store, past: Formula) -> Formula {
    match *store.node(past) {
        logic::Node::Unary(Unary::Historically, logic::Bound::ALL, inner) => inner,
        _ => past,
    }
}

/// Lines of a comment: whatever the text is, each is one line of visible characters.
fn comment(out: &mut String, indent: &str, text: &str) {
    out.push_str(indent);
    out.push_str("-- ");
    out.push_str(&draw::terminal::plain(text));
    out.push('\n');
}

/// The names that were changed, as a comment.
fn comment_renamed(out: &mut String, renamed: &[Renamed]) {
    for entry in renamed {
        let owner = entry.component.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        comment(out, "", &format!("{} is `{}`{owner}", entry.emitted, entry.original));
    }
}

/// Notes that a requirement is left out, in the file and in the list.
fn leave_out(out: &mut String, indent: &str, left_out: &mut Vec<LeftOut>, id: &str, reason: String) {
    comment(out, indent, &format!("left out: {id}: {reason}"));
    left_out.push(LeftOut { id: id.to_owned(), reason });
}
