//! `shall dfrs test`: test cases that cover the requirements and kill their mutants.

use super::{Loaded, Moment};
use crate::cli::Output;
use crate::cli::dfrs::Test;
use crate::files::{is_standard, write_file};
use crate::{Error, Outcome, render};
use base::counted;
use dfrs::Dfrs;
use dfrs::explore::Environment;
use dfrs::suite::{Fate, Obligation, Options, Status, Suite, csv, generate};
use schemars::JsonSchema;
use serde::Serialize;

/// A kind of obligations: its name in output, and which they are.
type Kind = (&'static str, fn(&Obligation) -> bool);

const KINDS: [Kind; 4] = [
    ("requirements", |it| matches!(it, Obligation::Fires { .. })),
    ("conditions", |it| matches!(it, Obligation::Decides { .. })),
    ("boundaries", |it| matches!(it, Obligation::Bound { .. })),
    ("pairs", |it| matches!(it, Obligation::Pair { .. })),
];

pub(super) fn run(command: &Test, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let options = Options {
        reading: command.meaning.semantics().reading,
        environment: if command.one_input { Environment::OneAtATime } else { Environment::Free },
        pairs: !command.no_pairs,
        mutants: !command.no_mutants,
        ..Options::default()
    };
    if command.meaning.dense {
        return Err(Error::usage("--dense: tests are generated in discrete time"));
    }
    let suite = generate(system, options).map_err(|infinite| Error::Refused(infinite.reason(system)))?;
    if let Some(file) = &command.file {
        let text = match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => csv(system, &suite.cases),
            None if is_standard(file) => csv(system, &suite.cases),
            Some("c") => ::export::harness::c(system, &suite),
            _ => return Err(Error::file(file, "the name must end in .csv or .c")),
        };
        write_file(file, text)?;
    }
    let human = || {
        let vectors = if command.file.is_none() { csv(system, &suite.cases) } else { String::new() };
        render::lines(&format!("{vectors}{}", human(system, &suite)))
    };
    // Tests on standard output are not mixed with the summary.
    if !command.file.as_deref().is_some_and(is_standard) {
        output.show(human, || document(system, &suite))?;
    }
    let open = suite.obligations.iter().any(|(_, status)| *status == Status::Unknown)
        || suite.mutants.iter().any(|(_, fate)| *fate == Fate::Unknown);
    Ok(if open { Outcome::Inconclusive } else { Outcome::Fine })
}

fn human(system: &Dfrs, suite: &Suite) -> String {
    let mut out = String::new();
    for (name, kind) in KINDS {
        let tally = suite.tally(kind);
        out.push_str(&format!("# {name}: {} covered, {} unreachable", tally.covered, tally.unreachable));
        if tally.ambiguous > 0 {
            out.push_str(&format!(", {} only where the system is not deterministic", tally.ambiguous));
        }
        if tally.unknown > 0 {
            out.push_str(&format!(", {} unknown", tally.unknown));
        }
        out.push('\n');
    }
    let score = suite.score();
    if !suite.mutants.is_empty() {
        out.push_str(&format!(
            "# mutants: {} killed, {} equivalent, {} unknown\n",
            score.killed, score.equivalent, score.unknown
        ));
    }
    let requirements = system.requirements.len().max(1);
    out.push_str(&format!(
        "# {}, {}, {:.1} for each requirement\n",
        counted(suite.cases.len(), "case"),
        counted(suite.vectors(), "vector"),
        suite.vectors() as f64 / requirements as f64
    ));
    out
}

/// A test suite.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Tested<'a> {
    /// The test cases.
    cases: Vec<Case<'a>>,
    /// The number of rows of all test cases.
    vectors: usize,
    /// What the test cases cover.
    coverage: Coverage,
    /// What became of the mutants.
    mutants: Mutants,
    /// Whether everything was searched.
    complete: bool,
}

/// A test case.
#[derive(Serialize, JsonSchema)]
struct Case<'a> {
    /// Its name.
    case: &'a str,
    /// Its rows.
    rows: Vec<Moment>,
}

/// What test cases cover.
#[derive(Serialize, JsonSchema)]
struct Coverage {
    /// Requirements that react.
    requirements: Tally,
    /// Conditions that decide (MC/DC).
    conditions: Tally,
    /// Delays at their bounds.
    boundaries: Tally,
    /// Pairs of requirements, one after the other.
    pairs: Tally,
}

/// The number of things to cover, by what became of them.
#[derive(Serialize, JsonSchema)]
struct Tally {
    /// Covered by a test case.
    covered: usize,
    /// Proved unreachable.
    unreachable: usize,
    /// Reachable only where the system is not deterministic.
    ambiguous: usize,
    /// Not decided.
    unknown: usize,
}

/// The number of mutants, by what became of them.
#[derive(Serialize, JsonSchema)]
struct Mutants {
    /// Killed by a test case.
    killed: usize,
    /// Proved equivalent.
    equivalent: usize,
    /// Not decided.
    unknown: usize,
}

fn document<'a>(system: &Dfrs, suite: &'a Suite) -> Tested<'a> {
    let case = |case: &'a dfrs::suite::Case| Case {
        case: &case.name,
        rows: case.rows.iter().map(|row| Moment::of(system, row)).collect(),
    };
    let [requirements, conditions, boundaries, pairs] = KINDS.map(|(_, kind)| {
        let tally = suite.tally(kind);
        Tally {
            covered: tally.covered,
            unreachable: tally.unreachable,
            ambiguous: tally.ambiguous,
            unknown: tally.unknown,
        }
    });
    let score = suite.score();
    Tested {
        cases: suite.cases.iter().map(case).collect(),
        vectors: suite.vectors(),
        coverage: Coverage { requirements, conditions, boundaries, pairs },
        mutants: Mutants { killed: score.killed, equivalent: score.equivalent, unknown: score.unknown },
        complete: suite.stopped.is_none(),
    }
}
