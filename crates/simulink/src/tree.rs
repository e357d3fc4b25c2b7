//! Both file formats as one tree: named sections with values and sections in them.
//!
//! A value is a text without its quotes and escapes. Names that the text format marks with `$` are written without it, so
//! that an object has the same names in both formats. The depth of a tree is limited by who builds it.

/// A section: `Block { … }` in text, an element in XML.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Section {
    pub(crate) name: String,
    /// The line of the text file, or 0.
    pub(crate) line: u32,
    pub(crate) values: Vec<(String, String)>,
    pub(crate) sections: Vec<Section>,
}

impl Section {
    /// The value of a key; the last one if it is given twice.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().rfind(|(other, _)| other == key).map(|(_, text)| text.as_str())
    }

    /// The value of a key, or the text of the section of that name: in XML, an attribute makes a section of a value.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.value(key).or_else(|| self.sections.iter().find(|it| it.name == key)?.value(""))
    }

    /// The sections of a name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Section> {
        self.sections.iter().filter(move |section| section.name == name)
    }

    /// Whether this is an object of a class, or an array of such objects.
    pub(crate) fn is_a(&self, class: &str) -> bool {
        self.name == class
            || self.value("ClassName") == Some(class)
            || self.name == "Array" && self.value("Type") == Some(class)
    }
}

/// Whether the text format can have an entry of that name.
pub(crate) fn is_key(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "{}[]\"#\\$".contains(c))
}
