//! The sizes of the formulas: nodes of the tree in the syntax of NuSMV, for each of the 264 templates with n = 2.

use crate::failure::{OrFail, Result, ensure};
use logic::{SMV, Store, adapt};
use requirement::template::templates;
use requirement::{Ending, future, past};

/// The limits over all templates, and the numbers of nodes in the formulas of FRET 3.1.
const LIMITS: [(&str, u64, u64); 2] = [("past", 5_500, 18_967), ("future", 6_300, 18_394)];

/// Prints the table; fails if a limit is exceeded.
pub(crate) fn run() -> Result {
    let mut totals = [0, 0];
    println!("{:<32} {:>5} {:>7}", "template (n = 2)", "past", "future");
    let mut store = Store::default();
    for requirement in templates(&mut store, 2) {
        let formulas = [past(&mut store, &requirement), future(&mut store, &requirement, Ending::Last)];
        let mut sizes = [0, 0];
        for (index, formula) in formulas.into_iter().enumerate() {
            let formula = formula.or_fail()?;
            let formula = adapt(&mut store, formula, &SMV);
            logic::print(&store, formula, &SMV).or_fail()?;
            sizes[index] = store.tree_size(formula);
            totals[index] += sizes[index];
        }
        println!("{:<32} {:>5} {:>7}", requirement.key().to_string(), sizes[0], sizes[1]);
    }
    println!("{:<32} {:>5} {:>7}", "all", totals[0], totals[1]);
    for ((name, limit, fret), total) in LIMITS.into_iter().zip(totals) {
        println!(
            "{name}: {total} nodes, limit {limit}, FRET {fret} ({:.1} times as many)",
            fret as f64 / total as f64
        );
        ensure(total <= limit, format!("the {name} formulas have {total} nodes, more than {limit}"))?;
    }
    Ok(())
}
