//! `shall explain`: what a sentence means, in words, as a picture, and by example.

use crate::cli::{Explain, Output};
use crate::files::{is_standard, write_file};
use crate::json::{self, Diagnostic, Fields, Values};
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use crate::{Error, Outcome};
use logic::{Trace, Value};
use requirement::diagram::{Lane, Scene, scene};
use requirement::explain::{Explanation, explain};
use requirement::reason;
use requirement::witness::{Goal, Situation, Witness, typical, witness};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

pub(crate) fn run(command: &Explain, output: Output) -> Result<Outcome, Error> {
    let context = &command.input.known.context()?;
    let question = Question::of(&command.input, context, output);
    let text = |reading: &Reading, meaning: Option<&Meaning>| {
        output.entry(|| human(reading, meaning, command.ascii), || document(reading, meaning))
    };
    let Some(path) = &command.svg else {
        return question.in_parallel(|reading| {
            let meaning = Meaning::of(reading);
            (reading.outcome(), text(reading, meaning.as_ref()))
        });
    };
    // A picture on standard output is not mixed with text.
    let alone = is_standard(path);
    if alone && output != Output::Human {
        return Err(Error::usage("--svg -: the picture and JSON cannot both be written to standard output"));
    }
    let mut pictures = Vec::new();
    let outcome = question.one_by_one(|reading| {
        let meaning = Meaning::of(reading);
        pictures.push((reading.is_note(), meaning.as_ref().map(|it| it.svg(reading))));
        (reading.outcome(), if alone { String::new() } else { text(reading, meaning.as_ref()) })
    })?;
    match &pictures[..] {
        [(_, Some(svg))] => write_file(path, svg)?,
        [(true, None)] => return Err(Error::usage("--svg: a note has no formal meaning to draw")),
        [(false, None)] => {}
        _ => return Err(Error::usage("--svg draws one sentence, not several")),
    }
    Ok(outcome)
}

/// What people read about a sentence.
#[cfg(feature = "arrow")]
pub(crate) fn text(reading: &mut Reading) -> String {
    let meaning = Meaning::of(reading);
    human(reading, meaning.as_ref(), false)
}

/// The document about a sentence, and its picture.
pub(crate) fn answer(reading: &mut Reading) -> (serde_json::Value, Option<String>) {
    let meaning = Meaning::of(reading);
    let svg = meaning.as_ref().map(|it| it.svg(reading));
    (json!(document(reading, meaning.as_ref())), svg)
}

/// Everything that is said about a sentence without errors.
struct Meaning {
    explanation: Explanation,
    scene: Scene,
    satisfied: Option<(Witness, String)>,
    typical: Option<(Witness, String)>,
    cut_short: Option<(Witness, String)>,
    violated: Option<(Witness, String)>,
}

impl Meaning {
    fn of(reading: &mut Reading) -> Option<Meaning> {
        let requirement = reading.lowered.requirement.clone()?;
        let Reading { store, fields, types, .. } = reading;
        let told = |witness: Witness| {
            let reason = reason(&requirement, fields, &witness.verdict);
            (witness, reason)
        };
        Some(Meaning {
            satisfied: witness(store, &requirement, types, Goal::Satisfied).map(told),
            typical: typical(store, &requirement, types, Situation::Answered).map(told),
            cut_short: typical(store, &requirement, types, Situation::CutShort).map(told),
            violated: witness(store, &requirement, types, Goal::Violated).map(told),
            explanation: explain(&requirement, &reading.fields),
            scene: scene(&requirement, &reading.fields),
        })
    }

    fn svg(&self, reading: &Reading) -> String {
        draw::diagram::svg(&self.scene, &reading.title(), &self.explanation)
    }
}

fn human(reading: &Reading, meaning: Option<&Meaning>, ascii: bool) -> String {
    let mut out = format!("{}\n\n", visible(&reading.title()));
    let named = [
        ("scope", &reading.fields.scope),
        ("condition", &reading.fields.condition),
        ("component", &reading.fields.component),
        ("probability", &reading.fields.probability),
        ("timing", &reading.fields.timing),
        ("response", &reading.fields.response),
    ];
    for (name, field) in named.into_iter().filter_map(|(name, field)| Some((name, field.as_ref()?))) {
        out.push_str(&format!("  {name:<12} {}\n", visible(&field.text)));
    }
    for (phrase, name) in &reading.fields.phrases {
        out.push_str(&format!("  {:<12} {} = {}\n", "phrase", visible(phrase), visible(name)));
    }
    if let Some(key) = reading.lowered.key {
        out.push_str(&format!("  {:<12} {key}\n", "template"));
    }
    let Some(Meaning { explanation, scene, satisfied, typical, cut_short, violated }) = meaning else {
        return out;
    };
    let [scope, trigger, response] =
        [&explanation.scope, &explanation.trigger, &explanation.response].map(|sentence| visible(sentence));
    out.push_str(&format!("\n{scope}\n{trigger}\n{response}\n\n"));
    out.push_str(&draw::diagram::text(&visible_scene(scene), !ascii));
    let examples = [
        ("Satisfied, for example:", satisfied, true),
        ("Satisfied in a longer run:", typical, false),
        ("Satisfied because the interval ends early:", cut_short, false),
        ("Violated, for example:", violated, true),
    ];
    for (title, example, _) in
        examples.into_iter().filter(|(_, example, always)| *always || example.is_some())
    {
        match example {
            Some((witness, reason)) => {
                out.push_str(&format!("\n{title} {}\n\n", visible(reason)));
                let table = draw::table::text(&visible_trace(&witness.trace));
                table.lines().for_each(|line| out.push_str(&format!("  {}\n", visible(line))));
            }
            None => out.push_str(&format!("\n{title} no short trace was found.\n")),
        }
    }
    out
}

/// The scene with labels that can be shown.
fn visible_scene(scene: &Scene) -> Scene {
    let lane = |lane: &Lane| Lane { label: visible(&lane.label), ..lane.clone() };
    Scene { lanes: scene.lanes.iter().map(lane).collect(), ..*scene }
}

/// The trace with names that can be shown; where two would become one, the table has to cope with them as they are.
fn visible_trace(trace: &Trace) -> Trace {
    let value = |value: &Value| match value {
        Value::Name(name) => Value::Name(visible(name)),
        Value::Bool(_) | Value::Num(_) => value.clone(),
    };
    let empty = Trace::new(trace.len(), trace.loop_start());
    let shown = trace.names().iter().enumerate().fold(empty, |shown, (column, name)| {
        shown.and_then(|shown| shown.with(&visible(name), trace.values(column).iter().map(value).collect()))
    });
    shown.unwrap_or_else(|_| trace.clone())
}

/// What a sentence means.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Explained<'a> {
    /// The id, for a requirement of a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    /// The sentence as it was given.
    sentence: &'a str,
    /// The template, scope,condition,timing; `null` if the response could not be read.
    key: Option<String>,
    /// The fields that could be read.
    fields: Fields<'a>,
    /// The meaning in words; `null` if the sentence has errors.
    explanation: Option<Words<'a>>,
    /// The picture as text.
    diagram: Option<String>,
    /// A trace on which the requirement holds because of its response; `null` if none was found.
    satisfied: Option<Example<'a>>,
    /// A longer trace, in which the response comes in the middle; `null` if there is none to show.
    typical: Option<Example<'a>>,
    /// A trace in which the interval ends before the response is due; `null` if there is none to show.
    cut_short: Option<Example<'a>>,
    /// A trace on which the requirement is violated; `null` if none was found.
    violated: Option<Example<'a>>,
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// A meaning in words, one English sentence each.
#[derive(Serialize, JsonSchema)]
struct Words<'a> {
    /// Where the requirement applies.
    scope: &'a str,
    /// What triggers it.
    trigger: &'a str,
    /// What is required then.
    response: &'a str,
}

/// An example of a requirement.
#[derive(Serialize, JsonSchema)]
struct Example<'a> {
    /// The steps, each with a value for every name.
    steps: Vec<Values>,
    /// Whether every shorter trace was ruled out.
    shortest: bool,
    /// The step that decides.
    decided_at: Option<usize>,
    /// Why it holds or is violated.
    reason: &'a str,
}

fn document<'a>(reading: &'a Reading, meaning: Option<&'a Meaning>) -> Explained<'a> {
    fn example(example: &Option<(Witness, String)>) -> Option<Example<'_>> {
        let (Witness { trace, shortest, verdict, .. }, reason) = example.as_ref()?;
        let decided_at = verdict.decision().map(|decision| decision.step);
        Some(Example { steps: json::steps(trace), shortest: *shortest, decided_at, reason })
    }
    let words = |meaning: &'a Meaning| {
        let Explanation { scope, trigger, response, .. } = &meaning.explanation;
        Words { scope, trigger, response }
    };
    Explained {
        id: reading.id.as_deref(),
        sentence: &reading.text,
        key: reading.lowered.key.map(|key| key.to_string()),
        fields: (&reading.fields).into(),
        explanation: meaning.map(words),
        diagram: meaning.map(|meaning| draw::diagram::text(&meaning.scene, true)),
        satisfied: meaning.and_then(|meaning| example(&meaning.satisfied)),
        typical: meaning.and_then(|meaning| example(&meaning.typical)),
        cut_short: meaning.and_then(|meaning| example(&meaning.cut_short)),
        violated: meaning.and_then(|meaning| example(&meaning.violated)),
        diagnostics: json::diagnostics(reading.diagnostics()),
    }
}
