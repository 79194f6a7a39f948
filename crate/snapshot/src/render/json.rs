//! A tree as JSON: the same nodes as the full text form, nested, each with its path.

use serde_json::{Map, Value, json as value};

use crate::ids::Ref;
use crate::tree::{At, Node, Tree};
use crate::xpath;

/// The shown nodes of a tree, or of one element in it.
pub fn json(tree: &Tree, scope: Option<Ref>) -> Value {
    let roots: Vec<At> = match scope {
        None => tree.shown_roots().collect(),
        Some(scope) => tree.at(scope).into_iter().collect(),
    };
    // Built from the inside out, without recursion: children come after their parent.
    let mut built: Vec<(At, Map<String, Value>)> = Vec::new();
    let mut open: Vec<At> = roots.iter().rev().copied().collect();
    let mut order = Vec::new();
    while let Some(at) = open.pop() {
        order.push(at);
        let children: Vec<At> = tree.shown_children(at).collect();
        open.extend(children.into_iter().rev());
    }
    for at in order.into_iter().rev() {
        let mut node = describe(tree, at);
        let mut children = Vec::new();
        while built.last().is_some_and(|(child, _)| *child > at && child.0 < tree.node(at).end) {
            children.extend(built.pop().map(|(_, child)| Value::Object(child)));
        }
        if !children.is_empty() {
            node.insert("children".to_owned(), Value::Array(children));
        }
        built.push((at, node));
    }
    built.reverse();
    Value::Array(built.into_iter().map(|(_, node)| Value::Object(node)).collect())
}

fn describe(tree: &Tree, at: At) -> Map<String, Value> {
    let node: &Node = tree.node(at);
    let mut out = Map::new();
    let mut say = |key: &str, text: &str| {
        if !text.is_empty() {
            out.insert(key.to_owned(), text.into());
        }
    };
    if let Some(reference) = node.reference() {
        say("ref", &reference.to_string());
    }
    say("role", node.role().as_str());
    say("name", node.name());
    say("description", node.description());
    if let Some(value) = node.value() {
        say("value", value);
    }
    say("placeholder", node.placeholder());
    say("href", node.href());
    say("label", node.label());
    say("range", node.range());
    if node.element().is_some()
        && let Some(path) = xpath::of(tree, at)
    {
        say("xpath", &path.to_string());
    }
    if !node.states().is_empty() {
        out.insert("states".to_owned(), node.states().iter().map(ToString::to_string).collect());
    }
    if !node.folded().is_empty() {
        out.insert("texts".to_owned(), node.folded().iter().map(|text| Value::from(&**text)).collect());
    }
    if let Some(b) = node.bounds() {
        out.insert("box".to_owned(), value!([b.x, b.y, b.width, b.height]));
    }
    out
}
