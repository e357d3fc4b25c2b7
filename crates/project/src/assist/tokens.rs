//! Sentences and tables of variables in colours. The legend:
//!
//! | type | what has it |
//! |---|---|
//! | `scope`, `condition`, `timing` | the words of the field: `in … mode`, `when`, `within … ticks` |
//! | `response` | the word `satisfy` |
//! | `component` | the name of the component, in a sentence and in the heading of its table |
//! | `keyword` | `shall`, `the`, `true`, `is`, `if … then`, `with probability`, and kinds in tables |
//! | `number`, `operator` | literals; signs and words such as `and` |
//! | `variable`, `function`, `enumMember` | names, by what the component says they are |
//! | `type` | types in tables |
//!
//! Modifiers: `declaration` in tables; `readonly` for constants; `inferred` for what no table declares; and, inside a field,
//! its name: `scope`, `condition`, `timing`, `response`. Tokens are in the order of the text, do not overlap, and none
//! has a line end in it.

use super::locate::{definition_names, values};
use crate::component::Component;
use crate::document::{Column, Document, Language};
use crate::project::{Analysis, Place, Project};
use requirement::specification::Kind as VariableKind;
use syntax::{Expr, Kind, NodeRef, Span, Word};

/// The types of tokens; a token has the index of its type.
pub const TYPES: [&str; 12] = [
    "scope",
    "condition",
    "component",
    "timing",
    "response",
    "keyword",
    "number",
    "operator",
    "variable",
    "function",
    "enumMember",
    "type",
];

/// The modifiers of tokens; a token has a bit for each.
pub const MODIFIERS: [&str; 7] =
    ["declaration", "readonly", "inferred", "scope", "condition", "timing", "response"];

/// A piece of a document with its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The bytes of the document.
    pub span: Span,
    /// An index of [`TYPES`].
    pub ty: u32,
    /// A set of [`MODIFIERS`], as bits.
    pub modifiers: u32,
}

const SCOPE: u32 = 0;
const CONDITION: u32 = 1;
const COMPONENT: u32 = 2;
const TIMING: u32 = 3;
const RESPONSE: u32 = 4;
const KEYWORD: u32 = 5;
const NUMBER: u32 = 6;
const OPERATOR: u32 = 7;
const VARIABLE: u32 = 8;
const FUNCTION: u32 = 9;
const ENUM_MEMBER: u32 = 10;
const TYPE: u32 = 11;

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const INFERRED: u32 = 4;

/// The tokens of a document.
pub fn tokens(project: &Project, analysis: &Analysis, document: usize) -> Vec<Token> {
    let Some(text) = project.documents.get(document) else { return Vec::new() };
    let mut all = Vec::new();
    in_tables(text, analysis, &mut all);
    for (entry, known) in text.entries.iter().enumerate() {
        let Some(sentence) = known.sentence.filter(|sentence| sentence.language == Language::Fretish) else {
            continue;
        };
        let Some(known) = analysis.at(Place { document, entry }) else { continue };
        let component = known.component.and_then(|index| analysis.components.at(index));
        if let Some(reading) = &known.reading {
            let tree = &reading.parsed.parse.tree;
            let fields: Vec<(Kind, Span)> =
                tree.root().children().map(|field| (field.kind(), field.span())).collect();
            for node in tree.nodes() {
                in_node(node, &fields, component, sentence.span.start, &mut all);
            }
        }
    }
    all.sort_by_key(|token| (token.span.start, token.span.end));
    all.into_iter().flat_map(|token| lines(text, token)).collect()
}

/// A token that goes over a line end, as one token for each line.
fn lines(document: &Document, token: Token) -> Vec<Token> {
    let mut start = token.span.start;
    let mut pieces = Vec::new();
    for piece in document.slice(token.span).split_inclusive(['\n', '\r']) {
        let solid = piece.trim_end_matches(['\n', '\r']);
        if !solid.is_empty() {
            pieces.push(Token { span: Span::new(start, start + solid.len() as u32), ..token });
        }
        start += piece.len() as u32;
    }
    pieces
}

/// The tokens of one node that belong to none of its children.
fn in_node(
    node: NodeRef,
    fields: &[(Kind, Span)],
    component: Option<&Component>,
    offset: u32,
    all: &mut Vec<Token>,
) {
    let kind = node.kind();
    let place = node.span();
    let field = fields.iter().find(|(_, span)| span.start <= place.start && place.end <= span.end);
    let modifier = match field.map(|(kind, _)| *kind) {
        Some(Kind::Scope) => 1 << 3,
        Some(Kind::Condition) => 1 << 4,
        Some(Kind::Timing) => 1 << 5,
        Some(Kind::Response) => 1 << 6,
        _ => 0,
    };
    for (index, (token, span, text)) in node.own_tokens().enumerate() {
        let is_name = matches!(token, Kind::Name | Kind::Quoted);
        let (ty, modifiers) = match (kind, token) {
            (Kind::Scope, Kind::Name) => (SCOPE, 0),
            (Kind::Condition | Kind::Clause, Kind::Name) => (CONDITION, 0),
            (Kind::Timing, Kind::Name) => (TIMING, 0),
            (Kind::Component, _) if is_name => match Word::of(text) {
                Some(Word::The) => (KEYWORD, 0),
                _ => (COMPONENT, 0),
            },
            (Kind::Duration, _) if is_name && index == 0 => name(component, text),
            (Kind::Duration, Kind::Name) => (TIMING, 0),
            (Kind::Call, _) if is_name => (FUNCTION, 0),
            (Kind::NameRef, _) if text == "FTP" => (FUNCTION, 0),
            (Kind::NameRef, _) => match Expr::of(node) {
                Expr::Name(meant) => name(component, &meant),
                _ => continue,
            },
            (Kind::Sentence, Kind::Name) => match Word::of(text) {
                Some(Word::Satisfy) => (RESPONSE, 0),
                Some(Word::Shall | Word::The | Word::Then) => (KEYWORD, 0),
                _ => continue,
            },
            (Kind::Infix | Kind::Prefix, _) => (OPERATOR, 0),
            (Kind::Error, _) => continue,
            (_, Kind::Number) => (NUMBER, 0),
            (_, Kind::Name) => (KEYWORD, 0),
            (
                Kind::Probability,
                Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual | Kind::Equal,
            ) => (OPERATOR, 0),
            _ => continue,
        };
        let span = Span::new(offset + span.start, offset + span.end);
        all.push(Token { span, ty, modifiers: modifiers | modifier });
    }
}

/// The type and modifiers of a name.
fn name(component: Option<&Component>, name: &str) -> (u32, u32) {
    let Some(symbol) = component.and_then(|component| component.symbol(name)) else {
        let is_value = component.is_some_and(|component| component.enumeration_of(name).is_some());
        return if is_value { (ENUM_MEMBER, 0) } else { (VARIABLE, INFERRED) };
    };
    let inferred = if symbol.declaration.is_none() { INFERRED } else { 0 };
    match symbol.variable.kind {
        VariableKind::Function => (FUNCTION, inferred),
        VariableKind::Constant => (VARIABLE, inferred | READONLY),
        VariableKind::Input | VariableKind::Output | VariableKind::Internal | VariableKind::Mode => {
            (VARIABLE, inferred)
        }
    }
}

fn in_tables(document: &Document, analysis: &Analysis, all: &mut Vec<Token>) {
    for table in &document.tables {
        let component = analysis.components.get(&table.component.text);
        let named = Token { span: table.component.span, ty: COMPONENT, modifiers: DECLARATION };
        // Two tables under one heading name it once.
        if !all.contains(&named) {
            all.push(named);
        }
        for row in &table.rows {
            let declared = &row.declaration.name;
            let (ty, modifiers) = name(component, &declared.text);
            all.push(Token { span: declared.span, ty, modifiers: modifiers | DECLARATION });
            let kind = row.cell(table, &Column::Kind).filter(|_| row.declaration.kind.is_some());
            all.extend(kind.map(|cell| Token { span: cell.span, ty: KEYWORD, modifiers: 0 }));
            let values = values(document, table, row);
            match row.cell(table, &Column::Type).filter(|_| row.declaration.ty.is_some()) {
                Some(cell) if values.is_empty() => {
                    all.push(Token { span: cell.span, ty: TYPE, modifiers: 0 })
                }
                Some(cell) => {
                    let word = document.slice(cell.span).find(['(', '{', ' ']).unwrap_or(0) as u32;
                    let span = Span::new(cell.span.start, cell.span.start + word);
                    all.push(Token { span, ty: TYPE, modifiers: 0 });
                    let values = values.into_iter();
                    all.extend(values.map(|(_, span)| Token {
                        span,
                        ty: ENUM_MEMBER,
                        modifiers: DECLARATION,
                    }));
                }
                None => {}
            }
            all.extend(definition_names(document, table, row).into_iter().map(|used| {
                let (ty, modifiers) = name(component, &used.name);
                Token { span: used.span, ty, modifiers }
            }));
        }
    }
}
