//! What comes first when not all lines fit: what is open above the page. Dialogs, shown popovers, and what an expanded
//! control has opened (its menu, its list of options). They stand before the page then, outermost lines first.

use rustc_hash::FxHashSet;

use super::outline::Line;
use crate::role::Role;
use crate::state::State;
use crate::tree::{Node, Tree};

/// Puts urgent lines first, each with what is in it; says whether any were moved.
pub(super) fn first(tree: &Tree, lines: &mut Vec<Line>) -> bool {
    let opened = opened(tree);
    let mut urgent: Vec<Line> = Vec::new();
    let mut rest: Vec<Line> = Vec::new();
    let mut moved = false;
    // The end of the urgent node whose lines are being taken, and its depth.
    let mut taking: Option<(u32, usize)> = None;
    for mut line in std::mem::take(lines) {
        taking = taking.filter(|(end, _)| line.at.0 < *end);
        let node = tree.node(line.at);
        if taking.is_none() && is_urgent(tree, node, &opened) {
            taking = Some((node.end, line.depth));
            line.is_plain = false;
        }
        match taking {
            Some((_, base)) => {
                moved = moved || !rest.is_empty();
                line.depth -= base;
                urgent.push(line);
            }
            None => rest.push(line),
        }
    }
    urgent.append(&mut rest);
    *lines = urgent;
    moved
}

fn is_urgent(tree: &Tree, node: &Node, opened: &FxHashSet<(usize, &str)>) -> bool {
    if node.is_hidden() || node.is_text() {
        return false;
    }
    if matches!(node.role(), Role::AlertDialog | Role::Dialog) || node.is(&State::Modal) {
        return true;
    }
    let element = node.element().and_then(|number| tree.facts(node.frame())?.find(number));
    let Some(element) = element else { return false };
    element.is_popover_open()
        || matches!(node.role(), Role::Grid | Role::Listbox | Role::Menu | Role::Tree)
            && element.attribute("id").is_some_and(|id| opened.contains(&(node.frame(), id)))
}

/// Ids of what is opened by an expanded control, by frame.
fn opened(tree: &Tree) -> FxHashSet<(usize, &str)> {
    let mut opened = FxHashSet::default();
    for (_, node) in tree.shown() {
        let opens = node.is(&State::Expanded)
            && (node.role() == Role::Combobox
                || node.states().iter().any(|it| matches!(it, State::HasPopup(_))));
        if !opens {
            continue;
        }
        let Some(element) = node.element().and_then(|number| tree.facts(node.frame())?.find(number)) else {
            continue;
        };
        for name in ["aria-controls", "aria-owns"] {
            let ids = element.attribute(name).unwrap_or_default();
            opened.extend(ids.split_ascii_whitespace().map(|id| (node.frame(), id)));
        }
    }
    opened
}
