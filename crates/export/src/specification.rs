//! The requirements of a whole project, one file per target: model checkers, contracts, monitors, plain JSON.
//!
//! Targets: `smv`, `cocospec` (with `lustre` and `lustre_library`), `ogma`, `copilot`, `c2po`, `json`. They share legal names
//! ([`names`], `scope`), definitions of variables (`definition`) and the writer of typed expressions (`expression`), so that
//! `x > 3` has an integer or a real number depending on the type of `x`.
//!
//! Invariants: what a target cannot express is [`Inexpressible`] and listed in [`Written::left_out`] and in the file itself,
//! never dropped silently; different names stay different; no text of the user can end a comment or a string.

mod c2po;
mod cocospec;
mod copilot;
mod definition;
mod expression;
mod inexpressible;
mod json;
mod lustre;
mod lustre_library;
pub mod monitor;
pub mod names;
mod ogma;
mod scope;
mod smv;
pub mod sql;
mod subjects;

pub use inexpressible::Inexpressible;
pub(crate) use lustre::RULES as LUSTRE;
pub(crate) use lustre::monitors as lustre_monitors;
pub use subjects::{Subject, Subjects};

use logic::{Bound, Formula, Store, Unary};
use names::Renamed;
use requirement::specification::{Component, Item};
use requirement::{Ending, future, past};
use std::fmt;

/// The reader of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// NuSMV and nuXmv: a module with a specification per requirement.
    Smv,
    /// Kind 2: a CoCoSpec contract per component, with the Lustre operators it uses.
    CoCoSpec,
    /// Ogma, which makes monitors in Copilot: the JSON of one component.
    Ogma,
    /// Copilot: a module with a monitor per requirement of one component.
    Copilot,
    /// C2PO, the compiler of R2U2.
    C2po,
    /// Programs: everything, as plain JSON.
    Json,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 6] =
        [Target::Smv, Target::CoCoSpec, Target::Ogma, Target::Copilot, Target::C2po, Target::Json];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Smv => "smv",
            Target::CoCoSpec => "cocospec",
            Target::Ogma => "ogma",
            Target::Copilot => "copilot",
            Target::C2po => "c2po",
            Target::Json => "json",
        }
    }

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Smv => "smv",
            Target::CoCoSpec => "lus",
            Target::C2po => "c2po",
            Target::Copilot => "hs",
            Target::Ogma | Target::Json => "json",
        }
    }
}

/// Which formula of a requirement is written, for targets that take several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The past formula, checked at every step.
    #[default]
    Past,
    /// The future formula for finite traces, checked at the first step.
    FutureFinite,
    /// The future formula for infinite traces, checked at the first step.
    FutureInfinite,
}

/// Options of the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which formula is written; SMV and C2PO only.
    pub form: Form,
    /// Whether requirements about a mode become modes of the contract if that has the same meaning; CoCoSpec only.
    pub modes: bool,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// The names that differ from those in the project.
    pub renamed: Vec<Renamed>,
    /// What the target cannot express.
    pub left_out: Vec<LeftOut>,
    /// What the target misjudges.
    pub warnings: Vec<Warning>,
}

/// A requirement that is in the file and that the target misjudges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Its id.
    pub id: String,
    /// What is wrong.
    pub reason: &'static str,
}

/// Something that is missing in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The id of the requirement, or the name of the variable whose definition is missing.
    pub id: String,
    /// Why it is missing.
    pub reason: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.id, self.reason)
    }
}

impl std::error::Error for LeftOut {}

impl LeftOut {
    fn new(id: &str, reason: impl fmt::Display) -> LeftOut {
        LeftOut { id: id.to_owned(), reason: reason.to_string() }
    }
}

/// Why there is no file at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The target takes one component per file.
    OneComponent {
        /// The target.
        target: Target,
        /// The number of components.
        components: usize,
    },
    /// C2PO has no formulas that end with the trace.
    FiniteFuture,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::OneComponent { target, components } => {
                let name = target.name();
                write!(f, "a file for {name} has one component, but there are {components}: choose one")
            }
            Refused::FiniteFuture => {
                write!(
                    f,
                    "c2po has no formulas that end with the trace: choose the past or the infinite future"
                )
            }
        }
    }
}

impl std::error::Error for Refused {}

/// The file of a target. The formulas of the components are in the store.
///
/// # Errors
/// If the target cannot have a file for these components at all.
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
        Target::Copilot => return copilot::write(store, components),
        Target::C2po => return c2po::write(store, components, options),
        Target::Json => json::write(store, components),
    })
}

/// The past formula, or why there is none.
fn past_of(store: &mut Store, item: &Item) -> Result<Formula, Inexpressible> {
    Ok(past(store, &item.requirement)?)
}

/// A future formula, or why there is none.
fn future_of(store: &mut Store, item: &Item, ending: Ending) -> Result<Formula, Inexpressible> {
    Ok(future(store, &item.requirement, ending)?)
}

/// A guarantee that is owed as long as the assumptions are kept.
fn under(store: &mut Store, assumptions: &[Formula], guarantee: Formula) -> Formula {
    let kept = store.and(assumptions.iter().copied());
    store.implies(kept, guarantee)
}

/// The past formula of an assumption: it was kept at every step so far.
fn kept_so_far(store: &mut Store, item: &Item) -> Result<Formula, Inexpressible> {
    let past = past_of(store, item)?;
    Ok(store.historically(Bound::ALL, past))
}

/// What must hold at every step so that a past formula does: `H p` at all steps is `p` at all steps.
fn at_every_point(store: &Store, past: Formula) -> Formula {
    match *store.node(past) {
        logic::Node::Unary(Unary::Historically, logic::Bound::ALL, inner) => inner,
        _ => past,
    }
}

/// A comment: whatever the text is, one line of visible characters.
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

/// Records in the file and in the list that something is left out.
fn leave_out(out: &mut String, indent: &str, left_out: &mut Vec<LeftOut>, id: &str, why: impl fmt::Display) {
    comment(out, indent, &format!("left out: {id}: {why}"));
    left_out.push(LeftOut::new(id, why));
}
