//! The objects of ReqIF documents as records: columns by the long names of attributes, order by the hierarchy.

use super::model::{Model, Object};
use super::{PARENT, value};
use crate::{Link, Place, Profile, Record, Records, Role, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// Records, and which object each one is.
pub(super) struct Table {
    pub(super) records: Records,
    /// Per record: the document and the object in it.
    pub(super) origins: Vec<(usize, usize)>,
    /// Whether the last column is from the hierarchy.
    pub(super) has_parents: bool,
}

/// The table of all documents.
pub(super) fn of(models: &[Model], profile: &Profile) -> Table {
    let mut columns: Vec<String> = Vec::new();
    let mut numbers = BTreeMap::<&str, usize>::new();
    for attribute in models.iter().flat_map(|model| &model.types).flat_map(|kind| &kind.attributes) {
        numbers.entry(&attribute.column).or_insert_with(|| {
            columns.push(attribute.column.clone());
            columns.len() - 1
        });
    }
    let objects: BTreeMap<&str, (usize, usize)> = (models.iter().enumerate().rev())
        .flat_map(|(part, model)| {
            let objects = model.objects.iter().enumerate().rev();
            objects.map(move |(at, object)| (object.id.as_str(), (part, at)))
        })
        .collect();
    let id_column = profile.column(Role::Id, &columns);
    let records = Records { columns, ..Records::default() };
    let mut table = Table { records, origins: Vec::new(), has_parents: false };
    let mut ids = BTreeMap::<(usize, usize), String>::new();
    let (order, parents) = order(models, &objects);
    for origin in order {
        let model = &models[origin.0];
        let object = &model.objects[origin.1];
        let mut fields = vec![None; table.records.columns.len()];
        for (column, text) in values(model, object) {
            if let Some(field) = numbers.get(column).and_then(|column| fields.get_mut(*column)) {
                *field = Some(text);
            }
        }
        let named = id_column.and_then(|column| fields[column].as_deref()).map(str::trim);
        let id = named.filter(|id| !id.is_empty()).unwrap_or(&object.id).to_owned();
        ids.insert(origin, id.clone());
        let place = Place { part: model.part.clone(), spot: Spot::Object(object.id.clone()) };
        table.records.records.push(Record { id, fields, place });
        table.origins.push(origin);
    }
    if !parents.is_empty() && profile.column(Role::Parent, &table.records.columns).is_none() {
        table.has_parents = true;
        table.records.columns.push(PARENT.to_owned());
        for (record, origin) in table.records.records.iter_mut().zip(&table.origins) {
            record.fields.push(parents.get(origin).and_then(|parent| ids.get(parent)).cloned());
        }
    }
    let named = |id: &str| objects.get(id).and_then(|origin| ids.get(origin)).cloned();
    for relation in models.iter().flat_map(|model| &model.relations) {
        table.records.links.push(Link {
            kind: relation.kind.clone(),
            from: named(&relation.source).unwrap_or_else(|| relation.source.clone()),
            to: named(&relation.target).unwrap_or_else(|| relation.target.clone()),
        });
    }
    table
}

type Origin = (usize, usize);

/// Objects in the order of the hierarchy, those outside it last; and the upper object of each one that has one.
fn order(models: &[Model], objects: &BTreeMap<&str, Origin>) -> (Vec<Origin>, BTreeMap<Origin, Origin>) {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut parents = BTreeMap::new();
    for model in models {
        for entry in &model.entries {
            let Some(&origin) = objects.get(entry.object.as_str()) else { continue };
            if seen.insert(origin) {
                order.push(origin);
                let upper = entry.above.and_then(|above| objects.get(model.entries[above].object.as_str()));
                parents.extend(upper.filter(|upper| **upper != origin).map(|upper| (origin, *upper)));
            }
        }
    }
    for (part, model) in models.iter().enumerate() {
        let rest = (0..model.objects.len()).map(|at| (part, at)).filter(|origin| !seen.contains(origin));
        order.extend(rest);
    }
    (order, parents)
}

/// Column and text of each value of an object.
fn values<'a>(model: &'a Model, object: &'a Object) -> impl Iterator<Item = (&'a str, String)> {
    object.values.iter().filter_map(move |(attribute, node)| {
        let attribute = &model.types[object.kind].attributes[*attribute];
        Some((attribute.column.as_str(), value::text(model, attribute, *node)?))
    })
}
