//! The manual of all codes, whichever crate reports them.

use super::{
    RULES, conflict, decided_by_range, definitions, duplicate, enumerations, together, unit_mismatch,
};
use crate::{config, document, exchange, mapping};
use diagnostics::{Code, Entry};

/// The codes of each place that reports some, besides [`RULES`].
const DECLARED: &[&[Code]] = &[
    syntax::codes::CODES,
    requirement::codes::CODES,
    check::lint::codes::CODES,
    dfrs::codes::CODES,
    lustre::codes::CODES,
    document::codes::CODES,
    config::CODES,
    mapping::CODES,
    exchange::CODES,
    definitions::CODES,
    enumerations::CODES,
    unit_mismatch::CODES,
    decided_by_range::CODES,
    conflict::CODES,
    duplicate::CODES,
    together::CODES,
];

/// All codes, in order.
pub fn codes() -> Vec<Code> {
    let rules = RULES.iter().map(|(codes, _)| *codes);
    let mut codes = DECLARED.iter().copied().chain(rules).flatten().copied().collect::<Vec<_>>();
    codes.sort_unstable();
    codes
}

/// The code with this id.
pub fn find(id: &str) -> Option<Code> {
    codes().into_iter().find(|code| code.id() == id)
}

/// What codes with these first digits are about.
const FAMILIES: &[(&str, &str)] = &[
    ("01", "Sentences and formulas"),
    ("02", "Types, durations and meaning"),
    ("03", "Controlled English"),
    ("04", "Variables of controlled English"),
    ("05", "Projects"),
    ("06", "Lustre"),
];

/// The manual as a document in Markdown: for each family a table, then an entry for each code.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Diagnostic codes\n\n\
         A code keeps its meaning forever. `E…` are errors: the text has no meaning until they are fixed. `W…` are\n\
         warnings: the text has a meaning, perhaps not the intended one. `shall rule CODE` prints one of these entries. Rows of\n\
         tables in examples have the columns name, kind, type, unit and definition.\n",
    );
    let codes = codes();
    for (family, title) in FAMILIES {
        let (mut table, mut entries) = (String::new(), String::new());
        for it in codes.iter().map(|code| code.entry()).filter(|it| it.id[1..].starts_with(family)) {
            let Entry { id, summary, why, wrong, right, .. } = it;
            table += &format!("| [`{id}`](#{}) | {summary} |\n", id.to_lowercase());
            let examples =
                format!("Wrong:\n\n````text\n{wrong}\n````\n\nRight:\n\n````text\n{right}\n````\n");
            entries += &format!("\n### {id}\n\n{summary} {why}\n\n{examples}");
        }
        out += &format!("\n## {title}\n\n| code | meaning |\n|---|---|\n{table}{entries}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing;
    use crate::{Cache, Config, Document, Project, rules};
    use diagnostics::Diagnostic;
    use rustc_hash::FxHashSet;

    /// Codes whose examples are described in words, because they need a large text, another file or a model.
    const DESCRIBED: &[&str] = &[
        "E0120", "E0121", "E0123", "E0124", "E0312", "E0412", "E0413", "E0519", "E0520", "E0604", "W0104",
        "W0105", "W0305", "W0307", "W0509", "W0521",
    ];

    /// Codes whose examples are formulas.
    const OF_FORMULAS: &[Code] =
        &[syntax::codes::BAD_BOUND, syntax::codes::GLUED_OPERATOR, syntax::codes::GLUED_NAME];

    #[test]
    fn codes_are_distinct_and_described() {
        let codes = codes();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        for code in codes {
            let entry = code.entry();
            assert!(entry.summary.ends_with('.') && entry.why.ends_with('.'), "{code:?}");
            assert!(!entry.wrong.is_empty() && entry.wrong != entry.right, "{code:?}");
            assert!(FAMILIES.iter().any(|(family, _)| code.id()[1..].starts_with(family)), "{code:?}");
            assert_eq!(find(code.id()), Some(code));
        }
    }

    #[test]
    fn wrong_examples_have_their_code_and_right_ones_do_not() {
        let mut failed = Vec::new();
        for code in codes().into_iter().filter(|code| !DESCRIBED.contains(&code.id())) {
            let (wrong, right) = (found(code, code.entry().wrong), found(code, code.entry().right));
            if !wrong.contains(&code) || right.contains(&code) {
                failed.push(format!("{code:?}: wrong {wrong:?}, right {right:?}"));
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    /// The codes that an example has.
    fn found(code: Code, example: &str) -> FxHashSet<Code> {
        let diagnostics: Vec<Diagnostic> = match &code.id()[1..3] {
            "06" => lustre(example),
            _ if OF_FORMULAS.contains(&code) => syntax::formula::parse(example).diagnostics,
            _ => project(example),
        };
        diagnostics.iter().map(|it| it.code).collect()
    }

    fn lustre(example: &str) -> Vec<Diagnostic> {
        let program = lustre::read(example, &|_| None);
        let systems = program.nodes().into_iter().map(|node| program.system(&node.name, &Default::default()));
        let refused: Vec<Diagnostic> = systems.filter_map(Result::err).flatten().collect();
        [program.diagnostics.clone(), program.undefined(), refused].concat()
    }

    /// A project file first, if there is one; then paragraphs of a document, with bare sentences on lines of their own.
    fn project(example: &str) -> Vec<Diagnostic> {
        let (config, text) = match example.starts_with('[') {
            true => example.split_once("\n\n").unwrap_or((example, "")),
            false => ("", example),
        };
        let (config, mut diagnostics) = Config::read(config);
        let mut document = String::from(if text.starts_with('#') { "" } else { "# pump\n\n" });
        let mut number = 0;
        for paragraph in text.split("\n\n") {
            if paragraph.starts_with('|') {
                document += "| name | kind | type | unit | definition |\n|---|---|---|---|---|\n";
            }
            if paragraph.starts_with(['#', '|', '-']) || paragraph.starts_with("```") {
                document += &format!("{paragraph}\n\n");
                continue;
            }
            for sentence in paragraph.lines() {
                number += 1;
                let english = ["When", "If", "Initially", "The "].iter().any(|it| sentence.starts_with(it));
                let language = if english { "sysreq" } else { "fretish" };
                document += &format!("## X-{number}\n\n```{language}\n{sentence}\n```\n\n");
            }
        }
        let documents = vec![Document::read("a.md", document)];
        let project = Project { config, documents };
        let analysis = project.analyse(&mut Cache::default());
        let mut checked = rules::check(&project, &analysis, &mut rules::Memory::default());
        checked.add(testing::together(&project, &analysis));
        diagnostics.extend(checked.findings.into_iter().map(|found| found.diagnostic));
        diagnostics
    }
}
