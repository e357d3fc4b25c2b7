//! Games with numbers in their memory, as requirements: those of Neider and Topcu (TACAS 2016), some whose memory grows, and Cinderella.
//!
//! A robot is moved on an infinite grid, by the environment and by the system in turn, each by at most one cell.

/// The sentence that a number moves by at most one, besides what is added.
fn moves(name: &str, start: i32, added: &str) -> String {
    format!(
        "the sw shall always satisfy preInt({start}, {name}){added} - 1 <= {name} & {name} <= preInt({start}, {name}){added} + 1"
    )
}

const SHORT: &str = "-1 <= dx & dx <= 1 & -1 <= dy & dy <= 1";
const NEAR: &str =
    "preInt(0, x) - 1 <= x & x <= preInt(0, x) + 1 & preInt(0, y) - 1 <= y & y <= preInt(0, y) + 1";

/// The games, each with whether the system wins.
pub(crate) fn games() -> Vec<(String, bool)> {
    [boxes(), diagonal(), two_robots(), growing_memory()].concat()
}

fn boxes() -> Vec<(String, bool)> {
    let (x, y) = (moves("x", 1, " + dx"), moves("y", 1, " + dy"));
    let both =
        format!("in dx dy: int\nout x y: int\nassume the env shall always satisfy {SHORT}\n{x}\n{y}\n");
    // The environment leaves the strip, if it may move twice as far.
    let far = both.replace("-1 <= dy & dy <= 1", "-2 <= dy & dy <= 2");
    let (x, y) = (moves("x", 1, ""), moves("y", 1, ""));
    let limited = format!(
        "in dx: int\nout x y: int\nassume the env shall always satisfy -1 <= dx & dx <= 1
        the sw shall always satisfy x = preInt(1, x) + dx\n{y}\n"
    );
    vec![
        (format!("{both}the sw shall always satisfy 0 <= y & y <= 3"), true),
        (format!("{both}the sw shall always satisfy 0 <= x & x <= 5 & 0 <= y & y <= 5"), true),
        (format!("{far}the sw shall always satisfy 0 <= y & y <= 1"), false),
        (format!("out x y: int\n{x}\n{y}\nthe sw shall always satisfy 0 <= y & y <= 3"), true),
        (format!("{limited}the sw shall always satisfy 0 <= y & y <= 3"), true),
        (format!("{limited}the sw shall always satisfy 0 <= x & x <= 3"), false),
    ]
}

fn diagonal() -> Vec<(String, bool)> {
    let y = moves("y", 0, "");
    let text = format!(
        "in dx: int\nout x y: int\nassume the env shall always satisfy -1 <= dx & dx <= 1
        the sw shall always satisfy x = preInt(0, x) + dx\n{y}\n"
    );
    vec![
        (format!("{text}the sw shall always satisfy x - 2 <= y & y <= x + 2"), true),
        (format!("{text}the sw shall always satisfy x + 2 <= y & y <= x + 3"), false),
    ]
}

fn two_robots() -> Vec<(String, bool)> {
    let mine = |start| [moves("u", start, ""), moves("v", start, "")].join("\n");
    let text = |start| {
        format!("in x y: int\nout u v: int\nassume the env shall always satisfy {NEAR}\n{}\n", mine(start))
    };
    let apart = |start: i32| {
        format!(
            "{}the sw shall always satisfy !(x = u & y = v)
            the sw shall always satisfy !(x = preInt({start}, u) & y = preInt({start}, v))",
            text(start)
        )
    };
    let near = |distance: u32| {
        let sums = ["x - u + y - v", "x - u + v - y", "u - x + y - v", "u - x + v - y"];
        let all: Vec<String> = sums.iter().map(|it| format!("{it} <= {distance}")).collect();
        format!("{}the sw shall always satisfy {}", text(0), all.join(" & "))
    };
    vec![
        (apart(5), true),
        // Next to each other, the system is caught at the first move.
        (apart(1), false),
        (near(2), true),
        (format!("{}\nthe sw shall always satisfy !(x = u & y = v)", near(0)), false),
    ]
}

/// Memory that grows, and a bound that is met in time or not.
fn growing_memory() -> Vec<(String, bool)> {
    let climb = |steps: u32| {
        format!(
            "out x: real\nthe sw shall always satisfy FTP => x = 120
            the sw shall always satisfy !FTP => x >= preReal(0, x) - 10
            the sw shall within {steps} ticks satisfy x <= 20"
        )
    };
    // Two sums that approach each other by one at each step.
    let race = |start: u32| {
        format!(
            "in a: int\nout x y: int\nassume the env shall always satisfy a >= {start}
            the sw shall always satisfy FTP => x = a & y = 0
            the sw shall always satisfy !FTP => x = preInt(0, x) + 1 & y = preInt(0, y) + 2
            the sw shall within 10 ticks satisfy x > y
            the sw shall always satisfy x + 20 > y"
        )
    };
    vec![(climb(9), false), (climb(10), true), (race(5), false)]
}

/// A stepmother pours one unit of water into five buckets that stand in a circle, Cinderella empties two that stand side by side, and so
/// on. No bucket may overflow. Cinderella wins exactly if buckets hold at least two units (Hurkens, Hurkens and Woeginger 2011).
pub(crate) fn cinderella(capacity: &str) -> String {
    let poured = |it: usize| format!("preReal(0, b{it}) + a{it}");
    let inputs: Vec<String> = (0..5).map(|it| format!("a{it}")).collect();
    let positive: Vec<String> = inputs.iter().map(|it| format!("{it} >= 0")).collect();
    let emptied = (0..5).map(|it| {
        let chosen = format!("(e = e{it} | e = e{})", (it + 4) % 5);
        format!(
            "the sw shall always satisfy if {chosen} then b{it} = 0
            the sw shall always satisfy if !{chosen} then b{it} = {}",
            poured(it)
        )
    });
    let emptied: Vec<String> = emptied.collect();
    let within: Vec<String> = (0..5).map(|it| format!("{} <= {capacity}", poured(it))).collect();
    format!(
        "in {}: real\nout b0 b1 b2 b3 b4: real\nout e: enum(e0, e1, e2, e3, e4)
        assume the env shall always satisfy {} & {} = 1
        {}\nthe sw shall always satisfy {}",
        inputs.join(" "),
        positive.join(" & "),
        inputs.join(" + "),
        emptied.join("\n"),
        within.join(" & ")
    )
}
