//! Keys reach the element they are meant for, or nothing: each is watched on arrival in every document of the tab, and
//! stopped where another element has the focus. Knows nothing of what is typed.

use super::{Done, Stage, aim::Brief};
use crate::{
    failure::Failure,
    place::{Place, Reach},
    reply,
    target::{self, Target},
};
use futures::future::join_all;
use serde::Deserialize;
use snapshot::DocumentNo;

/// Keys that are watched.
#[derive(Debug, Clone)]
pub struct Heeded {
    /// Whose they are.
    said: String,
    /// Where that is.
    own: Place,
    /// Every document that watches.
    places: Vec<(DocumentNo, Place)>,
}

impl Heeded {
    /// The document whose element they are for.
    pub fn own(&self) -> &Place {
        &self.own
    }
}

#[derive(Debug, Deserialize)]
struct Became {
    taken: u32,
    stopped: Option<Brief>,
}

/// From now on keys go to this element alone.
///
/// # Errors
/// When its document went.
pub async fn heed(target: &Target) -> Result<(), Failure> {
    let (core, tab) = (&target.reach.session.core, &target.reach.session.tab);
    let places: Vec<_> = tab.state.borrow().homes.clone().into_iter().collect();
    let own = target.reach.place.clone();
    tab.state.borrow_mut().heeded = Some(Heeded { said: target.said.clone(), own, places: places.clone() });
    let asked = places.into_iter().map(|(document, place)| async move {
        let own = document == target.document;
        let whose = if own { target.element.0 } else { 0 };
        let heeds = Reach::new(core, tab, place).ask::<bool>(&format!("heed({whose})")).await;
        // Another document that went takes no keys.
        if own { heeds.map(|_| ()) } else { Ok(()) }
    });
    join_all(asked).await.into_iter().collect()
}

/// Ends the watch, if there was one. What was done is no success if keys were stopped.
///
/// # Errors
/// What the act failed with; [`Failure::FocusMoved`] when keys were stopped.
pub async fn ended(stage: &Stage, done: Result<Done, Failure>) -> Result<Done, Failure> {
    let heeded = stage.tab.state.borrow_mut().heeded.take();
    let Some(Heeded { said, own: _, places }) = heeded else { return done };
    let asked = places.into_iter().map(|(document, place)| async move {
        let became = Reach::new(&stage.core, &stage.tab, place).ask::<Option<Became>>("heeded()").await;
        // A document that went, or stands still behind a dialog, has nothing to tell.
        (document, became.ok().flatten())
    });
    let became: Vec<_> = join_all(asked).await.into_iter().filter_map(|(at, it)| Some((at, it?))).collect();
    let taken = became.iter().map(|(_, it)| it.taken).sum();
    let stopped = became.iter().find_map(|(document, it)| Some((*document, it.stopped.as_ref()?)));
    match stopped {
        Some((document, by)) => {
            let to = named(stage, document, by);
            Err(Failure::FocusMoved { target: said, to, taken })
        }
        None => done,
    }
}

fn named(stage: &Stage, document: DocumentNo, brief: &Brief) -> String {
    let known = stage.core.refs.borrow().get(document, brief.element);
    let tree = stage.tab.state.borrow().captured.clone();
    match tree.zip(known) {
        Some((tree, known)) if tree.node_of(known).is_some() => target::said(&tree, known),
        Some(_) | None if matches!(brief.tag.as_str(), "body" | "html") => "nothing".into(),
        Some(_) | None => format!("<{}> {}", brief.tag, reply::quoted(&brief.name)),
    }
}
