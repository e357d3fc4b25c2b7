//! Bodies of library blocks, drawn block by block. Every block lists the parameters that matter, because the defaults of its type need
//! not be in the file.

use super::rotation::Sum;
use crate::blocks::BlockKind;
use crate::diagram::{Port, Sheet};

/// An output of a block.
pub(super) type Wire = (u32, u32);

/// A sheet that is drawn from its inputs to its outputs.
#[derive(Default)]
pub(super) struct Drawing(pub(super) Sheet);

impl Drawing {
    /// Ports are numbered in the order in which they are drawn.
    pub(super) fn port(&mut self, kind: BlockKind, name: &str) -> u32 {
        let number = self.0.blocks.iter().filter(|it| it.kind == kind).count() + 1;
        self.0.add(kind, name, &[("Port", &number.to_string())])
    }

    pub(super) fn input(&mut self, name: &str) -> Wire {
        (self.port(BlockKind::Inport, name), 1)
    }

    pub(super) fn output(&mut self, name: &str, from: Wire) {
        let port = self.port(BlockKind::Outport, name);
        self.0.connect(from, (port, Port::Data(1)));
    }

    pub(super) fn block(
        &mut self,
        kind: BlockKind,
        name: &str,
        parameters: &[(&str, &str)],
        inputs: &[Wire],
    ) -> Wire {
        let block = self.0.add(kind, name, parameters);
        for (port, from) in (1..).zip(inputs) {
            self.0.connect(*from, (block, Port::Data(port)));
        }
        (block, 1)
    }

    pub(super) fn mux(&mut self, name: &str, inputs: &[Wire]) -> Wire {
        match inputs {
            [one] => *one,
            _ => self.block(BlockKind::Mux, name, &[("Inputs", &inputs.len().to_string())], inputs),
        }
    }

    pub(super) fn compares(&mut self, name: &str, operator: &str, inputs: &[Wire]) -> Wire {
        let parameters = [("Operator", operator), ("InputSameDT", "off"), ("OutDataTypeStr", "boolean")];
        self.block(BlockKind::RelationalOperator, name, &parameters, inputs)
    }

    pub(super) fn choose(&mut self, name: &str, condition: Wire, then: Wire, other: Wire) -> Wire {
        let parameters = [("Criteria", "u2 ~= 0"), ("InputSameDT", "off"), ("OutDataTypeStr", INHERIT)];
        self.block(BlockKind::Switch, name, &parameters, &[then, condition, other])
    }

    /// A number.
    pub(super) fn constant(&mut self, name: &str, value: &str) -> Wire {
        self.block(BlockKind::Constant, name, &[("Value", value), ("SampleTime", "inf")], &[])
    }

    /// A multiple of a signal.
    pub(super) fn gain(&mut self, name: &str, factor: &str, input: Wire) -> Wire {
        self.block(BlockKind::Gain, name, &[("Gain", factor), ("OutDataTypeStr", INHERIT)], &[input])
    }

    /// A sum with its signs.
    pub(super) fn sum(&mut self, name: &str, signs: &str, inputs: &[Wire]) -> Wire {
        self.block(BlockKind::Sum, name, &[("Inputs", signs), ("OutDataTypeStr", INHERIT)], inputs)
    }

    /// The last value of a signal, which may be connected later.
    pub(super) fn delay(&mut self, name: &str, first: &str, time: &str, inputs: &[Wire]) -> Wire {
        let parameters = [("InitialCondition", first), ("SampleTime", time)];
        self.block(BlockKind::UnitDelay, name, &parameters, inputs)
    }

    /// A line to the first input of a block.
    pub(super) fn connect(&mut self, from: Wire, to: Wire) {
        self.connect_to(from, to, 1);
    }

    /// A line to an input of a block.
    pub(super) fn connect_to(&mut self, from: Wire, to: Wire, port: u32) {
        self.0.connect(from, (to.0, Port::Data(port)));
    }

    /// A vector of expressions over one signal.
    pub(super) fn formulas(&mut self, name: &str, texts: &[&str], input: Wire) -> Wire {
        let mut wires = Vec::new();
        for (number, text) in (1..).zip(texts) {
            let name = format!("{name} {number}");
            wires.push(self.block(BlockKind::Fcn, &name, &[("Expr", text)], &[input]));
        }
        self.mux(name, &wires)
    }

    /// A 3 × 3 matrix of expressions over one signal.
    pub(super) fn square(&mut self, name: &str, entries: &[[Sum; 3]; 3], input: Wire) -> Wire {
        let columns: Vec<String> = (0..9).map(|it| entries[it % 3][it / 3].text()).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let vector = self.formulas(&format!("{name} entries"), &columns, input);
        let parameters = [("OutputDimensionality", "Customize"), ("OutputDimensions", "[3,3]")];
        self.block(BlockKind::Reshape, name, &parameters, &[vector])
    }

    /// The logical opposite.
    pub(super) fn not(&mut self, name: &str, input: Wire) -> Wire {
        let parameters = [("Operator", "NOT"), ("Inputs", "1"), ("OutDataTypeStr", "boolean")];
        self.block(BlockKind::Logic, name, &parameters, &[input])
    }

    /// A logical combination.
    pub(super) fn logic(&mut self, name: &str, operator: &str, inputs: &[Wire]) -> Wire {
        let count = inputs.len().to_string();
        let parameters = [("Operator", operator), ("Inputs", count.as_str()), ("OutDataTypeStr", "boolean")];
        self.block(BlockKind::Logic, name, &parameters, inputs)
    }
}

pub(super) const INHERIT: &str = "Inherit: Inherit via internal rule";
