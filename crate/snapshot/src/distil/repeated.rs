//! Sets aside what is said twice: text inside an element that is named by it, the text of a label beside its control,
//! a legend or caption that names what it is in, a picture that says what its link says.

use crate::name::Source;
use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let mut found = Vec::new();
    for (at, node) in tree.iter() {
        if node.cut().is_some_and(|cut| cut != Cut::Plain) {
            continue;
        }
        let by_content = node.source() == Source::Content && node.role().is_named_by_content();
        if by_content || node.role().hides_roles_inside() {
            inside_named(tree, at, &mut found);
        } else if node.source() == Source::Native {
            naming_child(tree, at, &mut found);
        }
    }
    for (label, control) in tree.labels() {
        label_text(tree, *label, *control, &mut found);
    }
    for at in found {
        tree.nodes_mut()[at.index()].cut = Some(Cut::Repeated);
    }
}

/// What stands inside an element and is part of its name.
fn inside_named(tree: &Tree, at: At, found: &mut Vec<At>) {
    let name = tree.node(at).name();
    if tree.node(at).role().is_cell() {
        // A cell's text is said on its row's line, if anywhere: that is for folding.
        return;
    }
    for inner in tree.inside(at) {
        let node = tree.node(inner);
        if node.cut().is_some() || node.is_referable() {
            continue;
        }
        let said = collapse(node.name());
        if said.is_empty() || name.contains(&said) {
            found.push(inner);
        }
    }
}

/// The legend, caption or title that names an element.
fn naming_child(tree: &Tree, at: At, found: &mut Vec<At>) {
    let name = tree.node(at).name();
    for inner in tree.inside(at) {
        let node = tree.node(inner);
        let names = matches!(node.role(), Role::Legend | Role::Caption);
        if !names || node.parent() != Some(at) {
            continue;
        }
        said_inside(tree, inner, name, found);
    }
}

/// The text of a label, where the control says it already.
fn label_text(tree: &Tree, label: At, control: At, found: &mut Vec<At>) {
    let control = tree.node(control);
    if control.source() == Source::Native && control.cut().is_none() {
        said_inside(tree, label, control.name(), found);
    }
}

/// Texts in an element, if a name says all of them.
fn said_inside(tree: &Tree, at: At, name: &str, found: &mut Vec<At>) {
    let texts: Vec<At> = tree
        .inside(at)
        .filter(|inner| tree.node(*inner).is_text() && tree.node(*inner).cut().is_none())
        .collect();
    if texts.iter().all(|text| name.contains(&collapse(tree.node(*text).name()))) {
        found.extend(texts);
    }
}
