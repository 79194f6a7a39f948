//! Reads the collector's string. Nothing in it is trusted: every index is checked, nothing panics, and the work is
//! bounded by the length of the input.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use thiserror::Error;

use super::element::bit;
use super::{Bounds, Entry, Facts, NOWHERE, Record, Scroll, Size, What};
use crate::ids::{DocumentNo, ElementNo};

/// The version of the collector's string that is read here.
const VERSION: u32 = 1;

/// Why a collector's string could not be read.
#[derive(Debug, Error)]
pub enum FactsError {
    /// It is no JSON of that shape.
    #[error("the page's facts are not readable: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the collector wrote it.
    #[error("the page's facts are of version {0}, not {VERSION}")]
    Version(u32),
    /// The list of nodes breaks off, or one does not fit where it stands.
    #[error("the page's facts do not hold together at number {0}")]
    Broken(usize),
}

#[derive(Deserialize)]
struct Raw {
    version: u32,
    document: u32,
    url: String,
    title: String,
    editable: bool,
    focused: bool,
    active: u32,
    viewport: [f64; 2],
    scroll: [f64; 4],
    #[serde(default)]
    suspects: u32,
    strings: Vec<Box<str>>,
    nodes: Vec<i64>,
}

pub(super) fn parse(text: &str) -> Result<Facts, FactsError> {
    let raw: Raw = serde_json::from_str(text)?;
    if raw.version != VERSION {
        return Err(FactsError::Version(raw.version));
    }
    let mut facts = Facts {
        document: DocumentNo(raw.document),
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
        strings: raw.strings,
        nodes: Vec::new(),
        records: Vec::new(),
        attributes: Vec::new(),
        numbers: HashMap::new(),
        suspects: raw.suspects,
        listeners: HashSet::new(),
        drops: HashSet::new(),
        implied: HashMap::new(),
        unread: HashMap::new(),
    };
    Reader { numbers: &raw.nodes, at: 0, open: Vec::new() }.read(&mut facts)?;
    Ok(facts)
}

/// Whole CSS pixels; what is out of range is brought to its edge.
#[allow(clippy::cast_possible_truncation)] // `as` saturates
fn pixels(number: f64) -> i32 {
    number as i32
}

struct Reader<'a> {
    numbers: &'a [i64],
    at: usize,
    /// Open nodes, outermost first.
    open: Vec<u32>,
}

impl Reader<'_> {
    fn read(mut self, facts: &mut Facts) -> Result<(), FactsError> {
        while self.at < self.numbers.len() {
            let first = self.take()?;
            if first < 0 {
                let string = self.string(-1 - first, facts)?;
                let depth = self.unsigned()?;
                self.enter(facts, depth, What::Text(string))?;
            } else {
                let tag = self.string(first, facts)?;
                self.element(facts, tag)?;
            }
        }
        let end = place(facts.nodes.len());
        for at in self.open {
            facts.nodes[at as usize].end = end;
        }
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
            bounds = Bounds {
                x: self.signed()?,
                y: self.signed()?,
                width: self.signed()?,
                height: self.signed()?,
            };
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
        let count = self.unsigned()?;
        let attributes = place(facts.attributes.len());
        for _ in 0..count {
            let pair = (self.index(facts)?, self.index(facts)?);
            facts.attributes.push(pair);
        }

        let at = self.enter(facts, depth, What::Element(place(facts.records.len())))?;
        let parent = facts.nodes[at as usize].parent;
        let (dom_parent, scope) = self.standing(facts, parent, flags)?;
        facts.records.push(Record {
            tag,
            number,
            position,
            flags,
            display,
            bounds,
            value,
            before,
            after,
            attributes,
            attribute_count: count,
            dom_parent,
            scope,
        });
        if facts.numbers.insert(number, at).is_some() {
            return Err(self.broken());
        }
        Ok(())
    }

    /// The parent in the DOM and the host whose shadow root this is in.
    fn standing(&self, facts: &Facts, parent: u32, flags: u32) -> Result<(u32, u32), FactsError> {
        if parent == NOWHERE {
            return Ok((NOWHERE, NOWHERE));
        }
        let outer = facts.record(parent as usize).scope;
        if flags & bit::ROOT_CHILD != 0 {
            return Ok((parent, parent));
        }
        if flags & bit::SLOTTED == 0 {
            return Ok((parent, outer));
        }
        // A slot is in a shadow root; what is assigned to it are children of that root's host.
        if outer == NOWHERE {
            return Err(self.broken());
        }
        Ok((outer, facts.record(outer as usize).scope))
    }

    /// Puts a node under the open element of that depth.
    fn enter(&mut self, facts: &mut Facts, depth: u32, what: What) -> Result<u32, FactsError> {
        let at = place(facts.nodes.len());
        if depth as usize > self.open.len() {
            return Err(self.broken());
        }
        for closed in self.open.drain(depth as usize..) {
            facts.nodes[closed as usize].end = at;
        }
        let parent = self.open.last().copied().unwrap_or(NOWHERE);
        if parent != NOWHERE && matches!(facts.nodes[parent as usize].what, What::Text(_)) {
            return Err(self.broken());
        }
        facts.nodes.push(Entry { parent, end: at + 1, what });
        self.open.push(at);
        Ok(at)
    }

    fn take(&mut self) -> Result<i64, FactsError> {
        let number = self.numbers.get(self.at).copied().ok_or_else(|| self.broken())?;
        self.at += 1;
        Ok(number)
    }

    fn unsigned(&mut self) -> Result<u32, FactsError> {
        let number = self.take()?;
        u32::try_from(number).map_err(|_| self.broken())
    }

    fn signed(&mut self) -> Result<i32, FactsError> {
        let number = self.take()?;
        Ok(i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
    }

    fn index(&mut self, facts: &Facts) -> Result<u32, FactsError> {
        let number = self.take()?;
        self.string(number, facts)
    }

    fn string(&self, number: i64, facts: &Facts) -> Result<u32, FactsError> {
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
