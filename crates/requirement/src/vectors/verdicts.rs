//! Expected verdicts: the oracle decides, and the past and both finite future formulas must agree with it.

use super::Setting;
use crate::meaning::oracle::judge;
use crate::template::templates;
use crate::{Ending, Key, LAST, Requirement, future, past};
use logic::{Formula, Store, Trace, Value, holds_at};
use std::fmt;

/// Templates of one duration with all their formulas.
#[derive(Debug, Clone)]
pub struct Templates {
    /// The duration n.
    pub steps: u64,
    /// The store of the formulas.
    pub store: Store,
    /// The templates, in the order of [`templates`].
    pub rows: Vec<Row>,
}

/// A template with its formulas.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name.
    pub key: Key,
    /// The template.
    pub requirement: Requirement,
    /// True at the last point.
    pub past: Formula,
    /// True at the first point; `LAST` marks the end.
    pub future: Formula,
    /// True at the first point; weak next detects the end.
    pub weak: Formula,
}

/// Meanings that differ on a setting, which must not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dissent {
    /// The template.
    pub key: Key,
    /// The setting.
    pub setting: Setting,
    /// The verdict of each meaning.
    pub verdicts: [(&'static str, bool); 4],
}

impl Templates {
    /// The selected templates with this duration.
    pub fn new(steps: u64, wanted: impl Fn(&Key) -> bool) -> Templates {
        let mut store = Store::default();
        let mut rows = Vec::new();
        for requirement in templates(&mut store, steps) {
            let key = requirement.key();
            if wanted(&key) {
                let always = "a template has no predicates, so it has all formulas";
                let past = past(&mut store, &requirement).expect(always);
                let future_with =
                    |store: &mut Store, ending| future(store, &requirement, ending).expect(always);
                let last = future_with(&mut store, Ending::Last);
                let weak = future_with(&mut store, Ending::WeakNext);
                rows.push(Row { key, requirement, past, future: last, weak });
            }
        }
        Templates { steps, store, rows }
    }

    /// Whether each template holds on the trace of a setting; an error if the meanings differ.
    pub fn verdicts(&self, setting: &Setting) -> Result<Vec<bool>, Box<Dissent>> {
        let trace = setting.trace();
        let marks = (0..setting.length).map(|position| Value::Bool(position + 1 == setting.length)).collect();
        let marked = trace.clone().with(LAST, marks).expect("no atom is called LAST");
        let judged = |row: &Row| {
            let verdicts = self.meanings(row, &trace, &marked);
            let oracle = verdicts[0].1;
            if verdicts.iter().any(|&(_, holds)| holds != oracle) {
                return Err(Box::new(Dissent { key: row.key, setting: setting.clone(), verdicts }));
            }
            Ok(oracle)
        };
        self.rows.iter().map(judged).collect()
    }

    fn meanings(&self, row: &Row, trace: &Trace, marked: &Trace) -> [(&'static str, bool); 4] {
        let fits = "the trace has a Boolean for every atom";
        let holds = |formula, trace, position| holds_at(&self.store, formula, trace, position).expect(fits);
        [
            ("oracle", judge(&self.store, &row.requirement, trace).expect(fits).holds()),
            ("past", holds(row.past, trace, trace.len() - 1)),
            ("future (LAST)", holds(row.future, marked, 0)),
            ("future (weak next)", holds(row.weak, trace, 0)),
        ]
    }
}

impl fmt::Display for Dissent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the meanings of {} differ on {}:", self.key, self.setting)?;
        for (index, (meaning, holds)) in self.verdicts.iter().enumerate() {
            write!(f, "{} {meaning} {holds}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{boundary, random};
    use super::*;
    use crate::meaning::oracle::Interval;
    use std::collections::BTreeMap;

    /// Verdicts from the paper for the trace of its figure 3 (section 5.2), with n = 1.
    #[test]
    fn examples_of_the_paper() {
        let interval = |&(lo, hi): &(usize, usize)| Interval { lo, hi };
        let signal = |ends: &[(usize, usize)]| ends.iter().map(interval).collect::<Vec<_>>();
        let setting = Setting {
            length: 10,
            steps: 1,
            signals: [signal(&[(0, 2), (6, 9)]), signal(&[(2, 3)]), signal(&[]), signal(&[(2, 2), (7, 9)])],
        };
        let templates = Templates::new(1, |key| key.scope == "in" && key.condition != "holding");
        let verdicts = templates.verdicts(&setting).unwrap_or_else(|dissent| panic!("{dissent}"));
        let by_key: BTreeMap<String, bool> =
            templates.rows.iter().map(|row| row.key.to_string()).zip(verdicts).collect();
        for (key, expected) in [
            ("in,null,always", false),
            ("in,null,eventually", true),
            ("in,null,within", false),
            ("in,regular,always", true),
            ("in,regular,eventually", true),
            ("in,regular,within", true),
        ] {
            assert_eq!(by_key[key], expected, "{key}");
        }
    }

    #[test]
    fn meanings_agree_on_settings_of_both_kinds() {
        let mut by_steps: BTreeMap<u64, Templates> = BTreeMap::new();
        let settings = boundary(7, 2, 60).into_iter().chain(random(12, None, 60, 3));
        let mut seen = [0; 2];
        for setting in settings {
            let templates =
                by_steps.entry(setting.steps).or_insert_with(|| Templates::new(setting.steps, |_| true));
            let verdicts = templates.verdicts(&setting).unwrap_or_else(|dissent| panic!("{dissent}"));
            assert_eq!(verdicts.len(), 264);
            for holds in verdicts {
                seen[usize::from(holds)] += 1;
            }
        }
        assert!(seen[0] > 5_000 && seen[1] > 5_000, "{seen:?}");
    }

    #[test]
    fn dissent_names_template_and_trace() {
        let mut templates = Templates::new(1, |key| key.to_string() == "null,null,always");
        templates.rows[0].past = templates.store.top();
        let setting = random(2, Some(1), 20, 1).into_iter().find(|setting| !setting.holds(3, 0));
        let dissent = templates.verdicts(&setting.expect("a setting without response")).unwrap_err();
        let text = dissent.to_string();
        assert!(
            text.starts_with("the meanings of null,null,always differ on length 2, n 1, mode {"),
            "{text}"
        );
        assert!(
            text.ends_with("oracle false, past true, future (LAST) false, future (weak next) false"),
            "{text}"
        );
    }
}
