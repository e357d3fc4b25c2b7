//! Types that objects of the workspace define: aliases, enumerations and buses.
//!
//! A unit whose type is a bus has its elements as the value `bus`: a list of structs with name, class and size, or elements of their own.

use super::scope::Scopes;
use super::{Known, Unit};
use crate::diagram::BlockId;
use crate::matlab::{class_of_enumeration, field};
use crate::value::{Class, Value};
use std::rc::Rc;

/// The name of the value with the elements of a bus.
const BUS: &str = "bus";
/// The deepest nesting of buses, the longest chain of aliases, and the maximum number of elements.
const DEEPEST: usize = 8;
const MOST: usize = 10_000;

/// Replaces the type of a unit that an object defines.
pub(super) fn resolve(scopes: &Scopes<'_>, unit: &mut Unit) {
    restate(unit, "OutDataTypeStr", &["OutDataTypeMode", "LogicOutDataTypeMode", "DataType"]);
    restate(unit, "ParamDataTypeStr", &["ParameterDataTypeMode"]);
    let old = unit.is_on("UseBusObject").then(|| format!("Bus: {}", unit.word("BusObject")));
    let text = old.unwrap_or_else(|| unit.word("OutDataTypeStr").to_owned());
    if text.is_empty() || text.starts_with("Inherit") || Class::named(&text).is_some() {
        return;
    }
    let name = base(scopes, unit.block, &text);
    if Class::named(&name).is_some() {
        unit.words.insert("OutDataTypeStr".to_owned(), name);
    } else if let Some(elements) = elements(scopes, unit.block, &name, DEEPEST, &mut 0) {
        unit.words.insert("OutDataTypeStr".to_owned(), format!("Bus: {name}"));
        unit.values.insert(BUS.to_owned(), elements);
    }
}

/// Files before R2009a state a type as a mode, and one that is not in the list of modes in a parameter of its own.
fn restate(unit: &mut Unit, name: &str, modes: &[&str]) {
    if unit.words.contains_key(name) {
        return;
    }
    let Some(mode) = modes.iter().map(|it| unit.word(it)).find(|it| !it.is_empty()) else { return };
    let dialog = ["OutDataType", "LogicDataType", "ParameterDataType"];
    let text = match mode {
        "auto" => return,
        "Boolean" => "boolean".to_owned(),
        "Specify via dialog" => {
            let stated = dialog.iter().map(|it| unit.word(it)).find(|it| !it.is_empty()).unwrap_or_default();
            plain_type(stated)
        }
        mode if Class::named(mode).is_some() => mode.to_owned(),
        rule => format!("Inherit: {rule}"),
    };
    unit.words.insert(name.to_owned(), text);
}

/// The name of a type that a function of the old fixed-point library makes: `sint(8)`, `float('single')`.
fn plain_type(text: &str) -> String {
    let inner = |function: &str| {
        let rest = text.strip_prefix(function)?.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(rest.trim().trim_matches(['\'', '"']))
    };
    let name = inner("sint").map(|bits| format!("int{bits}"));
    let name = name.or_else(|| inner("uint").map(|bits| format!("uint{bits}")));
    let name = name.or_else(|| inner("float").map(str::to_owned));
    name.unwrap_or_else(|| text.to_owned())
}

/// The type behind aliases, without the word before the name of a bus; that of the numbers of an enumeration.
pub(super) fn base(scopes: &Scopes<'_>, block: BlockId, text: &str) -> String {
    let plain = |text: &str| {
        let text = text.trim();
        let name = text.strip_prefix("Bus:").or_else(|| text.strip_prefix("Enum:")).unwrap_or(text);
        name.trim_start_matches('?').trim().to_owned()
    };
    let mut name = plain(text);
    for _ in 0..DEEPEST {
        let alias = scopes.lookup(block, &name).flatten();
        if let Some(class) = alias.as_deref().and_then(class_of_enumeration) {
            return class.to_owned();
        }
        match alias.as_deref().and_then(|it| field(it, "AliasType", "BaseType")) {
            Some(Value::Text(other)) => name = plain(other),
            _ => break,
        }
    }
    built_in(&name).unwrap_or(name)
}

/// The name of the type that `fixdt` makes without a scaling: `fixdt(1,16,0)` is `int16`, and `fixdt('double')` is `double`.
fn built_in(text: &str) -> Option<String> {
    let inner = text.strip_prefix("fixdt(")?.strip_suffix(')')?;
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let name = match parts[..] {
        ["1" | "true", bits, "0"] => format!("int{bits}"),
        ["0" | "false", bits, "0"] => format!("uint{bits}"),
        [name] => name.trim_matches(['\'', '"']).to_owned(),
        _ => return None,
    };
    Class::named(&name).map(|it| it.name().to_owned())
}

/// The elements of a bus by its name.
fn elements(
    scopes: &Scopes<'_>,
    block: BlockId,
    name: &str,
    deepest: usize,
    count: &mut usize,
) -> Option<Value> {
    let deepest = deepest.checked_sub(1)?;
    let Some(bus) = scopes.lookup(block, name) else {
        scopes.miss(name);
        return None;
    };
    let bus = bus?;
    let found = match field(&bus, "Bus", "Elements")? {
        Value::Cell(all) => all.as_slice(),
        only => std::slice::from_ref(only),
    };
    let mut elements = Vec::new();
    for element in found {
        *count += 1;
        if *count > MOST {
            return None;
        }
        let of = |name: &str| field(element, "BusElement", name);
        let Some(Value::Text(class)) = of("DataType") else { return None };
        let class = base(scopes, block, class);
        let kind = if Class::named(&class).is_some() {
            ("Class".to_owned(), Value::Text(class))
        } else {
            ("Elements".to_owned(), self::elements(scopes, block, &class, deepest, count)?)
        };
        let fields = vec![
            ("Name".to_owned(), of("Name")?.clone()),
            ("Dimensions".to_owned(), of("Dimensions")?.clone()),
            kind,
        ];
        elements.push(Value::Struct(fields));
    }
    (!elements.is_empty()).then_some(Value::Cell(elements))
}

/// The elements of the bus that a type is.
pub(super) fn elements_of(scopes: &Scopes<'_>, block: BlockId, class: &str) -> Option<Value> {
    elements(scopes, block, &base(scopes, block, class), DEEPEST, &mut 0)
}

/// The bus that a unit has as its type.
pub(super) fn bus(unit: &Unit) -> Option<Known> {
    bus_named(unit, BUS)
}

/// The bus whose elements are a value of a unit.
pub(super) fn bus_named(unit: &Unit, name: &str) -> Option<Known> {
    known(unit.values.get(name)?)
}

fn known(elements: &Value) -> Option<Known> {
    let Value::Cell(all) = elements else { return None };
    let mut found = Vec::new();
    for element in all {
        let Value::Struct(fields) = element else { return None };
        let of = |name: &str| fields.iter().find(|it| it.0 == name).map(|it| &it.1);
        let Some(Value::Text(name)) = of("Name") else { return None };
        let sizes = &of("Dimensions")?.matrix()?.entries;
        let shape = match (of("Elements"), of("Class")) {
            (Some(inner), _) if sizes.iter().all(|it| *it == 1.0) => known(inner)?,
            (None, Some(Value::Text(class))) => {
                let sizes = sizes.iter().map(|it| it.clamp(1.0, 1e6) as usize).collect();
                Known::new(Class::named(class), Some(sizes))
            }
            _ => return None,
        };
        found.push((name.clone(), shape));
    }
    Some(Known::Bus(Rc::new(found)))
}
