//! A module for NuSMV and nuXmv: variables, definitions, and a specification per requirement.
//!
//! With several components, each has its own module, and `main` has an instance of each. The past formula is checked at
//! every step (`G`), as a monitor or contract does; a future formula is checked at the first step, and the finite one only
//! on runs in which `LAST` occurs. NuSMV suffices if all variables are Booleans, enumerations and short ranges.

use super::definition::{self, Defined, Definitions};
use super::expression::{self, Language, Text, nested};
use super::names::Rules;
use super::scope::{Layout, Scope, Space, Ty};
use super::{
    Form, Inexpressible, LeftOut, Options, Written, at_every_point, comment, comment_renamed, future_of,
    kept_so_far, leave_out, past_of, under,
};
use logic::{Binary, Bound, Dialect, Formula, Fun, RBig, SMV, Store, Unary};
use requirement::specification::{Component, ContractRole, Item, Kind, Range, Type, Variable};
use requirement::{Ending, LAST};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Ranges with more values than this are `integer` with a constraint.
const MAX_VALUES: u64 = 1 << 16;

pub(super) fn write(store: &mut Store, components: &[Component], options: &Options) -> Written {
    let rules = Rules { is_plain: |name| SMV.is_plain(name) && !RESERVED.contains(&name), longest: 200 };
    let mut layout =
        Layout::new(components, Space { rules, flat: false, shared_values: true, suffix: "", labels: true });
    if options.form == Form::FutureFinite {
        layout.scopes.iter_mut().for_each(|scope| scope.add(LAST));
    }
    let mut modules = String::new();
    let mut left_out = Vec::new();
    let mut language = Smv::default();
    for (number, component) in components.iter().enumerate() {
        let name = if components.len() == 1 { "main" } else { &layout.components[number] };
        let _ = writeln!(modules, "MODULE {name}");
        let definitions = Definitions::of(store, component, definition::is_temporal);
        let scope = &layout.scopes[number];
        let mut module = Module { layout: &layout, scope, definitions, language, left_out };
        module.declarations(store, component, options, &mut modules);
        module.items(store, component, &layout.labels[number], options, &mut modules);
        modules.push('\n');
        (language, left_out) = (module.language, module.left_out);
    }
    if components.len() != 1 {
        modules.push_str("MODULE main\n");
        for name in &layout.components {
            let _ = writeln!(modules, "VAR it_{name} : {name};");
        }
    }
    let mut text = String::new();
    let reader = if language.infinite {
        "For nuXmv: NuSMV cannot enumerate the values of some numbers."
    } else {
        "For NuSMV and nuXmv."
    };
    comment(&mut text, "", reader);
    comment(
        &mut text,
        "",
        match options.form {
            Form::Past => "Each specification is the past formula, checked at every step.",
            Form::FutureFinite => {
                "Each specification covers the steps up to the first one at which LAST is true."
            }
            Form::FutureInfinite => "Each specification is the future formula for infinite traces.",
        },
    );
    comment_renamed(&mut text, &layout.renamed);
    text.push('\n');
    text += modules.trim_end();
    text.push('\n');
    Written { text, renamed: layout.renamed, left_out, warnings: Vec::new() }
}

/// Names of the module itself.
const RESERVED: [&str; 2] = ["main", LAST];

struct Module<'a> {
    layout: &'a Layout,
    scope: &'a Scope,
    definitions: Definitions,
    language: Smv,
    left_out: Vec<LeftOut>,
}

impl Module<'_> {
    fn declarations(
        &mut self,
        store: &mut Store,
        component: &Component,
        options: &Options,
        out: &mut String,
    ) {
        let mut defines = String::new();
        let mut constraints = String::new();
        let variables = component.variables.iter().enumerate();
        for (at, variable) in variables.filter(|(_, it)| it.kind != Kind::Function) {
            let Some(entry) = self.scope.get(&variable.name) else { continue };
            let name = &entry.emitted;
            self.language.infinite |= matches!(variable.ty, Type::Real(_));
            let failed = match self.definitions.get(component, at) {
                None => None,
                Some(Defined::Replaced) => {
                    let why = "refers to other steps, so its definition takes the place of its name";
                    comment(out, "", &format!("{} {why}", variable.name));
                    continue;
                }
                Some(Defined::Failed(why)) => Some(why.clone()),
                Some(Defined::Written(id)) => {
                    let mut attempt = self.language.clone();
                    match expression::term(store, id, &entry.sort, self.layout, self.scope, &mut attempt) {
                        Ok(text) => {
                            self.language = attempt;
                            let _ = writeln!(defines, "DEFINE {name} := {};", text.text);
                            continue;
                        }
                        Err(why) => Some(why),
                    }
                }
            };
            if let Some(why) = failed {
                let reason = format_args!("{why}; the variable is free");
                leave_out(out, "", &mut self.left_out, &variable.name, reason);
            }
            // A constant keeps its first value.
            let section = if variable.kind == Kind::Constant { "FROZENVAR" } else { "VAR" };
            let sort = self.sort(name, variable, &mut constraints);
            let _ = writeln!(out, "{section} {name} : {sort};");
        }
        if options.form == Form::FutureFinite {
            let _ = writeln!(out, "VAR {LAST} : boolean;");
        }
        *out += &defines;
        *out += &constraints;
    }

    fn sort(&mut self, name: &str, variable: &Variable, constraints: &mut String) -> String {
        let ty = &variable.ty;
        let is_literal = |end: &RBig| literal(end).is_some();
        let range = match ty {
            Type::Bool => return "boolean".into(),
            Type::Enum(values) => {
                let number = self.layout.enumerations.iter().find(|it| &it.values == values);
                return format!("{{{}}}", number.map(|it| it.emitted.join(", ")).unwrap_or_default());
            }
            Type::Int(Range { low: Some(low), high: Some(high) })
                if high - low < RBig::from(MAX_VALUES) && is_literal(low) && is_literal(high) =>
            {
                return format!("{} .. {}", number(low), number(high));
            }
            Type::Int(range) | Type::Real(range) => range,
        };
        self.language.infinite = true;
        for (end, is_low) in [(&range.low, true), (&range.high, false)] {
            let Some(end) = end else { continue };
            let constraint = match ty {
                Type::Int(_) => integer_end(name, end, is_low),
                _ if is_low => Some(format!("{} <= {name}", number(end))),
                _ => Some(format!("{name} <= {}", number(end))),
            };
            match constraint {
                Some(text) => {
                    let _ = writeln!(constraints, "INVAR {text};");
                }
                None => {
                    let why = Inexpressible::Large(end.to_string());
                    let reason = format_args!("{why}; the variable has no such bound");
                    leave_out(constraints, "", &mut self.left_out, &variable.name, reason);
                }
            }
        }
        if matches!(ty, Type::Real(_)) { "real".into() } else { "integer".into() }
    }

    /// The formulas of the assumptions, which are premises of all specifications of the component.
    fn assumptions(
        &mut self,
        store: &mut Store,
        component: &Component,
        form: Form,
        out: &mut String,
    ) -> Vec<Formula> {
        let mut assumptions = Vec::new();
        for item in component.items.iter().filter(|item| item.role == ContractRole::Assumption) {
            comment(out, "", &format!("{} (assumed): {}", item.id, item.text));
            let mut attempt = self.language.clone();
            let formula = match form {
                Form::Past => kept_so_far(store, item),
                Form::FutureFinite | Form::FutureInfinite => formula(store, item, form),
            };
            let written = formula.and_then(|f| {
                let replaced = self.definitions.apply(store, f);
                let adapted = logic::adapt(store, replaced, &SMV);
                expression::formula(store, adapted, self.layout, self.scope, &mut attempt).map(|_| f)
            });
            match written {
                Ok(formula) => {
                    self.language = attempt;
                    assumptions.push(formula);
                }
                Err(why) => leave_out(out, "", &mut self.left_out, &item.id, why),
            }
        }
        assumptions
    }

    fn items(
        &mut self,
        store: &mut Store,
        component: &Component,
        labels: &[String],
        options: &Options,
        out: &mut String,
    ) {
        let mut specifications = String::new();
        let before: Vec<String> = self.language.functions.keys().cloned().collect();
        let assumptions = self.assumptions(store, component, options.form, &mut specifications);
        let guarantees =
            component.items.iter().zip(labels).filter(|(item, _)| item.role == ContractRole::Guarantee);
        for (item, label) in guarantees {
            comment(&mut specifications, "", &format!("{}: {}", item.id, item.text));
            let mut attempt = self.language.clone();
            let written = formula(store, item, options.form).and_then(|f| {
                let f = under(store, &assumptions, f);
                let f = self.definitions.apply(store, f);
                let f = logic::adapt(store, f, &SMV);
                expression::formula(store, f, self.layout, self.scope, &mut attempt)
            });
            match written {
                Ok(text) => {
                    self.language = attempt;
                    let _ = match options.form {
                        Form::Past => {
                            writeln!(specifications, "LTLSPEC NAME {label} := G {};", text.enclosed())
                        }
                        Form::FutureFinite => {
                            writeln!(
                                specifications,
                                "LTLSPEC NAME {label} := (F {LAST}) -> {};",
                                text.enclosed()
                            )
                        }
                        Form::FutureInfinite => {
                            writeln!(specifications, "LTLSPEC NAME {label} := {};", text.text)
                        }
                    };
                }
                Err(why) => leave_out(&mut specifications, "", &mut self.left_out, &item.id, why),
            }
        }
        for (name, signature) in self.language.functions.iter().filter(|(name, _)| !before.contains(name)) {
            let _ = writeln!(out, "FUN {name} : {signature};");
        }
        *out += &specifications;
    }
}

/// The formula of a guarantee.
fn formula(store: &mut Store, item: &Item, form: Form) -> Result<Formula, Inexpressible> {
    match form {
        Form::Past => {
            let past = past_of(store, item)?;
            Ok(at_every_point(store, past))
        }
        Form::FutureFinite => future_of(store, item, Ending::Last),
        Form::FutureInfinite => future_of(store, item, Ending::Infinite),
    }
}

/// The largest integer of NuSMV, whose lexer reads a number before the sign: there is no `-2147483648`.
const LARGEST: u64 = (1 << 31) - 1;

/// An integer, if NuSMV can read it.
fn literal(value: &RBig) -> Option<String> {
    let largest = RBig::from(LARGEST);
    (*value <= largest && -value.clone() <= largest).then(|| number(value))
}

/// One end of the range of an integer variable. An end that cannot be written may be expressed with the next integer inside.
fn integer_end(name: &str, end: &RBig, is_low: bool) -> Option<String> {
    let one = RBig::from(1);
    match (literal(end), is_low) {
        (Some(low), true) => Some(format!("{low} <= {name}")),
        (Some(high), false) => Some(format!("{name} <= {high}")),
        (None, true) => Some(format!("{} <= {name} + 1", literal(&(end + &one))?)),
        (None, false) => Some(format!("{name} - 1 <= {}", literal(&(end - &one))?)),
    }
}

fn number(value: &RBig) -> String {
    logic::format_decimal(value).unwrap_or_else(|| format!("f'{}/{}", value.numerator(), value.denominator()))
}

/// Expressions of SMV, and the declarations they need.
#[derive(Debug, Clone, Default)]
struct Smv {
    /// Whether only nuXmv can read it.
    infinite: bool,
    /// The types of functions.
    functions: BTreeMap<String, String>,
}

impl Language for Smv {
    fn dialect(&self) -> &'static Dialect {
        &SMV
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let window = SMV.windows[op as usize].ok_or(Inexpressible::Future)?;
        let step = match (bound == Bound::NEXT, window.step) {
            // On infinite traces, weak next is next.
            (true, None) => Some("X"),
            (true, step) => step,
            (false, _) => None,
        };
        let operand = operand.enclosed();
        let symbol = window.symbol;
        Ok(Text::open(match (step, bound.lo, bound.hi) {
            (Some(step), ..) => format!("{step} {operand}"),
            (None, 0, None) => format!("{symbol} {operand}"),
            (None, lo, None) => format!("{symbol} [{lo},{lo}] ({symbol} {operand})"),
            (None, lo, Some(hi)) => format!("{symbol} [{lo},{hi}] {operand}"),
        }))
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        match SMV.ways[op as usize] {
            Some(symbol) if bound == Bound::ALL => {
                Ok(Text::open(format!("{} {symbol} {}", way.enclosed(), target.enclosed())))
            }
            Some(_) | None => Err(Inexpressible::BoundedSince),
        }
    }

    fn largest(&self) -> Option<u64> {
        Some(LARGEST)
    }

    fn real(&mut self, whole: &Text) -> Result<Text, Inexpressible> {
        // Integers are real numbers in nuXmv.
        self.infinite = true;
        Ok(whole.clone())
    }

    fn quotient(&mut self, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        self.infinite = true;
        let is_numeral = |text: &Text| {
            text.text.ends_with(".0") && text.text.bytes().all(|c| c.is_ascii_digit() || c == b'.')
        };
        if let (true, true) = (is_numeral(a), is_numeral(b)) {
            return Ok(Text::closed(format!(
                "f'{}/{}",
                a.text.trim_end_matches(".0"),
                b.text.trim_end_matches(".0")
            )));
        }
        Err(Inexpressible::Rounding)
    }

    fn remainder(&mut self, a: &Text, b: &Text, safe: bool) -> Result<Text, Inexpressible> {
        match safe {
            true => Ok(Text::open(format!("{} mod {}", a.enclosed(), b.enclosed()))),
            false => Err(Inexpressible::NegativeRemainder),
        }
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("{} ? {} : {}", condition.enclosed(), a.enclosed(), b.enclosed())))
    }

    fn function(&mut self, fun: Fun, _real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        nested(fun, SMV.functions[fun as usize], arguments)
    }

    fn call(
        &mut self,
        name: &str,
        result: &Ty,
        types: &[Ty],
        arguments: &[Text],
    ) -> Result<Text, Inexpressible> {
        let word = |ty: &Ty| match ty {
            Ty::Bool => Ok("boolean"),
            Ty::Int => Ok("integer"),
            Ty::Real => Ok("real"),
            Ty::Enum(_) | Ty::Value(_) => Err(Inexpressible::EnumerationFunction(name.to_owned())),
        };
        let types = types.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        let signature = format!("{} -> {}", types.join(" * "), word(result)?);
        let known = self.functions.entry(name.to_owned()).or_insert_with(|| signature.clone());
        if *known != signature {
            return Err(Inexpressible::ArgumentTypes(name.to_owned()));
        }
        self.infinite = true;
        let texts: Vec<&str> = arguments.iter().map(|text| text.text.as_str()).collect();
        Ok(Text::closed(format!("{name}({})", texts.join(", "))))
    }
}
