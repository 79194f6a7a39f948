//! Step 2F: the name that content gives, with generated content and the blanks that boxes put between words.

use super::{Namer, Way, css};
use crate::facts::{Element, Node};
use crate::role::Role;

/// The text of what is inside an element.
pub(super) fn of(namer: &Namer<'_>, element: Element<'_>, way: Way<'_>) -> String {
    let inner = way.inside();
    let mut out = String::new();
    if let Some(before) = element.before() {
        out.push_str(&css::words(before));
    }
    for child in namer.relations.children(element.at()) {
        match namer.node(child) {
            Node::Text(text) => {
                if !namer.is_hidden(child) || way.hidden_counts {
                    out.push_str(text);
                }
            }
            // What a tree item opens is not part of its own name.
            Node::Element(child)
                if namer.roles[element.at()] == Role::TreeItem && namer.roles[child.at()] == Role::Group => {}
            Node::Element(child) => {
                // Notes on how to read are no part of what is read.
                if matches!(child.tag(), "rt" | "rp") {
                    continue;
                }
                let parts = parts_words(child) || namer.relations.is_owned(child.at());
                if parts {
                    out.push(' ');
                }
                out.push_str(&namer.alternative(child, inner).0);
                if parts {
                    out.push(' ');
                }
            }
        }
    }
    if let Some(after) = element.after() {
        out.push_str(&css::words(after));
    }
    out
}

/// Whether an element's box keeps its words apart from those around it.
fn parts_words(element: Element<'_>) -> bool {
    match element.tag() {
        "br" | "img" | "option" | "optgroup" | "wbr" => return true,
        _ => {}
    }
    !matches!(element.display(), "inline" | "contents" | "none" | "ruby" | "ruby-base")
}
