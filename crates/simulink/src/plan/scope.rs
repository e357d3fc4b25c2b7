//! Variables: each sheet sees those of its mask, of the masks above, of the model, and of the workspace, in this order. The sheets of a model that
//! another one refers to see the masks and the variables of their own model.
//!
//! Masks are evaluated from the root down, each in the scope of the sheet of its block. Code that draws or sets parameters is
//! skipped. A variable that is set to something unknown has no value, and hides outer variables of the same name.

use super::{Fault, Problem};
use crate::diagram::{Block, BlockId, Diagram, Parameters, Referenced, SheetId};
use crate::mat;
use crate::matlab::{self, Around, File, Files, Variable, Wanted};
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Variables = BTreeMap<String, Variable>;

/// All variables of a model.
pub(super) struct Scopes<'a> {
    diagram: &'a Diagram,
    /// The files that code of the model may use.
    files: &'a dyn Files,
    /// The variables of the workspace, which callbacks of the model set as well.
    base: Variables,
    /// The variables of each model, by its root.
    models: BTreeMap<SheetId, Variables>,
    /// The variables of masks.
    masks: BTreeMap<BlockId, Variables>,
    /// All sheets, from the root down.
    order: Vec<SheetId>,
    /// The blocks that are charts, with the number of each chart.
    instances: &'a BTreeMap<BlockId, usize>,
    /// The remaining budget for the values of all expressions.
    fuel: Cell<usize>,
    /// The names that no variable or function has.
    missing: RefCell<BTreeSet<String>>,
}

/// Code of the model that may set variables.
const CALLBACKS: [&str; 4] = ["PreLoadFcn", "PostLoadFcn", "InitFcn", "StartFcn"];

/// The files that a model uses: those of its callbacks, by the names in the code (`load('x.mat')`, `load x`, `run('x.m')`, `run x`, `x`), and its
/// enumerations (`Enum: x`).
pub(super) fn loads(diagram: &Diagram) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    for statement in callbacks(&diagram.settings).flat_map(|code| code.split(['\n', ';'])).map(str::trim) {
        let called = ["load", "run"].iter().find_map(|word| {
            let rest = statement.strip_prefix(word)?.strip_prefix([' ', '('])?;
            let rest = rest.trim().trim_start_matches('(').trim_end_matches(')');
            Some(rest.split([',', ' ']).next()?.trim_matches(['\'', '"']))
        });
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = called.or(Some(statement).filter(|it| it.chars().all(is_word))).unwrap_or_default();
        if !name.is_empty() && !found.iter().any(|other| other == name) {
            found.push(name.to_owned());
        }
    }
    // An enumeration is a file of its name.
    let blocks = diagram.sheets.iter().flat_map(|it| &it.blocks);
    let types = blocks.flat_map(|it| &it.parameters.0).map(|it| it.1.as_str());
    let types = types.chain(diagram.charts.iter().flat_map(|it| &it.data).map(|it| it.class.as_str()));
    for name in types.filter_map(|it| it.trim().strip_prefix("Enum:")).map(str::trim) {
        if !found.iter().any(|other| other == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// The code of callbacks that may set variables.
pub(super) fn callbacks(settings: &Parameters) -> impl Iterator<Item = &str> {
    CALLBACKS.iter().filter_map(|it| settings.get(it))
}

/// The variables of a data file of a model; a refused one has no value.
fn stored(bytes: &[u8], path: &str, problems: &mut Vec<Problem>) -> Variables {
    match mat::read(bytes, mat::Limits::default()) {
        Ok(data) => {
            let known = data.variables.into_iter().map(|(name, value)| (name, Some(Rc::new(value))));
            known.chain(data.refused.into_iter().filter_map(|it| Some((it.variable?, None)))).collect()
        }
        Err(error) => {
            let message = format!("the variables of the model cannot be read: {error}");
            let fault = Fault { hint: error.hint, ..Fault::new(message) };
            problems.push(Problem::new(path, "model workspace", fault));
            Variables::new()
        }
    }
}

impl<'a> Scopes<'a> {
    pub(super) fn new(
        diagram: &'a Diagram,
        workspace: &[(String, Value)],
        files: &'a dyn Files,
        instances: &'a BTreeMap<BlockId, usize>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let fuel = Cell::new(matlab::FUEL);
        let known = |(name, value): (String, Value)| (name, Some(Rc::new(value)));
        let mut base: Variables = workspace.iter().cloned().map(known).collect();
        let mut missing = BTreeSet::new();
        for code in callbacks(&diagram.settings) {
            let around = Around { files, model: &diagram.name, script: "" };
            let (set, errors) = matlab::run_among(code, &|name| base.get(name).cloned(), around, &fuel);
            base.extend(set);
            missing.extend(errors.into_iter().filter_map(|it| it.missing));
        }
        let (models, missing) = (BTreeMap::new(), RefCell::new(missing));
        let mut scopes = Scopes {
            diagram,
            files,
            base,
            models,
            masks: BTreeMap::new(),
            order: vec![],
            instances,
            fuel,
            missing,
        };
        let own = diagram.workspace.as_deref().map(|bytes| stored(bytes, &diagram.name, problems));
        scopes.models.insert(SheetId(0), own.unwrap_or_default());
        scopes.walk(problems);
        scopes
    }

    /// The sheets, from the root down.
    pub(super) fn order(&self) -> &[SheetId] {
        &self.order
    }

    /// The number of the chart that a block is.
    pub(super) fn chart(&self, block: BlockId) -> Option<usize> {
        self.instances.get(&block).copied()
    }

    /// A variable as a block sees it: in its own mask, or in the scope of its sheet.
    pub(super) fn lookup(&self, block: BlockId, name: &str) -> Option<Variable> {
        let mut at = Some(block);
        // No chain of owners is longer than there are sheets.
        for _ in 0..=self.diagram.sheets.len() {
            let Some(here) = at else { break };
            if let Some(variable) = self.masks.get(&here).and_then(|variables| variables.get(name)) {
                return Some(variable.clone());
            }
            if self.models.contains_key(&here.sheet) {
                return self.of_root(here.sheet, name);
            }
            at = self.diagram.sheets.get(here.sheet.0 as usize).and_then(|sheet| sheet.owner);
        }
        None
    }

    /// A variable of a model, by its root, or of the workspace.
    fn of_root(&self, root: SheetId, name: &str) -> Option<Variable> {
        let own = self.models.get(&root).and_then(|it| it.get(name));
        own.or_else(|| self.base.get(name)).cloned()
    }

    /// The value of an expression of the model itself.
    pub(super) fn of_model(&self, text: &str) -> Result<Value, matlab::Error> {
        self.evaluate(text, &|name| self.of_root(SheetId(0), name))
    }

    /// The value of an expression of a block.
    pub(super) fn value(&self, block: BlockId, text: &str) -> Result<Value, matlab::Error> {
        self.evaluate(text, &|name| self.lookup(block, name))
    }

    /// The only variable of a data file.
    pub(super) fn recorded(&self, name: &str) -> Result<Value, matlab::Error> {
        match self.files.find(name, Wanted::Data, "") {
            Some(File::Data(mut all)) if all.len() == 1 => Ok(all.swap_remove(0).1),
            Some(_) => Err("the file does not have exactly one variable".into()),
            None => Err(matlab::Error::from("the file is not there, or cannot be read")),
        }
    }

    fn around(&self) -> Around<'a> {
        Around { files: self.files, model: &self.diagram.name, script: "" }
    }

    /// The names that no variable or function has, as far as values were needed.
    pub(super) fn missing(self) -> BTreeSet<String> {
        self.missing.into_inner()
    }

    /// Notes a type that no object defines.
    pub(super) fn miss(&self, name: &str) {
        let mut letters = name.chars();
        let is_name = letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|it| it.is_alphanumeric() || it == '_');
        if is_name {
            self.missing.borrow_mut().insert(name.to_owned());
        }
    }

    /// The value of an expression; a name that is missing is noted.
    fn evaluate(&self, text: &str, lookup: matlab::Lookup<'_>) -> Result<Value, matlab::Error> {
        let value = matlab::evaluate_among(text, lookup, self.around(), &self.fuel);
        if let Err(matlab::Error { missing: Some(name), .. }) = &value {
            self.missing.borrow_mut().insert(name.clone());
        }
        value
    }

    fn walk(&mut self, problems: &mut Vec<Problem>) {
        let diagram = self.diagram;
        let mut seen = vec![false; diagram.sheets.len()];
        let mut stack = vec![SheetId(0)];
        while let Some(id) = stack.pop() {
            let Some(sheet) = diagram.sheets.get(id.0 as usize) else { continue };
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            self.order.push(id);
            if let Some((model, owner)) = sheet.model.as_deref().zip(sheet.owner) {
                let variables = self.referenced(model, owner, problems);
                self.models.insert(id, variables);
            }
            for (number, block) in (0..).zip(&sheet.blocks) {
                let place = BlockId { sheet: id, number };
                if let Some(variables) = self.mask(place, block) {
                    self.masks.insert(place, variables);
                }
            }
            let blocks = sheet.blocks.iter().enumerate().rev();
            let blocks = blocks.map(|(number, block)| (BlockId { sheet: id, number: number as u32 }, block));
            // A chart runs as a whole.
            let open = blocks.filter(|(id, block)| !block.is_commented() && self.chart(*id).is_none());
            stack.extend(open.filter_map(|(_, block)| block.inside));
        }
    }

    /// The variables of a model that a block refers to: those of its workspace, some of which the block sets, and those that its callbacks
    /// set, if the workspace does not have another value for them.
    fn referenced(&self, model: &Referenced, owner: BlockId, problems: &mut Vec<Problem>) -> Variables {
        let mut variables = Variables::new();
        for code in callbacks(&model.settings) {
            let lookup = |name: &str| variables.get(name).or_else(|| self.base.get(name)).cloned();
            let (set, _) = matlab::run_among(code, &lookup, self.around(), &self.fuel);
            variables.extend(set);
        }
        for (name, value) in &mut variables {
            if self.base.get(name).is_some_and(|it| it != value) {
                *value = None;
            }
        }
        if let Some(bytes) = &model.workspace {
            variables.extend(stored(bytes, &self.diagram.path(owner), problems));
        }
        for (name, text) in &model.arguments {
            variables.insert(name.clone(), self.value(owner, text).ok().map(Rc::new));
        }
        variables
    }

    /// The variables of a mask.
    fn mask(&self, place: BlockId, block: &Block) -> Option<Variables> {
        let mask = block.mask.as_ref()?;
        let mut variables = Variables::new();
        for (name, text) in &mask.parameters.0 {
            let value = if mask.texts.contains(name) {
                Some(Value::Text(text.clone()))
            } else {
                self.value(place, text).ok()
            };
            variables.insert(name.clone(), value.map(Rc::new));
        }
        let lookup = |name: &str| variables.get(name).cloned().or_else(|| self.lookup(place, name));
        let (set, errors) = matlab::run_among(&mask.initialization, &lookup, self.around(), &self.fuel);
        variables.extend(set);
        self.missing.borrow_mut().extend(errors.into_iter().filter_map(|it| it.missing));
        Some(variables)
    }
}
