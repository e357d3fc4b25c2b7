//! `Constant`, `Sum`, `Product`, `Gain` and the other blocks that compute with numbers element by element.
//!
//! Operations go from left to right, as in the block. Results of integer classes are brought back into their class after every
//! operation.

use super::control::at;
use super::limits::{or_default, sample_time};
use super::matrices;
use super::parameters::{Fault, Outcome, entries, matrix, word};
use super::work::{Signal, Work, classes};
use crate::plan::{Shape, Unit};
use crate::value::Class;
use system::Expr;

pub(crate) fn constant(work: &mut Work, unit: &Unit) -> Outcome<Vec<Expr>> {
    let value = matrix(unit, "Value")?;
    let numbers = value.entries.clone();
    let classes = output_classes(unit)?;
    if numbers.len() != 1 && numbers.len() != classes.len() {
        return Err(Fault::new("its value does not have the size of its output"));
    }
    let all = classes.into_iter().enumerate();
    all.map(|(element, class)| work.constant(at(&numbers, element), class)).collect()
}

pub(crate) fn ground(work: &mut Work, unit: &Unit) -> Outcome<Vec<Expr>> {
    output_classes(unit)?.into_iter().map(|class| work.constant(0.0, class)).collect()
}

pub(crate) fn sum(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let signs = operators(unit, "+-", inputs.len())?;
    let (class, width) = output(unit)?;
    let terms: Vec<(char, usize)> = signs.into_iter().zip(0..inputs.len()).collect();
    if let ([(sign, _)], [input]) = (&terms[..], inputs) {
        let groups = reduced(unit, input)?;
        let sums = groups.into_iter().map(|group| {
            let terms: Vec<(char, Expr)> = group.into_iter().map(|it| (*sign, it)).collect();
            add_all(work, unit, class, &terms)
        });
        return sums.collect();
    }
    let element = |element: usize| {
        let terms: Outcome<Vec<(char, Expr)>> =
            terms.iter().map(|(sign, place)| Ok((*sign, inputs[*place].at(element)?))).collect();
        add_all(work, unit, class, &terms?)
    };
    (0..width).map(element).collect()
}

pub(crate) fn product(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let signs = operators(unit, "*/", inputs.len())?;
    let (class, width) = output(unit)?;
    if word(unit, "Multiplication").starts_with("Matrix") {
        return matrices::product(work, &signs, inputs);
    }
    if let ([sign], [input]) = (&signs[..], inputs) {
        let groups = reduced(unit, input)?;
        let products = groups.into_iter().map(|group| {
            let factors: Vec<(char, Expr)> = group.into_iter().map(|it| (*sign, it)).collect();
            multiply_all(work, unit, class, &factors)
        });
        return products.collect();
    }
    let element = |element: usize| {
        let factors: Outcome<Vec<(char, Expr)>> =
            signs.iter().zip(inputs).map(|(sign, input)| Ok((*sign, input.at(element)?))).collect();
        multiply_all(work, unit, class, &factors?)
    };
    (0..width).map(element).collect()
}

pub(crate) fn gain(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
    let factor = matrix(unit, "Gain")?;
    let mut scalars = Vec::new();
    for number in &factor.entries {
        scalars.push(work.real(*number)?);
    }
    let factor = Signal { dimensions: factor.dimensions.clone(), scalars };
    let method = word(unit, "Multiplication");
    if method.starts_with("Matrix") && factor.scalars.len() > 1 {
        let both = if method.contains("u*K") { [input.clone(), factor] } else { [factor, input.clone()] };
        return matrices::product(work, &['*', '*'], &both);
    }
    let width = output(unit)?.1;
    let element = |element: usize| {
        let (k, u) = (factor.at(element)?, input.at(element)?);
        let u = work.real_of(u);
        Ok(work.pool().mul(k, u))
    };
    (0..width).map(element).collect()
}

/// Blocks with a formula for one element.
pub(crate) fn simple(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
    let width = output(unit)?.1;
    if unit.kind == "MinMax" {
        return least_or_greatest(work, unit, inputs, width);
    }
    work.reserve(width, entries(unit, "Coefs").len())?;
    let element = |element: usize| {
        let a = input.at(element)?;
        Ok(match unit.kind.as_str() {
            "Bias" => {
                let bias = work.real(at(entries(unit, "Bias"), element))?;
                let a = work.real_of(a);
                work.pool().add(a, bias)
            }
            "UnaryMinus" => {
                let a = work.whole_of(a);
                work.pool().neg(a)
            }
            "Abs" => {
                let a = work.whole_of(a);
                work.pool().abs(a)
            }
            "Signum" => sign(work, a),
            "SampleTimeMath" => with_sample_time(work, unit, a)?,
            "InitialCondition" => {
                let init = work.real(at(entries(unit, "Value"), element))?;
                let first = work.first();
                work.choose(first, init, a)
            }
            "Polyval" => {
                let a = work.real_of(a);
                let mut sum = work.ratio(0, 1);
                for number in entries(unit, "Coefs") {
                    let number = work.real(*number)?;
                    let product = work.pool().mul(sum, a);
                    sum = work.pool().add(product, number);
                }
                sum
            }
            "Width" => work.ratio(input.scalars.len() as i64, 1),
            _ => a,
        })
    };
    (0..width).map(element).collect()
}

/// −1, 0 or 1, of the type of the number.
pub(crate) fn sign(work: &mut Work, a: Expr) -> Expr {
    let a = work.whole_of(a);
    let ty = work.pool().type_of(a);
    let numbers = [1, 0, -1].map(|it| work.pool().number(ty, &dashu_int::IBig::from(it)).unwrap_or(a));
    let [one, zero, minus] = numbers;
    let pool = work.pool();
    let (above, below) = (pool.gt(a, zero), pool.lt(a, zero));
    let rest = pool.ite(below, minus, zero);
    pool.ite(above, one, rest)
}

/// A number with the sample time of its block.
fn with_sample_time(work: &mut Work, unit: &Unit, a: Expr) -> Outcome<Expr> {
    let weight = or_default(unit, "weightValue", 1.0);
    let time = work.real(sample_time(work, unit) * weight)?;
    let rate = work.real(1.0 / (sample_time(work, unit) * weight))?;
    let a = work.real_of(a);
    let pool = work.pool();
    Ok(match word(unit, "TsampMathOp") {
        "+" => pool.add(a, time),
        "-" => pool.sub(a, time),
        "/" => pool.div(a, time),
        "Ts Only" => time,
        "1/Ts Only" => rate,
        _ => pool.mul(a, time),
    })
}

fn least_or_greatest(work: &mut Work, unit: &Unit, inputs: &[Signal], width: usize) -> Outcome<Vec<Expr>> {
    let least = word(unit, "Function") != "max";
    let all = |work: &mut Work, numbers: Vec<Expr>| {
        numbers.into_iter().reduce(|a, b| {
            let [a, b] = work.common([a, b]);
            if least { work.pool().min(a, b) } else { work.pool().max(a, b) }
        })
    };
    if let [input] = inputs {
        let one = all(work, input.scalars.clone());
        return Ok(one.into_iter().collect());
    }
    let element = |element: usize| {
        let numbers: Outcome<Vec<Expr>> = inputs.iter().map(|it| it.at(element)).collect();
        all(work, numbers?).ok_or_else(|| Fault::new("it has no input"))
    };
    (0..width).map(element).collect()
}

fn add_all(work: &mut Work, unit: &Unit, class: Class, terms: &[(char, Expr)]) -> Outcome<Expr> {
    let mut sum: Option<Expr> = None;
    for &(sign, term) in terms {
        let next = match sum {
            None => {
                let term = work.whole_of(term);
                if sign == '-' { work.pool().neg(term) } else { term }
            }
            Some(sum) => {
                let [sum, term] = work.common([sum, term]);
                if sign == '-' { work.pool().sub(sum, term) } else { work.pool().add(sum, term) }
            }
        };
        sum = Some(in_class(work, unit, class, next));
    }
    sum.ok_or_else(|| Fault::new("its input has no elements"))
}

fn multiply_all(work: &mut Work, unit: &Unit, class: Class, factors: &[(char, Expr)]) -> Outcome<Expr> {
    let mut product: Option<Expr> = None;
    for &(sign, factor) in factors {
        let next = match (product, sign) {
            (None, '/') => {
                let (one, factor) = (work.ratio(1, 1), work.real_of(factor));
                work.pool().div(one, factor)
            }
            (None, _) => work.whole_of(factor),
            (Some(product), '/') => {
                let (product, factor) = (work.real_of(product), work.real_of(factor));
                work.pool().div(product, factor)
            }
            (Some(product), _) => {
                let [product, factor] = work.common([product, factor]);
                work.pool().mul(product, factor)
            }
        };
        product = Some(in_class(work, unit, class, next));
    }
    product.ok_or_else(|| Fault::new("its input has no elements"))
}

/// Integers overflow after every operation; other classes are converted at the end.
fn in_class(work: &mut Work, unit: &Unit, class: Class, value: Expr) -> Expr {
    match class {
        Class::Integer(..) => work.conform(unit, class, value),
        Class::Double | Class::Single | Class::Boolean => value,
    }
}

/// The operators of a `Sum` or `Product`, one for each input: written out, or only counted.
fn operators(unit: &Unit, signs: &str, inputs: usize) -> Outcome<Vec<char>> {
    let text = word(unit, "Inputs");
    let given: Vec<char> = match text.parse::<usize>() {
        Ok(count) if count == inputs => signs.chars().take(1).cycle().take(count).collect(),
        Ok(_) => Vec::new(),
        Err(_) => text.chars().filter(|it| !matches!(it, '|' | ' ')).collect(),
    };
    if given.len() == inputs && given.iter().all(|it| signs.contains(*it)) {
        Ok(given)
    } else {
        Err(Fault::new(format!("its operators `{text}` are not those of {inputs} inputs")))
    }
}

/// The elements of one input that are taken together: all of them, or those along one dimension.
fn reduced(unit: &Unit, input: &Signal) -> Outcome<Vec<Vec<Expr>>> {
    if word(unit, "CollapseMode") != "Specified dimension" {
        return Ok(vec![input.scalars.clone()]);
    }
    let (rows, columns) = input.size();
    let at = |row: usize, column: usize| input.scalars.get(column * rows + row).copied();
    let groups: Vec<Option<Vec<Expr>>> = match entries(unit, "CollapseDim") {
        [2.0] => (0..rows).map(|row| (0..columns).map(|column| at(row, column)).collect()).collect(),
        _ => (0..columns).map(|column| (0..rows).map(|row| at(row, column)).collect()).collect(),
    };
    groups
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| Fault::new("its input does not have the size it says"))
}

/// The classes of the scalars of the only output.
pub(crate) fn output_classes(unit: &Unit) -> Outcome<Vec<Class>> {
    unit.outputs.first().map(classes).ok_or_else(|| Fault::new("its type is not known"))
}

/// The class and the number of scalars of the only output.
pub(crate) fn output(unit: &Unit) -> Outcome<(Class, usize)> {
    match unit.outputs.first() {
        Some(shape @ Shape::Signal { class, .. }) => Ok((*class, shape.width())),
        Some(shape @ Shape::Bus(_)) => Ok((Class::Double, shape.width())),
        None => Err(Fault::new("its type is not known")),
    }
}
