//! Reads one document: whole the first time, then what is new; nothing at all when nothing changed since.
//!
//! What changed is told by four counts: mutations and what no mutation shows (the collector's `changes`), style
//! computed, layout computed, nodes that no script of ours sees (per session). They are read before the facts: what comes between counts
//! against the next capture, which reads again.

use crate::{
    browser::Core,
    census::{self, Hidden, limited},
    failure::Failure,
    fill_in::{self, Filling},
    place::Reach,
    session::Session,
    tab::Tab,
    task::all,
};
use cdp::{SessionId, performance};
use litemap::LiteMap;
use snapshot::{Facts, facts::FactsError};
use std::{collections::BTreeSet, rc::Rc};

/// What the browser counted in the documents of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Computed {
    styles: u64,
    layouts: u64,
    listeners: u64,
}

/// The counts of a document at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    changes: u64,
    /// None where the browser does not count.
    hidden: Option<Hidden>,
    /// None where the browser does not count.
    computed: Option<Computed>,
}

impl Mark {
    /// Mutations and what no mutation shows, as the collector counts them.
    pub fn changes(self) -> u64 {
        self.changes
    }

    /// Whether nothing happened between two moments. What is not counted may have happened.
    fn says_same(self, other: Self) -> bool {
        self.computed.is_some() && self == other
    }

    /// Whether no listener was added between two moments.
    fn hears_same(self, other: Self) -> bool {
        self.computed.zip(other.computed).is_some_and(|(one, other)| one.listeners == other.listeners)
    }
}

/// A document as it was read last.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its facts.
    pub facts: Rc<Facts>,
    /// The counts before it was read.
    pub mark: Mark,
    /// Whether all was asked that scripts cannot see; else the next capture asks for more, whatever the counts.
    pub filled: bool,
}

impl Known {
    /// What the collector had seen change before it was read.
    pub fn changes(&self) -> u64 {
        self.mark.changes
    }
}

/// Brings style and layout of documents up to date and gives their counts, in the order of the documents.
pub async fn marks(core: &Rc<Core>, tab: &Rc<Tab>, reaches: &[Reach]) -> Vec<Result<Mark, Failure>> {
    let counted = census::take(core, tab, reaches).await;
    // These are asked for when the documents have answered: Chrome answers `Performance.getMetrics` on a thread of its
    // own, and may do so before an evaluation that was asked for earlier has computed what they count.
    let sessions: BTreeSet<_> = reaches.iter().map(|reach| reach.place.session.clone()).collect();
    let computed = all(sessions.into_iter().map(|session| computed(core, tab, session))).await;
    let computed: LiteMap<_, _> = computed.into_iter().collect();
    let of = |reach: &Reach| computed.get(&reach.place.session).copied().flatten();
    let mark = |(reach, counted): (&Reach, Result<census::Count, Failure>)| {
        let census::Count { changes, hidden } = counted?;
        Ok(Mark { changes, hidden, computed: of(reach) })
    };
    reaches.iter().zip(counted).map(mark).collect()
}

async fn computed(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    id: Option<SessionId>,
) -> (Option<SessionId>, Option<Computed>) {
    let session = Session { core: core.clone(), tab: tab.clone(), id: id.clone() };
    let metrics = limited(core, id.is_none(), session.call(&performance::GetMetrics {})).await.ok();
    let count = |name| metrics.as_ref().and_then(|metrics| metrics.count(name));
    let computed = || {
        Some(Computed {
            styles: count("RecalcStyleCount")?,
            layouts: count("LayoutCount")?,
            listeners: count("JSEventListeners")?,
        })
    };
    (id, computed())
}

/// A document as it is now, beside others of the tab. The same `Rc` of facts when nothing changed.
///
/// # Errors
/// When the document went, or its facts do not read.
pub async fn document(
    core: &Rc<Core>,
    reach: &Reach,
    beside: &[Reach],
    known: Option<&Known>,
    mark: Mark,
) -> Result<Known, Failure> {
    let mut facts = match known {
        Some(known) if mark.says_same(known.mark) => {
            if known.filled && fill_in::unchanged(reach, known.facts.document()).await {
                return Ok(known.clone());
            }
            known.facts.clone()
        }
        Some(known) => {
            let (styles, layout) = match (mark.computed, known.mark.computed) {
                (Some(now), Some(then)) => (now.styles != then.styles, now.layouts != then.layouts),
                _ => (true, true),
            };
            update(reach, known.facts.clone(), styles, layout).await?
        }
        None => {
            let text = reach.facts(&core.propose_document().0.to_string()).await?;
            let mut facts = Rc::new(Facts::parse(&text).map_err(|e| unreadable(&e))?);
            core.secrets.mask_facts(&mut facts);
            facts
        }
    };
    let heard =
        known.filter(|known| known.filled && mark.hears_same(known.mark)).map(|known| known.facts.filled());
    let mut filling = Filling::new(heard, mark.hidden);
    while filling.reveals(reach, beside, &facts).await? {
        facts = update(reach, facts, false, false).await?;
    }
    // What came to light is read; what is hidden still is what the next capture compares with.
    let mark = Mark { hidden: filling.hidden(), ..mark };
    let (filled, all) = filling.end(reach, &facts).await?;
    if facts.filled() != &filled {
        Rc::make_mut(&mut facts).fill(filled);
    }
    Ok(Known { facts, mark, filled: all })
}

/// Facts with what is new since.
async fn update(reach: &Reach, facts: Rc<Facts>, styles: bool, layout: bool) -> Result<Rc<Facts>, Failure> {
    let which = format!("{},{},{styles},{layout}", facts.document().0, facts.epoch());
    let text = reach.facts(&which).await?;
    let Some(facts) = facts.update(&text).map_err(|e| unreadable(&e))? else { return Ok(facts) };
    let mut facts = Rc::new(facts);
    reach.session.core.secrets.mask_facts(&mut facts);
    Ok(facts)
}

fn unreadable(error: &FactsError) -> Failure {
    Failure::Unreadable(error.to_string())
}

/// The document at a place as it was read last, if it was.
pub fn at_place(tab: &Tab, reach: &Reach) -> Option<Known> {
    let state = tab.state.borrow();
    let (document, _) = state.homes.iter().find(|(_, place)| **place == reach.place)?;
    state.known.get(document).cloned()
}
