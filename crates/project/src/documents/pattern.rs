//! Patterns of paths: `*` is any part of a name, `?` one character, `**` any folders.

/// Whether a path with `/` between its names fits a pattern.
pub fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    // Which beginnings of the pattern fit the names so far.
    let mut fits = vec![false; pattern.len() + 1];
    fits[0] = true;
    skip_folders(&pattern, &mut fits);
    for name in path {
        let mut next = vec![false; pattern.len() + 1];
        for (at, part) in pattern.iter().enumerate().filter(|&(at, _)| fits[at]) {
            if *part == "**" {
                next[at] = true;
            } else if name_matches(part, name) {
                next[at + 1] = true;
            }
        }
        skip_folders(&pattern, &mut next);
        fits = next;
    }
    fits[pattern.len()]
}

/// `**` may stand for no folder at all.
fn skip_folders(pattern: &[&str], fits: &mut [bool]) {
    for (at, part) in pattern.iter().enumerate() {
        if fits[at] && *part == "**" {
            fits[at + 1] = true;
        }
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let mut fits = vec![false; pattern.len() + 1];
    fits[0] = true;
    for letter in std::iter::once(None).chain(name.chars().map(Some)) {
        let mut next = vec![false; pattern.len() + 1];
        if letter.is_none() {
            next[0] = true;
        }
        for (at, &wanted) in pattern.iter().enumerate() {
            let star = wanted == '*';
            if star && (next[at] || (letter.is_some() && fits[at + 1])) {
                next[at + 1] = true;
            }
            if letter.is_some_and(|letter| fits[at] && (wanted == '?' || wanted == letter)) && !star {
                next[at + 1] = true;
            }
        }
        fits = next;
    }
    fits[pattern.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, matching, others) in [
            ("a.md", &["a.md"][..], &[][..]),
            ("*.md", &["a.md"], &["b/a.md"]),
            ("**/*.md", &["a.md", "b/c/a.md"], &[]),
            ("b/**", &["b/c/a.md"], &[]),
            ("b/**/a.md", &["b/a.md"], &[]),
            ("b/*/a.md", &[], &["b/a.md"]),
            ("?.md", &["ä.md"], &[]),
            ("a*c*e", &["abcde"], &["abcd"]),
            ("*", &[""], &[]),
            ("./x/*.md", &["x/y.md"], &[]),
        ] {
            assert!(matching.iter().all(|path| matches(pattern, path)), "{pattern}");
            assert!(!others.iter().any(|path| matches(pattern, path)), "{pattern}");
        }
    }
}
