//! HTML text, piece by piece; whatever comes from outside is escaped.

/// A page in the making.
#[derive(Default)]
pub(super) struct Html {
    out: String,
}

impl Html {
    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// A text from outside.
    pub(super) fn text(&mut self, text: &str) {
        // HTML has no place for other control characters.
        let held = |c: char| match c {
            '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => char::REPLACEMENT_CHARACTER,
            c => c,
        };
        self.out.push_str(&base::xml::escape(text.chars().map(held), &['"', '\'']));
    }

    /// A text in an element, with a class unless that is empty.
    pub(super) fn element(&mut self, tag: &str, class: &str, text: &str) {
        match class {
            "" => self.raw(&format!("<{tag}>")),
            _ => self.raw(&format!("<{tag} class=\"{class}\">")),
        }
        self.text(text);
        self.raw(&format!("</{tag}>"));
    }

    /// A link inside the page.
    pub(super) fn link(&mut self, target: &str, text: &str) {
        self.raw(&format!("<a href=\"#{target}\">"));
        self.text(text);
        self.raw("</a>");
    }

    /// A text in which backquotes mark code.
    pub(super) fn prose(&mut self, text: &str) {
        for (index, piece) in text.split('`').enumerate() {
            if index % 2 == 1 { self.element("code", "", piece) } else { self.text(piece) }
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// The name of a place in the page: letters and digits stay, everything else is spelled by its number, so that two
/// names never become one.
pub(super) fn anchor(kind: &str, name: &str) -> String {
    let mut out = format!("{kind}-");
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => out.push(c),
            _ => out.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    out
}
