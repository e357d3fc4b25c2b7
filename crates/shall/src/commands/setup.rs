//! `shall completions` and `shall man`: files that a shell or `man` reads.

use crate::cli::{self, Completions, Man};
use crate::files::{create_folder, is_standard, print_bytes, write_file};
use crate::{Error, Outcome};
use std::path::Path;

pub(crate) fn completions(command: &Completions) -> Result<Outcome, Error> {
    let mut out = Vec::new();
    clap_complete::generate(command.shell, &mut cli::command(), "shall", &mut out);
    print_bytes(&out)?;
    Ok(Outcome::Fine)
}

pub(crate) fn man(command: &Man) -> Result<Outcome, Error> {
    let mut root = cli::command();
    root.build();
    match command.folder.as_deref().filter(|folder| !is_standard(folder)) {
        None => print_bytes(&page(&root)?)?,
        Some(folder) => {
            create_folder(folder)?;
            write_pages(&root, folder)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Writes the pages of a command and of its subcommands.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), Error> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    write_file(&folder.join(format!("{name}.1")), page(command)?)?;
    let shown = command.get_subcommands().filter(|it| it.get_name() != "help" && !it.is_hide_set());
    shown.into_iter().try_for_each(|it| write_pages(it, folder))
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut out).map_err(Error::refused)?;
    Ok(out)
}
