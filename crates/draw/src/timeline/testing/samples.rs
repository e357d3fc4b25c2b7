//! Pictures for tests, built from formulas in the style of ω-regular expressions.

use ::timeline::picture::{Alternative, Lane, Moment, Picture, Piece, Shows};
use base::Random;
use logic::{Formula, Store, Trace, Value};
use std::rc::Rc;

/// A store with short ways to make pieces.
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) store: Store,
}

impl Maker {
    pub(crate) fn atom(&mut self, name: &str) -> Formula {
        let symbol = self.store.symbol(name);
        self.store.var(symbol)
    }

    /// A conjunction of literals such as `a !b`; nothing is ⊤.
    pub(crate) fn all(&mut self, literals: &str) -> Formula {
        let literals = self.literals(literals);
        self.store.and(literals)
    }

    pub(crate) fn any(&mut self, literals: &str) -> Formula {
        let literals = self.literals(literals);
        self.store.or(literals)
    }

    fn literals(&mut self, literals: &str) -> Vec<Formula> {
        let literal = |word: &str| match word.strip_prefix('!') {
            Some(name) => {
                let atom = self.atom(name);
                self.store.not(atom)
            }
            None => self.atom(word),
        };
        literals.split_whitespace().map(literal).collect()
    }

    pub(crate) fn step(&mut self, literals: &str) -> Piece {
        let condition = self.all(literals);
        self.moment(condition)
    }

    pub(crate) fn moment(&self, condition: Formula) -> Piece {
        let bools = |bits: [u8; 4]| bits.map(|bit| Value::Bool(bit == 1)).to_vec();
        let trace = Trace::new(4, Some(2))
            .and_then(|trace| trace.with("a", bools([0, 1, 1, 0])))
            .and_then(|trace| trace.with("b", bools([1, 0, 0, 1])));
        let example = trace.ok().map(|trace| (Rc::new(trace), 1));
        Piece::Step(Moment { condition, example })
    }
}

pub(crate) fn seq(pieces: impl Into<Vec<Piece>>) -> Piece {
    Piece::Sequence(pieces.into())
}

pub(crate) fn either(pieces: impl Into<Vec<Piece>>) -> Piece {
    Piece::Either(pieces.into())
}

pub(crate) fn star(piece: Piece) -> Piece {
    Piece::Repeat(piece.into(), 0, None)
}

pub(crate) fn repeat(piece: Piece, min: u64, max: Option<u64>) -> Piece {
    Piece::Repeat(piece.into(), min, max)
}

pub(crate) fn forever(piece: Piece) -> Piece {
    Piece::Forever(piece.into())
}

pub(crate) fn lanes(alternatives: impl IntoIterator<Item = Vec<Piece>>) -> Picture {
    let lane = |piece| Lane { piece };
    let alternatives = alternatives
        .into_iter()
        .map(|pieces| Alternative { lanes: pieces.into_iter().map(lane).collect() })
        .collect();
    Picture { alternatives, shows: Shows::default() }
}

/// The pictures of the gallery, each with its name.
pub(crate) fn gallery() -> (Store, Vec<(&'static str, Picture)>) {
    let mut m = Maker::default();
    let mut pictures = Vec::new();
    let line = |pieces: Vec<Piece>| lanes([vec![seq(pieces)]]);
    let top = m.step("");
    let ever = forever(top.clone());
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| m.step(name));
    let [p, np, na, nb] = ["p", "!p", "!a", "!b"].map(|name| m.step(name));
    let nab = m.any("!a b");
    let nab = m.moment(nab);

    pictures.push(("eventually", line(vec![star(na.clone()), a.clone(), ever.clone()])));
    let swing = forever(seq([np.clone(), p.clone()]));
    pictures.push(("oscillation", lanes([vec![seq([p.clone(), swing.clone()])], vec![swing.clone()]])));
    let answered = either([nab.clone(), seq([a.clone(), star(nb.clone()), b.clone()])]);
    pictures.push(("response", line(vec![forever(answered)])));
    let inner = star(seq([a.clone(), star(b.clone())]));
    let nested = star(seq([inner, c.clone()]));
    pictures.push(("nested", line(vec![nested, d.clone(), ever.clone()])));
    let three = vec![
        seq([a.clone(), b.clone(), forever(c.clone())]),
        seq([top.clone(), forever(nab.clone())]),
        forever(either([np.clone(), seq([p.clone(), d.clone()])])),
    ];
    pictures.push(("lanes", lanes([vec![seq([d.clone(), ever.clone()])], three])));
    let run = repeat(a.clone(), 3, Some(3));
    let pair = repeat(seq([a.clone(), b.clone()]), 2, Some(5));
    pictures.push(("counts", line(vec![run, nb.clone(), pair, repeat(c.clone(), 1, None), ever.clone()])));
    let long = m.all("door_open !engine_running speed_is_zero !alarm belt_fastened driver_present");
    let long = m.moment(long);
    let clause = m.any("!door_open alarm lamp");
    let other = m.any("brake !moving stopped_for_good");
    let mixed = m.store.and2(clause, other);
    let mixed = m.moment(mixed);
    pictures.push(("guards", line(vec![long, star(mixed.clone()), forever(either([mixed, d.clone()]))])));
    pictures
        .push(("finite", line(vec![star(na.clone()), a.clone(), either([b.clone(), seq([])]), c.clone()])));
    pictures.push(("never", lanes([])));
    pictures.push(("always", lanes([vec![ever.clone()]])));
    let loose = vec![
        seq([a.clone(), star(nb.clone()), b.clone(), ever.clone()]),
        seq([top.clone(), repeat(top.clone(), 0, Some(4)), c.clone(), ever.clone()]),
        forever(either([np.clone(), seq([p.clone(), d.clone()]), seq([])])),
    ];
    pictures.push(("loose lanes", lanes([loose])));
    let short = vec![seq([a.clone(), b.clone()]), seq([top.clone(), repeat(top, 0, Some(4)), c])];
    pictures.push(("finite lanes", lanes([short, vec![d]])));
    (m.store, pictures)
}

/// A picture of random pieces, the same for the same seed.
pub(crate) fn random(m: &mut Maker, seed: u64) -> Picture {
    let mut rng = Random::new(seed);
    let alternatives = (0..rng.below(4)).map(|_| {
        let lanes = 1 + rng.below(3);
        (0..lanes).map(|_| random_piece(m, &mut rng, 5)).collect::<Vec<_>>()
    });
    let alternatives: Vec<Vec<Piece>> = alternatives.collect();
    lanes(alternatives)
}

fn random_piece(m: &mut Maker, rng: &mut Random, depth: u64) -> Piece {
    let some = |m: &mut Maker, rng: &mut Random| {
        (0..rng.below(4)).map(|_| random_piece(m, rng, depth - 1)).collect::<Vec<_>>()
    };
    match if depth == 0 { 0 } else { rng.below(6) } {
        1 => seq(some(m, rng)),
        2 => either(some(m, rng)),
        3 => {
            let (min, more) = (rng.below(4), rng.below(3));
            let max = (more > 0).then(|| min + more - 1);
            repeat(random_piece(m, rng, depth - 1), min, max)
        }
        4 => forever(random_piece(m, rng, depth - 1)),
        _ => {
            const LITERALS: [&str; 7] =
                ["", "a", "!b", "a !b c", "long_name_of_a_signal !b another_one", "<&>\"'", "é∧速"];
            m.step(LITERALS[rng.below(7) as usize])
        }
    }
}

/// `cargo test -p shall-draw --lib gallery_files -- --ignored` draws the gallery, to be looked at.
#[test]
#[ignore = "writes files into the directory for temporary files"]
fn gallery_files() {
    let directory = std::env::temp_dir().join("shall-timelines");
    std::fs::create_dir_all(&directory).expect("a directory");
    let (store, pictures) = gallery();
    for (name, picture) in pictures {
        let write = |ending: &str, content: &[u8]| {
            let file = directory.join(format!("{}.{ending}", name.replace(' ', "-")));
            std::fs::write(file, content).expect("a file");
        };
        write("svg", super::super::svg(&store, &picture, name).expect("drawable").as_bytes());
        write("txt", super::super::text(&store, &picture, 80, true).expect("drawable").as_bytes());
        write("dot", super::super::dot(&store, &picture).expect("drawable").as_bytes());
        write("tex", super::super::tikz(&store, &picture, name).expect("drawable").as_bytes());
        #[cfg(feature = "png")]
        write("png", &super::super::png(&store, &picture, name, 2.0).expect("drawable"));
    }
}
