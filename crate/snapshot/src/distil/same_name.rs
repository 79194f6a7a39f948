//! Sets aside what only says the name of what it stands in: the heading that names its region, the title in a dialog, a
//! row's name in one of its cells. The first of such is set aside, and only where nothing else that has a name is between.

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

/// So many nodes of a place are looked at: what names it stands at its beginning.
const FAR_ENOUGH: usize = 40;

pub(super) fn pass(tree: &mut Tree) {
    let named: Vec<At> = tree
        .shown()
        .filter(|(_, node)| !node.is_text() && !node.name().is_empty() && is_place(node.role()))
        .map(|(at, _)| at)
        .collect();
    let mut found = Vec::new();
    for place in named {
        let name = collapse(tree.node(place).name());
        let inside = tree.inside(place).take(FAR_ENOUGH);
        found.extend(inside.into_iter().find(|inner| says(tree, *inner, place, &name)));
    }
    for at in found {
        tree.nodes_mut()[at.index()].cut = Some(Cut::Repeated);
    }
}

/// Whether a node says just a name, and says it of the place.
fn says(tree: &Tree, at: At, place: At, name: &str) -> bool {
    let node = tree.node(at);
    let is_such = node.is_text() || (node.role() == Role::Heading && !node.acts());
    if node.cut().is_some() || !is_such || collapse(node.name()) != name {
        return false;
    }
    if tree.shown_children(at).next().is_some() {
        return false;
    }
    let mut between = tree.ancestors(at).take_while(|outer| *outer != place).map(|outer| tree.node(outer));
    between.all(|outer| {
        outer.cut().is_some() || outer.role().is_cell() || outer.name().is_empty() && !outer.acts()
    })
}

/// Roles of what is named as a whole, and holds more than its name.
fn is_place(role: Role) -> bool {
    role.is_landmark()
        || matches!(
            role,
            Role::AlertDialog
                | Role::Article
                | Role::Dialog
                | Role::Feed
                | Role::Figure
                | Role::Grid
                | Role::Group
                | Role::List
                | Role::ListItem
                | Role::Listbox
                | Role::Menu
                | Role::Note
                | Role::RadioGroup
                | Role::Row
                | Role::TabList
                | Role::TabPanel
                | Role::Table
                | Role::Tree
                | Role::TreeGrid
        )
}
