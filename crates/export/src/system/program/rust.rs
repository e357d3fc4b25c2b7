//! Controllers in Rust: one module that needs neither the standard library nor an allocator, and has no `unsafe`.

use super::super::Unwritable;
use super::super::expression::Spelling;
use super::{Field, Kind, Number, Plan, Target, called, number, operation};
use std::fmt::Write;
use system::{Expr, Node, Pool};

pub(super) struct Rust;

impl Spelling for Rust {
    fn words(&self) -> [&'static str; 4] {
        ["!", "&&", "||", "=="]
    }

    fn number(&self, node: &Node) -> Result<String, Unwritable> {
        Ok(match number(node)? {
            Number::Int(value) if value < 0 => format!("({value}_i64)"),
            Number::Int(value) => format!("{value}_i64"),
            Number::Double(text) => text,
        })
    }

    fn choice(&self, condition: &str, a: &str, b: &str) -> String {
        format!("(if {condition} {{ {a} }} else {{ {b} }})")
    }

    fn operation(
        &self,
        pool: &Pool,
        expr: Expr,
        operands: &[String],
        name: String,
    ) -> Result<String, Unwritable> {
        let call = |helper: &str| format!("{helper}({}, &mut exact)", operands.join(", "));
        operation(pool, expr, operands, call, |it| format!("({it} as f64)"), name)
    }
}

impl Target for Rust {
    fn places(&self) -> [&'static str; 3] {
        ["input.", "output.", "self."]
    }

    fn literal(&self, enumeration: &str, literal: &str) -> String {
        format!("{enumeration}::{literal}")
    }

    fn local(&self, plan: &Plan, name: &str, kind: Kind, value: &str) -> String {
        format!("let {name}: {} = {value};", type_name(plan, kind))
    }

    fn illegal(&self, _plan: &Plan, input: &Field) -> Option<String> {
        (input.kind == Kind::Real).then(|| format!("!input.{}.is_finite()", input.name))
    }

    fn files(&self, plan: &Plan, notes: &[String]) -> (Option<String>, String) {
        (None, self.text(plan, notes))
    }
}

fn type_name(plan: &Plan, kind: Kind) -> &str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "i64",
        Kind::Real => "f64",
        Kind::Enum(at) => &plan.enumerations[at].name,
    }
}

impl Rust {
    fn text(&self, plan: &Plan, notes: &[String]) -> String {
        let mut out = String::from("//! A controller without the standard library.\n");
        for note in notes {
            let _ = writeln!(out, "//! {}", draw::terminal::plain(note));
        }
        out += "\n#![forbid(unsafe_code)]\n#![allow(dead_code, unused_mut, unused_parens, non_camel_case_types, non_snake_case, clippy::all)]\n\n";
        for it in &plan.enumerations {
            let literals: Vec<&str> =
                it.literals.iter().map(|it| it.rsplit("::").next().unwrap_or_default()).collect();
            let _ = writeln!(
                out,
                "#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum {} {{\n    {},\n}}\n",
                it.name,
                literals.join(",\n    ")
            );
        }
        let mut record = |fields: &[Field], what: &str, name: &str, public: &str, more: &str| {
            let _ =
                writeln!(out, "/// {what}\n#[derive(Debug, Clone, Copy, PartialEq)]\npub struct {name} {{");
            for field in fields {
                if field.name != field.original {
                    let _ = writeln!(out, "    /// {}", draw::terminal::plain(&field.original));
                }
                let _ = writeln!(out, "    {public}{}: {},", field.name, type_name(plan, field.kind));
            }
            let _ = writeln!(out, "{more}}}\n");
        };
        record(&plan.inputs, "The inputs of a step.", "Input", "pub ", "");
        record(&plan.outputs, "The outputs of a step.", "Output", "pub ", "");
        let exact = "    /// Whether all values so far are right.\n    exact: bool,\n";
        record(&plan.memory, "The state of the controller.", "Controller", "", exact);
        let start: String = plan.memory.iter().map(|it| format!("{}: {}, ", it.name, it.start)).collect();
        let _ = writeln!(
            out,
            "impl Controller {{\n    /// The state before the first step.\n    pub const fn new() -> Controller {{\n        Controller {{ {start}exact: true }}\n    }}\n"
        );
        let zeros: Vec<String> =
            plan.outputs.iter().map(|it| format!("{}: {}", it.name, zero(plan, it.kind))).collect();
        let zeros = format!("let mut output = Output {{ {} }};", zeros.join(", "));
        let mut function = |head: &str, lines: Vec<String>, end: &str| {
            let _ = writeln!(out, "{head}\n        let mut exact = self.exact;");
            for line in lines {
                let _ = writeln!(out, "        {line}");
            }
            let _ = writeln!(out, "{end}    }}\n");
        };
        let illegal = plan.inputs.iter().filter_map(|it| self.illegal(plan, it));
        let mut lines: Vec<String> = illegal.map(|it| format!("exact &= !({it});")).collect();
        let unused = if plan.inputs.is_empty() { "_" } else { "" };
        match &plan.before {
            Some(block) => {
                let mut before = vec![zeros];
                before.extend(block.statements(plan, self));
                function(
                    "    /// The outputs of the next step; `None` if they are not reliable, as in `step`.\n    pub fn outputs(&self) -> Option<Output> {",
                    before,
                    "        if exact { Some(output) } else { None }\n",
                );
                lines.extend(plan.step.statements(plan, self));
                function(
                    &format!(
                        "    /// Makes a step. {UNRELIABLE}\n    pub fn step(&mut self, {unused}input: &Input) -> bool {{"
                    ),
                    lines,
                    "        self.exact = exact;\n        exact\n",
                );
            }
            None => {
                lines.push(zeros);
                lines.extend(plan.step.statements(plan, self));
                function(
                    &format!(
                        "    /// Makes a step and returns its outputs. {UNRELIABLE}\n    pub fn step(&mut self, {unused}input: &Input) -> Option<Output> {{"
                    ),
                    lines,
                    "        self.exact = exact;\n        if exact { Some(output) } else { None }\n",
                );
            }
        }
        let helpers = called(&out, "", &HELPERS);
        format!("{}\n}}\n{helpers}", out.trim_end())
    }
}

const UNRELIABLE: &str =
    "`None` or false if now or before an integer did not fit in 64 bits, or an input was not a number.";

fn zero(plan: &Plan, kind: Kind) -> &str {
    match kind {
        Kind::Bool => "false",
        Kind::Int => "0",
        Kind::Real => "0.0",
        Kind::Enum(at) => plan.enumerations[at].literals.first().map_or("", String::as_str),
    }
}

/// What may have no exact value. Integers are divided so that the remainder is not negative.
const HELPERS: [(&str, &str); 7] = [
    (
        "negated",
        "
fn NAME(a: i64, exact: &mut bool) -> i64 {
    let value = a.checked_neg();
    *exact &= value.is_some();
    value.unwrap_or(0)
}
",
    ),
    (
        "sum",
        "
fn NAME(a: i64, b: i64, exact: &mut bool) -> i64 {
    let value = a.checked_add(b);
    *exact &= value.is_some();
    value.unwrap_or(0)
}
",
    ),
    (
        "product",
        "
fn NAME(a: i64, b: i64, exact: &mut bool) -> i64 {
    let value = a.checked_mul(b);
    *exact &= value.is_some();
    value.unwrap_or(0)
}
",
    ),
    (
        "quotient",
        "
fn NAME(a: i64, b: i64, exact: &mut bool) -> i64 {
    let value = a.checked_div_euclid(b);
    *exact &= value.is_some();
    value.unwrap_or(0)
}
",
    ),
    (
        "remainder",
        "
fn NAME(a: i64, b: i64, exact: &mut bool) -> i64 {
    *exact &= b != 0;
    // The least integer has no remainder by -1 only because it has no quotient.
    if b == 0 { 0 } else { a.wrapping_rem_euclid(b) }
}
",
    ),
    (
        "ratio",
        "
fn NAME(a: f64, b: f64, exact: &mut bool) -> f64 {
    *exact &= b != 0.0;
    if b == 0.0 { 0.0 } else { a / b }
}
",
    ),
    (
        "rounded_down",
        "
fn NAME(a: f64, exact: &mut bool) -> i64 {
    *exact &= a >= -9223372036854775808.0 && a < 9223372036854775808.0;
    let whole = a as i64;
    if whole as f64 > a { whole.saturating_sub(1) } else { whole }
}
",
    ),
];
