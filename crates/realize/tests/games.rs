//! Small sets of requirements with known verdicts: arithmetic, components, long durations, questions, repairs.

#[path = "common/text.rs"]
mod text;

use engine::NoSolver;
use requirement::Reading;
use shall_realize::{
    Budget, Change, Conflicting, Freedom, Game, Member, Order, Outcome, Position, Repair, Trigger, Unchecked,
    conflicts, decide, is_redundant, judge, ladder, repairs, synthesize,
};
use system::Value;
use text::Text;

fn check(text: &str, expected: &Outcome) {
    let set = Text::read(text).set(Reading::Endless);
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), *expected, "{text}");
}

fn realizable(text: &str) {
    check(text, &Outcome::Realizable);
}

fn unrealizable(text: &str) {
    check(text, &Outcome::Unrealizable);
}

#[test]
fn numbers_of_one_step() {
    // Between two numbers there is a real number, and not always an integer.
    realizable(
        "in a b: real\nout x: real\nassume the env shall always satisfy a < b\nthe sw shall always satisfy a < x & x < b",
    );
    unrealizable(
        "in a b: int\nout x: int\nassume the env shall always satisfy a < b\nthe sw shall always satisfy a < x & x < b",
    );
    realizable(
        "in a b: int\nout x: int\nassume the env shall always satisfy a < b - 1\nthe sw shall always satisfy a < x & x < b",
    );
    unrealizable("in a b: real\nout x: real\nthe sw shall always satisfy a < x & x < b");
    realizable("in a: real\nout x: real\nthe sw shall always satisfy 2 * x = a");
    realizable("in a b: real\nout x y: real\nthe sw shall always satisfy x + y = a & x - y = b");
    unrealizable("in a: real 0..10\nout x: real 0..5\nthe sw shall always satisfy x = a");
    realizable("in a: real 0..5\nout x: real 0..5\nthe sw shall always satisfy x = a");
    unrealizable(
        "in n: int\nout p: bool\nwhen n = 3 the sw shall immediately satisfy p\nwhen n > 2 the sw shall immediately satisfy !p",
    );
    realizable(
        "in n: int\nout p: bool\nwhenever n = 3 the sw shall immediately satisfy p\nwhenever n > 3 the sw shall immediately satisfy !p",
    );
}

#[test]
fn numbers_in_memory() {
    realizable("in a: bool\nout x: real\nthe sw shall always satisfy x > preReal(0, x)");
    unrealizable("in a: real\nout x: real 0..10\nthe sw shall always satisfy x > preReal(0, x) + 1");
    unrealizable(
        "in a: real\nout x: real\nthe sw shall always satisfy x = a\nthe sw shall always satisfy x >= preReal(0, x)",
    );
    realizable("in a: int\nout x: int\nthe sw shall always satisfy x >= preInt(0, x) & x >= a");
}

#[test]
fn enumerations() {
    realizable(
        "in p: bool\nout s: enum(idle, run, stop)\nwhenever p the sw shall immediately satisfy s = run\nwhenever !p the sw shall immediately satisfy s != run",
    );
    unrealizable(
        "in p: bool\nout s: enum(idle, run, stop)\nwhenever p the sw shall immediately satisfy s = run\nthe sw shall always satisfy s != run",
    );
}

#[test]
fn products_are_three_valued() {
    let text = "in a b: real\nout p: bool\n";
    realizable(&format!("{text}whenever a * b > 3 the sw shall immediately satisfy p"));
    unrealizable(&format!(
        "{text}whenever a * b > 3 the sw shall always satisfy p & !p\nthe sw shall always satisfy p & !p"
    ));
    // A factor that is constant makes a product linear: here the environment chooses 1, there the system chooses 0.
    unrealizable(&format!("{text}whenever a * b > 3 the sw shall immediately satisfy p & !p"));
    realizable("in a: real\nout x y: real\nthe sw shall always satisfy x * y < 1 & y > a");
    // What depends on outputs is not known before they are chosen: neither 0 nor 1 works here.
    let late = "out x y: real\nthe sw shall always satisfy x * y > 1 <=> x = 0
        the sw shall always satisfy y = 5 & (x = 0 | x = 1)";
    assert!(matches!(
        decide(&Text::read(late).set(Reading::Endless).game, Order::Mealy, Budget::DEFAULT),
        Outcome::Unknown(_)
    ));
    // What depends on inputs alone is seen, so the controller can be written down.
    let early = format!("{text}the sw shall always satisfy a * b > 3 <=> p");
    let judged = judge(&Text::read(&early).set(Reading::Endless).game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Realizable);
    assert_eq!(judged.strategy.expect("decided").expect("a strategy").check(&NoSolver, &|| false), Ok(()));
    // A square is never negative, but that is not seen.
    let open = format!("{text}whenever a * a < 0 the sw shall immediately satisfy p & !p");
    assert!(matches!(
        decide(&Text::read(&open).set(Reading::Endless).game, Order::Mealy, Budget::DEFAULT),
        Outcome::Unknown(_)
    ));
}

#[test]
fn long_durations_do_not_cost() {
    realizable("in p: bool\nout q: bool\nwhen p the sw shall within 3600 ticks satisfy q");
    unrealizable("in p: bool\nout q: bool\nwhen p the sw shall after 600 ticks satisfy q");
    realizable("in p: bool\nout q: bool\nthe sw shall after 600 ticks satisfy q");
    unrealizable("in p q: bool\nout r: bool\nwhen p the sw shall within 500 ticks satisfy q & r");
    // Hours of them. The certificate has a counter for a rank, and the built-in solver checks it.
    for (sentence, expected) in [
        ("when p the sw shall after 36000 ticks satisfy q", Outcome::Unrealizable),
        ("in p the sw shall after 36000 ticks satisfy q", Outcome::Realizable),
        ("the sw shall after 36000 ticks satisfy q", Outcome::Realizable),
        ("when p the sw shall for 36000 ticks satisfy q & p", Outcome::Unrealizable),
        ("when p the sw shall within 36000 ticks satisfy q", Outcome::Realizable),
    ] {
        let set = Text::read(&format!("in p: bool\nout q: bool\n{sentence}")).set(Reading::Endless);
        for component in set.game.components() {
            let judged = judge(&set.game.part(&component.guarantees), Order::Mealy, Budget::DEFAULT);
            assert_eq!(judged.outcome, expected, "{sentence}");
            let strategy = judged.strategy.expect("decided").expect("a strategy");
            assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()), "{sentence}");
        }
    }
}

/// What a contract demands of an output at the same step is kept by the implementation, so it cannot win by breaking it.
#[test]
fn conditions_of_outputs() {
    use system::{Origin, System, Type};
    for (bound, expected) in [(1, Outcome::Unrealizable), (2, Outcome::Realizable)] {
        let mut system = System::default();
        let [input, output] = ["input", "output"].map(|it| system.add_input(it, Type::Int));
        let [input, output] = [input, output].map(|it| system.expr(it));
        let [zero, top, two] = [0, bound, 2].map(|it| system.pool.int(it));
        let domain = [system.pool.le(zero, output), system.pool.le(output, top)];
        system.assumptions.extend(domain);
        let triggered = system.pool.eq(input, two);
        let answered = system.pool.eq(output, two);
        let good = system.pool.implies(triggered, answered);
        system.add_property("answered", Origin::Unknown, good);
        let game = Game::of_system(system, |name| name == "output");
        assert_eq!(decide(&game, Order::Mealy, Budget::DEFAULT), expected);
    }
}

/// Conjunctions are taken apart: with forty outputs, one diagram of the whole would be too large. The controllers are put together.
#[test]
fn independent_parts_of_guarantees() {
    let names = |like: &str| (0..40).map(|it| format!("{like}{it}")).collect::<Vec<_>>();
    let (inputs, outputs) = (names("i"), names("o"));
    let pairs = |link: &str, step: usize| {
        let pair = |it: usize| format!("(i{} {link} o{it})", it * step % 40);
        (0..40).map(pair).collect::<Vec<_>>().join(" & ")
    };
    let text = format!(
        "in {}: bool\nout {}: bool\nthe sw shall always satisfy {}\nthe sw shall eventually satisfy o0 & o39",
        inputs.join(" "),
        outputs.join(" "),
        pairs("=>", 7)
    );
    let set = Text::read(&text).set(Reading::Endless);
    let judged = judge(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Realizable);
    assert_eq!(judged.strategy.expect("decided").expect("a strategy").check(&NoSolver, &|| false), Ok(()));
    let lost = format!("{text}\nthe sw shall always satisfy !o39 & {}", pairs("|", 3));
    let set = Text::read(&lost).set(Reading::Endless);
    let judged = judge(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Unrealizable);
    assert_eq!(judged.strategy.expect("decided").expect("a strategy").check(&NoSolver, &|| false), Ok(()));
    let found = conflicts(&set.game, Order::Mealy, Budget::DEFAULT);
    let found: Vec<Vec<usize>> = found.list.into_iter().map(|it| it.guarantees).collect();
    assert_eq!(found, [[2]], "`!o39 & (i37 | o39)` alone is too much");
}

/// A split by pairs of requirements would judge {3, 4} apart from {1, 2}; all five hang together.
#[test]
fn requirements_that_hang_together_are_one_component() {
    let text = "out o1 o2 o3 o4: bool
        the sw shall always satisfy o1
        the sw shall always satisfy o2
        the sw shall always satisfy o3 = o4
        the sw shall always satisfy o1 => o3
        the sw shall always satisfy o2 => !o4";
    let set = Text::read(text).set(Reading::Endless);
    assert_eq!(set.game.components().len(), 1);
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), Outcome::Unrealizable);
    let found = conflicts(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(found.list.len(), 1);
    assert_eq!(found.list[0].guarantees, [0, 1, 2, 3, 4]);
    let apart =
        "in p: bool\nout a b: bool\nthe sw shall always satisfy a\nthe sw shall always satisfy p => b";
    assert_eq!(Text::read(apart).set(Reading::Endless).game.components().len(), 2);
}

/// More guarantees than one game with selectors has: sets of them are decided one by one.
#[test]
fn conflicts_of_many_guarantees() {
    let names: Vec<String> = (0..70).map(|it| format!("o{it}")).collect();
    let linked: Vec<String> =
        (0..69).map(|it| format!("the sw shall always satisfy o{it} => o{}", it + 1)).collect();
    let text = format!("in p: bool\nout {}: bool\n{}\n", names.join(" "), linked.join("\n"));
    let text = format!("{text}the sw shall always satisfy p => o67\nthe sw shall always satisfy !o69\n");
    let text = format!("{text}the sw shall always satisfy p => o69");
    let set = Text::read(&text).set(Reading::Endless);
    let found = conflicts(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(found.gap, None);
    let found: Vec<Vec<usize>> = found.list.into_iter().map(|it| it.guarantees).collect();
    assert_eq!(found, [vec![70, 71], vec![67, 68, 69, 70]]);
}

#[test]
fn readings_differ_in_what_must_happen_eventually() {
    let text = "in p: bool\nout q: bool\nwhen p the sw shall eventually satisfy q\nwhenever p the sw shall immediately satisfy !q";
    let set = Text::read(text).set(Reading::Endless);
    // The condition may stay true for ever.
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), Outcome::Unrealizable);
    let fair = format!("{text}\nassume the env shall always satisfy preBool(false, p) => !p");
    realizable(&fair);
    let set = Text::read(&fair).set(Reading::AnyEnd);
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), Outcome::Unrealizable);
}

#[test]
fn questions() {
    let text = "in p: bool\nout q r: bool
        whenever p the sw shall immediately satisfy q
        whenever p the sw shall immediately satisfy q | r
        whenever r the sw shall immediately satisfy !q
        whenever q & !q the sw shall immediately satisfy r";
    let set = Text::read(text).set(Reading::Endless);
    let found = ladder(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(found.redundant, [false, true, false, true].map(Ok));
    let triggers = [Trigger::Forced, Trigger::Forced, Trigger::NeedsSystem, Trigger::Impossible];
    assert_eq!(found.triggers, triggers.map(Ok));
    assert_eq!((found.consistent, found.free_of_dead_ends), (Ok(true), Ok(true)));
    // A careless system sets `r` and is stuck one step later.
    let text = "in p: bool\nout q r: bool
        the sw shall always satisfy preBool(false, r) => q
        the sw shall always satisfy preBool(false, r) => !q";
    let set = Text::read(text).set(Reading::Endless);
    let found = ladder(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!((found.consistent, found.free_of_dead_ends), (Ok(true), Ok(false)));
    // The environment cannot keep this for ever.
    let text = "in p: bool\nout q: bool
        assume the env shall always satisfy p & (preBool(false, p) => !p)
        the sw shall always satisfy q & !q";
    let set = Text::read(text).set(Reading::Endless);
    let found = ladder(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!((found.assumptions_possible, found.well_separated), (Ok(false), Ok(false)));
    // The environment must not choose `p` twice, and is stuck if the system sets `q` after it has; it need not choose `p` at all.
    let text = "in p: bool\nout q: bool
        assume the env shall always satisfy preBool(false, p & q) => p & !p
        the sw shall always satisfy q | !q";
    let set = Text::read(text).set(Reading::Endless);
    let found = ladder(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!((found.assumptions_possible, found.well_separated), (Ok(true), Ok(false)));
}

#[test]
fn repairs_were_tried() {
    let text = "in p: bool\nout q: bool
        the sw shall within 6 ticks satisfy q
        the sw shall for 11 ticks satisfy !q";
    let found = found_repairs(text, &[0, 1]);
    assert!(found.contains(&Repair::Duration { member: 0, from: 6, to: 12, whole: true }), "{found:?}");
    assert!(found.contains(&Repair::Duration { member: 1, from: 11, to: 5, whole: true }), "{found:?}");
    assert!([0, 1].iter().all(|it| found.contains(&Repair::Drop { member: *it, whole: true })));
}

/// A requirement can be exempted while another one is due: by its condition or, if it has none, by its response. What would leave
/// nothing of a requirement is not a repair, nor is an assumption under which nothing is triggered.
#[test]
fn exemptions_leave_something() {
    let exemption = |member, other, change| Repair::Exemption { member, other, change, whole: true };
    let both = [0, 1].map(|member| Repair::Drop { member, whole: true });
    for (text, expected) in [
        (
            "in p r: bool\nout q: bool
            when p the sw shall immediately satisfy q
            whenever r the sw shall immediately satisfy !q",
            vec![
                Repair::Assumption {
                    inputs: vec![("p".into(), "true".into()), ("r".into(), "true".into())],
                    whole: true,
                },
                exemption(0, 1, Change::Condition),
                exemption(1, 0, Change::Condition),
            ],
        ),
        (
            "in p: bool\nout q: bool
            the sw shall always satisfy q
            whenever p the sw shall immediately satisfy !q",
            vec![exemption(0, 1, Change::Response)],
        ),
        (
            "in p r: bool\nout q: bool
            whenever p & r the sw shall immediately satisfy q
            whenever p & r the sw shall immediately satisfy !q",
            vec![],
        ),
    ] {
        let found = found_repairs(text, &[0, 1]);
        let expected: Vec<Repair> = expected.into_iter().chain(both.clone()).collect();
        assert_eq!(found, expected, "{text}");
    }
}

/// Where dropping a requirement leaves other conflicts, it removes at least this one.
#[test]
fn a_drop_for_one_conflict_of_several() {
    let text = "in p: real\nout q r: real
        the sw shall always satisfy q = r
        the sw shall always satisfy q = r + p
        the sw shall always satisfy q >= p & q < p - 1";
    let found = repairs_within(text, &[0, 1, 2], &[0, 1]);
    assert_eq!(found, [0, 1].map(|member| Repair::Drop { member, whole: false }));
}

/// The repairs of requirements that are all in conflict.
fn found_repairs(text: &str, conflict: &[usize]) -> Vec<Repair> {
    repairs_within(text, conflict, conflict)
}

/// The repairs of a conflict in a group.
fn repairs_within(text: &str, group: &[usize], conflict: &[usize]) -> Vec<Repair> {
    let mut text = Text::read(text);
    let set = text.set(Reading::Endless);
    let judged = judge(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Unrealizable);
    let (variables, requirements) = (text.variables.clone(), text.requirements.clone());
    let members: Vec<Member> = requirements
        .iter()
        .map(|(requirement, assumption)| Member { id: "R", requirement, assumption: *assumption })
        .collect();
    let conflicting = Conflicting {
        variables: &variables,
        members: &members,
        group,
        conflict,
        reading: Reading::Endless,
        order: Order::Mealy,
    };
    repairs(&mut text.store, conflicting, judged.play.as_ref(), Budget::DEFAULT)
}

/// Outputs that can always answer are taken out of a game and come back in its controller.
#[test]
fn outputs_that_always_have_an_answer() {
    let text =
        "in a b c: int\nin off: bool\nout trip_a trip_b trip_c two shown alarm: bool\nout level: int 1..3
        whenever a > 5 the sw shall immediately satisfy trip_a
        whenever b > 5 the sw shall immediately satisfy trip_b
        whenever c > 5 the sw shall immediately satisfy trip_c
        the sw shall always satisfy two <=> (trip_a & trip_b | trip_b & trip_c | trip_a & trip_c)
        the sw shall always satisfy shown <=> two
        the sw shall always satisfy two => alarm
        the sw shall always satisfy (level = 2) <=> alarm
        when off the sw shall at the next timepoint satisfy trip_a <=> trip_b";
    let set = Text::read(text).set(Reading::Endless);
    for order in [Order::Mealy, Order::Moore] {
        let judged = judge(&set.game, order, Budget::DEFAULT);
        assert_eq!(judged.outcome, Outcome::Realizable);
        let strategy = judged.strategy.expect("decided").expect("a strategy");
        assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()));
    }
    let found = ladder(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!((found.consistent, found.free_of_dead_ends), (Ok(true), Ok(true)));
    let forced = |it: &Result<Trigger, _>| *it == Ok(Trigger::Forced);
    assert!(found.triggers.iter().all(forced), "{:?}", found.triggers);
    assert!(found.redundant.iter().all(|it| *it == Ok(false)), "{:?}", found.redundant);
    // One more requirement makes a conflict with one of them, and one follows from others.
    let more = format!(
        "{text}\nwhenever off the sw shall immediately satisfy !trip_a\nthe sw shall always satisfy shown => alarm"
    );
    let set = Text::read(&more).set(Reading::Endless);
    let found = conflicts(&set.game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(
        found.list.iter().map(|it| it.guarantees.clone()).collect::<Vec<_>>(),
        [vec![0, 8], vec![1, 7, 8]]
    );
    assert_eq!(is_redundant(&set.game, 9, Budget::DEFAULT), Ok(true));
    assert_eq!(is_redundant(&set.game, 5, Budget::DEFAULT), Ok(true));
    assert_eq!(is_redundant(&set.game, 4, Budget::DEFAULT), Ok(false));
}

/// Whoever follows the suggestions reaches each of several goals again and again.
#[test]
fn suggestions_take_turns() {
    for text in [
        "in p: bool\nout q: bool\nwhenever p the sw shall eventually satisfy q\nwhenever p the sw shall eventually satisfy !q",
        "in p: bool\nout n: int 0..3
        the sw shall always satisfy n <= preInt(0, n) + 1 & n >= preInt(0, n) - 1
        whenever p the sw shall eventually satisfy n = 0
        whenever p the sw shall eventually satisfy n = 3
        whenever p the sw shall eventually satisfy n = 2",
    ] {
        let set = Text::read(text).set(Reading::Endless);
        let mut position = Position::start(&set.game);
        let input = set.game.system.inputs.iter().find(|it| !set.game.is_output(**it)).expect("p");
        let goals: Vec<_> = set.game.guarantees.iter().filter(|it| it.live.is_some()).collect();
        let mut waiting = vec![0; goals.len()];
        for _ in 0..40 {
            let fixed = [(*input, system::Value::Bool(true))];
            let step = position.suggestion(&fixed, Order::Mealy, Budget::DEFAULT).expect("a move");
            assert!(position.violated(&step).is_empty() && position.is_allowed(&step), "{text}");
            let awaited = position.demands(&step);
            for (place, waited) in waiting.iter_mut().enumerate() {
                let guarantee = set.game.guarantees.len() - goals.len() + place;
                let owed = awaited.iter().any(|it| it.guarantee == guarantee && it.awaited.is_some());
                *waited = if owed { *waited + 1 } else { 0 };
                assert!(*waited < 12, "{text}");
            }
            position = position.after(&step);
        }
    }
}

/// Three bits have more values than an enumeration of five has literals.
#[test]
fn what_is_left_is_about_literals() {
    for (sentence, expected) in [
        ("e = e1 | e = e3", "e = e1 or e3"),
        ("!(e = e4)", "e = e0 or e1 or e2 or e3"),
        ("(e = e0 | e = e1) => q", "e = e4 or e = e2 or e3 or (e = e0 or e1) & q"),
        ("!(e = e3 | e = e4) => q", "e = e4 or e = e3 or e = e2 & q or (e = e0 or e1) & q"),
    ] {
        let text = format!(
            "in p: bool\nout e: enum(e0, e1, e2, e3, e4)\nout q: bool
            the sw shall always satisfy {sentence}
            whenever p the sw shall immediately satisfy !({sentence})"
        );
        let set = Text::read(&text).set(Reading::Endless);
        let play = judge(&set.game, Order::Mealy, Budget::DEFAULT).play.expect("a play");
        assert_eq!(play.demands[0].1, expected, "{sentence}");
    }
}

/// The checker rejects strategies with a wrong move or a wrong invariant.
#[test]
fn corrupted_certificates_are_rejected() {
    for text in [
        "in p: bool\nout q: bool\nwhen p the sw shall within 3 ticks satisfy q\nthe sw shall always satisfy preBool(false, q) => !q",
        "in p: bool\nout q: bool\nwhen p the sw shall immediately satisfy q\nwhen p the sw shall at the next timepoint satisfy !q\nthe sw shall always satisfy preBool(false, q) => q",
        "in p: bool\nout q: bool\nwhenever p the sw shall eventually satisfy q",
    ] {
        let set = Text::read(text).set(Reading::Endless);
        let judged = judge(&set.game, Order::Mealy, Budget::DEFAULT);
        let strategy = judged.strategy.expect("decided").expect("a strategy");
        assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()), "{text}");
        let mut broken = strategy.clone();
        broken.certificate.invariant = system::Pool::FALSE;
        assert_eq!(broken.check(&NoSolver, &|| false), Err(Unchecked::Rejected), "{text}");
        let mut broken = strategy.clone();
        broken.system.properties[broken.property].value = system::Pool::FALSE;
        assert_eq!(broken.check(&NoSolver, &|| false), Err(Unchecked::Rejected), "{text}");
    }
}

/// What has no value at the start has one that the environment chooses, also in its strategy.
#[test]
fn the_environment_chooses_the_start() {
    use system::{Origin, System, Type};
    let mut system = System::default();
    let memory = system.add_state("memory", Type::Bool, None);
    let output = system.add_input("output", Type::Bool);
    let (was, now) = (system.expr(memory), system.expr(output));
    system.set_next(memory, now);
    let good = system.pool.implies(was, system::Pool::FALSE);
    system.add_property("never remembered", Origin::Unknown, good);
    let game = Game::of_system(system, |name| name == "output");
    let judged = judge(&game, Order::Mealy, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Unrealizable);
    let strategy = judged.strategy.expect("decided").expect("a strategy");
    assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()));
    assert_eq!(judged.play.expect("a play").steps.len(), 1);
}

/// A controller changes outputs only where it must: if those of the step before win, too, it keeps them.
#[test]
fn outputs_keep_their_values() {
    let mut kept = 0;
    for text in [
        "in p: bool\nout q: bool\nwhen p the sw shall within 2 ticks satisfy q\nthe sw shall always satisfy preBool(false, q) => !q",
        "in p r: bool\nout q: bool\nwhenever p the sw shall immediately satisfy q\nwhenever r & !p the sw shall immediately satisfy !q",
        "in p: bool\nout s: enum(idle, run, stop)\nwhen p the sw shall at the next timepoint satisfy s = run\nwhenever preBool(false, s = run) the sw shall immediately satisfy s != idle",
        "in a: int\nout x: int 0..9\nwhenever a > 5 the sw shall immediately satisfy x >= 3\nwhenever a < 2 the sw shall at the next timepoint satisfy x < 2",
        "in a: real\nout x: real\nwhenever a > 0 the sw shall immediately satisfy x >= a",
    ] {
        let game = Text::read(text).set(Reading::Endless).game;
        for order in [Order::Mealy, Order::Moore] {
            let judged = synthesize(&game, order, Budget::DEFAULT);
            if judged.outcome != Outcome::Realizable {
                continue;
            }
            let strategy = judged.strategy.expect("decided").expect("a strategy");
            assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()), "{text}");
            let controller = strategy.controller();
            let mut random = base::Random::new(3);
            let mut value = |var: &system::Var| match controller.variables[var.index()].ty {
                system::Type::Bool => Value::Bool(random.below(2) == 0),
                system::Type::Int => Value::Int(random.below(9u8).into()),
                _ => Value::Real((i64::from(random.below(9u8)) - 4).into()),
            };
            let rows: Vec<Vec<Value>> =
                (0..12).map(|_| controller.inputs.iter().map(&mut value).collect()).collect();
            let run = system::simulate(&controller, &[], &rows);
            let mut position = Position::start(&game);
            let any = |var: &system::Var| (*var, Value::any_of(game.system.variables[var.index()].ty));
            let mut last: Vec<_> = game.outputs.iter().map(any).collect();
            for (step, row) in run.steps.iter().zip(&rows) {
                let given: Vec<_> = controller.inputs.iter().copied().zip(row.iter().cloned()).collect();
                let chosen: Vec<_> = strategy.moves.iter().map(|it| it.0).zip(step.outputs.clone()).collect();
                let mut fixed = last.clone();
                if order == Order::Mealy {
                    fixed.extend(given.iter().cloned());
                }
                if position.outcome(&fixed, order, Budget::DEFAULT) == Outcome::Realizable {
                    assert_eq!(chosen, last, "{text} {order:?}");
                    kept += 1;
                }
                position = position.after(&[given, chosen.clone()].concat());
                last = chosen;
            }
        }
    }
    assert!(kept > 30, "{kept}");
}

/// What requirements leave open is shown by a run; what they determine is not called open.
#[test]
fn what_is_left_open() {
    for (sentences, expected) in [
        ("the sw shall always satisfy q <=> p", "determined"),
        ("whenever p the sw shall immediately satisfy q", "open at 0"),
        // The second step is the first with a choice.
        ("the sw shall always satisfy if FTP then q", "open at 1"),
        ("whenever preBool(true, p) the sw shall eventually satisfy q", "open at 0"),
    ] {
        let game = Text::read(&format!("in p: bool\nout q: bool\n{sentences}")).set(Reading::Endless).game;
        let judged = synthesize(&game, Order::Mealy, Budget::DEFAULT);
        let strategy = judged.strategy.expect("decided").expect("a strategy");
        let left = || std::time::Duration::from_secs(60);
        let found = strategy.freedom(&engine::Config::new(&left, &NoSolver));
        let [(_, freedom)] = &found[..] else { panic!("{sentences}: {found:?}") };
        let word = match freedom {
            Freedom::Determined => "determined".to_owned(),
            Freedom::Open { inputs, value, other } => {
                assert_ne!(value, other, "{sentences}");
                format!("open at {}", inputs.len() - 1)
            }
            Freedom::Unknown(why) => why.to_string(),
        };
        assert_eq!(word, expected, "{sentences}");
    }
}
