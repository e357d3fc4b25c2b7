//! Controllers in C99: a header and a source without heap or undefined behaviour.

use super::super::Unwritable;
use super::super::expression::Spelling;
use super::{Field, Kind, Number, Plan, Target, called, number, operation};
use std::fmt::Write;
use system::{Expr, Node, Pool};

pub(super) struct C {
    /// What all names begin with.
    pub(super) prefix: String,
}

impl Spelling for C {
    fn words(&self) -> [&'static str; 4] {
        ["!", "&&", "||", "=="]
    }

    fn number(&self, node: &Node) -> Result<String, Unwritable> {
        Ok(match number(node)? {
            Number::Int(i64::MIN) => "INT64_MIN".to_owned(),
            Number::Int(value) if value < 0 => format!("(-INT64_C({}))", value.unsigned_abs()),
            Number::Int(value) => format!("INT64_C({value})"),
            Number::Double(text) => text,
        })
    }

    fn choice(&self, condition: &str, a: &str, b: &str) -> String {
        format!("({condition} ? {a} : {b})")
    }

    fn operation(
        &self,
        pool: &Pool,
        expr: Expr,
        operands: &[String],
        name: String,
    ) -> Result<String, Unwritable> {
        let call = |helper: &str| format!("{}_{helper}({}, &exact)", self.prefix, operands.join(", "));
        operation(pool, expr, operands, call, |it| format!("((double){it})"), name)
    }
}

impl Target for C {
    fn places(&self) -> [&'static str; 3] {
        ["in->", "out->", "s->"]
    }

    fn literal(&self, enumeration: &str, literal: &str) -> String {
        format!("{}_{enumeration}_{literal}", self.prefix)
    }

    fn local(&self, plan: &Plan, name: &str, kind: Kind, value: &str) -> String {
        format!("const {} {name} = {value};", self.type_name(plan, kind))
    }

    fn illegal(&self, plan: &Plan, input: &Field) -> Option<String> {
        let at = format!("in->{}", input.name);
        match input.kind {
            Kind::Bool | Kind::Int => None,
            Kind::Real => Some(format!("!({at} - {at} == 0.0)")),
            Kind::Enum(of) => {
                let last = plan.enumerations[of].literals.len().saturating_sub(1);
                Some(format!("(int){at} < 0 || (int){at} > {last}"))
            }
        }
    }

    fn files(&self, plan: &Plan, notes: &[String]) -> (Option<String>, String) {
        (Some(self.header(plan, notes)), self.source(plan))
    }
}

impl C {
    fn type_name(&self, plan: &Plan, kind: Kind) -> String {
        match kind {
            Kind::Bool => "bool".to_owned(),
            Kind::Int => "int64_t".to_owned(),
            Kind::Real => "double".to_owned(),
            Kind::Enum(at) => format!("{}_{}", self.prefix, plan.enumerations[at].name),
        }
    }

    /// The heads of the functions that start, give the outputs before a step, and make a step.
    fn heads(&self, plan: &Plan) -> [String; 3] {
        let name = &self.prefix;
        let outputs = match plan.before {
            Some(_) => String::new(),
            None => format!(", {name}_output *out"),
        };
        [
            format!("void {name}_init({name}_state *s)"),
            format!("bool {name}_outputs(const {name}_state *s, {name}_output *out)"),
            format!("bool {name}_step({name}_state *s, const {name}_input *in{outputs})"),
        ]
    }

    fn header(&self, plan: &Plan, notes: &[String]) -> String {
        let name = &self.prefix;
        let upper = name.to_ascii_uppercase();
        let mut out = String::new();
        for note in notes {
            let _ = writeln!(out, "{}", comment(note));
        }
        let _ = writeln!(
            out,
            "#ifndef {upper}_H\n#define {upper}_H\n\n#include <stdbool.h>\n#include <stdint.h>\n"
        );
        for it in &plan.enumerations {
            let literals = it.literals.join(",\n    ");
            let _ = writeln!(out, "typedef enum {{\n    {literals}\n}} {name}_{};\n", it.name);
        }
        let mut record = |fields: &[Field], more: &str, what: &str| {
            out += "typedef struct {\n";
            for field in fields {
                let ty = self.type_name(plan, field.kind);
                let original = match field.name == field.original {
                    true => String::new(),
                    false => format!(" {}", comment(&field.original)),
                };
                let _ = writeln!(out, "    {ty} {};{original}", field.name);
            }
            let _ = writeln!(out, "{more}}} {name}_{what};\n");
        };
        // ISO C has no empty structures.
        let none = |fields: &[Field]| if fields.is_empty() { "    bool none;\n" } else { "" };
        record(&plan.inputs, none(&plan.inputs), "input");
        record(&plan.outputs, none(&plan.outputs), "output");
        record(&plan.memory, "    /* Whether all values so far are right. */\n    bool exact;\n", "state");
        let [init, before, step] = self.heads(plan);
        let _ = writeln!(out, "/* The state before the first step. */\n{init};\n");
        if plan.before.is_some() {
            let _ = writeln!(
                out,
                "/* The outputs of the next step. Returns false if they are not reliable, as {name}_step. */\n{before};\n"
            );
        }
        let _ = writeln!(
            out,
            "/* Makes a step. Returns false if now or before an integer did not fit in 64 bits, or an input had no legal\n   value: then the outputs are not reliable. */\n{step};\n\n#endif"
        );
        out
    }

    fn source(&self, plan: &Plan) -> String {
        let [init, before, step] = self.heads(plan);
        let mut out = format!("{init}\n{{\n");
        for field in &plan.memory {
            let _ = writeln!(out, "    s->{} = {};", field.name, field.start);
        }
        out += "    s->exact = true;\n}\n\n";
        let mut function = |head: &str, lines: Vec<String>, end: &str| {
            let _ = writeln!(out, "{head}\n{{\n    bool exact = s->exact;");
            for line in lines {
                let _ = writeln!(out, "    {line}");
            }
            let _ = writeln!(out, "{end}    return exact;\n}}");
        };
        if let Some(block) = &plan.before {
            let unused = plan.outputs.is_empty().then(|| "(void)out;".to_owned());
            let lines = unused.into_iter().chain(block.statements(plan, self)).collect();
            function(&before, lines, "");
        }
        let illegal = plan.inputs.iter().filter_map(|it| self.illegal(plan, it));
        let mut lines: Vec<String> =
            illegal.map(|it| format!("if ({it}) {{\n        exact = false;\n    }}")).collect();
        let unused =
            [("in", plan.inputs.is_empty()), ("out", plan.outputs.is_empty() && plan.before.is_none())];
        lines.extend(unused.iter().filter(|it| it.1).map(|it| format!("(void){};", it.0)));
        lines.extend(plan.step.statements(plan, self));
        function(&step, lines, "    s->exact = exact;\n");
        format!("{}{out}", called(&out, &format!("{}_", self.prefix), &HELPERS))
    }
}

/// A comment on one line.
fn comment(text: &str) -> String {
    let text = draw::terminal::plain(text).replace("*/", "* /").replace("/*", "/ *");
    format!("/* {text} */")
}

/// What may have no exact value. Integers are divided so that the remainder is not negative.
const HELPERS: [(&str, &str); 7] = [
    (
        "negated",
        "static int64_t NAME(int64_t a, bool *exact)
{
    if (a == INT64_MIN) {
        *exact = false;
        return 0;
    }
    return -a;
}

",
    ),
    (
        "sum",
        "static int64_t NAME(int64_t a, int64_t b, bool *exact)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        *exact = false;
        return 0;
    }
    return a + b;
}

",
    ),
    (
        "product",
        "static int64_t NAME(int64_t a, int64_t b, bool *exact)
{
    bool fits = true;
    if (a > 0) {
        fits = b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a;
    } else if (a < 0) {
        fits = b > 0 ? a >= INT64_MIN / b : b >= INT64_MAX / a;
    }
    if (!fits) {
        *exact = false;
        return 0;
    }
    return a * b;
}

",
    ),
    (
        "quotient",
        "static int64_t NAME(int64_t a, int64_t b, bool *exact)
{
    if (b == 0 || (a == INT64_MIN && b == -1)) {
        *exact = false;
        return 0;
    }
    if (a % b < 0) {
        return b > 0 ? a / b - 1 : a / b + 1;
    }
    return a / b;
}

",
    ),
    (
        "remainder",
        "static int64_t NAME(int64_t a, int64_t b, bool *exact)
{
    if (b == 0) {
        *exact = false;
        return 0;
    }
    if (b == -1) {
        return 0;
    }
    if (a % b < 0) {
        return b > 0 ? a % b + b : a % b - b;
    }
    return a % b;
}

",
    ),
    (
        "ratio",
        "static double NAME(double a, double b, bool *exact)
{
    if (b == 0.0) {
        *exact = false;
        return 0.0;
    }
    return a / b;
}

",
    ),
    (
        "rounded_down",
        "static int64_t NAME(double a, bool *exact)
{
    if (!(a >= -9223372036854775808.0 && a < 9223372036854775808.0)) {
        *exact = false;
        return 0;
    }
    return (double)(int64_t)a > a ? (int64_t)a - 1 : (int64_t)a;
}

",
    ),
];
