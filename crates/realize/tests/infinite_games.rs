//! Games with numbers in their memory: verdicts and strategies.

#[path = "common/infinite.rs"]
mod infinite;
#[path = "common/text.rs"]
mod text;

use engine::NoSolver;
use infinite::{cinderella, games};
use requirement::Reading;
use shall_realize::{Budget, Order, Outcome, decide, judge};
use text::Text;

fn check(text: &str, wins: bool) {
    let set = Text::read(text).set(Reading::Endless);
    let expected = if wins { Outcome::Realizable } else { Outcome::Unrealizable };
    assert_eq!(decide(&set.game, Order::Mealy, Budget::DEFAULT), expected, "{text}");
    let parts: Vec<_> = set.game.components().iter().map(|it| set.game.part(&it.guarantees)).collect();
    let judged = parts.iter().map(|it| judge(it, Order::Mealy, Budget::DEFAULT));
    let mut decided: Vec<_> = judged.filter(|it| it.outcome == expected).collect();
    assert!(if wins { decided.len() == parts.len() } else { !decided.is_empty() }, "{text}");
    for judged in &mut decided {
        let strategy = judged.strategy.take().expect("decided").expect("a strategy");
        assert_eq!(strategy.check(&NoSolver, &|| false), Ok(()), "{text}");
    }
}

#[test]
fn robots() {
    games().iter().for_each(|(text, wins)| check(text, *wins));
}

#[test]
fn buckets() {
    check(&cinderella("3"), true);
    check(&cinderella("1.5"), false);
    // Not decided, and the search ends soon after its limit is reached.
    let set = Text::read(&cinderella("2.5")).set(Reading::Endless);
    let budget = Budget { nodes: 100_000, ..Budget::DEFAULT };
    assert!(matches!(decide(&set.game, Order::Mealy, budget), Outcome::Unknown(_)));
}
