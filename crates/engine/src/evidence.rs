//! Evidence for verdicts: certificates are checked, counterexamples replayed and made readable.

pub(crate) mod bounds;
pub(crate) mod certificate;
pub(crate) mod enclosure;
pub(crate) mod minimize;
pub(crate) mod replay;
