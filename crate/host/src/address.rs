//! Which browser a call names: agents write `work/t3` and `work/e12` where several run, and `work/` for one of them
//! without a tab. What is before the `/` is taken off here, for the worker knows nothing of other browsers.

use serde_json::Value;
use tools::{RefName, TabName};

/// The arguments that name a tab or an element.
const NAMES: &[&str] = &["tab", "ref", "to_ref", "ref_gone", "scope"];

/// Takes the browser's word off a call's arguments; gives it if there was one. Two that differ stay as they are, to be
/// refused.
pub fn taken_off(arguments: &mut Value) -> Option<String> {
    let Value::Object(all) = arguments else { return None };
    let mut word: Option<String> = None;
    for name in NAMES {
        let Some(Value::String(text)) = all.get(*name) else { continue };
        let Some((label, rest)) = split(text) else { continue };
        if word.as_ref().is_some_and(|word| word != label) {
            continue;
        }
        word = Some(label.to_owned());
        let rest = rest.to_owned();
        if rest.is_empty() {
            all.remove(*name);
        } else {
            all.insert((*name).to_owned(), Value::String(rest));
        }
    }
    let fields = all.get_mut("fields").and_then(Value::as_array_mut);
    for field in fields.into_iter().flatten() {
        let inner = taken_off(field);
        word = word.or(inner);
    }
    word
}

/// `label/t3`, `label/e12` or `label/`. An XPath or an address is none of these.
fn split(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.trim().split_once('/')?;
    let word = !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let named = rest.is_empty() || rest.parse::<TabName>().is_ok() || rest.parse::<RefName>().is_ok();
    (word && named).then_some((label, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_browser_is_taken_off_tabs_and_refs_and_nothing_else() {
        for (given, word, left) in [
            (json!({"tab": "work/t3"}), Some("work"), json!({"tab": "t3"})),
            (json!({"tab": "work/", "url": "http://a/b"}), Some("work"), json!({"url": "http://a/b"})),
            (
                json!({"ref": "my-work/e12", "to_ref": "my-work/e13"}),
                Some("my-work"),
                json!({"ref": "e12", "to_ref": "e13"}),
            ),
            (
                json!({"fields": [{"ref": "work/e1", "value": "work/t3"}]}),
                Some("work"),
                json!({"fields": [{"ref": "e1", "value": "work/t3"}]}),
            ),
            (json!({"scope": "//main/section"}), None, json!({"scope": "//main/section"})),
            (json!({"tab": "t3"}), None, json!({"tab": "t3"})),
            (json!({"tab": "a/t3", "ref": "b/e1"}), Some("a"), json!({"tab": "t3", "ref": "b/e1"})),
            (json!(null), None, json!(null)),
        ] {
            let mut arguments = given.clone();
            assert_eq!(taken_off(&mut arguments).as_deref(), word, "{given}");
            assert_eq!(arguments, left);
        }
    }
}
