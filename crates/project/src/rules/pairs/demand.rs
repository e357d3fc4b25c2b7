//! What a requirement demands of the outputs and when, roughly: a cheap reason why two requirements do not conflict. They do not if some
//! values of the outputs satisfy both whatever happens, or if they never demand something at the same step.

use logic::{Id, Node, RBig, Rel, Store};
use requirement::specification::{Kind, Type, Variable};
use requirement::{Requirement, Scope, Timing};

/// The largest number of alternatives that are kept; more make no answer wrong.
const ALTERNATIVES: usize = 16;
/// The deepest nesting that is looked at.
const DEEPEST: usize = 64;

/// Values of some variables, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cells(Vec<(String, Cell)>);

/// Some values of a variable, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cell {
    Bool(bool),
    Literals(Vec<String>),
    Numbers { low: End, high: End },
}

/// The end of an interval, and whether it is outside.
type End = Option<(RBig, bool)>;

/// What a requirement demands of the outputs, roughly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Demand {
    /// Alternatives: if the outputs have such values whenever something is due, the requirement is satisfied.
    values: Vec<Cells>,
    /// Alternatives: nothing is due at other steps.
    due: Vec<Cells>,
    /// Whether it is due one step later.
    is_next: bool,
}

impl Demand {
    /// The demand of a requirement over these variables, some of which are outputs; `None` if none is known.
    pub(super) fn new(store: &Store, requirement: &Requirement, variables: &[&Variable]) -> Option<Demand> {
        let is_next = requirement.timing == Timing::Next;
        let is_output = |it: &&&Variable| matches!(it.kind, Kind::Output | Kind::Internal);
        let outputs: Vec<&Variable> = variables.iter().filter(is_output).copied().collect();
        let wanted = wanted(requirement)?;
        let search = Search { store, variables: &outputs, open: Vec::new() };
        let values = search.alternatives(requirement.response.id(), wanted, 0);
        if values.is_empty() {
            return None;
        }
        // A choice of outputs may change what is due at the same step, but not what is due at the next one.
        let inputs: Vec<&Variable> =
            variables.iter().filter(|it| is_next || !is_output(it)).copied().collect();
        let search = Search { store, variables: &inputs, open: vec![Cells::default()] };
        let mode = match requirement.scope {
            Scope::In(mode) => Some((mode, true)),
            Scope::NotIn(mode) | Scope::OnlyIn(mode) => Some((mode, false)),
            Scope::Global
            | Scope::Before(_)
            | Scope::After(_)
            | Scope::OnlyBefore(_)
            | Scope::OnlyAfter(_) => None,
        };
        let is_due_at_triggers = matches!(requirement.timing, Timing::Immediately | Timing::Next);
        let condition = requirement.condition.expression().filter(|_| is_due_at_triggers);
        let conditions = mode.into_iter().chain(condition.map(|it| (it, true)));
        let due = search.all(conditions.map(|(it, wanted)| search.alternatives(it.id(), wanted, 0)));
        Some(Demand { values, due, is_next })
    }

    /// Whether some values of the outputs satisfy both, or never both of them demand something.
    pub(super) fn fits(&self, other: &Demand) -> bool {
        let is_exclusive = self.is_next == other.is_next && !fit(&self.due, &other.due);
        is_exclusive || fit(&self.values, &other.values)
    }
}

/// Whether some values are in both lists.
fn fit(one: &[Cells], other: &[Cells]) -> bool {
    one.iter().any(|one| other.iter().any(|other| both(one, other).is_some()))
}

/// Whether the requirement is satisfied if its response always holds (`true`) or never does (`false`).
fn wanted(requirement: &Requirement) -> Option<bool> {
    let denies = requirement.scope.denies();
    match requirement.timing {
        Timing::Immediately
        | Timing::Next
        | Timing::Finally
        | Timing::Always
        | Timing::Eventually
        | Timing::Within(_)
        | Timing::For(_) => Some(!denies),
        Timing::Never => Some(denies),
        Timing::Until(_) => (!denies).then_some(true),
        Timing::Before(_) | Timing::After(_) => None,
    }
}

/// Conditions as alternatives.
struct Search<'a> {
    store: &'a Store,
    /// The variables that are looked at.
    variables: &'a [&'a Variable],
    /// What takes the place of a condition about something else, and of too many alternatives: nothing, so that the alternatives imply
    /// the condition, or everything, so that the condition implies them.
    open: Vec<Cells>,
}

impl Search<'_> {
    /// The type of a variable that is looked at.
    fn known(&self, name: &str) -> Option<&Type> {
        self.variables.iter().find(|it| it.name == name).map(|it| &it.ty)
    }

    /// Alternatives that make a condition true or false.
    fn alternatives(&self, id: Id, wanted: bool, depth: usize) -> Vec<Cells> {
        if depth > DEEPEST {
            return self.open.clone();
        }
        let of = |id: Id, wanted: bool| self.alternatives(id, wanted, depth + 1);
        let equal = |a: Id, b: Id, wanted: bool| {
            let part = |first: bool| self.all([of(a, first), of(b, first == wanted)]);
            self.either([part(true), part(false)])
        };
        let certain = |holds: bool| if holds == wanted { vec![Cells::default()] } else { Vec::new() };
        match self.store.node(id) {
            Node::True => certain(true),
            Node::False => certain(false),
            Node::Not(inner) => of(inner.id(), !wanted),
            Node::And(parts) if wanted => self.all(parts.iter().map(|it| of(it.id(), true))),
            Node::And(parts) => self.either(parts.iter().map(|it| of(it.id(), false))),
            Node::Or(parts) if wanted => self.either(parts.iter().map(|it| of(it.id(), true))),
            Node::Or(parts) => self.all(parts.iter().map(|it| of(it.id(), false))),
            Node::Implies(a, b) if wanted => self.either([of(a.id(), false), of(b.id(), true)]),
            Node::Implies(a, b) => self.all([of(a.id(), true), of(b.id(), false)]),
            Node::Iff(a, b) => equal(a.id(), b.id(), wanted),
            Node::Xor(a, b) => equal(a.id(), b.id(), !wanted),
            Node::Var(symbol) => match self.known(self.store.name(*symbol)) {
                Some(Type::Bool) => vec![one(self.store.name(*symbol), Cell::Bool(wanted))],
                _ => self.open.clone(),
            },
            Node::Rel(rel, left, right) => {
                let rel = if wanted { *rel } else { rel.complement() };
                self.comparison(rel, left.id(), right.id()).unwrap_or_else(|| self.open.clone())
            }
            _ => self.open.clone(),
        }
    }

    /// The values that satisfy a comparison; `None` if it is about something else.
    fn comparison(&self, rel: Rel, left: Id, right: Id) -> Option<Vec<Cells>> {
        match (self.store.node(left), self.store.node(right)) {
            (Node::Var(symbol), Node::Num(number, _)) => self.numbers(self.store.name(*symbol), rel, number),
            (Node::Num(number, _), Node::Var(symbol)) => {
                self.numbers(self.store.name(*symbol), rel.flipped(), number)
            }
            (Node::Var(symbol), Node::Value(value)) | (Node::Value(value), Node::Var(symbol)) => {
                let (name, value) = (self.store.name(*symbol), self.store.name(*value));
                let Some(Type::Enum(literals)) = self.known(name) else { return None };
                let kept: Vec<String> = match rel {
                    Rel::Eq => literals.iter().filter(|it| *it == value).cloned().collect(),
                    Rel::Ne => literals.iter().filter(|it| *it != value).cloned().collect(),
                    Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => return None,
                };
                Some(if kept.is_empty() { Vec::new() } else { vec![one(name, Cell::Literals(kept))] })
            }
            _ => None,
        }
    }

    fn numbers(&self, name: &str, rel: Rel, number: &RBig) -> Option<Vec<Cells>> {
        let (is_int, range) = match self.known(name)? {
            Type::Int(range) => (true, range),
            Type::Real(range) => (false, range),
            Type::Bool | Type::Enum(_) => return None,
        };
        if rel == Rel::Ne {
            let sides = [Rel::Lt, Rel::Gt].map(|rel| self.numbers(name, rel, number).unwrap_or_default());
            return Some(sides.concat());
        }
        let low = matches!(rel, Rel::Gt | Rel::Ge | Rel::Eq).then(|| (number.clone(), rel == Rel::Gt));
        let high = matches!(rel, Rel::Lt | Rel::Le | Rel::Eq).then(|| (number.clone(), rel == Rel::Lt));
        let declared = |end: &Option<RBig>| end.as_ref().map(|it| (it.clone(), false));
        let whole =
            |(low, high): (End, End)| if is_int { (low.map(up), high.map(down)) } else { (low, high) };
        let range = (declared(&range.low), declared(&range.high));
        Some(interval(whole((low, high)), whole(range)).map(|cell| one(name, cell)).into_iter().collect())
    }

    fn all(&self, parts: impl IntoIterator<Item = Vec<Cells>>) -> Vec<Cells> {
        parts.into_iter().fold(vec![Cells::default()], |sofar, part| {
            let pairs = sofar.iter().flat_map(|one| part.iter().filter_map(|other| both(one, other)));
            self.few(pairs.take(ALTERNATIVES + 1).collect())
        })
    }

    fn either(&self, parts: impl IntoIterator<Item = Vec<Cells>>) -> Vec<Cells> {
        self.few(parts.into_iter().flatten().take(ALTERNATIVES + 1).collect())
    }

    fn few(&self, mut cells: Vec<Cells>) -> Vec<Cells> {
        if cells.len() > ALTERNATIVES {
            cells.truncate(ALTERNATIVES);
            cells.extend(self.open.iter().cloned());
        }
        cells
    }
}

fn one(name: &str, cell: Cell) -> Cells {
    Cells(vec![(name.to_owned(), cell)])
}

/// The least integer of an interval with this lower end.
fn up((end, is_outside): (RBig, bool)) -> (RBig, bool) {
    let whole = RBig::from(end.ceil());
    let next = if is_outside && whole == end { whole + RBig::ONE } else { whole };
    (next, false)
}

/// The greatest integer of an interval with this upper end.
fn down((end, is_outside): (RBig, bool)) -> (RBig, bool) {
    let whole = RBig::from(end.floor());
    let next = if is_outside && whole == end { whole - RBig::ONE } else { whole };
    (next, false)
}

/// The numbers between both pairs of ends.
fn interval(one: (End, End), other: (End, End)) -> Option<Cell> {
    let tighter = |a: End, b: End, is_low: bool| match (a, b) {
        (Some(a), Some(b)) => {
            let first = if a.0 == b.0 { a.1 } else { (a.0 > b.0) == is_low };
            Some(if first { a } else { b })
        }
        (a, b) => a.or(b),
    };
    let (low, high) = (tighter(one.0, other.0, true), tighter(one.1, other.1, false));
    let is_empty = match (&low, &high) {
        (Some(low), Some(high)) => low.0 > high.0 || low.0 == high.0 && (low.1 || high.1),
        _ => false,
    };
    (!is_empty).then_some(Cell::Numbers { low, high })
}

fn common(one: &Cell, other: &Cell) -> Option<Cell> {
    match (one, other) {
        (Cell::Bool(a), Cell::Bool(b)) => (a == b).then_some(Cell::Bool(*a)),
        (Cell::Literals(a), Cell::Literals(b)) => {
            let kept: Vec<String> = a.iter().filter(|it| b.contains(it)).cloned().collect();
            (!kept.is_empty()).then_some(Cell::Literals(kept))
        }
        (Cell::Numbers { low, high }, Cell::Numbers { low: from, high: to }) => {
            interval((low.clone(), high.clone()), (from.clone(), to.clone()))
        }
        (Cell::Bool(_) | Cell::Literals(_) | Cell::Numbers { .. }, _) => None,
    }
}

fn both(one: &Cells, other: &Cells) -> Option<Cells> {
    let mut merged = one.0.clone();
    for (name, cell) in &other.0 {
        match merged.binary_search_by(|it| it.0.cmp(name)) {
            Ok(at) => merged[at].1 = common(&merged[at].1, cell)?,
            Err(at) => merged.insert(at, (name.clone(), cell.clone())),
        }
    }
    Some(Cells(merged))
}
