//! One node of a tree, and why a node may be set aside.

use crate::facts::Bounds;
use crate::ids::{DocumentNo, ElementNo, Ref};
use crate::name::Source;
use crate::role::Role;
use crate::state::State;

use super::At;

/// One node: an element or a run of text.
#[derive(Clone, Debug)]
pub struct Node {
    pub(crate) parent: Option<At>,
    /// One past the last descendant.
    pub(crate) end: u32,
    pub(crate) frame: u32,
    pub(crate) document: DocumentNo,
    pub(crate) element: Option<ElementNo>,
    /// Of a text: the how-manieth of its parent's texts it is.
    pub(crate) order: u32,
    pub(crate) reference: Option<Ref>,
    pub(crate) wants_ref: bool,
    /// Whether it can be acted on, and not only pointed at.
    pub(crate) acts: bool,
    pub(crate) hidden: bool,
    pub(crate) role: Role,
    pub(crate) source: Source,
    pub(crate) lead: Lead,
    pub(crate) cut: Option<Cut>,
    pub(crate) name: Box<str>,
    pub(crate) value: Option<Box<str>>,
    pub(crate) states: Vec<State>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) more: Option<Box<More>>,
}

/// What few nodes have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// The accessible description.
    pub description: Box<str>,
    /// What an empty field suggests.
    pub placeholder: Box<str>,
    /// Where a link leads.
    pub href: Box<str>,
    /// Said beside a frame's name: its host, or why it cannot be read.
    pub label: Box<str>,
    /// Texts said on this node's line: a row's cells, a select's options.
    pub folded: Vec<Box<str>>,
    /// Bounds of a value, as `0..10`.
    pub range: Box<str>,
    /// Of a text that others were put to: the text alone.
    pub own: Box<str>,
    /// Whether the person at the browser selected it.
    pub selected: bool,
}

/// How a text follows what was before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// Immediately.
    Glued,
    /// After a blank.
    Spaced,
    /// On a new line.
    Broken,
}

/// Why a node is not shown. What is inside it stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A person does not meet it.
    Hidden,
    /// It says nothing that its content does not.
    Plain,
    /// Its text is part of the text before it.
    Merged,
    /// What it says was said by what it is in, or by what it labels.
    Repeated,
    /// Its text stands on the line of the row or control it is in.
    Folded,
    /// It groups one thing, or nothing.
    Wrapper,
}

impl Node {
    /// What it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its accessible name; of a text, the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its name comes from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Its value, if it is of the kind that has one.
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// The states that hold.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Whether a state holds.
    pub fn is(&self, state: &State) -> bool {
        self.states.contains(state)
    }

    /// Its accessible description, or the empty string.
    pub fn description(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.description)
    }

    /// What an empty field suggests, or the empty string.
    pub fn placeholder(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.placeholder)
    }

    /// Where a link leads, or the empty string.
    pub fn href(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.href)
    }

    /// What is said beside a frame's name, or the empty string.
    pub fn label(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.label)
    }

    /// Texts said on this node's line: a row's cells, a select's options.
    pub fn folded(&self) -> &[Box<str>] {
        self.more.as_ref().map_or(&[], |more| &more.folded)
    }

    /// Bounds of its value, as `0..10`, or the empty string.
    pub fn range(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.range)
    }

    /// Whether the person at the browser selected it, in the developer tools or by pointing.
    pub fn is_selected_by_person(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.selected)
    }

    /// Its ref, if it has one.
    pub fn reference(&self) -> Option<Ref> {
        self.reference
    }

    /// Whether it can be acted on, and not only pointed at.
    pub fn acts(&self) -> bool {
        self.acts
    }

    /// Whether it has a ref, or will have one.
    pub(crate) fn is_referable(&self) -> bool {
        self.wants_ref || self.reference.is_some()
    }

    /// Its document.
    pub fn document(&self) -> DocumentNo {
        self.document
    }

    /// Its element; `None` of a text.
    pub fn element(&self) -> Option<ElementNo> {
        self.element
    }

    /// Index of its frame in the page.
    pub fn frame(&self) -> usize {
        self.frame as usize
    }

    /// Its parent, shown or not.
    pub fn parent(&self) -> Option<At> {
        self.parent
    }

    /// Its box in its own frame's viewport.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    /// Whether a person does not meet it.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Why it is set aside, if it is.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Whether it is a run of text.
    pub fn is_text(&self) -> bool {
        self.role == Role::Text
    }

    /// Of a text: its own words, without those of the texts that it runs on in.
    pub(crate) fn own_text(&self) -> &str {
        self.more.as_ref().map(|more| &*more.own).filter(|own| !own.is_empty()).unwrap_or(&self.name)
    }

    pub(crate) fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// Whether both say the same, wherever they stand.
    pub fn says_same(&self, other: &Node) -> bool {
        self.role == other.role
            && self.name == other.name
            && self.value == other.value
            && self.states == other.states
            && self.placeholder() == other.placeholder()
            && self.href() == other.href()
            && self.label() == other.label()
            && self.description() == other.description()
            && self.folded() == other.folded()
            && self.range() == other.range()
    }
}
