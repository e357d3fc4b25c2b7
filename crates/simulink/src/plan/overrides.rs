//! Data type override: a setting of a model or of a subsystem by which numbers inside are doubles, whatever types their blocks state.
//!
//! That of the model counts before those of subsystems, and an outer one before an inner one. Booleans keep their type.

use super::{Fault, Known, Problem, Unit};
use crate::blocks::BlockKind;
use crate::chart::Chart;
use crate::diagram::{BlockId, Diagram, SheetId};
use crate::value::Class;
use std::collections::BTreeMap;

/// The sheets whose numbers are doubles.
pub(super) struct Overrides(Vec<bool>);

/// What a setting does.
enum Setting<'d> {
    /// Inner settings count.
    Local,
    Off,
    Doubles,
    Unknown(&'d str),
}

fn setting<'d>(kind: Option<&'d str>, extent: Option<&'d str>) -> Setting<'d> {
    let all = matches!(extent.unwrap_or("AllNumericTypes"), "AllNumericTypes" | "All numeric types");
    match kind.unwrap_or("UseLocalSettings") {
        "UseLocalSettings" => Setting::Local,
        "Off" | "ForceOff" => Setting::Off,
        "Double" | "TrueDoubles" if all => Setting::Doubles,
        other => Setting::Unknown(other),
    }
}

impl Overrides {
    /// Reads the settings; one that is not supported is a problem.
    pub(super) fn of(diagram: &Diagram, problems: &mut Vec<Problem>) -> Overrides {
        let fault = |kind: &str| {
            let message = format!("the data type override `{kind}` is not supported");
            Fault::hint(message, "use `Double` for all numeric types, or the local settings")
        };
        let (name, extent) = ("DataTypeOverride", "DataTypeOverrideAppliesTo");
        let of_model = setting(diagram.settings.get(name), diagram.settings.get(extent));
        if let Setting::Unknown(kind) = of_model {
            problems.push(Problem::of_model(&diagram.name, fault(kind)));
        }
        let mut doubles = vec![matches!(of_model, Setting::Doubles); diagram.sheets.len()];
        if !matches!(of_model, Setting::Local) {
            return Overrides(doubles);
        }
        // Whether a setting around a sheet decides for it already.
        let mut decided: BTreeMap<SheetId, bool> = BTreeMap::new();
        for (number, sheet) in (0..).zip(&diagram.sheets) {
            for (place, block) in (0..).zip(&sheet.blocks) {
                let Some(inside) = block.inside.filter(|_| block.kind == BlockKind::SubSystem) else {
                    continue;
                };
                let around = decided.get(&SheetId(number)).copied();
                let own = setting(diagram.parameter(block, name), diagram.parameter(block, extent));
                let found = around.or(match own {
                    Setting::Local => None,
                    Setting::Off => Some(false),
                    Setting::Doubles => Some(true),
                    Setting::Unknown(kind) => {
                        let path = diagram.path(BlockId { sheet: SheetId(number), number: place });
                        problems.push(Problem::new(&path, block.kind.name(), fault(kind)));
                        Some(false)
                    }
                });
                if let (Some(found), Some(inner)) = (found, doubles.get_mut(inside.0 as usize)) {
                    *inner = found;
                    decided.insert(inside, found);
                }
            }
        }
        Overrides(doubles)
    }

    /// Whether numbers in a sheet are doubles.
    pub(super) fn has(&self, sheet: SheetId) -> bool {
        self.0.get(sheet.0 as usize).is_some_and(|it| *it)
    }

    /// Makes the types that a unit states doubles.
    pub(super) fn restate(&self, unit: &mut Unit) {
        if !self.has(unit.block.sheet) {
            return;
        }
        let types = unit.words.iter_mut().filter(|(name, _)| name.ends_with("DataTypeStr"));
        for (_, text) in types.filter(|(_, text)| is_number(text)) {
            *text = Class::Double.name().to_owned();
        }
    }

    /// Makes fixed-point data of a chart doubles. What becomes of other types is not documented.
    pub(super) fn restate_chart(&self, block: BlockId, chart: &mut Chart) -> Option<Fault> {
        if !self.has(block.sheet) {
            return None;
        }
        for data in chart.data.iter_mut().filter(|it| it.class.trim().starts_with("fixdt(")) {
            data.class = Class::Double.name().to_owned();
        }
        let found = chart.data.iter().find(|it| Class::named(it.class.trim()).is_some_and(changes))?;
        Some(unknown(&found.class))
    }

    /// Refuses code whose outputs are not doubles.
    pub(super) fn complaint(&self, unit: &Unit, outputs: &[Known]) -> Option<Fault> {
        let class = outputs.iter().filter_map(Known::class).find(|it| changes(*it))?;
        self.has(unit.block.sheet).then(|| unknown(class.name()))
    }
}

fn unknown(class: &str) -> Fault {
    let message = format!("the data type override of the type `{class}` in code is not known");
    Fault::hint(message, "use doubles or Booleans there")
}

/// Whether a text states the type of numbers: it is not inherited, a bus, an enumeration or Boolean.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    match Class::named(text) {
        Some(class) => changes(class),
        None => {
            ["fixdt(", "sfix(", "ufix(", "sint(", "uint(", "float("].iter().any(|it| text.starts_with(it))
        }
    }
}

fn changes(class: Class) -> bool {
    matches!(class, Class::Integer(..) | Class::Single)
}

/// A shape with doubles for all numbers.
pub(super) fn in_doubles(known: Known) -> Known {
    match known {
        Known::Signal { class: Some(class), size } if changes(class) => Known::new(Some(Class::Double), size),
        Known::Bus(elements) => {
            let inner = |(name, it): &(String, Known)| (name.clone(), in_doubles(it.clone()));
            Known::Bus(elements.iter().map(inner).collect::<Vec<_>>().into())
        }
        other => other,
    }
}
