//! Controlled English: a document of sentences, and the frames of each sentence.

pub mod document;
pub mod frames;
