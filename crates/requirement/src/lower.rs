//! From trees to requirements: fields, types, durations. Never fails: errors are in the diagnostics, and the fields that could be
//! read are still returned.

mod build;
mod duration;
mod fields;
mod formula;
mod functions;
mod types;

pub use duration::Step;
pub use duration::StepError;
pub use fields::Field;
pub use fields::Fields;
pub use fields::Occurrence;
pub use fields::occurrences;
pub use formula::lower_formula;
pub(crate) use formula::lower_sorts;
pub(crate) use formula::lower_term;
pub use functions::is_predefined;
pub(crate) use functions::{CallKind, kind_of_call};
pub use types::{Sorts, result};

use crate::codes;
use crate::specification::Definition;
use crate::{Condition, Key, Requirement, Scope, Timing};
use dashu_ratio::RBig;
use logic::{Formula, Sort, Store};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use syntax::fretish::{Clause, Join, Qualifier, ScopeKind, Sentence, TimingWord, Unit};
use syntax::{Code, Diagnostic, NodeRef, Parse, Severity, Span};

/// What is known besides the sentence.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The duration of a step.
    pub step: Option<Step>,
    /// Named constants.
    pub constants: BTreeMap<String, RBig>,
    /// The existing signals, if known: a name that is not one of them can only be a value.
    pub signals: Option<FxHashMap<String, Sort>>,
    /// Expressions that replace names. Each uses only names that come before it here. A definition that is not an expression leaves
    /// its name as it is; a diagnostic about one of the wrong type has an empty span.
    pub definitions: Vec<(String, Arc<Definition>)>,
}

impl Context {
    /// The names that are defined by expressions, with their trees.
    fn defined(&self) -> impl Iterator<Item = (&str, NodeRef<'_>)> {
        self.definitions
            .iter()
            .filter_map(|(name, definition)| Some((name.as_str(), definition.expression().ok()?.root())))
    }
}

/// A sentence, read as far as possible.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The template, if scope, condition, timing and response could be read.
    pub key: Option<Key>,
    /// The requirement, if there is no error.
    pub requirement: Option<Requirement>,
    /// What the sentence tells about the sorts of its names.
    pub sorts: Sorts,
    /// The unit of the duration, if it is a unit of real time.
    pub unit: Option<Unit>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a parsed FRETish sentence.
pub fn lower(store: &mut Store, parse: &Parse, context: &Context) -> Lowered {
    let sentence = Sentence::of(&parse.tree);
    let mut diagnostics = parse.diagnostics.clone();
    if sentence.freeform().is_some() {
        let span = parse.tree.root().span();
        let message = "a text in quotes is a note: it is kept, but has no formal meaning";
        let hint = "write it as a sentence, without the quotes";
        diagnostics.push(Diagnostic::new(codes::FREEFORM, span, message, hint));
        return Lowered { key: None, requirement: None, sorts: Sorts::default(), unit: None, diagnostics };
    }
    let mut sorts = Sorts::default();
    let requirement = requirement(store, sentence, context, &mut sorts, &mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
    let unit = sentence.timing().and_then(|timing| timing.duration?.unit).filter(|&unit| unit != Unit::Tick);
    Lowered { key: key(sentence), requirement, sorts, unit, diagnostics }
}

/// The template of what could be read; `None` for a sentence without a response.
fn key(sentence: Sentence) -> Option<Key> {
    sentence.response()?;
    let scope = match sentence.scope().map(|scope| scope.kind) {
        None => "null",
        Some(ScopeKind::In) => "in",
        Some(ScopeKind::NotIn) => "notin",
        Some(ScopeKind::Before) => "before",
        Some(ScopeKind::After) => "after",
        Some(ScopeKind::OnlyIn) => "onlyIn",
        Some(ScopeKind::OnlyBefore) => "onlyBefore",
        Some(ScopeKind::OnlyAfter) => "onlyAfter",
    };
    let clauses = sentence.clauses();
    let condition = match clauses.is_empty() {
        true => "null",
        false if is_holding(&clauses) => "holding",
        false => "regular",
    };
    let timing = match sentence.timing().map(|timing| timing.word) {
        None => "null",
        Some(TimingWord::Immediately) => "immediately",
        Some(TimingWord::Next) => "next",
        Some(TimingWord::Finally) => "finally",
        Some(TimingWord::Eventually) => "eventually",
        Some(TimingWord::Always) => "always",
        Some(TimingWord::Never) => "never",
        Some(TimingWord::Within) => "within",
        Some(TimingWord::For) => "for",
        Some(TimingWord::After) => "after",
        Some(TimingWord::Until) => "until",
        Some(TimingWord::Before) => "before",
    };
    Some(Key { scope, condition, timing })
}

/// `whenever` alone makes a condition holding; any other qualifier among several makes it regular.
fn is_holding(clauses: &[Clause]) -> bool {
    clauses.iter().all(|clause| clause.qualifier == Qualifier::Whenever)
}

fn requirement(
    store: &mut Store,
    sentence: Sentence,
    context: &Context,
    found: &mut Sorts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Requirement> {
    if let Some(probability) = sentence.probability() {
        let message = format!("the formulas leave out `{}`", probability.text());
        let hint = "read them as what must hold on one run; the probability is over all runs";
        report(diagnostics, codes::PROBABILITY_LEFT_OUT, probability.span(), message, hint);
    }
    let clauses = sentence.clauses();
    let mode = sentence.scope().and_then(|scope| scope.mode);
    let stop = sentence.timing().and_then(|timing| timing.stop);
    let response = sentence.response();

    // Types and durations are checked in what could be read, even if the rest could not.
    let mut types = types::Types::new(context, diagnostics);
    context.defined().for_each(|(name, root)| types.define(name, root));
    let conditions = clauses.iter().filter_map(|clause| clause.expression);
    for expression in mode.into_iter().chain(conditions).chain(stop).chain(response) {
        types.boolean(expression);
    }
    let sorts = types.finish();
    let written = sentence.timing().and_then(|timing| timing.duration).filter(|written| {
        let span = written.node.span();
        !diagnostics.iter().any(|d| span.start <= d.span.start && d.span.start <= span.end)
    });
    let steps = written.map(|written| duration::steps(&written, context, diagnostics));
    if has_errors(diagnostics) {
        return None;
    }
    let response = response?;

    let mut builder = build::Builder::new(store, context, &sorts, diagnostics);
    context.defined().for_each(|(name, root)| builder.define(name, root));
    let mode = mode.map(|mode| builder.formula(mode));
    let condition = condition(&mut builder, &clauses);
    let stop = stop.map(|stop| builder.formula(stop));
    let response = builder.formula(response);
    let predicates = builder.finish();
    *found = sorts;
    for (name, _) in context.defined() {
        found.names.remove(name);
    }
    if has_errors(diagnostics) {
        return None;
    }

    let scope = match (sentence.scope().map(|scope| scope.kind), mode) {
        (Some(ScopeKind::In), Some(mode)) => Scope::In(mode),
        (Some(ScopeKind::NotIn), Some(mode)) => Scope::NotIn(mode),
        (Some(ScopeKind::Before), Some(mode)) => Scope::Before(mode),
        (Some(ScopeKind::After), Some(mode)) => Scope::After(mode),
        (Some(ScopeKind::OnlyIn), Some(mode)) => Scope::OnlyIn(mode),
        (Some(ScopeKind::OnlyBefore), Some(mode)) => Scope::OnlyBefore(mode),
        (Some(ScopeKind::OnlyAfter), Some(mode)) => Scope::OnlyAfter(mode),
        (None, _) | (_, None) => Scope::Global,
    };
    let timing = match (sentence.timing().map(|timing| timing.word), steps.flatten(), stop) {
        (None | Some(TimingWord::Eventually), ..) => Timing::Eventually,
        (Some(TimingWord::Immediately), ..) => Timing::Immediately,
        (Some(TimingWord::Next), ..) => Timing::Next,
        (Some(TimingWord::Finally), ..) => Timing::Finally,
        (Some(TimingWord::Always), ..) => Timing::Always,
        (Some(TimingWord::Never), ..) => Timing::Never,
        (Some(TimingWord::Within), Some(steps), _) => Timing::Within(steps),
        (Some(TimingWord::For), Some(steps), _) => Timing::For(steps),
        (Some(TimingWord::After), Some(steps), _) => Timing::After(steps),
        (Some(TimingWord::Until), _, Some(stop)) => Timing::Until(stop),
        (Some(TimingWord::Before), _, Some(stop)) => Timing::Before(stop),
        (
            Some(
                TimingWord::Within
                | TimingWord::For
                | TimingWord::After
                | TimingWord::Until
                | TimingWord::Before,
            ),
            ..,
        ) => return None,
    };
    let component = sentence.component()?.0.into_owned();
    Some(Requirement { scope, condition, component, timing, response, predicates })
}

/// The clauses folded from the left.
fn condition(builder: &mut build::Builder, clauses: &[Clause]) -> Condition {
    let mut folded: Option<Formula> = None;
    for clause in clauses {
        let Some(expression) = clause.expression else { continue };
        let formula = builder.formula(expression);
        let formula =
            if clause.qualifier == Qualifier::Unless { builder.store.not(formula) } else { formula };
        folded = Some(match (folded, clause.join) {
            (None, _) => formula,
            (Some(earlier), Join::And) => builder.store.and2(earlier, formula),
            (Some(earlier), Join::Or) => builder.store.or2(earlier, formula),
        });
    }
    match folded {
        None => Condition::Null,
        Some(formula) if is_holding(clauses) => Condition::Holding(formula),
        Some(formula) => Condition::Regular(formula),
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity() == Severity::Error)
}

/// A diagnostic about a node.
fn report(diagnostics: &mut Vec<Diagnostic>, code: Code, span: Span, message: String, hint: &str) {
    diagnostics.push(Diagnostic::new(code, span, message, hint));
}

/// A node's text, short enough for a message.
fn shown(node: NodeRef) -> String {
    let text = node.text();
    if text.chars().count() <= 40 {
        text.to_string()
    } else {
        text.chars().take(37).chain("...".chars()).collect()
    }
}
