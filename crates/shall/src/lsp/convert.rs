//! What `project` says, as the protocol has it.

use super::text::{Encoding, Lines};
use lsp_types::{CompletionItemKind, DiagnosticSeverity, SemanticToken, SymbolKind, Uri};
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
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning if deny.iter().any(|code| code == found.code.id()) => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let mut shown = json!({
        "range": lines.range(found.span),
        "severity": severity,
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
        let SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset } =
            SemanticToken {
                delta_line: position.line.saturating_sub(line),
                delta_start: if same { position.character.saturating_sub(start) } else { position.character },
                length: encoding.length(document.slice(token.span)),
                token_type: token.ty,
                token_modifiers_bitset: token.modifiers,
            };
        data.extend([delta_line, delta_start, length, token_type, token_modifiers_bitset]);
        (line, start) = (position.line, position.character);
    }
    json!({ "data": data })
}

/// A proposal for the word in this range. The order is that of the list.
pub(super) fn item(item: &Item, index: usize, range: lsp_types::Range, snippets: bool) -> Json {
    let kind = match item.kind {
        ItemKind::Keyword => CompletionItemKind::KEYWORD,
        ItemKind::Variable => CompletionItemKind::VARIABLE,
        ItemKind::Value => CompletionItemKind::ENUM_MEMBER,
        ItemKind::Function => CompletionItemKind::FUNCTION,
        ItemKind::Component => CompletionItemKind::CLASS,
        ItemKind::Unit => CompletionItemKind::UNIT,
        ItemKind::Template => CompletionItemKind::SNIPPET,
        ItemKind::Requirement => CompletionItemKind::REFERENCE,
        ItemKind::Attribute => CompletionItemKind::PROPERTY,
        ItemKind::Type => CompletionItemKind::TYPE_PARAMETER,
    };
    let snippet = item.snippet && snippets;
    let text = if item.snippet && !snippets { plain(&item.insert) } else { item.insert.clone() };
    let mut shown = json!({
        "label": item.label,
        "kind": kind,
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

pub(super) fn symbol_kind(kind: OutlineKind) -> SymbolKind {
    match kind {
        OutlineKind::Chapter => SymbolKind::NAMESPACE,
        OutlineKind::Requirement => SymbolKind::OBJECT,
        OutlineKind::Component => SymbolKind::CLASS,
        OutlineKind::Variable => SymbolKind::VARIABLE,
        OutlineKind::Constant => SymbolKind::CONSTANT,
        OutlineKind::Function => SymbolKind::FUNCTION,
    }
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
