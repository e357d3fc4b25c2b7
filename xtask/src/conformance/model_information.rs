//! The model-information files of the challenge models: every port with its path, name, direction, number, component, compiled
//! type, dimensions and width is what our own inference gives.
//!
//! A file belongs to the model that has its ports, which is not always the one beside it. Where a file cannot be
//! reproduced the cause is in the data, and it is checked here that nothing else differs.

use crate::challenge;
use crate::failure::{OrFail, Result, ensure, problem};
use crate::files;
use serde_json::Value as Json;
use simulink::info;
use std::collections::BTreeMap;
use std::path::Path;

/// Model information, models with its ports (the first one that has a port counts), data file.
const FILES: [(&str, &[&str], Option<&str>); 10] = [
    ("0_triplex/triplex_12B", &["0_triplex/triplex_12B.mdl"], None),
    ("1_fsm/fsm_12B", &["1_fsm/fsm_12B.mdl"], None),
    ("2_tustin/integrator_12B", &["2_tustin/integrator_12B.mdl"], None),
    // The copy of this model was regrouped later: the information is that of the original.
    ("3_regulators/regs_12B", &["../original/regs_12B.mdl"], Some("3_regulators/regs_12B_data.mat")),
    // Made when the contract was already in the model.
    (
        "4_nlguide/NLGuidance_12B",
        &["4_nlguide/NLGuidance_12B.mdl", "4_nlguide/variants/NLGuidance_12B_with_contracts.mdl"],
        None,
    ),
    ("5_nn/nn_12B", &["5_nn/nn_12B.mdl"], Some("5_nn/nn_12B_data.mat")),
    ("6_eb/EB_12B", &["6_eb/EB_12B.mdl"], Some("6_eb/EB_12B_data.mat")),
    ("7_autopilot/ap_12BAdapted", &["7_autopilot/ap_12BAdapted.slx"], Some("7_autopilot/ap_12B_data.mat")),
    ("8_swim/swim_12B", &["8_swim/swim_12B.mdl"], Some("8_swim/swim_12B_data.mat")),
    ("9_euler/euler321_I2B_12B", &["9_euler/euler321_I2B_12B.mdl"], None),
];

/// Ports of a part of the contract that is in no file: it had another name when the information was made.
const GONE: &str = "NLGuidance_12B/contract/guarantee5/";
const GONE_PORTS: usize = 5;

/// Buses that the information has as buses where they are read, and as vectors where they come from: the file contradicts
/// itself. Source, and a reader of the same line.
const AS_VECTORS: [(&str, &str); 3] = [
    ("Sensors/ID", "Autopilot/ID"),
    ("Sensors/AD", "Autopilot/AD"),
    (
        "DeHavilland Beaver Airframe/Calculate Parameters/FltParams",
        "DeHavilland Beaver Airframe/Aircraft Dynamics/FltParams",
    ),
];

/// A port: its path, and whether it goes in or out.
type Key = (String, String);

/// Compares all files; fails at the first unexplained difference.
pub(crate) fn check(folder: &Path) -> Result {
    let folder = folder.join("simulink").join("lmcps");
    let (mut ports, mut gone, mut vectors) = (0, 0, 0);
    for (name, models, data) in FILES {
        let wanted = files::json_array(&folder.join(format!("{name}_forFRET.json")))?;
        let model = name.rsplit('/').next().unwrap_or(name);
        let mut ours: BTreeMap<Key, Json> = BTreeMap::new();
        for path in models {
            for (key, port) in information(&folder, path, model, data)? {
                ours.entry(key).or_insert(port);
            }
        }
        for port in wanted.iter().filter(|port| port.get("id").is_some()) {
            ports += 1;
            match compare(port, &ours) {
                Ok(()) => {}
                Err(_) if key(port).0.starts_with(GONE) => gone += 1,
                Err(_) if is_vector_of_bus(port, &wanted, &ours) => vectors += 1,
                different => different.about(name)?,
            }
        }
    }
    let known = (GONE_PORTS, AS_VECTORS.len());
    let found =
        format!("{gone} ports are in no model and {vectors} are vectors of buses; expected {known:?}");
    ensure((gone, vectors) == known, found)?;
    let same = ports - gone - vectors;
    println!(
        "model information: {same} of {ports} ports in {} files are the same; {gone} are in no model, {vectors} contradict their readers",
        FILES.len()
    );
    Ok(())
}

/// The ports of a model, as FRET has them.
fn information(folder: &Path, path: &str, name: &str, data: Option<&str>) -> Result<Vec<(Key, Json)>> {
    let data = data.map(|data| folder.join(data));
    let plan = challenge::plan(&folder.join(path), Some(name), data.as_slice())?;
    // Variants with contracts have blocks that are not supported; the models themselves have none.
    if !path.contains("variants/")
        && let Some(error) = plan.problems.first()
    {
        return problem(format!("{path}: {}: {}", error.path, error.message));
    }
    let Json::Array(all) = info::info(&plan).fret(path) else { return Ok(vec![]) };
    Ok(all.into_iter().filter(|port| port.get("id").is_some()).map(|port| (key(&port), port)).collect())
}

fn key(port: &Json) -> Key {
    let text = |name: &str| port[name].as_str().unwrap_or_default().to_owned();
    (text("id"), text("portType"))
}

/// Every field that the information has is the same.
fn compare(wanted: &Json, ours: &BTreeMap<Key, Json>) -> Result {
    let key = key(wanted);
    let found = ours.get(&key).ok_or_else(|| format!("there is no port {key:?}")).or_fail()?;
    for (field, value) in wanted.as_object().into_iter().flatten() {
        if found.get(field) != Some(value) {
            return problem(format!("{key:?}: {field} is {:?} instead of {value}", found.get(field)));
        }
    }
    Ok(())
}

/// Whether the information has a vector here that its own reader has as a bus, with our dimensions and the same width.
fn is_vector_of_bus(port: &Json, wanted: &[Json], ours: &BTreeMap<Key, Json>) -> bool {
    let (path, _) = key(port);
    let Some((_, reader)) =
        AS_VECTORS.iter().find(|(source, _)| path.ends_with(&format!("GlobalScope/{source}")))
    else {
        return false;
    };
    let reader = wanted.iter().find(|other| key(other).0.ends_with(&format!("GlobalScope/{reader}")));
    let found = ours.get(&key(port));
    reader.zip(found).is_some_and(|(reader, found)| {
        reader["dimensions"] == found["dimensions"]
            && reader["width"] == port["width"]
            && found["width"] == port["width"]
    })
}
