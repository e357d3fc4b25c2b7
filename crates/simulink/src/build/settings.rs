//! The settings of a model (its own values and those of the active configuration set) and the defaults of block types.

use crate::diagram::Parameters;
use crate::read::{File, Log, at_line};
use crate::tree::Section;
use container::Trouble;
use std::collections::{BTreeMap, BTreeSet};

/// What objects and files say of themselves, which is no setting.
const HOUSEKEEPING: [&str; 14] = [
    "",
    "Cell",
    "ClassName",
    "Components",
    "Description",
    "Dimension",
    "DisabledProps",
    "Name",
    "ObjectID",
    "PropName",
    "SavedCharacterEncoding",
    "Type",
    "Version",
    "WSMdlFileData",
];

/// The settings of a model. Each has one value: that of the model, or the first in its configuration set.
pub(super) fn settings(file: &File, log: &mut Log) -> Parameters {
    let mut settings = Settings::default();
    let model = &file.model;
    settings.add(model);
    model.sections.iter().filter(|it| it.name.ends_with("Settings")).for_each(|it| settings.add(it));
    let class = "Simulink.ConfigSet";
    let inner = model.sections.iter().flat_map(|it| std::iter::once(it).chain(&it.sections));
    let sets: Vec<&Section> = inner.filter(|it| it.is_a(class)).collect();
    let active = sets.iter().find(|it| it.value("PropName") == Some("ActiveConfigurationSet"));
    let number = active.and_then(|it| it.value("ObjectID"));
    let chosen =
        sets.iter().find(|it| number.is_some() && it.value("ObjectID") == number && !it.sections.is_empty());
    match chosen.or(sets.first()).copied().or(file.configuration.as_ref()) {
        Some(set) => settings.below(set),
        None => {
            log.note(Trouble::new("the model has no configuration set of its own").at(at_line(model.line)))
        }
    }
    Parameters(settings.values)
}

#[derive(Default)]
struct Settings {
    values: Vec<(String, String)>,
    seen: BTreeSet<String>,
}

impl Settings {
    fn add(&mut self, section: &Section) {
        for (key, text) in &section.values {
            if !HOUSEKEEPING.contains(&key.as_str()) && self.seen.insert(key.clone()) {
                self.values.push((key.clone(), text.clone()));
            }
        }
    }

    /// All values below a section. The depth of a tree is limited, so this may recurse.
    fn below(&mut self, section: &Section) {
        self.add(section);
        section.sections.iter().for_each(|it| self.below(it));
    }
}

/// The defaults of each block type.
pub(super) fn defaults(file: &File) -> BTreeMap<String, Parameters> {
    let mut defaults: BTreeMap<String, Parameters> = BTreeMap::new();
    let places = file.defaults.iter().chain([&file.model]);
    for block in places.flat_map(|it| it.all("BlockParameterDefaults")).flat_map(|it| it.all("Block")) {
        let Some(kind) = block.value("BlockType") else { continue };
        let values = block.values.iter().filter(|(key, _)| key != "BlockType").cloned();
        defaults.entry(kind.to_owned()).or_default().0.extend(values);
    }
    defaults
}
