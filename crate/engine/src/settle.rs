//! Waits until the page has reacted to an act: a navigation it started is over, the requests it started are
//! answered, the documents are quiet. Bounded, and what was still busy is said.

use crate::{
    browser::Core,
    clock::Millis,
    failure::Failure,
    place::{Reach, places},
    tab::{Busy, Dialog, Prompt, Sequence, Tab},
    task::all,
};
use std::rc::Rc;

/// How long nothing must change for a document to count as quiet, in milliseconds.
const HUSH_MS: u32 = 40;

const HUSH: Millis = Millis(HUSH_MS as u64);

/// How long a document may take to say since when it rests.
const ANSWER: Millis = Millis(2_000);

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
///
/// The waiting is done here: timers of pages in the background, and of frames from other sites, are slowed down.
async fn quiet(core: &Rc<Core>, tab: &Rc<Tab>, limit: Millis) -> bool {
    let end = core.desk.now() + limit;
    let mut wait = HUSH;
    loop {
        core.desk.sleep(wait.min(end - core.desk.now())).await;
        let Ok(found) = places(core, tab).await else { return false };
        let asked = found.into_iter().filter_map(|found| found.place.ok()).map(|place| async move {
            Reach::new(core, tab, place).ask_within::<f64>("rest()", ANSWER).await
        });
        let answers = all(asked).await;
        if answers.iter().any(|answer| matches!(answer, Err(Failure::TimedOut { .. }))) {
            return false;
        }
        let rested = answers.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let now = core.desk.now();
        if rested >= f64::from(HUSH_MS) {
            return true;
        }
        if now >= end {
            return false;
        }
        wait = Millis(remaining(rested));
    }
}

/// Milliseconds until the hush is complete, at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the hush")]
fn remaining(rested: f64) -> u64 {
    (f64::from(HUSH_MS) - rested).ceil().clamp(1.0, f64::from(HUSH_MS)) as u64
}
