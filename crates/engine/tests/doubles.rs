//! Properties that hold for real numbers, and what doubles make of them.

use lustre::{Options, read};
use shall_engine::falsify_in_doubles;

#[test]
fn what_rounding_breaks_is_found() {
    for (body, breaks) in [
        ("check (x + 1.0) - 1.0 = x;", true),
        ("check x <> 0.0 => (x * x) > 0.0;", true),
        ("check x + x >= x or x < 0.0;", false),
        ("check (x + y) = (y + x);", false),
        ("check (if x > y then x else y) >= y;", false),
        ("assert x = 0.0; check x + 1.0 = 1.0;", false),
    ] {
        let text = format!("node n(x, y: real) returns (z: real); let z = x; {body} tel");
        let system = read(&text, &|_| None).system("n", &Options::default()).unwrap();
        let found = falsify_in_doubles(&system, 0, 1, 4000, &|| false);
        assert_eq!(found.is_some(), breaks, "{body}");
        let last = found.map(|run| run.steps.last().unwrap().properties.clone());
        assert!(last.is_none_or(|it| it == [Some(false)]), "{body}");
    }
}
