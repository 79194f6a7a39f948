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
        let by_content = node.role().is_named_by_content() && !node.name().is_empty();
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
    // A name that the author gave holds the text as words, not by chance: "11 comments" does not say "1".
    let whole = tree.node(at).source() != Source::Content;
    let words = if whole { format!(" {} ", spaced(name)) } else { String::new() };
    if tree.node(at).role().is_cell() && super::fold_cells::folds(tree.node(at)) {
        // A cell's text is said on its row's line, if anywhere: that is for folding.
        return;
    }
    for inner in tree.inside(at) {
        let node = tree.node(inner);
        if node.cut().is_some() || node.is_referable() {
            continue;
        }
        let said = collapse(node.name());
        let spoken = spaced(&said);
        let holds = if whole && !spoken.is_empty() {
            words.contains(&format!(" {spoken} "))
        } else {
            name.contains(&said)
        };
        if said.is_empty() || holds {
            found.push(inner);
        }
    }
}

/// The words of a text, a blank between each, in any case.
fn spaced(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
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
        said_inside(tree, inner, None, name, found);
    }
}

/// The text of a label, where the control says it already.
fn label_text(tree: &Tree, label: At, control: At, found: &mut Vec<At>) {
    let node = tree.node(control);
    if node.source() == Source::Native && node.cut().is_none() {
        said_inside(tree, label, Some(control), node.name(), found);
    }
}

/// Texts in an element, if a name says all of them. What is in the control that a label holds is the control's.
fn said_inside(tree: &Tree, at: At, control: Option<At>, name: &str, found: &mut Vec<At>) {
    let is_control =
        |inner: At| control.is_some_and(|control| control <= inner && inner.0 < tree.node(control).end);
    let texts: Vec<At> = tree
        .inside(at)
        .filter(|inner| !is_control(*inner))
        .filter(|inner| tree.node(*inner).is_text() && tree.node(*inner).cut().is_none())
        .collect();
    if texts.iter().all(|text| name.contains(&collapse(tree.node(*text).name()))) {
        found.extend(texts);
    }
}
