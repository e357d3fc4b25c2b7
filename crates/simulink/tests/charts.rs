//! Stateflow charts with traces derived by hand from the documented order of execution. Each chart is written in both file formats, as
//! `common::chart` says.

mod common;

use common::chart::{as_text, check, check_in, refused, refused_file};
use common::model::{check_system, planned, shapes};
use common::reading;
use shall_simulink::lower::{Options, lower};
use shall_simulink::matlab::{FUEL, run};
use shall_simulink::plan::plan;

const SWITCH: &str = "input u\noutput y\nstate Off entry: y = 0;\nstate On entry: y = 1;\n-> Off\n";

#[test]
fn transitions() {
    // The first step only enters.
    check(&format!("{SWITCH}Off -> On [u > 0]\nOn -> Off [u < 0]"), "1 | 0\n 1 | 1\n 0 | 1\n -1 | 0\n 1 | 1");
    // Without a condition, a transition is always taken.
    check(&format!("{SWITCH}Off -> On\nOn -> Off"), "0 | 0\n 0 | 1\n 0 | 0\n 0 | 1");
    // One transition in a step.
    check(
        "output y\nstate A entry: y = 1;\nstate B entry: y = 2;\nstate C entry: y = 3;\n-> A\nA -> B\nB -> C",
        " | 1\n | 2\n | 3\n | 3",
    );
    // The order of transitions decides.
    let two =
        "input u\noutput y\nstate A entry: y = 1;\nstate B entry: y = 2;\nstate C entry: y = 3;\n-> A\n";
    check(&format!("{two}A -> B [u > 0]\nA -> C [u > -5]"), "9 | 1\n 1 | 2\n 0 | 2");
    check(&format!("{two}A -> C [u > -5]\nA -> B [u > 0]"), "9 | 1\n 1 | 3");
    check(&format!("{two}A -> B [u > 0]\nA -> C [u > -5]"), "9 | 1\n 0 | 3");
    // A transition to itself exits and enters again.
    check("output y\noutput z\nstate A entry: y++; | exit: z += 2;\n-> A\nA -> A", " | 1 0\n | 2 2\n | 3 4");
    // Conditions may be values, and of several parts.
    check(&format!("{SWITCH}Off -> On [u]\nOn -> Off [!u]"), "5 | 0\n 5 | 1\n 5 | 1\n 0 | 0");
    check(&format!("{SWITCH}Off -> On [u > 1 && u < 3 || u == 9]"), "2 | 0\n 1 | 0\n 9 | 1");
    check(&format!("{SWITCH}Off -> On [u ~= 2]"), "0 | 0\n 2 | 0\n 3 | 1");
    check(&format!("{SWITCH}Off -> On [u != 2]"), "0 | 0\n 2 | 0\n 3 | 1");
}

#[test]
fn actions() {
    // Entry, during and exit, with the value of the input.
    let all = "input u\noutput y\nstate A entry: y = 10; | during: y = y + u; | exit: y = -y;\nstate B during: y = 7;\n-> A\nA -> B [u == 0]";
    check(all, "1 | 10\n 1 | 11\n 2 | 13\n 0 | -13\n 0 | 7");
    // Several keywords at once, and short ones.
    check("output y\nstate A en, du: y++;\n-> A", " | 1\n | 2\n | 3");
    check("output y\nstate A en: y = 5; | du: y--; | ex: y = 0;\n-> A", " | 5\n | 4");
    // Without a keyword, an action runs at the entry.
    check("output y\nstate A y = 5;\n-> A", " | 5\n | 5");
    // Condition actions run before the state is left, transition actions after it.
    let order = "output y\nstate A entry: y = 1; | exit: y = y * 2;\nstate B entry: y = y + 1;\n-> A\n";
    check(&format!("{order}A -> B {{y = y + 3;}}"), " | 1\n | 9");
    check(&format!("{order}A -> B /{{y = y + 3;}}"), " | 1\n | 6");
    check(&format!("{order}A -> B {{y = y + 3;}}/{{y = y * 10;}}"), " | 1\n | 81");
    // A condition action runs even if the path is not taken in the end.
    let dead =
        "output y\nstate A\nstate B entry: y = 100;\njunction j\n-> A\nA -> j {y = y + 1;}\nj -> B [y > 2]";
    check(dead, " | 0\n | 1\n | 2\n | 100");
    // Default transitions have actions too.
    check("output y\nstate A\n-> A {y = 4;}", " | 4\n | 4");
    // Data keeps its value, and begins with its own.
    check(
        "output y = 3\nlocal x = 2\nstate A during: y = y + x; x = x + 1;\n-> A",
        " | 3\n | 5\n | 8\n | 12",
    );
    check("output y\nconstant k = 4\nstate A entry: y = k;\n-> A", " | 4");
    // Comments.
    check("output y\nstate A entry: y = 1; /* y = 2; */ y = y + 1; // y = 9;\n-> A", " | 2");
    check("output y\nstate A entry: y = 1; % y = 9;\n-> A", " | 1");
}

#[test]
fn hierarchy() {
    // Outer states are entered first and exited last.
    let nested = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = y * 10 + 4;\nstate P.A entry: y = y * 10 + 2; | exit: y = y * 10 + 3;\n\
                  state Q entry: y = y * 10 + 5;\n-> P\n-> P.A\nP -> Q [u > 0]";
    check(nested, "0 | 12\n 1 | 12345");
    // A transition from an inner state across the border.
    let across = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = y * 10 + 4;\nstate P.A entry: y = y * 10 + 2; | exit: y = y * 10 + 3;\n\
                  state Q entry: y = y * 10 + 5;\n-> P\n-> P.A\nP.A -> Q [u > 0]";
    check(across, "0 | 12\n 1 | 12345");
    // To an inner state: the default is not used.
    let into = "output y\nstate Q\nstate P entry: y = y * 10 + 1;\nstate P.A entry: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n-> Q\n-> P.A\nQ -> P.B";
    check(into, " | 0\n | 13");
    // Between inner states the outer one stays.
    let inside = "output y\nstate P entry: y = y * 10 + 1; | exit: y = 0;\nstate P.A exit: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n-> P\n-> P.A\nP.A -> P.B";
    check(inside, " | 1\n | 123\n | 123");
    // The outer transition comes before the inner one.
    let first = "output y\nstate P\nstate P.A\nstate P.B entry: y = 2;\nstate Q entry: y = 3;\n-> P\n-> P.A\nP.A -> P.B\nP -> Q";
    check(first, " | 0\n | 3");
    // During actions from the outside in.
    let during = "output y\nstate P during: y = y * 10 + 1;\nstate P.A during: y = y * 10 + 2;\n-> P\n-> P.A";
    check(during, " | 0\n | 12\n | 1212");
    // The outer during action sees what the inner state then changes.
    let sees = "output y\nlocal x\nstate P during: y = x;\nstate P.A during: x = x + 1;\n-> P\n-> P.A";
    check(sees, " | 0\n | 0\n | 1\n | 2");
    // A transition to itself of an outer state begins its inside again.
    let again = "input u\noutput y\nstate P\nstate P.A entry: y = 1;\nstate P.B entry: y = 2;\n-> P\n-> P.A\nP.A -> P.B\nP -> P [u > 0]";
    check(again, "0 | 1\n 0 | 2\n 0 | 2\n 1 | 1\n 0 | 2");
    // A single state needs no default transition.
    check("output y\nstate P\nstate P.A entry: y = 1;\n-> P", " | 1");
    // Three levels, left at once.
    let three = "input u\noutput y\nstate P exit: y = y * 10 + 1;\nstate P.Q exit: y = y * 10 + 2;\nstate P.Q.R exit: y = y * 10 + 3;\nstate S\n\
                 -> P\n-> P.Q\n-> P.Q.R\nP.Q.R -> S [u > 0]";
    check(three, "0 | 0\n 1 | 321");
}

#[test]
fn inner_transitions() {
    // The outer state stays, and the inner one is left.
    let inner = "input u\noutput y\nstate P entry: y = y * 10 + 1; | exit: y = 0;\nstate P.A exit: y = y * 10 + 2;\nstate P.B entry: y = y * 10 + 3;\n\
                 -> P\n-> P.A\ninner P -> P.B [u > 0]";
    check(inner, "0 | 1\n 0 | 1\n 1 | 123");
    // It comes after the during action, and before the states inside run.
    let order = "output y\nstate P during: y = y * 10 + 1;\nstate P.A during: y = y * 10 + 9;\nstate P.B entry: y = y * 10 + 2; | during: y = y * 10 + 3;\n\
                 -> P\n-> P.A\ninner P -> P.B [y == 1]";
    check(order, " | 0\n | 12\n | 1213");
    // To a junction: a flow chart in a state, after which the states inside still do not run.
    let flow = "input u\noutput y\nstate P\nstate P.A during: y = -1;\njunction P.j\n-> P\n-> P.A\ninner P -> P.j [u > 0]{y = 5;}";
    check(flow, "0 | 0\n 0 | -1\n 1 | 5\n 0 | -1");
}

#[test]
fn junctions() {
    // A choice.
    let choice = "input u\noutput y\nstate A\nstate B entry: y = 1;\nstate C entry: y = 2;\njunction j\n-> A\nA -> j\nj -> B [u > 0]\nj -> C";
    check(choice, "9 | 0\n 1 | 1");
    check(choice, "9 | 0\n -1 | 2");
    // Without a way on, the next transition of the source is tried.
    let back = "input u\noutput y\nstate A\nstate B entry: y = 1;\nstate C entry: y = 2;\njunction j\n-> A\nA -> j [u > 0]\nA -> C\nj -> B [u > 5]";
    check(back, "0 | 0\n 1 | 2");
    check(back, "0 | 0\n 6 | 1");
    // Conditions see what condition actions have done on the way.
    let way = "input u\noutput y\nstate A\nstate B entry: y = y + 10;\njunction j\n-> A\nA -> j {y = u;}\nj -> B [y == 2]";
    check(way, "0 | 0\n 1 | 1\n 2 | 12");
    // Transition actions of all parts run in order, when the path is complete.
    let parts = "output y\nstate A exit: y = 1;\nstate B entry: y = y * 10 + 4;\njunction j\n-> A\nA -> j /{y = y * 10 + 2;}\nj -> B /{y = y * 10 + 3;}";
    check(parts, " | 0\n | 1234");
    // A default path through a junction.
    let default = "input u\noutput y\nstate A entry: y = 1;\nstate B entry: y = 2;\njunction j\n-> j\nj -> A [u > 0]\nj -> B";
    check(default, "1 | 1");
    check(default, "0 | 2");
    // A chart without states is a flow chart, and runs at every step.
    let flow = "input u\noutput y\njunction i\njunction j\njunction k\n-> i\ni -> j [u > 0]{y = 1;}\ni -> k {y = -1;}";
    check(flow, "1 | 1\n 0 | -1\n 2 | 1");
    // Two paths that meet again.
    let diamond = "input u\noutput y\njunction i\njunction j\njunction k\n-> i {y = 0;}\ni -> j [u > 0]{y = 1;}\ni -> j {y = 2;}\nj -> k {y = y * 10;}";
    check(diamond, "1 | 10\n 0 | 20");
}

#[test]
fn parallel_states() {
    // All are entered and run, in their order.
    let both = "output y\nparallel\nstate A entry: y = y * 10 + 1; | during: y = y * 10 + 3;\nstate B entry: y = y * 10 + 2; | during: y = y * 10 + 4;";
    check(both, " | 12\n | 1234");
    // The second sees what the first one has done.
    check(
        "input u\noutput y\nlocal x\nparallel\nstate A during: x = u;\nstate B during: y = x;",
        "1 | 0\n 2 | 2\n 3 | 3",
    );
    check(
        "input u\noutput y\nlocal x\nparallel\nstate B during: y = x;\nstate A during: x = u;",
        "1 | 0\n 2 | 0\n 3 | 2",
    );
    // Each with states of its own.
    let own = "input u\noutput y\noutput z\nparallel\nstate A\nstate A.X entry: y = 1;\nstate A.Y entry: y = 2;\nstate B\nstate B.X entry: z = 1;\n\
               state B.Y entry: z = 2;\n-> A.X\n-> B.X\nA.X -> A.Y [u > 0]\nB.X -> B.Y [u < 0]";
    check(own, "0 | 1 1\n 1 | 2 1\n -1 | 2 2");
    // Inside a state: exited in reverse order.
    let inside = "input u\noutput y\nparallel state P\nstate P.A exit: y = y * 10 + 1;\nstate P.B exit: y = y * 10 + 2;\nstate Q\n-> P\nP -> Q [u > 0]";
    check(inside, "0 | 0\n 1 | 21");
    // A transition into one of them enters the others too.
    let into = "output y\nstate Q\nparallel state P\nstate P.A\nstate P.A.X entry: y = y + 1;\nstate P.A.Y entry: y = y + 10;\nstate P.B entry: y = y + 100;\n\
                -> Q\n-> P.A.X\nQ -> P.A.Y";
    check(into, " | 0\n | 110");
    // One that leaves all of them keeps the others from running.
    let leaves = "input u\noutput y\nparallel state P\nstate P.A\nstate P.A.X\nstate P.B during: y = y + 1;\nstate Q entry: y = y + 100;\n-> P\n-> P.A.X\nP.A.X -> Q [u > 0]";
    check(leaves, "0 | 0\n 0 | 1\n 1 | 101\n 0 | 101");
    // Whether another state is active.
    let asks = "input u\noutput y\nparallel\nstate A\nstate A.X\nstate A.Y\nstate B during: y = in(A.Y);\n-> A.X\nA.X -> A.Y [u > 0]";
    check(asks, "0 | 0\n 0 | 0\n 1 | 1\n 0 | 1");
}

#[test]
fn history() {
    let chart = "input u\noutput y\nstate P\nhistory P\nstate P.A entry: y = 1;\nstate P.B entry: y = 2;\nstate Q entry: y = 0;\n-> P\n-> P.A\n\
                 P.A -> P.B [u == 1]\nP -> Q [u == 2]\nQ -> P [u == 3]";
    check(chart, "0 | 1\n 1 | 2\n 2 | 0\n 3 | 2");
    check(chart, "0 | 1\n 2 | 0\n 3 | 1\n 1 | 2\n 2 | 0\n 0 | 0\n 3 | 2");
    // Without it, the default is used.
    check(&chart.replace("history P\n", ""), "0 | 1\n 1 | 2\n 2 | 0\n 3 | 1");
}

#[test]
fn time() {
    // The step of the entry counts as zero.
    let after = |time: &str| {
        format!("output y\nstate A entry: y = 0;\nstate B entry: y = 1;\n-> A\nA -> B after({time})\nB -> A")
    };
    check(&after("1, tick"), " | 0\n | 1\n | 0\n | 1");
    check(&after("2, tick"), " | 0\n | 0\n | 1\n | 0\n | 0\n | 1");
    // Half a second a step.
    check(&after("1, sec"), " | 0\n | 0\n | 1");
    check(&after("0.6, sec"), " | 0\n | 0\n | 1");
    check(&after("500, msec"), " | 0\n | 1");
    // With a condition, and as one.
    let both = "input u\noutput y\nstate A\nstate B entry: y = 1;\n-> A\nA -> B after(2, tick)[u > 0]";
    check(both, "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1");
    check(
        &both.replace("after(2, tick)[u > 0]", "[u > 0 && after(2, tick)]"),
        "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1",
    );
    check(&both.replace("after(2, tick)", "before(2, tick)"), "0 | 0\n 1 | 1");
    check(&both.replace("after(2, tick)", "before(2, tick)"), "0 | 0\n 0 | 0\n 1 | 0\n 1 | 0");
    check(&both.replace("after(2, tick)[u > 0]", "at(2, tick)"), "0 | 0\n 0 | 0\n 0 | 1");
    // Actions at times.
    check("output y\nstate A on every(2, tick): y = y + 1;\n-> A", " | 0\n | 0\n | 1\n | 1\n | 2");
    check("output y\nstate A on after(2, tick): y = y + 1;\n-> A", " | 0\n | 0\n | 1\n | 2");
    check("output y\nstate A during: y = temporalCount(tick);\n-> A", " | 0\n | 1\n | 2");
    check("output y\nstate A during: y = elapsed(sec);\n-> A", " | 0\n | 0.5\n | 1");
    // The outer state counts on while inner states change.
    let outer = "output y\nstate P\nstate P.A\nstate P.B\nstate Q entry: y = 1;\n-> P\n-> P.A\nP.A -> P.B\nP.B -> P.A\nP -> Q after(3, tick)";
    check(outer, " | 0\n | 0\n | 0\n | 1");
    // Time itself.
    check("output y\nstate A during: y = t;\n-> A", " | 0\n | 0.5\n | 1");
    check("output y\nstate A during: y = et + elapsed(sec);\n-> A", " | 0\n | 1\n | 2");
    // A length that is data has the value of the moment.
    let given = "input u\noutput y\nstate A\nstate B entry: y = 1;\n-> A\nA -> B TIME(u, UNIT)";
    let given = |time: &str, unit: &str| given.replace("TIME", time).replace("UNIT", unit);
    check(&given("after", "sec"), "0 | 0\n 1 | 0\n 1 | 1");
    check(&given("after", "sec"), "0 | 0\n 0.6 | 0\n 5 | 0\n 1.2 | 1");
    check(&given("after", "tick"), "0 | 0\n 3 | 0\n 3 | 0\n 2.5 | 1");
    check(&given("before", "msec"), "0 | 0\n 500 | 0\n 900 | 0\n 1600 | 1");
    check(&given("at", "tick"), "0 | 0\n 2 | 0\n 1 | 0\n 3 | 1");
    refused(&given("every", "tick"), "a time that is repeated is not a constant");
    let unit = "output y\nstate A\nstate B entry: y = 1;\n-> A\nA -> B [after(1, 'sec')]";
    check_in("actionLanguage 2\n", unit, " | 0\n | 0\n | 1");
}

/// A step of the model is half a second. Between two times of its own, a chart keeps its outputs.
#[test]
fn sample_times() {
    let sum =
        "input u\noutput y\nset updateMethod UPDATE\nset sampleTime TIME\nstate A during: y = y + u;\n-> A";
    let sum = |update: &str, time: &str| sum.replace("UPDATE", update).replace("TIME", time);
    check(&sum("DISCRETE", "1"), "9 | 0\n 1 | 0\n 2 | 2\n 4 | 2\n 8 | 10\n 16 | 10");
    check(&sum("DISCRETE", "2*0.75"), "9 | 0\n 1 | 0\n 2 | 0\n 4 | 4\n 8 | 4\n 16 | 4\n 32 | 36");
    check(&sum("DISCRETE", "-1"), "9 | 0\n 1 | 1\n 2 | 3\n 4 | 7");
    // The time of an inherited update does not count.
    check(&sum("INHERITED", "1"), "9 | 0\n 1 | 1\n 2 | 3\n 4 | 7");
    // Ticks are runs of the chart, and seconds are seconds.
    let later = "output y\nset updateMethod DISCRETE\nset sampleTime 1\nstate A\nstate B entry: y = 1;\n-> A\nA -> B after(2, UNIT)";
    for unit in ["tick", "sec"] {
        check(&later.replace("UNIT", unit), " | 0\n | 0\n | 0\n | 0\n | 1");
    }
    refused(&sum("DISCRETE", "nowhere"), "`nowhere`");
}

#[test]
fn functions() {
    let double = "input u\noutput y\nfunction r = twice(a)\njunction f\n-> f {r = 2 * a;}\nstate A during: y = twice(u) + 1;\n-> A";
    // The junction and the transition are drawn in the function.
    let double = double.replace("junction f", "junction twice.f").replace("-> f {", "-> twice.f {");
    check(&double, "0 | 0\n 3 | 7\n 5 | 11");
    let most = "input u\ninput v\noutput y\nfunction r = most(a, b)\njunction most.i\njunction most.j\njunction most.k\n-> most.i\n\
                most.i -> most.j [a > b]{r = a;}\nmost.i -> most.k {r = b;}\nstate A during: y = most(u, v);\n-> A";
    check(most, "0 0 | 0\n 3 4 | 4\n 5 2 | 5");
    // A function may change data of the chart.
    let counts = "output y\nlocal n\nfunction count()\njunction count.j\n-> count.j {n = n + 1;}\nstate A during: count(); y = n;\n-> A";
    check(counts, " | 0\n | 1\n | 2");
    check("input u\noutput y\nstate A during: y = max(abs(u), 2);\n-> A", "0 | 0\n -5 | 5\n 1 | 2");
}

/// Decisions are tried from left to right; `-` does not matter.
#[test]
fn truth_tables() {
    let table = "input x\ninput y\noutput t\nKIND r = ttable(a, b)\nrow a == 1 : T F -\nrow XEQ: b == 1 : F T -\ndo 1 2 3\n\
                 act r = 1;\nact r = 2;\nact r = 3;\nstate A du: t = ttable(x, y);\n-> A";
    let once = "input u\noutput y\nlocal n\nKIND f()\nrow n > 1 : T T -\nrow u > 0 : T - -\ndo A,B 2 C\nact A: y = 1;\nact B: y = y * 10 + n;\n\
                act C: y = 7;\nact INIT: n = n + 1;\nact FINAL: y = y + 100;\nstate S du: f();\n-> S";
    // Without a decision for the rest, nothing happens there.
    let open = "input u\noutput y\nKIND f()\nrow u > 0 : T\ndo 1\nact y = u;\nstate S du: f();\n-> S";
    for kind in ["table", "mtable"] {
        check(&table.replace("KIND", kind), "1 0 | 0\n 1 0 | 1\n 0 1 | 2\n 1 1 | 3\n 0 0 | 3");
        // n is counted before the conditions: 1 (C), then 2 (A and B: 12; or B alone), then 3.
        check(&once.replace("KIND", kind), "1 | 0\n 1 | 107\n 1 | 112\n 1 | 113\n 0 | 1234");
        check(&open.replace("KIND", kind), "1 | 0\n 2 | 2\n -1 | 2\n 3 | 3");
        refused(&open.replace("KIND", kind).replace("do 1", "do 4"), "no action `4`");
        refused(&open.replace("KIND", kind).replace(": T", ": x"), "the outcome `x`");
        refused(&open.replace("KIND", kind).replace("act y", "act Init: y"), "the action label `Init`");
    }
    // The MATLAB language has statements.
    let branch = "input u\noutput y\nmtable r = f(a)\nrow a > 0 : T -\ndo 1 2\nact if a > 5 | r = 5; | else | r = a; | end\nact r = 0;\n\
                  state S en, du: y = f(u);\n-> S";
    check(branch, "9 | 5\n 3 | 3\n -3 | 0");
    check_in("actionLanguage 2\n", &branch.replace("mtable", "table"), "9 | 5\n 3 | 3\n -3 | 0");
    // A table as a block runs at every step.
    let block = "block\ninput u\ninput v\noutput y\nmtable tt()\nrow u > 0 : T F -\nrow v > 0 : T T -\ndo 1 2 3\n\
                 act y = 1;\nact y = 2;\nact y = 3;";
    check(block, "1 1 | 1\n 0 1 | 2\n 1 0 | 3\n 0 0 | 3");
    refused("block\noutput y\nfunction f()\n", "a truth table without its cells");
    let cut = as_text(block, "").replace("Dimension [3, 5]", "Dimension [3, 4]");
    refused_file(&cut, "cells cannot be read");
}

/// MATLAB functions in charts run like the code of blocks, and see the data of the chart.
#[test]
fn matlab_functions() {
    let sum = "input u\noutput y\nmatlab r = f(a) | r = 0; | for k = 1:3 | r = r + k*a; | end\nstate A du: y = f(u) + 1;\n-> A";
    check(sum, "1 | 0\n 1 | 7\n 2 | 13");
    check(
        "output y\nlocal n\nmatlab count() | n = n + 1;\nstate A du: count(); y = n;\n-> A",
        " | 0\n | 1\n | 2",
    );
    // A persistent variable changes with every call, also under a condition.
    let calls = "input u\noutput y\nmatlab r = next() | persistent n | if isempty(n) | n = 10; | end | n = n + 1; | r = n;\n\
                 state A\nstate B entry: y = next() + next();\n-> A\nA -> B [u > 0]\nB -> A [u < 0]";
    check(calls, "1 | 0\n 1 | 23\n 1 | 23\n -1 | 23\n 0 | 23\n 1 | 27");
    // Several outputs, and arrays.
    let both = "input u\noutput y\noutput z\nmatlab [p, q] = f(a) | p = a; | q = 2*a;\nstate A du: [y, z] = f(u);\n-> A";
    check(both, "1 | 0 0\n 3 | 3 6");
    let vector = "input u\noutput y double[2]\nlocal v double[2]\nmatlab r = f(a) | r = [a(2); a(1) + 1];\nstate A du: v[0] = u; y = f(v); v[1] = u;\n-> A";
    check(vector, "1 | 0 0\n 2 | 0 3\n 3 | 2 4");
    let drawn = "input u\noutput y\noutput z\nfunction [p, q] = f(a)\njunction f.j\n-> f.j {p = a; q = 2*a;}\nstate A du: [y, z] = f(u);\n-> A";
    check(drawn, "1 | 0 0\n 3 | 3 6");
    // An own variable hides data of that name.
    check(
        "input u\noutput y\nlocal k = 5\nmatlab r = f(k) | k = k + 1; | r = k;\nstate A du: y = f(u) + k;\n-> A",
        "1 | 0\n 1 | 7\n 2 | 8",
    );
    refused("input u\noutput y\nmatlab f() | u = 1;\nstate A du: f();\n-> A", "no variable `u`");
    refused("output y\nmatlab r = f(a) | r = g(a);\nstate A du: y = f(1);\n-> A", "unknown function `g`");
    refused(
        "output y\nmatlab r = f(a) | r = a;\nstate A du: [y, y] = f(1);\n-> A",
        "2 variables are set to the 1 outputs",
    );
}

#[test]
fn types() {
    // Integers saturate, in both languages.
    let saturates = "output y int8\nstate A during: y = y + 100;\n-> A";
    check(saturates, " | 0\n | 100\n | 127");
    check_in("actionLanguage 2\n", saturates, " | 0\n | 100\n | 127");
    // Unless the chart says that they wrap around.
    check(&format!("set saturateOnIntegerOverflow 0\n{saturates}"), " | 0\n | 100\n | -56");
    // So does every operation, not only what is assigned.
    let between = "input u int8\ninput v int8\noutput y\nstate A en, du: y = (u + v) / 2;\n-> A";
    check(between, "100 100 | 63\n -100 -100 | -64\n 7 8 | 7");
    check_in("actionLanguage 2\n", between, "100 100 | 64\n -100 -100 | -64\n 7 8 | 8");
    check("input u int8\noutput y\nstate A en, du: y = -u + 0.5;\n-> A", "-128 | 127.5");
    check_in(
        "actionLanguage 2\n",
        "input u int8\ninput v\noutput y double\nstate A en, du: y = u * v;\n-> A",
        "3 1.5 | 5\n 100 2 | 127",
    );
    // Fractions: C cuts them off, MATLAB rounds.
    let fraction = "input u\noutput y int8\nstate A during: y = u;\n-> A";
    check(fraction, "0 | 0\n 2.7 | 2\n -2.7 | -2");
    check_in("actionLanguage 2\n", fraction, "0 | 0\n 2.7 | 3\n -2.5 | -3");
    // Quotients of integers.
    let quotient = "input u int8\noutput y int8\nstate A during: y = u / 2;\n-> A";
    check(quotient, "0 | 0\n 7 | 3\n -7 | -3");
    check_in("actionLanguage 2\n", quotient, "0 | 0\n 7 | 4\n -7 | -4");
    check("input u\noutput y\nstate A during: y = u / 2;\n-> A", "0 | 0\n 7 | 3.5");
    check("input u boolean\noutput y boolean\nstate A during: y = !u;\n-> A", "0 | 0\n 0 | 1\n 1 | 0");
    check("input u\noutput y\nstate A during: y = int8(u);\n-> A", "0 | 0\n 300 | 127");
}

/// A chart with events runs when one of them happens, once for each.
#[test]
fn events() {
    let toggle =
        "output y\nstate Off entry: y = 0;\nstate On entry: y = 1;\n-> Off\nOff -> On E\nOn -> Off E\n";
    // The first event enters the chart; before the first step there is no edge.
    check(&format!("event E rising\n{toggle}"), "0 | 0\n 1 | 0\n 1 | 0\n 0 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
    check(&format!("event E falling\n{toggle}"), "1 | 0\n 0 | 0\n 1 | 0\n 0 | 1\n 0 | 1");
    check(&format!("event E either\n{toggle}"), "1 | 0\n 0 | 0\n 1 | 1\n 0 | 0");
    check(&format!("event E call\n{toggle}"), "0 | 0\n 1 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
    // Two events in one step are two runs, in their order.
    let two = "event A call\nevent B call\noutput y\nstate S entry: y = 1;\nstate T entry: y = 2;\nstate U entry: y = 3;\n-> S\n\
               S -> T A\nT -> U B\nU -> S A|B\n";
    check(two, "1 0 | 1\n 1 1 | 3\n 0 1 | 1\n 0 1 | 1\n 1 0 | 2\n 0 0 | 2\n 1 1 | 3");
    // A transition without an event, and actions at events.
    let on = "event A call\nevent B call\noutput y\nstate S entry: y = 1; | on A: y += 10; | on B: y += 100;\n-> S";
    check(on, "1 0 | 1\n 1 0 | 11\n 0 1 | 111\n 1 1 | 221\n 0 0 | 221");
    // Ticks are runs of the chart.
    let ticks =
        "event E call\noutput y\nstate S entry: y = 0;\nstate T entry: y = 1;\n-> S\nS -> T after(2, tick)";
    check(ticks, "1 | 0\n 0 | 0\n 1 | 0\n 0 | 0\n 1 | 1");
    // Seconds go on between events: half a second a step.
    let seconds = "event E call\noutput y\nstate S entry: y = 0;\nstate T entry: y = 1;\n-> S\nS -> T after(1, sec)\nT -> S [elapsed(sec) > 1.2]";
    check(seconds, "0 | 0\n 1 | 0\n 1 | 0\n 0 | 0\n 0 | 0\n 1 | 1\n 0 | 1\n 1 | 1\n 1 | 0");
}

/// Events are counted while a state is active; a time that counts one is there only when it happens.
#[test]
fn counted_events() {
    let after = "event A call\nevent B call\noutput y\nstate S entry: y = 0;\nstate T entry: y = 1;\n-> S\nS -> T after(2, A)\nT -> S B";
    check(after, "1 0 | 0\n 0 1 | 0\n 1 0 | 0\n 0 1 | 0\n 1 0 | 1\n 0 1 | 0\n 1 1 | 0\n 1 0 | 1");
    // The other event finds the count, but is not counted.
    let at = "event A call\nevent B call\noutput y\nstate S on at(2, A): y = y + 1; | on every(2, B): y = y + 10; | on before(2, A): y = y + 100;\n-> S";
    check(at, "1 0 | 0\n 1 0 | 100\n 0 1 | 100\n 1 0 | 101\n 0 1 | 111\n 1 0 | 111\n 0 1 | 111\n 0 1 | 121");
    let count = "event A call\nevent B call\noutput y\nstate S during: y = 10*temporalCount(A) + temporalCount(tick);\n-> S";
    check(count, "1 0 | 0\n 1 0 | 11\n 0 1 | 12\n 1 1 | 24");
    let both = "event A rising\noutput y\nstate S entry: y = 0;\nstate T entry: y = 1;\n-> S\nS -> T after(1, A)\nT -> S";
    check(both, "1 | 0\n 0 | 0\n 1 | 0\n 1 | 0\n 0 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
    refused(&after.replace("after(2, A)", "[after(2, A)]"), "`after` of the event `A` in a condition");
    refused(&after.replace("after(2, A)", "after(2, C)"), "the event `C` cannot be counted");
    refused(&after.replace("after(2, A)", "enter(T)"), "`enter`");
}

/// A chart that is entered before the first step runs in it.
#[test]
fn early_entry() {
    let early = "set executeAtInitialization 1\ninput u\noutput y\nstate A entry: y = 1; | during: y = y + 10;\nstate B entry: y = 2;\n-> A\nA -> B [u > 0]";
    check(early, "0 | 11\n 0 | 21\n 1 | 2");
    check(early, "1 | 2\n 0 | 2");
    let event = "set executeAtInitialization 1\nevent E call\noutput y\nstate A entry: y = 1;\nstate B entry: y = 2;\n-> A\nA -> B E";
    check(event, "0 | 1\n 1 | 2\n 0 | 2");
    refused(&early.replace("y = 1;", "y = u;"), "the input `u` is read when its chart is entered");
    refused(
        &early.replace("[u > 0]", "after(2, tick)"),
        "times in a chart that is entered before the first step",
    );
    refused(
        "set executeAtInitialization 1\noutput y\njunction j\n-> j {y = y + 1;}",
        "only supported for charts with states",
    );
}

/// Inputs that differ from the last step. In the first step, nothing has changed.
#[test]
fn changes() {
    let any = "input u\noutput y\nstate A en, du: y = hasChanged(u);\n-> A";
    check(any, "3 | 0\n 3 | 0\n 4 | 1\n 4 | 0\n 0 | 1");
    check(&any.replace("hasChanged(u)", "hasChangedTo(u, 4)"), "4 | 0\n 3 | 0\n 4 | 1\n 4 | 0\n 5 | 0");
    check(&any.replace("hasChanged(u)", "hasChangedFrom(u, 4)"), "4 | 0\n 4 | 0\n 3 | 1\n 5 | 0");
    let when = "input u boolean\noutput y\nstate A\nstate B entry: y = y + 1;\n-> A\nA -> B [hasChangedTo(u, true)]\nB -> A";
    check(when, "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1\n 0 | 1\n 1 | 2");
    refused(
        "input u\noutput y\nlocal x\nstate A du: y = hasChanged(x);\n-> A",
        "`hasChanged(x)` is not supported",
    );
}

/// The actions of a Moore machine belong to the states that are active at the beginning of a step, whether they are left or not.
#[test]
fn moore_machines() {
    let moore = |text: &str| format!("set stateMachineType MOORE_MACHINE\n{text}");
    let toggle =
        moore("input u\noutput y\nstate A y = 1;\nstate B y = 2;\n-> A\nA -> B [u > 0]\nB -> A [u < 0]");
    // The first step enters, and the output has its initial value; a new state shows one step later.
    check(&toggle, "1 | 0\n 1 | 1\n 0 | 2\n -1 | 2\n 0 | 1");
    // Entered before the first step, it has an output in that step.
    check(&format!("set executeAtInitialization 1\n{toggle}"), "1 | 1\n 0 | 2\n -1 | 2\n 0 | 1");
    // From the outside in, and before every transition: the inner action runs although the outer state is left.
    let nested = moore(
        "input u\noutput y\nlocal n\nstate P y = 10;\nstate P.A n = n + 1; y = y + n;\nstate Q y = -1;\n-> P\n-> P.A\nP -> Q [u > 0]\nQ -> P [n < 9]",
    );
    check(&nested, "1 | 0\n 0 | 11\n 1 | 12\n 0 | -1\n 0 | 13");
    // Conditions see what the actions have set in the step.
    let counts = moore(
        "output y\nlocal n\nstate A n = n + 1; y = n;\nstate B y = 9;\n-> A\nA -> B [n >= 2]{n = 0;}\nB -> A",
    );
    check(&counts, " | 0\n | 1\n | 2\n | 9\n | 1");
    check(
        &moore("output y\nstate A y = 1;\nstate B y = 2;\n-> A\nA -> B after(2, tick)"),
        " | 0\n | 1\n | 1\n | 2",
    );
    refused(&moore("output y\nstate A during: y = 1;\n-> A"), "an action with a keyword");
    // A Mealy machine has actions only at transitions, so it needs nothing of its own.
    let mealy = "set stateMachineType MEALY_MACHINE\ninput u\noutput y\nstate A\nstate B\n-> A {y = 5;}\nA -> B [u > 0]{y = 1;}\nA -> A {y = 2;}\nB -> A [u < 0]{y = 3;}";
    check(mealy, "1 | 5\n 0 | 2\n 1 | 1\n 0 | 1\n -1 | 3");
}

/// Outputs that begin anew have their initial values unless something sets them in the step.
#[test]
fn outputs_begin_anew() {
    let anew = "set initializeOutput 1\ninput u\noutput y = 7\noutput v double[2]\nstate A entry: y = 1; v[1] = 4; | during: y = y + u;\nstate B\n-> A\nA -> B [u > 5]";
    check(anew, "1 | 1 0 4\n 2 | 9 0 0\n 3 | 10 0 0\n 6 | 7 0 0");
    // Only when the chart runs.
    let event = "set initializeOutput 1\nevent E call\noutput y\nstate A entry: y = 1;\n-> A";
    check(event, "0 | 0\n 1 | 1\n 0 | 1\n 1 | 0");
}

/// How long a condition on inputs has held while a state was active: 0 in the first step, then half a second more in each.
#[test]
fn durations() {
    let value = "input u\noutput y\nstate A en, du: y = duration(u > 0);\n-> A";
    check(value, "1 | 0\n 1 | 0.5\n 0 | 0\n 0 | 0\n 1 | 0\n 2 | 0.5\n 3 | 1");
    check(&value.replace("u > 0)", "u > 0, msec)"), "1 | 0\n 1 | 500\n 1 | 1000");
    // It counts anew when the state is entered again.
    let leaves = "input u\noutput y\nstate A\nstate B entry: y = y + 1;\n-> A\nA -> B [duration(u > 0) >= 1]\nB -> A [u > 5]";
    check(leaves, "1 | 0\n 1 | 0\n 1 | 1\n 9 | 1\n 9 | 1\n 9 | 2\n 0 | 2");
    check(leaves, "1 | 0\n 1 | 0\n 0 | 0\n 1 | 0\n 1 | 0\n 1 | 1");
    // Two conditions do not mix.
    let two = "input u\noutput y\nstate A du: y = duration(u > 0) + 10*duration(u < 5);\n-> A";
    check(two, "1 | 0\n 1 | 5.5\n 6 | 1\n 6 | 1.5\n 0 | 0\n 0 | 5");
    refused(&value.replace("u > 0", "y > 0"), "the condition of `duration` reads `y`");
    refused(&value.replace("u > 0", "in(A)"), "the condition of `duration` calls `in`");
    refused(&value.replace("u > 0", "et > 1"), "the condition of `duration` reads `et`");
    refused(&format!("event E call\n{value}"), "`duration` is only supported");
    refused(&value.replace("duration", "count"), "`count` is not supported");
}

/// A local event runs the state that it is sent to at once, and then the sender goes on.
#[test]
fn local_events() {
    // A gear that a selector moves: both in one step, whatever their order.
    let gear = "input u\noutput y\nparallel\nbroadcast UP\nbroadcast DOWN\nstate S\nstate S.Wait\nstate G\nstate G.One entry: y = 1;\nstate G.Two entry: y = 2;\nstate G.Three entry: y = 3;\n\
                -> S.Wait\n-> G.One\nG.One -> G.Two UP\nG.Two -> G.Three UP\nG.Two -> G.One DOWN\nG.Three -> G.Two DOWN\n\
                S.Wait -> S.Wait [u > 0]{SENDS(UP, G);}\nS.Wait -> S.Wait [u < 0]{SENDS(DOWN, G);}";
    let sends = gear.replace("SENDS", "send");
    let steps = "1 | 1\n 1 | 2\n 0 | 2\n 1 | 3\n 1 | 3\n -1 | 2\n -1 | 1\n -1 | 1";
    check(&sends, steps);
    check_in("actionLanguage 2\n", &sends, steps);
    check(&gear.replace("SENDS(UP, G)", "G.UP").replace("SENDS(DOWN, G)", "G.DOWN"), steps);
    // An event that belongs to the state it is sent to.
    let owned = sends.replace("broadcast UP\nbroadcast DOWN\n", "");
    let owned = owned.replace("state G.One", "broadcast G.UP\nbroadcast G.DOWN\nstate G.One");
    check(&owned, steps);
    // To the whole chart, from the entry of a state that nothing leaves then. During actions run once more.
    let all = "input u\noutput y\noutput z\nparallel\nbroadcast E\nstate A\nstate A.X\nstate A.Y entry: E; z = z + 100;\nstate A.Z\nstate B\nstate B.P du: z = z + 1;\nstate B.Q entry: y = z;\n\
               -> A.X\n-> B.P\nA.X -> A.Y [u > 0]\nA.Y -> A.Z E\nB.P -> B.Q E";
    refused(all, "it may change the states around its sender");
    let all = all.replace("A.Y -> A.Z E\n", "");
    // Q is entered before the sender goes on, so y does not have the 100.
    check(&all, "0 | 0 0\n 0 | 0 1\n 1 | 1 101\n 0 | 1 101");
    // Not sent, the event is not there: only ticks are.
    check(&all, "0 | 0 0\n 0 | 0 1\n 0 | 0 2");
    // Events are counted.
    let counted = "input u\noutput y\nparallel\nbroadcast E\nstate A\nstate A.X du: if1\nstate B\nstate B.P\nstate B.Q entry: y = 1;\n-> A.X\n-> B.P\nA.X -> A.X [u > 0]{send(E, B);}\nB.P -> B.Q after(2, E)";
    let counted = counted.replace("du: if1", "");
    check(&counted, "1 | 0\n 1 | 0\n 0 | 0\n 1 | 1");
    // What cannot be decided is refused.
    refused(&sends.replace("(UP, G)", "(UP, H)"), "no state `H`");
    refused(&sends.replace("(UP, G)", "(UP, S)"), "a state around or in the sender");
    refused(&sends.replace("(UP, G)", "(UP)"), "nested too deeply");
    refused(&owned.replace("(UP, G)", "(UP)"), "is sent to no state");
    refused(
        &format!("{}\n-> G.One {{send(UP, S);}}", sends.replace("-> G.One\n", "")),
        "a default transition",
    );
}

/// Loops of junctions with counters run as often as they must.
#[test]
fn loops_of_junctions() {
    // for i = 0, 1, …, 9: y += i * u.
    let sum = "input u\noutput y\nlocal i\njunction a\njunction b\njunction c\n-> a {y = 0; i = 0;}\na -> b [i < 10]{y = y + i * u;}\na -> c\nb -> a {i = i + 1;}";
    check(sum, "1 | 45\n 2 | 90");
    // With a branch inside, and a way out that depends on the input.
    let search = "input u\noutput y\nlocal i\nlocal n\njunction a\njunction b\njunction d\njunction e\njunction c\n-> a {i = 1; n = 0;}\n\
                  a -> c [i > 20 || i * i > u]{y = 100 * n + i;}\na -> b\nb -> d [i == 2]{n = n + 1;}\nb -> d [u > 50]{n = n + 2;}\nb -> d\nd -> a {i = i + 1;}";
    check(search, "0 | 1\n 3 | 2\n 5 | 103\n 60 | 1308\n 999 | 3921");
    // In a function that is called under a condition.
    let power = "input u\noutput y\nlocal x\nfunction r = power(a, n)\njunction power.a\njunction power.b\n-> power.a {r = 1; k = 0;}\n\
                 power.a -> power.a [k < 5]{r = r * a; k = k + 1;}\npower.a -> power.b\nstate A during: y = power(u, 5);\nstate B\n-> A\nA -> B [u > 9]\nB -> A";
    let power = power.replace("local x", "local k");
    check(&power, "2 | 0\n 2 | 32\n 3 | 243\n 10 | 243\n 2 | 243\n 2 | 32");
    // A loop that the input ends may not end.
    let open = "input u\noutput y\njunction a\njunction b\n-> a {y = 0;}\na -> a [y < u]{y = y + 1;}\na -> b";
    refused(open, "a loop of junctions may run longer");
    // Many paths that meet are not many times as long.
    let names: String = (0..=40).map(|k| format!("junction j{k}\n")).collect();
    let paths: String = (0..40)
        .map(|k| format!("j{k} -> j{} [u > {k}]{{y = y + 1;}}\nj{k} -> j{}\n", k + 1, k + 1))
        .collect();
    check(&format!("input u\noutput y\n{names}-> j0 {{y = 0;}}\n{paths}"), "3 | 3\n 99 | 40");
}

/// Statements in actions of the MATLAB language.
#[test]
fn statements() {
    let branch = "input u\noutput y int8\nlocal n\nstate A during: if u > 3 | y = u; | n = n + 1; | elseif u > 2 | y = -1; | end\n-> A\nA -> A [n > 1]{for k = 1:3, n = n - 1; end}";
    check_in(
        "actionLanguage 2\n",
        branch,
        "9 | 0\n 1 | 0\n 3.6 | 4\n 2.5 | -1\n 200 | 127\n 5 | 127\n 5 | 5",
    );
    // Data keeps its type within the code.
    let typed = "input u\noutput y int8\noutput z\nstate A during: if true | y = u; | z = y; | end\n-> A";
    check_in("actionLanguage 2\n", &typed.replace("z = y;", "z = double(y);"), "0 | 0 0\n 2.6 | 3 3");
    let wrong = as_text("output y\nstate A during: if y | y = 1;\n-> A", "actionLanguage 2\n");
    refused_file(&wrong, "is not understood");
}

/// What a chart sends: a call is there in its step, an edge changes its output.
#[test]
fn sent_events() {
    let counts = "input u\noutput y\nsends E KIND\nstate S\nstate T entry: E; | during: y++;\n-> S\nS -> T [u > 0]\nT -> S [u < 0]";
    let call = counts.replace("KIND", "call");
    check(&call, "0 | 0 0\n 1 | 0 1\n 1 | 1 0\n -1 | 1 0\n 1 | 1 1");
    check(&call.replace("entry: E;", "entry: send(E);"), "0 | 0 0\n 1 | 0 1\n 1 | 1 0");
    check(&counts.replace("KIND", "either"), "0 | 0 0\n 1 | 0 1\n 1 | 1 1\n -1 | 1 1\n 1 | 1 0");
    refused("sends E call\nstate S during: E; E;\n-> S", "it may happen twice in one step");
}

#[test]
fn arrays() {
    // In C, indices are in brackets and count from 0; in MATLAB they count from 1.
    let shift = "input u\noutput y\nlocal v double[3]\nlocal i\nstate A du: y = v[0]; v[0] = v[1]; v[1] = v[2]; v[2] = u;\n-> A";
    check(shift, "1 | 0\n 2 | 0\n 3 | 0\n 4 | 0\n 5 | 2\n 6 | 3");
    let matlab = shift.replace("[0]", "(1)").replace("[1]", "(4-2)").replace("v[2]", "v(3)");
    check_in("actionLanguage 2\n", &matlab, "1 | 0\n 2 | 0\n 3 | 0\n 4 | 0\n 5 | 2\n 6 | 3");
    // An index that is data, an initial value for each element, and an array as an output.
    let ring = "input u\noutput y int8[2] = [7 8]\nlocal k\nstate A du: y[k] += u; k = 1 - k;\n-> A";
    check(ring, "1 | 7 8\n 1 | 8 8\n 2 | 8 10\n 3 | 11 10");
    let plane =
        "input u\noutput y\nconstant m double[2 3] = [1 2 3;4 5 6]\nstate A en, du: y = m[1][u];\n-> A";
    check(plane, "0 | 4\n 1 | 5\n 2 | 6");
    let whole =
        "input u\noutput y double[2]\nlocal v double[2]\nstate A du: v[0] = u; v[1] += 1; y = v;\n-> A";
    check(whole, "5 | 0 0\n 5 | 5 1\n 6 | 6 2");
    refused(
        "output y\nlocal v double[2]\nstate A du: y = v;\n-> A",
        "the array `v` is used where one number",
    );
    refused("output y\nlocal v double[n]\nstate A\n-> A", "the size `n` of the data `v`");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    refused("output y\nstate A during: send(E);\n-> A", "broadcasts an event");
    refused("output y\nstate A during: E;\n-> A", "broadcasts an event");
    refused("output y\nstate A\nstate B\n-> A\nA -> B E", "the event `E` is not supported");
    refused("output y\njunction i\njunction j\n-> i\ni -> j [y < 1]\nj -> i", "its junctions form a loop");
    refused("output y\njunction i\njunction j\n-> i\ni -> j\nj -> i", "a loop of junctions may run longer");
    refused("output y\nstate A du: y = y %% 2;\n-> A", "the remainder `%%`");
    let bits = "set enableBitOps 1\ninput u uint8\ninput v uint8\noutput y\nstate A du: y = EXPR;\n-> A";
    check(&bits.replace("EXPR", "u > 1 & v > 1 || !v"), "0 0 | 0\n 2 2 | 1\n 2 1 | 0\n 2 0 | 1");
    refused(&bits.replace("EXPR", "u & 3"), "on bits is not supported");
    refused(&bits.replace("EXPR", "u ^ 2"), "on bits is not supported");
    refused(&bits.replace("EXPR", "~u"), "the operator `~` on bits");
    for (key, value, name) in
        [("updateMethod", "CONTINUOUS", "continuous time"), ("enableNonTerminalStates", "1", "super steps")]
    {
        refused(&format!("set {key} {value}\noutput y\nstate A\n-> A"), name);
    }
    for (section, name) in [
        ("simulink {\nisComponent 1\n}\n", "an atomic subchart"),
        ("simulink {\nisSimulinkFcn 1\n}\n", "a Simulink function"),
        ("simulink {\nisActionSubsystem 1\n}\n", "a state with Simulink blocks"),
        ("isExplicitlyCommented 1\n", "commented out"),
    ] {
        let text = as_text("output y\nstate A entry: y = 1;\n-> A", "");
        let text = text.replace("state {\n", &format!("state {{\n{section}"));
        refused_file(&text, name);
    }
    refused("output y\noutput z\nstate A entry: y = 1;\n-> A", "nothing in its chart sets the output `z`");
    refused("output y fixdt(1,16,4)\nstate A entry: y = 1;\n-> A", "the type `fixdt(1,16,4)` of `y`");
    // Types that are inherited are doubles, or refused.
    let open = "input u boolean\noutput y Inherit\nstate A en, du: y = EXPR;\n-> A";
    check(&open.replace("EXPR", "1.5 + 1"), "0 | 2.5");
    refused(&open.replace("EXPR", "u"), "the type of `y` is inherited");
    // Competing transitions without an order.
    let two = as_text("output y\nstate A\nstate B\nstate C\n-> A\nA -> B [y > 0]\nA -> C", "");
    let lost = two.replace("executionOrder \"2\"", "").replace("executionOrder \"3\"", "");
    refused_file(&lost, "the order of transitions");
    refused("output y\nstate A during: x = 1;\n-> A", "no variable `x`");
    refused("output y\nstate A during: y = foo;\n-> A", "unknown name `foo`");
    refused("input u\noutput y\nstate A during: u = 1;\n-> A", "no variable `u`");
    refused("output y\nstate A\nstate B\n-> A\nA -> B after(2, E)", "cannot be counted");
    // A subsystem without a chart is still one.
    let plan =
        planned("SubSystem s\nInport s/a\nOutport s/b\ns/a -> s/b\nInport u\nOutport y\nu -> s -> y", &[]);
    assert_eq!(plan.problems, Vec::new());
}

/// Enumerations are integers; their literals are named with them.
#[test]
fn enumerations() {
    let file = "classdef Mode < Simulink.IntEnumType\n  % what it does\n  enumeration\n    Off(0)\n    On (2), Fault(-1)\n  end\nend\n";
    let call =
        "Simulink.defineIntEnumType('Mode', {'Off', 'On', 'Fault'}, [0; 2; -1], 'DefaultValue', 'Off');";
    let stored = "classdef Mode < uint8\n enumeration\n Off(0), On(2), Fault(7)\n end\n methods (Static)\n function v = getDefaultValue()\n v = Mode.Off;\n end\n end\nend";
    let made = |script: &str| {
        let (variables, errors) = run(script, &|_| None, &std::cell::Cell::new(FUEL));
        assert_eq!(errors, Vec::new(), "{script}");
        let known = variables.into_iter().map(|(name, value)| (name, (*value.expect("a value")).clone()));
        known.collect::<Vec<_>>()
    };
    let chart = "input u\noutput y Enum: Mode\nlocal m Enum: Mode\nmatlab r = next(a) | if a == Mode.Off | r = Mode.On; | else | r = Mode.Off; | end\n\
                 state A\nstate B entry: y = Mode.On; m = next(m);\n-> A\nA -> B [u > 0 && y == Mode.Off]\nB -> A [y == Mode.On && m != Mode.Off]{y = m - 2;}";
    let lowered = |text: &str, workspace: &[(String, shall_simulink::value::Value)]| {
        let mut diagram = reading(as_text(text, "").as_bytes()).diagram;
        diagram.name = "m".to_owned();
        assert_eq!(shall_simulink::plan::loads(&diagram), ["Mode"]);
        lower(&plan(&diagram, workspace), None, &Options::default())
    };
    for script in [file, call, stored] {
        let system =
            lowered(chart, &made(script)).unwrap_or_else(|problems| panic!("{script}\n{problems:?}"));
        check_system(chart, &system, "1 | 0\n 0 | 0\n 1 | 2\n 1 | 0\n 1 | 2\n 1 | 2", 0.0);
    }
    // Blocks: constants, types of ports, and switches by literals.
    let blocks = "Inport u OutDataTypeStr=Enum: Mode\nConstant a Value=Mode.On\nConstant b Value=Mode.Fault; OutDataTypeStr=Enum: Mode\nRelationalOperator r Operator===\n\
                  Outport y\nSwitch s Criteria=u2 ~= 0\nConstant c Value=5\nConstant d Value=6\nu -> r\na -> r:2\nc -> s\nr -> s:2\nd -> s:3\ns -> y";
    let plan = planned(blocks, &made(file));
    assert_eq!(plan.problems, Vec::new());
    assert_eq!(shapes(&plan, "u") + " " + &shapes(&plan, "b"), "int32 int32");
    check_system(blocks, &lower(&plan, None, &Options::default()).expect("a system"), "2 | 5\n 0 | 6", 0.0);
    // Without the class, and with a default that is not zero.
    let problems = lowered(chart, &[]).expect_err("no class");
    assert!(problems[0].message.contains("the type `Enum: Mode` of `y`"), "{problems:?}");
    let (variables, errors) = run(&file.replace("Off(0)", "Off(1)"), &|_| None, &std::cell::Cell::new(FUEL));
    assert!(variables.is_empty() && errors[0].message.contains("is not 0"), "{errors:?}");
}

/// Whatever a file has, nothing panics or hangs: loops of states in states, functions that call themselves, and changed bytes.
#[test]
fn hostile_charts_end() {
    let runs = |bytes: &[u8]| {
        let mut diagram = reading(bytes).diagram;
        diagram.name = "m".to_owned();
        lower(&plan(&diagram, &[]), None, &Options::default())
    };
    let calls =
        "output y\nfunction r = f(a)\njunction f.j\n-> f.j {r = f(a) + 1;}\nstate A during: y = f(1);\n-> A";
    refused(calls, "functions call themselves");
    let chain: String = (0..100).map(|k| format!("junction j{k}\n")).collect();
    let chain = format!(
        "output y\n{chain}-> j0\n{}",
        (0..99).map(|k| format!("j{k} -> j{} [y < 1]\n", k + 1)).collect::<String>()
    );
    refused(&chain, "its junctions form a loop");
    let diamonds: String =
        (0..30).map(|k| format!("j{k} -> j{}\nj{k} -> j{} [y > 0]\n", k + 1, k + 1)).collect();
    let names: String = (0..=30).map(|k| format!("junction j{k}\n")).collect();
    refused(
        &format!("output y\n{names}-> j0 [y > 1]\n{}", diamonds.replace("\nj", " [y > 2]\nj")),
        "its chart is too large",
    );
    let nested = "output y\nstate A\nstate A.B entry: y = 1;\n-> A";
    let looped = as_text(nested, "").replace("treeNode [1 0 0 0]", "treeNode [12 0 0 0]");
    assert!(runs(looped.as_bytes()).is_err());
    let deep: String = (1..=60).map(|k| format!("state {}\n", vec!["A"; k].join("."))).collect();
    refused(&format!("output y\n{deep}-> A"), "nested more than");
    // Deep states, whose action calls functions in functions, each at the end of a long path and in a deep expression.
    let states: String = (1..=40).map(|k| format!("state {}\n", vec!["S"; k].join("."))).collect();
    let call = |k: usize| format!("{}f{k}(a){}", "-(".repeat(70), ")".repeat(70));
    let functions: String = (1..=8)
        .map(|k| {
            let names: String = (0..=38).map(|j| format!("junction f{k}.j{j}\n")).collect();
            let path: String = (0..38).map(|j| format!("f{k}.j{j} -> f{k}.j{} [a > {j}]\n", j + 1)).collect();
            format!(
                "function r = f{k}(a)\n{names}-> f{k}.j0\n{path}f{k}.j38 -> f{k}.j37 {{r = {};}}\n",
                call(k + 1)
            )
        })
        .collect();
    let deep = format!(
        "input u\noutput y\nlocal a\n{states}{functions}function r = f9(a)\njunction f9.j\n-> f9.j {{r = a;}}\n-> S\nS -> S [{} > 0]",
        call(1)
    );
    refused(&deep, "nested too deeply");
    let base = as_text(
        "input u\noutput y int8\nparallel\nstate A entry: y = 1; | during: y = y + u;\nstate A.X\nstate A.Y\nhistory A\n\
         state B on after(3, tick): y++;\n-> A.X\nA.X -> A.Y [u > 0]{y = 2;}/y = 3;\nA.Y -> A.X after(2, sec)",
        "",
    );
    let functions = as_text(
        "input u\noutput y int8\nlocal i\nlocal v double[3]\nevent E call\nmtable r = t(a)\nrow a > 0 : T F -\nrow L: a > 2 : - T -\ndo A 2,A 3\nact A: r = 1;\nact r = 2;\n\
         act FINAL: r = r + 1;\ntable c()\nrow u > 0 : T -\ndo 1 1\nact y = 1;\nmatlab [p, q] = f(a) | p = 0; | k = 0; | while k < 3 && p < a | k = k + 1; | p = p + v(k); | end | q = p;\n\
         function r = g(a)\njunction g.a\njunction g.b\n-> g.a {i = 0; r = 0;}\ng.a -> g.a [i < 3]{r = r + v[i]; i = i + 1;}\ng.a -> g.b\n\
         state A entry: c(); | during: [y, i] = f(u); y = t(y) + g(2);\nstate B\n-> A\nA -> B after(2, E)[u > 1]\nB -> A [hasChanged(u)]",
        "",
    );
    let mut seed = 1u64;
    for number in 0..800 {
        let base = if number % 2 == 0 { &base } else { &functions };
        let from = base.find("Stateflow").expect("a section");
        let mut bytes = base.clone().into_bytes();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = from + (seed >> 33) as usize % (bytes.len() - from);
            bytes[place] = b"{}[]()/;:=\n\"0179aA.,~"[(seed >> 20) as usize % 21];
        }
        let _ = runs(&bytes);
    }
}
