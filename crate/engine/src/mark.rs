//! What is worked, shown to the person: an outline around the element and a pointer on it, drawn by the browser over
//! the page, where the page can neither read nor click them. Only in a tab that is in front, where somebody may see
//! it. No act waits for a mark; each fades by itself.

use crate::{
    act, browser::Core, clock::Millis, failure::Failure, nodes, place::Reach, popup, session::Session,
    tab::Tab, target::Target,
};
use cdp::{
    SessionId,
    overlay::{self, HighlightConfig, HighlightQuad, HingeConfig, Rect, Rgba, SetShowHinge},
};
use serde::Deserialize;
use snapshot::Ref;
use std::{collections::BTreeSet, rc::Rc};

/// What is drawn in a tab.
#[derive(Debug, Default)]
pub struct Marks {
    /// Sessions that can draw.
    ready: BTreeSet<Option<SessionId>>,
    /// Sessions in which something is drawn.
    drawn: BTreeSet<Option<SessionId>>,
    /// The number of the last mark: an older one does not take it away.
    last: u64,
}

/// How long a mark stays, and how long it then fades.
const STAYS: Millis = Millis(900);
const FADES: Millis = Millis(350);

const fn colour(a: f64) -> Rgba {
    Rgba { r: 242, g: 113, b: 28, a }
}

/// A box as the page script tells it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct Spot {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// What the page script answers to `view`, as far as it matters here.
#[derive(Deserialize)]
struct View {
    x: f64,
    y: f64,
    sx: f64,
    sy: f64,
}

/// Whether the person sees this tab and wants marks.
fn is_seen(core: &Core, tab: &Tab) -> bool {
    let chrome = tab.state.borrow().chrome;
    core.appearance.get().outline && chrome.is_some_and(|chrome| popup::is_in_front(core, chrome))
}

/// Marks an element that is about to be worked.
pub fn element(target: &Target) {
    let (core, tab) = (&target.reach.session.core, &target.reach.session.tab);
    if !is_seen(core, tab) {
        return;
    }
    let target = target.clone();
    core.desk.spawn(async move {
        // An element that went is not marked.
        if let Ok(Some(spot)) = place(&target).await {
            let point = (spot.x + spot.width / 2.0, spot.y + spot.height / 2.0);
            draw(&target.reach.session, Some(spot), point).await;
        }
    });
}

/// Marks a point of the root's viewport that is about to be worked.
pub fn point(core: &Rc<Core>, tab: &Rc<Tab>, x: f64, y: f64) {
    if is_seen(core, tab) {
        let session = Session::root(core, tab);
        core.desk.spawn(async move { draw(&session, None, (x, y)).await });
    }
}

/// Where an element is in the viewport of its session, through the frames of its process.
async fn place(target: &Target) -> Result<Option<Spot>, Failure> {
    let Some(mut spot) = target.reach.ask::<Option<Spot>>(&format!("spot({})", target.element.0)).await?
    else {
        return Ok(None);
    };
    for (outer, element) in act::way_out(target) {
        if outer.session.id != target.reach.session.id {
            break;
        }
        let Some(view) = outer.ask::<Option<View>>(&format!("view({})", element.0)).await? else {
            return Ok(None);
        };
        spot = Spot {
            x: view.x + spot.x * view.sx,
            y: view.y + spot.y * view.sy,
            width: spot.width * view.sx,
            height: spot.height * view.sy,
        };
    }
    Ok(Some(spot))
}

/// Has a session draw over its page from now on. It answers in turn: what is drawn may be asked for at once.
pub fn prepare(session: &Session) {
    if session.tab.state.borrow_mut().marks.ready.insert(session.id.clone()) {
        // `Overlay` wants it. A session that refuses draws nothing, and nothing else hangs on it.
        nodes::need(session);
        drop(session.call(&overlay::Enable {}));
    }
}

/// Draws the marks, and has them fade.
async fn draw(session: &Session, spot: Option<Spot>, (x, y): (f64, f64)) {
    let (core, tab) = (&session.core, &session.tab);
    prepare(session);
    let number = {
        let mut state = tab.state.borrow_mut();
        state.marks.drawn.insert(session.id.clone());
        state.marks.last += 1;
        state.marks.last
    };
    let rect = spot.map(rect);
    drop(session.call(&outline(rect, 1.0)));
    drop(session.call(&arrow(x, y)));
    core.desk.sleep(STAYS).await;
    let is_last = || tab.state.borrow().marks.last == number;
    if !is_last() {
        return;
    }
    drop(session.call(&overlay::HideHighlight {}));
    drop(session.call(&outline(rect, 0.35)));
    core.desk.sleep(FADES).await;
    if is_last() {
        clear(core, tab).await;
    }
}

/// Takes all marks of a tab away: a picture of the page is of the page alone.
pub async fn clear(core: &Rc<Core>, tab: &Rc<Tab>) {
    let drawn = std::mem::take(&mut tab.state.borrow_mut().marks.drawn);
    for id in drawn {
        let session = Session { core: core.clone(), tab: tab.clone(), id };
        let hidden = session.call(&overlay::HideHighlight {});
        let bare = session.call(&outline(None, 0.0));
        // A session that went shows nothing any more.
        let _ = futures::future::join(hidden, bare).await;
    }
}

fn outline(rect: Option<Rect>, strength: f64) -> SetShowHinge {
    let config = rect.map(|rect| HingeConfig {
        rect,
        content_color: colour(0.12 * strength),
        outline_color: colour(strength),
    });
    SetShowHinge { hinge_config: config }
}

/// A little larger than the element: its own edge stays to be seen.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates, as is meant")]
fn rect(spot: Spot) -> Rect {
    const AROUND: f64 = 3.0;
    let (x, y) = ((spot.x - AROUND).max(0.0), (spot.y - AROUND).max(0.0));
    let (right, bottom) = (spot.x + spot.width + AROUND, spot.y + spot.height + AROUND);
    let (width, height) = ((right - x).ceil().max(1.0), (bottom - y).ceil().max(1.0));
    Rect { x: x as u32, y: y as u32, width: width as u32, height: height as u32 }
}

/// A pointer whose tip is there.
fn arrow(x: f64, y: f64) -> HighlightQuad {
    let white = Rgba { r: 255, g: 255, b: 255, a: 1.0 };
    let quad = [x, y, x, y + 22.0, x + 6.0, y + 16.0, x + 15.5, y + 15.5];
    HighlightQuad { quad, color: colour(1.0), outline_color: white }
}

/// Shows the person where the element of a ref is, until another is pointed out, or none.
pub fn point_out(core: &Rc<Core>, reference: Option<Ref>) {
    let before = core.pointed.borrow_mut().take();
    if let Some(session) = before {
        drop(session.call(&overlay::HideHighlight {}));
    }
    let Some(reach) = reference.and_then(|reference| reach(core, reference)) else { return };
    let (reach, element) = reach;
    prepare(&reach.session);
    core.pointed.replace(Some(reach.session.clone()));
    core.desk.spawn(async move {
        let Ok(object_id) = reach.object(element).await else { return };
        let highlight_config = HighlightConfig {
            content_color: colour(0.35),
            padding_color: colour(0.25),
            border_color: colour(0.6),
        };
        drop(reach.session.call(&overlay::HighlightNode { object_id, highlight_config }));
        reach.release();
    });
}

/// The element of a ref, if its page is held and shows it.
fn reach(core: &Rc<Core>, reference: Ref) -> Option<(Reach, snapshot::ElementNo)> {
    let (document, element) = core.refs.borrow().lookup(reference)?;
    let name = core.documents.borrow().get(&document).copied()?;
    let tab = core.tabs.borrow().get(&name).cloned()?;
    let place = tab.state.borrow().homes.get(&document).cloned()?;
    Some((Reach::new(core, &tab, place), element))
}
