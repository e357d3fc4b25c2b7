//! `docs/codes.md`: the manual of all diagnostic codes.

/// The text of the file.
pub(crate) fn codes() -> String {
    project::rules::manual::markdown()
}
