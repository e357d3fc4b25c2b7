//! Simulink models of the Lockheed Martin challenge: every file is read without problems, has the known number of blocks, is the
//! same after writing and reading it again, and links only to known library blocks.

use crate::failure::{OrFail, Result, ensure, problem};
use crate::files;
use simulink::diagram::Diagram;
use simulink::{BlockKind, Limits, Reading, library};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Blocks and subsystems of the original files.
const ORIGINALS: [(&str, usize, usize); 12] = [
    ("triplex_12B.mdl", 479, 27),
    ("fsm_12B.mdl", 279, 18),
    ("fsm_12B_global.mdl", 283, 18),
    ("integrator_12B.mdl", 35, 2),
    ("regs_12B.mdl", 271, 16),
    ("NLGuidance_12B.mdl", 355, 17),
    ("nn_12B.mdl", 699, 103),
    ("EB_12B.mdl", 75, 3),
    ("ap_12B.mdl", 1164, 98),
    ("ap_12B_cocoSim_pp.mdl", 1434, 116),
    ("swim_12B.mdl", 141, 17),
    ("euler321_I2B_12B.mdl", 61, 4),
];

/// One file.
struct File {
    path: PathBuf,
    reading: Reading,
    time: Duration,
}

/// Reads all files; fails if one has a problem or a count is not the known one.
pub(crate) fn check(folder: &Path) -> Result {
    let folder = folder.join("simulink");
    let files = read_all(&folder)?;
    files_are_read(&files)?;
    originals(&files, &folder)?;
    round_trips(&files)?;
    links(&files)
}

fn read_all(folder: &Path) -> Result<Vec<File>> {
    let paths = files::below(folder, &[])?;
    let is_model = |it: &PathBuf| it.extension().is_some_and(|it| it == "mdl" || it == "slx");
    paths.into_iter().filter(is_model).map(read).collect()
}

fn read(path: PathBuf) -> Result<File> {
    let bytes = files::bytes(&path)?;
    let start = Instant::now();
    let reading = simulink::read(&bytes, &Limits::default());
    Ok(File { path, reading, time: start.elapsed() })
}

fn blocks(diagram: &Diagram) -> usize {
    diagram.sheets.iter().map(|sheet| sheet.blocks.len()).sum()
}

fn files_are_read(files: &[File]) -> Result {
    for file in files {
        if let Some(error) = file.reading.problems.first() {
            return problem(format!("{}: {error}", file.path.display()));
        }
    }
    let count = |kind| files.iter().filter(|it| it.path.extension().is_some_and(|it| it == kind)).count();
    let (mdl, slx) = (count("mdl"), count("slx"));
    ensure((mdl, slx) == (23, 64), format!("{mdl} .mdl and {slx} .slx files instead of 23 and 64"))?;
    let all: usize = files.iter().map(|it| blocks(&it.reading.diagram)).sum();
    let slowest = files.iter().max_by_key(|it| it.time).map_or(Duration::ZERO, |it| it.time);
    println!(
        "{mdl} .mdl and {slx} .slx files are read without problems, {all} blocks; the slowest takes {:.0} ms",
        slowest.as_secs_f64() * 1e3
    );
    Ok(())
}

fn originals(files: &[File], folder: &Path) -> Result {
    for (name, expected, subsystems) in ORIGINALS {
        let path = folder.join("original").join(name);
        let file = files.iter().find(|it| it.path == path).ok_or("the file is missing").about(name)?;
        let diagram = &file.reading.diagram;
        let found = (blocks(diagram), diagram.sheets.len().saturating_sub(1));
        let expected = (expected, subsystems);
        let message = format!("{name}: {found:?} blocks and subsystems instead of {expected:?}");
        ensure(found == expected, message)?;
    }
    println!("the {} original models have the known numbers of blocks and subsystems", ORIGINALS.len());
    Ok(())
}

fn round_trips(files: &[File]) -> Result {
    for file in files {
        let again = simulink::read(simulink::write(&file.reading.diagram).as_bytes(), &Limits::default());
        if let Some(error) = again.problems.first() {
            return problem(format!("{}, written: {error}", file.path.display()));
        }
        let same = kept(again.diagram) == kept(file.reading.diagram.clone());
        ensure(same, "the model differs after it is written and read").about(file.path.display())?;
    }
    println!("all of them are the same after they are written as text and read again");
    Ok(())
}

/// What the writer keeps.
fn kept(mut diagram: Diagram) -> Diagram {
    diagram.settings.0.sort();
    diagram.workspace = diagram.workspace.and_then(|file| file.get(124..).map(<[u8]>::to_vec));
    diagram.sheets.iter_mut().flat_map(|sheet| &mut sheet.blocks).for_each(|block| block.line = 0);
    diagram
}

fn links(files: &[File]) -> Result {
    let mut expanded = 0;
    for file in files {
        let mut diagram = file.reading.diagram.clone();
        let blocks = diagram.sheets.iter().flat_map(|it| &it.blocks);
        expanded += blocks.filter(|it| it.kind == BlockKind::Reference).count();
        if let Some(error) = library::expand(&mut diagram).first() {
            return problem(format!("{}: {error:?}", file.path.display()));
        }
    }
    println!("{expanded} links to library blocks are resolved");
    Ok(())
}
