//! One requirement of the report.

use super::Report;
use super::html::{Html, anchor};
use crate::document::Entry;
use crate::project::Place;
use crate::reading::Reading;
use base::counted;
use logic::{Formula, SHALL, Store};
use requirement::diagram::scene;
use requirement::explain::explain;
use requirement::{Ending, Fields, Refusal, Requirement, future, past};
use syntax::Severity;

impl Report<'_> {
    pub(super) fn requirement(&self, page: &mut Html, place: Place) {
        let entry = self.project.entry(place);
        page.raw("<article");
        if self.by_id.get(entry.id.text.as_str()) == Some(&place) {
            page.raw(&format!(" id=\"{}\"", anchor("requirement", &entry.id.text)));
        }
        page.raw(">\n<h3>");
        page.element("span", "id", &entry.id.text);
        if let Some(title) = &entry.title {
            page.raw(" ");
            page.text(&title.text);
        }
        if let Some(status) = entry.attribute("status").filter(|status| !status.value.text.is_empty()) {
            page.raw(" ");
            page.element("span", "status", &status.value.text);
        }
        page.raw("</h3>\n");
        for paragraph in &entry.prose {
            page.element("p", "rationale", self.project.documents[place.document].slice(*paragraph).trim());
            page.raw("\n");
        }
        let reading = self.analysis.at(place).and_then(|known| known.reading.as_deref());
        match (reading, self.project.sentence(place)) {
            (Some(reading), Some(text)) => {
                sentence(page, text, &reading.parsed.fields);
                self.complaints(page, entry);
                self.meaning(page, text, reading, place);
            }
            (None, Some(text)) => {
                page.element("p", "sentence", text);
                page.raw("\n");
                self.complaints(page, entry);
            }
            (_, None) => self.complaints(page, entry),
        }
        self.violations(page, place);
        self.links(page, entry);
        attributes(page, entry);
        page.raw("</article>\n");
    }

    fn complaints(&self, page: &mut Html, entry: &Entry) {
        let about =
            |finding: &&crate::Finding| finding.requirement.as_deref() == Some(entry.id.text.as_str());
        for finding in self.findings.iter().filter(about) {
            let severity = match finding.diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            page.raw(&format!("<p class=\"finding {severity}\">"));
            page.element("strong", "", finding.diagnostic.code.id());
            page.raw(" ");
            page.prose(&finding.diagnostic.message);
            page.raw("; ");
            page.prose(&finding.diagnostic.hint);
            page.raw("</p>\n");
        }
    }

    fn meaning(&self, page: &mut Html, text: &str, reading: &Reading, place: Place) {
        let Some(requirement) = &reading.lowered.requirement else { return };
        let explanation = explain(requirement, &reading.parsed.fields);
        let duration = self.duration(requirement, &reading.parsed.fields);
        page.raw("<ul class=\"meaning\">\n");
        for sentence in
            [&explanation.scope, &explanation.trigger, &explanation.response].into_iter().chain(&duration)
        {
            page.raw("<li>");
            page.prose(sentence);
            page.raw("</li>\n");
        }
        page.raw("</ul>\n<div class=\"drawing\">");
        page.raw(&draw::diagram::bare(&scene(requirement, &reading.parsed.fields), text));
        page.raw("</div>\n");
        if let Some(examples) = self.examples.get(&place) {
            examples.show(page, &self.project.entry(place).id.text);
        }
        page.raw("<table class=\"formulas\">\n");
        if let Some(key) = reading.lowered.key {
            row(page, "template", &key.to_string());
        }
        let mut store = reading.store.clone();
        let made = past(&mut store, requirement);
        formula(page, &store, "past", made);
        let made = future(&mut store, requirement, Ending::Last);
        formula(page, &store, "future", made);
        let made = future(&mut store, requirement, Ending::Infinite);
        formula(page, &store, "infinite", made);
        page.raw("</table>\n");
    }

    /// How many steps the duration of a sentence has, if the sentence measures it otherwise.
    fn duration(&self, requirement: &Requirement, fields: &Fields) -> Option<String> {
        let (steps, step) = (requirement.timing.steps()?, self.project.config.step.as_ref()?);
        let (timing, duration) = (fields.timing.as_ref()?, fields.duration.as_ref()?);
        let written = timing.text.find(&duration.text).and_then(|at| timing.text.get(at..))?.trim();
        let is_in_steps = ["tick", "step"].iter().any(|unit| written.contains(unit));
        (!is_in_steps)
            .then(|| format!("`{written}` has {}: a step is {step}.", counted(steps as usize, "step")))
    }

    fn links(&self, page: &mut Html, entry: &Entry) {
        let parents = entry.parents();
        let children = self.children.get(entry.id.text.as_str()).map_or(&[][..], Vec::as_slice);
        if parents.is_empty() && children.is_empty() {
            return;
        }
        page.raw("<p class=\"links\">");
        for (index, parent) in parents.iter().enumerate() {
            page.raw(if index == 0 { "Traces to " } else { ", " });
            match self.by_id.contains_key(parent.text.as_str()) {
                true => page.link(&anchor("requirement", &parent.text), &parent.text),
                false => page.text(&parent.text),
            }
        }
        page.raw(if parents.is_empty() { "" } else { ". " });
        for (index, &child) in children.iter().enumerate() {
            let id = &self.project.entry(child).id.text;
            page.raw(if index == 0 { "Refined by " } else { ", " });
            page.link(&anchor("requirement", id), id);
        }
        page.raw(if children.is_empty() { "</p>\n" } else { ".</p>\n" });
    }
}

/// The sentence with a colour for each field.
fn sentence(page: &mut Html, text: &str, fields: &Fields) {
    let mut spans: Vec<(std::ops::Range<usize>, &str)> = [
        (&fields.scope, "scope"),
        (&fields.condition, "condition"),
        (&fields.component, "component"),
        (&fields.probability, "timing"),
        (&fields.timing, "timing"),
        (&fields.response, "response"),
    ]
    .into_iter()
    .filter_map(|(field, class)| Some((field.as_ref()?.span.range(), class)))
    .collect();
    spans.sort_by_key(|(range, _)| range.start);
    page.raw("<p class=\"sentence\">");
    let mut at = 0;
    for (range, class) in spans {
        // Fields do not overlap in a sentence that could be read; in others the first one wins.
        let (Some(between), Some(inside)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        page.text(between);
        page.element("span", class, inside);
        at = range.end;
    }
    page.text(text.get(at..).unwrap_or_default());
    page.raw("</p>\n");
}

fn formula(page: &mut Html, store: &Store, name: &str, made: Result<Formula, Refusal>) {
    let printed = made
        .map_err(|refusal| refusal.to_string())
        .and_then(|formula| logic::print(store, formula, &SHALL).map_err(|error| error.to_string()));
    match printed {
        Ok(text) => row(page, name, &text),
        Err(reason) => row(page, name, &format!("none: {reason}")),
    }
}

fn row(page: &mut Html, name: &str, text: &str) {
    page.raw("<tr>");
    page.element("th", "", name);
    page.raw("<td>");
    page.element("code", "", text);
    page.raw("</td></tr>\n");
}

/// What the other parts of the report do not show.
fn attributes(page: &mut Html, entry: &Entry) {
    let shown =
        |name: &str| ["status", "parent", "parents"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let others: Vec<_> = entry
        .attributes
        .iter()
        .filter(|attribute| !shown(&attribute.name.text) && !attribute.value.text.is_empty())
        .collect();
    if others.is_empty() {
        return;
    }
    page.raw("<dl class=\"attributes\">\n");
    for attribute in others {
        page.element("dt", "", &attribute.name.text);
        page.element("dd", "", &attribute.value.text);
        page.raw("\n");
    }
    page.raw("</dl>\n");
}
