//! What another tool sends becomes edits and new documents: matched by id, what it does not mention stays, and what it says
//! already is not touched.

use crate::component::Declared;
use crate::document::{Column, Document, Language};
use crate::edit::Edit;
use crate::native::Native;
use crate::project::{Analysis, Place, Project};
use base::names::Taken;
use exchange::fret::NativeVariable;
use requirement::specification::{Kind, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use syntax::Span;

/// Requirements and variables from outside.
#[derive(Debug, Clone, Default)]
pub struct Incoming {
    /// The requirements, in order.
    pub requirements: Vec<Received>,
    /// The variables, in order.
    pub variables: Vec<NativeVariable>,
}

/// A requirement from outside; what it does not say is left as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Received {
    /// Its id, whatever the other tool allows in one.
    pub id: String,
    /// What comes after the id.
    pub title: Option<String>,
    /// The sentence.
    pub sentence: Option<String>,
    /// What it says in prose.
    pub prose: Option<String>,
    /// Why it is there; the prose of the requirement, if it says nothing else in prose.
    pub rationale: Option<String>,
    /// The component, if the other tool says it outside the sentence.
    pub component: Option<String>,
    /// The other attributes; an empty value takes one away.
    pub attributes: Vec<(String, String)>,
}

/// What an import does to a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merge {
    /// The ids in the documents of the requirements that came, in their order.
    pub names: Vec<String>,
    /// Changes to documents that are there.
    pub edits: Vec<Edit>,
    /// New documents: path and text.
    pub documents: Vec<(String, String)>,
    /// The ids of requirements that are new.
    pub added: Vec<String>,
    /// The ids of requirements that changed.
    pub changed: Vec<String>,
    /// How many are as they were.
    pub unchanged: usize,
    /// Variables without a component that no component mentions.
    pub unused: Vec<String>,
}

/// The attribute with the rationale of a requirement whose prose is something else.
pub(super) const REASON: &str = "rationale";

/// The attribute that keeps an id which cannot be in a heading.
pub(super) const FOREIGN_ID: &str = "reqid";

/// Merges what came from outside into a project.
pub fn merge(project: &Project, analysis: &Analysis, incoming: &Incoming) -> Merge {
    let (mut merge, places) = matched(project, &incoming.requirements);
    let mut new: BTreeMap<String, Vec<Native>> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for (index, (received, place)) in incoming.requirements.iter().zip(places).enumerate() {
        let old = place.map(|place| Native::of(&project.documents[place.document], project.entry(place)));
        let mut wanted = received.onto(old.clone(), &merge.names[index]);
        // Other tools know a sentence with names in the place of phrases.
        let plain = place.and_then(|place| analysis.at(place)?.without_phrases());
        if let (Some(plain), Some((_, new)), Some(old)) = (plain, &wanted.sentence, &old)
            && plain.split_whitespace().eq(new.split_whitespace())
        {
            wanted.sentence.clone_from(&old.sentence);
        }
        match (place, old) {
            (Some(_), Some(old)) if old == wanted => merge.unchanged += 1,
            (Some(place), Some(_)) => {
                let document = &project.documents[place.document];
                merge.edits.extend(wanted.edits(place.document, document, project.entry(place)));
                merge.changed.push(received.id.clone());
            }
            (_, _) => {
                merge.added.push(received.id.clone());
                let component = received.component_name().unwrap_or_else(|| "requirements".into());
                if !new.contains_key(&component) {
                    order.push(component.clone());
                }
                new.entry(component).or_default().push(wanted);
            }
        }
    }
    let mut variables: BTreeMap<&str, Vec<&NativeVariable>> = BTreeMap::new();
    let mut homes: Vec<NativeVariable> = Vec::new();
    for variable in &incoming.variables {
        if !variable.component.is_empty() {
            homes.push(variable.clone());
            continue;
        }
        // What names no component belongs to each one that mentions it.
        let users = analysis.components.iter().filter(|it| it.symbol(&variable.name).is_some());
        let users: Vec<NativeVariable> =
            users.map(|it| NativeVariable { component: it.name.clone(), ..variable.clone() }).collect();
        if users.is_empty() {
            merge.unused.push(variable.name.clone());
        }
        homes.extend(users);
    }
    for variable in &homes {
        let declared = analysis.components.get(&variable.component).and_then(|it| it.symbol(&variable.name));
        match declared.and_then(|symbol| symbol.declaration) {
            Some(place) => merge.edits.extend(edits(variable, project, place)),
            None => {
                if !new.contains_key(&variable.component) && !order.contains(&variable.component) {
                    order.push(variable.component.clone());
                }
                variables.entry(&variable.component).or_default().push(variable);
            }
        }
    }
    let mut taken: Vec<String> = project.documents.iter().map(|document| document.name.clone()).collect();
    for component in order {
        let declared = variables.remove(component.as_str()).unwrap_or_default();
        let requirements = new.remove(&component).unwrap_or_default();
        place_new(project, analysis, &component, &declared, &requirements, &mut taken, &mut merge);
    }
    merge
}

/// Where new variables and requirements of a component go: after those that are there, or into a new document.
fn place_new(
    project: &Project,
    analysis: &Analysis,
    component: &str,
    declared: &[&NativeVariable],
    requirements: &[Native],
    taken: &mut Vec<String>,
    merge: &mut Merge,
) {
    let at_table = project.documents.iter().enumerate().find_map(|(index, document)| {
        Some((index, document.tables.iter().find(|table| table.component.text == component)?))
    });
    let last = analysis
        .requirements
        .iter()
        .rfind(|known| known.component.is_some_and(|index| analysis.components[index].name == component))
        .map(|known| known.place.document)
        .or(at_table.map(|(index, _)| index));
    let mut text = String::new();
    match at_table {
        Some((document, found)) if !declared.is_empty() => {
            let end =
                found.span.start as usize + project.documents[document].slice(found.span).trim_end().len();
            let added: String = declared
                .iter()
                .map(|row| format!("\n| {} |", cells(&found.columns, row).join(" | ")))
                .collect();
            merge.edits.push(Edit { document, span: Span::new(end as u32, end as u32), text: added });
        }
        Some(_) => {}
        None => {
            let heading = if last.is_some() { "##" } else { "#" };
            if !declared.is_empty() || last.is_none() {
                text = format!("{heading} {}\n", component_heading(component));
            }
            if !declared.is_empty() {
                text.push_str(&format!("\n{}", table(declared)));
            }
        }
    }
    for native in requirements {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(&native.render(2));
    }
    if text.is_empty() {
        return;
    }
    match last {
        Some(document) => {
            let old = &project.documents[document].text;
            let gap = if old.ends_with("\n\n") || old.is_empty() {
                ""
            } else if old.ends_with('\n') {
                "\n"
            } else {
                "\n\n"
            };
            let end = old.len() as u32;
            merge.edits.push(Edit { document, span: Span::new(end, end), text: format!("{gap}{text}") });
        }
        None => {
            let name = document_name(component, taken);
            taken.push(name.clone());
            merge.documents.push((name, text));
        }
    }
}

/// A path for a component's document that nobody has.
fn document_name(component: &str, taken: &[String]) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_-".contains(c) { c } else { '_' };
    let stem: String = component.chars().map(plain).take(80).collect();
    let path = |stem: &str| format!("requirements/{stem}.md");
    path(&base::names::unique(&stem, "_", |stem| {
        taken.iter().all(|known| known.to_lowercase() != path(stem).to_lowercase())
    }))
}

/// The columns of a new table.
const COLUMNS: [Column; 6] =
    [Column::Name, Column::Kind, Column::Type, Column::Unit, Column::Definition, Column::Description];

/// A new table of variables, as `shall fmt` writes it.
fn table(variables: &[&NativeVariable]) -> String {
    let head = ["name", "kind", "type", "unit", "definition", "description"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(variables.iter().map(|variable| cells(&COLUMNS, variable))).collect();
    let width = |column: usize| rows.iter().map(|row| draw::columns(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (text, width) in row.iter().zip(&widths) {
            let blanks = " ".repeat(width - draw::columns(text));
            out.push_str(&format!("| {text}{blanks} "));
        }
        out.push_str("|\n");
        if index == 0 {
            widths.iter().for_each(|width| out.push_str(&format!("|{}", "-".repeat(width + 2))));
            out.push_str("|\n");
        }
    }
    out
}

/// The cells of a row; what is not known stays empty.
fn cells(columns: &[Column], variable: &NativeVariable) -> Vec<String> {
    let cell = |column: &Column| match column {
        Column::Name => variable.name.clone(),
        Column::Kind => variable.kind.map_or(String::new(), |kind| kind.name().to_string()),
        Column::Type => variable.ty.as_ref().map_or(String::new(), ToString::to_string),
        Column::Definition => match variable.definition.as_deref().map_or("", str::trim) {
            "" => String::new(),
            text => format!("`{text}`"),
        },
        Column::Description => variable.description.clone(),
        Column::Unit | Column::Phrase | Column::Other(_) => String::new(),
    };
    columns.iter().map(|column| in_cell(&cell(column))).collect()
}

/// A text as a cell can hold it: one line, bars escaped.
pub(super) fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The id that other tools know a requirement by.
pub(super) fn foreign_id(native: &Native) -> &str {
    let given = native.attributes.iter().find(|(name, _)| name == FOREIGN_ID);
    given.map_or(native.id.as_str(), |(_, id)| id.as_str())
}

impl Received {
    /// This requirement, with what it leaves open taken from the one that is there, or else with this id.
    fn onto(&self, old: Option<Native>, id: &str) -> Native {
        let mut native = old.unwrap_or_else(|| {
            let id = id.to_string();
            let given = (id != self.id).then(|| (FOREIGN_ID.to_string(), self.id.clone()));
            Native { id, attributes: given.into_iter().collect(), ..Native::default() }
        });
        if let Some(title) = &self.title {
            let one_line = title.split_whitespace().collect::<Vec<_>>().join(" ");
            native.title = (!one_line.is_empty()).then_some(one_line);
        }
        if let Some(text) = &self.sentence {
            let language = native.sentence.as_ref().map_or(Language::Fretish, |(language, _)| *language);
            native.sentence = (!text.is_empty()).then(|| (language, text.clone()));
        }
        let reason = match (&self.prose, &self.rationale) {
            (Some(prose), reason) => {
                // A text that differs in white space only is the same.
                if !prose.split_whitespace().eq(native.rationale.split_whitespace()) {
                    native.rationale.clone_from(prose);
                }
                reason.as_ref().map(|reason| (REASON.to_string(), reason.clone()))
            }
            (None, Some(rationale)) => {
                native.rationale.clone_from(rationale);
                None
            }
            (None, None) => None,
        };
        for (name, value) in reason.iter().chain(&self.attributes) {
            match native.attributes.iter_mut().find(|(known, _)| known == name) {
                Some((_, old)) => old.clone_from(value),
                None if value.is_empty() => {}
                None => native.attributes.push((name.clone(), value.clone())),
            }
        }
        native
    }

    fn component_name(&self) -> Option<String> {
        let parsed = self.sentence.as_deref().map(crate::reading::Parsed::of);
        let of_sentence = parsed.as_ref().and_then(|parsed| parsed.component()).map(String::from);
        of_sentence.or_else(|| self.component.clone().filter(|name| !name.is_empty()))
    }
}

/// The id of each requirement in the documents, and its place if it is there already. Ids of other tools may be empty, or
/// those of others: the id in the document tells them apart, in the second place the order.
fn matched(project: &Project, incoming: &[Received]) -> (Merge, Vec<Option<Place>>) {
    let mut known: FxHashMap<String, Vec<(String, Place)>> = FxHashMap::default();
    let mut taken = Taken::default();
    for place in project.places() {
        let native = Native::of(&project.documents[place.document], project.entry(place));
        known.entry(foreign_id(&native).to_string()).or_default().push((native.id.clone(), place));
        taken.extend([native.id]);
    }
    let mut names = names(incoming);
    let mut places = vec![None; incoming.len()];
    for (received, (name, place)) in incoming.iter().zip(names.iter().zip(&mut places)) {
        let alike = known.get_mut(&received.id);
        *place = alike.and_then(|alike| {
            let at = alike.iter().position(|(id, _)| id == name)?;
            Some(alike.remove(at).1)
        });
    }
    for (received, (name, place)) in incoming.iter().zip(names.iter_mut().zip(&mut places)) {
        if place.is_some() {
            continue;
        }
        match known.get_mut(&received.id).filter(|alike| !alike.is_empty()) {
            Some(alike) => {
                let (id, at) = alike.remove(0);
                (*name, *place) = (id, Some(at));
            }
            None => *name = taken.take(name),
        }
    }
    (Merge { names, ..Merge::default() }, places)
}

/// An id for each requirement that a heading can hold: one word without colons, with a digit where there is no sentence to
/// tell a requirement from a chapter. Ids that are fine as they are come first.
fn names(incoming: &[Received]) -> Vec<String> {
    let is_read = |received: &Received, id: &str| {
        let text = received.onto(None, id).render(2);
        matches!(&Document::read("x.md", text).entries[..], [entry] if entry.id.text == id)
    };
    let mut taken = Taken::default();
    let mut names: Vec<Option<String>> = (incoming.iter())
        .map(|received| {
            let id = heading_id(&received.id);
            let is_fine = id == received.id && !taken.contains(&id) && is_read(received, &id);
            is_fine.then(|| taken.take(&id))
        })
        .collect();
    let mut nameless = 0;
    for (received, name) in incoming.iter().zip(&mut names).filter(|(_, name)| name.is_none()) {
        let mut id = heading_id(&received.id);
        if id.is_empty() {
            nameless += 1;
            id = format!("unnamed_{nameless}");
        } else if !is_read(received, &id) {
            id.push_str("_1");
        }
        *name = Some(taken.take(&id));
    }
    names.into_iter().flatten().collect()
}

/// An id as one word without colons; empty if nothing is left of it.
fn heading_id(id: &str) -> String {
    let plain: String =
        id.trim().chars().map(|c| if c.is_whitespace() || c == ':' { '_' } else { c }).collect();
    plain.trim_matches('#').to_string()
}

/// The heading above the variables of a component: its name, unless that would be read as something else.
fn component_heading(component: &str) -> String {
    let plain = component.to_string();
    let document = Document::read("x.md", format!("# {plain}\n\n|name|\n|-|\n|x|\n"));
    let is_read = document.tables.iter().any(|table| table.component.text == component);
    let alone = Document::read("x.md", format!("# {plain}\n"));
    if is_read && alone.entries.is_empty() { plain } else { format!("Component {component}") }
}

/// The edits that make a row say what is known about a variable.
fn edits(variable: &NativeVariable, project: &Project, place: Declared) -> Vec<Edit> {
    let table = &project.documents[place.document].tables[place.table];
    let row = &table.rows[place.row];
    let wanted = [
        (Column::Kind, variable.kind.map(|kind| kind.name().to_string())),
        (Column::Type, variable.ty.as_ref().map(ToString::to_string)),
        (Column::Definition, variable.definition.clone()),
        (Column::Description, Some(variable.description.clone())),
    ];
    let mut edits = Vec::new();
    for (column, text) in wanted {
        let (Some(text), Some(cell)) = (text, row.cell(table, &column)) else { continue };
        let same = match column {
            Column::Kind => Kind::parse(&cell.text) == variable.kind,
            Column::Type => Type::parse(&cell.text).ok() == variable.ty,
            _ => in_cell(&cell.text) == in_cell(&text),
        };
        if !same {
            edits.push(Edit { document: place.document, span: cell.span, text: in_cell(&text) });
        }
    }
    edits
}
