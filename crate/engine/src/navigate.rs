//! `navigate`: to an address or through the history, and what was reached.

use crate::{
    address,
    agent::AgentId,
    browser::Core,
    clock::Millis,
    consent::sites,
    failure::Failure,
    io::ChromeCall,
    look, reply,
    session::{Session, attach},
    settle::{self, Settled},
    tab::{Dialog, Tab},
    tabs,
};
use cdp::page;
use futures::future::{Either, select};
use std::{pin::pin, rc::Rc};
use tools::call::{Navigate, To};
use wire::Reply;

/// How long the first byte of a page may take.
const COMMIT: Millis = Millis(30_000);

/// Carries out `navigate`.
pub async fn navigate(core: &Rc<Core>, agent: AgentId, arguments: Navigate) -> Reply {
    let limit = arguments.timeout_ms.map(|ms| Millis(ms.into()));
    let chosen = tabs::choose(core, agent, arguments.tab);
    if let (Err(Failure::NoTab), Some(url)) = (&chosen, &arguments.url) {
        return open(core, agent, url, arguments.max_tokens, limit).await;
    }
    let tab = match chosen {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    let way = match (arguments.url, arguments.to) {
        (Some(url), _) => Way::Address(url),
        (None, Some(to)) => Way::History(to),
        (None, None) => return Failure::BadArgument("navigate needs url or to".into()).reply(None),
    };
    go(core, agent, &tab, way, arguments.max_tokens, limit).await
}

/// Opens a tab of the agent's own at an address.
pub async fn open(
    core: &Rc<Core>,
    agent: AgentId,
    url: &str,
    max_tokens: Option<u32>,
    limit: Option<Millis>,
) -> Reply {
    // What may not be opened is refused before there is a tab for it.
    if let Err(failure) = allowed(core, agent, url).await {
        return failure.reply(None);
    }
    let tab = match tabs::create(core, agent).await {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    go(core, agent, &tab, Way::Address(url.to_owned()), max_tokens, limit).await
}

enum Way {
    Address(String),
    History(To),
}

async fn allowed(core: &Rc<Core>, agent: AgentId, url: &str) -> Result<String, Failure> {
    let url = address::address(url)?;
    sites::wait(core, agent, &url).await?;
    Ok(url)
}

async fn go(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    way: Way,
    max_tokens: Option<u32>,
    limit: Option<Millis>,
) -> Reply {
    let place = tab.to_string();
    let limit = limit.unwrap_or(COMMIT);
    let gone = async {
        let wanted = match &way {
            Way::Address(url) => Some(allowed(core, agent, url).await?),
            Way::History(_) => None,
        };
        let settled = travel_allowed(core, agent, tab, &way, wanted.as_deref(), limit).await?;
        Ok::<_, Failure>((wanted, settled))
    };
    let (wanted, settled) = match gone.await {
        Ok(gone) => gone,
        Err(failure) => return failure.reply(Some(&place)),
    };
    let mut notes = Vec::new();
    let url = tab.state.borrow().url.clone();
    if let Some(wanted) = wanted.filter(|wanted| !same_address(wanted, &url)) {
        notes.push(format!("redirected from {}", reply::address(&wanted)));
    }
    if let Some(status) = tab.state.borrow().commit.status.filter(|status| *status >= 400) {
        notes.push(format!("status {status}"));
    }
    if let Some(busy) = settled.busy {
        notes.push(format!("still busy: {busy}"));
    }
    if let Some(prompt) = settled.dialog {
        let failure = Failure::DialogOpen { kind: prompt.kind, message: prompt.message };
        return failure.reply(Some(&place));
    }
    look::page(core, agent, tab, max_tokens, &notes).await
}

/// The address as far as it tells whether a page was redirected: without its fragment and a last slash.
fn same_address(a: &str, b: &str) -> bool {
    fn plain(url: &str) -> &str {
        url.split('#').next().unwrap_or_default().trim_end_matches('/')
    }
    plain(&address::bare(a)) == plain(&address::bare(b))
}

/// How often the person is asked on one way: each site that a redirect leads to.
const ASKED: u32 = 3;

/// Travels, and where the way leads over sites that the person has not been asked about, once more when they allowed it.
async fn travel_allowed(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    way: &Way,
    wanted: Option<&str>,
    limit: Millis,
) -> Result<Settled, Failure> {
    for _ in 0..ASKED {
        let begun = tab.events();
        let travelled = travel(core, tab, way, wanted, limit).await;
        let stopped = std::mem::take(&mut tab.state.borrow_mut().stopped);
        let Some(stopped) = stopped.into_iter().find(|stopped| stopped.at >= begun) else { return travelled };
        if !matches!(stopped.why, Failure::AwaitingSite { .. }) {
            return Err(stopped.why);
        }
        sites::wait(core, agent, &stopped.url).await?;
    }
    travel(core, tab, way, wanted, limit).await
}

/// How long a page that cannot be held may take to go, and how often it is looked whether it has.
const LEAVING: Millis = Millis(5_000);
const PACE: Millis = Millis(50);

/// Travels, also away from what cannot be held.
async fn travel(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    way: &Way,
    wanted: Option<&str>,
    limit: Millis,
) -> Result<Settled, Failure> {
    match (travel_held(core, tab, way, wanted, limit).await, way) {
        (Err(Failure::NotDrivable { .. }), Way::Address(_)) => {
            vacate(core, tab, limit).await?;
            let ends = core.desk.now() + LEAVING;
            loop {
                match travel_held(core, tab, way, wanted, limit).await {
                    // What was there is still being taken down.
                    Err(Failure::NotDrivable { .. }) if core.desk.now() < ends => core.desk.sleep(PACE).await,
                    travelled => return travelled,
                }
            }
        }
        (travelled, Way::Address(_) | Way::History(_)) => travelled,
    }
}

async fn travel_held(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    way: &Way,
    wanted: Option<&str>,
    limit: Millis,
) -> Result<Settled, Failure> {
    {
        let mut state = tab.state.borrow_mut();
        // A navigation revives a crashed page and takes a lost tab again; a closed one stays closed.
        state.crashed = false;
        if state.chrome.is_some() {
            state.lost = None;
        }
    }
    attach(core, tab).await?;
    tabs::draw(core, tab);
    let root = Session::root(core, tab);
    let begun = tab.events().next();
    match way {
        Way::Address(_) => {
            let url = wanted.unwrap_or_default().to_owned();
            let asked = root.call_within(&page::Navigate { url: url.clone() }, limit);
            let answer = match select(pin!(asked), pin!(question(tab))).await {
                Either::Left((answer, _)) => answer?,
                // Whether to leave, or one of the new page: answering it goes on.
                Either::Right((open, _)) => return Err(open),
            };
            if let Some(why) = answer.error_text {
                let why =
                    if answer.is_download { "it is a download, not a page".into() } else { words(&why) };
                return Err(Failure::NavigationFailed { url: reply::address(&url), why });
            }
        }
        Way::History(To::Reload) => {
            if let Either::Right((open, _)) =
                select(pin!(root.call_within(&page::Reload {}, limit)), pin!(question(tab))).await
            {
                return Err(open);
            }
            commit(core, tab, begun, limit).await?;
        }
        Way::History(To::Back) => step(core, tab, &root, -1, "back", limit).await?,
        Way::History(To::Forward) => step(core, tab, &root, 1, "forward", limit).await?,
    }
    let settled = settle::settle(core, tab, begun).await?;
    if tab.state.borrow().commit.unreachable {
        let url = reply::address(&tab.state.borrow().commit.url);
        return Err(Failure::NavigationFailed { url, why: "the browser shows its error page".into() });
    }
    Ok(settled)
}

/// A tab with a page of the browser's or of an extension, also in a frame and wherever it came from, cannot be held: the
/// browser empties it, unread.
async fn vacate(core: &Rc<Core>, tab: &Rc<Tab>, limit: Millis) -> Result<(), Failure> {
    let chrome = tab.state.borrow().chrome.ok_or(Failure::TabClosed)?;
    core.begins();
    core.desk.ask(ChromeCall::EmptyTab { tab: chrome }).await?;
    let empty = async {
        tab.signal.until(|| (tab.state.borrow().url == "about:blank").then_some(())).await;
        Ok(())
    };
    core.desk.within(limit, "the page", empty).await
}

/// The dialog that opens, as the failure it is to whoever must wait for it.
async fn question(tab: &Tab) -> Failure {
    tab.signal
        .until(|| match &tab.state.borrow().dialog {
            Dialog::None => None,
            Dialog::Open(prompt) => {
                Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
            }
        })
        .await
}

async fn step(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    root: &Session,
    by: isize,
    way: &'static str,
    limit: Millis,
) -> Result<(), Failure> {
    let history = root.call(&page::GetNavigationHistory {}).await?;
    let entry = history.current_index.checked_add_signed(by).and_then(|index| history.entries.get(index));
    let entry = entry.ok_or(Failure::NoHistory { way })?;
    let begun = tab.events().next();
    root.call_within(&page::NavigateToHistoryEntry { entry_id: entry.id }, limit).await?;
    commit(core, tab, begun, limit).await
}

/// Waits until the root frame shows another document, or another address of the same one.
async fn commit(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    begun: crate::tab::Sequence,
    limit: Millis,
) -> Result<(), Failure> {
    let shown = async {
        let done = tab.signal.until(|| {
            let state = tab.state.borrow();
            if let Some(trouble) = state.trouble(true) {
                return Some(Err(trouble));
            }
            (state.commit.at >= begun || state.moved >= begun).then_some(Ok(()))
        });
        done.await
    };
    match core.desk.within(limit, "the page", shown).await {
        // A dialog that asks whether to leave, or one of the new page, is told by the reply.
        Err(Failure::DialogOpen { .. }) => Ok(()),
        done => done,
    }
}

/// Chrome's names of network errors in words.
fn words(error: &str) -> String {
    let known = [
        ("net::ERR_NAME_NOT_RESOLVED", "its host has no address (net::ERR_NAME_NOT_RESOLVED)"),
        ("net::ERR_CONNECTION_REFUSED", "nothing answers there (net::ERR_CONNECTION_REFUSED)"),
        ("net::ERR_INTERNET_DISCONNECTED", "the machine is offline (net::ERR_INTERNET_DISCONNECTED)"),
        (
            "net::ERR_ABORTED",
            "the page did not come: a download, an empty answer, or another navigation (net::ERR_ABORTED)",
        ),
    ];
    known
        .iter()
        .find(|(name, _)| *name == error)
        .map_or_else(|| error.to_owned(), |(_, words)| (*words).to_owned())
}
