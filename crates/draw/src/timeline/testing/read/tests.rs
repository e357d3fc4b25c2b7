//! What is read is what was drawn, and no text makes the reader panic.

use super::super::super::{Undrawable, svg};
use super::super::samples::{Maker, forever, gallery, lanes, random, repeat, seq};
use super::*;
use ::timeline::picture::{Picture, Piece};
use logic::{SHALL, Store, print};

/// The picture as it should be read, straight from the formulas.
fn expected(store: &Store, picture: &Picture) -> ReadPicture {
    let alternatives = picture.alternatives.iter().map(|alternative| {
        alternative.lanes.iter().map(|lane| piece(store, &lane.piece)).collect::<Vec<_>>()
    });
    ReadPicture { alternatives: alternatives.collect() }
}

fn piece(store: &Store, drawn: &Piece) -> ReadPiece {
    let all = |pieces: &[Piece]| pieces.iter().map(|each| piece(store, each)).collect();
    match drawn {
        Piece::Step(moment) => ReadPiece::Step(print(store, moment.condition, &SHALL).expect("a condition")),
        Piece::Sequence(pieces) => ReadPiece::Sequence(all(pieces)),
        Piece::Either(pieces) => ReadPiece::Either(all(pieces)),
        Piece::Repeat(body, min, max) => ReadPiece::Repeat(piece(store, body).into(), *min, *max),
        Piece::Forever(body) => ReadPiece::Forever(piece(store, body).into()),
    }
}

fn check(store: &Store, picture: &Picture) -> String {
    let drawn = svg(store, picture, "a < b & \"c\"").expect("drawable");
    assert_eq!(read(&drawn), Ok(expected(store, picture)));
    drawn
}

#[test]
fn what_is_drawn_is_what_is_read() {
    let (store, pictures) = gallery();
    pictures.iter().for_each(|(_, picture)| {
        check(&store, picture);
    });
    let mut m = Maker::default();
    for seed in 0..2000 {
        let picture = random(&mut m, seed);
        check(&m.store, &picture);
    }
    let step = m.step("a");
    let odd = m.atom("two\nlines\tand\rmore");
    let odd = m.moment(odd);
    check(&m.store, &lanes([vec![seq([repeat(step, u64::MAX, Some(u64::MAX)), odd])]]));
}

#[test]
fn depth_and_size_are_limited() {
    let nested = |m: &mut Maker, levels: usize| {
        let step = m.step("a");
        lanes([vec![(1..levels).fold(step, |piece, _| forever(piece))]])
    };
    let mut m = Maker::default();
    let deepest = nested(&mut m, 200);
    check(&m.store, &deepest);
    let deeper = nested(&mut m, 201);
    assert_eq!(svg(&m.store, &deeper, ""), Err(Undrawable::Deep { limit: 200 }));
    let long = m.step(&"a".repeat(4001));
    assert_eq!(svg(&m.store, &lanes([vec![long]]), ""), Err(Undrawable::Long { limit: 4_000 }));
    let many = lanes([vec![seq(vec![m.step("a"); 10_000])]]);
    assert_eq!(svg(&m.store, &many, ""), Err(Undrawable::Large { limit: 10_000 }));
}

#[test]
fn any_text_is_a_picture_or_an_error() {
    let (store, pictures) = gallery();
    let drawn = check(&store, &pictures[0].1);
    for end in (0..drawn.len()).step_by(3).filter(|&end| drawn.is_char_boundary(end)) {
        assert!(read(&drawn[..end]).is_err() || drawn[end..].trim().is_empty());
    }
    let others = ["<", "\"", "&", "/", "é", "", ">"];
    for (nth, (k, c)) in drawn.char_indices().enumerate() {
        for other in [others[nth % others.len()], others[nth / 3 % others.len()]] {
            let _ = read(&format!("{}{other}{}", &drawn[..k], &drawn[k + c.len_utf8()..]));
        }
    }
    let _ = read(&"<g data-piece=\"forever\">".repeat(100_000));
    for (text, message) in [
        ("", "there is no picture"),
        ("<g data-part=\"picture\">", "an element is not closed"),
        ("<g></h>", "this element is not open here"),
        ("<g data-piece=\"step\"/>", "a step has a condition"),
        ("<g data-piece=\"loop\"/>", "there is no such part of a picture"),
        ("<g data-piece=\"forever\"/>", "exactly one piece belongs here"),
        ("<g data-piece=\"sequence\"/>", "this is outside a picture"),
        ("<g data-part=\"picture\"><g data-part=\"lane\"/></g>", "exactly one piece belongs here"),
        ("<g data-piece=\"repeat\" data-min=\"-1\" data-max=\"inf\"/>", "this is not a count"),
        ("<g data-piece=\"step\" data-guard=\"&x;\"/>", "this reference is not a character"),
        ("<g a=\"1\"b=\"2\"/>", "there should be a space, `>` or `/>`"),
    ] {
        assert_eq!(read(text).map_err(|error| error.message), Err(message), "{text}");
    }
}
