//! Which nodes a person can meet, by style and by word of the author. Knows nothing of boxes that lie outside the
//! viewport or under others: that changes at every scroll.

use std::cell::OnceCell;

use crate::facts::{At, Element, Facts, Node};
use crate::role::explicit::is_focusable;

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
    let opened = OnceCell::new();
    for at in 0..facts.len() {
        let outer = facts.parent(at).and_then(|parent| verdicts[parent]);
        let verdict = match facts.node(at) {
            Node::Text(_) => {
                outer.or_else(|| facts.parent(at).and_then(|at| facts.element(at)).and_then(of_text))
            }
            Node::Element(element) => match outer {
                Some(Hidden::Unrendered) => Some(Hidden::Unrendered),
                Some(Hidden::AriaHidden) => Some(own(element).unwrap_or(Hidden::AriaHidden)),
                Some(Hidden::Invisible) | None => own(element).filter(|why| {
                    // It is read as before it was drawn, and so is all in it.
                    *why != Hidden::AriaHidden
                        || !is_behind(element, facts, opened.get_or_init(|| self::opened(facts)))
                }),
            },
        };
        verdicts.push(verdict);
    }
    verdicts
}

/// Whether `aria-hidden` says no more than that something is open above: pages put it on all that is behind. It is in
/// view, with things to work in it.
fn is_behind(element: Element<'_>, facts: &Facts, opened: &[At]) -> bool {
    let view = facts.viewport();
    let is_in_view = element.bounds().is_some_and(|it| {
        let (across, down) = (it.x.saturating_add(it.width), it.y.saturating_add(it.height));
        it.width > 1 && it.height > 1 && across > 0 && down > 0 && it.x < view.width && it.y < view.height
    });
    is_in_view
        && !element.is_invisible()
        && element.descendants().any(is_focusable)
        && opened.iter().any(|at| !(element.at()..element.end()).contains(at))
}

/// What is open above a page, as far as its own words tell: dialogs, and what opens for a choice.
fn opened(facts: &Facts) -> Vec<At> {
    const OPENS: [&str; 4] = ["alertdialog", "dialog", "listbox", "menu"];
    let is_open = |it: &Element<'_>| {
        let opens = it.tag() == "dialog"
            || it.says_true("aria-modal")
            || it.said("role").is_some_and(|role| OPENS.contains(&role));
        opens && !it.is_invisible() && it.bounds().is_some_and(|bounds| bounds.width > 0 && bounds.height > 0)
    };
    facts.elements().filter(is_open).map(|it| it.at()).collect()
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
    // A page put another control in its stead, and its style draws it all the same, for nobody to see.
    if element.is_transparent() && element.has_attribute("hidden") {
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
