//! The switchboard of a host: agents on one side, the worker on the other. Decides who is told what; waits on
//! nothing and reads nothing. A request that the worker was not given is answered here when the worker goes; of one that
//! it was given the agent asks the worker again, by [`ToHost::Inquire`]: only the worker knows whether it was begun.

use crate::{
    link::{SendError, Sender},
    trouble::Trouble,
};
use std::collections::{BTreeMap, VecDeque};
use tokio::task::JoinHandle;
use wire::{
    AgentKey, AgentKind, ChunkError, Closed, ConnectionId, FromHost, FromWorker, Lane, PROTOCOL, Reply,
    RequestId, ToHost, ToWorker, WorkerHello, salvage,
};

/// How many requests of one agent the worker is given at once.
const IN_FLIGHT: usize = 8;

/// How many more of one agent wait here.
const QUEUED: usize = 64;

/// Hellos and goodbyes: a lane that no request uses.
const TALK: Lane = Lane(u64::MAX);

/// What the agents' connections bring.
#[derive(Debug)]
pub enum Event {
    /// An agent said hello, in our version.
    Arrived(ConnectionId, Arrival),
    /// It said something more.
    Said(ConnectionId, ToHost),
    /// A message of its was lost.
    Lost(ConnectionId, ChunkError),
    /// It went.
    Gone(ConnectionId),
}

/// An agent that connected.
#[derive(Debug)]
pub struct Arrival {
    /// Where to answer it.
    pub sender: Sender,
    /// Its writer: done when all is sent.
    pub writing: JoinHandle<()>,
    /// What makes it the same again.
    pub key: AgentKey,
    /// What it calls itself.
    pub label: String,
    /// How it came in.
    pub kind: AgentKind,
    /// What started it.
    pub executable: Option<String>,
}

#[derive(Debug)]
struct Agent {
    sender: Sender,
    writing: JoinHandle<()>,
    /// What the worker was given and has not answered.
    pending: BTreeMap<RequestId, Given>,
    /// Requests that wait for one of those to be answered.
    queue: VecDeque<Asked>,
}

/// What the worker was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Request,
    Inquiry,
}

#[derive(Debug)]
struct Asked {
    id: RequestId,
    tool: String,
    arguments: serde_json::Value,
}

/// What is known of the extension.
#[derive(Debug)]
enum Extension {
    Awaited,
    Here(WorkerHello),
    Unusable(Closed),
}

/// The switchboard.
#[derive(Debug)]
pub struct Relay {
    instance: String,
    worker: Sender,
    extension: Extension,
    agents: BTreeMap<ConnectionId, Agent>,
}

impl Relay {
    /// A switchboard without agents.
    pub fn new(instance: String, worker: Sender) -> Self {
        Self { instance, worker, extension: Extension::Awaited, agents: BTreeMap::new() }
    }

    /// The way to the worker, for what is no business of agents.
    pub fn worker(&self) -> Sender {
        self.worker.clone()
    }

    /// The browser, once the extension has said it.
    pub fn browser(&self) -> Option<&str> {
        match &self.extension {
            Extension::Here(hello) => Some(&hello.browser),
            Extension::Awaited | Extension::Unusable(_) => None,
        }
    }

    /// Takes what an agent's connection brings.
    pub fn on_event(&mut self, event: Event) {
        match event {
            Event::Arrived(connection, arrival) => self.on_arrived(connection, arrival),
            Event::Said(connection, ToHost::Request { id, tool, arguments }) => {
                self.on_request(connection, Asked { id, tool, arguments });
            }
            Event::Said(connection, ToHost::Inquire { id }) => self.on_inquiry(connection, id),
            Event::Said(connection, ToHost::Cancel { id }) => self.on_cancel(connection, id),
            Event::Said(connection, ToHost::Hello { .. }) => {
                tracing::warn!(?connection, "a second hello was ignored");
            }
            Event::Lost(connection, error) => self.on_lost(connection, &error),
            Event::Gone(connection) => {
                if self.agents.remove(&connection).is_some() {
                    self.tell_worker(connection, &ToWorker::Left { connection });
                }
            }
        }
    }

    fn on_arrived(&mut self, connection: ConnectionId, arrival: Arrival) {
        let Arrival { sender, writing, key, label, kind, executable } = arrival;
        let extension = match &self.extension {
            Extension::Here(hello) => Some(hello.version.clone()),
            Extension::Awaited | Extension::Unusable(_) => None,
        };
        let hello = FromHost::Hello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instance: self.instance.clone(),
            extension,
        };
        tell(&sender, TALK, &hello);
        let (pending, queue) = (BTreeMap::new(), VecDeque::new());
        self.agents.insert(connection, Agent { sender, writing, pending, queue });
        self.tell_worker(connection, &ToWorker::Joined { connection, key, label, kind, executable });
    }

    fn on_request(&mut self, connection: ConnectionId, asked: Asked) {
        let Some(agent) = self.agents.get_mut(&connection) else { return };
        let known =
            agent.pending.contains_key(&asked.id) || agent.queue.iter().any(|other| other.id == asked.id);
        if known {
            let id = asked.id;
            tracing::warn!(?connection, ?id, "a request with a number in use was dropped: it has one answer");
            return;
        }
        let refusal = match &self.extension {
            Extension::Unusable(closed) => Some(Trouble::Extension(closed.clone())),
            Extension::Awaited | Extension::Here(_) if agent.queue.len() >= QUEUED => {
                Some(Trouble::Busy { limit: IN_FLIGHT + QUEUED })
            }
            Extension::Awaited | Extension::Here(_) => None,
        };
        if let Some(trouble) = refusal {
            return self.reply(connection, asked.id, trouble.reply());
        }
        agent.queue.push_back(asked);
        self.serve(connection);
    }

    /// Gives the worker what waits, as far as it may have more of this agent.
    fn serve(&mut self, connection: ConnectionId) {
        while let Some(agent) = self.agents.get_mut(&connection) {
            let given = agent.pending.values().filter(|given| **given == Given::Request).count();
            if given >= IN_FLIGHT {
                return;
            }
            let Some(Asked { id, tool, arguments }) = agent.queue.pop_front() else { return };
            agent.pending.insert(id, Given::Request);
            let request = ToWorker::Request { connection, id, tool: tool.clone(), arguments };
            let trouble = match self.worker.send(lane(connection), &request) {
                Ok(()) => continue,
                Err(SendError::TooLarge(large)) => {
                    Trouble::RequestTooLarge { size: large.size, limit: large.limit }
                }
                Err(SendError::Gone) => {
                    Trouble::NotStarted { tool, why: "the connection to the browser broke".to_owned() }
                }
            };
            self.reply(connection, id, trouble.reply());
        }
    }

    fn on_inquiry(&mut self, connection: ConnectionId, id: RequestId) {
        let Some(agent) = self.agents.get_mut(&connection) else { return };
        if let Extension::Unusable(closed) = &self.extension {
            let trouble = Trouble::NotTold { why: closed.what.clone() };
            return self.answer(connection, id, trouble.reply());
        }
        // One that is under way here is answered anyway.
        agent.pending.entry(id).or_insert(Given::Inquiry);
        self.tell_worker(connection, &ToWorker::Inquire { connection, id });
    }

    fn on_cancel(&mut self, connection: ConnectionId, id: RequestId) {
        let Some(agent) = self.agents.get_mut(&connection) else { return };
        agent.queue.retain(|asked| asked.id != id);
        if agent.pending.remove(&id).is_some() {
            self.tell_worker(connection, &ToWorker::Cancel { connection, id });
            self.serve(connection);
        }
    }

    fn on_lost(&mut self, connection: ConnectionId, error: &ChunkError) {
        tracing::warn!(?connection, %error, "a message of an agent was lost");
        if let ChunkError::TooLarge { limit, head } = error
            && let Some((_, id)) = salvage::request_in(head)
        {
            let trouble = Trouble::RequestTooLarge { size: limit + 1, limit: *limit };
            self.answer(connection, id, trouble.reply());
        }
    }

    /// Takes what the worker says. A hello is handed back, for the descriptor.
    pub fn on_worker(&mut self, said: FromWorker) -> Option<WorkerHello> {
        match said {
            FromWorker::Hello(hello) => {
                if hello.protocol == PROTOCOL {
                    self.extension = Extension::Here(hello.clone());
                    return Some(hello);
                }
                tracing::error!(
                    theirs = hello.protocol,
                    ours = PROTOCOL,
                    "the extension speaks another version"
                );
                self.refuse_all(version_mismatch("extension", &hello.version, hello.protocol));
            }
            FromWorker::Reply { connection, id, reply } => {
                let agent = self.agents.get_mut(&connection);
                // Else it was cancelled, or its agent has gone.
                if agent.is_some_and(|agent| agent.pending.contains_key(&id)) {
                    self.answer(connection, id, reply);
                }
            }
            FromWorker::Ping { nonce } => tell(&self.worker, TALK, &ToWorker::Pong { nonce }),
            FromWorker::Pong { nonce } => tracing::debug!(nonce, "pong"),
            FromWorker::Journal(_) => tracing::warn!("the journal is not written here"),
            FromWorker::ListSecrets { question } | FromWorker::Reveal { question, .. } => {
                tracing::warn!(question, "secrets are not kept here");
            }
            FromWorker::Look { question, .. } => tracing::warn!(question, "files are not looked for here"),
        }
        None
    }

    /// A message of the worker was lost.
    pub fn on_worker_lost(&mut self, error: &ChunkError) {
        tracing::error!(%error, "a message of the extension was lost");
        if let ChunkError::TooLarge { limit, head } = error
            && let Some((Some(connection), id)) = salvage::request_in(head)
        {
            self.answer(connection, id, Trouble::ReplyTooLarge { limit: *limit }.reply());
        }
    }

    /// The worker has not said hello in the time it had.
    pub fn on_silence(&mut self) {
        if matches!(self.extension, Extension::Awaited) {
            self.refuse_all(Closed {
                code: "extension_silent".to_owned(),
                what: "the browser's extension started this host and then said nothing".to_owned(),
                next: "reload the extension (chrome://extensions), then call again".to_owned(),
            });
        }
    }

    fn refuse_all(&mut self, closed: Closed) {
        for agent in self.agents.values_mut() {
            let given = std::mem::take(&mut agent.pending).into_iter();
            let waiting = std::mem::take(&mut agent.queue).into_iter();
            for (id, given) in given.chain(waiting.map(|asked| (asked.id, Given::Request))) {
                let trouble = match given {
                    Given::Request => Trouble::Extension(closed.clone()),
                    Given::Inquiry => Trouble::NotTold { why: closed.what.clone() },
                };
                tell(&agent.sender, Lane(id.0), &FromHost::Reply { id, reply: trouble.reply() });
            }
        }
        self.extension = Extension::Unusable(closed);
    }

    /// The worker's port has gone: answers what the worker was not given and says goodbye. Gives the writers to wait
    /// for.
    pub fn close(self) -> Vec<JoinHandle<()>> {
        let closed = Closed {
            code: "extension_gone".to_owned(),
            what: "the browser or its extension went away".to_owned(),
            next: "call again: it comes back with the browser".to_owned(),
        };
        let goodbye = |agent: Agent| {
            for Asked { id, tool, .. } in agent.queue {
                let reply = Trouble::NotStarted { tool, why: closed.what.clone() }.reply();
                tell(&agent.sender, Lane(id.0), &FromHost::Reply { id, reply });
            }
            tell(&agent.sender, TALK, &FromHost::Closed(closed.clone()));
            agent.writing
        };
        self.agents.into_values().map(goodbye).collect()
    }

    fn answer(&mut self, connection: ConnectionId, id: RequestId, reply: Reply) {
        self.reply(connection, id, reply);
        self.serve(connection);
    }

    fn reply(&mut self, connection: ConnectionId, id: RequestId, reply: Reply) {
        let Some(agent) = self.agents.get_mut(&connection) else { return };
        agent.pending.remove(&id);
        match agent.sender.send(Lane(id.0), &FromHost::Reply { id, reply }) {
            Ok(()) => {}
            Err(SendError::TooLarge(large)) => {
                let reply = Trouble::ReplyTooLarge { limit: large.limit }.reply();
                tell(&agent.sender, Lane(id.0), &FromHost::Reply { id, reply });
            }
            Err(SendError::Gone) => {
                tracing::warn!(?connection, "an agent that does not read was dropped");
                self.agents.remove(&connection);
                self.tell_worker(connection, &ToWorker::Left { connection });
            }
        }
    }

    fn tell_worker(&self, connection: ConnectionId, message: &ToWorker) {
        tell(&self.worker, lane(connection), message);
    }
}

/// What one agent says to the worker stays in order: joined, requests, left.
fn lane(connection: ConnectionId) -> Lane {
    Lane(u64::from(connection.0))
}

fn tell(sender: &Sender, lane: Lane, message: &impl serde::Serialize) {
    if let Err(error) = sender.send(lane, message) {
        tracing::debug!(%error, "not told");
    }
}

/// Says which half is older, and how to renew it. `peer` is the other half: "extension", "agent", "host".
pub fn version_mismatch(peer: &str, version: &str, protocol: u32) -> Closed {
    let ours = env!("CARGO_PKG_VERSION");
    let next = match (peer, protocol < PROTOCOL) {
        ("extension", true) => "update the extension and reload it (chrome://extensions)",
        ("agent", true) => "start the agent again, so that it runs the new tabwright",
        ("host", true) | ("agent", false) => "start the browser again, so that it runs the new tabwright",
        (_, _) => "install the new tabwright and run `tabwright install`",
    };
    Closed {
        code: "version_mismatch".to_owned(),
        what: format!(
            "the {peer} is version {version} (protocol {protocol}), this is {ours} (protocol {PROTOCOL})"
        ),
        next: next.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Received, Receiver};
    use tokio::io::DuplexStream;
    use wire::Chunker;

    const AGENT: ConnectionId = ConnectionId(1);

    /// A switchboard with one agent, and what the agent hears.
    fn one_agent() -> (Relay, Receiver<DuplexStream>) {
        let (worker, _) = Sender::start(tokio::io::sink(), Chunker::new(1 << 20), 1 << 20);
        let mut relay = Relay::new("here".to_owned(), worker);
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (sender, writing) = Sender::start(ours, Chunker::new(1 << 20), 1 << 20);
        let (key, label) = (AgentKey("k".to_owned()), "agent".to_owned());
        let arrival = Arrival { sender, writing, key, label, kind: AgentKind::Mcp, executable: None };
        relay.on_event(Event::Arrived(AGENT, arrival));
        (relay, Receiver::new(theirs, 1 << 20))
    }

    fn ask(relay: &mut Relay, id: u64) {
        let request = ToHost::Request { id: RequestId(id), tool: "act".to_owned(), arguments: ().into() };
        relay.on_event(Event::Said(AGENT, request));
    }

    async fn heard(agent: &mut Receiver<DuplexStream>) -> String {
        loop {
            match agent.next().await.unwrap() {
                Some(Received::Message(FromHost::Hello { .. })) => {}
                Some(Received::Message(FromHost::Reply { id, reply })) => {
                    return format!("{} {}", id.0, reply.joined_text());
                }
                other => return format!("{other:?}"),
            }
        }
    }

    fn hello(protocol: u32) -> FromWorker {
        FromWorker::Hello(WorkerHello {
            protocol,
            version: "1".to_owned(),
            browser: "B".to_owned(),
            profile: None,
            id: None,
        })
    }

    #[tokio::test]
    async fn an_extension_that_says_nothing_fails_its_requests_until_it_does() {
        let (mut relay, mut agent) = one_agent();
        ask(&mut relay, 1);
        relay.on_silence();
        assert!(heard(&mut agent).await.starts_with("1 error extension_silent:"));
        ask(&mut relay, 2);
        assert!(heard(&mut agent).await.starts_with("2 error extension_silent:"));
        assert!(relay.on_worker(hello(PROTOCOL)).is_some());
        ask(&mut relay, 3);
        let (connection, id) = (AGENT, RequestId(3));
        relay.on_worker(FromWorker::Reply { connection, id, reply: Reply::text("done") });
        assert_eq!(heard(&mut agent).await, "3 done");
    }

    #[tokio::test]
    async fn an_agent_that_asks_too_much_is_told_and_what_was_not_given_is_told_as_not_started() {
        let (mut relay, mut agent) = one_agent();
        for id in 0..=72 {
            ask(&mut relay, id);
        }
        assert!(heard(&mut agent).await.starts_with("72 error busy: 72 requests"));
        // An answer makes room for the next in line; what is taken back in the line was never given.
        relay.on_worker(FromWorker::Reply { connection: AGENT, id: RequestId(3), reply: Reply::text("3") });
        assert_eq!(heard(&mut agent).await, "3 3");
        relay.on_event(Event::Said(AGENT, ToHost::Cancel { id: RequestId(9) }));
        assert_eq!(relay.close().len(), 1);
        // 0 to 8 were given but 3: of those the worker is asked again.
        for id in 10..72 {
            let said = heard(&mut agent).await;
            assert!(said.starts_with(&format!("{id} error not_started:")), "{said}");
        }
        assert!(heard(&mut agent).await.contains("extension_gone"));
    }

    #[tokio::test]
    async fn what_became_of_a_request_is_asked_of_the_worker() {
        let (mut relay, mut agent) = one_agent();
        relay.on_worker(hello(PROTOCOL));
        relay.on_event(Event::Said(AGENT, ToHost::Inquire { id: RequestId(5) }));
        relay.on_worker(FromWorker::Reply { connection: AGENT, id: RequestId(5), reply: Reply::text("was") });
        assert_eq!(heard(&mut agent).await, "5 was");
        relay.on_event(Event::Said(AGENT, ToHost::Inquire { id: RequestId(6) }));
        relay.on_worker(hello(PROTOCOL + 1));
        let said = heard(&mut agent).await;
        assert!(said.starts_with("6 error outcome_unknown:") && !said.contains("Nothing done"), "{said}");
    }

    #[tokio::test]
    async fn answers_go_to_those_who_asked_and_once() {
        let (mut relay, mut agent) = one_agent();
        ask(&mut relay, 1);
        for (connection, id) in [(ConnectionId(9), 1), (AGENT, 5), (AGENT, 1), (AGENT, 1)] {
            let reply = Reply::text(format!("for {} {id}", connection.0));
            relay.on_worker(FromWorker::Reply { connection, id: RequestId(id), reply });
        }
        ask(&mut relay, 2);
        relay.on_worker(FromWorker::Reply {
            connection: AGENT,
            id: RequestId(2),
            reply: Reply::text("next"),
        });
        assert_eq!(heard(&mut agent).await, "1 for 1 1");
        assert_eq!(heard(&mut agent).await, "2 next");
    }

    #[test]
    fn the_older_half_is_named() {
        assert!(version_mismatch("extension", "0", PROTOCOL - 1).next.starts_with("update the extension"));
        assert!(version_mismatch("host", "0", PROTOCOL - 1).next.starts_with("start the browser again"));
        assert!(version_mismatch("host", "9", PROTOCOL + 1).next.starts_with("install the new tabwright"));
    }
}
