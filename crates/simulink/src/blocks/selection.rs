//! Blocks that take elements out of an array or put new ones into it, by indices in each dimension: numbers of the block, or signals.
//!
//! An index from a port that is outside its dimension is moved to the nearest end when elements are taken, and has no effect when they
//! are put.

use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Case, Fault, Known, Outcome, Shape, Unit, sizes};
use system::Expr;

pub(super) const SELECTOR: Definition = Definition {
    numbers: &["NumberOfDimensions", "InputPortWidth", "Indices", "OutputSizes"],
    uses: uses_indices,
    cells: true,
    shapes: |case| case.one(case.first().class(), selection(case)),
    needed: |case, place, _| {
        let width = width_of_selector(case.unit).filter(|_| place == 0);
        Known::new(None, width.map(|width| vec![width]))
    },
    route: Some(|layout, id, _, element| match layout.selection(id)? {
        None => Ok(None),
        Some(places) => {
            let place = places.get(element).copied();
            let place = place.ok_or_else(|| Fault::new("it selects more elements than its output has"))?;
            Ok(Some((layout.unit(id).source(0), place)))
        }
    }),
    lowering: Lowering::One(select),
    ..ELEMENTWISE
};

pub(super) const ASSIGNMENT: Definition = Definition {
    numbers: &["NumberOfDimensions", "Indices"],
    uses: uses_indices,
    cells: true,
    refusal: |unit| {
        let sized = unit.word("OutputInitialize").starts_with("Specify size");
        sized.then(|| Fault::hint("an array without initial values is not supported", "give them at a port"))
    },
    // What is assigned says nothing about the array.
    shapes: |case| case.one(case.class(case.first().class()), case.first().size()),
    lowering: Lowering::One(assign),
    ..ELEMENTWISE
};

fn uses_indices(unit: &Unit, name: &str) -> bool {
    let options = unit.word("IndexOptions");
    name != "Indices" || options.contains("dialog") || options.is_empty()
}

/// The input width of a selector of vectors.
fn width_of_selector(unit: &Unit) -> Option<usize> {
    let width = unit.single("InputPortWidth").filter(|width| (1.0..=1e6).contains(width))?;
    (unit.single("NumberOfDimensions").unwrap_or(1.0) == 1.0).then_some(width as usize)
}

/// The size of what a selector takes.
fn selection(case: &Case<'_>) -> Option<Vec<usize>> {
    let count = case.unit.single("NumberOfDimensions").unwrap_or(1.0);
    let options: Vec<&str> = case.unit.list("IndexOptions").collect();
    let mut port = 1;
    let mut along = |k: usize| {
        let option = options.get(k).copied().unwrap_or("Index vector (dialog)");
        let inputs = case.first().size()?;
        let whole = if count == 1.0 { sizes::width(&inputs) } else { inputs.get(k).copied().unwrap_or(1) };
        let by_port = option.contains("(port)").then(|| case.inputs.get(port));
        port += usize::from(by_port.is_some());
        match option {
            "Select all" => Some(whole),
            "Index vector (port)" => by_port.flatten()?.width(),
            option if option.starts_with("Starting") => {
                let of = |k: usize| case.unit.along("OutputSizes", k);
                let size = of(k).or_else(|| of(0))?;
                let number = size.entries.get(if size.entries.len() > 1 { k } else { 0 })?;
                Some(number.clamp(1.0, 1e6) as usize)
            }
            _ => Some(case.unit.along("Indices", k)?.entries.len()),
        }
    };
    if count == 1.0 {
        Some(vec![along(0)?])
    } else {
        (0..count.clamp(1.0, 32.0) as usize).map(along).collect()
    }
}

/// The elements that a selector takes; none if a port provides the indices.
pub(crate) fn fixed_indices(unit: &Unit, input: Option<&Shape>) -> Outcome<Option<Vec<usize>>> {
    let dimensions = match input {
        Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
        Some(Shape::Bus(_)) | None => vec![input.map_or(1, Shape::width)],
    };
    if unit.list("IndexOptions").any(|it| it.contains("(port)")) {
        return Ok(None);
    }
    let sizes = extents(unit, &dimensions);
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (place, &size) in sizes.iter().enumerate() {
        let many = unit.along("OutputSizes", place).and_then(|it| it.entries.first()).copied();
        all.push(fixed(unit, place, size, many.unwrap_or(1.0).clamp(0.0, 1e6) as usize)?);
    }
    let count = all.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if unit.outputs.first().is_none_or(|it| it.width() < count) {
        return Err(Fault::new("it selects more elements than its output has"));
    }
    let mut places = vec![0];
    let mut stride = 1;
    for (chosen, size) in all.iter().zip(&sizes) {
        places = chosen.iter().flat_map(|it| places.iter().map(move |p| p + it * stride)).collect();
        stride *= size;
    }
    Ok(Some(places))
}

/// The indices along one dimension.
enum Along {
    /// Positions from 0.
    Fixed(Vec<usize>),
    /// For each position an expression, from 0.
    Given(Vec<Expr>),
}

impl Along {
    fn len(&self) -> usize {
        match self {
            Along::Fixed(places) => places.len(),
            Along::Given(places) => places.len(),
        }
    }
}

/// The sizes of an input as the indices see them: all elements in one dimension, or each dimension on its own.
fn extents(unit: &Unit, dimensions: &[usize]) -> Vec<usize> {
    let options = unit.list("IndexOptions").count();
    let stated = unit.single("NumberOfDimensions").map_or(1, |it| it.clamp(1.0, 32.0) as usize);
    let count = stated.max(options);
    if count == 1 {
        return vec![dimensions.iter().product()];
    }
    let mut sizes = dimensions.to_vec();
    sizes.resize(count.max(sizes.len()), 1);
    sizes
}

/// The positions along a dimension, if no port provides them. `many` is how many there are from a starting index on.
fn fixed(unit: &Unit, place: usize, size: usize, many: usize) -> Outcome<Vec<usize>> {
    let first = if unit.word("IndexMode") == "Zero-based" { 0.0 } else { 1.0 };
    let numbers = unit.along("Indices", place).map_or(&[][..], |it| &it.entries);
    let chosen: Vec<f64> = match unit.list("IndexOptions").nth(place).unwrap_or("Select all") {
        "Select all" | "Assign all" => (0..size).map(|it| it as f64).collect(),
        "Starting index (dialog)" => {
            let start = numbers.first().copied().unwrap_or(first) - first;
            (0..many.min(size + 1)).map(|it| start + it as f64).collect()
        }
        "" | "Index vector (dialog)" => numbers.iter().map(|it| it - first).collect(),
        other => return Err(Fault::new(format!("the index option `{other}` is not supported"))),
    };
    if chosen.iter().any(|it| it.fract() != 0.0 || *it < 0.0 || *it >= size as f64) {
        return Err(Fault::new(format!("it selects an element outside its input of size {size}")));
    }
    Ok(chosen.into_iter().map(|it| it as usize).collect())
}

/// The indices along each dimension; those of ports come from the inputs from `port` on.
fn indices(
    work: &mut Work,
    block: &Instance,
    sizes: &[usize],
    mut port: usize,
    many: impl Fn(usize) -> usize,
) -> Outcome<Vec<Along>> {
    let mut all = Vec::new();
    for (place, &size) in sizes.iter().enumerate() {
        let starting = match block.list("IndexOptions").nth(place).unwrap_or_default() {
            "Index vector (port)" => false,
            "Starting index (port)" => true,
            _ => {
                all.push(Along::Fixed(fixed(block, place, size, many(place))?));
                continue;
            }
        };
        let signal = block.signal(port)?;
        port += 1;
        let count = if starting { many(place) } else { signal.scalars.len() };
        let mut given = Vec::new();
        for number in 0..count {
            let (element, more) = if starting { (0, number) } else { (number, 0) };
            given.push(place_at(work, block, signal.at(element)?, more));
        }
        all.push(Along::Given(given));
    }
    Ok(all)
}

/// A selector with indices from ports.
fn select(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let input = block.signal(0)?;
    let mut sizes = extents(block, &input.dimensions);
    let width = if sizes.len() == 1 { block.output()?.1 as f64 } else { 1.0 };
    let many = |place: usize| {
        let of = |place: usize| block.along("OutputSizes", place)?.entries.first().copied();
        of(place).or_else(|| of(0)).unwrap_or(width).clamp(1.0, 1e6) as usize
    };
    let all = indices(work, block, &sizes, 1, many)?;
    let mut values = input.scalars.clone();
    // Positions that are known come first, because they make the array smaller.
    for given in [false, true] {
        for (place, along) in all.iter().enumerate().filter(|it| matches!(it.1, Along::Given(_)) == given) {
            values = taken(work, &values, &sizes, place, along)?;
            sizes[place] = along.len();
        }
    }
    Ok(values)
}

/// An array with only the positions of one dimension that indices choose.
fn taken(
    work: &mut Work,
    values: &[Expr],
    sizes: &[usize],
    place: usize,
    along: &Along,
) -> Outcome<Vec<Expr>> {
    let (stride, size): (usize, usize) = (sizes[..place].iter().product(), sizes[place]);
    let outer: usize = sizes[place + 1..].iter().product();
    work.reserve(stride * outer, along.len() * size)?;
    let mut found = Vec::new();
    for block in 0..outer {
        for number in 0..along.len() {
            for inner in 0..stride {
                let at = |k: usize| values.get((block * size + k) * stride + inner).copied();
                let value = match along {
                    Along::Fixed(places) => at(places[number]),
                    Along::Given(places) => {
                        let line: Vec<Expr> = (0..size).filter_map(at).collect();
                        Some(pick(work, places[number], &line)?)
                    }
                };
                found.push(value.ok_or_else(|| Fault::new("its index is outside its input"))?);
            }
        }
    }
    Ok(found)
}

/// An array in which the elements that indices choose are replaced with those of the second input.
fn assign(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let (old, new) = (block.signal(0)?, block.signal(1)?);
    // In a loop, the first input is only what the first turn begins with.
    let last = work.last_turn(block.id)?;
    let sizes = extents(block, &old.dimensions);
    let many = |place: usize| match (sizes.len(), new.dimensions.get(place)) {
        (1, _) => new.scalars.len(),
        (_, Some(size)) => *size,
        (_, None) => 1,
    };
    let all = indices(work, block, &sizes, 2, many)?;
    let count: usize = all.iter().map(Along::len).product();
    if count == 0 || ![1, count].contains(&new.scalars.len()) {
        return Err(Fault::new("the number of new elements does not match the number of indices"));
    }
    let mut values = last.unwrap_or_else(|| old.scalars.clone());
    let known = all.iter().all(|it| matches!(it, Along::Fixed(_)));
    if !known {
        work.reserve(count, values.len())?;
    }
    for number in 0..count {
        let value = new.at(number)?;
        // The position of the new element in each dimension, the first one first.
        let (mut rest, mut place, mut stride, mut conditions) = (number, 0, 1, Vec::new());
        for (along, size) in all.iter().zip(&sizes) {
            let at = rest % along.len();
            rest /= along.len();
            match along {
                Along::Fixed(places) => place += places[at] * stride,
                Along::Given(places) => conditions.push((places[at], stride, *size)),
            }
            stride *= size;
        }
        // The positions that the elements with unknown indices may have.
        let mut open = vec![(place, system::Pool::TRUE)];
        for (index, stride, size) in conditions {
            let mut next = Vec::new();
            for (place, condition) in open {
                for k in 0..size {
                    let here = work.ratio(k as i64, 1);
                    let chosen = work.pool().eq(index, here);
                    next.push((place + k * stride, work.pool().and([condition, chosen])));
                }
            }
            open = next;
        }
        for (place, condition) in open {
            let slot = values.get(place).copied();
            let slot = slot.ok_or_else(|| Fault::new("its index is outside its input"))?;
            values[place] = work.choose(condition, value, slot);
        }
    }
    Ok(values)
}

/// The position of an index from a port, counted from 0, plus an offset.
fn place_at(work: &mut Work, unit: &Unit, index: Expr, more: usize) -> Expr {
    let first = i64::from(unit.word("IndexMode") != "Zero-based");
    let index = work.real_of(index);
    let place = work.round("Zero", index);
    let shift = work.ratio(more as i64 - first, 1);
    work.pool().add(place, shift)
}

/// The element at a position, from 0; a position outside is moved to the nearest end.
pub(super) fn pick(work: &mut Work, place: Expr, all: &[Expr]) -> Outcome<Expr> {
    let (&last, before) = all.split_last().ok_or_else(|| Fault::new("there is nothing to select from"))?;
    let mut value = last;
    for (number, &scalar) in before.iter().enumerate().rev() {
        let here = work.ratio(number as i64, 1);
        let chosen = work.pool().le(place, here);
        value = work.choose(chosen, scalar, value);
    }
    Ok(value)
}
