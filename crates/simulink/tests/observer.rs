//! Observers written as blocks and read again say of every run what the observer itself says.

use logic::{Formula, Id, Node, Store};
use requirement::template::templates;
use shall_simulink::attach::Wire;
use shall_simulink::diagram::{Diagram, Port, Sheet, SheetId};
use shall_simulink::lower::{Options, lower};
use shall_simulink::observer::{insert, observer};
use shall_simulink::plan::plan;
use shall_simulink::{Limits, read, write};
use system::{Expr, Origin, System, Type, Value, add_formula, names, simulate};

/// The model of a diagram, by way of its text.
fn again(diagram: &Diagram) -> System {
    let reading = read(write(diagram).as_bytes(), &Limits::default());
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    let plan = plan(&reading.diagram, &[]);
    assert!(plan.problems.is_empty(), "{:?}", plan.problems);
    let system = lower(&plan, None, &Options { locals: false }).expect("it is supported");
    assert_eq!(system.check(), Vec::<String>::new());
    system
}

/// Compares the properties of an observer with the outputs and properties of the model, on one run; gives how many fail.
fn compare(what: &str, own: &System, model: &System, rows: &[Vec<Value>]) -> usize {
    let plain: Vec<Vec<Value>> = rows.iter().map(|row| row.iter().map(number).collect()).collect();
    let (expected, found) = (simulate(own, &[], rows), simulate(model, &[], &plain));
    assert_eq!(expected.steps.len(), found.steps.len());
    let (mut assumed, mut failed) = (true, 0);
    for (expected, found) in expected.steps.iter().zip(&found.steps) {
        assumed &= expected.assumed == Some(true);
        for (place, property) in expected.properties.iter().enumerate() {
            let verdict = property.expect("it has a verdict") || !assumed;
            failed += usize::from(!verdict);
            assert_eq!(found.outputs[place], Value::Bool(verdict), "{what} on {rows:?}");
            assert_eq!(found.properties[place], Some(verdict), "{what} on {rows:?}");
        }
    }
    failed
}

/// A value as the model has it.
fn number(value: &Value) -> Value {
    match value {
        Value::Int(value) => Value::Real(value.clone().into()),
        Value::Enum(place) => Value::Real((*place).into()),
        other => other.clone(),
    }
}

#[test]
fn every_template_says_the_same_as_blocks() {
    let mut store = Store::default();
    let (mut rng, mut failed) = (base::Random::new(7), 0);
    for requirement in templates(&mut store, 2) {
        let mut own = System::default();
        let roots: Vec<Id> = requirement.expressions().map(Formula::id).collect();
        for id in store.reachable(roots) {
            if let Node::Var(symbol) = store.node(id) {
                own.add_input(store.name(*symbol), Type::Bool);
            }
        }
        let known = names(&mut own);
        let formula =
            requirement::past(&mut store, &requirement).expect("templates have formulas of the past");
        let verdict = add_formula(&mut own, &mut store, formula, &|name| known.get(name).copied());
        own.add_property("R/1", Origin::Unknown, verdict.expect("templates have monitors"));
        let model = again(&observer(&own, "watch", 0.1).expect("templates are blocks"));
        for _ in 0..12 {
            let rows: Vec<Vec<Value>> = (0..8)
                .map(|_| {
                    let bits = rng.bits();
                    (0..own.inputs.len()).map(|bit| Value::Bool(bits >> (40 + 3 * bit) & 1 == 1)).collect()
                })
                .collect();
            failed += compare(&requirement.key().to_string(), &own, &model, &rows);
        }
    }
    assert!(failed > 1000, "{failed} verdicts are no");
}

/// Numbers of all kinds, an enumeration, memory and an assumption.
fn numbers() -> System {
    let mut system = System::default();
    let colour = system.pool.declare_enum("colour", &["red", "green", "blue"]);
    let [x, n, on, c] = [("x", Type::Real), ("n", Type::Int), ("on", Type::Bool), ("c", Type::Enum(colour))]
        .map(|(name, ty)| {
            let var = system.add_input(name, ty);
            system.expr(var)
        });
    let third = "1/3".parse::<dashu_ratio::RBig>().expect("a number");
    let start = system.pool.real("1/4".parse::<dashu_ratio::RBig>().expect("a number"));
    let last = system.add_state("last", Type::Real, Some(start));
    let last_now = system.expr(last);
    let pool = &mut system.pool;
    let third = pool.real(third);
    let scaled = pool.mul(x, third);
    let chosen = pool.ite(on, scaled, last_now);
    let minus_three = pool.int(-3);
    let (div, rest) = (pool.int_div(n, minus_three), pool.modulo(n, minus_three));
    let real_n = pool.cast(Type::Real, n);
    let floor = pool.cast(Type::Int, x);
    let (zero, two) = (pool.int(0), pool.int(2));
    let blue = pool.literal(colour, 2);
    let assumed = pool.le(n, floor);
    let first = pool.le(real_n, chosen);
    let sum = pool.add(div, rest);
    let second = pool.lt(sum, two);
    let is_blue = pool.eq(c, blue);
    let positive = pool.ge(rest, zero);
    let third: Expr = pool.ite(is_blue, positive, on);
    system.set_next(last, chosen);
    system.assumptions.push(assumed);
    for (name, value) in [("first", first), ("second", second), ("third one", third)] {
        system.add_property(name, Origin::Unknown, value);
    }
    assert_eq!(system.check(), Vec::<String>::new());
    system
}

#[test]
fn numbers_and_assumptions_are_kept() {
    let own = numbers();
    let model = again(&observer(&own, "watch", 0.1).expect("all of it are blocks"));
    let mut failed = 0;
    for code in 0..400i64 {
        let row = |step: i64| {
            let it = code * 31 + step * 17;
            let x = dashu_ratio::RBig::from(it % 23 - 6) / dashu_ratio::RBig::from(2);
            let on = Value::Bool(it % 5 > 1);
            vec![Value::Real(x), Value::Int((it % 13 - 9).into()), on, Value::Enum((it % 3) as u32)]
        };
        failed += compare("numbers", &own, &model, &(0..4).map(row).collect::<Vec<_>>());
    }
    assert!(failed > 100, "{failed} verdicts are no");
}

#[test]
fn an_observer_in_a_model_sees_inner_signals() {
    let mut inner = Sheet::default();
    let x = inner.add("Inport", "x", &[("Port", "1")]);
    let twice = inner.add("Gain", "twice", &[("Gain", "2")]);
    let y = inner.add("Outport", "y", &[("Port", "1")]);
    inner.connect((x, 1), (twice, Port::Data(1)));
    inner.connect((twice, 1), (y, Port::Data(1)));
    let mut root = Sheet::default();
    let a = root.add("Inport", "a", &[("Port", "1")]);
    let sub = root.add("SubSystem", "sub", &[]);
    let b = root.add("Outport", "b", &[("Port", "1")]);
    root.connect((a, 1), (sub, Port::Data(1)));
    root.connect((sub, 1), (b, Port::Data(1)));
    root.blocks[sub as usize].inside = Some(SheetId(1));
    inner.owner = Some(shall_simulink::diagram::BlockId { sheet: SheetId(0), number: sub });
    let mut diagram = Diagram { name: "m".into(), sheets: vec![root, inner], ..Diagram::default() };
    let mut watch = System::default();
    let [low, mid, high] = ["low", "mid", "high"].map(|name| {
        let var = watch.add_input(name, Type::Real);
        watch.expr(var)
    });
    let (up, same) = (watch.pool.le(low, mid), watch.pool.eq(mid, high));
    watch.add_property("up", Origin::Unknown, up);
    watch.add_property("same", Origin::Unknown, same);
    let wire =
        |variable: &str, path: &str| Wire { variable: variable.into(), path: path.into(), index: None };
    let wires = [wire("low", "m/a"), wire("mid", "sub/twice"), wire("high", "b")];
    let error = insert(&mut diagram.clone(), &watch, 0.1, &wires[..2]).expect_err("one is missing");
    assert_eq!(error.to_string(), "`high` is not a signal of the model");
    assert_eq!(insert(&mut diagram, &watch, 0.1, &wires), Ok("m/Observer".to_owned()));
    let model = again(&diagram);
    let run = simulate::<dashu_ratio::RBig>(
        &model,
        &[],
        &[vec![Value::Real(3.into())], vec![Value::Real((-1).into())]],
    );
    let verdicts: Vec<&[Option<bool>]> = run.steps.iter().map(|step| step.properties.as_slice()).collect();
    assert_eq!(verdicts, [[Some(true), Some(true)], [Some(false), Some(true)]]);
}

#[test]
fn what_has_no_block_is_named() {
    let mut system = System::default();
    let x = system.add_input("x", Type::Real);
    let x = system.expr(x);
    let free = system.add_state("free", Type::Bool, None);
    let free = system.expr(free);
    let id = system.pool.declare_function(system::Signature {
        name: "f".into(),
        parameters: vec![Type::Real],
        result: Type::Bool,
    });
    let call = system.pool.apply(system::Function::Declared(id), &[x]);
    system.add_property("p", Origin::Unknown, free);
    let error = observer(&system, "m", 1.0).expect_err("it starts anywhere");
    assert_eq!(error.to_string(), "blocks cannot express the first value of `free`");
    system.state.clear();
    system.properties.clear();
    system.add_property("p", Origin::Unknown, call);
    let error = observer(&system, "m", 1.0).expect_err("nothing is known of it");
    assert_eq!(error.to_string(), "blocks cannot express the function `f`");
}
