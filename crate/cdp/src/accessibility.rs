//! `Accessibility`: what only the browser knows of an element's meaning. Asked of single nodes; whole trees are too slow.

use crate::{ObjectId, command::command};
use serde::Deserialize;
use serde_json::Value as Json;

command!(/// What the browser makes of one node. Without `fetch_relatives` nothing else comes along.
GetPartialTree = "Accessibility.getPartialAXTree", true => PartialTree {
    /// The node.
    object_id: ObjectId,
    /// Whether ancestors, siblings and children come too.
    fetch_relatives: bool,
});

/// Answer of [`GetPartialTree`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PartialTree {
    /// The node, and ancestors where it is ignored.
    pub nodes: Vec<Node>,
}

/// A node of the accessibility tree.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Node {
    /// Whether it is left out of the tree.
    pub ignored: bool,
    /// Its role, one of ARIA's or a word of the browser's own.
    pub role: Value,
    /// Its name, with what it may have come from.
    pub name: Value,
    /// Its description.
    pub description: Value,
    /// Its value.
    pub value: Value,
    /// States and properties.
    pub properties: Vec<Property>,
}

/// One property.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Property {
    /// As in `checked`, `hasPopup`.
    pub name: String,
    /// What it is.
    pub value: Value,
}

/// A value of some kind.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Value {
    #[serde(rename = "value")]
    said: Json,
    /// Where a name may have come from, best first.
    pub sources: Vec<Origin>,
}

/// A place where a name may come from.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Origin {
    /// The attribute, where it is one.
    pub attribute: Option<String>,
    /// What it gives; absent when there is nothing.
    pub value: Option<Value>,
    /// Whether a better one was there.
    pub superseded: bool,
}

impl Value {
    /// It as a word; empty when there is none.
    pub fn text(&self) -> String {
        match &self.said {
            Json::Null | Json::Array(_) | Json::Object(_) => String::new(),
            Json::String(text) => text.clone(),
            Json::Bool(said) => said.to_string(),
            Json::Number(number) => number.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Command as _};

    #[test]
    fn a_node_reads_with_its_origins() {
        let json = r#"{"nodes":[{"nodeId":"4","ignored":false,"role":{"type":"role","value":"switch"},
            "name":{"type":"computedString","value":"Wifi","sources":[
                {"type":"relatedElement","attribute":"aria-labelledby"},
                {"type":"attribute","value":{"type":"computedString","value":"Wifi"},"attribute":"aria-label"}]},
            "properties":[{"name":"checked","value":{"type":"tristate","value":"true"}},
                {"name":"level","value":{"type":"integer","value":2}}]}]}"#;
        let read = GetPartialTree::read(Answer::Json(json.into())).unwrap();
        let node = &read.nodes[0];
        assert_eq!((node.role.text(), node.properties[1].value.text()), ("switch".into(), "2".into()));
        assert_eq!(node.name.sources[1].attribute.as_deref(), Some("aria-label"));
        assert!(node.name.sources[0].value.is_none());
        assert_eq!(node.description.text(), "");
    }
}
