//! FRETish sentences for requirements in prose that are close to the patterns of EARS (Mavin et al., RE'09): clauses with
//! `when`, `while`, `if`, `where`, then a subject, then `shall`, `must` or `has to`, then what it does and by when.
//!
//! A proposal says nothing that the prose does not say: each phrase becomes a name or a comparison, and what the prose
//! leaves open is a note. Invariant: a proposal is a sentence without errors.

mod phrase;

use crate::reading::Parsed;
use phrase::{Names, clean, comparison, condition, name_of, number_word, words};
use syntax::Severity;

/// A sentence for a requirement in prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The FRETish sentence.
    pub sentence: String,
    /// The names in it, each with the phrase that it stands for.
    pub names: Vec<(String, String)>,
    /// What the prose leaves open, and how it was read.
    pub notes: Vec<String>,
}

/// Why there is no proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProposal {
    /// No `shall`, `must` or `has to`.
    NoModal,
    /// Several sentences, each with `shall`, `must` or `has to`.
    SeveralSentences,
    /// Nothing before or after `shall`.
    Incomplete,
    /// A phrase that is too long for a name, has no name in it, or a time.
    LongPhrase,
    /// The sentence that was made has errors.
    Unreadable,
}

impl std::fmt::Display for NoProposal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            NoProposal::NoModal => "it has no `shall`, `must` or `has to`",
            NoProposal::SeveralSentences => "it has several sentences with `shall`; split it",
            NoProposal::Incomplete => "it does not say who shall do what",
            NoProposal::LongPhrase => {
                "a phrase is too long for a name, or has a time in it that is not `within`, `for` or `until`"
            }
            NoProposal::Unreadable => "it is not close enough to a pattern",
        })
    }
}

/// The component of a proposal if nothing tells it.
pub const SYSTEM: &str = "System";

/// A text is long for a requirement, and a longer one is not read.
const MAX_TEXT: usize = 2000;

/// The sentence that prose is close to. The component is `default` where the subject of the prose is a quantity.
///
/// # Errors
/// If the prose is not close to a pattern.
pub fn propose(prose: &str, default: &str) -> Result<Proposal, NoProposal> {
    if prose.len() > MAX_TEXT {
        return Err(NoProposal::LongPhrase);
    }
    let text = clean(prose);
    let mut sentences = phrase::sentences(&text).into_iter().filter(|it| modal(it).is_some());
    let sentence = sentences.next().ok_or(NoProposal::NoModal)?;
    if sentences.next().is_some() {
        return Err(NoProposal::SeveralSentences);
    }
    let (head, tail) = modal(&sentence).ok_or(NoProposal::NoModal)?;
    let mut parts = Parts::default();
    let subject = parts.head(head)?;
    let tail = parts.tail(tail)?;
    parts.response(subject, &tail, default)?;
    parts.finish()
}

/// What is before and after the verb that makes an obligation.
fn modal(sentence: &str) -> Option<(&str, &str)> {
    let lower = sentence.to_ascii_lowercase();
    let verbs = [" shall ", " must ", " has to ", " have to "];
    let (at, verb) = verbs.iter().filter_map(|verb| Some((lower.find(verb)?, verb))).min()?;
    Some((sentence[..at].trim(), sentence[at + verb.len()..].trim()))
}

/// The parts of a sentence as they are found.
#[derive(Default)]
struct Parts {
    /// `while p`
    scope: Option<String>,
    /// `when p`, in their order.
    conditions: Vec<String>,
    component: String,
    timing: Option<String>,
    negated: bool,
    response: String,
    names: Names,
    notes: Vec<String>,
}

/// The words that begin a clause, with those of FRETish for them; the longest first.
const SCOPES: [(&str, &str); 6] = [
    ("as long as ", "while "),
    ("for as long as ", "while "),
    ("while ", "while "),
    ("during ", "while "),
    ("after ", "after "),
    ("before ", "before "),
];
const CONDITIONS: [(&str, &str); 8] = [
    ("whenever ", "whenever "),
    ("when ", "when "),
    ("if ", "if "),
    ("where ", "where "),
    ("once ", "when "),
    ("as soon as ", "when "),
    ("upon ", "upon "),
    ("unless ", "unless "),
];

/// The clause that a text begins with: whether it is a scope, the word for it, and the rest.
fn clause(text: &str) -> Option<(bool, &'static str, &str)> {
    let strip = |word: &str| {
        let start = text.get(..word.len())?;
        start.eq_ignore_ascii_case(word).then(|| text[word.len()..].trim())
    };
    let scope = SCOPES.iter().find_map(|(word, ours)| Some((true, *ours, strip(word)?)));
    scope.or_else(|| CONDITIONS.iter().find_map(|(word, ours)| Some((false, *ours, strip(word)?))))
}

impl Parts {
    /// Takes the clauses before the subject, and gives the subject.
    fn head<'t>(&mut self, head: &'t str) -> Result<&'t str, NoProposal> {
        let mut clauses: Vec<String> = Vec::new();
        let mut subject = head;
        if clause(head).is_some() {
            // The subject comes after the last comma, or after the last article.
            let before;
            (before, subject) = match head.rfind(", ") {
                Some(at) => (&head[..at], head[at + 2..].trim()),
                None => {
                    let at = head.to_ascii_lowercase().rfind(" the ").ok_or(NoProposal::Incomplete)?;
                    (&head[..at], head[at + 1..].trim())
                }
            };
            let mut before = before.to_string();
            if clause(subject).is_some() {
                // `…, when the brake is pressed the controller shall`
                let at = subject.to_ascii_lowercase().rfind(" the ").ok_or(NoProposal::Incomplete)?;
                before = format!("{before}, {}", &subject[..at]);
                subject = subject[at + 1..].trim();
            }
            for piece in before.split(", ") {
                let piece = piece.strip_prefix("and ").unwrap_or(piece);
                match clauses.last_mut() {
                    Some(last) if clause(piece).is_none() => {
                        last.push_str(" and ");
                        last.push_str(piece);
                    }
                    _ => clauses.push(piece.to_string()),
                }
            }
        }
        for text in clauses {
            self.clause(&text)?;
        }
        let subject = subject.strip_prefix("then ").unwrap_or(subject);
        if subject.is_empty() { Err(NoProposal::Incomplete) } else { Ok(subject) }
    }

    fn clause(&mut self, text: &str) -> Result<(), NoProposal> {
        let (is_scope, word, rest) = clause(text).ok_or(NoProposal::Unreadable)?;
        let expression = condition(rest, &mut self.names).ok_or(NoProposal::LongPhrase)?;
        match is_scope {
            true if self.scope.is_none() => self.scope = Some(format!("{word}{expression}")),
            true => return Err(NoProposal::Unreadable),
            false => self.conditions.push(format!("{word}{expression}")),
        }
        Ok(())
    }

    /// Takes negation, timing and clauses at the end, and gives what is left.
    fn tail(&mut self, tail: &str) -> Result<String, NoProposal> {
        let mut tail = tail.to_string();
        for (word, timing) in [
            ("not ", None),
            ("never ", None),
            ("always ", Some("always")),
            ("immediately ", Some("immediately")),
        ] {
            if let Some(rest) = tail.strip_prefix(word) {
                self.negated |= timing.is_none();
                self.timing = timing.map(String::from);
                tail = rest.to_string();
                break;
            }
        }
        self.until(&mut tail)?;
        for (_, ours) in SCOPES.iter().chain(&CONDITIONS) {
            // A clause after what is to be done.
            let lower = tail.to_ascii_lowercase();
            let Some(at) =
                lower.rfind(&format!(" {ours}")).filter(|_| *ours != "after " && *ours != "before ")
            else {
                continue;
            };
            let clause = tail.split_off(at);
            self.clause(clause.trim())?;
        }
        self.duration(&mut tail)?;
        let forms = [
            (" immediately", "immediately"),
            (" at all times", "always"),
            (" at any time", "always"),
            (" always", "always"),
            (" eventually", "eventually"),
            (" in the next step", "at the next timepoint"),
            (" at the next step", "at the next timepoint"),
        ];
        for (word, timing) in forms {
            if let Some(at) = tail.to_ascii_lowercase().find(word).filter(|_| self.timing.is_none()) {
                tail.replace_range(at..at + word.len(), "");
                self.timing = Some(timing.into());
            }
        }
        let tail = tail.trim().trim_end_matches(',').trim().to_string();
        if words(&tail).any(|word| word.eq_ignore_ascii_case("within")) {
            return Err(NoProposal::Unreadable);
        }
        if tail.is_empty() { Err(NoProposal::Incomplete) } else { Ok(tail) }
    }

    /// `… until the door is closed`
    fn until(&mut self, tail: &mut String) -> Result<(), NoProposal> {
        let lower = tail.to_ascii_lowercase();
        let found =
            ["until ", "before "].iter().filter_map(|word| Some((lower.find(&format!(" {word}"))?, *word)));
        let Some((at, word)) = found.min() else { return Ok(()) };
        let rest = tail[at + 1 + word.len()..].trim().to_string();
        let expression = condition(&rest, &mut self.names).ok_or(NoProposal::LongPhrase)?;
        tail.truncate(at);
        self.timing = Some(format!("{word}{expression}"));
        Ok(())
    }

    /// `within 5 s`, `in at most five seconds`, `no later than 5 s`, `for at least 2 minutes`
    fn duration(&mut self, tail: &mut String) -> Result<(), NoProposal> {
        let forms = [
            ("no later than ", "within"),
            ("not later than ", "within"),
            ("in less than ", "within"),
            ("in at most ", "within"),
            ("within at most ", "within"),
            ("within the next ", "within"),
            ("within ", "within"),
            ("for at least ", "for"),
            ("for the next ", "for"),
            ("for ", "for"),
        ];
        let lower = format!(" {}", tail.to_ascii_lowercase());
        for (form, timing) in forms {
            // The space at the front is not one of the text.
            let Some(at) = lower.find(&format!(" {form}")) else { continue };
            let after = at + form.len();
            let mut given = tail[after..].splitn(3, ' ');
            let (Some(number), unit) = (given.next(), given.next()) else { continue };
            let split = number.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|&at| at > 0);
            let (number, unit, length) = match split {
                Some(at) => (&number[..at], Some(&number[at..]), number.len()),
                None => (number, unit, number.len() + 1 + unit.map_or(0, str::len)),
            };
            let Some((number, unit)) = number_word(number).zip(unit.and_then(phrase::unit)) else { continue };
            let unit = if number == "1" { unit.trim_end_matches('s') } else { unit };
            let timing = format!("{timing} {number} {unit}");
            let end = (after + length).min(tail.len());
            // `within 5 s of the request` says what the time is counted from.
            let rest = tail[end..].trim();
            if let Some(event) = rest.strip_prefix("of ").or(rest.strip_prefix("after ")) {
                if !self.conditions.is_empty() {
                    return Err(NoProposal::Unreadable);
                }
                let expression = condition(event, &mut self.names).ok_or(NoProposal::LongPhrase)?;
                self.conditions.push(format!("when {expression}"));
                tail.truncate(end);
            }
            tail.replace_range(at..end, "");
            self.timing = Some(timing);
            return Ok(());
        }
        Ok(())
    }

    /// The component and what it does.
    fn response(&mut self, subject: &str, tail: &str, default: &str) -> Result<(), NoProposal> {
        // `the pressure shall not exceed 5 bar`: the subject is the quantity.
        let (verb, rest) = tail.split_once(' ').unwrap_or((tail, ""));
        let quantity = match (verb, self.negated) {
            ("exceed", true) => Some(format!("{subject} does not exceed {rest}")),
            ("exceed", false) => Some(format!("{subject} exceeds {rest}")),
            ("be" | "remain" | "stay", true) => Some(format!("{subject} is not {rest}")),
            ("be" | "remain" | "stay", false) => Some(format!("{subject} is {rest}")),
            _ => None,
        };
        if let Some(expression) = quantity.and_then(|text| comparison(&text, &mut self.names)) {
            self.negated = false;
            self.component = default.to_string();
            self.response = expression;
            return Ok(());
        }
        self.component = name_of(subject, &mut Names::default()).ok_or(NoProposal::LongPhrase)?;
        if default != self.component && default.eq_ignore_ascii_case(&self.component.replace('_', "")) {
            self.component = default.to_string();
        }
        self.response = phrase::action(tail, &mut self.names).ok_or(NoProposal::LongPhrase)?;
        Ok(())
    }

    fn finish(mut self) -> Result<Proposal, NoProposal> {
        let triggered = !self.conditions.is_empty();
        let timing = match (self.timing.take(), self.negated) {
            (None, true) if words(&self.response).count() == 1 => {
                self.negated = false;
                "never".to_string()
            }
            (None, _) if !triggered => "always".to_string(),
            (None, _) => {
                let note = "no time is given, so the response may come at any later time; \
                            add `within` and a duration, or `immediately`";
                self.notes.push(note.into());
                String::new()
            }
            (Some(timing), _) => timing,
        };
        let response = match self.negated {
            true if words(&self.response).count() == 1 => format!("!{}", self.response),
            true => format!("!({})", self.response),
            false => self.response,
        };
        let scope = self.scope.map(|scope| format!("{scope}, ")).unwrap_or_default();
        let conditions: String = self.conditions.iter().map(|it| format!("{it}, ")).collect();
        let timing = if timing.is_empty() { timing } else { format!(" {timing}") };
        let component = &self.component;
        let sentence = format!("{scope}{conditions}the {component} shall{timing} satisfy {response}");
        let parsed = Parsed::of(&sentence);
        let is_sound = parsed.parse.diagnostics.iter().all(|it| it.severity() != Severity::Error);
        if !is_sound || parsed.component() != Some(component) {
            return Err(NoProposal::Unreadable);
        }
        let mut names = self.names.known;
        names.retain(|(name, _)| parsed.names.iter().any(|it| it.name == *name));
        Ok(Proposal { sentence, names, notes: self.notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals() {
        let table = [
            (
                "When the door is open, the light controller shall turn on the light within 2 seconds.",
                "when door_is_open, the light_controller shall within 2 seconds satisfy turn_on_light",
            ),
            (
                "While the engine is running, the pump must keep the pressure below 5.5 bar.",
                "while engine_is_running, the pump shall always satisfy pressure < 5.5",
            ),
            (
                "If the temperature exceeds 80 °C, then the heater shall immediately switch off.",
                "if temperature > 80, the heater shall immediately satisfy switch_off",
            ),
            (
                "Where cruise control is fitted, when the brake is pressed the controller has to disengage within 500 ms.",
                "where cruise_control_is_fitted, when brake_is_pressed, the controller shall within 500 milliseconds satisfy disengage",
            ),
            ("The pump shall stop within a reasonable time.", ""),
            ("The valve shall not be open for more than 20 minutes a day.", ""),
            ("The pump shall stop within 1 min.", "the pump shall within 1 minute satisfy stop"),
            (
                "The sw shall respond within 5 s of the request.",
                "when request, the sw shall within 5 seconds satisfy respond",
            ),
            ("The pressure shall be at most 5 bar.", "the System shall always satisfy pressure <= 5"),
            ("The pressure shall not exceed 5 bar.", "the System shall always satisfy pressure <= 5"),
            ("The level must not be above LIMIT.", "the System shall always satisfy level <= LIMIT"),
            ("The pump shall not start.", "the pump shall never satisfy start"),
            (
                "The alarm shall sound for at least 10 s when the tank level is below 20%.",
                "when tank_level < 20, the alarm shall for 10 seconds satisfy sound",
            ),
            (
                "The valve shall stay closed until the level has fallen.",
                "the valve shall until level_has_fallen satisfy stay_closed",
            ),
            (
                "When the start button is pressed and the door is closed, the oven shall start heating within five seconds",
                "when start_button_is_pressed & door_is_closed, the oven shall within 5 seconds satisfy start_heating",
            ),
            (
                "While in manual mode, if the lever is not pulled, the arm must not move.",
                "while manual_mode, if !lever_is_pulled, the arm shall never satisfy move",
            ),
            (
                "The controller shall set the speed to 50 rpm.",
                "the controller shall always satisfy speed = 50",
            ),
            (
                "The system shall ensure that the speed is at least MIN_SPEED at all times.",
                "the System shall always satisfy speed >= MIN_SPEED",
            ),
            (
                "The room temperature must be between 18 and 24 degrees.",
                "the System shall always satisfy 18 <= room_temperature & room_temperature <= 24",
            ),
            (
                "When `p` holds, the sw shall respond in less than 100ms.",
                "when p_holds, the sw shall within 100 milliseconds satisfy respond",
            ),
            (
                "When the button is pressed, the lamp shall light up.",
                "when button_is_pressed, the lamp shall satisfy light_up",
            ),
        ];
        for (prose, expected) in table {
            let found = propose(prose, "System").map_or(String::new(), |it| it.sentence);
            assert_eq!(found, expected, "{prose}");
        }
    }

    #[test]
    fn what_is_left_open_is_said() {
        let found =
            propose("When the button is pressed, the lamp shall light up.", "System").expect("it is close");
        assert_eq!(found.names[0], ("button_is_pressed".into(), "the button is pressed".into()));
        assert!(found.notes[0].starts_with("no time is given"), "{:?}", found.notes);
        for (prose, why) in [
            ("The lamp is red.", NoProposal::NoModal),
            ("", NoProposal::NoModal),
            ("shall work", NoProposal::NoModal),
            ("The lamp shall light up. The horn shall sound.", NoProposal::SeveralSentences),
            ("When it rains, shall work", NoProposal::Incomplete),
            (
                "The vendor shall provide documentation in English and in German that covers installation and maintenance",
                NoProposal::LongPhrase,
            ),
        ] {
            assert_eq!(propose(prose, "System"), Err(why), "{prose}");
        }
    }

    /// Whatever is read, a proposal has no error.
    #[test]
    fn noise_is_refused_or_read() {
        let mut random = base::Random::new(7);
        let pieces = [
            "When", "while", "the", "door", "is", "not", "open", ",", "shall", "must", "within", "5", "s",
            "five", "for", "at", "most", "until", "and", "or", "ü", "\u{200b}", ".", "`p`", "=", "(", "5%",
            "be", "between", "if", "satisfy",
        ];
        let mut made = 0;
        for _ in 0..4000 {
            let text: Vec<&str> = (0..random.below(16)).map(|_| random.pick(&pieces)).collect();
            made += usize::from(propose(&text.join(" "), "System").is_ok());
        }
        assert!(made > 20, "{made}");
    }
}
