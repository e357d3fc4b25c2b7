//! Membership functions by their names and parameters, with the formulas of the toolbox.

/// A membership function.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Membership {
    /// Rises from the first number to the second, is 1 up to the third, and falls to the fourth.
    Trapezoid([f64; 4]),
    /// A bell: its width and its middle.
    Gauss([f64; 2]),
    /// Half a bell on the left, 1, and half a bell on the right.
    TwoGauss([f64; 4]),
    /// A bell with a flat top: half its width, its slope and its middle.
    Bell([f64; 3]),
    /// A slope and its middle.
    Sigmoid([f64; 2]),
    /// The difference of two sigmoids.
    SigmoidDifference([f64; 4]),
    /// The product of two sigmoids.
    SigmoidProduct([f64; 4]),
    /// Rises in the shape of an S between two numbers.
    Rise([f64; 2]),
    /// Falls in the shape of a Z between two numbers.
    Fall([f64; 2]),
    /// Rises and then falls.
    Pi([f64; 4]),
}

impl Membership {
    /// The function of a name in a file; none if it is not known or has other parameters.
    pub(super) fn named(name: &str, numbers: &[f64]) -> Option<Membership> {
        use Membership::{
            Bell, Fall, Gauss, Pi, Rise, Sigmoid, SigmoidDifference, SigmoidProduct, Trapezoid, TwoGauss,
        };
        let is_sorted = numbers.windows(2).all(|it| it[0] <= it[1]);
        Some(match (name, numbers) {
            ("trimf", &[a, b, c]) if is_sorted => Trapezoid([a, b, b, c]),
            ("trapmf", &[a, b, c, d]) if is_sorted => Trapezoid([a, b, c, d]),
            ("gaussmf", &[width, middle]) if width != 0.0 => Gauss([width, middle]),
            ("gauss2mf", &[a, b, c, d]) if a != 0.0 && c != 0.0 && b <= d => TwoGauss([a, b, c, d]),
            ("gbellmf", &[a, b, c]) if a != 0.0 => Bell([a, b, c]),
            ("sigmf", &[a, c]) => Sigmoid([a, c]),
            ("dsigmf", &[a, b, c, d]) => SigmoidDifference([a, b, c, d]),
            ("psigmf", &[a, b, c, d]) => SigmoidProduct([a, b, c, d]),
            ("smf", &[a, b]) if a < b => Rise([a, b]),
            ("zmf", &[a, b]) if a < b => Fall([a, b]),
            ("pimf", &[a, b, c, d]) if a < b && b <= c && c < d => Pi([a, b, c, d]),
            _ => return None,
        })
    }

    /// The degree of a number.
    pub(super) fn degree(&self, x: f64) -> f64 {
        match *self {
            Membership::Trapezoid([a, b, c, d]) => {
                let left = if x >= b {
                    1.0
                } else if x > a {
                    (x - a) / (b - a)
                } else {
                    0.0
                };
                let right = if x <= c {
                    1.0
                } else if x < d {
                    (d - x) / (d - c)
                } else {
                    0.0
                };
                f64::min(left, right)
            }
            Membership::Gauss([width, middle]) => gauss(x, width, middle),
            Membership::TwoGauss([a, b, c, d]) => {
                if x < b {
                    gauss(x, a, b)
                } else if x > d {
                    gauss(x, c, d)
                } else {
                    1.0
                }
            }
            Membership::Bell([a, b, c]) => 1.0 / (1.0 + ((x - c) / a).abs().powf(2.0 * b)),
            Membership::Sigmoid([a, c]) => sigmoid(x, a, c),
            Membership::SigmoidDifference([a, b, c, d]) => (sigmoid(x, a, b) - sigmoid(x, c, d)).abs(),
            Membership::SigmoidProduct([a, b, c, d]) => sigmoid(x, a, b) * sigmoid(x, c, d),
            Membership::Rise([a, b]) => rise(x, a, b),
            Membership::Fall([a, b]) => 1.0 - rise(x, a, b),
            Membership::Pi([a, b, c, d]) => rise(x, a, b) * (1.0 - rise(x, c, d)),
        }
    }

    /// The statements that set a variable to the degree of an expression.
    pub(super) fn code(&self, variable: &str, x: &str) -> String {
        let gauss = |width: f64, middle: f64| format!("exp(-({x} - ({middle}))^2/{})", 2.0 * width * width);
        let sigmoid = |a: f64, c: f64| format!("1/(1 + exp(-({a})*({x} - ({c}))))");
        // The branches of a function: conditions, their values, and the value otherwise.
        let (branches, other) = match *self {
            Membership::Trapezoid([a, b, c, d]) => {
                let mut branches = vec![(format!("{x} >= {b} && {x} <= {c}"), "1".to_owned())];
                if a < b {
                    branches.push((format!("{x} > {a} && {x} < {b}"), format!("({x} - ({a}))/{}", b - a)));
                }
                if c < d {
                    branches.push((format!("{x} > {c} && {x} < {d}"), format!("({d} - {x})/{}", d - c)));
                }
                (branches, "0".to_owned())
            }
            Membership::Gauss([width, middle]) => (Vec::new(), gauss(width, middle)),
            Membership::TwoGauss([a, b, c, d]) => (
                vec![(format!("{x} < {b}"), gauss(a, b)), (format!("{x} > {d}"), gauss(c, d))],
                "1".to_owned(),
            ),
            Membership::Bell([a, b, c]) => {
                (Vec::new(), format!("1/(1 + abs(({x} - ({c}))/({a}))^({}))", 2.0 * b))
            }
            Membership::Sigmoid([a, c]) => (Vec::new(), sigmoid(a, c)),
            Membership::SigmoidDifference([a, b, c, d]) => {
                (Vec::new(), format!("abs({} - {})", sigmoid(a, b), sigmoid(c, d)))
            }
            Membership::SigmoidProduct([a, b, c, d]) => {
                (Vec::new(), format!("({})*({})", sigmoid(a, b), sigmoid(c, d)))
            }
            Membership::Rise([a, b]) => rising(x, a, b),
            Membership::Fall([a, b]) => falling(x, a, b),
            Membership::Pi([a, b, c, d]) => {
                let (mut branches, _) = rising(x, a, b);
                // Up to the middle it rises; beyond it, it falls.
                let (fall, last) = falling(x, c, d);
                branches.push((format!("{x} < {c}"), "1".to_owned()));
                branches.extend(fall);
                (branches, last)
            }
        };
        let Some(((condition, value), rest)) = branches.split_first() else {
            return format!("{variable} = {other};\n");
        };
        let mut text = format!("if {condition}\n{variable} = {value};\n");
        for (condition, value) in rest {
            text.push_str(&format!("elseif {condition}\n{variable} = {value};\n"));
        }
        text.push_str(&format!("else\n{variable} = {other};\nend\n"));
        text
    }
}

fn gauss(x: f64, width: f64, middle: f64) -> f64 {
    (-(x - middle).powi(2) / (2.0 * width * width)).exp()
}

fn sigmoid(x: f64, a: f64, c: f64) -> f64 {
    1.0 / (1.0 + (-a * (x - c)).exp())
}

/// Two parabolas from 0 at `a` to 1 at `b`.
fn rise(x: f64, a: f64, b: f64) -> f64 {
    let part = (x - a) / (b - a);
    match part {
        _ if part <= 0.0 => 0.0,
        _ if part < 0.5 => 2.0 * part * part,
        _ if part < 1.0 => 1.0 - 2.0 * (1.0 - part) * (1.0 - part),
        _ => 1.0,
    }
}

/// The branches of [`rise`].
fn rising(x: &str, a: f64, b: f64) -> (Vec<(String, String)>, String) {
    let (middle, width) = ((a + b) / 2.0, b - a);
    let branches = vec![
        (format!("{x} <= {a}"), "0".to_owned()),
        (format!("{x} < {middle}"), format!("2*(({x} - ({a}))/{width})^2")),
        (format!("{x} < {b}"), format!("1 - 2*(({b} - {x})/{width})^2")),
    ];
    (branches, "1".to_owned())
}

/// The branches of a fall from 1 at `a` to 0 at `b`.
fn falling(x: &str, a: f64, b: f64) -> (Vec<(String, String)>, String) {
    let (middle, width) = ((a + b) / 2.0, b - a);
    let branches = vec![
        (format!("{x} <= {a}"), "1".to_owned()),
        (format!("{x} < {middle}"), format!("1 - 2*(({x} - ({a}))/{width})^2")),
        (format!("{x} < {b}"), format!("2*(({b} - {x})/{width})^2")),
    ];
    (branches, "0".to_owned())
}
