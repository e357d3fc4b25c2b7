//! The JSON of a component as Ogma reads it to make monitors in Copilot: variables, and each requirement as a past formula
//! in two notations.
//!
//! `ptLTL` has one relation per bound, so `O[l,u]` is `O[=l] O[<=u-l]`; `CoCoSpecCode` has `OT(u, l, p)` and `SI(q, p)`, and
//! is null if it cannot express a formula. Enumerations are named integers. `Renamed`, `Left_out` and `Warnings` are our additions.

use super::Inexpressible;
use super::LeftOut;
use super::Refused;
use super::Target;
use super::Warning;
use super::Written;
use super::copilot::COPILOT;
use super::definition;
use super::expression::{self, Language, Text};
use super::lustre::Lustre;
use super::names::Rules;
use super::past_of;
use super::scope::{Layout, Scope, Space};
use base::names::is_identifier;
use logic::{Binary, Bound, Dialect, SHALL, SMV, Store, Unary};
use requirement::specification::{Component, Kind, Type, Variable};
use serde_json::{Value, json};

pub(super) fn write(store: &mut Store, components: &[Component]) -> Result<Written, Refused> {
    let [component] = components else {
        return Err(Refused::OneComponent { target: Target::Ogma, components: components.len() });
    };
    let rules = Rules {
        is_plain: |name| is_identifier(name, "") && !name.starts_with('_') && !RESERVED.contains(&name),
        longest: 200,
    };
    let space = Space { rules, flat: true, shared_values: false, suffix: "", labels: false };
    let layout = Layout::new(components, space);
    let scope = &layout.scopes[0];
    let mut left_out = Vec::new();
    let mut internal = Vec::new();
    for it in &layout.enumerations {
        for (number, value) in it.emitted.iter().enumerate() {
            let text = number.to_string();
            internal.push(
                json!({ "name": value, "type": "int", "assignmentLustre": text, "assignmentCopilot": text }),
            );
        }
    }
    let mut other = Vec::new();
    for variable in &component.variables {
        let name = scope.get(&variable.name).map_or("", |entry| &entry.emitted);
        let sort = match variable.ty {
            Type::Bool => "bool",
            Type::Int(_) | Type::Enum(_) => "int",
            Type::Real(_) => "real",
        };
        let defined = variable.definition.is_some();
        match variable.kind {
            Kind::Function => {
                left_out.push(LeftOut::new(&variable.name, Inexpressible::Function(variable.name.clone())));
            }
            Kind::Internal | Kind::Mode | Kind::Constant if defined => {
                match assignment(store, component, variable, &layout, scope) {
                    Ok((lustre, copilot)) => internal.push(json!({
                        "name": name, "type": sort, "assignmentLustre": lustre, "assignmentCopilot": copilot,
                    })),
                    Err(why) => {
                        let reason = format_args!("{why}; the variable is an input");
                        left_out.push(LeftOut::new(&variable.name, reason));
                        other.push(json!({ "name": name, "type": sort }));
                    }
                }
            }
            Kind::Input | Kind::Output | Kind::Internal | Kind::Mode | Kind::Constant => {
                other.push(json!({ "name": name, "type": sort }));
            }
        }
    }
    let mut requirements = Vec::new();
    let mut warnings = Vec::new();
    for item in &component.items {
        let written = past_of(store, item).and_then(|past| {
            let formula = logic::adapt(store, past, &SMV);
            let mut past_time = PastTime::default();
            let past_text = expression::formula(store, formula, &layout, scope, &mut past_time)?;
            warnings.extend(past_time.since.then(|| Warning { id: item.id.clone(), reason: SINCE_HERE }));
            let contract = expression::formula(store, formula, &layout, scope, &mut Contract).ok();
            Ok((past_text.text, contract.map(|text| text.text)))
        });
        match written {
            Ok((past, contract)) => requirements.push(json!({
                "name": item.id, "ptLTL": past, "CoCoSpecCode": contract, "fretish": item.text,
            })),
            Err(why) => left_out.push(LeftOut::new(&item.id, why)),
        }
    }
    let general: Vec<&str> = Some(SINCE).filter(|_| !warnings.is_empty()).into_iter().collect();
    let renamed = layout.renamed.iter().map(|it| json!({ "original": it.original, "emitted": it.emitted }));
    let missing = left_out.iter().map(|it| json!({ "id": it.id, "reason": it.reason }));
    let document = json!({ format!("{}Spec", component.name): {
        "Functions": [],
        "Internal_variables": internal,
        "Other_variables": other,
        "Requirements": requirements,
        "Renamed": renamed.collect::<Vec<Value>>(),
        "Left_out": missing.collect::<Vec<Value>>(),
        "Warnings": general,
    }});
    Ok(Written { text: format!("{document:#}\n"), renamed: layout.renamed, left_out, warnings })
}

/// The definition of a variable in Lustre and in Copilot.
fn assignment(
    store: &mut Store,
    component: &Component,
    variable: &Variable,
    layout: &Layout,
    scope: &Scope,
) -> Result<(String, String), Inexpressible> {
    let id = definition::read(store, component, variable)?;
    let sort = scope
        .get(&variable.name)
        .map(|entry| entry.sort.clone())
        .ok_or_else(|| Inexpressible::UnknownVariable(variable.name.clone()))?;
    let lustre = expression::term(store, id, &sort, layout, scope, &mut Lustre::default())?;
    let copilot = expression::term(store, id, &sort, layout, scope, &mut Copilot)?;
    Ok((lustre.text, copilot.text))
}

/// The keywords of Ogma's notations and of Haskell.
const RESERVED: &[&str] = &[
    "TRUE", "FALSE", "FTP", "LAST", "X", "G", "F", "Y", "Z", "H", "O", "S", "T", "V", "U", "SI", "OT", "HT",
    "ST", "true", "false", "not", "and", "or", "xor", "pre", "if", "then", "else", "case", "of", "let", "in",
    "where", "do", "module", "import", "type", "data", "class", "instance", "mod", "b", "i",
];

/// The warning about `S` for a requirement, and for the whole file.
const SINCE_HERE: &str = "uses S, which Copilot 4.8, as Ogma imports it, misjudges";
const SINCE: &str = "PTLTL.since of Copilot 4.8, which Ogma imports, is true for ever once its right operand was false; check a \
                     monitor with S before you trust it";

/// `ptLTL`.
#[derive(Default)]
struct PastTime {
    /// Whether `S` or `T` was written.
    since: bool,
}

const PAST_TIME: Dialect = Dialect { name: "ptLTL", constants: ["FALSE", "TRUE"], not: "! ", ..SHALL };

impl Language for PastTime {
    fn dialect(&self) -> &'static Dialect {
        &PAST_TIME
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let (symbol, step) = match op {
            Unary::Once => ("O", "Y"),
            Unary::Historically => ("H", "Z"),
            Unary::Finally | Unary::Globally => return Err(Inexpressible::Future),
        };
        if bound == Bound::NEXT {
            let first = op == Unary::Historically && operand.text == PAST_TIME.constants[0];
            return Ok(if first {
                Text::closed("FTP")
            } else {
                Text::open(format!("{step} {}", operand.enclosed()))
            });
        }
        let operand = operand.enclosed();
        Ok(Text::open(match (bound.lo, bound.hi) {
            (0, None) => format!("{symbol} {operand}"),
            (0, Some(hi)) => format!("{symbol}[<={hi}] {operand}"),
            (lo, None) => format!("{symbol}[={lo}] ({symbol} {operand})"),
            (lo, Some(hi)) if lo == hi => format!("{symbol}[={lo}] {operand}"),
            (lo, Some(hi)) => format!("{symbol}[={lo}] ({symbol}[<={}] {operand})", hi.saturating_sub(lo)),
        }))
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        self.since = true;
        let symbol = match op {
            Binary::Since => "S",
            Binary::Triggered => "T",
            Binary::Until | Binary::Release => return Err(Inexpressible::Future),
        };
        match bound {
            Bound::ALL => Ok(Text::open(format!("{} {symbol} {}", way.enclosed(), target.enclosed()))),
            _ => Err(Inexpressible::BoundedSince),
        }
    }

    fn negative(&mut self, number: &str, _real: bool) -> Text {
        Text::open(format!("0 - {number}"))
    }
}

/// `CoCoSpecCode`.
struct Contract;

const CONTRACT: Dialect = Dialect {
    name: "CoCoSpecCode",
    not: "not ",
    and: "and",
    or: "or",
    xor: "<>",
    implies: "=>",
    iff: "=",
    relations: ["<", "<=", ">", ">=", "=", "<>"],
    ..SHALL
};

impl Language for Contract {
    fn dialect(&self) -> &'static Dialect {
        &CONTRACT
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let operand = &operand.text;
        let symbol = match op {
            Unary::Once => "O",
            Unary::Historically => "H",
            Unary::Finally | Unary::Globally => return Err(Inexpressible::Future),
        };
        Ok(match (op, bound.lo, bound.hi) {
            (Unary::Historically, 1, Some(1)) if operand == "false" => Text::closed("FTP"),
            (Unary::Historically, 1, Some(1)) => Text::open(format!("not Y(not ({operand}))")),
            (_, 1, Some(1)) => Text::closed(format!("Y({operand})")),
            (_, 0, None) => Text::closed(format!("{symbol}({operand})")),
            (_, lo, None) => Text::closed(format!("{symbol}T({lo}, {lo}, {symbol}({operand}))")),
            (_, lo, Some(hi)) => Text::closed(format!("{symbol}T({hi}, {lo}, {operand})")),
        })
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        let (p, q) = (&way.text, &target.text);
        match (op, bound) {
            // Only the inclusive form exists: q now, or p since a step after one with q.
            (Binary::Since, Bound::ALL) => {
                Ok(Text::open(format!("{} or SI(Y({q}), {p})", target.enclosed())))
            }
            (Binary::Triggered, Bound::ALL) => {
                Ok(Text::open(format!("not ((not ({q})) or SI(Y(not ({q})), not ({p})))")))
            }
            (Binary::Since | Binary::Triggered, _) => Err(Inexpressible::BoundedSince),
            (Binary::Until | Binary::Release, _) => Err(Inexpressible::Future),
        }
    }

    fn since_inclusive(&mut self, way: &Text, target: &Text) -> Option<Text> {
        Some(Text::closed(format!("SI({}, {})", target.text, way.text)))
    }

    fn quotient(&mut self, _a: &Text, _b: &Text) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Division)
    }

    fn negative(&mut self, number: &str, _real: bool) -> Text {
        Text::open(format!("0 - {number}"))
    }
}

/// Expressions of Copilot about a single step.
struct Copilot;

impl Language for Copilot {
    fn dialect(&self) -> &'static Dialect {
        &COPILOT
    }

    fn window(&mut self, _op: Unary, _bound: Bound, _operand: &Text) -> Result<Text, Inexpressible> {
        Err(Inexpressible::OtherSteps)
    }

    fn way(
        &mut self,
        _op: Binary,
        _bound: Bound,
        _way: &Text,
        _target: &Text,
    ) -> Result<Text, Inexpressible> {
        Err(Inexpressible::OtherSteps)
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("mux {} {} {}", condition.enclosed(), a.enclosed(), b.enclosed())))
    }
}
