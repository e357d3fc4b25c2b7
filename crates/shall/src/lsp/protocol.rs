//! The part of the Language Server Protocol that the server reads: the arguments of its messages, and numbers that stand for kinds.
//! Members that are not named here are passed over.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The name of a document, as the editor writes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct Uri(pub(super) String);

impl Uri {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A place in a text; characters are counted in the units of the [encoding](super::text::Encoding).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) character: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

/// `initialize`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialize {
    #[serde(default)]
    capabilities: Map<String, Json>,
    pub(super) workspace_folders: Option<Vec<Named>>,
    /// What older editors send in the place of folders.
    pub(super) root_uri: Option<Uri>,
}

impl Initialize {
    /// Whether the editor says that it can do something.
    pub(super) fn can(&self, path: &[&str]) -> bool {
        self.capability(path).and_then(Json::as_bool) == Some(true)
    }

    /// Whether the editor counts the characters of a line in this encoding.
    pub(super) fn counts_in(&self, encoding: &str) -> bool {
        let encodings = self.capability(&["general", "positionEncodings"]).and_then(Json::as_array);
        encodings.is_some_and(|encodings| encodings.iter().any(|it| it == encoding))
    }

    fn capability(&self, path: &[&str]) -> Option<&Json> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.capabilities.get(*first)?, |json, name| json.get(name))
    }
}

/// Something with a name: a folder, a file that changed.
#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) uri: Uri,
}

/// Of all requests and notices about a document as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfDocument {
    pub(super) text_document: Named,
}

/// Of all requests about the thing at a position.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AtPosition {
    pub(super) text_document: Named,
    pub(super) position: Position,
}

/// Of requests about a part of a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InRange {
    pub(super) text_document: Named,
    pub(super) range: Range,
}

/// `textDocument/references`
#[derive(Deserialize)]
pub(super) struct References {
    #[serde(flatten)]
    pub(super) at: AtPosition,
    pub(super) context: ReferenceContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReferenceContext {
    pub(super) include_declaration: bool,
}

/// `textDocument/rename`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rename {
    #[serde(flatten)]
    pub(super) at: AtPosition,
    pub(super) new_name: String,
}

/// `workspace/symbol`
#[derive(Deserialize)]
pub(super) struct Query {
    pub(super) query: String,
}

/// `textDocument/didOpen`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidOpen {
    pub(super) text_document: OpenedDocument,
}

#[derive(Deserialize)]
pub(super) struct OpenedDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
}

/// `textDocument/didChange`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidChange {
    pub(super) text_document: ChangedDocument,
    pub(super) content_changes: Vec<Change>,
}

#[derive(Deserialize)]
pub(super) struct ChangedDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
}

/// A new text of a range; without one, of the document.
#[derive(Deserialize)]
pub(super) struct Change {
    pub(super) range: Option<Range>,
    pub(super) text: String,
}

/// `workspace/didChangeWatchedFiles`
#[derive(Deserialize)]
pub(super) struct DidChangeFiles {
    pub(super) changes: Vec<Named>,
}

/// `workspace/didChangeWorkspaceFolders`
#[derive(Deserialize)]
pub(super) struct DidChangeFolders {
    pub(super) event: ChangedFolders,
}

#[derive(Deserialize)]
pub(super) struct ChangedFolders {
    pub(super) added: Vec<Named>,
    pub(super) removed: Vec<Named>,
}

/// How bad a finding is.
#[derive(Clone, Copy)]
pub(super) enum Severity {
    Error = 1,
    Warning = 2,
}

/// What a proposal of a completion is.
#[derive(Clone, Copy)]
pub(super) enum CompletionKind {
    Function = 3,
    Variable = 6,
    Class = 7,
    Property = 10,
    Unit = 11,
    Keyword = 14,
    Snippet = 15,
    Reference = 18,
    EnumMember = 20,
    TypeParameter = 25,
}

/// What a symbol of a document is.
#[derive(Clone, Copy)]
pub(super) enum SymbolKind {
    Namespace = 3,
    Class = 5,
    Function = 12,
    Variable = 13,
    Constant = 14,
    Object = 19,
}
