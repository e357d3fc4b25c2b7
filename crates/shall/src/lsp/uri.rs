//! URIs of files: `file:///a%20b.md` and its path.

use super::protocol::Uri;
use std::path::{Path, PathBuf};

/// The path of a file; nothing if the URI is not of a file.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let text = uri.as_str();
    let rest = text.get(..7).filter(|start| start.eq_ignore_ascii_case("file://")).and(text.get(7..))?;
    let path = rest.get(rest.find('/')?..)?.split(['?', '#']).next()?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let [first, rest @ ..] = left {
        let code = rest.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                left = rest.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/project`
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { path.get(1..)? } else { &path }))
}

/// The name of a file for editors.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let shown = path.to_str()?.replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let mut text = String::from(if shown.starts_with('/') { "file://" } else { "file:///" });
    for byte in shown.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => text.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(Uri(text))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files() {
        for (uri, path) in [
            ("file:///a/b.md", Some("/a/b.md")),
            ("FILE:///a%20b/gr%C3%B6%C3%9Fe.md", Some("/a b/größe.md")),
            ("file://host/a", Some("/a")),
            ("file:///a%2", Some("/a%2")),
            ("file:///%FF", None),
            ("untitled:Untitled-1", None),
        ] {
            assert_eq!(path_of(&Uri(uri.to_string())), path.map(PathBuf::from), "{uri}");
        }
        let path = Path::new("/a b/速度/100%.md");
        assert_eq!(uri_of(path).as_ref().and_then(path_of), Some(path.to_path_buf()));
    }
}
