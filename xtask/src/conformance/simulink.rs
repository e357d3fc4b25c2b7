//! Simulink models of the Lockheed Martin challenge: every file is read without trouble, has the blocks that are known, is the
//! same after writing and reading it again, and has no link to a library block that is not known.

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

/// Reads all files; fails if one has a trouble or a count is not what is known.
pub(crate) fn check(folder: &Path) -> Result<(), String> {
    let folder = folder.join("simulink");
    let files = read_all(&folder)?;
    files_are_read(&files)?;
    originals(&files, &folder)?;
    round_trips(&files)?;
    links(&files)
}

fn read_all(folder: &Path) -> Result<Vec<File>, String> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let shown = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(shown)? {
            let path = entry.map_err(shown)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "mdl" || it == "slx") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Result<File, String> {
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let start = Instant::now();
    let reading = simulink::read(&bytes, &Limits::default());
    Ok(File { path, reading, time: start.elapsed() })
}

fn blocks(diagram: &Diagram) -> usize {
    diagram.sheets.iter().map(|sheet| sheet.blocks.len()).sum()
}

fn files_are_read(files: &[File]) -> Result<(), String> {
    for file in files {
        if let Some(trouble) = file.reading.problems.first() {
            return Err(format!("{}: {trouble}", file.path.display()));
        }
    }
    let count = |kind| files.iter().filter(|it| it.path.extension().is_some_and(|it| it == kind)).count();
    let (mdl, slx) = (count("mdl"), count("slx"));
    if (mdl, slx) != (23, 64) {
        return Err(format!("{mdl} .mdl and {slx} .slx files instead of 23 and 64"));
    }
    let all: usize = files.iter().map(|it| blocks(&it.reading.diagram)).sum();
    let slowest = files.iter().max_by_key(|it| it.time).map_or(Duration::ZERO, |it| it.time);
    println!(
        "{mdl} .mdl and {slx} .slx files are read without trouble, {all} blocks; the slowest takes {:.0} ms",
        slowest.as_secs_f64() * 1e3
    );
    Ok(())
}

fn originals(files: &[File], folder: &Path) -> Result<(), String> {
    for (name, expected, subsystems) in ORIGINALS {
        let path = folder.join("original").join(name);
        let file = files.iter().find(|it| it.path == path).ok_or_else(|| format!("{name} is missing"))?;
        let diagram = &file.reading.diagram;
        let found = (blocks(diagram), diagram.sheets.len().saturating_sub(1));
        if found != (expected, subsystems) {
            return Err(format!(
                "{name}: {found:?} blocks and subsystems instead of {:?}",
                (expected, subsystems)
            ));
        }
    }
    println!("the {} original models have the blocks and subsystems that are known", ORIGINALS.len());
    Ok(())
}

fn round_trips(files: &[File]) -> Result<(), String> {
    for file in files {
        let again = simulink::read(simulink::write(&file.reading.diagram).as_bytes(), &Limits::default());
        if let Some(trouble) = again.problems.first() {
            return Err(format!("{}, written: {trouble}", file.path.display()));
        }
        if kept(again.diagram) != kept(file.reading.diagram.clone()) {
            return Err(format!("{} differs after it is written and read", file.path.display()));
        }
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

fn links(files: &[File]) -> Result<(), String> {
    let mut expanded = 0;
    for file in files {
        let mut diagram = file.reading.diagram.clone();
        expanded += diagram
            .sheets
            .iter()
            .flat_map(|it| &it.blocks)
            .filter(|it| it.kind == BlockKind::Reference)
            .count();
        if let Some(trouble) = library::expand(&mut diagram).first() {
            return Err(format!("{}: {trouble:?}", file.path.display()));
        }
    }
    println!("{expanded} links to library blocks are resolved");
    Ok(())
}
