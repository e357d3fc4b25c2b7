//! Reduced ordered binary decision diagrams (Bryant 1986): sets of bit vectors, each set one number.
//!
//! Variables are numbers, tested from small to large unless [`Manager::insert`] places one elsewhere. Equal functions are equal numbers,
//! so comparing sets is comparing numbers. A function and its negation share their nodes (Brace, Rudell, Bryant 1990), so negation costs
//! nothing. Recursion goes from variable to variable, so its depth is the number of variables.

mod tables;

use rustc_hash::{FxHashMap, FxHashSet};
use tables::{Choices, Nodes};

/// A Boolean function of the variables: twice the number of a node, and one more for its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(u32);

impl Bdd {
    /// The function that is always false.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is always true.
    pub const TRUE: Bdd = Bdd(1);

    /// A constant function.
    pub fn constant(value: bool) -> Bdd {
        if value { Bdd::TRUE } else { Bdd::FALSE }
    }

    /// The negation.
    #[must_use]
    fn negated(self) -> Bdd {
        Bdd(self.0 ^ 1)
    }

    /// The negation, if a condition is true.
    fn negated_if(self, condition: bool) -> Bdd {
        Bdd(self.0 ^ u32::from(condition))
    }

    /// Whether this is the negation of a node.
    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A node; `low` is not negated, so that a function is either a node or the negation of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// The diagrams made so far.
#[derive(Debug, Clone)]
pub struct Manager {
    nodes: Nodes,
    choices: Choices,
    limit: usize,
    /// The place of each variable in the order of tests; variables beyond the list are at the place of their number.
    places: Vec<u32>,
}

/// A set of variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    present: Vec<bool>,
}

impl Variables {
    /// Adds a variable.
    pub fn insert(&mut self, variable: u32) {
        let place = variable as usize;
        if place >= self.present.len() {
            self.present.resize(place + 1, false);
        }
        self.present[place] = true;
    }

    /// Whether a variable is in the set.
    pub fn contains(&self, variable: u32) -> bool {
        self.present.get(variable as usize).copied().unwrap_or(false)
    }

    /// The variables, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.present.iter().enumerate().filter(|it| *it.1).map(|it| it.0 as u32)
    }
}

impl FromIterator<u32> for Variables {
    fn from_iter<I: IntoIterator<Item = u32>>(variables: I) -> Variables {
        let mut set = Variables::default();
        variables.into_iter().for_each(|it| set.insert(it));
        set
    }
}

/// No variable: the leaf comes last.
const LEAF: u32 = u32::MAX;

impl Default for Manager {
    fn default() -> Manager {
        let nodes = Nodes::new(Node { variable: LEAF, low: Bdd::FALSE, high: Bdd::FALSE });
        Manager { nodes, choices: Choices::default(), limit: usize::MAX, places: Vec::new() }
    }
}

impl Manager {
    /// A manager that is full beyond the given number of nodes. The results of a full manager are meaningless, but are returned at
    /// once: check [`is_full`](Manager::is_full) before using them.
    pub fn with_limit(nodes: usize) -> Manager {
        Manager { limit: nodes, ..Manager::default() }
    }

    /// Whether there are more nodes than the limit.
    pub fn is_full(&self) -> bool {
        self.nodes.len() > self.limit
    }

    /// The number of nodes, as a measure of the work done.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The first test of a function, and its cofactors.
    fn node(&self, bdd: Bdd) -> Node {
        let Node { variable, low, high } = self.nodes.get(bdd.0 >> 1);
        let negated = bdd.is_negated();
        Node { variable, low: low.negated_if(negated), high: high.negated_if(negated) }
    }

    /// Places a variable that no function depends on yet right before another one in the order of tests. All diagrams stay as they
    /// are, because the order of the other variables does not change.
    pub fn insert(&mut self, variable: u32, before: u32) {
        let known = self.places.len() as u32;
        self.places.extend(known..=variable.max(before));
        let (from, to) = (self.places[variable as usize], self.places[before as usize]);
        for place in &mut self.places {
            if (to..from).contains(place) {
                *place += 1;
            } else if (from + 1..to).contains(place) {
                *place -= 1;
            }
        }
        self.places[variable as usize] = if to < from { to } else { to - 1 };
    }

    /// The place of a variable in the order of tests.
    pub fn place(&self, variable: u32) -> u32 {
        self.places.get(variable as usize).copied().unwrap_or(variable)
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let negated = low.is_negated();
        let node = Node { variable, low: low.negated_if(negated), high: high.negated_if(negated) };
        Bdd(self.nodes.intern(node) << 1).negated_if(negated)
    }

    /// The function that returns the value of a variable.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.make(variable, Bdd::FALSE, Bdd::TRUE)
    }

    /// If `f` then `g`, otherwise `h`.
    pub fn choose(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        let (f, g, h) = if f.is_negated() { (f.negated(), h, g) } else { (f, g, h) };
        if f == Bdd::FALSE || g == h {
            return h;
        }
        // A branch that depends on the condition alone is a constant.
        let known = |branch: Bdd, value: Bdd| match branch.0 ^ f.0 {
            0 => value,
            1 => value.negated(),
            _ => branch,
        };
        let (g, h) = (known(g, Bdd::TRUE), known(h, Bdd::FALSE));
        match (g, h) {
            (_, Bdd::FALSE) => return self.and(f, g),
            (_, Bdd::TRUE) => return self.and(f, g.negated()).negated(),
            (Bdd::FALSE, _) => return self.and(f.negated(), h),
            (Bdd::TRUE, _) => return self.and(f.negated(), h.negated()).negated(),
            _ => {}
        }
        // Of functions that are equal or unequal, either may be the condition; and of each choice, one of the result and its negation is enough.
        let (f, g, h) = match h == g.negated() && g.0 >> 1 < f.0 >> 1 {
            true if g.is_negated() => (g.negated(), f.negated(), f),
            true => (g, f, f.negated()),
            false => (f, g, h),
        };
        let negated = g.is_negated();
        let (g, h) = (g.negated_if(negated), h.negated_if(negated));
        if let Some(known) = self.choices.get((f, g, h)) {
            return known.negated_if(negated);
        }
        if self.is_full() {
            return Bdd::FALSE;
        }
        let (a, b, c) = (self.node(f), self.node(g), self.node(h));
        let top = self.first(a.variable, self.first(b.variable, c.variable));
        let ((f0, f1), (g0, g1), (h0, h1)) =
            (cofactors(f, a, top), cofactors(g, b, top), cofactors(h, c, top));
        let low = self.choose(f0, g0, h0);
        let high = self.choose(f1, g1, h1);
        let result = self.make(top, low, high);
        self.choices.insert((f, g, h), result, self.nodes.len());
        result.negated_if(negated)
    }

    /// Which of two variables is tested first.
    fn first(&self, a: u32, b: u32) -> u32 {
        if self.place(b) < self.place(a) { b } else { a }
    }

    /// Negation.
    pub fn not(&self, f: Bdd) -> Bdd {
        f.negated()
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        if f == g || g == Bdd::TRUE {
            return f;
        }
        if f == Bdd::TRUE {
            return g;
        }
        if f == Bdd::FALSE || g == Bdd::FALSE || f == g.negated() {
            return Bdd::FALSE;
        }
        let (f, g) = (f.min(g), f.max(g));
        if let Some(known) = self.choices.get((f, g, Bdd::FALSE)) {
            return known;
        }
        if self.is_full() {
            return Bdd::FALSE;
        }
        let (a, b) = (self.node(f), self.node(g));
        let top = self.first(a.variable, b.variable);
        let ((f0, f1), (g0, g1)) = (cofactors(f, a, top), cofactors(g, b, top));
        let low = self.and(f0, g0);
        let high = self.and(f1, g1);
        let result = self.make(top, low, high);
        self.choices.insert((f, g, Bdd::FALSE), result, self.nodes.len());
        result
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.and(f.negated(), g.negated()).negated()
    }

    /// Equality.
    pub fn iff(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.choose(f, g, g.negated())
    }

    /// The variable that a function tests first, and its cofactors for false and true; `None` for constants.
    pub fn split(&self, f: Bdd) -> Option<(u32, Bdd, Bdd)> {
        let Node { variable, low, high } = self.node(f);
        (variable != LEAF).then_some((variable, low, high))
    }

    /// The function with each variable replaced by a function; variables beyond the list stay.
    pub fn compose(&mut self, f: Bdd, replacements: &[Bdd]) -> Bdd {
        self.compose_with(f, replacements, &mut FxHashMap::default())
    }

    fn compose_with(&mut self, f: Bdd, replacements: &[Bdd], known: &mut FxHashMap<Bdd, Bdd>) -> Bdd {
        if f.is_constant() {
            return f;
        }
        if f.is_negated() {
            return self.compose_with(f.negated(), replacements, known).negated();
        }
        if let Some(&result) = known.get(&f) {
            return result;
        }
        let Node { variable, low, high } = self.node(f);
        let low = self.compose_with(low, replacements, known);
        let high = self.compose_with(high, replacements, known);
        let condition = match replacements.get(variable as usize) {
            Some(&replacement) => replacement,
            None => self.variable(variable),
        };
        let result = self.choose(condition, high, low);
        known.insert(f, result);
        result
    }

    /// Whether some values of these variables make the function true.
    pub fn exists(&mut self, f: Bdd, variables: &Variables) -> Bdd {
        self.and_exists(f, Bdd::TRUE, variables)
    }

    /// Whether all values of these variables make the function true.
    pub fn forall(&mut self, f: Bdd, variables: &Variables) -> Bdd {
        self.exists(f.negated(), variables).negated()
    }

    /// Whether some values of these variables make both functions true; the conjunction itself is not built.
    pub fn and_exists(&mut self, f: Bdd, g: Bdd, variables: &Variables) -> Bdd {
        let last = variables.iter().map(|it| self.place(it)).max();
        self.and_exists_with(f, g, (variables, last), &mut FxHashMap::default())
    }

    fn and_exists_with(
        &mut self,
        f: Bdd,
        g: Bdd,
        (variables, last): (&Variables, Option<u32>),
        known: &mut FxHashMap<(Bdd, Bdd), Bdd>,
    ) -> Bdd {
        if f == Bdd::FALSE || g == Bdd::FALSE || f == g.negated() || self.is_full() {
            return Bdd::FALSE;
        }
        let g = if f == g { Bdd::TRUE } else { g };
        if f == Bdd::TRUE && g == Bdd::TRUE {
            return Bdd::TRUE;
        }
        let key = (f.min(g), f.max(g));
        if let Some(&result) = known.get(&key) {
            return result;
        }
        let (a, b) = (self.node(f), self.node(g));
        let top = self.first(a.variable, b.variable);
        let result = if last.is_none_or(|last| last < self.place(top)) {
            self.and(f, g)
        } else {
            let ((f0, f1), (g0, g1)) = (cofactors(f, a, top), cofactors(g, b, top));
            let low = self.and_exists_with(f0, g0, (variables, last), known);
            if variables.contains(top) {
                match low {
                    Bdd::TRUE => Bdd::TRUE,
                    _ => {
                        let high = self.and_exists_with(f1, g1, (variables, last), known);
                        self.or(low, high)
                    }
                }
            } else {
                let high = self.and_exists_with(f1, g1, (variables, last), known);
                self.make(top, low, high)
            }
        };
        known.insert(key, result);
        result
    }

    /// A function that is equal to `f` wherever `care` is true, and usually smaller (Coudert and Madre 1990); `f` itself if `care` is
    /// never true.
    pub fn restrict(&mut self, f: Bdd, care: Bdd) -> Bdd {
        if care == Bdd::FALSE {
            return f;
        }
        self.restrict_with(f, care, &mut FxHashMap::default())
    }

    fn restrict_with(&mut self, f: Bdd, care: Bdd, known: &mut FxHashMap<(Bdd, Bdd), Bdd>) -> Bdd {
        if care == Bdd::TRUE || f.is_constant() {
            return f;
        }
        if f.is_negated() {
            return self.restrict_with(f.negated(), care, known).negated();
        }
        if let Some(&result) = known.get(&(f, care)) {
            return result;
        }
        let (a, c) = (self.node(f), self.node(care));
        let result = if self.place(c.variable) < self.place(a.variable) {
            let either = self.or(c.low, c.high);
            self.restrict_with(f, either, known)
        } else {
            let (low, high) = if c.variable == a.variable { (c.low, c.high) } else { (care, care) };
            if low == Bdd::FALSE {
                self.restrict_with(a.high, high, known)
            } else if high == Bdd::FALSE {
                self.restrict_with(a.low, low, known)
            } else {
                let low = self.restrict_with(a.low, low, known);
                let high = self.restrict_with(a.high, high, known);
                self.make(a.variable, low, high)
            }
        };
        known.insert((f, care), result);
        result
    }

    /// The function with one variable fixed.
    pub fn fixed(&mut self, f: Bdd, variable: u32, value: bool) -> Bdd {
        let literal = self.variable(variable);
        let literal = if value { literal } else { self.not(literal) };
        self.restrict(f, literal)
    }

    /// The variables that a function depends on.
    pub fn support(&self, f: Bdd) -> Variables {
        let mut seen = FxHashSet::default();
        let mut found = Variables::default();
        let mut open = vec![f];
        while let Some(f) = open.pop() {
            let Some((variable, low, high)) = self.split(f) else { continue };
            if seen.insert(f.0 >> 1) {
                found.insert(variable);
                open.extend([low, high]);
            }
        }
        found
    }

    /// The value for given values of the variables.
    pub fn value(&self, mut f: Bdd, values: &[bool]) -> bool {
        loop {
            match f {
                Bdd::FALSE => return false,
                Bdd::TRUE => return true,
                _ => {
                    let node = self.node(f);
                    f = if values[node.variable as usize] { node.high } else { node.low };
                }
            }
        }
    }

    /// Values of the first `count` variables that make the function true, if there are any; false where it does not matter.
    pub fn example(&self, mut f: Bdd, count: usize) -> Option<Vec<bool>> {
        let mut values = vec![false; count];
        while f != Bdd::TRUE {
            if f == Bdd::FALSE {
                return None;
            }
            let node = self.node(f);
            let low = node.low != Bdd::FALSE;
            values[node.variable as usize] = !low;
            f = if low { node.low } else { node.high };
        }
        Some(values)
    }
}

/// The cofactors of a function with this node by a variable that is not tested after it.
fn cofactors(f: Bdd, node: Node, variable: u32) -> (Bdd, Bdd) {
    if node.variable == variable { (node.low, node.high) } else { (f, f) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function of three variables, built from its truth table, has its truth table.
    #[test]
    fn all_functions_of_three_variables() {
        let mut m = Manager::default();
        let x = [0, 1, 2].map(|k| m.variable(k));
        let values = |row: u32| [0, 1, 2].map(|k| row >> k & 1 == 1);
        for table in 0..256u32 {
            let mut f = Bdd::FALSE;
            for row in (0..8).filter(|row| table >> row & 1 == 1) {
                let mut term = Bdd::TRUE;
                for (k, &variable) in x.iter().enumerate() {
                    let literal = if row >> k & 1 == 1 { variable } else { m.not(variable) };
                    term = m.and(term, literal);
                }
                f = m.or(f, term);
            }
            let swapped = m.compose(f, &[x[1], x[0]]);
            let opposite = m.not(f);
            for row in 0..8 {
                let [a, b, c] = values(row);
                assert_eq!(m.value(f, &[a, b, c]), table >> row & 1 == 1);
                assert_eq!(m.value(opposite, &[a, b, c]), table >> row & 1 == 0);
                assert_eq!(m.value(swapped, &[b, a, c]), m.value(f, &[a, b, c]));
            }
            match m.example(f, 3) {
                Some(example) => assert!(m.value(f, &example)),
                None => assert_eq!(table, 0),
            }
            assert_eq!(m.iff(f, opposite), Bdd::FALSE);
        }
        assert_eq!(m.size(), 128, "every function is stored once, with its negation");
    }

    /// Quantification and restriction, on pseudo-random functions of four variables, against their truth tables.
    #[test]
    fn quantifiers_and_restriction() {
        let mut m = Manager::default();
        let mut random = base::Random::new(7);
        let values = |row: u32| [0, 1, 2, 3].map(|k| row >> k & 1 == 1);
        let mut function = |m: &mut Manager| {
            let table = random.below(1 << 16) as u32;
            (0..16).filter(|row| table >> row & 1 == 1).fold(Bdd::FALSE, |f, row| {
                let term = (0..4).fold(Bdd::TRUE, |term, k| {
                    let variable = m.variable(k);
                    let literal = if row >> k & 1 == 1 { variable } else { m.not(variable) };
                    m.and(term, literal)
                });
                m.or(f, term)
            })
        };
        for set in 0..16u32 {
            let variables: Variables = (0..4).filter(|k| set >> k & 1 == 1).collect();
            for _ in 0..20 {
                let (f, g) = (function(&mut m), function(&mut m));
                let (some, all) = (m.exists(f, &variables), m.forall(f, &variables));
                let both = m.and_exists(f, g, &variables);
                let restricted = m.restrict(f, g);
                for row in 0..16u32 {
                    let rows: Vec<u32> = (0..16).filter(|it| it & !set == row & !set).collect();
                    assert_eq!(m.value(some, &values(row)), rows.iter().any(|it| m.value(f, &values(*it))));
                    assert_eq!(m.value(all, &values(row)), rows.iter().all(|it| m.value(f, &values(*it))));
                    let together = rows.iter().any(|it| m.value(f, &values(*it)) && m.value(g, &values(*it)));
                    assert_eq!(m.value(both, &values(row)), together);
                    if m.value(g, &values(row)) {
                        assert_eq!(m.value(restricted, &values(row)), m.value(f, &values(row)));
                    }
                }
                assert!(m.support(some).iter().all(|it| !variables.contains(it)));
            }
        }
    }

    /// A variable that is placed before others keeps old functions as they are, and new ones are still one number each.
    #[test]
    fn variables_are_placed_before_others() {
        let mut m = Manager::default();
        let [a, b] = [0, 1].map(|it| m.variable(it));
        let old = m.and(a, b);
        m.insert(2, 1);
        m.insert(3, 0);
        assert_eq!([3, 0, 2, 1].map(|it| m.place(it)), [0, 1, 2, 3]);
        let [c, d] = [2, 3].map(|it| m.variable(it));
        let left = m.and(old, c);
        let left = m.or(left, d);
        let right = [b, c, a].into_iter().fold(Bdd::TRUE, |all, it| m.and(all, it));
        let right = m.or(d, right);
        assert_eq!(left, right);
        assert_eq!(m.split(left).map(|it| it.0), Some(3));
        let without_c = m.exists(left, &Variables::from_iter([2]));
        assert_eq!(without_c, m.or(d, old));
        let fixed = m.fixed(left, 2, false);
        assert_eq!(fixed, d);
    }

    #[test]
    fn a_full_manager_says_so() {
        let mut m = Manager::with_limit(1_000);
        // This order of the variables needs 2^20 nodes.
        let mut all = Bdd::TRUE;
        for k in 0..20 {
            let (x, y) = (m.variable(k), m.variable(20 + k));
            let either = m.or(x, y);
            all = m.and(all, either);
        }
        assert!(m.is_full() && m.size() < 1_100);
        assert!(!Manager::with_limit(10).is_full());
    }
}
