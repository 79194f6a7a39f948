//! The engine: one browser's worth of state, changed by inputs, answered by outputs. `handle` once, then `poll`
//! until nothing comes, then sleep until `next_wake`.

use crate::{
    agent::Agents,
    ahead,
    clock::{Instant, Millis},
    consent::Consent,
    failure::Failure,
    host_link::{self, HostLink, Port},
    io::{ChromeTab, Input, Intent, Output, Started},
    journal::Journal,
    ledger::{Key, Ledger},
    panel, person,
    pointing::{self, Pointing},
    popup::{self, Popups},
    reply,
    request::Running,
    secret::Secrets,
    session::Session,
    settings, store,
    tab::{Sequence, Tab},
    task::{Desk, Tasks},
    wayside, welcome,
};
use cdp::{Event, SessionId};
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use snapshot::{DocumentNo, Refs};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};
use tools::TabName;

/// By what agents tell a profile from others. Kept for good.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// What the person calls it.
    pub name: Option<String>,
    /// What makes it the same one again.
    pub id: Option<String>,
}

/// What the person wants to see. Kept for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Appearance {
    /// Whether what an agent works is outlined, in tabs that are in front.
    pub outline: bool,
}

impl Default for Appearance {
    fn default() -> Self {
        Self { outline: true }
    }
}

/// Numbers below these may have been given before the browser ended or the extension was reloaded: what they named is
/// nobody's any more.
#[derive(Default)]
pub struct Lapsed {
    /// Of tabs; this one too.
    pub tab: Cell<u32>,
    /// Of refs.
    pub reference: Cell<u32>,
}

/// What all procedures share. Each cell is borrowed for moments only, never across an await.
#[derive(Default)]
pub struct Core {
    /// Calls, timers, procedures.
    pub desk: Desk,
    /// What the shell said at its start.
    pub started: RefCell<Started>,
    /// Tabs by name.
    pub tabs: RefCell<LiteMap<TabName, Rc<Tab>>>,
    /// The number of the last tab named.
    pub last_tab: Cell<u32>,
    /// What was held in earlier lives of the browser or the extension.
    pub lapsed: Lapsed,
    /// The number of the last document named.
    pub last_document: Cell<u32>,
    /// The tab each document was seen in.
    pub documents: RefCell<LiteMap<DocumentNo, TabName>>,
    /// Refs and what they name.
    pub refs: RefCell<Refs>,
    /// Agents.
    pub agents: RefCell<Agents>,
    /// The rules.
    pub consent: Consent,
    /// By what agents tell this profile from others.
    pub profile: RefCell<Profile>,
    /// What the person wants to see.
    pub appearance: Cell<Appearance>,
    /// What the panel is to show, and when one last asked.
    pub revealing: Cell<panel::Revealing>,
    /// Where an element is pointed out to the person.
    pub pointed: RefCell<Option<Session>>,
    /// The port to the host.
    pub host: RefCell<HostLink>,
    /// What is written down.
    pub journal: Journal,
    /// Secrets that were put into pages.
    pub secrets: Secrets,
    /// Requests under way.
    pub running: RefCell<Running>,
    /// The request whose work goes on right now.
    pub current: Cell<Option<Key>>,
    /// What became of requests.
    pub ledger: RefCell<Ledger>,
    /// What the person points at.
    pub pointing: Pointing,
    /// What pages are opening.
    pub popups: Popups,
    /// The tabs closed last, oldest first.
    pub closed: RefCell<VecDeque<TabName>>,
    /// The tabs that were given back last, oldest first.
    pub released: RefCell<VecDeque<TabName>>,
    /// Documents whose refs changed since they were last kept.
    pub touched: RefCell<BTreeSet<DocumentNo>>,
    /// What was kept last, so that the same is not kept again.
    pub kept: RefCell<store::Kept>,
}

/// The port keeps the worker alive; where it was ended all the same, an alarm brings it back.
const ALARM: Millis = Millis(30_000);

/// How many closed tabs are remembered.
const CLOSED: usize = 16;

/// Of how many tabs it is remembered that they were given back, not closed.
const RELEASED: usize = 256;

impl Core {
    /// The scripts for our isolated world.
    pub fn script(&self) -> String {
        self.started.borrow().script.clone()
    }

    /// A number for a document that may not have one.
    pub fn propose_document(&self) -> DocumentNo {
        self.last_document.set(self.last_document.get() + 1);
        DocumentNo(self.last_document.get())
    }

    /// Names a tab that we have not known.
    pub fn add_tab(&self, chrome: ChromeTab) -> Rc<Tab> {
        self.last_tab.set(self.last_tab.get() + 1);
        let name = TabName(self.last_tab.get());
        let tab = Rc::new(Tab::new(name, chrome));
        self.tabs.borrow_mut().insert(name, tab.clone());
        tab
    }

    /// The tab that Chrome numbers so.
    pub fn tab_of(&self, chrome: ChromeTab) -> Option<Rc<Tab>> {
        self.tabs.borrow().values().find(|tab| tab.state.borrow().chrome == Some(chrome)).cloned()
    }

    /// A tab is no more: its documents, refs and views go with it.
    pub fn drop_tab(&self, tab: &Rc<Tab>) {
        self.tabs.borrow_mut().remove(&tab.name);
        {
            let mut state = tab.state.borrow_mut();
            state.chrome = None;
            state.let_go(Some(Failure::TabClosed));
        }
        self.agents.borrow_mut().forget(tab.name);
        tab.signal.raise();
        // The refs of the tabs closed last are kept, so that one of them is told as such.
        let gone = {
            let mut closed = self.closed.borrow_mut();
            closed.push_back(tab.name);
            if closed.len() <= CLOSED { None } else { closed.pop_front() }
        };
        if let Some(gone) = gone {
            self.forget_tab(gone);
        }
    }

    /// Forgets a tab that its agent gave back.
    pub fn release_tab(&self, tab: &Rc<Tab>) {
        let mut released = self.released.borrow_mut();
        released.push_back(tab.name);
        if released.len() > RELEASED {
            released.pop_front();
        }
        drop(released);
        self.drop_tab(tab);
    }

    /// Why a tab that had a name is no longer there.
    pub fn gone(&self, name: TabName) -> Failure {
        let tab = format!("t{}", name.0);
        if self.released.borrow().contains(&name) {
            Failure::ReleasedTab { tab }
        } else {
            Failure::ClosedTab { tab }
        }
    }

    fn forget_tab(&self, name: TabName) {
        let mut documents = self.documents.borrow_mut();
        let gone: Vec<_> =
            documents.iter().filter(|(_, of)| **of == name).map(|(document, _)| *document).collect();
        for document in gone {
            documents.remove(&document);
            self.refs.borrow_mut().forget(document);
        }
    }

    /// Keeps what must outlive this worker.
    pub fn keep(&self) {
        store::keep(self);
    }

    /// Shows how things stand on the toolbar button.
    pub fn show_state(&self) {
        let (text, says) = person::badge(self);
        self.desk.tell(Output::Badge { text: text.into(), says });
    }
}

/// The engine.
#[derive(Default)]
pub struct Engine {
    core: Rc<Core>,
    tasks: Tasks,
}

impl Engine {
    /// Takes an input in and goes as far as possible without waiting.
    pub fn handle(&mut self, now: Instant, input: Input) {
        self.core.desk.set_now(now);
        take_in(&self.core, input);
        self.core.desk.fire();
        self.tasks.run(&self.core.desk);
    }

    /// The next thing to do outside.
    pub fn poll(&mut self) -> Option<Output> {
        self.core.desk.poll()
    }

    /// When to call again with [`Input::Woke`] if nothing else comes.
    pub fn next_wake(&self) -> Option<Instant> {
        self.core.desk.next_wake()
    }
}

fn take_in(core: &Rc<Core>, input: Input) {
    match input {
        Input::Started(started) => {
            store::restore(core, &started);
            *core.started.borrow_mut() = started;
            core.show_state();
            core.desk.tell(Output::Alarm { every: ALARM });
            host_link::connect(core);
        }
        Input::Answered { call, result } => core.desk.answered(call, result),
        Input::Event { tab, session, method, params } => event(core, tab, session, &method, &params),
        Input::Detached { tab, reason } => detached(core, tab, &reason),
        Input::TabCreated { tab, window, url } => popup::appeared(core, tab, window, url),
        Input::TabActivated { tab, window } => {
            crate::session::looked_at(core, tab);
            popup::activated(core, tab, window);
        }
        Input::TabRemoved { tab } => {
            core.pointing.forget(tab);
            if let Some(tab) = core.tab_of(tab) {
                core.drop_tab(&tab);
                core.keep();
            }
        }
        Input::TabReplaced { removed, added } => {
            if let Some(tab) = core.tab_of(removed) {
                {
                    let mut state = tab.state.borrow_mut();
                    state.chrome = Some(added);
                    state.let_go(Some(Failure::Detached {
                        reason: "the browser put the tab to sleep".into(),
                    }));
                    state.discarded = true;
                }
                tab.signal.raise();
                core.keep();
            }
        }
        Input::TabUpdated { tab, url, title, discarded } => {
            if let Some(url) = &url {
                popup::addressed(core, tab, url);
            }
            if let Some(tab) = core.tab_of(tab) {
                let mut state = tab.state.borrow_mut();
                state.url = url.unwrap_or_else(|| std::mem::take(&mut state.url));
                state.title =
                    title.map_or_else(|| std::mem::take(&mut state.title), |title| reply::clip(&title));
                state.discarded = discarded.unwrap_or(state.discarded);
                drop(state);
                tab.signal.raise();
                popup::arrived(core, &tab);
            }
        }
        Input::Port { envelope } => host_link::received(core, &envelope),
        Input::PortClosed { error } => host_link::closed(core, error),
        Input::Asked { question, intent } => asked(core, question, intent),
        Input::Installed => welcome::installed(core),
        Input::Pick { tab } => pick(core, tab),
        Input::Woke => host_link::wake(core),
    }
}

fn event(core: &Rc<Core>, tab: ChromeTab, session: Option<SessionId>, method: &str, params: &str) {
    let Some(tab) = core.tab_of(tab) else { return };
    let Some(event) = Event::read(method, params) else { return };
    if let Event::WindowOpen { url, user_gesture: true } = &event {
        popup::opening(core, &tab, url.clone());
    }
    if let Event::RequestPaused { request_id, request, frame_id } = event {
        let session = Session { core: core.clone(), tab, id: session };
        return wayside::paused(core, &session, request_id, &frame_id, request.url);
    }
    let leaves = matches!(&event, Event::DialogOpening { kind, .. } if kind == "beforeunload");
    let dialog = matches!(event, Event::DialogOpening { .. } | Event::DialogClosed { .. });
    let loaded = matches!(event, Event::FrameStoppedLoading { .. });
    let fresh = tab.apply(core.desk.now(), session, event);
    if dialog {
        core.keep();
    }
    if leaves {
        popup::asks_to_leave(core, &tab);
    }
    if loaded {
        ahead::changed(core, &tab);
    }
    if let Some((id, _)) = fresh {
        let child = Session { core: core.clone(), tab, id: Some(id) };
        core.desk.spawn(child.adopt());
    }
}

fn detached(core: &Rc<Core>, tab: ChromeTab, reason: &str) {
    let by_person = reason == "canceled_by_user";
    if let Some(tab) = core.tab_of(tab) {
        let why = if by_person {
            Failure::Cancelled
        } else {
            Failure::Detached { reason: reason.replace('_', " ") }
        };
        tab.state.borrow_mut().let_go(Some(why));
        tab.signal.raise();
    }
    if by_person && !core.consent.decisions.borrow().stopped {
        person::stop(core);
    }
}

fn asked(core: &Rc<Core>, question: u32, intent: Intent) {
    if let Intent::Settings { .. } = intent {
        person::intend(core, intent);
        let core2 = core.clone();
        return core.desk.spawn(async move {
            let view = settings::view(&core2).await;
            core2.desk.tell(Output::Answer { question, view });
        });
    }
    // What is there has to be asked for first.
    if let Intent::See { tab } = intent {
        return panel::see(core, question, tab);
    }
    let (mut here, mut panel) = (None, false);
    if let Intent::Status { here: beside, panel: asks } = &intent {
        (here, panel) = (beside.clone(), *asks);
    }
    // What the person points at has to be asked for first.
    if let Intent::Pointed { tab } = intent {
        let core2 = core.clone();
        core.desk.spawn(async move {
            let view = serde_json::to_string(&pointing::view(&core2, tab).await).unwrap_or_default();
            core2.desk.tell(Output::Answer { question, view });
        });
        return;
    }
    person::intend(core, intent);
    let revealed = if panel { panel::asked(core) } else { None };
    let view = person::view(core, here.as_ref(), revealed);
    core.desk.tell(Output::Answer { question, view });
}

/// The person wants to pick something and show it to the agent, by the shortcut or the menu.
fn pick(core: &Rc<Core>, tab: ChromeTab) {
    let core2 = core.clone();
    core.desk.spawn(async move {
        pointing::pick(&core2, tab, true).await;
    });
}

impl Sequence {
    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Port {
    /// Whether agents can reach us.
    pub fn is_greeted(&self) -> bool {
        matches!(self, Self::Greeted(_))
    }
}
