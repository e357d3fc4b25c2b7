//! Text as XML or HTML. The caller says what becomes of characters that its document cannot hold.

/// Text with references for `&`, `<` and `>`, and for the other characters given: quotes inside attributes, white space that
/// a reader would change.
///
/// ```
/// assert_eq!(shall_base::xml::escape("a < \"b\"\n".chars(), &['"', '\n']), "a &lt; &quot;b&quot;&#10;");
/// ```
pub fn escape(text: impl IntoIterator<Item = char>, others: &[char]) -> String {
    let mut escaped = String::new();
    for c in text {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' if others.contains(&c) => escaped.push_str("&quot;"),
            c if others.contains(&c) => escaped.push_str(&format!("&#{};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether XML 1.0 can hold a character.
pub fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
