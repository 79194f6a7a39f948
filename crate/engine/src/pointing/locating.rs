//! From what a page says of a node, or from the browser's own word on it, to an element of ours: looked up in our world,
//! through frames and shadow roots, closed ones too.

use super::report::{Step, Whereabouts, Within};
use crate::{
    browser::Core, capture, failure::Failure, fill_in, mark, place::Reach, scope, tab::Tab, task::all,
};
use cdp::{
    BackendId, SessionId,
    overlay::{self, HighlightConfig, Rgba},
};
use serde::Deserialize;
use snapshot::{DocumentNo, ElementNo};
use std::rc::Rc;

/// A node that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its document.
    pub document: DocumentNo,
    /// The element, or the one that it is in.
    pub element: ElementNo,
    /// Where it is no element: its kind, and what it says.
    pub part: Option<(String, String)>,
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// This.
    Node(Node),
    /// Nothing that is there, or something else than it says.
    Nothing,
    /// There are several documents of its address.
    Several,
}

/// What the page script says of the end of a path.
#[derive(Deserialize)]
struct End {
    number: ElementNo,
    closed: ElementNo,
    kind: String,
    text: String,
}

/// Closed roots in one another are opened one after the other; no page has so many.
const DEEPEST: usize = 32;

/// Finds what a page says is selected.
pub async fn find(core: &Rc<Core>, tab: &Rc<Tab>, whereabouts: &Whereabouts) -> Result<Found, Failure> {
    // It says which frame each frame element shows, and numbers the documents.
    let tree = capture::capture(core, tab).await?;
    let all = scope::reaches(core, tab, &tree);
    let place = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    let wanted = place(&whereabouts.url);
    let mut begins = all.iter().enumerate().filter(|(index, (_, reach))| {
        if whereabouts.top { *index == 0 } else { *index > 0 && place(&reach.place.url) == wanted }
    });
    let Some((_, (document, reach))) = begins.next() else { return Ok(Found::Nothing) };
    if begins.next().is_some() {
        return Ok(Found::Several);
    }
    let (mut document, mut reach) = (*document, reach.clone());
    let mut found = None;
    let mut rest = whereabouts.parts.as_slice();
    while let Some((_, after)) = rest.split_first() {
        // A document with the shadow roots in it: its page script finds the way through them at once.
        let inside = after.iter().take_while(|(within, _)| *within == Within::Shadow).count();
        let (here, beyond) = rest.split_at(inside + 1);
        if let Some(End { number, .. }) = &found {
            let Some(frame) = tab.state.borrow().frames.get(&(document, *number)).cloned() else {
                return Ok(Found::Nothing);
            };
            let Some(next) = all.iter().find(|(_, reach)| reach.place.frame == frame) else {
                return Ok(Found::Nothing);
            };
            (document, reach) = next.clone();
        }
        let steps: Vec<&[Step]> = here.iter().map(|(_, steps)| steps.as_slice()).collect();
        let end = descend(&reach, document, &steps).await?;
        if end.number.0 == 0 {
            return Ok(Found::Nothing);
        }
        found = Some(end);
        rest = beyond;
    }
    Ok(found.map_or(Found::Nothing, |End { number, kind, text, .. }| {
        let part = (kind != "element").then_some((kind, text));
        Found::Node(Node { document, element: number, part })
    }))
}

async fn descend(reach: &Reach, document: DocumentNo, steps: &[&[Step]]) -> Result<End, Failure> {
    let question = format!("descend({})", serde_json::to_string(steps).unwrap_or_default());
    let mut end: End = reach.lookup(&question).await?;
    for _ in 0..DEEPEST {
        if end.closed.0 == 0 || !fill_in::open(reach, document, end.closed).await? {
            break;
        }
        end = reach.lookup(&question).await?;
    }
    Ok(end)
}

/// Finds the element that the browser itself names: it is in one of the documents of its session.
pub async fn named(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    session: Option<&SessionId>,
    node: BackendId,
) -> Result<Option<Node>, Failure> {
    let tree = capture::capture(core, tab).await?;
    for (document, reach) in scope::reaches(core, tab, &tree) {
        if reach.place.session.as_ref() != session {
            continue;
        }
        if let Some(element) = fill_in::number(&reach, document, node).await? {
            return Ok(Some(Node { document, element, part: None }));
        }
    }
    Ok(None)
}

/// What is picked and what is shown to be pointed at has this colour.
pub const COLOUR: Rgba = Rgba { r: 111, g: 168, b: 220, a: 0.55 };

/// How long it is shown.
const SHOWN: crate::clock::Millis = crate::clock::Millis(1_500);

/// Tells the document what is pointed at in it, and shows the person where that is.
pub async fn show(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<(), Failure> {
    let Some(selection) = tab.state.borrow().selection.clone() else { return Ok(()) };
    let home = tab.state.borrow().homes.get(&selection.document).cloned();
    let Some(place) = home else { return Ok(()) };
    let reach = Reach::new(core, tab, place);
    tell(core, tab, Some((selection.document, selection.element))).await?;
    mark::prepare(&reach.session);
    let object_id = reach.object(selection.element).await?;
    let edge = Rgba { a: 1.0, ..COLOUR };
    let highlight_config =
        HighlightConfig { content_color: COLOUR, padding_color: COLOUR, border_color: edge };
    // It is for the eye alone: what cannot be shown is selected all the same.
    let _ = reach.session.call(&overlay::HighlightNode { object_id, highlight_config }).await;
    reach.release();
    let session = reach.session.clone();
    core.desk.spawn(async move {
        session.core.desk.sleep(SHOWN).await;
        drop(session.call(&overlay::HideHighlight {}));
    });
    Ok(())
}

/// Every document of the tab knows what is pointed at in it, so that it reports it wherever it is.
async fn tell(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    pointed: Option<(DocumentNo, ElementNo)>,
) -> Result<(), Failure> {
    let homes = tab.state.borrow().homes.clone();
    let told = all(homes.into_iter().map(|(document, place)| {
        let number = pointed.filter(|(of, _)| *of == document).map_or(0, |(_, element)| element.0);
        let reach = Reach::new(core, tab, place);
        async move { reach.point(number).await }
    }));
    for told in told.await {
        // A document that went has nothing to report.
        match told {
            Ok(()) | Err(Failure::DocumentChanged | Failure::FrameGone) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}
