//! The lossless tree: a flat list of tokens that covers the text, and a list of nodes in pre-order.
//!
//! A node is a kind, a range of tokens and the index after its last descendant, so a subtree is a slice and
//! walking needs neither pointers nor recursion. Built only by the parser.

use crate::{Kind, Span};

/// A piece of the text with its kind; white space is a token like any other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Index of the first token.
    pub(crate) first: u32,
    /// One past the last token.
    pub(crate) last: u32,
    /// Index after the last descendant.
    pub(crate) end: u32,
}

/// A text together with its tokens and nodes.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(crate) text: Box<str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) nodes: Vec<Node>,
    /// The names that phrases stand for, by where these begin.
    pub(crate) phrases: Vec<(u32, Box<str>)>,
}

impl Tree {
    /// The text, exactly as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The root node.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, index: 0 }
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> {
        (0..self.nodes.len() as u32).map(|index| NodeRef { tree: self, index })
    }

    /// The texts of all tokens in order; their concatenation is [`Tree::text`].
    pub fn tokens(&self) -> impl Iterator<Item = (Kind, &str)> {
        self.tokens.iter().map(|token| (token.kind, &self.text[token.span.range()]))
    }

    /// The name of the phrase that begins at this byte.
    pub(crate) fn phrase_at(&self, start: u32) -> Option<&str> {
        let at = self.phrases.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        Some(&self.phrases[at].1)
    }

    /// The phrases, each with the name that it stands for.
    pub fn phrases(&self) -> impl Iterator<Item = (Span, &str)> {
        let spans = self.tokens.iter().filter(|token| token.kind == Kind::Phrase).map(|token| token.span);
        spans.zip(self.phrases.iter().map(|(_, name)| &**name))
    }

    /// The text with names in the place of phrases.
    pub fn without_phrases(&self) -> String {
        let mut text = self.text.to_string();
        for (span, name) in self.phrases().collect::<Vec<_>>().into_iter().rev() {
            text.replace_range(span.range(), &crate::quoted_if_needed(name));
        }
        text
    }

    /// The tree as an indented outline, for tests and debugging.
    pub fn outline(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<u32> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            open.retain(|&end| index < end as usize);
            let node_ref = NodeRef { tree: self, index: index as u32 };
            out.push_str(&format!(
                "{:indent$}{:?} {:?}\n",
                "",
                node.kind,
                node_ref.text(),
                indent = open.len() * 2
            ));
            open.push(node.end);
        }
        out
    }
}

/// A node of a tree.
#[derive(Debug, Clone, Copy)]
pub struct NodeRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> NodeRef<'t> {
    fn node(self) -> &'t Node {
        &self.tree.nodes[self.index as usize]
    }

    /// The kind of the node.
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// The span of the node, without surrounding white space.
    pub fn span(self) -> Span {
        let Node { first, last, .. } = *self.node();
        let tokens = &self.tree.tokens[first as usize..last as usize];
        let mut solid = tokens.iter().filter(|token| token.kind != Kind::Whitespace);
        match solid.next() {
            Some(head) => head.span.to(solid.next_back().unwrap_or(head).span),
            None => {
                let at = self
                    .tree
                    .tokens
                    .get(first as usize)
                    .map_or(self.tree.text.len() as u32, |t| t.span.start);
                Span::new(at, at)
            }
        }
    }

    /// The text of the node, without surrounding white space.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The name that this node stands for, if it is a phrase.
    pub fn phrase(self) -> Option<&'t str> {
        self.tree.phrase_at(self.span().start).filter(|_| self.kind() == Kind::NameRef)
    }

    /// The tree of the node.
    pub(crate) fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The child nodes.
    pub fn children(self) -> impl Iterator<Item = NodeRef<'t>> {
        let end = self.node().end;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = NodeRef { tree: self.tree, index: next };
                next = child.node().end;
                child
            })
        })
    }

    /// The first child of this kind.
    pub fn child(self, kind: Kind) -> Option<NodeRef<'t>> {
        self.children().find(|child| child.kind() == kind)
    }

    /// The tokens of this node that do not belong to a child, without white space.
    pub fn own_tokens(self) -> impl Iterator<Item = (Kind, Span, &'t str)> {
        let node = *self.node();
        let mut children = self.children().map(NodeRef::node).peekable();
        let mut next = node.first;
        std::iter::from_fn(move || {
            while next < node.last {
                if let Some(child) = children.peek().filter(|child| child.first <= next) {
                    next = next.max(child.last);
                    children.next();
                    continue;
                }
                let token = self.tree.tokens[next as usize];
                next += 1;
                if token.kind != Kind::Whitespace {
                    return Some((token.kind, token.span, &self.tree.text[token.span.range()]));
                }
            }
            None
        })
    }
}
