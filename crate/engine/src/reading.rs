//! Reads one document: whole the first time, then what is new; nothing at all when nothing changed since.
//!
//! What changed is told by three counts: mutations and what no mutation shows (the collector's `changes`), style
//! computed, layout computed (the browser's, per session). They are read before the facts: what comes between counts
//! against the next capture, which reads again.

use crate::{
    browser::Core,
    capture::FRAME,
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
use std::{collections::BTreeSet, future::Future, rc::Rc};

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
    // The counts are asked for when the documents have answered: Chrome answers `Performance.getMetrics` on a thread of
    // its own, and may do so before an evaluation that was asked for earlier has computed what they count.
    let root = tab.state.borrow().root.clone();
    let changes = all(reaches.iter().map(|reach| {
        let asked = reach.ask::<u64>("changes()");
        limited(core, root.as_ref() == Some(&reach.place.frame), asked)
    }))
    .await;
    let sessions: BTreeSet<_> = reaches.iter().map(|reach| reach.place.session.clone()).collect();
    let counted = all(sessions.into_iter().map(|session| computed(core, tab, session))).await;
    let counted: LiteMap<_, _> = counted.into_iter().collect();
    let of = |reach: &Reach| counted.get(&reach.place.session).copied().flatten();
    reaches
        .iter()
        .zip(changes)
        .map(|(reach, changes)| Ok(Mark { changes: changes?, computed: of(reach) }))
        .collect()
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

/// A frame that hangs must not hold up the page's own document.
async fn limited<T>(
    core: &Core,
    own: bool,
    asked: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    if own { asked.await } else { core.desk.within(FRAME, "reading the frame", asked).await }
}

/// A document as it is now. The same `Rc` of facts when nothing changed.
///
/// # Errors
/// When the document went, or its facts do not read.
pub async fn document(
    core: &Rc<Core>,
    reach: &Reach,
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
    let mut filling = Filling::new(heard);
    while filling.reveals(reach, &facts).await? {
        facts = update(reach, facts, false, false).await?;
    }
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
