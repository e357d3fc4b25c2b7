//! A model file of any format: [`read`] looks at the bytes, not at the name of the file.
//!
//! Reading never fails half-way in silence: what was lost is a trouble, what is only worth knowing is a note, and a file
//! that cannot be read at all is an empty diagram with troubles.

use crate::diagram::Diagram;
use crate::{build, mdl, slx};
use container::archive::is_archive;
use container::{Limits, Spot, Trouble};

/// A model file that was read, as far as it could be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// What the file says.
    pub diagram: Diagram,
    /// What could not be read: the diagram may lack something that matters.
    pub troubles: Vec<Trouble>,
    /// What was left aside on purpose, or read with a guess.
    pub notes: Vec<Trouble>,
}

/// Reads a model file.
///
/// ```
/// let text = "Model {\n Name \"m\"\n System {\n Block {\n BlockType Inport\n Name \"u\"\n }\n }\n}\n";
/// let reading = shall_simulink::read(text.as_bytes(), &shall_simulink::Limits::default());
/// assert!(reading.troubles.is_empty());
/// assert_eq!(reading.diagram.sheets[0].blocks[0].name, "u");
/// ```
pub fn read(bytes: &[u8], limits: &Limits) -> Reading {
    // Readers may recurse: no caller can ask for more than the stack has.
    let limits = &Limits { depth: limits.depth.min(DEEPEST), ..*limits };
    let mut log = Log::default();
    let file = if bytes.len() as u64 > limits.total {
        let hint = format!("the limit is {} bytes", limits.total);
        log.troubles.push(Trouble::new("the file is too large").hint(hint));
        None
    } else if is_archive(bytes) {
        slx::from_archive(bytes, limits, &mut log)
    } else if slx::is_text_package(bytes) {
        slx::from_text(bytes, limits, &mut log)
    } else {
        mdl::parse(bytes, limits, &mut log)
    };
    let diagram = file.map(|file| build::diagram(&file, limits, &mut log)).unwrap_or_default();
    Reading { diagram, troubles: log.troubles, notes: log.notes }
}

/// No file needs sections that lie deeper inside each other.
const DEEPEST: usize = 400;

/// A file as a tree, with what is not text.
#[derive(Default)]
pub(crate) struct File {
    /// `Model` or `Library`.
    pub(crate) model: crate::tree::Section,
    /// The configuration set, if it is apart from the model.
    pub(crate) configuration: Option<crate::tree::Section>,
    /// The defaults of the block types, if they are apart from the model.
    pub(crate) defaults: Option<crate::tree::Section>,
    /// The data file of the model workspace.
    pub(crate) workspace: Option<Vec<u8>>,
    /// The part of the file that has the model.
    pub(crate) part: Option<String>,
}

/// What is said while reading.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) troubles: Vec<Trouble>,
    pub(crate) notes: Vec<Trouble>,
}

/// No one reads more troubles of one file.
const MOST: usize = 1_000;

impl Log {
    /// Something was lost.
    pub(crate) fn trouble(&mut self, trouble: Trouble) {
        match self.troubles.len() {
            ..MOST => self.troubles.push(trouble),
            MOST => self.troubles.push(Trouble::new("there are more troubles, which are not listed")),
            _ => {}
        }
    }

    /// Something is worth knowing.
    pub(crate) fn note(&mut self, note: Trouble) {
        if self.notes.len() < MOST {
            self.notes.push(note);
        }
    }
}

/// A line of a text file; nothing is known if it is 0.
pub(crate) fn at_line(line: u32) -> Spot {
    if line == 0 { Spot::Whole } else { Spot::Line(line as usize, 1) }
}
