//! The reference of the JSON output, made from the types that commands write: schemas, and the document `docs/json.md`.

use crate::Error;
use crate::commands::{
    check, compare, coverage, dfrs, diff, eval, explain, export, fmt, formalize, import, init, lint, log,
    model, monitor, new, play, propose, realize, rename, report, rule, simulate, tests, timeline, vectors,
    verify, watch,
};
use crate::serve::{bench, formulas, logs, project, sentence, work};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The JSON of a command.
struct Document {
    /// The words after `shall`.
    command: &'static str,
    /// The title of its section.
    title: &'static str,
    root: Root,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

/// What a document is.
#[derive(Clone, Copy)]
enum Root {
    /// One object.
    Object,
    /// An object with a list of results in this field.
    List(&'static str),
    /// A file that is an array of results.
    Array,
    /// A dialogue: always one object per line.
    Lines,
}

const fn document<T: JsonSchema>(command: &'static str, title: &'static str, root: Root) -> Document {
    Document { command, title, root, schema: SchemaGenerator::subschema_for::<T> }
}

const SENTENCES: Root = Root::List("sentences");

const DOCUMENTS: [Document; 47] = [
    document::<formalize::Formalized>("formalize", "Formulas", SENTENCES),
    document::<explain::Explained>("explain", "Explanations", SENTENCES),
    document::<timeline::Drawn>("timeline", "Timelines", Root::List("timelines")),
    document::<init::Started>("init", "A new project", Root::Object),
    document::<new::Written>("new", "A new requirement", Root::Object),
    document::<fmt::Formatted>("fmt", "Formatting", Root::Object),
    document::<propose::Proposals>("propose", "Sentences for prose", Root::Object),
    document::<rename::Renaming>("rename", "New names", Root::Object),
    document::<check::Checked>("check", "Findings in a project", Root::Object),
    document::<lint::Linted>("lint", "Traps in sentences", SENTENCES),
    document::<eval::Evaluated>("eval", "Verdicts on a trace", SENTENCES),
    document::<watch::Event>("watch", "Violations as they happen", Root::Lines),
    document::<log::Described>("log info", "Recorded traces", Root::List("files")),
    document::<rule::Rules>("rule", "Codes", Root::Object),
    document::<compare::Compared>("compare", "Comparisons", Root::Object),
    document::<diff::Differences>("diff", "Two versions", Root::Object),
    document::<realize::Realized>("realize", "Sets of requirements", Root::Object),
    document::<play::Transcript>("play", "Plays", Root::Object),
    document::<tests::Tested>("tests", "Tests", Root::Object),
    document::<coverage::Covered>("coverage", "Coverage of recorded traces", Root::Object),
    document::<verify::Verified>("verify", "Verdicts on a model", Root::Object),
    document::<simulate::Simulated>("simulate", "Runs of a model", Root::Object),
    document::<model::Described>("model info", "Simulink models", Root::Object),
    document::<model::diagram::DrawnSheet>("model diagram", "Drawings of Simulink models", Root::Object),
    document::<model::Made>("model lustre", "Simulink models as Lustre programs", Root::Object),
    document::<model::Made>("model observer", "Observers", Root::Object),
    document::<model::Made>("model harness", "Inputs of a simulation", Root::Object),
    document::<dfrs::Framed>("dfrs frames", "Controlled English: roles", SENTENCES),
    document::<dfrs::Modelled>("dfrs model", "Controlled English: models", Root::Object),
    document::<dfrs::Analysed>("dfrs check", "Controlled English: findings", Root::Object),
    document::<dfrs::Readings>("dfrs readings", "Controlled English: readings", Root::Object),
    document::<dfrs::Shown>("dfrs animate", "Controlled English: runs", Root::Lines),
    document::<dfrs::Tested>("dfrs test", "Controlled English: tests", Root::Object),
    document::<dfrs::Replayed>("dfrs replay", "Controlled English: replay", Root::Object),
    document::<import::Imported>("import", "Imports", Root::Object),
    document::<export::Exported>("export", "Exports", Root::Object),
    document::<monitor::Monitored>("monitor", "Monitors", Root::Object),
    document::<report::Reported>("report", "Reports", Root::Object),
    document::<vectors::Vectored>("vectors", "Test vectors", Root::Array),
    document::<sentence::Answer>("serve sentence", "The workbench: sentences", Root::Object),
    document::<bench::Benched>("serve bench", "The workbench: sentences on traces", Root::Object),
    document::<formulas::Timelines>("serve timeline", "The workbench: timelines", Root::Object),
    document::<project::Overview>("serve project", "The workbench: projects", Root::Object),
    document::<project::Shown>("serve document", "The workbench: documents", Root::Object),
    document::<work::Files>("serve files", "The workbench: files", Root::Object),
    document::<logs::Waveform>("serve waveform", "The workbench: logs", Root::Object),
    document::<logs::Extents>("serve extents", "The workbench: windows of logs", Root::Object),
];

/// What every `dfrs` command writes instead if its text has errors.
const FAILED: Document = document::<dfrs::Failed>("dfrs", "Controlled English with errors", Root::Object);

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

/// The commands that write JSON, in the order of the reference.
pub fn commands() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.command)
}

/// The JSON Schema of what a command writes with `--output-format json`.
///
/// # Errors
/// There is no such command.
pub fn schema(command: &str) -> Result<Json, Error> {
    let Some(document) = DOCUMENTS.iter().find(|document| document.command == command) else {
        let known: Vec<&str> = commands().collect();
        let known = known.join("`, `");
        return Err(Error::Usage(format!("`{command}` has no JSON; schemas: `config`, `{known}`")));
    };
    let mut generator = generator();
    let mut one = (document.schema)(&mut generator);
    if command.starts_with("dfrs ") {
        one = json_schema!({ "anyOf": [one, (FAILED.schema)(&mut generator)] });
    }
    let mut schema = match document.root {
        Root::Object | Root::Lines => one,
        Root::Array => json_schema!({ "type": "array", "items": one }),
        Root::List(field) => json_schema!({
            "type": "object",
            "properties": { field: { "type": "array", "items": one } },
            "required": [field],
        }),
    };
    schema.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    schema.insert("title".into(), format!("shall {command}").into());
    schema.insert("$defs".into(), generator.take_definitions(true).into());
    Ok(schema.to_value())
}

const INTRODUCTION: &str = "\
# JSON output

This page is generated from the types that the commands write. `shall schema COMMAND` prints the JSON Schema of a command, and
`shall schema config` that of the project file `shall.toml`.

What is described here is stable: fields may be added, but none is removed or changes its meaning.

- `--output-format json` writes one object. Commands over sentences list their results in the field `sentences` (`timeline` in
  `timelines`), in the order of the sentences, however many there are.
- `--output-format json-lines` writes one object per line: each result as soon as it is known, or the whole object of a command
  that has only one. `shall check` writes a line for each finding and each undecided requirement, `shall play` the play so far before
  each command.

Byte offsets (`span`) are those of the UTF-8 text. Steps of a trace are counted from 0.

Other formats of `shall check`: `sarif` is SARIF 2.1.0; `junit` has a suite for each document and a case for each requirement (errors
are failures, warnings are output, undecided requirements are skipped); `github` writes workflow commands; `concise` writes one line
for each finding. A baseline (`--baseline FILE --write-baseline`) has `version` (1) and `findings`: `code`, `about` (the requirement, or
the file), `message`, and `count`; lines may move. `shall model info --output-format fret-json` is the model information that FRET imports.
";

/// The reference of all JSON output, in Markdown.
pub fn markdown() -> String {
    let mut generator = generator();
    let roots: Vec<(&Document, Schema)> =
        DOCUMENTS.iter().chain([&FAILED]).map(|it| (it, (it.schema)(&mut generator))).collect();
    let mut pages = Pages {
        types: generator.take_definitions(true),
        shown: BTreeSet::new(),
        out: INTRODUCTION.to_string(),
    };
    for (document, schema) in roots {
        pages.section(document, &schema);
    }
    pages.out
}

/// The reference as far as it is written.
struct Pages {
    types: Map<String, Json>,
    /// The types that have been described.
    shown: BTreeSet<String>,
    out: String,
}

impl Pages {
    fn section(&mut self, document: &Document, schema: &Schema) {
        let Document { command, title, root, .. } = document;
        let name = match command.strip_prefix("serve ") {
            Some(question) => format!("POST /api/{question}"),
            None => format!("shall {command}"),
        };
        let _ = write!(self.out, "\n## {title}: `{name}`\n\n");
        let shape = match root {
            Root::Object => String::new(),
            Root::List(field) => format!("Each entry of `{field}`. "),
            Root::Array => "Each entry of the array. ".into(),
            Root::Lines => "Each line. ".into(),
        };
        self.out += &shape;
        let root = named(schema.as_value()).unwrap_or_default();
        let mut open = vec![root.clone()];
        while let Some(name) = open.pop() {
            let Some(schema) = self.types.get(&name).cloned() else { continue };
            if !self.shown.insert(name.clone()) {
                if name == root {
                    self.out += "The same object as above.\n";
                }
                continue;
            }
            if name != root {
                let _ = write!(self.out, "\n### {name}\n\n");
            }
            let mut inner = Vec::new();
            self.describe(&schema, &mut inner);
            open.extend(inner.into_iter().rev());
        }
    }

    /// Describes a type, and collects the names of the types in it.
    fn describe(&mut self, schema: &Json, inner: &mut Vec<String>) {
        if let Some(text) = schema["description"].as_str() {
            let _ = write!(self.out, "{}\n\n", one_line(text));
        }
        let mut rows = Vec::new();
        self.rows(schema, &mut rows, inner);
        if !rows.is_empty() {
            self.out += "| field | type | meaning |\n|---|---|---|\n";
            self.out.extend(rows);
        }
        for variant in
            schema["anyOf"].as_array().into_iter().flatten().filter(|it| it.get("properties").is_some())
        {
            self.out += "\nEither:\n\n";
            self.describe(variant, inner);
        }
    }

    /// A row for each field, also for those of flattened types.
    fn rows(&self, schema: &Json, rows: &mut Vec<String>, inner: &mut Vec<String>) {
        let required: Vec<&Json> = schema["required"].as_array().into_iter().flatten().collect();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            inner.extend(named(field));
            let absent = if required.iter().any(|it| *it == name) { "" } else { "; may be absent" };
            let about = one_line(field["description"].as_str().unwrap_or_default());
            rows.push(format!("| `{name}` | {}{absent} | {about} |\n", kind(field)));
        }
    }
}

/// The name of the type that a schema refers to, directly, in a list or as a value.
fn named(schema: &Json) -> Option<String> {
    if let Some(path) = schema["$ref"].as_str() {
        return path.rsplit('/').next().map(String::from);
    }
    let inside = ["items", "additionalProperties"].iter().find_map(|it| named(schema.get(it)?));
    inside.or_else(|| schema["anyOf"].as_array()?.iter().find_map(named))
}

/// The type of a field in words.
fn kind(schema: &Json) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("[{name}](#{})", anchor(name));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    let types: Vec<&str> = match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let word = |name: &&str| match *name {
        "null" => "`null`".to_string(),
        "string" => "text".into(),
        "integer" | "number" => "number".into(),
        "boolean" => "Boolean".into(),
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" => format!("object with values of type {}", kind(&schema["additionalProperties"])),
        other => other.to_string(),
    };
    types.iter().map(word).collect::<Vec<_>>().join(" or ")
}

fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
