//! The content of a model file, not yet interpreted: sheets with blocks and lines, and parameters as text.
//!
//! Both file formats are read into this. A parameter that a block does not list has the default of its type in the same file
//! ([`Diagram::parameter`]).

use crate::blocks::BlockKind;
use crate::chart::Chart;
use std::collections::BTreeMap;

/// Named texts in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parameters(pub Vec<(String, String)>);

impl Parameters {
    /// The value of a name; the last one if it is given twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A model file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// The name of the model; empty if the format does not store it.
    pub name: String,
    /// Parameters of the model and of its configuration set (`Solver`, `FixedStep`, …).
    pub settings: Parameters,
    /// Defaults of each block type.
    pub defaults: BTreeMap<BlockKind, Parameters>,
    /// All sheets; the first one is the root.
    pub sheets: Vec<Sheet>,
    /// The Stateflow charts.
    pub charts: Vec<Chart>,
    /// The data file of the model's own workspace, if there is one.
    pub workspace: Option<Vec<u8>>,
}

/// The place of a sheet in [`Diagram::sheets`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SheetId(pub u32);

/// The place of a block: its sheet, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId {
    /// The sheet.
    pub sheet: SheetId,
    /// The place in [`Sheet::blocks`].
    pub number: u32,
}

/// One level of the model: blocks and the lines between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// The subsystem block that contains this sheet; none for the root.
    pub owner: Option<BlockId>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The texts of its annotations.
    pub annotations: Vec<String>,
    /// The model that this is the root of, if it was copied from another file than the rest.
    pub model: Option<Box<Referenced>>,
}

/// What a model that another one refers to knows on its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Referenced {
    /// Its parameters.
    pub settings: Parameters,
    /// The data file of its workspace, if there is one.
    pub workspace: Option<Vec<u8>>,
    /// The variables of its workspace that the block that refers to it sets, and their expressions, which are those of that block.
    pub arguments: Vec<(String, String)>,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// The block type (`Sum`, `SubSystem`, …).
    pub kind: BlockKind,
    /// The name, with the line breaks it has in the file.
    pub name: String,
    /// The identifier within the file.
    pub sid: Option<String>,
    /// The parameters that differ from the defaults of the type.
    pub parameters: Parameters,
    /// The mask, if the block has one.
    pub mask: Option<Mask>,
    /// The sheet inside a subsystem.
    pub inside: Option<SheetId>,
    /// Names of output signals: port number, name.
    pub signals: Vec<(u32, String)>,
    /// The line in the text file, or 0.
    pub line: u32,
}

/// What a mask adds to a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mask {
    /// The type that the mask declares.
    pub kind: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// The parameters that are texts; all others are evaluated.
    pub texts: Vec<String>,
    /// MATLAB code that runs before the inside is evaluated.
    pub initialization: String,
}

/// A line from one output to any number of inputs. Ends that are not connected are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The name of the signal.
    pub name: Option<String>,
    /// The block and its output (from 1).
    pub from: Option<(u32, u32)>,
    /// The blocks and their inputs.
    pub to: Vec<(u32, Port)>,
    /// For each of these, where the line bends: offsets, each from the one before it, the first from the output.
    pub routes: Vec<Vec<(i32, i32)>>,
}

/// An input of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Port {
    /// A numbered input, from 1.
    Data(u32),
    /// The control input of an action subsystem.
    Action,
    /// The control input of an enabled subsystem.
    Enable,
    /// The control input of a triggered subsystem.
    Trigger,
    /// The control input of a resettable subsystem.
    Reset,
}

impl Block {
    /// Whether the block is commented out, or replaced with lines from its inputs to its outputs.
    pub(crate) fn is_commented(&self) -> bool {
        self.parameters.get("Commented").is_some_and(|text| text != "off")
    }

    /// Whether the block is replaced with a line from each input to the output of the same number.
    pub(crate) fn is_commented_through(&self) -> bool {
        self.parameters.get("Commented") == Some("through")
    }
}

impl Sheet {
    /// Adds a block with parameters and returns its number.
    pub fn add(&mut self, kind: impl Into<BlockKind>, name: &str, parameters: &[(&str, &str)]) -> u32 {
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        self.blocks.push(Block {
            kind: kind.into(),
            name: name.to_owned(),
            parameters: Parameters(parameters.iter().map(own).collect()),
            ..Block::default()
        });
        self.blocks.len() as u32 - 1
    }

    /// Connects an output to an input, by a branch of the line that the output already has, if any.
    pub fn connect(&mut self, from: (u32, u32), to: (u32, Port)) {
        match self.lines.iter_mut().find(|line| line.from == Some(from)) {
            Some(line) => {
                line.to.push(to);
                line.routes.push(Vec::new());
            }
            None => {
                let routes = vec![Vec::new()];
                self.lines.push(Line { name: None, from: Some(from), to: vec![to], routes });
            }
        }
    }
}

impl Diagram {
    /// The path of a block in the model (`model/sub/block`), line breaks kept.
    pub fn path(&self, id: BlockId) -> String {
        let mut names = Vec::new();
        let mut at = Some(id);
        // A path is never longer than the number of sheets, even if owners form a cycle.
        while let Some(here) = at.filter(|_| names.len() <= self.sheets.len()) {
            names.push(self.block(here).map_or("", |block| block.name.as_str()));
            at = self.sheets.get(here.sheet.0 as usize).and_then(|sheet| sheet.owner);
        }
        names.push(&self.name);
        names.reverse();
        names.join("/")
    }

    /// The sheet inside the subsystem at a path, with or without the name of the model; white space counts as one blank.
    pub fn sheet_at(&self, path: &str) -> Option<SheetId> {
        let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = plain(path);
        if wanted == plain(&self.name) {
            return Some(SheetId(0));
        }
        let full = format!("{}/{wanted}", plain(&self.name));
        let fits = |owner: BlockId| {
            let path = plain(&self.path(owner));
            path == wanted || path == full
        };
        let place = self.sheets.iter().position(|sheet| sheet.owner.is_some_and(fits))?;
        Some(SheetId(place as u32))
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.sheets.get(id.sheet.0 as usize)?.blocks.get(id.number as usize)
    }

    /// A parameter of a block: its own, or the default of its type.
    pub fn parameter<'a>(&'a self, block: &'a Block, name: &str) -> Option<&'a str> {
        block.parameters.get(name).or_else(|| self.defaults.get(&block.kind)?.get(name))
    }
}
