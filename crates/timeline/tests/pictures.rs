//! Pictures: they show the language of the timeline, and their examples satisfy the formula at the steps they are given for.

use logic::{Store, holds_at};
use requirement::{Context, lower_formula};
use shall_timeline::check::{picture_expressions, same_language};
use shall_timeline::picture::{Moment, Piece};
use shall_timeline::{Budget, Fuel, Words, draw, picture};

fn moments<'a>(piece: &'a Piece, found: &mut Vec<&'a Moment>) {
    match piece {
        Piece::Step(moment) => found.push(moment),
        Piece::Sequence(pieces) | Piece::Either(pieces) => {
            pieces.iter().for_each(|piece| moments(piece, found))
        }
        Piece::Repeat(piece, ..) | Piece::Forever(piece) => moments(piece, found),
    }
}

/// The formula, the number of alternatives, of lanes, and of steps drawn.
fn check(text: &str, expected: (usize, usize, usize)) {
    let mut store = Store::default();
    let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
    let formula = formula.unwrap_or_else(|| panic!("{text} is not read"));
    let mut drawn = draw(&mut store, formula, Words::Infinite, Budget::default()).expect("a timeline");
    let statistics = drawn.statistics();
    let picture = picture(&mut store, &mut drawn, formula).expect("a picture");
    let mut steps = Vec::new();
    for lane in picture.alternatives.iter().flat_map(|alternative| &alternative.lanes) {
        moments(&lane.piece, &mut steps);
    }
    assert_eq!((statistics.alternatives, statistics.lanes, steps.len()), expected, "{text}");
    assert_eq!(steps.len() as u64 + 1, statistics.drawn_nodes, "{text}");
    for moment in steps {
        let (trace, place) = moment.example.as_ref().unwrap_or_else(|| panic!("{text}: an example"));
        assert_eq!(holds_at(&store, formula, trace, 0), Ok(true), "{text}");
        assert_eq!(holds_at(&store, moment.condition, trace, *place), Ok(true), "{text}");
    }
    let atoms = drawn.atoms.clone();
    let shown = picture_expressions(&store, &mut drawn.expressions, &atoms, &picture).expect("expressions");
    for (lanes, shown) in drawn.alternatives.iter().zip(&shown) {
        for (&lane, &shown) in lanes.iter().zip(shown) {
            let same = same_language(&mut drawn.expressions, lane, shown, &mut Fuel::new(5_000_000));
            assert_eq!(same, Ok(true), "{text}");
        }
    }
}

#[test]
fn pictures_show_the_language() {
    for (text, expected) in [
        ("G a", (1, 1, 1)),
        ("F a", (1, 1, 3)),
        ("G F a", (1, 1, 2)),
        ("a & !a", (0, 0, 0)),
        ("G F a -> G F b", (2, 1, 4)),
        ("G (a -> F b)", (1, 1, 3)),
        ("G (a -> X !a)", (1, 1, 2)),
        ("G (a -> X !a | X X !a | X X X !a)", (1, 1, 2)),
        ("a & X a & X X a & X X X G b", (1, 1, 2)),
        ("G (x > 3 -> X (x < 5))", (2, 1, 10)),
        ("G F e -> (G (h -> (h U e)) & G (f -> (f U e)) & G (!h | !f) & G (c -> F f) & G F h)", (2, 5, 14)),
    ] {
        check(text, expected);
    }
}
