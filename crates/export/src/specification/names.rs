//! Legal names for targets, with a record of which names were changed.
//!
//! A legal name stays as it is; the others are made legal and then unique, in the order in which they are requested.
//! Invariant: within one namespace, the written name determines the original.

use base::names::{identifier, unique};
use std::collections::{BTreeMap, BTreeSet};

/// A name that differs from the one in the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// The component it belongs to; `None` if it belongs to the whole file.
    pub component: Option<String>,
    /// The name in the project.
    pub original: String,
    /// The name in the file.
    pub emitted: String,
}

/// What a target accepts as a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Whether a name can be written as it is.
    pub(super) is_plain: fn(&str) -> bool,
    /// The largest number of characters of a name.
    pub(super) longest: usize,
}

/// A namespace.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    rules: Rules,
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new(rules: Rules) -> Names {
        Names { rules, taken: BTreeSet::new() }
    }

    /// Legal and unique names for these names, which differ from each other; from now on they are taken.
    pub(crate) fn take_all<'n>(
        &mut self,
        wanted: impl IntoIterator<Item = &'n str>,
    ) -> BTreeMap<String, String> {
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let mut names = BTreeMap::new();
        // Legal names first, so that no other name takes their place.
        for &name in &wanted {
            if self.is_legal(name) && self.taken.insert(name.to_owned()) {
                names.insert(name.to_owned(), name.to_owned());
            }
        }
        for &name in &wanted {
            if !names.contains_key(name) {
                names.insert(name.to_owned(), self.take(name));
            }
        }
        names
    }

    /// A legal and free name similar to the wanted one; from now on it is taken.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        if self.is_legal(wanted) && self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let mut base = identifier(wanted, "x");
        // All characters are ASCII, and room for a number is left.
        base.truncate(self.rules.longest.saturating_sub(8).max(1));
        // What the target takes for something else by its beginning gets another beginning.
        if !self.is_legal(&format!("{base}_2")) {
            base.insert_str(0, "x_");
        }
        let name = unique(&base, "_", |name| self.is_legal(name) && !self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    fn is_legal(&self, name: &str) -> bool {
        name.len() <= self.rules.longest && (self.rules.is_plain)(name)
    }
}

/// The entries of a map that are changes.
pub(super) fn changes(component: Option<&str>, names: &BTreeMap<String, String>) -> Vec<Renamed> {
    names
        .iter()
        .filter(|(original, emitted)| original != emitted)
        .map(|(original, emitted)| Renamed {
            component: component.map(str::to_owned),
            original: original.clone(),
            emitted: emitted.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::names::is_identifier;

    const RULES: Rules = Rules {
        is_plain: |name| is_identifier(name, "") && name != "int" && !name.starts_with("prev"),
        longest: 20,
    };

    fn check(wanted: &[&str], expected: &[&str]) {
        let mut names = Names::new(RULES);
        let map = names.take_all(wanted.iter().copied());
        let shown: Vec<&str> = wanted.iter().map(|name| map[*name].as_str()).collect();
        assert_eq!(shown, expected);
        let back: BTreeMap<&str, &str> =
            map.iter().map(|(name, emitted)| (emitted.as_str(), name.as_str())).collect();
        assert_eq!(back.len(), wanted.len(), "injective");
        for name in wanted {
            assert_eq!(back[map[*name].as_str()], *name, "reversible");
            assert!(
                RULES.longest >= map[*name].len() && (RULES.is_plain)(&map[*name]),
                "legal: {}",
                map[*name]
            );
        }
        assert_eq!(Names::new(RULES).take_all(wanted.iter().copied()), map, "deterministic");
    }

    #[test]
    fn names_are_legal_unique_and_reversible() {
        check(&["a", "b_1"], &["a", "b_1"]);
        check(&["a.b", "a_b", "a b"], &["a_b_2", "a_b", "a_b_3"]);
        check(&["int", "int_2", "3d", "größe", ""], &["int_3", "int_2", "x3d", "gr__e", "x"]);
        check(&["x", "", "_", "é"], &["x", "x_2", "_", "x_"]);
        check(&["previous", "x_previous", "prev"], &["x_previous_2", "x_previous", "x_prev"]);
        check(
            &["a_very_long_name_indeed", "a_very_long_name_too_", "a_very_long_name"],
            &["a_very_long_", "a_very_long__2", "a_very_long_name"],
        );
    }

    #[test]
    fn random_names_stay_different() {
        // Few letters, so that many names collide.
        let mut rng = base::Random::new(7);
        for _ in 0..200 {
            let mut wanted: BTreeSet<String> = BTreeSet::new();
            for _ in 0..12 {
                let length = rng.below(4);
                wanted.insert((0..length).map(|_| rng.pick(&['a', '_', '.', '2', 'é', ' '])).collect());
            }
            let map = Names::new(RULES).take_all(wanted.iter().map(String::as_str));
            let emitted: BTreeSet<&String> = map.values().collect();
            assert_eq!(emitted.len(), wanted.len(), "{map:?}");
            assert!(emitted.iter().all(|name| (RULES.is_plain)(name)), "{map:?}");
        }
    }
}
