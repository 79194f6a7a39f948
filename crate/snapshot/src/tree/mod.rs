//! A tab at one moment as one tree, stitched over its frames. Nodes are in document order; what the distilling passes
//! set aside stays in the tree, marked with the reason, so that it can be shown when asked for. Says nothing of text
//! form: that is [`crate::render`].

mod build;
mod focus;
mod headers;
mod icon;
mod node;
mod raw;
mod rebind;
mod top;
mod value;
mod wants;

use rustc_hash::FxHashMap;
use std::{cell::OnceCell, rc::Rc};

pub use node::{Cut, Lead, More, Node, Pointed};

use crate::facts::{Bounds, Facts};
use crate::fingerprint::Surroundings;
use crate::ids::{DocumentNo, ElementNo, Ref};
use crate::page::Page;
use crate::refs::Refs;
use crate::role::Role;

/// Where a node stands in a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub(crate) u32);

impl At {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[allow(clippy::cast_possible_truncation)] // facts hold fewer nodes than that
    pub(crate) fn new(index: usize) -> Self {
        Self(index as u32)
    }
}

/// A tab at one moment.
#[derive(Clone, Debug)]
pub struct Tree {
    page: Page,
    nodes: Vec<Node>,
    /// Where the nodes of each frame's facts came to stand.
    places: Vec<Vec<Option<At>>>,
    by_ref: FxHashMap<Ref, At>,
    /// Labels and what they label.
    labels: Vec<(At, At)>,
    rebound: Vec<Ref>,
    /// What the person points at.
    marked: Option<At>,
    /// Made when it is first asked for.
    surroundings: OnceCell<Surroundings>,
}

impl Tree {
    /// Judges, stitches and distils a page. Whatever can be acted on or pointed at gets a ref.
    pub fn build(page: &Page, refs: &mut Refs) -> Self {
        Self::made(page, refs, None)
    }

    /// As [`Tree::build`]. An element that took the place of one that `previous` had, and that is gone, keeps its ref:
    /// when nothing else had its fingerprint then, and nothing else has it now. Such refs are listed in
    /// [`Tree::rebound`].
    pub fn build_after(page: &Page, refs: &mut Refs, previous: &Tree) -> Self {
        Self::made(page, refs, Some(previous))
    }

    fn made(page: &Page, refs: &mut Refs, previous: Option<&Tree>) -> Self {
        let mut tree = build::build(page);
        focus::mark(&mut tree);
        tree.recall(refs);
        crate::distil::distil(&mut tree);
        icon::mark(&mut tree);
        if let Some(previous) = previous {
            tree.rebound = rebind::rebind(&tree, refs, previous);
        }
        tree.assign(refs);
        tree
    }

    /// Refs that elements have already: they keep them when they no longer deserve one, for an agent may hold it.
    fn recall(&mut self, refs: &Refs) {
        for node in &mut self.nodes {
            node.refer(node.element().and_then(|element| refs.get(node.document, element)));
        }
    }

    fn assign(&mut self, refs: &mut Refs) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            if node.wants_ref
                && let Some(element) = node.element()
            {
                node.refer(Some(refs.assign(node.document, element)));
            }
            if let Some(reference) = node.reference() {
                self.by_ref.insert(reference, At::new(at));
            }
        }
    }

    /// The page it was made of.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The root document's title.
    pub fn title(&self) -> &str {
        self.page.facts(0).map_or("", |facts| facts.title())
    }

    /// The root document's address.
    pub fn url(&self) -> &str {
        self.page.facts(0).map_or("", |facts| facts.url())
    }

    /// The root document.
    pub fn document(&self) -> Option<DocumentNo> {
        self.page.facts(0).map(|facts| facts.document())
    }

    /// How many nodes there are, those set aside among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at a place.
    pub fn node(&self, at: At) -> &Node {
        &self.nodes[at.index()]
    }

    /// The node of a ref.
    pub fn node_of(&self, reference: Ref) -> Option<&Node> {
        self.at(reference).map(|at| self.node(at))
    }

    /// Where the node of a ref stands.
    pub fn at(&self, reference: Ref) -> Option<At> {
        self.by_ref.get(&reference).copied()
    }

    /// An element's box in its own frame's viewport, if it was laid out.
    pub fn bounds(&self, node: &Node) -> Option<Bounds> {
        self.facts(node.frame())?.find(node.element()?)?.bounds()
    }

    /// Where the node of an element stands; also of one without a ref. `None` when it is in no frame of this tree.
    pub fn at_element(&self, document: DocumentNo, element: ElementNo) -> Option<At> {
        let frame = self.frame_of(document)?;
        let place = self.facts(frame)?.find(element)?.at();
        self.places.get(frame)?.get(place).copied().flatten()
    }

    /// Gives a ref to the node of an element that has none yet, for someone pointed at it. It is listed from now on,
    /// also if the distilling passes had set it aside: under its nearest listed ancestor, with what was listed inside
    /// it below it. What a person does not meet gets a ref and stays unlisted.
    pub fn point_at(&mut self, document: DocumentNo, element: ElementNo, refs: &mut Refs) -> Option<Ref> {
        self.at_element(document, element)?;
        let reference = refs.assign(document, element);
        // What a ref keeps from being set aside may be said elsewhere on the page: that is for the passes to see.
        self.renew(refs);
        Some(reference)
    }

    /// Judges the page anew, with the refs that elements have by now.
    fn renew(&mut self, refs: &mut Refs) {
        let (rebound, pointed) = (std::mem::take(&mut self.rebound), self.pointed());
        *self = Self::made(&self.page, refs, None);
        self.rebound = rebound;
        if let Some((reference, how)) = pointed {
            self.mark(reference, how);
        }
    }

    /// Marks what the person at the browser points at, one element at a time. It is listed whatever the passes made of
    /// it, also when a person does not meet it: under its nearest listed ancestor, with what is listed inside it.
    pub fn select(
        &mut self,
        document: DocumentNo,
        element: ElementNo,
        how: Pointed,
        refs: &mut Refs,
    ) -> Option<Ref> {
        self.unselect(refs);
        let reference = self.point_at(document, element, refs)?;
        self.mark(reference, how);
        Some(reference)
    }

    /// Takes the mark away; what was listed for it alone no longer is.
    pub fn unselect(&mut self, refs: &mut Refs) {
        let Some((reference, _)) = self.pointed() else { return };
        if let Some(at) = self.at(reference) {
            self.nodes[at.index()].more_mut().pointed = None;
        }
        self.renew(refs);
    }

    /// What the person at the browser points at.
    pub fn pointed(&self) -> Option<(Ref, Pointed)> {
        self.marked.and_then(|at| Some((self.node(at).reference()?, self.node(at).pointed()?)))
    }

    fn mark(&mut self, reference: Ref, how: Pointed) {
        self.marked = self.at(reference);
        if let Some(at) = self.marked {
            let node = &mut self.nodes[at.index()];
            node.more_mut().pointed = Some(how);
            node.cut = None;
        }
    }

    /// Which frame shows a document.
    pub fn frame_of(&self, document: DocumentNo) -> Option<usize> {
        (0..self.page.frames.len())
            .find(|frame| self.facts(*frame).is_some_and(|facts| facts.document() == document))
    }

    /// The facts of a frame.
    pub fn facts(&self, frame: usize) -> Option<&Rc<Facts>> {
        self.page.facts(frame)
    }

    /// Refs that passed on to an element that took the place of one that is gone.
    pub fn rebound(&self) -> &[Ref] {
        &self.rebound
    }

    /// What tells namesakes apart.
    pub(crate) fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(|| Surroundings::of(self))
    }

    /// What each node was made of: its frame, and its place in that frame's facts.
    pub(crate) fn sources(&self) -> Vec<Option<(usize, crate::facts::At)>> {
        let mut sources = vec![None; self.nodes.len()];
        for (frame, places) in self.places.iter().enumerate() {
            for (place, at) in places.iter().enumerate() {
                if let Some(at) = at {
                    sources[at.index()] = Some((frame, place));
                }
            }
        }
        sources
    }

    /// Every node in document order, those set aside among them.
    pub fn iter(&self) -> impl Iterator<Item = (At, &Node)> {
        self.nodes.iter().enumerate().map(|(at, node)| (At::new(at), node))
    }

    /// Every node that is shown, in document order.
    pub fn shown(&self) -> impl Iterator<Item = (At, &Node)> {
        self.iter().filter(|(_, node)| node.cut.is_none())
    }

    /// The nearest ancestor that is shown.
    pub fn shown_parent(&self, at: At) -> Option<At> {
        self.ancestors(at).find(|ancestor| self.node(*ancestor).cut.is_none())
    }

    /// Ancestors, nearest first.
    pub fn ancestors(&self, at: At) -> impl Iterator<Item = At> {
        std::iter::successors(self.node(at).parent(), |at| self.node(*at).parent())
    }

    /// Children that are shown: those of what was set aside stand in its place.
    pub fn shown_children(&self, at: At) -> ShownChildren<'_> {
        ShownChildren { tree: self, next: at.0 + 1, end: self.node(at).end }
    }

    /// The outermost nodes that are shown.
    pub fn shown_roots(&self) -> ShownChildren<'_> {
        ShownChildren { tree: self, next: 0, end: At::new(self.nodes.len()).0 }
    }

    /// Everything below a node, in document order.
    pub fn inside(&self, at: At) -> impl Iterator<Item = At> {
        (at.0 + 1..self.node(at).end).map(At)
    }

    /// The nearest shown ancestor whose name tells where one is.
    pub fn named_ancestor(&self, at: At) -> Option<At> {
        self.ancestors(at).find(|ancestor| self.tells_place(*ancestor))
    }

    /// Whether a node is shown, and tells where what is in it is.
    pub(crate) fn tells_place(&self, at: At) -> bool {
        let node = self.node(at);
        node.cut.is_none()
            && !node.is_text()
            && (!node.name.is_empty() || matches!(node.role, Role::Row | Role::Iframe))
    }

    pub(crate) fn nodes_mut(&mut self) -> &mut [Node] {
        &mut self.nodes
    }

    pub(crate) fn labels(&self) -> &[(At, At)] {
        &self.labels
    }
}

/// Children that are shown.
#[derive(Clone, Debug)]
pub struct ShownChildren<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl Iterator for ShownChildren<'_> {
    type Item = At;

    fn next(&mut self) -> Option<At> {
        while self.next < self.end {
            let at = At(self.next);
            let node = self.tree.node(at);
            if node.cut.is_none() {
                self.next = node.end;
                return Some(at);
            }
            self.next += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests;
