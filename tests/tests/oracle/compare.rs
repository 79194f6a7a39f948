//! Compares what the two sides say of one page.

use crate::{
    agreement::Tally,
    capture::Captured,
    exposed::{self, Exposed, collapse},
};
use anyhow::{Context as _, Result};
use serde_json::Value;
use snapshot::{
    Facts, Page, Refs, Role, Tree,
    facts::{self, Element, LiveValue},
    role::explicit::is_editing_host,
    state::State,
    tree::Node,
    visible::{self, Hidden},
};
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
#[derive(Default)]
pub struct Compared {
    pub tally: Tally,
    pub differences: Vec<Difference>,
    /// How many documents the page has, with those in its frames.
    pub documents: usize,
}

/// Compares every node that either side exposes.
pub fn compare(captured: &Captured) -> Result<Compared> {
    let tree = Tree::build(&Page::single(captured.facts.clone()), &mut Refs::new());
    let by_id: HashMap<u64, &Value> =
        captured.nodes.iter().filter_map(|node| Some((node["backendDOMNodeId"].as_u64()?, node))).collect();
    let mut compared = Compared { documents: 1, ..Compared::default() };
    let mut counts: HashMap<String, u32> = HashMap::new();
    let hidden = visible::judge(&captured.facts);
    let modal = captured.facts.elements().find(Element::is_modal);
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
        let said = by_id.get(id).copied();
        if node.is(&State::AriaHidden) && said.is_none_or(|said| said["ignored"] == true) {
            // Likewise: kept from the browser's tree by its author, and seen.
            continue;
        }
        if said.is_none() && is_inert(element, modal) {
            // A person sees it all the same: we say it, with the state `inert` or under a modal dialog.
            continue;
        }
        let mut theirs = exposed::theirs(said, element);
        grant(&ours, &mut theirs, node, element);
        let texts = if shows_texts(element, node) {
            (our_texts(&captured.facts, &hidden, element), their_texts(captured, &by_id, *id))
        } else {
            (String::new(), String::new())
        };
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
        let name = node["name"]["value"].as_str().unwrap_or_default();
        let inside =
            name.trim().is_empty() || captured.internal.contains(&id) || captured.texts.contains_key(&id);
        let role = node["role"]["value"].as_str().unwrap_or_default();
        if node["ignored"] != true && !known.contains(&id) && !inside && role != "RootWebArea" {
            let label = format!("node {role} {name:?}");
            compared.field(&label, "role", "", role);
            compared.tally.add(false, false);
        }
    }
    Ok(compared)
}

impl Compared {
    /// Takes in what came of a document in a frame of the page; 0 is the page's own.
    pub fn add(&mut self, frame: usize, other: Self) {
        self.tally += other.tally;
        self.documents += other.documents;
        let place = if frame == 0 { String::new() } else { format!("frame {frame} ") };
        self.differences.extend(other.differences.into_iter().map(|difference| Difference {
            element: format!("{place}{}", difference.element),
            ..difference
        }));
    }

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
        self.field(label, "description", &ours.description, &theirs.description);
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

/// What the two say by other means, or what one of them leaves to be understood.
fn grant(ours: &Exposed, theirs: &mut Exposed, node: &Node, element: Element<'_>) {
    let role = node.role();
    // What plain elements say is their content; a row's cells stand on its line.
    if (role.is_plain() || role == Role::Row) && ours.name.is_empty() {
        theirs.name.clear();
    }
    // Its options say which are chosen; secrets do not leave the page.
    if role == Role::Listbox || matches!(element.value(), Some(LiveValue::Secret(_))) {
        theirs.value.clone_from(&ours.value);
    }
    // What is typed in, or chosen in parts, is said by the parts.
    let is_made_of_parts = is_editing_host(element) || (role == Role::Combobox && element.tag() == "div");
    if is_made_of_parts && ours.value.is_empty() {
        theirs.value.clear();
    }
    // The author's words for a value come before the number, which the protocol tells instead.
    if element.said("aria-valuetext").is_some_and(|words| words == ours.value) {
        theirs.value.clone_from(&ours.value);
    }
    // The protocol tells less of what is a text box only by being editable; nor of a group that its controls are off.
    for (state, untold) in [
        ("required", is_editing_host(element) && !element.has_attribute("role")),
        ("disabled", matches!(element.tag(), "fieldset" | "optgroup")),
    ] {
        if untold && ours.states.contains(state) {
            theirs.states.insert(state.to_owned());
        }
    }
    // What must be filled in and is empty is invalid by that alone: `required` says it.
    if element.has_attribute("required") && !ours.states.contains("invalid") {
        theirs.states.remove("invalid");
    }
    // Of an option that cannot be chosen the protocol does not tell that it is.
    if role == Role::Option && ours.states.contains("disabled") && ours.states.contains("selected") {
        theirs.states.insert("selected".to_owned());
    }
    // What the name says is not said twice.
    if theirs.description == ours.name {
        theirs.description.clear();
    }
    // Words of the browser's own controls.
    if role == Role::FileInput {
        if theirs.name == "Choose File" {
            theirs.name.clone_from(&ours.name);
            theirs.description.clone_from(&ours.description);
        }
        if theirs.value == "No file chosen" {
            theirs.value.clear();
        }
    }
    if element.tag() == "select" && theirs.value.ends_with(" selected") {
        theirs.value.clone_from(&ours.value);
    }
    if matches!(role, Role::Audio | Role::Video) && theirs.name == "Unable to play media." {
        theirs.name.clone_from(&ours.name);
        theirs.description.clone_from(&ours.description);
        theirs.states.remove("disabled");
    }
}

/// Whether it cannot be worked for now: by word of the author, or under a modal dialog.
fn is_inert(element: Element<'_>, modal: Option<Element<'_>>) -> bool {
    let within = || std::iter::once(element).chain(element.ancestors());
    within().any(|each| each.has_attribute("inert"))
        || modal.is_some_and(|modal| !within().any(|each| each.at() == modal.at()))
}

/// Whether an element's own texts are nodes on both sides: not those of options, labels (said by their control), and
/// what a shadow root takes elsewhere.
fn shows_texts(element: Element<'_>, node: &Node) -> bool {
    node.role() != Role::Option && !matches!(element.tag(), "label" | "slot") && !element.is_host()
}

/// Numbers may be written in several ways.
fn same_value(ours: &str, theirs: &str) -> bool {
    let numbers = (ours.parse::<f64>(), theirs.parse::<f64>());
    ours == theirs || matches!(numbers, (Ok(a), Ok(b)) if (a - b).abs() < 1e-4)
}

/// The element's own texts that are not hidden.
fn our_texts(facts: &Facts, hidden: &[Option<Hidden>], element: Element<'_>) -> String {
    let mut own = String::new();
    for at in facts.children(element.at()).filter(|at| hidden[*at].is_none()) {
        if let facts::Node::Text(text) = facts.node(at) {
            own.push_str(text);
            own.push(' ');
        }
    }
    collapse(&own)
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
