//! How many nodes of a session's documents no script of ours sees: the browser counts them all, the collector those it can
//! enter. What is left over is in closed shadow roots.
//!
//! Both count at one moment: the questions go out together, and the page's main thread answers them in turn.

use crate::{
    browser::Core, capture::FRAME, failure::Failure, nodes, place::Reach, session::Session, tab::Tab,
    task::all,
};
use cdp::SessionId;
use futures::future::join;
use litemap::LiteMap;
use std::{collections::BTreeSet, future::Future, rc::Rc};

/// Nodes that the browser has and the collector has not. Below zero where a page changed between the two counts; above
/// for good where a document of the session is not read.
pub type Hidden = i64;

/// What was counted in one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Mutations and what no mutation shows, as the collector counts them.
    pub changes: u64,
    /// What is hidden in its session; none where the browser does not count.
    pub hidden: Option<Hidden>,
}

/// Brings style and layout of documents up to date and counts, in the order of the documents.
pub async fn take(core: &Rc<Core>, tab: &Rc<Tab>, reaches: &[Reach]) -> Vec<Result<Count, Failure>> {
    let root = tab.state.borrow().root.clone();
    let held = all(reaches.iter().map(|reach| {
        let asked = reach.ask::<(u64, u64)>("counts()");
        limited(core, root.as_ref() == Some(&reach.place.frame), asked)
    }));
    let sessions: BTreeSet<_> = reaches.iter().map(|reach| reach.place.session.clone()).collect();
    let there = all(sessions.into_iter().map(|session| there(core, tab, session)));
    let (held, there) = join(held, there).await;
    let mut hidden: LiteMap<_, _> = there.into_iter().collect();
    for (reach, held) in reaches.iter().zip(&held) {
        if let (Some(Some(hidden)), Ok((_, nodes))) = (hidden.get_mut(&reach.place.session), held) {
            *hidden = hidden.saturating_sub_unsigned(*nodes);
        }
    }
    let of = |reach: &Reach| hidden.get(&reach.place.session).copied().flatten();
    let counted = reaches.iter().zip(held);
    counted.map(|(reach, held)| held.map(|(changes, _)| Count { changes, hidden: of(reach) })).collect()
}

/// What is hidden in the session of a document, beside others of the tab.
pub async fn hidden(reach: &Reach, beside: &[Reach]) -> Option<Hidden> {
    let of = |other: &&Reach| other.place.session == reach.place.session;
    let together: Vec<_> = beside.iter().filter(of).cloned().collect();
    let counted = take(&reach.session.core, &reach.session.tab, &together).await;
    counted.into_iter().find_map(Result::ok)?.hidden
}

/// How many nodes the browser has in the documents of a session.
async fn there(core: &Rc<Core>, tab: &Rc<Tab>, id: Option<SessionId>) -> (Option<SessionId>, Option<Hidden>) {
    let session = Session { core: core.clone(), tab: tab.clone(), id: id.clone() };
    let found = limited(core, id.is_none(), nodes::search(&session, "")).await;
    let nodes = found.ok().and_then(|found| found.count.try_into().ok());
    (id, nodes)
}

/// A frame that hangs must not hold up the page's own document.
pub async fn limited<T>(
    core: &Core,
    own: bool,
    asked: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    if own { asked.await } else { core.desk.within(FRAME, "reading the frame", asked).await }
}
