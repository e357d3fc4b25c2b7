//! `docs/json.md`: the JSON output of every command, from the types that they write.

/// The whole document.
pub(crate) fn json() -> String {
    shall::reference::markdown()
}
