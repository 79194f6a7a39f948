//! Picking: the browser itself lets the person choose an element with the mouse, in every frame of the tab, and tells
//! which it was. The click does not reach the page. It ends with a choice, by Escape, when the page goes elsewhere, or
//! after a minute.

use super::{COLOUR, Selection, hold, let_go, locating, send, set};
use crate::{
    browser::Core,
    clock::Millis,
    failure::Failure,
    io::ChromeTab,
    mark,
    place::{Reach, places},
    session::Session,
    tab::{Sequence, Tab},
    tabs,
};
use cdp::{
    BackendId, FrameId, SessionId,
    overlay::{InspectConfig, InspectMode, Rgba, SetInspectMode},
};
use futures::{
    StreamExt as _,
    future::{Either, select},
    stream::FuturesUnordered,
};
use serde::Serialize;
use snapshot::tree::Pointed;
use std::{collections::BTreeSet, pin::pin, rc::Rc};

/// How a choice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PickEnd {
    /// Something was picked.
    Picked,
    /// The person pressed Escape, or ended it in one of our pages.
    Cancelled,
    /// The page went elsewhere.
    Left,
    /// Nobody picked anything for a minute.
    Late,
    /// The tab cannot be picked in.
    Refused,
}

/// A choice that goes on in a tab.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picking {
    /// What the browser said was picked, in which session.
    pub picked: Option<(Option<SessionId>, BackendId)>,
    /// Whether the mouse picks by now.
    pub begun: bool,
    /// Whether it is to end without one.
    pub cancelled: bool,
}

/// How long a choice may take.
const LIMIT: Millis = Millis(60_000);

/// How what the mouse is over is shown: with its role and name.
const SHOWN: InspectConfig = InspectConfig {
    show_info: true,
    show_accessibility_info: true,
    content_color: COLOUR,
    border_color: Rgba { a: 1.0, ..COLOUR },
};

/// Lets the person pick an element of a tab. With `sends` what they pick is sent as well.
pub async fn pick(core: &Rc<Core>, chrome: ChromeTab, sends: bool) -> PickEnd {
    let Ok(tab) = hold(core, chrome).await else { return PickEnd::Refused };
    if tab.state.borrow().picking.is_some() {
        // It goes on already.
        return PickEnd::Cancelled;
    }
    tab.state.borrow_mut().picking = Some(Picking::default());
    let ended = choose(core, &tab).await;
    let picked = match ended {
        Ok(Either::Left((session, node))) => take(core, &tab, session.as_ref(), node).await,
        Ok(Either::Right(end)) => Ok(end),
        Err(failure) => Err(failure),
    };
    let end = picked.unwrap_or(PickEnd::Left);
    // Only now: whoever sees that it ended sees what was picked.
    {
        let mut state = tab.state.borrow_mut();
        state.picking = None;
        state.pick_ended = Some(end);
    }
    core.pointing.ended.set(core.pointing.ended.get().wrapping_add(1));
    match end {
        PickEnd::Picked if sends => send(core, chrome),
        PickEnd::Picked => {}
        PickEnd::Cancelled | PickEnd::Left | PickEnd::Late | PickEnd::Refused => {
            if !core.pointing.watched.borrow().contains_key(&chrome) {
                let_go(core, chrome);
            }
        }
    }
    tab.signal.raise();
    end
}

/// The person ends the choice.
pub fn end(core: &Rc<Core>, chrome: ChromeTab) {
    let Some(tab) = core.tab_of(chrome) else { return };
    if let Some(picking) = &mut tab.state.borrow_mut().picking {
        picking.cancelled = true;
    }
    tab.signal.raise();
}

type Choice = Either<(Option<SessionId>, BackendId), PickEnd>;

/// Waits until one of the ways out is taken, then has the mouse reach the page again.
async fn choose(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Choice, Failure> {
    let begun = tab.state.borrow().commit.at;
    let mut sessions = BTreeSet::new();
    let ended = {
        let late = core.desk.sleep(LIMIT);
        match select(pin!(late), pin!(go_on(core, tab, begun, &mut sessions))).await {
            Either::Left(((), _)) => Ok(Either::Right(PickEnd::Late)),
            Either::Right((ended, _)) => ended,
        }
    };
    for id in sessions {
        let session = Session { core: core.clone(), tab: tab.clone(), id };
        // A session that went picks nothing any more.
        let off = SetInspectMode { mode: InspectMode::None, highlight_config: SHOWN };
        let _ = session.call(&off).await;
    }
    for reach in documents(core, tab).await.unwrap_or_default() {
        // One that went watches no more.
        let _ = reach.escape_passes().await;
    }
    ended
}

async fn go_on(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    begun: Sequence,
    sessions: &mut BTreeSet<Option<SessionId>>,
) -> Result<Choice, Failure> {
    let mut watched: BTreeSet<(Option<SessionId>, FrameId, i64)> = BTreeSet::new();
    let mut keys = FuturesUnordered::new();
    loop {
        // Frames may come while the person chooses.
        let documents_seen = tab.state.borrow().documents;
        let children = tab.state.borrow().children.len();
        for reach in documents(core, tab).await? {
            let id = reach.session.id.clone();
            if sessions.insert(id.clone()) {
                mark::prepare(&reach.session);
                let on = SetInspectMode { mode: InspectMode::SearchForNode, highlight_config: SHOWN };
                reach.session.call(&on).await?;
            }
            if watched.insert((id, reach.place.frame.clone(), reach.place.context.0)) {
                keys.push(async move { reach.escape_pressed(LIMIT).await });
            }
        }
        if let Some(picking) = &mut tab.state.borrow_mut().picking {
            picking.begun = true;
        }
        let changed = tab.signal.until(|| {
            let state = tab.state.borrow();
            let picking = state.picking.clone().unwrap_or_default();
            if let Some(trouble) = state.lost.clone() {
                return Some(Err(trouble));
            }
            if let Some(picked) = picking.picked {
                return Some(Ok(Some(Either::Left(picked))));
            }
            if picking.cancelled {
                return Some(Ok(Some(Either::Right(PickEnd::Cancelled))));
            }
            if state.commit.at != begun {
                return Some(Ok(Some(Either::Right(PickEnd::Left))));
            }
            let more = state.documents != documents_seen || state.children.len() != children;
            more.then_some(Ok(None))
        });
        let escaped = async {
            // What no longer answers has gone; the others go on.
            while let Some(answer) = keys.next().await {
                if matches!(answer, Ok(true)) {
                    return;
                }
            }
            std::future::pending::<()>().await;
        };
        match select(pin!(changed), pin!(escaped)).await {
            Either::Left((Ok(Some(choice)), _)) => return Ok(choice),
            Either::Left((Ok(None), _)) => {}
            Either::Left((Err(failure), _)) => return Err(failure),
            Either::Right(((), _)) => return Ok(Either::Right(PickEnd::Cancelled)),
        }
    }
}

/// The documents of the tab that can be asked.
async fn documents(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Vec<Reach>, Failure> {
    let found = places(core, tab).await?;
    Ok(found.into_iter().filter_map(|found| Some(Reach::new(core, tab, found.place.ok()?))).collect())
}

/// What was picked becomes the tab's selection.
async fn take(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    session: Option<&SessionId>,
    node: BackendId,
) -> Result<PickEnd, Failure> {
    let _turn = tabs::turn(core, tab).await;
    let Some(found) = locating::named(core, tab, session, node).await? else { return Ok(PickEnd::Left) };
    let selection = Selection {
        how: Pointed::Picked,
        document: found.document,
        element: found.element,
        reference: None,
        part: found.part,
        at: core.desk.now(),
    };
    set(core, tab, Some(selection));
    locating::show(core, tab).await?;
    Ok(PickEnd::Picked)
}
