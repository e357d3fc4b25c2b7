//! Values as small numbers: which variables are searched by value and which by their place among constants.
//!
//! Numeric nodes that copy from each other (a choice and its operands, a state and its next value) form a group. If every comparison of a group
//! is with a constant, and nothing computes with it, then only the place among these constants matters: before, at, between, behind.
//! So a code is one of these places, which is an exact bisimulation. Otherwise codes are the values themselves, and a variable
//! of the group that can have any value must have bounds.

use super::roots;
use crate::evaluate::{evaluate, fits};
use crate::expr::{Expr, Node, Pool, Type, Var};
use crate::system::{State, System};
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

/// The code of a value that is not known.
pub(super) const UNDEFINED: i64 = i64::MIN;

/// The most values of a variable that are tried one by one.
const MOST_VALUES: i64 = 4096;

/// How codes stand for values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The value itself.
    Plain,
    /// The number of a real value in a list.
    Listed,
    /// A place among the constants of this group.
    Place(usize),
}

/// The constants that a group is compared with.
#[derive(Clone, Debug, Default)]
struct Group {
    constants: Vec<RBig>,
}

#[derive(Clone, Debug)]
pub(super) struct Coding {
    /// For each node of the pool.
    kinds: Vec<Kind>,
    /// For each variable that occurs.
    variables: FxHashMap<Var, Kind>,
    groups: Vec<Group>,
    reals: Vec<RBig>,
    numbers: FxHashMap<RBig, i64>,
    /// The values of each input that are tried.
    domains: FxHashMap<Var, Vec<i64>>,
}

impl Coding {
    /// Chooses codes for a system; fails with a variable that has too many values.
    pub(super) fn new(system: &System) -> Result<Coding, Var> {
        let (kinds, groups) = groups(system);
        let pool = &system.pool;
        let mut coding = Coding {
            kinds,
            variables: FxHashMap::default(),
            groups,
            reals: Vec::new(),
            numbers: FxHashMap::default(),
            domains: FxHashMap::default(),
        };
        for expr in pool.reachable(roots(system)) {
            if let Node::Var(var) = pool.node(expr) {
                coding.variables.insert(*var, coding.kinds[expr.index()]);
            }
        }
        let free = system.state.iter().filter(|it| it.init.is_none()).map(|it| it.var);
        for var in system.inputs.iter().copied().chain(free) {
            let domain = coding.domain(system, var).ok_or(var)?;
            coding.domains.insert(var, domain);
        }
        Ok(coding)
    }

    pub(super) fn kind(&self, expr: Expr) -> Kind {
        self.kinds[expr.index()]
    }

    pub(super) fn domain_of(&self, var: Var) -> Vec<i64> {
        self.domains.get(&var).cloned().unwrap_or_default()
    }

    /// The codes that a state may have at step 0.
    pub(super) fn start(&mut self, system: &System, state: &State) -> Vec<i64> {
        match state.init {
            None => self.domain_of(state.var),
            Some(init) => {
                let value = evaluate(&system.pool, init, |_| Value::Undefined);
                let kind = self.variables.get(&state.var).copied().unwrap_or(Kind::Plain);
                vec![self.code(kind, &value)]
            }
        }
    }

    /// The code of a value among others of a kind.
    pub(super) fn code(&mut self, kind: Kind, value: &Value) -> i64 {
        match (kind, value) {
            (_, Value::Undefined) => UNDEFINED,
            (_, Value::Bool(truth)) => i64::from(*truth),
            (_, Value::Enum(place)) => i64::from(*place),
            (Kind::Place(group), value) => {
                exact(value).map_or(UNDEFINED, |number| self.groups[group].place(&number))
            }
            (Kind::Plain | Kind::Listed, Value::Int(number)) => i64::try_from(number).unwrap_or(UNDEFINED),
            (Kind::Plain | Kind::Listed, Value::Machine(number)) => {
                i64::try_from(*number).unwrap_or(UNDEFINED)
            }
            (Kind::Plain | Kind::Listed, Value::Real(number)) => {
                if let Some(&code) = self.numbers.get(number) {
                    return code;
                }
                let code = self.reals.len() as i64;
                self.reals.push(number.clone());
                self.numbers.insert(number.clone(), code);
                code
            }
        }
    }

    /// A value that a code of a type stands for; of a place among constants any one.
    pub(super) fn decode(&self, pool: &Pool, kind: Kind, ty: Type, code: i64) -> Value {
        if code == UNDEFINED {
            return Value::Undefined;
        }
        let real = match kind {
            Kind::Plain => None,
            Kind::Listed => usize::try_from(code).ok().and_then(|place| self.reals.get(place)).cloned(),
            Kind::Place(group) => self.groups[group].representative(pool, ty, code),
        };
        match (ty, real) {
            (Type::Bool, _) => Value::Bool(code != 0),
            (Type::Enum(_), _) => Value::Enum(u32::try_from(code).unwrap_or_default()),
            (Type::Real, Some(real)) => Value::Real(real),
            (Type::Int, Some(real)) => Value::Int(real.floor()),
            (Type::Machine(_), Some(real)) => {
                Value::Machine(i128::try_from(real.floor()).unwrap_or_default())
            }
            (Type::Int, None) => Value::Int(IBig::from(code)),
            (Type::Machine(_), None) => Value::Machine(i128::from(code)),
            (Type::Real, None) => Value::Undefined,
        }
    }

    /// The value of a variable.
    pub(super) fn value(&self, system: &System, var: Var, code: i64) -> Value {
        let kind = self.variables.get(&var).copied().unwrap_or(Kind::Plain);
        self.decode(&system.pool, kind, system.variables[var.index()].ty, code)
    }

    /// The order of two real numbers in the list.
    pub(super) fn less(&self, a: i64, b: i64, or_equal: bool) -> bool {
        let at = |code: i64| usize::try_from(code).ok().and_then(|place| self.reals.get(place));
        match (at(a), at(b)) {
            (Some(a), Some(b)) => a < b || or_equal && a == b,
            (None, _) | (_, None) => false,
        }
    }

    /// The codes of all values that a variable can have; `None` if there are too many.
    fn domain(&self, system: &System, var: Var) -> Option<Vec<i64>> {
        let ty = system.variables[var.index()].ty;
        let kind = self.variables.get(&var).copied();
        match (ty, kind) {
            (Type::Bool, _) => Some(vec![0, 1]),
            (Type::Enum(id), _) => Some((0..system.pool.enumeration(id).literals.len() as i64).collect()),
            (_, None) => Some(vec![0]),
            (_, Some(Kind::Place(group))) => {
                let group = &self.groups[group];
                let places = 0..=2 * group.constants.len() as i64;
                let exists = |place: &i64| group.representative(&system.pool, ty, *place).is_some();
                Some(places.filter(exists).collect())
            }
            (Type::Int | Type::Machine(_), Some(Kind::Plain)) => {
                let (low, high) = range(system, var)?;
                (high.checked_sub(low)? < MOST_VALUES).then(|| (low..=high).collect())
            }
            (_, Some(Kind::Listed | Kind::Plain)) => None,
        }
    }
}

impl Group {
    /// Twice the number of lesser constants, and one more if it is a constant itself.
    fn place(&self, number: &RBig) -> i64 {
        match self.constants.binary_search(number) {
            Ok(place) => 2 * place as i64 + 1,
            Err(place) => 2 * place as i64,
        }
    }

    /// A number at a place, if there is one of this type.
    fn representative(&self, pool: &Pool, ty: Type, place: i64) -> Option<RBig> {
        let count = self.constants.len();
        let index = usize::try_from(place / 2).ok()?;
        let below = index.checked_sub(1).and_then(|it| self.constants.get(it));
        let above = self.constants.get(index);
        let number = match (place % 2, below, above) {
            (1, _, _) => above?.clone(),
            (_, None, None) => RBig::ZERO,
            (_, Some(below), None) => RBig::from(below.floor()) + RBig::ONE,
            (_, None, Some(above)) => RBig::from(above.ceil()) - RBig::ONE,
            (_, Some(below), Some(above)) => {
                let whole = RBig::from(below.floor()) + RBig::ONE;
                if whole < *above || ty != Type::Real { whole } else { (below + above) / RBig::from(2) }
            }
        };
        let value = match ty {
            Type::Real => Value::Real(number.clone()),
            Type::Int if number.is_int() => Value::Int(number.floor()),
            Type::Machine(_) if number.is_int() => Value::Machine(i128::try_from(number.floor()).ok()?),
            Type::Int | Type::Machine(_) | Type::Bool | Type::Enum(_) => return None,
        };
        let there = index <= count && self.place(&number) == place;
        (there && fits(pool, ty, &value)).then_some(number)
    }
}

fn exact(value: &Value) -> Option<RBig> {
    match value {
        Value::Int(number) => Some(RBig::from(number.clone())),
        Value::Machine(number) => Some(RBig::from(*number)),
        Value::Real(number) => Some(number.clone()),
        Value::Bool(_) | Value::Enum(_) | Value::Undefined => None,
    }
}

/// The least and the greatest value that a type or the constraints of a system allow.
fn range(system: &System, var: Var) -> Option<(i64, i64)> {
    let (mut low, mut high): (Option<i64>, Option<i64>) = match system.variables[var.index()].ty {
        Type::Machine(width) => (i64::try_from(width.least()).ok(), i64::try_from(width.greatest()).ok()),
        Type::Bool | Type::Int | Type::Real | Type::Enum(_) => (None, None),
    };
    let pool = &system.pool;
    let initial: &[Expr] = if system.state_of(var).is_some() { &system.initial } else { &[] };
    let mut open: Vec<Expr> = system.assumptions.iter().chain(initial).copied().collect();
    let constant = |expr: Expr| match pool.node(expr) {
        Node::Int(value) => i64::try_from(value).ok(),
        Node::Machine(_, value) => i64::try_from(*value).ok(),
        _ => None,
    };
    let is_it = |expr: Expr| matches!(pool.node(expr), Node::Var(it) if *it == var);
    while let Some(expr) = open.pop() {
        let (least, greatest) = match pool.node(expr) {
            Node::And(operands) => {
                open.extend(operands);
                continue;
            }
            Node::Le(a, b) if is_it(*b) => (constant(*a), None),
            Node::Le(a, b) if is_it(*a) => (None, constant(*b)),
            Node::Lt(a, b) if is_it(*b) => (constant(*a).and_then(|it| it.checked_add(1)), None),
            Node::Lt(a, b) if is_it(*a) => (None, constant(*b).and_then(|it| it.checked_sub(1))),
            Node::Eq(a, b) if is_it(*b) => (constant(*a), constant(*a)),
            Node::Eq(a, b) if is_it(*a) => (constant(*b), constant(*b)),
            _ => (None, None),
        };
        low = low.max(least);
        high = match (high, greatest) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    Some((low?, high?))
}

/// The kind of each node, and the groups.
fn groups(system: &System) -> (Vec<Kind>, Vec<Group>) {
    let pool = &system.pool;
    let order = pool.reachable(roots(system));
    let mut union = Union { parents: (0..pool.len()).collect() };
    let mut valued: Vec<Expr> = Vec::new();
    let mut compared: Vec<(Expr, RBig)> = Vec::new();
    let is_number = |expr: Expr| pool.type_of(expr).is_number();
    let constant = |expr: Expr| match pool.node(expr) {
        Node::Int(number) => Some(RBig::from(number.clone())),
        Node::Machine(_, number) => Some(RBig::from(*number)),
        Node::Real(number) => Some(number.clone()),
        _ => None,
    };
    let mut variables: FxHashMap<Var, Expr> = FxHashMap::default();
    for &expr in &order {
        match pool.node(expr) {
            Node::Var(var) => {
                variables.insert(*var, expr);
            }
            Node::Ite(_, a, b) if is_number(expr) => {
                for operand in [*a, *b].into_iter().filter(|it| !pool.node(*it).is_constant()) {
                    union.join(expr.index(), operand.index());
                }
            }
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) if is_number(*a) => {
                match (constant(*a), constant(*b)) {
                    (None, None) => valued.extend([*a, *b]),
                    (left, right) => {
                        compared.extend(left.map(|it| (*b, it)));
                        compared.extend(right.map(|it| (*a, it)));
                    }
                }
            }
            Node::Ite(..) | Node::Eq(..) | Node::Not(_) | Node::And(_) | Node::Or(_) => {}
            // Arithmetic, conversions, functions: they need the values, and give values.
            node => valued.extend(node.children().chain([expr])),
        }
    }
    for state in &system.state {
        if let Some(expr) = variables.get(&state.var)
            && is_number(*expr)
            && !pool.node(state.next).is_constant()
        {
            union.join(expr.index(), state.next.index());
        }
    }
    let mut by_value = vec![false; pool.len()];
    for expr in valued.into_iter().filter(|it| !pool.node(*it).is_constant()) {
        by_value[union.find(expr.index())] = true;
    }
    let mut kinds = vec![Kind::Plain; pool.len()];
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for &expr in &order {
        let root = union.find(expr.index());
        kinds[expr.index()] = match pool.type_of(expr) {
            Type::Bool | Type::Enum(_) => Kind::Plain,
            _ if pool.node(expr).is_constant() => Kind::Plain,
            Type::Real if by_value[root] => Kind::Listed,
            Type::Int | Type::Machine(_) if by_value[root] => Kind::Plain,
            Type::Int | Type::Machine(_) | Type::Real => {
                let number = *numbers.entry(root).or_insert(groups.len());
                if number == groups.len() {
                    groups.push(Group::default());
                }
                Kind::Place(number)
            }
        };
    }
    for (expr, number) in compared {
        if let Kind::Place(group) = kinds[expr.index()] {
            groups[group].constants.push(number);
        }
    }
    for group in &mut groups {
        group.constants.sort();
        group.constants.dedup();
    }
    (kinds, groups)
}

struct Union {
    parents: Vec<usize>,
}

impl Union {
    fn find(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
