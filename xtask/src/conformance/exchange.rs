//! Public FRET projects: reading and writing, and going through documents and sidecar, changes nothing; and
//! what we compute from their sentences is what FRET computed, except for the known differences below.

use crate::failure::{OrFail, Result, no_problems};
use crate::files;
use check::{Subject, Traces, Undecided, compare};
use exchange::Limits;
use exchange::fret::{self, NativeRequirement, NativeVariable, Project};
use logic::{Formula, Node, Rel, Store};
use project::edit::apply;
use project::exchange::{Incoming, from_fret, merge, to_fret};
use project::{Cache, Document};
use requirement::{Context, lower_formula};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

const PROJECTS: [&str; 3] =
    ["LM_requirements.json", "LPC_mini_reqts_and_vars.json", "fsm_reqts_and_vars.json"];

/// Files that are imported twice into documents and exported again: several projects in one, the same ids and variables in
/// two of them, empty ids and projects, components with a digit.
const WHOLE: [&str; 17] = [
    "trials/fret/component-digit-phantom.json",
    "trials/fret/component-digit-with-vars.json",
    "trials/fret/empty-project.json",
    "trials/fret/no-reqid.json",
    "trials/fret/real-read-as-int.json",
    "trials/fret/two-projects-same-id.json",
    "trials/fret/two-projects-same-variables.json",
    "trials/fret/type-not-propagated.json",
    "realizability/fret-cases/FiniteStateMachine/fsm_reqts_and_vars.json",
    "realizability/fret-cases/LMCPS/LM_requirements.json",
    "realizability/fret-cases/LiftPlusCruise/LPC_full_reqts_and_vars.json",
    "realizability/fret-cases/LiquidMixer/LM_reqts_and_vars.json",
    "realizability/fret-fm21/GPCA/Requirements/Infusion_Manager.json",
    "realizability/fret-fm21/LMCPS/Requirements/LMCPS.json",
    "realizability/fret-fm21/Liquid_Mixer/Requirements/Liquid_mixer.json",
    "realizability/hardens/RTS_Requirements.json",
    "realizability/hardens/requirements.json",
];

/// The members that are neither formulas nor prose.
#[rustfmt::skip]
const STRUCTURE: [&str; 22] = [
    "type", "scope", "condition", "timing", "response", "variables", "scope_mode", "scopeTextRange", "qualifier_word",
    "pre_condition", "regular_condition", "conditionTextRange", "component_name", "componentTextRange", "duration",
    "stop_condition", "timingTextRange", "post_condition", "responseTextRange", "diagramVariables", "diagram",
    "component",
];

/// Checks the projects below a folder.
pub(crate) fn check(folder: &Path) -> Result {
    let mut problems = Vec::new();
    let mut seen = Seen::default();
    for name in PROJECTS {
        let bytes = files::bytes(&folder.join("fretish/projects").join(name))?;
        let reading = fret::read(&bytes, Limits::default()).about(name)?;
        let original: Value = serde_json::from_slice(&bytes).about(name)?;
        let mut complain = |what: &str| problems.push(format!("{name}: {what}"));
        for warning in &reading.warnings {
            complain(&format!("unexpected warning: {warning}"));
        }
        round_trips(&reading.project, &original, &mut complain)?;
        for requirement in original["requirements"].as_array().into_iter().flatten() {
            same_structure(requirement, &mut seen, &mut complain);
            same_meaning(requirement, &mut seen, &mut complain);
        }
        seen.requirements += reading.project.requirements.len();
        seen.records += reading.project.variables.len();
    }
    for file in WHOLE {
        let bytes = files::bytes(&folder.join(file))?;
        let reading = fret::read(&bytes, Limits::default()).about(file)?;
        let original: Value = serde_json::from_slice(&bytes).about(file)?;
        let text = through_documents(&reading.project);
        if without_semantics(serde_json::from_str(&text).or_fail()?) != without_semantics(original) {
            problems.push(format!("{file}: what goes through documents comes back as another file"));
        }
        seen.files += 1;
        seen.projects += fret::split(&reading.project).len();
    }
    let table = files::text(&folder.join("fretish/sentences.tsv"))?;
    same_spelling(&table, &mut seen, &mut |what| problems.push(what.to_string()));
    println!("{seen}");
    no_problems(problems)
}

/// The counts of what was compared.
#[derive(Default)]
struct Seen {
    /// Files that went through documents, and the projects in them.
    files: usize,
    projects: usize,
    requirements: usize,
    records: usize,
    equal: usize,
    /// Expressions of other sentences in FRET's own spelling.
    spelled: usize,
    /// Members that differ for a known reason.
    known: BTreeMap<&'static str, usize>,
    /// Formulas by the name of the member and the outcome.
    formulas: BTreeMap<(&'static str, String), usize>,
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "{} requirements and {} records of FRET come back as they were; ",
            self.requirements, self.records
        )?;
        write!(f, "{} other files with {} projects as well; ", self.files, self.projects)?;
        write!(f, "{} members of `semantics` are equal", self.equal)?;
        self.known.iter().try_for_each(|(cause, count)| write!(f, ", {count} differ ({cause})"))?;
        self.formulas
            .iter()
            .try_for_each(|((name, outcome), count)| write!(f, "; {name}: {count} {outcome}"))?;
        write!(f, "; {} fields of other sentences are spelled as by FRET", self.spelled)
    }
}

/// The expressions of sentences as FRET spells them.
fn same_spelling(table: &str, seen: &mut Seen, complain: &mut dyn FnMut(&str)) {
    for cells in files::rows(table) {
        let [_, _, sentence, "nasa", _, cells @ ..] = &cells[..] else { continue };
        let ours = fret::semantics(sentence);
        let names = [
            "scope_mode",
            "regular_condition",
            "stop_condition",
            "post_condition",
            "duration",
            "component_name",
        ];
        for (name, their) in names.into_iter().zip(cells) {
            let our = ours.get(name).and_then(Value::as_str).unwrap_or_default();
            if our != *their {
                complain(&format!("{sentence}\n  `{name}` is {our}, FRET {their}"));
            }
            seen.spelled += usize::from(our == *their && !our.is_empty());
        }
    }
}

fn round_trips(project: &Project, original: &Value, complain: &mut dyn FnMut(&str)) -> Result {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).or_fail();
    let expected = without_semantics(original.clone());
    let text = fret::write(project);
    if without_semantics(parsed(&text)?) != expected {
        complain("writing changes something");
    }
    match fret::read(text.as_bytes(), Limits::default()) {
        Ok(again) if again.project == *project => {}
        _ => complain("reading what was written gives another project"),
    }
    let parts = fret::parts(project);
    let sidecar = parsed(&fret::sidecar(project, &[]).to_string())?;
    let requirements: Vec<NativeRequirement> = parts.requirements.iter().map(reflowed).collect();
    for requirements in [&parts.requirements, &requirements] {
        let rebuilt = fret::rebuild(Some(&sidecar), requirements, &parts.variables, &parts.name);
        if without_semantics(parsed(&fret::write(&rebuilt))?) != expected {
            complain("documents and sidecar give another project");
        }
    }
    if without_semantics(parsed(&through_documents(project))?) != expected {
        complain("what goes through documents in Markdown comes back as another project");
    }
    let fresh = fret::rebuild(None, &parts.requirements, &parts.variables, &parts.name);
    let variables: Vec<NativeVariable> = fret::parts(&fresh).variables;
    if fret::parts(&fresh).requirements != parts.requirements || variables != parts.variables {
        complain("a new project made from the parts differs");
    }
    Ok(())
}

/// The file as `shall import` writes it into new documents, twice, and as `shall export` reads it from them.
fn through_documents(file: &Project) -> String {
    let projects = fret::split(file).into_iter().map(|project| {
        let mut native = project::Project::default();
        native.config.name = Some(project.name().to_string());
        let mut sidecar = Value::Null;
        for _ in 0..2 {
            let names = imported(&mut native, &from_fret(&project));
            sidecar = fret::sidecar(&project, &names);
        }
        let analysis = native.analyse(&mut Cache::default());
        (project.name().to_string(), to_fret(&native, &analysis, Some(&sidecar)))
    });
    let projects: Vec<(String, Project)> = projects.collect();
    fret::write(&fret::join(&fret::weave(file), projects))
}

/// Adds what came from outside to the documents of a project, and returns the ids that the requirements have there.
pub(super) fn imported(native: &mut project::Project, incoming: &Incoming) -> Vec<String> {
    let merged = merge(native, &native.analyse(&mut Cache::default()), incoming);
    for (index, document) in native.documents.iter_mut().enumerate() {
        let edits = merged.edits.iter().filter(|edit| edit.document == index);
        let text = apply(&document.text, edits).expect("the edits of an import do not overlap");
        *document = Document::read(document.name.clone(), text);
    }
    let new = merged.documents.into_iter().map(|(name, text)| Document::read(name, text));
    native.documents.extend(new);
    native.documents.sort_by(|one, other| one.name.cmp(&other.name));
    merged.names
}

/// Adds the variables of a list of FRET's to a project.
pub(super) fn with_variables(native: &mut project::Project, list: &Path) -> Result {
    let variables = fret::variable_list(&files::bytes(list)?, Limits::default()).unwrap_or_default();
    imported(native, &Incoming { variables, ..Incoming::default() });
    Ok(())
}

/// White space as a document may change it.
fn reflowed(requirement: &NativeRequirement) -> NativeRequirement {
    let flow = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    NativeRequirement {
        text: flow(&requirement.text),
        rationale: flow(&requirement.rationale),
        comments: flow(&requirement.comments),
        ..requirement.clone()
    }
}

fn without_semantics(mut project: Value) -> Value {
    let list = if project.is_array() { Some(&mut project) } else { project.get_mut("requirements") };
    for requirement in list.and_then(Value::as_array_mut).into_iter().flatten() {
        requirement.as_object_mut().map(|members| members.insert("semantics".into(), Value::Null));
    }
    project
}

fn same_structure(requirement: &Value, seen: &mut Seen, complain: &mut dyn FnMut(&str)) {
    let ours = fret::semantics(requirement["fulltext"].as_str().unwrap_or_default());
    let empty = Map::new();
    let theirs = requirement["semantics"].as_object().unwrap_or(&empty);
    for name in STRUCTURE {
        let (our, their) = (ours.get(name), theirs.get(name));
        if our == their {
            seen.equal += usize::from(our.is_some());
        } else if let Some(cause) = our.zip(their).and_then(|(our, their)| known(our, their)) {
            *seen.known.entry(cause).or_default() += 1;
        } else {
            complain(&format!("{}: `{name}` is {our:?}, FRET {their:?}", requirement["reqid"]));
        }
    }
    for name in theirs.keys().filter(|name| !fret::SEMANTICS.contains(&name.as_str())) {
        complain(&format!("{}: unknown member `{name}`", requirement["reqid"]));
    }
}

/// Why a member of an older file differs.
fn known(our: &Value, their: &Value) -> Option<&'static str> {
    if let (Some(our), Some(their)) = (our.as_str(), their.as_str()) {
        return match () {
            () if their == format!("<b><i>{our}</i></b>") => Some("tags around the component"),
            () if their.replace("noTrigger", "holding") == our => Some("`noTrigger` is now `holding`"),
            () => None,
        };
    }
    let names = their.as_object().and_then(|kinds| kinds.get("regular"));
    (names == Some(our)).then_some("variables as two lists")
}

/// Compares formulas for all traces. Where FRET leaves a predicate of the past as it is in a formula of the future, there
/// is nothing to compare.
fn same_meaning(requirement: &Value, seen: &mut Seen, complain: &mut dyn FnMut(&str)) {
    let ours = fret::semantics(requirement["fulltext"].as_str().unwrap_or_default());
    for (name, traces) in [("ptExpanded", Traces::Finite), ("ftInfAUExpanded", Traces::Infinite)] {
        let Some(their) = requirement["semantics"][name].as_str() else { continue };
        let outcome = match ours.get(name).and_then(Value::as_str) {
            None if ["pre", "persisted"].iter().any(|past| their.contains(past)) => "look back".to_string(),
            None => "without ours".to_string(),
            Some(our) => relation(our, &their.replace("<b><i>", "").replace("</i></b>", ""), traces),
        };
        if !["equal", "look back"].contains(&outcome.as_str()) {
            complain(&format!(
                "{}: {name}: {outcome}\n  ours {:?}\n  FRET {their}",
                requirement["reqid"],
                ours.get(name)
            ));
        }
        *seen.formulas.entry((name, outcome)).or_default() += 1;
    }
}

fn relation(our: &str, their: &str, traces: Traces) -> String {
    let mut store = Store::default();
    let mut read = |text: &str| {
        let parse = syntax::formula::parse(&quoted(text));
        lower_formula(&mut store, &parse, &Context::default()).0
    };
    let (Some(our), Some(their)) = (read(our), read(their)) else { return "unreadable".into() };
    let (our, their) = (logic::simplify(&mut store, our), logic::simplify(&mut store, their));
    if our == their {
        return "equal".into();
    }
    let mut answer = compare(&mut store, &Subject::Formula(our), &Subject::Formula(their), traces);
    if matches!(answer, Err(Undecided::TemporalAtom | Undecided::TooManyLetters | Undecided::NotLinear)) {
        // What is equal whatever the comparisons say is equal.
        let (our, their) = (opaque(&mut store, our), opaque(&mut store, their));
        answer = compare(&mut store, &Subject::Formula(our), &Subject::Formula(their), traces);
    }
    match answer {
        Ok(comparison) => comparison.relation.name().into(),
        Err(reason) => format!("undecided: {reason}"),
    }
}

/// The text with quotes around names such as `Xr`: FRET writes a space after each operator, so they are not `X r`.
fn quoted(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.%".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (token, after) = rest.split_at(end);
        let is_glued = token.len() > 1 && token != "FALSE" && "FGX".contains(first);
        out += &if is_glued { format!("\"{token}\"") } else { token.to_owned() };
        rest = after;
    }
    out
}

/// The formula with a proposition for each comparison.
fn opaque(store: &mut Store, formula: Formula) -> Formula {
    let mapped = store.map(formula.id(), |store, id| {
        let &Node::Rel(rel, a, b) = store.node(id) else { return None };
        let negated = matches!(rel, Rel::Ge | Rel::Gt | Rel::Ne);
        let kept = if negated { rel.complement() } else { rel };
        let name = store.symbol(&format!("{kept:?} {} {}", a.id().index(), b.id().index()));
        let proposition = store.var(name);
        Some(if negated { store.not(proposition).id() } else { proposition.id() })
    });
    store.as_formula(mapped).unwrap_or(formula)
}
