//! `shall explain`: what a sentence means, in words, as a picture, and by example.

use super::{Reading, SharedUnit};
use crate::cli::{Explain, Output};
use crate::render::visible;
use crate::{Outcome, json, print};
use logic::{Trace, Value};
use requirement::diagram::{Lane, Scene, scene};
use requirement::explain::{Explanation, explain};
use requirement::reason;
use requirement::witness::{Goal, Witness, witness};
use serde_json::{Value as Json, json};

pub(crate) fn run(command: &Explain, output: Output) -> Result<Outcome, String> {
    let context = command.input.known.context()?;
    let (given, list) = command.input.read()?;
    if command.svg.is_some() && given.len() != 1 {
        return Err("--svg draws one sentence, not several".into());
    }
    if command.svg.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err("--svg: `-` is no file; give a file name".into());
    }
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    let mut unit = SharedUnit::default();
    for given in &given {
        let mut reading = Reading::of(given, &context);
        if !list && context.step.is_none() {
            unit.admit(&mut reading);
        }
        if command.svg.is_some() && reading.is_note() {
            return Err("--svg: a note has no formal meaning, so there is nothing to draw".into());
        }
        outcome = outcome.max(reading.outcome());
        let meaning = Meaning::of(&mut reading);
        if let (Some(path), Some(meaning)) = (&command.svg, &meaning) {
            let svg = draw::diagram::svg(&meaning.scene, reading.text.trim(), &meaning.explanation);
            std::fs::write(path, svg)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, meaning.as_ref(), command.ascii))?;
            }
            Output::JsonLines => json::write(&[document(&reading, meaning.as_ref())], output, list)?,
            Output::Json => results.push(document(&reading, meaning.as_ref())),
        }
    }
    json::write(&results, output, list)?;
    Ok(outcome)
}

/// Everything that is said about a sentence without errors.
struct Meaning {
    explanation: Explanation,
    scene: Scene,
    satisfied: Option<(Witness, String)>,
    violated: Option<(Witness, String)>,
}

impl Meaning {
    fn of(reading: &mut Reading) -> Option<Meaning> {
        let requirement = reading.lowered.requirement.clone()?;
        let mut example = |goal: Goal| {
            let witness = witness(&mut reading.store, &requirement, goal)?;
            let reason = reason(&requirement, &reading.fields, &witness.verdict);
            Some((witness, reason))
        };
        Some(Meaning {
            satisfied: example(Goal::Satisfied),
            violated: example(Goal::Violated),
            explanation: explain(&requirement, &reading.fields),
            scene: scene(&requirement, &reading.fields),
        })
    }
}

fn human(reading: &Reading, meaning: Option<&Meaning>, ascii: bool) -> String {
    let mut out = format!("{}\n\n", visible(reading.text.trim()));
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
    if let Some(key) = reading.lowered.key {
        out.push_str(&format!("  {:<12} {key}\n", "template"));
    }
    let Some(Meaning { explanation, scene, satisfied, violated }) = meaning else { return out };
    let [scope, trigger, response] =
        [&explanation.scope, &explanation.trigger, &explanation.response].map(|sentence| visible(sentence));
    out.push_str(&format!("\n{scope}\n{trigger}\n{response}\n\n"));
    out.push_str(&draw::diagram::text(&visible_scene(scene), !ascii));
    for (title, example) in [("Satisfied, for example:", satisfied), ("Violated, for example:", violated)] {
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

fn document(reading: &Reading, meaning: Option<&Meaning>) -> Json {
    let example = |example: &Option<(Witness, String)>| {
        example.as_ref().map(|(witness, reason)| {
            json!({
                "steps": json::steps(&witness.trace),
                "shortest": witness.shortest,
                "decided_at": witness.verdict.decision().map(|decision| decision.step),
                "reason": reason,
            })
        })
    };
    json!({
        "sentence": reading.text,
        "key": reading.lowered.key.map(|key| key.to_string()),
        "fields": json::fields(&reading.fields),
        "explanation": meaning.map(|meaning| json!({
            "scope": meaning.explanation.scope,
            "trigger": meaning.explanation.trigger,
            "response": meaning.explanation.response,
        })),
        "diagram": meaning.map(|meaning| draw::diagram::text(&meaning.scene, true)),
        "satisfied": meaning.and_then(|meaning| example(&meaning.satisfied)),
        "violated": meaning.and_then(|meaning| example(&meaning.violated)),
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
