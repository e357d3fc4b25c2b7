//! Operations on the bits of integers: logical operations of several inputs, with a mask or within one vector, and shifts.
//!
//! Bits are those of two's complement. A Boolean has one bit.

use super::{Definition, ELEMENTWISE, Instance, Lowering, misfit};
use crate::lower::Work;
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use dashu_int::IBig;
use dashu_ratio::RBig;
use system::{Bits, Expr, Type, Width};

pub(super) const BITWISE: Definition = Definition {
    numbers: &["BitMask"],
    uses: |unit, _| unit.word("UseBitMask") != "off" && unit.word("logicop") != "NOT",
    expands: &["BitMask"],
    defaults: &[("logicop", "AND"), ("UseBitMask", "on"), ("BitMask", "bin2dec('11011001')")],
    shapes: |case| {
        let alone = case.inputs.len() == 1 && case.unit.word("UseBitMask") == "off";
        let reduces = alone && case.unit.word("logicop") != "NOT";
        let size = if reduces { Some(vec![1]) } else { case.expanded(case.size(case.inputs)) };
        case.one(case.first().class(), size)
    },
    complaint: |_, inputs| misfit(inputs),
    sample_time: |_| None,
    lowering: Lowering::Each(bitwise),
    ..ELEMENTWISE
};

pub(super) const SHIFT: Definition = Definition {
    numbers: &["BitShiftNumber", "BinPtShiftNumber"],
    uses: |unit, name| name == "BinPtShiftNumber" || unit.word("BitShiftNumberSource") != "Input port",
    expands: &["BitShiftNumber"],
    defaults: &[("BitShiftNumber", "8"), ("BinPtShiftNumber", "0"), ("BitShiftDirection", "Bidirectional")],
    refusal: |unit| {
        let moved = unit.single("BinPtShiftNumber").is_some_and(|it| it != 0.0);
        moved.then(|| Fault::hint("a shift of the binary point is not supported", "shift the bits"))
    },
    lowering: Lowering::Each(shift),
    ..ELEMENTWISE
};

/// The operation on an element of all inputs, on an input and the mask, or on all elements of the only input.
fn bitwise(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let (class, _) = block.output()?;
    let name = block.word("logicop");
    let masked = block.word("UseBitMask") != "off" && name != "NOT";
    let operands: Vec<Expr> = match block.signals {
        [only] if masked => {
            let mask = work.constant(block.entry("BitMask", element), class)?;
            vec![only.at(element)?, mask]
        }
        [only] if name != "NOT" => only.scalars.clone(),
        all => all.iter().map(|it| it.at(element)).collect::<Outcome<_>>()?,
    };
    let operands: Vec<Expr> = operands.into_iter().map(|it| work.conform(block, class, it)).collect();
    let (operation, inverts) = match name {
        "AND" => (Bits::And, false),
        "OR" => (Bits::Or, false),
        "XOR" => (Bits::Xor, false),
        "NAND" => (Bits::And, true),
        "NOR" => (Bits::Or, true),
        "NOT" => (Bits::And, true),
        other => return Err(Fault::new(format!("the operation `{other}` is not supported"))),
    };
    let truth = match class {
        Class::Boolean => true,
        Class::Integer(..) => false,
        Class::Double | Class::Single => return Err(Fault::new("its inputs are not integers")),
    };
    let pool = work.pool();
    let combine = |a: Expr, b: Expr| match (truth, operation) {
        (false, _) => pool.bits(operation, a, b),
        (true, Bits::And) => pool.and([a, b]),
        (true, Bits::Xor) => pool.xor(a, b),
        (true, _) => pool.or([a, b]),
    };
    let value = operands.into_iter().reduce(combine).ok_or_else(|| Fault::new("it has no input"))?;
    Ok(match (inverts, truth) {
        (false, _) => value,
        (true, true) => work.pool().not(value),
        (true, false) => work.pool().bit_not(value),
    })
}

/// A shift by a number of bits: positive numbers shift to the right, unless the direction is left. Other than integers are divided by a power
/// of two.
fn shift(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let left = match block.word("BitShiftDirection") {
        "Left" => true,
        "Right" | "Bidirectional" => false,
        other => return Err(Fault::new(format!("the direction `{other}` is not supported"))),
    };
    let (class, _) = block.output()?;
    let value = block.at(0, element)?;
    if let Some(by) = block.signals.get(1) {
        let by = by.at(element)?;
        return shift_by_signal(work, block, class, value, by, left);
    }
    let number = block.entry("BitShiftNumber", element);
    let value = if matches!(class, Class::Integer(..)) { work.conform(block, class, value) } else { value };
    shifted(work, class, value, if left { -number } else { number })
}

/// A number of a class, shifted to the right by a number of bits.
pub(super) fn shifted(work: &mut Work, class: Class, value: Expr, by: f64) -> Outcome<Expr> {
    if by.fract() != 0.0 || by.abs() > 1_000.0 {
        return Err(Fault::new("the number of bits is not an integer"));
    }
    let right = by as i64;
    let Class::Integer(bits, _) = class else {
        let value = work.real_of(value);
        let power = RBig::from(IBig::from(2).pow(right.unsigned_abs() as usize));
        let factor = work.pool().real(if right < 0 { power } else { RBig::ONE / power });
        return Ok(work.pool().mul(value, factor));
    };
    let operation = if right < 0 { Bits::ShiftLeft } else { Bits::ShiftRight };
    let steps = work.pool().machine(Width { signed: false, bits }, right.unsigned_abs().min(64) as i128);
    Ok(work.pool().bits(operation, value, steps))
}

/// `and`, `or` or `xor` of the bits of two integers of one class.
pub(super) fn combined(work: &mut Work, name: &str, a: Expr, b: Expr) -> Expr {
    let operation = match name {
        "and" => Bits::And,
        "or" => Bits::Or,
        _ => Bits::Xor,
    };
    work.pool().bits(operation, a, b)
}

fn shift_by_signal(
    work: &mut Work,
    block: &Instance,
    class: Class,
    value: Expr,
    by: Expr,
    left: bool,
) -> Outcome<Expr> {
    let Class::Integer(bits, _) = class else {
        return Err(Fault::hint("a shift by a signal needs an integer", "give the number of bits"));
    };
    let unsigned = Width { signed: false, bits };
    let value = work.conform(block, class, value);
    let by = work.real_of(by);
    let by = work.round("Zero", by);
    let (zero, most) = (work.ratio(0, 1), work.ratio(i64::from(bits), 1));
    let steps = |work: &mut Work, by: Expr| {
        let pool = work.pool();
        let low = pool.max(by, zero);
        let limited = pool.min(low, most);
        let whole = pool.cast(Type::Int, limited);
        pool.cast(Type::Machine(unsigned), whole)
    };
    let to_right = steps(work, by);
    let negated = work.pool().neg(by);
    let to_left = steps(work, negated);
    let (to_left, to_right) = if left { (to_right, to_left) } else { (to_left, to_right) };
    let positive = work.pool().ge(by, zero);
    let pool = work.pool();
    let (right, shifted) =
        (pool.bits(Bits::ShiftRight, value, to_right), pool.bits(Bits::ShiftLeft, value, to_left));
    Ok(if left { pool.ite(positive, shifted, right) } else { pool.ite(positive, right, shifted) })
}
