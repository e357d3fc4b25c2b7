//! The class of a result that a block finds by its own rule ("Inherit via internal rule").
//!
//! The rules are those of the table in docs/simulink.md, which is tested row by row. Where Simulink would choose a fixed-point type
//! with a scaling, which is not supported, the class of the input stays.

use crate::value::Class;

/// The widest integer that a product of narrower ones has: that of the largest word of the usual target.
const WIDEST: u32 = 32;

/// The class of numbers that are compared, chosen or put side by side: doubles win, then singles, then the widest integer; Booleans
/// only stay among themselves.
pub(crate) fn common(classes: &[Class]) -> Option<Class> {
    let rank = |class: &Class| match class {
        Class::Boolean => 0,
        Class::Integer(bits, signed) => u32::from(*bits) * 2 + u32::from(*signed),
        Class::Single => 1000,
        Class::Double => 1001,
    };
    classes.iter().copied().max_by_key(rank)
}

/// The class of a sum. Booleans count as numbers.
pub(crate) fn sum(classes: &[Class]) -> Option<Class> {
    common(classes).map(|class| if class == Class::Boolean { Class::Double } else { class })
}

/// The class of a product: integers have room for all digits of their factors, up to 32 bits.
pub(crate) fn product(classes: &[Class]) -> Option<Class> {
    let integer =
        |class: &Class| if let Class::Integer(bits, signed) = class { Some((*bits, *signed)) } else { None };
    let factors: Option<Vec<(u8, bool)>> = classes.iter().map(integer).collect();
    let Some(factors) = factors.filter(|it| it.len() > 1) else { return sum(classes) };
    let widest = factors.iter().map(|(bits, _)| u32::from(*bits)).max()?.max(WIDEST);
    let bits: u32 = factors.iter().fold(0, |sum: u32, (bits, _)| sum.saturating_add(u32::from(*bits)));
    let bits = bits.checked_next_power_of_two().unwrap_or(widest).min(widest);
    Some(Class::Integer(u8::try_from(bits).ok()?, factors.iter().any(|(_, signed)| *signed)))
}

/// The class of an absolute value: integers lose their sign, so that the least one has an absolute value.
pub(crate) fn absolute(class: Class) -> Class {
    match class {
        Class::Integer(bits, true) => Class::Integer(bits, false),
        other => other,
    }
}
