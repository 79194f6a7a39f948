//! Requests of agents: read, allowed or refused, carried out within a limit and once, answered once. Cancelling stops the
//! work in the page and lets go of what it held down.

use crate::{
    act,
    agent::{Agent, AgentId},
    browser::Core,
    clock::Millis,
    consent::PERSON,
    dialog,
    failure::Failure,
    find, host_link,
    journal::{self, Notes},
    ledger::{Became, Key},
    locate, look, navigate, pointing, read, reply, screenshot,
    tab::Tab,
    tabs, wait,
};
use futures::future::{AbortHandle, LocalBoxFuture, abortable};
use litemap::LiteMap;
use std::{
    cell::RefCell,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};
use tools::Call;
use wire::{ConnectionId, FromWorker, Reply, RequestId};

/// No call runs longer: clients give up after a minute.
const LIMIT: Millis = Millis(50_000);

/// The requests under way.
pub type Running = LiteMap<Key, UnderWay>;

/// A request under way.
pub struct UnderWay {
    /// Who is told the reply.
    asker: ConnectionId,
    /// Stops it.
    handle: AbortHandle,
    /// Why the person stopped it, where they did so by more than the stop.
    why: Option<Failure>,
    /// The call in two words: `act click`.
    pub what: String,
    /// What it has turned out to be about.
    pub notes: Rc<RefCell<Notes>>,
}

/// Starts a request, unless it came before: then it gets the outcome it had.
pub fn begin(
    core: &Rc<Core>,
    connection: ConnectionId,
    id: RequestId,
    tool: String,
    arguments: serde_json::Value,
) {
    let Some(key) = key(core, connection, id) else { return };
    core.agents.borrow_mut().called(key.0, core.desk.now());
    if core.running.borrow().contains_key(&key) {
        return attend(core, connection, key);
    }
    match core.ledger.borrow().became(key) {
        Became::NotStarted => {}
        became @ (Became::Unknown | Became::Done(_) | Became::Forgotten) => {
            return answer(core, connection, id, told(became));
        }
    }
    let what = what(&tool, &arguments);
    let notes = Rc::new(RefCell::default());
    let (core2, notes2) = (core.clone(), notes.clone());
    let served =
        async move { journal::noting(&core2, &notes2, serve(core2.clone(), key.0, tool, arguments)).await };
    let work = Marked { core: core.clone(), key, work: Box::pin(served) };
    let (work, handle) = abortable(work);
    let under_way =
        UnderWay { asker: connection, handle, why: None, what: what.clone(), notes: notes.clone() };
    core.running.borrow_mut().insert(key, under_way);
    let core2 = core.clone();
    core.desk.spawn(async move {
        let outcome = work.await;
        // Who stopped it has taken it out, and whoever sent it no longer listens, or is told why.
        let (asker, why) = core2
            .running
            .borrow_mut()
            .remove(&key)
            .map_or((connection, None), |under_way| (under_way.asker, under_way.why));
        let reply = match outcome {
            Ok(reply) => {
                let reply = core2.secrets.mask_reply(reply);
                core2.ends(key, &reply);
                reply
            }
            // What was begun stays so in the record: how far it came is not known.
            Err(futures::future::Aborted) => why.unwrap_or_else(|| reason(&core2, key.0)).reply(None),
        };
        journal::call(&core2, asker, key.0, what, &notes, &reply);
        // Kept before it is told: what an agent was told holds after a restart.
        core2.keep();
        answer(&core2, asker, id, reply);
    });
}

/// A call in two words: `act click`, `tabs open`, `snapshot`.
fn what(tool: &str, arguments: &serde_json::Value) -> String {
    const LONGEST: usize = 40;
    let kind = arguments.get("kind").or_else(|| arguments.get("action")).and_then(serde_json::Value::as_str);
    let words = std::iter::once(tool).chain(kind).collect::<Vec<_>>().join(" ");
    // Both are the agent's own words here: nothing has read them yet.
    words.chars().filter(|c| c.is_ascii_graphic() || *c == ' ').take(LONGEST).collect()
}

/// Says what became of a request that an agent sent over an earlier connection.
pub fn inquire(core: &Rc<Core>, connection: ConnectionId, id: RequestId) {
    let Some(key) = key(core, connection, id) else { return };
    if core.running.borrow().contains_key(&key) {
        return attend(core, connection, key);
    }
    // Of an agent that was not known before this connection nothing is known: the browser was another one then, or had
    // another memory.
    let known = core.agents.borrow().of(connection).is_some_and(|agent| agent.first != Some(connection));
    let became = if known { core.ledger.borrow().became(key) } else { Became::Unknown };
    answer(core, connection, id, told(became));
}

/// The request under way is answered over this connection.
fn attend(core: &Core, connection: ConnectionId, key: Key) {
    if let Some(under_way) = core.running.borrow_mut().get_mut(&key) {
        under_way.asker = connection;
    }
}

fn told(became: Became) -> Reply {
    let look = "take a snapshot to see what is there, before doing it again";
    match became {
        Became::Done(reply) => reply,
        Became::NotStarted => Reply::failure(
            "not_started",
            "the connection to the browser broke before this was begun. Nothing done.",
            "call it again",
        ),
        Became::Unknown => Reply::failure(
            "outcome_unknown",
            "the connection to the browser broke while this was under way; it may or may not have been done.",
            look,
        ),
        Became::Forgotten => Reply::failure(
            "reply_lost",
            "this was carried out, and its reply was lost when the connection to the browser broke.",
            look,
        ),
    }
}

/// The key of a request; where the connection has not said who it is, that is answered.
fn key(core: &Rc<Core>, connection: ConnectionId, id: RequestId) -> Option<Key> {
    let agent = core.agents.borrow().of(connection).map(|agent| agent.id);
    if agent.is_none() {
        let what = "this connection has not said who it is.";
        answer(core, connection, id, Reply::failure("not_connected", what, "connect again."));
    }
    agent.map(|agent| (agent, id))
}

fn answer(core: &Rc<Core>, connection: ConnectionId, id: RequestId, reply: Reply) {
    host_link::post(core, Some(connection), &FromWorker::Reply { connection, id, reply });
}

/// The work of a request: while it goes on, it is known whose effects those are.
struct Marked {
    core: Rc<Core>,
    key: Key,
    work: LocalBoxFuture<'static, Reply>,
}

impl Future for Marked {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Reply> {
        self.core.current.set(Some(self.key));
        let polled = self.work.as_mut().poll(cx);
        self.core.current.set(None);
        polled
    }
}

/// Why a request was stopped: by the person, or by whoever sent it.
fn reason(core: &Core, agent: AgentId) -> Failure {
    if let Err(stopped) = core.consent.going_on() {
        return stopped;
    }
    let who = core.agents.borrow().all.get(&agent).map(Agent::who);
    match who.and_then(|who| core.consent.entry(&who)) {
        Some(Err(refused)) => refused,
        Some(Ok(())) | None => Failure::RequestCancelled,
    }
}

/// Stops a request.
pub fn cancel(core: &Rc<Core>, connection: ConnectionId, id: RequestId) {
    let agent = core.agents.borrow().of(connection).map(|agent| agent.id);
    let key = agent.map(|agent| (agent, id));
    stop(core, |of, asker| Some(*of) == key && asker == connection);
}

/// Stops the requests of a connection.
pub fn cancel_connection(core: &Rc<Core>, connection: ConnectionId) {
    stop(core, |_, asker| asker == connection);
}

/// Stops every request.
pub fn cancel_all(core: &Rc<Core>) {
    stop(core, |_, _| true);
}

/// What was held down is let go with the turn.
fn stop(core: &Rc<Core>, which: impl Fn(&Key, ConnectionId) -> bool) {
    for (key, under_way) in core.running.borrow().iter() {
        if which(key, under_way.asker) {
            under_way.handle.abort();
        }
    }
}

/// Stops the requests that are about a tab, and tells them why.
pub fn cancel_tab(core: &Rc<Core>, tab: &Tab, why: &Failure) {
    let name = tab.to_string();
    for (_, under_way) in core.running.borrow_mut().iter_mut() {
        if under_way.notes.borrow().tab.as_ref() == Some(&name) {
            under_way.why = Some(why.clone());
            under_way.handle.abort();
        }
    }
}

async fn serve(core: Rc<Core>, agent: AgentId, tool: String, arguments: serde_json::Value) -> Reply {
    let call = match Call::parse(&tool, arguments) {
        Ok(call) => call,
        Err(bad) => return Reply::failure(bad.code, &bad.what, &bad.next),
    };
    let work = async {
        may_go_on(&core).await?;
        enter(&core, agent).await?;
        Ok(carry_out(&core, agent, call).await)
    };
    match core.desk.within(LIMIT, "the call", work).await {
        Ok(reply) => reply,
        // Both questions to the person together can take longer than a call may.
        Err(Failure::TimedOut { .. }) if let Some(failure) = asked(&core, agent) => failure.reply(None),
        Err(failure) => failure.reply(None),
    }
}

/// Waits until the person has lifted the pause.
async fn may_go_on(core: &Rc<Core>) -> Result<(), Failure> {
    let lifted = core.consent.changed.until(|| match core.consent.going_on() {
        Err(Failure::Paused) => None,
        decided => Some(decided),
    });
    match core.desk.within(PERSON, "the person's answer", lifted).await {
        Err(Failure::TimedOut { .. }) => Err(Failure::Paused),
        decided => decided,
    }
}

/// What the person is still asked about an agent's visits.
fn asked(core: &Core, agent: AgentId) -> Option<Failure> {
    let agents = core.agents.borrow();
    let who = agents.all.get(&agent)?.who();
    let asked = core.consent.asked.borrow();
    let visit = asked.iter().find(|visit| visit.who == who)?;
    Some(Failure::AwaitingSite { agent: reply::quoted(&who.label), site: visit.site.clone() })
}

/// Waits until the person has let the agent in.
async fn enter(core: &Rc<Core>, agent: AgentId) -> Result<(), Failure> {
    let Some(who) = core.agents.borrow().all.get(&agent).map(Agent::who) else { return Ok(()) };
    if let Some(known) = core.consent.entry(&who) {
        return known;
    }
    core.consent.waiting.borrow_mut().insert(who.clone());
    core.show_state();
    let decided = async { core.consent.changed.until(|| core.consent.entry(&who)).await };
    match core.desk.within(PERSON, "the person's answer", decided).await {
        Err(Failure::TimedOut { .. }) => Err(Failure::AwaitingPerson { agent: format!("{:?}", who.label) }),
        decided => {
            core.consent.waiting.borrow_mut().remove(&who);
            core.show_state();
            decided
        }
    }
}

async fn carry_out(core: &Rc<Core>, agent: AgentId, call: Call) -> Reply {
    // Boxed: a call is moved about as a pointer, not as all that it may ever hold.
    let work: LocalBoxFuture<'_, Reply> = match call {
        Call::Tabs(arguments) => Box::pin(tabs::tabs(core, agent, arguments)),
        Call::Navigate(arguments) => Box::pin(navigate::navigate(core, agent, arguments)),
        Call::Snapshot(arguments) => Box::pin(look::snapshot(core, agent, arguments)),
        Call::Diff(arguments) => Box::pin(look::diff(core, agent, arguments)),
        Call::Selection(arguments) => Box::pin(pointing::selection(core, agent, arguments)),
        Call::Locate(arguments) => Box::pin(locate::locate(core, agent, arguments)),
        Call::Wait(arguments) => Box::pin(wait::wait(core, agent, arguments)),
        Call::Dialog(arguments) => Box::pin(dialog::dialog(core, agent, arguments)),
        Call::Find(arguments) => Box::pin(find::find(core, agent, arguments)),
        Call::Read(arguments) => Box::pin(read::read(core, agent, arguments)),
        Call::Screenshot(arguments) => Box::pin(screenshot::screenshot(core, agent, arguments)),
        Call::Act(arguments) => Box::pin(act::act(core, agent, arguments)),
    };
    work.await
}
