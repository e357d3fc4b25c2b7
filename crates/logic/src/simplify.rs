//! Simplification by named rewrite rules, which are data: a name, a family and a function.
//!
//! Every rule holds at every position of finite and infinite traces, and no rule makes the tree of a formula larger; the tests check
//! both on all short traces. Rules are applied bottom-up until none applies, or until the step limit is reached: every intermediate
//! formula is a correct answer. A node that a rule does not handle is left alone, so here, and only here, `_` is the right arm of a
//! match.

mod assume;
mod junction;
mod negation;
mod way;
mod window;

use crate::store::{Formula, Id, Node, Store};

/// One rewrite rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name of the rule.
    pub name: &'static str,
    /// The family of the rule.
    pub family: Family,
    head: Head,
    apply: fn(&mut Store, Formula) -> Option<Formula>,
}

/// The families of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Moves negation where it costs least.
    Negation,
    /// Conjunction, disjunction and implication.
    Boolean,
    /// F, G, O, H.
    Window,
    /// U, R, S, T.
    Way,
}

/// The root of the formulas that a rule applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Head {
    Not,
    Junction,
    Implication,
    Equivalence,
    Window,
    Way,
}

impl Head {
    fn of(node: &Node) -> Option<Head> {
        match node {
            Node::Not(_) => Some(Head::Not),
            Node::And(_) | Node::Or(_) => Some(Head::Junction),
            Node::Implies(..) => Some(Head::Implication),
            Node::Xor(..) | Node::Iff(..) => Some(Head::Equivalence),
            Node::Unary(..) => Some(Head::Window),
            Node::Binary(..) => Some(Head::Way),
            _ => None,
        }
    }
}

const fn rule(
    name: &'static str,
    family: Family,
    head: Head,
    apply: fn(&mut Store, Formula) -> Option<Formula>,
) -> Rule {
    Rule { name, family, head, apply }
}

/// Every rule, in the order in which they are tried.
pub const RULES: &[Rule] = &[
    rule("negated relation", Family::Negation, Head::Not, negation::relation),
    rule("negated equivalence", Family::Negation, Head::Not, negation::equivalence),
    rule("equivalence of negations", Family::Negation, Head::Equivalence, negation::of_operands),
    rule("negated implication", Family::Negation, Head::Not, negation::implication),
    rule("negated junction", Family::Negation, Head::Not, negation::junction),
    rule("negated window", Family::Negation, Head::Not, negation::window),
    rule("negated way", Family::Negation, Head::Not, negation::way),
    rule("assumption", Family::Boolean, Head::Junction, assume::in_junction),
    rule("premise", Family::Boolean, Head::Implication, assume::in_implication),
    rule("factoring", Family::Boolean, Head::Junction, junction::factoring),
    rule("shared premise", Family::Boolean, Head::Junction, junction::shared_premise),
    rule("shared conclusion", Family::Boolean, Head::Junction, junction::shared_conclusion),
    rule("De Morgan", Family::Boolean, Head::Junction, junction::de_morgan),
    rule("implication", Family::Boolean, Head::Junction, junction::implication),
    rule("contraposition", Family::Boolean, Head::Implication, junction::contraposition),
    rule("premises together", Family::Boolean, Head::Implication, junction::curry),
    rule("windows of one formula", Family::Window, Head::Junction, window::union),
    rule("narrower window", Family::Window, Head::Junction, window::narrower),
    rule("formulas of one window", Family::Window, Head::Junction, window::merge),
    rule("window in a window", Family::Window, Head::Window, window::nested),
    rule("alternation", Family::Window, Head::Window, window::alternation),
    rule("window of a way", Family::Way, Head::Window, way::window_of_way),
    rule("way to a window", Family::Way, Head::Way, way::way_to_window),
    rule("way of a way", Family::Way, Head::Way, way::nested),
    rule("before the goal", Family::Way, Head::Way, assume::before_the_goal),
    rule("ways together", Family::Way, Head::Junction, way::merge),
    rule("steps outside", Family::Way, Head::Way, way::steps_outside),
    rule("folding", Family::Way, Head::Junction, way::fold),
    rule("since the start", Family::Way, Head::Way, way::since_start),
];

/// The maximum number of rule applications.
const MAX_STEPS: usize = 100_000;

impl Rule {
    /// The formula after one application of the rule at its root, if the rule applies there.
    pub fn apply(&self, store: &mut Store, f: Formula) -> Option<Formula> {
        (self.apply)(store, f).filter(|&g| g != f)
    }
}

/// An equivalent formula that is not larger.
pub fn simplify(store: &mut Store, f: Formula) -> Formula {
    let mut budget = MAX_STEPS;
    let mut current = f.id();
    loop {
        let known = |store: &mut Store, id: Id| is_done(store, id).then_some(id);
        let simpler = store.transform(current, known, |store, id| at_node(store, id, &mut budget));
        if simpler == current || budget == 0 {
            return store.as_formula(simpler).unwrap_or(f);
        }
        current = simpler;
    }
}

/// Whether nothing at or below a node can be simplified. Atoms are left as they are.
fn is_done(store: &Store, id: Id) -> bool {
    store.is_simple(id) || !store.node(id).is_operator()
}

/// Applies rules at one node until none applies.
fn at_node(store: &mut Store, id: Id, budget: &mut usize) -> Id {
    let Some(mut f) = store.as_formula(id) else { return id };
    while *budget > 0 && !is_done(store, f.id()) {
        let head = Head::of(store.node(f));
        let mut rules = RULES.iter().filter(|rule| Some(rule.head) == head);
        match rules.find_map(|rule| rule.apply(store, f)) {
            Some(g) => f = g,
            None => {
                // A node is simple only if everything below it is: the next round will check that.
                if store.children(f).all(|child| is_done(store, child)) {
                    store.set_simple(f.id());
                }
                return f.id();
            }
        }
        *budget -= 1;
    }
    f.id()
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_equivalent, random_formulas, read, shall};

    /// The rule rewrites `before` to `after` in one step, and the two are equivalent on all short traces.
    fn check(rule: &Rule, before: &str, after: &str) {
        let mut store = Store::default();
        let f = read(&mut store, before);
        let g =
            rule.apply(&mut store, f).unwrap_or_else(|| panic!("{} does not apply to {before}", rule.name));
        assert_eq!(shall(&store, g), after, "{}: {before}", rule.name);
        assert!(store.tree_size(g) <= store.tree_size(f), "{}: {before} grows", rule.name);
        assert_equivalent(&store, f, g);
    }

    #[test]
    fn every_rule_has_samples() {
        for rule in RULES {
            assert!(SAMPLES.iter().any(|(name, ..)| *name == rule.name), "no sample of {}", rule.name);
        }
    }

    #[test]
    fn rules_as_pairs() {
        for (name, before, after) in SAMPLES {
            let rule =
                RULES.iter().find(|rule| rule.name == *name).unwrap_or_else(|| panic!("no rule {name}"));
            check(rule, before, after);
        }
    }

    const SAMPLES: &[(&str, &str, &str)] = &[
        ("negated relation", "(! (< x y))", "x >= y"),
        ("negated relation", "(! (= x y))", "x != y"),
        ("negated equivalence", "(! (<-> a b))", "a xor b"),
        ("negated equivalence", "(! (xor a b))", "a <-> b"),
        ("equivalence of negations", "(<-> (! a) (! b))", "a <-> b"),
        ("equivalence of negations", "(<-> a (! b))", "a xor b"),
        ("equivalence of negations", "(xor (! a) b)", "a <-> b"),
        ("negated implication", "(! (-> a b))", "a & !b"),
        ("negated implication", "(! (-> a (! b)))", "a & b"),
        ("negated junction", "(! (& a (! b)))", "a -> b"),
        ("negated junction", "(! (& a (! b) (! c)))", "a -> b | c"),
        ("negated junction", "(! (| a (! b) c))", "!(a | c) & b"),
        ("negated window", "(! (F (! a)))", "G a"),
        ("negated window", "(! (H[0,3] (! a)))", "O[<=3] a"),
        ("negated window", "(! (X true))", "N false"),
        ("negated window", "(! (G (< x y)))", "F (x >= y)"),
        ("negated way", "(! (U (! a) (! b)))", "a R b"),
        ("negated way", "(! (T[1,2] (! a) (! b)))", "a S[1,2] b"),
        ("assumption", "(& a (| a b))", "a"),
        ("assumption", "(| a (& a b))", "a"),
        ("assumption", "(& a (| (! a) b))", "a & b"),
        ("assumption", "(| a (& (! a) b))", "a | b"),
        ("assumption", "(& a (-> a b))", "a & b"),
        ("assumption", "(& (-> a b) (! b))", "!a & !b"),
        ("assumption", "(& a (! (& a b)))", "a & !b"),
        ("assumption", "(| a (-> a b))", "true"),
        ("assumption", "(& (H a) a)", "H a"),
        ("assumption", "(| a (O a))", "O a"),
        ("assumption", "(& a (F[0,3] a))", "a"),
        ("assumption", "(| a (G a) b)", "a | b"),
        ("assumption", "(& b (U a b))", "b"),
        ("assumption", "(& b (R a b))", "a R b"),
        ("assumption", "(& (! (| a b)) (| a c))", "!(a | b) & c"),
        ("premise", "(-> a (& a b))", "a -> b"),
        ("premise", "(-> (| a b) b)", "a -> b"),
        ("premise", "(-> (& a b) (& a c))", "a & b -> c"),
        ("premise", "(-> (G a) (| a b))", "true"),
        ("factoring", "(| (& a b) (& a c))", "a & (b | c)"),
        ("factoring", "(| (& a b) (& a (! b)))", "a"),
        ("factoring", "(& (| a b) (| a c))", "a | b & c"),
        ("factoring", "(| (& a b) c (& b (F a)))", "b & (a | F a) | c"),
        ("shared premise", "(& (-> a b) (-> a c))", "a -> b & c"),
        ("shared premise", "(| (-> a b) (-> a c))", "a -> b | c"),
        ("shared conclusion", "(& (-> a c) (-> b c))", "a | b -> c"),
        ("shared conclusion", "(| (-> a c) (-> b c))", "a & b -> c"),
        ("De Morgan", "(& (! a) (! b))", "!(a | b)"),
        ("De Morgan", "(| (! a) c (! b))", "!(a & b) | c"),
        ("implication", "(| (! a) b)", "a -> b"),
        ("implication", "(| b (! a) c)", "a -> b | c"),
        ("contraposition", "(-> (! a) (! b))", "b -> a"),
        ("contraposition", "(-> (! a) b)", "a | b"),
        ("premises together", "(-> a (-> b c))", "a & b -> c"),
        ("windows of one formula", "(| (F[0,3] a) (F[2,7] a))", "F[<=7] a"),
        ("windows of one formula", "(| a (X (F a)))", "F a"),
        ("windows of one formula", "(& a (H[1,2] a))", "H[<=2] a"),
        ("windows of one formula", "(| (O a) a)", "O a"),
        ("windows of one formula", "(| (F[0,1] a) b (F[2,2] a) (F[4,5] a))", "F[<=2] a | F[4,5] a | b"),
        ("narrower window", "(& (F[0,5] a) (F[2,3] a))", "F[2,3] a"),
        ("narrower window", "(| (H a) (H[0,3] a) b)", "H[<=3] a | b"),
        ("formulas of one window", "(& (G a) (G b))", "G (a & b)"),
        ("formulas of one window", "(| (O[1,2] a) c (O[1,2] b))", "O[1,2] (a | b) | c"),
        ("formulas of one window", "(& (X a) (X b))", "X (a & b)"),
        ("formulas of one window", "(| (Z a) (Z b))", "Z (a | b)"),
        ("window in a window", "(G (& a (G b)))", "G (a & b)"),
        ("window in a window", "(O[2,] (| a (O b)))", "O[>=2] (a | b)"),
        ("alternation", "(G (F (G a)))", "F G a"),
        ("alternation", "(F (G (F a)))", "G F a"),
        ("alternation", "(H (O (H a)))", "O H a"),
        ("window of a way", "(F (U a b))", "F b"),
        ("window of a way", "(O (S[0,2] a b))", "O b"),
        ("window of a way", "(G[1,] (R a b))", "G[>=1] b"),
        ("window of a way", "(H (T a b))", "H b"),
        ("way to a window", "(U a (F b))", "F b"),
        ("way to a window", "(S[0,3] a (O[1,] b))", "O[>=1] b"),
        ("way to a window", "(R a (G b))", "G b"),
        ("way of a way", "(U a (U a b))", "a U b"),
        ("way of a way", "(S[1,2] a (S[0,1] a b))", "a S[1,3] b"),
        ("way of a way", "(R a (R[1,2] a b))", "a R[>=1] b"),
        ("before the goal", "(U (| a b) b)", "a U b"),
        ("before the goal", "(U[0,2] (& a (! b)) b)", "a U[<=2] b"),
        ("before the goal", "(S (| a b) b)", "a S b"),
        ("before the goal", "(S (& (! b) a) b)", "a S b"),
        ("before the goal", "(R (& a b) b)", "a R b"),
        ("before the goal", "(U a (! a))", "F !a"),
        ("before the goal", "(T a (& (! a) b))", "H (!a & b)"),
        ("ways together", "(& (U a c) (U b c))", "(a & b) U c"),
        ("ways together", "(| (U[1,2] a b) (U[1,2] a c))", "a U[1,2] (b | c)"),
        ("ways together", "(| (T a c) (T b c))", "(a | b) T c"),
        ("ways together", "(& (R a b) (R a c))", "a R (b & c)"),
        ("steps outside", "(U (X a) (X b))", "X (a U b)"),
        ("steps outside", "(S[1,2] (O[2,2] a) (O[2,2] b))", "O[=2] (a S[1,2] b)"),
        ("steps outside", "(R (N a) (N b))", "N (a R b)"),
        ("folding", "(| b (& a (X (U a b))))", "a U b"),
        ("folding", "(& b (| a (N (R a b))))", "a R b"),
        ("folding", "(| c b (& a (Y (S a (| b c)))))", "a S (b | c)"),
        ("folding", "(& (| (Z (T a b)) a) b)", "a T b"),
        ("since the start", "(S a (& a (Z false)))", "H a"),
        ("since the start", "(T a (| (Y true) a))", "O a"),
    ];

    #[test]
    fn whole_formulas() {
        let mut store = Store::default();
        for (before, after) in [
            ("(! (F (! (G (! (O (! a)))))))", "G H a"),
            ("(| (! a) (! b) (! c) (X b))", "a & b & c -> X b"),
            ("(| (! a) (! b) (F b))", "true"),
            ("(G (| (! a) (& b (| b c))))", "G (a -> b)"),
            ("(& (G a) b (G (-> a b)))", "G (a & b)"),
        ] {
            let f = read(&mut store, before);
            let g = simplify(&mut store, f);
            assert_eq!(shall(&store, g), after, "{before}");
            assert_equivalent(&store, f, g);
        }
    }

    #[test]
    fn random_formulas_keep_their_meaning_and_do_not_grow() {
        random_formulas((7, 3_000), ["a", "b", "c"], 4, |store, f| {
            let g = simplify(store, f);
            assert_equivalent(store, f, g);
            assert!(store.tree_size(g) <= store.tree_size(f), "{} grows", shall(store, f));
            assert_eq!(simplify(store, g), g, "{} is not simple yet", shall(store, g));
        });
    }
}
