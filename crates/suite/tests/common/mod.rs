//! Suites of sets of requirements in text.

#[allow(dead_code, reason = "not every test needs all of it")]
#[path = "../../../realize/tests/common/text.rs"]
mod text;

use realize::{Budget, Order};
use requirement::Reading;
use shall_suite::{Config, Criterion, Suite, suite};
use std::time::Duration;
pub(crate) use text::Text;

impl Text {
    #[allow(dead_code, reason = "not every test needs all of it")]
    pub(crate) fn suite(&mut self, criteria: &[Criterion]) -> Suite {
        self.suite_in(criteria, Order::Mealy)
    }

    pub(crate) fn suite_in(&mut self, criteria: &[Criterion], order: Order) -> Suite {
        let left = || Duration::from_secs(60);
        let config = Config {
            criteria,
            reading: Reading::Endless,
            order,
            all_proofs: true,
            budget: Budget::DEFAULT,
            left: &left,
        };
        let mut store = std::mem::take(&mut self.store);
        let suite = suite(&mut store, &self.variables, &self.members(), config);
        self.store = store;
        suite
    }
}
