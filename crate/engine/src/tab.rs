//! One tab as we know it: our hold on it, its sessions, its dialog, what is under way in it. Events change it; it
//! asks for nothing itself.

use crate::{
    agent::AgentId,
    clock::{Instant, Millis},
    download::Downloads,
    failure::Failure,
    fill_in::Learnt,
    io::{ChromeTab, GroupId},
    look::LastRendered,
    place::{Found, Place},
    reading::Known,
    task::Signal,
};
use cdp::{
    BackendId, ContextId, Event, FrameId, LoaderId, NetworkRequestId, ScriptId, SessionId, event::TargetInfo,
    input::DragData, page::Frame,
};
use futures::lock::Mutex;
use litemap::LiteMap;
use snapshot::{DocumentNo, ElementNo, Tree};
use std::{cell::RefCell, collections::BTreeSet, fmt, rc::Rc};
use tools::TabName;

/// A tab. Its name holds for its life and is never given again.
pub struct Tab {
    /// What agents call it.
    pub name: TabName,
    /// What we know of it. Borrowed for moments only.
    pub state: RefCell<State>,
    /// Raised whenever the state changed.
    pub signal: Signal,
    /// Held by the call that works the page: calls about one tab take turns.
    pub turn: Mutex<()>,
}

impl fmt::Display for Tab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.name.0)
    }
}

/// Our hold on a tab.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Link {
    /// Not attached; attaching is possible.
    #[default]
    Idle,
    /// Being attached by a procedure.
    Attaching,
    /// Attached and set up.
    Attached,
}

/// A dialog of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Dialog {
    /// None.
    #[default]
    None,
    /// One that waits for its answer.
    Open(Prompt),
}

/// What a dialog says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its text.
    pub message: String,
    /// What a prompt is filled with.
    pub default: String,
}

/// How long a frame that did not answer is left alone.
const SILENT: Millis = Millis(10_000);

/// The session of a cross-process frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// The frame.
    pub frame: FrameId,
    /// The session that told us of it.
    pub parent: Option<SessionId>,
    /// Whether it is set up.
    pub ready: bool,
}

/// A request on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Which event told of it.
    pub at: Sequence,
    /// When.
    pub since: Instant,
    /// Where to.
    pub url: String,
}

/// That a page was kept from going somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// After which event.
    pub at: Sequence,
    /// Where to.
    pub url: String,
    /// Why.
    pub why: Failure,
}

/// Counts the events of a tab: what came after an act is of the act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Sequence(pub u64);

/// What a page is busy with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Busy {
    /// A navigation that is not committed.
    Navigating,
    /// A tab that it opens and that has not appeared.
    Opening,
    /// The load of its document.
    Loading,
    /// A request to that address.
    Asking(String),
    /// Changes that do not end.
    Changing,
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Navigating => f.write_str("a navigation"),
            Self::Opening => f.write_str("opening a tab"),
            Self::Loading => f.write_str("loading the page"),
            // Without its query: that is the page's business.
            Self::Asking(url) => {
                write!(
                    f,
                    "a request to {}",
                    crate::reply::address(url.split(['?', '#']).next().unwrap_or_default())
                )
            }
            Self::Changing => f.write_str("the page keeps changing"),
        }
    }
}

/// How the root frame came to the document it shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// The event that told of it.
    pub at: Sequence,
    /// The address.
    pub url: String,
    /// The status of the answer, where there was one.
    pub status: Option<u16>,
    /// Whether what is shown is the browser's own error page.
    pub unreachable: bool,
}

/// What the mouse and the keyboard hold down, so that it can be let go whatever happens.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Held {
    /// The pressed button: its session, place and name.
    pub button: Option<(Option<SessionId>, f64, f64, cdp::input::MouseButton)>,
    /// Keys that are down, by their place in the keyboard's table.
    pub keys: Vec<crate::act::keyboard::Key>,
    /// Whether drags are handed to us.
    pub intercepts: bool,
    /// The drag under way.
    pub drag: Option<DragData>,
    /// Whose file choosers are handed to us.
    pub choosers: Choosers,
}

/// Whose file choosers are handed to us.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choosers {
    /// Nobody's: the browser shows them.
    #[default]
    Shown,
    /// Those of a session.
    Of(Option<SessionId>),
}

/// A file chooser that a page opened, and that is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chooser {
    /// The session that told of it.
    pub session: Option<SessionId>,
    /// The frame whose page opened it.
    pub frame: FrameId,
    /// The field it is for.
    pub field: Option<BackendId>,
    /// Whether it takes several files.
    pub multiple: bool,
}

impl Chooser {
    fn new(session: Option<SessionId>, frame: FrameId, mode: &str, field: Option<BackendId>) -> Self {
        Self { session, frame, field, multiple: mode == "selectMultiple" }
    }
}

/// What we know of a tab.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts of one tab")]
pub struct State {
    /// Chrome's number for it; none once it is closed.
    pub chrome: Option<ChromeTab>,
    /// Our hold on it.
    pub link: Link,
    /// Why our hold ended, until it is taken again.
    pub lost: Option<Failure>,
    /// How often it ended: what was asked under an earlier hold is not answered under a later one.
    pub holds: u64,
    /// Whether Chrome emptied it to save memory.
    pub discarded: bool,
    /// Whether its renderer crashed.
    pub crashed: bool,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Whose it is.
    pub owner: Option<AgentId>,
    /// Whether an agent opened it (and may close it).
    pub opened: bool,
    /// Whether an agent's page did.
    pub by_page: bool,
    /// When a page opened it, in the life of this worker.
    pub came: Option<Instant>,
    /// Whether the person has taken it over: its agent keeps it, and leaves it alone.
    pub taken: bool,
    /// The site for which the person handed it over to its agent, if they did.
    pub shared: Option<String>,
    /// The group it is in.
    pub group: Option<GroupId>,
    /// The script installed for new documents.
    pub script: Option<ScriptId>,
    /// The root frame.
    pub root: Option<FrameId>,
    /// The sessions of cross-process frames.
    pub children: LiteMap<SessionId, Child>,
    /// Our world in each frame's present document.
    pub contexts: LiteMap<(Option<SessionId>, FrameId), (LoaderId, ContextId)>,
    /// Where each document of the last capture lives.
    pub homes: LiteMap<DocumentNo, Place>,
    /// The element that shows each document, in the document that holds it.
    pub owners: LiteMap<DocumentNo, (DocumentNo, ElementNo)>,
    /// The frame that each frame element shows.
    pub frames: LiteMap<(DocumentNo, ElementNo), FrameId>,
    /// What was learnt of each document by asking the browser.
    pub learnt: LiteMap<DocumentNo, Learnt>,
    /// Frames that did not answer, and when they were last asked.
    pub silent: LiteMap<FrameId, Instant>,
    /// Whether the last capture is of more than one moment: its documents kept changing.
    pub torn: bool,
    /// The frames at the last capture, and the events seen before.
    pub stood: Option<(Sequence, Vec<Found>)>,
    /// Each document as it was read last.
    pub known: LiteMap<DocumentNo, Known>,
    /// The last capture.
    pub captured: Option<Rc<Tree>>,
    /// What was rendered last.
    pub rendered: Option<LastRendered>,
    /// The dialog.
    pub dialog: Dialog,
    /// The event that opened the last dialog.
    pub dialog_since: Sequence,
    /// The events seen.
    pub events: Sequence,
    /// The last change of address within the root document.
    pub moved: Sequence,
    /// Frames that load.
    pub loading: BTreeSet<FrameId>,
    /// Frames whose navigation has begun and not been committed.
    pub navigating: LiteMap<FrameId, Sequence>,
    /// Requests on their way. A frame that moves to a process of its own is asked for in one session and answered in
    /// another, under one id.
    pub requests: LiteMap<NetworkRequestId, Asked>,
    /// The last commit of the root frame.
    pub commit: Commit,
    /// How often any document was replaced.
    pub documents: u64,
    /// What is held down.
    pub held: Held,
    /// The file chooser that opened last, while choosers are handed to us.
    pub chooser: Option<Chooser>,
    /// What the person points at in it.
    pub selection: Option<crate::pointing::Selection>,
    /// Whether it is the person's alone: no agent is told of it.
    pub private: bool,
    /// The choice of an element that goes on in it.
    pub picking: Option<crate::pointing::Picking>,
    /// How the last one ended.
    pub pick_ended: Option<crate::pointing::PickEnd>,
    /// What it downloads.
    pub downloads: Downloads,
    /// What the person is shown of what is worked.
    pub marks: crate::mark::Marks,
    /// Who needs the browser's `DOM`.
    pub needs: crate::nodes::Needs,
    /// Keys that may reach one element only.
    pub heeded: Option<crate::act::keys::Heeded>,
    /// The event by which it said that it opens a tab that has not appeared yet.
    pub opening: Option<Sequence>,
    /// When a page opened it: for a moment it may come to the front by itself.
    pub popup: Option<Instant>,
    /// When a call last worked it.
    pub worked: Instant,
    /// Calls that wait for their turn.
    pub waiting: u32,
    /// Whether something has come since the last capture began that may have changed the page.
    pub stale: bool,
    /// Whether the page is being kept up with between calls.
    pub followed: bool,
    /// Documents that will tell of their next change.
    pub telling: BTreeSet<DocumentNo>,
    /// Whether the browser draws it for us although nobody looks.
    pub drawn: bool,
    /// Whether it has a size of ours, not its window's.
    pub sized: bool,
    /// Where its page was kept from going, for the next reply.
    pub stopped: Vec<Stopped>,
    /// Tabs that this one opened, for the next reply.
    pub popups: Vec<TabName>,
}

/// Kinds of request that an act is waited for; streams, pictures and pings are not.
const AWAITED: &[&str] = &["Document", "Stylesheet", "Script", "XHR", "Fetch", "Preflight"];

impl State {
    /// Why nothing can be asked of the page now.
    pub fn trouble(&self, needs_page: bool) -> Option<Failure> {
        if let Some(lost) = &self.lost {
            return Some(lost.clone());
        }
        if self.chrome.is_none() {
            return Some(Failure::TabClosed);
        }
        if !needs_page {
            return None;
        }
        if self.crashed {
            return Some(Failure::Crashed);
        }
        match &self.dialog {
            Dialog::Open(prompt) => {
                Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
            }
            Dialog::None => None,
        }
    }

    /// Why a command gets no answer: as [`State::trouble`], and input also where the renderer is gone. Input may well
    /// be answered while a dialog is open.
    pub fn silence(&self, needs_page: bool, method: &str) -> Option<Failure> {
        let unheard = self.crashed && method.starts_with("Input.");
        self.trouble(needs_page).or(unheard.then_some(Failure::Crashed))
    }

    /// Whether keys are meant for an element whose document is no longer there.
    pub fn heeds_nobody(&self) -> bool {
        self.heeded.as_ref().is_some_and(|heeded| !self.shows(heeded.own()))
    }

    /// Whether the person handed the tab over at the site of an address.
    pub fn is_shared_at(&self, url: &str) -> bool {
        self.shared.is_some() && crate::address::site(url) == self.shared
    }

    /// Whether a place still shows the document that was found there.
    pub fn shows(&self, place: &Place) -> bool {
        let now = self.contexts.get(&(place.session.clone(), place.frame.clone()));
        now.is_some_and(|(loader, context)| *loader == place.loader && *context == place.context)
    }

    /// Forgets all that belongs to an attachment.
    pub fn let_go(&mut self, why: Option<Failure>) {
        self.link = Link::Idle;
        self.holds += 1;
        self.lost = why;
        self.children.clear();
        self.contexts.clear();
        self.homes.clear();
        self.frames.clear();
        self.owners.clear();
        self.learnt.clear();
        self.captured = None;
        self.rendered = None;
        self.known.clear();
        self.stood = None;
        self.silent.clear();
        self.dialog = Dialog::None;
        self.crashed = false;
        self.loading.clear();
        self.navigating.clear();
        self.requests.clear();
        self.held = Held::default();
        self.heeded = None;
        self.marks = crate::mark::Marks::default();
        self.needs = crate::nodes::Needs::default();
        self.script = None;
        self.drawn = false;
        self.telling.clear();
        self.sized = false;
    }

    /// What the page is still busy with, of what began at or after a moment.
    pub fn busy_since(&self, begun: Sequence) -> Option<Busy> {
        if self.navigating.values().any(|at| *at >= begun) {
            return Some(Busy::Navigating);
        }
        if self.opening.is_some_and(|at| at >= begun) {
            return Some(Busy::Opening);
        }
        if self.root.as_ref().is_some_and(|root| self.loading.contains(root)) {
            return Some(Busy::Loading);
        }
        self.requests.values().find(|asked| asked.at >= begun).map(|asked| Busy::Asking(asked.url.clone()))
    }

    fn crash(&mut self) {
        self.crashed = true;
        self.requests.clear();
        self.loading.clear();
        self.navigating.clear();
        self.dialog = Dialog::None;
        self.held = Held::default();
    }

    fn frame_replaced(&mut self, session: Option<SessionId>, frame: &Frame) {
        self.documents += 1;
        self.contexts.remove(&(session, frame.id.clone()));
        self.navigating.remove(&frame.id);
    }

    fn asked(&mut self, request: NetworkRequestId, kind: &str, asked: Asked) {
        if AWAITED.contains(&kind) && !asked.url.starts_with("data:") {
            // A redirect asks again under the same id: it keeps the place of the first.
            self.requests.entry(request).or_insert(asked);
        }
    }

    fn child_gone(&mut self, session: &SessionId) {
        self.children.remove(session);
        let gone = Some(session.clone());
        self.contexts.retain(|(of, _), _| *of != gone);
        self.homes.retain(|_, place| place.session != gone);
        let below: Vec<_> = self
            .children
            .iter()
            .filter(|(_, child)| child.parent == gone)
            .map(|(id, _)| id.clone())
            .collect();
        for session in below {
            self.child_gone(&session);
        }
        self.documents += 1;
    }
}

impl Tab {
    /// A tab that we have just learnt of.
    pub fn new(name: TabName, chrome: ChromeTab) -> Self {
        let state = State { chrome: Some(chrome), ..State::default() };
        Self { name, state: RefCell::new(state), signal: Signal::default(), turn: Mutex::new(()) }
    }

    /// The events seen so far.
    pub fn events(&self) -> Sequence {
        self.state.borrow().events
    }

    /// Whether a frame is left alone because it did not answer a while ago.
    pub fn is_silent(&self, frame: &FrameId, now: Instant) -> bool {
        self.state.borrow().silent.get(frame).is_some_and(|since| now - *since < SILENT)
    }

    /// Notes that a frame did not answer.
    pub fn fell_silent(&self, frame: &FrameId, now: Instant) {
        if !self.is_silent(frame, now) {
            self.state.borrow_mut().silent.insert(frame.clone(), now);
        }
    }

    /// Takes an event in. A cross-process frame that got a session is handed back, to be set up.
    #[allow(clippy::too_many_lines, reason = "a line or two for each event")]
    pub fn apply(
        &self,
        now: Instant,
        session: Option<SessionId>,
        event: Event,
    ) -> Option<(SessionId, TargetInfo)> {
        let mut state = self.state.borrow_mut();
        state.events.0 += 1;
        let at = state.events;
        let mut fresh = None;
        match event {
            Event::FrameNavigated { frame, kind: _ } => {
                state.frame_replaced(session.clone(), &frame);
                if session.is_none() && frame.parent_id.is_none() {
                    state.root = Some(frame.id.clone());
                    let status = if state.commit.at < at && state.commit.url == frame.url {
                        state.commit.status
                    } else {
                        None
                    };
                    state.url.clone_from(&frame.url);
                    state.commit =
                        Commit { at, url: frame.url, status, unreachable: frame.unreachable_url.is_some() };
                    state.crashed = false;
                    // What was read of the page that went helps nobody to read the next.
                    state.captured = None;
                    state.known.clear();
                }
            }
            Event::DocumentOpened { frame } => state.frame_replaced(session, &frame),
            Event::NavigatedWithinDocument { frame_id, url } => {
                state.navigating.remove(&frame_id);
                if state.root.as_ref() == Some(&frame_id) {
                    state.url = url;
                    state.moved = at;
                }
            }
            Event::FrameAttached { .. } => state.documents += 1,
            Event::FrameDetached { frame_id, reason } => {
                state.documents += 1;
                state.contexts.retain(|(_, frame), _| *frame != frame_id);
                state.loading.remove(&frame_id);
                state.navigating.remove(&frame_id);
                if reason != "swap" {
                    state.frames.retain(|_, frame| *frame != frame_id);
                }
            }
            Event::FrameRequestedNavigation { frame_id, disposition, url } => {
                if disposition == "currentTab" && !url.starts_with("javascript:") {
                    state.navigating.insert(frame_id, at);
                }
            }
            Event::FrameStartedNavigating { frame_id, navigation_type, .. } => {
                if !navigation_type.starts_with("sameDocument") {
                    state.navigating.insert(frame_id, at);
                }
            }
            Event::FrameStartedLoading { frame_id } => {
                state.loading.insert(frame_id);
            }
            Event::FrameStoppedLoading { frame_id } => {
                state.loading.remove(&frame_id);
                state.navigating.remove(&frame_id);
            }
            Event::DomContentLoaded {}
            | Event::Loaded {}
            | Event::WindowOpen { .. }
            | Event::RequestPaused { .. } => {}
            Event::DialogOpening { kind, message, default_prompt, .. } => {
                state.dialog = Dialog::Open(Prompt { kind, message, default: default_prompt });
                state.dialog_since = at;
            }
            Event::DialogClosed { .. } => state.dialog = Dialog::None,
            Event::FileChooserOpened { frame_id, mode, backend_node_id } => {
                state.chooser = Some(Chooser::new(session, frame_id, &mode, backend_node_id));
            }
            Event::NodePicked { backend_node_id } => {
                if let Some(picking) = &mut state.picking {
                    picking.picked.get_or_insert((session, backend_node_id));
                }
            }
            Event::DragIntercepted { data } => state.held.drag = Some(data),
            Event::DownloadWillBegin { guid, suggested_filename, .. } => {
                state.downloads.begin(guid, &suggested_filename);
            }
            Event::DownloadProgress { guid, state: how, received_bytes, total_bytes } => {
                state.downloads.go_on(&guid, &how, received_bytes, total_bytes);
            }
            Event::Crashed {} => state.crash(),
            Event::Revived {} => state.crashed = false,
            Event::RequestWillBeSent { request_id, request, kind, .. } => {
                state.asked(request_id, &kind, Asked { at, since: now, url: request.url });
            }
            Event::ResponseReceived { kind, response, frame_id, .. } => {
                if kind == "Document" && session.is_none() && frame_id == state.root {
                    state.commit.url = response.url;
                    state.commit.status = Some(response.status);
                }
            }
            Event::LoadingFinished { request_id } | Event::LoadingFailed { request_id } => {
                state.requests.remove(&request_id);
            }
            Event::AttachedToTarget { session_id, target_info, .. } => {
                let child = Child { frame: target_info.target_id.clone(), parent: session, ready: false };
                state.children.insert(session_id.clone(), child);
                state.documents += 1;
                fresh = Some((session_id, target_info));
            }
            Event::DetachedFromTarget { session_id } => state.child_gone(&session_id),
        }
        drop(state);
        self.signal.raise();
        fresh
    }
}
