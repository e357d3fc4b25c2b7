//! Groups of properties that depend on common states or inputs, so that one encoding serves all of them.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use system::places::Union;
use system::{System, Var};

/// The properties at these indices, grouped: two properties that depend on a common variable are in the same group. Groups and their
/// properties are in the given order.
pub(crate) fn groups(system: &System, properties: &[usize]) -> Vec<Vec<usize>> {
    let mut next = vec![None; system.variables.len()];
    system.state.iter().for_each(|it| next[it.var.index()] = Some(it.next));
    let mut union = Union::new(system.variables.len() + properties.len());
    // Variables that are joined already are not followed twice.
    let mut seen = vec![false; system.variables.len()];
    for (place, property) in properties.iter().enumerate() {
        let Some(property) = system.properties.get(*property) else { continue };
        let own = system.variables.len() + place;
        let mut open = vec![property.value];
        while !open.is_empty() {
            for var in system.pool.variables(std::mem::take(&mut open)) {
                union.join(own, var.index());
                if !std::mem::replace(&mut seen[var.index()], true) {
                    open.extend(next[var.index()]);
                }
            }
        }
    }
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, property) in properties.iter().enumerate() {
        let root = union.find(system.variables.len() + place);
        let group = *places.entry(root).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(*property);
    }
    groups
}

/// The properties of a group, divided: those that depend on the same variables are together, fewest variables first.
pub(crate) fn by_cone(system: &System, group: &[usize]) -> Vec<Vec<usize>> {
    let mut cones: BTreeMap<(usize, Vec<Var>), Vec<usize>> = BTreeMap::new();
    for property in group {
        let value = system.properties.get(*property).map(|it| it.value);
        let mut cone: Vec<Var> = system.cone(value).into_iter().collect();
        cone.sort_unstable();
        cones.entry((cone.len(), cone)).or_default().push(*property);
    }
    cones.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::{Origin, Type};

    #[test]
    fn properties_with_a_common_variable_are_together() {
        let mut system = System::default();
        let inputs: Vec<_> = ["a", "b", "c"].map(|name| system.add_input(name, Type::Bool)).into();
        let was = system.add_state("was", Type::Bool, None);
        let values: Vec<_> = inputs.iter().map(|it| system.expr(*it)).collect();
        let was_a = system.expr(was);
        system.set_next(was, values[0]);
        for value in [values[0], values[1], was_a, values[2], values[1]] {
            system.add_property("p", Origin::Unknown, value);
        }
        assert_eq!(groups(&system, &[0, 1, 2, 3, 4]), [vec![0, 2], vec![1, 4], vec![3]]);
        assert_eq!(by_cone(&system, &[2, 0]), [vec![0], vec![2]]);
    }
}
