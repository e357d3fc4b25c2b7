//! A trace as JSON: a list of steps, each an object with a value for every name, as this program writes traces itself.
//! Numbers that JSON numbers cannot give exactly are texts.

use super::parse::{Misfit, reserved, typed};
use super::{Column, Malformed, TraceFile};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json};

pub(super) fn parse(bytes: &[u8]) -> Result<TraceFile, Malformed> {
    let steps: Vec<Map<String, Json>> = serde_json::from_slice(bytes)
        .map_err(|error| Malformed::new(format!("not a list of steps, each an object of values: {error}")))?;
    let empty = || Malformed::new("the list is empty, so the trace has no steps");
    let first = steps.first().ok_or_else(empty)?;
    let mut columns: FxHashMap<String, Column> = FxHashMap::default();
    for name in first.keys() {
        if let Some(reason) = reserved(name) {
            return Err(Malformed::at("step 0".into(), reason));
        }
        let cell = |(step, values): (usize, &Map<String, Json>)| {
            let missing = || Malformed::at(format!("step {step}"), format!("`{name}` is missing"));
            match values.get(name).ok_or_else(missing)? {
                Json::Bool(truth) => Ok(truth.to_string()),
                Json::Number(number) => Ok(number.to_string()),
                Json::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
                Json::String(_) | Json::Null | Json::Array(_) | Json::Object(_) => {
                    Err(Malformed::at(format!("step {step}, `{name}`"), "not a Boolean, a number or a text"))
                }
            }
        };
        let cells: Vec<String> = steps.iter().enumerate().map(cell).collect::<Result<_, _>>()?;
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let column = typed(&cells).map_err(|Misfit { row, reason }| {
            let place = format!("step {row}, `{name}`");
            Malformed::at(place, reason.replace("cells above", "values before"))
        })?;
        columns.insert(name.clone(), column);
    }
    for (step, values) in steps.iter().enumerate() {
        if let Some(name) = values.keys().find(|name| !columns.contains_key(*name)) {
            return Err(Malformed::at(format!("step {step}"), format!("`{name}` is not a name of step 0")));
        }
    }
    Ok(TraceFile { columns, rows: steps.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    fn check(text: &str, expected: Result<&str, &str>) {
        let found = parse(text.as_bytes())
            .map(|file| format!("{:?}", file.column("x", Sort::Bool).unwrap_or_default()));
        let found = found.map_err(|it| it.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn table() {
        check(r#"[{"x": true}, {"x": 0}]"#, Ok("Some([Bool(true), Bool(false)])"));
        check(r#"[{"x": "idle", "y": 1}]"#, Ok(r#"Some([Name("idle")])"#));
        check(r#"[{"y": 1}]"#, Ok("None"));
        check("[]", Err("the list is empty, so the trace has no steps"));
        check(r#"[{"x": 1}, {}]"#, Err("step 1: `x` is missing"));
        check(r#"[{"x": 1}, {"x": 1, "y": 2}]"#, Err("step 1: `y` is not a name of step 0"));
        check(r#"[{"x": null}]"#, Err("step 0, `x`: not a Boolean, a number or a text"));
        check(
            r#"[{"x": 2}, {"x": "high"}]"#,
            Err("step 1, `x`: `high` is not a number, as the values before are"),
        );
        assert!(parse(b"[1]").is_err_and(|it| it.to_string().starts_with("not a list of steps")));
    }

    #[test]
    fn exact_numbers() {
        let file = parse(br#"[{"x": "1/3"}, {"x": 0.25}]"#).expect("a trace");
        let values = file.column("x", Sort::Real).expect("a usable column").expect("a column");
        let numbers: Vec<String> = values
            .iter()
            .map(|it| if let logic::Value::Num(number) = it { number.to_string() } else { String::new() })
            .collect();
        assert_eq!(numbers, ["1/3", "1/4"]);
    }
}
