//! Which column is what: a [`Profile`] gives each [`Role`] a column, chosen by the user or found by a usual name.
//!
//! The usual names are tables: one of all tools, and one row per [`Tool`] whose names come first if the profile names it.

use crate::FileError;
use std::collections::BTreeMap;

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The id of the requirement.
    Id,
    /// The requirement itself.
    Sentence,
    /// A short name, or the heading of a chapter.
    Title,
    /// Why the requirement is there.
    Rationale,
    /// The id of the requirement above it.
    Parent,
    /// How far the work on it is.
    Status,
    /// The part of the system that it is for.
    Component,
    /// The sentence in FRETish, where the requirement itself is in prose.
    Formal,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 8] = [
        Role::Id,
        Role::Sentence,
        Role::Title,
        Role::Rationale,
        Role::Parent,
        Role::Status,
        Role::Component,
        Role::Formal,
    ];

    /// The name of the role, as a project file spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Id => "id",
            Role::Sentence => "sentence",
            Role::Title => "title",
            Role::Rationale => "rationale",
            Role::Parent => "parent",
            Role::Status => "status",
            Role::Component => "component",
            Role::Formal => "formal",
        }
    }

    /// The usual names of columns for it, the most telling first, as [`plain`] spells them.
    const fn usual(self) -> &'static [&'static str] {
        match self {
            Role::Id => &[
                "reqif.foreignid",
                "id",
                "reqid",
                "requirementid",
                "requirementidentifier",
                "identifier",
                "uid",
                "objectidentifier",
                "key",
            ],
            Role::Sentence => &[
                "reqif.text",
                "sentence",
                "requirement",
                "requirementtext",
                "fulltext",
                "objecttext",
                "text",
                "statement",
                "primarytext",
                "description",
                "reqif.description",
            ],
            Role::Title => {
                &["title", "reqif.name", "reqif.chaptername", "name", "heading", "objectheading", "summary"]
            }
            Role::Rationale => &["rationale", "reason", "justification"],
            Role::Parent => &["parent", "parentid", "parentreqid", "parentrequirement"],
            Role::Status => &["status", "state", "reqif.foreignstatus"],
            Role::Component => &["component", "subsystem", "module"],
            Role::Formal => &["formal", "fretish", "formalsentence", "formalrequirement"],
        }
    }
}

/// A tool that writes ReqIF, and the attributes that it uses for a role.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name of it in a project file.
    pub name: &'static str,
    /// Role and attribute names, the first that a file has wins.
    pub names: &'static [(Role, &'static [&'static str])],
}

/// The tools whose habits are known; everything else is covered by the usual names.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "doors",
        names: &[
            (Role::Id, &["ReqIF.ForeignID", "Object Identifier"]),
            (Role::Sentence, &["ReqIF.Text", "Object Text"]),
            (Role::Title, &["ReqIF.ChapterName", "ReqIF.Name", "Object Heading"]),
        ],
    },
    Tool {
        name: "doors-next",
        names: &[
            (Role::Id, &["ReqIF.ForeignID", "Identifier"]),
            (Role::Sentence, &["ReqIF.Text", "Primary Text"]),
            (Role::Title, &["ReqIF.Name", "ReqIF.ChapterName", "Title"]),
        ],
    },
    Tool {
        name: "polarion",
        names: &[
            (Role::Id, &["ReqIF.ForeignID", "ID"]),
            (Role::Sentence, &["ReqIF.Text", "Description"]),
            (Role::Title, &["ReqIF.Name", "ReqIF.ChapterName", "Title"]),
            (Role::Status, &["ReqIF.ForeignStatus", "Status"]),
        ],
    },
    Tool {
        name: "pror",
        names: &[
            (Role::Id, &["ID", "ReqIF.ForeignID"]),
            (Role::Sentence, &["Description", "ReqIF.Text", "Text"]),
            (Role::Title, &["ReqIF.ChapterName", "Name", "Title"]),
        ],
    },
];

/// Which column of a file has which role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    chosen: BTreeMap<Role, String>,
    tool: Option<&'static Tool>,
    sheet: Option<String>,
}

impl Profile {
    /// Reads a profile from a map: the name of a role and its column; `sheet` and the name of a sheet; `tool` and the
    /// name of a row of [`TOOLS`].
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// let map = BTreeMap::from([("sentence".to_owned(), "What the system does".to_owned())]);
    /// let profile = shall_exchange::Profile::from_map(&map).unwrap();
    /// let columns = ["ID".to_owned(), "What the system does".to_owned()];
    /// assert_eq!(profile.column(shall_exchange::Role::Sentence, &columns), Some(1));
    /// ```
    pub fn from_map(map: &BTreeMap<String, String>) -> Result<Profile, FileError> {
        let mut profile = Profile::default();
        for (key, value) in map {
            if let Some(role) = Role::ALL.into_iter().find(|role| role.name() == key) {
                profile.chosen.insert(role, value.clone());
            } else if key == "sheet" {
                profile.sheet = Some(value.clone());
            } else if key == "tool" {
                let tool = TOOLS.iter().find(|tool| tool.name == value);
                profile.tool = Some(tool.ok_or_else(|| {
                    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
                    FileError::new(format!("unknown tool `{value}`"))
                        .hint(format!("the tools are {}", names.join(", ")))
                })?);
            } else {
                let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
                return Err(FileError::new(format!("a profile has no `{key}`"))
                    .hint(format!("it has {}, sheet and tool", names.join(", "))));
            }
        }
        Ok(profile)
    }

    /// The sheet that was asked for.
    pub fn sheet(&self) -> Option<&str> {
        self.sheet.as_deref()
    }

    /// The column that was chosen for a role.
    pub fn chosen(&self, role: Role) -> Option<&str> {
        self.chosen.get(&role).map(String::as_str)
    }

    /// The roles whose column was chosen and is not there.
    pub fn missing(&self, columns: &[String]) -> Vec<(Role, &str)> {
        let chosen = self.chosen.iter().filter(|(role, _)| self.column(**role, columns).is_none());
        chosen.map(|(role, name)| (*role, name.as_str())).collect()
    }

    /// The column for a role.
    pub fn column(&self, role: Role, columns: &[String]) -> Option<usize> {
        self.columns(role, columns).first().copied()
    }

    /// All columns for a role, the best first. A column that was chosen is the only one for its role, and for no other.
    pub fn columns(&self, role: Role, columns: &[String]) -> Vec<usize> {
        if let Some(name) = self.chosen.get(&role) {
            let exact = columns.iter().position(|column| column == name);
            let alike = || columns.iter().position(|column| plain(column) == plain(name));
            return exact.or_else(alike).into_iter().collect();
        }
        let mut found = Vec::new();
        let named = self.tool.iter().flat_map(|tool| tool.names).filter(|(other, _)| *other == role);
        let names = named.flat_map(|(_, names)| names.iter()).chain(role.usual());
        let spelled: Vec<String> = columns.iter().map(|column| plain(column)).collect();
        let taken: Vec<String> = self.chosen.values().map(|name| plain(name)).collect();
        for name in names.map(|name| plain(name)).filter(|name| !taken.contains(name)) {
            let hit = spelled.iter().position(|column| *column == name);
            found.extend(hit.filter(|hit| !found.contains(hit)));
        }
        found
    }

    /// The column of the id in a row that may be the header: it has an id column, and more names than any row above it
    /// has cells (so that an `ID` somewhere among the records is not taken for a header), or the id was chosen.
    pub(crate) fn header(&self, names: &[String], widest_above: usize) -> Result<usize, FileError> {
        let id = self.id_column(names)?;
        let wide = names.iter().filter(|name| !name.trim().is_empty()).count() > widest_above;
        if wide || self.chosen.contains_key(&Role::Id) {
            return Ok(id);
        }
        Err(FileError::new("no row is clearly the header")
            .hint("say which column is the id with the role `id` of the profile"))
    }

    /// The column of the id, or what to do if there is none.
    pub(crate) fn id_column(&self, columns: &[String]) -> Result<usize, FileError> {
        self.column(Role::Id, columns).ok_or_else(|| match self.chosen.get(&Role::Id) {
            Some(name) => FileError::new(format!("there is no column `{name}`"))
                .hint(format!("the columns are {}", crate::records::listed(columns))),
            None => FileError::new("no column is the id of the requirements").hint(format!(
                "say which one with the role `id` of the profile; the columns are {}",
                crate::records::listed(columns)
            )),
        })
    }
}

/// A name of a column without case, spaces and joints.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '.').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(map: &[(&str, &str)]) -> Profile {
        let map = map.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Profile::from_map(&map).unwrap()
    }

    #[test]
    fn columns_have_roles() {
        type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, Role, Option<usize>);
        let cases: &[Case] = &[
            (&[], "Requirement ID|Text", Role::Id, Some(0)),
            (&[], "Text|REQ_ID", Role::Id, Some(1)),
            (&[], "Name|Text", Role::Id, None),
            (&[], "ID|Description|Text", Role::Sentence, Some(2)),
            (&[("sentence", "description")], "ID|Description|Text", Role::Sentence, Some(1)),
            (&[("id", "Name")], "Name|Text", Role::Title, None),
            (&[("tool", "pror")], "ReqIF.ForeignID|ID", Role::Id, Some(1)),
            (&[("tool", "doors")], "ReqIF.Name|ReqIF.ChapterName|ReqIF.ForeignID", Role::Title, Some(1)),
            (&[], "ReqIF.Name|ReqIF.ChapterName|ReqIF.ForeignID", Role::Id, Some(2)),
            (&[], "Parent ID|id", Role::Parent, Some(0)),
        ];
        for (map, columns, role, expected) in cases {
            let names: Vec<String> = columns.split('|').map(str::to_owned).collect();
            assert_eq!(profile(map).column(*role, &names), *expected, "{columns} {role:?}");
        }
    }

    #[test]
    fn wrong_keys_are_named() {
        for (key, value, message) in
            [("colour", "x", "a profile has no `colour`"), ("tool", "pen", "unknown tool `pen`")]
        {
            let map = BTreeMap::from([(key.to_owned(), value.to_owned())]);
            assert_eq!(Profile::from_map(&map).unwrap_err().message, message);
        }
    }
}
