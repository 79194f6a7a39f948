//! Tabs and windows that a page opens: whose they are, and that the person's view stays where it was.
//!
//! Chrome names an opener, but for a page in the background that is the tab in front. What tells is the page's own
//! `Page.windowOpen`, and the address of the tab that appears; either may come first.

use crate::{
    agent::AgentId,
    browser::Core,
    clock::{Instant, Millis},
    failure::Failure,
    io::{ChromeCall, ChromeTab, WindowId},
    session,
    tab::Tab,
    tabs, wayside,
};
use litemap::LiteMap;
use std::{cell::RefCell, rc::Rc};

/// How far apart the two may come.
const TOGETHER: Millis = Millis(2_000);

/// A tab that appeared, not yet known to be anybody's.
struct Appeared {
    tab: ChromeTab,
    window: WindowId,
    url: String,
    at: Instant,
}

/// A page said that it opens something.
struct Opening {
    opener: Rc<Tab>,
    url: String,
    at: Instant,
}

/// Which tab is in front in a window.
struct Front {
    now: ChromeTab,
    since: Instant,
    /// Which were before, the last one last, each once: several agents' pages may open something at the same time.
    before: Vec<ChromeTab>,
}

/// So many that were in front before are remembered.
const REMEMBERED: usize = 8;

/// What is being opened.
#[derive(Default)]
pub struct Popups {
    appeared: RefCell<Vec<Appeared>>,
    openings: RefCell<Vec<Opening>>,
    fronts: RefCell<LiteMap<WindowId, Front>>,
}

/// A page says that it opens an address in a new tab or window.
pub fn opening(core: &Rc<Core>, opener: &Rc<Tab>, url: String) {
    let ours = {
        let state = opener.state.borrow();
        // What the person does in the page between two calls is theirs.
        state.owner.is_some() && (state.drawn || core.desk.now() - state.worked <= TOGETHER)
    };
    if !ours {
        return;
    }
    let at = opener.events();
    opener.state.borrow_mut().opening = Some(at);
    core.popups.openings.borrow_mut().push(Opening { opener: opener.clone(), url, at: core.desk.now() });
    settle(core);
}

/// A tab appeared.
pub fn appeared(core: &Rc<Core>, tab: ChromeTab, window: WindowId, url: String) {
    if core.tab_of(tab).is_some() {
        return;
    }
    core.popups.appeared.borrow_mut().push(Appeared { tab, window, url, at: core.desk.now() });
    settle(core);
}

/// The address of a tab became known.
pub fn addressed(core: &Rc<Core>, tab: ChromeTab, url: &str) {
    let mut waits = false;
    for appeared in core.popups.appeared.borrow_mut().iter_mut().filter(|appeared| appeared.tab == tab) {
        url.clone_into(&mut appeared.url);
        waits = true;
    }
    if waits {
        settle(core);
    }
}

/// A tab came to the front of its window.
pub fn activated(core: &Rc<Core>, tab: ChromeTab, window: WindowId) {
    {
        let mut fronts = core.popups.fronts.borrow_mut();
        let since = core.desk.now();
        let front = fronts.entry(window).or_insert(Front { now: tab, since, before: Vec::new() });
        let last = std::mem::replace(&mut front.now, tab);
        front.since = since;
        front.before.retain(|before| ![last, tab].contains(before));
        if last != tab {
            front.before.push(last);
        }
        let over = front.before.len().saturating_sub(REMEMBERED);
        front.before.drain(..over);
    }
    let ours = core
        .tab_of(tab)
        .is_some_and(|tab| tab.state.borrow().popup.is_some_and(|since| core.desk.now() - since <= TOGETHER));
    if ours {
        give_back(core, tab, window);
    }
}

/// Whether a tab is in front in its window: else nobody can see it.
pub fn is_in_front(core: &Core, tab: ChromeTab) -> bool {
    core.popups.fronts.borrow().values().any(|front| front.now == tab)
}

/// A page asks whether to leave it: the browser brings its tab to the front for that, before or after it tells us.
pub fn asks_to_leave(core: &Rc<Core>, tab: &Rc<Tab>) {
    let now = core.desk.now();
    let chrome = {
        let mut state = tab.state.borrow_mut();
        if state.owner.is_none() || !(state.drawn || now - state.worked <= TOGETHER) {
            return;
        }
        state.popup = Some(now);
        state.chrome
    };
    let window = core
        .popups
        .fronts
        .borrow()
        .iter()
        .find(|(_, front)| Some(front.now) == chrome && now - front.since <= TOGETHER)
        .map(|(window, _)| *window);
    if let Some((chrome, window)) = chrome.zip(window) {
        give_back(core, chrome, window);
    }
}

/// Brings openings and tabs together.
fn settle(core: &Rc<Core>) {
    let now = core.desk.now();
    let mut openings = core.popups.openings.borrow_mut();
    let mut tabs = core.popups.appeared.borrow_mut();
    openings.retain(|opening| now - opening.at <= TOGETHER);
    tabs.retain(|tab| now - tab.at <= TOGETHER);
    let mut claimed = Vec::new();
    openings.retain(|opening| {
        let same = |tab: &Appeared| tab.url == opening.url || (tab.url.is_empty() && blank(&opening.url));
        let Some(index) = tabs.iter().position(same) else { return true };
        claimed.push((opening.opener.clone(), tabs.remove(index)));
        false
    });
    drop((openings, tabs));
    for (opener, appeared) in claimed {
        claim(core, &opener, &appeared);
    }
}

fn blank(url: &str) -> bool {
    url.is_empty() || url == "about:blank"
}

/// The new tab is of the agent that holds its opener.
fn claim(core: &Rc<Core>, opener: &Rc<Tab>, appeared: &Appeared) {
    let owner = opener.state.borrow().owner;
    if let Err(failure) = allowed(core, owner, &appeared.url) {
        // Its first request may have left; it is not read.
        drop(core.desk.call(ChromeCall::RemoveTab { tab: appeared.tab }));
        opener.state.borrow_mut().opening = None;
        return wayside::stopped(opener, appeared.url.clone(), failure);
    }
    let tab = core.add_tab(appeared.tab);
    {
        let mut state = tab.state.borrow_mut();
        state.owner = owner;
        state.opened = true;
        state.by_page = true;
        state.came = Some(core.desk.now());
        state.popup = Some(core.desk.now());
        state.url.clone_from(&appeared.url);
    }
    {
        let mut opener = opener.state.borrow_mut();
        opener.popups.push(tab.name);
        opener.opening = None;
    }
    let in_front =
        core.popups.fronts.borrow().get(&appeared.window).is_some_and(|front| front.now == appeared.tab);
    if in_front {
        give_back(core, appeared.tab, appeared.window);
    }
    if let Some(owner) = owner {
        let core2 = core.clone();
        core.desk.spawn(async move {
            // Where it goes from here on is looked at first. A tab that went meanwhile goes nowhere.
            let _ = session::attach(&core2, &tab).await;
            tabs::group(&core2, owner, &tab).await;
        });
    }
    opener.signal.raise();
    core.keep();
}

/// Whether an agent's page may have such a tab; where the person has not been asked yet, it may, and is not read.
fn allowed(core: &Core, owner: Option<AgentId>, url: &str) -> Result<(), Failure> {
    let agents = core.agents.borrow();
    let Some(agent) = owner.and_then(|owner| agents.all.get(&owner)) else { return Ok(()) };
    match core.consent.site(agent, url) {
        Err(failure @ (Failure::SiteDenied { .. } | Failure::NotDrivable { .. })) => Err(failure),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A tab that a page opened is somewhere: where the agent may not be, it is closed. It may have gone there before its
/// requests were looked at.
pub fn arrived(core: &Rc<Core>, tab: &Rc<Tab>) {
    let (owner, url, chrome) = {
        let state = tab.state.borrow();
        if !state.by_page {
            return;
        }
        (state.owner, state.url.clone(), state.chrome)
    };
    // What the browser keeps to itself stays: the agent can go on from there.
    if let (Err(Failure::SiteDenied { .. }), Some(chrome)) = (allowed(core, owner, &url), chrome) {
        drop(core.desk.call(ChromeCall::RemoveTab { tab: chrome }));
    }
}

/// What an agent's page opens does not take the person's view.
fn give_back(core: &Rc<Core>, tab: ChromeTab, window: WindowId) {
    if let Some(tab) = core.tab_of(tab) {
        tab.state.borrow_mut().popup = None;
    }
    // What another agent's page has just opened was not the person's choice either.
    let is_theirs = |tab: &&ChromeTab| {
        let came = core.tab_of(**tab).and_then(|tab| tab.state.borrow().came);
        came.is_none_or(|came| core.desk.now() - came > TOGETHER)
    };
    let before = {
        let fronts = core.popups.fronts.borrow();
        fronts.get(&window).and_then(|front| front.before.iter().rev().find(is_theirs).copied())
    };
    if let Some(before) = before {
        // A tab that was closed meanwhile cannot come back; nothing is lost by it.
        drop(core.desk.call(ChromeCall::ShowTab { tab: before }));
    }
}
