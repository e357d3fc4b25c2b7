//! Expressions as blocks: one block, or a few, for each node of the pool.
//!
//! Children have smaller ids than their parents, so in the order of ids every input is ready. A conversion comes before each delay and
//! after each port, so that every class is explicit.

use super::{Unwritable, fresh, position};
use crate::blocks::BlockKind;
use crate::diagram::{Port, Sheet};
use crate::plan::exact;
use crate::value::Class;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use system::{Expr, Function, Node, Pool, System, Type};

/// The inside of an observer.
pub(super) struct Inside {
    pub(super) sheet: Sheet,
    /// The name and class of each input.
    pub(super) inputs: Vec<(String, &'static str)>,
    /// The name of the port of each property.
    pub(super) outputs: Vec<String>,
}

/// The blocks of a system.
pub(super) fn inside(system: &System, step: f64) -> Result<Inside, Unwritable> {
    let mut writer = Writer {
        system,
        sheet: Sheet::default(),
        blocks: FxHashMap::default(),
        ranks: Vec::new(),
        rows: BTreeMap::new(),
    };
    let (mut variables, mut inputs, mut outputs) = (FxHashMap::default(), Vec::new(), Vec::new());
    for (number, var) in (1u32..).zip(&system.inputs) {
        let variable = &system.variables[var.index()];
        let class = class(variable.ty)?;
        let port =
            writer.add(BlockKind::Inport, &writable(&variable.name), &[("Port", &number.to_string())], &[]);
        inputs.push((writer.name(port), class));
        variables.insert(*var, writer.converted(class, port));
    }
    for state in &system.state {
        let variable = &system.variables[state.var.index()];
        let init = state.init.and_then(|init| constant(&system.pool, init)).and_then(|init| decimal(&init));
        let init = init.ok_or_else(|| {
            Unwritable(format!("blocks cannot express the first value of `{}`", variable.name))
        })?;
        let words = [("InitialCondition", init.as_str()), ("SampleTime", &step.to_string())];
        variables.insert(state.var, writer.add(BlockKind::UnitDelay, &writable(&variable.name), &words, &[]));
    }
    let roots = system.state.iter().map(|it| it.next).chain(system.properties.iter().map(|it| it.value));
    for expr in system.pool.reachable(roots) {
        let block = match system.pool.node(expr) {
            Node::Var(var) => variables.get(var).copied(),
            node => Some(writer.node(expr, node)?),
        };
        let block = block.ok_or_else(|| Unwritable("a variable is neither input nor state".into()))?;
        writer.blocks.insert(expr, block);
    }
    for state in &system.state {
        let class = class(system.variables[state.var.index()].ty)?;
        let next = writer.converted(class, writer.blocks[&state.next]);
        if let Some(delay) = variables.get(&state.var) {
            writer.sheet.connect((next, 1), (*delay, Port::Data(1)));
        }
    }
    for (number, property) in (1u32..).zip(&system.properties) {
        let value = writer.blocks[&property.value];
        let port = writer.add(
            BlockKind::Outport,
            &writable(&property.name),
            &[("Port", &number.to_string())],
            &[value],
        );
        outputs.push(writer.name(port));
        let words = [("Enabled", "on"), ("StopWhenAssertionFail", "off")];
        writer.add(BlockKind::Assertion, &format!("{} holds", writable(&property.name)), &words, &[value]);
    }
    Ok(Inside { sheet: writer.sheet, inputs, outputs })
}

struct Writer<'a> {
    system: &'a System,
    sheet: Sheet,
    /// The block that computes an expression, with its first output.
    blocks: FxHashMap<Expr, u32>,
    /// The column of each block, and the number of blocks in each column.
    ranks: Vec<u32>,
    rows: BTreeMap<u32, u32>,
}

impl Writer<'_> {
    /// Adds a block with its inputs.
    fn add(&mut self, kind: BlockKind, name: &str, words: &[(&str, &str)], inputs: &[u32]) -> u32 {
        let rank = inputs.iter().filter_map(|it| self.ranks.get(*it as usize)).max().map_or(0, |it| it + 1);
        let row = self.rows.entry(rank).or_default();
        *row += 1;
        let place = position(30 + 110 * rank, *row);
        let name = fresh(&self.sheet, name);
        let words: Vec<(&str, &str)> = words.iter().copied().chain([("Position", place.as_str())]).collect();
        let block = self.sheet.add(kind, &name, &words);
        self.ranks.push(rank);
        for (number, input) in (1..).zip(inputs) {
            self.sheet.connect((*input, 1), (block, Port::Data(number)));
        }
        block
    }

    fn name(&self, block: u32) -> String {
        self.sheet.blocks.get(block as usize).map(|block| block.name.clone()).unwrap_or_default()
    }

    /// Adds a block that is named after its kind.
    fn compute(&mut self, kind: BlockKind, words: &[(&str, &str)], inputs: &[u32]) -> u32 {
        let name = format!("{kind} {}", self.sheet.blocks.len() + 1);
        self.add(kind, &name, words, inputs)
    }

    fn converted(&mut self, class: &str, input: u32) -> u32 {
        let words = [("OutDataTypeStr", class), ("RndMeth", "Floor"), ("SaturateOnIntegerOverflow", "off")];
        self.compute(BlockKind::DataTypeConversion, &words, &[input])
    }

    fn logic(&mut self, operator: &str, inputs: &[u32]) -> u32 {
        let count = inputs.len().to_string();
        let words = [
            ("Operator", operator),
            ("Inputs", &count),
            ("AllPortsSameDT", "off"),
            ("OutDataTypeStr", "boolean"),
        ];
        self.compute(BlockKind::Logic, &words, inputs)
    }

    fn relation(&mut self, operator: &str, a: u32, b: u32) -> u32 {
        let words = [("Operator", operator), ("InputSameDT", "off"), ("OutDataTypeStr", "boolean")];
        self.compute(BlockKind::RelationalOperator, &words, &[a, b])
    }

    /// A `Sum` or `Product` of doubles; the operators are those of the block.
    fn combine(&mut self, kind: BlockKind, operators: &str, inputs: &[u32]) -> u32 {
        self.compute(kind, &[("Inputs", operators), ("OutDataTypeStr", "double")], inputs)
    }

    fn constant(&mut self, number: &RBig, class: &str) -> Result<u32, Unwritable> {
        let mut add = |text: String| {
            self.compute(BlockKind::Constant, &[("Value", &text), ("OutDataTypeStr", class)], &[])
        };
        if let Some(text) = decimal(number) {
            return Ok(add(text));
        }
        let halves = [RBig::from(number.numerator().clone()), RBig::from(number.denominator().clone())];
        match halves.each_ref().map(decimal) {
            [Some(above), Some(below)] => {
                let (above, below) = (add(above), add(below));
                Ok(self.combine(BlockKind::Product, "*/", &[above, below]))
            }
            _ => Err(Unwritable(format!("doubles cannot express the number {number}"))),
        }
    }

    fn node(&mut self, expr: Expr, node: &Node) -> Result<u32, Unwritable> {
        let pool = &self.system.pool;
        let ty = pool.type_of(expr);
        let inputs: Vec<u32> = node.children().filter_map(|child| self.blocks.get(&child).copied()).collect();
        let of = |place: usize| node.child(place).map(|child| pool.type_of(child));
        let machine = matches!(ty, Type::Machine(_));
        let refused = |what: &str| Unwritable(format!("observers do not have {what}"));
        Ok(match (node, inputs.as_slice()) {
            (Node::Not(_), [_]) => self.logic("NOT", &inputs),
            (Node::And(_), _) => self.logic("AND", &inputs),
            (Node::Or(_), _) => self.logic("OR", &inputs),
            (Node::Eq(..), [_, _]) if of(0) == Some(Type::Bool) => self.logic("NXOR", &inputs),
            (Node::Eq(..), [a, b]) => self.relation("==", *a, *b),
            (Node::Lt(..), [a, b]) => self.relation("<", *a, *b),
            (Node::Le(..), [a, b]) => self.relation("<=", *a, *b),
            (Node::Ite(..), [condition, a, b]) if ty == Type::Bool => {
                let (then, not) = (self.logic("AND", &[*condition, *a]), self.logic("NOT", &[*condition]));
                let otherwise = self.logic("AND", &[not, *b]);
                self.logic("OR", &[then, otherwise])
            }
            (Node::Ite(..), [condition, a, b]) => {
                let words = [("Criteria", "u2 ~= 0"), ("InputSameDT", "off"), ("OutDataTypeStr", class(ty)?)];
                self.compute(BlockKind::Switch, &words, &[*a, *condition, *b])
            }
            (Node::Neg(_) | Node::Add(..) | Node::Mul(..) | Node::IntDiv(..) | Node::Mod(..), _)
                if machine =>
            {
                return Err(refused("arithmetic on machine integers"));
            }
            (Node::Neg(_), [_]) => self.combine(BlockKind::Sum, "-", &inputs),
            (Node::Add(..), [_, _]) => self.combine(BlockKind::Sum, "++", &inputs),
            (Node::Mul(..), [_, _]) => self.combine(BlockKind::Product, "**", &inputs),
            (Node::Div(..), [_, _]) => self.combine(BlockKind::Product, "*/", &inputs),
            (Node::IntDiv(..), [a, b]) => {
                let (size, sign) =
                    (self.compute(BlockKind::Abs, &[], &[*b]), self.compute(BlockKind::Signum, &[], &[*b]));
                let whole = self.quotient(*a, size);
                self.combine(BlockKind::Product, "**", &[sign, whole])
            }
            (Node::Mod(..), [a, b]) => {
                let size = self.compute(BlockKind::Abs, &[], &[*b]);
                let whole = self.quotient(*a, size);
                let multiple = self.combine(BlockKind::Product, "**", &[size, whole]);
                self.combine(BlockKind::Sum, "+-", &[*a, multiple])
            }
            (Node::Cast(to, _), [a]) => match (of(0), to) {
                (Some(Type::Int), Type::Real) => *a,
                (Some(Type::Real), Type::Int) => {
                    self.compute(BlockKind::Rounding, &[("Operator", "floor")], &[*a])
                }
                (Some(Type::Machine(width)), Type::Int | Type::Real) if width.bits <= 32 => {
                    self.converted("double", *a)
                }
                _ => return Err(refused("this conversion of machine integers")),
            },
            (Node::BitNot(_) | Node::Bits(..), _) => return Err(refused("operations on bits")),
            (Node::Apply(function, _), _) => self.function(*function, &inputs)?,
            _ => {
                let number = constant(pool, expr);
                let number = number.ok_or_else(|| refused("an expression of this kind"))?;
                self.constant(&number, class(ty)?)?
            }
        })
    }

    /// The quotient rounded down.
    fn quotient(&mut self, a: u32, b: u32) -> u32 {
        let quotient = self.combine(BlockKind::Product, "*/", &[a, b]);
        self.compute(BlockKind::Rounding, &[("Operator", "floor")], &[quotient])
    }

    fn function(&mut self, function: Function, inputs: &[u32]) -> Result<u32, Unwritable> {
        if function == Function::Single {
            return Ok(self.compute(BlockKind::DataTypeConversion, &[("OutDataTypeStr", "single")], inputs));
        }
        let kind = match function {
            Function::Exp | Function::Log | Function::Log10 | Function::Pow => BlockKind::Math,
            Function::Sqrt => BlockKind::Sqrt,
            Function::Declared(id) => {
                let name = &self.system.pool.signature(id).name;
                return Err(Unwritable(format!("blocks cannot express the function `{name}`")));
            }
            _ => BlockKind::Trigonometry,
        };
        Ok(self.compute(kind, &[("Operator", function.name().unwrap_or_default())], inputs))
    }
}

/// The number of a constant; a Boolean is 1 or 0, a literal its place.
fn constant(pool: &Pool, expr: Expr) -> Option<RBig> {
    Some(match pool.node(expr) {
        Node::Bool(value) => RBig::from(u8::from(*value)),
        Node::Int(value) => RBig::from(value.clone()),
        Node::Machine(_, value) => RBig::from(*value),
        Node::Real(value) => value.clone(),
        Node::Literal(_, place) => RBig::from(*place),
        _ => return None,
    })
}

/// A number as the text of a double, if a double stands for exactly this number.
fn decimal(number: &RBig) -> Option<String> {
    let double = number.to_f64().value();
    (exact(double)? == *number).then(|| format!("{double}"))
}

/// The class of the values of a type.
fn class(ty: Type) -> Result<&'static str, Unwritable> {
    Ok(match ty {
        Type::Bool => Class::Boolean.name(),
        Type::Int | Type::Real | Type::Enum(_) => Class::Double.name(),
        Type::Machine(width) if matches!(width.bits, 8 | 16 | 32 | 64) => {
            Class::Integer(width.bits, width.signed).name()
        }
        Type::Machine(width) => {
            return Err(Unwritable(format!("Simulink has no integers of {} bits", width.bits)));
        }
    })
}

/// A name of a block: paths are split at slashes, and a name is one line.
fn writable(name: &str) -> String {
    let name: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || c == '/').filter(|it| !it.is_empty()).collect();
    name.join("_")
}
