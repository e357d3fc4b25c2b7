//! Inputs that assumptions define: found in any order, left out of slices, computed in runs.

use shall_system::{Origin, Pool, System, Type, Value, complete, simulate};

/// A clock `n = 0 -> pre n + 1` as an assumption, and `m = n` as another one.
fn clock() -> System {
    let mut system = System::default();
    let [n, m, b] =
        [("n", Type::Int), ("m", Type::Int), ("b", Type::Bool)].map(|(name, ty)| system.add_input(name, ty));
    let (yes, zero, one) = (Pool::TRUE, system.pool.int(0), system.pool.int(1));
    let first = system.add_state("first", Type::Bool, Some(yes));
    system.set_next(first, Pool::FALSE);
    let before = system.add_state("before", Type::Int, None);
    let [n, m, b, first, last] = [n, m, b, first, before].map(|var| system.expr(var));
    system.set_next(before, n);
    let pool = &mut system.pool;
    let more = pool.add(last, one);
    let value = pool.ite(first, zero, more);
    let (clock, copy) = (pool.eq(n, value), pool.eq(m, n));
    let late = pool.lt(m, one);
    system.assumptions.extend([clock, copy]);
    system.add_property("plain", Origin::Unknown, b);
    system.add_property("early", Origin::Unknown, late);
    system
}

#[test]
fn definitions_go_with_what_they_define() {
    let system = clock();
    let defined: Vec<&str> =
        system.definitions().iter().map(|it| system.variables[it.input.index()].name.as_str()).collect();
    assert_eq!(defined, ["n", "m"]);
    assert_eq!(system.slice(&[1]).assumptions.len(), 2);
    let slice = system.slice(&[0]);
    assert_eq!((slice.inputs.len(), slice.state.len(), slice.assumptions.len()), (1, 0, 0));
    // Any order will do, but no circle.
    let mut other = clock();
    let [n, m] = ["n", "m"].map(|name| other.named(name).expect("an input"));
    let one = other.pool.int(1);
    let [behind_n, behind_m] = [n, m].map(|it| other.pool.add(it, one));
    let (forward, back) = (other.pool.eq(m, behind_n), other.pool.eq(n, behind_m));
    let places = |it: &System| it.definitions().iter().map(|it| it.assumption).collect::<Vec<_>>();
    other.assumptions = vec![forward, other.assumptions[0]];
    assert_eq!(places(&other), [1, 0]);
    other.assumptions[1] = back;
    assert_eq!(places(&other), [0]);
}

#[test]
fn defined_inputs_are_computed() {
    let system = clock();
    let row = vec![Value::Undefined, Value::Int(7.into()), Value::Bool(true)];
    let rows: Vec<Vec<Value>> = complete(&system, &[], &[row.clone(), row.clone(), row]);
    for input in 0..2 {
        let column: Vec<&Value> = rows.iter().map(|it| &it[input]).collect();
        assert_eq!(column, [&Value::Int(0.into()), &Value::Int(1.into()), &Value::Int(2.into())]);
    }
    assert!(simulate(&system, &[], &rows).steps.iter().all(|it| it.assumed == Some(true)));
}
