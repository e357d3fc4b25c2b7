//! Shows automata.
use logic::Store;
use omega::{Limits, translate};
use requirement::{Context, lower_formula};
fn main() {
    for text in std::env::args().skip(1) {
        let mut store = Store::default();
        let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(&text), &Context::default());
        let buchi = translate(&store, formula.unwrap(), Limits::default()).unwrap();
        println!("{text}: {} states, initial {}", buchi.steps.len(), buchi.initial);
        for (s, steps) in buchi.steps.iter().enumerate() {
            println!("{s} {}", if buchi.accepting[s] { "acc" } else { "" });
            for step in steps {
                let mut g = buchi.guards.clone();
                let _ = &mut g;
                println!("   -> {}  {}", step.target, cubes(&buchi, step.guard));
            }
        }
        fn cubes(b: &omega::Buchi, g: omega::Guard) -> String {
            let n = b.atoms.len();
            let mut out = String::new();
            for k in 0..1 << n {
                let v: Vec<bool> = (0..n).map(|i| k >> i & 1 == 1).collect();
                if b.guards.value(g, &v) {
                    out += &v.iter().map(|&x| if x { '1' } else { '0' }).collect::<String>();
                    out.push(' ');
                }
            }
            out
        }
    }
}
