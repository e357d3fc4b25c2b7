//! The solver of a model: whether its step is fixed, and by which method continuous states go from one step to the next.
//!
//! Every method is an explicit Runge-Kutta method with a fixed step. Solvers that Simulink runs with a variable step, or that are
//! implicit, are replaced with the method of the nearest order; [`Solver::note`] says so.

use crate::diagram::Diagram;

/// A fraction: numerator and denominator.
pub(crate) type Ratio = (i64, u32);

/// An explicit Runge-Kutta method (Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// The name that Simulink has for it.
    pub name: &'static str,
    /// For each stage after the first, the weights of the slopes of the stages before it.
    pub(crate) stages: &'static [&'static [Ratio]],
    /// When each stage after the first is, in steps.
    pub(crate) times: &'static [Ratio],
    /// The weights of the slopes in the result.
    pub(crate) weights: &'static [Ratio],
}

/// Euler, Heun, Bogacki-Shampine, Runge-Kutta, Dormand-Prince: the number of each is its order.
#[rustfmt::skip]
pub const METHODS: [Method; 5] = [
    Method { name: "ode1", stages: &[], times: &[], weights: &[(1, 1)] },
    Method { name: "ode2", stages: &[&[(1, 1)]], times: &[(1, 1)], weights: &[(1, 2), (1, 2)] },
    Method {
        name: "ode3",
        stages: &[&[(1, 2)], &[(0, 1), (3, 4)]],
        times: &[(1, 2), (3, 4)],
        weights: &[(2, 9), (1, 3), (4, 9)],
    },
    Method {
        name: "ode4",
        stages: &[&[(1, 2)], &[(0, 1), (1, 2)], &[(0, 1), (0, 1), (1, 1)]],
        times: &[(1, 2), (1, 2), (1, 1)],
        weights: &[(1, 6), (1, 3), (1, 3), (1, 6)],
    },
    Method {
        name: "ode5",
        stages: &[
            &[(1, 5)],
            &[(3, 40), (9, 40)],
            &[(44, 45), (-56, 15), (32, 9)],
            &[(19372, 6561), (-25360, 2187), (64448, 6561), (-212, 729)],
            &[(9017, 3168), (-355, 33), (46732, 5247), (49, 176), (-5103, 18656)],
        ],
        times: &[(1, 5), (3, 10), (4, 5), (8, 9), (1, 1)],
        weights: &[(35, 384), (0, 1), (500, 1113), (125, 192), (-2187, 6784), (11, 84)],
    },
];

/// How the continuous states of a model are integrated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Solver {
    /// The solver that the model states; empty if it states none.
    pub(super) stated: String,
    /// The method that is used.
    pub(super) method: Method,
}

impl Default for Method {
    fn default() -> Method {
        METHODS[2]
    }
}

impl Solver {
    /// The solver of a model.
    pub(super) fn of(diagram: &Diagram) -> Solver {
        let stated = ["Solver", "SolverName"].into_iter().find_map(|name| diagram.settings.get(name));
        let stated = stated.unwrap_or_default().trim().to_owned();
        let order = match stated.as_str() {
            "ode1" | "ode1be" => 1,
            "ode2" | "ode23" | "ode23s" | "ode23t" | "ode23tb" => 2 + usize::from(stated == "ode23"),
            "ode4" => 4,
            "ode5" | "ode8" | "ode14x" | "ode45" | "ode78" | "ode89" | "ode113" | "ode15s" | "daessc"
            | "VariableStepAuto" => 5,
            _ => 3,
        };
        Solver { stated, method: METHODS[order - 1] }
    }

    /// Whether the solver chooses its step itself, so that the fixed step of the model has no effect.
    pub(super) fn is_variable(&self) -> bool {
        let variable =
            ["ode45", "ode23", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "ode78", "ode89", "daessc"];
        self.stated.starts_with("VariableStep") || variable.contains(&self.stated.as_str())
    }

    /// What results about continuous blocks mean.
    pub(super) fn note(&self, step: f64) -> String {
        let Method { name, .. } = self.method;
        let instead = match self.stated.as_str() {
            "" => String::new(),
            stated if stated == name => String::new(),
            stated => format!(" instead of {stated}"),
        };
        format!("continuous blocks are integrated with {name}{instead} and a fixed step of {step} s")
    }
}

#[cfg(test)]
mod tests {
    use super::METHODS;

    /// Each method is consistent: its weights sum to one, and those of a stage to its time.
    #[test]
    fn weights() {
        let sum = |all: &[(i64, u32)]| all.iter().map(|(a, b)| *a as f64 / f64::from(*b)).sum::<f64>();
        for method in METHODS {
            assert!((sum(method.weights) - 1.0).abs() < 1e-12, "{}", method.name);
            assert_eq!(method.stages.len(), method.times.len());
            assert_eq!(method.stages.len() + 1, method.weights.len());
            for (stage, time) in method.stages.iter().zip(method.times) {
                assert!((sum(stage) - sum(&[*time])).abs() < 1e-12, "{}", method.name);
            }
        }
    }
}
