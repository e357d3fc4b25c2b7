//! Figures about the project: requirements by component and by status, and the hierarchy of requirements.

use super::Report;
use super::html::{Html, anchor};
use crate::project::{Known, Place};
use requirement::specification::ContractRole;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use syntax::Severity;

impl Report<'_> {
    /// How many requirements each component and each status has.
    pub(super) fn figures(&self, page: &mut Html) {
        page.raw("<section id=\"figures\">\n<h2>Figures</h2>\n<table>\n<tr>");
        for title in ["component", "requirements", "formal", "assumptions", "errors", "warnings", "formal"] {
            page.element("th", "", title);
        }
        page.raw("</tr>\n");
        let mut components: BTreeMap<Option<usize>, Vec<&Known>> = BTreeMap::new();
        for known in &self.analysis.requirements {
            components.entry(known.component).or_default().push(known);
        }
        for (component, all) in &components {
            let name = component.and_then(|index| self.analysis.components.at(index));
            let formal = all.iter().filter(|known| is_formal(known)).count();
            let assumptions = all.iter().filter(|known| known.role == ContractRole::Assumption).count();
            page.raw("<tr>");
            page.element("td", "", name.map_or("none", |component| &component.name));
            for number in [
                all.len(),
                formal,
                assumptions,
                self.found(all, Severity::Error),
                self.found(all, Severity::Warning),
            ] {
                page.element("td", "", &number.to_string());
            }
            bar(page, formal, all.len());
            page.raw("</tr>\n");
        }
        page.raw("</table>\n");
        self.statuses(page);
        page.raw("</section>\n");
    }

    /// The number of findings about some requirements.
    fn found(&self, all: &[&Known], severity: Severity) -> usize {
        let ids: FxHashSet<&str> =
            all.iter().map(|known| self.project.entry(known.place).id.text.as_str()).collect();
        let about = |id: &Option<String>| id.as_deref().is_some_and(|id| ids.contains(id));
        let findings = self.findings.iter().filter(|found| about(&found.requirement));
        findings.filter(|found| found.diagnostic.severity() == severity).count()
    }

    fn statuses(&self, page: &mut Html) {
        let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
        let total = self.analysis.requirements.len();
        for place in self.project.places() {
            let status = self.project.entry(place).attribute("status").map(|it| it.value.text.trim());
            *statuses.entry(status.filter(|text| !text.is_empty()).unwrap_or("none")).or_default() += 1;
        }
        page.raw("<table>\n<tr><th>status</th><th>requirements</th><th>share</th></tr>\n");
        for (status, count) in statuses {
            page.raw("<tr>");
            page.element("td", "", status);
            page.element("td", "", &count.to_string());
            bar(page, count, total);
            page.raw("</tr>\n");
        }
        page.raw("</table>\n");
    }

    /// Requirements below their parents. One with several parents is below each of them; its own children are shown once.
    pub(super) fn hierarchy(&self, page: &mut Html) {
        if self.children.is_empty() {
            return;
        }
        page.raw("<section id=\"hierarchy\">\n<h2>Hierarchy</h2>\n");
        let has_parent = |place: Place| {
            self.project
                .entry(place)
                .parents()
                .iter()
                .any(|parent| self.by_id.contains_key(parent.text.as_str()))
        };
        let mut shown: FxHashSet<Place> = FxHashSet::default();
        let is_parent =
            |place: &Place| self.children.contains_key(self.project.entry(*place).id.text.as_str());
        let roots: Vec<Place> =
            self.project.places().filter(|&place| is_parent(&place) && !has_parent(place)).collect();
        // What is in a cycle has no root above it.
        let others: Vec<Place> = self.project.places().filter(is_parent).collect();
        for root in roots.into_iter().chain(others) {
            if !shown.contains(&root) {
                self.tree(page, root, &mut shown);
            }
        }
        page.raw("</section>\n");
    }

    /// A requirement with everything below it, without recursion: a hierarchy may be deep.
    fn tree(&self, page: &mut Html, root: Place, shown: &mut FxHashSet<Place>) {
        enum Step {
            Open(Place),
            Close,
        }
        page.raw("<ul class=\"tree\">\n");
        let mut open = vec![Step::Open(root)];
        while let Some(step) = open.pop() {
            let Step::Open(place) = step else {
                page.raw("</ul></li>\n");
                continue;
            };
            let entry = self.project.entry(place);
            page.raw("<li>");
            page.link(&anchor("requirement", &entry.id.text), &entry.id.text);
            if let Some(title) = &entry.title {
                page.text(" ");
                page.text(&title.text);
            }
            let children = self.children.get(entry.id.text.as_str()).filter(|_| shown.insert(place));
            match children {
                Some(children) => {
                    page.raw("<ul>\n");
                    open.push(Step::Close);
                    open.extend(children.iter().rev().map(|&child| Step::Open(child)));
                }
                None => page.raw("</li>\n"),
            }
        }
        page.raw("</ul>\n");
    }
}

/// A cell with a bar as long as a share.
fn bar(page: &mut Html, part: usize, whole: usize) {
    let percent = (part * 100).checked_div(whole).unwrap_or(0);
    page.raw(&format!("<td><span class=\"bar\" style=\"width:{percent}px\"></span> {percent} %</td>"));
}

fn is_formal(known: &Known) -> bool {
    known.reading.as_ref().is_some_and(|reading| reading.lowered.requirement.is_some())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::project;

    #[test]
    fn hierarchies_are_shown_once_and_end() {
        let text = "# Pump\n\n## A-1: Top\n\n## A-2\n\n- parent: A-1\n\n## A-3\n\n- parent: A-2, A-1\n\n\
                    ## B-1\n\n- parent: B-2\n- status: draft\n\n## B-2\n\n- parent: B-1\n";
        let (project, checked) = project(&[text]);
        let analysis = project.analyse(&mut crate::Cache::default());
        let page = crate::report(&project, &analysis, &checked.findings, &[]);
        let tree = page.split("<h2>Hierarchy</h2>").nth(1).and_then(|rest| rest.split("</section>").next());
        let ids: Vec<&str> = tree
            .expect("a hierarchy")
            .split("</a>")
            .filter_map(|piece| piece.rsplit('>').next())
            .filter(|id| !id.trim().is_empty())
            .collect();
        assert_eq!(ids, ["A-1", "A-2", "A-3", "A-3", "B-1", "B-2", "B-1"], "{page}");
        assert!(
            page.contains(
                "<td>draft</td><td>1</td><td><span class=\"bar\" style=\"width:20px\"></span> 20 %"
            )
        );
    }
}
