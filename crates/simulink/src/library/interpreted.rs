//! Interpreted MATLAB functions (`MATLABFcn`): a call or an expression over the input `u` becomes the code of a MATLAB Function block,
//! together with the functions of other files that it calls.

use super::blocks;
use crate::blocks::BlockKind;
use crate::chart::{Chart, Data};
use crate::diagram::{Block, BlockId, Diagram, Sheet, SheetId};
use crate::library::drawing::Drawing;
use std::collections::BTreeSet;

/// The maximum number of functions of other files in one block.
const MOST: usize = 50;

/// Replaces interpreted functions. The text of a function of another file is found by its name.
pub fn interpret(diagram: &mut Diagram, file: &dyn Fn(&str) -> Option<String>) {
    let is_function = |id: &BlockId| diagram.block(*id).is_some_and(|it| it.kind == BlockKind::MatlabFcn);
    let found: Vec<BlockId> = blocks(diagram).filter(is_function).collect();
    for id in found {
        replace(diagram, id, file);
    }
}

/// Replaces a block; none if it is not as Simulink writes it.
fn replace(diagram: &mut Diagram, id: BlockId, file: &dyn Fn(&str) -> Option<String>) -> Option<()> {
    let block = diagram.block(id)?;
    let text = diagram.parameter(block, "MATLABFcn")?.trim().trim_end_matches(';').to_owned();
    let size = diagram.parameter(block, "OutputDimensions").unwrap_or("-1").trim().to_owned();
    let is_flat = diagram.parameter(block, "Output1D").is_none_or(|it| it != "off");
    let name = diagram.path(id).strip_prefix(&format!("{}/", diagram.name))?.to_owned();
    if size == "0" {
        // It has no output, so it only shows something.
        slot(diagram, id)?.kind = BlockKind::DocBlock;
        return Some(());
    }
    open(diagram, id)?;
    let is_call = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let expression = if is_call { format!("{text}(u)") } else { text };
    let result = if is_flat { "value(:)" } else { "value" };
    // Variables of the workspace are parameters of the function.
    let parameters: String = variables(&expression).iter().map(|it| format!(", {it}")).collect();
    let mut script = format!("function y = main(u{parameters})\nvalue = {expression};\ny = {result};\nend\n");
    let called = functions(&script, file);
    called.iter().for_each(|it| script.push_str(it));
    let data = |name: &str, scope: &str, size: &str| Data {
        name: name.to_owned(),
        scope: scope.to_owned(),
        class: "Inherit: Same as Simulink".to_owned(),
        size: size.to_owned(),
        ..Data::default()
    };
    let mut all = vec![data("u", "INPUT_DATA", "-1"), data("y", "OUTPUT_DATA", &size)];
    all.extend(variables(&expression).iter().map(|it| data(it, "PARAMETER_DATA", "-1")));
    let script = Some(script);
    diagram.charts.push(Chart {
        name,
        matlab: true,
        interpreted: true,
        script,
        data: all,
        ..Chart::default()
    });
    Some(())
}

/// The texts of the functions that a text calls, directly or through others.
fn functions(text: &str, file: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let (mut found, mut open) = (Vec::new(), vec![text.to_owned()]);
    while let Some(text) = open.pop().filter(|_| found.len() < MOST) {
        for (name, is_called) in names(&text) {
            if !is_called || !seen.insert(name.to_owned()) {
                continue;
            }
            let Some(function) = file(name).filter(|it| is_function(it)) else { continue };
            found.push(format!("\n{function}\n"));
            open.push(function);
        }
    }
    found
}

/// Whether a file begins with a function.
fn is_function(text: &str) -> bool {
    let code = text.lines().map(str::trim).find(|it| !it.is_empty() && !it.starts_with('%'));
    code.is_some_and(|it| it.starts_with("function"))
}

/// The variables of the workspace that an expression uses.
fn variables(expression: &str) -> BTreeSet<&str> {
    let own = ["u", "pi", "end", "inf", "Inf", "nan", "NaN", "eps", "true", "false"];
    names(expression).filter(|(name, is_called)| !is_called && !own.contains(name)).map(|it| it.0).collect()
}

/// The names in a text that are not fields, and whether each is followed by a parenthesis.
fn names(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(is_word)?;
            let is_field = rest[..start].ends_with('.');
            let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |it| start + it);
            let (word, after) = (&rest[start..end], &rest[end..]);
            rest = after;
            if !is_field && !word.starts_with(|c: char| c.is_ascii_digit()) {
                return Some((word, after.trim_start().starts_with('(')));
            }
        }
    })
}

/// Makes a block a subsystem with one input and one output, whose code is added as that of a MATLAB Function block.
pub(super) fn open(diagram: &mut Diagram, id: BlockId) -> Option<()> {
    let next = SheetId(diagram.sheets.len() as u32);
    let slot = slot(diagram, id)?;
    slot.kind = BlockKind::SubSystem;
    slot.inside = Some(next);
    let mut drawing = Drawing::default();
    let u = drawing.input("u");
    drawing.output("y", u);
    diagram.sheets.push(Sheet { owner: Some(id), ..drawing.0 });
    Some(())
}

fn slot(diagram: &mut Diagram, id: BlockId) -> Option<&mut Block> {
    diagram.sheets.get_mut(id.sheet.0 as usize)?.blocks.get_mut(id.number as usize)
}
