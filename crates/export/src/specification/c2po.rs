//! A specification for C2PO, the compiler of R2U2: inputs, definitions, and a formula per requirement, of past time or of mission-time
//! LTL (MLTL), which looks ahead.
//!
//! Every interval of C2PO has two ends. Operators without an end get `M`, the mission time, which is exact as long as no run is
//! longer. A past formula judges the steps so far at each step; a future one is about the first step, and its verdict comes when
//! the steps decide it. Enumerations are named numbers.

use super::Inexpressible;
use super::comment;
use super::comment_renamed;
use super::definition::{Defined, Definitions};
use super::expression::{self, Language, Text};
use super::leave_out;
use super::names::Rules;
use super::past_of;
use super::scope::{Layout, Space};
use super::{Form, LeftOut, Options, Refused, Warning, Written, future_of};
use base::names::is_identifier;
use logic::{Binary, Bound, Dialect, Fun, Id, Node, SHALL, Store, Unary};
use requirement::Ending;
use requirement::specification::{Component, Kind, Type};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn write(
    store: &mut Store,
    components: &[Component],
    options: &Options,
) -> Result<Written, Refused> {
    let is_past = match options.form {
        Form::Past => true,
        Form::FutureInfinite => false,
        Form::FutureFinite => return Err(Refused::FiniteFuture),
    };
    let rules = Rules {
        is_plain: |name| {
            is_identifier(name, "")
                && RESERVED.split_whitespace().all(|word| word != name)
                && !RESERVED_STARTS.iter().any(|start| name.starts_with(start))
        },
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
        match is_past {
            true => "The verdict at a step covers the steps so far.",
            false => "The verdict of step 0 covers the whole run. It comes when the steps decide it.",
        },
    );
    comment(&mut text, "", "R2U2 compares floating-point numbers up to an epsilon.");
    let mut inputs = String::new();
    let mut defines = String::new();
    for it in &layout.enumerations {
        for (number, value) in it.emitted.iter().enumerate() {
            let _ = writeln!(defines, "  {value} := {number};");
        }
    }
    // C2PO refuses a definition that is a name alone.
    let is_name = |store: &Store, id: Id| matches!(store.node(id), Node::Var(_) | Node::Value(_));
    let definitions: Vec<Definitions> =
        components.iter().map(|component| Definitions::of(store, component, is_name)).collect();
    for (number, definitions) in definitions.iter().enumerate() {
        let sections = [&mut inputs, &mut defines];
        declare(store, components, number, definitions, &layout, sections, &mut left_out);
    }
    let mut specifications = String::new();
    let mut any = false;
    let mut warnings = Vec::new();
    for (number, component) in components.iter().enumerate() {
        for (item, label) in component.items.iter().zip(&layout.labels[number]) {
            comment(&mut specifications, "  ", &format!("{}: {}", item.id, item.text));
            let mut language = C2po::default();
            let formula = match is_past {
                true => past_of(store, item),
                false => future_of(store, item, Ending::Infinite),
            };
            let written = formula.and_then(|formula| {
                let formula = definitions[number].apply(store, formula);
                expression::formula(store, formula, &layout, &layout.scopes[number], &mut language)
            });
            match written {
                Ok(formula) => {
                    any = true;
                    if language.since {
                        warnings.push(Warning { id: item.id.clone(), reason: SINCE_HERE });
                        comment(&mut specifications, "  ", &format!("Warning: {SINCE_HERE}."));
                    }
                    let _ = writeln!(specifications, "  {label}: {};", formula.text);
                }
                Err(why) => leave_out(&mut specifications, "  ", &mut left_out, &item.id, why),
            }
        }
    }
    if !warnings.is_empty() {
        comment(&mut text, "", SINCE);
    }
    comment_renamed(&mut text, &layout.renamed);
    let sections = [
        ("INPUT", !inputs.is_empty(), inputs),
        ("DEFINE", !defines.is_empty(), defines),
        (if is_past { "PTSPEC" } else { "FTSPEC" }, any, specifications),
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
    Ok(Written { text, renamed: layout.renamed, left_out, warnings })
}

fn declare(
    store: &mut Store,
    components: &[Component],
    number: usize,
    definitions: &Definitions,
    layout: &Layout,
    [inputs, defines]: [&mut String; 2],
    left_out: &mut Vec<LeftOut>,
) {
    let (component, scope) = (&components[number], &layout.scopes[number]);
    let mut texts: BTreeMap<usize, String> = BTreeMap::new();
    for (at, variable) in component.variables.iter().enumerate() {
        let Some(entry) = scope.get(&variable.name).filter(|_| variable.kind != Kind::Function) else {
            continue;
        };
        let name = &entry.emitted;
        let failed = match definitions.get(component, at) {
            None => None,
            Some(Defined::Replaced) => {
                let why = "is another name, and its definition takes its place";
                comment(inputs, "  ", &format!("{} {why}", variable.name));
                continue;
            }
            Some(Defined::Failed(why)) => Some(why.clone()),
            Some(Defined::Written(id)) => {
                match expression::term(store, id, &entry.sort, layout, scope, &mut C2po::default()) {
                    Ok(text) => {
                        texts.insert(at, format!("  {name} := {};\n", text.text));
                        continue;
                    }
                    Err(why) => Some(why),
                }
            }
        };
        if let Some(why) = failed {
            let reason = format_args!("{why}; the variable is an input");
            leave_out(inputs, "  ", left_out, &variable.name, reason);
        }
        let sort = match variable.ty {
            Type::Bool => "bool",
            Type::Int(_) | Type::Enum(_) => "int",
            Type::Real(_) => "float",
        };
        let _ = writeln!(inputs, "  {name}: {sort};");
    }
    // C2PO knows a definition only after it.
    definitions.order().iter().filter_map(|at| texts.get(at)).for_each(|text| defines.push_str(text));
}

/// The warning about `S` for the whole file, and for a specification.
const SINCE: &str = "Warning: R2U2 4.x misjudges `p S q`: it stays true after p was false, until q is true again and p false. \
                     The specifications with S are marked.";
const SINCE_HERE: &str = "uses S, which R2U2 4.x misjudges";

/// The keywords of C2PO, and the names of its types.
const RESERVED: &str = "\
    STRUCT INPUT DEFINE ATOMIC FTSPEC PTSPEC foreach forsome forexactly foratleast foratmost TAU pow sqrt abs xor rate \
    G F H O U R S T M true false";

/// No name begins with one of these: C2PO's lexer takes them as words of their own.
const RESERVED_STARTS: [&str; 2] = ["prev", "ENUM"];

/// The spellings of C2PO.
const SPELLINGS: Dialect =
    Dialect { name: "c2po", and: "&&", or: "||", relations: ["<", "<=", ">", ">=", "==", "!="], ..SHALL };

#[derive(Default)]
struct C2po {
    /// Whether `S` was written.
    since: bool,
}

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
            Unary::Finally => "F",
            Unary::Globally => "G",
        };
        Ok(Text::open(format!("{symbol}{} {}", interval(bound), operand.enclosed())))
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        let bounds = interval(bound);
        self.since |= matches!(op, Binary::Since | Binary::Triggered);
        match op {
            Binary::Since => Ok(Text::open(format!("{} S{bounds} {}", way.enclosed(), target.enclosed()))),
            Binary::Triggered => {
                Ok(Text::open(format!("!((!{}) S{bounds} (!{}))", way.enclosed(), target.enclosed())))
            }
            // In MLTL, the way to the target begins with the interval.
            Binary::Until | Binary::Release if bound.lo > 0 => Err(Inexpressible::LateUntil),
            Binary::Until => Ok(Text::open(format!("{} U{bounds} {}", way.enclosed(), target.enclosed()))),
            Binary::Release => {
                Ok(Text::open(format!("!((!{}) U{bounds} (!{}))", way.enclosed(), target.enclosed())))
            }
        }
    }

    fn negative(&mut self, number: &str, real: bool) -> Text {
        Text::open(format!("{} - {number}", if real { "0.0" } else { "0" }))
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
