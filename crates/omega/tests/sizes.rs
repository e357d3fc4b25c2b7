//! The automata are small: states and edges of some formulas of the benchmark.

use logic::Store;
use requirement::{Context, lower_formula};
use shall_omega::{Limits, translate};

#[test]
fn states_and_edges() {
    for (text, states, edges) in [
        ("true", 1, 1),
        ("false", 1, 0),
        ("G a", 1, 1),
        ("F a", 2, 3),
        ("G F a", 2, 4),
        ("F G a", 2, 3),
        ("G (a -> F b)", 2, 4),
        ("G (a -> X b)", 2, 4),
        ("(!a U b) | G !a", 2, 3),
        ("G F a -> G F b", 4, 8),
        ("G(req -> (X(grant) | X(X(grant)) | X(X(X(grant)))))", 4, 10),
        ("G(cancel -> X(!grant U go))", 3, 8),
        ("!(G((req)->F(ack)) & G((go)->F(grant)))", 3, 5),
        ("G(!grant) | (G((req)->F(ack)) | G((go)->F(grant)))", 6, 14),
        ("(G(r1)->F(a1)) & (G(!r1)->F(!a1))", 4, 8),
        ("(G(F(r0)) -> G(F(g0))) & (G(F(r1)) -> G(F(g1))) & G(!(g0 & g1))", 9, 20),
        (
            "(G(F(req))) -> ((G(!grant -> (!grant U req)))&(((!grant))&((G(req -> F(grant)))&(G(F(grant))))))",
            6,
            15,
        ),
        (
            "(G( cancel -> X(go) )) -> (G( req -> (X(grant) | X(X(grant)) | X(X(X(grant))))) & G( grant -> X(!grant)) \
             & G( cancel -> X(!grant U go)))",
            10,
            28,
        ),
    ] {
        let mut store = Store::default();
        let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
        let formula = formula.expect("a formula");
        let buchi = translate(&store, formula, Limits::default()).expect("within the limits");
        assert!(
            buchi.size() <= (states, edges),
            "{text}: {:?} instead of {:?}",
            buchi.size(),
            (states, edges)
        );
    }
}
