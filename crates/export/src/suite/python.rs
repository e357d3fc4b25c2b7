//! Tests as a file for pytest, which runs without it too: the monitors, the inputs, and a function for each test.

use super::{Plan, numbers, quoted};
use base::names::{Taken, identifier};
use std::fmt::Write as _;

pub(super) fn files(plan: &Plan) -> Vec<(String, String)> {
    let mut out = String::from(HEAD);
    out += &plan.monitor.text;
    out +=
        "\n\n# The inputs of each step, and the numbers of requirements, assumptions and goals.\nTESTS = {\n";
    let names: Vec<String> = plan.monitor.inputs.iter().map(|it| quoted(&it.variable.name)).collect();
    for case in &plan.cases {
        let _ = writeln!(out, "    {}: (\n        [", quoted(case.name));
        for row in &case.rows {
            let fields: Vec<String> =
                names.iter().zip(row).map(|(name, value)| format!("{name}: {value}")).collect();
            let _ = writeln!(out, "            {{{}}},", fields.join(", "));
        }
        let lists =
            [&case.requirements, &case.assumptions, &case.goals].map(|it| format!("[{}]", numbers(it)));
        let _ = writeln!(out, "        ],\n        {},\n    ),", lists.join(",\n        "));
    }
    out += "}\n";
    out += RUN;
    let mut taken = Taken::default();
    for case in &plan.cases {
        let name = taken.take(&format!("test_{}", identifier(case.name, "").to_lowercase()));
        let _ = writeln!(out, "\n\ndef {name}():\n    check({})", quoted(case.name));
    }
    out += MAIN;
    vec![(format!("test_{}.py", plan.base), out)]
}

const HEAD: &str = "\
# Tests from requirements. The module `system_under_test` has two functions: `reset()` goes back to the start, and `step(inputs)`
# takes a dict of inputs and returns a dict of outputs. Run this file with pytest, or as it is.
";

const RUN: &str = r#"

def run(name, system):
    """Runs a test. Returns `passed`, `failed` or `inconclusive`, and why."""
    steps, requirements, assumptions, goals = TESTS[name]
    monitor = Monitor()
    system.reset()
    for at, inputs in enumerate(steps):
        monitor.step({**inputs, **system.step(dict(inputs))})
        for i in assumptions:
            if monitor.code[i] & (VIOLATED | VIOLATED_BEFORE):
                return "inconclusive", f"the outputs make the inputs break the assumption {IDS[i]} at step {at}"
        for i in requirements:
            code = monitor.code[i]
            if code & (VIOLATED | VIOLATED_BEFORE):
                return "failed", f"{IDS[i]} is violated at step {at if code & VIOLATED else at - 1}"
            if code & NOT_CHECKED:
                return "failed", f"an output of {IDS[i]} has no legal value at step {at}"
    for i in requirements:
        if monitor.code[i] & OWED:
            return "inconclusive", f"{IDS[i]} is still owed at the end"
    for i in goals:
        if not monitor.seen[i] & TRIGGERED:
            return "inconclusive", f"not shown: {IDS[i]}"
    return "passed", ""


def check(name):
    import system_under_test

    result, why = run(name, system_under_test)
    assert result != "failed", f"{name}: {why}"
    if result == "inconclusive":
        import pytest

        pytest.skip(why)
"#;

const MAIN: &str = r#"

if __name__ == "__main__":
    import sys
    import system_under_test

    count = {"passed": 0, "failed": 0, "inconclusive": 0}
    for name in TESTS:
        result, why = run(name, system_under_test)
        count[result] += 1
        if why:
            print(f"{name}: {result}: {why}")
    print(", ".join(f"{number} {result}" for result, number in count.items()))
    sys.exit(1 if count["failed"] else 3 if count["inconclusive"] else 0)
"#;
