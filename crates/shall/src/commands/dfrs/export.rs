//! `shall dfrs export`: the model for other tools.

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::{Export, Target};
use crate::files::write_file;
use crate::{Error, Outcome};
use ::export::dfrs as targets;
use dfrs::tiots::tiots;
use dfrs::{Dfrs, Semantics, compile};
use std::path::Path;

/// The most states of a transition system.
const MAX_STATES: usize = 20_000;

/// The delays of a transition system.
const DELAYS: [i64; 1] = [1];

pub(super) fn run(command: &Export) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(Output::Human) else { return Ok(Outcome::Findings) };
    let text = text(system, command.to, command.meaning.semantics())?;
    write_file(command.file.as_deref().unwrap_or(Path::new("-")), text)?;
    Ok(loaded.outcome())
}

fn text(system: &Dfrs, target: Target, semantics: Semantics) -> Result<String, Error> {
    let transitions = || {
        let machine =
            compile(system, semantics).map_err(|infinite| Error::Refused(infinite.reason(system)))?;
        let found = tiots(&machine, &DELAYS, MAX_STATES);
        match found.complete {
            true => Ok(found),
            false => Err(Error::Refused(format!("the transition system has more than {MAX_STATES} states"))),
        }
    };
    let text = match target {
        Target::Dot => Ok(targets::system_graph(system)),
        Target::Uppaal => targets::uppaal(system, semantics),
        Target::Smv => targets::smv(system, semantics),
        Target::Scr => Ok(targets::scr_tables(system)),
        Target::ScrCsv => Ok(targets::scr_csv(system)),
        Target::CspSharp => targets::csp_sharp(system, semantics),
        Target::Cspm => targets::cspm(system, semantics),
        Target::TiotsDot => Ok(targets::transition_graph(system, &transitions()?)),
        Target::TiotsAut => Ok(targets::aldebaran(system, &transitions()?)),
    };
    text.map_err(|refusal| Error::Refused(refusal.reason(system)))
}
