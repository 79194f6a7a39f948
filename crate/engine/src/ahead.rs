//! Reads a page ahead of the next call: while its agent thinks, a page that loaded or changed and came to rest is
//! captured, so that the call finds it read. It is a saving only: each call looks itself whether anything changed since.
//!
//! Only tabs that an agent holds and worked a short while ago are read ahead, for a tenth of the time at most, and a
//! call that comes meanwhile goes first.

use crate::{
    browser::Core,
    capture,
    clock::Millis,
    place::Reach,
    settle::{self, Settled},
    tab::{Link, State, Tab},
};
use futures::future::{Either, select};
use snapshot::DocumentNo;
use std::{pin::pin, rc::Rc};

/// For how long after its last call an agent's page is kept up with.
const AWAKE: Millis = Millis(30_000);

/// After each reading there is a pause of so many times what it took, unless a call comes.
const PAUSE: u64 = 10;

/// The pause where the page did not come to rest: twice as long each time.
const RESTLESS: Millis = Millis(500);

/// How long a page may take to be read ahead.
const LIMIT: Millis = Millis(3_000);

/// How long a call waits for a reading that is under way: ending it is quicker than beginning again.
const GRACE: Millis = Millis(250);

/// Asks a document to tell of its first change since its changes were counted, as long as its tab is kept up with.
pub fn listen(core: &Rc<Core>, tab: &Rc<Tab>, reach: Reach, document: DocumentNo, changes: u64) {
    if !tab.state.borrow_mut().telling.insert(document) {
        return;
    }
    let (core2, tab) = (core.clone(), tab.clone());
    core.desk.spawn(async move {
        let told = reach.ask_within::<bool>(&format!("changed({changes})"), AWAKE).await;
        tab.state.borrow_mut().telling.remove(&document);
        // A document that went, or is stopped by a dialog, is looked at by the next call.
        if told.is_ok() {
            changed(&core2, &tab);
        }
    });
}

/// Something came that may have changed the page: it is read once it rests.
pub fn changed(core: &Rc<Core>, tab: &Rc<Tab>) {
    {
        let mut state = tab.state.borrow_mut();
        state.stale = true;
        if state.followed || !is_awaited(core, &state) {
            return;
        }
        state.followed = true;
    }
    let (core2, tab) = (core.clone(), tab.clone());
    core.desk.spawn(async move {
        follow(&core2, &tab).await;
        tab.state.borrow_mut().followed = false;
    });
}

/// Whether a call is likely to come soon, and may be answered.
fn is_awaited(core: &Core, state: &State) -> bool {
    state.owner.is_some()
        && state.link == Link::Attached
        && state.trouble(true).is_none()
        && core.desk.now() - state.worked <= AWAKE
        && !state.taken
        && core.consent.going_on().is_ok()
}

fn is_wanted(core: &Core, tab: &Tab) -> bool {
    let state = tab.state.borrow();
    state.stale && is_awaited(core, &state)
}

async fn follow(core: &Rc<Core>, tab: &Rc<Tab>) {
    let mut restless = RESTLESS;
    loop {
        // A call that is under way reads the page itself.
        drop(tab.turn.lock().await);
        if !is_wanted(core, tab) {
            return;
        }
        let pause = match settle::settle(core, tab, tab.events()).await {
            Ok(Settled { busy: None, dialog: None }) => {
                let begun = core.desk.now();
                if !read(core, tab).await {
                    return;
                }
                restless = RESTLESS;
                Millis((core.desk.now() - begun).0 * PAUSE)
            }
            Ok(Settled { busy: Some(_), dialog: None }) => {
                let pause = restless;
                restless = Millis(pause.0 * 2);
                pause
            }
            Ok(Settled { dialog: Some(_), .. }) | Err(_) => return,
        };
        // What an agent does at its own pace is followed at once.
        let since = core.desk.now();
        let called = tab.signal.until(|| (tab.state.borrow().worked > since).then_some(()));
        select(pin!(core.desk.sleep(pause)), pin!(called)).await;
    }
}

/// Reads the page unless a call did meanwhile; says whether it can be gone on with.
async fn read(core: &Rc<Core>, tab: &Rc<Tab>) -> bool {
    let _turn = tab.turn.lock().await;
    if !is_wanted(core, tab) {
        return false;
    }
    let called = async {
        tab.signal.until(|| (tab.state.borrow().waiting > 0).then_some(())).await;
        core.desk.sleep(GRACE).await;
    };
    let reading = core.desk.within(LIMIT, "reading ahead", capture::capture(core, tab));
    match select(pin!(reading), pin!(called)).await {
        Either::Left((read, _)) => read.is_ok(),
        Either::Right(((), _)) => false,
    }
}
