//! A project as one HTML file: figures, findings and hierarchy; requirements with coloured fields, explanation, drawing, examples and
//! formulas, and its violations in recorded traces; variables; traceability. The file needs no other one, runs no script, and is made to be printed too.

mod examples;
mod html;
pub mod logs;
mod overview;
mod requirement;
mod tables;

use crate::document::{Document, Heading};
use crate::finding::{Finding, Source};
use crate::project::{Analysis, Place, Project};
use examples::Examples;
use html::{Html, anchor};
use logs::Log;
use rustc_hash::FxHashMap;
use syntax::Severity;

/// What every part of the report looks at.
struct Report<'a> {
    project: &'a Project,
    analysis: &'a Analysis,
    findings: &'a [Finding],
    logs: &'a [Log],
    /// The first requirement with an id.
    by_id: FxHashMap<&'a str, Place>,
    /// The requirements that name a parent.
    children: FxHashMap<&'a str, Vec<Place>>,
    /// Traces that satisfy and that violate each requirement.
    examples: FxHashMap<Place, Examples>,
}

/// The report, with what recorded traces say about the requirements.
pub fn report(project: &Project, analysis: &Analysis, findings: &[Finding], logs: &[Log]) -> String {
    let mut by_id = FxHashMap::default();
    let mut children: FxHashMap<&str, Vec<Place>> = FxHashMap::default();
    let parents: Vec<(Place, Vec<String>)> = project
        .places()
        .map(|place| (place, project.entry(place).parents().into_iter().map(|parent| parent.text).collect()))
        .collect();
    for place in project.places() {
        by_id.entry(project.entry(place).id.text.as_str()).or_insert(place);
    }
    for (place, parents) in &parents {
        for parent in parents {
            if let Some((&id, _)) = by_id.get_key_value(parent.as_str()) {
                children.entry(id).or_default().push(*place);
            }
        }
    }
    let examples = examples::all(analysis);
    let report = Report { project, analysis, findings, logs, by_id, children, examples };
    let mut page = Html::default();
    let title = project.config.name.as_deref().unwrap_or("Requirements");
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.element("title", "", title);
    page.raw("\n<style>\n");
    page.raw(include_str!("report/style.css"));
    page.raw(&draw::diagram::sheet());
    page.raw(&draw::waveform::style_sheet());
    page.raw("</style>\n</head>\n<body>\n");
    report.contents(&mut page, title);
    page.raw("<main>\n");
    report.summary(&mut page, title);
    report.figures(&mut page);
    report.list_findings(&mut page);
    report.list_logs(&mut page);
    report.hierarchy(&mut page);
    for document in 0..project.documents.len() {
        report.document(&mut page, document);
    }
    report.variables(&mut page);
    report.traces(&mut page);
    page.raw("</main>\n</body>\n</html>\n");
    page.finish()
}

impl<'a> Report<'a> {
    fn contents(&self, page: &mut Html, title: &str) {
        page.raw("<nav>\n");
        page.element("strong", "", title);
        page.raw("\n<ul>\n<li><a href=\"#figures\">Figures</a></li>\n<li><a href=\"#findings\">Findings</a></li>\n");
        if !self.logs.is_empty() {
            page.raw("<li><a href=\"#logs\">Recorded traces</a></li>\n");
        }
        if !self.children.is_empty() {
            page.raw("<li><a href=\"#hierarchy\">Hierarchy</a></li>\n");
        }
        for (index, document) in self.project.documents.iter().enumerate() {
            if document.entries.is_empty() {
                continue;
            }
            page.raw("<li>");
            page.link(&format!("document-{index}"), &chapter(document));
            page.raw("<ul>\n");
            for entry in &document.entries {
                page.raw("<li>");
                page.link(&anchor("requirement", &entry.id.text), &entry.id.text);
                if let Some(title) = &entry.title {
                    page.raw(" ");
                    page.text(&title.text);
                }
                page.raw("</li>\n");
            }
            page.raw("</ul></li>\n");
        }
        page.raw(
            "<li><a href=\"#variables\">Variables</a></li>\n<li><a href=\"#traces\">Traceability</a></li>\n",
        );
        page.raw("</ul>\n</nav>\n");
    }

    fn summary(&self, page: &mut Html, title: &str) {
        page.element("h1", "", title);
        let all = self.analysis.requirements.len();
        let formal = self
            .analysis
            .requirements
            .iter()
            .filter(|known| {
                known.reading.as_ref().is_some_and(|reading| reading.lowered.requirement.is_some())
            })
            .count();
        let variables: usize =
            self.analysis.components.iter().map(|component| component.variables.len()).sum();
        let count = |severity: Severity| {
            self.findings.iter().filter(|finding| finding.diagnostic.severity() == severity).count()
        };
        page.raw("<dl class=\"summary\">\n");
        for (what, number) in [
            ("requirements", all),
            ("with a formal meaning", formal),
            ("components", self.analysis.components.iter().count()),
            ("variables", variables),
            ("errors", count(Severity::Error)),
            ("warnings", count(Severity::Warning)),
        ] {
            page.raw("<div>");
            page.element("dd", "", &number.to_string());
            page.element("dt", "", what);
            page.raw("</div>\n");
        }
        if !self.logs.is_empty() {
            page.raw("<div>");
            page.element("dd", "", &self.violated().to_string());
            page.element("dt", "", "violated in recorded traces");
            page.raw("</div>\n");
        }
        page.raw("</dl>\n");
    }

    fn list_findings(&self, page: &mut Html) {
        page.raw("<section id=\"findings\">\n<h2>Findings</h2>\n");
        if self.findings.is_empty() {
            page.raw("<p>None.</p>\n");
        } else {
            page.raw("<table>\n<tr><th>code</th><th>where</th><th>what</th></tr>\n");
            for finding in self.findings {
                page.raw("<tr><td>");
                page.element("span", finding.diagnostic.severity().name(), finding.diagnostic.code.id());
                page.raw("</td><td>");
                match (&finding.requirement, finding.source) {
                    (Some(id), _) => page.link(&anchor("requirement", id), id),
                    (None, Source::Document(index)) => {
                        page.text(self.project.documents.get(index).map_or("", |document| &document.name));
                    }
                    (None, Source::Config) => page.text("shall.toml"),
                }
                page.raw("</td><td>");
                page.prose(&finding.diagnostic.message);
                page.raw("</td></tr>\n");
            }
            page.raw("</table>\n");
        }
        page.raw("</section>\n");
    }

    fn document(&self, page: &mut Html, index: usize) {
        let document = &self.project.documents[index];
        if document.entries.is_empty() {
            return;
        }
        page.raw(&format!("<section id=\"document-{index}\">\n"));
        page.element("h2", "", &chapter(document));
        let mut chapters = self.chapters(document).into_iter().peekable();
        for (entry, requirement) in document.entries.iter().enumerate() {
            while let Some(chapter) =
                chapters.next_if(|chapter| chapter.span.start < requirement.section.start)
            {
                page.element("h3", "chapter", &chapter.text.text);
            }
            self.requirement(page, Place { document: index, entry });
        }
        page.raw("</section>\n");
    }

    /// The headings that are neither the document's first one, nor a requirement, nor a component.
    fn chapters<'d>(&self, document: &'d Document) -> Vec<&'d Heading> {
        let is_entry = |heading: &Heading| document.entries.iter().any(|entry| entry.heading == heading.span);
        let is_component = |heading: &Heading| {
            document.tables.iter().any(|table| {
                heading.span.start <= table.component.span.start
                    && table.component.span.end <= heading.span.end
            })
        };
        let headings = document.headings.iter().skip(1);
        headings.filter(|heading| !is_entry(heading) && !is_component(heading)).collect()
    }
}

/// The title of a document: its first heading, or its name.
fn chapter(document: &Document) -> String {
    let first = document.headings.first().filter(|heading| heading.level == 1);
    first.map_or_else(|| document.name.clone(), |heading| heading.text.text.clone())
}
