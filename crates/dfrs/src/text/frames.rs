//! Requirement frames: for each verb of a sentence, which phrase plays which thematic role (section 3.1 and Table 1 of the paper).
//!
//! Conditions have CAC (the verb), CPT (what it is about), CMD (`not`, comparison), CFV and CTV (from and to value); actions
//! have ACT, AGT, PAT and TOV. A role keeps its words and its place; with it is what the words mean. Only sentences
//! without errors have a frame.

use logic::{RBig, Rel, parse_decimal};
use std::fmt::Write;
use std::ops::Range;
use syntax::sysreq::{
    self, Action, ActionVerb, Arithmetic, Comparative, Condition, Form, Phrase, Sentence, Verb,
};
use syntax::{NodeRef, Parse, Severity};

/// The words that play a role, and their place in the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// As written, with single spaces between words.
    pub text: String,
    /// Bytes of the sentence.
    pub span: Range<usize>,
}

/// All frames of one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What the sentence is.
    pub form: Form,
    /// All of these, of each any.
    pub conditions: Vec<Vec<ConditionFrame>>,
    /// What the component does.
    pub actions: Vec<ActionFrame>,
    /// What never happens, or how things are initially.
    pub facts: Vec<ConditionFrame>,
}

/// The frame of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionFrame {
    /// Condition action: the verb.
    pub cac: Role,
    /// Condition patient: the variable.
    pub cpt: Role,
    /// Condition modifier: `not`, a comparison.
    pub cmd: Option<Role>,
    /// Condition from value.
    pub cfv: Option<Term>,
    /// Condition to value.
    pub ctv: Term,
    /// Which verb.
    pub verb: Verb,
    /// The name of the variable.
    pub variable: String,
    /// The comparison, with `not` taken into account.
    pub relation: Rel,
    /// The bytes of the whole condition.
    pub span: Range<usize>,
}

/// The frame of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFrame {
    /// Action: the verb.
    pub act: Role,
    /// Agent: who acts.
    pub agt: Role,
    /// Patient: the variable.
    pub pat: Role,
    /// To value.
    pub tov: Option<Term>,
    /// Which verb.
    pub verb: ActionVerb,
    /// The name of the variable.
    pub variable: String,
    /// The bytes of the whole action.
    pub span: Range<usize>,
}

/// A value: operands with what joins each to those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Its words.
    pub role: Role,
    /// The operands; `Plus` before the first.
    pub operands: Vec<(Arithmetic, Operand)>,
}

/// One operand of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub atom: Atom,
    /// Its words.
    pub role: Role,
}

/// What an operand may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Atom {
    /// A number.
    Number {
        /// Which.
        value: RBig,
        /// Whether it is written as an integer.
        whole: bool,
    },
    /// `true` or `false`.
    Truth(bool),
    /// Words: a name or a variable.
    Phrase {
        /// Whether it has an article.
        article: bool,
        /// Whether it is in quotation marks.
        quoted: bool,
        /// Without its article, in lower case.
        words: String,
    },
}

/// The name of a variable from its words: `system mode` is `system_mode`.
pub fn name_of(words: &str) -> String {
    words.replace([' ', '-'], "_")
}

impl Frame {
    /// The frame of a sentence, if it has no errors.
    pub fn of(parse: &Parse) -> Option<Frame> {
        if parse.diagnostics.iter().any(|found| found.severity() == Severity::Error) {
            return None;
        }
        let sentence = Sentence::of(&parse.tree);
        let all = |list: &[Condition]| list.iter().map(condition).collect::<Option<Vec<_>>>();
        let agent = sentence.agent.as_ref().map(|agent| role(agent.node));
        Some(Frame {
            form: sentence.form,
            conditions: sentence.guard.iter().map(|list| all(list)).collect::<Option<_>>()?,
            actions: sentence
                .actions
                .iter()
                .map(|found| action(found, agent.as_ref()?))
                .collect::<Option<_>>()?,
            facts: all(&sentence.facts)?,
        })
    }

    /// The frame as a text table, in the shape of Table 1.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for (index, list) in self.conditions.iter().enumerate() {
            for (k, found) in list.iter().enumerate() {
                let or = if k == 0 { "" } else { "or " };
                found.rows(&format!("{or}Condition #{}", index + 1), &mut out);
            }
        }
        let title = match self.form {
            Form::Requirement | Form::Environment => "Never",
            Form::Initial => "Initially",
        };
        for (index, found) in self.facts.iter().enumerate() {
            found.rows(&format!("{title} #{}", index + 1), &mut out);
        }
        for (index, found) in self.actions.iter().enumerate() {
            heading(&mut out, &format!("Action #{} - Main Verb (ACT): {}", index + 1, found.act.text));
            row(&mut out, [("AGT", &found.agt.text), ("TOV", shown(found.tov.as_ref()))]);
            row(&mut out, [("PAT", &found.pat.text)]);
        }
        out
    }
}

impl ConditionFrame {
    fn rows(&self, title: &str, out: &mut String) {
        heading(out, &format!("{title} - Main Verb (CAC): {}", self.cac.text));
        row(out, [("CPT", &self.cpt.text), ("CFV", shown(self.cfv.as_ref()))]);
        let modifier = self.cmd.as_ref().map_or("-", |role| &role.text);
        row(out, [("CMD", modifier), ("CTV", &self.ctv.role.text)]);
    }
}

fn heading(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn row<const N: usize>(out: &mut String, cells: [(&str, &str); N]) {
    let mut line = String::new();
    for (name, text) in cells {
        let _ = write!(line, "  {name}: {text:<32}");
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

fn shown(term: Option<&Term>) -> &str {
    term.map_or("-", |term| &term.role.text)
}

fn role(node: NodeRef) -> Role {
    Role { text: one_line(node.text()), span: node.span().range() }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn condition(found: &Condition) -> Option<ConditionFrame> {
    let subject = found.subject.as_ref()?;
    let relation = match found.comparative {
        Comparative::Lower => Rel::Lt,
        Comparative::LowerOrEqual => Rel::Le,
        Comparative::Greater => Rel::Gt,
        Comparative::GreaterOrEqual => Rel::Ge,
        Comparative::Equal => Rel::Eq,
        Comparative::Different => Rel::Ne,
    };
    Some(ConditionFrame {
        cac: role(found.verb_node?),
        cpt: role(subject.node),
        cmd: found.modifier.map(role),
        cfv: match &found.from {
            Some(value) => Some(term(value)?),
            None => None,
        },
        ctv: term(found.value.as_ref()?)?,
        verb: found.verb,
        variable: name_of(&subject.words),
        relation: if found.not { relation.complement() } else { relation },
        span: found.node.span().range(),
    })
}

fn action(found: &Action, agent: &Role) -> Option<ActionFrame> {
    let patient = found.patient.as_ref()?;
    let tov = match &found.value {
        Some(value) => Some(term(value)?),
        None if found.verb == ActionVerb::Reset => None,
        None => return None,
    };
    Some(ActionFrame {
        act: role(found.verb_node),
        agt: agent.clone(),
        pat: role(patient.node),
        tov,
        verb: found.verb,
        variable: name_of(&patient.words),
        span: found.node.span().range(),
    })
}

fn term(value: &sysreq::Value) -> Option<Term> {
    let operand = |found: &sysreq::Operand| {
        let (atom, role) = match found {
            sysreq::Operand::Number(text, span) => {
                let value = parse_decimal(text)?;
                let whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
                (Atom::Number { value, whole }, Role { text: text.clone(), span: span.range() })
            }
            sysreq::Operand::Truth(truth, span) => {
                (Atom::Truth(*truth), Role { text: truth.to_string(), span: span.range() })
            }
            sysreq::Operand::Phrase(Phrase { node, article, quoted, words }) => {
                (Atom::Phrase { article: *article, quoted: *quoted, words: words.clone() }, role(*node))
            }
        };
        Some(Operand { atom, role })
    };
    let operands = value
        .operands
        .iter()
        .map(|(joint, found)| Some((*joint, operand(found)?)))
        .collect::<Option<Vec<_>>>()?;
    (!operands.is_empty()).then(|| Term { role: role(value.node), operands })
}
