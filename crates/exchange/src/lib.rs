//! Files of other tools: FRET, sheets, ReqIF. Bytes in, records out, and back without loss.
