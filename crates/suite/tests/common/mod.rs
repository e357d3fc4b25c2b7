//! Sets of requirements in text.

use logic::Store;
use realize::{Budget, Member, Order};
use requirement::sentence::read;
use requirement::specification::{Kind, Type, Variable};
use requirement::{Context, Reading, Requirement};
use shall_suite::{Config, Criterion, Suite, suite};
use std::time::Duration;

/// A set in text: `in a b: bool` or `out x: real` lines declare, `assume …` is a promise, all others are sentences.
pub(crate) struct Text {
    pub(crate) store: Store,
    pub(crate) variables: Vec<Variable>,
    pub(crate) requirements: Vec<(Requirement, bool)>,
}

impl Text {
    pub(crate) fn read(text: &str) -> Text {
        let mut set = Text { store: Store::default(), variables: Vec::new(), requirements: Vec::new() };
        for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let declared = line.split_once(": ").and_then(|(names, ty)| {
                let (kind, names) = names.split_once(' ')?;
                let kind = match kind {
                    "in" => Kind::Input,
                    "out" => Kind::Output,
                    _ => return None,
                };
                Some((kind, names, Type::parse(ty).ok()?))
            });
            if let Some((kind, names, ty)) = declared {
                set.variables.extend(names.split(' ').map(|name| Variable {
                    name: name.to_owned(),
                    kind,
                    ty: ty.clone(),
                    unit: None,
                    definition: None,
                    phrase: None,
                    description: String::new(),
                }));
                continue;
            }
            let (sentence, assumption) = match line.strip_prefix("assume ") {
                Some(rest) => (rest, true),
                None => (line, false),
            };
            let read = read(&mut set.store, sentence, &Context::default());
            let requirement =
                read.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", read.diagnostics));
            set.requirements.push((requirement, assumption));
        }
        set
    }

    pub(crate) fn suite(&mut self, criteria: &[Criterion]) -> Suite {
        let left = || Duration::from_secs(60);
        let config = Config {
            criteria,
            reading: Reading::Endless,
            order: Order::Mealy,
            budget: Budget::DEFAULT,
            left: &left,
        };
        let members: Vec<Member> = self
            .requirements
            .iter()
            .map(|(requirement, assumption)| Member { id: "R", requirement, assumption: *assumption })
            .collect();
        suite(&mut self.store, &self.variables, &members, config)
    }
}
