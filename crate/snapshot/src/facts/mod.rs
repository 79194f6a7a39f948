//! What the collector reported of one document, read once and kept compact. No judgement: what an element *is* to an
//! agent is for [`crate::role`] and [`crate::name`] to say.

mod element;
mod parse;
#[cfg(test)]
pub(crate) mod sketch;

use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

pub use element::{Bounds, Element, LiveValue, Namespace};
pub use parse::FactsError;

use rustc_hash::FxHashMap;

use crate::ids::{DocumentNo, ElementNo};

/// Where a node stands in [`Facts`]: nodes are in document order of the flat tree.
pub type At = usize;

pub(crate) const NOWHERE: u32 = u32::MAX;

/// ARIA attributes, names and values, that an element has by its class (`ElementInternals`).
pub type Implied = Vec<(Box<str>, Box<str>)>;

/// What the collector cannot see, and others told of a document's elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Those that listen for clicks.
    pub clicks: FxHashSet<ElementNo>,
    /// Those that listen for drops.
    pub drops: FxHashSet<ElementNo>,
    /// Those that listen for the presses that begin a drag.
    pub grips: FxHashSet<ElementNo>,
    /// Those whose children can be dragged: they listen for presses and for what is dragged over them.
    pub sorts: FxHashSet<ElementNo>,
    /// ARIA attributes that an element's class gives it (`ElementInternals`), where none of its own says otherwise.
    pub implied: FxHashMap<ElementNo, Implied>,
    /// Those whose shadow root could not be read, and why.
    pub unread: FxHashMap<ElementNo, Box<str>>,
}

/// The facts of one document.
#[derive(Clone, Debug)]
pub struct Facts {
    document: DocumentNo,
    /// Which capture of the document it is, or the last one that found nothing new since.
    epoch: Cell<u32>,
    url: String,
    title: String,
    editable: bool,
    focused: bool,
    active: Option<ElementNo>,
    viewport: Size,
    scroll: Scroll,
    strings: Vec<Rc<str>>,
    nodes: Vec<Entry>,
    records: Vec<Record>,
    attributes: Vec<(u32, u32)>,
    extras: Vec<Extra>,
    numbers: FxHashMap<ElementNo, u32>,
    filled: Filled,
}

/// Width and height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// CSS pixels across.
    pub width: i32,
    /// CSS pixels down.
    pub height: i32,
}

/// How far a document is scrolled, and how large it is, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// Scrolled to the right.
    pub left: i32,
    /// Scrolled down.
    pub top: i32,
    /// The whole document.
    pub content: Size,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Parent in the flat tree.
    parent: u32,
    /// One past the last descendant.
    end: u32,
    /// How many ancestors it has.
    depth: u32,
    what: Packed,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Text(u32),
    Element(u32),
}

/// [`What`] in one number: there are many of it.
#[derive(Clone, Copy, Debug)]
struct Packed(u32);

impl Packed {
    const TEXT: u32 = 1 << 31;
}

impl From<What> for Packed {
    fn from(what: What) -> Self {
        match what {
            What::Text(string) => Self(string | Self::TEXT),
            What::Element(record) => Self(record),
        }
    }
}

impl From<Packed> for What {
    fn from(Packed(packed): Packed) -> Self {
        match packed & Packed::TEXT {
            0 => What::Element(packed),
            _ => What::Text(packed & !Packed::TEXT),
        }
    }
}

/// One element's record.
#[derive(Clone, Copy, Debug)]
struct Record {
    tag: u32,
    number: ElementNo,
    position: u32,
    flags: u32,
    display: u32,
    bounds: Bounds,
    attributes: u32,
    attribute_count: u32,
    /// Its [`Extra`]; `NOWHERE` when it has none.
    extra: u32,
    /// The host whose shadow root this element is in, as node place; `NOWHERE` outside shadow roots.
    scope: u32,
}

/// What few elements have.
#[derive(Clone, Copy, Debug)]
struct Extra {
    /// String of the live value, or the length of a secret one.
    value: u32,
    before: u32,
    after: u32,
}

/// A node: text or element.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A run of text.
    Text(&'a Rc<str>),
    /// An element.
    Element(Element<'a>),
}

impl Facts {
    /// Reads what the collector returned. Any input gives facts or an error.
    ///
    /// # Errors
    ///
    /// When the text is not what this version's collector writes.
    pub fn parse(text: &str) -> Result<Self, FactsError> {
        parse::parse(text)
    }

    /// Reads what the collector returned when it was asked for what is new since these facts.
    ///
    /// Returns `None` when nothing is: these facts hold.
    ///
    /// # Errors
    ///
    /// As [`Facts::parse`]; besides, when it builds on other facts than these.
    pub fn update(&self, text: &str) -> Result<Option<Self>, FactsError> {
        parse::update(self, text)
    }

    /// Which capture of the document it is, or the last one that found nothing new: what the next one may build on.
    pub fn epoch(&self) -> u32 {
        self.epoch.get()
    }

    /// The document these facts are of.
    pub fn document(&self) -> DocumentNo {
        self.document
    }

    /// The document's address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The document's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether the whole document is editable (`designMode`).
    pub fn editable(&self) -> bool {
        self.editable
    }

    /// Whether the document, or a frame in it, has focus.
    pub fn focused(&self) -> bool {
        self.focused
    }

    /// The element that has focus in this document; the frame's element when focus is inside a frame.
    pub fn active(&self) -> Option<ElementNo> {
        self.active
    }

    /// Size of what is seen of the document.
    pub fn viewport(&self) -> Size {
        self.viewport
    }

    /// How far it is scrolled, and its whole size.
    pub fn scroll(&self) -> Scroll {
        self.scroll
    }

    /// Elements that may hold a frame (iframe, frame, embed, object), in document order.
    pub fn frames(&self) -> Vec<ElementNo> {
        self.elements().filter(Element::holds_frame).map(|element| element.number()).collect()
    }

    /// Every text in it, in no order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.strings.iter().map(|text| &**text).chain([self.url.as_str(), self.title.as_str()])
    }

    /// Puts other texts in place of some; none: it stays.
    pub fn rewrite(&mut self, other: impl Fn(&str) -> Option<String>) {
        for text in &mut self.strings {
            if let Some(other) = other(text) {
                *text = other.into();
            }
        }
        for text in [&mut self.url, &mut self.title] {
            if let Some(other) = other(text) {
                *text = other;
            }
        }
    }

    /// What others told of it.
    pub fn filled(&self) -> &Filled {
        &self.filled
    }

    /// Takes in what others told of it.
    pub fn fill(&mut self, filled: Filled) {
        self.filled = filled;
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at a place.
    pub fn node(&self, at: At) -> Node<'_> {
        match self.nodes[at].what.into() {
            What::Text(string) => Node::Text(&self.strings[string as usize]),
            What::Element(record) => Node::Element(self.element_of(at, record)),
        }
    }

    /// The element at a place, if it is one.
    pub fn element(&self, at: At) -> Option<Element<'_>> {
        match self.nodes.get(at)?.what.into() {
            What::Text(_) => None,
            What::Element(record) => Some(self.element_of(at, record)),
        }
    }

    /// The element of a number, if it is in the flat tree.
    pub fn find(&self, number: ElementNo) -> Option<Element<'_>> {
        self.numbers.get(&number).and_then(|at| self.element(*at as usize))
    }

    /// Every element in document order.
    pub fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        (0..self.nodes.len()).filter_map(|at| self.element(at))
    }

    /// The parent in the flat tree.
    pub fn parent(&self, at: At) -> Option<At> {
        let parent = self.nodes[at].parent;
        (parent != NOWHERE).then_some(parent as usize)
    }

    /// One past the last descendant.
    pub fn end(&self, at: At) -> At {
        self.nodes[at].end as usize
    }

    /// Children in the flat tree.
    pub fn children(&self, at: At) -> Children<'_> {
        Children { facts: self, next: at + 1, end: self.end(at) }
    }

    /// Flat-tree ancestors, nearest first.
    pub fn ancestors(&self, at: At) -> impl Iterator<Item = Element<'_>> {
        std::iter::successors(self.parent(at), |at| self.parent(*at)).filter_map(|at| self.element(at))
    }

    /// Makes room for what is about as much as other facts.
    fn reserve_as(&mut self, other: &Self) {
        self.nodes.reserve_exact(other.nodes.len());
        self.records.reserve_exact(other.records.len());
        self.attributes.reserve_exact(other.attributes.len());
        self.extras.reserve_exact(other.extras.len());
        self.numbers.reserve(other.numbers.len());
    }

    /// Whether what is said of the document itself is the same.
    fn stands_as(&self, other: &Self) -> bool {
        self.url == other.url
            && self.title == other.title
            && self.editable == other.editable
            && self.focused == other.focused
            && self.active == other.active
            && self.viewport == other.viewport
            && self.scroll == other.scroll
    }

    fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", |text| text)
    }

    fn record(&self, at: At) -> &Record {
        match self.nodes[at].what.into() {
            What::Element(record) => &self.records[record as usize],
            What::Text(_) => unreachable!("an Element is only made of an element's place"),
        }
    }

    fn element_of(&self, at: At, record: u32) -> Element<'_> {
        Element { facts: self, at, record: &self.records[record as usize] }
    }

    /// Names and values of an element's attributes.
    fn attributes(&self, record: &Record) -> &[(u32, u32)] {
        let from = record.attributes as usize;
        &self.attributes[from..from + record.attribute_count as usize]
    }

    fn extra(&self, record: &Record) -> Option<&Extra> {
        self.extras.get(record.extra as usize)
    }
}

/// Places of a node's children.
pub struct Children<'a> {
    facts: &'a Facts,
    next: At,
    end: At,
}

impl Iterator for Children<'_> {
    type Item = At;

    fn next(&mut self) -> Option<At> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next = self.facts.end(at);
        Some(at)
    }
}
