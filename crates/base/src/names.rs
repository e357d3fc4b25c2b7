//! Names that a target language can take and that are still free.

use rustc_hash::FxHashMap;

/// Names that are taken.
///
/// ```
/// let mut names: shall_base::names::Taken = ["x", "x_2"].into_iter().collect();
/// assert_eq!(["x", "x", "y"].map(|like| names.take(like)), ["x_3", "x_4", "y"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// Each name with the last number that was written after it, so that many names alike are found in one pass.
    last: FxHashMap<String, u64>,
}

impl Taken {
    /// `like` if it is free, otherwise the first free one of `like_2`, `like_3`, …; from now on it is taken.
    pub fn take(&mut self, like: &str) -> String {
        let mut name = like.to_owned();
        while self.last.contains_key(&name) {
            let number = self.last.entry(like.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{like}_{number}");
        }
        self.last.insert(name.clone(), 1);
        name
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.last.contains_key(name)
    }
}

impl<N: Into<String>> Extend<N> for Taken {
    fn extend<I: IntoIterator<Item = N>>(&mut self, names: I) {
        self.last.extend(names.into_iter().map(|name| (name.into(), 1)));
    }
}

impl<N: Into<String>> FromIterator<N> for Taken {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Taken {
        let mut taken = Taken::default();
        taken.extend(names);
        taken
    }
}

/// `like` if it is free, otherwise the first free one of `like` with `between` and 2, 3, … after it.
pub fn unique(like: &str, between: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let mut name = like.to_owned();
    let mut number = 2_u64;
    while !is_free(&name) {
        name = format!("{like}{between}{number}");
        number += 1;
    }
    name
}

/// A text with `_` for everything that is not an ASCII letter or digit, and with `prefix` before it unless it begins with a
/// letter or with the prefix.
///
/// ```
/// assert_eq!(shall_base::names::identifier("3rd größe", "x"), "x3rd_gr__e");
/// ```
pub fn identifier(text: &str, prefix: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.starts_with(prefix) {
        name.insert_str(0, prefix);
    }
    name
}

/// Whether a text is an ASCII letter or `_`, followed by ASCII letters, digits, `_` and the other characters given.
pub fn is_identifier(text: &str, others: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || others.contains(c))
}
