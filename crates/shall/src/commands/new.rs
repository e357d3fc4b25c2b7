//! `shall new`: a requirement from a template, as text or at the end of a document.

use crate::cli::Output;
use crate::cli::change::New;
use crate::files::{is_standard, print, read_text, write_file};
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use project::assist::TEMPLATES;
use project::{Document, Native, document::Language};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A new requirement.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Written {
    /// Its id.
    id: String,
    /// The document that it was added to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The sentence.
    sentence: String,
    /// The fields of the template that were left as they are.
    open: Vec<&'static str>,
    /// The section of the document.
    text: String,
}

pub(crate) fn run(command: &New, output: Output) -> Result<Outcome, Error> {
    let template = TEMPLATES.iter().find(|it| it.name == command.template);
    let template = template.ok_or_else(|| Error::usage("--template: there is no such template"))?;
    let fields = template.fields();
    let mut values = BTreeMap::new();
    for pair in &command.set {
        let (field, text) = pair
            .split_once('=')
            .ok_or_else(|| Error::Usage(format!("--set: `{pair}` is not of the form FIELD=TEXT")))?;
        if !fields.contains(&field.trim()) {
            let (name, fields) = (template.name, fields.join(", "));
            return Err(Error::Usage(format!(
                "--set: `{name}` has no field `{field}`; its fields are {fields}"
            )));
        }
        values.insert(field.trim().to_owned(), text.trim().to_owned());
    }
    let sentence = template.fill(&values);
    let native = Native {
        id: command.id.clone(),
        title: command.title.clone(),
        sentence: Some((Language::Fretish, sentence.clone())),
        rationale: String::new(),
        attributes: command.parent.iter().map(|parent| ("parent".to_owned(), parent.clone())).collect(),
    };
    let text = native.render(2);
    // What is written is read again: an id of two words, or a title of two lines, would be something else.
    let read = Document::read("new.md", text.as_str());
    let is_read = |entry| Native::of(&read, entry) == native;
    if read.entries.len() != 1 || !read.entries.iter().all(is_read) {
        return Err(Error::usage("the id must be one word without a colon, and the title one line"));
    }
    let is_alone = is_standard(&command.file);
    if !is_alone {
        let workspace = Workspace::open(&command.project)?;
        if workspace.project.find(&native.id).is_some() {
            return Err(Error::Usage(format!("the project has a requirement `{}` already", native.id)));
        }
        let old = if command.file.exists() { read_text(&command.file)? } else { String::new() };
        let gap = match old.trim_end() {
            "" => "",
            _ => "\n\n",
        };
        write_file(&command.file, format!("{}{gap}{text}", old.trim_end()))?;
    }
    let open = fields.into_iter().filter(|field| !values.contains_key(*field)).collect();
    let file = (!is_alone).then(|| command.file.display().to_string());
    let written = Written { id: native.id, file, sentence, open, text };
    let human = || match &written.file {
        None => written.text.clone(),
        Some(file) => format!("added {} to {}\n", visible(&written.id), visible(file)),
    };
    match output {
        Output::Human => print(human())?,
        Output::Json | Output::JsonLines => output.show(String::new, || &written)?,
    }
    Ok(Outcome::Fine)
}
