//! `tabs`, and which tab a call is about.

use crate::{
    agent::AgentId,
    browser::Core,
    consent::sites,
    failure::Failure,
    io::{ChromeCall, ChromeTab, GroupId, WindowId},
    navigate, reply,
    session::{self, Session},
    tab::{Dialog, Tab},
};
use cdp::{Answer, page};
use futures::{
    future::{Either, select},
    lock::MutexGuard,
};
use serde::Deserialize;
use snapshot::Ref;
use std::{fmt::Write as _, pin::pin, rc::Rc};
use tools::{
    TabName,
    call::{Tabs, TabsAction},
};
use wire::Reply;

#[derive(Deserialize)]
struct Created {
    id: ChromeTab,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    window_id: WindowId,
}

#[derive(Deserialize)]
struct Grouped {
    group: GroupId,
}

/// Carries out `tabs`.
pub async fn tabs(core: &Rc<Core>, agent: AgentId, arguments: Tabs) -> Reply {
    let named = arguments.tab.map(|name| format!("t{}", name.0));
    let done = match arguments.action {
        TabsAction::List => Ok(list(core, agent)),
        TabsAction::Open => return open(core, agent, arguments.url).await,
        TabsAction::Activate => activate(core, agent, arguments.tab).await,
        TabsAction::Release => release(core, agent, arguments.tab).await,
        TabsAction::Close => close(core, agent, arguments.tab).await,
    };
    match done {
        Ok(text) => Reply::text(text),
        Err(failure) => failure.reply(named.as_deref()),
    }
}

fn list(core: &Core, agent: AgentId) -> String {
    let agents = core.agents.borrow();
    let label = agents.all.get(&agent).map(|agent| agent.label.clone()).unwrap_or_default();
    let mut text = String::new();
    let mut count = 0;
    for tab in core.tabs.borrow().values() {
        let state = tab.state.borrow();
        let free = state.shared.is_none()
            && state.owner.is_none_or(|owner| owner != agent && !agents.is_present(owner, core.desk.now()));
        if state.private || state.owner != Some(agent) && !free {
            continue;
        }
        count += 1;
        // A String takes whatever is written to it.
        let _ = write!(text, "\n{tab} {} {}", reply::quoted(&state.title), reply::address(&state.url));
        if free {
            text.push_str(" · free: name it to take it");
        }
        if state.shared.is_some() {
            text.push_str(" · the person's, handed over at this site");
        }
        if state.taken {
            text.push_str(" · the person has taken it over");
        }
    }
    let label = reply::quoted(&label);
    match count {
        0 => format!("{label} has no tab. Open one: tabs action=open url=…, or navigate url=…"),
        1 => format!("{label} has 1 tab{text}"),
        _ => format!("{label} has {count} tabs{text}"),
    }
}

async fn open(core: &Rc<Core>, agent: AgentId, url: Option<String>) -> Reply {
    let url = url.unwrap_or_else(|| "about:blank".into());
    navigate::open(core, agent, &url, None, None).await
}

/// Opens an empty tab in the background, in the agent's group.
///
/// # Errors
/// When the browser does not open or attach it.
pub async fn create(core: &Rc<Core>, agent: AgentId) -> Result<Rc<Tab>, Failure> {
    let created: Created = reply::read(create_anywhere(core).await?)?;
    let tab = core.tab_of(created.id).unwrap_or_else(|| core.add_tab(created.id));
    {
        let mut state = tab.state.borrow_mut();
        state.opened = true;
        state.url = "about:blank".into();
    }
    core.journal.tab(&tab);
    core.agents.borrow_mut().lease(agent, &tab, core.desk.now())?;
    core.keep();
    // Grouping is for the person's eyes: the page can be worked meanwhile.
    let (core2, tab2) = (core.clone(), tab.clone());
    core.desk.spawn(async move { group(&core2, agent, &tab2).await });
    session::attach(core, &tab).await?;
    Ok(tab)
}

/// Puts a tab into its agent's group. A browser window that has no groups is no failure.
pub async fn group(core: &Rc<Core>, agent: AgentId, tab: &Rc<Tab>) {
    let (label, color, known) = {
        let agents = core.agents.borrow();
        let Some(agent) = agents.all.get(&agent) else { return };
        (agent.label.clone(), agent.color().to_owned(), agent.group)
    };
    let Some(chrome) = tab.state.borrow().chrome else { return };
    let mut grouped = core.desk.ask(ChromeCall::Group { tab: chrome, group: known }).await;
    if grouped.is_err() && known.is_some() {
        // The person closed the group.
        grouped = core.desk.ask(ChromeCall::Group { tab: chrome, group: None }).await;
    }
    let Ok(Ok(Grouped { group })) = grouped.map(reply::read::<Grouped>) else { return };
    tab.state.borrow_mut().group = Some(group);
    if let Some(agent) = core.agents.borrow_mut().all.get_mut(&agent) {
        agent.group = Some(group);
    }
    if known != Some(group) {
        // A group that is not named is a group all the same.
        let _ = core.desk.ask(ChromeCall::NameGroup { group, title: label, color }).await;
    }
    core.keep();
}

/// Opens a tab in the last used window, or in one of its own where there is none.
async fn create_anywhere(core: &Rc<Core>) -> Result<Answer, Failure> {
    let url = || "about:blank".to_owned();
    core.begins();
    match core.desk.ask(ChromeCall::CreateTab { url: url() }).await {
        Err(Failure::Browser { message }) if message.contains("window") => {
            core.desk.ask(ChromeCall::CreateWindow { url: url() }).await
        }
        created => created,
    }
}

async fn activate(core: &Rc<Core>, agent: AgentId, named: Option<TabName>) -> Result<String, Failure> {
    let tab = choose(core, agent, named)?;
    let chrome = tab.state.borrow().chrome.ok_or(Failure::TabClosed)?;
    tab.state.borrow_mut().popup = None;
    core.begins();
    let shown: Shown = reply::read(core.desk.ask(ChromeCall::ShowTab { tab: chrome }).await?)?;
    core.desk.ask(ChromeCall::FocusWindow { window: shown.window_id }).await?;
    Ok(format!("{tab} ok: it is in front now"))
}

async fn release(core: &Rc<Core>, agent: AgentId, named: Option<TabName>) -> Result<String, Failure> {
    let tab = choose(core, agent, named)?;
    let chrome = tab.state.borrow().chrome.ok_or(Failure::TabClosed)?;
    core.begins();
    // A tab that is not attached, or not grouped, is let go all the same.
    let _ = core.desk.ask(ChromeCall::Detach { tab: chrome }).await;
    let _ = core.desk.ask(ChromeCall::Ungroup { tab: chrome }).await;
    let text = format!("{tab} ok: given back; its refs are no longer valid");
    core.release_tab(&tab);
    Ok(text)
}

async fn close(core: &Rc<Core>, agent: AgentId, named: Option<TabName>) -> Result<String, Failure> {
    let tab = choose(core, agent, named)?;
    let (chrome, opened) = {
        let state = tab.state.borrow();
        (state.chrome.ok_or(Failure::TabClosed)?, state.opened)
    };
    if !opened {
        return Err(Failure::BadArgument(format!("{tab} is the person's: give it back with action=release")));
    }
    // The page may ask whether to leave: the question is told, and answering it goes on.
    let asked = tab.signal.until(|| match &tab.state.borrow().dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => {
            Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
        }
    });
    core.begins();
    match select(pin!(core.desk.ask(ChromeCall::RemoveTab { tab: chrome })), pin!(asked)).await {
        Either::Left((removed, _)) => removed.map(|_| ())?,
        Either::Right((question, _)) => return Err(question),
    }
    let text = format!("{tab} ok: closed");
    core.drop_tab(&tab);
    Ok(text)
}

/// The tab that a call without a ref is about: the named one, else the only one the agent holds.
///
/// # Errors
/// When there is none, there are several, or it is another agent's.
pub fn choose(core: &Rc<Core>, agent: AgentId, named: Option<TabName>) -> Result<Rc<Tab>, Failure> {
    if let Some(name) = named {
        let known = core.tabs.borrow().get(&name).cloned();
        let tab = known.ok_or_else(|| {
            let tab = format!("t{}", name.0);
            if name.0 <= core.lapsed.tab.get() {
                Failure::Lapsed { what: tab }
            } else if name.0 <= core.last_tab.get() {
                core.gone(name)
            } else {
                Failure::UnknownTab { tab }
            }
        })?;
        core.journal.tab(&tab);
        core.agents.borrow_mut().lease(agent, &tab, core.desk.now())?;
        left_alone(&tab)?;
        return Ok(tab);
    }
    let own: Vec<_> =
        core.tabs.borrow().values().filter(|tab| tab.state.borrow().owner == Some(agent)).cloned().collect();
    match own.as_slice() {
        [] => Err(Failure::NoTab),
        [tab] => {
            core.journal.tab(tab);
            left_alone(tab)?;
            Ok(tab.clone())
        }
        tabs => {
            let tabs = tabs.iter().map(|tab| {
                let state = tab.state.borrow();
                format!("{tab} {} {}", reply::quoted(&state.title), reply::address(&state.url))
            });
            Err(Failure::TabNeeded { tabs: tabs.collect::<Vec<_>>().join(", ") })
        }
    }
}

/// The tab that a call means: the one its ref is in, if it has one; else as [`choose`].
///
/// # Errors
/// As [`of_ref`] and [`choose`].
pub fn meant(
    core: &Rc<Core>,
    agent: AgentId,
    reference: Option<Ref>,
    named: Option<TabName>,
) -> Result<Rc<Tab>, Failure> {
    match reference {
        Some(reference) => of_ref(core, agent, reference, named),
        None => choose(core, agent, named),
    }
}

/// The tab that a ref is in.
///
/// # Errors
/// When the ref was never given, its document is no more, or `named` is another tab.
pub fn of_ref(
    core: &Rc<Core>,
    agent: AgentId,
    reference: Ref,
    named: Option<TabName>,
) -> Result<Rc<Tab>, Failure> {
    let known = core.refs.borrow().lookup(reference);
    let Some((document, _)) = known else {
        let given = reference.0 < core.refs.borrow().next();
        return Err(if reference.0 < core.lapsed.reference.get() {
            Failure::Lapsed { what: reference.to_string() }
        } else if given {
            Failure::Forgotten { reference }
        } else {
            Failure::NeverGiven { reference }
        });
    };
    let tab = core.documents.borrow().get(&document).copied();
    let name = tab.ok_or(Failure::WrongDocument { reference })?;
    let tab = core.tabs.borrow().get(&name).cloned();
    let tab = tab.ok_or_else(|| core.gone(name))?;
    if let Some(named) = named.filter(|named| *named != tab.name) {
        return Err(Failure::WrongTab { reference, tab: tab.to_string(), named: format!("t{}", named.0) });
    }
    core.journal.tab(&tab);
    core.agents.borrow_mut().lease(agent, &tab, core.desk.now())?;
    left_alone(&tab)?;
    Ok(tab)
}

/// What the person has taken over is left alone.
fn left_alone(tab: &Tab) -> Result<(), Failure> {
    if tab.state.borrow().taken { Err(Failure::TakenOver { tab: tab.to_string() }) } else { Ok(()) }
}

/// The turn of one call at a tab's page. While it lasts the page is drawn as if somebody looked.
pub struct Turn<'a> {
    core: &'a Rc<Core>,
    tab: &'a Rc<Tab>,
    _lock: MutexGuard<'a, ()>,
}

/// Waits for the turn: calls about one tab come one after the other.
pub async fn turn<'a>(core: &'a Rc<Core>, tab: &'a Rc<Tab>) -> Turn<'a> {
    tab.state.borrow_mut().waiting += 1;
    tab.signal.raise();
    let lock = Waiting(tab).lock().await;
    tab.state.borrow_mut().worked = core.desk.now();
    Turn { core, tab, _lock: lock }
}

/// A call that waits for its turn, until it has it or is given up.
struct Waiting<'a>(&'a Tab);

impl<'a> Waiting<'a> {
    async fn lock(self) -> MutexGuard<'a, ()> {
        self.0.turn.lock().await
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.state.borrow_mut().waiting -= 1;
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // A call that is stopped in the middle leaves nothing pressed.
        crate::act::let_go(self.core, self.tab);
        self.tab.state.borrow_mut().worked = self.core.desk.now();
        if std::mem::take(&mut self.tab.state.borrow_mut().drawn) {
            // Its answer tells nothing; a tab that went is not drawn anyway.
            drop(Session::root(self.core, self.tab).call(&page::StopScreencast {}));
        }
        self.tab.signal.raise();
    }
}

/// Has the page drawn until the turn ends.
pub fn draw(core: &Rc<Core>, tab: &Rc<Tab>) {
    if std::mem::replace(&mut tab.state.borrow_mut().drawn, true) {
        return;
    }
    let (session, of) = (Session::root(core, tab), tab.clone());
    // After what the call asks first: the browser takes some milliseconds to begin, and the page answers meanwhile.
    core.desk.spawn(async move {
        if of.state.borrow().drawn {
            // A browser that refuses it draws the tab more slowly, no more.
            drop(session.call(&page::StartScreencast::least()));
        }
    });
}

/// Makes a tab ready to be asked: attached, at a site where the agent may be, not stopped by a dialog. Waits for the
/// person where they must say whether it may be there.
///
/// # Errors
/// What keeps it from being asked.
pub async fn ready(core: &Rc<Core>, agent: AgentId, tab: &Rc<Tab>) -> Result<(), Failure> {
    hold(core, tab).await?;
    sites::wait_at(core, agent, tab).await
}

/// As [`ready`], but asks the person without waiting for the answer: for what has been done already.
///
/// # Errors
/// As [`ready`].
pub async fn ready_at_once(core: &Rc<Core>, agent: AgentId, tab: &Rc<Tab>) -> Result<(), Failure> {
    hold(core, tab).await?;
    let (url, shared) = {
        let state = tab.state.borrow();
        (state.url.clone(), state.is_shared_at(&state.url))
    };
    if shared { Ok(()) } else { sites::ask(core, agent, &url) }
}

async fn hold(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<(), Failure> {
    let lost = tab.state.borrow().lost.clone();
    if let Some(Failure::Detached { .. } | Failure::Cancelled | Failure::Stopped) = lost {
        // A tab that was let go is taken again; why it was let go no longer matters.
        tab.state.borrow_mut().lost = None;
    }
    if let Some(trouble) = tab.state.borrow().trouble(true) {
        return Err(trouble);
    }
    session::attach(core, tab).await?;
    draw(core, tab);
    Ok(())
}
