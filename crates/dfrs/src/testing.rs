//! Tests of implementations: suites that meet obligations and kill mutants, and vectors replayed against the system.

pub mod replay;
pub mod suite;
pub mod vectors;
