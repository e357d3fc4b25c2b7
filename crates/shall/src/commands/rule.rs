//! `shall rule`: what the codes of findings mean.

use crate::cli::Output;
use crate::cli::check::Rule;
use crate::{Error, Outcome};
use project::rules::manual::{Entry, entry};
use schemars::JsonSchema;
use serde::Serialize;
use syntax::{Code, nearest};

pub(crate) fn run(command: &Rule, output: Output) -> Result<Outcome, Error> {
    let Some(text) = &command.code else {
        let human = || Code::ALL.iter().map(|code| format!("{}  {}\n", code.id(), code.summary())).collect();
        output.show(human, || Rules {
            rules: Code::ALL.iter().copied().filter_map(entry).map(document).collect(),
        })?;
        return Ok(Outcome::Fine);
    };
    let code = Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(text));
    let entry = code.and_then(entry).ok_or_else(|| {
        let hint = match nearest(text, Code::ALL.iter().map(|code| code.id())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`shall rule` lists the codes".into(),
        };
        Error::Usage(format!("there is no code `{text}`; {hint}"))
    })?;
    output.show(|| page(entry), || Rules { rules: vec![document(entry)] })?;
    Ok(Outcome::Fine)
}

/// The codes of findings.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Rules {
    /// All codes, or the requested one.
    rules: Vec<Manual>,
}

/// The manual of a code.
#[derive(Serialize, JsonSchema)]
struct Manual {
    /// The code.
    code: &'static str,
    /// `error` or `warning`.
    severity: &'static str,
    /// What it is about.
    summary: &'static str,
    /// Why it matters.
    why: &'static str,
    /// An example that has the finding.
    wrong: &'static str,
    /// The example without the finding.
    right: &'static str,
}

/// An entry for people.
fn page(entry: &Entry) -> String {
    let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let (id, summary) = (entry.code.id(), entry.code.summary());
    let severity = entry.code.severity().name();
    format!(
        "{id} ({severity}): {summary}\n\n{}\n\nWrong:\n\n{}\nRight:\n\n{}",
        entry.why,
        indented(entry.wrong),
        indented(entry.right)
    )
}

fn document(entry: &Entry) -> Manual {
    Manual {
        code: entry.code.id(),
        severity: entry.code.severity().name(),
        summary: entry.code.summary(),
        why: entry.why,
        wrong: entry.wrong,
        right: entry.right,
    }
}
