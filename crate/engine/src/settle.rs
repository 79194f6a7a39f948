//! Waits until the page has reacted to an act: a navigation it started is over, the requests it started are
//! answered, the documents are quiet. Bounded, and what was still busy is said.

use crate::{
    browser::Core,
    clock::Millis,
    failure::Failure,
    place::{Reach, places},
    tab::{Busy, Dialog, Prompt, Sequence, Tab},
};
use futures::future::join_all;
use serde::Deserialize;
use std::rc::Rc;

/// How long nothing must change for a document to count as quiet.
const HUSH: u64 = 40;

/// How long a document that keeps changing is waited for.
const RESTLESS: Millis = Millis(1_000);

/// How long requests are waited for.
const REQUESTS: Millis = Millis(3_000);

/// How long a navigation is waited for until its document is there.
const NAVIGATION: Millis = Millis(12_000);

/// How long the load of a document is waited for.
const LOADING: Millis = Millis(5_000);

/// How long a tab that the page opens is waited for; a blocker may keep it away.
const OPENING: Millis = Millis(1_000);

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settled {
    /// What was still busy at the end.
    pub busy: Option<Busy>,
    /// The dialog that stopped the page.
    pub dialog: Option<Prompt>,
}

#[derive(Deserialize)]
struct Hushed {
    quiet: bool,
}

/// Waits for what began at or after a moment.
///
/// # Errors
/// When the tab is lost or crashed.
pub async fn settle(core: &Rc<Core>, tab: &Rc<Tab>, begun: Sequence) -> Result<Settled, Failure> {
    let start = core.desk.now();
    let mut restless = None;
    loop {
        if let Some(settled) = stopped(tab)? {
            return Ok(settled);
        }
        let busy = tab.state.borrow().busy_since(begun);
        if let Some(busy) = busy {
            let limit = start + limit_of(&busy);
            let now = core.desk.now();
            if now >= limit {
                tab.state.borrow_mut().opening = None;
                return Ok(Settled { busy: Some(busy), dialog: None });
            }
            let idle = async {
                let done = tab.signal.until(|| {
                    let state = tab.state.borrow();
                    (state.trouble(true).is_some() || state.busy_since(begun).as_ref() != Some(&busy))
                        .then_some(())
                });
                done.await;
                Ok(())
            };
            // At the limit the loop sees that it is still busy.
            let _ = core.desk.within(limit - now, "settling", idle).await;
            continue;
        }
        let events = tab.events();
        let since = *restless.get_or_insert(core.desk.now());
        let left = Millis(RESTLESS.0.saturating_sub((core.desk.now() - since).0));
        if left.0 == 0 {
            return Ok(Settled { busy: Some(Busy::Changing), dialog: None });
        }
        let quiet = quiet(core, tab, left).await;
        if let Some(settled) = stopped(tab)? {
            return Ok(settled);
        }
        let state = tab.state.borrow();
        if state.busy_since(begun).is_none() && (quiet || state.events == events) {
            drop(state);
            let busy = (!quiet).then_some(Busy::Changing);
            return Ok(Settled { busy, dialog: None });
        }
    }
}

fn limit_of(busy: &Busy) -> Millis {
    match busy {
        Busy::Navigating => NAVIGATION,
        Busy::Loading => LOADING,
        Busy::Opening => OPENING,
        Busy::Asking(_) => REQUESTS,
        Busy::Changing => RESTLESS,
    }
}

fn stopped(tab: &Tab) -> Result<Option<Settled>, Failure> {
    let state = tab.state.borrow();
    if let Dialog::Open(prompt) = &state.dialog {
        return Ok(Some(Settled { busy: None, dialog: Some(prompt.clone()) }));
    }
    match state.trouble(true) {
        Some(failure) => Err(failure),
        None => Ok(None),
    }
}

/// Whether every document went quiet within the limit. A document that went meanwhile is none.
async fn quiet(core: &Rc<Core>, tab: &Rc<Tab>, limit: Millis) -> bool {
    let Ok(found) = places(core, tab).await else { return false };
    let question = format!("quiet({HUSH},{})", limit.0);
    let asked = found.into_iter().filter_map(|found| found.place.ok()).map(|place| {
        let question = &question;
        async move {
            let limit = limit + Millis(1_000);
            Reach::new(core, tab, place)
                .ask_within::<Hushed>(question, limit)
                .await
                .is_ok_and(|hushed| hushed.quiet)
        }
    });
    join_all(asked).await.into_iter().all(|quiet| quiet)
}
