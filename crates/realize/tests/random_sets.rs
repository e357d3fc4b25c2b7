//! Random sets of requirements, decided by the product and by a brute-force solver that shares nothing with it.
//!
//! A sample runs with the other tests. All of it: `SHALL_SETS=100000 cargo test -p shall-realize --test random_sets`.

#[path = "brute/monitor.rs"]
mod monitor;
#[path = "brute/parity.rs"]
mod parity;
#[path = "common/random.rs"]
mod random;
#[path = "brute/runs.rs"]
mod runs;

use base::Random;
use dashu_ratio::RBig;
use engine::NoSolver;
use monitor::Sentence;
use parity::{Play, system_wins};
use random::Case;
use shall_realize::{Budget, Outcome, Strategy, Unchecked, conflicts, is_redundant, judge, synthesize};
use system::{Expr, Pool, System, Type, Value, Var, evaluate};

impl Case {
    fn brute(&self, guarantees: &[Sentence]) -> Option<bool> {
        let Case { assumptions, any_end, moore, .. } = self;
        system_wins(&Play { guarantees, assumptions, any_end: *any_end, moore: *moore })
    }

    /// Whether each guarantee follows from the others, by brute force.
    fn redundant(&self) -> Option<Vec<bool>> {
        let Case { guarantees, assumptions, any_end, moore } = self;
        let play = Play { guarantees, assumptions, any_end: *any_end, moore: *moore };
        (0..guarantees.len()).map(|it| runs::is_redundant(&play, it)).collect()
    }

    /// The minimal sets of guarantees that are unrealizable, by brute force.
    fn conflicts(&self) -> Option<Vec<Vec<usize>>> {
        let count = self.guarantees.len();
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut sets: Vec<Vec<usize>> =
            (1..1u32 << count).map(|set| (0..count).filter(|it| set >> it & 1 == 1).collect()).collect();
        sets.sort_by_key(|it| (it.len(), it.clone()));
        for set in sets {
            if found.iter().any(|it| it.iter().all(|it| set.contains(it))) {
                continue;
            }
            let chosen: Vec<Sentence> = set.iter().map(|it| self.guarantees[*it]).collect();
            if !self.brute(&chosen)? {
                found.push(set);
            }
        }
        Some(found)
    }
}

/// Verdicts, minimal conflicts, redundant guarantees and certificates.
#[test]
fn verdicts_agree_with_brute_force() {
    let wanted: usize = std::env::var("SHALL_SETS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let first: u64 = std::env::var("SHALL_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let (mut compared, mut won, mut certified) = (0, 0, 0);
    for seed in first.. {
        if compared >= wanted {
            break;
        }
        let case = Case::new(seed);
        let brute = (case.brute(&case.guarantees), case.conflicts(), case.redundant());
        let (Some(expected), Some(conflicting), Some(redundant)) = brute else { continue };
        let game = case.game();
        // Durations are short here, so that steps must be guessed at once to be guessed at all.
        let patience = if seed % 2 == 0 { 1 } else { Budget::DEFAULT.patience };
        let budget = Budget { patience, ..Budget::DEFAULT };
        let judged = judge(&game, case.order(), budget);
        let right = if expected { Outcome::Realizable } else { Outcome::Unrealizable };
        assert_eq!(judged.outcome, right, "seed {seed}");
        match judged.strategy.expect("a decided game has a strategy, or a reason why not") {
            Ok(strategy) => {
                let checked = strategy.check(&NoSolver, &|| false);
                assert_eq!(checked, Ok(()), "seed {seed}");
                if expected {
                    let steady = synthesize(&game, case.order(), budget).strategy;
                    let steady = steady.expect("decided").expect("a strategy");
                    assert_eq!(steady.check(&NoSolver, &|| false), Ok(()), "seed {seed}");
                }
                certified += 1;
            }
            Err(reason) => assert_eq!(reason, Unchecked::Promises, "seed {seed}"),
        }
        let found = conflicts(&game, case.order(), budget);
        assert_eq!(found.gap, None, "seed {seed}");
        let found: Vec<Vec<usize>> = found.list.into_iter().map(|it| it.guarantees).collect();
        assert_eq!(found, conflicting, "seed {seed}");
        let found: Vec<bool> = (0..redundant.len())
            .map(|it| {
                is_redundant(&game, it, Budget::DEFAULT).unwrap_or_else(|gap| panic!("seed {seed}: {gap}"))
            })
            .collect();
        assert_eq!(found, redundant, "seed {seed}");
        compared += 1;
        won += usize::from(expected);
    }
    println!("{compared} sets, {won} realizable, {certified} certified");
    assert!(certified * 10 > compared * 8, "most strategies have a certificate");
}

/// A thousand strategies with one variable replaced in their invariant, their property or their memory, so that they prove nothing any
/// more by brute force: the checker rejects them all.
#[test]
fn corrupted_certificates_are_rejected() {
    let wanted: usize = std::env::var("SHALL_SETS").ok().and_then(|it| it.parse().ok()).unwrap_or(1000);
    let mut random = Random::new(5);
    let (mut rejected, mut undecided, mut harmless) = (0, 0, 0);
    for seed in 1.. {
        if rejected >= wanted {
            break;
        }
        let case = Case::new(seed);
        let Some(Ok(strategy)) = judge(&case.game(), case.order(), Budget::DEFAULT).strategy else {
            continue;
        };
        for _ in 0..8 {
            let Some(corrupted) = corrupted(&strategy, &mut random) else { break };
            if proves(&corrupted) {
                harmless += 1;
                continue;
            }
            match corrupted.check(&NoSolver, &|| false) {
                Err(Unchecked::Rejected) => rejected += 1,
                // A counter that has lost its range needs a solver.
                Err(Unchecked::Undecided(_)) => undecided += 1,
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
    println!("{rejected} are rejected, {undecided} need a solver, {harmless} still prove something");
    assert!(rejected > 10 * undecided);
}

/// The largest number of assignments of values that are listed.
const ASSIGNMENTS: usize = 256;

/// The strategy with a variable replaced in one expression, if its values can be listed.
fn corrupted(strategy: &Strategy, random: &mut Random) -> Option<Strategy> {
    let mut strategy = strategy.clone();
    let Strategy { system, certificate, property, .. } = &mut strategy;
    assignments(system)?;
    // The certificate has a pool of its own that continues that of the system.
    system.pool = certificate.pool.clone();
    let place = random.below(system.state.len() + 2);
    let old = match place {
        0 => certificate.invariant,
        1 => system.properties[*property].value,
        _ => system.state[place - 2].next,
    };
    let used = system.pool.variables([old]);
    let new = if used.is_empty() {
        match system.pool.type_of(old) {
            Type::Bool => system.pool.not(old),
            // Outside every counter's range.
            _ => system.pool.int(7),
        }
    } else {
        let var = used[random.below(used.len())];
        let ty = system.variables[var.index()].ty;
        let all = system.state.iter().map(|it| it.var).chain(system.inputs.iter().copied());
        let same: Vec<Var> = all.filter(|it| system.variables[it.index()].ty == ty).collect();
        let with = match (ty, random.below(4)) {
            (Type::Bool, 0) => Pool::TRUE,
            (Type::Bool, 1) => Pool::FALSE,
            (Type::Bool, 2) => {
                let now = system.expr(var);
                system.pool.not(now)
            }
            (Type::Int, 0) => system.pool.int(0),
            _ => system.expr(same[random.below(same.len())]),
        };
        system.pool.substitute(&[old], &|it| (it == var).then_some(with))[0]
    };
    match place {
        0 => certificate.invariant = new,
        1 => system.properties[*property].value = new,
        _ => system.state[place - 2].next = new,
    }
    certificate.pool = system.pool.clone();
    Some(strategy)
}

/// All values of the state and of the inputs; `None` if there are too many. Counters have the values of their lemmas and one more.
fn assignments(system: &System) -> Option<Vec<Vec<(Var, Value)>>> {
    let mut all: Vec<Vec<(Var, Value)>> = vec![Vec::new()];
    for var in system.state.iter().map(|it| it.var).chain(system.inputs.iter().copied()) {
        let values: Vec<Value> = match system.variables[var.index()].ty {
            Type::Bool => [false, true].map(Value::Bool).to_vec(),
            _ => (0..6).map(|it| Value::Int(it.into())).collect(),
        };
        if all.len() * values.len() > ASSIGNMENTS {
            return None;
        }
        let longer = |it: &Vec<(Var, Value)>| {
            values.iter().map(|value| it.iter().cloned().chain([(var, value.clone())]).collect()).collect()
        };
        all = all.iter().flat_map(|it| -> Vec<Vec<(Var, Value)>> { longer(it) }).collect();
    }
    Some(all)
}

/// Whether the property and the invariant hold at the start and at each step after one at which they hold, on all values that are
/// listed.
fn proves(strategy: &Strategy) -> bool {
    let system = &strategy.system;
    let pool = &system.pool;
    let value = |expr: Expr, now: &[(Var, Value)]| {
        evaluate::<RBig>(pool, expr, |var| {
            now.iter().find(|it| it.0 == var).map_or(Value::Undefined, |it| it.1.clone())
        })
    };
    let holds = |expr: Expr, now: &[(Var, Value)]| value(expr, now) == Value::Bool(true);
    let claims = [strategy.certificate.invariant, system.properties[strategy.property].value];
    let is_good = |now: &[(Var, Value)]| claims.iter().all(|it| holds(*it, now));
    let is_assumed = |now: &[(Var, Value)]| system.assumptions.iter().all(|it| holds(*it, now));
    let inputs = assignments(&System { state: Vec::new(), ..system.clone() }).unwrap_or_default();
    assignments(system).unwrap_or_default().iter().filter(|now| is_assumed(now)).all(|now| {
        let is_initial = system.state.iter().all(|it| {
            let place = now.iter().find(|now| now.0 == it.var);
            it.init.is_none_or(|init| place.is_some_and(|now| value(init, &[]) == now.1))
        });
        if !is_good(now) {
            return !is_initial;
        }
        let next: Vec<(Var, Value)> = system.state.iter().map(|it| (it.var, value(it.next, now))).collect();
        inputs.iter().all(|inputs| {
            let next: Vec<(Var, Value)> = next.iter().chain(inputs).cloned().collect();
            !is_assumed(&next) || is_good(&next)
        })
    })
}
