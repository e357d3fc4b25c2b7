//! A project in memory: documents, variables, findings, changes. Plain answers, no files.
