//! A new project: its files with a worked example.

/// The files of a new project: names and contents.
pub fn files(name: &str) -> Vec<(&'static str, String)> {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    vec![
        ("shall.toml", SETTINGS.replace("@NAME@", &quoted)),
        ("requirements.md", DOCUMENT.replace("@NAME@", name.trim())),
    ]
}

const SETTINGS: &str = "\
[project]
name = \"@NAME@\"
documents = [\"**/*.md\"]
# How long a step takes: `within 1 second` is then 10 steps.
step = \"100 ms\"

[components.TankController]
description = \"Keeps the water in a tank between two marks.\"
";

const DOCUMENT: &str = include_str!("template/requirements.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cache, Config, Document, PhraseBook, Project, edit, format};
    use requirement::specification::Kind;

    /// The example is sound, every variable is declared and used, every output is decided, and the documents are in
    /// normal form.
    #[test]
    fn the_example_is_sound() {
        let files = files("My \"first\" project");
        let (config, wrong) = Config::read(&files[0].1);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(config.name.as_deref(), Some("My \"first\" project"));
        let document = Document::read(files[1].0, files[1].1.clone());
        assert!(document.diagnostics.is_empty(), "{:?}", document.diagnostics);
        assert_eq!(
            edit::apply(&document.text, &format::edits(&document, 0, &PhraseBook::default())),
            Ok(document.text.clone())
        );
        let project = Project { config, documents: vec![document] };
        let analysis = project.analyse(&mut Cache::default());
        for known in &analysis.requirements {
            let entry = project.entry(known.place);
            assert!(
                known.reading.as_ref().is_none_or(|reading| reading.diagnostics().is_empty()),
                "{}",
                entry.id.text
            );
            assert!(entry.parents().iter().all(|parent| project.find(&parent.text).is_some()));
        }
        for symbol in analysis.components.iter().flat_map(|component| &component.variables) {
            let name = &symbol.variable.name;
            assert!(symbol.declaration.is_some() && !symbol.uses.is_empty(), "{name}");
            assert!(
                symbol.variable.kind != Kind::Output || symbol.uses.iter().any(|used| used.in_response),
                "{name}"
            );
        }
    }
}
