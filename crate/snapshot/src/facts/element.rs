//! One element's facts, by name. Knows the meaning of the collector's bits; judges nothing.

use std::rc::Rc;

use super::{At, Extra, Facts, NOWHERE, Node, Record};
use crate::ids::ElementNo;
use crate::text::is_blank;

/// The collector's bits, in the order of `collector.js`.
pub(super) mod bit {
    pub const NAMESPACE: u32 = 3;
    pub const NAMED: u32 = 1 << 2;
    pub const HOST: u32 = 1 << 3;
    pub const ROOT_CHILD: u32 = 1 << 4;
    pub const SLOTTED: u32 = 1 << 5;
    pub const BOX: u32 = 1 << 6;
    pub const INVISIBLE: u32 = 1 << 7;
    pub const POINTER: u32 = 1 << 8;
    pub const NO_POINTER_EVENTS: u32 = 1 << 9;
    pub const TRANSPARENT: u32 = 1 << 10;
    pub const CHECKED: u32 = 1 << 11;
    pub const INDETERMINATE: u32 = 1 << 12;
    pub const SELECTED: u32 = 1 << 13;
    pub const DISABLED: u32 = 1 << 14;
    pub const INVALID: u32 = 1 << 15;
    pub const SCROLLS_X: u32 = 1 << 16;
    pub const SCROLLS_Y: u32 = 1 << 17;
    pub const VALUE: u32 = 1 << 18;
    pub const SECRET: u32 = 1 << 19;
    pub const MODAL: u32 = 1 << 20;
    pub const POPOVER_OPEN: u32 = 1 << 21;
    pub const SKIPPED: u32 = 1 << 22;
    pub const BEFORE: u32 = 1 << 23;
    pub const AFTER: u32 = 1 << 24;
    pub const FRAME: u32 = 1 << 25;
    pub const GRAB: u32 = 1 << 26;
    pub const CLIPPED: u32 = 1 << 27;
    pub const BARE: u32 = 1 << 28;
    pub const REFUSED: u32 = 1 << 29;
    pub const UNTAKEN: u32 = 1 << 30;
}

/// Which vocabulary an element is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// `MathML`.
    MathMl,
    /// Any other, or none.
    Other,
}

/// A border box in CSS pixels of the element's own viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

/// What the live value of a control is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveValue<'a> {
    /// As the control has it.
    Plain(&'a str),
    /// Withheld: so many UTF-16 units long.
    Secret(u32),
}

/// One element of [`Facts`].
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    pub(super) facts: &'a Facts,
    pub(super) at: At,
    pub(super) record: &'a Record,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:ident;)*) => {
        $($(#[$doc])* pub fn $name(&self) -> bool { self.has(bit::$bit) })*
    };
}

impl<'a> Element<'a> {
    /// The facts it is of.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// Its place among the facts' nodes.
    pub fn at(&self) -> At {
        self.at
    }

    fn extra(&self) -> Option<&'a Extra> {
        self.facts.extra(self.record)
    }

    fn has(&self, bit: u32) -> bool {
        self.record.flags & bit != 0
    }

    /// Its number in the document.
    pub fn number(&self) -> ElementNo {
        self.record.number
    }

    /// Whether it listens for clicks, as far as someone told.
    pub fn listens(&self) -> bool {
        self.facts.filled.clicks.contains(&self.number())
    }

    /// Whether something can be dropped on it, as far as someone told. A line of text takes words that are dropped; one
    /// that listens for that takes no more.
    pub fn takes_drops(&self) -> bool {
        let is_line = self.tag() == "input" && self.attribute("type") != Some("file");
        let listens = self.has_attribute("ondrop") || self.facts.filled.drops.contains(&self.number());
        (listens && !is_line) || self.sorts()
    }

    /// Whether its children can be dragged to other places in it, as far as someone told.
    pub fn sorts(&self) -> bool {
        self.facts.filled.sorts.contains(&self.number())
    }

    /// Whether it listens for the presses that begin a drag, as far as someone told.
    pub fn grips(&self) -> bool {
        self.facts.filled.grips.contains(&self.number())
    }

    /// Whether words stand right in it.
    pub fn has_words(&self) -> bool {
        let texts = self.facts.children(self.at).map(|at| self.facts.node(at));
        texts.into_iter().any(|node| matches!(node, Node::Text(text) if !is_blank(text)))
    }

    /// One past its last descendant among the facts' nodes.
    pub fn end(&self) -> At {
        self.facts.end(self.at)
    }

    /// Why its shadow root could not be read, if it has one that could not.
    pub fn unread(&self) -> Option<&'a str> {
        self.facts.filled.unread.get(&self.number()).map(|reason| &**reason)
    }

    /// Whether it is a custom element whose class is known.
    pub fn is_defined(&self) -> bool {
        self.name().contains('-') && self.has_attribute(":defined")
    }

    /// Whether it is a custom element that takes part in forms.
    pub fn is_form_associated(&self) -> bool {
        self.name().contains('-') && self.has_attribute(":form")
    }

    /// Its qualified name.
    pub fn name(&self) -> &'a str {
        self.facts.string(self.record.tag)
    }

    /// Its qualified name if it is an HTML element, else the empty string.
    pub fn tag(&self) -> &'a str {
        if self.namespace() == Namespace::Html { self.name() } else { "" }
    }

    /// Its vocabulary.
    pub fn namespace(&self) -> Namespace {
        match self.record.flags & bit::NAMESPACE {
            0 => Namespace::Html,
            1 => Namespace::Svg,
            2 => Namespace::MathMl,
            _ => Namespace::Other,
        }
    }

    /// An attribute's value as the facts hold it, to be kept.
    pub(crate) fn shared(&self, name: &str) -> Option<&'a Rc<str>> {
        let pairs = self.facts.attributes(self.record);
        let (_, value) = pairs.iter().find(|(key, _)| self.facts.string(*key) == name)?;
        self.facts.strings.get(*value as usize)
    }

    /// An attribute's value.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.shared(name).map(|value| &**value).or_else(|| self.implied(name))
    }

    /// What its class says by an ARIA attribute.
    fn implied(&self, name: &str) -> Option<&'a str> {
        if self.facts.filled.implied.is_empty() {
            return None;
        }
        let implied = self.facts.filled.implied.get(&self.number())?;
        implied.iter().find(|(key, _)| **key == *name).map(|(_, value)| &**value)
    }

    /// Whether an attribute is there.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// An attribute's value if it says something.
    pub fn said(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// Whether an ARIA attribute that is true or false says true.
    pub fn says_true(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    }

    /// All attributes that were reported.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let facts = self.facts;
        facts.attributes(self.record).iter().map(|(key, value)| (facts.string(*key), facts.string(*value)))
    }

    /// Its computed `display`; `none` also below an element that is not displayed.
    pub fn display(&self) -> &'a str {
        self.facts.string(self.record.display)
    }

    /// Its border box, if it was laid out.
    pub fn bounds(&self) -> Option<Bounds> {
        self.has(bit::BOX).then_some(self.record.bounds)
    }

    /// The live value of a control.
    pub fn value(&self) -> Option<LiveValue<'a>> {
        let extra = self.extra()?;
        if self.has(bit::VALUE) {
            Some(LiveValue::Plain(self.facts.string(extra.value)))
        } else if self.has(bit::SECRET) {
            Some(LiveValue::Secret(extra.value))
        } else {
            None
        }
    }

    /// The computed `content` of `::before`, as CSS text.
    pub fn before(&self) -> Option<&'a str> {
        self.extra().filter(|_| self.has(bit::BEFORE)).map(|extra| self.facts.string(extra.before))
    }

    /// The computed `content` of `::after`, as CSS text.
    pub fn after(&self) -> Option<&'a str> {
        self.extra().filter(|_| self.has(bit::AFTER)).map(|extra| self.facts.string(extra.after))
    }

    /// Its position among siblings that the same `XPath` test matches, from 1.
    pub fn position(&self) -> u32 {
        self.record.position
    }

    /// The parent in the DOM tree, the host for a child of a shadow root.
    pub fn dom_parent(&self) -> Option<Element<'a>> {
        let parent = self.parent()?;
        // What is assigned to a slot are children of the host whose shadow root the slot is in.
        if self.is_slotted() && !self.is_root_child() {
            return parent.scope().and_then(|host| self.facts.element(host));
        }
        Some(parent)
    }

    /// The parent in the flat tree.
    pub fn parent(&self) -> Option<Element<'a>> {
        self.facts.parent(self.at).and_then(|at| self.facts.element(at))
    }

    /// The host of the shadow root it is in: ids are looked up among elements that share it.
    pub fn scope(&self) -> Option<At> {
        let scope = self.record.scope;
        (scope != NOWHERE).then_some(scope as usize)
    }

    /// Elements inside, in document order.
    pub fn descendants(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let facts = self.facts;
        (self.at + 1..facts.end(self.at)).filter_map(move |at| facts.element(at))
    }

    /// Child elements in the flat tree.
    pub fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let facts = self.facts;
        facts.children(self.at).filter_map(move |at| facts.element(at))
    }

    flags! {
        /// Whether its `XPath` step compares `name()`.
        is_named = NAMED;
        /// Whether it has a shadow root that was entered.
        is_host = HOST;
        /// Whether it is a child of a shadow root.
        is_root_child = ROOT_CHILD;
        /// Whether a slot is its flat parent by assignment.
        is_slotted = SLOTTED;
        /// No slot that is known takes it, though its parent's shadow root draws only what a slot takes.
        is_untaken = UNTAKEN;
        /// `visibility` is not `visible`.
        is_invisible = INVISIBLE;
        /// The cursor over it is the pointer.
        has_pointer = POINTER;
        /// The cursor over it speaks of dragging.
        has_grab = GRAB;
        /// `pointer-events: none`.
        ignores_pointer = NO_POINTER_EVENTS;
        /// `opacity: 0`.
        is_transparent = TRANSPARENT;
        /// Checkbox or radio button that is on.
        is_checked = CHECKED;
        /// Checkbox between on and off.
        is_indeterminate = INDETERMINATE;
        /// Option that is chosen.
        is_selected = SELECTED;
        /// `:disabled`.
        is_disabled = DISABLED;
        /// A table's cell without a border or a background of its own.
        is_bare = BARE;
        /// `:invalid`: its value would not be accepted.
        is_refused = REFUSED;
        /// `:user-invalid`.
        is_invalid = INVALID;
        /// Content wider than the box can be scrolled to.
        scrolls_x = SCROLLS_X;
        /// Content taller than the box can be scrolled to.
        scrolls_y = SCROLLS_Y;
        /// A dialog shown as modal.
        is_modal = MODAL;
        /// A popover that is shown.
        is_popover_open = POPOVER_OPEN;
        /// `content-visibility` keeps it from being shown.
        is_skipped = SKIPPED;
        /// It may hold a frame.
        holds_frame = FRAME;
        /// What overflows it is cut off.
        is_clipped = CLIPPED;
    }
}

impl<'a> Element<'a> {
    /// Ancestors in the flat tree, nearest first.
    pub fn ancestors(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        std::iter::successors(self.parent(), Element::parent)
    }
}
