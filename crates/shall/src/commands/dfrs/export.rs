//! `shall dfrs export`: the model for other tools.

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::{Export, Target};
use crate::{Outcome, print};
use ::export::dfrs as targets;
use dfrs::tiots::tiots;
use dfrs::{Dfrs, Semantics, compile};

/// A transition system may have so many states.
const MAX_STATES: usize = 20_000;

/// The delays of a transition system.
const DELAYS: [i64; 1] = [1];

pub(super) fn run(command: &Export, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(Output::Human) else { return loaded.failed(output) };
    let text = text(system, command.to, command.meaning.semantics())?;
    match &command.file {
        None => print(text)?,
        Some(file) => std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?,
    }
    Ok(loaded.outcome())
}

fn text(system: &Dfrs, target: Target, semantics: Semantics) -> Result<String, String> {
    let transitions = || {
        let machine = compile(system, semantics).map_err(|infinite| infinite.reason(system))?;
        let found = tiots(&machine, &DELAYS, MAX_STATES);
        match found.complete {
            true => Ok(found),
            false => Err(format!("the transition system has more than {MAX_STATES} states")),
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
    text.map_err(|refusal| refusal.reason(system))
}
