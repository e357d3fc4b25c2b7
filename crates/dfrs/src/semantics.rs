//! What a system does: the readings of its requirements, exact steps, and the compiled machine on classes of values and zones of ages.

pub mod classes;
pub mod closure;
pub mod machine;
pub(crate) mod reading;
pub mod step;
pub mod tiots;
pub(crate) mod walk;
pub(crate) mod zone;
