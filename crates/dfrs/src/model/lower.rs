//! From frames to the symbolic system (Algorithms 1 to 6 of the paper): variables with kinds and sorts, guards, assignments, initial
//! values, and what the environment never does.
//!
//! Never fails: what is wrong is in the diagnostics, with places in the whole document, and without errors there is a system.
//! Where the paper and common sense differ, common sense wins: equal guards are not merged, mixed disjunctions are split, names
//! have no order.

mod effects;
mod guards;
mod names;
mod operands;
mod restrictions;
mod sorts;

use crate::codes;
use crate::document::{Document, Sentence};
use crate::frames::{ConditionFrame, Frame, Term};
use crate::model::dictionary::Dictionary;
use crate::system::{Dfrs, Effect, Entry, Function, Kind, Operand, Origin, Sort, Variable};
use logic::Value;
use names::Names;
use operands::Scope;
use syntax::sysreq::Form;
use syntax::{Code, Diagnostic, Hint, Severity, Span};

/// A document's system, and what is wrong with the document.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The system, if there is no error.
    pub system: Option<Dfrs>,
    /// Errors and warnings of reading and lowering, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Gives a document its meaning.
pub fn lower(document: &Document) -> Lowered {
    lower_with(document, None)
}

/// The same, with the words of a dictionary.
pub fn lower_with(document: &Document, dictionary: Option<&Dictionary>) -> Lowered {
    let mut out = Diagnostics(document.diagnostics.clone());
    let complete = !out.has_errors();
    let readers: Vec<Reader> = document
        .sentences
        .iter()
        .filter_map(|sentence| Some(Reader { sentence, frame: sentence.frame.as_ref()? }))
        .collect();
    let names = Names::collect(document);
    for reader in &readers {
        names::ambiguities(&names, reader, &mut out);
        names::kinds(&names, reader, &mut out);
    }
    let sorts = sorts::sorts(&names, &readers, &mut out);
    let scope = Scope { names: &names, sorts: &sorts };
    let variables = restrictions::variables(scope, &readers, complete, &mut out);
    let mut system =
        Dfrs { variables, functions: Vec::new(), requirements: Vec::new(), restrictions: Vec::new() };
    for reader in &readers {
        match reader.frame.form {
            Form::Requirement => requirement(scope, reader, &mut system, &mut out),
            Form::Environment => restrictions::restriction(scope, reader, &mut system, &mut out),
            Form::Initial => {}
        }
    }
    if complete {
        unused(&names, &mut out);
        one_name(&names, &system, &mut out);
    }
    if let Some(dictionary) = dictionary {
        let kinds: Vec<_> =
            names.list.iter().map(|info| (info.name.as_str(), info.kind, info.assigned)).collect();
        dictionary.check(document, &kinds, &mut out.0);
    }
    let failed = out.has_errors();
    out.0.sort_by_key(|found| (found.span.start, found.span.end));
    Lowered { system: (!failed).then_some(system), diagnostics: out.0 }
}

/// The entries of one requirement.
fn requirement(scope: Scope, reader: &Reader, system: &mut Dfrs, out: &mut Diagnostics) {
    let Sentence { id, .. } = reader.sentence;
    let number = system.requirements.len();
    system.requirements.push(Origin { id: id.clone(), text: reader.sentence.text().to_string() });
    let guards = guards::guards(scope, reader, out);
    let effect = effects::effect(scope, reader, out);
    let (Some(guards), Some(effect), Some(first)) = (guards, effect, reader.frame.actions.first()) else {
        return;
    };
    let component = without_article(&first.agt.text);
    let known =
        system.functions.iter().position(|function| function.component.eq_ignore_ascii_case(component));
    let at = known.unwrap_or_else(|| {
        system.functions.push(Function { component: component.to_string(), entries: Vec::new() });
        system.functions.len() - 1
    });
    let entries = guards.into_iter().map(|(guard, timed)| Entry {
        requirement: number,
        guard,
        timed,
        effect: effect.clone(),
    });
    system.functions[at].entries.extend(entries);
}

/// The words after the article.
pub(crate) fn without_article(text: &str) -> &str {
    match text.split_once(' ') {
        Some((head, rest)) if ["the", "a", "an"].iter().any(|word| word.eq_ignore_ascii_case(head)) => rest,
        _ => text,
    }
}

/// Warns of timers that nobody resets and variables that nobody uses.
fn unused(names: &Names, out: &mut Diagnostics) {
    for info in &names.list {
        let shown = info.name.replace('_', " ");
        if !info.used {
            let message = format!("no requirement uses `the {shown}`");
            out.report(codes::NEVER_USED, info.first, message, "check the spelling against the requirements");
        } else if info.kind == Kind::Timer && info.reset.is_none() {
            let message = format!("`the {shown}` is never reset: it measures the time since the start");
            let hint = format!("reset it where the measurement starts: `reset the {shown}`");
            out.report(codes::NEVER_RESET, info.first, message, hint);
        }
    }
}

/// Warns of outputs that are read as Booleans because one name is all they get: with a second name they are an enumeration.
fn one_name(names: &Names, system: &Dfrs, out: &mut Diagnostics) {
    let effects = || system.functions.iter().flat_map(|found| &found.entries).flat_map(|entry| &entry.effect);
    let always = Effect::Assign(Operand::Constant(Value::Bool(true)));
    for (at, variable) in system.variables.iter().enumerate() {
        let (Sort::Bool { word: Some(word) }, Some(span)) = (&variable.sort, names.list[at].assigned) else {
            continue;
        };
        if effects().filter(|found| found.variable == at).all(|found| found.effect == always) {
            let shown = variable.name.replace('_', " ");
            let message = format!(
                "`{word}` is the only value of `the {shown}`: it is read as a Boolean that is never false"
            );
            let hint = format!("write when it has another value, or when it is `not {word}`");
            out.report(codes::ONE_NAME, span, message, hint);
        }
    }
}

/// One sentence and its frame.
struct Reader<'d> {
    sentence: &'d Sentence,
    frame: &'d Frame,
}

impl<'d> Reader<'d> {
    fn conditions(&self) -> impl Iterator<Item = &'d ConditionFrame> {
        self.frame.conditions.iter().flatten().chain(&self.frame.facts)
    }

    fn terms(&self) -> impl Iterator<Item = &'d Term> {
        let conditions = self.conditions().flat_map(|found| found.cfv.iter().chain([&found.ctv]));
        conditions.chain(self.frame.actions.iter().flat_map(|found| &found.tov))
    }
}

/// What was found wrong so far.
struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    fn report(&mut self, code: Code, span: Span, message: String, hint: impl Into<Hint>) {
        if !self.0.iter().any(|found| found.code == code && found.span == span) {
            self.0.push(Diagnostic::new(code, span, message, hint));
        }
    }

    fn has_errors(&self) -> bool {
        self.0.iter().any(|found| found.severity() == Severity::Error)
    }
}

/// The variables of a system, from what is known of them.
fn variable(scope: Scope, at: usize, given: Option<Value>) -> Variable {
    let info = &scope.names.list[at];
    let sort = scope.sorts[at].clone();
    let initial_given = given.is_some();
    let initial = given.unwrap_or_else(|| restrictions::default(&sort));
    Variable { name: info.name.clone(), kind: info.kind, sort, initial, initial_given }
}
