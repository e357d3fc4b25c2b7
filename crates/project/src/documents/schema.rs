//! The JSON schema of the project file (draft 2020-12), made from the table of settings: editors complete and check with it.

use crate::config::{SETTINGS, Setting, Shape};
use serde_json::{Value, json};

/// The schema.
pub fn schema() -> Value {
    let mut root = object();
    for setting in SETTINGS {
        let mut at = &mut root;
        let parts: Vec<&str> = setting.path.split('.').collect();
        for (depth, part) in parts.iter().enumerate() {
            let inner = match depth + 1 == parts.len() {
                true => leaf(setting),
                false => object(),
            };
            at = match *part {
                "*" => {
                    if at["additionalProperties"] == json!(false) {
                        at["additionalProperties"] = inner;
                    }
                    &mut at["additionalProperties"]
                }
                name => {
                    let slot = &mut at["properties"][name];
                    if slot.is_null() {
                        *slot = inner;
                    }
                    slot
                }
            };
        }
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "shall.toml",
        "description": "The project file of shall.",
    });
    if let (Value::Object(schema), Value::Object(root)) = (&mut schema, root) {
        schema.extend(root);
    }
    schema
}

/// A table that has no keys yet, and takes no others.
fn object() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}

fn leaf(setting: &Setting) -> Value {
    match setting.shape {
        Shape::Text => json!({ "type": "string", "description": setting.about }),
        Shape::Texts => {
            json!({ "type": "array", "items": { "type": "string" }, "description": setting.about })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_its_place() {
        let schema = schema();
        for (pointer, expected) in [
            ("/properties/project/properties/step/type", json!("string")),
            ("/properties/check/properties/allow/items/type", json!("string")),
            ("/properties/exchange/properties/profile/additionalProperties/type", json!("string")),
            ("/properties/components/additionalProperties/properties/model/type", json!("string")),
            ("/properties/components/additionalProperties/properties/description/type", json!("string")),
            ("/properties/components/additionalProperties/additionalProperties", json!(false)),
            ("/additionalProperties", json!(false)),
        ] {
            assert_eq!(schema.pointer(pointer), Some(&expected), "{pointer}");
        }
        let leaves = schema.to_string().matches("\"description\":").count();
        // One for each setting, one for the whole, and one that is a setting's name.
        assert_eq!(leaves, SETTINGS.len() + 2);
    }
}
