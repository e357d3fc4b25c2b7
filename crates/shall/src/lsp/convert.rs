//! What `project` says, as the protocol has it.

use super::protocol::{self, CompletionKind, Range, SymbolKind, Uri};
use super::text::{Encoding, Lines};
use project::assist::{Item, ItemKind, MODIFIERS, OutlineKind, TYPES, Token};
use project::{Document, Finding, Source};
use serde_json::{Value as Json, json};
use syntax::{Severity, Span};

/// What the server can do.
pub(super) fn capabilities(encoding: Encoding) -> Json {
    let encoding = match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "completionProvider": { "triggerCharacters": [" ", "=", "(", ":"] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "documentFormattingProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "renameProvider": { "prepareProvider": true },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TYPES, "tokenModifiers": MODIFIERS },
                "full": true,
                "range": true,
            },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        },
        "serverInfo": { "name": "shall", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// A finding; `other` gives the documents of its related places, `deny` has the codes that count as errors.
pub(super) fn diagnostic<'l>(
    finding: &Finding,
    lines: &Lines,
    deny: &[String],
    other: impl Fn(usize) -> Option<(Uri, Lines<'l>)>,
) -> Json {
    let found = &finding.diagnostic;
    let severity = match found.severity() {
        Severity::Error => protocol::Severity::Error,
        Severity::Warning if deny.iter().any(|code| code == found.code.id()) => protocol::Severity::Error,
        Severity::Warning => protocol::Severity::Warning,
    };
    let mut shown = json!({
        "range": lines.range(found.span),
        "severity": severity as u8,
        "code": found.code.id(),
        "source": "shall",
        "message": format!("{}\n{}", found.message, found.hint),
    });
    let related: Vec<Json> = finding
        .places()
        .filter_map(|(source, related)| {
            let Source::Document(document) = source else { return None };
            let (uri, lines) = other(document)?;
            let location = json!({ "uri": uri.as_str(), "range": lines.range(related.span) });
            Some(json!({ "location": location, "message": related.message }))
        })
        .collect();
    if !related.is_empty() {
        shown["relatedInformation"] = Json::from(related);
    }
    shown
}

/// Tokens as the differences between them. A token that is not wholly in the range is left out.
pub(super) fn tokens(
    document: &Document,
    tokens: &[Token],
    within: Option<Span>,
    lines: &Lines,
    encoding: Encoding,
) -> Json {
    let (mut line, mut start) = (0, 0);
    let mut data = Vec::new();
    for token in tokens {
        if within.is_some_and(|within| token.span.start < within.start || within.end < token.span.end) {
            continue;
        }
        let position = lines.position(token.span.start);
        let same = position.line == line;
        data.extend([
            position.line.saturating_sub(line),
            if same { position.character.saturating_sub(start) } else { position.character },
            encoding.length(document.slice(token.span)),
            token.ty,
            token.modifiers,
        ]);
        (line, start) = (position.line, position.character);
    }
    json!({ "data": data })
}

/// A proposal for the word in this range. The order is that of the list.
pub(super) fn item(item: &Item, index: usize, range: Range, snippets: bool) -> Json {
    let kind = match item.kind {
        ItemKind::Keyword => CompletionKind::Keyword,
        ItemKind::Variable => CompletionKind::Variable,
        ItemKind::Value => CompletionKind::EnumMember,
        ItemKind::Function => CompletionKind::Function,
        ItemKind::Component => CompletionKind::Class,
        ItemKind::Unit => CompletionKind::Unit,
        ItemKind::Template => CompletionKind::Snippet,
        ItemKind::Requirement => CompletionKind::Reference,
        ItemKind::Attribute => CompletionKind::Property,
        ItemKind::Type => CompletionKind::TypeParameter,
    };
    let snippet = item.snippet && snippets;
    let text = if item.snippet && !snippets { plain(&item.insert) } else { item.insert.clone() };
    let mut shown = json!({
        "label": item.label,
        "kind": kind as u8,
        "sortText": format!("{index:05}"),
        "insertTextFormat": if snippet { 2 } else { 1 },
        "textEdit": { "range": range, "newText": text },
    });
    if !item.detail.is_empty() {
        shown["detail"] = json!(item.detail);
    }
    if !item.about.is_empty() {
        shown["documentation"] = json!({ "kind": "markdown", "value": item.about });
    }
    shown
}

/// A snippet as it is before anything is filled in: `${1:p}` is `p`.
fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some((before, inside)) = rest.split_once("${")
        && let Some((place, after)) = inside.split_once('}')
    {
        out.push_str(before);
        out.push_str(place.split_once(':').map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

pub(super) fn symbol_kind(kind: OutlineKind) -> u8 {
    let kind = match kind {
        OutlineKind::Chapter => SymbolKind::Namespace,
        OutlineKind::Requirement => SymbolKind::Object,
        OutlineKind::Component => SymbolKind::Class,
        OutlineKind::Variable => SymbolKind::Variable,
        OutlineKind::Constant => SymbolKind::Constant,
        OutlineKind::Function => SymbolKind::Function,
    };
    kind as u8
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn snippets_without_places() {
        for (snippet, expected) in [
            ("x", "x"),
            ("(${1:n}, ${2:p})", "(n, p)"),
            ("the ${1:a b} shall ${0:r}", "the a b shall r"),
            ("a ${1:open", "a ${1:open"),
        ] {
            assert_eq!(plain(snippet), expected);
        }
    }
}
