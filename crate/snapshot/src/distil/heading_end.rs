//! Leaves out of a heading's line what the thing to act on at its end says on its own: the link to the section that
//! stands behind most headings of documentation, an "Edit" behind those of a profile. The name stays what it is.

use crate::name::Source;
use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let headings: Vec<At> = tree
        .shown()
        .filter(|(_, node)| node.role() == Role::Heading && node.source() == Source::Content)
        .map(|(at, _)| at)
        .collect();
    for heading in headings {
        let mut inside = tree.shown_children(heading);
        let (Some(only), None) = (inside.next(), inside.next()) else { continue };
        let end = tree.node(only);
        if !end.acts() || !end.is_referable() || end.name().is_empty() {
            continue;
        }
        let name = collapse(tree.node(heading).name());
        let rest = name.strip_suffix(&*collapse(end.name())).map(str::trim_end).unwrap_or_default();
        if !rest.is_empty() {
            let rest = rest.into();
            tree.nodes_mut()[heading.index()].more_mut().brief = rest;
        }
    }
}
