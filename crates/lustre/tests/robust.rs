//! No text makes the reader of Lustre panic: the corpus is cut short and changed at random, and deep or wide programs are refused or
//! read. Nodes are listed as they are, and files are included once.

use base::Random;
use shall_lustre::{Callees, Options, read};
use std::path::Path;
use syntax::Code;

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    files.iter().map(|it| std::fs::read_to_string(it).unwrap()).collect()
}

fn try_all(text: &str) {
    let program = read(text, &|_| None);
    for diagnostic in &program.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    for node in program.nodes() {
        for callees in [Callees::Inline, Callees::Contract] {
            if let Ok(system) = program.system(&node.name, &Options { callees, only: None }) {
                assert!(system.check().is_empty(), "{:?}\n{text}", system.check());
            }
        }
    }
}

#[test]
fn truncations_do_no_harm() {
    let mut rng = Random::new(7);
    for text in corpus() {
        for _ in 0..12 {
            let mut end = rng.below(text.len() as u64) as usize;
            while !text.is_char_boundary(end) {
                end += 1;
            }
            try_all(&text[..end]);
        }
    }
}

#[test]
fn mutations_do_no_harm() {
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        "=",
        "->",
        "pre ",
        "x",
        "y",
        "f(",
        "1",
        "0.5",
        "true",
        "int",
        "real(",
        "uint8 ",
        "if ",
        "then ",
        "else ",
        " when c",
        "merge(",
        "tel",
        "let",
        "node ",
        "^",
        ".",
        "::",
        "*)",
        "(*@contract",
        "--%PROPERTY ",
        "é",
        "\"",
        "999999999999999999999",
        "1e9999",
        "- ",
        "not ",
    ];
    let mut rng = Random::new(11);
    for text in corpus() {
        for _ in 0..25 {
            let mut chars: Vec<char> = text.chars().collect();
            for _ in 0..=rng.below(3) {
                let at = rng.below(chars.len() as u64) as usize;
                let piece = pieces[rng.below(pieces.len() as u64) as usize];
                let cut = rng.below(4) as usize;
                let end = (at + cut).min(chars.len());
                chars.splice(at..end, piece.chars());
            }
            try_all(&chars.into_iter().collect::<String>());
        }
    }
}

#[test]
fn deep_and_wide_programs_end_well() {
    let node = |body: &str| format!("node f(x: int; b: bool) returns (y: int);\n{body}\n");
    let nested = "(".repeat(3000) + "x" + &")".repeat(3000);
    let program = read(&node(&format!("let y = {nested}; tel")), &|_| None);
    assert!(program.diagnostics.iter().any(|it| it.code == syntax::codes::TOO_DEEP));
    // A long sum is not deep, and neither is a long chain of definitions.
    let sum = vec!["x"; 20_000].join(" + ");
    let variables: Vec<String> = (0..20_000).map(|it| format!("v{it}")).collect();
    let mut chain = format!("var {}: int;\nlet y = v0; v19999 = x;\n", variables.join(", "));
    (0..19_999).for_each(|it| chain += &format!("v{it} = v{} + 1;\n", it + 1));
    let constants: String = (1..5000).map(|it| format!("const c{it} = c{} + 1.5;\n", it - 1)).collect();
    let constants = format!("const c0 = 0.5;\n{constants}{}", node("let y = int(c4999); tel"));
    let nodes: String = (1..150)
        .map(|it| format!("node g{it}(x: int) returns (y: int); let y = g{}(x); tel\n", it - 1))
        .collect();
    let nodes =
        format!("node g0(x: int) returns (y: int); let y = x; tel\n{nodes}{}", node("let y = g149(x); tel"));
    for text in [node(&format!("let y = {sum}; tel")), node(&(chain + "tel")), constants, nodes] {
        let program = read(&text, &|_| None);
        assert!(!program.is_wrong(), "{:?}", program.diagnostics.first());
        assert!(program.system("f", &Options::default()).is_ok());
    }
    // Twice as many calls at each level.
    let doubled: String = (1..60)
        .map(|it| format!("node g{it}(x: int) returns (y: int); let y = g{0}(x) + g{0}(x); tel\n", it - 1))
        .collect();
    let doubled = format!("node g0(x: int) returns (y: int); let y = x; tel\n{doubled}");
    let wrong = read(&doubled, &|_| None).system("g59", &Options::default()).unwrap_err();
    assert_eq!(wrong[0].code, shall_lustre::codes::TOO_MANY_PARTS);
}

#[test]
fn what_is_written_behind_counts_as_depth() {
    let long = |head: &str, part: &str, tail: &str| format!("{head}{}{tail}", part.repeat(100_000));
    let node = "node f(x: int; c: bool) returns (y: int); let y = ";
    let ranks = "(".repeat(100) + "x" + &" lsh 1 && 1 || 1 * 1 + 1 < 1 and c or c => c -> 1)".repeat(100);
    for text in [
        long("type t = int", "^1", ";"),
        long(&format!("{node}x"), "^1", "; tel"),
        long(&format!("{node}x"), "[0]", "; tel"),
        long(&format!("{node}x"), ".f", "; tel"),
        long(&format!("{node}x"), ".%0", "; tel"),
        long(&format!("{node}x"), " when c", "; tel"),
        format!("{node}{ranks}; tel"),
    ] {
        let codes: Vec<Code> = read(&text, &|_| None).diagnostics.iter().map(|it| it.code).collect();
        assert!(codes.contains(&syntax::codes::TOO_DEEP), "{} {codes:?}", &text[..80]);
    }
}

#[test]
fn sizes_multiply_up_to_a_limit() {
    let outputs: Vec<String> = (0..=65_536).map(|it| format!("v{it}")).collect();
    let outputs = outputs.join(", ");
    let constants: String =
        (0..2000).map(|it| format!("const c{it} = 1^60000; const k{it}: int^60000;\n")).collect();
    for text in [
        "node big(x: int) returns (y: int); var a: int^65536; let a = x^65536; y = a[0]; tel
         node f(x: int) returns (z: int^65536); let z[i] = big(x); tel"
            .to_owned(),
        "node f(x: int; b: int^65536) returns (a: int^65536); let a[i] = b[x + i]; tel".to_owned(),
        // Small in the system, but not on the way there.
        "node f(x: int; b: int^65536) returns (a: int); let a = ((((b[x])^65536)[x])^65536)[x]; tel"
            .to_owned(),
        format!("{constants} node f(x: int) returns (y: int); let y = x; tel"),
        format!(
            "node g(x: int) returns ({outputs}: int^65536); let tel
             node f(x: int) returns ({outputs}: int^65536); let ({outputs}) = g(x); tel"
        ),
    ] {
        let found = read(&text, &|_| None).system("f", &Options::default());
        assert_eq!(
            found.expect_err("a limit")[0].code,
            shall_lustre::codes::TOO_MANY_PARTS,
            "{}",
            &text[..80]
        );
    }
}

#[test]
fn nodes_are_listed() {
    let text = "
        node imported g(x: int) returns (y: int);
        function h(x: int) returns (y: int); let y = x; tel
        node f(x: int) returns (y: int; z: int);
        (*@contract guarantee y = x; *)
        var w: int;
        let y = g(h(x)) + g(x); check \"P\" y = x; --%MAIN;
        tel";
    let program = read(text, &|_| None);
    assert_eq!(program.diagnostics, []);
    let nodes = program.nodes();
    let names: Vec<(&str, bool, bool, bool, bool)> =
        nodes.iter().map(|it| (it.name.as_str(), it.function, it.imported, it.main, it.contract)).collect();
    assert_eq!(
        names,
        [("g", false, true, false, false), ("h", true, false, false, false), ("f", false, false, true, true)]
    );
    assert_eq!(nodes[2].calls, ["h", "g"]);
    assert_eq!(nodes[2].properties, ["P"]);
    assert_eq!(nodes[2].outputs, ["y", "z"]);
    let undefined: Vec<String> = program.undefined().into_iter().map(|it| it.message).collect();
    assert_eq!(undefined, ["`z` of `f` has no definition", "`w` of `f` has no definition"]);
    let only = Options { only: Some(vec!["P".to_owned()]), ..Options::default() };
    assert_eq!(program.system("f", &only).unwrap().properties.len(), 1);
    assert_eq!(program.system("ff", &only).unwrap_err()[0].code, shall_lustre::codes::UNKNOWN_NODE);
    assert_eq!(program.system("g", &only).unwrap_err()[0].code, shall_lustre::codes::UNKNOWN_NODE);
}

#[test]
fn files_are_included_once_and_their_slips_located() {
    let loader = |name: &str| match name {
        "a.lus" => {
            Some("include \"b.lus\"\nfunction a(x: int) returns (y: int); let y = b(x); tel".to_owned())
        }
        "b.lus" => Some("include \"a.lus\"\nfunction b(x: int) returns (y: int); let y = x; tel".to_owned()),
        "wrong.lus" => Some("\nfunction c(x: int) returns (y: int); let y = z; tel".to_owned()),
        _ => None,
    };
    let fine = read("include \"a.lus\"\nnode f(x: int) returns (y: int); let y = a(b(x)); tel", &loader);
    assert_eq!(fine.diagnostics, []);
    assert!(fine.system("f", &Options::default()).is_ok());
    let wrong = read("include \"wrong.lus\"\n", &loader);
    assert_eq!(wrong.diagnostics[0].message, "in `wrong.lus`, line 2: there is no variable or constant `z`");
    assert_eq!(wrong.diagnostics[0].span.range(), 8..19);
}

#[test]
fn equal_memory_is_one_state() {
    let text =
        "node f(x: int) returns (y, z: int); let y = 0 -> pre x; z = (0 -> pre x) + (1 -> 2 + pre x); tel";
    let system = read(text, &|_| None).system("f", &Options::default()).unwrap();
    let names: Vec<&str> = system.variables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["x", "pre(x)", "first()"]);
    // Two calls of one node on equal arguments remember the same.
    let text = "node g(x: bool) returns (y: bool); let y = x and (true -> pre y); tel
        node f(x: bool) returns (y: bool); let y = g(x) = g(x); check y; tel";
    let system = read(text, &|_| None).system("f", &Options::default()).unwrap();
    assert_eq!(system.state.len(), 1);
    assert_eq!(system.properties[0].value, system::Pool::TRUE);
}
