//! FRET projects in and out.

use super::merge::{FOREIGN_ID, Incoming, Received, foreign_id};
use crate::native::Native;
use crate::project::{Analysis, Known, Project};
use exchange::fret::{NativeRequirement, NativeVariable, Parts, parts, rebuild};
use serde_json::Value;

/// The attributes that FRET has members of its own for.
const PARENT: &str = "parent";
const STATUS: &str = "status";
const COMMENTS: &str = "comments";
const TITLE: &str = "title";

/// What a FRET project says, for [`merge`](super::merge()).
pub fn from_fret(project: &exchange::fret::Project) -> Incoming {
    let Parts { requirements, variables, .. } = parts(project);
    Incoming { requirements: requirements.into_iter().map(received).collect(), variables }
}

fn received(given: NativeRequirement) -> Received {
    let own = [(PARENT, given.parent), (STATUS, given.status), (COMMENTS, given.comments)];
    let mut attributes: Vec<(String, String)> =
        own.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    let mut title = None;
    for (name, value) in given.attributes {
        if name == TITLE { title = Some(value) } else { attributes.push((name, value)) }
    }
    Received {
        id: given.id,
        title,
        sentence: Some(given.text),
        rationale: Some(given.rationale),
        attributes,
        ..Received::default()
    }
}

/// The project for [`write`](exchange::fret::write), with names in the place of phrases; `sidecar` keeps what documents have no
/// place for.
pub fn to_fret(project: &Project, analysis: &Analysis, sidecar: Option<&Value>) -> exchange::fret::Project {
    let requirement = |known: &Known| {
        let mut native = Native::of(&project.documents[known.place.document], project.entry(known.place));
        if let (Some((_, text)), Some(plain)) = (&mut native.sentence, known.without_phrases()) {
            *text = plain;
        }
        sent(native)
    };
    let requirements: Vec<NativeRequirement> = analysis.requirements.iter().map(requirement).collect();
    let tables = project.documents.iter().flat_map(|document| &document.tables);
    let variables: Vec<NativeVariable> = tables
        .flat_map(|table| table.rows.iter().map(move |row| (table.component.text.clone(), &row.declaration)))
        .map(|(component, declared)| NativeVariable {
            component,
            name: declared.name.text.clone(),
            kind: declared.kind,
            ty: declared.ty.clone(),
            definition: declared.definition.clone(),
            description: declared.description.clone(),
        })
        .collect();
    let name = project.config.name.as_deref().unwrap_or_default();
    rebuild(sidecar, &requirements, &variables, name)
}

fn sent(native: Native) -> NativeRequirement {
    let mut requirement = NativeRequirement {
        id: foreign_id(&native).to_string(),
        name: native.id,
        text: native.sentence.map(|(_, text)| text).unwrap_or_default(),
        rationale: native.rationale,
        ..NativeRequirement::default()
    };
    requirement.attributes.extend(native.title.map(|title| (TITLE.to_string(), title)));
    for (name, value) in native.attributes {
        match name.as_str() {
            PARENT => requirement.parent = value,
            STATUS => requirement.status = value,
            COMMENTS => requirement.comments = value,
            FOREIGN_ID => {}
            _ => requirement.attributes.push((name, value)),
        }
    }
    requirement
}
