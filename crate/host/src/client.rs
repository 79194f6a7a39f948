//! An agent's side: finds the browser's host, keeps a connection, sends requests and gives their replies. Every
//! call ends: with a reply, or with what is known of its outcome. Nothing that may have been sent is sent again.

use crate::{
    descriptor::{self, Descriptor},
    install,
    link::{Received, Receiver, SendError, Sender},
    relay::version_mismatch,
    save::Written,
    socket::{self, ReadHalf},
    trouble::Trouble,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tools::Call;
use wire::{
    AgentKey, AgentKind, Closed, FromHost, Lane, PROTOCOL, REPLY_LIMIT, REQUEST_LIMIT, Reply, RequestId,
    ToHost, frame,
};

/// How long to look for a host: one that was killed is back by then.
const SEARCH_TIME: Duration = Duration::from_millis(1500);
const SEARCH_STEP: Duration = Duration::from_millis(50);

/// How long a host has to answer a hello.
const HELLO_TIME: Duration = Duration::from_secs(2);

/// How long a call may take: what the worker allows itself, and a margin.
const CALL_TIME: Duration = Duration::from_secs(53);

/// Who calls.
#[derive(Debug, Clone)]
pub struct Identity {
    /// What makes it the same again.
    pub key: AgentKey,
    /// What it calls itself.
    pub label: String,
    /// How it came in.
    pub kind: AgentKind,
}

#[derive(Debug, Default)]
struct Link {
    connection: Option<Arc<Connection>>,
    /// When the last search ended without one: calls that waited for it do not wait once more.
    missed: Option<Instant>,
}

/// An agent's way to the browser.
#[derive(Debug, Default)]
pub struct Client {
    /// Held while connecting, so that calls at the same time share one connection.
    link: tokio::sync::Mutex<Link>,
    next: AtomicU64,
    written: Written,
}

impl Client {
    /// Calls a tool. Never fails: what goes wrong is a failing reply.
    pub async fn call(
        &self,
        who: &Identity,
        tool: &str,
        arguments: Value,
        cancel: CancellationToken,
    ) -> Reply {
        let call = match Call::parse(tool, arguments.clone()) {
            Ok(call) => call,
            Err(bad) => return Reply::failure(bad.code, &bad.what, &bad.next),
        };
        let called = tokio::select! {
            called = timeout(CALL_TIME, self.try_call(who, tool, arguments, &cancel)) => called,
            () = cancel.cancelled() => Ok(Err(Trouble::Cancelled { tool: tool.to_owned() })),
        };
        match called {
            Ok(Ok(reply)) => match call.file() {
                Some((path, append)) => self.written.carry(reply, path, append, who.kind),
                None => reply,
            },
            Ok(Err(trouble)) => trouble.reply(),
            Err(_) => Trouble::unanswered(tool, &format!("{} s passed", CALL_TIME.as_secs())).reply(),
        }
    }

    async fn try_call(
        &self,
        who: &Identity,
        tool: &str,
        arguments: Value,
        cancel: &CancellationToken,
    ) -> Result<Reply, Trouble> {
        let id = RequestId(self.next.fetch_add(1, Ordering::Relaxed));
        let request = ToHost::Request { id, tool: tool.to_owned(), arguments };
        // A connection found dead before anything went out: once more, on a new one.
        for _ in 0..2 {
            if cancel.is_cancelled() {
                break;
            }
            let connection = self.connected(who).await?;
            match connection.request(id, &request) {
                Ok(waiting) => return waiting.reply(tool).await,
                Err(SendError::TooLarge(large)) => {
                    return Err(Trouble::RequestTooLarge { size: large.size, limit: large.limit });
                }
                Err(SendError::Gone) => {}
            }
        }
        Err(Trouble::NoBrowser)
    }

    /// The connection that lives, or a new one.
    async fn connected(&self, who: &Identity) -> Result<Arc<Connection>, Trouble> {
        let asked = Instant::now();
        let mut link = self.link.lock().await;
        if let Some(connection) = link.connection.as_ref().filter(|connection| !connection.is_gone()) {
            return Ok(Arc::clone(connection));
        }
        link.connection = None;
        let until = match link.missed {
            Some(missed) if missed > asked => missed,
            Some(_) | None => asked + SEARCH_TIME,
        };
        loop {
            let trouble = match find() {
                Ok(host) => match Connection::open(&host, who).await {
                    Ok(connection) => return Ok(Arc::clone(link.connection.insert(Arc::new(connection)))),
                    Err(trouble) => trouble,
                },
                Err(trouble) => trouble,
            };
            // A host that is just going or coming is worth a second look; the rest stays as it is.
            let passing =
                matches!(trouble, Trouble::NoBrowser | Trouble::NotInstalled | Trouble::NoHandshake { .. });
            if !passing || Instant::now() >= until {
                link.missed = Some(Instant::now());
                return Err(trouble);
            }
            sleep(SEARCH_STEP).await;
        }
    }
}

/// The one host that lives.
fn find() -> Result<Descriptor, Trouble> {
    let mut living = descriptor::living()?;
    match (living.pop(), living.is_empty()) {
        (Some(host), true) => Ok(host),
        (Some(host), false) => {
            living.push(host);
            Err(Trouble::SeveralBrowsers(living.iter().map(Descriptor::label).collect()))
        }
        (None, _) => Err(install::why_no_browser()),
    }
}

type Waiters = Arc<Mutex<Option<BTreeMap<RequestId, oneshot::Sender<Reply>>>>>;

/// A connection to one host.
#[derive(Debug)]
struct Connection {
    host: Descriptor,
    sender: Sender,
    /// Nothing once the connection broke: whoever waited has been told.
    waiters: Waiters,
    reading: tokio::task::JoinHandle<()>,
}

impl Connection {
    async fn open(host: &Descriptor, who: &Identity) -> Result<Self, Trouble> {
        let opened = timeout(HELLO_TIME, Self::open_unbounded(host, who)).await;
        opened.unwrap_or_else(|_| Err(no_handshake(host, "no answer in time")))
    }

    async fn open_unbounded(host: &Descriptor, who: &Identity) -> Result<Self, Trouble> {
        let path = host.socket();
        let (read, write) =
            socket::connect(&path).await.map_err(|error| no_handshake(host, &error.to_string()))?;
        let mut receiver = Receiver::new(read, REPLY_LIMIT);
        let (sender, _) = Sender::start(write, REQUEST_LIMIT, frame::FROM_PEER);
        let hello = ToHost::Hello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            key: who.key.clone(),
            label: who.label.clone(),
            kind: who.kind,
        };
        sender.send(Lane(u64::MAX), &hello).map_err(|error| no_handshake(host, &error.to_string()))?;
        match receiver.next::<FromHost>().await {
            Ok(Some(Received::Message(FromHost::Hello { protocol, version, instance, extension: _ }))) => {
                if protocol != PROTOCOL {
                    return Err(Trouble::Refused(version_mismatch("host", &version, protocol)));
                }
                if instance != host.instance {
                    return Err(no_handshake(host, "it is another one than its descriptor says"));
                }
            }
            Ok(Some(Received::Message(FromHost::Closed(closed)))) => return Err(Trouble::Refused(closed)),
            Ok(Some(Received::Message(FromHost::Reply { .. }) | Received::Lost(_))) => {
                return Err(no_handshake(host, "it began without a hello"));
            }
            Ok(None) => return Err(no_handshake(host, "it ended the connection")),
            Err(error) => return Err(no_handshake(host, &error.to_string())),
        }
        let waiters: Waiters = Arc::new(Mutex::new(Some(BTreeMap::new())));
        let reading = tokio::spawn(read_replies(receiver, Arc::clone(&waiters)));
        Ok(Self { host: host.clone(), sender, waiters, reading })
    }

    /// Also by its lock: a host that was just killed is told from a living one before anything is sent to it.
    fn is_gone(&self) -> bool {
        self.sender.is_gone() || lock(&self.waiters).is_none() || !self.host.is_living()
    }

    fn request(self: &Arc<Self>, id: RequestId, request: &ToHost) -> Result<Waiting, SendError> {
        let (answer, answered) = oneshot::channel();
        lock(&self.waiters).as_mut().ok_or(SendError::Gone)?.insert(id, answer);
        let waiting = Waiting { id, answered, connection: Arc::clone(self), done: false };
        self.sender.send(Lane(id.0), request)?;
        Ok(waiting)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

/// A request that was sent. Dropped before its reply, it is cancelled.
struct Waiting {
    id: RequestId,
    answered: oneshot::Receiver<Reply>,
    connection: Arc<Connection>,
    done: bool,
}

impl Waiting {
    async fn reply(mut self, tool: &str) -> Result<Reply, Trouble> {
        let answered = (&mut self.answered).await;
        self.done = true;
        answered.map_err(|_| Trouble::broken(tool))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let known = lock(&self.connection.waiters).as_mut().and_then(|waiters| waiters.remove(&self.id));
        if !self.done && known.is_some() {
            let _ = self.connection.sender.send(Lane(self.id.0), &ToHost::Cancel { id: self.id });
        }
    }
}

async fn read_replies(mut receiver: Receiver<ReadHalf>, waiters: Waiters) {
    loop {
        match receiver.next::<FromHost>().await {
            Ok(Some(Received::Message(FromHost::Reply { id, reply }))) => {
                let waiter = lock(&waiters).as_mut().and_then(|waiters| waiters.remove(&id));
                if let Some(waiter) = waiter {
                    let _ = waiter.send(reply);
                }
            }
            Ok(Some(Received::Message(FromHost::Closed(Closed { code, what, .. })))) => {
                // What is still on its way comes; then the stream ends.
                tracing::info!(code, what, "the host says goodbye");
            }
            Ok(Some(Received::Message(FromHost::Hello { .. }))) => {}
            Ok(Some(Received::Lost(error))) => {
                tracing::error!(%error, "a reply was lost");
                // Which one is unknown: none of those that wait can be relied on.
                break;
            }
            Ok(None) => break,
            Err(error) => {
                tracing::warn!(%error, "the connection to the host broke");
                break;
            }
        }
    }
    // Those who wait find their senders gone.
    *lock(&waiters) = None;
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_handshake(host: &Descriptor, why: &str) -> Trouble {
    Trouble::NoHandshake { browser: host.label(), why: why.to_owned() }
}
