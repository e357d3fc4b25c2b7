//! A timeline for people, for programs and as a file.

use super::Answer;
use super::view::View;
use crate::cli::Timeline;
use crate::json;
use draw::timeline as drawing;
use logic::{Store, Trace};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use timeline::Words;

/// The columns that a drawing for the terminal may take.
const WIDTH: usize = 100;

/// Pixels of a PNG for one unit of the drawing.
const SCALE: f32 = 2.0;

impl Answer {
    pub(super) fn human(&self, command: &Timeline) -> Result<String, String> {
        let mut out = String::new();
        if command.hoa {
            // Other tools read this: nothing else is printed.
            for view in &self.views {
                out.push_str(&hoa(&self.store, view.as_ref().map_err(Clone::clone)?)?);
            }
            return Ok(out);
        }
        for (side, name) in self.sides.iter().zip(["A: ", "B: "]) {
            let name = if self.sides.len() > 1 { name } else { "" };
            out.push_str(&format!("{name}{}\n", side.text.trim()));
        }
        for view in &self.views {
            match view {
                Ok(view) => out.push_str(&self.view(view, command)?),
                Err(reason) => out.push_str(&format!("not drawn: {reason}\n")),
            }
        }
        Ok(out)
    }

    fn view(&self, view: &View, command: &Timeline) -> Result<String, String> {
        let mut out = String::new();
        if !view.title.is_empty() {
            out.push_str(&format!("\n{}:\n", view.title));
        }
        if let Some(class) = view.class {
            out.push_str(&format!("  class: {class}\n"));
        }
        for notice in &view.notices {
            out.push_str(&format!("  {notice}\n"));
        }
        if command.regex {
            out.push_str(&format!("  {}\n", view.regex));
        } else if command.file.is_none() {
            out.push('\n');
            let text = drawing::text(&self.store, &view.picture, WIDTH, !command.ascii)
                .map_err(|reason| reason.to_string())?;
            text.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
            for (title, trace) in [("for example", &view.inside), ("but not", &view.outside)] {
                if let Some(trace) = trace.as_ref().filter(|trace| !trace.names().is_empty()) {
                    out.push_str(&format!("\n  {title}:\n"));
                    draw::table::text(trace).lines().for_each(|line| out.push_str(&format!("    {line}\n")));
                }
            }
        }
        if command.stats {
            out.push_str(&stats(view));
        }
        Ok(out)
    }

    pub(super) fn document(&self, command: &Timeline) -> Json {
        let texts: Vec<&str> = self.sides.iter().map(|side| side.text.as_str()).collect();
        let mut twin = json!({ "text": texts[0] });
        if let Some(other) = texts.get(1) {
            twin["against"] = json!(other);
        }
        twin["finite"] = json!(self.words == Words::Finite);
        let views: Vec<Json> =
            self.views.iter().map(|view| self.view_document(view.as_ref(), command)).collect();
        match &views[..] {
            [a_not_b, b_not_a] => {
                twin["a_not_b"] = a_not_b.clone();
                twin["b_not_a"] = b_not_a.clone();
            }
            _ => {
                let only = views.into_iter().next().unwrap_or(json!({ "error": "the text has errors" }));
                if let (Json::Object(all), Json::Object(fields)) = (&mut twin, only) {
                    all.extend(fields);
                }
            }
        }
        let diagnostics: Vec<Json> = self
            .sides
            .iter()
            .flat_map(|side| match json::diagnostics(&side.diagnostics) {
                Json::Array(list) => list,
                other => vec![other],
            })
            .collect();
        twin["diagnostics"] = json!(diagnostics);
        twin
    }

    fn view_document(&self, view: Result<&View, &String>, command: &Timeline) -> Json {
        let view = match view {
            Ok(view) => view,
            Err(reason) => return json!({ "error": reason }),
        };
        let statistics = &view.statistics;
        let automaton = view.automaton.as_ref();
        let trace = |trace: &Option<Trace>| {
            trace.as_ref().map(|trace| {
                let mut twin = json!({ "steps": json::steps(trace) });
                if let Some(start) = trace.loop_start() {
                    twin["loop"] = json!(start);
                }
                twin
            })
        };
        let mut twin = json!({
            "states": automaton.map(|automaton| automaton.steps.len()),
            "edges": automaton.map(|automaton| automaton.steps.iter().map(Vec::len).sum::<usize>()),
            "regex": view.regex,
            "regex_size": statistics.size,
            "star_height": statistics.star_height,
            "length": statistics.length,
            "length_2023": statistics.length_2023,
            "drawn_nodes": statistics.drawn_nodes,
            "alternatives": statistics.alternatives,
            "lanes": statistics.lanes,
            "class": view.class.map(|class| class.to_string()),
            "notices": view.notices,
            "inside": trace(&view.inside),
            "outside": trace(&view.outside),
            "seconds": view.seconds,
            "error": null,
        });
        if command.hoa {
            twin["hoa"] = json!(hoa(&self.store, view).ok());
        }
        twin
    }
}

fn stats(view: &View) -> String {
    let s = &view.statistics;
    let automaton = view.automaton.as_ref().map_or_else(
        || "automaton too large".to_string(),
        |automaton| {
            let edges: usize = automaton.steps.iter().map(Vec::len).sum();
            format!("{} states, {edges} edges", automaton.steps.len())
        },
    );
    format!(
        "\n  {automaton}; expression size {}, star height {}\n  timeline length {} ({} by the definition of 2023), {} drawn nodes, {} alternatives, {} lanes; {:.3} s\n",
        s.size, s.star_height, s.length, s.length_2023, s.drawn_nodes, s.alternatives, s.lanes, view.seconds
    )
}

fn hoa(store: &Store, view: &View) -> Result<String, String> {
    let automaton = view.automaton.as_ref().ok_or("the automaton is too large")?;
    Ok(omega::hoa::write(store, automaton))
}

/// Writes a picture or automaton; the ending of the name says which. With a number it goes before the ending.
pub(super) fn to_file(
    store: &Store,
    view: &View,
    file: &Path,
    number: Option<usize>,
    command: &Timeline,
) -> Result<(), String> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_lowercase();
    let title = command.texts.first().map_or("", |text| text.trim());
    let undrawable = |reason: drawing::Undrawable| reason.to_string();
    let bytes = match ending.as_str() {
        "svg" => drawing::svg(store, &view.picture, title).map_err(undrawable)?.into_bytes(),
        "png" => drawing::png(store, &view.picture, title, SCALE).map_err(undrawable)?,
        "dot" | "gv" => drawing::dot(store, &view.picture).map_err(undrawable)?.into_bytes(),
        "tex" => drawing::tikz(store, &view.picture, title).map_err(undrawable)?.into_bytes(),
        "txt" => drawing::text(store, &view.picture, WIDTH, !command.ascii).map_err(undrawable)?.into_bytes(),
        "hoa" => hoa(store, view)?.into_bytes(),
        _ => {
            return Err(format!(
                "{}: the name must end in .svg, .png, .dot, .tex, .txt or .hoa",
                file.display()
            ));
        }
    };
    let path = match number {
        None => file.to_path_buf(),
        Some(number) => {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("timeline");
            PathBuf::from(file).with_file_name(format!("{stem}-{number}.{ending}"))
        }
    };
    std::fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
