//! Masks: as parameters of the block in old files, as an object or an element in newer ones.

use crate::diagram::{Mask, Parameters};
use crate::tree::Section;

/// Takes an old mask out of the parameters of a block. (`MaskHideContents` alone is no mask.)
pub(super) fn old(parameters: &mut Vec<(String, String)>) -> Option<Mask> {
    let get = |key: &str| {
        parameters.iter().rfind(|(other, _)| other == key).map(|(_, text)| text.as_str()).unwrap_or_default()
    };
    let values: Vec<&str> = get("MaskValueString").split('|').collect();
    let mut mask = Mask {
        kind: get("MaskType").to_owned(),
        initialization: get("MaskInitialization").to_owned(),
        ..Mask::default()
    };
    for variable in get("MaskVariables").split(';') {
        // `name=@2`: the second value, evaluated; `name=&2`: as text.
        let Some((name, place)) = variable.split_once('=') else { continue };
        let (name, place) = (name.trim(), place.trim());
        let number: Option<usize> = place.get(1..).and_then(|it| it.parse().ok());
        let value = number.and_then(|it| values.get(it.checked_sub(1)?));
        mask.parameters.0.push((name.to_owned(), value.copied().unwrap_or_default().to_owned()));
        if place.starts_with('&') && !mask.texts.iter().any(|it| it == name) {
            mask.texts.push(name.to_owned());
        }
    }
    let is_mask = mask != Mask::default();
    parameters.retain(|(key, _)| {
        !matches!(key.as_str(), "MaskType" | "MaskVariables" | "MaskValueString" | "MaskInitialization")
            || !is_mask
    });
    is_mask.then_some(mask)
}

/// A mask with a section of its own. Values that are set for this block come before those of the mask.
pub(super) fn new(section: &Section, block: &Section) -> Mask {
    let instance: Vec<&(String, String)> = block.all("InstanceData").flat_map(|it| &it.values).collect();
    let text = |key| section.text(key).unwrap_or_default().to_owned();
    let mut mask = Mask { kind: text("Type"), initialization: text("Initialization"), ..Mask::default() };
    let class = "Simulink.MaskParameter";
    for inner in &section.sections {
        if inner.name == "Array" && inner.is_a(class) {
            inner.all("Object").for_each(|it| parameter(it, &instance, &mut mask));
        } else if inner.name == "MaskParameter" || inner.is_a(class) {
            parameter(inner, &instance, &mut mask);
        }
    }
    mask
}

fn parameter(section: &Section, instance: &[&(String, String)], mask: &mut Mask) {
    let Some(name) = section.text("Name") else { return };
    let set = instance.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let value = set.or_else(|| section.text("Value")).unwrap_or_default();
    let Parameters(parameters) = &mut mask.parameters;
    parameters.push((name.to_owned(), value.to_owned()));
    if section.text("Evaluate") == Some("off") && !mask.texts.iter().any(|it| it == name) {
        mask.texts.push(name.to_owned());
    }
}
