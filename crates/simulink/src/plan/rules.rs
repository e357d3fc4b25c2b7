//! The shape rules of each kind of block, forward: outputs from inputs. The way back is in `needs`.

use super::infer::Known;
use super::sizes::{self, combine};
use super::{Shape, Unit};
use crate::value::{Class, Matrix, Value};
use std::rc::Rc;

/// Signals that one bus may have.
const LARGEST_BUS: usize = 10_000;

/// A unit with what is known about its inputs.
pub(super) struct Case<'a> {
    pub(super) unit: &'a Unit,
    pub(super) inputs: &'a [Known],
    /// Whether a part of the inputs is enough.
    pub(super) loose: bool,
    /// Whether comparisons give truth values.
    pub(super) booleans: bool,
}

impl Case<'_> {
    /// What is known about the outputs. `names` are those of the inputs, for a block that makes a bus.
    pub(super) fn outputs(&self, names: &[String]) -> Vec<Known> {
        let one = |class, size| vec![Known::new(class, size)];
        match self.unit.kind.as_str() {
            "Constant" => {
                let matrix = self.matrix("Value");
                let size =
                    matrix.map(|it| sizes::of_value(&it.dimensions, self.word("VectorParams1D") != "off"));
                one(self.class(matrix.map(|it| it.class)), size)
            }
            "Ground" => one(None, None),
            "Inport" | "SignalSpecification" => {
                let own = Known::new(self.explicit(), self.given_size());
                match (self.inputs.first(), own) {
                    (None, own) => vec![own],
                    (Some(Known::Bus(elements)), _) => vec![Known::Bus(elements.clone())],
                    (Some(Known::Signal { class, size }), Known::Signal { class: c, size: s }) => {
                        vec![Known::new(c.or(*class), s.or_else(|| size.clone()))]
                    }
                    (Some(_), own @ Known::Bus(_)) => vec![own],
                }
            }
            // Outputs take what is fed to them, port by port.
            "SubSystem" | "EnablePort" | "TriggerPort" if !self.inputs.is_empty() => self.inputs.to_vec(),
            "BusAssignment" | "Merge" | "SignalConversion" | "ZeroOrderHold" | "RateTransition"
            | "Assignment" | "InitialCondition" => self.passed(),
            "UnitDelay" | "Memory" | "Delay" | "DiscreteIntegrator" => match self.first() {
                Known::Bus(elements) => vec![Known::Bus(elements.clone())],
                Known::Signal { class, .. } => one(self.class(*class), self.with_initial()),
            },
            "BusCreator" => vec![self.bus(names)],
            "BusSelector" => self.selected(),
            "Mux" => self.muxed(names),
            "Demux" => self.demuxed(),
            "BusToVector" => {
                let known = self.inputs.first().unwrap_or(&Known::NOTHING);
                one(known.class(), known.width().map(|width| vec![width]))
            }
            "If" | "SwitchCase" => {
                vec![Known::new(Some(Class::Boolean), Some(vec![1])); self.unit.outputs.len()]
            }
            "RelationalOperator" => one(self.truth(), self.size(self.inputs)),
            "Logic" => {
                let reduces = self.inputs.len() == 1 && self.word("Operator") != "NOT";
                one(self.truth(), if reduces { Some(vec![1]) } else { self.size(self.inputs) })
            }
            "Switch" => {
                let data = self.only(|k| k != 1);
                let size = match self.inputs.get(1) {
                    // A scalar condition chooses whole signals.
                    Some(condition) if condition.width() == Some(1) => self.size(&data),
                    _ => self.size(self.inputs),
                };
                one(self.class(self.common(&data)), size)
            }
            "MultiPortSwitch" => {
                let data = self.only(|k| k > 0);
                let size = if data.len() == 1 { Some(vec![1]) } else { self.size(&data) };
                one(self.class(self.common(&data)), size)
            }
            "MinMax" | "Sum" if self.inputs.len() == 1 => {
                one(self.class(self.common(self.inputs)), self.reduced())
            }
            "MinMax" | "Sum" => one(self.class(self.common(self.inputs)), self.size(self.inputs)),
            "Product" => one(self.class(self.common(self.inputs)), self.product()),
            "Gain" => one(self.class(self.common(self.inputs)), self.gain()),
            "DotProduct" => one(self.class(self.common(self.inputs)), Some(vec![1])),
            "Math" => {
                let turns = matches!(self.word("Operator"), "transpose" | "hermitian");
                let size = self.size(self.inputs);
                one(
                    self.class(self.common(self.inputs)),
                    if turns { size.map(|size| sizes::transpose(&size)) } else { size },
                )
            }
            "Trigonometry" => {
                vec![Known::new(self.floating(), self.size(self.inputs)); self.unit.outputs.len()]
            }
            "Fcn" => one(self.floating(), Some(vec![1])),
            "DataTypeConversion" => one(self.class(None), self.first().size()),
            "Selector" => one(self.first().class(), self.selection()),
            "Reshape" => one(self.first().class(), self.reshaped()),
            "Concatenate" => one(self.common(self.inputs), self.concatenated()),
            "DiscreteStateSpace" => {
                let rows = self.matrix("C").map(|it| vec![it.rows()]);
                one(self.first().class(), rows.or_else(|| self.first().size()))
            }
            "Width" => one(Some(self.explicit().unwrap_or(Class::Double)), Some(vec![1])),
            "Step" | "PulseGenerator" => one(Some(Class::Double), Some(vec![1])),
            "SampleTimeMath" if self.word("TsampMathOp").contains("Only") => {
                one(Some(Class::Double), Some(vec![1]))
            }
            // Everything else computes element by element, in the class of its first input.
            _ if self.inputs.is_empty() => vec![Known::NOTHING; self.unit.outputs.len()],
            _ => {
                let known = Known::new(self.class(self.first().class()), self.size(self.inputs));
                vec![known; self.unit.outputs.len()]
            }
        }
    }

    fn word(&self, name: &str) -> &str {
        self.unit.words.get(name).map_or("", |text| text.trim())
    }

    fn matrix(&self, name: &str) -> Option<&Matrix> {
        self.unit.values.get(name).and_then(Value::matrix)
    }

    fn first(&self) -> &Known {
        self.inputs.first().unwrap_or(&Known::NOTHING)
    }

    fn only(&self, keep: impl Fn(usize) -> bool) -> Vec<Known> {
        self.inputs.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, known)| known.clone()).collect()
    }

    /// The first input as it is; of several that have to be equal, the first one that is known.
    fn passed(&self) -> Vec<Known> {
        let class = self.class(self.inputs.iter().find_map(Known::class));
        match self.inputs.iter().find(|known| known.size().is_some()).unwrap_or(self.first()) {
            Known::Bus(elements) => vec![Known::Bus(elements.clone())],
            known @ Known::Signal { .. } => vec![Known::new(class, known.size())],
        }
    }

    /// The class that the block is set to; none if it inherits.
    pub(super) fn explicit(&self) -> Option<Class> {
        Class::named(self.word("OutDataTypeStr"))
    }

    /// The class of the output, with what its own rule gives.
    fn class(&self, internal: Option<Class>) -> Option<Class> {
        let text = self.word("OutDataTypeStr");
        match text.strip_prefix("Inherit:").map(str::trim) {
            Some("Inherit via back propagation") => None,
            Some("Same as first input" | "Same as input") => self.first().class(),
            Some("Same as second input") => self.inputs.get(1).and_then(Known::class),
            Some(logical) if logical.starts_with("Logical") => Some(self.boolean()),
            Some(_) => internal,
            None => self.explicit().or(internal),
        }
    }

    /// The class of a comparison.
    fn truth(&self) -> Option<Class> {
        self.class(Some(self.boolean()))
    }

    fn boolean(&self) -> Class {
        if self.booleans { Class::Boolean } else { Class::Double }
    }

    fn floating(&self) -> Option<Class> {
        self.first().class().map(|class| if class == Class::Single { Class::Single } else { Class::Double })
    }

    /// The class of numbers computed together.
    fn common(&self, inputs: &[Known]) -> Option<Class> {
        let classes: Vec<Class> = inputs.iter().filter_map(Known::class).collect();
        if classes.is_empty() || classes.len() < inputs.len() && !self.loose {
            return None;
        }
        // Doubles win, then singles, then the widest integer; truth values only stay among themselves.
        let rank = |class: &Class| match class {
            Class::Boolean => 0,
            Class::Integer(bits, signed) => u32::from(*bits) * 2 + u32::from(*signed),
            Class::Single => 1000,
            Class::Double => 1001,
        };
        classes.into_iter().max_by_key(rank)
    }

    /// The size of numbers computed element by element.
    fn size(&self, inputs: &[Known]) -> Option<Vec<usize>> {
        let known: Vec<Vec<usize>> = inputs.iter().filter_map(Known::size).collect();
        if known.is_empty() || known.len() < inputs.len() && !self.loose {
            return None;
        }
        Some(combine(known.iter().map(Vec::as_slice)))
    }

    /// The size that a port is set to.
    pub(super) fn given_size(&self) -> Option<Vec<usize>> {
        let matrix = self.matrix("PortDimensions").or_else(|| self.matrix("Dimensions"))?;
        let sizes: Vec<usize> =
            matrix.entries.iter().filter(|size| **size >= 1.0).map(|&size| size as usize).collect();
        (sizes.len() == matrix.entries.len()
            && !sizes.is_empty()
            && sizes.iter().all(|&size| size <= 1 << 20))
        .then_some(sizes)
        .filter(|sizes| sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).is_some())
    }

    /// One input, made smaller by a sum, a product or an extreme.
    fn reduced(&self) -> Option<Vec<usize>> {
        let along = self.matrix("CollapseDim").and_then(Matrix::single);
        match (self.word("CollapseMode"), along, self.first().size()?.as_slice()) {
            ("Specified dimension", Some(1.0), [_, columns]) => Some(vec![1, *columns]),
            ("Specified dimension", Some(2.0), [rows, _]) => Some(vec![*rows, 1]),
            _ => Some(vec![1]),
        }
    }

    fn product(&self) -> Option<Vec<usize>> {
        let matrix = self.word("Multiplication").starts_with("Matrix");
        match (matrix, self.inputs) {
            (false, [_]) => self.reduced(),
            (false, inputs) => self.size(inputs),
            (true, inputs) => {
                let known: Option<Vec<Vec<usize>>> = inputs.iter().map(Known::size).collect();
                known?.into_iter().reduce(|left, right| sizes::product(&left, &right))
            }
        }
    }

    fn gain(&self) -> Option<Vec<usize>> {
        let input = self.first().size()?;
        let Some(gain) = self.matrix("Gain") else { return Some(input) };
        let scalar = gain.entries.len() == 1;
        Some(match self.word("Multiplication") {
            "Matrix(K*u)" | "Matrix(K*u) (u vector)" if !scalar => sizes::product(&gain.dimensions, &input),
            "Matrix(u*K)" if !scalar => sizes::product(&input, &gain.dimensions),
            _ => combine([input.as_slice(), &sizes::of_value(&gain.dimensions, true)]),
        })
    }

    /// The size with an initial condition, which may be a vector where the input is a scalar. A longer delay has one for
    /// each step, which says nothing about the signal.
    fn with_initial(&self) -> Option<Vec<usize>> {
        let length = self.matrix("DelayLength").and_then(Matrix::single).unwrap_or(1.0);
        let initial = self.matrix("InitialCondition").or_else(|| self.matrix("X0")).filter(|_| length == 1.0);
        let initial = initial.map(|it| sizes::of_value(&it.dimensions, true)).unwrap_or_else(|| vec![1]);
        match self.first().size() {
            Some(input) => Some(combine([input.as_slice(), &initial])),
            None if self.loose && sizes::width(&initial) > 1 => Some(initial),
            None => None,
        }
    }

    /// A bus of the inputs. One that contains itself would never end: beyond some depth and size nothing is known.
    fn bus(&self, names: &[String]) -> Known {
        let count = self.inputs.iter().map(|known| known.signals(8)).sum::<Option<usize>>();
        if count.is_none_or(|count| count > LARGEST_BUS) {
            return Known::NOTHING;
        }
        let name = |k: usize| names.get(k).filter(|name| !name.is_empty()).cloned();
        let named = |(k, known): (usize, &Known)| {
            (name(k).unwrap_or_else(|| format!("signal{}", k + 1)), known.clone())
        };
        Known::Bus(Rc::new(self.inputs.iter().enumerate().map(named).collect()))
    }

    fn muxed(&self, names: &[String]) -> Vec<Known> {
        if self.inputs.iter().any(|known| matches!(known, Known::Bus(_))) {
            return vec![self.bus(names)];
        }
        let width =
            self.inputs.iter().try_fold(0usize, |sum, known| Some(sum.saturating_add(known.width()?)));
        vec![Known::new(self.common(self.inputs), width.map(|width| vec![width]))]
    }

    fn demuxed(&self) -> Vec<Known> {
        let count = self.unit.outputs.len();
        if let Known::Bus(elements) = self.first()
            && elements.len() == count
        {
            return elements.iter().map(|(_, element)| element.clone()).collect();
        }
        let given: Vec<f64> = match self.matrix("Outputs") {
            Some(matrix) if matrix.entries.len() > 1 => matrix.entries.clone(),
            _ => vec![-1.0; count],
        };
        let fixed: Vec<usize> =
            given.iter().filter(|size| **size > 0.0).map(|&size| size.min(1e6) as usize).collect();
        let free = given.len() - fixed.len();
        let fixed: usize = fixed.iter().sum();
        let left = self.first().width().map(|width| width.saturating_sub(fixed));
        let mut taken = 0;
        let mut size = |given: f64| {
            if given > 0.0 {
                return Some(vec![given.min(1e6) as usize]);
            }
            // What is left is shared out, the first ones get one more.
            let left = left?;
            taken += 1;
            Some(vec![left / free + usize::from(taken <= left % free)])
        };
        given.into_iter().map(|given| Known::new(self.first().class(), size(given))).collect()
    }

    fn selected(&self) -> Vec<Known> {
        let found = |path: &str| element(self.first(), path).cloned().unwrap_or(Known::NOTHING);
        let paths: Vec<&str> = self.word("OutputSignals").split(',').map(str::trim).collect();
        if self.word("OutputAsBus") == "on" {
            let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
            let elements = paths.into_iter().map(|path| (last(path), found(path))).collect();
            return vec![Known::Bus(Rc::new(elements))];
        }
        paths.into_iter().map(found).collect()
    }

    fn selection(&self) -> Option<Vec<usize>> {
        let count = self.matrix("NumberOfDimensions").and_then(Matrix::single).unwrap_or(1.0);
        let options: Vec<&str> = self.word("IndexOptions").split(',').map(str::trim).collect();
        let part = |name: &str, k: usize| match self.unit.values.get(name) {
            Some(Value::Cell(parts)) => parts.get(k).and_then(Value::matrix),
            Some(Value::Matrix(matrix)) if k == 0 => Some(matrix),
            _ => None,
        };
        let mut port = 1;
        let mut along = |k: usize| {
            let option = options.get(k).copied().unwrap_or("Index vector (dialog)");
            let inputs = self.first().size()?;
            let whole =
                if count == 1.0 { sizes::width(&inputs) } else { inputs.get(k).copied().unwrap_or(1) };
            let by_port = option.contains("(port)").then(|| self.inputs.get(port));
            port += usize::from(by_port.is_some());
            match option {
                "Select all" => Some(whole),
                "Index vector (port)" => by_port.flatten()?.width(),
                option if option.starts_with("Starting") => {
                    let size = part("OutputSizes", k).or_else(|| part("OutputSizes", 0))?;
                    let number = size.entries.get(if size.entries.len() > 1 { k } else { 0 })?;
                    Some(number.clamp(1.0, 1e6) as usize)
                }
                _ => Some(part("Indices", k)?.entries.len()),
            }
        };
        if count == 1.0 {
            Some(vec![along(0)?])
        } else {
            (0..count.clamp(1.0, 32.0) as usize).map(along).collect()
        }
    }

    fn reshaped(&self) -> Option<Vec<usize>> {
        let width = self.first().width();
        match self.word("OutputDimensionality") {
            "Column vector (2-D)" => Some(vec![width?, 1]),
            "Row vector (2-D)" => Some(vec![1, width?]),
            "Customize" => {
                let sizes = &self.matrix("OutputDimensions")?.entries;
                Some(sizes.iter().map(|size| size.clamp(1.0, 1e6) as usize).collect())
            }
            "Derive from reference input port" => self.inputs.get(1)?.size(),
            _ => Some(vec![width?]),
        }
    }

    fn concatenated(&self) -> Option<Vec<usize>> {
        let all: Vec<Vec<usize>> = self.inputs.iter().map(Known::size).collect::<Option<_>>()?;
        if !self.word("Mode").starts_with("Multi") {
            let width = all.iter().fold(0usize, |sum, size| sum.saturating_add(sizes::width(size)));
            // Rows stay a row and columns a column.
            return Some(match all.iter().find(|size| size.len() == 2).map(Vec::as_slice) {
                Some([1, _]) => vec![1, width],
                Some(_) => vec![width, 1],
                None => vec![width],
            });
        }
        let flat = |size: &Vec<usize>| if let [n] = size[..] { vec![n, 1] } else { size.clone() };
        let along = dimension(self.unit)? - 1;
        let mut whole = flat(all.first()?);
        whole.resize(whole.len().max(along + 1), 1);
        whole[along] = all
            .iter()
            .fold(0usize, |sum, size| sum.saturating_add(flat(size).get(along).copied().unwrap_or(1)));
        Some(whole)
    }
}

/// The dimension that a `Concatenate` joins along, from 1.
fn dimension(unit: &Unit) -> Option<usize> {
    let given = unit.values.get("ConcatenateDimension").map_or(Some(1.0), |it| it.matrix()?.single())?;
    (1..=32).find(|&whole| whole as f64 == given)
}

/// The element of a bus with a path (`a.b`). An element without a name is found by its number (`signal2`).
fn element<'a>(bus: &'a Known, path: &str) -> Option<&'a Known> {
    let mut at = bus;
    for name in path.split('.') {
        let Known::Bus(elements) = at else { return None };
        let named = elements.iter().find(|(other, _)| other == name);
        let numbered = || {
            let number: usize = name.strip_prefix("signal")?.parse().ok()?;
            elements.get(number.checked_sub(1)?)
        };
        at = &named.or_else(numbered)?.1;
    }
    Some(at)
}

/// What is wrong with a unit, now that its inputs are known.
pub(super) fn complaint(unit: &Unit, inputs: &[Known]) -> Option<(String, Option<&'static str>)> {
    let word = |name: &str| unit.words.get(name).map_or("", |text| text.trim());
    let class = word("OutDataTypeStr");
    let plain = class.is_empty() || class.starts_with("Inherit") || class.starts_with("Bus:");
    if !plain && Class::named(class).is_none() {
        return Some((
            format!("the type `{class}` is not supported"),
            Some("use double, single, boolean or an integer type"),
        ));
    }
    match unit.kind.as_str() {
        "BusSelector" => {
            let bus = inputs.first()?;
            let missing =
                word("OutputSignals").split(',').map(str::trim).find(|path| element(bus, path).is_none())?;
            Some((
                format!("its bus has no element `{missing}`"),
                Some("choose the elements anew in Simulink"),
            ))
        }
        "BusCreator" | "Mux"
            if (unit.kind == "BusCreator" || inputs.iter().any(|it| matches!(it, Known::Bus(_))))
                && matches!(unit.outputs.first(), Some(Shape::Signal { .. })) =>
        {
            let message = format!("its bus holds itself, or more than {LARGEST_BUS} signals");
            Some((message, Some("split the bus")))
        }
        "Concatenate" if word("Mode").starts_with("Multi") && dimension(unit).is_none() => {
            Some(("there is no such dimension".into(), Some("join along a dimension from 1 to 32")))
        }
        "Sum" | "RelationalOperator" | "Logic" | "Switch" | "MinMax" if inputs.len() > 1 => misfit(inputs),
        "Product" if inputs.len() > 1 && !word("Multiplication").starts_with("Matrix") => misfit(inputs),
        _ => None,
    }
}

fn misfit(inputs: &[Known]) -> Option<(String, Option<&'static str>)> {
    let widths: Vec<usize> = inputs.iter().filter_map(Known::width).filter(|&width| width != 1).collect();
    let first = widths.first()?;
    let other = widths.iter().find(|width| *width != first)?;
    Some((format!("its inputs have {first} and {other} elements, which do not fit"), None))
}
