//! The neutral form of a list of requirements: a table with named columns, one [`Record`] per requirement.
//!
//! A field is `None` where the file has nothing (a cell that is not there), and `Some("")` where it has an empty text.
//! Every column of the file is kept, whatever it is for.

use crate::{FileError, Place, Profile, Role};

/// A list of requirements as a table: named columns, one record per requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The names of the columns, in the order of the file. A column without a name is `""`.
    pub columns: Vec<String>,
    /// The requirements, in the order of the file.
    pub records: Vec<Record>,
    /// Relations between records (ReqIF only).
    pub links: Vec<Link>,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its id: the trimmed text of the id column; empty if the file gives none.
    pub id: String,
    /// Its texts, parallel to the columns.
    pub fields: Vec<Option<String>>,
    /// Where it is in the file.
    pub place: Place,
}

/// A relation between two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name of the kind of relation.
    pub kind: String,
    /// The id of the source.
    pub from: String,
    /// The id of the target.
    pub to: String,
}

/// One thing to change in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Gives fields of the record with this id new texts; a record that is not there is appended.
    Set {
        /// The id of the record.
        id: String,
        /// Column and new text; columns that are not named keep theirs.
        fields: Vec<(String, Option<String>)>,
    },
    /// Removes the record with this id.
    Remove {
        /// The id of the record.
        id: String,
    },
}

impl Records {
    /// The text of a record in a role: the first column for that role that is not blank.
    pub fn value<'a>(&self, record: &'a Record, role: Role, profile: &Profile) -> Option<&'a str> {
        let fields = profile.columns(role, &self.columns).into_iter();
        fields.filter_map(|column| record.fields.get(column)?.as_deref()).find(|text| !text.trim().is_empty())
    }

    /// Pairs of records with the same id, in order: the first and each later one.
    pub fn duplicates(&self) -> Vec<(&Record, &Record)> {
        let mut first = std::collections::BTreeMap::new();
        let mut pairs = Vec::new();
        for record in self.records.iter().filter(|record| !record.id.is_empty()) {
            match first.get(record.id.as_str()) {
                Some(&earlier) => pairs.push((earlier, record)),
                None => {
                    first.insert(record.id.as_str(), record);
                }
            }
        }
        pairs
    }

    /// The changes that make this table's records those of `wanted`, matched by id. Records that `wanted` does not
    /// have stay. Columns that one of the tables does not have, or has twice, are left out.
    pub fn changes_to(&self, wanted: &Records) -> Vec<Change> {
        let known: std::collections::BTreeMap<&str, &Record> =
            self.records.iter().rev().map(|record| (record.id.as_str(), record)).collect();
        let shared: Vec<(usize, usize)> = (self.columns.iter().enumerate())
            .filter(|(_, name)| self.columns.iter().filter(|other| other == name).count() == 1)
            .filter_map(|(mine, name)| {
                let mut hits = wanted.columns.iter().enumerate().filter(|(_, other)| *other == name);
                Some((mine, hits.next()?.0)).filter(|_| hits.next().is_none())
            })
            .collect();
        let mut changes = Vec::new();
        for record in wanted.records.iter().filter(|record| !record.id.is_empty()) {
            let old = known.get(record.id.as_str());
            let fields: Vec<_> = (shared.iter())
                .filter_map(|&(mine, theirs)| {
                    let new = record.fields.get(theirs).cloned().flatten();
                    let before = old.and_then(|old| old.fields.get(mine).cloned().flatten());
                    (new != before).then(|| (self.columns[mine].clone(), new))
                })
                .collect();
            if old.is_none() || !fields.is_empty() {
                changes.push(Change::Set { id: record.id.clone(), fields });
            }
        }
        changes
    }
}

/// What a list of changes asks for one record.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// New texts by column number; later changes of the list win.
    Set(Vec<(usize, Option<String>)>),
    /// No record.
    Remove,
}

/// The changes by id, in order of first mention, with columns as numbers. `known` is how often an id is in the file.
pub(crate) fn requests(
    changes: &[Change],
    columns: &[String],
    known: impl Fn(&str) -> usize,
) -> Result<Vec<(String, Request)>, FileError> {
    let mut requests: Vec<(String, Request)> = Vec::new();
    let mut slots = std::collections::BTreeMap::new();
    for change in changes {
        let (Change::Set { id, .. } | Change::Remove { id }) = change;
        let id = id.trim().to_owned();
        if id.is_empty() {
            return Err(FileError::new("a change has no id"));
        }
        if known(&id) > 1 {
            return Err(FileError::new(format!("the id `{id}` is in the file more than once"))
                .hint("give each requirement an id of its own"));
        }
        let slot = *slots.entry(id.clone()).or_insert(requests.len());
        if slot == requests.len() {
            requests.push((id, Request::Set(Vec::new())));
        }
        let request = &mut requests[slot].1;
        match change {
            Change::Remove { .. } => *request = Request::Remove,
            Change::Set { fields, .. } => {
                if matches!(request, Request::Remove) {
                    *request = Request::Set(Vec::new());
                }
                for (name, text) in fields {
                    let column = column_of(name, columns)?;
                    if let Request::Set(set) = request {
                        set.retain(|(other, _)| *other != column);
                        set.push((column, text.clone()));
                    }
                }
            }
        }
    }
    Ok(requests)
}

fn column_of(name: &str, columns: &[String]) -> Result<usize, FileError> {
    let mut hits = columns.iter().enumerate().filter(|(_, column)| *column == name);
    match (hits.next(), hits.next()) {
        (Some((column, _)), None) => Ok(column),
        (Some(_), Some(_)) => Err(FileError::new(format!("the file has more than one column `{name}`"))),
        (None, _) => Err(FileError::new(format!("the file has no column `{name}`"))
            .hint(format!("its columns are {}", listed(columns)))),
    }
}

/// Names as a sentence shows them; long lists are cut.
pub(crate) fn listed(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    if names.len() > shown.len() {
        shown.push(format!("and {} more", names.len() - shown.len()));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Records {
        let columns = vec!["id".to_owned(), "text".to_owned()];
        let records = (rows.iter())
            .map(|row| Record {
                id: row[0].to_owned(),
                fields: row.iter().map(|text| Some((*text).to_owned())).collect(),
                place: Place::default(),
            })
            .collect();
        Records { columns, records, links: Vec::new() }
    }

    #[test]
    fn differences_become_changes() {
        let old = table(&[&["a", "1"], &["b", "2"]]);
        let new = table(&[&["a", "1"], &["b", "3"], &["c", "4"]]);
        let set = |id: &str, fields: &[(&str, &str)]| Change::Set {
            id: id.to_owned(),
            fields: fields
                .iter()
                .map(|(name, text)| ((*name).to_owned(), Some((*text).to_owned())))
                .collect(),
        };
        assert_eq!(
            old.changes_to(&new),
            [set("b", &[("text", "3")]), set("c", &[("id", "c"), ("text", "4")])]
        );
        assert!(new.changes_to(&old).len() == 1);
        assert!(old.changes_to(&old).is_empty());
    }

    #[test]
    fn duplicates_are_found() {
        let twice = table(&[&["a", "1"], &["", "2"], &["", "3"], &["a", "4"]]);
        let pairs = twice.duplicates();
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].1.fields[1].as_deref(), Some("4"));
    }
}
