//! `shall lsp`: the language server, until the editor ends it.

use crate::{Outcome, lsp};

pub(crate) fn run() -> Result<Outcome, String> {
    lsp::run()
}
