//! Reads one document: whole the first time, then what is new; nothing at all when nothing changed since.
//!
//! What changed is told by three counts: mutations and what no mutation shows (the collector's `changes`), style
//! computed, layout computed (the browser's, per session). They are read before the facts: what comes between counts
//! against the next capture, which reads again.

use crate::{browser::Core, capture::FRAME, failure::Failure, place::Reach, session::Session, tab::Tab};
use cdp::{SessionId, performance};
use futures::future::join_all;
use snapshot::Facts;
use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
    rc::Rc,
};

/// What the browser counted in the documents of a session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Computed {
    styles: f64,
    layouts: f64,
}

/// The counts of a document at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    changes: u64,
    /// None where the browser does not count.
    computed: Option<Computed>,
}

impl Mark {
    /// Whether nothing happened between two moments. What is not counted may have happened.
    fn says_same(self, other: Self) -> bool {
        self.computed.is_some() && self == other
    }
}

/// A document as it was read last.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its facts.
    pub facts: Rc<Facts>,
    /// The counts before it was read.
    pub mark: Mark,
}

/// Brings style and layout of documents up to date and gives their counts, in the order of the documents.
pub async fn marks(core: &Rc<Core>, tab: &Rc<Tab>, reaches: &[Reach]) -> Vec<Result<Mark, Failure>> {
    // All are under way before the first answer; a session answers in turn, so its counts come after its documents.
    let root = tab.state.borrow().root.clone();
    let changes = join_all(reaches.iter().map(|reach| {
        let asked = reach.ask::<u64>("changes()");
        limited(core, root.as_ref() == Some(&reach.place.frame), asked)
    }));
    let sessions: BTreeSet<_> = reaches.iter().map(|reach| reach.place.session.clone()).collect();
    let counted = join_all(sessions.into_iter().map(|session| computed(core, tab, session)));
    let (changes, counted) = futures::join!(changes, counted);
    let counted: BTreeMap<_, _> = counted.into_iter().collect();
    let of = |reach: &Reach| counted.get(&reach.place.session).copied().flatten();
    reaches.iter().zip(changes).map(|(reach, changes)| Ok(Mark { changes: changes?, computed: of(reach) })).collect()
}

async fn computed(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    id: Option<SessionId>,
) -> (Option<SessionId>, Option<Computed>) {
    let session = Session { core: core.clone(), tab: tab.clone(), id: id.clone() };
    let metrics = limited(core, id.is_none(), session.call(&performance::GetMetrics {})).await.ok();
    let count = |name| metrics.as_ref().and_then(|metrics| metrics.get(name));
    let computed = count("RecalcStyleCount").zip(count("LayoutCount"));
    (id, computed.map(|(styles, layouts)| Computed { styles, layouts }))
}

/// A frame that hangs must not hold up the page's own document.
async fn limited<T>(
    core: &Core,
    own: bool,
    asked: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    if own { asked.await } else { core.desk.within(FRAME, "reading the frame", asked).await }
}

/// The facts of a document as they are now. The same `Rc` when nothing changed.
///
/// # Errors
/// When the document went, or its facts do not read.
pub async fn facts(
    core: &Rc<Core>,
    reach: &Reach,
    known: Option<&Known>,
    mark: Mark,
) -> Result<Rc<Facts>, Failure> {
    let unreadable = |e: snapshot::facts::FactsError| Failure::Unreadable(e.to_string());
    let Some(known) = known else {
        let text = reach.facts(&format!("{}", core.propose_document().0)).await?;
        return Facts::parse(&text).map(Rc::new).map_err(unreadable);
    };
    if mark.says_same(known.mark) {
        return Ok(known.facts.clone());
    }
    let (styles, layout) = match (mark.computed, known.mark.computed) {
        (Some(now), Some(then)) => (now.styles != then.styles, now.layouts != then.layouts),
        _ => (true, true),
    };
    let document = known.facts.document();
    let text = reach.facts(&format!("{},{},{styles},{layout}", document.0, known.facts.epoch())).await?;
    match known.facts.update(&text).map_err(unreadable)? {
        Some(facts) => Ok(Rc::new(facts)),
        None => Ok(known.facts.clone()),
    }
}

/// The document at a place as it was read last, if it was.
pub fn at_place(tab: &Tab, reach: &Reach) -> Option<Known> {
    let state = tab.state.borrow();
    let (document, _) = state.homes.iter().find(|(_, place)| **place == reach.place)?;
    state.known.get(document).cloned()
}
