//! Model files: [`read`] detects the format from the bytes, not from the name of the file.
//!
//! Nothing is dropped silently: what was lost is a problem, what is only worth knowing is a note, and a file that
//! cannot be read at all gives an empty diagram with problems.

mod build;
mod charts;
mod mdl;
mod slx;

use crate::diagram::Diagram;
use container::archive::is_archive;
use container::{FileError, Limits, Spot};
pub(crate) use mdl::encode_records;

/// A model file that was read, as far as it could be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// What the file says.
    pub diagram: Diagram,
    /// What could not be read: the diagram may lack something that matters.
    pub problems: Vec<FileError>,
    /// What was skipped on purpose, or guessed.
    pub notes: Vec<FileError>,
}

/// Reads a model file.
///
/// ```
/// let text = "Model {\n Name \"m\"\n System {\n Block {\n BlockType Inport\n Name \"u\"\n }\n }\n}\n";
/// let reading = shall_simulink::read(text.as_bytes(), &shall_simulink::Limits::default());
/// assert!(reading.problems.is_empty());
/// assert_eq!(reading.diagram.sheets[0].blocks[0].name, "u");
/// ```
pub fn read(bytes: &[u8], limits: &Limits) -> Reading {
    // Readers recurse, so the depth is limited by the stack, whatever the caller allows.
    let limits = &Limits { depth: limits.depth.min(DEEPEST), ..*limits };
    let mut log = Log::default();
    let file = if bytes.len() as u64 > limits.total {
        let hint = format!("the limit is {} bytes", limits.total);
        log.problems.push(FileError::new("the file is too large").hint(hint));
        None
    } else if is_archive(bytes) {
        slx::from_archive(bytes, limits, &mut log)
    } else if slx::is_text_package(bytes) {
        slx::from_text(bytes, limits, &mut log)
    } else {
        mdl::parse(bytes, limits, &mut log)
    };
    let diagram = file.map(|file| build::diagram(&file, limits, &mut log)).unwrap_or_default();
    Reading { diagram, problems: log.problems, notes: log.notes }
}

/// The maximum nesting of sections.
const DEEPEST: usize = 400;

/// A file as a tree, and its data.
#[derive(Default)]
struct File {
    /// `Model` or `Library`.
    model: Section,
    /// The configuration set, if it is apart from the model.
    configuration: Option<Section>,
    /// The defaults of the block types, if they are apart from the model.
    defaults: Option<Section>,
    /// The data file of the model workspace.
    workspace: Option<Vec<u8>>,
    /// The Stateflow charts.
    stateflow: Option<Section>,
    /// The part of the file that has the model.
    part: Option<String>,
}

/// The problems and notes found while reading.
#[derive(Default)]
struct Log {
    problems: Vec<FileError>,
    notes: Vec<FileError>,
}

/// The maximum number of problems listed for one file.
const MOST: usize = 1_000;

impl Log {
    /// Something was lost.
    fn problem(&mut self, problem: FileError) {
        match self.problems.len() {
            ..MOST => self.problems.push(problem),
            MOST => self.problems.push(FileError::new("there are more problems, which are not listed")),
            _ => {}
        }
    }

    /// Something is worth knowing.
    fn note(&mut self, note: FileError) {
        if self.notes.len() < MOST {
            self.notes.push(note);
        }
    }
}

/// A line of a text file; 0 means the whole file.
fn at_line(line: u32) -> Spot {
    if line == 0 { Spot::Whole } else { Spot::Line(line as usize, 1) }
}

/// A section of a file, with values and sections in it: `Block { … }` in text, an element in XML.
///
/// A value is a text without its quotes and escapes. Names that the text format marks with `$` are written without it, so that an
/// object has the same names in both formats. The readers limit the depth of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Section {
    name: String,
    /// The line in the text file, or 0.
    line: u32,
    values: Vec<(String, String)>,
    sections: Vec<Section>,
}

impl Section {
    /// The value of a key; the last one if it is given twice.
    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().rfind(|(other, _)| other == key).map(|(_, text)| text.as_str())
    }

    /// The value of a key, or the text of the section of that name: in XML, a value with an attribute is a section.
    fn text(&self, key: &str) -> Option<&str> {
        self.value(key).or_else(|| self.sections.iter().find(|it| it.name == key)?.value(""))
    }

    /// The sections of a name.
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Section> {
        self.sections.iter().filter(move |section| section.name == name)
    }

    /// Whether this is an object of a class, or an array of such objects.
    fn is_a(&self, class: &str) -> bool {
        self.name == class
            || self.value("ClassName") == Some(class)
            || self.name == "Array" && self.value("Type") == Some(class)
    }
}

/// Whether the text format can write an entry with this name.
pub(crate) fn is_key(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "{}[]\"#\\$".contains(c))
}
