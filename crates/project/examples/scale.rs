//! How long a large project takes: 10,000 varied requirements in 100 documents, looked at once, and again after a change.
//! With a folder as its argument it writes the project there instead, for `shall check`.

use base::Random;
use shall_project::rules::{Memory, check};
use shall_project::{Cache, Document, Project};
use std::time::Instant;

const DOCUMENTS: usize = 100;
const EACH: usize = 100;
const COMPONENTS: usize = 20;
const VARIABLES: usize = 100;

fn main() -> std::io::Result<()> {
    let texts = documents();
    if let Some(folder) = std::env::args().nth(1) {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(format!("{folder}/shall.toml"), "[project]\nname = \"Scale\"\n")?;
        for (name, text) in &texts {
            std::fs::write(format!("{folder}/{name}"), text)?;
        }
        return Ok(());
    }
    let timed =
        |what: &str, start: Instant| println!("{what:<40} {:>8.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let documents = texts.into_iter().map(|(name, text)| Document::read(name, text)).collect();
    timed("read the documents", start);
    let mut project = Project { documents, ..Project::default() };
    let (mut cache, mut memory) = (Cache::default(), Memory::default());
    for round in ["cold", "warm, nothing changed", "warm, one sentence changed", "warm, one table changed"] {
        let start = Instant::now();
        if round.contains("sentence") {
            change(&mut project, 50, "immediately satisfy", "never satisfy");
        } else if round.contains("table") {
            change(&mut project, 0, "| int 0..", "| int 1..");
        }
        timed(&format!("{round}: read the document"), start);
        let start = Instant::now();
        let analysis = project.analyse(&mut cache);
        timed(&format!("{round}: analyse"), start);
        let start = Instant::now();
        let checked = check(&project, &analysis, &mut memory);
        timed(&format!("{round}: check"), start);
        println!("    {} findings, {} not decided", checked.findings.len(), checked.undecided.len());
    }
    Ok(())
}

/// Replaces the first such words of a document.
fn change(project: &mut Project, at: usize, from: &str, to: &str) {
    let Document { name, text, .. } = &project.documents[at];
    let (name, text) = (name.clone(), text.replacen(from, to, 1));
    project.documents[at] = Document::read(name, text);
}

fn documents() -> Vec<(String, String)> {
    let mut rng = Random::new(0x5ca1e);
    let mut all = Vec::new();
    for document in 0..DOCUMENTS {
        let mut text = format!("# Document {document}\n");
        let component = document % COMPONENTS;
        if document < COMPONENTS {
            text += &format!("\n## Component Unit{component}\n\n| name | kind | type |\n|---|---|---|\n");
            for variable in 0..VARIABLES {
                let kind = ["input", "output", "input", "output", "mode"][variable % 5];
                let ty = if variable % 5 < 2 { format!("int 0..{}", 100 + variable) } else { "bool".into() };
                text += &format!("| {} | {kind} | {ty} |\n", name(variable));
            }
        }
        for entry in 0..EACH {
            let sentence = sentence(&mut rng, component);
            text += &format!(
                "\n## R-{document}-{entry}: Requirement {entry}\n\nWhy it is needed.\n\n```fretish\n{sentence}\n```\n\n- status: draft\n"
            );
            if entry > 0 {
                text += &format!("- parent: R-{document}-{}\n", rng.below(entry));
            }
        }
        all.push((format!("document{document:03}.md"), text));
    }
    all
}

fn name(variable: usize) -> String {
    let word = ["level", "speed", "door", "alarm", "mode"][variable % 5];
    format!("{word}_{variable}")
}

fn sentence(rng: &mut Random, component: usize) -> String {
    let mode = name(rng.below(VARIABLES / 5) * 5 + 4);
    let scope = rng.pick(&[
        "",
        "",
        "in M mode, ",
        "when not in M mode, ",
        "before M, ",
        "after M, ",
        "only in M mode, ",
    ]);
    let scope = scope.replace('M', &mode);
    let clause = rng.pick(&["", "when C, ", "whenever C, ", "upon C, "]).replace('C', &condition(rng, 0));
    let timing = rng.pick(&[
        "immediately ",
        "at the next timepoint ",
        "always ",
        "never ",
        "eventually ",
        "within N ticks ",
        "for N ticks ",
        "after N ticks ",
        "until S ",
        "before S ",
    ]);
    let timing = timing.replace('N', &(rng.below(20) + 1).to_string()).replace('S', &condition(rng, 0));
    format!("{scope}{clause}Unit{component} shall {timing}satisfy {}", condition(rng, 1))
}

/// A condition about inputs (0) or outputs (1).
fn condition(rng: &mut Random, side: usize) -> String {
    let atom = |rng: &mut Random| {
        let group = rng.below(VARIABLES / 5) * 5;
        match rng.below(3) {
            0 => format!(
                "{} {} {}",
                name(group + side),
                rng.pick(&[">", "<", ">=", "<=", "="]),
                rng.below(90) + 1
            ),
            1 => format!("!{}", name(group + 2 + side)),
            _ => name(group + 2 + side),
        }
    };
    let (one, other, third) = (atom(rng), atom(rng), atom(rng));
    match rng.below(5) {
        0 => format!("({one} & {other})"),
        1 => format!("({one} | {other} & {third})"),
        2 => format!("({one} => {other})"),
        _ => one,
    }
}
