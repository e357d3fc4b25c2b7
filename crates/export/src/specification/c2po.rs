//! A specification for C2PO, the compiler of R2U2: inputs, definitions, and a past-time formula per requirement.
//!
//! Every interval of C2PO has two ends. `H`, `O` and `S` without an end get `M`, the mission time, which is exact as long
//! as no run is longer. The verdict at a step covers the steps so far. Enumerations are named numbers.

use super::definition;
use super::expression::{self, Language, Text};
use super::names::{Rules, is_identifier};
use super::scope::{Layout, Space};
use super::{Inexpressible, LeftOut, Written, comment, comment_renamed, leave_out, past_of};
use logic::{Binary, Bound, Dialect, Fun, SHALL, Store, Unary};
use requirement::specification::{Component, Kind, Type};
use std::fmt::Write;

pub(super) fn write(store: &mut Store, components: &[Component]) -> Written {
    let rules = Rules {
        is_plain: |name| is_identifier(name) && RESERVED.split_whitespace().all(|word| word != name),
        longest: 50,
    };
    let layout =
        Layout::new(components, Space { rules, flat: true, shared_values: false, suffix: "", labels: true });
    let mut left_out = Vec::new();
    let mut text = String::new();
    comment(
        &mut text,
        "",
        "For C2PO and R2U2. M is the mission time: set --mission-time to the length of the longest run, in steps.",
    );
    comment(
        &mut text,
        "",
        "The verdict at a step covers the steps so far. R2U2 compares floating-point numbers up to an epsilon.",
    );
    comment_renamed(&mut text, &layout.renamed);
    let mut inputs = String::new();
    let mut defines = String::new();
    for it in &layout.enumerations {
        for (number, value) in it.emitted.iter().enumerate() {
            let _ = writeln!(defines, "  {value} := {number};");
        }
    }
    for number in 0..components.len() {
        declare(store, components, number, &layout, [&mut inputs, &mut defines], &mut left_out);
    }
    let mut specifications = String::new();
    let mut any = false;
    for (number, component) in components.iter().enumerate() {
        for (item, label) in component.items.iter().zip(&layout.labels[number]) {
            comment(&mut specifications, "  ", &format!("{}: {}", item.id, item.text));
            let written = past_of(store, item).and_then(|past| {
                expression::formula(store, past, &layout, &layout.scopes[number], &mut C2po)
            });
            match written {
                Ok(formula) => {
                    any = true;
                    let _ = writeln!(specifications, "  {label}: {};", formula.text);
                }
                Err(why) => leave_out(&mut specifications, "  ", &mut left_out, &item.id, why),
            }
        }
    }
    let sections = [
        ("INPUT", !inputs.is_empty(), inputs),
        ("DEFINE", !defines.is_empty(), defines),
        ("PTSPEC", any, specifications),
    ];
    for (title, used, lines) in sections {
        text.push('\n');
        // A section needs at least one entry; comments are allowed anywhere.
        if used {
            let _ = writeln!(text, "{title}");
        }
        text += &lines;
    }
    let text = format!("{}\n", text.trim_end());
    Written { text, renamed: layout.renamed, left_out }
}

fn declare(
    store: &mut Store,
    components: &[Component],
    number: usize,
    layout: &Layout,
    [inputs, defines]: [&mut String; 2],
    left_out: &mut Vec<LeftOut>,
) {
    let (component, scope) = (&components[number], &layout.scopes[number]);
    for variable in component.variables.iter().filter(|it| it.kind != Kind::Function) {
        let Some(entry) = scope.get(&variable.name) else { continue };
        let name = &entry.emitted;
        if variable.definition.is_some() && !matches!(variable.kind, Kind::Input | Kind::Output) {
            let read = definition::read(store, component, variable)
                .and_then(|id| expression::term(store, id, &entry.sort, layout, scope, &mut C2po));
            match read {
                Ok(text) => {
                    let _ = writeln!(defines, "  {name} := {};", text.text);
                    continue;
                }
                Err(why) => {
                    let reason = format_args!("{why}; the variable is an input");
                    leave_out(inputs, "  ", left_out, &variable.name, reason);
                }
            }
        }
        let sort = match variable.ty {
            Type::Bool => "bool",
            Type::Int(_) | Type::Enum(_) => "int",
            Type::Real(_) => "float",
        };
        let _ = writeln!(inputs, "  {name}: {sort};");
    }
}

/// The keywords of C2PO, and the names of its types.
const RESERVED: &str = "\
    STRUCT INPUT DEFINE ATOMIC FTSPEC PTSPEC foreach forsome forexactly foratleast foratmost TAU pow sqrt abs xor rate \
    G F H O U R S T M true false prev";

/// The spellings of C2PO.
const SPELLINGS: Dialect =
    Dialect { name: "c2po", and: "&&", or: "||", relations: ["<", "<=", ">", ">=", "==", "!="], ..SHALL };

struct C2po;

fn interval(bound: Bound) -> String {
    match bound.hi {
        Some(hi) => format!("[{},{hi}]", bound.lo),
        None => format!("[{},M]", bound.lo),
    }
}

impl Language for C2po {
    fn dialect(&self) -> &'static Dialect {
        &SPELLINGS
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let symbol = match op {
            Unary::Once => "O",
            Unary::Historically => "H",
            Unary::Finally | Unary::Globally => return Err(Inexpressible::Future),
        };
        Ok(Text::open(format!("{symbol}{} {}", interval(bound), operand.enclosed())))
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        let bounds = interval(bound);
        match op {
            Binary::Since => Ok(Text::open(format!("{} S{bounds} {}", way.enclosed(), target.enclosed()))),
            Binary::Triggered => {
                Ok(Text::open(format!("!((!{}) S{bounds} (!{}))", way.enclosed(), target.enclosed())))
            }
            Binary::Until | Binary::Release => Err(Inexpressible::Future),
        }
    }

    fn quotient(&mut self, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        match b.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            true => Ok(Text::open(format!("{} / {}", a.enclosed(), b.enclosed()))),
            false => Err(Inexpressible::Divisor),
        }
    }

    fn remainder(&mut self, a: &Text, b: &Text, safe: bool) -> Result<Text, Inexpressible> {
        match safe {
            true => Ok(Text::open(format!("{} % {}", a.enclosed(), b.enclosed()))),
            false => Err(Inexpressible::NegativeRemainder),
        }
    }

    fn function(&mut self, fun: Fun, _real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        match (fun, arguments) {
            (Fun::Abs, [argument]) => Ok(Text::closed(format!("abs({})", argument.text))),
            (Fun::Abs | Fun::Min | Fun::Max, _) => Err(Inexpressible::Predefined(fun)),
        }
    }
}
