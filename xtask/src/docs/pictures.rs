//! The pictures in `docs`: each is drawn by `shall` with the arguments in this table.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A picture and how it is drawn.
pub(super) struct Picture {
    /// The file, from the root of the project.
    pub(super) path: &'static str,
    /// The arguments of `shall`; `FOLDER` in them is an empty folder, in which the command writes one SVG file.
    arguments: &'static [&'static str],
    /// A program that the command needs. The picture is left as it is where that is not installed.
    needs: Option<&'static str>,
}

const fn timeline(path: &'static str, arguments: &'static [&'static str; 4]) -> Picture {
    Picture { path, arguments, needs: None }
}

pub(super) const PICTURES: &[Picture] = &[
    Picture {
        path: "docs/meaning.svg",
        arguments: &[
            "explain",
            "--svg",
            "FOLDER/meaning.svg",
            "in roll_hold mode, when turn_knob >= 3, RollAP shall within 2 ticks satisfy reference = turn_knob",
        ],
        needs: None,
    },
    Picture {
        path: "docs/walkthrough.svg",
        arguments: &[
            "verify",
            "examples/simulink/RollAutopilot.mdl",
            "--requirements",
            "examples/simulink",
            "--component",
            "RollAutopilot",
            "--requirement",
            "AP-102",
            "--save",
            "FOLDER",
        ],
        needs: Some("z3"),
    },
    timeline("docs/timelines/answered.svg", &["timeline", "G (a -> F !a)", "-o", "FOLDER/it.svg"]),
    timeline("docs/timelines/eventually.svg", &["timeline", "F a", "-o", "FOLDER/it.svg"]),
    timeline("docs/timelines/handed-over.svg", &["timeline", "G (a & b -> X !b)", "-o", "FOLDER/it.svg"]),
    timeline(
        "docs/timelines/lanes.svg",
        &[
            "timeline",
            "G (cancel -> X go) -> G (req -> X grant | X X grant | X X X grant) & G (grant -> X !grant) \
             & G (cancel -> X (!grant U go))",
            "-o",
            "FOLDER/it.svg",
        ],
    ),
    timeline("docs/timelines/never.svg", &["timeline", "G ((p & X !p) & (!p & X p))", "-o", "FOLDER/it.svg"]),
    timeline(
        "docs/timelines/oscillates.svg",
        &["timeline", "G ((p & X !p) | (!p & X p))", "-o", "FOLDER/it.svg"],
    ),
    timeline(
        "docs/timelines/random.svg",
        &["timeline", "p2 & (F G p0 U X (G p1 & (((p0 -> p2) & (p2 -> p0)) U F p0)))", "-o", "FOLDER/it.svg"],
    ),
    timeline(
        "docs/timelines/within.svg",
        &["timeline", "when p the pump shall within 3 ticks satisfy q", "-o", "FOLDER/it.svg"],
    ),
];

/// Draws a picture; `None` if a program for it is not installed.
pub(super) fn draw(root: &Path, picture: &Picture, check: bool) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    if let Some(program) = picture.needs.filter(|program| !installed(program)) {
        println!("{}: left as it is, because `{program}` is not installed", picture.path);
        return Ok(None);
    }
    let shall = program(root, check)?;
    let folder = std::env::temp_dir().join(format!("shall-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let place = folder.display().to_string();
    let arguments = picture.arguments.iter().map(|argument| argument.replace("FOLDER", &place));
    let output = Command::new(shall).args(arguments).current_dir(root).output()?;
    let mut files = std::fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let drawn = files.find(|path| path.extension().is_some_and(|extension| extension == "svg"));
    let bytes = drawn.map(std::fs::read);
    std::fs::remove_dir_all(&folder)?;
    match bytes {
        Some(bytes) => Ok(Some(bytes?)),
        None => Err(format!("{}: {}", picture.path, String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// The program `shall` beside this one. It is built first, unless this is a check and it is there: tests build both.
fn program(root: &Path, check: bool) -> Result<PathBuf, Box<dyn Error>> {
    let program = std::env::current_exe()?.with_file_name(format!("shall{}", std::env::consts::EXE_SUFFIX));
    if !(check && program.is_file()) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--package", "shall"])
            .current_dir(root)
            .status()?;
        if !status.success() {
            return Err("`shall` could not be built".into());
        }
    }
    Ok(program)
}

fn installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
