//! The browser's `DOM` domain, enabled in a session for as long as somebody needs it: to search, or to draw over the page.
//! Enabled for good it would look at every mutation of every page.

use crate::{failure::Failure, session::Session};
use cdp::{SearchId, SessionId, dom};
use litemap::LiteMap;
use std::{cell::RefCell, rc::Rc};

/// How many need it in each session of a tab. A tab that is held anew has another.
pub type Needs = Rc<RefCell<LiteMap<Option<SessionId>, u32>>>;

/// Somebody needs it, until this is dropped.
struct Needed {
    session: Session,
    needs: Needs,
}

impl Needed {
    fn by(session: &Session) -> Self {
        need(session);
        Self { session: session.clone(), needs: session.tab.state.borrow().needs.clone() }
    }
}

impl Drop for Needed {
    fn drop(&mut self) {
        let last = {
            let mut needs = self.needs.borrow_mut();
            let count = needs.entry(self.session.id.clone()).or_insert(1);
            *count -= 1;
            *count == 0
        };
        // In a tab that is held anew it is not enabled by us.
        if last && Rc::ptr_eq(&self.needs, &self.session.tab.state.borrow().needs) {
            drop(self.session.call(&dom::Disable {}));
        }
    }
}

/// A session needs it from now on, for as long as it is held.
pub fn need(session: &Session) {
    let first = {
        let needs = session.tab.state.borrow().needs.clone();
        let mut needs = needs.borrow_mut();
        let count = needs.entry(session.id.clone()).or_insert(0);
        *count += 1;
        *count == 1
    };
    if first {
        // The answer tells nothing: what hangs on it says so itself.
        drop(session.call(&dom::Enable {}));
    }
}

/// What a search found; the browser forgets it when this is dropped.
pub struct Found {
    /// How many nodes it found.
    pub count: u64,
    id: SearchId,
    needed: Needed,
}

impl Found {
    /// The first of them, in the order of their documents, so many at most.
    pub async fn nodes(&self, most: u64) -> Result<Vec<cdp::FoundId>, Failure> {
        let to_index = self.count.min(most);
        if to_index == 0 {
            return Ok(Vec::new());
        }
        let part = dom::GetSearchResults { search_id: self.id.clone(), from_index: 0, to_index };
        Ok(self.needed.session.call(&part).await?.node_ids)
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        drop(self.needed.session.call(&dom::DiscardSearchResults { search_id: self.id.clone() }));
    }
}

/// Looks for words in all nodes of a session's documents, as [`dom::PerformSearch`] does.
pub async fn search(session: &Session, query: &str) -> Result<Found, Failure> {
    let needed = Needed::by(session);
    let found = session.call(&dom::PerformSearch { query: query.into() }).await?;
    Ok(Found { count: found.result_count, id: found.search_id, needed })
}
