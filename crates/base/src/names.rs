//! Names that a target language can take and that are still free.

/// `like` if it is free, otherwise the first free one of `like` with `between` and 2, 3, … after it. A caller that keeps a
/// set of names inserts while it is asked.
///
/// ```
/// let mut taken = std::collections::BTreeSet::from(["x".to_owned(), "x_2".to_owned()]);
/// let name = shall_base::names::unique("x", "_", |name| taken.insert(name.to_owned()));
/// assert_eq!(name, "x_3");
/// ```
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
/// letter.
///
/// ```
/// assert_eq!(shall_base::names::identifier("3rd größe", "x"), "x3rd_gr__e");
/// ```
pub fn identifier(text: &str, prefix: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
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
