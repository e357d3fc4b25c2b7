//! The language server: editors speak the Language Server Protocol with it over standard input and output.
//!
//! - `wire`: messages in and out; `text`: positions in lines and units; `uri`: files as editors name them
//! - `room`: a project as the server keeps it; `server`: what happens when; `requests`: questions and their answers
//! - `convert`: spans and kinds of `project::assist` as the protocol has them
//!
//! Invariants: no bytes that come in can end the server other than the end of the input; positions outside a text are
//! moved into it; what is sent does not depend on the order of a hash map.

mod convert;
mod requests;
mod room;
mod server;
mod text;
mod uri;
mod wire;

use crate::Outcome;
use project::{Analysis, Document, Edit, Finding, Project};

/// Serves until the editor says goodbye.
pub(crate) fn run() -> Result<Outcome, String> {
    let messages = wire::listen()?;
    match server::Server::new(std::io::stdout().lock()).serve(&messages) {
        true => Ok(Outcome::Fine),
        // The protocol wants 1 if the editor went away without a shutdown.
        false => Ok(Outcome::Findings),
    }
}

/// What is wrong in a project.
pub(crate) fn findings(project: &Project, analysis: &Analysis) -> Vec<Finding> {
    let mut all = Vec::new();
    for (document, text) in project.documents.iter().enumerate() {
        all.extend(text.diagnostics.iter().map(|found| Finding::new(document, found.clone())));
    }
    for known in &analysis.requirements {
        for diagnostic in analysis.complaints(project, known) {
            let document = known.place.document;
            let fix = project::assist::mend(document, &diagnostic);
            let requirement = Some(project.entry(known.place).id.text.clone());
            all.push(Finding { fix, requirement, ..Finding::new(document, diagnostic) });
        }
    }
    let allowed = &project.config.allow;
    all.retain(|found| !allowed.iter().any(|code| code == found.diagnostic.code.id()));
    all
}

/// The edits that bring a document into its normal form.
pub(crate) fn formatting(_document: &Document) -> Vec<Edit> {
    Vec::new()
}
