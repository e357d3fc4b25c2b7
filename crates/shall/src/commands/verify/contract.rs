//! A contract in Lustre as what is to be verified of another model.

use crate::cli::model::Verify;
use crate::commands::model::complain;
use crate::commands::source::{Chosen, Hints, Source};
use crate::files::read_bytes;
use crate::{Error, Outcome, tell};
use exchange::mapping::{self, Mapping};
use simulink::attach::{Wire, attach};
use system::System;

/// A contract, and which ports its variables are.
pub(super) struct Contract {
    observer: System,
    mapping: Option<Mapping>,
}

impl Contract {
    /// The contract that the command names.
    pub(super) fn open(command: &Verify) -> Result<Option<Contract>, Error> {
        let Some(file) = &command.contract else { return Ok(None) };
        let source = Source::open(file, &Hints::default())?;
        let Source::Lustre { program, .. } = &source else {
            return Err(Error::usage("--contract: a contract is in a Lustre file"));
        };
        let contracts = program.contracts();
        let mapping = match &command.mapping {
            None => None,
            Some(path) => {
                let mappings = mapping::read(&read_bytes(path)?).map_err(Error::about(path))?;
                let known = |it: &Mapping| contracts.iter().any(|contract| contract.name == it.contract);
                let found = mappings.into_iter().find(known);
                let hint = "it is not about a contract of that file";
                Some(found.ok_or_else(|| Error::file(path, hint))?)
            }
        };
        let name = match (&mapping, &contracts[..]) {
            (Some(mapping), _) => mapping.contract.clone(),
            (None, [only]) => only.name.clone(),
            (None, []) => {
                return Err(Error::usage("--contract: there is no contract with a name in that file"));
            }
            (None, _) => {
                return Err(Error::usage("--contract: the file has several contracts; --mapping says which"));
            }
        };
        match program.observer(&name) {
            Ok(observer) => Ok(Some(Contract { observer, mapping })),
            Err(found) => {
                source.tell(&found);
                Err(Error::Usage(format!("--contract: `{name}` cannot be used; see above")))
            }
        }
    }

    /// The part of the model that the mapping is about.
    pub(super) fn node(&self) -> Option<&str> {
        self.mapping.as_ref().map(|mapping| mapping.path.as_str())
    }

    /// The system with the contract as its properties.
    pub(super) fn attached(&self, chosen: Chosen) -> Result<Chosen, Error> {
        let Chosen { node, mut system, signals } = chosen;
        system.properties.clear();
        let mapped = self.mapping.iter().flat_map(|it| it.inputs.iter().chain(&it.outputs));
        let wires: Vec<Wire> = mapped
            .map(|it| Wire { variable: it.name.clone(), path: it.path.clone(), index: it.index })
            .collect();
        let free = attach(&mut system, &node, &self.observer, &wires).map_err(|problems| {
            complain(&problems);
            Error::Reported(Outcome::Findings)
        })?;
        for name in free {
            tell(format_args!(
                "`{name}` of the contract is not a signal of the model: it may have any value"
            ));
        }
        Ok(Chosen { node, system, signals })
    }
}
