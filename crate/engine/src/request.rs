//! Requests of agents: read, allowed or refused, carried out within a limit, answered once. Cancelling stops the
//! work in the page and lets go of what it held down.

use crate::{
    act,
    agent::{Agent, AgentId},
    browser::Core,
    clock::Millis,
    consent::PERSON,
    dialog,
    failure::Failure,
    find, host_link, journal, locate, look, navigate, read, reply, screenshot, tabs, wait,
};
use futures::future::{AbortHandle, LocalBoxFuture, abortable};
use litemap::LiteMap;
use std::{cell::RefCell, rc::Rc};
use tools::Call;
use wire::{ConnectionId, FromWorker, Reply, RequestId};

/// No call runs longer: clients give up after a minute.
const LIMIT: Millis = Millis(50_000);

/// The requests under way.
pub type Running = LiteMap<(ConnectionId, RequestId), AbortHandle>;

/// Starts a request.
pub fn begin(
    core: &Rc<Core>,
    connection: ConnectionId,
    id: RequestId,
    tool: String,
    arguments: serde_json::Value,
) {
    let what = what(&tool, &arguments);
    let notes = Rc::new(RefCell::default());
    let (core2, notes2) = (core.clone(), notes.clone());
    let work = async move {
        journal::noting(&core2, &notes2, serve(core2.clone(), connection, tool, arguments)).await
    };
    let (work, handle) = abortable(work);
    core.running.borrow_mut().insert((connection, id), handle);
    let core2 = core.clone();
    core.desk.spawn(async move {
        let reply = match work.await {
            Ok(reply) => reply,
            Err(futures::future::Aborted) => reason(&core2, connection).reply(None),
        };
        core2.running.borrow_mut().remove(&(connection, id));
        journal::call(&core2, connection, what, &notes, &reply);
        // Kept before it is told: what an agent was told holds after a restart.
        core2.keep();
        host_link::post(&core2, Some(connection), &FromWorker::Reply { connection, id, reply });
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

/// Why a request was stopped: by the person, or by whoever sent it.
fn reason(core: &Core, connection: ConnectionId) -> Failure {
    if let Err(stopped) = core.consent.going_on() {
        return stopped;
    }
    let who = core.agents.borrow().of(connection).map(Agent::who);
    match who.and_then(|who| core.consent.entry(&who)) {
        Some(Err(refused)) => refused,
        Some(Ok(())) | None => Failure::RequestCancelled,
    }
}

/// Stops a request.
pub fn cancel(core: &Rc<Core>, connection: ConnectionId, id: RequestId) {
    let handle = core.running.borrow_mut().remove(&(connection, id));
    if let Some(handle) = handle {
        // What was held down is let go with the turn.
        handle.abort();
    }
}

/// Stops the requests of a connection.
pub fn cancel_connection(core: &Rc<Core>, connection: ConnectionId) {
    let ids: Vec<_> =
        core.running.borrow().keys().filter(|(of, _)| *of == connection).map(|(_, id)| *id).collect();
    for id in ids {
        cancel(core, connection, id);
    }
}

/// Stops every request.
pub fn cancel_all(core: &Rc<Core>) {
    let all: Vec<_> = core.running.borrow().keys().copied().collect();
    for (connection, id) in all {
        cancel(core, connection, id);
    }
}

async fn serve(
    core: Rc<Core>,
    connection: ConnectionId,
    tool: String,
    arguments: serde_json::Value,
) -> Reply {
    let call = match Call::parse(&tool, arguments) {
        Ok(call) => call,
        Err(bad) => return Reply::failure(bad.code, &bad.what, &bad.next),
    };
    let Some(agent) = core.agents.borrow().of(connection).map(|agent| agent.id) else {
        let what = "this connection has not said who it is.";
        return Reply::failure("not_connected", what, "connect again.");
    };
    let work = async {
        core.consent.going_on()?;
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

/// What the person is still asked about an agent's visits.
fn asked(core: &Core, agent: AgentId) -> Option<Failure> {
    let agents = core.agents.borrow();
    let label = &agents.all.get(&agent)?.label;
    let asked = core.consent.asked.borrow();
    let visit = asked.iter().find(|visit| visit.label == *label)?;
    Some(Failure::AwaitingSite { agent: reply::quoted(label), site: visit.site.clone() })
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
