//! Compares what the two sides say of one page.

use crate::{
    agreement::Tally,
    capture::Captured,
    exposed::{self, Exposed, collapse},
};
use anyhow::{Context as _, Result};
use serde_json::Value;
use snapshot::{Page, Refs, Tree, facts::Element};
use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

/// One field of one element on which the sides differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Its tag, and its id or its position among those of its tag.
    pub element: String,
    pub field: String,
    pub ours: String,
    pub theirs: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {:?} | {:?}", self.element, self.field, self.ours, self.theirs)
    }
}

/// What came of it.
pub struct Compared {
    pub tally: Tally,
    pub differences: Vec<Difference>,
}

/// Compares every node that either side exposes.
pub fn compare(captured: &Captured) -> Result<Compared> {
    let tree = Tree::build(&Page::single(captured.facts.clone()), &mut Refs::new());
    let by_id: HashMap<u64, &Value> = captured
        .nodes
        .iter()
        .filter_map(|node| Some((node["backendDOMNodeId"].as_u64()?, node)))
        .collect();
    let mut compared = Compared { tally: Tally::default(), differences: Vec::new() };
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut known = BTreeSet::new();
    for element in captured.facts.elements() {
        let label = label(element, &mut counts);
        let id = captured.backend.get(&element.number().0).context("an element without an id")?;
        known.insert(*id);
        // The document is a node of its own in the browser's tree.
        if element.tag() == "html" {
            continue;
        }
        let at = tree.at_element(captured.facts.document(), element.number());
        let at = at.context("an element without a node")?;
        let node = tree.node(at);
        let ours = exposed::ours(node, element);
        let theirs = exposed::theirs(by_id.get(id).copied(), element);
        let texts = (our_texts(&tree, at), their_texts(captured, &by_id, *id));
        if ours.role.is_empty() && theirs.role.is_empty() && texts.0.is_empty() && texts.1.is_empty() {
            continue;
        }
        let before = compared.differences.len();
        compared.element(&label, &ours, &theirs);
        compared.field(&label, "text", &texts.0, &texts.1);
        compared.tally.add(node.acts(), before == compared.differences.len());
    }
    for node in &captured.nodes {
        let Some(id) = node["backendDOMNodeId"].as_u64() else { continue };
        let inside = captured.internal.contains(&id) || captured.texts.contains_key(&id);
        let role = node["role"]["value"].as_str().unwrap_or_default();
        if node["ignored"] != true && !known.contains(&id) && !inside && role != "RootWebArea" {
            let label = format!("node {role} {:?}", node["name"]["value"].as_str().unwrap_or_default());
            compared.field(&label, "role", "", role);
            compared.tally.add(false, false);
        }
    }
    Ok(compared)
}

impl Compared {
    fn element(&mut self, label: &str, ours: &Exposed, theirs: &Exposed) {
        if ours.role != theirs.role {
            // What is not there on one side has nothing more to compare.
            self.field(label, "role", &ours.role, &theirs.role);
            if ours.role.is_empty() || theirs.role.is_empty() {
                return;
            }
        }
        self.field(label, "name", &ours.name, &theirs.name);
        if !same_value(&ours.value, &theirs.value) {
            self.field(label, "value", &ours.value, &theirs.value);
        }
        for state in ours.states.difference(&theirs.states) {
            self.field(label, "state", state, "");
        }
        for state in theirs.states.difference(&ours.states) {
            self.field(label, "state", "", state);
        }
    }

    fn field(&mut self, label: &str, field: &str, ours: &str, theirs: &str) {
        if ours != theirs {
            self.differences.push(Difference {
                element: label.to_owned(),
                field: field.to_owned(),
                ours: ours.to_owned(),
                theirs: theirs.to_owned(),
            });
        }
    }
}

/// Numbers may be written in several ways.
fn same_value(ours: &str, theirs: &str) -> bool {
    let numbers = (ours.parse::<f64>(), theirs.parse::<f64>());
    ours == theirs || matches!(numbers, (Ok(a), Ok(b)) if (a - b).abs() < 1e-4)
}

/// The element's own texts that are not hidden.
fn our_texts(tree: &Tree, at: snapshot::tree::At) -> String {
    let texts = tree.inside(at).map(|inner| tree.node(inner));
    let own = texts.filter(|node| node.is_text() && !node.is_hidden() && node.parent() == Some(at));
    collapse(&own.map(|node| node.name().to_owned()).collect::<Vec<_>>().join(" "))
}

fn their_texts(captured: &Captured, by_id: &HashMap<u64, &Value>, element: u64) -> String {
    let mut own: Vec<(u64, &str)> = captured
        .texts
        .iter()
        .filter(|(id, (parent, _))| {
            *parent == element && by_id.get(*id).is_some_and(|node| node["ignored"] != true)
        })
        .map(|(id, (_, text))| (*id, text.as_str()))
        .collect();
    own.sort_unstable();
    collapse(&own.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" "))
}

fn label(element: Element<'_>, counts: &mut HashMap<String, u32>) -> String {
    if let Some(id) = element.said("id") {
        return format!("{}#{id}", element.name());
    }
    let count = counts.entry(element.name().to_owned()).or_default();
    *count += 1;
    format!("{}:{count}", element.name())
}
