//! A timeline for people, for programs and as a file.

use super::Answer;
use super::view::View;
use crate::Error;
use crate::cli::Timeline;
use crate::files::{is_standard, write_file};
use crate::json::{self, Diagnostic, Lasso};
use draw::timeline as drawing;
use logic::Store;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use timeline::Words;
use timeline::picture::Shows;

/// The columns that a drawing for the terminal may take.
const WIDTH: usize = 100;

/// Pixels of a PNG for one unit of the drawing.
const SCALE: f32 = 2.0;

impl Answer {
    pub(super) fn human(&self, command: &Timeline) -> Result<String, Error> {
        let mut out = String::new();
        if command.hoa {
            // Other tools read this: nothing else is printed.
            for view in &self.views {
                out.push_str(&hoa(&self.store, view.as_ref().map_err(Error::refused)?)?);
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

    fn view(&self, view: &View, command: &Timeline) -> Result<String, Error> {
        let mut out = String::new();
        if !view.asked.heading.is_empty() {
            out.push_str(&format!("\n{}:\n", view.asked.heading));
        }
        // The class of another formula would be taken for that of the text.
        if let Some(class) = view.class.filter(|_| view.asked.shows == Shows::Allowed) {
            out.push_str(&format!("  class: {class}\n"));
        }
        for notice in &view.notices {
            out.push_str(&format!("  {notice}\n"));
        }
        if command.regex {
            out.push_str(&format!("  {}\n", view.regex));
        } else if command.file.is_none() {
            out.push('\n');
            let text =
                drawing::text(&self.store, &view.picture, WIDTH, !command.ascii).map_err(Error::refused)?;
            let new = text.lines().filter(|line| !view.notices.iter().any(|notice| notice == line));
            new.for_each(|line| out.push_str(&format!("  {line}\n")));
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

    pub(super) fn document(&self, command: &Timeline) -> Drawn<'_> {
        let mut views = self.views.iter().map(|view| Picture::of(&self.store, view.as_ref(), command));
        let (first, second) = (views.next(), views.next());
        let (picture, a_not_b, b_not_a) = match (first, second) {
            (first, second @ Some(_)) => (None, first, second),
            (Some(only), None) => (Some(only), None, None),
            (None, None) => (Some(Picture::failed("the text has errors".into())), None, None),
        };
        let diagnostics = self.sides.iter().flat_map(|side| json::diagnostics(&side.diagnostics));
        Drawn {
            text: &self.sides[0].text,
            against: self.sides.get(1).map(|side| side.text.as_str()),
            finite: self.words == Words::Finite,
            picture,
            a_not_b,
            b_not_a,
            diagnostics: diagnostics.collect(),
        }
    }
}

/// What a formula or sentence allows.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Drawn<'a> {
    /// The text as it was given.
    text: &'a str,
    /// The other text of `--against`.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a str>,
    /// Whether the traces are finite.
    finite: bool,
    #[serde(flatten)]
    picture: Option<Picture<'a>>,
    /// With `--against`, the picture of what the text allows and the other does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_not_b: Option<Picture<'a>>,
    /// With `--against`, the picture of what the other text allows and this one does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    b_not_a: Option<Picture<'a>>,
    /// What is wrong or odd in the texts.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// A timeline; with `--against` there are two. If there is none, only `error` is there.
#[derive(Serialize, JsonSchema)]
struct Picture<'a> {
    #[serde(flatten)]
    found: Option<Facts<'a>>,
    /// Why there is no picture, or `null`.
    error: Option<String>,
    /// With `--hoa`, the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    hoa: Option<Option<String>>,
}

/// What is known about a timeline.
#[derive(Serialize, JsonSchema)]
struct Facts<'a> {
    /// Which traces it shows: `allowed` by the text, its `violations` (with `--negate`, or because the text itself is too large to
    /// draw), or the `difference` of two texts.
    shows: &'static str,
    /// The states of the automaton of the whole formula; `null` if it is too large.
    states: Option<usize>,
    /// The edges of the automaton.
    edges: Option<usize>,
    /// The expression: `[…]` is a step with its condition, `+` one of several, `*` any number of times, `^ω` for ever; lanes that
    /// hold together are joined by `∩`.
    regex: &'a str,
    /// The nodes of the expression as a binary tree, all lanes together.
    regex_size: u64,
    /// How deeply stars are nested.
    star_height: u32,
    /// The timeline length as the paper defines it.
    length: u64,
    /// The timeline length as the version of 2023 defines it.
    length_2023: u64,
    /// The steps of the picture, all lanes together, and the start.
    drawn_nodes: u64,
    /// The number of alternatives.
    alternatives: usize,
    /// The largest number of lanes of an alternative.
    lanes: usize,
    /// `safety`, `guarantee`, `obligation`, `recurrence`, `persistence` or `reactivity`; `guarantee safety` if both; `null` for
    /// finite traces, or if it was not decided. It is the class of what is shown.
    class: Option<String>,
    /// Remarks in words.
    notices: &'a [String],
    /// A trace on which it holds; `null` if there is none or none was found.
    inside: Option<Lasso>,
    /// A trace on which it does not hold, likewise.
    outside: Option<Lasso>,
    /// The time it took.
    seconds: f64,
}

impl<'a> Picture<'a> {
    fn failed(error: String) -> Picture<'a> {
        Picture { found: None, error: Some(error), hoa: None }
    }

    fn of(store: &Store, view: Result<&'a View, &Error>, command: &Timeline) -> Picture<'a> {
        let view = match view {
            Ok(view) => view,
            Err(reason) => return Picture::failed(reason.to_string()),
        };
        let statistics = &view.statistics;
        let automaton = view.automaton.as_ref();
        let found = Facts {
            shows: match view.asked.shows {
                Shows::Allowed => "allowed",
                Shows::Violations => "violations",
                Shows::Difference => "difference",
            },
            states: automaton.map(|automaton| automaton.steps.len()),
            edges: automaton.map(|automaton| automaton.steps.iter().map(Vec::len).sum::<usize>()),
            regex: &view.regex,
            regex_size: statistics.size,
            star_height: statistics.star_height,
            length: statistics.length,
            length_2023: statistics.length_2023,
            drawn_nodes: statistics.drawn_nodes,
            alternatives: statistics.alternatives,
            lanes: statistics.lanes,
            class: view.class.map(|class| class.to_string()),
            notices: &view.notices,
            inside: view.inside.as_ref().map(Lasso::from),
            outside: view.outside.as_ref().map(Lasso::from),
            seconds: view.seconds,
        };
        Picture { found: Some(found), error: None, hoa: command.hoa.then(|| hoa(store, view).ok()) }
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

fn hoa(store: &Store, view: &View) -> Result<String, Error> {
    let automaton = view.automaton.as_ref().ok_or_else(|| Error::refused("the automaton is too large"))?;
    Ok(match view.words {
        Words::Finite => omega::hoa::write_finite(store, automaton),
        Words::Infinite => omega::hoa::write(store, automaton),
    })
}

/// Writes a picture or automaton; the ending of the name says which. With a number it goes before the ending.
pub(super) fn to_file(
    store: &Store,
    view: &View,
    file: &Path,
    number: Option<usize>,
    command: &Timeline,
) -> Result<(), Error> {
    let ending = match is_standard(file) {
        true => "txt".into(),
        false => file.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_lowercase(),
    };
    let title = &view.asked.title;
    let bytes = match ending.as_str() {
        "svg" => Ok(svg(store, view)?.into_bytes()),
        "png" => drawing::png(store, &view.picture, title, SCALE),
        "dot" | "gv" => drawing::dot(store, &view.picture).map(String::into_bytes),
        "tex" => Ok(tikz(store, view)?.into_bytes()),
        "txt" => {
            let text = drawing::text(store, &view.picture, WIDTH, !command.ascii);
            let title = if view.asked.shows == Shows::Allowed { "" } else { &format!("{title}\n\n") };
            text.map(|text| format!("{title}{text}").into_bytes())
        }
        "hoa" => Ok(hoa(store, view)?.into_bytes()),
        _ => return Err(Error::file(file, "the name must end in .svg, .png, .dot, .tex, .txt or .hoa")),
    };
    let path = match number.filter(|_| !is_standard(file)) {
        None => file.to_path_buf(),
        Some(number) => {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("timeline");
            file.with_file_name(format!("{stem}-{number}.{ending}"))
        }
    };
    write_file(&path, bytes.map_err(Error::refused)?)
}

/// The drawing of a timeline.
pub(super) fn svg(store: &Store, view: &View) -> Result<String, Error> {
    drawing::svg(store, &view.picture, &view.asked.title).map_err(Error::refused)
}

/// The drawing of a timeline, as a LaTeX document.
pub(super) fn tikz(store: &Store, view: &View) -> Result<String, Error> {
    drawing::tikz(store, &view.picture, &view.asked.title).map_err(Error::refused)
}
