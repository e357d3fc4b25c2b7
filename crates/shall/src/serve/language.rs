//! The language server for the page: the same as for editors, about the files of the project alone.

use super::project::is_below;
use crate::lsp;
use serde_json::Value as Json;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};

pub(super) fn speak(root: Option<&Path>, messages: Receiver<String>, answers: Sender<String>) {
    let Some(root) = root else { return };
    let inside = messages.into_iter().filter(|message| match serde_json::from_str::<Json>(message) {
        Ok(message) => stays(&message, root),
        // It is answered with an error.
        Err(_) => true,
    });
    lsp::converse(inside, answers);
}

/// Whether all addresses of files in a message are below a folder.
fn stays(message: &Json, root: &Path) -> bool {
    let mut rest = vec![message];
    while let Some(part) = rest.pop() {
        match part {
            Json::String(text) => {
                if lsp::path(text).is_some_and(|path| !is_below(root, &path)) {
                    return false;
                }
            }
            Json::Array(parts) => rest.extend(parts),
            Json::Object(parts) => rest.extend(parts.values()),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn other_folders_are_out_of_reach() {
        for (uri, expected) in [
            ("file:///home/p", true),
            ("file:///home/p/a.md", true),
            ("file:///home/p2/a.md", false),
            ("file:///home/p/../q/a.md", false),
            ("file:///home/p/%2e%2e/q/a.md", false),
            ("FILE:///etc/passwd", false),
            ("file:///home/%70/a.md", true),
            ("untitled:Untitled-1", true),
        ] {
            let message = json!({ "params": { "textDocument": [{ "uri": uri }] } });
            assert_eq!(stays(&message, Path::new("/home/p")), expected, "{uri}");
        }
    }
}
