//! Suites against C programs: each example has a program that was written by hand from its requirements and passes the suite; its mutants
//! do not. Without a C compiler this says so, and checks what can be checked.

mod mutate;
mod run;
mod walks;

use shall_dfrs::Semantics;
use shall_dfrs::suite::{Options, generate};

const EXAMPLES: [&str; 5] =
    ["vending_machine_5", "vending_machine_6", "safety_injection", "priority_command", "turn_indicator"];

#[test]
fn programs_pass_and_their_mutants_fail() {
    let compiler = run::has_compiler();
    if !compiler {
        eprintln!("no C compiler `cc`: the programs are not run, the test programs are only written");
    }
    for name in EXAMPLES {
        let dfrs = run::system(name);
        let suite = generate(&dfrs, Options::default()).expect("it is finite");
        let written = export::harness::c(&dfrs, &suite);
        assert_eq!(written.matches("\n    { ").count(), suite.vectors() + 1, "{name}");
        if compiler {
            assert_eq!(run::passes(name, &dfrs, &suite), Ok(()), "{name}");
            let walks = walks::walks(&dfrs, Semantics::default(), 20, 30);
            assert_eq!(run::passes(name, &dfrs, &walks), Ok(()), "{name}");
            let found = run::mutants(name, &dfrs, Semantics::default(), &suite, 60, 40);
            let told = found.killed + found.missed.len();
            assert!(found.killed * 100 >= told * 95, "{name}: {:#?}", found.missed);
            assert!(found.killed * 4 >= found.mutants * 3, "{name}: {} of {}", found.killed, found.mutants);
        }
    }
}

#[test]
fn all_kinds_of_mistakes_are_made() {
    let text = "static int a;\nvoid step(int b)\n{\n    if (a < 3 && b)\n        a = 4;\n    else\n        tell();\n}\n";
    let words: Vec<String> = mutate::mutants(text).into_iter().map(|it| it.words).collect();
    for expected in [
        "line 4: `<` becomes `>=`",
        "line 4: `&&` becomes `||`",
        "line 4: `3` becomes `(3 + 1)`",
        "line 4: `( a < 3 && b )` becomes `(!( a < 3 && b ))`",
        "line 4: `b` becomes `!b`",
        "line 5: `a = 4` becomes ``",
        "line 6: `else` becomes ``",
        "line 7: `tell ( )` becomes ``",
    ] {
        assert!(words.iter().any(|it| it == expected), "{expected}: {words:#?}");
    }
}
