//! Makes one line of a heading and the one thing in it, or around it, that is acted on and says the same: an accordion's
//! button, a card's link. What is acted on stays, and takes the heading's level as a state, so that it is still told
//! that it is one. A heading that is a part of a longer name around it (a card that is a link as a whole) is set aside.

use crate::role::Role;
use crate::state::{self, State};
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let headings: Vec<At> = tree
        .shown()
        .filter(|(_, node)| node.role() == Role::Heading && !node.name().is_empty() && !node.acts())
        .map(|(at, _)| at)
        .collect();
    for heading in headings {
        let Some(said_by) = said_by(tree, heading) else { continue };
        let level =
            tree.node(heading).states().iter().find(|state| matches!(state, State::Level(_))).cloned();
        let same = collapse(tree.node(said_by).name()) == collapse(tree.node(heading).name());
        let nodes = tree.nodes_mut();
        nodes[heading.index()].cut = Some(Cut::Repeated);
        if let Some(level) = level.filter(|_| same) {
            let states = &mut nodes[said_by.index()].more_mut().states;
            states.retain(|state| !matches!(state, State::Level(_)));
            state::add(states, level);
        }
    }
}

/// What says all that a heading says.
fn said_by(tree: &Tree, heading: At) -> Option<At> {
    let name = collapse(tree.node(heading).name());
    let mut inside = tree.shown_children(heading);
    match (inside.next(), inside.next()) {
        (Some(only), None) => {
            let node = tree.node(only);
            (is_pressed(node.role()) && node.acts() && collapse(node.name()) == name).then_some(only)
        }
        (None, _) => {
            let around = tree.shown_parent(heading)?;
            let node = tree.node(around);
            (is_pressed(node.role()) && node.acts() && collapse(node.name()).contains(&name))
                .then_some(around)
        }
        (Some(_), Some(_)) => None,
    }
}

/// Roles that are named by what is in them, and pressed.
fn is_pressed(role: Role) -> bool {
    matches!(role, Role::Button | Role::Link | Role::Summary)
}
