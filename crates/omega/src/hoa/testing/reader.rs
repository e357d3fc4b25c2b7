//! Automata from text.
//!
//! The header comes first, then the states; labels become guards at once. Several initial states become one that starts like any of
//! them.

use super::lexer::{HoaError, Placed, Token, tokens};
use crate::automaton::{Edge, General, Guard, Guards};
use crate::limits::Limits;
use logic::{Id, Store};
use rustc_hash::FxHashMap;

/// The maximum nesting depth of labels and acceptance conditions.
const DEPTH: usize = 200;

/// The maximum number of propositions.
const PROPOSITIONS: usize = 1_000;

/// The maximum number of propositions if edges have no labels: each state then has `2^n` edges.
const IMPLICIT: usize = 16;

/// Reads one automaton; its propositions become Boolean variables of the store.
pub fn read(store: &mut Store, text: &str, limits: Limits) -> Result<General, HoaError> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        limits,
        guards: Guards::with_limit(limits.nodes),
        atoms: Vec::new(),
        aliases: FxHashMap::default(),
        start: Vec::new(),
        states: None,
        acceptance: None,
        edges: Vec::new(),
    };
    reader.header(store)?;
    reader.body()?;
    reader.finish()
}

struct Reader {
    tokens: Vec<Placed>,
    at: usize,
    limits: Limits,
    guards: Guards,
    atoms: Vec<Id>,
    aliases: FxHashMap<String, Guard>,
    start: Vec<u32>,
    states: Option<u32>,
    acceptance: Option<Acceptance>,
    edges: Vec<Vec<Edge>>,
}

/// The acceptance sets that must be met; `None` if nothing is accepted.
#[derive(Debug, Clone)]
struct Acceptance {
    sets: u32,
    wanted: Option<Vec<u32>>,
}

type Read<T> = Result<T, HoaError>;

impl Reader {
    fn peek(&self) -> &Token {
        // The last token is the end marker, which is never consumed.
        &self.tokens[self.at.min(self.tokens.len() - 1)].token
    }

    /// An error at the next token.
    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        self.fail_at(self.at, message)
    }

    /// An error at the token just read.
    fn refuse<T>(&self, message: impl Into<String>) -> Read<T> {
        self.fail_at(self.at.saturating_sub(1), message)
    }

    fn fail_at<T>(&self, at: usize, message: impl Into<String>) -> Read<T> {
        let Placed { line, column, .. } = self.tokens[at.min(self.tokens.len() - 1)];
        Err(HoaError { line, column, message: message.into() })
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        match *self.peek() {
            Token::Number(number) => {
                self.at += 1;
                Ok(number)
            }
            _ => self.fail(format!("expected {what}, found {}", self.peek())),
        }
    }

    fn mark(&mut self, mark: char) -> Read<()> {
        if !self.take(mark) {
            return self.fail(format!("expected `{mark}`, found {}", self.peek()));
        }
        Ok(())
    }

    fn take(&mut self, mark: char) -> bool {
        let found = *self.peek() == Token::Mark(mark);
        self.at += usize::from(found);
        found
    }

    fn header(&mut self, store: &mut Store) -> Read<()> {
        let begin = [Token::Header("HOA".into()), Token::Name("v1".into())];
        if !self.tokens.iter().map(|placed| &placed.token).take(2).eq(&begin) {
            return self.fail("expected `HOA: v1`");
        }
        self.at = 2;
        loop {
            let name = match self.peek().clone() {
                Token::Header(name) => name,
                Token::Section(name) if name == "BODY" => break,
                other => return self.fail(format!("expected a header line or `--BODY--`, found {other}")),
            };
            self.at += 1;
            match name.as_str() {
                "States" => {
                    let count = self.number("the number of states")?;
                    if count as usize > self.limits.states {
                        return self.refuse(format!("too many states: {count}"));
                    }
                    self.states = Some(count);
                }
                "Start" => {
                    let state = self.number("an initial state")?;
                    if *self.peek() == Token::Mark('&') {
                        return self.fail("alternating automata are not supported");
                    }
                    self.start.push(state);
                }
                "AP" => self.propositions(store)?,
                "Alias" => {
                    let Token::Alias(name) = self.peek().clone() else {
                        return self.fail("expected `@` and a name");
                    };
                    self.at += 1;
                    let guard = self.label(0)?;
                    self.aliases.insert(name, guard);
                }
                "Acceptance" => {
                    let sets = self.number("the number of acceptance sets")?;
                    if sets > 64 {
                        return self.refuse(format!("too many acceptance sets: {sets}"));
                    }
                    let wanted = self.condition(sets, 0)?;
                    self.acceptance = Some(Acceptance { sets, wanted });
                }
                // An initial capital means that the line changes the semantics.
                _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    return self.refuse(format!("the header `{name}:` is not supported"));
                }
                _ => {
                    while !matches!(self.peek(), Token::Header(_) | Token::Section(_) | Token::End) {
                        self.at += 1;
                    }
                }
            }
        }
        if self.acceptance.is_none() {
            return self.fail("there is no `Acceptance:` before");
        }
        self.at += 1;
        Ok(())
    }

    fn propositions(&mut self, store: &mut Store) -> Read<()> {
        let count = self.number("the number of propositions")?;
        if count as usize > PROPOSITIONS {
            return self.refuse(format!("too many propositions: {count}"));
        }
        for _ in 0..count {
            let Token::Text(name) = self.peek().clone() else {
                return self.fail(format!("expected the name of a proposition, found {}", self.peek()));
            };
            self.at += 1;
            let symbol = store.symbol(&name);
            let atom = store.var(symbol).id();
            if self.atoms.contains(&atom) {
                return self.refuse(format!("there are two propositions \"{name}\""));
            }
            self.atoms.push(atom);
        }
        Ok(())
    }

    /// A conjunction of `Inf`; `None` for `f`.
    fn condition(&mut self, sets: u32, depth: usize) -> Read<Option<Vec<u32>>> {
        if depth > DEPTH {
            return self.fail("too deeply nested");
        }
        let mut wanted = Some(Vec::new());
        loop {
            let part = match self.peek().clone() {
                Token::Mark('(') => {
                    self.at += 1;
                    let part = self.condition(sets, depth + 1)?;
                    self.mark(')')?;
                    part
                }
                Token::Name(name) if name == "t" => {
                    self.at += 1;
                    Some(Vec::new())
                }
                Token::Name(name) if name == "f" => {
                    self.at += 1;
                    None
                }
                Token::Name(name) if name == "Inf" => {
                    self.at += 1;
                    self.mark('(')?;
                    if *self.peek() == Token::Mark('!') {
                        return self.fail("complemented acceptance sets are not supported");
                    }
                    let set = self.number("an acceptance set")?;
                    if set >= sets {
                        return self.refuse(format!("there is no acceptance set {set}"));
                    }
                    self.mark(')')?;
                    Some(vec![set])
                }
                Token::Name(name) if name == "Fin" => {
                    return self.fail("`Fin` is not supported: only Büchi and generalized Büchi acceptance");
                }
                other => return self.fail(format!("expected an acceptance condition, found {other}")),
            };
            wanted = match (wanted, part) {
                (Some(mut all), Some(part)) => {
                    all.extend(part);
                    Some(all)
                }
                _ => None,
            };
            if *self.peek() == Token::Mark('|') {
                return self.fail("a disjunction of acceptance sets is not supported");
            }
            if !self.take('&') {
                return Ok(wanted);
            }
        }
    }

    /// A Boolean function of propositions; `|` binds less tightly than `&`.
    fn label(&mut self, depth: usize) -> Read<Guard> {
        let mut any = self.product(depth)?;
        while self.take('|') {
            let more = self.product(depth)?;
            any = self.guards.or(any, more);
        }
        if self.guards.is_full() {
            return self.fail("labels that are too large");
        }
        Ok(any)
    }

    fn product(&mut self, depth: usize) -> Read<Guard> {
        let mut all = self.literal(depth)?;
        while self.take('&') {
            let more = self.literal(depth)?;
            all = self.guards.and(all, more);
        }
        Ok(all)
    }

    fn literal(&mut self, depth: usize) -> Read<Guard> {
        if depth > DEPTH {
            return self.fail("too deeply nested");
        }
        match self.peek().clone() {
            Token::Mark('!') => {
                self.at += 1;
                let inner = self.literal(depth + 1)?;
                Ok(self.guards.not(inner))
            }
            Token::Mark('(') => {
                self.at += 1;
                let inner = self.label(depth + 1)?;
                self.mark(')')?;
                Ok(inner)
            }
            Token::Number(atom) if (atom as usize) < self.atoms.len() => {
                self.at += 1;
                Ok(self.guards.variable(atom))
            }
            Token::Number(atom) => self.fail(format!("there is no proposition {atom}")),
            Token::Alias(name) => match self.aliases.get(&name) {
                Some(&guard) => {
                    self.at += 1;
                    Ok(guard)
                }
                None => self.fail(format!("there is no alias `@{name}`")),
            },
            Token::Name(name) if name == "t" || name == "f" => {
                self.at += 1;
                Ok(Guard::constant(name == "t"))
            }
            other => self.fail(format!("expected a label, found {other}")),
        }
    }

    fn optional_label(&mut self) -> Read<Option<Guard>> {
        if !self.take('[') {
            return Ok(None);
        }
        let guard = self.label(0)?;
        self.mark(']')?;
        Ok(Some(guard))
    }

    /// The acceptance sets in braces, as marks.
    fn marks(&mut self) -> Read<u64> {
        let mut marks = 0;
        if self.take('{') {
            while !self.take('}') {
                let set = self.number("an acceptance set or `}`")?;
                if self.acceptance.as_ref().is_none_or(|acceptance| set >= acceptance.sets) {
                    return self.refuse(format!("there is no acceptance set {set}"));
                }
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }

    fn state(&mut self, what: &str) -> Read<u32> {
        let state = self.number(what)?;
        if self.states.is_some_and(|states| state >= states) {
            return self.refuse(format!("there is no state {state}"));
        }
        if state as usize >= self.limits.states {
            return self.refuse("too many states");
        }
        if self.edges.len() <= state as usize {
            self.edges.resize(state as usize + 1, Vec::new());
        }
        Ok(state)
    }

    fn body(&mut self) -> Read<()> {
        let mut described: Vec<bool> = Vec::new();
        loop {
            match self.peek() {
                Token::Section(name) if name == "END" => return Ok(()),
                Token::Header(name) if name == "State" => self.at += 1,
                other => return self.fail(format!("expected `State:` or `--END--`, found {other}")),
            }
            let common = self.optional_label()?;
            let state = self.state("a state")? as usize;
            described.resize(described.len().max(state + 1), false);
            if std::mem::replace(&mut described[state], true) {
                return self.refuse(format!("state {state} is described twice"));
            }
            if let Token::Text(_) = self.peek() {
                self.at += 1;
            }
            let own = self.marks()?;
            let mut implicit = 0u32;
            while matches!(self.peek(), Token::Mark('[') | Token::Number(_)) {
                let label = self.optional_label()?;
                let guard = match (label, common) {
                    (Some(_), Some(_)) => return self.fail("a label on an edge of a state that has a label"),
                    (Some(guard), None) | (None, Some(guard)) => guard,
                    (None, None) => self.implicit(&mut implicit)?,
                };
                let target = self.state("the state that an edge leads to")?;
                if *self.peek() == Token::Mark('&') {
                    return self.fail("alternating automata are not supported");
                }
                let marks = own | self.marks()?;
                if self.limits.spend(1).is_err() {
                    return self.fail("too many edges");
                }
                if guard != Guard::FALSE {
                    self.edges[state].push(Edge { guard, target, marks });
                }
            }
        }
    }

    /// The label of the next edge where labels are omitted: the letters in order, with the first proposition changing fastest.
    fn implicit(&mut self, count: &mut u32) -> Read<Guard> {
        if self.atoms.len() > IMPLICIT {
            return self.fail("too many propositions for edges without labels");
        }
        if *count >> self.atoms.len() != 0 {
            return self.fail("more edges without labels than letters");
        }
        let mut guard = Guard::TRUE;
        for atom in 0..self.atoms.len() as u32 {
            let variable = self.guards.variable(atom);
            let literal = if *count >> atom & 1 == 1 { variable } else { self.guards.not(variable) };
            guard = self.guards.and(guard, literal);
        }
        *count += 1;
        Ok(guard)
    }

    fn finish(mut self) -> Read<General> {
        let count = self.states.unwrap_or(self.edges.len() as u32).max(1) as usize;
        self.edges.resize(count, Vec::new());
        if let Some(state) = self.start.iter().find(|&&state| state as usize >= count) {
            return self.fail(format!("there is no initial state {state}"));
        }
        let initial = match self.start.as_slice() {
            [one] => *one,
            several => {
                let begin = several.iter().flat_map(|&state| self.edges[state as usize].clone()).collect();
                self.edges.push(begin);
                count as u32
            }
        };
        let Acceptance { wanted, .. } =
            self.acceptance.clone().unwrap_or(Acceptance { sets: 0, wanted: None });
        // The required sets become the marks; if nothing is accepted, one mark that no edge has.
        let mut sets = wanted.clone().unwrap_or_default();
        sets.sort_unstable();
        sets.dedup();
        for edge in self.edges.iter_mut().flatten() {
            edge.marks = sets
                .iter()
                .zip(0..)
                .filter(|(set, _)| edge.marks >> **set & 1 == 1)
                .fold(0, |m, (_, k)| m | 1 << k);
        }
        let marks = if wanted.is_none() { 1 } else { sets.len() as u32 };
        Ok(General { guards: self.guards, atoms: self.atoms, initial, edges: self.edges, marks })
    }
}
