//! `shall rule`: what the codes of findings mean.

use crate::cli::Output;
use crate::cli::check::Rule;
use crate::{Outcome, json, print};
use diagnostics::Code;
use project::rules::manual;
use serde_json::{Value as Json, json};
use syntax::nearest;

pub(crate) fn run(command: &Rule, output: Output) -> Result<Outcome, String> {
    match &command.code {
        None => {
            let codes = manual::codes().into_iter();
            match output {
                Output::Human => {
                    let lines = codes.map(|code| format!("{}  {}\n", code.id(), code.entry().summary));
                    print(lines.collect::<String>())?;
                }
                Output::Json | Output::JsonLines => {
                    json::write(&codes.map(twin).collect::<Vec<_>>(), output, true)?;
                }
            }
        }
        Some(text) => {
            let code = manual::find(&text.to_uppercase()).ok_or_else(|| {
                let hint = match nearest(text, manual::codes().iter().map(|code| code.id())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`shall rule` lists them".into(),
                };
                format!("`{text}` is not a code; {hint}")
            })?;
            match output {
                Output::Human => print(page(code))?,
                Output::Json | Output::JsonLines => json::write(&[twin(code)], output, false)?,
            }
        }
    }
    Ok(Outcome::Fine)
}

/// An entry for people.
fn page(code: Code) -> String {
    let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let (severity, entry) = (code.severity().name(), code.entry());
    format!(
        "{} ({severity}): {}\n\n{}\n\nWrong:\n\n{}\nRight:\n\n{}",
        entry.id,
        entry.summary,
        entry.why,
        indented(entry.wrong),
        indented(entry.right)
    )
}

fn twin(code: Code) -> Json {
    let entry = code.entry();
    json!({
        "code": entry.id,
        "severity": code.severity().name(),
        "summary": entry.summary,
        "why": entry.why,
        "wrong": entry.wrong,
        "right": entry.right,
    })
}
