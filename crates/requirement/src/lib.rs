//! requirement
