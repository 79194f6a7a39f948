//! What gets a ref: whatever can be acted on or pointed at.

use crate::facts::Element;
use crate::role::Role;
use crate::role::explicit::{is_editing_host, is_focusable};

/// What is known of an element when this is asked.
#[allow(clippy::struct_excessive_bools)] // independent facts, asked once
pub(super) struct Standing {
    /// What it is.
    pub role: Role,
    /// Whether it has a name.
    pub named: bool,
    /// Whether a person does not meet it.
    pub hidden: bool,
    /// Whether it is inside something that is acted on as a whole.
    pub within_target: bool,
    /// Whether it is an option of a select that shows one at a time.
    pub folded_option: bool,
    /// Whether it is a label whose control a person does not meet.
    pub stands_for_control: bool,
}

/// Whether an element can be acted on.
pub(super) fn acts(element: Element<'_>, standing: &Standing) -> bool {
    if standing.hidden {
        // Styled file fields are commonly hidden behind a button; files can be given to them all the same.
        return standing.role == Role::FileInput;
    }
    if standing.folded_option {
        return false;
    }
    if standing.role.is_interactive() || is_editing_host(element) {
        return true;
    }
    if element.attribute("draggable").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return true;
    }
    if is_sorted(element) || is_sortable_column(element, standing.role) {
        return true;
    }
    if element.takes_drops() && !matches!(element.tag(), "html" | "body") {
        return true;
    }
    if element.scrolls_x() || element.scrolls_y() || standing.stands_for_control {
        return true;
    }
    if is_item(element, standing.role) {
        return true;
    }
    if is_focusable(element)
        && !element.attribute("tabindex").is_some_and(|value| value.trim().starts_with('-'))
    {
        return true;
    }
    // What it is dragged by may be a part of it.
    if element.has_grab() && !element.parent().is_some_and(|parent| parent.has_grab()) {
        return !matches!(element.tag(), "html" | "body");
    }
    !standing.within_target && looks_clickable(element)
}

/// Whether an element that cannot be acted on is worth pointing at.
pub(super) fn is_landmark(standing: &Standing) -> bool {
    if standing.hidden {
        return false;
    }
    let role = standing.role;
    if role == Role::Image {
        return standing.named && !standing.within_target;
    }
    if role == Role::Heading || role.is_landmark() {
        return standing.named;
    }
    matches!(
        role,
        Role::AlertDialog
            | Role::Audio
            | Role::Canvas
            | Role::Dialog
            | Role::Embed
            | Role::Grid
            | Role::Iframe
            | Role::Row
            | Role::Table
            | Role::TreeGrid
            | Role::Video
    )
}

/// Whether it can be dragged to another place in what it is in: that listens for what comes over it, or is a list that
/// listens for presses.
fn is_sorted(element: Element<'_>) -> bool {
    element.parent().is_some_and(|list| {
        list.sorts() || (list.grips() && element.tag() == "li" && matches!(list.tag(), "ul" | "ol"))
    })
}

/// Whether it is a cell or a row of a grid that its keys go to, one after the other (ARIA Authoring Practices, grid): what
/// has such a place and holds nothing that can itself be worked is worked as a whole.
fn is_item(element: Element<'_>, role: Role) -> bool {
    matches!(role, Role::GridCell | Role::Row)
        && is_focusable(element)
        && !element.descendants().any(is_focusable)
}

/// Whether it heads a column that can be sorted by a press on it, and nothing in it takes that.
fn is_sortable_column(element: Element<'_>, role: Role) -> bool {
    role == Role::ColumnHeader
        && element.has_attribute("aria-sort")
        && (is_focusable(element) || element.has_pointer())
        && !element.descendants().any(is_focusable)
}

/// More elements than this in one that listens are what it listens for.
const MOST_PARTS: usize = 24;

/// Whether an element listens for clicks on itself, and not for those on what it holds.
fn listens_for_itself(element: Element<'_>) -> bool {
    let has_box = element.bounds().is_some_and(|bounds| bounds.width > 0 && bounds.height > 0);
    has_box
        && element.descendants().nth(MOST_PARTS).is_none()
        && !element.descendants().any(|inner| is_focusable(inner) || inner.listens())
}

/// Whether something in it is worked by itself, and no word is beside that: a pointer over such a thing is over its part.
fn holds_only_what_is_worked(element: Element<'_>) -> bool {
    let worked = |inner: &Element<'_>| is_focusable(*inner) || inner.tag() == "label";
    let mut beyond = element.at();
    let mut holds = false;
    for inner in element.descendants() {
        if inner.at() < beyond {
            continue;
        }
        if worked(&inner) {
            holds = true;
            beyond = inner.end();
        } else if inner.has_words() {
            return false;
        }
    }
    holds && !element.has_words()
}

/// Whether it looks clickable: by a handler of its own, or by a pointer that does not come from what it is in.
pub(super) fn looks_clickable(element: Element<'_>) -> bool {
    if matches!(element.tag(), "html" | "body" | "label" | "option") {
        return false;
    }
    if element.listens() && listens_for_itself(element) {
        return true;
    }
    if ["onclick", "onmousedown", "onpointerdown", "onmouseup", "onpointerup", "ondblclick"]
        .iter()
        .any(|name| element.has_attribute(name))
    {
        return true;
    }
    element.has_pointer()
        && !holds_only_what_is_worked(element)
        && !element.parent().is_some_and(|parent| parent.has_pointer() && parent.tag() != "body")
}
