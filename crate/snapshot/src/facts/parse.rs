//! Reads the collector's string. Nothing in it is trusted: every index is checked, nothing panics, and the work is
//! bounded by the length of the input.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use thiserror::Error;

use super::element::bit;
use super::{Bounds, Entry, Extra, Facts, Filled, NOWHERE, Packed, Record, Scroll, Size, What};
use crate::ids::{DocumentNo, ElementNo};

/// The version of the collector's string that is read here.
const VERSION: u32 = 3;

/// Why a collector's string could not be read.
#[derive(Debug, Error)]
pub enum FactsError {
    /// It is no JSON of that shape.
    #[error("the page's facts are not readable: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the collector wrote it.
    #[error("the page's facts are of version {0}, not {VERSION}")]
    Version(u32),
    /// It tells what is new since a capture that is not the one at hand.
    #[error("the page's facts build on another capture")]
    Other,
    /// The list of nodes breaks off, or one does not fit where it stands.
    #[error("the page's facts do not hold together at number {0}")]
    Broken(usize),
}

#[derive(Deserialize)]
struct Raw {
    version: u32,
    document: u32,
    epoch: u32,
    url: String,
    title: String,
    editable: bool,
    focused: bool,
    active: u32,
    viewport: [f64; 2],
    scroll: [f64; 4],
    #[serde(default)]
    strings: Vec<Shared>,
    /// What stays of the capture before, five numbers for each [`Edit`]; absent when all is told anew.
    edits: Option<Vec<i32>>,
    nodes: Vec<Number>,
}

/// A string of the facts, made in one step: there are many of it.
struct Shared(Rc<str>);

impl<'de> Deserialize<'de> for Shared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Shared;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Shared, E> {
                Ok(Shared(text.into()))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A number of a node; what is out of range is brought to its edge.
#[derive(Clone, Copy, Deserialize)]
#[serde(from = "i64")]
struct Number(i32);

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
    }
}

/// A run of the former capture's nodes that stay, and what is new after it.
struct Edit {
    /// Its first node.
    from: usize,
    /// How many nodes it has.
    count: usize,
    /// How far all its boxes moved.
    moved: (i32, i32),
    /// How many new nodes follow.
    fresh: usize,
}

pub(super) fn parse(text: &str) -> Result<Facts, FactsError> {
    let raw = read(text)?;
    if raw.edits.is_some() {
        return Err(FactsError::Other);
    }
    whole(raw)
}

pub(super) fn update(before: &Facts, text: &str) -> Result<Option<Facts>, FactsError> {
    let mut raw = read(text)?;
    let Some(edits) = raw.edits.take() else { return whole(raw).map(Some) };
    if raw.document != before.document.0 || raw.epoch != before.epoch().wrapping_add(1) {
        return Err(FactsError::Other);
    }
    let edits = edits_of(&edits)?;
    let says_more = !raw.strings.is_empty();
    let nodes = std::mem::take(&mut raw.nodes);
    let fresh = std::mem::take(&mut raw.strings);
    let mut strings = Vec::with_capacity(before.strings.len() + fresh.len());
    strings.extend(before.strings.iter().cloned().chain(fresh.into_iter().map(|Shared(text)| text)));
    let mut facts = empty(raw, strings);
    facts.filled.clone_from(&before.filled);
    facts.reserve_as(before);
    let mut reader = Reader { numbers: &nodes, at: 0, open: Vec::new() };
    for edit in &edits {
        reader.keep(&mut facts, before, edit)?;
        for _ in 0..edit.fresh {
            reader.node(&mut facts)?;
        }
    }
    reader.close(&mut facts)?;
    let stays = match edits.as_slice() {
        [] => before.nodes.is_empty(),
        [all] => all.from == 0 && all.count == before.nodes.len() && all.moved == (0, 0) && all.fresh == 0,
        _ => false,
    };
    if stays && !says_more && facts.stands_as(before) {
        before.epoch.set(facts.epoch());
        return Ok(None);
    }
    Ok(Some(facts))
}

fn read(text: &str) -> Result<Raw, FactsError> {
    let raw: Raw = serde_json::from_str(text)?;
    if raw.version == VERSION { Ok(raw) } else { Err(FactsError::Version(raw.version)) }
}

fn whole(mut raw: Raw) -> Result<Facts, FactsError> {
    let nodes = std::mem::take(&mut raw.nodes);
    let strings = std::mem::take(&mut raw.strings).into_iter().map(|Shared(text)| text).collect();
    let mut facts = empty(raw, strings);
    let mut reader = Reader { numbers: &nodes, at: 0, open: Vec::new() };
    while reader.at < nodes.len() {
        reader.node(&mut facts)?;
    }
    reader.close(&mut facts)?;
    Ok(facts)
}

/// What is said of the document itself.
fn empty(raw: Raw, strings: Vec<Rc<str>>) -> Facts {
    Facts {
        document: DocumentNo(raw.document),
        epoch: Cell::new(raw.epoch),
        url: raw.url,
        title: raw.title,
        editable: raw.editable,
        focused: raw.focused,
        active: (raw.active != 0).then_some(ElementNo(raw.active)),
        viewport: Size { width: pixels(raw.viewport[0]), height: pixels(raw.viewport[1]) },
        scroll: Scroll {
            left: pixels(raw.scroll[0]),
            top: pixels(raw.scroll[1]),
            content: Size { width: pixels(raw.scroll[2]), height: pixels(raw.scroll[3]) },
        },
        strings,
        nodes: Vec::new(),
        records: Vec::new(),
        attributes: Vec::new(),
        extras: Vec::new(),
        numbers: FxHashMap::default(),
        filled: Filled::default(),
    }
}

fn edits_of(numbers: &[i32]) -> Result<Vec<Edit>, FactsError> {
    let (edits, rest) = numbers.as_chunks::<5>();
    let count = |n: i32, at: usize| usize::try_from(n).map_err(|_| FactsError::Broken(at));
    if !rest.is_empty() {
        return Err(FactsError::Broken(numbers.len()));
    }
    edits
        .iter()
        .enumerate()
        .map(|(at, [from, run, x, y, fresh])| {
            let moved = (*x, *y);
            Ok(Edit { from: count(*from, at)?, count: count(*run, at)?, moved, fresh: count(*fresh, at)? })
        })
        .collect()
}

/// Whole CSS pixels; what is out of range is brought to its edge.
#[allow(clippy::cast_possible_truncation)] // `as` saturates
fn pixels(number: f64) -> i32 {
    number as i32
}

struct Reader<'a> {
    numbers: &'a [Number],
    at: usize,
    /// Open nodes, outermost first.
    open: Vec<u32>,
}

impl Reader<'_> {
    /// Reads the next node.
    fn node(&mut self, facts: &mut Facts) -> Result<(), FactsError> {
        let first = self.take()?;
        if first < 0 {
            let string = self.string(-1 - first, facts)?;
            let depth = self.unsigned()?;
            self.enter(facts, depth, What::Text(string).into())?;
            Ok(())
        } else {
            let tag = self.string(first, facts)?;
            self.element(facts, tag)
        }
    }

    /// Takes over nodes that stay.
    fn keep(&mut self, facts: &mut Facts, before: &Facts, edit: &Edit) -> Result<(), FactsError> {
        let end = edit.from.checked_add(edit.count).filter(|end| *end <= before.nodes.len());
        for old in edit.from..end.ok_or_else(|| self.broken())? {
            let entry = before.nodes[old];
            match entry.what.into() {
                What::Text(_) => {
                    self.enter(facts, entry.depth, entry.what)?;
                }
                What::Element(_) => {
                    let mut record = *before.record(old);
                    if record.flags & bit::BOX != 0 {
                        record.bounds.x = record.bounds.x.saturating_add(edit.moved.0);
                        record.bounds.y = record.bounds.y.saturating_add(edit.moved.1);
                    }
                    let attributes = place(facts.attributes.len());
                    facts.attributes.extend_from_slice(before.attributes(&record));
                    record.attributes = attributes;
                    if let Some(extra) = before.extra(&record) {
                        record.extra = place(facts.extras.len());
                        facts.extras.push(*extra);
                    }
                    self.stand(facts, entry.depth, record)?;
                }
            }
        }
        Ok(())
    }

    /// All numbers must be read by now.
    fn close(self, facts: &mut Facts) -> Result<(), FactsError> {
        if self.at != self.numbers.len() {
            return Err(self.broken());
        }
        let end = place(facts.nodes.len());
        for at in self.open {
            facts.nodes[at as usize].end = end;
        }
        facts.nodes.shrink_to_fit();
        facts.records.shrink_to_fit();
        facts.attributes.shrink_to_fit();
        facts.extras.shrink_to_fit();
        Ok(())
    }

    fn element(&mut self, facts: &mut Facts, tag: u32) -> Result<(), FactsError> {
        let depth = self.unsigned()?;
        let number = ElementNo(self.unsigned()?);
        let position = self.unsigned()?;
        let flags = self.unsigned()?;
        let display = self.index(facts)?;
        let mut bounds = Bounds::default();
        if flags & bit::BOX != 0 {
            bounds = Bounds { x: self.take()?, y: self.take()?, width: self.take()?, height: self.take()? };
        }
        let value = if flags & bit::SECRET != 0 {
            self.unsigned()?
        } else if flags & bit::VALUE != 0 {
            self.index(facts)?
        } else {
            NOWHERE
        };
        let before = if flags & bit::BEFORE != 0 { self.index(facts)? } else { NOWHERE };
        let after = if flags & bit::AFTER != 0 { self.index(facts)? } else { NOWHERE };
        let mut extra = NOWHERE;
        if (value, before, after) != (NOWHERE, NOWHERE, NOWHERE) {
            extra = place(facts.extras.len());
            facts.extras.push(Extra { value, before, after });
        }
        let count = self.unsigned()?;
        let attributes = place(facts.attributes.len());
        for _ in 0..count {
            let pair = (self.index(facts)?, self.index(facts)?);
            facts.attributes.push(pair);
        }

        let record = Record {
            tag,
            number,
            position,
            flags,
            display,
            bounds,
            attributes,
            attribute_count: count,
            extra,
            scope: NOWHERE,
        };
        self.stand(facts, depth, record)
    }

    /// Puts an element under the open one of that depth.
    fn stand(&mut self, facts: &mut Facts, depth: u32, mut record: Record) -> Result<(), FactsError> {
        let at = self.enter(facts, depth, What::Element(place(facts.records.len())).into())?;
        let parent = facts.nodes[at as usize].parent;
        record.scope = self.scope(facts, parent, record.flags)?;
        let number = record.number;
        facts.records.push(record);
        if facts.numbers.insert(number, at).is_some() {
            return Err(self.broken());
        }
        Ok(())
    }

    /// The host whose shadow root a child of `parent` is in.
    fn scope(&self, facts: &Facts, parent: u32, flags: u32) -> Result<u32, FactsError> {
        if parent == NOWHERE {
            return Ok(NOWHERE);
        }
        let outer = facts.record(parent as usize).scope;
        if flags & bit::ROOT_CHILD != 0 {
            return Ok(parent);
        }
        if flags & bit::SLOTTED == 0 {
            return Ok(outer);
        }
        // A slot is in a shadow root; what is assigned to it are children of that root's host.
        if outer == NOWHERE {
            return Err(self.broken());
        }
        Ok(facts.record(outer as usize).scope)
    }

    /// Puts a node under the open element of that depth.
    fn enter(&mut self, facts: &mut Facts, depth: u32, what: Packed) -> Result<u32, FactsError> {
        let at = place(facts.nodes.len());
        if depth as usize > self.open.len() {
            return Err(self.broken());
        }
        for closed in self.open.drain(depth as usize..) {
            facts.nodes[closed as usize].end = at;
        }
        let parent = self.open.last().copied().unwrap_or(NOWHERE);
        if parent != NOWHERE && matches!(facts.nodes[parent as usize].what.into(), What::Text(_)) {
            return Err(self.broken());
        }
        facts.nodes.push(Entry { parent, end: at + 1, depth, what });
        self.open.push(at);
        Ok(at)
    }

    fn take(&mut self) -> Result<i32, FactsError> {
        let Number(number) = self.numbers.get(self.at).copied().ok_or_else(|| self.broken())?;
        self.at += 1;
        Ok(number)
    }

    fn unsigned(&mut self) -> Result<u32, FactsError> {
        let number = self.take()?;
        u32::try_from(number).map_err(|_| self.broken())
    }

    fn index(&mut self, facts: &Facts) -> Result<u32, FactsError> {
        let number = self.take()?;
        self.string(number, facts)
    }

    fn string(&self, number: i32, facts: &Facts) -> Result<u32, FactsError> {
        u32::try_from(number)
            .ok()
            .filter(|n| (*n as usize) < facts.strings.len())
            .ok_or_else(|| self.broken())
    }

    fn broken(&self) -> FactsError {
        FactsError::Broken(self.at)
    }
}

/// A count as it is stored. The input's length bounds it far below the limit.
fn place(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NOWHERE)
}
