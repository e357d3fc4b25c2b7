//! The mapping that FRET writes for CoCoSim: which variable of a contract is which port of a Simulink model.
//!
//! One JSON object: for each contract its name, the path of the subsystem it is about, and its inputs and outputs with the
//! paths of their ports; of a port with several values an `index` names one, from 1.

use crate::{FileError, Spot};
use serde_json::{Map, Value, json};

/// The mapping of one contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The name of the contract.
    pub contract: String,
    /// The path of the subsystem in the model.
    pub path: String,
    /// Its inputs.
    pub inputs: Vec<Mapped>,
    /// Its outputs.
    pub outputs: Vec<Mapped>,
}

/// A variable and its port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// The name in the contract.
    pub name: String,
    /// The path of the port.
    pub path: String,
    /// Which value of the port, from 1; none if it has one only.
    pub index: Option<usize>,
}

/// Reads a mapping.
///
/// # Errors
///
/// What is not JSON, or lacks a member, with its place.
pub fn read(bytes: &[u8]) -> Result<Vec<Mapping>, FileError> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| crate::not_json(&error).hint("fix this line, or export the mapping again"))?;
    let Value::Object(contracts) = value else {
        return Err(FileError::new("a mapping is an object with a member for each contract"));
    };
    contracts.iter().map(|(name, contract)| mapping(name, contract)).collect()
}

/// Writes mappings as FRET does.
pub fn write(mappings: &[Mapping]) -> String {
    let variable = |it: &Mapped| {
        let mut members = json!({"variable_name": it.name, "variable_path": it.path});
        if let (Some(index), Value::Object(members)) = (it.index, &mut members) {
            members.insert("index".to_owned(), json!(index.to_string()));
        }
        members
    };
    let mut contracts = Map::new();
    for mapping in mappings {
        let inputs: Vec<Value> = mapping.inputs.iter().map(variable).collect();
        let outputs: Vec<Value> = mapping.outputs.iter().map(variable).collect();
        let contract = json!({"contract_name": mapping.contract, "model_path": mapping.path,
            "Inputs": inputs, "Outputs": outputs});
        contracts.insert(mapping.contract.clone(), contract);
    }
    format!("{:#}\n", Value::Object(contracts))
}

fn mapping(name: &str, contract: &Value) -> Result<Mapping, FileError> {
    let variables = |member: &str| match contract.get(member) {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(|it| mapped(name, it)).collect(),
        Some(_) => Err(missing(name, &format!("`{member}` as a list"))),
    };
    Ok(Mapping {
        contract: contract.get("contract_name").and_then(Value::as_str).unwrap_or(name).to_owned(),
        path: text(name, contract, "model_path")?,
        inputs: variables("Inputs")?,
        outputs: variables("Outputs")?,
    })
}

fn mapped(contract: &str, value: &Value) -> Result<Mapped, FileError> {
    let index = match value.get("index") {
        None => None,
        Some(index) => {
            let number = index.as_u64().or_else(|| index.as_str()?.trim().parse().ok());
            let number = number.and_then(|it| usize::try_from(it).ok()).filter(|it| *it > 0);
            Some(number.ok_or_else(|| missing(contract, "`index` as a number from 1 on"))?)
        }
    };
    let (name, path) = (text(contract, value, "variable_name")?, text(contract, value, "variable_path")?);
    Ok(Mapped { name, path, index })
}

fn text(contract: &str, value: &Value, member: &str) -> Result<String, FileError> {
    let found = value.get(member).and_then(Value::as_str).map(ToOwned::to_owned);
    found.ok_or_else(|| missing(contract, &format!("`{member}` as a text")))
}

fn missing(contract: &str, what: &str) -> FileError {
    FileError::new(format!("the mapping lacks {what}")).at(Spot::Object(contract.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mapped = |name: &str, path: &str, index| Mapped { name: name.into(), path: path.into(), index };
        let one = Mapping {
            contract: "C".into(),
            path: "m/sub\nsystem".into(),
            inputs: vec![mapped("a", "m/sub\nsystem/a", None)],
            outputs: vec![mapped("y_2", "m/y", Some(2))],
        };
        assert_eq!(read(write(std::slice::from_ref(&one)).as_bytes()), Ok(vec![one]));
    }

    #[test]
    fn what_is_wrong_is_located() {
        for (text, message) in [
            (
                "{\"C\": {\"model_path\": \"m\",}}",
                "the file is not valid JSON: trailing comma (line 1, column 26); fix this line, or export the mapping again",
            ),
            ("[]", "a mapping is an object with a member for each contract"),
            ("{\"C\": {}}", "the mapping lacks `model_path` as a text (object C)"),
            (
                "{\"C\": {\"model_path\": \"m\", \"Inputs\": 3}}",
                "the mapping lacks `Inputs` as a list (object C)",
            ),
            (
                "{\"C\": {\"model_path\": \"m\", \"Outputs\": [{\"variable_name\": \"a\"}]}}",
                "the mapping lacks `variable_path` as a text (object C)",
            ),
            (
                "{\"C\": {\"model_path\": \"m\", \"Outputs\": [{\"variable_name\": \"a\", \"variable_path\": \"p\", \"index\": 0}]}}",
                "the mapping lacks `index` as a number from 1 on (object C)",
            ),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message);
        }
    }
}
