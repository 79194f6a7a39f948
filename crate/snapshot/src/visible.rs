//! Which nodes a person can meet, by style and by word of the author. Knows nothing of boxes that lie outside the
//! viewport or under others: that changes at every scroll.

use crate::facts::{Element, Facts, Node};

/// Why a node is not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Not rendered: `display: none`, `content-visibility`, a closed `details`, with all it holds.
    Unrendered,
    /// `visibility: hidden`: what is inside may be visible again.
    Invisible,
    /// `aria-hidden`, with all it holds, though it may be seen.
    AriaHidden,
}

/// The verdict on every node of a document, by node place.
pub fn judge(facts: &Facts) -> Vec<Option<Hidden>> {
    let mut verdicts: Vec<Option<Hidden>> = Vec::with_capacity(facts.len());
    for at in 0..facts.len() {
        let outer = facts.parent(at).and_then(|parent| verdicts[parent]);
        let verdict = match facts.node(at) {
            Node::Text(_) => {
                outer.or_else(|| facts.parent(at).and_then(|at| facts.element(at)).and_then(of_text))
            }
            Node::Element(element) => match outer {
                Some(Hidden::Unrendered) => Some(Hidden::Unrendered),
                Some(Hidden::AriaHidden) => Some(own(element).unwrap_or(Hidden::AriaHidden)),
                Some(Hidden::Invisible) | None => own(element),
            },
        };
        verdicts.push(verdict);
    }
    verdicts
}

/// Whether text right in an element is hidden though the element is not: its box is there, its content is skipped.
fn of_text(parent: Element<'_>) -> Option<Hidden> {
    let shut = parent.tag() == "details" && !parent.has_attribute("open");
    let sought = || parent.attribute("hidden").is_some_and(|kind| kind.eq_ignore_ascii_case("until-found"));
    (shut || sought()).then_some(Hidden::Unrendered)
}

fn own(element: Element<'_>) -> Option<Hidden> {
    // Options, rules among them, and areas are drawn by what they belong to.
    let drawn = match element.tag() {
        "option" | "optgroup" => {
            !element.has_attribute("hidden")
                && element.parent().is_some_and(|parent| parent.tag() != "datalist")
        }
        "hr" => element.parent().is_some_and(|parent| parent.tag() == "select"),
        "area" => element.has_attribute("href"),
        _ => false,
    };
    if !drawn && (element.is_skipped() || element.display() == "none") {
        return Some(Hidden::Unrendered);
    }
    if element.says_true("aria-hidden") {
        return Some(Hidden::AriaHidden);
    }
    if element.is_invisible() {
        return Some(Hidden::Invisible);
    }
    None
}
