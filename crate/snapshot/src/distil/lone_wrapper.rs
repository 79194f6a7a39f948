//! Sets aside what groups one thing or nothing: unnamed lists, items with one thing in them, unnamed groups and figures, a
//! place of the page that is another one as a whole. From the inside out, so that what became lone is seen.

use crate::role::Role;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    for index in (0..tree.len()).rev() {
        let at = At::new(index);
        let node = tree.node(at);
        if node.cut().is_some() || node.is_referable() || node.is_text() {
            continue;
        }
        let says = !node.name().is_empty()
            || node.value().is_some()
            || !node.states().is_empty()
            || !node.folded().is_empty()
            || !node.description().is_empty();
        if says {
            continue;
        }
        let role = node.role();
        // Cells keep their column, empty or not: their row says them all.
        if role.is_cell() && tree.shown_parent(at).is_some_and(|row| tree.node(row).role() == Role::Row) {
            continue;
        }
        let is_lone = if order_tells(role) {
            true
        } else if role == Role::ListItem {
            !groups(tree, at)
        } else if role.is_landmark() {
            // A place of the page is worth its name if there is something in it, and not only such a place.
            count(tree, at, 1) == 0 || role != Role::Main && is_one_place(tree, at)
        } else {
            count(tree, at, 2) < 2
        };
        if is_lone {
            tree.nodes_mut()[index].cut = Some(Cut::Wrapper);
        }
    }
}

/// Whether order and indentation tell all that the element says.
fn order_tells(role: Role) -> bool {
    matches!(
        role,
        Role::List | Role::Group | Role::Document | Role::Feed | Role::Figure | Role::Image | Role::Separator
    )
}

/// Whether all there is in an element is one place of the page.
fn is_one_place(tree: &Tree, at: At) -> bool {
    let mut inside = tree.shown_children(at);
    inside.next().is_some_and(|only| tree.node(only).role().is_landmark()) && inside.next().is_none()
}

/// Whether an item keeps several things together, one of which can be acted on. A summary heads what is below it by
/// itself.
fn groups(tree: &Tree, at: At) -> bool {
    let is_headed =
        tree.shown_children(at).next().is_some_and(|first| tree.node(first).role() == Role::Summary);
    count(tree, at, 2) == 2
        && !is_headed
        && tree.shown_children(at).any(|child| tree.node(child).is_referable())
}

/// How many shown children there are, up to a number.
fn count(tree: &Tree, at: At, most: usize) -> usize {
    tree.shown_children(at).take(most).count()
}
