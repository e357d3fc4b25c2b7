//! What is asked about properties that do not hold, and what is said about nodes one by one: Boolean programs, decided without a solver.

use lustre::modular::{Calls, Extent, analyse};
use lustre::{Program, read};
use shall_engine::{Answer, Config, NoSolver, Possible, reason, sides};
use std::time::Duration;

fn program(text: &str) -> Program {
    let program = read(text, &|_| None);
    assert!(!program.is_wrong(), "{:?}", program.diagnostics);
    program
}

/// The answers about the only property of a node, in short.
fn asked(text: &str) -> String {
    let program = program(text);
    let mut system = program.system("f", &Default::default()).expect("a system");
    let sides = sides(&mut system, 0).expect("a property");
    let left = || Duration::from_secs(20);
    let answers = reason(&system, sides, &Config::new(&left, &NoSolver), 4);
    let said = |possible: &Possible| match possible {
        Possible::Yes(found) => found.run.steps.len().to_string(),
        Possible::Never => "never".into(),
        Possible::Unknown(why) => format!("unknown: {why}"),
    };
    let mut parts = vec![said(&answers.premise), said(&answers.both)];
    parts.extend(answers.conclusion.as_ref().map(said));
    parts.extend(answers.stronger.iter().map(|it| it.join(" and ")));
    assert!(!answers.cut && answers.undecided == 0);
    parts.join(", ")
}

#[test]
fn answers() {
    let head = "node f(a, b, c: bool) returns (y: bool); var m: bool; let ";
    for (text, expected) in [
        // The response needs another input.
        ("y = a and b; m = true; check \"p\" a => y; tel", "1, 1, b"),
        // It needs two.
        ("y = a and b and c; m = true; check a => y; tel", "1, 1, b and c"),
        // It needs the step before.
        ("y = false -> a and pre b; m = true; check a => y; tel", "1, 2, pre(b)"),
        // The condition is never met.
        ("y = b; m = a and (false -> pre m); check m => y; tel", "never, never, 1"),
        // It is met, but not at once; then the response never holds.
        ("m = false -> pre a; y = not m and a; check m => y; tel", "2, never, 1"),
        // The response never holds.
        ("m = true; y = false -> pre y; check a => y; tel", "1, never, never"),
        // Without a condition, it is asked when the response holds.
        ("m = true; y = a or b; check y; tel", "1, 1, a, b"),
        // A mode.
        ("y = a and b; m = true; check y provided a; tel", "1, 1, b"),
    ] {
        assert_eq!(asked(&format!("{head}{text}")), expected, "{text}");
    }
}

/// Verdicts of all nodes: property, word, what is replaced and what is assumed.
fn nodes(text: &str, extent: Extent, calls: Calls) -> String {
    let left = || Duration::from_secs(20);
    let analysis = analyse(&program(text), extent, calls, &Config::new(&left, &NoSolver));
    let mut lines = Vec::new();
    for part in &analysis.parts {
        for verdict in &part.verdicts {
            let word = match verdict.answer {
                Answer::Valid(_) => "valid",
                Answer::Invalid(_) => "invalid",
                Answer::Unknown(_) => "unknown",
            };
            let name = &part.system.properties[verdict.property].name;
            let by = if part.replaced.is_empty() {
                String::new()
            } else {
                format!(" by {}", part.replaced.join(" "))
            };
            let is_valid = word == "valid" && !part.assumes.is_empty();
            let given = if is_valid { format!(" given {}", part.assumes.join(" ")) } else { String::new() };
            lines.push(format!("{}.{name} {word}{by}{given}", part.node));
        }
    }
    lines.extend(analysis.refused.iter().map(|it| it.code.id().to_owned()));
    lines.join("; ")
}

#[test]
fn node_by_node() {
    let g = |guarantee: &str, body: &str| {
        format!(
            "node g(x: bool) returns (y: bool); (*@contract guarantee \"k\" {guarantee}; *) let y = {body}; tel\n\
             node f(x: bool) returns (z: bool); let z = g(x); check \"p\" x => z; tel\n"
        )
    };
    let kept = g("x => y", "x");
    let loose = g("true", "x");
    let broken = g("x => y", "not x");
    let unkept = g("x = y and (true -> pre x = y)", "x");
    let ranged = |input: &str, output: &str, guarantee: &str| {
        format!(
            "node g(x: {input}) returns (y: {output}); (*@contract guarantee \"k\" {guarantee}; *) let y = x; tel\n\
             node f(b: bool) returns (z: int); let z = g(if b then 0 else 2); check \"p\" z <= 1; tel\n"
        )
    };
    let range = "subrange [0, 1] of int";
    let output = ranged("subrange [0, 2] of int", range, "true");
    let input = ranged(range, "int", "y <= 1");
    let hidden = |text: &str| format!("opaque {text}");
    let (hidden_kept, hidden_broken) = (hidden(&kept), hidden(&broken));
    // A loop in `h`, and in all that have its body inside.
    let looped = format!(
        "{kept}node h(x: bool) returns (y: bool); var z: bool; let y = z or x; z = y; check \"q\" y; tel\n\
         node i(x: bool) returns (z: bool); let z = h(x); check \"r\" z; tel\n"
    );
    for (text, extent, calls, expected) in [
        (&looped, Extent::Everything, Calls::Bodies, "g.k valid; f.p valid; E0612"),
        (&looped, Extent::Everything, Calls::Refined, "g.k valid; f.p valid by g; E0612"),
        (&looped, Extent::Node("f"), Calls::Refined, "f.p valid by g"),
        (&looped, Extent::Node("i"), Calls::Bodies, "E0612"),
        // Of an opaque node, only the contract is seen, even where others have bodies.
        (&hidden_kept, Extent::Everything, Calls::Bodies, "g.k valid; f.p valid by g"),
        (&hidden_broken, Extent::Everything, Calls::Bodies, "g.k invalid; f.p valid by g given g"),
        (&hidden_kept, Extent::Node("f"), Calls::Bodies, "f.p valid by g given g"),
        (&kept, Extent::Everything, Calls::Contracts, "g.k valid; f.p valid by g"),
        (&kept, Extent::Node("f"), Calls::Refined, "f.p valid by g"),
        // The contract leaves open what the body decides.
        (&loose, Extent::Everything, Calls::Contracts, "g.k valid; f.p unknown by g"),
        (&loose, Extent::Everything, Calls::Refined, "g.k valid; f.p valid"),
        // The contract is not kept: what rests on it is conditional, and refinement finds out.
        (&broken, Extent::Everything, Calls::Contracts, "g.k invalid; f.p valid by g given g"),
        (&broken, Extent::Node("f"), Calls::Refined, "f.p invalid"),
        (&unkept, Extent::Everything, Calls::Contracts, "g.k invalid; f.p valid by g given g"),
        (&unkept, Extent::Node("f"), Calls::Refined, "f.p valid"),
        // A subrange of an output is a promise too, and one of an input a condition.
        (
            &output,
            Extent::Everything,
            Calls::Contracts,
            "g.y._bounds invalid; g.k valid; f.p valid by g given g; f.g.x._bounds valid by g given g",
        ),
        (&output, Extent::Node("f"), Calls::Refined, "f.p invalid; f.g.x._bounds valid"),
        // With bodies, each node that has something to show is checked in its own scope.
        (&kept, Extent::Everything, Calls::Bodies, "g.k valid; f.p valid"),
        (&broken, Extent::Everything, Calls::Bodies, "g.k invalid; f.p invalid"),
        (&broken, Extent::Node("f"), Calls::Bodies, "f.p invalid"),
        (&input, Extent::Node("f"), Calls::Contracts, "f.p unknown by g; f.g.x._bounds unknown by g"),
        (&input, Extent::Node("f"), Calls::Refined, "f.p invalid; f.g.x._bounds invalid"),
    ] {
        assert_eq!(nodes(text, extent, calls), expected, "{text}");
    }
}
