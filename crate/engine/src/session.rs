//! Typed commands to one session of a tab. Every call has an end: an answer, a failure of the tab that would keep
//! the answer away, or a time limit.

use crate::{
    browser::Core,
    clock::Millis,
    failure::Failure,
    io::{ChromeCall, ChromeTab},
    tab::{Link, Tab},
    task::PROMPT,
};
use cdp::{
    Answer, Command, ScriptId, SessionId, emulation, fetch, inspector, network, page, performance, runtime,
    target,
};
use futures::future::{Either, FutureExt, LocalBoxFuture, select};
use std::{future::Future, pin::pin, rc::Rc};

/// The name of our isolated world.
pub const WORLD: &str = "tabwright";

/// One session: the tab's own, or that of a cross-process frame.
#[derive(Clone)]
pub struct Session {
    /// The engine's core.
    pub core: Rc<Core>,
    /// The tab.
    pub tab: Rc<Tab>,
    /// The session; the tab's own when none.
    pub id: Option<SessionId>,
}

impl Session {
    /// The tab's own session.
    pub fn root(core: &Rc<Core>, tab: &Rc<Tab>) -> Self {
        Self { core: core.clone(), tab: tab.clone(), id: None }
    }

    /// Sends a command. It goes out at once; the future is for its answer.
    pub fn call<C: Command>(&self, command: &C) -> impl Future<Output = Result<C::Reply, Failure>> + use<C> {
        self.call_within(command, PROMPT)
    }

    /// Sends a command that may take longer, or must not.
    pub fn call_within<C: Command>(
        &self,
        command: &C,
        limit: Millis,
    ) -> impl Future<Output = Result<C::Reply, Failure>> + use<C> {
        let answer = self.send(C::METHOD, C::NEEDS_PAGE, command.params(), limit);
        async move { Ok(C::read(answer.await?)?) }
    }

    /// The part that is the same for all commands: compiled once.
    fn send(
        &self,
        method: &'static str,
        needs_page: bool,
        params: String,
        limit: Millis,
    ) -> LocalBoxFuture<'static, Result<Answer, Failure>> {
        let trouble = self.tab.state.borrow().silence(needs_page, method);
        let (chrome, hold) = {
            let state = self.tab.state.borrow();
            (state.chrome, state.holds)
        };
        let (core, tab, session) = (self.core.clone(), self.tab.clone(), self.id.clone());
        let sent = match (trouble, chrome) {
            (Some(trouble), _) => Err(trouble),
            (None, None) => Err(Failure::TabClosed),
            (None, Some(chrome)) => {
                if cdp::DEEDS.contains(&method) {
                    core.begins();
                }
                let session = self.id.clone();
                Ok(core.desk.call(ChromeCall::Send { tab: chrome, session, method: method.into(), params }))
            }
        };
        Box::pin(async move {
            let mut answer = pin!(sent?.fuse());
            let fails = pin!(tab.signal.until(|| {
                let state = tab.state.borrow();
                let over = (state.holds != hold).then(the_hold_was_lost);
                let gone = session.as_ref().is_some_and(|session| !state.children.contains_key(session));
                state.silence(needs_page, method).or(over).or(gone.then_some(Failure::FrameGone))
            }));
            let ends = pin!(core.desk.sleep(limit));
            let answered = match select(&mut answer, select(fails, ends)).await {
                Either::Left((answered, _)) => answered,
                Either::Right((Either::Left((trouble, _)), _)) => return Err(trouble),
                Either::Right((Either::Right(((), _)), _)) => {
                    return Err(Failure::TimedOut { what: method, after: limit });
                }
            };
            answered.map_err(|error| {
                // Of an earlier hold that is known; a later one is not lost by it.
                if error.is_detached() && tab.state.borrow().holds == hold {
                    // Nobody told that the hold was lost: the next call takes it again.
                    tab.state.borrow_mut().let_go(Some(the_hold_was_lost()));
                    tab.signal.raise();
                }
                let known = error.is_session_gone() || error.is_context_gone() || error.is_detached();
                if error.code.is_some() && !known {
                    Failure::Refused { method, message: error.message }
                } else {
                    Failure::from(error)
                }
            })
        })
    }

    /// Sets the session up for reading: events, our script in every document, sessions of the frames below.
    ///
    /// # Errors
    /// When the session or the tab went meanwhile.
    pub async fn set_up(&self) -> Result<(), Failure> {
        let script =
            page::AddScript { source: self.core.script(), world_name: WORLD.into(), run_immediately: true };
        // All under way at once; `Page.enable` first, or a dialog could not be answered.
        let enabled = self.call(&page::Enable {});
        let inspected = self.call(&inspector::Enable {});
        let focused = self.call(&emulation::SetFocusEmulationEnabled { enabled: true });
        let counted = self.call(&performance::Enable {});
        let requests = self.call(&network::Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0 });
        let guarded = self.call(&fetch::Enable::documents());
        let installed = self.call(&script);
        let frames = self.call(&target::SetAutoAttach::frames());
        enabled.await?;
        // Frames of some kinds have no such domains of their own; the tab's session has.
        let (inspected, focused, requests) = (inspected.await, focused.await, requests.await);
        let guarded = guarded.await;
        // Where the browser does not count, everything is read at each capture.
        let _ = counted.await;
        if self.id.is_none() {
            inspected?;
            focused?;
            requests?;
            guarded?;
        }
        let installed = installed.await?;
        frames.await?;
        if self.id.is_none() {
            self.tab.state.borrow_mut().script = Some(installed.identifier);
        }
        Ok(())
    }

    /// Sets up the session of a cross-process frame and lets the frame go on, whatever happens.
    pub async fn adopt(self) {
        let set_up = self.set_up().await;
        // A frame that does not wait answers with an error that says so.
        let _ = self.call(&runtime::RunIfWaiting {}).await;
        if let (Ok(()), Some(id)) = (set_up, &self.id)
            && let Some(child) = self.tab.state.borrow_mut().children.get_mut(id)
        {
            child.ready = true;
        }
        self.tab.signal.raise();
    }
}

fn the_hold_was_lost() -> Failure {
    Failure::Detached { reason: "the hold was lost".into() }
}

/// Attaches to a tab if we are not attached, and waits for another procedure that does so.
///
/// # Errors
/// When the tab is gone or the browser refuses it.
pub async fn attach(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<(), Failure> {
    tab.signal.until(|| (tab.state.borrow().link != Link::Attaching).then_some(())).await;
    let (link, chrome, url) = {
        let state = tab.state.borrow();
        (state.link.clone(), state.chrome, state.url.clone())
    };
    if link == Link::Attached {
        return Ok(());
    }
    let chrome = chrome.ok_or(Failure::TabClosed)?;
    crate::address::drivable(&url)?;
    let script = tab.state.borrow_mut().script.take();
    {
        let mut state = tab.state.borrow_mut();
        state.let_go(None);
        state.link = Link::Attaching;
    }
    let attaching = Attaching(tab);
    take_hold(core, tab, chrome, script).await?;
    tab.state.borrow_mut().link = Link::Attached;
    drop(attaching);
    Ok(())
}

/// Whoever attaches may be stopped in the middle: the next caller must not wait for them.
struct Attaching<'a>(&'a Tab);

impl Drop for Attaching<'_> {
    fn drop(&mut self) {
        {
            let mut state = self.0.state.borrow_mut();
            if state.link == Link::Attaching {
                state.link = Link::Idle;
            }
        }
        self.0.signal.raise();
    }
}

/// The size of a page that nobody looks at, in CSS pixels.
const UNSEEN: (u32, u32) = (1280, 720);

/// The person looks at a tab: from now on it has the size of its window.
pub fn looked_at(core: &Rc<Core>, tab: ChromeTab) {
    let Some(tab) = core.tab_of(tab) else { return };
    if std::mem::take(&mut tab.state.borrow_mut().sized) {
        // Its answer tells nothing.
        drop(Session::root(core, &tab).call(&emulation::ClearDeviceMetricsOverride {}));
    }
}

async fn take_hold(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    chrome: ChromeTab,
    script: Option<ScriptId>,
) -> Result<(), Failure> {
    let revived = std::mem::take(&mut tab.state.borrow_mut().discarded);
    if revived {
        // Attaching to an emptied tab succeeds, but evaluation in it never ends.
        core.desk.ask(ChromeCall::ReloadTab { tab: chrome }).await?;
    }
    let attached =
        core.desk.within(PROMPT, "attaching", core.desk.call(ChromeCall::Attach { tab: chrome }).map(Ok));
    if let Err(error) = attached.await? {
        // An earlier life of this worker is still attached: the attachment outlives it.
        if !error.message.contains("already attached") {
            return Err(match error.message {
                message if message.contains("Cannot access") || message.contains("cannot be scripted") => {
                    let url = tab.state.borrow().url.clone();
                    Failure::NotDrivable { url, why: "the browser keeps its own pages to itself" }
                }
                message => Failure::Browser { message },
            });
        }
        let root = Session::root(core, tab);
        root.call(&target::SetAutoAttach::off()).await?;
        // What that life stopped and never let go on goes on.
        root.call(&fetch::Disable {}).await?;
        if let Some(identifier) = script {
            // One that is not known any more is gone, which is what is wanted.
            let _ = root.call(&page::RemoveScript { identifier }).await;
        }
    }
    let root = Session::root(core, tab);
    root.set_up().await?;
    if revived {
        // Nobody has looked at it since: the browser gave it no size yet.
        let (width, height) = UNSEEN;
        let sized =
            emulation::SetDeviceMetricsOverride { width, height, device_scale_factor: 0, mobile: false };
        root.call(&sized).await?;
        tab.state.borrow_mut().sized = true;
    }
    let frames = root.call(&page::GetFrameTree {}).await?.frame_tree.flatten();
    if let Some(frame) = frames.first() {
        let mut state = tab.state.borrow_mut();
        state.root = Some(frame.id.clone());
        state.url.clone_from(&frame.url);
    }
    Ok(())
}
