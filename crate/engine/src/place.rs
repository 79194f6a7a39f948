//! A document we can ask: its frame, its session, our world in it. Finds the places of a tab, and asks them.

use crate::{
    browser::Core,
    clock::Millis,
    failure::Failure,
    reply,
    session::{Session, WORLD},
    tab::Tab,
    task::{PROMPT, all},
};
use cdp::{ContextId, FrameId, LoaderId, ObjectId, SessionId, page, runtime};
use serde::de::DeserializeOwned;
use snapshot::ElementNo;
use std::{future::Future, rc::Rc};

/// One document of a tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The session that reaches it; the tab's own when none.
    pub session: Option<SessionId>,
    /// The frame that shows it.
    pub frame: FrameId,
    /// Its load.
    pub loader: LoaderId,
    /// Our world in it.
    pub context: ContextId,
    /// Its address.
    pub url: String,
}

/// A frame of the tab, and the place in it or why there is none.
#[derive(Clone)]
pub struct Found {
    /// The frame.
    pub frame: FrameId,
    /// Its address.
    pub url: String,
    /// The place.
    pub place: Result<Place, Failure>,
}

/// The group of objects we hold in pages for a moment.
pub const GROUP: &str = "tabwright";

/// A place with the means to ask it.
#[derive(Clone)]
pub struct Reach {
    /// The session.
    pub session: Session,
    /// The place.
    pub place: Place,
}

impl Reach {
    /// Makes a place askable.
    pub fn new(core: &Rc<Core>, tab: &Rc<Tab>, place: Place) -> Self {
        let session = Session { core: core.clone(), tab: tab.clone(), id: place.session.clone() };
        Self { session, place }
    }

    /// Asks our script; `question` is a call of it, like `aim(7)`.
    ///
    /// # Errors
    /// When the document went, the script threw, or the page was busy too long.
    pub async fn ask<T: DeserializeOwned>(&self, question: &str) -> Result<T, Failure> {
        self.ask_within(question, PROMPT).await
    }

    /// Has our script do something in the page; `deed` is a call of it, like `set(7,"text")`.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn have_done<T: DeserializeOwned>(&self, deed: &str) -> Result<T, Failure> {
        self.session.core.begins();
        self.ask(deed).await
    }

    /// Asks, with a limit of its own.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn ask_within<T: DeserializeOwned>(&self, question: &str, limit: Millis) -> Result<T, Failure> {
        let text =
            self.text(&format!("Promise.resolve(w.{question}).then(JSON.stringify)"), true, limit).await?;
        serde_json::from_str(&text).map_err(|e| {
            Failure::Unreadable(format!("the page script's answer to {question} does not read: {e}"))
        })
    }

    /// The document's facts, whole or what is new; `which` are the collector's arguments.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn facts(&self, which: &str) -> Result<String, Failure> {
        self.text(&format!("c.facts({which})"), false, PROMPT).await
    }

    /// Asks for elements; `question` is a call of the page script `lookup`.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn lookup<T: DeserializeOwned>(&self, question: &str) -> Result<T, Failure> {
        let text = self
            .text(&format!("JSON.stringify(globalThis[Symbol.for(\"lookup\")].{question})"), false, PROMPT)
            .await?;
        serde_json::from_str(&text)
            .map_err(|e| Failure::Unreadable(format!("the answer to {question} does not read: {e}")))
    }

    /// Asks what an element looks like to who writes the page; `question` is a call of the page script `portrait`.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn portrait<T: DeserializeOwned>(&self, question: &str) -> Result<T, Failure> {
        let text = self
            .text(&format!("JSON.stringify(globalThis[Symbol.for(\"portrait\")].{question})"), false, PROMPT)
            .await?;
        serde_json::from_str(&text)
            .map_err(|e| Failure::Unreadable(format!("the answer to {question} does not read: {e}")))
    }

    /// Tells the document which of its elements the person points at; 0 for none.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn point(&self, element: u32) -> Result<(), Failure> {
        self.text(&format!("String(c.point({element}))"), false, PROMPT).await.map(drop)
    }

    /// Waits until the person presses Escape in the document, which then does not see it: true when they did, false when
    /// it was called off.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn escape_pressed(&self, limit: Millis) -> Result<bool, Failure> {
        let value = "globalThis[Symbol.for(\"escape\")].heed().then(String)";
        Ok(self.text(value, true, limit).await? == "true")
    }

    /// Calls that off.
    ///
    /// # Errors
    /// As [`Reach::ask`].
    pub async fn escape_passes(&self) -> Result<(), Failure> {
        self.text("String(globalThis[Symbol.for(\"escape\")].end())", false, PROMPT).await.map(drop)
    }

    async fn text(&self, value: &str, wait: bool, limit: Millis) -> Result<String, Failure> {
        const ABSENT: &str = "absent";
        let expression = format!(
            "(()=>{{const w=globalThis[Symbol.for(\"witness\")],c=globalThis[Symbol.for(\"collector\")];\
             return w&&w.of===document?{value}:{ABSENT:?}}})()"
        );
        for _ in 0..2 {
            let text = self.evaluate(expression.clone(), wait, limit).await?;
            if text != ABSENT {
                return Ok(text);
            }
            // A document that was there before our scripts could be installed.
            let source = format!("{};\"\"", self.session.core.script());
            self.evaluate(source, false, PROMPT).await?;
        }
        Err(Failure::Unreadable("the page script is not there".into()))
    }

    fn evaluate(
        &self,
        expression: String,
        wait: bool,
        limit: Millis,
    ) -> impl Future<Output = Result<String, Failure>> + use<> {
        let command =
            runtime::EvaluateText { expression, context_id: self.place.context, await_promise: wait };
        let answer = self.session.call_within(&command, limit);
        async move { answer.await?.0.map_err(|thrown| Failure::Thrown { message: thrown.0 }) }
    }

    /// Holds an element as an object, for commands that take one. Let go with [`Reach::release`].
    ///
    /// # Errors
    /// As [`Reach::ask`]; [`Failure::DocumentChanged`] when the element is no more.
    pub async fn object(&self, element: ElementNo) -> Result<ObjectId, Failure> {
        let command = runtime::EvaluateObject {
            expression: format!("globalThis[Symbol.for(\"collector\")].element({})", element.0),
            context_id: self.place.context,
            object_group: GROUP.into(),
        };
        let object =
            self.session.call(&command).await?.0.map_err(|thrown| Failure::Thrown { message: thrown.0 })?;
        object.ok_or(Failure::DocumentChanged)
    }

    /// Lets go of the objects held.
    pub fn release(&self) {
        // Its answer tells nothing.
        drop(self.session.call(&runtime::ReleaseObjectGroup { object_group: GROUP.into() }));
    }
}

/// How long a frame other than the root may take to be reached.
const FRAME: Millis = Millis(2_000);

/// The places of a tab, the root frame's first, parents before their children of the same process. Waits for frames
/// whose session is just being set up.
///
/// # Errors
/// When the tab's own session does not answer.
pub async fn places(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Vec<Found>, Failure> {
    let ready = async {
        let settled = tab.signal.until(|| {
            let state = tab.state.borrow();
            state.children.values().all(|child| child.ready).then_some(())
        });
        settled.await;
        Ok(())
    };
    // A frame that is not ready by then is told as one that cannot be read.
    let _ = core.desk.within(Millis(3_000), "setting up a frame", ready).await;
    let mut sessions = vec![(None, None)];
    let children = tab.state.borrow().children.clone();
    sessions.extend(children.into_iter().map(|(id, child)| (Some(id), Some(child.frame))));
    let trees = sessions.into_iter().map(|(id, shown)| {
        let session = Session { core: core.clone(), tab: tab.clone(), id };
        async move {
            let tree = frame_tree(&session, shown.as_ref()).await;
            (session, shown, tree)
        }
    });
    let mut frames = Vec::new();
    let mut found = Vec::new();
    for (session, shown, tree) in all(trees).await {
        match (tree, shown) {
            (Ok(tree), _) => {
                frames.extend(tree.frame_tree.flatten().into_iter().map(|frame| (session.clone(), frame)));
            }
            (Err(failure), None) => return Err(failure),
            (Err(failure @ Failure::TimedOut { .. }), Some(frame)) => {
                tab.fell_silent(&frame, core.desk.now());
                found.push(Found { frame, url: String::new(), place: Err(failure) });
            }
            // The frame went meanwhile; its parent's capture shows what is there instead.
            (Err(_), Some(_)) => {}
        }
    }
    let root = frames.first().map(|(_, frame)| frame.id.clone());
    let reached = frames.into_iter().map(|(session, frame)| {
        let own = root.as_ref() == Some(&frame.id);
        async move {
            if let Some(url) = frame.unreachable_url.clone().filter(|_| !own) {
                let why = "the browser shows its error page".into();
                let place = Err(Failure::NavigationFailed { url: reply::address(&url), why });
                return Found { frame: frame.id, url, place };
            }
            let place = if own {
                place(&session, &frame).await
            } else {
                // A frame that hangs must not hold up the others.
                session.core.desk.within(FRAME, "reaching the frame", place(&session, &frame)).await
            };
            Found { frame: frame.id, url: frame.url, place }
        }
    });
    let mut reached = all(reached).await;
    reached.extend(found);
    Ok(reached)
}

/// The frames of a session. One that shows a frame which does not answer must not hold up the others.
async fn frame_tree(session: &Session, shown: Option<&FrameId>) -> Result<page::FrameTreeReply, Failure> {
    let desk = &session.core.desk;
    match shown {
        None => session.call(&page::GetFrameTree {}).await,
        Some(frame) if session.tab.is_silent(frame, desk.now()) => {
            Err(Failure::TimedOut { what: "reaching the frame", after: FRAME })
        }
        Some(_) => desk.within(FRAME, "reaching the frame", session.call(&page::GetFrameTree {})).await,
    }
}

async fn place(session: &Session, frame: &page::Frame) -> Result<Place, Failure> {
    let key = (session.id.clone(), frame.id.clone());
    let known = session.tab.state.borrow().contexts.get(&key).cloned();
    let context = match known {
        Some((loader, context)) if loader == frame.loader_id => context,
        _ => {
            let made = session
                .call(&page::CreateIsolatedWorld { frame_id: frame.id.clone(), world_name: WORLD.into() })
                .await?;
            let context = made.execution_context_id;
            session.tab.state.borrow_mut().contexts.insert(key, (frame.loader_id.clone(), context));
            context
        }
    };
    Ok(Place {
        session: session.id.clone(),
        frame: frame.id.clone(),
        loader: frame.loader_id.clone(),
        context,
        url: frame.url.clone(),
    })
}
