//! Monitors in Rust: one module that needs neither the standard library nor an allocator, and has no `unsafe`.

use super::body::{Body, Field, STARTED, Spelling, Stored};
use super::ranges::Integers;
use super::{Input, Monitor, NoMonitor, Prepared, prepare};
use crate::specification::expression::Text;
use crate::specification::scope::{Layout, Ty};
use crate::specification::subjects::Subjects;
use logic::{Dialect, Store};
use requirement::specification::Type;
use std::fmt::Write;

pub(super) fn write(store: &Store, subjects: &Subjects, single: bool) -> Result<Monitor, NoMonitor> {
    let mut body = Body::new(Rust { single });
    let digits = if single { 6 } else { 15 };
    let value = |enumeration: &str, value: &str, _: &str| format!("{enumeration}::{value}");
    let prepared = prepare(store, subjects, &mut body, Some(digits), value)?;
    let text = text(&prepared, &body);
    Ok(prepared.finished(None, text))
}

struct Rust {
    single: bool,
}

const DIALECT: Dialect = Dialect { name: "rust", ..super::c::DIALECT };

impl Rust {
    fn real_type(&self) -> &'static str {
        if self.single { "f32" } else { "f64" }
    }
}

impl Spelling for Rust {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn field(&self, name: &str) -> String {
        format!("self.{name}")
    }

    fn local(&self, name: &str, ty: &Ty, value: &str) -> String {
        match ty {
            Ty::Bool => format!("let {name}: bool = {value};"),
            Ty::Int => format!("let {name}: i64 = {value};"),
            Ty::Real => format!("let {name}: {} = {value};", self.real_type()),
            Ty::Enum(_) | Ty::Value(_) => format!("let {name} = {value};"),
        }
    }

    fn assign(&self, field: &Field, value: &str) -> String {
        format!("self.{} = {value};", field.name)
    }

    fn choose(&self, condition: &str, a: &str, b: &str) -> String {
        format!("(if {condition} {{ {a} }} else {{ {b} }})")
    }

    fn count(&self, number: u64) -> String {
        number.to_string()
    }

    fn ring(&self, ring: &str, place: &str, steps: u64, now: &str) -> String {
        format!("ring(&mut self.{ring}, &mut self.{place}, {steps}, {now})")
    }

    fn real(&self, whole: &Text) -> Text {
        Text::closed(format!("({} as {})", whole.enclosed(), self.real_type()))
    }

    fn numeral(&mut self, digits: String, _real: bool) -> Text {
        Text::closed(digits)
    }
}

fn input_type(input: &Input, layout: &Layout, rust: &Rust) -> String {
    match (&input.variable.ty, input.enumeration) {
        (_, Some(number)) => layout.enumerations[number].name.clone(),
        (Type::Int(range), _) => format!("i{}", Integers::of(range).map_or(64, |it| it.width)),
        (Type::Real(_), _) => rust.real_type().to_owned(),
        (Type::Bool | Type::Enum(_), _) => "bool".to_owned(),
    }
}

fn text(prepared: &Prepared, body: &Body<Rust>) -> String {
    let mut out = String::from(
        "//! Monitors without the standard library. Call `step` with the inputs of each step, and `end` if the run ends.\n",
    );
    for note in prepared.notes() {
        let _ = writeln!(out, "//! {note}");
    }
    out += "\n#![forbid(unsafe_code)]\n#![allow(dead_code, non_camel_case_types, unused_parens, clippy::all)]\n\n";
    let count = prepared.judged.len();
    let _ = writeln!(out, "/// The number of requirements.\npub const COUNT: usize = {count};\n");
    let _ = writeln!(out, "/// The ids of the requirements.\npub const IDS: [&str; COUNT] = [");
    for it in &prepared.judged {
        let _ = writeln!(out, "    // {}\n    {:?},", draw::terminal::plain(it.text), it.id);
    }
    out += "];\n\n";
    out += CODES;
    for it in &prepared.layout.enumerations {
        let short = |text: &String| text.rsplit("::").next().unwrap_or_default().to_owned();
        let values: Vec<String> = it.emitted.iter().map(short).collect();
        let _ = writeln!(
            out,
            "#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum {} {{\n    {},\n}}\n",
            it.name,
            values.join(",\n    ")
        );
    }
    out += "/// The inputs of a step.\n#[derive(Debug, Clone, Copy, PartialEq)]\npub struct Input {\n";
    for input in &prepared.inputs {
        let _ =
            writeln!(out, "    pub {}: {},", input.name, input_type(input, &prepared.layout, &body.spelling));
    }
    out += "}\n\n/// The state of the monitors.\n#[derive(Debug, Clone)]\npub struct Monitor {\n";
    let mut start = String::new();
    for field in &body.fields {
        let (declared, zero) = match &field.kind {
            Stored::Bool | Stored::Value(Ty::Bool) => ("bool".to_owned(), "false".to_owned()),
            Stored::Count { bits } => (format!("u{bits}"), "0".to_owned()),
            Stored::Ring { steps } => {
                let bytes = steps.div_ceil(8);
                (format!("[u8; {bytes}]"), format!("[0; {bytes}]"))
            }
            Stored::Value(Ty::Int) => ("i64".to_owned(), "0".to_owned()),
            Stored::Value(Ty::Real) => (body.spelling.real_type().to_owned(), "0.0".to_owned()),
            Stored::Value(Ty::Enum(number)) => {
                let it = &prepared.layout.enumerations[*number];
                (it.name.clone(), it.emitted.first().cloned().unwrap_or_default())
            }
            Stored::Value(Ty::Value(_)) => continue,
        };
        let _ = writeln!(out, "    /// {}\n    {}: {declared},", field.what, field.name);
        let _ = write!(start, "{}: {zero}, ", field.name);
    }
    let _ = write!(
        out,
        "    {STARTED}: bool,\n    code: [u8; COUNT],\n    seen: [u8; COUNT],\n}}\n\n\
         impl Monitor {{\n    \
         /// The state before the first step.\n    \
         pub const fn new() -> Monitor {{\n        \
         Monitor {{ {start}{STARTED}: false, code: [0; COUNT], seen: [0; COUNT] }}\n    }}\n\n"
    );
    out += METHODS;
    let unused = if prepared.inputs.is_empty() { "_" } else { "" };
    let _ = write!(
        out,
        "    /// Reads a step. Returns the number of requirements that it shows to be violated.\n    \
         pub fn step(&mut self, {unused}input: &Input) -> u32 {{\n        let mut violated = 0;\n"
    );
    let mut flaws: Vec<Option<String>> = Vec::new();
    for (number, input) in prepared.inputs.iter().enumerate() {
        let at = &input.name;
        let value = match &input.variable.ty {
            Type::Int(_) => format!("i64::from(input.{at})"),
            _ => format!("input.{at}"),
        };
        let _ = writeln!(out, "        let {at} = {value};");
        let flaw = match &input.variable.ty {
            Type::Real(_) => Some(format!("!({at} - {at} == 0.0)")),
            Type::Int(range) => Integers::of(range)
                .ok()
                .filter(|it| it.is_narrow())
                .map(|it| format!("{at} < {} || {at} > {}", it.low, it.high)),
            Type::Bool | Type::Enum(_) => None,
        };
        flaws.push(flaw.map(|text| {
            let _ = writeln!(out, "        let f{number} = {text};");
            format!("f{number}")
        }));
    }
    for line in &body.lines {
        let _ = writeln!(out, "        {line}");
    }
    for (number, it) in prepared.judged.iter().enumerate() {
        let own: Vec<&str> = it.inputs.iter().filter_map(|&at| flaws[at].as_deref()).collect();
        let flawed = if own.is_empty() { "false".to_owned() } else { own.join(" || ") };
        let codes = ["VIOLATED", "VIOLATED_BEFORE", "OWED", "TRIGGERED"];
        let parts = it.truths.iter().zip(codes).filter(|(truth, _)| truth.text != "false");
        let parts: Vec<String> =
            parts.map(|(truth, code)| format!("(if {} {{ {code} }} else {{ 0 }})", truth.text)).collect();
        let code = if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") };
        let _ = writeln!(out, "        violated += self.note({number}, {flawed}, {code});");
    }
    let _ = write!(out, "        self.{STARTED} = true;\n        violated\n    }}\n}}\n");
    if body.has_rings() {
        out += RING;
    }
    out
}

const CODES: &str = "\
/// The values of this step violate the requirement.
pub const VIOLATED: u8 = 1;
/// The interval ended at the step before, and the requirement is violated there.
pub const VIOLATED_BEFORE: u8 = 2;
/// The requirement is violated at this step if the run ends here.
pub const OWED: u8 = 4;
/// The requirement is triggered at this step.
pub const TRIGGERED: u8 = 8;
/// An input that the requirement uses has had no legal value.
pub const NOT_CHECKED: u8 = 16;

/// The verdict on the steps so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    /// It was never triggered.
    Vacuous,
    Violated,
    NotChecked,
}

";

const METHODS: &str = "    \
    /// What is true of a requirement at the last step.
    pub fn code(&self, requirement: usize) -> u8 {
        self.code[requirement]
    }

    /// The verdict on a requirement.
    pub fn verdict(&self, requirement: usize) -> Verdict {
        let seen = self.seen[requirement];
        if seen & (VIOLATED | VIOLATED_BEFORE) != 0 {
            Verdict::Violated
        } else if seen & NOT_CHECKED != 0 {
            Verdict::NotChecked
        } else if seen & TRIGGERED != 0 {
            Verdict::Holds
        } else {
            Verdict::Vacuous
        }
    }

    /// The run ends after the last step. Returns the number of requirements that are violated by its end.
    pub fn end(&mut self) -> u32 {
        let mut violated = 0;
        for (code, seen) in self.code.iter_mut().zip(&mut self.seen) {
            if *code & OWED != 0 {
                *code |= VIOLATED;
                *seen |= VIOLATED;
                violated += 1;
            }
        }
        violated
    }

    fn note(&mut self, requirement: usize, flawed: bool, code: u8) -> u32 {
        let flawed = flawed || self.seen[requirement] & NOT_CHECKED != 0;
        let code = if flawed { NOT_CHECKED } else { code };
        self.code[requirement] = code;
        self.seen[requirement] |= code;
        u32::from(code & (VIOLATED | VIOLATED_BEFORE) != 0)
    }

";

const RING: &str = "
/// Stores a bit, and returns the one that was stored a whole round before.
fn ring(bits: &mut [u8], place: &mut u32, steps: u32, now: bool) -> bool {
    let byte = &mut bits[(*place / 8) as usize];
    let bit = 1 << (*place % 8);
    let before = *byte & bit != 0;
    *byte = if now { *byte | bit } else { *byte & !bit };
    *place = if *place + 1 == steps { 0 } else { *place + 1 };
    before
}
";
