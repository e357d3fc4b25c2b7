//! The engine against the oracle and the past-time formulas: verdicts, first violating steps, and every step of random formulas.

use base::Random;
use logic::testing::past_formula;
use logic::{Formula, Store, Trace, Value};
use requirement::template::templates;
use requirement::vectors::random;
use requirement::{Watch, oracle, past, watch};
use shall_record::{BLOCK, Block, Check, Findings, Kind};

fn run(check: &Check, store: &Store, trace: &Trace) -> Vec<Findings> {
    let mut check = check.clone();
    let inputs = check.inputs().to_vec();
    let mut block = Block::new(&inputs);
    while block.fill(&inputs, trace) > 0 {
        assert!(block.columns.iter().all(|column| column.flaw.is_none()));
        check.block(store, &block);
    }
    check.finish()
}

#[test]
fn all_templates_have_the_verdict_the_first_step_and_the_trigger_of_the_oracle() {
    let (mut pairs, mut violated) = (0, 0);
    for (steps, length) in [(0, 5), (1, 12), (3, 12), (5, 70)] {
        let mut store = Store::default();
        let requirements = templates(&mut store, steps);
        let watches: Vec<Watch> =
            requirements.iter().map(|it| watch(&mut store, it).expect("looks back only")).collect();
        let pasts: Vec<Formula> =
            requirements.iter().map(|it| past(&mut store, it).expect("looks back only")).collect();
        let check = Check::new(&store, &watches, |_| Kind::Truth).expect("past-time formulas");
        for setting in random(length, Some(steps), 110, 40 + steps) {
            let trace = setting.trace();
            for ((requirement, past), found) in
                requirements.iter().zip(&pasts).zip(run(&check, &store, &trace))
            {
                let expected = oracle::judge(&store, requirement, &trace).expect("all columns are there");
                let key = requirement.key();
                let first = found.runs.first();
                assert_eq!(
                    first.map(|run| run.first as usize),
                    expected.violation.map(|it| it.step),
                    "{key}"
                );
                assert_eq!(logic::holds_at(&store, *past, &trace, trace.len() - 1), Ok(first.is_none()));
                assert_eq!(found.triggered, expected.triggers > 0, "{key} {trace:?}");
                assert_eq!(found.in_scope, expected.intervals > 0, "{key} {trace:?}");
                if let (Some(run), Some(decision)) = (first, expected.violation) {
                    assert_eq!(run.interval as usize, decision.interval.lo, "{key} {trace:?}");
                    let trigger = run.trigger.map_or(decision.trigger, |it| it as usize);
                    assert_eq!(trigger, decision.trigger, "{key} {trace:?}");
                    violated += 1;
                }
                pairs += 1;
            }
        }
    }
    assert!(pairs >= 264 * 400 && violated > pairs / 10, "{pairs} {violated}");
}

/// The least bounds of random formulas, and the widths of their intervals.
const BOUNDS: (&[u64], &[u64]) = (&[0, 0, 0, 1, 2, 5, 63, 64, 65, 100, 130], &[0, 1, 7, 63, 64, 140]);

/// A check that finds the steps at which formulas hold.
fn steps(store: &Store, formulas: &[Formula]) -> Check {
    let no = store.bottom();
    let watch =
        |&bad: &Formula| Watch { bad, bad_at_end: no, left: no, trigger: no, scope: no, active: None };
    let watches: Vec<Watch> = formulas.iter().map(watch).collect();
    Check::new(store, &watches, |_| Kind::Truth).expect("past-time formulas")
}

fn compare(store: &Store, formulas: &[Formula], check: &Check, trace: &Trace) {
    for (&formula, found) in formulas.iter().zip(run(check, store, trace)) {
        let expected = logic::values(store, formula, trace).expect("all columns are there");
        let mut steps = vec![false; trace.len()];
        for run in &found.runs {
            steps[run.first as usize..=run.last as usize].fill(true);
        }
        assert_eq!(found.run_count, found.runs.len() as u64);
        let shown = logic::print(store, formula, &logic::SHALL);
        let wrong = (0..trace.len()).find(|&step| steps[step] != expected[step]);
        assert_eq!(wrong, None, "{shown:?} on a trace of {} steps", trace.len());
        assert_eq!(found.count as usize, expected.iter().filter(|it| **it).count());
    }
}

fn trace(length: usize, mut value: impl FnMut(usize) -> bool) -> Trace {
    let mut column = || (0..length).map(|step| Value::Bool(value(step))).collect::<Vec<_>>();
    let columns = ["a", "b", "c"].map(|name| (name, column()));
    Trace::of(columns).expect("columns of one length")
}

#[test]
fn nested_formulas_hold_at_the_steps_of_their_definition() {
    let mut random = Random::new(2);
    for _ in 0..40 {
        let mut store = Store::default();
        let formulas: Vec<Formula> =
            (0..25).map(|_| past_formula(&mut store, &mut random, 4, BOUNDS)).collect();
        let check = steps(&store, &formulas);
        for length in [1, 63, 64, 65, 130, 300] {
            let often = random.pick(&[2, 2, 20, 100]);
            let value = |_| random.below(often) == 0;
            let trace = trace(length, value);
            compare(&store, &formulas, &check, &trace);
        }
    }
}

#[test]
fn events_at_every_offset_around_the_end_of_a_block() {
    let mut random = Random::new(3);
    let mut store = Store::default();
    let formulas: Vec<Formula> = (0..12).map(|_| past_formula(&mut store, &mut random, 3, BOUNDS)).collect();
    let check = steps(&store, &formulas);
    for offset in 0..=130 {
        let at = BLOCK - 65 + offset;
        let rare = |step: usize| step + 1 == at || (step >= at && random.below(3) == 0 && step < at + 140);
        compare(&store, &formulas, &check, &trace(BLOCK + 300, rare));
    }
}

#[test]
fn runs_are_counted_after_the_list_is_full() {
    let mut store = Store::default();
    let symbol = store.symbol("a");
    let formulas = [store.var(symbol)];
    let check = steps(&store, &formulas);
    let length = 3 * BLOCK;
    // Run 999 is the last one listed, and lasts beyond the end of a block.
    let last = |step: usize| (BLOCK - 200..BLOCK + 70).contains(&step);
    for quiet in [0, BLOCK - 2200] {
        let trace = trace(length, |step| {
            if (BLOCK - 201..=BLOCK + 70).contains(&step) {
                last(step)
            } else {
                step >= quiet && step % 2 == 0
            }
        });
        let found = run(&check, &store, &trace).remove(0);
        let truths = logic::values(&store, formulas[0], &trace).expect("all columns are there");
        let starts = (0..length).filter(|&step| truths[step] && (step == 0 || !truths[step - 1])).count();
        assert_eq!(
            (found.count as usize, found.run_count as usize),
            (truths.iter().filter(|it| **it).count(), starts)
        );
        let listed = found.runs.last().expect("a run");
        assert_eq!(found.runs.len(), 1000);
        let after = (listed.first as usize..).find(|&step| !truths[step]).expect("an end");
        assert_eq!(listed.last as usize, after - 1);
    }
}
