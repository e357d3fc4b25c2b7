//! A contract put beside a node says of each run what it says when the node imports it.

use shall_lustre::{Options, read};
use system::{Value, simulate};

const TEXT: &str = "
contract Counts (go: bool; limit: int) returns (count: int);
let
  var before: int = 0 -> pre count;
  assume limit > 0;
  guarantee \"small\" count <= limit;
  guarantee \"step\" count - before <= 1;
  mode still (require not go; ensure count = before;);
  mode going (require go; ensure \"moves\" count > before;);
tel
node bare(go: bool; limit: int) returns (count: int);
let count = if go then (1 -> pre count + 1) else (0 -> pre count); tel
node bound(go: bool; limit: int) returns (count: int); (*@contract import Counts(go, limit) returns (count); *)
let count = if go then (1 -> pre count + 1) else (0 -> pre count); tel
";

#[test]
fn an_observer_says_what_the_import_says() {
    let program = read(TEXT, &|_| None);
    let with = program.system("bound", &Options::default()).unwrap();
    let mut beside = program.system("bare", &Options::default()).unwrap();
    let observer = program.observer("Counts").unwrap();
    let names = ["go", "limit", "count"];
    let bind = names.map(|name| (name.to_owned(), beside.named(name).unwrap()));
    beside.include(&observer, "Counts.", &bind.into());
    assert!(beside.check().is_empty());
    let mut refuted = vec![false; with.properties.len()];
    for code in 0..512u32 {
        let row = |step: u32| {
            let (go, limit) = (code >> step & 1 == 1, code >> (step + 4) & 3);
            vec![Value::Bool(go), Value::Int(limit.into())]
        };
        let inputs: Vec<Vec<Value>> = (0..5).map(row).collect();
        let (expected, found) = (simulate(&with, &[], &inputs), simulate(&beside, &[], &inputs));
        for (expected, found) in expected.steps.iter().zip(&found.steps) {
            assert_eq!(expected.properties, found.properties);
            assert_eq!(expected.assumed, found.assumed);
            refuted.iter_mut().zip(&found.properties).for_each(|(any, it)| *any |= *it == Some(false));
        }
    }
    assert_eq!(refuted, [true, false, false, false, false], "each property is seen as it is");
}

#[test]
fn subranges_of_outputs_are_claims() {
    let text = "contract C(x: subrange [0, 9] of int) returns (y: subrange [0, 9] of int); let guarantee \"up\" y >= x; tel";
    let observer = read(text, &|_| None).observer("C").unwrap();
    let names: Vec<&str> = observer.properties.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((observer.assumptions.len(), names), (1, vec!["y._bounds", "up"]));
}

#[test]
fn an_unknown_contract_is_named() {
    let wrong = read(TEXT, &|_| None).observer("Count").unwrap_err();
    assert_eq!(
        (wrong[0].message.as_str(), wrong[0].hint.as_str()),
        ("there is no contract `Count`", "did you mean `Counts`?")
    );
}
