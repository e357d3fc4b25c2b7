//! What recorded traces say about the requirements of a project, for its report.

use super::plan::Plan;
use super::show::lasting;
use super::traces::{Source, expanded};
use super::{Evaluation, File, Request, in_order};
use crate::Error;
use crate::around::{Asked, Sources};
use crate::cli::{Eval, Known, Time};
use project::logs::{Log, Verdict, Violation, Word};
use project::{Config, Place};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most violations of a requirement in one trace that are shown.
const MAX_SHOWN: usize = 5;

/// The traces that a report is about: those given, or else those that the project file names. A pattern of the project file that no file
/// fits names none.
pub(in crate::commands) fn files(
    root: &Path,
    config: &Config,
    given: &[PathBuf],
) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in given {
        found.extend(expanded(path)?);
    }
    if given.is_empty() {
        found.extend(config.logs.iter().flat_map(|it| expanded(&root.join(it)).unwrap_or_default()));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// What each trace says about all requirements with a formal meaning.
pub(in crate::commands) fn logs(project: &Path, root: &Path, traces: &[PathBuf]) -> Result<Vec<Log>, Error> {
    let command = Eval::all(Known::default(), Some(project.to_path_buf()), Vec::new(), Time::Stamps);
    let sources = Sources::open(&command.around, [])?;
    let asked = sources.asked(&[])?;
    let request = Request::new(&command, &sources, &asked, traces.len())?;
    let mut logs = Vec::new();
    let evaluate =
        |path: &Path, plan: &mut Option<Arc<Plan>>| File::evaluated(&request, &Source::of(path)?, plan);
    in_order(traces, evaluate, |path, file| {
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let (file, length) = match file {
            Ok(file) => {
                let length = Ok((file.steps, file.of.clone()));
                (file, length)
            }
            Err(error) => (request.unread(path, &error.to_string())?, Err(error.to_string())),
        };
        let places = asked.iter().filter_map(|it| match it {
            Asked::Requirement(place) => Some(*place),
            Asked::Text(_) => None,
        });
        let verdicts = places.zip(&file.evaluations).map(|(place, it)| verdict(place, it)).collect();
        request.progress.done();
        logs.push(Log { name, length, verdicts });
        Ok(())
    })?;
    Ok(logs)
}

fn verdict(place: Place, evaluation: &Evaluation) -> Verdict {
    let shown = evaluation.violations.iter().take(MAX_SHOWN);
    let violations = shown.map(|it| Violation {
        step: it.step,
        reason: format!("{}{}", it.reason, lasting(it)),
        around: it.drawn.clone(),
    });
    let why = evaluation.holds.as_ref().err().map(ToString::to_string);
    Verdict {
        place,
        word: match (&evaluation.holds, evaluation.is_vacuous) {
            (Ok(false), _) => Word::Violated,
            (Ok(true), Some(true)) => Word::Vacuous,
            (Ok(true), _) => Word::Holds,
            (Err(_), _) => Word::NotChecked,
        },
        reason: why.or_else(|| evaluation.reason.clone()).unwrap_or_default(),
        count: evaluation.count,
        violations: violations.collect(),
        more: evaluation.violations.len().saturating_sub(MAX_SHOWN) as u64 + evaluation.more,
    }
}
