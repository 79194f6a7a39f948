//! The reference page: the table as Markdown. Derived, never edited by hand; `xtask` writes it and checks that it
//! is what is committed.

use crate::{ActKind, flat::KINDS, table};
use serde_json::Value;
use std::fmt::Write as _;

/// The reference page.
pub fn reference() -> String {
    let mut page = String::from(
        "# Tools\n\nWritten by `cargo xtask docs` from the declarations in `crate/tools`; do not edit.\n\n\
         Refs read `e12`, tabs `t3`. An argument that is `null` counts as absent; an unknown one is refused. On the \
         shell, each tool is a command and each argument a flag: `max_tokens` is `--max-tokens`.\n",
    );
    for tool in table() {
        let hints = tool.annotations;
        let mut words = Vec::new();
        words.push(match (hints.read_only, hints.destructive) {
            (true, _) => "reads only",
            (false, false) => "changes no page; writes a file if told to",
            (false, true) => "changes things",
        });
        if hints.idempotent {
            words.push("may be repeated");
        }
        let lines = tool.description.replace('\n', "\n\n");
        let _ = write!(page, "\n## `{}`\n\n{lines}\n\n*{}*\n\n", tool.name, words.join(", "));
        let schema = tool.schema();
        page.push_str("| argument | takes | meaning |\n| --- | --- | --- |\n");
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            // What says no more than its name is left out of the schema.
            let echo = format!("The {}.", name.replace('_', " "));
            let meaning = property.get("description").and_then(Value::as_str).unwrap_or(&echo);
            let meaning = meaning.replace('\n', " ").replace('|', "\\|");
            let _ = writeln!(page, "| `{name}` | {} | {meaning} |", takes(property));
        }
        if tool.name == "act" {
            page.push_str("\n| kind | arguments of its own |\n| --- | --- |\n");
            for kind in KINDS {
                let _ = writeln!(page, "| {} | {} |", kind.name(), own(kind));
            }
        }
    }
    page
}

fn own(kind: ActKind) -> String {
    kind.own_arguments().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn takes(property: &Value) -> String {
    let words = |values: &Vec<Value>| values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        return words(values);
    }
    match property.get("type").and_then(Value::as_str) {
        Some("string") => "text".to_owned(),
        Some("integer") => "a number".to_owned(),
        Some("boolean") => "true, false".to_owned(),
        Some("array") => property.get("items").map_or_else(
            || "a list".to_owned(),
            |items| match items.get("enum").and_then(Value::as_array) {
                Some(values) => format!("a list of {}", words(values)),
                None if items.get("properties").is_some() => "a list of {ref, value}".to_owned(),
                None => "a list of texts".to_owned(),
            },
        ),
        Some(_) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_and_kind_is_on_the_page() {
        let page = reference();
        for tool in table() {
            assert!(page.contains(&format!("## `{}`", tool.name)));
        }
        for kind in KINDS {
            let row = format!("| {} | `{}`", kind.name(), kind.own_arguments()[0]);
            assert!(page.contains(&row), "{row}");
        }
        assert!(
            page.lines().filter(|line| line.starts_with("| `")).all(|line| !line.contains("|  |")),
            "{page}"
        );
    }
}
