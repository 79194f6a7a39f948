//! Where a page leads by itself: a redirect, a link, a script, a form, a frame. Each request for a document is stopped
//! before it leaves, and goes on if the tab's agent may be there. Where the person has not been asked yet, it ends and they
//! are: a page whose navigation is held answers nothing meanwhile.

use crate::{
    agent::AgentId,
    browser::Core,
    consent::sites,
    failure::Failure,
    session::Session,
    tab::{Stopped, Tab},
};
use cdp::{FetchRequestId, FrameId, fetch};
use std::rc::Rc;

/// A request for a document was stopped.
pub fn paused(core: &Rc<Core>, session: &Session, id: FetchRequestId, frame: &FrameId, url: String) {
    let tab = session.tab.clone();
    let (owner, page, shared) = {
        let state = tab.state.borrow();
        (state.owner, state.root.as_ref().is_none_or(|root| root == frame), state.is_shared_at(&url))
    };
    let verdict = if shared { Ok(()) } else { verdict(core, owner, page, &url) };
    let Err(why) = verdict else {
        // A request that was given up meanwhile has nothing to go on.
        return drop(session.call(&fetch::Continue { request_id: id }));
    };
    if let (Some(owner), Failure::AwaitingSite { .. }) = (owner, &why) {
        // The answer is for the next time.
        let _ = sites::ask(core, owner, &url);
    }
    // The page stays as it is; a frame cannot.
    let error_reason = if page { fetch::Reason::Aborted } else { fetch::Reason::BlockedByClient };
    drop(session.call(&fetch::Fail { request_id: id, error_reason }));
    if page {
        stopped(&tab, url, why);
    }
}

/// Whether the agent of a tab may be at an address, as its page or as a frame of that.
fn verdict(core: &Core, owner: Option<AgentId>, page: bool, url: &str) -> Result<(), Failure> {
    let agents = core.agents.borrow();
    let Some(agent) = owner.and_then(|owner| agents.all.get(&owner)) else { return Ok(()) };
    // Of these nothing leaves the browser; as pages they are not read.
    if ["about:", "blob:", "data:"].iter().any(|inner| url.starts_with(inner)) {
        return Ok(());
    }
    if page { core.consent.site(agent, url) } else { core.consent.frame(agent, url) }
}

/// Notes that a page was kept from going somewhere, for the next reply.
pub fn stopped(tab: &Tab, url: String, why: Failure) {
    const MOST: usize = 4;
    {
        let mut state = tab.state.borrow_mut();
        let at = state.events;
        if state.stopped.len() < MOST {
            state.stopped.push(Stopped { at, url, why });
        }
    }
    tab.signal.raise();
}

/// What a tab's page was kept from since it was last told.
pub fn told(tab: &Tab) -> String {
    let stopped = std::mem::take(&mut tab.state.borrow_mut().stopped);
    stopped
        .iter()
        .fold(String::new(), |text, stopped| format!("{text} · kept from going on: {}", stopped.why))
}
