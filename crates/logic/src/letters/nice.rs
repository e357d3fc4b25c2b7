//! Readable values: 0 if possible, then 1, then the integer nearest to zero, then the decimal near the middle with the fewest places.
//!
//! Unknowns are fixed one after the other, integers first: once these are fixed, the rest is convex in each case, and each value
//! inside the range of an unknown can be completed.

use super::search::{Level, Outcome, Solver};
use crate::linear::{Literal, Near, Side};
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The number of integers tried next to the end of a range.
const NEIGHBOURS: i32 = 3;
/// Each number of decimal places up to this one is tried.
const FEW_PLACES: usize = 12;

/// Fixes the unknowns to values; `None` if the search gives up or there are no values.
pub(super) fn nice_values(solver: &mut Solver, unknowns: &[usize], level: Level) -> Option<()> {
    let (whole, rest): (Vec<usize>, Vec<usize>) =
        unknowns.iter().partition(|&&unknown| level == Level::Everything && solver.is_whole(unknown));
    whole.into_iter().chain(rest).try_for_each(|unknown| fix(solver, unknown, level))
}

/// Fixes an unknown.
fn fix(solver: &mut Solver, unknown: usize, level: Level) -> Option<()> {
    if [RBig::ZERO, RBig::ONE].iter().any(|value| fits(solver, unknown, value, level)) {
        return Some(());
    }
    let mark = solver.mark();
    if solver.search(level) != Outcome::Found {
        return None;
    }
    let found = solver.simplex.value(unknown).clone();
    solver.settle(level);
    let least = solver.simplex.optimum(unknown, Side::Lower);
    let greatest = solver.simplex.optimum(unknown, Side::Upper);
    let whole = level == Level::Everything && solver.is_whole(unknown);
    solver.undo(mark);
    let mut values = candidates(least.as_ref(), greatest.as_ref(), whole);
    values.extend(found.tiny.is_zero().then_some(found.real));
    values.iter().any(|value| fits(solver, unknown, value, level)).then_some(())
}

/// Fixes an unknown to a value if there are values for the rest.
fn fits(solver: &mut Solver, unknown: usize, value: &RBig, level: Level) -> bool {
    let mark = solver.mark();
    if solver.assert_all(&Literal::exactly(unknown, value)) {
        let fixed = solver.mark();
        if solver.search(level) == Outcome::Found {
            solver.undo(fixed);
            return true;
        }
    }
    solver.undo(mark);
    false
}

/// The most readable values in a range; an end with an infinitesimal is open.
fn candidates(least: Option<&Near>, greatest: Option<&Near>, whole: bool) -> Vec<RBig> {
    let inside = |value: &RBig| {
        let value = Near::from(value.clone());
        least.is_none_or(|least| *least <= value) && greatest.is_none_or(|greatest| value <= *greatest)
    };
    let zero = Near::default();
    let (nearest, away) = match (least, greatest) {
        (Some(least), _) if *least > zero => (least.ceil(), IBig::ONE),
        (_, Some(greatest)) if *greatest < zero => (greatest.floor(), IBig::NEG_ONE),
        (Some(_) | None, Some(_) | None) => (IBig::ZERO, IBig::ONE),
    };
    let neighbours = (0..NEIGHBOURS).map(|step| RBig::from(&nearest + &away * IBig::from(step)));
    let mut values: Vec<RBig> = neighbours.filter(&inside).collect();
    if let (Some(least), Some(greatest), false, true) = (least, greatest, whole, values.is_empty()) {
        values.extend(between(&least.real, &greatest.real, inside));
    }
    values
}

/// The decimal with the fewest places that is nearest to the middle of a range, or the only number in the
/// range.
fn between(least: &RBig, greatest: &RBig, inside: impl Fn(&RBig) -> bool) -> Option<RBig> {
    let middle = (least + greatest) / RBig::from(2);
    if least == greatest {
        return Some(middle);
    }
    // A range of width 1e-5000 would take too long starting at the first place; 0.3 is a little less than lg 2.
    let width = greatest - least;
    let bits = width.denominator().bit_len().saturating_sub(width.numerator().bit_len());
    (1..FEW_PLACES).chain((bits * 3 / 10).max(FEW_PLACES)..).find_map(|places| {
        let scale = UBig::from(10u8).pow(places);
        let rounded = (&middle * RBig::from(scale.clone())).round();
        Some(RBig::from_parts(rounded, scale)).filter(&inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{format_decimal, parse_decimal};

    /// The first candidate of a range in the notation `[1,2)`; an omitted end is infinite.
    fn check(range: &str, whole: bool, expected: &str) {
        let (open, rest) = range.split_at(1);
        let (rest, close) = rest.split_at(rest.len() - 1);
        let (least, greatest) = rest.split_once(',').expect("two ends");
        let end = |text: &str, open: bool, tiny: i32| {
            let tiny = RBig::from(if open { tiny } else { 0 });
            parse_decimal(text).map(|real| Near::new(real, tiny))
        };
        let (least, greatest) = (end(least, open == "(", 1), end(greatest, close == ")", -1));
        let values = candidates(least.as_ref(), greatest.as_ref(), whole);
        let first = values.first().and_then(format_decimal);
        assert_eq!(first.unwrap_or_default(), expected, "{range}");
    }

    #[test]
    fn nice_numbers() {
        for (range, whole, expected) in [
            ("(,)", false, "0"),
            ("[-1,1]", false, "0"),
            ("(0,)", false, "1"),
            ("(3,4]", false, "4"),
            ("(3,4)", false, "3.5"),
            ("(3,4)", true, ""),
            ("(,-2.5]", true, "-3"),
            ("(-3,-2.5]", false, "-2.8"),
            ("[0.1,0.1]", false, "0.1"),
            ("(0,0.01)", false, "0.005"),
            ("(1000000,)", false, "1000001"),
        ] {
            check(range, whole, expected);
        }
    }
}
