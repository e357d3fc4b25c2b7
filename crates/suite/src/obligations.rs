//! What the tests of a requirement must show.

use crate::flip::{decides, occurrences};
use logic::mutate::Mutation;
use logic::{Arith, Binary, Bound, Class, Formula, Id, Node, Numeral, RBig, Rel, SHALL, Store, Term, Unary};
use requirement::specification::{Type, Variable};
use requirement::{Deciding, Decision, Refusal, Requirement, Timing, decisions, moments, past};
use rustc_hash::FxHashSet;

/// Why something must be shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Criterion {
    /// A moment of the definition: a trigger, a response at the last step, a scope that ends in between.
    Moments,
    /// An atom alone decides that the requirement holds: unique first cause.
    Causes,
    /// An atom alone decides the value of a condition or a response, with each value: MC/DC.
    Decisions,
    /// The values at and next to the boundary of a comparison.
    Boundaries,
    /// The requirement is told from one with a small error.
    Mutants,
}

impl Criterion {
    /// All criteria.
    pub const ALL: [Criterion; 5] = [
        Criterion::Moments,
        Criterion::Causes,
        Criterion::Decisions,
        Criterion::Boundaries,
        Criterion::Mutants,
    ];

    /// Its name, as in commands and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Moments => "moments",
            Criterion::Causes => "causes",
            Criterion::Decisions => "decisions",
            Criterion::Boundaries => "boundaries",
            Criterion::Mutants => "mutants",
        }
    }
}

/// Something that tests must show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The index of the requirement.
    pub member: usize,
    /// Why.
    pub criterion: Criterion,
    /// What, such as `met at the last step`.
    pub text: String,
    /// Holds at the steps that show it.
    pub formula: Formula,
}

/// A requirement with a small error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The index of the requirement.
    pub member: usize,
    /// The kind of error.
    pub mutation: Mutation,
    /// Holds at the last step of the traces that satisfy it.
    pub formula: Formula,
}

/// The obligations of a requirement by some criteria, each formula once.
///
/// # Errors
/// The requirement refers to the future.
pub fn obligations(
    store: &mut Store,
    (member, requirement): (usize, &Requirement),
    variables: &[Variable],
    criteria: &[Criterion],
) -> Result<Vec<Obligation>, Refusal> {
    let mut list = List { member, found: Vec::new(), known: FxHashSet::default() };
    for criterion in Criterion::ALL.into_iter().filter(|it| criteria.contains(it)) {
        match criterion {
            Criterion::Moments => {
                for it in moments(store, requirement)? {
                    list.add(store, criterion, it.name.to_owned(), it.when);
                }
            }
            Criterion::Causes => {
                let formula = past(store, requirement)?;
                for it in occurrences(store, formula) {
                    let when = decides(store, formula, &it);
                    let text = format!("`{}` alone keeps it", print(store, it.atom));
                    list.add(store, criterion, text, when);
                }
            }
            Criterion::Decisions => list.decisions(store, requirement)?,
            Criterion::Boundaries => list.boundaries(store, requirement, variables)?,
            Criterion::Mutants => {}
        }
    }
    Ok(list.found)
}

/// The mutants of a requirement, each formula once.
///
/// # Errors
/// The requirement refers to the future.
pub fn mutants(
    store: &mut Store,
    (member, requirement): (usize, &Requirement),
) -> Result<Vec<Mutant>, Refusal> {
    let formula = past(store, requirement)?;
    let mut known: FxHashSet<Formula> = FxHashSet::from_iter([formula]);
    let mut found = Vec::new();
    for (mutation, mutant) in logic::mutate::mutants(store, formula) {
        let mutant = logic::simplify(store, mutant);
        if known.insert(mutant) {
            found.push(Mutant { member, mutation, formula: mutant });
        }
    }
    Ok(found)
}

/// The most operands of which pairs are made.
const MOST: usize = 6;

struct List {
    member: usize,
    found: Vec<Obligation>,
    known: FxHashSet<Formula>,
}

impl List {
    fn add(&mut self, store: &mut Store, criterion: Criterion, text: String, when: Formula) {
        let formula = logic::simplify(store, when);
        if formula != store.bottom() && self.known.insert(formula) {
            self.found.push(Obligation { member: self.member, criterion, text, formula });
        }
    }

    /// Adds something about an expression, and for expressions other than the response, also together with each of these responses.
    fn with(
        &mut self,
        store: &mut Store,
        criterion: Criterion,
        (part, text, when): (&str, &str, Formula),
        responses: &[(Formula, String)],
    ) {
        for (response, shown) in responses.iter().filter(|_| part != RESPONSE) {
            let when = store.and2(when, *response);
            self.add(store, criterion, format!("{text}, and the response {shown}"), when);
        }
        self.add(store, criterion, text.to_owned(), when);
    }

    /// For each atom of an expression, the points at which it decides the value, with each of its own values. A response that is
    /// missing where it decides violates the requirement, so only what makes it true is demanded.
    fn decisions(&mut self, store: &mut Store, requirement: &Requirement) -> Result<(), Refusal> {
        let all = decisions(store, requirement)?;
        let (values, changes) = responses(store, requirement, &all);
        for decision in &all {
            let (part, count) = (decision.part, decision.conditions.len());
            for Deciding { condition, matters } in &decision.conditions {
                let not = store.not(*condition);
                for (value, word) in [(*condition, "true"), (not, "false")] {
                    let when = decided(store, decision, &[*matters, value]);
                    let text = match count {
                        1 => format!("{part} is {word}"),
                        _ => format!("`{}` being {word} decides the {part}", print(store, *condition)),
                    };
                    self.with(store, Criterion::Decisions, (part, &text, when), &changes);
                }
                for (text, window) in windows(store, *condition) {
                    let when = decided(store, decision, &[*matters, window]);
                    let text = format!("{part}: {text}");
                    self.with(store, Criterion::Decisions, (part, &text, when), &values);
                }
            }
            self.pairs(store, decision, &changes);
        }
        Ok(())
    }

    /// Two operands of a disjunction hold, and no other one; two operands of a conjunction do not, and all others do.
    fn pairs(&mut self, store: &mut Store, decision: &Decision, changes: &[(Formula, String)]) {
        for id in store.reachable_until([decision.expression.id()], |node| node.class() != Class::Connective)
        {
            let (operands, is_or) = match store.node(id).clone() {
                Node::Or(operands) => (operands, true),
                Node::And(operands) => (operands, false),
                _ => continue,
            };
            let count = operands.len().min(MOST);
            for (one, two) in (0..count).flat_map(|one| (one + 1..count).map(move |two| (one, two))) {
                let mut parts = Vec::new();
                for (at, operand) in operands.iter().enumerate() {
                    let holds = (at == one || at == two) == is_or;
                    parts.push(if holds { *operand } else { store.not(*operand) });
                }
                let when = decided(store, decision, &parts);
                let (a, b) = (print(store, operands[one]), print(store, operands[two]));
                let word = if is_or { "true" } else { "false" };
                let text = format!("{}: `{a}` and `{b}` are both {word}", decision.part);
                self.with(store, Criterion::Decisions, (decision.part, &text, when), changes);
            }
        }
    }

    /// The values at, below and above the boundary of each comparison, the nearest ones of integers, where the comparison decides, also with
    /// each change of the response.
    fn boundaries(
        &mut self,
        store: &mut Store,
        requirement: &Requirement,
        variables: &[Variable],
    ) -> Result<(), Refusal> {
        let all = decisions(store, requirement)?;
        let (_, changes) = responses(store, requirement, &all);
        for decision in &all {
            for Deciding { condition, matters } in &decision.conditions {
                for value in cells(store, *condition, variables) {
                    let when = store.and([decision.when, *matters, value]);
                    let text = format!("{}: `{}`", decision.part, print(store, value));
                    self.with(store, Criterion::Boundaries, (decision.part, &text, when), &changes);
                }
            }
        }
        Ok(())
    }
}

/// The name of the response among the expressions of a requirement.
const RESPONSE: &str = "response";

/// Where something is so about an expression that matters. A response has to be there, too.
fn decided(store: &mut Store, decision: &Decision, parts: &[Formula]) -> Formula {
    let response = (decision.part == RESPONSE).then_some(decision.expression);
    store.and([decision.when].into_iter().chain(parts.iter().copied()).chain(response))
}

/// A condition that holds, with what it says.
type Named = (Formula, String);

/// The ways in which a response that is judged at once is true because of one of its conditions; and those in which the condition changes
/// there.
fn responses(store: &mut Store, requirement: &Requirement, all: &[Decision]) -> (Vec<Named>, Vec<Named>) {
    let at_once = matches!(requirement.timing, Timing::Immediately | Timing::Always);
    let (mut values, mut changes) = (Vec::new(), Vec::new());
    for response in all.iter().filter(|it| it.part == RESPONSE && at_once) {
        for Deciding { condition, matters } in &response.conditions {
            let not = store.not(*condition);
            for (value, other) in [(*condition, not), (not, *condition)] {
                let now = store.and([*matters, value, response.expression]);
                let before = store.yesterday(other);
                let shown = print(store, value);
                values.push((now, format!("is `{shown}`")));
                changes.push((store.and2(now, before), format!("changes to `{shown}`")));
            }
        }
    }
    (values, changes)
}

/// What can happen in the windows of a condition besides that one step decides. A window is about a reason: some step of it has one, or none
/// does. Two steps have one and no other; or the count of steps without one begins anew when a single step is missing.
fn windows(store: &mut Store, condition: Formula) -> Vec<(String, Formula)> {
    let mut found = Vec::new();
    for id in store.reachable_until([condition.id()], |node| !node.is_operator()) {
        let (bound, reason, way) = match *store.node(id) {
            Node::Unary(Unary::Once, bound, what) => (bound, what, store.top()),
            Node::Unary(Unary::Historically, bound, what) => (bound, store.not(what), store.top()),
            Node::Binary(Binary::Since, bound, way, what) => (bound, what, way),
            _ => continue,
        };
        let Bound { lo, hi: Some(hi) } = bound else { continue };
        if hi <= lo {
            continue;
        }
        let none = store.not(reason);
        let way = store.historically(Bound::upto(hi), way);
        let shown = print(store, reason);
        let mut pairs = vec![(lo, lo + 1), (hi - 1, hi), (lo, hi)];
        pairs.dedup();
        for (late, early) in pairs {
            let both = [late, early].map(|at| store.once(Bound::exactly(at), reason));
            let between = (late + 1 < early).then(|| Bound::new(late + 1, early - 1));
            let after = (lo < late).then(|| Bound::new(lo, late - 1));
            let before = (early < hi).then(|| Bound::new(early + 1, hi));
            let others = [between, after, before].into_iter().flatten();
            let others: Vec<Formula> = others.map(|it| store.historically(it, none)).collect();
            let when = store.and(both.into_iter().chain(others).chain([way]));
            found.push((format!("`{shown}` {late} and {early} steps before, and at no other one"), when));
        }
        let steps = hi - lo;
        let counted = store.historically(Bound::upto(steps - 1), none);
        let is_long = store.once(Bound::exactly(steps - 1), none);
        let counted = store.and2(counted, is_long);
        let counted = store.once(Bound::exactly(lo + 2), counted);
        let interrupted = store.once(Bound::exactly(lo + 1), reason);
        let again = store.once(Bound::exactly(lo), none);
        let when = store.and([counted, interrupted, again, way]);
        let without = print(store, none);
        let steps = base::counted(usize::try_from(steps).unwrap_or(usize::MAX), "step");
        found.push((format!("`{without}` begins anew after {steps} and one with `{shown}`"), when));
    }
    found
}

/// The values at and next to the boundary of a comparison of numbers.
fn cells(store: &mut Store, comparison: Formula, variables: &[Variable]) -> Vec<Formula> {
    let Node::Rel(_, a, b) = *store.node(comparison) else { return Vec::new() };
    let Some(is_int) = numeric(store, [a.id(), b.id()], variables) else { return Vec::new() };
    let at = store.rel(Rel::Eq, a, b);
    let [below, above] = if is_int {
        [Arith::Sub, Arith::Add].map(|by| {
            let next = shifted(store, b, by);
            store.rel(Rel::Eq, a, next)
        })
    } else {
        [Rel::Lt, Rel::Gt].map(|rel| store.rel(rel, a, b))
    };
    vec![below, at, above]
}

/// A number next to another one.
fn shifted(store: &mut Store, term: Term, by: Arith) -> Term {
    match store.node(term).clone() {
        Node::Num(value, numeral) => {
            let value = if by == Arith::Add { value + RBig::ONE } else { value - RBig::ONE };
            store.num(value, numeral)
        }
        _ => {
            let one = store.num(RBig::ONE, Numeral::Int);
            store.arith(by, term, one)
        }
    }
}

/// Whether terms are integers; `None` if they are not numbers.
fn numeric(store: &Store, terms: [Id; 2], variables: &[Variable]) -> Option<bool> {
    let mut is_int = true;
    let mut found = false;
    for id in store.reachable(terms) {
        match store.node(id) {
            Node::Var(symbol) => {
                let variable = variables.iter().find(|it| it.name == store.name(*symbol))?;
                match variable.ty {
                    Type::Int(_) => {}
                    Type::Real(_) => is_int = false,
                    Type::Bool | Type::Enum(_) => return None,
                }
                found = true;
            }
            Node::Num(value, _) => is_int &= value.is_int(),
            Node::Value(_) | Node::Call(..) => return None,
            _ => {}
        }
    }
    found.then_some(is_int)
}

fn print(store: &Store, formula: Formula) -> String {
    logic::print(store, formula, &SHALL).unwrap_or_else(|_| "…".to_owned())
}
