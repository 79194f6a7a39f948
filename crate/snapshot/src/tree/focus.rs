//! Where focus is: in one place of one frame. An iframe's element is not it when the focus is inside.

use super::Tree;
use crate::facts::Element;
use crate::ids::ElementNo;
use crate::page::Owner;
use crate::state::{self, State};

/// What an element with focus says it works instead of itself.
fn active(focused: Element<'_>) -> Option<ElementNo> {
    let id = focused.said("aria-activedescendant")?;
    let facts = focused.facts();
    let active = facts.elements().find(|it| it.said("id") == Some(id) && it.scope() == focused.scope())?;
    Some(active.number())
}

/// Marks the node that takes the keys.
pub(super) fn mark(tree: &mut Tree) {
    let mut frame = 0;
    loop {
        let Some(facts) = tree.facts(frame) else { return };
        let Some(element) = facts.active() else { return };
        let inner = (frame + 1..tree.page.frames.len()).find(|inner| {
            tree.page.frames[*inner].owner == Some(Owner { frame, element }) && tree.facts(*inner).is_some()
        });
        if let Some(inner) = inner {
            frame = inner;
            continue;
        }
        if let Some(at) = tree.at_element(facts.document(), element) {
            let active = facts.find(element).and_then(|focused| active(focused));
            if let Some(active) = active.and_then(|active| tree.at_element(facts.document(), active)) {
                state::add(&mut tree.nodes[active.index()].more_mut().states, State::Active);
            }
            state::add(&mut tree.nodes[at.index()].more_mut().states, State::Focused);
        }
        return;
    }
}
