//! A module in Copilot, from which Copilot generates monitors in C: a stream per variable, definition and requirement, and a trigger
//! that calls `violated_…` at each step at which a requirement does not hold for the steps so far.
//!
//! Copilot's own libraries are not used: its `MTL` unrolls bounds, and `PTLTL.since` of version 4.8 is wrong. The operators are
//! definitions of the file: `O[0,n]` is a counter, and a window `[l,u]` is `[0,u-l]`, l steps ago. Enumerations are numbers.

use super::definition::{Defined, Definitions};
use super::expression::{self, Language, Text};
use super::names::Rules;
use super::scope::{Layout, Space, Ty};
use super::{Inexpressible, LeftOut, Refused, Target, Written, comment, comment_renamed, leave_out, past_of};
use base::names::is_identifier;
use logic::{Binary, Bound, Dialect, Fun, SHALL, SMV, Store, Unary};
use requirement::specification::{Component, Kind, Type};
use std::fmt::Write;

/// A longer delay is not written: each step is a cell.
const MAX_DELAY: u64 = 1 << 16;

pub(super) fn write(store: &mut Store, components: &[Component]) -> Result<Written, Refused> {
    let [component] = components else {
        return Err(Refused::OneComponent { target: Target::Copilot, components: components.len() });
    };
    let rules = Rules { is_plain, longest: 200 };
    let space = Space { rules, flat: true, shared_values: false, suffix: "", labels: true };
    let layout = Layout::new(components, space);
    let scope = &layout.scopes[0];
    let definitions = Definitions::of(store, component, |_, _| false);
    let mut left_out = Vec::new();
    let mut streams = String::new();
    for it in &layout.enumerations {
        for (number, value) in it.emitted.iter().enumerate() {
            stream(&mut streams, value, "Int64", &format!("constant {number}"));
        }
    }
    for (at, variable) in component.variables.iter().enumerate() {
        let Some(entry) = scope.get(&variable.name) else { continue };
        let ty = type_name(&variable.ty);
        if variable.kind == Kind::Function {
            left_out.push(LeftOut::new(&variable.name, Inexpressible::Function(variable.name.clone())));
            continue;
        }
        let failed = match definitions.get(component, at) {
            None | Some(Defined::Replaced) => None,
            Some(Defined::Failed(why)) => Some(why.clone()),
            Some(Defined::Written(id)) => {
                let formula = store.as_formula(id).filter(|_| entry.sort == Ty::Bool);
                let id = formula.map_or(id, |formula| logic::adapt(store, formula, &SMV).id());
                match expression::term(store, id, &entry.sort, &layout, scope, &mut Copilot) {
                    Ok(text) => {
                        stream(&mut streams, &entry.emitted, ty, &text.text);
                        continue;
                    }
                    Err(why) => Some(why),
                }
            }
        };
        if let Some(why) = failed {
            let reason = format_args!("{why}; the variable is an input");
            leave_out(&mut streams, "", &mut left_out, &variable.name, reason);
        }
        stream(&mut streams, &entry.emitted, ty, &format!("extern \"{}\" Nothing", entry.emitted));
    }
    let mut triggers = String::new();
    for (item, label) in component.items.iter().zip(&layout.labels[0]) {
        comment(&mut streams, "", &format!("{}: {}", item.id, item.text));
        let written = past_of(store, item).and_then(|past| {
            let formula = logic::adapt(store, past, &SMV);
            expression::formula(store, formula, &layout, scope, &mut Copilot)
        });
        match written {
            Ok(text) => {
                stream(&mut streams, label, "Bool", &text.text);
                let _ = writeln!(triggers, "  trigger \"violated_{label}\" (not {label}) []");
            }
            Err(why) => leave_out(&mut streams, "", &mut left_out, &item.id, why),
        }
    }
    let mut text = String::new();
    comment(&mut text, "", "For Copilot 4. Each requirement judges the steps so far at each step.");
    comment_renamed(&mut text, &layout.renamed);
    text += HEAD;
    text += &streams;
    let body = if triggers.is_empty() { "  P.return ()\n".to_owned() } else { triggers };
    let _ = write!(text, "spec :: Spec\nspec = do\n{body}\n");
    text += "main :: P.IO ()\nmain = reify spec P.>>= compile \"monitors\"\n";
    Ok(Written { text, renamed: layout.renamed, left_out, warnings: Vec::new() })
}

/// The imports, and the operators over time.
const HEAD: &str = include_str!("copilot.hs");

fn stream(out: &mut String, name: &str, ty: &str, value: &str) {
    let _ = writeln!(out, "{name} :: Stream {ty}\n{name} = {value}\n");
}

fn type_name(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "Bool",
        Type::Int(_) | Type::Enum(_) => "Int64",
        Type::Real(_) => "Double",
    }
}

/// A name of Haskell for a value begins with a small letter; those of the file and of Copilot are taken.
fn is_plain(name: &str) -> bool {
    is_identifier(name, "")
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && RESERVED.split_whitespace().all(|word| word != name)
}

/// The keywords of Haskell, and names of Copilot and of the file.
const RESERVED: &str = "\
    as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance let mdo \
    module newtype of proc qualified rec then type where abs acos asin atan cast ceiling compile complement constant constB \
    constD constF constI8 constI16 constI32 constI64 constW8 constW16 constW32 constW64 cos cycle deref div drop exp extern \
    false floor forAll exists fromIntegral interpret local log logBase main max min mod mux negate not nub observer pi prop \
    quot recip reify rem shiftL shiftR signum sin sqrt spec tan theorem trigger true unsafeCast xor arg atan2 before delayed \
    everBefore historically once onceWithin previously since stepsSince triggered";

struct Copilot;

/// Expressions of Copilot.
pub(super) const COPILOT: Dialect = Dialect {
    name: "copilot",
    not: "not ",
    and: "&&",
    or: "||",
    xor: "`xor`",
    implies: "==>",
    iff: "==",
    relations: ["<", "<=", ">", ">=", "==", "/="],
    ..SHALL
};

impl Language for Copilot {
    fn dialect(&self) -> &'static Dialect {
        &COPILOT
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let operand = operand.enclosed();
        // A window of H is one of O, of the negation.
        let is_once = match op {
            Unary::Once => true,
            Unary::Historically => false,
            Unary::Finally | Unary::Globally => return Err(Inexpressible::Future),
        };
        if bound.lo > MAX_DELAY {
            return Err(Inexpressible::Delay { steps: bound.lo, limit: MAX_DELAY });
        }
        let inner = if is_once { operand } else { format!("(not {operand})") };
        let recent = match bound.hi {
            None => format!("once {inner}"),
            Some(hi) if hi == bound.lo => inner,
            Some(hi) => format!("onceWithin {} {inner}", hi.saturating_sub(bound.lo)),
        };
        let text = match bound.lo {
            0 => recent,
            1 => format!("previously ({recent})"),
            lo => format!("delayed {lo} ({recent})"),
        };
        Ok(Text::open(if is_once { text } else { format!("not ({text})") }))
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        let name = match (op, bound) {
            (Binary::Since, Bound::ALL) => "since",
            (Binary::Triggered, Bound::ALL) => "triggered",
            (Binary::Since | Binary::Triggered, _) => return Err(Inexpressible::BoundedSince),
            (Binary::Until | Binary::Release, _) => return Err(Inexpressible::Future),
        };
        Ok(Text::open(format!("{name} {} {}", way.enclosed(), target.enclosed())))
    }

    fn negative(&mut self, number: &str, _real: bool) -> Text {
        Text::open(format!("negate {number}"))
    }

    fn remainder(&mut self, a: &Text, b: &Text, safe: bool) -> Result<Text, Inexpressible> {
        match safe {
            true => Ok(Text::open(format!("{} `mod` {}", a.enclosed(), b.enclosed()))),
            false => Err(Inexpressible::NegativeRemainder),
        }
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("mux {} {} {}", condition.enclosed(), a.enclosed(), b.enclosed())))
    }

    fn function(&mut self, fun: Fun, _real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        match (fun, arguments) {
            (Fun::Abs, [argument]) => Ok(Text::open(format!("abs {}", argument.enclosed()))),
            (Fun::Abs | Fun::Min | Fun::Max, _) => Err(Inexpressible::Predefined(fun)),
        }
    }
}
