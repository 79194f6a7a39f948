//! Step 2F: the name that content gives, with generated content and the blanks that boxes put between words.

use super::{Namer, Way, css};
use crate::facts::{Element, Node};

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
            Node::Element(child) => {
                let parts = parts_words(child);
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
        "br" | "option" | "optgroup" => return true,
        _ => {}
    }
    !matches!(element.display(), "inline" | "contents" | "none" | "ruby" | "ruby-base")
}
