//! Rotations as expressions: matrices and quaternions of rotations about axes, one after the other.
//!
//! An entry is a sum of products of texts, so that matrices can be multiplied before any number is known. A matrix gives the coordinates of
//! a vector in the axes after the rotation.

/// A sum of signed products of texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum(Vec<(bool, Vec<String>)>);

impl Sum {
    fn one() -> Sum {
        Sum(vec![(false, Vec::new())])
    }

    /// A text as it is.
    fn of(text: String) -> Sum {
        Sum(vec![(false, vec![text])])
    }

    fn negative(&self) -> Sum {
        Sum(self.0.iter().map(|(sign, factors)| (!sign, factors.clone())).collect())
    }

    fn plus(mut self, other: Sum) -> Sum {
        self.0.extend(other.0);
        self
    }

    fn times(&self, other: &Sum) -> Sum {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Sum(pairs.map(|(a, b)| (a.0 != b.0, [a.1.as_slice(), b.1.as_slice()].concat())).collect())
    }

    /// The expression.
    pub(super) fn text(&self) -> String {
        let term = |(negative, factors): &(bool, Vec<String>)| {
            let product = if factors.is_empty() { "1".to_owned() } else { factors.join("*") };
            if *negative { format!("- {product}") } else { format!("+ {product}") }
        };
        let terms: Vec<String> = self.0.iter().map(term).collect();
        let text = terms.join(" ");
        match text.strip_prefix("+ ") {
            _ if text.is_empty() => "0".to_owned(),
            Some(rest) => rest.to_owned(),
            None => text,
        }
    }
}

/// An axis of a rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn named(letter: char) -> Option<Axis> {
        match letter {
            'X' => Some(Axis::X),
            'Y' => Some(Axis::Y),
            'Z' => Some(Axis::Z),
            _ => None,
        }
    }

    fn place(self) -> usize {
        match self {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        }
    }

    /// The matrix of a rotation by an angle.
    pub(super) fn turn(self, angle: &str) -> [[Sum; 3]; 3] {
        let (cosine, sine) = (Sum::of(format!("cos({angle})")), Sum::of(format!("sin({angle})")));
        let (this, next, last) = (self.place(), (self.place() + 1) % 3, (self.place() + 2) % 3);
        let mut matrix: [[Sum; 3]; 3] = Default::default();
        matrix[this][this] = Sum::one();
        matrix[next][next] = cosine.clone();
        matrix[next][last] = sine.clone();
        matrix[last][next] = sine.negative();
        matrix[last][last] = cosine;
        matrix
    }
}

/// The axes of three rotations, in the order in which they happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sequence([Axis; 3]);

impl Sequence {
    /// Yaw, pitch, roll.
    pub(super) const ZYX: Sequence = Sequence([Axis::Z, Axis::Y, Axis::X]);

    /// `ZYX`, `ZXZ` and so on: no axis twice in a row.
    pub(super) fn named(text: &str) -> Option<Sequence> {
        let axes: Option<Vec<Axis>> = text.chars().map(Axis::named).collect();
        let axes: [Axis; 3] = axes?.try_into().ok()?;
        (axes[0] != axes[1] && axes[1] != axes[2]).then_some(Sequence(axes))
    }

    /// The matrix of the rotations by three angles.
    pub(super) fn matrix(self, angles: [&str; 3]) -> [[Sum; 3]; 3] {
        let turn = |it: usize| self.0[it].turn(angles[it]);
        product(&turn(2), &product(&turn(1), &turn(0)))
    }

    /// The quaternion of the rotations by three angles, its real part first.
    pub(super) fn quaternion(self, angles: [&str; 3]) -> [String; 4] {
        let turn = |it: usize| {
            let mut parts: [Sum; 4] = Default::default();
            parts[0] = Sum::of(format!("cos({}/2)", angles[it]));
            parts[1 + self.0[it].place()] = Sum::of(format!("sin({}/2)", angles[it]));
            parts
        };
        times(&times(&turn(0), &turn(1)), &turn(2)).each_ref().map(Sum::text)
    }
}

/// The product of two matrices.
pub(super) fn product(a: &[[Sum; 3]; 3], b: &[[Sum; 3]; 3]) -> [[Sum; 3]; 3] {
    let entry = |row: usize, column: usize| {
        (0..3).fold(Sum::default(), |sum, it| sum.plus(a[row][it].times(&b[it][column])))
    };
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| entry(row, column)))
}

/// The product of two quaternions.
pub(super) fn times(a: &[Sum; 4], b: &[Sum; 4]) -> [Sum; 4] {
    // For each part, the signs of a0, a1, a2 and a3, and the parts of the second quaternion that they go with.
    let table = [
        [(false, 0), (true, 1), (true, 2), (true, 3)],
        [(false, 1), (false, 0), (false, 3), (true, 2)],
        [(false, 2), (true, 3), (false, 0), (false, 1)],
        [(false, 3), (false, 2), (true, 1), (false, 0)],
    ];
    table.map(|row| {
        let terms = row.iter().zip(a).map(|((negative, with), part)| {
            let term = part.times(&b[*with]);
            if *negative { term.negative() } else { term }
        });
        terms.fold(Sum::default(), Sum::plus)
    })
}

/// The four parts of a quaternion that starts at a place of the input.
pub(super) fn parts(first: usize) -> [Sum; 4] {
    [0, 1, 2, 3].map(|it| Sum::of(format!("u({})", first + it)))
}

/// The matrix that a quaternion of length 1 means.
pub(super) fn of_quaternion() -> [[Sum; 3]; 3] {
    let entries = [
        [
            "u(1)*u(1) + u(2)*u(2) - u(3)*u(3) - u(4)*u(4)",
            "2*(u(2)*u(3) + u(1)*u(4))",
            "2*(u(2)*u(4) - u(1)*u(3))",
        ],
        [
            "2*(u(2)*u(3) - u(1)*u(4))",
            "u(1)*u(1) - u(2)*u(2) + u(3)*u(3) - u(4)*u(4)",
            "2*(u(3)*u(4) + u(1)*u(2))",
        ],
        [
            "2*(u(2)*u(4) + u(1)*u(3))",
            "2*(u(3)*u(4) - u(1)*u(2))",
            "u(1)*u(1) - u(2)*u(2) - u(3)*u(3) + u(4)*u(4)",
        ],
    ];
    entries.map(|row| row.map(|text| Sum::of(text.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_multiplied() {
        let texts = |text: &str| {
            let matrix = Sequence::named(text).expect(text).matrix(["a", "b", "c"]);
            matrix.map(|row| row.map(|it| it.text()).join(", ")).join("; ")
        };
        let first_row = "cos(b)*cos(a), cos(b)*sin(a), - sin(b)";
        assert!(texts("ZYX").starts_with(first_row), "{}", texts("ZYX"));
        assert!(texts("ZYX").ends_with("cos(c)*cos(b)"), "{}", texts("ZYX"));
        assert!(texts("ZXZ").ends_with("cos(b)"), "{}", texts("ZXZ"));
        let quaternion = Sequence::ZYX.quaternion(["a", "b", "c"]);
        assert_eq!(quaternion[0], "cos(a/2)*cos(b/2)*cos(c/2) + sin(a/2)*sin(b/2)*sin(c/2)");
        for wrong in ["ZZX", "ZY", "ABC", "ZYXX", ""] {
            assert_eq!(Sequence::named(wrong), None, "{wrong}");
        }
    }
}
