//! Public test vectors of data-flow reactive systems, replayed on the models of our examples.

use crate::failure::{OrFail, Result, ensure};
use crate::files;
use dfrs::replay::{Verdict, replay};
use dfrs::vectors::read_vectors;
use dfrs::{Dfrs, Reading, Semantics};
use std::path::Path;
use std::time::Instant;

/// The files of vectors, and the examples that they belong to.
const FILES: [(&str, &str); 3] = [
    ("vm_vectors.csv", "vending_machine_5.req"),
    ("pc_vectors.csv", "priority_command.req"),
    ("tis_vectors.csv", "turn_indicator.req"),
];

/// The one corrupt case, and the time of its wrong row.
const CORRUPT: (&str, u32) = ("samples5_4_vm_table_CE0011", 69);

/// Every case is a run under every reading, and the only run under C, except for the corrupt one.
pub(super) fn check(folder: &Path) -> Result {
    let (mut cases, mut rows, mut seconds) = (0, 0, 0.0f64);
    for (file, example) in FILES {
        let vectors = files::text(&folder.join("dfrs").join(file))?;
        let system = system(&files::text(&Path::new("examples/dfrs").join(example))?)?;
        for reading in Reading::ALL {
            let start = Instant::now();
            let vectors = read_vectors(&system, &vectors).map_err(|problem| problem.message).about(file)?;
            let reports = replay(&system, Semantics::discrete(reading), &vectors);
            if reading == Reading::Synchronous {
                seconds += start.elapsed().as_secs_f64();
                cases += reports.len();
                rows += reports.iter().map(|report| report.rows).sum::<usize>();
            }
            for report in reports {
                let fine = match &report.verdict {
                    Verdict::Deterministic => report.name != CORRUPT.0,
                    Verdict::Possible { .. } => reading != Reading::Synchronous && report.name != CORRUPT.0,
                    Verdict::Wrong(wrong) => report.name == CORRUPT.0 && wrong.time == CORRUPT.1.into(),
                };
                let (letter, name, verdict) = (reading.letter(), &report.name, &report.verdict);
                ensure(fine, format_args!("{file}, reading {letter}: {name}: {verdict:?}"))?;
            }
        }
    }
    println!(
        "{cases} cases of {rows} vectors are runs of our models, except for the corrupt one; {:.1} million vectors per second",
        rows as f64 / seconds / 1e6
    );
    Ok(())
}

fn system(text: &str) -> Result<Dfrs> {
    let lowered = dfrs::lower(&dfrs::read(text));
    lowered.system.ok_or_else(|| format!("{:?}", lowered.diagnostics)).or_fail()
}
