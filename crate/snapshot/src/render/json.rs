//! A tree as JSON: the same nodes as the full text form, nested, each with its path; a row's cells and a select's options
//! are nodes, too. Texts are exact, white space included: of a text its `name`; of an element whose words the text form
//! tidies, `text` beside its accessible name.

use serde_json::{Map, Value, json as value};

use crate::facts;
use crate::ids::Ref;
use crate::tree::{At, Cut, Node, Tree};
use crate::xpath;

/// The shown nodes of a tree, or of one element in it.
pub fn json(tree: &Tree, scope: Option<Ref>) -> Value {
    let roots: Vec<At> = match scope {
        None => listed(tree, 0, At::new(tree.len()).0),
        Some(scope) => tree.at(scope).into_iter().collect(),
    };
    let exact = Exact { tree, sources: tree.sources() };
    // Built from the inside out, without recursion: children come after their parent.
    let mut built: Vec<(At, Map<String, Value>)> = Vec::new();
    let mut open: Vec<At> = roots.iter().rev().copied().collect();
    let mut order = Vec::new();
    while let Some(at) = open.pop() {
        order.push(at);
        let children = listed(tree, at.0 + 1, tree.node(at).end);
        open.extend(children.into_iter().rev());
    }
    for at in order.into_iter().rev() {
        let mut node = describe(tree, at, &exact);
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

/// The outermost nodes from one place to another that are shown, or stand on the line of one that is.
fn listed(tree: &Tree, from: u32, to: u32) -> Vec<At> {
    let mut listed = Vec::new();
    let mut next = from;
    while next < to {
        let node = tree.node(At(next));
        if matches!(node.cut(), None | Some(Cut::Folded)) {
            listed.push(At(next));
            next = node.end;
        } else {
            next += 1;
        }
    }
    listed
}

/// Nodes by themselves, without what is in them.
pub fn flat(tree: &Tree, nodes: &[At]) -> Value {
    let exact = Exact { tree, sources: tree.sources() };
    Value::Array(nodes.iter().map(|at| Value::Object(describe(tree, *at, &exact))).collect())
}

/// Texts as the page has them.
struct Exact<'a> {
    tree: &'a Tree,
    sources: Vec<Option<(usize, facts::At)>>,
}

impl Exact<'_> {
    /// A text with those that were made one with it.
    fn run(&self, at: At) -> String {
        let mut last = at;
        for next in (at.0 + 1..At::new(self.tree.len()).0).map(At) {
            let node = self.tree.node(next);
            match (node.is_text(), node.cut()) {
                (true, Some(Cut::Merged)) => last = next,
                // Emphasis and the like, within the run; and what is not met.
                (false, Some(Cut::Plain)) | (_, Some(Cut::Hidden)) => {}
                (_, _) => break,
            }
        }
        match (self.sources[at.index()], self.sources[last.index()]) {
            (Some((frame, from)), Some((of, to))) if of == frame => self.tree.raw(frame, from..to + 1),
            (_, _) => self.tree.node(at).name().to_owned(),
        }
    }

    /// What is visible in an element, where that is not its name already.
    fn inside(&self, at: At) -> Option<String> {
        let node = self.tree.node(at);
        if !node.role().is_named_by_content() {
            return None;
        }
        let (frame, place) = self.sources[at.index()]?;
        let text = self.tree.raw(frame, place + 1..self.tree.facts(frame)?.end(place));
        (!text.trim().is_empty() && text != node.name()).then_some(text)
    }
}

fn describe(tree: &Tree, at: At, exact: &Exact<'_>) -> Map<String, Value> {
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
    if node.is_text() {
        say("name", &exact.run(at));
    } else {
        say("name", node.name());
        say("text", &exact.inside(at).unwrap_or_default());
    }
    say("description", node.description());
    if let Some(value) = node.value() {
        say("value", value);
    }
    say("icon", node.icon());
    say("placeholder", node.placeholder());
    say("href", node.href());
    say("label", node.label());
    say("range", node.range());
    say("pointed", node.pointed().map_or("", crate::tree::Pointed::words));
    if node.element().is_some()
        && let Some(path) = xpath::of(tree, at)
    {
        say("xpath", &path.to_string());
    }
    if !node.states().is_empty() {
        out.insert("states".to_owned(), node.states().iter().map(ToString::to_string).collect());
    }
    if let Some(b) = tree.bounds(node) {
        out.insert("box".to_owned(), value!([b.x, b.y, b.width, b.height]));
    }
    out
}
