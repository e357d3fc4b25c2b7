//! Names of signals, which are the names of the elements of buses.
//!
//! A signal has the name of its line. Without one it keeps the name that it has on the other side of a port or tag, or
//! in the bus that it is selected from.

use super::wires::Feeds;
use super::{Source, Unit};
use crate::blocks::{BlockKind, Label};
use crate::diagram::{BlockId, Diagram, Port};
use rustc_hash::FxHashMap;

/// The names of the signals at the inputs of each unit that makes a bus; empty where a signal has none.
pub(super) type Names = Vec<Vec<String>>;

/// Finds the names at the inputs of `BusCreator` and `Mux` blocks.
pub(super) fn names(diagram: &Diagram, units: &[Unit], feeds: &Feeds) -> Names {
    let labels = Labels::new(diagram);
    let of = |unit: &Unit| {
        if !matches!(unit.kind, BlockKind::BusCreator | BlockKind::Mux) {
            return vec![];
        }
        let given = given(unit);
        let name = |(place, source): (usize, &Option<Source>)| {
            if let Some(name) = given.get(place) {
                return name.clone();
            }
            let line = labels.ends.get(&(unit.block, Port::Data(place as u32 + 1)));
            let name = line.and_then(|from| labels.names.get(from)).cloned();
            name.or_else(|| source.and_then(|source| labels.of(units, feeds, source))).unwrap_or_default()
        };
        unit.inputs.iter().enumerate().map(name).collect()
    };
    units.iter().map(of).collect()
}

/// Names that the block lists itself: `'a','b'`.
fn given(unit: &Unit) -> Vec<String> {
    let text = unit.word("Inputs");
    if unit.kind != BlockKind::BusCreator || text.parse::<f64>().is_ok() || text.is_empty() {
        return vec![];
    }
    text.split(',').map(|name| name.trim().trim_matches('\'').to_owned()).collect()
}

struct Labels {
    /// The name of an output, as its line or its block says.
    names: FxHashMap<(BlockId, u32), String>,
    /// For each input, the output that its line starts from.
    ends: FxHashMap<(BlockId, Port), (BlockId, u32)>,
}

impl Labels {
    fn new(diagram: &Diagram) -> Labels {
        let mut labels = Labels { names: FxHashMap::default(), ends: FxHashMap::default() };
        for (sheet, content) in (0..).map(crate::diagram::SheetId).zip(&diagram.sheets) {
            let mut name = |number: u32, output: u32, name: &str| {
                // Names in angle brackets come from elsewhere; they still count as names.
                let plain = name.trim_start_matches('<').trim_end_matches('>');
                if !plain.is_empty() {
                    labels.names.insert((BlockId { sheet, number }, output), plain.to_owned());
                }
            };
            for (number, block) in (0..).zip(&content.blocks) {
                block.signals.iter().for_each(|(output, text)| name(number, *output, text));
            }
            for line in &content.lines {
                let Some((number, output)) = line.from else { continue };
                line.name.iter().for_each(|text| name(number, output, text));
                for &(to, port) in &line.to {
                    labels
                        .ends
                        .insert((BlockId { sheet, number: to }, port), (BlockId { sheet, number }, output));
                }
            }
        }
        labels
    }

    /// The name of a signal, which may come from a distant block.
    fn of(&self, units: &[Unit], feeds: &Feeds, source: Source) -> Option<String> {
        let mut source = source;
        for _ in 0..units.len() {
            let unit = &units[source.unit.0 as usize];
            if let Some(name) = self.names.get(&(unit.block, source.output + 1)) {
                return Some(name.clone());
            }
            let feeds = &feeds[source.unit.0 as usize];
            source = match unit.kind.definition().label {
                Label::None => return None,
                Label::Selected => {
                    let path = unit.list("OutputSignals").nth(source.output as usize)?;
                    return path.rsplit('.').next().map(str::to_owned);
                }
                Label::Inner => feeds.get(source.output as usize).copied().flatten()?,
                Label::First => feeds.first().copied().flatten()?,
            };
        }
        None
    }
}
