//! Violations that random walks find alone: behind comparisons, beside irrational numbers, after long quiet stretches.

mod support;

use lustre::{Options, read};
use shall_engine::{Answer, Config, Engine, NoSolver, verify};
use support::seconds;

#[test]
fn walks_find_their_way() {
    for body in [
        "check not (x = y and y = z and i = j + 1000);",
        "check not (x = y * y + 0.25 and i = 77 and not (x = 0.25));",
        // A tenth is no double, and the root is irrational.
        "check not (x >= 0.1 and x <= 0.1 and sqrt(x + y * y) > 1.0);",
        "s = 0.0 -> pre s + (if x > 5.0 and x < 9.0 then 1.0 else 0.0); check s < 100.0;",
        // An integrator that takes 12,000 steps.
        "s = 0.0 -> pre s + 0.01 * (if x - y > 1.0 then 1.0 else if x - y < -1.0 then -1.0 else x - y); check s < 120.0;",
    ] {
        let text = format!(
            "include \"lustrec_math.lus\" node n(x, y, z: real; i, j: int) returns (s: real); let {} {body} tel",
            if body.starts_with("s =") { "" } else { "s = x;" }
        );
        let system = read(&text, &|_| None).system("n", &Options::default()).unwrap();
        let left = seconds(20);
        let config = Config { engines: &[Engine::Random], ..Config::new(&left, &NoSolver) };
        let verdict = verify(&system, &[0], &config).remove(0);
        assert!(matches!(verdict.answer, Answer::Invalid(_)), "{body}: {:?}", verdict.answer);
    }
}
