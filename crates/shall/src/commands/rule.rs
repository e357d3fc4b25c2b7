//! `shall rule`: what the codes of findings mean.

use crate::cli::Output;
use crate::cli::check::Rule;
use crate::{Error, Outcome};
use diagnostics::Code;
use project::rules::manual;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::nearest;

pub(crate) fn run(command: &Rule, output: Output) -> Result<Outcome, Error> {
    let Some(text) = &command.code else {
        let line = |code: Code| format!("{}  {}\n", code.id(), code.entry().summary);
        output.show(
            || manual::codes().into_iter().map(line).collect(),
            || Rules { rules: manual::codes().into_iter().map(Manual::from).collect() },
        )?;
        return Ok(Outcome::Fine);
    };
    let code = manual::find(&text.to_uppercase()).ok_or_else(|| {
        let hint = match nearest(text, manual::codes().iter().map(|code| code.id())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`shall rule` lists the codes".into(),
        };
        Error::Usage(format!("there is no code `{text}`; {hint}"))
    })?;
    output.show(|| page(code), || Rules { rules: vec![code.into()] })?;
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

impl From<Code> for Manual {
    fn from(code: Code) -> Manual {
        let entry = code.entry();
        Manual {
            code: entry.id,
            severity: code.severity().name(),
            summary: entry.summary,
            why: entry.why,
            wrong: entry.wrong,
            right: entry.right,
        }
    }
}

/// An entry for people.
fn page(code: Code) -> String {
    let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let entry = code.entry();
    format!(
        "{} ({}): {}\n\n{}\n\nWrong:\n\n{}\nRight:\n\n{}",
        entry.id,
        code.severity().name(),
        entry.summary,
        entry.why,
        indented(entry.wrong),
        indented(entry.right)
    )
}
