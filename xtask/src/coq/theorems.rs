//! The theorems about the formulas that the generators print, as files of Coq: one file for each kind of formula and each scope.

use crate::coq::terms::{Cases, cases};
use crate::failure::{OrFail, Result};
use logic::{Formula, Store};
use requirement::template::templates;
use requirement::{Condition, Ending, Refusal, Requirement, Scope, Timing, future, past};

/// A kind of formula, and the names in `proofs/Templates.v` that belong to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// The name in theorems and tables.
    pub(crate) name: &'static str,
    /// The name in [`meanings`](crate::definition::meanings).
    pub(crate) meaning: &'static str,
    agrees: &'static str,
    pub(crate) composed: &'static str,
    /// Whether the traces on which it is evaluated are finite.
    pub(crate) ended: bool,
    proved: &'static str,
    /// Whether it has predicates about the future, and none about the past.
    pub(crate) looks_ahead: bool,
    pub(crate) generate: fn(&mut Store, &Requirement) -> std::result::Result<Formula, Refusal>,
}

pub(crate) const KINDS: [Kind; 4] = [
    Kind {
        name: "past",
        meaning: "past",
        agrees: "past_agrees",
        composed: "past_formula",
        ended: true,
        proved: "past_proved",
        looks_ahead: false,
        generate: past,
    },
    Kind {
        name: "marked",
        meaning: "future (LAST)",
        agrees: "marked_agrees",
        composed: "(future_formula Marked)",
        ended: false,
        proved: "marked_proved",
        looks_ahead: true,
        generate: |store, template| future(store, template, Ending::Last),
    },
    Kind {
        name: "finite",
        meaning: "future (weak next)",
        agrees: "finite_agrees",
        composed: "(future_formula Weak)",
        ended: true,
        proved: "finite_proved",
        looks_ahead: true,
        generate: |store, template| future(store, template, Ending::WeakNext),
    },
    Kind {
        name: "infinite",
        meaning: "future (infinite)",
        agrees: "infinite_agrees",
        composed: "(future_formula Endless)",
        ended: false,
        proved: "infinite_proved",
        looks_ahead: true,
        generate: |store, template| future(store, template, Ending::Infinite),
    },
];

/// A template with its formulas of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Printed {
    pub(crate) kind: Kind,
    /// The key of the template, and the predicate: `in,null,always persisted(0,n)`.
    pub(crate) key: String,
    /// The template as arguments of Coq: `In NoCondition (fun _ => Always)`.
    pub(crate) template: String,
    /// The predicate that is the response, as a function of the duration.
    pub(crate) predicate: Option<&'static str>,
    /// Where the theorem goes.
    pub(crate) file: String,
    pub(crate) cases: Cases,
}

/// Every template with its formulas of every kind.
pub(crate) fn printed() -> Result<Vec<Printed>> {
    let mut store = Store::default();
    let mut all = Vec::new();
    for (index, template) in templates(&mut store, 0).iter().enumerate() {
        let key = template.key().to_string();
        for kind in KINDS {
            let cases = cases(&mut store, |store, steps| {
                let template = templates(store, steps).swap_remove(index);
                (kind.generate)(store, &template).about(&key)
            })?;
            let file = format!("Printed_{}_{}", kind.name, scope(template.scope));
            let template = self::template(template);
            all.push(Printed { kind, key: key.clone(), template, predicate: None, file, cases });
        }
    }
    Ok(all)
}

/// A template as arguments of Coq.
pub(crate) fn template(template: &Requirement) -> String {
    format!("{} {} {}", scope(template.scope), condition(template.condition), timing(template.timing))
}

/// A text as part of a name of Coq.
pub(crate) fn identifier(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

impl Printed {
    /// The name of the theorem.
    pub(crate) fn name(&self) -> String {
        format!("{}_{}", self.kind.name, identifier(&self.key))
    }

    /// The theorem on one line, so that the line of an error names it.
    fn theorem(&self) -> String {
        let Printed { kind: Kind { agrees, proved, .. }, template, cases, .. } = self;
        let (statement, lemma) = match self.predicate {
            None => (format!("proved {agrees} {template} {cases}"), (*proved).to_string()),
            Some(predicate) => (
                format!("proved_with {agrees}_with {predicate} {template} {cases}"),
                format!("{proved}_with"),
            ),
        };
        let name = self.name();
        format!("Theorem {name} : {statement}. Proof. apply {lemma}. vm_cast_no_check (eq_refl true). Qed.")
    }
}

const IMPORTS: &str = "From Coq Require Import List.\n\
    From Shall Require Import Definitions Operators Past Future Templates Predicates.\n\
    Import ListNotations.\n";

/// The number of lines before the first theorem.
pub(crate) const LINES_BEFORE: usize = 3;

/// A file with these theorems, which prints the axioms that they rest on.
pub(crate) fn file(theorems: &[&Printed]) -> String {
    let mut text = IMPORTS.to_string();
    for theorem in theorems {
        text.push_str(&theorem.theorem());
        text.push('\n');
    }
    let names: Vec<String> = theorems.iter().map(|theorem| theorem.name()).collect();
    if let Some((last, others)) = names.split_last() {
        let all = others.iter().rev().fold(last.clone(), |all, name| format!("(conj {name} {all})"));
        text.push_str(&format!("Definition all_of_them := {all}.\nPrint Assumptions all_of_them.\n"));
    }
    text
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "Null",
        Scope::In(_) => "In",
        Scope::NotIn(_) => "NotIn",
        Scope::Before(_) => "Before",
        Scope::After(_) => "After",
        Scope::OnlyIn(_) => "OnlyIn",
        Scope::OnlyBefore(_) => "OnlyBefore",
        Scope::OnlyAfter(_) => "OnlyAfter",
    }
}

fn condition(condition: Condition) -> &'static str {
    match condition {
        Condition::Null => "NoCondition",
        Condition::Regular(_) => "Regular",
        Condition::Holding(_) => "Holding",
    }
}

/// The timing as a function of the duration.
fn timing(timing: Timing) -> &'static str {
    match timing {
        Timing::Immediately => "(fun _ => Immediately)",
        Timing::Next => "(fun _ => Next)",
        Timing::Finally => "(fun _ => Finally)",
        Timing::Always => "(fun _ => Always)",
        Timing::Never => "(fun _ => Never)",
        Timing::Eventually => "(fun _ => Eventually)",
        Timing::Within(_) => "Within",
        Timing::For(_) => "For",
        Timing::After(_) => "AfterSteps",
        Timing::Until(_) => "(fun _ => Until)",
        Timing::Before(_) => "(fun _ => BeforeStop)",
    }
}
