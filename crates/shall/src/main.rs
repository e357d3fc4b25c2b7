//! The `shall` command; everything it does is in the library.

fn main() -> std::process::ExitCode {
    shall::run(std::env::args_os())
}
