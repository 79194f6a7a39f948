//! Names what can be acted on by the text that is all it holds, where its role has no name from content: a clickable
//! box, a scroller. Text boxes and comboboxes hold such text as their value.

use crate::name::Source;
use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

/// Longer text is content.
const LONGEST: usize = 200;

pub(super) fn pass(tree: &mut Tree) {
    for index in 0..tree.len() {
        let at = At::new(index);
        let node = tree.node(at);
        if node.cut().is_some() || !node.is_referable() {
            continue;
        }
        let role = node.role();
        let is_entry = matches!(role, Role::Textbox | Role::Searchbox | Role::Combobox);
        let entry = is_entry && node.value().is_none();
        let takes_name = !role.is_input() && !role.is_ranged() && !matches!(role, Role::Row | Role::Heading);
        let unnamed = node.name().is_empty() && node.acts() && takes_name;
        if !entry && !unnamed {
            continue;
        }
        let children: Vec<At> = tree.shown_children(at).collect();
        if children.is_empty() && entry {
            tree.nodes_mut()[index].more_mut().value = Some("".into());
        }
        let &[only] = children.as_slice() else { continue };
        let text = tree.node(only);
        if !text.is_text() || text.name().chars().count() > LONGEST {
            continue;
        }
        let text = collapse(text.name());
        let nodes = tree.nodes_mut();
        nodes[only.index()].cut = Some(Cut::Repeated);
        if entry {
            nodes[index].more_mut().value = Some(text.into());
        } else {
            nodes[index].name = text.into();
            nodes[index].source = Source::Content;
        }
    }
}
