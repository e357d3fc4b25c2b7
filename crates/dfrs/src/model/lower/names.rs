//! Which variables there are, and who writes them (Algorithm 1 of the paper): a variable that is only compared is an input, one that is
//! assigned an output; a timer is reset, or its name ends in `timer`.

use super::{Diagnostics, Reader};
use crate::codes;
use crate::document::Document;
use crate::frames::{Atom, ConditionFrame, Operand, Term, name_of};
use crate::system::Kind;
use logic::Rel;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::Span;
use syntax::sysreq::{ActionVerb, Form};

/// The variables, in the order of the system: inputs, outputs, timers, each alphabetical.
pub(super) struct Names {
    pub(super) list: Vec<Info>,
    index: FxHashMap<String, usize>,
}

/// A variable, and where it is mentioned.
pub(super) struct Info {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The first mention.
    pub(super) first: Span,
    pub(super) assigned: Option<Span>,
    pub(super) reset: Option<Span>,
    /// Whether a requirement mentions it.
    pub(super) used: bool,
}

/// What an operand is.
pub(super) enum Meaning<'f> {
    Number(&'f logic::RBig, bool),
    Truth(bool),
    Name(&'f str),
    /// `not pressed`: false, if there is no other name.
    Not(&'f str),
    Variable(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mention {
    Compared,
    Assigned,
    Reset,
}

/// Whether a comparison needs an order.
pub(super) fn is_order(relation: Rel) -> bool {
    match relation {
        Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => true,
        Rel::Eq | Rel::Ne => false,
    }
}

/// Whether a name ends in `timer`.
pub(super) fn is_timer_name(name: &str) -> bool {
    name == "timer" || name.ends_with("_timer")
}

impl Names {
    /// Collects the variables of a document.
    pub(super) fn collect(document: &Document) -> Names {
        let mut names = Names { list: Vec::new(), index: FxHashMap::default() };
        for sentence in &document.sentences {
            let Some(frame) = &sentence.frame else { continue };
            let used = sentence.form == Form::Requirement;
            let mut mention = |name: &str, span: &Range<usize>, how| {
                names.mention(name, sentence.place(span), how, used);
            };
            for found in frame.conditions.iter().flatten().chain(&frame.facts) {
                mention(&found.variable, &found.cpt.span, Mention::Compared);
                let ordered = is_order(found.relation);
                for term in found.cfv.iter().chain([&found.ctv]) {
                    operands(term, ordered, |operand, name| {
                        mention(name, &operand.role.span, Mention::Compared);
                    });
                }
            }
            for found in &frame.actions {
                let how = match found.verb {
                    ActionVerb::Reset => Mention::Reset,
                    ActionVerb::Assign
                    | ActionVerb::Set
                    | ActionVerb::Add
                    | ActionVerb::Subtract
                    | ActionVerb::Increase
                    | ActionVerb::Decrease => Mention::Assigned,
                };
                mention(&found.variable, &found.pat.span, how);
                let sum = computes(found.verb);
                if let Some(term) = &found.tov {
                    operands(term, sum, |operand, name| {
                        mention(name, &operand.role.span, Mention::Compared);
                    });
                }
            }
        }
        names.classify();
        names
    }

    fn mention(&mut self, name: &str, span: Span, how: Mention, used: bool) {
        let at = match self.index.get(name) {
            Some(&at) => at,
            None => {
                self.index.insert(name.to_string(), self.list.len());
                self.list.push(Info {
                    name: name.to_string(),
                    kind: Kind::Input,
                    first: span,
                    assigned: None,
                    reset: None,
                    used: false,
                });
                self.list.len() - 1
            }
        };
        let info = &mut self.list[at];
        info.used |= used;
        match how {
            Mention::Compared => {}
            Mention::Assigned => info.assigned = info.assigned.or(Some(span)),
            Mention::Reset => info.reset = info.reset.or(Some(span)),
        }
    }

    fn classify(&mut self) {
        for info in &mut self.list {
            info.kind = if is_timer_name(&info.name) || info.reset.is_some() && info.assigned.is_none() {
                Kind::Timer
            } else if info.assigned.is_some() {
                Kind::Output
            } else {
                Kind::Input
            };
        }
        self.list.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        self.index = self.list.iter().enumerate().map(|(at, info)| (info.name.clone(), at)).collect();
    }

    /// The number of a variable.
    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The number of a variable that a frame mentions.
    pub(super) fn of(&self, name: &str) -> usize {
        self.index[name]
    }

    /// What an operand means; in sums and orders a phrase with an article is a variable.
    pub(super) fn meaning<'f>(&self, operand: &'f Operand) -> Meaning<'f> {
        match &operand.atom {
            Atom::Number { value, whole } => Meaning::Number(value, *whole),
            Atom::Truth(truth) => Meaning::Truth(*truth),
            Atom::Phrase { article, quoted, words } => match self.get(&name_of(words)) {
                Some(at) if *article => Meaning::Variable(at),
                _ if *quoted || *article => Meaning::Name(words),
                _ => match words.strip_prefix("not ") {
                    Some("true") => Meaning::Truth(false),
                    Some("false") => Meaning::Truth(true),
                    Some(rest) => Meaning::Not(rest),
                    None => Meaning::Name(words),
                },
            },
        }
    }
}

/// Whether a verb computes with its value.
pub(super) fn computes(verb: ActionVerb) -> bool {
    match verb {
        ActionVerb::Add | ActionVerb::Subtract | ActionVerb::Increase | ActionVerb::Decrease => true,
        ActionVerb::Assign | ActionVerb::Set | ActionVerb::Reset => false,
    }
}

/// The operands that can only be variables: phrases with an article where a number is needed.
fn operands<'f>(term: &'f Term, numeric: bool, mut each: impl FnMut(&'f Operand, &str)) {
    if !numeric && term.operands.len() < 2 {
        return;
    }
    for (_, operand) in &term.operands {
        if let Atom::Phrase { article: true, words, .. } = &operand.atom {
            each(operand, &name_of(words));
        }
    }
}

/// Reports words without an article that are the name of a variable: they may be meant as a value or as the variable.
pub(super) fn ambiguities(names: &Names, reader: &Reader, out: &mut Diagnostics) {
    for term in reader.terms() {
        for (_, operand) in &term.operands {
            let Atom::Phrase { article, quoted: false, words } = &operand.atom else { continue };
            if *article {
                if let Meaning::Name(_) = names.meaning(operand) {
                    let message = format!(
                        "`{}` is read as a value: no sentence uses it as a variable",
                        operand.role.text
                    );
                    let hint = format!(
                        "for a variable, write `Initially, {} is ….`; for a value, leave out the article",
                        operand.role.text
                    );
                    out.report(
                        codes::ARTICLE_VALUE,
                        reader.sentence.place(&operand.role.span),
                        message,
                        hint,
                    );
                }
                continue;
            }
            if names.get(&name_of(words)).is_some() {
                let message = format!("two readings: the value `{words}`; or the variable `the {words}`");
                let hint = format!("write '{words}' in quotes for the value, `the {words}` for the variable");
                out.report(
                    syntax::codes::AMBIGUOUS,
                    reader.sentence.place(&operand.role.span),
                    message,
                    hint,
                );
            }
        }
    }
}

/// Reports what is done to variables of the wrong kind.
pub(super) fn kinds(names: &Names, reader: &Reader, out: &mut Diagnostics) {
    for found in &reader.frame.actions {
        let info = &names.list[names.of(&found.variable)];
        let span = reader.sentence.place(&found.pat.span);
        let shown = &found.pat.text;
        match (info.kind, found.verb) {
            (Kind::Timer, ActionVerb::Reset) | (Kind::Input, _) => {}
            (Kind::Timer, _) => {
                let message = format!("`{shown}` is a timer, and a timer cannot be assigned");
                let hint = format!("write `reset {shown}`, or give it another name");
                out.report(codes::TIMER_ASSIGNED, span, message, hint);
            }
            (Kind::Output, ActionVerb::Reset) => {
                let message = format!("`{shown}` is reset here, but is assigned elsewhere");
                let hint = format!("assign its first value instead, such as `assign 0 to {shown}`");
                out.report(codes::NOT_A_TIMER, span, message, hint);
            }
            (Kind::Output, _) => {}
        }
    }
    if reader.frame.form == Form::Environment {
        let facts = reader.frame.conditions.iter().flatten().chain(&reader.frame.facts);
        facts.for_each(|found| about_input(names, reader, found, out));
    }
}

fn about_input(names: &Names, reader: &Reader, found: &ConditionFrame, out: &mut Diagnostics) {
    let who = match names.list[names.of(&found.variable)].kind {
        Kind::Input => return,
        Kind::Output => "the system assigns it",
        Kind::Timer => "it is a timer",
    };
    let message = format!("the environment does not decide `{}`: {who}", found.cpt.text);
    let hint = "write what inputs never do; the requirements say what the system does";
    out.report(codes::NOT_AN_INPUT, reader.sentence.place(&found.cpt.span), message, hint);
}
