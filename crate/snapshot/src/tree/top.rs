//! What lies above everything else: the top layer (HTML §3.2.5.1), by what the facts tell of it, and what a page makes
//! modal by ARIA alone.

use super::{At, Tree};
use crate::role::Role;
use crate::state::State;

impl Tree {
    /// Dialogs and popovers that are open above the page, the one that is met first in front: modal ones before those
    /// that let the page be worked; of several the inner ones, and those that come later, before the others. In which
    /// order they were opened no fact tells.
    pub fn top_layer(&self) -> Vec<At> {
        let mut layer: Vec<_> = self
            .iter()
            .filter_map(|(at, node)| {
                let is_shown = !node.hidden && !node.is_text();
                let modal = node.is(&State::Modal)
                    && matches!(node.role, Role::Dialog | Role::AlertDialog | Role::Generic);
                let rank = if modal { Some(0) } else { self.is_open_popover(at).then_some(1) };
                rank.filter(|_| is_shown).map(|rank| (rank, at))
            })
            .collect();
        layer.sort_by_key(|(rank, at)| (*rank, std::cmp::Reverse(*at)));
        layer.into_iter().map(|(_, at)| at).collect()
    }

    fn is_open_popover(&self, at: At) -> bool {
        let node = self.node(at);
        let element = node.element().and_then(|element| self.facts(node.frame())?.find(element));
        element.is_some_and(|element| element.is_popover_open())
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::sketch::sketch;
    use crate::page::Page;
    use crate::refs::Refs;
    use crate::tree::Tree;

    #[test]
    fn modal_dialogs_come_before_popovers_and_later_ones_first() {
        let drawing = r"
            body
              dialog open= aria-label=Plain
              dialog aria-label=First :modal
              div popover= aria-label=Menu role=menu :popover-open
              div popover= aria-label=Shut role=menu :none
              div role=dialog aria-modal=true aria-label=Own
            ";
        let tree = Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new());
        let names: Vec<_> = tree.top_layer().into_iter().map(|at| tree.node(at).name()).collect();
        assert_eq!(names, ["Own", "First", "Menu"]);
    }
}
