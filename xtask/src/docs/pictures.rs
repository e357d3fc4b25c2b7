//! The pictures in `docs`: each is drawn by `shall` with the arguments in this table.

use crate::failure::{At, Failure, Result};
use crate::files;
use std::path::PathBuf;
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

const fn drawn(path: &'static str, arguments: &'static [&'static str]) -> Picture {
    Picture { path, arguments, needs: None }
}

pub(super) const PICTURES: &[Picture] = &[
    drawn(
        "docs/meaning.svg",
        &[
            "explain",
            "--svg",
            "FOLDER/meaning.svg",
            "in roll_hold mode, when turn_knob >= 3, RollAP shall within 2 ticks satisfy reference = turn_knob",
        ],
    ),
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
    drawn("docs/timelines/answered.svg", &["timeline", "G (a -> F !a)", "-o", "FOLDER/it.svg"]),
    drawn("docs/timelines/eventually.svg", &["timeline", "F a", "-o", "FOLDER/it.svg"]),
    drawn("docs/timelines/handed-over.svg", &["timeline", "G (a & b -> X !b)", "-o", "FOLDER/it.svg"]),
    drawn(
        "docs/timelines/lanes.svg",
        &[
            "timeline",
            "G (cancel -> X go) -> G (req -> X grant | X X grant | X X X grant) & G (grant -> X !grant) \
             & G (cancel -> X (!grant U go))",
            "-o",
            "FOLDER/it.svg",
        ],
    ),
    drawn("docs/timelines/never.svg", &["timeline", "G ((p & X !p) & (!p & X p))", "-o", "FOLDER/it.svg"]),
    drawn(
        "docs/timelines/oscillates.svg",
        &["timeline", "G ((p & X !p) | (!p & X p))", "-o", "FOLDER/it.svg"],
    ),
    drawn(
        "docs/timelines/random.svg",
        &["timeline", "p2 & (F G p0 U X (G p1 & (((p0 -> p2) & (p2 -> p0)) U F p0)))", "-o", "FOLDER/it.svg"],
    ),
    drawn(
        "docs/timelines/within.svg",
        &["timeline", "when p the pump shall within 3 ticks satisfy q", "-o", "FOLDER/it.svg"],
    ),
];

/// Draws a picture; `None` if a program for it is not installed.
pub(super) fn draw(picture: &Picture, check: bool) -> Result<Option<Vec<u8>>> {
    if let Some(program) = picture.needs.filter(|program| !installed(program)) {
        println!("{}: left as it is, because `{program}` is not installed", picture.path);
        return Ok(None);
    }
    let shall = program(check)?;
    let folder = std::env::temp_dir().join(format!("shall-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).at(&folder)?;
    let place = folder.display().to_string();
    let arguments = picture.arguments.iter().map(|argument| argument.replace("FOLDER", &place));
    let output = Command::new(&shall).args(arguments).current_dir(files::root()).output().at(&shall)?;
    let entries = files::entries(&folder)?;
    let drawn = entries.iter().find(|path| path.extension().is_some_and(|extension| extension == "svg"));
    let bytes = drawn.map(|path| files::bytes(path));
    std::fs::remove_dir_all(&folder).at(&folder)?;
    let message = || format!("{}: {}", picture.path, String::from_utf8_lossy(&output.stderr));
    bytes.unwrap_or_else(|| Err(Failure::Program(message()))).map(Some)
}

/// The program `shall` beside this one. It is built first, unless this is a check and it is there: tests build both.
fn program(check: bool) -> Result<PathBuf> {
    let program = std::env::current_exe().at("xtask".as_ref())?;
    let program = program.with_file_name(format!("shall{}", std::env::consts::EXE_SUFFIX));
    if !(check && program.is_file()) {
        let status = files::cargo().args(["build", "--quiet", "--package", "shall"]).status();
        if !status.at("cargo".as_ref())?.success() {
            return Err(Failure::Program("`shall` could not be built".into()));
        }
    }
    Ok(program)
}

fn installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
