//! Recorded traces in the report: what they say about each requirement, and a waveform around each violation.

use super::Report;
use super::examples::groups;
use super::html::{Html, anchor};
use crate::project::Place;
use base::counted;
use draw::waveform::{Mark, bare_from};
use logic::Trace;
use std::collections::BTreeSet;

/// A recorded trace.
#[derive(Debug, Clone)]
pub struct Log {
    /// The name of its file.
    pub name: String,
    /// The number of steps, and what a step is; or why the file cannot be read.
    pub length: Result<(u64, String), String>,
    /// What it says about each requirement with a formal meaning.
    pub verdicts: Vec<Verdict>,
}

/// What a recorded trace says about a requirement.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The requirement.
    pub place: Place,
    /// What became of it.
    pub word: Word,
    /// Why, in a sentence.
    pub reason: String,
    /// The number of steps that violate it.
    pub count: u64,
    /// The first violations.
    pub violations: Vec<Violation>,
    /// The number of others.
    pub more: u64,
}

/// What became of a requirement on a recorded trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// It holds, and something triggers it.
    Holds,
    /// It holds because nothing triggers it.
    Vacuous,
    /// It does not hold.
    Violated,
    /// It is not known whether it holds.
    NotChecked,
}

/// Consecutive steps that violate a requirement.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The first of them.
    pub step: u64,
    /// Why, in a sentence.
    pub reason: String,
    /// The steps around it, with the number of the first one.
    pub around: Option<(u64, Trace)>,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Vacuous => "never triggered",
            Word::Violated => "violated",
            Word::NotChecked => "not checked",
        }
    }

    /// The class of its colour.
    fn class(self) -> &'static str {
        match self {
            Word::Holds | Word::Vacuous => "",
            Word::Violated => "error",
            Word::NotChecked => "warning",
        }
    }
}

impl Report<'_> {
    /// The number of requirements that some trace violates.
    pub(super) fn violated(&self) -> usize {
        let verdicts = self.logs.iter().flat_map(|log| &log.verdicts);
        let violated = verdicts.filter(|it| it.word == Word::Violated);
        let place = |it: &Verdict| (it.place.document, it.place.entry);
        violated.map(place).collect::<BTreeSet<_>>().len()
    }

    pub(super) fn list_logs(&self, page: &mut Html) {
        if self.logs.is_empty() {
            return;
        }
        page.raw("<section id=\"logs\">\n<h2>Recorded traces</h2>\n");
        for log in self.logs {
            page.element("h3", "", &log.name);
            match &log.length {
                Ok((steps, of)) => {
                    page.element("p", "legend", &format!("{}, {of}", counted(*steps as usize, "step")))
                }
                Err(reason) => {
                    page.raw("<p class=\"finding error\"><strong>not read</strong> ");
                    page.prose(reason);
                    page.raw("</p>\n");
                }
            }
            let (open, decided): (Vec<&Verdict>, Vec<&Verdict>) =
                log.verdicts.iter().partition(|it| it.word == Word::NotChecked);
            self.table(page, &decided);
            if !open.is_empty() && log.length.is_ok() {
                page.raw("<details>");
                page.element("summary", "", &format!("{} not checked", counted(open.len(), "requirement")));
                self.table(page, &open);
                page.raw("</details>\n");
            }
        }
        page.raw("</section>\n");
    }

    fn table(&self, page: &mut Html, verdicts: &[&Verdict]) {
        if verdicts.is_empty() {
            return;
        }
        page.raw(
            "<table>\n<tr><th>requirement</th><th>verdict</th><th>violating steps</th><th>why</th></tr>\n",
        );
        for verdict in verdicts {
            let id = &self.project.entry(verdict.place).id.text;
            page.raw("<tr><td>");
            page.link(&anchor("requirement", id), id);
            page.raw("</td><td>");
            page.element("span", verdict.word.class(), verdict.word.text());
            page.raw("</td><td>");
            if verdict.count > 0 {
                page.text(&verdict.count.to_string());
            }
            page.raw("</td><td>");
            page.prose(&verdict.reason);
            page.raw("</td></tr>\n");
        }
        page.raw("</table>\n");
    }

    /// The violations of a requirement in all traces.
    pub(super) fn violations(&self, page: &mut Html, place: Place) {
        let verdicts = self.logs.iter().flat_map(|log| log.verdicts.iter().map(move |it| (log, it)));
        let found = verdicts.filter(|(_, it)| it.place == place && it.word == Word::Violated);
        let component =
            self.analysis.at(place).and_then(|known| self.analysis.components.at(known.component?));
        for (log, verdict) in found {
            page.raw("<div class=\"recorded\">\n");
            for Violation { step, reason, around } in &verdict.violations {
                let title = format!("Violated in {} at step {step}", log.name);
                page.raw("<figure><figcaption>");
                page.element("strong", "error", &title);
                page.raw(" ");
                page.prose(reason);
                page.raw("</figcaption>");
                if let Some((first, trace)) = around {
                    let label = self.project.entry(place).id.text.clone();
                    let mark =
                        Mark { step: step.saturating_sub(*first) as usize, label, reason: String::new() };
                    let groups = groups(trace, component);
                    page.raw(&bare_from(*first as usize, trace, &groups, &title, Some(&mark)));
                }
                page.raw("</figure>\n");
            }
            if verdict.more > 0 {
                let more = counted(verdict.more as usize, "more violation");
                page.element("p", "legend", &format!("and {more} in {}", log.name));
            }
            page.raw("</div>\n");
        }
    }
}
