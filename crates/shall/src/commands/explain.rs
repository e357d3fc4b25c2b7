//! `shall explain`: what a sentence means, in words, as a picture, and by example.

use super::Reading;
use crate::cli::{Explain, Output};
use crate::{Outcome, json, print};
use requirement::diagram::{Scene, scene};
use requirement::explain::{Explanation, explain};
use requirement::reason;
use requirement::witness::{Goal, Witness, witness};
use serde_json::{Value as Json, json};

pub(crate) fn run(command: &Explain, output: Output) -> Result<Outcome, String> {
    let context = command.input.context()?;
    let (given, list) = command.input.read()?;
    if command.svg.is_some() && given.len() != 1 {
        return Err("--svg draws one sentence, not several".into());
    }
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    for given in &given {
        let mut reading = Reading::of(given, &context);
        outcome = outcome.max(reading.outcome());
        let meaning = Meaning::of(&mut reading);
        if let (Some(path), Some(meaning)) = (&command.svg, &meaning) {
            let svg = export::diagram::svg(&meaning.scene, reading.text.trim(), &meaning.explanation);
            std::fs::write(path, svg)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, meaning.as_ref(), command.ascii));
            }
            Output::JsonLines => json::write(&[document(&reading, meaning.as_ref())], output, list),
            Output::Json => results.push(document(&reading, meaning.as_ref())),
        }
    }
    json::write(&results, output, list);
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
    let mut out = format!("{}\n\n", reading.text.trim());
    let named = [
        ("scope", &reading.fields.scope),
        ("condition", &reading.fields.condition),
        ("component", &reading.fields.component),
        ("probability", &reading.fields.probability),
        ("timing", &reading.fields.timing),
        ("response", &reading.fields.response),
    ];
    for (name, field) in named.into_iter().filter_map(|(name, field)| Some((name, field.as_ref()?))) {
        out.push_str(&format!("  {name:<12} {}\n", field.text));
    }
    if let Some(key) = reading.lowered.key {
        out.push_str(&format!("  {:<12} {key}\n", "template"));
    }
    let Some(Meaning { explanation, scene, satisfied, violated }) = meaning else { return out };
    out.push_str(&format!("\n{}\n{}\n{}\n\n", explanation.scope, explanation.trigger, explanation.response));
    out.push_str(&export::diagram::text(scene, !ascii));
    for (title, example) in [("Satisfied, for example:", satisfied), ("Violated, for example:", violated)] {
        match example {
            Some((witness, reason)) => {
                out.push_str(&format!("\n{title} {reason}\n\n"));
                let table = export::table::text(&witness.trace);
                table.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
            }
            None => out.push_str(&format!("\n{title} no short trace was found.\n")),
        }
    }
    out
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
        "diagram": meaning.map(|meaning| export::diagram::text(&meaning.scene, true)),
        "satisfied": meaning.and_then(|meaning| example(&meaning.satisfied)),
        "violated": meaning.and_then(|meaning| example(&meaning.violated)),
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
