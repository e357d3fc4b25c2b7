//! Controlled English: a document of sentences, the words it may use, and the frames of each sentence.

pub(crate) mod dictionary;
pub mod document;
pub mod frames;
