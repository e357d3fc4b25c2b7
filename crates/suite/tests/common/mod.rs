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
    pub(crate) fn suite(&mut self, criteria: &[Criterion]) -> Suite {
        let left = || Duration::from_secs(60);
        let config = Config {
            criteria,
            reading: Reading::Endless,
            order: Order::Mealy,
            budget: Budget::DEFAULT,
            left: &left,
        };
        let mut store = std::mem::take(&mut self.store);
        let suite = suite(&mut store, &self.variables, &self.members(), config);
        self.store = store;
        suite
    }
}
