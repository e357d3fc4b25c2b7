//! What a run of the command leaves behind.

use std::process::{Command, Output};

/// A run that has ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        let code = output.status.code().expect("an exit code");
        Run { code, out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The command with these arguments, without colours.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shall"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}
