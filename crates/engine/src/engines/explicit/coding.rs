//! Values as small numbers: which variables are searched by value and which by their position among constants.
//!
//! Where only the position among constants matters (`places`), it is the code. Otherwise the values are their own codes, and a
//! variable that can have any value must be bounded.

use super::roots;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use system::evaluate::evaluate;
use system::expr::{Expr, Node, Pool, Type, Var};
use system::places::Places;
use system::system::{State, System};
use system::value::Value;

/// The code of an unknown value.
pub(crate) const UNDEFINED: i64 = i64::MIN;

/// The maximum number of values of a variable that are tried one by one.
const MOST_VALUES: i64 = 4096;

/// How values are coded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The value itself.
    Plain,
    /// The index of a real value in a list.
    Listed,
    /// A position among the constants of this group.
    Place(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Coding {
    /// For each node of the pool.
    kinds: Vec<Kind>,
    places: Places,
    /// For each variable that occurs.
    variables: FxHashMap<Var, Kind>,
    reals: Vec<RBig>,
    numbers: FxHashMap<RBig, i64>,
    /// The values of each input that are tried.
    domains: FxHashMap<Var, Vec<i64>>,
}

impl Coding {
    /// Chooses codes for a system; fails with a variable that has too many values.
    pub(crate) fn new(system: &System) -> Result<Coding, Var> {
        let places = Places::new(system);
        let pool = &system.pool;
        let kind = |expr: Expr| match (places.group(expr), pool.type_of(expr)) {
            (Some(group), _) => Kind::Place(group),
            (None, Type::Real) if !pool.node(expr).is_constant() => Kind::Listed,
            (None, _) => Kind::Plain,
        };
        let mut kinds = vec![Kind::Plain; pool.len()];
        pool.reachable(roots(system)).into_iter().for_each(|expr| kinds[expr.index()] = kind(expr));
        let mut coding = Coding {
            kinds,
            variables: FxHashMap::default(),
            places,
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

    pub(crate) fn kind(&self, expr: Expr) -> Kind {
        self.kinds[expr.index()]
    }

    pub(crate) fn domain_of(&self, var: Var) -> Vec<i64> {
        self.domains.get(&var).cloned().unwrap_or_default()
    }

    /// The codes that a state may have at step 0.
    pub(crate) fn start(&mut self, system: &System, state: &State) -> Vec<i64> {
        match state.init {
            None => self.domain_of(state.var),
            Some(init) => {
                let value = evaluate(&system.pool, init, |_| Value::Undefined);
                let kind = self.variables.get(&state.var).copied().unwrap_or(Kind::Plain);
                vec![self.code(kind, &value)]
            }
        }
    }

    /// The code of a value of the given kind.
    pub(crate) fn code(&mut self, kind: Kind, value: &Value) -> i64 {
        match (kind, value) {
            (_, Value::Undefined) => UNDEFINED,
            (_, Value::Bool(truth)) => i64::from(*truth),
            (_, Value::Enum(place)) => i64::from(*place),
            (Kind::Place(group), value) => {
                exact(value).map_or(UNDEFINED, |number| self.places.place(group, &number))
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

    /// A value with this code; for a position among constants, any value there.
    pub(crate) fn decode(&self, pool: &Pool, kind: Kind, ty: Type, code: i64) -> Value {
        if code == UNDEFINED {
            return Value::Undefined;
        }
        match (ty, kind) {
            (Type::Bool, _) => Value::Bool(code != 0),
            (Type::Enum(_), _) => Value::Enum(u32::try_from(code).unwrap_or_default()),
            (_, Kind::Place(group)) => {
                self.places.representative(pool, group, ty, code).unwrap_or(Value::Undefined)
            }
            (Type::Int, _) => Value::Int(IBig::from(code)),
            (Type::Machine(_), _) => Value::Machine(i128::from(code)),
            (Type::Real, _) => {
                let real = usize::try_from(code).ok().and_then(|place| self.reals.get(place));
                real.map_or(Value::Undefined, |it| Value::Real(it.clone()))
            }
        }
    }

    /// The value of a variable.
    pub(crate) fn value(&self, system: &System, var: Var, code: i64) -> Value {
        let kind = self.variables.get(&var).copied().unwrap_or(Kind::Plain);
        self.decode(&system.pool, kind, system.variables[var.index()].ty, code)
    }

    /// The order of two real numbers in the list.
    pub(crate) fn less(&self, a: i64, b: i64, or_equal: bool) -> bool {
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
            (_, Some(Kind::Place(group))) => Some(self.places.all(&system.pool, group, ty)),
            (Type::Int | Type::Machine(_), Some(Kind::Plain)) => {
                let (low, high) = range(system, var)?;
                (high.checked_sub(low)? < MOST_VALUES).then(|| (low..=high).collect())
            }
            (_, Some(Kind::Listed | Kind::Plain)) => None,
        }
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
