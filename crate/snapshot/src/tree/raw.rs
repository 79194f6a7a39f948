//! Texts as the page has them, white space included: nodes of white space alone are in no tree, but in the facts.

use super::Tree;
use crate::facts::{At, Node};

impl Tree {
    /// The text of a run of a frame's facts, without what a person does not meet; `br` ends a line.
    pub(crate) fn raw(&self, frame: usize, run: std::ops::Range<At>) -> String {
        let mut out = String::new();
        let Some(facts) = self.facts(frame) else { return out };
        for place in run {
            let at = self.places.get(frame).and_then(|places| places.get(place).copied().flatten());
            if at.is_some_and(|at| self.node(at).hidden) {
                continue;
            }
            match facts.node(place) {
                Node::Text(text) => {
                    let outer = facts.parent(place).and_then(|parent| facts.element(parent));
                    if outer.is_none_or(|outer| outer.display() != "none") {
                        out.push_str(text);
                    }
                }
                Node::Element(element) if element.tag() == "br" => out.push('\n'),
                Node::Element(_) => {}
            }
        }
        out
    }
}
