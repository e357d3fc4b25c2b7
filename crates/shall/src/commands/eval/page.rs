//! Verdicts on traces as one HTML page: a table, and a waveform around each violation that can be zoomed. The page needs no other file and
//! runs no script.

use super::explained::Violation;
use super::show::{lasting, word};
use super::{Evaluation, File};
use crate::reading::Reading;
use crate::render::junit::escaped;
use draw::waveform::{Group, Mark, Role, svg_from};

/// The magnifications of a waveform; the first one fits the page.
const ZOOM: [u32; 4] = [1, 2, 4, 8];

/// What has been evaluated so far.
#[derive(Default)]
pub(super) struct Page {
    rows: String,
    sections: String,
    waveforms: usize,
}

impl Page {
    pub(super) fn add(&mut self, reading: &Reading, evaluation: &Evaluation, file: &File) {
        let verdict = word(evaluation);
        let path = escaped(&file.path.display().to_string());
        let title = escaped(&reading.title());
        let why = evaluation.holds.as_ref().err().map(ToString::to_string);
        let reason = escaped(&why.or_else(|| evaluation.reason.clone()).unwrap_or_default());
        let name = match evaluation.violations.is_empty() {
            true => title.clone(),
            false => format!("<a href=\"#violations-{}\">{title}</a>", self.waveforms),
        };
        let shown = verdict.replace('_', " ");
        let (steps, count) = (file.steps, evaluation.count);
        self.rows += &format!(
            "<tr class=\"{verdict}\"><td>{path}</td><td>{name}</td><td>{shown}</td><td>{reason}</td><td>{count}</td><td>{steps}</td></tr>\n"
        );
        if evaluation.violations.is_empty() {
            return;
        }
        self.sections += &format!(
            "<section id=\"violations-{}\">\n<h2>{title}</h2>\n<p>{path}: {steps} steps, {}</p>\n",
            self.waveforms,
            escaped(&file.of)
        );
        // Later violations may be too many to draw.
        for violation in evaluation.violations.iter().filter(|it| it.drawn.is_some()) {
            self.waveform(violation, reading);
        }
        let others =
            evaluation.violations.iter().filter(|it| it.drawn.is_none()).count() as u64 + evaluation.more;
        if others > 0 {
            self.sections += &format!("<p>and {}</p>\n", base::counted(others as usize, "more violation"));
        }
        self.sections += "</section>\n";
        self.waveforms += 1;
    }

    fn waveform(&mut self, violation: &Violation, reading: &Reading) {
        let Some((start, trace)) = &violation.drawn else { return };
        let groups = [Group { role: Role::Inner, names: trace.names().to_vec() }];
        let label = reading.id.clone().unwrap_or_else(|| "the requirement".to_owned());
        let reason = violation.reason.clone();
        let mark = Mark { step: (violation.step - start) as usize, label, reason };
        let drawing = svg_from(*start as usize, trace, &groups, "", Some(&mark));
        let drawing = drawing.split_once("<svg").map_or(String::new(), |(_, svg)| format!("<svg{svg}"));
        let number = self.waveforms;
        let group = format!("zoom-{number}-{}", violation.step);
        let text = escaped(&format!("{}{}", violation.reason, lasting(violation)));
        self.sections += &format!("<h3>step {}</h3>\n<p>{text}</p>\n<div class=\"wave\">\n", violation.step);
        for zoom in ZOOM {
            let checked = if zoom == ZOOM[0] { " checked" } else { "" };
            self.sections += &format!(
                "<input type=\"radio\" name=\"{group}\" id=\"{group}-{zoom}\" class=\"zoom-{zoom}\"{checked}><label for=\"{group}-{zoom}\">{zoom}×</label>\n"
            );
        }
        self.sections += &format!("<div class=\"view\">\n{drawing}</div>\n</div>\n");
    }

    /// The page.
    pub(super) fn html(&self, summary: &str) -> String {
        let zoomed: String = ZOOM
            .iter()
            .map(|zoom| format!(".zoom-{zoom}:checked~.view svg{{width:{}%}}\n", 100 * zoom))
            .collect();
        let (rows, sections, summary) = (&self.rows, &self.sections, escaped(summary.trim()));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <title>shall eval</title>\n<style>\n{STYLE}{zoomed}</style>\n</head>\n<body>\n<h1>Requirements on traces</h1>\n<p>{summary}</p>\n\
            <table>\n<thead><tr><th>trace</th><th>requirement</th><th>verdict</th><th>reason</th><th>violating steps</th><th>steps</th></tr></thead>\n\
            <tbody>\n{rows}</tbody>\n</table>\n{sections}</body>\n</html>\n"
        )
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{padding:.3rem .6rem;border-bottom:1px solid #8886;text-align:left;vertical-align:top}
tr.violated td:nth-child(3){color:#c62828;font-weight:600}
tr.not_checked td:nth-child(3){color:#b26a00;font-weight:600}
tr.holds td:nth-child(3){color:#2e7d32}
.view{overflow:auto;max-height:90vh;border:1px solid #8886;border-radius:6px;background:#fff}
.view svg{display:block;height:auto}
.wave input{margin-left:.8rem}
@media print{.wave input,.wave label{display:none}.view{overflow:visible}}
";
