//! Sources, `Sum`, `Product`, `Gain` and the other blocks that compute with numbers element by element.
//!
//! Operations go from left to right, as in the block. Results of integer classes are converted to their class after every
//! operation.

use super::{
    Definition, ELEMENTWISE, Instance, Lowering, PASSING, like_others, like_others_or_output, like_output,
    matrices, misfit,
};
use crate::lower::{Signal, Work};
use crate::plan::{Case, Fault, Known, Outcome, Unit, entry, rules, sizes};
use crate::value::Class;
use system::Expr;

pub(super) const CONSTANT: Definition = Definition {
    numbers: &["Value"],
    defaults: &[("Value", "1")],
    inputs: Some(0),
    shapes: |case| {
        let matrix = case.unit.matrix("Value");
        let vectors = case.unit.word("VectorParams1D") != "off";
        let size = matrix.map(|it| sizes::of_value(&it.dimensions, vectors));
        case.one(case.class(matrix.map(|it| it.class)), size)
    },
    lowering: Lowering::One(constant),
    ..ELEMENTWISE
};

pub(super) const GROUND: Definition = Definition {
    inputs: Some(0),
    shapes: |case| case.one(None, None),
    lowering: Lowering::One(|work, block| {
        block.output_classes()?.into_iter().map(|class| work.constant(0.0, class)).collect()
    }),
    ..ELEMENTWISE
};

pub(super) const SUM: Definition = Definition {
    numbers: &["CollapseDim"],
    uses: |unit, _| unit.word("CollapseMode") == "Specified dimension",
    defaults: &[("Inputs", "++")],
    shapes: |case| case.ruled(rules::sum, folded_size(case)),
    lowering: Lowering::One(sum),
    ..MIN_MAX
};

pub(super) const MIN_MAX: Definition = Definition {
    shapes: |case| case.ruled(rules::common, folded_size(case)),
    needed: like_others_or_output,
    complaint: |_, inputs| misfit(inputs),
    lowering: Lowering::One(least_or_greatest),
    ..ELEMENTWISE
};

pub(super) const PRODUCT: Definition = Definition {
    defaults: &[("Inputs", "2")],
    shapes: |case| {
        // A quotient has no more digits than its parts.
        let divides = case.unit.word("Inputs").contains('/');
        case.ruled(if divides { rules::sum } else { rules::product }, product_size(case))
    },
    needed: |case, place, outputs| like_others(case, place, outputs).unwrap_or(Known::NOTHING),
    complaint: |unit, inputs| if is_of_matrices(unit) { None } else { misfit(inputs) },
    lowering: Lowering::One(product),
    ..ELEMENTWISE
};

pub(super) const GAIN: Definition = Definition {
    numbers: &["Gain"],
    defaults: &[("Gain", "1")],
    shapes: |case| case.ruled(rules::sum, gain_size(case)),
    needed: |case, place, outputs| Known::new(like_output(case, place, outputs).class(), None),
    lowering: Lowering::One(gain),
    ..ELEMENTWISE
};

pub(super) const BIAS: Definition = Definition {
    numbers: &["Bias"],
    expands: &["Bias"],
    defaults: &[("Bias", "0")],
    needed: like_output,
    lowering: Lowering::Each(|work, block, element| {
        let bias = block.parameter(work, "Bias", element, block.output()?.0)?;
        let a = block.real(work, element)?;
        Ok(work.pool().add(a, bias))
    }),
    ..ELEMENTWISE
};

pub(super) const UNARY_MINUS: Definition = Definition {
    needed: like_output,
    lowering: Lowering::Each(|work, block, element| {
        let a = work.whole_of(block.at(0, element)?);
        Ok(work.pool().neg(a))
    }),
    ..ELEMENTWISE
};

pub(super) const ABS: Definition = Definition {
    shapes: |case| {
        let own = case.first().class();
        let by_rule = case.unit.word("OutDataTypeStr").ends_with("internal rule");
        let class = if by_rule { own.map(rules::absolute) } else { own };
        case.one(case.class(class), case.size(case.inputs))
    },
    needed: like_output,
    lowering: Lowering::Each(|work, block, element| {
        let a = work.whole_of(block.at(0, element)?);
        Ok(work.pool().abs(a))
    }),
    ..ELEMENTWISE
};

pub(super) const SIGNUM: Definition = Definition {
    lowering: Lowering::Each(|work, block, element| Ok(sign(work, block.at(0, element)?))),
    ..ELEMENTWISE
};

pub(super) const DATA_TYPE_CONVERSION: Definition = Definition {
    shapes: |case| case.one(case.class(None), case.first().size()),
    lowering: PASSING.lowering,
    ..ELEMENTWISE
};

pub(super) const INITIAL_CONDITION: Definition = Definition {
    numbers: &["Value"],
    expands: &["Value"],
    lowering: Lowering::Each(|work, block, element| {
        let init = block.parameter(work, "Value", element, block.output()?.0)?;
        let begins = work.begins(block.id);
        Ok(work.choose(begins, init, block.at(0, element)?))
    }),
    ..ELEMENTWISE
};

pub(super) const WIDTH: Definition = Definition {
    shapes: |case| case.one(Some(case.explicit().unwrap_or(Class::Double)), Some(vec![1])),
    lowering: Lowering::Each(|work, block, _| Ok(work.ratio(block.signal(0)?.scalars.len() as i64, 1))),
    ..ELEMENTWISE
};

pub(super) const POLYVAL: Definition = Definition {
    numbers: &["Coefs"],
    lowering: Lowering::Each(|work, block, element| {
        let coefficients = block.entries("Coefs");
        work.reserve(1, coefficients.len())?;
        let a = block.real(work, element)?;
        let mut sum = work.ratio(0, 1);
        for number in coefficients {
            let number = work.real(*number)?;
            let product = work.pool().mul(sum, a);
            sum = work.pool().add(product, number);
        }
        Ok(sum)
    }),
    ..ELEMENTWISE
};

pub(super) const SAMPLE_TIME_MATH: Definition = Definition {
    numbers: &["weightValue"],
    shapes: |case| match case.unit.word("TsampMathOp") {
        text if text.contains("Only") => case.one(Some(Class::Double), Some(vec![1])),
        _ => (ELEMENTWISE.shapes)(case),
    },
    lowering: Lowering::Each(with_sample_time),
    ..ELEMENTWISE
};

/// The size of inputs taken together, or of the only input after a reduction.
fn folded_size(case: &Case<'_>) -> Option<Vec<usize>> {
    if case.inputs.len() == 1 { case.reduced() } else { case.size(case.inputs) }
}

fn product_size(case: &Case<'_>) -> Option<Vec<usize>> {
    match (is_of_matrices(case.unit), case.inputs) {
        (false, _) => folded_size(case),
        (true, inputs) => {
            let known: Option<Vec<Vec<usize>>> = inputs.iter().map(Known::size).collect();
            known?.into_iter().reduce(|left, right| sizes::product(&left, &right))
        }
    }
}

fn gain_size(case: &Case<'_>) -> Option<Vec<usize>> {
    let input = case.first().size()?;
    let Some(gain) = case.unit.matrix("Gain") else { return Some(input) };
    let scalar = gain.entries.len() == 1;
    Some(match case.unit.word("Multiplication") {
        "Matrix(K*u)" | "Matrix(K*u) (u vector)" if !scalar => sizes::product(&gain.dimensions, &input),
        "Matrix(u*K)" if !scalar => sizes::product(&input, &gain.dimensions),
        _ => sizes::combine([input.as_slice(), &sizes::of_value(&gain.dimensions, true)]),
    })
}

fn is_of_matrices(unit: &Unit) -> bool {
    unit.word("Multiplication").starts_with("Matrix")
}

fn constant(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let numbers = &block.numbers("Value")?.entries;
    let classes = block.output_classes()?;
    if numbers.len() != 1 && numbers.len() != classes.len() {
        return Err(Fault::new("the size of its value does not match its output"));
    }
    let all = classes.into_iter().enumerate();
    all.map(|(element, class)| work.constant(entry(numbers, element), class)).collect()
}

fn sum(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let signs = operators(block, "+-")?;
    folded(work, block, &signs, add)
}

fn product(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let signs = operators(block, "*/")?;
    if is_of_matrices(block) {
        return matrices::product(work, &signs, block.signals);
    }
    folded(work, block, &signs, multiply)
}

/// Adds or multiplies one more number with its operator.
type Operation = fn(&mut Work<'_>, Option<Expr>, char, Expr) -> Expr;

/// The inputs taken together, element by element; or the elements of the only input.
fn folded(work: &mut Work, block: &Instance, signs: &[char], operation: Operation) -> Outcome<Vec<Expr>> {
    let (class, width) = block.output()?;
    let groups: Vec<Vec<Expr>> = match block.signals {
        [input] => reduced(block, input)?,
        inputs => {
            let element = |element| inputs.iter().map(|input| input.at(element)).collect();
            (0..width).map(element).collect::<Outcome<_>>()?
        }
    };
    let all = groups.into_iter().map(|group| {
        let mut result = None;
        // The operator of the only input is that of all its elements.
        for (place, number) in group.into_iter().enumerate() {
            let next = operation(work, result, signs[place.min(signs.len() - 1)], number);
            // Integers overflow after every operation; other classes are converted at the end.
            result = Some(match class {
                Class::Integer(..) => work.conform(block, class, next),
                Class::Double | Class::Single | Class::Boolean => next,
            });
        }
        result.ok_or_else(|| Fault::new("its input has no elements"))
    });
    all.collect()
}

fn add(work: &mut Work, sum: Option<Expr>, sign: char, term: Expr) -> Expr {
    let Some(sum) = sum else {
        let term = work.whole_of(term);
        return if sign == '-' { work.pool().neg(term) } else { term };
    };
    let [sum, term] = work.common([sum, term]);
    if sign == '-' { work.pool().sub(sum, term) } else { work.pool().add(sum, term) }
}

fn multiply(work: &mut Work, product: Option<Expr>, sign: char, factor: Expr) -> Expr {
    if sign == '/' {
        let product = product.unwrap_or_else(|| work.ratio(1, 1));
        let (product, factor) = (work.real_of(product), work.real_of(factor));
        return work.pool().div(product, factor);
    }
    let Some(product) = product else { return work.whole_of(factor) };
    let [product, factor] = work.common([product, factor]);
    work.pool().mul(product, factor)
}

fn gain(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let input = block.signal(0)?;
    let factor = block.numbers("Gain")?;
    let class = factor_class(work, block);
    let scalars = factor.entries.iter().map(|it| work.parameter(*it, class)).collect::<Outcome<_>>()?;
    let factor = Signal { dimensions: factor.dimensions.clone(), scalars };
    if is_of_matrices(block) && factor.scalars.len() > 1 {
        let right = block.word("Multiplication").contains("u*K");
        let both = if right { [input.clone(), factor] } else { [factor, input.clone()] };
        return matrices::product(work, &['*', '*'], &both);
    }
    // A product of integers is shifted, which the simplest rounding leaves as it is.
    let is_integer = |class| matches!(class, Class::Integer(..));
    let shifts = is_integer(block.output()?.0)
        && is_integer(block.input_class(work, 0))
        && block.word("RndMeth") == "Simplest";
    let element = |element: usize| {
        let (k, u) = (factor.at(element)?, input.at(element)?);
        let u = work.real_of(u);
        let product = work.pool().mul(k, u);
        Ok(if shifts { work.round("Floor", product) } else { product })
    };
    (0..block.output()?.1).map(element).collect()
}

/// The class of the factor of a `Gain`: that of floating-point inputs, and otherwise as it is set; a fixed-point factor is exact.
fn factor_class(work: &Work, block: &Instance) -> Class {
    let input = block.input_class(work, 0);
    match block.word("ParamDataTypeStr") {
        "Inherit: Same as input" => input,
        _ if input == Class::Single => input,
        other => Class::named(other).unwrap_or(Class::Double),
    }
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

/// A number combined with the sample time of its block.
fn with_sample_time(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    work.regular(block.id)?;
    let seconds = work.sample_time(block) * block.single("weightValue").unwrap_or(1.0);
    let (time, rate) = (work.real(seconds)?, work.real(1.0 / seconds)?);
    let a = block.real(work, element)?;
    let pool = work.pool();
    Ok(match block.word("TsampMathOp") {
        "+" => pool.add(a, time),
        "-" => pool.sub(a, time),
        "/" => pool.div(a, time),
        "Ts Only" => time,
        "1/Ts Only" => rate,
        _ => pool.mul(a, time),
    })
}

fn least_or_greatest(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let least = block.word("Function") != "max";
    let mut all = |numbers: Vec<Expr>| {
        numbers.into_iter().reduce(|a, b| {
            let [a, b] = work.common([a, b]);
            if least { work.pool().min(a, b) } else { work.pool().max(a, b) }
        })
    };
    let width = block.output()?.1;
    if let [input] = block.signals {
        return Ok(all(input.scalars.clone()).into_iter().collect());
    }
    let element = |element: usize| {
        let numbers: Outcome<Vec<Expr>> = block.signals.iter().map(|it| it.at(element)).collect();
        all(numbers?).ok_or_else(|| Fault::new("it has no input"))
    };
    (0..width).map(element).collect()
}

/// The operators of a `Sum` or `Product`, one for each input: listed, or given as a count.
fn operators(block: &Instance, signs: &str) -> Outcome<Vec<char>> {
    let (text, inputs) = (block.word("Inputs"), block.signals.len());
    let given: Vec<char> = match text.parse::<usize>() {
        Ok(count) if count == inputs => signs.chars().take(1).cycle().take(count).collect(),
        Ok(_) => Vec::new(),
        Err(_) => text.chars().filter(|it| !matches!(it, '|' | ' ')).collect(),
    };
    if given.len() == inputs && given.iter().all(|it| signs.contains(*it)) {
        Ok(given)
    } else {
        Err(Fault::new(format!("its operators `{text}` do not match its {inputs} inputs")))
    }
}

/// The elements of one input that are taken together: all of them, or those along one dimension.
fn reduced(unit: &Unit, input: &Signal) -> Outcome<Vec<Vec<Expr>>> {
    if unit.word("CollapseMode") != "Specified dimension" {
        return Ok(vec![input.scalars.clone()]);
    }
    let (rows, columns) = input.size();
    let at = |row: usize, column: usize| input.scalars.get(column * rows + row).copied();
    let groups: Option<Vec<Vec<Expr>>> = match unit.entries("CollapseDim") {
        [2.0] => (0..rows).map(|row| (0..columns).map(|column| at(row, column)).collect()).collect(),
        _ => (0..columns).map(|column| (0..rows).map(|row| at(row, column)).collect()).collect(),
    };
    groups.ok_or_else(|| Fault::new("the size of its input does not match its parameters"))
}
