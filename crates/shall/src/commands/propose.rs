//! `shall propose`: FRETish sentences for requirements in prose, shown, and written only with `--apply`.

use crate::cli::Output;
use crate::cli::change::Propose;
use crate::json::Phrase;
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use base::counted;
use project::document::Language;
use project::proposal::{NoProposal, Proposal, SYSTEM, propose};
use project::{Cache, Edit, Native, Place, edit};
use schemars::JsonSchema;
use serde::Serialize;
use syntax::nearest;

/// A requirement in prose, and the sentence for it.
struct Candidate {
    place: Place,
    native: Native,
    proposal: Result<Proposal, NoProposal>,
}

pub(crate) fn run(command: &Propose, output: Output) -> Result<Outcome, Error> {
    let workspace = Workspace::open(&command.project)?;
    let candidates = candidates(command, &workspace)?;
    if command.apply {
        apply(&workspace, &candidates)?;
    }
    output.show(|| human(command, &candidates), || Proposals::of(command, &candidates))?;
    // What was asked for by its id and has no sentence is not done.
    let missed = !command.ids.is_empty() && candidates.iter().any(|it| it.proposal.is_err());
    Ok(if missed { Outcome::Findings } else { Outcome::Fine })
}

fn candidates(command: &Propose, workspace: &Workspace) -> Result<Vec<Candidate>, Error> {
    let project = &workspace.project;
    let analysis = project.analyse(&mut Cache::default());
    let mut components = analysis.components.iter().map(|component| component.name.as_str());
    let default = match (components.next(), components.next()) {
        (Some(only), None) => only,
        _ => SYSTEM,
    };
    let known = || project.places().map(|place| project.entry(place).id.text.as_str());
    for id in &command.ids {
        if !known().any(|known| known == id) {
            let hint = nearest(id, known()).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Error::Usage(format!("there is no requirement `{id}`{hint}")));
        }
        if project.places().any(|it| project.entry(it).id.text == *id && project.sentence(it).is_some()) {
            return Err(Error::Usage(format!("`{id}` has a sentence already")));
        }
    }
    let wanted = project.places().filter(|&place| {
        let entry = project.entry(place);
        entry.sentence.is_none() && (command.ids.is_empty() || command.ids.contains(&entry.id.text))
    });
    let candidate = |place: Place| {
        let native = Native::of(&project.documents[place.document], project.entry(place));
        // Without prose, the title says what is required.
        let text =
            if native.rationale.is_empty() { native.title.clone() } else { Some(native.rationale.clone()) };
        let proposal = propose(&text.unwrap_or_default(), default);
        Candidate { place, native, proposal }
    };
    Ok(wanted.map(candidate).collect())
}

/// Writes the sentences into the documents; the prose stays above them.
fn apply(workspace: &Workspace, candidates: &[Candidate]) -> Result<(), Error> {
    let project = &workspace.project;
    for (index, document) in project.documents.iter().enumerate() {
        let mut edits: Vec<Edit> = Vec::new();
        for Candidate { place, native, proposal } in candidates.iter().filter(|it| it.place.document == index)
        {
            if let Ok(proposal) = proposal {
                let sentence = Some((Language::Fretish, proposal.sentence.clone()));
                let formal = Native { sentence, ..native.clone() };
                edits.extend(formal.edits(index, document, project.entry(*place)));
            }
        }
        if !edits.is_empty() {
            let text = edit::apply(&document.text, &edits)
                .map_err(|conflict| Error::Internal(format!("{}: {conflict:?}", document.name)))?;
            workspace.save(&document.name, &text)?;
        }
    }
    Ok(())
}

fn human(command: &Propose, candidates: &[Candidate]) -> String {
    let mut out = String::new();
    let mut made = 0;
    for Candidate { native, proposal, .. } in candidates {
        match proposal {
            Ok(Proposal { sentence, names, notes }) => {
                made += 1;
                out += &format!("{}: {}\n", visible(&native.id), visible(sentence));
                // A name of one word says itself what it stands for.
                for (name, phrase) in names.iter().filter(|(name, _)| name.contains('_')) {
                    out += &format!("  {}: {}\n", visible(name), visible(phrase));
                }
                notes.iter().for_each(|note| out += &format!("  note: {note}\n"));
            }
            Err(why) if !command.ids.is_empty() => {
                out += &format!("{}: no proposal: {why}\n", visible(&native.id));
            }
            Err(_) => {}
        }
    }
    let total = counted(candidates.len(), "requirement");
    out += &match (command.apply, made) {
        _ if candidates.is_empty() => "no requirement is in prose\n".into(),
        (true, _) => format!("{} written for {total} in prose\n", counted(made, "sentence")),
        (false, 0) => format!("no proposal for {total} in prose\n"),
        (false, _) => {
            let first =
                candidates.iter().find(|it| it.proposal.is_ok()).map_or("", |it| it.native.id.as_str());
            let proposals = counted(made, "proposal");
            format!(
                "{proposals} for {total} in prose; `shall propose --apply {}` writes one\n",
                visible(first)
            )
        }
    };
    out
}

/// Sentences for requirements in prose.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Proposals<'c> {
    /// The requirements without a sentence, in the order of the documents.
    requirements: Vec<Proposed<'c>>,
    /// Whether the sentences were written: `true` with `--apply`.
    written: bool,
}

/// A requirement in prose.
#[derive(Serialize, JsonSchema)]
struct Proposed<'c> {
    /// Its id.
    id: &'c str,
    /// The sentence, or `null`.
    sentence: Option<&'c str>,
    /// The names in the sentence and the phrases they stand for.
    names: Vec<Phrase<'c>>,
    /// What the prose leaves open.
    notes: &'c [String],
    /// Why there is no sentence, or `null`.
    reason: Option<String>,
}

impl<'c> Proposals<'c> {
    fn of(command: &Propose, candidates: &'c [Candidate]) -> Proposals<'c> {
        let proposed = |candidate: &'c Candidate| {
            let found = candidate.proposal.as_ref().ok();
            let names = found.into_iter().flat_map(|it| &it.names);
            Proposed {
                id: &candidate.native.id,
                sentence: found.map(|it| it.sentence.as_str()),
                names: names.map(|(name, phrase)| Phrase { name, phrase }).collect(),
                notes: found.map_or(&[], |it| &it.notes),
                reason: candidate.proposal.as_ref().err().map(ToString::to_string),
            }
        };
        Proposals { requirements: candidates.iter().map(proposed).collect(), written: command.apply }
    }
}
