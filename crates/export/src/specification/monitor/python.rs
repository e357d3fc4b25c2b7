//! Monitors in Python: one class without packages. Numbers are fractions, so nothing is rounded.

use super::body::{Body, Field, STARTED, Spelling, Stored};
use super::{Monitor, NoMonitor, Prepared, prepare};
use crate::specification::expression::Text;
use crate::specification::scope::Ty;
use crate::specification::subjects::Subjects;
use logic::{Dialect, SHALL, Store};
use requirement::specification::Type;
use std::fmt::Write;

pub(super) fn write(store: &Store, subjects: &Subjects) -> Result<Monitor, NoMonitor> {
    let mut body = Body::new(Python { numbers: Vec::new() });
    let prepared = prepare(store, subjects, &mut body, None, |_, _, value| quoted(value))?;
    let text = text(&prepared, &body);
    Ok(prepared.finished(None, text))
}

struct Python {
    /// The real constants, by their number.
    numbers: Vec<String>,
}

const DIALECT: Dialect = Dialect {
    name: "python",
    constants: ["False", "True"],
    not: "not ",
    and: "and",
    or: "or",
    xor: "!=",
    iff: "==",
    relations: ["<", "<=", ">", ">=", "==", "!="],
    ..SHALL
};

impl Spelling for Python {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn field(&self, name: &str) -> String {
        format!("self.{name}")
    }

    fn local(&self, name: &str, _: &Ty, value: &str) -> String {
        format!("{name} = {value}")
    }

    fn assign(&self, field: &Field, value: &str) -> String {
        format!("self.{} = {value}", field.name)
    }

    fn choose(&self, condition: &str, a: &str, b: &str) -> String {
        format!("({a} if {condition} else {b})")
    }

    fn count(&self, number: u64) -> String {
        number.to_string()
    }

    fn ring(&self, ring: &str, place: &str, steps: u64, now: &str) -> String {
        format!("self._ring({ring:?}, {place:?}, {steps}, {now})")
    }

    fn real(&self, whole: &Text) -> Text {
        whole.clone()
    }

    fn numeral(&mut self, digits: String, real: bool) -> Text {
        if !real {
            return Text::closed(digits);
        }
        let known = self.numbers.iter().position(|it| *it == digits);
        let number = known.unwrap_or_else(|| {
            self.numbers.push(digits);
            self.numbers.len() - 1
        });
        Text::closed(format!("_N{number}"))
    }
}

/// A string literal.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn text(prepared: &Prepared, body: &Body<Python>) -> String {
    let mut out =
        String::from("# Monitors. Call `step` with the inputs of each step, and `end` if the run ends.\n");
    for note in prepared.notes() {
        let _ = writeln!(out, "# {note}");
    }
    out += "\nfrom fractions import Fraction\n\n# The ids of the requirements.\nIDS = [\n";
    for it in &prepared.judged {
        let _ = writeln!(out, "    # {}\n    {},", draw::terminal::plain(it.text), quoted(it.id));
    }
    out += "]\n\n# The inputs.\nINPUTS = [";
    let names: Vec<String> = prepared.inputs.iter().map(|input| quoted(&input.variable.name)).collect();
    let _ = writeln!(out, "{}]\n", names.join(", "));
    out += CODES;
    for (number, digits) in body.spelling.numbers.iter().enumerate() {
        let _ = writeln!(out, "_N{number} = Fraction({digits:?})");
    }
    out += FUNCTIONS;
    out += "class Monitor:\n    def __init__(self):\n";
    for field in &body.fields {
        let zero = match &field.kind {
            Stored::Bool | Stored::Value(Ty::Bool) => "False".to_owned(),
            Stored::Count { .. } | Stored::Value(_) => "0".to_owned(),
            Stored::Ring { steps } => format!("[False] * {steps}"),
        };
        let _ = writeln!(out, "        self.{} = {zero}  # {}", field.name, field.what);
    }
    let _ = writeln!(
        out,
        "        self.{STARTED} = False\n        self.code = [0] * len(IDS)\n        self.seen = [0] * len(IDS)\n"
    );
    out += "    def step(self, values):\n        \
            \"\"\"Reads a step, a dict of values. Returns the number of requirements that it shows to be violated.\"\"\"\n        \
            violated = 0\n";
    for (number, input) in prepared.inputs.iter().enumerate() {
        let reader = match &input.variable.ty {
            Type::Bool => "_truth(",
            Type::Int(_) => "_integer(",
            Type::Real(_) => "_real(",
            Type::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
                let _ = writeln!(
                    out,
                    "        f{number}, {} = _name(({},), values.get({}))",
                    input.name,
                    values.join(", "),
                    quoted(&input.variable.name)
                );
                continue;
            }
        };
        let _ = writeln!(
            out,
            "        f{number}, {} = {reader}values.get({}))",
            input.name,
            quoted(&input.variable.name)
        );
    }
    for line in &body.lines {
        let _ = writeln!(out, "        {line}");
    }
    for (number, it) in prepared.judged.iter().enumerate() {
        let own: Vec<String> = it.inputs.iter().map(|at| format!("f{at}")).collect();
        let flawed = if own.is_empty() { "False".to_owned() } else { own.join(" or ") };
        let codes = ["VIOLATED", "VIOLATED_BEFORE", "OWED", "TRIGGERED"];
        let parts = it.truths.iter().zip(codes).filter(|(truth, _)| truth.text != "False");
        let parts: Vec<String> =
            parts.map(|(truth, code)| format!("({code} if {} else 0)", truth.text)).collect();
        let code = if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") };
        let _ = writeln!(out, "        violated += self._note({number}, {flawed}, {code})");
    }
    let _ = writeln!(out, "        self.{STARTED} = True\n        return violated\n");
    out += METHODS;
    if body.has_rings() {
        out += RING;
    }
    out
}

const CODES: &str = "\
# The values of this step violate the requirement.
VIOLATED = 1
# The interval ended at the step before, and the requirement is violated there.
VIOLATED_BEFORE = 2
# The requirement is violated at this step if the run ends here.
OWED = 4
# The requirement is triggered at this step.
TRIGGERED = 8
# An input that the requirement uses has had no legal value.
NOT_CHECKED = 16
";

/// Readers of inputs: whether the value is not legal, and the value.
const FUNCTIONS: &str = r#"

def _truth(value):
    return (False, bool(value)) if value is not None and value in (0, 1) else (True, False)


def _real(value):
    # A float means its shortest decimal.
    try:
        return False, Fraction(repr(value) if isinstance(value, float) else value)
    except (TypeError, ValueError, ArithmeticError):
        return True, Fraction(0)


def _integer(value):
    flaw, number = _real(value)
    return (False, int(number)) if not flaw and number.denominator == 1 else (True, 0)


def _name(names, value):
    return (False, value) if value in names else (True, names[0])


"#;

const METHODS: &str = r#"    def end(self):
        """The run ends after the last step. Returns the number of requirements that are violated by its end."""
        violated = 0
        for i, code in enumerate(self.code):
            if code & OWED:
                self.code[i] |= VIOLATED
                self.seen[i] |= VIOLATED
                violated += 1
        return violated

    def verdict(self, requirement):
        """The verdict on the steps so far: holds, vacuous (never triggered), violated or not_checked."""
        seen = self.seen[requirement]
        if seen & (VIOLATED | VIOLATED_BEFORE):
            return "violated"
        if seen & NOT_CHECKED:
            return "not_checked"
        return "holds" if seen & TRIGGERED else "vacuous"

    def _note(self, requirement, flawed, code):
        if flawed or self.seen[requirement] & NOT_CHECKED:
            code = NOT_CHECKED
        self.code[requirement] = code
        self.seen[requirement] |= code
        return 1 if code & (VIOLATED | VIOLATED_BEFORE) else 0
"#;

const RING: &str = r#"
    def _ring(self, ring, place, steps, now):
        bits, at = getattr(self, ring), getattr(self, place)
        before, bits[at] = bits[at], now
        setattr(self, place, 0 if at + 1 == steps else at + 1)
        return before
"#;
