//! Monitors in C99: a header and a source without heap, recursion, floating-point exceptions or undefined behaviour.

use super::body::{Body, Field, STARTED, Spelling, Stored};
use super::ranges::Integers;
use super::{Input, Monitor, NoMonitor, Prepared, prepare};
use crate::specification::expression::Text;
use crate::specification::scope::{Layout, Ty};
use crate::specification::subjects::Subjects;
use base::counted;
use logic::{Dialect, SHALL, Store};
use requirement::specification::Type;
use std::fmt::Write;

pub(super) fn write(
    store: &Store,
    subjects: &Subjects,
    name: &str,
    single: bool,
) -> Result<Monitor, NoMonitor> {
    let mut body = Body::new(C { prefix: name.to_owned(), single });
    let digits = if single { 6 } else { 15 };
    let value = |enumeration: &str, value: &str, _: &str| format!("{name}_{enumeration}_{value}");
    let prepared = prepare(store, subjects, &mut body, Some(digits), value)?;
    // The largest fields come first, so that there is no padding between them.
    body.fields.sort_by_key(|field| std::cmp::Reverse(field.alignment()));
    let header = header(&prepared, &body);
    let text = source(&prepared, &body);
    Ok(prepared.finished(Some(header), text))
}

struct C {
    prefix: String,
    single: bool,
}

pub(super) const DIALECT: Dialect = Dialect {
    name: "c",
    constants: ["false", "true"],
    not: "!",
    and: "&&",
    or: "||",
    xor: "!=",
    iff: "==",
    relations: ["<", "<=", ">", ">=", "==", "!="],
    ..SHALL
};

impl C {
    fn type_name(&self, ty: &Ty) -> &'static str {
        match ty {
            Ty::Bool => "bool",
            Ty::Int => "int64_t",
            Ty::Real if self.single => "float",
            Ty::Real => "double",
            // Only values of known enumerations are kept, and they are integers.
            Ty::Enum(_) | Ty::Value(_) => "int",
        }
    }
}

impl Spelling for C {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn field(&self, name: &str) -> String {
        format!("s->{name}")
    }

    fn number(&self, field: &Field) -> String {
        // Smaller types would become signed.
        match field.kind {
            Stored::Count { bits: 64 } => self.field(&field.name),
            _ => format!("(uint32_t)s->{}", field.name),
        }
    }

    fn local(&self, name: &str, ty: &Ty, value: &str) -> String {
        format!("const {} {name} = {value};", self.type_name(ty))
    }

    fn assign(&self, field: &Field, value: &str) -> String {
        match &field.kind {
            Stored::Count { bits } => format!("s->{} = (uint{bits}_t)({value});", field.name),
            _ => format!("s->{} = {value};", field.name),
        }
    }

    fn choose(&self, condition: &str, a: &str, b: &str) -> String {
        match condition.contains(' ') {
            true => format!("(({condition}) ? {a} : {b})"),
            false => format!("({condition} ? {a} : {b})"),
        }
    }

    fn count(&self, number: u64) -> String {
        if number > u64::from(u32::MAX) { format!("UINT64_C({number})") } else { format!("{number}u") }
    }

    fn ring(&self, ring: &str, place: &str, steps: u64, now: &str) -> String {
        format!("{}_ring(s->{ring}, &s->{place}, {steps}u, {now})", self.prefix)
    }

    fn real(&self, whole: &Text) -> Text {
        Text::closed(format!("({})({})", self.type_name(&Ty::Real), whole.text))
    }

    fn numeral(&mut self, digits: String, real: bool) -> Text {
        Text::closed(if real && self.single { format!("{digits}f") } else { digits })
    }
}

/// A comment on one line.
fn comment(text: &str) -> String {
    let text = draw::terminal::plain(text).replace("*/", "* /").replace("/*", "/ *");
    format!("/* {text} */")
}

fn header(prepared: &Prepared, body: &Body<C>) -> String {
    let name = &body.spelling.prefix;
    let upper = name.to_ascii_uppercase();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Monitors in C99, without heap. Call {name}_init once, {name}_step at each step with the inputs of that step,"
    );
    let _ = writeln!(out, "   and {name}_end if the run ends. */");
    let _ =
        writeln!(out, "#ifndef {upper}_H\n#define {upper}_H\n\n#include <stdbool.h>\n#include <stdint.h>\n");
    for note in prepared.notes() {
        let _ = writeln!(out, "{}", comment(&note));
    }
    let _ = writeln!(out, "/* The numbers of the requirements. */\nenum {{");
    for (number, it) in prepared.judged.iter().enumerate() {
        let _ = writeln!(
            out,
            "    {}",
            comment(&format!("{}: {} ({})", it.id, it.text, counted(it.bytes as usize, "byte")))
        );
        let _ = writeln!(out, "    {upper}_REQ_{} = {number},", it.label);
    }
    let _ = writeln!(out, "    {upper}_COUNT = {}\n}};\n", prepared.judged.len());
    let _ = write!(
        out,
        "/* What is true of a requirement at a step. */\nenum {{\n    \
         /* The values of this step violate it. */\n    {upper}_VIOLATED = 1,\n    \
         /* The interval ended at the step before, and the requirement is violated there. */\n    {upper}_VIOLATED_BEFORE = 2,\n    \
         /* It is violated at this step if the run ends here. */\n    {upper}_OWED = 4,\n    \
         /* It is triggered at this step. */\n    {upper}_TRIGGERED = 8,\n    \
         /* An input that it uses has had no legal value. */\n    {upper}_NOT_CHECKED = 16\n}};\n\n\
         /* The verdict on the steps so far. */\ntypedef enum {{\n    {upper}_HOLDS,\n    \
         /* It was never triggered. */\n    {upper}_VACUOUS,\n    {upper}_IS_VIOLATED,\n    {upper}_IS_NOT_CHECKED\n}} {name}_verdict;\n\n"
    );
    for it in &prepared.layout.enumerations {
        let _ =
            writeln!(out, "typedef enum {{\n    {}\n}} {name}_{};\n", it.emitted.join(",\n    "), it.name);
    }
    let _ = writeln!(out, "typedef struct {{");
    for input in &prepared.inputs {
        let _ = writeln!(out, "    {} {};", input_type(input, &prepared.layout, &body.spelling), input.name);
    }
    if prepared.inputs.is_empty() {
        let _ = writeln!(out, "    bool none;");
    }
    let _ = writeln!(out, "}} {name}_input;\n\ntypedef struct {{");
    for field in &body.fields {
        let declared = match &field.kind {
            Stored::Bool => format!("bool {}", field.name),
            Stored::Count { bits } => format!("uint{bits}_t {}", field.name),
            Stored::Ring { steps } => format!("uint8_t {}[{}]", field.name, steps.div_ceil(8)),
            Stored::Value(ty) => format!("{} {}", body.spelling.type_name(ty), field.name),
        };
        let _ = writeln!(out, "    {declared}; {}", comment(&field.what));
    }
    let _ = writeln!(out, "    bool {STARTED};");
    let _ = writeln!(
        out,
        "    /* For each requirement, what is true at the last step, and what has been true so far. */"
    );
    let _ = writeln!(
        out,
        "    uint8_t code[{upper}_COUNT];\n    uint8_t seen[{upper}_COUNT];\n}} {name}_state;\n"
    );
    let _ = write!(
        out,
        "void {name}_init({name}_state *s);\n\n\
         /* Returns the number of requirements that the step shows to be violated; s->code has the details. */\n\
         uint32_t {name}_step({name}_state *s, const {name}_input *in);\n\n\
         /* The run ends after the last step. Returns the number of requirements that are violated by its end. */\n\
         uint32_t {name}_end({name}_state *s);\n\n\
         {name}_verdict {name}_judge(const {name}_state *s, uint32_t requirement);\n\n\
         #endif\n"
    );
    out
}

fn input_type(input: &Input, layout: &Layout, c: &C) -> String {
    match (&input.variable.ty, input.enumeration) {
        (_, Some(number)) => format!("{}_{}", c.prefix, layout.enumerations[number].name),
        (Type::Int(range), _) => {
            let width = Integers::of(range).map_or(64, |it| it.width);
            format!("int{width}_t")
        }
        (Type::Real(_), _) => c.type_name(&Ty::Real).to_owned(),
        (Type::Bool | Type::Enum(_), _) => "bool".to_owned(),
    }
}

fn source(prepared: &Prepared, body: &Body<C>) -> String {
    let name = &body.spelling.prefix;
    let upper = name.to_ascii_uppercase();
    let mut out = format!(
        "#include <string.h>\n\nvoid {name}_init({name}_state *s)\n{{\n    memset(s, 0, sizeof *s);\n}}\n\n"
    );
    if body.has_rings() {
        let _ = write!(
            out,
            "/* Stores a bit, and returns the one that was stored a whole round before. */\n\
             static bool {name}_ring(uint8_t *bits, uint32_t *place, uint32_t steps, bool now)\n{{\n    \
             uint8_t *const byte = &bits[*place / 8u];\n    \
             const uint32_t bit = 1u << (*place % 8u);\n    \
             const bool before = (*byte & bit) != 0u;\n    \
             *byte = (uint8_t)(now ? (*byte | bit) : (*byte & ~bit));\n    \
             *place = (*place + 1u == steps) ? 0u : *place + 1u;\n    \
             return before;\n}}\n\n"
        );
    }
    let _ = write!(
        out,
        "static uint32_t {name}_note({name}_state *s, uint32_t requirement, bool flawed, uint32_t code)\n{{\n    \
         if (flawed || (s->seen[requirement] & {upper}_NOT_CHECKED) != 0) {{\n        code = {upper}_NOT_CHECKED;\n    }}\n    \
         s->code[requirement] = (uint8_t)code;\n    \
         s->seen[requirement] = (uint8_t)(s->seen[requirement] | code);\n    \
         return (code & ({upper}_VIOLATED | {upper}_VIOLATED_BEFORE)) != 0u ? 1u : 0u;\n}}\n\n\
         uint32_t {name}_step({name}_state *s, const {name}_input *in)\n{{\n    uint32_t violated = 0u;\n"
    );
    let mut flaws: Vec<Option<String>> = Vec::new();
    for (number, input) in prepared.inputs.iter().enumerate() {
        let c = &body.spelling;
        let at = &input.name;
        let (declared, value) = match (&input.variable.ty, input.enumeration) {
            (_, Some(_)) => ("int".to_owned(), format!("(int)in->{at}")),
            (Type::Int(_), _) => ("int64_t".to_owned(), format!("in->{at}")),
            _ => (input_type(input, &prepared.layout, c), format!("in->{at}")),
        };
        let _ = writeln!(out, "    const {declared} {at} = {value};");
        let flaw = match (&input.variable.ty, input.enumeration) {
            (Type::Enum(values), _) => Some(format!("{at} < 0 || {at} > {}", values.len().saturating_sub(1))),
            (Type::Real(_), _) => {
                let zero = if c.single { "0.0f" } else { "0.0" };
                Some(format!("!({at} - {at} == {zero})"))
            }
            (Type::Int(range), _) => Integers::of(range)
                .ok()
                .filter(|it| it.is_narrow())
                .map(|it| format!("{at} < {} || {at} > {}", literal(it.low), literal(it.high))),
            (Type::Bool, _) => None,
        };
        flaws.push(flaw.map(|text| {
            let _ = writeln!(out, "    const bool f{number} = {text};");
            format!("f{number}")
        }));
    }
    if prepared.inputs.is_empty() {
        let _ = writeln!(out, "    (void)in;");
    }
    for line in &body.lines {
        let _ = writeln!(out, "    {line}");
    }
    for (number, it) in prepared.judged.iter().enumerate() {
        let own: Vec<&str> = it.inputs.iter().filter_map(|&at| flaws[at].as_deref()).collect();
        let flawed = if own.is_empty() { "false".to_owned() } else { own.join(" || ") };
        let codes = ["VIOLATED", "VIOLATED_BEFORE", "OWED", "TRIGGERED"];
        let parts = it.truths.iter().zip(codes).filter(|(truth, _)| truth.text != "false");
        let parts: Vec<String> = parts
            .map(|(truth, code)| format!("(({}) ? (uint32_t){upper}_{code} : 0u)", truth.text))
            .collect();
        let code = if parts.is_empty() { "0u".to_owned() } else { parts.join("\n        | ") };
        let _ = writeln!(out, "    {}", comment(it.id));
        let _ = writeln!(out, "    violated += {name}_note(s, {number}u, {flawed},\n        {code});");
    }
    let _ = write!(
        out,
        "    s->{STARTED} = true;\n    return violated;\n}}\n\n\
         uint32_t {name}_end({name}_state *s)\n{{\n    uint32_t violated = 0u;\n    uint32_t i;\n    \
         for (i = 0u; i < {upper}_COUNT; i++) {{\n        \
         if ((s->code[i] & {upper}_OWED) != 0) {{\n            \
         s->code[i] = (uint8_t)(s->code[i] | {upper}_VIOLATED);\n            \
         s->seen[i] = (uint8_t)(s->seen[i] | {upper}_VIOLATED);\n            violated++;\n        }}\n    }}\n    \
         return violated;\n}}\n\n\
         {name}_verdict {name}_judge(const {name}_state *s, uint32_t requirement)\n{{\n    \
         const uint32_t seen = s->seen[requirement];\n    \
         if ((seen & ({upper}_VIOLATED | {upper}_VIOLATED_BEFORE)) != 0u) {{\n        return {upper}_IS_VIOLATED;\n    }}\n    \
         if ((seen & {upper}_NOT_CHECKED) != 0u) {{\n        return {upper}_IS_NOT_CHECKED;\n    }}\n    \
         return (seen & {upper}_TRIGGERED) != 0u ? {upper}_HOLDS : {upper}_VACUOUS;\n}}\n"
    );
    out
}

/// A constant of 64 bits; the least one has no numeral.
fn literal(number: i64) -> String {
    if number == i64::MIN { "INT64_MIN".to_owned() } else { format!("INT64_C({number})") }
}
