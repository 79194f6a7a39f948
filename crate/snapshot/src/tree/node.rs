//! One node of a tree, and why a node may be set aside.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::ids::{DocumentNo, ElementNo, Ref};
use crate::name::Source;
use crate::role::Role;
use crate::state::State;

use super::At;

/// One node: an element or a run of text. There are many of it, so it is kept small.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) parent: u32,
    /// One past the last descendant.
    pub(crate) end: u32,
    pub(crate) frame: u32,
    pub(crate) document: DocumentNo,
    /// An element's number; of a text, the how-manieth of its parent's texts it is.
    pub(crate) number: u32,
    /// 0 when it has none: refs begin at 1.
    pub(super) reference: u32,
    pub(crate) wants_ref: bool,
    /// Whether it can be acted on, and not only pointed at.
    pub(crate) acts: bool,
    pub(crate) hidden: bool,
    pub(crate) role: Role,
    pub(crate) source: Source,
    pub(crate) lead: Lead,
    pub(crate) cut: Option<Cut>,
    /// Shared with the facts where it is a text as it stands there.
    pub(crate) name: Rc<str>,
    pub(crate) more: Option<Box<More>>,
}

/// No parent.
const NOWHERE: u32 = u32::MAX;

/// How the person at the browser pointed at something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Pointed {
    /// It is what the developer tools have selected: which node that is, only the page can tell.
    DevTools,
    /// It was picked in the page, with the mouse: the browser itself tells which it was.
    Picked,
}

impl Pointed {
    /// As its line says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::DevTools => "selected in DevTools",
            Self::Picked => "picked by the person",
        }
    }
}

/// What few nodes have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// Its value, if it is of the kind that has one.
    pub value: Option<Box<str>>,
    /// The states that hold.
    pub states: Vec<State>,
    /// The accessible description.
    pub description: Box<str>,
    /// What an empty field suggests.
    pub placeholder: Box<str>,
    /// Where a link leads.
    pub href: Option<Rc<str>>,
    /// Said beside a frame's name: its host, or why it cannot be read.
    pub label: Box<str>,
    /// Texts said on this node's line: a row's cells, a select's options.
    pub folded: Vec<Box<str>>,
    /// Bounds of a value, as `0..10`.
    pub range: Box<str>,
    /// What the line says for the name, where what is inside says the rest of it.
    pub brief: Box<str>,
    /// Of a text that others were put to: the text alone.
    pub own: Rc<str>,
    /// What it is drawn by, if it has no name and says nothing.
    pub icon: Box<str>,
    /// How the person at the browser pointed at it, if they did.
    pub pointed: Option<Pointed>,
}

impl More {
    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.value.is_none()
            && self.states.is_empty()
            && self.description.is_empty()
            && self.placeholder.is_empty()
            && self.href.is_none()
            && self.label.is_empty()
            && self.folded.is_empty()
            && self.range.is_empty()
            && self.icon.is_empty()
            && self.pointed.is_none()
    }
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
    /// A text, or an element of which is known what it is and no more.
    pub(crate) fn new(role: Role, parent: Option<At>, number: u32, name: Rc<str>) -> Self {
        Self {
            parent: parent.map_or(NOWHERE, |at| at.0),
            end: 0,
            frame: 0,
            document: DocumentNo(0),
            number,
            reference: 0,
            wants_ref: false,
            acts: false,
            hidden: false,
            role,
            source: Source::Nowhere,
            lead: Lead::Broken,
            cut: None,
            name,
            more: None,
        }
    }

    /// What it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its accessible name; of a text, the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its line says for its name: the name, but for what lines inside say of it.
    pub fn brief(&self) -> &str {
        match &self.more {
            Some(more) if !more.brief.is_empty() => &more.brief,
            _ => &self.name,
        }
    }

    /// Where its name comes from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Its value, if it is of the kind that has one.
    pub fn value(&self) -> Option<&str> {
        self.more.as_ref()?.value.as_deref()
    }

    /// The states that hold.
    pub fn states(&self) -> &[State] {
        self.more.as_ref().map_or(&[], |more| &more.states)
    }

    /// Whether a state holds.
    pub fn is(&self, state: &State) -> bool {
        self.states().contains(state)
    }

    /// Its accessible description, or the empty string.
    pub fn description(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.description)
    }

    /// What it is drawn by, of what can be acted on and says nothing; else the empty string.
    pub fn icon(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.icon)
    }

    /// What an empty field suggests, or the empty string.
    pub fn placeholder(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.placeholder)
    }

    /// Where a link leads, or the empty string.
    pub fn href(&self) -> &str {
        self.more.as_ref().and_then(|more| more.href.as_deref()).unwrap_or_default()
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

    /// How the person at the browser pointed at it, if they did.
    pub fn pointed(&self) -> Option<Pointed> {
        self.more.as_ref().and_then(|more| more.pointed)
    }

    /// Its ref, if it has one.
    pub fn reference(&self) -> Option<Ref> {
        (self.reference != 0).then_some(Ref(self.reference))
    }

    pub(crate) fn refer(&mut self, reference: Option<Ref>) {
        self.reference = reference.map_or(0, |reference| reference.0);
    }

    /// Whether it can be acted on, and not only pointed at.
    pub fn acts(&self) -> bool {
        self.acts
    }

    /// Whether it has a ref, or will have one.
    pub(crate) fn is_referable(&self) -> bool {
        self.wants_ref || self.reference != 0
    }

    /// Its document.
    pub fn document(&self) -> DocumentNo {
        self.document
    }

    /// Its element; `None` of a text.
    pub fn element(&self) -> Option<ElementNo> {
        (!self.is_text()).then_some(ElementNo(self.number))
    }

    /// Index of its frame in the page.
    pub fn frame(&self) -> usize {
        self.frame as usize
    }

    /// Its parent, shown or not.
    pub fn parent(&self) -> Option<At> {
        (self.parent != NOWHERE).then_some(At(self.parent))
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
        if self.role != other.role || self.name != other.name {
            return false;
        }
        if self.more.is_none() && other.more.is_none() {
            return true;
        }
        self.value() == other.value()
            && self.states() == other.states()
            && self.placeholder() == other.placeholder()
            && self.href() == other.href()
            && self.label() == other.label()
            && self.description() == other.description()
            && self.folded() == other.folded()
            && self.range() == other.range()
            && self.icon() == other.icon()
    }
}
