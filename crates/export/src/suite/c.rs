//! Tests as a program in C99: a header for the implementation, and a file with the monitors, the inputs and `main`.

use super::{Plan, Planned, numbers, quoted};
use std::fmt::Write as _;

pub(super) fn files(plan: &Plan) -> Vec<(String, String)> {
    let header = format!("{}_tests.h", plan.base);
    let text =
        format!("#include \"{header}\"\n#include <stdio.h>\n{}\n{}{RUN}", plan.monitor.text, tables(plan));
    vec![(header, declarations(plan)), (format!("{}_tests.c", plan.base), text)]
}

/// The header of the monitors, with the functions of the implementation.
fn declarations(plan: &Plan) -> String {
    let monitor = plan.monitor.header.as_deref().unwrap_or_default().trim_end();
    let monitor = monitor.strip_suffix("#endif").unwrap_or(monitor);
    format!("{monitor}{INTERFACE}\n#endif\n")
}

const INTERFACE: &str = "\
/* The system under test: `reset` goes back to the start; `step` reads the inputs of a step and sets the outputs. */
void reset(void);
void step(monitor_input *values);
";

fn tables(plan: &Plan) -> String {
    let mut out = String::from("static const char *const ids[] = {\n");
    for it in &plan.monitor.watched {
        let _ = writeln!(out, "    {},", quoted(&it.id));
    }
    out += "};\n\nstatic const monitor_input inputs[] = {\n";
    for case in &plan.cases {
        let _ = writeln!(out, "    /* {} */", quoted(case.name).replace("*/", "* /"));
        for row in &case.rows {
            let fields = plan.monitor.inputs.iter().zip(row);
            let fields: Vec<String> = fields.map(|(it, value)| format!(".{} = {value}", it.name)).collect();
            let fields = if fields.is_empty() { "0".to_owned() } else { fields.join(", ") };
            let _ = writeln!(out, "    {{ {fields} }},");
        }
    }
    // ISO C has no empty arrays.
    out += "    { 0 }\n};\n\n/* Numbers of requirements, assumptions and goals; each list ends with MONITOR_COUNT. */\n";
    out += "static const unsigned lists[] = {\n";
    let mut starts = Vec::new();
    let mut length = 0;
    for case in &plan.cases {
        let lists = [&case.requirements, &case.assumptions, &case.goals];
        starts.push(lists.map(|it| {
            let start = length;
            length += it.len() + 1;
            start
        }));
        for list in lists {
            let comma = if list.is_empty() { "" } else { ", " };
            let _ = writeln!(out, "    {}{comma}MONITOR_COUNT,", numbers(list));
        }
    }
    out += "    MONITOR_COUNT\n};\n\n";
    out += "static const struct test {\n    const char *name;\n    unsigned first, steps, requirements, assumptions, goals;\n} tests[] = {\n";
    let mut first = 0;
    for (case, [requirements, assumptions, goals]) in plan.cases.iter().zip(starts) {
        let Planned { name, rows, .. } = case;
        let (name, steps) = (quoted(name), rows.len());
        let _ = writeln!(out, "    {{ {name}, {first}, {steps}, {requirements}, {assumptions}, {goals} }},");
        first += steps;
    }
    out + "    { 0, 0, 0, 0, 0, 0 }\n};\n"
}

const RUN: &str = r#"
enum { PASSED, FAILED, INCONCLUSIVE };

/* The first requirement of a list with one of these codes; MONITOR_COUNT if there is none. */
static unsigned found(const unsigned char *codes, unsigned list, unsigned code)
{
    while (lists[list] != MONITOR_COUNT && (codes[lists[list]] & code) == 0) {
        list++;
    }
    return lists[list];
}

static int run(const struct test *test)
{
    monitor_state state;
    unsigned at, id;
    monitor_init(&state);
    reset();
    for (at = 0; at < test->steps; at++) {
        monitor_input values = inputs[test->first + at];
        step(&values);
        monitor_step(&state, &values);
        id = found(state.code, test->assumptions, MONITOR_VIOLATED | MONITOR_VIOLATED_BEFORE);
        if (id != MONITOR_COUNT) {
            printf("%s: inconclusive at step %u: the outputs make the inputs break the assumption %s\n", test->name, at, ids[id]);
            return INCONCLUSIVE;
        }
        id = found(state.code, test->requirements, MONITOR_VIOLATED | MONITOR_VIOLATED_BEFORE);
        if (id != MONITOR_COUNT) {
            const int before = (state.code[id] & MONITOR_VIOLATED) == 0;
            printf("%s: failed: %s is violated at step %u\n", test->name, ids[id], before ? at - 1 : at);
            return FAILED;
        }
        id = found(state.code, test->requirements, MONITOR_NOT_CHECKED);
        if (id != MONITOR_COUNT) {
            printf("%s: failed: an output of %s has no legal value at step %u\n", test->name, ids[id], at);
            return FAILED;
        }
    }
    id = found(state.code, test->requirements, MONITOR_OWED);
    if (id != MONITOR_COUNT) {
        printf("%s: inconclusive: %s is still owed at the end\n", test->name, ids[id]);
        return INCONCLUSIVE;
    }
    for (at = test->goals; lists[at] != MONITOR_COUNT; at++) {
        if ((state.seen[lists[at]] & MONITOR_TRIGGERED) == 0) {
            printf("%s: inconclusive: not shown: %s\n", test->name, ids[lists[at]]);
            return INCONCLUSIVE;
        }
    }
    return PASSED;
}

int main(void)
{
    unsigned count[3] = { 0, 0, 0 };
    const struct test *test;
    for (test = tests; test->name != 0; test++) {
        count[run(test)]++;
    }
    printf("%u passed, %u failed, %u inconclusive\n", count[PASSED], count[FAILED], count[INCONCLUSIVE]);
    return count[FAILED] > 0 ? 1 : count[INCONCLUSIVE] > 0 ? 3 : 0;
}
"#;
