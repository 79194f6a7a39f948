//! The JSON Schemas of arguments, flat enough for every model provider: no `anyOf`, `oneOf`, `$ref` or null types,
//! enums in place. Derived from the structs; what is absent is optional.

use crate::{
    Tool,
    call::{Dialog, Diff, Find, Locate, Navigate, Read, Screenshot, Selection, Snapshot, Tabs, Wait},
    flat::ActArguments,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// Gives a type that agents write as text the schema of text.
macro_rules! text_schema {
    ($name:ty) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string" })
            }
        }
    };
}
pub(crate) use text_schema;

impl Tool {
    /// The schema of its arguments: an object.
    pub fn schema(&self) -> Map<String, Value> {
        match self.name {
            "tabs" => of::<Tabs>(),
            "navigate" => of::<Navigate>(),
            "snapshot" => of::<Snapshot>(),
            "find" => of::<Find>(),
            "read" => of::<Read>(),
            "act" => of::<ActArguments>(),
            "diff" => of::<Diff>(),
            "wait" => of::<Wait>(),
            "locate" => of::<Locate>(),
            "selection" => of::<Selection>(),
            "dialog" => of::<Dialog>(),
            // The last of the table.
            _ => of::<Screenshot>(),
        }
    }
}

fn of<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    flatten(&mut schema);
    match schema {
        Value::Object(mut map) => {
            map.remove("title");
            map.remove("description");
            map
        }
        // A struct's schema is an object.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Takes out what optional fields and documented variants bring in.
fn flatten(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for alternatives in ["anyOf", "oneOf"] {
                if let Some(Value::Array(options)) = map.remove(alternatives) {
                    merge(map, options);
                }
            }
            if let Some(Value::Array(kinds)) = map.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [kind] = kinds.as_slice() {
                    let kind = kind.clone();
                    map.insert("type".to_owned(), kind);
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(Value::Object(fields)) = map.get_mut("properties") {
                for (name, field) in fields {
                    drop_echo(name, field);
                }
            }
            for noise in ["format", "minimum", "maximum", "default"] {
                // Only where it is the keyword and not a property's name.
                if map.get(noise).is_some_and(|value| !value.is_object()) {
                    map.remove(noise);
                }
            }
            map.values_mut().for_each(flatten);
        }
        Value::Array(items) => items.iter_mut().for_each(flatten),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Takes out a description that says no more than the property's name: `tab`, "The tab."
fn drop_echo(name: &str, field: &mut Value) {
    let Some(field) = field.as_object_mut() else { return };
    let said = field.get("description").and_then(Value::as_str).unwrap_or_default();
    if ["The ", "A "].iter().any(|article| said.strip_prefix(article) == Some(&format!("{name}."))) {
        field.remove("description");
    }
}

/// Puts alternatives in place: constants become an enum; null goes; what is left alone is the schema itself.
fn merge(map: &mut Map<String, Value>, options: Vec<Value>) {
    let mut values = Vec::new();
    for option in options {
        let Value::Object(option) = option else { continue };
        if option.get("type").is_some_and(|kind| kind == "null") {
            continue;
        }
        match option.get("const") {
            Some(value) => values.push(value.clone()),
            None => {
                for (key, value) in option {
                    if key == "oneOf" {
                        if let Value::Array(inner) = value {
                            merge(map, inner);
                        }
                    } else if key == "enum" {
                        if let Value::Array(inner) = value {
                            values.extend(inner);
                        }
                    } else if key != "description" || !map.contains_key("description") {
                        map.insert(key, value);
                    }
                }
            }
        }
    }
    if !values.is_empty() {
        map.insert("type".to_owned(), "string".into());
        map.insert("enum".to_owned(), Value::Array(values));
    }
}

#[cfg(test)]
mod tests {
    use crate::table;
    use expect_test::expect;
    use serde_json::{Value, json};

    /// Where `act` stands.
    const ACT: usize = 5;

    fn listed() -> Vec<Value> {
        let tools = table().into_iter().map(|tool| {
            let hints = tool.annotations;
            let mut annotations = json!({ "readOnlyHint": hints.read_only });
            if !hints.open_world {
                annotations["openWorldHint"] = false.into();
            }
            if !hints.read_only {
                annotations["destructiveHint"] = hints.destructive.into();
                annotations["idempotentHint"] = hints.idempotent.into();
            }
            json!({
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": tool.schema(),
                "annotations": annotations,
            })
        });
        tools.collect()
    }

    #[test]
    fn schemas_are_flat() {
        for tool in listed() {
            let text = tool["inputSchema"].to_string();
            for word in ["anyOf", "oneOf", "allOf", "$ref", "$defs", "null", "const", "\"default\"", "uint32"]
            {
                assert!(!text.contains(word), "{word} in {text}");
            }
            let schema = &tool["inputSchema"];
            assert_eq!(schema["type"], "object");
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["type"].is_string(), "{name}: {property}");
                // These go without saying.
                assert!(
                    property["description"].is_string() || ["tab", "ref"].contains(&name.as_str()),
                    "{name}: {property}"
                );
            }
        }
    }

    #[test]
    fn the_schema_of_tabs() {
        expect![[r#"
            {
              "additionalProperties": false,
              "properties": {
                "action": {
                  "description": "What to do; list when absent.",
                  "enum": [
                    "list",
                    "open",
                    "activate",
                    "release",
                    "close"
                  ],
                  "type": "string"
                },
                "tab": {
                  "description": "The tab to activate, release or close.",
                  "type": "string"
                },
                "url": {
                  "description": "The address to open.",
                  "type": "string"
                }
              },
              "type": "object"
            }"#]]
        .assert_eq(&serde_json::to_string_pretty(&listed()[0]["inputSchema"]).unwrap());
    }

    #[test]
    fn only_the_kind_of_act_is_required() {
        let tools = listed();
        assert_eq!(tools[ACT]["inputSchema"]["required"], json!(["kind"]));
        assert_eq!(tools[ACT]["inputSchema"]["properties"]["then_kind"]["enum"].as_array().unwrap().len(), 8);
        assert!(
            tools
                .iter()
                .enumerate()
                .all(|(at, tool)| at == ACT || tool["inputSchema"].get("required").is_none())
        );
    }

    #[test]
    fn the_list_is_cheap() {
        let encoder = tiktoken_rs::o200k_base().unwrap();
        let tokens = encoder.encode_ordinary(&Value::from(listed()).to_string()).len();
        println!("the list of tools costs {tokens} tokens");
        assert!(tokens <= 3000, "{tokens} tokens");
    }
}
