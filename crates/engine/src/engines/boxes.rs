//! Nonlinear properties by bounds alone: whether the property follows from the assumptions at each step by itself, or after one step,
//! shown by branch and bound over the values of the variables; and violations at the first step, where bounds point.

use crate::engines::task::{Found, Task};
use crate::evidence::certificate::check;
use crate::evidence::replay::confirm;
use crate::solver::boxes::{Searched, is_hard, search};
use crate::solver::session::NoSolver;
use crate::verdict::{Proof, Why};
use system::{Expr, System, Var};

/// Decides the property if bounds do; `None` if they do not.
pub(crate) fn boxes(task: Task<'_>) -> Result<Option<Found>, Why> {
    let system = task.system;
    let values = system.properties.iter().map(|it| it.value).chain(system.state.iter().map(|it| it.next));
    let all: Vec<Expr> = values.chain(system.assumptions.iter().copied()).collect();
    if !is_hard(&system.pool, &all) {
        return Ok(None);
    }
    match search(&first_step(task), task.stop) {
        Searched::Unknown => Ok(None),
        Searched::Maybe(place) => {
            let known = |var: Var, _: u32| place.iter().find(|it| it.0 == var).map(|it| it.1.clone());
            Ok(confirm(task.whole, task.property, 1, &known).map(Found::Invalid))
        }
        Searched::Impossible => {
            task.shared.deepen(1);
            let proof = Proof::Induction { k: 1, distinct: false };
            let certificate = task.certificate(&task.system.pool, &task.shared.invariants(0), proof);
            let proved = check(task.whole, task.property, &certificate, &NoSolver, task.stop) == Ok(true);
            Ok(proved.then_some(Found::Valid(certificate)))
        }
    }
}

/// The violations at the first step, as the assumptions of a system without states.
fn first_step(task: Task<'_>) -> System {
    let mut system = task.system.clone();
    let denied = system.pool.not(task.good());
    let conditions: Vec<Expr> =
        system.assumptions.iter().chain(&system.initial).copied().chain([denied]).collect();
    let init = |var: Var| task.system.state.iter().find(|it| it.var == var).and_then(|it| it.init);
    let assumptions = system.pool.substitute(&conditions, &init);
    System { pool: system.pool, variables: system.variables, assumptions, ..System::default() }
}
