//! `shall rule`: what the codes of findings mean.

use crate::cli::Output;
use crate::cli::check::Rule;
use crate::{Outcome, json, print};
use project::rules::manual::{Entry, entry};
use serde_json::{Value as Json, json};
use syntax::{Code, nearest};

pub(crate) fn run(command: &Rule, output: Output) -> Result<Outcome, String> {
    match &command.code {
        None => {
            let twins: Vec<Json> = Code::ALL.iter().copied().filter_map(entry).map(twin).collect();
            match output {
                Output::Human => {
                    let lines = Code::ALL.iter().map(|code| format!("{}  {}\n", code.id(), code.summary()));
                    print(lines.collect::<String>())?;
                }
                Output::Json | Output::JsonLines => json::write(&twins, output, true)?,
            }
        }
        Some(text) => {
            let code = Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(text));
            let entry = code.and_then(entry).ok_or_else(|| {
                let hint = match nearest(text, Code::ALL.iter().map(|code| code.id())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`shall rule` lists them".into(),
                };
                format!("`{text}` is no code; {hint}")
            })?;
            match output {
                Output::Human => print(page(entry))?,
                Output::Json | Output::JsonLines => json::write(&[twin(entry)], output, false)?,
            }
        }
    }
    Ok(Outcome::Fine)
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

fn twin(entry: &Entry) -> Json {
    json!({
        "code": entry.code.id(),
        "severity": entry.code.severity().name(),
        "summary": entry.code.summary(),
        "why": entry.why,
        "wrong": entry.wrong,
        "right": entry.right,
    })
}
