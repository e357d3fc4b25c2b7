//! Verdicts on traces as one HTML page: a table, and a waveform around each violation that can be zoomed. The page needs no other file and
//! runs no script.

use super::explained::Violation;
use super::show::{lasting, word};
use super::{Evaluation, File};
use crate::json;
use crate::reading::Reading;
use crate::render::junit::escaped;
use draw::waveform::{Group, Mark, Role, svg_from};
use logic::Value;

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
        let reason = why.or_else(|| evaluation.reason.clone()).into_iter().chain(evaluation.open.clone());
        let reason: Vec<String> = reason.map(|line| coded(&line)).collect();
        let reason = reason.join("<br>");
        let name = match evaluation.violations.is_empty() {
            true => title.clone(),
            false => format!("<a href=\"#violations-{}\">{title}</a>", self.waveforms),
        };
        let shown = verdict.replace('_', " ");
        let (steps, count) = (file.steps, evaluation.count);
        self.rows += &format!(
            "<tr><td>{path}</td><td>{name}</td><td><span class=\"verdict {verdict}\">{shown}</span></td><td>{reason}</td><td>{count}</td><td>{steps}</td></tr>\n"
        );
        if evaluation.violations.is_empty() {
            return;
        }
        self.sections += &format!(
            "<section id=\"violations-{}\">\n<h2>{title}</h2>\n<p class=\"about\">{path}: {steps} steps, {}</p>\n",
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
        let groups = [Group { role: Role::Recorded, names: trace.names().to_vec() }];
        let label = reading.id.clone().unwrap_or_else(|| "the requirement".to_owned());
        // The reason is above the drawing.
        let mark = Mark { step: (violation.step - start) as usize, label, reason: String::new() };
        let drawing = svg_from(*start as usize, trace, &groups, "", Some(&mark));
        let drawing = drawing.split_once("<svg").map_or(String::new(), |(_, svg)| format!("<svg{svg}"));
        let number = self.waveforms;
        let group = format!("zoom-{number}-{}", violation.step);
        let text = coded(&format!("{}{}", violation.reason, lasting(violation)));
        self.sections += &format!("<h3>step {}</h3>\n<p>{text}</p>\n<div class=\"wave\">\n", violation.step);
        for zoom in ZOOM {
            let checked = if zoom == ZOOM[0] { " checked" } else { "" };
            self.sections += &format!(
                "<input type=\"radio\" name=\"{group}\" id=\"{group}-{zoom}\" class=\"zoom-{zoom}\"{checked}><label for=\"{group}-{zoom}\">{zoom}×</label>\n"
            );
        }
        self.sections += &format!("<div class=\"view\">\n{drawing}</div>\n</div>\n");
        self.values(violation);
    }

    /// The values at the steps around a violation, a row for each signal.
    fn values(&mut self, violation: &Violation) {
        let Some((_, first)) = violation.around.first() else { return };
        let cell = |tag: &str, step: u64, text: &str| {
            let class = if step == violation.step { " class=\"here\"" } else { "" };
            format!("<{tag}{class}>{text}</{tag}>")
        };
        let steps: String =
            violation.around.iter().map(|(step, _)| cell("th", *step, &step.to_string())).collect();
        self.sections +=
            &format!("<table class=\"values\">\n<thead><tr><th>step</th>{steps}</tr></thead>\n<tbody>\n");
        for (at, (name, _)) in first.iter().enumerate() {
            let value = |(step, values): &(u64, Vec<(String, Value)>)| {
                let text =
                    values.get(at).map_or(String::new(), |(_, value)| json::Value::from(value).to_string());
                cell("td", *step, &escaped(&text))
            };
            let values: String = violation.around.iter().map(value).collect();
            self.sections += &format!("<tr><th><code>{}</code></th>{values}</tr>\n", escaped(name));
        }
        self.sections += "</tbody>\n</table>\n";
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
            <title>shall eval</title>\n<style>\n{STYLE}{zoomed}</style>\n</head>\n<body>\n<h1>Requirements on traces</h1>\n<p class=\"about\">{summary}</p>\n\
            <table class=\"verdicts\">\n<thead><tr><th>trace</th><th>requirement</th><th>verdict</th><th>reason</th><th>violating steps</th><th>steps</th></tr></thead>\n\
            <tbody>\n{rows}</tbody>\n</table>\n{sections}</body>\n</html>\n"
        )
    }
}

/// A text of which the parts between back quotes are code.
fn coded(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escaped).collect();
    // A quote without its partner stays as it is.
    let paired = parts.len() - (parts.len() + 1) % 2;
    let coded = |(at, part): (usize, &String)| match at {
        _ if at >= paired => format!("`{part}"),
        _ if at % 2 == 1 => format!("<code>{part}</code>"),
        _ => part.clone(),
    };
    parts.iter().enumerate().map(coded).collect()
}

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--red:#c62828;--amber:#9a5b00;--green:#2e7d32}
@media(prefers-color-scheme:dark){:root{--red:#ff8a80;--amber:#ffc266;--green:#81c995}}
body{font:15px/1.55 system-ui,sans-serif;max-width:76rem;margin:2.5rem auto;padding:0 1.25rem}
h1{font-size:1.7rem;margin:0 0 .2rem}
h2{font-size:1.2rem;margin:0}
h3{font-size:1rem;margin:1.4rem 0 0}
p{margin:.3rem 0 .8rem}
.about{opacity:.75}
code{font:.92em ui-monospace,monospace;background:var(--soft);padding:.05em .3em;border-radius:3px}
section{margin-top:2.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
table{border-collapse:collapse}
td,th{padding:.45rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{font-weight:600;font-size:.85rem;opacity:.75}
.verdicts{width:100%;margin-top:1rem}
.verdicts td:nth-child(n+5),.verdicts th:nth-child(n+5){text-align:right;font-variant-numeric:tabular-nums}
.verdict{white-space:nowrap;font-weight:600;padding:.1rem .55rem;border-radius:1rem;border:1px solid currentColor;font-size:.85rem}
.violated{color:var(--red)}
.not_checked{color:var(--amber)}
.holds,.vacuous{color:var(--green)}
.view{overflow:auto;max-height:90vh;border:1px solid var(--line);border-radius:8px}
.view svg{display:block;height:auto}
.wave{margin-top:.4rem}
.wave input{position:absolute;opacity:0}
.wave label{display:inline-block;font-size:.8rem;padding:.1rem .6rem;margin:0 .3rem .4rem 0;border:1px solid var(--line);border-radius:1rem;cursor:pointer}
.wave input:checked+label{background:var(--soft);font-weight:600}
.wave input:focus-visible+label{outline:2px solid currentColor}
.values{margin:.8rem 0 0;font-variant-numeric:tabular-nums;font-size:.85rem}
.values td,.values th{padding:.2rem .7rem;text-align:right}
.values th:first-child{text-align:left;font-weight:400}
.values .here{color:var(--red);font-weight:600}
@media print{.wave input,.wave label{display:none}.view{overflow:visible}section{break-inside:avoid}}
";

#[cfg(test)]
mod tests {
    use super::coded;

    #[test]
    fn code_is_between_back_quotes() {
        for (text, expected) in [
            ("`a < b` holds", "<code>a &lt; b</code> holds"),
            ("plain", "plain"),
            ("`a` and `b`", "<code>a</code> and <code>b</code>"),
            ("`a` and `b", "<code>a</code> and `b"),
            ("", ""),
        ] {
            assert_eq!(coded(text), expected, "{text}");
        }
    }
}
