//! Systems: inputs, state, outputs, properties; what every front end lowers to and every engine reads.
